// Moves, logic, shifts and bit fields (PTX ISA "Logic and Shift Instructions", "Data Movement
// Instructions: prmt", and the bit instructions of "Integer Arithmetic Instructions").
#include "ir/alu_functions.h"

static uint32_t bits_of(const AluOperation *operation) {
  return alu_types[operation->type].bits;
}

static uint64_t truncate(const AluOperation *operation, uint64_t value) {
  return alu_truncate(value, bits_of(operation));
}

void alu_move(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = truncate(operation, operands[0]);
}

void alu_pack(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = bits_of(operation) / operation->count;
  uint64_t packed = 0;
  for (uint32_t i = 0; i < operation->count; i++)
    packed |= alu_truncate(operands[i], bits) << (i * bits);
  results[0] = packed;
}

void alu_unpack(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = bits_of(operation) / operation->count;
  uint64_t packed = operands[0];
  for (uint32_t i = 0; i < operation->count; i++)
    results[i] = alu_lane(packed, i, bits);
}

void alu_bit_and(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = truncate(operation, operands[0] & operands[1]);
}

void alu_bit_or(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = truncate(operation, operands[0] | operands[1]);
}

void alu_bit_xor(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = truncate(operation, operands[0] ^ operands[1]);
}

void alu_bit_not(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = truncate(operation, ~operands[0]);
}

void alu_cnot(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = truncate(operation, operands[0]) == 0;
}

// Applies the truth table: bit 4a + 2b + c of it is the result for the bits a, b, c.
static uint32_t apply_table(uint8_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (uint32_t row = 0; row < 8; row++)
    if (table >> row & 1)
      result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}

// With a Boolean operation: p = (d != 0) op q.
void alu_lop3(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t value = apply_table(operation->mode, (uint32_t)operands[0], (uint32_t)operands[1],
                               (uint32_t)operands[2]);
  results[0] = value;
  if (operation->combine == ALU_COMBINE_NONE)
    return;
  uint64_t q = (operands[3] & 1) ^ alu_has(operation, ALU_NEGATED), is_set = value != 0;
  results[1] = operation->combine == ALU_COMBINE_AND ? (is_set & q) : (is_set | q);
}

// Counts at or above the width shift everything out.
void alu_shl(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t count = (uint32_t)operands[1];
  results[0] = count < bits_of(operation) ? truncate(operation, operands[0] << count) : 0;
}

void alu_shr(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t count = (uint32_t)operands[1], bits = bits_of(operation);
  uint64_t value = alu_widen(operation->type, operands[0]);
  if (alu_types[operation->type].kind == ALU_KIND_S)
    results[0] = truncate(operation, (uint64_t)((int64_t)value >> (count < bits ? count : 63)));
  else
    results[0] = count < bits ? value >> count : 0;
}

// Funnel shift of b:a; .l gives the upper half, .r the lower one.
void alu_shf(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t count = (uint32_t)operands[2];
  if (!alu_has(operation, ALU_CLAMP))
    count &= 31;
  else if (count > 32)
    count = 32;
  uint64_t both = alu_truncate(operands[1], 32) << 32 | alu_truncate(operands[0], 32);
  results[0] = alu_has(operation, ALU_RIGHT) ? alu_truncate(both >> count, 32)
                                             : alu_truncate(both << count >> 32, 32);
}

