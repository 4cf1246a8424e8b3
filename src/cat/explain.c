// Explanations: a pair of events that a relation holds of is taken apart into steps.
//
// The rule. A pair is shown as one step of a relation that its reader knows: a primitive, or a
// definition with one of the names in `known_names`. Every other definition is taken apart: a union
// by an alternative that holds, a composition by an event in the middle, a closure by a shortest
// path, an inverse by walking backwards. Of an intersection the operand that says most is taken
// apart: rather one that depends on the execution than a fixed one, rather an order than a
// symmetric condition such as `loc`, a product of sets last. Of a difference it is the left
// operand. A known definition that is a union of known ones (sw = sync | sc | bsync) is shown by
// the alternative that holds. What ends in a mere condition is shown under the name of the
// innermost definition that it is part of.
#include "cat/explain.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

// Deeper or longer explanations help nobody: they end in steps that are not taken apart. The number
// of claims is limited, too: a composition of compositions can need many of them without any step.
enum { DEPTH_LIMIT = 1000, CLAIM_LIMIT = 10000 };

static const char *const known_names[] = {
    "fr", "fre",   "fri",   "rfe",   "rfi", "coe",  "coi",     "po-loc",       "obs",        "sync",
    "sw", "bsync", "csync", "wsync", "api", "aord", "syncbar", "sync_barrier", "sync_fence",
};

static void explain(CatExplainer *explainer, CatClaim claim);

static const CatOperation *operation_of(const CatExplainer *explainer, CatNode node) {
  return cat_operation(&explainer->state->model->graph, node);
}

static bool relates(const CatExplainer *explainer, CatNode node, uint32_t from, uint32_t to) {
  return cat_value_relates(explainer->state, node, from, to);
}

static bool is_known_name(const char *name) {
  for (size_t i = 0; i < sizeof known_names / sizeof known_names[0]; i++)
    if (strcmp(name, known_names[i]) == 0)
      return true;
  return false;
}

// The newest name that the text gives to the node, of all or of the known ones; or NULL.
static const char *defined_name(const CatExplainer *explainer, CatNode node, bool is_known) {
  const CatModel *model = explainer->state->model;
  for (uint32_t i = model->node_names.count; i-- > 0;) {
    const CatNodeName *entry = &model->node_names.items[i];
    if (entry->node == node && (!is_known || is_known_name(entry->name)))
      return entry->name;
  }
  return NULL;
}

// The name under which the node is shown as one step, or NULL if it is to be taken apart.
static const char *step_name(const CatExplainer *explainer, CatNode node) {
  const CatOperation *operation = operation_of(explainer, node);
  if (operation->kind == CAT_OP_PRIMITIVE)
    return explainer->state->model->graph.primitives[operation->operands[0]].name;
  return defined_name(explainer, node, true);
}

// Expressions that stand for themselves, in cat's own notation; inner ones by their names.
static const char *print_node(const CatExplainer *explainer, CatNode node) {
  const CatOperation *operation = operation_of(explainer, node);
  const char *name = step_name(explainer, node);
  if (!name)
    name = defined_name(explainer, node, false);
  if (name)
    return name;
  switch (operation->kind) {
  case CAT_OP_EVERYTHING:
    return "_";
  case CAT_OP_IDENTITY:
    return arena_format(explainer->arena, "[%s]", print_node(explainer, operation->operands[0]));
  case CAT_OP_CARTESIAN:
    return arena_format(explainer->arena, "%s * %s", print_node(explainer, operation->operands[0]),
                        print_node(explainer, operation->operands[1]));
  default:
    return "...";
  }
}

// The step's relation: `claim.definition` if there is one that says the same of this pair.
static const char *leaf_name(const CatExplainer *explainer, CatClaim claim) {
  return claim.definition ? claim.definition : print_node(explainer, claim.node);
}

static void add_step(CatExplainer *explainer, CatClaim claim, const char *name) {
  CatStep step = {name, claim.from, claim.to};
  if (claim.is_backwards)
    step = (CatStep){arena_format(explainer->arena, "%s^-1", name), claim.to, claim.from};
  array_push(explainer->arena, &explainer->steps, step);
}

