// Warp collectives: bar.warp.sync orders memory among its participants; shuffles, votes and the
// like only exchange values (spec A.2). The lanes that a mask names meet at one instruction; lanes
// that have exited are not waited for.
#include "emu/fault.h"
#include "emu/ops.h"
#include "emu/undefined.h"
#include "emu/warp.h"
#include "ir/collective.h"

// Lanes that take part in one exchange, and where their values are.
typedef struct Exchange {
  Worker *worker;
  const Op *op;
  uint32_t lanes;
} Exchange;

static uint32_t number(const Exchange *exchange, uint32_t operand, uint32_t lane) {
  return (uint32_t)emu_lane(exchange->worker, exchange->op->src[operand], lane);
}

// --- results

static void shuffle(const Exchange *exchange) {
  const Op *op = exchange->op;
  uint64_t results[LANES];
  uint8_t from[LANES] = {0};
  uint32_t in_range = 0;
  LANES_EACH(lane, exchange->lanes) {
    bool is_in_range;
    from[lane] = (uint8_t)collective_shuffle_lane((Collective)op->instruction->collective, lane,
                                                  number(exchange, 1, lane),
                                                  number(exchange, 2, lane), &is_in_range);
    // From a lane that does not take part comes an undefined value.
    bool is_there = exchange->lanes >> from[lane] & 1;
    results[lane] = emu_lane(exchange->worker, op->src[0], is_there ? from[lane] : lane);
    in_range |= (uint32_t)is_in_range << lane;
  }
  if (exchange->lanes != ALL_LANES || exchange->worker->warp->undefined_count)
    emu_watch_collective(exchange->worker, op, exchange->lanes, from);
  LANES_EACH(lane, exchange->lanes) {
    emu_set_lane(exchange->worker, op->dst, lane, results[lane]);
    emu_set_lane(exchange->worker, op->more[0], lane, in_range >> lane & 1);
  }
}

static uint64_t reduce(const Exchange *exchange) {
  uint64_t values[LANES];
  LANES_EACH(lane, exchange->lanes)
  values[lane] = number(exchange, 0, lane);
  return collective_reduce(exchange->op->instruction->alu, exchange->lanes, values);
}

static uint32_t holding(const Exchange *exchange) {
  uint32_t lanes = 0;
  LANES_EACH(lane, exchange->lanes)
  lanes |= (uint32_t)(emu_lane(exchange->worker, exchange->op->src[0], lane) != 0) << lane;
  return lanes;
}

static void give(const Exchange *exchange, uint64_t first, uint64_t second) {
  LANES_EACH(lane, exchange->lanes) {
    emu_set_lane(exchange->worker, exchange->op->dst, lane, first);
    emu_set_lane(exchange->worker, exchange->op->more[0], lane, second);
  }
}

static void match(const Exchange *exchange) {
  const Op *op = exchange->op;
  uint64_t values[LANES];
  bool is_any = op->instruction->collective == COLLECTIVE_MATCH_ANY;
  LANES_EACH(lane, exchange->lanes)
  values[lane] = emu_lane(exchange->worker, op->src[0], lane);
  LANES_EACH(lane, exchange->lanes) {
    uint32_t equal = 0;
    LANES_EACH(other, exchange->lanes)
    equal |= (uint32_t)(values[other] == values[lane]) << other;
    bool are_all = equal == exchange->lanes;
    emu_set_lane(exchange->worker, op->dst, lane, is_any || are_all ? equal : 0);
    emu_set_lane(exchange->worker, op->more[0], lane, are_all);
  }
}

static void elect(const Exchange *exchange) {
  uint32_t leader = (uint32_t)__builtin_ctz(exchange->lanes);
  LANES_EACH(lane, exchange->lanes) {
    emu_set_lane(exchange->worker, exchange->op->dst, lane, leader);
    emu_set_lane(exchange->worker, exchange->op->more[0], lane, lane == leader);
  }
}

static bool is_shuffle(const Instruction *instruction) {
  return instruction->collective <= COLLECTIVE_SHUFFLE_XOR;
}

static void give_results(const Exchange *exchange) {
  uint32_t lanes = exchange->lanes;
  if (exchange->worker->warp->undefined_count && !is_shuffle(exchange->op->instruction))
    emu_watch_collective(exchange->worker, exchange->op, lanes, NULL);
  if (exchange->worker->block->grid->code->ends_mbarriers &&
      exchange->op->instruction->collective != COLLECTIVE_ACTIVE_MASK)
    EMU_WATCH(exchange->worker, meeting, emu_who(exchange->worker, exchange->op, lanes));
  switch ((Collective)exchange->op->instruction->collective) {
  case COLLECTIVE_SHUFFLE_INDEX:
  case COLLECTIVE_SHUFFLE_UP:
  case COLLECTIVE_SHUFFLE_DOWN:
  case COLLECTIVE_SHUFFLE_XOR:
    shuffle(exchange);
    break;
  case COLLECTIVE_VOTE_ALL:
    give(exchange, holding(exchange) == lanes, 0);
    break;
  case COLLECTIVE_VOTE_ANY:
    give(exchange, holding(exchange) != 0, 0);
    break;
  case COLLECTIVE_VOTE_UNIFORM:
    give(exchange, holding(exchange) == lanes || holding(exchange) == 0, 0);
    break;
  case COLLECTIVE_VOTE_BALLOT:
    give(exchange, holding(exchange), 0);
    break;
  case COLLECTIVE_MATCH_ANY:
  case COLLECTIVE_MATCH_ALL:
    match(exchange);
    break;
  case COLLECTIVE_ELECT:
    elect(exchange);
    break;
  case COLLECTIVE_REDUCE:
    give(exchange, reduce(exchange), 0);
    break;
  case COLLECTIVE_ACTIVE_MASK:
    give(exchange, lanes, 0);
    break;
  }
}

