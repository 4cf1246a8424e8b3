#include "ir/ir.h"

#include <assert.h>

#include "ir/alu.h"

static const char *const scope_names[] = {
    [SCOPE_NONE] = "none", [SCOPE_CTA] = "cta", [SCOPE_CLUSTER] = "cluster",
    [SCOPE_GPU] = "gpu",   [SCOPE_SYS] = "sys",
};

static const char *const sem_names[] = {
    [SEM_WEAK] = "weak",       [SEM_RELAXED] = "relaxed", [SEM_ACQUIRE] = "acquire",
    [SEM_RELEASE] = "release", [SEM_ACQ_REL] = "acq_rel", [SEM_SC] = "sc",
};

static const char *const proxy_names[] = {
    [PROXY_GENERIC] = "generic",   [PROXY_TEXTURE] = "texture", [PROXY_SURFACE] = "surface",
    [PROXY_CONSTANT] = "constant", [PROXY_ASYNC] = "async",     [PROXY_TENSORMAP] = "tensormap",
    [PROXY_ALIAS] = "alias",
};

static const char *const atom_names[] = {
    [ATOM_ADD] = "add", [ATOM_SUB] = "sub",   [ATOM_MUL] = "mul", [ATOM_DIV] = "div",
    [ATOM_AND] = "and", [ATOM_OR] = "or",     [ATOM_XOR] = "xor", [ATOM_MIN] = "min",
    [ATOM_MAX] = "max", [ATOM_EXCH] = "exch", [ATOM_CAS] = "cas", [ATOM_CAS_WRITE] = "cas",
};

const char *ir_scope_name(Scope scope) {
  assert(scope <= SCOPE_SYS);
  return scope_names[scope];
}

const char *ir_sem_name(Sem sem) {
  assert(sem <= SEM_SC);
  return sem_names[sem];
}

const char *ir_proxy_name(Proxy proxy) {
  assert(proxy <= PROXY_ALIAS);
  return proxy_names[proxy];
}

const char *ir_atom_name(AtomOp atom) {
  assert(atom <= ATOM_CAS_WRITE);
  return atom_names[atom];
}

bool ir_scope_contains(Scope scope, const Placement *from, const Placement *to) {
  if (scope == SCOPE_NONE)
    return false;
  if (scope == SCOPE_SYS)
    return true;
  if (from->is_host || to->is_host || from->gpu != to->gpu)
    return false;
  if (scope == SCOPE_GPU)
    return from->domain == to->domain;
  if (scope == SCOPE_CLUSTER)
    return from->cluster == to->cluster;
  return from->cta == to->cta;
}

// Wraps around, as the machine does; conversion back is modular with gcc and clang.
static int64_t wrap(uint64_t value) {
  return (int64_t)value;
}

static int64_t divide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  // INT64_MIN / -1 overflows.
  return b == -1 ? wrap(0 - (uint64_t)a) : a / b;
}

int64_t ir_compute(IrOp op, int64_t a, int64_t b) {
  switch (op) {
  case IR_MOVE:
    return a;
  case IR_ADD:
    return wrap((uint64_t)a + (uint64_t)b);
  case IR_SUB:
    return wrap((uint64_t)a - (uint64_t)b);
  case IR_MUL:
    return wrap((uint64_t)a * (uint64_t)b);
  case IR_DIV:
    return divide(a, b);
  case IR_AND:
    return a & b;
  case IR_OR:
    return a | b;
  case IR_XOR:
    return a ^ b;
  case IR_MIN:
    return a < b ? a : b;
  case IR_MAX:
    return a > b ? a : b;
  case IR_SET_EQ:
    return a == b;
  case IR_SET_NE:
    return a != b;
  case IR_SET_LT:
    return a < b;
  case IR_SET_LE:
    return a <= b;
  case IR_SET_GT:
    return a > b;
  case IR_SET_GE:
    return a >= b;
  default:
    assert(!"the instruction computes a value");
    return 0;
  }
}

int64_t ir_atom_result(AtomOp atom, int64_t old, int64_t operand, int64_t new_value) {
  static const IrOp operations[] = {
      [ATOM_ADD] = IR_ADD, [ATOM_SUB] = IR_SUB, [ATOM_MUL] = IR_MUL,
      [ATOM_DIV] = IR_DIV, [ATOM_AND] = IR_AND, [ATOM_OR] = IR_OR,
      [ATOM_XOR] = IR_XOR, [ATOM_MIN] = IR_MIN, [ATOM_MAX] = IR_MAX,
  };
  switch (atom) {
  case ATOM_EXCH:
    return operand;
  case ATOM_CAS:
  case ATOM_CAS_WRITE:
    return old == operand ? new_value : old;
  default:
    assert(atom <= ATOM_MAX);
    return ir_compute(operations[atom], old, operand);
  }
}

uint64_t ir_atom_new_value(AtomOp atom, const AluOperation *alu, uint32_t size, uint64_t old,
                           uint64_t second, uint64_t third) {
  uint64_t operands[ALU_MAX_OPERANDS] = {old, second}, results[ALU_MAX_RESULTS] = {0};
  uint64_t mask = size >= 8 ? ~0ull : (1ull << 8 * size) - 1;
  second &= mask;
  switch (atom) {
  case ATOM_ALU:
    alu_compute(alu, operands, results);
    return results[0];
  case ATOM_INC:
    return old >= second ? 0 : old + 1;
  case ATOM_DEC:
    return old == 0 || old > second ? second : old - 1;
  case ATOM_EXCH:
    return second;
  default:
    return third & mask;
  }
}
