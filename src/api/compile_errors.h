// What a compiler printed -> diagnostics.
#ifndef WARPSAN_API_COMPILE_ERRORS_H
#define WARPSAN_API_COMPILE_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

typedef struct CompileOutput {
  const char *input; // the file as the compiler was given it
  int status;        // of waitpid
  size_t length;
  char text[16384]; // the beginning of what it printed, zero terminated
} CompileOutput;

bool compile_output_is_ok(const CompileOutput *output);

// Reports an error of rule `compiler`.
void compile_report(DiagList *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Reports why a compiler that ran gave no PTX: its own errors, with their places in `source`.
void compile_report_output(const CompileOutput *output, const char *compiler, const Source *source,
                           Arena *arena, DiagList *diags);

#endif
