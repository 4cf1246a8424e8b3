// Workers that share one search: a worker gives the oldest open decision of its own to whoever is
// idle, as the choices that lead there. Also the limits, which hold for all workers together.
#ifndef WARPSAN_EXPLORE_POOL_H
#define WARPSAN_EXPLORE_POOL_H

#include "explore/search.h"

typedef struct PoolResult {
  Counts counts;
  Outcomes *outcomes; // the pool's, as are the records
  Records *records;
  StopReason stop;
  Restart restart;         // STOP_CONTENDED
  const Notes *notes;      // likewise the pool's
  const char *unsupported; // the instruction
  bool is_lost;            // a worker could not repeat what it was given: wrong
  bool is_out_of_memory;   // the system has no more; a limit is only a reason to stop
} PoolResult;

// `arena` holds the pool itself; results live until pool_release.
// `contended` is for kernels. `deadline` in seconds of a monotonic clock, 0: none. *found_at: when
// a kernel's first finding was made, 0: not yet; written here, and lives as long as the pool.
Pool *pool_new(const Program *program, const Condition *condition, const ExploreOptions *options,
               const Code *codes, uint32_t capacity, const Contended *contended, double deadline,
               double *found_at, Arena *arena);
// How long a search goes on that has found something; 0: no limit.
double pool_seconds_after_finding(const ExploreOptions *options);
double pool_now(void);
// Explores everything with `options->jobs` workers.
PoolResult pool_run(Pool *pool);
void pool_release(Pool *pool);

// Called by a worker now and then: notes progress, obeys limits, gives work away.
void pool_poll(Pool *pool, Search *search);
// Is the time over? Called in the middle of a long step, which is then given up.
bool pool_is_late(Pool *pool, const Search *search);
// What may have to be explored of a decision of which several workers explore parts: only once.
void pool_offer_deferral(Pool *pool, const Search *search, uint32_t decision);
// The search ends here. Executions before this one are explored still, as one worker alone would
// have: if one of them has a reason, too, that one counts.
void pool_halt(Pool *pool, const Search *search, StopReason reason, Restart restart);

#endif
