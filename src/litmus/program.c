// From what was read to the Program: labels, initial values and aliases are resolved here, when
// every declaration is known.
#include "litmus/parser.h"

static bool find_label(const LitmusThread *thread, Name name, uint32_t *instruction) {
  for (uint32_t i = 0; i < thread->labels.count; i++) {
    if (thread->labels.items[i].name == name) {
      *instruction = thread->labels.items[i].instruction;
      return true;
    }
  }
  return false;
}

static void resolve_jumps(LitmusParser *parser, uint32_t index) {
  LitmusThread *thread = &parser->threads.items[index];
  for (uint32_t i = 0; i < thread->jumps.count; i++) {
    const LitmusJump *jump = &thread->jumps.items[i];
    uint32_t target;
    if (find_label(thread, jump->label, &target))
      thread->instructions.items[jump->instruction].target = target;
    else
      litmus_error(parser, jump->span, "label '%s' is not defined in thread P%u",
                   names_text(&parser->names, jump->label), index);
  }
}

// Walks from alias to alias to the object that is none; UINT32_MAX on a cycle.
static uint32_t physical_object(const LitmusParser *parser, uint32_t object) {
  for (uint32_t step = 0; step <= parser->objects.count; step++) {
    uint32_t target = parser->objects.items[object].alias_of;
    if (target == UINT32_MAX)
      return object;
    object = target;
  }
  return UINT32_MAX;
}

// A generic alias is an address of its own; the other proxies use the address of their target.
static uint32_t virtual_object(const LitmusParser *parser, uint32_t object) {
  while (parser->objects.items[object].alias_of != UINT32_MAX &&
         parser->objects.items[object].proxy != PROXY_GENERIC)
    object = parser->objects.items[object].alias_of;
  return object;
}

// The initial value belongs to the physical location, and may be that of another location.
static bool initial_value(const LitmusParser *parser, uint32_t object, int64_t *value) {
  for (uint32_t step = 0; step <= parser->objects.count; step++) {
    object = physical_object(parser, object);
    if (object == UINT32_MAX)
      return false;
    const LitmusObject *physical = &parser->objects.items[object];
    *value = physical->initial;
    if (physical->value_of == UINT32_MAX)
      return true;
    object = physical->value_of;
  }
  return false;
}

static void build_object(LitmusParser *parser, uint32_t index, Object *object) {
  const LitmusObject *from = &parser->objects.items[index];
  object->name = from->name;
  object->address = litmus_object_address(index);
  object->proxy = from->proxy;
  object->is_declared = from->is_declared;
  object->location = physical_object(parser, index);
  if (object->location == UINT32_MAX) {
    litmus_error(parser, from->span, "location '%s' is an alias of itself", from->name);
    return;
  }
  object->virtual_location = virtual_object(parser, index);
  if (!initial_value(parser, index, &object->initial))
    litmus_error(parser, from->span, "the initial value of '%s' depends on itself", from->name);
}

static void build_objects(LitmusParser *parser, Program *program) {
  program->object_count = parser->objects.count;
  program->objects = ARENA_ARRAY(parser->arena, Object, parser->objects.count);
  for (uint32_t i = 0; i < parser->objects.count; i++)
    build_object(parser, i, &program->objects[i]);
}

static void build_threads(LitmusParser *parser, Program *program) {
  program->thread_count = parser->column_count;
  program->threads = ARENA_ARRAY(parser->arena, Thread, parser->column_count);
  for (uint32_t i = 0; i < parser->column_count; i++) {
    LitmusThread *from = &parser->threads.items[i];
    program->threads[i] = (Thread){.name = arena_format(parser->arena, "P%u", i),
                                   .place = from->place,
                                   .instructions = from->instructions.items,
                                   .instruction_count = from->instructions.count,
                                   .registers = from->registers.items,
                                   .register_count = from->registers.count};
  }
}

typedef enum Visit { VISIT_NONE, VISIT_OPEN, VISIT_DONE } Visit;

// Depth first over `after`, without recursion: `stack` holds the open threads, `next` the edge that
// each follows next. False: thread `root` can be reached from itself, or another cycle was found.
static bool orders_are_acyclic(LitmusParser *parser, uint32_t root, Visit *visits, uint32_t *stack,
                               uint32_t *next) {
  uint32_t depth = 0;
  stack[depth++] = root;
  visits[root] = VISIT_OPEN;
  while (depth > 0) {
    uint32_t top = stack[depth - 1];
    const LitmusThread *thread = &parser->threads.items[top];
    if (next[top] == thread->afters.count) {
      visits[top] = VISIT_DONE;
      depth--;
      continue;
    }
    uint32_t before = thread->afters.items[next[top]++].thread;
    if (visits[before] == VISIT_OPEN)
      return false;
    if (visits[before] == VISIT_NONE) {
      visits[before] = VISIT_OPEN;
      stack[depth++] = before;
    }
  }
  return true;
}

static void check_orders(LitmusParser *parser) {
  uint32_t count = parser->column_count;
  Visit *visits = ARENA_ARRAY(parser->arena, Visit, count);
  uint32_t *stack = ARENA_ARRAY(parser->arena, uint32_t, count);
  uint32_t *next = ARENA_ARRAY(parser->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    if (visits[i] == VISIT_NONE && !orders_are_acyclic(parser, i, visits, stack, next)) {
      litmus_error(parser, parser->threads.items[i].span, "'after' orders P%u before itself", i);
      return;
    }
  }
}

static void build_orders(LitmusParser *parser, Program *program) {
  ARRAY(ThreadOrder) orders = {0};
  for (uint32_t i = 0; i < parser->column_count; i++) {
    const LitmusThread *thread = &parser->threads.items[i];
    for (uint32_t j = 0; j < thread->afters.count; j++)
      array_push(parser->arena, &orders, (ThreadOrder){thread->afters.items[j].thread, i});
  }
  check_orders(parser);
  program->orders = orders.items;
  program->order_count = orders.count;
}

void litmus_build_program(LitmusParser *parser, Program *program) {
  program->name = parser->name;
  for (uint32_t i = 0; i < parser->column_count; i++)
    resolve_jumps(parser, i);
  build_objects(parser, program);
  build_orders(parser, program);
  litmus_build_groups(parser, program);
  build_threads(parser, program);
}
