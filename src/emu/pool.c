#include "emu/pool.h"

#include <assert.h>
#include <unistd.h>

// Whoever waits for work to begin or to end looks again and again for about as long as it takes
// to fall asleep and be woken, unless more threads wait than the machine can run.
enum { MOST_LOOKS = 1 << 10 };

static uint32_t looks(uint32_t worker_count) {
#ifdef _SC_NPROCESSORS_ONLN
  return sysconf(_SC_NPROCESSORS_ONLN) >= (long)worker_count ? MOST_LOOKS : 0;
#else
  (void)worker_count;
  return 0;
#endif
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static bool has_begun(Emu *emu, uint32_t round) {
  return atomic_load_explicit(&emu->round, memory_order_acquire) != round;
}

static bool has_ended(Emu *emu) {
  return atomic_load_explicit(&emu->working, memory_order_acquire) == 0;
}

static void await_begin(Emu *emu, uint32_t round) {
  for (uint32_t i = 0; i < emu->looks; i++, relax())
    if (has_begun(emu, round))
      return;
  pthread_mutex_lock(&emu->mutex);
  while (!has_begun(emu, round))
    pthread_cond_wait(&emu->has_begun, &emu->mutex);
  pthread_mutex_unlock(&emu->mutex);
}

static void await_end(Emu *emu) {
  for (uint32_t i = 0; i < emu->looks; i++, relax())
    if (has_ended(emu))
      return;
  pthread_mutex_lock(&emu->mutex);
  while (!has_ended(emu))
    pthread_cond_wait(&emu->has_ended, &emu->mutex);
  pthread_mutex_unlock(&emu->mutex);
}

// `share` NULL: there will be no more.
static void begin(Emu *emu, PoolShare *share, uint32_t count) {
  emu->share = share;
  emu->share_count = count;
  atomic_store(&emu->next_share, 0);
  atomic_store_explicit(&emu->working, emu->worker_count - 1, memory_order_relaxed);
  pthread_mutex_lock(&emu->mutex);
  atomic_fetch_add_explicit(&emu->round, 1, memory_order_release);
  pthread_cond_broadcast(&emu->has_begun);
  pthread_mutex_unlock(&emu->mutex);
}

static void end(Emu *emu) {
  if (atomic_fetch_sub_explicit(&emu->working, 1, memory_order_acq_rel) > 1)
    return;
  pthread_mutex_lock(&emu->mutex);
  pthread_cond_signal(&emu->has_ended);
  pthread_mutex_unlock(&emu->mutex);
}

static void do_shares(Worker *worker) {
  Emu *emu = worker->emu;
  while (!atomic_load_explicit(&emu->has_left, memory_order_relaxed)) {
    uint32_t i = atomic_fetch_add(&emu->next_share, 1);
    if (i >= emu->share_count)
      return;
    emu->share(worker, i);
  }
}

// Returns also if memory runs out, for whichever worker.
static void do_part(Worker *worker) {
  WorkerEscape escape = {.has_left = &worker->emu->has_left};
  if (setjmp(escape.target) == 0) {
    arena_set_worker_escape(&escape);
    do_shares(worker);
  }
  arena_set_worker_escape(NULL);
}

static void *work(void *context) {
  Worker *worker = context;
  Emu *emu = worker->emu;
  for (uint32_t round = 0;; round++) {
    await_begin(emu, round);
    if (!emu->share)
      return NULL;
    do_part(worker);
    end(emu);
  }
}

void emu_start_workers(Emu *emu) {
  pthread_mutex_init(&emu->mutex, NULL);
  pthread_cond_init(&emu->has_begun, NULL);
  pthread_cond_init(&emu->has_ended, NULL);
  emu->has_workers = true;
  emu->looks = looks(emu->worker_count);
  for (uint32_t i = 1; i < emu->worker_count; i++)
    if (pthread_create(&emu->workers[i].thread, NULL, work, &emu->workers[i]) != 0) {
      emu->worker_count = i;
      break;
    }
}

void emu_share_out(Emu *emu, PoolShare *share, uint32_t count) {
  Worker *first = &emu->workers[0];
  if (emu->worker_count == 1 || count < 2) {
    for (uint32_t i = 0; i < count; i++)
      share(first, i);
    return;
  }
  begin(emu, share, count);
  do_part(first);
  await_end(emu);
  if (atomic_load(&emu->has_left))
    arena_exhaust(emu->arena);
}

void emu_stop_workers(Emu *emu) {
  if (!emu->has_workers)
    return;
  assert(has_ended(emu) && "nobody leaves emu_share_out before all have ended their part");
  emu->has_workers = false;
  begin(emu, NULL, 0);
  for (uint32_t i = 1; i < emu->worker_count; i++)
    pthread_join(emu->workers[i].thread, NULL);
  pthread_cond_destroy(&emu->has_begun);
  pthread_cond_destroy(&emu->has_ended);
  pthread_mutex_destroy(&emu->mutex);
}
