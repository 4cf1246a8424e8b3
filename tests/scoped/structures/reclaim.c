// Memory that is used again when nobody can look at it any more, a queue that blocks, and the
// objects of scoped.h: barrier with a completion function, latch, stop callbacks, barrier of a
// grid.
#include "structure.h"

#include <string.h>

enum { MOST = 4 };

typedef struct Node {
  int value, is_freed;
} Node;

static Node nodes[2], *shared;
static unsigned thread_count;

static void prepare_shared(WarpsanTest *test) {
  nodes[0] = (Node){1, 0};
  nodes[1] = (Node){0, 0};
  shared = &nodes[0];
  DECLARE(test, nodes);
  DECLARE(test, shared);
}

static void use(Node *node) {
  int value = scoped_plain_load(&node->value);
  scoped_assert(value == 1 || value == 2);
}

// ---------------------------------------------------------------- hazard pointers

static Node *hazards[MOST];

static Node *protect(Node **hazard) {
  Node *node = scoped_atomic_load_explicit(&shared, O(relaxed), S(device));
  scoped_atomic_store_explicit(hazard, node, O(relaxed), S(device));
  if (mistake() != 1)
    scoped_atomic_thread_fence(mistake() == 4 ? scoped_memory_order_acq_rel : O(seq_cst),
                               S(device));
  Node *again = scoped_atomic_load_explicit(&shared, O(relaxed), S(device));
  return again == node ? node : NULL;
}

static void hazard_reader(const WarpsanThread *thread, void *argument) {
  Node **hazard = &hazards[thread->block.x], *node;
  (void)argument;
  scoped_spin_while((node = protect(hazard)) == NULL);
  use(node);
  scoped_atomic_store_explicit(
      hazard, NULL, mistake() == 3 ? scoped_memory_order_relaxed : O(release), S(device));
}

static void hazard_writer(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  Node *fresh = &nodes[1];
  scoped_plain_store(&fresh->value, 2);
  Node *old = scoped_atomic_exchange_explicit(&shared, fresh, O(release), S(device));
  if (mistake() != 2)
    scoped_atomic_thread_fence(O(seq_cst), S(device));
  for (unsigned i = 0; i + 1 < thread_count; i++)
    scoped_spin_while(scoped_atomic_load_explicit(&hazards[i], O(acquire), S(device)) == old);
  scoped_plain_store(&old->value, -1);
}

static void prepare_hazards(WarpsanTest *test, unsigned threads) {
  thread_count = threads;
  prepare_shared(test);
  memset(hazards, 0, sizeof hazards);
  DECLARE(test, hazards);
  launch_grid(test, "writer", hazard_writer, 1, 1);
  launch_grid(test, "reader", hazard_reader, threads - 1, 1);
}

const Structure hazard_pointers = {"hazard pointers",
                                   2,
                                   3,
                                   prepare_hazards,
                                   {NULL, "no fence in the reader", "no fence in the writer",
                                    "relaxed end of protection",
                                    "a fence of acq_rel only in the reader"}};

// ---------------------------------------------------------------- epochs

// A reader announces the epoch that it has seen, 0: none. What was taken out in an epoch is free
// when nobody is left in it or before.
static unsigned epoch, announced[MOST];

static void epoch_reader(const WarpsanThread *thread, void *argument) {
  unsigned *own = &announced[thread->block.x];
  (void)argument;
  unsigned seen = scoped_atomic_load_explicit(&epoch, O(relaxed), S(device));
  scoped_atomic_store_explicit(own, seen, O(relaxed), S(device));
  if (mistake() != 1)
    scoped_atomic_thread_fence(O(seq_cst), S(device));
  use(scoped_atomic_load_explicit(
      &shared, mistake() == 4 ? scoped_memory_order_relaxed : O(acquire), S(device)));
  scoped_atomic_store_explicit(own, 0, mistake() == 3 ? scoped_memory_order_relaxed : O(release),
                               S(device));
}

static bool is_behind(unsigned thread, unsigned now) {
  unsigned seen = scoped_atomic_load_explicit(&announced[thread], O(acquire), S(device));
  return seen != 0 && seen < now;
}

