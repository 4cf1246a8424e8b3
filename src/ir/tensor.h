// Tensor maps, which bulk copies of tensors take instead of an address: the global memory of a
// tensor, and the box of it that one copy moves. Without interleaving: the box lies in shared
// memory element by element, or, swizzled, with its pieces of 16 bytes changed about (PTX ISA,
// "Swizzling Modes").
#ifndef WARPSAN_IR_TENSOR_H
#define WARPSAN_IR_TENSOR_H

#include "ir/ir.h"

enum {
  TENSOR_MAX_RANK = 5,
  TENSOR_MOST_OFFSETS = TENSOR_MAX_RANK - 2,
  TENSOR_MAP_BYTES = 128,
  TENSOR_MAP_WORDS = TENSOR_MAP_BYTES / 8
};

typedef struct TensorMap {
  uint64_t address; // of the map, by which instructions name it
  uint64_t base;    // of the first element, in global memory
  uint32_t element_bytes, rank;
  uint8_t type; // of elements: AluType, ALU_TYPE_NONE of those that nothing can reduce
  uint32_t size[TENSOR_MAX_RANK], box[TENSOR_MAX_RANK]; // in elements, the innermost first
  uint64_t stride[TENSOR_MAX_RANK]; // bytes from one to the next; 0: they lie without gaps
  uint32_t swizzle;                 // 32, 64 or 128 bytes; 0: none
  // For im2col mode: the box has box[0] channels and box[1] pixels; these begin at `lower` and end
  // at `upper`, counted from the first and the last pixel, of each dimension between the channels
  // and the images.
  bool is_im2col;
  int32_t lower[TENSOR_MOST_OFFSETS], upper[TENSOR_MOST_OFFSETS];
} TensorMap;

// A map in memory, of TENSOR_MAP_BYTES: what a launch puts into a parameter and instructions change
// field by field. Offsets in bytes; all fields but the mark are those of PTX ISA,
// "tensormap.replace".
enum {
  TENSOR_AT_BASE = 0,   // 8 bytes
  TENSOR_AT_STRIDE = 8, // 8 bytes each, of the dimensions behind the first
  TENSOR_AT_SIZE = 40,  // 4 bytes each
  TENSOR_AT_BOX = 60,   // 4 bytes each
  TENSOR_AT_RANK = 80,  // 1 byte, as the next: the rank - 1
  TENSOR_AT_TYPE = 81,  // the number of the element's type
  TENSOR_AT_SWIZZLE = 82,
  TENSOR_AT_INTERLEAVE = 83,
  TENSOR_AT_FILL = 84,
  TENSOR_AT_IM2COL = 85, // is it for im2col mode?
  TENSOR_AT_LOWER = 86,  // 2 bytes each
  TENSOR_AT_UPPER = 92,  // 2 bytes each
  TENSOR_AT_STEP = 98,   // 1 byte each: the element strides
  TENSOR_AT_MARK = 120,  // 8 bytes that tell a map from other memory
};
void tensor_encode_map(const TensorMap *map, uint8_t bytes[TENSOR_MAP_BYTES]);
// False: the bytes are no map, or one that is not supported (interleaved, with element strides).
bool tensor_decode_map(const uint8_t bytes[TENSOR_MAP_BYTES], TensorMap *map);

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

// The operation on elements of the map: what reduces them, beside increments and decrements. NULL:
// there is none.
const struct AluOperation *tensor_reduction(const TensorMap *map, uint8_t op);
// Can a copy be made that reduces by the operation? NULL: by none, or by one that knows no types.
bool tensor_can_reduce(const TensorMap *map, const struct AluOperation *by);

enum { TENSOR_SWIZZLE_BYTES = 16 }; // of a piece that stays together

// Operands of IR_TENSOR_COPY: the coordinates, two in each word, and behind the last the offsets,
// each of `tensor_offset_bits`.
enum { TENSOR_PLACE_WORDS = 3 };
uint32_t tensor_offset_bits(uint32_t rank);
// Makes the box of a copy with so many coordinates. False: there is no map, or one of another rank
// or for another mode, or its box is empty or larger than any shared memory.
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
