// The program that front ends produce and the engines run: threads placed in a scope tree, memory
// objects, typed instructions. The instruction set is PTX's.
// Built in an arena by a front end, then constant. All cross references are 32-bit indices.
#ifndef WARPSAN_IR_IR_H
#define WARPSAN_IR_IR_H

#include "base/array.h"
#include "base/names.h"
#include "base/source.h"

#include <stdbool.h>
#include <stdint.h>

// PTX ISA "Scope". Each contains the ones before it; a host thread belongs to SCOPE_SYS only.
typedef enum Scope {
  SCOPE_NONE, // weak accesses, proxy fences, barriers
  SCOPE_CTA,
  SCOPE_CLUSTER,
  SCOPE_GPU,
  SCOPE_SYS,
} Scope;

// Memory order of an instruction (`.sem`). SEM_SC of an access exists under the C++ models only;
// PTX models treat it as acquire (loads, atomics) or relaxed (stores) behind the fence.sc that the
// front end puts before it (spec D.2).
typedef enum Sem {
  SEM_WEAK,
  SEM_RELAXED,
  SEM_ACQUIRE,
  SEM_RELEASE,
  SEM_ACQ_REL,
  SEM_SC,
} Sem;

// PTX ISA "Proxies". PROXY_ALIAS occurs on fences only.
typedef enum Proxy {
  PROXY_GENERIC,
  PROXY_TEXTURE,
  PROXY_SURFACE,
  PROXY_CONSTANT,
  PROXY_ASYNC,
  PROXY_TENSORMAP,
  PROXY_ALIAS,
} Proxy;

typedef enum IrOp {
  IR_NOP,  // also labels
  IR_MOVE, // dst = src0
  IR_ADD,  // from here to IR_MAX: dst = src0 op src1
  IR_SUB,
  IR_MUL,
  IR_DIV,
  IR_AND,
  IR_OR,
  IR_XOR,
  IR_MIN,
  IR_MAX,
  IR_SET_EQ, // from here to IR_SET_GE: dst = src0 cmp src1 (0 or 1)
  IR_SET_NE,
  IR_SET_LT,
  IR_SET_LE,
  IR_SET_GT,
  IR_SET_GE,
  IR_LOAD,           // dst = [object]
  IR_STORE,          // [object] = src0
  IR_ATOM,           // dst = [object]; [object] = dst `atom` src0 (src1: new value of a cas)
  IR_RED,            // as IR_ATOM without a result: the read half is tagged NORET
  IR_FENCE,          // sem and scope
  IR_FENCE_PROXY,    // `proxy`
  IR_BARRIER,        // CTA barrier: `barrier`
  IR_BARRIER_WARP,   // bar.warp.sync among `participants`
  IR_CLUSTER_ARRIVE, // sem release or relaxed
  IR_CLUSTER_WAIT,
  // cp.async, not awaited: [object] = [source_object]; of kernels: src2 bytes from src0 + src1 to
  // the address, of which only the first src3, if given, are read, and the others are zeroed.
  IR_COPY_ASYNC,
  IR_COPY_WAIT, // cp.async.wait_all
  IR_NO_EVENT,  // shfl, vote, ...: no memory order (spec A.2)
  IR_BRANCH,    // to `target`, if src0 `compare` src1 holds (IR_SET_*; IR_NOP: always)
  IR_EXIT,
  // Kernels only. Memory instructions of kernels name no object: they have an address operand.
  IR_ALU,          // dst, more... = alu_compute(alu, src...)
  IR_ADDRESS,      // dst = src0 converted by `conversion` (cvta, isspacep, mapa)
  IR_BRANCH_INDEX, // to targets[src0]
  IR_TRAP,
  IR_COLLECTIVE,      // shfl, vote, match, redux, activemask, elect: `collective`, mask in src[3]
  IR_MBARRIER,        // `mbarrier` on the object at the address
  IR_COPY_COMMIT,     // cp.async.commit_group
  IR_COPY_WAIT_GROUP, // cp.async.wait_group: all but the newest src0 groups
  IR_COPY_ARRIVE,     // cp.async.mbarrier.arrive
  // Bulk copy of src1 bytes from src0 + src3 to the address; mbarrier in src2 + src4, if any. If
  // `size` is not 0, elements of so many bytes are reduced by `atom`.
  IR_BULK_COPY,
  // The box of a tensor between global memory and the address in shared memory, to the space
  // `space`: src0 is the address of its map (ir/tensor.h), src1, src3 and src4 are the `size`
  // coordinates, two in each, the first in the lower half, and in the upper half of src4 the
  // offsets of im2col mode; mbarrier in src2, if any; `conversion` is the mode (TensorMode). If
  // `compare` is set, elements are reduced by `atom`, or by the operation of `alu` on what elements
  // are.
  IR_TENSOR_COPY,
  IR_BULK_COMMIT,
  IR_BULK_WAIT,       // all but the newest src0 groups; `compare`: .read, sources only
  IR_GRID_DEPENDENTS, // griddepcontrol.launch_dependents
  IR_GRID_WAIT,       // griddepcontrol.wait
  IR_STORE_ASYNC,     // st.async, red.async: [address] = src0, or `atom` of it; mbarrier in src2
  IR_CLOCK,           // a value that nobody may rely on; `conversion`: of a clock
  // Products of warpgroups (wgmma.mma_async), which are done at once as far as values go: loads of
  // factors, moves to the registers of the result, the end of a group of products, and
  // wgmma.wait_group: all but the newest src0 groups of the warpgroup.
  IR_PRODUCT_LOAD,   // as IR_LOAD; it may take place until the group has been waited for
  IR_PRODUCT_RESULT, // dst = src0, which nobody may read before
  IR_PRODUCT_COMMIT,
  IR_PRODUCT_WAIT,
  IR_UNSUPPORTED, // `text` names it
} IrOp;

