// Most atomics are relaxed, of a thread that has released nothing, and one of many alike that are
// atomic toward each other. What is remembered then only has to count one thread more.
#include "race/update.h"

#include "base/bits.h"
#include "race/counter.h"
#include "race/sync.h"
#include "race/throng.h"

// What the lanes find at a word.
typedef struct Found {
  Entry *entry;           // to add the lanes to; NULL: a new one is needed
  bool needs_closer_look; // some other access may race, or older entries may be forgotten
} Found;

static bool is_alike(const Batch *batch, const Entry *entry) {
  return entry->info == batch->info && entry->is_write && entry->is_atomic && entry->bytes == 15;
}

// Can all threads at the place be in each other's scope?
static bool is_wide_enough(const Batch *batch, uint32_t block) {
  return block == batch->block->number ||
         (batch->access->scope >= SCOPE_GPU && batch->race->is_one_device);
}

// Lanes of one warp, or the same lanes of several warps.
static bool can_take(const Entry *entry, uint32_t warp_bit, uint32_t lanes) {
  return entry->warps == warp_bit || entry->lanes == lanes ||
         ((entry->warps & warp_bit) && !(lanes & ~entry->lanes));
}

// An older entry of the own block that barriers have covered races with nothing here.
static bool is_covered(const Batch *batch, const Entry *entry, const Group *group) {
  return entry->time <= group->uniform && !batch->block->has_exits &&
         info_field(entry->info, INFO_BANK) == BANK_THREADS;
}

static Found find_alike(const Batch *batch, WordList *list, const Group *group, uint32_t lanes) {
  uint32_t number = batch->block->number, warp_bit = 1u << batch->emu->warp;
  bool is_wide = is_wide_enough(batch, UINT32_MAX);
  Found found = {0};
  for (uint32_t i = 0; i < list->count; i++) {
    Entry *entry = &list->entries[i];
    bool is_own = entry->block == number && entry->block_count == 1;
    if (is_alike(batch, entry) && (is_own || is_wide)) {
      bool is_now = entry->time == batch->warp->now && !entry->is_reported;
      if (is_own && !is_now)
        return (Found){.needs_closer_look = true};
      // One of this warp alone can take all that follow.
      if (is_own && can_take(entry, warp_bit, lanes) && (!found.entry || entry->warps == warp_bit))
        found.entry = entry;
    } else if (!is_own || !is_covered(batch, entry, group)) {
      return (Found){.needs_closer_look = true};
    }
  }
  return found;
}

static bool continues_chain(const Batch *batch, const WordList *list) {
  return list->newest_info == batch->info && list->newest_bytes == 15 &&
         is_wide_enough(batch, list->newest_thread >> SLOT_BITS);
}

static void observe_lanes(const Batch *batch, WordList *list, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    list->newest_thread = thread_number(batch->block, batch->emu->warp << 5 | bits_first(lanes));
    list->observers[list->observer_count++ % OBSERVERS] =
        (Observer){list->newest_thread, batch->warp->now, list->chain, ++list->position};
  }
}

static void count_lanes(const Batch *batch, WordList *list, Entry *entry, uint32_t lanes) {
  entry->warps |= 1u << batch->emu->warp;
  entry->lanes |= lanes;
  entry->seen = list->chain > entry->seen ? list->chain : entry->seen;
  observe_lanes(batch, list, lanes);
  entry->largest = list->position;
}

// The first of its kind by the block since the last barrier.
static Entry begin_entry(const Batch *batch, WordList *list, uint32_t lane_bit) {
  Accessor accessor = batch_accessor(batch, lane_bit);
  const Entry *newest = list->count ? &list->entries[list->count - 1] : NULL;
  if (newest && newest->is_write && !access_knows_all(&accessor, newest))
    access_note_communication(&accessor, newest, NULL);
  Entry entry = {.block = batch->block->number,
                 .block_count = 1,
                 .warps = 1u << batch->emu->warp,
                 .lanes = lane_bit,
                 .time = batch->warp->now,
                 .info = batch->info,
                 .bytes = 15,
                 .is_write = true,
                 .is_atomic = true};
  access_observe(&accessor, list, &entry);
  return entry;
}

// Global memory, where the entries of many blocks may become a throng: of very many, since those of
// blocks that are neighbours become one, which costs less.
static void keep_entry(const Batch *batch, uint64_t address, Cells *cells, uint32_t word,
                       const Entry *entry) {
  enum { MANY_TIMES = 32 };
  access_add_entry(batch->race, cells, word, entry);
  WordList *list = word_list(cells, word);
  if (list->count / MANY_TIMES < batch->race->throng_from)
    return;
  Accessor accessor = batch_accessor(batch, entry->lanes);
  Place place = {batch->shadow, NULL, address, batch->access->size};
  throng_form(&accessor, &place, list, entry);
}

// Lanes of a warp, in their order, to the only throng of the word.
static bool join_throng(const Batch *batch, const Group *group, WordList *list, uint32_t lanes) {
  Accessor accessor = batch_accessor(batch, lanes & -lanes);
  Found found = find_alike(batch, list, group, lanes);
  if (found.needs_closer_look || found.entry || !continues_chain(batch, list) ||
      !throng_count_lanes(&accessor, list, lanes))
    return false;
  observe_lanes(batch, list, lanes);
  return true;
}

static void begin_crowd(Heap *heap, WordList *list, const Entry *first) {
  Crowd *crowd = heap_take_cleared(heap, sizeof *crowd);
  *crowd = (Crowd){.block = first->block,
                   .time = first->time,
                   .info = first->info,
                   .least = first->least,
                   .seen = first->seen,
                   .warps = first->warps};
  crowd->lanes[bits_first(first->warps)] = first->lanes;
  list->crowd = crowd;
}

