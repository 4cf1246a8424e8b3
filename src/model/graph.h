// An execution graph under construction and the native, incremental check of a built-in model.
//
// Events are added thread by thread; a read is given its source, two writes are ordered. After each
// step all consequences are drawn (forced coherence, synchronisation, order) until nothing follows
// any more or an axiom is violated. Everything only grows, so a violation never heals and the
// caller backtracks: every change goes through the trail.
//
// Rows are bit sets over events, `words` words each. Initial writes are not events here: a read of
// the initial value has the source EVENT_INIT, and W0 is coherence-before every write (spec A.1).
#ifndef WARPSAN_MODEL_GRAPH_H
#define WARPSAN_MODEL_GRAPH_H

#include "base/bits.h"
#include "base/trail.h"
#include "ir/ir.h"
#include "model/model.h"

typedef enum EventKind {
  EVENT_READ,
  EVENT_WRITE,
  EVENT_FENCE,
  EVENT_PROXY_FENCE,
  EVENT_BARRIER, // arrivals and waits of every kind of execution barrier, and waits for copies
} EventKind;

enum {
  EVENT_NORET = 1,    // read half of an atomic without result
  EVENT_VOLATILE = 2, // strong in PTX, not atomic in C++
  EVENT_ASYNC = 4,    // not in program order: only `aord` edges reach it (spec A.6)
  EVENT_ARRIVES = 8,  // barrier: others wait for it
  EVENT_WAITS = 16,   // barrier: waits for others
  EVENT_ATOMIC = 32,  // half of an atomic that certainly has two
  EVENT_RELAXED = 64, // cluster arrival without order of its own
  // Kernels: a read whose value was settled when it was added (`value`), which nothing revisits.
  EVENT_EAGER = 128,
  EVENT_UPDATE = 256,      // write of an atomic whose result nobody uses: its read half is left out
  EVENT_DEVICE_ONLY = 512, // the machine makes it atomic within its device only (spec E.5)
  // Kernels: a read that stands for an atomic which certainly writes back what it has read.
  EVENT_POLL = 1024,
  // Kernels: an access of an asynchronous operation. What comes before it does not therefore come
  // before what comes after it (spec A.6, issue.c).
  EVENT_ISSUED = 2048,
  // Kernels: a read of bytes that writes of another size or place have left; `value` has these.
  EVENT_MIXED = 4096,
  EVENT_INITS = 8192, // the write of mbarrier.init
  // Fences that order accesses to shared memory only, or what mbarrier.init has written.
  EVENT_OF_SHARED = 16384,
  EVENT_OF_INITS = 32768,
  // Kernels: a load that names one byte of its location only, or two; and which (kernel_word.c).
  EVENT_PART = 65536,
  EVENT_PART_OF_TWO = 131072,
  EVENT_PART_OFFSET = 18, // shift of two bits
};

typedef struct Event {
  union {
    struct {
      uint8_t kind;   // EventKind
      uint8_t sem;    // Sem
      uint8_t scope;  // Scope
      uint8_t proxy;  // Proxy
      uint32_t flags; // EVENT_*
    };
    uint64_t nature; // all of these, as one word of the trail
  };
  uint32_t thread;
  uint32_t po_index; // position in the thread
  uint32_t location; // physical location of a memory event
  uint32_t virtual_location;
  uint32_t instruction; // of the thread
  uint32_t value;       // of a write, or of a read with the flags above: the explorer's expression
} Event;

#define EVENT_NONE UINT32_MAX       // no event; a read without a source
#define EVENT_INIT (UINT32_MAX - 1) // the initial write of the read's location

// Edges that the engine supplies (spec B.6); they enter the model's order.
typedef enum SyncKind { SYNC_BARRIER, SYNC_CLUSTER, SYNC_WARP, SYNC_API, SYNC_ASYNC } SyncKind;

typedef struct SyncEdge {
  SyncKind kind;
  uint32_t from, to;
} SyncEdge;

// From or to a fence that orders some accesses only: not part of the order, which is of all.
typedef struct RestrictedEdge {
  uint32_t from, to;
} RestrictedEdge;

