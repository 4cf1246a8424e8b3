// Executions a second of C functions that are checked in process, and the memory that it takes.
//
// usage: functions [REPEATS]
// Prints a line for each program; the CPU seconds are the least of the repeats (3). Rates are no
// test: they depend on the machine. A number of executions that is not the one of the formula is an
// error.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define DEVICE scoped_thread_scope_device
#define RELAXED scoped_memory_order_relaxed
#define ACQUIRE scoped_memory_order_acquire
#define RELEASE scoped_memory_order_release

enum { MOST = 32 };

// --- store buffering: each thread writes its location and reads the next one

static int cells[MOST];
static unsigned thread_count;

static void store_and_load(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  scoped_atomic_store_explicit(&cells[own], 1, RELAXED, DEVICE);
  (void)scoped_atomic_load_explicit(&cells[(own + 1) % thread_count], RELAXED, DEVICE);
}

// --- increments of one counter

static int counter;

static void increment(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_atomic_fetch_add_explicit(&counter, 1, RELAXED, DEVICE);
}

static void increment_only(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  scoped_atomic_add_explicit(&counter, 1, RELAXED, DEVICE);
}

// --- ticket lock

static unsigned next_ticket, serving;
static int guarded;

static void lock_and_count(const WarpsanThread *thread, void *argument) {
  (void)thread;
  (void)argument;
  unsigned own = scoped_atomic_fetch_add_explicit(&next_ticket, 1, RELAXED, DEVICE);
  scoped_spin_while(scoped_atomic_load_explicit(&serving, ACQUIRE, DEVICE) != own);
  scoped_plain_store(&guarded, scoped_plain_load(&guarded) + 1);
  scoped_atomic_store_explicit(&serving, own + 1, RELEASE, DEVICE);
}

// --- queue of Michael and Scott: each thread puts one in and takes one out

typedef struct Node {
  struct Node *next;
  int value;
} Node;

static Node nodes[MOST], *first, *last;

static void enqueue(Node *node) {
  for (;;) {
    Node *tail = scoped_atomic_load_explicit(&last, ACQUIRE, DEVICE);
    Node *next = scoped_atomic_load_explicit(&tail->next, ACQUIRE, DEVICE);
    if (next) {
      scoped_atomic_compare_exchange_strong_explicit(&last, &tail, next, RELEASE, RELAXED, DEVICE);
    } else if (scoped_atomic_compare_exchange_strong_explicit(&tail->next, &next, node, RELEASE,
                                                              RELAXED, DEVICE)) {
      scoped_atomic_compare_exchange_strong_explicit(&last, &tail, node, RELEASE, RELAXED, DEVICE);
      return;
    }
  }
}

static int dequeue(void) {
  for (;;) {
    Node *head = scoped_atomic_load_explicit(&first, ACQUIRE, DEVICE);
    Node *tail = scoped_atomic_load_explicit(&last, ACQUIRE, DEVICE);
    Node *next = scoped_atomic_load_explicit(&head->next, ACQUIRE, DEVICE);
    if (!next)
      return 0;
    if (head == tail) {
      scoped_atomic_compare_exchange_strong_explicit(&last, &tail, next, RELEASE, RELAXED, DEVICE);
      continue;
    }
    int value = scoped_plain_load(&next->value);
    if (scoped_atomic_compare_exchange_strong_explicit(&first, &head, next, RELEASE, RELAXED,
                                                       DEVICE))
      return value;
  }
}

static void put_and_take(const WarpsanThread *thread, void *argument) {
  (void)argument;
  Node *node = &nodes[thread->block.x + 1];
  scoped_plain_store(&node->value, (int)thread->block.x + 1);
  enqueue(node);
  scoped_assert(dequeue() != 0);
}

// --- measuring

typedef struct Program {
  const char *name;
  WarpsanFunction *function;
  unsigned threads;
  uint64_t executions; // 0: not known
} Program;

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static long peak_kilobytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static WarpsanTest *prepare(const Program *program) {
  WarpsanTest *test;
  if (warpsan_test_new(program->name, &test) != WARPSAN_OK)
    abort();
  memset(cells, 0, sizeof cells);
  memset(nodes, 0, sizeof nodes);
  counter = guarded = 0;
  next_ticket = serving = 0;
  first = last = &nodes[0];
  thread_count = program->threads;
  scoped_test_memory(test, cells);
  scoped_test_memory(test, counter);
  scoped_test_memory(test, next_ticket);
  scoped_test_memory(test, serving);
  scoped_test_memory(test, guarded);
  scoped_test_memory(test, nodes);
  scoped_test_memory(test, first);
  scoped_test_memory(test, last);
  WarpsanLaunch launch = {.size = sizeof launch, .name = "thread", .function = program->function};
  launch.grid.x = program->threads;
  if (warpsan_test_launch(test, &launch) != WARPSAN_OK)
    abort();
  return test;
}

static bool measure(const Program *program, int repeats) {
  double least = 1e9;
  uint64_t executions = 0, blocked = 0;
  bool is_ok = true;
  for (int i = 0; i < repeats; i++) {
    WarpsanSession *session;
    WarpsanResults *results;
    WarpsanTest *test = prepare(program);
    if (warpsan_session_new(&session) != WARPSAN_OK ||
        warpsan_results_new(session, &results) != WARPSAN_OK)
      abort();
    double begin = cpu_seconds();
    if (warpsan_check_function(session, test, NULL, results) != WARPSAN_OK)
      abort();
    double seconds = cpu_seconds() - begin;
    const WarpsanResult *result = warpsan_results_get(results, 0);
    least = seconds < least ? seconds : least;
    executions = warpsan_result_executions(result);
    blocked = warpsan_result_blocked(result);
    is_ok &= warpsan_result_outcome(result) == WARPSAN_OUTCOME_CLEAN;
    warpsan_results_free(results);
    warpsan_session_free(session);
    warpsan_test_free(test);
  }
  is_ok &= program->executions == 0 || program->executions == executions;
  printf(
      "%-24s %2u threads %9llu executions %9llu blocked %8.3f s %9.0f a second  peak %5ld KB%s\n",
      program->name, program->threads, (unsigned long long)executions, (unsigned long long)blocked,
      least, (double)executions / least, peak_kilobytes(), is_ok ? "" : "  WRONG");
  return is_ok;
}

int main(int argument_count, char **arguments) {
  static const Program programs[] = {
      {"SB", store_and_load, 2, 4},
      {"SB", store_and_load, 12, 4096},
      {"SB", store_and_load, 16, 65536},
      {"SB", store_and_load, 20, 1048576},
      {"increments", increment, 6, 720},
      {"increments", increment, 7, 5040},
      {"increments", increment, 8, 40320},
      {"increments, no result", increment_only, 8, 1},
      {"increments, no result", increment_only, 32, 1},
      {"ticket lock", lock_and_count, 3, 6},
      {"ticket lock", lock_and_count, 4, 24},
      {"ticket lock", lock_and_count, 5, 120},
      {"Michael-Scott queue", put_and_take, 2, 0},
      {"Michael-Scott queue", put_and_take, 3, 0},
  };
  int repeats = argument_count > 1 ? atoi(arguments[1]) : 3;
  bool is_ok = true;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    is_ok &= measure(&programs[i], repeats);
  return !is_ok;
}
