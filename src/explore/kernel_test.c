// Tests of an mbarrier's phase (test_wait, try_wait) that fail. They may, as long as the thread
// does not know that the phase is over; what they nearly always do then is to try again, so that
// the test can be taken for a wait. Whether they do is found out by following the thread with the
// test's result false, over computations and branches only. Tests for which that does not lead back
// to a try are noted, and for each of them further searches let it fail (explore.c).
#include "explore/contended.h"
#include "explore/kernel.h"
#include "ir/alu.h"

enum { MOST_STEPS = 256, MOST_FAILURES = 8 };

// Registers as they would be.
typedef struct Preview {
  const Search *search;
  uint32_t thread, pc;
  bool *is_changed, *is_known; // of each register
  uint64_t *numbers;
  const Instruction *test; // at which the thread is
  uint64_t address, phase; // that it asks for
} Preview;

static bool find_number(const Preview *preview, const Operand *operand, uint64_t *number) {
  const Search *search = preview->search;
  int64_t found = operand->constant;
  uint32_t reg = operand->index;
  *number = (uint64_t)found;
  if (operand->kind != OPERAND_REGISTER)
    return true;
  if (preview->is_changed[reg]) {
    *number = preview->numbers[reg];
    return preview->is_known[reg];
  }
  bool is_known = value_evaluate(&search->values, &search->graph,
                                 (ValueId)search->threads[preview->thread].registers[reg], &found);
  *number = (uint64_t)found;
  return is_known;
}

static void change(Preview *preview, uint32_t reg, bool is_known, uint64_t number) {
  if (reg == UINT32_MAX)
    return;
  preview->is_changed[reg] = true;
  preview->is_known[reg] = is_known;
  preview->numbers[reg] = number;
}

static void preview_alu(Preview *preview, const Instruction *instruction) {
  uint64_t operands[ALU_MAX_OPERANDS] = {0}, results[ALU_MAX_RESULTS] = {0};
  uint32_t count = alu_operand_count(instruction->alu);
  bool is_known = true;
  for (uint32_t i = 0; i < count; i++)
    is_known = find_number(preview, &instruction->src[i], &operands[i]) && is_known;
  if (is_known)
    alu_compute(instruction->alu, operands, results);
  change(preview, instruction->dst, is_known, results[0]);
  for (uint32_t i = 1; i < ALU_MAX_RESULTS; i++)
    change(preview, instruction->more[i - 1], is_known, results[i]);
}

static void preview_compute(Preview *preview, const Instruction *instruction) {
  uint64_t a, b;
  bool is_known = find_number(preview, &instruction->src[0], &a);
  if (instruction->op == IR_MOVE) {
    change(preview, instruction->dst, is_known, a);
    return;
  }
  is_known = find_number(preview, &instruction->src[1], &b) && is_known;
  change(preview, instruction->dst, is_known,
         (uint64_t)ir_compute(instruction->op, (int64_t)a, (int64_t)b));
}

// False: where it goes is not known.
static bool preview_branch(Preview *preview, const Instruction *instruction) {
  uint64_t a, b;
  bool goes = instruction->compare == IR_NOP;
  if (!goes) {
    if (!find_number(preview, &instruction->src[0], &a) ||
        !find_number(preview, &instruction->src[1], &b))
      return false;
    goes = ir_compute(instruction->compare, (int64_t)a, (int64_t)b) != 0;
  }
  preview->pc = goes ? instruction->target : preview->pc + 1;
  return true;
}

// The mbarrier and the phase that a test asks for.
static bool find_question(const Preview *preview, const Instruction *test, uint64_t *address,
                          uint64_t *phase) {
  bool is_known =
      find_number(preview, &test->address, address) && find_number(preview, &test->src[0], phase);
  *address += (uint64_t)test->offset;
  return is_known;
}

static bool is_another_try(const Preview *preview, const Instruction *instruction) {
  uint64_t address, phase;
  return instruction->mbarrier == preview->test->mbarrier &&
         instruction->space == preview->test->space &&
         find_question(preview, instruction, &address, &phase) && address == preview->address &&
         phase == preview->phase;
}