// State spaces of a kernel's memory instructions.
typedef enum Space {
  SPACE_GENERIC,
  SPACE_GLOBAL,
  SPACE_SHARED, // also .shared::cluster addresses (see ir/memory.h)
  SPACE_LOCAL,
  SPACE_CONST,
} Space;

typedef enum AddressConversion {
  ADDRESS_SHARED_TO_GENERIC,
  ADDRESS_GENERIC_TO_SHARED,
  ADDRESS_LOCAL_TO_GENERIC,
  ADDRESS_GENERIC_TO_LOCAL,
  ADDRESS_IS_GLOBAL,
  ADDRESS_IS_SHARED,
  ADDRESS_IS_LOCAL,
  ADDRESS_MAP_SHARED,  // mapa of a .shared address: src1 is the rank in the cluster
  ADDRESS_MAP_GENERIC, // mapa of a generic address
  ADDRESS_RANK_SHARED, // getctarank
  ADDRESS_RANK_GENERIC,
} AddressConversion;

typedef enum Collective {
  COLLECTIVE_SHUFFLE_INDEX,
  COLLECTIVE_SHUFFLE_UP,
  COLLECTIVE_SHUFFLE_DOWN,
  COLLECTIVE_SHUFFLE_XOR,
  COLLECTIVE_VOTE_ALL,
  COLLECTIVE_VOTE_ANY,
  COLLECTIVE_VOTE_UNIFORM,
  COLLECTIVE_VOTE_BALLOT,
  COLLECTIVE_MATCH_ANY,
  COLLECTIVE_MATCH_ALL,
  COLLECTIVE_REDUCE, // by `alu`
  COLLECTIVE_ACTIVE_MASK,
  COLLECTIVE_ELECT,
} Collective;

typedef enum MbarrierOp {
  MBARRIER_INIT, // src0: expected arrivals
  MBARRIER_INVALIDATE,
  MBARRIER_EXPECT,      // expect_tx: src0 bytes
  MBARRIER_COMPLETE,    // complete_tx: src0 bytes
  MBARRIER_ARRIVE,      // src0: count, src1: expect_tx bytes; dst: state; `compare`: .noComplete
  MBARRIER_DROP,        // arrive_drop
  MBARRIER_PENDING,     // dst = arrivals that were pending before that of state src0; no address
  MBARRIER_TEST_STATE,  // dst = phase of state src0 is over
  MBARRIER_TEST_PARITY, // dst = phase of parity src0 is over
} MbarrierOp;

typedef enum AtomOp {
  ATOM_ADD,
  ATOM_SUB,
  ATOM_MUL,
  ATOM_DIV,
  ATOM_AND,
  ATOM_OR,
  ATOM_XOR,
  ATOM_MIN,
  ATOM_MAX,
  ATOM_EXCH,
  ATOM_CAS,       // a failing cas performs no write
  ATOM_CAS_WRITE, // a failing cas writes the old value back
  ATOM_ALU,       // of kernels: by the instruction's `alu`
  ATOM_INC,       // old >= src0 ? 0 : old + 1
  ATOM_DEC,       // old == 0 || old > src0 ? src0 : old - 1
} AtomOp;

typedef enum OperandKind {
  OPERAND_NONE,
  OPERAND_CONSTANT,
  OPERAND_REGISTER, // index into the thread's registers
  OPERAND_ADDRESS,  // the address of object `index`
} OperandKind;

typedef struct Operand {
  OperandKind kind;
  uint32_t index;
  int64_t constant;
} Operand;

