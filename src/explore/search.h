// The state of one depth-first search over the executions of a program. Internal to explore.
//
// How each execution is met exactly once (docs/exploration.md):
// Threads run as far as they can with reads that have no source yet. When all wait, one read (the
// one that a thread waits for, else the oldest) is given each source that exists, in turn, or is
// deferred: then it may only read from a write that is added later. These alternatives exclude each
// other and leave nothing out. When every read has its source, unordered writes that the model
// wants ordered are ordered both ways. There are no revisits; a read that waits for a write that
// never comes is the only waste, and reads are deferred only while another thread may still write.
#ifndef WARPSAN_EXPLORE_SEARCH_H
#define WARPSAN_EXPLORE_SEARCH_H

#include "explore/code.h"
#include "explore/contended.h"
#include "explore/explore.h"
#include "explore/records.h"
#include "explore/value.h"
#include "model/judge.h"

typedef enum ThreadStatus {
  THREAD_NOT_STARTED, // waits for the threads of earlier launches
  THREAD_RUNNING,     // can go on when its value, if any, is known
  THREAD_AT_BARRIER,
  THREAD_AT_COLLECTIVE, // kernels: at a warp collective
  THREAD_AT_MBARRIER,   // kernels: waits for a phase
  THREAD_AT_PRODUCT,    // kernels: waits until its warpgroup has issued the products
  THREAD_AT_GRID,       // kernels: waits for the grid before
  THREAD_HELD,          // kernels: lets others go first
  THREAD_AT_TICKET,     // kernels: is asked whether it takes one of the current class
  THREAD_AT_SPURIOUS,   // at a compare-and-swap that may fail for no reason
  THREAD_AT_POLL,       // kernels: back at a loop's head, if the whole warp is it is awaiting
  THREAD_AWAITING,      // its last loop iteration changed nothing
  THREAD_CUT,           // ran into the unroll limit
  THREAD_FINISHED,
} ThreadStatus;

// The last visit of a loop header. All words are changed through the trail.
typedef struct HeaderVisit {
  uint64_t count;
  uint64_t po_index; // of the thread at the last visit
  uint64_t effects;  // of the thread, likewise
  uint64_t exchange; // the thread's newest one then, + 1
  uint64_t choices;
  uint64_t *registers;             // values at the last visit
  uint64_t *taints;                // of these (symmetry.h); NULL: nobody asks
  uint64_t older_po_index, *older; // the same at the visit before
} HeaderVisit;

// Words that change through the trail.
typedef struct ThreadState {
  uint64_t status; // ThreadStatus
  uint64_t pc;
  uint64_t po_index;
  uint64_t waits_for;  // value + 1 that a running thread needs; 0: none
  uint64_t blocked_by; // of a blocked thread: the read whose source it waits for
  uint64_t arrival;    // of a thread at a barrier
  uint64_t cas_read;   // event + 1: read half of a compare-and-swap that is being decided
  uint64_t cas_choice; // of a compare-and-swap that may fail for no reason: alternative + 1
  uint64_t spurious;   // po_index behind the latest one that did
  uint64_t iteration;  // of an awaiting thread: po_index at which its last iteration began
  // Kernels:
  uint64_t cas_expected, cas_fresh; // values
  uint64_t barrier;    // that a thread at a barrier waits at: id, or CLUSTER_BARRIER + cluster
  uint64_t generation; // of that barrier when it arrived
  uint64_t has_turn;   // it may arrive at a barrier at which warps take turns, or take a ticket
  uint64_t cluster_generation; // of the cluster barrier when it arrived, + 1; 0: it has not
  uint64_t mask;               // of the collective that it waits at
  uint64_t mbarrier;           // that it waits at
  uint64_t products;           // groups that its warpgroup has to commit before it goes on
  uint64_t effects;            // kernels: arrivals and the like, which are no writes
  uint64_t exchange;           // kernels: the newest collective that it took part in, + 1
  uint64_t failed_at;          // kernels: place + 1 of its last mbarrier test that failed
  uint64_t failures;           // kernels: tests that failed
  uint64_t phase_seen;         // kernels: newest relaxed test that succeeded + 1, in `phases_seen`
  uint64_t poll;               // of a thread at a poll: `exchange` when its iteration began
  uint64_t counter;            // of a thread at a ticket: location
  uint64_t ticket_left;        // class of tickets that it has left to others (kernel_slots_class.c)
  uint64_t clock;              // what it has last seen of a clock
  uint64_t choices;            // reads whose source is a choice
  uint64_t *registers;         // ValueId of each
  HeaderVisit *headers;
} ThreadState;

