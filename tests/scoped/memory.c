// Memory exhaustion while functions are checked: the n-th allocation fails, for every n. The call
// says so or the result is incomplete, and the same test can be checked again. A sanitizer build
// finds leaks.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>

#include <stdlib.h>

#include "base/arena.h"

enum { MOST_ALLOCATIONS = 10000 };

static int data, flag;

static void writer(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_plain_store(&data, 1);
  scoped_atomic_store_explicit(&flag, 1, scoped_memory_order_relaxed, scoped_thread_scope_device);
}

static void reader(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_atomic_wait_explicit(&flag, 0, scoped_memory_order_acquire, scoped_thread_scope_device);
  scoped_assert(scoped_plain_load(&data) == 1);
}

static bool never(void *context) {
  (void)context;
  return data == 0;
}

static WarpsanTest *make_test(void) {
  WarpsanTest *test;
  if (warpsan_test_new("memory", &test) != WARPSAN_OK)
    return NULL;
  bool is_made = scoped_test_memory(test, data) == WARPSAN_OK &&
                 scoped_test_memory(test, flag) == WARPSAN_OK &&
                 scoped_test_launch(test, writer, .stream = 0) == WARPSAN_OK &&
                 scoped_test_launch(test, reader, .stream = 1) == WARPSAN_OK &&
                 scoped_test_final(test, never) == WARPSAN_OK;
  if (is_made)
    return test;
  warpsan_test_free(test);
  return NULL;
}

// What a check finds; -1: it ran out of memory.
static int check(WarpsanSession *session, WarpsanTest *test) {
  WarpsanResults *results;
  if (warpsan_results_new(session, &results) != WARPSAN_OK)
    return -1;
  WarpsanStatus status = warpsan_check_function(session, test, NULL, results);
  int found = -1;
  if (status == WARPSAN_OK && !warpsan_result_incomplete(warpsan_results_get(results, 0)))
    found = (int)warpsan_result_finding_count(warpsan_results_get(results, 0));
  warpsan_results_free(results);
  return found;
}

static void fail(unsigned allocation, const char *what) {
  printf("allocation %u: %s\n", allocation, what);
  exit(1);
}

int main(void) {
  WarpsanSession *session;
  unsigned failing = 1, failed = 0;
  if (warpsan_session_new(&session) != WARPSAN_OK)
    return 4;
  arena_fail_after(0);
  WarpsanTest *test = make_test();
  int expected = check(session, test);
  for (bool is_over = false; !is_over && failing < MOST_ALLOCATIONS; failing++) {
    arena_fail_after(failing);
    WarpsanTest *other = make_test();
    int found = check(session, other ? other : test);
    is_over = other && found == expected;
    failed += !is_over;
    arena_fail_after(0);
    warpsan_test_free(other);
    if (found >= 0 && found != expected)
      fail(failing, "a finding is missing");
    if (data != 0 || flag != 0)
      fail(failing, "the memory is not what it was");
    if (check(session, test) != expected)
      fail(failing, "the session does not work any more");
  }
  warpsan_test_free(test);
  warpsan_session_free(session);
  printf("%u allocations failed\n", failed);
  return failed < 3 || expected < 2;
}