static void epoch_writer(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_plain_store(&nodes[1].value, 2);
  scoped_atomic_store_explicit(&shared, &nodes[1], O(release), S(device));
  if (mistake() != 2)
    scoped_atomic_thread_fence(O(seq_cst), S(device));
  unsigned now = scoped_atomic_fetch_add_explicit(&epoch, 1, O(relaxed), S(device)) + 1;
  for (unsigned i = 0; i + 1 < thread_count; i++)
    scoped_spin_while(is_behind(i, now));
  scoped_plain_store(&nodes[0].value, -1);
}

static void prepare_epochs(WarpsanTest *test, unsigned threads) {
  thread_count = threads;
  prepare_shared(test);
  epoch = 1;
  memset(announced, 0, sizeof announced);
  DECLARE(test, epoch);
  DECLARE(test, announced);
  launch_grid(test, "writer", epoch_writer, 1, 1);
  launch_grid(test, "reader", epoch_reader, threads - 1, 1);
}

const Structure epochs = {"epochs",
                          2,
                          3,
                          prepare_epochs,
                          {NULL, "no fence in the reader", "no fence behind taking out",
                           "relaxed end of reading", "relaxed look"}};

// ---------------------------------------------------------------- queue that blocks

// Two semaphores count what is in and what is free; a binary one is the lock.
static struct {
  scoped_counting_semaphore items, spaces;
  scoped_binary_semaphore lock;
  unsigned put, taken;
  int cells[2];
} queue;

static void queue_put(int value) {
  scoped_counting_semaphore_acquire(&queue.spaces, scoped_thread_scope_device);
  if (mistake() != 1)
    scoped_binary_semaphore_acquire(&queue.lock, scoped_thread_scope_device);
  unsigned at = scoped_plain_load(&queue.put);
  scoped_plain_store(&queue.cells[at % 2], value);
  scoped_plain_store(&queue.put, at + 1);
  if (mistake() != 1)
    scoped_binary_semaphore_release(&queue.lock, scoped_thread_scope_device);
  scoped_counting_semaphore_release(&queue.items, 1, scoped_thread_scope_device);
}

static int queue_take(void) {
  if (mistake() != 2)
    scoped_counting_semaphore_acquire(&queue.items, scoped_thread_scope_device);
  scoped_binary_semaphore_acquire(&queue.lock, scoped_thread_scope_device);
  unsigned at = scoped_plain_load(&queue.taken);
  int value = scoped_plain_load(&queue.cells[at % 2]);
  scoped_plain_store(&queue.taken, at + 1);
  if (mistake() != 3)
    scoped_binary_semaphore_release(&queue.lock, scoped_thread_scope_device);
  scoped_counting_semaphore_release(&queue.spaces, 1, scoped_thread_scope_device);
  return value;
}

static void queue_producer(const WarpsanThread *thread, void *argument) {
  (void)argument;
  queue_put((int)thread->block.x + 1);
}

static void queue_consumer(const WarpsanThread *thread, void *argument) {
  (void)argument;
  (void)thread;
  for (unsigned i = 1; i < thread_count; i++)
    scoped_assert(queue_take() > 0);
}

static void prepare_queue(WarpsanTest *test, unsigned threads) {
  thread_count = threads;
  memset(&queue, 0, sizeof queue);
  queue.spaces.count = 2;
  queue.lock.count = 1;
  DECLARE(test, queue);
  launch_grid(test, "producer", queue_producer, threads - 1, 1);
  launch_grid(test, "consumer", queue_consumer, 1, 1);
}

const Structure blocking_queue = {
    "queue that blocks",
    2,
    3,
    prepare_queue,
    {NULL, "put without the lock", "taking without looking", "lock never given back"}};

// ---------------------------------------------------------------- barrier with a completion

static struct {
  scoped_barrier barrier;
  int parts[MOST], total, rounds;
} phases;

static void sum_up(void *context) {
  (void)context;
  int total = 0;
  for (unsigned i = 0; i < thread_count; i++)
    total += scoped_plain_load(&phases.parts[i]);
  scoped_plain_store(&phases.total, total);
  scoped_plain_store(&phases.rounds, scoped_plain_load(&phases.rounds) + 1);
}

static void phase_user(const WarpsanThread *thread, void *argument) {
  unsigned own = thread->block.x;
  scoped_thread_scope scope =
      mistake() == 2 ? scoped_thread_scope_block : scoped_thread_scope_device;
  (void)argument;
  for (int round = 1; round <= 2; round++) {
    scoped_plain_store(&phases.parts[own], round);
    if (mistake() == 1) // does not wait
      scoped_barrier_arrive_n(&phases.barrier, 1, scope);
    else
      scoped_barrier_arrive_and_wait(&phases.barrier, scope);
    int total = scoped_plain_load(&phases.total);
    scoped_assert(total == round * (int)thread_count);
    if (mistake() == 3 && own == 0)
      return;
  }
}

