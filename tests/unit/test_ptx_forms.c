// Every instruction form that real kernels use lowers: those that opcodes/opcodes.tsv of the shared
// material (WARPSAN_SHARED or ../shared) lists with their types, where it is at hand. What does not
// is stated here.
#include "ptx_unit.h"

#include "ir/grid.h"
#include "ptx/lower.h"

#include <stdio.h>

// What follows the form in the instruction: D stands for the data, a vector where the form has one.
typedef struct Operands {
  const char *prefix; // of the form
  const char *texts[4];
} Operands;

static const Operands operands[] = {
    {"activemask", {"%r1"}},
    {"atom", {"%r1, [%d1], %r2", "%r1, [%d1], %r2, %r3"}},
    {"bar.arrive", {"1, 64"}},
    {"bar.red.popc", {"%r1, 1, %p1"}},
    {"bar.red", {"%p2, 1, %p1", "%p2, 1, 64, !%p1"}},
    {"bar.sync", {"0"}},
    {"bar.warp.sync", {"%r1"}},
    {"barrier.cluster", {""}},
    {"barrier.sync", {"1"}},
    {"bra", {"end"}},
    {"brev", {"%r1, %r2"}},
    {"call", {"(%r1), f, (%r2)"}},
    {"cp.async.bulk.commit_group", {""}},
    {"cp.async.bulk.wait_group", {"0"}},
    {"cp.async.bulk.global", {"[%d1], [%r1], 32"}},
    {"cp.async.bulk.shared", {"[%r1], [%d1], 32, [%r2]"}},
    {"cp.async.bulk.tensor.2d.global", {"[%d1, {%r1, %r2}], [%r3]"}},
    {"cp.async.bulk.tensor.2d.shared", {"[%r1], [%d1, {%r2, %r3}], [%r4]"}},
    {"cp.async.ca", {"[%r1], [%d1], 4"}},
    {"cp.async.cg", {"[%r1], [%d1], 16"}},
    {"cp.async.commit_group", {""}},
    {"cp.async.mbarrier", {"[%r1]"}},
    {"cp.async.wait_group", {"0"}},
    {"cp.reduce", {"[%d1], [%r1], 32"}},
    {"createpolicy", {"%d1, %f1"}},
    {"exit", {""}},
    {"fence", {""}},
    {"griddepcontrol", {""}},
    {"ld.param", {"D, [given]", "D, [taken]"}},
    {"ld", {"D, [%d1]"}},
    {"ldmatrix", {"{%r1, %r2}, [%r9]", "{%r1, %r2, %r3, %r4}, [%r9]"}},
    {"mapa", {"%d1, %d2, %r1"}},
    {"match.all", {"%r1|%p1, %r2, %r3"}},
    {"match.any", {"%r1, %r2, %r3"}},
    {"mbarrier.arrive_drop", {"%d1, [%r1]"}},
    {"mbarrier.arrive.expect_tx", {"%d1, [%r1], 16"}},
    {"mbarrier.arrive", {"%d1, [%r1]", "%d1, [%r1], 2"}},
    {"mbarrier.expect_tx", {"[%r1], 16"}},
    {"mbarrier.init", {"[%r1], 32"}},
    {"mbarrier.inval", {"[%r1]"}},
    {"mbarrier.pending_count", {"%r1, %d1"}},
    {"mbarrier.test_wait", {"%p1, [%r1], %d1"}},
    {"mbarrier.try_wait", {"%p1, [%r1], %d1"}},
    {"membar", {""}},
    {"mov.v2", {"%v2a, %v2b"}},
    {"mov.v4", {"%v4a, %v4b"}},
    {"mov.v8", {"%v8a, %v8b"}},
    {"nanosleep", {"%r1"}},
    {"red", {"[%d1], %r1"}},
    {"redux", {"%r1, %r2, %r3"}},
    {"ret", {""}},
    {"shfl", {"%r1|%p1, %r2, %r3, %r4, %r5"}},
    {"st.param", {"[passed], D"}},
    {"st", {"[%d1], D"}},
    {"tex", {"{%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}]"}},
    {"trap", {""}},
    {"vote", {"%p1, %p2, %r1", "%r2, %p2, %r1", "%p1, %p2", "%r1, %p2"}},
    {"wmma.load", {"{%r1, %r2}, [%d1], %r20"}},
};

