// What a machine (docs/machine.md) cannot make atomic beyond a device: strong accesses at system
// scope then count as ones at the scope of the device. Internal to race.
#ifndef WARPSAN_RACE_LIMITS_H
#define WARPSAN_RACE_LIMITS_H

#include "race/state.h"

// Lanes whose access is atomic within their device only.
uint32_t limits_lanes(Race *race, const EmuWarp *warp, const EmuAccess *access);
// Reports what the host accesses while a kernel may run on a device that does not allow it.
void limits_check_host(Race *race, const EmuWarp *warp, const EmuAccess *access);
// Are the accesses, at the scopes that the instructions say, atomic toward each other but for the
// machine? requires: at the scopes of the infos they are not.
bool limits_are_cause(const Race *race, const Instruction *a, uint32_t a_info, uint32_t a_block,
                      const Instruction *b, uint32_t b_info, uint32_t b_block);
// Why an access of the finding is not atomic; NULL: neither of the two, but a flag is not.
const char *limits_reason(const Program *program, const RaceFinding *found, Arena *arena);

#endif
