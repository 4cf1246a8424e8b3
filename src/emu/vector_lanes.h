// Fast functions for the usual operations: loops over lanes that compilers vectorise. Included once
// for each instruction set, which names the table by VECTOR_TABLE. Each computes, bit for bit, what
// alu_compute does; what is rare (NaNs) is left to that.
#include "emu/vector.h"

#include <math.h>

#if defined(__clang__)
#define LOOP _Pragma("clang loop vectorize(assume_safety)") for (uint32_t i = 0; i < LANES; i++)
#else
#define LOOP _Pragma("GCC ivdep") for (uint32_t i = 0; i < LANES; i++)
#endif

// Registers are read as what an operation takes them for.
typedef uint32_t __attribute__((may_alias)) U32;
typedef int32_t __attribute__((may_alias)) S32;
typedef uint64_t __attribute__((may_alias)) U64;
typedef int64_t __attribute__((may_alias)) S64;
typedef float __attribute__((may_alias)) F32;
typedef double __attribute__((may_alias)) F64;

static inline void blend32(const Worker *worker, U32 *to, const U32 *from) {
  uint32_t lanes = worker->lanes;
  LOOP to[i] = lanes >> i & 1 ? from[i] : to[i];
}

static inline void blend64(const Worker *worker, U64 *to, const U64 *from) {
  uint32_t lanes = worker->lanes;
  LOOP to[i] = lanes >> i & 1 ? from[i] : to[i];
}

static inline void set_predicate(const Worker *worker, const Op *op, uint32_t holds) {
  U32 *to = emu_ref(worker, op->dst.ref);
  *to = (*to & ~worker->lanes) | (holds & worker->lanes);
}

#define SOURCE(type, number) const type *s##number = emu_ref(worker, op->src[number].ref)
#define BEGIN(type)                                                                                \
  type *to = emu_ref(worker, op->dst.ref);                                                         \
  type *out = worker->is_full ? to : (type *)worker->scratch
#define END(bits)                                                                                  \
  if (!worker->is_full)                                                                            \
  blend##bits(worker, (U##bits *)to, (const U##bits *)out)

// out and in: types of the result and of the operands; bits: of the result's register.
#define UNARY(name, out_type, in, bits, expression)                                                \
  static void name(Worker *worker, const Op *op) {                                                 \
    SOURCE(in, 0);                                                                                 \
    BEGIN(out_type);                                                                               \
    LOOP {                                                                                         \
      in a = s0[i];                                                                                \
      out[i] = (out_type)(expression);                                                             \
    }                                                                                              \
    END(bits);                                                                                     \
  }
#define BINARY(name, out_type, in, in2, bits, expression)                                          \
  static void name(Worker *worker, const Op *op) {                                                 \
    SOURCE(in, 0);                                                                                 \
    SOURCE(in2, 1);                                                                                \
    BEGIN(out_type);                                                                               \
    LOOP {                                                                                         \
      in a = s0[i];                                                                                \
      in2 b = s1[i];                                                                               \
      out[i] = (out_type)(expression);                                                             \
    }                                                                                              \
    END(bits);                                                                                     \
  }
#define TERNARY(name, out_type, in, in2, in3, bits, expression)                                    \
  static void name(Worker *worker, const Op *op) {                                                 \
    SOURCE(in, 0);                                                                                 \
    SOURCE(in2, 1);                                                                                \
    SOURCE(in3, 2);                                                                                \
    BEGIN(out_type);                                                                               \
    LOOP {                                                                                         \
      in a = s0[i];                                                                                \
      in2 b = s1[i];                                                                               \
      in3 c = s2[i];                                                                               \
      out[i] = (out_type)(expression);                                                             \
    }                                                                                              \
    END(bits);                                                                                     \
  }
