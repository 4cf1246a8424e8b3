#include "race/shadow.h"

#include "race/counter.h"
#include "race/page_row.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

// --- pages

// Tables of global memory have 4,096 items each: bits 12 to 23, 24 to 35, 36 to 47 of an address.
enum { TABLE_BITS = 12, TABLE_ITEMS = 1 << TABLE_BITS };

void shadow_init_shared(Shadow *shadow, Heap *heap, uint32_t bytes) {
  memset(shadow, 0, sizeof *shadow);
  shadow->heap = heap;
  shadow->words = (bytes + 3) / 4;
  shadow->page_count = (shadow->words + PAGE_WORDS - 1) / PAGE_WORDS;
  if (shadow->page_count)
    shadow->pages = heap_take_cleared(heap, shadow->page_count * sizeof(Page *));
}

void shadow_init_global(Shadow *shadow, Heap *heap) {
  memset(shadow, 0, sizeof *shadow);
  shadow->heap = heap;
  shadow->root = heap_take_cleared(heap, TABLE_ITEMS * sizeof(void *));
}

// Of shared memory the cells follow, aligned for vectors.
enum { CELLS_OFFSET = 64 };
_Static_assert(sizeof(Page) <= CELLS_OFFSET, "cells lie behind the page");

static size_t cells_size(uint32_t words) {
  return (size_t)words * CELL_ARRAYS * sizeof(uint32_t);
}

static size_t shared_page_size(uint32_t words) {
  return CELLS_OFFSET + cells_size(words);
}

static Page *begin_page(Page *page, uint32_t words) {
  atomic_flag_clear(&page->lock);
  page->words = words;
  page->counters = NULL;
  page->marks = NULL;
  return page;
}

// Words of the last page of shared memory are fewer: rounded up, for rows.
static uint32_t words_of_page(const Shadow *shadow, uint32_t i) {
  uint32_t left = shadow->words - i * PAGE_WORDS;
  return left >= PAGE_WORDS ? PAGE_WORDS : (left + 31) & ~31u;
}

static Page *shared_page(Shadow *shadow, uint64_t address) {
  uint64_t i = address >> PAGE_SHIFT;
  if (i >= shadow->page_count)
    return NULL;
  if (!shadow->pages[i]) {
    uint32_t words = words_of_page(shadow, (uint32_t)i);
    uint8_t *memory = heap_take_cleared(shadow->heap, shared_page_size(words));
    shadow->pages[i] = begin_page((Page *)memory, words);
    atomic_init(&shadow->pages[i]->cells, (uint32_t *)(memory + CELLS_OFFSET));
  }
  return shadow->pages[i];
}

// What an item of a table points to; made by the first who asks, and what others make is lost.
static void *descend(Heap *heap, _Atomic(void *) *item, size_t size, uint32_t words) {
  void *below = atomic_load_explicit(item, memory_order_acquire);
  if (below)
    return below;
  void *made = heap_take_lasting(heap, size);
  if (words)
    begin_page(made, words);
  return atomic_compare_exchange_strong(item, &below, made) ? made : below;
}

Page *shadow_page_of_rows(Shadow *shadow, uint64_t address) {
  enum { MASK = TABLE_ITEMS - 1 };
  size_t table = TABLE_ITEMS * sizeof(void *);
  _Atomic(void *) *item = &shadow->root[address >> (PAGE_SHIFT + 2 * TABLE_BITS) & MASK];
  item = (_Atomic(void *) *)descend(shadow->heap, item, table, 0) +
         (address >> (PAGE_SHIFT + TABLE_BITS) & MASK);
  item = (_Atomic(void *) *)descend(shadow->heap, item, table, 0) + (address >> PAGE_SHIFT & MASK);
  return descend(shadow->heap, item, sizeof(Page) + sizeof(PageRows), PAGE_WORDS);
}

void page_expand(Heap *heap, Page *page) {
  if (atomic_load_explicit(&page->cells, memory_order_relaxed))
    return;
  Page full = {.words = page->words};
  uint32_t *memory = heap_take_lasting(heap, cells_size(page->words));
  atomic_init(&full.cells, memory);
  Cells cells = page_cells(&full);
  for (uint32_t i = 0; i < PAGE_ROWS; i++)
    page_row_expand(&page->in_rows->rows[i], &cells, i * ROW_WORDS);
  atomic_store_explicit(&page->cells, memory, memory_order_release);
}

