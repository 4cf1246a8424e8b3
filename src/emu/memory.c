#include "emu/memory.h"

#include "emu/fault.h"
#include "emu/pool.h"
#include "emu/vector.h"
#include "emu/warp.h"

#include "base/bytes.h"

#include <sys/mman.h>

// --- host memory

typedef struct Mapping {
  void *memory;
  size_t size;
  struct Mapping *next;
} Mapping;

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS 0x20
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

void *emu_map(Emu *emu, size_t size) {
  size_t limit = emu->options->memory_bytes;
  if (limit && (size > limit || emu->mapped_bytes > limit - size))
    arena_exhaust(emu->arena);
  Mapping *mapping = ARENA_NEW(emu->arena, Mapping);
  void *memory = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    arena_exhaust(emu->arena);
  *mapping = (Mapping){memory, size ? size : 1, emu->mappings};
  emu->mappings = mapping;
  emu->mapped_bytes += size;
  return memory;
}

void emu_unmap(Emu *emu) {
  for (Mapping *mapping = emu->mappings; mapping; mapping = mapping->next)
    munmap(mapping->memory, mapping->size);
  emu->mappings = NULL;
  emu->mapped_bytes = 0;
}

// --- bits of bytes that are defined

// Bits first .. first + count - 1 as far as they lie in one byte, or are one word of 64.
typedef struct BitPart {
  uint64_t count;
  bool is_word;
  uint8_t wanted; // in its byte
} BitPart;

static BitPart first_part(uint64_t first, uint64_t count) {
  if (first % 64 == 0 && count >= 64)
    return (BitPart){.count = 64, .is_word = true};
  uint64_t in_byte = count < 8 - first % 8 ? count : 8 - first % 8;
  return (BitPart){.count = in_byte, .wanted = (uint8_t)(((1u << in_byte) - 1) << first % 8)};
}

// Blocks that write neighbouring bytes may share a byte of bits.
static void set_bits(uint8_t *bits, uint64_t first, uint64_t count) {
  while (count) {
    BitPart part = first_part(first, count);
    if (part.is_word)
      BYTES_STORE(Bytes64, &bits[first / 8], UINT64_MAX);
    else
      bytes_set_bits(&bits[first / 8], part.wanted);
    first += part.count;
    count -= part.count;
  }
}

static bool has_bits(const uint8_t *bits, uint64_t first, uint64_t count) {
  while (count) {
    BitPart part = first_part(first, count);
    if (part.is_word ? BYTES_LOAD(Bytes64, &bits[first / 8]) != UINT64_MAX
                     : !bytes_has_bits(&bits[first / 8], part.wanted))
      return false;
    first += part.count;
    count -= part.count;
  }
  return true;
}

void emu_set_defined(uint8_t *bits, uint64_t first, uint64_t count) {
  set_bits(bits, first, count);
}

bool emu_all_defined(const uint8_t *bits, uint64_t first, uint64_t count) {
  return has_bits(bits, first, count);
}

static uint64_t local_bit(const Target *target, uint64_t address, uint32_t lane) {
  return GRID_LOCAL_START + (address - target->low) + lane * target->lane_stride;
}

static uint8_t undefined_byte(const Target *target, uint64_t byte) {
  bool is_defined = target->local_defined[byte / 8] >> byte % 8 & 1;
  return is_defined ? 0 : (uint8_t)~target->local_bits[byte];
}

bool emu_is_local_undefined(const Target *target, uint64_t address, uint32_t lane, uint32_t size) {
  uint64_t first = local_bit(target, address, lane);
  for (uint64_t byte = first; byte < first + size; byte++)
    if (undefined_byte(target, byte) != UINT8_MAX)
      return false;
  return true;
}

uint64_t emu_undefined_local(const Target *target, uint64_t address, uint32_t lane, uint32_t size) {
  uint64_t first = local_bit(target, address, lane), undefined = 0;
  if (first % 8 + size <= 8) {
    uint8_t wanted = (uint8_t)(((1u << size) - 1) << first % 8);
    if ((target->local_defined[first / 8] & wanted) == wanted)
      return 0;
  }
  for (uint32_t i = 0; i < size; i++)
    undefined |= (uint64_t)undefined_byte(target, first + i) << 8 * i;
  return undefined;
}

void emu_define_local(const Target *target, uint64_t address, uint32_t lane, uint32_t size) {
  set_bits(target->local_defined, local_bit(target, address, lane), size);
}

