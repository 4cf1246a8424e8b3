// What the syntax tree of a module holds: declarations, bodies, operands, names, source lines.
#include "ptx_unit.h"

static const PtxInstruction *instruction(const PtxModule *module, uint32_t i) {
  assert_true(i < module->instructions.count);
  return &module->instructions.items[i];
}

static const PtxOperand *operand(const PtxModule *module, uint32_t i, uint32_t j) {
  assert_true(j < instruction(module, i)->operands.count);
  return &module->operands.items[instruction(module, i)->operands.first + j];
}

static const PtxOperand *child(const PtxModule *module, const PtxOperand *parent, uint32_t i) {
  assert_true(i < parent->children.count);
  return &module->operands.items[parent->children.first + i];
}

static void assert_text(const PtxModule *module, Name name, const char *expected) {
  assert_string_equal(ptx_text(module, name), expected);
}

static void preamble(void **state) {
  const PtxModule *module = ptx_read(*state, ".version 8.7\n.target sm_90a, debug\n");
  assert_int_equal(module->version_major, 8);
  assert_int_equal(module->version_minor, 7);
  assert_int_equal(module->targets.count, 2);
  assert_text(module, module->targets.items[0], "sm_90a");
  assert_text(module, module->targets.items[1], "debug");
  assert_int_equal(module->address_size, 64);
  assert_false(module->has_address_size);
}

static void variables(void **state) {
  const PtxModule *module =
      ptx_read(*state, PTX_HEAD ".visible .global .align 8 .v2 .f32 a[3][5];\n"
                                ".extern .shared .b8 b[];\n"
                                ".const .u64 c = 7, d;\n"
                                ".global .u16 e[] = {1, 2, 3};\n");
  const PtxVariable *a = &module->variables.items[0], *b = &module->variables.items[1];
  assert_int_equal(a->space, PTX_SPACE_GLOBAL);
  assert_int_equal(a->linkage, PTX_LINKAGE_VISIBLE);
  assert_int_equal(a->type, PTX_TYPE_f32);
  assert_int_equal(a->vector, 2);
  assert_int_equal(ptx_variable_size(module, a), 3 * 5 * 8);
  assert_int_equal(ptx_variable_align(a), 8);
  assert_int_equal(ptx_variable_size(module, b), 0);
  assert_int_equal(module->dimensions.items[b->dimensions.first], PTX_UNSIZED);
  assert_int_equal(module->variables.items[2].initializer != PTX_NONE, true);
  assert_int_equal(module->variables.items[3].initializer, PTX_NONE);
  assert_int_equal(ptx_variable_align(&module->variables.items[3]), 8);
  assert_int_equal(ptx_variable_size(module, &module->variables.items[4]), 6);
}

static void ranges_outside_registers_are_variables(void **state) {
  const PtxModule *module =
      ptx_read(*state, PTX_BODY(".shared .b32 s<3>; .reg .b32 r; mov.u32 r, s2; ret;"));
  assert_int_equal(module->variables.count, 4);
  assert_int_equal(operand(module, 0, 1)->reference, PTX_REFERENCE_VARIABLE);
  assert_int_equal(operand(module, 0, 1)->target, 2);
}

static void parameters(void **state) {
  const PtxModule *module = ptx_read(
      *state, PTX_HEAD ".entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24])\n"
                       ".maxntid 256, 1, 1\n.minnctapersm 2\n{ ret; }");
  const PtxFunction *kernel = &module->functions.items[ptx_find_entry(module, "k", *state)];
  const PtxVariable *p = &module->variables.items[kernel->parameters.first];
  assert_int_equal(kernel->parameters.count, 2);
  assert_true(p->is_parameter && p->is_pointer);
  assert_int_equal(p->pointer_space, PTX_SPACE_GLOBAL);
  assert_int_equal(p->pointer_align, 16);
  assert_int_equal(ptx_variable_size(module, p + 1), 24);
  const PtxDirective *directive = &module->directives.items[kernel->directives.first];
  assert_int_equal(kernel->directives.count, 2);
  assert_text(module, directive->name, "maxntid");
  assert_int_equal(module->operands.items[directive->arguments.first].value, 256);
  assert_int_equal(ptx_find_entry(module, "other", *state), PTX_NONE);
}

