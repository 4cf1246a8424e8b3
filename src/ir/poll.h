// Loops that wait for what a load sees.
#ifndef WARPSAN_IR_POLL_H
#define WARPSAN_IR_POLL_H

#include "ir/ir.h"

// Is instruction `place`, a load or an atomic, a poll: does what it sees decide whether the
// innermost loop around it goes on, or whether the thread enters a loop that nothing ends? A load
// of data within a loop over data is none.
bool poll_is_at(const Instruction *instructions, uint32_t count, uint32_t place);
// Does the innermost loop around the instruction have a barrier of the block, or an mbarrier?
// Threads of the block then do not poll for each other: the barrier is to hand over what they look
// at.
bool poll_meets_block(const Instruction *instructions, uint32_t count, uint32_t place);

#endif
