// Arithmetic instructions of PTX: which operation they are, which operands it takes, and what is
// refused.
#include "ptx_unit.h"

#include "ptx/alu.h"
#include "ptx/modifiers.h"

typedef struct Decoded {
  const PtxModule *module;
  const PtxInstruction *instruction;
  AluOperation operation;
  PtxAluResult result;
  const char *unsupported;
} Decoded;

static Decoded decode(Arena *arena, const char *text) {
  Decoded decoded;
  decoded.module = ptx_read(arena, arena_format(arena,
                                                PTX_BODY(".reg .pred %%p<5>;\n"
                                                         ".reg .b16 %%h<5>;\n"
                                                         ".reg .b32 %%r<9>;\n"
                                                         ".reg .b64 %%d<5>;\n%s;"),
                                                text));
  decoded.instruction = &decoded.module->instructions.items[0];
  DiagList diags;
  diag_list_init(&diags, arena);
  PtxModifiers modifiers;
  assert_true(ptx_decode_modifiers(decoded.module, decoded.instruction, &modifiers, &diags));
  decoded.result = ptx_decode_alu(decoded.module, decoded.instruction, &modifiers,
                                  &decoded.operation, &decoded.unsupported);
  return decoded;
}

static void instructions_become_operations(void **state) {
  static const char *const rows[][2] = {
      {"mov.u32 %r1, %r2", "mov.u32"},
      {"mov.b64 %d1, {%r1, %r2}", "mov.b64"},
      {"mov.b64 {%r1, %r2}, %d1", "mov.b64"},
      {"add.s32 %r1, %r2, 5", "add.s32"},
      {"add.cc.u32 %r1, %r2, 5", "add.cc.u32"},
      {"addc.cc.u32 %r1, %r2, 5", "addc.cc.u32"},
      {"madc.hi.cc.u32 %r1, %r2, %r3, %r4", "madc.hi.cc.u32"},
      {"mad.lo.s32 %r1, %r2, %r3, %r4", "mad.lo.s32"},
      {"mad.rn.f32 %r1, %r2, %r3, %r4", "fma.rn.f32"},
      {"mul.wide.s32 %d1, %r2, %r3", "mul.wide.s32"},
      {"mul.f32 %r1, %r2, 0f3F800000", "mul.rn.f32"},
      {"mul.rz.ftz.sat.f32 %r1, %r2, %r3", "mul.rz.ftz.sat.f32"},
      {"div.full.f32 %r1, %r2, %r3", "div.full.f32"},
      {"sqrt.approx.ftz.f32 %r1, %r2", "sqrt.approx.ftz.f32"},
      {"min.NaN.xorsign.abs.f16x2 %r1, %r2, %r3", "min.NaN.xorsign.abs.f16x2"},
      {"fma.rn.relu.bf16x2 %r1, %r2, %r3, %r4", "fma.rn.relu.bf16x2"},
      {"add.rn.f32.f16 %r1, %h1, %r2", "add.rn.f32.f16"},
      {"setp.lt.s32 %p1, %r1, %r2", "setp.lt.s32"},
      {"setp.hs.u32 %p1, %r1, %r2", "setp.hs.u32"},
      {"setp.ltu.and.f32 %p1|%p2, %r1, %r2, !%p3", "setp.ltu.and.f32"},
      {"set.eq.u32.f32 %r1, %r2, %r3", "set.eq.u32.f32"},
      {"selp.b32 %r1, %r2, %r3, %p1", "selp.b32"},
      {"slct.u32.f32 %r1, %r2, %r3, %r4", "slct.u32.f32"},
      {"and.pred %p1, %p2, %p3", "and.pred"},
      {"lop3.b32 %r1, %r2, %r3, %r4, 0x96", "lop3.b32"},
      {"lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x3f+1, %p2", "lop3.or.b32"},
      {"shf.r.clamp.b32 %r1, %r2, %r3, %r4", "shf.r.clamp.b32"},
      {"prmt.b32.f4e %r1, %r2, %r3, %r4", "prmt.b32.f4e"},
      {"bfind.shiftamt.u32 %r1, %r2", "bfind.shiftamt.u32"},
      {"bmsk.clamp.b32 %r1, %r2, %r3", "bmsk.clamp.b32"},
      {"testp.normal.f32 %p1, %r1", "testp.normal.f32"},
      {"cvt.rzi.s32.f32 %r1, %r2", "cvt.rzi.s32.f32"},
      {"cvt.rni.ftz.f32.f32 %r1, %r2", "cvt.rni.ftz.f32.f32"},
      {"cvt.sat.f32.f32 %r1, %r2", "cvt.rn.sat.f32.f32"},
      {"cvt.rn.satfinite.relu.e4m3x2.f32 %h1, %r1, %r2", "cvt.rn.satfinite.relu.e4m3x2.f32"},
      {"cvt.rna.tf32.f32 %r1, %r2", "cvt.rna.tf32.f32"},
      {"cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4", "cvt.pack.sat.u8.s32"},
      {"dp4a.s32.u32 %r1, %r2, %r3, %r4", "dp4a.s32.u32"},
      {"dp2a.hi.s32.u32 %r1, %r2, %r3, %r4", "dp2a.hi.s32.u32"},
      {"vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4", "vabsdiff4.add.u32.u32.u32"},
      {"vshr.u32.u32.u32.clamp.add %r1, %r2, %r3, %r4", "vshr.add.clamp.u32.u32.u32"},
      {"vset.s32.u32.lt %r1, %r2, %r3", "vset.lt.s32.u32"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Decoded decoded = decode(*state, rows[i][0]);
    char name[64];
    if (decoded.result != PTX_ALU_OK)
      fail_msg("%s: %s", rows[i][0], decoded.unsupported ? decoded.unsupported : "not arithmetic");
    alu_print(&decoded.operation, name, sizeof name);
    assert_string_equal(name, rows[i][1]);
  }
}

static void what_is_not_known_is_named(void **state) {
  static const char *const rows[][2] = {
      {"add.b32 %r1, %r2, %r3", "b32"},
      {"add %r1, %r2, %r3", "no type"},
      {"add.ftz.s32 %r1, %r2, %r3", "ftz"},
      {"add.blue.s32 %r1, %r2, %r3", "blue"},
      {"add.s32 %r1, %r2", "operands"},
      {"add.s32 %r1", "operands"},
      {"neg.s32 %r1, %r2, %r3", "operands"},
      {"mul.s32 %r1, %r2, %r3", "neither .lo nor .hi nor .wide"},
      {"mul.wide.s64 %r1, %r2, %r3", "wide"},
      {"and.b32 %r1, !%p1, %r2", "'!'"},
      {"add.s32 %r1, -%r2, %r3", "'-'"},
      {"lop3.b32 %r1, %r2, %r3, %r4, %r5", "truth table"},
      {"lop3.b32 %r1, %r2, %r3, %r4, 256", "truth table"},
      {"lop3.or.b32 %r1, %r2, %r3, %r4, 1, %p1", "destination"},
      {"setp.lt.and.s32 %p1, %r1, %r2", "operands"},
      {"add.s32 %r1|%p1, %r2, %r3", "destination"},
      {"cvt.rs.f16x2.f32 %r1, %r2, %r3, %r4", "rs"},
      {"cvt.u32.pred %r1, %p1", "types"},
      {"cvt.rn.s2f6x2.f32 %h1, %r1, %r2", "s2f6x2"},
      {"mov.b128 %d1, {%d2, %d3}", "b128"},
      {"mov.b64 {%h1, %h2, %h3}, %d1", "vectors"},
      {"mov.b16 {%h1, %h2, %h3, %h4}, %h1", "vectors"},
      {"set.eq.u32 %r1, %r2, %r3", "types"},
      {"add.f64.f16 %d1, %h1, %d2", "types"},
      {"vadd.u32.u32 %r1, %r2, %r3", "types"},
      {"vadd.u32.u32.u32 %r1, %r2.q, %r3", "q"},
      {"vadd4.u32.u32.u32 %r1, %r2.b8210, %r3, %r4", "b8210"},
      {"vadd4.u32.u32.u32.min %r1, %r2, %r3, %r4", "min"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Decoded decoded = decode(*state, rows[i][0]);
    if (decoded.result != PTX_ALU_UNSUPPORTED)
      fail_msg("%s: decodes", rows[i][0]);
    assert_string_equal(decoded.unsupported, rows[i][1]);
  }
}

static void others_are_left_alone(void **state) {
  static const char *const rows[] = {
      "ld.global.u32 %r1, [%d1]",    "bar.sync 0", "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1", "ret",
      "cvta.to.global.u64 %d1, %d2",
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(decode(*state, rows[i]).result, PTX_ALU_OTHER);
}

// Operands and results by the names of the registers, "-" for the carry flag and constants.
static const char *places(Arena *arena, const Decoded *decoded) {
  const char *text = "";
  PtxAluWidths widths = ptx_alu_widths(&decoded->operation);
  for (uint32_t i = 0; i < widths.operand_count + widths.result_count; i++) {
    bool is_result = i >= widths.operand_count;
    uint32_t index = is_result ? i - widths.operand_count : i;
    const PtxOperand *operand = (is_result ? ptx_alu_result : ptx_alu_operand)(
        decoded->module, decoded->instruction, &decoded->operation, index);
    text = arena_format(arena, "%s%s%s:%u", text, is_result ? " >" : " ",
                        operand && operand->name ? ptx_text(decoded->module, operand->name) : "-",
                        is_result ? widths.result_bits[index] : widths.operand_bits[index]);
  }
  return text;
}

static void operands_and_widths(void **state) {
  static const char *const rows[][2] = {
      {"mov.b64 %d1, {%r1, %r2}", " %r1:32 %r2:32 >%d1:64"},
      {"mov.b64 {%r1, %r2}, %d1", " %d1:64 >%r1:32 >%r2:32"},
      {"setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3", " %r1:32 %r2:32 %p3:1 >%p1:1 >%p2:1"},
      {"lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 1, %p2", " %r2:32 %r3:32 %r4:32 %p2:1 >%r1:32 >%p1:1"},
      {"addc.cc.u32 %r1, %r2, 7", " %r2:32 -:32 -:1 >%r1:32 >-:1"},
      {"mad.wide.u32 %d1, %r1, %r2, %d2", " %r1:32 %r2:32 %d2:64 >%d1:64"},
      {"shl.b64 %d1, %d2, %r1", " %d2:64 %r1:32 >%d1:64"},
      {"cvt.s8.s32 %r1, %r2", " %r2:32 >%r1:32"},
      {"cvt.s8.s32 %d1, %r2", " %r2:32 >%d1:64"},
      {"cvt.rn.f16x2.f32 %r1, %r2, %r3", " %r2:32 %r3:32 >%r1:32"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Decoded decoded = decode(*state, rows[i][0]);
    assert_int_equal(decoded.result, PTX_ALU_OK);
    assert_string_equal(places(*state, &decoded), rows[i][1]);
  }
}

static void constants(void **state) {
  (void)state;
  static const struct {
    PtxOperandKind kind;
    uint64_t value;
    AluType type;
    uint64_t bits;
  } rows[] = {
      {PTX_OPERAND_INTEGER, UINT64_MAX, ALU_TYPE_S32, 0xffffffff},
      {PTX_OPERAND_INTEGER, UINT64_MAX, ALU_TYPE_B16, 0xffff},
      {PTX_OPERAND_INTEGER, 5, ALU_TYPE_U64, 5},
      {PTX_OPERAND_FLOAT32, 0x3f800000, ALU_TYPE_F32, 0x3f800000},
      {PTX_OPERAND_FLOAT64, 0x3ff0000000000000, ALU_TYPE_F32, 0x3f800000},
      {PTX_OPERAND_FLOAT64, 0x3fb999999999999a, ALU_TYPE_F32, 0x3dcccccd},
      {PTX_OPERAND_FLOAT64, 0x3ff0000000000000, ALU_TYPE_F64, 0x3ff0000000000000},
      {PTX_OPERAND_FLOAT32, 0x3f800000, ALU_TYPE_F64, 0x3ff0000000000000},
      {PTX_OPERAND_FLOAT32, 0x3f800000, ALU_TYPE_B32, 0x3f800000},
      {PTX_OPERAND_WARP_SIZE, 32, ALU_TYPE_U32, 32},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    PtxOperand operand = {.kind = (uint8_t)rows[i].kind, .value = rows[i].value};
    assert_int_equal(ptx_alu_constant(&operand, rows[i].type), rows[i].bits);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(instructions_become_operations),
      UNIT_TEST(what_is_not_known_is_named),
      UNIT_TEST(others_are_left_alone),
      UNIT_TEST(operands_and_widths),
      UNIT_TEST(constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
