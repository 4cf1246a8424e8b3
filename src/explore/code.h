// What is known of a thread's code before it runs: loops, live registers, reachable writes.
#ifndef WARPSAN_EXPLORE_CODE_H
#define WARPSAN_EXPLORE_CODE_H

#include "base/bits.h"
#include "ir/condition.h"

typedef struct Code {
  const Thread *thread;
  uint32_t *header_numbers; // for each instruction: number of the loop that it heads, or UINT32_MAX
  uint32_t header_count;    // targets of backward branches, and votes of a block
  uint32_t register_words;  // of a row over registers
  uint32_t object_words;    // of a row over objects
  uint64_t *live;           // for each instruction: registers that may be read from there on
  uint64_t *may_write;      // for each instruction: locations that may be written from there on
} Code;

// Observed registers (columns of `condition`, which may be NULL) are live at the end.
void code_analyse(Code *code, const Program *program, uint32_t thread, const Condition *condition,
                  Arena *arena);

// Takes all registers for live, everywhere.
void code_assume_live(Code *code);

// Is it a barrier of the whole block (bar.sync, bar.red without a number of threads)? One at which
// the block votes?
bool code_is_block_barrier(const Instruction *instruction);
bool code_is_block_vote(const Instruction *instruction);

bool code_writes_object(const Instruction *instruction);

static inline bool code_is_live(const Code *code, uint32_t instruction, uint32_t reg) {
  return bits_has(code->live + (size_t)instruction * code->register_words, reg);
}

static inline bool code_may_write(const Code *code, uint32_t instruction, uint32_t location) {
  return bits_has(code->may_write + (size_t)instruction * code->object_words, location);
}

#endif
