#include "ir/undefined.h"

#include <string.h>

static uint32_t operand_count(const Instruction *instruction) {
  return instruction->op == IR_ALU ? alu_operand_count(instruction->alu) : 2;
}

static void compute(const Instruction *instruction, const uint64_t *operands, uint64_t *results) {
  if (instruction->op == IR_ALU)
    alu_compute(instruction->alu, operands, results);
  else
    results[0] = (uint64_t)ir_compute(instruction->op, (int64_t)operands[0], (int64_t)operands[1]);
}

// Do all values of the undefined operands give one result? Each is tried with zeros and with ones:
// all there is to try of a function that goes bit by bit.
static bool is_one_result(const Instruction *instruction, const UndefinedInputs *inputs) {
  uint64_t first[ALU_MAX_RESULTS] = {0};
  uint32_t count = operand_count(instruction);
  for (uint32_t ones = 0; ones < 1u << count; ones++) {
    uint64_t operands[ALU_MAX_OPERANDS], results[ALU_MAX_RESULTS] = {0};
    if (ones & ~inputs->undefined)
      continue;
    for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++)
      operands[i] = !(inputs->undefined >> i & 1) ? inputs->values[i]
                    : ones >> i & 1               ? UINT64_MAX
                                                  : 0;
    compute(instruction, operands, results);
    if (ones == 0)
      memcpy(first, results, sizeof first);
    else if (memcmp(first, results, sizeof first) != 0)
      return false;
  }
  return true;
}

// p = (a cmp b) and c is false if c is, whatever a and b are.
static bool is_absorbed(const Instruction *instruction, const UndefinedInputs *inputs) {
  enum { THIRD = 2 };
  const AluOperation *operation = instruction->alu;
  bool c = (inputs->values[THIRD] & 1) != (operation->flags & ALU_NEGATED ? 1 : 0);
  if (inputs->undefined >> THIRD & 1)
    return !(inputs->undefined & ~(1u << THIRD)) && is_one_result(instruction, inputs);
  return (operation->combine == ALU_COMBINE_AND && !c) ||
         (operation->combine == ALU_COMBINE_OR && c);
}

bool ir_may_ignore_operand(const Instruction *instruction) {
  if (instruction->op != IR_ALU)
    return instruction->op == IR_MUL || instruction->op == IR_AND || instruction->op == IR_OR;
  switch ((AluOp)instruction->alu->op) {
  case ALU_AND:
  case ALU_OR:
  case ALU_LOP3:
  case ALU_MUL:
  case ALU_SELP:
  case ALU_SLCT:
  case ALU_PACK:
  case ALU_BFI:
  case ALU_PRMT:
    return true;
  case ALU_SET:
  case ALU_SETP:
    return instruction->alu->combine != ALU_COMBINE_NONE;
  default:
    return false;
  }
}

bool ir_is_result_defined(const Instruction *instruction, const UndefinedInputs *inputs) {
  const AluOperation *operation = instruction->alu;
  if (!ir_may_ignore_operand(instruction))
    return false;
  if (instruction->op != IR_ALU)
    return is_one_result(instruction, inputs);
  switch ((AluOp)operation->op) {
  case ALU_PACK:
    return inputs->undefined != (1u << operation->count) - 1;
  case ALU_BFI:
  case ALU_PRMT:
    return (inputs->undefined & 3) != 3;
  case ALU_SET:
  case ALU_SETP:
    return is_absorbed(instruction, inputs);
  default:
    return is_one_result(instruction, inputs);
  }
}