#define COMPARE(name, in, expression)                                                              \
  static void name(Worker *worker, const Op *op) {                                                 \
    SOURCE(in, 0);                                                                                 \
    SOURCE(in, 1);                                                                                 \
    uint32_t holds = 0;                                                                            \
    for (uint32_t i = 0; i < LANES; i++) {                                                         \
      in a = s0[i], b = s1[i];                                                                     \
      holds |= (uint32_t)(expression) << i;                                                        \
    }                                                                                              \
    set_predicate(worker, op, holds);                                                              \
  }

// Lanes whose result is a NaN, or, with .ftz, so small, are computed again by the reference.
#define FLOATS(name, type, bits, sources, expression, is_odd)                                      \
  static void name(Worker *worker, const Op *op) {                                                 \
    sources;                                                                                       \
    type result[LANES] __attribute__((aligned(64)));                                               \
    uint32_t odd = 0;                                                                              \
    LOOP {                                                                                         \
      result[i] = (expression);                                                                    \
    }                                                                                              \
    for (uint32_t i = 0; i < LANES; i++)                                                           \
      odd |= (uint32_t)(is_odd) << i;                                                              \
    odd &= worker->lanes;                                                                          \
    if (odd)                                                                                       \
      vector_repair(worker, op, odd, result, bits);                                                \
    U##bits *to = emu_ref(worker, op->dst.ref);                                                    \
    if (worker->is_full)                                                                           \
      memcpy(to, result, sizeof result);                                                           \
    else                                                                                           \
      blend##bits(worker, to, (const U##bits *)result);                                            \
  }
#define IS_NAN (result[i] != result[i])

// --- moves, conversions

UNARY(move32, U32, U32, 32, a)
UNARY(move64, U64, U64, 64, a)
static void move_predicate(Worker *worker, const Op *op) {
  set_predicate(worker, op, *(const U32 *)emu_ref(worker, op->src[0].ref));
}
UNARY(extend_u32, U64, U32, 64, a)
UNARY(extend_s32, U64, S32, 64, (S64)a)
UNARY(truncate64, U32, U64, 32, a)
UNARY(truncate_to16, U32, U32, 32, a & 0xffff)
UNARY(truncate64_to16, U32, U64, 32, a & 0xffff)
UNARY(extend_u16, U32, U32, 32, a & 0xffff)
UNARY(extend_s16, U32, U32, 32, (S32)(int16_t)a)
UNARY(extend_u16_64, U64, U32, 64, a & 0xffff)
UNARY(extend_s16_64, U64, U32, 64, (S64)(int16_t)a)
UNARY(extend_u8, U32, U32, 32, a & 0xff)
UNARY(extend_s8, U32, U32, 32, (S32)(int8_t)a)
UNARY(s32_to_f32, F32, S32, 32, (float)a)
UNARY(u32_to_f32, F32, U32, 32, (float)a)
UNARY(s32_to_f64, F64, S32, 64, (double)a)
UNARY(u32_to_f64, F64, U32, 64, (double)a)
UNARY(s64_to_f32, F32, S64, 32, (float)a)
UNARY(u64_to_f32, F32, U64, 32, (float)a)
UNARY(s64_to_f64, F64, S64, 64, (double)a)
UNARY(u64_to_f64, F64, U64, 64, (double)a)
UNARY(bf16_to_f32, U32, U32, 32, a << 16)
FLOATS(f32_to_f64, F64, 64, SOURCE(F32, 0), (double)s0[i], IS_NAN)
FLOATS(f64_to_f32, F32, 32, SOURCE(F64, 0), (float)s0[i], IS_NAN)

// --- integers

