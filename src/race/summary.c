#include "race/summary.h"

#include "base/bits.h"
#include "ir/grid.h"

// Bits of a summary, from the lowest: is it open, is there one, first block, last block, time.
enum {
  BLOCK_BITS = 20,
  FIRST_SHIFT = 2,
  LAST_SHIFT = FIRST_SHIFT + BLOCK_BITS,
  TIME_SHIFT = LAST_SHIFT + BLOCK_BITS,
};
#define OPEN_BIT 1ull
#define PRESENT_BIT 2ull
#define MOST_TIME ((1u << (64 - TIME_SHIFT)) - 1)
_Static_assert(MOST_BLOCKS / AGENT_BANKS < 1u << BLOCK_BITS, "blocks have numbers of these bits");

typedef struct Readers {
  uint32_t first, last; // blocks
  uint32_t time;
} Readers;

static Readers readers_of(uint64_t summary) {
  uint32_t mask = (1u << BLOCK_BITS) - 1;
  return (Readers){(uint32_t)(summary >> FIRST_SHIFT) & mask,
                   (uint32_t)(summary >> LAST_SHIFT) & mask, (uint32_t)(summary >> TIME_SHIFT)};
}

static uint64_t open_summary(Readers readers) {
  return (uint64_t)readers.time << TIME_SHIFT | (uint64_t)readers.last << LAST_SHIFT |
         (uint64_t)readers.first << FIRST_SHIFT | PRESENT_BIT | OPEN_BIT;
}

static uint32_t block_number(const Row *row) {
  return row->block_first >> SLOT_BITS;
}

static uint64_t load(const RowSummary *summary) {
  return atomic_load_explicit(&summary->readers, memory_order_relaxed);
}

static RowSummary *summary_at(const Race *race, uint64_t address) {
  Page *page = shadow_page_of_rows((Shadow *)(uintptr_t)&race->global, address);
  return &page->in_rows->summaries[word_of(address) / ROW_WORDS];
}

// --- what is there already

// Is the accessor one of the readers, so that nothing changes?
static bool has_reader(const Row *row, const RowSummary *summary) {
  uint64_t all = load(summary);
  Readers readers = readers_of(all);
  return (all & OPEN_BIT) && block_number(row) - readers.first <= readers.last - readers.first &&
         row->now <= readers.time;
}

// Rows from the first lane's to the last one's.
static bool have_reader(const Batch *batch, const Row *row, uint32_t lanes) {
  uint64_t first = batch_address(batch, bits_first(lanes)) / ROW_BYTES;
  uint64_t last = (batch_address(batch, bits_last(lanes)) + batch->access->size - 1) / ROW_BYTES;
  for (uint64_t i = first; i <= last; i++)
    if (!has_reader(row, summary_at(batch->race, i * ROW_BYTES)))
      return false;
  return true;
}

static bool is_aligned(const Batch *batch, uint64_t address) {
  return (address & (batch->access->size - 1)) == 0;
}

uint32_t summary_find_others(const Batch *batch, const Row *row, uint32_t lanes) {
  uint64_t newest = UINT64_MAX; // row
  uint32_t others = 0;
  if (batch->access->shape != EMU_SHAPE_ANY)
    return have_reader(batch, row, lanes) ? 0 : lanes;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint64_t address = batch->access->addresses[bits_first(left)], i = address / ROW_BYTES;
    if (i == newest && is_aligned(batch, address))
      continue;
    newest = i;
    if (is_aligned(batch, address) && has_reader(row, summary_at(batch->race, address)))
      continue;
    newest = UINT64_MAX;
    others |= left & -left;
  }
  return others;
}

// --- adding readers

typedef enum Written { NEVER_WRITTEN, WRITTEN_BEFORE, WRITTEN_NOW } Written;

static Written written_by(const Row *row, uint32_t time, uint32_t thread) {
  return !time ? NEVER_WRITTEN : thread < row->limit ? WRITTEN_BEFORE : WRITTEN_NOW;
}

// Is the newest write to some word of the row of a launch that is not over?
static Written find_writes(const Row *row, Page *page, uint32_t i) {
  const PageRow *own = &page->in_rows->rows[i];
  if (!atomic_load_explicit(&page->cells, memory_order_relaxed))
    return written_by(row, own->write_time, own->write_thread);
  Cells cells = page_cells(page);
  Written most = NEVER_WRITTEN;
  for (uint32_t word = i * ROW_WORDS; word < (i + 1) * ROW_WORDS; word++) {
    if (word_has_list(&cells, word) || word_is_counter(&cells, word))
      return WRITTEN_NOW;
    Written written = written_by(row, cells.write_time[word], cells.write_thread[word]);
    most = written > most ? written : most;
  }
  return most;
}

static bool is_in_grid(const Race *race, const Row *row, const Readers *readers) {
  const Grid *grid = &race->program->grids[row->grid];
  return readers->first >= grid->first_block &&
         readers->last < grid->first_block + grid->block_count;
}

static Readers unite(Readers a, Readers b) {
  return (Readers){a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last,
                   a.time > b.time ? a.time : b.time};
}

