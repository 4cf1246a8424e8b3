// A line on the terminal that says how far a long check is.
#ifndef WARPSAN_CLI_PROGRESS_H
#define WARPSAN_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
  bool is_wanted;  // the standard error is a terminal
  bool is_shown;   // a line stands there
  double started;  // seconds of the monotonic clock
  double shown_at; // when the line was last written
  const char *input, *counted;
} Progress;

// `counted`: what the numbers of progress_update count, "executions".
void progress_begin(Progress *progress, const char *input, const char *counted);
// For WarpsanOptions.progress; `context` is a Progress.
void progress_update(void *context, uint64_t count);
// Wipes the line, so that other output can follow.
void progress_end(Progress *progress);

#endif
