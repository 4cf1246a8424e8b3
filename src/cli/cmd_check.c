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
  options.check.launches = line->launches.items;
  options.check.launch_count = line->launches.count;
  options.check.finals = line->finals.items;
  options.check.final_count = line->finals.count;
  return run_inputs(&options);
}
