// Diagnostics as compilers print them: the place, what is wrong, the source line with the place
// underlined, further places, why, and what to do.
#include "report/text.h"

#include "base/rules.h"

#include <string.h>

enum { SOURCE_BYTES_SHOWN = 160 }; // of one line; hostile lines can be megabytes long

static void print_place(const Report *report, Span span, const char *input) {
  Writer *writer = report->writer;
  text_begin_paint(report, PAINT_STRONG);
  writer_escape_text(writer, ESCAPE_PLAIN, span.source ? span.source->name : input);
  if (span.source) {
    Position position = source_position(span.source, span.begin);
    writer_format(writer, ":%u:%u", position.line, position.column);
  }
  text_end_paint(report);
  writer_text(writer, ": ");
}

static void print_word(const Report *report, Paint paint, const char *word) {
  text_begin_paint(report, paint);
  writer_text(report->writer, word);
  text_end_paint(report);
  writer_text(report->writer, ": ");
}

static void print_underline(const Report *report, const char *line, size_t column, size_t width) {
  Writer *writer = report->writer;
  writer_text(writer, "        | ");
  writer_repeat(writer, ' ', utf8_width(line, column));
  text_begin_paint(report, PAINT_GOOD);
  writer_text(writer, "^");
  size_t columns = utf8_width(line + column, width);
  writer_repeat(writer, '~', columns > 1 ? columns - 1 : 0);
  text_end_paint(report);
  writer_text(writer, "\n");
}

// The line of the span's beginning, cut to a window around it, and the span underlined.
static void print_source_line(const Report *report, Span span) {
  if (!span.source || span.source->length == 0)
    return;
  const char *line;
  size_t length = source_line(span.source, span.begin, &line);
  if (length == 0)
    return; // of a file that is not at hand, or nothing to see
  size_t column = (size_t)(span.source->text + span.begin - line);
  if (column > length)
    column = length;
  size_t begin = column > SOURCE_BYTES_SHOWN / 2 ? column - SOURCE_BYTES_SHOWN / 2 : 0;
  size_t shown = length - begin < SOURCE_BYTES_SHOWN ? length - begin : SOURCE_BYTES_SHOWN;
  size_t width = span.end - span.begin;
  if (width > begin + shown - column)
    width = begin + shown - column;
  writer_format(report->writer, "  %5u | ", source_position(span.source, span.begin).line);
  writer_escape(report->writer, ESCAPE_PLAIN, line + begin, shown);
  writer_text(report->writer, "\n");
  print_underline(report, line + begin, column - begin, width);
}

static Paint severity_paint(Severity severity) {
  return severity == SEVERITY_ERROR     ? PAINT_ERROR
         : severity == SEVERITY_WARNING ? PAINT_WARNING
                                        : PAINT_NOTE;
}

// Errors of form need no rule: their message says it all.
static void print_rule(Writer *writer, const Diag *finding) {
  if (strcmp(finding->rule, rule_id(RULE_SYNTAX)) == 0)
    return;
  writer_text(writer, " [");
  writer_text(writer, finding->rule);
  if (finding->sub) {
    writer_text(writer, ":");
    writer_text(writer, finding->sub);
  }
  writer_text(writer, "]");
}

static void print_remark(const Report *report, const char *word, const char *text) {
  if (!text)
    return;
  writer_text(report->writer, "  ");
  print_word(report, PAINT_NOTE, word);
  writer_escape_text(report->writer, ESCAPE_ONE_LINE, text);
  writer_text(report->writer, "\n");
}

static void print_note(const Report *report, const DiagNote *note, const char *input) {
  print_place(report, note->span, input);
  print_word(report, PAINT_NOTE, "note");
  writer_escape_text(report->writer, ESCAPE_ONE_LINE, note->message);
  writer_text(report->writer, "\n");
  print_source_line(report, note->span);
}

static void print_fix(const Report *report, const DiagFix *fix, const char *input) {
  Writer *writer = report->writer;
  print_place(report, fix->span, input);
  print_word(report, PAINT_GOOD, "fix");
  if (fix->message) {
    writer_escape_text(writer, ESCAPE_ONE_LINE, fix->message);
    writer_text(writer, ": ");
  }
  if (fix->span.source && fix->span.end > fix->span.begin) {
    writer_text(writer, "replace `");
    writer_escape(writer, ESCAPE_ONE_LINE, fix->span.source->text + fix->span.begin,
                  fix->span.end - fix->span.begin);
    writer_text(writer, "` by `");
  } else {
    writer_text(writer, "insert `");
  }
  writer_escape_text(writer, ESCAPE_ONE_LINE, fix->text);
  writer_text(writer, "`\n");
}

static void print_finding_witness(const Report *report, const Witness *witness) {
  if (!witness || report->options->omit_witness)
    return;
  writer_text(report->writer, "  ");
  writer_escape_text(report->writer, ESCAPE_ONE_LINE,
                     witness->title ? witness->title : "execution");
  writer_text(report->writer, ":\n");
  text_print_witness(report, witness, 4);
}

void text_print_finding(const Report *report, const Diag *finding, const char *input) {
  Writer *writer = report->writer;
  print_place(report, finding->span, input);
  print_word(report, severity_paint(finding->severity), severity_name(finding->severity));
  writer_escape_text(writer, ESCAPE_ONE_LINE, finding->message);
  print_rule(writer, finding);
  writer_text(writer, "\n");
  print_source_line(report, finding->span);
  for (uint32_t i = 0; i < finding->notes.count; i++)
    print_note(report, &finding->notes.items[i], input);
  print_remark(report, "why", finding->reason);
  print_remark(report, "fix", rule_remedy(finding));
  for (uint32_t i = 0; i < finding->fixes.count; i++)
    print_fix(report, &finding->fixes.items[i], input);
  print_finding_witness(report, finding->witness);
}
