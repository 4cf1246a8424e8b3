// Atomics whose results nobody uses: they need no order among themselves, unless somebody looks.
// And compare-and-exchanges that fail, which have an order of their own.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>
#include <warpsan/warpsan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICE scoped_thread_scope_device
#define RELAXED scoped_memory_order_relaxed
#define ACQUIRE scoped_memory_order_acquire
#define RELEASE scoped_memory_order_release
#define SEQ_CST scoped_memory_order_seq_cst

static int counter, other, data, seen;
static float sum;

static void increment(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_atomic_add_explicit(&counter, 1, RELAXED, DEVICE);
}

static void add_seq_cst(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_atomic_add(&counter, 1, DEVICE);
}

static void add_float(const WarpsanThread *thread, void *argument) {
  (void)argument;
  scoped_atomic_add_explicit(&sum, 0.5f + (float)thread->block.x, RELAXED, DEVICE);
}

static void every_kind(const WarpsanThread *thread, void *argument) {
  (void)argument;
  scoped_atomic_sub_explicit(&counter, 1, RELAXED, DEVICE);
  scoped_atomic_or_explicit(&other, 1 << thread->block.x, RELAXED, DEVICE);
  scoped_atomic_max_explicit(&data, (int)thread->block.x, RELAXED, DEVICE);
}

static void look(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_plain_store(&seen, scoped_atomic_load_explicit(&counter, RELAXED, DEVICE));
}

static void publish(const WarpsanThread *thread, void *argument) {
  (void)thread;
  scoped_plain_store(&data, 1);
  scoped_atomic_add_explicit(&counter, 1, argument ? RELAXED : RELEASE, DEVICE);
}

static void wait_and_look(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_atomic_wait_explicit(&counter, 0, ACQUIRE, DEVICE);
  scoped_assert(scoped_plain_load(&data) == 1);
}

// The order of two updates follows from what is decided after them.
static void update_then_store(const WarpsanThread *thread, void *argument) {
  (void)argument;
  if (thread->block.x == 0) {
    scoped_atomic_store_explicit(&other, 2, SEQ_CST, DEVICE);
    scoped_atomic_add_explicit(&counter, 1, SEQ_CST, DEVICE);
  } else {
    scoped_atomic_add_explicit(&counter, 1, SEQ_CST, DEVICE);
    scoped_atomic_store_explicit(&other, 1, SEQ_CST, DEVICE);
  }
}

// It fails, so that it is relaxed.
static void fail_to_swap(const WarpsanThread *thread, void *argument) {
  int expected = 7;
  (void)thread;
  if (!scoped_atomic_compare_exchange_strong_explicit(&counter, &expected, 8, ACQUIRE,
                                                      argument ? ACQUIRE : RELAXED, DEVICE) &&
      expected == 1)
    (void)scoped_plain_load(&data);
}

// --- checking

static unsigned outcomes; // bits

static bool note_counter(void *context) {
  (void)context;
  outcomes |= 1u << (counter & 31);
  return true;
}

static bool note_seen(void *context) {
  (void)context;
  outcomes |= 1u << (seen & 31);
  return true;
}

static bool note_other(void *context) {
  (void)context;
  outcomes |= 1u << (other & 31);
  return true;
}

static bool kinds_are_right(void *context) {
  (void)context;
  return counter == -4 && other == 15 && data == 3;
}

static bool sum_is_right(void *context) {
  (void)context;
  return sum == 5.0f;
}

typedef struct Part {
  WarpsanFunction *function;
  unsigned threads;
  void *argument;
} Part;

typedef struct Case {
  const char *name, *model;
  Part parts[2];
  bool (*final)(void *context);
  uint64_t executions; // 0: any number
  unsigned outcomes;   // 0: any
  const char *rule;    // that is found; NULL: nothing is
} Case;

