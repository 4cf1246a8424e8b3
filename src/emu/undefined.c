#include "emu/undefined.h"

#include "emu/fault.h"
#include "emu/memory.h"
#include "emu/warp.h"

#include "ir/memory.h"
#include "ir/undefined.h"

enum {
  OPERANDS = 6, // src[0] to src[4], and the address
  ADDRESS_OPERAND = 5,
  FORGET_ONE_IN = 16, // basic blocks at whose beginning dead registers are forgotten
};

// --- registers

static Undefined *find(const Warp *warp, Value value) {
  if (value.ref == REF_NONE || (value.ref & 3) != BASE_WARP)
    return NULL;
  return &warp->undefined[(value.ref >> 2) / REGISTER_GRAIN];
}

static uint32_t lanes_of(const Warp *warp, Value value) {
  const Undefined *found = find(warp, value);
  return found ? found->lanes : 0;
}

static uint64_t bits_of(const Warp *warp, Value value, uint32_t lane) {
  const void *at = warp->undefined_bits + (value.ref >> 2);
  if (!(lanes_of(warp, value) >> lane & 1))
    return 0;
  return value.class == CLASS_PREDICATE ? 1
         : value.class == CLASS_32      ? ((const uint32_t *)at)[lane]
                                        : ((const uint64_t *)at)[lane];
}

static uint32_t width_of(Value value) {
  return value.class == CLASS_PREDICATE ? 1
         : value.class == CLASS_64      ? 64
         : value.bits                   ? value.bits
                                        : 32;
}

static void set_lanes(Warp *warp, Undefined *found, uint32_t lanes) {
  warp->undefined_count += (lanes != 0) - (found->lanes != 0);
  found->lanes = lanes;
}

static void define(Warp *warp, Value value, uint32_t lanes) {
  Undefined *found = find(warp, value);
  if (found)
    set_lanes(warp, found, found->lanes & ~lanes);
}

// Bits of a value that the register does not have are dropped.
static void add_bits(Warp *warp, Value value, const UndefinedLanes *undefined, uint32_t origin) {
  Undefined *found = find(warp, value);
  void *at = warp->undefined_bits + (value.ref >> 2);
  uint32_t lanes = 0;
  if (!found || !undefined->lanes)
    return;
  LANES_EACH(lane, undefined->lanes) {
    uint64_t bits = undefined->bits[lane] & ir_low_bits(width_of(value));
    lanes |= (uint32_t)(bits != 0) << lane;
    if (value.class == CLASS_32)
      ((uint32_t *)at)[lane] = (uint32_t)bits;
    else if (value.class == CLASS_64)
      ((uint64_t *)at)[lane] = bits;
  }
  found->origin = origin;
  found->hollow = (found->hollow & ~lanes) | (undefined->hollow & lanes);
  set_lanes(warp, found, found->lanes | lanes);
}

static void add(Warp *warp, Value value, uint32_t lanes, uint32_t origin) {
  UndefinedLanes undefined = {.lanes = lanes, .hollow = lanes};
  for (uint32_t lane = 0; lane < LANES; lane++)
    undefined.bits[lane] = UINT64_MAX;
  add_bits(warp, value, &undefined, origin);
}

static uint32_t op_index(const Worker *worker, const Op *op) {
  return (uint32_t)(op - worker->block->grid->code->ops);
}

void emu_set_undefined(Worker *worker, Value value, uint32_t lanes, const Op *origin) {
  add(worker->warp, value, lanes, op_index(worker, origin));
  emu_leave(worker); // and comes back, watchful
}

void emu_set_undefined_bits(Worker *worker, Value value, const UndefinedLanes *undefined,
                            const Op *origin) {
  add_bits(worker->warp, value, undefined, op_index(worker, origin));
  emu_leave(worker);
}

void emu_begin_undefined(const EmuCode *code, Warp *warp) {
  if (warp->undefined_count)
    memset(warp->undefined, 0, code->bytes[BASE_WARP] / REGISTER_GRAIN * sizeof *warp->undefined);
  warp->undefined_count = 0;
  for (uint32_t i = 0; i < code->undefined.count; i++)
    add(warp, code->undefined.items[i], warp->exists, UINT32_MAX);
}

