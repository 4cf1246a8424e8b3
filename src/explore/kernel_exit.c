// Shared memory lasts as long as its block: an access of another block, or by a bulk copy, has to
// be over before the last thread of the block exits.
#include "explore/kernel.h"

// Does one of the block's threads come after the access?
static bool is_ordered_before_exit(const Search *search, uint32_t block, uint32_t access) {
  const Graph *graph = &search->graph;
  const ThreadGroup *threads = &search->program->blocks[block];
  for (uint32_t i = 0; i < threads->count; i++) {
    uint64_t last = graph->last_event[threads->threads[i]];
    if (last != EVENT_NONE && graph_has(graph, graph->order_after, access, (uint32_t)last))
      return true;
  }
  return false;
}

static uint32_t block_of(const Search *search, uint32_t event) {
  return search->program->threads[search->graph.events[event].thread].block;
}

// Has one of the block's threads read what the access wrote, or what was written over it? That
// orders nothing else, but the access is over.
static bool is_read_by(const Search *search, uint32_t block, uint32_t write) {
  const Graph *graph = &search->graph;
  if (graph->events[write].kind != EVENT_WRITE)
    return false;
  BITS_EACH(read, graph_row(graph, graph->reads_at, graph->events[write].location), graph->words) {
    uint64_t source = graph->source[read];
    if (block_of(search, (uint32_t)read) == block && source < EVENT_INIT &&
        (source == write || graph_has(graph, graph->coherence_after, write, (uint32_t)source)))
      return true;
  }
  return false;
}

// The write half of an atomic, behind its read half.
static uint32_t write_of(const Graph *graph, uint32_t access) {
  const Event *event = &graph->events[access];
  return (event->flags & EVENT_ATOMIC) && event->kind == EVENT_READ &&
                 access + 1 < graph->event_count &&
                 graph->events[access + 1].thread == event->thread
             ? access + 1
             : access;
}

static bool block_outlives(const Search *search, uint32_t block, uint32_t access) {
  const Graph *graph = &search->graph;
  return search->kernel->exited[block] < search->program->blocks[block].count ||
         is_ordered_before_exit(search, block, access) ||
         is_read_by(search, block, write_of(graph, access)) ||
         kernel_arrival_is_seen(search, access, block);
}

// A bulk copy goes on after its thread has exited; shared memory has to stay until it is done.
static bool is_bulk_copy(const Search *search, const Event *event) {
  const Thread *thread = &search->program->threads[event->thread];
  return (event->flags & EVENT_ASYNC) && event->instruction < thread->instruction_count &&
         thread->instructions[event->instruction].op == IR_BULK_COPY;
}

void kernel_find_use_after_exit(Search *search) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++) {
    const Event *event = &graph->events[i];
    if (!event_is_memory(event) ||
        graph->locations[event->location].address < MEMORY_SHARED_PHYSICAL)
      continue;
    uint32_t block =
        (uint32_t)((graph->locations[event->location].address - MEMORY_SHARED_PHYSICAL) >> 32);
    bool is_own = block == block_of(search, i);
    if ((is_own && !is_bulk_copy(search, event)) || block_outlives(search, block, i))
      continue;
    RecordPlace place = {search->program->threads[event->thread].grid, event->instruction};
    search_record(search, RECORD_FAULT, place, (RecordPlace){UINT32_MAX, UINT32_MAX},
                  RULE_USE_AFTER_EXIT);
  }
}
