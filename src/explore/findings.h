// From records to findings and witnesses: each record's choices are repeated and the execution is
// looked at. Internal to explore.
#ifndef WARPSAN_EXPLORE_FINDINGS_H
#define WARPSAN_EXPLORE_FINDINGS_H

#include "explore/search.h"

typedef struct FindingContext {
  const Program *program;
  const Condition *condition;
  const ExploreOptions *options;
  const Code *codes;
  uint32_t capacity;
  SearchArenas *arenas;       // emptied after each record
  const Contended *contended; // kernels
  Arena *arena;               // of the result
} FindingContext;

// Appends the findings that the records stand for, in the order of their places.
void findings_report(const FindingContext *context, const Records *records, DiagList *findings);
// The execution of a RECORD_SATISFIES or RECORD_VIOLATES.
const Witness *findings_witness(const FindingContext *context, const Record *record,
                                const char *title);

#endif
