#include "explore/kernel_lasso.h"

#include <string.h>

#include "explore/value.h"
#include "ir/alu.h"
#include "ir/memory.h"

enum { WARP = 32, MOST_BYTES = 1 << 20, MOST_REGISTERS = 1 << 20, MOST_ROUND = 1 << 16 };

// --- state

static const Thread *thread_of(const Walk *walk, uint32_t thread) {
  return walk->codes[thread].thread;
}

static uint32_t register_count(const Walk *walk) {
  return walk->first_register[walk->program->thread_count];
}

static uint64_t byte_count(const Walk *walk) {
  return walk->first_byte[walk->program->memory->region_count];
}

static bool measure(Walk *walk, Arena *arena) {
  const Program *program = walk->program;
  const Memory *memory = program->memory;
  walk->first_register = ARENA_ARRAY(arena, uint32_t, program->thread_count + 1);
  walk->first_byte = ARENA_ARRAY(arena, uint64_t, memory->region_count + 1);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    walk->first_register[t + 1] = walk->first_register[t] + thread_of(walk, t)->register_count;
    if (walk->first_register[t + 1] > MOST_REGISTERS)
      return false;
  }
  for (uint32_t i = 0; i < memory->region_count; i++) {
    walk->first_byte[i + 1] = walk->first_byte[i] + memory->regions[i].size;
    if (memory->regions[i].size > MOST_BYTES || walk->first_byte[i + 1] > MOST_BYTES)
      return false;
  }
  return true;
}

bool walk_init(Walk *walk, const Program *program, const Code *codes, Arena *arena) {
  *walk = (Walk){.program = program, .codes = codes};
  if (!measure(walk, arena))
    return false;
  WalkState state = walk_new_state(walk, arena);
  walk->walkers = state.walkers;
  walk->registers = state.registers;
  walk->bytes = state.bytes;
  walk->last_reads = ARENA_ARRAY(arena, WalkAccess, program->thread_count + 1);
  walk->marked_registers = ARENA_ARRAY(arena, uint8_t, register_count(walk) + 1);
  walk->marked_bytes = ARENA_ARRAY(arena, uint8_t, byte_count(walk) + 1);
  return true;
}

void walk_clear_marks(Walk *walk) {
  memset(walk->marked_registers, 0, register_count(walk));
  memset(walk->marked_bytes, 0, byte_count(walk));
}

void walk_restart(Walk *walk) {
  const Program *program = walk->program;
  walk_clear_marks(walk);
  walk_forget_accesses(walk);
  walk->has_failed = false;
  for (uint32_t i = 0; i < program->memory->region_count; i++) {
    const Region *region = &program->memory->regions[i];
    memory_read_initial(region, 0, region->size, walk->bytes + walk->first_byte[i]);
  }
  for (uint32_t t = 0; t < program->thread_count; t++) {
    walk->walkers[t] = (Walker){.status = WALKER_NOT_STARTED};
    for (uint32_t r = 0; r < thread_of(walk, t)->register_count; r++)
      walk->registers[walk->first_register[t] + r] =
          (uint64_t)program->threads[t].registers[r].initial;
  }
}

WalkState walk_new_state(const Walk *walk, Arena *arena) {
  return (WalkState){.walkers = ARENA_ARRAY(arena, Walker, walk->program->thread_count + 1),
                     .registers = ARENA_ARRAY(arena, uint64_t, register_count(walk) + 1),
                     .bytes = ARENA_ARRAY(arena, uint8_t, byte_count(walk) + 1)};
}

void walk_save(const Walk *walk, WalkState *state) {
  memcpy(state->walkers, walk->walkers, walk->program->thread_count * sizeof *state->walkers);
  memcpy(state->registers, walk->registers, register_count(walk) * sizeof *state->registers);
  memcpy(state->bytes, walk->bytes, byte_count(walk));
}

void walk_load(Walk *walk, const WalkState *state) {
  memcpy(walk->walkers, state->walkers, walk->program->thread_count * sizeof *state->walkers);
  memcpy(walk->registers, state->registers, register_count(walk) * sizeof *state->registers);
  memcpy(walk->bytes, state->bytes, byte_count(walk));
}

