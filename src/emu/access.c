// Loads, stores and fences.
#include "emu/access.h"

#include "emu/bytes.h"
#include "emu/fault.h"
#include "emu/ops.h"
#include "emu/undefined.h"
#include "emu/vector.h"
#include "emu/warp.h"

#include "ir/undefined.h"

// --- bytes of lanes

uint64_t emu_read(const Target *target, uint64_t address, uint32_t lane, uint32_t size) {
  return bytes_load(emu_at(target, address, lane), size);
}

void emu_write(const Target *target, uint64_t address, uint32_t lane, uint32_t size,
               uint64_t value) {
  bytes_store(emu_at(target, address, lane), size, value);
}

static uint64_t extend(const Instruction *load, uint64_t value) {
  uint32_t shift = 64 - 8u * load->size;
  return load->flags & INSTRUCTION_SIGNED ? (uint64_t)((int64_t)(value << shift) >> shift) : value;
}

// --- what has been written

static uint32_t undefined_lanes(const Part *part, const uint64_t *addresses, uint32_t size) {
  const Target *target = &part->target;
  uint32_t lanes = 0;
  if (!target->defined)
    return 0;
  if (part->shape == EMU_SHAPE_CONSECUTIVE && part->lanes == ALL_LANES &&
      emu_is_defined(target, addresses[0], LANES * size))
    return 0;
  if (part->shape == EMU_SHAPE_SAME)
    return emu_is_defined(target, addresses[0], size) ? 0 : part->lanes;
  LANES_EACH(lane, part->lanes)
  lanes |= (uint32_t)!emu_is_defined(target, addresses[lane], size) << lane;
  return lanes;
}

// An element of a vector of which nothing is defined counts as padding if something of the vector
// is: types are copied with it.
static bool is_padding(const Target *target, const Instruction *load, uint64_t address,
                       uint32_t lane, uint64_t undefined) {
  return load->align > load->size && undefined == ir_low_bits(8 * load->size) &&
         !emu_is_local_undefined(target, address - (uint8_t)load->element_offset, lane,
                                 load->align);
}

// What a load brings that local memory has no value for.
static void note_undefined(Worker *worker, const Op *op, const Part *part,
                           const uint64_t *addresses) {
  const Instruction *load = op->instruction;
  UndefinedLanes undefined;
  undefined.lanes = undefined.hollow = 0;
  if (!part->target.local_defined)
    return;
  LANES_EACH(lane, part->lanes) {
    uint64_t bits = emu_undefined_local(&part->target, addresses[lane], lane, load->size);
    if (!bits || is_padding(&part->target, load, addresses[lane], lane, bits))
      continue;
    undefined.lanes |= 1u << lane;
    undefined.hollow |= (uint32_t)(bits == ir_low_bits(8 * load->size)) << lane;
    undefined.bits[lane] = extend(load, bits);
  }
  if (undefined.lanes)
    emu_set_undefined_bits(worker, op->dst, &undefined, op);
}

void emu_define_lanes(const Part *part, const uint64_t *addresses, uint32_t lanes, uint32_t size) {
  if (part->target.local_defined)
    LANES_EACH(lane, lanes)
  emu_define_local(&part->target, addresses[lane], lane, size);
  if (!part->target.defined)
    return;
  if (part->shape == EMU_SHAPE_CONSECUTIVE && lanes == ALL_LANES) {
    emu_define(&part->target, addresses[0], LANES * size);
    return;
  }
  LANES_EACH(lane, lanes)
  emu_define(&part->target, addresses[lane], size);
}

// --- what watchers see

// Says where, as watchers know the addresses; `seen` may come to hold them.
static void place_access(const Part *part, const uint64_t *addresses, uint64_t *seen,
                         EmuAccess *access) {
  bool is_consecutive = part->shape == EMU_SHAPE_CONSECUTIVE;
  access->shape = part->shape;
  access->is_shared = part->target.owner != NULL;
  access->owner = part->target.owner;
  access->addresses = addresses;
  if (!is_consecutive && !part->target.seen)
    return;
  uint32_t first = (uint32_t)__builtin_ctz(part->lanes);
  for (uint32_t i = 0; i < LANES; i++)
    seen[i] = addresses[i] + part->target.seen;
  seen[0] = is_consecutive ? seen[first] - (uint64_t)first * access->size
                           : addresses[0] + part->target.seen;
  access->addresses = seen;
}