BINARY(add32, U32, U32, U32, 32, a + b)
BINARY(sub32, U32, U32, U32, 32, a - b)
BINARY(mul32, U32, U32, U32, 32, a *b)
BINARY(add64, U64, U64, U64, 64, a + b)
BINARY(sub64, U64, U64, U64, 64, a - b)
BINARY(mul64, U64, U64, U64, 64, a *b)
BINARY(add16, U32, U32, U32, 32, (a + b) & 0xffff)
BINARY(sub16, U32, U32, U32, 32, (a - b) & 0xffff)
BINARY(mul16, U32, U32, U32, 32, ((a & 0xffff) * (b & 0xffff)) & 0xffff)
BINARY(mul_wide_u16, U32, U32, U32, 32, (a & 0xffff) * (b & 0xffff))
BINARY(mul_wide_s16, U32, U32, U32, 32, (S32)(int16_t)a *(S32)(int16_t)b)
BINARY(mul_wide_u32, U64, U32, U32, 64, (U64)a *b)
BINARY(mul_wide_s32, U64, S32, S32, 64, (S64)a *b)
BINARY(mul_high_u32, U32, U32, U32, 32, (U64)a *b >> 32)
BINARY(mul_high_s32, U32, S32, S32, 32, (U64)((S64)a *b) >> 32)
TERNARY(mad32, U32, U32, U32, U32, 32, a *b + c)
TERNARY(mad64, U64, U64, U64, U64, 64, a *b + c)
TERNARY(mad_wide_u32, U64, U32, U32, U64, 64, (U64)a *b + c)
TERNARY(mad_wide_s32, U64, S32, S32, U64, 64, (U64)((S64)a *b) + c)
TERNARY(mad_high_u32, U32, U32, U32, U32, 32, (uint32_t)((U64)a *b >> 32) + c)
BINARY(min_u32, U32, U32, U32, 32, a < b ? a : b)
BINARY(max_u32, U32, U32, U32, 32, a > b ? a : b)
BINARY(min_s32, S32, S32, S32, 32, a < b ? a : b)
BINARY(max_s32, S32, S32, S32, 32, a > b ? a : b)
BINARY(min_u64, U64, U64, U64, 64, a < b ? a : b)
BINARY(max_u64, U64, U64, U64, 64, a > b ? a : b)
BINARY(min_s64, S64, S64, S64, 64, a < b ? a : b)
BINARY(max_s64, S64, S64, S64, 64, a > b ? a : b)
UNARY(neg32, U32, U32, 32, 0 - a)
UNARY(neg64, U64, U64, 64, 0 - a)
UNARY(abs32, U32, U32, 32, a >> 31 ? 0 - a : a)
UNARY(abs64, U64, U64, 64, a >> 63 ? 0 - a : a)
BINARY(div_u32, U32, U32, U32, 32, b ? a / b : UINT32_MAX)
BINARY(rem_u32, U32, U32, U32, 32, b ? a % b : UINT32_MAX)
BINARY(div_s32, U32, S32, S32, 32, b ? (S64)a / b : -1)
BINARY(rem_s32, U32, S32, S32, 32, b ? (S64)a % b : -1)
BINARY(div_u64, U64, U64, U64, 64, b ? a / b : UINT64_MAX)
BINARY(rem_u64, U64, U64, U64, 64, b ? a % b : UINT64_MAX)

// --- bits

BINARY(and32, U32, U32, U32, 32, a &b)
BINARY(or32, U32, U32, U32, 32, a | b)
BINARY(xor32, U32, U32, U32, 32, a ^ b)
UNARY(not32, U32, U32, 32, ~a)
BINARY(and64, U64, U64, U64, 64, a &b)
BINARY(or64, U64, U64, U64, 64, a | b)
BINARY(xor64, U64, U64, U64, 64, a ^ b)
UNARY(not64, U64, U64, 64, ~a)
UNARY(not16, U32, U32, 32, ~a & 0xffff)
BINARY(shl32, U32, U32, U32, 32, b > 31 ? 0 : a << (b & 31))
BINARY(shr_u32, U32, U32, U32, 32, b > 31 ? 0 : a >> (b & 31))
BINARY(shr_s32, U32, S32, U32, 32, a >> (b > 31 ? 31 : b))
BINARY(shl64, U64, U64, U32, 64, b > 63 ? 0 : a << (b & 63))
BINARY(shr_u64, U64, U64, U32, 64, b > 63 ? 0 : a >> (b & 63))
BINARY(shr_s64, U64, S64, U32, 64, a >> (b > 63 ? 63 : b))
UNARY(popc32, U32, U32, 32, __builtin_popcount(a))
UNARY(clz32, U32, U32, 32, a ? __builtin_clz(a) : 32)

