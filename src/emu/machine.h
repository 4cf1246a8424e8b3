// The machine: decoded code, blocks, warps, workers. Internal to emu.
//
// A warp is a set of lane groups, each with its own program counter; the group with the lowest one
// runs first, so that groups meet again where their paths join. Registers are arrays over the 32
// lanes of a warp. One call of an Op's function executes it for all lanes of the running group.
#ifndef WARPSAN_EMU_MACHINE_H
#define WARPSAN_EMU_MACHINE_H

#include "base/rules.h"
#include "emu/emu.h"
#include "ir/alu.h"
#include "ir/grid.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
  LANES = EMU_WARP_SIZE,
  BARRIERS = 16,
  MOST_WARPS = 32, // of a block
  MOST_BLOCK_FAULTS = 16,
  EMU_MOST_MBARRIERS = 256, // of a block
};

#define ALL_LANES UINT32_MAX

// One statement for each lane of the mask.
#define LANES_EACH(lane, mask)                                                                     \
  for (uint32_t lane##_rest = (mask), lane;                                                        \
       lane##_rest && (lane = (uint32_t)__builtin_ctz(lane##_rest), 1);                            \
       lane##_rest &= lane##_rest - 1)

// --- code

// How the lanes of a register lie in memory: predicates are one 32-bit mask.
typedef enum RegisterClass { CLASS_PREDICATE, CLASS_32, CLASS_64 } RegisterClass;

typedef enum RegisterBase { BASE_WARP, BASE_GRID, BASE_BLOCK, BASE_COUNT } RegisterBase;

// Byte offset << 2 | RegisterBase.
typedef uint32_t Ref;
#define REF_NONE UINT32_MAX

typedef struct Value {
  Ref ref;
  uint8_t class; // RegisterClass
  uint8_t bits;  // of the register: 8 and 16 live zero-extended in CLASS_32
} Value;

typedef struct Worker Worker;
typedef struct Op Op;
typedef void OpRun(Worker *worker, const Op *op);

struct Op {
  OpRun *run;
  Value dst, src[5], address;
  Value more[3];
  uint32_t target; // index of an Op
  uint32_t cache;  // of a memory access: where it remembers the region it hit
  Value guard;     // ref REF_NONE: none
  bool guard_is_negated;
  OpRun *inner; // of a guarded op
  const Instruction *instruction;
  const uint32_t *targets; // indices of Ops
};

// A register that is set before code runs.
typedef struct Preset {
  Value value;
  const Slot *slot; // NULL: `constant`
  uint64_t constant;
} Preset;

typedef struct EmuCode {
  const KernelCode *kernel;
  Op *ops; // one more than op_count: the end of the code
  uint32_t op_count;
  uint32_t bytes[BASE_COUNT]; // of registers of a warp, constants of a grid, of a block
  ARRAY(Preset) presets[BASE_COUNT];
  uint32_t cache_count;
  const Value *places; // of the kernel's slots
  const uint64_t
      *live_in; // rows of slots that are alive at the start of basic blocks; NULL: unknown
  const uint32_t *live_row; // of each op that begins one; UINT32_MAX: of others
  uint32_t live_words;
  bool has_copies, has_mbarriers, ends_mbarriers;
  ARRAY(Value) undefined; // registers that a thread may read before it has written them
} EmuCode;

// Each place of a register begins at a multiple of this many bytes.
enum { REGISTER_GRAIN = 64 };

const EmuCode *emu_decode(const KernelCode *kernel, Arena *arena);

// The fast function of an operation for operands of the classes that its signature says; NULL:
// none. Instruction-set variants of them are chosen when a run begins.
OpRun *emu_find_vector(const AluOperation *operation, bool has_avx2);
bool emu_has_avx2(void);
typedef struct VectorHelpers VectorHelpers;
const VectorHelpers *emu_vector_helpers(void);

// --- memory

// Global memory that code can name: a buffer or a variable of the module.
typedef struct DeviceRegion {
  const Region *region;
  uint8_t *bytes;
  uint8_t *defined; // a bit for each byte; NULL: all are
} DeviceRegion;

// --- blocks

typedef enum GroupState {
  GROUP_READY,
  GROUP_AT_BARRIER,    // of the block
  GROUP_AT_CLUSTER,    // barrier.cluster.wait
  GROUP_AT_COLLECTIVE, // waits for lanes
  GROUP_AT_MBARRIER,
  GROUP_AT_PRODUCT, // until the warpgroup has issued the products
  GROUP_AT_GRID,    // griddepcontrol.wait
  GROUP_AT_SERIAL   // its operation is executed between rounds
} GroupState;

typedef struct Group {
  uint32_t pc;
  uint32_t lanes;
  uint8_t state;
  uint8_t barrier;
  bool has_looped; // since the search for endless loops began, it came back to a state it was in
  uint64_t anchor; // hash of that state
  uint32_t loops, clock_reads;   // since then
  uint32_t loop_begin, loop_end; // of the loop that it came back in
} Group;

// Of the register that begins at this multiple of REGISTER_GRAIN (undefined.h).
typedef struct Undefined {
  uint32_t lanes;  // whose value has undefined bits
  uint32_t hollow; // of them, those whose value is hollow (ir/undefined.h)
  uint32_t origin; // index of the Op that it comes from; UINT32_MAX: nothing has written it
} Undefined;

typedef struct Warp {
  uint8_t *registers;
  Undefined *undefined;
  uint8_t *undefined_bits;  // laid out as `registers`; of the lanes that have some
  uint32_t undefined_count; // registers with such lanes
  uint32_t watched_blocks;  // basic blocks entered meanwhile
  uint32_t number;          // in the block
  uint32_t alive;           // lanes that have not exited
  uint32_t exists;
  uint32_t products; // groups that it has committed
  uint32_t turn;     // changes which group runs when one starves the others
  uint32_t group_count;
  uint32_t *cluster_phase; // of each lane: phase of the cluster's barrier that it waits for
  uint32_t *copy_groups, *bulk_groups; // committed by each lane
  Group groups[2 * LANES]; // those without lanes are dropped when the next one is chosen
} Warp;

typedef struct Arrival {
  uint8_t warp;
  bool waits, is_counted, is_reduction;
  uint32_t lanes;
  uint32_t predicate;
  uint32_t count;
  const Op *op;
} Arrival;

typedef struct Barrier {
  uint32_t lanes[MOST_WARPS]; // that have arrived
  uint32_t arrived;
  uint32_t arrival_count;
  Arrival arrivals[2 * MOST_WARPS];
} Barrier;

typedef struct EmuMbarrierObject {
  uint32_t offset;
  bool is_live;
  uint32_t expected;
  int64_t pending;
  int64_t transaction;
  uint64_t phase;
} EmuMbarrierObject;

typedef struct Fault {
  RuleNumber rule;
  const Instruction *instruction, *other;
  uint32_t grid, block_in_grid, thread;
  uint64_t address;
  uint32_t size; // of an access; 0: it is none
  Space space;
  uint32_t count; // of threads that did it
} Fault;

// Positions in the order in which blocks start.
typedef struct Stretch {
  uint32_t first, count;
} Stretch;

typedef struct GridState GridState;
typedef struct Cluster Cluster;
typedef struct Block Block;

// A block, and the place that others take behind it. Blocks without a cluster begin and end on the
// worker that runs them; they follow each other there if they are short (order.h).
struct Block {
  EmuBlock seen;      // what watchers see; first
  Stretch next;       // that follow in the same round
  bool has_begun;     // and has not ended
  bool is_used;       // its memory is not clear
  uint32_t ended;     // blocks here, since the grid was told
  uint32_t held;      // rounds for which what it does between rounds is still delayed
  uint64_t round_ops; // of the round
  Emu *emu;
  GridState *grid;
  uint8_t *constants;
  uint8_t *shared;
  uint8_t *defined;       // a bit for each byte of shared memory
  bool is_defined;        // all of them are
  uint8_t *local;         // local_bytes of each thread; NULL: none
  uint8_t *local_defined; // a bit for each byte of it
  uint8_t *local_bits;    // of bytes that are not defined: the bits that are
  bool has_local_bits;    // some of them may be set
  Warp *warps;
  uint32_t ready;  // warps with a group that is ready
  uint32_t serial; // warps with a group that waits for the end of the round
  uint32_t alive;  // threads
  uint32_t next_warp;
  uint32_t delayed;    // warps that have to wait a little (EmuOptions.perturb)
  uint32_t rounds_off; // rounds that the block still sits out
  uint64_t random, priority_seed;
  uint32_t block_id[3];
  Cluster *cluster;
  bool has_launched;        // one of its threads has let dependents start, or all have exited
  uint32_t launched;        // blocks here of which that is true, since the grid was told
  uint32_t exited;          // threads that have exited since the cluster was told
  uint32_t active_barriers; // mask of those with arrivals
  Barrier *barriers;
  EmuMbarrierObject *mbarriers;
  uint32_t mbarrier_count;
  uint64_t bulk_count;
  uint64_t clock_skew;         // by which its clock has leapt
  uint64_t total_instructions; // of the rounds before, less those of blocks before it in this one
  Fault faults[MOST_BLOCK_FAULTS];
  uint32_t fault_count;
  uint32_t lost_faults;
  uint64_t instructions, accesses, barrier_count, changes; // of the current round
  uint32_t looks; // in it, at which bytes of shared memory are defined
  const Op *unsupported;
  Block *next_free;
};

// Blocks that can name each other's shared memory.
struct Cluster {
  Block **blocks; // by rank; NULL: has exited
  uint32_t capacity, count, running;
  uint64_t phase;
  uint32_t arrived, exited; // threads
  uint32_t thread_count;
  Cluster *next_free;
};

struct GridState {
  const Grid *grid;
  uint32_t number;
  const EmuCode *code;
  uint8_t *constants;
  uint8_t *templates;                  // of the registers that code finds set
  uint32_t started, running, finished; // blocks
  uint32_t launched;                   // blocks that let dependents start, or have exited
  uint32_t window;                     // blocks that may run at a time now
  uint32_t order_start, order_step;
  bool evens_first;               // of that order: neighbours are apart
  uint32_t next_position;         // behind all that have been taken
  ARRAY(Stretch) returned;        // taken, but not started
  uint32_t share;                 // blocks that may follow each other in a round
  uint64_t most_ops;              // of one place in this round
  bool has_waiting, has_returned; // a block does not end in this round, others could not start
  bool has_begun, has_ended;
  size_t block_bytes; // of memory
  Block *free_blocks; // to be used again
};

// --- workers

struct Worker {
  uint8_t *bases[BASE_COUNT];
  uint32_t lanes; // that execute the current op
  uint32_t pc;    // of the next op
  uint32_t stop;  // the loop is left when pc is not below
  bool is_full;   // all lanes that are alive execute
  bool is_serial; // between rounds
  int32_t budget; // backward branches until another group or warp has its turn
  int32_t slice;  // memory accesses until another warp has its turn
  uint64_t executed;
  Emu *emu;
  Block *block;
  Warp *warp;
  Group *group;
  const DeviceRegion **caches; // of the block's grid: what each access hit last
  const DeviceRegion ***grid_caches;
  const EmuWatcher *watcher; // NULL: none
  EmuWarp who;
  uint64_t scratch[LANES] __attribute__((aligned(64)));
  uint32_t number;
  pthread_t thread;
};

typedef void PoolShare(Worker *worker, uint32_t i);

struct Emu {
  const Program *program;
  const EmuOptions *options;
  Arena *arena;
  const VectorHelpers *vector;
  bool is_alone;            // there is one block only
  bool has_several_devices; // or the host takes part
  DeviceRegion *regions;
  uint32_t region_count;
  void *device_memory;
  size_t device_bytes;
  size_t mapped_bytes; // device memory and blocks
  struct Mapping *mappings;
  GridState *grids;
  ARRAY(Block *) resident;
  ARRAY(Fault) faults;
  const char *incomplete;
  EmuCounts counts;
  uint64_t random;
  Cluster *free_clusters, *newest_cluster;
  Worker *workers;
  uint32_t worker_count;
  uint64_t quiet_rounds; // without a change that others could see
  bool is_watching_loops;
  uint64_t quiet_limit;
  double deadline;
  bool has_workers;
  uint32_t looks;   // at what is awaited, before falling asleep
  PoolShare *share; // NULL: no more work
  uint32_t share_count;
  atomic_uint round;                                   // of work that is shared; counts them
  atomic_uint next_share __attribute__((aligned(64))); // for whoever comes first
  atomic_uint working;  // other workers than the first that have not finished their part
  atomic_bool has_left; // one has run out of memory
  pthread_mutex_t mutex;
  pthread_cond_t has_begun, has_ended;
};

// --- access to registers

static inline void *emu_ref(const Worker *worker, Ref ref) {
  return worker->bases[ref & 3] + (ref >> 2);
}

static inline uint64_t emu_lane(const Worker *worker, Value value, uint32_t lane) {
  const void *at = emu_ref(worker, value.ref);
  switch ((RegisterClass)value.class) {
  case CLASS_PREDICATE:
    return *(const uint32_t *)at >> lane & 1;
  case CLASS_32:
    return ((const uint32_t *)at)[lane];
  case CLASS_64:
    return ((const uint64_t *)at)[lane];
  }
  return 0;
}

static inline void emu_set_lane(const Worker *worker, Value value, uint32_t lane, uint64_t number) {
  if (value.ref == REF_NONE)
    return;
  void *at = emu_ref(worker, value.ref);
  switch ((RegisterClass)value.class) {
  case CLASS_PREDICATE:
    *(uint32_t *)at = (*(uint32_t *)at & ~(1u << lane)) | (uint32_t)(number & 1) << lane;
    return;
  case CLASS_32:
    ((uint32_t *)at)[lane] =
        (uint32_t)(value.bits && value.bits < 32 ? number & ((1u << value.bits) - 1) : number);
    return;
  case CLASS_64:
    ((uint64_t *)at)[lane] = number;
    return;
  }
}

// The loop of the worker is left before the next op.
static inline void emu_leave(Worker *worker) {
  worker->stop = 0;
}

uint64_t emu_random(uint64_t *state);

#endif
