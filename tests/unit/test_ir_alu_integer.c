// Integer arithmetic at its edges: the expected values are C's own or computed by hand.
#include "alu_unit.h"

#define OP ALU_OPERATION
#define OP_WITH ALU_OPERATION_WITH

static const int64_t edges[] = {
    0,         1,         2,          3,         7,         -1,         -2,
    -3,        INT8_MAX,  INT8_MIN,   UINT8_MAX, INT16_MAX, INT16_MIN,  UINT16_MAX,
    INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN, 0x12345678, 0x123456789abcdef,
};

enum { EDGE_COUNT = sizeof edges / sizeof *edges };

// Each operation on one type, in C: conversions to narrow types wrap, as gcc and clang define it.
#define DEFINE_REFERENCE(name, number, unsigned_type, wide, unsigned_wide, bits)                   \
  static void name(AluType alu_type) {                                                             \
    for (size_t i = 0; i < EDGE_COUNT * EDGE_COUNT; i++) {                                         \
      number a = (number)edges[i / EDGE_COUNT], b = (number)edges[i % EDGE_COUNT];                 \
      uint64_t x = (unsigned_type)a, y = (unsigned_type)b;                                         \
      wide product = (wide)((unsigned_wide)a * (unsigned_wide)b);                                  \
      AluOperation operation = {.type = (uint8_t)alu_type};                                        \
      operation.op = ALU_ADD;                                                                      \
      assert_int_equal(alu_one(operation, x, y, 0), (unsigned_type)(x + y));                       \
      operation.op = ALU_SUB;                                                                      \
      assert_int_equal(alu_one(operation, x, y, 0), (unsigned_type)(x - y));                       \
      operation.op = ALU_MIN;                                                                      \
      assert_int_equal(alu_one(operation, x, y, 0), (unsigned_type)(a < b ? a : b));               \
      operation.op = ALU_MAX;                                                                      \
      assert_int_equal(alu_one(operation, x, y, 0), (unsigned_type)(a > b ? a : b));               \
      operation.op = ALU_SAD;                                                                      \
      assert_int_equal(alu_one(operation, x, y, 5), (unsigned_type)(5 + (a < b ? y - x : x - y))); \
      operation.op = ALU_MUL;                                                                      \
      assert_int_equal(alu_one(operation, x, y, 0), (unsigned_type)product);                       \
      operation.half = ALU_HALF_HIGH;                                                              \
      assert_int_equal(alu_one(operation, x, y, 0), (unsigned_type)(product >> bits));             \
      operation.op = ALU_MAD;                                                                      \
      assert_int_equal(alu_one(operation, x, y, 9),                                                \
                       (unsigned_type)((unsigned_type)(product >> bits) + 9));                     \
    }                                                                                              \
  }

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

DEFINE_REFERENCE(check_s16, int16_t, uint16_t, int32_t, uint32_t, 16)
DEFINE_REFERENCE(check_u16, uint16_t, uint16_t, uint32_t, uint32_t, 16)
DEFINE_REFERENCE(check_s32, int32_t, uint32_t, int64_t, uint64_t, 32)
DEFINE_REFERENCE(check_u32, uint32_t, uint32_t, uint64_t, uint64_t, 32)
DEFINE_REFERENCE(check_s64, int64_t, uint64_t, Wide, UnsignedWide, 64)
DEFINE_REFERENCE(check_u64, uint64_t, uint64_t, UnsignedWide, UnsignedWide, 64)

static void all_types_wrap_as_in_c(void **state) {
  (void)state;
  check_s16(ALU_TYPE_S16);
  check_u16(ALU_TYPE_U16);
  check_s32(ALU_TYPE_S32);
  check_u32(ALU_TYPE_U32);
  check_s64(ALU_TYPE_S64);
  check_u64(ALU_TYPE_U64);
}

