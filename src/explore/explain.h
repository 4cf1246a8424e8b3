// Why an outcome is forbidden: the candidate execution that comes nearest to allowing it, and the
// axiom that it violates. Internal to explore.
#ifndef WARPSAN_EXPLORE_EXPLAIN_H
#define WARPSAN_EXPLORE_EXPLAIN_H

#include "explore/search.h"

// `wanted`: look for a state in which the proposition holds (true) or does not. NULL if no
// candidate was found among those that were tried. `arenas` are emptied again.
const Witness *explain_forbidden(const Program *program, const Condition *condition, bool wanted,
                                 const ExploreOptions *options, const Code *codes,
                                 uint32_t capacity, SearchArenas *arenas, Arena *arena);

#endif
