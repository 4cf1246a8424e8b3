// From a kernel's instructions to Ops: one for each instruction that is more than a guard.
#include "emu/decode.h"

#include "emu/ops.h"

enum { MOST_GUARDED = 8 }; // instructions behind a branch that become guarded ones

// --- what instructions read and write

static uint32_t add_use(const Operand *operand, uint32_t *uses, uint32_t count) {
  if (operand->kind != OPERAND_REGISTER)
    return count;
  uses[count] = operand->index;
  return count + 1;
}

uint32_t decode_uses(const Instruction *instruction, uint32_t uses[MOST_USES]) {
  uint32_t count = add_use(&instruction->address, uses, 0);
  for (uint32_t i = 0; i < 5; i++)
    count = add_use(&instruction->src[i], uses, count);
  return count;
}

uint32_t decode_definitions(const Instruction *instruction, uint32_t registers[MOST_DEFINITIONS]) {
  uint32_t count = 0;
  if (instruction->dst != UINT32_MAX)
    registers[count++] = instruction->dst;
  for (uint32_t i = 0; i < 3; i++)
    if (instruction->more[i] != UINT32_MAX)
      registers[count++] = instruction->more[i];
  return count;
}

// --- guards

static void find_targets(Decoder *decoder) {
  const KernelCode *kernel = decoder->kernel;
  for (uint32_t i = 0; i < kernel->instruction_count; i++) {
    const Instruction *instruction = &kernel->instructions[i];
    if (instruction->op == IR_BRANCH)
      decoder->is_target[instruction->target] = true;
    for (uint32_t j = 0; j < instruction->target_count; j++)
      decoder->is_target[instruction->targets[j]] = true;
  }
}

static bool is_constant_zero(const Operand *operand) {
  return operand->kind == OPERAND_CONSTANT && operand->constant == 0;
}

static bool is_guard(const Decoder *decoder, uint32_t i) {
  const Instruction *branch = &decoder->kernel->instructions[i];
  return branch->op == IR_BRANCH &&
         (branch->compare == IR_SET_EQ || branch->compare == IR_SET_NE) &&
         branch->src[0].kind == OPERAND_REGISTER && is_constant_zero(&branch->src[1]) &&
         decoder->classes[branch->src[0].index] == CLASS_PREDICATE && branch->target > i + 1 &&
         branch->target <= i + 1 + MOST_GUARDED;
}

static bool writes(const Instruction *instruction, uint32_t slot) {
  uint32_t registers[MOST_DEFINITIONS];
  uint32_t count = decode_definitions(instruction, registers);
  for (uint32_t i = 0; i < count; i++)
    if (registers[i] == slot)
      return true;
  return false;
}

// Can the instructions behind a guard be executed by the lanes for which it holds, without a
// branch?
static bool can_guard(const Decoder *decoder, uint32_t i) {
  const Instruction *instructions = decoder->kernel->instructions;
  uint32_t end = instructions[i].target, guard = instructions[i].src[0].index;
  for (uint32_t j = i + 1; j < end; j++) {
    bool is_last = j + 1 == end, is_branch = instructions[j].op == IR_BRANCH;
    if (decoder->is_target[j] || instructions[j].op == IR_BRANCH_INDEX ||
        (is_branch && (!is_last || instructions[j].compare != IR_NOP)) ||
        (!is_last && writes(&instructions[j], guard)))
      return false;
  }
  return true;
}

static void find_guards(Decoder *decoder) {
  uint32_t count = decoder->kernel->instruction_count;
  for (uint32_t i = 0; i < count; i++)
    decoder->guards[i] = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) {
    if (decoder->guards[i] != UINT32_MAX || !is_guard(decoder, i) || !can_guard(decoder, i))
      continue;
    for (uint32_t j = i + 1; j < decoder->kernel->instructions[i].target; j++)
      decoder->guards[j] = i;
  }
}

// A branch that only guards needs no Op.
static bool is_fused(const Decoder *decoder, uint32_t i) {
  return i + 1 < decoder->kernel->instruction_count && decoder->guards[i + 1] == i;
}

