// One kernel's code being lowered. Internal to lower*.c.
#ifndef WARPSAN_PTX_LOWER_CODE_H
#define WARPSAN_PTX_LOWER_CODE_H

#include "ir/grid.h"
#include "ptx/lower.h"
#include "ptx/lower_place.h"
#include "ptx/modifiers.h"

// A branch whose target is an instruction of the PTX text.
typedef struct Patch {
  uint32_t instruction; // of the lowered code
  uint32_t target;      // of the module
} Patch;

typedef struct Code {
  const PtxModule *module;
  const PtxFunction *function;
  const Source *main_source;
  Arena *arena;
  DiagList *diags;
  ARRAY(Instruction) instructions;
  ARRAY(Slot) slots;
  ARRAY(Patch) patches;
  uint32_t *starts;                   // for each PTX instruction of the function: first lowered one
  uint64_t *variable_offsets;         // of each variable of the module: address in its space
  uint32_t shared_bytes, local_bytes; // static
  uint32_t carry;                     // register of the carry flag, 0: not used yet
  PlaceMap places;
  Instruction template; // place and text of the instruction being lowered
} Code;

// operands (lower_operand.c)
const PtxOperand *lower_child(const Code *code, const PtxOperand *operand, uint32_t i);
const PtxOperand *lower_operand(const Code *code, const PtxInstruction *instruction, uint32_t i);
uint32_t lower_operand_count(const PtxInstruction *instruction);
// A value operand; false (with an IR_UNSUPPORTED emitted by the caller) if it has no value.
bool lower_value(Code *code, const PtxOperand *operand, Operand *value);
// The register that a destination names; UINT32_MAX for `_`.
bool lower_destination(Code *code, const PtxOperand *operand, uint32_t *reg);
// [register + offset], [variable + offset], [number].
bool lower_address(Code *code, const PtxOperand *operand, Operand *base, int64_t *offset);
uint32_t lower_temporary(Code *code);
// Slots for the registers of a function, behind those that there are.
void lower_add_registers(Code *code, const PtxFunction *function);
// The slot of a special register or of a part of a parameter.
uint32_t lower_special(Code *code, PtxSpecial special, uint32_t component);
uint32_t lower_parameter(Code *code, uint32_t parameter, uint32_t offset, uint8_t size,
                         bool is_signed);
bool lower_is_parameter(const Code *code, const PtxOperand *operand, uint32_t *parameter,
                        uint32_t *offset);

// emission (lower_code.c)
Instruction *lower_emit(Code *code, IrOp op);
void lower_unsupported(Code *code, const char *what);
Operand lower_constant(int64_t constant);
Operand lower_register(uint32_t reg);
void lower_function(Code *code);

struct AluOperation;
// The operation of an atomic; false: none that is supported.
bool lower_atomic_operation(const PtxModifiers *modifiers, struct AluOperation *operation);

// instructions (lower_memory.c, lower_sync.c): false: not one of theirs
bool lower_memory_instruction(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers);
bool lower_sync_instruction(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers);

#endif
