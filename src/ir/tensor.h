// Tensor maps, which bulk copies of tensors take instead of an address: the global memory of a
// tensor, and the box of it that one copy moves. Without strides or interleaving: element (x, y,
// ...) lies x + y * size[0] + ... elements behind the first, and the box lies in shared memory in
// the same way, or, swizzled, with its pieces of 16 bytes changed about (PTX ISA, "Swizzling
// Modes").
#ifndef WARPSAN_IR_TENSOR_H
#define WARPSAN_IR_TENSOR_H

#include "ir/ir.h"

enum { TENSOR_MAX_RANK = 5, TENSOR_MAP_BYTES = 128 };

typedef struct TensorMap {
  uint64_t address; // of the map, by which instructions name it
  uint64_t base;    // of the first element, in global memory
  uint32_t element_bytes, rank;
  uint32_t size[TENSOR_MAX_RANK], box[TENSOR_MAX_RANK]; // in elements, the innermost first
  uint32_t swizzle;                                     // 32, 64 or 128 bytes; 0: none
  const struct AluOperation *reductions;                // of its elements, as in tensor_reductions
} TensorMap;

// What elements can be reduced by, beside increments and decrements: AluOp.
enum { TENSOR_REDUCTIONS = 6 };
extern const uint8_t tensor_reductions[TENSOR_REDUCTIONS];
// The operation on elements of the map.
const struct AluOperation *tensor_reduction(const TensorMap *map, uint8_t op);

enum { TENSOR_SWIZZLE_BYTES = 16 }; // of a piece that stays together

// The map at that address, or NULL.
const TensorMap *tensor_find_map(const Program *program, uint64_t address);
uint64_t tensor_box_elements(const TensorMap *map);
// Where the element with the number `index` of the box is; false: outside of the tensor.
bool tensor_find_element(const TensorMap *map, const int32_t *corner, uint64_t index,
                         uint64_t *address);
// Where in shared memory the byte is that would be at the address without swizzling.
uint64_t tensor_swizzle(const TensorMap *map, uint64_t address);
// Bytes that can be copied at once, at most `most`: within a row, and inside of the tensor as a
// whole or not at all.
uint32_t tensor_piece_bytes(const TensorMap *map, const int32_t *corner, uint32_t most);

#endif
