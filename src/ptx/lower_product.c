// Products of matrices: mma and wmma.mma, taken apart into shuffles and multiply-adds.
//
// A lane's registers hold pieces of `part` consecutive elements along k (PTX ISA, "Matrix Fragments
// for mma.m16n8k16" and its neighbours): register r + R * b of A has row group + 8 * r and the
// elements from 4 * part * b + part * member on, register b of B the same elements of column group.
// Result 2 * r + c is the element of row group + 8 * r and column 2 * member + c. The shapes of
// wmma consist of several such tiles, one after the other; PTX leaves its layouts open.
//
// Elements of 4 bits, of one bit and of 8 bits lie the same way. Elements are added in the order of
// k, in the precision of the result (halves: in that of floats), which is one of the orders and
// precisions that PTX allows.
#include "ptx/lower_product.h"

bool product_read_size(const Code *code, const PtxModifiers *modifiers, uint32_t size[3]) {
  for (uint32_t i = 0; i < 3; i++)
    size[i] = lane_shape_size(code, modifiers, "mnk"[i]);
  return size[0] && size[1] && size[2];
}

static AluType small_type(PtxType type) {
  switch (type) {
  case PTX_TYPE_u8:
    return ALU_TYPE_U32;
  case PTX_TYPE_s8:
    return ALU_TYPE_S32;
  case PTX_TYPE_u4:
    return ALU_TYPE_U4;
  case PTX_TYPE_s4:
    return ALU_TYPE_S4;
  case PTX_TYPE_e4m3:
    return ALU_TYPE_E4M3X2;
  case PTX_TYPE_e5m2:
    return ALU_TYPE_E5M2X2;
  default:
    return ALU_TYPE_NONE;
  }
}

// Elements of 8 or 4 bits, of which A and B may have different ones.
static bool set_small_element(ProductShape *shape, PtxType a, PtxType b) {
  shape->a_type = small_type(a);
  shape->b_type = small_type(b);
  shape->kind = ptx_type_kind(a) == PTX_NUMBER_F ? ELEMENT_SMALL_FLOAT
                : ptx_type_bits(a) == 4          ? ELEMENT_NIBBLE
                                                 : ELEMENT_BYTE;
  shape->part = 32 / ptx_type_bits(a);
  return shape->b_type != ALU_TYPE_NONE && ptx_type_bits(a) == ptx_type_bits(b) &&
         (ptx_type_kind(a) == PTX_NUMBER_F) == (ptx_type_kind(b) == PTX_NUMBER_F);
}

static bool set_element(ProductShape *shape, PtxType a, PtxType b) {
  switch (a) {
  case PTX_TYPE_f16:
    shape->kind = ELEMENT_HALF;
    shape->part = 2;
    break;
  case PTX_TYPE_bf16:
    shape->kind = ELEMENT_BFLOAT;
    shape->part = 2;
    break;
  case PTX_TYPE_tf32:
    shape->kind = ELEMENT_TENSOR_FLOAT;
    shape->part = 1;
    break;
  case PTX_TYPE_f64:
    shape->kind = ELEMENT_DOUBLE;
    shape->part = 1;
    break;
  case PTX_TYPE_u8:
  case PTX_TYPE_s8:
  case PTX_TYPE_u4:
  case PTX_TYPE_s4:
  case PTX_TYPE_e4m3:
  case PTX_TYPE_e5m2:
    return set_small_element(shape, a, b);
  case PTX_TYPE_b1:
    shape->kind = ELEMENT_BIT;
    shape->part = 32;
    break;
  default:
    return false;
  }
  return a == b;
}

// Types: d, a, b, c; of wmma on halves only d, c.
bool product_set_types(ProductShape *shape, const PtxModifiers *modifiers) {
  bool is_short = modifiers->type_count == 2;
  if (!is_short && modifiers->type_count != 4)
    return false;
  PtxType d = modifiers->types[0], c = modifiers->types[modifiers->type_count - 1];
  PtxType a = is_short ? PTX_TYPE_f16 : modifiers->types[1];
  PtxType b = is_short ? PTX_TYPE_f16 : modifiers->types[2];
  bool is_saturating = ptx_has_modifier(modifiers, PTX_MODIFIER_satfinite);
  if (!set_element(shape, a, b))
    return false;
  shape->is_half_sum = c == PTX_TYPE_f16;
  shape->is_half_result = d == PTX_TYPE_f16;
  switch (shape->kind) {
  case ELEMENT_HALF:
  case ELEMENT_SMALL_FLOAT:
    return (d == PTX_TYPE_f16 || d == PTX_TYPE_f32) && (c == PTX_TYPE_f16 || c == PTX_TYPE_f32) &&
           !is_saturating;
  case ELEMENT_BIT:
    shape->combine = modifiers->operation == PTX_OPERATION_AND ? ALU_AND : ALU_XOR;
    return d == PTX_TYPE_s32 && c == PTX_TYPE_s32 && !is_saturating;
  case ELEMENT_BYTE:
  case ELEMENT_NIBBLE:
    shape->is_saturating = is_saturating;
    return d == PTX_TYPE_s32 && c == PTX_TYPE_s32;
  case ELEMENT_DOUBLE:
    return d == PTX_TYPE_f64 && c == PTX_TYPE_f64 && !is_saturating;
  default:
    return d == PTX_TYPE_f32 && c == PTX_TYPE_f32 && !is_saturating;
  }
}

