#include "ir/memory.h"

#include <string.h>

#include "ir/grid.h"

const Region *memory_find(const Memory *memory, uint64_t address, uint32_t size) {
  uint32_t low = 0, high = memory->region_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (memory->regions[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return NULL;
  const Region *region = &memory->regions[low - 1];
  uint64_t offset = address - region->address;
  return offset <= region->size && size <= region->size - offset ? region : NULL;
}

bool memory_has_contents(const Region *region) {
  return region->initial || region->read_initial;
}

void memory_read_initial(const Region *region, uint64_t offset, uint64_t size, uint8_t *bytes) {
  if (region->initial)
    memcpy(bytes, region->initial + offset, (size_t)size);
  else if (region->read_initial)
    region->read_initial(region->contents, offset, size, bytes);
  else
    memset(bytes, 0, (size_t)size);
}

// The block of a rank in the thread's cluster; UINT32_MAX: there is none.
static uint32_t find_peer_block(const Program *program, const Thread *thread, uint32_t rank) {
  const Grid *grid = &program->grids[thread->grid];
  for (uint32_t block = grid->first_block; block < grid->first_block + grid->block_count; block++) {
    const Thread *peer = &program->threads[program->blocks[block].threads[0]];
    if (peer->place.cluster == thread->place.cluster && peer->cluster_rank == rank)
      return block;
  }
  return UINT32_MAX;
}

static AddressResult resolve_shared(const Program *program, const Thread *thread, uint64_t address,
                                    uint64_t *physical) {
  uint32_t rank = (uint32_t)(address >> MEMORY_RANK_SHIFT) & 0xff;
  uint32_t block = rank ? find_peer_block(program, thread, rank - 1) : thread->block;
  if (block == UINT32_MAX)
    return ADDRESS_NO_SUCH_BLOCK;
  *physical = MEMORY_SHARED_PHYSICAL + ((uint64_t)block << 32) +
              (address & ((1u << MEMORY_RANK_SHIFT) - 1));
  return ADDRESS_OK;
}

static bool is_in_window(uint64_t address, uint64_t window) {
  return address - window < MEMORY_WINDOW_SIZE;
}

AddressResult memory_resolve(const Program *program, uint32_t thread, Space space, uint64_t address,
                             uint64_t *physical) {
  const Thread *accessing = &program->threads[thread];
  if (space == SPACE_SHARED)
    return resolve_shared(program, accessing, address & 0xffffffffu, physical);
  if (space == SPACE_GENERIC && is_in_window(address, MEMORY_SHARED_WINDOW))
    return resolve_shared(program, accessing, address - MEMORY_SHARED_WINDOW, physical);
  bool is_local = space == SPACE_LOCAL ||
                  (space == SPACE_GENERIC && is_in_window(address, MEMORY_LOCAL_WINDOW));
  if (is_local)
    *physical = MEMORY_LOCAL_PHYSICAL + ((uint64_t)thread << 32) + (address & 0xffffffffu);
  else
    *physical = address;
  return ADDRESS_OK;
}

static uint64_t map_rank(uint64_t address, uint64_t rank) {
  return (address & ((1u << MEMORY_RANK_SHIFT) - 1)) | (rank + 1) << MEMORY_RANK_SHIFT;
}

static uint64_t rank_of(uint32_t own_rank, uint64_t address) {
  uint64_t rank = address >> MEMORY_RANK_SHIFT & 0xff;
  return rank ? rank - 1 : own_rank;
}

uint64_t memory_convert(const Program *program, uint32_t thread, AddressConversion conversion,
                        uint64_t address, uint64_t operand) {
  return memory_convert_at(program->threads[thread].cluster_rank, conversion, address, operand);
}

uint64_t memory_convert_at(uint32_t own_rank, AddressConversion conversion, uint64_t address,
                           uint64_t operand) {
  switch (conversion) {
  case ADDRESS_SHARED_TO_GENERIC:
    return MEMORY_SHARED_WINDOW + (address & 0xffffffffu);
  case ADDRESS_GENERIC_TO_SHARED:
    return address - MEMORY_SHARED_WINDOW;
  case ADDRESS_LOCAL_TO_GENERIC:
    return MEMORY_LOCAL_WINDOW + (address & 0xffffffffu);
  case ADDRESS_GENERIC_TO_LOCAL:
    return address - MEMORY_LOCAL_WINDOW;
  case ADDRESS_IS_GLOBAL:
    return !is_in_window(address, MEMORY_SHARED_WINDOW) &&
           !is_in_window(address, MEMORY_LOCAL_WINDOW);
  case ADDRESS_IS_SHARED:
    return is_in_window(address, MEMORY_SHARED_WINDOW);
  case ADDRESS_IS_LOCAL:
    return is_in_window(address, MEMORY_LOCAL_WINDOW);
  case ADDRESS_MAP_SHARED:
    return map_rank(address, operand);
  case ADDRESS_MAP_GENERIC:
    return MEMORY_SHARED_WINDOW + map_rank(address - MEMORY_SHARED_WINDOW, operand);
  case ADDRESS_RANK_SHARED:
    return rank_of(own_rank, address);
  case ADDRESS_RANK_GENERIC:
    return rank_of(own_rank, address - MEMORY_SHARED_WINDOW);
  }
  return 0;
}

const char *memory_place_name(const Region *region, uint64_t address, Arena *arena) {
  if (region->code)
    return grid_shared_name(region->code, address - region->address, arena);
  return arena_format(arena, "%s, byte %llu", region->name,
                      (unsigned long long)(address - region->address));
}
