// Comparison and selection: every comparison of ordered and unordered operands, by a table.
#include "alu_unit.h"

#define OP ALU_OPERATION
#define OP_WITH ALU_OPERATION_WITH

enum { ORDER_LESS = 1, ORDER_EQUAL = 2, ORDER_GREATER = 4, ORDER_NONE = 8 };

// In which orders of its operands a comparison holds; ORDER_NONE: one is a NaN.
static const uint8_t truth[] = {
    [ALU_COMPARE_EQ] = ORDER_EQUAL,
    [ALU_COMPARE_NE] = ORDER_LESS | ORDER_GREATER,
    [ALU_COMPARE_LT] = ORDER_LESS,
    [ALU_COMPARE_LE] = ORDER_LESS | ORDER_EQUAL,
    [ALU_COMPARE_GT] = ORDER_GREATER,
    [ALU_COMPARE_GE] = ORDER_GREATER | ORDER_EQUAL,
    [ALU_COMPARE_LO] = ORDER_LESS,
    [ALU_COMPARE_LS] = ORDER_LESS | ORDER_EQUAL,
    [ALU_COMPARE_HI] = ORDER_GREATER,
    [ALU_COMPARE_HS] = ORDER_GREATER | ORDER_EQUAL,
    [ALU_COMPARE_EQU] = ORDER_EQUAL | ORDER_NONE,
    [ALU_COMPARE_NEU] = ORDER_LESS | ORDER_GREATER | ORDER_NONE,
    [ALU_COMPARE_LTU] = ORDER_LESS | ORDER_NONE,
    [ALU_COMPARE_LEU] = ORDER_LESS | ORDER_EQUAL | ORDER_NONE,
    [ALU_COMPARE_GTU] = ORDER_GREATER | ORDER_NONE,
    [ALU_COMPARE_GEU] = ORDER_GREATER | ORDER_EQUAL | ORDER_NONE,
    [ALU_COMPARE_NUM] = ORDER_LESS | ORDER_EQUAL | ORDER_GREATER,
    [ALU_COMPARE_NAN] = ORDER_NONE,
};

typedef struct Pair {
  AluType type;
  uint64_t a, b;
  uint8_t order;
} Pair;

static const Pair pairs[] = {
    {ALU_TYPE_S16, 0xffff, 1, ORDER_LESS},
    {ALU_TYPE_U16, 0xffff, 1, ORDER_GREATER},
    {ALU_TYPE_S32, 0x80000000, 0x7fffffff, ORDER_LESS},
    {ALU_TYPE_U32, 0x80000000, 0x7fffffff, ORDER_GREATER},
    {ALU_TYPE_B32, 0x100000005, 5, ORDER_EQUAL},
    {ALU_TYPE_S64, UINT64_MAX, 0, ORDER_LESS},
    {ALU_TYPE_U64, UINT64_MAX, 0, ORDER_GREATER},
    {ALU_TYPE_F32, 0, 0x80000000, ORDER_EQUAL},
    {ALU_TYPE_F32, 0xbf800000, 0x3f800000, ORDER_LESS},
    {ALU_TYPE_F32, 0xbf800000, 0xc0000000, ORDER_GREATER},
    {ALU_TYPE_F32, 0x7f800000, 0x7f800000, ORDER_EQUAL},
    {ALU_TYPE_F32, 0x7fc00000, 0x7fc00000, ORDER_NONE},
    {ALU_TYPE_F32, 0, 0xff800001, ORDER_NONE},
    {ALU_TYPE_F64, 1, 0x8000000000000001, ORDER_GREATER},
    {ALU_TYPE_F64, 0x7ff0000000000000, 0x7fefffffffffffff, ORDER_GREATER},
    {ALU_TYPE_F64, 0x7ff0000000000001, 0, ORDER_NONE},
    {ALU_TYPE_F16, 0x8000, 0, ORDER_EQUAL},
    {ALU_TYPE_F16, 0x7c01, 0, ORDER_NONE},
    {ALU_TYPE_BF16, 0x3f80, 0x3f81, ORDER_LESS},
};

static void every_comparison(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (size_t j = 0; j < sizeof truth; j++) {
      AluOperation operation = {
          .op = ALU_SETP, .type = (uint8_t)pairs[i].type, .compare = (uint8_t)j, .flags = ALU_PAIR};
      uint64_t operands[] = {pairs[i].a, pairs[i].b}, results[2];
      bool expected = truth[j] & pairs[i].order;
      alu_compute(&operation, operands, results);
      if (results[0] != expected || results[1] != !expected)
        fail_msg("pair %zu, comparison %zu", i, j);
    }
}

static void combinations(void **state) {
  (void)state;
  static const bool expected[][2][2] = {
      [ALU_COMBINE_AND] = {{0, 0}, {0, 1}},
      [ALU_COMBINE_OR] = {{0, 1}, {1, 1}},
      [ALU_COMBINE_XOR] = {{0, 1}, {1, 0}},
  };
  for (int combine = ALU_COMBINE_AND; combine <= ALU_COMBINE_XOR; combine++)
    for (uint64_t i = 0; i < 8; i++) {
      uint64_t is_equal = i & 1, c = i >> 1 & 1, is_negated = i >> 2;
      AluOperation operation = {.op = ALU_SETP,
                                .type = ALU_TYPE_U32,
                                .combine = (uint8_t)combine,
                                .flags = ALU_PAIR | (is_negated ? ALU_NEGATED : 0)};
      uint64_t operands[] = {7, is_equal ? 7 : 8, c}, results[2];
      alu_compute(&operation, operands, results);
      assert_int_equal(results[0], expected[combine][is_equal][c ^ is_negated]);
      assert_int_equal(results[1], expected[combine][!is_equal][c ^ is_negated]);
    }
}

