#include "race/access.h"

#include "base/bits.h"
#include "race/barrier.h"
#include "race/deferred.h"
#include "race/summary.h"
#include "race/throng.h"
#include "race/sync.h"

enum {
  // Entries of a word beyond which the oldest that can be done without are given up.
  MANY_ENTRIES = 24,
  MOST_ENTRIES = 4096,
  LOOKS_ONE_IN = 16,
};

// --- order

static bool needs_fence(const Accessor *accessor) {
  return info_field(accessor->info, INFO_PROXY) == PROXY_ASYNC;
}

// Up to which time barriers of the block cover the thread for the group.
static uint32_t covered(const Block *block, const Group *group, uint32_t warp, uint32_t lane) {
  const Warp *other = &block->warps[warp];
  if (!block->has_exits || !(other->exited >> lane & 1) ||
      other->exit_times[lane] >= group->uniform)
    return group->uniform;
  return other->exit_times[lane];
}

static bool knows_in_block(const Accessor *accessor, uint32_t slot, uint32_t time) {
  const Group *group = accessor->group;
  uint32_t warp = slot >> 5, lane = slot & 31;
  // Reads of several lanes know each only itself.
  if (warp == accessor->warp_number && accessor->lanes == 1u << lane)
    return true;
  if (time <= covered(accessor->block, group, warp, lane))
    return true;
  if (warp == accessor->warp_number && time <= group->warp_known)
    return true;
  return clock_time(group->clock.part[CLOCK_THREADS], accessor->block->number, slot) >= time;
}

// Through another proxy only what was known at a proxy fence counts, or has ended for good.
bool access_knows_thread(const Accessor *accessor, uint32_t block, uint32_t slot, uint32_t time) {
  const Clock *clock = &accessor->group->clock;
  if (needs_fence(accessor) || info_field(accessor->info, INFO_PROXY) == PROXY_TEXTURE) {
    if (clock_time(clock->part[CLOCK_THREADS], block, slot) == CLOCK_FOREVER)
      return true;
    return needs_fence(accessor) &&
           clock_time(clock->part[CLOCK_FENCED_THREADS], block, slot) >= time;
  }
  if (block == accessor->block->number)
    return knows_in_block(accessor, slot, time);
  return clock_time(clock->part[CLOCK_THREADS], block, slot) >= time;
}

static bool is_own_agent(const Accessor *accessor, uint32_t bank, uint32_t block, uint32_t slot) {
  return bank <= OWN_AGENTS && block == accessor->block->number &&
         slot >> 5 == accessor->warp_number && accessor->lanes == 1u << (slot & 31) &&
         accessor->warp->copies;
}

static bool knows_agent(const Accessor *accessor, const Entry *entry, uint32_t block,
                        uint32_t slot) {
  const Clock *clock = &accessor->group->clock;
  uint32_t bank = info_field(entry->info, INFO_BANK), agents = agent_block(block, bank);
  uint32_t known = clock_time(clock->part[CLOCK_AGENTS], agents, slot);
  if (is_own_agent(accessor, bank, block, slot) &&
      accessor->warp->copies[slot & 31].known[bank - 1] > known)
    known = accessor->warp->copies[slot & 31].known[bank - 1];
  if (known < entry->time)
    return false;
  // Operations of one block, or on the shared memory of one, through one proxy need none; copies by
  // cp.async are generic.
  bool is_alike = (block == accessor->block->number || accessor->is_for_block) &&
                  info_field(entry->info, INFO_PROXY) == info_field(accessor->info, INFO_PROXY);
  return !needs_fence(accessor) || is_alike || known == CLOCK_FOREVER ||
         clock_time(clock->part[CLOCK_FENCED_AGENTS], agents, slot) >= entry->time;
}

