// Where a command's output goes: the standard output, or a file that appears under its name only
// when all of it is written.
#ifndef WARPSAN_CLI_OUTPUT_H
#define WARPSAN_CLI_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Output {
  FILE *file;
  char path[PATH_MAX];      // of the file to replace; empty: `file` is written directly
  char temporary[PATH_MAX]; // beside it
} Output;

// `path` NULL: standard output. False: an error was printed.
bool output_begin(Output *output, const char *path);
// Closes, and lets the file appear under its name if `keep`. False: an error was printed.
bool output_end(Output *output, bool keep);

// A WarpsanWrite; `context` is a FILE.
int output_write(void *context, const char *text, size_t length);

#endif
