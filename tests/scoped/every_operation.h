// Every operation of scoped.h on every type that it takes, as a user's code has them: what
// compilers say about it with all warnings is held against nothing (warnings.py).
#include <warpsan/scoped.h>

#if defined(__CUDACC__)
#define BOTH_SIDES __host__ __device__
#else
#define BOTH_SIDES
#endif

#define DEVICE scoped_thread_scope_device
#define RELAXED scoped_memory_order_relaxed
#define ACQUIRE scoped_memory_order_acquire
#define RELEASE scoped_memory_order_release
#define BOTH scoped_memory_order_acq_rel

#define DEFINE_NUMBERS(type, name)                                                                 \
  static inline BOTH_SIDES type use_##name(type *object, type value) {                             \
    type expected = value, found = scoped_atomic_load_explicit(object, ACQUIRE, DEVICE);           \
    scoped_atomic_store_explicit(object, found, RELEASE, DEVICE);                                  \
    found = scoped_atomic_exchange_explicit(object, value, BOTH, DEVICE);                          \
    found = scoped_atomic_fetch_add_explicit(object, value, BOTH, DEVICE);                         \
    found = scoped_atomic_fetch_sub_explicit(object, 1, BOTH, DEVICE);                             \
    found = scoped_atomic_fetch_min_explicit(object, value, BOTH, DEVICE);                         \
    found = scoped_atomic_fetch_max_explicit(object, found, BOTH, DEVICE);                         \
    scoped_atomic_add_explicit(object, value, RELAXED, DEVICE);                                    \
    scoped_atomic_sub_explicit(object, value, RELAXED, DEVICE);                                    \
    scoped_atomic_min_explicit(object, value, RELAXED, DEVICE);                                    \
    scoped_atomic_max_explicit(object, value, RELAXED, DEVICE);                                    \
    if (scoped_atomic_compare_exchange_strong_explicit(object, &expected, value, BOTH, ACQUIRE,    \
                                                       DEVICE))                                    \
      scoped_atomic_notify_all(object, DEVICE);                                                    \
    if (!scoped_atomic_compare_exchange_weak(object, &expected, value, DEVICE))                    \
      scoped_atomic_notify_one(object, DEVICE);                                                    \
    scoped_atomic_wait_explicit(object, value, ACQUIRE, DEVICE);                                   \
    scoped_atomic_store(object, scoped_atomic_load(object, DEVICE), DEVICE);                       \
    found = scoped_atomic_exchange(object, found, DEVICE);                                         \
    scoped_plain_store(object, scoped_volatile_load(object));                                      \
    scoped_volatile_store(object, scoped_plain_load(object));                                      \
    scoped_spin_while(scoped_atomic_load_explicit(object, RELAXED, DEVICE) == value) {             \
    }                                                                                              \
    scoped_assert(found == value || expected == value);                                            \
    return scoped_atomic_fetch_add(object, found, DEVICE);                                         \
  }

#define DEFINE_BITS(type, name)                                                                    \
  static inline BOTH_SIDES type use_bits_of_##name(type *object, type value) {                     \
    type found = scoped_atomic_fetch_and_explicit(object, value, BOTH, DEVICE);                    \
    found = scoped_atomic_fetch_or_explicit(object, found, BOTH, DEVICE);                          \
    scoped_atomic_and_explicit(object, value, RELAXED, DEVICE);                                    \
    scoped_atomic_or_explicit(object, value, RELAXED, DEVICE);                                     \
    scoped_atomic_xor_explicit(object, value, RELAXED, DEVICE);                                    \
    return scoped_atomic_fetch_xor_explicit(object, found, BOTH, DEVICE);                          \
  }

#define TYPES(USE)                                                                                 \
  USE(char, char)                                                                                  \
  USE(signed char, schar)                                                                          \
  USE(unsigned char, uchar)                                                                        \
  USE(short, short)                                                                                \
  USE(unsigned short, ushort)                                                                      \
  USE(int, int)                                                                                    \
  USE(unsigned, uint)                                                                              \
  USE(long, long)                                                                                  \
  USE(unsigned long, ulong)                                                                        \
  USE(long long, llong)                                                                            \
  USE(unsigned long long, ullong)                                                                  \
  USE(int8_t, int8)                                                                                \
  USE(uint16_t, uint16)                                                                            \
  USE(int64_t, int64)                                                                              \
  USE(size_t, size)

