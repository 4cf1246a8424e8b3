// A livelock as a cycle of states: memory and registers come back to what they were, and every
// thread that has not ended has taken a step meanwhile, so a fair scheduler may repeat the cycle
// for ever (spec F.1). Loops that only read are `liveness.c`'s; this is for those whose iterations
// write, which the exploration has to cut.
//
// States are those of interleavings of whole memory accesses. They are collected breadth first;
// then the strongly connected components of their graph are found (Tarjan), and one is fair if each
// unfinished thread has a step inside.
#include "explore/livelock.h"

#include <assert.h>
#include <string.h>

#include "base/rules.h"
#include "explore/outcomes.h"

enum { STATE_LIMIT = 1 << 14, STATE_WORD_LIMIT = 1 << 21 };

#define NO_STATE UINT32_MAX

// A step of `thread` from one state to another. Steps are in the order of `from`, then `thread`.
typedef struct Step {
  uint32_t from, to, thread;
  uint32_t instruction; // the access that was made, UINT32_MAX: none
} Step;

typedef struct Component {
  uint32_t number, lowest; // of Tarjan's search; 0: not visited
  uint32_t component;      // NO_STATE: not known yet
  uint32_t next_step;
} Component;

typedef struct Machine {
  const Program *program;
  const Code *codes;
  Arena *arena;
  uint32_t *first_word; // of each thread in a state: pc, then registers; last: of memory
  uint32_t word_count;
  uint32_t state_limit;
  Outcomes states; // the rows
  ARRAY(Step) steps;
  uint32_t *first_step; // of each state
  Component *components;
  uint64_t *movers; // of each component: row over threads that have a step inside
  uint32_t mover_words;
  ARRAY(uint32_t) open; // states of components that are not complete
  ARRAY(uint32_t) path; // states that the search is in
} Machine;

// --- running a thread from a state

static int64_t *registers_of(const Machine *machine, int64_t *state, uint32_t thread) {
  return state + machine->first_word[thread] + 1;
}

static int64_t *memory_of(const Machine *machine, int64_t *state) {
  return state + machine->first_word[machine->program->thread_count];
}

static int64_t operand_number(const Program *program, const Operand *operand,
                              const int64_t *registers) {
  if (operand->kind == OPERAND_REGISTER)
    return registers[operand->index];
  if (operand->kind == OPERAND_ADDRESS)
    return program->objects[operand->index].address;
  return operand->constant;
}

static bool is_access(const Instruction *instruction) {
  return instruction->op >= IR_LOAD && instruction->op <= IR_RED;
}

// Barriers, copies and launches are not followed.
static bool is_followed(const Instruction *instruction) {
  return instruction->op <= IR_FENCE_PROXY || instruction->op == IR_NO_EVENT ||
         instruction->op == IR_BRANCH || instruction->op == IR_EXIT;
}

static void make_access(const Instruction *instruction, int64_t first, int64_t second,
                        int64_t *registers, int64_t *cell) {
  int64_t old = *cell;
  if (instruction->op == IR_STORE)
    *cell = first;
  else if (instruction->op != IR_LOAD)
    *cell = ir_atom_result(instruction->atom, old, first, second);
  if (instruction->op != IR_STORE && instruction->dst != UINT32_MAX)
    registers[instruction->dst] = old;
  if (instruction->flags & INSTRUCTION_SPURIOUS)
    registers[instruction->more[0]] = old == first;
}

// Runs one instruction and returns the place of the next.
static uint32_t run_instruction(const Machine *machine, uint32_t thread, uint32_t pc,
                                int64_t *state) {
  const Thread *code = &machine->program->threads[thread];
  const Instruction *instruction = &code->instructions[pc];
  int64_t *registers = registers_of(machine, state, thread);
  int64_t first = operand_number(machine->program, &instruction->src[0], registers);
  int64_t second = operand_number(machine->program, &instruction->src[1], registers);
  if (instruction->op == IR_EXIT)
    return code->instruction_count;
  if (instruction->op == IR_BRANCH)
    return instruction->compare == IR_NOP || ir_compute(instruction->compare, first, second)
               ? instruction->target
               : pc + 1;
  if (is_access(instruction)) {
    uint32_t location = machine->program->objects[instruction->object].location;
    make_access(instruction, first, second, registers, memory_of(machine, state) + location);
  } else if (instruction->op >= IR_MOVE && instruction->op <= IR_SET_GE &&
             instruction->dst != UINT32_MAX) {
    registers[instruction->dst] = ir_compute(instruction->op, first, second);
  }
  return pc + 1;
}

