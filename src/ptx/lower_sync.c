// Barriers, warp collectives, mbarriers, launches that depend on each other.
#include "ir/alu.h"
#include "ptx/lower_code.h"

static bool has(const PtxModifiers *modifiers, PtxModifierId id) {
  return ptx_has_modifier(modifiers, id);
}

bool lower_value_or(Code *code, const PtxInstruction *instruction, uint32_t i, int64_t absent,
                    Operand *value) {
  *value = lower_constant(absent);
  return i >= lower_operand_count(instruction) ||
         lower_value(code, lower_operand(code, instruction, i), value);
}

// --- CTA and cluster barriers

static bool lower_warp_barrier(Code *code, const PtxInstruction *instruction) {
  Operand mask;
  if (!lower_value_or(code, instruction, 0, 0xffffffff, &mask))
    return false;
  Instruction *barrier = lower_emit(code, IR_BARRIER_WARP);
  barrier->src[3] = mask;
  return true;
}

static bool lower_cluster_barrier(Code *code, const PtxModifiers *modifiers) {
  bool is_wait = has(modifiers, PTX_MODIFIER_wait);
  Instruction *barrier = lower_emit(code, is_wait ? IR_CLUSTER_WAIT : IR_CLUSTER_ARRIVE);
  barrier->scope = SCOPE_CLUSTER;
  barrier->sem = is_wait                                ? SEM_ACQUIRE
                 : has(modifiers, PTX_MODIFIER_relaxed) ? SEM_RELAXED
                                                        : SEM_RELEASE;
  return true;
}

// bar.red: the predicate of every thread is combined.
static bool lower_barrier_reduction(Code *code, const PtxInstruction *instruction,
                                    const PtxModifiers *modifiers) {
  uint32_t reg, last = lower_operand_count(instruction) - 1;
  Operand id, count = {0}, predicate;
  if (!lower_destination(code, lower_operand(code, instruction, 0), &reg) ||
      !lower_value(code, lower_operand(code, instruction, 1), &id) ||
      !lower_value(code, lower_operand(code, instruction, last), &predicate))
    return false;
  if (last == 3 && !lower_value(code, lower_operand(code, instruction, 2), &count))
    return false;
  Instruction *barrier = lower_emit(code, IR_BARRIER);
  barrier->barrier = BARRIER_RED;
  barrier->dst = reg;
  barrier->src[0] = id;
  barrier->src[1] = count;
  barrier->src[2] = predicate;
  barrier->collective = has(modifiers, PTX_MODIFIER_popc)  ? COLLECTIVE_VOTE_BALLOT
                        : has(modifiers, PTX_MODIFIER_and) ? COLLECTIVE_VOTE_ALL
                                                           : COLLECTIVE_VOTE_ANY;
  if (instruction->op == PTX_OP_bar || has(modifiers, PTX_MODIFIER_aligned))
    barrier->flags |= INSTRUCTION_ALIGNED;
  return true;
}

static bool lower_barrier(Code *code, const PtxInstruction *instruction,
                          const PtxModifiers *modifiers) {
  if (has(modifiers, PTX_MODIFIER_warp))
    return lower_warp_barrier(code, instruction);
  if (has(modifiers, PTX_MODIFIER_cluster))
    return lower_cluster_barrier(code, modifiers);
  if (has(modifiers, PTX_MODIFIER_red))
    return lower_barrier_reduction(code, instruction, modifiers);
  Operand id, count = {0};
  if (!lower_value_or(code, instruction, 0, 0, &id) ||
      (lower_operand_count(instruction) > 1 &&
       !lower_value(code, lower_operand(code, instruction, 1), &count)))
    return false;
  Instruction *barrier = lower_emit(code, IR_BARRIER);
  barrier->barrier = has(modifiers, PTX_MODIFIER_arrive) ? BARRIER_ARRIVE : BARRIER_SYNC;
  barrier->src[0] = id;
  barrier->src[1] = count;
  if (instruction->op == PTX_OP_bar || has(modifiers, PTX_MODIFIER_aligned))
    barrier->flags |= INSTRUCTION_ALIGNED;
  return true;
}

// --- warp collectives

