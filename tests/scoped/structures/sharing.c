// Locks of several kinds, a sequence lock of two writers, an event count, and a pool of slots.
#include "structure.h"

#include <string.h>

enum { MOST = 4, SLOTS = 2 };

static unsigned thread_count;

// ---------------------------------------------------------------- lock of Peterson

static struct { unsigned wants[2], turn; } peterson;
static int counter;

static bool peterson_waits(unsigned own) {
  return scoped_atomic_load_explicit(&peterson.wants[1 - own], O(seq_cst), S(device)) &&
         scoped_atomic_load_explicit(&peterson.turn, O(seq_cst), S(device)) == 1 - own;
}

static void peterson_user(const WarpsanThread *thread, void *argument) {
  unsigned own = thread->block.x;
  (void)argument;
  scoped_atomic_store_explicit(&peterson.wants[own], 1,
                               mistake() == 2 ? scoped_memory_order_release : O(seq_cst),
                               S(device));
  if (mistake() == 1)
    scoped_atomic_store_explicit(&peterson.turn, 1 - own, scoped_memory_order_release, S(device));
  else
    scoped_atomic_store_explicit(&peterson.turn, 1 - own, O(seq_cst), S(device));
  scoped_spin_while(peterson_waits(own));
  scoped_plain_store(&counter, scoped_plain_load(&counter) + 1);
  scoped_atomic_store_explicit(&peterson.wants[own], 0,
                               mistake() == 3 ? scoped_memory_order_relaxed : O(release),
                               S(device));
}

static bool both_were_counted(void *context) {
  (void)context;
  return counter == 2;
}

static void prepare_peterson(WarpsanTest *test, unsigned threads) {
  memset(&peterson, 0, sizeof peterson);
  counter = 0;
  DECLARE(test, peterson);
  DECLARE(test, counter);
  launch_grid(test, "thread", peterson_user, threads, 1);
  FINALLY(test, both_were_counted);
}

const Structure peterson_lock = {
    "Peterson's lock",
    2,
    2,
    prepare_peterson,
    {NULL, "turn given with release only", "wish told with release only", "relaxed unlock"}};

// ---------------------------------------------------------------- lock of readers and writers

// Readers count in the low bits, a writer is the high one.
#define WRITER 0x80000000u
static unsigned rw_word;
static int pair[2];

static bool try_lock_shared(void) {
  unsigned word = scoped_atomic_load_explicit(&rw_word, O(relaxed), S(device));
  return !(word & WRITER) &&
         scoped_atomic_compare_exchange_strong_explicit(
             &rw_word, &word, word + 1, mistake() == 1 ? scoped_memory_order_relaxed : O(acquire),
             O(relaxed), S(device));
}

static bool try_lock_alone(void) {
  unsigned none = 0;
  return scoped_atomic_compare_exchange_strong_explicit(
      &rw_word, &none, WRITER, mistake() == 2 ? scoped_memory_order_relaxed : O(acquire),
      O(relaxed), S(device));
}

static void rw_reader(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_spin_while(!try_lock_shared());
  int first = scoped_plain_load(&pair[0]);
  scoped_assert(first == scoped_plain_load(&pair[1]));
  scoped_atomic_fetch_sub_explicit(
      &rw_word, 1, mistake() == 3 ? scoped_memory_order_relaxed : O(release), S(device));
}

static void rw_writer(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_spin_while(!try_lock_alone());
  scoped_plain_store(&pair[0], scoped_plain_load(&pair[0]) + 1);
  scoped_plain_store(&pair[1], scoped_plain_load(&pair[1]) + 1);
  if (mistake() == 4)
    scoped_atomic_store_explicit(&rw_word, 0, scoped_memory_order_release,
                                 scoped_thread_scope_block);
  else
    scoped_atomic_fetch_and_explicit(&rw_word, ~WRITER, O(release), S(device));
}

static void prepare_rw(WarpsanTest *test, unsigned threads) {
  rw_word = 0;
  memset(pair, 0, sizeof pair);
  DECLARE(test, rw_word);
  DECLARE(test, pair);
  launch_grid(test, "writer", rw_writer, 1, 1);
  launch_grid(test, "reader", rw_reader, threads - 1, 1);
}

const Structure rw_lock = {"lock of readers and writers",
                           2,
                           3,
                           prepare_rw,
                           {NULL, "relaxed shared lock", "relaxed writers' lock",
                            "relaxed shared unlock", "unlock at block scope"}};

// ---------------------------------------------------------------- sequence lock of two writers

static struct {
  unsigned sequence;
  int first, second;
} record;

static bool try_begin_write(unsigned *sequence) {
  *sequence = scoped_atomic_load_explicit(&record.sequence, O(relaxed), S(device));
  return !(*sequence & 1) &&
         scoped_atomic_compare_exchange_strong_explicit(
             &record.sequence, sequence, *sequence + 1,
             mistake() == 1 ? scoped_memory_order_relaxed : O(acquire), O(relaxed), S(device));
}

static void seq_writer(const WarpsanThread *thread, void *argument) {
  unsigned sequence;
  (void)thread;
  (void)argument;
  scoped_spin_while(!try_begin_write(&sequence));
  if (mistake() != 2)
    scoped_atomic_thread_fence(O(release), S(device));
  int value = scoped_atomic_load_explicit(&record.first, O(relaxed), S(device)) + 1;
  scoped_atomic_store_explicit(&record.first, value, O(relaxed), S(device));
  scoped_atomic_store_explicit(&record.second, value, O(relaxed), S(device));
  scoped_atomic_store_explicit(&record.sequence, sequence + 2,
                               mistake() == 3 ? scoped_memory_order_relaxed : O(release),
                               S(device));
}

