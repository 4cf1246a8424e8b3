// Instructions as text.
#include "ir/ir.h"

#include <assert.h>

// What every printing function needs to know.
typedef struct Printer {
  Arena *arena;
  const Program *program;
  const Thread *thread;
} Printer;

static const char *object_name(const Printer *printer, uint32_t object) {
  assert(object < printer->program->object_count);
  return printer->program->objects[object].name;
}

static const char *register_name(const Printer *printer, uint32_t number) {
  assert(number < printer->thread->register_count);
  return printer->thread->registers[number].name;
}

static const char *destination(const Printer *printer, const Instruction *instruction) {
  return instruction->dst == UINT32_MAX ? "_" : register_name(printer, instruction->dst);
}

static const char *operand(const Printer *printer, const Operand *operand) {
  switch (operand->kind) {
  case OPERAND_REGISTER:
    return register_name(printer, operand->index);
  case OPERAND_ADDRESS:
    return object_name(printer, operand->index);
  case OPERAND_CONSTANT:
    return arena_format(printer->arena, "%lld", (long long)operand->constant);
  case OPERAND_NONE:
    break;
  }
  return "_";
}

// ".acquire.gpu", ".weak", ".volatile".
static const char *order(const Printer *printer, const Instruction *instruction) {
  if (instruction->flags & INSTRUCTION_VOLATILE)
    return ".volatile";
  const char *sem = ir_sem_name((Sem)instruction->sem);
  if (instruction->scope == SCOPE_NONE)
    return arena_format(printer->arena, ".%s", sem);
  return arena_format(printer->arena, ".%s.%s", sem, ir_scope_name((Scope)instruction->scope));
}

// What the mnemonic of an access through a proxy begins with, as litmus tests write it.
static const char *proxy_prefix(const Instruction *instruction) {
  switch ((Proxy)instruction->proxy) {
  case PROXY_TEXTURE:
    return "t";
  case PROXY_SURFACE:
    return "su";
  case PROXY_CONSTANT:
    return "co";
  case PROXY_ASYNC:
    return "a";
  default:
    return "";
  }
}

static const char *print_load(const Printer *printer, const Instruction *instruction) {
  return arena_format(printer->arena, "%sld%s %s, [%s]", proxy_prefix(instruction),
                      order(printer, instruction), destination(printer, instruction),
                      object_name(printer, instruction->object));
}

static const char *print_store(const Printer *printer, const Instruction *instruction) {
  return arena_format(printer->arena, "%sst%s [%s], %s", proxy_prefix(instruction),
                      order(printer, instruction), object_name(printer, instruction->object),
                      operand(printer, &instruction->src[0]));
}

static const char *print_atomic(const Printer *printer, const Instruction *instruction) {
  bool has_result = instruction->op == IR_ATOM;
  bool has_new_value = instruction->atom == ATOM_CAS || instruction->atom == ATOM_CAS_WRITE;
  return arena_format(printer->arena, "%s%s%s.%s %s%s[%s], %s%s%s", proxy_prefix(instruction),
                      has_result ? "atom" : "red", order(printer, instruction),
                      ir_atom_name((AtomOp)instruction->atom),
                      has_result ? destination(printer, instruction) : "", has_result ? ", " : "",
                      object_name(printer, instruction->object),
                      operand(printer, &instruction->src[0]), has_new_value ? ", " : "",
                      has_new_value ? operand(printer, &instruction->src[1]) : "");
}

static const char *print_barrier(const Printer *printer, const Instruction *instruction) {
  static const char *const kinds[] = {
      [BARRIER_SYNC] = "sync",
      [BARRIER_ARRIVE] = "arrive",
      [BARRIER_RED] = "red",
  };
  const Operand *count = &instruction->src[1];
  const char *resource = instruction->src[0].kind == OPERAND_NONE
                             ? arena_format(printer->arena, "%u", instruction->barrier_key)
                             : operand(printer, &instruction->src[0]);
  if (count->kind == OPERAND_NONE)
    return arena_format(printer->arena, "bar.cta.%s %s", kinds[instruction->barrier], resource);
  return arena_format(printer->arena, "bar.cta.%s %s, %s", kinds[instruction->barrier], resource,
                      operand(printer, count));
}

static const char *print_branch(const Printer *printer, const Instruction *instruction) {
  if (instruction->compare == IR_NOP)
    return arena_format(printer->arena, "bra %u", instruction->target);
  static const char *const names[] = {"beq", "bne", "blt", "ble", "bgt", "bge"};
  assert(instruction->compare >= IR_SET_EQ && instruction->compare <= IR_SET_GE);
  return arena_format(printer->arena, "%s %s, %s, %u", names[instruction->compare - IR_SET_EQ],
                      operand(printer, &instruction->src[0]),
                      operand(printer, &instruction->src[1]), instruction->target);
}

// Names of the arithmetic and comparing instructions, in the order of IrOp.
static const char *print_computation(const Printer *printer, const Instruction *instruction) {
  static const char *const names[] = {"add",    "sub",    "mul",    "div",    "and",
                                      "or",     "xor",    "min",    "max",    "set.eq",
                                      "set.ne", "set.lt", "set.le", "set.gt", "set.ge"};
  assert(instruction->op >= IR_ADD && instruction->op <= IR_SET_GE);
  return arena_format(printer->arena, "%s %s, %s, %s", names[instruction->op - IR_ADD],
                      destination(printer, instruction), operand(printer, &instruction->src[0]),
                      operand(printer, &instruction->src[1]));
}

const char *ir_print_instruction(Arena *arena, const Program *program, const Thread *thread,
                                 const Instruction *instruction) {
  const Printer *printer = &(Printer){arena, program, thread};
  if (instruction->text)
    return instruction->text;
  switch (instruction->op) {
  case IR_NOP:
    return "nop";
  case IR_MOVE:
    return arena_format(arena, "mov %s, %s", destination(printer, instruction),
                        operand(printer, &instruction->src[0]));
  case IR_LOAD:
    return print_load(printer, instruction);
  case IR_STORE:
    return print_store(printer, instruction);
  case IR_ATOM:
  case IR_RED:
    return print_atomic(printer, instruction);
  case IR_FENCE:
    return arena_format(arena, "fence%s", order(printer, instruction));
  case IR_FENCE_PROXY:
    return arena_format(arena, "fence.proxy.%s", ir_proxy_name((Proxy)instruction->proxy));
  case IR_BARRIER:
    return print_barrier(printer, instruction);
  case IR_BARRIER_WARP:
    return "bar.warp.sync";
  case IR_CLUSTER_ARRIVE:
    return arena_format(arena, "barrier.cluster.arrive.%s", ir_sem_name((Sem)instruction->sem));
  case IR_CLUSTER_WAIT:
    return "barrier.cluster.wait.acquire";
  case IR_COPY_ASYNC:
    return arena_format(arena, "cp.async [%s], [%s]", object_name(printer, instruction->object),
                        object_name(printer, instruction->source_object));
  case IR_COPY_WAIT:
    return "cp.async.wait_all";
  case IR_NO_EVENT:
    return "warp collective";
  case IR_BRANCH:
    return print_branch(printer, instruction);
  case IR_EXIT:
    return "exit";
  default:
    return print_computation(printer, instruction);
  }
}
