// A witness as a drawing inside an HTML page: threads as columns, events as boxes, edges as arrows.
#ifndef WARPSAN_REPORT_SVG_H
#define WARPSAN_REPORT_SVG_H

#include "report/report.h"

// The arrow heads that all drawings of a page share; once in a page.
void svg_print_markers(Writer *writer);
// The drawing and its legend.
void svg_print_witness(const Report *report, const Witness *witness);

#endif
