// What depends on undefined bits, held against trying all values of them.
#include "unit.h"

#include "ir/undefined.h"

static UndefinedResults results_of(const AluOperation *operation, const UndefinedInputs *inputs) {
  Instruction instruction = {.op = IR_ALU, .alu = operation};
  return ir_undefined_results(&instruction, inputs);
}

// The next value of the bits of a mask, as a number that they make up; 0 behind the last.
static uint64_t next_value(uint64_t value, uint64_t mask) {
  return ((value | ~mask) + 1) & mask;
}

// Bits of the first result that some value of the undefined bits of the first three operands
// changes.
static uint64_t changing_bits(const AluOperation *operation, const UndefinedInputs *inputs) {
  uint64_t first = 0, changing = 0, x[3] = {0};
  bool is_first = true;
  do {
    do {
      do {
        uint64_t operands[ALU_MAX_OPERANDS], results[ALU_MAX_RESULTS] = {0};
        memcpy(operands, inputs->values, sizeof operands);
        for (uint32_t i = 0; i < 3; i++)
          operands[i] = (operands[i] & ~inputs->bits[i]) | x[i];
        alu_compute(operation, operands, results);
        first = is_first ? results[0] : first;
        is_first = false;
        changing |= first ^ results[0];
      } while ((x[0] = next_value(x[0], inputs->bits[0])));
    } while ((x[1] = next_value(x[1], inputs->bits[1])));
  } while ((x[2] = next_value(x[2], inputs->bits[2])));
  return changing;
}

static const uint64_t values[] = {0, 1, 0x1234, 0x8001, 0xfffe};
static const uint64_t masks[] = {0, 1, 0x18, 0x8000, 0x8003};
enum { VALUES = sizeof values / sizeof *values, MASKS = sizeof masks / sizeof *masks };

typedef void CheckCase(const AluOperation *operation, const UndefinedInputs *inputs);

// All values and masks of two operands; the third is `third`, of which `third_bits` are undefined.
static void try_all(const AluOperation *operation, uint64_t third, uint64_t third_bits,
                    CheckCase *check) {
  for (uint32_t i = 0; i < VALUES * VALUES; i++)
    for (uint32_t j = 0; j < MASKS * MASKS; j++) {
      UndefinedInputs inputs = {
          .values = {values[i % VALUES], values[i / VALUES], third, 5},
          .bits = {masks[j % MASKS], masks[j / MASKS], third_bits},
      };
      check(operation, &inputs);
    }
}

static void check_exact(const AluOperation *operation, const UndefinedInputs *inputs) {
  assert_int_equal(results_of(operation, inputs).bits[0], changing_bits(operation, inputs));
}

// All bits that may change are undefined; and none is if no bit changes.
static void check_whole(const AluOperation *operation, const UndefinedInputs *inputs) {
  uint64_t changing = changing_bits(operation, inputs);
  UndefinedResults results = results_of(operation, inputs);
  assert_int_equal(changing & ~results.bits[0], 0);
  assert_int_equal(results.bits[0] != 0, changing != 0);
}

static void check_safe(const AluOperation *operation, const UndefinedInputs *inputs) {
  assert_int_equal(changing_bits(operation, inputs) & ~results_of(operation, inputs).bits[0], 0);
}