static void seq_reader(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  unsigned before = scoped_atomic_load_explicit(&record.sequence, O(acquire), S(device));
  int first = scoped_atomic_load_explicit(&record.first, O(relaxed), S(device));
  int second = scoped_atomic_load_explicit(&record.second, O(relaxed), S(device));
  if (mistake() != 4)
    scoped_atomic_thread_fence(O(acquire), S(device));
  unsigned after = scoped_atomic_load_explicit(&record.sequence, O(relaxed), S(device));
  scoped_assert((before & 1) || before != after || first == second);
}

static bool both_wrote(void *context) {
  (void)context;
  return record.first == 2 && record.second == 2;
}

static void prepare_two_writers(WarpsanTest *test, unsigned threads) {
  memset(&record, 0, sizeof record);
  DECLARE(test, record);
  launch_grid(test, "writer", seq_writer, 2, 1);
  launch_grid(test, "reader", seq_reader, threads - 2, 1);
  FINALLY(test, both_wrote);
}

const Structure two_writers = {"sequence lock of two writers",
                               3,
                               3,
                               prepare_two_writers,
                               {NULL, "relaxed begin of writing", "no fence in the writer",
                                "relaxed end of writing", "no fence in the reader"}};

// ---------------------------------------------------------------- event count

// Who finds nothing announces that it waits, looks again, and sleeps until the count has moved.
static unsigned event_count, sleepers, is_ready;
static int payload;

static bool look(void) {
  return scoped_atomic_load_explicit(&is_ready, O(acquire), S(device)) != 0;
}

static void event_waiter(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  if (!look()) {
    scoped_atomic_fetch_add_explicit(&sleepers, 1, O(relaxed), S(device));
    unsigned count = scoped_atomic_load_explicit(&event_count, O(relaxed), S(device));
    if (mistake() != 1)
      scoped_atomic_thread_fence(O(seq_cst), S(device));
    if (mistake() == 2 || !look())
      scoped_atomic_wait_explicit(&event_count, count, O(acquire), S(device));
    scoped_atomic_fetch_sub_explicit(&sleepers, 1, O(relaxed), S(device));
  }
  if (look())
    scoped_assert(scoped_plain_load(&payload) == 7);
}

static void event_giver(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_plain_store(&payload, 7);
  scoped_atomic_store_explicit(
      &is_ready, 1, mistake() == 3 ? scoped_memory_order_relaxed : O(release), S(device));
  if (mistake() != 4)
    scoped_atomic_thread_fence(O(seq_cst), S(device));
  if (scoped_atomic_load_explicit(&sleepers, O(relaxed), S(device)) == 0)
    return;
  scoped_atomic_fetch_add_explicit(&event_count, 1, O(release), S(device));
  scoped_atomic_notify_all(&event_count, scoped_thread_scope_device);
}

static void prepare_event_count(WarpsanTest *test, unsigned threads) {
  event_count = sleepers = is_ready = 0;
  payload = 0;
  DECLARE(test, event_count);
  DECLARE(test, sleepers);
  DECLARE(test, is_ready);
  DECLARE(test, payload);
  launch_grid(test, "giver", event_giver, 1, 1);
  launch_grid(test, "waiter", event_waiter, threads - 1, 1);
}

const Structure event_counter = {"event count",
                                 2,
                                 3,
                                 prepare_event_count,
                                 {NULL, "no fence before looking again", "not looking again",
                                  "relaxed publication", "no fence before looking for sleepers"}};

// ---------------------------------------------------------------- pool of slots

// A semaphore counts the free slots, a word has their bits; each user writes the slot that it has.
static scoped_counting_semaphore pool;
static unsigned free_slots;
static int slots[SLOTS];

static bool try_take_slot(unsigned *slot) {
  unsigned word = scoped_atomic_load_explicit(&free_slots, O(relaxed), S(device));
  *slot = word & 1 ? 0 : 1;
  return word != 0 &&
         scoped_atomic_compare_exchange_strong_explicit(
             &free_slots, &word, word & ~(1u << *slot),
             mistake() == 1 ? scoped_memory_order_relaxed : O(acquire), O(relaxed), S(device));
}

static void pool_user(const WarpsanThread *thread, void *argument) {
  unsigned slot;
  (void)argument;
  if (mistake() != 2)
    scoped_counting_semaphore_acquire(&pool, scoped_thread_scope_device);
  if (mistake() == 2)
    scoped_assert(try_take_slot(&slot));
  else
    scoped_spin_while(!try_take_slot(&slot));
  scoped_plain_store(&slots[slot], (int)thread->block.x);
  scoped_assert(scoped_plain_load(&slots[slot]) == (int)thread->block.x);
  scoped_atomic_fetch_or_explicit(&free_slots, 1u << slot,
                                  mistake() == 3 ? scoped_memory_order_relaxed : O(release),
                                  S(device));
  scoped_counting_semaphore_release(
      &pool, 1, mistake() == 4 ? scoped_thread_scope_block : scoped_thread_scope_device);
}

static bool all_are_free(void *context) {
  (void)context;
  return free_slots == 3 && pool.count == SLOTS;
}

static void prepare_pool(WarpsanTest *test, unsigned threads) {
  thread_count = threads;
  scoped_counting_semaphore_init(&pool, SLOTS);
  free_slots = 3;
  memset(slots, 0, sizeof slots);
  DECLARE(test, pool);
  DECLARE(test, free_slots);
  DECLARE(test, slots);
  launch_grid(test, "thread", pool_user, threads, 1);
  FINALLY(test, all_are_free);
}

const Structure slot_pool = {"pool of slots",
                             2,
                             3,
                             prepare_pool,
                             {NULL, "slot taken relaxed", "no semaphore", "slot given back relaxed",
                              "semaphore released at block scope"}};
