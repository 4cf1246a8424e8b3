// Loads, stores, atomics and fences.
#include "ir/alu.h"
#include "ptx/lower_code.h"

Space lower_space(PtxSpace space) {
  switch (space) {
  case PTX_SPACE_GLOBAL:
    return SPACE_GLOBAL;
  case PTX_SPACE_SHARED:
  case PTX_SPACE_SHARED_CTA:
  case PTX_SPACE_SHARED_CLUSTER:
    return SPACE_SHARED;
  case PTX_SPACE_LOCAL:
    return SPACE_LOCAL;
  case PTX_SPACE_CONST:
    return SPACE_CONST;
  default:
    return SPACE_GENERIC;
  }
}

static uint8_t access_size(const PtxModifiers *modifiers) {
  return modifiers->type_count
             ? (uint8_t)(ptx_type_bits(modifiers->types[modifiers->type_count - 1]) / 8)
             : 0;
}

static bool is_supported_size(uint8_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

static void set_access(Instruction *access, const PtxModifiers *modifiers, Operand base,
                       int64_t offset) {
  access->address = base;
  access->offset = offset;
  access->space =
      (uint8_t)lower_space(modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE);
  access->size = access_size(modifiers);
  access->sem = (uint8_t)modifiers->sem;
  access->scope = modifiers->sem == SEM_WEAK ? SCOPE_NONE : (uint8_t)modifiers->scope;
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_volatile))
    access->flags |= INSTRUCTION_VOLATILE;
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_nc))
    access->flags |= INSTRUCTION_READ_ONLY;
}

// A vector access is aligned as a whole.
static void set_element(Instruction *access, uint32_t count, uint32_t i) {
  access->align = (uint8_t)(access->size * count);
  access->element_offset = (int8_t)(access->size * i);
}

static bool is_signed_type(const PtxModifiers *modifiers) {
  return ptx_type_kind(modifiers->types[modifiers->type_count - 1]) == PTX_NUMBER_S;
}

// Elements of a {vector} operand, or the operand itself.
static uint32_t element_count(const PtxOperand *operand) {
  return operand->kind == PTX_OPERAND_VECTOR ? operand->children.count : 1;
}

static const PtxOperand *element(const Code *code, const PtxOperand *operand, uint32_t i) {
  return operand->kind == PTX_OPERAND_VECTOR ? lower_child(code, operand, i) : operand;
}

static bool lower_parameter_load(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers) {
  uint32_t parameter, offset;
  const PtxOperand *to = lower_operand(code, instruction, 0);
  if (!lower_is_parameter(code, lower_operand(code, instruction, 1), &parameter, &offset))
    return false;
  uint8_t size = access_size(modifiers);
  for (uint32_t i = 0; i < element_count(to); i++) {
    uint32_t reg;
    if (!lower_destination(code, element(code, to, i), &reg))
      return false;
    Operand from = lower_register(
        lower_parameter(code, parameter, offset + i * size, size, is_signed_type(modifiers)));
    Instruction *move = lower_emit(code, IR_MOVE);
    move->dst = reg;
    move->src[0] = from;
  }
  return true;
}

static bool lower_load(Code *code, const PtxInstruction *instruction,
                       const PtxModifiers *modifiers) {
  Operand base;
  int64_t offset;
  if (modifiers->space_count &&
      (modifiers->spaces[0] == PTX_SPACE_PARAM || modifiers->spaces[0] == PTX_SPACE_PARAM_ENTRY))
    return lower_parameter_load(code, instruction, modifiers);
  const PtxOperand *to = lower_operand(code, instruction, 0);
  if (!is_supported_size(access_size(modifiers)) ||
      !lower_address(code, lower_operand(code, instruction, 1), &base, &offset))
    return false;
  // A destination may be the address register: the base is kept until the last element is loaded.
  if (element_count(to) > 1 && base.kind == OPERAND_REGISTER) {
    uint32_t kept = lower_temporary(code);
    Instruction *move = lower_emit(code, IR_MOVE);
    move->dst = kept;
    move->src[0] = base;
    base = lower_register(kept);
  }
  for (uint32_t i = 0; i < element_count(to); i++) {
    uint32_t reg;
    if (!lower_destination(code, element(code, to, i), &reg))
      return false;
    Instruction *load = lower_emit(code, IR_LOAD);
    set_access(load, modifiers, base, offset + i * access_size(modifiers));
    set_element(load, element_count(to), i);
    load->dst = reg;
    if (is_signed_type(modifiers))
      load->flags |= INSTRUCTION_SIGNED;
  }
  return true;
}

static bool lower_store(Code *code, const PtxInstruction *instruction,
                        const PtxModifiers *modifiers) {
  Operand base, value;
  int64_t offset;
  const PtxOperand *from = lower_operand(code, instruction, 1);
  if (!is_supported_size(access_size(modifiers)) ||
      !lower_address(code, lower_operand(code, instruction, 0), &base, &offset))
    return false;
  for (uint32_t i = 0; i < element_count(from); i++) {
    if (!lower_value(code, element(code, from, i), &value))
      return false;
    Instruction *store = lower_emit(code, IR_STORE);
    set_access(store, modifiers, base, offset + i * access_size(modifiers));
    set_element(store, element_count(from), i);
    store->src[0] = value;
  }
  return true;
}

// --- atomics