void emu_undefine_local(const Target *target, uint64_t address, uint32_t lane, uint32_t size,
                        uint64_t undefined) {
  uint64_t first = local_bit(target, address, lane);
  for (uint32_t i = 0; i < size; i++) {
    uint64_t byte = first + i;
    uint8_t bits = (uint8_t)(undefined >> 8 * i);
    if (!bits)
      continue;
    target->local_defined[byte / 8] &= (uint8_t) ~(1u << byte % 8);
    target->local_bits[byte] = (uint8_t)~bits;
  }
}

// --- global memory

enum { FILL_BYTES = 1 << 20 }; // that one worker fills at once

// The lowest bits of `count` bytes, at most 8, as one byte.
static uint8_t pack(const uint8_t *bytes, uint32_t count) {
  const uint64_t lowest = 0x0101010101010101u, to_top = 0x0102040810204080u;
  return (uint8_t)((bytes_get(bytes, count) & lowest) * to_top >> 56);
}

static uint8_t *initial_bits(Emu *emu, const Region *region) {
  if (!region->is_defined && !region->is_undefined)
    return NULL;
  uint8_t *bits = emu_map(emu, region->size / 8 + 1);
  for (uint64_t i = 0; region->is_defined && i < region->size; i += 8) {
    uint64_t left = region->size - i;
    uint8_t packed = pack(region->is_defined + i, left < 8 ? (uint32_t)left : 8);
    if (packed) // pages that nobody writes cost no memory
      bits[i / 8] = packed;
  }
  return bits;
}

void emu_place_memory(Emu *emu) {
  const Memory *memory = emu->program->memory;
  emu->region_count = memory->region_count;
  emu->regions = ARENA_ARRAY(emu->arena, DeviceRegion, memory->region_count + 1);
  for (uint32_t i = 0; i < memory->region_count; i++) {
    const Region *region = &memory->regions[i];
    DeviceRegion *placed = &emu->regions[i];
    *placed = (DeviceRegion){.region = region,
                             .bytes = emu_map(emu, region->size),
                             .defined = initial_bits(emu, region)};
  }
}

// Each share is the same stretch of every region.
static void fill_stretch(Worker *worker, uint32_t i) {
  const Emu *emu = worker->emu;
  uint64_t begin = (uint64_t)i * FILL_BYTES;
  for (uint32_t r = 0; r < emu->region_count; r++) {
    const Region *region = emu->regions[r].region;
    if (!memory_has_contents(region) || region->size <= begin)
      continue;
    uint64_t left = region->size - begin;
    memory_read_initial(region, begin, left < FILL_BYTES ? left : FILL_BYTES,
                        emu->regions[r].bytes + begin);
  }
}

void emu_fill_memory(Emu *emu) {
  uint64_t largest = 0;
  for (uint32_t i = 0; i < emu->region_count; i++)
    if (memory_has_contents(emu->regions[i].region) && emu->regions[i].region->size > largest)
      largest = emu->regions[i].region->size;
  emu_share_out(emu, fill_stretch, (uint32_t)((largest + FILL_BYTES - 1) / FILL_BYTES));
}

