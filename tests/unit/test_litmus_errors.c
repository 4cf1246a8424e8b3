// Wrong input: what is said, where, and that hostile input meets a limit.
#include "litmus_unit.h"

static void check(Arena *arena, const char *text, const char *expected) {
  assert_string_equal(litmus_messages(arena, text, strlen(text)), expected);
}

// An error in the cells of a test with one thread, whose row begins at 2:1.
static void check_cell(Arena *arena, const char *cell, const char *expected) {
  check(arena, arena_format(arena, "PTX t { } P0@cta 0,gpu 0 ;\n%s ; exists true", cell), expected);
}

static void headers(void **state) {
  check(*state, "",
        "1:1: expected 'PTX', 'X86', 'C' or 'OPENCL' at the beginning of a litmus test, found the "
        "end "
        "of the file\n");
  check(*state, "Vulkan t\n{ }",
        "1:1: expected 'PTX', 'X86', 'C' or 'OPENCL' at the beginning of a litmus test, found "
        "'Vulkan'\n");
  check(*state, "PTX t \"abc\n{ }", "1:7: string is not closed: expected '\"'\n");
}

static void instructions_are_named(void **state) {
  check_cell(*state, "foo.bar r0", "2:1: unknown instruction 'foo.bar'\n");
  check_cell(*state, "ld.release.gpu r0, x",
             "2:3: expected weak, relaxed, acquire, volatile or sc and a scope in 'ld...', found "
             "'.release'\n");
  check_cell(*state, "ld.weak r0, r1", "2:13: expected a location, found register 'r1'\n");
  check_cell(*state, "st.weak.gpu x, 1", "2:1: a weak access has no scope\n");
  check_cell(*state, "st.weak x 1", "2:11: expected ',', found '1'\n");
  check_cell(*state, "goto L", "2:6: label 'L' is not defined in thread P0\n");
  check_cell(*state, "L: ; L:", "2:6: label 'L' is already defined in thread P0\n");
  check_cell(*state, "ld.weak r0, x y",
             "2:15: expected '|' or ';' behind the instruction, found "
             "'y'\n");
}

static void errors_in_several_cells_are_all_reported(void **state) {
  check(*state,
        "PTX t { x; x=1 }\nP0@cta 0,gpu 0 | P1@cta 0,gpu 0;\nfoo | bar ;\n ld.weak r0, x | ld ;\n",
        "1:12: location 'x' is declared twice\n"
        "3:1: unknown instruction 'foo'\n"
        "3:7: expected cta.sync, cta.arrive or warp.sync in 'bar...', found nothing\n"
        "4:21: expected a register like 'r0', found ';'\n");
}

// `text` many times; there must be an end with one of the last messages containing `expected`.
static void check_flood(Arena *arena, const char *before, const char *repeated, uint32_t times,
                        const char *after, const char *expected) {
  size_t length = strlen(repeated);
  char *text = arena_alloc(arena, strlen(before) + times * length + strlen(after) + 1, 1);
  strcpy(text, before);
  char *end = text + strlen(before);
  for (uint32_t i = 0; i < times; i++, end += length)
    memcpy(end, repeated, length);
  strcpy(end, after);
  const char *messages = litmus_messages(arena, text, strlen(text));
  if (!strstr(messages, expected))
    fail_msg("expected '%s', found '%s'", expected, messages);
}

static void limits_are_met(void **state) {
  Arena *arena = *state;
  const char *thread = "PTX t { } P0@cta 0,gpu 0 ; ";
  check_flood(arena, "PTX t ", "(* ", 100000, "", "comment is not closed");
  check_flood(arena, "PTX t { } P0@cta 0,gpu 0 ; exists ", "(", 100000, "",
              "condition is nested too deeply");
  check_flood(arena, "PTX t { x=0; } P0@cta 0,gpu 0 ; exists true", " /\\ x=1", 100000, "",
              "condition is too long");
  check_flood(arena, thread, "fence.sc.gpu;", 10000, "", "too many instructions");
  check_flood(arena, thread, "?;", 10000, "", "too many errors");
  check_flood(arena, thread, "? ", 10000, "", "expected an instruction, found '?'");
}

static void bytes_that_are_no_text_are_shown_as_numbers(void **state) {
  static const char text[] = "PTX t { } P0@cta 0,gpu 0 ; \0 ;";
  assert_string_equal(litmus_messages(*state, text, sizeof text - 1),
                      "1:28: expected an instruction, found byte 0x00\n");
  check_cell(*state, "\xff", "2:1: expected an instruction, found byte 0xff\n");
}

static void cycles_are_found(void **state) {
  check(*state,
        "PTX t { a @ generic aliases b; b @ generic aliases a }\nP0@cta 0,gpu 0; exists a=1",
        "1:9: location 'a' is an alias of itself\n"
        "1:32: location 'b' is an alias of itself\n");
  check(*state, "PTX t { a=b; b=a }\nP0@cta 0,gpu 0; exists a=1",
        "1:9: the initial value of 'a' depends on itself\n"
        "1:14: the initial value of 'b' depends on itself\n");
  check(*state, "PTX t { }\nP0@cta 0,after P1 | P1@cta 1,after P0; exists true",
        "2:1: 'after' orders P0 before itself\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(headers),
      UNIT_TEST(instructions_are_named),
      UNIT_TEST(errors_in_several_cells_are_all_reported),
      UNIT_TEST(limits_are_met),
      UNIT_TEST(bytes_that_are_no_text_are_shown_as_numbers),
      UNIT_TEST(cycles_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
