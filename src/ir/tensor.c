#include "ir/tensor.h"

#include "base/bytes.h"
#include "ir/alu.h"

#include <string.h>

enum { REDUCTIONS = 6 };

// Types of elements, in the order of their numbers in a map (PTX ISA, "tensormap.replace").
typedef struct ElementType {
  uint8_t type, bytes;
  AluOperation reductions[REDUCTIONS];
} ElementType;

#define REDUCTION(operation, element)                                                              \
  { .op = ALU_##operation, .type = ALU_TYPE_##element }
#define ELEMENT(element, size)                                                                     \
  {                                                                                                \
    ALU_TYPE_##element, size, {                                                                    \
      REDUCTION(ADD, element), REDUCTION(MIN, element), REDUCTION(MAX, element),                   \
          REDUCTION(AND, element), REDUCTION(OR, element), REDUCTION(XOR, element)                 \
    }                                                                                              \
  }
static const ElementType element_types[] = {
    {ALU_TYPE_NONE, 1, {{0}}}, {ALU_TYPE_NONE, 2, {{0}}}, ELEMENT(U32, 4),
    ELEMENT(S32, 4),           ELEMENT(U64, 8),           ELEMENT(S64, 8),
    ELEMENT(F16, 2),           ELEMENT(F32, 4),           ELEMENT(F32, 4),
    ELEMENT(F64, 8),           ELEMENT(BF16, 2),          {ALU_TYPE_NONE, 4, {{0}}},
    {ALU_TYPE_NONE, 4, {{0}}},
};
#undef ELEMENT
#undef REDUCTION
enum { ELEMENT_TYPES = sizeof element_types / sizeof *element_types };

// Its number; ELEMENT_TYPES: there is none.
static uint32_t find_element_type(uint32_t type, uint32_t bytes) {
  uint32_t i = 0;
  while (i < ELEMENT_TYPES && (element_types[i].type != type || element_types[i].bytes != bytes))
    i++;
  return i;
}

const AluOperation *tensor_reduction(const TensorMap *map, uint8_t op) {
  uint32_t type = find_element_type(map->type, map->element_bytes);
  if (type == ELEMENT_TYPES || map->type == ALU_TYPE_NONE)
    return NULL;
  for (uint32_t i = 0; i < REDUCTIONS; i++)
    if (element_types[type].reductions[i].op == op)
      return &element_types[type].reductions[i];
  return NULL;
}

bool tensor_can_reduce(const TensorMap *map, const AluOperation *by) {
  return !by || tensor_reduction(map, by->op);
}

// --- maps in memory

static const uint64_t mark = UINT64_C(0x70616d726f736e65);

void tensor_encode_map(const TensorMap *map, uint8_t bytes[TENSOR_MAP_BYTES]) {
  memset(bytes, 0, TENSOR_MAP_BYTES);
  bytes_put(bytes + TENSOR_AT_BASE, map->base, 8);
  uint64_t stride = map->element_bytes;
  for (uint32_t i = 0; i < map->rank; i++) {
    if (i)
      bytes_put(bytes + TENSOR_AT_STRIDE + 8 * (i - 1), map->stride[i] ? map->stride[i] : stride,
                8);
    bytes_put(bytes + TENSOR_AT_SIZE + 4 * i, map->size[i], 4);
    bytes_put(bytes + TENSOR_AT_BOX + 4 * i, map->box[i], 4);
    bytes_put(bytes + TENSOR_AT_STEP + i, 1, 1);
    stride *= map->size[i];
  }
  bytes_put(bytes + TENSOR_AT_RANK, map->rank - 1, 1);
  bytes_put(bytes + TENSOR_AT_TYPE, find_element_type(map->type, map->element_bytes), 1);
  bytes_put(bytes + TENSOR_AT_SWIZZLE, map->swizzle / 64 + (map->swizzle != 0), 1);
  bytes_put(bytes + TENSOR_AT_IM2COL, map->is_im2col, 1);
  for (uint32_t i = 0; i < TENSOR_MOST_OFFSETS; i++) {
    bytes_put(bytes + TENSOR_AT_LOWER + 2 * i, (uint32_t)map->lower[i], 2);
    bytes_put(bytes + TENSOR_AT_UPPER + 2 * i, (uint32_t)map->upper[i], 2);
  }
  bytes_put(bytes + TENSOR_AT_MARK, mark, 8);
}

static bool is_plain(const uint8_t *bytes, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++)
    if (bytes[TENSOR_AT_STEP + i] != 1)
      return false;
  return bytes[TENSOR_AT_INTERLEAVE] == 0 && bytes[TENSOR_AT_FILL] == 0 &&
         bytes[TENSOR_AT_SWIZZLE] <= 3;
}

bool tensor_decode_map(const uint8_t bytes[TENSOR_MAP_BYTES], TensorMap *map) {
  static const uint8_t swizzles[] = {0, 32, 64, 128};
  uint32_t rank = bytes[TENSOR_AT_RANK] + 1u, type = bytes[TENSOR_AT_TYPE];
  *map = (TensorMap){.base = bytes_get(bytes + TENSOR_AT_BASE, 8), .rank = rank};
  if (bytes_get(bytes + TENSOR_AT_MARK, 8) != mark || rank > TENSOR_MAX_RANK ||
      type >= ELEMENT_TYPES || !is_plain(bytes, rank))
    return false;
  map->element_bytes = element_types[type].bytes;
  map->type = element_types[type].type;
  map->swizzle = swizzles[bytes[TENSOR_AT_SWIZZLE]];
  map->is_im2col = bytes[TENSOR_AT_IM2COL];
  for (uint32_t i = 0; i < rank; i++) {
    map->stride[i] = i ? bytes_get(bytes + TENSOR_AT_STRIDE + 8 * (i - 1), 8) : map->element_bytes;
    map->size[i] = (uint32_t)bytes_get(bytes + TENSOR_AT_SIZE + 4 * i, 4);
    map->box[i] = (uint32_t)bytes_get(bytes + TENSOR_AT_BOX + 4 * i, 4);
  }
  for (uint32_t i = 0; i < TENSOR_MOST_OFFSETS; i++) {
    map->lower[i] = (int16_t)bytes_get(bytes + TENSOR_AT_LOWER + 2 * i, 2);
    map->upper[i] = (int16_t)bytes_get(bytes + TENSOR_AT_UPPER + 2 * i, 2);
  }
  return map->box[0] && map->box[0] <= 256;
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

// Shared memory has no room for larger boxes, and nobody could wait for the end of the largest.
static bool has_fitting_box(const TensorMap *map) {
  enum { MOST_SIZE = 1024, MOST_BYTES = 1 << 20 };
  uint32_t dimensions = map->is_im2col ? 2 : map->rank;
  uint64_t bytes = map->element_bytes;
  for (uint32_t i = 0; i < dimensions && bytes <= MOST_BYTES; i++)
    bytes *= map->box[i] <= MOST_SIZE ? map->box[i] : 0;
  return bytes && bytes <= MOST_BYTES;
}

bool tensor_place_box(TensorBox *box, const TensorMap *map, TensorMode mode, uint32_t count,
                      const uint64_t words[TENSOR_PLACE_WORDS]) {
  uint32_t rank = mode == TENSOR_ROWS ? 2 : count;
  *box = (TensorBox){.map = map, .mode = mode};
  if (!map || map->rank != rank || map->is_im2col != (mode == TENSOR_IM2COL) ||
      !has_fitting_box(map))
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
    if (map->stride[i])
      stride = map->stride[i];
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
