#include "cat/errors.h"

#include <stdarg.h>
#include <stdio.h>

// Longer messages, that is, those with absurdly long names in them, are cut.
enum { MESSAGE_BYTES = 300 };

void cat_errors_init(CatErrors *errors, DiagList *diags) {
  *errors = (CatErrors){.diags = diags, .first = diags->count};
}

// The body of a function is compiled for each call: its mistakes must not be told each time.
static bool is_reported(const CatErrors *errors, Span span) {
  for (uint32_t i = errors->first; i < errors->diags->count; i++) {
    Span other = errors->diags->items[i].span;
    if (other.source == span.source && other.begin == span.begin && other.end == span.end)
      return true;
  }
  return false;
}

static Diag *add_error(CatErrors *errors, Span span, const char *format, va_list arguments) {
  char message[MESSAGE_BYTES];
  vsnprintf(message, sizeof message, format, arguments);
  errors->count++;
  return diag_add(errors->diags, SEVERITY_ERROR, "syntax", span, "%s", message);
}

Diag *cat_error(CatErrors *errors, Span span, const char *format, ...) {
  if (errors->is_stopped || is_reported(errors, span))
    return NULL;
  if (errors->count == CAT_ERROR_LIMIT) {
    cat_error_limit(errors, span, "too many errors: stopped after %d", CAT_ERROR_LIMIT);
    return NULL;
  }
  va_list arguments;
  va_start(arguments, format);
  Diag *diag = add_error(errors, span, format, arguments);
  va_end(arguments);
  return diag;
}

void cat_error_limit(CatErrors *errors, Span span, const char *format, ...) {
  if (errors->is_stopped)
    return;
  va_list arguments;
  va_start(arguments, format);
  add_error(errors, span, format, arguments);
  va_end(arguments);
  errors->is_stopped = true;
}
