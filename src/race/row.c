// Accesses of a warp by one instruction. The common kind is compared and remembered a row at a time
// where everything before is known; word by word where several threads read alike; and else by
// access.c.
#include "race/block.h"

#include "base/bits.h"

// What decides about a row of words: the accessors are lanes of one group.
typedef struct Row {
  uint32_t block_first, warp_first; // numbers of the first threads of block and warp
  uint32_t uniform, warp_known;
  uint32_t limit; // threads below have ended for good
  uint32_t now, info;
  uint32_t warp_bit;
  bool is_strict; // another proxy: only what has ended counts
} Row;

static Row make_row(const Race *race, const Block *block, const Warp *warp, uint32_t warp_number,
                    const Group *group, uint32_t info) {
  uint32_t uniform = group->uniform;
  if (block->has_exits && block->most_uniform < uniform)
    uniform = block->most_uniform;
  return (Row){.block_first = block->number << SLOT_BITS,
               .warp_first = block->number << SLOT_BITS | warp_number << 5,
               .uniform = uniform,
               .warp_known = group->warp_known,
               .limit = race->grids[block->emu->grid].ordered_limit << SLOT_BITS,
               .now = warp->now,
               .info = info,
               .warp_bit = 1u << warp_number,
               .is_strict = info_field(info, INFO_PROXY) != PROXY_GENERIC};
}

// --- one word

// Without branches: loops over it become vector code. A word with a list has the largest time.
static inline bool is_write_known(const Row *row, uint32_t time, uint32_t thread, uint32_t own) {
  bool is_in_block = ((thread ^ row->block_first) >> SLOT_BITS == 0) & (time <= row->uniform);
  bool is_in_warp = ((thread ^ row->warp_first) >> 5 == 0) & (time <= row->warp_known);
  bool is_ordered = (thread == own) | is_in_block | is_in_warp;
  return (time == 0) |
         ((time != UINT32_MAX) & ((thread < row->limit) | (!row->is_strict & is_ordered)));
}

static inline bool are_reads_known(const Row *row, uint32_t time, uint32_t thread, uint32_t warps,
                                   uint32_t lanes, uint32_t info, uint32_t own) {
  bool is_own_warp = warps == row->warp_bit;
  bool is_known = (time <= row->uniform) | (is_own_warp & (time <= row->warp_known)) |
                  (is_own_warp & (lanes == own));
  bool is_in_block = ((thread ^ row->block_first) >> SLOT_BITS == 0) & is_known;
  return (time == 0) |
         ((time != UINT32_MAX) & !(info >> INFO_FORM) & ((thread < row->limit) | is_in_block));
}

static inline bool is_word_known(const Row *row, const Cells *cells, uint32_t word, uint32_t lane) {
  return is_write_known(row, cells->write_time[word], cells->write_thread[word],
                        row->warp_first + lane) &
         are_reads_known(row, cells->read_time[word], cells->read_thread[word],
                         cells->read_warps[word], cells->read_lanes[word], cells->read_info[word],
                         1u << lane);
}

static inline void set_reads(const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  cells->read_time[word] = row->now;
  cells->read_thread[word] = row->block_first;
  cells->read_warps[word] = row->warp_bit;
  cells->read_lanes[word] = lanes;
  cells->read_info[word] = row->info;
}

static inline void set_write(const Row *row, Cells *cells, uint32_t word, uint32_t lane) {
  cells->write_time[word] = row->now;
  cells->write_thread[word] = row->warp_first + lane;
  cells->write_info[word] = row->info;
  cells->read_time[word] = 0;
  cells->read_info[word] = 0;
}

// Others of the block have read the word at this time and place.
static bool join_reads(const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  uint32_t *all_warps = &cells->read_warps[word], *all_lanes = &cells->read_lanes[word];
  if ((*all_warps & row->warp_bit) && !(lanes & ~*all_lanes))
    return true;
  if (*all_lanes == lanes)
    *all_warps |= row->warp_bit;
  else if (*all_warps == row->warp_bit)
    *all_lanes |= lanes;
  else
    return false;
  return true;
}

