#include <stdio.h>

#include "cli/command_line.h"
#include "cli/output.h"

// The findings that say why a file could not be read or parsed.
static void print_errors(WarpsanSession *session, WarpsanResults *results) {
  WarpsanPrintOptions options = WARPSAN_PRINT_OPTIONS_INIT;
  options.errors = WARPSAN_ERRORS_ONLY;
  warpsan_print(session, results, WARPSAN_FORMAT_TEXT, &options, output_write, stderr);
}

static int print_file(WarpsanSession *session, WarpsanResults *results, const CommandLine *line,
                      const char *path, FILE *file) {
  WarpsanStatus status = warpsan_print_ptx(session, path, &line->check,
                                           line->list ? WARPSAN_PTX_KERNELS : WARPSAN_PTX_MODULE,
                                           output_write, file, results);
  fflush(file); // so that a terminal shows things in their order
  print_errors(session, results);
  warpsan_results_clear(results);
  if (status == WARPSAN_NO_MEMORY) {
    complain("%s: out of memory", path);
    return EXIT_INCOMPLETE;
  }
  return status == WARPSAN_OK ? EXIT_CLEAN : EXIT_USAGE;
}

static int larger(int a, int b) {
  // Bad usage goes before incomplete.
  return a == EXIT_USAGE || b == EXIT_USAGE ? EXIT_USAGE : a > b ? a : b;
}

static int print_files(const CommandLine *line, FILE *file) {
  WarpsanSession *session = NULL;
  WarpsanResults *results = NULL;
  int status = EXIT_CLEAN;
  if (warpsan_session_new(&session) != WARPSAN_OK ||
      warpsan_results_new(session, &results) != WARPSAN_OK) {
    complain("out of memory");
    status = EXIT_INCOMPLETE;
  }
  for (size_t i = 0; results && i < line->operand_count; i++)
    status = larger(status, print_file(session, results, line, line->operands[i], file));
  warpsan_results_free(results);
  warpsan_session_free(session);
  return status;
}

int command_ptx(const CommandLine *line) {
  if (line->operand_count == 0) {
    complain("expected a file, found nothing; see 'warpsan help ptx'");
    return EXIT_USAGE;
  }
  Output output;
  if (!output_begin(&output, line->output))
    return EXIT_USAGE;
  int status = print_files(line, output.file);
  return output_end(&output, status == EXIT_CLEAN) ? status : EXIT_USAGE;
}
