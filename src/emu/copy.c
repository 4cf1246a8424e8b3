// Asynchronous copies (spec A.6). Their bytes are copied when they are issued: what a program may
// not rely on before it has waited is for watchers to find.
#include "emu/access.h"
#include "emu/bytes.h"
#include "emu/fault.h"
#include "emu/mbarrier.h"
#include "emu/ops.h"
#include "emu/warp.h"
#include "ir/tensor.h"

// --- cp.async

static uint32_t same_group(const uint32_t *groups, uint32_t lanes) {
  uint32_t first = groups[__builtin_ctz(lanes)], same = 0;
  LANES_EACH(lane, lanes)
  same |= (uint32_t)(groups[lane] == first) << lane;
  return same;
}

static void show_copy(Worker *worker, const Op *op, const Part *part, const uint64_t *addresses,
                      EmuAccessKind kind, uint32_t size) {
  Part shown = *part;
  if (!worker->watcher)
    return;
  for (uint32_t todo = part->lanes; todo;) {
    shown.lanes = same_group(worker->warp->copy_groups, todo);
    if (shown.lanes != part->lanes)
      shown.shape = EMU_SHAPE_ANY;
    todo &= ~shown.lanes;
    emu_show(worker, op, &shown, addresses,
             (EmuAccess){.kind = kind,
                         .proxy = PROXY_GENERIC,
                         .size = size,
                         .group = worker->warp->copy_groups[__builtin_ctz(shown.lanes)]});
  }
}

static uint32_t copy_size(const Op *op) {
  return (uint32_t)op->instruction->src[2].constant;
}

// Bytes that the lane reads; what is missing of the copy is zero.
static uint32_t given_size(const Worker *worker, const Op *op, uint32_t lane) {
  uint32_t size = copy_size(op);
  if (op->src[3].ref == REF_NONE)
    return size;
  uint64_t given = emu_lane(worker, op->src[3], lane) & 0xffffffff;
  return given < size ? (uint32_t)given : size;
}

// Reads `given` bytes for these lanes, in pieces of a size that accesses can have. Returns those
// that could.
static uint32_t read_given(Worker *worker, const Op *op, const uint64_t *from, uint32_t lanes,
                           uint32_t given, uint8_t bytes[LANES][16]) {
  uint32_t piece = given & (given - 1) ? 1 : given, read = given ? 0 : lanes;
  for (uint32_t i = 0; i < given; i += piece) {
    uint64_t addresses[LANES];
    uint32_t todo = i ? read : lanes;
    Part part;
    for (uint32_t lane = 0; lane < LANES; lane++)
      addresses[lane] = from[lane] + i;
    read = 0;
    while (emu_next_part_of(worker, op, SPACE_GLOBAL, piece, addresses, &todo, &part)) {
      LANES_EACH(lane, part.lanes)
      bytes_move(bytes[lane] + i, emu_at(&part.target, addresses[lane], lane), piece);
      show_copy(worker, op, &part, addresses, EMU_ASYNC_READ, piece);
      read |= part.lanes;
    }
  }
  return read;
}

// Reads the sources of all lanes for which that can be done.
static uint32_t read_sources(Worker *worker, const Op *op, const uint64_t *from,
                             uint8_t bytes[LANES][16]) {
  uint32_t read = 0;
  for (uint32_t todo = worker->lanes; todo;) {
    uint32_t given = given_size(worker, op, (uint32_t)__builtin_ctz(todo)), same = 0;
    LANES_EACH(lane, todo)
    same |= (uint32_t)(given_size(worker, op, lane) == given) << lane;
    todo &= ~same;
    read |= read_given(worker, op, from, same, given, bytes);
  }
  return read;
}

static void write_targets(Worker *worker, const Op *op, const uint64_t *to, uint32_t lanes,
                          uint8_t bytes[LANES][16]) {
  uint32_t size = copy_size(op);
  Part part;
  while (emu_next_part_of(worker, op, (Space)op->instruction->space, size, to, &lanes, &part)) {
    LANES_EACH(lane, part.lanes)
    bytes_move(emu_at(&part.target, to[lane], lane), bytes[lane], size);
    emu_define_lanes(&part, to, part.lanes, size);
    show_copy(worker, op, &part, to, EMU_ASYNC_WRITE, size);
  }
}

