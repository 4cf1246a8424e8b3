#include "explore/pool.h"

#include "explore/contended.h"
#include "explore/kernel.h"
#include "explore/outcomes.h"
#include "explore/path.h"
#include "explore/work.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

// The earliest execution at which the search has to end.
typedef struct Halt {
  StopReason reason;
  Restart restart;
  const char *unsupported;
  uint32_t *path;
  uint32_t depth;
} Halt;

// A decision that has been deferred: the choices before it.
typedef struct Claim {
  const uint32_t *path;
  uint32_t depth;
} Claim;

typedef struct Claims {
  ARRAY(Claim) list;
  uint32_t *slots; // open addressing: claim + 1
  uint32_t slot_count;
} Claims;

struct Pool {
  const Program *program;
  const Condition *condition;
  const ExploreOptions *options;
  const Code *codes;
  uint32_t capacity;
  const Contended *contended;
  double deadline;  // seconds, 0: none
  double *found_at; // seconds, 0: nothing has been found
  ArenaBudget budget;
  atomic_uint_fast64_t executions, steps;
  atomic_bool is_hungry;        // a worker waits for whom there is no work
  atomic_bool is_halted;        // see `halt`
  atomic_int stop;              // StopReason: at once
  atomic_bool is_out_of_memory; // the system's, not the limit's
  atomic_bool is_lost;          // a part could not be repeated
  pthread_mutex_t lock;         // of all below
  pthread_cond_t changed;
  uint32_t busy, waiting;
  size_t worker_bytes; // what one needs at least
  Arena shared;        // results and work; its escape is that of the worker that holds the lock
  ARRAY(Work) items;
  ARRAY(Work) spare; // their numbers are used again
  Claims claims;
  Halt halt;
  Counts counts;
  Outcomes outcomes;
  Records records;
  Notes notes;
};

typedef struct Worker {
  Pool *pool;
  MemoryEscape escape;
  SearchArenas arenas;
  bool is_busy, is_ready; // `is_ready`: what follows is in use
  Work work;
  Search search;
  Outcomes outcomes;
  Records records;
  Notes notes;
  Judge judge;
} Worker;

double pool_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void lock_shared(Pool *pool, MemoryEscape *escape) {
  pthread_mutex_lock(&pool->lock);
  pool->shared.escape = escape;
}

static void unlock_shared(Pool *pool) {
  pool->shared.escape = NULL;
  pthread_mutex_unlock(&pool->lock);
}

static uint32_t *copy_path(const Search *search, uint32_t depth, Arena *arena) {
  uint32_t *path = ARENA_ARRAY(arena, uint32_t, depth + 1);
  for (uint32_t i = 0; i < depth; i++)
    path[i] = search->decisions[i].choice;
  return path;
}

// --- the queue. Requires: the lock

static void note_hunger(Pool *pool) {
  atomic_store(&pool->is_hungry, pool->waiting > pool->items.count);
}

static void queue_work(Pool *pool, const Search *search, uint32_t decision, bool is_deferral) {
  Work work = {0};
  if (pool->spare.count)
    work = pool->spare.items[--pool->spare.count];
  work_describe(&work, search, decision, is_deferral, &pool->shared);
  array_push(&pool->shared, &pool->items, work);
  note_hunger(pool);
  pthread_cond_signal(&pool->changed);
}

// Is what comes at this path or behind it of no interest any more?
static bool is_behind_halt(const Pool *pool, const uint32_t *path, uint32_t depth) {
  return pool->halt.reason != STOP_NONE &&
         path_compare(path, depth, pool->halt.path, pool->halt.depth) > 0;
}

static void drop_vain_work(Pool *pool) {
  while (pool->items.count) {
    const Work *newest = &pool->items.items[pool->items.count - 1];
    if (atomic_load(&pool->stop) == STOP_NONE &&
        !is_behind_halt(pool, newest->numbers, newest->depth))
      break;
    pool->items.count--;
  }
}

// --- deferrals

static uint64_t hash_path(const uint32_t *path, uint32_t depth) {
  uint64_t hash = depth;
  for (uint32_t i = 0; i < depth; i++)
    hash = search_mix(hash + path[i] + 1);
  return hash;
}

// The slot of the claim, or the empty one where it belongs.
static uint32_t find_slot(const Claims *claims, const uint32_t *path, uint32_t depth) {
  uint32_t mask = claims->slot_count - 1;
  uint32_t slot = (uint32_t)hash_path(path, depth) & mask;
  for (; claims->slots[slot]; slot = (slot + 1) & mask) {
    const Claim *claim = &claims->list.items[claims->slots[slot] - 1];
    if (path_compare(claim->path, claim->depth, path, depth) == 0)
      break;
  }
  return slot;
}

