// The functions that a thread can call: those of <stdatomic.h>, with their orders and scopes, and
// the barriers and fences of CUDA C++.
#include "litmus/c_parser.h"

#include <string.h>

typedef enum CallKind {
  CALL_LOAD,
  CALL_STORE,
  CALL_UPDATE,  // one operand, returns the old value
  CALL_COMPARE, // compare-and-exchange
  CALL_SET,     // atomic_flag_test_and_set
  CALL_CLEAR,   // atomic_flag_clear
  CALL_INIT,    // atomic_init: a plain store
  CALL_FENCE,
  CALL_ITEM_FENCE,    // OpenCL's atomic_work_item_fence
  CALL_SIGNAL_FENCE,  // between a thread and its signal handlers: nothing here
  CALL_DEVICE_FENCE,  // __threadfence...
  CALL_BLOCK_BARRIER, // __syncthreads
  CALL_GROUP_BARRIER, // OpenCL's barrier
} CallKind;

typedef struct Function {
  const char *name; // without "_explicit"
  CallKind kind;
  AtomOp atom;      // of an update
  bool is_explicit; // can have "_explicit" behind its name, and then has orders
  Scope scope;      // of a device fence
  bool may_fail;    // though the value is the expected one
} Function;

static const Function functions[] = {
    {"atomic_load", CALL_LOAD, 0, true, SCOPE_NONE, false},
    {"atomic_store", CALL_STORE, 0, true, SCOPE_NONE, false},
    {"atomic_exchange", CALL_UPDATE, ATOM_EXCH, true, SCOPE_NONE, false},
    {"atomic_fetch_add", CALL_UPDATE, ATOM_ADD, true, SCOPE_NONE, false},
    {"atomic_fetch_sub", CALL_UPDATE, ATOM_SUB, true, SCOPE_NONE, false},
    {"atomic_fetch_and", CALL_UPDATE, ATOM_AND, true, SCOPE_NONE, false},
    {"atomic_fetch_or", CALL_UPDATE, ATOM_OR, true, SCOPE_NONE, false},
    {"atomic_fetch_xor", CALL_UPDATE, ATOM_XOR, true, SCOPE_NONE, false},
    {"atomic_fetch_min", CALL_UPDATE, ATOM_MIN, true, SCOPE_NONE, false},
    {"atomic_fetch_max", CALL_UPDATE, ATOM_MAX, true, SCOPE_NONE, false},
    {"atomic_compare_exchange_strong", CALL_COMPARE, ATOM_CAS, true, SCOPE_NONE, false},
    {"atomic_compare_exchange_weak", CALL_COMPARE, ATOM_CAS, true, SCOPE_NONE, true},
    {"atomic_flag_test_and_set", CALL_SET, ATOM_EXCH, true, SCOPE_NONE, false},
    {"atomic_flag_clear", CALL_CLEAR, 0, true, SCOPE_NONE, false},
    {"atomic_init", CALL_INIT, 0, false, SCOPE_NONE, false},
    {"atomic_thread_fence", CALL_FENCE, 0, false, SCOPE_NONE, false},
    {"atomic_signal_fence", CALL_SIGNAL_FENCE, 0, false, SCOPE_NONE, false},
    {"__threadfence_block", CALL_DEVICE_FENCE, 0, false, SCOPE_CTA, false},
    {"__threadfence", CALL_DEVICE_FENCE, 0, false, SCOPE_GPU, false},
    {"__threadfence_system", CALL_DEVICE_FENCE, 0, false, SCOPE_SYS, false},
    {"__syncthreads", CALL_BLOCK_BARRIER, 0, false, SCOPE_NONE, false},
    {"atomic_work_item_fence", CALL_ITEM_FENCE, 0, false, SCOPE_NONE, false},
    {"barrier", CALL_GROUP_BARRIER, 0, false, SCOPE_NONE, false},
    {"work_group_barrier", CALL_GROUP_BARRIER, 0, false, SCOPE_NONE, false},
};

typedef struct Call {
  CParser *c;
  const Function *function;
  const char *name; // as written
  Span span;        // of the name
  bool is_explicit;
  Sem order, failure_order;
  Scope scope;
} Call;

// --- orders and scopes

