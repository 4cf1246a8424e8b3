// Readers of a word that are several, at several places of the code or times. A pattern tells them
// from the lowest of their threads on, and times from the newest one back, so that neighbouring
// words share a pattern: those of a stencil, a halo, a window that moves over its data, but for
// their edges, have a few. What adding a read to a pattern gives is remembered. Shared patterns
// never change and last as long as the detector; of words that are like no others - few share what
// is read at random places - each has its own. Internal to race.
#ifndef WARPSAN_RACE_PATTERN_H
#define WARPSAN_RACE_PATTERN_H

#include "race/heap.h"

enum { MOST_MEMBERS = 64, PATTERN_BUCKETS = 1 << 13, STEP_BUCKETS = 1 << 16 };

// Threads of one block that read by one instruction at one time: `warps` times `lanes`, from the
// lowest one on.
typedef struct PatternMember {
  uint32_t delta; // its lowest thread, from that of the pattern on
  uint32_t warps, lanes;
  uint32_t info; // as in Entry
  uint32_t age;  // before the pattern's newest read
} PatternMember;

typedef struct Pattern {
  struct Pattern *next; // of its bucket
  uint32_t hash;
  uint32_t count;
  uint32_t capacity; // 0: shared between words; else of one word
  uint32_t oldest;   // age of its oldest member
  PatternMember members[];
} Pattern;

// A read that is added, by lanes of one warp. Differences are signed. An older one by the same
// lanes is left out.
typedef struct PatternRead {
  uint32_t delta; // its lowest thread less that of the pattern
  uint32_t lanes, info;
  uint32_t later; // its time less that of the pattern's newest read
  uint32_t slot;  // of several lanes: that of the pattern's lowest thread; else 0
  uint32_t warps; // of the first read of a pattern; else 0
  uint64_t known; // members for which it stands: they are left out
} PatternRead;

// What adding gives; the new pattern's lowest thread and newest time, less the old one's.
typedef struct PatternStep {
  const Pattern *from, *to;
  PatternRead read;
  uint32_t thread_change, time_change;
  struct PatternStep *next; // of its bucket
} PatternStep;

typedef struct PatternTable {
  _Atomic(PatternStep *) steps[STEP_BUCKETS];
  Pattern *patterns[PATTERN_BUCKETS];
} PatternTable;

typedef struct Patterns {
  atomic_flag lock;
  uint32_t made;                 // steps
  _Atomic(PatternTable *) table; // NULL: there are none yet
} Patterns;

// Reads by one instruction at one time. NULL: there are too many patterns already.
const Pattern *pattern_of_one(Patterns *patterns, Heap *heap, uint32_t warps, uint32_t lanes,
                              uint32_t info);
// `words`: how many words take the step. NULL: the pattern would be too large, or there are too
// many already.
const PatternStep *pattern_add(Patterns *patterns, Heap *heap, const Pattern *from,
                               const PatternRead *read, uint32_t words);
// The same for one word, whose own pattern it gives; the old one is given back if it was its own.
Pattern *pattern_add_own(Heap *heap, const Pattern *from, const PatternRead *read,
                         PatternStep *step);
// If it is one word's own.
void pattern_give(Heap *heap, const Pattern *pattern);

#endif