// By fences that order accesses to such a place only.
static bool knows_here(const Accessor *accessor, const Entry *entry, uint32_t block,
                       uint32_t slot) {
  uint32_t bank = info_field(entry->info, INFO_BANK);
  const Clock *here = accessor->known_here, *inits = accessor->known_inits;
  if (info_field(accessor->info, INFO_PROXY) != PROXY_GENERIC)
    return false;
  if (bank != BANK_THREADS)
    return here &&
           clock_time(here->part[CLOCK_AGENTS], agent_block(block, bank), slot) >= entry->time;
  if (here && clock_time(here->part[CLOCK_THREADS], block, slot) >= entry->time)
    return true;
  const Instruction *instruction = inits ? race_instruction(accessor->race, entry->info) : NULL;
  return inits && entry->is_write && instruction->op == IR_MBARRIER &&
         instruction->mbarrier == MBARRIER_INIT &&
         clock_time(inits->part[CLOCK_THREADS], block, slot) >= entry->time;
}

static bool knows_warp(const Accessor *accessor, const Entry *entry, uint32_t block, uint32_t warp,
                       uint32_t *slot) {
  bool is_agent = info_field(entry->info, INFO_BANK) != BANK_THREADS;
  for (uint32_t left = entry->lanes; left; left &= left - 1) {
    *slot = warp << 5 | bits_first(left);
    if ((is_agent ? !knows_agent(accessor, entry, block, *slot)
                  : !access_knows_thread(accessor, block, *slot, entry->time) &&
                        !life_is_over(accessor, entry, block, *slot)) &&
        !knows_here(accessor, entry, block, *slot))
      return false;
  }
  return true;
}

// Most often a barrier of the accessor's block has covered the entry.
static bool is_covered(const Accessor *accessor, const Entry *entry) {
  const Block *block = accessor->block;
  uint32_t uniform = accessor->group->uniform;
  if (block->has_exits && block->most_uniform < uniform)
    uniform = block->most_uniform;
  return entry->block == block->number && entry->block_count == 1 && entry->time <= uniform &&
         info_field(accessor->info, INFO_PROXY) == PROXY_GENERIC &&
         info_field(entry->info, INFO_BANK) == BANK_THREADS;
}

static bool knows_block(const Accessor *accessor, const Entry *entry, uint32_t block,
                        uint32_t *slot) {
  for (uint32_t left = entry->warps; left; left &= left - 1)
    if (!knows_warp(accessor, entry, block, bits_first(left), slot))
      return false;
  return true;
}

bool access_is_ordered(const Accessor *accessor, const Entry *entry, uint32_t block) {
  Accessor plain = *accessor;
  uint32_t slot;
  plain.info &= ~(7u << INFO_PROXY);
  return knows_block(&plain, entry, block, &slot);
}

bool access_knows_all(const Accessor *accessor, const Entry *entry) {
  uint32_t slot;
  if (is_covered(accessor, entry))
    return true;
  for (uint32_t i = 0; i < entry->block_count; i++)
    if (!knows_block(accessor, entry, entry->block + i * entry->block_stride, &slot))
      return false;
  return true;
}

// --- accesses that are atomic toward each other

bool access_is_exempt(const Accessor *accessor, const Entry *entry, uint32_t block,
                      uint32_t bytes) {
  Scope own = (Scope)info_field(accessor->info, INFO_SCOPE);
  Scope other = (Scope)info_field(entry->info, INFO_SCOPE);
  if (own == SCOPE_NONE || other == SCOPE_NONE ||
      !scopes_are_mutual(accessor->race, own, accessor->block->number, other, block))
    return false;
  if (accessor->race->options.is_cuda)
    return true;
  bool is_same_proxy =
      info_field(accessor->info, INFO_PROXY) == info_field(entry->info, INFO_PROXY);
  uint32_t own_size = info_field(accessor->info, INFO_SIZE);
  uint32_t other_size = info_field(entry->info, INFO_SIZE);
  if (own_size == other_size && bytes == entry->bytes)
    return is_same_proxy;
  // Parts of one aligned word, as compilers mix them in atomics (spec H9); they make no volatile
  // accesses of those.
  bool is_volatile = (accessor->info | entry->info) >> INFO_VOLATILE & 1;
  return own_size <= 2 && other_size <= 2 && is_same_proxy && !is_volatile;
}

