#include "cat/operation.h"

#include <assert.h>

enum { FIRST_SLOT_COUNT = 256 };

static uint32_t hash_operation(const CatOperation *operation) {
  uint32_t hash = (uint32_t)operation->kind * 2u + (uint32_t)operation->type;
  hash = (hash ^ operation->operands[0]) * 2654435761u;
  hash = (hash ^ (hash >> 15) ^ operation->operands[1]) * 2246822519u;
  return hash ^ (hash >> 13);
}

static bool is_same(const CatOperation *a, const CatOperation *b) {
  return a->kind == b->kind && a->type == b->type && a->operands[0] == b->operands[0] &&
         a->operands[1] == b->operands[1];
}

// The slot of an equal operation, or the empty one where this one belongs.
static uint32_t find_slot(const CatGraph *graph, const CatOperation *operation) {
  uint32_t mask = graph->slot_count - 1;
  uint32_t slot = hash_operation(operation) & mask;
  while (graph->slots[slot] && !is_same(cat_operation(graph, graph->slots[slot] - 1), operation))
    slot = (slot + 1) & mask;
  return slot;
}

static void grow_slots(CatGraph *graph) {
  graph->slot_count = graph->slot_count ? 2 * graph->slot_count : FIRST_SLOT_COUNT;
  graph->slots = ARENA_ARRAY(graph->arena, uint32_t, graph->slot_count);
  for (CatNode node = 0; node < graph->operations.count; node++)
    graph->slots[find_slot(graph, cat_operation(graph, node))] = node + 1;
}

void cat_graph_init(CatGraph *graph, const CatPrimitive *primitives, uint32_t primitive_count,
                    Arena *arena) {
  *graph = (CatGraph){.arena = arena, .primitives = primitives, .primitive_count = primitive_count};
  grow_slots(graph);
}

uint32_t cat_operand_count(CatOperationKind kind) {
  switch (kind) {
  case CAT_OP_PRIMITIVE:
  case CAT_OP_VARIABLE:
  case CAT_OP_NOTHING:
  case CAT_OP_EVERYTHING:
    return 0;
  case CAT_OP_TRANSITIVE:
  case CAT_OP_INVERSE:
  case CAT_OP_IDENTITY:
  case CAT_OP_DOMAIN:
  case CAT_OP_RANGE:
    return 1;
  default:
    return 2;
  }
}

// The depths of the open loops that the operation depends on.
static uint32_t loop_bits(CatSigns signs) {
  return (signs.rising | signs.falling) & ~(uint32_t)CAT_SIGN_EXECUTION;
}

// The code of the innermost loop that has to repeat what has these signs.
static CatCode *code_for(CatGraph *graph, CatSigns signs) {
  uint32_t bits = loop_bits(signs);
  if (bits == 0)
    return &graph->code;
  uint32_t depth = 31 - (uint32_t)__builtin_clz(bits);
  return &graph->loops.items[graph->open_loops.items[depth - 1]].code;
}

static void join_members(CatGraph *graph, CatNode node) {
  uint32_t bits = loop_bits(cat_operation(graph, node)->signs);
  for (uint32_t depth = 1; depth <= graph->open_loops.count; depth++)
    if (bits >> depth & 1)
      array_push(graph->arena, &graph->loops.items[graph->open_loops.items[depth - 1]].members,
                 node);
}

// Whether it relates two old events may depend on new ones: paths lead through them.
static bool sees_new_events(CatOperationKind kind) {
  return kind == CAT_OP_COMPOSITION || kind == CAT_OP_TRANSITIVE || kind == CAT_OP_DOMAIN ||
         kind == CAT_OP_RANGE || kind == CAT_OP_VARIABLE;
}

static void derive_from_operands(const CatGraph *graph, CatOperation *operation) {
  if (sees_new_events(operation->kind))
    operation->signs.rising |= CAT_SIGN_EXECUTION;
  for (uint32_t i = 0; i < cat_operand_count(operation->kind); i++) {
    const CatOperation *operand = cat_operation(graph, operation->operands[i]);
    bool is_subtracted = operation->kind == CAT_OP_DIFFERENCE && i == 1;
    operation->is_dynamic |= operand->is_dynamic;
    operation->is_repeated |= operand->is_repeated;
    operation->signs.rising |= is_subtracted ? operand->signs.falling : operand->signs.rising;
    operation->signs.falling |= is_subtracted ? operand->signs.rising : operand->signs.falling;
  }
  operation->is_repeated |=
      operation->is_dynamic || (operation->signs.falling & CAT_SIGN_EXECUTION);
}

