#include "emu/mbarrier.h"

#include "emu/fault.h"
#include "emu/ops.h"
#include "emu/undefined.h"
#include "emu/warp.h"

#include "ir/mbarrier.h"

EmuMbarrierObject *emu_find_mbarrier(const Block *block, uint64_t offset) {
  for (uint32_t i = 0; i < block->mbarrier_count; i++)
    if (block->mbarriers[i].offset == offset)
      return block->mbarriers[i].is_live ? &block->mbarriers[i] : NULL;
  return NULL;
}

static void show(Worker *worker, const Op *op, uint32_t lanes, EmuMbarrierStep step,
                 const Block *owner, const EmuMbarrierObject *object, uint64_t phase) {
  EmuMbarrier seen = {.step = step,
                      .owner = &owner->seen,
                      .offset = object->offset,
                      .phase = phase,
                      .sem = (Sem)op->instruction->sem,
                      .scope = (Scope)op->instruction->scope};
  EMU_WATCH(worker, mbarrier, emu_who(worker, op, lanes), &seen);
}

// Groups that wait at mbarriers look again.
static void wake_waiting(Block *block) {
  for (uint32_t w = 0; w < block->seen.warp_count; w++)
    for (uint32_t g = 0; g < block->warps[w].group_count; g++)
      if (block->warps[w].groups[g].state == GROUP_AT_MBARRIER)
        emu_wake(block, &block->warps[w], &block->warps[w].groups[g]);
}

// Whoever ends a phase now and then gives way to those who wait for it, so that they are not always
// late for the next.
static void give_way(Worker *worker) {
  if (worker->emu->options->schedule != EMU_SCHEDULE_ROUND_ROBIN &&
      emu_random(&worker->block->random) & 1)
    worker->budget = 0;
}

// The transition to the next phase, if nothing is pending any more.
static void try_complete(Worker *worker, Block *owner, EmuMbarrierObject *object) {
  if (object->pending || object->transaction)
    return;
  EmuMbarrier seen = {.step = EMU_MBARRIER_PHASE,
                      .owner = &owner->seen,
                      .offset = object->offset,
                      .phase = object->phase};
  EMU_WATCH(worker, mbarrier, emu_who(worker, NULL, 0), &seen);
  object->phase++;
  object->pending = object->expected;
  owner->barrier_count++;
  owner->changes++;
  wake_waiting(owner);
  give_way(worker);
}

void emu_complete_bytes(Worker *worker, Block *owner, EmuMbarrierObject *object, uint64_t bytes) {
  object->transaction -= (int64_t)bytes;
  try_complete(worker, owner, object);
}

void emu_arrive_async(Worker *worker, const Op *op, Block *owner, EmuMbarrierObject *object,
                      uint32_t lane, bool is_counted) {
  show(worker, op, 1u << lane, EMU_MBARRIER_ASYNC, owner, object, object->phase);
  // Without .noinc the arrival is one that the count did not know of.
  if (is_counted && object->pending > 0)
    object->pending--;
  try_complete(worker, owner, object);
}

void emu_wait_for_mbarrier(Worker *worker, const Op *op, uint32_t lanes) {
  emu_fault(worker, op, RULE_UNINITIALISED, lanes, op->instruction);
  if (lanes == worker->group->lanes)
    emu_wait(worker, GROUP_AT_MBARRIER);
  else
    emu_split(worker, lanes, worker->pc - 1, GROUP_AT_MBARRIER);
}

// --- the operations of one lane

static void initialise(Worker *worker, const Op *op, Block *owner, uint32_t offset, uint32_t lane) {
  EmuMbarrierObject *object = NULL;
  bool is_init = op->instruction->mbarrier == MBARRIER_INIT;
  uint64_t number = emu_lane(worker, op->src[0], lane);
  for (uint32_t i = 0; i < owner->mbarrier_count; i++)
    if (owner->mbarriers[i].offset == offset)
      object = &owner->mbarriers[i];
  bool was_live = object && object->is_live;
  if (!object) {
    if (owner->mbarrier_count == EMU_MOST_MBARRIERS) {
      owner->unsupported = op;
      return;
    }
    object = &owner->mbarriers[owner->mbarrier_count++];
  }
  if (is_init && was_live)
    emu_fault(worker, op, RULE_BARRIER_MISMATCH, 1u << lane, NULL);
  *object = (EmuMbarrierObject){.offset = offset,
                                .is_live = is_init,
                                .expected = (uint32_t)number,
                                .pending = (int64_t)number};
  owner->changes++;
  show(worker, op, 1u << lane, is_init ? EMU_MBARRIER_INIT : EMU_MBARRIER_INVALIDATE, owner, object,
       0);
  wake_waiting(owner);
}

