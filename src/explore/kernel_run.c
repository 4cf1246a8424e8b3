#include "explore/contended.h"
#include "explore/kernel.h"
#include "explore/kernel_slots.h"
#include "explore/symmetry.h"
#include "ir/alu.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// --- set-up

void kernel_init(Search *search) {
  const Program *program = search->program;
  Arena *arena = search->arena;
  Kernel *kernel = search->kernel = ARENA_NEW(arena, Kernel);
  kernel->exited = ARENA_ARRAY(arena, uint64_t, program->block_count);
  kernel->launched = ARENA_ARRAY(arena, uint64_t, program->block_count);
  kernel->block_started = ARENA_ARRAY(arena, uint64_t, program->block_count);
  kernel->barriers =
      ARENA_ARRAY(arena, KernelBarrier, (size_t)program->block_count * BLOCK_BARRIERS);
  kernel->clusters = ARENA_ARRAY(arena, KernelBarrier, program->block_count);
  kernel->grids = ARENA_ARRAY(arena, KernelGrid, program->grid_count);
  for (uint32_t i = 0; i < COPY_KIND_COUNT; i++)
    kernel->groups[i] = ARENA_ARRAY(arena, uint64_t, program->thread_count);
  kernel->finished_products = ARENA_ARRAY(arena, uint64_t, program->thread_count);
}

// --- operands

ValueId kernel_value(Search *search, uint32_t thread, const Operand *operand) {
  if (operand->kind != OPERAND_REGISTER)
    return values_constant(&search->values, operand->constant);
  return kernel_use(search, thread, (ValueId)search->threads[thread].registers[operand->index]);
}

bool kernel_number(Search *search, uint32_t thread, const Operand *operand, uint64_t *number) {
  int64_t value = operand->constant;
  if (operand->kind == OPERAND_REGISTER) {
    ValueId id =
        kernel_use(search, thread, (ValueId)search->threads[thread].registers[operand->index]);
    if (!value_evaluate(&search->values, &search->graph, id, &value)) {
      set(search, &search->threads[thread].waits_for, id + 1ull);
      return false;
    }
  }
  *number = (uint64_t)value;
  return true;
}

void kernel_set_register(Search *search, uint32_t thread, uint32_t reg, ValueId value) {
  if (reg == UINT32_MAX)
    return;
  set(search, &search->threads[thread].registers[reg], value);
  if (search->symmetry)
    symmetry_set(search, thread, reg, TAINT_NONE);
  if (slots_are_on(search))
    slots_set(search, thread, reg, 0);
}

// --- faults

void search_add_fault(Search *search, RuleNumber rule, RecordPlace place, RecordPlace other) {
  Kernel *kernel = search->kernel;
  uint32_t i = (uint32_t)kernel->fault_count;
  if (i == kernel->fault_capacity)
    kernel->faults = array_grow(search->arena, kernel->faults, i, &kernel->fault_capacity,
                                sizeof *kernel->faults);
  kernel->faults[i] = (Fault){rule, place, other};
  set(search, &kernel->fault_count, i + 1);
}

void kernel_add_fault(Search *search, uint32_t thread, RuleNumber rule) {
  RecordPlace place = {thread, (uint32_t)search->threads[thread].pc};
  search_add_fault(search, rule, place, (RecordPlace){UINT32_MAX, UINT32_MAX});
}

// --- arithmetic

static void set_results(Search *search, uint32_t thread, const Instruction *instruction,
                        const ValueId *results, const Taint *taints, const TicketTaint *tickets) {
  for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++) {
    uint32_t reg = i ? instruction->more[i - 1] : instruction->dst;
    kernel_set_register(search, thread, reg, results[i]);
    if (search->symmetry)
      symmetry_set(search, thread, reg, taints[i]);
    if (slots_are_on(search))
      slots_set(search, thread, reg, tickets[i]);
  }
}

