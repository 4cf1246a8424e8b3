#include "base/array.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { FIRST_CAPACITY = 8 };

// Grows in place if the array is the arena's newest object.
static bool extend(Arena *arena, uint8_t *items, size_t old_bytes, size_t new_bytes) {
  if (!items || items + old_bytes + ARENA_GUARD_BYTES != arena->next)
    return false;
  if (new_bytes - old_bytes >= (size_t)(arena->end - arena->next))
    return false;
  arena->next += new_bytes - old_bytes;
  arena_unpoison(items, new_bytes);
  return true;
}

void *array_grow(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size) {
  if (*capacity > UINT32_MAX / 2)
    arena_exhaust(arena);
  uint32_t new_capacity = *capacity ? 2 * *capacity : FIRST_CAPACITY;
  size_t new_bytes = new_capacity * item_size;
  if (!extend(arena, items, *capacity * item_size, new_bytes)) {
    void *grown = arena_alloc(arena, new_bytes, _Alignof(max_align_t));
    if (count > 0)
      memcpy(grown, items, count * item_size);
    items = grown;
  }
  *capacity = new_capacity;
  return items;
}
