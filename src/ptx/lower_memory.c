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

uint8_t lower_access_size(const PtxModifiers *modifiers) {
  return modifiers->type_count
             ? (uint8_t)(ptx_type_bits(modifiers->types[modifiers->type_count - 1]) / 8)
             : 0;
}

static bool is_supported_size(uint8_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

void lower_set_access(Instruction *access, const PtxModifiers *modifiers, Operand base,
                      int64_t offset) {
  access->address = base;
  access->offset = offset;
  access->space =
      (uint8_t)lower_space(modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE);
  access->size = lower_access_size(modifiers);
  access->sem = (uint8_t)modifiers->sem;
  access->scope = modifiers->sem == SEM_WEAK ? SCOPE_NONE : (uint8_t)modifiers->scope;
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_volatile))
    access->flags |= INSTRUCTION_VOLATILE;
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_nc))
    access->flags |= INSTRUCTION_READ_ONLY;
}

void lower_set_element(Instruction *access, uint32_t count, uint32_t i) {
  access->align = (uint8_t)(access->size * count);
  access->element_offset = (int8_t)(access->size * i);
}

static bool is_signed_type(const PtxModifiers *modifiers) {
  return ptx_type_kind(modifiers->types[modifiers->type_count - 1]) == PTX_NUMBER_S;
}

uint32_t lower_element_count(const PtxOperand *operand) {
  return operand->kind == PTX_OPERAND_VECTOR ? operand->children.count : 1;
}

const PtxOperand *lower_element(const Code *code, const PtxOperand *operand, uint32_t i) {
  return operand->kind == PTX_OPERAND_VECTOR ? lower_child(code, operand, i) : operand;
}

static bool lower_parameter_load(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers) {
  uint32_t parameter, offset;
  const PtxOperand *to = lower_operand(code, instruction, 0);
  if (!lower_is_parameter(code, lower_operand(code, instruction, 1), &parameter, &offset))
    return false;
  uint8_t size = lower_access_size(modifiers);
  for (uint32_t i = 0; i < lower_element_count(to); i++) {
    uint32_t reg;
    if (!lower_destination(code, lower_element(code, to, i), &reg))
      return false;
    Operand from = lower_register(
        lower_parameter(code, parameter, offset + i * size, size, is_signed_type(modifiers)));
    Instruction *move = lower_emit(code, IR_MOVE);
    move->dst = reg;
    move->src[0] = from;
  }
  return true;
}

static Operand keep(Code *code, Operand value) {
  uint32_t kept = lower_temporary(code);
  lower_move(code, kept, value);
  return lower_register(kept);
}

