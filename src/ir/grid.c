#include "ir/grid.h"

#include <stdlib.h>
#include <string.h>

void grid_split(uint32_t index, const uint32_t size[3], uint32_t id[3]) {
  id[0] = index % size[0];
  id[1] = index / size[0] % size[1];
  id[2] = index / size[0] / size[1];
}

uint32_t grid_volume(const uint32_t size[3]) {
  return size[0] * size[1] * size[2];
}

bool grids_are_ordered(const Program *program, uint32_t a, uint32_t b) {
  const Grid *grid = &program->grids[b];
  bool follows = grid->after != UINT32_MAX && !grid->is_dependent;
  if (follows && (grid->after == a || grids_are_ordered(program, a, grid->after)))
    return true;
  for (uint32_t i = 0; i < grid->wait_count; i++)
    if (grid->waits[i] == a || grids_are_ordered(program, a, grid->waits[i]))
      return true;
  return false;
}

bool grid_is_kept_away(const Program *program, uint32_t grid, MemoryHome home) {
  for (uint32_t i = 0; program->machine && i < program->grid_count; i++)
    if (!program->grids[i].is_host &&
        !machine_lets_host_touch(program->machine, home, program->grids[i].gpu) &&
        !grids_are_ordered(program, grid, i) && !grids_are_ordered(program, i, grid))
      return true;
  return false;
}

uint32_t grid_cluster_rank(const Grid *grid, const uint32_t block_id[3]) {
  const uint32_t *size = grid->cluster;
  uint32_t x = block_id[0] % size[0], y = block_id[1] % size[1], z = block_id[2] % size[2];
  return x + size[0] * (y + size[1] * z);
}

uint32_t grid_cluster_block(const Grid *grid, const uint32_t block_id[3], uint32_t rank) {
  uint32_t in_cluster[3], id[3];
  grid_split(rank, grid->cluster, in_cluster);
  for (uint32_t i = 0; i < 3; i++)
    id[i] = block_id[i] / grid->cluster[i] * grid->cluster[i] + in_cluster[i];
  return id[0] + grid->size[0] * (id[1] + grid->size[1] * id[2]);
}

uint32_t grid_lane_mask(SpecialRegister special, uint32_t lane) {
  uint32_t lower = (1u << lane) - 1, self = 1u << lane;
  switch (special) {
  case SPECIAL_LANEMASK_EQ:
    return self;
  case SPECIAL_LANEMASK_LE:
    return lower | self;
  case SPECIAL_LANEMASK_LT:
    return lower;
  case SPECIAL_LANEMASK_GE:
    return ~lower;
  default:
    return ~(lower | self);
  }
}

// The driver tells a cooperative grid the address of its workspace, by which cooperative groups
// synchronise it (cooperative_groups/details/driver_abi.h).
static uint64_t environment_register(const Grid *grid, uint32_t number) {
  return number == 1 ? grid->workspace >> 32 : number == 2 ? grid->workspace & 0xffffffff : 0;
}

static uint64_t special_value(const Grid *grid, uint32_t number, const Slot *slot,
                              const ThreadPlace *place) {
  uint32_t lane = place->thread_in_block % GRID_WARP_SIZE;
  uint32_t i = slot->component < 3 ? slot->component : 0;
  bool is_w = slot->component == 3;
  switch (slot->special) {
  case SPECIAL_ZERO:
    return 0;
  case SPECIAL_TID:
    return is_w ? 0 : place->thread_id[i];
  case SPECIAL_NTID:
    return is_w ? 1 : grid->block[i];
  case SPECIAL_CTAID:
    return is_w ? 0 : place->block_id[i];
  case SPECIAL_NCTAID:
    return is_w ? 1 : grid->size[i];
  case SPECIAL_LANEID:
    return lane;
  case SPECIAL_WARPID:
    return place->thread_in_block / GRID_WARP_SIZE;
  case SPECIAL_NWARPID:
    return (grid_volume(grid->block) + GRID_WARP_SIZE - 1) / GRID_WARP_SIZE;
  case SPECIAL_GRIDID:
    return number;
  case SPECIAL_IS_EXPLICIT_CLUSTER:
    return grid->has_cluster;
  case SPECIAL_CLUSTERID:
    return is_w ? 0 : place->block_id[i] / grid->cluster[i];
  case SPECIAL_NCLUSTERID:
    return is_w ? 1 : grid->size[i] / grid->cluster[i];
  case SPECIAL_CLUSTER_CTAID:
    return is_w ? 0 : place->block_id[i] % grid->cluster[i];
  case SPECIAL_CLUSTER_NCTAID:
    return is_w ? 1 : grid->cluster[i];
  case SPECIAL_CLUSTER_CTARANK:
    return grid_cluster_rank(grid, place->block_id);
  case SPECIAL_CLUSTER_NCTARANK:
    return grid_volume(grid->cluster);
  case SPECIAL_DYNAMIC_SMEM_SIZE:
    return grid->shared_bytes;
  case SPECIAL_SMID:
    return place->block_in_grid;
  case SPECIAL_NSMID:
    return grid_volume(grid->size);
  case SPECIAL_LANEMASK_EQ:
  case SPECIAL_LANEMASK_LE:
  case SPECIAL_LANEMASK_LT:
  case SPECIAL_LANEMASK_GE:
  case SPECIAL_LANEMASK_GT:
    return grid_lane_mask(slot->special, lane);
  case SPECIAL_ENVREG:
    return environment_register(grid, slot->component);
  }
  return 0;
}

