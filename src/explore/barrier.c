// Execution barriers as rendezvous (spec A.4, F.2): the order of arrivals is irrelevant. A thread
// that waits is let go when its barrier instance is complete; then every arrival of the instance
// gets an edge to it.
#include "explore/search.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

static const ThreadGroup *group_of(const Search *search, const Arrival *arrival) {
  return &search->program->groups[arrival->participants];
}

static bool is_same_barrier(const Search *search, const Arrival *a, const Arrival *b) {
  if (a->kind != b->kind || a->key != b->key)
    return false;
  const Placement *first = &search->program->threads[a->thread].place;
  const Placement *second = &search->program->threads[b->thread].place;
  Scope scope = a->kind == ARRIVAL_CLUSTER ? SCOPE_CLUSTER : SCOPE_CTA;
  return ir_scope_contains(scope, first, second);
}

// Arrivals (waits) of a thread at a barrier so far.
static uint32_t count_arrivals(const Search *search, const Arrival *barrier, uint32_t thread,
                               bool waits) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->arrival_count; i++) {
    const Arrival *arrival = &search->arrivals[i];
    if (arrival->thread == thread && is_same_barrier(search, arrival, barrier) &&
        (waits ? arrival->waits : arrival->arrives))
      count++;
  }
  return count;
}

// --- arriving

static Arrival describe(const Instruction *instruction, uint32_t thread) {
  Arrival arrival = {.thread = thread,
                     .key = instruction->barrier_key,
                     .id = instruction->barrier_key,
                     .participants = instruction->participants,
                     .waits = true,
                     .arrives = true};
  switch (instruction->op) {
  case IR_BARRIER_WARP:
    arrival.kind = ARRIVAL_WARP;
    break;
  case IR_CLUSTER_ARRIVE:
    arrival.kind = ARRIVAL_CLUSTER;
    arrival.waits = false;
    break;
  case IR_CLUSTER_WAIT:
    arrival.kind = ARRIVAL_CLUSTER;
    arrival.arrives = false;
    break;
  default:
    arrival.kind = ARRIVAL_CTA;
    arrival.waits = instruction->barrier != BARRIER_ARRIVE;
  }
  return arrival;
}

static bool operand_is_known(Search *search, uint32_t thread, const Operand *operand,
                             int64_t *number) {
  ThreadState *state = &search->threads[thread];
  if (operand->kind != OPERAND_REGISTER) {
    if (operand->kind == OPERAND_CONSTANT)
      *number = operand->constant;
    return true;
  }
  ValueId value = (ValueId)state->registers[operand->index];
  if (value_evaluate(&search->values, &search->graph, value, number))
    return true;
  set(search, &state->waits_for, value + 1ull);
  return false;
}

// The trail points into the arrivals, so they never move: each has an event of its own.
static uint32_t append(Search *search, Arrival arrival) {
  uint32_t i = (uint32_t)search->arrival_count;
  if (!search->arrivals)
    search->arrivals = ARENA_ARRAY(search->arena, Arrival, search->graph.capacity);
  search->arrivals[i] = arrival;
  set(search, &search->arrival_count, i + 1);
  return i;
}

bool barrier_arrive(Search *search, uint32_t thread, const Instruction *instruction,
                    bool *is_known) {
  Arrival arrival = describe(instruction, thread);
  *is_known = operand_is_known(search, thread, &instruction->src[0], &arrival.id) &&
              operand_is_known(search, thread, &instruction->src[1], &arrival.quorum);
  if (!*is_known)
    return true;
  arrival.occurrence = count_arrivals(search, &arrival, thread, !arrival.arrives);
  Event event = {.kind = EVENT_BARRIER,
                 .thread = thread,
                 .flags =
                     (arrival.arrives ? EVENT_ARRIVES : 0) | (arrival.waits ? EVENT_WAITS : 0)};
  if (instruction->op == IR_CLUSTER_ARRIVE && instruction->sem == SEM_RELAXED)
    event.flags |= EVENT_RELAXED;
  if (!search_add_event(search, event, &arrival.event))
    return false;
  uint32_t i = append(search, arrival);
  if (arrival.waits) {
    set(search, &search->threads[thread].status, THREAD_AT_BARRIER);
    set(search, &search->threads[thread].arrival, i);
  }
  return true;
}

// --- completion of barriers that wait for all participants

static bool has_arrived(const Search *search, const Arrival *waiting, uint32_t thread) {
  return search->threads[thread].status == THREAD_FINISHED ||
         count_arrivals(search, waiting, thread, false) > waiting->occurrence;
}

static bool all_have_arrived(const Search *search, const Arrival *waiting) {
  const ThreadGroup *group = group_of(search, waiting);
  for (uint32_t i = 0; i < group->count; i++)
    if (!has_arrived(search, waiting, group->threads[i]))
      return false;
  return true;
}

// A relaxed cluster arrival orders nothing; release fences before it do (spec A.4).
static bool join_relaxed(Search *search, const Arrival *from, const Arrival *to) {
  Graph *graph = &search->graph;
  BITS_EACH(fence, graph->release_fences, graph->words)
  if (graph->events[fence].scope >= SCOPE_CLUSTER &&
      graph_is_po(graph, (uint32_t)fence, from->event) &&
      !graph_add_order(graph, SYNC_CLUSTER, (uint32_t)fence, to->event))
    return false;
  return true;
}

static bool join(Search *search, const Arrival *from, const Arrival *to) {
  static const SyncKind kinds[] = {SYNC_BARRIER, SYNC_WARP, SYNC_CLUSTER};
  if (search->graph.events[from->event].flags & EVENT_RELAXED)
    return join_relaxed(search, from, to);
  return graph_add_order(&search->graph, kinds[to->kind], from->event, to->event);
}

