#include "unit.h"

#include "api/expectations.h"

static bool parse(Arena *arena, const char *text, ExpectationList *list, DiagList *diags) {
  Source *source = ARENA_NEW(arena, Source);
  *source = (Source){"t.litmus", arena_format(arena, "(* %s *)", text), 0};
  source->length = (uint32_t)strlen(source->text);
  const char **texts = ARENA_ARRAY(arena, const char *, 1);
  texts[0] = text;
  LitmusTest test = {.expectations = texts, .expectation_count = 1};
  diag_list_init(diags, arena);
  *list = (ExpectationList){0};
  return expectations_parse(&test, source, arena, list, diags);
}

static void each_word_is_an_expectation(void **state) {
  ExpectationList list;
  DiagList diags;
  assert_true(parse(*state, "expect ptx:  forbidden race=no\n executions=12", &list, &diags));
  assert_int_equal(list.list.count, 3);
  assert_string_equal(list.list.items[0].model, "ptx");
  assert_int_equal(list.list.items[0].kind, EXPECT_FORBIDDEN);
  assert_int_equal(list.list.items[1].kind, EXPECT_NO_RACE);
  assert_int_equal(list.list.items[2].kind, EXPECT_EXECUTIONS);
  assert_int_equal(list.list.items[2].executions, 12);
  assert_int_equal(list.list.items[0].span.begin, 16);
  assert_int_equal(list.list.items[0].span.end, 25);
}

static void malformed(Arena *arena, const char *text, const char *message) {
  ExpectationList list;
  DiagList diags;
  assert_false(parse(arena, text, &list, &diags));
  assert_int_equal(diags.count, 1);
  assert_string_equal(diags.items[0].message, message);
}

static void what_is_malformed_is_told(void **state) {
  static const char words[] =
      "expected 'allowed', 'forbidden', 'race=yes', 'race=no' or 'executions=N' in an expectation, "
      "found ";
  malformed(*state, "expect : allowed", "expected the name of a model in an expectation");
  malformed(*state, "expect ptx", "expected ':' after the model of an expectation");
  malformed(*state, "expect ptx: maybe", arena_format(*state, "%s'maybe'", words));
  malformed(*state, "expect ptx: executions=", arena_format(*state, "%s'executions='", words));
  malformed(*state, "expect ptx: executions=1x", arena_format(*state, "%s'executions=1x'", words));
  malformed(*state, "expect ptx: executions=99999999999999999999",
            arena_format(*state, "%s'executions=99999999999999999999'", words));
}

static Result make_result(Arena *arena, bool is_allowed) {
  ResultState *states = ARENA_ARRAY(arena, ResultState, 1);
  states[0].satisfies = is_allowed;
  Result result = {.model = "ptx",
                   .engine = "explore",
                   .complete = true,
                   .condition = CONDITION_EXISTS,
                   .holds = is_allowed,
                   .holds_is_final = true,
                   .executions = 4,
                   .states = states,
                   .state_count = 1};
  diag_list_init(&result.findings, arena);
  return result;
}

// How many findings the comparison with these expectations adds.
static uint32_t misses(Arena *arena, const char *text, Result *result) {
  ExpectationList list;
  DiagList diags;
  uint32_t before = result->findings.count;
  assert_true(parse(arena, text, &list, &diags));
  expectations_compare(&list, true, result);
  return result->findings.count - before;
}

static void verdicts_are_compared(void **state) {
  Result allowed = make_result(*state, true), forbidden = make_result(*state, false);
  assert_int_equal(misses(*state, "expect ptx: allowed", &allowed), 0);
  assert_true(allowed.verdict_is_expected);
  assert_int_equal(misses(*state, "expect ptx: forbidden", &allowed), 1);
  assert_string_equal(allowed.findings.items[0].rule, "expectation");
  assert_string_equal(allowed.findings.items[0].message,
                      "expected 'forbidden' under ptx, found 'allowed'");
  assert_int_equal(misses(*state, "expect ptx: allowed", &forbidden), 1);
  assert_false(forbidden.verdict_is_expected);
  assert_int_equal(misses(*state, "expect sc: allowed", &forbidden), 0);
}

static void races_are_compared(void **state) {
  Result result = make_result(*state, true);
  assert_int_equal(misses(*state, "expect ptx: race=no", &result), 0);
  assert_int_equal(misses(*state, "expect ptx: race=yes", &result), 1);
  diag_add(&result.findings, SEVERITY_ERROR, "data-race", (Span){0}, "race");
  assert_int_equal(misses(*state, "expect ptx: race=yes", &result), 0);
  assert_true(result.race_is_expected);
  assert_int_equal(misses(*state, "expect ptx: race=no", &result), 1);
}

static void executions_are_compared(void **state) {
  Result result = make_result(*state, true);
  assert_int_equal(misses(*state, "expect ptx: executions=4", &result), 0);
  assert_int_equal(misses(*state, "expect ptx: executions=5", &result), 1);
}

static void a_cut_search_misses_nothing(void **state) {
  Result result = make_result(*state, false);
  result.complete = result.holds_is_final = false;
  assert_int_equal(misses(*state, "expect ptx: allowed race=yes executions=7", &result), 0);
  assert_false(result.verdict_is_expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(each_word_is_an_expectation), UNIT_TEST(what_is_malformed_is_told),
      UNIT_TEST(verdicts_are_compared),       UNIT_TEST(races_are_compared),
      UNIT_TEST(executions_are_compared),     UNIT_TEST(a_cut_search_misses_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