// Registers that the running lanes will not read again.
static void forget_dead(Worker *worker, uint32_t row) {
  const EmuCode *code = worker->block->grid->code;
  Warp *warp = worker->warp;
  uint32_t live[32], live_count = 0;
  for (uint32_t w = 0; w < code->live_words; w++)
    for (uint64_t bits = code->live_in[(size_t)row * code->live_words + w]; bits;
         bits &= bits - 1) {
      const Undefined *found = find(warp, code->places[w * 64 + (uint32_t)__builtin_ctzll(bits)]);
      if (!found || !found->lanes)
        continue;
      if (live_count == sizeof live / sizeof *live)
        return;
      live[live_count++] = (uint32_t)(found - warp->undefined);
    }
  uint32_t count = code->bytes[BASE_WARP] / REGISTER_GRAIN;
  for (uint32_t i = 0; i < count; i++) {
    bool is_live = !warp->undefined[i].lanes;
    for (uint32_t j = 0; j < live_count && !is_live; j++)
      is_live = live[j] == i;
    if (!is_live)
      set_lanes(warp, &warp->undefined[i], warp->undefined[i].lanes & ~worker->lanes);
  }
}

static void enter_block(Worker *worker, uint32_t index) {
  const EmuCode *code = worker->block->grid->code;
  uint32_t row = code->live_in ? code->live_row[index] : UINT32_MAX;
  if (row != UINT32_MAX && worker->warp->watched_blocks++ % FORGET_ONE_IN == 0)
    forget_dead(worker, row);
}

// --- what is reported

static void report(Worker *worker, const Op *op, uint32_t origin, uint32_t lanes) {
  const Op *from = origin == UINT32_MAX ? op : &worker->block->grid->code->ops[origin];
  emu_fault(worker, from, RULE_UNINITIALISED, lanes, origin == UINT32_MAX ? NULL : op->instruction);
}

// Each value is reported at its first use.
static void report_use(Worker *worker, const Op *op, Value value, uint32_t lanes) {
  Undefined *found = find(worker->warp, value);
  if (!found || !(found->lanes & lanes))
    return;
  report(worker, op, found->origin, found->lanes & lanes);
  set_lanes(worker->warp, found, found->lanes & ~lanes);
}

// --- arithmetic

// What an op does with undefined values, found before it runs: it may write where they were.
typedef struct Step {
  uint32_t lanes;               // that execute it
  uint32_t undefined[OPERANDS]; // of each operand
  uint32_t any;
} Step;

static UndefinedInputs inputs_of(const Worker *worker, const Op *op, uint32_t lane) {
  UndefinedInputs inputs = {0};
  for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++) {
    if (op->src[i].ref == REF_NONE)
      continue;
    const Undefined *found = find(worker->warp, op->src[i]);
    inputs.values[i] = emu_lane(worker, op->src[i], lane);
    inputs.bits[i] = bits_of(worker->warp, op->src[i], lane);
    if (inputs.bits[i])
      inputs.hollow |= (found->hollow >> lane & 1) << i;
  }
  return inputs;
}

static void find_results(const Worker *worker, const Op *op, const Step *step,
                         UndefinedLanes results[ALU_MAX_RESULTS]) {
  for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
    results[i].lanes = results[i].hollow = 0;
  LANES_EACH(lane, step->any) {
    UndefinedInputs inputs = inputs_of(worker, op, lane);
    UndefinedResults found = ir_undefined_results(op->instruction, &inputs);
    for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++) {
      results[i].bits[lane] = found.bits[i];
      results[i].lanes |= (uint32_t)(found.bits[i] != 0) << lane;
      results[i].hollow |= (uint32_t)(found.bits[i] && found.is_hollow) << lane;
    }
  }
}

// --- memory

static bool is_local_lane(const Worker *worker, const Op *op, uint32_t lane) {
  uint64_t address = emu_lane(worker, op->address, lane) + (uint64_t)op->instruction->offset;
  return op->instruction->space == SPACE_LOCAL ||
         (op->instruction->space == SPACE_GENERIC &&
          address - MEMORY_LOCAL_WINDOW < MEMORY_WINDOW_SIZE);
}

