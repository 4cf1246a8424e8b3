// What the tests of src/ptx share: parsing a text, and the diagnostics as one text.
#ifndef WARPSAN_TESTS_UNIT_PTX_UNIT_H
#define WARPSAN_TESTS_UNIT_PTX_UNIT_H

#include "unit.h"

#include "ptx/ptx.h"

#define PTX_HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
// A kernel whose body begins in line 5.
#define PTX_BODY(text) PTX_HEAD ".entry k() {\n" text "\n}\n"

static inline const Source *ptx_source(Arena *arena, const char *text, size_t length) {
  Source *source = ARENA_NEW(arena, Source);
  *source = (Source){"t.ptx", arena_copy_text(arena, text, length), (uint32_t)length};
  return source;
}

// The diagnostics and their notes as "LINE:COLUMN: message" lines.
static inline const char *ptx_diag_text(Arena *arena, const DiagList *diags) {
  const char *all = "";
  for (uint32_t i = 0; i < diags->count; i++) {
    const Diag *diag = &diags->items[i];
    Position place = source_position(diag->span.source, diag->span.begin);
    all = arena_format(arena, "%s%u:%u: %s\n", all, place.line, place.column, diag->message);
    for (uint32_t j = 0; j < diag->notes.count; j++) {
      place = source_position(diag->notes.items[j].span.source, diag->notes.items[j].span.begin);
      all = arena_format(arena, "%s%u:%u: note: %s\n", all, place.line, place.column,
                         diag->notes.items[j].message);
    }
  }
  return all;
}

static inline const char *ptx_messages(Arena *arena, const char *text, size_t length) {
  DiagList diags;
  diag_list_init(&diags, arena);
  const PtxModule *module = ptx_parse_module(ptx_source(arena, text, length), arena, &diags);
  assert_int_equal(module == NULL, !diag_list_is_ok(&diags));
  return ptx_diag_text(arena, &diags);
}

// A module that must be read without an error.
static inline PtxModule *ptx_read_bytes(Arena *arena, const char *text, size_t length) {
  DiagList diags;
  diag_list_init(&diags, arena);
  PtxModule *module = ptx_parse_module(ptx_source(arena, text, length), arena, &diags);
  if (!module)
    print_error("%s", ptx_diag_text(arena, &diags));
  assert_non_null(module);
  ptx_module_check(module);
  return module;
}

static inline PtxModule *ptx_read(Arena *arena, const char *text) {
  return ptx_read_bytes(arena, text, strlen(text));
}

#endif
