// What herd7 and Dat3M define before a model's own text begins, in terms of the primitives.
#ifndef WARPSAN_CAT_PRELUDE_H
#define WARPSAN_CAT_PRELUDE_H

#include "base/source.h"

#include <stdbool.h>

// A .cat text of definitions. Those that need what the engine does not supply are left out.
const Source *cat_prelude(void);

// Is everything that herd's file of this name would define for a model already known, from the
// prelude or from the engine? Then an include of it needs no file.
bool cat_prelude_covers(const char *file_name);

#endif
