// Bytes of device memory. Where a program races, workers access them at the same time: relaxed
// atomic accesses keep that defined, whatever they find then. What is of one block (its local
// memory, its shared memory in a round) is accessed in the same way, as nothing is won by another
// one. Internal to emu.
#ifndef WARPSAN_EMU_BYTES_H
#define WARPSAN_EMU_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t __attribute__((may_alias)) Bytes8;
typedef uint16_t __attribute__((may_alias)) Bytes16;
typedef uint32_t __attribute__((may_alias)) Bytes32;
typedef uint64_t __attribute__((may_alias)) Bytes64;

#define BYTES_LOAD(type, at) __atomic_load_n((const type *)(const void *)(at), __ATOMIC_RELAXED)
#define BYTES_STORE(type, at, value)                                                               \
  __atomic_store_n((type *)(void *)(at), (type)(value), __ATOMIC_RELAXED)

// `size`: 1, 2, 4 or 8, of which `at` is a multiple.
static inline uint64_t bytes_load(const uint8_t *at, uint32_t size) {
  switch (size) {
  case 1:
    return BYTES_LOAD(Bytes8, at);
  case 2:
    return BYTES_LOAD(Bytes16, at);
  case 4:
    return BYTES_LOAD(Bytes32, at);
  default:
    return BYTES_LOAD(Bytes64, at);
  }
}

static inline void bytes_store(uint8_t *at, uint32_t size, uint64_t value) {
  switch (size) {
  case 1:
    BYTES_STORE(Bytes8, at, value);
    break;
  case 2:
    BYTES_STORE(Bytes16, at, value);
    break;
  case 4:
    BYTES_STORE(Bytes32, at, value);
    break;
  default:
    BYTES_STORE(Bytes64, at, value);
    break;
  }
}

// The largest size of which both places and the length are multiples.
static inline uint32_t bytes_unit(const uint8_t *a, const uint8_t *b, size_t length) {
  uintptr_t bits = (uintptr_t)a | (uintptr_t)b | (uintptr_t)length | 8;
  return (uint32_t)(bits & (0 - bits));
}

// From and to places that may overlap.
static inline void bytes_move(uint8_t *to, const uint8_t *from, size_t length) {
  uint32_t unit = bytes_unit(to, from, length);
  bool is_forward = (uintptr_t)to <= (uintptr_t)from;
  for (size_t i = 0; i < length; i += unit) {
    size_t at = is_forward ? i : length - unit - i;
    bytes_store(to + at, unit, bytes_load(from + at, unit));
  }
}

static inline void bytes_clear(uint8_t *at, size_t length) {
  uint32_t unit = bytes_unit(at, at, length);
  for (size_t i = 0; i < length; i += unit)
    bytes_store(at + i, unit, 0);
}

// A row of elements of 4 or 8 bytes, from device memory to a register or back.
static inline void bytes_load_row(void *to, const uint8_t *row, size_t length) {
  if ((uintptr_t)row % 8 == 0)
    for (size_t i = 0; i < length / 8; i++)
      ((Bytes64 *)to)[i] = BYTES_LOAD(Bytes64, row + 8 * i);
  else
    for (size_t i = 0; i < length / 4; i++)
      ((Bytes32 *)to)[i] = BYTES_LOAD(Bytes32, row + 4 * i);
}

static inline void bytes_store_row(uint8_t *row, const void *from, size_t length) {
  if ((uintptr_t)row % 8 == 0)
    for (size_t i = 0; i < length / 8; i++)
      BYTES_STORE(Bytes64, row + 8 * i, ((const Bytes64 *)from)[i]);
  else
    for (size_t i = 0; i < length / 4; i++)
      BYTES_STORE(Bytes32, row + 4 * i, ((const Bytes32 *)from)[i]);
}

// Bits of a byte that others may set bits of.
static inline bool bytes_has_bits(const uint8_t *at, uint8_t bits) {
  return (BYTES_LOAD(Bytes8, at) & bits) == bits;
}

static inline void bytes_set_bits(uint8_t *at, uint8_t bits) {
  if (!bytes_has_bits(at, bits))
    __atomic_fetch_or(at, bits, __ATOMIC_RELAXED);
}

#endif
