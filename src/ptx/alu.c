#include "ptx/alu.h"

#include "ptx/alu_decode.h"

// Sets of types, as bits 1 << PtxType.
#define BIT(type) (UINT64_C(1) << PTX_TYPE_##type)
#define PRED BIT(pred)
#define B32 BIT(b32)
#define B64 BIT(b64)
#define BITS (BIT(b16) | BIT(b32) | BIT(b64))
#define SIGNED (BIT(s16) | BIT(s32) | BIT(s64))
#define INTEGERS (SIGNED | BIT(u16) | BIT(u32) | BIT(u64))
#define WORD (BIT(s32) | BIT(u32))
#define WORDS (WORD | BIT(s64) | BIT(u64))
#define PAIRS (BIT(s16x2) | BIT(u16x2))
#define SINGLE BIT(f32)
#define DOUBLE BIT(f64)
#define HALVES (BIT(f16) | BIT(bf16))
#define FLOATS (SINGLE | DOUBLE | HALVES)
#define HALF_PAIRS (BIT(f16x2) | BIT(bf16x2))
#define FLOAT_PAIRS (HALF_PAIRS | BIT(f32x2))
#define ANY (~BIT(NONE))

_Static_assert(PTX_TYPE_COUNT <= 64, "sets of types are 64-bit masks");

// Groups of modifiers that an instruction has all of, or none.
enum {
  SAT = 1 << 0,
  CARRY = 1 << 1,
  HALF = 1 << 2,
  WIDE = 1 << 3,
  FTZ = 1 << 4,
  ROUND = 1 << 5,
  ROUND_INTEGRAL = 1 << 6,
  ROUND_AWAY = 1 << 7,
  APPROX = 1 << 8,
  FULL = 1 << 9,
  RELU = 1 << 10,
  SATFINITE = 1 << 11,
  OOB = 1 << 12,
  NAN_RESULT = 1 << 13,
  XORSIGN = 1 << 14,
  TEST = 1 << 15,
  COMPARE = 1 << 16,
  COMBINE = 1 << 17,
  SECONDARY = 1 << 18,
  DIRECTION = 1 << 19,
  WRAP = 1 << 20,
  PERMUTE = 1 << 21,
  SHIFT_AMOUNT = 1 << 22,
  CVT_PACK = 1 << 23,
  SCALE = 1 << 24,
};

