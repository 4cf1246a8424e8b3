// Litmus tests (Dat3M's PTX with extensions and OPENCL, herd's X86 and C) -> a program and its
// question.
#ifndef WARPSAN_LITMUS_LITMUS_H
#define WARPSAN_LITMUS_LITMUS_H

#include "base/diag.h"
#include "ir/condition.h"
#include "ir/ir.h"

typedef enum LitmusDialect { LITMUS_PTX, LITMUS_X86, LITMUS_C } LitmusDialect;

typedef struct LitmusTest {
  LitmusDialect dialect;
  bool is_placed; // C: a thread says where it runs, so that scopes matter
  Program program;
  Condition condition;
  // The lines of comments that begin with `expect `, that word included and otherwise
  // uninterpreted: "expect ptx: forbidden". See docs/litmus.md.
  const char **expectations;
  uint32_t expectation_count;
} LitmusTest;

// Does the text begin like a litmus test?
bool litmus_is_test(const Source *source);

// Parses a whole test. All results live in `arena`, which must outlive the test, as must `source`.
// On error reports to `diags` and returns NULL.
LitmusTest *litmus_parse(const Source *source, Arena *arena, DiagList *diags);

#endif
