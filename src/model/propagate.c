// What a model's text says of an execution that is still growing: which writes and SC fences have
// to be ordered, or that no completion is allowed. The bounds of cat/bounds.h are computed, what
// they require is added, and so on until nothing follows.
#include "model/judge.h"

#include "model/primitives.h"

#include <string.h>

static bool is_sc_fence(const Event *event) {
  return event->kind == EVENT_FENCE && event->sem == SEM_SC;
}

bool judge_is_fence_pair(const Graph *graph, uint32_t a, uint32_t b) {
  return a != b && is_sc_fence(&graph->events[a]) && is_sc_fence(&graph->events[b]) &&
         (graph->events[a].thread == graph->events[b].thread || graph_is_scope_mutual(graph, a, b));
}

// What a round found out.
typedef struct Round {
  Judge *judge;
  Graph *graph;
  const JudgeInput *input;
  bool has_news;
} Round;

static size_t rows_size(const Graph *graph) {
  return (size_t)graph->event_count * graph->words * sizeof(uint64_t);
}

static void prepare(Judge *judge, const Graph *graph, const JudgeInput *input) {
  static const CatSought sought[PRIMITIVE_COUNT] = {[PRIMITIVE_RF] = CAT_SOUGHT_LATER,
                                                    [PRIMITIVE_CO] = CAT_SOUGHT,
                                                    [PRIMITIVE_SC_ORDER] = CAT_SOUGHT,
                                                    [PRIMITIVE_SYNC_FENCE] = CAT_SOUGHT};
  if (!judge->bounds) {
    size_t capacity = (size_t)cat_state_words(judge->state) * 64;
    judge->bounds = cat_bounds_new(judge->state, sought, judge->arena);
    judge->fences = ARENA_ARRAY(judge->arena, uint64_t, capacity * graph->words);
    judge->denied = ARENA_ARRAY(judge->arena, uint64_t, capacity * graph->words);
  }
  memset(judge->denied, 0, rows_size(graph));
  if (input->fence_order)
    memcpy(judge->fences, input->fence_order, rows_size(graph));
  else
    memset(judge->fences, 0, rows_size(graph));
}

// --- what the chosen relations may have

// One word of the writes that may come after `write` in coherence.
static uint64_t possible_word(const Round *round, uint32_t write, uint32_t w) {
  const Graph *graph = round->graph;
  uint64_t possible = graph_row(graph, graph->writes_at, graph->events[write].location)[w] &
                      ~graph_row(graph, graph->coherence_before, write)[w] &
                      ~graph_row(graph, round->judge->denied, write)[w];
  if (round->input->apart)
    possible &= ~round->input->apart[(size_t)write * graph->words + w];
  if (write >> 6 == w)
    possible &= ~(1ull << (write & 63));
  return possible;
}

static bool may_be_coherent(const Round *round, uint32_t from, uint32_t to) {
  return round->graph->events[from].kind == EVENT_WRITE &&
         (possible_word(round, from, to >> 6) >> (to & 63) & 1);
}

// The rows of what a relation may have, emptied; NULL: that is not asked for.
static uint64_t *empty_rows(const Round *round, Primitive relation) {
  const Judge *judge = round->judge;
  uint64_t *rows = cat_bounds_input_row(judge->bounds, relation, 0);
  if (rows)
    memset(rows, 0, (size_t)judge->event_count * cat_state_words(judge->state) * sizeof *rows);
  return rows;
}

static void bound_coherence(const Round *round) {
  const Judge *judge = round->judge;
  const Graph *graph = round->graph;
  uint64_t *row = empty_rows(round, PRIMITIVE_CO);
  for (uint32_t i = 0; row && i < judge->event_count; i++, row += cat_state_words(judge->state)) {
    bool is_write = i >= judge->graph_count || graph->events[i].kind == EVENT_WRITE;
    for (uint32_t w = 0; is_write && w < bits_words(judge->graph_count); w++)
      row[w] = i < judge->graph_count ? possible_word(round, i, w)
                                      : graph_row(graph, graph->writes_at,
                                                  judge->init_locations[i - judge->graph_count])[w];
  }
}

static bool may_be_source(const Round *round, uint32_t write, uint32_t read) {
  const Judge *judge = round->judge;
  const Graph *graph = round->graph;
  uint32_t location = graph->events[read].location;
  bool is_open = graph->source[read] == EVENT_NONE;
  if (write >= judge->graph_count)
    return judge->init_locations[write - judge->graph_count] == location &&
           (is_open || graph->source[read] == EVENT_INIT);
  return graph->events[write].kind == EVENT_WRITE && graph->events[write].location == location &&
         (is_open || graph->source[read] == write);
}

static void bound_sources(const Round *round) {
  const Judge *judge = round->judge;
  uint64_t *row = empty_rows(round, PRIMITIVE_RF);
  for (uint32_t i = 0; row && i < judge->event_count; i++, row += cat_state_words(judge->state))
    for (uint32_t read = 0; read < judge->graph_count; read++)
      if (round->graph->events[read].kind == EVENT_READ && may_be_source(round, i, read))
        bits_add(row, read);
}

static void bound_fences(const Round *round, Primitive relation) {
  const Graph *graph = round->graph;
  uint64_t *rows = empty_rows(round, relation);
  BITS_EACH(a, graph->sc_events, rows ? graph->words : 0)
  BITS_EACH(b, graph->sc_events, graph->words)
  if (judge_is_fence_pair(graph, (uint32_t)a, (uint32_t)b) &&
      !graph_has(graph, round->judge->fences, (uint32_t)b, (uint32_t)a))
    bits_add(rows + a * cat_state_words(round->judge->state), (uint32_t)b);
}

