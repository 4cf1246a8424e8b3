// The order of fence.sc events is a witness that has to exist (spec B.4). Nobody enumerates
// permutations: what the execution forbids is a set of pairs of fences (f, g) such that f may not
// come before g, and an order is completed by unit propagation, with a choice only where
// propagation leaves one.
#include "model/finish.h"

#include <string.h>

// Bit matrices over the SC fences of one execution, `words` words a row.
typedef struct FenceProblem {
  const Graph *graph;
  Arena *arena;
  uint32_t count, words;
  const uint32_t *fences; // events
  uint64_t *after;        // closed: order between fences so far
  uint64_t *wanted;       // pairs that must be ordered one way or the other
  uint64_t *forbidden;    // row f holds g: f before g is a violation
} FenceProblem;

static uint64_t *problem_row(const FenceProblem *problem, uint64_t *rows, uint32_t i) {
  return rows + (size_t)i * problem->words;
}

static void add_row(uint64_t *into, const uint64_t *row, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    into[w] |= row[w];
}

static bool rows_meet(const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    if (a[w] & b[w])
      return true;
  return false;
}

static bool is_open_pair(const Graph *graph, uint32_t a, uint32_t b) {
  return graph_has(graph, graph->linked, a, b) && !graph_has(graph, graph->order_after, a, b) &&
         !graph_has(graph, graph->order_after, b, a);
}

static bool is_sc_fence(const Graph *graph, uint32_t id) {
  return graph->events[id].kind == EVENT_FENCE;
}

bool graph_find_unordered_fences(const Graph *graph, uint32_t *first, uint32_t *second) {
  BITS_EACH(a, graph->sc_events, graph->words)
  BITS_EACH(b, graph->sc_events, graph->words)
  if (a < b && is_sc_fence(graph, (uint32_t)a) && is_sc_fence(graph, (uint32_t)b) &&
      is_open_pair(graph, (uint32_t)a, (uint32_t)b)) {
    *first = (uint32_t)a;
    *second = (uint32_t)b;
    return true;
  }
  return false;
}

// Events that `write` may not be causally before: itself, what is coherence-before it, and the
// reads of that.
static void add_forbidden_after_write(const Graph *graph, uint32_t write, uint64_t *row) {
  bits_add(row, write);
  const uint64_t *before = graph_row(graph, graph->coherence_before, write);
  add_row(row, before, graph->words);
  add_row(row, graph_row(graph, graph->initial_readers, graph->events[write].location),
          graph->words);
  BITS_EACH(earlier, before, graph->words)
  add_row(row, graph_row(graph, graph->readers, (uint32_t)earlier), graph->words);
}

static void add_forbidden_after(const Graph *graph, uint32_t event, uint64_t *row) {
  if (graph->events[event].kind == EVENT_WRITE)
    add_forbidden_after_write(graph, event, row);
  if (graph->events[event].kind != EVENT_READ)
    return;
  if (graph->source[event] < EVENT_INIT)
    bits_add(row, (uint32_t)graph->source[event]);
  BITS_EACH(write, graph_row(graph, graph->observed, event), graph->words)
  add_forbidden_after_write(graph, (uint32_t)write, row);
}

// Writes that coherence leaves unordered with `write`.
static void add_racing_writes(const Graph *graph, uint32_t write, uint64_t *row) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[write].location);
  const uint64_t *before = graph_row(graph, graph->coherence_before, write);
  const uint64_t *after = graph_row(graph, graph->coherence_after, write);
  uint64_t self = 1ull << (write & 63);
  for (uint32_t w = 0; w < graph->words; w++)
    row[w] |= writes[w] & ~before[w] & ~after[w] & ~(w == write >> 6 ? self : 0);
}

static void add_racing(const Graph *graph, uint32_t event, uint64_t *row) {
  if (graph->events[event].kind == EVENT_WRITE)
    add_racing_writes(graph, event, row);
  if (graph->events[event].kind == EVENT_READ)
    BITS_EACH(write, graph_row(graph, graph->observed, event), graph->words)
  add_racing_writes(graph, (uint32_t)write, row);
}

// What follows from an event ordered before `fence`, united over all of them.
static void unite_before(const Graph *graph, uint32_t fence,
                         void (*add)(const Graph *graph, uint32_t event, uint64_t *row),
                         uint64_t *row) {
  BITS_EACH(event, graph_row(graph, graph->order_before, fence), graph->words)
  add(graph, (uint32_t)event, row);
}

