// Decisions on reads of members that could be exchanged.
#include "explore/contended.h"
#include "explore/kernel.h"
#include "explore/symmetry.h"

#include <string.h>

// --- what members have done

static uint32_t member_number(const Symmetry *symmetry, uint32_t thread) {
  return symmetry->first_of[symmetry->group_of[thread] - 1] + symmetry->member_of[thread];
}

static bool has_decided(const Search *search, uint32_t thread) {
  return bits_has(search->symmetry->decided, member_number(search->symmetry, thread));
}

static uint64_t *row_of_thread(const Search *search, uint32_t thread) {
  return graph_row(&search->graph, search->graph.thread_events, thread);
}

static bool is_read_from(const Graph *graph, uint32_t event) {
  return graph->events[event].kind == EVENT_WRITE &&
         !bits_is_empty(graph_row(graph, graph->readers, event), graph->words);
}

static bool is_same_value(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  int64_t first, second;
  return value_evaluate(&search->values, graph, graph->events[a].value, &first) &&
         value_evaluate(&search->values, graph, graph->events[b].value, &second) && first == second;
}

// Loads of common memory that were settled at once have to have seen the same; what is a member's
// own follows from what it did.
static bool are_counterparts(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  const Event *first = &graph->events[a], *second = &graph->events[b];
  const uint64_t *claims = search->symmetry->location_claims;
  if (first->nature != second->nature || first->instruction != second->instruction ||
      first->po_index != second->po_index || is_read_from(graph, a) || is_read_from(graph, b))
    return false;
  if (!event_is_memory(first))
    return true;
  if (claims[first->location] != claims[second->location] ||
      (claims[first->location] == 1 && first->location != second->location))
    return false;
  if (first->kind == EVENT_WRITE && symmetry_is_looked_at(search, first->location))
    return false;
  if (first->flags & EVENT_EAGER)
    return claims[first->location] != 1 || is_same_value(search, a, b);
  return first->kind != EVENT_READ ||
         (graph->source[a] == EVENT_NONE && graph->source[b] == EVENT_NONE);
}

// `pairs`: of each event that which it becomes; itself where it is of neither member.
static bool pair_threads(const Search *search, uint32_t a, uint32_t b, uint32_t *pairs) {
  const Graph *graph = &search->graph;
  const ThreadState *first = &search->threads[a], *second = &search->threads[b];
  const uint64_t *other = row_of_thread(search, b);
  uint32_t next = 0;
  if (first->status != second->status || first->pc != second->pc ||
      first->po_index != second->po_index || first->effects != second->effects ||
      first->ticket_left != second->ticket_left)
    return false;
  BITS_EACH(event, row_of_thread(search, a), graph->words) {
    while (next < graph->event_count && !bits_has(other, next))
      next++;
    if (next == graph->event_count || !are_counterparts(search, (uint32_t)event, next))
      return false;
    pairs[event] = next;
    pairs[next] = (uint32_t)event;
    next++;
  }
  while (next < graph->event_count && !bits_has(other, next))
    next++;
  return next == graph->event_count;
}

// --- what is left to the reads

static bool is_exchanged_row(const Graph *graph, const uint64_t *a, const uint64_t *b,
                             const uint32_t *pairs) {
  uint32_t a_count = 0, b_count = 0;
  for (uint32_t w = 0; w < graph->words; w++) {
    a_count += bits_count(a[w]);
    b_count += bits_count(b[w]);
  }
  if (a_count != b_count)
    return false;
  BITS_EACH(event, a, graph->words)
  if (!bits_has(b, pairs[event]))
    return false;
  return true;
}

// The same sources are left to each read and to that which it becomes.
static bool reads_are_same(const Search *search, const uint32_t *pairs) {
  const Graph *graph = &search->graph;
  BITS_EACH(bit, search->open_reads, graph->words) {
    uint32_t read = (uint32_t)bit, other = pairs[read];
    size_t words = graph->words;
    if (bits_has(search->deferred, read) != bits_has(search->deferred, other) ||
        bits_has(search->past_initial, read) != bits_has(search->past_initial, other) ||
        !is_exchanged_row(graph, search->excluded + read * words, search->excluded + other * words,
                          pairs))
      return false;
  }
  return true;
}

