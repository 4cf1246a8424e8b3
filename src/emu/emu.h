// Runs the grids of a program once, warp by warp, at their real size.
// `emu_run` executes; watchers see every memory access and every synchronisation, each in one call
// for all lanes of a warp that do it together. The engine knows nothing of its watchers.
#ifndef WARPSAN_EMU_EMU_H
#define WARPSAN_EMU_EMU_H

#include "base/diag.h"
#include "ir/ir.h"

enum { EMU_WARP_SIZE = 32, EMU_MOST_JOBS = 64 };

// --- who does something

// A block that runs. `number` counts the blocks of all grids of the program, in the order of grids
// and, in a grid, x first. Constant from block_begin to block_end.
typedef struct EmuBlock {
  uint32_t grid;   // index into Program.grids
  uint32_t number; // in the program
  uint32_t number_in_grid;
  uint32_t cluster; // number of the first block of its cluster: the block itself without clusters
  uint32_t cluster_rank, cluster_size;
  uint32_t gpu;
  bool is_host; // a thread of the CPU: a member of system scope only
  uint32_t thread_count, warp_count;
  uint32_t shared_bytes; // offsets of shared memory are below
  void *watched;         // for the watcher: NULL at block_begin
} EmuBlock;

// Lanes of one warp that execute one instruction together. Thread number `lane` of the warp is
// thread 32 * warp + lane of the block.
typedef struct EmuWarp {
  EmuBlock *block;
  uint32_t warp;                  // in the block
  uint32_t lanes;                 // mask
  const Instruction *instruction; // NULL: none (exits, completions)
  uint32_t worker;                // number of the OS thread, below EmuOptions.jobs
} EmuWarp;

// --- memory accesses

typedef enum EmuAccessKind {
  EMU_READ,
  EMU_WRITE,
  EMU_ATOMIC, // read half, and for the lanes of `wrote` a write half
  // Of cp.async, at its issue: `group` is what it will be committed to. Through the async proxy: a
  // product of a warpgroup reads a factor.
  EMU_ASYNC_READ,
  EMU_ASYNC_WRITE,
} EmuAccessKind;

// What is waited for by groups. Products are those of a warpgroup: what its warps have read for
// groups up to the one that is waited for has been read.
typedef enum EmuGroupKind { EMU_GROUP_COPIES, EMU_GROUP_BULK, EMU_GROUP_PRODUCTS } EmuGroupKind;
enum { EMU_WARPGROUP_WARPS = 4 };

typedef enum EmuShape {
  EMU_SHAPE_ANY,
  EMU_SHAPE_SAME,        // all active lanes have one address
  EMU_SHAPE_CONSECUTIVE, // active lane i has addresses[0] + i * size; addresses[0] is set even if
                         // lane 0 is not active
} EmuShape;

// Thread-private (.local), constant and parameter accesses are not shown. Plain writes are shown
// before they are made (emu_peek), all else behind it.
// Elements of a vector access come one after the other, as accesses of their own.
typedef struct EmuAccess {
  EmuAccessKind kind;
  EmuShape shape;
  bool is_shared;   // shared memory of `owner`; otherwise global memory
  bool is_strong;   // sem is not weak; volatile counts: see `is_volatile`
  bool is_volatile; // .volatile: sem is relaxed, scope is sys
  bool has_result;  // atomics: false: a reduction, whose read half is tagged NORET
  Sem sem;
  Scope scope;               // SCOPE_NONE if weak
  Proxy proxy;               // generic, or texture for ld.global.nc
  uint32_t size;             // bytes of each lane's access: 1, 2, 4, 8 or 16
  const EmuBlock *owner;     // of shared memory: the block itself, or another one of its cluster
  const uint64_t *addresses; // [32]; global: the address; shared: the offset in the owner's memory
  const uint64_t *values;    // [32] read or written; atomics: what was found; NULL: not known yet
  const uint64_t *stored;    // [32] atomics: what was left behind
  uint32_t wrote;            // atomics: lanes that wrote (a failing cas does not)
  uint32_t group;            // cp.async: number of the thread's commit group, from 0
} EmuAccess;