TYPES(DEFINE_NUMBERS)
TYPES(DEFINE_BITS)
DEFINE_NUMBERS(float, float)
DEFINE_NUMBERS(double, double)

static inline BOTH_SIDES bool use_bool(bool *object, bool value) {
  bool expected = scoped_atomic_load_explicit(object, ACQUIRE, DEVICE);
  scoped_atomic_store_explicit(object, value, RELEASE, DEVICE);
  return scoped_atomic_compare_exchange_strong(object, &expected, true, DEVICE) ||
         scoped_atomic_exchange_explicit(object, false, BOTH, DEVICE);
}

typedef struct Node {
  struct Node *next;
} Node;

static inline BOTH_SIDES Node *use_pointer(Node **object, Node *node) {
  node->next = scoped_atomic_load_explicit(object, ACQUIRE, DEVICE);
  while (!scoped_atomic_compare_exchange_weak_explicit(object, &node->next, node, RELEASE, RELAXED,
                                                       DEVICE)) {
  }
  scoped_atomic_store_explicit(object, NULL, RELEASE, DEVICE);
  return scoped_atomic_exchange_explicit(object, node, BOTH, DEVICE);
}

static inline BOTH_SIDES void do_nothing(void *context) {
  (void)context;
}

typedef struct Objects {
  scoped_barrier barrier;
  scoped_latch latch;
  scoped_counting_semaphore many;
  scoped_binary_semaphore one;
  scoped_stop_source source;
  scoped_stop_callback callback;
  bool truth;
  Node *node;
} Objects;

static inline BOTH_SIDES void use_barrier(scoped_barrier *barrier) {
  scoped_barrier_init(barrier, 2, do_nothing, NULL);
  scoped_barrier_arrive_and_wait(barrier, DEVICE);
  scoped_barrier_wait(barrier, scoped_barrier_arrive_n(barrier, 2, DEVICE), DEVICE);
  scoped_barrier_arrive_and_drop(barrier, DEVICE);
}

static inline BOTH_SIDES void use_latch(scoped_latch *latch) {
  scoped_latch_init(latch, 2);
  scoped_latch_count_down(latch, 1, DEVICE);
  if (!scoped_latch_try_wait(latch, DEVICE))
    scoped_latch_arrive_and_wait(latch, 1, DEVICE);
  scoped_latch_wait(latch, DEVICE);
}

static inline BOTH_SIDES void use_semaphores(Objects *objects) {
  scoped_counting_semaphore_init(&objects->many, 2);
  scoped_counting_semaphore_release(&objects->many, 1, DEVICE);
  if (!scoped_counting_semaphore_try_acquire(&objects->many, DEVICE))
    scoped_counting_semaphore_acquire(&objects->many, DEVICE);
  scoped_binary_semaphore_init(&objects->one, 0);
  scoped_binary_semaphore_release(&objects->one, DEVICE);
  if (!scoped_binary_semaphore_try_acquire(&objects->one, DEVICE))
    scoped_binary_semaphore_acquire(&objects->one, DEVICE);
}

static inline BOTH_SIDES void use_stop(Objects *objects) {
  scoped_stop_source_init(&objects->source);
  scoped_stop_token token = scoped_stop_source_get_token(&objects->source);
  scoped_stop_callback_init(&objects->callback, token, do_nothing, NULL, DEVICE);
  if (scoped_stop_possible(token, DEVICE) && !scoped_stop_requested(token, DEVICE))
    scoped_stop_source_request(&objects->source, DEVICE);
  scoped_stop_callback_end(&objects->callback, token, DEVICE);
  scoped_stop_source_close(&objects->source, DEVICE);
}

#define CALL(type, name) sum += (unsigned)use_##name((type *)word, (type)1);
#define CALL_BITS(type, name) sum += (unsigned)use_bits_of_##name((type *)word, (type)1);

static inline BOTH_SIDES unsigned use_everything(void *word, Objects *objects) {
  unsigned sum = 0;
  TYPES(CALL)
  TYPES(CALL_BITS)
  CALL(float, float)
  CALL(double, double)
  scoped_atomic_thread_fence(BOTH, DEVICE);
  scoped_atomic_signal_fence(ACQUIRE);
  use_barrier(&objects->barrier);
  use_latch(&objects->latch);
  use_semaphores(objects);
  use_stop(objects);
  sum += use_bool(&objects->truth, true);
  return use_pointer(&objects->node, objects->node) ? sum : 0;
}