static bool is_shown(const Part *part) {
  return !part->target.is_local && !part->target.is_read_only;
}

void emu_show(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
              EmuAccess access) {
  uint64_t seen[LANES];
  if (!is_shown(part))
    return;
  place_access(part, addresses, seen, &access);
  EMU_WATCH(worker, access, emu_who(worker, op, part->lanes), &access);
}

EmuAccess emu_access_of(const Instruction *instruction, EmuAccessKind kind) {
  return (EmuAccess){
      .kind = kind,
      .size = instruction->size,
      .is_strong = instruction->sem != SEM_WEAK,
      .is_volatile = instruction->flags & INSTRUCTION_VOLATILE,
      .sem = (Sem)instruction->sem,
      .scope = (Scope)instruction->scope,
      .proxy =
          instruction->flags & INSTRUCTION_READ_ONLY ? PROXY_TEXTURE : (Proxy)instruction->proxy,
  };
}

static void count(Worker *worker, uint32_t lanes) {
  worker->block->accesses += lanes == ALL_LANES ? LANES : (uint32_t)__builtin_popcount(lanes);
  if (--worker->slice <= 0)
    emu_leave(worker);
}

// --- loads

static bool is_whole(const Part *part) {
  return part->lanes == ALL_LANES && part->shape == EMU_SHAPE_CONSECUTIVE && !part->target.is_local;
}

static VectorGather *find_gather(const Worker *worker, const Op *op) {
  const Instruction *load = op->instruction;
  const VectorHelpers *vector = worker->emu->vector;
  bool is_signed = load->flags & INSTRUCTION_SIGNED;
  if (op->dst.class == CLASS_64)
    return load->size == 8 ? vector->gather64 : NULL;
  // Registers of 16 bits have zeros above them.
  bool is_narrow = op->dst.bits && op->dst.bits < 32;
  if (op->dst.class != CLASS_32 || load->size > 4 || (is_narrow && (is_signed || load->size > 2)))
    return NULL;
  return vector->gather[load->size >> 1][is_signed];
}

static void load_lanes(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  const Instruction *load = op->instruction;
  const Target *target = &part->target;
  if (op->dst.ref == REF_NONE)
    return;
  VectorGather *gather = find_gather(worker, op);
  if (gather && load->size >= 4 && is_whole(part)) {
    bytes_load_row(emu_ref(worker, op->dst.ref), emu_at(target, addresses[0], 0),
                   (size_t)LANES * load->size);
    return;
  }
  if (gather && part->is_filled && part->lanes == worker->lanes && !target->is_local) {
    void *to = emu_ref(worker, op->dst.ref);
    gather(worker->is_full ? to : worker->scratch, target->bytes, target->low, addresses);
    if (!worker->is_full)
      worker->emu->vector->blend(worker, to, worker->scratch, (RegisterClass)op->dst.class);
    return;
  }
  LANES_EACH(lane, part->lanes)
  emu_set_lane(worker, op->dst, lane,
               extend(load, emu_read(target, addresses[lane], lane, load->size)));
}

// The watcher may have lanes read other values than memory holds. Who polls then has not seen the
// newest one yet.
static void let_choose(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  const Instruction *load = op->instruction;
  EmuAccess access = emu_access_of(load, EMU_READ);
  uint64_t seen[LANES], values[LANES];
  if (!is_shown(part) || load->size > sizeof *values || load->op == IR_PRODUCT_LOAD)
    return;
  LANES_EACH(lane, part->lanes)
  values[lane] = emu_read(&part->target, addresses[lane], lane, load->size);
  place_access(part, addresses, seen, &access);
  uint32_t replaced = worker->watcher->choose(worker->watcher->context,
                                              emu_who(worker, op, part->lanes), &access, values);
  worker->block->changes += replaced != 0;
  LANES_EACH(lane, replaced)
  emu_set_lane(worker, op->dst, lane, extend(load, values[lane]));
}