// Running a loop's body solves the loops within it.
static void note_inner_solved(CatExplainer *explainer, const CatLoop *loop) {
  for (uint32_t i = 0; i < loop->code.instructions.count; i++) {
    CatInstruction instruction = loop->code.instructions.items[i];
    if (!instruction.is_loop)
      continue;
    explainer->rounds[instruction.index] = CAT_ALL_ROUNDS;
    note_inner_solved(explainer, &explainer->state->model->graph.loops.items[instruction.index]);
  }
}

// The variables of a `let rec` hold, at any time, the values that they have after some number of
// rounds. A pair of a variable that appears in round n follows from the values after n - 1 rounds:
// going back in rounds is what makes an explanation of a recursive definition end.
static void set_loop(CatExplainer *explainer, uint32_t loop_index, uint32_t rounds) {
  CatState *state = explainer->state;
  const CatLoop *loop = &state->model->graph.loops.items[loop_index];
  explainer->rounds[loop_index] = rounds;
  if (rounds == CAT_ALL_ROUNDS) {
    cat_state_solve_loop(state, loop);
  } else {
    cat_state_reset_loop(state, loop);
    for (uint32_t i = 0; i < rounds; i++) {
      cat_state_run_loop_body(state, loop);
      cat_state_advance_loop(state, loop);
    }
    cat_state_run_loop_body(state, loop);
  }
  note_inner_solved(explainer, loop);
}

// Outer loops have smaller numbers, and are set before those within them.
static void set_loops(CatExplainer *explainer, const uint32_t *rounds) {
  for (uint32_t i = 0; i < explainer->state->model->graph.loops.count; i++)
    if (explainer->rounds[i] != rounds[i])
      set_loop(explainer, i, rounds[i]);
}

// How many rounds precede the one in which the variable gets the pair.
static uint32_t rounds_before(CatExplainer *explainer, CatClaim claim, const CatLoop *loop) {
  uint32_t rounds = 0;
  cat_state_reset_loop(explainer->state, loop);
  for (;; rounds++) {
    cat_state_run_loop_body(explainer->state, loop);
    bool is_changed = cat_state_advance_loop(explainer->state, loop);
    if (relates(explainer, claim.node, claim.from, claim.to))
      return rounds;
    assert(is_changed && "the pair is in the solution");
    (void)is_changed;
  }
}

// `let rec a = b and b = ...`: what holds of a holds of b in the same round.
static CatNode follow_aliases(const CatExplainer *explainer, CatNode node) {
  for (;;) {
    const CatOperation *variable = operation_of(explainer, node);
    const CatLoop *loop = &explainer->state->model->graph.loops.items[variable->operands[0]];
    CatNode result = loop->results.items[variable->operands[1]];
    const CatOperation *next = operation_of(explainer, result);
    if (next->kind != CAT_OP_VARIABLE || next->operands[0] != variable->operands[0])
      return node;
    node = result;
  }
}

static void explain_variable(CatExplainer *explainer, CatClaim claim) {
  const CatGraph *graph = &explainer->state->model->graph;
  claim.node = follow_aliases(explainer, claim.node);
  const CatOperation *variable = operation_of(explainer, claim.node);
  const CatLoop *loop = &graph->loops.items[variable->operands[0]];
  uint32_t *rounds = ARENA_ARRAY(explainer->arena, uint32_t, graph->loops.count);
  memcpy(rounds, claim.rounds, graph->loops.count * sizeof *rounds);
  rounds[variable->operands[0]] = rounds_before(explainer, claim, loop);
  set_loop(explainer, variable->operands[0], rounds[variable->operands[0]]);
  claim.node = loop->results.items[variable->operands[1]];
  claim.rounds = rounds;
  explain(explainer, claim);
}

static CatClaim claim_of(CatClaim claim, CatNode node) {
  claim.node = node;
  return claim;
}

static CatClaim claim_between(CatClaim claim, CatNode node, uint32_t from, uint32_t to) {
  claim.node = node;
  claim.from = from;
  claim.to = to;
  claim.definition = NULL;
  return claim;
}

