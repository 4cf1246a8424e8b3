#include "unit.h"

#include "base/array.h"

typedef ARRAY(uint32_t) Numbers;

static void pushed_items_stay_in_order(void **state) {
  Arena *arena = *state;
  Numbers numbers = {0};
  for (uint32_t i = 0; i < 100000; i++)
    array_push(arena, &numbers, i * 3);
  assert_int_equal(numbers.count, 100000);
  for (uint32_t i = 0; i < numbers.count; i++)
    assert_int_equal(numbers.items[i], i * 3);
}

static void two_arrays_grow_side_by_side(void **state) {
  Arena *arena = *state;
  Numbers even = {0}, odd = {0};
  for (uint32_t i = 0; i < 10000; i++) {
    array_push(arena, &even, 2 * i);
    array_push(arena, &odd, 2 * i + 1);
  }
  for (uint32_t i = 0; i < 10000; i++) {
    assert_int_equal(even.items[i], 2 * i);
    assert_int_equal(odd.items[i], 2 * i + 1);
  }
}

static void the_newest_object_grows_in_place(void **state) {
  Arena *arena = *state;
  Numbers numbers = {0};
  array_push(arena, &numbers, 1);
  uint32_t *items = numbers.items;
  for (uint32_t i = 0; i < 1000; i++)
    array_push(arena, &numbers, i);
  assert_ptr_equal(numbers.items, items);
}

static void too_many_items_take_the_escape(void **state) {
  (void)state;
  MemoryEscape escape;
  Arena arena;
  arena_init(&arena, &escape, 0);
  volatile bool escaped = false;
  uint32_t capacity = UINT32_MAX / 2 + 1;
  if (setjmp(escape.target) == 0)
    array_grow(&arena, NULL, 0, &capacity, 1);
  else
    escaped = true;
  assert_true(escaped);
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(pushed_items_stay_in_order),
      UNIT_TEST(two_arrays_grow_side_by_side),
      UNIT_TEST(the_newest_object_grows_in_place),
      UNIT_TEST(too_many_items_take_the_escape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
