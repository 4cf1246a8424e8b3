// Memory exhaustion: the n-th allocation of a small run fails, for every n. Each time the call says
// so, undoes what it had begun, and the session goes on working. A sanitizer build finds leaks.
#include <warpsan/warpsan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { MOST_ALLOCATIONS = 10000 };

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: allocation %u: expected %s\n", __FILE__, __LINE__, failing,          \
              #condition);                                                                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static const char test[] = "PTX MP\n"
                           "{ x=0; y=0; }\n"
                           " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                           " st.weak x, 1   | ld.weak r0, y  ;\n"
                           " st.weak y, 1   | ld.weak r1, x  ;\n"
                           "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n";

static int drop(void *context, const char *bytes, size_t length) {
  (void)bytes;
  *(size_t *)context += length;
  return 0;
}

// Checks under two models and prints; the status of the first call that did not succeed. A search
// that ran out of memory may also end as an incomplete result.
static WarpsanStatus run(WarpsanSession *session, WarpsanResults *results, unsigned jobs,
                         bool *is_complete) {
  const char *models[] = {"ptx", "cuda"};
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = models;
  options.model_count = 2;
  options.jobs = jobs;
  WarpsanStatus status =
      warpsan_check_text(session, "mp.litmus", test, sizeof test - 1, &options, results);
  *is_complete = status == WARPSAN_OK;
  for (size_t i = 0; i < warpsan_results_count(results); i++)
    *is_complete &= warpsan_result_incomplete(warpsan_results_get(results, i)) == NULL;
  for (int format = WARPSAN_FORMAT_TEXT; status == WARPSAN_OK && format <= WARPSAN_FORMAT_DOT;
       format++) {
    size_t length = 0;
    status = warpsan_print(session, results, (WarpsanFormat)format, NULL, drop, &length);
  }
  return status;
}

// True if no allocation was left to fail.
static bool fail_one(unsigned failing, unsigned jobs) {
  WarpsanSession *session;
  WarpsanResults *results;
  bool is_complete;
  EXPECT(warpsan_session_new(&session) == WARPSAN_OK);
  EXPECT(warpsan_results_new(session, &results) == WARPSAN_OK);
  arena_fail_after(failing);
  WarpsanStatus status = run(session, results, jobs, &is_complete);
  arena_fail_after(0);
  EXPECT(status == WARPSAN_OK || status == WARPSAN_NO_MEMORY);
  bool has_failed = status == WARPSAN_NO_MEMORY || !is_complete;
  if (has_failed) {
    warpsan_results_clear(results);
    EXPECT(run(session, results, jobs, &is_complete) == WARPSAN_OK);
    EXPECT(is_complete && warpsan_results_count(results) == 2);
  }
  warpsan_results_free(results);
  warpsan_session_free(session);
  return !has_failed;
}

int main(void) {
  for (unsigned jobs = 1; jobs <= 2; jobs++) {
    unsigned failing = 1;
    while (!fail_one(failing, jobs))
      EXPECT(++failing < MOST_ALLOCATIONS);
    EXPECT(failing > 1);
    printf("%u jobs: %u allocations failed in turn\n", jobs, failing - 1);
  }
  return 0;
}