// --- what follows

static bool order_writes(Round *round, uint32_t from, uint32_t to) {
  if (graph_has(round->graph, round->graph->coherence_after, from, to))
    return true;
  round->has_news = true;
  return may_be_coherent(round, from, to) && graph_add_coherence(round->graph, from, to);
}

// Initial writes come before all others, and after none.
static bool require_coherence(Round *round) {
  const Judge *judge = round->judge;
  const uint64_t *required = cat_bounds_required(judge->bounds, PRIMITIVE_CO);
  uint32_t words = cat_state_words(judge->state);
  for (uint32_t a = 0; required && a < judge->event_count; a++, required += words)
    BITS_EACH(b, required, words)
  if (a < judge->graph_count ? b >= judge->graph_count || !order_writes(round, a, (uint32_t)b)
                             : !bits_has(cat_input_row(judge->state, PRIMITIVE_CO, a), (uint32_t)b))
    return false;
  return true;
}

static bool exclude_coherence(Round *round) {
  Judge *judge = round->judge;
  Graph *graph = round->graph;
  const uint64_t *excluded = cat_bounds_excluded(judge->bounds, PRIMITIVE_CO);
  uint32_t words = cat_state_words(judge->state);
  for (uint32_t a = 0; excluded && a < judge->graph_count; a++, excluded += words)
    for (uint32_t w = 0; graph->events[a].kind == EVENT_WRITE && w < words; w++) {
      uint64_t lost = w < graph->words ? excluded[w] & possible_word(round, a, w) : 0;
      graph_row(graph, judge->denied, a)[w < graph->words ? w : 0] |= lost;
      round->has_news |= lost != 0;
      for (uint64_t left = judge->is_total ? lost : 0; left; left &= left - 1)
        if (!order_writes(round, w * 64 + bits_first(left), a))
          return false;
    }
  return true;
}

static bool order_fences(Round *round, uint32_t from, uint32_t to) {
  const Graph *graph = round->graph;
  uint64_t *fences = round->judge->fences;
  if (graph_has(graph, fences, from, to))
    return true;
  if (!judge_is_fence_pair(graph, from, to) || graph_has(graph, fences, to, from))
    return false;
  bits_add(graph_row(graph, fences, from), to);
  return round->has_news = true;
}

static bool require_fences(Round *round, Primitive relation) {
  const Judge *judge = round->judge;
  const uint64_t *required = cat_bounds_required(judge->bounds, relation);
  uint32_t words = cat_state_words(judge->state);
  for (uint32_t a = 0; required && a < judge->graph_count; a++, required += words)
    BITS_EACH(b, required, words)
  if (b >= judge->graph_count || !order_fences(round, a, (uint32_t)b))
    return false;
  return true;
}

// Every execution orders the fences of a pair.
static bool exclude_fences(Round *round, Primitive relation) {
  const Judge *judge = round->judge;
  const uint64_t *excluded = cat_bounds_excluded(judge->bounds, relation);
  uint32_t words = cat_state_words(judge->state);
  for (uint32_t a = 0; excluded && a < judge->graph_count; a++, excluded += words)
    BITS_EACH(b, excluded, words)
  if (b < judge->graph_count && judge_is_fence_pair(round->graph, a, (uint32_t)b) &&
      !order_fences(round, (uint32_t)b, a))
    return false;
  return true;
}

static bool settle_fences(Round *round, Primitive relation) {
  return require_fences(round, relation) && exclude_fences(round, relation);
}

static bool apart_are_unordered(const Round *round) {
  const Graph *graph = round->graph;
  for (uint32_t i = 0; round->input->apart && i < graph->event_count; i++)
    if (bits_meet(round->input->apart + (size_t)i * graph->words,
                  graph_row(graph, graph->coherence_after, i), graph->words))
      return false;
  return true;
}

static bool run_round(Round *round, bool is_complete) {
  Judge *judge = round->judge;
  bool is_again = round->has_news;
  round->has_news = false;
  bound_coherence(round);
  bound_sources(round);
  bound_fences(round, PRIMITIVE_SC_ORDER);
  bound_fences(round, PRIMITIVE_SYNC_FENCE);
  return (is_again ? cat_bounds_evaluate_again(judge->bounds)
                   : cat_bounds_evaluate(judge->bounds, is_complete)) &&
         require_coherence(round) && exclude_coherence(round) &&
         settle_fences(round, PRIMITIVE_SC_ORDER) && settle_fences(round, PRIMITIVE_SYNC_FENCE) &&
         apart_are_unordered(round);
}

bool judge_may_read(const Judge *judge, uint32_t source, uint32_t read) {
  const uint64_t *excluded = cat_bounds_excluded(judge->bounds, PRIMITIVE_RF);
  uint32_t from =
      source == EVENT_INIT ? judge_initial_write(judge, judge->events[read].location) : source;
  return !excluded || !bits_has(excluded + (size_t)from * cat_state_words(judge->state), read);
}

bool judge_propagate(Judge *judge, Graph *graph, const JudgeInput *input, bool is_complete) {
  Round round = {.judge = judge, .graph = graph, .input = input};
  JudgeInput current = *input;
  if (!judge_fill(judge, graph, input))
    cat_evaluate_fixed(judge->state);
  prepare(judge, graph, input);
  current.fence_order = judge->fences;
  do {
    judge_fill(judge, graph, &current);
    if (!run_round(&round, is_complete))
      return false;
  } while (round.has_news);
  if (!is_complete)
    cat_bounds_seek_later(judge->bounds);
  return true;
}
