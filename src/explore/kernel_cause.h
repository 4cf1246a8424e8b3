// Why an execution of a kernel ends with wrong results: does it need a weak behaviour of the
// memory, or does one thread overwrite what another wrote? Internal to explore.
#ifndef WARPSAN_EXPLORE_KERNEL_CAUSE_H
#define WARPSAN_EXPLORE_KERNEL_CAUSE_H

#include "explore/kernel.h"

// Where a read took its value: an event, or EVENT_INIT. Of a plain read that was settled at once it
// is the newest write that is ordered before it.
uint32_t kernel_source(const Search *search, uint32_t read);

// kernel_sequential.c: is there one order of all accesses in which each read sees the last write
// before it? Yes, if that is not certain.
bool kernel_is_sequential(const Search *search);

// A read and a newer write that it should have seen: the one comes before the other and behind it.
typedef struct StaleRead {
  uint32_t read, write;
} StaleRead;

// Up to `most` of them, each pair of instructions once; none in a sequentially consistent
// execution.
uint32_t kernel_find_stale_reads(const Search *search, StaleRead *stale, uint32_t most);
// The shared accesses in one order that explains what each read saw. Returns how many there are; 0:
// there is no such order, or it was not found. `*schedule` lives in `arena`.
uint32_t kernel_find_schedule(const Search *search, Arena *arena, uint32_t **schedule);

// A communication of two threads by which `newer` is ordered before the read: what is read stands
// behind `newer`, and the read of it before `read`. False: there is none.
typedef struct Link {
  uint32_t write, read;
} Link;
bool kernel_find_link(const Search *search, uint32_t newer, uint32_t read, Link *link);

// A read of several elements by one instruction, of which one comes from another thread's write of
// several elements and another is older: neither is one access.
typedef struct TornRead {
  uint32_t fresh, old; // reads
  uint32_t write;      // of the older one's location, which it should have seen
} TornRead;
// kernel_lost.c: a torn read of the thread, UINT32_MAX: of any thread.
bool kernel_find_torn_read(const Search *search, uint32_t thread, TornRead *torn);

// A load and a later store of one thread at one location, neither part of an atomic; between them
// comes, or may come, another thread's write that the load has not seen and the store overwrites.
typedef struct LostUpdate {
  uint32_t read, write, rival;
} LostUpdate;

// kernel_lost.c: the update of the execution that is lost at the bytes from `address` on; false:
// none is.
bool kernel_find_lost_update(const Search *search, uint64_t address, uint32_t size,
                             LostUpdate *lost);
// The lost update that a thread has read behind.
bool kernel_find_seen_loss(const Search *search, uint32_t thread, LostUpdate *lost);
// Records updates that strong accesses lose and whose store depends on its load.
void kernel_record_losses(Search *search);
// Does the execution lose an update by the instructions of such a record?
bool kernel_loses_at(const Search *search, const Record *record, LostUpdate *lost);

#endif
