// Interned names: equal texts get equal 32-bit numbers, so that names compare as integers.
#ifndef WARPSAN_BASE_NAMES_H
#define WARPSAN_BASE_NAMES_H

#include "base/arena.h"

typedef uint32_t Name; // 0 is no name

typedef struct NameTable {
  Arena *arena;       // owns the texts and the table; not owned
  const char **texts; // by name, zero terminated
  uint32_t *lengths;  // by name
  uint32_t count, capacity;
  uint32_t *slots; // open addressing, power of two
  uint32_t slot_count;
} NameTable;

void names_init(NameTable *names, Arena *arena);
Name names_intern(NameTable *names, const char *text, size_t length);
Name names_find(const NameTable *names, const char *text, size_t length); // 0 if absent
const char *names_text(const NameTable *names, Name name);                // "" for no name

#endif