void op_copy_async(Worker *worker, const Op *op) {
  const Instruction *copy = op->instruction;
  uint64_t from[LANES], to[LANES];
  uint8_t bytes[LANES][16] = {{0}};
  if (copy_size(op) != 4 && copy_size(op) != 8 && copy_size(op) != 16) {
    op_unsupported(worker, op);
    return;
  }
  emu_find_addresses(worker, op->src[0], copy->src[1].constant, SPACE_GLOBAL, from);
  emu_find_addresses(worker, op->address, copy->offset, (Space)copy->space, to);
  worker->block->accesses += 2u * (uint32_t)__builtin_popcount(worker->lanes);
  worker->block->changes++;
  uint32_t read = read_sources(worker, op, from, bytes);
  write_targets(worker, op, to, read, bytes);
}

// --- groups

static uint32_t *groups_of(const Worker *worker, bool is_bulk) {
  return is_bulk ? worker->warp->bulk_groups : worker->warp->copy_groups;
}

static EmuGroupKind kind_of(bool is_bulk) {
  return is_bulk ? EMU_GROUP_BULK : EMU_GROUP_COPIES;
}

void op_copy_commit(Worker *worker, const Op *op) {
  bool is_bulk = op->instruction->op == IR_BULK_COMMIT;
  EMU_WATCH(worker, commit, emu_who(worker, op, worker->lanes), kind_of(is_bulk));
  LANES_EACH(lane, worker->lanes)
  groups_of(worker, is_bulk)[lane]++;
}

void op_copy_wait(Worker *worker, const Op *op) {
  bool is_bulk = op->instruction->op == IR_BULK_WAIT;
  for (uint32_t todo = worker->lanes; todo;) {
    uint64_t pending = emu_lane(worker, op->src[0], (uint32_t)__builtin_ctz(todo));
    uint32_t same = 0;
    LANES_EACH(lane, todo)
    same |= (uint32_t)(emu_lane(worker, op->src[0], lane) == pending) << lane;
    todo &= ~same;
    EMU_WATCH(worker, await, emu_who(worker, op, same), kind_of(is_bulk),
              pending > UINT32_MAX ? UINT32_MAX : (uint32_t)pending,
              is_bulk && op->instruction->compare);
  }
}

void op_copy_arrive(Worker *worker, const Op *op) {
  const Instruction *instruction = op->instruction;
  uint64_t addresses[LANES];
  uint32_t todo = worker->lanes, waiting = 0;
  Part part;
  emu_find_addresses(worker, op->address, instruction->offset, (Space)instruction->space,
                     addresses);
  while (emu_next_part_of(worker, op, (Space)instruction->space, 8, addresses, &todo, &part))
    LANES_EACH(lane, part.lanes) {
      Block *owner = emu_owner(&part.target);
      EmuMbarrierObject *object =
          owner ? emu_find_mbarrier(owner, addresses[lane] + part.target.seen) : NULL;
      if (object)
        emu_arrive_async(worker, op, owner, object, lane, instruction->compare);
      else
        waiting |= 1u << lane;
    }
  if (waiting)
    emu_wait_for_mbarrier(worker, op, waiting);
}

// --- bulk copies, lane by lane

typedef struct Bulk {
  Target from, to, mbarrier;
  uint64_t from_address, to_address, mbarrier_address, size;
  EmuMbarrierObject *object; // NULL: completes by groups
  uint32_t element_bytes;    // of a reduction
  const AluOperation *alu;   // of one by ATOM_ALU
} Bulk;

static bool is_store(const Op *op) {
  return op->instruction->op == IR_STORE_ASYNC;
}

static bool is_reduction(const Op *op) {
  if (op->instruction->op == IR_TENSOR_COPY)
    return op->instruction->compare;
  return is_store(op) ? op->instruction->atom != ATOM_EXCH : op->instruction->size != 0;
}

