// Device memory: what an address means to a lane. Internal to emu.
#ifndef WARPSAN_EMU_MEMORY_H
#define WARPSAN_EMU_MEMORY_H

#include "emu/bytes.h"
#include "emu/machine.h"

// A stretch of memory as an instruction of some address space names it.
typedef struct Target {
  uint64_t low, size;       // addresses low .. low + size - 1
  uint8_t *bytes;           // of address `low`
  uint8_t *defined;         // a bit for each byte; NULL: all are
  union {                   // small, since each access fills one in
    uint64_t defined_first; // of `defined`: bit of address `low`
    uint8_t *local_bits;    // of bytes that are not in `local_defined`: the bits that are defined
  };
  uint64_t lane_stride;   // local memory: bytes between the threads' copies
  uint8_t *local_defined; // local memory: a bit for each byte of the warp's copies
  uint64_t seen;          // added to an address: what watchers know it by
  EmuBlock *owner;        // of shared memory
  bool is_local, is_read_only;
  Space space;
} Target;

typedef enum TargetResult { TARGET_FOUND, TARGET_NONE, TARGET_GONE } TargetResult;

// The memory that holds `size` bytes at the address. `cache`: remembers a region; may be NULL.
TargetResult emu_find_target(Worker *worker, Space space, uint64_t address, uint32_t size,
                             const DeviceRegion **cache, Target *target);

// The next lanes among *todo, which they are taken from, that name one target; lanes whose address
// is bad are reported, stop, and are skipped. 0: no lane is left.
typedef struct Part {
  Target target;
  uint32_t lanes;
  EmuShape shape;
  bool is_filled; // the addresses of all 32 lanes lie in the target
} Part;
bool emu_next_part(Worker *worker, const Op *op, const uint64_t *addresses, uint32_t *todo,
                   Part *part);
// The same for accesses of another space and size than the instruction's own.
bool emu_next_part_of(Worker *worker, const Op *op, Space space, uint32_t size,
                      const uint64_t *addresses, uint32_t *todo, Part *part);

// Addresses of all lanes; those that do not run get the address of one that does. `space` says how
// far they wrap.
void emu_find_addresses(const Worker *worker, Value base, int64_t offset, Space space,
                        uint64_t addresses[LANES]);

// Must the running group wait for the end of the round before it accesses these addresses?
bool emu_is_shared_access(const Worker *worker, const Instruction *instruction,
                          const uint64_t *addresses);

static inline uint8_t *emu_at(const Target *target, uint64_t address, uint32_t lane) {
  return target->bytes + (address - target->low) + lane * target->lane_stride;
}

void emu_set_defined(uint8_t *bits, uint64_t first, uint64_t count);
bool emu_all_defined(const uint8_t *bits, uint64_t first, uint64_t count);

// Marks bytes as defined; are all of them? Usual sizes lie within one byte of bits.
static inline void emu_define(const Target *target, uint64_t address, uint64_t count) {
  uint64_t first = target->defined_first + (address - target->low);
  if (!target->defined)
    return;
  if (first % 8 + count > 8) {
    emu_set_defined(target->defined, first, count);
    return;
  }
  uint8_t *bits = &target->defined[first / 8];
  uint8_t wanted = (uint8_t)(((1u << count) - 1) << first % 8);
  if (target->owner) // one block
    *bits |= wanted;
  else
    bytes_set_bits(bits, wanted);
}

static inline bool emu_is_defined(const Target *target, uint64_t address, uint64_t count) {
  uint64_t first = target->defined_first + (address - target->low);
  if (!target->defined)
    return true;
  if (first % 8 + count > 8)
    return emu_all_defined(target->defined, first, count);
  return bytes_has_bits(&target->defined[first / 8], (uint8_t)(((1u << count) - 1) << first % 8));
}

// Of a lane's copy of local memory: is no bit of the bytes defined? Which are not, of at most 8
// bytes? They are, or these bits are not.
bool emu_is_local_undefined(const Target *target, uint64_t address, uint32_t lane, uint32_t size);
uint64_t emu_undefined_local(const Target *target, uint64_t address, uint32_t lane, uint32_t size);
void emu_define_local(const Target *target, uint64_t address, uint32_t lane, uint32_t size);
void emu_undefine_local(const Target *target, uint64_t address, uint32_t lane, uint32_t size,
                        uint64_t undefined);

// Bytes from a thread's copy of local memory to that of the next: all are aligned alike.
static inline uint64_t emu_local_stride(const GridState *grid) {
  enum { ALIGN = 16 };
  return ((uint64_t)grid->code->kernel->local_bytes + ALIGN - 1) / ALIGN * ALIGN;
}

// Maps zeroed memory, which emu_end gives back; leaves through the arena's escape or stops the run
// if there is none.
void *emu_map(Emu *emu, size_t size);
void emu_unmap(Emu *emu); // all of it

// Lays out global memory, and gives it its first contents, which workers share.
void emu_place_memory(Emu *emu);
void emu_fill_memory(Emu *emu);
const DeviceRegion *emu_find_region(const Emu *emu, uint64_t address, uint64_t size);

#endif
