// The life of an mbarrier ends by `mbarrier.inval`. Operations on the object come before it if they
// do by causality order; a collective of the warp counts for this, too, although it orders no
// memory: when lanes meet, what each has done at the object is over, and whoever is ordered behind
// one of them may end its life (docs/differences.md).
#include "race/barrier.h"

#include "base/bits.h"

static bool is_mbarrier(const Instruction *instruction, bool is_end) {
  return instruction && instruction->op == IR_MBARRIER &&
         (is_end ? instruction->mbarrier == MBARRIER_INVALIDATE
                 : instruction->mbarrier > MBARRIER_INVALIDATE);
}

// Has the accessor any of the lanes behind it, at the time or later?
static bool knows_one(const Accessor *accessor, uint32_t warp, uint32_t lanes, uint32_t time) {
  for (; lanes; lanes &= lanes - 1)
    if (access_knows_thread(accessor, accessor->block->number, warp << 5 | bits_first(lanes), time))
      return true;
  return false;
}

bool life_is_over(const Accessor *accessor, const Entry *entry, uint32_t block, uint32_t slot) {
  if (!is_mbarrier(accessor->instruction, true) || block != accessor->block->number ||
      !is_mbarrier(race_instruction(accessor->race, entry->info), false))
    return false;
  const Warp *warp = &accessor->block->warps[slot >> 5];
  uint32_t reached = 1u << (slot & 31);
  for (uint32_t i = 0; warp->meetings && i < WARP_MEETINGS; i++) {
    const Meeting *met = &warp->meetings[(warp->meeting_count + i) % WARP_MEETINGS];
    if (!(met->lanes & reached) || met->time < entry->time)
      continue;
    reached |= met->lanes;
    if (knows_one(accessor, slot >> 5, met->lanes, met->time + 1))
      return true;
  }
  return false;
}

void life_meet(Race *race, const EmuWarp *emu) {
  Warp *warp = warp_of(emu);
  if (!warp->meetings)
    warp->meetings = heap_take_cleared(&race->heap, WARP_MEETINGS * sizeof *warp->meetings);
  const Meeting *last = &warp->meetings[(warp->meeting_count + WARP_MEETINGS - 1) % WARP_MEETINGS];
  if (last->lanes == emu->lanes && warp->accessed <= last->time)
    return; // the lanes have met since they did anything
  warp->meetings[warp->meeting_count++ % WARP_MEETINGS] = (Meeting){emu->lanes, warp->now};
  warp_tick(race, warp);
}
