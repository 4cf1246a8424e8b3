// Kernels and their grids: code that threads share, and what the registers of a thread hold at its
// start. `grid_expand` makes a Thread of each for engines that want them all at once.
#ifndef WARPSAN_IR_GRID_H
#define WARPSAN_IR_GRID_H

#include "ir/memory.h"

enum {
  GRID_WARP_SIZE = 32,
  // What shared and local variables are put behind; so no address of one is 0.
  // Shared memory starts where it does on GPUs that keep the first KiB for themselves: swizzled
  // layouts are laid out by the bits of addresses.
  GRID_SHARED_START = 1024,
  GRID_LOCAL_START = 16,
  GRID_MOST_EXPANDED_THREADS = 1 << 20,
};

// Special registers of PTX. All others read as 0.
typedef enum SpecialRegister {
  SPECIAL_ZERO,
  SPECIAL_TID,
  SPECIAL_NTID,
  SPECIAL_CTAID,
  SPECIAL_NCTAID,
  SPECIAL_LANEID,
  SPECIAL_WARPID,
  SPECIAL_NWARPID,
  SPECIAL_GRIDID,
  SPECIAL_IS_EXPLICIT_CLUSTER,
  SPECIAL_CLUSTERID,
  SPECIAL_NCLUSTERID,
  SPECIAL_CLUSTER_CTAID,
  SPECIAL_CLUSTER_NCTAID,
  SPECIAL_CLUSTER_CTARANK,
  SPECIAL_CLUSTER_NCTARANK,
  SPECIAL_DYNAMIC_SMEM_SIZE,
  SPECIAL_SMID,
  SPECIAL_NSMID,
  SPECIAL_LANEMASK_EQ,
  SPECIAL_LANEMASK_LE,
  SPECIAL_LANEMASK_LT,
  SPECIAL_LANEMASK_GE,
  SPECIAL_LANEMASK_GT,
  SPECIAL_ENVREG, // %envreg0 to %envreg31 as `component`
} SpecialRegister;

// Why a register exists and what it holds at the start.
typedef enum SlotKind {
  SLOT_REGISTER,          // of the PTX text, or a temporary: 0
  SLOT_SPECIAL,           // `special`, `component`
  SLOT_PARAMETER,         // `size` bytes at `offset` of parameter `parameter`
  SLOT_PARAMETER_ADDRESS, // of parameter `parameter`
  SLOT_HEAP,              // the next byte that the thread's malloc hands out
  SLOT_HEAP_END,
} SlotKind;

typedef struct Slot {
  SlotKind kind;
  const char *name;
  SpecialRegister special;
  uint32_t component; // 0 to 3: x, y, z, w; number of an %envreg
  uint32_t parameter; // number of the kernel's parameter
  uint32_t offset;
  uint8_t size;
  bool is_signed;
  uint8_t bits; // of a register: 1 predicate, 16, 32, 64; 0: not known
} Slot;

// A variable in shared memory, in bytes from where shared memory begins (GRID_SHARED_START).
typedef struct SharedVariable {
  const char *name;
  uint32_t offset;
  uint32_t size; // 0: dynamic shared memory, up to the end
} SharedVariable;

// A kernel, as all its threads run it. Instructions name slots as registers.
typedef struct KernelCode {
  const char *name;
  Instruction *instructions;
  uint32_t instruction_count;
  const Slot *slots;
  uint32_t slot_count;
  uint32_t shared_bytes, local_bytes; // static, from 0 with what lies before the first variable
  uint32_t reserved_bytes; // of shared memory from GRID_SHARED_START: the system's, 0 at the start
  const SharedVariable *shared_variables; // sorted by offset
  uint32_t shared_variable_count;
  bool takes_parameter_address;
  bool has_heap; // some call of malloc
} KernelCode;

// A thread's place in its grid.
typedef struct ThreadPlace {
  uint32_t block_in_grid, thread_in_block;
  uint32_t block_id[3], thread_id[3];
} ThreadPlace;

void grid_split(uint32_t index, const uint32_t size[3], uint32_t id[3]);
uint32_t grid_volume(const uint32_t size[3]);
uint32_t grid_cluster_rank(const Grid *grid, const uint32_t block_id[3]);
// Number in the grid of the block that is `rank` in the cluster of the block with that id.
uint32_t grid_cluster_block(const Grid *grid, const uint32_t block_id[3], uint32_t rank);
uint32_t grid_lane_mask(SpecialRegister special, uint32_t lane);

// What a slot that is no plain register holds; `number`: index of the grid in the program.
uint64_t grid_slot_value(const Grid *grid, uint32_t number, const Slot *slot,
                         const ThreadPlace *place);

// "shared tile, byte 16": a byte of shared memory, counted from where that begins, for messages.
const char *grid_shared_name(const KernelCode *code, uint64_t offset, Arena *arena);

// Shared memory of a block of the grid, in bytes from offset 0.
uint64_t grid_shared_bytes(const Grid *grid);

// Has the first grid ended before the second starts, by streams, events and the like?
bool grids_are_ordered(const Program *program, uint32_t a, uint32_t b);
// May a grid run at the same time as this one, on a device that then keeps the host away from
// memory there (spec E.6)? False without a machine.
bool grid_is_kept_away(const Program *program, uint32_t grid, MemoryHome home);

// "block 3 thread 17", with the launch if the program has several.
const char *grid_thread_name(const Program *program, uint32_t grid, uint32_t block_in_grid,
                             uint32_t thread_in_block, Arena *arena);

// Fills in the program's threads, blocks, and their memory. At most GRID_MOST_EXPANDED_THREADS.
void grid_expand(Program *program, Arena *arena);

#endif
