#include "explore/symmetry.h"

#include "explore/contended.h"
#include "explore/kernel.h"
#include "ir/alu.h"

#include <assert.h>

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// --- members

static uint32_t thread_of(const Search *search, const SymmetryGroup *group, uint32_t member,
                          uint32_t index) {
  return group->is_of_threads ? group->first + member
                              : search->program->blocks[group->first + member].threads[index];
}

const SymmetryGroup *symmetry_group(const Search *search, uint32_t thread) {
  const Symmetry *symmetry = search->symmetry;
  return symmetry->group_of[thread] ? &symmetry->groups[symmetry->group_of[thread] - 1] : NULL;
}

uint32_t symmetry_peer(const Search *search, uint32_t thread, uint32_t member) {
  return thread_of(search, symmetry_group(search, thread), member,
                   search->symmetry->index_of[thread]);
}

// --- set-up

static void add_group(Search *search, const SymmetryGroup *group, uint32_t first) {
  Symmetry *symmetry = search->symmetry;
  uint32_t number = symmetry->group_count++;
  symmetry->groups[number] = *group;
  symmetry->first_of[number] = first;
  for (uint32_t m = 0; m < group->member_count; m++)
    for (uint32_t i = 0; i < group->size; i++) {
      uint32_t thread = thread_of(search, group, m, i);
      symmetry->group_of[thread] = number + 1;
      symmetry->member_of[thread] = m;
      symmetry->index_of[thread] = i;
    }
}

static uint32_t add_groups(Search *search) {
  const Program *program = search->program;
  uint32_t member_count = 0;
  for (uint32_t i = 0; i < program->grid_count; i++) {
    SymmetryGroup group;
    if (!symmetry_find_group(program, &program->grids[i], search->contended->keeps_blocks, &group))
      continue;
    add_group(search, &group, member_count);
    member_count += group.member_count;
  }
  return member_count;
}

static void taint_thread(Search *search, uint32_t thread) {
  Symmetry *symmetry = search->symmetry;
  const SymmetryGroup *group = symmetry_group(search, thread);
  const Code *code = &search->codes[thread];
  uint32_t count = code->thread->register_count;
  uint64_t numbers[SYMMETRY_MOST_MEMBERS];
  symmetry->taints[thread] = ARENA_ARRAY(search->arena, Taint, count + 1);
  for (uint32_t h = 0; h < code->header_count; h++)
    search->threads[thread].headers[h].taints = ARENA_ARRAY(search->arena, uint64_t, count + 1);
  for (uint32_t r = 0; group && r < count; r++) {
    for (uint32_t m = 0; m < group->member_count; m++)
      numbers[m] =
          (uint64_t)search->program->threads[symmetry_peer(search, thread, m)].registers[r].initial;
    symmetry->taints[thread][r] = symmetry_vector(search, thread, numbers);
  }
}

static bool is_wanted(const Search *search) {
  const Contended *contended = search->contended;
  return search->kernel && contended && contended->symmetry == SYMMETRY_ON &&
         search_merges(search) && !contended->tests_fail && !contended->time_passes &&
         contended->pace == PACE_EAGER && !contended->turns;
}

void symmetry_begin(Search *search) {
  const Program *program = search->program;
  Arena *arena = search->arena;
  if (!is_wanted(search))
    return;
  Symmetry *symmetry = search->symmetry = ARENA_NEW(arena, Symmetry);
  symmetry->groups = ARENA_ARRAY(arena, SymmetryGroup, program->grid_count);
  symmetry->first_of = ARENA_ARRAY(arena, uint32_t, program->grid_count);
  symmetry->group_of = ARENA_ARRAY(arena, uint32_t, program->thread_count);
  symmetry->member_of = ARENA_ARRAY(arena, uint32_t, program->thread_count);
  symmetry->index_of = ARENA_ARRAY(arena, uint32_t, program->thread_count);
  symmetry->taints = ARENA_ARRAY(arena, Taint *, program->thread_count);
  symmetry->decided = ARENA_ARRAY(arena, uint64_t, bits_words(add_groups(search)) + 1);
  symmetry->asleep = ARENA_ARRAY(arena, uint64_t, search->graph.words);
  symmetry->late = ARENA_ARRAY(arena, uint64_t, search->graph.words);
  symmetry->location_claims = ARENA_ARRAY(arena, uint64_t, search->graph.location_capacity);
  symmetry->event_taints = ARENA_ARRAY(arena, Taint, search->graph.capacity);
  for (uint32_t t = 0; t < program->thread_count; t++)
    taint_thread(search, t);
}

