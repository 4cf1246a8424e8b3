#include "emu/schedule.h"

#include "emu/block.h"
#include "emu/fault.h"
#include "emu/order.h"
#include "emu/warp.h"

enum {
  FIRST_WINDOW = 32,   // blocks of a grid that run at a time at first
  ROUND_OPS = 1 << 14, // ops of a block in a round
  QUIET_ROUND_OPS = 1 << 10,
  TURN_BRANCHES = 128,  // backward branches of a warp's turn
  TURN_ACCESSES = 4096, // memory accesses of it
  SHORT_TURN = 16,
};

// --- warps of a block

static uint32_t nth_bit(uint32_t bits, uint32_t n) {
  while (n--)
    bits &= bits - 1;
  return (uint32_t)__builtin_ctz(bits);
}

static uint32_t next_bit(uint32_t bits, uint32_t from) {
  uint32_t above = from < 32 ? bits & ~((1u << from) - 1) : 0;
  return (uint32_t)__builtin_ctz(above ? above : bits);
}

// Warps that may have a turn: all ready ones, but for those that are delayed while others are not.
static uint32_t eligible_warps(const Block *block) {
  uint32_t warps = block->ready & ~block->delayed;
  return warps ? warps : block->ready;
}

// Warps have priorities that change now and then: the ready one with the highest runs.
static uint32_t choose_by_priority(Block *block) {
  uint32_t chosen = 0;
  uint64_t best = 0;
  LANES_EACH(warp, eligible_warps(block)) {
    uint64_t state = block->priority_seed + warp;
    uint64_t priority = emu_random(&state) | 1;
    if (priority > best) {
      best = priority;
      chosen = warp;
    }
  }
  return chosen;
}

static uint32_t choose_warp(Block *block, EmuSchedule schedule) {
  uint32_t chosen, warps = eligible_warps(block);
  switch (schedule) {
  case EMU_SCHEDULE_RANDOM:
    return nth_bit(warps,
                   (uint32_t)(emu_random(&block->random) % (uint32_t)__builtin_popcount(warps)));
  case EMU_SCHEDULE_PCT:
    return choose_by_priority(block);
  case EMU_SCHEDULE_ROUND_ROBIN:
    break;
  }
  chosen = next_bit(warps, block->next_warp);
  block->next_warp = chosen + 1;
  return chosen;
}

static void begin_turn(Worker *worker, Block *block, EmuSchedule schedule) {
  worker->budget = TURN_BRANCHES;
  worker->slice = TURN_ACCESSES;
  if (schedule == EMU_SCHEDULE_ROUND_ROBIN)
    return;
  uint64_t random = emu_random(&block->random);
  worker->budget = 1 + (int32_t)(random % TURN_BRANCHES);
  // Every other turn is short, so that warps meet in the middle of what they do.
  bool is_short = random >> 32 & 1;
  worker->slice = 1 + (int32_t)((random >> 33) % (is_short ? SHORT_TURN : TURN_ACCESSES));
}

// A warp that has been going round a loop, or the chance, gives others their turn.
static void end_turn(const Worker *worker, Block *block, EmuSchedule schedule) {
  if (schedule == EMU_SCHEDULE_PCT && (worker->budget <= 0 || worker->slice <= 0))
    block->priority_seed = emu_random(&block->random);
}

// A turn that ends, as it does at synchronisation, may be the last one of a warp or a block for a
// while, in which others go on: so what these do falls into wider gaps of what it does.
static void delay(Block *block, uint32_t warp) {
  enum { ONE_OF_WARPS = 4, ONE_OF_RELEASES = 8, ONE_OF_BLOCKS = 64, MOST_ROUNDS = 16 };
  uint64_t random = emu_random(&block->random);
  if (random % ONE_OF_RELEASES == 0)
    block->delayed = 0;
  else if ((random >> 16) % ONE_OF_WARPS == 0)
    block->delayed |= 1u << warp;
  if ((random >> 32) % ONE_OF_BLOCKS == 0)
    block->rounds_off = 1 + (uint32_t)((random >> 40) % MOST_ROUNDS);
}

static void run_turns(Worker *worker, Block *block, uint64_t end) {
  EmuSchedule schedule = block->emu->options->schedule;
  emu_enter_block(worker, block);
  while (block->ready && worker->executed < end && !block->unsupported) {
    uint32_t warp = choose_warp(block, schedule);
    begin_turn(worker, block, schedule);
    emu_run_warp(worker, &block->warps[warp]);
    end_turn(worker, block, schedule);
    if (block->emu->options->perturb)
      delay(block, warp);
    if (block->rounds_off)
      return;
  }
}

// Others of a cluster may look at a block until the round is over.
static bool has_ended(const Block *block) {
  return !block->alive && block->seen.cluster_size == 1;
}

static bool has_follower(const Block *block) {
  return block->next.count && !block->fault_count && !block->unsupported;
}

