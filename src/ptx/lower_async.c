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

// Where a copy goes to, and the mbarrier that it counts for.
typedef struct CopyTarget {
  Operand to, barrier; // barrier OPERAND_NONE: none
  int64_t to_offset, barrier_offset;
} CopyTarget;

// A copy that goes to several blocks of a cluster is a copy for each of them, to the same places.
typedef struct Multicast {
  Operand mask;
  bool is_wanted;
} Multicast;

// The mask of the blocks stands behind all other operands but the cache policy.
static bool read_multicast(Code *code, const PtxInstruction *instruction,
                           const PtxModifiers *modifiers, Multicast *multicast) {
  uint32_t last =
      lower_operand_count(instruction) - 1 - has(modifiers, PTX_MODIFIER_L2__cache_hint);
  *multicast = (Multicast){.is_wanted = has(modifiers, PTX_MODIFIER_multicast__cluster)};
  return !multicast->is_wanted ||
         lower_value(code, lower_operand(code, instruction, last), &multicast->mask);
}

static Operand compute(Code *code, AluOp op, AluType type, Operand a, Operand b) {
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  operation->op = (uint8_t)op;
  operation->type = (uint8_t)type;
  operation->count = op == ALU_PACK ? 2 : 0;
  uint32_t result = lower_temporary(code);
  Instruction *instruction = lower_emit(code, IR_ALU);
  instruction->alu = operation;
  instruction->dst = result;
  instruction->src[0] = a;
  instruction->src[1] = b;
  return lower_register(result);
}

static Operand map_to_rank(Code *code, Operand address, uint32_t rank) {
  uint32_t result = lower_temporary(code);
  Instruction *map = lower_emit(code, IR_ADDRESS);
  map->conversion = ADDRESS_MAP_SHARED;
  map->dst = result;
  map->src[0] = address;
  map->src[1] = lower_constant(rank);
  return lower_register(result);
}

// Emits the copy that has been prepared for each target.
static void emit_copies(Code *code, const Instruction *copy, const Multicast *multicast,
                        const CopyTarget *target) {
  enum { MOST_BLOCKS = 16 };
  for (uint32_t rank = 0; rank < (multicast->is_wanted ? MOST_BLOCKS : 1); rank++) {
    CopyTarget here = *target;
    uint32_t skip = 0;
    if (multicast->is_wanted) {
      Operand bit =
          compute(code, ALU_AND, ALU_TYPE_B32, multicast->mask, lower_constant(1u << rank));
      Instruction *branch = lower_emit(code, IR_BRANCH);
      branch->compare = IR_SET_EQ;
      branch->src[0] = bit;
      branch->src[1] = lower_constant(0);
      skip = code->instructions.count - 1;
      here.to = map_to_rank(code, target->to, rank);
      here.barrier = map_to_rank(code, target->barrier, rank);
    }
    Instruction *emitted = lower_emit(code, copy->op);
    *emitted = *copy;
    emitted->proxy = PROXY_ASYNC;
    emitted->address = here.to;
    emitted->offset = here.to_offset;
    emitted->src[2] = here.barrier;
    if (copy->op == IR_BULK_COPY)
      emitted->src[4] = lower_constant(here.barrier_offset);
    if (multicast->is_wanted)
      code->instructions.items[skip].target = code->instructions.count;
  }
}

static bool read_barrier(Code *code, const PtxInstruction *instruction, uint32_t i,
                         CopyTarget *target) {
  return lower_address(code, lower_operand(code, instruction, i), &target->barrier,
                       &target->barrier_offset);
}

static Space bulk_space(const PtxModifiers *modifiers, uint32_t i) {
  return modifiers->spaces[i] == PTX_SPACE_GLOBAL ? SPACE_GLOBAL : SPACE_SHARED;
}

// [to], [from], bytes, [mbarrier]   or, to global memory,   [to], [from], bytes
static bool lower_bulk_copy(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers) {
  Instruction copy = code->template;
  CopyTarget target = {0};
  Multicast multicast;
  int64_t from_offset;
  if (has(modifiers, PTX_MODIFIER_cp_mask) || modifiers->space_count != 2 ||
      !lower_address(code, lower_operand(code, instruction, 0), &target.to, &target.to_offset) ||
      !lower_address(code, lower_operand(code, instruction, 1), &copy.src[0], &from_offset) ||
      !lower_value(code, lower_operand(code, instruction, 2), &copy.src[1]) ||
      (has(modifiers, PTX_MODIFIER_mbarrier__complete_tx__bytes) &&
       !read_barrier(code, instruction, 3, &target)) ||
      !read_multicast(code, instruction, modifiers, &multicast))
    return false;
  copy.op = IR_BULK_COPY;
  if (has(modifiers, PTX_MODIFIER_reduce)) {
    copy.size = lower_access_size(modifiers);
    if (!copy.size || !lower_atomic_operation(code, &copy, modifiers))
      return false;
  }
  copy.space = bulk_space(modifiers, 0);
  copy.conversion = bulk_space(modifiers, 1);
  copy.src[3] = lower_constant(from_offset);
  emit_copies(code, &copy, &multicast, &target);
  return true;
}

static Operand plus(Code *code, Operand value, int64_t offset) {
  return offset ? compute(code, ALU_ADD, ALU_TYPE_U64, value, lower_constant(offset)) : value;
}

// {x, y, z}, cut to the bits that they have and side by side.
static bool lower_offsets(Code *code, const PtxOperand *list, uint32_t rank, Operand *offsets) {
  uint32_t bits = tensor_offset_bits(rank);
  *offsets = lower_constant(0);
  if (lower_element_count(list) != rank - 2)
    return false;
  for (uint32_t i = 0; i < rank - 2; i++) {
    Operand value;
    if (!lower_value(code, lower_element(code, list, i), &value))
      return false;
    value = compute(code, ALU_AND, ALU_TYPE_B32, value, lower_constant((1 << bits) - 1));
    value = compute(code, ALU_SHL, ALU_TYPE_B32, value, lower_constant(bits * i));
    *offsets = compute(code, ALU_OR, ALU_TYPE_B32, *offsets, value);
  }
  return true;
}