static void instructions(void **state) {
  const PtxModule *module =
      ptx_read(*state, PTX_BODY(".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
                                "@!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+-8];\n"
                                "setp.ne.s32 %p0|%p1, %r1, -3;\n"
                                "frobnicate.twice %r1, 0x10;\n"
                                "ret;"));
  const PtxInstruction *load = instruction(module, 0);
  assert_int_equal(load->op, PTX_OP_ld);
  assert_int_equal(load->modifiers.count, 3);
  assert_text(module, module->modifiers.items[load->modifiers.first + 1].name, "v2");
  assert_int_equal(module->operands.items[load->guard].flags, PTX_OPERAND_NOT);
  assert_int_equal(operand(module, 0, 0)->kind, PTX_OPERAND_VECTOR);
  assert_int_equal(child(module, operand(module, 0, 0), 1)->kind, PTX_OPERAND_SINK);
  assert_int_equal(operand(module, 0, 1)->kind, PTX_OPERAND_ADDRESS);
  assert_true((int64_t)child(module, operand(module, 0, 1), 0)->value == -8);
  assert_int_equal(operand(module, 1, 0)->kind, PTX_OPERAND_PAIR);
  assert_true((int64_t)operand(module, 1, 2)->value == -3);
  assert_int_equal(instruction(module, 2)->op, PTX_OP_UNKNOWN);
  assert_text(module, instruction(module, 2)->mnemonic, "frobnicate");
  assert_int_equal(operand(module, 2, 1)->radix, 16);
  assert_int_equal(instruction(module, 3)->guard, PTX_NONE);
}

// Registers are numbered in the order of their declarations, over all scopes of a function.
static void registers_are_numbered(void **state) {
  const PtxModule *module = ptx_read(*state, PTX_BODY(".reg .b32 %r<4>; .reg .b64 x;\n"
                                                      "mov.b32 %r3, 0; mov.b64 x, 0;\n"
                                                      "{ .reg .b16 %r<2>; mov.b16 %r1, 0; "
                                                      "mov.b32 %r3, 0; }\n"
                                                      "mov.b32 %r1, 0;"));
  static const uint32_t expected[] = {3, 4, 6, 3, 1};
  static const PtxType types[] = {PTX_TYPE_b32, PTX_TYPE_b64, PTX_TYPE_b16, PTX_TYPE_b32,
                                  PTX_TYPE_b32};
  for (uint32_t i = 0; i < 5; i++) {
    const PtxOperand *target = operand(module, i, 0);
    assert_int_equal(target->reference, PTX_REFERENCE_REGISTER);
    assert_int_equal(target->target, expected[i]);
    assert_int_equal(module->variables.items[target->variable].type, types[i]);
  }
  assert_int_equal(module->functions.items[0].register_count, 7);
}

static void a_name_and_a_range_of_it_live_side_by_side(void **state) {
  const PtxModule *module =
      ptx_read(*state, PTX_BODY(".reg .b32 x; .reg .b32 x<2>; mov.b32 x, 0; mov.b32 x1, 0;"));
  assert_int_equal(operand(module, 0, 0)->target, 0);
  assert_int_equal(operand(module, 1, 0)->target, 2);
}

static void special_registers(void **state) {
  const PtxModule *module = ptx_read(
      *state,
      PTX_BODY(".reg .b32 r; mov.u32 r, %ctaid.y; mov.u32 r, %envreg31; mov.u32 r, %clock;"));
  assert_int_equal(operand(module, 0, 1)->reference, PTX_REFERENCE_SPECIAL);
  assert_int_equal(operand(module, 0, 1)->target, PTX_SPECIAL_ctaid);
  assert_text(module, operand(module, 0, 1)->component, "y");
  assert_int_equal(operand(module, 1, 1)->target, PTX_SPECIAL_envreg);
  assert_int_equal(operand(module, 1, 1)->value, 31);
  assert_int_equal(operand(module, 2, 1)->target, PTX_SPECIAL_clock);
}

