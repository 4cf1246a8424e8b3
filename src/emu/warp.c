#include "emu/warp.h"

#include "emu/barrier.h"
#include "emu/undefined.h"

// --- groups

Group *emu_split(Worker *worker, uint32_t lanes, uint32_t pc, GroupState state) {
  Warp *warp = worker->warp;
  Group *group = &warp->groups[warp->group_count++];
  *group = (Group){.pc = pc, .lanes = lanes, .state = (uint8_t)state};
  worker->group->lanes &= ~lanes;
  worker->lanes &= ~lanes;
  emu_leave(worker);
  return group;
}

void emu_wait(Worker *worker, GroupState state) {
  worker->pc--;
  emu_wait_behind(worker, state);
}

void emu_wait_behind(Worker *worker, GroupState state) {
  worker->group->state = (uint8_t)state;
  emu_leave(worker);
}

void emu_wake(Block *block, Warp *warp, Group *group) {
  group->state = GROUP_READY;
  block->ready |= 1u << warp->number;
}

bool emu_defer(Worker *worker) {
  if (worker->is_serial || worker->emu->is_alone)
    return false;
  worker->block->serial |= 1u << worker->warp->number;
  emu_wait(worker, GROUP_AT_SERIAL);
  return true;
}

static void drop_empty_groups(Warp *warp) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < warp->group_count; i++)
    if (warp->groups[i].lanes)
      warp->groups[kept++] = warp->groups[i];
  warp->group_count = kept;
}

// Groups at one place become one.
static void merge_groups(Warp *warp) {
  for (uint32_t i = 0; i < warp->group_count; i++)
    for (uint32_t j = i + 1; j < warp->group_count; j++) {
      Group *first = &warp->groups[i], *second = &warp->groups[j];
      if (first->pc == second->pc && first->state == GROUP_READY && second->state == GROUP_READY) {
        first->lanes |= second->lanes;
        second->lanes = 0;
        second->state = GROUP_AT_BARRIER;
      }
    }
  drop_empty_groups(warp);
}

// The ready group that has `rank` others below it; NULL: none is ready.
static Group *ready_group(Warp *warp, uint32_t rank) {
  Group *found = NULL;
  uint32_t last = 0;
  for (uint32_t n = 0; n <= rank; n++) {
    found = NULL;
    for (uint32_t i = 0; i < warp->group_count; i++) {
      Group *group = &warp->groups[i];
      if (group->state == GROUP_READY && (n == 0 || group->pc > last) &&
          (!found || group->pc < found->pc))
        found = group;
    }
    if (!found)
      return NULL;
    last = found->pc;
  }
  return found;
}

static uint32_t count_ready(const Warp *warp) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < warp->group_count; i++)
    count += warp->groups[i].state == GROUP_READY;
  return count;
}

// Usually the lowest group, so that the others are met again; others get their turn when one has
// gone round loops for long.
static Group *choose_group(Warp *warp) {
  if (warp->group_count == 1)
    return warp->groups[0].state == GROUP_READY && warp->groups[0].lanes ? &warp->groups[0] : NULL;
  drop_empty_groups(warp);
  merge_groups(warp);
  uint32_t count = count_ready(warp);
  return count ? ready_group(warp, warp->turn % count) : NULL;
}

// Where the next group above waits to be met.
static uint32_t meeting_place(const Warp *warp, const Group *running) {
  uint32_t stop = UINT32_MAX;
  for (uint32_t i = 0; i < warp->group_count; i++) {
    const Group *group = &warp->groups[i];
    if (group != running && group->state == GROUP_READY && group->pc > running->pc &&
        group->pc < stop)
      stop = group->pc;
  }
  return stop;
}

static void enter_group(Worker *worker, Group *group) {
  worker->group = group;
  worker->lanes = group->lanes;
  worker->is_full = group->lanes == worker->warp->alive;
  worker->pc = group->pc;
  worker->stop = meeting_place(worker->warp, group);
}

static uint64_t run_watchfully(Worker *worker, const Op *ops) {
  uint64_t executed = 0;
  do {
    const Op *op = &ops[worker->pc++];
    emu_run_watchful(worker, op);
    executed++;
  } while (worker->pc < worker->stop);
  return executed;
}

static void run_group(Worker *worker) {
  const Op *ops = worker->block->grid->code->ops;
  uint64_t executed = 0;
  uint32_t lane_count = (uint32_t)__builtin_popcount(worker->lanes);
  if (worker->warp->undefined_count)
    executed = run_watchfully(worker, ops);
  else
    do {
      const Op *op = &ops[worker->pc++];
      op->run(worker, op);
      executed++;
    } while (worker->pc < worker->stop);
  worker->block->instructions += executed * lane_count;
  worker->executed += executed;
}