// Does an arrival belong to what `waiting` waits for? A thread that is left over after a counted
// barrier was completed, and is let go because the others have exited (spec F.2), passes with all
// that were completed before.
static bool is_same_instance(const Arrival *arrival, const Arrival *waiting) {
  if (!waiting->quorum)
    return arrival->occurrence == waiting->occurrence;
  return arrival->instance != INSTANCE_NONE &&
         (waiting->instance == INSTANCE_NONE || arrival->instance == waiting->instance);
}

// Edges to a waiting event from the arrivals of its instance by other threads.
static bool join_instance(Search *search, const Arrival *waiting) {
  for (uint32_t i = 0; i < search->arrival_count; i++) {
    const Arrival *arrival = &search->arrivals[i];
    if (arrival->thread != waiting->thread && arrival->arrives && arrival->id == waiting->id &&
        is_same_barrier(search, arrival, waiting) && is_same_instance(arrival, waiting) &&
        !join(search, arrival, waiting))
      return false;
  }
  return true;
}

// --- completion of barriers with a thread count

// Arrivals at the same counted barrier that belong to no instance yet.
static bool is_open_arrival(const Search *search, const Arrival *arrival, const Arrival *at) {
  return arrival->quorum && arrival->arrives && arrival->instance == INSTANCE_NONE &&
         arrival->id == at->id && is_same_barrier(search, arrival, at);
}

static uint32_t count_open(const Search *search, const Arrival *at) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->arrival_count; i++)
    count += is_open_arrival(search, &search->arrivals[i], at);
  return count;
}

// "Barriers exclusively waiting on arrivals from exited threads are always released" (spec F.2).
static bool waits_for_exited_only(const Search *search, const Arrival *waiting) {
  const ThreadGroup *group = group_of(search, waiting);
  uint32_t exited = 0, others = 0;
  for (uint32_t i = 0; i < group->count; i++) {
    uint32_t thread = group->threads[i];
    if (thread == waiting->thread)
      continue;
    if (search->threads[thread].status == THREAD_FINISHED)
      exited++;
    else
      others++;
  }
  return exited > 0 && others == 0;
}

bool barrier_try_release(Search *search, uint32_t thread, bool *released) {
  ThreadState *state = &search->threads[thread];
  Arrival waiting = search->arrivals[state->arrival];
  *released = waiting.quorum
                  ? waiting.instance != INSTANCE_NONE || waits_for_exited_only(search, &waiting)
                  : all_have_arrived(search, &waiting);
  if (!*released)
    return true;
  set(search, &state->status, THREAD_RUNNING);
  return join_instance(search, &waiting);
}

// --- which arrivals make an instance

// An arrival that could be completed now: enough others are open, and some of them are new since
// it was set aside.
static bool has_choice(const Search *search, const Arrival *arrival) {
  return arrival->quorum && arrival->instance == INSTANCE_NONE && arrival->arrives &&
         count_open(search, arrival) >= arrival->quorum && search->arrival_count > arrival->seen;
}

bool barrier_find_choice(const Search *search, uint32_t *arrival) {
  for (uint32_t i = 0; i < search->arrival_count; i++)
    if (has_choice(search, &search->arrivals[i])) {
      *arrival = i;
      return true;
    }
  return false;
}

static uint64_t choose_count(uint64_t n, uint64_t k) {
  uint64_t result = 1;
  for (uint64_t i = 1; i <= k; i++)
    result = result * (n - k + i) / i;
  return result;
}

// Alternatives: every set of partners, and (the last one) setting the arrival aside until others
// come.
uint64_t barrier_choice_count(const Search *search, uint32_t arrival) {
  const Arrival *first = &search->arrivals[arrival];
  return choose_count(count_open(search, first) - 1, (uint64_t)first->quorum - 1) + 1;
}

// Takes the `choice`-th subset of `needed` partners, in lexical order.
static bool take_partners(Search *search, uint32_t arrival, uint64_t choice, uint64_t instance) {
  Arrival first = search->arrivals[arrival];
  uint64_t left = count_open(search, &first) - 1, needed = (uint64_t)first.quorum - 1;
  uint64_t newest = arrival, latest_refusal = first.seen;
  for (uint32_t i = 0; i < search->arrival_count && needed; i++) {
    if (i == arrival || !is_open_arrival(search, &search->arrivals[i], &first))
      continue;
    uint64_t with = choose_count(left - 1, needed - 1);
    left--;
    if (choice >= with) {
      choice -= with;
      continue;
    }
    set(search, &search->arrivals[i].instance, instance);
    if (search->arrivals[i].seen > latest_refusal)
      latest_refusal = search->arrivals[i].seen;
    newest = i > newest ? i : newest;
    needed--;
  }
  set(search, &search->arrivals[arrival].instance, instance);
  // Instances without anybody new were refused when one of its members was set aside.
  return newest >= latest_refusal;
}

bool barrier_choose(Search *search, uint32_t arrival, uint64_t choice) {
  if (choice + 1 == barrier_choice_count(search, arrival)) {
    set(search, &search->arrivals[arrival].seen, search->arrival_count);
    return true;
  }
  return take_partners(search, arrival, choice, arrival + 1ull);
}

bool barrier_leftovers_are_real(const Search *search) {
  for (uint32_t i = 0; i < search->arrival_count; i++) {
    const Arrival *arrival = &search->arrivals[i];
    if (arrival->quorum && arrival->arrives && arrival->instance == INSTANCE_NONE &&
        count_open(search, arrival) >= arrival->quorum)
      return false;
  }
  return true;
}
