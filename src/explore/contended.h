// What is found out about a kernel while exploring, and makes the search start again: locations on
// which atomics cannot be left unordered, waits that may fail, loops that may never end. Internal
// to explore.
#ifndef WARPSAN_EXPLORE_CONTENDED_H
#define WARPSAN_EXPLORE_CONTENDED_H

#include "base/array.h"

#include <stdbool.h>

typedef struct ContendedLocation {
  uint64_t address; // physical
  bool is_crowded;  // many atomics: if the search gets long, their orders are not all tried
  bool is_sampled;  // one order is explored, and the result is incomplete
} ContendedLocation;

// A test of an mbarrier's phase whose failure does more than to try again.
typedef struct FallibleTest {
  const struct Instruction *test;
  uint32_t thread; // the first that came to it
} FallibleTest;

#define CONTENDED_ANY_THREAD UINT32_MAX

enum { CONTENDED_MOST_TIMED = 8 };

// Who goes first at mbarriers.
typedef enum Pace {
  PACE_EAGER,     // each thread runs as far as it can
  PACE_LEISURELY, // phases end when nobody can do anything else
  PACE_LATE_TESTS // threads that wait go on when nobody can do anything else
} Pace;

typedef struct Contended {
  Arena *arena;
  ARRAY(FallibleTest) tests;
  // Which tests fail where they may, and of which thread. None fails twice on end.
  bool tests_fail;
  const struct Instruction *failing_test; // NULL: all of them
  uint32_t failing_thread;                // or CONTENDED_ANY_THREAD
  // Threads that look at a clock, and of whom (or of CONTENDED_ANY_THREAD) time passes meanwhile.
  uint32_t timed_threads[CONTENDED_MOST_TIMED], timed_thread_count;
  bool time_passes;
  uint32_t timed_thread;
  Pace pace;
  bool phases_race; // a test and the end of a phase that follows it are not ordered
  ARRAY(ContendedLocation) locations;
  bool blocks_descend; // where not all blocks fit, those with the highest numbers start
  bool keeps_polls;    // atomics that change nothing are explored as what they are
  bool was_sampled;    // a look at a sampled location was explored
  bool has_cut;        // a loop ran into the limit of --unroll
} Contended;

// More atomics than this on one location make it crowded.
enum { CONTENDED_MOST_ATOMICS = 6 };
// Steps of a search of a small kernel after which crowded locations are sampled; each step of a
// larger one costs more.
enum { CONTENDED_MOST_STEPS = 1 << 22, CONTENDED_SMALL_CAPACITY = 64 };

#endif
