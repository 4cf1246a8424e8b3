// Strong accesses: what they release, observe and acquire, besides being accesses. Internal to
// race.
#ifndef WARPSAN_RACE_STRONG_H
#define WARPSAN_RACE_STRONG_H

#include "race/update.h"

void strong_access(const Batch *batch);

#endif
