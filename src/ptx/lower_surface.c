// Surfaces: suld.b, sust and sured of one, two or three dimensions, and questions for sizes. A
// surface is launched as a texture is (lower_texture.h). The first coordinate counts bytes, or, of
// sust.p and sured.p, texels (PTX ISA, "suld"). Accesses go through the surface proxy.
#include "ptx/lower_texture.h"

#include "ptx/lower_lane.h"

typedef struct Surface {
  Lanes lanes;
  const PtxModifiers *modifiers;
  Operand handle, coordinates[3];
  uint32_t dimensions, bytes; // of an access with all its elements
  Operand texel_bytes, row_bytes;
} Surface;

static bool has(const Surface *surface, PtxModifierId id) {
  return ptx_has_modifier(surface->modifiers, id);
}

static Operand load_field(Lanes *lanes, Operand handle, int64_t offset, uint32_t size) {
  uint32_t result = lane_register(lanes);
  Instruction *load = lower_emit(lanes->code, IR_LOAD);
  load->space = SPACE_GLOBAL;
  load->size = (uint8_t)size;
  load->address = handle;
  load->offset = offset;
  load->dst = result;
  return lower_register(result);
}

static Operand size_of(Surface *surface, uint32_t dimension) {
  return load_field(&surface->lanes, surface->handle, TEXTURE_SIZES + 4 * dimension, 4);
}

static Operand compare(Surface *surface, IrOp op, Operand a, Operand b) {
  Instruction *comparison = lower_emit(surface->lanes.code, op);
  comparison->dst = lower_temporary(surface->lanes.code);
  comparison->src[0] = a;
  comparison->src[1] = b;
  return lower_register(comparison->dst);
}

static Operand of_type(Surface *surface, AluOp op, AluType type, Operand a, Operand b) {
  AluOperation operation = {.op = (uint8_t)op, .type = (uint8_t)type};
  Operand operands[ALU_MAX_OPERANDS] = {a, b};
  return lane_compute(&surface->lanes, &operation, operands);
}

// [surface, {x, y}]
static bool read_place(Surface *surface, const PtxOperand *place) {
  Code *code = surface->lanes.code;
  surface->dimensions = has(surface, PTX_MODIFIER_1d)   ? 1
                        : has(surface, PTX_MODIFIER_2d) ? 2
                        : has(surface, PTX_MODIFIER_3d) ? 3
                                                        : 0;
  if (!surface->dimensions || place->kind != PTX_OPERAND_ADDRESS || place->children.count != 2 ||
      !lower_value(code, lower_child(code, place, 0), &surface->handle))
    return false;
  const PtxOperand *list = lower_child(code, place, 1);
  if (lower_element_count(list) < surface->dimensions)
    return false;
  for (uint32_t i = 0; i < surface->dimensions; i++) {
    if (!lower_value(code, lower_element(code, list, i), &surface->coordinates[i]))
      return false;
    surface->coordinates[i] =
        of_type(surface, ALU_AND, ALU_TYPE_B32, surface->coordinates[i], lower_constant(-1));
  }
  return true;
}

static bool is_formatted(const Surface *surface) {
  return has(surface, PTX_MODIFIER_p);
}

// The greatest coordinate at which there is something.
static Operand last_of(Surface *surface, uint32_t dimension) {
  bool in_bytes = dimension == 0 && !is_formatted(surface);
  Operand size = in_bytes ? surface->row_bytes : size_of(surface, dimension);
  return of_type(surface, ALU_SUB, ALU_TYPE_S32, size,
                 lower_constant(in_bytes ? surface->bytes : 1));
}

// Is the place inside? 1 in the mode that moves it there.
static Operand check_place(Surface *surface) {
  Operand is_inside = lower_constant(1);
  surface->texel_bytes = load_field(&surface->lanes, surface->handle, TEXTURE_TEXEL_BYTES, 4);
  surface->row_bytes =
      of_type(surface, ALU_MUL, ALU_TYPE_U32, size_of(surface, 0), surface->texel_bytes);
  for (uint32_t i = 0; i < surface->dimensions; i++) {
    Operand last = last_of(surface, i), *coordinate = &surface->coordinates[i];
    if (has(surface, PTX_MODIFIER_clamp)) {
      *coordinate = of_type(surface, ALU_MIN, ALU_TYPE_S32, *coordinate, last);
      *coordinate = of_type(surface, ALU_MAX, ALU_TYPE_S32, *coordinate, lower_constant(0));
      continue;
    }
    // As numbers without a sign: what is negative is far outside.
    Operand fits = compare(surface, IR_SET_LE, *coordinate, last);
    is_inside = i ? compare(surface, IR_AND, is_inside, fits) : fits;
  }
  return is_inside;
}

