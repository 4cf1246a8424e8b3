// Shadow memory: what is remembered of the accesses of each aligned 32-bit word. A page holds 32
// bytes for each word, as arrays, so that the row of a warp is compared in one loop: the last
// write, by one thread, and the last reads: by threads of one block (a set of warps times a set of
// lanes), by the same thread of several blocks (readers.h), or others (pattern.h). A word with more
// to remember (parts of it, sets of atomic writes, asynchronous copies) has a list of entries
// instead.
// Internal to race.
#ifndef WARPSAN_RACE_SHADOW_H
#define WARPSAN_RACE_SHADOW_H

#include "race/heap.h"
#include "race/pattern.h"
#include "race/readers.h"

enum {
  PAGE_WORDS = 1024,
  PAGE_SHIFT = 12, // bytes of memory that a page stands for
  SLOT_BITS = 10,  // a thread is block << SLOT_BITS | slot, its number in the block
  WORD_BYTES = 4,
};

enum { MARK_BYTES = PAGE_WORDS / 8 };

#define MOST_BLOCKS (1u << (32 - SLOT_BITS))

// What an access is, in 32 bits; the low ones number its place in the program.
enum {
  INFO_PLACE_BITS = 18,
  INFO_SCOPE = 18,    // 3 bits; SCOPE_NONE: weak
  INFO_PROXY = 21,    // 3 bits
  INFO_BANK = 24,     // 3 bits, see below
  INFO_SIZE = 27,     // 3 bits: log2 of the bytes
  INFO_VOLATILE = 30, // also if it counts as weak
  INFO_FORM = 31,     // of a write: the word has a list; of reads: a set or a pattern
};

#define INFO_PLACE_MASK ((1u << INFO_PLACE_BITS) - 1)
#define INFO_FORM_BIT (1u << INFO_FORM)
// Of reads that make a pattern; read_thread is its lowest thread, read_time its newest time. There
// is no such bank.
#define INFO_PATTERN (INFO_FORM_BIT | 7u << INFO_BANK)

// Who makes an access: a thread in program order, or an agent of its own for its copies, whose
// times are those of commit groups or of phases of an mbarrier.
typedef enum Bank {
  BANK_THREADS,
  BANK_COPIES,      // cp.async of a thread
  BANK_BULK_WRITES, // bulk copies of a thread, by bulk groups
  BANK_BULK_READS,
  BANK_PRODUCTS,  // what a thread's part of products of its warpgroup reads
  BANK_MBARRIERS, // bulk copies that complete on an mbarrier: slot is its number in its block
} Bank;
enum { AGENT_BANKS = BANK_MBARRIERS };

static inline uint32_t info_place(uint32_t info) {
  return info & INFO_PLACE_MASK;
}

static inline uint32_t info_field(uint32_t info, uint32_t shift) {
  return info >> shift & 7;
}

// Threads that made one kind of access at one time: `warps` times `lanes` of each of the blocks
// block, block + stride, ... (`block_count` of them).
typedef struct Entry {
  uint32_t block, block_count, block_stride;
  uint32_t warps, lanes;
  uint32_t time, info;
  // Observation (observe.c). Writes: the least and the largest of their positions; those behind
  // `seen` up to `least` are observed by each atomic of the set, or, of reads, up to `largest`.
  uint32_t seen, least, largest;
  uint8_t bytes;            // of the word, a mask of 4
  bool is_write, is_atomic; // is_atomic: also a read
  bool is_reported;         // took part in a race that was reported
} Entry;

struct Location;
struct RecordSet;
struct Throng;

// An atomic, which observes the writes at positions first + 1 to `last`, its own.
typedef struct Observer {
  uint32_t thread, time;
  uint32_t first, last;
} Observer;

enum { OBSERVERS = 4 };

// Entries of one block at one time, alike but for their threads: atomics of a word of its shared
// memory, of which many come one after the other.
typedef struct Crowd {
  uint32_t block, time, info;
  uint32_t least, seen; // as in Entry; the largest position is the list's
  uint32_t warps;
  uint32_t lanes[32]; // of each warp
} Crowd;