static AluType alu_type(PtxType type) {
  switch (type) {
  case PTX_TYPE_b32:
  case PTX_TYPE_u32:
    return ALU_TYPE_U32;
  case PTX_TYPE_b64:
  case PTX_TYPE_u64:
    return ALU_TYPE_U64;
  case PTX_TYPE_s32:
    return ALU_TYPE_S32;
  case PTX_TYPE_s64:
    return ALU_TYPE_S64;
  case PTX_TYPE_f16:
    return ALU_TYPE_F16;
  case PTX_TYPE_f16x2:
    return ALU_TYPE_F16X2;
  case PTX_TYPE_bf16:
    return ALU_TYPE_BF16;
  case PTX_TYPE_bf16x2:
    return ALU_TYPE_BF16X2;
  case PTX_TYPE_f32:
    return ALU_TYPE_F32;
  case PTX_TYPE_f64:
    return ALU_TYPE_F64;
  default:
    return ALU_TYPE_NONE;
  }
}

bool lower_atomic_operation(const PtxModifiers *modifiers, AluOperation *operation) {
  static const AluOp ops[] = {
      [PTX_OPERATION_ADD] = ALU_ADD, [PTX_OPERATION_AND] = ALU_AND, [PTX_OPERATION_OR] = ALU_OR,
      [PTX_OPERATION_XOR] = ALU_XOR, [PTX_OPERATION_MIN] = ALU_MIN, [PTX_OPERATION_MAX] = ALU_MAX,
  };
  if (modifiers->operation == PTX_OPERATION_NONE || modifiers->operation > PTX_OPERATION_MAX)
    return false;
  operation->op = (uint8_t)ops[modifiers->operation];
  operation->type = (uint8_t)alu_type(modifiers->types[modifiers->type_count - 1]);
  return operation->type != ALU_TYPE_NONE;
}

static bool set_operation(Code *code, Instruction *atomic, const PtxModifiers *modifiers) {
  switch (modifiers->operation) {
  case PTX_OPERATION_EXCH:
    atomic->atom = ATOM_EXCH;
    return true;
  case PTX_OPERATION_CAS:
    atomic->atom = ATOM_CAS;
    return true;
  case PTX_OPERATION_INC:
    atomic->atom = ATOM_INC;
    return true;
  case PTX_OPERATION_DEC:
    atomic->atom = ATOM_DEC;
    return true;
  default:
    break;
  }
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  if (!lower_atomic_operation(modifiers, operation))
    return false;
  atomic->atom = ATOM_ALU;
  atomic->alu = operation;
  return true;
}

static bool lower_atomic(Code *code, const PtxInstruction *instruction,
                         const PtxModifiers *modifiers) {
  bool is_red = instruction->op == PTX_OP_red;
  uint32_t first = is_red ? 0 : 1, reg = UINT32_MAX;
  uint32_t count = lower_operand_count(instruction) - first;
  Operand base, values[2] = {0};
  int64_t offset;
  if (modifiers->vector > 1 || !is_supported_size(access_size(modifiers)) || count < 2 ||
      count > 3 || (!is_red && !lower_destination(code, lower_operand(code, instruction, 0), &reg)))
    return false;
  if (!lower_address(code, lower_operand(code, instruction, first), &base, &offset))
    return false;
  for (uint32_t i = 1; i < count; i++)
    if (!lower_value(code, lower_operand(code, instruction, first + i), &values[i - 1]))
      return false;
  // `atom` with the sink is a reduction too (spec H14).
  Instruction *atomic = lower_emit(code, is_red || reg == UINT32_MAX ? IR_RED : IR_ATOM);
  set_access(atomic, modifiers, base, offset);
  atomic->dst = reg;
  atomic->src[0] = values[0];
  atomic->src[1] = values[1];
  return set_operation(code, atomic, modifiers);
}

// --- fences

static void lower_proxy_fence(Code *code, const PtxModifiers *modifiers) {
  Instruction *fence = lower_emit(code, IR_FENCE_PROXY);
  fence->proxy = (uint8_t)modifiers->proxy;
  fence->sem = modifiers->has_sem ? (uint8_t)modifiers->sem : SEM_WEAK;
  fence->scope = modifiers->has_sem ? (uint8_t)modifiers->scope : SCOPE_NONE;
}

static bool lower_fence(Code *code, const PtxInstruction *instruction,
                        const PtxModifiers *modifiers) {
  if (modifiers->is_proxy_fence) {
    lower_proxy_fence(code, modifiers);
    return true;
  }
  Instruction *fence = lower_emit(code, IR_FENCE);
  fence->scope = (uint8_t)modifiers->scope;
  fence->sem = instruction->op == PTX_OP_membar ? SEM_SC
               : modifiers->has_sem             ? (uint8_t)modifiers->sem
                                                : SEM_ACQ_REL;
  return true;
}

bool lower_memory_instruction(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  switch (instruction->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
    return lower_load(code, instruction, modifiers);
  case PTX_OP_st:
    return lower_store(code, instruction, modifiers);
  case PTX_OP_atom:
  case PTX_OP_red:
    // red.async is another instruction.
    return !ptx_has_modifier(modifiers, PTX_MODIFIER_async) &&
           lower_atomic(code, instruction, modifiers);
  case PTX_OP_fence:
  case PTX_OP_membar:
    return lower_fence(code, instruction, modifiers);
  default:
    return false;
  }
}
