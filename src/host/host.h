// C functions as the threads of a program: they run as fibers, each operation that they call is an
// event of the explorer, and every execution is explored. See docs/functions.md.
#ifndef WARPSAN_HOST_HOST_H
#define WARPSAN_HOST_HOST_H

#include "explore/explore.h"

typedef enum HostOperation {
  HOST_NONE,
#define OPERATION(name, text, kind) HOST_##name,
#include "host/operation.def"
#undef OPERATION
  HOST_OPERATION_COUNT,
} HostOperation;

// The order and the scope as `ir` counts them, and what the bits of the operands mean.
typedef enum HostType { HOST_UNSIGNED, HOST_SIGNED, HOST_FLOAT } HostType;

// The flags. The order of a failure counts as HOST_FAILURE * order.
enum { HOST_VOLATILE = 1, HOST_NO_RESULT = 2, HOST_FAILURE = 16 };

// What an operation does, apart from its operands: packed into a number by the caller.
#define HOST_CODE(operation, sem, scope, size, type, flags)                                        \
  ((uint32_t)(operation) | (uint32_t)(sem) << 8 | (uint32_t)(scope) << 12 |                        \
   (uint32_t)(size) << 16 | (uint32_t)(type) << 20 | (uint32_t)(flags) << 24)

// A place in the functions' source. Constant and not owned.
typedef struct HostSite {
  const char *file;
  const char *text; // the operands as they are written
  uint32_t line;
} HostSite;

typedef struct HostMemory {
  const char *name;
  void *address; // what lies there when the check begins is the initial contents
  uint64_t size;
  bool is_undefined; // nothing may rely on the initial contents
} HostMemory;

typedef struct HostDimensions {
  uint32_t x, y, z;
} HostDimensions;

// What a thread is told about itself.
typedef struct HostIndex {
  HostDimensions grid_size, block_size, cluster_size; // cluster: in blocks
  HostDimensions block, thread;
  uint32_t device; // UINT32_MAX: the host
  void *shared;    // the block's shared memory, NULL: it has none
} HostIndex;

typedef void HostRunThread(void *context, const HostIndex *index);

typedef struct HostLaunch {
  const char *name;
  HostRunThread *run;
  void *context;
  HostDimensions grid, block, cluster;
  uint32_t device;
  uint32_t stream;   // launches of one device and stream run one after the other
  uint32_t resident; // blocks that fit at a time, 0: all
  uint64_t shared_bytes;
  bool is_host, is_cooperative;
} HostLaunch;

typedef struct HostTest {
  const char *name;
  HostMemory *memory;
  uint32_t memory_count, memory_capacity;
  HostLaunch *launches;
  uint32_t launch_count, launch_capacity;
  // Called with the final contents in the memory; false: the execution ended wrong. May be NULL.
  bool (*holds)(void *context);
  void *holds_context;
  HostSite holds_site;
  // Of all threads, not owned: for each one HOST_GUARD_BYTES that nobody can access, and its stack.
  char *stacks;
} HostTest;

// The text of a source file, for places in it; NULL: it cannot be read.
typedef const Source *HostReadSource(void *context, const char *name);

enum { HOST_STACK_BYTES = 1 << 16, HOST_GUARD_BYTES = 1 << 16 };

// Threads of all launches together.
uint32_t host_thread_count(const HostTest *test);

typedef struct HostRun HostRun;

// Makes the program of a test. `read` is called during the exploration. All of it lives in `arena`
// but for what the test holds.
HostRun *host_run_new(const HostTest *test, const Model *model, HostReadSource *read, void *context,
                      Arena *arena);
// Explores it. `options` without guest and final condition.
Result *host_run_explore(HostRun *run, const ExploreOptions *options);
// Were, under a model that allows more, only executions explored in which no read sees what its own
// thread did later?
bool host_run_leaves_out_buffering(const HostRun *run);
// Gives back what the sanitizers hold.
void host_run_release(HostRun *run);

// An operation of the thread that calls, or, outside of all checks, of the caller alone: then it is
// carried out at once. Returns the value read, or 0. Operands: see operation.def.
enum { HOST_OPERANDS = 4 };
uint64_t host_operate(const HostSite *site, uint32_t code, const uint64_t *operands);

#endif
