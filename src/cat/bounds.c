// The way up: lower and upper bounds, and which axioms are violated whatever is added.
#include "cat/knowledge.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

// --- which nodes take part; decided once for each state

static uint32_t own_bit(const CatBounds *bounds, const CatOperation *operation) {
  for (uint32_t i = 0; i < bounds->sought_count; i++)
    if (operation->kind == CAT_OP_PRIMITIVE && bounds->sought[i] == operation->operands[0])
      return 1u << i;
  return 0;
}

static void find_sought(CatBounds *bounds, const CatSought *sought) {
  const CatModel *model = bounds->state->model;
  for (uint32_t i = 0; i < model->graph.primitive_count; i++) {
    if (sought[i] == CAT_NOT_SOUGHT || !model->is_live[i])
      continue;
    assert(bounds->sought_count < 32);
    *(sought[i] == CAT_SOUGHT ? &bounds->soon : &bounds->later) |= 1u << bounds->sought_count;
    bounds->sought[bounds->sought_count++] = i;
  }
}

static void find_leading(CatBounds *bounds) {
  const CatModel *model = bounds->state->model;
  bool is_changed = true;
  while (is_changed) { // variables lead to where their bodies lead, which come later
    is_changed = false;
    for (CatNode node = 0; node < model->graph.operations.count; node++) {
      const CatOperation *operation = cat_operation(&model->graph, node);
      uint32_t leads = own_bit(bounds, operation);
      for (uint32_t i = 0; i < cat_operand_count(operation->kind); i++)
        leads |= bounds->leads[operation->operands[i]];
      if (operation->kind == CAT_OP_VARIABLE)
        leads |= bounds->leads[cat_variable_result(&model->graph, node)];
      if (!model->is_live[node] || leads == bounds->leads[node])
        continue;
      bounds->leads[node] = leads;
      is_changed = true;
    }
  }
}

// The operands that may be required when the node is, and those that may be because it is excluded.
static uint32_t operands_to_require(const CatOperation *operation, bool is_required) {
  switch (operation->kind) {
  case CAT_OP_DIFFERENCE:
    return 2u | (is_required ? 1u : 0u);
  case CAT_OP_UNION:
  case CAT_OP_INTERSECTION:
    return is_required ? 3u : 0u;
  case CAT_OP_INVERSE:
  case CAT_OP_IDENTITY:
    return is_required ? 1u : 0u;
  case CAT_OP_RESTRICT_FROM:
  case CAT_OP_RESTRICT_TO:
    return is_required ? 2u : 0u;
  default:
    return 0;
  }
}

static void find_requirable(const CatBounds *bounds, bool *is_requirable) {
  const CatGraph *graph = &bounds->state->model->graph;
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (CatNode node = graph->operations.count; node-- > 0;) {
      const CatOperation *operation = cat_operation(graph, node);
      if (!bounds->leads[node])
        continue;
      uint32_t which = operands_to_require(operation, is_requirable[node]);
      if (is_requirable[node] && cat_is_closed_order(graph, node))
        which = 1;
      for (uint32_t i = 0; i < cat_operand_count(operation->kind); i++)
        if ((which >> i & 1) && !is_requirable[operation->operands[i]])
          is_changed = is_requirable[operation->operands[i]] = true;
      if (operation->kind == CAT_OP_VARIABLE && is_requirable[node] &&
          !is_requirable[cat_variable_result(graph, node)])
        is_changed = is_requirable[cat_variable_result(graph, node)] = true;
    }
  }
}

// Upper bounds are needed of what is taken away, and of the parts of what may be required.
static void find_bounded_above(const CatBounds *bounds, const bool *is_requirable,
                               bool *needs_upper) {
  const CatModel *model = bounds->state->model;
  const CatGraph *graph = &model->graph;
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (CatNode node = graph->operations.count; node-- > 0;) {
      const CatOperation *operation = cat_operation(graph, node);
      bool all = needs_upper[node] || (operation->kind == CAT_OP_UNION && is_requirable[node]);
      for (uint32_t i = 0; model->is_live[node] && i < cat_operand_count(operation->kind); i++) {
        bool is_subtracted = operation->kind == CAT_OP_DIFFERENCE && i == 1;
        if ((all || is_subtracted) && !needs_upper[operation->operands[i]])
          is_changed = needs_upper[operation->operands[i]] = true;
      }
      if (operation->kind == CAT_OP_VARIABLE && needs_upper[node] &&
          !needs_upper[cat_variable_result(graph, node)])
        is_changed = needs_upper[cat_variable_result(graph, node)] = true;
    }
  }
}

