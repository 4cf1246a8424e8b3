// Atomics whose results are tickets: `i = atomicAdd(&n, 1); out[i] = x;`. Internal to explore.
//
// n threads take their tickets in n! orders. Where a ticket only says which slot is a thread's, all
// of them are alike, and one stands for all. As with atomics whose results nobody uses
// (kernel_memory.c), the atomics are added one behind the other as updates, and each gets the
// number that it finds. What the search has then built is one execution; that which it would have
// built with the tickets dealt out otherwise differs in nothing that anybody notices, if
// - all atomics add the same (their order then decides who gets which number, and no more), and
//   whoever looks at the counter is ordered with all of them;
// - whatever is computed from a ticket up to a branch or an address is known for each other ticket
//   (TicketCheck): the branch is taken the same way with each, and the address goes on by equal
//   steps. A ticket may be stored, but what comes out of memory then is *opaque*: nobody may branch
//   on it, or make an address of it;
// - slots are accessed by plain loads and stores. Each byte is the slot of one ticket, whoever has
//   it. Other accesses to slots are ordered with those of all tickets, and see opaque contents.
// Then there is a renaming of the slots that makes the one execution the other: same places in the
// code, same orders, same races. What differs are opaque values, which decide nothing. A final
// condition may look at them: if it does not fail in this execution, it may in another one.
//
// Tickets are exchanged only within a *generation*: if all that have been handed out are ordered
// before those that follow, as by a barrier, they stay with those who had them.
//
// Nor are they where a comparison comes out otherwise: in `while ((i = atomicAdd(&n, 1)) < count)`
// the tickets below `count` and those behind are two *classes*. The search starts again with such
// classes, and who takes a ticket of which is a choice (kernel_slots_class.c).
//
// All this is checked while the threads run, or when the execution is complete. If it does not hold
// (a ticket that is compared with what a lock serves), the search starts again, and results of that
// instruction are told apart: its atomics are explored in all orders.
#ifndef WARPSAN_EXPLORE_KERNEL_SLOTS_H
#define WARPSAN_EXPLORE_KERNEL_SLOTS_H

#include "explore/search.h"
#include "ir/alu.h"

// Of a register or a write: 0: does not depend on a ticket, else a TicketValue + 1.
typedef uint64_t TicketTaint;

// A value of the thread that has ticket number `rank` of a counter: with ticket `rank + 1` it would
// be greater by `step`.
typedef struct TicketValue {
  uint32_t counter, rank;
  uint64_t step;
  bool is_opaque; // nobody knows what it would be
  uint32_t split; // of what is opaque: the ticket + 1 from which on comparisons come out otherwise
} TicketValue;

// `count` and what follows change through the trail.
typedef struct TicketCounter {
  uint32_t number, location;
  uint64_t place; // of the instruction: grid << 32 | number
  uint64_t step;  // what each atomic adds
  uint64_t first; // number of the first ticket
  uint64_t count; // tickets handed out
  uint64_t start; // the first one of the newest generation
  uint64_t newest;
  uint64_t class_start; // the first one of the newest class
  uint64_t class_base;  // the update before that, or EVENT_NONE
  uint64_t releases;    // an update passes an order on
} TicketCounter;

// A computation that gave `results` with ticket `rank`. With others it has to give what is
// greater by the steps.
typedef struct TicketCheck {
  const AluOperation *alu;
  uint32_t counter, rank;
  uint64_t operands[ALU_MAX_OPERANDS], operand_steps[ALU_MAX_OPERANDS];
  uint64_t results[ALU_MAX_RESULTS], result_steps[ALU_MAX_RESULTS];
} TicketCheck;

// An access by an address that depends on a ticket.
typedef struct SlotAccess {
  uint32_t event, counter, rank;
  uint64_t step; // of its address
} SlotAccess;