static bool is_sparse(const PtxModifiers *modifiers) {
  return ptx_has_modifier(modifiers, PTX_MODIFIER_sp) ||
         ptx_has_modifier(modifiers, PTX_MODIFIER_sp__ordered_metadata);
}

static bool read_product(const Code *code, const PtxModifiers *modifiers, ProductShape *shape) {
  uint32_t size[3];
  *shape = (ProductShape){.is_sparse = is_sparse(modifiers)};
  if (!product_read_size(code, modifiers, size) || !product_set_types(shape, modifiers))
    return false;
  if (shape->is_sparse)
    size[2] /= 2;
  shape->rows = size[0] % 16 == 0 ? 2 : 1;
  shape->row_tiles = size[0] / (8 * shape->rows);
  shape->column_tiles = size[1] / 8;
  shape->blocks = size[2] / (4 * shape->part);
  return size[0] % 8 == 0 && size[1] % 8 == 0 && shape->blocks > 0 &&
         size[2] % (4 * shape->part) == 0 &&
         shape->row_tiles * shape->column_tiles * 2 * shape->rows <= PRODUCT_MOST_SUMS;
}

// --- parts of a register as what is multiplied

static void floats(Lanes *lanes, AluType type, Operand value, Operand *parts) {
  lane_unpack(lanes, value, ALU_TYPE_B32, 2, parts);
  for (uint32_t i = 0; i < 2; i++)
    parts[i] = lane_convert(lanes, parts[i], ALU_TYPE_F32, type);
}

// Four floats of 8 bits: pairs of them are halves, exactly.
static void small_floats(Lanes *lanes, AluType type, Operand value, Operand *parts) {
  Operand pairs[2];
  lane_unpack(lanes, value, ALU_TYPE_B32, 2, pairs);
  for (uint32_t i = 0; i < 2; i++)
    floats(lanes, ALU_TYPE_F16, lane_convert(lanes, pairs[i], ALU_TYPE_F16X2, type), parts + 2 * i);
}

void product_unpack(Lanes *lanes, const ProductShape *shape, AluType type, Operand value,
                    Operand *parts) {
  switch (shape->kind) {
  case ELEMENT_HALF:
    floats(lanes, ALU_TYPE_F16, value, parts);
    break;
  case ELEMENT_BFLOAT:
    floats(lanes, ALU_TYPE_BF16, value, parts);
    break;
  case ELEMENT_SMALL_FLOAT:
    small_floats(lanes, type, value, parts);
    break;
  case ELEMENT_TENSOR_FLOAT: // the lower 13 bits do not count
    parts[0] = lane_binary(lanes, ALU_AND, value, lower_constant(0xffffe000));
    break;
  default:
    parts[0] = value;
  }
}

// The factors that `source` holds in lane `from`.
static void fetch(Lanes *lanes, const ProductShape *shape, AluType type, Operand source,
                  Operand from, Operand *parts) {
  if (shape->kind == ELEMENT_DOUBLE) {
    Operand halves[2];
    lane_unpack(lanes, source, ALU_TYPE_B64, 2, halves);
    for (uint32_t i = 0; i < 2; i++)
      halves[i] = lane_shuffle(lanes, halves[i], from);
    parts[0] = lane_pack(lanes, halves, ALU_TYPE_B64, 2);
    return;
  }
  product_unpack(lanes, shape, type, lane_shuffle(lanes, source, from), parts);
}

static uint32_t factor_count(const ProductShape *shape) {
  bool is_whole =
      shape->kind == ELEMENT_BYTE || shape->kind == ELEMENT_NIBBLE || shape->kind == ELEMENT_BIT;
  return is_whole ? 1 : shape->part;
}

// 32 products of bits.
static void count_bits(Lanes *lanes, AluOp combine, Operand a, Operand b, Operand sum) {
  AluOperation operation = {.op = ALU_POPC, .type = ALU_TYPE_B32};
  Operand operands[ALU_MAX_OPERANDS] = {lane_binary(lanes, combine, a, b)};
  Operand count = lane_compute(lanes, &operation, operands);
  lane_move(lanes, sum.index, lane_binary(lanes, ALU_ADD, sum, count));
}

