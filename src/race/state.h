// The state of a detector: what each warp knows, and what is under way in a block. Internal to
// race.
#ifndef WARPSAN_RACE_STATE_H
#define WARPSAN_RACE_STATE_H

#include "race/clock.h"
#include "race/findings.h"
#include "race/shadow.h"

enum { WARP_LANES = EMU_WARP_SIZE, BLOCK_BARRIERS = 16, THRONG_FROM = 8 };

// --- clocks

typedef enum ClockPart {
  CLOCK_THREADS,
  CLOCK_AGENTS,         // block AGENT_BANKS * block + bank - 1
  CLOCK_FENCED_THREADS, // known at async proxy fences of the own block (spec B.5)
  CLOCK_FENCED_AGENTS,
  CLOCK_ORDERED, // threads known by the run's order of fences alone (weak.c)
  CLOCK_PARTS,
} ClockPart;

typedef struct Clock {
  ClockNode *part[CLOCK_PARTS];
  // Fences of sequential consistency that precede, as records; and those that a fence from here on
  // would be ordered behind (fence.c). `seen` are the newest of these, not joined to them yet.
  struct RecordSet *fences, *observed, *seen;
  // What is known of accesses to some places only, as records of the block in whose shared memory
  // these are and, as their scope, a FenceReach (restricted.c).
  struct RecordSet *restricted;
  // Not 0: the parts for threads, agents and order are in this state of a lineage.
  uint64_t version;
} Clock;

// Versions number the states of something that only grows: a lineage, and the step in it. Whoever
// has a later state of a lineage has all of an earlier one, which is seen without looking at
// either.
enum { VERSION_STEPS = 24 };

static inline bool version_covers(uint64_t version, uint64_t other) {
  return other && version >= other && version >> VERSION_STEPS == other >> VERSION_STEPS;
}

// Lanes of a warp that know the same. Besides its clock a group knows all threads of its block up
// to time `uniform`, all of its warp up to `warp_known`, and each lane itself.
typedef struct Group {
  uint32_t lanes;
  uint32_t uniform, warp_known;
  Clock clock;
} Group;

// --- releasing and acquiring (sync.c)

// What a fence orders: all accesses, those to shared memory, or what mbarrier.init has written.
typedef enum FenceReach {
  REACH_ALL,
  REACH_SHARED = SCOPE_CTA,
  REACH_INITS = SCOPE_CLUSTER,
} FenceReach;

// A release fence: what its lanes knew when they executed it. The head of release patterns.
typedef struct Head {
  uint32_t lanes;
  Scope scope;
  FenceReach reach;
  uint32_t time; // of the warp
  Group known;
  ClockNode *exported; // all that its lanes then knew of threads, themselves included; NULL
} Head;

// What a write releases: the clock at a head of a release pattern, and the head's block and scope.
typedef struct Record {
  uint32_t block;
  Scope scope;
  Clock clock;
} Record;

#define ANY_BLOCK (MOST_BLOCKS - 1) // of a record: all of the only device. No block has this number

// The records that observers of a write get, by block and scope, and joined by device for readers
// that see the whole of it (records.c).
typedef struct RecordSet {
  atomic_uint references;
  struct RecordMap *map, *wide; // wide: the first block of the device stands for all
  uint64_t version;
  atomic_bool is_old; // another set has the next version
  bool is_place;      // of what all accesses of a place have brought
  // Versions of sets that have been found to have all of this.
  atomic_uint_fast64_t included[2];
} RecordSet;

// A strong write of a thread releases what its earlier release writes there did.
typedef struct OwnHead {
  uint32_t thread;
  Scope scope; // SCOPE_NONE: an empty place of the table
  Clock clock;
} OwnHead;

typedef struct Location {
  struct Location *next; // that begins in the same word
  uint64_t address;
  uint32_t size;
  uint32_t writer; // thread of the newest write, which is strong if there are records
  Scope writer_scope;
  RecordSet *records; // of the newest write, NULL: none
  OwnHead *heads;     // a hash table (heads.c)
  uint32_t head_count, head_capacity;
} Location;

// Reads that took records, which a later acquire of the lanes may still use.
typedef struct Pending {
  uint32_t lanes;
  bool is_for_fences; // not reads of reductions
  const EmuBlock *owner;
  uint64_t address;
  RecordSet *records;
} Pending;

typedef struct Sync {
  Head *heads;
  uint32_t head_count, head_capacity;
  Pending *pending;
  uint32_t pending_count, pending_capacity;
} Sync;

// --- asynchronous copies of a thread (async.c)

enum {
  COPY_GROUPS = 16, // ends of commit groups that are remembered
  OWN_AGENTS = BANK_PRODUCTS,
};

typedef struct CopyLine {
  uint32_t time;      // of copies issued now; from 1 on
  uint32_t committed; // groups
  uint32_t issued;    // time of the newest copy, 0: none
  const Instruction *newest;
  uint32_t ends[COPY_GROUPS];
} CopyLine;

