#include "explore/explain.h"

#include "explore/outcomes.h"
#include "explore/witness.h"

enum { MOST_CANDIDATES = 128, MOST_FENCE_ORDERS = 24, MOST_STEPS = 20000 };

typedef struct Explanation {
  Arena *arena;
  bool wanted;
  uint32_t candidate_count, order_count;
  uint32_t best_violations; // UINT32_MAX: none yet
  uint32_t best_step_count;
  const Witness *best;
  Dependencies dependencies;
  uint64_t *fence_order;
} Explanation;

static uint32_t first_violation(const Judge *judge) {
  uint32_t i = 0;
  while (cat_axiom(judge->cat, i)->is_flag || cat_axiom_holds(judge->state, i))
    i++;
  return i;
}

static const char *event_name(const Program *program, const Witness *witness, uint32_t event,
                              Arena *arena) {
  const WitnessEvent *named = &witness->events[event];
  if (named->thread == WITNESS_INITIAL)
    return named->label;
  return arena_format(arena, "%s: %s", program->threads[named->thread].name, named->label);
}

static const char *step_text(const Program *program, const Witness *witness, const CatStep *steps,
                             uint32_t count, Arena *arena) {
  const char *text = event_name(program, witness, steps[0].from, arena);
  for (uint32_t i = 0; i < count; i++)
    text = arena_format(arena, "%s --%s--> %s", text, steps[i].relation,
                        event_name(program, witness, steps[i].to, arena));
  return text;
}

static void keep(Search *search, Explanation *explanation, uint32_t violations) {
  Judge *judge = search->judge;
  CatStep *steps;
  uint32_t axiom = first_violation(judge);
  uint32_t count = cat_explain(judge->state, axiom, explanation->arena, &steps);
  if (violations == explanation->best_violations && count >= explanation->best_step_count)
    return;
  WitnessDraft draft = witness_draw(search, "nearest forbidden candidate", explanation->arena);
  for (uint32_t i = 0; i < count; i++)
    witness_highlight(&draft, steps[i].relation, steps[i].from, steps[i].to);
  draft.witness->axiom = cat_axiom(judge->cat, axiom)->name;
  if (count)
    draft.witness->explanation =
        step_text(search->program, draft.witness, steps, count, explanation->arena);
  explanation->best = draft.witness;
  explanation->best_violations = violations;
  explanation->best_step_count = count;
}

static void judge_candidate(Search *search, Explanation *explanation) {
  JudgeInput input = {.data = explanation->dependencies.data,
                      .control = explanation->dependencies.control,
                      .fence_order = explanation->fence_order};
  judge_evaluate(search->judge, &search->graph, &input);
  uint32_t violations = judge_violation_count(search->judge);
  if (violations && violations <= explanation->best_violations)
    keep(search, explanation, violations);
}

// Tries orders of the SC fences: each fence in turn is put behind those before it.
static void try_orders(Search *search, Explanation *explanation, const uint32_t *fences,
                       uint32_t count, uint32_t *order, uint32_t length) {
  const Graph *graph = &search->graph;
  if (explanation->order_count >= MOST_FENCE_ORDERS)
    return;
  if (length == count) {
    explanation->order_count++;
    judge_candidate(search, explanation);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    bool is_used = false, is_after = true;
    for (uint32_t j = 0; j < length; j++)
      is_used = is_used || order[j] == fences[i];
    for (uint32_t j = 0; j < count && !is_used; j++)
      if (graph_is_po(graph, fences[j], fences[i])) {
        bool is_placed = false;
        for (uint32_t k = 0; k < length; k++)
          is_placed = is_placed || order[k] == fences[j];
        is_after = is_after && is_placed;
      }
    if (is_used || !is_after)
      continue;
    for (uint32_t j = 0; j < length; j++)
      if (graph->events[order[j]].thread == graph->events[fences[i]].thread ||
          graph_is_scope_mutual(graph, order[j], fences[i]))
        bits_add(graph_row(graph, explanation->fence_order, order[j]), fences[i]);
    order[length] = fences[i];
    try_orders(search, explanation, fences, count, order, length + 1);
    for (uint32_t j = 0; j < length; j++)
      bits_remove(graph_row(graph, explanation->fence_order, order[j]), fences[i]);
  }
}

static void visit(Search *search, void *context, bool is_complete) {
  Explanation *explanation = context;
  const Graph *graph = &search->graph;
  if (!is_complete || !leaf_has_state(search, explanation->wanted))
    return;
  Arena *arena = search->temporary;
  ArenaMark mark = arena_mark(arena);
  explanation->dependencies = search_dependencies(search, arena);
  explanation->fence_order = ARENA_ARRAY(arena, uint64_t, (size_t)graph->capacity * graph->words);
  uint32_t *fences = ARENA_ARRAY(arena, uint32_t, graph->event_count + 1);
  uint32_t *order = ARENA_ARRAY(arena, uint32_t, graph->event_count + 1);
  uint32_t count = 0;
  BITS_EACH(event, graph->sc_events, graph->words)
  if (graph->events[event].kind == EVENT_FENCE)
    fences[count++] = (uint32_t)event;
  explanation->order_count = 0;
  try_orders(search, explanation, fences, count, order, 0);
  arena_reset(arena, mark);
  if (++explanation->candidate_count == MOST_CANDIDATES || explanation->best_violations == 1)
    search->must_stop = true;
}

const Witness *explain_forbidden(const Program *program, const Condition *condition, bool wanted,
                                 const ExploreOptions *options, const Code *codes,
                                 uint32_t capacity, SearchArenas *arenas, Arena *arena) {
  Explanation explanation = {.arena = arena, .wanted = wanted, .best_violations = UINT32_MAX};
  Search search;
  Judge judge;
  Outcomes outcomes;
  search_init(&search, program, condition, options, codes, capacity, true, arenas);
  outcomes_init(&outcomes, condition->column_count, &arenas->lasting);
  Records records = {.arena = &arenas->lasting};
  judge_init(&judge, options->model, &arenas->judge);
  search.outcomes = &outcomes;
  search.records = &records;
  search.judge = &judge;
  search.visit = visit;
  search.visit_context = &explanation;
  search.step_limit = MOST_STEPS;
  search_begin(&search);
  search_run(&search, NULL);
  search_arenas_release(arenas);
  return explanation.best;
}
