// What warp collectives compute from the values of their lanes: the one definition that every
// engine uses.
#ifndef WARPSAN_IR_COLLECTIVE_H
#define WARPSAN_IR_COLLECTIVE_H

#include "ir/ir.h"

// PTX ISA, "shfl.sync": the lane that `lane` reads from, with its operands b and c; *is_in_range is
// the predicate.
uint32_t collective_shuffle_lane(Collective shuffle, uint32_t lane, uint32_t b, uint32_t c,
                                 bool *is_in_range);

// PTX ISA, "redux.sync": values[i] of the lanes i of a mask that is not empty, joined by
// `operation`.
uint64_t collective_reduce(const struct AluOperation *operation, uint32_t lanes,
                           const uint64_t *values);

#endif
