#include "ir/tensor.h"

#include "ir/alu.h"

const uint8_t tensor_reductions[TENSOR_REDUCTIONS] = {ALU_ADD, ALU_MIN, ALU_MAX,
                                                      ALU_AND, ALU_OR,  ALU_XOR};

const AluOperation *tensor_reduction(const TensorMap *map, uint8_t op) {
  for (uint32_t i = 0; i < TENSOR_REDUCTIONS; i++)
    if (tensor_reductions[i] == op)
      return &map->reductions[i];
  return NULL;
}

const TensorMap *tensor_find_map(const Program *program, uint64_t address) {
  for (uint32_t i = 0; i < program->tensor_map_count; i++)
    if (program->tensor_maps[i].address == address)
      return &program->tensor_maps[i];
  return NULL;
}

uint64_t tensor_box_elements(const TensorMap *map) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < map->rank; i++)
    count *= map->box[i];
  return count;
}

bool tensor_find_element(const TensorMap *map, const int32_t *corner, uint64_t index,
                         uint64_t *address) {
  uint64_t stride = map->element_bytes;
  *address = map->base;
  for (uint32_t i = 0; i < map->rank; i++) {
    int64_t place = corner[i] + (int64_t)(index % map->box[i]);
    if (place < 0 || place >= (int64_t)map->size[i])
      return false;
    *address += (uint64_t)place * stride;
    index /= map->box[i];
    stride *= map->size[i];
  }
  return true;
}

uint64_t tensor_swizzle(const TensorMap *map, uint64_t address) {
  if (!map->swizzle)
    return address;
  uint64_t mask = map->swizzle / TENSOR_SWIZZLE_BYTES - 1;
  return address ^ (address >> 7 & mask) * TENSOR_SWIZZLE_BYTES;
}

uint32_t tensor_piece_bytes(const TensorMap *map, const int32_t *corner, uint32_t most) {
  uint32_t bytes = map->element_bytes;
  while (2 * bytes <= most) {
    uint32_t elements = 2 * bytes / map->element_bytes;
    if (map->box[0] % elements || map->size[0] % elements || corner[0] % (int32_t)elements)
      break;
    bytes *= 2;
  }
  return bytes;
}