void op_load(Worker *worker, const Op *op) {
  const Instruction *load = op->instruction;
  uint64_t addresses[LANES];
  Part part;
  emu_find_addresses(worker, op->address, load->offset, (Space)load->space, addresses);
  if (emu_is_shared_access(worker, load, addresses) && emu_defer(worker))
    return;
  uint32_t todo = worker->lanes;
  count(worker, todo);
  while (emu_next_part(worker, op, addresses, &todo, &part)) {
    uint32_t undefined = undefined_lanes(&part, addresses, load->size);
    if (undefined)
      emu_fault_at(worker, op, RULE_UNINITIALISED, undefined, addresses[__builtin_ctz(undefined)],
                   load->size, (Space)load->space);
    load_lanes(worker, op, &part, addresses);
    note_undefined(worker, op, &part, addresses);
    if (worker->watcher && worker->watcher->choose)
      let_choose(worker, op, &part, addresses);
    if (worker->watcher)
      emu_show(worker, op, &part, addresses,
               emu_access_of(load, load->op == IR_PRODUCT_LOAD ? EMU_ASYNC_READ : EMU_READ));
  }
}

// --- stores

static void store_lanes(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  const Instruction *store = op->instruction;
  const Target *target = &part->target;
  Value value = op->src[0];
  bool fits = (value.class == CLASS_32 && store->size == 4) ||
              (value.class == CLASS_64 && store->size == 8);
  if (fits && is_whole(part)) {
    bytes_store_row(emu_at(target, addresses[0], 0), emu_ref(worker, value.ref),
                    (size_t)LANES * store->size);
    return;
  }
  if (fits && store->size == 4 && part->lanes == ALL_LANES && !target->is_local) {
    const uint32_t *from = emu_ref(worker, value.ref);
    for (uint32_t i = 0; i < LANES; i++)
      BYTES_STORE(Bytes32, target->bytes + (addresses[i] - target->low), from[i]);
    return;
  }
  if (fits && store->size == 4) {
    const uint32_t *from = emu_ref(worker, value.ref);
    LANES_EACH(lane, part->lanes)
    BYTES_STORE(Bytes32, emu_at(target, addresses[lane], lane), from[lane]);
    return;
  }
  LANES_EACH(lane, part->lanes)
  emu_write(target, addresses[lane], lane, store->size, emu_lane(worker, value, lane));
}

static void show_store(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses) {
  EmuAccess access = emu_access_of(op->instruction, EMU_WRITE);
  uint64_t values[LANES];
  uint64_t mask = op->instruction->size < 8 ? (1ull << 8 * op->instruction->size) - 1 : UINT64_MAX;
  LANES_EACH(lane, part->lanes)
  values[lane] = emu_lane(worker, op->src[0], lane) & mask;
  access.values = values;
  emu_show(worker, op, part, addresses, access);
}

void op_store(Worker *worker, const Op *op) {
  const Instruction *store = op->instruction;
  uint64_t addresses[LANES];
  Part part;
  emu_find_addresses(worker, op->address, store->offset, (Space)store->space, addresses);
  if (emu_is_shared_access(worker, store, addresses) && emu_defer(worker))
    return;
  uint32_t todo = worker->lanes;
  count(worker, todo);
  while (emu_next_part(worker, op, addresses, &todo, &part)) {
    worker->block->changes += !part.target.is_local; // that others could see
    if (part.target.is_read_only) {
      emu_fault_at(worker, op, RULE_OUT_OF_BOUNDS, part.lanes, addresses[__builtin_ctz(part.lanes)],
                   store->size, (Space)store->space);
      emu_exit_lanes(worker, part.lanes);
      continue;
    }
    if (worker->watcher)
      show_store(worker, op, &part, addresses);
    store_lanes(worker, op, &part, addresses);
    emu_define_lanes(&part, addresses, part.lanes, store->size);
  }
}

// --- fences

void op_fence(Worker *worker, const Op *op) {
  const Instruction *fence = op->instruction;
  if (fence->op == IR_FENCE_PROXY) {
    EMU_WATCH(worker, proxy_fence, emu_who(worker, op, worker->lanes), (Proxy)fence->proxy,
              (Sem)fence->sem, (Scope)fence->scope);
    return;
  }
  // Fences of sequential consistency have one order in the run.
  if (fence->sem == SEM_SC && fence->scope > SCOPE_CTA && emu_defer(worker))
    return;
  EMU_WATCH(worker, fence, emu_who(worker, op, worker->lanes), (Sem)fence->sem,
            (Scope)fence->scope);
}
