// Workers that share one search: a worker gives the oldest open decision of its own to whoever is
// idle, as the choices that lead there. Also the limits, which hold for all workers together.
#ifndef WARPSAN_EXPLORE_POOL_H
#define WARPSAN_EXPLORE_POOL_H

#include "explore/search.h"

// Why a search ended before everything was explored.
typedef enum StopReason {
  STOP_NONE,
  STOP_EXECUTIONS,
  STOP_TIME,
  STOP_MEMORY,
  STOP_CONTENDED,   // kernels: start again, with more locations explored in full
  STOP_UNSUPPORTED, // kernels: an instruction that is not supported
  STOP_CAPACITY,    // more events than the graph holds: start again with a larger one
} StopReason;

typedef struct PoolResult {
  Counts counts;
  Outcomes *outcomes; // the pool's, as are the records
  Records *records;
  StopReason stop;
  const char *unsupported; // the instruction
  bool is_out_of_memory;   // the system has no more; a limit is only a reason to stop
} PoolResult;

// `arena` holds the pool itself; results live until pool_release.
// `contended` is for kernels, and grows.
Pool *pool_new(const Program *program, const Condition *condition, const ExploreOptions *options,
               const Code *codes, uint32_t capacity, struct Contended *contended, Arena *arena);
// Explores everything with `options->jobs` workers.
PoolResult pool_run(Pool *pool);
void pool_release(Pool *pool);

// Called by a worker now and then: notes progress, obeys limits, gives work away.
void pool_poll(Pool *pool, Search *search);

#endif