static uint64_t parameter_value(const Grid *grid, const Slot *slot) {
  const Parameter *parameter = &grid->parameters[slot->parameter];
  uint64_t value = 0;
  for (uint32_t i = 0; i < slot->size && slot->offset + i < parameter->byte_count; i++)
    value |= (uint64_t)parameter->bytes[slot->offset + i] << 8 * i;
  if (slot->is_signed && slot->size < 8 && (value >> (8 * slot->size - 1) & 1))
    value |= ~0ull << 8 * slot->size;
  return value;
}

static uint64_t heap_start(const Grid *grid, const ThreadPlace *place) {
  uint64_t thread = place->thread_in_block;
  thread += (uint64_t)place->block_in_grid * grid_volume(grid->block);
  return grid->heap + thread * grid->heap_bytes;
}

uint64_t grid_slot_value(const Grid *grid, uint32_t number, const Slot *slot,
                         const ThreadPlace *place) {
  switch (slot->kind) {
  case SLOT_SPECIAL:
    return special_value(grid, number, slot, place);
  case SLOT_PARAMETER:
    return parameter_value(grid, slot);
  case SLOT_PARAMETER_ADDRESS:
    return grid->parameter_addresses[slot->parameter];
  case SLOT_HEAP:
    return heap_start(grid, place);
  case SLOT_HEAP_END:
    return heap_start(grid, place) + grid->heap_bytes;
  case SLOT_REGISTER:
    break;
  }
  return 0;
}

const char *grid_shared_name(const KernelCode *code, uint64_t offset, Arena *arena) {
  const SharedVariable *found = NULL;
  for (uint32_t i = 0; i < code->shared_variable_count; i++) {
    const SharedVariable *variable = &code->shared_variables[i];
    bool is_inside = offset >= variable->offset &&
                     (!variable->size || offset - variable->offset < variable->size);
    if (is_inside && !found)
      found = variable;
  }
  return arena_format(arena, "shared %s, byte %llu", found ? found->name : "memory",
                      (unsigned long long)(offset - (found ? found->offset : 0)));
}

uint64_t grid_shared_bytes(const Grid *grid) {
  return (uint64_t)grid->code->shared_bytes + grid->shared_bytes;
}

const char *grid_thread_name(const Program *program, uint32_t grid, uint32_t block_in_grid,
                             uint32_t thread_in_block, Arena *arena) {
  const Grid *launched = &program->grids[grid];
  if (launched->is_host)
    return "the host";
  const char *launch = program->grid_count > 1
                           ? arena_format(arena, "%s of launch %u, ", launched->kernel, grid + 1)
                           : "";
  return arena_format(arena, "%sblock %u thread %u", launch, block_in_grid, thread_in_block);
}

// --- a Thread of each

typedef struct Expansion {
  Program *program;
  Arena *arena;
  ARRAY(Region) regions;
  uint32_t next_thread, next_warp;
} Expansion;

static Register *initial_registers(const Expansion *expansion, const Grid *grid, uint32_t number,
                                   const ThreadPlace *place) {
  const KernelCode *code = grid->code;
  Register *registers = ARENA_ARRAY(expansion->arena, Register, code->slot_count + 1);
  for (uint32_t i = 0; i < code->slot_count; i++) {
    const Slot *slot = &code->slots[i];
    registers[i] = (Register){slot->name, (int64_t)grid_slot_value(grid, number, slot, place)};
  }
  return registers;
}

