// Observation (spec B.3, B.5): what follows a strong read in base order also follows, at that
// place, the morally strong writes that the read observes: the one that it reads from, and those
// before it that a chain of atomics leads to. A thread that was the last to count may so reset a
// counter by a plain store.
//
// Writes of a word are numbered. `chain` is the position before the first write of the chain
// that the newest belongs to. Reads remember which positions they observe; of atomics, which are
// many, the newest few are kept.
#include "race/throng.h"

#include "base/bits.h"

static Scope scope_of(uint32_t info) {
  return (Scope)info_field(info, INFO_SCOPE);
}

static uint32_t own_thread(const Accessor *accessor) {
  return thread_number(accessor->block, accessor->warp_number << 5 | bits_first(accessor->lanes));
}

// Asynchronous operations are in no program order, not even of the thread that issues them.
static bool is_of_one_thread(const Accessor *accessor, const WordList *list) {
  return list->newest_thread == own_thread(accessor) &&
         info_field(list->newest_info, INFO_BANK) == BANK_THREADS &&
         info_field(accessor->info, INFO_BANK) == BANK_THREADS;
}

// Parts of what an atomic wrote of an aligned word count as the same place (spec H9).
static bool is_same_place(const Accessor *accessor, const WordList *list, const Entry *entry) {
  uint32_t own = info_field(accessor->info, INFO_SIZE);
  uint32_t other = info_field(list->newest_info, INFO_SIZE);
  bool is_volatile = (accessor->info | list->newest_info) >> INFO_VOLATILE & 1;
  if (list->newest_bytes == entry->bytes && own == other)
    return true;
  return own <= 2 && other <= 2 && !is_volatile && scope_of(accessor->info) != SCOPE_NONE &&
         scope_of(list->newest_info) != SCOPE_NONE && !(entry->bytes & ~list->newest_bytes);
}

// Is the access morally strong with the newest write, which it reads?
static bool observes_newest(const Accessor *accessor, const WordList *list, const Entry *entry) {
  Scope own = scope_of(accessor->info), other = scope_of(list->newest_info);
  if (!is_same_place(accessor, list, entry) ||
      info_field(list->newest_info, INFO_PROXY) != info_field(accessor->info, INFO_PROXY))
    return false;
  if (is_of_one_thread(accessor, list))
    return true;
  return own != SCOPE_NONE && other != SCOPE_NONE &&
         scopes_are_mutual(accessor->race, own, accessor->block->number, other,
                           list->newest_thread >> SLOT_BITS);
}

static void note_write(const Accessor *accessor, WordList *list, Entry *entry, bool observes) {
  bool is_atomic = accessor->access && accessor->access->kind == EMU_ATOMIC;
  if (!is_atomic || !observes)
    list->chain = list->position;
  entry->least = entry->largest = ++list->position;
  entry->seen = list->chain;
  list->newest_thread = own_thread(accessor);
  list->newest_info = accessor->info;
  list->newest_bytes = entry->bytes;
  if (is_atomic)
    list->observers[list->observer_count++ % OBSERVERS] =
        (Observer){list->newest_thread, accessor->time, list->chain, list->position};
}

// Is the accessor ordered behind all the writes that it observes? Then observation adds nothing, to
// whoever knows of the access.
static bool knows_observed(const Accessor *accessor, const WordList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    const Entry *entry = &list->entries[i];
    if (entry->is_write && entry->largest > list->chain && !access_knows_all(accessor, entry))
      return false;
  }
  return throng_knows_chain(accessor, list);
}

void access_observe(const Accessor *accessor, WordList *list, Entry *entry) {
  bool observes = accessor->access && accessor->access->kind != EMU_WRITE && !accessor->is_stale &&
                  observes_newest(accessor, list, entry);
  if (entry->is_write) {
    note_write(accessor, list, entry, observes);
  } else if (observes && !knows_observed(accessor, list)) {
    entry->seen = list->chain;
    entry->largest = list->position;
  }
}

// Does the accessor know one of the threads?
static bool knows_any(const Accessor *accessor, const Entry *reads) {
  for (uint32_t i = 0; i < reads->block_count; i++)
    for (uint32_t warps = reads->warps; warps; warps &= warps - 1)
      for (uint32_t lanes = reads->lanes; lanes; lanes &= lanes - 1)
        if (access_knows_thread(accessor, reads->block + i * reads->block_stride,
                                bits_first(warps) << 5 | bits_first(lanes), reads->time))
          return true;
  return false;
}

bool access_has_observed(const Accessor *accessor, const WordList *list, const Entry *entry) {
  if (!entry->largest || !entry->is_write || accessor->race->options.is_cuda)
    return false;
  for (uint32_t i = 0; i < OBSERVERS; i++) {
    const Observer *observer = &list->observers[i];
    if (entry->least > observer->first && entry->largest <= observer->last &&
        access_knows_thread(accessor, observer->thread >> SLOT_BITS,
                            observer->thread & ((1u << SLOT_BITS) - 1), observer->time))
      return true;
  }
  for (uint32_t i = 0; i < list->count; i++) {
    const Entry *observers = &list->entries[i];
    if (entry_observes(observers, entry) && knows_any(accessor, observers))
      return true;
  }
  return throng_has_observed(accessor, list, entry);
}
