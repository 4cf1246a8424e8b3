// The errors of one model's texts. A mistake is reported once for each place, and after
// CAT_ERROR_LIMIT of them the compilation stops.
#ifndef WARPSAN_CAT_ERRORS_H
#define WARPSAN_CAT_ERRORS_H

#include "base/diag.h"

enum { CAT_ERROR_LIMIT = 20 };

typedef struct CatErrors {
  DiagList *diags; // not owned
  uint32_t first;  // diagnostics before it are somebody else's
  uint32_t count;
  bool is_stopped; // too many, or a limit was reached
} CatErrors;

void cat_errors_init(CatErrors *errors, DiagList *diags);

// Reports a mistake and returns its diagnostic for notes, or NULL if nothing was reported.
Diag *cat_error(CatErrors *errors, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Reports that a limit was reached, and stops.
void cat_error_limit(CatErrors *errors, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
