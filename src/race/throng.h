// What very many threads do to a word of global memory in one way: atomics of one instruction by
// all blocks, polls of a flag, reads of a value that all need. A list with an entry for each of
// them would be gone through at every access. A throng has one clock instead, of each thread's
// newest access, in which equal blocks are one node; and nobody looks at its members who is atomic
// toward all of them. Internal to race.
//
// Why nothing is lost: members do not race with each other: they are reads, or strong writes in
// each other's scope. Of a thread's accesses of one kind the newest stands for the older ones,
// which precede it: who is not ordered behind an older one is not ordered behind the newest, and
// races with that. Atomics of a throng are one chain, each of which observes those before it. Where
// all accesses are kept (RaceOptions) only plain reads are told so, and none of them is forgotten.
#ifndef WARPSAN_RACE_THRONG_H
#define WARPSAN_RACE_THRONG_H

#include "race/access.h"

typedef struct Throng {
  struct Throng *next; // of the word
  uint32_t info;
  uint8_t bytes;
  bool is_write, is_atomic, is_reported;
  bool is_gone;          // while throngs are replaced
  uint32_t thread, time; // of the newest access
  // Positions of the writes, and that before their chain. Reads observe what is behind `first`, up
  // to `last` at most.
  uint32_t first, least, last;
  ClockNode *times; // of the newest access of each thread
  // Its position; of a read: up to which one it observes, and since when.
  ClockNode *positions, *sight_times;
  ClockNode *known_to;                 // a clock that covers the throng, for this block and
  uint32_t known_block, known_uniform; // what its barriers have covered
  uint32_t added, tried; // accesses; their number when it was last seen whether all are known
} Throng;

// Adds the accesses to a throng of their kind; false: the word has none.
bool throng_add(const Accessor *accessor, WordList *list, const Entry *entry, bool has_raced);
// Atomics of lanes of the accessor's warp, in their order, that continue the chain of the newest.
// False if the word has a throng of another kind.
bool throng_count_lanes(const Accessor *accessor, WordList *list, uint32_t lanes);
// Makes a throng of the entries that are of one kind with the newest, if they are many.
void throng_form(const Accessor *accessor, const Place *place, WordList *list, const Entry *newest);
// Reports races with members.
bool throng_check(const Accessor *accessor, const Place *place, WordList *list, uint32_t bytes,
                  Rivals *rivals);
// Drops the throngs for which the new access stands.
void throng_replace(const Accessor *accessor, WordList *list, const Entry *newer);
// Does a read of a throng that the accessor knows observe the writes of the entry?
bool throng_has_observed(const Accessor *accessor, const WordList *list, const Entry *entry);
// Does the entry observe writes of a throng?
bool throng_is_observed_by(const WordList *list, const Entry *entry);
// Does the accessor know all writes of throngs that are in the chain of the newest? May say no.
bool throng_knows_chain(const Accessor *accessor, const WordList *list);

// --- within throngs

static inline bool throng_is_plain(uint32_t info) {
  return info_field(info, INFO_SCOPE) == SCOPE_NONE;
}

// The throng as an entry: that of its newest access, with what is to be observed of all.
Entry throng_entry(const Throng *throng);
// Can accesses like this one be told together?
bool throng_can_have(const Race *race, const Entry *entry);
bool throng_is_same_kind(const Entry *a, const Entry *b);
void throng_take(Heap *heap, Throng *throng, const Entry *entry);
void throng_set_newest(const Accessor *accessor, Throng *throng);
void throng_drop(Heap *heap, Throng *throng);

#endif
