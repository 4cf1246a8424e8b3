#include "explore/kernel_findings.h"

#include "ir/fault.h"
#include "ir/poll.h"

const char *kernel_location_name(const Search *search, uint32_t event, Arena *arena) {
  return kernel_place_name(search, search->graph.events[event].location, arena);
}

const char *kernel_place_name(const Search *search, uint32_t number, Arena *arena) {
  const Location *location = &search->graph.locations[number];
  const Region *region = memory_find(search->program->memory, location->address, location->size);
  if (!region)
    return "memory";
  if (search->guests && region->size == location->size)
    return region->name;
  return memory_place_name(region, location->address, arena);
}

// --- races

static const Placement *placement_of(const Search *search, uint32_t event) {
  return &search->program->threads[search->graph.events[event].thread].place;
}

bool kernel_lacks_atomicity(const Search *search, uint32_t a, uint32_t b) {
  const Event *first = &search->graph.events[a], *second = &search->graph.events[b];
  const Placement *here = placement_of(search, a), *there = placement_of(search, b);
  return ((first->flags | second->flags) & EVENT_DEVICE_ONLY) &&
         !graph_is_scope_mutual(&search->graph, a, b) &&
         ir_scope_contains((Scope)first->scope, here, there) &&
         ir_scope_contains((Scope)second->scope, there, here);
}

const char *kernel_machine_reason(const Search *search, uint32_t a, uint32_t b, Arena *arena) {
  uint32_t event = search->graph.events[a].flags & EVENT_DEVICE_ONLY ? a : b;
  const Location *location = &search->graph.locations[search->graph.events[event].location];
  const Region *region = memory_find(search->program->memory, location->address, location->size);
  return machine_reason(search->program->machine, region->home, placement_of(search, event), arena);
}

static const Thread *thread_of(const Search *search, uint32_t event) {
  return &search->program->threads[search->graph.events[event].thread];
}

static bool is_poll(const Search *search, uint32_t event, bool is_for_own_block) {
  const Event *accessed = &search->graph.events[event];
  const Thread *thread = search->codes[accessed->thread].thread;
  uint32_t count = thread->instruction_count, place = accessed->instruction;
  return poll_is_at(thread->instructions, count, place) &&
         !(is_for_own_block && poll_meets_block(thread->instructions, count, place));
}

static bool has_fence(const Search *search, uint32_t event) {
  const Graph *graph = &search->graph;
  BITS_EACH(other, graph_row(graph, graph->thread_events, graph->events[event].thread),
            graph->words)
  if (graph->events[other].kind == EVENT_FENCE)
    return true;
  return false;
}

// A flag that a thread polls and another writes, one of them by a plain access.
static bool is_plain_flag(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  if (graph->events[a].kind == graph->events[b].kind ||
      graph->events[a].thread == graph->events[b].thread)
    return false;
  uint32_t read = graph->events[a].kind == EVENT_READ ? a : b;
  const Thread *first = thread_of(search, a), *second = thread_of(search, b);
  return first->warp != second->warp && is_poll(search, read, first->block == second->block);
}

// Can a head of what is released and the end of what acquires it see each other?
static bool is_wide_enough(const Search *search, uint32_t write, uint32_t read) {
  const Graph *graph = &search->graph;
  BITS_EACH(head, graph_row(graph, graph->heads, write), graph->words)
  BITS_EACH(last, graph_row(graph, graph->lasts, read), graph->words)
  if (graph_is_scope_mutual(graph, (uint32_t)head, (uint32_t)last))
    return true;
  return false;
}

static RuleNumber flag_fault(const Search *search, uint32_t write, uint32_t read) {
  const Graph *graph = &search->graph;
  if (!event_is_strong(&graph->events[write]) || !event_is_strong(&graph->events[read]))
    return has_fence(search, write) && has_fence(search, read) ? RULE_FENCE_WITHOUT_FLAG
                                                               : RULE_PLAIN_FLAG;
  if (kernel_lacks_atomicity(search, write, read))
    return RULE_NOT_ATOMIC_HERE;
  if (!graph_is_scope_mutual(graph, write, read))
    return RULE_SCOPE_TOO_NARROW;
  bool is_volatile = graph->events[write].flags & graph->events[read].flags & EVENT_VOLATILE;
  if (bits_is_empty(graph_row(graph, graph->heads, write), graph->words))
    return is_volatile ? RULE_VOLATILE_FLAG : RULE_RELEASE_MISSING;
  if (bits_is_empty(graph_row(graph, graph->lasts, read), graph->words))
    return is_volatile ? RULE_VOLATILE_FLAG : RULE_ACQUIRE_MISSING;
  return is_wide_enough(search, write, read) ? RULE_NO_SYNCHRONISATION : RULE_SCOPE_TOO_NARROW;
}

