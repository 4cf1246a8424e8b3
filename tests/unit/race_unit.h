// Sequences of accesses and synchronisation made by hand, shown to the race detector as the
// emulator would.
#ifndef WARPSAN_TESTS_UNIT_RACE_UNIT_H
#define WARPSAN_TESTS_UNIT_RACE_UNIT_H

#include "unit.h"

#include "base/rules.h"
#include "ir/grid.h"
#include "race/findings.h"

enum { UNIT_PLACES = 128, UNIT_BLOCKS = 16, UNIT_GRIDS = 4 };

// A place is the number of an instruction of the one kernel; its span is [place, place + 1).
typedef struct Unit {
  Arena *arena;
  Program program;
  Memory memory;
  Grid grids[UNIT_GRIDS];
  KernelCode code;
  Instruction instructions[UNIT_PLACES];
  EmuBlock blocks[UNIT_BLOCKS];
  Race *race;
  RaceFindings *findings;
  const EmuWatcher *watcher;
  uint64_t old_value; // what memory is said to hold before a write
} Unit;

// Lanes of a warp of a block.
typedef struct Who {
  Unit *unit;
  uint32_t block, warp, lanes;
} Who;

static inline bool unit_peek(void *context, const EmuBlock *owner, uint64_t address, uint32_t size,
                             uint64_t *value) {
  (void)owner, (void)address, (void)size;
  *value = ((Unit *)context)->old_value;
  return true;
}

// Adds a grid behind the others; blocks of `threads` threads. Not begun yet.
static inline Grid *unit_add_grid(Unit *unit, uint32_t blocks, uint32_t threads) {
  Program *program = &unit->program;
  Grid *grid = &unit->grids[program->grid_count];
  *grid = (Grid){.kernel = "kernel",
                 .code = &unit->code,
                 .size = {blocks, 1, 1},
                 .block = {threads, 1, 1},
                 .cluster = {1, 1, 1},
                 .first_block = program->block_count,
                 .block_count = blocks,
                 .thread_count = blocks * threads,
                 .after = UINT32_MAX};
  program->grids = unit->grids;
  program->grid_count++;
  program->block_count += blocks;
  return grid;
}

static inline void unit_prepare(Unit *unit, Arena *arena) {
  memset(unit, 0, sizeof *unit);
  unit->arena = arena;
  unit->program.is_kernel = true;
  unit->program.memory = &unit->memory;
  for (uint32_t i = 0; i < UNIT_PLACES; i++) {
    unit->instructions[i].span = (Span){.begin = i, .end = i + 1};
    unit->instructions[i].text = "instruction";
  }
  unit->code = (KernelCode){
      .name = "kernel", .instructions = unit->instructions, .instruction_count = UNIT_PLACES};
}

// The detector, for the grids that were added.
static inline void unit_watch(Unit *unit, RaceOptions options) {
  options.peek = unit_peek;
  options.peek_context = unit;
  unit->findings = race_findings_new(unit->arena);
  unit->race = race_begin(&unit->program, &options, unit->findings, unit->arena);
  unit->watcher = race_watcher(unit->race);
}

static inline uint32_t unit_cluster_size(const Grid *grid) {
  return grid->cluster[0] * grid->cluster[1] * grid->cluster[2];
}

static inline void unit_begin_grid(Unit *unit, uint32_t number) {
  const Grid *grid = &unit->grids[number];
  unit->watcher->grid_begin(unit->watcher->context, number);
  uint32_t threads = grid->block[0];
  for (uint32_t i = 0; i < grid->block_count; i++) {
    uint32_t size = unit_cluster_size(grid);
    EmuBlock *block = &unit->blocks[grid->first_block + i];
    *block = (EmuBlock){.grid = number,
                        .number = grid->first_block + i,
                        .number_in_grid = i,
                        .cluster = grid->first_block + i - i % size,
                        .cluster_rank = i % size,
                        .cluster_size = size,
                        .gpu = grid->gpu,
                        .is_host = grid->is_host,
                        .thread_count = threads,
                        .warp_count = (threads + 31) / 32,
                        .shared_bytes = 8192};
    unit->watcher->block_begin(unit->watcher->context, block);
  }
}

static inline EmuWarp unit_warp(Who who, uint32_t place) {
  return (EmuWarp){.block = &who.unit->blocks[who.block],
                   .warp = who.warp,
                   .lanes = who.lanes,
                   .instruction = &who.unit->instructions[place]};
}

static inline Who unit_thread(Unit *unit, uint32_t block, uint32_t thread) {
  return (Who){unit, block, thread / 32, 1u << thread % 32};
}

static inline void unit_end_grid(Unit *unit, uint32_t number) {
  const Grid *grid = &unit->grids[number];
  for (uint32_t i = 0; i < grid->block_count; i++)
    unit->watcher->block_end(unit->watcher->context, &unit->blocks[grid->first_block + i]);
  unit->watcher->grid_end(unit->watcher->context, number);
}

// One grid, begun.
static inline void unit_start(Unit *unit, Arena *arena, uint32_t blocks, uint32_t threads) {
  unit_prepare(unit, arena);
  unit_add_grid(unit, blocks, threads);
  unit_watch(unit, (RaceOptions){0});
  unit_begin_grid(unit, 0);
}

