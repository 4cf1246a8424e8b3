// Barriers of blocks and clusters. Internal to emu.
#ifndef WARPSAN_EMU_BARRIER_H
#define WARPSAN_EMU_BARRIER_H

#include "emu/machine.h"

// Lanes of the running warp have exited: barriers that waited for them may be complete.
void emu_note_exits(Worker *worker, uint32_t lanes);
// Between rounds: completes the barriers of clusters all of whose threads have arrived or exited.
void emu_check_cluster(Worker *worker, Cluster *cluster);

#endif
