#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double seconds_before_first = 1.0;
static const double seconds_between = 0.2;

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_begin(Progress *progress, const char *input, const char *counted) {
  progress->is_wanted = isatty(STDERR_FILENO);
  progress->is_shown = false;
  progress->input = input;
  progress->counted = counted;
  if (progress->is_wanted)
    progress->started = now_seconds();
}

void progress_update(void *context, uint64_t count) {
  Progress *progress = context;
  if (!progress->is_wanted)
    return;
  double now = now_seconds();
  if (now - progress->started < seconds_before_first ||
      (progress->is_shown && now - progress->shown_at < seconds_between))
    return;
  fprintf(stderr, "\r\033[K%.60s: %" PRIu64 " %s, %.0f s", progress->input, count,
          progress->counted, now - progress->started);
  fflush(stderr);
  progress->is_shown = true;
  progress->shown_at = now;
}

void progress_end(Progress *progress) {
  if (progress->is_shown)
    fputs("\r\033[K", stderr);
  progress->is_shown = false;
}
