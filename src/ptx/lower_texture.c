// Textures: tex of one, two or three dimensions with point sampling, coordinates that count texels,
// and clamping at the borders, which is what cudaTextureDesc has by default; tld4, which gathers a
// channel of four texels. The handle of a texture is the address of its description
// (lower_texture.h); channels that it does not have are 0. It has one level, so .level and .grad
// make no difference.
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

// The whole number below a coordinate.
static Operand find_floor(Texture *texture, Operand coordinate) {
  if (texture->modifiers->types[1] != PTX_TYPE_f32)
    return coordinate;
  AluOperation floor = {.op = ALU_CVT,
                        .type = ALU_TYPE_S32,
                        .source = ALU_TYPE_F32,
                        .rounding = ALU_ROUND_DOWN,
                        .flags = ALU_INTEGRAL};
  return lane_compute(&texture->lanes, &floor, &coordinate);
}

// The nearest number of a texel within the texture.
static Operand clamp_index(Texture *texture, uint32_t dimension, Operand index) {
  Operand size = load_field(texture, TEXTURE_SIZES + 4 * dimension, 4);
  Operand last = compute(texture, ALU_SUB, ALU_TYPE_S32, size, lower_constant(1));
  index = compute(texture, ALU_MIN, ALU_TYPE_S32, index, last);
  return compute(texture, ALU_MAX, ALU_TYPE_S32, index, lower_constant(0));
}

// The address of the texel with these numbers.
static Operand find_texel(Texture *texture, const Operand *indices) {
  Operand number = lower_constant(0);
  for (uint32_t i = texture->dimensions; i-- > 0;) {
    Operand size = load_field(texture, TEXTURE_SIZES + 4 * i, 4);
    number = compute(texture, ALU_MUL, ALU_TYPE_U32, number, size);
    number = compute(texture, ALU_ADD, ALU_TYPE_U32, number, clamp_index(texture, i, indices[i]));
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

// Operands behind the place that have no effect on a texture with one level.
static uint32_t level_operands(const Texture *texture) {
  return has(texture, PTX_MODIFIER_level) ? 1 : has(texture, PTX_MODIFIER_grad) ? 2 : 0;
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
  if (!texture->dimensions || texture->modifiers->vector != 4 ||
      texture->modifiers->type_count != 2 || ptx_type_bits(texture->modifiers->types[0]) != 32 ||
      lower_operand_count(instruction) != 2 + level_operands(texture) ||
      place->kind != PTX_OPERAND_ADDRESS || place->children.count != 2 ||
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

static void move_results(Texture *texture, const uint32_t *registers, const uint32_t *results) {
  for (uint32_t i = 0; i < 4; i++)
    if (registers[i] != UINT32_MAX)
      lane_move(&texture->lanes, registers[i], lower_register(results[i]));
}

static bool lower_sample(Texture *texture, const PtxInstruction *instruction) {
  uint32_t registers[LANE_MOST_REGISTERS], results[4];
  Operand indices[3];
  if (!read_operands(texture, instruction, registers))
    return false;
  for (uint32_t i = 0; i < texture->dimensions; i++)
    indices[i] = find_floor(texture, texture->coordinates[i]);
  Operand texel = find_texel(texture, indices);
  Operand channels = load_field(texture, TEXTURE_CHANNELS, 4);
  Operand bytes = load_field(texture, TEXTURE_ELEMENT_BYTES, 4);
  for (uint32_t i = 0; i < 4; i++) {
    results[i] = lane_register(&texture->lanes);
    if (registers[i] != UINT32_MAX)
      read_channel(texture, texel, channels, bytes, i, results[i]);
  }
  move_results(texture, registers, results);
  return true;
}

// The four texels between whose middles the place is: at the lower left, the lower right, the upper
// right and the upper left (PTX ISA, "tld4").
static bool lower_gather(Texture *texture, const PtxInstruction *instruction) {
  static const uint8_t columns[4] = {0, 1, 1, 0}, rows[4] = {1, 1, 0, 0};
  enum { FLOAT_HALF = 0x3f000000 };
  uint32_t registers[LANE_MOST_REGISTERS], results[4];
  uint32_t channel = has(texture, PTX_MODIFIER_r)   ? 0
                     : has(texture, PTX_MODIFIER_g) ? 1
                     : has(texture, PTX_MODIFIER_b) ? 2
                                                    : 3;
  Operand first[2];
  if (!has(texture, PTX_MODIFIER_2d) || !read_operands(texture, instruction, registers) ||
      texture->modifiers->types[1] != PTX_TYPE_f32)
    return false;
  for (uint32_t i = 0; i < 2; i++)
    first[i] = find_floor(texture, compute(texture, ALU_SUB, ALU_TYPE_F32, texture->coordinates[i],
                                           lower_constant(FLOAT_HALF)));
  Operand channels = load_field(texture, TEXTURE_CHANNELS, 4);
  Operand bytes = load_field(texture, TEXTURE_ELEMENT_BYTES, 4);
  for (uint32_t i = 0; i < 4; i++) {
    Operand indices[2] = {
        compute(texture, ALU_ADD, ALU_TYPE_S32, first[0], lower_constant(columns[i])),
        compute(texture, ALU_ADD, ALU_TYPE_S32, first[1], lower_constant(rows[i]))};
    results[i] = lane_register(&texture->lanes);
    if (registers[i] != UINT32_MAX)
      read_channel(texture, find_texel(texture, indices), channels, bytes, channel, results[i]);
  }
  move_results(texture, registers, results);
  return true;
}

bool lower_texture_instruction(Code *code, const PtxInstruction *instruction,
                               const PtxModifiers *modifiers) {
  Texture texture = {.modifiers = modifiers};
  if (instruction->op != PTX_OP_tex && instruction->op != PTX_OP_tld4)
    return false;
  lane_begin(&texture.lanes, code);
  return instruction->op == PTX_OP_tex ? lower_sample(&texture, instruction)
                                       : lower_gather(&texture, instruction);
}
