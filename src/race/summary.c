#include "race/summary.h"

#include "race/throng.h"

#include "base/bits.h"
#include "ir/grid.h"

// Bits of a summary, from the lowest: is it open, is there one, is it open to strong reads, may
// some have written, first block, last block, time.
enum {
  BLOCK_BITS = 20,
  FIRST_SHIFT = 4,
  LAST_SHIFT = FIRST_SHIFT + BLOCK_BITS,
  TIME_SHIFT = LAST_SHIFT + BLOCK_BITS,
};
#define OPEN_BIT 1ull
#define PRESENT_BIT 2ull
#define POLLS_BIT 4ull
#define WRITES_BIT 8ull
#define MOST_TIME ((1u << (64 - TIME_SHIFT)) - 1)
_Static_assert(MOST_BLOCKS / AGENT_BANKS < 1u << BLOCK_BITS, "blocks have numbers of these bits");

typedef struct Members {
  uint32_t first, last; // blocks
  uint32_t time;
} Members;

static Members members_of(uint64_t summary) {
  uint32_t mask = (1u << BLOCK_BITS) - 1;
  return (Members){(uint32_t)(summary >> FIRST_SHIFT) & mask,
                   (uint32_t)(summary >> LAST_SHIFT) & mask, (uint32_t)(summary >> TIME_SHIFT)};
}

static uint64_t open_bits(SummaryKind kind) {
  return kind == SUMMARY_POLLS ? POLLS_BIT : OPEN_BIT;
}

static uint64_t open_summary(Members members, SummaryKind kind) {
  return (uint64_t)members.time << TIME_SHIFT | (uint64_t)members.last << LAST_SHIFT |
         (uint64_t)members.first << FIRST_SHIFT | PRESENT_BIT | open_bits(kind) |
         (kind == SUMMARY_ATOMICS ? WRITES_BIT : 0);
}

static SummaryKind opposite(SummaryKind kind) {
  return kind == SUMMARY_READS ? SUMMARY_ATOMICS : SUMMARY_READS;
}

static uint32_t block_number(const Row *row) {
  return row->block_first >> SLOT_BITS;
}

static uint64_t load(const RowSummary *summary, SummaryKind kind) {
  return atomic_load_explicit(&summary->members[kind != SUMMARY_READS], memory_order_relaxed);
}

static void store(RowSummary *summary, SummaryKind kind, uint64_t members) {
  atomic_store_explicit(&summary->members[kind != SUMMARY_READS], members, memory_order_relaxed);
}

static bool is_refused(const RowSummary *summary, const Row *row, SummaryKind kind) {
  return atomic_load_explicit(&summary->refused[kind], memory_order_relaxed) ==
         (uint16_t)(row->grid + 1);
}

static RowSummary *summary_at(const Batch *batch, uint64_t address) {
  Page *page = shadow_page_of_rows(batch->shadow, address);
  return &page->in_rows->summaries[word_of(address) / ROW_WORDS];
}

// --- what is there already

// Is the accessor one of the members, so that nothing changes?
static bool has_member(const Row *row, const RowSummary *summary, SummaryKind kind) {
  uint64_t all = load(summary, kind);
  Members members = members_of(all);
  return (all & open_bits(kind)) &&
         block_number(row) - members.first <= members.last - members.first &&
         row->now <= members.time;
}

// In the rows from the first lane's to the last one's.
static bool are_members(const Batch *batch, const Row *row, uint32_t lanes, SummaryKind kind) {
  uint64_t first = batch_address(batch, bits_first(lanes)) / ROW_BYTES;
  uint64_t last = (batch_address(batch, bits_last(lanes)) + batch->access->size - 1) / ROW_BYTES;
  for (uint64_t i = first; i <= last; i++)
    if (!has_member(row, summary_at(batch, i * ROW_BYTES), kind))
      return false;
  return true;
}

static bool is_aligned(const Batch *batch, uint64_t address) {
  return (address & (batch->access->size - 1)) == 0;
}

