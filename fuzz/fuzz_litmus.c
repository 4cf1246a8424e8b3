// libFuzzer target: any bytes read as a litmus test. See fuzz/meson.build.
#include "litmus/litmus.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Evaluates what was read once, as the explorer would, so that wrong indices show.
static void use_test(const LitmusTest *test, Arena *arena) {
  const Condition *condition = &test->condition;
  int64_t *values = ARENA_ARRAY(arena, int64_t, condition->column_count);
  condition_holds(condition, condition->root, values);
  if (condition->filter_root != UINT32_MAX)
    condition_holds(condition, condition->filter_root, values);
  for (uint32_t i = 0; i < test->program.thread_count; i++) {
    const Thread *thread = &test->program.threads[i];
    for (uint32_t j = 0; j < thread->instruction_count; j++)
      ir_print_instruction(arena, &test->program, thread, &thread->instructions[j]);
  }
}

static void read_text(const Source *source, Arena *arena) {
  DiagList diags;
  diag_list_init(&diags, arena);
  litmus_is_test(source);
  const LitmusTest *test = litmus_parse(source, arena, &diags);
  if (!test && diag_list_is_ok(&diags))
    abort(); // a failure that nobody is told about
  if (test)
    use_test(test, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  char *text = arena_copy_text(&arena, (const char *)data, size);
  Source source = {"fuzz.litmus", text, (uint32_t)size};
  read_text(&source, &arena);
  arena_release(&arena);
  return 0;
}
