// Every fast function of the emulator computes what alu_compute does: on edge values and random
// ones, with all lanes and with some, on every instruction set that this machine has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "emu/vector.h"

enum { ROUNDS = 64 };

// Registers of a warp: operands, result, predicates.
typedef struct File {
  uint64_t operands[ALU_MAX_OPERANDS][LANES] __attribute__((aligned(64)));
  uint64_t result[LANES] __attribute__((aligned(64)));
} File;

static const uint64_t edges[] = {
    0,
    1,
    2,
    31,
    32,
    63,
    64,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x7f800000, // infinity of f32
    0xff800000, // its negative
    0x7fc00001, // NaNs
    0xffc00000,
    0x7f800001,
    0x3f800000, // 1
    0xbf800000,
    0x00800000, // the least normal number
    0x007fffff, // subnormal
    0x80000001,
    0x00000001,
    0x7f7fffff,          // the greatest number
    0x4b800000,          // 2^24
    0x7ff0000000000000u, // infinity of f64
    0xfff0000000000000u,
    0x7ff8000000000001u,
    0x7ff0000000000001u,
    0xfff8000000000123u,
    0x3ff0000000000000u,
    0x8000000000000000u,
    0x7fffffffffffffffu,
    0x000fffffffffffffu,
    0x0010000000000000u,
    0x47efffffe0000000u, // the greatest f32 as f64
    0x3690000000000000u, // half the least f32 as f64
    0xffffffffffffffffu,
};

static uint64_t pick(uint64_t *random) {
  uint64_t number = emu_random(random);
  if (number % 3 == 0)
    return edges[(number >> 8) % (sizeof edges / sizeof *edges)];
  if (number % 3 == 1) // of a usual size as f32
    return (number & 0x807fffff) | (0x70 + (number >> 32) % 32) << 23;
  return emu_random(random);
}

static RegisterClass class_of(uint8_t type) {
  uint32_t bits = alu_type_bits((AluType)type);
  return bits == 1 ? CLASS_PREDICATE : bits <= 32 ? CLASS_32 : CLASS_64;
}

static Value value_at(size_t offset, uint8_t type) {
  return (Value){(Ref)(offset << 2 | BASE_WARP), (uint8_t)class_of(type), 0};
}

static uint64_t truncated(uint64_t number, uint8_t type) {
  uint32_t bits = alu_type_bits((AluType)type);
  return bits >= 64 ? number : number & ((1ull << bits) - 1);
}

static void check_lane(const AluOperation *operation, const AluSignature *signature,
                       const Worker *worker, const Op *op, const uint64_t old, uint32_t lane,
                       const uint64_t operands[ALU_MAX_OPERANDS]) {
  uint64_t expected[ALU_MAX_RESULTS], found = emu_lane(worker, op->dst, lane);
  alu_compute(operation, operands, expected);
  if (!(worker->lanes >> lane & 1))
    expected[0] = old;
  if (found == expected[0])
    return;
  char text[64];
  alu_print(operation, text, sizeof text);
  fail_msg("%s, lane %u of %08x: %llx %llx %llx -> %llx, expected %llx", text, lane, worker->lanes,
           (unsigned long long)operands[0], (unsigned long long)operands[1],
           (unsigned long long)operands[2], (unsigned long long)found,
           (unsigned long long)expected[0]);
  (void)signature;
}

static void check_round(const VectorRow *row, uint64_t *random, uint32_t lanes) {
  File file;
  AluOperation operation = row->operation;
  if (operation.op == ALU_LOP3)
    operation.mode = (uint8_t)emu_random(random);
  Instruction instruction = {.op = IR_ALU, .alu = &operation};
  AluSignature signature = alu_signature(&operation);
  Op op = {.instruction = &instruction, .src = {{.ref = REF_NONE}, {.ref = REF_NONE}}};
  Worker worker = {.bases = {(uint8_t *)&file}, .lanes = lanes, .is_full = lanes == ALL_LANES};
  uint64_t operands[LANES][ALU_MAX_OPERANDS] = {{0}}, old[LANES];
  for (uint32_t i = 0; i < signature.operand_count; i++)
    op.src[i] =
        value_at(offsetof(File, operands) + i * sizeof file.operands[0], signature.operands[i]);
  op.dst = value_at(offsetof(File, result), signature.results[0]);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    for (uint32_t i = 0; i < signature.operand_count; i++) {
      operands[lane][i] = truncated(pick(random), signature.operands[i]);
      emu_set_lane(&worker, op.src[i], lane, operands[lane][i]);
    }
    old[lane] = truncated(pick(random), signature.results[0]);
    emu_set_lane(&worker, op.dst, lane, old[lane]);
  }
  row->run(&worker, &op);
  for (uint32_t lane = 0; lane < LANES; lane++)
    check_lane(&operation, &signature, &worker, &op, old[lane], lane, operands[lane]);
}

static void check_table(const VectorRow *rows, uint32_t count) {
  uint64_t random = 1;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t round = 0; round < ROUNDS; round++)
      check_round(&rows[i], &random, round % 2 ? ALL_LANES : (uint32_t)emu_random(&random) | 1);
}

static void plain_functions(void **state) {
  (void)state;
  check_table(vector_plain, vector_plain_count);
}

static void avx2_functions(void **state) {
  (void)state;
  if (!emu_has_avx2())
    skip();
  check_table(vector_avx2, vector_avx2_count);
}

// A result may lie where an operand did.
static void in_place(void **state) {
  (void)state;
  uint32_t lanes[LANES] __attribute__((aligned(64)));
  AluOperation operation = {.op = ALU_ADD, .type = ALU_TYPE_U32};
  Instruction instruction = {.op = IR_ALU, .alu = &operation};
  Value place = {BASE_WARP, CLASS_32, 0};
  Op op = {.instruction = &instruction, .dst = place, .src = {place, place}};
  Worker worker = {.bases = {(uint8_t *)lanes}, .lanes = ALL_LANES, .is_full = true};
  for (uint32_t i = 0; i < LANES; i++)
    lanes[i] = i;
  emu_find_vector(&operation, emu_has_avx2())(&worker, &op);
  for (uint32_t i = 0; i < LANES; i++)
    assert_int_equal(lanes[i], 2 * i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_functions),
      cmocka_unit_test(avx2_functions),
      cmocka_unit_test(in_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
