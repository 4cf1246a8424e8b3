// Moves, logic, shifts and bit fields at their edges; the expected values are computed by hand.
#include "alu_unit.h"

#define OP ALU_OPERATION
#define OP_WITH ALU_OPERATION_WITH

static void moves(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(MOV, B16), {0x12345}, {0x2345}},
      {OP(MOV, PRED), {3}, {1}},
      {OP_WITH(PACK, B64, .count = 2), {0x11111111, 0x22222222}, {0x2222222211111111}},
      {OP_WITH(PACK, B64, .count = 4), {1, 2, 3, 4}, {0x0004000300020001}},
      {OP_WITH(PACK, B32, .count = 2), {0xffff0001, 2}, {0x00020001}},
      {OP_WITH(PACK, B32, .count = 4), {1, 2, 3, 0xff}, {0xff030201}},
      {OP_WITH(UNPACK, B64, .count = 2), {0x2222222211111111}, {0x11111111, 0x22222222}},
      {OP_WITH(UNPACK, B64, .count = 4), {0x0004000300020001}, {1, 2, 3, 4}},
      {OP_WITH(UNPACK, B16, .count = 2), {0xabcd}, {0xcd, 0xab}},
  };
  ALU_CHECK(cases);
}

static void logic(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(AND, B32), {0xff00ff00ff, 0x0ff00ff0}, {0x00f000f0}},
      {OP(OR, B16), {0xf00f, 0x0ff0}, {0xffff}},
      {OP(XOR, B64), {UINT64_MAX, 1}, {UINT64_MAX - 1}},
      {OP(NOT, B16), {0}, {0xffff}},
      {OP(NOT, PRED), {1}, {0}},
      {OP(NOT, PRED), {0}, {1}},
      {OP(XOR, PRED), {1, 1}, {0}},
      {OP(CNOT, B32), {0x100000000}, {1}},
      {OP(CNOT, B32), {0x80000000}, {0}},
  };
  ALU_CHECK(cases);
}

// PTX ISA "lop3": the table is what the operation makes of these three.
static void truth_tables(void **state) {
  (void)state;
  const uint8_t a = 0xf0, b = 0xcc, c = 0xaa;
  const uint32_t x = 0x12345678, y = 0x9abcdef0, z = 0x0f1e2d3c;
  assert_int_equal(alu_one((AluOperation)OP_WITH(LOP3, B32, .mode = a & b & c), x, y, z),
                   x & y & z);
  assert_int_equal(alu_one((AluOperation)OP_WITH(LOP3, B32, .mode = a ^ b ^ c), x, y, z),
                   x ^ y ^ z);
  assert_int_equal(
      alu_one((AluOperation)OP_WITH(LOP3, B32, .mode = (a & b) | (uint8_t)(~a & c)), x, y, z),
      (x & y) | (~x & z));
  assert_int_equal(alu_one((AluOperation)OP_WITH(LOP3, B32, .mode = (uint8_t)(a & ~b)), x, y, z),
                   x & ~y);
  static const AluCase cases[] = {
      {OP_WITH(LOP3, B32, .mode = 0x80, .combine = ALU_COMBINE_AND, .flags = ALU_PAIR),
       {1, 1, 1, 1},
       {1, 1}},
      {OP_WITH(LOP3, B32, .mode = 0x80, .combine = ALU_COMBINE_AND,
               .flags = ALU_PAIR | ALU_NEGATED),
       {1, 1, 1, 1},
       {1, 0}},
      {OP_WITH(LOP3, B32, .mode = 0x80, .combine = ALU_COMBINE_OR, .flags = ALU_PAIR),
       {1, 1, 0, 1},
       {0, 1}},
      {OP_WITH(LOP3, B32, .mode = 0x80, .combine = ALU_COMBINE_OR, .flags = ALU_PAIR),
       {1, 1, 0, 0},
       {0, 0}},
  };
  ALU_CHECK(cases);
}

static void shifts(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(SHL, B32), {1, 31}, {0x80000000}},
      {OP(SHL, B32), {1, 32}, {0}},
      {OP(SHL, B32), {1, 0xffffffff}, {0}},
      {OP(SHL, B32), {3, 31}, {0x80000000}},
      {OP(SHL, B16), {0xffff, 15}, {0x8000}},
      {OP(SHL, B16), {0xffff, 16}, {0}},
      {OP(SHL, B64), {1, 63}, {UINT64_C(1) << 63}},
      {OP(SHL, B64), {1, 64}, {0}},
      {OP(SHL, B64), {1, UINT64_C(1) << 32}, {1}}, // the count has 32 bits
      {OP(SHR, U32), {0x80000000, 31}, {1}},
      {OP(SHR, U32), {0x80000000, 32}, {0}},
      {OP(SHR, S32), {0x80000000, 31}, {0xffffffff}},
      {OP(SHR, S32), {0x80000000, 32}, {0xffffffff}},
      {OP(SHR, S32), {0x7fffffff, 0xffffffff}, {0}},
      {OP(SHR, S16), {0x8000, 15}, {0xffff}},
      {OP(SHR, S16), {0x8000, 200}, {0xffff}},
      {OP(SHR, U16), {0x18000, 15}, {1}},
      {OP(SHR, S64), {UINT64_C(1) << 63, 64}, {UINT64_MAX}},
      {OP(SHR, B64), {UINT64_C(1) << 63, 63}, {1}},
  };
  ALU_CHECK(cases);
}

