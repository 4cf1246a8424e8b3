// Locks: each thread adds one to a plain counter, in the critical section.
#include "structure.h"

#include <string.h>

enum { MOST = 4 };

static int counter;
static unsigned thread_count;

static void add_one(void) {
  scoped_plain_store(&counter, scoped_plain_load(&counter) + 1);
}

static bool all_were_counted(void *context) {
  (void)context;
  return counter == (int)thread_count;
}

static void prepare_counter(WarpsanTest *test, unsigned threads, WarpsanFunction *function) {
  counter = 0;
  thread_count = threads;
  DECLARE(test, counter);
  launch_grid(test, "thread", function, threads, 1);
  FINALLY(test, all_were_counted);
}

// ---------------------------------------------------------------- spin lock

static unsigned lock;

static void spin_user(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  if (mistake() == 1) {
    scoped_spin_while(scoped_atomic_load_explicit(&lock, O(acquire), S(device)) != 0);
    scoped_atomic_store_explicit(&lock, 1, O(relaxed), S(device));
  } else {
    scoped_spin_while(scoped_atomic_exchange_explicit(&lock, 1, O(acquire), S(device)) != 0);
  }
  add_one();
  if (mistake() == 2)
    scoped_plain_store(&lock, 0);
  else if (mistake() == 3)
    scoped_atomic_store_explicit(&lock, 0, scoped_memory_order_relaxed, S(device));
  else if (mistake() == 4)
    scoped_atomic_store_explicit(&lock, 0, O(release), scoped_thread_scope_block);
  else
    scoped_atomic_store_explicit(&lock, 0, O(release), S(device));
}

static void prepare_spin(WarpsanTest *test, unsigned threads) {
  lock = 0;
  DECLARE(test, lock);
  prepare_counter(test, threads, spin_user);
}

const Structure spin_lock = {
    "spin lock",
    2,
    4,
    prepare_spin,
    {NULL, "test and set apart", "plain unlock", "relaxed unlock", "unlock at block scope"}};

// ---------------------------------------------------------------- ticket lock

static struct { unsigned next, serving; } tickets;

static void ticket_user(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  unsigned own = scoped_atomic_fetch_add_explicit(&tickets.next, 1, O(relaxed), S(device));
  if (mistake() == 1)
    scoped_spin_while(scoped_volatile_load(&tickets.serving) != own);
  else if (mistake() == 2)
    scoped_spin_while(scoped_atomic_load_explicit(&tickets.serving, scoped_memory_order_relaxed,
                                                  S(device)) != own);
  else
    scoped_spin_while(scoped_atomic_load_explicit(&tickets.serving, O(acquire), S(device)) != own);
  add_one();
  scoped_atomic_store_explicit(&tickets.serving, own + 1,
                               mistake() == 3 ? scoped_memory_order_relaxed : O(release),
                               S(device));
}

static void prepare_ticket(WarpsanTest *test, unsigned threads) {
  memset(&tickets, 0, sizeof tickets);
  DECLARE(test, tickets);
  prepare_counter(test, threads, ticket_user);
}

const Structure ticket_lock = {
    "ticket lock",
    2,
    4,
    prepare_ticket,
    {NULL, "volatile poll", "relaxed poll", "relaxed store of the next number"}};

// ---------------------------------------------------------------- MCS lock

typedef struct Waiter {
  struct Waiter *next;
  unsigned must_wait;
} Waiter;

static Waiter waiters[MOST], *tail;

static void mcs_acquire(Waiter *own) {
  scoped_atomic_store_explicit(&own->next, NULL, O(relaxed), S(device));
  scoped_atomic_store_explicit(&own->must_wait, 1, O(relaxed), S(device));
  Waiter *before = scoped_atomic_exchange_explicit(
      &tail, own, mistake() == 1 ? scoped_memory_order_acquire : O(acq_rel), S(device));
  if (!before)
    return;
  scoped_atomic_store_explicit(&before->next, own, O(release), S(device));
  scoped_spin_while(scoped_atomic_load_explicit(
      &own->must_wait, mistake() == 2 ? scoped_memory_order_relaxed : O(acquire), S(device)));
}

