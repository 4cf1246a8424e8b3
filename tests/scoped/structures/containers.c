// Stack, queue, ring and deque without locks, and a pointer that is published. What is passed on
// is plain data of the giver, so that a missing order is a race.
#include "structure.h"

#include <string.h>

enum { MOST = 4 };

typedef struct Node {
  struct Node *next;
  int value;
} Node;

static Node nodes[MOST + 1];
static int taken[MOST + 1]; // by value: how often; each is counted by whoever takes it
static unsigned thread_count;

static void count_taken(int value) {
  scoped_assert(value > 0 && value <= MOST);
  int before = scoped_atomic_fetch_add_explicit(&taken[value], 1, scoped_memory_order_relaxed,
                                                scoped_thread_scope_device);
  scoped_assert(before == 0);
}

static void prepare_nodes(WarpsanTest *test, unsigned threads) {
  memset(nodes, 0, sizeof nodes);
  memset(taken, 0, sizeof taken);
  thread_count = threads;
  DECLARE(test, nodes);
  DECLARE(test, taken);
}

static void init_node(Node *node, int value) {
  scoped_plain_store(&node->value, value);
}

// ---------------------------------------------------------------- Treiber's stack

static Node *top;

static void push(Node *node) {
  Node *head = scoped_atomic_load_explicit(&top, O(relaxed), S(device));
  do
    scoped_plain_store(&node->next, head);
  while (!scoped_atomic_compare_exchange_weak_explicit(
      &top, &head, node, mistake() == 1 ? scoped_memory_order_relaxed : O(release),
      scoped_memory_order_relaxed, mistake() == 2 ? scoped_thread_scope_block : S(device)));
}

static Node *pop(void) {
  Node *head = scoped_atomic_load_explicit(
      &top, mistake() == 3 ? scoped_memory_order_relaxed : O(acquire), S(device));
  while (head && !scoped_atomic_compare_exchange_weak_explicit(
                     &top, &head, scoped_plain_load(&head->next), O(acquire),
                     scoped_memory_order_acquire, S(device)))
    continue;
  return head;
}

static void stack_user(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  if (own < 2) {
    init_node(&nodes[own], (int)own + 1);
    push(&nodes[own]);
  }
  if (own != 1) {
    Node *node = pop();
    if (node)
      count_taken(scoped_plain_load(&node->value));
  }
}

static void prepare_stack(WarpsanTest *test, unsigned threads) {
  top = NULL;
  prepare_nodes(test, threads);
  DECLARE(test, top);
  launch_grid(test, "thread", stack_user, threads, 1);
}

const Structure treiber_stack = {
    "Treiber stack",
    2,
    3,
    prepare_stack,
    {NULL, "relaxed push", "push at block scope", "relaxed look at the top"}};

// ---------------------------------------------------------------- Michael and Scott's queue

static Node *first, *last;

static void enqueue(Node *node) {
  scoped_atomic_store_explicit(&node->next, NULL, O(relaxed), S(device));
  for (;;) {
    Node *tail = scoped_atomic_load_explicit(&last, O(acquire), S(device));
    Node *next = scoped_atomic_load_explicit(&tail->next, O(acquire), S(device));
    if (next) {
      scoped_atomic_compare_exchange_strong_explicit(&last, &tail, next, O(release),
                                                     scoped_memory_order_relaxed, S(device));
      continue;
    }
    if (scoped_atomic_compare_exchange_strong_explicit(
            &tail->next, &next, node, mistake() == 1 ? scoped_memory_order_relaxed : O(release),
            scoped_memory_order_relaxed, mistake() == 2 ? scoped_thread_scope_block : S(device))) {
      scoped_atomic_compare_exchange_strong_explicit(&last, &tail, node, O(release),
                                                     scoped_memory_order_relaxed, S(device));
      return;
    }
  }
}

// 0: the queue was empty.
static int dequeue(void) {
  for (;;) {
    Node *head = scoped_atomic_load_explicit(&first, O(acquire), S(device));
    Node *tail = scoped_atomic_load_explicit(&last, O(acquire), S(device));
    Node *next = scoped_atomic_load_explicit(
        &head->next, mistake() == 3 ? scoped_memory_order_relaxed : O(acquire), S(device));
    if (!next)
      return 0;
    if (head == tail) {
      scoped_atomic_compare_exchange_strong_explicit(&last, &tail, next, O(release),
                                                     scoped_memory_order_relaxed, S(device));
      continue;
    }
    int value = scoped_plain_load(&next->value);
    if (scoped_atomic_compare_exchange_strong_explicit(&first, &head, next, O(release),
                                                       scoped_memory_order_relaxed, S(device)))
      return value;
  }
}