// The coordinates, and offsets or NULL, as IR_TENSOR_COPY has them.
static bool lower_place(Code *code, const PtxOperand *list, const PtxOperand *offset_list,
                        Instruction *copy) {
  static const uint32_t places[TENSOR_PLACE_WORDS] = {1, 3, 4};
  Operand values[2 * TENSOR_PLACE_WORDS];
  uint32_t rank = lower_element_count(list);
  for (uint32_t i = 0; i < 2 * TENSOR_PLACE_WORDS; i++) {
    values[i] = lower_constant(0);
    if (i < rank && !lower_value(code, lower_element(code, list, i), &values[i]))
      return false;
  }
  if (offset_list && !lower_offsets(code, offset_list, rank, &values[TENSOR_MAX_RANK]))
    return false;
  uint32_t count = offset_list ? TENSOR_PLACE_WORDS : (rank + 1) / 2;
  for (uint32_t i = 0; i < count; i++)
    copy->src[places[i]] = compute(code, ALU_PACK, ALU_TYPE_B64, values[2 * i], values[2 * i + 1]);
  copy->size = (uint8_t)rank;
  return true;
}

// [map, {x, y, ...}]
static bool lower_tensor(Code *code, const PtxOperand *operand, const PtxOperand *offsets,
                         Instruction *copy) {
  if (operand->kind != PTX_OPERAND_ADDRESS || operand->children.count != 2)
    return false;
  const PtxOperand *map = lower_child(code, operand, 0), *list = lower_child(code, operand, 1);
  uint32_t rank = lower_element_count(list);
  bool is_im2col = copy->conversion == TENSOR_IM2COL, is_rows = copy->conversion == TENSOR_ROWS;
  if (rank > TENSOR_MAX_RANK || (is_im2col && rank < 3) || (is_rows && rank != 5) ||
      !lower_value(code, map, &copy->src[0]))
    return false;
  if (map->reference == PTX_REFERENCE_REGISTER)
    copy->src[0] = plus(code, copy->src[0], (int64_t)map->value);
  return lower_place(code, list, offsets, copy);
}

// False: not one that is supported.
static bool read_mode(const PtxModifiers *modifiers, Instruction *copy) {
  if (has(modifiers, PTX_MODIFIER_im2col__w) || has(modifiers, PTX_MODIFIER_im2col__w__128) ||
      has(modifiers, PTX_MODIFIER_cta_group__2))
    return false;
  bool is_im2col =
      has(modifiers, PTX_MODIFIER_im2col) || has(modifiers, PTX_MODIFIER_im2col_no_offs);
  bool is_rows =
      has(modifiers, PTX_MODIFIER_tile__gather4) || has(modifiers, PTX_MODIFIER_tile__scatter4);
  copy->conversion = is_im2col ? TENSOR_IM2COL : is_rows ? TENSOR_ROWS : TENSOR_TILE;
  return true;
}

// The type is that of the tensor's elements.
static bool set_reduction(Code *code, const PtxModifiers *modifiers, Instruction *copy) {
  static const AluOp ops[] = {
      [PTX_OPERATION_ADD] = ALU_ADD, [PTX_OPERATION_AND] = ALU_AND, [PTX_OPERATION_OR] = ALU_OR,
      [PTX_OPERATION_XOR] = ALU_XOR, [PTX_OPERATION_MIN] = ALU_MIN, [PTX_OPERATION_MAX] = ALU_MAX,
  };
  copy->compare = 1;
  if (modifiers->operation == PTX_OPERATION_INC || modifiers->operation == PTX_OPERATION_DEC) {
    copy->atom = modifiers->operation == PTX_OPERATION_INC ? ATOM_INC : ATOM_DEC;
    return true;
  }
  if (modifiers->operation == PTX_OPERATION_NONE || modifiers->operation > PTX_OPERATION_MAX)
    return false;
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  operation->op = (uint8_t)ops[modifiers->operation];
  copy->atom = ATOM_ALU;
  copy->alu = operation;
  return true;
}

// [to], [map, {x, y}], [mbarrier] {, offsets}   or, to global memory,   [map, {x, y}], [from]
static bool lower_tensor_copy(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  Instruction copy = code->template;
  CopyTarget target = {0};
  Multicast multicast;
  if (!read_mode(modifiers, &copy) || modifiers->space_count != 2)
    return false;
  bool is_load = bulk_space(modifiers, 0) == SPACE_SHARED;
  const PtxOperand *offsets =
      has(modifiers, PTX_MODIFIER_im2col) ? lower_operand(code, instruction, 3) : NULL;
  if (!lower_tensor(code, lower_operand(code, instruction, is_load), offsets, &copy) ||
      !lower_address(code, lower_operand(code, instruction, !is_load), &target.to,
                     &target.to_offset) ||
      (is_load && !read_barrier(code, instruction, 2, &target)) ||
      !read_multicast(code, instruction, modifiers, &multicast))
    return false;
  if (has(modifiers, PTX_MODIFIER_reduce) && !set_reduction(code, modifiers, &copy))
    return false;
  copy.map_words = lower_map_loads(code, copy.src[0]);
  copy.op = IR_TENSOR_COPY;
  copy.space = bulk_space(modifiers, 0);
  target.barrier = plus(code, target.barrier, target.barrier_offset);
  emit_copies(code, &copy, &multicast, &target);
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