// --- registers

static bool defines_predicate(const Instruction *instruction, uint32_t slot) {
  if (instruction->op >= IR_SET_EQ && instruction->op <= IR_SET_GE)
    return true;
  if (instruction->op != IR_ALU)
    return false;
  AluSignature signature = alu_signature(instruction->alu);
  uint32_t result = 0;
  for (uint32_t i = 1; i < signature.result_count; i++)
    if (instruction->more[i - 1] == slot)
      result = i;
  return signature.results[result] == ALU_TYPE_PRED;
}

static RegisterClass class_of_slot(const Slot *slot) {
  bool is_predicate = slot->kind == SLOT_SPECIAL && slot->special == SPECIAL_IS_EXPLICIT_CLUSTER;
  uint32_t bits = slot->kind == SLOT_PARAMETER  ? 8u * slot->size
                  : slot->kind == SLOT_SPECIAL  ? (slot->special == SPECIAL_GRIDID ? 64 : 32)
                  : slot->kind == SLOT_REGISTER ? slot->bits
                                                : 64;
  if (is_predicate || bits == 1)
    return CLASS_PREDICATE;
  return bits && bits <= 32 ? CLASS_32 : CLASS_64;
}

// Temporaries say nothing of their width: those that only comparisons write are predicates.
static void classify(Decoder *decoder) {
  const KernelCode *kernel = decoder->kernel;
  bool *is_number = ARENA_ARRAY(decoder->arena, bool, kernel->slot_count + 1);
  bool *is_predicate = ARENA_ARRAY(decoder->arena, bool, kernel->slot_count + 1);
  for (uint32_t i = 0; i < kernel->instruction_count; i++) {
    uint32_t registers[MOST_DEFINITIONS];
    uint32_t count = decode_definitions(&kernel->instructions[i], registers);
    for (uint32_t j = 0; j < count; j++)
      *(defines_predicate(&kernel->instructions[i], registers[j]) ? &is_predicate[registers[j]]
                                                                  : &is_number[registers[j]]) =
          true;
  }
  for (uint32_t i = 0; i < kernel->slot_count; i++) {
    const Slot *slot = &kernel->slots[i];
    bool is_flag = slot->kind == SLOT_REGISTER && !slot->bits && is_predicate[i] && !is_number[i];
    decoder->classes[i] = (uint8_t)(is_flag ? CLASS_PREDICATE : class_of_slot(slot));
    decoder->places[i] =
        (Value){REF_NONE, decoder->classes[i], slot->kind == SLOT_REGISTER ? slot->bits : 0};
  }
}

Ref decode_reserve(Decoder *decoder, RegisterBase base, RegisterClass class) {
  static const uint32_t sizes[] = {
      [CLASS_PREDICATE] = REGISTER_GRAIN, [CLASS_32] = 4 * LANES, [CLASS_64] = 8 * LANES};
  uint32_t offset = decoder->code->bytes[base];
  decoder->code->bytes[base] += sizes[class];
  return offset << 2 | base;
}

static RegisterBase base_of(const Slot *slot) {
  if (slot->kind == SLOT_PARAMETER)
    return BASE_GRID;
  if (slot->kind != SLOT_SPECIAL)
    return BASE_WARP; // the heap of each thread
  switch (slot->special) {
  case SPECIAL_TID:
  case SPECIAL_WARPID:
    return BASE_WARP;
  case SPECIAL_CTAID:
  case SPECIAL_CLUSTERID:
  case SPECIAL_CLUSTER_CTAID:
  case SPECIAL_CLUSTER_CTARANK:
  case SPECIAL_SMID:
    return BASE_BLOCK;
  default:
    return BASE_GRID;
  }
}

