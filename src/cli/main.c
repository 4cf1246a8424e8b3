// The command: everything it knows about memory models it gets from warpsan.h.
#include "cli/command_line.h"

static int run(const CommandLine *line) {
  switch (line->command) {
  case COMMAND_CHECK:
    return command_check(line);
  case COMMAND_OUTCOMES:
    return command_outcomes(line);
  case COMMAND_EXPLAIN:
    return command_explain(line);
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

int main(int argument_count, char **arguments) {
  CommandLine line;
  if (!command_line_parse(&line, argument_count, arguments))
    return EXIT_USAGE;
  if (line.help) {
    help_print_command(line.command);
    return EXIT_CLEAN;
  }
  return run(&line);
}
