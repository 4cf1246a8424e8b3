// Kernels: what a search needs besides for programs that have memory with addresses, blocks, warps
// and asynchronous operations. Internal to explore.
//
// Plain loads of a kernel are settled when they run: they take the newest write that is ordered
// before them. That is the only one if there is no race; if there is one, it is reported, and
// exploration goes on with that value (`explore_races` branches instead). A load waits until no
// acquire before it can still bring an order.
#ifndef WARPSAN_EXPLORE_KERNEL_H
#define WARPSAN_EXPLORE_KERNEL_H

#include "base/rules.h"
#include "explore/search.h"
#include "ir/memory.h"
#include "ir/undefined.h"

// A fault of the current execution. Appended; reported when the execution turns out to be real.
typedef struct Fault {
  RuleNumber rule;
  RecordPlace place, other;
} Fault;

// A thread at a CTA or cluster barrier. Appended.
typedef struct KernelArrival {
  uint32_t thread, event, instruction;
  uint32_t older; // arrival at the same barrier in the same generation + 1
  bool waits;
  bool is_ordering; // a cluster arrival with release order
  bool is_counted;  // `bar.sync a, b`
  uint32_t count;   // b
  bool predicate;   // of bar.red
} KernelArrival;

// Words change through the trail.
typedef struct KernelBarrier {
  uint64_t generation; // completed instances
  uint64_t arrived;    // threads, in this one
  uint64_t newest;     // arrival + 1
  uint64_t meeting;    // event that stands for the last completion, + 1
} KernelBarrier;

typedef struct KernelGrid {
  uint64_t finished; // threads
  uint64_t launched; // blocks of which a thread let dependents start, or that have finished
  uint64_t end;      // event + 1 that stands for the end of the grid
} KernelGrid;

enum { BLOCK_BARRIERS = 16 };

// An mbarrier object. Words change through the trail; phases count from 0.
typedef struct Mbarrier {
  uint64_t address; // physical
  uint64_t is_live;
  uint64_t expected, pending; // arrivals
  uint64_t transaction;       // bytes, two's complement
  uint64_t phase;
  uint64_t newest;     // arrival of the phase + 1, in `mbarrier_arrivals`
  uint64_t previous;   // newest arrival of the phase before + 1
  uint64_t completion; // event + 1 that stands for the completion of the phase before
  uint64_t tests;      // newest successful test since then + 1, in `mbarrier_arrivals`
} Mbarrier;

typedef struct MbarrierArrival {
  uint32_t event;
  // What a wait that acquires is ordered behind: the event itself, or a release fence before it.
  uint32_t head; // EVENT_NONE: nothing
  uint32_t older;
} MbarrierArrival;

// A test that has succeeded. If it was relaxed, the arrivals come before what is behind an acquire
// fence of its thread.
typedef struct PhaseSeen {
  uint32_t test;
  uint32_t arrivals;   // newest of the phase + 1
  uint32_t completion; // event + 1 that stands for the completion
  uint32_t older;      // relaxed one of the thread, + 1
} PhaseSeen;

// Asynchronous operations that are waited for by groups.
typedef enum CopyKind {
  COPY_ASYNC, // cp.async
  COPY_BULK,
  COPY_PRODUCT, // wgmma: reads of its factors
  COPY_KIND_COUNT,
} CopyKind;

// An access of an asynchronous operation that is under way.
typedef struct Copy {
  uint32_t thread;
  uint32_t event; // of a write, or (is_read) of a read of the source
  bool is_read;
  CopyKind kind;
  uint64_t group; // commit group of the thread that it belongs to
} Copy;

// A release fence before griddepcontrol.launch_dependents.
typedef struct LaunchFence {
  uint32_t grid, event;
} LaunchFence;

// A thread's part in a warp collective. Appended.
typedef struct Exchange {
  uint32_t instance; // the same number for all threads that took part: of the first of their parts
  uint32_t thread;
  uint32_t po_index; // of the thread's next event
  bool is_meeting;   // nobody goes on before all have come
  uint32_t mask;     // of lanes, or KERNEL_WHOLE_BLOCK
  uint32_t older;    // exchange of the thread before, + 1
} Exchange;

