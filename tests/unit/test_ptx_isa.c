// Forms of every instruction of the PTX ISA, as ptxas accepts them (ptx_isa.txt): those that are
// lowered, and those that are named as not supported, which begin with '-'.
#include "ptx_unit.h"

#include "ir/grid.h"
#include "ptx/lower.h"

#include <stdio.h>

static const char *module_text(Arena *arena, const char *instruction) {
  return arena_format(
      arena,
      PTX_HEAD
      ".extern .shared .align 16 .b8 sm[];\n"
      ".entry k(.param .u64 given, .param .align 64 .b8 tm[128]) {\n"
      ".reg .b32 %%r<100>; .reg .b64 %%d<60>; .reg .pred %%p<20>; .reg .f32 %%f<100>;\n"
      ".reg .f64 %%x<60>; .reg .b128 %%q<8>; .reg .b16 %%h<40>; .reg .b8 %%b<8>;\n%s;\nret;\n}\n",
      instruction);
}

// What is named only beyond a limit, as of the stack of alloca.
static bool is_limit(const Instruction *instruction) {
  return strstr(instruction->text, "more than") != NULL;
}

// Is there anything but IR_UNSUPPORTED?
static bool lowers(Arena *arena, const char *instruction) {
  DiagList diags;
  diag_list_init(&diags, arena);
  const char *text = module_text(arena, instruction);
  const PtxModule *module = ptx_parse_module(ptx_source(arena, text, strlen(text)), arena, &diags);
  if (!module)
    return false;
  static const uint8_t zeros[128];
  LaunchArgument arguments[2] = {{.bytes = zeros, .byte_count = 8},
                                 {.bytes = zeros, .byte_count = sizeof zeros}};
  Launch launch = {.kernel = "k",
                   .grid = {1, 1, 1},
                   .block = {32, 1, 1},
                   .cluster = {1, 1, 1},
                   .arguments = arguments,
                   .argument_count = 2};
  LaunchSet set = {.launches = &launch, .launch_count = 1};
  const Program *program = ptx_lower(module, &set, NULL, arena, &diags);
  if (!program)
    return false;
  const KernelCode *code = program->grids[0].code;
  for (uint32_t i = 0; i < code->instruction_count; i++)
    if (code->instructions[i].op == IR_UNSUPPORTED && !is_limit(&code->instructions[i]))
      return false;
  return diags.count == 0;
}

static FILE *open_list(Arena *arena) {
  const char *root = getenv("WARPSAN_ROOT");
  return fopen(arena_format(arena, "%s/tests/unit/ptx_isa.txt", root ? root : "."), "r");
}

static void forms_lower_or_are_named(void **state) {
  Arena *arena = *state;
  FILE *file = open_list(arena);
  char line[1024];
  uint32_t count = 0, failures = 0;
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (!line[0] || line[0] == '#')
      continue;
    bool is_named = line[0] == '-';
    ArenaMark mark = arena_mark(arena);
    bool is_lowered = lowers(arena, line + (is_named ? 2 : 0));
    arena_reset(arena, mark);
    count++;
    if (is_lowered != is_named)
      continue;
    print_error("%s: %s\n", is_lowered ? "lowers after all" : "does not lower", line);
    failures++;
  }
  fclose(file);
  assert_true(count > 2000);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {UNIT_TEST(forms_lower_or_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
