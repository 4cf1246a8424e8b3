#include "unit.h"

#include "model/builtin.h"

#include <stdio.h>

// The texts in the library are the files, byte for byte. WARPSAN_ROOT is set by the build.
static void assert_same_as_file(const BuiltinText *builtin, const char *root) {
  char path[4096];
  snprintf(path, sizeof path, "%s/models/%s.cat", root, builtin->name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  for (uint32_t i = 0; i < builtin->length; i++)
    assert_int_equal(fgetc(file), (unsigned char)builtin->text[i]);
  assert_int_equal(fgetc(file), EOF);
  fclose(file);
}

static void texts_are_the_files(void **state) {
  (void)state;
  const char *root = getenv("WARPSAN_ROOT");
  if (!root)
    skip();
  for (uint32_t i = 0; i < builtin_text_count; i++)
    assert_same_as_file(&builtin_texts[i], root);
}

static void texts_are_sorted_and_terminated(void **state) {
  (void)state;
  for (uint32_t i = 0; i < builtin_text_count; i++) {
    assert_int_equal(builtin_texts[i].text[builtin_texts[i].length], 0);
    if (i > 0)
      assert_true(strcmp(builtin_texts[i - 1].name, builtin_texts[i].name) < 0);
  }
  assert_null(builtin_texts[builtin_text_count].name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_the_files),
      cmocka_unit_test(texts_are_sorted_and_terminated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
