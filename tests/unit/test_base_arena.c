#include "unit.h"

#include <stdbool.h>

static bool is_zero(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i])
      return false;
  return true;
}

static void memory_is_zeroed_and_aligned(void **state) {
  Arena *arena = *state;
  for (size_t align = 1; align <= 64; align *= 2)
    for (size_t size = 0; size < 70; size++) {
      uint8_t *memory = arena_alloc(arena, size, align);
      assert_non_null(memory);
      assert_int_equal((uintptr_t)memory % align, 0);
      assert_true(is_zero(memory, size));
      memset(memory, 0xff, size);
    }
}

static void objects_do_not_overlap(void **state) {
  Arena *arena = *state;
  enum { COUNT = 3000 };
  uint32_t *objects[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    objects[i] = ARENA_ARRAY(arena, uint32_t, 40);
    for (uint32_t j = 0; j < 40; j++)
      objects[i][j] = i;
  }
  for (uint32_t i = 0; i < COUNT; i++)
    for (uint32_t j = 0; j < 40; j++)
      assert_int_equal(objects[i][j], i);
}

static void an_object_larger_than_a_chunk_fits(void **state) {
  Arena *arena = *state;
  ARENA_NEW(arena, int);
  size_t size = 1000 * 1000;
  uint8_t *memory = arena_alloc(arena, size, 64);
  assert_true(is_zero(memory, size));
  memset(memory, 1, size);
}

static void chunks_grow_geometrically(void **state) {
  Arena *arena = *state;
  uint32_t chunk_count = 0;
  ArenaChunk *chunk = NULL;
  for (uint32_t i = 0; i < 64 * 1024; i++) {
    arena_alloc(arena, 256, 8);
    chunk_count += arena->chunk != chunk;
    chunk = arena->chunk;
  }
  assert_in_range(chunk_count, 2, 12);
  assert_in_range(arena->allocated_bytes, 64 * 1024 * 256, 3 * 64 * 1024 * 256);
}

static void reset_gives_the_same_zeroed_memory_again(void **state) {
  Arena *arena = *state;
  uint64_t *kept = ARENA_NEW(arena, uint64_t);
  *kept = 42;
  ArenaMark mark = arena_mark(arena);
  uint8_t *first = arena_alloc(arena, 500, 8);
  memset(first, 0xaa, 500);
  arena_reset(arena, mark);
  uint8_t *second = arena_alloc(arena, 500, 8);
  assert_ptr_equal(first, second);
  assert_true(is_zero(second, 500));
  assert_int_equal(*kept, 42);
}

static void reset_frees_later_chunks(void **state) {
  Arena *arena = *state;
  ARENA_NEW(arena, int);
  size_t bytes = arena->allocated_bytes;
  ArenaMark mark = arena_mark(arena);
  for (int i = 0; i < 100; i++)
    memset(arena_alloc(arena, 10000, 8), 0xaa, 10000);
  assert_true(arena->allocated_bytes > bytes);
  arena_reset(arena, mark);
  assert_int_equal(arena->allocated_bytes, bytes);
  // The rest of the first chunk had been used too.
  size_t left = (size_t)(arena->end - arena->next) - 1;
  assert_true(is_zero(arena_alloc(arena, left, 1), left));
}

static void reset_of_an_empty_arena_frees_all(void **state) {
  Arena *arena = *state;
  ArenaMark mark = arena_mark(arena);
  arena_alloc(arena, 100, 8);
  arena_reset(arena, mark);
  assert_null(arena->chunk);
  assert_int_equal(arena->allocated_bytes, 0);
  arena_alloc(arena, 100, 8);
}

