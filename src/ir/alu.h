// What an arithmetic instruction of PTX computes, bit by bit: the one definition that every engine
// uses. A front end fills in an AluOperation once; `alu_compute` applies it to values.
// A value is a uint64_t: integers of all signs are zero-extended from their width, floating-point
// numbers are their bits, predicates are 0 or 1.
#ifndef WARPSAN_IR_ALU_H
#define WARPSAN_IR_ALU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum AluOp {
#define ALU(name, text, operands, function) ALU_##name,
#include "ir/alu.def"
#undef ALU
  ALU_OP_COUNT,
} AluOp;

typedef enum AluType {
#define ALU_TYPE(name, text, bits, kind, lanes, lane) ALU_TYPE_##name,
#include "ir/alu_types.def"
#undef ALU_TYPE
  ALU_TYPE_COUNT,
} AluType;

// Comparisons, in the order of PTX's list.
typedef enum AluCompare {
  ALU_COMPARE_EQ,
  ALU_COMPARE_NE,
  ALU_COMPARE_LT,
  ALU_COMPARE_LE,
  ALU_COMPARE_GT,
  ALU_COMPARE_GE,
  ALU_COMPARE_LO, // unsigned, as the next three
  ALU_COMPARE_LS,
  ALU_COMPARE_HI,
  ALU_COMPARE_HS,
  ALU_COMPARE_EQU, // true if an operand is a NaN, as the next five
  ALU_COMPARE_NEU,
  ALU_COMPARE_LTU,
  ALU_COMPARE_LEU,
  ALU_COMPARE_GTU,
  ALU_COMPARE_GEU,
  ALU_COMPARE_NUM, // neither is a NaN
  ALU_COMPARE_NAN,
} AluCompare;

// Boolean operation of set, setp and lop3; or the secondary operation of a video instruction.
typedef enum AluCombine {
  ALU_COMBINE_NONE,
  ALU_COMBINE_AND,
  ALU_COMBINE_OR,
  ALU_COMBINE_XOR,
  ALU_COMBINE_ADD,
  ALU_COMBINE_MIN,
  ALU_COMBINE_MAX,
} AluCombine;

typedef enum AluRounding {
  ALU_ROUND_NEAREST,      // .rn, ties to even; also where PTX names no rounding
  ALU_ROUND_ZERO,         // .rz
  ALU_ROUND_DOWN,         // .rm
  ALU_ROUND_UP,           // .rp
  ALU_ROUND_NEAREST_AWAY, // .rna, ties away from zero
} AluRounding;

// Which part of a product: .lo and plain, .hi, .wide.
typedef enum AluHalf { ALU_HALF_LOW, ALU_HALF_HIGH, ALU_HALF_WIDE } AluHalf;

// Byte permutations of prmt.
typedef enum AluPermute {
  ALU_PERMUTE_INDEX, // no mode: a nibble of c for each byte
  ALU_PERMUTE_F4E,
  ALU_PERMUTE_B4E,
  ALU_PERMUTE_RC8,
  ALU_PERMUTE_ECL,
  ALU_PERMUTE_ECR,
  ALU_PERMUTE_RC16,
} AluPermute;

// Properties that testp asks for.
typedef enum AluTest {
  ALU_TEST_FINITE,
  ALU_TEST_INFINITE,
  ALU_TEST_NUMBER,
  ALU_TEST_NOT_A_NUMBER,
  ALU_TEST_NORMAL, // also the zeros
  ALU_TEST_SUBNORMAL,
} AluTest;

