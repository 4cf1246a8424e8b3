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

uint32_t tensor_offset_bits(uint32_t rank) {
  return rank > 2 ? 16 / (rank - 2) : 16;
}

bool tensor_place_box(TensorBox *box, const TensorMap *map, TensorMode mode, uint32_t count,
                      const uint64_t words[TENSOR_PLACE_WORDS]) {
  uint32_t rank = mode == TENSOR_ROWS ? 2 : count;
  *box = (TensorBox){.map = map, .mode = mode};
  if (!map || map->rank != rank || map->is_im2col != (mode == TENSOR_IM2COL))
    return false;
  for (uint32_t i = 0; i < count; i++)
    box->corner[i] = (int32_t)(words[i / 2] >> 32 * (i % 2));
  uint32_t bits = tensor_offset_bits(rank);
  uint64_t offsets = words[TENSOR_PLACE_WORDS - 1] >> 32;
  for (uint32_t i = 0; mode == TENSOR_IM2COL && i < rank - 2; i++)
    box->offsets[i] = (int32_t)(offsets >> bits * i & ((1u << bits) - 1));
  return true;
}

enum { GATHERED_ROWS = 4 };

uint64_t tensor_box_elements(const TensorBox *box) {
  uint64_t count = 1;
  switch (box->mode) {
  case TENSOR_IM2COL:
    return (uint64_t)box->map->box[0] * box->map->box[1];
  case TENSOR_ROWS:
    return (uint64_t)box->map->box[0] * GATHERED_ROWS;
  default:
    for (uint32_t i = 0; i < box->map->rank; i++)
      count *= box->map->box[i];
    return count;
  }
}

// The quotient, rounded down; the remainder is not negative.
static int64_t divide(int64_t a, int64_t b, int64_t *remainder) {
  *remainder = (a % b + b) % b;
  return (a - *remainder) / b;
}

// Pixel `index` behind the first: the next one of its line, then of the next line and so on, all
// within the limits of the map.
static bool place_pixel(const TensorBox *box, uint64_t index, int64_t *place) {
  const TensorMap *map = box->map;
  int64_t carried = (int64_t)index;
  for (uint32_t i = 1; i + 1 < map->rank; i++) {
    int64_t low = map->lower[i - 1], count = (int64_t)map->size[i] + map->upper[i - 1] - low, digit;
    if (count <= 0)
      return false;
    carried = divide(box->corner[i] - low + carried, count, &digit);
    place[i] = low + digit + box->offsets[i - 1];
  }
  place[map->rank - 1] = box->corner[map->rank - 1] + carried;
  return true;
}

// The coordinates of an element of the box; false: it has none.
static bool place_element(const TensorBox *box, uint64_t index, int64_t *place) {
  const TensorMap *map = box->map;
  place[0] = box->corner[0] + (int64_t)(index % map->box[0]);
  index /= map->box[0];
  if (box->mode == TENSOR_IM2COL)
    return place_pixel(box, index, place);
  if (box->mode == TENSOR_ROWS) {
    place[1] = box->corner[1 + index];
    return true;
  }
  for (uint32_t i = 1; i < map->rank; i++) {
    place[i] = box->corner[i] + (int64_t)(index % map->box[i]);
    index /= map->box[i];
  }
  return true;
}

bool tensor_find_element(const TensorBox *box, uint64_t index, uint64_t *address) {
  const TensorMap *map = box->map;
  int64_t place[TENSOR_MAX_RANK];
  uint64_t stride = map->element_bytes;
  *address = map->base;
  if (!place_element(box, index, place))
    return false;
  for (uint32_t i = 0; i < map->rank; i++) {
    if (place[i] < 0 || place[i] >= (int64_t)map->size[i])
      return false;
    *address += (uint64_t)place[i] * stride;
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

uint32_t tensor_piece_bytes(const TensorBox *box, uint32_t most) {
  const TensorMap *map = box->map;
  uint32_t bytes = map->element_bytes;
  while (2 * bytes <= most) {
    uint32_t elements = 2 * bytes / map->element_bytes;
    if (map->box[0] % elements || map->size[0] % elements || box->corner[0] % (int32_t)elements)
      break;
    bytes *= 2;
  }
  return bytes;
}
