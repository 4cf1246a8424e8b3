// What an NVIDIA H200 computed (assembled by ptxas 13.0) against what the arithmetic says: each
// instruction of ptx_alu_h200.txt is decoded from its text and applied to the recorded operands.
// tools/record_alu.py makes such a recording on a GPU. WARPSAN_ALU_RECORDING names another one, of
// the same form:
//   form INSTRUCTION; [INSTRUCTION; ...]        D0, D1, ... are results, A0, A1, ... operands
//   widths BITS,... BITS,... TOLERANCE          of the results, of the operands
//   OPERAND ... = RESULT ...                    in hexadecimal, any number of times
// TOLERANCE is "exact"; or of approximations "ulp N" (units in the last place), "abs N" (2^-N, or
// two of these units) or "rel N" (2^-N of the value).
#include "ptx_unit.h"

#include "ptx/alu.h"
#include "ptx/modifiers.h"

#include <math.h>
#include <stdio.h>

enum { MAX_VALUES = 4, LINE_BYTES = 512, MAX_STEPS = 4, SHOWN_FAILURES = 3 };

typedef struct Form {
  char text[LINE_BYTES];
  char tolerance[16];
  int tolerance_count;
  uint32_t result_count, operand_count;
  uint32_t result_bits[MAX_VALUES], operand_bits[MAX_VALUES];
  AluType type; // of the first result
  const PtxModule *module;
  AluOperation operations[MAX_STEPS];
  uint32_t failure_count, row_count;
} Form;

// Values of D0.., A0.. and of the carry flag.
typedef struct Machine {
  uint64_t results[MAX_VALUES], operands[MAX_VALUES], carry;
} Machine;

static const char *declare(Arena *arena, char letter, const uint32_t *bits, uint32_t count) {
  const char *text = "";
  for (uint32_t i = 0; i < count; i++)
    text = bits[i] == 1 ? arena_format(arena, "%s.reg .pred %c%u;\n", text, letter, i)
                        : arena_format(arena, "%s.reg .b%u %c%u;\n", text, bits[i], letter, i);
  return text;
}

static bool decode_form(Arena *arena, Form *form) {
  const char *text =
      arena_format(arena, PTX_HEAD ".entry k() {\n%s%s%s\n}\n",
                   declare(arena, 'D', form->result_bits, form->result_count),
                   declare(arena, 'A', form->operand_bits, form->operand_count), form->text);
  form->module = ptx_read(arena, text);
  DiagList diags;
  diag_list_init(&diags, arena);
  for (uint32_t i = 0; i < form->module->instructions.count; i++) {
    const PtxInstruction *instruction = &form->module->instructions.items[i];
    PtxModifiers modifiers;
    const char *unsupported = "modifiers";
    assert_in_range(i, 0, MAX_STEPS - 1);
    if (ptx_decode_modifiers(form->module, instruction, &modifiers, &diags) &&
        ptx_decode_alu(form->module, instruction, &modifiers, &form->operations[i], &unsupported) ==
            PTX_ALU_OK)
      continue;
    print_error("%s: does not decode: %s\n%s", form->text, unsupported,
                ptx_diag_text(arena, &diags));
    return false;
  }
  form->type = alu_signature(&form->operations[0]).results[0];
  return true;
}

// The place that a register's name, or the carry flag, stands for.
static uint64_t *place_of(const Form *form, Machine *machine, const PtxOperand *operand) {
  if (!operand)
    return &machine->carry;
  const char *name = ptx_text(form->module, operand->name);
  uint64_t *file = name[0] == 'D' ? machine->results : machine->operands;
  return &file[name[1] - '0'];
}

static void step(const Form *form, uint32_t index, Machine *machine) {
  const AluOperation *operation = &form->operations[index];
  const PtxInstruction *instruction = &form->module->instructions.items[index];
  AluSignature signature = alu_signature(operation);
  PtxAluWidths widths = ptx_alu_widths(operation);
  uint64_t values[ALU_MAX_OPERANDS], results[ALU_MAX_RESULTS];
  for (uint32_t i = 0; i < signature.operand_count; i++) {
    const PtxOperand *operand = ptx_alu_operand(form->module, instruction, operation, i);
    values[i] = operand && operand->kind != PTX_OPERAND_NAME
                    ? ptx_alu_constant(operand, signature.operands[i])
                    : *place_of(form, machine, operand);
  }
  alu_compute(operation, values, results);
  for (uint32_t i = 0; i < signature.result_count; i++) {
    uint32_t bits = widths.result_bits[i];
    assert_true(bits == 64 || results[i] >> bits == 0);
    *place_of(form, machine, ptx_alu_result(form->module, instruction, operation, i)) = results[i];
  }
}

static double number(AluType type, uint64_t bits) {
  uint32_t fraction_bits = type == ALU_TYPE_F64    ? 52
                           : type == ALU_TYPE_F32  ? 23
                           : type == ALU_TYPE_BF16 ? 7
                                                   : 10;
  uint32_t exponent_bits = alu_type_bits(type) - 1 - fraction_bits;
  int bias = (1 << (exponent_bits - 1)) - 1;
  double fraction = (double)(bits & ((UINT64_C(1) << fraction_bits) - 1));
  int exponent = (int)(bits >> fraction_bits & ((1U << exponent_bits) - 1));
  double sign = bits >> (fraction_bits + exponent_bits) & 1 ? -1 : 1;
  if (exponent == 2 * bias + 1)
    return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent > 0)
    fraction += ldexp(1, (int)fraction_bits);
  return sign * ldexp(fraction, (exponent > 0 ? exponent : 1) - bias - (int)fraction_bits);
}

