// Sequential consistency of one execution: what each read saw is closed into an order that every
// total order of the accesses has to obey. A cycle proves that there is none.
//
// Only locations that are written and that two threads access matter; the order of the model, which
// is closed, stands for all other events.
#include "explore/kernel_cause.h"

#include <string.h>

enum { MOST_NODES = 2048, MOST_ROUNDS = 64 };

typedef struct Order {
  const Search *search;
  uint32_t *events;  // of the nodes
  uint32_t *nodes;   // of each event, EVENT_NONE: it is none
  uint32_t *sources; // of each node that is a read: a node, or EVENT_INIT
  uint32_t count, words;
  uint64_t *after; // row of each node
} Order;

uint32_t kernel_source(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[read];
  uint32_t newest = EVENT_INIT;
  if (!(event->flags & EVENT_EAGER))
    return (uint32_t)graph->source[read];
  BITS_EACH(bit, graph_row(graph, graph->writes_at, event->location), graph->words) {
    uint32_t write = (uint32_t)bit;
    if (graph_has(graph, graph->order_before, read, write) &&
        (newest == EVENT_INIT || graph_has(graph, graph->order_after, newest, write) ||
         graph_has(graph, graph->coherence_after, newest, write)))
      newest = write;
  }
  return newest;
}

static bool is_shared(const Graph *graph, uint32_t location) {
  const uint64_t *writes = graph_row(graph, graph->writes_at, location);
  const uint64_t *reads = graph_row(graph, graph->reads_at, location);
  if (bits_is_empty(writes, graph->words))
    return false;
  uint32_t thread = UINT32_MAX;
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = writes[w] | reads[w]; left; left &= left - 1) {
      uint32_t other = graph->events[w * 64 + bits_first(left)].thread;
      if (thread != UINT32_MAX && thread != other)
        return true;
      thread = other;
    }
  return false;
}

static void add_location(Order *order, uint32_t location) {
  const Graph *graph = &order->search->graph;
  for (uint32_t w = 0; w < graph->words; w++) {
    uint64_t here = graph_row(graph, graph->writes_at, location)[w] |
                    graph_row(graph, graph->reads_at, location)[w];
    for (uint64_t left = here; left && order->count < MOST_NODES; left &= left - 1) {
      uint32_t event = w * 64 + bits_first(left);
      order->nodes[event] = order->count;
      order->events[order->count++] = event;
    }
  }
}

static void collect_nodes(Order *order, Arena *arena) {
  const Graph *graph = &order->search->graph;
  order->events = ARENA_ARRAY(arena, uint32_t, MOST_NODES);
  order->nodes = ARENA_ARRAY(arena, uint32_t, graph->event_count + 1);
  memset(order->nodes, 0xff, graph->event_count * sizeof *order->nodes);
  for (uint32_t location = 0; location < graph->location_count; location++)
    if (is_shared(graph, location))
      add_location(order, location);
}

static uint64_t *row_of(const Order *order, uint32_t node) {
  return order->after + (size_t)node * order->words;
}

// False: it was there.
static bool add_edge(Order *order, uint32_t from, uint32_t to) {
  if (bits_has(row_of(order, from), to))
    return false;
  bits_add(row_of(order, from), to);
  return true;
}

static void add_known_order(Order *order, uint32_t node) {
  const Graph *graph = &order->search->graph;
  uint32_t event = order->events[node];
  const uint64_t *after = graph_row(graph, graph->order_after, event);
  const uint64_t *later = graph_row(graph, graph->coherence_after, event);
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = after[w] | later[w]; left; left &= left - 1) {
      uint32_t other = order->nodes[w * 64 + bits_first(left)];
      if (other != EVENT_NONE)
        add_edge(order, node, other);
    }
}

static void begin_order(Order *order, Arena *arena) {
  const Graph *graph = &order->search->graph;
  order->words = bits_words(order->count);
  order->after = ARENA_ARRAY(arena, uint64_t, (size_t)order->count * order->words);
  order->sources = ARENA_ARRAY(arena, uint32_t, order->count);
  for (uint32_t node = 0; node < order->count; node++) {
    uint32_t event = order->events[node];
    add_known_order(order, node);
    if (graph->events[event].kind != EVENT_READ)
      continue;
    uint32_t source = kernel_source(order->search, event);
    order->sources[node] = source >= EVENT_INIT ? source : order->nodes[source];
    if (source < EVENT_INIT)
      add_edge(order, order->nodes[source], node);
  }
}

