#include "unit.h"

#include "base/bits.h"
#include "base/trail.h"

static void undo_restores_in_reverse(void **state) {
  Trail trail;
  trail_init(&trail, *state);
  uint64_t words[2] = {1, 2};
  TrailMark start = trail_mark(&trail);
  trail_set(&trail, &words[0], 10);
  TrailMark mark = trail_mark(&trail);
  trail_set(&trail, &words[0], 20);
  trail_set(&trail, &words[1], 30);
  trail_set(&trail, &words[0], 40);
  trail_undo(&trail, mark);
  assert_int_equal(words[0], 10);
  assert_int_equal(words[1], 2);
  trail_undo(&trail, start);
  assert_int_equal(words[0], 1);
}

static void what_precedes_the_first_mark_stays(void **state) {
  Trail trail;
  trail_init(&trail, *state);
  uint64_t word = 1;
  trail_set(&trail, &word, 2);
  TrailMark mark = trail_mark(&trail);
  assert_int_equal(mark, 0);
  trail_set(&trail, &word, 3);
  trail_undo(&trail, mark);
  assert_int_equal(word, 2);
}

static void an_unchanged_word_leaves_no_entry(void **state) {
  Trail trail;
  trail_init(&trail, *state);
  uint64_t word = 5;
  trail_set(&trail, &word, 5);
  assert_int_equal(trail_mark(&trail), 0);
}

// Nested random changes, against copies.
static void nested_levels_agree_with_copies(void **state) {
  enum { LEVELS = 50, WORDS = 16 };
  Trail trail;
  trail_init(&trail, *state);
  uint64_t words[WORDS] = {0}, copies[LEVELS][WORDS];
  TrailMark marks[LEVELS];
  uint32_t random = 1;
  for (int level = 0; level < LEVELS; level++) {
    memcpy(copies[level], words, sizeof words);
    marks[level] = trail_mark(&trail);
    for (int i = 0; i < 40; i++) {
      random = random * 1664525 + 1013904223;
      trail_set(&trail, &words[random >> 28], random & 0xff);
    }
  }
  for (int level = LEVELS - 1; level >= 0; level--) {
    trail_undo(&trail, marks[level]);
    assert_memory_equal(words, copies[level], sizeof words);
  }
}

static void bits_are_visited_in_order(void **state) {
  (void)state;
  uint64_t bits[3] = {0};
  const uint32_t members[] = {0, 1, 63, 64, 127, 130, 191};
  for (uint32_t i = 0; i < 7; i++)
    bits_add(bits, members[i]);
  uint32_t visited = 0;
  BITS_EACH(member, bits, bits_words(192)) {
    assert_int_equal(member, members[visited++]);
  }
  assert_int_equal(visited, 7);
  bits_remove(bits, 64);
  assert_false(bits_has(bits, 64));
  assert_true(bits_has(bits, 63));
  assert_int_equal(bits_count(bits[0]) + bits_count(bits[1]) + bits_count(bits[2]), 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(undo_restores_in_reverse),          UNIT_TEST(what_precedes_the_first_mark_stays),
      UNIT_TEST(an_unchanged_word_leaves_no_entry), UNIT_TEST(nested_levels_agree_with_copies),
      cmocka_unit_test(bits_are_visited_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