static bool are_twins(const Search *search, uint32_t thread, uint32_t member, uint32_t *pairs) {
  const SymmetryGroup *group = symmetry_group(search, thread);
  uint32_t own = search->symmetry->member_of[thread];
  for (uint32_t e = 0; e < search->graph.event_count; e++)
    pairs[e] = e;
  for (uint32_t i = 0; i < group->size; i++) {
    const ThreadGroup *blocks = search->program->blocks;
    uint32_t a = group->is_of_threads ? group->first + own : blocks[group->first + own].threads[i];
    uint32_t b =
        group->is_of_threads ? group->first + member : blocks[group->first + member].threads[i];
    if (!pair_threads(search, a, b, pairs))
      return false;
  }
  return reads_are_same(search, pairs);
}

// The read of another member that the read becomes.
static uint32_t counterpart(const Search *search, uint32_t read, uint32_t member) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[read];
  uint32_t peer = symmetry_peer(search, event->thread, member);
  BITS_EACH(other, row_of_thread(search, peer), graph->words)
  if (graph->events[other].po_index == event->po_index)
    return (uint32_t)other;
  return EVENT_NONE;
}

static bool is_member_in(const Search *search, uint32_t thread, uint32_t group,
                         const uint64_t *members) {
  const Symmetry *symmetry = search->symmetry;
  return symmetry->group_of[thread] == group && bits_has(members, symmetry->member_of[thread]);
}

// Sources that are not common to all: but for the atomics that are counterparts of the read there
// must be none.
static bool has_other_sources(const Search *search, uint32_t read, const uint64_t *twins,
                              const uint64_t *candidates) {
  const Graph *graph = &search->graph;
  uint32_t thread = graph->events[read].thread;
  uint32_t group = search->symmetry->group_of[thread];
  uint64_t members[SYMMETRY_MEMBER_WORDS];
  memcpy(members, twins, sizeof members);
  bits_add(members, search->symmetry->member_of[thread]);
  BITS_EACH(bit, candidates, graph->words) {
    const Event *source = &graph->events[bit];
    uint64_t mate = graph->mate[bit];
    if (!is_member_in(search, source->thread, group, members))
      continue;
    if (mate == EVENT_NONE ||
        counterpart(search, read, search->symmetry->member_of[source->thread]) != mate)
      return true;
  }
  return false;
}

static bool may_have_twins(const Search *search, uint32_t thread) {
  return !search->symmetry->is_broken && search->symmetry->group_of[thread] &&
         !has_decided(search, thread);
}

void symmetry_find_twins(Search *search, uint32_t thread, uint64_t *twins) {
  if (!may_have_twins(search, thread))
    return;
  const SymmetryGroup *group = symmetry_group(search, thread);
  uint32_t own = search->symmetry->member_of[thread];
  ArenaMark mark = arena_mark(search->temporary);
  uint32_t *pairs = ARENA_ARRAY(search->temporary, uint32_t, search->graph.event_count + 1);
  for (uint32_t m = own + 1; m < group->member_count; m++)
    if (!has_decided(search, symmetry_peer(search, thread, m)) &&
        are_twins(search, thread, m, pairs))
      bits_add(twins, m);
  arena_reset(search->temporary, mark);
}

// False: it has none.
static bool find_twins(Search *search, Decision *decision) {
  uint32_t read = decision->subject;
  symmetry_find_twins(search, search->graph.events[read].thread, decision->twins);
  if (has_other_sources(search, read, decision->twins, decision->candidates))
    memset(decision->twins, 0, sizeof decision->twins);
  return !bits_is_empty(decision->twins, SYMMETRY_MEMBER_WORDS);
}

// --- sources that are left to others

