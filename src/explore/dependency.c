// Syntactic dependencies (spec B.1): the threads are followed once more along the path that they
// took, with sets of reads in place of values. Only judging by text and witnesses need them.
#include "explore/search.h"

#include <string.h>

typedef struct Follower {
  const Search *search;
  Dependencies *result;
  uint32_t thread, words;
  uint32_t next_po;    // position of the next event
  uint64_t *registers; // row for each: reads that its value depends on
  int64_t *numbers;    // value of each register
  uint64_t *control;   // reads that a branch so far depends on
} Follower;

static uint64_t *register_row(const Follower *follower, uint32_t reg) {
  return follower->registers + (size_t)reg * follower->words;
}

static uint32_t find_event(const Follower *follower, uint32_t po_index) {
  const Graph *graph = &follower->search->graph;
  BITS_EACH(event, graph_row(graph, graph->thread_events, follower->thread), graph->words)
  if (graph->events[event].po_index == po_index)
    return (uint32_t)event;
  return EVENT_NONE;
}

static void add_dependencies(const Follower *follower, uint64_t *rows, const uint64_t *reads,
                             uint32_t event) {
  BITS_EACH(read, reads, follower->words)
  bits_add(rows + (size_t)read * follower->words, event);
}

static void add_operand(const Follower *follower, const Operand *operand, uint64_t *row) {
  if (operand->kind == OPERAND_REGISTER)
    for (uint32_t w = 0; w < follower->words; w++)
      row[w] |= register_row(follower, operand->index)[w];
}

static int64_t operand_number(const Follower *follower, const Operand *operand) {
  if (operand->kind == OPERAND_REGISTER)
    return follower->numbers[operand->index];
  if (operand->kind == OPERAND_ADDRESS)
    return follower->search->program->objects[operand->index].address;
  return operand->constant;
}

static void set_register(Follower *follower, uint32_t reg, int64_t number, const uint64_t *row) {
  if (reg == UINT32_MAX)
    return;
  follower->numbers[reg] = number;
  memcpy(register_row(follower, reg), row, follower->words * sizeof *row);
}

// The next event of the thread if this instruction made it.
static uint32_t take_event(Follower *follower, uint32_t instruction) {
  uint32_t event = find_event(follower, follower->next_po);
  if (event == EVENT_NONE || follower->search->graph.events[event].instruction != instruction)
    return EVENT_NONE;
  follower->next_po++;
  add_dependencies(follower, follower->result->control, follower->control, event);
  return event;
}

// All events of one instruction (both halves of an atomic or a copy).
static void follow_memory(Follower *follower, uint32_t pc, const Instruction *instruction,
                          uint64_t *row) {
  const Search *search = follower->search;
  uint32_t event, read = EVENT_NONE;
  add_operand(follower, &instruction->src[0], row);
  add_operand(follower, &instruction->src[1], row);
  uint32_t half_count = 0;
  bool has_written = false;
  while (half_count++ < 2 && (event = take_event(follower, pc)) != EVENT_NONE) {
    if (search->graph.events[event].kind == EVENT_READ) {
      read = event;
      if (instruction->op == IR_LOAD)
        break;
      continue;
    }
    has_written = true;
    add_dependencies(follower, follower->result->data, row, event);
    if (instruction->op == IR_COPY_ASYNC && read != EVENT_NONE)
      bits_add(follower->result->data + (size_t)read * follower->words, event);
    if (instruction->op == IR_STORE)
      break;
  }
  if (read == EVENT_NONE)
    return;
  memset(row, 0, follower->words * sizeof *row);
  bits_add(row, read);
  set_register(follower, instruction->dst, search_event_value(search, read), row);
  if (instruction->flags & INSTRUCTION_SPURIOUS)
    set_register(follower, instruction->more[0], has_written, row);
}

static uint32_t follow_instruction(Follower *follower, uint32_t pc, uint64_t *row) {
  const Instruction *instruction =
      &follower->search->codes[follower->thread].thread->instructions[pc];
  int64_t first = operand_number(follower, &instruction->src[0]);
  int64_t second = operand_number(follower, &instruction->src[1]);
  switch (instruction->op) {
  case IR_LOAD:
  case IR_STORE:
  case IR_ATOM:
  case IR_RED:
  case IR_COPY_ASYNC:
    follow_memory(follower, pc, instruction, row);
    return pc + 1;
  case IR_BRANCH:
    add_operand(follower, &instruction->src[0], follower->control);
    add_operand(follower, &instruction->src[1], follower->control);
    if (instruction->compare == IR_NOP || ir_compute(instruction->compare, first, second))
      return instruction->target;
    return pc + 1;
  case IR_EXIT:
    return follower->search->codes[follower->thread].thread->instruction_count;
  case IR_FENCE:
  case IR_FENCE_PROXY:
  case IR_BARRIER:
  case IR_BARRIER_WARP:
  case IR_CLUSTER_ARRIVE:
  case IR_CLUSTER_WAIT:
  case IR_COPY_WAIT:
    take_event(follower, pc);
    return pc + 1;
  case IR_NOP:
  case IR_NO_EVENT:
    return pc + 1;
  default:
    add_operand(follower, &instruction->src[0], row);
    add_operand(follower, &instruction->src[1], row);
    set_register(follower, instruction->dst,
                 instruction->op == IR_MOVE ? first : ir_compute(instruction->op, first, second),
                 row);
    return pc + 1;
  }
}

static bool has_more(const Follower *follower, uint32_t pc) {
  const ThreadState *state = &follower->search->threads[follower->thread];
  if (follower->next_po < state->po_index)
    return true;
  return pc != state->pc && find_event(follower, follower->next_po) != EVENT_NONE;
}

static void follow_thread(const Search *search, uint32_t thread, Dependencies *result,
                          Arena *arena) {
  const Thread *code = search->codes[thread].thread;
  uint32_t words = search->graph.words;
  Follower follower = {.search = search, .result = result, .thread = thread, .words = words};
  follower.registers = ARENA_ARRAY(arena, uint64_t, (size_t)(code->register_count + 1) * words);
  follower.numbers = ARENA_ARRAY(arena, int64_t, code->register_count + 1);
  follower.control = ARENA_ARRAY(arena, uint64_t, words);
  for (uint32_t r = 0; r < code->register_count; r++)
    follower.numbers[r] = code->registers[r].initial;
  uint64_t *row = ARENA_ARRAY(arena, uint64_t, words);
  uint32_t start = find_event(&follower, 0);
  // The event that stands for the start of a later launch belongs to no instruction.
  if (start != EVENT_NONE && search->graph.events[start].kind == EVENT_BARRIER &&
      !(search->graph.events[start].flags & (EVENT_ARRIVES | EVENT_WAITS)) &&
      code->instructions[0].op != IR_COPY_WAIT)
    follower.next_po = 1;
  for (uint32_t pc = 0; pc < code->instruction_count && has_more(&follower, pc);) {
    memset(row, 0, words * sizeof *row);
    pc = follow_instruction(&follower, pc, row);
  }
}

Dependencies search_dependencies(const Search *search, Arena *arena) {
  size_t size = (size_t)search->graph.capacity * search->graph.words;
  Dependencies result = {.data = ARENA_ARRAY(arena, uint64_t, size),
                         .control = ARENA_ARRAY(arena, uint64_t, size)};
  // Nobody sees what the functions of a guest compute.
  for (uint32_t t = 0; t < search->program->thread_count && !search->guests; t++)
    follow_thread(search, t, &result, arena);
  return result;
}