static const Case cases[] = {
    {"increments", "cuda", {{increment, 8, NULL}}, note_counter, 1, 1 << 8, NULL},
    {"increments under ptx", "ptx", {{increment, 8, NULL}}, note_counter, 1, 1 << 8, NULL},
    {"increments under rc11", "rc11", {{increment, 8, NULL}}, note_counter, 1, 1 << 8, NULL},
    {"increments under tso", "tso", {{increment, 3, NULL}}, note_counter, 6, 1 << 3, NULL},
    {"seq_cst increments", "cuda", {{add_seq_cst, 3, NULL}}, note_counter, 6, 1 << 3, NULL},
    {"every kind", "cuda", {{every_kind, 4, NULL}}, kinds_are_right, 1, 0, NULL},
    {"floats", "cuda", {{add_float, 3, NULL}}, NULL, 6, 0, NULL},
    {"floats have no right sum", "cuda", {{add_float, 3, NULL}}, sum_is_right, 0, 0, "assert"},
    {"somebody looks",
     "cuda",
     {{increment, 2, NULL}, {look, 1, NULL}},
     note_seen,
     0,
     1 << 0 | 1 << 1 | 1 << 2,
     NULL},
    {"an update publishes",
     "cuda",
     {{publish, 1, NULL}, {wait_and_look, 1, NULL}},
     NULL,
     0,
     0,
     NULL},
    {"a relaxed update publishes nothing",
     "cuda",
     {{publish, 1, &data}, {wait_and_look, 1, NULL}},
     NULL,
     0,
     0,
     "data-race"},
    {"stores order updates", "cuda", {{update_then_store, 2, NULL}}, note_other, 0, 6, NULL},
    {"stores order updates under ptx",
     "ptx",
     {{update_then_store, 2, NULL}},
     note_other,
     0,
     6,
     NULL},
    {"a failure is relaxed",
     "cuda",
     {{publish, 1, NULL}, {fail_to_swap, 1, NULL}},
     NULL,
     0,
     0,
     "data-race"},
    {"a failure acquires",
     "cuda",
     {{publish, 1, NULL}, {fail_to_swap, 1, &data}},
     NULL,
     0,
     0,
     NULL},
};

static bool finds(const WarpsanResult *result, const char *rule) {
  size_t count = warpsan_result_finding_count(result);
  for (size_t i = 0; i < count; i++)
    if (rule && strcmp(warpsan_finding_rule(warpsan_result_finding(result, i)), rule) == 0)
      return true;
  return !rule && count == 0;
}

static WarpsanTest *make_test(const Case *what) {
  WarpsanTest *test;
  counter = other = data = seen = 0;
  sum = 0;
  if (warpsan_test_new(what->name, &test) != WARPSAN_OK)
    abort();
  scoped_test_memory(test, counter);
  scoped_test_memory(test, other);
  scoped_test_memory(test, data);
  scoped_test_memory(test, seen);
  scoped_test_memory(test, sum);
  for (unsigned i = 0; i < 2 && what->parts[i].function; i++) {
    WarpsanLaunch launch = {.size = sizeof launch,
                            .name = "part",
                            .function = what->parts[i].function,
                            .argument = what->parts[i].argument,
                            .stream = i};
    launch.grid.x = what->parts[i].threads;
    warpsan_test_launch(test, &launch);
  }
  if (what->final)
    warpsan_test_final(test, what->final, NULL, __FILE__, __LINE__, "final");
  return test;
}

static bool check_case(WarpsanSession *session, const Case *what) {
  WarpsanResults *list;
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = &what->model;
  options.model_count = 1;
  outcomes = 0;
  WarpsanTest *test = make_test(what);
  if (warpsan_results_new(session, &list) != WARPSAN_OK ||
      warpsan_check_function(session, test, &options, list) != WARPSAN_OK)
    abort();
  const WarpsanResult *result = warpsan_results_get(list, 0);
  uint64_t executions = warpsan_result_executions(result);
  bool is_ok = !warpsan_result_incomplete(result) && finds(result, what->rule) &&
               (!what->executions || executions == what->executions) &&
               (!what->outcomes || outcomes == what->outcomes);
  if (!is_ok) {
    printf("%s: %llu executions, outcomes %x", what->name, (unsigned long long)executions,
           outcomes);
    for (size_t i = 0; i < warpsan_result_finding_count(result); i++)
      printf(", %s", warpsan_finding_rule(warpsan_result_finding(result, i)));
    printf("\n");
  }
  warpsan_results_free(list);
  warpsan_test_free(test);
  return is_ok;
}

int main(void) {
  WarpsanSession *session;
  int failed = 0;
  if (warpsan_session_new(&session) != WARPSAN_OK)
    return 4;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    failed += !check_case(session, &cases[i]);
  warpsan_session_free(session);
  return failed != 0;
}