bool walk_is_at(const Walk *walk, const WalkState *state) {
  for (uint32_t t = 0; t < walk->program->thread_count; t++) {
    const Walker *now = &walk->walkers[t], *then = &state->walkers[t];
    if (now->pc != then->pc || now->status != then->status || now->waits_for != then->waits_for)
      return false;
  }
  return true;
}

void walk_mark_difference(Walk *walk, const WalkState *state) {
  for (uint32_t r = 0; r < register_count(walk); r++)
    walk->marked_registers[r] = walk->registers[r] != state->registers[r];
  for (uint64_t i = 0; i < byte_count(walk); i++)
    walk->marked_bytes[i] = walk->bytes[i] != state->bytes[i];
}

// --- starting and ending

static bool is_finished(const Walk *walk, uint32_t first, uint32_t count) {
  for (uint32_t t = first; t < first + count; t++)
    if (walk->walkers[t].status != WALKER_FINISHED)
      return false;
  return true;
}

static bool grid_is_finished(const Walk *walk, uint32_t grid) {
  const Grid *launch = &walk->program->grids[grid];
  return is_finished(walk, launch->first_thread, launch->thread_count);
}

static bool block_is_finished(const Walk *walk, uint32_t block) {
  const ThreadGroup *threads = &walk->program->blocks[block];
  return is_finished(walk, threads->threads[0], threads->count);
}

static bool block_fits(const Walk *walk, const Grid *grid, uint32_t block) {
  uint32_t running = 0;
  for (uint32_t i = grid->first_block; grid->resident && i < block; i++)
    running += !block_is_finished(walk, i);
  return !grid->resident || running < grid->resident;
}

static bool may_start(const Walk *walk, uint32_t thread) {
  const Thread *starting = &walk->program->threads[thread];
  const Grid *grid = &walk->program->grids[starting->grid];
  for (uint32_t i = 0; i < grid->wait_count; i++)
    if (!grid_is_finished(walk, grid->waits[i]))
      return false;
  return (grid->after == UINT32_MAX || grid_is_finished(walk, grid->after)) &&
         block_fits(walk, grid, starting->block);
}

void walk_start_threads(Walk *walk) {
  for (uint32_t t = 0; t < walk->program->thread_count; t++)
    if (walk->walkers[t].status == WALKER_NOT_STARTED && may_start(walk, t))
      walk->walkers[t].status = WALKER_RUNNING;
}

// --- operands

static void fail(Walk *walk) {
  walk->has_failed = true;
}

static uint64_t number_of(const Walk *walk, uint32_t thread, const Operand *operand) {
  if (operand->kind == OPERAND_REGISTER)
    return walk->registers[walk->first_register[thread] + operand->index];
  return (uint64_t)operand->constant;
}

static bool is_marked(const Walk *walk, uint32_t thread, const Operand *operand) {
  return operand->kind == OPERAND_REGISTER &&
         walk->marked_registers[walk->first_register[thread] + operand->index];
}

// A number that decides what is done next.
static uint64_t deciding_number(Walk *walk, uint32_t thread, const Operand *operand) {
  if (is_marked(walk, thread, operand))
    fail(walk);
  return number_of(walk, thread, operand);
}

static void set_register(Walk *walk, uint32_t thread, uint32_t reg, uint64_t number, bool marked) {
  if (reg == UINT32_MAX)
    return;
  walk->registers[walk->first_register[thread] + reg] = number;
  walk->marked_registers[walk->first_register[thread] + reg] = marked;
}

// --- arithmetic

static void run_alu(Walk *walk, uint32_t thread, const Instruction *instruction) {
  uint64_t operands[ALU_MAX_OPERANDS] = {0}, results[ALU_MAX_RESULTS] = {0};
  bool marked = false;
  for (uint32_t i = 0; i < alu_operand_count(instruction->alu); i++) {
    operands[i] = number_of(walk, thread, &instruction->src[i]);
    marked = marked || is_marked(walk, thread, &instruction->src[i]);
  }
  alu_compute(instruction->alu, operands, results);
  set_register(walk, thread, instruction->dst, results[0], marked);
  for (uint32_t i = 1; i < ALU_MAX_RESULTS; i++)
    set_register(walk, thread, instruction->more[i - 1], results[i], marked);
}