static void funnel_shifts(void **state) {
  (void)state;
  enum { R = ALU_RIGHT, RC = ALU_RIGHT | ALU_CLAMP };
  static const AluCase cases[] = {
      {OP(SHF, B32), {0xaaaaaaaa, 0x12345678, 8}, {0x345678aa}},
      {OP(SHF, B32), {0xaaaaaaaa, 0x12345678, 32}, {0x12345678}},
      {OP(SHF, B32), {0xaaaaaaaa, 0x12345678, 40}, {0x345678aa}},
      {OP_WITH(SHF, B32, .flags = ALU_CLAMP), {0xaaaaaaaa, 0x12345678, 32}, {0xaaaaaaaa}},
      {OP_WITH(SHF, B32, .flags = ALU_CLAMP), {0xaaaaaaaa, 0x12345678, 40}, {0xaaaaaaaa}},
      {OP_WITH(SHF, B32, .flags = ALU_CLAMP), {0xaaaaaaaa, 0x12345678, 0}, {0x12345678}},
      {OP_WITH(SHF, B32, .flags = R), {0xaaaaaa55, 0x12345678, 8}, {0x78aaaaaa}},
      {OP_WITH(SHF, B32, .flags = R), {0xaaaaaa55, 0x12345678, 32}, {0xaaaaaa55}},
      {OP_WITH(SHF, B32, .flags = RC), {0xaaaaaa55, 0x12345678, 32}, {0x12345678}},
      {OP_WITH(SHF, B32, .flags = RC), {0xaaaaaa55, 0x12345678, 0x80000000}, {0x12345678}},
      {OP_WITH(SHF, B32, .flags = RC), {0xaaaaaa55, 0x12345678, 0}, {0xaaaaaa55}},
  };
  ALU_CHECK(cases);
}

// PTX ISA "prmt", its table of modes. Bytes of b:a are 7 6 5 4 3 2 1 0.
static void permutations(void **state) {
  (void)state;
#define MODE(mode_, control, result)                                                               \
  {                                                                                                \
    OP_WITH(PRMT, B32, .mode = ALU_PERMUTE_##mode_), {0x33221100, 0x77665544, control}, {          \
      result                                                                                       \
    }                                                                                              \
  }
  static const AluCase cases[] = {
      MODE(INDEX, 0x3210, 0x33221100),
      MODE(INDEX, 0x7654, 0x77665544),
      MODE(INDEX, 0x0246, 0x00224466),
      MODE(F4E, 0, 0x33221100),
      MODE(F4E, 1, 0x44332211),
      MODE(F4E, 2, 0x55443322),
      MODE(F4E, 3, 0x66554433),
      MODE(B4E, 0, 0x55667700),
      MODE(B4E, 1, 0x66770011),
      MODE(B4E, 2, 0x77001122),
      MODE(B4E, 3, 0x00112233),
      MODE(RC8, 0, 0x00000000),
      MODE(RC8, 1, 0x11111111),
      MODE(RC8, 6, 0x22222222),
      MODE(RC8, 3, 0x33333333),
      MODE(ECL, 0, 0x33221100),
      MODE(ECL, 1, 0x33221111),
      MODE(ECL, 2, 0x33222222),
      MODE(ECL, 3, 0x33333333),
      MODE(ECR, 0, 0x00000000),
      MODE(ECR, 1, 0x11111100),
      MODE(ECR, 2, 0x22221100),
      MODE(ECR, 3, 0x33221100),
      MODE(RC16, 0, 0x11001100),
      MODE(RC16, 1, 0x33223322),
      MODE(RC16, 2, 0x11001100),
      MODE(RC16, 3, 0x33223322),
      // The top bit of a nibble replicates the sign of the byte.
      {OP(PRMT, B32), {0x8000, 0, 0x9889}, {0xff0000ff}},
  };
#undef MODE
  ALU_CHECK(cases);
}

