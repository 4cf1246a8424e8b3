// Atomics that are like those before them, of which there are many: counters. Internal to race.
#ifndef WARPSAN_RACE_UPDATE_H
#define WARPSAN_RACE_UPDATE_H

#include "race/access.h"
#include "race/row.h"

// The accesses of a warp's lanes by one instruction.
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

static inline uint64_t batch_address(const Batch *batch, uint32_t lane) {
  if (batch->access->shape == EMU_SHAPE_CONSECUTIVE)
    return batch->access->addresses[0] + (uint64_t)lane * batch->access->size;
  return batch->access->addresses[lane];
}

static inline Place batch_place(const Batch *batch, uint32_t lane) {
  return (Place){batch->shadow, batch->owner, batch->access->addresses[lane], batch->access->size};
}

// Of lanes with one address, or of one.
Accessor batch_accessor(const Batch *batch, uint32_t lanes);
// Checks and remembers what lanes do that needs no closer look; returns the others.
uint32_t update_alike(const Batch *batch);
// Remembers atomics of lanes of a group, all of which write the word of global memory, whatever
// they release. False: they need a closer look.
bool update_together(const Batch *batch, const Group *group, uint64_t address, uint32_t lanes);
// A plain read of a word that its block has counted in, before the last barrier. False: it needs a
// closer look.
bool update_read(Race *race, const Row *row, Cells *cells, uint32_t word, uint32_t lanes);

#endif
