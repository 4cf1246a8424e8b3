#include "ir/alu.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ir/alu_functions.h"

const AluTypeFacts alu_types[ALU_TYPE_COUNT] = {
#define ALU_TYPE(name, text, bits, kind, lanes, lane)                                              \
  {text, bits, ALU_KIND_##kind, lanes, ALU_TYPE_##lane},
#include "ir/alu_types.def"
#undef ALU_TYPE
};

static const struct {
  const char *text;
  uint8_t operand_count;
  AluFunction *function;
} table[ALU_OP_COUNT] = {
#define ALU(name, text, operands, function) {text, operands, alu_##function},
#include "ir/alu.def"
#undef ALU
};

uint32_t alu_type_bits(AluType type) {
  return alu_types[type].bits;
}

bool alu_type_is_signed(AluType type) {
  return alu_types[type].kind == ALU_KIND_S;
}

bool alu_type_is_float(AluType type) {
  return alu_types[type].kind == ALU_KIND_F;
}

const char *alu_type_name(AluType type) {
  return alu_types[type].name;
}

// Operations on packed types work lane by lane, but for those that know about lanes themselves.
static bool is_lanewise(const AluOperation *operation) {
  return alu_types[operation->type].lanes > 1 && operation->op != ALU_CVT &&
         operation->op != ALU_SET && operation->op != ALU_SETP;
}

static void compute_lanes(const AluOperation *operation, const uint64_t *operands,
                          uint64_t *results) {
  const AluTypeFacts *facts = &alu_types[operation->type];
  uint32_t count = alu_operand_count(operation), bits = alu_types[facts->lane].bits;
  AluOperation lane_operation = *operation;
  lane_operation.type = facts->lane;
  uint64_t packed = 0;
  for (uint32_t lane = 0; lane < facts->lanes; lane++) {
    uint64_t lane_operands[ALU_MAX_OPERANDS], lane_results[ALU_MAX_RESULTS];
    for (uint32_t i = 0; i < count; i++)
      lane_operands[i] = alu_lane(operands[i], lane, bits);
    alu_compute(&lane_operation, lane_operands, lane_results);
    packed |= lane_results[0] << (lane * bits);
  }
  results[0] = packed;
}

void alu_compute(const AluOperation *operation, const uint64_t *operands, uint64_t *results) {
  if (is_lanewise(operation))
    compute_lanes(operation, operands, results);
  else
    table[operation->op].function(operation, operands, results);
}

static bool is_video(const AluOperation *operation) {
  return operation->op >= ALU_VADD && operation->op <= ALU_VSET;
}

// From a pair of f32 to a packed type, and from two integers to packed ones.
static bool converts_two(const AluOperation *operation) {
  return operation->op == ALU_CVT && alu_types[operation->type].lanes == 2 &&
         alu_types[operation->source].lanes == 1;
}

uint32_t alu_operand_count(const AluOperation *operation) {
  if (operation->op == ALU_PACK)
    return operation->count;
  uint32_t count = table[operation->op].operand_count;
  switch (operation->op) {
  case ALU_SET:
  case ALU_SETP:
  case ALU_LOP3:
    return count + (operation->combine != ALU_COMBINE_NONE);
  case ALU_CVT:
    return count + converts_two(operation);
  case ALU_CVT_PACK:
    return count + (operation->count == 3);
  default:
    if (is_video(operation))
      return count + (operation->combine != ALU_COMBINE_NONE || alu_has(operation, ALU_MERGE));
    return count + alu_has(operation, ALU_CARRY_IN);
  }
}

uint32_t alu_result_count(const AluOperation *operation) {
  if (operation->op == ALU_UNPACK)
    return operation->count;
  return 1 + (alu_has(operation, ALU_PAIR) || alu_has(operation, ALU_CARRY_OUT));
}

static AluType double_width(AluType type) {
  switch (type) {
  case ALU_TYPE_U16:
    return ALU_TYPE_U32;
  case ALU_TYPE_S16:
    return ALU_TYPE_S32;
  case ALU_TYPE_U32:
    return ALU_TYPE_U64;
  default:
    return ALU_TYPE_S64;
  }
}

static AluType untyped(uint32_t bits) {
  switch (bits) {
  case 8:
    return ALU_TYPE_B8;
  case 16:
    return ALU_TYPE_B16;
  case 32:
    return ALU_TYPE_B32;
  default:
    return ALU_TYPE_B64;
  }
}

static void set_operands(AluSignature *signature, uint32_t first, AluType type) {
  for (uint32_t i = first; i < signature->operand_count; i++)
    signature->operands[i] = (uint8_t)type;
}

static void set_last(AluSignature *signature, AluType type) {
  signature->operands[signature->operand_count - 1] = (uint8_t)type;
}

// Operations whose operands differ in type from each other or from the result.
static void set_special_types(AluSignature *signature, const AluOperation *operation) {
  AluType source = operation->source, type = operation->type;
  switch (operation->op) {
  case ALU_PACK:
    set_operands(signature, 0, untyped(alu_type_bits(type) / operation->count));
    break;
  case ALU_UNPACK:
    for (uint32_t i = 0; i < operation->count; i++)
      signature->results[i] = (uint8_t)untyped(alu_type_bits(type) / operation->count);
    break;
  case ALU_MUL:
  case ALU_MAD:
    if (operation->half != ALU_HALF_WIDE)
      break;
    signature->results[0] = (uint8_t)double_width(type);
    if (operation->op == ALU_MAD)
      signature->operands[2] = signature->results[0];
    break;
  case ALU_ADD:
  case ALU_SUB:
  case ALU_FMA:
    // Mixed precision: the addend is of the result's type.
    if (source != ALU_TYPE_NONE) {
      set_operands(signature, 0, source);
      set_last(signature, type);
    }
    break;
  case ALU_SHL:
  case ALU_SHR:
    signature->operands[1] = ALU_TYPE_U32;
    break;
  case ALU_BFE:
    set_operands(signature, 1, ALU_TYPE_U32);
    break;
  case ALU_BFI:
    set_operands(signature, 2, ALU_TYPE_U32);
    break;
  case ALU_BFIND:
  case ALU_CLZ:
  case ALU_POPC:
    signature->results[0] = ALU_TYPE_U32;
    break;
  case ALU_FNS:
    signature->operands[2] = ALU_TYPE_S32;
    break;
  case ALU_SZEXT:
    signature->operands[1] = ALU_TYPE_U32;
    break;
  case ALU_DP2A:
  case ALU_DP4A:
    signature->operands[0] = (uint8_t)source;
    signature->operands[1] = operation->second;
    break;
  case ALU_SET:
  case ALU_CVT:
    set_operands(signature, 0, source);
    break;
  case ALU_SETP:
  case ALU_TESTP:
    signature->results[0] = signature->results[1] = ALU_TYPE_PRED;
    break;
  case ALU_LOP3:
    signature->results[1] = ALU_TYPE_PRED;
    break;
  case ALU_SELP:
    set_last(signature, ALU_TYPE_PRED);
    break;
  case ALU_SLCT:
    set_last(signature, source);
    break;
  case ALU_CVT_PACK:
    set_operands(signature, 0, ALU_TYPE_S32);
    signature->results[0] = ALU_TYPE_B32;
    break;
  default:
    if (operation->op >= ALU_VADD) {
      set_operands(signature, 0, ALU_TYPE_B32);
      signature->results[0] = ALU_TYPE_B32;
    }
  }
}

AluSignature alu_signature(const AluOperation *operation) {
  AluSignature signature = {.operand_count = (uint8_t)alu_operand_count(operation),
                            .result_count = (uint8_t)alu_result_count(operation)};
  set_operands(&signature, 0, operation->type);
  signature.results[0] = operation->type;
  set_special_types(&signature, operation);
  bool takes_predicate =
      operation->op == ALU_SET || operation->op == ALU_SETP || operation->op == ALU_LOP3;
  if (takes_predicate && operation->combine != ALU_COMBINE_NONE)
    set_last(&signature, ALU_TYPE_PRED);
  if (alu_has(operation, ALU_CARRY_IN))
    set_last(&signature, ALU_TYPE_PRED);
  if (alu_has(operation, ALU_CARRY_OUT))
    signature.results[1] = ALU_TYPE_PRED;
  return signature;
}