#define PREDICATES(name, expression)                                                               \
  static void name(Worker *worker, const Op *op) {                                                 \
    uint32_t a = *(const U32 *)emu_ref(worker, op->src[0].ref);                                    \
    uint32_t b = op->src[1].ref == REF_NONE ? 0 : *(const U32 *)emu_ref(worker, op->src[1].ref);   \
    (void)b;                                                                                       \
    set_predicate(worker, op, expression);                                                         \
  }
PREDICATES(and_predicate, a &b)
PREDICATES(or_predicate, a | b)
PREDICATES(xor_predicate, a ^ b)
PREDICATES(not_predicate, ~a)

// A truth table bit by bit: each of its eight rows that is 1 adds its combination of operands.
static void lop3(Worker *worker, const Op *op) {
  SOURCE(U32, 0);
  SOURCE(U32, 1);
  SOURCE(U32, 2);
  BEGIN(U32);
  uint32_t table = op->instruction->alu->mode, row[8];
  for (uint32_t i = 0; i < 8; i++)
    row[i] = 0u - (table >> i & 1);
  LOOP {
    uint32_t a = s0[i], b = s1[i], c = s2[i];
    uint32_t with_a = (((row[4] & ~c) | (row[5] & c)) & ~b) | (((row[6] & ~c) | (row[7] & c)) & b);
    uint32_t sans_a = (((row[0] & ~c) | (row[1] & c)) & ~b) | (((row[2] & ~c) | (row[3] & c)) & b);
    out[i] = (with_a & a) | (sans_a & ~a);
  }
  END(32);
}

// Funnel shifts that wrap.
TERNARY(shf_left, U32, U32, U32, U32, 32, (U32)((((U64)b << 32 | a) << (c & 31)) >> 32))
TERNARY(shf_right, U32, U32, U32, U32, 32, (U32)(((U64)b << 32 | a) >> (c & 31)))

