// Video instructions, by hand after the manual; and the names and signatures of operations.
#include "alu_unit.h"

#define VIDEO(op_, type_, source_, second_, ...)                                                   \
  {                                                                                                \
    .op = ALU_##op_, .type = ALU_TYPE_##type_, .source = ALU_TYPE_##source_,                       \
    .second = ALU_TYPE_##second_, __VA_ARGS__                                                      \
  }

static void scalar_operations(void **state) {
  (void)state;
  enum { SAT = ALU_SAT, MERGE = ALU_MERGE, CLAMP = ALU_CLAMP };
  static const AluCase cases[] = {
      {VIDEO(VADD, U32, U32, U32, .flags = 0), {0xffffffff, 2}, {1}},
      {VIDEO(VADD, U32, U32, U32, .flags = SAT), {0xffffffff, 2}, {0xffffffff}},
      {VIDEO(VADD, S32, U32, S32, .flags = SAT), {0xffffffff, 0xffffffff}, {0x7fffffff}},
      {VIDEO(VSUB, U32, U32, U32, .flags = SAT), {1, 2}, {0}},
      {VIDEO(VSUB, S32, U32, U32, .flags = SAT), {1, 2}, {0xffffffff}},
      {VIDEO(VABSDIFF, U32, S32, S32, .flags = 0), {0x80000000, 1}, {0x80000001}},
      {VIDEO(VMIN, S32, S32, U32, .flags = 0), {0xffffffff, 0xffffffff}, {0xffffffff}},
      {VIDEO(VMAX, S32, S32, U32, .flags = 0), {0xffffffff, 5}, {5}},
      {VIDEO(VSET, U32, S32, U32, .compare = ALU_COMPARE_LT), {0xffffffff, 0xffffffff}, {1}},
      // The byte b1 of a and the half h1 of b.
      {VIDEO(VADD, S32, S32, U32, .part = {0, 2, 6}), {0x8000, 0x12340000}, {0x1234 - 0x80}},
      // A second operation, and a merge into c.
      {VIDEO(VADD, U32, U32, U32, .combine = ALU_COMBINE_MAX), {1, 2, 9}, {9}},
      {VIDEO(VADD, U32, U32, U32, .combine = ALU_COMBINE_ADD), {1, 2, 0xffffffff}, {2}},
      {VIDEO(VADD, U32, U32, U32, .part = {6}, .flags = MERGE), {1, 2, 0xaaaabbbb}, {0x0003bbbb}},
      {VIDEO(VADD, U32, U32, U32, .part = {3}, .flags = MERGE | SAT),
       {200, 100, 0xaaaabbbb},
       {0xaaffbbbb}},
      // Shifts: counts above 31 wrap or are clamped to 32.
      {VIDEO(VSHR, U32, U32, U32, .combine = ALU_COMBINE_ADD, .flags = CLAMP),
       {0x100, 4, 7},
       {0x17}},
      {VIDEO(VSHR, U32, U32, U32, .flags = CLAMP), {0xffffffff, 0xffffffff}, {0}},
      {VIDEO(VSHR, S32, S32, U32, .flags = CLAMP), {0x80000000, 40}, {0xffffffff}},
      {VIDEO(VSHR, U32, U32, U32, .flags = 0), {0x80000000, 33}, {0x40000000}},
      {VIDEO(VSHL, U32, U32, U32, .flags = CLAMP), {1, 32}, {0}},
      {VIDEO(VSHL, U32, U32, U32, .flags = SAT | CLAMP), {1, 32}, {0xffffffff}},
  };
  ALU_CHECK(cases);
}

#define LANES4 .lanes = {{0, 1, 2, 3}, {4, 5, 6, 7}}, .mode = 15
#define LANES2 .lanes = {{0, 1}, {2, 3}}, .mode = 3

static void operations_on_lanes(void **state) {
  (void)state;
  static const AluCase cases[] = {
      {VIDEO(VABSDIFF4, U32, U32, U32, LANES4), {0x01ff0580, 0xff0105f0, 0}, {0xfefe0070}},
      {VIDEO(VABSDIFF4, U32, U32, U32, LANES4, .combine = ALU_COMBINE_ADD),
       {0x01ff0580, 0xff0105f0, 1000},
       {1000 + 254 + 254 + 112}},
      {VIDEO(VADD4, S32, S32, S32, LANES4, .flags = ALU_SAT),
       {0x7f80017f, 0x01ff0202, 0},
       {0x7f80037f}},
      {VIDEO(VADD4, U32, U32, U32, LANES4), {0x7f80017f, 0x01ff0202, 0}, {0x807f0381}},
      {VIDEO(VSUB2, U32, U32, U32, LANES2, .flags = ALU_SAT),
       {0x00050001, 0x00030002, 0},
       {0x00020000}},
      {VIDEO(VAVRG2, S32, S32, S32, LANES2), {0x00040001, 0x0005fffc, 0}, {0x0005fffe}},
      {VIDEO(VMAX2, S32, S32, S32, LANES2), {0xffff0001, 0x0000fffe, 0}, {1}},
      {VIDEO(VSET4, U32, U32, U32, LANES4, .compare = ALU_COMPARE_EQ),
       {1, 0x00000101, 0xffffffff},
       {0x01010001}},
      // Only the lanes of the mask are written; lanes may come from either operand.
      {VIDEO(VADD4, U32, U32, U32, .lanes = {{7, 0, 0, 0}, {3, 4, 0, 0}}, .mode = 3),
       {0x10000002, 0x20000003, 0xaabbccdd},
       {0xaabb0530}},
  };
  ALU_CHECK(cases);
}

