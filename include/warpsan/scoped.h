// Atomic operations with orders and thread scopes for C, on plain objects: what cuda::atomic_ref,
// barrier, latch, counting_semaphore and stop_token are for C++. One source has four meanings:
//
// - device code, of nvcc or of clang for nvptx64: the PTX that the CUDA ABI demands;
// - host code: the atomics of C11 with the same orders, which are at system scope whatever scope is
//   written, so that host threads can work next to a GPU (which then has to use system scope);
// - with WARPSAN_CHECK defined: events of warpsan_check_function (warpsan/warpsan.h, to link with
//   libwarpsan), which explores every execution. Operations of host threads count as system scope;
// - the same outside of every check: the operation is carried out at once, for one thread.
//
// Objects are integers, pointers, float and double of 1, 2, 4 or 8 bytes, aligned to their size.
// Names are those of <stdatomic.h> with `scoped_` before them and a scope behind the orders:
//
//   scoped_atomic_store_explicit(&flag, 1, scoped_memory_order_release,
//   scoped_thread_scope_device);
//
// The forms without _explicit are seq_cst. Macros evaluate each argument once. Needs C17 or C++11
// with the extensions that gcc, clang and nvcc share (statement expressions, __typeof__), and a
// little-endian machine. docs/scoped.md describes each operation.
#ifndef WARPSAN_SCOPED_H
#define WARPSAN_SCOPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum scoped_thread_scope {
  scoped_thread_scope_thread,
  scoped_thread_scope_block,
  scoped_thread_scope_cluster, // sm_90 and later
  scoped_thread_scope_device,
  scoped_thread_scope_system,
} scoped_thread_scope;

typedef enum scoped_memory_order {
  scoped_memory_order_relaxed = 1,
  scoped_memory_order_acquire,
  scoped_memory_order_release,
  scoped_memory_order_acq_rel,
  scoped_memory_order_seq_cst,
} scoped_memory_order;

// --- which meaning

#if defined(WARPSAN_CHECK)
#define SCOPED_MODE_CHECK 1
#elif defined(__CUDA_ARCH__) || defined(__NVPTX__)
#define SCOPED_MODE_DEVICE 1
#else
#define SCOPED_MODE_HOST 1
#endif

#if defined(__CUDACC__)
#define SCOPED_FUNCTION static __host__ __device__ __forceinline__
#define SCOPED_DEVICE_FUNCTION static __device__ __forceinline__
#else
#define SCOPED_DEVICE_FUNCTION SCOPED_FUNCTION
#define SCOPED_FUNCTION static inline __attribute__((always_inline, unused))
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "warpsan/scoped.h needs a little-endian machine"
#endif

// What the bits of an object mean to fetch_add, fetch_min and fetch_max.
enum { SCOPED_UNSIGNED, SCOPED_SIGNED, SCOPED_FLOAT };

#ifdef __cplusplus
extern "C++" {
template <typename Type> struct scoped_kind {
  enum { value = Type(-1) < Type(0) ? SCOPED_SIGNED : SCOPED_UNSIGNED };
};
template <typename Type> struct scoped_kind<Type *> {
  enum { value = SCOPED_UNSIGNED };
};
template <> struct scoped_kind<bool> {
  enum { value = SCOPED_UNSIGNED };
};
template <> struct scoped_kind<float> {
  enum { value = SCOPED_FLOAT };
};
template <> struct scoped_kind<double> {
  enum { value = SCOPED_FLOAT };
};
}
#define SCOPED_KIND(object) scoped_kind<__typeof__(*(object))>::value
#else
// clang-format off
#define SCOPED_KIND(object)                                                                        \
  _Generic(*(object), float: SCOPED_FLOAT, double: SCOPED_FLOAT, signed char: SCOPED_SIGNED,        \
           char: (char)-1 < 0 ? SCOPED_SIGNED : SCOPED_UNSIGNED, short: SCOPED_SIGNED,              \
           int: SCOPED_SIGNED, long: SCOPED_SIGNED, long long: SCOPED_SIGNED,                      \
           default: SCOPED_UNSIGNED)
