// What `check`, `run` and `outcomes` share: visiting the inputs, checking each, printing what came
// out, progress, the summary and the exit status.
#ifndef WARPSAN_CLI_RUN_H
#define WARPSAN_CLI_RUN_H

#include "cli/command_line.h"

// Prints a list of results; warpsan_print or warpsan_print_outcomes.
typedef WarpsanStatus RunPrint(WarpsanSession *session, const WarpsanResults *results,
                               WarpsanFormat format, const WarpsanPrintOptions *options,
                               WarpsanWrite *write, void *context);

typedef struct RunOptions {
  const CommandLine *line;
  WarpsanOptions check;
  const WarpsanRunOptions *run; // of `run`; NULL: the inputs are checked
  RunPrint *print;
  bool findings_count; // findings and violated conditions decide the exit status
} RunOptions;

// Returns the exit status.
int run_inputs(const RunOptions *options);

#endif
