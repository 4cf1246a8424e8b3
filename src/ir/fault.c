#include "ir/fault.h"

const char *fault_text(RuleNumber rule) {
  switch (rule) {
  case RULE_TRAP:
    return "an execution reaches this trap";
  case RULE_ASSERT:
    return "this assertion fails in an execution";
  case RULE_OUT_OF_BOUNDS:
    return "this access is outside of every buffer that the kernel was given";
  case RULE_MISALIGNED:
    return "the address of this access is not a multiple of its size";
  case RULE_UNINITIALISED:
    return "this reads memory that nothing has written";
  case RULE_BARRIER_DIVERGENCE:
    return "threads of one warp meet at different barriers: this one and another";
  case RULE_BARRIER_MISMATCH:
    return "threads meet at one barrier with numbers of participants or masks that do not fit, or "
           "twice before it is complete";
  case RULE_ASYNC_NOT_WAITED:
    return "this uses a register that an asynchronous product may still write";
  case RULE_USE_AFTER_EXIT:
    return "this accesses the shared memory of a block that may have exited";
  case RULE_MANAGED_IN_USE:
    return "the host touches managed memory while a kernel may run on a device without "
           "concurrent-managed-access";
  case RULE_NC_LOAD_OF_WRITTEN_DATA:
    return "a read-only load of data that is written while its launch may run";
  default:
    return rule_get(rule).meaning;
  }
}

static bool is_plain_access(const Instruction *instruction) {
  return instruction->op >= IR_LOAD && instruction->op <= IR_RED;
}

const char *fault_text_at(RuleNumber rule, const Instruction *instruction) {
  if (rule == RULE_OUT_OF_BOUNDS && is_plain_access(instruction)) {
    if (instruction->space == SPACE_SHARED)
      return "this access is outside of the shared memory that the block has";
    if (instruction->space == SPACE_LOCAL)
      return "this access is outside of the local memory that the thread has";
  }
  return fault_text(rule);
}

FaultOrigin fault_origin_of(const Instruction *instruction) {
  return instruction->op == IR_COLLECTIVE ? FAULT_LANE
         : instruction->op == IR_MBARRIER ? FAULT_STATE
                                          : FAULT_MEMORY;
}

const char *fault_undefined_text(FaultOrigin origin) {
  switch (origin) {
  case FAULT_LANE:
    return "this shuffle reads a lane that takes no part in it, and the value is used";
  case FAULT_REGISTER:
    return "this uses a register that nothing has written";
  case FAULT_STATE:
    return "this asks a state for its pending count that no `.noComplete` arrival gave, and the "
           "value is used";
  case FAULT_OBJECT:
    return "this uses an mbarrier that nothing has initialised, or whose life is over";
  case FAULT_MEMORY:
    break;
  }
  return fault_text(RULE_UNINITIALISED);
}

const char *fault_spokesman_text(void) {
  return "a thread passes a flag on, or sees it, for its whole block, without a block barrier "
         "between it and the others";
}

const char *fault_spokesman_remedy(void) {
  return "pass a barrier of the block (`__syncthreads()`, `bar.sync`) between the access and the "
         "thread that passes the flag on, or behind the thread that sees it";
}

const char *fault_proxy_reason(bool is_reuse) {
  return is_reuse
             ? "the read comes before the copy, but that order does not hold between proxies "
               "(PTX ISA, \"Async proxy\"): the read may see what the copy brings. Many rings "
               "of stages leave this fence out and get away with it, as the read is most often "
               "over by then; nothing promises that, and programs have failed by it"
             : "one of the two comes before the other, but that order does not hold between "
               "proxies (PTX ISA, \"Async proxy\"): the later one need not see what the earlier "
               "one has done";
}

const char *fault_wait_text(FaultWait wait) {
  switch (wait) {
  case FAULT_WAIT_BARRIER:
    return "waits at a barrier that is never completed";
  case FAULT_WAIT_LANES:
    return "waits for lanes of its warp that never come";
  case FAULT_WAIT_MBARRIER:
    return "waits for a phase of an mbarrier that never ends";
  case FAULT_WAIT_LAUNCH:
    return "waits for a launch that never ends";
  case FAULT_WAIT_WARPGROUP:
    return "waits for warps of its warpgroup that never multiply";
  case FAULT_WAIT_VALUE:
    break;
  }
  return "waits in a loop for a value that never comes";
}

bool fault_is_counted_barrier(const Instruction *instruction) {
  return instruction->op == IR_BARRIER && instruction->src[1].kind != OPERAND_NONE;
}

static bool is_same_span(Span a, Span b) {
  return a.source == b.source && a.begin == b.begin;
}

bool fault_is_same_place(const Instruction *a, const Instruction *b) {
  const InlinedPlace *here = a->inlined, *there = b->inlined;
  if (!is_same_span(a->span, b->span))
    return false;
  for (; here && there && is_same_span(here->span, there->span); here = here->next)
    there = there->next;
  return !here && !there;
}

void fault_note_inlining(DiagList *findings, Diag *diag, const Instruction *instruction) {
  for (const InlinedPlace *place = instruction->inlined; place; place = place->next)
    diag_note(findings, diag, place->span, place->function ? "%s is called here" : "inlined here",
              place->function);
}
