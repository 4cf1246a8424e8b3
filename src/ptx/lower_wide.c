// Moves, loads, stores and atomics of 128 bits. A register of 128 bits is two slots; an access is
// one instruction of 16 bytes, because it is single-copy atomic (PTX ISA, "ld", "atom").
#include "ptx/lower_code.h"

enum { WIDE_BYTES = 16 };

// {low, high} and registers of 128 bits, both ways. A source may be a destination.
static bool lower_wide_move(Code *code, const PtxInstruction *instruction) {
  uint32_t to[2], kept = lower_temporary(code);
  Operand from[2];
  if (lower_operand_count(instruction) != 2 ||
      !lower_wide_destination(code, lower_operand(code, instruction, 0), to) ||
      !lower_wide_value(code, lower_operand(code, instruction, 1), from))
    return false;
  lower_move(code, kept, from[1]);
  if (to[0] != UINT32_MAX)
    lower_move(code, to[0], from[0]);
  if (to[1] != UINT32_MAX)
    lower_move(code, to[1], lower_register(kept));
  return true;
}

static Instruction *emit_access(Code *code, IrOp op, const PtxModifiers *modifiers, Operand base,
                                int64_t offset) {
  Instruction *access = lower_emit(code, op);
  lower_set_access(access, modifiers, base, offset);
  access->size = WIDE_BYTES;
  lower_set_element(access, 1, 0);
  return access;
}

static bool lower_wide_load(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers) {
  uint32_t to[2];
  Operand base;
  int64_t offset;
  if (!lower_wide_destination(code, lower_operand(code, instruction, 0), to) ||
      !lower_address(code, lower_operand(code, instruction, 1), &base, &offset))
    return false;
  Instruction *load = emit_access(code, IR_LOAD, modifiers, base, offset);
  load->dst = to[0];
  load->more[0] = to[1];
  return true;
}

static bool lower_wide_store(Code *code, const PtxInstruction *instruction,
                             const PtxModifiers *modifiers) {
  Operand base, value[2];
  int64_t offset;
  if (!lower_address(code, lower_operand(code, instruction, 0), &base, &offset) ||
      !lower_wide_value(code, lower_operand(code, instruction, 1), value))
    return false;
  Instruction *store = emit_access(code, IR_STORE, modifiers, base, offset);
  store->src[0] = value[0];
  store->src[1] = value[1];
  return true;
}

// d, [place], value {, new value of a cas} {, cache policy}
static bool lower_wide_atomic(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  uint32_t to[2];
  bool is_cas = modifiers->operation == PTX_OPERATION_CAS;
  Operand base, first[2], second[2] = {0};
  int64_t offset;
  if ((!is_cas && modifiers->operation != PTX_OPERATION_EXCH) ||
      !lower_wide_destination(code, lower_operand(code, instruction, 0), to) ||
      !lower_address(code, lower_operand(code, instruction, 1), &base, &offset) ||
      !lower_wide_value(code, lower_operand(code, instruction, 2), first) ||
      (is_cas && !lower_wide_value(code, lower_operand(code, instruction, 3), second)))
    return false;
  bool has_result = to[0] != UINT32_MAX || to[1] != UINT32_MAX;
  Instruction *atomic = emit_access(code, has_result ? IR_ATOM : IR_RED, modifiers, base, offset);
  atomic->atom = is_cas ? ATOM_CAS : ATOM_EXCH;
  atomic->dst = to[0];
  atomic->more[0] = to[1];
  for (uint32_t i = 0; i < 2; i++) {
    atomic->src[i] = first[i];
    atomic->src[2 + i] = second[i];
  }
  return true;
}

static bool is_parameter(const PtxModifiers *modifiers) {
  return modifiers->space_count && modifiers->spaces[0] >= PTX_SPACE_PARAM &&
         modifiers->spaces[0] <= PTX_SPACE_PARAM_FUNC;
}

bool lower_wide_instruction(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers) {
  if (!modifiers->type_count || is_parameter(modifiers) ||
      modifiers->types[modifiers->type_count - 1] != PTX_TYPE_b128)
    return false;
  switch (instruction->op) {
  case PTX_OP_mov:
    return lower_wide_move(code, instruction);
  case PTX_OP_ld:
    return lower_wide_load(code, instruction, modifiers);
  case PTX_OP_st:
    return lower_wide_store(code, instruction, modifiers);
  case PTX_OP_atom:
    return lower_wide_atomic(code, instruction, modifiers);
  default:
    return false;
  }
}
