// Atomics that follow on each other and could as well have come the other way round. Internal to
// explore.
//
// Atomic B of one thread reads what atomic A of another wrote. If nobody else ever reads that,
// exchanging the two leaves an execution that is explored as well; of such a pair the one is kept
// in which the thread with the lower number comes first (so that no two executions stand for each
// other: each exchange takes an inversion away). The execution is dropped if the other is allowed
// and finds at least as much:
// - the operations commute, so all who come later find the same value;
// - each of the two threads does the same with what it would read then. That is tried from behind
//   the atomic, beside what the thread really did, until no register that it may still look at
//   differs: so a thread that only asks whether it came last may be exchanged, too;
// - the other execution orders no more: what B releases is ordered before what A acquires already,
//   as it is where both wait for all, A is not ordered before B, and the fence.sc before B come
//   before those behind A anyway;
// - B does not depend on A in another way, as it may if both are of one warp, and B's thread has
//   waited for its lanes at a collective.
// That nobody reads what lies between is known when every thread that still runs has seen more, so
// the order of arrival at one barrier is forgotten before the next.
#ifndef WARPSAN_EXPLORE_KERNEL_SWAP_H
#define WARPSAN_EXPLORE_KERNEL_SWAP_H

#include "explore/search.h"

void swaps_init(Search *search);
// An atomic with a result has been added; the registers are those behind it, at instruction `pc`.
void swaps_note(Search *search, uint32_t thread, uint32_t read, uint64_t pc);
// The read half of an atomic has been given a source.
void swaps_note_source(Search *search, uint32_t read, uint32_t source);
// False: another execution stands for this one.
bool swaps_are_canonical(Search *search);

#endif