// States differ only in what may still be read.
static void forget_dead_registers(const Machine *machine, uint32_t thread, uint32_t pc,
                                  int64_t *state) {
  int64_t *registers = registers_of(machine, state, thread);
  for (uint32_t r = 0; r < machine->program->threads[thread].register_count; r++)
    if (!code_is_live(&machine->codes[thread], pc, r))
      registers[r] = 0;
}

// One access at most and what follows it up to the next one; a backward branch ends the step, so
// that a loop without accesses has an end. Returns the instruction that made the access.
static uint32_t take_step(const Machine *machine, uint32_t thread, int64_t *state) {
  const Thread *code = &machine->program->threads[thread];
  uint32_t pc = (uint32_t)state[machine->first_word[thread]], access = UINT32_MAX;
  while (pc < code->instruction_count) {
    if (is_access(&code->instructions[pc])) {
      if (access != UINT32_MAX)
        break;
      access = pc;
    }
    uint32_t next = run_instruction(machine, thread, pc, state);
    bool is_backward = next <= pc;
    pc = next;
    if (is_backward)
      break;
  }
  state[machine->first_word[thread]] = pc;
  forget_dead_registers(machine, thread, pc, state);
  return access;
}

// --- all states

static bool is_finished(const Machine *machine, uint32_t state, uint32_t thread) {
  const int64_t *row = machine->states.values + (size_t)state * machine->word_count;
  return row[machine->first_word[thread]] == machine->program->threads[thread].instruction_count;
}

static void init_machine(Machine *machine) {
  const Program *program = machine->program;
  machine->first_word = ARENA_ARRAY(machine->arena, uint32_t, program->thread_count + 1);
  for (uint32_t t = 0; t < program->thread_count; t++)
    machine->first_word[t + 1] = machine->first_word[t] + 1 + program->threads[t].register_count;
  machine->word_count = machine->first_word[program->thread_count] + program->object_count;
  machine->state_limit = STATE_WORD_LIMIT / machine->word_count;
  if (machine->state_limit > STATE_LIMIT)
    machine->state_limit = STATE_LIMIT;
  outcomes_init(&machine->states, machine->word_count, machine->arena);
  int64_t *state = ARENA_ARRAY(machine->arena, int64_t, machine->word_count);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    int64_t *registers = registers_of(machine, state, t);
    for (uint32_t r = 0; r < program->threads[t].register_count; r++)
      registers[r] = program->threads[t].registers[r].initial;
    forget_dead_registers(machine, t, 0, state);
  }
  for (uint32_t i = 0; i < program->object_count; i++)
    memory_of(machine, state)[program->objects[i].location] =
        program->objects[program->objects[i].location].initial;
  outcomes_add(&machine->states, state, 1);
}

// False: there are too many.
static bool collect_states(Machine *machine) {
  int64_t *state = ARENA_ARRAY(machine->arena, int64_t, machine->word_count);
  machine->first_step = ARENA_ARRAY(machine->arena, uint32_t, machine->state_limit + 1);
  for (uint32_t from = 0; from < machine->states.count; from++) {
    if (machine->states.count + machine->program->thread_count > machine->state_limit)
      return false;
    machine->first_step[from] = machine->steps.count;
    for (uint32_t t = 0; t < machine->program->thread_count; t++) {
      if (is_finished(machine, from, t))
        continue;
      memcpy(state, machine->states.values + (size_t)from * machine->word_count,
             machine->word_count * sizeof *state);
      uint32_t instruction = take_step(machine, t, state);
      uint32_t to = outcomes_add(&machine->states, state, 1);
      array_push(machine->arena, &machine->steps, (Step){from, to, t, instruction});
    }
    machine->first_step[from + 1] = machine->steps.count;
  }
  return true;
}

// --- strongly connected components

static void enter_state(Machine *machine, uint32_t state, uint32_t number) {
  machine->components[state] = (Component){.number = number,
                                           .lowest = number,
                                           .component = NO_STATE,
                                           .next_step = machine->first_step[state]};
  array_push(machine->arena, &machine->open, state);
  array_push(machine->arena, &machine->path, state);
}

// A component is named by the state through which the search entered it.
static void leave_state(Machine *machine, uint32_t state) {
  Component *component = &machine->components[state];
  machine->path.count--;
  if (machine->path.count) {
    Component *parent = &machine->components[machine->path.items[machine->path.count - 1]];
    if (component->lowest < parent->lowest)
      parent->lowest = component->lowest;
  }
  if (component->lowest != component->number)
    return;
  uint32_t member;
  do {
    member = machine->open.items[--machine->open.count];
    machine->components[member].component = state;
  } while (member != state);
}