typedef enum EdgeKind { EDGE_ORDER, EDGE_COHERENCE, EDGE_TIME } EdgeKind;

// A consequence that waits to be drawn.
typedef struct PendingEdge {
  EdgeKind kind;
  uint32_t from, to;
} PendingEdge;

// What accesses name: an address and a size. Litmus tests have one for each object.
typedef struct Location {
  uint64_t address;  // physical
  uint32_t size;     // bytes
  bool is_undefined; // nothing is known of the initial contents
  int64_t initial;
  uint32_t next;  // further location that shares its 16 bytes, EVENT_NONE: none
  uint32_t user;  // thread + 1 that accessed it first, in whatever execution; 0: none has
  bool is_shared; // so did another one, or an asynchronous operation
} Location;

enum { LOCATION_GRANULE = 16 };

// Up to 64 rows, of the events of one word, to which the event `to` was added. One of these undoes
// what would be a word of the trail for each row.
typedef struct RowColumn {
  uint64_t *rows;
  uint32_t to, word;
  uint64_t sources;
} RowColumn;

typedef struct Graph Graph;

// What a model makes of each change; false: an axiom is violated.
typedef struct GraphRules {
  bool (*event_added)(Graph *graph, uint32_t event);
  // A read turned out to acquire; NULL: nothing follows.
  void (*read_strengthened)(Graph *graph, uint32_t read);
  // `targets` are newly ordered after `from`.
  bool (*order_added)(Graph *graph, uint32_t from, const uint64_t *targets);
  // The same for one event that nothing is ordered after yet: it is newly after all of `sources`.
  bool (*order_reached)(Graph *graph, const uint64_t *sources, uint32_t to);
  bool (*source_set)(Graph *graph, uint32_t read, uint32_t source);
  bool (*coherence_added)(Graph *graph, uint32_t from, uint32_t to);
  // Called when nothing is pending any more; may push further edges.
  bool (*settled)(Graph *graph);
  bool has_total_coherence;
} GraphRules;

struct Graph {
  const Program *program;
  const GraphRules *rules; // NULL: nothing is forbidden
  ModelKind kind;
  Trail *trail;
  Arena *arena;      // lasts as long as the graph
  Arena *temporary;  // for what is dropped before a question is answered
  uint32_t capacity; // events that fit
  uint32_t words;    // of a row
  Location *locations;
  uint32_t location_count, location_capacity;
  uint32_t *location_slots; // hash of granules: first location + 1
  uint32_t location_slot_count;
  bool is_restricted;   // fences occur that order accesses to shared memory only
  bool has_async_proxy; // kernels: accesses through another proxy occur
  bool has_proxies;     // proxies, aliases or proxy fences occur: cause is not just order
  uint64_t event_count;
  Event *events;
  uint64_t *source; // of each read: event, EVENT_INIT or EVENT_NONE
  uint64_t *mate;   // other half of an atomic, or EVENT_NONE
  // Rows over events, one for each event.
  uint64_t *order_after, *order_before; // the model's order (base, hb, ...), closed (issue.c)
  uint64_t *cause_after, *cause_before; // proxy-preserved order; = order without proxies
  // rc11: (po | rf | ...)+, closed; with `is_restricted` the order without restricted edges; else
  // = order.
  uint64_t *time_after, *time_before;
  uint64_t *coherence_after, *coherence_before; // closed
  uint64_t *linked;    // morally strong (ptx) or mutually inclusive (cuda) with
  uint64_t *readers;   // of each write
  uint64_t *observers; // of each write: reads that observe it (spec B.3)
  uint64_t *observed;  // of each read: writes that it observes
  uint64_t *heads;     // of each write: heads of its release patterns
  uint64_t *lasts;     // of each read: last events of its acquire patterns
  // Rows over events, one for each location or thread, and single ones.
  uint64_t *writes_at, *reads_at;
  uint64_t *initial_readers; // reads of the initial value
  uint64_t *thread_events;
  uint64_t *release_fences, *acquire_fences, *proxy_fences, *sc_events;
  uint64_t *strong_events; // with a scope
  uint64_t *atomics;       // accesses that are atomic in C++
  uint64_t *asynchronous;
  uint64_t *of_tensormaps; // through the tensormap proxy, which no program order reaches
  uint8_t *scopes;         // of two threads: those that contain both, as bits; NULL: many threads
  uint64_t *last_event;    // of each thread, in program order; EVENT_NONE
  SyncEdge *sync_edges;    // supplied by the engine
  uint64_t sync_edge_count;
  uint32_t sync_edge_capacity;
  RestrictedEdge *restricted_edges;
  uint64_t restricted_count;
  uint32_t restricted_capacity;
  RowColumn *columns;
  uint64_t column_count; // by the trail; what is behind it has to be undone
  uint32_t columns_made, column_capacity;
  PendingEdge *pending;
  uint32_t pending_count, pending_capacity;
  uint64_t *scratch; // a few rows
};

