// Barriers of blocks and clusters (spec A.4, F.2). Threads arrive one by one: a barrier without a
// count waits for all threads of the block that have not exited.
#include "emu/barrier.h"

#include "emu/fault.h"
#include "emu/memory.h"
#include "emu/ops.h"
#include "emu/warp.h"

static uint32_t count(uint32_t lanes) {
  return lanes == ALL_LANES ? LANES : (uint32_t)__builtin_popcount(lanes);
}

// --- completion

static uint32_t exited_without_arrival(const Block *block, const Barrier *barrier) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < block->seen.warp_count; i++)
    sum += count(block->warps[i].exists & ~block->warps[i].alive & ~barrier->lanes[i]);
  return sum;
}

// A counted barrier counts whole warps, once all of a warp's threads that have not exited are
// there.
static uint32_t counted_threads(const Block *block, const Barrier *barrier) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < block->seen.warp_count; i++)
    if (barrier->lanes[i] && !(block->warps[i].alive & ~barrier->lanes[i]))
      sum += LANES;
  return sum;
}

static bool is_complete(const Block *block, const Barrier *barrier) {
  if (!barrier->arrival_count)
    return false;
  const Arrival *newest = &barrier->arrivals[barrier->arrival_count - 1];
  if (newest->is_counted)
    return counted_threads(block, barrier) >= newest->count;
  // Those that arrived may have exited since; nobody who has not is missing then.
  if (barrier->arrived < block->alive)
    return false;
  return barrier->arrived == block->seen.thread_count ||
         barrier->arrived + exited_without_arrival(block, barrier) == block->seen.thread_count;
}

// Threads of a warp have to be at one instruction of an aligned barrier, and all agree on the
// count. Warps may take different copies of one call, which the compiler made.
static void check_agreement(Block *block, const Barrier *barrier) {
  const Arrival *newest = &barrier->arrivals[barrier->arrival_count - 1];
  for (uint32_t i = 0; i + 1 < barrier->arrival_count; i++) {
    const Arrival *arrival = &barrier->arrivals[i];
    const Instruction *a = newest->op->instruction, *b = arrival->op->instruction;
    if (a == b && arrival->count == newest->count)
      continue;
    bool is_whole = !arrival->is_counted && arrival->waits && newest->waits;
    bool is_other_call =
        arrival->warp == newest->warp ? a != b : is_whole && a->span.begin != b->span.begin;
    uint32_t thread = newest->warp * LANES + (uint32_t)__builtin_ctz(newest->lanes);
    if (is_other_call && ((a->flags | b->flags) & INSTRUCTION_ALIGNED))
      emu_fault_of(block, b, RULE_BARRIER_DIVERGENCE, thread, a);
    else if (arrival->is_counted != newest->is_counted || arrival->count != newest->count ||
             arrival->is_reduction != newest->is_reduction)
      emu_fault_of(block, b, RULE_BARRIER_MISMATCH, thread, a);
    else
      continue;
    return;
  }
}

static uint32_t reduce(const Barrier *barrier, Collective collective) {
  uint32_t holding = 0;
  for (uint32_t i = 0; i < barrier->arrival_count; i++)
    holding += count(barrier->arrivals[i].predicate & barrier->arrivals[i].lanes);
  if (collective == COLLECTIVE_VOTE_BALLOT)
    return holding;
  return collective == COLLECTIVE_VOTE_ALL ? holding == barrier->arrived : holding > 0;
}

// The result of bar.red goes to registers of warps that the worker may not be running.
static void give_result(Worker *worker, Warp *warp, const Group *group, const Barrier *barrier) {
  const Op *op = &worker->block->grid->code->ops[group->pc];
  if (op->instruction->barrier != BARRIER_RED)
    return;
  uint8_t *registers = worker->bases[BASE_WARP];
  worker->bases[BASE_WARP] = warp->registers;
  uint32_t result = reduce(barrier, (Collective)op->instruction->collective);
  LANES_EACH(lane, group->lanes)
  emu_set_lane(worker, op->dst, lane, result);
  worker->bases[BASE_WARP] = registers;
}

