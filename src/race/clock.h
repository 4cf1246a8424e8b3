// What is known to have happened: for each thread of the program a time, up to which its accesses
// are ordered before a point. Clocks are trees of blocks, warps and lanes in which equal parts are
// held once: a node's `base` holds for everything below it, so that a block whose threads are known
// to one time takes one node, and clocks that have a part in common share it. Nodes never change
// once they are shared; they count their references. Internal to race.
#ifndef WARPSAN_RACE_CLOCK_H
#define WARPSAN_RACE_CLOCK_H

#include "race/heap.h"

enum {
  CLOCK_FANOUT = 32,
  CLOCK_ALL_LANES = -1,
};

// Known for good: the grid has ended. No access has this time.
#define CLOCK_FOREVER UINT32_MAX

typedef struct ClockNode ClockNode; // NULL: nothing is known

// Threads are named by their block and slot: 32 * warp + lane.
uint32_t clock_time(const ClockNode *clock, uint32_t block, uint32_t slot);
// The least time of the lanes of a warp in the mask, which is not empty.
uint32_t clock_least(const ClockNode *clock, uint32_t block, uint32_t warp, uint32_t lanes);

// What is known of all threads of a block, as far as one number tells it.
uint32_t clock_base(const ClockNode *clock, uint32_t block);

// Are the threads of blocks `first` to `end` - 1, which have `threads` each, known up to the time?
bool clock_knows_blocks(const ClockNode *clock, uint64_t first, uint64_t end, uint32_t threads,
                        uint32_t time);

// Is nothing known of threads of other blocks?
bool clock_is_of_block(const ClockNode *clock, uint32_t block);

// The largest time of the threads of a block.
uint32_t clock_latest(const ClockNode *clock, uint32_t block);

// The first thread with a time, in their order, that is wanted; false: there is none.
typedef bool ClockWanted(const void *context, uint32_t block, uint32_t slot, uint32_t time);
bool clock_find(const ClockNode *clock, ClockWanted *is_wanted, const void *context,
                uint32_t *block, uint32_t *slot);

ClockNode *clock_keep(ClockNode *clock); // one more reference
void clock_drop(Heap *heap, ClockNode *clock);
// Replaces *into, which owns a reference.
void clock_join(Heap *heap, ClockNode **into, ClockNode *other);
void clock_add_lanes(Heap *heap, ClockNode **into, uint32_t block, uint32_t warp, uint32_t lanes,
                     uint32_t time);
// The same, but each lane has a time that is larger by one than that of the lane before in the
// mask.
void clock_add_series(Heap *heap, ClockNode **into, uint32_t block, uint32_t warp, uint32_t lanes,
                      uint32_t first_time);
void clock_add_block(Heap *heap, ClockNode **into, uint32_t block, uint32_t time);
void clock_add_blocks(Heap *heap, ClockNode **into, uint32_t first, uint32_t count, uint32_t time);
// Takes away what is known of one block.
void clock_forget_block(Heap *heap, ClockNode **into, uint32_t block);
// The same of blocks first, first + 1, ..., as far as it is known of them alone.
void clock_forget_blocks(Heap *heap, ClockNode **into, uint32_t first, uint32_t count);
// Is all that the second knows known to the first? May say no although it is.
bool clock_covers(const ClockNode *clock, const ClockNode *other);
// The bytes that the clock's nodes take, each counted once for each way to it; for tests.
size_t clock_bytes(const ClockNode *clock);

#endif
