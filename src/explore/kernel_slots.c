// Tickets in registers, and who has which.
#include "explore/kernel_slots.h"

#include "explore/contended.h"
#include "explore/kernel.h"

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

// --- giving up

static uint64_t place_of(const Search *search, uint32_t thread, const Instruction *instruction) {
  const Thread *code = search->codes[thread].thread;
  return (uint64_t)code->grid << 32 | (uint64_t)(instruction - code->instructions);
}

static void deny_place(Search *search, uint64_t place) {
  search_start_again(search, (Restart){.kind = RESTART_TICKETS, .address = place});
}

void slots_deny(Search *search, uint32_t counter) {
  deny_place(search, search->slots->counters[counter]->place);
}

void slots_split(Search *search, uint32_t counter, uint64_t rank) {
  const TicketCounter *split = search->slots->counters[counter];
  const Location *location = &search->graph.locations[split->location];
  uint64_t number = split->first + split->step * rank, splits = 0;
  if (location->size < sizeof number)
    number &= (1ull << 8 * location->size) - 1;
  for (uint32_t i = 0; i < search->contended->splits.count; i++) {
    const TicketSplit *other = &search->contended->splits.items[i];
    splits += other->address != location->address ? 0
              : other->number == number           ? CONTENDED_MOST_SPLITS
                                                  : 1;
  }
  if (splits >= CONTENDED_MOST_SPLITS)
    slots_deny(search, counter);
  else
    search_start_again(
        search, (Restart){.kind = RESTART_SPLIT, .address = location->address, .number = number});
}

void slots_deny_asked(Search *search) {
  deny_place(search, search->slots->asked - 1);
}

// --- which atomics

static bool is_denied(const Search *search, uint64_t place) {
  const Contended *contended = search->contended;
  for (uint32_t i = 0; i < contended->told_apart.count; i++)
    if (contended->told_apart.items[i] == place)
      return true;
  return false;
}

static bool is_integer_add(const Instruction *instruction) {
  if (instruction->atom != ATOM_ALU || instruction->alu->op != ALU_ADD)
    return false;
  switch ((AluType)instruction->alu->type) {
  case ALU_TYPE_U32:
  case ALU_TYPE_S32:
  case ALU_TYPE_U64:
  case ALU_TYPE_S64:
    return true;
  default:
    return false;
  }
}

static bool find_step(Search *search, uint32_t thread, const Instruction *instruction,
                      int64_t *step) {
  return value_evaluate(&search->values, &search->graph,
                        kernel_value(search, thread, &instruction->src[0]), step) &&
         *step != 0;
}

bool slots_may_hand_out(Search *search, uint32_t thread, const Instruction *instruction,
                        uint32_t location) {
  ModelKind kind = search->options->model->kind;
  int64_t step;
  return (kind == MODEL_KIND_PTX || kind == MODEL_KIND_PTX60) && search_merges(search) &&
         !search_is_contended(search, location) && !search_is_sampled(search, location) &&
         is_integer_add(instruction) && find_step(search, thread, instruction, &step) &&
         !is_denied(search, place_of(search, thread, instruction));
}

// --- set-up

static void begin(Search *search) {
  const Program *program = search->program;
  Slots *slots = search->slots = ARENA_NEW(search->arena, Slots);
  uint32_t capacity = search->graph.capacity;
  slots->registers = ARENA_ARRAY(search->arena, TicketTaint *, program->thread_count);
  for (uint32_t t = 0; t < program->thread_count; t++)
    slots->registers[t] =
        ARENA_ARRAY(search->arena, TicketTaint, search->codes[t].thread->register_count + 1);
  slots->event_taints = ARENA_ARRAY(search->arena, TicketTaint, capacity);
  slots->ranks = ARENA_ARRAY(search->arena, uint32_t, capacity);
  slots->starts = ARENA_ARRAY(search->arena, uint32_t, capacity);
  slots->are_accesses = ARENA_ARRAY(search->arena, uint64_t, search->graph.words);
}

// --- registers

TicketTaint slots_operand(const Search *search, uint32_t thread, const Operand *operand) {
  return operand->kind == OPERAND_REGISTER ? search->slots->registers[thread][operand->index] : 0;
}

