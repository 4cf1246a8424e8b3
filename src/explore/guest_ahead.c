// Threads of guests that go on though the value of a read is not known: what they do then, and what
// they store (guest_tree.h).
#include "explore/guest.h"

// The nodes at which the thread may be before a step that is not behind the open ones. `last`: the
// last ones that there are on the way.
static GuestNodes nodes_before(const Search *search, const GuestThread *guest, uint32_t step,
                               GuestView view, GuestNodes *last) {
  GuestNodes nodes = {.arena = search->temporary};
  array_push(search->temporary, &nodes, (uint32_t)guest->node);
  if (guest->node == GUEST_NOWHERE)
    nodes.count = 0;
  for (uint32_t i = (uint32_t)guest->completed; i < step && nodes.count; i++) {
    uint64_t result;
    *last = nodes;
    nodes = guest_tree_children(search->tree, nodes, view,
                                guest_step_is_known(search, guest, i, &result) ? &result : NULL);
  }
  return nodes;
}

// Is it worth it to go on behind the step that is over, with the value of a read that was deferred?
bool guest_may_leave_open(Search *search, uint32_t thread, ValueId value) {
  const GuestThread *guest = &search->guests[thread];
  const GuestTree *tree = search->tree;
  const Value *read = &search->values.items[value];
  GuestNodes last;
  if (tree->pass == 1 || read->kind != VALUE_READ ||
      !(bits_has(search->deferred, read->event) || search->graph.source[read->event] != EVENT_NONE))
    return false;
  ArenaMark mark = arena_mark(search->temporary);
  GuestNodes nodes = nodes_before(search, guest, (uint32_t)guest->over, GUEST_SETTLED, &last);
  bool may = guest_tree_is_noticed(tree, guest_tree_children(tree, nodes, GUEST_SETTLED, NULL),
                                   GUEST_SETTLED);
  arena_reset(search->temporary, mark);
  return may;
}

// Of a round of waiting all reads have to be known, since it may be the last one.
static bool is_round_with_open_read(const Search *search, uint32_t thread,
                                    const GuestOperation *operation) {
  const GuestThread *guest = &search->guests[thread];
  if (operation->kind != GUEST_NEXT_ROUND)
    return false;
  for (uint32_t i = (uint32_t)guest->completed; i < guest->over; i++) {
    uint64_t result;
    if (!guest_step_is_known(search, guest, i, &result) &&
        search->graph.events[search->values.items[guest->values[i].result - 1].event].po_index >=
            guest_moment_position(operation->operands[0]))
      return true;
  }
  return false;
}

static void note_starved(GuestTree *tree, GuestNodes nodes) {
  for (uint32_t i = 0; i < nodes.count; i++)
    tree->nodes[nodes.items[i]].starved = tree->pass;
}

// --- values that depend on open reads

enum { MOST_COLUMNS = 16, MOST_ROWS = 256 };

// What was seen: for each row the results of the open steps, and what was stored.
typedef struct Sample {
  uint32_t steps[MOST_COLUMNS];
  uint32_t column_count, row_count;
  uint64_t rows[MOST_ROWS][MOST_COLUMNS];
  uint64_t stored[MOST_ROWS];
} Sample;

static bool find_columns(const Search *search, const GuestThread *guest, Sample *sample) {
  for (uint32_t i = (uint32_t)guest->completed; i < guest->over; i++) {
    uint64_t result;
    if (guest_step_is_known(search, guest, i, &result))
      continue;
    if (sample->column_count == MOST_COLUMNS)
      return false;
    sample->steps[sample->column_count++] = i;
  }
  return true;
}

// `depth`: steps of the thread before the node.
static void add_sample(const GuestTree *tree, uint32_t node, uint32_t depth, Sample *sample) {
  uint64_t *row = sample->rows[sample->row_count];
  sample->stored[sample->row_count++] = tree->nodes[node].operation.operands[GUEST_STORED];
  for (uint32_t column = sample->column_count; column > 0; node = tree->nodes[node].parent)
    if (--depth == sample->steps[column - 1])
      row[--column] = tree->nodes[node].result;
}

static bool take_sample(const Search *search, const GuestThread *guest, GuestNodes nodes,
                        Sample *sample) {
  const GuestTree *tree = search->tree;
  if (!find_columns(search, guest, sample))
    return false;
  for (uint32_t i = 0; i < nodes.count; i++) {
    if (!tree->nodes[nodes.items[i]].is_asked)
      continue;
    if (sample->row_count == MOST_ROWS)
      return false;
    add_sample(tree, nodes.items[i], (uint32_t)guest->over, sample);
  }
  return true;
}

static bool rows_fit(const Sample *sample, uint32_t a, uint32_t b) {
  for (uint32_t column = 0; column < sample->column_count; column++)
    if (sample->rows[a][column] != sample->rows[b][column])
      return true;
  return sample->stored[a] == sample->stored[b];
}

static bool is_function(const Sample *sample) {
  for (uint32_t i = 0; i < sample->row_count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!rows_fit(sample, i, j))
        return false;
  return true;
}

static void swap_columns(Sample *sample, uint32_t a, uint32_t b) {
  uint32_t step = sample->steps[a];
  sample->steps[a] = sample->steps[b];
  sample->steps[b] = step;
  for (uint32_t i = 0; i < sample->row_count; i++) {
    uint64_t number = sample->rows[i][a];
    sample->rows[i][a] = sample->rows[i][b];
    sample->rows[i][b] = number;
  }
}