// The nibbles that select bytes of b:a, lowest first, for a mode and its two control bits.
static uint32_t permute_selector(AluPermute mode, uint32_t control) {
  static const uint16_t selectors[][4] = {
      [ALU_PERMUTE_F4E] = {0x3210, 0x4321, 0x5432, 0x6543},
      [ALU_PERMUTE_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
      [ALU_PERMUTE_RC8] = {0x0000, 0x1111, 0x2222, 0x3333},
      [ALU_PERMUTE_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
      [ALU_PERMUTE_ECR] = {0x0000, 0x1110, 0x2210, 0x3210},
      [ALU_PERMUTE_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
  };
  return mode == ALU_PERMUTE_INDEX ? control : selectors[mode][control & 3];
}

void alu_prmt(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t both = alu_truncate(operands[1], 32) << 32 | alu_truncate(operands[0], 32);
  uint32_t selector = permute_selector(operation->mode, (uint32_t)operands[2]);
  uint64_t permuted = 0;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t nibble = selector >> (4 * i) & 15;
    uint64_t byte = alu_lane(both, nibble & 7, 8);
    if (nibble & 8) // replicate the sign
      byte = byte & 0x80 ? 0xff : 0;
    permuted |= byte << (8 * i);
  }
  results[0] = permuted;
}

// Positions and lengths of fields are 0 to 255. Devices cut others to their low byte, of 64-bit
// operands to 255.
static uint32_t field_number(const AluOperation *operation, uint64_t value) {
  uint32_t number = (uint32_t)value;
  if (bits_of(operation) == 64)
    return number < 255 ? number : 255;
  return number & 0xff;
}

// Bits `position` .. `position + length - 1`; above the field, the sign of a signed type.
void alu_bfe(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = bits_of(operation), position = field_number(operation, operands[1]);
  uint32_t length = field_number(operation, operands[2]);
  uint64_t value = truncate(operation, operands[0]);
  uint64_t field = position < bits ? alu_truncate(value >> position, length) : 0;
  if (alu_types[operation->type].kind == ALU_KIND_S && length > 0) {
    uint32_t top = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
    uint32_t kept = position < bits ? top - position + 1 : 0;
    if (value >> top & 1)
      field |= ~alu_mask(kept);
  }
  results[0] = truncate(operation, field);
}

// Inserts the low bits of a into b.
void alu_bfi(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = bits_of(operation), position = field_number(operation, operands[2]);
  uint32_t length = field_number(operation, operands[3]);
  uint64_t mask = position < bits ? alu_mask(length) << position : 0;
  uint64_t field = position < bits ? operands[0] << position : 0;
  results[0] = truncate(operation, (operands[1] & ~mask) | (field & mask));
}

// Position of the most significant bit that is not a copy of the sign.
void alu_bfind(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t value = alu_widen(operation->type, operands[0]);
  if (alu_types[operation->type].kind == ALU_KIND_S && value >> 63)
    value = ~value;
  if (value == 0) {
    results[0] = UINT32_MAX;
    return;
  }
  uint32_t position = 63 - (uint32_t)__builtin_clzll(value);
  results[0] = alu_has(operation, ALU_SHIFT_AMOUNT) ? bits_of(operation) - 1 - position : position;
}

void alu_brev(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint32_t bits = bits_of(operation);
  uint64_t reversed = 0;
  for (uint32_t i = 0; i < bits; i++)
    reversed |= (operands[0] >> i & 1) << (bits - 1 - i);
  results[0] = reversed;
}

void alu_clz(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t value = truncate(operation, operands[0]);
  uint32_t bits = bits_of(operation);
  results[0] = value ? (uint32_t)__builtin_clzll(value) - (64 - bits) : bits;
}

void alu_popc(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  results[0] = (uint64_t)__builtin_popcountll(truncate(operation, operands[0]));
}

// The |offset|-th set bit of the mask from `base` on, in the direction of the offset's sign; with
// the offset 0, `base` itself if its bit is set.
void alu_fns(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  (void)operation;
  uint32_t mask = (uint32_t)operands[0], base = (uint32_t)operands[1];
  int32_t offset = (int32_t)(uint32_t)operands[2];
  results[0] = UINT32_MAX;
  if (offset == 0) {
    if (base < 32 && mask >> base & 1)
      results[0] = base;
    return;
  }
  uint32_t wanted = offset < 0 ? 0 - (uint32_t)offset : (uint32_t)offset;
  for (uint32_t position = base; position < 32; position += offset < 0 ? UINT32_MAX : 1)
    if (mask >> position & 1 && --wanted == 0) {
      results[0] = position;
      return;
    }
}

// A mask of `width` ones from bit `start` on; .wrap takes both modulo 32.
void alu_bmsk(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t start = (uint32_t)operands[0], width = (uint32_t)operands[1];
  if (!alu_has(operation, ALU_CLAMP)) {
    start &= 31;
    width &= 31;
  }
  uint64_t ones = alu_mask(width < 32 ? (uint32_t)width : 32);
  results[0] = start < 32 ? alu_truncate(ones << start, 32) : 0;
}

// Extends the low `width` bits by zeros or by their sign; .wrap takes the width modulo 32.
void alu_szext(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  uint64_t value = truncate(operation, operands[0]);
  uint32_t width = (uint32_t)operands[1];
  if (!alu_has(operation, ALU_CLAMP))
    width &= 31;
  if (width >= 32)
    results[0] = value;
  else if (width == 0)
    results[0] = 0;
  else if (alu_types[operation->type].kind == ALU_KIND_S)
    results[0] = truncate(operation, alu_extend_sign(value, width));
  else
    results[0] = alu_truncate(value, width);
}