typedef struct WordList {
  uint32_t count, capacity;
  Crowd *crowd;              // the newest accesses; NULL: none
  struct Location *location; // strong accesses that begin in this word: what their writes release
  bool continues_location;   // one begins in a word before
  struct Throng *throngs;    // instead of many entries (throng.h)
  // Fences of sequential consistency before strong accesses of the word (fence.c).
  struct RecordSet *fences_of_writes, *fences_of_reads;
  // The newest write. Writes are numbered; those after `chain` are observed by whoever observes the
  // newest one.
  uint32_t newest_thread, newest_info, position, chain;
  uint8_t newest_bytes;
  uint8_t observer_count;
  Observer observers[OBSERVERS]; // the newest ones, a ring
  Entry entries[];
} WordList;

// 32 words that whole warps have accessed, lane after lane (page_row.h).
typedef struct PageRow {
  uint32_t write_time, write_thread, write_info;
  uint32_t read_time, read_thread, read_warps, read_info;
  uint8_t write_shift, read_shift;
} PageRow;

// Accesses of the words of a row that are told together (summary.h): plain reads, or atomics.
enum { SUMMARY_KINDS = 2 };

typedef struct RowSummary {
  _Atomic(uint64_t) members[SUMMARY_KINDS]; // 0: none
  // Low bits of the number of a grid, and 1, whose accesses of the kind it cannot have: also of
  // strong reads, which are among the atomics.
  _Atomic(uint16_t) refused[SUMMARY_KINDS + 1];
} RowSummary;

enum { ROW_WORDS = 32, ROW_BYTES = ROW_WORDS * WORD_BYTES, PAGE_ROWS = PAGE_WORDS / ROW_WORDS };

typedef struct PageRows {
  RowSummary summaries[PAGE_ROWS];
  PageRow rows[PAGE_ROWS];
} PageRows;

// Arrays of `words` items each follow one another in `cells`.
typedef struct Page {
  atomic_flag lock;
  uint32_t words;
  uint32_t counter_size;     // of each word, in `counters`: items
  uint32_t *counters;        // of shared memory in which threads count (counter.h); NULL: none do
  uint32_t *marks;           // of shared memory: words with deferred reads (deferred.h); NULL: none
  _Atomic(uint32_t *) cells; // NULL: all is in rows
  PageRows in_rows[];        // one, of global memory
} Page;

typedef struct Cells {
  uint32_t *write_time, *write_thread, *write_info;
  uint32_t *read_time, *read_thread, *read_warps, *read_lanes, *read_info;
  Page *page;
} Cells;

enum { CELL_ARRAYS = 8 };

static inline Cells page_cells(Page *page) {
  uint32_t *cells = atomic_load_explicit(&page->cells, memory_order_acquire);
  size_t words = page->words;
  return (Cells){cells,
                 cells + words,
                 cells + 2 * words,
                 cells + 3 * words,
                 cells + 4 * words,
                 cells + 5 * words,
                 cells + 6 * words,
                 cells + 7 * words,
                 page};
}

// Either the shared memory of a block, of a known size, or global memory.
typedef struct Shadow {
  Heap *heap;
  Page **pages; // shared: of each 4 KiB; NULL: not touched yet
  uint32_t page_count, words;
  _Atomic(void *) *root; // global: table of tables of tables of pages
} Shadow;

void shadow_init_shared(Shadow *shadow, Heap *heap, uint32_t bytes);
void shadow_init_global(Shadow *shadow, Heap *heap);
void shadow_release(Shadow *shadow); // of shared memory

// The page of global memory that holds the address, of which all may be in rows.
Page *shadow_page_of_rows(Shadow *shadow, uint64_t address);
// Gives the page cells: the caller has its lock.
void page_expand(Heap *heap, Page *page);
// The page that holds the address, with cells; NULL: outside of the shared memory.
Page *shadow_page_slowly(Shadow *shadow, uint64_t address);
static inline Page *shadow_page(Shadow *shadow, uint64_t address) {
  uint64_t i = address >> PAGE_SHIFT;
  if (shadow->pages && i < shadow->page_count && shadow->pages[i])
    return shadow->pages[i];
  return shadow_page_slowly(shadow, address);
}

