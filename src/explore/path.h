// Where an execution is in the search: the choices that lead there. A search meets executions in
// the order of their paths, and reports depend on paths only, not on who came first.
#ifndef WARPSAN_EXPLORE_PATH_H
#define WARPSAN_EXPLORE_PATH_H

#include <stdint.h>

// The order in which a search takes alternatives: the initial write (EVENT_INIT) comes first, then
// events by their number, and deferral (EVENT_NONE) last.
static inline uint32_t path_rank(uint32_t choice) {
  return choice == UINT32_MAX - 1 ? 0 : choice + (choice != UINT32_MAX);
}

// Below 0: the first path comes first. A path comes before those that continue it.
static inline int path_compare(const uint32_t *a, uint32_t a_count, const uint32_t *b,
                               uint32_t b_count) {
  for (uint32_t i = 0; i < a_count && i < b_count; i++)
    if (a[i] != b[i])
      return path_rank(a[i]) < path_rank(b[i]) ? -1 : 1;
  return a_count == b_count ? 0 : a_count < b_count ? -1 : 1;
}

#endif
