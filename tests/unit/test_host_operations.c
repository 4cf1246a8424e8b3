// What scoped.h and the checker have to agree about: the numbers of operations, and what a
// read-modify-write leaves behind.
#include "unit.h"

#define WARPSAN_CHECK
#include <warpsan/scoped.h>

#include "host/host.h"
#include "host/run.h"

#define OPERATION(name, text, kind)                                                                \
  _Static_assert((int)SCOPED_##name == (int)HOST_##name, "the numbers are the same");
#include "host/operation.def"
#undef OPERATION

_Static_assert((int)SCOPED_UNSIGNED == (int)HOST_UNSIGNED &&
                   (int)SCOPED_SIGNED == (int)HOST_SIGNED && (int)SCOPED_FLOAT == (int)HOST_FLOAT,
               "the kinds of values are the same");
_Static_assert((int)scoped_memory_order_relaxed == (int)SEM_RELAXED &&
                   (int)scoped_memory_order_acquire == (int)SEM_ACQUIRE &&
                   (int)scoped_memory_order_release == (int)SEM_RELEASE &&
                   (int)scoped_memory_order_acq_rel == (int)SEM_ACQ_REL &&
                   (int)scoped_memory_order_seq_cst == (int)SEM_SC,
               "the orders are the same");
_Static_assert((int)scoped_thread_scope_thread == (int)SCOPE_NONE &&
                   (int)scoped_thread_scope_block == (int)SCOPE_CTA &&
                   (int)scoped_thread_scope_cluster == (int)SCOPE_CLUSTER &&
                   (int)scoped_thread_scope_device == (int)SCOPE_GPU &&
                   (int)scoped_thread_scope_system == (int)SCOPE_SYS,
               "the scopes are the same");

static uint64_t random_bits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state ^ *state >> 29;
}

static uint64_t random_value(uint64_t *state, int kind, uint32_t size) {
  uint64_t bits = random_bits(state);
  if (kind == SCOPED_FLOAT && size == 4)
    return scoped_float_bits((float)(int16_t)bits / 8);
  if (kind == SCOPED_FLOAT)
    return scoped_double_bits((double)(int32_t)bits / 8);
  return size == 8 ? bits : bits & ((1ull << 8 * size) - 1);
}

// The header computes for hosts and for loops on devices; the library for the checker.
static void updates_agree(void **state) {
  static const int operations[] = {SCOPED_ADD, SCOPED_AND, SCOPED_OR,
                                   SCOPED_XOR, SCOPED_MIN, SCOPED_MAX};
  uint64_t seed = 1;
  (void)state;
  for (int round = 0; round < 100000; round++) {
    int kind = (int)((random_bits(&seed) >> 20) % 3);
    uint32_t size = kind == SCOPED_FLOAT ? 4u << (random_bits(&seed) >> 20 & 1)
                                         : 1u << (random_bits(&seed) >> 20 & 3);
    int operation = operations[(random_bits(&seed) >> 20) % 6];
    if (kind == SCOPED_FLOAT && operation >= SCOPED_AND && operation <= SCOPED_XOR)
      continue;
    uint64_t old = random_value(&seed, kind, size), value = random_value(&seed, kind, size);
    uint32_t code = HOST_CODE(operation, SEM_RELAXED, SCOPE_GPU, size, kind, 0);
    assert_int_equal(scoped_updated(operation, kind, size, old, value),
                     host_update(code, old, value));
  }
}

// --- fibers

typedef struct Counting {
  Fiber fiber;
  int count;
  char stack[1 << 14];
} Counting;

static void count_up(void *context) {
  Counting *counting = context;
  for (int i = 0;; i++) {
    counting->count = i;
    fiber_leave(&counting->fiber);
  }
}

static void fibers_go_on_and_begin_again(void **state) {
  static Counting first, second;
  (void)state;
  Counting *both[] = {&first, &second};
  for (int i = 0; i < 2; i++) {
    both[i]->fiber.stack = both[i]->stack;
    both[i]->fiber.stack_bytes = sizeof both[i]->stack;
    both[i]->fiber.entry = count_up;
    both[i]->fiber.context = both[i];
    fiber_begin(&both[i]->fiber);
  }
  for (int i = 0; i < 5; i++) {
    fiber_enter(&first.fiber);
    fiber_enter(&second.fiber);
    assert_int_equal(first.count, i);
    assert_int_equal(second.count, i);
  }
  fiber_begin(&first.fiber);
  fiber_enter(&first.fiber);
  fiber_enter(&second.fiber);
  assert_int_equal(first.count, 0);
  assert_int_equal(second.count, 5);
  fiber_release(&first.fiber);
  fiber_release(&second.fiber);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(updates_agree),
      cmocka_unit_test(fibers_go_on_and_begin_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