static void arrive(Worker *worker, const Op *op, Block *owner, EmuMbarrierObject *object,
                   uint32_t lane) {
  const Instruction *instruction = op->instruction;
  uint64_t arrivals = emu_lane(worker, op->src[0], lane);
  uint64_t bytes = op->src[1].ref == REF_NONE ? 0 : emu_lane(worker, op->src[1], lane);
  emu_set_lane(worker, op->dst, lane,
               mbarrier_state(instruction, object->phase, (uint64_t)object->pending));
  if (instruction->mbarrier == MBARRIER_DROP)
    object->expected -= (uint32_t)arrivals;
  object->transaction += (int64_t)bytes;
  bool completes = (int64_t)arrivals == object->pending && !object->transaction;
  if ((int64_t)arrivals > object->pending || (completes && instruction->compare))
    emu_fault(worker, op, RULE_BARRIER_MISMATCH, 1u << lane, NULL);
  if ((int64_t)arrivals > object->pending)
    return;
  object->pending -= (int64_t)arrivals;
  owner->changes++;
  show(worker, op, 1u << lane, EMU_MBARRIER_ARRIVE, owner, object, object->phase);
  try_complete(worker, owner, object);
}

static void count_bytes(Worker *worker, const Op *op, Block *owner, EmuMbarrierObject *object,
                        uint32_t lane) {
  bool is_expected = op->instruction->mbarrier == MBARRIER_EXPECT;
  uint64_t bytes = emu_lane(worker, op->src[0], lane);
  show(worker, op, 1u << lane, is_expected ? EMU_MBARRIER_EXPECT : EMU_MBARRIER_COMPLETE, owner,
       object, object->phase);
  owner->changes++;
  if (is_expected)
    object->transaction += (int64_t)bytes;
  else
    emu_complete_bytes(worker, owner, object, bytes);
}

static void test(Worker *worker, const Op *op, Block *owner, EmuMbarrierObject *object,
                 uint32_t lane) {
  uint64_t wanted = emu_lane(worker, op->src[0], lane);
  bool is_over = mbarrier_is_over(op->instruction, wanted, object->phase);
  emu_set_lane(worker, op->dst, lane, is_over);
  if (is_over)
    show(worker, op, 1u << lane, EMU_MBARRIER_WAITED, owner, object, object->phase - 1);
  else
    worker->budget = 0; // others have their turn
}

static void run_lane(Worker *worker, const Op *op, Block *owner, EmuMbarrierObject *object,
                     uint32_t lane) {
  switch ((MbarrierOp)op->instruction->mbarrier) {
  case MBARRIER_ARRIVE:
  case MBARRIER_DROP:
    arrive(worker, op, owner, object, lane);
    break;
  case MBARRIER_EXPECT:
  case MBARRIER_COMPLETE:
    count_bytes(worker, op, owner, object, lane);
    break;
  default:
    test(worker, op, owner, object, lane);
  }
}

// `waiting`: lanes whose object nobody has initialised.
static void run_part(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
                     uint32_t *waiting) {
  Block *owner = emu_owner(&part->target);
  LANES_EACH(lane, part->lanes) {
    uint64_t offset = addresses[lane] + part->target.seen;
    emu_define(&part->target, addresses[lane], 8);
    if (op->instruction->mbarrier <= MBARRIER_INVALIDATE) {
      initialise(worker, op, owner, (uint32_t)offset, lane);
      continue;
    }
    EmuMbarrierObject *object = emu_find_mbarrier(owner, offset);
    if (object)
      run_lane(worker, op, owner, object, lane);
    else
      *waiting |= 1u << lane;
  }
}

void op_mbarrier(Worker *worker, const Op *op) {
  const Instruction *instruction = op->instruction;
  uint64_t addresses[LANES];
  Part part;
  emu_find_addresses(worker, op->address, instruction->offset, (Space)instruction->space,
                     addresses);
  if (emu_is_shared_access(worker, instruction, addresses) && emu_defer(worker))
    return;
  uint32_t todo = worker->lanes, waiting = 0;
  while (emu_next_part(worker, op, addresses, &todo, &part)) {
    if (part.target.owner) {
      run_part(worker, op, &part, addresses, &waiting);
      continue;
    }
    emu_fault_at(worker, op, RULE_OUT_OF_BOUNDS, part.lanes, addresses[__builtin_ctz(part.lanes)],
                 8, (Space)instruction->space);
    emu_exit_lanes(worker, part.lanes);
  }
  if (waiting)
    emu_wait_for_mbarrier(worker, op, waiting);
  else if (worker->budget <= 0)
    emu_leave(worker);
}

// Only a state of an arrival with .noComplete has the count (PTX ISA, "mbarrier.pending_count").
void op_pending_count(Worker *worker, const Op *op) {
  uint32_t undefined = 0;
  LANES_EACH(lane, worker->lanes) {
    uint32_t count = mbarrier_state_pending(emu_lane(worker, op->src[0], lane));
    emu_set_lane(worker, op->dst, lane, count);
    undefined |= (uint32_t)(count == 0) << lane;
  }
  if (undefined)
    emu_set_undefined(worker, op->dst, undefined, op);
}