typedef enum BarrierKind { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_RED } BarrierKind;

enum {
  INSTRUCTION_VOLATILE = 1,   // relaxed.sys in PTX, not atomic in C++
  INSTRUCTION_ABI_FENCE = 2,  // fence that only compiled code has: skipped under C++ models
  INSTRUCTION_LOCKED = 4,     // x86 LOCK prefix
  INSTRUCTION_SIGNED = 8,     // load: sign-extend
  INSTRUCTION_ALIGNED = 16,   // barrier: all threads of a warp execute the same one
  INSTRUCTION_READ_ONLY = 32, // ld.global.nc
  INSTRUCTION_WIDE = 64,      // bulk copy: to global memory
  // Compare-and-swap that may fail though the value is the expected one; more[0]: has it succeeded?
  INSTRUCTION_SPURIOUS = 128,
  // It may read registers that products under way write: the next product adds to them.
  INSTRUCTION_OF_PRODUCT = 256,
  INSTRUCTION_UNUSED = 512, // atomic: nobody looks at its result
  // Fences that order some accesses only (docs/differences.md): those to shared memory, and what
  // mbarrier.init has written.
  INSTRUCTION_OF_SHARED = 1024,
  INSTRUCTION_OF_INITS = 2048,
};

struct AluOperation;

// Registers are numbers of a thread's register file. UINT32_MAX means none.
typedef struct Instruction {
  IrOp op;
  uint8_t sem;            // Sem
  uint8_t failure_sem;    // Sem of a compare-and-swap that fails; SEM_WEAK: as `sem`
  uint8_t scope;          // Scope
  uint8_t proxy;          // Proxy
  uint8_t atom;           // AtomOp
  uint8_t compare;        // IR_SET_*, of IR_BRANCH
  uint8_t barrier;        // BarrierKind
  uint16_t flags;         // INSTRUCTION_*
  uint32_t dst;           // register or UINT32_MAX
  uint32_t object;        // memory object of a memory instruction, UINT32_MAX: none
  uint32_t source_object; // of IR_COPY_ASYNC
  Operand src[5];
  uint32_t target; // instruction index, of IR_BRANCH
  // IR_BARRIER: `barrier_key` counts arrivals (a litmus test's instance id, else the resource);
  // operand src[0] is the resource id (OPERAND_NONE: `barrier_key`), src[1] the number of threads
  // (OPERAND_NONE: all participants).
  uint32_t barrier_key;
  uint32_t participants; // index into Program.groups: threads that the barrier waits for
  // Kernels:
  uint8_t space; // Space
  // Bytes of an access. Of 16 bytes: the lower word goes to dst, the upper one to more[0]; operands
  // are two of src, the lower word first (cas: src[0] and src[1], new value src[2] and src[3]).
  uint8_t size;
  uint8_t align;         // bytes; of a vector that the access is an element of: 0: its size
  int8_t element_offset; // of the element in the vector, in bytes
  uint8_t conversion;    // AddressConversion
  uint8_t collective;    // Collective
  uint8_t mbarrier;      // MbarrierOp
  uint32_t more[3];      // further destinations of IR_ALU and IR_COLLECTIVE, UINT32_MAX: none
  Operand address;       // OPERAND_NONE in litmus tests
  int64_t offset;        // added to the address
  const struct AluOperation *alu;
  const uint32_t *targets; // of IR_BRANCH_INDEX
  uint32_t target_count;
  // Of IR_TENSOR_COPY whose map the kernel may write: registers with its words, which loads before
  // it have read. NULL: the map is a parameter.
  const uint32_t *map_words;
  const char *text;                   // the instruction as written, for messages
  const struct InlinedPlace *inlined; // where the code was inlined, innermost first; or NULL
  Span span;
} Instruction;

// A place into which the code before it was inlined.
typedef struct InlinedPlace {
  Span span;
  const char *function; // may be NULL
  const struct InlinedPlace *next;
} InlinedPlace;

typedef struct Placement {
  uint32_t cta, cluster, gpu; // absolute ids; `cta` is unique within the gpu, as is `cluster`
  uint32_t domain; // memory synchronisation domain of the grid: the gpu scope ends there (spec E.7)
  bool is_host;
} Placement;

typedef struct Register {
  const char *name;
  int64_t initial; // value, also of an address (Object.address)
} Register;

typedef struct Thread {
  const char *name; // "P0"
  Placement place;
  Instruction *instructions;
  uint32_t instruction_count;
  Register *registers;
  uint32_t register_count;
  // Kernels:
  uint32_t grid;  // index into Program.grids
  uint32_t block; // number of the block in the program
  uint32_t warp;  // number of the warp in the program
  uint32_t lane;
  uint32_t cluster_rank;
} Thread;