// clang-format on
#endif

// An object's value and its bits, zero-extended.
#define SCOPED_UNION(object)                                                                       \
  union {                                                                                          \
    uint64_t bits;                                                                                 \
    __typeof__(*(object)) value;                                                                   \
  }

// The order of a compare-exchange that has to do for success and failure, as in compiled code.
SCOPED_FUNCTION scoped_memory_order scoped_join_orders(scoped_memory_order success,
                                                       scoped_memory_order failure) {
  if (failure == scoped_memory_order_seq_cst)
    return failure;
  if (failure == scoped_memory_order_acquire && success == scoped_memory_order_relaxed)
    return scoped_memory_order_acquire;
  if (failure == scoped_memory_order_acquire && success == scoped_memory_order_release)
    return scoped_memory_order_acq_rel;
  return success;
}

SCOPED_FUNCTION uint64_t scoped_float_bits(float value) {
  union {
    float value;
    uint32_t bits;
  } pun;
  pun.value = value;
  return pun.bits;
}

SCOPED_FUNCTION float scoped_bits_float(uint64_t bits) {
  union {
    uint32_t bits;
    float value;
  } pun;
  pun.bits = (uint32_t)bits;
  return pun.value;
}

SCOPED_FUNCTION uint64_t scoped_double_bits(double value) {
  union {
    double value;
    uint64_t bits;
  } pun;
  pun.value = value;
  return pun.bits;
}

SCOPED_FUNCTION double scoped_bits_double(uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } pun;
  pun.bits = bits;
  return pun.value;
}

// Operations, as the checker counts them.
enum {
  SCOPED_LOAD = 1,
  SCOPED_STORE,
  SCOPED_EXCHANGE,
  SCOPED_COMPARE_EXCHANGE,
  SCOPED_ADD,
  SCOPED_AND,
  SCOPED_OR,
  SCOPED_XOR,
  SCOPED_MIN,
  SCOPED_MAX,
  SCOPED_FENCE,
  SCOPED_SYNC,
  SCOPED_SYNC_AND,
  SCOPED_SYNC_OR,
  SCOPED_SYNC_COUNT,
  SCOPED_BARRIER_SYNC,
  SCOPED_BARRIER_ARRIVE,
  SCOPED_SYNC_WARP,
  SCOPED_SHUFFLE,
  SCOPED_SHUFFLE_UP,
  SCOPED_SHUFFLE_DOWN,
  SCOPED_SHUFFLE_XOR,
  SCOPED_VOTE_ALL,
  SCOPED_VOTE_ANY,
  SCOPED_BALLOT,
  SCOPED_MATCH_ANY,
  SCOPED_REDUCE_ADD,
  SCOPED_CLUSTER_ARRIVE,
  SCOPED_CLUSTER_WAIT,
  SCOPED_ASSERT,
  SCOPED_ROUND,
  SCOPED_NEXT_ROUND,
};

// What an update leaves behind of `old`.
SCOPED_FUNCTION uint64_t scoped_float_updated(int operation, size_t size, uint64_t old,
                                              uint64_t value) {
  if (size == 4) {
    float a = scoped_bits_float(old), b = scoped_bits_float(value);
    return scoped_float_bits(operation == SCOPED_ADD   ? a + b
                             : operation == SCOPED_MIN ? (b < a ? b : a)
                                                       : (a < b ? b : a));
  }
  double a = scoped_bits_double(old), b = scoped_bits_double(value);
  return scoped_double_bits(operation == SCOPED_ADD   ? a + b
                            : operation == SCOPED_MIN ? (b < a ? b : a)
                                                      : (a < b ? b : a));
}

SCOPED_FUNCTION bool scoped_is_less(int kind, size_t size, uint64_t a, uint64_t b) {
  if (kind != SCOPED_SIGNED)
    return a < b;
  uint64_t flip = (uint64_t)1 << (8 * size - 1);
  return (a ^ flip) < (b ^ flip);
}

