// Release writes of a thread to a location, which are heads of its later strong writes there: a
// hash table of each location, by thread and scope.
#include "race/sync.h"

#include <string.h>

static uint32_t first_slot(uint32_t thread, Scope scope, uint32_t capacity) {
  return ((thread * 5 + (uint32_t)scope) * 0x9e3779b1u) >> 7 & (capacity - 1);
}

// The head's slot, or the empty one where it belongs.
static OwnHead *find_slot(OwnHead *heads, uint32_t capacity, uint32_t thread, Scope scope) {
  uint32_t i = first_slot(thread, scope, capacity);
  while (heads[i].scope != SCOPE_NONE && (heads[i].thread != thread || heads[i].scope != scope))
    i = (i + 1) & (capacity - 1);
  return &heads[i];
}

const OwnHead *own_head_find(const Location *location, uint32_t thread, Scope scope) {
  if (!location->head_count)
    return NULL;
  const OwnHead *head = find_slot(location->heads, location->head_capacity, thread, scope);
  return head->scope == SCOPE_NONE ? NULL : head;
}

static void grow(Heap *heap, Location *location) {
  uint32_t old = location->head_capacity, capacity = old ? 2 * old : 4;
  OwnHead *heads = heap_take_cleared(heap, capacity * sizeof *heads);
  for (uint32_t i = 0; i < old; i++) {
    const OwnHead *head = &location->heads[i];
    if (head->scope != SCOPE_NONE)
      *find_slot(heads, capacity, head->thread, head->scope) = *head;
  }
  heap_give(heap, location->heads, old * sizeof *heads);
  location->heads = heads;
  location->head_capacity = capacity;
}

OwnHead *own_head_get(Heap *heap, Location *location, uint32_t thread, Scope scope) {
  if (4 * (location->head_count + 1) > 3 * location->head_capacity)
    grow(heap, location);
  OwnHead *head = find_slot(location->heads, location->head_capacity, thread, scope);
  if (head->scope == SCOPE_NONE) {
    *head = (OwnHead){.thread = thread, .scope = scope};
    location->head_count++;
  }
  return head;
}

void own_heads_release(Heap *heap, Location *location) {
  for (uint32_t i = 0; i < location->head_capacity; i++)
    if (location->heads[i].scope != SCOPE_NONE)
      clock_release(heap, &location->heads[i].clock);
  heap_give(heap, location->heads, location->head_capacity * sizeof *location->heads);
}