// What is over when the life of an mbarrier ends: of each thread the events before that place.
typedef struct Past {
  uint64_t *places;
  uint32_t end; // event + 1 for which that is known
} Past;

// In place of a mask: all threads of the block that have not exited have met at a barrier.
enum { KERNEL_WHOLE_BLOCK = 0 };

typedef struct Kernel {
  LaunchFence *launch_fences;
  uint64_t launch_fence_count;
  uint32_t launch_fence_capacity;
  uint64_t *exited;        // threads of each block that have finished
  uint64_t *launched;      // of each block: it let dependents start, or has finished
  uint64_t *block_started; // by residency
  KernelBarrier *barriers; // BLOCK_BARRIERS for each block
  KernelBarrier *clusters; // for each block that is the first of its cluster
  KernelGrid *grids;
  Mbarrier *mbarriers;
  uint64_t mbarrier_count;
  uint32_t mbarrier_capacity;
  MbarrierArrival *mbarrier_arrivals;
  uint64_t mbarrier_arrival_count;
  uint32_t mbarrier_arrival_capacity;
  PhaseSeen *phases_seen;
  uint64_t phase_seen_count;
  uint32_t phase_seen_capacity;
  KernelArrival *arrivals;
  uint64_t arrival_count;
  uint32_t arrival_capacity;
  Copy *copies;
  uint64_t copy_count;
  uint32_t copy_capacity;
  uint64_t counting; // newest arrival whose pending count is told + 1, in `mbarrier_arrivals`
  uint64_t let_go;   // thread + 1 that goes on although it was held back
  uint64_t failing;  // thread + 1 whose test fails, since nothing else is left that could happen
  Exchange *exchanges;
  uint64_t exchange_count;
  uint32_t exchange_capacity;
  Past past;
  Fault *faults;
  uint64_t fault_count;
  uint32_t fault_capacity;
  uint64_t *groups[COPY_KIND_COUNT]; // for each thread: committed groups
  uint64_t *finished_products;       // for each thread: groups of products waited for
  const char *unsupported;           // instruction that a thread wanted to execute
  bool has_undefined;                // some execution has had an undefined value
} Kernel;

// Undefined bits of a value; `bits` 0: it has none.
typedef struct UndefinedValue {
  uint64_t bits;
  uint32_t origin; // the instruction that they come from
  bool is_hollow;  // ir/undefined.h
} UndefinedValue;

void kernel_init(Search *search);

// kernel_run.c: runs an instruction of a kernel. *is_done: it is over; else the thread waits.
bool kernel_run_instruction(Search *search, uint32_t thread, const Instruction *instruction,
                            bool *is_done);
// May a thread of a kernel start, by its launch and the blocks that fit?
bool kernel_can_start(const Search *search, uint32_t thread);
bool kernel_start_thread(Search *search, uint32_t thread);
bool kernel_finish_thread(Search *search, uint32_t thread);
// A waiting thread that is not at a value: can it go on? It is let go if so.
bool kernel_try_release(Search *search, uint32_t thread, bool *released);
// At the thread's current instruction; at two places.
void kernel_add_fault(Search *search, uint32_t thread, RuleNumber rule);
// Adds the fault; the thread does nothing more.
void kernel_stop_at_fault(Search *search, uint32_t thread, RuleNumber rule);
void search_add_fault(Search *search, RuleNumber rule, RecordPlace place, RecordPlace other);

// Operands of a kernel's instruction; false: the thread waits for the value.
bool kernel_number(Search *search, uint32_t thread, const Operand *operand, uint64_t *number);
ValueId kernel_value(Search *search, uint32_t thread, const Operand *operand);
void kernel_set_register(Search *search, uint32_t thread, uint32_t reg, ValueId value);

// kernel_wide.c: values of up to 16 bytes.
// Operand number `i` of a memory instruction, and its result to where it goes.
ValueId kernel_operand(Search *search, uint32_t thread, const Instruction *instruction, uint32_t i);
void kernel_set_result(Search *search, uint32_t thread, const Instruction *instruction,
                       ValueId value);
// The value of the location as text, signed in decimal; of 16 bytes in hexadecimal.
const char *kernel_print_value(const Search *search, uint32_t location, int64_t value,
                               Arena *arena);

