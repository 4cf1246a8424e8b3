// Threads of a kernel that only differ in their numbers: of all executions that differ in which of
// them did what, one is explored. Internal to explore.
//
// *Members* are the blocks of a grid or, where it has only one, its threads; *exchanging* two of
// them renames their threads and the memory that is theirs alone. What the reduction rests on:
//
// Threads of several blocks are members where the code has nothing that only goes for a block (nor
// too many threads); if they turn out to differ, blocks are.
//
// 1. Exchanging members turns executions into executions. All run the same code, so it suffices
//    that what depends on a member's number (*taint*) decides nothing that is seen by others. It is
//    followed through registers: a tainted register has, beside its value, those that it would have
//    if the thread were one of another member. These may
//    - decide a branch if all members would take the same way, and whether a loop awaits likewise;
//    - be an address if memory is accessed in this way only by the member whose it is: each byte is
//      either accessed by addresses that are the same for all, or is one member's, and then every
//      access to it is one that all members make, each to its own;
//    - be stored in such memory, and come back from there;
//    - be stored where others look, by a plain store. What plain loads find there is *opaque* from
//      then on: it differs in unknown ways, and decides nothing any more.
//    What is the members' own may also be looked at by plain loads of anybody, once all members
//    have written there, before the load and not after, if each has written what any of them
//    would have in its place: as the last block does, which adds up what all have left. The load
//    then reads the same from the same place when members are exchanged, and comes after it.
//    Anything else (a tainted value that is stored for strong loads and atomics to see, that an
//    atomic or an unusual instruction takes) ends the reduction, for the whole program. The checks
//    are made in every execution that is begun, so the first step by which an exchanged execution
//    would part from its original is noticed where the original takes it, if that has been
//    explored.
// 2. At a decision on a read of member u, those are its *twins* with greater numbers that have done
//    the same: the same events, and none of the two members has a read whose source is chosen, nor
//    has anybody read from them. The executions that are left then stay the same set if u and a
//    twin are exchanged. Each of them has a counterpart in which u reads what comes first, in the
//    order in which the alternatives are tried, of what u and its twins read. (What one of them
//    reads from another's atomic does not count: they cannot all do so.) Only these are explored:
//    twins do not read what u has been tried with before, and u does not read from the atomic of a
//    twin. As u has a source then, it is nobody's twin any more below.
// 3. That reads have to be deferred is found out when writes turn up; those that turn up in what is
//    left out turn up in the counterparts, for the same reads but of u and twins, which have been
//    given no source. The read of u is deferred where something was left out, without asking.
//    Sources that are postponed (kernel_retry.h) are part of the deferral, for u and for its twins;
//    those that come from twins are left out all the same.
// 4. Atomics that could as well have come the other way round (kernel_swap.h) are left out only
//    where both were decided when no member could have twins any more. Otherwise the two
//    reductions might each take an execution to stand for the other's.
// 5. What is found is said of places in the code, which are the same for exchanged threads. A final
//    condition holds for all counterparts if it looks at common bytes that are not opaque, or at
//    bytes of members that would be the same after each exchange; otherwise the reduction ends.
#ifndef WARPSAN_EXPLORE_SYMMETRY_H
#define WARPSAN_EXPLORE_SYMMETRY_H

#include "explore/search.h"

// Of a register: it is the same for all members; it differs in unknown ways; else a vector + 2.
typedef uint64_t Taint;
#define TAINT_NONE 0
#define TAINT_UNKNOWN 1

typedef struct SymmetryGroup {
  bool is_of_threads;
  uint32_t first; // block or thread
  uint32_t member_count;
  uint32_t size; // threads of a member
} SymmetryGroup;

// A number for each member of a group.
typedef struct TaintVector {
  uint32_t group;
  const uint64_t *numbers;
} TaintVector;

enum {
  CONTENTS_DIFFER = 1,  // initial contents are not the same for all members
  CONTENTS_STORED = 2,  // a tainted value is stored
  CONTENTS_TRUSTED = 4, // was read as the same for all members
  // Of common bytes:
  CONTENTS_OPAQUE = 8,   // a tainted value is stored
  CONTENTS_WATCHED = 16, // is accessed otherwise than by plain loads and stores
};

// Whose a byte is: it is `base` of the vector `shape`; for shape 0 everybody's.
typedef struct ByteClaim {
  uint64_t address;  // + 1; 0: free
  uint64_t shape;    // taint: distances from the first member's byte
  uint64_t base;     // the first member's byte
  uint32_t contents; // CONTENTS_*, of the first member's byte
} ByteClaim;

typedef struct Symmetry {
  SymmetryGroup *groups;
  uint32_t group_count;
  uint32_t *group_of;  // of each thread, + 1; 0: none
  uint32_t *member_of; // of each thread
  uint32_t *index_of;  // of each thread, in its member
  uint32_t *first_of;  // of each group: number of its first member
  Taint **taints;      // of each thread's registers; change through the trail
  uint64_t *decided;   // row over members: a read has its source
  uint64_t *asleep;    // row over reads: some of their sources are left to others
  uint64_t *late;      // row over reads: decided when nobody could have twins
  // What follows only grows, and is kept when the search backtracks.
  ARRAY(TaintVector) vectors;
  uint32_t *vector_slots; // vector + 1
  uint32_t vector_slot_count;
  ByteClaim *claims;
  uint32_t claim_count, claim_slot_count;
  uint64_t *location_claims; // of each location: 0: none, 1: everybody's, else the taint of its
                             // address
  Taint *event_taints;       // of each write: what is stored
  bool is_broken;
  bool looks_aside;  // the load that is being run looks at what is the members' own
  bool bytes_differ; // while a final condition is looked at
} Symmetry;