// The modifiers of the arithmetic: their groups, the flags that they set, and a mode.
static const struct {
  uint16_t modifier; // PtxModifierId
  uint32_t groups;
  uint32_t flags;
  uint8_t mode;
} words[] = {
    {PTX_MODIFIER_sat, SAT, ALU_SAT, 0},
    {PTX_MODIFIER_cc, CARRY, ALU_CARRY_OUT, 0},
    {PTX_MODIFIER_lo, HALF | COMPARE, 0, 0},
    {PTX_MODIFIER_hi, HALF | COMPARE, 0, 0},
    {PTX_MODIFIER_wide, WIDE, 0, 0},
    {PTX_MODIFIER_ftz, FTZ, ALU_FTZ, 0},
    {PTX_MODIFIER_rn, ROUND, 0, 0},
    {PTX_MODIFIER_rz, ROUND, 0, 0},
    {PTX_MODIFIER_rm, ROUND, 0, 0},
    {PTX_MODIFIER_rp, ROUND, 0, 0},
    {PTX_MODIFIER_rni, ROUND_INTEGRAL, 0, 0},
    {PTX_MODIFIER_rzi, ROUND_INTEGRAL, 0, 0},
    {PTX_MODIFIER_rmi, ROUND_INTEGRAL, 0, 0},
    {PTX_MODIFIER_rpi, ROUND_INTEGRAL, 0, 0},
    {PTX_MODIFIER_rna, ROUND_AWAY, 0, 0},
    {PTX_MODIFIER_approx, APPROX, ALU_APPROX, 0},
    {PTX_MODIFIER_full, FULL, ALU_APPROX, 1},
    {PTX_MODIFIER_relu, RELU, ALU_RELU, 0},
    {PTX_MODIFIER_satfinite, SATFINITE, ALU_SATFINITE, 0},
    {PTX_MODIFIER_oob, OOB, ALU_OOB, 0},
    {PTX_MODIFIER_NaN, NAN_RESULT, ALU_NAN, 0},
    {PTX_MODIFIER_xorsign, XORSIGN, ALU_XORSIGN_ABS, 0},
    {PTX_MODIFIER_abs, XORSIGN, ALU_XORSIGN_ABS, 0},
    {PTX_MODIFIER_finite, TEST, 0, ALU_TEST_FINITE},
    {PTX_MODIFIER_infinite, TEST, 0, ALU_TEST_INFINITE},
    {PTX_MODIFIER_number, TEST, 0, ALU_TEST_NUMBER},
    {PTX_MODIFIER_notanumber, TEST, 0, ALU_TEST_NOT_A_NUMBER},
    {PTX_MODIFIER_normal, TEST, 0, ALU_TEST_NORMAL},
    {PTX_MODIFIER_subnormal, TEST, 0, ALU_TEST_SUBNORMAL},
    {PTX_MODIFIER_eq, COMPARE, 0, 0},
    {PTX_MODIFIER_ne, COMPARE, 0, 0},
    {PTX_MODIFIER_lt, COMPARE, 0, 0},
    {PTX_MODIFIER_le, COMPARE, 0, 0},
    {PTX_MODIFIER_gt, COMPARE, 0, 0},
    {PTX_MODIFIER_ge, COMPARE, 0, 0},
    {PTX_MODIFIER_ls, COMPARE, 0, 0},
    {PTX_MODIFIER_hs, COMPARE, 0, 0},
    {PTX_MODIFIER_equ, COMPARE, 0, 0},
    {PTX_MODIFIER_neu, COMPARE, 0, 0},
    {PTX_MODIFIER_ltu, COMPARE, 0, 0},
    {PTX_MODIFIER_leu, COMPARE, 0, 0},
    {PTX_MODIFIER_gtu, COMPARE, 0, 0},
    {PTX_MODIFIER_geu, COMPARE, 0, 0},
    {PTX_MODIFIER_num, COMPARE, 0, 0},
    {PTX_MODIFIER_nan, COMPARE, 0, 0},
    {PTX_MODIFIER_and, COMBINE, 0, 0},
    {PTX_MODIFIER_or, COMBINE, 0, 0},
    {PTX_MODIFIER_xor, COMBINE, 0, 0},
    {PTX_MODIFIER_add, SECONDARY, 0, 0},
    {PTX_MODIFIER_min, SECONDARY, 0, 0},
    {PTX_MODIFIER_max, SECONDARY, 0, 0},
    {PTX_MODIFIER_l, DIRECTION, 0, 0},
    {PTX_MODIFIER_r, DIRECTION, ALU_RIGHT, 0},
    {PTX_MODIFIER_clamp, WRAP, ALU_CLAMP, 0},
    {PTX_MODIFIER_wrap, WRAP, 0, 0},
    {PTX_MODIFIER_f4e, PERMUTE, 0, ALU_PERMUTE_F4E},
    {PTX_MODIFIER_b4e, PERMUTE, 0, ALU_PERMUTE_B4E},
    {PTX_MODIFIER_rc8, PERMUTE, 0, ALU_PERMUTE_RC8},
    {PTX_MODIFIER_ecl, PERMUTE, 0, ALU_PERMUTE_ECL},
    {PTX_MODIFIER_ecr, PERMUTE, 0, ALU_PERMUTE_ECR},
    {PTX_MODIFIER_rc16, PERMUTE, 0, ALU_PERMUTE_RC16},
    {PTX_MODIFIER_shiftamt, SHIFT_AMOUNT, ALU_SHIFT_AMOUNT, 0},
    {PTX_MODIFIER_pack, CVT_PACK, 0, 0},
    {PTX_MODIFIER_po, SCALE, ALU_PLUS_ONE, 0},
    {PTX_MODIFIER_shr7, SCALE, 0, 7},
    {PTX_MODIFIER_shr15, SCALE, 0, 15},
};