static void wide_products(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP_WITH(MUL, U16, .half = ALU_HALF_WIDE), {0xffff, 0xffff}, {0xfffe0001}},
      {OP_WITH(MUL, S16, .half = ALU_HALF_WIDE), {0xffff, 0xffff}, {1}},
      {OP_WITH(MUL, S16, .half = ALU_HALF_WIDE), {0x8000, 1}, {0xffff8000}},
      {OP_WITH(MUL, U32, .half = ALU_HALF_WIDE), {0xffffffff, 0xffffffff}, {0xfffffffe00000001}},
      {OP_WITH(MUL, S32, .half = ALU_HALF_WIDE), {0x80000000, 0x80000000}, {0x4000000000000000}},
      {OP_WITH(MUL, S32, .half = ALU_HALF_WIDE), {0xffffffff, 2}, {0xfffffffffffffffe}},
      {OP_WITH(MAD, S32, .half = ALU_HALF_WIDE), {0xffffffff, 4, 3}, {UINT64_MAX}},
      {OP_WITH(MAD, U32, .half = ALU_HALF_WIDE),
       {0xffffffff, 0xffffffff, UINT64_MAX},
       {0xfffffffe00000000}},
  };
  ALU_CHECK(cases);
}

static void saturation(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP_WITH(ADD, S32, .flags = ALU_SAT), {0x7fffffff, 1}, {0x7fffffff}},
      {OP_WITH(ADD, S32, .flags = ALU_SAT), {0x80000000, 0xffffffff}, {0x80000000}},
      {OP_WITH(ADD, S32, .flags = ALU_SAT), {0x7fffffff, 0xffffffff}, {0x7ffffffe}},
      {OP_WITH(SUB, S32, .flags = ALU_SAT), {0x80000000, 1}, {0x80000000}},
      {OP_WITH(SUB, S32, .flags = ALU_SAT), {0, 0x80000000}, {0x7fffffff}},
      {OP_WITH(SUB, S32, .flags = ALU_SAT), {5, 7}, {0xfffffffe}},
      // The product's upper half is 1.
      {OP_WITH(MAD, S32, .half = ALU_HALF_HIGH, .flags = ALU_SAT),
       {0x40000000, 4, 0x7fffffff},
       {0x7fffffff}},
      {OP_WITH(MAD, S32, .half = ALU_HALF_HIGH, .flags = ALU_SAT),
       {0x40000000, 4, 0x7ffffffe},
       {0x7fffffff}},
      {OP_WITH(MAD, S32, .half = ALU_HALF_HIGH, .flags = ALU_SAT),
       {0xffffffff, 1, 0x80000000},
       {0x80000000}},
  };
  ALU_CHECK(cases);
}

static void carries(void **state) {
  (void)state;
  enum { OUT = ALU_CARRY_OUT, IN = ALU_CARRY_IN, BOTH = OUT | IN };
  static const AluCase cases[] = {
      {OP_WITH(ADD, U32, .flags = OUT), {0xffffffff, 1}, {0, 1}},
      {OP_WITH(ADD, U32, .flags = OUT), {0xfffffffe, 1}, {0xffffffff, 0}},
      {OP_WITH(ADD, U32, .flags = BOTH), {0xffffffff, 0, 1}, {0, 1}},
      {OP_WITH(ADD, U32, .flags = BOTH), {0xffffffff, 0xffffffff, 1}, {0xffffffff, 1}},
      {OP_WITH(ADD, U32, .flags = IN), {1, 2, 1}, {4}},
      {OP_WITH(ADD, U64, .flags = OUT), {UINT64_MAX, 1}, {0, 1}},
      {OP_WITH(ADD, U64, .flags = BOTH), {UINT64_MAX, 0, 1}, {0, 1}},
      {OP_WITH(ADD, U64, .flags = BOTH), {UINT64_MAX, UINT64_MAX, 1}, {UINT64_MAX, 1}},
      {OP_WITH(ADD, U64, .flags = BOTH), {UINT64_MAX - 1, 0, 1}, {UINT64_MAX, 0}},
      // A subtraction leaves 1 unless it borrows.
      {OP_WITH(SUB, U32, .flags = OUT), {5, 5}, {0, 1}},
      {OP_WITH(SUB, U32, .flags = OUT), {5, 6}, {0xffffffff, 0}},
      {OP_WITH(SUB, U32, .flags = BOTH), {5, 5, 0}, {0xffffffff, 0}},
      {OP_WITH(SUB, U32, .flags = BOTH), {5, 4, 0}, {0, 1}},
      {OP_WITH(SUB, U32, .flags = IN), {5, 4, 1}, {1}},
      {OP_WITH(SUB, U64, .flags = BOTH), {0, 0, 0}, {UINT64_MAX, 0}},
      {OP_WITH(SUB, U64, .flags = BOTH), {0, UINT64_MAX, 0}, {0, 0}},
      {OP_WITH(MAD, U32, .flags = OUT), {0x10000, 0x10000, 7}, {7, 0}},
      {OP_WITH(MAD, U32, .flags = OUT), {0xffffffff, 1, 1}, {0, 1}},
      {OP_WITH(MAD, U32, .half = ALU_HALF_HIGH, .flags = BOTH),
       {0xffffffff, 0xffffffff, 1, 1},
       {0, 1}},
      {OP_WITH(MAD, U64, .half = ALU_HALF_HIGH, .flags = IN),
       {UINT64_MAX, UINT64_MAX, 0, 1},
       {UINT64_MAX}},
  };
  ALU_CHECK(cases);
}