static void fields(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(BFE, U32), {0x12345678, 8, 8}, {0x56}},
      {OP(BFE, U32), {0x12345678, 28, 8}, {1}},
      {OP(BFE, U32), {0x12345678, 32, 8}, {0}},
      {OP(BFE, U32), {0x12345678, 0, 0}, {0}},
      {OP(BFE, U32), {0xffffffff, 0, 255}, {0xffffffff}},
      {OP(BFE, U32), {0x12345678, 0x108, 0x108}, {0x56}},
      {OP(BFE, S32), {0x12345678, 4, 4}, {7}},
      {OP(BFE, S32), {0x12345688, 4, 4}, {0xfffffff8}},
      {OP(BFE, S32), {0x80000000, 28, 8}, {0xfffffff8}},
      {OP(BFE, S32), {0x80000000, 40, 8}, {0xffffffff}},
      {OP(BFE, S32), {0x80000000, 40, 0}, {0}},
      {OP(BFE, S64), {UINT64_C(1) << 63, 60, 4}, {0xfffffffffffffff8}},
      {OP(BFE, U64), {UINT64_C(1) << 63, 60, 4}, {8}},
      {OP(BFI, B32), {0xff, 0, 8, 4}, {0xf00}},
      {OP(BFI, B32), {0, 0xffffffff, 28, 8}, {0x0fffffff}},
      {OP(BFI, B32), {0, 0xffffffff, 32, 8}, {0xffffffff}},
      {OP(BFI, B32), {0, 0xffffffff, 0, 0}, {0xffffffff}},
      {OP(BFI, B64), {UINT64_MAX, 0, 32, 64}, {0xffffffff00000000}},
      {OP_WITH(BMSK, B32, .flags = ALU_CLAMP), {4, 8}, {0xff0}},
      {OP_WITH(BMSK, B32, .flags = ALU_CLAMP), {28, 8}, {0xf0000000}},
      {OP_WITH(BMSK, B32, .flags = ALU_CLAMP), {0, 32}, {0xffffffff}},
      {OP_WITH(BMSK, B32, .flags = ALU_CLAMP), {32, 1}, {0}},
      {OP(BMSK, B32), {32, 1}, {1}},
      {OP(BMSK, B32), {0, 32}, {0}},
      {OP_WITH(SZEXT, S32, .flags = ALU_CLAMP), {0x80, 8}, {0xffffff80}},
      {OP_WITH(SZEXT, U32, .flags = ALU_CLAMP), {0xf80, 8}, {0x80}},
      {OP_WITH(SZEXT, S32, .flags = ALU_CLAMP), {0x80, 0}, {0}},
      {OP_WITH(SZEXT, S32, .flags = ALU_CLAMP), {0x12345678, 99}, {0x12345678}},
      {OP(SZEXT, S32), {0x80, 40}, {0xffffff80}},
  };
  ALU_CHECK(cases);
}

static void counts(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {OP(CLZ, B32), {0}, {32}},
      {OP(CLZ, B32), {1}, {31}},
      {OP(CLZ, B32), {0x80000000}, {0}},
      {OP(CLZ, B64), {0}, {64}},
      {OP(CLZ, B64), {1}, {63}},
      {OP(POPC, B32), {0xff00000000f}, {4}},
      {OP(POPC, B64), {UINT64_MAX}, {64}},
      {OP(BREV, B32), {1}, {0x80000000}},
      {OP(BREV, B32), {0x12345678}, {0x1e6a2c48}},
      {OP(BREV, B64), {1}, {UINT64_C(1) << 63}},
      {OP(BFIND, U32), {0}, {0xffffffff}},
      {OP(BFIND, U32), {0x80000000}, {31}},
      {OP(BFIND, S32), {0xffffffff}, {0xffffffff}},
      {OP(BFIND, S32), {0xfffffffe}, {0}},
      {OP(BFIND, S32), {0x40000000}, {30}},
      {OP_WITH(BFIND, U32, .flags = ALU_SHIFT_AMOUNT), {1}, {31}},
      {OP_WITH(BFIND, U64, .flags = ALU_SHIFT_AMOUNT), {1}, {63}},
      {OP(BFIND, U64), {1}, {0}},
      {OP(FNS, B32), {0xb4, 0, 1}, {2}}, // bits 2, 4, 5 and 7
      {OP(FNS, B32), {0xb4, 0, 3}, {5}},
      {OP(FNS, B32), {0xb4, 5, 1}, {5}},
      {OP(FNS, B32), {0xb4, 5, 2}, {7}},
      {OP(FNS, B32), {0xb4, 5, 3}, {0xffffffff}},
      {OP(FNS, B32), {0xb4, 5, 0}, {5}},
      {OP(FNS, B32), {0xb4, 6, 0}, {0xffffffff}},
      {OP(FNS, B32), {0xb4, 5, 0xffffffff}, {5}},
      {OP(FNS, B32), {0xb4, 5, 0xfffffffe}, {4}},
      {OP(FNS, B32), {0xb4, 5, 0xfffffffc}, {0xffffffff}},
  };
  ALU_CHECK(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(moves),         UNIT_TEST(logic),        UNIT_TEST(truth_tables), UNIT_TEST(shifts),
      UNIT_TEST(funnel_shifts), UNIT_TEST(permutations), UNIT_TEST(fields),       UNIT_TEST(counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