static inline uint32_t word_of(uint64_t address) {
  return (uint32_t)(address >> 2) & (PAGE_WORDS - 1);
}

static inline bool word_has_list(const Cells *cells, uint32_t word) {
  return cells->write_info[word] & INFO_FORM_BIT;
}

// Is the word a counter (counter.h)? Its write is strong, which that of no other word without a
// list is.
static inline bool word_is_counter(const Cells *cells, uint32_t word) {
  uint32_t info = cells->write_info[word];
  return !(info & INFO_FORM_BIT) && info_field(info, INFO_SCOPE);
}

// Are the reads those of the thread read_thread, less its block, of the blocks of a set?
static inline bool word_has_set(const Cells *cells, uint32_t word) {
  return (cells->read_info[word] & INFO_FORM_BIT) && cells->read_info[word] != INFO_PATTERN &&
         !word_has_list(cells, word);
}

static inline bool word_has_pattern(const Cells *cells, uint32_t word) {
  return cells->read_info[word] == INFO_PATTERN;
}

static inline const ReaderSet *word_set(const Cells *cells, uint32_t word) {
  uint64_t address = (uint64_t)cells->read_lanes[word] << 32 | cells->read_warps[word];
  return (const ReaderSet *)(uintptr_t)address;
}

static inline const Pattern *word_pattern(const Cells *cells, uint32_t word) {
  uint64_t address = (uint64_t)cells->read_lanes[word] << 32 | cells->read_warps[word];
  return (const Pattern *)(uintptr_t)address;
}

// Of a word that has one. Its address is in the two thread numbers.
static inline WordList *word_list(const Cells *cells, uint32_t word) {
  uint64_t address = (uint64_t)cells->read_thread[word] << 32 | cells->write_thread[word];
  return (WordList *)(uintptr_t)address;
}

// Of a word without a list: the entries of its reads; NULL: they are only counted.
uint32_t word_reads(const Cells *cells, uint32_t word, Entry *entries);
// Entries of the thread of `of_one` in each block of the set: blocks at equal distances are one.
// NULL: they are only counted.
uint32_t readers_entries(const ReaderSet *set, const Entry *of_one, Entry *entries);
// An empty list, to replace what a word remembers.
WordList *word_new_list(Heap *heap, uint32_t capacity);
void word_set_list(Cells *cells, uint32_t word, const WordList *list);
// Makes the word have a list of what it remembers.
WordList *word_make_list(Heap *heap, Cells *cells, uint32_t word);
// Room for one more entry; the list may move.
WordList *word_grow_list(Heap *heap, Cells *cells, uint32_t word);
// Makes entries of a crowd.
void word_end_crowd(Heap *heap, Cells *cells, uint32_t word);
// Goes back from the list to the page's arrays if what it holds fits.
void word_shrink_list(Heap *heap, Cells *cells, uint32_t word);
// The entries of a word without a set, a pattern or a crowd: in its list, or in `room`, which holds
// 2.
uint32_t word_entries(const Cells *cells, uint32_t word, Entry **entries, Entry *room);

static inline bool entry_is_single(const Entry *entry) {
  return entry->block_count == 1 && !(entry->warps & (entry->warps - 1)) &&
         !(entry->lanes & (entry->lanes - 1));
}

// Does each access of the first observe all the writes of the second?
static inline bool entry_observes(const Entry *entry, const Entry *writes) {
  uint32_t last = !entry->is_write ? entry->largest : entry->is_atomic ? entry->least : 0;
  return writes->least > entry->seen && writes->largest <= last;
}

// Adds the threads of `added`, which are lanes of one warp, if the set can tell.
bool entry_merge(Entry *entry, const Entry *added);

#endif