static Operand address_of(Surface *surface) {
  Operand row = lower_constant(0);
  for (uint32_t i = surface->dimensions; i-- > 1;) {
    row = of_type(surface, ALU_MUL, ALU_TYPE_U32, row, size_of(surface, i));
    row = of_type(surface, ALU_ADD, ALU_TYPE_U32, row, surface->coordinates[i]);
  }
  Operand offset = of_type(surface, ALU_MUL, ALU_TYPE_U32, row, surface->row_bytes);
  Operand first = surface->coordinates[0];
  if (is_formatted(surface))
    first = of_type(surface, ALU_MUL, ALU_TYPE_U32, first, surface->texel_bytes);
  offset = of_type(surface, ALU_ADD, ALU_TYPE_U32, offset, first);
  Operand base = load_field(&surface->lanes, surface->handle, TEXTURE_BASE, 8);
  return of_type(surface, ALU_ADD, ALU_TYPE_U64, base, offset);
}

// What follows is left out for places outside, or they trap.
static uint32_t guard(Surface *surface, Operand is_inside) {
  Code *code = surface->lanes.code;
  bool skips = has(surface, PTX_MODIFIER_zero);
  Instruction *branch = lower_emit(code, IR_BRANCH);
  branch->compare = skips ? IR_SET_EQ : IR_SET_NE;
  branch->src[0] = is_inside;
  branch->src[1] = lower_constant(0);
  uint32_t index = code->instructions.count - 1;
  if (skips)
    return index;
  lower_emit(code, IR_TRAP);
  code->instructions.items[index].target = code->instructions.count;
  return UINT32_MAX;
}

static Instruction *emit_access(Surface *surface, IrOp op, Operand address, uint32_t count,
                                uint32_t i) {
  Instruction *access = lower_emit(surface->lanes.code, op);
  access->space = SPACE_GLOBAL;
  access->proxy = PROXY_SURFACE;
  access->size = lower_access_size(surface->modifiers);
  access->address = address;
  access->offset = (int64_t)i * access->size;
  lower_set_element(access, count, i);
  return access;
}

static bool is_inside_always(const Surface *surface) {
  return has(surface, PTX_MODIFIER_clamp);
}

static void land(Surface *surface, uint32_t branch) {
  Code *code = surface->lanes.code;
  if (branch != UINT32_MAX)
    code->instructions.items[branch].target = code->instructions.count;
}

static uint32_t skip_unless(Surface *surface, IrOp opposite, Operand a, int64_t b) {
  Instruction *branch = lower_emit(surface->lanes.code, IR_BRANCH);
  branch->compare = (uint8_t)opposite;
  branch->src[0] = a;
  branch->src[1] = lower_constant(b);
  return surface->lanes.code->instructions.count - 1;
}

static Operand field(Surface *surface, int64_t offset) {
  return load_field(&surface->lanes, surface->handle, offset, 4);
}

// --- sust.p: words become elements of the surface's format

// A number clamped to what `bytes` hold, or, of floats, as a half.
static Operand fit(Surface *surface, Operand value, uint32_t bytes, Operand is_signed,
                   Operand is_float) {
  Lanes *lanes = &surface->lanes;
  AluType to_signed = bytes == 1 ? ALU_TYPE_S8 : ALU_TYPE_S16;
  AluType to_unsigned = bytes == 1 ? ALU_TYPE_U8 : ALU_TYPE_U16;
  AluOperation clamp = {
      .op = ALU_CVT, .type = (uint8_t)to_signed, .source = ALU_TYPE_S32, .flags = ALU_SAT};
  Operand operands[ALU_MAX_OPERANDS] = {value};
  Operand as_signed = lane_compute(lanes, &clamp, operands);
  clamp.type = (uint8_t)to_unsigned;
  clamp.source = ALU_TYPE_U32;
  Operand whole = lane_select(lanes, is_signed, as_signed, lane_compute(lanes, &clamp, operands));
  if (bytes == 1)
    return whole;
  AluOperation to_half = {.op = ALU_CVT,
                          .type = ALU_TYPE_F16,
                          .source = ALU_TYPE_F32,
                          .rounding = ALU_ROUND_ZERO}; // as an H200 does
  return lane_select(lanes, is_float, lane_compute(lanes, &to_half, operands), whole);
}