typedef struct LaneCopies {
  CopyLine copies, bulk, products;
  // Of its own agents, by bank - 1: what the lane has waited for. Every lane knows this of itself,
  // as it knows its own accesses.
  uint32_t known[OWN_AGENTS];
} LaneCopies;

// --- warps and blocks

// Lanes that have met at a collective; 0: none yet.
typedef struct Meeting {
  uint32_t lanes, time;
} Meeting;

enum { WARP_MEETINGS = 8 }; // the newest that are remembered

typedef struct Warp {
  uint32_t now;  // time of the accesses that the lanes make
  uint32_t live; // lanes that have not exited
  // Lanes that have exited after accesses that no barrier of the block has covered; what barriers
  // had covered by then is in exit_times.
  uint32_t exited;
  uint32_t accessed; // time of the newest access
  uint32_t fenced;   // time of the newest acquire fence
  uint32_t acquired; // lanes that have acquired something, by a fence or a read
  // What lanes that poll have taken all of by an acquire of the scope: a reference; NULL.
  RecordSet *taken;
  uint32_t taken_lanes;
  Scope taken_scope;
  uint32_t group_count;
  Group *groups; // &first, or WARP_LANES of the heap
  Group first;
  Sync *sync;         // NULL: none needed yet
  LaneCopies *copies; // of each lane; NULL
  uint32_t *exit_times;
  Meeting *meetings; // WARP_MEETINGS, a ring; NULL: none
  uint32_t meeting_count;
} Warp;

// A block barrier, or a barrier of a cluster, in which some have arrived.
typedef struct BarrierState {
  uint32_t *waiting; // lanes of each warp of the block
  uint32_t waiting_count;
  Clock joined; // what those knew that do not wait
  bool has_arrivals_only;
} BarrierState;

// An mbarrier object.
typedef struct Mbarrier {
  uint32_t offset;
  RecordSet *arrived, *over; // of this phase, of the one before
  Clock copied, copied_over; // what its asynchronous operations bring
  uint64_t phase;            // that `arrived` belongs to
} Mbarrier;

// A read of a value that another thread wrote, without being ordered behind it: how threads speak
// to each other. Classification looks for what such a flag lacks.
typedef struct Communication {
  uint32_t writer, reader; // threads
  uint32_t write_time, read_time;
  uint32_t write_info, read_info;
  bool has_release, has_acquire;
  bool is_reduction;  // the read: no fence behind it acquires
  bool is_narrow;     // the acquire does not reach all that was released
  bool is_overwrite;  // no read: the other's value is replaced
  ClockNode *writers; // times of all that wrote, if they are many: a reference
} Communication;

enum { COMMUNICATIONS = 16, MOST_SPOKEN = 16 };

typedef struct Block {
  const EmuBlock *emu;
  uint32_t number;
  uint32_t live;      // threads
  uint32_t full_time; // of the last barrier of the whole block
  // Up to which time a barrier of the block covers every thread: less than `uniform` if some have
  // exited before it.
  uint32_t most_uniform;
  bool has_exits;
  bool has_locations; // in its shared memory
  // Reads of its shared memory may be deferred (deferred.h), and are until the next barrier.
  bool can_defer, defers;
  bool has_visitors; // other blocks of its cluster have accessed its shared memory
  uint32_t first_place;
  const Instruction *code;
  Warp *warps;
  Shadow shadow;
  struct SegmentPlans *plans;     // NULL: none needed yet
  struct DeferredReads *deferred; // NULL: none yet
  BarrierState *barriers;         // BLOCK_BARRIERS, NULL: none used yet
  Mbarrier *mbarriers;
  uint32_t mbarrier_count, mbarrier_capacity;
  Communication *communications; // a ring
  uint32_t communication_count;
  uint64_t accesses;
} Block;

typedef struct Cluster {
  uint32_t number;
  uint32_t blocks; // that are there
  Clock joined, over;
} Cluster;

typedef struct GridState {
  uint32_t first_place; // of its kernel's code
  bool has_fence;       // its kernel's code
  bool has_agents;      // the same: what is not done by threads, through the generic proxy
  Clock start, end;
  Clock launch;           // what launch_dependents passes on
  uint32_t ordered_limit; // blocks below this number have ended before it starts
} GridState;

// Joins that have been made: clocks and sets meet each other several times, in records of a block
// and of its device, of a place's reads and of its writes. Holds references; NULL: nothing.
enum { MEMOS = 64 };

typedef struct ClockMemo {
  ClockNode *into, *other, *joined;
} ClockMemo;

typedef struct SetMemo {
  RecordSet *into, *other, *joined;
} SetMemo;

