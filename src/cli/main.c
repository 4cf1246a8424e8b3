// The command: everything it knows about memory models it gets from warpsan.h.
#include <stdio.h>

#include "cli/command_line.h"

static int run(const CommandLine *line) {
  switch (line->command) {
  case COMMAND_CHECK:
    return command_check(line);
  case COMMAND_RUN:
    return command_run(line);
  case COMMAND_OUTCOMES:
    return command_outcomes(line);
  case COMMAND_EXPLAIN:
    return command_explain(line);
  case COMMAND_PTX:
    return command_ptx(line);
  case COMMAND_MODELS:
    return command_models(line);
  case COMMAND_HELP:
    return command_help(line);
  case COMMAND_VERSION:
    return command_version(line);
  case COMMAND_COUNT:
    break;
  }
  return EXIT_BUG;
}

// What a command has printed must not vanish unnoticed when the disk is full. A command that failed
// has said why.
static int end_standard_output(int status) {
  if (status == EXIT_USAGE || (fflush(stdout) == 0 && !ferror(stdout)))
    return status;
  complain("cannot write 'standard output'");
  return EXIT_USAGE;
}

int main(int argument_count, char **arguments) {
  CommandLine line;
  if (!command_line_parse(&line, argument_count, arguments))
    return EXIT_USAGE;
  if (line.help) {
    help_print_command(line.command);
    return end_standard_output(EXIT_CLEAN);
  }
  return end_standard_output(run(&line));
}
