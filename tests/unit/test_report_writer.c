#include "report_unit.h"

#include <limits.h>

static const char *escaped(Arena *arena, Escape escape, const char *text, size_t length) {
  Printed *printed = ARENA_NEW(arena, Printed);
  Writer writer;
  writer_init(&writer, keep_printed, printed);
  writer_escape(&writer, escape, text, length);
  assert_true(writer_flush(&writer));
  return printed->text;
}

static void utf8_is_recognised(void **state) {
  (void)state;
  assert_int_equal(utf8_length("a", 1), 1);
  assert_int_equal(utf8_length("\xc3\xa9", 2), 2);
  assert_int_equal(utf8_length("\xe2\x86\x92", 3), 3);
  assert_int_equal(utf8_length("\xf0\x9f\x98\x80", 4), 4);
  assert_int_equal(utf8_width("a\xc3\xa9\xff", 4), 3);
}

static void what_is_no_utf8_is_refused(void **state) {
  (void)state;
  assert_int_equal(utf8_length("", 0), 0);
  assert_int_equal(utf8_length("\x80", 1), 0);
  assert_int_equal(utf8_length("\xc3", 1), 0);
  assert_int_equal(utf8_length("\xc0\xaf", 2), 0);
  assert_int_equal(utf8_length("\xe0\x80\xaf", 3), 0);
  assert_int_equal(utf8_length("\xed\xa0\x80", 3), 0);
  assert_int_equal(utf8_length("\xf4\x90\x80\x80", 4), 0);
  assert_int_equal(utf8_length("\xe2\x86\x41", 3), 0);
}

static void plain_text_steers_no_terminal(void **state) {
  assert_string_equal(escaped(*state, ESCAPE_PLAIN, "a\033[31m\tb\x7f\xff", 10), "a?[31m b??");
  assert_string_equal(escaped(*state, ESCAPE_ONE_LINE, "a \n\t b", 6), "a b");
}

static void json_strings_are_escaped(void **state) {
  assert_string_equal(escaped(*state, ESCAPE_JSON, "\"\\\n\t\001/\0x", 8),
                      "\\\"\\\\\\n\\t\\u0001/\\u0000x");
  assert_string_equal(escaped(*state, ESCAPE_SARIF, "{0}\n", 4), "{{0}}\\n");
  assert_string_equal(escaped(*state, ESCAPE_JSON, "\xe9t\xc3\xa9", 4), "\xef\xbf\xbdt\xc3\xa9");
}

static void html_and_dot_are_escaped(void **state) {
  assert_string_equal(escaped(*state, ESCAPE_HTML, "<a b='\"'>&", 10),
                      "&lt;a b=&#39;&quot;&#39;&gt;&amp;");
  assert_string_equal(escaped(*state, ESCAPE_DOT, "a\"\\n\nb", 6), "a\\\"\\\\n b");
}

static void numbers_of_every_size_are_written(void **state) {
  Printed *printed = ARENA_NEW((Arena *)*state, Printed);
  Writer writer;
  writer_init(&writer, keep_printed, printed);
  writer_signed(&writer, INT64_MIN);
  writer_char(&writer, ' ');
  writer_signed(&writer, 0);
  writer_char(&writer, ' ');
  writer_unsigned(&writer, UINT64_MAX);
  assert_true(writer_flush(&writer));
  assert_string_equal(printed->text, "-9223372036854775808 0 18446744073709551615");
}

static void long_texts_pass_through_the_buffer(void **state) {
  Printed *printed = ARENA_NEW((Arena *)*state, Printed);
  Writer writer;
  writer_init(&writer, keep_printed, printed);
  writer_repeat(&writer, 'a', 100000);
  assert_true(writer_flush(&writer));
  assert_int_equal(printed->length, 100000);
}

static int fail_at_once(void *context, const char *text, size_t length) {
  (void)text;
  (void)length;
  ++*(int *)context;
  return 1;
}

static void a_failure_is_remembered(void **state) {
  (void)state;
  int calls = 0;
  Writer writer;
  writer_init(&writer, fail_at_once, &calls);
  writer_repeat(&writer, 'a', 100000);
  assert_false(writer_flush(&writer));
  assert_false(writer_flush(&writer));
  assert_int_equal(calls, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(utf8_is_recognised),          cmocka_unit_test(what_is_no_utf8_is_refused),
      UNIT_TEST(plain_text_steers_no_terminal),      UNIT_TEST(json_strings_are_escaped),
      UNIT_TEST(html_and_dot_are_escaped),           UNIT_TEST(numbers_of_every_size_are_written),
      UNIT_TEST(long_texts_pass_through_the_buffer), cmocka_unit_test(a_failure_is_remembered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