// The barrier that covered the list's other entries for the first of the crowd has done so for all
// of its time.
static bool join_crowd(const Batch *batch, WordList *list, uint32_t lanes) {
  Crowd *crowd = list->crowd;
  if (crowd->info != batch->info || crowd->time != batch->warp->now ||
      crowd->block != batch->block->number)
    return false;
  crowd->warps |= 1u << batch->emu->warp;
  crowd->lanes[batch->emu->warp] |= lanes;
  observe_lanes(batch, list, lanes);
  return true;
}

// Is each entry one of the own block that barriers have covered, or like the reads that are added?
static bool are_covered(const Row *row, const WordList *list, const Entry *reads) {
  for (uint32_t i = 0; i < list->count; i++) {
    const Entry *entry = &list->entries[i];
    bool is_alike = !entry->is_write && entry->time == reads->time && entry->info == reads->info &&
                    entry->bytes == reads->bytes;
    bool is_covered = entry->is_write && entry->time <= row->uniform &&
                      info_field(entry->info, INFO_BANK) == BANK_THREADS;
    if (entry->block != reads->block || entry->block_count != 1 || !(is_alike || is_covered))
      return false;
  }
  return true;
}

bool update_read(Race *race, const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  WordList *list = word_has_list(cells, word) ? word_list(cells, word) : NULL;
  uint32_t block = row->block_first >> SLOT_BITS;
  Entry reads = {.block = block,
                 .block_count = 1,
                 .warps = row->warp_bit,
                 .lanes = lanes,
                 .time = row->now,
                 .info = row->info,
                 .bytes = 15};
  if (!list || !list->crowd || row->is_strict || list->crowd->block != block ||
      list->crowd->time > row->uniform || !are_covered(row, list, &reads))
    return false;
  access_add_entry(race, cells, word, &reads);
  return true;
}

static bool has_records(const WordList *list) {
  return list->location || list->continues_location || list->fences_of_writes ||
         list->fences_of_reads;
}

// The page of the newest lane, which most often is that of the next one, too.
typedef struct Here {
  uint64_t page_number;
  uint32_t words; // 0: there is none
  Cells cells;
} Here;

static void go_to(Here *here, const Batch *batch, uint64_t address) {
  Page *page = shadow_page(batch->shadow, address);
  here->page_number = address >> PAGE_SHIFT;
  here->words = page ? page->words : 0;
  if (page)
    here->cells = page_cells(page);
}

// Of lanes with one address. False: they need a closer look.
static bool update_list(const Batch *batch, const Group *group, Here *here, uint64_t address,
                        uint32_t lanes) {
  Cells *cells = &here->cells;
  uint32_t word = word_of(address);
  WordList *list = word_list(cells, word);
  if (list->crowd)
    return join_crowd(batch, list, lanes);
  if (list->throngs)
    return join_throng(batch, group, list, lanes);
  Found found = find_alike(batch, list, group, lanes);
  if (found.needs_closer_look || (found.entry && !continues_chain(batch, list)))
    return false;
  if (found.entry) {
    count_lanes(batch, list, found.entry, lanes);
    return true;
  }
  Entry entry = begin_entry(batch, list, lanes & -lanes);
  if (batch->owner)
    begin_crowd(&batch->race->heap, list, &entry);
  else
    keep_entry(batch, address, cells, word, &entry);
  lanes &= lanes - 1;
  return !lanes || update_list(batch, group, here, address, lanes);
}

// NULL: there is no such word.
static WordList *find_list(const Batch *batch, Here *here, uint64_t address) {
  if (address >> PAGE_SHIFT != here->page_number)
    go_to(here, batch, address);
  if (word_of(address) >= here->words)
    return NULL;
  return word_make_list(&batch->race->heap, &here->cells, word_of(address));
}

static bool update(const Batch *batch, const Group *group, Here *here, uint64_t address,
                   uint32_t lanes) {
  const WordList *list = find_list(batch, here, address);
  return list && !has_records(list) && update_list(batch, group, here, address, lanes);
}

bool update_together(const Batch *batch, const Group *group, uint64_t address, uint32_t lanes) {
  Here here = {.page_number = UINT64_MAX};
  if (!find_list(batch, &here, address) || !update_list(batch, group, &here, address, lanes))
    return false;
  sync_overwrite(batch->race, &here.cells, word_of(address));
  return true;
}

static bool is_plain_counter(const Batch *batch) {
  return batch->access->kind == EMU_ATOMIC && batch->access->sem == SEM_RELAXED &&
         batch->access->size == WORD_BYTES && !batch->warp->sync &&
         !batch->race->options.keep_all && !batch->race->weak;
}

uint32_t update_alike(const Batch *batch) {
  uint32_t lanes = batch->emu->lanes, left = lanes;
  Here here = {.page_number = UINT64_MAX};
  if (!is_plain_counter(batch))
    return lanes;
  WARP_GROUPS(group, batch->warp, lanes) {
    uint32_t todo = group->clock.fences ? 0 : lanes & group->lanes & batch->access->wrote;
    Row row = row_make(batch->race, batch->block, batch->warp, batch->emu->warp, group, batch->info,
                       batch->owner);
    uint32_t rest = counter_add(batch, &row, todo);
    left &= ~(todo & ~rest);
    todo = rest;
    while (todo) {
      uint32_t lane_bit = todo & -todo;
      uint32_t same = batch->access->shape == EMU_SHAPE_SAME ? todo : lane_bit;
      if (update(batch, group, &here, batch->access->addresses[bits_first(lane_bit)], same))
        left &= ~same;
      todo &= ~same;
    }
  }
  return left;
}
