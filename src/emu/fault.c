#include "emu/fault.h"

#include "emu/memory.h"
#include "emu/warp.h"

#include "ir/fault.h"

// --- noting

static Fault *add(Block *block, const Instruction *instruction, RuleNumber rule, uint32_t thread,
                  uint32_t count, const Instruction *other) {
  for (uint32_t i = 0; i < block->fault_count; i++) {
    Fault *fault = &block->faults[i];
    if (fault->rule != rule || fault->instruction != instruction || fault->other != other)
      continue;
    fault->count += count;
    return NULL;
  }
  if (block->fault_count == MOST_BLOCK_FAULTS) {
    block->lost_faults++;
    return NULL;
  }
  Fault *fault = &block->faults[block->fault_count++];
  *fault = (Fault){.rule = rule,
                   .instruction = instruction,
                   .other = other,
                   .grid = block->grid->number,
                   .block_in_grid = block->seen.number_in_grid,
                   .thread = thread,
                   .count = count};
  return fault;
}

static uint32_t thread_of(const Worker *worker, uint32_t lanes) {
  return worker->warp->number * LANES + (uint32_t)__builtin_ctz(lanes);
}

void emu_fault(Worker *worker, const Op *op, RuleNumber rule, uint32_t lanes,
               const Instruction *other) {
  add(worker->block, op->instruction, rule, thread_of(worker, lanes),
      (uint32_t)__builtin_popcount(lanes), other);
}

void emu_fault_at(Worker *worker, const Op *op, RuleNumber rule, uint32_t lanes, uint64_t address,
                  uint32_t size, Space space) {
  Fault *fault = add(worker->block, op->instruction, rule, thread_of(worker, lanes),
                     (uint32_t)__builtin_popcount(lanes), NULL);
  if (!fault)
    return;
  fault->address = address;
  fault->size = size;
  fault->space = space;
}

void emu_fault_of(Block *block, const Instruction *instruction, RuleNumber rule, uint32_t thread,
                  const Instruction *other) {
  add(block, instruction, rule, thread, 1, other);
}

// --- collecting

static bool is_same(const Fault *a, const Fault *b) {
  return a->rule == b->rule && a->instruction == b->instruction && a->other == b->other &&
         a->grid == b->grid;
}

void emu_collect_faults(Emu *emu, Block *block) {
  for (uint32_t i = 0; i < block->fault_count; i++) {
    const Fault *fault = &block->faults[i];
    uint32_t found = 0;
    while (found < emu->faults.count && !is_same(&emu->faults.items[found], fault))
      found++;
    if (found < emu->faults.count)
      emu->faults.items[found].count += fault->count;
    else
      array_push(emu->arena, &emu->faults, *fault);
  }
  block->fault_count = 0;
}

// --- reporting

static const char *distance(uint64_t bytes, Arena *arena) {
  return bytes == 1 ? "1 byte" : arena_format(arena, "%llu bytes", (unsigned long long)bytes);
}

// Where an address lies in relation to the memory next to it.
static const char *near_region(const char *name, uint64_t address, uint64_t low, uint64_t size,
                               uint32_t access, Arena *arena) {
  uint64_t end = low + size;
  if (address < low)
    return arena_format(arena, "%s before the beginning of '%s' (%s)",
                        distance(low - address, arena), name, distance(size, arena));
  if (address >= end)
    return address == end
               ? arena_format(arena, "right behind the end of '%s' (%s)", name,
                              distance(size, arena))
               : arena_format(arena, "%s behind the end of '%s' (%s)",
                              distance(address - end, arena), name, distance(size, arena));
  if (access > end - address)
    return arena_format(arena, "it begins in '%s' (%s) and ends behind it", name,
                        distance(size, arena));
  return arena_format(arena, "byte %llu of '%s'", (unsigned long long)(address - low), name);
}

static bool is_in_window(uint64_t address, uint64_t window) {
  return address - window < MEMORY_WINDOW_SIZE;
}

// The region that the address lies in or behind, or the first one.
static const char *near_global(const Emu *emu, const Fault *fault, Arena *arena) {
  const Region *nearest = NULL;
  for (uint32_t i = 0; i < emu->region_count; i++)
    if (!nearest || emu->regions[i].region->address <= fault->address)
      nearest = emu->regions[i].region;
  enum { FAR = 1 << 30 };
  bool is_near = nearest && fault->address + FAR > nearest->address &&
                 fault->address < nearest->address + nearest->size + FAR;
  if (!is_near)
    return arena_format(arena, "address 0x%llx is far from every buffer",
                        (unsigned long long)fault->address);
  return near_region(nearest->name, fault->address, nearest->address, nearest->size, fault->size,
                     arena);
}

