#include "ptx/lower_code.h"

#include <string.h>

const PtxOperand *lower_child(const Code *code, const PtxOperand *operand, uint32_t i) {
  return &code->module->operands.items[operand->children.first + i];
}

const PtxOperand *lower_operand(const Code *code, const PtxInstruction *instruction, uint32_t i) {
  static const PtxOperand missing = {.kind = PTX_OPERAND_STRING}; // which nothing takes
  if (i >= instruction->operands.count)
    return &missing;
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

static uint8_t register_bits(const PtxVariable *variable) {
  uint32_t bits = variable->type == PTX_TYPE_pred ? 1 : ptx_type_bits((PtxType)variable->type);
  return bits <= 64 ? (uint8_t)bits : 0;
}

static void set_register_bits(Code *code, uint32_t first_slot, const PtxVariable *variable) {
  uint32_t count = variable->is_range ? variable->range_count : 1;
  if (variable->space != PTX_SPACE_REG)
    return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t slot = first_slot + variable->first_register + i;
    code->slots.items[slot].bits = register_bits(variable);
    if (variable->type == PTX_TYPE_b128)
      array_push(code->arena, &code->wide_registers, (WideRegister){slot, lower_temporary(code)});
  }
}

void lower_add_registers(Code *code, const PtxFunction *function) {
  const PtxModule *module = code->module;
  uint32_t first = code->slots.count;
  for (uint32_t i = 0; i < function->register_count; i++)
    add_slot(code, (Slot){.kind = SLOT_REGISTER, .name = "(register)"});
  for (uint32_t i = 0; i < function->returns.count; i++)
    set_register_bits(code, first, &module->variables.items[function->returns.first + i]);
  for (uint32_t i = 0; i < function->parameters.count; i++)
    set_register_bits(code, first, &module->variables.items[function->parameters.first + i]);
  for (uint32_t i = 0; i < function->statements.count; i++) {
    const PtxStatement *statement = &module->statements.items[function->statements.first + i];
    if (statement->kind == PTX_STATEMENT_VARIABLE)
      set_register_bits(code, first, &module->variables.items[statement->index]);
  }
}

static SpecialRegister special_register(PtxSpecial special) {
  switch (special) {
  case PTX_SPECIAL_tid:
    return SPECIAL_TID;
  case PTX_SPECIAL_ntid:
    return SPECIAL_NTID;
  case PTX_SPECIAL_ctaid:
    return SPECIAL_CTAID;
  case PTX_SPECIAL_nctaid:
    return SPECIAL_NCTAID;
  case PTX_SPECIAL_laneid:
    return SPECIAL_LANEID;
  case PTX_SPECIAL_warpid:
    return SPECIAL_WARPID;
  case PTX_SPECIAL_nwarpid:
    return SPECIAL_NWARPID;
  case PTX_SPECIAL_gridid:
    return SPECIAL_GRIDID;
  case PTX_SPECIAL_is_explicit_cluster:
    return SPECIAL_IS_EXPLICIT_CLUSTER;
  case PTX_SPECIAL_clusterid:
    return SPECIAL_CLUSTERID;
  case PTX_SPECIAL_nclusterid:
    return SPECIAL_NCLUSTERID;
  case PTX_SPECIAL_cluster_ctaid:
    return SPECIAL_CLUSTER_CTAID;
  case PTX_SPECIAL_cluster_nctaid:
    return SPECIAL_CLUSTER_NCTAID;
  case PTX_SPECIAL_cluster_ctarank:
    return SPECIAL_CLUSTER_CTARANK;
  case PTX_SPECIAL_cluster_nctarank:
    return SPECIAL_CLUSTER_NCTARANK;
  case PTX_SPECIAL_dynamic_smem_size:
    return SPECIAL_DYNAMIC_SMEM_SIZE;
  case PTX_SPECIAL_smid:
    return SPECIAL_SMID;
  case PTX_SPECIAL_nsmid:
    return SPECIAL_NSMID;
  case PTX_SPECIAL_lanemask_eq:
    return SPECIAL_LANEMASK_EQ;
  case PTX_SPECIAL_lanemask_le:
    return SPECIAL_LANEMASK_LE;
  case PTX_SPECIAL_lanemask_lt:
    return SPECIAL_LANEMASK_LT;
  case PTX_SPECIAL_lanemask_ge:
    return SPECIAL_LANEMASK_GE;
  case PTX_SPECIAL_lanemask_gt:
    return SPECIAL_LANEMASK_GT;
  case PTX_SPECIAL_envreg:
    return SPECIAL_ENVREG;
  default:
    return SPECIAL_ZERO;
  }
}

