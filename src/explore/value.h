// Values that may depend on reads whose source is not chosen yet.
#ifndef WARPSAN_EXPLORE_VALUE_H
#define WARPSAN_EXPLORE_VALUE_H

#include "model/graph.h"

typedef uint32_t ValueId;

typedef enum ValueKind {
  VALUE_CONSTANT,
  VALUE_READ,    // what event `event` reads
  VALUE_COMPUTE, // ir_compute(op, first, second)
  VALUE_ATOMIC,  // ir_atom_result(op, first = value read, second, third)
} ValueKind;

typedef struct Value {
  uint8_t kind;
  uint8_t op; // IrOp or AtomOp
  uint32_t event;
  ValueId first, second, third;
  int64_t constant;
} Value;

// Values are only appended; the count goes back on a backtrack.
typedef struct Values {
  Arena *arena;
  Trail *trail;
  Value *items;
  uint64_t count;
  uint32_t capacity;
} Values;

ValueId values_add(Values *values, Value value);
ValueId values_constant(Values *values, int64_t constant);

// The number, if everything that it depends on has a source.
bool value_evaluate(const Values *values, const Graph *graph, ValueId id, int64_t *number);
// Does it depend, through sources chosen so far, on what `read` reads? Such a source would justify
// itself (spec B.7, axiom 4).
bool value_depends_on(const Values *values, const Graph *graph, ValueId id, uint32_t read);
// A read without a source that the value waits for; EVENT_NONE if it is known.
uint32_t value_find_open_read(const Values *values, const Graph *graph, ValueId id);

#endif