static void names(void **state) {
  (void)state;
  static const struct {
    AluOperation operation;
    const char *name;
  } rows[] = {
      {ALU_OPERATION_WITH(ADD, S32, .flags = ALU_SAT), "add.sat.s32"},
      {ALU_OPERATION_WITH(ADD, U32, .flags = ALU_CARRY_IN | ALU_CARRY_OUT), "addc.cc.u32"},
      {ALU_OPERATION_WITH(MUL, U32, .half = ALU_HALF_WIDE), "mul.wide.u32"},
      {ALU_OPERATION_WITH(FMA, F32, .rounding = ALU_ROUND_UP, .flags = ALU_FTZ), "fma.rp.ftz.f32"},
      {ALU_OPERATION_WITH(SETP, F32, .compare = ALU_COMPARE_LTU, .combine = ALU_COMBINE_AND),
       "setp.ltu.and.f32"},
      {ALU_OPERATION_WITH(CVT, S32, .source = ALU_TYPE_F32, .rounding = ALU_ROUND_ZERO),
       "cvt.rzi.s32.f32"},
      {ALU_OPERATION_WITH(CVT, F16X2, .source = ALU_TYPE_F32), "cvt.rn.f16x2.f32"},
      {ALU_OPERATION_WITH(CVT, U32, .source = ALU_TYPE_U8), "cvt.u32.u8"},
      {ALU_OPERATION_WITH(SHF, B32, .flags = ALU_CLAMP), "shf.l.clamp.b32"},
      {ALU_OPERATION_WITH(SHF, B32, .flags = ALU_RIGHT), "shf.r.wrap.b32"},
      {ALU_OPERATION_WITH(PRMT, B32, .mode = ALU_PERMUTE_RC8), "prmt.b32.rc8"},
      {ALU_OPERATION_WITH(TESTP, F64, .mode = ALU_TEST_NORMAL), "testp.normal.f64"},
      {ALU_OPERATION_WITH(DIV, F32, .flags = ALU_APPROX, .mode = 1), "div.full.f32"},
      {ALU_OPERATION_WITH(BFIND, U32, .flags = ALU_SHIFT_AMOUNT), "bfind.shiftamt.u32"},
      {ALU_OPERATION_WITH(DP4A, S32, .source = ALU_TYPE_U32, .second = ALU_TYPE_S32),
       "dp4a.u32.s32"},
      {ALU_OPERATION(FNS, B32), "fns.b32"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char name[64], cut[5];
    alu_print(&rows[i].operation, name, sizeof name);
    assert_string_equal(name, rows[i].name);
    alu_print(&rows[i].operation, cut, sizeof cut);
    assert_int_equal(strlen(cut), 4);
    assert_memory_equal(cut, name, 4);
  }
}

// The types of the operands, then of the results.
static void signatures(void **state) {
  Arena *arena = *state;
  static const struct {
    AluOperation operation;
    const char *types;
  } rows[] = {
      {ALU_OPERATION_WITH(ADD, U32, .flags = ALU_CARRY_IN | ALU_CARRY_OUT),
       "u32 u32 pred -> u32 pred"},
      {ALU_OPERATION_WITH(MAD, S16, .half = ALU_HALF_WIDE), "s16 s16 s32 -> s32"},
      {ALU_OPERATION(SHL, B64), "b64 u32 -> b64"},
      {ALU_OPERATION_WITH(SETP, F64, .combine = ALU_COMBINE_OR, .flags = ALU_PAIR),
       "f64 f64 pred -> pred pred"},
      {ALU_OPERATION(SETP, F64), "f64 f64 -> pred"},
      {ALU_OPERATION_WITH(SET, U32, .source = ALU_TYPE_F32), "f32 f32 -> u32"},
      {ALU_OPERATION(SELP, B16), "b16 b16 pred -> b16"},
      {ALU_OPERATION_WITH(SLCT, F64, .source = ALU_TYPE_F32), "f64 f64 f32 -> f64"},
      {ALU_OPERATION_WITH(PACK, B64, .count = 4), "b16 b16 b16 b16 -> b64"},
      {ALU_OPERATION_WITH(UNPACK, B32, .count = 2), "b32 -> b16 b16"},
      {ALU_OPERATION_WITH(CVT, F16X2, .source = ALU_TYPE_F32), "f32 f32 -> f16x2"},
      {ALU_OPERATION_WITH(CVT, F16X2, .source = ALU_TYPE_E4M3X2), "e4m3x2 -> f16x2"},
      {ALU_OPERATION(CLZ, B64), "b64 -> u32"},
      {ALU_OPERATION_WITH(LOP3, B32, .combine = ALU_COMBINE_OR, .flags = ALU_PAIR),
       "b32 b32 b32 pred -> b32 pred"},
      {ALU_OPERATION(BFI, B64), "b64 b64 u32 u32 -> b64"},
      {ALU_OPERATION_WITH(FMA, F32, .source = ALU_TYPE_BF16), "bf16 bf16 f32 -> f32"},
      {ALU_OPERATION_WITH(VADD4, S32, .source = ALU_TYPE_U32, .second = ALU_TYPE_U32),
       "b32 b32 b32 -> b32"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    AluSignature signature = alu_signature(&rows[i].operation);
    const char *text = "";
    for (uint32_t j = 0; j < signature.operand_count; j++)
      text = arena_format(arena, "%s%s ", text, alu_type_name(signature.operands[j]));
    text = arena_format(arena, "%s->", text);
    for (uint32_t j = 0; j < signature.result_count; j++)
      text = arena_format(arena, "%s %s", text, alu_type_name(signature.results[j]));
    assert_string_equal(text, rows[i].types);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(scalar_operations),
      UNIT_TEST(operations_on_lanes),
      UNIT_TEST(names),
      UNIT_TEST(signatures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
