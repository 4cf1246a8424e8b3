// The opaque state that an arrival at an mbarrier gives (PTX ISA, "mbarrier.arrive"): the phase
// that it counted for and, of one that does not complete the phase (.noComplete), how many arrivals
// were pending before it, which `mbarrier.pending_count` tells.
#ifndef WARPSAN_IR_MBARRIER_H
#define WARPSAN_IR_MBARRIER_H

#include "ir/ir.h"

// Counts are below 2^20 (PTX ISA, "Contents of the mbarrier object").
enum { MBARRIER_MOST_ARRIVALS = (1 << 20) - 1, MBARRIER_PHASE_BITS = 40 };

static inline uint64_t mbarrier_state(const Instruction *arrival, uint64_t phase,
                                      uint64_t pending) {
  bool tells_pending = arrival->compare;
  return (phase & ((1ull << MBARRIER_PHASE_BITS) - 1)) |
         (tells_pending ? pending << MBARRIER_PHASE_BITS : 0);
}

// 0: the arrival was not one that tells.
static inline uint32_t mbarrier_state_pending(uint64_t state) {
  return (uint32_t)(state >> MBARRIER_PHASE_BITS) & MBARRIER_MOST_ARRIVALS;
}

// Is the phase over that a test asks for, `phase` being the current one?
static inline bool mbarrier_is_over(const Instruction *test, uint64_t wanted, uint64_t phase) {
  if (test->mbarrier == MBARRIER_TEST_PARITY)
    return (phase & 1) != (wanted & 1);
  return phase != (wanted & ((1ull << MBARRIER_PHASE_BITS) - 1));
}

#endif
