// Clocks of kernels. Time stands still, unless a thread may branch on what a clock shows, as one
// does that waits only for so long: then further searches let much time pass between any two looks
// at a clock, of all threads or of one (explore.c).
#include "explore/contended.h"
#include "explore/kernel.h"
#include "ir/alu.h"

// A difference of clocks of 64 bits, and one of 32.
#define JUMP (((uint64_t)1 << 40) + ((uint64_t)1 << 30))

static bool is_timed(const uint64_t *timed, const Operand *operand) {
  return operand->kind == OPERAND_REGISTER && bits_has(timed, operand->index);
}

static bool is_computation(IrOp op) {
  return op == IR_ALU || (op >= IR_MOVE && op <= IR_SET_GE);
}

static bool reads_timed(const uint64_t *timed, const Instruction *instruction) {
  uint32_t count = instruction->op == IR_ALU ? alu_operand_count(instruction->alu) : 2;
  for (uint32_t i = 0; i < count; i++)
    if (is_timed(timed, &instruction->src[i]))
      return true;
  return false;
}

static bool add_register(uint64_t *timed, uint32_t reg) {
  if (reg == UINT32_MAX || bits_has(timed, reg))
    return false;
  bits_add(timed, reg);
  return true;
}

// Registers whose values depend on a clock, without regard to the way of control.
static void find_timed(const Thread *code, uint64_t *timed) {
  bool has_grown = true;
  while (has_grown) {
    has_grown = false;
    for (uint32_t i = 0; i < code->instruction_count; i++) {
      const Instruction *instruction = &code->instructions[i];
      bool is_clock = instruction->op == IR_CLOCK && instruction->conversion;
      if (!is_clock && !(is_computation((IrOp)instruction->op) && reads_timed(timed, instruction)))
        continue;
      has_grown = add_register(timed, instruction->dst) || has_grown;
      for (uint32_t r = 1; r < ALU_MAX_RESULTS && instruction->op == IR_ALU; r++)
        has_grown = add_register(timed, instruction->more[r - 1]) || has_grown;
    }
  }
}

// The ways on from a branch, over computations only, as a pause that grows with time has them: if
// they meet again, and nothing that they compute is used there, it is of no consequence which is
// taken.
enum { MOST_DETOUR = 64 };

typedef struct Detour {
  const Code *code;
  uint32_t passed[MOST_DETOUR], passed_count;
  uint32_t path[MOST_DETOUR], path_length; // the way on which we are
  uint32_t meeting;                        // UINT32_MAX: not known yet
} Detour;

static bool has(const uint32_t *items, uint32_t count, uint32_t item) {
  for (uint32_t i = 0; i < count; i++)
    if (items[i] == item)
      return true;
  return false;
}

static bool is_silent(IrOp op) {
  return is_computation(op) || op == IR_BRANCH || op == IR_NO_EVENT || op == IR_CLOCK ||
         op == IR_NOP;
}

// False: the ways do not meet, or one may go round in circles.
static bool follow(Detour *detour, uint32_t at) {
  const Thread *thread = detour->code->thread;
  if (at == thread->instruction_count || !is_silent((IrOp)thread->instructions[at].op)) {
    bool is_same = detour->meeting == UINT32_MAX || detour->meeting == at;
    detour->meeting = at;
    return is_same;
  }
  if (has(detour->path, detour->path_length, at) || detour->passed_count == MOST_DETOUR)
    return false;
  if (has(detour->passed, detour->passed_count, at))
    return true;
  const Instruction *instruction = &thread->instructions[at];
  bool is_branch = instruction->op == IR_BRANCH;
  detour->passed[detour->passed_count++] = at;
  detour->path[detour->path_length++] = at;
  bool meets = (is_branch && instruction->compare == IR_NOP) || follow(detour, at + 1);
  meets = meets && (!is_branch || follow(detour, instruction->target));
  detour->path_length--;
  return meets;
}

static bool is_used_at(const Code *code, uint32_t at, uint32_t reg) {
  return reg != UINT32_MAX && at < code->thread->instruction_count && code_is_live(code, at, reg);
}

static bool computes_what_is_used(const Detour *detour) {
  for (uint32_t i = 0; i < detour->passed_count; i++) {
    const Instruction *instruction = &detour->code->thread->instructions[detour->passed[i]];
    bool is_branch = instruction->op == IR_BRANCH || instruction->op == IR_NO_EVENT;
    bool is_used = !is_branch && is_used_at(detour->code, detour->meeting, instruction->dst);
    for (uint32_t r = 1; r < ALU_MAX_RESULTS && instruction->op == IR_ALU; r++)
      is_used = is_used || is_used_at(detour->code, detour->meeting, instruction->more[r - 1]);
    if (is_used)
      return true;
  }
  return false;
}

static bool is_of_consequence(const Code *code, uint32_t branch) {
  Detour detour = {.code = code, .meeting = UINT32_MAX};
  return !follow(&detour, branch) || computes_what_is_used(&detour);
}

bool kernel_branches_on_clock(const Code *code, Arena *arena) {
  const Thread *thread = code->thread;
  bool is_found = false;
  ArenaMark mark = arena_mark(arena);
  uint64_t *timed = ARENA_ARRAY(arena, uint64_t, bits_words(thread->register_count + 1));
  find_timed(thread, timed);
  for (uint32_t i = 0; i < thread->instruction_count && !is_found; i++) {
    const Instruction *instruction = &thread->instructions[i];
    is_found = instruction->op == IR_BRANCH &&
               (is_timed(timed, &instruction->src[0]) || is_timed(timed, &instruction->src[1])) &&
               is_of_consequence(code, i);
  }
  arena_reset(arena, mark);
  return is_found;
}

void kernel_read_clock(Search *search, uint32_t thread, const Instruction *instruction) {
  const Contended *contended = search->contended;
  ThreadState *state = &search->threads[thread];
  if (instruction->conversion)
    timed_threads_add(&search->notes->timed, thread);
  if (instruction->conversion && contended->time_passes &&
      (contended->timed_thread == CONTENDED_ANY_THREAD || contended->timed_thread == thread))
    trail_set(&search->trail, &state->clock, state->clock + JUMP);
  uint64_t shown = instruction->conversion ? state->clock : 0;
  kernel_set_register(search, thread, instruction->dst,
                      values_constant(&search->values, (int64_t)shown));
}