static bool is_near(const Form *form, AluType type, uint64_t a, uint64_t b) {
  double x = number(type, a), y = number(type, b);
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y);
  if (x == y)
    return true;
  int64_t distance = (int64_t)a - (int64_t)b;
  if (strcmp(form->tolerance, "ulp") == 0)
    return llabs(distance) <= form->tolerance_count;
  if (strcmp(form->tolerance, "abs") == 0 && llabs(distance) <= 2)
    return true;
  double bound = ldexp(1, -form->tolerance_count);
  return fabs(x - y) <= bound * (strcmp(form->tolerance, "rel") == 0 ? fabs(y) : 1);
}

static AluType lane_type(AluType type) {
  return type == ALU_TYPE_F16X2 ? ALU_TYPE_F16 : type == ALU_TYPE_BF16X2 ? ALU_TYPE_BF16 : type;
}

static bool agrees(const Form *form, uint64_t computed, uint64_t recorded) {
  if (computed == recorded)
    return true;
  if (strcmp(form->tolerance, "exact") == 0)
    return false;
  AluType lane = lane_type(form->type);
  uint32_t bits = alu_type_bits(lane);
  for (uint32_t shift = 0; shift < alu_type_bits(form->type); shift += bits) {
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (!is_near(form, lane, computed >> shift & mask, recorded >> shift & mask))
      return false;
  }
  return true;
}

static void read_values(char **at, uint64_t *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    values[i] = strtoull(*at, at, 16);
}

static void check_row(Form *form, char *line) {
  Machine machine = {0};
  uint64_t recorded[MAX_VALUES];
  char *at = line;
  read_values(&at, machine.operands, form->operand_count);
  at = strchr(at, '=');
  assert_non_null(at);
  at++;
  read_values(&at, recorded, form->result_count);
  for (uint32_t i = 0; i < form->module->instructions.count; i++)
    step(form, i, &machine);
  form->row_count++;
  for (uint32_t i = 0; i < form->result_count; i++) {
    if (agrees(form, machine.results[i], recorded[i]))
      continue;
    if (form->failure_count++ < SHOWN_FAILURES)
      print_error("%s D%u is %llx: %s", form->text, i, (unsigned long long)machine.results[i],
                  line);
    return;
  }
}

static uint32_t read_widths(const char *text, uint32_t *bits) {
  uint32_t count = 0;
  for (char *end; count < MAX_VALUES; text = end + 1) {
    bits[count++] = (uint32_t)strtoul(text, &end, 10);
    if (*end != ',')
      break;
  }
  return count;
}

static void read_header(Form *form, const char *line) {
  char results[64], operands[64];
  int fields = sscanf(line, "widths %63s %63s %15s %d", results, operands, form->tolerance,
                      &form->tolerance_count);
  assert_true(fields >= 3);
  form->result_count = read_widths(results, form->result_bits);
  form->operand_count = read_widths(operands, form->operand_bits);
}

static FILE *open_recording(Arena *arena) {
  const char *path = getenv("WARPSAN_ALU_RECORDING"), *root = getenv("WARPSAN_ROOT");
  if (!path)
    path = arena_format(arena, "%s/tests/unit/ptx_alu_h200.txt", root ? root : ".");
  FILE *file = fopen(path, "r");
  if (!file)
    fail_msg("cannot open %s", path);
  return file;
}

typedef struct Tally {
  uint32_t forms, rows, failed_forms;
} Tally;

static void finish_form(const Form *form, Tally *tally) {
  tally->forms += form->text[0] != 0;
  tally->rows += form->row_count;
  tally->failed_forms += form->failure_count > 0;
  if (form->failure_count > 0)
    print_error("%s %u of %u differ\n", form->text, form->failure_count, form->row_count);
}

static void hardware_agrees(void **state) {
  FILE *file = open_recording(*state);
  Form form = {0};
  Tally tally = {0};
  Arena arena;
  arena_init(&arena, NULL, 0);
  char line[LINE_BYTES];
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, "form ", 5) == 0) {
      finish_form(&form, &tally);
      form = (Form){0};
      memcpy(form.text, line + 5, strcspn(line + 5, "\n"));
    } else if (strncmp(line, "widths ", 7) == 0) {
      arena_release(&arena);
      arena_init(&arena, NULL, 0);
      read_header(&form, line);
      form.failure_count = !decode_form(&arena, &form);
    } else if (form.module && line[0] != '#' && form.failure_count < 1000) {
      check_row(&form, line);
    }
  }
  finish_form(&form, &tally);
  arena_release(&arena);
  fclose(file);
  print_message("%u forms, %u rows\n", tally.forms, tally.rows);
  assert_true(tally.rows > 0);
  assert_int_equal(tally.failed_forms, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {UNIT_TEST(hardware_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