// Computations: as many operands as it takes.
static const char *const computations[] = {
    "%r1, %r2",           "%r1, %r2, %r3",     "%r1, %r2, %r3, %r4", "%r1, %r2, %r3, %r4, 7",
    "%p1, %r2, %r3, %p2", "%p1|%p3, %r2, %r3",
};

// Forms that are named when a thread would execute them.
static const char *const unsupported[] = {
    // of whole vector registers
    "mov.v2.u32",
    "mov.v4.u16",
    "mov.v8.u16",
};

// Forms that the list lacks, as ptxas accepts them.
static const char *const further[] = {
    // 128 and 256 bits
    "mov.b128 %q1, {%d2, %d3}",
    "mov.b128 {%d2, %d3}, %q1",
    "mov.b128 {_, %d3}, %q1",
    "mov.b128 %q1, %q2",
    "ld.global.b128 %q1, [%d1]",
    "ld.acquire.sys.b128 %q1, [%d1+16]",
    "ld.volatile.shared.b128 %q1, [%r1]",
    "ld.global.nc.b128 %q1, [%d1]",
    "st.release.gpu.global.b128 [%d1], %q1",
    "st.weak.shared.b128 [%r1], %q1",
    "atom.exch.b128 %q1, [%d1], %q2",
    "atom.acq_rel.gpu.global.cas.b128 %q1, [%d1], %q2, %q3",
    "atom.release.sys.exch.b128 _, [%d1], %q2",
    "ld.global.v4.b64 {%d2, %d3, %d4, %d5}, [%d1]",
    "ld.global.nc.L2::evict_last.v8.b32 {%r1, _, %r3, _, %r5, %r6, %r7, %r8}, [%d1]",
    // conversions to and from floats of 8 bits and less, and other arithmetic
    "cvt.rn.satfinite.relu.e4m3x2.f32 %h1, %f1, %f2",
    "cvt.rn.satfinite.e2m3x2.f32 %h1, %f1, %f2",
    "cvt.rn.satfinite.relu.e3m2x2.f32 %h1, %f1, %f2",
    "cvt.rn.satfinite.e2m1x2.f32 %b1, %f1, %f2",
    "cvt.rn.f16x2.e2m3x2 %r1, %h1",
    "cvt.rn.relu.f16x2.e2m1x2 %r1, %b1",
    "cvt.rp.satfinite.ue8m0x2.f32 %h1, %f1, %f2",
    "cvt.rz.ue8m0x2.bf16x2 %h1, %r1",
    "cvt.rn.bf16x2.ue8m0x2 %r1, %h1",
    "fma.rn.ftz.f32x2 %d2, %d3, %d4, %d5",
    "add.rz.f32.bf16 %f1, %h1, %f2",
    "min.ftz.f32 %f1, %f2, %f3, %f4",
    "max.NaN.abs.f32 %f1, %f2, %f3, %f4",
    "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x3f, %p2",
    "redux.sync.max.abs.NaN.f32 %f1, %f2, 0xffffffff",
    "st.bulk.weak.shared::cta [%r1], 64, 0",
    "st.bulk [%d1], %d2, 0",
    // surfaces
    "suld.b.2d.v4.b32.clamp {%r1, %r2, %r3, %r4}, [%d1, {%r5, %r6}]",
    "suld.b.3d.v2.b64.zero {%d2, %d3}, [%d1, {%r1, %r2, %r3, %r4}]",
    "sust.b.1d.b8.trap [%d1, {%r2}], %h1",
    "suq.height.b32 %r1, [%d1]",
    "txq.depth.b32 %r1, [%d1]",
    // bulk copies that reduce elements of tensors
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%d1, {%r1, %r2}], "
    "[%r3]",
    "cp.reduce.async.bulk.tensor.1d.global.shared::cta.inc.bulk_group [%d1, {%r1}], [%r3]",
    // products of matrices of narrow elements
    "mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2}",
    "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32 {%r1, %r2, %r3, %r4}, {%r5, %r6, "
    "%r7, %r8}, {%r9, %r10}, {%r1, %r2, %r3, %r4}",
    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%r1, %r2, %r3, %r4}, {%r5, %r6, "
    "%r7, %r8}, {%r9, %r10}, {%r1, %r2, %r3, %r4}",
    "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16 {%r1, %r2}, {%r5, %r6, %r7, %r8}, {%r9, "
    "%r10}, {%r1, %r2}",
    "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {%r1}, [%d1], 32",
    "wmma.load.b.sync.aligned.col.m8n8k128.shared.b1 {%r1}, [%r2], 128",
    "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, "
    "%r2}",
    "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {%r1, %r2, %r3, %r4}, %d1, %d2, %p1",
    "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {%r1, %r2, %r3, %r4}, %d1, %d2, %p1",
    "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%f1, %f2, %f3, %f4}, %d1, %d2, %p1, -1, "
    "1",
    "st.global.v8.b32 [%d1], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}",
};

