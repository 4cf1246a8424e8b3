#include "report_unit.h"

static void an_allowed_outcome_shows_its_states(void **state) {
  assert_string_equal(print_result(*state, report_text, make_result(*state)),
                      "mp.litmus: ptx: allowed  (exists (P1:r0 == 1))\n"
                      "  3 executions, 0 blocked, 2 states\n"
                      "  states:\n"
                      "    P1:r0=0 count=0   in 2 executions\n"
                      "  * P1:r0=1 count=-5   in 1 execution\n");
}

static void a_witness_is_drawn_in_letters(void **state) {
  Result *result = make_result(*state);
  result->state_count = 0;
  result->witness = make_witness(*state);
  assert_string_equal(print_result(*state, report_text, result),
                      "mp.litmus: ptx: allowed  (exists (P1:r0 == 1))\n"
                      "  3 executions, 0 blocked, 0 states\n"
                      "  execution that satisfies the condition:\n"
                      "    initial\n"
                      "      e0   W y = 0\n"
                      "    P0@cta 0\n"
                      "      e1   W.weak x = 1                    line 2\n"
                      "    P1@cta 1\n"
                      "      e2   R.weak y = 0                    line 2\n"
                      "    rf    e0 -> e2*\n"
                      "    fr    e2 -> e1*\n");
}

static void a_forbidden_outcome_names_the_axiom(void **state) {
  Result *result = make_result(*state);
  Witness *witness = make_witness(*state);
  result->state_count = 0;
  result->holds = false;
  result->witness = witness;
  witness->axiom = "Causality";
  witness->explanation = "e2 -fr-> e1 -base-> e2";
  const char *text = print_result(*state, report_text, result);
  assert_non_null(strstr(text, "forbidden  (exists"));
  assert_non_null(strstr(text, "  forbidden by Causality: e2 -fr-> e1 -base-> e2\n"
                               "  the nearest forbidden candidate:\n"));
}

static void a_finding_looks_like_a_compilers(void **state) {
  Result *result = make_result(*state);
  result->condition = CONDITION_NONE;
  result->state_count = 0;
  add_race(*state, result);
  assert_string_equal(
      print_result(*state, report_text, result),
      "mp.litmus: ptx: 1 finding\n"
      "  3 executions, 0 blocked, 0 states\n"
      "mp.litmus:2:2: error: race on x [data-race:scope-too-narrow]\n"
      "      2 |  st.weak x, 1 | ld.weak r0, y ;\n"
      "        |  ^~~~~~~~~~~~\n"
      "mp.litmus:2:18: note: the other access\n"
      "      2 |  st.weak x, 1 | ld.weak r0, y ;\n"
      "        |                  ^~~~~~~~~~~~\n"
      "  why: nothing orders them\n"
      "  fix: widen the scope\n"
      "mp.litmus:2:2: fix: make it strong: replace `st.weak` by `st.relaxed.gpu`\n");
}

static void colours_are_only_there_when_asked_for(void **state) {
  const Result *result = make_result(*state);
  ReportOptions options = {.color = true};
  assert_null(strchr(print_result(*state, report_text, result), '\033'));
  assert_non_null(strchr(print_results(*state, report_text, &result, 1, &options), '\033'));
}

static void many_states_are_cut_unless_all_are_wanted(void **state) {
  Result *result = make_result(*state);
  ResultState *states = ARENA_ARRAY((Arena *)*state, ResultState, 40);
  for (int i = 0; i < 40; i++)
    states[i] = result->states[0];
  result->states = states;
  result->state_count = 40;
  const Result *list = result;
  ReportOptions all = {.all_states = true};
  assert_non_null(strstr(print_result(*state, report_text, result), "... and 24 more"));
  assert_null(strstr(print_results(*state, report_text, &list, 1, &all), "more"));
}

static void a_cut_search_says_so(void **state) {
  Result *result = make_result(*state);
  result->holds_is_final = result->holds = result->complete = false;
  result->cut = 7;
  result->incomplete = "the time limit was reached";
  const char *text = print_result(*state, report_text, result);
  assert_non_null(strstr(text, "ptx: unknown  ("));
  assert_non_null(strstr(text, ", 7 cut\n  incomplete: the time limit was reached\n"));
}