static void queue_user(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  if (own != 1) {
    init_node(&nodes[own], (int)own + 1);
    enqueue(&nodes[own]);
  }
  if (own < 2) {
    int value = dequeue();
    if (value)
      count_taken(value);
  }
}

static void prepare_queue(WarpsanTest *test, unsigned threads) {
  prepare_nodes(test, threads);
  first = last = &nodes[MOST];
  DECLARE(test, first);
  DECLARE(test, last);
  launch_grid(test, "thread", queue_user, threads, 1);
}

const Structure michael_scott = {
    "Michael-Scott queue",
    2,
    3,
    prepare_queue,
    {NULL, "relaxed link", "link at block scope", "relaxed look at the link"}};

// ---------------------------------------------------------------- bounded ring

enum { CELLS = 2 };

static struct {
  unsigned sequence;
  int value;
} cells[CELLS];
static unsigned put_at, take_at;

static bool put(int value) {
  unsigned at = scoped_atomic_load_explicit(&put_at, O(relaxed), S(device));
  for (;;) {
    unsigned sequence =
        scoped_atomic_load_explicit(&cells[at % CELLS].sequence, O(acquire), S(device));
    if (sequence == at) {
      if (scoped_atomic_compare_exchange_strong_explicit(&put_at, &at, at + 1, O(relaxed),
                                                         scoped_memory_order_relaxed, S(device)))
        break;
    } else if ((int)(sequence - at) < 0) {
      return false; // full
    } else {
      at = scoped_atomic_load_explicit(&put_at, O(relaxed), S(device));
    }
  }
  scoped_plain_store(&cells[at % CELLS].value, value);
  scoped_atomic_store_explicit(&cells[at % CELLS].sequence, at + 1,
                               mistake() == 1 ? scoped_memory_order_relaxed : O(release),
                               S(device));
  return true;
}

static int take(void) {
  unsigned at = scoped_atomic_load_explicit(&take_at, O(relaxed), S(device));
  for (;;) {
    unsigned sequence = scoped_atomic_load_explicit(
        &cells[at % CELLS].sequence, mistake() == 2 ? scoped_memory_order_relaxed : O(acquire),
        S(device));
    if (sequence == at + 1) {
      if (scoped_atomic_compare_exchange_strong_explicit(&take_at, &at, at + 1, O(relaxed),
                                                         scoped_memory_order_relaxed, S(device)))
        break;
    } else if ((int)(sequence - (at + 1)) < 0) {
      return 0; // empty
    } else {
      at = scoped_atomic_load_explicit(&take_at, O(relaxed), S(device));
    }
  }
  int value = scoped_plain_load(&cells[at % CELLS].value);
  scoped_atomic_store_explicit(&cells[at % CELLS].sequence, at + CELLS,
                               mistake() == 3 ? scoped_memory_order_relaxed : O(release),
                               S(device));
  return value;
}

static void ring_user(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  if (own == 0) {
    put(1);
    put(2);
    put(3);
  } else if (own == 2) {
    put(4);
  }
  for (int i = 0; own > 0 && i < 2; i++) {
    int value = take();
    if (value)
      count_taken(value);
  }
}

static void prepare_ring(WarpsanTest *test, unsigned threads) {
  prepare_nodes(test, threads);
  memset(cells, 0, sizeof cells);
  for (unsigned i = 0; i < CELLS; i++)
    cells[i].sequence = i;
  put_at = take_at = 0;
  DECLARE(test, cells);
  DECLARE(test, put_at);
  DECLARE(test, take_at);
  launch_grid(test, "thread", ring_user, threads, 1);
}

const Structure bounded_ring = {
    "bounded ring",
    2,
    3,
    prepare_ring,
    {NULL, "relaxed hand-over", "relaxed look at the cell", "cell given back relaxed"}};

// ---------------------------------------------------------------- published pointer

// As in read-copy-update: the writer publishes a new version, waits until no reader can have the
// old one, and uses its memory again.
static Node *current;
static unsigned is_reading[MOST];

static void publisher(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  Node *old = &nodes[0], *fresh = &nodes[1];
  init_node(fresh, 2);
  scoped_atomic_store_explicit(
      &current, fresh, mistake() == 1 ? scoped_memory_order_release : O(seq_cst), S(device));
  for (unsigned i = 1; i < thread_count; i++)
    scoped_spin_while(scoped_atomic_load_explicit(
        &is_reading[i], mistake() == 2 ? scoped_memory_order_acquire : O(seq_cst), S(device)));
  scoped_plain_store(&old->value, -1);
}

