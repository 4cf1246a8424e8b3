#include "unit.h"

#include "ir/condition.h"

#define COLUMN(number)                                                                             \
  { .is_column = true, .column = (number) }
#define VALUE(number)                                                                              \
  { .constant = (number) }

// (a == 1 /\ b != a) \/ ~true
static Proposition nodes[] = {
    {.kind = PROPOSITION_COMPARE, .compare = IR_SET_EQ, .left = COLUMN(0), .right = VALUE(1)},
    {.kind = PROPOSITION_COMPARE, .compare = IR_SET_NE, .left = COLUMN(1), .right = COLUMN(0)},
    {.kind = PROPOSITION_AND, .first = 0, .second = 1},
    {.kind = PROPOSITION_TRUE},
    {.kind = PROPOSITION_NOT, .first = 3},
    {.kind = PROPOSITION_OR, .first = 2, .second = 4},
};
static const Condition condition = {.nodes = nodes, .node_count = 6, .root = 5};

static void propositions_are_evaluated(void **state) {
  (void)state;
  assert_true(condition_holds(&condition, condition.root, (int64_t[]){1, 2}));
  assert_false(condition_holds(&condition, condition.root, (int64_t[]){1, 1}));
  assert_false(condition_holds(&condition, condition.root, (int64_t[]){2, 1}));
}

static void every_node_is_a_root(void **state) {
  (void)state;
  const int64_t values[] = {1, 1};
  assert_true(condition_holds(&condition, 0, values));
  assert_false(condition_holds(&condition, 1, values));
  assert_true(condition_holds(&condition, 3, values));
  assert_false(condition_holds(&condition, 4, values));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(propositions_are_evaluated),
      cmocka_unit_test(every_node_is_a_root),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
