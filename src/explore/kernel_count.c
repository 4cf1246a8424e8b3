// Waits that count: a thread polls so many times, and then gives up. What it finds in the rounds
// between is of no interest: its rounds are skipped up to the last ones.
//
// A round is a failed attempt of an await (machine_loop.c), but for registers that count. These are
// only stepped (added to, copied) and compared. The last two rounds saw the same writes and found
// the same in all registers that do not count, and no round can leave anything else behind. Skipped
// are rounds in which no comparison with a count comes out otherwise, wherever in the code it is.
//
// Nothing is lost. An execution in which a skipped round lets the thread go has a counterpart in
// which an earlier round does: without the rounds between, with the same comparisons. An execution
// that goes through all rounds has one without those that are skipped: its last two rounds are its
// last two, and since loads of one thread never go back to older writes, of more rounds than there
// are writes two on end see the same. Nothing is added: a round that saw what the one before had
// seen can be repeated. (Taking out or repeating such a round changes no order between others.)
// A round may poll by an atomic, if that wrote back what it read, and in the second round saw what
// its thread had left: others' rounds between the two can be taken out.
#include "explore/kernel.h"
#include "explore/symmetry.h"
#include "ir/alu.h"

enum { MOST_EVENTS = 64, OPERANDS = 5 };

typedef struct Counting {
  Search *search;
  uint32_t thread, register_count;
  const Code *code;
  const HeaderVisit *visit;
  bool *is_inside; // of each instruction: it is of the loop
  uint64_t *held;  // of each instruction: a row over the registers that hold a count there
  uint32_t words;  // of a row
  bool *is_known;  // of each register: it holds the number `now`, and grows by `step` in a round
  int64_t *now, *step;
} Counting;

// --- the rounds saw the same

static uint32_t list_events(const Search *search, uint32_t thread, uint64_t from, uint64_t to,
                            uint32_t *events) {
  const Graph *graph = &search->graph;
  uint32_t count = 0;
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[event].po_index >= from && graph->events[event].po_index < to) {
    if (count == MOST_EVENTS)
      return 0;
    events[count++] = (uint32_t)event;
  }
  return count;
}

// An atomic that writes back what it reads sees the same in the second round if that is what its
// thread has left before.
static bool saw_same_source(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  uint64_t first = graph->mate[a], second = graph->mate[b];
  if (graph->source[a] == EVENT_NONE || (first == EVENT_NONE) != (second == EVENT_NONE))
    return false;
  if (first == EVENT_NONE)
    return graph->source[a] == graph->source[b];
  uint64_t seen = graph->source[b];
  return seen < EVENT_INIT && graph->events[seen].thread == graph->events[b].thread &&
         machine_writes_back(search, (uint32_t)seen) &&
         machine_writes_back(search, (uint32_t)first) &&
         machine_writes_back(search, (uint32_t)second);
}

static bool saw_same(const Search *search, uint32_t a, uint32_t b) {
  const Event *first = &search->graph.events[a], *second = &search->graph.events[b];
  if (first->instruction != second->instruction || first->kind != second->kind ||
      first->kind == EVENT_FENCE)
    return first->kind == second->kind && first->instruction == second->instruction;
  if (first->location != second->location || (first->flags | second->flags) & EVENT_EAGER)
    return false;
  // A write is looked at as half of its atomic.
  return first->kind == EVENT_READ
             ? saw_same_source(search, a, b)
             : first->kind == EVENT_WRITE && search->graph.mate[a] != EVENT_NONE &&
                   search->graph.mate[b] != EVENT_NONE;
}

static bool rounds_saw_same(const Counting *counting) {
  const ThreadState *state = &counting->search->threads[counting->thread];
  uint32_t before[MOST_EVENTS], now[MOST_EVENTS];
  uint64_t middle = counting->visit->po_index;
  uint32_t count = list_events(counting->search, counting->thread, middle, state->po_index, now);
  if (!count || count != list_events(counting->search, counting->thread,
                                     counting->visit->older_po_index, middle, before))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!saw_same(counting->search, before[i], now[i]))
      return false;
  return true;
}

// --- the loop

static bool goes_on(const Instruction *instruction) {
  return instruction->op != IR_EXIT &&
         !(instruction->op == IR_BRANCH && instruction->compare == IR_NOP);
}

