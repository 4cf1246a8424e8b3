// The set of final states met so far, with the number of executions in which each is possible.
#ifndef WARPSAN_EXPLORE_OUTCOMES_H
#define WARPSAN_EXPLORE_OUTCOMES_H

#include "base/array.h"
#include "base/bits.h"

struct Outcomes {
  Arena *arena;
  uint32_t column_count;
  int64_t *values; // rows of column_count, in the order of their first occurrence
  uint64_t *counts;
  uint32_t count, capacity;
  uint32_t *slots; // open addressing: row + 1
  uint32_t slot_count;
  // Signatures of the executions met, to count those met twice.
  uint64_t *signatures;
  uint32_t signature_count, signature_slots;
};

typedef struct Outcomes Outcomes;

enum { OUTCOMES_SIGNATURE_LIMIT = 1 << 16 };

void outcomes_init(Outcomes *outcomes, uint32_t column_count, Arena *arena);
// Counts one more execution with these values; returns the row.
uint32_t outcomes_add(Outcomes *outcomes, const int64_t *values, uint64_t executions);
// False: an execution of this signature has been met. Only the first OUTCOMES_SIGNATURE_LIMIT are
// remembered.
bool outcomes_remember(Outcomes *outcomes, uint64_t signature);

static inline bool outcomes_can_remember(const Outcomes *outcomes) {
  return outcomes->signature_count < OUTCOMES_SIGNATURE_LIMIT;
}

void outcomes_merge(Outcomes *into, const Outcomes *from, uint64_t *duplicates);

#endif
