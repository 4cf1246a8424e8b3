#include "emu/pool.h"

#include "emu/schedule.h"

static void run_blocks(Worker *worker) {
  Emu *emu = worker->emu;
  for (;;) {
    uint32_t i = atomic_fetch_add(&emu->next_block, 1);
    if (i >= emu->resident.count)
      return;
    emu_run_block(worker, emu->resident.items[i]);
  }
}

// Waits for a round, runs its share, says so.
static void *work(void *context) {
  Worker *worker = context;
  Emu *emu = worker->emu;
  uint64_t round = 0;
  for (;;) {
    pthread_mutex_lock(&emu->mutex);
    while (emu->round == round)
      pthread_cond_wait(&emu->has_begun, &emu->mutex);
    round = emu->round;
    bool is_over = emu->is_over;
    pthread_mutex_unlock(&emu->mutex);
    if (is_over)
      return NULL;
    run_blocks(worker);
    pthread_mutex_lock(&emu->mutex);
    if (--emu->working == 0)
      pthread_cond_signal(&emu->has_ended);
    pthread_mutex_unlock(&emu->mutex);
  }
}

void emu_start_workers(Emu *emu) {
  pthread_mutex_init(&emu->mutex, NULL);
  pthread_cond_init(&emu->has_begun, NULL);
  pthread_cond_init(&emu->has_ended, NULL);
  emu->has_workers = true;
  for (uint32_t i = 1; i < emu->worker_count; i++)
    if (pthread_create(&emu->workers[i].thread, NULL, work, &emu->workers[i]) != 0) {
      emu->worker_count = i;
      break;
    }
}

static void begin_round(Emu *emu, bool is_over) {
  pthread_mutex_lock(&emu->mutex);
  emu->round++;
  emu->working = emu->worker_count - 1;
  emu->is_over = is_over;
  pthread_cond_broadcast(&emu->has_begun);
  pthread_mutex_unlock(&emu->mutex);
}

void emu_run_round(Emu *emu) {
  atomic_store(&emu->next_block, 0);
  bool is_shared = emu->worker_count > 1 && emu->resident.count > 1;
  if (is_shared)
    begin_round(emu, false);
  run_blocks(&emu->workers[0]);
  if (!is_shared)
    return;
  pthread_mutex_lock(&emu->mutex);
  while (emu->working)
    pthread_cond_wait(&emu->has_ended, &emu->mutex);
  pthread_mutex_unlock(&emu->mutex);
}

void emu_stop_workers(Emu *emu) {
  if (!emu->has_workers)
    return;
  emu->has_workers = false;
  begin_round(emu, true);
  for (uint32_t i = 1; i < emu->worker_count; i++)
    pthread_join(emu->workers[i].thread, NULL);
  pthread_cond_destroy(&emu->has_begun);
  pthread_cond_destroy(&emu->has_ended);
  pthread_mutex_destroy(&emu->mutex);
}