// Marks what is reached from `from`, or (is_back) from where it is reached.
static void mark_reach(const Thread *code, uint32_t from, bool is_back, bool *marks) {
  bool has_grown = true;
  marks[from] = true;
  while (has_grown) {
    has_grown = false;
    for (uint32_t i = 0; i < code->instruction_count; i++) {
      const Instruction *instruction = &code->instructions[i];
      uint32_t next[2] = {goes_on(instruction) ? i + 1 : UINT32_MAX,
                          instruction->op == IR_BRANCH ? instruction->target : UINT32_MAX};
      for (uint32_t k = 0; k < 2; k++) {
        uint32_t seen = is_back ? next[k] : i, fresh = is_back ? i : next[k];
        if (next[k] == UINT32_MAX || !marks[seen] || marks[fresh])
          continue;
        marks[fresh] = has_grown = true;
      }
    }
  }
}

static bool find_loop(Counting *counting, uint32_t header) {
  const Thread *code = counting->code->thread;
  Arena *arena = counting->search->temporary;
  bool *from = ARENA_ARRAY(arena, bool, code->instruction_count + 1);
  bool *to = ARENA_ARRAY(arena, bool, code->instruction_count + 1);
  for (uint32_t i = 0; i < code->instruction_count; i++)
    if (code->instructions[i].op == IR_BRANCH_INDEX)
      return false;
  mark_reach(code, header, false, from);
  mark_reach(code, header, true, to);
  counting->is_inside = from;
  for (uint32_t i = 0; i <= code->instruction_count; i++)
    from[i] = from[i] && to[i];
  return true;
}

// --- instructions that count

static bool is_whole(AluType type) {
  uint32_t bits = alu_type_bits(type);
  return (bits == 32 || bits == 64) && !alu_type_is_float(type) && type != ALU_TYPE_U16X2 &&
         type != ALU_TYPE_S16X2;
}

// d = s, d = s + constant, d = s - constant: the only register is operand number `*from`.
static bool is_step(const Instruction *instruction, uint32_t *from) {
  const Operand *src = instruction->src;
  *from = 0;
  if (instruction->op == IR_MOVE)
    return true;
  if (instruction->op != IR_ALU || instruction->alu->flags ||
      !is_whole((AluType)instruction->alu->type))
    return false;
  switch ((AluOp)instruction->alu->op) {
  case ALU_MOV:
    return true;
  case ALU_SUB:
    return src[1].kind == OPERAND_CONSTANT;
  case ALU_ADD:
    *from = src[0].kind != OPERAND_REGISTER;
    return src[!*from].kind == OPERAND_CONSTANT;
  default:
    return false;
  }
}

// Bits of what is compared; 0: it is no comparison of whole numbers.
static uint32_t compared_bits(const Instruction *instruction) {
  if (instruction->op == IR_BRANCH && instruction->compare != IR_NOP)
    return 64;
  if (instruction->op != IR_ALU || instruction->alu->op != ALU_SETP)
    return 0;
  AluType type = (AluType)alu_signature(instruction->alu).operands[0];
  return is_whole(type) ? alu_type_bits(type) : 0;
}

// --- steps

// Is the number another one in threads that are taken for alike?
static bool is_personal(const Counting *counting, uint32_t reg) {
  const Symmetry *symmetry = counting->search->symmetry;
  return symmetry && symmetry->taints[counting->thread][reg] != TAINT_NONE;
}

static bool find_number(const Counting *counting, uint64_t value, int64_t *number) {
  enum { MOST_BITS = 62 }; // so that sums fit
  return value_evaluate(&counting->search->values, &counting->search->graph, (ValueId)value,
                        number) &&
         *number < 1ll << MOST_BITS && *number > -(1ll << MOST_BITS);
}

// Of a register: has it grown alike in both rounds?
static bool find_step(Counting *counting, uint32_t reg) {
  const ThreadState *state = &counting->search->threads[counting->thread];
  int64_t older, before, now;
  if (!find_number(counting, state->registers[reg], &now) ||
      !find_number(counting, counting->visit->registers[reg], &before) ||
      !find_number(counting, counting->visit->older[reg], &older) || now - before != before - older)
    return false;
  counting->is_known[reg] = true;
  counting->now[reg] = now;
  counting->step[reg] = now - before;
  return true;
}