// kernel_rival.c
// Are the sources of the atomics known that are ordered before the thread's next access to the
// location? Otherwise the thread waits for one.
bool kernel_knows_sources(Search *search, uint32_t thread, uint32_t location);
// Several writes are ordered before that access, and it is not decided which of them comes last.
bool kernel_has_rivals(const Search *search, uint32_t thread, uint32_t location);

static inline bool kernel_is_local(const Location *location) {
  return location->address >= MEMORY_LOCAL_PHYSICAL && location->address < MEMORY_SHARED_PHYSICAL;
}

// kernel_word.c: atomic loads of parts of words that atomics access as a whole.
enum { KERNEL_WORD_BYTES = 4 };
// Makes an atomic load of a part one of its word, if that is one of these; false: the search starts
// again.
bool kernel_widen_load(Search *search, Event *load);
// The bytes that an access names: of a load that was made one of its word only a part of that.
Location kernel_named_bytes(const Graph *graph, const Event *access);
// What such a load gets of its word.
ValueId kernel_part_of_word(Search *search, const Event *load, ValueId word);
// Notes that an atomic writes all of a word; false: the search starts again.
bool kernel_note_whole(Search *search, const Event *write);
// kernel_memory.c
// The low `size` bytes of a value.
ValueId kernel_extend(Search *search, ValueId value, uint32_t size, bool is_signed);
uint32_t kernel_intern_word(Search *search, uint64_t physical); // EVENT_NONE: outside of all memory

// kernel_mixed.c: locations that overlap.
// Has another location that overlaps this one been written?
bool kernel_is_mixed(const Search *search, uint32_t location);
// Does the read race with a write of another location that overlaps its own?
bool kernel_has_mixed_rival(const Search *search, uint32_t read);
// Is some byte of the location left by a write of another one that is ordered before the thread's
// next event, and behind `write` (EVENT_NONE: the initial one)?
bool kernel_is_left_behind(const Search *search, uint32_t thread, uint32_t location,
                           uint32_t write);
// The value of a load that is settled now, byte by byte. False: a byte comes from a write whose
// value is not known yet, for which the thread waits.
bool kernel_settle_bytes(Search *search, uint32_t thread, uint32_t location, ValueId *value);
// Before a read is added whose source is chosen later: notes with it what writes of other locations
// have left. False: the thread waits for an acquire before it.
bool kernel_note_left(Search *search, uint32_t thread, Event *read);
// Bits of a byte of local memory that nothing before the thread's next event has defined.
UndefinedValue kernel_undefined_byte(const Search *search, uint32_t thread, uint64_t address);
// The newest of the writes at one location that are ordered before the event `last` or are it.
uint32_t kernel_newest_write(const Search *search, uint64_t last, uint32_t location);

// kernel_undefined.c
UndefinedValue kernel_undefined(const Search *search, ValueId value);
UndefinedValue kernel_undefined_operand(const Search *search, uint32_t thread,
                                        const Operand *operand);
ValueId kernel_undefine(Search *search, ValueId value, UndefinedValue undefined);
// Makes bits of a register's value undefined.
void kernel_set_undefined(Search *search, uint32_t thread, uint32_t reg, UndefinedValue undefined);
// Reports that something at `pc` depends on the operand, if it has undefined bits.
void kernel_use_operand(Search *search, uint32_t thread, const Operand *operand, uint64_t pc);
// What the thread's current instruction reads of bytes of which the `undefined` ones have not been
// written: in local memory a value with undefined bits, which come from `origin` if they have been
// stored there; elsewhere it is at fault.
ValueId kernel_read_undefined(Search *search, uint32_t thread, uint32_t location, ValueId value,
                              UndefinedValue undefined);
// What a load has settled on, `value`, as a register gets it, extended; and what a store leaves.
ValueId kernel_loaded_value(Search *search, uint32_t thread, const Instruction *load,
                            uint32_t location, ValueId value, ValueId extended);
ValueId kernel_stored_value(Search *search, uint32_t thread, const Instruction *store,
                            uint32_t location, ValueId value);
