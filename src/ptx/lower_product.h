// Products of matrices by a warp: which registers of a lane hold what, and how they are multiplied.
// lower_product.c says how the layouts are described. Internal to lower*.c.
#ifndef WARPSAN_PTX_LOWER_PRODUCT_H
#define WARPSAN_PTX_LOWER_PRODUCT_H

#include "ptx/lower_lane.h"

enum { PRODUCT_MOST_SUMS = 128 }; // of a lane

typedef enum ElementKind {
  ELEMENT_HALF,
  ELEMENT_BFLOAT,
  ELEMENT_TENSOR_FLOAT,
  ELEMENT_DOUBLE,
  ELEMENT_BYTE,
  ELEMENT_NIBBLE,
  ELEMENT_BIT,
  ELEMENT_SMALL_FLOAT, // of 8 bits
} ElementKind;

typedef struct ProductShape {
  ElementKind kind;
  // Of bytes: u32 or s32; of nibbles: u4 or s4; of small floats: their pairs.
  AluType a_type, b_type;
  AluOp combine;      // of bits: how two of them are multiplied
  bool is_saturating; // the sum of all products is added to C with saturation
  bool is_half_sum;   // C and D are halves
  bool is_half_result;
  uint32_t part;   // elements of a register
  uint32_t rows;   // R: blocks of 8 rows in a tile, 1 or 2
  uint32_t blocks; // of k
  uint32_t row_tiles, column_tiles;
} ProductShape;

typedef struct Product {
  Lanes *lanes;
  const ProductShape *shape;
  const Operand *a, *b;
  Operand sums[PRODUCT_MOST_SUMS]; // registers
} Product;

// Is the type of the factors, and are those of the sums, one that is supported? Sets kind and part.
bool product_set_types(ProductShape *shape, const PtxModifiers *modifiers);
// Sizes m, n, k of a shape such as m16n8k16; false: there is none.
bool product_read_size(const Code *code, const PtxModifiers *modifiers, uint32_t size[3]);
uint32_t product_sum_count(const ProductShape *shape);
// Reads C into product->sums; false: it has another number of registers.
bool product_read_sums(Product *product, const PtxOperand *operand);
void product_multiply(Product *product);
// Writes product->sums to the registers of D, of which there are `count`.
void product_write_sums(Product *product, const uint32_t *registers, uint32_t count);

#endif