static Page *global_page(Shadow *shadow, uint64_t address) {
  Page *page = shadow_page_of_rows(shadow, address);
  if (atomic_load_explicit(&page->cells, memory_order_acquire))
    return page;
  spin_lock(&page->lock);
  page_expand(shadow->heap, page);
  spin_unlock(&page->lock);
  return page;
}

Page *shadow_page_slowly(Shadow *shadow, uint64_t address) {
  return shadow->root ? global_page(shadow, address) : shared_page(shadow, address);
}

static size_t list_size(uint32_t capacity) {
  return sizeof(WordList) + capacity * sizeof(Entry);
}

static void give_lists(Heap *heap, Page *page) {
  Cells cells = page_cells(page);
  for (uint32_t i = 0; i < page->words; i++)
    if (word_has_list(&cells, i)) {
      WordList *list = word_list(&cells, i);
      heap_give(heap, list->crowd, sizeof *list->crowd);
      heap_give(heap, list, list_size(list->capacity));
    }
}

void shadow_release(Shadow *shadow) {
  for (uint32_t i = 0; i < shadow->page_count; i++)
    if (shadow->pages[i]) {
      give_lists(shadow->heap, shadow->pages[i]);
      counter_release(shadow->heap, shadow->pages[i]);
      heap_give(shadow->heap, shadow->pages[i], shared_page_size(shadow->pages[i]->words));
    }
  if (shadow->pages)
    heap_give(shadow->heap, shadow->pages, shadow->page_count * sizeof(Page *));
  shadow->pages = NULL;
  shadow->page_count = 0;
}

// --- words

// Both times are the largest, so that no comparison of a row takes the word for one of the common
// kind.
void word_set_list(Cells *cells, uint32_t word, const WordList *list) {
  uint64_t address = (uintptr_t)list;
  cells->write_thread[word] = (uint32_t)address;
  cells->read_thread[word] = (uint32_t)(address >> 32);
  cells->write_time[word] = cells->read_time[word] = UINT32_MAX;
  cells->write_info[word] = cells->read_info[word] = INFO_FORM_BIT;
  cells->read_warps[word] = cells->read_lanes[word] = 0;
}

uint32_t readers_entries(const ReaderSet *set, const Entry *of_one, Entry *entries) {
  uint32_t blocks[MOST_READERS], total = readers_list(set, blocks), count = 0;
  for (uint32_t i = 0, end; i < total; i = end) {
    end = i + 1;
    uint32_t stride = end < total ? blocks[end] - blocks[i] : 0;
    while (end < total && blocks[end] - blocks[end - 1] == stride)
      end++;
    if (entries) {
      entries[count] = *of_one;
      entries[count].block = blocks[i];
      entries[count].block_count = end - i;
      entries[count].block_stride = end - i > 1 ? stride : 0;
    }
    count++;
  }
  return count;
}

static uint32_t pattern_entries(const Cells *cells, uint32_t word, Entry *entries) {
  const Pattern *pattern = word_pattern(cells, word);
  for (uint32_t i = 0; entries && i < pattern->count; i++) {
    const PatternMember *member = &pattern->members[i];
    uint32_t thread = cells->read_thread[word] + member->delta;
    entries[i] = (Entry){.block = thread >> SLOT_BITS,
                         .block_count = 1,
                         .warps = member->warps << (thread >> 5 & 31),
                         .lanes = member->lanes << (thread & 31),
                         .time = cells->read_time[word] - member->age,
                         .info = member->info,
                         .bytes = 15};
  }
  return pattern->count;
}

uint32_t word_reads(const Cells *cells, uint32_t word, Entry *entries) {
  if (word_has_pattern(cells, word))
    return cells->read_time[word] ? pattern_entries(cells, word, entries) : 0;
  bool has_set = word_has_set(cells, word);
  uint32_t thread = cells->read_thread[word];
  Entry reads = {.block = thread >> SLOT_BITS,
                 .block_count = 1,
                 .warps = has_set ? 1u << (thread >> 5 & 31) : cells->read_warps[word],
                 .lanes = has_set ? 1u << (thread & 31) : cells->read_lanes[word],
                 .time = cells->read_time[word],
                 .info = cells->read_info[word] & ~INFO_FORM_BIT,
                 .bytes = 15};
  if (!reads.time)
    return 0;
  if (has_set)
    return readers_entries(word_set(cells, word), &reads, entries);
  if (entries)
    *entries = reads;
  return 1;
}