typedef struct Form {
  uint8_t opcode;    // PtxOp
  uint8_t operation; // AluOp
  uint64_t types;
  uint32_t modifiers;
} Form;

static const Form forms[] = {
#define FORM(opcode, operation, types, modifiers)                                                  \
  {PTX_OP_##opcode, ALU_##operation, types, modifiers},
#include "ptx/alu_forms.def"
#undef FORM
};

AluType ptx_alu_type(PtxType type) {
  static const uint8_t types[PTX_TYPE_COUNT] = {
      [PTX_TYPE_pred] = ALU_TYPE_PRED,     [PTX_TYPE_b8] = ALU_TYPE_B8,
      [PTX_TYPE_b16] = ALU_TYPE_B16,       [PTX_TYPE_b32] = ALU_TYPE_B32,
      [PTX_TYPE_b64] = ALU_TYPE_B64,       [PTX_TYPE_u2] = ALU_TYPE_U2,
      [PTX_TYPE_u4] = ALU_TYPE_U4,         [PTX_TYPE_u8] = ALU_TYPE_U8,
      [PTX_TYPE_u16] = ALU_TYPE_U16,       [PTX_TYPE_u32] = ALU_TYPE_U32,
      [PTX_TYPE_u64] = ALU_TYPE_U64,       [PTX_TYPE_s2] = ALU_TYPE_S2,
      [PTX_TYPE_s4] = ALU_TYPE_S4,         [PTX_TYPE_s8] = ALU_TYPE_S8,
      [PTX_TYPE_s16] = ALU_TYPE_S16,       [PTX_TYPE_s32] = ALU_TYPE_S32,
      [PTX_TYPE_s64] = ALU_TYPE_S64,       [PTX_TYPE_f16] = ALU_TYPE_F16,
      [PTX_TYPE_bf16] = ALU_TYPE_BF16,     [PTX_TYPE_tf32] = ALU_TYPE_TF32,
      [PTX_TYPE_f32] = ALU_TYPE_F32,       [PTX_TYPE_f64] = ALU_TYPE_F64,
      [PTX_TYPE_u16x2] = ALU_TYPE_U16X2,   [PTX_TYPE_s16x2] = ALU_TYPE_S16X2,
      [PTX_TYPE_f16x2] = ALU_TYPE_F16X2,   [PTX_TYPE_bf16x2] = ALU_TYPE_BF16X2,
      [PTX_TYPE_f32x2] = ALU_TYPE_F32X2,   [PTX_TYPE_e4m3x2] = ALU_TYPE_E4M3X2,
      [PTX_TYPE_e2m3x2] = ALU_TYPE_E2M3X2, [PTX_TYPE_e3m2x2] = ALU_TYPE_E3M2X2,
      [PTX_TYPE_e2m1x2] = ALU_TYPE_E2M1X2, [PTX_TYPE_ue8m0x2] = ALU_TYPE_UE8M0X2,
      [PTX_TYPE_e5m2x2] = ALU_TYPE_E5M2X2,
  };
  return types[type];
}

bool ptx_alu_reject(AluDecoder *decoder, const char *what) {
  if (!decoder->unsupported)
    decoder->unsupported = what;
  return false;
}

static bool has(const AluDecoder *decoder, PtxModifierId id) {
  return ptx_has_modifier(decoder->modifiers, id);
}

// Finds the row; without one of the right type, rejects the type.
static const Form *find_form(AluDecoder *decoder) {
  const PtxModifiers *modifiers = decoder->modifiers;
  PtxType type = modifiers->type_count > 0 ? modifiers->types[0] : PTX_TYPE_NONE;
  const Form *same_opcode = NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i].opcode != decoder->instruction->op)
      continue;
    same_opcode = &forms[i];
    if (forms[i].types >> type & 1)
      return same_opcode;
  }
  if (same_opcode)
    ptx_alu_reject(decoder, type == PTX_TYPE_NONE ? "no type" : ptx_type_name(type));
  return NULL;
}

