// Accesses of a warp's lanes by one instruction: plain ones, in rows where they can be.
#include "race/block.h"
#include "race/deferred.h"
#include "race/row_scatter.h"
#include "race/strong.h"
#include "race/summary.h"
#include "race/weak.h"

#include "base/bits.h"

#include <string.h>

// --- the accesses of an instruction

Accessor batch_accessor(const Batch *batch, uint32_t lanes) {
  const EmuAccess *access = batch->access;
  uint32_t lane = bits_first(lanes);
  return (Accessor){.race = batch->race,
                    .block = batch->block,
                    .warp = batch->warp,
                    .group = warp_group(batch->warp, lane),
                    .instruction = batch->emu->instruction,
                    .warp_number = batch->emu->warp,
                    .lanes = lanes,
                    .is_write = access->kind != EMU_READ,
                    .info = batch->info,
                    .entry_block = batch->block->number,
                    .entry_warp = batch->emu->warp,
                    .entry_lanes = lanes,
                    .time = batch->warp->now,
                    .access = access,
                    .value = access->values ? access->values[lane] : 0,
                    .has_value = access->kind == EMU_WRITE && access->values};
}

static void access_slowly(const Batch *batch, uint32_t lanes) {
  Accessor accessor = batch_accessor(batch, lanes);
  Place place = batch_place(batch, bits_first(lanes));
  access_one(&accessor, &place);
}

// --- plain accesses

// What is left of lanes that read counters of the block.
static uint32_t read_counters(const Batch *batch, const Row *row, Cells *cells, uint32_t word,
                              Segment segment, uint32_t lanes) {
  uint32_t left = lanes;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t i = bits_first(lanes);
    if (update_read(batch->race, row, cells, word + i, segment.repeat << (segment.first + i)))
      left &= ~(1u << i);
  }
  return left;
}

static bool has_cells(Page *page) {
  return atomic_load_explicit(&page->cells, memory_order_relaxed) != NULL;
}

// False: the run is undecided.
static bool close_summaries(const Batch *batch, const Row *row, Page *page, uint64_t address,
                            uint32_t words) {
  return batch->owner || !summary_is_used(batch->race) ||
         summary_close(batch->race, row, page, address, words, batch->access->kind != EMU_READ);
}

static bool read_rows(const Batch *batch, const Row *row, Page *page, Segment segment,
                      uint64_t address) {
  uint32_t words = segment.count << segment.shift;
  if (!has_cells(page) && (!close_summaries(batch, row, page, address, words) ||
                           page_row_access(row, page, word_of(address), segment, true)))
    return true;
  return summary_is_used(batch->race) && summary_add_words(batch->race, row, page, address, words);
}

// What is undecided need not be remembered.
static bool write_rows(const Batch *batch, const Row *row, Page *page, Segment segment,
                       uint64_t address) {
  if (has_cells(page))
    return false;
  return !close_summaries(batch, row, page, address, segment.count << segment.shift) ||
         page_row_access(row, page, word_of(address), segment, false);
}

// False: the page has cells, by now at least.
static bool access_page_rows(const Batch *batch, const Row *row, Segment segment,
                             uint64_t address) {
  Page *page = shadow_page_of_rows(batch->shadow, address);
  bool is_read = batch->access->kind == EMU_READ, is_done;
  if (has_cells(page) && !(is_read && summary_is_used(batch->race)))
    return false;
  spin_lock(&page->lock);
  is_done = is_read ? read_rows(batch, row, page, segment, address)
                    : write_rows(batch, row, page, segment, address);
  if (!is_done)
    page_expand(row->heap, page);
  spin_unlock(&page->lock);
  return is_done;
}

// The page of the newest segment, which most often is that of the next one, too. That of global
// memory is locked.
typedef struct Here {
  uint64_t page_number;
  Page *page; // NULL: there is none
  Cells cells;
} Here;

static void leave_page(const Batch *batch, Here *here) {
  if (here->page && !batch->owner)
    spin_unlock(&here->page->lock);
  *here = (Here){.page_number = UINT64_MAX};
}

