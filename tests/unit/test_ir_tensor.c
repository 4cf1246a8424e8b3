// Boxes of tensors: where their elements are, and what can be copied at once.
#include "unit.h"

#include "ir/alu.h"
#include "ir/tensor.h"

static const TensorMap matrix = {.address = 0x1000,
                                 .base = 0x8000,
                                 .element_bytes = 2,
                                 .rank = 2,
                                 .size = {20, 10},
                                 .box = {8, 4}};

static uint64_t offset_of(int32_t x, int32_t y, uint64_t index) {
  uint64_t address;
  TensorBox box = {.map = &matrix, .corner = {x, y}};
  return tensor_find_element(&box, index, &address) ? address - matrix.base : UINT64_MAX;
}

static void elements_lie_row_by_row(void **state) {
  (void)state;
  TensorBox box = {.map = &matrix};
  assert_int_equal(tensor_box_elements(&box), 32);
  assert_int_equal(offset_of(0, 0, 0), 0);
  assert_int_equal(offset_of(0, 0, 7), 14);
  assert_int_equal(offset_of(0, 0, 8), 40);
  assert_int_equal(offset_of(3, 2, 9), 2 * (20 * 3 + 4));
  assert_int_equal(offset_of(12, 6, 31), 2 * (20 * 9 + 19));
}

static void outside_is_no_element(void **state) {
  (void)state;
  assert_true(offset_of(16, 0, 3) != UINT64_MAX);
  assert_true(offset_of(16, 0, 4) == UINT64_MAX); // x is 20
  assert_true(offset_of(0, 9, 7) != UINT64_MAX);
  assert_true(offset_of(0, 9, 8) == UINT64_MAX); // y is 10
  assert_true(offset_of(-1, 0, 0) == UINT64_MAX);
  assert_int_equal(offset_of(-1, 0, 1), 0);
  assert_true(offset_of(0, -4, 31) == UINT64_MAX);
}

static void five_dimensions(void **state) {
  (void)state;
  TensorMap map = {
      .base = 0, .element_bytes = 8, .rank = 5, .size = {2, 3, 4, 5, 6}, .box = {2, 1, 2, 1, 2}};
  TensorBox box = {.map = &map, .corner = {0, 2, 1, 4, 3}};
  uint64_t address;
  // the last one: (1, 2, 2, 4, 4)
  assert_true(tensor_find_element(&box, 7, &address));
  assert_int_equal(address, 8 * (1 + 2 * (2 + 3 * (2 + 4 * (4 + 5 * 4)))));
}

static void pieces_are_all_inside_or_outside(void **state) {
  (void)state;
  TensorMap map = matrix;
  TensorBox even = {.map = &map, .corner = {2, 0}}, odd = {.map = &map, .corner = {1, 0}};
  assert_int_equal(tensor_piece_bytes(&even, 4), 4);
  assert_int_equal(tensor_piece_bytes(&even, 2), 2);
  assert_int_equal(tensor_piece_bytes(&odd, 4), 2);
  map.size[0] = 21;
  assert_int_equal(tensor_piece_bytes(&even, 4), 2);
  map.size[0] = 20;
  map.box[0] = 7;
  assert_int_equal(tensor_piece_bytes(&even, 4), 2);
  map.element_bytes = 8;
  assert_int_equal(tensor_piece_bytes(&even, 4), 8);
}

// Two images of 4 by 3 pixels, of which those from -1 to 2 and from 0 to 1 are gone through.
static const TensorMap images = {.element_bytes = 4,
                                 .rank = 4,
                                 .size = {8, 4, 3, 2},
                                 .box = {4, 12},
                                 .is_im2col = true,
                                 .lower = {-1, 0},
                                 .upper = {-1, -1}};

static uint64_t pixel(const TensorBox *box, uint64_t index) {
  uint64_t address;
  return tensor_find_element(box, 4 * index + 1, &address) ? address / 4 : UINT64_MAX;
}

static void pixels_follow_each_other(void **state) {
  (void)state;
  uint64_t words[TENSOR_PLACE_WORDS] = {(uint64_t)1 << 32 | 4, 1}; // c 4, w 1, h 1, n 0
  TensorBox box;
  assert_true(tensor_place_box(&box, &images, TENSOR_IM2COL, 4, words));
  assert_int_equal(tensor_box_elements(&box), 48);
  assert_int_equal(pixel(&box, 0), 5 + 8 * (1 + 4 * 1));
  assert_int_equal(pixel(&box, 1), 5 + 8 * (2 + 4 * 1));
  assert_true(pixel(&box, 2) == UINT64_MAX); // the next image begins at -1
  assert_int_equal(pixel(&box, 3), 5 + 8 * (0 + 4 * (0 + 3 * 1)));
  assert_int_equal(pixel(&box, 7), 5 + 8 * (0 + 4 * (1 + 3 * 1)));
  assert_true(pixel(&box, 10) == UINT64_MAX); // there is no third image
  words[2] = (uint64_t)(2 << 8 | 1) << 32;    // one to the right, two down
  assert_true(tensor_place_box(&box, &images, TENSOR_IM2COL, 4, words));
  assert_true(pixel(&box, 0) == UINT64_MAX); // line 3
  assert_int_equal(pixel(&box, 2), 5 + 8 * (0 + 4 * (2 + 3 * 1)));
  assert_int_equal(pixel(&box, 5), 5 + 8 * (3 + 4 * (2 + 3 * 1)));
}