static void place_presets(Decoder *decoder) {
  const KernelCode *kernel = decoder->kernel;
  for (uint32_t i = 0; i < kernel->slot_count; i++) {
    const Slot *slot = &kernel->slots[i];
    if (slot->kind == SLOT_REGISTER)
      continue;
    RegisterBase base = base_of(slot);
    decoder->places[i].ref = decode_reserve(decoder, base, (RegisterClass)decoder->classes[i]);
    array_push(decoder->arena, &decoder->code->presets[base],
               (Preset){.value = decoder->places[i], .slot = slot});
  }
}

// --- operands

static Value constant_value(Decoder *decoder, uint64_t constant, RegisterClass class) {
  EmuCode *code = decoder->code;
  if (class == CLASS_32)
    constant &= 0xffffffff;
  for (uint32_t i = 0; i < code->presets[BASE_GRID].count; i++) {
    const Preset *preset = &code->presets[BASE_GRID].items[i];
    if (!preset->slot && preset->constant == constant && preset->value.class == class)
      return preset->value;
  }
  Value value = {decode_reserve(decoder, BASE_GRID, class), (uint8_t) class, 0};
  array_push(decoder->arena, &code->presets[BASE_GRID],
             (Preset){.value = value, .constant = constant});
  return value;
}

static RegisterClass class_of_type(uint8_t type) {
  uint32_t bits = alu_type_bits((AluType)type);
  return bits == 1 ? CLASS_PREDICATE : bits <= 32 ? CLASS_32 : CLASS_64;
}

// The class that a constant operand is to have.
static RegisterClass wanted_class(const Instruction *instruction, uint32_t i) {
  switch (instruction->op) {
  case IR_ALU: {
    AluSignature signature = alu_signature(instruction->alu);
    return i < ALU_MAX_OPERANDS && i < signature.operand_count
               ? class_of_type(signature.operands[i])
               : CLASS_64;
  }
  case IR_STORE:
  case IR_ATOM:
  case IR_RED:
  case IR_STORE_ASYNC:
    return instruction->size <= 4 ? CLASS_32 : CLASS_64;
  case IR_COLLECTIVE:
  case IR_BARRIER:
  case IR_BARRIER_WARP:
    return CLASS_32;
  default:
    return CLASS_64;
  }
}

static Value operand_value(Decoder *decoder, const Operand *operand, RegisterClass wanted) {
  switch (operand->kind) {
  case OPERAND_REGISTER:
    return decoder->places[operand->index];
  case OPERAND_CONSTANT:
    return constant_value(decoder,
                          wanted == CLASS_PREDICATE ? (uint64_t)operand->constant & 1
                                                    : (uint64_t)operand->constant,
                          wanted);
  default:
    return (Value){REF_NONE, CLASS_64, 0};
  }
}

// Registers of 8 and 16 bits have zeros above them, and so do constants that are used as such: the
// fast functions look at all 32.
static Operand operand_at(const Instruction *instruction, uint32_t i) {
  Operand operand = instruction->src[i];
  if (instruction->op != IR_ALU || operand.kind != OPERAND_CONSTANT || i >= ALU_MAX_OPERANDS)
    return operand;
  AluSignature signature = alu_signature(instruction->alu);
  uint32_t bits = alu_type_bits((AluType)signature.operands[i]);
  if (i < signature.operand_count && bits < 32)
    operand.constant &= (int64_t)((1u << bits) - 1);
  return operand;
}

static Value definition_value(const Decoder *decoder, uint32_t slot) {
  return slot == UINT32_MAX ? (Value){REF_NONE, CLASS_64, 0} : decoder->places[slot];
}

// --- ops

// Does each operand lie as the type of the operation says? Only then may a fast function run.
static bool matches_signature(const Op *op, const AluOperation *operation) {
  AluSignature signature = alu_signature(operation);
  for (uint32_t i = 0; i < signature.operand_count; i++) {
    uint32_t bits = alu_type_bits((AluType)signature.operands[i]);
    bool is_narrow = op->src[i].bits > 1 && op->src[i].bits < bits;
    if (op->src[i].class != class_of_type(signature.operands[i]) || is_narrow)
      return false;
  }
  uint32_t bits = alu_type_bits((AluType)signature.results[0]);
  return signature.result_count == 1 && op->dst.ref != REF_NONE &&
         op->dst.class == class_of_type(signature.results[0]) &&
         (op->dst.bits <= 1 || op->dst.bits >= bits);
}

