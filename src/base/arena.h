// Arenas: objects that die together are allocated together and freed at once. When memory runs
// out (or the arena's limit is reached) the arena leaves through its escape, so that callers never
// test an allocation: `api` and the entry of each worker set the one escape. A thread never leaves
// through that of another one.
#ifndef WARPSAN_BASE_ARENA_H
#define WARPSAN_BASE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where to go when memory is exhausted. `setjmp(escape->target)` is called by the owner.
typedef struct MemoryEscape {
  jmp_buf target;
} MemoryEscape;

// Of a thread that shares work, whichever arenas it takes memory from. All who share it leave when
// one of them has, who may hold locks that others wait for.
typedef struct WorkerEscape {
  jmp_buf target;
  atomic_bool *has_left; // one of them has; not owned
} WorkerEscape;

typedef struct ArenaChunk ArenaChunk;

// A limit for several arenas together, which may belong to several threads.
typedef struct ArenaBudget {
  atomic_size_t used_bytes;
  size_t limit_bytes; // 0: no limit
} ArenaBudget;

typedef struct Arena {
  ArenaChunk *chunk;      // newest chunk, linked to the older ones
  uint8_t *next;          // first free byte of `chunk`
  uint8_t *end;           // one past the last byte of `chunk`
  size_t allocated_bytes; // sum of the sizes of all chunks
  size_t limit_bytes;     // 0: no limit
  ArenaBudget *budget;    // NULL: none; otherwise not owned, outlives the arena
  MemoryEscape *escape;   // NULL: abort; otherwise not owned, outlives the arena
} Arena;

typedef struct ArenaMark {
  ArenaChunk *chunk;
  uint8_t *next;
} ArenaMark;

void arena_init(Arena *arena, MemoryEscape *escape, size_t limit_bytes);
void arena_release(Arena *arena);

// With the address sanitizer, poisoned bytes lie between the objects, so that an access past the
// end of one is noticed, as is one of an object that a reset has freed.
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_GUARD_BYTES 16
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_GUARD_BYTES 16
#endif
#endif
#ifdef ARENA_GUARD_BYTES
void arena_unpoison(void *memory, size_t size);
#else
#define ARENA_GUARD_BYTES 0
#define arena_unpoison(memory, size) ((void)0)
#endif

// The part of arena_alloc that needs a new chunk.
void *arena_alloc_slowly(Arena *arena, size_t size, size_t align);

// Zeroed memory, never NULL. `align` is a power of two up to 64.
static inline void *arena_alloc(Arena *arena, size_t size, size_t align) {
  size_t padding = (size_t)(-(uintptr_t)arena->next & (align - 1));
  size_t left = (size_t)((uintptr_t)arena->end - (uintptr_t)arena->next);
  // Less, not equal: so that an empty arena returns no NULL for size 0 either.
  if (size >= left || padding + ARENA_GUARD_BYTES >= left - size)
    return arena_alloc_slowly(arena, size, align);
  uint8_t *memory = arena->next + padding;
  arena->next = memory + size + ARENA_GUARD_BYTES;
  arena_unpoison(memory, size);
  return memory; // what lies behind `next` is zero already
}

// Leaves through the escape, as if an allocation had failed: the thread's own one, if it has one.
_Noreturn void arena_exhaust(Arena *arena);

// The escape of the thread, which outlives the work; NULL: it has none any more.
void arena_set_worker_escape(WorkerEscape *escape);
// To be called while waiting for what another thread may have left behind: leaves if it has.
void arena_follow_worker(void);

// Everything allocated after the mark dies at the reset.
ArenaMark arena_mark(const Arena *arena);
void arena_reset(Arena *arena, ArenaMark mark);

// A copy of `length` bytes of `text`, with a zero byte behind it.
char *arena_copy_text(Arena *arena, const char *text, size_t length);

// printf into the arena.
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_format_list(Arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type), _Alignof(Type)))
#define ARENA_ARRAY(arena, Type, count)                                                            \
  ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count), _Alignof(Type)))

// For tests of memory exhaustion: the n-th chunk allocation from now on fails (0: none does). This
// counter is the one exception to "no global variables that change"; it is safe with threads.
void arena_fail_after(uint64_t chunk_count);

#endif