static bool evaluate_operands(Search *search, const ValueId *ids, uint32_t count,
                              uint64_t *numbers) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t number;
    if (!value_evaluate(&search->values, &search->graph, ids[i], &number))
      return false;
    numbers[i] = (uint64_t)number;
  }
  return true;
}

// Some operand waits for a read: the results are remembered as what they will be.
static void postpone_alu(Search *search, const Instruction *instruction, const ValueId *ids,
                         uint32_t count, ValueId *results) {
  ValueId *operands = ARENA_ARRAY(search->arena, ValueId, count + 1);
  for (uint32_t i = 0; i < count; i++)
    operands[i] = ids[i];
  for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
    results[i] = values_add(&search->values, (Value){.kind = VALUE_ALU,
                                                     .flag = (uint8_t)i,
                                                     .alu = instruction->alu,
                                                     .operands = operands,
                                                     .operand_count = count});
}

static void run_alu(Search *search, uint32_t thread, const Instruction *instruction) {
  ValueId ids[ALU_MAX_OPERANDS], results[ALU_MAX_RESULTS] = {0};
  uint64_t operands[ALU_MAX_OPERANDS] = {0}, numbers[ALU_MAX_RESULTS] = {0};
  Taint taints[ALU_MAX_RESULTS] = {0};
  TicketTaint tickets[ALU_MAX_RESULTS] = {0};
  uint32_t count = alu_operand_count(instruction->alu);
  uint32_t result_count = alu_result_count(instruction->alu);
  for (uint32_t i = 0; i < count; i++)
    ids[i] = kernel_value(search, thread, &instruction->src[i]);
  bool is_known = evaluate_operands(search, ids, count, operands);
  if (search->symmetry)
    symmetry_compute(search, thread, instruction, is_known ? operands : NULL, taints);
  if (slots_are_on(search))
    slots_compute(search, thread, instruction, is_known ? operands : NULL, tickets);
  if (!is_known) {
    postpone_alu(search, instruction, ids, count, results);
  } else {
    alu_compute(instruction->alu, operands, numbers);
    for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
      results[i] =
          i < result_count ? values_constant(&search->values, (int64_t)numbers[i]) : results[0];
  }
  set_results(search, thread, instruction, results, taints, tickets);
}

static void run_address(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done) {
  uint64_t address, operand = 0;
  *is_done = kernel_number(search, thread, &instruction->src[0], &address) &&
             kernel_number(search, thread, &instruction->src[1], &operand);
  if (!*is_done)
    return;
  uint64_t result = memory_convert(search->program, thread,
                                   (AddressConversion)instruction->conversion, address, operand);
  Taint taint =
      search->symmetry ? symmetry_convert(search, thread, instruction, address, operand) : 0;
  kernel_set_register(search, thread, instruction->dst,
                      values_constant(&search->values, (int64_t)result));
  if (search->symmetry)
    symmetry_set(search, thread, instruction->dst, taint);
}

// --- grids

static KernelGrid *grid_of(const Search *search, uint32_t thread) {
  return &search->kernel->grids[search->program->threads[thread].grid];
}

static const Grid *launch_of(const Search *search, uint32_t thread) {
  return &search->program->grids[search->program->threads[thread].grid];
}

static bool grid_is_finished(const Search *search, uint32_t grid) {
  return search->kernel->grids[grid].finished == search->program->grids[grid].thread_count;
}

static bool follow_grid(Search *search, uint32_t grid, uint32_t event);

// The grid's events and graph edges: what they wait for is ordered before `event`.
static bool follow_waits(Search *search, const Grid *grid, uint32_t event) {
  for (uint32_t i = 0; i < grid->wait_count; i++)
    if (!follow_grid(search, grid->waits[i], event))
      return false;
  return true;
}

