// What depends on undefined operands, held against trying all values of 16 bits.
#include "unit.h"

#include "ir/undefined.h"

static bool is_constant(const AluOperation *operation, const UndefinedInputs *inputs) {
  uint64_t operands[ALU_MAX_OPERANDS], first[ALU_MAX_RESULTS] = {0};
  uint32_t which = inputs->undefined == 1 ? 0 : inputs->undefined == 2 ? 1 : 2;
  memcpy(operands, inputs->values, sizeof operands);
  for (uint64_t value = 0; value < 1u << 16; value++) {
    uint64_t results[ALU_MAX_RESULTS] = {0};
    operands[which] = value;
    alu_compute(operation, operands, results);
    if (value == 0)
      memcpy(first, results, sizeof first);
    else if (memcmp(first, results, sizeof first) != 0)
      return false;
  }
  return true;
}

static bool is_defined(const AluOperation *operation, const UndefinedInputs *inputs) {
  Instruction instruction = {.op = IR_ALU, .alu = operation};
  return ir_is_result_defined(&instruction, inputs);
}

static const AluOperation operations[] = {
    {.op = ALU_AND, .type = ALU_TYPE_B16},
    {.op = ALU_OR, .type = ALU_TYPE_B16},
    {.op = ALU_MUL, .type = ALU_TYPE_U16},
    {.op = ALU_SELP, .type = ALU_TYPE_B16},
    {.op = ALU_SETP, .type = ALU_TYPE_U16, .combine = ALU_COMBINE_AND},
    {.op = ALU_SETP, .type = ALU_TYPE_U16, .combine = ALU_COMBINE_OR},
    {.op = ALU_SETP, .type = ALU_TYPE_U16, .combine = ALU_COMBINE_AND, .flags = ALU_NEGATED},
};

static const uint64_t values[] = {0, 1, 2, 0x8000, 0xfffe, 0xffff};
enum { VALUES = sizeof values / sizeof *values };

static void results_depend_on_what_changes_them(void **state) {
  (void)state;
  for (uint32_t i = 0; i < sizeof operations / sizeof *operations; i++)
    for (uint32_t which = 0; which < alu_operand_count(&operations[i]); which++)
      for (uint32_t j = 0; j < VALUES * VALUES; j++) {
        uint64_t a = values[j % VALUES], b = values[j / VALUES];
        UndefinedInputs inputs = {.values = {which == 0 ? b : a, which == 1 ? b : a, b},
                                  .undefined = 1u << which};
        assert_int_equal(is_defined(&operations[i], &inputs), is_constant(&operations[i], &inputs));
      }
}

static void other_results_depend_on_all_operands(void **state) {
  (void)state;
  AluOperation add = {.op = ALU_ADD, .type = ALU_TYPE_U16};
  AluOperation plain = {.op = ALU_SETP, .type = ALU_TYPE_U16};
  UndefinedInputs inputs = {.values = {1, 2}, .undefined = 1};
  assert_false(is_defined(&add, &inputs));
  assert_false(is_defined(&plain, &inputs));
}

// A pair is undefined if both of its parts are: the other may be padding.
static void parts_are_put_together(void **state) {
  (void)state;
  AluOperation pack = {.op = ALU_PACK, .type = ALU_TYPE_B32, .count = 2};
  assert_true(is_defined(&pack, &(UndefinedInputs){.undefined = 1}));
  assert_true(is_defined(&pack, &(UndefinedInputs){.undefined = 2}));
  assert_false(is_defined(&pack, &(UndefinedInputs){.undefined = 3}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(results_depend_on_what_changes_them),
      UNIT_TEST(other_results_depend_on_all_operands),
      UNIT_TEST(parts_are_put_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
