// What every unit test includes: cmocka with the headers that it needs, and an arena for each test.
#ifndef WARPSAN_TESTS_UNIT_UNIT_H
#define WARPSAN_TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The setup and teardown of a test whose `*state` is an Arena without an escape and a limit.
static inline int unit_begin(void **state) {
  Arena *arena = malloc(sizeof *arena);
  arena_init(arena, NULL, 0);
  *state = arena;
  return 0;
}

static inline int unit_end(void **state) {
  arena_release(*state);
  free(*state);
  return 0;
}

#define UNIT_TEST(function) cmocka_unit_test_setup_teardown(function, unit_begin, unit_end)

#endif
