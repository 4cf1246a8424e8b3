// The name of an operation, as PTX spells it.
#include <stdio.h>

#include "ir/alu_functions.h"

static const struct {
  uint32_t flag;
  const char *text;
} suffixes[] = {
    {ALU_OOB, ".oob"},      {ALU_SHIFT_AMOUNT, ".shiftamt"},
    {ALU_NAN, ".NaN"},      {ALU_XORSIGN_ABS, ".xorsign.abs"},
    {ALU_FTZ, ".ftz"},      {ALU_SATFINITE, ".satfinite"},
    {ALU_RELU, ".relu"},    {ALU_SAT, ".sat"},
    {ALU_CARRY_OUT, ".cc"},
};

static const char *const compare_names[] = {
    "eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
    "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
};

static const char *const combine_names[] = {"", "and", "or", "xor", "add", "min", "max"};

static const char *const permute_names[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};

static const char *const test_names[] = {
    ".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal",
};

static const char *const op_names[] = {
#define ALU(name, text, operands, function) text,
#include "ir/alu.def"
#undef ALU
};

// A text of limited size; what does not fit is cut off.
typedef struct Writer {
  char *text;
  size_t size, length;
} Writer;

static void put(Writer *writer, const char *text) {
  for (; *text && writer->length + 1 < writer->size; text++)
    writer->text[writer->length++] = *text;
  writer->text[writer->length] = 0;
}

static void put_word(Writer *writer, const char *text) {
  put(writer, ".");
  put(writer, text);
}

// addc, subc and madc are the forms with a carry.
static void put_name(Writer *writer, const AluOperation *operation) {
  put(writer, op_names[operation->op]);
  if (alu_has(operation, ALU_CARRY_IN))
    put(writer, "c");
}

static bool compares(AluOp op) {
  return op == ALU_SET || op == ALU_SETP || op == ALU_VSET || op == ALU_VSET2 || op == ALU_VSET4;
}

static bool has_half(const AluOperation *operation) {
  switch (operation->op) {
  case ALU_MUL:
  case ALU_MAD:
    return !alu_type_is_float(operation->type);
  case ALU_MUL24:
  case ALU_MAD24:
  case ALU_DP2A:
    return true;
  default:
    return false;
  }
}

static bool may_clamp(AluOp op) {
  return op == ALU_SHF || op == ALU_BMSK || op == ALU_SZEXT || op == ALU_VSHL || op == ALU_VSHR;
}

static void put_mode(Writer *writer, const AluOperation *operation) {
  static const char *const halves[] = {"lo", "hi", "wide"};
  if (has_half(operation))
    put_word(writer, halves[operation->half]);
  if (compares(operation->op))
    put_word(writer, compare_names[operation->compare]);
  if (operation->combine != ALU_COMBINE_NONE)
    put_word(writer, combine_names[operation->combine]);
  if (operation->op == ALU_TESTP)
    put(writer, test_names[operation->mode]);
  if (operation->op == ALU_SHF)
    put(writer, alu_has(operation, ALU_RIGHT) ? ".r" : ".l");
  if (may_clamp(operation->op))
    put(writer, alu_has(operation, ALU_CLAMP) ? ".clamp" : ".wrap");
}

static bool rounds(const AluOperation *operation) {
  switch (operation->op) {
  case ALU_ADD:
  case ALU_SUB:
  case ALU_MUL:
  case ALU_FMA:
  case ALU_DIV:
  case ALU_RCP:
  case ALU_SQRT:
    return alu_type_is_float(operation->type);
  case ALU_CVT:
    return alu_type_is_float(operation->type) || alu_type_is_float(operation->source);
  default:
    return false;
  }
}

static void put_rounding(Writer *writer, const AluOperation *operation) {
  static const char *const names[] = {"rn", "rz", "rm", "rp", "rna"};
  if (alu_has(operation, ALU_APPROX)) {
    put(writer, operation->mode == 1 ? ".full" : ".approx");
    return;
  }
  if (!rounds(operation))
    return;
  put_word(writer, names[operation->rounding]);
  bool is_integral = alu_has(operation, ALU_INTEGRAL) || !alu_type_is_float(operation->type);
  if (operation->op == ALU_CVT && is_integral)
    put(writer, "i");
}

// The type of the result, where PTX writes it.
static bool writes_type(AluOp op) {
  switch (op) {
  case ALU_DP4A:
  case ALU_DP2A:
  case ALU_VSET:
  case ALU_VSET2:
  case ALU_VSET4:
    return false;
  default:
    return true;
  }
}

static void put_types(Writer *writer, const AluOperation *operation) {
  if (writes_type(operation->op))
    put_word(writer, alu_type_name(operation->type));
  if (operation->source != ALU_TYPE_NONE)
    put_word(writer, alu_type_name(operation->source));
  if (operation->second != ALU_TYPE_NONE)
    put_word(writer, alu_type_name(operation->second));
  if (operation->op == ALU_VMAD && operation->mode)
    put(writer, operation->mode == 7 ? ".shr7" : ".shr15");
  if (operation->op == ALU_PRMT)
    put(writer, permute_names[operation->mode]);
}

void alu_print(const AluOperation *operation, char *text, size_t size) {
  Writer writer = {text, size, 0};
  if (size == 0)
    return;
  put_name(&writer, operation);
  put_mode(&writer, operation);
  put_rounding(&writer, operation);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (alu_has(operation, suffixes[i].flag))
      put(&writer, suffixes[i].text);
  put_types(&writer, operation);
}
