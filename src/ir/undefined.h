// What an operation makes of bits that nothing has defined: code moves parts of words about, and
// writes the fields of a word one after the other. A set bit of a mask is one that is undefined.
#ifndef WARPSAN_IR_UNDEFINED_H
#define WARPSAN_IR_UNDEFINED_H

#include "ir/alu.h"
#include "ir/ir.h"

// Operands of an instruction that ir_is_computation.
typedef struct UndefinedInputs {
  uint64_t values[ALU_MAX_OPERANDS];
  uint64_t bits[ALU_MAX_OPERANDS]; // undefined ones
  uint32_t hollow;                 // mask of the operands that are hollow
} UndefinedInputs;

// A value is hollow if some of its bits are undefined and none of the others tells anything: they
// are what a mask or a shift has put there. Types are copied with their padding, and fields with
// the rest of their word; a hollow value is neither.
typedef struct UndefinedResults {
  uint64_t bits[ALU_MAX_RESULTS];
  bool is_hollow; // each of those with undefined bits
} UndefinedResults;

// Does the instruction only compute its results, so that nothing depends yet on what it is given?
bool ir_is_computation(const Instruction *instruction);
// May the result not depend on an operand, as that of selp does not?
bool ir_may_ignore_operand(const Instruction *instruction);
// Exact for what moves bits, and for bitwise operations; a result that depends on undefined bits in
// another way is undefined as a whole.
UndefinedResults ir_undefined_results(const Instruction *instruction,
                                      const UndefinedInputs *inputs);

// The low `count` bits.
static inline uint64_t ir_low_bits(uint32_t count) {
  return count < 64 ? (1ull << count) - 1 : UINT64_MAX;
}

#endif
