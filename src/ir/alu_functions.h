// What the files of the arithmetic share: one function for each row of alu.def, facts about types,
// and small helpers on bits.
#ifndef WARPSAN_IR_ALU_FUNCTIONS_H
#define WARPSAN_IR_ALU_FUNCTIONS_H

#include "ir/alu.h"

typedef enum AluKind { ALU_KIND_P, ALU_KIND_B, ALU_KIND_U, ALU_KIND_S, ALU_KIND_F } AluKind;

typedef struct AluTypeFacts {
  const char *name;
  uint8_t bits;
  uint8_t kind;  // AluKind
  uint8_t lanes; // of a packed type; else 1
  uint8_t lane;  // AluType of one lane; else the type itself
} AluTypeFacts;

extern const AluTypeFacts alu_types[ALU_TYPE_COUNT];

typedef void AluFunction(const AluOperation *operation, const uint64_t *operands,
                         uint64_t *results);

#define ALU(name, text, operands, function) AluFunction alu_##function;
#include "ir/alu.def"
#undef ALU

// The operation on floating-point operands, for those that also exist on integers.
AluFunction alu_float_add, alu_float_sub, alu_float_mul, alu_float_div, alu_float_min,
    alu_float_max, alu_float_abs, alu_float_neg;

// Does `a compare b` hold between values of this type?
bool alu_compare(AluCompare compare, AluType type, uint64_t a, uint64_t b);

static inline bool alu_has(const AluOperation *operation, uint32_t flag) {
  return operation->flags & flag;
}

static inline uint64_t alu_mask(uint32_t bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline uint64_t alu_truncate(uint64_t value, uint32_t bits) {
  return value & alu_mask(bits);
}

static inline uint64_t alu_extend_sign(uint64_t value, uint32_t bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (alu_truncate(value, bits) ^ sign) - sign;
}

// The value as a 64-bit number: signed types by their sign, others by zeros.
static inline uint64_t alu_widen(AluType type, uint64_t value) {
  const AluTypeFacts *facts = &alu_types[type];
  return facts->kind == ALU_KIND_S ? alu_extend_sign(value, facts->bits)
                                   : alu_truncate(value, facts->bits);
}

static inline uint64_t alu_lane(uint64_t value, uint32_t index, uint32_t bits) {
  return alu_truncate(value >> (index * bits), bits);
}

// A signed 128-bit number.
typedef struct AluWide {
  uint64_t high, low;
} AluWide;

AluWide alu_multiply(uint64_t a, uint64_t b);

#endif
