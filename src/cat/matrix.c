#include "cat/matrix.h"

#include "base/bits.h"

#include <string.h>

// Most executions have at most 64 events, so that a row is one word. The loops below are written
// once, for any number of words, and compiled twice: with the constant 1 the inner loops vanish.
#define EVERY_WIDTH static inline __attribute__((always_inline))
#define FOR_WIDTH(words, call, ...)                                                                \
  do {                                                                                             \
    if ((words) == 1)                                                                              \
      call(__VA_ARGS__, 1);                                                                        \
    else                                                                                           \
      call(__VA_ARGS__, (words));                                                                  \
  } while (0)

void matrix_union(uint64_t *result, const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    result[i] = a[i] | b[i];
}

void matrix_intersection(uint64_t *result, const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    result[i] = a[i] & b[i];
}

void matrix_difference(uint64_t *result, const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    result[i] = a[i] & ~b[i];
}

EVERY_WIDTH void copy_row(uint64_t *to, const uint64_t *from, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    to[k] = from[k];
}

EVERY_WIDTH void clear_row(uint64_t *row, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    row[k] = 0;
}

EVERY_WIDTH void add_row(uint64_t *to, const uint64_t *from, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    to[k] |= from[k];
}

EVERY_WIDTH void compose(uint32_t events, uint64_t *result, const uint64_t *a, const uint64_t *b,
                         uint32_t words) {
  for (uint32_t i = 0; i < events; i++) {
    uint64_t *row = result + (uint64_t)i * words;
    clear_row(row, words);
    BITS_EACH(middle, a + (uint64_t)i * words, words)
    add_row(row, b + middle * words, words);
  }
}

void matrix_composition(MatrixShape shape, uint64_t *result, const uint64_t *a, const uint64_t *b) {
  FOR_WIDTH(shape.words, compose, shape.events, result, a, b);
}

EVERY_WIDTH bool is_clear(const uint64_t *row, uint32_t words) {
  uint64_t any = 0;
  for (uint32_t k = 0; k < words; k++)
    any |= row[k];
  return !any;
}

// `rows`: the rows of `b` that are not empty.
EVERY_WIDTH void add_meeting(uint32_t events, uint64_t *result, const uint64_t *a,
                             const uint64_t *b, const uint64_t *rows, uint32_t words) {
  for (uint32_t i = 0; i < events; i++) {
    const uint64_t *row = a + (uint64_t)i * words;
    if (is_clear(row, words))
      continue;
    for (uint32_t w = 0; w < words; w++) {
      uint64_t met = 0;
      for (uint64_t left = rows[w]; left; left &= left - 1) {
        uint32_t bit = bits_first(left);
        uint64_t common = 0;
        for (uint32_t k = 0; k < words; k++)
          common |= b[((uint64_t)w * 64 + bit) * words + k] & row[k];
        met |= (uint64_t)(common != 0) << bit;
      }
      result[(uint64_t)i * words + w] |= met;
    }
  }
}

void matrix_add_meeting(MatrixShape shape, uint64_t *result, const uint64_t *a, const uint64_t *b,
                        uint64_t *rows) {
  matrix_domain(shape, rows, b);
  FOR_WIDTH(shape.words, add_meeting, shape.events, result, a, b, rows);
}

EVERY_WIDTH void add_reached(uint32_t events, uint64_t *result, const uint64_t *a,
                             const uint64_t *b, uint32_t words) {
  for (uint32_t i = 0; i < events; i++) {
    const uint64_t *row = a + (uint64_t)i * words;
    if (is_clear(row, words))
      continue;
    BITS_EACH(j, b + (uint64_t)i * words, words)
    add_row(result + j * words, row, words);
  }
}

void matrix_add_reached(MatrixShape shape, uint64_t *result, const uint64_t *a, const uint64_t *b) {
  FOR_WIDTH(shape.words, add_reached, shape.events, result, a, b);
}

// Warshall: once `middle` is done, every path through events up to `middle` has its edge.
EVERY_WIDTH void close_transitively(uint32_t events, uint64_t *a, uint32_t words) {
  for (uint32_t middle = 0; middle < events; middle++) {
    const uint64_t *through = a + (uint64_t)middle * words;
    if (is_clear(through, words))
      continue;
    for (uint32_t i = 0; i < events; i++) {
      uint64_t *row = a + (uint64_t)i * words;
      if (i != middle && bits_has(row, middle))
        add_row(row, through, words);
    }
  }
}

void matrix_transitive(MatrixShape shape, uint64_t *result, const uint64_t *a) {
  memcpy(result, a, (uint64_t)shape.events * shape.words * sizeof *a);
  FOR_WIDTH(shape.words, close_transitively, shape.events, result);
}