static bool there_were_two_rounds(void *context) {
  (void)context;
  return phases.rounds == 2;
}

static void prepare_phases(WarpsanTest *test, unsigned threads) {
  thread_count = threads;
  memset(&phases, 0, sizeof phases);
  scoped_barrier_init(&phases.barrier, threads, sum_up, NULL);
  DECLARE(test, phases);
  launch_grid(test, "thread", phase_user, threads, 1);
  FINALLY(test, there_were_two_rounds);
}

const Structure completion_barrier = {
    "barrier with a completion",
    2,
    3,
    prepare_phases,
    {NULL, "not waiting", "barrier at block scope", "leaving without a drop"}};

// ---------------------------------------------------------------- latch

static struct {
  scoped_latch latch;
  int parts[MOST];
} joined;

static void latch_worker(const WarpsanThread *thread, void *argument) {
  (void)argument;
  if (mistake() == 1)
    scoped_latch_count_down(&joined.latch, 1, scoped_thread_scope_device);
  scoped_plain_store(&joined.parts[thread->block.x], 1);
  if (mistake() != 1)
    scoped_latch_count_down(
        &joined.latch, 1, mistake() == 2 ? scoped_thread_scope_block : scoped_thread_scope_device);
}

static void latch_owner(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  if (mistake() == 3) {
    if (!scoped_latch_try_wait(&joined.latch, scoped_thread_scope_device))
      scoped_atomic_thread_fence(scoped_memory_order_acquire, scoped_thread_scope_device);
  } else {
    scoped_latch_wait(&joined.latch, scoped_thread_scope_device);
  }
  for (unsigned i = 0; i + 1 < thread_count; i++)
    scoped_assert(scoped_plain_load(&joined.parts[i]) == 1);
}

static void prepare_latch(WarpsanTest *test, unsigned threads) {
  thread_count = threads;
  memset(&joined, 0, sizeof joined);
  joined.latch.count = mistake() == 4 ? threads : threads - 1;
  DECLARE(test, joined);
  launch_grid(test, "worker", latch_worker, threads - 1, 1);
  launch_grid(test, "owner", latch_owner, 1, 1);
}

const Structure work_latch = {"latch",
                              2,
                              4,
                              prepare_latch,
                              {NULL, "counted down too early", "counted down at block scope",
                               "a try instead of waiting", "one arrival too many expected"}};

// ---------------------------------------------------------------- stop callbacks

// One thread requests a stop; another has a callback for a while, in memory that it uses again.
static struct {
  scoped_stop_source source;
  scoped_stop_callback callback;
  int calls, is_mine;
} stop;

static void count_call(void *context) {
  (void)context;
  scoped_plain_store(&stop.calls, scoped_plain_load(&stop.calls) + 1);
}

static void stop_user(const WarpsanThread *thread, void *argument) {
  scoped_stop_token token = scoped_stop_source_get_token(&stop.source);
  (void)thread;
  (void)argument;
  scoped_stop_callback_init(&stop.callback, token, count_call, NULL, scoped_thread_scope_device);
  if (mistake() != 1)
    scoped_stop_callback_end(&stop.callback, token,
                             mistake() == 2 ? scoped_thread_scope_block
                                            : scoped_thread_scope_device);
  int calls = scoped_plain_load(&stop.calls); // nobody calls any more
  scoped_assert(calls <= 1);
  scoped_plain_store(&stop.calls, calls + 10);
  if (mistake() == 3)
    scoped_assert(calls == 1);
}

static void stop_requester(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_stop_source_request(&stop.source, scoped_thread_scope_device);
}

static void prepare_stop(WarpsanTest *test, unsigned threads) {
  memset(&stop, 0, sizeof stop);
  scoped_stop_source_init(&stop.source);
  DECLARE(test, stop);
  launch_grid(test, "user", stop_user, 1, 1);
  launch_grid(test, "requester", stop_requester, threads - 1, 1);
}

const Structure stop_callbacks = {
    "stop callback",
    2,
    3,
    prepare_stop,
    {NULL, "callback never ended", "ended at block scope", "taking the call for certain"}};