uint32_t lower_special(Code *code, PtxSpecial name, uint32_t component) {
  SpecialRegister special = special_register(name);
  for (uint32_t i = 0; i < code->slots.count; i++) {
    const Slot *slot = &code->slots.items[i];
    if (slot->kind == SLOT_SPECIAL && slot->special == special && slot->component == component)
      return i;
  }
  return add_slot(code, (Slot){.kind = SLOT_SPECIAL,
                               .name = ptx_special_name(name),
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

static uint32_t parameter_address(Code *code, uint32_t parameter) {
  code->takes_parameter_address = true;
  for (uint32_t i = 0; i < code->slots.count; i++)
    if (code->slots.items[i].kind == SLOT_PARAMETER_ADDRESS &&
        code->slots.items[i].parameter == parameter)
      return i;
  return add_slot(code, (Slot){.kind = SLOT_PARAMETER_ADDRESS,
                               .name = "(address of a parameter)",
                               .parameter = parameter});
}

uint32_t lower_heap(Code *code, bool is_end) {
  SlotKind kind = is_end ? SLOT_HEAP_END : SLOT_HEAP;
  code->has_heap = true;
  for (uint32_t i = 0; i < code->slots.count; i++)
    if (code->slots.items[i].kind == kind)
      return i;
  return add_slot(code, (Slot){.kind = kind, .name = "(heap)"});
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
  if (operand->reference == PTX_REFERENCE_SPECIAL && operand->target == PTX_SPECIAL_envreg)
    return (uint32_t)operand->value;
  static const char names[] = "xyzw";
  if (!operand->component)
    return 0;
  const char *found = strchr(names, ptx_text(code->module, operand->component)[0]);
  return found ? (uint32_t)(found - names) : 0;
}

uint64_t lower_function_address(const PtxModule *module, uint32_t function) {
  return LOWER_CODE_START +
         (uint64_t)LOWER_CODE_STEP * module->functions.items[function].definition;
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

static bool variable_value(Code *code, const PtxOperand *operand, Operand *value) {
  uint32_t parameter, offset;
  if (lower_is_parameter(code, operand, &parameter, &offset)) {
    *value = lower_register(parameter_address(code, parameter));
    return offset == 0;
  }
  *value = lower_constant((int64_t)variable_address(code, operand));
  return true;
}

static bool is_reserved_memory(PtxSpecial special) {
  return special >= PTX_SPECIAL_reserved_smem_offset_begin &&
         special <= PTX_SPECIAL_reserved_smem_offset_1;
}

bool lower_uses_reserved_memory(const PtxModule *module) {
  for (uint32_t i = 0; i < module->operands.count; i++)
    if (module->operands.items[i].reference == PTX_REFERENCE_SPECIAL &&
        is_reserved_memory((PtxSpecial)module->operands.items[i].target))
      return true;
  return false;
}

// Tiles of several warps keep their barriers behind offset 1 (cooperative groups).
static uint32_t reserved_offset(const Code *code, PtxSpecial special) {
  switch (special) {
  case PTX_SPECIAL_reserved_smem_offset_end:
  case PTX_SPECIAL_reserved_smem_offset_cap:
    return code->reserved_start + LOWER_RESERVED_BYTES;
  case PTX_SPECIAL_reserved_smem_offset_1:
    return code->reserved_start + LOWER_RESERVED_BYTES / 2;
  default:
    return code->reserved_start;
  }
}

static Operand special_value(Code *code, const PtxOperand *operand) {
  PtxSpecial special = (PtxSpecial)operand->target;
  if (is_reserved_memory(special))
    return lower_constant(reserved_offset(code, special));
  return lower_register(lower_special(code, special, component_number(code, operand)));
}

static bool name_value(Code *code, const PtxOperand *operand, Operand *value) {
  switch ((PtxReference)operand->reference) {
  case PTX_REFERENCE_REGISTER:
    *value = lower_register(code->frame->first_register + operand->target);
    return operand->component == 0;
  case PTX_REFERENCE_SPECIAL:
    *value = special_value(code, operand);
    return true;
  case PTX_REFERENCE_VARIABLE:
    return variable_value(code, operand, value);
  case PTX_REFERENCE_FUNCTION:
    *value = lower_constant((int64_t)lower_function_address(code->module, operand->target));
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
  *reg = UINT32_MAX;
  if (operand->kind == PTX_OPERAND_SINK)
    return true;
  if (operand->kind != PTX_OPERAND_NAME || operand->reference != PTX_REFERENCE_REGISTER)
    return false;
  *reg = code->frame->first_register + operand->target;
  return true;
}

// Behind the address, .unified makes no difference: all addresses are such.
static bool has_known_qualifier(const Code *code, const PtxOperand *operand) {
  return !operand->component || strcmp(ptx_text(code->module, operand->component), "unified") == 0;
}

bool lower_address(Code *code, const PtxOperand *operand, Operand *base, int64_t *offset) {
  if (operand->kind != PTX_OPERAND_ADDRESS || operand->children.count != 1 ||
      !has_known_qualifier(code, operand))
    return false;
  const PtxOperand *inner = lower_child(code, operand, 0);
  *offset = 0;
  if (inner->kind == PTX_OPERAND_NAME && inner->reference == PTX_REFERENCE_REGISTER) {
    *base = lower_register(code->frame->first_register + inner->target);
    *offset = (int64_t)inner->value;
    return true;
  }
  return lower_value(code, inner, base);
}

// --- 128 bits

static uint32_t find_high(const Code *code, uint32_t low) {
  for (uint32_t i = 0; i < code->wide_registers.count; i++)
    if (code->wide_registers.items[i].low == low)
      return code->wide_registers.items[i].high;
  return UINT32_MAX;
}

bool lower_wide_value(Code *code, const PtxOperand *operand, Operand words[2]) {
  if (operand->kind == PTX_OPERAND_VECTOR)
    return operand->children.count == 2 &&
           lower_value(code, lower_child(code, operand, 0), &words[0]) &&
           lower_value(code, lower_child(code, operand, 1), &words[1]);
  if (!lower_value(code, operand, &words[0]) || words[0].kind != OPERAND_REGISTER)
    return false;
  words[1] = lower_register(find_high(code, words[0].index));
  return words[1].index != UINT32_MAX;
}

bool lower_wide_destination(Code *code, const PtxOperand *operand, uint32_t registers[2]) {
  if (operand->kind == PTX_OPERAND_VECTOR)
    return operand->children.count == 2 &&
           lower_destination(code, lower_child(code, operand, 0), &registers[0]) &&
           lower_destination(code, lower_child(code, operand, 1), &registers[1]);
  registers[1] = UINT32_MAX;
  if (!lower_destination(code, operand, &registers[0]) || registers[0] == UINT32_MAX)
    return operand->kind == PTX_OPERAND_SINK;
  registers[1] = find_high(code, registers[0]);
  return registers[1] != UINT32_MAX;
}