static void mcs_release(Waiter *own) {
  Waiter *next = scoped_atomic_load_explicit(&own->next, O(acquire), S(device));
  if (!next) {
    Waiter *expected = own;
    if (scoped_atomic_compare_exchange_strong_explicit(
            &tail, &expected, NULL, mistake() == 3 ? scoped_memory_order_relaxed : O(release),
            scoped_memory_order_relaxed, S(device)))
      return;
    scoped_spin_while(!(next = scoped_atomic_load_explicit(&own->next, O(acquire), S(device))));
  }
  scoped_atomic_store_explicit(
      &next->must_wait, 0, mistake() == 4 ? scoped_memory_order_relaxed : O(release), S(device));
}

static void mcs_user(const WarpsanThread *thread, void *argument) {
  (void)argument;
  Waiter *own = &waiters[thread->block.x];
  mcs_acquire(own);
  add_one();
  mcs_release(own);
}

static void prepare_mcs(WarpsanTest *test, unsigned threads) {
  memset(waiters, 0, sizeof waiters);
  tail = NULL;
  DECLARE(test, waiters);
  DECLARE(test, tail);
  prepare_counter(test, threads, mcs_user);
}

const Structure mcs_lock = {"MCS lock",
                            2,
                            3,
                            prepare_mcs,
                            {NULL, "exchange without release", "relaxed poll",
                             "relaxed exchange of the last one", "relaxed hand-over"}};

// ---------------------------------------------------------------- sequence lock

static struct {
  unsigned sequence;
  int data[2];
} guarded;

static void sequence_writer(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  for (int i = 1; i <= 2; i++) {
    unsigned sequence = scoped_atomic_load_explicit(&guarded.sequence, O(relaxed), S(device));
    scoped_atomic_store_explicit(&guarded.sequence, sequence + 1, O(relaxed), S(device));
    if (mistake() != 1)
      scoped_atomic_thread_fence(O(release), S(device));
    scoped_atomic_store_explicit(&guarded.data[0], i, O(relaxed), S(device));
    scoped_atomic_store_explicit(&guarded.data[1], i, O(relaxed), S(device));
    scoped_atomic_store_explicit(&guarded.sequence, sequence + 2,
                                 mistake() == 2 ? scoped_memory_order_relaxed : O(release),
                                 S(device));
  }
}

static void sequence_reader(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  unsigned before = scoped_atomic_load_explicit(
      &guarded.sequence, mistake() == 3 ? scoped_memory_order_relaxed : O(acquire), S(device));
  int first = scoped_atomic_load_explicit(&guarded.data[0], O(relaxed), S(device));
  int second = scoped_atomic_load_explicit(&guarded.data[1], O(relaxed), S(device));
  if (mistake() != 4)
    scoped_atomic_thread_fence(O(acquire), mistake() == 5 ? scoped_thread_scope_block : S(device));
  unsigned after = scoped_atomic_load_explicit(&guarded.sequence, O(relaxed), S(device));
  if (before == after && before % 2 == 0)
    scoped_assert(first == second && first == (int)before / 2);
}

static void prepare_sequence(WarpsanTest *test, unsigned threads) {
  memset(&guarded, 0, sizeof guarded);
  DECLARE(test, guarded);
  launch_grid(test, "writer", sequence_writer, 1, 1);
  launch_grid(test, "reader", sequence_reader, threads - 1, 1);
}

const Structure sequence_lock = {"sequence lock",
                                 2,
                                 3,
                                 prepare_sequence,
                                 {NULL, "no fence behind the odd number", "relaxed even number",
                                  "relaxed first read", "no fence before the second read",
                                  "fence at block scope"}};