#define CLUSTER_BARRIER ((uint64_t)1 << 32)

typedef enum ArrivalKind { ARRIVAL_CTA, ARRIVAL_WARP, ARRIVAL_CLUSTER } ArrivalKind;

enum { INSTANCE_NONE = 0 };

// A thread at a barrier. Appended; only `instance` changes later.
typedef struct Arrival {
  uint8_t kind; // ArrivalKind
  bool waits;   // sync, red, wait
  bool arrives; // sync, red, arrive
  uint32_t thread, event;
  uint32_t key;        // which barrier
  int64_t id;          // resource: only arrivals of one id synchronise
  int64_t quorum;      // number of threads, 0: all participants
  uint32_t occurrence; // how often the thread arrived (or waited) at the key before
  uint32_t participants;
  uint64_t instance; // of a quorum barrier: number + 1 of its completion
  uint64_t seen;     // of a quorum barrier: arrivals that existed when it was set aside
} Arrival;

typedef enum DecisionKind {
  DECISION_SOURCE,
  DECISION_COHERENCE,
  DECISION_INSTANCE,
  DECISION_SPURIOUS, // does the compare-and-swap of a thread succeed, or fail for no reason?
  DECISION_TURN,     // which warp arrives first at a counted barrier (kernel_turn.c)?
  DECISION_TICKET,   // does a thread take a ticket of the current class (kernel_slots_class.c)?
} DecisionKind;

#define CHOICE_DEFER EVENT_NONE

// Members that may be exchanged (symmetry.h).
enum { SYMMETRY_MEMBER_WORDS = 2, SYMMETRY_MOST_MEMBERS = 64 * SYMMETRY_MEMBER_WORDS };

// Why a search ended before everything was explored.
typedef enum StopReason {
  STOP_NONE,
  STOP_EXECUTIONS,
  STOP_TIME,
  STOP_MEMORY,
  STOP_FOUND, // kernels: long after the first finding
  // These come up at an execution, and count if no earlier one has another:
  STOP_CONTENDED,   // kernels: start again, with what was found out
  STOP_UNSUPPORTED, // kernels: an instruction that is not supported
  STOP_CAPACITY,    // more events than the graph holds: start again with a larger one
} StopReason;

typedef struct Decision {
  DecisionKind kind;
  uint32_t subject; // read; first write; arrival; thread; of a turn nothing
  uint32_t other;   // second write
  uint32_t choice;  // the alternative taken
  bool may_be_initial, may_defer;
  bool has_deferred;  // deferral has been taken
  bool is_fruitful;   // an alternative was consistent
  bool is_given_away; // its further alternatives are another worker's
  // Of a source: what was tried and consistent, and the decision + 1 from which it was deferred.
  bool has_tried_initial, has_vain_offer;
  uint32_t deferred_from;
  uint64_t *tried;
  uint64_t next; // alternatives still to try: position
  TrailMark mark;
  uint64_t *candidates; // of a source
  uint64_t *postponed;  // kernels: sources that are left to the deferral (polls_postpone)
  // Kernels: row over members to whom what was tried is not left.
  uint64_t twins[SYMMETRY_MEMBER_WORDS];
  bool leaves_out; // alternatives, to twins or of those whose twin it is
} Decision;

// Loads that kernels' threads wait for, as the threads stood then (kernel_retry.h). What lies
// behind the counts, which change through the trail, is garbage.
typedef struct Poll {
  uint32_t read;
  uint32_t older; // of the thread + 1
  uint64_t pc, effects, exchange;
  uint64_t first_register;
  uint64_t known_count; // numbers that did not depend on the load
  bool is_cas;          // the load is a compare-and-swap if it fails, which needs
  ValueId expected;     // another value than this
} Poll;

typedef struct Polls {
  Poll *items;
  uint64_t count;
  uint32_t capacity;
  uint64_t *registers;
  uint64_t register_count;
  uint32_t register_capacity;
  uint64_t *newest;  // of each thread: poll + 1
  uint64_t *scratch; // registers of a thread, while it is tried
} Polls;

// Atomics with a result as their threads stood behind them, and pairs of atomics that follow on
// each other against the order of their threads (kernel_swap.h). The counts and the row change
// through the trail.
typedef struct AtomicNote {
  uint32_t read;
  bool follows_exchange; // the thread has exchanged values with others of its warp
  uint64_t pc, first_register;
} AtomicNote;