static void packed_operands(void **state) {
  (void)state;
  static const AluCase cases[] = {
      // The lanes are compared apart: the lower one first.
      {OP_WITH(SETP, F16X2, .compare = ALU_COMPARE_LT, .flags = ALU_PAIR),
       {0x3c000000, 0x00003c00},
       {1, 0}},
      {OP_WITH(SETP, F16X2, .compare = ALU_COMPARE_LT, .combine = ALU_COMBINE_OR,
               .flags = ALU_PAIR),
       {0x3c000000, 0x00003c00, 1},
       {1, 1}},
      {OP_WITH(SET, F16X2, .source = ALU_TYPE_F16X2, .compare = ALU_COMPARE_GT),
       {0x3c000000, 0x00003c00},
       {0x3c000000}},
      {OP_WITH(SET, U32, .source = ALU_TYPE_F16X2, .compare = ALU_COMPARE_GT),
       {0x3c000000, 0x00003c00},
       {0xffff0000}},
      {OP_WITH(SET, BF16X2, .source = ALU_TYPE_BF16X2, .compare = ALU_COMPARE_EQ),
       {5, 5},
       {0x3f803f80}},
  };
  ALU_CHECK(cases);
}

static void results_of_set(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP_WITH(SET, U32, .source = ALU_TYPE_S32), {5, 5}, {0xffffffff}},
      {OP_WITH(SET, S32, .source = ALU_TYPE_S32), {5, 6}, {0}},
      {OP_WITH(SET, F32, .source = ALU_TYPE_F64), {0, 0}, {0x3f800000}},
      {OP_WITH(SET, U16, .source = ALU_TYPE_F16), {0, 0x8000}, {0xffff}},
      {OP_WITH(SET, F16, .source = ALU_TYPE_U64), {9, 9}, {0x3c00}},
      {OP_WITH(SET, BF16, .source = ALU_TYPE_F32), {0, 0}, {0x3f80}},
      {OP_WITH(SET, U32, .source = ALU_TYPE_U32, .combine = ALU_COMBINE_AND), {5, 5, 0}, {0}},
      {OP_WITH(SET, U32, .source = ALU_TYPE_F32, .flags = ALU_FTZ), {1, 0x80000002}, {0xffffffff}},
      {OP_WITH(SET, U32, .source = ALU_TYPE_F32), {1, 0x80000002}, {0}},
  };
  ALU_CHECK(cases);
}

static void selections(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(SELP, B64), {1, 2, 1}, {1}},
      {OP(SELP, B64), {1, 2, 0}, {2}},
      {OP(SELP, B16), {0x10001, 2, 1}, {1}},
      {OP_WITH(SLCT, U32, .source = ALU_TYPE_S32), {1, 2, 0}, {1}},
      {OP_WITH(SLCT, U32, .source = ALU_TYPE_S32), {1, 2, 0x80000000}, {2}},
      {OP_WITH(SLCT, U64, .source = ALU_TYPE_F32), {1, 2, 0x80000000}, {1}}, // -0
      {OP_WITH(SLCT, U64, .source = ALU_TYPE_F32), {1, 2, 0x7fc00000}, {2}},
      {OP_WITH(SLCT, U64, .source = ALU_TYPE_F32), {1, 2, 0x80000001}, {2}},
      {OP_WITH(SLCT, U64, .source = ALU_TYPE_F32, .flags = ALU_FTZ), {1, 2, 0x80000001}, {1}},
  };
  ALU_CHECK(cases);
}

// Columns: finite, infinite, number, not a number, normal, subnormal.
static void properties(void **state) {
  (void)state;
  static const struct {
    AluType type;
    uint64_t value;
    const char *answers;
  } rows[] = {
      {ALU_TYPE_F32, 0, "101010"},
      {ALU_TYPE_F32, 0x80000000, "101010"},
      {ALU_TYPE_F32, 0x3f800000, "101010"},
      {ALU_TYPE_F32, 0x00800000, "101010"},
      {ALU_TYPE_F32, 0x807fffff, "101001"},
      {ALU_TYPE_F32, 0xff800000, "011000"},
      {ALU_TYPE_F32, 0x7fc00000, "000100"},
      {ALU_TYPE_F64, 1, "101001"},
      {ALU_TYPE_F64, 0x7ff0000000000000, "011000"},
      {ALU_TYPE_F64, 0x7ff0000000000001, "000100"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint8_t test = 0; test < 6; test++) {
      AluOperation operation = {.op = ALU_TESTP, .type = (uint8_t)rows[i].type, .mode = test};
      assert_int_equal(alu_one(operation, rows[i].value, 0, 0), rows[i].answers[test] - '0');
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(every_comparison), UNIT_TEST(combinations), UNIT_TEST(packed_operands),
      UNIT_TEST(results_of_set),   UNIT_TEST(selections),   UNIT_TEST(properties),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