// The node of this operation: an existing equal one, or a new one.
static CatNode add_operation(CatGraph *graph, CatOperation operation) {
  uint32_t slot = find_slot(graph, &operation);
  if (graph->slots[slot])
    return graph->slots[slot] - 1;
  CatNode node = graph->operations.count;
  derive_from_operands(graph, &operation);
  array_push(graph->arena, &graph->operations, operation);
  graph->slots[slot] = node + 1;
  if (graph->operations.count > graph->slot_count / 2)
    grow_slots(graph);
  join_members(graph, node);
  if (operation.kind != CAT_OP_PRIMITIVE && operation.kind != CAT_OP_VARIABLE)
    array_push(graph->arena, &code_for(graph, operation.signs)->instructions,
               (CatInstruction){false, node});
  return node;
}

static CatNode add_binary(CatGraph *graph, CatOperationKind kind, CatType type, CatNode a,
                          CatNode b) {
  return add_operation(graph, (CatOperation){.kind = kind, .type = type, .operands = {a, b}});
}

static CatNode add_unary(CatGraph *graph, CatOperationKind kind, CatType type, CatNode a) {
  return add_operation(graph, (CatOperation){.kind = kind, .type = type, .operands = {a, 0}});
}

static bool is_kind(const CatGraph *graph, CatNode node, CatOperationKind kind) {
  return cat_operation(graph, node)->kind == kind;
}

static bool is_nothing(const CatGraph *graph, CatNode node) {
  return is_kind(graph, node, CAT_OP_NOTHING);
}

static CatType type_of(const CatGraph *graph, CatNode node) {
  return cat_operation(graph, node)->type;
}

CatNode cat_graph_primitive(CatGraph *graph, uint32_t primitive) {
  const CatPrimitive *entry = &graph->primitives[primitive];
  CatSigns signs = {.rising = entry->change == CAT_FIXED ? 0 : CAT_SIGN_EXECUTION};
  return add_operation(graph, (CatOperation){.kind = CAT_OP_PRIMITIVE,
                                             .type = entry->type,
                                             .is_dynamic = entry->change >= CAT_CHOSEN,
                                             .signs = signs,
                                             .operands = {primitive, 0}});
}

CatNode cat_graph_nothing(CatGraph *graph, CatType type) {
  return add_unary(graph, CAT_OP_NOTHING, type, 0);
}

CatNode cat_graph_everything(CatGraph *graph) {
  for (uint32_t i = 0; i < graph->primitive_count; i++) {
    const CatPrimitive *primitive = &graph->primitives[i];
    if (primitive->type == CAT_SET && primitive->name[0] == '_' && primitive->name[1] == '\0')
      return cat_graph_primitive(graph, i);
  }
  return add_unary(graph, CAT_OP_EVERYTHING, CAT_SET, 0);
}

CatNode cat_graph_union(CatGraph *graph, CatNode a, CatNode b) {
  assert(type_of(graph, a) == type_of(graph, b));
  if (a == b || is_nothing(graph, b))
    return a;
  if (is_nothing(graph, a))
    return b;
  // Sorted, so that `a | b` and `b | a` are one node.
  return add_binary(graph, CAT_OP_UNION, type_of(graph, a), a < b ? a : b, a < b ? b : a);
}

static CatNode restrict_from(CatGraph *graph, CatNode set, CatNode relation) {
  if (is_nothing(graph, set) || is_nothing(graph, relation))
    return cat_graph_nothing(graph, CAT_RELATION);
  return add_binary(graph, CAT_OP_RESTRICT_FROM, CAT_RELATION, set, relation);
}