// --- barriers

// A CTA barrier (0 to 15) or, with `is_cluster`, the barrier of the cluster.
typedef struct EmuArrival {
  uint32_t barrier;
  bool is_cluster;
  bool waits;       // sync and red, as opposed to arrive; cluster arrivals never wait
  bool is_ordering; // false: a relaxed cluster arrival
} EmuArrival;

typedef enum EmuMbarrierStep {
  EMU_MBARRIER_INIT,
  EMU_MBARRIER_INVALIDATE,
  EMU_MBARRIER_ARRIVE,   // also arrive_drop, and the arrival part of arrive.expect_tx
  EMU_MBARRIER_EXPECT,   // expect_tx
  EMU_MBARRIER_COMPLETE, // complete_tx by an instruction
  EMU_MBARRIER_ASYNC,    // cp.async.mbarrier.arrive: all earlier cp.async of the thread are done
  EMU_MBARRIER_PHASE,    // the phase is complete: the last call about it; no warp
  EMU_MBARRIER_WAITED,   // a test or wait came back true: phase `phase` is over
} EmuMbarrierStep;

// Every lane of the warp's mask does it to the object at the same address.
typedef struct EmuMbarrier {
  EmuMbarrierStep step;
  const EmuBlock *owner; // block in whose shared memory the object lies
  uint32_t offset;       // in it
  uint64_t phase;        // counted from 0 since init
  Sem sem;
  Scope scope;
} EmuMbarrier;

// --- bulk copies (async proxy), st.async and red.async (generic proxy), issued by one lane

typedef struct EmuBulk {
  uint64_t id; // of this copy in the run
  EmuBlock *block;
  uint32_t warp, lane; // that issued it
  const Instruction *instruction;
  bool is_store;                         // st.async or red.async: there is no source
  uint64_t from, to;                     // global address or shared offset
  const EmuBlock *from_owner, *to_owner; // NULL: global
  uint32_t bytes;
  bool is_reduction; // of elements of `element_bytes`, relaxed
  uint32_t element_bytes;
  const EmuBlock *mbarrier_owner; // NULL: completes by bulk groups
  uint32_t mbarrier_offset;
  uint64_t phase; // of the mbarrier that it completes to
  uint32_t group; // else: number of the thread's bulk group, from 0
} EmuBulk;

// --- the watcher

// Every function may be NULL. `context` is the first argument of all.
//
// Order and concurrency. A run is a sequence of rounds. In a round blocks may run at the same time,
// each on one worker; calls about one block are made one at a time, in the order of its execution.
// With one job blocks run one after the other, in an order that the seed gives. With several jobs a
// run is the same if no two blocks race in a round.
// Operations by which blocks can synchronise (strong accesses of global memory, accesses of another
// block's shared memory, clusters, grids) are executed and shown between rounds, one at a time.
typedef struct EmuWatcher {
  void *context;

  void (*grid_begin)(void *context, uint32_t grid);
  void (*grid_end)(void *context, uint32_t grid);
  void (*block_begin)(void *context, EmuBlock *block);
  void (*block_end)(void *context, EmuBlock *block);
  void (*threads_end)(void *context, const EmuWarp *warp); // these lanes have exited

  // A load has read `values` of the lanes, and is shown next: may replace them, and returns the
  // lanes whose values it has replaced.
  uint32_t (*choose)(void *context, const EmuWarp *warp, const EmuAccess *access, uint64_t *values);
  void (*access)(void *context, const EmuWarp *warp, const EmuAccess *access);
  void (*fence)(void *context, const EmuWarp *warp, Sem sem, Scope scope);
  void (*proxy_fence)(void *context, const EmuWarp *warp, Proxy proxy, Sem sem, Scope scope);

  // A warp's lanes arrive; the barrier is complete: all that arrived and wait go on, and the next
  // arrivals belong to the next instance (of a cluster's, `block` is one of its blocks that run);
  // lanes go on behind barrier.cluster.wait.
  void (*arrive)(void *context, const EmuWarp *warp, const EmuArrival *arrival);
  void (*complete)(void *context, EmuBlock *block, const EmuArrival *barrier);
  void (*cluster_wait)(void *context, const EmuWarp *warp);
  // bar.warp.sync among these lanes is complete.
  void (*warp_sync)(void *context, const EmuWarp *warp);
  // Another collective among these lanes is complete. Only of kernels that end the life of
  // mbarriers.
  void (*meeting)(void *context, const EmuWarp *warp);
  void (*mbarrier)(void *context, const EmuWarp *warp, const EmuMbarrier *mbarrier);

  // The thread's current group of copies or products ends; the thread waits
  // until at most `pending` newest groups are left (UINT32_MAX: all copies, committed or not, are
  // done); `reads_only`: only their sources have been read.
  void (*commit)(void *context, const EmuWarp *warp, EmuGroupKind kind);
  void (*await)(void *context, const EmuWarp *warp, EmuGroupKind kind, uint32_t pending,
                bool reads_only);
  void (*bulk)(void *context, const EmuBulk *bulk);      // at its issue
  void (*bulk_done)(void *context, const EmuBulk *bulk); // its mbarrier gets complete_tx

  void (*launch_dependents)(void *context, const EmuWarp *warp);
  void (*grid_wait)(void *context, const EmuWarp *warp, uint32_t grid); // `grid` has ended

  // Between rounds; no block runs. False: the watcher has seen enough, and the run stops here.
  bool (*round_end)(void *context);
} EmuWatcher;

