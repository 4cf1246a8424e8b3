// What is found out about a kernel while exploring: locations on which atomics cannot be left
// unordered, waits that may fail, loops that may never end. Internal to explore.
//
// While a search runs, all workers share one `Contended`, which does not change. What makes the
// search start again is a `Restart`, which changes it; what only later searches want to know is
// gathered in the `Notes` of each worker. None of it depends on which worker came first: of several
// restarts the one that a single worker would meet counts (pool.h), and notes are sets.
#ifndef WARPSAN_EXPLORE_CONTENDED_H
#define WARPSAN_EXPLORE_CONTENDED_H

#include "base/array.h"
#include "ir/ir.h"

typedef struct ContendedLocation {
  uint64_t address; // physical
  bool is_sampled;  // one order of its atomics is explored, and the result is incomplete
} ContendedLocation;

// Tickets of a counter from this number on do not stand for those before (kernel_slots.h).
typedef struct TicketSplit {
  uint64_t address; // physical
  uint64_t number;
} TicketSplit;

// Of one counter; with more its tickets are told apart.
enum { CONTENDED_MOST_SPLITS = 3 };

// A test of an mbarrier's phase whose failure does more than to try again.
typedef struct FallibleTest {
  const Instruction *test;
  uint32_t thread; // the first of those that came to it
} FallibleTest;

#define CONTENDED_ANY_THREAD UINT32_MAX

enum { CONTENDED_MOST_TIMED = 8 };

// Who goes first at mbarriers.
typedef enum Pace {
  PACE_EAGER,     // each thread runs as far as it can
  PACE_LEISURELY, // phases end when nobody can do anything else
  PACE_LATE_TESTS // threads that wait go on when nobody can do anything else
} Pace;

// Which blocks start first where not all fit.
typedef enum BlockOrder {
  BLOCKS_ASCEND,
  BLOCKS_DESCEND,
  BLOCKS_EVEN_FIRST, // neighbours are apart
  BLOCKS_ODD_FIRST,
  BLOCK_ORDERS
} BlockOrder;

// The first threads that look at a clock, in ascending order.
typedef struct TimedThreads {
  uint32_t items[CONTENDED_MOST_TIMED], count;
} TimedThreads;

// Is the symmetry of threads made use of (symmetry.h)?
typedef enum SymmetryUse {
  SYMMETRY_LATER, // when the search gets long
  SYMMETRY_ON,
  SYMMETRY_OFF,
} SymmetryUse;

// Searches without and with it take turns until one ends, each longer than the one before; then
// that without it goes on.
enum { SYMMETRY_MOST_ATTEMPTS = 2 };

typedef struct Contended {
  Arena *arena;
  struct GuestTree *tree; // of a guest
  ARRAY(FallibleTest) tests;
  // Which tests fail where they may, and of which thread. None fails twice on end.
  bool tests_fail;
  const Instruction *failing_test; // NULL: all of them
  uint32_t failing_thread;         // or CONTENDED_ANY_THREAD
  // Threads that look at a clock, and of whom (or of CONTENDED_ANY_THREAD) time passes meanwhile.
  TimedThreads timed;
  bool time_passes;
  uint32_t timed_thread;
  Pace pace;
  bool phases_race; // a test and the end of a phase that follows it are not ordered
  bool counts_race; // a pending count depends on the order of arrivals
  // Counted CTA barriers, as sets of their numbers, at which it is open who meets whom (found out
  // so far), and at which warps take turns (in the search).
  uint64_t contested_barriers, turns;
  ARRAY(ContendedLocation) locations;
  ARRAY(uint64_t) words; // aligned words of which atomic loads of parts are loads of all of it
  // Atomics whose results are no tickets that stand for each other (kernel_slots.h): grid << 32 |
  // number of the instruction.
  ARRAY(uint64_t) told_apart;
  ARRAY(TicketSplit) splits;
  // Computations whose results do not grow by equal steps with the ticket.
  ARRAY(const struct AluOperation *) uneven;
  BlockOrder block_order;
  SymmetryUse symmetry;
  uint32_t attempts; // with it, that took too long
  bool keeps_blocks; // threads of different blocks are not symmetric
  bool has_twins;    // executions were left out for it
  bool keeps_polls;  // atomics that change nothing are explored as what they are
  bool was_sampled;  // a look at a sampled location was explored
  bool has_cut;      // a loop ran into the limit of --unroll
} Contended;

typedef enum RestartKind {
  RESTART_LOCATION, // the atomics of `address` have to be ordered
  RESTART_WORD,     // atomic loads of parts of the word `address` are loads of all of it
  RESTART_POLLS,    // atomics that change nothing are no loads
  RESTART_CUT,      // a loop ran into the limit of --unroll
  RESTART_TICKETS,  // results of the atomics at the place `address` have to be told apart
  RESTART_SPLIT,    // tickets of the counter `address` are of another class from `number` on
  RESTART_UNEVEN,   // what `computation` makes of tickets is opaque
  RESTART_ORDERS,   // the search has got long: crowded locations are sampled
  RESTART_SYMMETRY, // the same: the symmetry of threads is made use of
  RESTART_BLOCKS,   // threads of different blocks are not symmetric; blocks may be
  RESTART_APART,    // threads are not symmetric
  RESTART_LONG,     // the search has got long although symmetry is made use of
} RestartKind;

typedef struct Restart {
  RestartKind kind;
  uint64_t address, number;
  const struct AluOperation *computation;
} Restart;

// Requires: the locations of `contended` stay as they are.
typedef struct Notes {
  Arena *arena;
  ARRAY(FallibleTest) tests; // that `contended` does not have, or with an earlier thread
  TimedThreads timed;
  bool was_sampled, phases_race, counts_race, has_twins;
  uint64_t contested_barriers;
  uint32_t location_count;
  bool *are_crowded; // of each location: it has many atomics
} Notes;

// More atomics than this on one location make it crowded.
enum { CONTENDED_MOST_ATOMICS = 6 };
// Steps of a search of a small kernel after which crowded locations are sampled; each step of a
// larger one costs more.
enum { CONTENDED_MOST_STEPS = 1 << 22, CONTENDED_SMALL_CAPACITY = 64 };

void notes_init(Notes *notes, const Contended *contended, Arena *arena);
void notes_merge(Notes *into, const Notes *from);
void notes_add_test(Notes *notes, FallibleTest test);
void timed_threads_add(TimedThreads *timed, uint32_t thread);
// Is the failure of the test of interest already for a thread up to this one?
bool contended_has_test(const Contended *contended, const Notes *notes, const Instruction *test,
                        uint32_t thread);
// After a search that came to its end.
void contended_learn(Contended *contended, const Notes *notes, const Program *program);
// Steps of a search, of executions with so many events, after which another one is tried.
uint64_t contended_symmetry_steps(const Contended *contended, uint32_t capacity);
void contended_restart(Contended *contended, const Restart *restart, const Notes *notes);

#endif