// --- beginning and giving up

void symmetry_break(Search *search) {
  if (search->symmetry->is_broken)
    return;
  search->symmetry->is_broken = true;
  bool splits = symmetry_splits_blocks(search->program, search->contended->keeps_blocks);
  search_start_again(search, (Restart){.kind = splits ? RESTART_BLOCKS : RESTART_APART});
}

// --- taints

static bool is_same_vector(const Symmetry *symmetry, uint32_t vector, uint32_t group,
                           const uint64_t *numbers) {
  const TaintVector *found = &symmetry->vectors.items[vector];
  if (found->group != group)
    return false;
  for (uint32_t m = 0; m < symmetry->groups[group].member_count; m++)
    if (found->numbers[m] != numbers[m])
      return false;
  return true;
}

static uint64_t hash_vector(const Symmetry *symmetry, uint32_t group, const uint64_t *numbers) {
  uint64_t hash = group + 1;
  for (uint32_t m = 0; m < symmetry->groups[group].member_count; m++)
    hash = search_mix(hash * 3 + numbers[m]);
  return hash;
}

static uint32_t *find_slot(const Symmetry *symmetry, uint32_t group, const uint64_t *numbers) {
  uint32_t mask = symmetry->vector_slot_count - 1;
  uint32_t i = (uint32_t)hash_vector(symmetry, group, numbers) & mask;
  while (symmetry->vector_slots[i] &&
         !is_same_vector(symmetry, symmetry->vector_slots[i] - 1, group, numbers))
    i = (i + 1) & mask;
  return &symmetry->vector_slots[i];
}

enum { FIRST_SLOTS = 256 };

static void grow_vectors(Search *search) {
  Symmetry *symmetry = search->symmetry;
  if (2 * symmetry->vectors.count < symmetry->vector_slot_count)
    return;
  uint32_t count = symmetry->vector_slot_count ? 2 * symmetry->vector_slot_count : FIRST_SLOTS;
  symmetry->vector_slots = ARENA_ARRAY(search->arena, uint32_t, count);
  symmetry->vector_slot_count = count;
  for (uint32_t v = 0; v < symmetry->vectors.count; v++)
    *find_slot(symmetry, symmetry->vectors.items[v].group, symmetry->vectors.items[v].numbers) =
        v + 1;
}

Taint symmetry_vector(Search *search, uint32_t thread, const uint64_t *numbers) {
  Symmetry *symmetry = search->symmetry;
  uint32_t group = symmetry->group_of[thread] - 1;
  uint32_t count = symmetry->groups[group].member_count;
  bool is_same = true;
  for (uint32_t m = 1; m < count; m++)
    is_same = is_same && numbers[m] == numbers[0];
  if (is_same)
    return TAINT_NONE;
  grow_vectors(search);
  uint32_t *slot = find_slot(symmetry, group, numbers);
  if (!*slot) {
    uint64_t *copy = ARENA_ARRAY(search->arena, uint64_t, count);
    for (uint32_t m = 0; m < count; m++)
      copy[m] = numbers[m];
    array_push(search->arena, &symmetry->vectors, (TaintVector){group, copy});
    *slot = symmetry->vectors.count;
  }
  return *slot + 1ull;
}

