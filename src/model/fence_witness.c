// Is there an order of the SC fences of a finished execution (spec B.4)? It only has to exist.
//
// If "is before" and "has to come before, since the opposite is forbidden" together have no cycle,
// any order that extends both is one, and no fence needs to be looked at twice. Fences that are not
// morally strong need no order: a cycle through such a pair is not the end, but has to be searched.
#include "model/fence_order.h"
#include "model/finish.h"

#include <string.h>

// Bit matrices over some SC fences of one execution, `words` words a row.
typedef struct FenceProblem {
  const Graph *graph;
  Arena *arena;
  FencePair apart;
  uint32_t count, words;
  const uint32_t *fences; // events
  uint64_t *before;       // order between fences at the beginning
  uint64_t *after;        // closed: order between fences so far
  uint64_t *wanted;       // pairs that must be ordered one way or the other
  uint64_t *forbidden;    // row f holds g: f before g is a violation
  uint64_t *left;         // a row: fences that are on a cycle, or behind one
} FenceProblem;

static uint64_t *problem_row(const FenceProblem *problem, uint64_t *rows, uint32_t i) {
  return rows + (size_t)i * problem->words;
}

static bool problem_has(const FenceProblem *problem, uint64_t *rows, uint32_t i, uint32_t j) {
  return bits_has(problem_row(problem, rows, i), j);
}

// --- posing the problem

// Is `event`, or a read that observes it, ordered before `fence`?
static bool reaches_fence(const Graph *graph, uint32_t event, uint32_t fence) {
  const uint64_t *before = graph_row(graph, graph->order_before, fence);
  return bits_has(before, event) ||
         (graph->events[event].kind == EVENT_WRITE &&
          bits_meet(before, graph_row(graph, graph->observers, event), graph->words));
}

// `from` may not come causally before `to`.
static void forbid_order(FenceProblem *problem, uint32_t from, uint32_t to) {
  const Graph *graph = problem->graph;
  for (uint32_t i = 0; i < problem->count; i++)
    for (uint32_t j = 0; reaches_fence(graph, from, problem->fences[i]) && j < problem->count; j++)
      if (graph_has(graph, graph->order_before, to, problem->fences[j]))
        bits_add(problem_row(problem, problem->forbidden, i), j);
}

static void fill_row(FenceProblem *problem, uint32_t i, uint64_t *forbidden) {
  const Graph *graph = problem->graph;
  uint32_t fence = problem->fences[i];
  fence_find_forbidden(graph, fence, forbidden);
  for (uint32_t j = 0; j < problem->count; j++) {
    uint32_t other = problem->fences[j];
    if (graph_has(graph, graph->order_before, fence, other))
      bits_add(problem_row(problem, problem->before, i), j);
    if (graph_has(graph, graph->order_after, fence, other))
      bits_add(problem_row(problem, problem->after, i), j);
    if (i != j && graph_has(graph, graph->linked, fence, other))
      bits_add(problem_row(problem, problem->wanted, i), j);
    if (bits_has(forbidden, other))
      bits_add(problem_row(problem, problem->forbidden, i), j);
  }
}

static void pose(FenceProblem *problem, const uint32_t *fences, uint32_t count) {
  problem->fences = fences;
  problem->count = count;
  problem->words = bits_words(count);
  size_t size = (size_t)count * problem->words;
  uint64_t **matrices[] = {&problem->before, &problem->after, &problem->wanted,
                           &problem->forbidden};
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
    *matrices[i] = ARENA_ARRAY(problem->arena, uint64_t, size);
  problem->left = ARENA_ARRAY(problem->arena, uint64_t, problem->words);
  uint64_t *forbidden = ARENA_ARRAY(problem->arena, uint64_t, problem->graph->words);
  for (uint32_t i = 0; i < count; i++)
    fill_row(problem, i, forbidden);
  if (problem->apart.first == EVENT_NONE)
    return;
  forbid_order(problem, problem->apart.first, problem->apart.second);
  forbid_order(problem, problem->apart.second, problem->apart.first);
}

// --- orders that extend all wishes

// Does a fence that is left have to come before fence i? `is_strict`: only a morally strong one.
static bool has_predecessor(const FenceProblem *problem, uint32_t i, bool is_strict) {
  const uint64_t *before = problem_row(problem, problem->before, i);
  const uint64_t *wanted = problem_row(problem, problem->wanted, i);
  const uint64_t *forbidden = problem_row(problem, problem->forbidden, i);
  for (uint32_t w = 0; w < problem->words; w++)
    if (problem->left[w] & (before[w] | (forbidden[w] & (is_strict ? wanted[w] : ~0ull))))
      return true;
  return false;
}

// Takes away fences that nothing has to precede; false: a cycle is left.
static bool has_linear_order(FenceProblem *problem, bool is_strict) {
  uint32_t count = problem->count, taken;
  for (uint32_t i = 0; i < problem->count; i++)
    bits_add(problem->left, i);
  do {
    taken = 0;
    BITS_EACH(i, problem->left, problem->words)
    if (!has_predecessor(problem, (uint32_t)i, is_strict)) {
      bits_remove(problem->left, (uint32_t)i);
      taken++;
    }
    count -= taken;
  } while (taken);
  return count == 0;
}