// Around an instruction, if there are such values at all.
typedef struct UndefinedStep {
  uint64_t pc;
  bool has_undefined; // some operand is
  uint32_t origin;    // of the first of them
  uint32_t used;      // mask of operands on which something depends
  UndefinedResults results;
} UndefinedStep;
UndefinedStep kernel_begin_step(Search *search, uint32_t thread, const Instruction *instruction);
void kernel_end_step(Search *search, uint32_t thread, const Instruction *instruction,
                     const UndefinedStep *step);

// kernel_memory.c
bool kernel_load(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done);
bool kernel_store(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done);
bool kernel_atomic(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done);
// Resolves and checks an access. *is_known false: the thread waits for the address; location
// EVENT_NONE: the access is at fault, and the thread has stopped.
bool kernel_locate(Search *search, uint32_t thread, const Instruction *instruction,
                   const Operand *base, int64_t offset, Space space, uint32_t size,
                   uint32_t *location, bool *is_known);
Event kernel_access_event(const Search *search, uint32_t thread, const Instruction *instruction,
                          EventKind half, uint32_t location);
// kernel_clock.c: may what the code does depend on a clock? `arena` is left as it was.
bool kernel_branches_on_clock(const Code *code, Arena *arena);
void kernel_read_clock(Search *search, uint32_t thread, const Instruction *instruction);
// kernel_idle.c: may the atomic, which writes back what it reads, be explored as a load?
bool kernel_is_poll(Search *search, uint32_t thread, const Instruction *instruction,
                    uint32_t location);
bool kernel_add_poll(Search *search, uint32_t thread, const Instruction *instruction,
                     uint32_t location);
// The newest write of a location, behind which an atomic without a result is added; EVENT_NONE:
// none.
uint32_t kernel_newest_update(const Search *search, uint32_t location);
// Where one order of atomics stands for all (ContendedLocation.is_sampled), one whose result is
// used may end up between an update and the write whose value that updates: such an execution is
// none.
bool kernel_updates_are_in_place(const Search *search);
// What an update that comes behind all writes of the location, of which `newest` is the last, finds
// there. False: the thread waits.
bool kernel_find_updated(Search *search, uint32_t thread, uint32_t location, uint32_t newest,
                         ValueId *old);
// What the atomic leaves behind if it finds `old`.
ValueId kernel_atomic_value(Search *search, const Instruction *instruction, uint32_t size,
                            ValueId old, ValueId second);
// Orders SC fences before the thread's next event where that may order a write before it. False:
// inconsistent.
bool kernel_order_fences(Search *search, uint32_t thread, uint32_t location);
// The value that a load takes that is settled now. False: it waits for an acquire before it.
// False: the thread waits for an unresolved read before it that may still bring an order with it.
bool kernel_is_settled(Search *search, uint32_t thread);
bool kernel_settle_read(Search *search, uint32_t thread, uint32_t location, ValueId *value);
// The same of a load that is about to be added, with the fences before it. False: inconsistent.
bool kernel_settle_load(Search *search, Event *load, bool *is_done);
// The write that a load took that has just been settled; EVENT_INIT: none, EVENT_NONE: several.
uint32_t kernel_settled_source(const Search *search, uint32_t thread, uint32_t location);
// The write that leaves a byte in the final state; EVENT_NONE: none.
uint32_t kernel_final_write(const Search *search, uint64_t address);
// Reports bytes of a location in the final state; false: undefined.
bool kernel_final_byte(void *search, uint64_t address, uint8_t *byte);

// kernel_leaf.c
// Notes that an event looks at a location on which atomics are under way, or is one of these while
// somebody looks. False: the order of the atomics matters, and the search has to start again.
bool kernel_note_access(Search *search, uint32_t event);
// Guests: updates are not left unordered where seq_cst operations may order them; false: the search
// starts again.
bool kernel_keeps_updates_apart(Search *search, const Event *added);
// An atomic whose result nobody uses is about to be added on a contended location.
void kernel_note_atomic(Search *search, uint32_t location);
// Has the search, of so many steps, got long? Then it starts again: with the symmetry of threads,
// without it again, or with one order of the atomics on crowded locations.
bool kernel_is_too_long(const Search *search, uint64_t steps, RestartKind *kind);
void kernel_record_faults(Search *search);
void kernel_check_final(Search *search);
// Why the final condition does not hold; NULL: it does.
const char *kernel_find_failure(Search *search, Arena *arena, Span *span);

