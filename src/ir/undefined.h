// What an operation makes of operands that nothing has defined.
#ifndef WARPSAN_IR_UNDEFINED_H
#define WARPSAN_IR_UNDEFINED_H

#include "ir/alu.h"
#include "ir/ir.h"

// Operands of IR_ALU and IR_ADD to IR_SET_GE; `undefined` is a mask of them.
typedef struct UndefinedInputs {
  uint64_t values[ALU_MAX_OPERANDS];
  uint32_t undefined;
} UndefinedInputs;

// May the instruction's result not depend on an operand, as that of selp does not?
bool ir_may_ignore_operand(const Instruction *instruction);
// Is the result the same whatever the undefined operands are? A result that is put together of
// parts counts as defined if a part is: types are copied with their padding.
bool ir_is_result_defined(const Instruction *instruction, const UndefinedInputs *inputs);

#endif
