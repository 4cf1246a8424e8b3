#include "explore/guest_tree.h"

#include "base/array.h"

enum { MOST_NODES = 1 << 20, MOST_PASSES = 64, MOST_DEPTH = 256 };

static bool has_buffering(ModelKind kind) {
  return kind == MODEL_KIND_CUDA || kind == MODEL_KIND_C11 || kind == MODEL_KIND_PTX ||
         kind == MODEL_KIND_PTX60 || kind == MODEL_KIND_CAT;
}

static uint32_t add_node(GuestTree *tree, uint32_t parent, uint64_t result) {
  if (tree->count == tree->capacity)
    tree->nodes =
        array_grow(&tree->memory, tree->nodes, tree->count, &tree->capacity, sizeof *tree->nodes);
  tree->nodes[tree->count] = (GuestNode){.result = result, .parent = parent, .born = tree->pass};
  return tree->count++;
}

void guest_tree_init(GuestTree *tree, const Program *program, const ExploreOptions *options,
                     MemoryEscape *escape) {
  const Model *model = options->model;
  bool is_text = model->kind == MODEL_KIND_CAT;
  *tree = (GuestTree){.instructions = program->threads[0].instructions,
                      .can_buffer = has_buffering(model->kind),
                      // What a text makes of releases and acquires is not known.
                      .is_weak = is_text,
                      .only_at_barriers = is_text && cat_forbids_reading_ahead(model->cat)};
  arena_init(&tree->memory, escape, options->memory_bytes);
  for (uint32_t i = 0; i <= program->thread_count; i++)
    add_node(tree, GUEST_NOWHERE, 0);
  tree->pass = 1;
}

void guest_tree_release(GuestTree *tree) {
  arena_release(&tree->memory);
}

uint32_t guest_tree_root(uint32_t thread) {
  return thread + 1;
}

uint32_t guest_tree_find(const GuestTree *tree, uint32_t node, uint64_t result) {
  uint32_t child = tree->nodes[node].child;
  while (child != GUEST_NOWHERE && tree->nodes[child].result != result)
    child = tree->nodes[child].next;
  return child;
}

uint32_t guest_tree_get(GuestTree *tree, uint32_t node, uint64_t result) {
  uint32_t child = guest_tree_find(tree, node, result);
  if (child != GUEST_NOWHERE || node == GUEST_NOWHERE)
    return child;
  if (tree->count == MOST_NODES) {
    tree->is_full = true;
    return GUEST_NOWHERE;
  }
  child = add_node(tree, node, result);
  tree->nodes[child].next = tree->nodes[node].child;
  tree->nodes[node].child = child;
  return child;
}

// --- sets of nodes

bool guest_tree_is_seen(const GuestTree *tree, uint32_t node, GuestView view) {
  return view == GUEST_ALL || tree->nodes[node].born < tree->pass;
}

GuestNodes guest_tree_children(const GuestTree *tree, GuestNodes nodes, GuestView view,
                               const uint64_t *result) {
  GuestNodes children = {.arena = nodes.arena};
  for (uint32_t i = 0; i < nodes.count; i++)
    for (uint32_t child = tree->nodes[nodes.items[i]].child; child != GUEST_NOWHERE;
         child = tree->nodes[child].next)
      if (guest_tree_is_seen(tree, child, view) &&
          (!result || tree->nodes[child].result == *result))
        array_push(nodes.arena, &children, child);
  return children;
}

bool guest_is_same_operation(const GuestOperation *a, const GuestOperation *b) {
  if (a->kind != b->kind || a->site != b->site || a->operand_count != b->operand_count)
    return false;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (a->operands[i] != b->operands[i])
      return false;
  return true;
}

static bool has_value(const GuestTree *tree, const GuestOperation *operation) {
  if (operation->kind != GUEST_INSTRUCTION)
    return false;
  const Instruction *instruction = &tree->instructions[operation->site];
  return instruction->op == IR_STORE ||
         (instruction->op == IR_ATOM && instruction->atom != ATOM_CAS);
}

bool guest_is_same_access(const GuestTree *tree, const GuestOperation *a, const GuestOperation *b) {
  GuestOperation other = *b;
  if (has_value(tree, a))
    other.operands[GUEST_STORED] = a->operands[GUEST_STORED];
  return guest_is_same_operation(a, &other);
}

const GuestOperation *guest_tree_agreed(const GuestTree *tree, GuestNodes nodes, GuestView view) {
  const GuestOperation *agreed = NULL;
  for (uint32_t i = 0; i < nodes.count; i++) {
    const GuestNode *node = &tree->nodes[nodes.items[i]];
    if (!node->is_asked || !guest_tree_is_seen(tree, nodes.items[i], view))
      continue;
    if (agreed && !guest_is_same_access(tree, agreed, &node->operation))
      return NULL;
    agreed = &node->operation;
  }
  return agreed;
}

