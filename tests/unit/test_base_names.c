#include "unit.h"

#include "base/names.h"

#include <stdio.h>

static Name intern(NameTable *names, const char *text) {
  return names_intern(names, text, strlen(text));
}

static void equal_texts_get_equal_names(void **state) {
  NameTable names;
  names_init(&names, *state);
  Name flag = intern(&names, "flag");
  char other[] = "flag and more";
  assert_int_equal(names_intern(&names, other, 4), flag);
  assert_int_not_equal(intern(&names, "flags"), flag);
  assert_int_not_equal(intern(&names, "fla"), flag);
  assert_string_equal(names_text(&names, flag), "flag");
}

static void find_adds_nothing(void **state) {
  NameTable names;
  names_init(&names, *state);
  assert_int_equal(names_find(&names, "x", 1), 0);
  Name x = intern(&names, "x");
  assert_int_equal(names_find(&names, "x", 1), x);
  assert_int_equal(names_find(&names, "y", 1), 0);
}

static void no_name_is_zero_and_no_text_has_it(void **state) {
  NameTable names;
  names_init(&names, *state);
  assert_string_equal(names_text(&names, 0), "");
  assert_int_not_equal(intern(&names, ""), 0);
}

static void zero_bytes_belong_to_a_text(void **state) {
  NameTable names;
  names_init(&names, *state);
  Name short_name = names_intern(&names, "a", 1);
  Name long_name = names_intern(&names, "a\0b", 3);
  assert_int_not_equal(short_name, long_name);
  assert_int_equal(names_find(&names, "a\0b", 3), long_name);
}

static void many_names_keep_their_numbers(void **state) {
  NameTable names;
  names_init(&names, *state);
  enum { COUNT = 20000 };
  char text[32];
  for (uint32_t i = 0; i < COUNT; i++)
    assert_int_equal(names_intern(&names, text, (size_t)sprintf(text, "name%u", i)), i + 1);
  for (uint32_t i = 0; i < COUNT; i++) {
    assert_int_equal(names_find(&names, text, (size_t)sprintf(text, "name%u", i)), i + 1);
    assert_string_equal(names_text(&names, i + 1), text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(equal_texts_get_equal_names),        UNIT_TEST(find_adds_nothing),
      UNIT_TEST(no_name_is_zero_and_no_text_has_it), UNIT_TEST(zero_bytes_belong_to_a_text),
      UNIT_TEST(many_names_keep_their_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