// --- searching

// Adds i before j and closes; false if that orders a forbidden pair or makes a cycle.
static bool add_order(FenceProblem *problem, uint32_t i, uint32_t j) {
  for (uint32_t from = 0; from < problem->count; from++) {
    if (from != i && !problem_has(problem, problem->after, from, i))
      continue;
    uint64_t *row = problem_row(problem, problem->after, from);
    bits_add_row(row, problem_row(problem, problem->after, j), problem->words);
    bits_add(row, j);
    if (bits_has(row, from) ||
        bits_meet(row, problem_row(problem, problem->forbidden, from), problem->words))
      return false;
  }
  return true;
}

// Tries the edge on a copy.
static bool can_order(const FenceProblem *problem, uint32_t i, uint32_t j) {
  for (uint32_t from = 0; from < problem->count; from++) {
    if (from != i && !problem_has(problem, problem->after, from, i))
      continue;
    const uint64_t *forbidden = problem_row(problem, problem->forbidden, from);
    if (bits_has(forbidden, j) || from == j ||
        bits_meet(problem_row(problem, problem->after, j), forbidden, problem->words))
      return false;
  }
  return !problem_has(problem, problem->after, j, i);
}

static bool is_undecided(const FenceProblem *problem, uint32_t i, uint32_t j) {
  return problem_has(problem, problem->wanted, i, j) &&
         !problem_has(problem, problem->after, i, j) && !problem_has(problem, problem->after, j, i);
}

typedef enum Progress { PROGRESS_DONE, PROGRESS_CHANGED, PROGRESS_CHOICE, PROGRESS_STUCK } Progress;

// One pass of unit propagation; a pair that stays open both ways is left in *i and *j.
static Progress propagate_once(FenceProblem *problem, uint32_t *i, uint32_t *j) {
  Progress progress = PROGRESS_DONE;
  for (uint32_t a = 0; a < problem->count; a++)
    for (uint32_t b = a + 1; b < problem->count; b++) {
      if (!is_undecided(problem, a, b))
        continue;
      bool forward = can_order(problem, a, b), backward = can_order(problem, b, a);
      if (!forward && !backward)
        return PROGRESS_STUCK;
      if (forward && backward) {
        *i = a;
        *j = b;
        progress = progress == PROGRESS_CHANGED ? progress : PROGRESS_CHOICE;
        continue;
      }
      if (!(forward ? add_order(problem, a, b) : add_order(problem, b, a)))
        return PROGRESS_STUCK;
      progress = PROGRESS_CHANGED;
    }
  return progress;
}

static bool solve(FenceProblem *problem);

static bool solve_with(const FenceProblem *problem, uint32_t i, uint32_t j) {
  FenceProblem copy = *problem;
  ArenaMark mark = arena_mark(problem->arena);
  size_t size = (size_t)problem->count * problem->words;
  copy.after = ARENA_ARRAY(problem->arena, uint64_t, size);
  memcpy(copy.after, problem->after, size * sizeof *copy.after);
  bool is_solved = add_order(&copy, i, j) && solve(&copy);
  arena_reset(problem->arena, mark);
  return is_solved;
}

static bool solve(FenceProblem *problem) {
  uint32_t i = 0, j = 0;
  Progress progress;
  do
    progress = propagate_once(problem, &i, &j);
  while (progress == PROGRESS_CHANGED);
  if (progress != PROGRESS_CHOICE)
    return progress == PROGRESS_DONE;
  return solve_with(problem, i, j) || solve_with(problem, j, i);
}

// A fence that was taken away may come before all that are left, so only these have to be solved.
static bool solve_rest(const FenceProblem *problem) {
  FenceProblem rest = {.graph = problem->graph, .arena = problem->arena, .apart = problem->apart};
  uint32_t *fences = ARENA_ARRAY(problem->arena, uint32_t, problem->count);
  uint32_t count = 0;
  BITS_EACH(i, problem->left, problem->words)
  fences[count++] = problem->fences[i];
  pose(&rest, fences, count);
  return solve(&rest);
}

bool graph_has_fence_order(const Graph *graph, FencePair apart) {
  uint32_t first, second, count = 0;
  if (!graph_find_unordered_fences(graph, &first, &second))
    return true;
  ArenaMark mark = arena_mark(graph->temporary);
  FenceProblem problem = {.graph = graph, .arena = graph->temporary, .apart = apart};
  uint32_t *fences = ARENA_ARRAY(graph->temporary, uint32_t, graph->event_count);
  BITS_EACH(event, graph->sc_events, graph->words)
  fences[count++] = (uint32_t)event;
  pose(&problem, fences, count);
  bool is_solved = has_linear_order(&problem, true) &&
                   (has_linear_order(&problem, false) || solve_rest(&problem));
  arena_reset(graph->temporary, mark);
  return is_solved;
}
