// wgmma: products by four warps of matrices in shared memory, which a descriptor describes (PTX
// ISA, "Matrix Descriptor Format"). Each warp computes 16 rows. A lane loads what it would hold if
// the factors were in registers, through the async proxy; then all is as for mma.
//
// The product is computed at once, although it may take until wgmma.wait_group: its loads and the
// moves to the result's registers are instructions of their own, for engines that answer for every
// order. wgmma.fence is taken for granted: it orders registers only.
#include "ptx/lower_product.h"

static bool has(const PtxModifiers *modifiers, PtxModifierId id) {
  return ptx_has_modifier(modifiers, id);
}

// Bytes between the pieces of a factor. A piece is 16 bytes: elements along k, or, transposed,
// along the other direction ("mn"). Eight lines of pieces make an atom.
typedef struct Descriptor {
  Operand start;        // address
  Operand pitch;        // from line to line of an atom
  Operand atom_bits;    // logarithm of the pieces of a line
  Operand swizzle;      // mask of the address bits that are changed, before they are moved up
  Operand line_stride;  // from eight lines to the next, k or mn
  Operand piece_stride; // from atom to atom, or from piece to piece where that is 16 bytes
  bool is_trans;
} Descriptor;

static Operand field(Lanes *lanes, Operand word, uint32_t shift, uint32_t bits) {
  Operand moved = lane_binary(lanes, ALU_SHR, word, lower_constant(shift));
  return lane_binary(lanes, ALU_AND, moved, lower_constant((1 << bits) - 1));
}

static Operand times_16(Lanes *lanes, Operand value) {
  return lane_binary(lanes, ALU_SHL, value, lower_constant(4));
}

static Descriptor read_descriptor(Lanes *lanes, Operand value, bool is_trans) {
  Operand words[2], one = lower_constant(1);
  lane_unpack(lanes, value, ALU_TYPE_B64, 2, words);
  Descriptor descriptor = {.is_trans = is_trans};
  descriptor.start = times_16(lanes, field(lanes, words[0], 0, 14));
  Operand leading = times_16(lanes, field(lanes, words[0], 16, 14));
  Operand stride = times_16(lanes, field(lanes, words[1], 0, 14));
  // Modes: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32: lines of 16, 128, 64 and 32 bytes.
  Operand mode = field(lanes, words[1], 30, 2);
  Operand bits = lane_binary(lanes, ALU_SUB, lower_constant(4), mode);
  descriptor.atom_bits = lane_binary(lanes, ALU_AND, bits, lower_constant(3));
  descriptor.pitch = lane_binary(lanes, ALU_SHL, lower_constant(16), descriptor.atom_bits);
  Operand pieces = lane_binary(lanes, ALU_SHL, one, descriptor.atom_bits);
  descriptor.swizzle = lane_binary(lanes, ALU_SUB, pieces, one);
  if (is_trans) {
    descriptor.line_stride = lane_select(lanes, mode, stride, leading);
    descriptor.piece_stride = lane_select(lanes, mode, leading, stride);
  } else {
    descriptor.line_stride = stride;
    descriptor.piece_stride = lane_select(lanes, mode, lower_constant(16), leading);
  }
  return descriptor;
}

// `size` bytes at an offset from the start of the matrix.
static Operand load(Lanes *lanes, const Descriptor *descriptor, Operand offset, uint32_t size) {
  Operand linear = lane_binary(lanes, ALU_ADD, descriptor->start, offset);
  Operand high = lane_binary(lanes, ALU_SHR, linear, lower_constant(7));
  Operand changed = times_16(lanes, lane_binary(lanes, ALU_AND, high, descriptor->swizzle));
  Operand address = lane_binary(lanes, ALU_XOR, linear, changed);
  uint32_t result = lane_register(lanes);
  Instruction *access = lower_emit(lanes->code, IR_PRODUCT_LOAD);
  access->address = address;
  access->space = SPACE_SHARED;
  access->size = (uint8_t)size;
  access->proxy = PROXY_ASYNC;
  access->dst = result;
  return lower_register(result);
}

