// The life of an mbarrier ends by `mbarrier.inval`. Operations on the object come before it, and
// before what follows it, if they do by causality order; a collective of the warp counts for this,
// too, although it orders no memory: when lanes meet, what each has done at the object is over, and
// whoever is ordered behind one of them may end its life (docs/differences.md).
#include "explore/kernel.h"

#include <string.h>

static const Instruction *instruction_of(const Search *search, uint32_t event) {
  const Event *done = &search->graph.events[event];
  const Thread *thread = search->codes[done->thread].thread;
  return done->instruction < thread->instruction_count ? &thread->instructions[done->instruction]
                                                       : NULL;
}

static bool is_operation(const Search *search, uint32_t event) {
  const Instruction *instruction = instruction_of(search, event);
  return instruction && instruction->op == IR_MBARRIER &&
         instruction->mbarrier > MBARRIER_INVALIDATE;
}

static bool is_end(const Search *search, uint32_t event) {
  const Instruction *instruction = instruction_of(search, event);
  return instruction && instruction->op == IR_MBARRIER &&
         instruction->mbarrier == MBARRIER_INVALIDATE;
}

static void reach(Past *past, uint32_t thread, uint64_t place) {
  if (past->places[thread] < place)
    past->places[thread] = place;
}

static void reach_event(const Graph *graph, Past *past, uint32_t event) {
  reach(past, graph->events[event].thread, graph->events[event].po_index + 1ull);
  BITS_EACH(bit, graph_row(graph, graph->order_before, event), graph->words)
  if (!(graph->events[bit].flags & EVENT_ASYNC))
    reach(past, graph->events[bit].thread, graph->events[bit].po_index + 1ull);
}

// The thread's events before the place are over, and what is ordered before them. False: that is
// known.
static bool reach_place(const Graph *graph, Past *past, uint32_t thread, uint64_t place) {
  uint32_t last = EVENT_NONE;
  if (past->places[thread] >= place)
    return false;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (!(graph->events[event].flags & EVENT_ASYNC) && graph->events[event].po_index < place)
    last = (uint32_t)event;
  if (last != EVENT_NONE)
    reach_event(graph, past, last);
  reach(past, thread, place);
  return true;
}

// A meeting before something that is over: so is what all who met did before it. `end` is behind
// the last of their parts. False: all that is known.
static bool reach_meeting(const Search *search, Past *past, uint64_t first, uint64_t end) {
  const Exchange *parts = search->kernel->exchanges;
  bool is_before = false, has_grown = false;
  for (uint64_t i = first; i < end && parts[i].is_meeting && !is_before; i++)
    is_before = parts[i].po_index < past->places[parts[i].thread];
  for (uint64_t i = first; i < end && is_before; i++)
    has_grown |= reach_place(&search->graph, past, parts[i].thread, parts[i].po_index);
  return has_grown;
}

// Meetings are noted in the order of time, so most often one round is enough.
static void find_past(const Search *search, Past *past, uint32_t end) {
  const Kernel *kernel = search->kernel;
  bool has_grown = true;
  memset(past->places, 0, search->program->thread_count * sizeof *past->places);
  reach_event(&search->graph, past, end);
  while (has_grown) {
    has_grown = false;
    for (uint64_t i = kernel->exchange_count; i > 0;) {
      uint64_t first = kernel->exchanges[i - 1].instance;
      has_grown |= reach_meeting(search, past, first, i);
      i = first;
    }
  }
  past->end = end + 1;
}

static bool is_over_at(const Search *search, uint32_t operation, uint32_t end) {
  Past *past = &search->kernel->past;
  const Event *done = &search->graph.events[operation];
  if (!past->places)
    past->places = ARENA_ARRAY(search->arena, uint64_t, search->program->thread_count);
  if (past->end != end + 1)
    find_past(search, past, end);
  return done->po_index < past->places[done->thread];
}

void kernel_forget_past(Search *search) {
  search->kernel->past.end = 0;
}

static bool ends_before(const Search *search, uint32_t operation, uint32_t other) {
  const Graph *graph = &search->graph;
  BITS_EACH(bit, graph_row(graph, graph->writes_at, graph->events[operation].location),
            graph->words) {
    uint32_t end = (uint32_t)bit;
    if (is_end(search, end) && (end == other || graph_has(graph, graph->order_after, end, other)) &&
        is_over_at(search, operation, end))
      return true;
  }
  return false;
}

bool kernel_is_over(const Search *search, uint32_t a, uint32_t b) {
  return (is_operation(search, a) && ends_before(search, a, b)) ||
         (is_operation(search, b) && ends_before(search, b, a));
}
