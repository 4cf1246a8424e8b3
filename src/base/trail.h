// An undo log for depth-first search: every word is saved before it changes, and a backtrack
// restores the words in reverse. State that is only changed through the trail needs no copies.
// Nothing is saved before the first mark, since nothing can go back behind it.
#ifndef WARPSAN_BASE_TRAIL_H
#define WARPSAN_BASE_TRAIL_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct TrailEntry {
  uint64_t *word;
  uint64_t value;
} TrailEntry;

typedef struct Trail {
  Arena *arena; // not owned
  TrailEntry *entries;
  uint32_t count, capacity;
  bool is_marked;
} Trail;

typedef uint32_t TrailMark;

void trail_init(Trail *trail, Arena *arena);
void trail_grow(Trail *trail);
void trail_undo(Trail *trail, TrailMark mark);

static inline TrailMark trail_mark(Trail *trail) {
  trail->is_marked = true;
  return trail->count;
}

static inline void trail_set(Trail *trail, uint64_t *word, uint64_t value) {
  if (*word == value)
    return;
  if (trail->is_marked) {
    if (trail->count == trail->capacity)
      trail_grow(trail);
    trail->entries[trail->count++] = (TrailEntry){word, *word};
  }
  *word = value;
}

#endif
