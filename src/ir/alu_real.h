// Floating-point numbers of any format as exact values. An operation unpacks its operands, computes
// on them without loss, and rounds once, into the format of the result. No host arithmetic: the
// same bits on every machine, in every rounding mode, on every thread.
#ifndef WARPSAN_IR_ALU_REAL_H
#define WARPSAN_IR_ALU_REAL_H

#include "ir/alu.h"

typedef enum AluRealKind {
  ALU_REAL_ZERO,
  ALU_REAL_FINITE,
  ALU_REAL_INFINITE,
  ALU_REAL_NAN,
} AluRealKind;

// A finite number is high:low / 2^127 * 2^exponent, with the top bit of `high` set. The lowest bit
// of `low` also stands for whatever lies below it ("sticky"): no format keeps that many bits.
typedef struct AluReal {
  uint8_t kind; // AluRealKind
  bool is_negative;
  int32_t exponent;
  uint64_t high, low;
} AluReal;

// The value of `bits`; a subnormal one is a zero of its sign if `flush`.
AluReal alu_real_unpack(AluType type, uint64_t bits, bool flush);

AluReal alu_real_from_integer(uint64_t magnitude, bool is_negative);

// The number in the format. `flags`: ALU_FTZ, ALU_SAT, ALU_SATFINITE, ALU_RELU.
uint64_t alu_real_pack(AluType type, AluReal real, AluRounding rounding, uint32_t flags);

// The whole number next to it in the direction of the rounding.
AluReal alu_real_round_integral(AluReal real, AluRounding rounding);

// The magnitude of a whole number, UINT64_MAX if it does not fit.
uint64_t alu_real_magnitude(AluReal real);

// Sums and products of unpacked numbers, and sums of such products, are exact but for the sticky
// bit. A sum of opposite numbers is -0 when rounding down, +0 otherwise.
AluReal alu_real_add(AluReal a, AluReal b, AluRounding rounding);
AluReal alu_real_multiply(AluReal a, AluReal b);
// Of unpacked numbers.
AluReal alu_real_divide(AluReal a, AluReal b);
AluReal alu_real_square_root(AluReal a);

bool alu_float_is_nan(AluType type, uint64_t bits);
// The zero of its sign in place of a subnormal number.
uint64_t alu_float_flush(AluType type, uint64_t bits);
// The NaN that operations of this type produce from other values.
uint64_t alu_float_nan(AluType type);
// The quiet NaN whose sign and leading bits of the fraction are those of the NaN `bits`.
uint64_t alu_float_convert_nan(AluType type, AluType source, uint64_t bits);

#endif
