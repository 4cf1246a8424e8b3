// warpsan_print and warpsan_print_outcomes.
#include "api/session.h"

#include <string.h>

#include "report/report.h"

typedef void ReportFunction(const Report *report);

typedef struct Printing {
  ReportFunction *function;
  Report report;
} Printing;

static ReportFunction *print_function(WarpsanFormat format) {
  switch (format) {
  case WARPSAN_FORMAT_TEXT:
    return report_text;
  case WARPSAN_FORMAT_JSON:
    return report_json;
  case WARPSAN_FORMAT_SARIF:
    return report_sarif;
  case WARPSAN_FORMAT_HTML:
    return report_html;
  case WARPSAN_FORMAT_DOT:
    return report_dot;
  }
  return NULL;
}

static ReportFunction *outcomes_function(WarpsanFormat format) {
  switch (format) {
  case WARPSAN_FORMAT_TEXT:
    return report_outcomes_text;
  case WARPSAN_FORMAT_JSON:
    return report_outcomes_json;
  default:
    return NULL;
  }
}

// Options of a caller that was built against an earlier version are shorter.
static bool resolve_options(const WarpsanPrintOptions *given, ReportOptions *resolved,
                            size_t *first) {
  WarpsanPrintOptions options = WARPSAN_PRINT_OPTIONS_INIT;
  if (given) {
    if (given->size < sizeof given->size || given->size > sizeof *given)
      return false;
    memcpy(&options, given, given->size);
  }
  *first = options.first;
  *resolved = (ReportOptions){
      .color = options.color,
      .quiet = options.quiet,
      .all_states = options.all_states,
      .omit_witness = options.omit_witness,
      .errors = (ReportErrors)options.errors,
      .version = WARPSAN_VERSION,
  };
  return options.errors <= WARPSAN_ERRORS_NOT;
}

static WarpsanStatus run_print(WarpsanSession *session, void *context) {
  (void)session;
  Printing *printing = context;
  printing->function(&printing->report);
  return writer_flush(printing->report.writer) ? WARPSAN_OK : WARPSAN_WRITE_FAILED;
}

static WarpsanStatus print(WarpsanSession *session, const WarpsanResults *results,
                           ReportFunction *function, const WarpsanPrintOptions *given,
                           WarpsanWrite *write, void *context) {
  ReportOptions options;
  size_t first;
  if (!function || !write || !resolve_options(given, &options, &first) ||
      first > results->list.count)
    return WARPSAN_BAD_ARGUMENT;
  Writer writer;
  writer_init(&writer, write, context);
  Arena scratch;
  arena_init(&scratch, &session->escape, 0);
  Printing printing = {
      .function = function,
      .report = {&writer, &scratch, &options,
                 first ? results->list.items + first : results->list.items,
                 results->list.count - (uint32_t)first},
  };
  WarpsanStatus status = session_guard(session, NULL, run_print, &printing);
  arena_release(&scratch);
  return status;
}

WarpsanStatus warpsan_print(WarpsanSession *session, const WarpsanResults *results,
                            WarpsanFormat format, const WarpsanPrintOptions *options,
                            WarpsanWrite *write, void *context) {
  return print(session, results, print_function(format), options, write, context);
}

WarpsanStatus warpsan_print_outcomes(WarpsanSession *session, const WarpsanResults *results,
                                     WarpsanFormat format, const WarpsanPrintOptions *options,
                                     WarpsanWrite *write, void *context) {
  return print(session, results, outcomes_function(format), options, write, context);
}