TicketTaint slots_add_value(Search *search, TicketValue value) {
  Slots *slots = search->slots;
  uint32_t i = (uint32_t)slots->value_count;
  if (i == slots->value_capacity)
    slots->values =
        array_grow(search->arena, slots->values, i, &slots->value_capacity, sizeof *slots->values);
  slots->values[i] = value;
  set(search, &slots->value_count, i + 1);
  return i + 1ull;
}

void slots_set(Search *search, uint32_t thread, uint32_t reg, TicketTaint taint) {
  if (reg != UINT32_MAX && search->slots->registers[thread][reg] != taint)
    set(search, &search->slots->registers[thread][reg], taint);
}

bool slots_has_live_taint(const Search *search, uint32_t thread) {
  const Code *code = &search->codes[thread];
  for (uint32_t r = 0; r < code->thread->register_count; r++)
    if (search->slots->registers[thread][r] &&
        code_is_live(code, (uint32_t)search->threads[thread].pc, r))
      return true;
  return false;
}

// A register that is what it was then is so with every ticket; one that only has the same number
// need not be.
void slots_check_header(Search *search, uint32_t thread, const HeaderVisit *visit) {
  const Code *code = &search->codes[thread];
  const Slots *slots = search->slots;
  for (uint32_t r = 0; r < code->thread->register_count; r++) {
    TicketTaint taint = slots->registers[thread][r];
    if (taint && search->threads[thread].registers[r] != visit->registers[r] &&
        code_is_live(code, (uint32_t)search->threads[thread].pc, r))
      slots_deny(search, slots->values[taint - 1].counter);
  }
}

// --- computations

// What the computation gives with another ticket.
static void compute_with(const TicketCheck *check, uint64_t rank, uint64_t *results) {
  uint64_t operands[ALU_MAX_OPERANDS];
  for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++)
    operands[i] = check->operands[i] + check->operand_steps[i] * (rank - check->rank);
  alu_compute(check->alu, operands, results);
}

static uint64_t result_mask(const AluSignature *signature, uint32_t i) {
  uint32_t bits = alu_type_bits((AluType)signature->results[i]);
  return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

static bool check_holds(const TicketCheck *check, uint64_t first, uint64_t end) {
  AluSignature signature = alu_signature(check->alu);
  for (uint64_t rank = first; rank < end; rank++) {
    uint64_t results[ALU_MAX_RESULTS] = {0};
    compute_with(check, rank, results);
    for (uint32_t i = 0; i < signature.result_count; i++)
      if ((check->results[i] + check->result_steps[i] * (rank - check->rank) - results[i]) &
          result_mask(&signature, i))
        return false;
  }
  return true;
}

static bool is_comparison(const AluOperation *alu) {
  return (alu->op == ALU_SETP || alu->op == ALU_SET) && alu->compare != ALU_COMPARE_EQ &&
         alu->compare != ALU_COMPARE_NE;
}

// A ticket from which on a comparison comes out otherwise than before; 0: there is none.
static uint64_t find_split(const TicketCheck *check, uint64_t first, uint64_t end) {
  uint64_t low = check->rank, high = check->rank + 1ull;
  if (!is_comparison(check->alu))
    return 0;
  while (high < end && check_holds(check, high, high + 1))
    high++;
  while (low > first && check_holds(check, low - 1, low))
    low--;
  return high < end ? high : low > first ? low : 0;
}

// What the operands have in common; false: nothing, or more than one ticket, or opaque values.
static bool find_ticket(const Search *search, const TicketTaint *taints, TicketValue *ticket) {
  bool is_found = false;
  for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++) {
    if (!taints[i])
      continue;
    const TicketValue *value = &search->slots->values[taints[i] - 1];
    if (value->is_opaque ||
        (is_found && (value->counter != ticket->counter || value->rank != ticket->rank)))
      return false;
    *ticket = *value;
    is_found = true;
  }
  return is_found;
}

static bool gives_number(const AluOperation *alu) {
  AluSignature signature = alu_signature(alu);
  for (uint32_t i = 0; i < signature.result_count; i++)
    if (alu_type_is_float((AluType)signature.results[i]))
      return false;
  return true;
}

