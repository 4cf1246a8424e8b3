// Strong accesses of a warp's lanes, one by one where they cannot be told together.
#include "race/strong.h"

#include "base/bits.h"
#include "race/summary.h"
#include "race/weak.h"

// What the load observes: that of the newest write, or of the older one that it has read.
static RecordSet *observe(const Batch *batch, const Place *place, const PastWrite *older) {
  if (!older)
    return sync_observe(batch->race, batch->block, place, batch->access->scope);
  if (!older->records || !scopes_are_mutual(batch->race, batch->access->scope, batch->block->number,
                                            older->scope, older->thread >> SLOT_BITS))
    return NULL;
  return released_keep(older->records);
}

static void access_strongly(const Batch *batch, uint32_t lane) {
  Race *race = batch->race;
  const EmuAccess *access = batch->access;
  Place place = batch_place(batch, lane);
  RecordSet *records = NULL;
  const PastWrite *older = weak_choice(race, lane);
  const Location *location = sync_find(&place);
  bool has_release = older ? older->records != NULL : location && location->records;
  bool is_narrow = false;
  if (access->kind != EMU_WRITE) {
    records = observe(batch, &place, older);
    is_narrow = !sync_read(race, batch->emu, 1u << lane, &place, access, records);
  }
  Accessor accessor = batch_accessor(batch, 1u << lane);
  accessor.is_write =
      access->kind == EMU_WRITE || (access->kind == EMU_ATOMIC && (access->wrote >> lane & 1));
  accessor.has_release = has_release;
  accessor.is_stale = older != NULL;
  accessor.is_narrow = is_narrow && sem_is_acquire(access->sem);
  access_one(&accessor, &place);
  if (!race->options.is_cuda)
    sync_learn_fences(race, batch->emu, 1u << lane, &place, accessor.is_write);
  if (accessor.is_write)
    sync_write(race, batch->emu, 1u << lane, &place, access->sem, access->scope, records);
  else
    released_drop(&race->heap, records);
  if (!race->options.is_cuda)
    sync_tell_fences(race, batch->emu, 1u << lane, &place, access->kind != EMU_WRITE,
                     accessor.is_write);
  if (race->weak && accessor.is_write)
    weak_add_write(race, batch->emu, access, batch->info, lane);
  else if (race->weak && access->kind == EMU_ATOMIC)
    weak_add_read(race, batch->emu, access, lane);
}

// --- lanes together

// Where what is found does not count, a run may order less than there is, for then it is made
// again. Atomics of a warp at one address, which read each other's results, so count as made at
// once: each acquires what was released before, and what they release goes on together.
static bool can_be_together(const Batch *batch, uint32_t lanes) {
  const EmuAccess *access = batch->access;
  return summary_is_used(batch->race) && !batch->owner && access->kind == EMU_ATOMIC &&
         access->shape == EMU_SHAPE_SAME && access->size == WORD_BYTES && !(lanes & ~access->wrote);
}

static bool access_group_strongly(const Batch *batch, const Group *group, uint32_t lanes) {
  Race *race = batch->race;
  const EmuAccess *access = batch->access;
  Place place = batch_place(batch, bits_first(lanes));
  RecordSet *records = observe(batch, &place, NULL);
  if (!update_together(batch, group, place.address, lanes)) {
    released_drop(&race->heap, records);
    return false;
  }
  sync_read(race, batch->emu, lanes, &place, access, records);
  if (!race->options.is_cuda)
    sync_learn_fences(race, batch->emu, lanes, &place, true);
  sync_write(race, batch->emu, lanes, &place, access->sem, access->scope, records);
  if (!race->options.is_cuda)
    sync_tell_fences(race, batch->emu, lanes, &place, true, true);
  return true;
}

// Returns the lanes that have to be looked at one by one.
static uint32_t access_together(const Batch *batch, uint32_t lanes) {
  uint32_t others = lanes;
  if (!can_be_together(batch, lanes))
    return lanes;
  for (uint32_t left = lanes, some; left; left &= ~some) {
    const Group *group = warp_group(batch->warp, bits_first(left));
    some = left & group->lanes;
    if ((some & (some - 1)) && access_group_strongly(batch, group, some))
      others &= ~some;
  }
  return others;
}

static void access_all(const Batch *batch) {
  uint32_t left = access_together(batch, update_alike(batch));
  for (; left; left &= left - 1)
    access_strongly(batch, bits_first(left));
  if (sem_is_release(batch->access->sem))
    warp_tick(batch->race, batch->warp);
  warp_merge(&batch->race->heap, batch->warp);
}

void strong_access(const Batch *batch) {
  Batch some = *batch;
  EmuWarp emu = *batch->emu;
  bool is_summed_up = !batch->owner && summary_is_used(batch->race);
  emu.lanes = is_summed_up ? summary_add_strong(batch) : emu.lanes;
  some.emu = &emu;
  if (emu.lanes && (!is_summed_up || summary_close_lanes(&some, emu.lanes)))
    access_all(&some);
}