static void store_element(Surface *surface, Operand address, uint32_t i, uint32_t bytes,
                          Operand value) {
  Instruction *store = lower_emit(surface->lanes.code, IR_STORE);
  store->space = SPACE_GLOBAL;
  store->proxy = PROXY_SURFACE;
  store->size = (uint8_t)bytes;
  store->address = address;
  store->offset = (int64_t)i * bytes;
  store->src[0] = value;
}

static void store_formatted(Surface *surface, Operand address, const Operand *values,
                            uint32_t count) {
  Operand channels = field(surface, TEXTURE_CHANNELS);
  Operand element_bytes = field(surface, TEXTURE_ELEMENT_BYTES);
  Operand is_signed = field(surface, TEXTURE_IS_SIGNED),
          is_float = field(surface, TEXTURE_IS_FLOAT);
  uint32_t used = surface->lanes.used;
  for (uint32_t bytes = 4; bytes; bytes /= 2) {
    uint32_t other = skip_unless(surface, IR_SET_NE, element_bytes, bytes);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t none = skip_unless(surface, IR_SET_LE, channels, i);
      Operand value = bytes == 4 ? values[i] : fit(surface, values[i], bytes, is_signed, is_float);
      store_element(surface, address, i, bytes, value);
      land(surface, none);
      surface->lanes.used = used;
    }
    land(surface, other);
  }
}

static bool lower_formatted_store(Code *code, const PtxInstruction *instruction, Surface *surface) {
  Operand values[LANE_MOST_REGISTERS];
  uint32_t count, skip = UINT32_MAX;
  lane_begin(&surface->lanes, code);
  if (surface->modifiers->type_count != 1 || surface->modifiers->types[0] != PTX_TYPE_b32 ||
      lower_operand_count(instruction) != 2 ||
      !lane_values(&surface->lanes, lower_operand(code, instruction, 1), values, &count) ||
      count > 4 || !read_place(surface, lower_operand(code, instruction, 0)))
    return false;
  Operand is_inside = check_place(surface), address = address_of(surface);
  if (!is_inside_always(surface))
    skip = guard(surface, is_inside);
  store_formatted(surface, address, values, count);
  land(surface, skip);
  return true;
}

// --- sured: of .p the type is that of the format, with or without a sign

static Instruction *emit_reduction(Surface *surface, Operand address, Operand value, AluOp op,
                                   AluType type) {
  AluOperation *operation = ARENA_NEW(surface->lanes.code->arena, AluOperation);
  operation->op = (uint8_t)op;
  operation->type = (uint8_t)type;
  Instruction *reduction = lower_emit(surface->lanes.code, IR_RED);
  reduction->space = SPACE_GLOBAL;
  reduction->proxy = PROXY_SURFACE;
  reduction->sem = SEM_RELAXED;
  reduction->scope = SCOPE_GPU;
  reduction->size = (uint8_t)(alu_type_bits(type) / 8);
  reduction->align = reduction->size;
  reduction->address = address;
  reduction->src[0] = value;
  reduction->atom = ATOM_ALU;
  reduction->alu = operation;
  return reduction;
}

static void reduce_formatted(Surface *surface, Operand address, Operand value, AluOp op) {
  Operand is_signed = field(surface, TEXTURE_IS_SIGNED);
  uint32_t other = skip_unless(surface, IR_SET_EQ, is_signed, 0);
  emit_reduction(surface, address, value, op, ALU_TYPE_S32);
  land(surface, other);
  other = skip_unless(surface, IR_SET_NE, is_signed, 0);
  emit_reduction(surface, address, value, op, ALU_TYPE_U32);
  land(surface, other);
}

