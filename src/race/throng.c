#include "race/throng.h"

#include "base/bits.h"

#include <string.h>

// The throng as an entry: that of its newest access, with what is to be observed of all.
Entry throng_entry(const Throng *throng) {
  return (Entry){.block = throng->thread >> SLOT_BITS,
                 .block_count = 1,
                 .warps = 1u << (throng->thread >> 5 & 31),
                 .lanes = 1u << (throng->thread & 31),
                 .time = throng->time,
                 .info = throng->info,
                 .seen = throng->first,
                 .least = throng->least,
                 .largest = throng->is_write ? throng->last : 0,
                 .bytes = throng->bytes,
                 .is_write = throng->is_write,
                 .is_atomic = throng->is_atomic,
                 .is_reported = throng->is_reported};
}

// --- who is known

static bool knows_newest(const Accessor *accessor, const Throng *throng) {
  return access_knows_thread(accessor, throng->thread >> SLOT_BITS,
                             throng->thread & ((1u << SLOT_BITS) - 1), throng->time);
}

static bool is_cached(const Accessor *accessor, const Throng *throng) {
  const Group *group = accessor->group;
  return throng->known_to && throng->known_to == group->clock.part[CLOCK_THREADS] &&
         throng->known_block == accessor->block->number && throng->known_uniform <= group->uniform;
}

// By the group's clock and by what barriers of the block have covered. May say no.
static bool is_covered(const Accessor *accessor, Throng *throng) {
  Heap *heap = &accessor->race->heap;
  if (info_field(accessor->info, INFO_PROXY) != PROXY_GENERIC)
    return false;
  if (is_cached(accessor, throng))
    return true;
  Group group = *accessor->group;
  Clock known;
  group.warp_known = 0;
  group_export(accessor->race, accessor->block, accessor->warp_number, &group, 0, 0, &known);
  bool is_known = clock_covers(known.part[CLOCK_THREADS], throng->times);
  clock_release(heap, &known);
  if (!is_known)
    return false;
  clock_drop(heap, throng->known_to);
  throng->known_to = clock_keep(group.clock.part[CLOCK_THREADS]);
  throng->known_block = accessor->block->number;
  throng->known_uniform = group.uniform;
  return true;
}

typedef struct Search {
  const Accessor *accessor;
  const WordList *list;
  const Throng *throng;
  const Entry *entry; // of the throng, or what is to be observed
  uint32_t bytes;
} Search;

static bool is_unknown(const void *context, uint32_t block, uint32_t slot, uint32_t time) {
  const Search *search = context;
  Entry member = *search->entry;
  if (access_knows_thread(search->accessor, block, slot, time))
    return false;
  if (!member.is_write)
    return true;
  member.least = member.largest = clock_time(search->throng->positions, block, slot);
  return !access_has_observed(search->accessor, search->list, &member);
}

static bool is_rival(const void *context, uint32_t block, uint32_t slot, uint32_t time) {
  const Search *search = context;
  return !access_is_exempt(search->accessor, search->entry, block, search->bytes) &&
         is_unknown(context, block, slot, time);
}

// Does the accessor know all of the throng, or has it observed what it does not know?
static bool is_known(const Accessor *accessor, const WordList *list, Throng *throng) {
  Entry entry = throng_entry(throng);
  Search search = {.accessor = accessor, .list = list, .throng = throng, .entry = &entry};
  uint32_t block, slot;
  return is_covered(accessor, throng) || access_has_observed(accessor, list, &entry) ||
         !clock_find(throng->times, is_unknown, &search, &block, &slot);
}

// --- checking

// Is the accessor atomic toward all threads of the device?
static bool is_exempt_from_all(const Accessor *accessor, const Entry *entry, uint32_t bytes) {
  return accessor->race->is_one_device && info_field(entry->info, INFO_SCOPE) >= SCOPE_GPU &&
         info_field(accessor->info, INFO_SCOPE) >= SCOPE_GPU &&
         access_is_exempt(accessor, entry, entry->block, bytes);
}

static bool is_same_place(const Accessor *accessor, const Entry *entry, uint32_t bytes) {
  return entry->bytes == bytes &&
         info_field(entry->info, INFO_SIZE) == info_field(accessor->info, INFO_SIZE);
}

// Of members that race one is reported for each block, but of its own block all, which may be the
// accessor's warp or not.
typedef struct Report {
  Search search;
  const Place *place;
  Rivals *rivals;
  Rival *rival; // the newest one
  Entry *entry; // of it
  bool has_raced;
} Report;

