#include "unit.h"

#include "ir/ir.h"

static void arithmetic_wraps_around(void **state) {
  (void)state;
  assert_true(ir_compute(IR_ADD, INT64_MAX, 1) == INT64_MIN);
  assert_true(ir_compute(IR_SUB, INT64_MIN, 1) == INT64_MAX);
  assert_true(ir_compute(IR_MUL, INT64_MAX, 2) == -2);
  assert_true(ir_compute(IR_DIV, INT64_MIN, -1) == INT64_MIN);
  assert_true(ir_compute(IR_DIV, 7, 0) == 0);
  assert_true(ir_compute(IR_DIV, -7, 2) == -3);
}

static void every_operation_computes(void **state) {
  (void)state;
  static const struct {
    IrOp op;
    int64_t result; // of 12 and -5
  } cases[] = {
      {IR_MOVE, 12},  {IR_ADD, 7},    {IR_SUB, 17},   {IR_MUL, -60},
      {IR_DIV, -2},   {IR_AND, 8},    {IR_OR, -1},    {IR_XOR, -9},
      {IR_MIN, -5},   {IR_MAX, 12},   {IR_SET_EQ, 0}, {IR_SET_NE, 1},
      {IR_SET_LT, 0}, {IR_SET_LE, 0}, {IR_SET_GT, 1}, {IR_SET_GE, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_true(ir_compute(cases[i].op, 12, -5) == cases[i].result);
  assert_true(ir_compute(IR_SET_EQ, 3, 3) && ir_compute(IR_SET_LE, 3, 3));
  assert_true(ir_compute(IR_SET_GE, 3, 3) && !ir_compute(IR_SET_LT, 3, 3));
}

static void atomics_leave_their_result(void **state) {
  (void)state;
  static const struct {
    AtomOp atom;
    int64_t old, result; // with the operand 5 and the new value 9
  } cases[] = {
      {ATOM_ADD, 3, 8},       {ATOM_SUB, 3, -2},      {ATOM_MUL, 3, 15}, {ATOM_DIV, 11, 2},
      {ATOM_AND, 6, 4},       {ATOM_OR, 6, 7},        {ATOM_XOR, 6, 3},  {ATOM_MIN, 6, 5},
      {ATOM_MAX, 6, 6},       {ATOM_EXCH, 6, 5},      {ATOM_CAS, 5, 9},  {ATOM_CAS, 6, 6},
      {ATOM_CAS_WRITE, 5, 9}, {ATOM_CAS_WRITE, 6, 6},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_true(ir_atom_result(cases[i].atom, cases[i].old, 5, 9) == cases[i].result);
}

static void scopes_nest(void **state) {
  (void)state;
  const Placement here = {.cta = 1, .cluster = 1, .gpu = 0};
  static const struct {
    Placement place;
    bool contained[4]; // cta, cluster, gpu, sys
  } cases[] = {
      {{.cta = 1, .cluster = 1, .gpu = 0}, {true, true, true, true}},
      {{.cta = 2, .cluster = 1, .gpu = 0}, {false, true, true, true}},
      {{.cta = 2, .cluster = 2, .gpu = 0}, {false, false, true, true}},
      {{.cta = 1, .cluster = 1, .gpu = 1}, {false, false, false, true}},
      {{.is_host = true}, {false, false, false, true}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_false(ir_scope_contains(SCOPE_NONE, &here, &cases[i].place));
    for (int scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++) {
      bool expected = cases[i].contained[scope - SCOPE_CTA];
      assert_int_equal(ir_scope_contains((Scope)scope, &here, &cases[i].place), expected);
      assert_int_equal(ir_scope_contains((Scope)scope, &cases[i].place, &here), expected);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_wraps_around),
      cmocka_unit_test(every_operation_computes),
      cmocka_unit_test(atomics_leave_their_result),
      cmocka_unit_test(scopes_nest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