static bool is_unchanged(const Counting *counting, uint32_t reg) {
  const ThreadState *state = &counting->search->threads[counting->thread];
  const HeaderVisit *visit = counting->visit;
  return state->registers[reg] == visit->registers[reg] &&
         visit->registers[reg] == visit->older[reg];
}

// False: something else than a count differs, or may differ behind another round.
static bool find_steps(Counting *counting, uint32_t header) {
  const Thread *code = counting->code->thread;
  Arena *arena = counting->search->temporary;
  counting->is_known = ARENA_ARRAY(arena, bool, counting->register_count);
  counting->now = ARENA_ARRAY(arena, int64_t, counting->register_count);
  counting->step = ARENA_ARRAY(arena, int64_t, counting->register_count);
  for (uint32_t r = 0; r < counting->register_count; r++) {
    bool is_live = code_is_live(counting->code, header, r);
    bool has_step = is_unchanged(counting, r) || find_step(counting, r);
    if (!has_step && is_live)
      return false;
    find_step(counting, r);
    if (counting->step[r] && is_live && is_personal(counting, r))
      return false;
  }
  for (uint32_t i = 0; i < code->instruction_count; i++) {
    const Instruction *instruction = &code->instructions[i];
    for (uint32_t k = 0; counting->is_inside[i] && k < ALU_MAX_RESULTS; k++) {
      uint32_t reg = k ? instruction->more[k - 1] : instruction->dst;
      if (reg != UINT32_MAX && !counting->step[reg] && code_is_live(counting->code, header, reg))
        return false;
    }
  }
  return true;
}

// --- where counts are

static bool holds_count(const Counting *counting, uint32_t instruction, const Operand *operand) {
  return operand->kind == OPERAND_REGISTER &&
         bits_has(counting->held + (size_t)instruction * counting->words, operand->index);
}

// The step by which the instruction makes its result of a count; NULL: it does not.
static const Operand *find_source(const Counting *counting, uint32_t instruction) {
  uint32_t from;
  const Instruction *step = &counting->code->thread->instructions[instruction];
  return is_step(step, &from) && holds_count(counting, instruction, &step->src[from])
             ? &step->src[from]
             : NULL;
}

static bool pass_on(Counting *counting, uint32_t to, const uint64_t *row) {
  uint64_t *into = counting->held + (size_t)to * counting->words;
  bool has_grown = false;
  for (uint32_t w = 0; w < counting->words; w++) {
    has_grown |= (row[w] & ~into[w]) != 0;
    into[w] |= row[w];
  }
  return has_grown;
}

// Counts move on behind the instruction.
static bool follow(Counting *counting, uint32_t i, uint64_t *row) {
  const Instruction *instruction = &counting->code->thread->instructions[i];
  const uint64_t *held = counting->held + (size_t)i * counting->words;
  bool has_source = find_source(counting, i) != NULL, has_grown = false;
  for (uint32_t w = 0; w < counting->words; w++)
    row[w] = held[w];
  for (uint32_t k = 0; k < ALU_MAX_RESULTS; k++) {
    uint32_t reg = k ? instruction->more[k - 1] : instruction->dst;
    if (reg != UINT32_MAX)
      bits_remove(row, reg);
  }
  if (has_source)
    bits_add(row, instruction->dst);
  if (goes_on(instruction))
    has_grown = pass_on(counting, i + 1, row);
  if (instruction->op == IR_BRANCH)
    has_grown |= pass_on(counting, instruction->target, row);
  return has_grown;
}

static void find_held(Counting *counting, uint32_t header) {
  uint32_t count = counting->code->thread->instruction_count;
  Arena *arena = counting->search->temporary;
  counting->words = bits_words(counting->register_count + 1);
  counting->held = ARENA_ARRAY(arena, uint64_t, (size_t)(count + 1) * counting->words);
  uint64_t *row = ARENA_ARRAY(arena, uint64_t, counting->words);
  for (uint32_t r = 0; r < counting->register_count; r++)
    if (counting->step[r] && code_is_live(counting->code, header, r))
      bits_add(counting->held + (size_t)header * counting->words, r);
  bool has_grown = true;
  while (has_grown) {
    has_grown = false;
    for (uint32_t i = 0; i < count; i++)
      has_grown |= follow(counting, i, row);
  }
}

