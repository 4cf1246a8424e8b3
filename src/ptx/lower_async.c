// Asynchronous copies, stores and reductions.
#include "ir/alu.h"
#include "ir/tensor.h"
#include "ptx/lower_code.h"

static bool has(const PtxModifiers *modifiers, PtxModifierId id) {
  return ptx_has_modifier(modifiers, id);
}

// cp.async that is no copy: groups, and the arrival at an mbarrier.
static bool lower_copy_group(Code *code, const PtxInstruction *instruction,
                             const PtxModifiers *modifiers) {
  Operand count;
  if (has(modifiers, PTX_MODIFIER_commit_group)) {
    lower_emit(code, IR_COPY_COMMIT);
    return true;
  }
  if (has(modifiers, PTX_MODIFIER_wait_all))
    count = lower_constant(-1);
  else if (!lower_value_or(code, instruction, 0, 0, &count))
    return false;
  lower_emit(code, IR_COPY_WAIT_GROUP)->src[0] = count;
  return true;
}

static bool lower_copy_arrival(Code *code, const PtxInstruction *instruction,
                               const PtxModifiers *modifiers) {
  Operand barrier;
  int64_t offset;
  if (!lower_address(code, lower_operand(code, instruction, 0), &barrier, &offset))
    return false;
  Instruction *arrive = lower_emit(code, IR_COPY_ARRIVE);
  arrive->address = barrier;
  arrive->offset = offset;
  arrive->space = lower_mbarrier_space(modifiers);
  arrive->compare = has(modifiers, PTX_MODIFIER_noinc);
  return true;
}

static bool is_predicate(const Code *code, const PtxOperand *operand) {
  return operand->kind == PTX_OPERAND_NAME && operand->reference == PTX_REFERENCE_REGISTER &&
         code->module->variables.items[operand->variable].type == PTX_TYPE_pred;
}

// The bytes that are read of the source: `src-size`, or none if `ignore-src` holds.
static bool source_bytes(Code *code, const PtxOperand *operand, int64_t all, Operand *bytes) {
  Operand value;
  if (!lower_value(code, operand, &value))
    return false;
  *bytes = value;
  if (!is_predicate(code, operand))
    return true;
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  operation->op = ALU_SELP;
  operation->type = ALU_TYPE_U32;
  *bytes = lower_register(lower_temporary(code));
  Instruction *select = lower_emit(code, IR_ALU);
  select->alu = operation;
  select->dst = bytes->index;
  select->src[0] = lower_constant(0);
  select->src[1] = lower_constant(all);
  select->src[2] = value;
  return true;
}

// [to], [from], bytes {, bytes of the source} {, cache policy}
static bool lower_copy_async(Code *code, const PtxInstruction *instruction,
                             const PtxModifiers *modifiers) {
  Operand to, from, bytes, given = {0};
  int64_t to_offset, from_offset;
  if (!lower_address(code, lower_operand(code, instruction, 0), &to, &to_offset) ||
      !lower_address(code, lower_operand(code, instruction, 1), &from, &from_offset) ||
      !lower_value_or(code, instruction, 2, 4, &bytes) || bytes.kind != OPERAND_CONSTANT)
    return false;
  uint32_t count = lower_operand_count(instruction) - has(modifiers, PTX_MODIFIER_L2__cache_hint);
  if (count > 4 || (count == 4 && !source_bytes(code, lower_operand(code, instruction, 3),
                                                bytes.constant, &given)))
    return false;
  Instruction *copy = lower_emit(code, IR_COPY_ASYNC);
  copy->address = to;
  copy->offset = to_offset;
  copy->space = SPACE_SHARED;
  copy->src[0] = from;
  copy->src[1] = lower_constant(from_offset);
  copy->src[2] = bytes;
  copy->src[3] = given;
  return true;
}

static bool lower_bulk_group(Code *code, const PtxInstruction *instruction,
                             const PtxModifiers *modifiers) {
  Operand count;
  if (has(modifiers, PTX_MODIFIER_commit_group)) {
    lower_emit(code, IR_BULK_COMMIT);
    return true;
  }
  if (!lower_value_or(code, instruction, 0, 0, &count))
    return false;
  Instruction *wait = lower_emit(code, IR_BULK_WAIT);
  wait->src[0] = count;
  wait->compare = has(modifiers, PTX_MODIFIER_read);
  return true;
}