static void go_to_page(const Batch *batch, Here *here, uint64_t address) {
  leave_page(batch, here);
  here->page_number = address >> PAGE_SHIFT;
  here->page = shadow_page(batch->shadow, address);
  if (!here->page)
    return;
  if (!batch->owner)
    spin_lock(&here->page->lock);
  here->cells = page_cells(here->page);
}

// Lanes of the segment that access.c has to look at, as a mask from the first one on.
static uint32_t access_segment(const Batch *batch, const Row *row, Segment segment, Here *here) {
  uint64_t address = batch_address(batch, segment.first);
  uint32_t word = word_of(address), words = segment.count << segment.shift;
  bool is_aligned = (address & (batch->access->size - 1)) == 0;
  if (!batch->owner && is_aligned && page_row_fits(word, segment)) {
    leave_page(batch, here);
    if (access_page_rows(batch, row, segment, address))
      return 0;
  }
  if (address >> PAGE_SHIFT != here->page_number)
    go_to_page(batch, here, address);
  if (!here->page || word + words > here->page->words || !is_aligned)
    return UINT32_MAX >> (WARP_LANES - segment.count);
  if (!close_summaries(batch, row, here->page, address, words))
    return 0;
  if (batch->access->kind != EMU_READ)
    return row_write(row, &here->cells, word, segment);
  uint32_t left = row_read(row, &here->cells, word, segment);
  if (left && batch->owner && segment.shift == 0)
    left = read_counters(batch, row, &here->cells, word, segment, left);
  return left;
}

static void access_segments(const Batch *batch, const Row *row, const Segment *segments,
                            uint32_t count) {
  Here here = {.page_number = UINT64_MAX};
  uint32_t left[WARP_LANES], any = 0;
  for (uint32_t i = 0; i < count; i++)
    any |= left[i] = access_segment(batch, row, segments[i], &here);
  leave_page(batch, &here);
  for (uint32_t i = 0; any && i < count; i++)
    for (; left[i]; left[i] &= left[i] - 1)
      access_slowly(batch, segments[i].repeat << (segments[i].first + bits_first(left[i])));
}

// --- lanes one by one

// False: the run is undecided.
static bool close_lanes(const Batch *batch, const Row *row, uint32_t lanes, const Here *here) {
  uint64_t closed = UINT64_MAX;
  if (batch->owner || !summary_is_used(batch->race))
    return true;
  for (; lanes; lanes &= lanes - 1) {
    uint64_t address = batch->access->addresses[bits_first(lanes)];
    if (address / ROW_BYTES == closed)
      continue;
    closed = address / ROW_BYTES;
    if (!close_summaries(batch, row, here->page, address, 1))
      return false;
  }
  return true;
}

// Returns what access.c has to look at.
static uint32_t access_in_page(const Batch *batch, const Row *row, uint32_t lanes,
                               const int32_t *words, Here *here) {
  uint32_t shift = bits_first(batch->access->size / WORD_BYTES);
  if (!close_lanes(batch, row, lanes, here))
    return 0;
  if (batch->access->kind != EMU_READ)
    return scatter_write(row, &here->cells, words, lanes, shift);
  uint32_t left = scatter_read(row, &here->cells, words, lanes, shift);
  for (uint32_t some = batch->owner && !shift ? left : 0; some; some &= some - 1)
    if (update_read(batch->race, row, &here->cells, (uint32_t)words[bits_first(some)],
                    some & -some))
      left &= ~(some & -some);
  return left;
}

static void access_lanes(const Batch *batch, const Row *row, uint32_t lanes) {
  Here here = {.page_number = UINT64_MAX};
  const uint64_t *addresses = batch->access->addresses;
  uint32_t left = 0;
  while (lanes) {
    int32_t words[WARP_LANES];
    uint32_t lane_bit = lanes & -lanes, some = 0;
    go_to_page(batch, &here, addresses[bits_first(lanes)]);
    if (here.page)
      some = scatter_find(row, here.page, here.page_number << PAGE_SHIFT, addresses, lanes,
                          batch->access->size, words);
    if (some & lane_bit) {
      left |= access_in_page(batch, row, some, words, &here);
    } else {
      left |= lane_bit;
      some = lane_bit;
    }
    lanes &= ~some;
  }
  leave_page(batch, &here);
  for (; left; left &= left - 1)
    access_slowly(batch, left & -left);
}

