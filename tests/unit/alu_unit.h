// What the tests of src/ir/alu*.c share: one operation with its operands and its expected results.
#ifndef WARPSAN_TESTS_UNIT_ALU_UNIT_H
#define WARPSAN_TESTS_UNIT_ALU_UNIT_H

#include "unit.h"

#include "ir/alu.h"

typedef struct AluCase {
  AluOperation operation;
  uint64_t operands[ALU_MAX_OPERANDS];
  uint64_t results[ALU_MAX_RESULTS];
} AluCase;

#define ALU_OPERATION(op_, type_)                                                                  \
  { .op = ALU_##op_, .type = ALU_TYPE_##type_ }
#define ALU_OPERATION_WITH(op_, type_, ...)                                                        \
  { .op = ALU_##op_, .type = ALU_TYPE_##type_, __VA_ARGS__ }

static inline void alu_check(const AluCase *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const AluCase *c = &cases[i];
    uint64_t results[ALU_MAX_RESULTS] = {0};
    char name[64];
    alu_print(&c->operation, name, sizeof name);
    alu_compute(&c->operation, c->operands, results);
    for (uint32_t j = 0; j < alu_result_count(&c->operation); j++)
      if (results[j] != c->results[j])
        fail_msg("case %zu, %s: result %u is %#llx, not %#llx", i, name, j,
                 (unsigned long long)results[j], (unsigned long long)c->results[j]);
  }
}

#define ALU_CHECK(cases) alu_check(cases, sizeof(cases) / sizeof *(cases))

static inline uint64_t alu_one(AluOperation operation, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t operands[ALU_MAX_OPERANDS] = {a, b, c}, results[ALU_MAX_RESULTS] = {0};
  alu_compute(&operation, operands, results);
  return results[0];
}

// A generator of test values that is the same everywhere.
static inline uint64_t alu_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

// The bits of host numbers, for comparison with what the host computes.
static inline uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline uint64_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

#endif
