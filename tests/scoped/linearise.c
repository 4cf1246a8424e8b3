// The operations of scoped.h on the host: threads call them, and the history that they leave must
// be that of some order of the calls that agrees with real time. Also under the thread sanitizer,
// which sees whether the orders are what they are called.
#include <warpsan/scoped.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYSTEM scoped_thread_scope_system
#define RELAXED scoped_memory_order_relaxed
#define ACQUIRE scoped_memory_order_acquire
#define RELEASE scoped_memory_order_release
#define ACQ_REL scoped_memory_order_acq_rel
#define SEQ_CST scoped_memory_order_seq_cst

enum { THREADS = 3, CALLS = 4, ROUNDS = 4000, MESSAGES = 20000 };

static int failures;

static void expect(bool holds, const char *what) {
  if (holds)
    return;
  failures++;
  printf("failed: %s\n", what);
}

static void run_threads(unsigned count, void *(*function)(void *)) {
  pthread_t threads[8];
  for (uintptr_t i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, function, (void *)i) != 0)
      abort();
  for (unsigned i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}

// ---------------------------------------------------------------- histories

typedef enum CallKind {
  READ,
  WRITE,
  EXCHANGE,
  SWAP,
  ADD,
  AND,
  OR,
  XOR,
  MIN,
  MAX,
  CALL_KINDS
} CallKind;

typedef struct Call {
  CallKind kind;
  int operand, expected, result;
  uint64_t begin, end; // tickets
} Call;

// What each kind of call does to a register.
static int apply(const Call *call, int *value) {
  int old = *value;
  switch (call->kind) {
  case WRITE:
  case EXCHANGE:
    *value = call->operand;
    break;
  case SWAP:
    *value = old == call->expected ? call->operand : old;
    break;
  case ADD:
    *value = (int)((unsigned)old + (unsigned)call->operand);
    break;
  case AND:
    *value = old & call->operand;
    break;
  case OR:
    *value = old | call->operand;
    break;
  case XOR:
    *value = old ^ call->operand;
    break;
  case MIN:
    *value = call->operand < old ? call->operand : old;
    break;
  case MAX:
    *value = call->operand > old ? call->operand : old;
    break;
  default:
    break;
  }
  return call->kind == WRITE ? 0 : old;
}

static Call calls[THREADS][CALLS];
static uint64_t ticket;

// Can the calls from next[] on be put in an order that explains their results?
static bool has_order(const unsigned *next, int value) {
  uint64_t first_end = UINT64_MAX;
  bool is_over = true;
  for (int t = 0; t < THREADS; t++)
    if (next[t] < CALLS) {
      is_over = false;
      if (calls[t][next[t]].end < first_end)
        first_end = calls[t][next[t]].end;
    }
  if (is_over)
    return true;
  for (int t = 0; t < THREADS; t++) {
    if (next[t] == CALLS || calls[t][next[t]].begin > first_end)
      continue;
    unsigned later[THREADS];
    int changed = value;
    memcpy(later, next, sizeof later);
    later[t]++;
    if (apply(&calls[t][next[t]], &changed) == calls[t][next[t]].result &&
        has_order(later, changed))
      return true;
  }
  return false;
}

// One object of each type, which holds small numbers only.
#define DEFINE_TYPE(Type, name, has_bits)                                                          \
  static Type object_##name;                                                                       \
  static int do_##name(const Call *call) {                                                         \
    Type *o = &object_##name;                                                                      \
    Type v = (Type)call->operand, e = (Type)call->expected;                                        \
    switch (call->kind) {                                                                          \
    case READ:                                                                                     \
      return (int)scoped_atomic_load_explicit(o, ACQUIRE, SYSTEM);                                 \
    case WRITE:                                                                                    \
      scoped_atomic_store_explicit(o, v, RELEASE, SYSTEM);                                         \
      return 0;                                                                                    \
    case EXCHANGE:                                                                                 \
      return (int)scoped_atomic_exchange_explicit(o, v, ACQ_REL, SYSTEM);                          \
    case SWAP:                                                                                     \
      scoped_atomic_compare_exchange_strong_explicit(o, &e, v, ACQ_REL, ACQUIRE, SYSTEM);          \
      return (int)e;                                                                               \
    case ADD:                                                                                      \
      return (int)scoped_atomic_fetch_add(o, v, SYSTEM);                                           \
    case MIN:                                                                                      \
      return (int)scoped_atomic_fetch_min_explicit(o, v, RELAXED, SYSTEM);                         \
    case MAX:                                                                                      \
      return (int)scoped_atomic_fetch_max(o, v, SYSTEM);                                           \
    default:                                                                                       \
      return bits_##name(call);                                                                    \
    }                                                                                              \
  }