// 128 bits by two additions of 64.
static void long_additions(void **state) {
  (void)state;
  uint64_t seed = 11;
  const AluOperation low = OP_WITH(ADD, U64, .flags = ALU_CARRY_OUT);
  const AluOperation high = OP_WITH(ADD, U64, .flags = ALU_CARRY_IN);
  const AluOperation low_difference = OP_WITH(SUB, U64, .flags = ALU_CARRY_OUT);
  const AluOperation high_difference = OP_WITH(SUB, U64, .flags = ALU_CARRY_IN);
  for (int i = 0; i < 1000; i++) {
    uint64_t a = alu_random(&seed), b = alu_random(&seed), c = alu_random(&seed);
    uint64_t d = alu_random(&seed), first[2], second[1];
    UnsignedWide x = (UnsignedWide)a << 64 | b, y = (UnsignedWide)c << 64 | d;
    alu_compute(&low, (uint64_t[]){b, d}, first);
    alu_compute(&high, (uint64_t[]){a, c, first[1]}, second);
    assert_true(((UnsignedWide)second[0] << 64 | first[0]) == x + y);
    alu_compute(&low_difference, (uint64_t[]){b, d}, first);
    alu_compute(&high_difference, (uint64_t[]){a, c, first[1]}, second);
    assert_true(((UnsignedWide)second[0] << 64 | first[0]) == x - y);
  }
}

static void division(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(DIV, S32), {0xfffffff9, 2}, {0xfffffffd}}, // -7 / 2 = -3
      {OP(REM, S32), {0xfffffff9, 2}, {0xffffffff}}, // -1
      {OP(REM, S32), {7, 0xfffffffe}, {1}},
      {OP(DIV, S32), {0x80000000, 0xffffffff}, {0x80000000}},
      {OP(REM, S32), {0x80000000, 0xffffffff}, {0}},
      {OP(DIV, S64), {UINT64_C(1) << 63, UINT64_MAX}, {UINT64_C(1) << 63}},
      {OP(REM, S64), {UINT64_C(1) << 63, UINT64_MAX}, {0}},
      {OP(DIV, S16), {0x8000, 0xffff}, {0x8000}},
      {OP(DIV, U16), {0x8000, 0xffff}, {0}},
      {OP(DIV, U32), {0xffffffff, 10}, {429496729}},
      {OP(DIV, U32), {7, 0}, {0xffffffff}},
      {OP(REM, U32), {7, 0}, {0xffffffff}},
      {OP(DIV, S64), {7, 0}, {UINT64_MAX}},
      // Only the low bits of an operand count.
      {OP(DIV, U16), {0x70008, 0x30002}, {4}},
  };
  ALU_CHECK(cases);
}

