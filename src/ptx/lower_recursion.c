// Recursive calls. A function has one expansion under way and one set of registers: a recursive
// call saves the registers of all functions between itself and that expansion on a stack in local
// memory, goes through the body again, and restores them. The end of the expansion looks up on the
// stack where the call that is over goes on. Variables in local memory exist once; functions that
// have some cannot be called so.
#include "ptx/lower_code.h"

#include "ir/alu.h"

enum {
  WORD = 8,
  STACK_BYTES = 1 << 15, // of each thread
};

static Instruction *emit_access(Code *code, IrOp op, int64_t offset) {
  Instruction *access = lower_emit(code, op);
  access->space = SPACE_LOCAL;
  access->size = access->align = WORD;
  access->address = lower_register(code->stack);
  access->offset = offset;
  return access;
}

// --- the stack

static bool has_calls(const PtxModule *module, const PtxFunction *function) {
  for (uint32_t i = 0; i < function->instructions.count; i++)
    if (module->instructions.items[function->instructions.first + i].op == PTX_OP_call)
      return true;
  return false;
}

// Room for setting the stack up, in kernels that may need one.
void lower_reserve_stack(Code *code) {
  bool may_recurse = false;
  for (uint32_t i = 0; i < code->module->functions.count; i++) {
    const PtxFunction *function = &code->module->functions.items[i];
    may_recurse = may_recurse || (!function->is_entry && has_calls(code->module, function));
  }
  if (!may_recurse)
    return;
  code->template = (Instruction){.dst = UINT32_MAX,
                                 .object = UINT32_MAX,
                                 .source_object = UINT32_MAX,
                                 .more = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
  code->template.text = "the start of the kernel";
  code->stack_start = code->instructions.count + 1;
  lower_emit(code, IR_NO_EVENT);
  lower_emit(code, IR_NO_EVENT);
}

static void set_to(Code *code, uint32_t instruction, uint32_t slot, int64_t constant) {
  Instruction *move = &code->instructions.items[instruction];
  move->op = IR_MOVE;
  move->dst = slot;
  move->src[0] = lower_constant(constant);
}

void lower_finish_stack(Code *code) {
  if (!code->stack)
    return;
  uint32_t base = (code->local_bytes + WORD - 1) / WORD * WORD;
  set_to(code, code->stack_start - 1, code->stack, base);
  set_to(code, code->stack_start, code->stack + 1, base + STACK_BYTES);
  code->local_bytes = base + STACK_BYTES;
}

// --- the frames of a recursive call

Frame *lower_find_frame(const Code *code, const PtxFunction *function) {
  for (Frame *frame = code->frame; frame; frame = frame->caller)
    if (frame->function == function)
      return frame;
  return NULL;
}

static bool has_local_variables(const Code *code, const PtxFunction *function) {
  const PtxModule *module = code->module;
  for (uint32_t i = 0; i < function->statements.count; i++) {
    const PtxStatement *statement = &module->statements.items[function->statements.first + i];
    if (statement->kind == PTX_STATEMENT_VARIABLE &&
        module->variables.items[statement->index].space == PTX_SPACE_LOCAL)
      return true;
  }
  for (uint32_t i = 0; i < function->parameters.count; i++)
    if (lower_takes_address(code, function, function->parameters.first + i))
      return true;
  return false;
}

const char *lower_recursion_obstacle(const Code *code, const Frame *target) {
  for (const Frame *frame = code->frame;; frame = frame->caller) {
    if (has_local_variables(code, frame->function))
      return "recursive call of %s, where variables lie in local memory";
    if (frame == target)
      return NULL;
  }
}

static void save_slot(Code *code, Recursion *recursion, uint32_t slot) {
  array_push(code->arena, &recursion->saved, slot);
}

static void save_words(Code *code, Recursion *recursion, uint32_t variable) {
  uint32_t count, first = lower_parameter_words(code, variable, &count);
  for (uint32_t i = 0; i < count; i++)
    save_slot(code, recursion, first + i);
}

static void save_range(Code *code, Recursion *recursion, PtxRange variables) {
  for (uint32_t i = 0; i < variables.count; i++)
    save_words(code, recursion, variables.first + i);
}

static void save_frame(Code *code, Recursion *recursion, const Frame *frame) {
  const PtxFunction *function = frame->function;
  uint32_t first = frame->first_register, end = first + function->register_count;
  for (uint32_t slot = first; slot < end; slot++)
    save_slot(code, recursion, slot);
  for (uint32_t i = 0; i < code->wide_registers.count; i++)
    if (code->wide_registers.items[i].low >= first && code->wide_registers.items[i].low < end)
      save_slot(code, recursion, code->wide_registers.items[i].high);
  save_range(code, recursion, function->parameters);
  save_range(code, recursion, function->returns);
  for (uint32_t i = 0; i < function->statements.count; i++) {
    const PtxStatement *statement = &code->module->statements.items[function->statements.first + i];
    if (statement->kind == PTX_STATEMENT_VARIABLE)
      save_words(code, recursion, statement->index);
  }
  if (frame->depth)
    save_slot(code, recursion, frame->depth - 1);
}

// --- a call

// Named where a thread would need more than there is.
static void check_stack(Code *code, const Recursion *recursion, uint32_t next) {
  lower_emit_two(code, IR_ADD, next, lower_register(code->stack), lower_constant(recursion->bytes));
  Instruction *enough = lower_emit_two(code, IR_BRANCH, UINT32_MAX, lower_register(next),
                                       lower_register(code->stack + 1));
  enough->compare = IR_SET_LE;
  uint32_t branch = code->instructions.count - 1;
  const char *text = code->template.text;
  code->template.text = arena_format(code->arena, "recursive call of %s, more than %u deep",
                                     ptx_text(code->module, recursion->target->function->name),
                                     STACK_BYTES / recursion->bytes);
  lower_emit(code, IR_UNSUPPORTED);
  code->template.text = text;
  code->instructions.items[branch].target = code->instructions.count;
}

void lower_begin_recursion(Code *code, Recursion *recursion) {
  Frame *target = recursion->target;
  if (!code->stack) {
    code->stack = lower_temporary(code);
    lower_temporary(code);
  }
  if (!target->depth) {
    target->depth = lower_temporary(code) + 1;
    set_to(code, target->entry, target->depth - 1, 0);
  }
  for (const Frame *frame = code->frame;; frame = frame->caller) {
    save_frame(code, recursion, frame);
    if (frame == target)
      break;
  }
  uint32_t next = lower_temporary(code), count = recursion->saved.count;
  recursion->bytes = WORD * (count + 1);
  check_stack(code, recursion, next);
  for (uint32_t i = 0; i < count; i++)
    emit_access(code, IR_STORE, (int64_t)WORD * i)->src[0] =
        lower_register(recursion->saved.items[i]);
  emit_access(code, IR_STORE, (int64_t)WORD * count)->src[0] =
      lower_constant(target->resumes.count);
  lower_move(code, code->stack, lower_register(next));
  lower_emit_two(code, IR_ADD, target->depth - 1, lower_register(target->depth - 1),
                 lower_constant(1));
}

void lower_enter_again(Code *code, Recursion *recursion) {
  Instruction *jump =
      lower_emit_two(code, IR_BRANCH, UINT32_MAX, lower_constant(0), lower_constant(0));
  jump->compare = IR_NOP;
  jump->target = recursion->target->body;
  array_push(code->arena, &recursion->target->resumes, code->instructions.count);
}

void lower_end_recursion(Code *code, const Recursion *recursion) {
  lower_emit_two(code, IR_SUB, code->stack, lower_register(code->stack),
                 lower_constant(recursion->bytes));
  for (uint32_t i = 0; i < recursion->saved.count; i++)
    emit_access(code, IR_LOAD, (int64_t)WORD * i)->dst = recursion->saved.items[i];
}

void lower_resume(Code *code, const Frame *frame) {
  if (!frame->resumes.count)
    return;
  uint32_t place = lower_temporary(code), first = code->instructions.count;
  lower_emit_two(code, IR_BRANCH, UINT32_MAX, lower_register(frame->depth - 1), lower_constant(0))
      ->compare = IR_SET_EQ;
  emit_access(code, IR_LOAD, -WORD)->dst = place;
  for (uint32_t i = 0; i < frame->resumes.count; i++) {
    Instruction *jump =
        lower_emit_two(code, IR_BRANCH, UINT32_MAX, lower_register(place), lower_constant(i));
    jump->compare = IR_SET_EQ;
    jump->target = frame->resumes.items[i];
  }
  code->instructions.items[first].target = code->instructions.count;
}
