#include "explore/value.h"

#include "ir/alu.h"

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

int64_t value_extended(int64_t number, uint32_t size, bool is_signed) {
  if (size >= 8)
    return number;
  uint64_t mask = (1ull << 8 * size) - 1, low = (uint64_t)number & mask;
  if (is_signed && (low >> (8 * size - 1) & 1))
    low |= ~mask;
  return (int64_t)low;
}

uint64_t value_of_atomic(AtomOp op, const AluOperation *alu, uint32_t size, uint64_t old,
                         uint64_t second, uint64_t third) {
  uint64_t operands[ALU_MAX_OPERANDS] = {old, second}, results[ALU_MAX_RESULTS] = {0};
  uint64_t mask = size >= 8 ? ~0ull : (1ull << 8 * size) - 1;
  second &= mask;
  switch (op) {
  case ATOM_ALU:
    alu_compute(alu, operands, results);
    return results[0];
  case ATOM_INC:
    return old >= second ? 0 : old + 1;
  case ATOM_DEC:
    return old == 0 || old > second ? second : old - 1;
  case ATOM_EXCH:
    return second;
  default:
    return third & mask;
  }
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

static bool evaluate_read(const Values *values, const Graph *graph, uint32_t read,
                          int64_t *number) {
  uint64_t source = graph->source[read];
  if (source == EVENT_NONE)
    return false;
  if (source == EVENT_INIT) {
    *number = graph->locations[graph->events[read].location].initial;
    return true;
  }
  return value_evaluate(values, graph, graph->events[source].value, number);
}

bool value_evaluate(const Values *values, const Graph *graph, ValueId id, int64_t *number) {
  const Value *value = &values->items[id];
  int64_t first, second, third;
  switch ((ValueKind)value->kind) {
  case VALUE_CONSTANT:
    *number = value->constant;
    return true;
  case VALUE_READ:
    return evaluate_read(values, graph, value->event, number);
  case VALUE_COMPUTE:
    if (!value_evaluate(values, graph, value->first, &first) ||
        !value_evaluate(values, graph, value->second, &second))
      return false;
    *number = ir_compute(value->op, first, second);
    return true;
  case VALUE_ATOMIC:
    // Even an exchange waits for its read: the write depends on it (spec B.7, rmw in axiom 4).
    if (!value_evaluate(values, graph, value->first, &first) ||
        !value_evaluate(values, graph, value->second, &second) ||
        !value_evaluate(values, graph, value->third, &third))
      return false;
    *number = value->flag
                  ? (int64_t)value_of_atomic((AtomOp)value->op, value->alu, value->flag,
                                             (uint64_t)first, (uint64_t)second, (uint64_t)third)
                  : ir_atom_result(value->op, first, second, third);
    return true;
  case VALUE_ALU:
    return evaluate_alu(values, graph, value, number);
  case VALUE_EXTEND:
    if (!value_evaluate(values, graph, value->first, &first))
      return false;
    *number = value_extended(first, value->op, value->flag);
    return true;
  }
  return false;
}

bool value_depends_on(const Values *values, const Graph *graph, ValueId id, uint32_t read) {
  const Value *value = &values->items[id];
  switch ((ValueKind)value->kind) {
  case VALUE_CONSTANT:
    return false;
  case VALUE_READ:
    if (value->event == read)
      return true;
    if (graph->source[value->event] >= EVENT_INIT)
      return false;
    return value_depends_on(values, graph, graph->events[graph->source[value->event]].value, read);
  case VALUE_COMPUTE:
    return value_depends_on(values, graph, value->first, read) ||
           value_depends_on(values, graph, value->second, read);
  case VALUE_ATOMIC:
    return value_depends_on(values, graph, value->first, read) ||
           value_depends_on(values, graph, value->second, read) ||
           value_depends_on(values, graph, value->third, read);
  case VALUE_EXTEND:
    return value_depends_on(values, graph, value->first, read);
  case VALUE_ALU:
    for (uint32_t i = 0; i < value->operand_count; i++)
      if (value_depends_on(values, graph, value->operands[i], read))
        return true;
    return false;
  }
  return false;
}

uint32_t value_find_open_read(const Values *values, const Graph *graph, ValueId id) {
  const Value *value = &values->items[id];
  uint32_t found;
  switch ((ValueKind)value->kind) {
  case VALUE_CONSTANT:
    return EVENT_NONE;
  case VALUE_READ:
    if (graph->source[value->event] == EVENT_NONE)
      return value->event;
    if (graph->source[value->event] == EVENT_INIT)
      return EVENT_NONE;
    return value_find_open_read(values, graph, graph->events[graph->source[value->event]].value);
  case VALUE_COMPUTE:
  case VALUE_ATOMIC:
    found = value_find_open_read(values, graph, value->first);
    if (found == EVENT_NONE)
      found = value_find_open_read(values, graph, value->second);
    if (found == EVENT_NONE && value->kind == VALUE_ATOMIC)
      found = value_find_open_read(values, graph, value->third);
    return found;
  case VALUE_EXTEND:
    return value_find_open_read(values, graph, value->first);
  case VALUE_ALU:
    found = EVENT_NONE;
    for (uint32_t i = 0; i < value->operand_count && found == EVENT_NONE; i++)
      found = value_find_open_read(values, graph, value->operands[i]);
    return found;
  }
  return EVENT_NONE;
}
