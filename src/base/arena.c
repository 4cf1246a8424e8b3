#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if ARENA_GUARD_BYTES > 0
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#endif

// The bytes of a chunk follow its header. Invariant: those from `arena->next` on are zero, in the
// newest chunk; older chunks are never allocated from again before a reset, which clears them.
struct ArenaChunk {
  ArenaChunk *older;
  size_t size; // with the header
};

enum {
  FIRST_CHUNK_BYTES = 64 * 1024,
  LARGEST_CHUNK_BYTES = 64 * 1024 * 1024, // except for single objects that are larger
  LARGEST_ALIGN = 64,
};

static atomic_uint_fast64_t chunks_until_failure;

void arena_fail_after(uint64_t chunk_count) {
  atomic_store(&chunks_until_failure, chunk_count);
}

// Counts one chunk; true for the one that the test asked to fail.
static bool is_chunk_to_fail(void) {
  uint_fast64_t left = atomic_load(&chunks_until_failure);
  while (left > 0)
    if (atomic_compare_exchange_weak(&chunks_until_failure, &left, left - 1))
      return left == 1;
  return false;
}

// Of the thread alone, since arenas that threads share cannot name it.
static _Thread_local WorkerEscape *worker_escape;

void arena_set_worker_escape(WorkerEscape *escape) {
  worker_escape = escape;
}

static _Noreturn void leave_worker(void) {
  atomic_store(worker_escape->has_left, true);
  longjmp(worker_escape->target, 1);
}

void arena_follow_worker(void) {
  if (worker_escape && atomic_load(worker_escape->has_left))
    leave_worker();
}

_Noreturn void arena_exhaust(Arena *arena) {
  if (worker_escape)
    leave_worker();
  if (arena->escape)
    longjmp(arena->escape->target, 1);
  abort();
}

#if ARENA_GUARD_BYTES > 0
void arena_unpoison(void *memory, size_t size) {
  ASAN_UNPOISON_MEMORY_REGION(memory, size);
}
#endif

// Makes memory that was in use free again.
static void clear(uint8_t *begin, const uint8_t *end) {
  size_t size = (size_t)(end - begin);
  ASAN_UNPOISON_MEMORY_REGION(begin, size);
  memset(begin, 0, size);
  ASAN_POISON_MEMORY_REGION(begin, size);
}

static uint8_t *chunk_begin(ArenaChunk *chunk) {
  return (uint8_t *)(chunk + 1);
}

static uint8_t *chunk_end(ArenaChunk *chunk) {
  return (uint8_t *)chunk + chunk->size;
}

// Within the limits of the arena and of its budget.
static size_t count_bytes_left(const Arena *arena) {
  size_t left = arena->limit_bytes ? arena->limit_bytes - arena->allocated_bytes : SIZE_MAX;
  if (!arena->budget || !arena->budget->limit_bytes)
    return left;
  size_t used = atomic_load(&arena->budget->used_bytes), limit = arena->budget->limit_bytes;
  size_t common = used < limit ? limit - used : 0;
  return common < left ? common : left;
}

// As much again as the arena has already, but not past the limits; at least `needed`.
static size_t choose_chunk_size(const Arena *arena, size_t needed) {
  size_t size = arena->allocated_bytes;
  if (size < FIRST_CHUNK_BYTES)
    size = FIRST_CHUNK_BYTES;
  if (size > LARGEST_CHUNK_BYTES)
    size = LARGEST_CHUNK_BYTES;
  if (size > count_bytes_left(arena))
    size = count_bytes_left(arena);
  return size > needed ? size : needed;
}

static void add_chunk(Arena *arena, size_t needed) {
  size_t size = choose_chunk_size(arena, needed);
  if (size > count_bytes_left(arena))
    arena_exhaust(arena);
  ArenaChunk *chunk = is_chunk_to_fail() ? NULL : calloc(1, size);
  if (!chunk)
    arena_exhaust(arena);
  chunk->older = arena->chunk;
  chunk->size = size;
  arena->allocated_bytes += size;
  if (arena->budget)
    atomic_fetch_add(&arena->budget->used_bytes, size);
  arena->chunk = chunk;
  arena->next = chunk_begin(chunk);
  arena->end = chunk_end(chunk);
  ASAN_POISON_MEMORY_REGION(arena->next, (size_t)(arena->end - arena->next));
}

void arena_init(Arena *arena, MemoryEscape *escape, size_t limit_bytes) {
  *arena = (Arena){.escape = escape, .limit_bytes = limit_bytes};
}

void arena_release(Arena *arena) {
  arena_reset(arena, (ArenaMark){0});
}

void *arena_alloc_slowly(Arena *arena, size_t size, size_t align) {
  assert(align > 0 && align <= LARGEST_ALIGN && (align & (align - 1)) == 0);
  size_t overhead = sizeof(ArenaChunk) + LARGEST_ALIGN + ARENA_GUARD_BYTES;
  if (size > PTRDIFF_MAX - overhead)
    arena_exhaust(arena);
  add_chunk(arena, size + overhead);
  return arena_alloc(arena, size, align);
}

ArenaMark arena_mark(const Arena *arena) {
  return (ArenaMark){arena->chunk, arena->next};
}

// Frees the newest chunk.
static void drop_chunk(Arena *arena) {
  ArenaChunk *chunk = arena->chunk;
  arena->chunk = chunk->older;
  arena->allocated_bytes -= chunk->size;
  if (arena->budget)
    atomic_fetch_sub(&arena->budget->used_bytes, chunk->size);
  free(chunk);
}

void arena_reset(Arena *arena, ArenaMark mark) {
  uint8_t *used_end = arena->next;
  while (arena->chunk != mark.chunk) {
    assert(arena->chunk && "the mark is of this arena, and older than any reset since");
    drop_chunk(arena);
    used_end = arena->chunk ? chunk_end(arena->chunk) : NULL;
  }
  if (mark.next)
    clear(mark.next, used_end);
  arena->next = mark.next;
  arena->end = arena->chunk ? chunk_end(arena->chunk) : NULL;
}

char *arena_copy_text(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1, 1);
  if (length > 0)
    memcpy(copy, text, length);
  return copy;
}

char *arena_format_list(Arena *arena, const char *format, va_list arguments) {
  va_list measured;
  va_copy(measured, arguments);
  int length = vsnprintf(NULL, 0, format, measured);
  va_end(measured);
  assert(length >= 0 && "the format is valid");
  char *text = arena_alloc(arena, (size_t)length + 1, 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *arena_format(Arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = arena_format_list(arena, format, arguments);
  va_end(arguments);
  return text;
}
