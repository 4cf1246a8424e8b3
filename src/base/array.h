// Growable arrays whose storage lives in an arena. `ARRAY(Type) list = {0}; array_push(arena,
// &list, item);` Growing abandons the old storage to the arena: total waste is at most the final
// size.
#ifndef WARPSAN_BASE_ARRAY_H
#define WARPSAN_BASE_ARRAY_H

#include "base/arena.h"

#define ARRAY(Type)                                                                                \
  struct {                                                                                         \
    Type *items;                                                                                   \
    uint32_t count;                                                                                \
    uint32_t capacity;                                                                             \
  }

// Makes room for one more item; returns the storage (the old one or a grown copy).
void *array_grow(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size);

#define array_push(arena, array, ...)                                                              \
  do {                                                                                             \
    if ((array)->count == (array)->capacity)                                                       \
      (array)->items = array_grow((arena), (array)->items, (array)->count, &(array)->capacity,     \
                                  sizeof *(array)->items);                                         \
    (array)->items[(array)->count++] = (__VA_ARGS__);                                              \
  } while (0)

#endif
