#include "explore/value.h"

#include "ir/alu.h"

#include <assert.h>

void values_init(Values *values, Trail *trail, Arena *arena) {
  *values = (Values){.arena = arena,
                     .trail = trail,
                     .known = ARENA_NEW(arena, KnownValues),
                     .pairs = ARENA_NEW(arena, Pairs)};
}

ValueId values_add(Values *values, Value value) {
  ValueId id = (ValueId)values->count;
  if (id == values->capacity)
    values->items = array_grow(values->arena, values->items, id, &values->capacity, sizeof(Value));
  values->items[id] = value;
  trail_set(values->trail, &values->count, id + 1);
  return id;
}

ValueId values_constant(Values *values, int64_t constant) {
  return values_add(values, (Value){.kind = VALUE_CONSTANT, .constant = constant});
}

// --- pairs

static uint32_t hash_words(uint64_t low, uint64_t high) {
  return (uint32_t)((low * 0x9e3779b97f4a7c15u + high) * 0x9e3779b97f4a7c15u >> 56) % PAIR_HEADS;
}

int64_t values_pair(const Values *values, uint64_t low, uint64_t high) {
  Pairs *pairs = values->pairs;
  uint32_t hash = hash_words(low, high);
  for (uint32_t i = pairs->heads[hash]; i; i = pairs->items[i - 1].next)
    if (pairs->items[i - 1].words[0] == low && pairs->items[i - 1].words[1] == high)
      return i - 1;
  if (pairs->count == pairs->capacity)
    pairs->items = array_grow(values->arena, pairs->items, pairs->count, &pairs->capacity,
                              sizeof *pairs->items);
  pairs->items[pairs->count] = (Pair){{low, high}, pairs->heads[hash]};
  pairs->heads[hash] = ++pairs->count;
  return pairs->count - 1;
}

const uint64_t *values_pair_words(const Values *values, int64_t pair) {
  assert(pair >= 0 && pair < values->pairs->count);
  return values->pairs->items[pair].words;
}

// --- extension

int64_t value_extended(int64_t number, uint32_t size, bool is_signed) {
  if (size >= 8)
    return number;
  uint64_t mask = (1ull << 8 * size) - 1, low = (uint64_t)number & mask;
  if (is_signed && (low >> (8 * size - 1) & 1))
    low |= ~mask;
  return (int64_t)low;
}

static bool evaluate_alu(const Values *values, const Graph *graph, const Value *value,
                         int64_t *number) {
  uint64_t operands[ALU_MAX_OPERANDS] = {0}, results[ALU_MAX_RESULTS] = {0};
  for (uint32_t i = 0; i < value->operand_count; i++) {
    int64_t operand;
    if (!value_evaluate(values, graph, value->operands[i], &operand))
      return false;
    operands[i] = (uint64_t)operand;
  }
  alu_compute(value->alu, operands, results);
  *number = (int64_t)results[value->flag];
  return true;
}

// --- reads

uint8_t value_byte(const Values *values, const Location *location, int64_t number, uint32_t i) {
  enum { WORD_BYTES = 8 };
  if (location->size <= WORD_BYTES)
    return (uint8_t)((uint64_t)number >> 8 * i);
  return (uint8_t)(values_pair_words(values, number)[i / WORD_BYTES] >> 8 * (i % WORD_BYTES));
}