static void make_thread(const Expansion *expansion, uint32_t number, const ThreadPlace *place,
                        uint32_t block) {
  const Grid *grid = &expansion->program->grids[number];
  Thread *thread = &expansion->program->threads[expansion->next_thread];
  uint32_t rank = grid_cluster_rank(grid, place->block_id);
  thread->name = grid_thread_name(expansion->program, number, place->block_in_grid,
                                  place->thread_in_block, expansion->arena);
  thread->place.gpu = grid->is_host ? UINT32_MAX : grid->gpu;
  thread->place.domain = grid->domain;
  thread->place.cta = block;
  thread->place.cluster = block - rank;
  thread->place.is_host = grid->is_host;
  thread->instructions = grid->code->instructions;
  thread->instruction_count = grid->code->instruction_count;
  thread->registers = initial_registers(expansion, grid, number, place);
  thread->register_count = grid->code->slot_count;
  thread->grid = number;
  thread->block = block;
  thread->lane = place->thread_in_block % GRID_WARP_SIZE;
  thread->warp = expansion->next_warp + place->thread_in_block / GRID_WARP_SIZE;
  thread->cluster_rank = rank;
}

static void add_region(Expansion *expansion, Region region) {
  region.is_undefined = true;
  if (region.size)
    array_push(expansion->arena, &expansion->regions, region);
}

// Of shared memory only what the system has is known at the start.
static void add_shared_region(Expansion *expansion, const Grid *grid, uint32_t block) {
  Region region = {.name = "shared memory",
                   .address = MEMORY_SHARED_PHYSICAL + ((uint64_t)block << 32) + GRID_SHARED_START,
                   .size = grid_shared_bytes(grid) - GRID_SHARED_START,
                   .block = block,
                   .code = grid->code,
                   .is_undefined = !grid->code->reserved_bytes};
  if (grid->code->reserved_bytes) {
    uint8_t *is_defined = ARENA_ARRAY(expansion->arena, uint8_t, region.size);
    memset(is_defined, true, grid->code->reserved_bytes);
    region.is_defined = is_defined;
  }
  if (region.size)
    array_push(expansion->arena, &expansion->regions, region);
}

static void make_block(Expansion *expansion, uint32_t number, ThreadPlace *place, uint32_t block) {
  const Grid *grid = &expansion->program->grids[number];
  ThreadGroup *group = &expansion->program->blocks[block];
  group->count = grid_volume(grid->block);
  group->threads = ARENA_ARRAY(expansion->arena, uint32_t, group->count);
  add_shared_region(expansion, grid, block);
  grid_split(place->block_in_grid, grid->size, place->block_id);
  for (uint32_t i = 0; i < group->count; i++) {
    place->thread_in_block = i;
    grid_split(i, grid->block, place->thread_id);
    group->threads[i] = expansion->next_thread;
    make_thread(expansion, number, place, block);
    add_region(expansion,
               (Region){.name = "local memory",
                        .address = MEMORY_LOCAL_PHYSICAL +
                                   ((uint64_t)expansion->next_thread << 32) + GRID_LOCAL_START,
                        .size = grid->code->local_bytes - GRID_LOCAL_START,
                        .block = UINT32_MAX});
    expansion->next_thread++;
  }
  expansion->next_warp += (group->count + GRID_WARP_SIZE - 1) / GRID_WARP_SIZE;
}

static int compare_regions(const void *a, const void *b) {
  const Region *first = a, *second = b;
  return first->address < second->address ? -1 : first->address > second->address;
}

void grid_expand(Program *program, Arena *arena) {
  Expansion expansion = {.program = program, .arena = arena};
  Memory *memory = program->memory;
  for (uint32_t i = 0; i < memory->region_count; i++)
    array_push(arena, &expansion.regions, memory->regions[i]);
  program->threads = ARENA_ARRAY(arena, Thread, program->thread_count);
  program->blocks = ARENA_ARRAY(arena, ThreadGroup, program->block_count);
  for (uint32_t i = 0; i < program->grid_count; i++) {
    const Grid *grid = &program->grids[i];
    ThreadPlace place = {0};
    for (uint32_t block = 0; block < grid->block_count; block++) {
      place.block_in_grid = block;
      make_block(&expansion, i, &place, grid->first_block + block);
    }
  }
  qsort(expansion.regions.items, expansion.regions.count, sizeof *expansion.regions.items,
        compare_regions);
  memory->regions = expansion.regions.items;
  memory->region_count = expansion.regions.count;
}