static void release(Worker *worker, uint32_t id, const Barrier *barrier) {
  Block *block = worker->block;
  for (uint32_t w = 0; w < block->seen.warp_count; w++) {
    Warp *warp = &block->warps[w];
    for (uint32_t g = 0; g < warp->group_count; g++) {
      Group *group = &warp->groups[g];
      if (group->state != GROUP_AT_BARRIER || group->barrier != id || !group->lanes)
        continue;
      give_result(worker, warp, group, barrier);
      group->pc++;
      emu_wake(block, warp, group);
    }
  }
}

// Behind a barrier shared memory is often written as a whole: then nobody need look any more.
static void look_at_memory(Block *block) {
  enum { TIMES = 64 };
  if (!block->is_defined && block->looks++ < TIMES)
    block->is_defined = emu_all_defined(block->defined, GRID_SHARED_START,
                                        block->seen.shared_bytes - GRID_SHARED_START);
}

static void complete(Worker *worker, uint32_t id) {
  Block *block = worker->block;
  Barrier *barrier = &block->barriers[id];
  EmuArrival arrival = {.barrier = id};
  check_agreement(block, barrier);
  look_at_memory(block);
  EMU_WATCH(worker, complete, &block->seen, &arrival);
  release(worker, id, barrier);
  memset(barrier->lanes, 0, block->seen.warp_count * sizeof *barrier->lanes);
  barrier->arrived = barrier->arrival_count = 0;
  block->active_barriers &= ~(1u << id);
  block->barrier_count++;
  block->changes++;
}

void emu_note_exits(Worker *worker, uint32_t lanes) {
  Block *block = worker->block;
  (void)lanes;
  LANES_EACH(id, block->active_barriers)
  if (is_complete(block, &block->barriers[id]))
    complete(worker, id);
}

// --- arriving

static void arrive(Worker *worker, const Op *op, uint32_t id, uint32_t lanes, uint64_t wanted,
                   uint32_t predicate) {
  Block *block = worker->block;
  Barrier *barrier = &block->barriers[id];
  const Instruction *instruction = op->instruction;
  uint32_t warp = worker->warp->number;
  // A warp may arrive once before the barrier is complete.
  if (barrier->lanes[warp] & lanes)
    emu_fault(worker, op, RULE_BARRIER_MISMATCH, barrier->lanes[warp] & lanes, NULL);
  barrier->arrived += count(lanes & ~barrier->lanes[warp]);
  barrier->lanes[warp] |= lanes;
  if (barrier->arrival_count < sizeof barrier->arrivals / sizeof *barrier->arrivals)
    barrier->arrivals[barrier->arrival_count++] =
        (Arrival){.warp = (uint8_t)warp,
                  .waits = instruction->barrier != BARRIER_ARRIVE,
                  .is_counted = instruction->src[1].kind != OPERAND_NONE,
                  .is_reduction = instruction->barrier == BARRIER_RED,
                  .lanes = lanes,
                  .predicate = predicate,
                  .count = (uint32_t)wanted,
                  .op = op};
  block->active_barriers |= 1u << id;
  block->changes++;
}

// The same for all lanes of all warps?
static bool is_constant(Value value) {
  return (value.ref & 3) == BASE_GRID;
}

// Lanes of the running group that name the same barrier and count as the first one.
static uint32_t agreeing_lanes(const Worker *worker, const Op *op, uint64_t *id, uint64_t *wanted) {
  uint32_t first = (uint32_t)__builtin_ctz(worker->lanes), lanes = 0;
  bool is_counted = op->src[1].ref != REF_NONE;
  *id = emu_lane(worker, op->src[0], first);
  *wanted = is_counted ? emu_lane(worker, op->src[1], first) : 0;
  if (is_constant(op->src[0]) && (!is_counted || is_constant(op->src[1])))
    return worker->lanes;
  LANES_EACH(lane, worker->lanes)
  if (emu_lane(worker, op->src[0], lane) == *id &&
      (!is_counted || emu_lane(worker, op->src[1], lane) == *wanted))
    lanes |= 1u << lane;
  return lanes;
}