static bool find_end(Worker *worker, const Op *op, uint32_t lane, Space space, uint64_t address,
                     uint64_t size, Target *target) {
  TargetResult result = size <= UINT32_MAX
                            ? emu_find_target(worker, space, address, (uint32_t)size, NULL, target)
                            : TARGET_NONE;
  if (result == TARGET_FOUND)
    return true;
  emu_fault_at(worker, op, result == TARGET_GONE ? RULE_USE_AFTER_EXIT : RULE_OUT_OF_BOUNDS,
               1u << lane, address, (uint32_t)size, space);
  emu_exit_lanes(worker, 1u << lane);
  return false;
}

// Shared addresses have 32 bits.
static uint64_t address_of(const Worker *worker, Value base, int64_t offset, uint32_t lane,
                           Space space) {
  uint64_t address = emu_lane(worker, base, lane) + (uint64_t)offset;
  return space == SPACE_SHARED ? address & 0xffffffff : address;
}

// *waits: nobody has initialised the mbarrier.
static bool find_object(Worker *worker, const Op *op, uint32_t lane, int64_t offset, Bulk *bulk,
                        bool *waits) {
  if (op->instruction->src[2].kind == OPERAND_NONE)
    return true;
  bulk->mbarrier_address = address_of(worker, op->src[2], offset, lane, SPACE_SHARED);
  if (!find_end(worker, op, lane, SPACE_SHARED, bulk->mbarrier_address, 8, &bulk->mbarrier))
    return false;
  bulk->object =
      emu_find_mbarrier(emu_owner(&bulk->mbarrier), bulk->mbarrier_address + bulk->mbarrier.seen);
  *waits = !bulk->object;
  return !*waits;
}

static bool find_bulk(Worker *worker, const Op *op, uint32_t lane, Bulk *bulk, bool *waits) {
  const Instruction *copy = op->instruction;
  Space from_space = (Space)copy->conversion, to_space = (Space)copy->space;
  bulk->element_bytes = copy->size;
  bulk->alu = copy->alu;
  bulk->size = is_store(op) ? copy->size : emu_lane(worker, op->src[1], lane) & 0xffffffff;
  bulk->to_address = address_of(worker, op->address, copy->offset, lane, to_space);
  if (!is_store(op)) {
    bulk->from_address = address_of(worker, op->src[0], copy->src[3].constant, lane, from_space);
    if (!find_end(worker, op, lane, from_space, bulk->from_address, bulk->size, &bulk->from))
      return false;
  }
  if (!find_end(worker, op, lane, to_space, bulk->to_address, bulk->size, &bulk->to))
    return false;
  return find_object(worker, op, lane, copy->src[4].constant, bulk, waits);
}

// Each element is an atomic whose result nobody gets.
static void reduce_element(const Op *op, const Bulk *bulk, uint64_t offset, uint64_t operand) {
  uint32_t size = bulk->element_bytes;
  uint64_t old = emu_read(&bulk->to, bulk->to_address + offset, 0, size);
  emu_write(&bulk->to, bulk->to_address + offset, 0, size,
            ir_atom_new_value((AtomOp)op->instruction->atom, bulk->alu, size, old, operand, 0));
}

static void write_bulk(Worker *worker, const Op *op, uint32_t lane, const Bulk *bulk) {
  uint32_t size = bulk->element_bytes;
  if (is_store(op)) {
    uint64_t value = emu_lane(worker, op->src[0], lane);
    if (is_reduction(op))
      reduce_element(op, bulk, 0, value);
    else
      emu_write(&bulk->to, bulk->to_address, 0, size, value);
  } else if (is_reduction(op)) {
    for (uint64_t i = 0; i + size <= bulk->size; i += size)
      reduce_element(op, bulk, i, emu_read(&bulk->from, bulk->from_address + i, 0, size));
  } else {
    bytes_move(emu_at(&bulk->to, bulk->to_address, 0), emu_at(&bulk->from, bulk->from_address, 0),
               bulk->size);
  }
  if (bulk->to.defined && bulk->size)
    emu_define(&bulk->to, bulk->to_address, bulk->size);
}