// Of all races. Always false, so that the search goes on.
static bool report_rival(const void *context, uint32_t block, uint32_t slot, uint32_t time) {
  Report *report = *(Report *const *)context;
  const Accessor *accessor = report->search.accessor;
  bool is_spoken_for = report->has_raced && report->rival->block == block;
  if ((is_spoken_for && block != accessor->block->number) ||
      !is_rival(&report->search, block, slot, time))
    return false;
  report->rival->block = report->entry->block = block;
  report->rival->slot = slot;
  report->entry->warps = 1u << (slot >> 5);
  report->entry->lanes = 1u << (slot & 31);
  report->entry->time = time;
  report->has_raced = true;
  access_report_new(accessor, report->place, report->rivals, report->rival);
  return false;
}

static bool find_rival(const Accessor *accessor, const WordList *list, Throng *throng, Entry *entry,
                       uint32_t bytes, Rival *rival) {
  Search search = {accessor, list, throng, entry, bytes};
  if (is_exempt_from_all(accessor, entry, bytes) || is_covered(accessor, throng) ||
      access_has_observed(accessor, list, entry) ||
      !clock_find(throng->times, is_rival, &search, &rival->block, &rival->slot))
    return false;
  entry->time = clock_time(throng->times, rival->block, rival->slot);
  return true;
}

static bool report_all(const Accessor *accessor, const Place *place, const WordList *list,
                       const Throng *throng, uint32_t bytes, Rivals *rivals) {
  Entry kind = throng_entry(throng), entry = kind;
  Rival rival = {.entry = &entry, .is_same_place = is_same_place(accessor, &entry, bytes)};
  Report report = {.search = {accessor, list, throng, &kind, bytes},
                   .place = place,
                   .rivals = rivals,
                   .rival = &rival,
                   .entry = &entry};
  const Report *context = &report;
  uint32_t block, slot;
  clock_find(throng->times, report_rival, &context, &block, &slot);
  return report.has_raced;
}

static void note_newest(const Accessor *accessor, const Throng *throng, const Entry *entry) {
  if (!accessor->access || !throng->is_write || knows_newest(accessor, throng))
    return;
  if (accessor->access->kind != EMU_WRITE)
    access_note_communication(accessor, entry, throng->times);
  else
    access_note_overwrite(accessor, entry);
}

static bool report_first(const Accessor *accessor, const Place *place, const WordList *list,
                         Throng *throng, uint32_t bytes, Rivals *rivals) {
  Entry entry = throng_entry(throng);
  Rival rival = {.entry = &entry, .is_same_place = is_same_place(accessor, &entry, bytes)};
  if (!find_rival(accessor, list, throng, &entry, bytes, &rival))
    return false;
  access_report_new(accessor, place, rivals, &rival);
  return true;
}

bool throng_check(const Accessor *accessor, const Place *place, WordList *list, uint32_t bytes,
                  Rivals *rivals) {
  bool has_raced = false, keeps_all = accessor->race->options.keep_all;
  for (Throng *throng = list->throngs; throng; throng = throng->next) {
    Entry entry = throng_entry(throng);
    note_newest(accessor, throng, &entry);
    if (access_is_alike(accessor, &entry, bytes) || !access_is_conflict(accessor, &entry, bytes) ||
        !(keeps_all ? report_all(accessor, place, list, throng, bytes, rivals)
                    : report_first(accessor, place, list, throng, bytes, rivals)))
      continue;
    throng->is_reported = has_raced = true;
  }
  return has_raced;
}

// --- adding

bool throng_is_same_kind(const Entry *a, const Entry *b) {
  return a->info == b->info && a->bytes == b->bytes && a->is_write == b->is_write &&
         a->is_atomic == b->is_atomic;
}

// Atomics are of one chain; reads observe one.
static bool is_of_chain(const Throng *throng, const Entry *entry) {
  if (entry->is_write)
    return !entry->is_atomic || throng->first == entry->seen;
  return !entry->largest || !throng->positions || throng->first == entry->seen;
}

// Of those that are all kept only plain reads that observe nothing are told together.
bool throng_can_have(const Race *race, const Entry *entry) {
  return !race->options.keep_all ||
         (!entry->is_write && !entry->largest && throng_is_plain(entry->info));
}

static bool is_for(const Race *race, const Throng *throng, const Entry *entry) {
  Entry own = throng_entry(throng);
  return throng_can_have(race, entry) && throng_is_same_kind(&own, entry) &&
         is_of_chain(throng, entry);
}

