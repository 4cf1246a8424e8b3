// Surfaces: suld.b and sust.b of one, two or three dimensions, and questions for sizes. A surface
// is launched as a texture is (lower_texture.h); the first coordinate counts bytes (PTX ISA,
// "suld"). Accesses go through the surface proxy.
#include "ptx/lower_texture.h"

#include "ptx/lower_lane.h"

typedef struct Surface {
  Lanes lanes;
  const PtxModifiers *modifiers;
  Operand handle, coordinates[3];
  uint32_t dimensions, bytes; // of an access with all its elements
  Operand row_bytes;
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
  if (!surface->dimensions || !has(surface, PTX_MODIFIER_b) || place->kind != PTX_OPERAND_ADDRESS ||
      place->children.count != 2 ||
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

// The greatest coordinate at which there is something.
static Operand last_of(Surface *surface, uint32_t dimension) {
  Operand size = dimension ? size_of(surface, dimension) : surface->row_bytes;
  return of_type(surface, ALU_SUB, ALU_TYPE_S32, size,
                 lower_constant(dimension ? 1 : surface->bytes));
}

// Is the place inside? 1 in the mode that moves it there.
static Operand check_place(Surface *surface) {
  Operand is_inside = lower_constant(1);
  Operand texel = load_field(&surface->lanes, surface->handle, TEXTURE_TEXEL_BYTES, 4);
  surface->row_bytes = of_type(surface, ALU_MUL, ALU_TYPE_U32, size_of(surface, 0), texel);
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
  offset = of_type(surface, ALU_ADD, ALU_TYPE_U32, offset, surface->coordinates[0]);
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

static bool lower_access(Code *code, const PtxInstruction *instruction,
                         const PtxModifiers *modifiers) {
  Surface surface = {.modifiers = modifiers};
  bool is_load = instruction->op == PTX_OP_suld;
  const PtxOperand *data = lower_operand(code, instruction, is_load ? 0 : 1);
  uint32_t registers[LANE_MOST_REGISTERS], count = lower_element_count(data), skip = UINT32_MAX;
  Operand values[LANE_MOST_REGISTERS];
  lane_begin(&surface.lanes, code);
  surface.bytes = lower_access_size(modifiers) * count;
  if (!surface.bytes || count > 4 || lower_operand_count(instruction) != 2 ||
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
  if (skip != UINT32_MAX)
    code->instructions.items[skip].target = code->instructions.count;
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
  case PTX_OP_suq:
  case PTX_OP_txq:
    return lower_question(code, instruction, modifiers);
  default:
    return false;
  }
}