static void run_compute(Walk *walk, uint32_t thread, const Instruction *instruction) {
  const Operand *first = &instruction->src[0], *second = &instruction->src[1];
  int64_t a = (int64_t)number_of(walk, thread, first), b = (int64_t)number_of(walk, thread, second);
  int64_t result = instruction->op == IR_MOVE ? a : ir_compute(instruction->op, a, b);
  set_register(walk, thread, instruction->dst, (uint64_t)result,
               is_marked(walk, thread, first) || is_marked(walk, thread, second));
}

static void run_address(Walk *walk, uint32_t thread, const Instruction *instruction) {
  const Operand *first = &instruction->src[0], *second = &instruction->src[1];
  uint64_t result =
      memory_convert(walk->program, thread, (AddressConversion)instruction->conversion,
                     number_of(walk, thread, first), number_of(walk, thread, second));
  set_register(walk, thread, instruction->dst, result,
               is_marked(walk, thread, first) || is_marked(walk, thread, second));
}

// --- memory

// The bytes that are accessed; NULL: the access is at fault.
static uint8_t *find_bytes(Walk *walk, uint32_t thread, const Instruction *instruction,
                           uint64_t *physical) {
  uint64_t address = deciding_number(walk, thread, &instruction->address);
  const Memory *memory = walk->program->memory;
  const Region *region = NULL;
  if (instruction->size <= 8 &&
      memory_resolve(walk->program, thread, (Space)instruction->space,
                     address + (uint64_t)instruction->offset, physical) == ADDRESS_OK)
    region = memory_find(memory, *physical, instruction->size);
  if (!region || *physical % instruction->size != 0) {
    fail(walk);
    return NULL;
  }
  return walk->bytes + walk->first_byte[region - memory->regions] + (*physical - region->address);
}

static uint64_t read_bytes(const Walk *walk, const uint8_t *bytes, uint32_t size, bool *marked) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++) {
    value |= (uint64_t)bytes[i] << 8 * i;
    *marked = *marked || walk->marked_bytes[bytes - walk->bytes + i];
  }
  return value;
}

static void write_bytes(Walk *walk, uint8_t *bytes, uint32_t size, uint64_t value, bool marked) {
  for (uint32_t i = 0; i < size; i++) {
    bytes[i] = (uint8_t)(value >> 8 * i);
    walk->marked_bytes[bytes - walk->bytes + i] = marked;
  }
}

static uint64_t atomic_value(const Walk *walk, uint32_t thread, const Instruction *instruction,
                             uint64_t old) {
  uint64_t second = number_of(walk, thread, &instruction->src[0]);
  uint64_t third = second;
  if (instruction->atom == ATOM_CAS) {
    third = number_of(walk, thread, &instruction->src[1]);
    if (old != (uint64_t)value_extended((int64_t)second, instruction->size, false))
      return old; // it fails
  }
  return ir_atom_new_value((AtomOp)instruction->atom, instruction->alu, instruction->size, old,
                           second, third);
}

static bool is_result_used(const Walk *walk, uint32_t thread, const Instruction *instruction) {
  return instruction->dst != UINT32_MAX &&
         code_is_live(&walk->codes[thread], walk->walkers[thread].pc + 1, instruction->dst);
}

static void note_change(Walk *walk, WalkAccess access) {
  for (uint32_t i = 0; i < walk->change_count; i++)
    if (walk->changes[i].thread == access.thread && walk->changes[i].address == access.address)
      return;
  if (walk->change_count < WALK_MOST_CHANGES)
    walk->changes[walk->change_count++] = access;
}

// What the instruction leaves behind, and whether that is marked.
static uint64_t new_value(const Walk *walk, uint32_t thread, const Instruction *instruction,
                          uint64_t old, bool *marked) {
  const Operand *first = &instruction->src[0], *second = &instruction->src[1];
  if (instruction->op == IR_LOAD)
    return old;
  *marked = is_marked(walk, thread, first) || (instruction->op != IR_STORE && *marked) ||
            (instruction->op != IR_STORE && is_marked(walk, thread, second));
  if (instruction->op != IR_STORE)
    return atomic_value(walk, thread, instruction, old);
  return (uint64_t)value_extended((int64_t)number_of(walk, thread, first), instruction->size,
                                  false);
}

