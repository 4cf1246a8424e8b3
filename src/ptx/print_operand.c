// Operands and constant expressions as text.
#include "ptx/print.h"

static const char *const operator_texts[] = {
    [PTX_OPERATOR_PLUS] = "+",
    [PTX_OPERATOR_NEGATE] = "-",
    [PTX_OPERATOR_NOT] = "!",
    [PTX_OPERATOR_COMPLEMENT] = "~",
    [PTX_OPERATOR_TO_SIGNED] = "(.s64)",
    [PTX_OPERATOR_TO_UNSIGNED] = "(.u64)",
    [PTX_OPERATOR_MULTIPLY] = " * ",
    [PTX_OPERATOR_DIVIDE] = " / ",
    [PTX_OPERATOR_REMAINDER] = " % ",
    [PTX_OPERATOR_ADD] = " + ",
    [PTX_OPERATOR_SUBTRACT] = " - ",
    [PTX_OPERATOR_SHIFT_LEFT] = " << ",
    [PTX_OPERATOR_SHIFT_RIGHT] = " >> ",
    [PTX_OPERATOR_LESS] = " < ",
    [PTX_OPERATOR_LESS_EQUAL] = " <= ",
    [PTX_OPERATOR_GREATER] = " > ",
    [PTX_OPERATOR_GREATER_EQUAL] = " >= ",
    [PTX_OPERATOR_EQUAL] = " == ",
    [PTX_OPERATOR_NOT_EQUAL] = " != ",
    [PTX_OPERATOR_BIT_AND] = " & ",
    [PTX_OPERATOR_BIT_XOR] = " ^ ",
    [PTX_OPERATOR_BIT_OR] = " | ",
    [PTX_OPERATOR_AND] = " && ",
    [PTX_OPERATOR_OR] = " || ",
    [PTX_OPERATOR_CHOOSE] = " ? ",
};

static void add(PtxPrinter *printer, const char *text) {
  ptx_add_text(&printer->out, text);
}

void ptx_print_name(PtxPrinter *printer, Name name) {
  add(printer, ptx_text(printer->module, name));
}

static const PtxOperand *child(const PtxPrinter *printer, const PtxOperand *operand, uint32_t i) {
  return &printer->module->operands.items[operand->children.first + i];
}

static void print_integer(PtxPrinter *printer, const PtxOperand *operand) {
  bool is_negative = operand->flags & PTX_OPERAND_NEGATIVE;
  if (is_negative)
    add(printer, "-");
  add(printer, operand->radix == 16  ? "0x"
               : operand->radix == 8 ? "0"
               : operand->radix == 2 ? "0b"
                                     : "");
  ptx_add_unsigned(&printer->out, is_negative ? -operand->value : operand->value, operand->radix);
  if (operand->flags & PTX_OPERAND_SUFFIXED)
    add(printer, "U");
}

static void print_float(PtxPrinter *printer, uint64_t bits, uint32_t digit_count) {
  add(printer, digit_count == 8 ? "0f" : "0d");
  for (uint32_t i = digit_count; i-- > 0;)
    ptx_add_unsigned(&printer->out, bits >> (4 * i) & 15, 16);
}

static void print_expression(PtxPrinter *printer, const PtxOperand *operand) {
  const char *text = operator_texts[operand->operation];
  if (operand->children.count == 1)
    add(printer, text);
  // In parentheses, so that precedence need not be considered.
  add(printer, "(");
  ptx_print_operand(printer, child(printer, operand, 0));
  if (operand->children.count > 1) {
    add(printer, text);
    ptx_print_operand(printer, child(printer, operand, 1));
  }
  if (operand->children.count > 2) {
    add(printer, " : ");
    ptx_print_operand(printer, child(printer, operand, 2));
  }
  add(printer, ")");
}

static void print_offset(PtxPrinter *printer, const PtxOperand *operand) {
  if (!(operand->flags & PTX_OPERAND_HAS_OFFSET))
    return;
  bool is_negative = operand->value >> 63;
  add(printer, is_negative ? "+-" : "+"); // as the compilers write it: [%rd1+-4]
  ptx_add_unsigned(&printer->out, is_negative ? -operand->value : operand->value, 10);
}

static void print_named(PtxPrinter *printer, const PtxOperand *operand) {
  if (operand->flags & PTX_OPERAND_NOT)
    add(printer, "!");
  if (operand->flags & PTX_OPERAND_MINUS)
    add(printer, "-");
  if (operand->flags & PTX_OPERAND_GENERIC)
    add(printer, "generic(");
  ptx_print_name(printer, operand->name);
  if (operand->flags & PTX_OPERAND_GENERIC)
    add(printer, ")");
  if (operand->component) {
    add(printer, ".");
    ptx_print_name(printer, operand->component);
  }
}

static void print_enclosed(PtxPrinter *printer, const char *open, const PtxOperand *operand,
                           const char *close) {
  add(printer, open);
  ptx_print_operands(printer, operand->children);
  add(printer, close);
}

static void print_address(PtxPrinter *printer, const PtxOperand *operand) {
  print_enclosed(printer, "[", operand, "]");
  if (!operand->component)
    return;
  add(printer, ".");
  ptx_print_name(printer, operand->component);
}

void ptx_print_operands(PtxPrinter *printer, PtxRange range) {
  for (uint32_t i = 0; i < range.count; i++) {
    if (i > 0)
      add(printer, ", ");
    ptx_print_operand(printer, &printer->module->operands.items[range.first + i]);
  }
}

void ptx_print_operand(PtxPrinter *printer, const PtxOperand *operand) {
  switch ((PtxOperandKind)operand->kind) {
  case PTX_OPERAND_NAME:
    print_named(printer, operand);
    print_offset(printer, operand);
    break;
  case PTX_OPERAND_SINK:
    add(printer, "_");
    break;
  case PTX_OPERAND_INTEGER:
    print_integer(printer, operand);
    break;
  case PTX_OPERAND_FLOAT32:
    print_float(printer, operand->value, 8);
    break;
  case PTX_OPERAND_FLOAT64:
    print_float(printer, operand->value, 16);
    break;
  case PTX_OPERAND_WARP_SIZE:
    add(printer, "WARP_SZ");
    break;
  case PTX_OPERAND_EXPRESSION:
    print_expression(printer, operand);
    break;
  case PTX_OPERAND_MASK:
    print_integer(printer, operand);
    print_enclosed(printer, "(", operand, ")");
    break;
  case PTX_OPERAND_FIELD:
    ptx_print_name(printer, operand->name);
    print_enclosed(printer, " = ", operand, "");
    break;
  case PTX_OPERAND_STRING:
    add(printer, "\"");
    ptx_print_name(printer, operand->name);
    add(printer, "\"");
    break;
  case PTX_OPERAND_ADDRESS:
    print_address(printer, operand);
    break;
  case PTX_OPERAND_ELEMENT:
    print_named(printer, operand);
    print_enclosed(printer, "[", operand, "]");
    break;
  case PTX_OPERAND_VECTOR:
    print_enclosed(printer, "{", operand, "}");
    break;
  case PTX_OPERAND_PAIR:
    ptx_print_operand(printer, child(printer, operand, 0));
    add(printer, "|");
    ptx_print_operand(printer, child(printer, operand, 1));
    break;
  case PTX_OPERAND_LIST:
    print_enclosed(printer, "(", operand, ")");
    break;
  }
}