static const Segment *find_segments(const Batch *batch, uint32_t lanes, Segment *room,
                                    uint32_t *count) {
  Block *block = batch->block;
  const EmuAccess *access = batch->access;
  if (access->shape != EMU_SHAPE_ANY) {
    *count = segments_find(access, lanes, batch->race->has_avx2, room);
    return room;
  }
  if (!block->plans) {
    block->plans = heap_take(&batch->race->heap, sizeof *block->plans);
    memset(block->plans->places, 0, sizeof block->plans->places);
  }
  return segments_plan(block->plans, info_place(batch->info), access, lanes, batch->race->has_avx2,
                       room, count);
}

static void access_group(const Batch *batch, const Group *group, uint32_t lanes) {
  Row row = row_make(batch->race, batch->block, batch->warp, batch->emu->warp, group, batch->info,
                     batch->owner);
  if (batch->access->kind == EMU_READ && !batch->owner && summary_is_used(batch->race)) {
    lanes = summary_add_lanes(batch, &row, lanes, SUMMARY_READS);
    if (!lanes)
      return;
  }
  if (batch->access->size >= WORD_BYTES && !batch->race->options.keep_all) {
    Segment room[WARP_LANES];
    uint32_t count;
    const Segment *segments = find_segments(batch, lanes, room, &count);
    if (count > 1 && !segments)
      access_lanes(batch, &row, lanes);
    else
      access_segments(batch, &row, segments, count);
    return;
  }
  if (batch->access->shape == EMU_SHAPE_SAME && batch->access->kind == EMU_READ) {
    access_slowly(batch, lanes);
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    access_slowly(batch, lanes & -lanes);
}

// Before strong accesses of words that have deferred reads.
static void settle_lanes(const Batch *batch) {
  Block *owner = batch->owner->watched;
  uint32_t words = (batch->access->size + WORD_BYTES - 1) / WORD_BYTES;
  if (!owner->deferred || !owner->deferred->count)
    return;
  for (uint32_t left = batch->emu->lanes; left; left &= left - 1) {
    uint64_t address = batch_address(batch, bits_first(left));
    const Page *page = shadow_page(batch->shadow, address);
    for (uint32_t i = 0; page && i < words && word_of(address) + i < page->words; i++)
      if (deferred_has(page, word_of(address) + i)) {
        deferred_settle(batch->race, owner);
        return;
      }
  }
}

void row_access(Race *race, const EmuWarp *emu, const EmuAccess *access) {
  Block *block = block_of(emu);
  bool is_strong = access->is_strong && !(access->is_volatile && race->options.volatile_is_weak);
  Batch batch = {.race = race,
                 .emu = emu,
                 .access = access,
                 .block = block,
                 .warp = warp_of(emu),
                 .shadow = &race->global};
  if (access->is_shared) {
    batch.owner = access->owner;
    if (!batch.owner->watched)
      return;
    Block *owner = batch.owner->watched;
    owner->has_visitors |= owner != block;
    batch.shadow = &owner->shadow;
  }
  batch.info =
      race_info(race_place(block, emu->instruction), is_strong ? access->scope : SCOPE_NONE,
                access->proxy, BANK_THREADS, access->size, access->is_volatile);
  if (race->weak)
    weak_prepare_write(race, emu, access);
  batch.warp->accessed = batch.warp->now;
  block->accesses += emu->lanes == UINT32_MAX ? WARP_LANES : bits_count(emu->lanes);
  if (is_strong) {
    if (batch.owner)
      settle_lanes(&batch);
    strong_access(&batch);
    return;
  }
  WARP_GROUPS(group, batch.warp, emu->lanes)
  access_group(&batch, group, group->lanes & emu->lanes);
  if (race->weak && access->kind == EMU_WRITE)
    for (uint32_t left = emu->lanes; left; left &= left - 1)
      weak_add_write(race, emu, access, batch.info, bits_first(left));
}
