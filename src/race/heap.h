// Memory of the detector: shadow pages, clocks and lists, which live and die in any order and are
// made by all workers. Mapped from the system in large pieces; freed objects wait in lists by size.
// Internal to race.
#ifndef WARPSAN_RACE_HEAP_H
#define WARPSAN_RACE_HEAP_H

#include "base/arena.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { HEAP_CLASSES = 16, HEAP_SHELVES = 16, HEAP_MOST_MAPS = 4096 };

// Objects that have been given back wait where their thread finds them first.
typedef struct HeapShelf {
  atomic_flag lock;
  void *free_lists[HEAP_CLASSES]; // of 32 << i bytes
} __attribute__((aligned(64))) HeapShelf;

typedef struct Heap {
  HeapShelf shelves[HEAP_SHELVES];
  atomic_flag lock;    // of what follows
  uint8_t *next, *end; // of the newest piece
  struct HeapMap {
    void *memory;
    size_t size;
  } maps[HEAP_MOST_MAPS];
  uint32_t map_count;
  size_t mapped_bytes, limit_bytes;
  atomic_uint_fast64_t lineages; // of clocks (clock.c)
  atomic_bool is_full;           // the limit is reached: the detector must stop soon
  Arena *arena; // whose escape is taken when there is none at all; a worker takes its own
} Heap;

void heap_init(Heap *heap, size_t limit_bytes, Arena *arena);
void heap_release(Heap *heap);

// Memory of at least `size` bytes, aligned to 32; its content is arbitrary.
void *heap_take(Heap *heap, size_t size);
void heap_give(Heap *heap, void *memory, size_t size);
// The same, cleared.
void *heap_take_cleared(Heap *heap, size_t size);

// Cleared memory that is never given back, of just this size.
void *heap_take_lasting(Heap *heap, size_t size);

// Does an object of one size have room for one of the other?
bool heap_is_same_size(size_t a, size_t b);

// Who holds the lock may not be running, or has run out of memory.
static inline void spin_lock(atomic_flag *lock) {
  enum { MOST_SPINS = 256 };
  for (uint32_t i = 0; atomic_flag_test_and_set_explicit(lock, memory_order_acquire); i++)
    if (i >= MOST_SPINS) {
      sched_yield();
      arena_follow_worker();
    }
}

static inline void spin_unlock(atomic_flag *lock) {
  atomic_flag_clear_explicit(lock, memory_order_release);
}

#endif