// Everything that the launches before it in its stream did is ordered before `event`.
static bool follow_grid(Search *search, uint32_t grid, uint32_t event) {
  Graph *graph = &search->graph;
  const Grid *before = &search->program->grids[grid];
  KernelGrid *state = &search->kernel->grids[grid];
  if (!state->end) {
    uint32_t end;
    if (!kernel_add_meeting(search, before->first_thread, NULL, 0, &end))
      return false;
    for (uint32_t t = before->first_thread; t < before->first_thread + before->thread_count; t++)
      BITS_EACH(last, graph_row(graph, graph->thread_events, t), graph->words)
    if ((last == graph->last_event[t] || (graph->events[last].flags & EVENT_ASYNC)) &&
        last != end && !graph_add_order(graph, SYNC_API, (uint32_t)last, end))
      return false;
    // A grid comes after the one before it, also where it did not wait for that itself.
    set(search, &state->end, end + 1ull);
    if (!follow_waits(search, before, end) ||
        (before->after != UINT32_MAX && !before->is_dependent &&
         !follow_grid(search, before->after, end)))
      return false;
  }
  return graph_add_order(graph, SYNC_API, (uint32_t)state->end - 1, event);
}

// The place of a block of `count` among those that start.
static uint32_t rank_block(BlockOrder order, uint32_t number, uint32_t count) {
  uint32_t evens = (count + 1) / 2, odds = count / 2;
  switch (order) {
  case BLOCKS_DESCEND:
    return count - 1 - number;
  case BLOCKS_EVEN_FIRST:
    return number / 2 + (number % 2 ? evens : 0);
  case BLOCKS_ODD_FIRST:
    return number / 2 + (number % 2 ? 0 : odds);
  default:
    return number;
  }
}

// Blocks start in one of several orders, as many as fit: which blocks are first is not specified
// (spec F.1).
static bool block_fits(const Search *search, uint32_t thread) {
  const Program *program = search->program;
  const Grid *grid = launch_of(search, thread);
  uint32_t block = program->threads[thread].block, running = 0;
  if (!grid->resident || grid->block_count <= grid->resident)
    return true;
  BlockOrder order = search->contended->block_order;
  uint32_t count = grid->block_count, rank = rank_block(order, block - grid->first_block, count);
  for (uint32_t i = 0; i < count; i++)
    if (rank_block(order, i, count) < rank)
      running += search->kernel->exited[grid->first_block + i] <
                 program->blocks[grid->first_block + i].count;
  return running < grid->resident;
}

bool kernel_can_start(const Search *search, uint32_t thread) {
  const Grid *grid = launch_of(search, thread);
  for (uint32_t i = 0; i < grid->wait_count; i++)
    if (!grid_is_finished(search, grid->waits[i]))
      return false;
  if (grid->after != UINT32_MAX) {
    const Grid *before = &search->program->grids[grid->after];
    bool may_start = grid->is_dependent
                         ? search->kernel->grids[grid->after].launched == before->block_count
                         : grid_is_finished(search, grid->after);
    if (!may_start)
      return false;
  }
  return block_fits(search, thread);
}

static void add_launch_fence(Search *search, uint32_t grid, uint32_t event) {
  Kernel *kernel = search->kernel;
  uint32_t i = (uint32_t)kernel->launch_fence_count;
  if (i == kernel->launch_fence_capacity)
    kernel->launch_fences =
        array_grow(search->arena, kernel->launch_fences, i, &kernel->launch_fence_capacity,
                   sizeof *kernel->launch_fences);
  kernel->launch_fences[i] = (LaunchFence){grid, event};
  set(search, &kernel->launch_fence_count, i + 1);
}

// A release fence before launch_dependents synchronises with the start of the dependent grid, if it
// reaches it (spec E.3).
static void note_launch_fences(Search *search, uint32_t thread) {
  const Graph *graph = &search->graph;
  BITS_EACH(fence, graph_row(graph, graph->thread_events, thread), graph->words)
  if (bits_has(graph->release_fences, (uint32_t)fence) && graph->events[fence].scope >= SCOPE_GPU)
    add_launch_fence(search, search->program->threads[thread].grid, (uint32_t)fence);
}

