// What the tests of launch lines share: reading them from a text, with files that are made up.
#ifndef WARPSAN_TESTS_UNIT_LAUNCH_UNIT_H
#define WARPSAN_TESTS_UNIT_LAUNCH_UNIT_H

#include "ptx_unit.h"

#include "ptx/launch.h"

// A file that `file:PATH` finds.
typedef struct LaunchTestFile {
  const char *path;
  const char *bytes;
  size_t length;
} LaunchTestFile;

typedef struct LaunchTestFiles {
  const LaunchTestFile *files;
  size_t count;
  const char *from; // of the last call
} LaunchTestFiles;

static inline LaunchFileBytes launch_test_read(void *context, Arena *arena, const char *from,
                                               const char *path, uint64_t limit_bytes) {
  LaunchTestFiles *files = context;
  files->from = from;
  for (size_t i = 0; i < files->count; i++) {
    const LaunchTestFile *file = &files->files[i];
    size_t length = file->length < limit_bytes ? file->length : (size_t)limit_bytes;
    const char *copy = arena_copy_text(arena, file->bytes, length); // so that overruns are seen
    if (strcmp(file->path, path) == 0)
      return (LaunchFileBytes){(const uint8_t *)copy, length, NULL};
  }
  return (LaunchFileBytes){NULL, 0, "no such file or directory"};
}

static inline LaunchSet *launch_read_kind(Arena *arena, LaunchInputKind kind, const char *text,
                                          DiagList *diags) {
  LaunchInput input = {kind, ptx_source(arena, text, strlen(text))};
  LaunchOptions options = {.limit_bytes = 1 << 20};
  diag_list_init(diags, arena);
  LaunchSet *set = launch_parse(&input, 1, &options, arena, diags);
  assert_int_equal(set == NULL, !diag_list_is_ok(diags));
  return set;
}

// Lines of comments that must be right.
static inline LaunchSet *launch_read(Arena *arena, const char *text) {
  DiagList diags;
  LaunchSet *set = launch_read_kind(arena, LAUNCH_INPUT_COMMENTS, text, &diags);
  if (!set)
    print_error("%s\n%s", text, ptx_diag_text(arena, &diags));
  assert_non_null(set);
  return set;
}

// The one buffer of `args=BUFFER`.
static inline const LaunchBuffer *launch_read_buffer(Arena *arena, const char *buffer) {
  const LaunchSet *set =
      launch_read(arena, arena_format(arena, "// launch: kernel=k grid=1 block=1 args=%s", buffer));
  assert_int_equal(set->buffer_count, 1);
  return &set->buffers[0];
}

#endif