// Is the count only compared there, or stepped?
static bool is_used_well(const Counting *counting, uint32_t i) {
  const Instruction *instruction = &counting->code->thread->instructions[i];
  const Operand *source = find_source(counting, i);
  for (uint32_t k = 0; k < OPERANDS; k++)
    if (holds_count(counting, i, &instruction->src[k]) && source != &instruction->src[k] &&
        !(compared_bits(instruction) && k < 2))
      return false;
  return !holds_count(counting, i, &instruction->address);
}

// A step behind the loop, as where a compiler has unrolled it: is it the only one on its way, and
// does that not lead back to the loop?
static bool steps_once(const Counting *counting, uint32_t step, uint32_t header) {
  const Thread *code = counting->code->thread;
  bool *reached = ARENA_ARRAY(counting->search->temporary, bool, code->instruction_count + 1);
  mark_reach(code, step + 1, false, reached);
  for (uint32_t i = 0; i < code->instruction_count; i++) {
    const Operand *source = find_source(counting, i);
    if (reached[i] && source && source->index == code->instructions[step].dst)
      return false;
  }
  return !reached[header];
}

// What is put into a register that grows comes from one that grows alike, at the only place of the
// loop. Other registers may hold a count for a while, but are not stepped further.
static bool steps_are_simple(const Counting *counting, uint32_t header) {
  const Thread *code = counting->code->thread;
  Arena *arena = counting->search->temporary;
  bool *is_stepped = ARENA_ARRAY(arena, bool, counting->register_count);
  uint32_t *places = ARENA_ARRAY(arena, uint32_t, counting->register_count);
  for (uint32_t i = 0; i < code->instruction_count; i++) {
    const Instruction *instruction = &code->instructions[i];
    const Operand *source = find_source(counting, i);
    if (!is_used_well(counting, i) || (source && !counting->step[source->index]) ||
        (source && !counting->is_inside[i] && !steps_once(counting, i, header)))
      return false;
    for (uint32_t k = 0; counting->is_inside[i] && k < ALU_MAX_RESULTS; k++) {
      uint32_t reg = k ? instruction->more[k - 1] : instruction->dst;
      if (reg != UINT32_MAX)
        places[reg]++;
    }
    if (source && counting->is_inside[i] && counting->step[instruction->dst]) {
      if (counting->step[source->index] != counting->step[instruction->dst])
        return false;
      is_stepped[instruction->dst] = true;
    }
  }
  for (uint32_t r = 0; r < counting->register_count; r++) {
    bool is_count = counting->step[r] && code_is_live(counting->code, header, r);
    if ((is_count && !is_stepped[r]) || (is_stepped[r] && places[r] != 1))
      return false;
  }
  return true;
}

// --- comparisons

// Steps for which a number stays on its side of a bound, and within its range. Both it and the last
// two numbers have to be there.
static int64_t steps_to(int64_t number, int64_t step, int64_t bound, int64_t least, int64_t most) {
  int64_t before = number - 2 * step;
  if (number == bound || before == bound || (number > bound) != (before > bound) ||
      before < least || before > most)
    return 0;
  int64_t end =
      step > 0 ? (number > bound ? most : bound - 1) : (number > bound ? bound + 1 : least);
  return (end - number) / step;
}

static int64_t as_signed(int64_t number, uint32_t bits) {
  return bits == 32 ? (int32_t)(uint32_t)number : number;
}

// Whether it is a comparison of signed numbers or not.
static int64_t steps_to_change(int64_t number, int64_t step, int64_t bound, uint32_t bits) {
  int64_t most = 1ll << (bits == 32 ? 32 : 62), half = most / 2;
  int64_t plain = steps_to(number, step, bound, 0, most - 1);
  int64_t other = steps_to(as_signed(number, bits), step, as_signed(bound, bits), -half, half - 1);
  return plain < other ? plain : other;
}

static bool find_bound(const Counting *counting, const Operand *operand, int64_t *bound) {
  uint32_t reg = operand->index;
  *bound = operand->constant;
  if (operand->kind == OPERAND_CONSTANT)
    return true;
  if (operand->kind != OPERAND_REGISTER || !counting->is_known[reg] || counting->step[reg] ||
      is_personal(counting, reg))
    return false;
  const Thread *code = counting->code->thread;
  for (uint32_t i = 0; i < code->instruction_count; i++)
    for (uint32_t k = 0; counting->is_inside[i] && k < ALU_MAX_RESULTS; k++)
      if ((k ? code->instructions[i].more[k - 1] : code->instructions[i].dst) == reg)
        return false;
  *bound = counting->now[reg];
  return true;
}