// An alternative of the union, at any depth of unions, that is a step in its own right and holds.
static bool find_known_alternative(const CatExplainer *explainer, CatClaim claim, CatNode *found) {
  const CatOperation *operation = operation_of(explainer, claim.node);
  if (operation->kind != CAT_OP_UNION)
    return false;
  for (uint32_t i = 0; i < 2; i++) {
    CatClaim alternative = claim_of(claim, operation->operands[i]);
    if (!relates(explainer, alternative.node, claim.from, claim.to))
      continue;
    *found = alternative.node;
    if (step_name(explainer, alternative.node) ||
        find_known_alternative(explainer, alternative, found))
      return true;
  }
  return false;
}

static bool is_identity(const CatExplainer *explainer, CatNode node) {
  return operation_of(explainer, node)->kind == CAT_OP_IDENTITY;
}

static void explain_union(CatExplainer *explainer, CatClaim claim) {
  const CatOperation *operation = operation_of(explainer, claim.node);
  CatNode chosen = operation->operands[0];
  // That an event is itself needs no step.
  if (is_identity(explainer, operation->operands[1]) ||
      !relates(explainer, chosen, claim.from, claim.to))
    chosen = operation->operands[1];
  if (!relates(explainer, chosen, claim.from, claim.to))
    chosen = operation->operands[0];
  CatNode known;
  if (!is_identity(explainer, chosen) && find_known_alternative(explainer, claim, &known))
    chosen = known;
  explain(explainer, claim_of(claim, chosen));
}

static bool is_reflexive(const CatExplainer *explainer, CatNode node) {
  const CatOperation *operation = operation_of(explainer, node);
  return operation->kind == CAT_OP_UNION && (is_identity(explainer, operation->operands[0]) ||
                                             is_identity(explainer, operation->operands[1]));
}

// The event between the two steps; an end of the pair where one of the steps is optional.
static uint32_t find_middle(const CatExplainer *explainer, CatClaim claim, CatNode first,
                            CatNode second) {
  if (is_reflexive(explainer, first) && relates(explainer, first, claim.from, claim.from) &&
      relates(explainer, second, claim.from, claim.to))
    return claim.from;
  if (is_reflexive(explainer, second) && relates(explainer, second, claim.to, claim.to) &&
      relates(explainer, first, claim.from, claim.to))
    return claim.to;
  uint32_t middle = 0;
  while (!relates(explainer, first, claim.from, middle) ||
         !relates(explainer, second, middle, claim.to))
    middle++;
  return middle;
}

static void explain_composition(CatExplainer *explainer, CatClaim claim) {
  const CatOperation *operation = operation_of(explainer, claim.node);
  CatNode first = operation->operands[0], second = operation->operands[1];
  uint32_t middle = find_middle(explainer, claim, first, second);
  CatClaim before = claim_between(claim, first, claim.from, middle);
  CatClaim after = claim_between(claim, second, middle, claim.to);
  explain(explainer, claim.is_backwards ? after : before);
  explain(explainer, claim.is_backwards ? before : after);
}

static void explain_transitive(CatExplainer *explainer, CatClaim claim) {
  CatNode step = operation_of(explainer, claim.node)->operands[0];
  uint32_t *path;
  uint32_t length =
      cat_find_path(explainer->state, step, claim.from, claim.to, explainer->arena, &path);
  for (uint32_t i = 0; i < length; i++) {
    uint32_t k = claim.is_backwards ? length - 1 - i : i;
    explain(explainer, claim_between(claim, step, path[k], path[k + 1]));
  }
}

static void explain_inverse(CatExplainer *explainer, CatClaim claim) {
  CatNode node = operation_of(explainer, claim.node)->operands[0];
  CatClaim inverse = claim_between(claim, node, claim.to, claim.from);
  inverse.is_backwards = !claim.is_backwards;
  explain(explainer, inverse);
}

// How much an operand of an intersection says about the pair.
static int weigh(const CatExplainer *explainer, CatClaim claim, CatNode node) {
  const CatOperation *operation = operation_of(explainer, node);
  if (operation->kind == CAT_OP_CARTESIAN)
    return 0;
  bool is_order = !relates(explainer, node, claim.to, claim.from);
  return 1 + (operation->is_dynamic ? 2 : 0) + (is_order ? 1 : 0);
}

