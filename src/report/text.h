// Parts of the text format that several files share.
#ifndef WARPSAN_REPORT_TEXT_H
#define WARPSAN_REPORT_TEXT_H

#include "report/report.h"

typedef enum Paint {
  PAINT_ERROR,
  PAINT_WARNING,
  PAINT_NOTE,
  PAINT_GOOD,
  PAINT_STRONG,
  PAINT_FAINT,
} Paint;

// Between these two calls text is coloured, if colours are wanted.
void text_begin_paint(const Report *report, Paint paint);
void text_end_paint(const Report *report);

// A diagnostic as compilers print it; `input` stands in for a missing place.
void text_print_finding(const Report *report, const Diag *finding, const char *input);

// An execution: its events by thread, its edges by relation; each line begins with `indent` spaces.
void text_print_witness(const Report *report, const Witness *witness, size_t indent);

#endif
