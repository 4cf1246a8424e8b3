// From what an expression stands for to instructions.
#include "litmus/c_parser.h"

#include <string.h>

Operand c_constant(int64_t number) {
  return (Operand){.kind = OPERAND_CONSTANT, .constant = number};
}

Operand c_register(uint32_t index) {
  return (Operand){.kind = OPERAND_REGISTER, .index = index};
}

static LitmusThread *thread_of(const CParser *c) {
  return &c->litmus->threads.items[c->thread];
}

// A register that no program can name. A statement uses them from the first one on.
uint32_t c_new_temporary(CParser *c) {
  const char *name = arena_format(c->litmus->arena, "$%u", c->temporaries++);
  return litmus_get_register(c->litmus, c->thread, name, c_token_span(c));
}

static bool is_temporary(const CParser *c, uint32_t index) {
  const LitmusThread *thread = thread_of(c);
  return index < thread->registers.count && thread->registers.items[index].name[0] == '$';
}

uint32_t c_here(const CParser *c) {
  return thread_of(c)->instructions.count;
}

uint32_t c_emit(CParser *c, Instruction instruction) {
  return litmus_emit(c->litmus, c->thread, instruction);
}

static Instruction new_instruction(const CParser *c, IrOp op) {
  return litmus_new_instruction(op, c_span_from(c, c->previous_end));
}

// The temporary that the last instruction computed is dropped for the variable.
void c_emit_move(CParser *c, uint32_t to, Operand value) {
  LitmusThread *thread = thread_of(c);
  uint32_t count = thread->instructions.count;
  if (value.kind == OPERAND_REGISTER && is_temporary(c, value.index) && count > 0 &&
      thread->instructions.items[count - 1].dst == value.index) {
    thread->instructions.items[count - 1].dst = to;
    return;
  }
  Instruction move = new_instruction(c, IR_MOVE);
  move.dst = to;
  move.src[0] = value;
  c_emit(c, move);
}

Operand c_emit_compute(CParser *c, IrOp op, Operand left, Operand right) {
  if (left.kind == OPERAND_CONSTANT && right.kind == OPERAND_CONSTANT)
    return c_constant(ir_compute(op, left.constant, right.constant));
  Instruction compute = new_instruction(c, op);
  compute.dst = c_new_temporary(c);
  compute.src[0] = left;
  compute.src[1] = right;
  c_emit(c, compute);
  return c_register(compute.dst);
}

uint32_t c_emit_label(CParser *c) {
  return c_emit(c, new_instruction(c, IR_NOP));
}

uint32_t c_emit_branch(CParser *c, IrOp compare, Operand left, Operand right) {
  Instruction branch = new_instruction(c, IR_BRANCH);
  branch.compare = (uint8_t)compare;
  branch.src[0] = left;
  branch.src[1] = right;
  return c_emit(c, branch);
}

void c_set_target(CParser *c, uint32_t branch, uint32_t target) {
  // After an error the instructions are not there.
  if (branch < c_here(c))
    thread_of(c)->instructions.items[branch].target = target;
}

void c_make_branch(CParser *c, uint32_t label, IrOp compare, Operand value, uint32_t target) {
  if (label >= c_here(c))
    return;
  Instruction *branch = &thread_of(c)->instructions.items[label];
  branch->op = IR_BRANCH;
  branch->compare = (uint8_t)compare;
  branch->src[0] = value;
  branch->src[1] = c_constant(0);
  branch->target = target;
}

bool c_is_pure_from(const CParser *c, uint32_t begin) {
  const LitmusThread *thread = thread_of(c);
  for (uint32_t i = begin; i < thread->instructions.count; i++) {
    const Instruction *instruction = &thread->instructions.items[i];
    if (instruction->op > IR_SET_GE ||
        (instruction->op != IR_NOP && !is_temporary(c, instruction->dst)))
      return false;
  }
  return true;
}

// --- memory

// What was written, on one line: each run of white space becomes one blank.
static const char *text_of(const CParser *c, Span span) {
  uint32_t length = 0;
  char *text = arena_alloc(c->litmus->arena, span.end - span.begin + 1, 1);
  for (uint32_t i = span.begin; i < span.end; i++) {
    char character = c->litmus->source->text[i];
    bool is_space = character == ' ' || (character >= '\t' && character <= '\r');
    if (!is_space)
      text[length++] = character;
    else if (length > 0 && text[length - 1] != ' ')
      text[length++] = ' ';
  }
  return text;
}