int64_t value_of_bytes(const Values *values, const Location *location, const uint8_t *bytes) {
  uint64_t words[2] = {0};
  for (uint32_t i = 0; i < location->size; i++)
    words[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
  return location->size <= 8 ? (int64_t)words[0] : values_pair(values, words[0], words[1]);
}

ValueId value_add_left(Values *values, const Graph *graph, uint32_t write, uint32_t mask,
                       ValueId next) {
  return values_add(values, (Value){.kind = VALUE_LEFT,
                                    .first = next,
                                    .second = graph->events[write].value,
                                    .event = write,
                                    .constant = mask});
}

// The first of the writes of other locations whose bytes a read sees.
static ValueId first_left(const Graph *graph, uint32_t read) {
  const Event *event = &graph->events[read];
  return event->flags & EVENT_MIXED ? event->value : VALUE_NONE;
}

static bool overlay(const Values *values, const Graph *graph, uint32_t read, int64_t *number) {
  const Location *location = &graph->locations[graph->events[read].location];
  uint64_t source = graph->source[read];
  uint8_t bytes[16];
  for (uint32_t i = 0; i < location->size; i++)
    bytes[i] = value_byte(values, location, *number, i);
  for (ValueId id = first_left(graph, read); id != VALUE_NONE; id = values->items[id].first) {
    const Value *left = &values->items[id];
    const Location *written = &graph->locations[graph->events[left->event].location];
    int64_t other;
    if (!value_evaluate(values, graph, left->second, &other))
      return false;
    if (source != EVENT_INIT &&
        !graph_has(graph, graph->order_after, (uint32_t)source, left->event))
      continue;
    for (uint32_t i = 0; i < location->size; i++)
      if (left->constant >> i & 1)
        bytes[i] = value_byte(values, written, other,
                              (uint32_t)(location->address + i - written->address));
  }
  *number = value_of_bytes(values, location, bytes);
  return true;
}

bool value_of_read(const Values *values, const Graph *graph, uint32_t read, int64_t *number) {
  uint64_t source = graph->source[read];
  if (source == EVENT_NONE)
    return false;
  if (source == EVENT_INIT)
    *number = graph->locations[graph->events[read].location].initial;
  else if (!value_evaluate(values, graph, graph->events[source].value, number))
    return false;
  return !(graph->events[read].flags & EVENT_MIXED) || overlay(values, graph, read, number);
}

// --- known numbers

static bool is_known(const Values *values, ValueId id) {
  const KnownValues *known = values->known;
  uint32_t index = values->items[id].known_index;
  return index < known->count && known->items[index] == id;
}

static void remember(const Values *values, ValueId id, int64_t number) {
  KnownValues *known = values->known;
  uint32_t count = (uint32_t)known->count;
  if (count == known->capacity)
    known->items =
        array_grow(values->arena, known->items, count, &known->capacity, sizeof *known->items);
  known->items[count] = id;
  values->items[id].known_index = count;
  values->items[id].constant = number;
  trail_set(values->trail, &known->count, count + 1);
}

void values_forget(Values *values, uint64_t from, uint64_t to) {
  for (uint64_t i = from; i < to; i++)
    values->known->items[i] = UINT32_MAX;
}

// --- evaluation

static bool evaluate_compute(const Values *values, const Graph *graph, const Value *value,
                             int64_t *number) {
  int64_t first, second;
  if (!value_evaluate(values, graph, value->first, &first) ||
      !value_evaluate(values, graph, value->second, &second))
    return false;
  *number = ir_compute(value->op, first, second);
  return true;
}

// Even an exchange waits for its read: the write depends on it (spec B.7, rmw in axiom 4).
static bool evaluate_atomic(const Values *values, const Graph *graph, const Value *value,
                            int64_t *number) {
  int64_t first, second, third;
  if (!value_evaluate(values, graph, value->first, &first) ||
      !value_evaluate(values, graph, value->second, &second) ||
      !value_evaluate(values, graph, value->third, &third))
    return false;
  *number = value->flag
                ? (int64_t)ir_atom_new_value((AtomOp)value->op, value->alu, value->flag,
                                             (uint64_t)first, (uint64_t)second, (uint64_t)third)
                : ir_atom_result(value->op, first, second, third);
  return true;
}

bool value_is_left(const Values *values, const Graph *graph, ValueId id, int64_t *number) {
  const Value *value = &values->items[id];
  int64_t fresh;
  if (value->kind != VALUE_ATOMIC || value->op != ATOM_EXCH || !value->flag)
    return value_evaluate(values, graph, id, number);
  if (!value_evaluate(values, graph, value->second, &fresh))
    return false;
  *number = (int64_t)ir_atom_new_value(ATOM_EXCH, value->alu, value->flag, 0, (uint64_t)fresh,
                                       (uint64_t)fresh);
  return true;
}

static bool evaluate_pair(const Values *values, const Graph *graph, const Value *value,
                          int64_t *number) {
  int64_t low, high;
  if (!value_evaluate(values, graph, value->first, &low) ||
      !value_evaluate(values, graph, value->second, &high))
    return false;
  *number = values_pair(values, (uint64_t)low, (uint64_t)high);
  return true;
}

static const int64_t *find_row(const Values *values, const Graph *graph, const Value *value) {
  const ValueTable *table = value->table;
  uint64_t row = 0;
  int64_t number;
  for (uint32_t i = 0; i < value->flag; i++)
    if (!value_evaluate(values, graph, value->operands[i], &number))
      return NULL;
  for (; row < table->row_count; row++) {
    const int64_t *numbers = table->numbers + row * table->width;
    uint32_t same = 0;
    while (same < value->flag && value_evaluate(values, graph, value->operands[same], &number) &&
           numbers[same] == number)
      same++;
    if (same == value->flag)
      return numbers;
  }
  return NULL;
}

static bool evaluate_table(const Values *values, const Graph *graph, const Value *value,
                           int64_t *number) {
  const int64_t *row = find_row(values, graph, value);
  if (row)
    *number = row[value->flag];
  return row != NULL;
}

static bool evaluate_operation(const Values *values, const Graph *graph, const Value *value,
                               int64_t *number) {
  switch ((ValueKind)value->kind) {
  case VALUE_COMPUTE:
    return evaluate_compute(values, graph, value, number);
  case VALUE_ATOMIC:
    return evaluate_atomic(values, graph, value, number);
  case VALUE_ALU:
    return evaluate_alu(values, graph, value, number);
  case VALUE_EXTEND:
    if (!value_evaluate(values, graph, value->first, number))
      return false;
    *number = value_extended(*number, value->op, value->flag);
    return true;
  case VALUE_PAIR:
    return evaluate_pair(values, graph, value, number);
  case VALUE_PENDING:
  case VALUE_UNDEFINED:
    return value_evaluate(values, graph, value->first, number);
  case VALUE_WORD:
    if (!value_evaluate(values, graph, value->first, number))
      return false;
    *number = (int64_t)values_pair_words(values, *number)[value->flag];
    return true;
  case VALUE_TABLE:
    return evaluate_table(values, graph, value, number);
  case VALUE_CONSTANT:
  case VALUE_READ:
  case VALUE_LEFT: // of its read
    break;
  }
  return false;
}

bool value_evaluate(const Values *values, const Graph *graph, ValueId id, int64_t *number) {
  const Value *value = &values->items[id];
  if (value->kind == VALUE_READ)
    return value_of_read(values, graph, value->event, number);
  if (value->kind == VALUE_CONSTANT || is_known(values, id)) {
    *number = value->constant;
    return true;
  }
  if (!evaluate_operation(values, graph, value, number))
    return false;
  remember(values, id, *number);
  return true;
}

// --- dependence

static bool depends_on(const Values *values, const Graph *graph, ValueId id, uint32_t read);

static bool some_operand_depends(const Values *values, const Graph *graph, const Value *value,
                                 uint32_t count, uint32_t read) {
  for (uint32_t i = 0; i < count; i++)
    if (depends_on(values, graph, value->operands[i], read))
      return true;
  return false;
}

static bool read_depends(const Values *values, const Graph *graph, uint32_t source_of,
                         uint32_t read) {
  uint64_t source = graph->source[source_of];
  if (source_of == read ||
      (source < EVENT_INIT && depends_on(values, graph, graph->events[source].value, read)))
    return true;
  for (ValueId id = first_left(graph, source_of); id != VALUE_NONE; id = values->items[id].first)
    if (depends_on(values, graph, values->items[id].second, read))
      return true;
  return false;
}

static bool depends_on(const Values *values, const Graph *graph, ValueId id, uint32_t read) {
  Value *value = &values->items[id];
  if (value->visit == values->known->visit)
    return false; // looked at already
  value->visit = values->known->visit;
  switch ((ValueKind)value->kind) {
  case VALUE_CONSTANT:
  case VALUE_LEFT:
    return false;
  case VALUE_READ:
    return read_depends(values, graph, value->event, read);
  case VALUE_ATOMIC:
    if (depends_on(values, graph, value->third, read))
      return true;
    // fall through
  case VALUE_COMPUTE:
  case VALUE_PAIR:
    return depends_on(values, graph, value->first, read) ||
           depends_on(values, graph, value->second, read);
  case VALUE_EXTEND:
  case VALUE_PENDING:
  case VALUE_UNDEFINED:
  case VALUE_WORD:
    return depends_on(values, graph, value->first, read);
  case VALUE_ALU:
    return some_operand_depends(values, graph, value, value->operand_count, read);
  case VALUE_TABLE:
    return some_operand_depends(values, graph, value, value->flag, read);
  }
  return false;
}

bool value_depends_on(const Values *values, const Graph *graph, ValueId id, uint32_t read) {
  values->known->visit++;
  return depends_on(values, graph, id, read);
}

static uint32_t find_open_read(const Values *values, const Graph *graph, ValueId id);

static uint32_t find_open_source(const Values *values, const Graph *graph, uint32_t read) {
  uint64_t source = graph->source[read];
  uint32_t found = EVENT_NONE;
  if (source == EVENT_NONE)
    return read;
  if (source != EVENT_INIT)
    found = find_open_read(values, graph, graph->events[source].value);
  for (ValueId id = first_left(graph, read); id != VALUE_NONE && found == EVENT_NONE;
       id = values->items[id].first)
    found = find_open_read(values, graph, values->items[id].second);
  return found;
}

static uint32_t find_open_read(const Values *values, const Graph *graph, ValueId id) {
  Value *value = &values->items[id];
  uint32_t found = EVENT_NONE;
  if (value->visit == values->known->visit)
    return EVENT_NONE;
  value->visit = values->known->visit;
  switch ((ValueKind)value->kind) {
  case VALUE_CONSTANT:
  case VALUE_LEFT:
    break;
  case VALUE_READ:
    found = find_open_source(values, graph, value->event);
    break;
  case VALUE_COMPUTE:
  case VALUE_PAIR:
  case VALUE_ATOMIC:
    found = find_open_read(values, graph, value->first);
    if (found == EVENT_NONE)
      found = find_open_read(values, graph, value->second);
    if (found == EVENT_NONE && value->kind == VALUE_ATOMIC)
      found = find_open_read(values, graph, value->third);
    break;
  case VALUE_EXTEND:
  case VALUE_PENDING:
  case VALUE_UNDEFINED:
  case VALUE_WORD:
    return find_open_read(values, graph, value->first);
  case VALUE_ALU:
  case VALUE_TABLE:
    for (uint32_t i = 0; i < value->operand_count && found == EVENT_NONE; i++)
      found = find_open_read(values, graph, value->operands[i]);
    break;
  }
  return found;
}

uint32_t value_find_open_read(const Values *values, const Graph *graph, ValueId id) {
  values->known->visit++;
  return find_open_read(values, graph, id);
}