SCOPED_FUNCTION uint64_t scoped_updated(int operation, int kind, size_t size, uint64_t old,
                                        uint64_t value) {
  uint64_t mask = size == 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * (size & 7)) - 1;
  if (kind == SCOPED_FLOAT && operation >= SCOPED_ADD &&
      (operation == SCOPED_ADD || operation >= SCOPED_MIN))
    return scoped_float_updated(operation, size, old, value);
  switch (operation) {
  case SCOPED_ADD:
    return (old + value) & mask;
  case SCOPED_AND:
    return old & value;
  case SCOPED_OR:
    return old | value;
  case SCOPED_XOR:
    return old ^ value;
  case SCOPED_MIN:
    return scoped_is_less(kind, size, value, old) ? value : old;
  case SCOPED_MAX:
    return scoped_is_less(kind, size, old, value) ? value : old;
  default:
    return value;
  }
}

// --- the operations of each meaning

#if defined(SCOPED_MODE_CHECK)
#include "scoped_check.inc"
#elif defined(SCOPED_MODE_DEVICE)
#include "scoped_device.inc"
#else
#include "scoped_host.inc"
#endif

#if !defined(SCOPED_MODE_CHECK)

// Waits while the condition holds. It may depend only on what it reads, not on how often.
#define scoped_spin_while(condition) for (; (condition); scoped_pause())

// Accesses that are not atomic, and volatile ones; events under the checker.
#define scoped_plain_load(object) (*(object))
#define scoped_plain_store(object, stored) ((void)(*(object) = (stored)))
#define scoped_volatile_load(object) (*(const volatile __typeof__(*(object)) *)(object))
#define scoped_volatile_store(object, stored)                                                      \
  ((void)(*(volatile __typeof__(*(object)) *)(object) = (stored)))

// Holds in every execution that the checker explores; otherwise not evaluated.
#define scoped_assert(condition) ((void)sizeof((condition) ? 1 : 0))

#endif

// ---------------------------------------------------------------- atomic operations