// d, d|p or _
static bool destinations(Code *code, const PtxOperand *operand, uint32_t *first, uint32_t *second) {
  *second = UINT32_MAX;
  if (operand->kind != PTX_OPERAND_PAIR)
    return lower_destination(code, operand, first);
  return lower_destination(code, lower_child(code, operand, 0), first) &&
         lower_destination(code, lower_child(code, operand, 1), second);
}

static Instruction *emit_collective(Code *code, Collective collective, uint32_t first,
                                    uint32_t second) {
  Instruction *instruction = lower_emit(code, IR_COLLECTIVE);
  instruction->collective = collective;
  instruction->dst = first;
  instruction->more[0] = second;
  return instruction;
}

// The mask that an instruction names, or, without .sync, the lanes that execute it together (PTX
// ISA 6.3 and before).
static bool lower_mask(Code *code, const PtxInstruction *instruction, const PtxModifiers *modifiers,
                       uint32_t i, Operand *mask) {
  if (has(modifiers, PTX_MODIFIER_sync))
    return i + 1 == lower_operand_count(instruction) &&
           lower_value(code, lower_operand(code, instruction, i), mask);
  *mask = lower_register(lower_temporary(code));
  emit_collective(code, COLLECTIVE_ACTIVE_MASK, mask->index, UINT32_MAX);
  return i == lower_operand_count(instruction);
}

static bool lower_shuffle(Code *code, const PtxInstruction *instruction,
                          const PtxModifiers *modifiers) {
  uint32_t first, second;
  Operand values[4];
  if (lower_operand_count(instruction) < 4 ||
      !destinations(code, lower_operand(code, instruction, 0), &first, &second) ||
      !lower_mask(code, instruction, modifiers, 4, &values[3]))
    return false;
  for (uint32_t i = 0; i < 3; i++)
    if (!lower_value(code, lower_operand(code, instruction, i + 1), &values[i]))
      return false;
  Collective mode = has(modifiers, PTX_MODIFIER_up)     ? COLLECTIVE_SHUFFLE_UP
                    : has(modifiers, PTX_MODIFIER_down) ? COLLECTIVE_SHUFFLE_DOWN
                    : has(modifiers, PTX_MODIFIER_bfly) ? COLLECTIVE_SHUFFLE_XOR
                                                        : COLLECTIVE_SHUFFLE_INDEX;
  Instruction *shuffle = emit_collective(code, mode, first, second);
  for (uint32_t i = 0; i < 4; i++)
    shuffle->src[i] = values[i];
  return true;
}

static bool lower_simple_collective(Code *code, const PtxInstruction *instruction,
                                    const PtxModifiers *modifiers, Collective collective) {
  uint32_t first, second;
  Operand value, mask;
  if (lower_operand_count(instruction) < 2 ||
      !destinations(code, lower_operand(code, instruction, 0), &first, &second) ||
      !lower_value(code, lower_operand(code, instruction, 1), &value) ||
      !lower_mask(code, instruction, modifiers, 2, &mask))
    return false;
  Instruction *lowered = emit_collective(code, collective, first, second);
  lowered->src[0] = value;
  lowered->src[3] = mask;
  return true;
}

static bool lower_vote(Code *code, const PtxInstruction *instruction,
                       const PtxModifiers *modifiers) {
  return lower_simple_collective(code, instruction, modifiers,
                                 has(modifiers, PTX_MODIFIER_all)   ? COLLECTIVE_VOTE_ALL
                                 : has(modifiers, PTX_MODIFIER_any) ? COLLECTIVE_VOTE_ANY
                                 : has(modifiers, PTX_MODIFIER_uni) ? COLLECTIVE_VOTE_UNIFORM
                                                                    : COLLECTIVE_VOTE_BALLOT);
}

static bool lower_match(Code *code, const PtxInstruction *instruction,
                        const PtxModifiers *modifiers) {
  return lower_simple_collective(code, instruction, modifiers,
                                 has(modifiers, PTX_MODIFIER_any) ? COLLECTIVE_MATCH_ANY
                                                                  : COLLECTIVE_MATCH_ALL);
}

// .abs: the collective that was emitted last gets the magnitude of its operand.
static void take_magnitude(Code *code) {
  uint32_t magnitude = lower_temporary(code);
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  operation->op = ALU_ABS;
  operation->type = ALU_TYPE_F32;
  Instruction collective = code->instructions.items[--code->instructions.count];
  Instruction *absolute = lower_emit(code, IR_ALU);
  absolute->alu = operation;
  absolute->dst = magnitude;
  absolute->src[0] = collective.src[0];
  collective.src[0] = lower_register(magnitude);
  array_push(code->arena, &code->instructions, collective);
}