// What a register holds: elements along k from piece `block` of line 8 * `eight` + group on.
static Operand load_along_k(Lanes *lanes, const Descriptor *descriptor, Operand eight,
                            uint32_t block) {
  Operand offset = lane_multiply_add(lanes, lanes->group, descriptor->pitch,
                                     lane_scale(lanes, lanes->member, 4, lower_constant(0)));
  offset = lane_multiply_add(lanes, eight, descriptor->line_stride, offset);
  offset = lane_scale(lanes, descriptor->piece_stride, block, offset);
  return load(lanes, descriptor, offset, 4);
}

// Transposed, of elements of two bytes: line k, piece `eight`, element `group` of it.
static Operand load_across_k(Lanes *lanes, const Descriptor *descriptor, Operand eight,
                             uint32_t block) {
  Operand halves[ALU_MAX_OPERANDS];
  Operand piece = lane_binary(lanes, ALU_AND, eight, descriptor->swizzle);
  Operand atom = lane_binary(lanes, ALU_SHR, eight, descriptor->atom_bits);
  Operand offset = lane_scale(lanes, lanes->group, 2, times_16(lanes, piece));
  offset = lane_multiply_add(lanes, atom, descriptor->piece_stride, offset);
  offset = lane_scale(lanes, descriptor->line_stride, block, offset);
  for (uint32_t i = 0; i < 2; i++) {
    Operand line = lane_scale(lanes, lanes->member, 2, lower_constant(i));
    Operand at = lane_multiply_add(lanes, line, descriptor->pitch, offset);
    halves[i] = load(lanes, descriptor, at, 2);
  }
  return lane_pack(lanes, halves, ALU_TYPE_B32, 2);
}

static void load_register(Lanes *lanes, const Descriptor *descriptor, Operand eight, uint32_t block,
                          Operand *kept) {
  *kept = lower_register(lane_register(lanes));
  uint32_t used = lanes->used;
  Operand value = descriptor->is_trans ? load_across_k(lanes, descriptor, eight, block)
                                       : load_along_k(lanes, descriptor, eight, block);
  lane_move(lanes, kept->index, value);
  lanes->used = used;
}

// --- operands: d, a, b [, places, selector], scale-d [, imm-scale-a, imm-scale-b [, imm-trans-a]
// [, imm-trans-b]]

typedef struct WarpgroupProduct {
  Code *code;
  const PtxInstruction *instruction;
  Lanes lanes;
  ProductShape shape;
  Operand a[8], b[PRODUCT_MOST_SUMS];
} WarpgroupProduct;

// Number of an operand behind the factors, as if there were no places.
static uint32_t operand_place(const WarpgroupProduct *product, uint32_t i) {
  return product->shape.is_sparse ? i + 2 : i;
}

static uint32_t operand_count(const WarpgroupProduct *product) {
  return lower_operand_count(product->instruction) - (product->shape.is_sparse ? 2 : 0);
}

// A constant operand; a missing one is `absent`.
static int64_t constant(const WarpgroupProduct *product, uint32_t i, int64_t absent) {
  i = operand_place(product, i);
  if (i >= lower_operand_count(product->instruction))
    return absent;
  const PtxOperand *operand = lower_operand(product->code, product->instruction, i);
  return operand->kind == PTX_OPERAND_INTEGER ? (int64_t)operand->value : INT64_MIN;
}

