#include "race/deferred.h"

#include "base/bits.h"
#include "race/barrier.h"
#include "race/update.h"

#include <string.h>

enum { FIRST_ITEMS = 1 << 9, MOST_ITEMS = 1 << 18 };

// An entry: words follow it, or a row does.
typedef struct EntryHead {
  Page *page;
  uint32_t now, info, uniform, warp_known;
  uint16_t warp, word_count; // 0: a row
} EntryHead;

typedef struct NotedRow {
  uint32_t word, mask, first, repeat;
} NotedRow;

enum {
  HEAD_ITEMS = sizeof(EntryHead) / sizeof(uint32_t),
  ROW_ITEMS = sizeof(NotedRow) / sizeof(uint32_t),
  MOST_IN_ENTRY = HEAD_ITEMS + 2 * DEFERRED_WORDS,
};

// --- adding

static bool has_room(DeferredReads *reads, Heap *heap) {
  uint32_t capacity = reads->capacity ? 2 * reads->capacity : FIRST_ITEMS;
  if (reads->count + MOST_IN_ENTRY <= reads->capacity)
    return true;
  if (capacity > MOST_ITEMS)
    return false;
  uint32_t *items = heap_take(heap, capacity * sizeof *items);
  if (reads->count)
    memcpy(items, reads->items, reads->count * sizeof *items);
  if (reads->items)
    heap_give(heap, reads->items, reads->capacity * sizeof *items);
  reads->items = items;
  reads->capacity = capacity;
  return true;
}

bool deferred_reserve(const Row *row, Page *page) {
  Block *block = row->defers;
  if (!block->deferred)
    block->deferred = heap_take_cleared(row->heap, sizeof *block->deferred);
  if (!page->marks)
    page->marks = heap_take_cleared(row->heap, MARK_BYTES);
  return has_room(block->deferred, row->heap);
}

static uint32_t *add_entry(const Row *row, Page *page, uint32_t word_count, uint32_t items) {
  DeferredReads *reads = row->defers->deferred;
  if (!reads->count && reads->clock != row->clock) {
    clock_drop(row->heap, reads->clock);
    reads->clock = clock_keep((ClockNode *)(uintptr_t)row->clock);
  }
  EntryHead head = {page,
                    row->now,
                    row->info,
                    row->uniform,
                    row->warp_known,
                    (uint16_t)(row->warp_first >> 5 & 31),
                    (uint16_t)word_count};
  uint32_t *entry = reads->items + reads->count;
  memcpy(entry, &head, sizeof head);
  reads->count += HEAD_ITEMS + items;
  return entry + HEAD_ITEMS;
}

void deferred_add_row(const Row *row, Page *page, uint32_t word, Segment segment, uint32_t mask) {
  NotedRow noted = {word, mask, segment.first, segment.repeat};
  memcpy(add_entry(row, page, 0, ROW_ITEMS), &noted, sizeof noted);
  uint64_t marks = (uint64_t)mask << word % 32;
  page->marks[word / 32] |= (uint32_t)marks;
  if (marks >> 32)
    page->marks[word / 32 + 1] |= (uint32_t)(marks >> 32);
}

void deferred_add_words(const Row *row, Page *page, const DeferredWord *words, uint32_t count) {
  if (count)
    memcpy(add_entry(row, page, count, 2 * count), words, count * sizeof *words);
}

// --- remembering

// The accessors as they were.
static Row row_of(Race *race, const Block *block, const EntryHead *head) {
  return (Row){.block_first = block->number << SLOT_BITS,
               .warp_first = block->number << SLOT_BITS | (uint32_t)head->warp << 5,
               .uniform = head->uniform,
               .warp_known = head->warp_known,
               .covered = head->uniform,
               .limit = race->grids[block->emu->grid].ordered_limit << SLOT_BITS,
               .now = head->now,
               .info = head->info,
               .grid = block->emu->grid,
               .warp_bit = 1u << head->warp,
               .race = race,
               .heap = &race->heap,
               .patterns = race->patterns,
               .clock = block->deferred->clock,
               .has_avx2 = race->has_avx2};
}

static uint64_t page_address(const Block *block, const Page *page) {
  uint32_t i = 0;
  while (block->shadow.pages[i] != page)
    i++;
  return (uint64_t)i << PAGE_SHIFT;
}