static void allocate(CatBounds *bounds, const bool *needs_upper, Arena *arena) {
  const CatState *state = bounds->state;
  const CatGraph *graph = &state->model->graph;
  for (CatNode node = 0; node < graph->operations.count; node++) {
    const CatOperation *operation = cat_operation(graph, node);
    uint32_t words = cat_value_capacity(state, node);
    bool is_input = operation->kind == CAT_OP_PRIMITIVE && !operation->is_dynamic;
    if (!state->model->is_live[node])
      continue;
    if (needs_upper[node] && operation->is_repeated && !is_input)
      bounds->upper[node] = ARENA_ARRAY(arena, uint64_t, words);
    if (!bounds->leads[node])
      continue;
    bounds->excluded[node] = ARENA_ARRAY(arena, uint64_t, words);
    bounds->required[node] = ARENA_ARRAY(arena, uint64_t, words);
  }
}

CatBounds *cat_bounds_new(CatState *state, const CatSought *sought, Arena *arena) {
  CatBounds *bounds = ARENA_NEW(arena, CatBounds);
  uint32_t count = state->model->graph.operations.count;
  uint32_t size = state->shape.words * state->shape.words * 64;
  bounds->state = state;
  bounds->leads = ARENA_ARRAY(arena, uint32_t, count);
  bounds->has_excluded = ARENA_ARRAY(arena, bool, count);
  bounds->has_required = ARENA_ARRAY(arena, bool, count);
  bounds->upper = ARENA_ARRAY(arena, uint64_t *, count);
  bounds->excluded = ARENA_ARRAY(arena, uint64_t *, count);
  bounds->required = ARENA_ARRAY(arena, uint64_t *, count);
  bounds->everything = ARENA_ARRAY(arena, uint64_t, size);
  bounds->scratch = ARENA_ARRAY(arena, uint64_t, size);
  bool *is_requirable = ARENA_ARRAY(arena, bool, count);
  bool *needs_upper = ARENA_ARRAY(arena, bool, count);
  find_sought(bounds, sought);
  find_leading(bounds);
  find_requirable(bounds, is_requirable);
  find_bounded_above(bounds, is_requirable, needs_upper);
  allocate(bounds, needs_upper, arena);
  return bounds;
}

static void find_everything(CatBounds *bounds) {
  MatrixShape shape = bounds->state->shape;
  if (bounds->events == shape.events)
    return;
  bounds->events = shape.events;
  for (uint32_t i = 0; i < shape.events; i++)
    matrix_everything(shape, bounds->everything + (size_t)i * shape.words);
}

uint64_t *cat_bounds_input_row(CatBounds *bounds, uint32_t primitive, uint32_t from) {
  if (!cat_uses(bounds->state->model, primitive) || !bounds->upper[primitive])
    return NULL;
  return bounds->upper[primitive] + (size_t)from * bounds->state->shape.words;
}

// --- bounds

const uint64_t *cat_bounds_upper(const CatBounds *bounds, CatNode node) {
  const CatOperation *operation = cat_operation(&bounds->state->model->graph, node);
  if (bounds->upper[node])
    return bounds->upper[node];
  bool is_fixed = !((operation->signs.rising | operation->signs.falling) & CAT_SIGN_EXECUTION);
  if (is_fixed || (bounds->is_complete && !operation->is_repeated))
    return bounds->state->values[node];
  return bounds->everything;
}

static bool leads_through_events(CatOperationKind kind) {
  return kind == CAT_OP_COMPOSITION || kind == CAT_OP_TRANSITIVE || kind == CAT_OP_DOMAIN ||
         kind == CAT_OP_RANGE;
}

static void bound_above(CatBounds *bounds, CatNode node) {
  CatState *state = bounds->state;
  const CatOperation *operation = cat_operation(&state->model->graph, node);
  uint32_t count = cat_operand_count(operation->kind);
  bool is_closed = cat_is_closed_order(&state->model->graph, node);
  if (!bounds->is_complete && !is_closed && leads_through_events(operation->kind)) {
    memcpy(bounds->upper[node], bounds->everything,
           cat_value_words(state, node) * sizeof(uint64_t));
    return;
  }
  const uint64_t *a = count > 0 ? cat_bounds_upper(bounds, operation->operands[0]) : NULL;
  const uint64_t *b = count > 1 ? cat_bounds_upper(bounds, operation->operands[1]) : NULL;
  if (operation->kind == CAT_OP_DIFFERENCE)
    b = state->values[operation->operands[1]];
  if (is_closed)
    memcpy(bounds->upper[node], a, cat_value_words(state, node) * sizeof *a);
  else
    cat_state_operate(state, node, bounds->upper[node], a, b);
}

