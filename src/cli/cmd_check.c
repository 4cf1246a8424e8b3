#include "cli/run.h"

int command_check(const CommandLine *line) {
  RunOptions options = {
      .line = line,
      .check = line->check,
      .print = warpsan_print,
      .findings_count = true,
  };
  options.check.models = (const char *const *)line->models;
  options.check.model_count = line->model_count;
  return run_inputs(&options);
}