// Within a variable by its name.
static const char *near_shared(const Grid *grid, const Fault *fault, Arena *arena) {
  uint64_t address = fault->address & ((1u << MEMORY_RANK_SHIFT) - 1);
  uint64_t end = grid_shared_bytes(grid);
  bool is_inside = address >= GRID_SHARED_START && address < end && fault->size <= end - address;
  return is_inside ? grid_shared_name(grid->code, address - GRID_SHARED_START, arena)
                   : near_region("shared memory", address, GRID_SHARED_START,
                                 end - GRID_SHARED_START, fault->size, arena);
}

static const char *place_text(const Emu *emu, const Fault *fault, Arena *arena) {
  const Grid *grid = &emu->program->grids[fault->grid];
  uint64_t address = fault->address;
  bool is_shared = fault->space == SPACE_SHARED ||
                   (fault->space == SPACE_GENERIC && is_in_window(address, MEMORY_SHARED_WINDOW));
  bool is_local = fault->space == SPACE_LOCAL ||
                  (fault->space == SPACE_GENERIC && is_in_window(address, MEMORY_LOCAL_WINDOW));
  if (is_shared)
    return near_shared(grid, fault, arena);
  if (is_local)
    return near_region("local memory", address & 0xffffffff, GRID_LOCAL_START,
                       grid->code->local_bytes - GRID_LOCAL_START, fault->size, arena);
  return near_global(emu, fault, arena);
}

static const char *others_text(uint32_t count, Arena *arena) {
  if (count < 2)
    return "";
  return count == 2 ? " and 1 other" : arena_format(arena, " and %u others", count - 1);
}

// A finding about a value names its use as the other place, unless the use is all there is.
static const char *text_of(const Fault *fault) {
  if (fault->rule != RULE_UNINITIALISED || fault->size)
    return fault_text_at(fault->rule, fault->instruction);
  if (fault->other == fault->instruction)
    return fault_undefined_text(FAULT_OBJECT);
  return fault_undefined_text(fault->other ? fault_origin_of(fault->instruction) : FAULT_REGISTER);
}

static void report(const Emu *emu, const Fault *fault, DiagList *findings) {
  Arena *arena = findings->arena;
  const Instruction *instruction = fault->instruction;
  const char *thread =
      grid_thread_name(emu->program, fault->grid, fault->block_in_grid, fault->thread, arena);
  Diag *diag = diag_add(findings, rule_get(fault->rule).severity, rule_id(fault->rule),
                        instruction->span, "%s: `%s`, %s%s", text_of(fault), instruction->text,
                        thread, others_text(fault->count, arena));
  fault_note_inlining(findings, diag, instruction);
  if (fault->other && fault->other != fault->instruction)
    diag_note(findings, diag, fault->other->span, "%s: `%s`",
              fault->rule == RULE_UNINITIALISED ? "it is used here" : "the other one",
              fault->other->text);
  if (fault->size)
    diag->reason = arena_format(arena, "%s: %s, %s", distance(fault->size, arena), thread,
                                place_text(emu, fault, arena));
}

void emu_report_faults(Emu *emu, DiagList *findings) {
  for (uint32_t i = 0; i < emu->faults.count; i++)
    report(emu, &emu->faults.items[i], findings);
}

// --- what threads wait for

// Threads that wait at one instruction.
typedef struct Waiting {
  const Op *op;
  FaultWait wait;
  uint32_t grid, block_in_grid, thread;
  uint32_t count;
} Waiting;

typedef ARRAY(Waiting) WaitingList;

static FaultWait wait_of(const Group *group) {
  switch ((GroupState)group->state) {
  case GROUP_AT_BARRIER:
  case GROUP_AT_CLUSTER:
    return FAULT_WAIT_BARRIER;
  case GROUP_AT_COLLECTIVE:
    return FAULT_WAIT_LANES;
  case GROUP_AT_MBARRIER:
    return FAULT_WAIT_MBARRIER;
  case GROUP_AT_PRODUCT:
    return FAULT_WAIT_WARPGROUP;
  case GROUP_AT_GRID:
    return FAULT_WAIT_LAUNCH;
  default:
    return FAULT_WAIT_VALUE;
  }
}

static bool is_poll(const Op *op) {
  switch (op->instruction->op) {
  case IR_LOAD:
  case IR_ATOM:
  case IR_RED:
  case IR_MBARRIER:
    return op->instruction->space != SPACE_LOCAL && op->instruction->space != SPACE_CONST;
  default:
    return false;
  }
}

// Code that is not optimised reads its own variables by such loads.
static bool may_be_of_variable(const Op *op) {
  const Instruction *instruction = op->instruction;
  return instruction->op == IR_LOAD && instruction->space == SPACE_GENERIC &&
         instruction->sem == SEM_WEAK;
}