static void rows_are_gathered(void **state) {
  (void)state;
  uint64_t words[TENSOR_PLACE_WORDS] = {(uint64_t)7 << 32 | 2, (uint64_t)10 << 32 | 0, 9}, address;
  TensorBox box;
  assert_true(tensor_place_box(&box, &matrix, TENSOR_ROWS, 5, words));
  assert_int_equal(tensor_box_elements(&box), 32);
  assert_true(tensor_find_element(&box, 1, &address));
  assert_int_equal(address, matrix.base + 2 * (3 + 20 * 7));
  assert_true(tensor_find_element(&box, 15, &address));
  assert_int_equal(address, matrix.base + 2 * 9);
  assert_false(tensor_find_element(&box, 16, &address)); // row 10
  assert_true(tensor_find_element(&box, 31, &address));
  assert_int_equal(address, matrix.base + 2 * (9 + 20 * 9));
}

static void modes_have_maps_of_their_own(void **state) {
  (void)state;
  uint64_t words[TENSOR_PLACE_WORDS] = {0};
  TensorBox box;
  assert_false(tensor_place_box(&box, NULL, TENSOR_TILE, 2, words));
  assert_true(tensor_place_box(&box, &matrix, TENSOR_TILE, 2, words));
  assert_false(tensor_place_box(&box, &matrix, TENSOR_TILE, 3, words));
  assert_false(tensor_place_box(&box, &matrix, TENSOR_IM2COL, 2, words));
  assert_false(tensor_place_box(&box, &images, TENSOR_TILE, 4, words));
}

static void maps_are_bytes(void **state) {
  (void)state;
  uint8_t bytes[TENSOR_MAP_BYTES];
  TensorMap map = matrix, found;
  map.type = ALU_TYPE_F16;
  map.swizzle = 64;
  tensor_encode_map(&map, bytes);
  assert_true(tensor_decode_map(bytes, &found));
  assert_int_equal(found.base, map.base);
  assert_int_equal(found.rank, 2);
  assert_int_equal(found.element_bytes, 2);
  assert_int_equal(found.swizzle, 64);
  assert_int_equal(found.size[1], 10);
  assert_int_equal(found.box[0], 8);
  assert_int_equal(found.stride[1], 40);
  assert_int_equal(tensor_reduction(&found, ALU_MAX)->type, ALU_TYPE_F16);
  bytes[TENSOR_AT_STRIDE] = 64; // lines further apart
  assert_true(tensor_decode_map(bytes, &found));
  TensorBox box = {.map = &found};
  uint64_t address;
  assert_true(tensor_find_element(&box, 9, &address));
  assert_int_equal(address, map.base + 64 + 2);
  bytes[TENSOR_AT_STEP] = 2;
  assert_false(tensor_decode_map(bytes, &found));
  bytes[TENSOR_AT_STEP] = 1;
  bytes[TENSOR_AT_MARK]++;
  assert_false(tensor_decode_map(bytes, &found));
}

static void boxes_fit_shared_memory(void **state) {
  (void)state;
  uint64_t words[TENSOR_PLACE_WORDS] = {0};
  TensorMap map = matrix;
  TensorBox box;
  map.box[0] = map.box[1] = 256;
  assert_true(tensor_place_box(&box, &map, TENSOR_TILE, 2, words));
  map.box[1] = 0;
  assert_false(tensor_place_box(&box, &map, TENSOR_TILE, 2, words));
  map.box[1] = UINT32_MAX;
  assert_false(tensor_place_box(&box, &map, TENSOR_TILE, 2, words));
  assert_false(tensor_place_box(&box, NULL, TENSOR_TILE, 2, words));
}

static void elements_without_a_type_are_not_reduced(void **state) {
  (void)state;
  const AluOperation add = {.op = ALU_ADD, .type = ALU_TYPE_U32};
  TensorMap map = matrix;
  map.type = ALU_TYPE_F16;
  assert_true(tensor_can_reduce(&map, &add));
  map.type = ALU_TYPE_NONE;
  assert_false(tensor_can_reduce(&map, &add));
  assert_true(tensor_can_reduce(&map, NULL));
}

static void images_keep_their_corners(void **state) {
  (void)state;
  uint8_t bytes[TENSOR_MAP_BYTES];
  TensorMap found;
  tensor_encode_map(&images, bytes);
  assert_true(tensor_decode_map(bytes, &found));
  assert_true(found.is_im2col);
  assert_int_equal(found.lower[0], -1);
  assert_int_equal(found.upper[1], -1);
}

static void maps_go_by_their_address(void **state) {
  (void)state;
  TensorMap maps[] = {matrix, matrix};
  maps[1].address = 0x1080;
  Program program = {.tensor_maps = maps, .tensor_map_count = 2};
  assert_ptr_equal(tensor_find_map(&program, 0x1080), &maps[1]);
  assert_null(tensor_find_map(&program, 0x1081));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(elements_lie_row_by_row),
      UNIT_TEST(outside_is_no_element),
      UNIT_TEST(five_dimensions),
      UNIT_TEST(pieces_are_all_inside_or_outside),
      UNIT_TEST(maps_go_by_their_address),
      UNIT_TEST(pixels_follow_each_other),
      UNIT_TEST(rows_are_gathered),
      UNIT_TEST(modes_have_maps_of_their_own),
      UNIT_TEST(maps_are_bytes),
      UNIT_TEST(boxes_fit_shared_memory),
      UNIT_TEST(elements_without_a_type_are_not_reduced),
      UNIT_TEST(images_keep_their_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