struct Race {
  const Program *program;
  RaceOptions options;
  EmuWatcher watcher;
  RaceFindings *findings;
  Heap heap;
  Shadow global;
  ReaderSets *readers; // of words of global memory
  Patterns *patterns;
  GridState *grids;
  Cluster *clusters; // of this moment
  uint32_t cluster_count, cluster_capacity;
  bool has_avx2;
  struct Weak *weak;      // NULL: loads return the newest value
  bool has_strong_agents; // copies may be atomic toward atomics of threads
  bool is_serial;         // no two launches may run at the same time
  bool is_one_device;     // all threads are in device scope of each other, whatever the launch
  uint32_t throng_from;   // entries of one kind that become a throng
  atomic_flag memo_lock;
  ClockMemo clock_memos[MEMOS];
  SetMemo set_memos[MEMOS];
  atomic_flag grid_lock; // of `end`, at the end of blocks
  atomic_uint_fast64_t races, accesses;
  atomic_uint_fast64_t lineages; // of versions
  Communication *spoken;         // the first of each pair of places, for explanations
  uint32_t spoken_count;
  const char *_Atomic incomplete;
  atomic_bool is_undecided; // see RaceExact
  uint64_t undecided_address;
  atomic_bool has_forgotten; // accesses, of which too many were to be remembered
};

// Nothing more is recorded: memory is exhausted, or numbers are.
static inline bool race_is_off(const Race *race) {
  return atomic_load_explicit(&race->incomplete, memory_order_relaxed) != NULL;
}
void race_stop(Race *race, const char *reason);
// Are reads of the address remembered one by one?
bool race_is_exact(const Race *race, uint64_t address);
// They have to be.
void race_leave_undecided(Race *race, uint64_t address);

// The version of what has been made of a state by adding to it, which must not have had another
// successor: `is_old` is its flag; NULL: there was none.
static inline uint64_t version_next(Race *race, uint64_t version, atomic_bool *is_old) {
  uint64_t next = version + 1;
  if (is_old && next & ((1u << VERSION_STEPS) - 1) && !atomic_exchange(is_old, true))
    return next;
  return (atomic_fetch_add_explicit(&race->lineages, 1, memory_order_relaxed) + 1) << VERSION_STEPS;
}

static inline Block *block_of(const EmuWarp *warp) {
  return warp->block->watched;
}

static inline Warp *warp_of(const EmuWarp *warp) {
  return &block_of(warp)->warps[warp->warp];
}

static inline uint32_t thread_number(const Block *block, uint32_t slot) {
  return block->number << SLOT_BITS | slot;
}

// --- known.c

void clock_copy(Clock *into, const Clock *from); // *into holds nothing
void clock_release(Heap *heap, Clock *clock);
void clock_learn(Race *race, Clock *into, const Clock *from);
// The same without what only holds in the block of `from`.
void clock_learn_elsewhere(Race *race, Clock *into, const Clock *from);
// What a strong access of a word tells of the fences before those there.
void clock_see(Race *race, Clock *into, struct RecordSet *fences);
void clock_join_seen(Race *race, Clock *clock); // to the observed ones
bool clock_is_empty(const Clock *clock);
bool clock_is_equal(const Clock *a, const Clock *b);

void warp_init(Warp *warp, uint32_t lanes, const Clock *start);
void warp_release(Heap *heap, Warp *warp);
Group *warp_group(const Warp *warp, uint32_t lane);
// Makes groups of their own of the lanes, so that what is true of them can be added. Live lanes
// only.
void warp_split(Heap *heap, Warp *warp, uint32_t lanes);
// Joins groups that know the same.
void warp_merge(Heap *heap, Warp *warp);
// The lanes' later accesses are told from those before.
void warp_tick(Race *race, Warp *warp);
// Visits each group that has lanes of the mask.
#define WARP_GROUPS(group, warp, mask)                                                             \
  for (Group *group = warp_next_group(warp, (warp)->groups, mask); group;                          \
       group = warp_next_group(warp, group + 1, mask))

static inline Group *warp_next_group(const Warp *warp, Group *group, uint32_t lanes) {
  for (; group < warp->groups + warp->group_count; group++)
    if (group->lanes & lanes)
      return group;
  return NULL;
}

// All that the lanes of a group know at a time, themselves included: *into holds nothing.
void group_export(Race *race, const Block *block, uint32_t warp, const Group *group, uint32_t lanes,
                  uint32_t time, Clock *into);
// What the lanes know of their own copies.
void warp_add_copies(Race *race, const Block *block, uint32_t warp, uint32_t lanes, Clock *into);
static inline uint32_t agent_block(uint32_t block, uint32_t bank) {
  return AGENT_BANKS * block + bank - 1;
}
// The lanes learn.
void warp_learn(Race *race, Warp *warp, uint32_t lanes, const Clock *clock, bool is_elsewhere);

// Where blocks are.
bool scope_contains(const Race *race, Scope scope, uint32_t from_block, uint32_t to_block);
// Each scope contains the other's block.
bool scopes_are_mutual(const Race *race, Scope a, uint32_t a_block, Scope b, uint32_t b_block);
uint32_t block_cluster(const Race *race, uint32_t block);
uint32_t block_grid(const Race *race, uint32_t block);
Cluster *cluster_find(const Race *race, uint32_t number); // that has a block here; NULL: none

#endif