static bool lower_redux(Code *code, const PtxInstruction *instruction,
                        const PtxModifiers *modifiers) {
  static const AluOp ops[] = {
      [PTX_OPERATION_ADD] = ALU_ADD, [PTX_OPERATION_AND] = ALU_AND, [PTX_OPERATION_OR] = ALU_OR,
      [PTX_OPERATION_XOR] = ALU_XOR, [PTX_OPERATION_MIN] = ALU_MIN, [PTX_OPERATION_MAX] = ALU_MAX,
  };
  if (modifiers->operation == PTX_OPERATION_NONE || modifiers->operation > PTX_OPERATION_MAX)
    return false;
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  operation->op = (uint8_t)ops[modifiers->operation];
  operation->type = modifiers->types[0] == PTX_TYPE_s32   ? ALU_TYPE_S32
                    : modifiers->types[0] == PTX_TYPE_f32 ? ALU_TYPE_F32
                                                          : ALU_TYPE_U32;
  if (has(modifiers, PTX_MODIFIER_NaN))
    operation->flags |= ALU_NAN;
  if (!lower_simple_collective(code, instruction, modifiers, COLLECTIVE_REDUCE))
    return false;
  code->instructions.items[code->instructions.count - 1].alu = operation;
  if (has(modifiers, PTX_MODIFIER_abs))
    take_magnitude(code);
  return true;
}

static bool lower_active_mask(Code *code, const PtxInstruction *instruction) {
  uint32_t reg;
  if (!lower_destination(code, lower_operand(code, instruction, 0), &reg))
    return false;
  emit_collective(code, COLLECTIVE_ACTIVE_MASK, reg, UINT32_MAX);
  return true;
}

static bool lower_elect(Code *code, const PtxInstruction *instruction) {
  uint32_t first, second;
  Operand mask;
  if (!destinations(code, lower_operand(code, instruction, 0), &first, &second) ||
      !lower_value(code, lower_operand(code, instruction, 1), &mask))
    return false;
  emit_collective(code, COLLECTIVE_ELECT, first, second)->src[3] = mask;
  return true;
}

// --- mbarriers

Space lower_mbarrier_space(const PtxModifiers *modifiers) {
  return modifiers->space_count ? SPACE_SHARED : SPACE_GENERIC;
}

static Instruction *emit_mbarrier(Code *code, MbarrierOp op, const PtxModifiers *modifiers,
                                  Operand base, int64_t offset) {
  Instruction *instruction = lower_emit(code, IR_MBARRIER);
  instruction->mbarrier = op;
  instruction->address = base;
  instruction->offset = offset;
  instruction->space = lower_mbarrier_space(modifiers);
  instruction->size = 8;
  instruction->sem = (uint8_t)modifiers->sem;
  instruction->scope = (uint8_t)modifiers->scope;
  return instruction;
}

static bool lower_mbarrier_arrive(Code *code, const PtxInstruction *instruction,
                                  const PtxModifiers *modifiers, MbarrierOp op) {
  uint32_t reg = UINT32_MAX, first = 0;
  Operand base, number;
  int64_t offset;
  if (lower_operand(code, instruction, 0)->kind != PTX_OPERAND_ADDRESS) {
    if (!lower_destination(code, lower_operand(code, instruction, 0), &reg))
      return false;
    first = 1;
  }
  bool expects = has(modifiers, PTX_MODIFIER_expect_tx);
  if (!lower_address(code, lower_operand(code, instruction, first), &base, &offset) ||
      !lower_value_or(code, instruction, first + 1, expects ? 0 : 1, &number))
    return false;
  Instruction *arrive = emit_mbarrier(code, op, modifiers, base, offset);
  if (!modifiers->has_sem)
    arrive->sem = SEM_RELEASE;
  if (!modifiers->has_scope)
    arrive->scope = SCOPE_CTA;
  arrive->dst = reg;
  arrive->compare = has(modifiers, PTX_MODIFIER_noComplete);
  arrive->src[0] = expects ? lower_constant(1) : number;
  arrive->src[1] = expects ? number : lower_constant(0);
  return true;
}

