#include "explore/pool.h"

#include "explore/kernel.h"
#include "explore/outcomes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

typedef struct WorkItem {
  uint32_t *choices;
  uint32_t count;
} WorkItem;

struct Pool {
  const Program *program;
  const Condition *condition;
  const ExploreOptions *options;
  const Code *codes;
  uint32_t capacity;
  struct Contended *contended;
  const char *unsupported; // of a kernel, which one worker explores
  double deadline;         // seconds, 0: none
  atomic_uint_fast64_t executions;
  atomic_uint waiting;          // workers without work
  atomic_int stop;              // StopReason
  atomic_bool is_out_of_memory; // the system's, not the limit's
  pthread_mutex_t lock;         // of all below
  pthread_cond_t changed;
  uint32_t busy;
  Arena shared; // results and work items; its escape is that of the worker that holds the lock
  ARRAY(WorkItem) items;
  Counts counts;
  Outcomes outcomes;
  Records records;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// --- giving work away

static bool has_more(const Search *search, const Decision *decision) {
  Decision copy = *decision;
  return search_next_alternative(search, &copy);
}

static void lock_shared(Pool *pool, MemoryEscape *escape) {
  pthread_mutex_lock(&pool->lock);
  pool->shared.escape = escape;
}

static void unlock_shared(Pool *pool) {
  pool->shared.escape = NULL;
  pthread_mutex_unlock(&pool->lock);
}

static void give_prefix(Pool *pool, const Search *search, uint32_t depth) {
  lock_shared(pool, search->arena->escape);
  uint32_t *choices = ARENA_ARRAY(&pool->shared, uint32_t, depth);
  for (uint32_t i = 0; i < depth; i++)
    choices[i] = search->decisions[i].choice;
  array_push(&pool->shared, &pool->items, (WorkItem){choices, depth});
  pthread_cond_signal(&pool->changed);
  unlock_shared(pool);
}

static void give_work(Pool *pool, Search *search) {
  for (uint32_t i = search->base_depth; i < search->depth; i++) {
    Decision *decision = &search->decisions[i];
    if (decision->is_given_away || !has_more(search, decision))
      continue;
    give_prefix(pool, search, i + 1);
    decision->is_given_away = true;
    return;
  }
}

void pool_poll(Pool *pool, Search *search) {
  const ExploreOptions *options = pool->options;
  uint64_t fresh = search->counts.executions - search->reported;
  search->reported = search->counts.executions;
  uint64_t total = atomic_fetch_add(&pool->executions, fresh) + fresh;
  int none = STOP_NONE;
  if (options->max_executions && total >= options->max_executions)
    atomic_compare_exchange_strong(&pool->stop, &none, STOP_EXECUTIONS);
  else if (pool->deadline > 0 && now() > pool->deadline)
    atomic_compare_exchange_strong(&pool->stop, &none, STOP_TIME);
  if (atomic_load(&pool->stop) != STOP_NONE)
    search->must_stop = true;
  if (options->progress && fresh)
    options->progress(options->progress_context, total);
  if (options->jobs > 1 && atomic_load(&pool->waiting))
    give_work(pool, search);
}

// --- workers

static void merge(Pool *pool, Search *search) {
  lock_shared(pool, search->arena->escape);
  pool->counts.executions += search->counts.executions;
  pool->counts.duplicates += search->counts.duplicates;
  pool->counts.blocked += search->counts.blocked;
  pool->counts.cut += search->counts.cut;
  pool->counts.steps += search->counts.steps;
  outcomes_merge(&pool->outcomes, search->outcomes, &pool->counts.duplicates);
  records_merge(&pool->records, search->records);
  unlock_shared(pool);
}

// What a worker owns while it works on one item.
typedef struct Worker {
  MemoryEscape escape;
  SearchArenas arenas;
} Worker;

static void run_item(Pool *pool, const WorkItem *item, Worker *worker) {
  Arena *arena = &worker->arenas.lasting;
  Search search;
  Outcomes outcomes;
  Records records = {.arena = arena};
  Judge judge;
  search_init(&search, pool->program, pool->condition, pool->options, pool->codes, pool->capacity,
              false, &worker->arenas);
  outcomes_init(&outcomes, pool->condition ? pool->condition->column_count : 0, arena);
  search.outcomes = &outcomes;
  search.records = &records;
  search.pool = pool;
  search.contended = pool->contended;
  search.prefix = item->choices;
  search.prefix_length = item->count;
  if (pool->options->model->kind == MODEL_KIND_CAT) {
    judge_init(&judge, pool->options->model, &worker->arenas.judge);
    search.judge = &judge;
  }
  search_run(&search);
  if (search.has_overflowed)
    atomic_store(&pool->stop, STOP_CAPACITY);
  else if (search.is_contended)
    atomic_store(&pool->stop, STOP_CONTENDED);
  if (search.kernel && search.kernel->unsupported) {
    pool->unsupported = search.kernel->unsupported;
    atomic_store(&pool->stop, STOP_UNSUPPORTED);
  }
  pool_poll(pool, &search);
  merge(pool, &search);
}

// Waits for an item; false: there will be none.
static bool take_item(Pool *pool, WorkItem *item) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->waiting, 1);
  while (!pool->items.count && pool->busy)
    pthread_cond_wait(&pool->changed, &pool->lock);
  atomic_fetch_sub(&pool->waiting, 1);
  bool has_item = pool->items.count > 0;
  if (has_item) {
    *item = pool->items.items[--pool->items.count];
    pool->busy++;
  }
  pthread_mutex_unlock(&pool->lock);
  return has_item;
}

