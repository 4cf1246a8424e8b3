// What the tests of src/cat share: models from texts, their first error as one line, and execution
// graphs that are filled in by the names of relations.
#ifndef WARPSAN_TESTS_UNIT_CAT_UNIT_H
#define WARPSAN_TESTS_UNIT_CAT_UNIT_H

#include "unit.h"

#include "base/bits.h"
#include "cat/cat.h"
#include "model/primitives.h"

#include <stdio.h>

// An included file: `load_memory` finds the texts that a test put here.
typedef struct MemoryFile {
  const char *name;
  const char *text;
} MemoryFile;

typedef struct MemoryFiles {
  Arena *arena;
  const MemoryFile *files; // ended by a NULL name
} MemoryFiles;

static inline const Source *new_source(Arena *arena, const char *name, const char *text) {
  Source *source = ARENA_NEW(arena, Source);
  *source = (Source){name, text, (uint32_t)strlen(text)};
  return source;
}

static inline const Source *load_memory(void *context, const char *name, const Source *includer) {
  const MemoryFiles *memory = context;
  (void)includer;
  for (const MemoryFile *file = memory->files; file && file->name; file++)
    if (strcmp(file->name, name) == 0)
      return new_source(memory->arena, file->name, file->text);
  return NULL;
}

static inline CatModel *parse_with_files(Arena *arena, const char *text, const MemoryFile *files,
                                         DiagList *diags) {
  MemoryFiles *memory = ARENA_NEW(arena, MemoryFiles);
  *memory = (MemoryFiles){arena, files};
  diag_list_init(diags, arena);
  return cat_parse(new_source(arena, "m.cat", text), primitives, PRIMITIVE_COUNT, load_memory,
                   memory, arena, diags);
}

static inline const char *describe_diag(Arena *arena, const Diag *diag) {
  Position place = source_position(diag->span.source, diag->span.begin);
  return arena_format(arena, "%s:%u:%u: %s", diag->span.source->name, place.line, place.column,
                      diag->message);
}

// The model of the text; the test fails with the first error if there is one.
static inline CatModel *parse_model(Arena *arena, const char *text) {
  DiagList diags;
  CatModel *model = parse_with_files(arena, text, NULL, &diags);
  if (!model)
    fail_msg("%s", describe_diag(arena, &diags.items[0]));
  assert_int_equal(diags.count, 0);
  return model;
}

// All errors of the text, one a line; NULL if it has none.
static inline const char *errors_with_files(Arena *arena, const char *text,
                                            const MemoryFile *files) {
  DiagList diags;
  CatModel *model = parse_with_files(arena, text, files, &diags);
  const char *lines = "";
  for (uint32_t i = 0; i < diags.count; i++)
    lines = arena_format(arena, "%s%s%s", lines, i > 0 ? "\n" : "",
                         describe_diag(arena, &diags.items[i]));
  assert_true((model == NULL) == !diag_list_is_ok(&diags));
  return model ? NULL : lines;
}

static inline uint32_t find_primitive(const char *name) {
  for (uint32_t i = 0; i < PRIMITIVE_COUNT; i++)
    if (strcmp(primitives[i].name, name) == 0)
      return i;
  fail_msg("no primitive is named %s", name);
  return 0;
}

// Fills in a primitive, if the model uses it.
static inline void put_member(CatState *state, const char *set, uint32_t event) {
  uint64_t *row = cat_input_row(state, find_primitive(set), 0);
  if (row)
    bits_add(row, event);
}

static inline void put_pair(CatState *state, const char *relation, uint32_t from, uint32_t to) {
  uint64_t *row = cat_input_row(state, find_primitive(relation), from);
  if (row)
    bits_add(row, to);
}

static inline void put_all_members(CatState *state, uint32_t event_count) {
  for (uint32_t i = 0; i < event_count; i++)
    put_member(state, "_", i);
}

// The steps of an explanation: "0 po 1, 1 fr 0"; "" if there are none.
static inline const char *explain_axiom(Arena *arena, CatState *state, uint32_t axiom) {
  CatStep *steps;
  const char *text = "";
  uint32_t count = cat_explain(state, axiom, arena, &steps);
  for (uint32_t i = 0; i < count; i++)
    text = arena_format(arena, "%s%s%u %s %u", text, i > 0 ? ", " : "", steps[i].from,
                        steps[i].relation, steps[i].to);
  return text;
}

typedef struct Random {
  uint64_t state;
} Random;

// SplitMix64.
static inline uint32_t random_below(Random *random, uint32_t limit) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) % limit);
}

#endif