static void read_slowly(Race *race, Block *block, const EntryHead *head, uint32_t word,
                        uint32_t lanes) {
  uint32_t size = 1u << info_field(head->info, INFO_SIZE);
  EmuAccess access = {.kind = EMU_READ, .is_shared = true, .size = size, .owner = block->emu};
  Group group = {.lanes = lanes,
                 .uniform = head->uniform,
                 .warp_known = head->warp_known,
                 .clock.part[CLOCK_THREADS] = block->deferred->clock};
  Accessor accessor = {.race = race,
                       .block = block,
                       .warp = &block->warps[head->warp],
                       .group = &group,
                       .instruction = race_instruction(race, head->info),
                       .warp_number = head->warp,
                       .lanes = lanes,
                       .info = head->info,
                       .entry_block = block->number,
                       .entry_warp = head->warp,
                       .entry_lanes = lanes,
                       .time = head->now,
                       .access = &access};
  uint64_t address = page_address(block, head->page) + (uint64_t)word * WORD_BYTES;
  Place place = {&block->shadow, block->emu, address & ~(uint64_t)(size - 1), size};
  access_one(&accessor, &place);
}

static void read_segment(Race *race, Block *block, const EntryHead *head, uint32_t word,
                         Segment s) {
  Row row = row_of(race, block, head);
  Cells cells = page_cells(head->page);
  uint32_t left = row_read(&row, &cells, word, s);
  for (; left; left &= left - 1) {
    uint32_t i = bits_first(left), lanes = s.repeat << (s.first + i);
    if (info_field(head->info, INFO_SIZE) != 2 || !update_read(race, &row, &cells, word + i, lanes))
      read_slowly(race, block, head, word + i, lanes);
  }
}

static void read_row(Race *race, Block *block, const EntryHead *head, const NotedRow *noted) {
  for (uint32_t left = noted->mask; left;) {
    uint32_t i = bits_first(left), count = bits_first(~((uint64_t)left >> i));
    read_segment(race, block, head, noted->word + i,
                 (Segment){noted->first + i, count, 0, noted->repeat});
    left &= ~(uint32_t)(((1ull << count) - 1) << i);
  }
}

static void read_word(Race *race, Block *block, const EntryHead *head, DeferredWord noted) {
  uint32_t lane = bits_first(noted.lanes);
  read_segment(race, block, head, noted.word, (Segment){lane, 1, 0, noted.lanes >> lane});
}

// Returns the items that the entry takes.
static uint32_t read_entry(Race *race, Block *block, const uint32_t *entry) {
  EntryHead head;
  NotedRow noted;
  memcpy(&head, entry, sizeof head);
  entry += HEAD_ITEMS;
  if (!head.word_count) {
    memcpy(&noted, entry, sizeof noted);
    read_row(race, block, &head, &noted);
    return HEAD_ITEMS + ROW_ITEMS;
  }
  for (uint32_t i = 0; i < head.word_count; i++)
    read_word(race, block, &head, (DeferredWord){entry[2 * i], entry[2 * i + 1]});
  return HEAD_ITEMS + 2u * head.word_count;
}

// --- the end

static void clear_marks(const Block *block) {
  for (uint32_t i = 0; i < block->shadow.page_count; i++)
    if (block->shadow.pages[i] && block->shadow.pages[i]->marks)
      memset(block->shadow.pages[i]->marks, 0, MARK_BYTES);
}

void deferred_settle(Race *race, Block *block) {
  DeferredReads *reads = block->deferred;
  block->defers = false;
  if (!reads || !reads->count)
    return;
  clear_marks(block);
  for (uint32_t i = 0; i < reads->count;)
    i += read_entry(race, block, reads->items + i);
  reads->count = 0;
}

void deferred_settle_words(const Row *row, const Page *page, uint32_t word, uint32_t count) {
  if (deferred_any(page, word, count))
    deferred_settle(row->race, row->defers);
}

// Threads that have exited did so before the barrier, which does not cover what they did.
void deferred_drop(Race *race, Block *block) {
  if (block->has_exits) {
    deferred_settle(race, block);
    block->can_defer = false;
  } else if (block->deferred && block->deferred->count) {
    clear_marks(block);
    block->deferred->count = 0;
  }
  block->defers = block->can_defer;
}

static void give_marks(Heap *heap, Page *page) {
  if (page->marks)
    heap_give(heap, page->marks, MARK_BYTES);
}

void deferred_release(Heap *heap, Block *block) {
  for (uint32_t i = 0; i < block->shadow.page_count; i++)
    if (block->shadow.pages[i])
      give_marks(heap, block->shadow.pages[i]);
  if (!block->deferred)
    return;
  clock_drop(heap, block->deferred->clock);
  if (block->deferred->items)
    heap_give(heap, block->deferred->items, block->deferred->capacity * sizeof(uint32_t));
  heap_give(heap, block->deferred, sizeof *block->deferred);
}