static uint32_t find_others(const Batch *batch, const Row *row, uint32_t lanes, SummaryKind kind) {
  uint64_t newest = UINT64_MAX; // row that was looked at
  uint32_t others = 0;
  bool is_member = false;
  if (batch->access->shape != EMU_SHAPE_ANY)
    return are_members(batch, row, lanes, kind) ? 0 : lanes;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint64_t address = batch->access->addresses[bits_first(left)], i = address / ROW_BYTES;
    if (i != newest)
      is_member = has_member(row, summary_at(batch, address), kind);
    newest = i;
    if (!is_member || !is_aligned(batch, address))
      others |= left & -left;
  }
  return others;
}

// --- adding members

// What was done to a row besides: nothing, by launches that are over for the accessor, or more.
typedef enum Done { DONE_NEVER, DONE_BEFORE, DONE_NOW } Done;

static Done when(const Row *row, uint32_t time, uint32_t thread) {
  return !time ? DONE_NEVER : thread < row->limit ? DONE_BEFORE : DONE_NOW;
}

static Done latest(Done a, Done b) {
  return a > b ? a : b;
}

static Done word_done(const Row *row, const Cells *cells, uint32_t word, SummaryKind kind) {
  if (word_has_list(cells, word) || word_is_counter(cells, word))
    return DONE_NOW;
  Done done = when(row, cells->write_time[word], cells->write_thread[word]);
  if (kind == SUMMARY_READS || !cells->read_time[word])
    return done;
  if (cells->read_info[word] & INFO_FORM_BIT)
    return DONE_NOW;
  return latest(done, when(row, cells->read_time[word], cells->read_thread[word]));
}

// That members of the kind could race with.
static Done row_done(const Row *row, Page *page, uint32_t i, SummaryKind kind) {
  const PageRow *own = &page->in_rows->rows[i];
  Done done = DONE_NEVER;
  if (!atomic_load_explicit(&page->cells, memory_order_relaxed)) {
    done = when(row, own->write_time, own->write_thread);
    if (kind == SUMMARY_ATOMICS)
      done = latest(done, when(row, own->read_time, own->read_thread));
    return done;
  }
  Cells cells = page_cells(page);
  for (uint32_t word = i * ROW_WORDS; word < (i + 1) * ROW_WORDS; word++)
    done = latest(done, word_done(row, &cells, word, kind));
  return done;
}

// Is an access atomic toward all atomics of summaries?
static bool is_atomic(const Race *race, uint32_t info) {
  return race->is_one_device && info_field(info, INFO_SCOPE) >= SCOPE_GPU &&
         1u << info_field(info, INFO_SIZE) == WORD_BYTES &&
         info_field(info, INFO_PROXY) == PROXY_GENERIC &&
         info_field(info, INFO_BANK) == BANK_THREADS;
}

// Do all that have written the word do so atomically?
static bool is_list_atomic(const Race *race, const WordList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->entries[i].is_write &&
        !(list->entries[i].bytes == 15 && is_atomic(race, list->entries[i].info)))
      return false;
  for (const Throng *throng = list->throngs; throng; throng = throng->next)
    if (throng->is_write && !(throng->bytes == 15 && is_atomic(race, throng->info)))
      return false;
  return true;
}

static Done word_written(const Race *race, const Row *row, const Cells *cells, uint32_t word) {
  if (word_has_list(cells, word))
    return is_list_atomic(race, word_list(cells, word)) ? DONE_NEVER : DONE_NOW;
  if (word_is_counter(cells, word))
    return is_atomic(race, cells->write_info[word]) ? DONE_NEVER : DONE_NOW;
  return when(row, cells->write_time[word], cells->write_thread[word]);
}

// That strong reads could race with.
static Done row_written(const Race *race, const Row *row, Page *page, uint32_t i) {
  const PageRow *own = &page->in_rows->rows[i];
  if (!atomic_load_explicit(&page->cells, memory_order_relaxed))
    return when(row, own->write_time, own->write_thread);
  Done done = DONE_NEVER;
  Cells cells = page_cells(page);
  for (uint32_t word = i * ROW_WORDS; word < (i + 1) * ROW_WORDS; word++)
    done = latest(done, word_written(race, row, &cells, word));
  return done;
}

static bool is_in_grid(const Race *race, const Row *row, const Members *members) {
  const Grid *grid = &race->program->grids[row->grid];
  return members->first >= grid->first_block &&
         members->last < grid->first_block + grid->block_count;
}

// Have all of them ended for the accessor?
static bool are_over(const Row *row, uint64_t summary) {
  return !summary || members_of(summary).last < row->limit >> SLOT_BITS;
}