static void errors_can_be_told_apart(void **state) {
  Result *bad = ARENA_NEW((Arena *)*state, Result);
  bad->input = "a\033b";
  diag_list_init(&bad->findings, *state);
  diag_syntax(&bad->findings, (Span){0}, "expected a test");
  const Result *results[] = {make_result(*state), bad};
  ReportOptions only = {.errors = REPORT_ERRORS_ONLY};
  ReportOptions none = {.errors = REPORT_ERRORS_NOT};
  assert_string_equal(print_results(*state, report_text, results, 2, &only),
                      "a?b: error: expected a test\n");
  assert_null(strstr(print_results(*state, report_text, results, 2, &none), "error"));
}

static void quiet_leaves_out_what_is_clean(void **state) {
  Result *violated = make_result(*state);
  violated->condition = CONDITION_FORALL;
  violated->holds = false;
  const Result *results[] = {make_result(*state), violated};
  ReportOptions quiet = {.quiet = true};
  const char *text = print_results(*state, report_text, results, 2, &quiet);
  assert_null(strstr(text, "allowed"));
  assert_non_null(strstr(text, "violated  (forall"));
}

static void a_long_line_is_cut_around_the_place(void **state) {
  char *line = arena_alloc(*state, 5001, 1);
  memset(line, 'a', 5000);
  line[3000] = 'b';
  Source source = {"long", line, 5000};
  Result *result = ARENA_NEW((Arena *)*state, Result);
  result->input = "long";
  diag_list_init(&result->findings, *state);
  diag_syntax(&result->findings, (Span){&source, 3000, 3001}, "expected a");
  const char *text = print_result(*state, report_text, result);
  assert_true(strlen(text) < 500);
  assert_non_null(strchr(text, 'b'));
  assert_non_null(strstr(text, "long:1:3001: error: expected a\n"));
}

static void outcomes_rank_findings_before_limits(void **state) {
  Result *result = make_result(*state);
  assert_int_equal(report_outcome(result), OUTCOME_CLEAN);
  result->incomplete = "cut";
  assert_int_equal(report_outcome(result), OUTCOME_INCOMPLETE);
  add_race(*state, result);
  assert_int_equal(report_outcome(result), OUTCOME_FINDINGS);
  result->race_is_expected = true;
  assert_int_equal(report_outcome(result), OUTCOME_INCOMPLETE);
  result->engine = NULL;
  assert_int_equal(report_outcome(result), OUTCOME_BAD_INPUT);
}

static void advice_is_no_reason_to_fail(void **state) {
  Result *result = make_result(*state);
  diag_add(&result->findings, SEVERITY_ADVICE, rule_id(RULE_NEEDLESS_SYNC), (Span){0}, "fence");
  assert_int_equal(report_outcome(result), OUTCOME_CLEAN);
}

static void every_rule_has_an_example(void **state) {
  (void)state;
  for (RuleNumber number = 0; number < RULE_COUNT; number++) {
    assert_non_null(report_bad_example(rule_id(number)));
    assert_non_null(report_good_example(rule_id(number)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(an_allowed_outcome_shows_its_states),
      UNIT_TEST(a_witness_is_drawn_in_letters),
      UNIT_TEST(a_forbidden_outcome_names_the_axiom),
      UNIT_TEST(a_finding_looks_like_a_compilers),
      UNIT_TEST(colours_are_only_there_when_asked_for),
      UNIT_TEST(many_states_are_cut_unless_all_are_wanted),
      UNIT_TEST(a_cut_search_says_so),
      UNIT_TEST(errors_can_be_told_apart),
      UNIT_TEST(quiet_leaves_out_what_is_clean),
      UNIT_TEST(a_long_line_is_cut_around_the_place),
      UNIT_TEST(outcomes_rank_findings_before_limits),
      UNIT_TEST(advice_is_no_reason_to_fail),
      cmocka_unit_test(every_rule_has_an_example),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