// What the summary is with the accessor; false: it cannot be one of its readers. Blocks between
// two readers count as readers: each of them has to know the row's writes, too.
static bool add_to(const Race *race, const Row *row, Page *page, uint32_t i, Readers *readers) {
  uint64_t old = load(&page->in_rows->summaries[i]);
  Readers own = {block_number(row), block_number(row), row->now};
  Written written = find_writes(row, page, i);
  if (written == WRITTEN_NOW || row->now > MOST_TIME)
    return false;
  *readers = old ? unite(readers_of(old), own) : own;
  if (written == NEVER_WRITTEN || is_in_grid(race, row, readers))
    return true;
  *readers = own;
  return race->is_serial && readers_of(old).last < row->limit >> SLOT_BITS;
}

static bool add_reader(Race *race, const Row *row, Page *page, uint32_t i, uint64_t address) {
  RowSummary *summary = &page->in_rows->summaries[i];
  Readers readers;
  if (has_reader(row, summary))
    return true;
  if (atomic_load_explicit(&summary->refused, memory_order_relaxed) == row->grid + 1)
    return false;
  if (race_is_exact(race, address) || !add_to(race, row, page, i, &readers)) {
    atomic_store_explicit(&summary->refused, row->grid + 1, memory_order_relaxed);
    return false;
  }
  atomic_store_explicit(&summary->readers, open_summary(readers), memory_order_relaxed);
  return true;
}

bool summary_add_words(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words) {
  uint32_t first = word_of(address) / ROW_WORDS, last = (word_of(address) + words - 1) / ROW_WORDS;
  for (uint32_t i = first; i <= last; i++)
    if (!add_reader(race, row, page, i, address))
      return false;
  return true;
}

static bool add_lane(const Batch *batch, const Row *row, uint64_t address) {
  const RowSummary *summary = summary_at(batch->race, address);
  if (has_reader(row, summary))
    return true;
  if (atomic_load_explicit(&summary->refused, memory_order_relaxed) == row->grid + 1)
    return false;
  Page *page = shadow_page_of_rows(batch->shadow, address);
  spin_lock(&page->lock);
  bool is_added = summary_add_words(batch->race, row, page, address, 1);
  spin_unlock(&page->lock);
  return is_added;
}

static bool is_of_page_rows(const Batch *batch, uint32_t lanes) {
  const EmuAccess *access = batch->access;
  return lanes == UINT32_MAX && access->shape == EMU_SHAPE_CONSECUTIVE &&
         access->size >= WORD_BYTES && access->addresses[0] % ROW_BYTES == 0;
}

uint32_t summary_add_lanes(const Batch *batch, const Row *row, uint32_t lanes) {
  uint32_t others = 0;
  if (is_of_page_rows(batch, lanes))
    return lanes;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint64_t address = batch_address(batch, bits_first(left));
    if (!is_aligned(batch, address) || !add_lane(batch, row, address))
      others |= left & -left;
  }
  return others;
}

// --- writes

// Blocks first to last of the accessor's grid, which may have it among them.
static bool knows_blocks(const Race *race, const Row *row, Readers readers) {
  uint32_t own = block_number(row), threads = grid_volume(race->program->grids[row->grid].block);
  bool has_own = own - readers.first <= readers.last - readers.first;
  if (!has_own || readers.time > row->uniform)
    return clock_knows_blocks(row->clock, readers.first, readers.last + 1ull, threads,
                              readers.time);
  return clock_knows_blocks(row->clock, readers.first, own, threads, readers.time) &&
         clock_knows_blocks(row->clock, own + 1, readers.last + 1ull, threads, readers.time);
}

// Is the accessor ordered behind all readers that there may be?
static bool is_known(const Race *race, const Row *row, uint64_t summary) {
  Readers readers = readers_of(summary);
  if (!summary || readers.last < row->limit >> SLOT_BITS)
    return true;
  return !row->is_strict && is_in_grid(race, row, &readers) && knows_blocks(race, row, readers);
}

static bool close_row(Race *race, const Row *row, RowSummary *summary, uint64_t address) {
  uint64_t old = load(summary);
  if (!is_known(race, row, old)) {
    race_leave_undecided(race, address);
    return false;
  }
  atomic_store_explicit(&summary->readers, old & ~OPEN_BIT, memory_order_relaxed);
  return true;
}

bool summary_close(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words) {
  uint32_t first = word_of(address) / ROW_WORDS, last = (word_of(address) + words - 1) / ROW_WORDS;
  for (uint32_t i = first; i <= last; i++)
    if (!close_row(race, row, &page->in_rows->summaries[i], address))
      return false;
  return true;
}

bool summary_close_lanes(const Batch *batch, uint32_t lanes) {
  WARP_GROUPS(group, batch->warp, lanes) {
    Row row = row_make(batch->race, batch->block, batch->warp, batch->emu->warp, group, batch->info,
                       NULL);
    for (uint32_t left = lanes & group->lanes; left; left &= left - 1) {
      uint64_t address = batch_address(batch, bits_first(left));
      if (!close_row(batch->race, &row, summary_at(batch->race, address), address))
        return false;
    }
  }
  return true;
}