// Applies one modifier that is there.
static bool apply_word(AluDecoder *decoder, const Form *form, PtxModifierId id) {
  AluOperation *operation = decoder->operation;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].modifier == id && words[i].groups & form->modifiers) {
      operation->flags |= words[i].flags;
      operation->mode |= words[i].mode;
      return true;
    }
  return ptx_alu_reject(decoder, ptx_modifier_text(id));
}

static bool apply_words(AluDecoder *decoder, const Form *form) {
  const PtxModifiers *modifiers = decoder->modifiers;
  if (modifiers->unknown)
    return ptx_alu_reject(decoder, ptx_text(decoder->module, modifiers->unknown));
  for (uint32_t id = 1; id < PTX_MODIFIER_COUNT; id++)
    if (has(decoder, id) && !apply_word(decoder, form, id))
      return false;
  return true;
}

static AluRounding rounding_of(PtxRounding rounding) {
  switch (rounding) {
  case PTX_ROUNDING_RZ:
  case PTX_ROUNDING_RZI:
    return ALU_ROUND_ZERO;
  case PTX_ROUNDING_RM:
  case PTX_ROUNDING_RMI:
    return ALU_ROUND_DOWN;
  case PTX_ROUNDING_RP:
  case PTX_ROUNDING_RPI:
    return ALU_ROUND_UP;
  case PTX_ROUNDING_RNA:
    return ALU_ROUND_NEAREST_AWAY;
  default:
    return ALU_ROUND_NEAREST;
  }
}

static AluCombine combine_of(PtxOperation operation) {
  switch (operation) {
  case PTX_OPERATION_AND:
    return ALU_COMBINE_AND;
  case PTX_OPERATION_OR:
    return ALU_COMBINE_OR;
  case PTX_OPERATION_XOR:
    return ALU_COMBINE_XOR;
  case PTX_OPERATION_ADD:
    return ALU_COMBINE_ADD;
  case PTX_OPERATION_MIN:
    return ALU_COMBINE_MIN;
  case PTX_OPERATION_MAX:
    return ALU_COMBINE_MAX;
  default:
    return ALU_COMBINE_NONE;
  }
}

static AluHalf half_of(const AluDecoder *decoder) {
  return has(decoder, PTX_MODIFIER_wide) ? ALU_HALF_WIDE
         : has(decoder, PTX_MODIFIER_hi) ? ALU_HALF_HIGH
                                         : ALU_HALF_LOW;
}

// What the decoded modifiers say without regard to the instruction.
static void apply_fields(AluDecoder *decoder, const Form *form) {
  const PtxModifiers *modifiers = decoder->modifiers;
  AluOperation *operation = decoder->operation;
  PtxOp opcode = decoder->instruction->op;
  operation->op = form->operation;
  operation->type = (uint8_t)ptx_alu_type_at(decoder, 0);
  operation->rounding = (uint8_t)rounding_of(modifiers->rounding);
  operation->combine = (uint8_t)combine_of(modifiers->operation);
  if (form->modifiers & (HALF | WIDE))
    operation->half = (uint8_t)half_of(decoder);
  if (form->modifiers & COMPARE) // both enumerations follow the order of the manual
    operation->compare = (uint8_t)(modifiers->compare - PTX_COMPARE_EQ);
  if (opcode == PTX_OP_addc || opcode == PTX_OP_subc || opcode == PTX_OP_madc)
    operation->flags |= ALU_CARRY_IN;
}

const PtxOperand *ptx_alu_top(const PtxModule *module, const PtxInstruction *instruction,
                              uint32_t i) {
  return &module->operands.items[instruction->operands.first + i];
}

static const PtxOperand *top(const AluDecoder *decoder, uint32_t i) {
  return ptx_alu_top(decoder->module, decoder->instruction, i);
}