bool graph_fence_order_matters(const Graph *graph) {
  uint32_t first, second;
  if (!graph_find_unordered_fences(graph, &first, &second))
    return false;
  if (graph->has_proxies)
    return true;
  ArenaMark mark = arena_mark(graph->temporary);
  bool matters = false;
  BITS_EACH(fence, graph->sc_events, graph->words) {
    uint64_t *row = ARENA_ARRAY(graph->temporary, uint64_t, graph->words);
    unite_before(graph, (uint32_t)fence, add_racing, row);
    BITS_EACH(other, graph->sc_events, graph->words)
    if (fence != other &&
        rows_meet(row, graph_row(graph, graph->order_after, (uint32_t)other), graph->words))
      matters = true;
  }
  arena_reset(graph->temporary, mark);
  return matters;
}

// Is `event`, or a read that observes it, ordered before `fence`?
static bool reaches_fence(const Graph *graph, uint32_t event, uint32_t fence) {
  const uint64_t *before = graph_row(graph, graph->order_before, fence);
  return bits_has(before, event) ||
         (graph->events[event].kind == EVENT_WRITE &&
          rows_meet(before, graph_row(graph, graph->observers, event), graph->words));
}

static void forbid_order(FenceProblem *problem, uint32_t from, uint32_t to) {
  const Graph *graph = problem->graph;
  for (uint32_t i = 0; i < problem->count; i++)
    for (uint32_t j = 0; j < problem->count; j++)
      if (reaches_fence(graph, from, problem->fences[i]) &&
          graph_has(graph, graph->order_before, to, problem->fences[j]))
        bits_add(problem_row(problem, problem->forbidden, i), j);
}

static void fill_problem(FenceProblem *problem) {
  const Graph *graph = problem->graph;
  for (uint32_t i = 0; i < problem->count; i++) {
    uint64_t *row = ARENA_ARRAY(problem->arena, uint64_t, graph->words);
    unite_before(graph, problem->fences[i], add_forbidden_after, row);
    for (uint32_t j = 0; j < problem->count; j++) {
      uint32_t from = problem->fences[i], to = problem->fences[j];
      if (i == j)
        continue;
      if (graph_has(graph, graph->order_after, from, to))
        bits_add(problem_row(problem, problem->after, i), j);
      if (graph_has(graph, graph->linked, from, to))
        bits_add(problem_row(problem, problem->wanted, i), j);
      if (rows_meet(row, graph_row(graph, graph->order_after, to), graph->words))
        bits_add(problem_row(problem, problem->forbidden, i), j);
    }
  }
}

static bool problem_has(const FenceProblem *problem, uint64_t *rows, uint32_t i, uint32_t j) {
  return bits_has(problem_row(problem, rows, i), j);
}

// Adds i before j and closes; false if that orders a forbidden pair or makes a cycle.
static bool add_fence_order(FenceProblem *problem, uint32_t i, uint32_t j) {
  for (uint32_t from = 0; from < problem->count; from++) {
    if (from != i && !problem_has(problem, problem->after, from, i))
      continue;
    uint64_t *row = problem_row(problem, problem->after, from);
    add_row(row, problem_row(problem, problem->after, j), problem->words);
    bits_add(row, j);
    if (bits_has(row, from) ||
        rows_meet(row, problem_row(problem, problem->forbidden, from), problem->words))
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
        rows_meet(problem_row(problem, problem->after, j), forbidden, problem->words))
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
      if (!(forward ? add_fence_order(problem, a, b) : add_fence_order(problem, b, a)))
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
  bool is_solved = add_fence_order(&copy, i, j) && solve(&copy);
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

bool graph_has_fence_order(const Graph *graph, FencePair apart) {
  uint32_t first, second;
  if (!graph_find_unordered_fences(graph, &first, &second))
    return true;
  ArenaMark mark = arena_mark(graph->temporary);
  FenceProblem problem = {.graph = graph, .arena = graph->temporary};
  uint32_t *fences = ARENA_ARRAY(graph->temporary, uint32_t, graph->event_count);
  BITS_EACH(event, graph->sc_events, graph->words)
  if (is_sc_fence(graph, (uint32_t)event))
    fences[problem.count++] = (uint32_t)event;
  problem.fences = fences;
  problem.words = bits_words(problem.count);
  size_t size = (size_t)problem.count * problem.words;
  problem.after = ARENA_ARRAY(graph->temporary, uint64_t, size);
  problem.wanted = ARENA_ARRAY(graph->temporary, uint64_t, size);
  problem.forbidden = ARENA_ARRAY(graph->temporary, uint64_t, size);
  fill_problem(&problem);
  if (apart.first != EVENT_NONE) {
    forbid_order(&problem, apart.first, apart.second);
    forbid_order(&problem, apart.second, apart.first);
  }
  bool is_solved = solve(&problem);
  arena_reset(graph->temporary, mark);
  return is_solved;
}