typedef struct AtomicPair {
  uint32_t write, read; // of the first, of the second
} AtomicPair;

typedef struct Swaps {
  AtomicNote *items;
  uint64_t count;
  uint32_t capacity;
  uint64_t *registers;
  uint64_t register_count;
  uint32_t register_capacity;
  AtomicPair *pairs;
  uint64_t pair_count;
  uint32_t pair_capacity;
  uint64_t *settled; // row: reads of pairs that have been looked at for good
} Swaps;

typedef struct Outcomes Outcomes;
typedef struct Work Work;
typedef struct Pool Pool;
typedef struct Kernel Kernel;
typedef struct GuestThread GuestThread;

typedef struct Counts {
  uint64_t executions, duplicates, blocked, cut, steps;
} Counts;

// The memory of a search. What only lasts for one question (with a mark that is reset) comes from
// `temporary`, since everything in `lasting` may grow meanwhile.
typedef struct SearchArenas {
  Arena lasting, temporary;
  Arena judge; // given to a judge
} SearchArenas;

void search_arenas_init(SearchArenas *arenas, MemoryEscape *escape, ArenaBudget *budget);
void search_arenas_release(SearchArenas *arenas); // they can be used again, empty

typedef struct Search {
  const Program *program;
  const Condition *condition; // may be NULL
  const ExploreOptions *options;
  const Code *codes;
  bool is_free; // forbid nothing: look for candidates (witness of "forbidden")
  Arena *arena; // lasting
  Arena *temporary;
  Trail trail;
  Graph graph;
  Values values;
  ThreadState *threads;
  uint64_t unfinished;  // threads that may still run
  uint64_t awaiting;    // of the others, those that wait for ever
  uint64_t spurious;    // threads at a compare-and-swap that may fail for no reason
  uint64_t *writers;    // litmus tests: rows over threads, for each location those that write to it
  uint64_t *runners;    // a row over threads, for deferral.c
  uint64_t *blocked;    // row over threads: those that wait for a read without a source
  uint64_t *ended;      // row over threads: those that will not run again
  uint64_t *open_reads; // row: reads without a source
  uint64_t *excluded;   // rows: writes that a read may not read (any more)
  uint64_t *past_initial; // row: reads that may not read the initial value (any more)
  uint64_t *deferred;     // row: reads that have been deferred
  uint64_t *scratch;      // a row
  int64_t *state;         // values of the condition's columns
  uint64_t *names;        // of each event: a hash of its thread and position
  Arrival *arrivals;
  uint64_t arrival_count;
  Decision *decisions;
  uint32_t depth, decision_capacity;
  uint32_t base_depth;       // decisions below it are another worker's
  uint32_t shared_depth;     // of decisions below it others explore a part
  TrailMark start;           // nothing is decided
  bool is_begun;             // the start is consistent
  Judge *judge;              // of an interpreted model
  Kernel *kernel;            // NULL: a litmus test
  GuestThread *guests;       // of each thread whose code somebody else runs; NULL: there are none
  struct GuestTree *tree;    // of guests: what is known of them
  uint32_t *step_of;         // of guests: for each event, the step of its thread
  uint32_t *decision_of;     // kernels: for each read, the decision on its source + 1
  uint32_t *update_base;     // kernels: for each EVENT_UPDATE, the write that it updates, or itself
  Polls polls;               // kernels
  Swaps swaps;               // kernels
  struct Symmetry *symmetry; // kernels; NULL: it is not used
  struct Slots *slots;       // kernels; NULL: no ticket has ever been handed out
  const Contended *contended; // kernels: what earlier searches have found out
  Notes *notes;               // kernels: what this one does
  Outcomes *outcomes;
  Records *records;
  Counts counts;
  Pool *pool;         // shared by the workers; NULL: alone
  Counts reported;    // those that the pool knows of
  uint64_t next_poll; // steps
  double next_gift;   // not before this time
  bool must_stop;
  uint32_t final_choice;      // kernels: which of several last writes of a location counts
  uint64_t step_limit;        // 0: none
  uint64_t instruction_count; // since threads were last let run
  // Called at each execution instead of counting it; may set must_stop.
  void (*visit)(struct Search *search, void *context, bool is_complete);
  void *visit_context;
  void *question; // of leaf_has_state, while it looks
} Search;

void search_init(Search *search, const Program *program, const Condition *condition,
                 const ExploreOptions *options, const Code *codes, uint32_t capacity, bool is_free,
                 SearchArenas *arenas);