void matrix_inverse(MatrixShape shape, uint64_t *result, const uint64_t *a) {
  memset(result, 0, (uint64_t)shape.events * shape.words * sizeof *result);
  for (uint32_t i = 0; i < shape.events; i++)
    BITS_EACH(j, a + (uint64_t)i * shape.words, shape.words)
  bits_add(result + j * shape.words, i);
}

void matrix_identity(MatrixShape shape, uint64_t *result, const uint64_t *set) {
  memset(result, 0, (uint64_t)shape.events * shape.words * sizeof *result);
  BITS_EACH(i, set, shape.words)
  bits_add(result + i * shape.words, (uint32_t)i);
}

EVERY_WIDTH void multiply(uint32_t events, uint64_t *result, const uint64_t *from,
                          const uint64_t *to, uint32_t words) {
  for (uint32_t i = 0; i < events; i++) {
    uint64_t *row = result + (uint64_t)i * words;
    if (bits_has(from, i))
      copy_row(row, to, words);
    else
      clear_row(row, words);
  }
}

void matrix_cartesian(MatrixShape shape, uint64_t *result, const uint64_t *from,
                      const uint64_t *to) {
  FOR_WIDTH(shape.words, multiply, shape.events, result, from, to);
}

EVERY_WIDTH void find_rows(uint32_t events, uint64_t *result, const uint64_t *a, uint32_t words) {
  clear_row(result, words);
  for (uint32_t i = 0; i < events; i++)
    if (!is_clear(a + (uint64_t)i * words, words))
      bits_add(result, i);
}

void matrix_domain(MatrixShape shape, uint64_t *result, const uint64_t *a) {
  FOR_WIDTH(shape.words, find_rows, shape.events, result, a);
}

EVERY_WIDTH void unite_rows(uint32_t events, uint64_t *result, const uint64_t *a, uint32_t words) {
  clear_row(result, words);
  for (uint32_t i = 0; i < events; i++)
    add_row(result, a + (uint64_t)i * words, words);
}

void matrix_range(MatrixShape shape, uint64_t *result, const uint64_t *a) {
  FOR_WIDTH(shape.words, unite_rows, shape.events, result, a);
}

EVERY_WIDTH void keep_rows(uint32_t events, uint64_t *result, const uint64_t *set,
                           const uint64_t *a, uint32_t words) {
  for (uint32_t i = 0; i < events; i++) {
    uint64_t *row = result + (uint64_t)i * words;
    if (bits_has(set, i))
      copy_row(row, a + (uint64_t)i * words, words);
    else
      clear_row(row, words);
  }
}

void matrix_restrict_from(MatrixShape shape, uint64_t *result, const uint64_t *set,
                          const uint64_t *a) {
  FOR_WIDTH(shape.words, keep_rows, shape.events, result, set, a);
}

EVERY_WIDTH void keep_columns(uint32_t events, uint64_t *result, const uint64_t *set,
                              const uint64_t *a, uint32_t words) {
  for (uint32_t i = 0; i < events; i++)
    for (uint32_t k = 0; k < words; k++)
      result[(uint64_t)i * words + k] = a[(uint64_t)i * words + k] & set[k];
}

void matrix_restrict_to(MatrixShape shape, uint64_t *result, const uint64_t *set,
                        const uint64_t *a) {
  FOR_WIDTH(shape.words, keep_columns, shape.events, result, set, a);
}

void matrix_everything(MatrixShape shape, uint64_t *result) {
  memset(result, 0, shape.words * sizeof *result);
  for (uint32_t i = 0; i < shape.events; i++)
    bits_add(result, i);
}

bool matrix_is_empty(const uint64_t *a, uint32_t words) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < words; i++)
    all |= a[i];
  return all == 0;
}

bool matrix_is_irreflexive(MatrixShape shape, const uint64_t *a) {
  for (uint32_t i = 0; i < shape.events; i++)
    if (bits_has(a + (uint64_t)i * shape.words, i))
      return false;
  return true;
}

EVERY_WIDTH bool leads_to(const uint64_t *row, const uint64_t *set, uint32_t words) {
  uint64_t common = 0;
  for (uint32_t k = 0; k < words; k++)
    common |= row[k] & set[k];
  return common != 0;
}

// Takes away events that lead to no event that is left, until there are none or all lead on.
// Backwards, since edges mostly lead to events with larger numbers: then one or two rounds are
// enough.
EVERY_WIDTH void peel(uint32_t events, const uint64_t *a, uint64_t *left, uint32_t words) {
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (uint32_t i = events; i-- > 0;)
      if (bits_has(left, i) && !leads_to(a + (uint64_t)i * words, left, words)) {
        bits_remove(left, i);
        is_changed = true;
      }
  }
}

bool matrix_is_acyclic(MatrixShape shape, const uint64_t *a, uint64_t *left) {
  matrix_everything(shape, left);
  FOR_WIDTH(shape.words, peel, shape.events, a, left);
  return matrix_is_empty(left, shape.words);
}
