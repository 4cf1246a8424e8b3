// A thread of a guest as far as it has come. Internal to guest.c and guest_ahead.c.
#ifndef WARPSAN_EXPLORE_GUEST_H
#define WARPSAN_EXPLORE_GUEST_H

#include "explore/guest_tree.h"
#include "explore/search.h"

typedef struct StepValues {
  uint64_t result;   // value + 1, when the step is over; 0: it has none
  uint64_t stored;   // value + 1 that it stores if that depends on open reads, else 0
  ValueTable *table; // for `stored`; kept for the next one
} StepValues;

// Words change through the trail.
struct GuestThread {
  uint64_t issued;    // steps that have begun
  uint64_t over;      // of these, whose instructions are over
  uint64_t completed; // of these, whose results are known, as are all before
  uint64_t node;      // of the tree, behind the completed steps
  uint64_t *visits;   // of each site: operations that had a choice
  GuestStep *steps;   // appended
  StepValues *values; // of each step
  uint32_t capacity, value_capacity;
};

// The events of a thread at a moment that the result of a round stands for.
enum { GUEST_EFFECT_SHIFT = 32 };
static inline uint64_t guest_moment_position(uint64_t moment) {
  return moment & ((1ull << GUEST_EFFECT_SHIFT) - 1);
}

// Makes room for the step that comes next.
void guest_reserve_step(Search *search, GuestThread *guest);
// Is the result of a step that is over known?
bool guest_step_is_known(const Search *search, const GuestThread *guest, uint32_t step,
                         uint64_t *result);

// guest_ahead.c
// May the thread go on behind the step whose instruction is over, though the value of its read is
// not known?
bool guest_may_leave_open(Search *search, uint32_t thread, ValueId value);
// The operation that follows whatever the open reads return. False: it depends on them. `stored` as
// in StepValues.
bool guest_find_independent(Search *search, uint32_t thread, GuestOperation *operation,
                            uint64_t *stored);

#endif