#define scoped_atomic_load_explicit(object, order, scope)                                          \
  __extension__({                                                                                  \
    SCOPED_UNION(object) scoped_r;                                                                 \
    scoped_r.bits =                                                                                \
        scoped_load_bits(SCOPED_SITE(#object), (object), sizeof *(object), (order), (scope));      \
    scoped_r.value;                                                                                \
  })

#define scoped_atomic_store_explicit(object, desired, order, scope)                                \
  __extension__({                                                                                  \
    SCOPED_UNION(object) scoped_w;                                                                 \
    scoped_w.bits = 0;                                                                             \
    scoped_w.value = (desired);                                                                    \
    scoped_store_bits(SCOPED_SITE(#object ", " #desired), (object), sizeof *(object),              \
                      scoped_w.bits, (order), (scope));                                            \
  })

#define SCOPED_UPDATE(text, operation, object, operand, order, scope)                              \
  __extension__({                                                                                  \
    SCOPED_UNION(object) scoped_a;                                                                 \
    scoped_a.bits = 0;                                                                             \
    scoped_a.value = (operand);                                                                    \
    scoped_a.bits =                                                                                \
        scoped_update_bits(SCOPED_SITE(text), (operation), SCOPED_KIND(object), (object),          \
                           sizeof *(object), scoped_a.bits, (order), (scope));                     \
    scoped_a.value;                                                                                \
  })

// An operand becomes a value of the object's type first: 1u taken from 64 bits is not 2^32 - 1
// added.
#define SCOPED_MINUS(object, operand) ((__typeof__(*(object)))(-(__typeof__(*(object)))(operand)))

// Each returns the value before.
#define scoped_atomic_exchange_explicit(object, desired, order, scope)                             \
  SCOPED_UPDATE(#object ", " #desired, SCOPED_EXCHANGE, object, desired, order, scope)
#define scoped_atomic_fetch_add_explicit(object, operand, order, scope)                            \
  SCOPED_UPDATE(#object ", " #operand, SCOPED_ADD, object, operand, order, scope)
#define scoped_atomic_fetch_sub_explicit(object, operand, order, scope)                            \
  SCOPED_UPDATE(#object ", -" #operand, SCOPED_ADD, object, SCOPED_MINUS(object, operand), order,  \
                scope)
#define scoped_atomic_fetch_and_explicit(object, operand, order, scope)                            \
  SCOPED_UPDATE(#object ", " #operand, SCOPED_AND, object, operand, order, scope)
#define scoped_atomic_fetch_or_explicit(object, operand, order, scope)                             \
  SCOPED_UPDATE(#object ", " #operand, SCOPED_OR, object, operand, order, scope)
#define scoped_atomic_fetch_xor_explicit(object, operand, order, scope)                            \
  SCOPED_UPDATE(#object ", " #operand, SCOPED_XOR, object, operand, order, scope)
#define scoped_atomic_fetch_min_explicit(object, operand, order, scope)                            \
  SCOPED_UPDATE(#object ", " #operand, SCOPED_MIN, object, operand, order, scope)
#define scoped_atomic_fetch_max_explicit(object, operand, order, scope)                            \
  SCOPED_UPDATE(#object ", " #operand, SCOPED_MAX, object, operand, order, scope)

#if defined(SCOPED_MODE_CHECK)
#define SCOPED_UPDATE_ONLY(text, operation, object, operand, order, scope)                         \
  __extension__({                                                                                  \
    SCOPED_UNION(object) scoped_a;                                                                 \
    scoped_a.bits = 0;                                                                             \
    scoped_a.value = (operand);                                                                    \
    scoped_update_only_bits(SCOPED_SITE(text), (operation), SCOPED_KIND(object), (object),         \
                            sizeof *(object), scoped_a.bits, (order), (scope));                    \
  })
#else
#define SCOPED_UPDATE_ONLY(text, operation, object, operand, order, scope)                         \
  ((void)SCOPED_UPDATE(text, operation, object, operand, order, scope))
#endif

// The same without a result: the checker explores fewer executions.
#define scoped_atomic_add_explicit(object, operand, order, scope)                                  \
  SCOPED_UPDATE_ONLY(#object ", " #operand, SCOPED_ADD, object, operand, order, scope)
#define scoped_atomic_sub_explicit(object, operand, order, scope)                                  \
  SCOPED_UPDATE_ONLY(#object ", -" #operand, SCOPED_ADD, object, SCOPED_MINUS(object, operand),    \
                     order, scope)
#define scoped_atomic_and_explicit(object, operand, order, scope)                                  \
  SCOPED_UPDATE_ONLY(#object ", " #operand, SCOPED_AND, object, operand, order, scope)
#define scoped_atomic_or_explicit(object, operand, order, scope)                                   \
  SCOPED_UPDATE_ONLY(#object ", " #operand, SCOPED_OR, object, operand, order, scope)
#define scoped_atomic_xor_explicit(object, operand, order, scope)                                  \
  SCOPED_UPDATE_ONLY(#object ", " #operand, SCOPED_XOR, object, operand, order, scope)
#define scoped_atomic_min_explicit(object, operand, order, scope)                                  \
  SCOPED_UPDATE_ONLY(#object ", " #operand, SCOPED_MIN, object, operand, order, scope)
#define scoped_atomic_max_explicit(object, operand, order, scope)                                  \
  SCOPED_UPDATE_ONLY(#object ", " #operand, SCOPED_MAX, object, operand, order, scope)

// True if the object was *expected, bit for bit, and is `desired` now; otherwise *expected is what
// it was. Compiled device code has one order, the least that does for success and failure.
#define scoped_atomic_compare_exchange_strong_explicit(object, expected, desired, success,         \
                                                       failure, scope)                             \
  __extension__({                                                                                  \
    SCOPED_UNION(object) scoped_e;                                                                 \
    SCOPED_UNION(object) scoped_d;                                                                 \
    __typeof__(expected) scoped_p = (expected);                                                    \
    scoped_e.bits = scoped_d.bits = 0;                                                             \
    scoped_e.value = *scoped_p;                                                                    \
    scoped_d.value = (desired);                                                                    \
    uint64_t scoped_found = scoped_swap_bits(SCOPED_SITE(#object ", " #expected ", " #desired),    \
                                             (object), sizeof *(object), scoped_e.bits,            \
                                             scoped_d.bits, (success), (failure), (scope));        \
    bool scoped_is_done = scoped_found == scoped_e.bits;                                           \
    scoped_e.bits = scoped_found;                                                                  \
    if (!scoped_is_done)                                                                           \
      *scoped_p = scoped_e.value;                                                                  \
    scoped_is_done;                                                                                \
  })

// The weak one may fail although the object was *expected; no meaning makes use of that.
#define scoped_atomic_compare_exchange_weak_explicit(object, expected, desired, success, failure,  \
                                                     scope)                                        \
  scoped_atomic_compare_exchange_strong_explicit(object, expected, desired, success, failure, scope)

// Waits until the object is not `old`, bit for bit. It polls: notifications do nothing.
#define scoped_atomic_wait_explicit(object, old, order, scope)                                     \
  __extension__({                                                                                  \
    SCOPED_UNION(object) scoped_o;                                                                 \
    __typeof__(object) scoped_p = (object);                                                        \
    scoped_o.bits = 0;                                                                             \
    scoped_o.value = (old);                                                                        \
    scoped_spin_while(scoped_load_bits(SCOPED_SITE(#object), scoped_p, sizeof *scoped_p, (order),  \
                                       (scope)) == scoped_o.bits) {                                \
    }                                                                                              \
  })
#define scoped_atomic_notify_one(object, scope) ((void)(object), (void)(scope))
#define scoped_atomic_notify_all(object, scope) ((void)(object), (void)(scope))

#define scoped_atomic_thread_fence(order, scope) scoped_fence(SCOPED_SITE(""), (order), (scope))

// The same with seq_cst order.
#define scoped_atomic_load(object, scope)                                                          \
  scoped_atomic_load_explicit(object, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_store(object, desired, scope)                                                \
  scoped_atomic_store_explicit(object, desired, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_exchange(object, desired, scope)                                             \
  scoped_atomic_exchange_explicit(object, desired, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_compare_exchange_strong(object, expected, desired, scope)                    \
  scoped_atomic_compare_exchange_strong_explicit(                                                  \
      object, expected, desired, scoped_memory_order_seq_cst, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_compare_exchange_weak(object, expected, desired, scope)                      \
  scoped_atomic_compare_exchange_strong(object, expected, desired, scope)
#define scoped_atomic_fetch_add(object, operand, scope)                                            \
  scoped_atomic_fetch_add_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_fetch_sub(object, operand, scope)                                            \
  scoped_atomic_fetch_sub_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_fetch_and(object, operand, scope)                                            \
  scoped_atomic_fetch_and_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_fetch_or(object, operand, scope)                                             \
  scoped_atomic_fetch_or_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_fetch_xor(object, operand, scope)                                            \
  scoped_atomic_fetch_xor_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_fetch_min(object, operand, scope)                                            \
  scoped_atomic_fetch_min_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_fetch_max(object, operand, scope)                                            \
  scoped_atomic_fetch_max_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_add(object, operand, scope)                                                  \
  scoped_atomic_add_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_sub(object, operand, scope)                                                  \
  scoped_atomic_sub_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_and(object, operand, scope)                                                  \
  scoped_atomic_and_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_or(object, operand, scope)                                                   \
  scoped_atomic_or_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_xor(object, operand, scope)                                                  \
  scoped_atomic_xor_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_min(object, operand, scope)                                                  \
  scoped_atomic_min_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_max(object, operand, scope)                                                  \
  scoped_atomic_max_explicit(object, operand, scoped_memory_order_seq_cst, scope)
#define scoped_atomic_wait(object, old, scope)                                                     \
  scoped_atomic_wait_explicit(object, old, scoped_memory_order_seq_cst, scope)

// ---------------------------------------------------------------- threads of a grid, and objects

#if defined(SCOPED_MODE_CHECK) || defined(SCOPED_MODE_DEVICE) || defined(__CUDACC__)
#include "scoped_threads.inc"
#endif
#include "scoped_objects.inc"

#endif
