#include "race/counter.h"

#include "base/bits.h"
#include "race/row_word.h"

#include <string.h>

// Of a word of shared memory.
typedef struct Counter {
  uint32_t position;          // the number of its writes
  uint16_t newest[OBSERVERS]; // slots of the threads that wrote last, a ring
  uint32_t lanes[];           // that wrote, of each warp of the block
} Counter;

static Counter *counter_of(const Page *page, uint32_t word) {
  return (Counter *)(page->counters + (size_t)word * page->counter_size);
}

static bool is_in_block(const Cells *cells, uint32_t word) {
  return cells->write_time[word] != UINT32_MAX || cells->read_info[word] == COUNTER_IN_BLOCK;
}

static void set_address(Cells *cells, uint32_t word, const ReaderSet *set) {
  cells->write_thread[word] = (uint32_t)(uintptr_t)set;
  cells->read_thread[word] = (uint32_t)((uint64_t)(uintptr_t)set >> 32);
}

static const ReaderSet *set_of(const Cells *cells, uint32_t word) {
  uint64_t address = (uint64_t)cells->read_thread[word] << 32 | cells->write_thread[word];
  return (const ReaderSet *)(uintptr_t)address;
}

static void clear_word(Cells *cells, uint32_t word) {
  cells->write_time[word] = cells->write_info[word] = 0;
  cells->read_time[word] = cells->read_info[word] = 0;
}

// --- in the shared memory of a block

static void make_counters(const Batch *batch, Page *page) {
  enum { HEAD = sizeof(Counter) / sizeof(uint32_t) };
  page->counter_size = HEAD + batch->block->emu->warp_count;
  page->counters =
      heap_take(&batch->race->heap, (size_t)page->words * page->counter_size * sizeof(uint32_t));
}

void counter_release(Heap *heap, Page *page) {
  heap_give(heap, page->counters, (size_t)page->words * page->counter_size * sizeof(uint32_t));
  page->counters = NULL;
}

// Is all that is remembered of the word covered? A list is not looked at.
static bool is_covered(const Row *row, const Cells *cells, uint32_t word) {
  if (word_is_counter(cells, word) && cells->write_time[word] == UINT32_MAX)
    return cells->read_warps[word] <= row->covered;
  return cells->write_time[word] <= row->covered && cells->read_time[word] <= row->covered;
}

static bool begin_counter(const Batch *batch, const Row *row, Cells *cells, uint32_t word) {
  if (!is_covered(row, cells, word))
    return false;
  Page *page = cells->page;
  if (!page->counters)
    make_counters(batch, page);
  cells->write_time[word] = cells->read_time[word] = UINT32_MAX;
  cells->write_thread[word] = row->block_first;
  cells->write_info[word] = row->info;
  cells->read_warps[word] = row->now;
  cells->read_info[word] = COUNTER_IN_BLOCK;
  memset(counter_of(page, word), 0, page->counter_size * sizeof(uint32_t));
  return true;
}

static bool is_counting(const Row *row, const Cells *cells, uint32_t word) {
  return cells->write_info[word] == row->info && cells->write_time[word] == UINT32_MAX &&
         cells->read_warps[word] == row->now;
}

static uint32_t add_in_block(const Batch *batch, const Row *row, uint32_t lanes) {
  uint32_t left = 0, warp = batch->emu->warp;
  uint64_t page_number = UINT64_MAX;
  Page *page = NULL;
  Cells cells = {0};
  for (; lanes; lanes &= lanes - 1) {
    uint32_t lane = bits_first(lanes);
    uint64_t address = batch_address(batch, lane);
    uint32_t word = word_of(address);
    if (address >> PAGE_SHIFT != page_number) {
      page_number = address >> PAGE_SHIFT;
      page = shadow_page(batch->shadow, address);
      cells = page ? page_cells(page) : (Cells){0};
    }
    if (!page || word >= page->words ||
        (!is_counting(row, &cells, word) && !begin_counter(batch, row, &cells, word))) {
      left |= 1u << lane;
      continue;
    }
    Counter *counter = counter_of(page, word);
    counter->newest[counter->position++ % OBSERVERS] = (uint16_t)(warp << 5 | lane);
    counter->lanes[warp] |= 1u << lane;
  }
  return left;
}

// --- in global memory

typedef enum RowKind { ROW_OTHER, ROW_FRESH, ROW_COUNTING } RowKind;

// What has been there before, if anything, is of grids that have ended.
ALWAYS_INLINE bool is_fresh(const Row *row, const Cells *cells, uint32_t word, uint32_t count) {
  const uint32_t *write_time = cells->write_time + word, *write_thread = cells->write_thread + word;
  const uint32_t *read_time = cells->read_time + word, *read_thread = cells->read_thread + word;
  const uint32_t *read_info = cells->read_info + word;
  uint32_t other = 0, limit = row->limit;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t has_write = (write_time[i] == UINT32_MAX) | (write_thread[i] >= limit);
    uint32_t has_read =
        (read_time[i] == UINT32_MAX) | (read_info[i] >> INFO_FORM) | (read_thread[i] >= limit);
    other |= ((write_time[i] != 0) & has_write) | ((read_time[i] != 0) & has_read);
  }
  return !other;
}

