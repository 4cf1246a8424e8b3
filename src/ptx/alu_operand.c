// Which operand of the text an operand or result of the operation is, how wide it is, and what a
// constant means there.
#include "ir/alu.h"
#include "ptx/alu_decode.h"

PtxAluWidths ptx_alu_widths(const AluOperation *operation) {
  AluSignature signature = alu_signature(operation);
  PtxAluWidths widths = {.operand_count = signature.operand_count,
                         .result_count = signature.result_count};
  for (uint32_t i = 0; i < signature.operand_count; i++)
    widths.operand_bits[i] = (uint8_t)alu_type_bits(signature.operands[i]);
  for (uint32_t i = 0; i < signature.result_count; i++)
    widths.result_bits[i] = (uint8_t)alu_type_bits(signature.results[i]);
  if (operation->op == ALU_CVT && operation->width > widths.result_bits[0])
    widths.result_bits[0] = operation->width;
  return widths;
}

static const PtxOperand *child(const PtxModule *module, const PtxOperand *operand, uint32_t i) {
  return &module->operands.items[operand->children.first + i];
}

const PtxOperand *ptx_alu_operand(const PtxModule *module, const PtxInstruction *instruction,
                                  const AluOperation *operation, uint32_t i) {
  if (operation->op == ALU_PACK)
    return child(module, ptx_alu_top(module, instruction, 1), i);
  if (operation->flags & ALU_CARRY_IN && i + 1 == alu_operand_count(operation))
    return NULL;
  // The truth table of lop3 stands between c and q.
  uint32_t skipped = operation->op == ALU_LOP3 && i == 3;
  return ptx_alu_top(module, instruction, 1 + i + skipped);
}

const PtxOperand *ptx_alu_result(const PtxModule *module, const PtxInstruction *instruction,
                                 const AluOperation *operation, uint32_t i) {
  const PtxOperand *destination = ptx_alu_top(module, instruction, 0);
  if (operation->flags & ALU_CARRY_OUT && i + 1 == alu_result_count(operation))
    return NULL;
  bool is_list = destination->kind == PTX_OPERAND_PAIR || destination->kind == PTX_OPERAND_VECTOR;
  return is_list ? child(module, destination, i) : destination;
}

// The operation that converts a number between formats, rounded to nearest.
static uint64_t convert(AluType type, AluType source, uint64_t bits) {
  AluOperation operation = {.op = ALU_CVT, .type = (uint8_t)type, .source = (uint8_t)source};
  uint64_t result;
  alu_compute(&operation, &bits, &result);
  return result;
}

static bool is_scalar_float(AluType type) {
  return type == ALU_TYPE_F16 || type == ALU_TYPE_BF16 || type == ALU_TYPE_F32 ||
         type == ALU_TYPE_F64;
}

uint64_t ptx_alu_constant(const PtxOperand *operand, AluType type) {
  bool is_double =
      operand->kind == PTX_OPERAND_FLOAT64 ||
      (operand->kind == PTX_OPERAND_EXPRESSION && operand->flags & PTX_OPERAND_FLOATING);
  AluType source = is_double                              ? ALU_TYPE_F64
                   : operand->kind == PTX_OPERAND_FLOAT32 ? ALU_TYPE_F32
                                                          : ALU_TYPE_NONE;
  if (source != ALU_TYPE_NONE && source != type && is_scalar_float(type))
    return convert(type, source, operand->value);
  uint32_t bits = alu_type_bits(type);
  return bits >= 64 ? operand->value : operand->value & ((UINT64_C(1) << bits) - 1);
}