#define DEFINE_BITS(Type, name)                                                                    \
  static Type object_##name;                                                                       \
  static int bits_##name(const Call *call) {                                                       \
    Type *o = &object_##name, v = (Type)call->operand;                                             \
    return call->kind == AND  ? (int)scoped_atomic_fetch_and(o, v, SYSTEM)                         \
           : call->kind == OR ? (int)scoped_atomic_fetch_or_explicit(o, v, ACQ_REL, SYSTEM)        \
                              : (int)scoped_atomic_fetch_xor_explicit(o, v, RELAXED, SYSTEM);      \
  }

#define DEFINE_NO_BITS(Type, name)                                                                 \
  static int bits_##name(const Call *call) {                                                       \
    (void)call;                                                                                    \
    abort();                                                                                       \
  }

DEFINE_BITS(int8_t, byte)
DEFINE_TYPE(int8_t, byte, true)
DEFINE_BITS(uint16_t, half)
DEFINE_TYPE(uint16_t, half, true)
DEFINE_BITS(int, word)
DEFINE_TYPE(int, word, true)
DEFINE_BITS(uint64_t, wide)
DEFINE_TYPE(uint64_t, wide, true)
DEFINE_NO_BITS(float, single)
DEFINE_TYPE(float, single, false)
DEFINE_NO_BITS(double, real)
DEFINE_TYPE(double, real, false)

static int (*const types[])(const Call *) = {do_byte, do_half,   do_word,
                                             do_wide, do_single, do_real};
enum { TYPES = sizeof types / sizeof *types };

static int type_now;
static pthread_barrier_t start;

static uint64_t take_ticket(void) {
  return scoped_atomic_fetch_add(&ticket, 1, SYSTEM);
}

static void *make_calls(void *argument) {
  Call *own = calls[(uintptr_t)argument];
  pthread_barrier_wait(&start);
  for (int i = 0; i < CALLS; i++) {
    own[i].begin = take_ticket();
    own[i].result = types[type_now](&own[i]);
    own[i].end = take_ticket();
  }
  return NULL;
}

static void choose_calls(uint64_t *state, bool has_bits) {
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < CALLS; i++) {
      *state = *state * 6364136223846793005u + 1442695040888963407u;
      unsigned random = (unsigned)(*state >> 33);
      calls[t][i] = (Call){.kind = (CallKind)(random % CALL_KINDS),
                           .operand = (int)(random >> 8 & 3),
                           .expected = (int)(random >> 12 & 3)};
      if (!has_bits && calls[t][i].kind >= AND && calls[t][i].kind <= XOR)
        calls[t][i].kind = ADD;
    }
}

static void check_histories(int rounds) {
  uint64_t state = 1;
  pthread_barrier_init(&start, NULL, THREADS);
  for (int round = 0; round < rounds && !failures; round++) {
    unsigned next[THREADS] = {0};
    type_now = round % TYPES;
    choose_calls(&state, type_now < 4);
    object_byte = 0, object_half = 0, object_word = 0, object_wide = 0;
    object_single = 0, object_real = 0;
    run_threads(THREADS, make_calls);
    expect(has_order(next, 0), "some order explains the history");
  }
  pthread_barrier_destroy(&start);
}

// ---------------------------------------------------------------- orders

// Plain data that only the orders protect: the thread sanitizer reports a race if they do not.
static int plain[2], flag, turn;

static void *pass_messages(void *argument) {
  int own = argument != NULL;
  for (int i = 0; i < MESSAGES / 10; i++) {
    scoped_atomic_wait_explicit(&turn, 1 - own, ACQUIRE, SYSTEM);
    plain[0]++;
    scoped_atomic_store_explicit(&turn, 1 - own, RELEASE, SYSTEM);
    scoped_atomic_notify_all(&turn, SYSTEM);
  }
  return NULL;
}

static unsigned lock_word;

static void *count_locked(void *argument) {
  (void)argument;
  for (int i = 0; i < MESSAGES / 10; i++) {
    scoped_spin_while(scoped_atomic_exchange_explicit(&lock_word, 1, ACQUIRE, SYSTEM));
    plain[1]++;
    scoped_atomic_store_explicit(&lock_word, 0, RELEASE, SYSTEM);
  }
  return NULL;
}

// ---------------------------------------------------------------- objects

