// The arithmetic forms that real kernels use decode: those listed in opcodes/opcodes.tsv of the
// shared material (WARPSAN_SHARED or ../shared) for the suites below, where it is at hand.
#include "ptx_unit.h"

#include "ptx/alu.h"
#include "ptx/modifiers.h"

#include <stdio.h>

static const char *const suites[] = {"scor", "indigo", "gpuverify", "corpus"};

// Type modifiers to try with a form that is listed without its types.
static const char *const endings[] = {
    "",       ".pred",    ".b16",     ".b32",     ".b64",     ".u16",     ".u32",
    ".u64",   ".s16",     ".s32",     ".s64",     ".f16",     ".f32",     ".f64",
    ".f16x2", ".f32.s32", ".u64.u32", ".s32.f32", ".f32.f32", ".s32.s32",
};

static PtxOp opcode_of(const char *form) {
  static const char *const names[] = {
#define OP(name) #name,
#include "ptx/opcodes.def"
#undef OP
  };
  size_t length = strcspn(form, ".");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && strncmp(names[i], form, length) == 0)
      return (PtxOp)(i + 1);
  return PTX_OP_UNKNOWN;
}

static bool is_arithmetic(PtxOp op) {
  switch (op) {
  case PTX_OP_shfl:
  case PTX_OP_mov: // before these: computing; behind: moving, but for the last two
    return op == PTX_OP_mov;
  case PTX_OP_prmt:
  case PTX_OP_cvt:
    return true;
  default:
    return (op >= PTX_OP_add && op < PTX_OP_mov) || (op >= PTX_OP_vadd && op <= PTX_OP_vset4);
  }
}

// Does the form decode with so many source operands?
static bool decodes_with(Arena *arena, const char *form, uint32_t source_count) {
  const char *text = arena_format(arena, "%s %%r0", form);
  for (uint32_t i = 0; i < source_count; i++)
    text = arena_format(arena, "%s, %%r%u", text, i + 1);
  text = arena_format(arena, PTX_HEAD ".entry k() {\n.reg .b32 %%r<9>;\n%s;\n}\n", text);
  const PtxModule *module = ptx_read(arena, text);
  const PtxInstruction *instruction = &module->instructions.items[0];
  DiagList diags;
  diag_list_init(&diags, arena);
  PtxModifiers modifiers;
  AluOperation operation;
  const char *unsupported;
  return ptx_decode_modifiers(module, instruction, &modifiers, &diags) &&
         ptx_decode_alu(module, instruction, &modifiers, &operation, &unsupported) == PTX_ALU_OK;
}

static bool decodes(Arena *arena, const char *form, bool is_stripped) {
  size_t ending_count = is_stripped ? sizeof endings / sizeof *endings : 1;
  for (size_t i = 0; i < ending_count; i++)
    for (uint32_t sources = 1; sources <= 4; sources++)
      if (decodes_with(arena, arena_format(arena, "%s%s", form, endings[i]), sources))
        return true;
  return false;
}

static bool is_wanted(const char *list) {
  for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
    size_t length = strlen(suites[i]);
    for (const char *at = strstr(list, suites[i]); at; at = strstr(at + 1, suites[i]))
      if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
        return true;
  }
  return false;
}

static FILE *open_list(Arena *arena) {
  const char *shared = getenv("WARPSAN_SHARED"), *root = getenv("WARPSAN_ROOT");
  if (!shared)
    shared = arena_format(arena, "%s/../shared", root ? root : ".");
  return fopen(arena_format(arena, "%s/opcodes/opcodes.tsv", shared), "r");
}

static void listed_forms_decode(void **state) {
  Arena *arena = *state;
  FILE *file = open_list(arena);
  if (!file) {
    print_message("skipped: no opcodes/opcodes.tsv in WARPSAN_SHARED or ../shared\n");
    skip();
  }
  char line[1024], kind[16], form[256], list[512];
  uint32_t form_count = 0, failure_count = 0;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%15s %255s %*s %*s %511[^\n]", kind, form, list) != 3 || !is_wanted(list) ||
        !is_arithmetic(opcode_of(form)))
      continue;
    form_count++;
    if (!decodes(arena, form, strcmp(kind, "stripped") == 0)) {
      print_error("does not decode: %s\n", form);
      failure_count++;
    }
  }
  fclose(file);
  print_message("%u forms\n", form_count);
  assert_true(form_count > 0);
  assert_int_equal(failure_count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {UNIT_TEST(listed_forms_decode)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