static bool is_in(AluType type, uint64_t set) {
  for (uint32_t i = 1; i < PTX_TYPE_COUNT; i++)
    if (set >> i & 1 && ptx_alu_type(i) == type)
      return true;
  return false;
}

// The type of a second kind of operand, which must be in the set.
static bool take_source(AluDecoder *decoder, uint64_t set) {
  const PtxModifiers *modifiers = decoder->modifiers;
  AluType type = ptx_alu_type_at(decoder, 1);
  if (modifiers->type_count != 2)
    return ptx_alu_reject(decoder, "types");
  if (!is_in(type, set))
    return ptx_alu_reject(decoder, ptx_type_name(modifiers->types[1]));
  decoder->operation->source = (uint8_t)type;
  return true;
}

static bool decode_dot_product(AluDecoder *decoder) {
  if (!take_source(decoder, WORD))
    return false;
  AluOperation *operation = decoder->operation;
  operation->second = operation->source;
  operation->source = operation->type;
  bool is_signed = alu_type_is_signed(operation->source) || alu_type_is_signed(operation->second);
  operation->type = is_signed ? ALU_TYPE_S32 : ALU_TYPE_U32;
  return true;
}

// Vectors on one side pack or unpack.
static bool decode_move(AluDecoder *decoder) {
  AluOperation *operation = decoder->operation;
  const PtxOperand *destination = top(decoder, 0), *source = top(decoder, 1);
  bool unpacks = destination->kind == PTX_OPERAND_VECTOR,
       packs = source->kind == PTX_OPERAND_VECTOR;
  if (!unpacks && !packs)
    return true;
  if (unpacks && packs)
    return ptx_alu_reject(decoder, "vectors");
  uint32_t count = (unpacks ? destination : source)->children.count;
  uint32_t bits = alu_type_bits(operation->type);
  if (operation->type == ALU_TYPE_PRED || (count != 2 && count != 4) || bits / count < 8)
    return ptx_alu_reject(decoder, "vectors");
  operation->op = unpacks ? ALU_UNPACK : ALU_PACK;
  operation->count = (uint8_t)count;
  return true;
}

static uint32_t register_bits(const AluDecoder *decoder, const PtxOperand *operand) {
  if (operand->kind != PTX_OPERAND_NAME || operand->variable == PTX_NONE)
    return 0;
  const PtxVariable *variable = &decoder->module->variables.items[operand->variable];
  return ptx_type_bits(variable->type);
}

static bool decode_cvt_pack(AluDecoder *decoder) {
  AluOperation *operation = decoder->operation;
  uint32_t bits = alu_type_bits(operation->type), type_count = decoder->modifiers->type_count;
  bool has_third = type_count == 3 && decoder->modifiers->types[2] == PTX_TYPE_b32;
  operation->op = ALU_CVT_PACK;
  operation->source = (uint8_t)ptx_alu_type_at(decoder, 1);
  operation->count = has_third ? 3 : 2;
  bool is_integer = bits > 0 && bits <= 16 && !alu_type_is_float(operation->type);
  if (!is_integer || operation->source != ALU_TYPE_S32 || type_count != operation->count)
    return ptx_alu_reject(decoder, "types");
  return true;
}

// Floating-point numbers of 8 bits and less, which exist packed only.
static bool is_small_pair(AluType type) {
  return type == ALU_TYPE_E4M3X2 || type == ALU_TYPE_E5M2X2 || type == ALU_TYPE_E2M3X2 ||
         type == ALU_TYPE_E3M2X2 || type == ALU_TYPE_E2M1X2;
}

// Packed results come from two numbers or from a packed one.
static bool converts_packed(const AluOperation *operation) {
  AluType type = (AluType)operation->type, source = (AluType)operation->source;
  bool is_half_pair = type == ALU_TYPE_F16X2 || type == ALU_TYPE_BF16X2;
  if (type == ALU_TYPE_UE8M0X2)
    return source == ALU_TYPE_F32 || source == ALU_TYPE_BF16X2;
  if (source == ALU_TYPE_UE8M0X2)
    return type == ALU_TYPE_BF16X2;
  if (is_small_pair(type))
    return source == ALU_TYPE_F32 || source == ALU_TYPE_F16X2;
  return is_half_pair &&
         (source == ALU_TYPE_F32 || (is_small_pair(source) && type == ALU_TYPE_F16X2));
}