static bool read_a(WarpgroupProduct *product, bool is_in_registers) {
  Lanes *lanes = &product->lanes;
  const PtxOperand *operand = lower_operand(product->code, product->instruction, 1);
  Operand value;
  uint32_t count;
  if (is_in_registers)
    return lane_values(lanes, operand, product->a, &count) &&
           count == product->shape.rows * product->shape.blocks;
  if (!lower_value(product->code, operand, &value))
    return false;
  Descriptor descriptor = read_descriptor(lanes, value, constant(product, 6, 0) == 1);
  Operand warp = lower_register(lower_special(product->code, PTX_SPECIAL_warpid, 0));
  warp = lane_binary(lanes, ALU_AND, warp, lower_constant(3));
  for (uint32_t i = 0; i < product->shape.rows * product->shape.blocks; i++) {
    Operand eight = lane_scale(lanes, warp, 2, lower_constant(i % 2));
    load_register(lanes, &descriptor, eight, i / 2, &product->a[i]);
  }
  return true;
}

static bool read_b(WarpgroupProduct *product, bool a_is_in_registers) {
  Operand value;
  const ProductShape *shape = &product->shape;
  if (!lower_value(product->code, lower_operand(product->code, product->instruction, 2), &value))
    return false;
  bool is_trans = constant(product, a_is_in_registers ? 6 : 7, 0) == 1;
  Descriptor descriptor = read_descriptor(&product->lanes, value, is_trans);
  uint32_t blocks = product_column_blocks(shape);
  for (uint32_t i = 0; i < shape->column_tiles * blocks; i++)
    load_register(&product->lanes, &descriptor, lower_constant(i / blocks), i % blocks,
                  &product->b[i]);
  return true;
}

// D = A * B where scale-d is false.
static bool scale_sums(WarpgroupProduct *product, Product *sums) {
  Operand scale;
  uint32_t place = operand_place(product, 3);
  if (!lower_value(product->code, lower_operand(product->code, product->instruction, place),
                   &scale))
    return false;
  for (uint32_t i = 0; i < product_sum_count(&product->shape); i++) {
    AluOperation select = {.op = ALU_SELP, .type = ALU_TYPE_B32};
    Operand operands[ALU_MAX_OPERANDS] = {sums->sums[i], lower_constant(0), scale};
    lane_compute_into(&product->lanes, sums->sums[i].index, &select, operands);
  }
  return true;
}

static bool read_sums(Product *product, const PtxOperand *operand) {
  Code *code = product->lanes->code;
  uint32_t start = code->instructions.count;
  bool is_read = product_read_sums(product, operand);
  for (uint32_t i = start; i < code->instructions.count; i++)
    code->instructions.items[i].flags |= INSTRUCTION_OF_PRODUCT;
  return is_read;
}

static void write_sums(Product *product, const uint32_t *registers, uint32_t count) {
  Code *code = product->lanes->code;
  uint32_t start = code->instructions.count;
  product_write_sums(product, registers, count);
  for (uint32_t i = start; i < code->instructions.count; i++)
    if (code->instructions.items[i].op == IR_MOVE)
      code->instructions.items[i].op = IR_PRODUCT_RESULT;
}

static bool read_shape(WarpgroupProduct *product, const PtxModifiers *modifiers) {
  uint32_t size[3];
  ProductShape *shape = &product->shape;
  shape->is_sparse = has(modifiers, PTX_MODIFIER_sp);
  if (modifiers->type_count != 3 || !product_read_size(product->code, modifiers, size))
    return false;
  PtxModifiers four = *modifiers; // as mma writes them: d, a, b, c
  four.types[four.type_count++] = four.types[0];
  if (!product_set_types(shape, &four) || shape->kind == ELEMENT_NIBBLE ||
      shape->kind == ELEMENT_DOUBLE)
    return false;
  shape->rows = 2;
  shape->row_tiles = 1;
  shape->column_tiles = size[1] / 8;
  shape->blocks = size[2] / (4 * shape->part) / (shape->is_sparse ? 2 : 1);
  return size[0] == 64 && size[1] % 8 == 0 && shape->blocks == 2 &&
         product_sum_count(shape) <= PRODUCT_MOST_SUMS;
}

static bool is_of_integers(const ProductShape *shape) {
  return shape->kind == ELEMENT_BYTE || shape->kind == ELEMENT_BIT;
}

