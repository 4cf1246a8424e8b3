// One access of one thread, or of one warp's lanes to one address, held against what the shadow
// remembers. Internal to race.
#ifndef WARPSAN_RACE_ACCESS_H
#define WARPSAN_RACE_ACCESS_H

#include "race/state.h"

// Who accesses, and how. `lanes` has one bit, except for reads of one address by several lanes.
typedef struct Accessor {
  Race *race;
  Block *block;
  Warp *warp;
  const Group *group; // of the lanes
  const Instruction *instruction;
  uint32_t warp_number, lanes;
  bool is_write;
  uint32_t info;
  // As the access is remembered: an agent's are those of asynchronous copies.
  uint32_t entry_block, entry_warp, entry_lanes, time;
  const EmuAccess *access; // NULL: of copies and mbarriers
  uint64_t value;
  bool has_value;   // for writes
  bool has_release; // of strong reads: what they read was released by somebody
} Accessor;

// Where: `owner` NULL is global memory.
typedef struct Place {
  Shadow *shadow;
  const EmuBlock *owner;
  uint64_t address;
  uint32_t size;
} Place;

// Checks and remembers. Nothing is done if the address is outside of the shadow.
void access_one(const Accessor *accessor, const Place *place);
// Its part of one word; `is_silent`: a race of the access has been reported already. Returns
// whether it raced.
bool access_word(const Accessor *accessor, const Place *place, Cells *cells, uint32_t word,
                 uint32_t bytes, bool is_silent);

// Is the accessor ordered behind all threads of the entry's block, whatever the proxies?
bool access_is_ordered(const Accessor *accessor, const Entry *entry, uint32_t block);

// classify.c: reports the race with a thread of the entry.
typedef struct Rival {
  const Entry *entry;
  uint32_t block, slot;
  bool is_same_place; // of the same bytes
} Rival;
void access_report(const Accessor *accessor, const Place *place, const Rival *rival);
// Remembers that the accessor reads what a thread wrote that it is not ordered behind.
void access_note_communication(const Accessor *accessor, const Entry *write);

#endif