static void emit_fence_before(CParser *c, const Instruction *access) {
  // A compare-and-exchange has one order in compiled code, for success and for failure.
  if (access->sem != SEM_SC && access->failure_sem != SEM_SC)
    return;
  Instruction fence = new_instruction(c, IR_FENCE);
  fence.sem = SEM_SC;
  fence.scope = access->scope;
  fence.flags = INSTRUCTION_ABI_FENCE;
  c_emit(c, fence);
}

static uint32_t element_object(CParser *c, const CAddress *address, uint32_t element) {
  uint32_t object = address->object;
  if (element > 0) {
    const char *name = c->litmus->objects.items[address->object].name;
    const char *text = arena_format(c->litmus->arena, "%s[%u]", name, element);
    litmus_get_object(c->litmus, text, c_token_span(c), &object);
  }
  return object;
}

// An index that is known only when the test runs: one access for each element, behind a comparison.
// A thread whose index is none of them goes no further.
static void emit_for_each_element(CParser *c, const CAddress *address, Instruction access) {
  CJumps ends = {0};
  uint32_t first = c_here(c);
  for (uint32_t i = 0; i < address->element_count; i++)
    c_emit_branch(c, IR_SET_EQ, address->index, c_constant(i));
  uint32_t outside = c_emit_label(c);
  c_set_target(c, c_emit_branch(c, IR_NOP, (Operand){0}, (Operand){0}), outside);
  for (uint32_t i = 0; i < address->element_count; i++) {
    c_set_target(c, first + i, c_emit_label(c));
    access.object = element_object(c, address, i);
    c_emit(c, access);
    array_push(c->litmus->arena, &ends, c_emit_branch(c, IR_NOP, (Operand){0}, (Operand){0}));
  }
  uint32_t end = c_emit_label(c);
  for (uint32_t i = 0; i < ends.count; i++)
    c_set_target(c, ends.items[i], end);
}

void c_emit_access(CParser *c, const CAddress *address, Instruction access, Span span) {
  access.span = span;
  access.text = text_of(c, span);
  emit_fence_before(c, &access);
  access.object = address->object;
  if (address->element_count > 0)
    emit_for_each_element(c, address, access);
  else
    c_emit(c, access);
}

// A plain access, or one of a volatile object.
static Instruction plain_access(const CParser *c, IrOp op, const CAddress *address) {
  Instruction access = new_instruction(c, op);
  access.sem = SEM_WEAK;
  if (address->type.is_volatile) {
    access.sem = SEM_RELAXED;
    access.scope = SCOPE_SYS;
    access.flags = INSTRUCTION_VOLATILE;
  }
  return access;
}

bool c_read(CParser *c, const CValue *value, Operand *operand) {
  *operand = value->operand;
  if (value->kind == C_NOTHING)
    return litmus_error(c->litmus, c_span_from(c, value->begin),
                        "expected a value, found a call of a function that returns none");
  if (value->kind == C_POINTER)
    return litmus_error(c->litmus, c_span_from(c, value->begin),
                        "the address of a variable can only be given to a compare-and-exchange");
  if (value->kind == C_ADDRESS) {
    if (value->address.element_count > 0)
      return litmus_error(c->litmus, c_span_from(c, value->begin),
                          "an address that is computed can only be accessed, not stored");
    *operand = c_constant(litmus_object_address(value->address.object));
  }
  if (value->kind != C_MEMORY)
    return true;
  Instruction load = plain_access(c, IR_LOAD, &value->address);
  load.dst = c_new_temporary(c);
  c_emit_access(c, &value->address, load, (Span){c->litmus->source, value->begin, value->end});
  *operand = c_register(load.dst);
  return true;
}

bool c_assign(CParser *c, const CValue *place, Operand value, CType type) {
  value = c_convert(c, value, type, place->type);
  if (place->kind == C_VARIABLE) {
    c_emit_move(c, place->operand.index, value);
    return true;
  }
  if (place->kind != C_MEMORY)
    return litmus_error(c->litmus, c_span_from(c, place->begin),
                        "expected a variable or '*' with a location to assign to");
  Instruction store = plain_access(c, IR_STORE, &place->address);
  store.src[0] = value;
  c_emit_access(c, &place->address, store, c_span_from(c, place->begin));
  return true;
}
