// Which fast function an operation has.
#include "emu/vector.h"

bool emu_has_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

const VectorHelpers *emu_vector_helpers(void) {
  return emu_has_avx2() ? &vector_avx2_helpers : &vector_plain_helpers;
}

// What a fast function does not look at.
static AluOperation key_of(const AluOperation *operation) {
  AluOperation key = *operation;
  if (key.op == ALU_LOP3)
    key.mode = 0;
  if (key.op == ALU_CVT) {
    // A destination that is wider than the type is filled by sign or zeros.
    if (key.width <= alu_type_bits((AluType)key.type))
      key.width = 0;
  }
  return key;
}

OpRun *emu_find_vector(const AluOperation *operation, bool has_avx2) {
  AluOperation key = key_of(operation);
  const VectorRow *rows = has_avx2 ? vector_avx2 : vector_plain;
  uint32_t count = has_avx2 ? vector_avx2_count : vector_plain_count;
  for (uint32_t i = 0; i < count; i++)
    if (memcmp(&rows[i].operation, &key, sizeof key) == 0)
      return rows[i].run;
  return NULL;
}

void vector_repair(const Worker *worker, const Op *op, uint32_t lanes, void *results,
                   uint32_t bits) {
  uint32_t count = alu_operand_count(op->instruction->alu);
  LANES_EACH(lane, lanes) {
    uint64_t operands[ALU_MAX_OPERANDS], computed[ALU_MAX_RESULTS];
    for (uint32_t i = 0; i < count; i++)
      operands[i] = emu_lane(worker, op->src[i], lane);
    alu_compute(op->instruction->alu, operands, computed);
    if (bits == 32) {
      uint32_t narrow = (uint32_t)computed[0];
      memcpy((uint8_t *)results + 4 * lane, &narrow, sizeof narrow);
    } else {
      memcpy((uint8_t *)results + 8 * lane, &computed[0], sizeof computed[0]);
    }
  }
}