static Members unite(Members a, Members b) {
  return (Members){a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last,
                   a.time > b.time ? a.time : b.time};
}

// What the summary is with the accessor; false: it cannot be a member. Blocks between two members
// count as members: for each of them what was done before has to be over, too.
static bool find_members(const Race *race, const Row *row, Page *page, uint32_t i, SummaryKind kind,
                         Members *members) {
  const RowSummary *summary = &page->in_rows->summaries[i];
  bool is_poll = kind == SUMMARY_POLLS;
  uint64_t old = load(summary, kind), other = is_poll ? 0 : load(summary, opposite(kind));
  if (kind == SUMMARY_READS && !(other & WRITES_BIT))
    other = 0;
  Members own = {block_number(row), block_number(row), row->now};
  Done done = is_poll ? row_written(race, row, page, i) : row_done(row, page, i, kind);
  if (done == DONE_NOW || !are_over(row, other) || row->now > MOST_TIME)
    return false;
  *members = old ? unite(members_of(old), own) : own;
  if ((done == DONE_NEVER && !other) || is_in_grid(race, row, members))
    return true;
  *members = own;
  return race->is_serial && are_over(row, old);
}

// Who has been there keeps what it was open to, unless it is over.
static uint64_t with_members(uint64_t old, Members members, SummaryKind kind) {
  uint64_t made = open_summary(members, kind);
  bool has_old = old && members_of(old).first >= members.first;
  return has_old ? made | (old & (OPEN_BIT | POLLS_BIT | WRITES_BIT)) : made;
}

static bool add_member(Race *race, const Row *row, Page *page, uint32_t i, uint64_t address,
                       SummaryKind kind) {
  RowSummary *summary = &page->in_rows->summaries[i];
  Members members;
  if (has_member(row, summary, kind))
    return true;
  if (is_refused(summary, row, kind))
    return false;
  if (race_is_exact(race, address) || !find_members(race, row, page, i, kind, &members)) {
    atomic_store_explicit(&summary->refused[kind], (uint16_t)(row->grid + 1), memory_order_relaxed);
    return false;
  }
  if (kind != SUMMARY_POLLS)
    store(summary, opposite(kind), load(summary, opposite(kind)) & ~OPEN_BIT);
  store(summary, kind, with_members(load(summary, kind), members, kind));
  return true;
}

bool summary_add_words(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words) {
  uint32_t first = word_of(address) / ROW_WORDS, last = (word_of(address) + words - 1) / ROW_WORDS;
  for (uint32_t i = first; i <= last; i++)
    if (!add_member(race, row, page, i, address, SUMMARY_READS))
      return false;
  return true;
}

static bool add_lane(const Batch *batch, const Row *row, uint64_t address, SummaryKind kind) {
  Page *page = shadow_page_of_rows(batch->shadow, address);
  uint32_t i = word_of(address) / ROW_WORDS;
  const RowSummary *summary = &page->in_rows->summaries[i];
  if (is_refused(summary, row, kind))
    return has_member(row, summary, kind);
  spin_lock(&page->lock);
  bool is_added = add_member(batch->race, row, page, i, address, kind);
  spin_unlock(&page->lock);
  return is_added;
}

static bool is_of_page_rows(const Batch *batch, uint32_t lanes) {
  const EmuAccess *access = batch->access;
  return lanes == UINT32_MAX && access->shape == EMU_SHAPE_CONSECUTIVE &&
         access->size >= WORD_BYTES && access->addresses[0] % ROW_BYTES == 0;
}

uint32_t summary_add_lanes(const Batch *batch, const Row *row, uint32_t lanes, SummaryKind kind) {
  uint32_t others = 0;
  lanes = find_others(batch, row, lanes, kind);
  if (kind == SUMMARY_READS && is_of_page_rows(batch, lanes))
    return lanes;
  uint64_t newest = UINT64_MAX;
  bool is_added = false;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint64_t address = batch_address(batch, bits_first(left));
    bool fits = is_aligned(batch, address);
    if (fits && address / ROW_BYTES != newest) {
      newest = address / ROW_BYTES;
      is_added = add_lane(batch, row, address, kind);
    }
    if (!fits || !is_added)
      others |= left & -left;
  }
  return others;
}

