// Known data structures, written with scoped.h, and the programs that check them. Every order and
// scope in them is a place that can be weakened: O(order), S(scope). mutants.c does that.
#ifndef WARPSAN_TESTS_STRUCTURE_H
#define WARPSAN_TESTS_STRUCTURE_H

#ifndef WARPSAN_CHECK
#define WARPSAN_CHECK
#endif
#include <warpsan/scoped.h>
#include <warpsan/warpsan.h>

// A place with an order or a scope; found when it is first come to.
typedef struct Place {
  const char *file;
  int line;
  const char *written;
  bool is_scope;
  int value; // as it is written
  bool is_known;
  struct Place *next;
} Place;

int place_value(Place *place);

#define PLACE(name, written_value, scope)                                                          \
  __extension__({                                                                                  \
    static Place here = {__FILE__, __LINE__, name, scope, (int)(written_value), false, NULL};      \
    place_value(&here);                                                                            \
  })
#define O(order) ((scoped_memory_order)PLACE(#order, scoped_memory_order_##order, false))
#define S(scope) ((scoped_thread_scope)PLACE(#scope, scoped_thread_scope_##scope, true))

// The number of the mistake that is made now, 0: none.
int mistake(void);

typedef struct Structure {
  const char *name;
  unsigned least_threads, most_threads;
  // Sets the memory, declares it, and adds launches for that many threads.
  void (*prepare)(WarpsanTest *test, unsigned threads);
  const char *mistakes[8]; // what each is, from 1 on; NULL: no more
} Structure;

extern const Structure spin_lock, ticket_lock, mcs_lock, sequence_lock, treiber_stack,
    michael_scott;
extern const Structure bounded_ring, published_pointer, chase_lev, sense_barrier, two_level_barrier;
extern const Structure look_back;
extern const Structure peterson_lock, rw_lock, two_writers, event_counter, slot_pool;
extern const Structure hazard_pointers, epochs, blocking_queue, completion_barrier, work_latch,
    stop_callbacks;

// Runs `function` in `blocks` blocks of `threads` threads.
void launch_grid(WarpsanTest *test, const char *name, WarpsanFunction *function, unsigned blocks,
                 unsigned threads);

#define DECLARE(test, object) warpsan_test_memory(test, #object, &(object), sizeof(object))
#define FINALLY(test, holds) warpsan_test_final(test, holds, NULL, __FILE__, __LINE__, #holds)

#endif
