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

static const char kernel[] = "// launch: kernel=put grid=1 block=2 args=x:u32[1]=0\n"
                             "// final: x[0] < 2\n"
                             ".version 8.0\n"
                             ".target sm_90\n"
                             ".address_size 64\n"
                             ".visible .entry put(.param .u64 x)\n"
                             "{\n"
                             "  .reg .b64 %rd<2>;\n"
                             "  .reg .b32 %r<2>;\n"
                             "  ld.param.u64 %rd1, [x];\n"
                             "  mov.u32 %r1, %tid.x;\n"
                             "  st.global.u32 [%rd1], %r1;\n"
                             "  ret;\n"
                             "}\n";

// What is checked, and how many results that gives.
typedef struct Input {
  const char *name, *text;
  const char *models[2];
  size_t model_count;
} Input;

static const Input inputs[] = {
    {"mp.litmus", test, {"ptx", "cuda"}, 2},
    {"put.ptx", kernel, {"ptx"}, 1},
};

static int drop(void *context, const char *bytes, size_t length) {
  (void)bytes;
  *(size_t *)context += length;
  return 0;
}

// Checks under each model and prints; the status of the first call that did not succeed. A search
// that ran out of memory may also end as an incomplete result.
static WarpsanStatus run(WarpsanSession *session, WarpsanResults *results, const Input *input,
                         unsigned jobs, bool *is_complete) {
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = input->models;
  options.model_count = input->model_count;
  options.jobs = jobs;
  WarpsanStatus status =
      warpsan_check_text(session, input->name, input->text, strlen(input->text), &options, results);
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
static bool fail_one(const Input *input, unsigned failing, unsigned jobs) {
  WarpsanSession *session;
  WarpsanResults *results;
  bool is_complete;
  EXPECT(warpsan_session_new(&session) == WARPSAN_OK);
  EXPECT(warpsan_results_new(session, &results) == WARPSAN_OK);
  arena_fail_after(failing);
  WarpsanStatus status = run(session, results, input, jobs, &is_complete);
  arena_fail_after(0);
  EXPECT(status == WARPSAN_OK || status == WARPSAN_NO_MEMORY);
  bool has_failed = status == WARPSAN_NO_MEMORY || !is_complete;
  if (has_failed) {
    warpsan_results_clear(results);
    EXPECT(run(session, results, input, jobs, &is_complete) == WARPSAN_OK);
    EXPECT(is_complete && warpsan_results_count(results) == input->model_count);
  }
  warpsan_results_free(results);
  warpsan_session_free(session);
  return !has_failed;
}

static void fail_each(const Input *input, unsigned jobs) {
  unsigned failing = 1;
  while (!fail_one(input, failing, jobs))
    EXPECT(++failing < MOST_ALLOCATIONS);
  EXPECT(failing > 1);
  printf("%s, %u jobs: %u allocations failed in turn\n", input->name, jobs, failing - 1);
}

int main(void) {
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    for (unsigned jobs = 1; jobs <= 2; jobs++)
      fail_each(&inputs[i], jobs);
  return 0;
}