static void multiply_add(Lanes *lanes, const ProductShape *shape, Operand a, Operand b,
                         Operand sum) {
  AluOperation operation = {.op = ALU_FMA, .type = ALU_TYPE_F32};
  if (shape->kind == ELEMENT_BIT) {
    uint32_t used = lanes->used;
    count_bits(lanes, shape->combine, a, b, sum);
    lanes->used = used;
    return;
  }
  if (shape->kind == ELEMENT_BYTE || shape->kind == ELEMENT_NIBBLE) {
    bool is_signed = alu_type_is_signed(shape->a_type) || alu_type_is_signed(shape->b_type);
    operation = (AluOperation){.op = ALU_DP4A,
                               .type = is_signed ? ALU_TYPE_S32 : ALU_TYPE_U32,
                               .source = (uint8_t)shape->a_type,
                               .second = (uint8_t)shape->b_type};
  } else if (shape->kind == ELEMENT_DOUBLE) {
    operation.type = ALU_TYPE_F64;
  }
  Operand operands[ALU_MAX_OPERANDS] = {a, b, sum};
  lane_compute_into(lanes, sum.index, &operation, operands);
}

// --- the product

uint32_t product_sum_count(const ProductShape *shape) {
  return shape->row_tiles * shape->column_tiles * 2 * shape->rows;
}

uint32_t product_column_blocks(const ProductShape *shape) {
  return shape->is_sparse ? 2 * shape->blocks : shape->blocks;
}

void product_fetch_row(Product *product, uint32_t tile, uint32_t r, uint32_t block,
                       uint32_t from_member, Operand *parts) {
  const ProductShape *shape = product->shape;
  Lanes *lanes = product->lanes;
  Operand from = lane_scale(lanes, lanes->group, 4, lower_constant(from_member));
  uint32_t number = (tile * shape->blocks + block) * shape->rows + r;
  fetch(lanes, shape, shape->a_type, product->a[number], from, parts);
}

static void fetch_column(Product *product, uint32_t tile, uint32_t c, uint32_t block,
                         uint32_t from_member, Operand *parts) {
  Lanes *lanes = product->lanes;
  Operand from = lane_scale(lanes, lanes->member, 8, lower_constant(4 * c + from_member));
  fetch(lanes, product->shape, product->shape->b_type,
        product->b[tile * product->shape->blocks + block], from, parts);
}

static uint32_t number_of_sum(const ProductShape *shape, uint32_t i, uint32_t j) {
  uint32_t tile = i / shape->rows * shape->column_tiles + j / 2;
  return tile * 2 * shape->rows + i % shape->rows * 2 + j % 2;
}

void product_add(Product *product, uint32_t i, uint32_t j, const Operand *row,
                 const Operand *column) {
  const ProductShape *shape = product->shape;
  for (uint32_t part = 0; part < factor_count(shape); part++)
    multiply_add(product->lanes, shape, row[part], column[part],
                 product->sums[number_of_sum(shape, i, j)]);
}

static void add_products(Product *product, uint32_t block, uint32_t member) {
  const ProductShape *shape = product->shape;
  Operand rows[PRODUCT_MOST_LINES][PRODUCT_MOST_PARTS];
  Operand columns[PRODUCT_MOST_LINES][PRODUCT_MOST_PARTS];
  uint32_t row_count = shape->row_tiles * shape->rows, column_count = shape->column_tiles * 2;
  for (uint32_t i = 0; i < row_count; i++)
    product_fetch_row(product, i / shape->rows, i % shape->rows, block, member, rows[i]);
  for (uint32_t i = 0; i < column_count; i++)
    fetch_column(product, i / 2, i % 2, block, member, columns[i]);
  for (uint32_t i = 0; i < row_count; i++)
    for (uint32_t j = 0; j < column_count; j++)
      product_add(product, i, j, rows[i], columns[j]);
}

// What C holds is set aside, and added when all products are: they alone cannot overflow.
static void set_sums_aside(Product *product, Operand *kept) {
  for (uint32_t i = 0; i < product_sum_count(product->shape); i++) {
    kept[i] = lower_register(lane_register(product->lanes));
    lane_move(product->lanes, kept[i].index, product->sums[i]);
    lane_move(product->lanes, product->sums[i].index, lower_constant(0));
  }
}

