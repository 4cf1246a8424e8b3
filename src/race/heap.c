#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "race/heap.h"

#include <string.h>
#include <sys/mman.h>

enum {
  SMALLEST = 32,
  PIECE_BYTES = 4 << 20,
  HUGE_PAGE_BYTES = 2 << 20,
  // The limit is soft by this much, so that what is under way when it is reached can end.
  SLACK_BYTES = 64 << 20,
};

void heap_init(Heap *heap, size_t limit_bytes, Arena *arena) {
  memset(heap, 0, sizeof *heap);
  atomic_flag_clear(&heap->lock);
  for (uint32_t i = 0; i < HEAP_SHELVES; i++)
    atomic_flag_clear(&heap->shelves[i].lock);
  heap->limit_bytes = limit_bytes ? limit_bytes : SIZE_MAX - SLACK_BYTES;
  heap->arena = arena;
}

void heap_release(Heap *heap) {
  for (uint32_t i = 0; i < heap->map_count; i++)
    munmap(heap->maps[i].memory, heap->maps[i].size);
  heap->map_count = 0;
}

static uint32_t class_of(size_t size) {
  uint32_t class = 0;
  while (((size_t)SMALLEST << class) < size)
    class ++;
  return class;
}

// Later pieces are larger, so that their table never fills before the address space does.
static size_t piece_size(const Heap *heap, size_t size) {
  size_t piece = (size_t)PIECE_BYTES << heap->map_count / 256;
  return size > piece ? size : piece;
}

// Large pages, where the system has them, cost fewer faults. All of a piece is used before long.
static void *map_bytes(size_t bytes) {
  size_t more = bytes + HUGE_PAGE_BYTES;
  uint8_t *memory = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return MAP_FAILED;
  size_t before = -(uintptr_t)memory % HUGE_PAGE_BYTES, after = HUGE_PAGE_BYTES - before;
  if (before)
    munmap(memory, before);
  munmap(memory + before + bytes, after);
#ifdef MADV_HUGEPAGE
  madvise(memory + before, bytes, MADV_HUGEPAGE);
#endif
  return memory + before;
}

// Called with the lock held, which it gives up if there is no memory.
static void map_piece(Heap *heap, size_t size) {
  size_t bytes = piece_size(heap, size);
  if (heap->mapped_bytes + bytes > heap->limit_bytes)
    atomic_store(&heap->is_full, true);
  bool is_over = heap->mapped_bytes + bytes > heap->limit_bytes + SLACK_BYTES;
  void *memory = is_over || heap->map_count == HEAP_MOST_MAPS ? MAP_FAILED : map_bytes(bytes);
  if (memory == MAP_FAILED) {
    atomic_store(&heap->is_full, true);
    spin_unlock(&heap->lock);
    arena_exhaust(heap->arena);
  }
  heap->maps[heap->map_count].memory = memory;
  heap->maps[heap->map_count++].size = bytes;
  heap->mapped_bytes += bytes;
  heap->next = memory;
  heap->end = heap->next + bytes;
}

// One that few other threads use at the time, or none: told by where the thread's stack lies.
static HeapShelf *own_shelf(Heap *heap) {
  uint32_t stack = (uint32_t)((uintptr_t)__builtin_frame_address(0) >> 20);
  return &heap->shelves[stack * 0x9e3779b1u >> 28];
}

static void *take_new(Heap *heap, size_t bytes) {
  spin_lock(&heap->lock);
  if ((size_t)(heap->end - heap->next) < bytes)
    map_piece(heap, bytes);
  void *memory = heap->next;
  heap->next += bytes;
  spin_unlock(&heap->lock);
  return memory;
}

// Of the newest piece, which is clear; or one that has been given back. Is it clear?
static void *take(Heap *heap, size_t size, bool *is_clear) {
  uint32_t class = class_of(size);
  size_t bytes = (size_t)SMALLEST << class;
  HeapShelf *shelf = own_shelf(heap);
  spin_lock(&shelf->lock);
  void *memory = class < HEAP_CLASSES ? shelf->free_lists[class] : NULL;
  if (memory)
    memcpy(&shelf->free_lists[class], memory, sizeof(void *));
  spin_unlock(&shelf->lock);
  *is_clear = !memory;
  return memory ? memory : take_new(heap, bytes);
}

void *heap_take(Heap *heap, size_t size) {
  bool is_clear;
  return take(heap, size, &is_clear);
}

void *heap_take_cleared(Heap *heap, size_t size) {
  bool is_clear;
  void *memory = take(heap, size, &is_clear);
  return is_clear ? memory : memset(memory, 0, size);
}

void *heap_take_lasting(Heap *heap, size_t size) {
  size_t bytes = (size + SMALLEST - 1) / SMALLEST * SMALLEST;
  return take_new(heap, bytes);
}

bool heap_is_same_size(size_t a, size_t b) {
  return class_of(a) == class_of(b);
}

// Objects of more than the largest class are few: they are kept until the end.
void heap_give(Heap *heap, void *memory, size_t size) {
  uint32_t class = class_of(size);
  if (!memory || class >= HEAP_CLASSES)
    return;
  HeapShelf *shelf = own_shelf(heap);
  spin_lock(&shelf->lock);
  memcpy(memory, &shelf->free_lists[class], sizeof(void *));
  shelf->free_lists[class] = memory;
  spin_unlock(&shelf->lock);
}
