// Who may still serve a read that is deferred. A deferred read waits for a write that is added
// later; if nobody is left to add one, the search turns back at once and not when all else is
// decided.
#include "explore/search.h"

static uint32_t thread_words(const Search *search) {
  return bits_words(search->program->thread_count);
}

static uint64_t *writers_row(const Search *search, uint32_t location) {
  return search->writers + (size_t)location * thread_words(search);
}

void deferral_init(Search *search) {
  const Program *program = search->program;
  uint32_t words = thread_words(search);
  search->runners = ARENA_ARRAY(search->arena, uint64_t, words);
  search->writers = ARENA_ARRAY(search->arena, uint64_t, (size_t)program->object_count * words);
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instruction_count; i++) {
      const Instruction *instruction = &program->threads[t].instructions[i];
      if (code_writes_object(instruction))
        bits_add(writers_row(search, program->objects[instruction->object].location), t);
    }
}

// A read sees no write of its own thread that comes later, but through another proxy.
static bool may_write_for(const Search *search, uint32_t thread, uint32_t read) {
  const ThreadState *state = &search->threads[thread];
  const Event *event = &search->graph.events[read];
  if (thread == event->thread && search->graph.rules && !search->graph.has_proxies)
    return false;
  return state->status < THREAD_AWAITING &&
         code_may_write(&search->codes[thread], (uint32_t)state->pc, event->location);
}

bool deferral_may_be_served(const Search *search, uint32_t read) {
  const uint64_t *writers = writers_row(search, search->graph.events[read].location);
  BITS_EACH(thread, writers, thread_words(search))
  if (may_write_for(search, (uint32_t)thread, read))
    return true;
  return false;
}

static bool is_starved(const Search *search, uint32_t read) {
  return bits_has(search->deferred, read) && bits_has(search->open_reads, read) &&
         !search_find_candidates(search, read, search->scratch);
}

static bool is_served_by_runner(const Search *search, uint32_t read) {
  const uint64_t *writers = writers_row(search, search->graph.events[read].location);
  for (uint32_t w = 0; w < thread_words(search); w++)
    for (uint64_t left = writers[w] & search->runners[w]; left; left &= left - 1)
      if (may_write_for(search, w * 64 + bits_first(left), read))
        return true;
  return false;
}

// Threads that may go on: those that do not wait for a starved read, and those whose read one of
// the others may serve.
static void find_runners(const Search *search) {
  bool has_grown;
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    bool is_stuck =
        bits_has(search->blocked, t) && is_starved(search, (uint32_t)search->threads[t].blocked_by);
    if (is_stuck)
      bits_remove(search->runners, t);
    else
      bits_add(search->runners, t);
  }
  do {
    has_grown = false;
    for (uint32_t t = 0; t < search->program->thread_count; t++)
      if (!bits_has(search->runners, t) &&
          is_served_by_runner(search, (uint32_t)search->threads[t].blocked_by)) {
        bits_add(search->runners, t);
        has_grown = true;
      }
  } while (has_grown);
}

bool deferral_all_may_be_served(const Search *search) {
  bool knows_runners = false;
  for (uint32_t w = 0; w < search->graph.words; w++)
    for (uint64_t left = search->deferred[w] & search->open_reads[w]; left; left &= left - 1) {
      uint32_t read = w * 64 + bits_first(left);
      if (!is_starved(search, read))
        continue;
      if (!knows_runners)
        find_runners(search);
      knows_runners = true;
      if (!is_served_by_runner(search, read))
        return false;
    }
  return true;
}
