// Video instructions: three types, and parts of registers (.b0, .h1, .b3210).
#include <string.h>

#include "ptx/alu_decode.h"

static const PtxOperand *top(const AluDecoder *decoder, uint32_t i) {
  return ptx_alu_top(decoder->module, decoder->instruction, i);
}

static const char *component_of(const AluDecoder *decoder, const PtxOperand *operand) {
  return operand->component ? ptx_text(decoder->module, operand->component) : NULL;
}

static bool is_vset(const AluOperation *operation) {
  return operation->op == ALU_VSET || operation->op == ALU_VSET2 || operation->op == ALU_VSET4;
}

// dtype.atype.btype; a comparison has no type of its result.
static bool take_types(AluDecoder *decoder) {
  AluOperation *operation = decoder->operation;
  uint32_t first = is_vset(operation) ? 0 : 1;
  if (decoder->modifiers->type_count != first + 2)
    return ptx_alu_reject(decoder, "types");
  operation->source = (uint8_t)ptx_alu_type_at(decoder, first);
  operation->second = (uint8_t)ptx_alu_type_at(decoder, first + 1);
  for (uint32_t i = 0; i < first + 2; i++)
    if (ptx_alu_type_at(decoder, i) != ALU_TYPE_S32 && ptx_alu_type_at(decoder, i) != ALU_TYPE_U32)
      return ptx_alu_reject(decoder, "types");
  if (is_vset(operation))
    operation->type = ALU_TYPE_U32;
  return true;
}

// .b0 to .b3 are 1 to 4, .h0 and .h1 are 5 and 6.
static bool take_part(AluDecoder *decoder, uint32_t operand, uint8_t *part) {
  const char *text = component_of(decoder, top(decoder, operand));
  *part = 0;
  if (!text)
    return true;
  bool is_byte = text[0] == 'b' && text[1] >= '0' && text[1] <= '3' && text[2] == 0;
  bool is_half = text[0] == 'h' && text[1] >= '0' && text[1] <= '1' && text[2] == 0;
  if (is_byte || is_half)
    *part = (uint8_t)((is_byte ? 1 : 5) + text[1] - '0');
  return *part != 0 || ptx_alu_reject(decoder, text);
}

static bool decode_scalar(AluDecoder *decoder) {
  AluOperation *operation = decoder->operation;
  for (uint32_t i = 0; i < 3; i++)
    if (!take_part(decoder, i, &operation->part[i]))
      return false;
  if (operation->part[0] != 0) {
    if (operation->combine != ALU_COMBINE_NONE)
      return ptx_alu_reject(decoder, component_of(decoder, top(decoder, 0)));
    operation->flags |= ALU_MERGE;
  }
  return true;
}

// .b3210 or .h10: the lanes to take, the highest first.
static bool take_lanes(AluDecoder *decoder, uint32_t operand, uint32_t count, uint8_t *lanes) {
  const char *text = component_of(decoder, top(decoder, operand));
  for (uint32_t i = 0; i < count; i++)
    lanes[i] = (uint8_t)(i + (operand == 2 ? count : 0));
  if (!text)
    return true;
  if (text[0] != (count == 4 ? 'b' : 'h') || strlen(text) != count + 1)
    return ptx_alu_reject(decoder, text);
  for (uint32_t i = 0; i < count; i++) {
    char digit = text[count - i];
    if (digit < '0' || digit >= (char)('0' + 2 * count))
      return ptx_alu_reject(decoder, text);
    lanes[i] = (uint8_t)(digit - '0');
  }
  return true;
}

// .b20 of the destination: the lanes that are written.
static bool take_mask(AluDecoder *decoder, uint32_t count) {
  AluOperation *operation = decoder->operation;
  const char *text = component_of(decoder, top(decoder, 0));
  operation->mode = (uint8_t)((1 << count) - 1);
  if (!text)
    return true;
  if (text[0] != (count == 4 ? 'b' : 'h') || text[1] == 0)
    return ptx_alu_reject(decoder, text);
  operation->mode = 0;
  for (const char *digit = text + 1; *digit; digit++) {
    if (*digit < '0' || *digit >= (char)('0' + count))
      return ptx_alu_reject(decoder, text);
    operation->mode |= (uint8_t)(1 << (*digit - '0'));
  }
  return true;
}

static bool decode_lanes(AluDecoder *decoder) {
  AluOperation *operation = decoder->operation;
  uint32_t count = operation->op >= ALU_VADD4 ? 4 : 2;
  bool is_sum = operation->combine == ALU_COMBINE_ADD;
  if (!is_sum && operation->combine != ALU_COMBINE_NONE)
    return ptx_alu_reject(decoder, operation->combine == ALU_COMBINE_MIN ? "min" : "max");
  return take_mask(decoder, count) && take_lanes(decoder, 1, count, operation->lanes[0]) &&
         take_lanes(decoder, 2, count, operation->lanes[1]);
}

bool ptx_alu_decode_video(AluDecoder *decoder) {
  if (decoder->instruction->operands.count < 3)
    return ptx_alu_reject(decoder, "operands");
  if (!take_types(decoder))
    return false;
  if (decoder->operation->op >= ALU_VADD2)
    return decode_lanes(decoder);
  return decode_scalar(decoder);
}