static bool is_shared_lane(const Worker *worker, const Op *op, uint32_t lane) {
  uint64_t address = emu_lane(worker, op->address, lane) + (uint64_t)op->instruction->offset;
  return op->instruction->space == SPACE_SHARED ||
         (op->instruction->space == SPACE_GENERIC &&
          address - MEMORY_SHARED_WINDOW < MEMORY_WINDOW_SIZE);
}

static bool is_from_shuffle(const Worker *worker, uint32_t origin) {
  return origin != UINT32_MAX &&
         worker->block->grid->code->ops[origin].instruction->op == IR_COLLECTIVE;
}

// Lanes that store an undefined value where it will be taken for one. Types are copied with padding
// and with unused bits, but those come from memory; threads exchange items that some of them do not
// have by shared memory: these may never be used.
static uint32_t lanes_that_publish(const Worker *worker, const Op *op, Value value,
                                   uint32_t lanes) {
  const Undefined *found = find(worker->warp, value);
  uint64_t stored = ir_low_bits(8 * op->instruction->size);
  uint32_t publishing = 0;
  bool is_exchange = found && !is_from_shuffle(worker, found->origin);
  LANES_EACH(lane, is_exchange ? lanes & found->hollow : lanes)
  publishing |= (uint32_t)((bits_of(worker->warp, value, lane) & stored) &&
                           !is_local_lane(worker, op, lane) &&
                           !(is_exchange && is_shared_lane(worker, op, lane)))
                << lane;
  return publishing;
}

// The parts of a value that is stored in local memory: one, or two words of 16 bytes.
typedef struct StoredBits {
  UndefinedLanes words[2];
  uint32_t count;
} StoredBits;

static void find_stored(const Worker *worker, const Op *op, const uint32_t undefined[],
                        StoredBits *stored) {
  stored->count = op->instruction->size > sizeof(uint64_t) ? 2 : 1;
  for (uint32_t i = 0; i < stored->count; i++) {
    stored->words[i].lanes = 0;
    LANES_EACH(lane, undefined[i]) {
      stored->words[i].lanes |= (uint32_t)is_local_lane(worker, op, lane) << lane;
      stored->words[i].bits[lane] = bits_of(worker->warp, op->src[i], lane);
    }
  }
}

static void undefine_local(Worker *worker, const Op *op, const StoredBits *stored) {
  const Instruction *store = op->instruction;
  uint32_t size = store->size / stored->count;
  for (uint32_t i = 0; i < stored->count; i++)
    LANES_EACH(lane, stored->words[i].lanes) {
      Target target;
      uint64_t address = emu_lane(worker, op->address, lane) + (uint64_t)store->offset + i * size;
      if (emu_find_target(worker, (Space)store->space, address, size, NULL, &target) !=
          TARGET_FOUND)
        continue;
      emu_undefine_local(&target, address, lane, size, stored->words[i].bits[lane]);
      worker->block->has_local_bits = true;
    }
}

// --- one op

static Value operand(const Op *op, uint32_t i) {
  return i == ADDRESS_OPERAND ? op->address : op->src[i];
}

static Step prepare(Worker *worker, const Op *op) {
  Step step = {.lanes = worker->lanes};
  if (op->guard.ref != REF_NONE) {
    uint32_t holds = *(const uint32_t *)emu_ref(worker, op->guard.ref);
    report_use(worker, op, op->guard, worker->lanes);
    step.lanes &= op->guard_is_negated ? ~holds : holds;
  }
  for (uint32_t i = 0; i < OPERANDS; i++) {
    step.undefined[i] = lanes_of(worker->warp, operand(op, i)) & step.lanes;
    step.any |= step.undefined[i];
  }
  return step;
}

static uint32_t origin_of(const Worker *worker, const Op *op, const Step *step) {
  for (uint32_t i = 0; i < OPERANDS; i++)
    if (step->undefined[i])
      return find(worker->warp, operand(op, i))->origin;
  return UINT32_MAX;
}

