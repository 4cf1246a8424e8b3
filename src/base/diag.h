// Diagnostics as data: syntax errors, races and advice are the same kind of object. Whoever finds
// one fills in a Diag; only `report` turns it into text.
#ifndef WARPSAN_BASE_DIAG_H
#define WARPSAN_BASE_DIAG_H

#include "base/array.h"
#include "base/source.h"

#include <stdarg.h>
#include <stdbool.h>

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_ADVICE } Severity;

typedef struct Witness Witness; // base/witness.h

// A second place that belongs to a diagnostic.
typedef struct DiagNote {
  Span span;
  const char *message;
} DiagNote;

// A proposed edit of the source: replace the bytes of `span` by `text`.
typedef struct DiagFix {
  Span span;
  const char *text;
  const char *message;
} DiagFix;

typedef struct Diag {
  const char *rule; // an id of base/rules.def, or "syntax"
  const char *sub;  // sub-rule or NULL
  Severity severity;
  Span span;
  const char *message; // lower case, no full stop, one line
  const char *reason;  // why the model allows it, or NULL
  const char
      *remedy; // what to do, in words, where it says more than the rule's (rule_remedy), or NULL
  ARRAY(DiagNote) notes;
  ARRAY(DiagFix) fixes;
  const Witness *witness; // not owned, may be NULL
} Diag;

// Where diagnostics are collected. All texts live in `arena`.
typedef struct DiagList {
  Arena *arena;
  Diag *items;
  uint32_t count, capacity;
} DiagList;

void diag_list_init(DiagList *list, Arena *arena);

// Appends a diagnostic and returns it, so that the caller can add notes; valid until the next add.
Diag *diag_add(DiagList *list, Severity severity, const char *rule, Span span, const char *format,
               ...) __attribute__((format(printf, 5, 6)));
void diag_note(DiagList *list, Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// A syntax error: rule "syntax", severity error. Always returns false, for `return
// diag_syntax(...)`.
bool diag_syntax(DiagList *list, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Nothing of severity error in the list.
bool diag_list_is_ok(const DiagList *list);

#endif
