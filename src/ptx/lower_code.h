// One kernel's code being lowered. Internal to lower*.c.
#ifndef WARPSAN_PTX_LOWER_CODE_H
#define WARPSAN_PTX_LOWER_CODE_H

#include "ir/alu.h"
#include "ir/grid.h"
#include "ptx/lower.h"
#include "ptx/lower_place.h"
#include "ptx/modifiers.h"

// A branch whose target is an instruction of the PTX text.
typedef struct Patch {
  uint32_t instruction; // of the lowered code
  uint32_t target;      // of the module
} Patch;

// One expansion of a function: the kernel itself, or a function at the place of a call.
typedef struct Frame {
  const PtxFunction *function;
  struct Frame *caller;    // NULL: the kernel
  uint32_t first_register; // slot of the function's register 0
  uint32_t *starts;        // for each of its PTX instructions: the first lowered one
  ARRAY(Patch) patches;
  ARRAY(uint32_t) returns;  // lowered branches to the end of the expansion
  const InlinedPlace *call; // the place of the call, NULL: the kernel
  // Of recursive calls (lower_recursion.c): the first instruction of the body, the one before it,
  // the register that counts the calls under way + 1, and where each recursive call goes on.
  uint32_t body, entry, depth;
  ARRAY(uint32_t) resumes;
} Frame;

// A register of 128 bits: its lower and its upper word.
typedef struct WideRegister {
  uint32_t low, high; // slots
} WideRegister;

typedef struct Code {
  const PtxModule *module;
  const PtxFunction *function;
  const Source *main_source;
  Arena *arena;
  DiagList *diags;
  ARRAY(Instruction) instructions;
  ARRAY(Slot) slots;
  Frame *frame;                       // being expanded
  uint32_t *function_registers;       // for each function: slot of its register 0 + 1; 0: none yet
  uint32_t *parameter_words;          // for each .param variable: its first slot + 1; 0: none yet
  uint64_t *variable_offsets;         // of each variable of the module: address in its space
  uint32_t shared_bytes, local_bytes; // static
  uint32_t reserved_start; // of the shared memory that the system has; 0: nothing uses it
  ARRAY(WideRegister) wide_registers;
  uint32_t carry; // register of the carry flag, 0: not used yet
  ARRAY(SharedVariable) shared_variables;
  bool takes_parameter_address;
  bool has_peers;          // launches are on several devices
  bool has_heap;           // some call of malloc
  bool writes_tensor_maps; // some instruction of the module may
  uint32_t stack_start;    // the two instructions that set up the stack + 1; 0: none
  uint32_t stack;          // slots of its next free byte, and of its end; 0: not used
  // The stack of alloca: the instruction that sets it up + 1, its next free byte, and the branches
  // that compare with its end (lower_alloca.c).
  uint32_t alloca_start, alloca_top;
  ARRAY(uint32_t) alloca_limits;
  ARRAY(uint32_t) scratch; // registers that matrix instructions use for a while
  PlaceMap places;
  Instruction template; // place and text of the instruction being lowered
} Code;

// Addresses of functions, which are in no region: LOWER_CODE_START + LOWER_CODE_STEP * index.
enum {
  LOWER_RESERVED_BYTES = 1024
}; // of shared memory, that the system has (%reserved_smem_offset_*)

enum { LOWER_CODE_START = 0x10000, LOWER_CODE_STEP = 16 };

// operands (lower_operand.c)
const PtxOperand *lower_child(const Code *code, const PtxOperand *operand, uint32_t i);
// Operand number `i`; one that is not there is one that no instruction takes.
const PtxOperand *lower_operand(const Code *code, const PtxInstruction *instruction, uint32_t i);
uint32_t lower_operand_count(const PtxInstruction *instruction);
// A value operand; false (with an IR_UNSUPPORTED emitted by the caller) if it has no value.
bool lower_value(Code *code, const PtxOperand *operand, Operand *value);
// The register that a destination names; UINT32_MAX for `_`.
bool lower_destination(Code *code, const PtxOperand *operand, uint32_t *reg);
// The same of a register of 128 bits, or of two registers in a vector: the lower word first.
bool lower_wide_value(Code *code, const PtxOperand *operand, Operand words[2]);
bool lower_wide_destination(Code *code, const PtxOperand *operand, uint32_t registers[2]);
// [register + offset], [variable + offset], [number].
bool lower_address(Code *code, const PtxOperand *operand, Operand *base, int64_t *offset);
uint32_t lower_temporary(Code *code);
// Slots for the registers of a function, behind those that there are.
void lower_add_registers(Code *code, const PtxFunction *function);
// The slot of a special register or of a part of a parameter.
// Does some kernel use the shared memory that the system has?
bool lower_uses_reserved_memory(const PtxModule *module);
uint32_t lower_special(Code *code, PtxSpecial special, uint32_t component);
uint32_t lower_parameter(Code *code, uint32_t parameter, uint32_t offset, uint8_t size,
                         bool is_signed);
