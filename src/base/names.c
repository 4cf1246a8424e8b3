#include "base/names.h"

#include "base/array.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { FIRST_SLOT_COUNT = 64 };

// FNV-1a.
static uint32_t hash_text(const char *text, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (uint8_t)text[i]) * 16777619u;
  return hash;
}

static bool is_name_of(const NameTable *names, Name name, const char *text, size_t length) {
  return names->lengths[name] == length && memcmp(names->texts[name], text, length) == 0;
}

// The slot that holds the text's name, or the empty one where it belongs.
static uint32_t find_slot(const NameTable *names, const char *text, size_t length) {
  uint32_t mask = names->slot_count - 1;
  uint32_t slot = hash_text(text, length) & mask;
  while (names->slots[slot] && !is_name_of(names, names->slots[slot], text, length))
    slot = (slot + 1) & mask;
  return slot;
}

static void grow_slots(NameTable *names) {
  names->slot_count = names->slot_count ? 2 * names->slot_count : FIRST_SLOT_COUNT;
  names->slots = ARENA_ARRAY(names->arena, uint32_t, names->slot_count);
  for (Name name = 1; name < names->count; name++)
    names->slots[find_slot(names, names->texts[name], names->lengths[name])] = name;
}

static Name add_name(NameTable *names, const char *text, size_t length) {
  uint32_t capacity = names->capacity;
  if (names->count == capacity) {
    names->texts = array_grow(names->arena, names->texts, names->count, &names->capacity,
                              sizeof *names->texts);
    names->lengths =
        array_grow(names->arena, names->lengths, names->count, &capacity, sizeof *names->lengths);
  }
  names->texts[names->count] = arena_copy_text(names->arena, text, length);
  names->lengths[names->count] = (uint32_t)length;
  return names->count++;
}

void names_init(NameTable *names, Arena *arena) {
  *names = (NameTable){.arena = arena};
  grow_slots(names);
  add_name(names, "", 0); // no name; it is in no slot
}

Name names_intern(NameTable *names, const char *text, size_t length) {
  assert(length <= UINT32_MAX);
  uint32_t slot = find_slot(names, text, length);
  if (names->slots[slot])
    return names->slots[slot];
  Name name = add_name(names, text, length);
  names->slots[slot] = name;
  // At most half full, so that searches stay short.
  if (names->count > names->slot_count / 2)
    grow_slots(names);
  return name;
}

Name names_find(const NameTable *names, const char *text, size_t length) {
  return names->slots[find_slot(names, text, length)];
}

const char *names_text(const NameTable *names, Name name) {
  assert(name < names->count);
  return names->texts[name];
}