static bool converts_scalar(const AluOperation *operation) {
  static const uint64_t scalars = INTEGERS | FLOATS | BIT(u8) | BIT(s8);
  if (operation->type == ALU_TYPE_TF32)
    return operation->source == ALU_TYPE_F32;
  return is_in(operation->type, scalars) && is_in(operation->source, scalars);
}

static bool decode_cvt(AluDecoder *decoder) {
  if (has(decoder, PTX_MODIFIER_pack))
    return decode_cvt_pack(decoder);
  AluOperation *operation = decoder->operation;
  operation->source = (uint8_t)ptx_alu_type_at(decoder, 1);
  if (decoder->modifiers->type_count != 2)
    return ptx_alu_reject(decoder, "types");
  if (!converts_packed(operation) && !converts_scalar(operation))
    return ptx_alu_reject(decoder, "types");
  if (decoder->modifiers->rounding >= PTX_ROUNDING_RNI)
    operation->flags |= ALU_INTEGRAL;
  operation->width = (uint8_t)register_bits(decoder, top(decoder, 0));
  return true;
}

// The truth table is a constant; a predicate may follow it.
static bool decode_lop3(AluDecoder *decoder) {
  const PtxOperand *lookup = top(decoder, 4);
  bool is_constant = lookup->kind == PTX_OPERAND_INTEGER || lookup->kind == PTX_OPERAND_EXPRESSION;
  if (!is_constant || lookup->value > 255)
    return ptx_alu_reject(decoder, "truth table");
  decoder->operation->mode = (uint8_t)lookup->value;
  if (decoder->operation->combine == ALU_COMBINE_XOR)
    return ptx_alu_reject(decoder, "xor");
  return true;
}

// add.f32.f16 and the like.
static bool decode_mixed(AluDecoder *decoder) {
  if (decoder->operation->type != ALU_TYPE_F32)
    return ptx_alu_reject(decoder, "types");
  return take_source(decoder, HALVES);
}

// A product of integers is .lo, .hi or .wide; those that need no choice have none.
static bool decode_product(AluDecoder *decoder) {
  bool is_integer = !alu_type_is_float(decoder->operation->type);
  bool has_half = has(decoder, PTX_MODIFIER_lo) || has(decoder, PTX_MODIFIER_hi) ||
                  has(decoder, PTX_MODIFIER_wide);
  if (is_integer && !has_half)
    return ptx_alu_reject(decoder, "neither .lo nor .hi nor .wide");
  bool is_wide = decoder->operation->half == ALU_HALF_WIDE;
  if (is_wide && alu_type_bits(decoder->operation->type) > 32)
    return ptx_alu_reject(decoder, "wide");
  return true;
}

static bool has_one_type(AluDecoder *decoder) {
  return decoder->modifiers->type_count == 1 || ptx_alu_reject(decoder, "types");
}

// What is particular to an operation: its other types, vectors and constants.
static bool decode_particular(AluDecoder *decoder) {
  if (ptx_alu_is_video(decoder->operation))
    return ptx_alu_decode_video(decoder);
  switch (decoder->operation->op) {
  case ALU_MOV:
    return has_one_type(decoder) && decode_move(decoder);
  case ALU_MUL:
  case ALU_MAD:
    return has_one_type(decoder) && decode_product(decoder);
  case ALU_ADD:
  case ALU_SUB:
  case ALU_FMA:
    return decoder->modifiers->type_count == 1 || decode_mixed(decoder);
  case ALU_DP4A:
  case ALU_DP2A:
    return decode_dot_product(decoder);
  case ALU_SET:
    return take_source(decoder, BITS | INTEGERS | FLOATS | HALF_PAIRS);
  case ALU_SLCT:
    return take_source(decoder, BIT(s32) | SINGLE);
  case ALU_CVT:
    return decode_cvt(decoder);
  case ALU_LOP3:
    return has_one_type(decoder) && decode_lop3(decoder);
  default:
    return has_one_type(decoder);
  }
}

