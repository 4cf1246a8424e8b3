// Runs with a weak memory: a load may return an older value than the newest one, if coherence and
// causality (spec B.7) still allow that. Internal to race.
#ifndef WARPSAN_RACE_WEAK_H
#define WARPSAN_RACE_WEAK_H

#include "race/history.h"
#include "race/sync.h"

typedef struct Weak Weak;

Weak *weak_new(uint64_t seed, Arena *arena);

// A load is about to be shown: may replace what lanes have read, and returns which.
uint32_t weak_choose(Race *race, const EmuWarp *warp, const EmuAccess *access, uint64_t *values);
// The write that the lane's load has read instead of the newest one; NULL: the newest. Until
// weak_forget_choice.
const PastWrite *weak_choice(const Race *race, uint32_t lane);
void weak_forget_choice(Race *race);

// A write, before the detector has followed it, and behind that, of each lane that has written.
void weak_prepare_write(Race *race, const EmuWarp *warp, const EmuAccess *access);
void weak_add_write(Race *race, const EmuWarp *warp, const EmuAccess *access, uint32_t info,
                    uint32_t lane);
// An atomic that has read the newest write, and written nothing.
void weak_add_read(Race *race, const EmuWarp *warp, const EmuAccess *access, uint32_t lane);
// Asynchronous copies have written.
void weak_add_copy(Race *race, const EmuBlock *owner, uint64_t address, uint64_t bytes);

// A fence of sequential consistency: the order of these is that of the run.
void weak_order_fence(Race *race, const EmuWarp *warp, Scope scope);

#endif