void emu_run_block(Worker *worker, Block *block) {
  // While nothing changes, rounds are short, so that it is soon known whether anything ever will.
  bool is_quiet = block->emu->quiet_rounds > 2 || block->emu->is_watching_loops;
  uint64_t begin = worker->executed, end = begin + (is_quiet ? QUIET_ROUND_OPS : ROUND_OPS);
  if (!block->has_begun)
    emu_begin_block(worker, block);
  if (block->rounds_off)
    block->rounds_off--;
  else
    run_turns(worker, block, end);
  while (has_ended(block)) {
    emu_end_block(worker, block);
    if (!has_follower(block) || worker->executed >= end)
      break;
    emu_begin_next(worker, block);
    run_turns(worker, block, end);
  }
  block->round_ops = worker->executed - begin;
}

// --- grids and their blocks

static bool may_begin(const Emu *emu, const GridState *state) {
  uint32_t before = state->grid->after;
  for (uint32_t i = 0; i < state->grid->wait_count; i++)
    if (!emu->grids[state->grid->waits[i]].has_ended)
      return false;
  if (before == UINT32_MAX)
    return true;
  const GridState *other = &emu->grids[before];
  return state->grid->is_dependent ? other->has_begun && other->launched == other->grid->block_count
                                   : other->has_ended;
}

bool emu_start_grids(Emu *emu) {
  bool has_begun = false;
  for (uint32_t i = 0; i < emu->program->grid_count; i++) {
    GridState *state = &emu->grids[i];
    if (state->has_begun || !may_begin(emu, state))
      continue;
    uint32_t fits = state->grid->resident;
    state->has_begun = has_begun = true;
    state->window = fits && fits < FIRST_WINDOW ? fits : FIRST_WINDOW;
    if (state->grid->is_cooperative && !fits)
      state->window = UINT32_MAX; // all of its blocks are there
    emu_choose_order(emu, state);
    if (emu->options->watcher && emu->options->watcher->grid_begin)
      emu->options->watcher->grid_begin(emu->options->watcher->context, i);
  }
  return has_begun;
}

static void start_cluster(Emu *emu, GridState *state) {
  uint32_t size = grid_volume(state->grid->cluster);
  Stretch taken = emu_take_stretch(state, emu_share(state));
  for (uint32_t rank = 0; rank < size; rank++) {
    Block *block = emu_place_block(emu, state, emu_block_at(state, taken.first, rank));
    block->next = (Stretch){taken.first + 1, taken.count - 1};
    array_push(emu->arena, &emu->resident, block);
    if (size > 1)
      emu_begin_block(&emu->workers[0], block);
  }
}

bool emu_admit_blocks(Emu *emu) {
  bool has_started = false;
  for (uint32_t i = 0; i < emu->program->grid_count; i++) {
    GridState *state = &emu->grids[i];
    uint32_t size = grid_volume(state->grid->cluster);
    while (state->has_begun && state->started < state->grid->block_count &&
           (state->running + size <= state->window || state->running == 0)) {
      start_cluster(emu, state);
      has_started = true;
    }
  }
  return has_started;
}

bool emu_widen(Emu *emu) {
  bool has_widened = false;
  for (uint32_t i = 0; i < emu->program->grid_count; i++) {
    GridState *state = &emu->grids[i];
    uint32_t fits = state->grid->resident ? state->grid->resident : UINT32_MAX;
    if (!state->has_begun || state->started == state->grid->block_count || state->window >= fits)
      continue;
    state->window = state->window > fits / 2 ? fits : state->window * 2;
    has_widened = true;
  }
  return has_widened;
}

// --- leaving

static void end_grid(Emu *emu, GridState *state) {
  state->has_ended = true;
  if (emu->options->watcher && emu->options->watcher->grid_end)
    emu->options->watcher->grid_end(emu->options->watcher->context, state->number);
  for (uint32_t i = 0; i < emu->resident.count; i++) {
    Block *block = emu->resident.items[i];
    for (uint32_t w = 0; w < block->seen.warp_count; w++)
      for (uint32_t g = 0; g < block->warps[w].group_count; g++)
        if (block->warps[w].groups[g].state == GROUP_AT_GRID)
          emu_wake(block, &block->warps[w], &block->warps[w].groups[g]);
  }
}

static bool retire_blocks(Emu *emu, Worker *worker) {
  uint32_t kept = 0, count = emu->resident.count;
  bool has_left = false;
  for (uint32_t i = 0; i < count; i++) {
    Block *block = emu->resident.items[i];
    emu_end_share(emu, block);
    if (!block->alive && block->has_begun)
      emu_end_block(worker, block);
    has_left |= block->ended > 0;
    block->grid->finished += block->ended;
    block->ended = 0;
    if (block->alive)
      emu->resident.items[kept++] = block;
    else
      emu_free_block(emu, block);
  }
  emu->resident.count = kept;
  return has_left;
}

bool emu_retire(Emu *emu, Worker *worker) {
  bool has_left = retire_blocks(emu, worker);
  for (uint32_t i = 0; i < emu->program->grid_count; i++) {
    GridState *state = &emu->grids[i];
    emu_adapt_share(state);
    if (state->has_begun && !state->has_ended && state->finished == state->grid->block_count)
      end_grid(emu, state);
  }
  return has_left;
}