static void signs(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(ABS, S16), {0x8000}, {0x8000}},
      {OP(ABS, S16), {0xffff}, {1}},
      {OP(ABS, S32), {0x80000000}, {0x80000000}},
      {OP(ABS, S64), {UINT64_MAX}, {1}},
      {OP(NEG, S32), {1}, {0xffffffff}},
      {OP(NEG, S32), {0x80000000}, {0x80000000}},
      {OP(NEG, S64), {UINT64_C(1) << 63}, {UINT64_C(1) << 63}},
      {OP_WITH(MIN, S32, .flags = ALU_RELU), {0xffffffff, 5}, {0}},
      {OP_WITH(MAX, S32, .flags = ALU_RELU), {0xffffffff, 5}, {5}},
      {OP(MAX, S16X2), {0x7fff8000, 0x8000ffff}, {0x7fffffff}},
      {OP(MAX, U16X2), {0x7fff8000, 0x8000ffff}, {0x8000ffff}},
      {OP_WITH(MIN, S16X2, .flags = ALU_RELU), {0x00058000, 0x00030001}, {0x00030000}},
      {OP(ADD, U16X2), {0xffff0001, 0x00010001}, {2}},
  };
  ALU_CHECK(cases);
}

static void products_of_24_bits(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(MUL24, U32), {0xff000003, 0xaa000005}, {15}},
      {OP(MUL24, S32), {0xffffff, 3}, {0xfffffffd}},
      {OP(MUL24, U32), {0xffffff, 0xffffff}, {0xfe000001}},
      {OP_WITH(MUL24, U32, .half = ALU_HALF_HIGH), {0xffffff, 0xffffff}, {0xfffffe00}},
      {OP_WITH(MUL24, S32, .half = ALU_HALF_HIGH), {0x800000, 0x800000}, {0x40000000}},
      {OP(MAD24, U32), {2, 3, 0xfffffffa}, {0}},
      {OP_WITH(MAD24, S32, .half = ALU_HALF_HIGH, .flags = ALU_SAT),
       {0x800000, 0x800000, 0x7fffffff},
       {0x7fffffff}},
  };
  ALU_CHECK(cases);
}

static void dot_products(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP_WITH(DP4A, U32, .source = ALU_TYPE_U32, .second = ALU_TYPE_U32),
       {0x01020304, 0x05060708, 100},
       {100 + 5 + 12 + 21 + 32}},
      {OP_WITH(DP4A, S32, .source = ALU_TYPE_S32, .second = ALU_TYPE_S32),
       {0xff80ff80, 0x01010101, 0},
       {(uint32_t)(-1 - 128 - 1 - 128)}},
      {OP_WITH(DP4A, S32, .source = ALU_TYPE_U32, .second = ALU_TYPE_S32),
       {0xff000000, 0xff000000, 1},
       {(uint32_t)(1 - 255)}},
      // Eight of 4 bits: 15 * 15 eight times; -8 * -8, -1 * 7; -8 * 15.
      {OP_WITH(DP4A, U32, .source = ALU_TYPE_U4, .second = ALU_TYPE_U4),
       {0xffffffff, 0xffffffff, 0xffffffff},
       {8 * 225 - 1}},
      {OP_WITH(DP4A, S32, .source = ALU_TYPE_S4, .second = ALU_TYPE_S4),
       {0xf0000008, 0x70000008, 3},
       {3 + 64 - 7}},
      {OP_WITH(DP4A, S32, .source = ALU_TYPE_S4, .second = ALU_TYPE_U4),
       {0x80, 0xf0, 0},
       {(uint32_t)-120}},
      {OP_WITH(DP2A, S32, .source = ALU_TYPE_S32, .second = ALU_TYPE_S32),
       {0xffff0002, 0x7f7f0305, 0},
       {10 - 3}},
      {OP_WITH(DP2A, S32, .source = ALU_TYPE_S32, .second = ALU_TYPE_S32, .half = ALU_HALF_HIGH),
       {0xffff0002, 0x80050000, 0},
       {10 + 128}},
  };
  ALU_CHECK(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(all_types_wrap_as_in_c),
      UNIT_TEST(wide_products),
      UNIT_TEST(saturation),
      UNIT_TEST(carries),
      UNIT_TEST(long_additions),
      UNIT_TEST(division),
      UNIT_TEST(signs),
      UNIT_TEST(products_of_24_bits),
      UNIT_TEST(dot_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