// kernel_barrier.c
bool kernel_barrier_arrive(Search *search, uint32_t thread, const Instruction *instruction,
                           bool *is_done);
bool kernel_cluster_arrive(Search *search, uint32_t thread, const Instruction *instruction);
bool kernel_check_barriers(Search *search, uint32_t block);
// Have all threads of the warp arrived that have not exited?
bool kernel_warp_has_arrived(const Search *search, const KernelBarrier *barrier, uint32_t block,
                             uint32_t warp);
bool kernel_check_cluster(Search *search, uint32_t cluster);
// Lets a waiting thread go if its barrier has been completed.
bool kernel_try_barrier(Search *search, uint32_t thread, bool *released);
// Edges from every event to a fresh event that stands for them together.
bool kernel_add_meeting(Search *search, uint32_t thread, const uint32_t *from, uint32_t count,
                        uint32_t *meeting);

// kernel_warp.c
bool kernel_collective(Search *search, uint32_t thread, const Instruction *instruction);
bool kernel_try_collective(Search *search, uint32_t thread, bool *released);
// The thread of a lane of the same warp; UINT32_MAX: there is none.
uint32_t kernel_thread_of_lane(const Search *search, uint32_t thread, uint32_t lane);

// kernel_test.c: tests of an mbarrier that fail.
// Notes the thread's current instruction if its failure would lead to more than another try.
void kernel_note_test(Search *search, uint32_t thread, const Instruction *test);
// Does this search want the test to fail? *is_known false: the thread waits for an acquire first.
bool kernel_wants_failure(Search *search, uint32_t thread, const Instruction *test, bool *is_known);

// Nothing is left to decide, and no thread can go on: lets a test fail whose failure leads to more
// than another try. False: there is none.
bool kernel_fail_test(Search *search);

// kernel_turn.c: orders of arrivals at counted barriers.
// Notes if a warp that has arrived might have done so before the last completion, too, or
// (is_early) after the next one.
void kernel_note_contest(Search *search, uint32_t thread, uint32_t id, const KernelBarrier *barrier,
                         bool is_early);
// Does the thread, about to arrive, wait until it is its warp's turn?
bool kernel_awaits_turn(Search *search, uint32_t thread, uint64_t id, uint64_t count);

// kernel_pace.c: orders of arrivals and tests at mbarriers.
// Does the thread, which is about to end a phase, or may, wait until no other can go on?
bool kernel_holds_back(Search *search, uint32_t thread, const Mbarrier *barrier);
// Does a test wait until no thread can go on that does not wait?
bool kernel_tests_late(Search *search, uint32_t thread);
// Lets one of the threads go on that were held back; false: there is none.
bool kernel_let_go(Search *search);
// A test fails: notes if it might have come before the last completion, and succeeded.
void kernel_note_missed_phase(Search *search, uint32_t thread, const Mbarrier *barrier);
// A phase ends: notes if somebody waits for the phase before; if a test that has succeeded might
// have come after that.
void kernel_note_overtaken_tests(Search *search, const Mbarrier *barrier);
void kernel_note_early_tests(Search *search, const Mbarrier *barrier, uint32_t completion);
// The execution is complete: notes if a pending count that was told depends on the order of
// arrivals.
void kernel_note_counts(Search *search);

// kernel_exit.c: accesses that a block does not wait for before it exits.
void kernel_find_use_after_exit(Search *search);

// kernel_life.c: does one of the accesses belong to an mbarrier whose life is over at the other?
bool kernel_is_over(const Search *search, uint32_t a, uint32_t b);
// The execution is another one than when that was last asked.
void kernel_forget_past(Search *search);

// kernel_poll.c: loops in which a whole warp polls, or a block.
// Notes that the threads took part in one collective.
void kernel_note_exchange(Search *search, const uint32_t *threads, uint32_t count, uint32_t mask,
                          bool is_meeting);