static const char *module_text(Arena *arena, const char *instruction) {
  return arena_format(
      arena,
      PTX_HEAD ".func (.reg .b32 result) f (.reg .b32 a) { mov.b32 result, a; ret; }\n"
               ".entry k(.param .b64 given) {\n"
               ".reg .b32 %%r<40>; .reg .b64 %%d<20>; .reg .pred %%p<9>; .reg .f32 %%f<20>;\n"
               ".reg .f64 %%x<20>; .reg .b128 %%q<4>; .reg .b16 %%h<20>; .reg .b8 %%b<4>; .reg .v2 "
               ".b32 %%v2a, %%v2b; .reg .v4 .b16 %%v4a, %%v4b;\n"
               ".reg .v8 .b16 %%v8a, %%v8b; .param .align 16 .b8 passed[32], taken[32];\n"
               "%s;\nend: ret;\n}\n",
      instruction);
}

// Is there anything but IR_UNSUPPORTED?
static bool lowers(Arena *arena, const char *instruction) {
  ArenaMark mark = arena_mark(arena);
  const char *text = module_text(arena, instruction);
  DiagList diags;
  diag_list_init(&diags, arena);
  const PtxModule *module = ptx_parse_module(ptx_source(arena, text, strlen(text)), arena, &diags);
  bool is_lowered = module != NULL;
  if (module) {
    static const uint8_t zeros[8];
    LaunchArgument argument = {.bytes = zeros, .byte_count = sizeof zeros};
    Launch launch = {.kernel = "k",
                     .grid = {1, 1, 1},
                     .block = {32, 1, 1},
                     .cluster = {1, 1, 1},
                     .arguments = &argument,
                     .argument_count = 1};
    LaunchSet set = {.launches = &launch, .launch_count = 1};
    const Program *program = ptx_lower(module, &set, NULL, arena, &diags);
    assert_non_null(program);
    const KernelCode *code = program->grids[0].code;
    for (uint32_t i = 0; i < code->instruction_count; i++)
      is_lowered = is_lowered && code->instructions[i].op != IR_UNSUPPORTED;
  }
  arena_reset(arena, mark);
  return is_lowered;
}

static bool lowers_with(Arena *arena, const char *form, const char *text) {
  const char *vector = strstr(form, ".v2")   ? "{%r1, %r2}"
                       : strstr(form, ".v4") ? "{%r1, %r2, %r3, %r4}"
                       : strstr(form, ".v8") ? "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}"
                                             : "%r1";
  const char *data = strchr(text, 'D');
  if (!data)
    return lowers(arena, arena_format(arena, "%s %s", form, text));
  return lowers(
      arena, arena_format(arena, "%s %.*s%s%s", form, (int)(data - text), text, vector, data + 1));
}

static const char *registers(Arena *arena, uint32_t first, uint32_t count) {
  const char *text = "";
  for (uint32_t i = 0; i < count; i++)
    text = arena_format(arena, "%s%s%%r%u", text, i ? ", " : "", first + i);
  return arena_format(arena, "{%s}", text);
}