static void bits_are_followed_where_they_are_moved(void **state) {
  (void)state;
  static const struct {
    AluOperation operation;
    uint64_t third;
  } moves[] = {
      {{.op = ALU_MOV, .type = ALU_TYPE_B16}, 0},
      {{.op = ALU_AND, .type = ALU_TYPE_B16}, 0},
      {{.op = ALU_OR, .type = ALU_TYPE_B16}, 0},
      {{.op = ALU_XOR, .type = ALU_TYPE_B16}, 0},
      {{.op = ALU_NOT, .type = ALU_TYPE_B16}, 0},
      {{.op = ALU_LOP3, .type = ALU_TYPE_B32, .mode = 0xe8}, 0x0ff0},
      {{.op = ALU_PACK, .type = ALU_TYPE_B32, .count = 2}, 0},
      {{.op = ALU_BREV, .type = ALU_TYPE_B32}, 0},
      {{.op = ALU_PRMT, .type = ALU_TYPE_B32}, 0x4190},
      {{.op = ALU_PRMT, .type = ALU_TYPE_B32}, 0x5c10},
      {{.op = ALU_BFI, .type = ALU_TYPE_B32}, 3},
      {{.op = ALU_SHF, .type = ALU_TYPE_B32}, 7},
      {{.op = ALU_SELP, .type = ALU_TYPE_B16}, 0},
      {{.op = ALU_SELP, .type = ALU_TYPE_B16}, 1},
      {{.op = ALU_CVT, .type = ALU_TYPE_U8, .source = ALU_TYPE_U16}, 0},
      {{.op = ALU_CVT, .type = ALU_TYPE_S32, .source = ALU_TYPE_S16}, 0},
      {{.op = ALU_CVT, .type = ALU_TYPE_S32, .source = ALU_TYPE_S8}, 0},
  };
  for (uint32_t i = 0; i < sizeof moves / sizeof *moves; i++)
    try_all(&moves[i].operation, moves[i].third, 0, check_exact);
  AluOperation majority = {.op = ALU_LOP3, .type = ALU_TYPE_B32, .mode = 0xe8};
  try_all(&majority, 0x0ff0, 0x0801, check_exact);
}

