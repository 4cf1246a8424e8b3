#include "ir/machine.h"

#include "ir/alu.h"

#include <assert.h>

static const MachineDevice *device_at(const Machine *machine, const Placement *place) {
  assert(place->is_host || place->gpu < machine->device_count);
  return place->is_host ? NULL : &machine->devices[place->gpu];
}

static bool is_native(uint32_t operations, MachineOperation operation) {
  // Partial support (CUDA 13) is of read-modify-writes; where there is any, loads and stores are.
  return operation == MACHINE_LOAD_OR_STORE ? operations != 0 : (operations & operation) != 0;
}

// The list of spec E.5. An object in device memory is atomic toward other GPUs only, so no access
// of the host is.
bool machine_makes_atomic(const Machine *machine, MemoryHome home, const Placement *place,
                          MachineOperation operation) {
  if (!machine)
    return true;
  const MachineDevice *device = device_at(machine, place);
  switch (home.kind) {
  case MEMORY_OF_DEVICE:
    return device &&
           (place->gpu == home.device || is_native(device->peer_atomics[home.device], operation));
  case MEMORY_PINNED:
    return !device || operation == MACHINE_LOAD_OR_STORE ||
           is_native(device->host_atomics, operation);
  case MEMORY_MANAGED:
    return !device || device->has_concurrent_managed_access;
  case MEMORY_SYSTEM:
    return !device || device->has_pageable_memory_access;
  }
  return true;
}

static const char *attribute_of(MemoryKind kind) {
  switch (kind) {
  case MEMORY_OF_DEVICE:
    return "peer-native-atomics";
  case MEMORY_PINNED:
    return "host-native-atomics";
  case MEMORY_MANAGED:
    return "concurrent-managed-access";
  case MEMORY_SYSTEM:
    break;
  }
  return "pageable-memory-access";
}

const char *machine_reason(const Machine *machine, MemoryHome home, const Placement *place,
                           Arena *arena) {
  if (place->is_host)
    return arena_format(arena, "the host's accesses to %s are not atomic toward a GPU's",
                        machine_home_text(home, arena));
  if (home.kind == MEMORY_OF_DEVICE)
    return arena_format(arena, "device %u accesses %s without %s, says '%s'", place->gpu,
                        machine_home_text(home, arena), attribute_of(home.kind), machine->name);
  return arena_format(arena, "the object is in %s, and device %u is without %s, says '%s'",
                      machine_home_text(home, arena), place->gpu, attribute_of(home.kind),
                      machine->name);
}

static MachineOperation alu_operation(const AluOperation *alu) {
  switch ((AluOp)alu->op) {
  case ALU_AND:
    return MACHINE_AND;
  case ALU_OR:
    return MACHINE_OR;
  case ALU_XOR:
    return MACHINE_XOR;
  case ALU_MIN:
    return MACHINE_MIN;
  case ALU_MAX:
    return MACHINE_MAX;
  default:
    return MACHINE_ADD;
  }
}

MachineOperation machine_operation(const Instruction *instruction) {
  if (instruction->op != IR_ATOM && instruction->op != IR_RED)
    return MACHINE_LOAD_OR_STORE;
  switch ((AtomOp)instruction->atom) {
  case ATOM_EXCH:
    return MACHINE_EXCH;
  case ATOM_CAS:
  case ATOM_CAS_WRITE:
    return MACHINE_CAS;
  case ATOM_INC:
    return MACHINE_INC;
  case ATOM_DEC:
    return MACHINE_DEC;
  case ATOM_ALU:
    return alu_operation(instruction->alu);
  default:
    return MACHINE_ADD;
  }
}

bool machine_lets_host_touch(const Machine *machine, MemoryHome home, uint32_t device) {
  return !machine || home.kind != MEMORY_MANAGED ||
         machine->devices[device].has_concurrent_managed_access;
}

const char *machine_home_text(MemoryHome home, Arena *arena) {
  switch (home.kind) {
  case MEMORY_OF_DEVICE:
    return arena_format(arena, "memory of device %u", home.device);
  case MEMORY_PINNED:
    return "pinned host memory";
  case MEMORY_MANAGED:
    return "managed memory";
  case MEMORY_SYSTEM:
    break;
  }
  return "pageable host memory";
}
