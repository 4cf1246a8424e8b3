// Internal to alu*.c: an arithmetic instruction while it is decoded.
#ifndef WARPSAN_PTX_ALU_DECODE_H
#define WARPSAN_PTX_ALU_DECODE_H

#include "ptx/alu.h"

typedef struct AluDecoder {
  const PtxModule *module;
  const PtxInstruction *instruction;
  const PtxModifiers *modifiers;
  AluOperation *operation;
  const char *unsupported; // set where something is
} AluDecoder;

// Notes what is not supported; always false.
bool ptx_alu_reject(AluDecoder *decoder, const char *what);

// Top-level operand `i` of the instruction.
const PtxOperand *ptx_alu_top(const PtxModule *module, const PtxInstruction *instruction,
                              uint32_t i);

AluType ptx_alu_type(PtxType type);

// ALU_NONE for a type that the arithmetic does not know.
static inline AluType ptx_alu_type_at(const AluDecoder *decoder, uint32_t i) {
  const PtxModifiers *modifiers = decoder->modifiers;
  return i < modifiers->type_count ? ptx_alu_type(modifiers->types[i]) : ALU_TYPE_NONE;
}

static inline bool ptx_alu_is_video(const AluOperation *operation) {
  return operation->op >= ALU_VADD;
}

// Types, parts and signs of a video instruction.
bool ptx_alu_decode_video(AluDecoder *decoder);

#endif