static void grow_claims(Claims *claims, Arena *arena) {
  uint32_t count = claims->slot_count ? 2 * claims->slot_count : 64;
  claims->slots = ARENA_ARRAY(arena, uint32_t, count);
  claims->slot_count = count;
  for (uint32_t i = 0; i < claims->list.count; i++) {
    const Claim *claim = &claims->list.items[i];
    claims->slots[find_slot(claims, claim->path, claim->depth)] = i + 1;
  }
}

// False: somebody has it already.
static bool claim(Pool *pool, const Search *search, uint32_t depth) {
  Claims *claims = &pool->claims;
  if (2 * claims->list.count >= claims->slot_count)
    grow_claims(claims, &pool->shared);
  ArenaMark mark = arena_mark(&pool->shared);
  uint32_t *path = copy_path(search, depth, &pool->shared);
  uint32_t slot = find_slot(claims, path, depth);
  if (claims->slots[slot]) {
    arena_reset(&pool->shared, mark);
    return false;
  }
  array_push(&pool->shared, &claims->list, (Claim){path, depth});
  claims->slots[slot] = claims->list.count;
  return true;
}

static void queue_deferral(Pool *pool, const Search *search, uint32_t decision) {
  if (claim(pool, search, decision))
    queue_work(pool, search, decision, true);
}

void pool_offer_deferral(Pool *pool, const Search *search, uint32_t decision) {
  lock_shared(pool, search->arena->escape);
  queue_deferral(pool, search, decision);
  unlock_shared(pool);
}

// --- giving work away

static bool has_more(const Search *search, const Decision *decision) {
  Decision copy = *decision;
  return search_next_alternative(search, &copy);
}

// What is left of a decision: its further alternatives and, on its own, its deferral.
static void give_rest(Pool *pool, Search *search, uint32_t index) {
  Decision *decision = &search->decisions[index];
  lock_shared(pool, search->arena->escape);
  if (search->shared_depth < index + 1)
    search->shared_depth = index + 1;
  if (decision->may_defer) {
    decision->may_defer = false;
    decision->has_deferred = true;
    queue_deferral(pool, search, index);
  }
  if (has_more(search, decision)) {
    queue_work(pool, search, index, false);
    decision->is_given_away = true;
  }
  unlock_shared(pool);
}

// So often at most, lest workers do nothing but repeat what they are given.
static const double seconds_between_gifts = 0.001;

static void give_work(Pool *pool, Search *search) {
  double time = pool_now();
  if (time < search->next_gift)
    return;
  for (uint32_t i = search->base_depth; i < search->depth; i++)
    if (!search->decisions[i].is_given_away && has_more(search, &search->decisions[i])) {
      search->next_gift = time + seconds_between_gifts;
      give_rest(pool, search, i);
      return;
    }
}

// --- limits

static uint64_t count_steps(Pool *pool, Search *search) {
  uint64_t fresh = search->counts.steps - search->reported.steps;
  search->reported.steps = search->counts.steps;
  return atomic_fetch_add(&pool->steps, fresh) + fresh;
}

static void count_executions(Pool *pool, Search *search) {
  const ExploreOptions *options = pool->options;
  uint64_t fresh = search->counts.executions - search->reported.executions;
  search->reported.executions = search->counts.executions;
  uint64_t total = atomic_fetch_add(&pool->executions, fresh) + fresh;
  int none = STOP_NONE;
  if (options->max_executions && total >= options->max_executions)
    atomic_compare_exchange_strong(&pool->stop, &none, STOP_EXECUTIONS);
  if (options->progress && fresh)
    options->progress(options->progress_context, total);
}

static bool comes_too_late(Pool *pool, const Search *search) {
  ArenaMark mark = arena_mark(search->temporary);
  const uint32_t *path = copy_path(search, search->depth, search->temporary);
  pthread_mutex_lock(&pool->lock);
  bool is_late = is_behind_halt(pool, path, search->depth);
  pthread_mutex_unlock(&pool->lock);
  arena_reset(search->temporary, mark);
  return is_late;
}

// Whatever comes before: the search has got long.
static void halt_at_once(Pool *pool, Restart restart) {
  pthread_mutex_lock(&pool->lock);
  pool->halt = (Halt){.reason = STOP_CONTENDED, .restart = restart};
  atomic_store(&pool->is_halted, true);
  pthread_mutex_unlock(&pool->lock);
}

double pool_seconds_after_finding(const ExploreOptions *options) {
  if (options->seconds_after_finding > 0)
    return options->seconds_after_finding;
  bool has_limit = options->timeout_seconds > 0 || options->max_executions;
  return has_limit ? 0 : EXPLORE_SECONDS_AFTER_FINDING;
}