static void finish_item(Pool *pool) {
  pthread_mutex_lock(&pool->lock);
  if (--pool->busy == 0)
    pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
}

// Memory ends the whole search: what was not merged is lost, so the result says that it is
// incomplete.
static void run_guarded(Pool *pool, const WorkItem *item, Worker *worker) {
  if (setjmp(worker->escape.target) == 0) {
    run_item(pool, item, worker);
    return;
  }
  if (pool->shared.escape == &worker->escape)
    unlock_shared(pool);
  if (pool->options->memory_bytes == 0)
    atomic_store(&pool->is_out_of_memory, true);
  atomic_store(&pool->stop, STOP_MEMORY);
}

static void *run_worker(void *context) {
  Pool *pool = context;
  Worker worker;
  WorkItem item;
  while (take_item(pool, &item)) {
    size_t limit = pool->options->memory_bytes / pool->options->jobs;
    search_arenas_init(&worker.arenas, &worker.escape, limit);
    run_guarded(pool, &item, &worker);
    search_arenas_release(&worker.arenas);
    finish_item(pool);
  }
  return NULL;
}

static void run_workers(Pool *pool) {
  uint32_t extra = pool->options->jobs - 1;
  pthread_t threads[extra + 1];
  uint32_t started = 0;
  while (started < extra && pthread_create(&threads[started], NULL, run_worker, pool) == 0)
    started++;
  run_worker(pool);
  for (uint32_t i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
}

Pool *pool_new(const Program *program, const Condition *condition, const ExploreOptions *options,
               const Code *codes, uint32_t capacity, struct Contended *contended, Arena *arena) {
  Pool *pool = ARENA_NEW(arena, Pool);
  pool->program = program;
  pool->condition = condition;
  pool->options = options;
  pool->codes = codes;
  pool->capacity = capacity;
  pool->contended = contended;
  pool->deadline = options->timeout_seconds > 0 ? now() + options->timeout_seconds : 0;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  arena_init(&pool->shared, arena->escape, 0);
  return pool;
}

PoolResult pool_run(Pool *pool) {
  const Condition *condition = pool->condition;
  outcomes_init(&pool->outcomes, condition ? condition->column_count : 0, &pool->shared);
  pool->records.arena = &pool->shared;
  array_push(&pool->shared, &pool->items, (WorkItem){NULL, 0});
  pool->shared.escape = NULL;
  run_workers(pool);
  return (PoolResult){pool->counts,      &pool->outcomes,
                      &pool->records,    atomic_load(&pool->stop),
                      pool->unsupported, atomic_load(&pool->is_out_of_memory)};
}

void pool_release(Pool *pool) {
  arena_release(&pool->shared);
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
}
