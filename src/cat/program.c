#include "cat/program.h"

typedef ARRAY(CatNode) NodeList;

static void visit(CatModel *model, NodeList *pending, CatNode node) {
  if (model->is_live[node])
    return;
  model->is_live[node] = true;
  array_push(model->graph.arena, pending, node);
}

// A variable needs all bodies of its loop: they are evaluated together.
static void visit_loop(CatModel *model, NodeList *pending, const CatLoop *loop) {
  for (uint32_t i = 0; i < loop->variables.count; i++) {
    visit(model, pending, loop->variables.items[i]);
    visit(model, pending, loop->results.items[i]);
  }
}

static void mark_live(CatModel *model) {
  CatGraph *graph = &model->graph;
  NodeList pending = {0};
  model->is_live = ARENA_ARRAY(graph->arena, bool, graph->operations.count);
  for (uint32_t i = 0; i < model->axioms.count; i++)
    visit(model, &pending, model->axioms.items[i].node);
  while (pending.count > 0) {
    const CatOperation *operation = cat_operation(graph, pending.items[--pending.count]);
    for (uint32_t i = 0; i < cat_operand_count(operation->kind); i++)
      visit(model, &pending, operation->operands[i]);
    if (operation->kind == CAT_OP_VARIABLE)
      visit_loop(model, &pending, &graph->loops.items[operation->operands[0]]);
  }
}

static bool is_needed(const CatModel *model, CatInstruction instruction) {
  if (!instruction.is_loop)
    return model->is_live[instruction.index];
  return model->is_live[model->graph.loops.items[instruction.index].variables.items[0]];
}

static bool is_repeated(const CatModel *model, CatInstruction instruction) {
  if (instruction.is_loop)
    return model->graph.loops.items[instruction.index].is_repeated;
  return cat_operation(&model->graph, instruction.index)->is_repeated;
}

static void drop_dead_code(const CatModel *model, CatCode *code) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < code->instructions.count; i++)
    if (is_needed(model, code->instructions.items[i]))
      code->instructions.items[kept++] = code->instructions.items[i];
  code->instructions.count = kept;
}

void cat_program_finish(CatModel *model) {
  CatGraph *graph = &model->graph;
  mark_live(model);
  drop_dead_code(model, &graph->code);
  for (uint32_t i = 0; i < graph->loops.count; i++)
    drop_dead_code(model, &graph->loops.items[i].code);
  for (uint32_t i = 0; i < graph->code.instructions.count; i++) {
    CatInstruction instruction = graph->code.instructions.items[i];
    CatCode *code = is_repeated(model, instruction) ? &model->dynamic_code : &model->static_code;
    array_push(graph->arena, &code->instructions, instruction);
  }
}

const char *cat_model_title(const CatModel *model) {
  return model->title;
}

uint32_t cat_axiom_count(const CatModel *model) {
  return model->axioms.count;
}

const CatAxiom *cat_axiom(const CatModel *model, uint32_t axiom) {
  return &model->axioms.items[axiom];
}

bool cat_uses(const CatModel *model, uint32_t primitive) {
  return primitive < model->graph.primitive_count && model->is_live[primitive];
}
