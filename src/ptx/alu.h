// From an arithmetic instruction of PTX to the operation that computes it (ir/alu.h).
//
// Operands of `alu_compute` are the PTX source operands in their order, with these exceptions:
//   - the elements of a source vector {a, b, ...} of a mov are operands of their own;
//   - the truth table of lop3 is part of the operation, and so is every `!` before a predicate
//     (ALU_NEGATED) and every part such as .b0 or .h1 of a video instruction;
//   - the carry flag, where it is read (addc, subc, madc), is one more operand, the last one.
// Results are the PTX destinations in their order: d; the elements of a destination vector of a
// mov; p and q of p|q (setp, and lop3 with a Boolean operation); then the carry flag, where it is
// written (.cc).
#ifndef WARPSAN_PTX_ALU_H
#define WARPSAN_PTX_ALU_H

#include "ir/alu.h"
#include "ptx/modifiers.h"
#include "ptx/ptx.h"

typedef enum PtxAluResult {
  PTX_ALU_OK,
  PTX_ALU_OTHER,       // not an arithmetic instruction
  PTX_ALU_UNSUPPORTED, // `unsupported` names what is unknown: a modifier, a type, "operands" ...
} PtxAluResult;

// The operation of an instruction whose modifiers were decoded. `unsupported` gets a text that
// lives as long as the module.
PtxAluResult ptx_decode_alu(const PtxModule *module, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers, AluOperation *operation,
                            const char **unsupported);

// Bits of each operand and result. Operands may be wider registers: alu_compute looks at these bits
// only. Results fill their register, also a wider one (cvt extends its result to the width of the
// register that the instruction names).
typedef struct PtxAluWidths {
  uint32_t operand_count, result_count;
  uint8_t operand_bits[ALU_MAX_OPERANDS];
  uint8_t result_bits[ALU_MAX_RESULTS];
} PtxAluWidths;

PtxAluWidths ptx_alu_widths(const AluOperation *operation);

// The PTX operand that is operand or result `i` of the operation; NULL for the carry flag.
const PtxOperand *ptx_alu_operand(const PtxModule *module, const PtxInstruction *instruction,
                                  const AluOperation *operation, uint32_t i);
const PtxOperand *ptx_alu_result(const PtxModule *module, const PtxInstruction *instruction,
                                 const AluOperation *operation, uint32_t i);

// The bits of a constant operand where a value of this type is wanted: floating-point constants
// are converted to the format (PTX ISA "Floating-Point Constants").
uint64_t ptx_alu_constant(const PtxOperand *operand, AluType type);

#endif