// The same thread of other blocks has.
static bool join_series(const Row *row, Cells *cells, uint32_t word, uint32_t lane) {
  uint32_t slot = bits_first(row->warp_bit) << 5 | lane, block = row->block_first >> SLOT_BITS;
  uint32_t *first = &cells->read_thread[word];
  uint32_t *stride = &cells->read_warps[word], *count = &cells->read_lanes[word];
  uint32_t first_block = *first >> SLOT_BITS;
  if (cells->read_info[word] & INFO_FORM_BIT) {
    if ((*first & ((1u << SLOT_BITS) - 1)) != slot || block != first_block + *stride * *count)
      return false;
    ++*count;
    return true;
  }
  if (block <= first_block || *stride != row->warp_bit || *count != 1u << lane)
    return false;
  *first |= slot;
  *stride = block - first_block;
  *count = 2;
  cells->read_info[word] |= INFO_FORM_BIT;
  return true;
}

static bool add_reads(const Row *row, Cells *cells, uint32_t word, uint32_t lanes) {
  bool is_one = !(lanes & (lanes - 1));
  uint32_t lane = bits_first(lanes);
  if (!is_write_known(row, cells->write_time[word], cells->write_thread[word],
                      is_one ? row->warp_first + lane : UINT32_MAX))
    return false;
  if (are_reads_known(row, cells->read_time[word], cells->read_thread[word],
                      cells->read_warps[word], cells->read_lanes[word], cells->read_info[word],
                      is_one ? lanes : 0)) {
    set_reads(row, cells, word, lanes);
    return true;
  }
  if (cells->read_time[word] != row->now || (cells->read_info[word] & ~INFO_FORM_BIT) != row->info)
    return false;
  if (!(cells->read_info[word] & INFO_FORM_BIT) && cells->read_thread[word] == row->block_first)
    return join_reads(row, cells, word, lanes);
  return is_one && join_series(row, cells, word, lane);
}

static bool add_write(const Row *row, Cells *cells, uint32_t word, uint32_t lane) {
  if (!is_word_known(row, cells, word, lane))
    return false;
  set_write(row, cells, word, lane);
  return true;
}

// --- rows

// Words of lanes that follow one another; each lane has 1 << shift of them.
static bool read_row(const Row *row, const Cells *cells, uint32_t word, uint32_t count,
                     uint32_t lane, uint32_t shift) {
  uint32_t unknown = 0;
  Cells at = *cells;
  for (uint32_t i = 0; i < count; i++)
    unknown |= !is_word_known(row, &at, word + i, lane + (i >> shift));
  if (unknown)
    return false;
  for (uint32_t i = 0; i < count; i++)
    set_reads(row, &at, word + i, 1u << (lane + (i >> shift)));
  return true;
}

static bool write_row(const Row *row, const Cells *cells, uint32_t word, uint32_t count,
                      uint32_t lane, uint32_t shift) {
  uint32_t unknown = 0;
  Cells at = *cells;
  for (uint32_t i = 0; i < count; i++)
    unknown |= !is_word_known(row, &at, word + i, lane + (i >> shift));
  if (unknown)
    return false;
  for (uint32_t i = 0; i < count; i++)
    set_write(row, &at, word + i, lane + (i >> shift));
  return true;
}

// --- the accesses of an instruction

typedef struct Batch {
  Race *race;
  const EmuWarp *emu;
  const EmuAccess *access;
  Block *block;
  Warp *warp;
  Shadow *shadow;
  const EmuBlock *owner;
  uint32_t info;
} Batch;