// A thread of the block of `a` has passed a flag on, and what saw it comes before `b`.
static bool is_passed_on(const Search *search, uint32_t a, uint32_t b, uint32_t write,
                         uint32_t *read) {
  const Graph *graph = &search->graph;
  if (graph->events[write].kind != EVENT_WRITE ||
      bits_is_empty(graph_row(graph, graph->heads, write), graph->words) ||
      thread_of(search, write)->block != thread_of(search, a)->block ||
      graph->events[write].thread == graph->events[a].thread ||
      !graph_has(graph, graph->order_after, write, b) ||
      graph_has(graph, graph->order_after, write, a))
    return false;
  BITS_EACH(bit, graph_row(graph, graph->reads_at, graph->events[write].location), graph->words)
  if (graph->source[bit] == write && graph_has(graph, graph->order_after, (uint32_t)bit, b)) {
    *read = (uint32_t)bit;
    return true;
  }
  return false;
}

// A thread of the block of `b` has seen a flag that `a` comes before.
static bool is_seen(const Search *search, uint32_t a, uint32_t b, uint32_t read) {
  const Graph *graph = &search->graph;
  return graph->events[read].kind == EVENT_READ &&
         !bits_is_empty(graph_row(graph, graph->lasts, read), graph->words) &&
         thread_of(search, read)->block == thread_of(search, b)->block &&
         graph->events[read].thread != graph->events[b].thread &&
         graph->source[read] < graph->event_count &&
         graph_has(graph, graph->order_after, a, read) &&
         !graph_has(graph, graph->order_after, b, read);
}

// Does the thread speak for itself: release something behind the access, or acquire before it?
static bool speaks_for_itself(const Search *search, uint32_t event, bool releases) {
  const Graph *graph = &search->graph;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, graph->events[event].thread),
            graph->words) {
    const uint64_t *row = graph_row(graph, releases ? graph->heads : graph->lasts, (uint32_t)bit);
    bool is_behind = graph->events[bit].po_index > graph->events[event].po_index;
    if (is_behind == releases && !bits_is_empty(row, graph->words))
      return true;
  }
  return false;
}

// A thread that speaks for its block, which no barrier puts behind `a` or before `b`.
static bool finds_spokesman(const Search *search, uint32_t a, uint32_t b, uint32_t *write,
                            uint32_t *read) {
  const Graph *graph = &search->graph;
  bool may_be_passed_on = !speaks_for_itself(search, a, true);
  bool may_be_seen = !speaks_for_itself(search, b, false);
  for (uint32_t i = 0; i < graph->event_count; i++) {
    *write = i;
    if (may_be_passed_on && is_passed_on(search, a, b, i, read))
      return true;
    if (!may_be_seen || !is_seen(search, a, b, i))
      continue;
    *read = i;
    *write = (uint32_t)graph->source[i];
    return true;
  }
  return false;
}

// A write and a read of one location that were meant to order two accesses.
typedef struct Flag {
  uint32_t write, read, rank; // rank 0: there is none
} Flag;

// Would a flag do, if it were seen? Another read of it by the same thread may be what acquires, as
// the compare-and-swap behind a relaxed look; likewise another write what releases.
static bool is_good_flag(const Search *search, uint32_t from, uint32_t to, uint32_t write,
                         uint32_t read) {
  const Graph *graph = &search->graph;
  const Event *events = graph->events;
  uint32_t location = events[write].location;
  if (flag_fault(search, write, read) == RULE_NO_SYNCHRONISATION)
    return true;
  BITS_EACH(bit, graph_row(graph, graph->reads_at, location), graph->words)
  if (events[bit].thread == events[read].thread &&
      graph_has(graph, graph->order_after, (uint32_t)bit, to) &&
      flag_fault(search, write, (uint32_t)bit) == RULE_NO_SYNCHRONISATION)
    return true;
  BITS_EACH(bit, graph_row(graph, graph->writes_at, location), graph->words)
  if (events[bit].thread == events[write].thread &&
      graph_has(graph, graph->order_after, from, (uint32_t)bit) &&
      flag_fault(search, (uint32_t)bit, read) == RULE_NO_SYNCHRONISATION)
    return true;
  return false;
}

// Of several flags that is the one that is meant which is no data handed over by plain accesses,
// lacks something, and was seen.
static void consider_flag(const Search *search, uint32_t from, uint32_t to, Flag flag, Flag *best) {
  const Graph *graph = &search->graph;
  uint32_t write = flag.write, read = flag.read;
  bool is_strong = event_is_strong(&graph->events[write]) && event_is_strong(&graph->events[read]);
  flag.rank = 1 + 4 * (is_strong || is_poll(search, read, false)) +
              2 * !is_good_flag(search, from, to, write, read) + (graph->source[read] == write);
  if (flag.rank > best->rank)
    *best = flag;
}

static const Instruction *instruction_at(const Search *search, uint32_t event) {
  return &thread_of(search, event)->instructions[search->graph.events[event].instruction];
}

