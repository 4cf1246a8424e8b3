#include "unit.h"

#include "base/diag.h"
#include "base/rules.h"

static const Source source = {"a.litmus", "ld.weak r0, x", 13};

static void a_syntax_error_is_false_and_spoils_the_list(void **state) {
  DiagList list;
  diag_list_init(&list, *state);
  assert_true(diag_list_is_ok(&list));
  assert_false(diag_syntax(&list, (Span){&source, 3, 7}, "expected '%s', found '%s'", "a", "b"));
  assert_false(diag_list_is_ok(&list));
  assert_int_equal(list.count, 1);
  assert_string_equal(list.items[0].rule, "syntax");
  assert_string_equal(list.items[0].message, "expected 'a', found 'b'");
  assert_int_equal(list.items[0].span.begin, 3);
}

static void warnings_spoil_nothing(void **state) {
  DiagList list;
  diag_list_init(&list, *state);
  diag_add(&list, SEVERITY_WARNING, rule_id(RULE_HOISTABLE_POLL), (Span){0}, "poll");
  diag_add(&list, SEVERITY_ADVICE, rule_id(RULE_NEEDLESS_SYNC), (Span){0}, "fence");
  assert_true(diag_list_is_ok(&list));
}

static void notes_are_kept_in_order(void **state) {
  DiagList list;
  diag_list_init(&list, *state);
  Diag *diag = diag_add(&list, SEVERITY_ERROR, rule_id(RULE_DATA_RACE), (Span){0}, "race");
  for (int i = 0; i < 20; i++)
    diag_note(&list, diag, (Span){&source, 0, 1}, "note %d", i);
  assert_int_equal(diag->notes.count, 20);
  assert_string_equal(diag->notes.items[19].message, "note 19");
}

static void rules_are_found_by_their_identifier(void **state) {
  (void)state;
  for (RuleNumber number = 0; number < RULE_COUNT; number++) {
    assert_int_equal(rule_find(rule_id(number)), number);
    assert_true(strlen(rule_get(number).meaning) > 10);
  }
  assert_int_equal(rule_find("no-such-rule"), RULE_COUNT);
}

static void a_sub_rule_knows_its_rule(void **state) {
  (void)state;
  Rule rule = rule_get(RULE_SCOPE_TOO_NARROW);
  assert_int_equal(rule.parent, RULE_DATA_RACE);
  assert_string_equal(severity_name(rule.severity), "error");
  assert_int_equal(rule_get(RULE_DATA_RACE).parent, RULE_COUNT);
  assert_string_equal(severity_name(rule_get(RULE_NEEDLESS_SYNC).severity), "advice");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(a_syntax_error_is_false_and_spoils_the_list),
      UNIT_TEST(warnings_spoil_nothing),
      UNIT_TEST(notes_are_kept_in_order),
      cmocka_unit_test(rules_are_found_by_their_identifier),
      cmocka_unit_test(a_sub_rule_knows_its_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
