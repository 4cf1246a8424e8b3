#include "explore/work.h"

#include <string.h>

// --- describing

static void reserve(Work *work, uint32_t more, Arena *arena) {
  while (work->capacity < work->count + more)
    work->numbers =
        array_grow(arena, work->numbers, work->capacity, &work->capacity, sizeof *work->numbers);
}

static uint32_t count_tried(const Search *search, const Decision *decision) {
  uint32_t count = decision->has_tried_initial;
  BITS_EACH(source, decision->tried, search->graph.words)
  count += source != EVENT_NONE;
  return count;
}

static void add_tried(Work *work, const Search *search, const Decision *decision, Arena *arena) {
  bool has_tried = search->kernel && decision->kind == DECISION_SOURCE;
  uint32_t count = has_tried ? count_tried(search, decision) : 0;
  reserve(work, count + 1, arena);
  work->numbers[work->count++] = count;
  if (!count)
    return;
  if (decision->has_tried_initial)
    work->numbers[work->count++] = EVENT_INIT;
  BITS_EACH(source, decision->tried, search->graph.words)
  work->numbers[work->count++] = (uint32_t)source;
}

void work_describe(Work *work, const Search *search, uint32_t decision, bool is_deferral,
                   Arena *arena) {
  work->depth = decision + 1;
  work->is_deferral = is_deferral;
  work->count = 0;
  reserve(work, work->depth, arena);
  work->count = work->depth;
  for (uint32_t i = 0; i < work->depth; i++)
    work->numbers[i] = search->decisions[i].choice;
  if (is_deferral)
    work->numbers[decision] = CHOICE_DEFER;
  for (uint32_t i = 0; i < work->depth; i++)
    add_tried(work, search, &search->decisions[i], arena);
}

void work_copy(Work *into, const Work *from, Arena *arena) {
  into->depth = from->depth;
  into->is_deferral = from->is_deferral;
  into->count = 0;
  reserve(into, from->count, arena);
  into->count = from->count;
  if (from->count)
    memcpy(into->numbers, from->numbers, from->count * sizeof *from->numbers);
}

// --- repeating

// All decisions to repeat are shared: that they may be deferred is the pool's business.
static void resume(Decision *decision, uint32_t choice) {
  bool is_source = decision->kind == DECISION_SOURCE;
  decision->choice = choice;
  decision->may_defer = false;
  decision->has_deferred = is_source && choice == CHOICE_DEFER;
  decision->is_fruitful = true; // for the worker that gave it away
  if (!is_source)
    decision->next = choice + 1ull;
  else if (choice == EVENT_INIT)
    decision->next = 1;
  else
    decision->next = choice + 2ull;
}

// Returns what follows in the numbers.
static const uint32_t *set_tried(const Search *search, Decision *decision,
                                 const uint32_t *numbers) {
  uint32_t count = *numbers++;
  if (!count)
    return numbers;
  memset(decision->tried, 0, search->graph.words * sizeof *decision->tried);
  for (uint32_t i = 0; i < count; i++)
    if (numbers[i] == EVENT_INIT)
      decision->has_tried_initial = true;
    else
      bits_add(decision->tried, numbers[i]);
  return numbers + count;
}

// All other alternatives come before the deferral: those that are consistent have been tried, or
// will be, by others.
static void try_sources(Search *search, uint32_t last) {
  search->decisions[last].next = 0;
  search->decisions[last].has_deferred = true;
  while (!search->must_stop && search_next_alternative(search, &search->decisions[last])) {
    search_try_alternative(search, last);
    graph_undo(&search->graph, search->decisions[last].mark);
  }
  Decision *decision = &search->decisions[last];
  decision->next = search->graph.capacity + 1ull;
  decision->may_defer = true;
  decision->has_deferred = false;
}

static bool repeat(Search *search, const Work *work) {
  const uint32_t *tried = work->numbers + work->depth;
  uint32_t last = work->depth - 1;
  for (uint32_t i = 0; i < last; i++) {
    if (!search_push_decision(search))
      return false;
    resume(&search->decisions[i], work->numbers[i]);
    if (!search_apply_choice(search, i))
      return false;
    tried = set_tried(search, &search->decisions[i], tried);
  }
  if (!search_push_decision(search))
    return false;
  resume(&search->decisions[last], work->numbers[last]);
  if (work->is_deferral)
    try_sources(search, last);
  else
    set_tried(search, &search->decisions[last], tried);
  return !search->must_stop;
}

bool work_begin(Search *search, const Work *work) {
  uint64_t steps = search->counts.steps;
  search->base_depth = work->depth ? work->depth - 1 : 0;
  search->shared_depth = work->depth;
  bool is_repeated = work->depth == 0 || repeat(search, work);
  search->counts.steps = steps; // whoever gave it away has counted these
  return is_repeated;
}