// The grid of a kernel launch, or host code written as one.
enum { GRID_MOST_DOMAINS = 4 }; // memory synchronisation domains of a device

// What a launch gives for a parameter of its kernel, little endian.
typedef struct Parameter {
  const uint8_t *bytes;
  uint32_t byte_count;
} Parameter;

typedef struct Grid {
  const char *kernel;
  const struct KernelCode *code;          // ir/grid.h
  uint32_t size[3], block[3], cluster[3]; // x, y, z; each at least 1
  bool has_cluster;                       // stated, as opposed to one block each
  bool is_host;
  uint32_t gpu;
  uint32_t shared_bytes;               // dynamic shared memory of a block
  const Parameter *parameters;         // the kernel's
  const uint64_t *parameter_addresses; // NULL: nothing takes one
  uint64_t heap;                       // address of what malloc of the first thread hands out
  uint32_t heap_bytes;                 // of each thread, one behind the other
  uint32_t first_thread, thread_count;
  uint32_t first_block, block_count;
  uint32_t resident; // blocks that fit at a time, 0: all
  bool is_cooperative;
  uint64_t workspace; // of a cooperative launch: address of what cooperative groups use
  bool is_dependent;  // programmatic dependent launch: may start early (spec E.3)
  uint32_t after;     // grid that it follows in its stream, UINT32_MAX: none
  // Further grids, with smaller numbers, that end before it starts: events, edges of a graph, calls
  // that synchronise (spec E.1).
  const uint32_t *waits;
  uint32_t wait_count;
  uint32_t domain; // memory synchronisation domain
  Span span;
} Grid;

// A memory object of one value. Aliases share `location`, the physical place; `address` is the
// virtual one. Two objects with one virtual address have the same `virtual_location`.
typedef struct Object {
  const char *name;
  int64_t initial;           // value of the physical location at the start
  int64_t address;           // distinct, non-zero: what a register holds that points here
  uint32_t location;         // index of the object that stands for the physical location
  uint32_t virtual_location; // index of the object that stands for the virtual address
  Proxy proxy;               // proxy through which this name is meant to be used
  bool is_declared;          // by the user, as opposed to made up for a use
} Object;

// The end of thread `before` is ordered before the start of `after` (spec E.1).
typedef struct ThreadOrder {
  uint32_t before, after;
} ThreadOrder;

// A set of threads.
typedef struct ThreadGroup {
  uint32_t *threads;
  uint32_t count;
} ThreadGroup;

typedef struct Program {
  const char *name;
  Thread *threads;
  uint32_t thread_count;
  Object *objects;
  uint32_t object_count;
  ThreadOrder *orders;
  uint32_t order_count;
  ThreadGroup *groups;
  uint32_t group_count;
  bool is_kernel; // memory instructions have addresses; memory is in `memory`
  struct Memory *memory;
  struct TensorMap *tensor_maps; // ir/tensor.h
  uint32_t tensor_map_count;
  const struct Machine *machine; // NULL: one that supports everything
  Grid *grids;
  uint32_t grid_count;
  // Threads of each block. Of a program with grids, `threads` and `blocks` are NULL until
  // grid_expand.
  ThreadGroup *blocks;
  uint32_t block_count;
} Program;

// Names as PTX spells them: "cta", "acq_rel", "generic", ...; never NULL.
const char *ir_scope_name(Scope scope);
const char *ir_sem_name(Sem sem);
const char *ir_proxy_name(Proxy proxy);
const char *ir_atom_name(AtomOp atom);

// The instruction as text, in PTX's spelling, for messages and witnesses.
const char *ir_print_instruction(Arena *arena, const Program *program, const Thread *thread,
                                 const Instruction *instruction);

// Does `scope`, of a thread at `from`, contain a thread at `to`? (spec A.3)
bool ir_scope_contains(Scope scope, const Placement *from, const Placement *to);

// The value computed by an arithmetic or comparing instruction; division by zero gives 0.
int64_t ir_compute(IrOp op, int64_t a, int64_t b);
// The value that an atomic leaves behind when it finds `old`.
int64_t ir_atom_result(AtomOp atom, int64_t old, int64_t operand, int64_t new_value);
// The same for an atomic of a kernel, of `size` bytes: `alu` is its operation if it is ATOM_ALU,
// `third` the new value of a cas that succeeds.
uint64_t ir_atom_new_value(AtomOp atom, const struct AluOperation *alu, uint32_t size, uint64_t old,
                           uint64_t second, uint64_t third);

// Asserts the invariants of a finished program (indices in range, groups sorted, ...).
void ir_program_check(const Program *program);

#endif