// A thread of the entry that the accessor races with.
static bool find_rival(const Accessor *accessor, const Entry *entry, uint32_t bytes, Rival *rival) {
  if (is_covered(accessor, entry))
    return false;
  for (uint32_t i = 0; i < entry->block_count; i++) {
    rival->block = entry->block + i * entry->block_stride;
    if (!knows_block(accessor, entry, rival->block, &rival->slot) &&
        !access_is_exempt(accessor, entry, rival->block, bytes))
      return true;
  }
  return false;
}

// --- remembering

static Entry entry_of(const Accessor *accessor, uint32_t bytes) {
  return (Entry){.block = accessor->entry_block,
                 .block_count = 1,
                 .warps = 1u << accessor->entry_warp,
                 .lanes = accessor->entry_lanes,
                 .time = accessor->time,
                 .info = accessor->info & ~INFO_FORM_BIT,
                 .bytes = (uint8_t)bytes,
                 .is_write = accessor->is_write,
                 .is_atomic = accessor->access && accessor->access->kind == EMU_ATOMIC};
}

// Whatever is exempt from racing with `entry` is so with the older one, too: a race that the older
// one is in is then found with the newer.
static bool is_as_strict(const Accessor *accessor, const Entry *older, bool has_room) {
  Scope own = (Scope)info_field(accessor->info, INFO_SCOPE);
  Scope other = (Scope)info_field(older->info, INFO_SCOPE);
  if (own == SCOPE_NONE)
    return true;
  return other >= own &&
         info_field(older->info, INFO_SIZE) == info_field(accessor->info, INFO_SIZE) &&
         (older->info >> INFO_VOLATILE & 1) <= (accessor->info >> INFO_VOLATILE & 1) &&
         ((older->block == accessor->entry_block && older->block_count == 1) || !has_room);
}

static bool is_same_threads(const Entry *a, const Entry *b) {
  return a->block == b->block && a->block_count == 1 && b->block_count == 1 &&
         a->warps == b->warps && a->lanes == b->lanes;
}

// May the older entry be forgotten for the new one? All of it must be known, so that whoever is not
// ordered behind it is not ordered behind the new one either.
static bool is_replaced(const Accessor *accessor, const WordList *list, const Entry *older,
                        const Entry *newer) {
  if (older->bytes & ~newer->bytes || (older->is_write && !newer->is_write))
    return false;
  if (accessor->race->options.keep_all)
    return older->info == newer->info && older->is_write == newer->is_write &&
           is_same_threads(older, newer) && older->time <= newer->time;
  // There are many of one kind: it is enough to look now and then.
  if (list->count >= MANY_ENTRIES && older->info == newer->info && list->position % LOOKS_ONE_IN)
    return false;
  return is_as_strict(accessor, older, list->count < MANY_ENTRIES) &&
         (access_knows_all(accessor, older) || is_same_threads(older, newer) ||
          access_has_observed(accessor, list, older));
}

static void drop_entry(WordList *list, uint32_t i) {
  list->count--;
  for (; i < list->count; i++)
    list->entries[i] = list->entries[i + 1];
}

// Racing entries have been reported: the oldest of them goes first.
static void keep_short(Race *race, WordList *list) {
  if (list->count < (race->options.keep_all ? MOST_ENTRIES : MANY_ENTRIES))
    return;
  for (uint32_t i = 0; i < list->count; i++)
    if (list->entries[i].is_reported) {
      drop_entry(list, i);
      return;
    }
  if (list->count < MOST_ENTRIES)
    return;
  drop_entry(list, 0);
  atomic_store_explicit(&race->has_forgotten, true, memory_order_relaxed);
}

// Can the set of an entry have the other's threads, as far as blocks tell? Those of writes are
// neighbours.
static bool has_near_blocks(const Entry *entry, const Entry *added) {
  uint32_t last = entry->block + (entry->block_count - 1) * entry->block_stride;
  return !added->is_write || (added->block + 1 >= entry->block && added->block <= last + 1);
}

