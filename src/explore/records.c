#include "explore/records.h"

#include "explore/path.h"

#include <string.h>

static bool is_same_place(RecordPlace a, RecordPlace b) {
  return a.thread == b.thread && a.instruction == b.instruction;
}

static Record *find(const Records *records, RecordKind kind, RecordPlace first, RecordPlace second,
                    uint32_t detail) {
  for (uint32_t i = 0; i < records->count; i++) {
    Record *record = &records->items[i];
    if (record->kind == kind && record->detail == detail && is_same_place(record->first, first) &&
        is_same_place(record->second, second))
      return record;
  }
  return NULL;
}

const Record *records_find(const Records *records, RecordKind kind, RecordPlace first,
                           RecordPlace second, uint32_t detail) {
  return find(records, kind, first, second, detail);
}

static bool is_smaller(const Record *a, const Record *b) {
  return path_compare(a->choices, a->choice_count, b->choices, b->choice_count) < 0;
}

static void copy_choices(Records *records, Record *record) {
  uint32_t *choices = ARENA_ARRAY(records->arena, uint32_t, record->choice_count + 1);
  if (record->choice_count)
    memcpy(choices, record->choices, record->choice_count * sizeof *choices);
  record->choices = choices;
}

void records_add(Records *records, Record record) {
  Record *known = find(records, record.kind, record.first, record.second, record.detail);
  if (known && !is_smaller(&record, known))
    return;
  copy_choices(records, &record);
  if (known)
    *known = record;
  else
    array_push(records->arena, records, record);
}

void records_merge(Records *into, const Records *from) {
  for (uint32_t i = 0; i < from->count; i++)
    records_add(into, from->items[i]);
}
