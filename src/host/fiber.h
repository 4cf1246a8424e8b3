// Fibers: C functions that are left in the middle and entered again, each on a stack of its own.
// One thread of the system runs them, one at a time. The address and the thread sanitizer are told.
#ifndef WARPSAN_HOST_FIBER_H
#define WARPSAN_HOST_FIBER_H

#include <stddef.h>

typedef void FiberEntry(void *context);

typedef struct Fiber {
  char *stack; // lowest byte, not owned
  size_t stack_bytes;
  FiberEntry *entry; // does not return: it leaves for good
  void *context;
  void *inside, *outside; // where the side that does not run goes on
  // What the sanitizers want to be kept.
  void *fake_inside, *fake_outside;
  const void *outside_stack;
  size_t outside_bytes;
  void *tsan_inside, *tsan_outside;
} Fiber;

// Begins a fiber, of which stack, entry and context are set and the rest was zeroed before the
// first time. One that has begun before forgets what it was doing.
void fiber_begin(Fiber *fiber);
// Runs the fiber until it leaves.
void fiber_enter(Fiber *fiber);
// Called in the fiber.
void fiber_leave(Fiber *fiber);
// Gives back what the sanitizers hold for it.
void fiber_release(Fiber *fiber);

#endif
