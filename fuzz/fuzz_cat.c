// libFuzzer target: any bytes read as a .cat model, which is then evaluated and explained on a
// small graph. A text that includes "self" includes itself. Build and run:
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -Isrc
//     fuzz/fuzz_cat.c src/cat/*.c src/base/*.c -o fuzz_cat
//   ./fuzz_cat -max_len=4096 CORPUS
#include "cat/cat.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EVENTS = 9 };

static const CatPrimitive primitives[] = {
    {"R", CAT_SET, CAT_FIXED},        {"W", CAT_SET, CAT_FIXED},
    {"F", CAT_SET, CAT_FIXED},        {"IW", CAT_SET, CAT_FIXED},
    {"_", CAT_SET, CAT_FIXED},        {"SC", CAT_SET, CAT_FIXED},
    {"po", CAT_RELATION, CAT_FIXED},  {"loc", CAT_RELATION, CAT_FIXED},
    {"ext", CAT_RELATION, CAT_FIXED}, {"rmw", CAT_RELATION, CAT_FIXED},
    {"rf", CAT_RELATION, CAT_CHOSEN}, {"co", CAT_RELATION, CAT_CHOSEN},
};

enum { PRIMITIVE_COUNT = sizeof primitives / sizeof primitives[0] };

static const Source *load(void *context, const char *name, const Source *includer) {
  (void)context;
  return strcmp(name, "self") == 0 ? includer : NULL;
}

// A fixed graph with cycles in it, so that axioms are violated and explained.
static void fill_graph(CatState *state) {
  for (uint32_t p = 0; p < PRIMITIVE_COUNT; p++)
    for (uint32_t i = 0; i < (primitives[p].type == CAT_SET ? 1 : EVENTS); i++) {
      uint64_t *row = cat_input_row(state, p, i);
      for (uint32_t j = 0; row && j < EVENTS; j++)
        if (p == 4 || (i * 7 + j * 3 + p * 5) % 11 < 2)
          bits_add(row, j);
    }
}

static void use_model(const CatModel *model, Arena *arena) {
  CatState *state = cat_state_new(model, EVENTS, arena);
  fill_graph(state);
  cat_evaluate(state);
  for (uint32_t i = 0; i < cat_axiom_count(model); i++) {
    CatStep *steps;
    uint32_t count = cat_explain(state, i, arena, &steps);
    const CatAxiom *axiom = cat_axiom(model, i);
    if ((count == 0) != (cat_axiom_holds(state, i) != axiom->is_negated))
      abort(); // violated without a reason, or the other way round
    for (uint32_t k = 0; k < count; k++)
      if (!steps[k].relation || steps[k].from >= EVENTS || steps[k].to >= EVENTS)
        abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena;
  DiagList diags;
  arena_init(&arena, NULL, 0);
  diag_list_init(&diags, &arena);
  char *text = arena_copy_text(&arena, (const char *)data, size);
  Source source = {"fuzz.cat", text, (uint32_t)size};
  const CatModel *model =
      cat_parse(&source, primitives, PRIMITIVE_COUNT, load, NULL, &arena, &diags);
  if ((model != NULL) != diag_list_is_ok(&diags))
    abort(); // a failure that nobody is told about
  if (model)
    use_model(model, &arena);
  arena_release(&arena);
  return 0;
}
