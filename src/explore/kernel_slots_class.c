// Classes of tickets. Of a loop `while ((i = atomicAdd(&n, 1)) < count)` the tickets below `count`
// and those from there on lead to different places. Within a class tickets stand for each other as
// before; which atomics get a ticket of which class is a choice of the search.
//
// A thread that comes to its atomic is asked: does it take a ticket of the current class, or leave
// those to others and wait for a later class? Whoever takes one gets the next. So executions that
// differ in the order of tickets of a class are explored once, and those that differ in the number
// of tickets that each thread takes of a class, each once.
//
// Nothing is missed. Take an execution, and answer as its atomics do. As long as tickets of the
// current class are left in it, the atomics that take them wait for nothing but what comes before
// them. None of these comes after an atomic that gets a ticket of a later class (a *late* one) as
// an order: the late one would come first. But a thread at a late atomic does not go on, and it may
// write, behind that, what the ticket does not decide, for another thread to read, without any
// order, before it takes an early ticket. Then the search ends with a thread that waits for
// something else than a barrier, or a read without a source. It starts again with all orders of the
// counter (slots_note_left). A lane may also wait at a shuffle, which orders nothing, and take its
// ticket then. If it gets there whatever the other lane's ticket is, it does so where that takes an
// early one, too; there it shows (follows_in_warp), and no tickets of the counter stand for others.
// If it does not, it depends on that ticket, and cannot come before it.
//
// What one atomic releases another one acquires only if it comes later. Between updates this is
// not drawn, which is right where each can be the first (kernel_memory.c), as within a class. So
// there must be no such order between classes (hand_out).
//
// Symmetry. If a thread leaves the tickets of a class to others, and its twins are at the same
// counter, they do so as well: in the counterpart where one of them takes a ticket the thread does.
// Who takes one is nobody's twin any more, as with the source of a read (symmetry.h, 2).
#include "explore/contended.h"
#include "explore/kernel.h"
#include "explore/kernel_slots.h"
#include "explore/symmetry.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

bool slots_has_classes(const Search *search, uint32_t location) {
  const Contended *contended = search->contended;
  for (uint32_t i = 0; i < contended->splits.count; i++)
    if (contended->splits.items[i].address == search->graph.locations[location].address)
      return true;
  return false;
}

bool slots_begins_class(const Search *search, uint32_t location, uint64_t number) {
  const Contended *contended = search->contended;
  for (uint32_t i = 0; i < contended->splits.count; i++)
    if (contended->splits.items[i].address == search->graph.locations[location].address &&
        contended->splits.items[i].number == number)
      return true;
  return false;
}

static const Instruction *instruction_of(const Search *search, uint32_t thread) {
  return &search->codes[thread].thread->instructions[search->threads[thread].pc];
}

// The number that the next ticket of the counter has.
static bool find_number(Search *search, uint32_t location, uint64_t *number) {
  const Graph *graph = &search->graph;
  uint32_t newest = kernel_newest_update(search, location);
  int64_t found = graph->locations[location].initial;
  if (newest != EVENT_NONE &&
      !value_evaluate(&search->values, graph, graph->events[newest].value, &found))
    return false;
  *number = (uint64_t)found;
  return true;
}

// Does a class begin with a ticket behind the next one?
static bool is_class_ahead(Search *search, uint32_t thread, uint32_t location) {
  const Contended *contended = search->contended;
  const Location *counter = &search->graph.locations[location];
  int64_t step;
  uint64_t number;
  if (!value_evaluate(&search->values, &search->graph,
                      kernel_value(search, thread, &instruction_of(search, thread)->src[0]),
                      &step) ||
      !find_number(search, location, &number))
    return false;
  uint32_t unused = counter->size < sizeof number ? 64 - 8 * counter->size : 0;
  bool goes_down = (int64_t)((uint64_t)step << unused) < 0;
  for (uint32_t i = 0; i < contended->splits.count; i++) {
    const TicketSplit *split = &contended->splits.items[i];
    uint64_t distance = goes_down ? number - split->number : split->number - number;
    if (split->address == counter->address && (int64_t)(distance << unused) > 0)
      return true;
  }
  return false;
}

bool slots_asks(Search *search, uint32_t thread, uint32_t location) {
  ThreadState *state = &search->threads[thread];
  if (!search->contended->splits.count || !search_merges(search) || state->has_turn ||
      !is_class_ahead(search, thread, location))
    return false;
  set(search, &state->status, THREAD_AT_TICKET);
  set(search, &state->counter, location);
  return true;
}

bool slots_has_class_ahead(Search *search, uint32_t thread) {
  return is_class_ahead(search, thread, (uint32_t)search->threads[thread].counter);
}

// The current class of a counter: the write before its first ticket, + 1.
static uint64_t current_class(Search *search, uint32_t location) {
  uint32_t newest = kernel_newest_update(search, location);
  uint64_t number;
  const TicketCounter *counter = slots_find_counter(search, location);
  bool is_counted = counter && counter->newest == newest && find_number(search, location, &number);
  if (!is_counted || slots_begins_class(search, location, number))
    return newest + 1ull;
  return counter->class_base + 1;
}

uint32_t slots_find_asked(Search *search) {
  if (!search->kernel || !search->contended->splits.count)
    return UINT32_MAX;
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    const ThreadState *state = &search->threads[t];
    if (state->status == THREAD_AT_TICKET &&
        state->ticket_left != current_class(search, (uint32_t)state->counter))
      return t;
  }
  return UINT32_MAX;
}

static void leave(Search *search, uint32_t thread, uint64_t class) {
  set(search, &search->threads[thread].ticket_left, class);
}

static void leave_with_twins(Search *search, uint32_t thread) {
  uint32_t location = (uint32_t)search->threads[thread].counter;
  uint64_t class = current_class(search, location), twins[SYMMETRY_MEMBER_WORDS] = {0};
  if (search->symmetry)
    symmetry_find_twins(search, thread, twins);
  BITS_EACH(twin, twins, SYMMETRY_MEMBER_WORDS) {
    uint32_t peer = symmetry_peer(search, thread, (uint32_t)twin);
    if (search->threads[peer].status != THREAD_AT_TICKET ||
        search->threads[peer].counter != location)
      continue;
    leave(search, peer, class);
    search->notes->has_twins = true;
  }
  leave(search, thread, class);
}

void slots_answer(Search *search, uint32_t thread, uint32_t choice) {
  ThreadState *state = &search->threads[thread];
  if (choice) {
    leave_with_twins(search, thread);
    return;
  }
  set(search, &state->status, THREAD_RUNNING);
  set(search, &state->has_turn, 1);
  if (search->symmetry)
    symmetry_note_choice(search, thread);
}

void slots_note_left(Search *search, uint32_t statuses) {
  const uint32_t harmless = 1u << THREAD_AT_TICKET | 1u << THREAD_AT_BARRIER |
                            1u << THREAD_AT_COLLECTIVE | 1u << THREAD_FINISHED |
                            1u << THREAD_NOT_STARTED;
  uint32_t thread = 0;
  if (!(statuses & ~harmless) && bits_is_empty(search->open_reads, search->graph.words))
    return;
  while (search->threads[thread].status != THREAD_AT_TICKET)
    thread++;
  const Location *counter = &search->graph.locations[search->threads[thread].counter];
  search_start_again(search, (Restart){.kind = RESTART_LOCATION, .address = counter->address});
}