enum {
  ALU_SAT = 1 << 0,           // .sat: of integers to their range, of floats to [0, 1]
  ALU_FTZ = 1 << 1,           // .ftz: subnormal operands and results become zeros of their sign
  ALU_APPROX = 1 << 2,        // .approx, .full
  ALU_CARRY_IN = 1 << 3,      // one more operand: the carry flag, 0 or 1
  ALU_CARRY_OUT = 1 << 4,     // one more result: the carry flag; of sub, the inverse of a borrow
  ALU_NAN = 1 << 5,           // .NaN: min and max give a NaN if an operand is one
  ALU_XORSIGN_ABS = 1 << 6,   // .xorsign.abs of min and max
  ALU_RELU = 1 << 7,          // .relu: negative results become 0
  ALU_SATFINITE = 1 << 8,     // .satfinite
  ALU_OOB = 1 << 9,           // .oob of fma: a factor that marks an access out of bounds gives 0
  ALU_INTEGRAL = 1 << 10,     // cvt rounds to a whole number (.rni ...), of a floating-point type
  ALU_RIGHT = 1 << 11,        // shf.r
  ALU_CLAMP = 1 << 12,        // .clamp of shf, bmsk, szext, vshl, vshr; without: .wrap
  ALU_SHIFT_AMOUNT = 1 << 13, // bfind.shiftamt
  ALU_PAIR = 1 << 14,         // setp and lop3: d|p, q: one more result
  ALU_NEGATED = 1 << 15, // the last operand, a predicate, is written !q: alu_compute inverts it
  ALU_MERGE = 1 << 16,   // scalar video: the result replaces a part of operand c
  ALU_MINUS_PRODUCT = 1 << 17, // vmad: the product is negated: -a or -b
  ALU_MINUS_SUM = 1 << 18,     // vmad: so is c
  ALU_PLUS_ONE = 1 << 19,      // vmad.po
};

// Plain data: two operations are the same if their bytes are (fill it from a zeroed object).
typedef struct AluOperation {
  uint8_t op;   // AluOp
  uint8_t type; // AluType of the result; of the operands too where `source` is NONE
  // AluType of the operands: cvt, set, selector of slct, first of dp4a (u4 and s4: eight of 4 bits)
  // and video.
  uint8_t source;
  uint8_t second;      // AluType of the second operand: dp4a, dp2a, video
  uint8_t compare;     // AluCompare
  uint8_t combine;     // AluCombine
  uint8_t rounding;    // AluRounding
  uint8_t half;        // AluHalf; dp2a: which half of b
  uint8_t mode;        // lop3: truth table; prmt: AluPermute; testp: AluTest; div: 1 for .full;
                       // video lanes: mask of those that are written; vmad: shift of the result
  uint8_t count;       // operands of a pack, results of an unpack
  uint8_t width;       // cvt: bits of the destination if wider than `type`: extended by its sign
  uint8_t part[3];     // scalar video: part of d, a, b: 0 all, 1 to 4 a byte, 5 and 6 a half
  uint8_t lanes[2][4]; // video lanes: which lane of b:a the first and the second operand take
  uint32_t flags;      // ALU_*
} AluOperation;

enum { ALU_MAX_OPERANDS = 4, ALU_MAX_RESULTS = 4 };

// Types of everything that an operation takes and gives, in PTX's order.
typedef struct AluSignature {
  uint8_t operand_count, result_count;
  uint8_t operands[ALU_MAX_OPERANDS]; // AluType
  uint8_t results[ALU_MAX_RESULTS];   // AluType
} AluSignature;

// Computes the results. Bits of operands above their width are ignored, those of results are 0.
// Approximations (sin, ex2, rsqrt.approx, ...) are the exact value rounded to nearest, or within
// one unit in the last place of it: closer than the bounds that the PTX manual gives.
void alu_compute(const AluOperation *operation, const uint64_t *operands, uint64_t *results);

uint32_t alu_operand_count(const AluOperation *operation);
uint32_t alu_result_count(const AluOperation *operation);
AluSignature alu_signature(const AluOperation *operation);

uint32_t alu_type_bits(AluType type);
bool alu_type_is_signed(AluType type);
bool alu_type_is_float(AluType type);
const char *alu_type_name(AluType type);

// The operation as PTX spells it, "add.sat.s32"; cut to `size` bytes with the zero that ends it.
void alu_print(const AluOperation *operation, char *text, size_t size);

#endif
