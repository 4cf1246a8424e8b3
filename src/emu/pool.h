// The OS threads that run the blocks of a round. Internal to emu.
#ifndef WARPSAN_EMU_POOL_H
#define WARPSAN_EMU_POOL_H

#include "emu/machine.h"

void emu_start_workers(Emu *emu);
// Every resident block runs for its share of the round.
void emu_run_round(Emu *emu);
void emu_stop_workers(Emu *emu);

#endif
