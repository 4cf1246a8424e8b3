#include "unit.h"

#include "base/source.h"

static Source source_of(const char *text) {
  return (Source){"test", text, (uint32_t)strlen(text)};
}

static void assert_position(const Source *source, uint32_t offset, uint32_t line, uint32_t column) {
  Position position = source_position(source, offset);
  assert_int_equal(position.line, line);
  assert_int_equal(position.column, column);
}

static void assert_line(const Source *source, uint32_t offset, const char *expected) {
  const char *line;
  uint32_t length = source_line(source, offset, &line);
  assert_int_equal(length, strlen(expected));
  assert_memory_equal(line, expected, length);
}

static void positions_count_lines_and_bytes(void **state) {
  (void)state;
  Source source = source_of("ab\n\ncd");
  assert_position(&source, 0, 1, 1);
  assert_position(&source, 1, 1, 2);
  assert_position(&source, 2, 1, 3); // the newline belongs to its line
  assert_position(&source, 3, 2, 1);
  assert_position(&source, 4, 3, 1);
  assert_position(&source, 6, 3, 3); // the end of the text
}

static void lines_come_without_their_end(void **state) {
  (void)state;
  Source source = source_of("ab\n\ncd\r\nef");
  assert_line(&source, 0, "ab");
  assert_line(&source, 2, "ab");
  assert_line(&source, 3, "");
  assert_line(&source, 5, "cd");
  assert_line(&source, 10, "ef");
}

static void an_empty_text_has_one_line(void **state) {
  (void)state;
  Source source = source_of("");
  assert_position(&source, 0, 1, 1);
  assert_line(&source, 0, "");
}

static void zero_bytes_are_ordinary(void **state) {
  (void)state;
  Source source = {"test", "a\0b\nc", 5};
  assert_position(&source, 4, 2, 1);
  const char *line;
  assert_int_equal(source_line(&source, 2, &line), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_count_lines_and_bytes),
      cmocka_unit_test(lines_come_without_their_end),
      cmocka_unit_test(an_empty_text_has_one_line),
      cmocka_unit_test(zero_bytes_are_ordinary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
