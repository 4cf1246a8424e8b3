// Textures: tex of one, two or three dimensions with point sampling, coordinates that count texels,
// and clamping at the borders, which is what cudaTextureDesc has by default. The handle of a
// texture is the address of its description (lower_texture.h); channels that it does not have are
// 0.
#include "ptx/lower_texture.h"

#include "ptx/lower_lane.h"

typedef struct Texture {
  Lanes lanes;
  const PtxModifiers *modifiers;
  Operand handle;
  uint32_t dimensions;
  Operand coordinates[3];
} Texture;

static bool has(const Texture *texture, PtxModifierId id) {
  return ptx_has_modifier(texture->modifiers, id);
}

static Operand load(Texture *texture, Operand address, int64_t offset, uint32_t size, Proxy proxy) {
  uint32_t result = lane_register(&texture->lanes);
  Instruction *access =
      lane_access(&texture->lanes, IR_LOAD, texture->modifiers, address, offset, size);
  access->space = SPACE_GLOBAL;
  access->proxy = (uint8_t)proxy;
  access->dst = result;
  return lower_register(result);
}

static Operand load_field(Texture *texture, int64_t offset, uint32_t size) {
  return load(texture, texture->handle, offset, size, PROXY_GENERIC);
}

static uint32_t skip_unless(Texture *texture, IrOp compare, Operand a, Operand b) {
  static const IrOp opposites[] = {[IR_SET_EQ] = IR_SET_NE, [IR_SET_GT] = IR_SET_LE};
  Instruction *branch = lower_emit(texture->lanes.code, IR_BRANCH);
  branch->compare = (uint8_t)opposites[compare];
  branch->src[0] = a;
  branch->src[1] = b;
  return texture->lanes.code->instructions.count - 1;
}

static void land(Texture *texture, uint32_t branch) {
  Code *code = texture->lanes.code;
  code->instructions.items[branch].target = code->instructions.count;
}

static Operand compute(Texture *texture, AluOp op, AluType type, Operand a, Operand b) {
  AluOperation operation = {.op = (uint8_t)op, .type = (uint8_t)type};
  Operand operands[ALU_MAX_OPERANDS] = {a, b};
  return lane_compute(&texture->lanes, &operation, operands);
}

// The texel below a coordinate, within the texture.
static Operand find_index(Texture *texture, uint32_t dimension) {
  Operand coordinate = texture->coordinates[dimension];
  Operand size = load_field(texture, TEXTURE_SIZES + 4 * dimension, 4);
  if (texture->modifiers->types[1] == PTX_TYPE_f32) {
    AluOperation floor = {.op = ALU_CVT,
                          .type = ALU_TYPE_S32,
                          .source = ALU_TYPE_F32,
                          .rounding = ALU_ROUND_DOWN,
                          .flags = ALU_INTEGRAL};
    coordinate = lane_compute(&texture->lanes, &floor, &coordinate);
  }
  Operand last = compute(texture, ALU_SUB, ALU_TYPE_S32, size, lower_constant(1));
  coordinate = compute(texture, ALU_MIN, ALU_TYPE_S32, coordinate, last);
  return compute(texture, ALU_MAX, ALU_TYPE_S32, coordinate, lower_constant(0));
}

static Operand find_texel(Texture *texture) {
  Operand number = lower_constant(0);
  for (uint32_t i = texture->dimensions; i-- > 0;) {
    Operand size = load_field(texture, TEXTURE_SIZES + 4 * i, 4);
    number = compute(texture, ALU_MUL, ALU_TYPE_U32, number, size);
    number = compute(texture, ALU_ADD, ALU_TYPE_U32, number, find_index(texture, i));
  }
  Operand bytes = load_field(texture, TEXTURE_TEXEL_BYTES, 4);
  number = compute(texture, ALU_MUL, ALU_TYPE_U32, number, bytes);
  return compute(texture, ALU_ADD, ALU_TYPE_U64, load_field(texture, TEXTURE_BASE, 8), number);
}

// An element of an integer type is extended by its own sign.
static Operand extend(Texture *texture, Operand value, uint32_t size) {
  AluOperation extract = {.op = ALU_BFE, .type = ALU_TYPE_S32};
  Operand operands[ALU_MAX_OPERANDS] = {value, lower_constant(0), lower_constant(8 * size)};
  Operand is_signed = load_field(texture, TEXTURE_IS_SIGNED, 4);
  return lane_select(&texture->lanes, is_signed, lane_compute(&texture->lanes, &extract, operands),
                     value);
}