static void prmt(Worker *worker, const Op *op) {
  SOURCE(U32, 0);
  SOURCE(U32, 1);
  SOURCE(U32, 2);
  BEGIN(U32);
  for (uint32_t i = 0; i < LANES; i++) {
    uint64_t bytes = (uint64_t)s1[i] << 32 | s0[i];
    uint32_t selector = s2[i], result = 0;
    for (uint32_t j = 0; j < 4; j++) {
      uint32_t nibble = selector >> 4 * j & 15;
      uint32_t byte = (uint32_t)(bytes >> 8 * (nibble & 7)) & 0xff;
      if (nibble & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << 8 * j;
    }
    out[i] = result;
  }
  END(32);
}

// Bits b .. b + c - 1 of a. Positions and lengths are bytes.
static inline uint32_t extract_u32(uint32_t a, uint32_t position, uint32_t length) {
  position &= 0xff;
  length &= 0xff;
  uint32_t shifted = position > 31 ? 0 : a >> (position & 31);
  return length > 31 ? shifted : shifted & ((1u << (length & 31)) - 1);
}
TERNARY(bfe_u32, U32, U32, U32, U32, 32, extract_u32(a, b, c))

// --- comparison and selection

#define INTEGER_COMPARISONS(type)                                                                  \
  COMPARE(eq_##type, type, a == b)                                                                 \
  COMPARE(ne_##type, type, a != b)                                                                 \
  COMPARE(lt_##type, type, a < b)                                                                  \
  COMPARE(le_##type, type, a <= b)                                                                 \
  COMPARE(gt_##type, type, a > b)                                                                  \
  COMPARE(ge_##type, type, a >= b)
INTEGER_COMPARISONS(U32)
INTEGER_COMPARISONS(S32)
INTEGER_COMPARISONS(U64)
INTEGER_COMPARISONS(S64)
INTEGER_COMPARISONS(F32)
INTEGER_COMPARISONS(F64)
#define UNORDERED_COMPARISONS(type)                                                                \
  COMPARE(equ_##type, type, !(a < b || a > b))                                                     \
  COMPARE(neu_##type, type, !(a == b))                                                             \
  COMPARE(ltu_##type, type, !(a >= b))                                                             \
  COMPARE(leu_##type, type, !(a > b))                                                              \
  COMPARE(gtu_##type, type, !(a <= b))                                                             \
  COMPARE(geu_##type, type, !(a < b))                                                              \
  COMPARE(num_##type, type, a == a && b == b)                                                      \
  COMPARE(nan_##type, type, !(a == a && b == b))
UNORDERED_COMPARISONS(F32)
UNORDERED_COMPARISONS(F64)

#define SELECT(name, type, bits)                                                                   \
  static void name(Worker *worker, const Op *op) {                                                 \
    SOURCE(type, 0);                                                                               \
    SOURCE(type, 1);                                                                               \
    uint32_t first = *(const U32 *)emu_ref(worker, op->src[2].ref);                                \
    if (op->instruction->alu->flags & ALU_NEGATED)                                                 \
      first = ~first;                                                                              \
    BEGIN(type);                                                                                   \
    LOOP out[i] = first >> i & 1 ? s0[i] : s1[i];                                                  \
    END(bits);                                                                                     \
  }
SELECT(select32, U32, 32)
SELECT(select64, U64, 64)

// --- floating point

#define TWO(type)                                                                                  \
  SOURCE(type, 0);                                                                                 \
  SOURCE(type, 1)
#define THREE(type)                                                                                \
  TWO(type);                                                                                       \
  SOURCE(type, 2)
FLOATS(add_f32, F32, 32, TWO(F32), s0[i] + s1[i], IS_NAN)
FLOATS(sub_f32, F32, 32, TWO(F32), s0[i] - s1[i], IS_NAN)
FLOATS(mul_f32, F32, 32, TWO(F32), s0[i] * s1[i], IS_NAN)
FLOATS(fma_f32, F32, 32, THREE(F32), fmaf(s0[i], s1[i], s2[i]), IS_NAN)
FLOATS(div_f32, F32, 32, TWO(F32), s0[i] / s1[i], IS_NAN)
FLOATS(sqrt_f32, F32, 32, SOURCE(F32, 0), sqrtf(s0[i]), IS_NAN)
FLOATS(add_f64, F64, 64, TWO(F64), s0[i] + s1[i], IS_NAN)
FLOATS(sub_f64, F64, 64, TWO(F64), s0[i] - s1[i], IS_NAN)
FLOATS(mul_f64, F64, 64, TWO(F64), s0[i] * s1[i], IS_NAN)
FLOATS(fma_f64, F64, 64, THREE(F64), fma(s0[i], s1[i], s2[i]), IS_NAN)
FLOATS(div_f64, F64, 64, TWO(F64), s0[i] / s1[i], IS_NAN)
// With .ftz, subnormal operands and results are zeros of their sign.
#define IS_SUBNORMAL(x) (((x) != 0) & (fabsf(x) < 0x1p-126f))
#define IS_SMALL ((result[i] != 0) & (fabsf(result[i]) <= 0x1p-126f))
#define IS_ODD_FTZ (IS_NAN | IS_SMALL | IS_SUBNORMAL(s0[i]) | IS_SUBNORMAL(s1[i]))
FLOATS(add_ftz_f32, F32, 32, TWO(F32), s0[i] + s1[i], IS_ODD_FTZ)
FLOATS(sub_ftz_f32, F32, 32, TWO(F32), s0[i] - s1[i], IS_ODD_FTZ)
FLOATS(mul_ftz_f32, F32, 32, TWO(F32), s0[i] * s1[i], IS_ODD_FTZ)
FLOATS(fma_ftz_f32, F32, 32, THREE(F32), fmaf(s0[i], s1[i], s2[i]),
       IS_ODD_FTZ | IS_SUBNORMAL(s2[i]))

// Equal operands differ in the sign of a zero at most: -0 is the smaller one.
#define EXTREMUM(name, comparison, opposite, combination)                                          \
  static void name(Worker *worker, const Op *op) {                                                 \
    TWO(F32);                                                                                      \
    const U32 *a = (const U32 *)s0, *b = (const U32 *)s1;                                          \
    U32 *to = emu_ref(worker, op->dst.ref);                                                        \
    uint32_t result[LANES] __attribute__((aligned(64))), odd = 0;                                  \
    LOOP {                                                                                         \
      result[i] = s0[i] comparison s1[i] ? a[i]                                                    \
                  : s0[i] opposite s1[i] ? b[i]                                                    \
                                         : a[i] combination b[i];                                  \
    }                                                                                              \
    for (uint32_t i = 0; i < LANES; i++)                                                           \
      odd |= (uint32_t)((s0[i] != s0[i]) | (s1[i] != s1[i])) << i;                                 \
    odd &= worker->lanes;                                                                          \
    if (odd)                                                                                       \
      vector_repair(worker, op, odd, result, 32);                                                  \
    blend32(worker, to, result);                                                                   \
  }
EXTREMUM(min_f32, <, >, |)
EXTREMUM(max_f32, >, <, &)
UNARY(neg_f32_bits, U32, U32, 32, a ^ 0x80000000u)
UNARY(abs_f32_bits, U32, U32, 32, a & 0x7fffffffu)

// --- the table

const VectorRow VECTOR_TABLE[] = {
#define PLAIN(OP, TYPE, RUN) {{.op = ALU_##OP, .type = ALU_TYPE_##TYPE}, RUN},
#define HALF(OP, TYPE, PART, RUN)                                                                  \
  {{.op = ALU_##OP, .type = ALU_TYPE_##TYPE, .half = ALU_HALF_##PART}, RUN},
#define FLAGGED(OP, TYPE, FLAGS, RUN)                                                              \
  {{.op = ALU_##OP, .type = ALU_TYPE_##TYPE, .flags = FLAGS}, RUN},
#define CONVERT(TO, FROM, RUN)                                                                     \
  {{.op = ALU_CVT, .type = ALU_TYPE_##TO, .source = ALU_TYPE_##FROM}, RUN},
#define SETP(TYPE, WORD, RUN)                                                                      \
  {{.op = ALU_SETP, .type = ALU_TYPE_##TYPE, .compare = ALU_COMPARE_##WORD}, RUN},
#include "emu/vector.def"
};
const uint32_t VECTOR_COUNT = sizeof VECTOR_TABLE / sizeof *VECTOR_TABLE;

// --- addresses

static void add_offset32(uint64_t *to, const void *base, uint64_t offset, uint64_t mask) {
  const U32 *from = base;
  LOOP to[i] = (from[i] + offset) & mask;
}

static void add_offset64(uint64_t *to, const void *base, uint64_t offset, uint64_t mask) {
  const U64 *from = base;
  LOOP to[i] = (from[i] + offset) & mask;
}

static AddressSurvey survey(const uint64_t *addresses, uint32_t lanes, uint64_t low, uint64_t limit,
                            uint32_t size) {
  uint32_t first = (uint32_t)__builtin_ctz(lanes);
  uint64_t origin = addresses[first] - (uint64_t)first * size, same = addresses[first];
  uint64_t bits = 0, strayed = 0, differs = 0, step = size;
  uint64_t inside = 0;
  for (uint32_t i = 0; i < LANES; i++) {
    uint64_t active = 0 - (uint64_t)(lanes >> i & 1), address = addresses[i];
    bits |= address & active;
    strayed |= (address - (origin + i * step)) & active;
    differs |= (address - same) & active;
    inside |= (uint64_t)(address - low <= limit) << i;
  }
  return (AddressSurvey){.inside = (uint32_t)inside & lanes,
                         .bits = bits,
                         .shape = !strayed   ? EMU_SHAPE_CONSECUTIVE
                                  : !differs ? EMU_SHAPE_SAME
                                             : EMU_SHAPE_ANY};
}

const VectorHelpers VECTOR_HELPERS = {add_offset32, add_offset64, survey};