uint64_t symmetry_number(const Search *search, Taint taint, uint64_t number, uint32_t member) {
  assert(taint != TAINT_UNKNOWN);
  return taint == TAINT_NONE ? number : search->symmetry->vectors.items[taint - 2].numbers[member];
}

Taint symmetry_operand(const Search *search, uint32_t thread, const Operand *operand) {
  return operand->kind == OPERAND_REGISTER ? search->symmetry->taints[thread][operand->index]
                                           : TAINT_NONE;
}

void symmetry_set(Search *search, uint32_t thread, uint32_t reg, Taint taint) {
  if (reg != UINT32_MAX)
    set(search, &search->symmetry->taints[thread][reg], taint);
}

uint64_t symmetry_begin_as(Search *search, uint32_t thread, const Operand *operand,
                           uint32_t member) {
  uint64_t number;
  Taint taint = symmetry_operand(search, thread, operand);
  if (taint == TAINT_NONE || !kernel_number(search, thread, operand, &number))
    return 0;
  uint64_t *word = &search->threads[thread].registers[operand->index], kept = *word;
  number = symmetry_number(search, taint, number, member);
  *word = values_constant(&search->values, (int64_t)number);
  return kept;
}

void symmetry_end_as(Search *search, uint32_t thread, const Operand *operand, uint64_t word) {
  if (symmetry_operand(search, thread, operand) != TAINT_NONE)
    search->threads[thread].registers[operand->index] = word;
}

void symmetry_move(Search *search, uint32_t thread, const Instruction *instruction) {
  symmetry_set(search, thread, instruction->dst,
               symmetry_operand(search, thread, &instruction->src[0]));
}

// --- computing

static bool has_taint(const Search *search, uint32_t thread, const Instruction *instruction) {
  for (uint32_t i = 0; i < sizeof instruction->src / sizeof *instruction->src; i++)
    if (symmetry_operand(search, thread, &instruction->src[i]) != TAINT_NONE)
      return true;
  return false;
}

static void compute_for_all(Search *search, uint32_t thread, const Instruction *instruction,
                            const uint64_t *operands, const Taint *taints, Taint *results) {
  uint64_t numbers[ALU_MAX_RESULTS][SYMMETRY_MOST_MEMBERS];
  uint64_t own[ALU_MAX_OPERANDS] = {0}, found[ALU_MAX_RESULTS] = {0};
  uint32_t count = alu_operand_count(instruction->alu);
  uint32_t result_count = alu_result_count(instruction->alu);
  for (uint32_t m = 0; m < symmetry_group(search, thread)->member_count; m++) {
    for (uint32_t i = 0; i < count; i++)
      own[i] = symmetry_number(search, taints[i], operands[i], m);
    alu_compute(instruction->alu, own, found);
    for (uint32_t r = 0; r < result_count; r++)
      numbers[r][m] = found[r];
  }
  for (uint32_t r = 0; r < result_count; r++)
    results[r] = symmetry_vector(search, thread, numbers[r]);
}

void symmetry_compute(Search *search, uint32_t thread, const Instruction *instruction,
                      const uint64_t *operands, Taint *results) {
  Taint taints[ALU_MAX_OPERANDS];
  bool is_tainted = false, is_unknown = !operands;
  for (uint32_t i = 0; i < alu_operand_count(instruction->alu); i++) {
    taints[i] = symmetry_operand(search, thread, &instruction->src[i]);
    is_tainted = is_tainted || taints[i] != TAINT_NONE;
    is_unknown = is_unknown || taints[i] == TAINT_UNKNOWN;
  }
  for (uint32_t r = 0; r < ALU_MAX_RESULTS; r++)
    results[r] = is_tainted ? TAINT_UNKNOWN : TAINT_NONE;
  if (is_tainted && !is_unknown)
    compute_for_all(search, thread, instruction, operands, taints, results);
}