// Fragments of as many registers as it takes.
static bool matrix_lowers(Arena *arena, const char *form) {
  bool is_product = strncmp(form, "mma", 3) == 0 || strncmp(form, "wmma.mma", 8) == 0;
  bool is_store = strncmp(form, "wmma.store", 10) == 0;
  for (uint32_t d = 1; d <= 8; d *= 2) {
    const char *sum = registers(arena, 0, d);
    if (!is_product &&
        lowers(arena, is_store ? arena_format(arena, "%s [%%d1], %s, 16", form, sum)
                               : arena_format(arena, "%s %s, [%%d1], 16", form, sum)))
      return true;
    for (uint32_t a = 1; is_product && a <= 8; a *= 2)
      for (uint32_t b = 1; b <= 8; b *= 2)
        if (lowers(arena, arena_format(arena, "%s %s, %s, %s, %s", form, sum,
                                       registers(arena, 10, a), registers(arena, 20, b), sum)))
          return true;
  }
  return false;
}

static bool form_lowers(Arena *arena, const char *form) {
  if (strncmp(form, "mma", 3) == 0 || strncmp(form, "wmma", 4) == 0)
    return matrix_lowers(arena, form);
  for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
    const Operands *row = &operands[i];
    size_t length = strlen(row->prefix);
    if (strncmp(form, row->prefix, length) != 0 || (form[length] && !strchr(".:", form[length])))
      continue;
    for (size_t j = 0; j < sizeof row->texts / sizeof *row->texts && row->texts[j]; j++)
      if (lowers_with(arena, form, row->texts[j]))
        return true;
    return false;
  }
  for (size_t i = 0; i < sizeof computations / sizeof *computations; i++)
    if (lowers_with(arena, form, computations[i]))
      return true;
  return false;
}

static bool is_listed(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
      return true;
  return false;
}

// Suites all of whose forms lower.
static bool is_supported_suite(const char *list) {
  static const char *const suites[] = {"scor", "indigo", "gpuverify", "corpus"};
  for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
    if (is_listed(list, suites[i]))
      return true;
  return false;
}

static bool is_unsupported(const char *form) {
  for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
    if (strcmp(unsupported[i], form) == 0)
      return true;
  return false;
}

static FILE *open_list(Arena *arena) {
  const char *shared = getenv("WARPSAN_SHARED"), *root = getenv("WARPSAN_ROOT");
  if (!shared)
    shared = arena_format(arena, "%s/../shared", root ? root : ".");
  return fopen(arena_format(arena, "%s/opcodes/opcodes.tsv", shared), "r");
}

static void listed_forms_lower(void **state) {
  Arena *arena = *state;
  FILE *file = open_list(arena);
  if (!file) {
    print_message("skipped: no opcodes/opcodes.tsv in WARPSAN_SHARED or ../shared\n");
    skip();
  }
  char line[1024], kind[16], form[256], list[512];
  uint32_t form_count = 0, failure_count = 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%15s %255s %*s %*s %511[^\n]", kind, form, list) != 3 ||
        strcmp(kind, "full") != 0)
      continue;
    form_count++;
    bool is_lowered = form_lowers(arena, form);
    if (is_lowered ? !is_unsupported(form) : is_unsupported(form) && !is_supported_suite(list))
      continue;
    print_error("%s: %s (%s)\n", is_lowered ? "lowers after all" : "does not lower", form, list);
    failure_count++;
  }
  fclose(file);
  print_message("%u forms\n", form_count);
  assert_true(form_count > 0);
  assert_int_equal(failure_count, 0);
}

static void further_forms_lower(void **state) {
  for (size_t i = 0; i < sizeof further / sizeof *further; i++)
    if (!lowers(*state, further[i]))
      fail_msg("does not lower: %s", further[i]);
}

static void unknown_form_does_not_lower(void **state) {
  assert_false(form_lowers(*state, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"));
  assert_false(form_lowers(*state, "add.b128"));
}

int main(void) {
  const struct CMUnitTest tests[] = {UNIT_TEST(listed_forms_lower), UNIT_TEST(further_forms_lower),
                                     UNIT_TEST(unknown_form_does_not_lower)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