static void find_components(Machine *machine) {
  uint32_t number = 1;
  machine->components = ARENA_ARRAY(machine->arena, Component, machine->states.count);
  enter_state(machine, 0, number++); // every state can be reached from the first
  while (machine->path.count) {
    uint32_t state = machine->path.items[machine->path.count - 1];
    Component *component = &machine->components[state];
    if (component->next_step == machine->first_step[state + 1]) {
      leave_state(machine, state);
      continue;
    }
    uint32_t to = machine->steps.items[component->next_step++].to;
    Component *target = &machine->components[to];
    if (!target->number)
      enter_state(machine, to, number++);
    else if (target->component == NO_STATE && target->number < component->lowest)
      component->lowest = target->number;
  }
}

// --- a fair one

static bool is_inside(const Machine *machine, const Step *step, uint32_t component) {
  return machine->components[step->from].component == component &&
         machine->components[step->to].component == component;
}

static void find_movers(Machine *machine) {
  machine->mover_words = bits_words(machine->program->thread_count);
  machine->movers =
      ARENA_ARRAY(machine->arena, uint64_t, (size_t)machine->states.count * machine->mover_words);
  for (uint32_t i = 0; i < machine->steps.count; i++) {
    const Step *step = &machine->steps.items[i];
    uint32_t component = machine->components[step->from].component;
    if (is_inside(machine, step, component))
      bits_add(machine->movers + (size_t)component * machine->mover_words, step->thread);
  }
}

// Threads end in no component: those that are unfinished in one state of it are so in all.
static bool is_fair(const Machine *machine, uint32_t component) {
  const uint64_t *movers = machine->movers + (size_t)component * machine->mover_words;
  bool is_any_unfinished = false;
  for (uint32_t t = 0; t < machine->program->thread_count; t++) {
    if (is_finished(machine, component, t))
      continue;
    is_any_unfinished = true;
    if (!bits_has(movers, t))
      return false;
  }
  return is_any_unfinished;
}

static uint32_t find_fair_component(const Machine *machine) {
  for (uint32_t state = 0; state < machine->states.count; state++)
    if (machine->components[state].component == state && is_fair(machine, state))
      return state;
  return NO_STATE;
}

// --- the report

// The first step of `thread` inside.
static const Step *find_step(const Machine *machine, uint32_t component, uint32_t thread) {
  for (uint32_t i = 0; i < machine->steps.count; i++) {
    const Step *step = &machine->steps.items[i];
    if (step->thread == thread && is_inside(machine, step, component))
      return step;
  }
  assert(!"a fair component has steps of each unfinished thread");
  return NULL;
}

static Span span_of(const Machine *machine, const Step *step) {
  const Thread *code = &machine->program->threads[step->thread];
  if (step->instruction == UINT32_MAX)
    return (Span){0};
  return code->instructions[step->instruction].span;
}

static void report(const Machine *machine, uint32_t component, DiagList *findings) {
  Diag *diag = NULL;
  for (uint32_t t = 0; t < machine->program->thread_count; t++) {
    if (is_finished(machine, component, t))
      continue;
    const Step *step = find_step(machine, component, t);
    const char *name = machine->program->threads[t].name;
    if (diag)
      diag_note(findings, diag, span_of(machine, step), "%s goes round in a loop too", name);
    else
      diag = diag_add(findings, SEVERITY_ERROR, rule_id(RULE_LIVELOCK), span_of(machine, step),
                      "%s goes round in a loop that may never end", name);
  }
  diag->reason = "the threads can take turns so that memory and registers come back to what they "
                 "were, though each of them goes on";
}

static bool can_follow(const Program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instruction_count; i++)
      if (!is_followed(&program->threads[t].instructions[i]))
        return false;
  return !program->is_kernel && program->order_count == 0;
}

bool livelock_report(const Program *program, const Code *codes, Arena *arena, DiagList *findings) {
  Machine machine = {.program = program, .codes = codes, .arena = arena};
  if (!can_follow(program))
    return false;
  ArenaMark mark = arena_mark(arena);
  uint32_t component = NO_STATE;
  init_machine(&machine);
  if (collect_states(&machine)) {
    find_components(&machine);
    find_movers(&machine);
    component = find_fair_component(&machine);
  }
  if (component != NO_STATE)
    report(&machine, component, findings);
  arena_reset(arena, mark);
  return component != NO_STATE;
}
