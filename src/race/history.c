#include "race/history.h"

#include "race/sync.h"

#include <string.h>

// Places of one granule are in one set.
enum { SETS_SHIFT = 11, WAYS = 8 };

void history_init(History *history, Arena *arena) {
  history->sets = ARENA_ARRAY(arena, Past *, 1u << SETS_SHIFT);
  history->now = 0;
}

static Past **find_set(const History *history, uint64_t granule) {
  return &history->sets[(granule * 0x9e3779b97f4a7c15u) >> (64 - SETS_SHIFT)];
}

static void forget(Heap *heap, Past *past) {
  for (uint32_t i = 0; i < past->write_count; i++)
    released_drop(heap, past->writes[i].records);
  past->bytes = past->write_count = past->read_count = 0;
}

Past *history_find(History *history, uint64_t granule, uint32_t bytes) {
  Past *set = *find_set(history, granule);
  for (uint32_t i = 0; set && i < WAYS; i++)
    if (set[i].bytes == bytes && set[i].granule == granule) {
      set[i].used = ++history->now;
      return &set[i];
    }
  return NULL;
}

void history_drop(Heap *heap, History *history, uint64_t granule, uint32_t bytes) {
  Past *set = *find_set(history, granule);
  for (uint32_t i = 0; set && i < WAYS; i++)
    if ((set[i].bytes & bytes) && set[i].granule == granule)
      forget(heap, &set[i]);
}

Past *history_get(Heap *heap, History *history, uint64_t granule, uint32_t bytes) {
  Past *past = history_find(history, granule, bytes);
  if (past)
    return past;
  history_drop(heap, history, granule, bytes);
  Past **set = find_set(history, granule);
  if (!*set)
    *set = heap_take_cleared(heap, WAYS * sizeof **set);
  past = *set;
  for (uint32_t i = 1; i < WAYS; i++)
    if (past->bytes && (!(*set)[i].bytes || (*set)[i].used < past->used))
      past = &(*set)[i];
  forget(heap, past);
  *past = (Past){.granule = granule, .bytes = bytes, .used = ++history->now};
  return past;
}

void history_add_write(Heap *heap, Past *past, const PastWrite *write) {
  if (past->write_count == PAST_WRITES) {
    released_drop(heap, past->writes[0].records);
    memmove(past->writes, past->writes + 1, (PAST_WRITES - 1) * sizeof *write);
    past->write_count--;
  }
  past->writes[past->write_count++] = *write;
  past->newest++;
  past->misses = 0;
}

// Does the first say all that the second one says?
static bool covers(const PastRead *read, const PastRead *other) {
  return read->block == other->block && read->warp == other->warp && read->time <= other->time &&
         read->position >= other->position && !(other->lanes & ~read->lanes);
}

static bool can_join(const PastRead *read, const PastRead *other) {
  return read->block == other->block && read->warp == other->warp && read->time == other->time &&
         read->position == other->position;
}

static uint32_t drop_needless(Past *past, const PastRead *added) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < past->read_count; i++)
    if (past->reads[i].position > past_oldest(past) && !covers(added, &past->reads[i]))
      past->reads[kept++] = past->reads[i];
  return kept;
}

// What cannot be remembered any more is taken to be known to all.
static void drop_oldest(Past *past) {
  uint32_t oldest = 0;
  for (uint32_t i = 1; i < past->read_count; i++)
    if (past->reads[i].position < past->reads[oldest].position)
      oldest = i;
  if (past->floor < past->reads[oldest].position)
    past->floor = past->reads[oldest].position;
  past->reads[oldest] = past->reads[--past->read_count];
}

void history_add_read(Past *past, const PastRead *read) {
  if (read->position <= past_oldest(past) || read->position <= past->floor)
    return;
  for (uint32_t i = 0; i < past->read_count; i++) {
    if (covers(&past->reads[i], read))
      return;
    if (can_join(&past->reads[i], read)) {
      past->reads[i].lanes |= read->lanes;
      return;
    }
  }
  past->read_count = drop_needless(past, read);
  if (past->read_count == PAST_READS)
    drop_oldest(past);
  past->reads[past->read_count++] = *read;
}