static EmuBulk describe(Worker *worker, const Op *op, uint32_t lane, const Bulk *bulk) {
  return (EmuBulk){.id = ++worker->block->bulk_count << 32 | worker->block->seen.number,
                   .block = &worker->block->seen,
                   .warp = worker->warp->number,
                   .lane = lane,
                   .instruction = op->instruction,
                   .is_store = is_store(op),
                   .from = bulk->from_address + bulk->from.seen,
                   .to = bulk->to_address + bulk->to.seen,
                   .from_owner = bulk->from.owner,
                   .to_owner = bulk->to.owner,
                   .bytes = (uint32_t)bulk->size,
                   .is_reduction = is_reduction(op),
                   .element_bytes = is_reduction(op) ? bulk->element_bytes : 0,
                   .mbarrier_owner = bulk->object ? bulk->mbarrier.owner : NULL,
                   .mbarrier_offset = bulk->object ? bulk->object->offset : 0,
                   .phase = bulk->object ? bulk->object->phase : 0,
                   .group = worker->warp->bulk_groups[lane]};
}

static void run_bulk(Worker *worker, const Op *op, uint32_t lane, const Bulk *bulk) {
  EmuBulk seen = describe(worker, op, lane, bulk);
  EMU_WATCH(worker, bulk, &seen);
  write_bulk(worker, op, lane, bulk);
  worker->block->accesses += 2;
  worker->block->changes++;
  if (!bulk->object)
    return;
  EMU_WATCH(worker, bulk_done, &seen);
  emu_complete_bytes(worker, emu_owner(&bulk->mbarrier), bulk->object, bulk->size);
}

// Reductions into global memory are atomics, which blocks may synchronise by; so may copies into
// another block.
void op_bulk_copy(Worker *worker, const Op *op) {
  bool has_peers = worker->block->seen.cluster_size > 1;
  if ((is_reduction(op) || has_peers) && emu_defer(worker))
    return;
  uint32_t waiting = 0;
  LANES_EACH(lane, worker->lanes) {
    Bulk bulk = {0};
    bool waits = false;
    if (find_bulk(worker, op, lane, &bulk, &waits))
      run_bulk(worker, op, lane, &bulk);
    waiting |= (uint32_t)waits << lane;
  }
  if (waiting)
    emu_wait_for_mbarrier(worker, op, waiting);
}

// --- the box of a tensor, row by row

// A map that instructions may have written: the bytes are what they are now. Loads before the copy
// show that to watchers.
static const TensorMap *read_map(Worker *worker, uint64_t address, TensorMap *map) {
  Target target;
  uint8_t bytes[TENSOR_MAP_BYTES];
  if (emu_find_target(worker, SPACE_GLOBAL, address, TENSOR_MAP_BYTES, NULL, &target) !=
      TARGET_FOUND)
    return NULL;
  bytes_move(bytes, emu_at(&target, address, 0), sizeof bytes);
  return tensor_decode_map(bytes, map) ? map : NULL;
}

// *written: memory for a map that is not a parameter.
static bool find_box(Worker *worker, const Op *op, uint32_t lane, TensorBox *box,
                     TensorMap *written) {
  static const uint32_t places[TENSOR_PLACE_WORDS] = {1, 3, 4};
  uint64_t address = emu_lane(worker, op->src[0], lane), words[TENSOR_PLACE_WORDS] = {0};
  for (uint32_t i = 0; i < TENSOR_PLACE_WORDS; i++)
    if (op->src[places[i]].ref != REF_NONE)
      words[i] = emu_lane(worker, op->src[places[i]], lane);
  const TensorMap *map = tensor_find_map(worker->emu->program, address);
  if (!map)
    map = read_map(worker, address, written);
  if (tensor_place_box(box, map, (TensorMode)op->instruction->conversion, op->instruction->size,
                       words) &&
      tensor_can_reduce(map, op->instruction->alu))
    return true;
  emu_fault_at(worker, op, RULE_OUT_OF_BOUNDS, 1u << lane, address, TENSOR_MAP_BYTES, SPACE_GLOBAL);
  emu_exit_lanes(worker, 1u << lane);
  return false;
}