// Where something has been found, the user is not to wait for the rest of a search without end.
static bool goes_on_long_after_finding(Pool *pool, const Search *search) {
  double seconds = pool_seconds_after_finding(pool->options);
  if (!search->kernel || !(seconds > 0))
    return false;
  pthread_mutex_lock(&pool->lock);
  if (*pool->found_at == 0 && search->records->count)
    *pool->found_at = pool_now();
  double found_at = *pool->found_at;
  pthread_mutex_unlock(&pool->lock);
  return found_at > 0 && pool_now() > found_at + seconds;
}

bool pool_is_late(Pool *pool, const Search *search) {
  int none = STOP_NONE;
  if (pool->deadline > 0 && pool_now() > pool->deadline)
    atomic_compare_exchange_strong(&pool->stop, &none, STOP_TIME);
  else if (goes_on_long_after_finding(pool, search))
    atomic_compare_exchange_strong(&pool->stop, &none, STOP_FOUND);
  return atomic_load(&pool->stop) != STOP_NONE;
}

void pool_poll(Pool *pool, Search *search) {
  uint64_t steps = count_steps(pool, search);
  count_executions(pool, search);
  pool_is_late(pool, search);
  RestartKind kind;
  if (search->kernel && kernel_is_too_long(search, steps, &kind))
    halt_at_once(pool, (Restart){.kind = kind});
  if (atomic_load(&pool->stop) != STOP_NONE ||
      (atomic_load(&pool->is_halted) && comes_too_late(pool, search)))
    search->must_stop = true;
  else if (atomic_load(&pool->is_hungry))
    give_work(pool, search);
}

void pool_halt(Pool *pool, const Search *search, StopReason reason, Restart restart) {
  lock_shared(pool, search->arena->escape);
  uint32_t *path = copy_path(search, search->depth, &pool->shared);
  if (pool->halt.reason == STOP_NONE || !is_behind_halt(pool, path, search->depth))
    pool->halt = (Halt){.reason = reason,
                        .restart = restart,
                        .unsupported = search->kernel ? search->kernel->unsupported : NULL,
                        .path = path,
                        .depth = search->depth};
  atomic_store(&pool->is_halted, true);
  unlock_shared(pool);
}

// --- workers

static void make_ready(Worker *worker) {
  const Pool *pool = worker->pool;
  Arena *arena = &worker->arenas.lasting;
  Search *search = &worker->search;
  uint32_t columns = pool->condition ? pool->condition->column_count : 0;
  search_init(search, pool->program, pool->condition, pool->options, pool->codes, pool->capacity,
              false, &worker->arenas);
  outcomes_init(&worker->outcomes, columns, arena);
  worker->records.arena = arena;
  notes_init(&worker->notes, pool->contended, arena);
  search->outcomes = &worker->outcomes;
  search->records = &worker->records;
  search->notes = &worker->notes;
  search->contended = pool->contended;
  search->pool = worker->pool;
  if (pool->options->guest)
    guest_init(search, pool->contended->tree);
  if (pool->options->model->kind == MODEL_KIND_CAT) {
    judge_init(&worker->judge, pool->options->model, &worker->arenas.judge);
    search->judge = &worker->judge;
  }
  worker->is_ready = true;
  search_begin(search);
  pthread_mutex_lock(&worker->pool->lock);
  worker->pool->worker_bytes = worker->arenas.lasting.allocated_bytes +
                               worker->arenas.temporary.allocated_bytes +
                               worker->arenas.judge.allocated_bytes;
  pthread_mutex_unlock(&worker->pool->lock);
}

static void explore_part(Worker *worker) {
  Pool *pool = worker->pool;
  if (worker->is_ready)
    worker->search.must_stop = false; // the part before may be of no interest any more
  else
    make_ready(worker);
  bool fits = search_run(&worker->search, &worker->work);
  assert(fits && "repeating choices leads to where they were made");
  if (!fits)
    atomic_store(&pool->is_lost, true);
  count_steps(pool, &worker->search);
  count_executions(pool, &worker->search);
}

// Does what a further worker needs at least fit beside what there is?
static bool has_room(Pool *pool) {
  return !pool->budget.limit_bytes ||
         pool->worker_bytes <= pool->budget.limit_bytes - atomic_load(&pool->budget.used_bytes);
}

// Waits for a part; false: there will be none.
static bool take_part(Worker *worker) {
  Pool *pool = worker->pool;
  lock_shared(pool, &worker->escape);
  pool->waiting++;
  for (drop_vain_work(pool); !pool->items.count && pool->busy; drop_vain_work(pool)) {
    note_hunger(pool);
    pool->shared.escape = NULL;
    pthread_cond_wait(&pool->changed, &pool->lock);
    pool->shared.escape = &worker->escape;
  }
  pool->waiting--;
  bool has_part = pool->items.count > 0 && (worker->is_ready || !pool->busy || has_room(pool));
  if (has_part) {
    Work *newest = &pool->items.items[--pool->items.count];
    work_copy(&worker->work, newest, &worker->arenas.lasting);
    array_push(&pool->shared, &pool->spare, *newest);
    pool->busy++;
    worker->is_busy = true;
  } else if (pool->items.count) {
    pthread_cond_signal(&pool->changed); // for somebody else
  }
  note_hunger(pool);
  unlock_shared(pool);
  return has_part;
}