static TicketCheck make_check(const Search *search, const AluOperation *alu,
                              const TicketValue *ticket, const uint64_t *operands,
                              const TicketTaint *taints) {
  TicketCheck check = {.alu = alu, .counter = ticket->counter, .rank = ticket->rank};
  uint64_t next[ALU_MAX_RESULTS] = {0};
  for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++) {
    check.operands[i] = operands[i];
    check.operand_steps[i] = taints[i] ? search->slots->values[taints[i] - 1].step : 0;
  }
  alu_compute(alu, check.operands, check.results);
  if (is_comparison(alu))
    return check; // comes out the same for all of a class
  compute_with(&check, ticket->rank + 1ull, next);
  for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
    check.result_steps[i] = next[i] - check.results[i];
  return check;
}

static bool is_uneven(const Search *search, const AluOperation *alu) {
  const Contended *contended = search->contended;
  for (uint32_t i = 0; i < contended->uneven.count; i++)
    if (contended->uneven.items[i] == alu)
      return true;
  return false;
}

static void add_check(Search *search, const TicketCheck *check) {
  Slots *slots = search->slots;
  uint32_t i = (uint32_t)slots->check_count;
  if (i == slots->check_capacity)
    slots->checks =
        array_grow(search->arena, slots->checks, i, &slots->check_capacity, sizeof *slots->checks);
  slots->checks[i] = *check;
  set(search, &slots->check_count, i + 1);
}

static void set_results(Search *search, const TicketCheck *check, const TicketValue *ticket,
                        TicketTaint *results) {
  uint64_t first, end;
  slots_find_generation(search, ticket->counter, ticket->rank, &first, &end);
  if (is_uneven(search, check->alu) || !check_holds(check, first, end)) {
    TicketValue value = {.counter = ticket->counter, .rank = ticket->rank, .is_opaque = true};
    uint64_t split = find_split(check, first, end);
    value.split = split ? (uint32_t)split + 1 : 0;
    results[0] = slots_add_value(search, value);
    for (uint32_t i = 1; i < ALU_MAX_RESULTS; i++)
      results[i] = results[0];
    return;
  }
  add_check(search, check);
  for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
    results[i] = check->result_steps[i] ? slots_add_value(search,
                                                          (TicketValue){
                                                              .counter = ticket->counter,
                                                              .rank = ticket->rank,
                                                              .step = check->result_steps[i],
                                                          })
                                        : 0;
}

void slots_compute(Search *search, uint32_t thread, const Instruction *instruction,
                   const uint64_t *operands, TicketTaint *results) {
  TicketTaint taints[ALU_MAX_OPERANDS] = {0}, any = 0;
  TicketValue ticket = {0};
  for (uint32_t i = 0; i < alu_operand_count(instruction->alu); i++) {
    taints[i] = slots_operand(search, thread, &instruction->src[i]);
    any = taints[i] ? taints[i] : any;
  }
  if (!any)
    return;
  if (operands && gives_number(instruction->alu) && find_ticket(search, taints, &ticket)) {
    TicketCheck check = make_check(search, instruction->alu, &ticket, operands, taints);
    set_results(search, &check, &ticket, results);
    return;
  }
  ticket = search->slots->values[any - 1];
  ticket.is_opaque = true;
  for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
    results[i] = slots_add_value(search, ticket);
}

// --- what else may depend on a ticket

static TicketTaint find_taint(const Search *search, uint32_t thread,
                              const Instruction *instruction) {
  TicketTaint taint = slots_operand(search, thread, &instruction->address);
  for (uint32_t i = 0; i < sizeof instruction->src / sizeof *instruction->src && !taint; i++)
    taint = slots_operand(search, thread, &instruction->src[i]);
  return taint;
}

static bool is_plain(const Instruction *instruction) {
  return instruction->sem == SEM_WEAK && !(instruction->flags & INSTRUCTION_VOLATILE) &&
         instruction->proxy == PROXY_GENERIC;
}

// A shuffle passes on what it is given, as a load does; who gets what must not depend on a ticket.
static bool only_passes_on(const Search *search, uint32_t thread, const Instruction *instruction) {
  if (instruction->collective > COLLECTIVE_SHUFFLE_XOR)
    return false;
  for (uint32_t i = 1; i < sizeof instruction->src / sizeof *instruction->src; i++)
    if (slots_operand(search, thread, &instruction->src[i]))
      return false;
  return true;
}