// --- accesses: every lane at the same address, or lane i at address + i * size

typedef struct Access {
  EmuAccessKind kind;
  Sem sem;
  Scope scope;
  Proxy proxy;
  uint32_t size;
  bool is_shared, is_volatile, is_reduction, is_spread, fails;
  uint32_t owner;
  uint64_t value;
  uint32_t group;
} Access;

static inline void unit_access(Who who, uint32_t place, uint64_t address, Access access) {
  uint64_t addresses[32], values[32];
  uint32_t size = access.size ? access.size : 4;
  for (uint32_t i = 0; i < 32; i++) {
    addresses[i] = address + (access.is_spread ? (uint64_t)i * size : 0);
    values[i] = access.value;
  }
  EmuAccess shown = {.kind = access.kind,
                     .shape = access.is_spread ? EMU_SHAPE_CONSECUTIVE : EMU_SHAPE_SAME,
                     .is_shared = access.is_shared,
                     .is_strong = access.sem != SEM_WEAK,
                     .is_volatile = access.is_volatile,
                     .has_result = !access.is_reduction,
                     .sem = access.sem,
                     .scope = access.scope,
                     .proxy = access.proxy,
                     .size = size,
                     .owner = access.is_shared ? &who.unit->blocks[access.owner] : NULL,
                     .addresses = addresses,
                     .values = values,
                     .stored = values,
                     .wrote = access.fails ? 0 : who.lanes,
                     .group = access.group};
  EmuWarp warp = unit_warp(who, place);
  who.unit->watcher->access(who.unit->watcher->context, &warp, &shown);
}

static inline void unit_read(Who who, uint32_t place, uint64_t address) {
  unit_access(who, place, address, (Access){.kind = EMU_READ});
}

static inline void unit_write(Who who, uint32_t place, uint64_t address) {
  unit_access(who, place, address, (Access){.kind = EMU_WRITE, .value = place + 1000});
}

static inline void unit_load(Who who, uint32_t place, uint64_t address, Sem sem, Scope scope) {
  unit_access(who, place, address, (Access){.kind = EMU_READ, .sem = sem, .scope = scope});
}

static inline void unit_store(Who who, uint32_t place, uint64_t address, Sem sem, Scope scope) {
  unit_access(who, place, address, (Access){.kind = EMU_WRITE, .sem = sem, .scope = scope});
}

static inline void unit_atomic(Who who, uint32_t place, uint64_t address, Sem sem, Scope scope) {
  unit_access(who, place, address, (Access){.kind = EMU_ATOMIC, .sem = sem, .scope = scope});
}

// --- synchronisation

static inline void unit_fence(Who who, Sem sem, Scope scope) {
  EmuWarp warp = unit_warp(who, 0);
  who.unit->watcher->fence(who.unit->watcher->context, &warp, sem, scope);
}

static inline void unit_arrive(Who who, uint32_t barrier, bool waits) {
  EmuWarp warp = unit_warp(who, 0);
  EmuArrival arrival = {.barrier = barrier, .waits = waits, .is_ordering = true};
  who.unit->watcher->arrive(who.unit->watcher->context, &warp, &arrival);
}

static inline void unit_complete(Unit *unit, uint32_t block, uint32_t barrier) {
  EmuArrival arrival = {.barrier = barrier};
  unit->watcher->complete(unit->watcher->context, &unit->blocks[block], &arrival);
}

static inline uint32_t unit_lanes(const EmuBlock *block, uint32_t warp) {
  uint32_t left = block->thread_count - 32 * warp;
  return left >= 32 ? UINT32_MAX : (1u << left) - 1;
}

// All threads of the block.
static inline void unit_barrier(Unit *unit, uint32_t block) {
  for (uint32_t w = 0; w < unit->blocks[block].warp_count; w++)
    unit_arrive((Who){unit, block, w, unit_lanes(&unit->blocks[block], w)}, 0, true);
  unit_complete(unit, block, 0);
}

static inline void unit_sync_warp(Who who) {
  EmuWarp warp = unit_warp(who, 0);
  who.unit->watcher->warp_sync(who.unit->watcher->context, &warp);
}

static inline void unit_exit(Who who) {
  EmuWarp warp = unit_warp(who, 0);
  who.unit->watcher->threads_end(who.unit->watcher->context, &warp);
}

// --- what was found

static inline void unit_expect_none(Unit *unit) {
  assert_int_equal(race_finding_count(unit->findings), 0);
  assert_null(race_incomplete(unit->race));
  race_end(unit->race);
}

// Exactly one pair of places, the writing one first, with the sub-rule.
static inline void unit_expect(Unit *unit, RuleNumber sub, uint32_t first, uint32_t second) {
  assert_int_equal(race_finding_count(unit->findings), 1);
  const RaceFinding *found = &unit->findings->items[0];
  assert_int_equal(found->sides[0].instruction - unit->instructions, first);
  assert_int_equal(found->sides[1].instruction - unit->instructions, second);
  if (sub < RULE_COUNT && rule_get(sub).parent == RULE_COUNT) {
    assert_int_equal(found->rule, sub);
  } else {
    assert_int_equal(found->rule, RULE_DATA_RACE);
    assert_string_equal(rule_id(found->sub), rule_id(sub));
  }
  race_end(unit->race);
}

#endif
