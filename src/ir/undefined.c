#include "ir/undefined.h"

#include <string.h>

// --- what there is of instructions

static bool is_binary(const Instruction *instruction) {
  return instruction->op >= IR_ADD && instruction->op <= IR_SET_GE;
}

bool ir_is_computation(const Instruction *instruction) {
  return instruction->op == IR_ALU || instruction->op == IR_MOVE || instruction->op == IR_ADDRESS ||
         instruction->op == IR_PRODUCT_RESULT || instruction->op == IR_CLOCK ||
         is_binary(instruction);
}

bool ir_may_ignore_operand(const Instruction *instruction) {
  if (instruction->op != IR_ALU)
    return instruction->op == IR_MUL || instruction->op == IR_AND || instruction->op == IR_OR;
  switch ((AluOp)instruction->alu->op) {
  case ALU_AND:
  case ALU_OR:
  case ALU_LOP3:
  case ALU_MUL:
  case ALU_SHL:
  case ALU_SHR:
  case ALU_BFE:
  case ALU_SELP:
  case ALU_SLCT:
  case ALU_BFI:
  case ALU_PRMT:
    return true;
  case ALU_SET:
  case ALU_SETP:
    return true;
  default:
    return false;
  }
}

static uint32_t operand_count(const Instruction *instruction) {
  return instruction->op == IR_ALU ? alu_operand_count(instruction->alu)
         : is_binary(instruction)  ? 2
                                   : 1;
}

static void compute(const Instruction *instruction, const uint64_t *operands, uint64_t *results) {
  if (instruction->op == IR_ALU)
    alu_compute(instruction->alu, operands, results);
  else if (is_binary(instruction))
    results[0] = (uint64_t)ir_compute(instruction->op, (int64_t)operands[0], (int64_t)operands[1]);
  else
    results[0] = operands[0];
}

// Operands that say how the others' bits are moved, as a mask.
static uint32_t controls_of(const AluOperation *operation) {
  switch ((AluOp)operation->op) {
  case ALU_SHL:
  case ALU_SHR:
    return 1u << 1;
  case ALU_SHF:
  case ALU_PRMT:
  case ALU_SELP:
  case ALU_SLCT:
    return 1u << 2;
  case ALU_BFE:
    return 1u << 1 | 1u << 2;
  case ALU_BFI:
    return 1u << 2 | 1u << 3;
  default:
    return 0;
  }
}

// A bit of the result is one of the operands' bits, or a function of bits of which it has each from
// another operand.
static bool moves_bits(const Instruction *instruction) {
  const AluOperation *operation = instruction->alu;
  if (instruction->op != IR_ALU)
    return instruction->op == IR_MOVE || instruction->op == IR_PRODUCT_RESULT ||
           instruction->op == IR_AND || instruction->op == IR_OR || instruction->op == IR_XOR;
  switch ((AluOp)operation->op) {
  case ALU_MOV:
  case ALU_PACK:
  case ALU_UNPACK:
  case ALU_AND:
  case ALU_OR:
  case ALU_XOR:
  case ALU_NOT:
  case ALU_LOP3:
  case ALU_SHL:
  case ALU_SHR:
  case ALU_SHF:
  case ALU_PRMT:
  case ALU_BFE:
  case ALU_BFI:
  case ALU_BREV:
  case ALU_SELP:
  case ALU_SLCT:
    return true;
  case ALU_CVT:
    return !alu_type_is_float((AluType)operation->type) &&
           !alu_type_is_float((AluType)operation->source) && !(operation->flags & ALU_SAT);
  default:
    return false;
  }
}

// --- comparisons

// The least and the greatest value of an operand, in an order of unsigned numbers.
typedef struct Bounds {
  uint64_t least, most;
} Bounds;

static Bounds bounds_of(const UndefinedInputs *inputs, uint32_t i, uint32_t width, bool is_signed) {
  uint64_t all = ir_low_bits(width), bits = inputs->bits[i] & all;
  uint64_t value = (inputs->values[i] ^ (is_signed ? 1ull << (width - 1) : 0)) & all;
  return (Bounds){value & ~bits, value | bits};
}

static bool is_order_decided(AluCompare compare, Bounds a, Bounds b) {
  switch (compare) {
  case ALU_COMPARE_LT:
  case ALU_COMPARE_LO:
  case ALU_COMPARE_GE:
  case ALU_COMPARE_HS:
    return a.most < b.least || a.least >= b.most;
  case ALU_COMPARE_LE:
  case ALU_COMPARE_LS:
  case ALU_COMPARE_GT:
  case ALU_COMPARE_HI:
    return a.most <= b.least || a.least > b.most;
  default:
    return false;
  }
}

// Has a cmp b one outcome?
static bool is_decided(const AluOperation *operation, const UndefinedInputs *inputs) {
  AluType type = (AluType)(operation->op == ALU_SET ? operation->source : operation->type);
  uint32_t width = alu_type_bits(type);
  uint64_t undefined = inputs->bits[0] | inputs->bits[1];
  if (!(undefined & ir_low_bits(width)))
    return true;
  if (alu_type_is_float(type) || !width)
    return false;
  if (operation->compare == ALU_COMPARE_EQ || operation->compare == ALU_COMPARE_NE)
    return (inputs->values[0] ^ inputs->values[1]) & ~undefined & ir_low_bits(width);
  bool is_signed = alu_type_is_signed(type);
  return is_order_decided((AluCompare)operation->compare, bounds_of(inputs, 0, width, is_signed),
                          bounds_of(inputs, 1, width, is_signed));
}