// What a loop polls, or else where the group is.
static const Op *waiting_op(const Block *block, const Group *group) {
  const Op *ops = block->grid->code->ops, *found = NULL;
  if (wait_of(group) != FAULT_WAIT_VALUE)
    return &ops[group->pc];
  for (uint32_t i = group->loop_begin; i < group->loop_end; i++) {
    if (!is_poll(&ops[i]))
      continue;
    if (!may_be_of_variable(&ops[i]))
      return &ops[i];
    if (!found)
      found = &ops[i];
  }
  return found ? found : &ops[group->pc];
}

static void add_waiting(Emu *emu, WaitingList *list, const Block *block, const Warp *warp,
                        const Group *group) {
  const Op *op = waiting_op(block, group);
  FaultWait wait = wait_of(group);
  uint32_t count = (uint32_t)__builtin_popcount(group->lanes);
  if (wait == FAULT_WAIT_VALUE && op->instruction->op == IR_MBARRIER)
    wait = FAULT_WAIT_MBARRIER;
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].wait == wait &&
        fault_is_same_place(list->items[i].op->instruction, op->instruction)) {
      list->items[i].count += count;
      return;
    }
  array_push(emu->arena, list,
             (Waiting){.op = op,
                       .wait = wait,
                       .grid = block->grid->number,
                       .block_in_grid = block->seen.number_in_grid,
                       .thread = warp->number * LANES + (uint32_t)__builtin_ctz(group->lanes),
                       .count = count});
}

static void find_waiting(Emu *emu, WaitingList *list) {
  for (uint32_t i = 0; i < emu->resident.count; i++) {
    const Block *block = emu->resident.items[i];
    for (uint32_t w = 0; w < block->seen.warp_count; w++)
      for (uint32_t g = 0; g < block->warps[w].group_count; g++)
        if (block->warps[w].groups[g].lanes)
          add_waiting(emu, list, block, &block->warps[w], &block->warps[w].groups[g]);
  }
}

// Do groups of these warps wait at different places, one of them a barrier? Counted barriers are
// there for warps that do different things.
static bool wait_apart(const Block *block, uint32_t first_warp, uint32_t warps) {
  const Op *first = NULL;
  bool has_barrier = false, differs = false;
  for (uint32_t w = first_warp; w < first_warp + warps; w++)
    for (uint32_t g = 0; g < block->warps[w].group_count; g++) {
      const Group *group = &block->warps[w].groups[g];
      if (!group->lanes ||
          (group->state != GROUP_AT_BARRIER && group->state != GROUP_AT_COLLECTIVE))
        continue;
      const Op *op = &block->grid->code->ops[group->pc];
      if (warps > 1 && fault_is_counted_barrier(op->instruction))
        continue;
      has_barrier |= group->state == GROUP_AT_BARRIER;
      differs |= first && first != op;
      first = op;
    }
  return has_barrier && differs;
}

// A barrier in a branch.
static bool is_divergent_block(const Block *block) {
  for (uint32_t w = 0; w < block->seen.warp_count; w++)
    if (wait_apart(block, w, 1))
      return true;
  return wait_apart(block, 0, block->seen.warp_count);
}

static bool is_divergent(const Emu *emu) {
  for (uint32_t i = 0; i < emu->resident.count; i++)
    if (is_divergent_block(emu->resident.items[i]))
      return true;
  return false;
}

static bool polls_plainly(const WaitingList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    const Instruction *instruction = list->items[i].op->instruction;
    if (list->items[i].wait == FAULT_WAIT_VALUE && instruction->op == IR_LOAD &&
        instruction->sem == SEM_WEAK)
      return true;
  }
  return false;
}

// Loops that ask for nothing.
static bool only_loops(const WaitingList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].wait != FAULT_WAIT_VALUE || is_poll(list->items[i].op))
      return false;
  return true;
}

void emu_report_stuck(Emu *emu, DiagList *findings) {
  WaitingList list = {0};
  Diag *diag = NULL;
  find_waiting(emu, &list);
  RuleNumber rule = is_divergent(emu)      ? RULE_BARRIER_DIVERGENCE
                    : polls_plainly(&list) ? RULE_HOISTABLE_POLL
                    : only_loops(&list)    ? RULE_LIVELOCK
                                           : RULE_DEADLOCK;
  for (uint32_t i = 0; i < list.count; i++) {
    const Waiting *waiting = &list.items[i];
    const Instruction *instruction = waiting->op->instruction;
    const char *text = arena_format(
        findings->arena, "%s%s %s: `%s`",
        grid_thread_name(emu->program, waiting->grid, waiting->block_in_grid, waiting->thread,
                         findings->arena),
        waiting->count > 1 ? arena_format(findings->arena, " (and %u others)", waiting->count - 1)
                           : "",
        only_loops(&list) ? "is in a loop that nothing ends" : fault_wait_text(waiting->wait),
        instruction->text);
    if (diag)
      diag_note(findings, diag, instruction->span, "%s", text);
    else
      diag = diag_add(findings, SEVERITY_ERROR, rule_id(rule), instruction->span, "%s", text);
    fault_note_inlining(findings, diag, instruction);
  }
}
