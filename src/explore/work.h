// Parts of a search that another worker takes over, as numbers: a few choices to repeat and, for
// each of them, the sources that had been tried before. What is left to explore is either the
// alternatives behind the last choice or, on its own, the deferral of the last decision, which is
// found out about late and by anybody. Internal to explore.
#ifndef WARPSAN_EXPLORE_WORK_H
#define WARPSAN_EXPLORE_WORK_H

#include "explore/search.h"

typedef struct Work {
  uint32_t depth; // decisions
  bool is_deferral;
  uint32_t count, capacity;
  // The choice of each decision; then for each a number of sources that were tried and consistent,
  // and these.
  uint32_t *numbers;
} Work;

// The work behind the newest choice of a decision on the stack, or its deferral. Reuses what
// `numbers` holds; otherwise they come from `arena`.
void work_describe(Work *work, const Search *search, uint32_t decision, bool is_deferral,
                   Arena *arena);
void work_copy(Work *into, const Work *from, Arena *arena);
// Repeats the choices in a search that has decided nothing, and leaves the last decision where
// search_run goes on. False: the search has to stop, or the choices do not fit.
bool work_begin(Search *search, const Work *work);

#endif
