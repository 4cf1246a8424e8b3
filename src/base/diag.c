#include "base/diag.h"

#include <assert.h>

void diag_list_init(DiagList *list, Arena *arena) {
  *list = (DiagList){.arena = arena};
}

static Diag *add_message(DiagList *list, Severity severity, const char *rule, Span span,
                         const char *message) {
  assert(!span.source || (span.begin <= span.end && span.end <= span.source->length));
  Diag diag = {.rule = rule, .severity = severity, .span = span, .message = message};
  array_push(list->arena, list, diag);
  return &list->items[list->count - 1];
}

Diag *diag_add(DiagList *list, Severity severity, const char *rule, Span span, const char *format,
               ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(list->arena, format, arguments);
  va_end(arguments);
  return add_message(list, severity, rule, span, message);
}

void diag_note(DiagList *list, Diag *diag, Span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  DiagNote note = {span, arena_format_list(list->arena, format, arguments)};
  va_end(arguments);
  array_push(list->arena, &diag->notes, note);
}

bool diag_syntax(DiagList *list, Span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(list->arena, format, arguments);
  va_end(arguments);
  add_message(list, SEVERITY_ERROR, "syntax", span, message);
  return false;
}

bool diag_list_is_ok(const DiagList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].severity == SEVERITY_ERROR)
      return false;
  return true;
}