// `location_capacity`: for kernels, whose locations are found while they run. `tracks_proxies`: for
// kernels, whose order through proxies is otherwise only asked for (graph_is_proxy_ordered).
void graph_init(Graph *graph, const Program *program, const Model *model, bool is_free,
                uint32_t capacity, uint32_t location_capacity, bool tracks_proxies, Trail *trail,
                Arena *arena, Arena *temporary);

// The location of an access; made if it is new. EVENT_NONE: the capacity is reached. Locations stay
// when the search backtracks.
uint32_t graph_intern_location(Graph *graph, Location location);
// First location in the 16 bytes that hold the address, EVENT_NONE: none; others by `next`.
uint32_t graph_first_location(const Graph *graph, uint64_t address);
bool locations_overlap(const Location *a, const Location *b);
// Locations that share bytes with one, itself among them; EVENT_NONE: no more. `i` is one of them.
uint32_t graph_first_overlapping(const Graph *graph, uint32_t location);
uint32_t graph_next_overlapping(const Graph *graph, uint32_t location, uint32_t i);
// PTX: is `first` ordered before `second` through the proxies of both (spec B.5)?
bool graph_is_proxy_ordered(const Graph *graph, uint32_t first, uint32_t second);

// Goes back to a mark of the graph's trail, which must not be undone otherwise.
void graph_undo(Graph *graph, TrailMark mark);

// Adds an event at the end of its thread (or, if asynchronous, beside it); false: inconsistent.
// `graph->event_count` must be below `capacity`; the event gets the number event_count.
bool graph_add_event(Graph *graph, Event event);
// Gives a read a stronger order than the one with which it was added; false: inconsistent.
bool graph_strengthen_read(Graph *graph, uint32_t read, Sem sem);
// Joins the two halves of an atomic.
bool graph_join_atomic(Graph *graph, uint32_t read, uint32_t write);
// An edge that the engine supplies: barriers, launches, asynchronous operations (spec B.6).
bool graph_add_order(Graph *graph, SyncKind kind, uint32_t from, uint32_t to);
// Orders each event of one set before each of another, which are barrier events.
bool graph_order_sets(Graph *graph, const uint32_t *from, uint32_t from_count, const uint32_t *to,
                      uint32_t to_count);
// An order of two SC fences that is being tried.
bool graph_order_fences(Graph *graph, uint32_t from, uint32_t to);
bool graph_set_source(Graph *graph, uint32_t read, uint32_t source);
// Takes away sources that a read cannot have (source.c); a hint: the others need not be consistent.
void graph_exclude_sources(const Graph *graph, uint32_t read, uint64_t *row);
bool graph_may_read_initial(const Graph *graph, uint32_t read);
bool graph_add_coherence(Graph *graph, uint32_t from, uint32_t to);
// Finds two writes that the model wants ordered and that are not; false: there are none. `from`:
// the first write of a pair that was found before and has been ordered since, or EVENT_NONE.
bool graph_find_unordered(const Graph *graph, uint32_t from, uint32_t *first, uint32_t *second);

static inline uint64_t *graph_row(const Graph *graph, uint64_t *rows, uint32_t i) {
  return rows + (size_t)i * graph->words;
}

