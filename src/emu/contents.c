// What memory holds, for those who look at a run from outside.
#include "emu/memory.h"

#include <assert.h>

void emu_read_bytes(const Emu *emu, uint64_t address, uint64_t size, uint8_t *bytes) {
  const DeviceRegion *found = emu_find_region(emu, address, size);
  if (found && size)
    memcpy(bytes, found->bytes + (address - found->region->address), size);
}

// --- elements

static inline bool is_defined(const DeviceRegion *region, uint64_t offset, uint32_t size) {
  if (!region->defined)
    return true;
  if (offset % 8 + size > 8)
    return emu_all_defined(region->defined, offset, size);
  return bytes_has_bits(&region->defined[offset / 8], (uint8_t)(((1u << size) - 1) << offset % 8));
}

// For each size a loop of its own.
static inline bool read_elements(const DeviceRegion *region, uint64_t first, uint32_t size,
                                 const int64_t *elements, uint32_t count, uint64_t *bits) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t offset = first + (uint64_t)elements[i] * size;
    assert(offset + size <= region->region->size);
    bits[i] = bytes_load(region->bytes + offset, size);
    if (!is_defined(region, offset, size))
      return false;
  }
  return true;
}

bool emu_read_elements(const Emu *emu, uint64_t address, uint32_t size, const int64_t *elements,
                       uint32_t count, uint64_t *bits) {
  const DeviceRegion *region = emu_find_region(emu, address, size);
  if (!region)
    return false;
  uint64_t first = address - region->region->address;
  switch (size) {
  case 1:
    return read_elements(region, first, 1, elements, count, bits);
  case 2:
    return read_elements(region, first, 2, elements, count, bits);
  case 4:
    return read_elements(region, first, 4, elements, count, bits);
  default:
    return read_elements(region, first, 8, elements, count, bits);
  }
}

// --- single values

// Byte by byte: the place of an asynchronous operation may have any alignment.
static uint64_t peek_bytes(const uint8_t *at, uint32_t size) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++)
    value |= bytes_load(at + i, 1) << 8 * i;
  return value;
}

bool emu_peek(const Emu *emu, const EmuBlock *owner, uint64_t address, uint32_t size,
              uint64_t *value) {
  *value = 0;
  if (size > sizeof *value)
    return false;
  if (owner) {
    if (address > owner->shared_bytes || size > owner->shared_bytes - address)
      return false;
    *value = peek_bytes(((const Block *)owner)->shared + address, size);
    return true;
  }
  const DeviceRegion *found = emu_find_region(emu, address, size);
  if (found)
    *value = peek_bytes(found->bytes + (address - found->region->address), size);
  return found != NULL;
}