// An entry of one block that has become equal to its neighbours' may join them.
static void join_neighbours(WordList *list, uint32_t i) {
  for (uint32_t j = 0; j < list->count; j++) {
    if (i == j || list->entries[j].block >= list->entries[i].block ||
        list->entries[i].block_count != 1 || !has_near_blocks(&list->entries[j], &list->entries[i]))
      continue;
    if (entry_merge(&list->entries[j], &list->entries[i])) {
      drop_entry(list, i);
      return;
    }
  }
}

void access_add_entry(Race *race, Cells *cells, uint32_t word, const Entry *entry) {
  WordList *list = word_list(cells, word);
  for (uint32_t i = list->count; i-- > 0;)
    if (has_near_blocks(&list->entries[i], entry) && entry_merge(&list->entries[i], entry)) {
      join_neighbours(list, i);
      return;
    }
  keep_short(race, list);
  list = word_grow_list(&race->heap, cells, word);
  list->entries[list->count++] = *entry;
}

// Has an entry of the same threads that is no newer observed the write?
static bool is_observed_before(const WordList *list, const Entry *entry, const Entry *write) {
  for (uint32_t i = 0; i < list->count; i++) {
    const Entry *other = &list->entries[i];
    if (other != entry && is_same_threads(other, entry) &&
        (other->time < entry->time || (other->time == entry->time && other < entry)) &&
        entry_observes(other, write))
      return true;
  }
  return false;
}

// Is the entry the first of its threads to have observed a write that stays? Whoever knows it is
// ordered behind the write.
static bool is_needed(const WordList *list, const bool *is_gone, const Entry *entry) {
  if (throng_is_observed_by(list, entry))
    return true;
  for (uint32_t i = 0; entry->largest && i < list->count; i++) {
    const Entry *write = &list->entries[i];
    if (write != entry && write->is_write && !is_gone[i] && entry_observes(entry, write) &&
        !is_observed_before(list, entry, write))
      return true;
  }
  return false;
}

static void replace_entries(const Accessor *accessor, WordList *list, const Entry *newer) {
  bool is_gone[MOST_ENTRIES + 1];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++)
    is_gone[i] = is_replaced(accessor, list, &list->entries[i], newer);
  for (uint32_t i = 0; i < list->count; i++)
    is_gone[i] = is_gone[i] && !is_needed(list, is_gone, &list->entries[i]);
  for (uint32_t i = 0; i < list->count; i++)
    if (!is_gone[i])
      list->entries[kept++] = list->entries[i];
  list->count = kept;
}

static void remember(const Accessor *accessor, const Place *place, Cells *cells, uint32_t word,
                     uint32_t bytes, bool has_raced) {
  Race *race = accessor->race;
  Entry entry = entry_of(accessor, bytes);
  entry.is_reported = has_raced;
  WordList *list = word_make_list(&race->heap, cells, word);
  if (entry.is_write)
    sync_overwrite(race, cells, word);
  access_observe(accessor, list, &entry);
  if (throng_add(accessor, list, &entry, has_raced))
    return;
  replace_entries(accessor, list, &entry);
  throng_replace(accessor, list, &entry);
  access_add_entry(race, cells, word, &entry);
  throng_form(accessor, place, word_list(cells, word), &entry);
  word_shrink_list(&race->heap, cells, word);
}

// --- checking

bool access_is_conflict(const Accessor *accessor, const Entry *entry, uint32_t bytes) {
  return (accessor->is_write || entry->is_write) && (entry->bytes & bytes);
}

// Has the rival not been reported for an earlier word of the access?
static bool is_new_rival(Rivals *rivals, const Rival *rival) {
  uint32_t thread = rival->block << SLOT_BITS | rival->slot;
  for (uint32_t i = 0; i < rivals->count; i++)
    if (rivals->threads[i] == thread && rivals->infos[i] == rival->entry->info)
      return false;
  if (rivals->count < MOST_RIVALS) {
    rivals->threads[rivals->count] = thread;
    rivals->infos[rivals->count++] = rival->entry->info;
  }
  return true;
}

void access_report_new(const Accessor *accessor, const Place *place, Rivals *rivals, Rival *rival) {
  if (is_new_rival(rivals, rival))
    access_report(accessor, place, rival);
}