// What is outside of the tensor is zero in shared memory.
static bool clear_part(Worker *worker, const Op *op, uint32_t lane, const Bulk *whole,
                       uint64_t offset, uint64_t size) {
  Bulk bulk = *whole;
  bulk.to_address = whole->to_address + offset;
  if (!size)
    return true;
  if (!find_end(worker, op, lane, SPACE_SHARED, bulk.to_address, size, &bulk.to))
    return false;
  bytes_clear(emu_at(&bulk.to, bulk.to_address, 0), size);
  if (bulk.to.defined)
    emu_define(&bulk.to, bulk.to_address, size);
  if (bulk.object)
    emu_complete_bytes(worker, emu_owner(&bulk.mbarrier), bulk.object, size);
  return true;
}

static bool copy_part(Worker *worker, const Op *op, uint32_t lane, const Bulk *whole,
                      uint64_t offset, uint64_t global, uint64_t size) {
  Bulk bulk = *whole;
  bool is_load = op->instruction->space == SPACE_SHARED;
  uint64_t shared = whole->to_address + offset;
  bulk.from_address = is_load ? global : shared;
  bulk.to_address = is_load ? shared : global;
  bulk.size = size;
  if (!find_end(worker, op, lane, is_load ? SPACE_GLOBAL : SPACE_SHARED, bulk.from_address, size,
                &bulk.from) ||
      !find_end(worker, op, lane, is_load ? SPACE_SHARED : SPACE_GLOBAL, bulk.to_address, size,
                &bulk.to))
    return false;
  run_bulk(worker, op, lane, &bulk);
  return true;
}

// `count` elements of a row from element `first` of the box on, which are neighbours in shared
// memory. Those from `low` to `high` - 1 are in the tensor, unless the row is outside.
static bool copy_piece(Worker *worker, const Op *op, uint32_t lane, const Bulk *whole,
                       const TensorBox *box, uint64_t first, uint64_t count) {
  const TensorMap *map = box->map;
  uint64_t bytes = map->element_bytes, global;
  uint64_t offset = tensor_swizzle(map, whole->to_address + first * bytes) - whole->to_address;
  int64_t x = box->corner[0] + (int64_t)(first % map->box[0]), size = map->size[0];
  uint64_t low = x < 0 ? (uint64_t)-x : 0;
  uint64_t high = x + (int64_t)count > size ? (uint64_t)(size > x ? size - x : 0) : count;
  bool is_load = op->instruction->space == SPACE_SHARED;
  if (low >= high || !tensor_find_element(box, first + low, &global))
    return !is_load || clear_part(worker, op, lane, whole, offset, count * bytes);
  return (!is_load || clear_part(worker, op, lane, whole, offset, low * bytes)) &&
         copy_part(worker, op, lane, whole, offset + low * bytes, global, (high - low) * bytes) &&
         (!is_load ||
          clear_part(worker, op, lane, whole, offset + high * bytes, (count - high) * bytes));
}

// *waits: nobody has initialised the mbarrier.
static void copy_box(Worker *worker, const Op *op, uint32_t lane, bool *waits) {
  TensorBox box;
  TensorMap written;
  Bulk whole = {0};
  if (!find_box(worker, op, lane, &box, &written) ||
      !find_object(worker, op, lane, 0, &whole, waits))
    return;
  whole.element_bytes = box.map->element_bytes;
  if (op->instruction->alu)
    whole.alu = tensor_reduction(box.map, op->instruction->alu->op);
  whole.to_address = address_of(worker, op->address, op->instruction->offset, lane, SPACE_SHARED);
  uint64_t count =
      box.map->swizzle ? TENSOR_SWIZZLE_BYTES / box.map->element_bytes : box.map->box[0];
  for (uint64_t i = 0; i < tensor_box_elements(&box); i += count)
    if (!copy_piece(worker, op, lane, &whole, &box, i, count))
      return;
}

void op_tensor_copy(Worker *worker, const Op *op) {
  uint32_t waiting = 0;
  if ((is_reduction(op) || worker->block->seen.cluster_size > 1) && emu_defer(worker))
    return;
  LANES_EACH(lane, worker->lanes) {
    bool waits = false;
    copy_box(worker, op, lane, &waits);
    waiting |= (uint32_t)waits << lane;
  }
  if (waiting)
    emu_wait_for_mbarrier(worker, op, waiting);
}