const DeviceRegion *emu_find_region(const Emu *emu, uint64_t address, uint64_t size) {
  uint32_t low = 0, high = emu->region_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (emu->regions[middle].region->address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return NULL;
  const Region *region = emu->regions[low - 1].region;
  uint64_t offset = address - region->address;
  return offset <= region->size && size <= region->size - offset ? &emu->regions[low - 1] : NULL;
}

// --- what an address names

static bool is_in_window(uint64_t address, uint64_t window) {
  return address - window < MEMORY_WINDOW_SIZE;
}

static void set_shared(const Block *owner, uint64_t base, Target *target) {
  *target = (Target){.low = base + GRID_SHARED_START,
                     .size = owner->seen.shared_bytes - GRID_SHARED_START,
                     .bytes = owner->shared + GRID_SHARED_START,
                     .defined = owner->is_defined ? NULL : owner->defined,
                     .defined_first = GRID_SHARED_START,
                     .seen = 0 - base,
                     .owner = (EmuBlock *)&owner->seen,
                     .space = SPACE_SHARED};
}

// `base`: the address of offset 0 of the running block's shared memory.
static TargetResult find_shared(Worker *worker, uint64_t base, uint64_t address, uint32_t size,
                                Target *target) {
  Block *block = worker->block;
  uint32_t rank = (uint32_t)((address - base) >> MEMORY_RANK_SHIFT) & 0xff;
  if (rank) {
    base += (uint64_t)rank << MEMORY_RANK_SHIFT;
    if (rank - 1 >= block->seen.cluster_size)
      return TARGET_NONE;
    block = block->cluster->blocks[rank - 1];
    if (!block)
      return TARGET_GONE;
  }
  set_shared(block, base, target);
  return address - target->low <= target->size && size <= target->size - (address - target->low)
             ? TARGET_FOUND
             : TARGET_NONE;
}

static TargetResult find_local(const Worker *worker, uint64_t base, uint64_t address, uint32_t size,
                               Target *target) {
  const Block *block = worker->block;
  uint64_t stride = emu_local_stride(block->grid);
  *target = (Target){.low = base + GRID_LOCAL_START,
                     .size = block->grid->code->kernel->local_bytes - GRID_LOCAL_START,
                     .lane_stride = stride,
                     .is_local = true,
                     .space = SPACE_LOCAL};
  if (!target->size)
    return TARGET_NONE;
  uint64_t copies = (uint64_t)worker->warp->number * LANES * stride;
  target->bytes = block->local + copies + GRID_LOCAL_START;
  target->local_defined = block->local_defined + copies / 8;
  target->local_bits = block->local_bits + copies;
  return address - target->low <= target->size && size <= target->size - (address - target->low)
             ? TARGET_FOUND
             : TARGET_NONE;
}

static TargetResult find_global(const Worker *worker, uint64_t address, uint32_t size,
                                const DeviceRegion **cache, Target *target) {
  const DeviceRegion *found = cache ? *cache : NULL;
  if (!found || address - found->region->address >= found->region->size ||
      size > found->region->size - (address - found->region->address))
    found = emu_find_region(worker->emu, address, size);
  if (!found)
    return TARGET_NONE;
  if (cache)
    *cache = found;
  *target = (Target){.low = found->region->address,
                     .size = found->region->size,
                     .bytes = found->bytes,
                     .defined = found->defined,
                     .is_read_only = found->region->is_read_only,
                     .space = SPACE_GLOBAL};
  return TARGET_FOUND;
}

TargetResult emu_find_target(Worker *worker, Space space, uint64_t address, uint32_t size,
                             const DeviceRegion **cache, Target *target) {
  bool is_generic = space == SPACE_GENERIC;
  if (space == SPACE_SHARED)
    return find_shared(worker, 0, address, size, target);
  if (is_generic && is_in_window(address, MEMORY_SHARED_WINDOW))
    return find_shared(worker, MEMORY_SHARED_WINDOW, address, size, target);
  if (space == SPACE_LOCAL)
    return find_local(worker, 0, address, size, target);
  if (is_generic && is_in_window(address, MEMORY_LOCAL_WINDOW))
    return find_local(worker, MEMORY_LOCAL_WINDOW, address, size, target);
  return find_global(worker, address, size, cache, target);
}

void emu_find_addresses(const Worker *worker, Value base, int64_t offset, Space space,
                        uint64_t addresses[LANES]) {
  const VectorHelpers *vector = worker->emu->vector;
  bool is_narrow = space == SPACE_SHARED || space == SPACE_LOCAL;
  uint64_t mask = is_narrow ? 0xffffffffu : UINT64_MAX;
  if (base.class == CLASS_64)
    vector->add_offset64(addresses, emu_ref(worker, base.ref), (uint64_t)offset, mask);
  else if (base.class == CLASS_32)
    vector->add_offset32(addresses, emu_ref(worker, base.ref), (uint64_t)offset, mask);
  else
    memset(addresses, 0, LANES * sizeof *addresses);
  if (worker->lanes != ALL_LANES)
    vector->fill(addresses, worker->lanes);
}

bool emu_is_shared_access(const Worker *worker, const Instruction *instruction,
                          const uint64_t *addresses) {
  Space space = (Space)instruction->space;
  bool is_strong = instruction->sem != SEM_WEAK;
  if (space == SPACE_LOCAL || space == SPACE_CONST)
    return false;
  if (space == SPACE_GLOBAL)
    return is_strong;
  bool has_peers = worker->block->seen.cluster_size > 1;
  if (space == SPACE_SHARED && !has_peers)
    return false;
  if (!is_strong && !has_peers)
    return false;
  LANES_EACH(lane, worker->lanes) {
    bool is_shared = space == SPACE_SHARED || is_in_window(addresses[lane], MEMORY_SHARED_WINDOW);
    if (is_shared ? has_peers && addresses[lane] >> MEMORY_RANK_SHIFT & 0xff : is_strong)
      return true;
  }
  return false;
}

// --- parts of an access

// How the addresses of an access are to be aligned: all of a vector's elements as the vector is.
typedef struct Alignment {
  uint32_t align, element;
} Alignment;

static Alignment alignment_of(const Instruction *instruction, uint32_t size) {
  if (instruction->align && size == instruction->size)
    return (Alignment){instruction->align, (uint8_t)instruction->element_offset};
  return (Alignment){size, 0};
}

static uint32_t misaligned_lanes(Alignment alignment, const uint64_t *addresses, uint32_t lanes) {
  uint32_t bad = 0;
  LANES_EACH(lane, lanes)
  bad |= (uint32_t)((addresses[lane] - alignment.element) % alignment.align != 0) << lane;
  return bad;
}

static void stop_lanes(Worker *worker, const Op *op, RuleNumber rule, uint32_t lanes, Space space,
                       uint32_t size, const uint64_t *addresses) {
  emu_fault_at(worker, op, rule, lanes, addresses[__builtin_ctz(lanes)], size, space);
  emu_exit_lanes(worker, lanes);
}

// Lanes whose access lies in the target, one by one.
static uint32_t lanes_inside(const uint64_t *addresses, uint32_t lanes, const Target *target,
                             uint32_t size) {
  uint32_t inside = 0;
  LANES_EACH(lane, lanes)
  inside |= (uint32_t)(addresses[lane] - target->low <= target->size - size) << lane;
  return inside;
}

// The target of the first lane, and the lanes that share it.
static TargetResult find_part(Worker *worker, const Op *op, Space space, uint32_t size,
                              const uint64_t *addresses, uint32_t lanes, Part *part,
                              uint64_t *bits) {
  uint32_t first = (uint32_t)__builtin_ctz(lanes);
  TargetResult result = emu_find_target(worker, space, addresses[first], size,
                                        &worker->caches[op->cache], &part->target);
  if (result != TARGET_FOUND)
    return result;
  *bits = UINT64_MAX;
  part->shape = EMU_SHAPE_ANY;
  part->is_filled = false;
  if (lanes == worker->lanes) {
    AddressSurvey survey = worker->emu->vector->survey(addresses, lanes, part->target.low,
                                                       part->target.size - size, size);
    if (survey.is_inside) {
      *bits = survey.bits;
      part->shape = survey.shape;
      part->lanes = lanes;
      part->is_filled = true;
      return TARGET_FOUND;
    }
  }
  part->lanes = lanes_inside(addresses, lanes, &part->target, size);
  return TARGET_FOUND;
}

bool emu_next_part_of(Worker *worker, const Op *op, Space space, uint32_t size,
                      const uint64_t *addresses, uint32_t *todo, Part *part) {
  Alignment alignment = alignment_of(op->instruction, size);
  while (*todo) {
    uint64_t bits;
    TargetResult result = find_part(worker, op, space, size, addresses, *todo, part, &bits);
    if (result != TARGET_FOUND) {
      uint32_t bad = 1u << __builtin_ctz(*todo);
      *todo &= ~bad;
      stop_lanes(worker, op, result == TARGET_GONE ? RULE_USE_AFTER_EXIT : RULE_OUT_OF_BOUNDS, bad,
                 space, size, addresses);
      continue;
    }
    *todo &= ~part->lanes;
    bool is_aligned = alignment.element == 0 && (bits & (alignment.align - 1)) == 0;
    uint32_t bad = is_aligned ? 0 : misaligned_lanes(alignment, addresses, part->lanes);
    if (bad) {
      part->shape = EMU_SHAPE_ANY;
      stop_lanes(worker, op, RULE_MISALIGNED, bad, space, size, addresses);
    }
    part->lanes &= ~bad;
    if (part->lanes)
      return true;
  }
  return false;
}

bool emu_next_part(Worker *worker, const Op *op, const uint64_t *addresses, uint32_t *todo,
                   Part *part) {
  return emu_next_part_of(worker, op, (Space)op->instruction->space, op->instruction->size,
                          addresses, todo, part);
}
