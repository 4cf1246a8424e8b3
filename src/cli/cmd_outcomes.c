#include "cli/run.h"

int command_outcomes(const CommandLine *line) {
  // From the strongest to the weakest, so that each model adds to those before it.
  static const char *const default_models[] = {"sc", "tso", "cuda", "ptx60", "ptx"};
  bool has_models = line->model_count > 0;
  RunOptions options = {
      .line = line,
      .check = line->check,
      .print = warpsan_print_outcomes,
      .findings_count = false,
  };
  options.check.models = has_models ? (const char *const *)line->models : default_models;
  options.check.model_count =
      has_models ? line->model_count : sizeof default_models / sizeof *default_models;
  options.check.properties = WARPSAN_PROPERTY_PROGRAM;
  options.check.omit_witness = true;
  options.check.litmus_only = true;
  return run_inputs(&options);
}