static OpRun *select_alu(const Op *op, bool has_avx2) {
  const AluOperation *operation = op->instruction->alu;
  OpRun *fast = matches_signature(op, operation) ? emu_find_vector(operation, has_avx2) : NULL;
  return fast ? fast : op_alu;
}

static bool is_wide(const Instruction *access) {
  return access->size > sizeof(uint64_t);
}

static OpRun *select_run(const Op *op, bool has_avx2) {
  switch (op->instruction->op) {
  case IR_ALU:
    return select_alu(op, has_avx2);
  case IR_NOP:
  case IR_NO_EVENT:
    return op_nothing;
  case IR_PRODUCT_COMMIT:
    return op_product_commit;
  case IR_PRODUCT_WAIT:
    return op_product_wait;
  case IR_PRODUCT_LOAD:
    return op_load;
  case IR_PRODUCT_RESULT:
    return op_move;
  case IR_MOVE:
    return op_move;
  case IR_BRANCH:
    return op_branch_for(op);
  case IR_LOAD:
    return is_wide(op->instruction) ? op_wide : op_load;
  case IR_STORE:
    return is_wide(op->instruction) ? op_wide : op_store;
  case IR_ATOM:
  case IR_RED:
    return is_wide(op->instruction) ? op_wide : op_atomic;
  case IR_FENCE:
  case IR_FENCE_PROXY:
    return op_fence;
  case IR_BARRIER:
    return op_barrier;
  case IR_BARRIER_WARP:
    return op_barrier_warp;
  case IR_CLUSTER_ARRIVE:
    return op_cluster_arrive;
  case IR_CLUSTER_WAIT:
    return op_cluster_wait;
  case IR_COLLECTIVE:
    return op_collective;
  case IR_EXIT:
    return op_exit;
  case IR_TRAP:
    return op_trap;
  case IR_ADDRESS:
    return op_address;
  case IR_CLOCK:
    return op_clock;
  case IR_MBARRIER:
    return op->instruction->mbarrier == MBARRIER_PENDING ? op_pending_count : op_mbarrier;
  case IR_COPY_ASYNC:
    return op_copy_async;
  case IR_COPY_COMMIT:
  case IR_BULK_COMMIT:
    return op_copy_commit;
  case IR_COPY_WAIT_GROUP:
  case IR_BULK_WAIT:
    return op_copy_wait;
  case IR_COPY_ARRIVE:
    return op_copy_arrive;
  case IR_BULK_COPY:
  case IR_STORE_ASYNC:
    return op_bulk_copy;
  case IR_TENSOR_COPY:
    return op_tensor_copy;
  case IR_GRID_DEPENDENTS:
    return op_grid_dependents;
  case IR_GRID_WAIT:
    return op_grid_wait;
  case IR_BRANCH_INDEX:
    return op_branch_index;
  default:
    return op->instruction->op >= IR_ADD && op->instruction->op <= IR_SET_GE ? op_compute
                                                                             : op_unsupported;
  }
}

static void note_features(EmuCode *code, const Instruction *instruction) {
  IrOp op = instruction->op;
  code->has_copies |= op == IR_COPY_ASYNC || op == IR_COPY_COMMIT || op == IR_COPY_WAIT_GROUP ||
                      op == IR_BULK_COPY || op == IR_BULK_COMMIT || op == IR_BULK_WAIT ||
                      op == IR_STORE_ASYNC || op == IR_TENSOR_COPY;
  code->has_mbarriers |= op == IR_MBARRIER;
  code->ends_mbarriers |= op == IR_MBARRIER && instruction->mbarrier == MBARRIER_INVALIDATE;
}