// Lets the threads run up to the first decision.
void search_begin(Search *search);
// Explores a part, or everything (NULL), and goes back to the first decision. False: the part does
// not fit.
bool search_run(Search *search, const Work *work);
// Ends the search, for one of the reasons that come up at an execution.
void search_halt(Search *search, StopReason reason);
void search_start_again(Search *search, Restart restart);
// For work.c. Adds the next decision; false: everything is decided.
bool search_push_decision(Search *search);
// Moves a decision to its next alternative, without taking it; false: there is none.
bool search_next_alternative(const Search *search, Decision *decision);
// Takes the alternative of the newest decision; false: inconsistent.
bool search_apply_choice(Search *search, uint32_t decision);
// The same, and notes it as tried.
bool search_try_alternative(Search *search, uint32_t decision);

// Sources that `read` may take now, as a row, without the initial write; false: there is none.
bool search_find_candidates(const Search *search, uint32_t read, uint64_t *row);

// Has it not been deferred, or is there a source since? `row` is overwritten.
bool search_is_worth_choosing(const Search *search, uint32_t read, uint64_t *row);

// deferral.c, litmus tests: may a thread that still runs write something that `read` can take?
void deferral_init(Search *search);
bool deferral_may_be_served(const Search *search, uint32_t read);
// The same for all reads that have been deferred and find nothing now.
bool deferral_all_may_be_served(const Search *search);

// machine.c, machine_loop.c: runs every thread as far as it can; false: inconsistent.
bool machine_advance(Search *search);
// The thread does not run again.
void machine_finish_thread(Search *search, uint32_t thread, ThreadStatus status);
bool machine_end_thread(Search *search, uint32_t thread);
// Runs the instruction at pc. Leaves the thread with `waits_for` set, at a barrier, or behind it.
bool machine_run_instruction(Search *search, uint32_t thread, const Instruction *instruction);
// Is it the write of an atomic that leaves what it has read?
bool machine_writes_back(const Search *search, uint32_t write);
// Did the events of the iteration that began at `po_index` change nothing? Reads and fences do not,
// nor does an atomic that writes back what it read, nor a store that kernel_round.c calls idle.
bool machine_iteration_is_pure(Search *search, uint32_t thread, uint64_t po_index);
// A thread has come to another instruction, which may be the head of a loop.
void machine_enter_instruction(Search *search, uint32_t thread);
// A thread at the head of a loop goes round once more.
void machine_begin_iteration(Search *search, uint32_t thread);
// A thread of a kernel is about to vote in its block. False: it has voted the same before, and
// nothing has changed since: it waits.
bool machine_comes_to_vote(Search *search, uint32_t thread);
// Kernels: runs a thread up to its next event as far as its values are known. True: it took a
// branch backwards, and was stopped there, or (goes_round) at the next one.
bool machine_run_silently(Search *search, uint32_t thread, bool goes_round);
bool search_add_event(Search *search, Event event, uint32_t *id);
// The halves of an atomic access: `event` is the access as it stands for that half.
bool search_add_atomic_read(Search *search, const Instruction *instruction, Event event,
                            uint32_t *id);
bool search_add_atomic_write(Search *search, uint32_t read, Event event, ValueId value);
// Lets the compare-and-swap of a thread succeed (choice 0) or fail though it need not.
void machine_choose_spurious(Search *search, uint32_t thread, uint32_t choice);
// The order of the read half of a compare-and-swap while it is not known whether it succeeds; and
// its order for good, when that is known. False: inconsistent.
Sem machine_unknown_sem(const Search *search, const Instruction *instruction);
bool machine_settle_sem(Search *search, const Instruction *instruction, uint32_t read,
                        bool is_success);
// Gives a new read its source if there is only one for all time, so that reads of what was ordered
// by synchronisation are no decisions; false: inconsistent.
bool search_settle_read(Search *search, uint32_t read);
// Draws the orders of SC fences that can be ordered in one way only; false: inconsistent.
bool search_force_fences(Search *search);
// The order that one half of an access has: acquire belongs to reads, release to writes.
Sem sem_of_half(Sem sem, EventKind half);
// Threads that wait for the read go on.
void search_unblock(Search *search, uint32_t read);
// Kernels: a write was added; reads that have their source may want to wait for it instead.
void search_offer_write(Search *search, uint32_t write);
// Kernels: are executions left out for which another one stands? What a guest's thread would do is
// not known from its registers.
static inline bool search_merges(const Search *search) {
  return search->kernel && !search->guests && !search->options->explore_races &&
         !search->options->explore_all;
}
// Kernels: the read of a compare-and-swap was added; atomics that have their source may want to
// come later.
void search_offer_rival(Search *search, uint32_t read);
// Kernels: is the location one that is looked at while atomics on it are under way?
bool search_is_contended(const Search *search, uint32_t location);
// Does one order of its atomics stand for all?
bool search_is_sampled(const Search *search, uint32_t location);