// The number of top-level operands, which tells the optional ones.
static bool check_operand_count(AluDecoder *decoder) {
  const AluOperation *operation = decoder->operation;
  uint32_t expected = 1 + alu_operand_count(operation);
  if (operation->op == ALU_PACK)
    expected = 2;
  if (operation->flags & ALU_CARRY_IN)
    expected--;
  if (operation->op == ALU_LOP3)
    expected++;
  return decoder->instruction->operands.count == expected || ptx_alu_reject(decoder, "operands");
}

// setp may write p|q; lop3 does so if it has a Boolean operation.
static bool check_destination(AluDecoder *decoder) {
  AluOperation *operation = decoder->operation;
  bool is_pair = top(decoder, 0)->kind == PTX_OPERAND_PAIR;
  bool combines = operation->op == ALU_LOP3 && operation->combine != ALU_COMBINE_NONE;
  if (is_pair ? operation->op != ALU_SETP && !combines : combines)
    return ptx_alu_reject(decoder, "destination");
  if (is_pair)
    operation->flags |= ALU_PAIR;
  return true;
}

static bool may_negate_last(const AluOperation *operation) {
  return operation->op == ALU_SELP ||
         ((operation->op == ALU_SET || operation->op == ALU_SETP || operation->op == ALU_LOP3) &&
          operation->combine != ALU_COMBINE_NONE);
}

// -a or -b, or -c, of vmad without .po.
static bool decode_minus(AluDecoder *decoder, uint32_t i) {
  AluOperation *operation = decoder->operation;
  if (operation->op != ALU_VMAD || operation->flags & ALU_PLUS_ONE)
    return ptx_alu_reject(decoder, "'-'");
  operation->flags ^= i == 3 ? ALU_MINUS_SUM : ALU_MINUS_PRODUCT;
  return true;
}

// !q is possible as the last operand of some.
static bool decode_signs(AluDecoder *decoder) {
  AluOperation *operation = decoder->operation;
  uint32_t count = decoder->instruction->operands.count;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t flags = top(decoder, i)->flags;
    if (flags & PTX_OPERAND_NOT && (i + 1 < count || !may_negate_last(operation)))
      return ptx_alu_reject(decoder, "'!'");
    if (flags & PTX_OPERAND_NOT)
      operation->flags |= ALU_NEGATED;
    if (flags & PTX_OPERAND_MINUS && !decode_minus(decoder, i))
      return false;
  }
  return true;
}

static bool decode(AluDecoder *decoder, const Form *form) {
  // Some decoders look at operands: two are always there.
  if (decoder->instruction->operands.count < 2)
    return ptx_alu_reject(decoder, "operands");
  if (form->operation == ALU_LOP3 && decoder->instruction->operands.count < 5)
    return ptx_alu_reject(decoder, "operands");
  if (!apply_words(decoder, form))
    return false;
  apply_fields(decoder, form);
  if (decoder->operation->type == ALU_TYPE_NONE)
    return ptx_alu_reject(decoder, ptx_type_name(decoder->modifiers->types[0]));
  return decode_particular(decoder) && check_operand_count(decoder) && check_destination(decoder) &&
         decode_signs(decoder);
}

PtxAluResult ptx_decode_alu(const PtxModule *module, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers, AluOperation *operation,
                            const char **unsupported) {
  *operation = (AluOperation){0};
  AluDecoder decoder = {module, instruction, modifiers, operation, NULL};
  const Form *form = find_form(&decoder);
  bool is_ok = form && decode(&decoder, form);
  *unsupported = decoder.unsupported;
  if (is_ok)
    return PTX_ALU_OK;
  return decoder.unsupported ? PTX_ALU_UNSUPPORTED : PTX_ALU_OTHER;
}