static bool follow_launch_fences(Search *search, uint32_t thread, uint32_t start) {
  const Kernel *kernel = search->kernel;
  const Thread *threads = search->program->threads;
  for (uint32_t i = 0; i < kernel->launch_fence_count; i++) {
    const LaunchFence *fence = &kernel->launch_fences[i];
    const Event *event = &search->graph.events[fence->event];
    if (fence->grid == launch_of(search, thread)->after &&
        ir_scope_contains((Scope)event->scope, &threads[event->thread].place,
                          &threads[thread].place) &&
        !graph_add_order(&search->graph, SYNC_API, fence->event, start))
      return false;
  }
  return true;
}

bool kernel_start_thread(Search *search, uint32_t thread) {
  const Grid *grid = launch_of(search, thread);
  bool is_dependent = grid->is_dependent && grid->after != UINT32_MAX;
  uint32_t start;
  if (grid->wait_count == 0 &&
      (is_dependent ? search->kernel->launch_fence_count == 0 : grid->after == UINT32_MAX))
    return true;
  if (!search_add_event(search, (Event){.kind = EVENT_BARRIER, .thread = thread}, &start) ||
      !follow_waits(search, grid, start))
    return false;
  if (is_dependent)
    return follow_launch_fences(search, thread, start);
  return grid->after == UINT32_MAX || follow_grid(search, grid->after, start);
}

// Dependents may start once every block has said so, by any of its threads, or has finished. The
// first thread of a block that says so decides: what others do until they say so may be too late.
static void let_dependents_start(Search *search, uint32_t thread, bool is_said) {
  uint64_t *has_launched = &search->kernel->launched[search->program->threads[thread].block];
  if (*has_launched)
    return;
  if (is_said)
    note_launch_fences(search, thread);
  set(search, has_launched, 1);
  set(search, &grid_of(search, thread)->launched, grid_of(search, thread)->launched + 1);
}

bool kernel_finish_thread(Search *search, uint32_t thread) {
  Kernel *kernel = search->kernel;
  uint32_t block = search->program->threads[thread].block;
  set(search, &kernel->exited[block], kernel->exited[block] + 1);
  if (kernel->exited[block] == search->program->blocks[block].count)
    let_dependents_start(search, thread, false);
  set(search, &grid_of(search, thread)->finished, grid_of(search, thread)->finished + 1);
  return kernel_check_barriers(search, block) &&
         kernel_check_cluster(search, search->program->threads[thread].place.cluster);
}

static bool run_grid_wait(Search *search, uint32_t thread, bool *is_done) {
  uint32_t before = launch_of(search, thread)->after, event;
  if (before == UINT32_MAX)
    return true;
  *is_done = grid_is_finished(search, before);
  if (!*is_done) {
    set(search, &search->threads[thread].status, THREAD_AT_GRID);
    return true;
  }
  return search_add_event(search, (Event){.kind = EVENT_BARRIER, .thread = thread}, &event) &&
         follow_grid(search, before, event);
}

// --- one instruction

static void run_trap(Search *search, uint32_t thread, bool *is_done) {
  const Instruction *instruction =
      &search->codes[thread].thread->instructions[search->threads[thread].pc];
  kernel_add_fault(search, thread, instruction->conversion ? RULE_ASSERT : RULE_TRAP);
  *is_done = false;
  set(search, &search->threads[thread].pc, search->codes[thread].thread->instruction_count);
}

static void run_unsupported(Search *search, const Instruction *instruction) {
  search->kernel->unsupported = instruction->text;
  search_halt(search, STOP_UNSUPPORTED);
}

static void commit_group(Search *search, uint32_t thread, CopyKind kind) {
  uint64_t *committed = &search->kernel->groups[kind][thread];
  set(search, committed, *committed + 1);
}

