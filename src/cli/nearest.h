// For a mistyped name: the known one that was probably meant.
#ifndef WARPSAN_CLI_NEAREST_H
#define WARPSAN_CLI_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Nearest {
  const char *word; // as the user wrote it; `length` bytes
  size_t length;
  const char *name; // the nearest of those offered so far, NULL: none is near enough
  size_t distance;
} Nearest;

Nearest nearest_begin(const char *word, size_t length);
void nearest_offer(Nearest *nearest, const char *name);

enum { NEAREST_BYTES = 64 };
// "did you mean '--launch'?", with `prefix` before the name; `otherwise` where none is near.
const char *nearest_hint(const Nearest *nearest, const char *prefix, const char *otherwise,
                         char text[NEAREST_BYTES]);

#endif