// imm-scale-a and imm-scale-b: 1 or -1, of floating-point factors only; only halves have a layout
// other than along k.
static bool has_supported_operands(const WarpgroupProduct *product, bool a_is_in_registers) {
  const ProductShape *shape = &product->shape;
  bool is_half = shape->kind == ELEMENT_HALF || shape->kind == ELEMENT_BFLOAT;
  uint32_t count = operand_count(product);
  if (is_of_integers(shape))
    return count == 4;
  int64_t a = constant(product, 4, 1), b = constant(product, 5, 1);
  return count == 6u + (is_half ? 2u - a_is_in_registers : 0u) && (a == 1 || a == -1) &&
         (b == 1 || b == -1);
}

// The signs of all elements that a register holds.
static int64_t signs_of(ElementKind kind) {
  return kind == ELEMENT_HALF || kind == ELEMENT_BFLOAT ? INT64_C(0x80008000)
         : kind == ELEMENT_TENSOR_FLOAT                 ? INT64_C(0x80000000)
                                                        : INT64_C(0x80808080);
}

// -A * B = A * -B: the elements of A change their signs.
static void scale_factors(WarpgroupProduct *product) {
  const ProductShape *shape = &product->shape;
  if (is_of_integers(shape) || constant(product, 4, 1) == constant(product, 5, 1))
    return;
  for (uint32_t i = 0; i < shape->rows * shape->blocks; i++)
    product->a[i] =
        lane_binary(&product->lanes, ALU_XOR, product->a[i], lower_constant(signs_of(shape->kind)));
}

// Where the elements of a sparse A are, and which lanes say so.
static bool read_places(WarpgroupProduct *product, Operand *places) {
  Operand selector;
  if (!product->shape.is_sparse)
    return true;
  if (!lower_value(product->code, lower_operand(product->code, product->instruction, 3), places) ||
      !lower_value(product->code, lower_operand(product->code, product->instruction, 4),
                   &selector) ||
      selector.kind != OPERAND_CONSTANT)
    return false;
  product->shape.selector = (uint32_t)selector.constant;
  return sparse_has_selector(&product->shape);
}

static bool lower_multiply(Code *code, const PtxInstruction *instruction,
                           const PtxModifiers *modifiers) {
  WarpgroupProduct product = {.code = code, .instruction = instruction};
  uint32_t results[LANE_MOST_REGISTERS], count;
  if (!read_shape(&product, modifiers) ||
      lower_operand_count(instruction) < operand_place(&product, 4))
    return false;
  bool a_is_in_registers = lower_operand(code, instruction, 1)->kind == PTX_OPERAND_VECTOR;
  const PtxOperand *sums = lower_operand(code, instruction, 0);
  lane_begin(&product.lanes, code);
  Product multiplied = {
      .lanes = &product.lanes, .shape = &product.shape, .a = product.a, .b = product.b};
  if (!has_supported_operands(&product, a_is_in_registers) ||
      !read_places(&product, &multiplied.places) || !read_a(&product, a_is_in_registers) ||
      !read_b(&product, a_is_in_registers) ||
      !lane_destinations(&product.lanes, sums, results, &count) || !read_sums(&multiplied, sums) ||
      !scale_sums(&product, &multiplied))
    return false;
  scale_factors(&product);
  product_multiply(&multiplied);
  write_sums(&multiplied, results, count);
  return true;
}

bool lower_warpgroup_instruction(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers) {
  if (has(modifiers, PTX_MODIFIER_mma_async))
    return lower_multiply(code, instruction, modifiers);
  Operand groups;
  if (has(modifiers, PTX_MODIFIER_wait_group)) {
    if (!lower_value_or(code, instruction, 0, 0, &groups))
      return false;
    lower_emit(code, IR_PRODUCT_WAIT)->src[0] = groups;
    return true;
  }
  lower_emit(code, has(modifiers, PTX_MODIFIER_commit_group) ? IR_PRODUCT_COMMIT : IR_NO_EVENT);
  return true;
}