// --- who is there

static uint32_t mask_of(const Worker *worker, const Op *op, uint32_t lane) {
  return (uint32_t)emu_lane(worker, op->src[3], lane);
}

static uint32_t lanes_with_mask(const Worker *worker, const Op *op, uint32_t among, uint32_t mask) {
  uint32_t lanes = 0;
  LANES_EACH(lane, among)
  lanes |= (uint32_t)(mask_of(worker, op, lane) == mask) << lane;
  return lanes;
}

// Groups that wait at the same op join the one that runs.
static void join_waiting(Worker *worker) {
  Warp *warp = worker->warp;
  for (uint32_t i = 0; i < warp->group_count; i++) {
    Group *group = &warp->groups[i];
    if (group == worker->group || group->state != GROUP_AT_COLLECTIVE || !group->lanes ||
        group->pc != worker->pc - 1)
      continue;
    worker->group->lanes |= group->lanes;
    group->lanes = 0;
  }
  worker->lanes = worker->group->lanes;
  worker->is_full = worker->lanes == warp->alive;
}

void op_collective(Worker *worker, const Op *op) {
  Exchange exchange = {worker, op, worker->lanes};
  if (op->instruction->collective == COLLECTIVE_ACTIVE_MASK) {
    give_results(&exchange);
    return;
  }
  if (!worker->is_full)
    join_waiting(worker);
  uint32_t waiting = 0;
  for (uint32_t todo = worker->lanes; todo;) {
    uint32_t mask = mask_of(worker, op, (uint32_t)__builtin_ctz(todo));
    exchange.lanes = lanes_with_mask(worker, op, todo, mask);
    todo &= ~exchange.lanes;
    if ((mask & worker->warp->alive) == exchange.lanes)
      give_results(&exchange);
    else
      waiting |= exchange.lanes;
  }
  if (waiting == worker->lanes)
    emu_wait(worker, GROUP_AT_COLLECTIVE);
  else if (waiting)
    emu_split(worker, waiting, worker->pc - 1, GROUP_AT_COLLECTIVE);
}

// --- bar.warp.sync: its lanes may be at different instructions

static bool waits_at_barrier(const Worker *worker, const Group *group) {
  return group->lanes && group->state == GROUP_AT_COLLECTIVE &&
         worker->block->grid->code->ops[group->pc].instruction->op == IR_BARRIER_WARP;
}

// Lanes of groups that wait at any bar.warp.sync with this mask.
static uint32_t waiting_with_mask(const Worker *worker, uint32_t mask) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < worker->warp->group_count; i++) {
    const Group *group = &worker->warp->groups[i];
    if (group != worker->group && waits_at_barrier(worker, group))
      lanes |=
          lanes_with_mask(worker, &worker->block->grid->code->ops[group->pc], group->lanes, mask);
  }
  return lanes;
}

// Lets go those of the waiting groups that are among `lanes`.
static void release(Worker *worker, uint32_t lanes) {
  Warp *warp = worker->warp;
  uint32_t count = warp->group_count;
  for (uint32_t i = 0; i < count; i++) {
    Group *group = &warp->groups[i];
    uint32_t going = group->lanes & lanes;
    if (group == worker->group || !going || !waits_at_barrier(worker, group))
      continue;
    if (going == group->lanes) {
      group->pc++;
      emu_wake(worker->block, warp, group);
      continue;
    }
    group->lanes &= ~going;
    warp->groups[warp->group_count++] =
        (Group){.pc = group->pc + 1, .lanes = going, .state = GROUP_READY};
  }
  emu_leave(worker);
}

void op_barrier_warp(Worker *worker, const Op *op) {
  uint32_t waiting = 0, all = worker->lanes;
  for (uint32_t todo = all; todo;) {
    uint32_t mask = mask_of(worker, op, (uint32_t)__builtin_ctz(todo));
    uint32_t here = lanes_with_mask(worker, op, todo, mask);
    uint32_t others = worker->is_full ? 0 : waiting_with_mask(worker, mask);
    todo &= ~here;
    if ((mask & worker->warp->alive) != (here | others)) {
      waiting |= here;
      continue;
    }
    if (others)
      release(worker, others);
    EMU_WATCH(worker, warp_sync, emu_who(worker, op, here | others));
  }
  if (waiting == all)
    emu_wait(worker, GROUP_AT_COLLECTIVE);
  else if (waiting)
    emu_split(worker, waiting, worker->pc - 1, GROUP_AT_COLLECTIVE);
}