// A lane's sight is kept from the moment on at which it first saw as far.
static void add_sights(Heap *heap, Throng *throng, const Entry *entry, uint32_t block,
                       uint32_t warp) {
  uint32_t lanes = 0;
  for (uint32_t left = entry->lanes; left; left &= left - 1)
    if (clock_time(throng->positions, block, warp << 5 | bits_first(left)) < entry->largest)
      lanes |= 1u << bits_first(left);
  clock_add_lanes(heap, &throng->positions, block, warp, lanes, entry->largest);
  clock_add_lanes(heap, &throng->sight_times, block, warp, lanes, entry->time);
}

static void add_threads(Heap *heap, Throng *throng, const Entry *entry) {
  for (uint32_t i = 0; i < entry->block_count; i++)
    for (uint32_t warps = entry->warps; warps; warps &= warps - 1) {
      uint32_t block = entry->block + i * entry->block_stride, warp = bits_first(warps);
      clock_add_lanes(heap, &throng->times, block, warp, entry->lanes, entry->time);
      if (entry->is_write)
        clock_add_lanes(heap, &throng->positions, block, warp, entry->lanes, entry->largest);
      else if (entry->largest)
        add_sights(heap, throng, entry, block, warp);
    }
}

void throng_take(Heap *heap, Throng *throng, const Entry *entry) {
  add_threads(heap, throng, entry);
  clock_drop(heap, throng->known_to);
  throng->known_to = NULL;
  throng->is_reported |= entry->is_reported;
  if (!entry->largest)
    return;
  throng->first = entry->seen;
  throng->least = throng->last && throng->least < entry->least ? throng->least : entry->least;
  throng->last = throng->last > entry->largest ? throng->last : entry->largest;
}

void throng_set_newest(const Accessor *accessor, Throng *throng) {
  throng->thread = accessor->entry_block << SLOT_BITS | accessor->entry_warp << 5 |
                   bits_first(accessor->entry_lanes);
  throng->time = accessor->time;
}

// To see whether all are known takes time with their number, so it is done when there are a quarter
// more than last time.
static bool is_worth_trying(Throng *throng) {
  enum { FEW = 16 };
  if (throng->added - throng->tried < throng->tried / 4 + FEW)
    return false;
  throng->tried = throng->added;
  return true;
}

// Has some of the throng observed a write, other than its own, that stays? Whoever knows of it is
// ordered behind that.
static bool is_needed(const WordList *list, const Throng *throng) {
  uint32_t last = throng->is_write && !throng->is_atomic ? 0 : throng->last;
  for (uint32_t i = 0; last && i < list->count; i++) {
    const Entry *entry = &list->entries[i];
    if (entry->is_write && entry->least > throng->first && entry->least <= last)
      return true;
  }
  for (const Throng *other = list->throngs; last && other; other = other->next)
    if (other != throng && other->is_write && !other->is_gone && other->least > throng->first &&
        other->least <= last)
      return true;
  return false;
}

static void empty(Heap *heap, Throng *throng) {
  clock_drop(heap, throng->times);
  clock_drop(heap, throng->positions);
  clock_drop(heap, throng->sight_times);
  clock_drop(heap, throng->known_to);
  throng->times = throng->positions = throng->sight_times = throng->known_to = NULL;
  throng->last = throng->added = throng->tried = 0;
}

void throng_drop(Heap *heap, Throng *throng) {
  empty(heap, throng);
  heap_give(heap, throng, sizeof *throng);
}

// The new access stands for those that it is ordered behind.
static void forget_known(const Accessor *accessor, const WordList *list, Throng *throng) {
  if (!accessor->race->options.keep_all && is_worth_trying(throng) &&
      is_covered(accessor, throng) && !is_needed(list, throng))
    empty(&accessor->race->heap, throng);
}

bool throng_add(const Accessor *accessor, WordList *list, const Entry *entry, bool has_raced) {
  Heap *heap = &accessor->race->heap;
  Throng *throng = list->throngs;
  while (throng && !is_for(accessor->race, throng, entry))
    throng = throng->next;
  if (!throng)
    return false;
  forget_known(accessor, list, throng);
  throng->added++;
  throng_take(heap, throng, entry);
  throng->is_reported |= has_raced;
  throng_set_newest(accessor, throng);
  return true;
}

