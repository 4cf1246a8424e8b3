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

// Takes each of the lanes into one segment; there are at most 32. The access is of whole words.
uint32_t segments_find(const EmuAccess *access, uint32_t lanes, bool has_avx2, Segment *segments);

#endif
