#include "ptx/lower_code.h"

#include <string.h>

const PtxOperand *lower_child(const Code *code, const PtxOperand *operand, uint32_t i) {
  return &code->module->operands.items[operand->children.first + i];
}

const PtxOperand *lower_operand(const Code *code, const PtxInstruction *instruction, uint32_t i) {
  return &code->module->operands.items[instruction->operands.first + i];
}

uint32_t lower_operand_count(const PtxInstruction *instruction) {
  return instruction->operands.count;
}

Operand lower_constant(int64_t constant) {
  return (Operand){.kind = OPERAND_CONSTANT, .constant = constant};
}

Operand lower_register(uint32_t reg) {
  return (Operand){.kind = OPERAND_REGISTER, .index = reg};
}

static uint32_t add_slot(Code *code, Slot slot) {
  array_push(code->arena, &code->slots, slot);
  return code->slots.count - 1;
}

uint32_t lower_temporary(Code *code) {
  return add_slot(code, (Slot){.kind = SLOT_REGISTER, .name = "(temporary)"});
}

uint32_t lower_special(Code *code, PtxSpecial special, uint32_t component) {
  for (uint32_t i = 0; i < code->slots.count; i++) {
    const Slot *slot = &code->slots.items[i];
    if (slot->kind == SLOT_SPECIAL && slot->special == special && slot->component == component)
      return i;
  }
  return add_slot(code, (Slot){.kind = SLOT_SPECIAL,
                               .name = ptx_special_name(special),
                               .special = special,
                               .component = component});
}

uint32_t lower_parameter(Code *code, uint32_t parameter, uint32_t offset, uint8_t size,
                         bool is_signed) {
  for (uint32_t i = 0; i < code->slots.count; i++) {
    const Slot *slot = &code->slots.items[i];
    if (slot->kind == SLOT_PARAMETER && slot->parameter == parameter && slot->offset == offset &&
        slot->size == size && slot->is_signed == is_signed)
      return i;
  }
  return add_slot(code, (Slot){.kind = SLOT_PARAMETER,
                               .name = "(parameter)",
                               .parameter = parameter,
                               .offset = offset,
                               .size = size,
                               .is_signed = is_signed});
}

bool lower_is_parameter(const Code *code, const PtxOperand *operand, uint32_t *parameter,
                        uint32_t *offset) {
  if (operand->kind == PTX_OPERAND_ADDRESS)
    operand = lower_child(code, operand, 0);
  if (operand->kind != PTX_OPERAND_NAME || operand->reference != PTX_REFERENCE_VARIABLE)
    return false;
  PtxRange parameters = code->function->parameters;
  if (operand->target < parameters.first || operand->target >= parameters.first + parameters.count)
    return false;
  *parameter = operand->target - parameters.first;
  *offset = (uint32_t)operand->value;
  return true;
}

static uint32_t component_number(const Code *code, const PtxOperand *operand) {
  static const char names[] = "xyzw";
  if (!operand->component)
    return 0;
  const char *found = strchr(names, ptx_text(code->module, operand->component)[0]);
  return found ? (uint32_t)(found - names) : 0;
}

static uint64_t variable_address(const Code *code, const PtxOperand *operand) {
  const PtxVariable *variable = &code->module->variables.items[operand->target];
  uint64_t address = code->variable_offsets[operand->target] + operand->value;
  bool is_shared =
      variable->space >= PTX_SPACE_SHARED && variable->space <= PTX_SPACE_SHARED_CLUSTER;
  if (!(operand->flags & PTX_OPERAND_GENERIC))
    return address;
  return is_shared                            ? MEMORY_SHARED_WINDOW + address
         : variable->space == PTX_SPACE_LOCAL ? MEMORY_LOCAL_WINDOW + address
                                              : address;
}

static bool name_value(Code *code, const PtxOperand *operand, Operand *value) {
  switch ((PtxReference)operand->reference) {
  case PTX_REFERENCE_REGISTER:
    *value = lower_register(operand->target);
    return operand->component == 0;
  case PTX_REFERENCE_SPECIAL:
    *value = lower_register(
        lower_special(code, (PtxSpecial)operand->target, component_number(code, operand)));
    return true;
  case PTX_REFERENCE_VARIABLE:
    *value = lower_constant((int64_t)variable_address(code, operand));
    return true;
  default:
    return false;
  }
}

// !%p
static Operand negate(Code *code, Operand value) {
  uint32_t result = lower_temporary(code);
  Instruction *instruction = lower_emit(code, IR_SET_EQ);
  instruction->dst = result;
  instruction->src[0] = value;
  instruction->src[1] = lower_constant(0);
  return lower_register(result);
}

bool lower_value(Code *code, const PtxOperand *operand, Operand *value) {
  switch ((PtxOperandKind)operand->kind) {
  case PTX_OPERAND_NAME:
    if (!name_value(code, operand, value))
      return false;
    if (operand->flags & PTX_OPERAND_NOT)
      *value = negate(code, *value);
    return true;
  case PTX_OPERAND_INTEGER:
  case PTX_OPERAND_FLOAT32:
  case PTX_OPERAND_FLOAT64:
  case PTX_OPERAND_EXPRESSION:
  case PTX_OPERAND_WARP_SIZE:
    *value = lower_constant((int64_t)operand->value);
    return true;
  default:
    return false;
  }
}

bool lower_destination(Code *code, const PtxOperand *operand, uint32_t *reg) {
  (void)code;
  *reg = UINT32_MAX;
  if (operand->kind == PTX_OPERAND_SINK)
    return true;
  if (operand->kind != PTX_OPERAND_NAME || operand->reference != PTX_REFERENCE_REGISTER)
    return false;
  *reg = operand->target;
  return true;
}

bool lower_address(Code *code, const PtxOperand *operand, Operand *base, int64_t *offset) {
  if (operand->kind != PTX_OPERAND_ADDRESS || operand->children.count != 1)
    return false;
  const PtxOperand *inner = lower_child(code, operand, 0);
  *offset = 0;
  if (inner->kind == PTX_OPERAND_NAME && inner->reference == PTX_REFERENCE_REGISTER) {
    *base = lower_register(inner->target);
    *offset = (int64_t)inner->value;
    return true;
  }
  return lower_value(code, inner, base);
}