static uint32_t predicates(const Worker *worker, const Op *op, uint32_t lanes) {
  uint32_t holding = 0;
  if (op->src[2].ref == REF_NONE)
    return 0;
  LANES_EACH(lane, lanes)
  holding |= (uint32_t)(emu_lane(worker, op->src[2], lane) != 0) << lane;
  return holding;
}

void op_barrier(Worker *worker, const Op *op) {
  uint64_t id, wanted;
  uint32_t lanes = agreeing_lanes(worker, op, &id, &wanted);
  if (lanes != worker->lanes) // the others come back to this op
    emu_split(worker, worker->lanes & ~lanes, worker->pc - 1, GROUP_READY);
  if (id >= BARRIERS) {
    emu_fault(worker, op, RULE_BARRIER_MISMATCH, lanes, NULL);
    return;
  }
  bool waits = op->instruction->barrier != BARRIER_ARRIVE;
  EmuArrival arrival = {.barrier = (uint32_t)id, .waits = waits, .is_ordering = true};
  arrive(worker, op, (uint32_t)id, lanes, wanted, predicates(worker, op, lanes));
  EMU_WATCH(worker, arrive, emu_who(worker, op, lanes), &arrival);
  if (waits) {
    worker->group->barrier = (uint8_t)id;
    emu_wait(worker, GROUP_AT_BARRIER);
    worker->group->pc = worker->pc;
  }
  if (is_complete(worker->block, &worker->block->barriers[id])) {
    complete(worker, (uint32_t)id);
    if (waits) // the group may have been let go
      worker->pc = worker->group->pc;
  }
}

// --- clusters: arrivals and waits are executed between rounds

static Block *running_block(const Cluster *cluster) {
  for (uint32_t i = 0; i < cluster->count; i++)
    if (cluster->blocks[i])
      return cluster->blocks[i];
  return NULL;
}

void emu_check_cluster(Worker *worker, Cluster *cluster) {
  Block *running = running_block(cluster);
  if (!cluster->arrived || cluster->arrived + cluster->exited < cluster->thread_count || !running)
    return;
  EmuArrival arrival = {.is_cluster = true};
  EMU_WATCH(worker, complete, &running->seen, &arrival);
  cluster->phase++;
  cluster->arrived = 0;
  for (uint32_t i = 0; i < cluster->count; i++) {
    Block *block = cluster->blocks[i];
    if (!block)
      continue;
    block->barrier_count++;
    block->changes++;
    for (uint32_t w = 0; w < block->seen.warp_count; w++)
      for (uint32_t g = 0; g < block->warps[w].group_count; g++)
        if (block->warps[w].groups[g].state == GROUP_AT_CLUSTER)
          emu_wake(block, &block->warps[w], &block->warps[w].groups[g]);
  }
}

void op_cluster_arrive(Worker *worker, const Op *op) {
  if (emu_defer(worker))
    return;
  Cluster *cluster = worker->block->cluster;
  EmuArrival arrival = {.is_cluster = true, .is_ordering = op->instruction->sem == SEM_RELEASE};
  LANES_EACH(lane, worker->lanes)
  worker->warp->cluster_phase[lane] = (uint32_t)cluster->phase + 1;
  cluster->arrived += count(worker->lanes);
  worker->block->changes++;
  EMU_WATCH(worker, arrive, emu_who(worker, op, worker->lanes), &arrival);
  emu_check_cluster(worker, cluster);
}

void op_cluster_wait(Worker *worker, const Op *op) {
  if (emu_defer(worker))
    return;
  uint32_t early = 0;
  LANES_EACH(lane, worker->lanes)
  early |= (uint32_t)(worker->warp->cluster_phase[lane] > worker->block->cluster->phase) << lane;
  if (early == worker->lanes) {
    emu_wait(worker, GROUP_AT_CLUSTER);
    return;
  }
  if (early)
    emu_split(worker, early, worker->pc - 1, GROUP_AT_CLUSTER);
  EMU_WATCH(worker, cluster_wait, emu_who(worker, op, worker->lanes));
}
