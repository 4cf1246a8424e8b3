#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LETTERS = 31 };

static size_t smallest(size_t a, size_t b, size_t c) {
  size_t least = a < b ? a : b;
  return least < c ? least : c;
}

// How many letters have to be put in, left out, changed or swapped with the next one.
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t rows[MOST_LETTERS + 1][MOST_LETTERS + 1];
  for (size_t i = 0; i <= a_length; i++)
    for (size_t k = 0; k <= b_length; k++) {
      if (i == 0 || k == 0) {
        rows[i][k] = i + k;
        continue;
      }
      size_t change = rows[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
      rows[i][k] = smallest(rows[i - 1][k] + 1, rows[i][k - 1] + 1, change);
      bool is_swap = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (is_swap && rows[i - 2][k - 2] + 1 < rows[i][k])
        rows[i][k] = rows[i - 2][k - 2] + 1;
    }
  return rows[a_length][b_length];
}

// A third of the letters may be wrong.
Nearest nearest_begin(const char *word, size_t length) {
  return (Nearest){.word = word, .length = length, .distance = length / 3 + 1};
}

void nearest_offer(Nearest *nearest, const char *name) {
  size_t length = strlen(name);
  if (nearest->length > MOST_LETTERS || length > MOST_LETTERS)
    return;
  size_t found = distance(nearest->word, nearest->length, name, length);
  if (found >= nearest->distance)
    return;
  nearest->distance = found;
  nearest->name = name;
}

const char *nearest_hint(const Nearest *nearest, const char *prefix, const char *otherwise,
                         char text[NEAREST_BYTES]) {
  if (!nearest->name)
    return otherwise;
  snprintf(text, NEAREST_BYTES, "did you mean '%s%s'?", prefix, nearest->name);
  return text;
}