// A thread is back at the head of a loop, and but for collectives since `exchange` the iteration
// changed nothing: it waits for the others to come to the same result. False: it goes
// on.
bool kernel_poll(Search *search, uint32_t thread, uint32_t exchange);
void kernel_try_poll(Search *search, uint32_t thread, bool *released);

// kernel_round.c: does the round of a loop that began at `round` leave what was there before, where
// it has made the store?
bool kernel_store_is_idle(Search *search, uint32_t store, uint64_t round);

// kernel_count.c: a thread is back at the head of a loop. If it polls so many times and then gives
// up, what it counts with is set to where the last rounds begin.
void kernel_skip_rounds(Search *search, uint32_t thread, const HeaderVisit *visit);

// kernel_mbarrier.c
bool kernel_mbarrier(Search *search, uint32_t thread, const Instruction *instruction,
                     bool *is_done);
// Does the thread know that the phase before is over?
bool kernel_knows_completion(const Search *search, uint32_t thread, const Mbarrier *barrier);
// Can a thread that waits at an mbarrier do more now?
bool kernel_mbarrier_is_ready(const Search *search, uint32_t thread);
// The object at a physical address, live or not; NULL: there was none.
Mbarrier *kernel_find_mbarrier(const Search *search, uint64_t address);
void kernel_wait_for_mbarrier(Search *search, uint32_t thread, uint64_t address);
// The event is one without which the current phase does not end; what waits for the phase comes
// behind `head` (EVENT_NONE: that does not follow).
void kernel_add_arrival(Search *search, Mbarrier *barrier, uint32_t event, uint32_t head);
// Behind an acquire fence comes what relaxed tests of the thread have told of.
bool kernel_acquire_phases(Search *search, uint32_t fence);
// Has a thread of the block seen the end of the phase that the arrival counts for?
bool kernel_arrival_is_seen(const Search *search, uint32_t arrival, uint32_t block);
// The transition to the next phase, if nothing is pending any more.
bool kernel_try_complete(Search *search, Mbarrier *barrier, uint32_t thread);

// kernel_async.c
enum { KERNEL_COPY_BYTES = 4 };

// A part of a copy. Not `is_read`: zeros are written.
typedef struct Piece {
  Operand to, from;
  int64_t to_offset, from_offset;
  Space to_space, from_space;
  uint32_t bytes;
  bool is_read, is_bulk;
  Proxy proxy;
} Piece;

void kernel_append_copy(Search *search, Copy copy);
// What the thread did before comes before the access.
bool kernel_order_issue(Search *search, uint32_t thread, uint32_t access);
bool kernel_copy_pieces(Search *search, uint32_t thread, const Instruction *instruction,
                        const Piece *pieces, uint32_t count, bool *is_done);

// The mbarrier that a bulk operation counts for; NULL: none. *is_done false: the thread waits until
// it is initialised.
bool kernel_find_barrier(Search *search, uint32_t thread, const Instruction *instruction,
                         Mbarrier **barrier, bool *is_done);
// The copies since `first_copy` are complete.
bool kernel_complete_bulk(Search *search, uint32_t thread, uint64_t first_copy, Mbarrier *barrier,
                          uint64_t bytes);
// kernel_tensor.c
bool kernel_tensor_copy(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done);
bool kernel_copy(Search *search, uint32_t thread, const Instruction *instruction, bool *is_done);
bool kernel_bulk_copy(Search *search, uint32_t thread, const Instruction *instruction,
                      bool *is_done);
bool kernel_store_async(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done);
bool kernel_wait_copies(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done);
// kernel_product.c: products of warpgroups
bool kernel_product_load(Search *search, uint32_t thread, const Instruction *instruction,
                         bool *is_done);
void kernel_product_result(Search *search, uint32_t thread, const Instruction *instruction);
bool kernel_product_wait(Search *search, uint32_t thread, const Instruction *instruction,
                         bool *is_done);
// Can a thread that waits for its warpgroup go on?
bool kernel_product_is_ready(const Search *search, uint32_t thread);
// The value for the thread's current instruction: a fault, if a product is still to give it.
ValueId kernel_use(Search *search, uint32_t thread, ValueId value);
bool kernel_copy_arrive(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done);

#endif