static void run_access(Walk *walk, uint32_t thread, const Instruction *instruction) {
  WalkAccess access = {thread, walk->walkers[thread].pc, instruction->size, 0, 0, 0};
  uint8_t *bytes = find_bytes(walk, thread, instruction, &access.address);
  bool marked = false, is_signed = instruction->flags & INSTRUCTION_SIGNED;
  if (!bytes)
    return;
  uint64_t old = read_bytes(walk, bytes, access.size, &marked);
  bool marks_new = marked;
  uint64_t fresh = new_value(walk, thread, instruction, old, &marks_new);
  access.found = old;
  access.left = fresh;
  if (walk->shown_count < WALK_MOST_SHOWN)
    walk->shown[walk->shown_count++] = access;
  if (fresh != old)
    note_change(walk, access);
  if (instruction->op != IR_LOAD)
    write_bytes(walk, bytes, access.size, fresh, marks_new);
  if (instruction->op == IR_STORE)
    return;
  if (!marked && is_result_used(walk, thread, instruction))
    walk->last_reads[thread] = access;
  if (instruction->op == IR_LOAD && is_signed)
    old = (uint64_t)value_extended((int64_t)old, access.size, true);
  set_register(walk, thread, instruction->dst, old, marked);
}

void walk_forget_accesses(Walk *walk) {
  walk->change_count = walk->shown_count = 0;
  for (uint32_t t = 0; t < walk->program->thread_count; t++)
    walk->last_reads[t] = (WalkAccess){.thread = t, .instruction = UINT32_MAX};
}

// --- barriers

static bool waits_like(const Walker *a, const Walker *b) {
  return a->status == b->status && a->waits_for == b->waits_for;
}

static void let_go(Walk *walk, uint32_t thread) {
  walk->walkers[thread].status = WALKER_RUNNING;
  walk->walkers[thread].pc++;
}

// Lets the threads of a block go that wait as this one does, if nobody is missing.
static void try_block_barrier(Walk *walk, uint32_t thread) {
  const ThreadGroup *block = &walk->program->blocks[walk->program->threads[thread].block];
  Walker waiting = walk->walkers[thread];
  for (uint32_t i = 0; i < block->count; i++) {
    const Walker *peer = &walk->walkers[block->threads[i]];
    if (peer->status != WALKER_FINISHED && !waits_like(peer, &waiting))
      return;
  }
  for (uint32_t i = 0; i < block->count; i++)
    if (walk->walkers[block->threads[i]].status != WALKER_FINISHED)
      let_go(walk, block->threads[i]);
}

static bool is_in_mask(const Walk *walk, uint32_t thread, uint32_t peer, uint64_t mask) {
  const Thread *threads = walk->program->threads;
  return threads[peer].warp == threads[thread].warp && (mask >> threads[peer].lane & 1) &&
         walk->walkers[peer].status != WALKER_FINISHED;
}

static void try_warp_barrier(Walk *walk, uint32_t thread) {
  const ThreadGroup *block = &walk->program->blocks[walk->program->threads[thread].block];
  Walker waiting = walk->walkers[thread];
  for (uint32_t i = 0; i < block->count; i++)
    if (is_in_mask(walk, thread, block->threads[i], waiting.waits_for) &&
        !waits_like(&walk->walkers[block->threads[i]], &waiting))
      return;
  for (uint32_t i = 0; i < block->count; i++)
    if (is_in_mask(walk, thread, block->threads[i], waiting.waits_for))
      let_go(walk, block->threads[i]);
}

static void try_barriers(Walk *walk, uint32_t thread) {
  if (walk->walkers[thread].status == WALKER_AT_BARRIER)
    try_block_barrier(walk, thread);
  else if (walk->walkers[thread].status == WALKER_AT_WARP)
    try_warp_barrier(walk, thread);
}