static void explain_intersection(CatExplainer *explainer, CatClaim claim) {
  const CatOperation *operation = operation_of(explainer, claim.node);
  CatNode first = operation->operands[0], second = operation->operands[1];
  bool is_second = weigh(explainer, claim, second) > weigh(explainer, claim, first);
  explain(explainer, claim_of(claim, is_second ? second : first));
}

// A primitive that holds both ways and whatever is read or written: a condition, not a reason.
static bool is_condition(const CatExplainer *explainer, CatClaim claim) {
  return !operation_of(explainer, claim.node)->is_dynamic &&
         relates(explainer, claim.node, claim.to, claim.from);
}

// True if the claim is one step, which is then added.
static bool add_known_step(CatExplainer *explainer, CatClaim claim) {
  const char *name = step_name(explainer, claim.node);
  CatNode alternative;
  if (!name || find_known_alternative(explainer, claim, &alternative))
    return false;
  add_step(explainer, claim,
           claim.definition && is_condition(explainer, claim) ? claim.definition : name);
  return true;
}

static void take_apart(CatExplainer *explainer, CatClaim claim) {
  const CatOperation *operation = operation_of(explainer, claim.node);
  switch (operation->kind) {
  case CAT_OP_VARIABLE:
    explain_variable(explainer, claim);
    break;
  case CAT_OP_UNION:
    explain_union(explainer, claim);
    break;
  case CAT_OP_INTERSECTION:
    explain_intersection(explainer, claim);
    break;
  case CAT_OP_DIFFERENCE:
    explain(explainer, claim_of(claim, operation->operands[0]));
    break;
  case CAT_OP_COMPOSITION:
    explain_composition(explainer, claim);
    break;
  case CAT_OP_TRANSITIVE:
    explain_transitive(explainer, claim);
    break;
  case CAT_OP_INVERSE:
    explain_inverse(explainer, claim);
    break;
  case CAT_OP_RESTRICT_FROM:
  case CAT_OP_RESTRICT_TO:
    explain(explainer, claim_of(claim, operation->operands[1]));
    break;
  case CAT_OP_IDENTITY: // an event is itself: no step
    break;
  default:
    add_step(explainer, claim, leaf_name(explainer, claim));
    break;
  }
}

// requires: the claim holds in the state with the loops after `claim.rounds`.
static void explain(CatExplainer *explainer, CatClaim claim) {
  set_loops(explainer, claim.rounds);
  assert(relates(explainer, claim.node, claim.from, claim.to));
  if (add_known_step(explainer, claim))
    return;
  const char *name = defined_name(explainer, claim.node, false);
  if (name)
    claim.definition = name;
  if (explainer->depth == DEPTH_LIMIT || explainer->claim_count == CLAIM_LIMIT) {
    add_step(explainer, claim, leaf_name(explainer, claim));
    return;
  }
  explainer->depth++;
  explainer->claim_count++;
  take_apart(explainer, claim);
  explainer->depth--;
}

void cat_explainer_init(CatExplainer *explainer, CatState *state, Arena *arena) {
  uint32_t loop_count = state->model->graph.loops.count;
  uint32_t *solved = ARENA_ARRAY(arena, uint32_t, loop_count);
  *explainer = (CatExplainer){.state = state, .arena = arena};
  explainer->rounds = ARENA_ARRAY(arena, uint32_t, loop_count);
  for (uint32_t i = 0; i < loop_count; i++)
    solved[i] = explainer->rounds[i] = CAT_ALL_ROUNDS;
  explainer->solved = solved;
}

void cat_explain_pair(CatExplainer *explainer, CatNode node, uint32_t from, uint32_t to) {
  CatClaim claim = {.node = node, .from = from, .to = to, .rounds = explainer->solved};
  uint32_t step_count = explainer->steps.count;
  explainer->claim_count = 0;
  explain(explainer, claim);
  // Only identities: the pair itself is all there is to say.
  if (explainer->steps.count == step_count)
    add_step(explainer, claim, leaf_name(explainer, claim));
  set_loops(explainer, explainer->solved);
}

void cat_explain_member(CatExplainer *explainer, CatNode set, uint32_t event) {
  CatClaim claim = {.node = set, .from = event, .to = event};
  add_step(explainer, claim, leaf_name(explainer, claim));
}
