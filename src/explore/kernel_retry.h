// Loads that a kernel's thread waits for, as they stood when it began to wait. What the thread
// would do with another value can be tried from there. Internal to explore.
//
// Two reductions rest on that. Both compare what the thread is after a load and the arithmetic and
// branches that follow it, up to its next event: where it is, and the values of all registers that
// it may still look at.
//
// Dropped polls. A thread polls one location by several loads that change nothing between them, or
// by atomics of which the failing ones write back what they read, and
// leaves by a later one, in the state in which an earlier one would have let it go if it had seen
// the same write. Taking out the earlier ones leaves an execution that is allowed (reads and fences
// only add constraints, and who has read what a poll wrote back finds the same in what that had
// read), in which every thread does the same: it is explored through the earlier
// load's sources. So loops that count how often they polled, and loops that a compiler has
// unrolled, cost nothing. The two loads have to stand on one line, or a race would change its
// place.
//
// A compare-and-swap that fails is such a load, and the next one, with what that has found, is in
// the state in which it would be if the earlier one had found it; or if the load before the loop
// had, which orders no more. (Whoever races with the failed attempt races with that load, too.) So
// threads that add by compare-and-swap fail in vain only where that makes a difference.
//
// Late sources. A load sees a write, and is in the state in which it would be if it had seen an
// earlier one that it may see too. If seeing the earlier one synchronises with nothing more, the
// execution in which it does so has the same values and no more order: no finding and no outcome is
// only in the other. What follows has to be known already: the past of the load is closed, and no
// order of fence.sc can make it see more, since the fences in its past are ordered before every
// write that it skips.
//
// Neither may take away the execution in which somebody waits for ever: if the thread went round a
// loop, nothing is left out, but for polls that found different writes. The execution without the
// first has one event less, and in it the thread can wait for ever as well.
//
// Postponed sources. This one leaves nothing out; it puts choices in an order in which those that
// lead nowhere show at once. Unlike a compare-and-swap, an exchange has its write from the
// beginning. If threads take a lock by exchanges, each could read from any other one's before it is
// known who has the lock, and in each of these chains all but the first thread fail. So an exchange
// does not read from another one whose own read is open: that source is left to the deferral, which
// keeps it, and counts once the read has its source. As before, the alternatives exclude each
// other, and they are all there are: the value of such a write is not known before its read is
// decided, so whoever reads from it learns its value after that one does. Take an execution, and
// decide its reads in an order in which their values may become known. A thread waits for values
// only, so what it does is there as early as ever; and the read whose turn it is has its source,
// whose value is known. Exchanges that are awaited still see those that would leave another value,
// as a release of the lock does: they are not of those that go round in vain.
#ifndef WARPSAN_EXPLORE_KERNEL_RETRY_H
#define WARPSAN_EXPLORE_KERNEL_RETRY_H

#include "explore/search.h"

void polls_init(Search *search);
// Notes the thread that waits for `read`, which is to be decided, if it does so at a plain point.
void polls_note(Search *search, uint32_t read);
// Does the load look again where the thread's last one, which it waited for, has looked?
bool polls_are_repeated(const Search *search, uint32_t read);
// A thread wakes, since the load that it waited for last is known. False: another execution stands
// for this one.
bool polls_are_worth_it(Search *search, uint32_t thread);
// Would it be in vain for `read`, which has a source, to wait for the new write instead?
bool polls_offer_is_vain(Search *search, uint32_t read, uint32_t write);
// Is the read an exchange's, of which sources may be postponed?
bool polls_may_postpone(const Search *search, uint32_t read);
// Takes sources of `read` away that are left to its deferral for now, and adds them to `postponed`,
// unless that is NULL. False: there are none.
bool polls_postpone(const Search *search, uint32_t read, uint64_t *sources, uint64_t *postponed);

#endif