static const struct {
  const char *name;
  Sem order;
} orders[] = {
    {"memory_order_relaxed", SEM_RELAXED}, {"memory_order_consume", SEM_ACQUIRE},
    {"memory_order_acquire", SEM_ACQUIRE}, {"memory_order_release", SEM_RELEASE},
    {"memory_order_acq_rel", SEM_ACQ_REL}, {"memory_order_seq_cst", SEM_SC},
};

static bool parse_order(Call *call, Sem *order) {
  for (uint32_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (c_take_word(call->c, orders[i].name)) {
      *order = orders[i].order;
      return true;
    }
  return c_expected(call->c, "a memory order like memory_order_acquire");
}

static const struct {
  const char *name;
  Scope scope;
} scopes[] = {
    {"memory_scope_work_group", SCOPE_CTA},      {"memory_scope_device", SCOPE_GPU},
    {"memory_scope_all_svm_devices", SCOPE_SYS}, {"memory_scope_all_devices", SCOPE_SYS},
    {"thread_scope_block", SCOPE_CTA},           {"thread_scope_cluster", SCOPE_CLUSTER},
    {"thread_scope_device", SCOPE_GPU},          {"thread_scope_system", SCOPE_SYS},
};

// `, thread_scope_device`, if there is a further argument.
static bool parse_scope(Call *call) {
  call->scope = call->c->litmus->is_opencl ? SCOPE_GPU : SCOPE_SYS;
  if (!c_take(call->c, C_TOKEN_COMMA))
    return true;
  for (uint32_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
    if (c_take_word(call->c, scopes[i].name)) {
      call->scope = scopes[i].scope;
      return true;
    }
  return c_expected(call->c, "a scope like thread_scope_device or memory_scope_device");
}

// Which orders C allows for what a function does to memory.
static bool is_order_allowed(CallKind kind, Sem order) {
  bool releases = order == SEM_RELEASE || order == SEM_ACQ_REL;
  bool acquires = order == SEM_ACQUIRE || order == SEM_ACQ_REL;
  if (kind == CALL_LOAD)
    return !releases;
  return (kind != CALL_STORE && kind != CALL_CLEAR) || !acquires;
}

static bool parse_checked_order(Call *call, CallKind kind, const char *what, Sem *order) {
  Span span = c_token_span(call->c);
  const char *text = c_copy_word(call->c);
  if (!parse_order(call, order))
    return false;
  if (!is_order_allowed(kind, *order))
    return litmus_error(call->c->litmus, span, "%s cannot be %s", what, text);
  return true;
}

static const char *what_is_done(CallKind kind) {
  switch (kind) {
  case CALL_LOAD:
    return "a load";
  case CALL_STORE:
  case CALL_CLEAR:
    return "a store";
  default:
    return "a fence or an atomic";
  }
}

// The orders and the scope behind the operands, and the parenthesis.
static bool parse_rest(Call *call) {
  CallKind kind = call->function->kind;
  call->order = call->failure_order = SEM_SC;
  if (call->is_explicit) {
    if (!c_expect(call->c, C_TOKEN_COMMA) ||
        !parse_checked_order(call, kind, what_is_done(kind), &call->order))
      return false;
    if (kind == CALL_COMPARE &&
        (!c_expect(call->c, C_TOKEN_COMMA) ||
         !parse_checked_order(call, CALL_LOAD, "the order of a failure", &call->failure_order)))
      return false;
  }
  return parse_scope(call) && c_expect(call->c, C_TOKEN_PAREN_CLOSE);
}

// --- operands

static bool parse_object(Call *call, CAddress *address) {
  CValue value;
  CParser *c = call->c;
  if (!c_parse_expression(c, &value))
    return false;
  if (value.kind != C_ADDRESS)
    return litmus_error(c->litmus, c_span_from(c, value.begin),
                        "expected the address of an object in shared memory, like a parameter");
  *address = value.address;
  return true;
}

static bool parse_operand(Call *call, CType type, Operand *operand) {
  return c_expect(call->c, C_TOKEN_COMMA) && c_parse_converted(call->c, type, operand);
}

static Instruction new_access(const Call *call, IrOp op) {
  Instruction access = litmus_new_instruction(op, call->span);
  access.sem = (uint8_t)call->order;
  access.failure_sem = (uint8_t)call->order;
  access.scope = (uint8_t)call->scope;
  return access;
}

static void set_result(CValue *value, uint32_t result, CType type) {
  value->kind = C_NUMBER;
  value->type = type;
  value->operand = c_register(result);
}

// --- accesses

static bool call_load(Call *call, CValue *value) {
  CAddress address;
  if (!parse_object(call, &address) || !parse_rest(call))
    return false;
  Instruction load = new_access(call, IR_LOAD);
  load.dst = c_new_temporary(call->c);
  c_emit_access(call->c, &address, load, c_span_from(call->c, call->span.begin));
  set_result(value, load.dst, address.type);
  return true;
}

// A store of an operand, or of zero.
static bool call_store(Call *call, CValue *value) {
  CAddress address;
  Operand stored = c_constant(0);
  bool is_init = call->function->kind == CALL_INIT;
  bool has_operand = call->function->kind != CALL_CLEAR;
  if (!parse_object(call, &address) ||
      (has_operand && !parse_operand(call, address.type, &stored)) ||
      !(is_init ? c_expect(call->c, C_TOKEN_PAREN_CLOSE) : parse_rest(call)))
    return false;
  Instruction store = new_access(call, IR_STORE);
  if (is_init) {
    store.sem = SEM_WEAK;
    store.scope = SCOPE_NONE;
  }
  store.src[0] = stored;
  c_emit_access(call->c, &address, store, c_span_from(call->c, call->span.begin));
  value->kind = C_NOTHING;
  return true;
}

// Sums leave the size of the object; what else is computed does not.
static void set_size(Instruction *update, CType type) {
  if (type.size == 8 || (update->atom != ATOM_ADD && update->atom != ATOM_SUB))
    return;
  update->size = type.size;
  if (type.is_signed)
    update->flags |= INSTRUCTION_SIGNED;
}

static bool can_update(const Call *call, CType type) {
  bool compares = call->function->atom == ATOM_MIN || call->function->atom == ATOM_MAX;
  bool is_sum = call->function->atom == ATOM_ADD || call->function->atom == ATOM_SUB;
  if (call->function->kind == CALL_UPDATE && compares && type.size == 8 && !type.is_signed)
    return litmus_error(call->c->litmus, call->span,
                        "'%s' of unsigned 64-bit objects is not supported", call->name);
  if (call->function->kind == CALL_UPDATE && is_sum && type.is_truth)
    return litmus_error(call->c->litmus, call->span, "'%s' of a bool is not C", call->name);
  return true;
}

// An update by an operand, or by one.
static bool call_update(Call *call, CValue *value) {
  CAddress address;
  Operand operand = c_constant(1);
  if (!parse_object(call, &address) ||
      (call->function->kind == CALL_UPDATE && !parse_operand(call, address.type, &operand)) ||
      !parse_rest(call) || !can_update(call, address.type))
    return false;
  Instruction update = new_access(call, IR_ATOM);
  update.atom = (uint8_t)call->function->atom;
  update.src[0] = operand;
  update.dst = c_new_temporary(call->c);
  set_size(&update, address.type);
  c_emit_access(call->c, &address, update, c_span_from(call->c, call->span.begin));
  set_result(value, update.dst, address.type);
  return true;
}

// The second argument of a compare-and-exchange: the address of a variable or of an object.
static bool parse_expected(Call *call, CValue *place) {
  CParser *c = call->c;
  if (!c_expect(c, C_TOKEN_COMMA) || !c_parse_expression(c, place))
    return false;
  if (place->kind != C_POINTER && place->kind != C_ADDRESS)
    return litmus_error(c->litmus, c_span_from(c, place->begin),
                        "expected the address of the expected value, like '&expected'");
  if (place->kind == C_ADDRESS)
    place->type = place->address.type;
  place->kind = place->kind == C_POINTER ? C_VARIABLE : C_MEMORY;
  return true;
}

// What was found is left where the expected value was. If that is in memory, only a failure
// writes; a variable has the value already otherwise.
static bool leave_found(CParser *c, const CValue *place, Operand found, CType type,
                        Operand is_done) {
  if (place->kind == C_VARIABLE)
    return c_assign(c, place, found, type);
  uint32_t branch = c_emit_branch(c, IR_SET_NE, is_done, c_constant(0));
  bool is_good = c_assign(c, place, found, type);
  c_set_target(c, branch, c_emit_label(c));
  return is_good;
}

static bool call_compare(Call *call, CValue *value) {
  CParser *c = call->c;
  CAddress address;
  CValue place;
  Operand expected, desired;
  if (!parse_object(call, &address) || !parse_expected(call, &place) ||
      !parse_operand(call, address.type, &desired) || !parse_rest(call) ||
      !c_read(c, &place, &expected))
    return false;
  expected = c_convert(c, expected, place.type, address.type);
  Instruction exchange = new_access(call, IR_ATOM);
  exchange.atom = ATOM_CAS;
  exchange.failure_sem = (uint8_t)call->failure_order;
  if (call->function->may_fail) {
    exchange.flags = INSTRUCTION_SPURIOUS;
    exchange.more[0] = c_new_temporary(c);
  }
  exchange.src[0] = expected;
  exchange.src[1] = desired;
  uint32_t found = exchange.dst = c_new_temporary(c);
  c_emit_access(c, &address, exchange, c_span_from(call->c, call->span.begin));
  Operand is_done = call->function->may_fail
                        ? c_register(exchange.more[0])
                        : c_emit_compute(c, IR_SET_EQ, c_register(found), expected);
  set_result(value, is_done.index, c_int);
  return leave_found(c, &place, c_register(found), address.type, is_done);
}

// --- fences and barriers

static void emit_event(Call *call, IrOp op) {
  CParser *c = call->c;
  Instruction event = new_access(call, op);
  event.span = c_span_from(c, call->span.begin);
  c_emit(c, event);
}

// OpenCL's flags say which memory is meant. There is only the global one.
static bool parse_memory(Call *call) {
  CParser *c = call->c;
  bool is_global = c_take_word(c, "CLK_GLOBAL_MEM_FENCE");
  if (is_global && c->token.kind != C_TOKEN_BAR)
    return true;
  return litmus_error(c->litmus, c_token_span(c),
                      "expected CLK_GLOBAL_MEM_FENCE alone: other memory is not supported");
}

static bool call_fence(Call *call, CValue *value) {
  CParser *c = call->c;
  value->kind = C_NOTHING;
  if (call->function->kind == CALL_ITEM_FENCE &&
      (!parse_memory(call) || !c_expect(c, C_TOKEN_COMMA)))
    return false;
  if (!parse_order(call, &call->order) || !parse_scope(call) || !c_expect(c, C_TOKEN_PAREN_CLOSE))
    return false;
  // A relaxed fence does nothing.
  if (call->order != SEM_RELAXED && call->function->kind != CALL_SIGNAL_FENCE)
    emit_event(call, IR_FENCE);
  return true;
}

static bool call_without_operands(Call *call, CValue *value) {
  value->kind = C_NOTHING;
  if (call->function->kind == CALL_GROUP_BARRIER && !parse_memory(call))
    return false;
  if (!c_expect(call->c, C_TOKEN_PAREN_CLOSE))
    return false;
  call->order = SEM_SC;
  call->scope = call->function->scope;
  if (call->function->kind == CALL_DEVICE_FENCE) {
    emit_event(call, IR_FENCE);
    return true;
  }
  call->order = SEM_WEAK;
  emit_event(call, IR_BARRIER);
  return true;
}

// --- names

static bool parse_arguments(Call *call, CValue *value) {
  switch (call->function->kind) {
  case CALL_LOAD:
    return call_load(call, value);
  case CALL_STORE:
  case CALL_CLEAR:
  case CALL_INIT:
    return call_store(call, value);
  case CALL_UPDATE:
  case CALL_SET:
    return call_update(call, value);
  case CALL_COMPARE:
    return call_compare(call, value);
  case CALL_FENCE:
  case CALL_ITEM_FENCE:
  case CALL_SIGNAL_FENCE:
    return call_fence(call, value);
  case CALL_DEVICE_FENCE:
  case CALL_BLOCK_BARRIER:
  case CALL_GROUP_BARRIER:
    return call_without_operands(call, value);
  }
  return false;
}

static bool is_called(const Function *function, const char *name, bool *is_explicit) {
  size_t length = strlen(function->name);
  if (strncmp(function->name, name, length) != 0)
    return false;
  *is_explicit = function->is_explicit && strcmp(name + length, "_explicit") == 0;
  return *is_explicit || name[length] == '\0';
}

bool c_parse_call(CParser *c, const char *name, Span span, CValue *value) {
  Call call = {.c = c, .name = name, .span = span};
  for (uint32_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (is_called(&functions[i], name, &call.is_explicit))
      call.function = &functions[i];
  if (!call.function)
    return litmus_error(c->litmus, span, "function '%s' is not known here", name);
  return c_expect(c, C_TOKEN_PAREN_OPEN) && parse_arguments(&call, value);
}
