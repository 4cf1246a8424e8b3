// Conditions, filters and observed values.
#include "litmus_unit.h"

static const LitmusTest *ask(Arena *arena, const char *question) {
  return litmus_read(arena, arena_format(arena,
                                         "PTX t {} P0@cta 0,gpu 0 | P1@cta 1,gpu 0;"
                                         "ld.weak r0, x | ld.weak r0, y;\n%s",
                                         question));
}

static bool holds(Arena *arena, const char *proposition, const int64_t *values) {
  const Condition *condition =
      &ask(arena, arena_format(arena, "exists %s", proposition))->condition;
  return condition_holds(condition, condition->root, values);
}

static void quantifiers_are_known(void **state) {
  assert_int_equal(ask(*state, "exists true")->condition.kind, CONDITION_EXISTS);
  assert_int_equal(ask(*state, "~exists true")->condition.kind, CONDITION_NOT_EXISTS);
  assert_int_equal(ask(*state, "~ exists true")->condition.kind, CONDITION_NOT_EXISTS);
  assert_int_equal(ask(*state, "not exists true")->condition.kind, CONDITION_NOT_EXISTS);
  assert_int_equal(ask(*state, "forall true ;")->condition.kind, CONDITION_FORALL);
  assert_int_equal(ask(*state, "final true")->condition.kind, CONDITION_EXISTS);
  assert_int_equal(ask(*state, "locations [x;]")->condition.kind, CONDITION_NONE);
}

static void columns_come_in_the_order_of_mention(void **state) {
  const Condition *condition =
      &ask(*state, "locations [y; 1:r0;] filter x=0 exists (P0:r0 = 1 /\\ [y]=2)")->condition;
  static const char *const names[] = {"y", "P1:r0", "x", "P0:r0"};
  assert_int_equal(condition->column_count, 4);
  for (uint32_t i = 0; i < 4; i++)
    assert_string_equal(condition->columns[i].name, names[i]);
  assert_int_not_equal(condition->filter_root, UINT32_MAX);
}

static void connectives_bind_as_in_herd(void **state) {
  static const int64_t one_zero[] = {1, 0}, zero_one[] = {0, 1};
  assert_true(holds(*state, "x=1 \\/ y=1 /\\ y=2", one_zero));
  assert_false(holds(*state, "(x=1 \\/ y=1) /\\ y=2", one_zero));
  assert_true(holds(*state, "~x=1 /\\ y=1", zero_one));
  assert_true(holds(*state, "not (x=1 /\\ y=0)", zero_one));
  assert_true(holds(*state, "~~(x=1 /\\ y=0)", one_zero));
  assert_false(holds(*state, "false \\/ ~true", one_zero));
}

static void terms_may_be_on_either_side(void **state) {
  static const int64_t values[] = {3, -2};
  assert_true(holds(*state, "0==0", NULL));
  assert_true(holds(*state, "3 = x", values));
  assert_true(holds(*state, "P0:r0 > P1:r0", values));
  assert_true(holds(*state, "0:r0 != 1:r0", values));
  assert_true(holds(*state, "x >= 3 /\\ x <= 3 /\\ -3 < y", values));
  assert_true(holds(*state, "&x != &y", NULL));
}

static void elements_are_locations(void **state) {
  const Condition *condition = &ask(*state, "exists (x[0]=1 /\\ x[2]=1 /\\ [x[2]]=1)")->condition;
  assert_int_equal(condition->column_count, 2);
  assert_string_equal(condition->columns[0].name, "x");
  assert_string_equal(condition->columns[1].name, "x[2]");
}

static void the_text_is_kept_on_one_line(void **state) {
  assert_string_equal(ask(*state, "~exists\n (x == 1\n    /\\ y=2)  \n")->condition.text,
                      "(x == 1 /\\ y=2)");
}

static void long_chains_become_shallow_trees(void **state) {
  Arena *arena = *state;
  enum { ATOMS = 1000 };
  char *text = arena_alloc(arena, ATOMS * 8, 1);
  for (uint32_t i = 0; i < ATOMS; i++)
    strcat(text, i ? "/\\ x=1" : "x=1");
  const Condition *condition = &ask(arena, arena_format(arena, "exists %s", text))->condition;
  uint32_t depth = 0;
  for (uint32_t node = condition->root; condition->nodes[node].kind == PROPOSITION_AND; depth++)
    node = condition->nodes[node].first;
  assert_int_equal(condition->node_count, 2 * ATOMS - 1);
  assert_true(depth <= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(quantifiers_are_known),
      UNIT_TEST(columns_come_in_the_order_of_mention),
      UNIT_TEST(connectives_bind_as_in_herd),
      UNIT_TEST(terms_may_be_on_either_side),
      UNIT_TEST(elements_are_locations),
      UNIT_TEST(the_text_is_kept_on_one_line),
      UNIT_TEST(long_chains_become_shallow_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
