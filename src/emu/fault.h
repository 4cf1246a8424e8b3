// What goes wrong while code runs. Internal to emu.
#ifndef WARPSAN_EMU_FAULT_H
#define WARPSAN_EMU_FAULT_H

#include "emu/machine.h"

// Notes a fault of these lanes at the op; the first of them is shown. `other`: a second place.
void emu_fault(Worker *worker, const Op *op, RuleNumber rule, uint32_t lanes,
               const Instruction *other);
// Of an access to `size` bytes at an address, in an address space.
void emu_fault_at(Worker *worker, const Op *op, RuleNumber rule, uint32_t lanes, uint64_t address,
                  uint32_t size, Space space);
// Of a block, by a thread of it that the worker does not run.
void emu_fault_of(Block *block, const Instruction *instruction, RuleNumber rule, uint32_t thread,
                  const Instruction *other);

// Takes over the faults of a block, in the order that counts.
void emu_collect_faults(Emu *emu, Block *block);
// Appends them all as findings.
void emu_report_faults(Emu *emu, DiagList *findings);
// Appends what threads wait for that nothing will bring.
void emu_report_stuck(Emu *emu, DiagList *findings);

#endif