static void subscriber(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x + 1;
  scoped_atomic_store_explicit(&is_reading[own], 1, O(seq_cst), S(device));
  Node *version = scoped_atomic_load_explicit(
      &current, mistake() == 3 ? scoped_memory_order_acquire : O(seq_cst), S(device));
  int value = scoped_plain_load(&version->value);
  scoped_assert(value == 1 || value == 2);
  scoped_atomic_store_explicit(
      &is_reading[own], 0, mistake() == 4 ? scoped_memory_order_relaxed : O(release), S(device));
}

static void prepare_published(WarpsanTest *test, unsigned threads) {
  prepare_nodes(test, threads);
  nodes[0].value = 1;
  current = &nodes[0];
  memset(is_reading, 0, sizeof is_reading);
  DECLARE(test, current);
  DECLARE(test, is_reading);
  launch_grid(test, "publisher", publisher, 1, 1);
  launch_grid(test, "subscriber", subscriber, threads - 1, 1);
}

const Structure published_pointer = {"published pointer",
                                     2,
                                     3,
                                     prepare_published,
                                     {NULL, "publishing without seq_cst", "waiting without seq_cst",
                                      "looking without seq_cst", "relaxed end of reading"}};

// ---------------------------------------------------------------- Chase and Lev's deque

// As Le, Pop, Cohen and Zappa Nardelli wrote it for C11 (PPoPP 2013).
static struct {
  int64_t top, bottom;
  Node *tasks[MOST];
} deque;

static void give(Node *task) {
  int64_t bottom = scoped_atomic_load_explicit(&deque.bottom, O(relaxed), S(device));
  scoped_atomic_store_explicit(&deque.tasks[bottom % MOST], task, O(relaxed), S(device));
  if (mistake() != 1)
    scoped_atomic_thread_fence(O(release), S(device));
  scoped_atomic_store_explicit(&deque.bottom, bottom + 1, O(relaxed), S(device));
}

static Node *take_own(void) {
  int64_t bottom = scoped_atomic_load_explicit(&deque.bottom, O(relaxed), S(device)) - 1;
  scoped_atomic_store_explicit(&deque.bottom, bottom, O(relaxed), S(device));
  scoped_atomic_thread_fence(mistake() == 2 ? scoped_memory_order_acq_rel : O(seq_cst), S(device));
  int64_t oldest = scoped_atomic_load_explicit(&deque.top, O(relaxed), S(device));
  Node *task = NULL;
  if (oldest > bottom) {
    scoped_atomic_store_explicit(&deque.bottom, bottom + 1, O(relaxed), S(device));
    return NULL;
  }
  task = scoped_atomic_load_explicit(&deque.tasks[bottom % MOST], O(relaxed), S(device));
  if (oldest == bottom) {
    if (!scoped_atomic_compare_exchange_strong_explicit(&deque.top, &oldest, oldest + 1, O(seq_cst),
                                                        scoped_memory_order_relaxed, S(device)))
      task = NULL;
    scoped_atomic_store_explicit(&deque.bottom, bottom + 1, O(relaxed), S(device));
  }
  return task;
}

static Node *steal(void) {
  int64_t oldest = scoped_atomic_load_explicit(&deque.top, O(acquire), S(device));
  if (mistake() != 3)
    scoped_atomic_thread_fence(O(seq_cst), mistake() == 4 ? scoped_thread_scope_block : S(device));
  int64_t bottom = scoped_atomic_load_explicit(
      &deque.bottom, mistake() == 5 ? scoped_memory_order_relaxed : O(acquire), S(device));
  if (oldest >= bottom)
    return NULL;
  Node *task = scoped_atomic_load_explicit(&deque.tasks[oldest % MOST], O(relaxed), S(device));
  return scoped_atomic_compare_exchange_strong_explicit(&deque.top, &oldest, oldest + 1, O(seq_cst),
                                                        scoped_memory_order_relaxed, S(device))
             ? task
             : NULL;
}

static void finish_task(Node *task) {
  if (task)
    count_taken(scoped_plain_load(&task->value));
}

static void deque_owner(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  for (int i = 0; i < 2; i++) {
    init_node(&nodes[i], i + 1);
    give(&nodes[i]);
  }
  finish_task(take_own());
  finish_task(take_own());
}

static void deque_thief(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  finish_task(steal());
  finish_task(steal());
}

static void prepare_deque(WarpsanTest *test, unsigned threads) {
  prepare_nodes(test, threads);
  memset(&deque, 0, sizeof deque);
  DECLARE(test, deque);
  launch_grid(test, "owner", deque_owner, 1, 1);
  launch_grid(test, "thief", deque_thief, threads - 1, 1);
}

const Structure chase_lev = {"Chase-Lev deque",
                             2,
                             3,
                             prepare_deque,
                             {NULL, "no fence when giving", "acq_rel fence when taking",
                              "no fence when stealing", "fence at block scope when stealing",
                              "relaxed look at the bottom"}};