// How far a number may grow that is compared, by operand number `k` of the instruction.
static int64_t limit_number(const Counting *counting, uint32_t i, uint32_t k, int64_t number,
                            int64_t step) {
  int64_t bound;
  const Instruction *instruction = &counting->code->thread->instructions[i];
  uint32_t bits = compared_bits(instruction);
  if (holds_count(counting, i, &instruction->src[!k]) ||
      !find_bound(counting, &instruction->src[!k], &bound))
    return 0;
  if (bits == 32)
    bound = (int64_t)(uint32_t)bound;
  return steps_to_change(number, step, bound, bits);
}

// The constant that a step adds.
static int64_t added_by(const Instruction *instruction, const Operand *source) {
  if (instruction->op == IR_MOVE || instruction->alu->op == ALU_MOV)
    return 0;
  int64_t constant = instruction->src[source == &instruction->src[0]].constant;
  if (alu_type_bits((AluType)instruction->alu->type) == 32)
    constant = (int32_t)(uint32_t)constant;
  return instruction->alu->op == ALU_SUB ? -constant : constant;
}

// The same for what the register may hold: itself a count, a copy of one, or one that a step behind
// the loop has moved on.
static int64_t limit_register(const Counting *counting, uint32_t i, uint32_t k) {
  const Thread *code = counting->code->thread;
  const Operand *operand = &code->instructions[i].src[k];
  if (!holds_count(counting, i, operand))
    return INT64_MAX;
  int64_t rounds = INT64_MAX, own_step = counting->step[operand->index];
  if (own_step)
    rounds = limit_number(counting, i, k, counting->now[operand->index], own_step);
  for (uint32_t j = 0; j < code->instruction_count; j++) {
    const Operand *source = find_source(counting, j);
    if (!source || code->instructions[j].dst != operand->index ||
        (own_step && counting->is_inside[j]))
      continue;
    int64_t number = counting->now[source->index] + added_by(&code->instructions[j], source);
    int64_t most = limit_number(counting, i, k, number, counting->step[source->index]);
    rounds = most < rounds ? most : rounds;
  }
  return rounds;
}

// Rounds in which every comparison comes out as it did; 0: it is not known.
static int64_t find_rounds(const Counting *counting) {
  const Thread *code = counting->code->thread;
  int64_t rounds = INT64_MAX;
  for (uint32_t i = 0; i < code->instruction_count; i++)
    for (uint32_t k = 0; k < 2 && compared_bits(&code->instructions[i]); k++) {
      int64_t most = limit_register(counting, i, k);
      rounds = most < rounds ? most : rounds;
    }
  return rounds == INT64_MAX ? 0 : rounds;
}

static void skip(const Counting *counting, uint32_t header, int64_t rounds) {
  Search *search = counting->search;
  for (uint32_t r = 0; r < counting->register_count; r++)
    if (counting->step[r] && code_is_live(counting->code, header, r))
      kernel_set_register(
          search, counting->thread, r,
          values_constant(&search->values, counting->now[r] + rounds * counting->step[r]));
}

static void skip_rounds(Counting *counting, uint32_t header) {
  if (!find_loop(counting, header))
    return;
  if (!find_steps(counting, header))
    return;
  find_held(counting, header);
  if (!steps_are_simple(counting, header))
    return;
  // One more round fails before the one that may end otherwise.
  int64_t rounds = find_rounds(counting) - 1;
  const Search *search = counting->search;
  if (rounds > 0 && counting->visit->count + (uint64_t)rounds > search->options->unroll)
    skip(counting, header, rounds);
}

void kernel_skip_rounds(Search *search, uint32_t thread, const HeaderVisit *visit) {
  const ThreadState *state = &search->threads[thread];
  Counting counting = {.search = search,
                       .thread = thread,
                       .code = &search->codes[thread],
                       .register_count = search->codes[thread].thread->register_count,
                       .visit = visit};
  if (!search_merges(search) || visit->count < 2 || visit->effects != state->effects ||
      visit->exchange != state->exchange || !rounds_saw_same(&counting))
    return;
  ArenaMark mark = arena_mark(search->temporary);
  skip_rounds(&counting, (uint32_t)state->pc);
  arena_reset(search->temporary, mark);
}