static uint32_t stored_entries(const Cells *cells, uint32_t word, Entry *entries) {
  uint32_t count = 0;
  if (cells->write_time[word]) {
    uint32_t thread = cells->write_thread[word];
    entries[count++] = (Entry){.block = thread >> SLOT_BITS,
                               .block_count = 1,
                               .warps = 1u << (thread >> 5 & 31),
                               .lanes = 1u << (thread & 31),
                               .time = cells->write_time[word],
                               .info = cells->write_info[word],
                               .bytes = 15,
                               .is_write = true};
  }
  return count + word_reads(cells, word, &entries[count]);
}

uint32_t word_entries(const Cells *cells, uint32_t word, Entry **entries, Entry *room) {
  if (word_has_list(cells, word)) {
    WordList *list = word_list(cells, word);
    *entries = list->entries;
    return list->count;
  }
  *entries = room;
  return stored_entries(cells, word, room);
}

static void number_first(WordList *list, uint32_t thread) {
  list->entries[0].least = list->entries[0].largest = list->position = 1;
  list->newest_thread = thread;
  list->newest_info = list->entries[0].info;
  list->newest_bytes = list->entries[0].bytes;
}

WordList *word_new_list(Heap *heap, uint32_t capacity) {
  WordList *list = heap_take(heap, list_size(capacity));
  memset(list, 0, sizeof *list);
  list->capacity = capacity;
  return list;
}

WordList *word_make_list(Heap *heap, Cells *cells, uint32_t word) {
  enum { FIRST_CAPACITY = 2 };
  if (word_has_list(cells, word))
    return word_list(cells, word);
  if (word_is_counter(cells, word))
    return counter_make_list(heap, cells, word);
  uint32_t capacity = FIRST_CAPACITY;
  if (word_has_set(cells, word) || word_has_pattern(cells, word))
    capacity += word_reads(cells, word, NULL);
  WordList *list = word_new_list(heap, capacity);
  list->count = stored_entries(cells, word, list->entries);
  if (list->count && list->entries[0].is_write)
    number_first(list, cells->write_thread[word]);
  if (word_has_pattern(cells, word))
    pattern_give(heap, word_pattern(cells, word));
  word_set_list(cells, word, list);
  return list;
}

WordList *word_grow_list(Heap *heap, Cells *cells, uint32_t word) {
  WordList *list = word_list(cells, word);
  if (list->count < list->capacity)
    return list;
  WordList *grown = heap_take(heap, list_size(2 * list->capacity));
  memcpy(grown, list, list_size(list->count));
  grown->capacity = 2 * list->capacity;
  heap_give(heap, list, list_size(list->capacity));
  word_set_list(cells, word, grown);
  return grown;
}

// Warps of which the same lanes did it are one entry.
static void add_warp(Heap *heap, Cells *cells, uint32_t word, uint32_t first, const Entry *entry) {
  WordList *list = word_list(cells, word);
  for (uint32_t i = first; i < list->count; i++)
    if (list->entries[i].lanes == entry->lanes) {
      list->entries[i].warps |= entry->warps;
      return;
    }
  list = word_grow_list(heap, cells, word);
  list->entries[list->count++] = *entry;
}

void word_end_crowd(Heap *heap, Cells *cells, uint32_t word) {
  WordList *list = word_list(cells, word);
  Crowd *crowd = list->crowd;
  uint32_t first = list->count;
  if (!crowd)
    return;
  Entry entry = {.block = crowd->block,
                 .block_count = 1,
                 .time = crowd->time,
                 .info = crowd->info,
                 .seen = crowd->seen,
                 .least = crowd->least,
                 .largest = list->position,
                 .bytes = 15,
                 .is_write = true,
                 .is_atomic = true};
  list->crowd = NULL;
  for (uint32_t left = crowd->warps; left; left &= left - 1) {
    entry.warps = left & -left;
    entry.lanes = crowd->lanes[bits_first(left)];
    add_warp(heap, cells, word, first, &entry);
  }
  heap_give(heap, crowd, sizeof *crowd);
}

static bool fits_write(const Entry *entry) {
  return entry->is_write && entry_is_single(entry);
}

static bool fits_reads(const Entry *entry) {
  return !entry->is_write && entry->block_count == 1;
}

static bool is_common(const Entry *entry) {
  return entry->bytes == 15 && info_field(entry->info, INFO_BANK) == BANK_THREADS &&
         !(entry->is_write && info_field(entry->info, INFO_SCOPE));
}