static Accessor accessor_of(const Batch *batch, uint32_t lanes) {
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

static Place place_of(const Batch *batch, uint32_t lane) {
  return (Place){batch->shadow, batch->owner, batch->access->addresses[lane], batch->access->size};
}

static void access_slowly(const Batch *batch, uint32_t lanes) {
  Accessor accessor = accessor_of(batch, lanes);
  Place place = place_of(batch, bits_first(lanes));
  access_one(&accessor, &place);
}

// All words of the lanes' one access; false: access.c has to look.
static bool access_words(const Batch *batch, const Row *row, uint32_t lanes) {
  uint64_t address = batch->access->addresses[bits_first(lanes)];
  Page *page = shadow_page(batch->shadow, address);
  uint32_t word = word_of(address), count = batch->access->size / WORD_BYTES;
  bool is_done = true;
  if (!page || word + count > page->words || address % batch->access->size)
    return false;
  if (!batch->owner)
    spin_lock(&page->lock);
  Cells cells = page_cells(page);
  for (uint32_t i = 0; i < count && is_done; i++)
    is_done = batch->access->kind == EMU_READ ? add_reads(row, &cells, word + i, lanes)
                                              : add_write(row, &cells, word + i, bits_first(lanes));
  if (!batch->owner)
    spin_unlock(&page->lock);
  return is_done;
}

// Lanes of one group, which follow one another in memory.
static bool access_row(const Batch *batch, const Row *row, uint32_t lanes) {
  uint32_t first = bits_first(lanes), count = bits_count(lanes);
  uint32_t shift = bits_first(batch->access->size / WORD_BYTES);
  if (batch->access->shape != EMU_SHAPE_CONSECUTIVE || lanes >> first != UINT32_MAX >> (32 - count))
    return false;
  uint64_t address = batch->access->addresses[0] + (uint64_t)first * batch->access->size;
  Page *page = shadow_page(batch->shadow, address);
  uint32_t word = word_of(address), words = count << shift;
  if (!page || word + words > page->words || address % batch->access->size)
    return false;
  if (!batch->owner)
    spin_lock(&page->lock);
  Cells cells = page_cells(page);
  bool is_done = batch->access->kind == EMU_READ
                     ? read_row(row, &cells, word, words, first, shift)
                     : write_row(row, &cells, word, words, first, shift);
  if (!batch->owner)
    spin_unlock(&page->lock);
  return is_done;
}

static void access_group(const Batch *batch, const Group *group, uint32_t lanes) {
  bool has_words = batch->access->size >= WORD_BYTES && !batch->race->options.keep_all;
  Row row = make_row(batch->race, batch->block, batch->warp, batch->emu->warp, group, batch->info);
  if (has_words && access_row(batch, &row, lanes))
    return;
  if (batch->access->shape == EMU_SHAPE_SAME && batch->access->kind == EMU_READ) {
    if (!has_words || !access_words(batch, &row, lanes))
      access_slowly(batch, lanes);
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    if (!has_words || !access_words(batch, &row, lanes & -lanes))
      access_slowly(batch, lanes & -lanes);
}

// --- strong accesses

static void access_strongly(const Batch *batch, uint32_t lane) {
  Race *race = batch->race;
  const EmuAccess *access = batch->access;
  Place place = place_of(batch, lane);
  RecordSet *records = NULL;
  const Location *location = sync_find(&place);
  bool has_release = location && location->records;
  if (access->kind != EMU_WRITE) {
    records = sync_observe(race, batch->block, &place, access->scope);
    sync_read(race, batch->emu, lane, &place, access, records);
  }
  Accessor accessor = accessor_of(batch, 1u << lane);
  accessor.is_write =
      access->kind == EMU_WRITE || (access->kind == EMU_ATOMIC && (access->wrote >> lane & 1));
  accessor.has_release = has_release;
  access_one(&accessor, &place);
  if (accessor.is_write)
    sync_write(race, batch->emu, lane, &place, access->sem, access->scope, records);
  else
    released_drop(&race->heap, records);
  if (!race->options.is_cuda)
    sync_observe_fences(race, batch->emu, 1u << lane, &place, access->kind != EMU_WRITE,
                        accessor.is_write);
}

static void access_all_strongly(const Batch *batch) {
  for (uint32_t left = batch->emu->lanes; left; left &= left - 1)
    access_strongly(batch, bits_first(left));
  if (sem_is_release(batch->access->sem))
    warp_tick(batch->race, batch->warp);
  warp_merge(&batch->race->heap, batch->warp);
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
  batch.warp->accessed = batch.warp->now;
  block->accesses += bits_count(emu->lanes);
  if (is_strong) {
    access_all_strongly(&batch);
    return;
  }
  WARP_GROUPS(group, batch.warp, emu->lanes)
  access_group(&batch, group, group->lanes & emu->lanes);
}
