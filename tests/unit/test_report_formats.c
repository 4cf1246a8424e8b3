#include "report_unit.h"

static void json_has_the_documented_fields(void **state) {
  assert_string_equal(
      print_result(*state, report_json, make_result(*state)),
      "{\"input\": \"mp.litmus\", \"test\": \"MP\", \"model\": \"ptx\", \"engine\": \"explore\", "
      "\"complete\": true, \"executions\": 3, \"duplicates\": 0, \"blocked\": 0, \"cut\": 0, "
      "\"symmetry\": null, \"steps\": 0, \"condition\": \"exists\", \"proposition\": \"(P1:r0 == "
      "1)\", "
      "\"holds\": true, \"verdict\": \"allowed\", "
      "\"states\": [{\"P1:r0\": 0, \"[count]\": 0, \"count\": 2}, "
      "{\"P1:r0\": 1, \"[count]\": -5, \"count\": 1}], "
      "\"findings\": [], \"suppressed\": 0, \"witness\": null, \"seconds\": 0.500000, "
      "\"incomplete\": null}\n");
}

static void json_findings_have_places_and_fixes(void **state) {
  Result *result = make_result(*state);
  result->state_count = 0;
  add_race(*state, result);
  assert_non_null(strstr(
      print_result(*state, report_json, result),
      "\"findings\": [{\"rule\": \"data-race\", \"sub\": \"scope-too-narrow\", "
      "\"severity\": \"error\", \"message\": \"race on x\", \"reason\": \"nothing orders them\", "
      "\"remedy\": \"widen the scope\", \"file\": \"mp.litmus\", \"line\": 2, \"column\": 2, "
      "\"related\": [{\"file\": \"mp.litmus\", \"line\": 2, \"column\": 18, "
      "\"message\": \"the other access\"}], "
      "\"fixes\": [{\"file\": \"mp.litmus\", \"line\": 2, \"column\": 2, \"end_line\": 2, "
      "\"end_column\": 9, \"text\": \"st.relaxed.gpu\", \"message\": \"make it strong\"}], "
      "\"witness\": null}]"));
}

static void json_witnesses_are_graphs(void **state) {
  Result *result = make_result(*state);
  result->witness = make_witness(*state);
  assert_non_null(
      strstr(print_result(*state, report_json, result),
             "\"witness\": {\"title\": \"execution that satisfies the condition\", "
             "\"events\": [{\"id\": 0, \"thread\": null, \"label\": \"W y = 0\", \"line\": null}, "
             "{\"id\": 1, \"thread\": \"P0@cta 0\", \"label\": \"W.weak x = 1\", \"line\": 2}, "
             "{\"id\": 2, \"thread\": \"P1@cta 1\", \"label\": \"R.weak y = 0\", \"line\": 2}], "
             "\"edges\": [{\"relation\": \"rf\", \"from\": 0, \"to\": 2, \"highlighted\": true}, "
             "{\"relation\": \"po\", \"from\": 1, \"to\": 2, \"highlighted\": false}, "
             "{\"relation\": \"fr\", \"from\": 2, \"to\": 1, \"highlighted\": true}], "
             "\"order\": [], \"axiom\": null, \"explanation\": null}"));
}

// Accesses in the order of one run.
static void orders_are_shown(void **state) {
  static const uint32_t order[] = {2, 1};
  Result *result = make_result(*state);
  Witness witness = *make_witness(*state);
  witness.order = order;
  witness.order_count = 2;
  result->witness = &witness;
  result->condition = CONDITION_FORALL; // so that SARIF has a result
  result->holds = false;
  assert_non_null(strstr(print_result(*state, report_json, result), "\"order\": [2, 1], "));
  assert_non_null(
      strstr(print_result(*state, report_dot, result), "\\none order of these accesses: e2, e1"));
  assert_non_null(strstr(print_result(*state, report_html, result),
                         "<p>One order of these accesses:<code> e2 e1</code></p>"));
  const char *sarif = print_result(*state, report_sarif, result);
  const char *second = strstr(sarif, "\"executionOrder\": 2, \"importance\": \"essential\"");
  assert_non_null(second);
  assert_non_null(strstr(second, "\"executionOrder\": 1, \"importance\": \"essential\""));
}

static void json_is_one_line_for_each_result(void **state) {
  Result *result = make_result(*state);
  result->condition_text = "a\nb\xff";
  const Result *results[] = {result, result};
  const char *text = print_results(*state, report_json, results, 2, NULL);
  const char *second = strchr(text, '\n') + 1;
  assert_int_equal(second[0], '{');
  assert_int_equal(strchr(second, '\n')[1], '\0');
  assert_non_null(strstr(text, "\"a\\nb\xef\xbf\xbd\""));
}

