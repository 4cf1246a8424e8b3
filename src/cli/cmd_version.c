#include <stdio.h>

#include "cli/command_line.h"

int command_version(const CommandLine *line) {
  (void)line;
  printf("warpsan %s\n", warpsan_version());
  return EXIT_CLEAN;
}