// Barriers of the whole block and of warps; those that count threads are not followed.
static void run_barrier(Walk *walk, uint32_t thread, const Instruction *instruction) {
  Walker *walker = &walk->walkers[thread];
  bool is_warp = instruction->op == IR_BARRIER_WARP;
  if (!is_warp &&
      (instruction->barrier != BARRIER_SYNC || instruction->src[1].kind != OPERAND_NONE)) {
    fail(walk);
    return;
  }
  walker->waits_for = deciding_number(walk, thread, &instruction->src[is_warp ? 3 : 0]);
  walker->status = is_warp ? WALKER_AT_WARP : WALKER_AT_BARRIER;
  try_barriers(walk, thread);
}

static void finish(Walk *walk, uint32_t thread) {
  const ThreadGroup *block = &walk->program->blocks[walk->program->threads[thread].block];
  walk->walkers[thread].status = WALKER_FINISHED;
  for (uint32_t i = 0; i < block->count; i++)
    try_barriers(walk, block->threads[i]);
}

// --- instructions

static uint32_t branch_target(Walk *walk, uint32_t thread, const Instruction *instruction) {
  uint32_t next = walk->walkers[thread].pc + 1;
  if (instruction->op == IR_BRANCH_INDEX) {
    uint64_t index = deciding_number(walk, thread, &instruction->src[0]);
    if (index < instruction->target_count)
      return instruction->targets[index];
    fail(walk);
    return next;
  }
  if (instruction->compare == IR_NOP)
    return instruction->target;
  int64_t a = (int64_t)deciding_number(walk, thread, &instruction->src[0]);
  int64_t b = (int64_t)deciding_number(walk, thread, &instruction->src[1]);
  return ir_compute((IrOp)instruction->compare, a, b) ? instruction->target : next;
}

static void run_silent(Walk *walk, uint32_t thread, const Instruction *instruction) {
  switch (instruction->op) {
  case IR_ALU:
    run_alu(walk, thread, instruction);
    break;
  case IR_ADDRESS:
    run_address(walk, thread, instruction);
    break;
  case IR_CLOCK: // may show anything
    set_register(walk, thread, instruction->dst, 0, true);
    break;
  case IR_NOP:
  case IR_NO_EVENT:
  case IR_FENCE:
  case IR_FENCE_PROXY:
  case IR_GRID_DEPENDENTS:
    break;
  default:
    if (instruction->op >= IR_MOVE && instruction->op <= IR_SET_GE)
      run_compute(walk, thread, instruction);
    else
      fail(walk);
  }
}

static bool is_access(const Instruction *instruction) {
  return instruction->op >= IR_LOAD && instruction->op <= IR_RED;
}

// Runs one instruction that is no access; true: the step is over.
static bool run_instruction(Walk *walk, uint32_t thread, const Instruction *instruction) {
  Walker *walker = &walk->walkers[thread];
  if (instruction->op == IR_BARRIER || instruction->op == IR_BARRIER_WARP) {
    run_barrier(walk, thread, instruction);
    return true;
  }
  if (instruction->op == IR_EXIT) {
    walker->pc = thread_of(walk, thread)->instruction_count;
  } else if (instruction->op == IR_BRANCH || instruction->op == IR_BRANCH_INDEX) {
    uint32_t target = branch_target(walk, thread, instruction);
    bool is_backward = target <= walker->pc;
    walker->pc = target;
    return is_backward;
  } else {
    run_silent(walk, thread, instruction);
    walker->pc++;
  }
  return false;
}

void walk_step(Walk *walk, uint32_t thread, bool whole_round) {
  const Thread *code = thread_of(walk, thread);
  Walker *walker = &walk->walkers[thread];
  bool has_accessed = false;
  for (uint32_t i = 0; i < MOST_ROUND && !walk->has_failed; i++) {
    if (walker->pc >= code->instruction_count) {
      finish(walk, thread);
      return;
    }
    const Instruction *instruction = &code->instructions[walker->pc];
    walk->instruction_count++;
    if (!is_access(instruction)) {
      if (run_instruction(walk, thread, instruction))
        return;
      continue;
    }
    if (has_accessed && !whole_round)
      return;
    has_accessed = true;
    run_access(walk, thread, instruction);
    walker->pc++;
  }
}

const char *walk_place_name(const Walk *walk, uint64_t address, uint32_t size, Arena *arena) {
  const Region *region = memory_find(walk->program->memory, address, size);
  if (!region)
    return "memory";
  return memory_place_name(region, address, arena);
}