// --- what does not depend on a read

// What ends a thread, well or not, waits until it is certain.
bool guest_may_run_ahead(const GuestTree *tree, const GuestOperation *operation) {
  switch (operation->kind) {
  case GUEST_ROUND:
  case GUEST_NEXT_ROUND:
    return true;
  case GUEST_INSTRUCTION:
    return tree->instructions[operation->site].op != IR_TRAP;
  case GUEST_RETURN:
  case GUEST_UNSUPPORTED:
    break;
  }
  return false;
}

static bool is_noticed(const GuestTree *tree, const GuestOperation *operation) {
  if (operation->kind != GUEST_INSTRUCTION)
    return false;
  IrOp op = tree->instructions[operation->site].op;
  bool is_write = op == IR_STORE || op == IR_ATOM;
  return op != IR_LOAD && op != IR_FENCE && !(is_write && tree->only_at_barriers);
}

static bool leads_to_notice(const GuestTree *tree, GuestNodes nodes, GuestView view,
                            uint32_t depth);

// For some result of the operation at which the nodes are.
static bool some_result_leads(const GuestTree *tree, GuestNodes nodes, GuestView view,
                              uint32_t depth) {
  GuestNodes children = guest_tree_children(tree, nodes, view, NULL);
  for (uint32_t i = 0; i < children.count; i++) {
    uint64_t result = tree->nodes[children.items[i]].result;
    bool is_first = true;
    for (uint32_t j = 0; j < i; j++)
      is_first &= tree->nodes[children.items[j]].result != result;
    if (is_first &&
        leads_to_notice(tree, guest_tree_children(tree, nodes, view, &result), view, depth + 1))
      return true;
  }
  return false;
}

static bool leads_to_notice(const GuestTree *tree, GuestNodes nodes, GuestView view,
                            uint32_t depth) {
  const GuestOperation *agreed = guest_tree_agreed(tree, nodes, view);
  if (!agreed || !guest_may_run_ahead(tree, agreed))
    return false;
  return is_noticed(tree, agreed) || depth == MOST_DEPTH ||
         some_result_leads(tree, nodes, view, depth);
}

bool guest_tree_is_noticed(const GuestTree *tree, GuestNodes nodes, GuestView view) {
  ArenaMark mark = arena_mark(nodes.arena);
  bool is_noticed = leads_to_notice(tree, nodes, view, 0);
  arena_reset(nodes.arena, mark);
  return is_noticed;
}

// --- passes

// Would threads that are at the node run ahead of their read?
static bool runs_ahead(GuestTree *tree, uint32_t node, GuestView view) {
  ArenaMark mark = arena_mark(&tree->memory);
  GuestNodes one = {.arena = &tree->memory, .items = &node, .count = 1};
  GuestNodes children = guest_tree_children(tree, one, view, NULL);
  bool result = guest_tree_is_noticed(tree, children, view);
  arena_reset(&tree->memory, mark);
  return result;
}

// Would they now, and did not in this pass?
static bool is_released(GuestTree *tree, uint32_t node) {
  return tree->nodes[node].is_exposed && runs_ahead(tree, node, GUEST_ALL) &&
         (tree->pass == 1 || !runs_ahead(tree, node, GUEST_SETTLED));
}

static bool was_fed(const GuestTree *tree, uint32_t node) {
  if (tree->nodes[node].starved != tree->pass)
    return false;
  for (uint32_t child = tree->nodes[node].child; child != GUEST_NOWHERE;
       child = tree->nodes[child].next)
    if (tree->nodes[child].born == tree->pass && tree->nodes[child].is_asked)
      return true;
  return false;
}

// Behind releases and acquires alone no thread can have run ahead: that would go round in the
// order.
static bool is_pass_needed(GuestTree *tree) {
  bool is_needed = tree->was_wrong;
  for (uint32_t i = 1; i < tree->count && tree->is_weak && !is_needed; i++)
    is_needed = was_fed(tree, i) || is_released(tree, i);
  return is_needed;
}

bool guest_tree_begin_pass(GuestTree *tree) {
  if (!tree->can_buffer)
    return false;
  if (tree->is_full) {
    tree->is_partial = tree->pass > 1;
    return false;
  }
  bool is_needed = is_pass_needed(tree);
  tree->is_partial = is_needed && tree->pass == MOST_PASSES;
  tree->was_wrong = false;
  if (!is_needed || tree->is_partial)
    return false;
  tree->pass++;
  return true;
}
