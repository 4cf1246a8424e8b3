// Which events show that an axiom is violated.
#include "cat/explain.h"

#include "base/bits.h"

#include <string.h>

// Of so many offending pairs the one with the shortest explanation is shown.
enum { CANDIDATE_LIMIT = 64 };

typedef struct Search {
  const CatState *state;
  const uint64_t *relation;
  uint32_t *parents; // the event before each reached one
  uint32_t *queue;
  uint32_t queue_count;
  uint64_t *reached;
} Search;

static const uint64_t *row_of(const Search *search, uint32_t event) {
  return search->relation + (uint64_t)event * search->state->shape.words;
}

static void reach_successors(Search *search, uint32_t event) {
  BITS_EACH(next, row_of(search, event), search->state->shape.words) {
    if (bits_has(search->reached, (uint32_t)next))
      continue;
    bits_add(search->reached, (uint32_t)next);
    search->parents[next] = event;
    search->queue[search->queue_count++] = (uint32_t)next;
  }
}

// Breadth first. `from` itself is reached only by a cycle.
static bool reach(Search *search, uint32_t from, uint32_t to) {
  reach_successors(search, from);
  for (uint32_t i = 0; i < search->queue_count && !bits_has(search->reached, to); i++)
    reach_successors(search, search->queue[i]);
  return bits_has(search->reached, to);
}

// Fills `path` backwards; returns the number of steps. With path NULL it only counts.
static uint32_t trace_back(const Search *search, uint32_t from, uint32_t to, uint32_t *path) {
  uint32_t length = 0, event = to;
  do {
    if (path)
      path[length] = event;
    event = search->parents[event];
    length++;
  } while (event != from);
  return length;
}

uint32_t cat_find_path(const CatState *state, CatNode relation, uint32_t from, uint32_t to,
                       Arena *arena, uint32_t **path) {
  uint32_t events = state->shape.events;
  Search search = {.state = state,
                   .relation = state->values[relation],
                   .parents = ARENA_ARRAY(arena, uint32_t, events),
                   .queue = ARENA_ARRAY(arena, uint32_t, events),
                   .reached = ARENA_ARRAY(arena, uint64_t, state->shape.words)};
  if (!reach(&search, from, to))
    return 0;
  uint32_t length = trace_back(&search, from, to, NULL);
  uint32_t *backwards = ARENA_ARRAY(arena, uint32_t, length);
  trace_back(&search, from, to, backwards);
  *path = ARENA_ARRAY(arena, uint32_t, length + 1);
  (*path)[0] = from;
  for (uint32_t i = 0; i < length; i++)
    (*path)[i + 1] = backwards[length - 1 - i];
  return length;
}

// The shortest of all cycles; its events, the first one again at the end.
static uint32_t find_cycle(const CatState *state, CatNode relation, Arena *arena,
                           uint32_t **cycle) {
  uint32_t best = 0;
  for (uint32_t event = 0; event < state->shape.events; event++) {
    ArenaMark mark = arena_mark(arena);
    uint32_t *path;
    uint32_t length = cat_find_path(state, relation, event, event, arena, &path);
    if (length > 0 && (best == 0 || length < best)) {
      best = length;
      *cycle = path;
    } else {
      arena_reset(arena, mark);
    }
  }
  return best;
}

static void explain_cycle(CatExplainer *explainer, CatNode relation) {
  uint32_t *cycle;
  uint32_t length = find_cycle(explainer->state, relation, explainer->arena, &cycle);
  for (uint32_t i = 0; i < length; i++)
    cat_explain_pair(explainer, relation, cycle[i], cycle[i + 1]);
}

// Keeps the shorter one of the best explanation so far and that of this pair.
static void try_pair(CatExplainer *explainer, CatExplainer *best, CatNode relation, uint32_t from,
                     uint32_t to) {
  explainer->steps.count = 0;
  explainer->steps.capacity = 0;
  explainer->steps.items = NULL;
  cat_explain_pair(explainer, relation, from, to);
  if (best->steps.count == 0 || explainer->steps.count < best->steps.count)
    *best = *explainer;
}

// A pair of an event with itself if `is_loop`, else any pair.
static void explain_shortest(CatExplainer *explainer, CatNode relation, bool is_loop) {
  const CatState *state = explainer->state;
  CatExplainer best = *explainer;
  uint32_t candidates = 0;
  for (uint32_t from = 0; from < state->shape.events; from++)
    for (uint32_t to = is_loop ? from : 0; to < (is_loop ? from + 1 : state->shape.events); to++)
      if (candidates < CANDIDATE_LIMIT && cat_value_relates(state, relation, from, to)) {
        try_pair(explainer, &best, relation, from, to);
        candidates++;
      }
  *explainer = best;
}

static void explain_first_member(CatExplainer *explainer, CatNode set) {
  const CatState *state = explainer->state;
  for (uint32_t event = 0; event < state->shape.events; event++)
    if (bits_has(state->values[set], event)) {
      cat_explain_member(explainer, set, event);
      return;
    }
}

uint32_t cat_explain(CatState *state, uint32_t axiom_index, Arena *arena, CatStep **steps) {
  const CatAxiom *axiom = cat_axiom(state->model, axiom_index);
  CatExplainer explainer;
  cat_explainer_init(&explainer, state, arena);
  if (axiom->kind == CAT_ACYCLIC)
    explain_cycle(&explainer, axiom->node);
  else if (cat_operation(&state->model->graph, axiom->node)->type == CAT_SET)
    explain_first_member(&explainer, axiom->node);
  else
    explain_shortest(&explainer, axiom->node, axiom->kind == CAT_IRREFLEXIVE);
  *steps = explainer.steps.items;
  return explainer.steps.count;
}