// guest.c
void guest_init(Search *search, struct GuestTree *tree);
bool guest_run_thread(Search *search, uint32_t thread);
// Follows the threads that have run ahead of reads that are known now; false: inconsistent.
bool guest_settle_all(Search *search);
void guest_note_event(Search *search, uint32_t thread, uint32_t event);
// A thread waits for a value that waits for no read. False: what it is was never seen.
bool guest_may_wake(Search *search, uint32_t thread);
// A read is deferred, or gets a source, whose value need not be known.
void guest_note_choice(Search *search, uint32_t read);
// A write was added that a read, which has its source, could have waited for.
void guest_expose(Search *search, uint32_t read, uint32_t write);

// barrier.c
bool barrier_arrive(Search *search, uint32_t thread, const Instruction *instruction,
                    bool *is_known);
// Lets a waiting thread go on if its barrier is complete; *released says so.
bool barrier_try_release(Search *search, uint32_t thread, bool *released);
// kernel_turn.c: warps that may be the next to arrive at a barrier at which they take turns.
uint32_t kernel_count_turns(const Search *search);
void kernel_take_turn(Search *search, uint32_t choice);

// Finds an arrival at a barrier with a thread count that has a choice of partners.
bool barrier_find_choice(const Search *search, uint32_t *arrival);
uint64_t barrier_choice_count(const Search *search, uint32_t arrival);
bool barrier_choose(Search *search, uint32_t arrival, uint64_t choice);
// No full instance was left out: set-aside arrivals did not wait side by side for nothing.
bool barrier_leftovers_are_real(const Search *search);

static inline uint64_t search_mix(uint64_t hash) {
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdu;
  hash ^= hash >> 33;
  hash *= 0xc4ceb9fe1a85ec53u;
  return hash ^ hash >> 33;
}

// Repeats choices up to the execution that they lead to; false: they do not fit.
bool search_replay(Search *search, const uint32_t *choices, uint32_t count);

// Is there such a record, of an execution that is no later than the current one?
bool search_has_record(const Search *search, RecordKind kind, RecordPlace first, RecordPlace second,
                       uint32_t detail);
// Records a finding of the current execution.
void search_record(Search *search, RecordKind kind, RecordPlace first, RecordPlace second,
                   uint32_t detail);

// leaf.c: everything has been decided.
void leaf_visit(Search *search);
// Interpreted models: draws what follows from the text while the execution grows; false: it forbids
// whatever may be added.
bool leaf_text_may_allow(Search *search);
// Is there a final state that the filter lets through and in which the proposition holds (or not)?
bool leaf_has_state(Search *search, bool holds);
// Final value of a register, or of a write; requires: known.
int64_t search_register(const Search *search, uint32_t thread, uint32_t reg);
int64_t search_event_value(const Search *search, uint32_t event);
// The order of two racing writes under an interpreted model, or of fences: enumerate.c calls
// `leaf_complete` for each distinct coherence order.
void leaf_complete(Search *search);
void enumerate_coherence(Search *search);
// Is there an order that the text allows and of which this is true?
bool enumerate_coherence_until(Search *search, bool (*is_sought)(const Search *search));
void enumerate_fence_orders(Search *search);

// dependency.c: syntactic dependencies of the events so far, as rows from reads to what depends on
// them. The rows live until the arena is reset.
typedef struct Dependencies {
  uint64_t *data, *control;
} Dependencies;
Dependencies search_dependencies(const Search *search, Arena *arena);

// liveness.c: the unfinished threads wait for ever under a fair scheduler.
bool liveness_is_stuck(const Search *search);
// Some waiting thread waits for a write that races with its read.
bool liveness_waits_on_race(const Search *search);
// Some waiting thread will see more: this execution only repeats what others do at once.
bool liveness_goes_on(const Search *search);

// race.c: records the races of the current execution.
void race_find(Search *search);
// Do the accesses made at these places race in the current execution?
bool race_is_at(Search *search, RecordPlace first, RecordPlace second, uint32_t *a, uint32_t *b);

#endif