// --- a run

typedef enum EmuSchedule {
  EMU_SCHEDULE_ROUND_ROBIN,
  EMU_SCHEDULE_RANDOM,
  EMU_SCHEDULE_PCT, // random priorities that change at a few points
} EmuSchedule;

typedef struct EmuOptions {
  uint64_t seed;
  EmuSchedule schedule;
  uint32_t jobs;             // OS threads; 0 means 1
  double timeout_seconds;    // 0: none
  uint64_t max_instructions; // of all threads; 0: none
  size_t memory_bytes;       // of device memory and registers; 0: no limit
  bool perturb;              // delays at synchronisation
  const EmuWatcher *watcher; // NULL: none, which costs nothing
  // Called between rounds with the number of instructions so far; may be NULL.
  void (*progress)(void *context, uint64_t instructions);
  void *progress_context;
} EmuOptions;

typedef struct EmuCounts {
  uint64_t instructions; // executed by all threads
  uint64_t accesses;     // of memory, by all threads
  uint64_t barriers;     // instances completed
  uint64_t blocks, threads;
} EmuCounts;

typedef struct Emu Emu;

// Prepares a run. Everything but device memory lives in `arena`; `program` and `options` outlive
// the run. The caller must call emu_end, also when it leaves through the arena's escape.
Emu *emu_begin(const Program *program, const EmuOptions *options, Arena *arena);
// Runs all grids to their end or to a limit. Appends faults (out of bounds, deadlock, ...) to
// `findings`. NULL, or why the run is not complete.
const char *emu_run(Emu *emu, DiagList *findings);
EmuCounts emu_counts(const Emu *emu);
// Global memory as the run left it. Bytes that nothing has written are arbitrary; if there are none
// at these addresses, `bytes` stays as it is.
void emu_read_bytes(const Emu *emu, uint64_t address, uint64_t size, uint8_t *bytes);
// Elements of 1, 2, 4 or 8 bytes, counted from `address` on, a multiple of that, in one buffer or
// variable. False: nothing has written all of one of them.
bool emu_read_elements(const Emu *emu, uint64_t address, uint32_t size, const int64_t *elements,
                       uint32_t count, uint64_t *bits);
// What memory holds, for a watcher that is shown a plain write, which is before it is made.
// `owner`: of shared memory, NULL: global. False: the address is bad, or `size` is above 8.
bool emu_peek(const Emu *emu, const EmuBlock *owner, uint64_t address, uint32_t size,
              uint64_t *value);
// Gives back device memory. May be called twice.
void emu_end(Emu *emu);

#endif
