// The current execution of a search as data that outputs can draw. Internal to explore.
#ifndef WARPSAN_EXPLORE_WITNESS_H
#define WARPSAN_EXPLORE_WITNESS_H

#include "explore/search.h"

// Where the witness numbers its events: graph events first, then initial writes.
typedef struct WitnessDraft {
  Witness *witness;
  Arena *arena;
  uint32_t edge_capacity;
  uint32_t *init_locations; // of the initial writes
  uint32_t graph_count;
} WitnessDraft;

// Events, program order, reads-from, coherence, from-reads and synchronisation.
WitnessDraft witness_draw(const Search *search, const char *title, Arena *arena);
// Highlights the edge, adding it if it is not there.
void witness_highlight(WitnessDraft *draft, const char *relation, uint32_t from, uint32_t to);

// "W.release.gpu flag = 1"
const char *witness_label(const Search *search, uint32_t event, Arena *arena);

#endif
