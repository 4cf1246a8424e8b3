// Operations on sets and relations over n events. A set is one row of bits, a relation n rows:
// row i holds the events that i is related to. All rows have the same number of words, and the bits
// past the last event are zero. A result may not overlap an operand unless that is said.
#ifndef WARPSAN_CAT_MATRIX_H
#define WARPSAN_CAT_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MatrixShape {
  uint32_t events;
  uint32_t words; // of a row
} MatrixShape;

// These three work on sets, too: `words` is the size of the whole operand.
void matrix_union(uint64_t *result, const uint64_t *a, const uint64_t *b, uint32_t words);
void matrix_intersection(uint64_t *result, const uint64_t *a, const uint64_t *b, uint32_t words);
void matrix_difference(uint64_t *result, const uint64_t *a, const uint64_t *b, uint32_t words);

void matrix_composition(MatrixShape shape, uint64_t *result, const uint64_t *a, const uint64_t *b);
void matrix_transitive(MatrixShape shape, uint64_t *result, const uint64_t *a);
void matrix_inverse(MatrixShape shape, uint64_t *result, const uint64_t *a);
void matrix_identity(MatrixShape shape, uint64_t *result, const uint64_t *set);
void matrix_cartesian(MatrixShape shape, uint64_t *result, const uint64_t *from,
                      const uint64_t *to);
void matrix_domain(MatrixShape shape, uint64_t *result, const uint64_t *a);
void matrix_range(MatrixShape shape, uint64_t *result, const uint64_t *a);
void matrix_restrict_from(MatrixShape shape, uint64_t *result, const uint64_t *set,
                          const uint64_t *a);
void matrix_restrict_to(MatrixShape shape, uint64_t *result, const uint64_t *set,
                        const uint64_t *a);
void matrix_everything(MatrixShape shape, uint64_t *result); // the set of all events

// Adds a ; b^-1: (i, j) if row i of `a` and row j of `b` meet. `rows` is scratch space of one row.
void matrix_add_meeting(MatrixShape shape, uint64_t *result, const uint64_t *a, const uint64_t *b,
                        uint64_t *rows);
// Adds b^-1 ; a: row i of `a` to each row that row i of `b` leads to.
void matrix_add_reached(MatrixShape shape, uint64_t *result, const uint64_t *a, const uint64_t *b);

bool matrix_is_empty(const uint64_t *a, uint32_t words);
bool matrix_is_irreflexive(MatrixShape shape, const uint64_t *a);
// `left` is scratch space of one row.
bool matrix_is_acyclic(MatrixShape shape, const uint64_t *a, uint64_t *left);

#endif
