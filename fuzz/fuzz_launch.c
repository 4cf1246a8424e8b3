// libFuzzer target: any bytes read as code with launch lines and as the texts of the command line.
// What is read is checked, and its conditions are evaluated over the initial contents; files that
// it names hold the input itself. Build and run:
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -Isrc
//     fuzz/fuzz_launch.c src/ptx/*.c src/base/*.c -o fuzz_launch
//   ./fuzz_launch -max_len=1024 CORPUS
#include "ptx/launch.h"

#include <stdlib.h>

enum { LIMIT_BYTES = 1 << 16, MAX_ROUNDS = 1 << 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static LaunchFileBytes read_input(void *context, Arena *arena, const char *from, const char *path,
                                  uint64_t limit_bytes) {
  const Source *source = context;
  (void)from;
  uint64_t length = source->length < limit_bytes ? source->length : limit_bytes;
  if (path[0] == 'n')
    return (LaunchFileBytes){NULL, 0, "no such file or directory"};
  return (LaunchFileBytes){(const uint8_t *)arena_copy_text(arena, source->text, length), length,
                           NULL};
}

static bool takes_long(const Final *final) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < final->variable_count; i++)
    count *= (uint64_t) final->variables[i].last - (uint64_t) final->variables[i].first + 1;
  return count > MAX_ROUNDS;
}

static void use_set(LaunchSet *set, Arena *arena) {
  LaunchFailure failure;
  launch_set_check(set);
  for (uint32_t i = 0; i < set->final_count; i++) {
    const Final *final = &set->finals[i];
    if (!takes_long(final) && !launch_final_holds(final, launch_read_initial, set, arena, &failure))
      launch_failure_text(final, &failure, arena);
  }
}

static void read_text(const Source *source, LaunchInputKind kind) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  DiagList diags;
  diag_list_init(&diags, &arena);
  LaunchInput input = {kind, source};
  LaunchOptions options = {
      .read_file = read_input,
      .context = (void *)source,
      .limit_bytes = LIMIT_BYTES,
      .reads_verdicts = true,
  };
  LaunchSet *set = launch_parse(&input, 1, &options, &arena, &diags);
  if ((set != NULL) != diag_list_is_ok(&diags) || diags.count > LAUNCH_MAX_ERRORS)
    abort(); // a failure that nobody is told about, or the other way round
  if (set)
    use_set(set, &arena);
  arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  Source source = {"fuzz.cu", arena_copy_text(&arena, (const char *)data, size), (uint32_t)size};
  for (LaunchInputKind kind = LAUNCH_INPUT_COMMENTS; kind <= LAUNCH_INPUT_EXPECT; kind++)
    read_text(&source, kind);
  arena_release(&arena);
  return 0;
}
