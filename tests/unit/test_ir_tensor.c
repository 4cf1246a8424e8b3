// Boxes of tensors: where their elements are, and what can be copied at once.
#include "unit.h"

#include "ir/tensor.h"

static const TensorMap matrix = {.address = 0x1000,
                                 .base = 0x8000,
                                 .element_bytes = 2,
                                 .rank = 2,
                                 .size = {20, 10},
                                 .box = {8, 4}};

static uint64_t offset_of(int32_t x, int32_t y, uint64_t index) {
  uint64_t address;
  int32_t corner[TENSOR_MAX_RANK] = {x, y};
  return tensor_find_element(&matrix, corner, index, &address) ? address - matrix.base : UINT64_MAX;
}

static void elements_lie_row_by_row(void **state) {
  (void)state;
  assert_int_equal(tensor_box_elements(&matrix), 32);
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
  int32_t corner[TENSOR_MAX_RANK] = {0, 2, 1, 4, 3};
  uint64_t address;
  // the last one: (1, 2, 2, 4, 4)
  assert_true(tensor_find_element(&map, corner, 7, &address));
  assert_int_equal(address, 8 * (1 + 2 * (2 + 3 * (2 + 4 * (4 + 5 * 4)))));
}

static void pieces_are_all_inside_or_outside(void **state) {
  (void)state;
  int32_t even[TENSOR_MAX_RANK] = {2, 0}, odd[TENSOR_MAX_RANK] = {1, 0};
  TensorMap map = matrix;
  assert_int_equal(tensor_piece_bytes(&map, even, 4), 4);
  assert_int_equal(tensor_piece_bytes(&map, even, 2), 2);
  assert_int_equal(tensor_piece_bytes(&map, odd, 4), 2);
  map.size[0] = 21;
  assert_int_equal(tensor_piece_bytes(&map, even, 4), 2);
  map.size[0] = 20;
  map.box[0] = 7;
  assert_int_equal(tensor_piece_bytes(&map, even, 4), 2);
  map.element_bytes = 8;
  assert_int_equal(tensor_piece_bytes(&map, even, 4), 8);
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
      UNIT_TEST(elements_lie_row_by_row),  UNIT_TEST(outside_is_no_element),
      UNIT_TEST(five_dimensions),          UNIT_TEST(pieces_are_all_inside_or_outside),
      UNIT_TEST(maps_go_by_their_address),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
