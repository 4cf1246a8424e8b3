// How the relations of a witness are drawn.
#ifndef WARPSAN_REPORT_RELATIONS_H
#define WARPSAN_REPORT_RELATIONS_H

#include <stdbool.h>
#include <stddef.h>

// "#rrggbb".
const char *relation_color(const char *relation);
// Its place in the legend's order: equal for relations that share a colour, below
// RELATION_STYLE_COUNT.
size_t relation_style(const char *relation);
// What the relation means, in a few words.
const char *relation_meaning(const char *relation);

const char *relation_style_color(size_t style);

enum { RELATION_STYLE_COUNT = 10 };

#endif