static bool lower_load(Code *code, const PtxInstruction *instruction,
                       const PtxModifiers *modifiers) {
  Operand base;
  int64_t offset;
  if (modifiers->space_count &&
      (modifiers->spaces[0] == PTX_SPACE_PARAM || modifiers->spaces[0] == PTX_SPACE_PARAM_ENTRY) &&
      lower_operand(code, instruction, 1)->kind == PTX_OPERAND_ADDRESS &&
      lower_child(code, lower_operand(code, instruction, 1), 0)->reference !=
          PTX_REFERENCE_REGISTER)
    return lower_parameter_load(code, instruction, modifiers);
  const PtxOperand *to = lower_operand(code, instruction, 0);
  if (!is_supported_size(lower_access_size(modifiers)) ||
      !lower_address(code, lower_operand(code, instruction, 1), &base, &offset))
    return false;
  // A destination may be the address register: the base is kept until the last element is loaded.
  if (lower_element_count(to) > 1 && base.kind == OPERAND_REGISTER)
    base = keep(code, base);
  for (uint32_t i = 0; i < lower_element_count(to); i++) {
    uint32_t reg;
    if (!lower_destination(code, lower_element(code, to, i), &reg))
      return false;
    Instruction *load = lower_emit(code, IR_LOAD);
    lower_set_access(load, modifiers, base, offset + i * lower_access_size(modifiers));
    lower_set_element(load, lower_element_count(to), i);
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
  if (!is_supported_size(lower_access_size(modifiers)) ||
      !lower_address(code, lower_operand(code, instruction, 0), &base, &offset))
    return false;
  for (uint32_t i = 0; i < lower_element_count(from); i++) {
    if (!lower_value(code, lower_element(code, from, i), &value))
      return false;
    Instruction *store = lower_emit(code, IR_STORE);
    lower_set_access(store, modifiers, base, offset + i * lower_access_size(modifiers));
    lower_set_element(store, lower_element_count(from), i);
    store->src[0] = value;
  }
  return true;
}

// --- atomics

AluType lower_alu_type(PtxType type) {
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

bool lower_atomic_operation(Code *code, Instruction *atomic, const PtxModifiers *modifiers) {
  static const AluOp ops[] = {
      [PTX_OPERATION_ADD] = ALU_ADD, [PTX_OPERATION_AND] = ALU_AND, [PTX_OPERATION_OR] = ALU_OR,
      [PTX_OPERATION_XOR] = ALU_XOR, [PTX_OPERATION_MIN] = ALU_MIN, [PTX_OPERATION_MAX] = ALU_MAX,
  };
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
  case PTX_OPERATION_NONE:
    return false;
  default:
    break;
  }
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  if (modifiers->operation > PTX_OPERATION_MAX)
    return false;
  operation->op = (uint8_t)ops[modifiers->operation];
  operation->type = (uint8_t)lower_alu_type(modifiers->types[modifiers->type_count - 1]);
  atomic->atom = ATOM_ALU;
  atomic->alu = operation;
  return operation->type != ALU_TYPE_NONE;
}

// {destination,} [place], value {, new value of a cas} {, cache policy}
typedef struct Atomic {
  const PtxOperand *to, *values[2]; // NULL: none
  Operand base;
  int64_t offset;
} Atomic;

static bool read_atomic(Code *code, const PtxInstruction *instruction,
                        const PtxModifiers *modifiers, Atomic *atomic) {
  uint32_t first = instruction->op == PTX_OP_atom ? 1 : 0;
  uint32_t count = lower_operand_count(instruction) - first -
                   ptx_has_modifier(modifiers, PTX_MODIFIER_L2__cache_hint);
  *atomic = (Atomic){.to = first ? lower_operand(code, instruction, 0) : NULL};
  if (!is_supported_size(lower_access_size(modifiers)) || count < 2 || count > 3 ||
      !lower_address(code, lower_operand(code, instruction, first), &atomic->base, &atomic->offset))
    return false;
  for (uint32_t i = 1; i < count; i++)
    atomic->values[i - 1] = lower_operand(code, instruction, first + i);
  return true;
}

static bool lower_atomic_element(Code *code, const PtxModifiers *modifiers, const Atomic *atomic,
                                 uint32_t i, uint32_t count) {
  Operand values[2] = {0};
  uint32_t reg = UINT32_MAX;
  if (atomic->to && !lower_destination(code, lower_element(code, atomic->to, i), &reg))
    return false;
  for (uint32_t j = 0; j < 2 && atomic->values[j]; j++)
    if (!lower_value(code, lower_element(code, atomic->values[j], i), &values[j]))
      return false;
  // `atom` with the sink is a reduction too (spec H14).
  Instruction *lowered = lower_emit(code, reg == UINT32_MAX ? IR_RED : IR_ATOM);
  lower_set_access(lowered, modifiers, atomic->base,
                   atomic->offset + (int64_t)i * lower_access_size(modifiers));
  lower_set_element(lowered, count, i);
  lowered->dst = reg;
  lowered->src[0] = values[0];
  lowered->src[1] = values[1];
  return lower_atomic_operation(code, lowered, modifiers);
}

// Each element of a vector is atomic by itself (PTX ISA, "atom").
static bool lower_atomic(Code *code, const PtxInstruction *instruction,
                         const PtxModifiers *modifiers) {
  Atomic atomic;
  if (!read_atomic(code, instruction, modifiers, &atomic))
    return false;
  uint32_t count = lower_element_count(atomic.values[0]);
  if (count > 1 && atomic.to && atomic.base.kind == OPERAND_REGISTER)
    atomic.base = keep(code, atomic.base);
  for (uint32_t i = 0; i < count; i++)
    if (!lower_atomic_element(code, modifiers, &atomic, i, count))
      return false;
  return true;
}

// multimem: what one device sees of a multicast object that spans this device alone, which is all
// that a launch line can say. Reducing its one replica is loading it.
static bool lower_multicast(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers) {
  bool is_reduction = ptx_has_modifier(modifiers, PTX_MODIFIER_red);
  if (code->has_peers || modifiers->type_count == 0 || ptx_has_modifier(modifiers, PTX_MODIFIER_cp))
    return false;
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_ld_reduce))
    return lower_load(code, instruction, modifiers);
  return is_reduction ? lower_atomic(code, instruction, modifiers)
                      : lower_store(code, instruction, modifiers);
}