static uint32_t branch_target(const PtxModule *module, uint32_t i) {
  const PtxOperand *target = operand(module, i, 0);
  assert_int_equal(target->reference, PTX_REFERENCE_LABEL);
  return module->labels.items[target->target].instruction;
}

static void labels_are_local_to_their_scope(void **state) {
  const PtxModule *module = ptx_read(*state, PTX_BODY("L: bra L; bra M;\n"
                                                      "{ bra L; L: bra L; bra M; }\n"
                                                      "M: ret; end:"));
  assert_int_equal(branch_target(module, 0), 0);
  assert_int_equal(branch_target(module, 1), 5);
  assert_int_equal(branch_target(module, 2), 3);
  assert_int_equal(branch_target(module, 3), 3);
  assert_int_equal(branch_target(module, 4), 5);
  assert_int_equal(module->labels.items[3].instruction, 6); // behind the last instruction
}

static void calls(void **state) {
  const PtxModule *module = ptx_read(
      *state, PTX_HEAD ".func (.param .u32 r) f(.param .u32 a);\n"
                       ".entry k() { .param .u32 a, b;\ncall.uni (b), f, (a);\n"
                       ".reg .b64 p; P: .callprototype _ (.param .u32 _);\ncall p, (a), P;\n"
                       "T: .branchtargets L;\nL: brx.idx p, T; }\n"
                       ".func (.param .u32 r) f(.param .u32 a) { ret; }\n");
  assert_int_equal(operand(module, 0, 0)->kind, PTX_OPERAND_LIST);
  assert_int_equal(operand(module, 0, 1)->reference, PTX_REFERENCE_FUNCTION);
  assert_int_equal(operand(module, 0, 1)->target, 2); // the definition
  assert_int_equal(module->functions.items[0].definition, 2);
  assert_int_equal(operand(module, 1, 2)->reference, PTX_REFERENCE_PROTOTYPE);
  assert_int_equal(operand(module, 2, 1)->reference, PTX_REFERENCE_TARGETS);
}

static void aliases(void **state) {
  const PtxModule *module =
      ptx_read(*state, PTX_HEAD ".func g() { ret; }\n.visible .func f();\n.alias f, g;\n"
                                ".entry k() { call f; }\n");
  assert_int_equal(operand(module, 1, 0)->target, 0);
  assert_int_equal(module->aliases.items[0].target, 0);
}

static void lines_and_inlining(void **state) {
  const PtxModule *module =
      ptx_read(*state, PTX_HEAD ".entry k() {\n"
                                ".loc 1 5 3\nret;\n"
                                ".loc 2 7 1, function_name $info0, inlined_at 1 5 3\nret;\n"
                                ".loc 2 9 2, function_name $info0+3, inlined_at 2 7 1\nret;\n"
                                ".loc 2 9 2, inlined_at 4 4 4\nret;\n}\n"
                                ".file 1 \"a.cu\"\n.file 2 \"b.h\"\n"
                                ".section .debug_str { $info0: .b8 102,111\n.b8 111,98,0 }");
  const PtxLocation *locations = module->locations.items;
  assert_int_equal(instruction(module, 2)->location, 2);
  assert_int_equal(locations[0].parent, PTX_NONE);
  assert_int_equal(locations[1].parent, 0);
  assert_int_equal(locations[2].parent, 1);
  assert_int_equal(locations[3].parent, PTX_NONE);
  assert_string_equal(ptx_function_name(module, &locations[1]), "foob");
  assert_string_equal(ptx_function_name(module, &locations[2]), "b");
  assert_null(ptx_function_name(module, &locations[0]));
  assert_string_equal(ptx_file_name(module, locations[2].file), "b.h");
  assert_null(ptx_file_name(module, 3));
}

// The value of a constant expression as `mov.b64 x, TEXT`.
static uint64_t value_of(Arena *arena, const char *text) {
  const PtxModule *module =
      ptx_read(arena, arena_format(arena, PTX_BODY(".reg .b64 x; mov.b64 x, %s;"), text));
  return operand(module, 0, 1)->value;
}

static void assert_value(Arena *arena, const char *text, uint64_t expected) {
  uint64_t value = value_of(arena, text);
  if (value != expected)
    fail_msg("%s is %#llx, expected %#llx", text, (unsigned long long)value,
             (unsigned long long)expected);
}

