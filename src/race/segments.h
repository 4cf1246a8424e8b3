// The lanes of an access as few rows of consecutive words. Internal to race.
#ifndef WARPSAN_RACE_SEGMENTS_H
#define WARPSAN_RACE_SEGMENTS_H

#include "emu/emu.h"

// Lanes first, first + 1, ... (`count` of them), each with 1 << shift words that follow one
// another. `repeat`, shifted by its number, is the mask of the lanes that do the same as a lane,
// itself included: 1, unless lanes read the same words.
typedef struct Segment {
  uint32_t first, count, shift, repeat;
} Segment;

// What an instruction did before it mostly does again, at another place: how far its lanes are from
// the first one is kept with the segments that this gave, if they are few, or that there are many.
enum { PLANS = 64, PLAN_SEGMENTS = 4 };

typedef struct SegmentPlan {
  uint64_t distances[EMU_WARP_SIZE];
  uint32_t lanes, size;
  uint32_t count; // of segments; they are not kept if it is scattered
  bool is_scattered;
  EmuAccessKind kind;
  Segment segments[PLAN_SEGMENTS];
} SegmentPlan;

typedef struct SegmentPlans {
  uint32_t places[PLANS]; // of the instructions, and 1; 0: no plan
  SegmentPlan plans[PLANS];
} SegmentPlans;

// The same as segments_find. The result, in `segments` or in a plan, lasts until the next call.
// NULL: the lanes are better looked at one by one; each has words of its own, or is told apart from
// others that have the same.
const Segment *segments_plan(SegmentPlans *plans, uint32_t place, const EmuAccess *access,
                             uint32_t lanes, bool has_avx2, Segment *segments, uint32_t *count);
// Takes each of the lanes into one segment; there are at most 32. The access is of whole words.
uint32_t segments_find(const EmuAccess *access, uint32_t lanes, bool has_avx2, Segment *segments);

#endif
