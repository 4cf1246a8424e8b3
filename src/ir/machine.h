// What a machine can make atomic between its devices and the host (spec E.5, E.6): a short text
// that `machine_parse` reads (docs/machine.md), and the questions that the engines ask about it.
#ifndef WARPSAN_IR_MACHINE_H
#define WARPSAN_IR_MACHINE_H

#include "base/diag.h"
#include "ir/ir.h"

enum { MACHINE_MAX_DEVICES = 16 };

// Atomic operations as the CUDA runtime tells them apart; a set of them is a sum.
typedef enum MachineOperation {
  MACHINE_ADD = 1,
  MACHINE_AND = 2,
  MACHINE_OR = 4,
  MACHINE_XOR = 8,
  MACHINE_MIN = 16,
  MACHINE_MAX = 32,
  MACHINE_INC = 64,
  MACHINE_DEC = 128,
  MACHINE_EXCH = 256,
  MACHINE_CAS = 512,
  MACHINE_ALL_OPERATIONS = 1023,
  MACHINE_LOAD_OR_STORE = 1024, // belongs to no set
} MachineOperation;

typedef struct MachineDevice {
  bool has_concurrent_managed_access;         // cudaDevAttrConcurrentManagedAccess
  bool has_pageable_memory_access;            // cudaDevAttrPageableMemoryAccess
  uint32_t host_atomics;                      // MachineOperation set: native on mapped host memory
  uint32_t peer_atomics[MACHINE_MAX_DEVICES]; // likewise, on memory of that device
} MachineDevice;

typedef struct Machine {
  const char *name; // of the file
  uint32_t device_count;
  MachineDevice devices[MACHINE_MAX_DEVICES];
} Machine;

// Where memory lives.
typedef enum MemoryKind {
  MEMORY_OF_DEVICE, // cudaMalloc and module variables: on one device
  MEMORY_PINNED,    // mapped, page-locked host memory: cudaHostAlloc
  MEMORY_MANAGED,   // cudaMallocManaged
  MEMORY_SYSTEM,    // malloc, mmap
} MemoryKind;

typedef struct MemoryHome {
  MemoryKind kind;
  uint32_t device; // of MEMORY_OF_DEVICE
} MemoryHome;

// Reads a description; NULL, with errors in `diags`, if it is none. It lives in `arena`.
const Machine *machine_parse(const Source *source, Arena *arena, DiagList *diags);

// Is the operation of a thread at `place` atomic at system scope toward threads of other devices
// and of the host? A machine of NULL supports everything.
bool machine_makes_atomic(const Machine *machine, MemoryHome home, const Placement *place,
                          MachineOperation operation);
// Why it is not, for a message; requires that it is not.
const char *machine_reason(const Machine *machine, MemoryHome home, const Placement *place,
                           Arena *arena);
// May the host touch memory there while a kernel runs on the device (spec E.6)?
bool machine_lets_host_touch(const Machine *machine, MemoryHome home, uint32_t device);

// What a memory instruction or an asynchronous copy does to its object.
MachineOperation machine_operation(const Instruction *instruction);

// "memory of device 1", "pinned host memory", ...
const char *machine_home_text(MemoryHome home, Arena *arena);

#endif