bool kernel_run_instruction(Search *search, uint32_t thread, const Instruction *instruction,
                            bool *is_done) {
  switch (instruction->op) {
  case IR_LOAD:
    return kernel_load(search, thread, instruction, is_done);
  case IR_STORE:
    return kernel_store(search, thread, instruction, is_done);
  case IR_ATOM:
  case IR_RED:
    return kernel_atomic(search, thread, instruction, is_done);
  case IR_ALU:
    run_alu(search, thread, instruction);
    return true;
  case IR_ADDRESS:
    run_address(search, thread, instruction, is_done);
    return true;
  case IR_TRAP:
    run_trap(search, thread, is_done);
    return true;
  case IR_BARRIER:
    return kernel_barrier_arrive(search, thread, instruction, is_done);
  case IR_CLUSTER_ARRIVE:
  case IR_CLUSTER_WAIT:
    return kernel_cluster_arrive(search, thread, instruction);
  case IR_BARRIER_WARP:
  case IR_COLLECTIVE:
    *is_done = false; // the thread moves on when all lanes are there
    return kernel_collective(search, thread, instruction);
  case IR_MBARRIER:
    return kernel_mbarrier(search, thread, instruction, is_done);
  case IR_COPY_ASYNC:
    return kernel_copy(search, thread, instruction, is_done);
  case IR_COPY_COMMIT:
    commit_group(search, thread, COPY_ASYNC);
    return true;
  case IR_BULK_COMMIT:
    commit_group(search, thread, COPY_BULK);
    return true;
  case IR_PRODUCT_COMMIT:
    commit_group(search, thread, COPY_PRODUCT);
    return true;
  case IR_PRODUCT_LOAD:
    return kernel_product_load(search, thread, instruction, is_done);
  case IR_PRODUCT_RESULT:
    kernel_product_result(search, thread, instruction);
    return true;
  case IR_PRODUCT_WAIT:
    return kernel_product_wait(search, thread, instruction, is_done);
  case IR_COPY_WAIT_GROUP:
  case IR_BULK_WAIT:
    return kernel_wait_copies(search, thread, instruction, is_done);
  case IR_COPY_ARRIVE:
    return kernel_copy_arrive(search, thread, instruction, is_done);
  case IR_BULK_COPY:
    return kernel_bulk_copy(search, thread, instruction, is_done);
  case IR_TENSOR_COPY:
    return kernel_tensor_copy(search, thread, instruction, is_done);
  case IR_STORE_ASYNC:
    return kernel_store_async(search, thread, instruction, is_done);
  case IR_GRID_DEPENDENTS:
    let_dependents_start(search, thread, true);
    return true;
  case IR_GRID_WAIT:
    return run_grid_wait(search, thread, is_done);
  case IR_CLOCK:
    kernel_read_clock(search, thread, instruction);
    return true;
  case IR_UNSUPPORTED:
  default:
    run_unsupported(search, instruction);
    *is_done = false;
    return false;
  }
}

bool kernel_try_release(Search *search, uint32_t thread, bool *released) {
  ThreadState *state = &search->threads[thread];
  *released = false;
  switch ((ThreadStatus)state->status) {
  case THREAD_AT_BARRIER:
    return kernel_try_barrier(search, thread, released);
  case THREAD_AT_COLLECTIVE:
    return kernel_try_collective(search, thread, released);
  case THREAD_AT_POLL:
    kernel_try_poll(search, thread, released);
    return true;
  case THREAD_AT_MBARRIER:
    *released =
        search->contended->pace != PACE_LATE_TESTS && kernel_mbarrier_is_ready(search, thread);
    break;
  case THREAD_AT_PRODUCT:
    *released = kernel_product_is_ready(search, thread);
    break;
  case THREAD_AT_TICKET:
    *released = !slots_has_class_ahead(search, thread);
    break;
  case THREAD_AT_GRID:
    *released = grid_is_finished(search, launch_of(search, thread)->after);
    break;
  default:
    return true;
  }
  if (*released)
    set(search, &state->status, THREAD_RUNNING);
  return true;
}
