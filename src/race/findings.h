// Races as they are found, collected by pairs of places. Internal to race.
#ifndef WARPSAN_RACE_FINDINGS_H
#define WARPSAN_RACE_FINDINGS_H

#include "base/rules.h"
#include "race/race.h"

#include <stdatomic.h>

// One of the two accesses, as the first race of its kind showed them.
typedef struct RaceSide {
  const Instruction *instruction;
  uint32_t grid, block_in_grid, thread; // thread in the block
  bool is_write, is_copy;               // is_copy: by an asynchronous operation of the thread
  const Instruction *flag;              // its part in a flag that was to order the two, or NULL
} RaceSide;

typedef struct RaceFinding {
  RuleNumber rule, sub; // sub: RULE_COUNT if there is none
  RaceSide sides[2];    // a write first
  uint64_t address;     // of a byte that both touch; of shared memory: the offset
  bool is_shared;
  bool is_reuse;  // an asynchronous write over what an ordinary access has read
  uint64_t count; // pairs of threads
} RaceFinding;

enum { MOST_FINDINGS = 2048 };

// A vector that one thread stores and another loads, by strong accesses that nothing orders: the
// first such pair of places in the program. No race, but each element is an access of its own.
typedef struct VectorPair {
  const Instruction *store, *load; // NULL: there is none
  uint32_t store_place, load_place;
} VectorPair;

struct RaceFindings {
  atomic_flag lock;
  RaceFinding *items; // MOST_FINDINGS
  uint32_t count;
  uint64_t left_out; // pairs of places beyond
  bool is_cuda;
  VectorPair vector;
};

// Adds one more or counts it.
void findings_add(RaceFindings *findings, const RaceFinding *found);
void findings_note_vector(RaceFindings *findings, const VectorPair *pair);

#endif
