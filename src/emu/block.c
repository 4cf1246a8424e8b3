#include "emu/block.h"

#include "emu/memory.h"
#include "emu/order.h"
#include "emu/undefined.h"
#include "emu/warp.h"

// --- sizes

enum { FRAME_ALIGN = 64 };

// Hands out parts of a block's memory; without memory it only adds up.
typedef struct Layout {
  uint8_t *memory;
  size_t used;
} Layout;

static void *take(Layout *layout, size_t size) {
  void *part = layout->memory ? layout->memory + layout->used : NULL;
  layout->used += (size + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
  return part;
}

static uint32_t warp_count(const Grid *grid) {
  return (grid_volume(grid->block) + LANES - 1) / LANES;
}

// Of all threads of a block.
static size_t local_bytes(const GridState *grid) {
  return (size_t)emu_local_stride(grid) * warp_count(grid->grid) * LANES;
}

// Where everything of a block lies.
static void lay_out(Layout *layout, const GridState *grid, Block **made) {
  const EmuCode *code = grid->code;
  uint32_t warps = warp_count(grid->grid);
  uint64_t shared = grid_shared_bytes(grid->grid);
  Block *block = take(layout, sizeof *block), ignored;
  block = block ? block : &ignored;
  *made = block;
  block->warps = take(layout, warps * sizeof *block->warps);
  block->barriers = take(layout, BARRIERS * sizeof *block->barriers);
  block->constants = take(layout, code->bytes[BASE_BLOCK] + 1);
  block->shared = take(layout, shared);
  block->defined = take(layout, shared / 8 + 1);
  block->local = take(layout, local_bytes(grid));
  block->local_defined = take(layout, local_bytes(grid) / 8);
  block->local_bits = take(layout, local_bytes(grid));
  block->mbarriers =
      take(layout, code->has_mbarriers ? EMU_MOST_MBARRIERS * sizeof *block->mbarriers : 1);
  for (uint32_t i = 0; i < warps; i++) {
    Warp ignored_warp, *warp = layout->memory ? &block->warps[i] : &ignored_warp;
    warp->registers = take(layout, code->bytes[BASE_WARP] + 1);
    warp->undefined = take(layout, code->bytes[BASE_WARP] / REGISTER_GRAIN * sizeof(Undefined) + 1);
    warp->undefined_bits = take(layout, code->bytes[BASE_WARP] + 1);
    warp->cluster_phase = take(layout, LANES * sizeof *warp->cluster_phase);
    warp->copy_groups = take(layout, code->has_copies ? LANES * sizeof(uint32_t) : 1);
    warp->bulk_groups = take(layout, code->has_copies ? LANES * sizeof(uint32_t) : 1);
  }
}

// --- values that are there before code runs

static void set_preset(uint8_t *memory, const Preset *preset, uint32_t lane, uint64_t number) {
  void *at = memory + (preset->value.ref >> 2);
  switch ((RegisterClass)preset->value.class) {
  case CLASS_PREDICATE:
    *(uint32_t *)at = (*(uint32_t *)at & ~(1u << lane)) | (uint32_t)(number & 1) << lane;
    break;
  case CLASS_32:
    ((uint32_t *)at)[lane] = (uint32_t)number;
    break;
  case CLASS_64:
    ((uint64_t *)at)[lane] = number;
    break;
  }
}

static uint64_t preset_value(const GridState *grid, const Preset *preset,
                             const ThreadPlace *place) {
  return preset->slot ? grid_slot_value(grid->grid, grid->number, preset->slot, place)
                      : preset->constant;
}

// All lanes of values that belong to a grid or a block.
static void set_presets(const GridState *grid, RegisterBase base, uint8_t *memory,
                        ThreadPlace place) {
  for (uint32_t i = 0; i < grid->code->presets[base].count; i++) {
    const Preset *preset = &grid->code->presets[base].items[i];
    for (uint32_t lane = 0; lane < LANES; lane++) {
      place.thread_in_block = lane;
      set_preset(memory, preset, lane, preset_value(grid, preset, &place));
    }
  }
}

static const uint32_t class_bytes[] = {
    [CLASS_PREDICATE] = 4, [CLASS_32] = 4 * LANES, [CLASS_64] = 8 * LANES};

// What registers of each warp hold at first depends on its number only: computed once for a grid.
static uint8_t *warp_template(const GridState *grid, uint32_t warp, uint32_t preset) {
  uint32_t count = grid->code->presets[BASE_WARP].count;
  return grid->templates + ((size_t)warp * count + preset) * (8 * LANES);
}

static void make_templates(Emu *emu, GridState *grid) {
  uint32_t count = grid->code->presets[BASE_WARP].count, warps = warp_count(grid->grid);
  grid->templates = emu_map(emu, (size_t)warps * count * 8 * LANES);
  for (uint32_t thread = 0; thread < warps * LANES; thread++) {
    ThreadPlace place = {.thread_in_block = thread};
    grid_split(thread, grid->grid->block, place.thread_id);
    for (uint32_t i = 0; i < count; i++) {
      Preset preset = grid->code->presets[BASE_WARP].items[i];
      preset.value.ref = 0;
      set_preset(warp_template(grid, thread / LANES, i), &preset, thread % LANES,
                 preset_value(grid, &preset, &place));
    }
  }
}

// A thread's part of the heap is its own in the whole grid.
static void set_heap(const GridState *grid, const Warp *warp, const Preset *preset,
                     ThreadPlace place) {
  for (uint32_t lane = 0; lane < LANES; lane++) {
    place.thread_in_block = warp->number * LANES + lane;
    set_preset(warp->registers, preset, lane, preset_value(grid, preset, &place));
  }
}

static void set_warp_presets(const GridState *grid, const Warp *warp, const ThreadPlace *place) {
  for (uint32_t i = 0; i < grid->code->presets[BASE_WARP].count; i++) {
    const Preset *preset = &grid->code->presets[BASE_WARP].items[i];
    Value value = preset->value;
    if (preset->slot && preset->slot->kind != SLOT_SPECIAL) {
      set_heap(grid, warp, preset, *place);
      continue;
    }
    memcpy(warp->registers + (value.ref >> 2), warp_template(grid, warp->number, i),
           class_bytes[value.class]);
  }
}

// --- grids

void emu_prepare_grid(Emu *emu, uint32_t number) {
  GridState *state = &emu->grids[number];
  const Grid *grid = &emu->program->grids[number];
  *state = (GridState){.grid = grid, .number = number};
  for (uint32_t i = 0; i < number && !state->code; i++)
    if (emu->grids[i].grid->code == grid->code)
      state->code = emu->grids[i].code;
  if (!state->code)
    state->code = emu_decode(grid->code, emu->arena);
  state->constants = emu_map(emu, state->code->bytes[BASE_GRID] + 1);
  set_presets(state, BASE_GRID, state->constants, (ThreadPlace){0});
  make_templates(emu, state);
  Layout layout = {0};
  Block *ignored;
  lay_out(&layout, state, &ignored);
  state->block_bytes = layout.used;
}

// --- places for blocks

static Block *find_frame(Emu *emu, GridState *grid) {
  Block *block = grid->free_blocks;
  if (block) {
    grid->free_blocks = block->next_free;
    return block;
  }
  Layout layout = {.memory = emu_map(emu, grid->block_bytes)};
  lay_out(&layout, grid, &block);
  block->emu = emu;
  block->grid = grid;
  return block;
}

// Which block is here now.
static void name(Block *block, uint32_t number_in_grid) {
  const GridState *state = block->grid;
  const Grid *grid = state->grid;
  grid_split(number_in_grid, grid->size, block->block_id);
  block->seen =
      (EmuBlock){.grid = state->number,
                 .number = grid->first_block + number_in_grid,
                 .number_in_grid = number_in_grid,
                 .cluster = grid->first_block + grid_cluster_block(grid, block->block_id, 0),
                 .cluster_rank = grid_cluster_rank(grid, block->block_id),
                 .cluster_size = grid_volume(grid->cluster),
                 .gpu = grid->gpu,
                 .is_host = grid->is_host,
                 .thread_count = grid_volume(grid->block),
                 .warp_count = warp_count(grid),
                 .shared_bytes = (uint32_t)grid_shared_bytes(grid)};
  block->alive = block->seen.thread_count;
  block->ready = block->seen.warp_count >= 32 ? UINT32_MAX : (1u << block->seen.warp_count) - 1;
  block->random = block->emu->options->seed * 0x9e3779b97f4a7c15u + number_in_grid * 0x2545f491u +
                  state->number;
}

static Cluster *find_cluster(Emu *emu, uint32_t size) {
  Cluster *cluster = emu->free_clusters;
  if (cluster)
    emu->free_clusters = cluster->next_free;
  else
    cluster = ARENA_NEW(emu->arena, Cluster);
  if (cluster->capacity < size) {
    cluster->blocks = ARENA_ARRAY(emu->arena, Block *, size);
    cluster->capacity = size;
  }
  return cluster;
}

static void begin_cluster(Cluster *cluster, const Grid *grid) {
  Block **blocks = cluster->blocks;
  uint32_t size = grid_volume(grid->cluster);
  *cluster = (Cluster){.blocks = blocks,
                       .capacity = cluster->capacity,
                       .count = size,
                       .thread_count = size * grid_volume(grid->block)};
  memset(blocks, 0, size * sizeof *blocks);
}

static void join_cluster(Block *block) {
  block->cluster->blocks[block->seen.cluster_rank] = block;
  block->cluster->running++;
}

Block *emu_place_block(Emu *emu, GridState *grid, uint32_t number_in_grid) {
  Block *block = find_frame(emu, grid);
  name(block, number_in_grid);
  if (block->seen.cluster_rank == 0) {
    emu->newest_cluster = find_cluster(emu, block->seen.cluster_size);
    begin_cluster(emu->newest_cluster, grid->grid);
  }
  block->cluster = emu->newest_cluster;
  join_cluster(block);
  grid->running++;
  return block;
}

void emu_free_block(Emu *emu, Block *block) {
  GridState *grid = block->grid;
  Cluster *cluster = block->cluster;
  cluster->blocks[block->seen.cluster_rank] = NULL;
  if (--cluster->running == 0) {
    cluster->next_free = emu->free_clusters;
    emu->free_clusters = cluster;
  }
  grid->running--;
  block->next_free = grid->free_blocks;
  grid->free_blocks = block;
}

// --- blocks begin and end

// What the block before has left behind.
static void clear_frame(Block *block) {
  uint64_t shared = block->seen.shared_bytes, local = local_bytes(block->grid);
  memset(block->shared, 0, shared);
  memset(block->defined, 0, shared / 8 + 1);
  memset(block->local, 0, local);
  memset(block->local_defined, 0, local / 8);
  if (block->has_local_bits)
    memset(block->local_bits, 0, local);
  block->has_local_bits = false;
  LANES_EACH(id, block->active_barriers) {
    memset(block->barriers[id].lanes, 0, sizeof block->barriers[id].lanes);
    block->barriers[id].arrived = block->barriers[id].arrival_count = 0;
  }
}

static void start_warp(const GridState *grid, Warp *warp, uint32_t number,
                       const ThreadPlace *place) {
  uint32_t threads = grid_volume(grid->grid->block), left = threads - number * LANES;
  warp->number = number;
  warp->exists = warp->alive = left >= LANES ? ALL_LANES : (1u << left) - 1;
  warp->turn = 0;
  warp->products = 0;
  warp->group_count = 1;
  warp->groups[0] = (Group){.lanes = warp->alive};
  memset(warp->cluster_phase, 0, LANES * sizeof *warp->cluster_phase);
  if (grid->code->has_copies) {
    memset(warp->copy_groups, 0, LANES * sizeof *warp->copy_groups);
    memset(warp->bulk_groups, 0, LANES * sizeof *warp->bulk_groups);
  }
  set_warp_presets(grid, warp, place);
  emu_begin_undefined(grid->code, warp);
}

void emu_begin_block(Worker *worker, Block *block) {
  ThreadPlace place = {.block_in_grid = block->seen.number_in_grid};
  memcpy(place.block_id, block->block_id, sizeof place.block_id);
  if (block->is_used)
    clear_frame(block);
  memset(block->defined + GRID_SHARED_START / 8, UINT8_MAX,
         block->grid->grid->code->reserved_bytes / 8);
  block->has_begun = block->is_used = true;
  block->is_defined = block->has_launched = false;
  block->serial = block->next_warp = block->delayed = block->rounds_off = block->held = 0;
  block->exited = block->active_barriers = block->mbarrier_count = block->looks = 0;
  block->priority_seed = block->bulk_count = block->clock_skew = 0;
  block->total_instructions = 0 - block->instructions;
  block->unsupported = NULL;
  set_presets(block->grid, BASE_BLOCK, block->constants, place);
  for (uint32_t i = 0; i < block->seen.warp_count; i++)
    start_warp(block->grid, &block->warps[i], i, &place);
  EMU_WATCH(worker, block_begin, &block->seen);
}

void emu_end_block(Worker *worker, Block *block) {
  EMU_WATCH(worker, block_end, &block->seen);
  block->has_begun = false;
  block->ended++;
}

void emu_begin_next(Worker *worker, Block *block) {
  begin_cluster(block->cluster, block->grid->grid);
  name(block, emu_block_at(block->grid, block->next.first, 0));
  block->next.first++;
  block->next.count--;
  join_cluster(block);
  emu_begin_block(worker, block);
}
