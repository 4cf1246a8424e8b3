// Atomics: the lanes of a warp one after the other.
#include "emu/access.h"
#include "emu/fault.h"
#include "emu/ops.h"
#include "emu/warp.h"

// What the lanes found and left behind.
typedef struct Update {
  uint64_t found[LANES], stored[LANES];
  uint32_t wrote;
} Update;

static uint64_t size_mask(uint32_t size) {
  return size >= 8 ? UINT64_MAX : (1ull << 8 * size) - 1;
}

static bool is_plain_sum(const Instruction *atomic) {
  return atomic->atom == ATOM_ALU && atomic->alu->op == ALU_ADD &&
         (atomic->alu->type == ALU_TYPE_U32 || atomic->alu->type == ALU_TYPE_S32 ||
          atomic->alu->type == ALU_TYPE_U64 || atomic->alu->type == ALU_TYPE_S64);
}

static uint64_t new_value(const Instruction *atomic, uint64_t old, uint64_t operand,
                          uint64_t second, bool *writes) {
  *writes = atomic->atom != ATOM_CAS || old == operand;
  return ir_atom_new_value((AtomOp)atomic->atom, atomic->alu, atomic->size, old, operand, second);
}

static void add_lanes(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
                      Update *update) {
  uint32_t size = op->instruction->size;
  LANES_EACH(lane, part->lanes) {
    uint64_t old = emu_read(&part->target, addresses[lane], lane, size);
    uint64_t sum = old + emu_lane(worker, op->src[0], lane);
    emu_write(&part->target, addresses[lane], lane, size, sum);
    update->found[lane] = old;
    update->stored[lane] = sum & size_mask(size);
  }
  update->wrote = part->lanes;
}

static void update_lanes(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
                         Update *update) {
  const Instruction *atomic = op->instruction;
  uint64_t mask = size_mask(atomic->size);
  update->wrote = 0;
  LANES_EACH(lane, part->lanes) {
    bool writes;
    uint64_t old = emu_read(&part->target, addresses[lane], lane, atomic->size);
    uint64_t operand = emu_lane(worker, op->src[0], lane) & mask;
    uint64_t second = op->src[1].ref == REF_NONE ? 0 : emu_lane(worker, op->src[1], lane) & mask;
    uint64_t fresh = new_value(atomic, old, operand, second, &writes) & mask;
    update->found[lane] = old;
    update->stored[lane] = writes ? fresh : old;
    if (!writes)
      continue;
    emu_write(&part->target, addresses[lane], lane, atomic->size, fresh);
    update->wrote |= 1u << lane;
  }
}

static bool has_changed(const Part *part, const Update *update) {
  LANES_EACH(lane, part->lanes)
  if (update->found[lane] != update->stored[lane])
    return true;
  return false;
}

static void check_defined(Worker *worker, const Op *op, const Part *part,
                          const uint64_t *addresses) {
  const Instruction *atomic = op->instruction;
  uint32_t undefined = 0;
  if (part->target.defined)
    LANES_EACH(lane, part->lanes)
  undefined |= (uint32_t)!emu_is_defined(&part->target, addresses[lane], atomic->size) << lane;
  emu_define_lanes(part, addresses, part->lanes, atomic->size);
  if (undefined && atomic->atom != ATOM_EXCH)
    emu_fault_at(worker, op, RULE_UNINITIALISED, undefined, addresses[__builtin_ctz(undefined)],
                 atomic->size, (Space)atomic->space);
}

static void show(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
                 const Update *update) {
  EmuAccess access = emu_access_of(op->instruction, EMU_ATOMIC);
  access.is_strong = true;
  access.has_result = op->instruction->op == IR_ATOM;
  access.values = update->found;
  access.stored = update->stored;
  access.wrote = update->wrote;
  emu_show(worker, op, part, addresses, access);
}

static void update_part(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  Update update;
  check_defined(worker, op, part, addresses);
  if (is_plain_sum(op->instruction))
    add_lanes(worker, op, part, addresses, &update);
  else
    update_lanes(worker, op, part, addresses, &update);
  worker->block->changes += has_changed(part, &update);
  if (worker->watcher)
    show(worker, op, part, addresses, &update);
  if (op->dst.ref != REF_NONE)
    LANES_EACH(lane, part->lanes)
  emu_set_lane(worker, op->dst, lane, update.found[lane]);
}

void op_atomic(Worker *worker, const Op *op) {
  const Instruction *atomic = op->instruction;
  uint64_t addresses[LANES];
  Part part;
  emu_find_addresses(worker, op->address, atomic->offset, (Space)atomic->space, addresses);
  if (emu_is_shared_access(worker, atomic, addresses) && emu_defer(worker))
    return;
  uint32_t todo = worker->lanes;
  worker->block->accesses += (uint32_t)__builtin_popcount(todo);
  while (emu_next_part(worker, op, addresses, &todo, &part)) {
    if (part.target.is_read_only)
      emu_fault_at(worker, op, RULE_OUT_OF_BOUNDS, part.lanes, addresses[__builtin_ctz(part.lanes)],
                   atomic->size, (Space)atomic->space);
    else
      update_part(worker, op, &part, addresses);
  }
  if (--worker->slice <= 0)
    emu_leave(worker);
}
