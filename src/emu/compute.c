// Operations without a fast function: the reference, lane by lane.
#include "emu/loop.h"
#include "emu/ops.h"
#include "emu/vector.h"
#include "emu/warp.h"

uint64_t emu_random(uint64_t *state) {
  // splitmix64
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

void op_nothing(Worker *worker, const Op *op) {
  (void)worker;
  (void)op;
}

void op_alu(Worker *worker, const Op *op) {
  const AluOperation *operation = op->instruction->alu;
  uint32_t operand_count = alu_operand_count(operation), result_count = alu_result_count(operation);
  LANES_EACH(lane, worker->lanes) {
    uint64_t operands[ALU_MAX_OPERANDS] = {0}, results[ALU_MAX_RESULTS] = {0};
    for (uint32_t i = 0; i < operand_count; i++)
      operands[i] = emu_lane(worker, op->src[i], lane);
    alu_compute(operation, operands, results);
    emu_set_lane(worker, op->dst, lane, results[0]);
    for (uint32_t i = 1; i < result_count; i++)
      emu_set_lane(worker, op->more[i - 1], lane, results[i]);
  }
}

// Registers of one width; those of 8 and 16 bits are cut.
static bool is_plain_move(const Op *op) {
  return op->dst.ref != REF_NONE && op->dst.class == op->src[0].class &&
         op->dst.class != CLASS_PREDICATE && (!op->dst.bits || op->dst.bits >= 32);
}

void op_move(Worker *worker, const Op *op) {
  if (is_plain_move(op)) {
    void *to = emu_ref(worker, op->dst.ref);
    const void *from = emu_ref(worker, op->src[0].ref);
    if (worker->is_full)
      memmove(to, from, op->dst.class == CLASS_64 ? 8 * LANES : 4 * LANES);
    else
      worker->emu->vector->blend(worker, to, from, (RegisterClass)op->dst.class);
    return;
  }
  LANES_EACH(lane, worker->lanes)
  emu_set_lane(worker, op->dst, lane, emu_lane(worker, op->src[0], lane));
}

void op_compute(Worker *worker, const Op *op) {
  LANES_EACH(lane, worker->lanes) {
    int64_t a = (int64_t)emu_lane(worker, op->src[0], lane);
    int64_t b = (int64_t)emu_lane(worker, op->src[1], lane);
    emu_set_lane(worker, op->dst, lane, (uint64_t)ir_compute(op->instruction->op, a, b));
  }
}

void op_address(Worker *worker, const Op *op) {
  LANES_EACH(lane, worker->lanes) {
    uint64_t address = emu_lane(worker, op->src[0], lane);
    uint64_t operand = op->src[1].ref == REF_NONE ? 0 : emu_lane(worker, op->src[1], lane);
    emu_set_lane(worker, op->dst, lane,
                 memory_convert_at(worker->block->seen.cluster_rank,
                                   (AddressConversion)op->instruction->conversion, address,
                                   operand));
  }
}

// Time goes on with the instructions of the block: it is the same in each run.
void op_clock(Worker *worker, const Op *op) {
  Block *block = worker->block;
  if (worker->emu->is_watching_loops && worker->group->clock_reads++ < LOOP_MOST_LEAPS)
    block->clock_skew += 1ull << worker->group->clock_reads;
  uint64_t now = block->clock_skew++ + block->total_instructions + block->instructions;
  LANES_EACH(lane, worker->lanes)
  emu_set_lane(worker, op->dst, lane, now);
}

void op_unsupported(Worker *worker, const Op *op) {
  if (!worker->block->unsupported)
    worker->block->unsupported = op;
  emu_exit_lanes(worker, worker->lanes);
}