static bool lower_mbarrier_wait(Code *code, const PtxInstruction *instruction,
                                const PtxModifiers *modifiers) {
  uint32_t reg;
  Operand base, phase;
  int64_t offset;
  if (!lower_destination(code, lower_operand(code, instruction, 0), &reg) ||
      !lower_address(code, lower_operand(code, instruction, 1), &base, &offset) ||
      !lower_value(code, lower_operand(code, instruction, 2), &phase))
    return false;
  bool is_parity = has(modifiers, PTX_MODIFIER_parity);
  Instruction *wait = emit_mbarrier(code, is_parity ? MBARRIER_TEST_PARITY : MBARRIER_TEST_STATE,
                                    modifiers, base, offset);
  if (!modifiers->has_sem)
    wait->sem = SEM_ACQUIRE;
  if (!modifiers->has_scope)
    wait->scope = SCOPE_CTA;
  wait->dst = reg;
  wait->src[0] = phase;
  return true;
}

static bool lower_mbarrier_count(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers, MbarrierOp op) {
  Operand base, number;
  int64_t offset;
  if (!lower_address(code, lower_operand(code, instruction, 0), &base, &offset) ||
      !lower_value_or(code, instruction, 1, 0, &number))
    return false;
  emit_mbarrier(code, op, modifiers, base, offset)->src[0] = number;
  return true;
}

static bool lower_pending_count(Code *code, const PtxInstruction *instruction) {
  uint32_t reg;
  Operand state;
  if (!lower_destination(code, lower_operand(code, instruction, 0), &reg) ||
      !lower_value(code, lower_operand(code, instruction, 1), &state))
    return false;
  Instruction *count = lower_emit(code, IR_MBARRIER);
  count->mbarrier = MBARRIER_PENDING;
  count->dst = reg;
  count->src[0] = state;
  return true;
}

static bool lower_mbarrier(Code *code, const PtxInstruction *instruction,
                           const PtxModifiers *modifiers) {
  if (has(modifiers, PTX_MODIFIER_init))
    return lower_mbarrier_count(code, instruction, modifiers, MBARRIER_INIT);
  if (has(modifiers, PTX_MODIFIER_inval))
    return lower_mbarrier_count(code, instruction, modifiers, MBARRIER_INVALIDATE);
  if (has(modifiers, PTX_MODIFIER_arrive))
    return lower_mbarrier_arrive(code, instruction, modifiers, MBARRIER_ARRIVE);
  if (has(modifiers, PTX_MODIFIER_arrive_drop))
    return lower_mbarrier_arrive(code, instruction, modifiers, MBARRIER_DROP);
  if (has(modifiers, PTX_MODIFIER_expect_tx))
    return lower_mbarrier_count(code, instruction, modifiers, MBARRIER_EXPECT);
  if (has(modifiers, PTX_MODIFIER_complete_tx))
    return lower_mbarrier_count(code, instruction, modifiers, MBARRIER_COMPLETE);
  if (has(modifiers, PTX_MODIFIER_test_wait) || has(modifiers, PTX_MODIFIER_try_wait))
    return lower_mbarrier_wait(code, instruction, modifiers);
  return has(modifiers, PTX_MODIFIER_pending_count) && lower_pending_count(code, instruction);
}

bool lower_sync_instruction(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers) {
  switch (instruction->op) {
  case PTX_OP_bar:
  case PTX_OP_barrier:
    return lower_barrier(code, instruction, modifiers);
  case PTX_OP_shfl:
    return lower_shuffle(code, instruction, modifiers);
  case PTX_OP_vote:
    return lower_vote(code, instruction, modifiers);
  case PTX_OP_match:
    return lower_match(code, instruction, modifiers);
  case PTX_OP_redux:
    return lower_redux(code, instruction, modifiers);
  case PTX_OP_activemask:
    return lower_active_mask(code, instruction);
  case PTX_OP_elect:
    return lower_elect(code, instruction);
  case PTX_OP_mbarrier:
    return lower_mbarrier(code, instruction, modifiers);
  case PTX_OP_griddepcontrol:
    lower_emit(code, has(modifiers, PTX_MODIFIER_wait) ? IR_GRID_WAIT : IR_GRID_DEPENDENTS);
    return true;
  default:
    return false;
  }
}