// Moves the columns on which what is stored does not depend behind the others, which are counted.
static void drop_columns(Sample *sample) {
  for (uint32_t column = sample->column_count; column-- > 0;) {
    swap_columns(sample, column, --sample->column_count);
    if (is_function(sample))
      continue;
    swap_columns(sample, column, sample->column_count++);
  }
}

static void copy_rows(Search *search, const Sample *sample, ValueTable *table) {
  uint32_t needed = sample->row_count * (sample->column_count + 1);
  table->width = sample->column_count + 1;
  table->row_count = sample->row_count;
  if (needed > table->capacity) {
    table->numbers = ARENA_ARRAY(search->arena, int64_t, needed);
    table->capacity = needed;
  }
  for (uint32_t i = 0; i < sample->row_count; i++) {
    int64_t *row = table->numbers + i * table->width;
    for (uint32_t column = 0; column < sample->column_count; column++)
      row[column] = (int64_t)sample->rows[i][column];
    row[sample->column_count] = (int64_t)sample->stored[i];
  }
}

// The value that the step which begins now stores, from what was seen at the nodes. False: too much
// was seen.
static bool make_stored(Search *search, GuestThread *guest, GuestNodes nodes, uint64_t *stored) {
  Sample *sample = ARENA_NEW(search->temporary, Sample);
  guest_reserve_step(search, guest);
  StepValues *values = &guest->values[guest->over];
  if (!take_sample(search, guest, nodes, sample))
    return false;
  uint32_t count = sample->column_count;
  drop_columns(sample);
  if (!values->table)
    values->table = ARENA_NEW(search->arena, ValueTable);
  copy_rows(search, sample, values->table);
  ValueId *operands = ARENA_ARRAY(search->arena, ValueId, count + 1);
  for (uint32_t i = 0; i < count; i++)
    operands[i] = (ValueId)guest->values[sample->steps[i]].result - 1;
  *stored = values_add(&search->values, (Value){.kind = VALUE_TABLE,
                                                .flag = (uint8_t)sample->column_count,
                                                .table = values->table,
                                                .operands = operands,
                                                .operand_count = count}) +
            1ull;
  return true;
}

static bool all_store_the_same(const GuestTree *tree, GuestNodes nodes,
                               const GuestOperation *agreed) {
  for (uint32_t i = 0; i < nodes.count; i++)
    if (tree->nodes[nodes.items[i]].is_asked &&
        !guest_is_same_operation(&tree->nodes[nodes.items[i]].operation, agreed))
      return false;
  return true;
}

bool guest_find_independent(Search *search, uint32_t thread, GuestOperation *operation,
                            uint64_t *stored) {
  const GuestThread *guest = &search->guests[thread];
  GuestTree *tree = search->tree;
  ArenaMark mark = arena_mark(search->temporary);
  GuestNodes last = {0};
  GuestNodes nodes = nodes_before(search, guest, (uint32_t)guest->over, GUEST_SETTLED, &last);
  const GuestOperation *agreed = guest_tree_agreed(tree, nodes, GUEST_SETTLED);
  bool is_independent = agreed && guest_may_run_ahead(tree, agreed) &&
                        !is_round_with_open_read(search, thread, agreed);
  if (is_independent && !all_store_the_same(tree, nodes, agreed))
    is_independent = make_stored(search, &search->guests[thread], nodes, stored);
  if (is_independent)
    *operation = *agreed;
  else if (!nodes.count)
    note_starved(tree, last);
  arena_reset(search->temporary, mark);
  return is_independent;
}

// Does a read that sees the write always synchronise with it?
static bool always_synchronises(const Graph *graph, uint32_t read, uint32_t write) {
  return event_is_acquire(&graph->events[read]) && event_is_release(&graph->events[write]) &&
         event_is_atomic(&graph->events[read]) && event_is_atomic(&graph->events[write]) &&
         graph_has(graph, graph->linked, read, write);
}

// Whether it has a write depends on what it reads.
static bool is_swap(const Search *search, uint32_t read) {
  const Event *event = &search->graph.events[read];
  return search->codes[event->thread].thread->instructions[event->instruction].atom == ATOM_CAS;
}

void guest_expose(Search *search, uint32_t read, uint32_t write) {
  GuestTree *tree = search->tree;
  const GuestThread *guest = &search->guests[search->graph.events[read].thread];
  uint32_t step = search->step_of[read];
  GuestNodes last;
  if (!tree->can_buffer)
    return;
  tree->is_weak |= !always_synchronises(&search->graph, read, write);
  if (is_swap(search, read))
    return;
  if (step < guest->completed) {
    uint64_t serial =
        step ? guest->steps[step - 1].serial : guest_tree_root(search->graph.events[read].thread);
    if (serial < UINT32_MAX)
      tree->nodes[serial].is_exposed = true;
    return;
  }
  ArenaMark mark = arena_mark(search->temporary);
  GuestNodes nodes = nodes_before(search, guest, step, GUEST_ALL, &last);
  for (uint32_t i = 0; i < nodes.count; i++)
    tree->nodes[nodes.items[i]].is_exposed = true;
  arena_reset(search->temporary, mark);
}