static CatNode restrict_to(CatGraph *graph, CatNode set, CatNode relation) {
  if (is_nothing(graph, set) || is_nothing(graph, relation))
    return cat_graph_nothing(graph, CAT_RELATION);
  return add_binary(graph, CAT_OP_RESTRICT_TO, CAT_RELATION, set, relation);
}

// r & (S * T) without the product.
static CatNode restrict_both(CatGraph *graph, CatNode product, CatNode relation) {
  CatNode from = cat_operation(graph, product)->operands[0];
  CatNode to = cat_operation(graph, product)->operands[1];
  return restrict_from(graph, from, restrict_to(graph, to, relation));
}

CatNode cat_graph_intersection(CatGraph *graph, CatNode a, CatNode b) {
  assert(type_of(graph, a) == type_of(graph, b));
  if (a == b || is_nothing(graph, a))
    return a;
  if (is_nothing(graph, b))
    return b;
  if (is_kind(graph, b, CAT_OP_CARTESIAN))
    return restrict_both(graph, b, a);
  if (is_kind(graph, a, CAT_OP_CARTESIAN))
    return restrict_both(graph, a, b);
  return add_binary(graph, CAT_OP_INTERSECTION, type_of(graph, a), a < b ? a : b, a < b ? b : a);
}

CatNode cat_graph_difference(CatGraph *graph, CatNode a, CatNode b) {
  assert(type_of(graph, a) == type_of(graph, b));
  if (a == b)
    return cat_graph_nothing(graph, type_of(graph, a));
  if (is_nothing(graph, a) || is_nothing(graph, b))
    return a;
  return add_binary(graph, CAT_OP_DIFFERENCE, type_of(graph, a), a, b);
}

CatNode cat_graph_composition(CatGraph *graph, CatNode a, CatNode b) {
  if (is_nothing(graph, a))
    return a;
  if (is_nothing(graph, b))
    return b;
  if (is_kind(graph, a, CAT_OP_IDENTITY) && is_kind(graph, b, CAT_OP_IDENTITY))
    return cat_graph_identity(graph,
                              cat_graph_intersection(graph, cat_operation(graph, a)->operands[0],
                                                     cat_operation(graph, b)->operands[0]));
  if (is_kind(graph, a, CAT_OP_IDENTITY))
    return restrict_from(graph, cat_operation(graph, a)->operands[0], b);
  if (is_kind(graph, b, CAT_OP_IDENTITY))
    return restrict_to(graph, cat_operation(graph, b)->operands[0], a);
  return add_binary(graph, CAT_OP_COMPOSITION, CAT_RELATION, a, b);
}

CatNode cat_graph_cartesian(CatGraph *graph, CatNode a, CatNode b) {
  if (is_nothing(graph, a) || is_nothing(graph, b))
    return cat_graph_nothing(graph, CAT_RELATION);
  return add_binary(graph, CAT_OP_CARTESIAN, CAT_RELATION, a, b);
}

CatNode cat_graph_complement(CatGraph *graph, CatNode a) {
  CatNode all = cat_graph_everything(graph);
  if (type_of(graph, a) == CAT_RELATION)
    all = cat_graph_cartesian(graph, all, all);
  return cat_graph_difference(graph, all, a);
}

CatNode cat_graph_transitive(CatGraph *graph, CatNode a) {
  if (is_nothing(graph, a) || is_kind(graph, a, CAT_OP_TRANSITIVE) ||
      is_kind(graph, a, CAT_OP_IDENTITY))
    return a;
  return add_unary(graph, CAT_OP_TRANSITIVE, CAT_RELATION, a);
}

CatNode cat_graph_reflexive(CatGraph *graph, CatNode a) {
  CatNode all = cat_graph_everything(graph);
  return cat_graph_union(graph, a, cat_graph_identity(graph, all));
}

CatNode cat_graph_inverse(CatGraph *graph, CatNode a) {
  if (is_nothing(graph, a) || is_kind(graph, a, CAT_OP_IDENTITY))
    return a;
  if (is_kind(graph, a, CAT_OP_INVERSE))
    return cat_operation(graph, a)->operands[0];
  return add_unary(graph, CAT_OP_INVERSE, CAT_RELATION, a);
}