// False: none comes from an atomic of the twins.
static bool drop_sources(const Search *search, uint32_t read, const uint64_t *twins,
                         uint64_t *candidates) {
  const Graph *graph = &search->graph;
  uint32_t group = search->symmetry->group_of[graph->events[read].thread];
  bool has_dropped = false;
  BITS_EACH(source, candidates, graph->words)
  if (is_member_in(search, graph->events[source].thread, group, twins)) {
    bits_remove(candidates, (uint32_t)source);
    has_dropped = true;
  }
  return has_dropped;
}

void symmetry_leave_out(Search *search, Decision *decision) {
  uint32_t read = decision->subject;
  bool is_asleep = bits_has(search->symmetry->asleep, read);
  if (find_twins(search, decision))
    search->notes->has_twins = true;
  decision->leaves_out =
      drop_sources(search, read, decision->twins, decision->candidates) || is_asleep;
  bool has_any =
      decision->may_be_initial || !bits_is_empty(decision->candidates, search->graph.words);
  if (is_asleep || (decision->leaves_out && !has_any))
    decision->may_defer = true;
}

uint32_t symmetry_find_ticket(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  for (uint32_t w = 0; w < graph->words; w++)
    for (uint64_t left = search->open_reads[w]; left; left &= left - 1) {
      uint32_t other = w * 64 + bits_first(left);
      if (graph->mate[other] != EVENT_NONE && may_have_twins(search, graph->events[other].thread) &&
          search_is_worth_choosing(search, other, search->scratch))
        return other;
    }
  return read;
}

static void sleep_read(Search *search, const Decision *decision, uint32_t read) {
  Graph *graph = &search->graph;
  uint64_t *excluded = search->excluded + (size_t)read * graph->words;
  uint32_t choice = decision->choice;
  if (choice == EVENT_INIT)
    return;
  if (decision->may_be_initial) {
    graph_add_bit(graph, search->past_initial, read);
    graph_add_bit(graph, search->symmetry->asleep, read);
  }
  BITS_EACH(tried, decision->candidates, graph->words)
  if (choice == CHOICE_DEFER || tried < choice) {
    graph_add_bit(graph, excluded, (uint32_t)tried);
    graph_add_bit(graph, search->symmetry->asleep, read);
  }
}

void symmetry_sleep(Search *search, const Decision *decision) {
  BITS_EACH(twin, decision->twins, SYMMETRY_MEMBER_WORDS)
  sleep_read(search, decision, counterpart(search, decision->subject, (uint32_t)twin));
}

// --- who is left

static bool has_ended(const Search *search, uint32_t group, uint32_t member) {
  const SymmetryGroup *members = &search->symmetry->groups[group];
  if (members->is_of_threads)
    return bits_has(search->ended, members->first + member);
  const ThreadGroup *block = &search->program->blocks[members->first + member];
  for (uint32_t i = 0; i < block->count; i++)
    if (!bits_has(search->ended, block->threads[i]))
      return false;
  return true;
}

static bool is_over(const Search *search) {
  const Symmetry *symmetry = search->symmetry;
  for (uint32_t g = 0; g < symmetry->group_count; g++)
    for (uint32_t m = 0; m < symmetry->groups[g].member_count; m++)
      if (!bits_has(symmetry->decided, symmetry->first_of[g] + m) && !has_ended(search, g, m))
        return false;
  return true;
}

void symmetry_note_choice(Search *search, uint32_t thread) {
  Symmetry *symmetry = search->symmetry;
  if (symmetry->group_of[thread])
    graph_add_bit(&search->graph, symmetry->decided, member_number(symmetry, thread));
}

void symmetry_note_source(Search *search, uint32_t read) {
  Symmetry *symmetry = search->symmetry;
  uint32_t thread = search->graph.events[read].thread;
  if (!bits_has(symmetry->asleep, read) && is_over(search))
    graph_add_bit(&search->graph, symmetry->late, read);
  symmetry_note_choice(search, thread);
}
