// The memory that a program's launches see: buffers, module variables, shared memory of each block.
//
// Physical addresses are what the engines compare. Virtual ones are what registers hold:
// - global and constant: the same number;
// - .shared: an offset into the block's shared memory; in the upper byte of the 32 bits, if not 0,
//   the rank in the cluster plus one (mapa);
// - generic: MEMORY_SHARED_WINDOW + a .shared address, MEMORY_LOCAL_WINDOW + a .local address, else
//   global.
#ifndef WARPSAN_IR_MEMORY_H
#define WARPSAN_IR_MEMORY_H

#include "ir/machine.h"

#define MEMORY_SHARED_WINDOW 0x7f0000000000u
#define MEMORY_LOCAL_WINDOW 0x7e0000000000u
#define MEMORY_WINDOW_SIZE 0x100000000u
#define MEMORY_RANK_SHIFT 24
#define MEMORY_SHARED_PHYSICAL 0x4000000000000000u // + block << 32
#define MEMORY_LOCAL_PHYSICAL 0x2000000000000000u  // + thread << 32

// Writes `size` bytes of what a region holds at first, from `offset` on; threads may do it at the
// same time.
typedef void ReadInitial(const void *contents, uint64_t offset, uint64_t size, uint8_t *bytes);

typedef struct Region {
  const char *name;
  uint64_t address; // physical
  uint64_t size;
  const uint8_t *initial;    // `size` bytes, NULL: see `read_initial`
  ReadInitial *read_initial; // says what `contents` are; NULL: zero
  const void *contents;
  const uint8_t *is_defined; // a byte for each byte, NULL: all (or none, see below)
  bool is_undefined;         // starts undefined as a whole: shared and local memory
  bool is_read_only;
  uint32_t block;                // of shared memory; UINT32_MAX
  const struct KernelCode *code; // whose variables lie in it, of shared memory (ir/grid.h); or NULL
  MemoryHome home;               // of other than shared and local memory
} Region;

typedef struct Memory {
  Region *regions; // sorted by address
  uint32_t region_count;
} Memory;

// The region that holds all `size` bytes at the physical address, or NULL.
const Region *memory_find(const Memory *memory, uint64_t address, uint32_t size);

// Does it hold other than zeros at first, as far as is known without looking?
bool memory_has_contents(const Region *region);
// Writes `size` bytes of what it holds at first, from `offset` on.
void memory_read_initial(const Region *region, uint64_t offset, uint64_t size, uint8_t *bytes);

// "data, byte 4": a byte of the region, for messages.
const char *memory_place_name(const Region *region, uint64_t address, Arena *arena);

typedef enum AddressResult { ADDRESS_OK, ADDRESS_NO_SUCH_BLOCK } AddressResult;

// What an address means to a thread: its physical address.
AddressResult memory_resolve(const Program *program, uint32_t thread, Space space, uint64_t address,
                             uint64_t *physical);
uint64_t memory_convert(const Program *program, uint32_t thread, AddressConversion conversion,
                        uint64_t address, uint64_t operand);
// The same for a thread of the block that is `own_rank` in its cluster.
uint64_t memory_convert_at(uint32_t own_rank, AddressConversion conversion, uint64_t address,
                           uint64_t operand);

#endif
