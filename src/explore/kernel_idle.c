// Atomics of kernels that certainly write back what they have read, as those by which threads poll.
#include "explore/contended.h"
#include "explore/kernel.h"
#include "ir/alu.h"

// Does the atomic certainly write back what it reads?
static bool changes_nothing(Search *search, uint32_t thread, const Instruction *instruction) {
  int64_t number;
  uint64_t mask = instruction->size >= 8 ? ~0ull : (1ull << 8 * instruction->size) - 1;
  if (instruction->atom != ATOM_ALU ||
      !value_evaluate(&search->values, &search->graph,
                      kernel_value(search, thread, &instruction->src[0]), &number))
    return false;
  switch ((AluOp)instruction->alu->op) {
  case ALU_ADD:
  case ALU_OR:
  case ALU_XOR:
    return ((uint64_t)number & mask) == 0;
  case ALU_AND:
    return ((uint64_t)number & mask) == mask;
  default:
    return false;
  }
}

// Is `head` also the head of a write that the thread made there before?
static bool is_head_of_earlier(const Graph *graph, uint32_t thread, uint32_t location,
                               uint32_t head) {
  const uint64_t *own = graph_row(graph, graph->thread_events, thread);
  BITS_EACH(write, graph_row(graph, graph->writes_at, location), graph->words)
  if (bits_has(own, (uint32_t)write) && graph_has(graph, graph->heads, (uint32_t)write, head))
    return true;
  return false;
}

// Would whoever sees the write of an atomic of the thread synchronise with it only as it does with
// earlier writes of the thread?
static bool releases_nothing_new(const Search *search, uint32_t thread,
                                 const Instruction *instruction, uint32_t location) {
  const Graph *graph = &search->graph;
  const uint64_t *own = graph_row(graph, graph->thread_events, thread);
  if (sem_of_half(instruction->sem, EVENT_WRITE) == SEM_RELEASE)
    return false;
  BITS_EACH(event, own, graph->words) {
    const Event *head = &graph->events[event];
    if (event_is_release(head) && (head->kind == EVENT_FENCE || head->location == location) &&
        !is_head_of_earlier(graph, thread, location, (uint32_t)event))
      return false;
  }
  return true;
}

static bool is_plain_store(const Graph *graph, uint32_t write) {
  return event_is_strong(&graph->events[write]) && graph->mate[write] == EVENT_NONE &&
         !(graph->events[write].flags & EVENT_UPDATE);
}

static bool has_plain_stores(const Graph *graph, uint32_t location) {
  BITS_EACH(write, graph_row(graph, graph->writes_at, location), graph->words)
  if (is_plain_store(graph, (uint32_t)write))
    return true;
  return false;
}

// An atomic that writes back what it read is explored as a load, if nobody synchronises by seeing
// what it wrote: either nothing is released by it, or only what the thread has released by an
// earlier write to the location, which every atomic since then passes on. An execution with the
// atomic has one with the load that has the same values and the same order: who read what it wrote
// reads what it read. And the other way round: the write can be put directly behind the one that
// the load saw, and those that read that one and come later read the new one. A store that is no
// atomic breaks the chain; when one is added the search starts again (kernel_note_access).
// In `race.c` the load counts as a write still.
bool kernel_add_poll(Search *search, uint32_t thread, const Instruction *instruction,
                     uint32_t location) {
  uint32_t read;
  Event event = kernel_access_event(search, thread, instruction, EVENT_READ, location);
  event.flags |= EVENT_POLL;
  if (!search_add_event(search, event, &read))
    return false;
  kernel_set_register(search, thread, instruction->dst,
                      values_add(&search->values, (Value){.kind = VALUE_READ, .event = read}));
  return true;
}

bool kernel_is_poll(Search *search, uint32_t thread, const Instruction *instruction,
                    uint32_t location) {
  ModelKind kind = search->options->model->kind;
  return search_merges(search) && (kind == MODEL_KIND_PTX || kind == MODEL_KIND_PTX60) &&
         !search->contended->keeps_polls && changes_nothing(search, thread, instruction) &&
         releases_nothing_new(search, thread, instruction, location) &&
         !has_plain_stores(&search->graph, location);
}
