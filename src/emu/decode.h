// What the passes that decode a kernel share. Internal to emu.
#ifndef WARPSAN_EMU_DECODE_H
#define WARPSAN_EMU_DECODE_H

#include "emu/machine.h"

#include "base/bits.h"

typedef struct Decoder {
  const KernelCode *kernel;
  EmuCode *code;
  Arena *arena;
  bool *is_target;  // of each instruction, and of the end
  uint32_t *guards; // of each instruction: the branch that guards it, UINT32_MAX: none
  uint32_t *op_of;  // of each instruction, and of the end: index of its Op
  uint8_t *classes; // of each slot
  Value *places;    // of each slot
  Ref sinks[CLASS_64 + 1];
} Decoder;

// Registers that an instruction reads (its operands and its address) and writes.
enum { MOST_USES = 6, MOST_DEFINITIONS = 4 };
uint32_t decode_uses(const Instruction *instruction, uint32_t uses[MOST_USES]);
uint32_t decode_definitions(const Instruction *instruction, uint32_t registers[MOST_DEFINITIONS]);

// Space for a value of that class.
Ref decode_reserve(Decoder *decoder, RegisterBase base, RegisterClass class);

// Gives each register that code writes or reads a place; those that are never alive at the same
// time may share one. requires: `guards` and `classes` are set. leaves: `places` of plain
// registers.
void decode_place_registers(Decoder *decoder);

#endif
