// One access of one thread, or of one warp's lanes to one address, held against what the shadow
// remembers. Internal to race.
#ifndef WARPSAN_RACE_ACCESS_H
#define WARPSAN_RACE_ACCESS_H

#include "race/state.h"

struct Rival;

// Who accesses, and how. `lanes` has one bit, except for reads of one address by several lanes.
typedef struct Accessor {
  Race *race;
  Block *block;
  Warp *warp;
  const Group *group; // of the lanes
  const Instruction *instruction;
  uint32_t warp_number, lanes;
  bool is_write;
  bool is_for_block; // of bulk copies: to or from the shared memory of a block
  uint32_t info;
  // As the access is remembered: an agent's are those of asynchronous copies.
  uint32_t entry_block, entry_warp, entry_lanes, time;
  // What the group knows of the place alone, of all accesses and of mbarrier.init; most often NULL.
  const Clock *known_here, *known_inits;
  const EmuAccess *access; // NULL: of copies and mbarriers
  uint64_t value;
  bool has_value;   // for writes
  bool has_release; // of strong reads: what they read was released by somebody
  bool is_stale;    // of reads: not the newest write is read
  bool is_narrow;   // and their own acquire did not get all of that
} Accessor;

// Where: `owner` NULL is global memory.
typedef struct Place {
  Shadow *shadow;
  const EmuBlock *owner;
  uint64_t address;
  uint32_t size;
} Place;

// Looks up what is known of places in the owner's shared memory alone.
void access_know_place(Accessor *accessor, const EmuBlock *owner);
// Checks and remembers. Nothing is done if the address is outside of the shadow.
void access_one(const Accessor *accessor, const Place *place);
// Rivals with which an access of several words has been found to race.
enum { MOST_RIVALS = 8 };
typedef struct Rivals {
  uint32_t count;
  uint32_t threads[MOST_RIVALS], infos[MOST_RIVALS];
} Rivals;

// Its part of one word; a rival is reported once.
void access_word(const Accessor *accessor, const Place *place, Cells *cells, uint32_t word,
                 uint32_t bytes, Rivals *rivals);

// Remembers one more, with others that it can be told together with. The word has a list.
void access_add_entry(Race *race, Cells *cells, uint32_t word, const Entry *entry);

// Is the accessor ordered behind all threads of the entry's block, whatever the proxies?
bool access_is_ordered(const Accessor *accessor, const Entry *entry, uint32_t block);

// All threads of the entry?
bool access_knows_all(const Accessor *accessor, const Entry *entry);
// Neither races with the other, whatever orders them: both are atomic toward threads of the block.
bool access_is_exempt(const Accessor *accessor, const Entry *entry, uint32_t block, uint32_t bytes);
// The same atomic by another thread of the only device, which is in its scope.
bool access_is_alike(const Accessor *accessor, const Entry *entry, uint32_t bytes);
bool access_is_conflict(const Accessor *accessor, const Entry *entry, uint32_t bytes);
// Reports the race unless the rival has been reported for an earlier word.
void access_report_new(const Accessor *accessor, const Place *place, Rivals *rivals,
                       struct Rival *rival);
bool access_knows_thread(const Accessor *accessor, uint32_t block, uint32_t slot, uint32_t time);

// life.c: is the operation on an mbarrier by a thread of the entry over for the accessor, which
// ends the life of the object?
bool life_is_over(const Accessor *accessor, const Entry *entry, uint32_t block, uint32_t slot);
// The lanes meet at a collective.
void life_meet(Race *race, const EmuWarp *emu);

// observe.c: notes what the access observes of the newest write to the word, before it is
// remembered as `entry`, and what its own write is.
void access_observe(const Accessor *accessor, WordList *list, Entry *entry);
// Has something that the accessor knows observed all writes of the entry (spec B.5, obs)?
bool access_has_observed(const Accessor *accessor, const WordList *list, const Entry *entry);

// classify.c: reports the race with a thread of the entry.
typedef struct Rival {
  const Entry *entry;
  uint32_t block, slot;
  bool is_same_place; // of the same bytes
} Rival;
void access_report(const Accessor *accessor, const Place *place, const Rival *rival);
// Remembers, to explain results, that a write replaces what another thread wrote.
void access_note_overwrite(const Accessor *accessor, const Entry *write);
// Remembers that the accessor reads what a thread wrote that it is not ordered behind. `writers`
// are the times of all that wrote, if they are many; NULL: the threads of the entry.
void access_note_communication(const Accessor *accessor, const Entry *write, ClockNode *writers);

#endif
