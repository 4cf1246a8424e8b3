#include "explore/outcomes.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

void outcomes_init(Outcomes *outcomes, uint32_t column_count, Arena *arena) {
  *outcomes = (Outcomes){.arena = arena,
                         .column_count = column_count,
                         .slot_count = FIRST_SLOTS,
                         .signature_slots = FIRST_SLOTS};
  outcomes->slots = ARENA_ARRAY(arena, uint32_t, FIRST_SLOTS);
  outcomes->signatures = ARENA_ARRAY(arena, uint64_t, FIRST_SLOTS);
}

static uint64_t hash_row(const int64_t *values, uint32_t count) {
  uint64_t hash = 0x9e3779b97f4a7c15u;
  for (uint32_t i = 0; i < count; i++) {
    hash = (hash ^ (uint64_t)values[i]) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

static const int64_t *row_of(const Outcomes *outcomes, uint32_t row) {
  return outcomes->values + (size_t)row * outcomes->column_count;
}

// The slot that holds the row, or the empty one where it belongs.
static uint32_t find_slot(const Outcomes *outcomes, const int64_t *values) {
  uint32_t mask = outcomes->slot_count - 1;
  uint32_t slot = (uint32_t)hash_row(values, outcomes->column_count) & mask;
  while (outcomes->slots[slot] && memcmp(row_of(outcomes, outcomes->slots[slot] - 1), values,
                                         outcomes->column_count * sizeof *values) != 0)
    slot = (slot + 1) & mask;
  return slot;
}

static void grow_slots(Outcomes *outcomes) {
  outcomes->slot_count *= 2;
  outcomes->slots = ARENA_ARRAY(outcomes->arena, uint32_t, outcomes->slot_count);
  for (uint32_t row = 0; row < outcomes->count; row++)
    outcomes->slots[find_slot(outcomes, row_of(outcomes, row))] = row + 1;
}

static void grow_rows(Outcomes *outcomes) {
  uint32_t capacity = outcomes->capacity;
  uint32_t columns = outcomes->column_count ? outcomes->column_count : 1;
  outcomes->counts = array_grow(outcomes->arena, outcomes->counts, outcomes->count,
                                &outcomes->capacity, sizeof *outcomes->counts);
  outcomes->values = array_grow(outcomes->arena, outcomes->values, outcomes->count, &capacity,
                                columns * sizeof *outcomes->values);
}

uint32_t outcomes_add(Outcomes *outcomes, const int64_t *values, uint64_t executions) {
  uint32_t slot = find_slot(outcomes, values);
  if (outcomes->slots[slot]) {
    outcomes->counts[outcomes->slots[slot] - 1] += executions;
    return outcomes->slots[slot] - 1;
  }
  if (outcomes->count == outcomes->capacity)
    grow_rows(outcomes);
  uint32_t row = outcomes->count++;
  if (outcomes->column_count)
    memcpy(outcomes->values + (size_t)row * outcomes->column_count, values,
           outcomes->column_count * sizeof *values);
  outcomes->counts[row] = executions;
  outcomes->slots[slot] = row + 1;
  if (outcomes->count * 2 > outcomes->slot_count)
    grow_slots(outcomes);
  return row;
}

static bool insert_signature(uint64_t *slots, uint32_t slot_count, uint64_t signature) {
  uint32_t slot = (uint32_t)(signature >> 20) & (slot_count - 1);
  while (slots[slot]) {
    if (slots[slot] == signature)
      return false;
    slot = (slot + 1) & (slot_count - 1);
  }
  slots[slot] = signature;
  return true;
}

static void grow_signatures(Outcomes *outcomes) {
  uint64_t *old = outcomes->signatures;
  uint32_t old_count = outcomes->signature_slots;
  outcomes->signatures = ARENA_ARRAY(outcomes->arena, uint64_t, 2 * old_count);
  outcomes->signature_slots = 2 * old_count;
  for (uint32_t i = 0; i < old_count; i++)
    if (old[i])
      insert_signature(outcomes->signatures, outcomes->signature_slots, old[i]);
}

bool outcomes_remember(Outcomes *outcomes, uint64_t signature) {
  if (!outcomes_can_remember(outcomes))
    return true;
  if (!insert_signature(outcomes->signatures, outcomes->signature_slots, signature | 1))
    return false;
  outcomes->signature_count++;
  if (outcomes->signature_count * 2 > outcomes->signature_slots)
    grow_signatures(outcomes);
  return true;
}

void outcomes_merge(Outcomes *into, const Outcomes *from, uint64_t *duplicates) {
  for (uint32_t row = 0; row < from->count; row++)
    outcomes_add(into, row_of(from, row), from->counts[row]);
  for (uint32_t i = 0; i < from->signature_slots; i++)
    if (from->signatures[i] && !outcomes_remember(into, from->signatures[i]))
      ++*duplicates;
}
