// Tensor maps, which bulk copies of tensors take instead of an address: the global memory of a
// tensor, and the box of it that one copy moves. Without strides or interleaving: element (x, y,
// ...) lies x + y * size[0] + ... elements behind the first, and the box lies in shared memory in
// the same way, or, swizzled, with its pieces of 16 bytes changed about (PTX ISA, "Swizzling
// Modes").
#ifndef WARPSAN_IR_TENSOR_H
#define WARPSAN_IR_TENSOR_H

#include "ir/ir.h"

enum { TENSOR_MAX_RANK = 5, TENSOR_MOST_OFFSETS = TENSOR_MAX_RANK - 2, TENSOR_MAP_BYTES = 128 };

typedef struct TensorMap {
  uint64_t address; // of the map, by which instructions name it
  uint64_t base;    // of the first element, in global memory
  uint32_t element_bytes, rank;
  uint32_t size[TENSOR_MAX_RANK], box[TENSOR_MAX_RANK]; // in elements, the innermost first
  uint32_t swizzle;                                     // 32, 64 or 128 bytes; 0: none
  // For im2col mode: the box has box[0] channels and box[1] pixels; these begin at `lower` and end
  // at `upper`, counted from the first and the last pixel, of each dimension between the channels
  // and the images.
  bool is_im2col;
  int32_t lower[TENSOR_MOST_OFFSETS], upper[TENSOR_MOST_OFFSETS];
  const struct AluOperation *reductions; // of its elements, as in tensor_reductions
} TensorMap;

// How a copy goes through the tensor (PTX ISA, "Tensor Data Movement", modes).
typedef enum TensorMode {
  TENSOR_TILE,
  TENSOR_IM2COL,
  TENSOR_ROWS, // .tile::gather4, .tile::scatter4: four rows of a matrix
} TensorMode;

// A copy: the map, where it begins, and in im2col mode how far behind each pixel its elements are.
typedef struct TensorBox {
  const TensorMap *map;
  TensorMode mode;
  int32_t corner[TENSOR_MAX_RANK];
  int32_t offsets[TENSOR_MOST_OFFSETS];
} TensorBox;

// What elements can be reduced by, beside increments and decrements: AluOp.
enum { TENSOR_REDUCTIONS = 6 };
extern const uint8_t tensor_reductions[TENSOR_REDUCTIONS];
// The operation on elements of the map.
const struct AluOperation *tensor_reduction(const TensorMap *map, uint8_t op);

enum { TENSOR_SWIZZLE_BYTES = 16 }; // of a piece that stays together

// Operands of IR_TENSOR_COPY: the coordinates, two in each word, and behind the last the offsets,
// each of `tensor_offset_bits`.
enum { TENSOR_PLACE_WORDS = 3 };
uint32_t tensor_offset_bits(uint32_t rank);
// Makes the box of a copy with so many coordinates. False: there is no map, or one of another rank
// or for another mode.
bool tensor_place_box(TensorBox *box, const TensorMap *map, TensorMode mode, uint32_t count,
                      const uint64_t words[TENSOR_PLACE_WORDS]);

// The map at that address, or NULL.
const TensorMap *tensor_find_map(const Program *program, uint64_t address);
uint64_t tensor_box_elements(const TensorBox *box);
// Where the element with the number `index` of the box is; false: outside of the tensor.
bool tensor_find_element(const TensorBox *box, uint64_t index, uint64_t *address);
// Where in shared memory the byte is that would be at the address without swizzling.
uint64_t tensor_swizzle(const TensorMap *map, uint64_t address);
// Bytes that can be copied at once, at most `most`: within a row, and inside of the tensor as a
// whole or not at all.
uint32_t tensor_piece_bytes(const TensorBox *box, uint32_t most);

#endif
