#include "cli/run.h"

#include <string.h>

#include "cli/output.h"

// Writes a buffer to the files that --dump names for it.
typedef struct Dumps {
  const TextList *texts;
  bool was_met[MOST_TEXTS]; // some launch has the buffer
  bool has_failed;
} Dumps;

static void write_buffer(void *context, const char *name, const void *bytes, size_t length) {
  Dumps *dumps = context;
  for (size_t i = 0; i < dumps->texts->count; i++) {
    const char *text = dumps->texts->items[i];
    size_t name_length = strlen(name);
    if (strncmp(text, name, name_length) != 0 || text[name_length] != '=')
      continue;
    dumps->was_met[i] = true;
    Output output;
    bool is_open = output_begin(&output, text + name_length + 1);
    bool is_ok = is_open && (length == 0 || output_write(output.file, bytes, length) == 0);
    if (is_open)
      is_ok &= output_end(&output, is_ok);
    dumps->has_failed |= !is_ok;
  }
}

// A buffer that no launch has is a mistyped name.
static bool complain_unmet(const Dumps *dumps) {
  bool is_unmet = false;
  for (size_t i = 0; i < dumps->texts->count; i++) {
    const char *text = dumps->texts->items[i];
    if (!dumps->was_met[i])
      complain("expected a buffer of a launch after --dump, found '%.*s'", (int)strcspn(text, "="),
               text);
    is_unmet |= !dumps->was_met[i];
  }
  return is_unmet;
}

int command_run(const CommandLine *line) {
  Dumps dumps = {.texts = &line->dumps};
  WarpsanRunOptions run = line->run;
  RunOptions options = {
      .line = line,
      .check = line->check,
      .run = &run,
      .print = warpsan_print,
      .findings_count = true,
  };
  options.check.launches = line->launches.items;
  options.check.launch_count = line->launches.count;
  options.check.finals = line->finals.items;
  options.check.final_count = line->finals.count;
  if (line->dumps.count > 0) {
    run.buffer = write_buffer;
    run.buffer_context = &dumps;
  }
  int status = run_inputs(&options);
  bool is_whole = status == EXIT_CLEAN || status == EXIT_FINDINGS;
  bool has_failed = dumps.has_failed || (is_whole && complain_unmet(&dumps));
  return has_failed ? EXIT_USAGE : status;
}