// The same lanes of the same other blocks, for each word.
ALWAYS_INLINE bool is_counting_row(const Row *row, const Cells *cells, uint32_t word,
                                   uint32_t count, uint32_t slot) {
  const uint32_t *info = cells->write_info + word, *low = cells->write_thread + word;
  const uint32_t *high = cells->read_thread + word, *time = cells->read_warps + word;
  const uint32_t *slots = cells->read_lanes + word;
  uint32_t other = 0, first_low = *low, first_high = *high, now = row->now, own = row->info;
  for (uint32_t i = 0; i < count; i++)
    other |= (info[i] ^ own) | (low[i] ^ first_low) | (high[i] ^ first_high) | (time[i] ^ now) |
             (slots[i] ^ (slot + i));
  return !other;
}

ALWAYS_INLINE RowKind kind_of(const Row *row, const Cells *cells, uint32_t word, uint32_t count,
                              uint32_t slot) {
  if (cells->write_info[word] == row->info)
    return is_counting_row(row, cells, word, count, slot) ? ROW_COUNTING : ROW_OTHER;
  return is_fresh(row, cells, word, count) ? ROW_FRESH : ROW_OTHER;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static RowKind
kind_by_avx2(const Row *row, const Cells *cells, uint32_t word, uint32_t count, uint32_t slot) {
  return kind_of(row, cells, word, count, slot);
}
#endif

static RowKind find_kind(const Row *row, const Cells *cells, uint32_t word, uint32_t count,
                         uint32_t slot) {
#if defined(__x86_64__)
  if (row->has_avx2)
    return kind_by_avx2(row, cells, word, count, slot);
#endif
  return kind_of(row, cells, word, count, slot);
}

// To explain races: the first lane of the row speaks for all.
static void note_communication(const Batch *batch, const ReaderSet *set, uint32_t lane,
                               uint32_t slot) {
  Accessor accessor = batch_accessor(batch, 1u << lane);
  if (access_knows_thread(&accessor, set->block, slot, batch->warp->now))
    return;
  Entry newest = {.block = set->block,
                  .block_count = 1,
                  .warps = 1u << batch->emu->warp,
                  .lanes = 1u << lane,
                  .time = batch->warp->now,
                  .info = batch->info,
                  .bytes = 15,
                  .is_write = true,
                  .is_atomic = true};
  access_note_communication(&accessor, &newest, NULL);
}

static void fill_row(const Row *row, Cells *cells, uint32_t word, uint32_t count, uint32_t slot) {
  for (uint32_t i = word; i < word + count; i++) {
    cells->write_time[i] = cells->read_time[i] = UINT32_MAX;
    cells->write_info[i] = row->info;
    cells->read_warps[i] = row->now;
    cells->read_lanes[i] = slot + (i - word);
    cells->read_info[i] = COUNTER_OF_BLOCKS;
  }
}

static bool add_row(const Batch *batch, const Row *row, Cells *cells, uint32_t word,
                    Segment segment) {
  uint32_t slot = batch->emu->warp << 5 | segment.first, count = segment.count;
  counter_settle(row, cells, word, count);
  RowKind kind = find_kind(row, cells, word, count, slot);
  if (kind == ROW_OTHER)
    return false;
  const ReaderSet *set = kind == ROW_COUNTING ? set_of(cells, word) : NULL;
  const ReaderSet *added = readers_add(row->readers, row->heap, set, batch->block->number);
  // The order in which blocks came is that of the set: one that is in it may not come again.
  if (!added || (added == set && set->block != batch->block->number))
    return false;
  if (set)
    note_communication(batch, set, segment.first, slot);
  else
    fill_row(row, cells, word, count, slot);
  for (uint32_t i = word; i < word + count; i++)
    set_address(cells, i, added);
  return true;
}

static uint32_t add_in_rows(const Batch *batch, const Row *row, uint32_t lanes) {
  enum { LEAST_COUNT = 4 };
  Segment segments[WARP_LANES];
  uint32_t left = lanes, count = segments_find(batch->access, lanes, row->has_avx2, segments);
  for (uint32_t i = 0; i < count; i++) {
    Segment segment = segments[i];
    uint64_t address = batch_address(batch, segment.first);
    uint32_t word = word_of(address);
    Page *page = segment.count < LEAST_COUNT ? NULL : shadow_page(batch->shadow, address);
    if (!page || word + segment.count > page->words)
      continue;
    spin_lock(&page->lock);
    Cells cells = page_cells(page);
    if (add_row(batch, row, &cells, word, segment))
      left &= ~(UINT32_MAX >> (WARP_LANES - segment.count) << segment.first);
    spin_unlock(&page->lock);
  }
  return left;
}

uint32_t counter_add(const Batch *batch, const Row *row, uint32_t lanes) {
  const Race *race = batch->race;
  const EmuBlock *own = batch->block->emu;
  if (row->is_strict || !lanes)
    return lanes;
  if (batch->owner)
    return batch->owner == own && own->cluster_size <= 1 && !race->has_strong_agents
               ? add_in_block(batch, row, lanes)
               : lanes;
  bool is_wide = batch->access->scope >= SCOPE_GPU && race->is_one_device;
  return is_wide && batch->access->shape != EMU_SHAPE_SAME ? add_in_rows(batch, row, lanes) : lanes;
}

// --- other forms

static bool settle(const Row *row, Cells *cells, uint32_t word) {
  if (!word_is_counter(cells, word) || cells->write_time[word] != UINT32_MAX)
    return false;
  uint32_t time = cells->read_warps[word];
  if (is_in_block(cells, word)) {
    if (time > row->covered)
      return false;
    cells->write_time[word] = time;
    cells->read_time[word] = cells->read_info[word] = 0;
    return true;
  }
  if (set_of(cells, word)->largest >= row->limit >> SLOT_BITS)
    return false;
  clear_word(cells, word);
  return true;
}

bool counter_settle(const Row *row, Cells *cells, uint32_t word, uint32_t words) {
  bool has_settled = false;
  for (uint32_t i = word; i < word + words; i++)
    has_settled |= settle(row, cells, i);
  return has_settled;
}

static void observe_newest(WordList *list, uint32_t position, uint32_t thread, uint32_t time) {
  list->observers[(position - 1) % OBSERVERS] =
      (Observer){.thread = thread, .time = time, .last = position};
}

static void number_writes(WordList *list, uint32_t count, uint32_t thread, uint32_t info) {
  list->position = count;
  list->observer_count = (uint8_t)count;
  list->newest_thread = thread;
  list->newest_info = info;
  list->newest_bytes = 15;
}

static Crowd *make_crowd(Heap *heap, const Cells *cells, uint32_t word, uint32_t time) {
  const Counter *counter = counter_of(cells->page, word);
  uint32_t warps = (uint32_t)(cells->page->counter_size - sizeof *counter / sizeof(uint32_t));
  Crowd *crowd = heap_take_cleared(heap, sizeof *crowd);
  crowd->block = cells->write_thread[word] >> SLOT_BITS;
  crowd->time = time;
  crowd->info = cells->write_info[word];
  crowd->least = 1;
  for (uint32_t w = 0; w < warps; w++) {
    crowd->lanes[w] = counter->lanes[w];
    crowd->warps |= (uint32_t)(counter->lanes[w] != 0) << w;
  }
  return crowd;
}

static WordList *list_in_block(Heap *heap, Cells *cells, uint32_t word) {
  const Counter *counter = counter_of(cells->page, word);
  bool is_settled = cells->write_time[word] != UINT32_MAX;
  uint32_t time = is_settled ? cells->write_time[word] : cells->read_warps[word];
  uint32_t block_first = cells->write_thread[word], position = counter->position;
  Crowd *crowd = make_crowd(heap, cells, word, time);
  WordList *list = word_new_list(heap, is_settled ? word_reads(cells, word, NULL) + 1 : 1);
  if (is_settled)
    list->count = word_reads(cells, word, list->entries);
  word_set_list(cells, word, list);
  list->crowd = crowd;
  number_writes(list, position, block_first | counter->newest[(position - 1) % OBSERVERS],
                crowd->info);
  for (uint32_t i = position; i > 0 && position - i < OBSERVERS; i--)
    observe_newest(list, i, block_first | counter->newest[(i - 1) % OBSERVERS], time);
  return list;
}

// Which of the blocks' writes they are, from 1 on.
static void number_entries(WordList *list, const ReaderSet *set) {
  for (uint32_t position = set->count; set; set = set->before, position--)
    for (uint32_t i = 0; i < list->count; i++) {
      Entry *entry = &list->entries[i];
      uint32_t distance = set->block - entry->block;
      uint32_t last = (entry->block_count - 1) * entry->block_stride;
      if (distance > last || (distance && distance % entry->block_stride))
        continue;
      entry->least = position;
      entry->largest = entry->largest ? entry->largest : position;
      break;
    }
}

static WordList *list_of_blocks(Heap *heap, Cells *cells, uint32_t word) {
  const ReaderSet *set = set_of(cells, word);
  uint32_t slot = cells->read_lanes[word], time = cells->read_warps[word];
  Entry of_one = {.block_count = 1,
                  .warps = 1u << (slot >> 5),
                  .lanes = 1u << (slot & 31),
                  .time = time,
                  .info = cells->write_info[word],
                  .bytes = 15,
                  .is_write = true,
                  .is_atomic = true};
  WordList *list = word_new_list(heap, readers_entries(set, &of_one, NULL) + 1);
  list->count = readers_entries(set, &of_one, list->entries);
  word_set_list(cells, word, list);
  number_entries(list, set);
  number_writes(list, set->count, set->block << SLOT_BITS | slot, of_one.info);
  for (uint32_t i = 0; set && i < OBSERVERS; i++, set = set->before)
    observe_newest(list, set->count, set->block << SLOT_BITS | slot, time);
  return list;
}

WordList *counter_make_list(Heap *heap, Cells *cells, uint32_t word) {
  return is_in_block(cells, word) ? list_in_block(heap, cells, word)
                                  : list_of_blocks(heap, cells, word);
}