static bool may_depend(const Search *search, uint32_t thread, const Instruction *instruction) {
  TicketTaint address = slots_operand(search, thread, &instruction->address);
  switch (instruction->op) {
  case IR_ALU:
  case IR_MOVE:
    return true;
  case IR_LOAD:
  case IR_STORE:
    return is_plain(instruction) && !(address && search->slots->values[address - 1].is_opaque);
  case IR_COLLECTIVE:
    return only_passes_on(search, thread, instruction);
  default:
    return false;
  }
}

bool slots_allow(Search *search, uint32_t thread, const Instruction *instruction) {
  TicketTaint taint = find_taint(search, thread, instruction);
  if (instruction->map_words) {
    deny_place(search, search->slots->counters[0]->place);
    return false;
  }
  if (!taint || may_depend(search, thread, instruction))
    return true;
  const TicketValue *value = &search->slots->values[taint - 1];
  if (value->split)
    slots_split(search, value->counter, value->split - 1);
  else
    slots_deny(search, value->counter);
  return false;
}

// --- handing out

TicketCounter *slots_find_counter(const Search *search, uint32_t location) {
  for (uint64_t i = search->slots ? search->slots->counter_count : 0; i-- > 0;)
    if (search->slots->counters[i]->location == location)
      return search->slots->counters[i];
  return NULL;
}

// The first ticket that is not ordered before the update; UINT64_MAX: all are.
static uint64_t find_concurrent(const Search *search, const TicketCounter *counter,
                                uint32_t update) {
  const Slots *slots = search->slots;
  uint64_t first = UINT64_MAX;
  uint32_t event = (uint32_t)counter->newest;
  for (uint64_t i = counter->count; i-- > 0; event = search->update_base[event])
    if (!graph_has(&search->graph, search->graph.order_before, update, event))
      first = slots->ranks[event];
  return first;
}

static uint32_t update_of_rank(const Search *search, const TicketCounter *counter, uint64_t rank) {
  uint32_t event = (uint32_t)counter->newest;
  while (search->slots->ranks[event] != rank)
    event = search->update_base[event];
  return event;
}

void slots_find_generation(const Search *search, uint32_t counter, uint32_t rank, uint64_t *first,
                           uint64_t *end) {
  const TicketCounter *found = search->slots->counters[counter];
  *end = found->count;
  *first = found->start;
  while (rank < *first) {
    *end = *first;
    *first = search->slots->starts[update_of_rank(search, found, *end - 1)];
  }
}

// Are all other updates of the location ordered before it, or (may_be_atomic) atomic toward it?
static bool are_others_known(const Search *search, uint32_t update, bool may_be_atomic) {
  const Graph *graph = &search->graph;
  const uint64_t *writes = graph_row(graph, graph->writes_at, graph->events[update].location);
  BITS_EACH(write, writes, graph->words)
  if (write != update && (graph->events[write].flags & EVENT_UPDATE) &&
      !graph_has(graph, graph->order_before, update, (uint32_t)write) &&
      !(may_be_atomic && graph_has(graph, graph->linked, update, (uint32_t)write)))
    return false;
  return true;
}

static TicketCounter *add_counter(Search *search, uint32_t location, uint64_t place, uint64_t step,
                                  uint64_t first) {
  if (!search->slots)
    begin(search);
  Slots *slots = search->slots;
  uint32_t i = (uint32_t)slots->counter_count;
  if (i == slots->counter_capacity)
    slots->counters = array_grow(search->arena, slots->counters, i, &slots->counter_capacity,
                                 sizeof *slots->counters);
  // Its words change through the trail, so that it has to stay where it is.
  TicketCounter *counter = slots->counters[i] = ARENA_NEW(search->arena, TicketCounter);
  *counter = (TicketCounter){
      .number = i, .location = location, .place = place, .step = step, .first = first};
  set(search, &slots->counter_count, i + 1);
  return counter;
}

// The first ticket of the generation of the next one, which goes to the update. It is not of an
// earlier class.
static uint64_t find_start(const Search *search, const TicketCounter *counter, uint32_t update) {
  const Slots *slots = search->slots;
  uint64_t start = counter->start, concurrent = find_concurrent(search, counter, update);
  if (concurrent == UINT64_MAX || counter->class_start == counter->count)
    return counter->count;
  if (concurrent < counter->class_start)
    concurrent = counter->class_start;
  while (start > concurrent)
    start = slots->starts[update_of_rank(search, counter, start - 1)];
  return start;
}

