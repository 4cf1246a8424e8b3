// Loads, stores and atomics of 16 bytes, which are single-copy atomic: two words of each lane.
#include "emu/access.h"
#include "emu/fault.h"
#include "emu/ops.h"
#include "emu/warp.h"

enum { WORD_BYTES = 8, WIDE_BYTES = 16 };

static void read_pair(const Part *part, const uint64_t *addresses, uint32_t lane,
                      uint64_t words[2]) {
  for (uint32_t i = 0; i < 2; i++)
    words[i] =
        emu_read(&part->target, addresses[lane] + (uint64_t)WORD_BYTES * i, lane, WORD_BYTES);
}

static void write_pair(const Part *part, const uint64_t *addresses, uint32_t lane,
                       const uint64_t words[2]) {
  for (uint32_t i = 0; i < 2; i++)
    emu_write(&part->target, addresses[lane] + (uint64_t)WORD_BYTES * i, lane, WORD_BYTES,
              words[i]);
}

// Words 2 * i and 2 * i + 1 of the operands.
static void operand_pair(const Worker *worker, const Op *op, uint32_t i, uint32_t lane,
                         uint64_t words[2]) {
  for (uint32_t j = 0; j < 2; j++)
    words[j] = emu_lane(worker, op->src[2 * i + j], lane);
}

static void set_pair(const Worker *worker, const Op *op, uint32_t lane, const uint64_t words[2]) {
  emu_set_lane(worker, op->dst, lane, words[0]);
  emu_set_lane(worker, op->more[0], lane, words[1]);
}

static void check_defined(Worker *worker, const Op *op, const Part *part,
                          const uint64_t *addresses) {
  uint32_t undefined = 0;
  LANES_EACH(lane, part->target.defined ? part->lanes : 0)
  undefined |= (uint32_t)!emu_is_defined(&part->target, addresses[lane], WIDE_BYTES) << lane;
  if (undefined)
    emu_fault_at(worker, op, RULE_UNINITIALISED, undefined, addresses[__builtin_ctz(undefined)],
                 WIDE_BYTES, (Space)op->instruction->space);
}

// Nothing may be written there: those lanes have come to their end.
static bool is_at_fault(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  if (!part->target.is_read_only)
    return false;
  emu_fault_at(worker, op, RULE_OUT_OF_BOUNDS, part->lanes, addresses[__builtin_ctz(part->lanes)],
               WIDE_BYTES, (Space)op->instruction->space);
  emu_exit_lanes(worker, part->lanes);
  return true;
}

static void load_part(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  check_defined(worker, op, part, addresses);
  LANES_EACH(lane, part->lanes) {
    uint64_t words[2];
    read_pair(part, addresses, lane, words);
    set_pair(worker, op, lane, words);
  }
  if (worker->watcher)
    emu_show(worker, op, part, addresses, emu_access_of(op->instruction, EMU_READ));
}

static void store_part(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  if (is_at_fault(worker, op, part, addresses))
    return;
  if (worker->watcher)
    emu_show(worker, op, part, addresses, emu_access_of(op->instruction, EMU_WRITE));
  LANES_EACH(lane, part->lanes) {
    uint64_t words[2];
    operand_pair(worker, op, 0, lane, words);
    write_pair(part, addresses, lane, words);
  }
  emu_define_lanes(part, addresses, part->lanes, WIDE_BYTES);
}

// Exchange, or compare and swap.
static bool update_lane(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
                        uint32_t lane) {
  uint64_t old[2], first[2], fresh[2];
  bool is_cas = op->instruction->atom != ATOM_EXCH;
  read_pair(part, addresses, lane, old);
  operand_pair(worker, op, 0, lane, first);
  if (is_cas)
    operand_pair(worker, op, 1, lane, fresh);
  set_pair(worker, op, lane, old);
  bool is_equal = old[0] == first[0] && old[1] == first[1];
  if (is_cas && !is_equal)
    return false;
  const uint64_t *stored = is_cas ? fresh : first;
  write_pair(part, addresses, lane, stored);
  worker->block->changes += old[0] != stored[0] || old[1] != stored[1];
  return true;
}

static void update_part(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  EmuAccess access = emu_access_of(op->instruction, EMU_ATOMIC);
  if (is_at_fault(worker, op, part, addresses))
    return;
  if (op->instruction->atom != ATOM_EXCH)
    check_defined(worker, op, part, addresses);
  emu_define_lanes(part, addresses, part->lanes, WIDE_BYTES);
  access.is_strong = true;
  access.has_result = op->instruction->op == IR_ATOM;
  LANES_EACH(lane, part->lanes)
  access.wrote |= (uint32_t)update_lane(worker, op, part, addresses, lane) << lane;
  if (worker->watcher)
    emu_show(worker, op, part, addresses, access);
}

void op_wide(Worker *worker, const Op *op) {
  const Instruction *access = op->instruction;
  uint64_t addresses[LANES];
  Part part;
  emu_find_addresses(worker, op->address, access->offset, (Space)access->space, addresses);
  if (emu_is_shared_access(worker, access, addresses) && emu_defer(worker))
    return;
  uint32_t todo = worker->lanes;
  worker->block->accesses += (uint32_t)__builtin_popcount(todo);
  worker->block->changes += access->op == IR_STORE;
  while (emu_next_part(worker, op, addresses, &todo, &part)) {
    if (access->op == IR_LOAD)
      load_part(worker, op, &part, addresses);
    else if (access->op == IR_STORE)
      store_part(worker, op, &part, addresses);
    else
      update_part(worker, op, &part, addresses);
  }
  if (--worker->slice <= 0)
    emu_leave(worker);
}