bool access_is_alike(const Accessor *accessor, const Entry *entry, uint32_t bytes) {
  return entry->info == accessor->info && entry->bytes == bytes && accessor->race->is_one_device &&
         info_field(entry->info, INFO_SCOPE) >= SCOPE_GPU;
}

void access_word(const Accessor *accessor, const Place *place, Cells *cells, uint32_t word,
                 uint32_t bytes, Rivals *rivals) {
  Entry room[2], *entries;
  if (word_has_set(cells, word) || word_has_pattern(cells, word) || word_is_counter(cells, word))
    word_make_list(&accessor->race->heap, cells, word);
  if (word_has_list(cells, word))
    word_end_crowd(&accessor->race->heap, cells, word);
  uint32_t count = word_entries(cells, word, &entries, room);
  bool has_raced = false;
  bool is_read = accessor->access && accessor->access->kind != EMU_WRITE;
  const WordList *list = word_has_list(cells, word) ? word_list(cells, word) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    Rival rival = {.entry = &entries[i]};
    if (i + 1 < count && access_is_alike(accessor, &entries[i], bytes))
      continue;
    if (accessor->access && entries[i].is_write && !access_knows_all(accessor, &entries[i])) {
      if (is_read)
        access_note_communication(accessor, &entries[i], NULL);
      else
        access_note_overwrite(accessor, &entries[i]);
    }
    if (!access_is_conflict(accessor, &entries[i], bytes) ||
        !find_rival(accessor, &entries[i], bytes, &rival) ||
        (list && access_has_observed(accessor, list, &entries[i])))
      continue;
    uint32_t own_size = info_field(accessor->info, INFO_SIZE);
    rival.is_same_place =
        entries[i].bytes == bytes && info_field(entries[i].info, INFO_SIZE) == own_size;
    access_report_new(accessor, place, rivals, &rival);
    entries[i].is_reported = true;
    has_raced = true;
  }
  if (list && list->throngs)
    has_raced |= throng_check(accessor, place, word_list(cells, word), bytes, rivals);
  remember(accessor, place, cells, word, bytes, has_raced);
}

// The bytes of a word that an access touches.
static uint32_t bytes_in_word(const Place *place, uint64_t word_address) {
  uint64_t end = place->address + place->size;
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < WORD_BYTES; i++)
    if (word_address + i >= place->address && word_address + i < end)
      bytes |= 1u << i;
  return bytes;
}

void access_know_place(Accessor *accessor, const EmuBlock *owner) {
  const Clock *clock = &accessor->group->clock;
  if (!clock->restricted || !owner)
    return;
  uint32_t block = ((const Block *)owner->watched)->number;
  accessor->known_here = restricted_find(clock, block, REACH_SHARED);
  accessor->known_inits = restricted_find(clock, block, REACH_INITS);
}

// False: the run is undecided.
static bool close_summary(const Accessor *accessor, Page *page, uint64_t address) {
  Race *race = accessor->race;
  if (!summary_is_used(race))
    return true;
  Row row = row_make(race, accessor->block, accessor->warp, accessor->warp_number, accessor->group,
                     accessor->info, NULL);
  return summary_close(race, &row, page, address, 1, accessor->is_write);
}

void access_one(const Accessor *by, const Place *place) {
  const Accessor *accessor = by;
  Accessor here;
  if (by->group->clock.restricted) {
    here = *by;
    access_know_place(&here, place->owner);
    accessor = &here;
  }
  bool is_global = !place->owner;
  Rivals rivals = {0};
  uint64_t first = place->address & ~3ull;
  for (uint64_t address = first; address < place->address + place->size; address += WORD_BYTES) {
    Page *page = shadow_page(place->shadow, address);
    if (!page || word_of(address) >= page->words)
      return;
    if (is_global)
      spin_lock(&page->lock);
    Cells cells = page_cells(page);
    if (!is_global && deferred_has(page, word_of(address)))
      deferred_settle(accessor->race, place->owner->watched);
    if (!is_global || close_summary(accessor, page, address))
      access_word(accessor, place, &cells, word_of(address), bytes_in_word(place, address),
                  &rivals);
    if (is_global)
      spin_unlock(&page->lock);
  }
}
