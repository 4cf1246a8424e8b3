// Loops in which a warp polls together: one lane or each of them reads, a shuffle or a vote tells
// all of them, and they go round. When every lane that took part is back at the head of its loop,
// with its live registers as they were and nothing written, the round was a failed attempt of all
// of them, just as that of one thread that polls for itself (see enter_header in machine.c):
// leaving it out of an execution only removes constraints. bar.warp.sync in the round orders what
// the lanes read, which is a constraint too.
#include "explore/kernel.h"

enum { WARP = 32 };

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

static void add_exchange(Search *search, Exchange exchange) {
  Kernel *kernel = search->kernel;
  uint32_t i = (uint32_t)kernel->exchange_count;
  if (i == kernel->exchange_capacity)
    kernel->exchanges = array_grow(search->arena, kernel->exchanges, i, &kernel->exchange_capacity,
                                   sizeof *kernel->exchanges);
  kernel->exchanges[i] = exchange;
  set(search, &kernel->exchange_count, i + 1);
}

void kernel_note_exchange(Search *search, const uint32_t *threads, uint32_t count, uint32_t mask) {
  uint32_t instance = (uint32_t)search->kernel->exchange_count;
  for (uint32_t i = 0; i < count; i++) {
    ThreadState *state = &search->threads[threads[i]];
    add_exchange(search, (Exchange){instance, mask, (uint32_t)state->exchange});
    set(search, &state->exchange, search->kernel->exchange_count);
  }
}

bool kernel_poll(Search *search, uint32_t thread, uint32_t exchange) {
  ThreadState *state = &search->threads[thread];
  const Exchange *exchanges = search->kernel->exchanges;
  uint32_t mask = exchanges[state->exchange - 1].mask;
  for (uint32_t i = (uint32_t)state->exchange; i != exchange; i = exchanges[i - 1].older)
    if (exchanges[i - 1].mask != mask)
      return false;
  set(search, &state->mask, mask);
  set(search, &state->poll, exchange);
  set(search, &state->status, THREAD_AT_POLL);
  return true;
}

// Did both threads take part in the same collectives in their iterations?
static bool share_iteration(const Search *search, const ThreadState *a, const ThreadState *b) {
  const Exchange *exchanges = search->kernel->exchanges;
  uint32_t i = (uint32_t)a->exchange, j = (uint32_t)b->exchange;
  while (i != a->poll && j != b->poll) {
    if (exchanges[i - 1].instance != exchanges[j - 1].instance)
      return false;
    i = exchanges[i - 1].older;
    j = exchanges[j - 1].older;
  }
  return i == a->poll && j == b->poll;
}

typedef enum Verdict { POLL_OPEN, POLL_FAILED, POLL_AWAITS } Verdict;

// A lane that runs may still come to the same point. One that is elsewhere does not.
static Verdict judge_lane(const Search *search, uint32_t thread, uint32_t peer) {
  const ThreadState *state = &search->threads[thread], *other = &search->threads[peer];
  if (other->status == THREAD_RUNNING)
    return POLL_OPEN;
  if (other->status != THREAD_AT_POLL || other->mask != state->mask ||
      !share_iteration(search, state, other))
    return POLL_FAILED;
  return POLL_AWAITS;
}

static Verdict judge_warp(const Search *search, uint32_t thread) {
  Verdict verdict = POLL_AWAITS;
  for (uint32_t lane = 0; lane < WARP; lane++) {
    uint32_t peer = kernel_thread_of_lane(search, thread, lane);
    if (!(search->threads[thread].mask >> lane & 1) || peer == UINT32_MAX)
      continue;
    Verdict found = judge_lane(search, thread, peer);
    if (found == POLL_FAILED)
      return POLL_FAILED;
    if (found == POLL_OPEN)
      verdict = POLL_OPEN;
  }
  return verdict;
}

void kernel_try_poll(Search *search, uint32_t thread, bool *released) {
  uint64_t mask = search->threads[thread].mask;
  Verdict verdict = judge_warp(search, thread);
  *released = verdict == POLL_FAILED;
  if (verdict == POLL_FAILED) {
    set(search, &search->threads[thread].status, THREAD_RUNNING);
    machine_begin_iteration(search, thread);
  }
  for (uint32_t lane = 0; verdict == POLL_AWAITS && lane < WARP; lane++) {
    uint32_t peer = kernel_thread_of_lane(search, thread, lane);
    if ((mask >> lane & 1) && peer != UINT32_MAX)
      machine_finish_thread(search, peer, THREAD_AWAITING);
  }
}