// Halves become floats; bytes that are read as floats are parts of 255.
static Operand convert(Texture *texture, Operand value, uint32_t size) {
  bool is_float = texture->modifiers->types[0] == PTX_TYPE_f32;
  if (size == 4)
    return value;
  if (!is_float)
    return extend(texture, value, size);
  if (size == 2)
    return lane_convert(&texture->lanes, value, ALU_TYPE_F32, ALU_TYPE_F16);
  enum { FLOAT_255 = 0x437f0000 };
  return compute(texture, ALU_DIV, ALU_TYPE_F32,
                 lane_convert(&texture->lanes, value, ALU_TYPE_F32, ALU_TYPE_U32),
                 lower_constant(FLOAT_255));
}

static void read_channel(Texture *texture, Operand texel, Operand channels, Operand bytes,
                         uint32_t channel, uint32_t reg) {
  lane_move(&texture->lanes, reg, lower_constant(0));
  uint32_t skip = skip_unless(texture, IR_SET_GT, channels, lower_constant(channel));
  for (uint32_t size = 4; size; size /= 2) {
    uint32_t other = skip_unless(texture, IR_SET_EQ, bytes, lower_constant(size));
    Operand value = load(texture, texel, (int64_t)channel * size, size, PROXY_TEXTURE);
    lane_move(&texture->lanes, reg, convert(texture, value, size));
    land(texture, other);
  }
  land(texture, skip);
}

static bool read_operands(Texture *texture, const PtxInstruction *instruction,
                          uint32_t *registers) {
  uint32_t count;
  Code *code = texture->lanes.code;
  const PtxOperand *place = lower_operand(code, instruction, 1);
  texture->dimensions = has(texture, PTX_MODIFIER_1d)   ? 1
                        : has(texture, PTX_MODIFIER_2d) ? 2
                        : has(texture, PTX_MODIFIER_3d) ? 3
                                                        : 0;
  bool is_plain = !has(texture, PTX_MODIFIER_level) && !has(texture, PTX_MODIFIER_grad);
  if (!texture->dimensions || !is_plain || texture->modifiers->vector != 4 ||
      texture->modifiers->type_count != 2 || ptx_type_bits(texture->modifiers->types[0]) != 32 ||
      lower_operand_count(instruction) != 2 || place->kind != PTX_OPERAND_ADDRESS ||
      place->children.count != 2 ||
      !lane_destinations(&texture->lanes, lower_operand(code, instruction, 0), registers, &count) ||
      count != 4 || !lower_value(code, lower_child(code, place, 0), &texture->handle))
    return false;
  const PtxOperand *coordinates = lower_child(code, place, 1);
  // A vector of three has a fourth element that is not looked at.
  if (lower_element_count(coordinates) < texture->dimensions)
    return false;
  for (uint32_t i = 0; i < texture->dimensions; i++)
    if (!lower_value(code, lower_element(code, coordinates, i), &texture->coordinates[i]))
      return false;
  return true;
}

bool lower_texture_instruction(Code *code, const PtxInstruction *instruction,
                               const PtxModifiers *modifiers) {
  Texture texture = {.modifiers = modifiers};
  uint32_t registers[LANE_MOST_REGISTERS], results[4];
  if (instruction->op != PTX_OP_tex)
    return false;
  lane_begin(&texture.lanes, code);
  if (!read_operands(&texture, instruction, registers))
    return false;
  Operand texel = find_texel(&texture);
  Operand channels = load_field(&texture, TEXTURE_CHANNELS, 4);
  Operand bytes = load_field(&texture, TEXTURE_ELEMENT_BYTES, 4);
  for (uint32_t i = 0; i < 4; i++) {
    results[i] = lane_register(&texture.lanes);
    if (registers[i] != UINT32_MAX)
      read_channel(&texture, texel, channels, bytes, i, results[i]);
  }
  for (uint32_t i = 0; i < 4; i++)
    if (registers[i] != UINT32_MAX)
      lane_move(&texture.lanes, registers[i], lower_register(results[i]));
  return true;
}