static void close_order(Order *order) {
  for (uint32_t middle = 0; middle < order->count; middle++)
    for (uint32_t node = 0; node < order->count; node++)
      if (bits_has(row_of(order, node), middle))
        bits_add_row(row_of(order, node), row_of(order, middle), order->words);
}

static bool has_cycle(const Order *order) {
  for (uint32_t node = 0; node < order->count; node++)
    if (bits_has(row_of(order, node), node))
      return true;
  return false;
}

// A write comes before the source of a read of its location, or after the read; behind an atomic's
// read it comes behind its write, too.
static bool place_write(Order *order, uint32_t read, uint32_t write) {
  const Graph *graph = &order->search->graph;
  uint32_t source = order->sources[read];
  uint64_t mate = graph->mate[order->events[read]];
  bool is_fresh = false;
  if (write == source || order->events[write] == mate || source == EVENT_NONE)
    return false;
  if (source == EVENT_INIT || bits_has(row_of(order, source), write)) {
    is_fresh = add_edge(order, read, write);
    if (mate != EVENT_NONE)
      is_fresh |= add_edge(order, order->nodes[mate], write);
  } else if (bits_has(row_of(order, write), read)) {
    is_fresh = add_edge(order, write, source);
  }
  return is_fresh;
}

static bool place_writes(Order *order) {
  const Graph *graph = &order->search->graph;
  bool is_fresh = false;
  for (uint32_t read = 0; read < order->count; read++) {
    const Event *event = &graph->events[order->events[read]];
    if (event->kind != EVENT_READ)
      continue;
    BITS_EACH(write, graph_row(graph, graph->writes_at, event->location), graph->words)
    is_fresh |= place_write(order, read, order->nodes[write]);
  }
  return is_fresh;
}

// False: there are too many accesses.
static bool find_order(Order *order, const Search *search, Arena *arena) {
  uint32_t round = 0;
  *order = (Order){.search = search};
  collect_nodes(order, arena);
  if (order->count == MOST_NODES)
    return false;
  begin_order(order, arena);
  do
    close_order(order);
  while (!has_cycle(order) && place_writes(order) && ++round < MOST_ROUNDS);
  return true;
}

bool kernel_is_sequential(const Search *search) {
  Order order;
  ArenaMark mark = arena_mark(search->temporary);
  bool is_sequential = !find_order(&order, search, search->temporary) || !has_cycle(&order);
  arena_reset(search->temporary, mark);
  return is_sequential;
}

// --- reads that a total order cannot explain

// The read comes before the write, since it saw less, and also behind it.
static bool is_stale(const Order *order, uint32_t read, uint32_t write) {
  uint32_t source = order->sources[read];
  return write != source &&
         order->events[write] != order->search->graph.mate[order->events[read]] &&
         (source == EVENT_INIT || bits_has(row_of(order, source), write)) &&
         bits_has(row_of(order, write), read);
}

static bool is_same_instruction(const Graph *graph, uint32_t a, uint32_t b) {
  return graph->events[a].instruction == graph->events[b].instruction;
}

static bool is_known_stale(const Graph *graph, const StaleRead *stale, uint32_t count,
                           StaleRead fresh) {
  for (uint32_t i = 0; i < count; i++)
    if (is_same_instruction(graph, stale[i].read, fresh.read) &&
        is_same_instruction(graph, stale[i].write, fresh.write))
      return true;
  return false;
}

static uint32_t collect_stale(const Order *order, StaleRead *stale, uint32_t most) {
  const Graph *graph = &order->search->graph;
  uint32_t count = 0;
  for (uint32_t read = 0; read < order->count; read++) {
    const Event *event = &graph->events[order->events[read]];
    if (event->kind != EVENT_READ || order->sources[read] == EVENT_NONE)
      continue;
    BITS_EACH(write, graph_row(graph, graph->writes_at, event->location), graph->words) {
      StaleRead fresh = {order->events[read], (uint32_t)write};
      if (count < most && is_stale(order, read, order->nodes[write]) &&
          !is_known_stale(graph, stale, count, fresh))
        stale[count++] = fresh;
    }
  }
  return count;
}

