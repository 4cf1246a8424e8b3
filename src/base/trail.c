#include "base/trail.h"

#include "base/array.h"

#include <assert.h>

void trail_init(Trail *trail, Arena *arena) {
  *trail = (Trail){.arena = arena};
}

void trail_grow(Trail *trail) {
  trail->entries = array_grow(trail->arena, trail->entries, trail->count, &trail->capacity,
                              sizeof *trail->entries);
}

void trail_undo(Trail *trail, TrailMark mark) {
  assert(mark <= trail->count);
  while (trail->count > mark) {
    TrailEntry entry = trail->entries[--trail->count];
    *entry.word = entry.value;
  }
}
