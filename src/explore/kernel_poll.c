// Loops in which a warp polls together: one lane or each of them reads, a shuffle or a vote tells
// all of them, and they go round. When every lane that took part is back at the head of its loop,
// with its live registers as they were and nothing written, the round was a failed attempt of all
// of them, just as that of one thread that polls for itself (see enter_header in machine_loop.c):
// leaving it out of an execution only removes constraints. bar.warp.sync in the round orders what
// the lanes read, which is a constraint too. A block polls in the same way, when a thread reads and
// its barriers, maybe as votes, tell the others.
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

void kernel_note_exchange(Search *search, const uint32_t *threads, uint32_t count, uint32_t mask,
                          bool is_meeting) {
  uint32_t instance = (uint32_t)search->kernel->exchange_count;
  for (uint32_t i = 0; i < count; i++) {
    ThreadState *state = &search->threads[threads[i]];
    add_exchange(search, (Exchange){.instance = instance,
                                    .thread = threads[i],
                                    .po_index = (uint32_t)state->po_index,
                                    .is_meeting = is_meeting,
                                    .mask = mask,
                                    .older = (uint32_t)state->exchange});
    set(search, &state->exchange, search->kernel->exchange_count);
  }
}

bool kernel_poll(Search *search, uint32_t thread, uint32_t exchange) {
  ThreadState *state = &search->threads[thread];
  const Exchange *exchanges = search->kernel->exchanges;
  uint32_t mask = exchanges[state->exchange - 1].mask;
  bool is_one_mask = true, is_block = false;
  for (uint32_t i = (uint32_t)state->exchange; i != exchange; i = exchanges[i - 1].older) {
    is_one_mask = is_one_mask && exchanges[i - 1].mask == mask;
    is_block = is_block || exchanges[i - 1].mask == KERNEL_WHOLE_BLOCK;
  }
  if (!is_one_mask && !is_block)
    return false;
  set(search, &state->mask, is_block ? KERNEL_WHOLE_BLOCK : mask);
  set(search, &state->poll, exchange);
  set(search, &state->status, THREAD_AT_POLL);
  return true;
}

// The next exchange from `at` on that counts, or the end.
static uint32_t skip(const Exchange *exchanges, uint32_t at, uint32_t end, bool only_blocks) {
  while (only_blocks && at != end && exchanges[at - 1].mask != KERNEL_WHOLE_BLOCK)
    at = exchanges[at - 1].older;
  return at;
}

// Did both threads take part in the same collectives in their iterations? Those of different warps
// have only the barriers of the block in common.
static bool share_iteration(const Search *search, const ThreadState *a, const ThreadState *b,
                            bool only_blocks) {
  const Exchange *exchanges = search->kernel->exchanges;
  uint32_t i = skip(exchanges, (uint32_t)a->exchange, (uint32_t)a->poll, only_blocks);
  uint32_t j = skip(exchanges, (uint32_t)b->exchange, (uint32_t)b->poll, only_blocks);
  while (i != a->poll && j != b->poll) {
    if (exchanges[i - 1].instance != exchanges[j - 1].instance)
      return false;
    i = skip(exchanges, exchanges[i - 1].older, (uint32_t)a->poll, only_blocks);
    j = skip(exchanges, exchanges[j - 1].older, (uint32_t)b->poll, only_blocks);
  }
  return i == a->poll && j == b->poll;
}

typedef enum Verdict { POLL_OPEN, POLL_FAILED, POLL_AWAITS } Verdict;

// A lane that runs may still come to the same point. One that is elsewhere does not.
static Verdict judge_peer(const Search *search, uint32_t thread, uint32_t peer) {
  const ThreadState *state = &search->threads[thread], *other = &search->threads[peer];
  const Thread *threads = search->program->threads;
  if (other->status == THREAD_RUNNING)
    return POLL_OPEN;
  if (other->status != THREAD_AT_POLL || other->mask != state->mask ||
      !share_iteration(search, state, other, threads[thread].warp != threads[peer].warp))
    return POLL_FAILED;
  return POLL_AWAITS;
}

// The threads that went round with this one.
static uint32_t find_peers(const Search *search, uint32_t thread, uint32_t *peers) {
  const ThreadGroup *block = &search->program->blocks[search->program->threads[thread].block];
  uint64_t mask = search->threads[thread].mask;
  uint32_t count = 0;
  for (uint32_t i = 0; mask == KERNEL_WHOLE_BLOCK && i < block->count; i++)
    if (search->threads[block->threads[i]].status != THREAD_FINISHED)
      peers[count++] = block->threads[i];
  for (uint32_t lane = 0; lane < WARP; lane++)
    if (mask >> lane & 1) {
      peers[count] = kernel_thread_of_lane(search, thread, lane);
      count += peers[count] != UINT32_MAX;
    }
  return count;
}

static Verdict judge(const Search *search, uint32_t thread, const uint32_t *peers, uint32_t count) {
  Verdict verdict = POLL_AWAITS;
  for (uint32_t i = 0; i < count; i++) {
    Verdict found = judge_peer(search, thread, peers[i]);
    if (found == POLL_FAILED)
      return POLL_FAILED;
    if (found == POLL_OPEN)
      verdict = POLL_OPEN;
  }
  return verdict;
}

void kernel_try_poll(Search *search, uint32_t thread, bool *released) {
  uint32_t block = search->program->threads[thread].block;
  ArenaMark mark = arena_mark(search->temporary);
  uint32_t *peers =
      ARENA_ARRAY(search->temporary, uint32_t, search->program->blocks[block].count + WARP);
  uint32_t count = find_peers(search, thread, peers);
  Verdict verdict = judge(search, thread, peers, count);
  *released = verdict == POLL_FAILED;
  if (verdict == POLL_FAILED) {
    set(search, &search->threads[thread].status, THREAD_RUNNING);
    machine_begin_iteration(search, thread);
  }
  for (uint32_t i = 0; verdict == POLL_AWAITS && i < count; i++)
    machine_finish_thread(search, peers[i], THREAD_AWAITING);
  arena_reset(search->temporary, mark);
}