uint32_t kernel_find_stale_reads(const Search *search, StaleRead *stale, uint32_t most) {
  Order order;
  uint32_t count = 0;
  ArenaMark mark = arena_mark(search->temporary);
  if (find_order(&order, search, search->temporary))
    count = collect_stale(&order, stale, most);
  arena_reset(search->temporary, mark);
  return count;
}

static bool is_before(const Graph *graph, uint32_t a, uint32_t b) {
  return a == b || graph_is_po(graph, a, b) || graph_has(graph, graph->order_after, a, b);
}

bool kernel_find_link(const Search *search, uint32_t newer, uint32_t read, Link *link) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++) {
    const Event *event = &graph->events[i];
    uint32_t source = event->kind == EVENT_READ ? (uint32_t)graph->source[i] : EVENT_NONE;
    if (source < EVENT_INIT && graph->events[source].thread != event->thread &&
        is_before(graph, i, read) && is_before(graph, newer, source)) {
      *link = (Link){source, i};
      return true;
    }
  }
  return false;
}

// --- one order of all accesses

typedef struct Scheduler {
  const Order *order;
  uint64_t *placed;
  uint32_t *last; // of each location: the write that was placed last, EVENT_INIT: none
} Scheduler;

static bool is_enabled(const Scheduler *scheduler, uint32_t node) {
  const Order *order = scheduler->order;
  for (uint32_t other = 0; other < order->count; other++)
    if (bits_has(row_of(order, other), node) && !bits_has(scheduler->placed, other))
      return false;
  return true;
}

static uint32_t location_of(const Order *order, uint32_t node) {
  return order->search->graph.events[order->events[node]].location;
}

static bool is_read(const Order *order, uint32_t node) {
  return order->search->graph.events[order->events[node]].kind == EVENT_READ;
}

// Would the write hide what another read has yet to see?
static bool hides(const Scheduler *scheduler, uint32_t write) {
  const Order *order = scheduler->order;
  uint32_t location = location_of(order, write);
  for (uint32_t read = 0; read < order->count; read++)
    if (is_read(order, read) && location_of(order, read) == location &&
        !bits_has(scheduler->placed, read) && order->sources[read] == scheduler->last[location])
      return true;
  return false;
}

static bool may_come(const Scheduler *scheduler, uint32_t node) {
  const Order *order = scheduler->order;
  return is_read(order, node) ? order->sources[node] == scheduler->last[location_of(order, node)]
                              : !hides(scheduler, node);
}

// The next access: a read if possible. EVENT_NONE: no access can come next.
static uint32_t choose_next(const Scheduler *scheduler) {
  const Order *order = scheduler->order;
  uint32_t chosen = EVENT_NONE;
  for (uint32_t node = 0; node < order->count; node++)
    if (!bits_has(scheduler->placed, node) && is_enabled(scheduler, node) &&
        may_come(scheduler, node) &&
        (chosen == EVENT_NONE || (!is_read(order, chosen) && is_read(order, node))))
      chosen = node;
  return chosen;
}

static uint32_t make_schedule(const Order *order, Arena *arena, uint32_t *schedule) {
  Scheduler scheduler = {.order = order};
  uint32_t locations = order->search->graph.location_count;
  scheduler.placed = ARENA_ARRAY(arena, uint64_t, order->words + 1);
  scheduler.last = ARENA_ARRAY(arena, uint32_t, locations + 1);
  for (uint32_t i = 0; i < locations; i++)
    scheduler.last[i] = EVENT_INIT;
  for (uint32_t i = 0; i < order->count; i++) {
    uint32_t next = choose_next(&scheduler);
    if (next == EVENT_NONE)
      return 0;
    bits_add(scheduler.placed, next);
    if (!is_read(order, next))
      scheduler.last[location_of(order, next)] = next;
    schedule[i] = order->events[next];
  }
  return order->count;
}

uint32_t kernel_find_schedule(const Search *search, Arena *arena, uint32_t **schedule) {
  enum { MOST_SCHEDULED = 256 };
  Order order;
  uint32_t count = 0;
  *schedule = ARENA_ARRAY(arena, uint32_t, MOST_SCHEDULED);
  ArenaMark mark = arena_mark(search->temporary);
  if (find_order(&order, search, search->temporary) && order.count <= MOST_SCHEDULED &&
      !has_cycle(&order))
    count = make_schedule(&order, search->temporary, *schedule);
  arena_reset(search->temporary, mark);
  return count;
}
