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

static void set_lanes(Warp *warp, Undefined *found, uint32_t lanes) {
  warp->undefined_count += (lanes != 0) - (found->lanes != 0);
  found->lanes = lanes;
}

static void define(Warp *warp, Value value, uint32_t lanes) {
  Undefined *found = find(warp, value);
  if (found)
    set_lanes(warp, found, found->lanes & ~lanes);
}

static void add(Warp *warp, Value value, uint32_t lanes, uint32_t origin) {
  Undefined *found = find(warp, value);
  if (!found || !lanes)
    return;
  found->origin = origin;
  set_lanes(warp, found, found->lanes | lanes);
}

static uint32_t op_index(const Worker *worker, const Op *op) {
  return (uint32_t)(op - worker->block->grid->code->ops);
}

void emu_set_undefined(Worker *worker, Value value, uint32_t lanes, const Op *origin) {
  add(worker->warp, value, lanes, op_index(worker, origin));
  emu_leave(worker); // and comes back, watchful
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

// Lanes whose result is undefined, of those in which an operand is.
static uint32_t undefined_results(const Worker *worker, const Op *op,
                                  const uint32_t undefined[OPERANDS], uint32_t lanes) {
  const Instruction *instruction = op->instruction;
  uint32_t results = lanes;
  bool is_binary = instruction->op >= IR_ADD && instruction->op <= IR_SET_GE;
  if (instruction->op != IR_ALU && !is_binary)
    return results;
  uint32_t count = is_binary ? 2 : alu_operand_count(instruction->alu);
  LANES_EACH(lane, lanes) {
    UndefinedInputs inputs = {0};
    for (uint32_t i = 0; i < count; i++) {
      inputs.values[i] = emu_lane(worker, op->src[i], lane);
      inputs.undefined |= (undefined[i] >> lane & 1) << i;
    }
    if (ir_is_result_defined(instruction, &inputs))
      results &= ~(1u << lane);
  }
  return results;
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

// Lanes that store an undefined value where it will be taken for one. Threads exchange items that
// some of them do not have by shared memory: these may never be used.
static uint32_t lanes_that_publish(const Worker *worker, const Op *op, Value value,
                                   uint32_t lanes) {
  const Undefined *found = find(worker->warp, value);
  uint32_t publishing = 0;
  bool is_exchange = found && !is_from_shuffle(worker, found->origin);
  LANES_EACH(lane, lanes)
  publishing |= (uint32_t)(!is_local_lane(worker, op, lane) &&
                           !(is_exchange && is_shared_lane(worker, op, lane)))
                << lane;
  return publishing;
}

static void undefine_local(Worker *worker, const Op *op, uint32_t lanes) {
  const Instruction *store = op->instruction;
  LANES_EACH(lane, lanes) {
    Target target;
    uint64_t address = emu_lane(worker, op->address, lane) + (uint64_t)store->offset;
    if (is_local_lane(worker, op, lane) &&
        emu_find_target(worker, (Space)store->space, address, store->size, NULL, &target) ==
            TARGET_FOUND)
      emu_undefine_local(&target, address, lane, store->size);
  }
}

// --- one op

// What an op does with undefined values, found before it runs: it may write where they were.
typedef struct Step {
  uint32_t lanes;               // that execute it
  uint32_t undefined[OPERANDS]; // of each operand
  uint32_t any;
} Step;

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

static void give_results(Worker *worker, const Op *op, const Step *step, uint32_t undefined) {
  uint32_t origin = undefined ? origin_of(worker, op, step) : 0;
  define(worker->warp, op->dst, step->lanes);
  for (uint32_t i = 0; i < 3; i++)
    define(worker->warp, op->more[i], step->lanes);
  add(worker->warp, op->dst, undefined, origin);
  for (uint32_t i = 0; i < 3; i++)
    add(worker->warp, op->more[i], undefined, origin);
}

static void report_operands(Worker *worker, const Op *op, const Step *step, uint32_t operands) {
  for (uint32_t i = 0; i < OPERANDS; i++)
    if (operands >> i & 1)
      report_use(worker, op, operand(op, i), step->undefined[i]);
}

static bool is_arithmetic(const Instruction *instruction) {
  return instruction->op == IR_ALU || instruction->op == IR_MOVE || instruction->op == IR_ADDRESS ||
         instruction->op == IR_PRODUCT_RESULT || instruction->op == IR_CLOCK ||
         (instruction->op >= IR_ADD && instruction->op <= IR_SET_GE);
}

static void store(Worker *worker, const Op *op, const Step *step) {
  uint32_t undefined = step->undefined[0];
  report_operands(worker, op, step, 1u << ADDRESS_OPERAND);
  for (uint32_t i = 0; i < 2; i++) // two words of 16 bytes
    report_use(worker, op, op->src[i],
               lanes_that_publish(worker, op, op->src[i], step->undefined[i]));
  op->run(worker, op);
  undefine_local(worker, op, undefined);
}

static void run_step(Worker *worker, const Op *op, const Step *step) {
  const Instruction *instruction = op->instruction;
  if (instruction->op == IR_COLLECTIVE) {
    op->run(worker, op); // its lanes are only known there: emu_watch_collective
    return;
  }
  if (is_arithmetic(instruction)) {
    uint32_t undefined = step->any ? undefined_results(worker, op, step->undefined, step->any) : 0;
    give_results(worker, op, step, undefined);
    op->run(worker, op);
    return;
  }
  if (instruction->op == IR_STORE && step->any) {
    store(worker, op, step);
    return;
  }
  report_operands(worker, op, step, UINT32_MAX);
  give_results(worker, op, step, 0);
  op->run(worker, op);
}

void emu_run_watchful(Worker *worker, const Op *op) {
  enter_block(worker, op_index(worker, op));
  Step step = prepare(worker, op);
  run_step(worker, op, &step);
  if (!worker->warp->undefined_count)
    emu_leave(worker); // and comes back without
}

// --- collectives

void emu_watch_collective(Worker *worker, const Op *op, uint32_t lanes, const uint8_t *from) {
  Warp *warp = worker->warp;
  uint32_t value = lanes_of(warp, op->src[0]), absent = 0, undefined = 0;
  Step step = {.lanes = lanes};
  for (uint32_t i = 1; warp->undefined_count && i < OPERANDS - 1; i++)
    report_use(worker, op, op->src[i], lanes);
  if (!from)
    report_use(worker, op, op->src[0], lanes);
  for (uint32_t lane = 0; from && lane < LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    absent |= (uint32_t) !(lanes >> from[lane] & 1) << lane;
    undefined |= (value >> from[lane] & 1) << lane;
  }
  uint32_t origin = undefined ? find(warp, op->src[0])->origin : 0;
  if (warp->undefined_count)
    give_results(worker, op, &step, 0);
  add(warp, op->dst, undefined & ~absent, origin);
  if (absent)
    emu_set_undefined(worker, op->dst, absent, op);
}