bool throng_count_lanes(const Accessor *accessor, WordList *list, uint32_t lanes) {
  Heap *heap = &accessor->race->heap;
  Throng *throng = list->throngs;
  Entry entry = throng_entry(throng);
  if (throng->next || !access_is_alike(accessor, &entry, entry.bytes) || !throng->is_write ||
      !throng->is_atomic || throng->first != list->chain)
    return false;
  note_newest(accessor, throng, &entry);
  forget_known(accessor, list, throng);
  clock_add_lanes(heap, &throng->times, accessor->entry_block, accessor->entry_warp, lanes,
                  accessor->time);
  clock_add_series(heap, &throng->positions, accessor->entry_block, accessor->entry_warp, lanes,
                   list->position + 1);
  clock_drop(heap, throng->known_to);
  throng->known_to = NULL;
  throng->added += bits_count(lanes);
  throng->least = throng->last ? throng->least : list->position + 1;
  throng->last = list->position + bits_count(lanes);
  throng->thread =
      accessor->entry_block << SLOT_BITS | accessor->entry_warp << 5 | bits_last(lanes);
  throng->time = accessor->time;
  return true;
}

// --- replacing

// access.c has the same rule for entries.
static bool may_replace(const Accessor *accessor, const Throng *throng, const Entry *newer) {
  if ((throng->bytes & ~newer->bytes) || (throng->is_write && !newer->is_write))
    return false;
  return throng_is_plain(newer->info) ||
         (info_field(throng->info, INFO_SCOPE) >= info_field(newer->info, INFO_SCOPE) &&
          info_field(throng->info, INFO_SIZE) == info_field(accessor->info, INFO_SIZE));
}

static bool is_replaced(const Accessor *accessor, const WordList *list, Throng *throng,
                        const Entry *newer) {
  bool was_checked = throng_is_plain(newer->info) && newer->is_write;
  return may_replace(accessor, throng, newer) && (was_checked || is_worth_trying(throng)) &&
         is_known(accessor, list, throng);
}

void throng_replace(const Accessor *accessor, WordList *list, const Entry *newer) {
  if (accessor->race->options.keep_all)
    return;
  for (Throng *throng = list->throngs; throng; throng = throng->next)
    throng->is_gone = is_replaced(accessor, list, throng, newer);
  for (Throng *throng = list->throngs; throng; throng = throng->next)
    throng->is_gone = throng->is_gone && !is_needed(list, throng);
  for (Throng **at = &list->throngs; *at;) {
    Throng *throng = *at;
    if (!throng->is_gone) {
      at = &throng->next;
      continue;
    }
    *at = throng->next;
    throng_drop(&accessor->race->heap, throng);
  }
}

// --- observation

static bool is_known_member(const void *context, uint32_t block, uint32_t slot, uint32_t time) {
  const Search *search = context;
  return access_knows_thread(search->accessor, block, slot, time);
}

// The time of a sight is a position.
static bool is_known_sight(const void *context, uint32_t block, uint32_t slot, uint32_t sight) {
  const Search *search = context;
  return sight >= search->entry->largest &&
         access_knows_thread(search->accessor, block, slot,
                             clock_time(search->throng->sight_times, block, slot));
}

static bool observes(const Accessor *accessor, const Throng *throng, const Entry *entry) {
  Search search = {.accessor = accessor, .throng = throng, .entry = entry};
  uint32_t block, slot;
  if (entry->least <= throng->first)
    return false;
  if (!throng->is_write)
    return clock_find(throng->positions, is_known_sight, &search, &block, &slot);
  if (!throng->is_atomic || entry->largest > throng->last)
    return false;
  return knows_newest(accessor, throng) ||
         (entry->largest <= throng->least &&
          clock_find(throng->times, is_known_member, &search, &block, &slot));
}

bool throng_has_observed(const Accessor *accessor, const WordList *list, const Entry *entry) {
  for (const Throng *throng = list->throngs; throng; throng = throng->next)
    if (observes(accessor, throng, entry))
      return true;
  return false;
}

bool throng_is_observed_by(const WordList *list, const Entry *entry) {
  uint32_t last = !entry->is_write ? entry->largest : entry->is_atomic ? entry->least : 0;
  for (const Throng *throng = list->throngs; last && throng; throng = throng->next)
    if (throng->is_write && last >= throng->least && entry->seen < throng->last)
      return true;
  return false;
}

// Who knows of the newest atomic has observed the others as that one has.
bool throng_knows_chain(const Accessor *accessor, const WordList *list) {
  for (const Throng *throng = list->throngs; throng; throng = throng->next)
    if (throng->is_write && throng->last > list->chain && !knows_newest(accessor, throng))
      return false;
  return true;
}
