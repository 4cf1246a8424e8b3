// Locations of a kernel on which atomics cannot be left unordered, found while exploring: the
// search then starts again. Internal to explore.
#ifndef WARPSAN_EXPLORE_CONTENDED_H
#define WARPSAN_EXPLORE_CONTENDED_H

#include "base/array.h"

#include <stdbool.h>

typedef struct Contended {
  Arena *arena;
  ARRAY(uint64_t) addresses; // physical
} Contended;

#endif
