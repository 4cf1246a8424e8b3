#include "explore/contended.h"

#include <stdlib.h>
#include <string.h>

// --- notes

void notes_init(Notes *notes, const Contended *contended, Arena *arena) {
  uint32_t count = contended->locations.count;
  *notes = (Notes){
      .arena = arena, .location_count = count, .are_crowded = ARENA_ARRAY(arena, bool, count + 1)};
}

void timed_threads_add(TimedThreads *timed, uint32_t thread) {
  uint32_t place = timed->count;
  while (place > 0 && timed->items[place - 1] > thread)
    place--;
  if (place == CONTENDED_MOST_TIMED || (place > 0 && timed->items[place - 1] == thread))
    return;
  if (timed->count < CONTENDED_MOST_TIMED)
    timed->count++;
  for (uint32_t i = timed->count - 1; i > place; i--)
    timed->items[i] = timed->items[i - 1];
  timed->items[place] = thread;
}

static FallibleTest *find_test(FallibleTest *tests, uint32_t count, const Instruction *test) {
  for (uint32_t i = 0; i < count; i++)
    if (tests[i].test == test)
      return &tests[i];
  return NULL;
}

void notes_add_test(Notes *notes, FallibleTest test) {
  FallibleTest *known = find_test(notes->tests.items, notes->tests.count, test.test);
  if (!known)
    array_push(notes->arena, &notes->tests, test);
  else if (test.thread < known->thread)
    known->thread = test.thread;
}

bool contended_has_test(const Contended *contended, const Notes *notes, const Instruction *test,
                        uint32_t thread) {
  if (find_test(contended->tests.items, contended->tests.count, test))
    return true;
  const FallibleTest *known = find_test(notes->tests.items, notes->tests.count, test);
  return known && known->thread <= thread;
}

void notes_merge(Notes *into, const Notes *from) {
  for (uint32_t i = 0; i < from->tests.count; i++)
    notes_add_test(into, from->tests.items[i]);
  for (uint32_t i = 0; i < from->timed.count; i++)
    timed_threads_add(&into->timed, from->timed.items[i]);
  into->was_sampled |= from->was_sampled;
  into->phases_race |= from->phases_race;
  into->counts_race |= from->counts_race;
  into->contested_barriers |= from->contested_barriers;
  into->has_twins |= from->has_twins;
  for (uint32_t i = 0; i < from->location_count; i++)
    into->are_crowded[i] |= from->are_crowded[i];
}

// --- what they change

// Where a test is, which is the same however the search came to it.
typedef struct TestPlace {
  FallibleTest test;
  uint32_t grid, instruction;
} TestPlace;

static int compare_places(const void *a, const void *b) {
  const TestPlace *first = a, *second = b;
  if (first->grid != second->grid)
    return first->grid < second->grid ? -1 : 1;
  return first->instruction == second->instruction  ? 0
         : first->instruction < second->instruction ? -1
                                                    : 1;
}

static void learn_tests(Contended *contended, const Notes *notes, const Program *program) {
  TestPlace *places = ARENA_ARRAY(contended->arena, TestPlace, notes->tests.count + 1);
  for (uint32_t i = 0; i < notes->tests.count; i++) {
    FallibleTest test = notes->tests.items[i];
    const Thread *thread = &program->threads[test.thread];
    places[i] = (TestPlace){test, thread->grid, (uint32_t)(test.test - thread->instructions)};
  }
  qsort(places, notes->tests.count, sizeof *places, compare_places);
  for (uint32_t i = 0; i < notes->tests.count; i++)
    array_push(contended->arena, &contended->tests, places[i].test);
}

void contended_learn(Contended *contended, const Notes *notes, const Program *program) {
  learn_tests(contended, notes, program);
  for (uint32_t i = 0; i < notes->timed.count; i++)
    timed_threads_add(&contended->timed, notes->timed.items[i]);
  contended->was_sampled |= notes->was_sampled;
  contended->phases_race |= notes->phases_race;
  contended->counts_race |= notes->counts_race;
  contended->contested_barriers |= notes->contested_barriers;
  contended->has_twins |= notes->has_twins;
}

uint64_t contended_symmetry_steps(const Contended *contended, uint32_t capacity) {
  static const uint64_t without[] = {1 << 10, 1 << 18}, with[] = {1 << 16, 1 << 20};
  bool is_on = contended->symmetry == SYMMETRY_ON;
  uint64_t steps = (is_on ? with : without)[contended->attempts];
  uint64_t scaled = steps * CONTENDED_SMALL_CAPACITY / capacity;
  return scaled < without[0] ? without[0] : scaled;
}

void contended_restart(Contended *contended, const Restart *restart, const Notes *notes) {
  switch (restart->kind) {
  case RESTART_LOCATION:
    array_push(contended->arena, &contended->locations,
               (ContendedLocation){.address = restart->address});
    break;
  case RESTART_WORD:
    array_push(contended->arena, &contended->words, restart->address);
    break;
  case RESTART_POLLS:
    contended->keeps_polls = true;
    break;
  case RESTART_CUT:
    contended->has_cut = true;
    break;
  case RESTART_TICKETS:
    array_push(contended->arena, &contended->told_apart, restart->address);
    break;
  case RESTART_SPLIT:
    array_push(contended->arena, &contended->splits,
               ((TicketSplit){.address = restart->address, .number = restart->number}));
    break;
  case RESTART_UNEVEN:
    array_push(contended->arena, &contended->uneven, restart->computation);
    break;
  case RESTART_ORDERS:
    for (uint32_t i = 0; i < notes->location_count; i++)
      contended->locations.items[i].is_sampled |= notes->are_crowded[i];
    break;
  case RESTART_SYMMETRY:
    contended->symmetry = SYMMETRY_ON;
    break;
  case RESTART_BLOCKS:
    contended->keeps_blocks = true;
    break;
  case RESTART_APART:
    contended->symmetry = SYMMETRY_OFF;
    break;
  case RESTART_LONG:
    contended->attempts++;
    contended->symmetry =
        contended->attempts == SYMMETRY_MOST_ATTEMPTS ? SYMMETRY_OFF : SYMMETRY_LATER;
  }
}