// Goes on until the thread tries again (true), or does anything else.
static bool leads_to_try(Preview *preview) {
  const Thread *code = preview->search->codes[preview->thread].thread;
  for (uint32_t step = 0; step < MOST_STEPS && preview->pc < code->instruction_count; step++) {
    const Instruction *instruction = &code->instructions[preview->pc];
    switch (instruction->op) {
    case IR_NOP:
    case IR_NO_EVENT:
      break;
    case IR_CLOCK:
      change(preview, instruction->dst, false, 0);
      break;
    case IR_ALU:
      preview_alu(preview, instruction);
      break;
    case IR_BRANCH:
      if (!preview_branch(preview, instruction))
        return false;
      continue;
    case IR_MBARRIER:
      return is_another_try(preview, instruction);
    default:
      if (instruction->op > IR_SET_GE)
        return false;
      preview_compute(preview, instruction);
    }
    preview->pc++;
  }
  return false;
}

static bool is_tried_again(const Search *search, uint32_t thread, const Instruction *test) {
  uint32_t count = search->codes[thread].thread->register_count + 1;
  ArenaMark mark = arena_mark(search->temporary);
  Preview preview = {.search = search,
                     .thread = thread,
                     .pc = (uint32_t)search->threads[thread].pc + 1,
                     .is_changed = ARENA_ARRAY(search->temporary, bool, count),
                     .is_known = ARENA_ARRAY(search->temporary, bool, count),
                     .numbers = ARENA_ARRAY(search->temporary, uint64_t, count),
                     .test = test};
  bool is_again = find_question(&preview, test, &preview.address, &preview.phase);
  change(&preview, test->dst, true, 0);
  is_again = is_again && leads_to_try(&preview);
  arena_reset(search->temporary, mark);
  return is_again;
}

// By an earlier search: tests that this one has noted do not fail in it.
static bool is_old(const Contended *contended, const Instruction *test) {
  for (uint32_t i = 0; i < contended->tests.count; i++)
    if (contended->tests.items[i].test == test)
      return true;
  return false;
}

void kernel_note_test(Search *search, uint32_t thread, const Instruction *test) {
  if (!contended_has_test(search->contended, search->notes, test, thread) &&
      !is_tried_again(search, thread, test))
    notes_add_test(search->notes, (FallibleTest){test, thread});
}

bool kernel_wants_failure(Search *search, uint32_t thread, const Instruction *test,
                          bool *is_known) {
  const Contended *contended = search->contended;
  const ThreadState *state = &search->threads[thread];
  *is_known = true;
  if (!contended->tests_fail || !is_old(contended, test) ||
      (contended->failing_test && contended->failing_test != test) ||
      (contended->failing_thread != CONTENDED_ANY_THREAD && contended->failing_thread != thread) ||
      state->failed_at == state->pc + 1 || state->failures == MOST_FAILURES)
    return false;
  *is_known = kernel_is_settled(search, thread);
  return *is_known;
}

// --- when nobody can go on

static bool is_undecided(const Search *search) {
  uint32_t arrival;
  return search->spurious || !bits_is_empty(search->open_reads, search->graph.words) ||
         barrier_find_choice(search, &arrival) || kernel_count_turns(search);
}

static bool may_fail(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  const Instruction *test = &search->codes[thread].thread->instructions[state->pc];
  const Mbarrier *barrier = kernel_find_mbarrier(search, state->mbarrier);
  bool is_test = test->op == IR_MBARRIER &&
                 (test->mbarrier == MBARRIER_TEST_STATE || test->mbarrier == MBARRIER_TEST_PARITY);
  return is_test && barrier && barrier->is_live && state->failed_at != state->pc + 1 &&
         state->failures < MOST_FAILURES && !is_tried_again(search, thread, test);
}

bool kernel_fail_test(Search *search) {
  if (!search->kernel || is_undecided(search))
    return false;
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    if (search->threads[t].status != THREAD_AT_MBARRIER || !may_fail(search, t))
      continue;
    trail_set(&search->trail, &search->threads[t].status, THREAD_RUNNING);
    trail_set(&search->trail, &search->kernel->failing, t + 1ull);
    return true;
  }
  return false;
}