// Is the write made by the code of one of the racing accesses? Then it is data of another round.
static bool is_of_race(const Search *search, uint32_t write, uint32_t from, uint32_t to) {
  const Instruction *made = instruction_at(search, write);
  return fault_is_same_place(made, instruction_at(search, from)) ||
         fault_is_same_place(made, instruction_at(search, to));
}

// A write of one thread behind its access, and a read of the other before its own.
static void find_flag(const Search *search, uint32_t from, uint32_t to, Flag *best) {
  const Graph *graph = &search->graph;
  const Event *first = &graph->events[from], *second = &graph->events[to];
  BITS_EACH(i, graph_row(graph, graph->thread_events, first->thread), graph->words) {
    const Event *flag = &graph->events[i];
    if (flag->kind != EVENT_WRITE || flag->location == first->location ||
        flag->po_index < first->po_index || is_of_race(search, (uint32_t)i, from, to))
      continue;
    BITS_EACH(bit, graph_row(graph, graph->reads_at, flag->location), graph->words)
    if (graph->events[bit].thread == second->thread &&
        graph->events[bit].po_index < second->po_index)
      consider_flag(search, from, to, (Flag){(uint32_t)i, (uint32_t)bit, 0}, best);
  }
}

// The leaders of two blocks may speak for their threads: a barrier carries the order on.
static void find_leaders_flag(const Search *search, uint32_t from, uint32_t to, Flag *best) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++) {
    if (graph->events[i].kind != EVENT_WRITE || !event_is_strong(&graph->events[i]) ||
        !graph_has(graph, graph->order_after, from, i))
      continue;
    BITS_EACH(bit, graph_row(graph, graph->reads_at, graph->events[i].location), graph->words)
    if (graph->events[bit].thread != graph->events[i].thread &&
        graph_has(graph, graph->order_after, (uint32_t)bit, to))
      consider_flag(search, from, to, (Flag){i, (uint32_t)bit, 0}, best);
  }
}

static bool races_between(const Search *search, uint32_t a, uint32_t b, bool blocks) {
  const Thread *first = thread_of(search, a), *second = thread_of(search, b);
  return blocks ? first->block != second->block : first->warp != second->warp;
}

// Does a thread of one launch read atomically what one of the other wrote? Then they are meant to
// run together.
static bool launches_talk(const Search *search, uint32_t first, uint32_t second) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->event_count; i++) {
    if (graph->events[i].kind != EVENT_READ || !event_is_strong(&graph->events[i]) ||
        graph->source[i] >= graph->event_count ||
        !event_is_strong(&graph->events[graph->source[i]]))
      continue;
    uint32_t reader = thread_of(search, i)->grid;
    uint32_t writer = thread_of(search, (uint32_t)graph->source[i])->grid;
    if ((reader == first && writer == second) || (reader == second && writer == first))
      return true;
  }
  return false;
}

// The threads' own flags go before those of their leaders.
static Flag find_any_flag(const Search *search, uint32_t a, uint32_t b) {
  Flag own = {0}, of_leaders = {0};
  find_flag(search, a, b, &own);
  find_flag(search, b, a, &own);
  find_leaders_flag(search, a, b, &of_leaders);
  find_leaders_flag(search, b, a, &of_leaders);
  return own.rank >= of_leaders.rank ? own : of_leaders;
}

static RuleNumber classify_by_distance(const Search *search, uint32_t a, uint32_t b) {
  const Thread *first = thread_of(search, a), *second = thread_of(search, b);
  if (is_plain_flag(search, a, b))
    return has_fence(search, a) && has_fence(search, b) ? RULE_FENCE_WITHOUT_FLAG : RULE_PLAIN_FLAG;
  Flag flag = {0};
  if (races_between(search, a, b, true))
    flag = find_any_flag(search, a, b);
  if (flag.rank)
    return flag_fault(search, flag.write, flag.read);
  if (first->grid != second->grid)
    return first->place.is_host || second->place.is_host || first->place.gpu != second->place.gpu ||
                   launches_talk(search, first->grid, second->grid)
               ? RULE_NO_SYNCHRONISATION
               : RULE_STREAM_ORDER_MISSING;
  if (!races_between(search, a, b, false))
    return RULE_WARP_SYNC_MISSING;
  return first->block == second->block ? RULE_BARRIER_MISSING : RULE_NO_SYNCHRONISATION;
}

RuleNumber kernel_classify_race(const Search *search, uint32_t a, uint32_t b, uint32_t *write,
                                uint32_t *read) {
  RuleNumber rule = classify_by_distance(search, a, b);
  if (rule == RULE_NO_SYNCHRONISATION && races_between(search, a, b, true) &&
      (finds_spokesman(search, a, b, write, read) || finds_spokesman(search, b, a, write, read)))
    return RULE_BARRIER_MISSING;
  *write = *read = EVENT_NONE;
  return rule;
}
