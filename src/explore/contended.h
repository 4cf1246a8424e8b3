// What is found out about a kernel while exploring, and makes the search start again: locations on
// which atomics cannot be left unordered, and waits that may fail. Internal to explore.
#ifndef WARPSAN_EXPLORE_CONTENDED_H
#define WARPSAN_EXPLORE_CONTENDED_H

#include "base/array.h"

#include <stdbool.h>

typedef struct ContendedLocation {
  uint64_t address; // physical
  // Too many atomics to try their orders: one order is explored, and the result is incomplete.
  bool is_sampled;
} ContendedLocation;

// A test of an mbarrier's phase whose failure does more than to try again.
typedef struct FallibleTest {
  const struct Instruction *test;
  uint32_t thread; // the first that came to it
} FallibleTest;

enum { CONTENDED_ANY_THREAD = UINT32_MAX };

typedef struct Contended {
  Arena *arena;
  ARRAY(FallibleTest) tests;
  // Which tests fail where they may, and of which thread. None fails twice on end.
  bool tests_fail;
  const struct Instruction *failing_test; // NULL: all of them
  uint32_t failing_thread;                // or CONTENDED_ANY_THREAD
  ARRAY(ContendedLocation) locations;
  bool blocks_descend; // where not all blocks fit, those with the highest numbers start
  bool was_sampled;    // a look at a sampled location was explored
} Contended;

enum { CONTENDED_MOST_ATOMICS = 6 }; // whose orders are all tried

#endif
