// The values of one node of a final condition in several rounds of its loop variables, one in each
// lane, and operators on them. Internal to ptx.
#ifndef WARPSAN_PTX_LAUNCH_COLUMN_H
#define WARPSAN_PTX_LAUNCH_COLUMN_H

#include "ptx/launch.h"

enum { COLUMN_LANES = 64 };

typedef union Column {
  int64_t integers[COLUMN_LANES];
  double floats[COLUMN_LANES];
  uint64_t bits[COLUMN_LANES];
} Column;

// All compute `count` lanes. `kind` is that of a unary operator whose operand is_floating or not;
// of arithmetic or a comparison of floating-point numbers; of a binary operator on integers. What
// an integer divided by 0 is, or shifted by what is no count, has no meaning.
void column_compute_unary(LaunchNodeKind kind, bool is_floating, const Column *operand,
                          uint32_t count, Column *result);
void column_compute_floats(LaunchNodeKind kind, const double *left, const double *right,
                           uint32_t count, Column *result);
void column_compute_integers(LaunchNodeKind kind, const Column *left, const Column *right,
                             uint32_t count, Column *result);
// Of elements, whose bits the column has.
void column_decode(PtxType type, uint32_t count, Column *column);

static inline bool launch_is_comparison(LaunchNodeKind kind) {
  return LAUNCH_NODE_LESS <= kind && kind <= LAUNCH_NODE_NOT_EQUAL;
}

#endif
