// What the tests of src/litmus share: parsing a text, and the diagnostics as one text.
#ifndef WARPSAN_TESTS_UNIT_LITMUS_UNIT_H
#define WARPSAN_TESTS_UNIT_LITMUS_UNIT_H

#include "unit.h"

#include "litmus/litmus.h"

static inline const Source *litmus_source(Arena *arena, const char *text, size_t length) {
  Source *source = ARENA_NEW(arena, Source);
  *source = (Source){"t.litmus", arena_copy_text(arena, text, length), (uint32_t)length};
  return source;
}

// The diagnostics as "LINE:COLUMN: message" lines.
static inline const char *litmus_messages(Arena *arena, const char *text, size_t length) {
  DiagList diags;
  diag_list_init(&diags, arena);
  const Source *source = litmus_source(arena, text, length);
  const LitmusTest *test = litmus_parse(source, arena, &diags);
  assert_int_equal(test == NULL, diags.count > 0);
  const char *all = "";
  for (uint32_t i = 0; i < diags.count; i++) {
    Position place = source_position(source, diags.items[i].span.begin);
    all =
        arena_format(arena, "%s%u:%u: %s\n", all, place.line, place.column, diags.items[i].message);
  }
  return all;
}

// A test that must be read without an error.
static inline const LitmusTest *litmus_read(Arena *arena, const char *text) {
  DiagList diags;
  diag_list_init(&diags, arena);
  const LitmusTest *test = litmus_parse(litmus_source(arena, text, strlen(text)), arena, &diags);
  for (uint32_t i = 0; i < diags.count; i++)
    print_error("%s\n", diags.items[i].message);
  assert_non_null(test);
  return test;
}

// The one thread of a PTX test with these cells, each behind a newline: "ld.weak r0, x\n...".
static inline const Thread *litmus_read_thread(Arena *arena, const char *header, const char *rows) {
  const LitmusTest *test = litmus_read(arena, arena_format(arena, "%s\n%s", header, rows));
  return &test->program.threads[0];
}

#endif
