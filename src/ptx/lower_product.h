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
  bool is_sparse;    // A has half of its elements (lower_sparse.c)
  uint32_t selector; // which lanes of four say where in a row they are
  uint32_t part;     // elements of a register
  uint32_t rows;     // R: blocks of 8 rows in a tile, 1 or 2
  uint32_t blocks;   // of k, as A has them; B has twice as many if A is sparse
  uint32_t row_tiles, column_tiles;
} ProductShape;

typedef struct Product {
  Lanes *lanes;
  const ProductShape *shape;
  const Operand *a, *b;
  Operand places;                  // of the elements of a sparse A
  Operand sums[PRODUCT_MOST_SUMS]; // registers
} Product;

// Is the type of the factors, and are those of the sums, one that is supported? Sets kind and part.
bool product_set_types(ProductShape *shape, const PtxModifiers *modifiers);
// Sizes m, n, k of a shape such as m16n8k16; false: there is none.
bool product_read_size(const Code *code, const PtxModifiers *modifiers, uint32_t size[3]);
uint32_t product_sum_count(const ProductShape *shape);
uint32_t product_column_blocks(const ProductShape *shape);
// Reads C into product->sums; false: it has another number of registers.
bool product_read_sums(Product *product, const PtxOperand *operand);
void product_multiply(Product *product);
// Writes product->sums to the registers of D, of which there are `count`.
void product_write_sums(Product *product, const uint32_t *registers, uint32_t count);

// Parts of the product (lower_product.c), for lower_sparse.c.
enum { PRODUCT_MOST_LINES = 64, PRODUCT_MOST_PARTS = 4 };
// Row r of tile `tile`: what A has of the k of member `from_member` in block `block`, in parts.
void product_fetch_row(Product *product, uint32_t tile, uint32_t r, uint32_t block,
                       uint32_t from_member, Operand *parts);
// A register as what is multiplied; `type` is a_type or b_type of the shape.
void product_unpack(Lanes *lanes, const ProductShape *shape, AluType type, Operand value,
                    Operand *parts);
// Adds the products of the parts of row i and column j, counted over all tiles, to their sum.
void product_add(Product *product, uint32_t i, uint32_t j, const Operand *row,
                 const Operand *column);
// Sparse products (lower_sparse.c). Are there as many lanes as the selector says?
bool sparse_has_selector(const ProductShape *shape);
void sparse_add_products(Product *product, uint32_t block, uint32_t member);
// mma.m8n8k4 on halves (lower_quad.c)
bool lower_quad_product(Code *code, const PtxInstruction *instruction,
                        const PtxModifiers *modifiers);

#endif