CatNode cat_graph_identity(CatGraph *graph, CatNode set) {
  if (is_nothing(graph, set))
    return cat_graph_nothing(graph, CAT_RELATION);
  return add_unary(graph, CAT_OP_IDENTITY, CAT_RELATION, set);
}

CatNode cat_graph_domain(CatGraph *graph, CatNode a) {
  if (is_nothing(graph, a))
    return cat_graph_nothing(graph, CAT_SET);
  if (is_kind(graph, a, CAT_OP_IDENTITY))
    return cat_operation(graph, a)->operands[0];
  return add_unary(graph, CAT_OP_DOMAIN, CAT_SET, a);
}

CatNode cat_graph_range(CatGraph *graph, CatNode a) {
  if (is_nothing(graph, a))
    return cat_graph_nothing(graph, CAT_SET);
  if (is_kind(graph, a, CAT_OP_IDENTITY))
    return cat_operation(graph, a)->operands[0];
  return add_unary(graph, CAT_OP_RANGE, CAT_SET, a);
}

uint32_t cat_graph_open_loop(CatGraph *graph) {
  assert(graph->open_loops.count < CAT_LOOP_DEPTH_LIMIT);
  array_push(graph->arena, &graph->loops, (CatLoop){0});
  array_push(graph->arena, &graph->open_loops, graph->loops.count - 1);
  return graph->loops.count - 1;
}

CatNode cat_graph_variable(CatGraph *graph, CatType type) {
  uint32_t depth = graph->open_loops.count;
  uint32_t loop_index = graph->open_loops.items[depth - 1];
  CatLoop *loop = &graph->loops.items[loop_index];
  CatOperation operation = {.kind = CAT_OP_VARIABLE,
                            .type = type,
                            .signs = {.rising = 1u << depth},
                            .operands = {loop_index, loop->variables.count}};
  CatNode node = add_operation(graph, operation);
  array_push(graph->arena, &loop->variables, node);
  return node;
}

// Once closed, a loop is evaluated as one unit: what holds of one member holds of all.
static CatSigns unite_members(CatGraph *graph, CatLoop *loop, uint32_t own_bit) {
  CatSigns signs = {0};
  for (uint32_t i = 0; i < loop->members.count; i++) {
    const CatOperation *member = cat_operation(graph, loop->members.items[i]);
    signs.rising |= member->signs.rising;
    signs.falling |= member->signs.falling;
    loop->is_dynamic |= member->is_dynamic;
    loop->is_repeated |= member->is_repeated;
  }
  for (uint32_t i = 0; i < loop->results.count; i++) {
    const CatOperation *result = cat_operation(graph, loop->results.items[i]);
    signs.rising |= result->signs.rising;
    signs.falling |= result->signs.falling;
    loop->is_dynamic |= result->is_dynamic;
    loop->is_repeated |= result->is_repeated;
  }
  signs.rising &= ~own_bit;
  signs.falling &= ~own_bit;
  for (uint32_t i = 0; i < loop->members.count; i++) {
    CatOperation *member = &graph->operations.items[loop->members.items[i]];
    member->signs = signs;
    member->is_dynamic = loop->is_dynamic;
    member->is_repeated = loop->is_repeated;
  }
  return signs;
}

bool cat_graph_close_loop(CatGraph *graph, const CatNode *results) {
  uint32_t depth = graph->open_loops.count;
  uint32_t loop_index = graph->open_loops.items[depth - 1];
  CatLoop *loop = &graph->loops.items[loop_index];
  bool is_increasing = true;
  for (uint32_t i = 0; i < loop->variables.count; i++) {
    array_push(graph->arena, &loop->results, results[i]);
    if (cat_operation(graph, results[i])->signs.falling >> depth & 1)
      is_increasing = false;
  }
  CatSigns signs = unite_members(graph, loop, 1u << depth);
  graph->open_loops.count--;
  // Those that depended on this loop only now belong to the loops around it, too.
  for (uint32_t i = 0; i < loop->members.count; i++)
    join_members(graph, loop->members.items[i]);
  array_push(graph->arena, &code_for(graph, signs)->instructions,
             (CatInstruction){true, loop_index});
  return is_increasing;
}