// The mask of the blocks that get a copy, behind all other operands but the cache policy.
static bool lower_multicast(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers, Operand *mask) {
  uint32_t last =
      lower_operand_count(instruction) - 1 - has(modifiers, PTX_MODIFIER_L2__cache_hint);
  return !has(modifiers, PTX_MODIFIER_multicast__cluster) ||
         lower_value(code, lower_operand(code, instruction, last), mask);
}

static void set_barrier(Instruction *copy, Operand barrier, int64_t offset) {
  copy->src[2] = barrier;
  copy->src[4] = lower_constant(offset);
  copy->proxy = PROXY_ASYNC;
}

static Space bulk_space(const PtxModifiers *modifiers, uint32_t i) {
  return modifiers->spaces[i] == PTX_SPACE_GLOBAL ? SPACE_GLOBAL : SPACE_SHARED;
}

// [to], [from], bytes, [mbarrier]   or, to global memory,   [to], [from], bytes
static bool lower_bulk_copy(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers) {
  Operand to, from, bytes, barrier = {0}, mask = {0};
  int64_t to_offset, from_offset, barrier_offset = 0;
  bool has_barrier = has(modifiers, PTX_MODIFIER_mbarrier__complete_tx__bytes);
  if (has(modifiers, PTX_MODIFIER_cp_mask) || modifiers->space_count != 2 ||
      !lower_address(code, lower_operand(code, instruction, 0), &to, &to_offset) ||
      !lower_address(code, lower_operand(code, instruction, 1), &from, &from_offset) ||
      !lower_value(code, lower_operand(code, instruction, 2), &bytes) ||
      (has_barrier &&
       !lower_address(code, lower_operand(code, instruction, 3), &barrier, &barrier_offset)) ||
      !lower_multicast(code, instruction, modifiers, &mask))
    return false;
  Instruction *copy = lower_emit(code, IR_BULK_COPY);
  if (has(modifiers, PTX_MODIFIER_reduce)) {
    copy->size = lower_access_size(modifiers);
    if (!copy->size || !lower_atomic_operation(code, copy, modifiers))
      return false;
  }
  copy->address = to;
  copy->offset = to_offset;
  copy->space = bulk_space(modifiers, 0);
  copy->conversion = bulk_space(modifiers, 1);
  copy->src[0] = from;
  copy->src[1] = bytes;
  copy->src[3] = lower_constant(from_offset);
  copy->multicast = mask;
  set_barrier(copy, barrier, barrier_offset);
  return true;
}

// [map, {x, y, ...}]
static bool lower_tensor(Code *code, const PtxOperand *operand, TensorAccess *tensor) {
  if (operand->kind != PTX_OPERAND_ADDRESS || operand->children.count != 2)
    return false;
  const PtxOperand *map = lower_child(code, operand, 0), *corner = lower_child(code, operand, 1);
  tensor->rank = lower_element_count(corner);
  if (!lower_value(code, map, &tensor->map) || tensor->rank > TENSOR_MAX_RANK)
    return false;
  tensor->map_offset = map->reference == PTX_REFERENCE_REGISTER ? (int64_t)map->value : 0;
  for (uint32_t i = 0; i < tensor->rank; i++)
    if (!lower_value(code, lower_element(code, corner, i), &tensor->corner[i]))
      return false;
  return true;
}

