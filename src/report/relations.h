// How the relations and places of a witness are shown.
#ifndef WARPSAN_REPORT_RELATIONS_H
#define WARPSAN_REPORT_RELATIONS_H

#include "report/report.h"

// "#rrggbb".
const char *relation_color(const char *relation);
// Its place in the legend's order: equal for relations that share a colour, below
// RELATION_STYLE_COUNT.
size_t relation_style(const char *relation);
// What the relation means, in a few words.
const char *relation_meaning(const char *relation);

const char *relation_style_color(size_t style);

enum { RELATION_STYLE_COUNT = 10 };

// Where an event comes from: `line 5`, or `common.h:5` if the events come from several files.
void witness_print_place(Writer *writer, const Witness *witness, const WitnessEvent *event,
                         Escape escape);

#endif