// --- other accesses

// Blocks first to last of the accessor's grid, which may have it among them.
static bool knows_blocks(const Race *race, const Row *row, Members members) {
  uint32_t own = block_number(row), threads = grid_volume(race->program->grids[row->grid].block);
  bool has_own = own - members.first <= members.last - members.first;
  if (!has_own || members.time > row->uniform)
    return clock_knows_blocks(row->clock, members.first, members.last + 1ull, threads,
                              members.time);
  return clock_knows_blocks(row->clock, members.first, own, threads, members.time) &&
         clock_knows_blocks(row->clock, own + 1, members.last + 1ull, threads, members.time);
}

// Is the accessor ordered behind all members that there may be?
static bool are_known(const Race *race, const Row *row, uint64_t summary) {
  Members members = members_of(summary);
  return are_over(row, summary) ||
         (!row->is_strict && is_in_grid(race, row, &members) && knows_blocks(race, row, members));
}

static bool close_row(Race *race, const Row *row, RowSummary *summary, uint64_t address,
                      bool is_write) {
  uint64_t reads = load(summary, SUMMARY_READS), atomics = load(summary, SUMMARY_ATOMICS);
  bool is_alike = is_atomic(race, row->info);
  uint64_t closed = !is_alike && is_write ? OPEN_BIT | POLLS_BIT : OPEN_BIT;
  if ((is_write && !are_known(race, row, reads)) ||
      (!is_alike && (is_write || (atomics & WRITES_BIT)) && !are_known(race, row, atomics))) {
    race_leave_undecided(race, address);
    return false;
  }
  if (is_write && (reads & OPEN_BIT))
    store(summary, SUMMARY_READS, reads & ~OPEN_BIT);
  if (atomics & closed)
    store(summary, SUMMARY_ATOMICS, atomics & ~closed);
  return true;
}

bool summary_close(Race *race, const Row *row, Page *page, uint64_t address, uint32_t words,
                   bool is_write) {
  uint32_t first = word_of(address) / ROW_WORDS, last = (word_of(address) + words - 1) / ROW_WORDS;
  for (uint32_t i = first; i <= last; i++)
    if (!close_row(race, row, &page->in_rows->summaries[i], address, is_write))
      return false;
  return true;
}

// --- strong accesses

static Row row_of(const Batch *batch, const Group *group) {
  return row_make(batch->race, batch->block, batch->warp, batch->emu->warp, group, batch->info,
                  NULL);
}

bool summary_close_lanes(const Batch *batch, uint32_t lanes) {
  const EmuAccess *access = batch->access;
  uint32_t writing = access->kind == EMU_ATOMIC  ? access->wrote
                     : access->kind == EMU_WRITE ? UINT32_MAX
                                                 : 0;
  WARP_GROUPS(group, batch->warp, lanes) {
    Row row = row_of(batch, group);
    for (uint32_t left = lanes & group->lanes, some; left; left &= ~some) {
      uint64_t address = batch_address(batch, bits_first(left));
      some = access->shape == EMU_SHAPE_SAME ? left : left & -left;
      if (!close_row(batch->race, &row, summary_at(batch, address), address, some & writing))
        return false;
    }
  }
  return true;
}

// An element of a vector, of which findings_note_vector has to know.
static bool is_element(const Instruction *instruction) {
  return instruction->align > instruction->size;
}

// Whoever has executed no fence releases nothing by a relaxed write, and a row without strong
// accesses of other kinds has nothing to be acquired.
uint32_t summary_add_strong(const Batch *batch) {
  uint32_t others = batch->emu->lanes;
  bool is_poll = batch->access->kind == EMU_READ;
  if (is_element(batch->emu->instruction) || !is_atomic(batch->race, batch->info) ||
      (!is_poll && (batch->warp->sync || batch->access->sem != SEM_RELAXED)))
    return others;
  WARP_GROUPS(group, batch->warp, batch->emu->lanes) {
    uint32_t lanes = !is_poll && group->clock.fences ? 0 : batch->emu->lanes & group->lanes;
    Row row = row_of(batch, group);
    if (lanes)
      others &=
          ~lanes | summary_add_lanes(batch, &row, lanes, is_poll ? SUMMARY_POLLS : SUMMARY_ATOMICS);
  }
  return others;
}
