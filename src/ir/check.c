// The invariants of a finished program, asserted.
#include "ir/ir.h"

#include <assert.h>

#ifdef NDEBUG

void ir_program_check(const Program *program) {
  (void)program;
}

#else

static bool has_object(const Instruction *instruction) {
  switch (instruction->op) {
  case IR_LOAD:
  case IR_STORE:
  case IR_ATOM:
  case IR_RED:
  case IR_COPY_ASYNC:
    return true;
  default:
    return false;
  }
}

static bool has_destination(const Instruction *instruction) {
  bool is_computation = instruction->op >= IR_MOVE && instruction->op <= IR_SET_GE;
  return is_computation || instruction->op == IR_LOAD;
}

static bool has_participants(const Instruction *instruction) {
  switch (instruction->op) {
  case IR_BARRIER:
  case IR_BARRIER_WARP:
  case IR_CLUSTER_ARRIVE:
  case IR_CLUSTER_WAIT:
    return true;
  default:
    return false;
  }
}

static bool is_operand_ok(const Program *program, const Thread *thread, const Operand *operand) {
  switch (operand->kind) {
  case OPERAND_NONE:
  case OPERAND_CONSTANT:
    return true;
  case OPERAND_REGISTER:
    return operand->index < thread->register_count;
  case OPERAND_ADDRESS:
    return operand->index < program->object_count;
  }
  return false;
}

static void check_enums(const Instruction *instruction) {
  assert(instruction->op <= IR_EXIT);
  assert(instruction->sem <= SEM_SC);
  assert(instruction->scope <= SCOPE_SYS);
  assert(instruction->proxy <= PROXY_ALIAS);
  assert(instruction->atom <= ATOM_CAS_WRITE);
  assert(instruction->barrier <= BARRIER_RED);
}

// Weak accesses have no scope, all others have one.
static void check_order(const Instruction *instruction) {
  switch (instruction->op) {
  case IR_LOAD:
  case IR_STORE:
  case IR_ATOM:
  case IR_RED:
    assert((instruction->sem == SEM_WEAK) == (instruction->scope == SCOPE_NONE));
    break;
  case IR_FENCE:
    assert(instruction->sem > SEM_RELAXED && instruction->scope != SCOPE_NONE);
    break;
  default:
    break;
  }
}

static void check_branch(const Thread *thread, const Instruction *instruction) {
  assert(instruction->target <= thread->instruction_count);
  assert(instruction->compare == IR_NOP ||
         (instruction->compare >= IR_SET_EQ && instruction->compare <= IR_SET_GE));
}

static void check_instruction(const Program *program, const Thread *thread,
                              const Instruction *instruction) {
  check_enums(instruction);
  check_order(instruction);
  assert(is_operand_ok(program, thread, &instruction->src[0]));
  assert(is_operand_ok(program, thread, &instruction->src[1]));
  if (has_object(instruction))
    assert(instruction->object < program->object_count);
  if (instruction->op == IR_COPY_ASYNC)
    assert(instruction->source_object < program->object_count);
  if (has_destination(instruction))
    assert(instruction->dst < thread->register_count);
  else
    assert(instruction->dst == UINT32_MAX || instruction->dst < thread->register_count);
  if (has_participants(instruction))
    assert(instruction->participants < program->group_count);
  if (instruction->op == IR_BRANCH)
    check_branch(thread, instruction);
}

static void check_thread(const Program *program, const Thread *thread) {
  assert(thread->name);
  for (uint32_t i = 0; i < thread->register_count; i++)
    assert(thread->registers[i].name);
  for (uint32_t i = 0; i < thread->instruction_count; i++)
    check_instruction(program, thread, &thread->instructions[i]);
}

// The object that stands for a location stands for itself.
static void check_object(const Program *program, const Object *object) {
  assert(object->name && object->address != 0);
  assert(object->proxy <= PROXY_ALIAS);
  assert(object->location < program->object_count);
  assert(object->virtual_location < program->object_count);
  const Object *place = &program->objects[object->location];
  const Object *name = &program->objects[object->virtual_location];
  assert(place->location == object->location);
  assert(name->virtual_location == object->virtual_location);
  assert(name->location == object->location && "aliases share the place");
}

static void check_group(const Program *program, const ThreadGroup *group) {
  for (uint32_t i = 0; i < group->count; i++) {
    assert(group->threads[i] < program->thread_count);
    assert(i == 0 || group->threads[i - 1] < group->threads[i]);
  }
}

// A cta lies in one cluster.
static void check_placements(const Program *program) {
  for (uint32_t i = 0; i < program->thread_count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const Placement *a = &program->threads[i].place;
      const Placement *b = &program->threads[j].place;
      if (ir_scope_contains(SCOPE_CTA, a, b))
        assert(a->cluster == b->cluster);
    }
}

// Quadratic checks are for programs of a size that explorers meet.
static bool is_small(const Program *program) {
  return program->thread_count <= 1024;
}

void ir_program_check(const Program *program) {
  for (uint32_t i = 0; i < program->thread_count; i++)
    check_thread(program, &program->threads[i]);
  for (uint32_t i = 0; i < program->object_count; i++)
    check_object(program, &program->objects[i]);
  for (uint32_t i = 0; i < program->group_count; i++)
    check_group(program, &program->groups[i]);
  for (uint32_t i = 0; i < program->order_count; i++) {
    assert(program->orders[i].before < program->thread_count);
    assert(program->orders[i].after < program->thread_count);
    assert(program->orders[i].before != program->orders[i].after);
  }
  if (is_small(program))
    check_placements(program);
}

#endif