static void store_write(Cells *cells, uint32_t word, const Entry *entry) {
  cells->write_time[word] = entry ? entry->time : 0;
  cells->write_info[word] = entry ? entry->info : 0;
  cells->write_thread[word] =
      entry ? entry->block << SLOT_BITS | bits_first(entry->warps) << 5 | bits_first(entry->lanes)
            : 0;
}

static void store_reads(Cells *cells, uint32_t word, const Entry *entry) {
  cells->read_time[word] = entry ? entry->time : 0;
  cells->read_info[word] = entry ? entry->info : 0;
  cells->read_thread[word] = entry ? entry->block << SLOT_BITS : 0;
  cells->read_warps[word] = entry ? entry->warps : 0;
  cells->read_lanes[word] = entry ? entry->lanes : 0;
}

void word_shrink_list(Heap *heap, Cells *cells, uint32_t word) {
  WordList *list = word_list(cells, word);
  const Entry *write = NULL, *reads = NULL;
  if (list->throngs || list->location || list->continues_location || list->fences_of_writes ||
      list->fences_of_reads || list->count > 2)
    return;
  for (uint32_t i = 0; i < list->count; i++) {
    const Entry *entry = &list->entries[i];
    if (!is_common(entry) || (entry->is_write ? write != NULL : reads != NULL) ||
        !(fits_write(entry) || fits_reads(entry)))
      return;
    *(entry->is_write ? &write : &reads) = entry;
  }
  Entry kept_write = write ? *write : (Entry){0}, kept_reads = reads ? *reads : (Entry){0};
  store_write(cells, word, write ? &kept_write : NULL);
  store_reads(cells, word, reads ? &kept_reads : NULL);
  heap_give(heap, list, list_size(list->capacity));
}

// --- sets of threads

static bool merge_in_block(Entry *entry, const Entry *added) {
  if (!(added->warps & ~entry->warps) && !(added->lanes & ~entry->lanes))
    return true;
  if (entry->lanes == added->lanes)
    entry->warps |= added->warps;
  else if (entry->warps == added->warps)
    entry->lanes |= added->lanes;
  else
    return false;
  return true;
}

// One more block at an end of the row of blocks.
static bool merge_blocks(Entry *entry, const Entry *added) {
  if (entry->warps != added->warps || entry->lanes != added->lanes || added->block_count != 1)
    return false;
  uint32_t last = entry->block + (entry->block_count - 1) * entry->block_stride;
  uint32_t distance = added->block > last ? added->block - last : entry->block - added->block;
  if (added->block == entry->block || (entry->block_count > 1 && distance != entry->block_stride))
    return false;
  // Atomics come from blocks in any order: only neighbours make rows that grow together.
  if (entry->is_write && distance != 1)
    return false;
  entry->block = added->block < entry->block ? added->block : entry->block;
  entry->block_stride = distance;
  entry->block_count++;
  return true;
}

static bool is_same_set(const Entry *a, const Entry *b) {
  return a->block == b->block && a->block_count == 1 && b->block_count == 1 &&
         a->warps == b->warps && a->lanes == b->lanes;
}

static bool merge_threads(Entry *entry, const Entry *added) {
  if (entry->block_count == 1 && entry->block == added->block)
    return merge_in_block(entry, added);
  if (added->block > entry->block &&
      added->block <= entry->block + (entry->block_count - 1) * entry->block_stride &&
      (added->block - entry->block) % entry->block_stride == 0)
    return !(added->warps & ~entry->warps) && !(added->lanes & ~entry->lanes);
  return merge_blocks(entry, added);
}

bool entry_merge(Entry *entry, const Entry *added) {
  if (entry->info != added->info || entry->time != added->time || entry->bytes != added->bytes ||
      entry->is_write != added->is_write || entry->is_reported != added->is_reported)
    return false;
  // The same threads at the same time: who knows the one knows the other.
  if (!entry->is_write && (entry->seen != added->seen ||
                           (entry->largest != added->largest && !is_same_set(entry, added))))
    return false;
  if (!merge_threads(entry, added))
    return false;
  entry->least = added->least < entry->least ? added->least : entry->least;
  entry->largest = added->largest > entry->largest ? added->largest : entry->largest;
  entry->seen = added->seen > entry->seen ? added->seen : entry->seen;
  return true;
}
