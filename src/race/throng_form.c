// When a throng replaces entries of a word.
#include "race/throng.h"

enum {
  MOST_ALIKE = 4,  // throngs of one kind, which differ in the chains of their atomics
  PLAIN_READS = 4, // so many times more plain reads than others become a throng
};
#define NO_CHAIN UINT32_MAX

static bool can_be_many(const Race *race, const Entry *entry) {
  if (info_field(entry->info, INFO_BANK) != BANK_THREADS || !throng_can_have(race, entry))
    return false;
  return !entry->is_write ||
         (race->is_one_device && info_field(entry->info, INFO_SCOPE) >= SCOPE_GPU);
}

static bool is_like(const Race *race, const Entry *entry, const Entry *newest) {
  if (!throng_is_same_kind(entry, newest) || !throng_can_have(race, entry))
    return false;
  if (newest->is_write)
    return !newest->is_atomic || entry->seen == newest->seen;
  return !entry->largest || !newest->largest || entry->seen == newest->seen;
}

static uint32_t count_like(const Race *race, const WordList *list, const Entry *newest) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < list->count; i++)
    count += is_like(race, &list->entries[i], newest);
  return count;
}

// Of many chains the two oldest become one throng, which is no chain: its members observe nothing
// any more.
static void limit_chains(Heap *heap, WordList *list, const Entry *newest) {
  Throng *oldest = NULL, **last = NULL;
  uint32_t count = 0;
  for (Throng **at = &list->throngs; *at; at = &(*at)->next) {
    Entry own = throng_entry(*at);
    if (!throng_is_same_kind(&own, newest))
      continue;
    oldest = last ? *last : NULL;
    last = at;
    count++;
  }
  if (count < MOST_ALIKE)
    return;
  Throng *gone = *last;
  clock_join(heap, &oldest->times, gone->times);
  if (oldest->is_write)
    clock_join(heap, &oldest->positions, gone->positions);
  oldest->first = NO_CHAIN;
  oldest->least = gone->least < oldest->least ? gone->least : oldest->least;
  *last = gone->next;
  throng_drop(heap, gone);
}

static Throng *make_throng(Heap *heap, WordList *list, const Entry *newest) {
  limit_chains(heap, list, newest);
  Throng *throng = heap_take_cleared(heap, sizeof *throng);
  throng->next = list->throngs;
  throng->info = newest->info;
  throng->bytes = newest->bytes;
  throng->is_write = newest->is_write;
  throng->is_atomic = newest->is_atomic;
  list->throngs = throng;
  return throng;
}

void throng_form(const Accessor *accessor, const Place *place, WordList *list,
                 const Entry *newest) {
  Race *race = accessor->race;
  uint32_t from = race->throng_from, kept = 0;
  bool is_plain_read = !newest->is_write && throng_is_plain(newest->info);
  if (place->owner || list->count < from || !can_be_many(race, newest) ||
      count_like(race, list, newest) < (is_plain_read && from > 1 ? PLAIN_READS * from : from))
    return;
  Throng *throng = make_throng(&race->heap, list, newest);
  for (uint32_t i = 0; i < list->count; i++)
    if (is_like(race, &list->entries[i], newest))
      throng_take(&race->heap, throng, &list->entries[i]);
    else
      list->entries[kept++] = list->entries[i];
  list->count = kept;
  throng_set_newest(accessor, throng);
}
