// An execution graph as plain data, which every output format can draw. The explorer fills it in;
// `report` reads it.
#ifndef WARPSAN_BASE_WITNESS_H
#define WARPSAN_BASE_WITNESS_H

#include "base/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct WitnessEvent {
  uint32_t thread;   // index into `thread_names`; WITNESS_INITIAL for an initial write
  const char *label; // "W.release.gpu flag = 1", "R.weak x = 0", "F.sc.gpu"
  Span span;         // the instruction, may be empty
} WitnessEvent;

#define WITNESS_INITIAL UINT32_MAX

typedef struct WitnessEdge {
  const char *relation; // "po", "rf", "co", "fr", "sync", "bsync", "sc", ...
  uint32_t from, to;    // indices of events
  bool highlighted;     // part of the cycle, or an end of the missing order
} WitnessEdge;

typedef struct Witness {
  const char *title; // "execution that satisfies the condition", "data race", ...
  WitnessEvent *events;
  uint32_t event_count;
  WitnessEdge *edges; // transitive reductions only
  uint32_t edge_count;
  const char **thread_names; // "P0@cta 0,gpu 0"
  uint32_t thread_count;
  const uint32_t *order; // accesses in the order in which they happen in one run, if one is shown
  uint32_t order_count;
  const char *axiom;       // the axiom that forbids this candidate, or NULL
  const char *explanation; // the cycle or the missing order in one line, or NULL
} Witness;

#endif