// p = (a cmp b) and c is false if c is, whatever a and b are; and the other way round.
static bool is_absorbed(const AluOperation *operation, const UndefinedInputs *inputs) {
  enum { THIRD = 2 };
  bool is_known = !(inputs->bits[THIRD] & 1);
  if (operation->combine == ALU_COMBINE_NONE || is_decided(operation, inputs) == is_known)
    return is_decided(operation, inputs);
  if (operation->combine == ALU_COMBINE_XOR || (operation->flags & ALU_PAIR && !is_known))
    return false; // the second of a pair is of !(a cmp b)
  AluOperation alone = *operation;
  uint64_t operands[ALU_MAX_OPERANDS], results[ALU_MAX_RESULTS];
  memcpy(operands, inputs->values, sizeof operands);
  alone.combine = ALU_COMBINE_NONE;
  alone.flags &= ~(uint32_t)ALU_NEGATED;
  alu_compute(&alone, operands, results);
  bool c = (inputs->values[THIRD] & 1) != (operation->flags & ALU_NEGATED ? 1 : 0);
  bool known = is_known ? c : results[0] != 0;
  return known == (operation->combine == ALU_COMBINE_OR);
}

// --- results

// Bits of the results that some choice of all zeros or all ones for each operand's undefined bits
// changes.
static void find_changing(const Instruction *instruction, const UndefinedInputs *inputs,
                          uint64_t changing[ALU_MAX_RESULTS]) {
  uint64_t first[ALU_MAX_RESULTS] = {0};
  uint32_t count = operand_count(instruction);
  memset(changing, 0, ALU_MAX_RESULTS * sizeof *changing);
  for (uint32_t ones = 0; ones < 1u << count; ones++) {
    uint64_t operands[ALU_MAX_OPERANDS], results[ALU_MAX_RESULTS] = {0};
    bool is_new = true;
    for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++) {
      uint64_t bits = inputs->bits[i];
      is_new = is_new && (bits || !(ones >> i & 1));
      operands[i] = ones >> i & 1 ? inputs->values[i] | bits : inputs->values[i] & ~bits;
    }
    if (!is_new)
      continue;
    compute(instruction, operands, results);
    for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
      changing[i] |= ones ? first[i] ^ results[i] : 0;
    if (!ones)
      memcpy(first, results, sizeof first);
  }
}

static UndefinedResults nothing_defined(const Instruction *instruction) {
  UndefinedResults results = {.is_hollow = true};
  if (instruction->op == IR_ALU) {
    AluSignature signature = alu_signature(instruction->alu);
    for (uint32_t i = 0; i < signature.result_count; i++)
      results.bits[i] = ir_low_bits(alu_type_bits((AluType)signature.results[i]));
  } else {
    bool is_truth = instruction->op >= IR_SET_EQ && instruction->op <= IR_SET_GE;
    results.bits[0] = ir_low_bits(is_truth ? 1 : 64);
  }
  return results;
}

// Does an operand whose bits are all defined tell something in the result?
static bool tells(const Instruction *instruction) {
  if (instruction->op != IR_ALU)
    return instruction->op == IR_OR;
  switch ((AluOp)instruction->alu->op) {
  case ALU_OR:
  case ALU_PACK:
  case ALU_BFI:
  case ALU_PRMT:
  case ALU_LOP3:
    return true;
  default:
    return false; // a mask, or what is not selected
  }
}

static bool is_hollow(const Instruction *instruction, const UndefinedInputs *inputs,
                      uint32_t controls) {
  uint32_t count = operand_count(instruction);
  if (instruction->op == IR_ALU && instruction->alu->op == ALU_SELP)
    return inputs->hollow >> (inputs->values[2] & 1 ? 0 : 1) & 1;
  for (uint32_t i = 0; i < count; i++) {
    if (controls >> i & 1)
      continue;
    if (inputs->bits[i] ? !(inputs->hollow >> i & 1) : tells(instruction))
      return false;
  }
  return true;
}

static UndefinedResults move_bits(const Instruction *instruction, const UndefinedInputs *inputs) {
  UndefinedResults results;
  const AluOperation *operation = instruction->op == IR_ALU ? instruction->alu : NULL;
  uint32_t controls = operation ? controls_of(operation) : 0;
  bool is_choice = operation && (operation->op == ALU_SELP || operation->op == ALU_SLCT);
  uint64_t steered = 0;
  for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++)
    steered |= controls >> i & 1 ? inputs->bits[i] : 0;
  find_changing(instruction, inputs, results.bits);
  if (steered && (!is_choice || results.bits[0]))
    return nothing_defined(instruction);
  if (operation && operation->op == ALU_LOP3) // whether it is zero, combined with a predicate
    results.bits[1] = alu_result_count(operation) > 1 && (results.bits[0] || inputs->bits[3]);
  results.is_hollow = is_hollow(instruction, inputs, controls);
  return results;
}

UndefinedResults ir_undefined_results(const Instruction *instruction,
                                      const UndefinedInputs *inputs) {
  const AluOperation *operation = instruction->alu;
  bool is_product =
      instruction->op == IR_ALU ? operation->op == ALU_MUL : instruction->op == IR_MUL;
  if (moves_bits(instruction))
    return move_bits(instruction, inputs);
  if (instruction->op == IR_ALU && (operation->op == ALU_SETP || operation->op == ALU_SET) &&
      is_absorbed(operation, inputs))
    return (UndefinedResults){0};
  if (is_product) {
    uint64_t changing[ALU_MAX_RESULTS];
    find_changing(instruction, inputs, changing);
    if (!changing[0])
      return (UndefinedResults){0};
  }
  return nothing_defined(instruction);
}
