// Arithmetic of a lane with the lanes of its warp, emitted piece by piece: what matrix instructions
// are taken apart into. Results are registers that are free again after `lane_begin` of the next
// instruction. Internal to lower*.c.
#ifndef WARPSAN_PTX_LOWER_LANE_H
#define WARPSAN_PTX_LOWER_LANE_H

#include "ir/alu.h"
#include "ptx/lower_code.h"

enum { LANE_MOST_REGISTERS = 128 }; // of one operand of a matrix instruction

typedef struct Lanes {
  Code *code;
  uint32_t used;  // registers of code->scratch
  Operand lane;   // %laneid
  Operand group;  // %laneid / 4: PTX ISA's groupID
  Operand member; // %laneid % 4: its threadID_in_group
} Lanes;

void lane_begin(Lanes *lanes, Code *code);

uint32_t lane_register(Lanes *lanes);
Operand lane_compute(Lanes *lanes, const AluOperation *operation, const Operand *operands);
void lane_compute_into(Lanes *lanes, uint32_t result, const AluOperation *operation,
                       const Operand *operands);
// Of type u32.
Operand lane_binary(Lanes *lanes, AluOp op, Operand a, Operand b);
// a * b + c, of type u32.
Operand lane_multiply_add(Lanes *lanes, Operand a, Operand b, Operand c);
// a * factor + b
Operand lane_scale(Lanes *lanes, Operand a, uint32_t factor, Operand b);
// The value of `source` in lane `from`, as 32 bits.
Operand lane_shuffle(Lanes *lanes, Operand source, Operand from);
// choice != 0 ? a : b
Operand lane_select(Lanes *lanes, Operand choice, Operand a, Operand b);
// A value of `bits` cut into `count` parts, lowest first, and back.
void lane_unpack(Lanes *lanes, Operand value, AluType type, uint32_t count, Operand *parts);
Operand lane_pack(Lanes *lanes, const Operand *parts, AluType type, uint32_t count);
Operand lane_convert(Lanes *lanes, Operand value, AluType to, AluType from);
void lane_move(Lanes *lanes, uint32_t to, Operand from);

// Values or destinations of {a, b, ...}, or of a single register; false: too many, or no registers.
bool lane_values(Lanes *lanes, const PtxOperand *operand, Operand *values, uint32_t *count);
bool lane_destinations(Lanes *lanes, const PtxOperand *operand, uint32_t *registers,
                       uint32_t *count);

// The number behind m, n or k in a shape such as m16n8k16; 0: there is none.
uint32_t lane_shape_size(const Code *code, const PtxModifiers *modifiers, char letter);

// A weak load or store of `size` bytes at a computed address.
Instruction *lane_access(Lanes *lanes, IrOp op, const PtxModifiers *modifiers, Operand address,
                         int64_t offset, uint32_t size);

#endif