static void exhaustion_takes_the_escape(void **state) {
  (void)state;
  MemoryEscape escape;
  Arena arena;
  arena_init(&arena, &escape, 300 * 1024);
  volatile uint32_t count = 0;
  if (setjmp(escape.target) == 0)
    for (;;) {
      arena_alloc(&arena, 1024, 8);
      count++;
    }
  // The last chunk is cut to what the limit leaves.
  assert_in_range(count, 250, 300);
  assert_in_range(arena.allocated_bytes, 256 * 1024, 300 * 1024);
  arena_release(&arena);
}

static void arenas_share_a_budget(void **state) {
  (void)state;
  MemoryEscape escape;
  ArenaBudget budget = {.limit_bytes = 300 * 1024};
  Arena first, second;
  arena_init(&first, &escape, 0);
  arena_init(&second, &escape, 0);
  first.budget = second.budget = &budget;
  arena_alloc(&first, 100 * 1024, 8);
  volatile uint32_t count = 0;
  if (setjmp(escape.target) == 0)
    for (;;) {
      arena_alloc(&second, 1024, 8);
      count++;
    }
  assert_in_range(count, 150, 200);
  assert_int_equal(budget.used_bytes, first.allocated_bytes + second.allocated_bytes);
  arena_release(&first);
  arena_alloc(&second, 50 * 1024, 8); // the other one has made room
  arena_release(&second);
  assert_int_equal(budget.used_bytes, 0);
}

static void an_absurd_size_takes_the_escape(void **state) {
  (void)state;
  MemoryEscape escape;
  Arena arena;
  arena_init(&arena, &escape, 0);
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 64, PTRDIFF_MAX, SIZE_MAX / 2 + 1};
  volatile uint32_t escapes = 0;
  for (volatile uint32_t i = 0; i < 4; i++) {
    if (setjmp(escape.target) == 0)
      arena_alloc(&arena, sizes[i], 8);
    else
      escapes++;
  }
  assert_int_equal(escapes, 4);
  arena_release(&arena);
}

// How many of the chunk allocations succeed before the n-th, which fails.
static uint32_t count_chunks_before_failure(uint32_t n) {
  MemoryEscape escape;
  Arena arena;
  arena_init(&arena, &escape, 0);
  arena_fail_after(n);
  volatile uint32_t chunks = 0;
  if (setjmp(escape.target) == 0)
    for (; chunks < 10; chunks++)
      arena_alloc(&arena, 1024 * 1024 * (chunks + 1), 8);
  arena_alloc(&arena, 64 * 1024 * 1024, 8); // only the n-th fails
  arena_release(&arena);
  arena_fail_after(0);
  return chunks;
}

static void the_chosen_chunk_fails(void **state) {
  (void)state;
  for (uint32_t n = 1; n <= 4; n++)
    assert_int_equal(count_chunks_before_failure(n), n - 1);
  assert_int_equal(count_chunks_before_failure(0), 10);
}

static void texts_are_copied_and_formatted(void **state) {
  Arena *arena = *state;
  char *copy = arena_copy_text(arena, "abcdef", 3);
  assert_string_equal(copy, "abc");
  assert_string_equal(arena_copy_text(arena, NULL, 0), "");
  assert_string_equal(arena_format(arena, "%s=%d", copy, 7), "abc=7");
  char *wide = arena_format(arena, "%100000d", 1);
  assert_int_equal(strlen(wide), 100000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(memory_is_zeroed_and_aligned),
      UNIT_TEST(objects_do_not_overlap),
      UNIT_TEST(an_object_larger_than_a_chunk_fits),
      UNIT_TEST(chunks_grow_geometrically),
      UNIT_TEST(reset_gives_the_same_zeroed_memory_again),
      UNIT_TEST(reset_frees_later_chunks),
      UNIT_TEST(reset_of_an_empty_arena_frees_all),
      UNIT_TEST(exhaustion_takes_the_escape),
      UNIT_TEST(arenas_share_a_budget),
      UNIT_TEST(an_absurd_size_takes_the_escape),
      UNIT_TEST(the_chosen_chunk_fails),
      UNIT_TEST(texts_are_copied_and_formatted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