static void bound_below(CatBounds *bounds, CatNode node) {
  CatState *state = bounds->state;
  const CatOperation *operation = cat_operation(&state->model->graph, node);
  uint32_t count = cat_operand_count(operation->kind);
  const uint64_t *a = count > 0 ? state->values[operation->operands[0]] : NULL;
  const uint64_t *b = count > 1 ? state->values[operation->operands[1]] : NULL;
  if (operation->kind == CAT_OP_DIFFERENCE)
    b = cat_bounds_upper(bounds, operation->operands[1]);
  cat_state_operate(state, node, state->values[node], a, b);
}

static bool advance_upper(CatBounds *bounds, const CatLoop *loop) {
  bool is_changed = false;
  for (uint32_t i = 0; i < loop->variables.count; i++) {
    CatNode variable = loop->variables.items[i];
    if (!bounds->upper[variable])
      continue;
    const uint64_t *result = cat_bounds_upper(bounds, loop->results.items[i]);
    size_t size = cat_value_words(bounds->state, variable) * sizeof *result;
    is_changed |= memcmp(bounds->upper[variable], result, size) != 0;
    memcpy(bounds->upper[variable], result, size);
  }
  return is_changed;
}

static void run_bounds(CatBounds *bounds, const CatCode *code);

// What the bodies take away does not depend on the variables, so that both bounds are least
// solutions of increasing bodies.
static void solve(CatBounds *bounds, const CatLoop *loop) {
  bool is_changed = true;
  cat_state_reset_loop(bounds->state, loop);
  for (uint32_t i = 0; i < loop->variables.count; i++) {
    CatNode variable = loop->variables.items[i];
    if (bounds->upper[variable])
      memset(bounds->upper[variable], 0, cat_value_words(bounds->state, variable) * 8);
  }
  while (is_changed) {
    run_bounds(bounds, &loop->code);
    is_changed = cat_state_advance_loop(bounds->state, loop);
    is_changed |= advance_upper(bounds, loop);
  }
}

static bool is_affected(const CatBounds *bounds, CatInstruction instruction) {
  const CatGraph *graph = &bounds->state->model->graph;
  if (!instruction.is_loop)
    return bounds->leads[instruction.index] & bounds->changed;
  const CatLoop *loop = &graph->loops.items[instruction.index];
  for (uint32_t i = 0; i < loop->variables.count; i++)
    if (bounds->leads[loop->variables.items[i]] & bounds->changed)
      return true;
  return false;
}

static void run_bounds(CatBounds *bounds, const CatCode *code) {
  for (uint32_t i = 0; i < code->instructions.count; i++) {
    CatInstruction instruction = code->instructions.items[i];
    if (bounds->is_again && !is_affected(bounds, instruction))
      continue;
    if (instruction.is_loop) {
      solve(bounds, &bounds->state->model->graph.loops.items[instruction.index]);
      continue;
    }
    bound_below(bounds, instruction.index);
    if (bounds->upper[instruction.index])
      bound_above(bounds, instruction.index);
  }
}

// Is there a pair of which it is not known whether the primitive has it?
static bool is_open(const CatBounds *bounds, CatNode primitive) {
  const CatState *state = bounds->state;
  size_t size = cat_value_words(state, primitive) * sizeof(uint64_t);
  return !bounds->upper[primitive] ||
         memcmp(bounds->upper[primitive], state->values[primitive], size) != 0;
}

static bool evaluate(CatBounds *bounds) {
  const CatModel *model = bounds->state->model;
  run_bounds(bounds, &model->dynamic_code);
  for (uint32_t i = 0; i < model->axioms.count; i++) {
    const CatAxiom *axiom = &model->axioms.items[i];
    bool is_known = bounds->is_again && !(bounds->leads[axiom->node] & bounds->changed);
    if (!axiom->is_negated && !axiom->is_flag && !is_known &&
        !cat_state_judge(bounds->state, axiom))
      return false;
  }
  bounds->wanted = 0;
  for (uint32_t i = 0; i < bounds->sought_count; i++)
    if ((bounds->soon >> i & 1) && is_open(bounds, bounds->sought[i]))
      bounds->wanted |= 1u << i;
  cat_bounds_descend(bounds);
  return true;
}

bool cat_bounds_evaluate(CatBounds *bounds, bool is_complete) {
  bounds->is_complete = is_complete;
  bounds->is_again = false;
  find_everything(bounds);
  return evaluate(bounds);
}

bool cat_bounds_evaluate_again(CatBounds *bounds) {
  bounds->is_again = true;
  bounds->changed = bounds->wanted; // what was known of the others cannot have changed
  return evaluate(bounds);
}

void cat_bounds_seek_later(CatBounds *bounds) {
  bounds->wanted = bounds->later;
  cat_bounds_descend(bounds);
}
