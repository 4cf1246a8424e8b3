#include "emu/block.h"

#include "emu/memory.h"
#include "emu/undefined.h"

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
  block->mbarriers =
      take(layout, code->has_mbarriers ? EMU_MOST_MBARRIERS * sizeof *block->mbarriers : 1);
  for (uint32_t i = 0; i < warps; i++) {
    Warp ignored_warp, *warp = layout->memory ? &block->warps[i] : &ignored_warp;
    warp->registers = take(layout, code->bytes[BASE_WARP] + 1);
    warp->undefined = take(layout, code->bytes[BASE_WARP] / REGISTER_GRAIN * sizeof(Undefined) + 1);
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

// --- blocks

static Block *find_frame(Emu *emu, GridState *grid) {
  Block *block = grid->free_blocks;
  if (!block) {
    Layout layout = {.memory = emu_map(emu, grid->block_bytes)};
    lay_out(&layout, grid, &block);
    return block;
  }
  grid->free_blocks = block->next_free;
  Warp *warps = block->warps;
  Block kept = {.warps = warps,
                .barriers = block->barriers,
                .constants = block->constants,
                .shared = block->shared,
                .defined = block->defined,
                .local = block->local,
                .local_defined = block->local_defined,
                .mbarriers = block->mbarriers};
  *block = kept;
  uint64_t shared = grid_shared_bytes(grid->grid);
  memset(block->shared, 0, shared);
  memset(block->defined, 0, shared / 8 + 1);
  memset(block->local, 0, local_bytes(grid));
  memset(block->local_defined, 0, local_bytes(grid) / 8);
  return block;
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

static void join_cluster(Emu *emu, Block *block) {
  const Grid *grid = block->grid->grid;
  uint32_t size = grid_volume(grid->cluster), rank = grid_cluster_rank(grid, block->block_id);
  uint32_t first = grid->first_block + grid_cluster_block(grid, block->block_id, 0);
  block->seen.cluster = first;
  block->seen.cluster_rank = rank;
  block->seen.cluster_size = size;
  if (rank == 0) {
    Cluster *cluster = emu->free_clusters;
    if (cluster)
      emu->free_clusters = cluster->next_free;
    else
      cluster = ARENA_NEW(emu->arena, Cluster);
    if (cluster->capacity < size) {
      cluster->blocks = ARENA_ARRAY(emu->arena, Block *, size);
      cluster->capacity = size;
    }
    Block **blocks = cluster->blocks;
    *cluster = (Cluster){.blocks = blocks,
                         .capacity = cluster->capacity,
                         .count = size,
                         .thread_count = size * grid_volume(grid->block)};
    memset(blocks, 0, size * sizeof *blocks);
    emu->newest_cluster = cluster;
  }
  block->cluster = emu->newest_cluster;
  block->cluster->blocks[rank] = block;
  block->cluster->running++;
}

Block *emu_start_block(Emu *emu, GridState *grid, uint32_t number_in_grid) {
  Block *block = find_frame(emu, grid);
  ThreadPlace place = {.block_in_grid = number_in_grid};
  grid_split(number_in_grid, grid->grid->size, place.block_id);
  memcpy(block->block_id, place.block_id, sizeof block->block_id);
  block->emu = emu;
  block->grid = grid;
  block->alive = grid_volume(grid->grid->block);
  block->has_launched = false;
  block->random =
      emu->options->seed * 0x9e3779b97f4a7c15u + number_in_grid * 0x2545f491u + grid->number;
  block->seen = (EmuBlock){.grid = grid->number,
                           .number = grid->grid->first_block + number_in_grid,
                           .number_in_grid = number_in_grid,
                           .gpu = grid->grid->gpu,
                           .is_host = grid->grid->is_host,
                           .thread_count = block->alive,
                           .warp_count = warp_count(grid->grid),
                           .shared_bytes = (uint32_t)grid_shared_bytes(grid->grid)};
  join_cluster(emu, block);
  set_presets(grid, BASE_BLOCK, block->constants, place);
  for (uint32_t i = 0; i < block->seen.warp_count; i++)
    start_warp(grid, &block->warps[i], i, &place);
  for (uint32_t i = 0; i < BARRIERS; i++) {
    memset(block->barriers[i].lanes, 0, sizeof block->barriers[i].lanes);
    block->barriers[i].arrived = block->barriers[i].arrival_count = 0;
  }
  block->ready = block->seen.warp_count >= 32 ? UINT32_MAX : (1u << block->seen.warp_count) - 1;
  grid->started++;
  grid->running++;
  return block;
}

void emu_finish_block(Emu *emu, Block *block) {
  GridState *grid = block->grid;
  Cluster *cluster = block->cluster;
  cluster->blocks[block->seen.cluster_rank] = NULL;
  if (--cluster->running == 0) {
    cluster->next_free = emu->free_clusters;
    emu->free_clusters = cluster;
  }
  grid->finished++;
  grid->running--;
  block->next_free = grid->free_blocks;
  grid->free_blocks = block;
}