// The bytes have no value that anybody may rely on any more.
static bool lower_discard(Code *code, const PtxInstruction *instruction,
                          const PtxModifiers *modifiers) {
  enum { BYTES = 128, WORD = 8 };
  Operand base;
  int64_t offset;
  uint32_t value = lower_temporary(code);
  if (!lower_address(code, lower_operand(code, instruction, 0), &base, &offset))
    return false;
  lower_emit(code, IR_CLOCK)->dst = value;
  for (uint32_t i = 0; i < BYTES / WORD; i++) {
    Instruction *store = lower_emit(code, IR_STORE);
    store->address = base;
    store->offset = offset + WORD * i;
    store->space =
        (uint8_t)lower_space(modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE);
    store->size = WORD;
    store->align = BYTES;
    store->element_offset = (int8_t)(WORD * i);
    store->src[0] = lower_register(value);
  }
  return true;
}

static void emit_branch(Code *code, IrOp compare, Operand a, Operand b) {
  Instruction *branch = lower_emit(code, IR_BRANCH);
  branch->compare = (uint8_t)compare;
  branch->src[0] = a;
  branch->src[1] = b;
}

// st.bulk: zeros, in words, as many as a register may say.
static bool lower_bulk_store(Code *code, const PtxInstruction *instruction,
                             const PtxModifiers *modifiers) {
  enum { WORD = 8 };
  Operand base, size, done = lower_register(lower_temporary(code));
  int64_t offset;
  if (!lower_address(code, lower_operand(code, instruction, 0), &base, &offset) ||
      !lower_value(code, lower_operand(code, instruction, 1), &size))
    return false;
  lower_move(code, done.index, lower_constant(0));
  uint32_t start = code->instructions.count;
  emit_branch(code, IR_SET_GE, done, size);
  Instruction *sum = lower_emit(code, IR_ADD);
  sum->dst = lower_temporary(code);
  sum->src[0] = base;
  sum->src[1] = done;
  uint32_t address = sum->dst;
  Instruction *store = lower_emit(code, IR_STORE);
  store->address = lower_register(address);
  store->offset = offset;
  store->space =
      (uint8_t)lower_space(modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE);
  store->size = store->align = WORD;
  store->src[0] = lower_constant(0);
  Instruction *step = lower_emit(code, IR_ADD);
  step->dst = done.index;
  step->src[0] = done;
  step->src[1] = lower_constant(WORD);
  emit_branch(code, IR_NOP, lower_constant(0), lower_constant(0));
  code->instructions.items[code->instructions.count - 1].target = start;
  code->instructions.items[start].target = code->instructions.count;
  return true;
}

// Cache policies are numbers that only instructions take.
static bool lower_policy(Code *code, const PtxInstruction *instruction) {
  uint32_t reg;
  if (!lower_destination(code, lower_operand(code, instruction, 0), &reg))
    return false;
  lower_emit(code, IR_CLOCK)->dst = reg;
  return true;
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
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_mbarrier_init))
    fence->flags |= INSTRUCTION_OF_INITS;
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_sync_restrict__shared__cta) ||
      ptx_has_modifier(modifiers, PTX_MODIFIER_sync_restrict__shared__cluster))
    fence->flags |= INSTRUCTION_OF_SHARED;
  return true;
}

bool lower_memory_instruction(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  bool is_bulk = ptx_has_modifier(modifiers, PTX_MODIFIER_bulk);
  bool is_access = instruction->op == PTX_OP_ld || instruction->op == PTX_OP_ldu ||
                   instruction->op == PTX_OP_st || instruction->op == PTX_OP_atom ||
                   instruction->op == PTX_OP_red;
  if (is_access && !is_bulk && modifiers->type_count == 0)
    return false;
  if (instruction->op == PTX_OP_st && is_bulk)
    return lower_bulk_store(code, instruction, modifiers);
  switch (instruction->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
    return lower_load(code, instruction, modifiers);
  case PTX_OP_st:
    return lower_store(code, instruction, modifiers);
  case PTX_OP_atom:
  case PTX_OP_red:
    return lower_atomic(code, instruction, modifiers);
  case PTX_OP_multimem:
    return lower_multicast(code, instruction, modifiers);
  case PTX_OP_discard:
    return lower_discard(code, instruction, modifiers);
  case PTX_OP_createpolicy:
    return lower_policy(code, instruction);
  case PTX_OP_fence:
  case PTX_OP_membar:
    return lower_fence(code, instruction, modifiers);
  default:
    return false;
  }
}
