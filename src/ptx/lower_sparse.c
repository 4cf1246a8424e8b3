// Products of a sparse matrix A (mma.sp, wgmma.mma_async.sp): of four elements in a row that lie
// side by side, A has two, and the places of the two, two bits for each, are in registers of some
// lanes (PTX ISA, "Sparse matrix storage"). Of 32 bits elements lie two by two, and the places are
// those of their halves; of 4 bits the elements of a byte stay together.
//
// So A looks as if it had half as many columns, and each lane takes from the two registers of B
// that its own register of A belongs to what the places say: bytes, or pairs of bytes.
#include "ptx/lower_product.h"

static bool has_bytes(const ProductShape *shape) {
  return shape->part >= 4;
}

// Lanes of four that have all places of a row of eight lines. Those that are two have a block each,
// or, of bytes, a row.
static uint32_t lanes_with_places(const ProductShape *shape) {
  return shape->blocks * (has_bytes(shape) ? 2 : 1);
}

bool sparse_has_selector(const ProductShape *shape) {
  return shape->rows == 2 && shape->row_tiles == 1 && shape->blocks <= 2 &&
         shape->selector < 4 / lanes_with_places(shape);
}

static Operand bits_of(Lanes *lanes, Operand value, uint32_t shift, uint32_t count) {
  Operand moved = lane_binary(lanes, ALU_SHR, value, lower_constant(shift));
  return lane_binary(lanes, ALU_AND, moved, lower_constant((1 << count) - 1));
}

// For prmt: the bytes that two places of pairs of bytes mean.
static Operand bytes_of_pairs(Lanes *lanes, Operand places, uint32_t shift) {
  Operand low = lane_scale(lanes, bits_of(lanes, places, shift, 2), 0x22, lower_constant(0x1010));
  return lane_scale(lanes, bits_of(lanes, places, shift + 2, 2), 0x2200, low);
}

// Four places of bytes, two of the first register and two of the second.
static Operand bytes_of_bytes(Lanes *lanes, Operand places, uint32_t shift) {
  Operand bytes = lower_constant(0x4400);
  for (uint32_t i = 0; i < 4; i++)
    bytes = lane_scale(lanes, bits_of(lanes, places, shift + 2 * i, 2), 1 << 4 * i, bytes);
  return bytes;
}

// What selects the elements of B for the register of A that row r has of member and block.
static Operand select_bytes(Product *product, uint32_t r, uint32_t block, uint32_t member) {
  const ProductShape *shape = product->shape;
  Lanes *lanes = product->lanes;
  bool of_bytes = has_bytes(shape);
  uint32_t lane = shape->selector * lanes_with_places(shape);
  lane += of_bytes ? r + 2 * block : block;
  Operand from = lane_scale(lanes, lanes->group, 4, lower_constant(lane));
  Operand places = lane_shuffle(lanes, product->places, from);
  return of_bytes ? bytes_of_bytes(lanes, places, 8 * member)
                  : bytes_of_pairs(lanes, places, 16 * r + 4 * member);
}

// Register of column c, tile `tile`, of B: `half` of the two that belong to a register of A.
static Operand fetch_half(Product *product, uint32_t tile, uint32_t c, uint32_t block,
                          uint32_t member, uint32_t half) {
  Lanes *lanes = product->lanes;
  uint32_t number = tile * product_column_blocks(product->shape) + 2 * block + member / 2;
  uint32_t lane = 4 * c + 2 * (member % 2) + half;
  Operand from = lane_scale(lanes, lanes->member, 8, lower_constant(lane));
  return lane_shuffle(lanes, product->b[number], from);
}

// The product of each row with one column.
static void add_column(Product *product, uint32_t j, uint32_t block, uint32_t member,
                       Operand rows[2][PRODUCT_MOST_PARTS], const Operand *selectors) {
  Lanes *lanes = product->lanes;
  AluOperation permute = {.op = ALU_PRMT, .type = ALU_TYPE_B32};
  Operand column[PRODUCT_MOST_PARTS], halves[ALU_MAX_OPERANDS];
  for (uint32_t half = 0; half < 2; half++)
    halves[half] = fetch_half(product, j / 2, j % 2, block, member, half);
  for (uint32_t r = 0; r < 2; r++) {
    halves[2] = selectors[r];
    Operand selected = lane_compute(lanes, &permute, halves);
    product_unpack(lanes, product->shape, product->shape->b_type, selected, column);
    product_add(product, r, j, rows[r], column);
  }
}

void sparse_add_products(Product *product, uint32_t block, uint32_t member) {
  Operand rows[2][PRODUCT_MOST_PARTS], selectors[2];
  for (uint32_t r = 0; r < 2; r++) {
    product_fetch_row(product, 0, r, block, member, rows[r]);
    selectors[r] = select_bytes(product, r, block, member);
  }
  uint32_t used = product->lanes->used;
  for (uint32_t j = 0; j < 2 * product->shape->column_tiles; j++) {
    add_column(product, j, block, member, rows, selectors);
    product->lanes->used = used;
  }
}
