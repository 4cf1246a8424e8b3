// nvcc writes `FILE(LINE): error: TEXT`, clang and the host's compiler `FILE:LINE:COLUMN: error:
// TEXT`.
#include "api/compile_errors.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/rules.h"

enum { MOST_ERRORS = 20, MOST_NOTES = 20 };

bool compile_output_is_ok(const CompileOutput *output) {
  return WIFEXITED(output->status) && WEXITSTATUS(output->status) == 0;
}

void compile_report(DiagList *diags, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(diags->arena, format, arguments);
  va_end(arguments);
  diag_add(diags, SEVERITY_ERROR, rule_id(RULE_COMPILER), (Span){0}, "%s", message);
}

// A line of the output, without its end; NULL behind the last one.
static char *next_line(char **rest) {
  char *line = *rest;
  if (*line == '\0')
    return NULL;
  size_t length = strcspn(line, "\n");
  *rest = line + length + (line[length] == '\n');
  line[length] = '\0';
  return line;
}

static bool is_error(const char *line) {
  return strstr(line, "error:") || strstr(line, "error #") || strstr(line, "nvcc fatal");
}

// From the line's first byte that is not a blank, or from a column, to the line's end.
static Span span_of_line(const Source *source, unsigned long line, unsigned long column) {
  uint32_t begin = 0;
  for (; line > 1 && begin < source->length; begin++)
    line -= source->text[begin] == '\n';
  const char *text;
  uint32_t end = begin + source_line(source, begin, &text);
  if (column > 0 && column - 1 < end - begin)
    begin += (uint32_t)column - 1;
  while (begin < end && (source->text[begin] == ' ' || source->text[begin] == '\t'))
    begin++;
  return (Span){source, begin, end};
}

// Reads the place that a line begins with, if it is one of `source`; `*line` then is what follows.
static Span take_place(const CompileOutput *output, const Source *source, const char **line) {
  size_t length = strlen(output->input);
  if (strncmp(*line, output->input, length) != 0)
    return (Span){0};
  const char *at = *line + length;
  if ((*at != '(' && *at != ':') || at[1] < '0' || at[1] > '9')
    return (Span){0};
  char *end;
  unsigned long number = strtoul(at + 1, &end, 10), column = 0;
  if (*at == ':' && *end == ':' && end[1] >= '0' && end[1] <= '9')
    column = strtoul(end + 1, &end, 10);
  *line = end + strspn(end, "): ");
  return span_of_line(source, number, column);
}

// "error: text" -> "text"
static const char *skip_severity(const char *text) {
  const char *colon = strstr(text, "error: ");
  return colon && colon - text < 20 ? colon + strlen("error: ") : text;
}

static void report_error(const CompileOutput *output, const char *line, const Source *source,
                         DiagList *diags) {
  Span span = take_place(output, source, &line);
  const char *message = span.source ? skip_severity(line) : line;
  diag_add(diags, SEVERITY_ERROR, rule_id(RULE_COMPILER), span, "%s", message);
}

// Nothing in it looks like an error: all of it is shown.
static void report_all(const CompileOutput *output, const char *compiler, Arena *arena,
                       DiagList *diags) {
  if (WIFSIGNALED(output->status))
    compile_report(diags, "expected '%s' to make PTX, it was ended by signal %d", compiler,
                   WTERMSIG(output->status));
  else
    compile_report(diags, "expected '%s' to make PTX, it ended with status %d", compiler,
                   WEXITSTATUS(output->status));
  Diag *diag = &diags->items[diags->count - 1];
  char *rest = arena_copy_text(arena, output->text, output->length), *line;
  for (int i = 0; i < MOST_NOTES && (line = next_line(&rest)); i++)
    if (line[0] != '\0')
      diag_note(diags, diag, (Span){0}, "%s", line);
}

void compile_report_output(const CompileOutput *output, const char *compiler, const Source *source,
                           Arena *arena, DiagList *diags) {
  char *rest = arena_copy_text(arena, output->text, strlen(output->text)), *line;
  int count = 0;
  while (count < MOST_ERRORS && (line = next_line(&rest)))
    if (is_error(line)) {
      report_error(output, line, source, diags);
      count++;
    }
  if (count == 0)
    report_all(output, compiler, arena, diags);
}