static bool is_tiled(const PtxModifiers *modifiers) {
  static const PtxModifierId others[] = {
      PTX_MODIFIER_tile__gather4, PTX_MODIFIER_tile__scatter4, PTX_MODIFIER_im2col,
      PTX_MODIFIER_im2col__w,     PTX_MODIFIER_im2col__w__128, PTX_MODIFIER_im2col_no_offs,
      PTX_MODIFIER_reduce,        PTX_MODIFIER_cta_group__1,   PTX_MODIFIER_cta_group__2,
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (has(modifiers, others[i]))
      return false;
  return true;
}

// [to], [map, {x, y}], [mbarrier]   or, to global memory,   [map, {x, y}], [from]
static bool lower_tensor_copy(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  Operand shared, barrier = {0}, mask = {0};
  int64_t offset, barrier_offset = 0;
  TensorAccess *tensor = ARENA_NEW(code->arena, TensorAccess);
  if (!is_tiled(modifiers) || modifiers->space_count != 2)
    return false;
  bool is_load = bulk_space(modifiers, 0) == SPACE_SHARED;
  if (!lower_tensor(code, lower_operand(code, instruction, is_load), tensor) ||
      !lower_address(code, lower_operand(code, instruction, !is_load), &shared, &offset) ||
      (is_load &&
       !lower_address(code, lower_operand(code, instruction, 2), &barrier, &barrier_offset)) ||
      !lower_multicast(code, instruction, modifiers, &mask))
    return false;
  Instruction *copy = lower_emit(code, IR_TENSOR_COPY);
  copy->tensor = tensor;
  copy->address = shared;
  copy->offset = offset;
  copy->space = bulk_space(modifiers, 0);
  copy->multicast = mask;
  set_barrier(copy, barrier, barrier_offset);
  return true;
}

static bool lower_bulk(Code *code, const PtxInstruction *instruction,
                       const PtxModifiers *modifiers) {
  if (has(modifiers, PTX_MODIFIER_commit_group) || has(modifiers, PTX_MODIFIER_wait_group))
    return lower_bulk_group(code, instruction, modifiers);
  return has(modifiers, PTX_MODIFIER_tensor) ? lower_tensor_copy(code, instruction, modifiers)
                                             : lower_bulk_copy(code, instruction, modifiers);
}

static bool lower_copy(Code *code, const PtxInstruction *instruction,
                       const PtxModifiers *modifiers) {
  if (has(modifiers, PTX_MODIFIER_prefetch)) {
    lower_emit(code, IR_NO_EVENT);
    return true;
  }
  if (has(modifiers, PTX_MODIFIER_bulk))
    return lower_bulk(code, instruction, modifiers);
  if (has(modifiers, PTX_MODIFIER_commit_group) || has(modifiers, PTX_MODIFIER_wait_group) ||
      has(modifiers, PTX_MODIFIER_wait_all))
    return lower_copy_group(code, instruction, modifiers);
  if (has(modifiers, PTX_MODIFIER_mbarrier))
    return lower_copy_arrival(code, instruction, modifiers);
  return lower_copy_async(code, instruction, modifiers);
}

// st.async and red.async to the shared memory of a cluster: [to], value, [mbarrier]. Each element
// of a vector is an operation of its own.
static bool lower_store_async(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  Operand to, value, barrier;
  int64_t to_offset, barrier_offset;
  uint8_t size = lower_access_size(modifiers);
  if (!has(modifiers, PTX_MODIFIER_mbarrier__complete_tx__bytes) ||
      lower_operand_count(instruction) != 3 || !size ||
      !lower_address(code, lower_operand(code, instruction, 0), &to, &to_offset) ||
      !lower_address(code, lower_operand(code, instruction, 2), &barrier, &barrier_offset))
    return false;
  const PtxOperand *from = lower_operand(code, instruction, 1);
  for (uint32_t i = 0; i < lower_element_count(from); i++) {
    if (!lower_value(code, lower_element(code, from, i), &value))
      return false;
    Instruction *store = lower_emit(code, IR_STORE_ASYNC);
    store->address = to;
    store->offset = to_offset + size * i;
    store->space = SPACE_SHARED;
    store->size = size;
    store->atom = ATOM_EXCH;
    store->src[0] = value;
    store->src[2] = barrier;
    store->src[4] = lower_constant(barrier_offset);
    lower_set_element(store, lower_element_count(from), i);
    if (instruction->op != PTX_OP_red)
      continue;
    store->sem = SEM_RELAXED;
    store->scope = SCOPE_CLUSTER;
    if (!lower_atomic_operation(code, store, modifiers))
      return false;
  }
  return true;
}

bool lower_async_instruction(Code *code, const PtxInstruction *instruction,
                             const PtxModifiers *modifiers) {
  switch (instruction->op) {
  case PTX_OP_cp:
    return lower_copy(code, instruction, modifiers);
  case PTX_OP_st:
  case PTX_OP_red:
    return has(modifiers, PTX_MODIFIER_async) && lower_store_async(code, instruction, modifiers);
  default:
    return false;
  }
}