static void define_results(Worker *worker, const Op *op, const Step *step) {
  define(worker->warp, op->dst, step->lanes);
  for (uint32_t i = 0; i < 3; i++)
    define(worker->warp, op->more[i], step->lanes);
}

static void compute(Worker *worker, const Op *op, const Step *step) {
  UndefinedLanes results[ALU_MAX_RESULTS];
  uint32_t origin = step->any ? origin_of(worker, op, step) : 0;
  if (step->any)
    find_results(worker, op, step, results);
  define_results(worker, op, step);
  for (uint32_t i = 0; step->any && i < ALU_MAX_RESULTS; i++)
    add_bits(worker->warp, i ? op->more[i - 1] : op->dst, &results[i], origin);
  op->run(worker, op);
}

static void report_operands(Worker *worker, const Op *op, const Step *step, uint32_t operands) {
  for (uint32_t i = 0; i < OPERANDS; i++)
    if (operands >> i & 1)
      report_use(worker, op, operand(op, i), step->undefined[i]);
}

static void store(Worker *worker, const Op *op, const Step *step) {
  StoredBits stored;
  report_operands(worker, op, step, 1u << ADDRESS_OPERAND);
  for (uint32_t i = 0; i < 2; i++) // two words of 16 bytes
    report_use(worker, op, op->src[i],
               lanes_that_publish(worker, op, op->src[i], step->undefined[i]));
  find_stored(worker, op, step->undefined, &stored);
  op->run(worker, op);
  undefine_local(worker, op, &stored);
}

static void run_step(Worker *worker, const Op *op, const Step *step) {
  const Instruction *instruction = op->instruction;
  if (instruction->op == IR_COLLECTIVE) {
    op->run(worker, op); // its lanes are only known there: emu_watch_collective
    return;
  }
  if (ir_is_computation(instruction)) {
    compute(worker, op, step);
    return;
  }
  if (instruction->op == IR_STORE && step->any) {
    store(worker, op, step);
    return;
  }
  report_operands(worker, op, step, UINT32_MAX);
  define_results(worker, op, step);
  op->run(worker, op);
}

void emu_run_watchful(Worker *worker, const Op *op) {
  Step step = prepare(worker, op);
  enter_block(worker, op_index(worker, op)); // where the guard that led here is not alive any more
  run_step(worker, op, &step);
  if (!worker->warp->undefined_count)
    emu_leave(worker); // and comes back without
}

// --- collectives

// What lanes take from others that do not have it.
static void take_undefined(const Warp *warp, const Op *op, uint32_t lanes, const uint8_t *from,
                           UndefinedLanes *taken) {
  const Undefined *source = find(warp, op->src[0]);
  taken->lanes = taken->hollow = 0;
  LANES_EACH(lane, source ? lanes : 0) {
    uint64_t bits = lanes >> from[lane] & 1 ? bits_of(warp, op->src[0], from[lane]) : 0;
    taken->bits[lane] = bits;
    taken->lanes |= (uint32_t)(bits != 0) << lane;
    taken->hollow |= (source->hollow >> from[lane] & 1) << lane;
  }
  taken->hollow &= taken->lanes;
}

void emu_watch_collective(Worker *worker, const Op *op, uint32_t lanes, const uint8_t *from) {
  Warp *warp = worker->warp;
  UndefinedLanes taken;
  uint32_t absent = 0;
  Step step = {.lanes = lanes};
  taken.lanes = taken.hollow = 0;
  for (uint32_t i = 1; warp->undefined_count && i < OPERANDS - 1; i++)
    report_use(worker, op, op->src[i], lanes);
  if (!from)
    report_use(worker, op, op->src[0], lanes);
  LANES_EACH(lane, from ? lanes : 0)
  absent |= (uint32_t) !(lanes >> from[lane] & 1) << lane;
  if (from && warp->undefined_count)
    take_undefined(warp, op, lanes, from, &taken);
  uint32_t origin = taken.lanes ? find(warp, op->src[0])->origin : 0;
  if (warp->undefined_count)
    define_results(worker, op, &step);
  add_bits(warp, op->dst, &taken, origin);
  if (absent)
    emu_set_undefined(worker, op->dst, absent, op);
}