static void fill_op(Decoder *decoder, uint32_t i, Op *op, bool has_avx2) {
  const Instruction *instruction = &decoder->kernel->instructions[i];
  op->instruction = instruction;
  op->dst = definition_value(decoder, instruction->dst);
  for (uint32_t j = 0; j < 3; j++)
    op->more[j] = definition_value(decoder, instruction->more[j]);
  for (uint32_t j = 0; j < 5; j++) {
    Operand operand = operand_at(instruction, j);
    op->src[j] = operand_value(decoder, &operand, wanted_class(instruction, j));
  }
  op->address = operand_value(decoder, &instruction->address, CLASS_64);
  op->cache = decoder->code->cache_count++;
  note_features(decoder->code, instruction);
  if (instruction->op == IR_BRANCH)
    op->target = decoder->op_of[instruction->target];
  if (instruction->target_count) {
    uint32_t *targets = ARENA_ARRAY(decoder->arena, uint32_t, instruction->target_count);
    for (uint32_t j = 0; j < instruction->target_count; j++)
      targets[j] = decoder->op_of[instruction->targets[j]];
    op->targets = targets;
  }
  op->run = select_run(op, has_avx2);
  op->guard.ref = REF_NONE;
  uint32_t guard = decoder->guards[i];
  if (guard == UINT32_MAX)
    return;
  const Instruction *branch = &decoder->kernel->instructions[guard];
  op->guard = decoder->places[branch->src[0].index];
  op->guard_is_negated = branch->compare == IR_SET_NE;
  op->inner = op->run;
  op->run = instruction->op == IR_BRANCH ? op_branch_guarded : op_guarded;
}

static void number_ops(Decoder *decoder) {
  uint32_t count = decoder->kernel->instruction_count, next = 0;
  for (uint32_t i = 0; i < count; i++) {
    decoder->op_of[i] = next;
    next += !is_fused(decoder, i);
  }
  decoder->op_of[count] = next;
  decoder->code->op_count = next;
}

// The end of the code, where threads exit.
static const Instruction *end_instruction(const Decoder *decoder) {
  Instruction *end = ARENA_NEW(decoder->arena, Instruction);
  *end = (Instruction){.op = IR_EXIT, .dst = UINT32_MAX, .text = "the end of the code"};
  if (decoder->kernel->instruction_count)
    end->span = decoder->kernel->instructions[decoder->kernel->instruction_count - 1].span;
  return end;
}

static void fill_ops(Decoder *decoder) {
  EmuCode *code = decoder->code;
  bool has_avx2 = emu_has_avx2();
  code->ops = ARENA_ARRAY(decoder->arena, Op, code->op_count + 1);
  for (uint32_t i = 0; i < decoder->kernel->instruction_count; i++)
    if (!is_fused(decoder, i))
      fill_op(decoder, i, &code->ops[decoder->op_of[i]], has_avx2);
  code->ops[code->op_count] =
      (Op){.run = op_exit, .guard = {.ref = REF_NONE}, .instruction = end_instruction(decoder)};
}

const EmuCode *emu_decode(const KernelCode *kernel, Arena *arena) {
  uint32_t count = kernel->instruction_count;
  Decoder decoder = {.kernel = kernel, .code = ARENA_NEW(arena, EmuCode), .arena = arena};
  decoder.code->kernel = kernel;
  decoder.is_target = ARENA_ARRAY(arena, bool, count + 1);
  decoder.guards = ARENA_ARRAY(arena, uint32_t, count + 1);
  decoder.op_of = ARENA_ARRAY(arena, uint32_t, count + 1);
  decoder.classes = ARENA_ARRAY(arena, uint8_t, kernel->slot_count + 1);
  decoder.places = ARENA_ARRAY(arena, Value, kernel->slot_count + 1);
  find_targets(&decoder);
  classify(&decoder);
  find_guards(&decoder);
  number_ops(&decoder);
  place_presets(&decoder);
  decode_place_registers(&decoder);
  fill_ops(&decoder);
  decoder.code->places = decoder.places;
  return decoder.code;
}