void emu_enter_block(Worker *worker, Block *block) {
  worker->block = block;
  worker->bases[BASE_GRID] = block->grid->constants;
  worker->bases[BASE_BLOCK] = block->constants;
  worker->caches = worker->grid_caches[block->grid->number];
}

static void enter_warp(Worker *worker, Warp *warp) {
  worker->warp = warp;
  worker->bases[BASE_WARP] = warp->registers;
}

void emu_run_warp(Worker *worker, Warp *warp) {
  Block *block = worker->block;
  Group *group = NULL;
  enter_warp(worker, warp);
  while (worker->budget > 0 && worker->slice > 0 && (group = choose_group(warp))) {
    enter_group(worker, group);
    run_group(worker);
    worker->group->pc = worker->pc;
  }
  drop_empty_groups(warp);
  if (worker->budget <= 0)
    warp->turn++;
  if (count_ready(warp) == 0) {
    block->ready &= ~(1u << warp->number);
    warp->turn = 0;
  }
}

// --- between rounds

static bool is_later_element(const Op *op) {
  const Instruction *instruction = op->instruction;
  return instruction && instruction->element_offset > 0 && instruction->align > instruction->size;
}

// A GPU makes an access of a vector at once, although PTX does not promise it: the elements follow
// each other with nothing between them. On the way to another device they may come apart.
static void run_one(Worker *worker, Group *group) {
  const Op *ops = worker->block->grid->code->ops;
  group->state = GROUP_READY;
  enter_group(worker, group);
  do {
    const Op *op = &ops[worker->pc++];
    if (worker->warp->undefined_count)
      emu_run_watchful(worker, op);
    else
      op->run(worker, op);
  } while (worker->group->lanes && worker->group->state == GROUP_READY &&
           !worker->emu->has_several_devices && is_later_element(&ops[worker->pc]));
  worker->group->pc = worker->pc;
}

static bool is_at_serial(const Group *group) {
  return group->state == GROUP_AT_SERIAL && group->lanes;
}

// Of several groups of a warp now and then one waits for another round.
static bool waits_longer(const Worker *worker, Block *block, uint32_t group_count) {
  enum { ONE_IN = 3 };
  return group_count > 1 && worker->emu->options->schedule != EMU_SCHEDULE_ROUND_ROBIN &&
         emu_random(&block->random) % ONE_IN == 0;
}

static void run_groups(Worker *worker, Block *block, Warp *warp) {
  // Groups that the operations make come behind those that there are.
  uint32_t count = warp->group_count, ready = 0;
  for (uint32_t i = 0; i < count; i++)
    ready += is_at_serial(&warp->groups[i]);
  for (uint32_t i = 0; i < count; i++) {
    if (!is_at_serial(&warp->groups[i]))
      continue;
    if (waits_longer(worker, block, ready)) {
      block->serial |= 1u << warp->number;
      ready--; // the last one does not wait
      continue;
    }
    run_one(worker, &warp->groups[i]);
  }
}

void emu_run_serial(Worker *worker, Block *block) {
  emu_enter_block(worker, block);
  worker->is_serial = true;
  uint32_t warps = block->serial;
  block->serial = 0;
  LANES_EACH(number, warps) {
    Warp *warp = &block->warps[number];
    enter_warp(worker, warp);
    run_groups(worker, block, warp);
    drop_empty_groups(warp);
    if (count_ready(warp))
      block->ready |= 1u << number;
  }
  worker->is_serial = false;
}

// --- exits

// Lanes that wait for others may wait no longer.
static void retry_collectives(Worker *worker) {
  for (uint32_t i = 0; i < worker->warp->group_count; i++)
    if (worker->warp->groups[i].state == GROUP_AT_COLLECTIVE)
      emu_wake(worker->block, worker->warp, &worker->warp->groups[i]);
}

void emu_exit_lanes(Worker *worker, uint32_t lanes) {
  Warp *warp = worker->warp;
  Block *block = worker->block;
  warp->alive &= ~lanes;
  worker->group->lanes &= ~lanes;
  worker->lanes &= ~lanes;
  block->alive -= (uint32_t)__builtin_popcount(lanes);
  block->exited += (uint32_t)__builtin_popcount(lanes);
  if (block->alive == 0)
    emu_let_dependents(block);
  block->changes++;
  EMU_WATCH(worker, threads_end, emu_who(worker, NULL, lanes));
  retry_collectives(worker);
  emu_note_exits(worker, lanes);
  emu_leave(worker);
}