static inline bool graph_has(const Graph *graph, const uint64_t *rows, uint32_t from, uint32_t to) {
  return bits_has(rows + (size_t)from * graph->words, to);
}

// For the rules of the models:
void graph_grow_pending(Graph *graph);

static inline uint64_t *graph_rows_after(const Graph *graph, EdgeKind kind) {
  return kind == EDGE_ORDER       ? graph->order_after
         : kind == EDGE_COHERENCE ? graph->coherence_after
                                  : graph->time_after;
}

// Leaves an edge to be drawn, unless it is there.
static inline void graph_push(Graph *graph, EdgeKind kind, uint32_t from, uint32_t to) {
  if (graph_has(graph, graph_rows_after(graph, kind), from, to) &&
      (kind != EDGE_ORDER || graph_has(graph, graph->time_after, from, to)))
    return;
  if (graph->pending_count == graph->pending_capacity)
    graph_grow_pending(graph);
  graph->pending[graph->pending_count++] = (PendingEdge){kind, from, to};
}

// restricted.c: an edge of synchronisation. If an end is a fence that orders some accesses only, it
// is remembered for graph_is_ordered_by_restricted. Where such a fence orders accesses to shared
// memory the edge is part of the order, by which reads find values, but not of `time_after`.
void graph_push_sync(Graph *graph, uint32_t from, uint32_t to);
// Is the access `first` ordered before `second` with the help of such fences? Uses scratch row 3.
bool graph_is_ordered_by_restricted(const Graph *graph, uint32_t first, uint32_t second);

static inline bool event_is_restricted(const Event *event) {
  return event->flags & (EVENT_OF_SHARED | EVENT_OF_INITS);
}

// Draws all consequences of what was pushed; false: inconsistent.
bool graph_settle(Graph *graph);
// Adds `to` to the rows of all `sources`, in none of which it was.
void graph_add_column(Graph *graph, uint64_t *rows, const uint64_t *sources, uint32_t to);
// Adds a bit to a row through the trail; false if it was there.
bool graph_add_bit(Graph *graph, uint64_t *row, uint32_t i);

static inline bool event_is_memory(const Event *event) {
  return event->kind <= EVENT_WRITE;
}

static inline bool event_is_release(const Event *event) {
  return event->kind != EVENT_READ && event->kind <= EVENT_FENCE &&
         (event->sem == SEM_RELEASE || event->sem == SEM_ACQ_REL || event->sem == SEM_SC);
}

static inline bool event_is_acquire(const Event *event) {
  return event->kind != EVENT_WRITE && event->kind <= EVENT_FENCE &&
         (event->sem == SEM_ACQUIRE || event->sem == SEM_ACQ_REL || event->sem == SEM_SC);
}

// Strong in PTX's sense: it has a scope (spec A.2).
static inline bool event_is_strong(const Event *event) {
  return event->scope != SCOPE_NONE;
}

// Atomic in C++: strong and not merely volatile.
static inline bool event_is_atomic(const Event *event) {
  return event_is_memory(event) && event->sem != SEM_WEAK && !(event->flags & EVENT_VOLATILE);
}

// Program order (spec B.1): asynchronous events are in none.
bool graph_is_po(const Graph *graph, uint32_t before, uint32_t after);
// Both have a scope that contains the other's thread, and the machine makes them atomic there.
// Under rc11 and c11 it is enough that both have a scope.
bool graph_is_scope_mutual_by_places(const Graph *graph, uint32_t a, uint32_t b);
static inline bool graph_is_scope_mutual(const Graph *graph, uint32_t a, uint32_t b) {
  const Event *first = &graph->events[a], *second = &graph->events[b];
  if (!graph->scopes || ((first->flags | second->flags) & EVENT_DEVICE_ONLY))
    return graph_is_scope_mutual_by_places(graph, a, b);
  uint32_t scopes =
      graph->scopes[(size_t)first->thread * graph->program->thread_count + second->thread];
  return scopes >> first->scope & scopes >> second->scope & 1;
}
bool graph_is_same_cta(const Graph *graph, uint32_t a, uint32_t b);

#endif