static void add_saturating(Product *product, const Operand *kept) {
  AluOperation operation = {.op = ALU_ADD, .type = ALU_TYPE_S32, .flags = ALU_SAT};
  for (uint32_t i = 0; i < product_sum_count(product->shape); i++) {
    Operand operands[ALU_MAX_OPERANDS] = {product->sums[i], kept[i]};
    lane_compute_into(product->lanes, product->sums[i].index, &operation, operands);
  }
}

void product_multiply(Product *product) {
  Operand kept[PRODUCT_MOST_SUMS];
  if (product->shape->is_saturating)
    set_sums_aside(product, kept);
  uint32_t used = product->lanes->used;
  for (uint32_t block = 0; block < product->shape->blocks; block++)
    for (uint32_t member = 0; member < 4; member++) {
      if (product->shape->is_sparse)
        sparse_add_products(product, block, member);
      else
        add_products(product, block, member);
      product->lanes->used = used;
    }
  if (product->shape->is_saturating)
    add_saturating(product, kept);
}

bool product_read_sums(Product *product, const PtxOperand *operand) {
  Operand values[LANE_MOST_REGISTERS];
  uint32_t count, sum_count = product_sum_count(product->shape);
  bool is_half = product->shape->is_half_sum;
  if (!lane_values(product->lanes, operand, values, &count) ||
      count != (is_half ? sum_count / 2 : sum_count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    if (is_half) {
      floats(product->lanes, ALU_TYPE_F16, values[i], &product->sums[2 * i]);
      continue;
    }
    product->sums[i] = lower_register(lane_register(product->lanes));
    lane_move(product->lanes, product->sums[i].index, values[i]);
  }
  return true;
}

void product_write_sums(Product *product, const uint32_t *registers, uint32_t count) {
  Lanes *lanes = product->lanes;
  for (uint32_t i = 0; i < count; i++) {
    if (!product->shape->is_half_result) {
      lane_move(lanes, registers[i], product->sums[i]);
      continue;
    }
    Operand pair[ALU_MAX_OPERANDS];
    for (uint32_t j = 0; j < 2; j++)
      pair[j] = lane_convert(lanes, product->sums[2 * i + j], ALU_TYPE_F16, ALU_TYPE_F32);
    lane_move(lanes, registers[i], lane_pack(lanes, pair, ALU_TYPE_B32, 2));
  }
}

// Fragments of wmma may be larger than what a lane needs: the rest is copies.
static bool has_registers(uint32_t found, uint32_t needed, bool is_exact) {
  return is_exact ? found == needed : found >= needed;
}

// Behind C: where the elements of a sparse A are, and which lanes say so.
static bool read_places(Code *code, const PtxInstruction *instruction, Product *product,
                        ProductShape *shape) {
  uint32_t expected = shape->is_sparse ? 6 : 4;
  Operand selector;
  if (lower_operand_count(instruction) != expected)
    return false;
  if (!shape->is_sparse)
    return true;
  if (!lower_value(code, lower_operand(code, instruction, 4), &product->places) ||
      !lower_value(code, lower_operand(code, instruction, 5), &selector) ||
      selector.kind != OPERAND_CONSTANT)
    return false;
  shape->selector = (uint32_t)selector.constant;
  return sparse_has_selector(shape);
}

bool lower_product(Code *code, const PtxInstruction *instruction, const PtxModifiers *modifiers) {
  ProductShape shape;
  Lanes lanes;
  Operand a[LANE_MOST_REGISTERS], b[LANE_MOST_REGISTERS];
  uint32_t results[LANE_MOST_REGISTERS], a_count, b_count, result_count;
  bool is_exact = instruction->op == PTX_OP_mma;
  if (lower_quad_product(code, instruction, modifiers))
    return true;
  if (!read_product(code, modifiers, &shape))
    return false;
  lane_begin(&lanes, code);
  Product product = {.lanes = &lanes, .shape = &shape, .a = a, .b = b};
  uint32_t sum_count = product_sum_count(&shape);
  uint32_t a_needed = shape.row_tiles * shape.rows * shape.blocks;
  uint32_t b_needed = shape.column_tiles * product_column_blocks(&shape);
  if (!read_places(code, instruction, &product, &shape) ||
      !lane_destinations(&lanes, lower_operand(code, instruction, 0), results, &result_count) ||
      !lane_values(&lanes, lower_operand(code, instruction, 1), a, &a_count) ||
      !lane_values(&lanes, lower_operand(code, instruction, 2), b, &b_count) ||
      !has_registers(a_count, a_needed, is_exact) || !has_registers(b_count, b_needed, is_exact) ||
      result_count != (shape.is_half_result ? sum_count / 2 : sum_count) ||
      !product_read_sums(&product, lower_operand(code, instruction, 3)))
    return false;
  product_multiply(&product);
  product_write_sums(&product, results, result_count);
  return true;
}
