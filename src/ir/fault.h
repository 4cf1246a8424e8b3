// Faults of a running kernel in words: every engine says the same of the same fault.
#ifndef WARPSAN_IR_FAULT_H
#define WARPSAN_IR_FAULT_H

#include "base/rules.h"
#include "ir/ir.h"

// What happened, as the beginning of a message: "this assertion fails in an execution".
const char *fault_text(RuleNumber rule);
// The same of an instruction: an access says which memory it leaves, where its space tells.
const char *fault_text_at(RuleNumber rule, const Instruction *instruction);
// Where an undefined value comes from, and what is wrong about its use.
typedef enum FaultOrigin {
  FAULT_MEMORY,
  FAULT_LANE,
  FAULT_REGISTER,
  FAULT_STATE,
  FAULT_OBJECT
} FaultOrigin;
// Of a value that is used elsewhere: by the instruction that gave it.
FaultOrigin fault_origin_of(const Instruction *instruction);
const char *fault_undefined_text(FaultOrigin origin);

// Of a race between blocks: a barrier is missing between an access and the thread of its block that
// passes a flag on, or sees it.
const char *fault_spokesman_text(void);
const char *fault_spokesman_remedy(void);

// Of accesses that are in order, but for a proxy fence. `is_reuse`: an ordinary read before a write
// by an asynchronous operation.
const char *fault_proxy_reason(bool is_reuse);

// What a thread waits for that never comes.
typedef enum FaultWait {
  FAULT_WAIT_BARRIER,
  FAULT_WAIT_LANES,
  FAULT_WAIT_MBARRIER,
  FAULT_WAIT_LAUNCH,
  FAULT_WAIT_WARPGROUP,
  FAULT_WAIT_VALUE,
} FaultWait;
const char *fault_wait_text(FaultWait wait);

// Does it wait at a barrier of a block for a number of threads that it names?
bool fault_is_counted_barrier(const Instruction *instruction);

// Do they stand in one place of the source, also as to where that was inlined?
bool fault_is_same_place(const Instruction *a, const Instruction *b);
// Notes the places into which the instruction was inlined.
void fault_note_inlining(DiagList *findings, Diag *diag, const Instruction *instruction);

#endif