static void constants(void **state) {
  assert_value(*state, "0x7fffffffffffffff", INT64_MAX);
  assert_value(*state, "0b101", 5);
  assert_value(*state, "017", 15);
  assert_value(*state, "-1", UINT64_MAX);
  assert_value(*state, "18446744073709551615U", UINT64_MAX);
  assert_value(*state, "WARP_SZ", 32);
  assert_value(*state, "0f3F800000", 0x3F800000);
  assert_value(*state, "-0f3F800000", 0xBF800000);
  assert_value(*state, "0d3FF0000000000000", 0x3FF0000000000000);
  assert_value(*state, "1.5", 0x3FF8000000000000);
  assert_value(*state, "25e-1", 0x4004000000000000);
}

static void expressions(void **state) {
  assert_value(*state, "2 + 3 * 4", 14);
  assert_value(*state, "(2 + 3) * 4", 20);
  assert_value(*state, "10 - 4 - 3", 3);
  assert_value(*state, "-7 / 2", (uint64_t)-3);
  assert_value(*state, "-7 % 2", (uint64_t)-1);
  assert_value(*state, "(.u64) -7 / 2", UINT64_MAX / 2 - 3);
  assert_value(*state, "-8 >> 1", (uint64_t)-4);
  assert_value(*state, "(.u64) -8 >> 1", (UINT64_MAX - 7) / 2);
  assert_value(*state, "1 << 63", UINT64_C(1) << 63);
  assert_value(*state, "1 << 64", 0);
  assert_value(*state, "-1 >> 100", UINT64_MAX);
  assert_value(*state, "-1 < 0", 1);
  assert_value(*state, "-1 < 0U", 0);
  assert_value(*state, "~0 & 0xff ^ 0x0f | 0x100", 0x1f0);
  assert_value(*state, "!5 || 0 && 1", 0);
  assert_value(*state, "1 ? 2 : 0 ? 3 : 4", 2);
  assert_value(*state, "3 <= 3 == 1 != 0", 1);
  assert_value(*state, "(-9223372036854775807 - 1) / -1", UINT64_C(1) << 63);
  assert_value(*state, "(-9223372036854775807 - 1) % -1", 0);
  assert_value(*state, "1.5 + 1", 0x4004000000000000);
  assert_value(*state, "1.5 > 1 ? 7 : 8", 7);
}

// The n-th chunk of memory fails, for every n until all of it is enough.
static void memory_exhaustion_leaves_through_the_escape(void **state) {
  static const char text[] =
      PTX_HEAD ".global .b8 b[4] = {1, 2, 3, 4};\n.entry k() { .reg .b32 %r<100000>;\n"
               "L: mov.b32 %r99999, 5; @%p bra L; }\n";
  volatile uint64_t n = 0;
  volatile bool is_done = false;
  (void)state;
  while (!is_done) {
    MemoryEscape escape;
    Arena arena;
    DiagList diags;
    Source source = {"t.ptx", text, sizeof text - 1};
    arena_init(&arena, &escape, 0);
    diag_list_init(&diags, &arena);
    arena_fail_after(++n);
    if (setjmp(escape.target) == 0) {
      ptx_parse_module(&source, &arena, &diags);
      is_done = true;
    }
    arena_fail_after(0);
    arena_release(&arena);
  }
  assert_true(n > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(preamble),
      UNIT_TEST(variables),
      UNIT_TEST(ranges_outside_registers_are_variables),
      UNIT_TEST(parameters),
      UNIT_TEST(instructions),
      UNIT_TEST(registers_are_numbered),
      UNIT_TEST(a_name_and_a_range_of_it_live_side_by_side),
      UNIT_TEST(special_registers),
      UNIT_TEST(labels_are_local_to_their_scope),
      UNIT_TEST(calls),
      UNIT_TEST(aliases),
      UNIT_TEST(lines_and_inlining),
      UNIT_TEST(constants),
      UNIT_TEST(expressions),
      UNIT_TEST(memory_exhaustion_leaves_through_the_escape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