// Without taint the result is the same for all, since nobody has a cluster.
Taint symmetry_convert(Search *search, uint32_t thread, const Instruction *instruction,
                       uint64_t address, uint64_t operand) {
  uint64_t numbers[SYMMETRY_MOST_MEMBERS];
  Taint first = symmetry_operand(search, thread, &instruction->src[0]);
  Taint second = symmetry_operand(search, thread, &instruction->src[1]);
  if (first == TAINT_NONE && second == TAINT_NONE)
    return TAINT_NONE;
  if (first == TAINT_UNKNOWN || second == TAINT_UNKNOWN)
    return TAINT_UNKNOWN;
  for (uint32_t m = 0; m < symmetry_group(search, thread)->member_count; m++)
    numbers[m] = memory_convert(search->program, symmetry_peer(search, thread, m),
                                (AddressConversion)instruction->conversion,
                                symmetry_number(search, first, address, m),
                                symmetry_number(search, second, operand, m));
  return symmetry_vector(search, thread, numbers);
}

// --- what an instruction may do with a taint

// Would all members take the same way? Requires: a register is tainted.
static bool is_same_way(const Search *search, uint32_t thread, const Instruction *instruction) {
  int64_t operands[2];
  Taint taints[2];
  uint32_t taken = 0, count = symmetry_group(search, thread)->member_count;
  for (uint32_t i = 0; i < 2; i++) {
    const Operand *operand = &instruction->src[i];
    taints[i] = symmetry_operand(search, thread, operand);
    operands[i] = operand->constant;
    if (taints[i] == TAINT_UNKNOWN)
      return false;
    if (operand->kind == OPERAND_REGISTER &&
        !value_evaluate(&search->values, &search->graph,
                        (ValueId)search->threads[thread].registers[operand->index], &operands[i]))
      return true; // the thread waits, and comes back here
  }
  for (uint32_t m = 0; m < count; m++) {
    uint64_t first = symmetry_number(search, taints[0], (uint64_t)operands[0], m);
    uint64_t second = symmetry_number(search, taints[1], (uint64_t)operands[1], m);
    taken += ir_compute(instruction->compare, (int64_t)first, (int64_t)second) != 0;
  }
  return taken == 0 || taken == count;
}

// bar.warp.sync is the same for all threads if all of them take part, in one warp.
static bool is_for_all(const Search *search, uint32_t thread, const Instruction *instruction) {
  const SymmetryGroup *group = symmetry_group(search, thread);
  const Operand *mask = &instruction->src[3];
  int64_t number = mask->constant;
  if (!group->is_of_threads || group->member_count > 32)
    return !group->is_of_threads;
  uint64_t all = (1ull << group->member_count) - 1;
  return (mask->kind != OPERAND_REGISTER ||
          value_evaluate(&search->values, &search->graph,
                         (ValueId)search->threads[thread].registers[mask->index], &number)) &&
         ((uint64_t)number & all) == all;
}

// What lanes give each other may differ between blocks, but not who they are.
static bool may_be_exchanged(const Search *search, uint32_t thread,
                             const Instruction *instruction) {
  for (uint32_t i = 1; i < sizeof instruction->src / sizeof *instruction->src; i++)
    if (symmetry_operand(search, thread, &instruction->src[i]) != TAINT_NONE)
      return false;
  return symmetry_operand(search, thread, &instruction->src[0]) != TAINT_UNKNOWN;
}

