// Loops in which nothing changes. Internal to emu.
#ifndef WARPSAN_EMU_LOOP_H
#define WARPSAN_EMU_LOOP_H

#include "emu/machine.h"

enum { LOOP_MOST_LEAPS = 40 }; // of a clock, each twice as far as the one before

// The running group goes back to `target` from the op before worker->pc. Called while the emulator
// looks for endless loops.
void emu_note_loop(Worker *worker, uint32_t target);
// Between rounds: watches loops now and then as long as nothing changes that others could see.
// True: all that runs are loops that have come back to a state they were in; so nothing ever will.
bool emu_is_stuck_in_loops(Emu *emu, bool has_changed);

#endif