// The slot of the next byte of the thread's heap, or of its end.
uint32_t lower_heap(Code *code, bool is_end);
uint64_t lower_function_address(const PtxModule *module, uint32_t function);
bool lower_is_parameter(const Code *code, const PtxOperand *operand, uint32_t *parameter,
                        uint32_t *offset);

// emission (lower_code.c)
Instruction *lower_emit(Code *code, IrOp op);
// The same with a result register (UINT32_MAX: none) and two operands.
Instruction *lower_emit_two(Code *code, IrOp op, uint32_t to, Operand a, Operand b);
void lower_unsupported(Code *code, const char *what);
Operand lower_constant(int64_t constant);
Operand lower_register(uint32_t reg);
void lower_move(Code *code, uint32_t to, Operand from);
// False: its variables are too large, which has been reported.
bool lower_function(Code *code);
// Lowers the body of the frame's function, with branches to its own instructions; a return goes to
// what is emitted next.
void lower_body(Code *code, Frame *frame);

Space lower_space(PtxSpace space);
// Sets what an atomic does; false: nothing that is supported.
bool lower_atomic_operation(Code *code, Instruction *atomic, const PtxModifiers *modifiers);
// The type on which atomics compute; ALU_TYPE_NONE: they do not.
AluType lower_alu_type(PtxType type);
// Bytes of an access, or of an element of a vector; 0: the instruction has no type.
uint8_t lower_access_size(const PtxModifiers *modifiers);
// Address, space, size, order and scope of an access.
void lower_set_access(Instruction *access, const PtxModifiers *modifiers, Operand base,
                      int64_t offset);
// Elements of a {vector} operand; any other operand is its own element.
uint32_t lower_element_count(const PtxOperand *operand);
const PtxOperand *lower_element(const Code *code, const PtxOperand *operand, uint32_t i);
// A vector access is aligned as a whole.
void lower_set_element(Instruction *access, uint32_t count, uint32_t i);
// The value of operand `i`; a missing one is `absent`.
bool lower_value_or(Code *code, const PtxInstruction *instruction, uint32_t i, int64_t absent,
                    Operand *value);
Space lower_mbarrier_space(const PtxModifiers *modifiers);

// instructions (lower_memory.c, lower_sync.c, lower_call.c): false: not one of theirs
bool lower_call(Code *code, const PtxInstruction *instruction);
bool lower_call_parameter(Code *code, const PtxInstruction *instruction,
                          const PtxModifiers *modifiers);
void lower_return(Code *code);
// Accesses and moves of 128 bits (lower_wide.c)
bool lower_wide_instruction(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers);
// Recursion (lower_recursion.c). The registers of all functions between the call and the expansion
// of the called function are saved on a stack, and the body is gone through again.
typedef struct Recursion {
  Frame *target;
  ARRAY(uint32_t) saved; // slots
  uint32_t bytes;        // of the stack that the call takes
} Recursion;

void lower_reserve_stack(Code *code);
void lower_finish_stack(Code *code);
void lower_reserve_alloca(Code *code);
void lower_finish_alloca(Code *code);
bool lower_alloca_instruction(Code *code, const PtxInstruction *instruction);
// The expansion of the function that is under way; NULL: none is.
Frame *lower_find_frame(const Code *code, const PtxFunction *function);
// Why its recursion is not supported; NULL: it is.
const char *lower_recursion_obstacle(const Code *code, const Frame *target);
// Saves the registers; the arguments are set next, and then the body is entered.
void lower_begin_recursion(Code *code, Recursion *recursion);
void lower_enter_again(Code *code, Recursion *recursion);
// Behind the call: the registers are what they were.
void lower_end_recursion(Code *code, const Recursion *recursion);
// At the end of the expansion: where the call goes on that is over.
void lower_resume(Code *code, const Frame *frame);
// The first word of a .param variable; 0: it has none yet.
uint32_t lower_parameter_words(const Code *code, uint32_t variable, uint32_t *count);
bool lower_takes_address(const Code *code, const PtxFunction *function, uint32_t variable);
bool lower_memory_instruction(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers);
bool lower_sync_instruction(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers);
bool lower_async_instruction(Code *code, const PtxInstruction *instruction,
                             const PtxModifiers *modifiers);
bool lower_texture_instruction(Code *code, const PtxInstruction *instruction,
                               const PtxModifiers *modifiers);
// tensormap.replace and .cp_fenceproxy (lower_tensormap.c)
bool lower_tensormap_instruction(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers);
// Loads the words of a copy's map to registers, if the map may be memory that the kernel writes;
// NULL: it is not.
const uint32_t *lower_map_loads(Code *code, Operand map);
// suld, sust, sured, suq, txq (lower_surface.c)
bool lower_surface_instruction(Code *code, const PtxInstruction *instruction,
                               const PtxModifiers *modifiers);
// mma, wmma, ldmatrix, stmatrix, movmatrix (lower_fragment.c, lower_product.c)
bool lower_matrix_instruction(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers);
// wgmma (lower_warpgroup.c)
bool lower_warpgroup_instruction(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers);
bool lower_product(Code *code, const PtxInstruction *instruction, const PtxModifiers *modifiers);

#endif
