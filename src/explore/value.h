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
  VALUE_ALU,     // result `flag` of `alu` over `operands`
  VALUE_EXTEND,  // the low `op` bytes of `first`, sign-extended if `flag`
  VALUE_PAIR,    // 16 bytes, `first` below `second`: the number of a pair (see below)
  VALUE_PENDING, // `first`, of a product of group `event` of the thread that holds it
  VALUE_WORD,    // word `flag` (0: the lower one) of the pair `first`
  VALUE_TABLE,   // what `table` has for the first `flag` of `operands`; guests
  VALUE_LEFT,    // what a write of another location has left (value_add_left)
  // `first`, of which the bits `second` (lower half) and `third` are undefined; instruction `event`
  // is where they come from, `flag`: it is hollow (ir/undefined.h)
  VALUE_UNDEFINED,
} ValueKind;

// What a guest's thread passes on, for the results of reads that it was seen to have. Rows are the
// operands' numbers and then the result's.
typedef struct ValueTable {
  uint64_t row_count;       // changes through the trail
  uint32_t width, capacity; // of `numbers`
  int64_t *numbers;
} ValueTable;

typedef struct Value {
  uint8_t kind;
  uint8_t op;   // IrOp, AtomOp or bytes
  uint8_t flag; // of VALUE_ATOMIC of a kernel: its size in bytes
  uint32_t event;
  ValueId first, second, third;
  int64_t constant;
  const struct AluOperation *alu;
  const ValueTable *table;
  const ValueId *operands; // lasts as long as the search
  uint32_t operand_count;
  uint32_t known_index; // into the list of known values, if it is there
  uint64_t visit;       // the last walk that came here
} Value;

// Numbers that were found once, until a backtrack: values share operands, so that without them the
// work would double with each step of a computation.
typedef struct KnownValues {
  ValueId *items; // the number itself is the value's `constant`
  uint64_t count; // goes back on a backtrack
  uint32_t capacity;
  uint64_t visit; // number of the latest walk
} KnownValues;

// Contents of 16 bytes are numbers of pairs of words. Equal pairs have one number, so that numbers
// are compared as those of narrower values are. Pairs are kept as long as the search.
enum { PAIR_HEADS = 256 };

typedef struct Pair {
  uint64_t words[2];
  uint32_t next; // pair of the same hash + 1
} Pair;

typedef struct Pairs {
  Pair *items;
  uint32_t count, capacity;
  uint32_t heads[PAIR_HEADS]; // newest pair of each hash + 1
} Pairs;

// Values are only appended; the count goes back on a backtrack.
typedef struct Values {
  Arena *arena;
  Trail *trail;
  Value *items;
  uint64_t count;
  uint32_t capacity;
  KnownValues *known;
  Pairs *pairs;
} Values;

void values_init(Values *values, Trail *trail, Arena *arena);

ValueId values_add(Values *values, Value value);
ValueId values_constant(Values *values, int64_t constant);

// The number of the pair, and the words of the pair with that number.
int64_t values_pair(const Values *values, uint64_t low, uint64_t high);
const uint64_t *values_pair_words(const Values *values, int64_t pair);

#define VALUE_NONE UINT32_MAX // no value

// For the `value` of a read with EVENT_MIXED: the bytes of `mask` (bit i: the read's byte i) are
// those of a write of another location, if that is newer than the read's source. `next` has what
// other writes have left, VALUE_NONE: nothing.
ValueId value_add_left(Values *values, const Graph *graph, uint32_t write, uint32_t mask,
                       ValueId next);
// What a read gets from its source, and from what is newer. False: it is not known yet.
bool value_of_read(const Values *values, const Graph *graph, uint32_t read, int64_t *number);
// The number that a location of up to 16 bytes holds, from its bytes, and byte i of that number.
int64_t value_of_bytes(const Values *values, const Location *location, const uint8_t *bytes);
uint8_t value_byte(const Values *values, const Location *location, int64_t number, uint32_t i);

// The number, if everything that it depends on has a source.
bool value_evaluate(const Values *values, const Graph *graph, ValueId id, int64_t *number);
// What a write leaves that holds the value. A kernel's exchange leaves the same whatever it finds.
bool value_is_left(const Values *values, const Graph *graph, ValueId id, int64_t *number);
int64_t value_extended(int64_t number, uint32_t size, bool is_signed);
// The numbers found from the one with index `from` up to `to` are not to be relied on any more.
void values_forget(Values *values, uint64_t from, uint64_t to);
// Does it depend, through sources chosen so far, on what `read` reads? Such a source would justify
// itself (spec B.7, axiom 4).
bool value_depends_on(const Values *values, const Graph *graph, ValueId id, uint32_t read);
// A read without a source that the value waits for; EVENT_NONE if it is known.
uint32_t value_find_open_read(const Values *values, const Graph *graph, ValueId id);

#endif