static scoped_barrier barrier;
static scoped_latch latch;
static scoped_counting_semaphore semaphore;
static scoped_stop_source source;
static int cells[4], completions, in_use, called[4];

static void note_completion(void *context) {
  ++*(int *)context;
}

static void *meet(void *argument) {
  uintptr_t own = (uintptr_t)argument;
  for (int round = 1; round <= 200; round++) {
    cells[own] = round;
    scoped_barrier_arrive_and_wait(&barrier, SYSTEM);
    for (int i = 0; i < 3; i++)
      expect(cells[i] == round, "a barrier orders what lies before it");
    scoped_barrier_arrive_and_wait(&barrier, SYSTEM);
  }
  if (own == 2) {
    scoped_barrier_arrive_and_drop(&barrier, SYSTEM);
    return NULL;
  }
  scoped_barrier_arrive_and_wait(&barrier, SYSTEM);
  scoped_barrier_arrive_and_wait(&barrier, SYSTEM); // of two threads
  return NULL;
}

static void *count_down(void *argument) {
  uintptr_t own = (uintptr_t)argument;
  cells[own] = 7;
  scoped_latch_arrive_and_wait(&latch, 1, SYSTEM);
  for (int i = 0; i < 3; i++)
    expect(cells[i] == 7, "a latch orders what lies before it");
  return NULL;
}

static void *use_two_at_most(void *argument) {
  (void)argument;
  for (int i = 0; i < 300; i++) {
    scoped_counting_semaphore_acquire(&semaphore, SYSTEM);
    expect(scoped_atomic_fetch_add_explicit(&in_use, 1, RELAXED, SYSTEM) < 2, "two at most");
    scoped_atomic_fetch_sub_explicit(&in_use, 1, RELAXED, SYSTEM);
    scoped_counting_semaphore_release(&semaphore, 1, SYSTEM);
  }
  return NULL;
}

static void note_call(void *context) {
  ++*(int *)context;
}

static void *stop_or_watch(void *argument) {
  uintptr_t own = (uintptr_t)argument;
  scoped_stop_token token = scoped_stop_source_get_token(&source);
  scoped_stop_callback callback;
  scoped_stop_callback_init(&callback, token, note_call, &called[own], SYSTEM);
  if (own == 0)
    expect(scoped_stop_source_request(&source, SYSTEM), "the first request counts");
  scoped_spin_while(!scoped_stop_requested(token, SYSTEM));
  scoped_stop_callback_end(&callback, token, SYSTEM);
  return NULL;
}

static void check_operands(void) {
  uint64_t wide = 2;
  scoped_atomic_fetch_sub_explicit(&wide, 3u, RELAXED, SYSTEM);
  scoped_atomic_sub_explicit(&wide, 1u, RELAXED, SYSTEM);
  expect(wide == (uint64_t)-2, "an operand becomes a value of the object's type first");
}

static void check_objects(void) {
  scoped_barrier_init(&barrier, 3, note_completion, &completions);
  run_threads(3, meet);
  expect(completions == 402, "each phase is completed once");
  memset(cells, 0, sizeof cells);
  scoped_latch_init(&latch, 3);
  run_threads(3, count_down);
  expect(scoped_latch_try_wait(&latch, SYSTEM), "the latch is open");
  scoped_counting_semaphore_init(&semaphore, 2);
  run_threads(4, use_two_at_most);
  for (int round = 0; round < 50; round++) {
    memset(called, 0, sizeof called);
    scoped_stop_source_init(&source);
    expect(scoped_stop_possible(scoped_stop_source_get_token(&source), SYSTEM), "stop is possible");
    run_threads(4, stop_or_watch);
    for (int i = 0; i < 4; i++)
      expect(called[i] <= 1, "a callback is called once at most");
    expect(called[0] == 1, "who requests the stop calls what is registered");
    expect(!scoped_stop_source_request(&source, SYSTEM), "later requests do not count");
  }
}

int main(int argument_count, char **arguments) {
  int rounds = argument_count > 1 ? atoi(arguments[1]) : ROUNDS;
  check_histories(rounds);
  run_threads(2, pass_messages);
  expect(plain[0] == 2 * (MESSAGES / 10), "every message is passed on");
  run_threads(3, count_locked);
  expect(plain[1] == 3 * (MESSAGES / 10), "the lock excludes");
  check_operands();
  check_objects();
  scoped_atomic_thread_fence(SEQ_CST, SYSTEM);
  scoped_atomic_signal_fence(SEQ_CST);
  (void)flag;
  printf("%d failures\n", failures);
  return failures != 0;
}
