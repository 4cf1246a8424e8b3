// Locations of a kernel on which atomics cannot be left unordered, found while exploring: the
// search then starts again. Internal to explore.
#ifndef WARPSAN_EXPLORE_CONTENDED_H
#define WARPSAN_EXPLORE_CONTENDED_H

#include "base/array.h"

#include <stdbool.h>

typedef struct ContendedLocation {
  uint64_t address; // physical
  // Too many atomics to try their orders: one order is explored, and the result is incomplete.
  bool is_sampled;
} ContendedLocation;

typedef struct Contended {
  Arena *arena;
  ARRAY(ContendedLocation) locations;
  bool blocks_descend; // where not all blocks fit, those with the highest numbers start
  bool was_sampled;    // a look at a sampled location was explored
} Contended;

enum { CONTENDED_MOST_ATOMICS = 6 }; // whose orders are all tried

#endif
