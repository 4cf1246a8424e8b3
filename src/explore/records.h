// What a search wants to report, as the choices that lead there: the witness and the message are
// made afterwards by repeating them. Of several ways to the same finding the one with the smallest
// choices is kept, so that the report does not depend on which worker came first.
#ifndef WARPSAN_EXPLORE_RECORDS_H
#define WARPSAN_EXPLORE_RECORDS_H

#include "base/array.h"

#include <stdbool.h>

typedef enum RecordKind {
  RECORD_SATISFIES, // an execution in which the proposition holds
  RECORD_VIOLATES,  // one in which it does not
  RECORD_RACE,
  RECORD_STUCK,
  RECORD_FLAG,  // a flag of a .cat model
  RECORD_FAULT, // kernels: rule `detail`
  RECORD_FINAL, // kernels: what has to hold at the end does not
  RECORD_LOST,  // kernels: a store overwrites an update that its load has not seen
} RecordKind;

// A place in the code.
typedef struct RecordPlace {
  uint32_t thread, instruction;
} RecordPlace;

// In `detail` of a trap, an assertion or a RECORD_FINAL: the execution is sequentially consistent.
#define RECORD_SEQUENTIAL 0x10000u

typedef struct Record {
  RecordKind kind;
  RecordPlace first, second; // of a race; of a stuck thread; number of a flag
  uint32_t detail;           // further part of what makes a finding
  const uint32_t *choices;
  uint32_t choice_count;
} Record;

typedef struct Records {
  Arena *arena;
  Record *items;
  uint32_t count, capacity;
} Records;

// Adds a record, or improves the one of the same kind and places. The choices are copied.
void records_add(Records *records, Record record);
const Record *records_find(const Records *records, RecordKind kind, RecordPlace first,
                           RecordPlace second, uint32_t detail);
void records_merge(Records *into, const Records *from);

#endif
