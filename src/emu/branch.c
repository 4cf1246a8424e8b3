// Branches, exits, traps, guards.
#include "emu/fault.h"
#include "emu/loop.h"
#include "emu/ops.h"
#include "emu/warp.h"

static inline uint32_t predicate(const Worker *worker, Value value) {
  return *(const uint32_t *)emu_ref(worker, value.ref);
}

// Going back counts, so that no loop keeps others from their turn.
static inline void go_to(Worker *worker, uint32_t target) {
  if (target < worker->pc) {
    if (worker->emu->is_watching_loops)
      emu_note_loop(worker, target);
    if (--worker->budget <= 0)
      emu_leave(worker);
  }
  worker->pc = target;
}

static inline void branch_lanes(Worker *worker, const Op *op, uint32_t taken) {
  taken &= worker->lanes;
  if (!taken)
    return;
  if (taken == worker->lanes) {
    go_to(worker, op->target);
    return;
  }
  // The running group keeps the lanes that fall through.
  if (op->target < worker->pc)
    worker->budget--;
  emu_split(worker, taken, op->target, GROUP_READY);
}

void op_branch(Worker *worker, const Op *op) {
  go_to(worker, op->target);
}

// If a predicate is not 0; if it is 0.
void op_branch_if(Worker *worker, const Op *op) {
  branch_lanes(worker, op, predicate(worker, op->src[0]));
}

void op_branch_unless(Worker *worker, const Op *op) {
  branch_lanes(worker, op, ~predicate(worker, op->src[0]));
}

void op_branch_compare(Worker *worker, const Op *op) {
  uint32_t taken = 0;
  LANES_EACH(lane, worker->lanes) {
    int64_t a = (int64_t)emu_lane(worker, op->src[0], lane);
    int64_t b = (int64_t)emu_lane(worker, op->src[1], lane);
    taken |= (uint32_t)(ir_compute((IrOp)op->instruction->compare, a, b) != 0) << lane;
  }
  branch_lanes(worker, op, taken);
}

// An unconditional branch under a guard.
void op_branch_guarded(Worker *worker, const Op *op) {
  uint32_t taken = predicate(worker, op->guard);
  branch_lanes(worker, op, op->guard_is_negated ? ~taken : taken);
}

OpRun *op_branch_for(const Op *op) {
  const Instruction *branch = op->instruction;
  bool tests_predicate = op->src[0].ref != REF_NONE && op->src[0].class == CLASS_PREDICATE &&
                         branch->src[1].kind == OPERAND_CONSTANT && branch->src[1].constant == 0;
  if (branch->compare == IR_NOP)
    return op_branch;
  if (tests_predicate && branch->compare == IR_SET_NE)
    return op_branch_if;
  if (tests_predicate && branch->compare == IR_SET_EQ)
    return op_branch_unless;
  return op_branch_compare;
}

// Lanes go to different places, one place at a time. An index out of range is undefined: on.
void op_branch_index(Worker *worker, const Op *op) {
  uint32_t todo = worker->lanes;
  while (todo) {
    uint32_t first = (uint32_t)__builtin_ctz(todo), same = 0;
    uint64_t index = emu_lane(worker, op->src[0], first);
    LANES_EACH(lane, todo)
    same |= (uint32_t)(emu_lane(worker, op->src[0], lane) == index) << lane;
    todo &= ~same;
    uint32_t target = index < op->instruction->target_count ? op->targets[index] : worker->pc;
    if (same == worker->lanes)
      go_to(worker, target);
    else
      emu_split(worker, same, target, GROUP_READY);
  }
}

void op_exit(Worker *worker, const Op *op) {
  (void)op;
  emu_exit_lanes(worker, worker->lanes);
}

void op_trap(Worker *worker, const Op *op) {
  RuleNumber rule = op->instruction->conversion ? RULE_ASSERT : RULE_TRAP;
  emu_fault(worker, op, rule, worker->lanes, NULL);
  emu_exit_lanes(worker, worker->lanes);
}

// Operations that may wait or end threads: lanes for which the guard does not hold go on alone.
static bool may_wait(const Op *op) {
  switch (op->instruction->op) {
  case IR_LOAD:
  case IR_STORE:
    return op->instruction->sem != SEM_WEAK;
  case IR_ALU:
  case IR_MOVE:
  case IR_NO_EVENT:
  case IR_ADDRESS:
  case IR_CLOCK:
    return false;
  default:
    return op->instruction->op < IR_ADD || op->instruction->op > IR_SET_GE;
  }
}

void op_guarded(Worker *worker, const Op *op) {
  uint32_t holds = predicate(worker, op->guard);
  uint32_t all = worker->lanes, lanes = all & (op->guard_is_negated ? ~holds : holds);
  if (!lanes)
    return;
  if (lanes != all && may_wait(op)) {
    emu_split(worker, all & ~lanes, worker->pc, GROUP_READY);
    worker->is_full = lanes == worker->warp->alive;
    op->inner(worker, op);
    return;
  }
  bool is_full = worker->is_full;
  worker->lanes = lanes;
  worker->is_full = is_full && lanes == all;
  op->inner(worker, op);
  worker->lanes = all & worker->group->lanes;
  worker->is_full = is_full;
}
