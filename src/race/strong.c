// Strong accesses of a warp's lanes, one by one where they cannot be told together.
#include "race/strong.h"

#include "base/bits.h"
#include "race/summary.h"
#include "race/weak.h"

static const Location *find_released(const Batch *batch, const Place *place) {
  return sync_find_released(place, batch->info >> INFO_VOLATILE & 1);
}

// What the load observes: that of the newest write, or of the older one that it has read.
static RecordSet *observe(const Batch *batch, const Place *place, const PastWrite *older) {
  if (!older)
    return sync_observe(batch->race, batch->block, find_released(batch, place),
                        batch->access->scope);
  if (!older->records || !scopes_are_mutual(batch->race, batch->access->scope, batch->block->number,
                                            older->scope, older->thread >> SLOT_BITS))
    return NULL;
  return released_keep(older->records);
}

// Lanes of a group, at one address, whose read or atomic it is: before the access is remembered,
// and behind that. What the read took is handed over.
static RecordSet *acquire(const Batch *batch, uint32_t lanes, const Place *place,
                          const PastWrite *older, bool *is_all) {
  RecordSet *records = observe(batch, place, older);
  *is_all = sync_read(batch->race, batch->emu, lanes, place, batch->access, records);
  return records;
}

static void pass_on(const Batch *batch, uint32_t lanes, const Place *place, bool is_write,
                    RecordSet *records) {
  Race *race = batch->race;
  const EmuAccess *access = batch->access;
  if (!race->options.is_cuda)
    sync_learn_fences(race, batch->emu, lanes, place, is_write);
  if (is_write)
    sync_write(race, batch->emu, lanes, place, access->sem, access->scope, records);
  else
    released_drop(&race->heap, records);
  if (!race->options.is_cuda)
    sync_tell_fences(race, batch->emu, lanes, place, access->kind != EMU_WRITE, is_write);
}

static void access_strongly(const Batch *batch, uint32_t lane) {
  Race *race = batch->race;
  const EmuAccess *access = batch->access;
  Place place = batch_place(batch, lane);
  RecordSet *records = NULL;
  const PastWrite *older = weak_choice(race, lane);
  const Location *location = find_released(batch, &place);
  bool has_release = older ? older->records != NULL : location && location->records;
  bool is_all = true;
  if (access->kind != EMU_WRITE)
    records = acquire(batch, 1u << lane, &place, older, &is_all);
  Accessor accessor = batch_accessor(batch, 1u << lane);
  accessor.is_write =
      access->kind == EMU_WRITE || (access->kind == EMU_ATOMIC && (access->wrote >> lane & 1));
  accessor.has_release = has_release;
  accessor.is_stale = older != NULL;
  accessor.is_narrow = !is_all && sem_is_acquire(access->sem);
  access_one(&accessor, &place);
  pass_on(batch, 1u << lane, &place, accessor.is_write, records);
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
  Place place = batch_place(batch, bits_first(lanes));
  // Their own writes do not end what they read.
  RecordSet *records = observe(batch, &place, NULL);
  if (!update_together(batch, group, place.address, lanes)) {
    released_drop(&batch->race->heap, records);
    return false;
  }
  sync_read(batch->race, batch->emu, lanes, &place, batch->access, records);
  pass_on(batch, lanes, &place, true, records);
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

// Reads that are remembered already, or need not be: what is left is what they acquire.
static void acquire_only(const Batch *batch, uint32_t lanes) {
  bool is_same = batch->access->shape == EMU_SHAPE_SAME, is_all;
  for (uint32_t some; lanes; lanes &= ~some) {
    uint32_t lane = bits_first(lanes);
    some = is_same ? lanes & warp_group(batch->warp, lane)->lanes : 1u << lane;
    Place place = batch_place(batch, lane);
    RecordSet *records = acquire(batch, some, &place, NULL, &is_all);
    pass_on(batch, some, &place, false, records);
  }
  warp_merge(&batch->race->heap, batch->warp);
}

void strong_access(const Batch *batch) {
  Batch some = *batch;
  EmuWarp emu = *batch->emu;
  uint32_t lanes = emu.lanes;
  bool is_summed_up = !batch->owner && summary_is_used(batch->race);
  emu.lanes = is_summed_up ? summary_add_strong(batch) : emu.lanes;
  some.emu = &emu;
  if (batch->access->kind == EMU_READ && emu.lanes != lanes)
    acquire_only(batch, lanes & ~emu.lanes);
  if (emu.lanes && (!is_summed_up || summary_close_lanes(&some, emu.lanes)))
    access_all(&some);
}