static bool is_symmetric(const Search *search, uint32_t thread, const Instruction *instruction) {
  const SymmetryGroup *group = symmetry_group(search, thread);
  if (instruction->size > sizeof(uint64_t) || instruction->map_words)
    return false;
  switch (instruction->op) {
  case IR_MOVE:
  case IR_ALU:
  case IR_ADDRESS:
  case IR_LOAD:  // see symmetry_claim
  case IR_STORE: // and symmetry_stored
  case IR_NO_EVENT:
  case IR_EXIT:
  case IR_FENCE:
  case IR_FENCE_PROXY:
  case IR_TRAP:
  case IR_CLOCK:
    return true;
  case IR_BRANCH:
    return instruction->compare == IR_NOP || !has_taint(search, thread, instruction) ||
           is_same_way(search, thread, instruction);
  case IR_ATOM:
  case IR_RED:
    return !has_taint(search, thread, instruction);
  case IR_BARRIER:
    return !has_taint(search, thread, instruction) &&
           (!group->is_of_threads || instruction->src[1].kind == OPERAND_NONE);
  case IR_BARRIER_WARP:
    return !has_taint(search, thread, instruction) && is_for_all(search, thread, instruction);
  case IR_COLLECTIVE:
    return !group->is_of_threads && may_be_exchanged(search, thread, instruction);
  case IR_MBARRIER:
    return !has_taint(search, thread, instruction) && !group->is_of_threads;
  default:
    return false;
  }
}

void symmetry_check(Search *search, uint32_t thread, const Instruction *instruction) {
  if (search->symmetry->group_of[thread] && !is_symmetric(search, thread, instruction))
    symmetry_break(search);
}

// --- loops

static bool register_differs(const Search *search, uint32_t thread, const HeaderVisit *visit,
                             uint32_t reg, uint32_t member) {
  Taint now = search->symmetry->taints[thread][reg], before = visit->taints[reg];
  int64_t number, old;
  uint64_t value = search->threads[thread].registers[reg], old_value = visit->registers[reg];
  // What is not known yet is not known for any of them, and is no reason to wait.
  if (!value_evaluate(&search->values, &search->graph, (ValueId)value, &number) ||
      !value_evaluate(&search->values, &search->graph, (ValueId)old_value, &old))
    return value != old_value;
  if (now == TAINT_UNKNOWN || before == TAINT_UNKNOWN)
    return false;
  return symmetry_number(search, now, (uint64_t)number, member) !=
         symmetry_number(search, before, (uint64_t)old, member);
}

static bool state_differs(const Search *search, uint32_t thread, const HeaderVisit *visit,
                          uint32_t member) {
  const Code *code = &search->codes[thread];
  for (uint32_t r = 0; r < code->thread->register_count; r++)
    if (code_is_live(code, (uint32_t)search->threads[thread].pc, r) &&
        register_differs(search, thread, visit, r, member))
      return true;
  return false;
}

static bool taints_are_same(const Search *search, uint32_t thread, const HeaderVisit *visit) {
  const Code *code = &search->codes[thread];
  for (uint32_t r = 0; r < code->thread->register_count; r++) {
    Taint now = search->symmetry->taints[thread][r];
    if (code_is_live(code, (uint32_t)search->threads[thread].pc, r) &&
        (now != visit->taints[r] || now == TAINT_UNKNOWN))
      return false;
  }
  return true;
}

static bool has_live_taint(const Search *search, uint32_t thread, const HeaderVisit *visit) {
  const Code *code = &search->codes[thread];
  for (uint32_t r = 0; r < code->thread->register_count; r++)
    if (code_is_live(code, (uint32_t)search->threads[thread].pc, r) &&
        (search->symmetry->taints[thread][r] != TAINT_NONE || visit->taints[r] != TAINT_NONE))
      return true;
  return false;
}

void symmetry_check_header(Search *search, uint32_t thread, const HeaderVisit *visit,
                           bool is_same) {
  const SymmetryGroup *group = symmetry_group(search, thread);
  if (!group || !has_live_taint(search, thread, visit))
    return;
  if (is_same && !taints_are_same(search, thread, visit))
    symmetry_break(search);
  for (uint32_t m = 0; !is_same && m < group->member_count; m++)
    if (!state_differs(search, thread, visit, m))
      symmetry_break(search);
}

void symmetry_note_header(Search *search, uint32_t thread, HeaderVisit *visit) {
  for (uint32_t r = 0; r < search->codes[thread].thread->register_count; r++)
    set(search, &visit->taints[r], search->symmetry->taints[thread][r]);
}
