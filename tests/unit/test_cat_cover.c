// Which texts are seen to forbid that a read takes its value from what comes after it.
#include "cat_unit.h"

#include "model/builtin.h"

static bool forbids(Arena *arena, const char *text) {
  return cat_forbids_reading_ahead(parse_model(arena, text));
}

static const char *builtin_text(const char *name) {
  for (uint32_t i = 0; i < builtin_text_count; i++)
    if (strcmp(builtin_texts[i].name, name) == 0)
      return builtin_texts[i].text;
  fail_msg("no model %s", name);
  return NULL;
}

static void models_that_allow_load_buffering_are_told(void **state) {
  static const char *const forbidding[] = {"sc", "tso", "rc11"};
  static const char *const allowing[] = {"c11", "cuda", "ptx", "ptx60"};
  for (uint32_t i = 0; i < 3; i++)
    if (!forbids(*state, builtin_text(forbidding[i])))
      fail_msg("%s forbids load buffering", forbidding[i]);
  for (uint32_t i = 0; i < 4; i++)
    if (forbids(*state, builtin_text(allowing[i])))
      fail_msg("%s allows load buffering", allowing[i]);
}

static void ways_to_forbid_it_are_seen(void **state) {
  static const char *const texts[] = {
      "acyclic po | rf",
      "acyclic (po \\ (W * R)) | rf",
      "acyclic (po & (R * W)) | (rf & (W * R))",
      "irreflexive ([M] ; (po | rf)+ ; [M])",
      "acyclic ((po & (_ * M)) | (rf & ext)) acyclic (po & loc) | rf",
      "let ppo = [R] ; po ; [W] let com = rf | co acyclic ppo | com as one",
  };
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!forbids(*state, texts[i]))
      fail_msg("not seen: %s", texts[i]);
}

static void what_may_allow_it_is_not_taken_for_that(void **state) {
  static const char *const texts[] = {
      "acyclic (po & loc) | rf",                // other locations
      "acyclic po | co",                        //
      "acyclic po | (rf & int)",                // other threads
      "acyclic po | (rf & ext)",                // its own
      "acyclic (po \\ (R * W)) | rf",           //
      "acyclic (po & (W * R)) | rf",            //
      "acyclic ([ACQ] ; po) | rf",              // only some reads
      "acyclic (po ; [REL]) | rf",              //
      "acyclic (po \\ (_ * W)) | rf",           //
      "flag ~empty rf as f acyclic po",         //
      "flag acyclic po | rf as ahead",          // forbids nothing
      "irreflexive po | rf",                    // no cycles
      "irreflexive ([R] ; (po | rf)+ ; [W])",   //
      "acyclic po | [REL] ; rf ; [ACQ]",        //
      "acyclic (addr | data | ctrl | rmw) | rf" // only dependencies
  };
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (forbids(*state, texts[i]))
      fail_msg("taken for a prohibition: %s", texts[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(models_that_allow_load_buffering_are_told),
      UNIT_TEST(ways_to_forbid_it_are_seen),
      UNIT_TEST(what_may_allow_it_is_not_taken_for_that),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