// --- symmetry_members.c

// The members of a grid: threads, or blocks. False: there are none that could be exchanged.
bool symmetry_find_group(const Program *program, const Grid *grid, bool keeps_blocks,
                         SymmetryGroup *group);
// Are members threads of some grids whose blocks could be?
bool symmetry_splits_blocks(const Program *program, bool keeps_blocks);
// The program has members at all that could be exchanged.
bool symmetry_is_possible(const Program *program);
// "3 blocks", "8 threads and 2 blocks": the members of its groups.
const char *symmetry_describe(const Program *program, bool keeps_blocks, Arena *arena);

// --- symmetry.c

// Before threads run: sets search->symmetry up if the search is to use it.
void symmetry_begin(Search *search);
// Something depends on a member's number: the search starts again without the reduction.
void symmetry_break(Search *search);

// Registers. Requires of these and all below: search->symmetry is not NULL.

uint32_t symmetry_peer(const Search *search, uint32_t thread, uint32_t member);
const SymmetryGroup *symmetry_group(const Search *search, uint32_t thread); // NULL: none
Taint symmetry_operand(const Search *search, uint32_t thread, const Operand *operand);
// The number that an operand with the value `number` has for a member; requires: not unknown.
uint64_t symmetry_number(const Search *search, Taint taint, uint64_t number, uint32_t member);
// A number for each member of a thread's group as a taint.
Taint symmetry_vector(Search *search, uint32_t thread, const uint64_t *numbers);
void symmetry_set(Search *search, uint32_t thread, uint32_t reg, Taint taint);
// Gives an operand the number that it would have for a member; the register's word before.
// Requires: the operand is known. Must be followed by symmetry_end_as with that word.
uint64_t symmetry_begin_as(Search *search, uint32_t thread, const Operand *operand,
                           uint32_t member);
void symmetry_end_as(Search *search, uint32_t thread, const Operand *operand, uint64_t word);
void symmetry_move(Search *search, uint32_t thread, const Instruction *instruction);
// An instruction is about to be executed.
void symmetry_check(Search *search, uint32_t thread, const Instruction *instruction);
// Taints of the results of IR_ALU, whose operands have these numbers (NULL: not all are known).
void symmetry_compute(Search *search, uint32_t thread, const Instruction *instruction,
                      const uint64_t *operands, Taint *results);
Taint symmetry_convert(Search *search, uint32_t thread, const Instruction *instruction,
                       uint64_t address, uint64_t operand);
// A thread is back at the head of a loop; `is_same`: the registers are as they were.
void symmetry_check_header(Search *search, uint32_t thread, const HeaderVisit *visit, bool is_same);
void symmetry_note_header(Search *search, uint32_t thread, HeaderVisit *visit);

// --- symmetry_memory.c

// A thread accesses a location by this address. EVENT_NONE: it is at fault. A load that may look
// at what is the members' own is found out about by symmetry_loaded.
void symmetry_claim(Search *search, uint32_t thread, const Operand *base, int64_t offset,
                    Space space, uint32_t location, bool is_plain_load);
// A load has put the value of a location into a register.
void symmetry_loaded(Search *search, uint32_t thread, const Instruction *instruction,
                     uint32_t location, bool is_eager);
// A write of a thread has been added, of this operand.
void symmetry_stored(Search *search, uint32_t thread, uint32_t write, const Operand *operand);
void symmetry_updated(Search *search, uint32_t location);
// Something else than a load or store accesses a location.
void symmetry_touch(Search *search, uint32_t thread, uint32_t location);
// Has anybody looked at what members have at such places, who is not the member?
bool symmetry_is_looked_at(const Search *search, uint32_t location);
// A final condition looks at a byte. Is it the same after each exchange? Else `bytes_differ`.
void symmetry_ask_byte(Search *search, uint64_t address);

// --- symmetry_twins.c

// The read that is decided before this one: tickets come first, since who has one is nobody's twin
// any more, and other reductions have to wait for that.
uint32_t symmetry_find_ticket(const Search *search, uint32_t read);
// Finds the twins for a new decision on a read, and leaves out what they stand for.
void symmetry_leave_out(Search *search, Decision *decision);
// The twins leave the alternatives before the one that is taken to the read.
void symmetry_sleep(Search *search, const Decision *decision);
// The members with greater numbers that are twins of the thread's, as a row over members.
void symmetry_find_twins(Search *search, uint32_t thread, uint64_t *twins);
// The thread has done what its twins need not do.
void symmetry_note_choice(Search *search, uint32_t thread);
// A read gets its source now.
void symmetry_note_source(Search *search, uint32_t read);

#endif