// Has a thread of the same warp, with which the thread may have exchanged values since, taken a
// ticket? (kernel_slots_class.c)
static bool follows_in_warp(const Search *search, uint32_t update) {
  const Graph *graph = &search->graph;
  const Event *added = &graph->events[update];
  const Thread *threads = search->program->threads;
  if (!search->threads[added->thread].exchange)
    return false;
  BITS_EACH(write, graph_row(graph, graph->writes_at, added->location), graph->words) {
    const Event *other = &graph->events[write];
    if (other->thread != added->thread &&
        threads[other->thread].warp == threads[added->thread].warp)
      return true;
  }
  return false;
}

// Notes the class of the next ticket. False: tickets of a class come after those before it, and an
// order that is passed on then is not drawn between updates; or a lane may have waited for another
// one that left its ticket to others.
static bool enter_class(Search *search, TicketCounter *counter, uint32_t update, uint64_t number) {
  const Graph *graph = &search->graph;
  if (counter->count && slots_begins_class(search, counter->location, number)) {
    set(search, &counter->class_start, counter->count);
    set(search, &counter->class_base, counter->newest);
  }
  if (!bits_is_empty(graph_row(graph, graph->heads, update), graph->words))
    set(search, &counter->releases, 1);
  bool has_classes = slots_has_classes(search, counter->location);
  return !(counter->releases && counter->class_start) &&
         !(has_classes && follows_in_warp(search, update));
}

// The next ticket goes to the update: all that was computed with others has to hold for it.
static void hand_out(Search *search, TicketCounter *counter, uint32_t update, uint64_t number) {
  Slots *slots = search->slots;
  if (!enter_class(search, counter, update, number)) {
    slots_deny(search, counter->number);
    return;
  }
  uint64_t rank = counter->count, old_start = counter->start;
  uint64_t start = find_start(search, counter, update);
  slots->ranks[update] = (uint32_t)rank;
  slots->starts[update] = (uint32_t)start;
  set(search, &counter->start, start);
  set(search, &counter->count, rank + 1);
  set(search, &counter->newest, update);
  for (uint64_t i = 0; i < slots->check_count; i++) {
    const TicketCheck *check = &slots->checks[i];
    if (check->counter != counter->number || check->rank < start ||
        check_holds(check, start < old_start ? start : rank, rank + 1))
      continue;
    uint64_t split = find_split(check, start, rank + 1);
    if (split)
      slots_split(search, check->counter, split);
    else
      search_start_again(search, (Restart){.kind = RESTART_UNEVEN, .computation = check->alu});
    return;
  }
}

static bool continues(const Search *search, const TicketCounter *counter, uint32_t update) {
  return counter && search->update_base[update] == counter->newest;
}

void slots_note_update(Search *search, uint32_t thread, const Instruction *instruction,
                       uint32_t update, ValueId old, bool is_used) {
  const Graph *graph = &search->graph;
  TicketCounter *counter = slots_find_counter(search, graph->events[update].location);
  uint64_t place = place_of(search, thread, instruction);
  int64_t number = 0, step = 0;
  set(search, &search->threads[thread].has_turn, 0);
  if (!is_used && !counter)
    return;
  bool is_known = is_integer_add(instruction) && find_step(search, thread, instruction, &step) &&
                  value_evaluate(&search->values, graph, old, &number);
  bool is_next = continues(search, counter, update);
  if (!is_known || !are_others_known(search, update, is_next) ||
      (is_next && counter->step != (uint64_t)step)) {
    deny_place(search, is_used ? place : counter->place);
    return;
  }
  if (!is_next) {
    counter = add_counter(search, graph->events[update].location, place, (uint64_t)step,
                          (uint64_t)number);
    counter->class_base = search->update_base[update];
  }
  hand_out(search, counter, update, (uint64_t)number);
  if (!is_used)
    return;
  kernel_set_result(search, thread, instruction, values_constant(&search->values, number));
  TicketValue ticket = {
      .counter = counter->number, .rank = search->slots->ranks[update], .step = counter->step};
  slots_set(search, thread, instruction->dst, slots_add_value(search, ticket));
}