static void json_leaves_open_what_is_not_certain(void **state) {
  Result *result = make_result(*state);
  result->holds_is_final = false;
  result->incomplete = "time";
  assert_non_null(strstr(print_result(*state, report_json, result),
                         "\"holds\": null, \"verdict\": \"unknown\""));
}

static void a_violated_condition_is_a_sarif_result(void **state) {
  Result *result = make_result(*state);
  result->condition = CONDITION_FORALL;
  result->holds = false;
  result->witness = make_witness(*state);
  const char *text = print_result(*state, report_sarif, result);
  assert_non_null(strstr(text, "\"ruleId\": \"condition\""));
  assert_non_null(strstr(text, "\"codeFlows\": [{"));
  result->verdict_is_expected = true;
  assert_null(strstr(print_result(*state, report_sarif, result), "\"ruleId\""));
}

static void sarif_paths_are_uri_references(void **state) {
  Result *result = make_result(*state);
  result->input = "/a b/\xc3\xa9%.litmus";
  diag_add(&result->findings, SEVERITY_ERROR, "syntax", (Span){0}, "bad");
  assert_non_null(strstr(print_result(*state, report_sarif, result),
                         "\"uri\": \"file:///a%20b/%C3%A9%25.litmus\""));
}

static void a_page_shows_no_markup_of_the_input(void **state) {
  Result *result = make_result(*state);
  result->condition_text = "<script>";
  result->witness = make_witness(*state);
  add_race(*state, result);
  const char *text = print_result(*state, report_html, result);
  assert_null(strstr(text, "<script"));
  assert_non_null(strstr(text, "&lt;script&gt;"));
  assert_non_null(strstr(text, "<svg class=\"witness\""));
}

static void dot_has_a_cluster_for_each_thread(void **state) {
  Result *result = make_result(*state);
  result->witness = make_witness(*state);
  const char *text = print_result(*state, report_dot, result);
  assert_non_null(strstr(text, "subgraph cluster_w0_t1 {"));
  assert_non_null(strstr(text, "w0_e2 -> w0_e1 [xlabel=\"fr\""));
}

static Result *under_model(Arena *arena, const char *model, uint32_t first, uint32_t count) {
  Result *result = make_result(arena);
  result->model = model;
  result->states += first;
  result->state_count = count;
  return result;
}

static void outcomes_stand_side_by_side(void **state) {
  const Result *results[] = {under_model(*state, "sc", 0, 1), under_model(*state, "ptx", 0, 2)};
  assert_string_equal(print_results(*state, report_outcomes_text, results, 2, NULL),
                      "mp.litmus: exists (P1:r0 == 1)\n"
                      "    P1:r0  count  |   sc  ptx\n"
                      "        0      0  |    2    2\n"
                      " *      1     -5  |    -    1  added by ptx\n"
                      "  executions      |    3    3\n");
}

static void outcomes_are_data_too(void **state) {
  const Result *results[] = {under_model(*state, "sc", 0, 1), under_model(*state, "ptx", 0, 2)};
  assert_string_equal(
      print_results(*state, report_outcomes_json, results, 2, NULL),
      "{\"input\": \"mp.litmus\", \"test\": \"MP\", \"models\": ["
      "{\"model\": \"sc\", \"complete\": true, \"executions\": 3, \"incomplete\": null}, "
      "{\"model\": \"ptx\", \"complete\": true, \"executions\": 3, \"incomplete\": null}], "
      "\"outcomes\": [{\"state\": {\"P1:r0\": 0, \"[count]\": 0}, \"satisfies\": false, "
      "\"counts\": {\"sc\": 2, \"ptx\": 2}, \"added_by\": null}, "
      "{\"state\": {\"P1:r0\": 1, \"[count]\": -5}, \"satisfies\": true, "
      "\"counts\": {\"sc\": 0, \"ptx\": 1}, \"added_by\": \"ptx\"}]}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(json_has_the_documented_fields),
      UNIT_TEST(json_findings_have_places_and_fixes),
      UNIT_TEST(json_witnesses_are_graphs),
      UNIT_TEST(orders_are_shown),
      UNIT_TEST(json_is_one_line_for_each_result),
      UNIT_TEST(json_leaves_open_what_is_not_certain),
      UNIT_TEST(a_violated_condition_is_a_sarif_result),
      UNIT_TEST(sarif_paths_are_uri_references),
      UNIT_TEST(a_page_shows_no_markup_of_the_input),
      UNIT_TEST(dot_has_a_cluster_for_each_thread),
      UNIT_TEST(outcomes_stand_side_by_side),
      UNIT_TEST(outcomes_are_data_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