// Counts change through the trail.
typedef struct Slots {
  TicketCounter **counters;
  TicketValue *values;
  TicketCheck *checks;
  SlotAccess *accesses;
  uint64_t counter_count, value_count, check_count, access_count;
  uint32_t counter_capacity, value_capacity, check_capacity, access_capacity;
  TicketTaint **registers;   // of each thread
  TicketTaint *event_taints; // of writes: what is stored; of reads: what is found
  uint32_t *ranks;           // of each update: its ticket
  uint32_t *starts;          // of each update: the first ticket of its generation, as it was then
  uint64_t *are_accesses;    // row over events: made by such an address
  uint64_t asked; // place + 1 of the instruction whose slots a final condition has looked at
} Slots;

// Has any ticket been handed out? Requires it of what follows, but for slots_may_hand_out.
static inline bool slots_are_on(const Search *search) {
  return search->slots && search->slots->counter_count;
}

// --- kernel_slots.c: registers

// Is the atomic, whose result is used, one that may hand out tickets?
bool slots_may_hand_out(Search *search, uint32_t thread, const Instruction *instruction,
                        uint32_t location);
// An update has been added, which has found `old`. If its result is used the thread gets that.
void slots_note_update(Search *search, uint32_t thread, const Instruction *instruction,
                       uint32_t update, ValueId old, bool is_used);
// The tickets do not stand for each other: the search starts again.
void slots_deny(Search *search, uint32_t counter);
// The tickets from `rank` on do not stand for those before, or no tickets of the counter do so for
// others.
void slots_split(Search *search, uint32_t counter, uint64_t rank);
// A thread is about to execute an instruction. False: that must not depend on a ticket.
bool slots_allow(Search *search, uint32_t thread, const Instruction *instruction);
TicketTaint slots_operand(const Search *search, uint32_t thread, const Operand *operand);
TicketTaint slots_add_value(Search *search, TicketValue value);
void slots_set(Search *search, uint32_t thread, uint32_t reg, TicketTaint taint);
// Taints of the results of IR_ALU, whose operands have these numbers (NULL: not all are known).
void slots_compute(Search *search, uint32_t thread, const Instruction *instruction,
                   const uint64_t *operands, TicketTaint *results);
// The same, since a final condition has looked at slots.
void slots_deny_asked(Search *search);
// Does a register that the thread may still look at depend on a ticket?
bool slots_has_live_taint(const Search *search, uint32_t thread);
// A thread is back at the head of a loop with the same registers: also with any other ticket?
void slots_check_header(Search *search, uint32_t thread, const HeaderVisit *visit);

// --- kernel_slots_class.c: who gets a ticket of which class

// A thread is at an atomic that takes tickets. True: it waits until it is known of which class.
bool slots_asks(Search *search, uint32_t thread, uint32_t location);
// Of a thread at a ticket: do others follow on the current class?
bool slots_has_class_ahead(Search *search, uint32_t thread);
// The first thread that has not said yet what it does; UINT32_MAX: there is none.
uint32_t slots_find_asked(Search *search);
// The thread takes a ticket of the current class (0), or leaves them to others (1).
void slots_answer(Search *search, uint32_t thread, uint32_t choice);
// Nobody goes on, and somebody waits for a ticket of a later class.
void slots_note_left(Search *search, uint32_t statuses);
// Are there several classes of the counter's tickets? Does one begin with this one?
bool slots_has_classes(const Search *search, uint32_t location);
bool slots_begins_class(const Search *search, uint32_t location, uint64_t number);

// --- kernel_slots_memory.c

// A load or store of the thread has been added.
void slots_loaded(Search *search, uint32_t thread, const Instruction *instruction, uint32_t read);
void slots_stored(Search *search, uint32_t thread, const Instruction *instruction, uint32_t write);
// Something else than a load or store accesses a location.
void slots_touch(Search *search, uint32_t location);
// The access is at fault.
void slots_note_fault(Search *search, uint32_t thread, const Operand *base);
// The execution is complete. False: the tickets do not stand for each other after all.
bool slots_hold(Search *search);
// A final condition looks at a byte.
void slots_ask_byte(Search *search, uint64_t address, uint32_t write);

// The newest counter at a location; NULL: there is none.
TicketCounter *slots_find_counter(const Search *search, uint32_t location);
// The tickets of the generation that `rank` is of: from `*first` up to `*end`.
void slots_find_generation(const Search *search, uint32_t counter, uint32_t rank, uint64_t *first,
                           uint64_t *end);

#endif
