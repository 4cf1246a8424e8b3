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

bool kernel_branches_on_clock(const Thread *code, Arena *arena) {
  bool is_found = false;
  ArenaMark mark = arena_mark(arena);
  uint64_t *timed = ARENA_ARRAY(arena, uint64_t, bits_words(code->register_count + 1));
  find_timed(code, timed);
  for (uint32_t i = 0; i < code->instruction_count; i++) {
    const Instruction *instruction = &code->instructions[i];
    is_found = is_found ||
               (instruction->op == IR_BRANCH &&
                (is_timed(timed, &instruction->src[0]) || is_timed(timed, &instruction->src[1])));
  }
  arena_reset(arena, mark);
  return is_found;
}

static void note_thread(Contended *contended, uint32_t thread) {
  for (uint32_t i = 0; i < contended->timed_thread_count; i++)
    if (contended->timed_threads[i] == thread)
      return;
  if (contended->timed_thread_count < CONTENDED_MOST_TIMED)
    contended->timed_threads[contended->timed_thread_count++] = thread;
}

void kernel_read_clock(Search *search, uint32_t thread, const Instruction *instruction) {
  Contended *contended = search->contended;
  ThreadState *state = &search->threads[thread];
  if (instruction->conversion)
    note_thread(contended, thread);
  if (instruction->conversion && contended->time_passes &&
      (contended->timed_thread == CONTENDED_ANY_THREAD || contended->timed_thread == thread))
    trail_set(&search->trail, &state->clock, state->clock + JUMP);
  uint64_t shown = instruction->conversion ? state->clock : 0;
  kernel_set_register(search, thread, instruction->dst,
                      values_constant(&search->values, (int64_t)shown));
}