static void shifts_are_followed_if_their_amount_is_known(void **state) {
  (void)state;
  static const AluOperation shifts[] = {
      {.op = ALU_SHL, .type = ALU_TYPE_B16}, {.op = ALU_SHR, .type = ALU_TYPE_U16},
      {.op = ALU_SHR, .type = ALU_TYPE_S16}, {.op = ALU_BFE, .type = ALU_TYPE_U32},
      {.op = ALU_BFE, .type = ALU_TYPE_S32},
  };
  for (uint32_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
    for (uint64_t amount = 0; amount < 20; amount++)
      for (uint32_t j = 0; j < MASKS; j++) {
        UndefinedInputs inputs = {.values = {0x8421, amount, 4}, .bits = {masks[j]}};
        check_exact(&shifts[i], &inputs);
        inputs.bits[1] = 3;
        check_safe(&shifts[i], &inputs);
      }
}

static void comparisons_depend_on_what_decides_them(void **state) {
  (void)state;
  for (uint8_t compare = ALU_COMPARE_EQ; compare <= ALU_COMPARE_GE; compare++) {
    AluOperation of_unsigned = {.op = ALU_SETP, .type = ALU_TYPE_U16, .compare = compare};
    AluOperation of_signed = {.op = ALU_SETP, .type = ALU_TYPE_S16, .compare = compare};
    try_all(&of_unsigned, 0, 0, check_whole);
    try_all(&of_signed, 0, 0, check_whole);
    of_unsigned.op = ALU_SET;
    of_unsigned.type = ALU_TYPE_U32;
    of_unsigned.source = ALU_TYPE_U16;
    try_all(&of_unsigned, 0, 0, check_whole);
  }
  AluOperation of_floats = {.op = ALU_SETP, .type = ALU_TYPE_F16, .compare = ALU_COMPARE_LT};
  try_all(&of_floats, 0, 0, check_safe);
}

static void comparisons_are_absorbed_by_what_they_are_combined_with(void **state) {
  (void)state;
  for (uint8_t combine = ALU_COMBINE_AND; combine <= ALU_COMBINE_XOR; combine++)
    for (uint32_t flags = 0; flags < 4; flags++)
      for (uint32_t third = 0; third < 4; third++) {
        AluOperation operation = {.op = ALU_SETP,
                                  .type = ALU_TYPE_U16,
                                  .compare = ALU_COMPARE_LT,
                                  .combine = combine,
                                  .flags =
                                      (flags & 1 ? ALU_NEGATED : 0) | (flags & 2 ? ALU_PAIR : 0)};
        try_all(&operation, third & 1, third >> 1, flags & 2 ? check_safe : check_whole);
      }
}

static void other_results_are_undefined_as_a_whole(void **state) {
  (void)state;
  static const AluOperation operations[] = {
      {.op = ALU_ADD, .type = ALU_TYPE_U16},
      {.op = ALU_SUB, .type = ALU_TYPE_U16},
      {.op = ALU_MIN, .type = ALU_TYPE_S16},
      {.op = ALU_POPC, .type = ALU_TYPE_B32},
      {.op = ALU_CVT, .type = ALU_TYPE_F32, .source = ALU_TYPE_U16},
  };
  for (uint32_t i = 0; i < sizeof operations / sizeof *operations; i++)
    try_all(&operations[i], 0, 0, check_safe);
  AluOperation product = {.op = ALU_MUL, .type = ALU_TYPE_U16};
  try_all(&product, 0, 0, check_safe);
  for (uint32_t i = 0; i < VALUES * MASKS; i++)
    check_whole(&product, &(UndefinedInputs){.values = {0x18, values[i % VALUES]},
                                             .bits = {masks[i / VALUES]}});
  UndefinedResults sum = results_of(&operations[0], &(UndefinedInputs){.bits = {4}});
  assert_int_equal(sum.bits[0], 0xffff);
}

// Both a field of a word and a word that a mask was laid on have bits that are undefined. Of the
// latter nothing else is known.
static void what_masks_leave_is_hollow(void **state) {
  (void)state;
  AluOperation and = {.op = ALU_AND, .type = ALU_TYPE_B16};
  AluOperation or = {.op = ALU_OR, .type = ALU_TYPE_B16};
  AluOperation select = {.op = ALU_SELP, .type = ALU_TYPE_B16};
  AluOperation pack = {.op = ALU_PACK, .type = ALU_TYPE_B32, .count = 2};
  AluOperation add = {.op = ALU_ADD, .type = ALU_TYPE_B16};
  UndefinedInputs whole = {.values = {0, 0xfff8}, .bits = {0xffff}, .hollow = 1};
  assert_true(results_of(&and, &whole).is_hollow);
  assert_false(results_of(& or, &whole).is_hollow);
  UndefinedInputs both = {.bits = {0xffff, 0xff}, .hollow = 3};
  assert_true(results_of(& or, &both).is_hollow);
  assert_false(results_of(&pack, &whole).is_hollow);
  assert_true(
      results_of(&pack, &(UndefinedInputs){.bits = {0xffff, 0xffff}, .hollow = 3}).is_hollow);
  UndefinedInputs part = {.values = {3, 7}, .bits = {0xfff8}};
  assert_false(results_of(&and, &part).is_hollow);
  assert_true(results_of(&add, &part).is_hollow);
  UndefinedInputs choice = {.values = {0, 1, 1}, .bits = {0xffff, 0xfff0}, .hollow = 1};
  assert_true(results_of(&select, &choice).is_hollow);
  choice.values[2] = 0;
  assert_false(results_of(&select, &choice).is_hollow);
  choice = (UndefinedInputs){.values = {0, 1}, .bits = {0, 0, 1}, .hollow = 4};
  assert_true(results_of(&select, &choice).is_hollow);
  assert_int_equal(results_of(&select, &choice).bits[0], 0xffff);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(bits_are_followed_where_they_are_moved),
      UNIT_TEST(shifts_are_followed_if_their_amount_is_known),
      UNIT_TEST(comparisons_depend_on_what_decides_them),
      UNIT_TEST(comparisons_are_absorbed_by_what_they_are_combined_with),
      UNIT_TEST(other_results_are_undefined_as_a_whole),
      UNIT_TEST(what_masks_leave_is_hollow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
