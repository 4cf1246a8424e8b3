#include "ptx/lower_lane.h"

#include <stdlib.h>
#include <string.h>

void lane_begin(Lanes *lanes, Code *code) {
  *lanes = (Lanes){.code = code};
  lanes->lane = lower_register(lower_special(code, PTX_SPECIAL_laneid, 0));
  lanes->group = lane_binary(lanes, ALU_SHR, lanes->lane, lower_constant(2));
  lanes->member = lane_binary(lanes, ALU_AND, lanes->lane, lower_constant(3));
}

uint32_t lane_register(Lanes *lanes) {
  Code *code = lanes->code;
  if (lanes->used == code->scratch.count)
    array_push(code->arena, &code->scratch, lower_temporary(code));
  return code->scratch.items[lanes->used++];
}

static Instruction *emit(Lanes *lanes, const AluOperation *operation, const Operand *operands) {
  AluOperation *own = ARENA_NEW(lanes->code->arena, AluOperation);
  *own = *operation;
  Instruction *instruction = lower_emit(lanes->code, IR_ALU);
  instruction->alu = own;
  for (uint32_t i = 0; i < alu_operand_count(own); i++)
    instruction->src[i] = operands[i];
  return instruction;
}

Operand lane_compute(Lanes *lanes, const AluOperation *operation, const Operand *operands) {
  uint32_t result = lane_register(lanes);
  emit(lanes, operation, operands)->dst = result;
  return lower_register(result);
}

void lane_compute_into(Lanes *lanes, uint32_t result, const AluOperation *operation,
                       const Operand *operands) {
  emit(lanes, operation, operands)->dst = result;
}

Operand lane_binary(Lanes *lanes, AluOp op, Operand a, Operand b) {
  AluOperation operation = {.op = (uint8_t)op, .type = ALU_TYPE_U32};
  Operand operands[ALU_MAX_OPERANDS] = {a, b};
  return lane_compute(lanes, &operation, operands);
}

Operand lane_multiply_add(Lanes *lanes, Operand a, Operand b, Operand c) {
  AluOperation operation = {.op = ALU_MAD, .type = ALU_TYPE_U32};
  Operand operands[ALU_MAX_OPERANDS] = {a, b, c};
  return lane_compute(lanes, &operation, operands);
}

Operand lane_scale(Lanes *lanes, Operand a, uint32_t factor, Operand b) {
  return lane_multiply_add(lanes, a, lower_constant(factor), b);
}

Operand lane_shuffle(Lanes *lanes, Operand source, Operand from) {
  uint32_t result = lane_register(lanes);
  Instruction *shuffle = lower_emit(lanes->code, IR_COLLECTIVE);
  shuffle->collective = COLLECTIVE_SHUFFLE_INDEX;
  shuffle->dst = result;
  shuffle->src[0] = source;
  shuffle->src[1] = from;
  shuffle->src[2] = lower_constant(31);
  shuffle->src[3] = lower_constant(0xffffffff);
  return lower_register(result);
}

Operand lane_select(Lanes *lanes, Operand choice, Operand a, Operand b) {
  AluOperation compare = {
      .op = ALU_SETP, .type = ALU_TYPE_U32, .source = ALU_TYPE_U32, .compare = ALU_COMPARE_NE};
  Operand sides[ALU_MAX_OPERANDS] = {choice, lower_constant(0)};
  Operand predicate = lane_compute(lanes, &compare, sides);
  AluOperation select = {.op = ALU_SELP, .type = ALU_TYPE_B32};
  Operand operands[ALU_MAX_OPERANDS] = {a, b, predicate};
  return lane_compute(lanes, &select, operands);
}

void lane_unpack(Lanes *lanes, Operand value, AluType type, uint32_t count, Operand *parts) {
  AluOperation operation = {.op = ALU_UNPACK, .type = (uint8_t)type, .count = (uint8_t)count};
  Operand operands[ALU_MAX_OPERANDS] = {value};
  uint32_t registers[ALU_MAX_RESULTS] = {0};
  for (uint32_t i = 0; i < count; i++) {
    registers[i] = lane_register(lanes);
    parts[i] = lower_register(registers[i]);
  }
  Instruction *instruction = emit(lanes, &operation, operands);
  instruction->dst = registers[0];
  for (uint32_t i = 1; i < count; i++)
    instruction->more[i - 1] = registers[i];
}

Operand lane_pack(Lanes *lanes, const Operand *parts, AluType type, uint32_t count) {
  AluOperation operation = {.op = ALU_PACK, .type = (uint8_t)type, .count = (uint8_t)count};
  return lane_compute(lanes, &operation, parts);
}

Operand lane_convert(Lanes *lanes, Operand value, AluType to, AluType from) {
  AluOperation operation = {.op = ALU_CVT, .type = (uint8_t)to, .source = (uint8_t)from};
  Operand operands[ALU_MAX_OPERANDS] = {value};
  return lane_compute(lanes, &operation, operands);
}

void lane_move(Lanes *lanes, uint32_t to, Operand from) {
  Instruction *move = lower_emit(lanes->code, IR_MOVE);
  move->dst = to;
  move->src[0] = from;
}

// --- operands of the instruction

bool lane_values(Lanes *lanes, const PtxOperand *operand, Operand *values, uint32_t *count) {
  *count = lower_element_count(operand);
  if (*count > LANE_MOST_REGISTERS)
    return false;
  for (uint32_t i = 0; i < *count; i++)
    if (!lower_value(lanes->code, lower_element(lanes->code, operand, i), &values[i]))
      return false;
  return true;
}

bool lane_destinations(Lanes *lanes, const PtxOperand *operand, uint32_t *registers,
                       uint32_t *count) {
  *count = lower_element_count(operand);
  if (*count > LANE_MOST_REGISTERS)
    return false;
  for (uint32_t i = 0; i < *count; i++)
    if (!lower_destination(lanes->code, lower_element(lanes->code, operand, i), &registers[i]))
      return false;
  return true;
}

Instruction *lane_access(Lanes *lanes, IrOp op, const PtxModifiers *modifiers, Operand address,
                         int64_t offset, uint32_t size) {
  Instruction *access = lower_emit(lanes->code, op);
  access->address = address;
  access->offset = offset;
  access->space =
      (uint8_t)lower_space(modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE);
  access->size = (uint8_t)size;
  access->sem = SEM_WEAK;
  access->scope = SCOPE_NONE;
  return access;
}

uint32_t lane_shape_size(const Code *code, const PtxModifiers *modifiers, char letter) {
  const char *shape = modifiers->shape ? ptx_text(code->module, modifiers->shape) : "";
  const char *found = strchr(shape, letter);
  return found ? (uint32_t)strtoul(found + 1, NULL, 10) : 0;
}
