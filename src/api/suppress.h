// Findings that the user does not want to see.
#ifndef WARPSAN_API_SUPPRESS_H
#define WARPSAN_API_SUPPRESS_H

#include "api/input.h"

typedef struct Suppressions Suppressions;

// Reads a file of suppressions: a line `RULE [file=PATTERN] [function=PATTERN]` each, where RULE is
// `*` or a rule or sub-rule; `#` begins a comment. NULL, with diagnostics, if something is wrong.
Suppressions *suppressions_read(WarpsanSession *session, const char *path, Arena *arena,
                                DiagList *diags);
// Takes the findings that match out of the list; returns how many there were.
uint64_t suppressions_apply(const Suppressions *suppressions, DiagList *findings);

#endif