static void finish_part(Worker *worker) {
  Pool *pool = worker->pool;
  worker->is_busy = false;
  pthread_mutex_lock(&pool->lock);
  if (--pool->busy == 0)
    pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
}

static void merge(Worker *worker) {
  Pool *pool = worker->pool;
  const Counts *counts = &worker->search.counts;
  lock_shared(pool, &worker->escape);
  pool->counts.executions += counts->executions;
  pool->counts.duplicates += counts->duplicates;
  pool->counts.blocked += counts->blocked;
  pool->counts.cut += counts->cut;
  pool->counts.steps += counts->steps;
  outcomes_merge(&pool->outcomes, &worker->outcomes, &pool->counts.duplicates);
  records_merge(&pool->records, &worker->records);
  notes_merge(&pool->notes, &worker->notes);
  unlock_shared(pool);
}

static void work(Worker *worker) {
  while (take_part(worker)) {
    explore_part(worker);
    finish_part(worker);
  }
  if (worker->is_ready)
    merge(worker);
}

// Memory ends the whole search. What the worker has found is kept if there is room for it.
static void give_up(Worker *worker) {
  Pool *pool = worker->pool;
  if (pool->shared.escape == &worker->escape)
    unlock_shared(pool);
  if (!pool->budget.limit_bytes)
    atomic_store(&pool->is_out_of_memory, true);
  atomic_store(&pool->stop, STOP_MEMORY);
  arena_release(&worker->arenas.temporary);
  if (setjmp(worker->escape.target) != 0)
    unlock_shared(pool);
  else if (worker->is_ready)
    merge(worker);
  if (worker->is_busy)
    finish_part(worker);
}

static void *run_worker(void *context) {
  Worker *worker = context;
  search_arenas_init(&worker->arenas, &worker->escape, &worker->pool->budget);
  if (setjmp(worker->escape.target) == 0)
    work(worker);
  else
    give_up(worker);
  search_arenas_release(&worker->arenas);
  return NULL;
}

static void run_workers(Pool *pool) {
  uint32_t extra = pool->options->jobs - 1, started = 0;
  pthread_t threads[extra + 1];
  Worker *workers = ARENA_ARRAY(&pool->shared, Worker, extra + 1);
  for (uint32_t i = 0; i <= extra; i++)
    workers[i].pool = pool;
  pool->shared.escape = NULL;
  while (started < extra &&
         pthread_create(&threads[started], NULL, run_worker, &workers[started + 1]) == 0)
    started++;
  run_worker(&workers[0]);
  for (uint32_t i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
}

// --- the whole

Pool *pool_new(const Program *program, const Condition *condition, const ExploreOptions *options,
               const Code *codes, uint32_t capacity, const Contended *contended, double deadline,
               double *found_at, Arena *arena) {
  Pool *pool = ARENA_NEW(arena, Pool);
  pool->program = program;
  pool->condition = condition;
  pool->options = options;
  pool->codes = codes;
  pool->capacity = capacity;
  pool->contended = contended;
  pool->deadline = deadline;
  pool->found_at = found_at;
  pool->budget.limit_bytes = options->memory_bytes;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  arena_init(&pool->shared, arena->escape, 0);
  return pool;
}

static StopReason find_stop(Pool *pool) {
  StopReason stop = (StopReason)atomic_load(&pool->stop);
  bool is_halted = pool->halt.reason != STOP_NONE;
  return is_halted && (stop == STOP_NONE || stop == STOP_EXECUTIONS) ? pool->halt.reason : stop;
}

PoolResult pool_run(Pool *pool) {
  const Condition *condition = pool->condition;
  outcomes_init(&pool->outcomes, condition ? condition->column_count : 0, &pool->shared);
  pool->records.arena = &pool->shared;
  notes_init(&pool->notes, pool->contended, &pool->shared);
  array_push(&pool->shared, &pool->items, (Work){0});
  run_workers(pool);
  return (PoolResult){.counts = pool->counts,
                      .outcomes = &pool->outcomes,
                      .records = &pool->records,
                      .stop = find_stop(pool),
                      .restart = pool->halt.restart,
                      .notes = &pool->notes,
                      .unsupported = pool->halt.unsupported,
                      .is_lost = atomic_load(&pool->is_lost),
                      .is_out_of_memory = atomic_load(&pool->is_out_of_memory)};
}

void pool_release(Pool *pool) {
  arena_release(&pool->shared);
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
}