static bool lower_reduction(Code *code, const PtxInstruction *instruction,
                            const PtxModifiers *modifiers) {
  static const AluOp ops[] = {
      [PTX_OPERATION_ADD] = ALU_ADD, [PTX_OPERATION_AND] = ALU_AND, [PTX_OPERATION_OR] = ALU_OR,
      [PTX_OPERATION_MIN] = ALU_MIN, [PTX_OPERATION_MAX] = ALU_MAX,
  };
  Surface surface = {.modifiers = modifiers, .bytes = lower_access_size(modifiers)};
  Operand value;
  uint32_t skip = UINT32_MAX;
  AluType type = modifiers->type_count == 1 ? lower_alu_type(modifiers->types[0]) : ALU_TYPE_NONE;
  lane_begin(&surface.lanes, code);
  if (type == ALU_TYPE_NONE || lower_operand_count(instruction) != 2 ||
      modifiers->operation == PTX_OPERATION_NONE || modifiers->operation > PTX_OPERATION_MAX ||
      modifiers->operation == PTX_OPERATION_XOR ||
      !lower_value(code, lower_operand(code, instruction, 1), &value) ||
      !read_place(&surface, lower_operand(code, instruction, 0)))
    return false;
  Operand is_inside = check_place(&surface), address = address_of(&surface);
  if (!is_inside_always(&surface))
    skip = guard(&surface, is_inside);
  if (is_formatted(&surface))
    reduce_formatted(&surface, address, value, ops[modifiers->operation]);
  else
    emit_reduction(&surface, address, value, ops[modifiers->operation], type);
  land(&surface, skip);
  return true;
}

// --- suld.b and sust.b

static bool lower_access(Code *code, const PtxInstruction *instruction,
                         const PtxModifiers *modifiers) {
  Surface surface = {.modifiers = modifiers};
  bool is_load = instruction->op == PTX_OP_suld;
  const PtxOperand *data = lower_operand(code, instruction, is_load ? 0 : 1);
  uint32_t registers[LANE_MOST_REGISTERS], count = lower_element_count(data), skip = UINT32_MAX;
  Operand values[LANE_MOST_REGISTERS];
  if (is_formatted(&surface))
    return !is_load && lower_formatted_store(code, instruction, &surface);
  lane_begin(&surface.lanes, code);
  surface.bytes = lower_access_size(modifiers) * count;
  if (!has(&surface, PTX_MODIFIER_b) || !surface.bytes || count > 4 ||
      lower_operand_count(instruction) != 2 ||
      !(is_load ? lane_destinations(&surface.lanes, data, registers, &count)
                : lane_values(&surface.lanes, data, values, &count)) ||
      !read_place(&surface, lower_operand(code, instruction, is_load ? 1 : 0)))
    return false;
  Operand is_inside = check_place(&surface), address = address_of(&surface);
  for (uint32_t i = 0; is_load && i < count; i++)
    lane_move(&surface.lanes, registers[i], lower_constant(0));
  if (!is_inside_always(&surface))
    skip = guard(&surface, is_inside);
  for (uint32_t i = 0; i < count; i++) {
    Instruction *access = emit_access(&surface, is_load ? IR_LOAD : IR_STORE, address, count, i);
    if (is_load)
      access->dst = registers[i];
    else
      access->src[0] = values[i];
  }
  land(&surface, skip);
  return true;
}

// suq and txq: sizes.
static bool lower_question(Code *code, const PtxInstruction *instruction,
                           const PtxModifiers *modifiers) {
  static const PtxModifierId fields[] = {PTX_MODIFIER_width, PTX_MODIFIER_height,
                                         PTX_MODIFIER_depth};
  Lanes lanes;
  Operand handle;
  uint32_t result;
  const PtxOperand *place = lower_operand(code, instruction, 1);
  if (place->kind != PTX_OPERAND_ADDRESS || place->children.count != 1 ||
      !lower_destination(code, lower_operand(code, instruction, 0), &result) ||
      !lower_value(code, lower_child(code, place, 0), &handle))
    return false;
  for (uint32_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!ptx_has_modifier(modifiers, fields[i]))
      continue;
    lane_begin(&lanes, code);
    Operand size = load_field(&lanes, handle, TEXTURE_SIZES + 4 * (int64_t)i, 4);
    if (result != UINT32_MAX)
      lane_move(&lanes, result, size);
    return true;
  }
  return false;
}

bool lower_surface_instruction(Code *code, const PtxInstruction *instruction,
                               const PtxModifiers *modifiers) {
  switch (instruction->op) {
  case PTX_OP_suld:
  case PTX_OP_sust:
    return lower_access(code, instruction, modifiers);
  case PTX_OP_sured:
    return lower_reduction(code, instruction, modifiers);
  case PTX_OP_suq:
  case PTX_OP_txq:
    return lower_question(code, instruction, modifiers);
  default:
    return false;
  }
}
