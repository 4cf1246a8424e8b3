// Loops with side effects that never end although every thread goes on. Internal to explore.
#ifndef WARPSAN_EXPLORE_LIVELOCK_H
#define WARPSAN_EXPLORE_LIVELOCK_H

#include "base/diag.h"
#include "explore/code.h"

// Reports the first livelock among the interleavings of the program's threads, which are
// executions of every model that is no stronger than sequential consistency. What is found is
// certain; if nothing is found, weaker executions may still have one. `arena` is emptied again.
bool livelock_report(const Program *program, const Code *codes, Arena *arena, DiagList *findings);

// The same for a kernel, under a few schedules. False: nothing was found, which proves nothing.
bool kernel_livelock_report(const Program *program, const Code *codes, Arena *arena,
                            DiagList *findings);

#endif
