// What loads, stores, atomics and asynchronous copies share. Internal to emu.
#ifndef WARPSAN_EMU_ACCESS_H
#define WARPSAN_EMU_ACCESS_H

#include "emu/memory.h"

uint64_t emu_read(const Target *target, uint64_t address, uint32_t lane, uint32_t size);
void emu_write(const Target *target, uint64_t address, uint32_t lane, uint32_t size,
               uint64_t value);
void emu_define_lanes(const Part *part, const uint64_t *addresses, uint32_t lanes, uint32_t size);

// An access as the instruction says it, for watchers; and telling them.
EmuAccess emu_access_of(const Instruction *instruction, EmuAccessKind kind);
void emu_show(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
              EmuAccess access);

#endif
