// The instructions of the PTX dialect -> ir. One cell holds one instruction.
#include "litmus/mnemonic.h"

#include <string.h>

// One instruction while it is read.
typedef struct Cell {
  LitmusParser *parser;
  uint32_t thread;
  uint32_t begin;   // offset of the mnemonic
  const char *text; // the mnemonic for messages
  Mnemonic mnemonic;
  Proxy proxy;
} Cell;

typedef bool CellReader(Cell *cell);

enum {
  SEMS_LOAD =
      1 << SEM_WEAK | 1 << SEM_RELAXED | 1 << SEM_ACQUIRE | 1 << SEM_SC | 1 << MNEMONIC_VOLATILE,
  SEMS_STORE =
      1 << SEM_WEAK | 1 << SEM_RELAXED | 1 << SEM_RELEASE | 1 << SEM_SC | 1 << MNEMONIC_VOLATILE,
  SEMS_ATOM =
      1 << SEM_RELAXED | 1 << SEM_ACQUIRE | 1 << SEM_RELEASE | 1 << SEM_ACQ_REL | 1 << SEM_SC,
  SEMS_FENCE = 1 << SEM_ACQUIRE | 1 << SEM_RELEASE | 1 << SEM_ACQ_REL | 1 << SEM_SC,
};

static bool comma(Cell *cell) {
  return litmus_expect_token(cell->parser, LITMUS_TOKEN_COMMA);
}

static bool parse_destination(Cell *cell, uint32_t *dst) {
  return litmus_parse_register(cell->parser, cell->thread, dst);
}

// A constant, a register, or `&x`, the address of a location.
static bool parse_value(Cell *cell, Operand *operand) {
  LitmusParser *parser = cell->parser;
  if (litmus_take_token(parser, LITMUS_TOKEN_AMPERSAND)) {
    operand->kind = OPERAND_ADDRESS;
    return litmus_parse_location(parser, &operand->index);
  }
  if (parser->token.kind == LITMUS_TOKEN_NUMBER || parser->token.kind == LITMUS_TOKEN_MINUS) {
    operand->kind = OPERAND_CONSTANT;
    return litmus_parse_constant(parser, &operand->constant);
  }
  if (!litmus_at_register(parser))
    return litmus_expected(parser, "a constant or a register");
  operand->kind = OPERAND_REGISTER;
  return litmus_parse_register(parser, cell->thread, &operand->index);
}

// Appends the instruction, which now has its whole text.
static bool emit(Cell *cell, Instruction instruction) {
  instruction.span = litmus_span_from(cell->parser, cell->begin);
  litmus_emit(cell->parser, cell->thread, instruction);
  return true;
}

static Instruction new_instruction(Cell *cell, IrOp op) {
  return litmus_new_instruction(op, cell->mnemonic.span);
}

static bool expect_done(Cell *cell) {
  return mnemonic_is_done(&cell->mnemonic) ||
         mnemonic_expected(cell->parser, &cell->mnemonic, "no more qualifiers");
}

// Order and scope of an access from its qualifiers; `default_sem` is that of PTX.
static bool set_order(Cell *cell, const MnemonicQualifiers *qualifiers, Sem default_sem,
                      Instruction *instruction) {
  uint32_t sem = qualifiers->sem == UINT32_MAX ? default_sem : qualifiers->sem;
  bool has_scope = qualifiers->scope != UINT32_MAX;
  if (has_scope && (sem == SEM_WEAK || sem == MNEMONIC_VOLATILE))
    return litmus_error(cell->parser, cell->mnemonic.span, "a %s access has no scope",
                        sem == SEM_WEAK ? "weak" : "volatile");
  if (sem == MNEMONIC_VOLATILE) {
    instruction->sem = SEM_RELAXED;
    instruction->scope = SCOPE_SYS;
    instruction->flags = INSTRUCTION_VOLATILE;
    return true;
  }
  instruction->sem = (uint8_t)sem;
  instruction->scope = SCOPE_NONE;
  if (sem != SEM_WEAK)
    instruction->scope = has_scope ? (uint8_t)qualifiers->scope : SCOPE_GPU;
  return true;
}

// A sequentially consistent access of CUDA C++ is compiled to a fence.sc and an access. The C++
// models see the access alone, the PTX models both.
static bool emit_access(Cell *cell, Instruction access) {
  access.proxy = (uint8_t)cell->proxy;
  if (access.sem == SEM_SC) {
    Instruction fence = new_instruction(cell, IR_FENCE);
    fence.sem = SEM_SC;
    fence.scope = access.scope;
    fence.flags = INSTRUCTION_ABI_FENCE;
    emit(cell, fence);
  }
  return emit(cell, access);
}

// `ld r, 5` without order or scope sets a register.
static bool parse_move(Cell *cell) {
  Instruction move = new_instruction(cell, IR_MOVE);
  return expect_done(cell) && parse_destination(cell, &move.dst) && comma(cell) &&
         parse_value(cell, &move.src[0]) && emit(cell, move);
}

// Is the operand behind `ld r,` a location?
static bool at_location(const LitmusParser *parser) {
  return parser->token.kind == LITMUS_TOKEN_WORD && !litmus_at_register(parser);
}

static bool parse_load(Cell *cell) {
  Instruction load = new_instruction(cell, IR_LOAD);
  MnemonicQualifiers qualifiers;
  bool is_bare = mnemonic_is_done(&cell->mnemonic);
  if (!mnemonic_take_qualifiers(cell->parser, &cell->mnemonic, SEMS_LOAD, false,
                                "weak, relaxed, acquire, volatile or sc and a scope",
                                &qualifiers) ||
      !set_order(cell, &qualifiers, SEM_WEAK, &load) || !parse_destination(cell, &load.dst) ||
      !comma(cell))
    return false;
  if (is_bare && cell->proxy == PROXY_GENERIC && !at_location(cell->parser)) {
    load.op = IR_MOVE;
    return parse_value(cell, &load.src[0]) && emit(cell, load);
  }
  return litmus_parse_location(cell->parser, &load.object) && emit_access(cell, load);
}

static bool parse_store(Cell *cell) {
  Instruction store = new_instruction(cell, IR_STORE);
  MnemonicQualifiers qualifiers;
  return mnemonic_take_qualifiers(cell->parser, &cell->mnemonic, SEMS_STORE, false,
                                  "weak, relaxed, release, volatile or sc and a scope",
                                  &qualifiers) &&
         set_order(cell, &qualifiers, SEM_WEAK, &store) &&
         litmus_parse_location(cell->parser, &store.object) && comma(cell) &&
         parse_value(cell, &store.src[0]) && emit_access(cell, store);
}

static bool parse_atomic_qualifiers(Cell *cell, Instruction *atomic) {
  MnemonicQualifiers qualifiers;
  if (!mnemonic_take_qualifiers(
          cell->parser, &cell->mnemonic, SEMS_ATOM, true,
          "relaxed, acquire, release, acq_rel or sc, a scope and an operation", &qualifiers) ||
      !set_order(cell, &qualifiers, SEM_RELAXED, atomic))
    return false;
  if (qualifiers.atom == UINT32_MAX)
    return mnemonic_expected(cell->parser, &cell->mnemonic,
                             "add, sub, mul, div, and, or, xor, min, max, exch or cas");
  atomic->atom = (uint8_t)qualifiers.atom;
  return true;
}

// The location and the operands behind it: one, or two for a cas.
static bool parse_atomic_operands(Cell *cell, Instruction *atomic) {
  if (!litmus_parse_location(cell->parser, &atomic->object) || !comma(cell) ||
      !parse_value(cell, &atomic->src[0]))
    return false;
  return atomic->atom != ATOM_CAS_WRITE || (comma(cell) && parse_value(cell, &atomic->src[1]));
}

static bool parse_atom(Cell *cell) {
  Instruction atom = new_instruction(cell, IR_ATOM);
  return parse_atomic_qualifiers(cell, &atom) && parse_destination(cell, &atom.dst) &&
         comma(cell) && parse_atomic_operands(cell, &atom) && emit_access(cell, atom);
}

static bool parse_red(Cell *cell) {
  Instruction red = new_instruction(cell, IR_RED);
  if (!parse_atomic_qualifiers(cell, &red))
    return false;
  if (red.atom == ATOM_EXCH || red.atom == ATOM_CAS_WRITE)
    return litmus_error(cell->parser, cell->mnemonic.span,
                        "expected an arithmetic or logical operation of red, found '%s'",
                        red.atom == ATOM_EXCH ? "exch" : "cas");
  return parse_atomic_operands(cell, &red) && emit_access(cell, red);
}

static bool parse_copy_wait(Cell *cell) {
  return expect_done(cell) && emit(cell, new_instruction(cell, IR_COPY_WAIT));
}

static bool parse_copy(Cell *cell) {
  Instruction copy = new_instruction(cell, IR_COPY_ASYNC);
  if (!mnemonic_take(&cell->mnemonic, "async"))
    return mnemonic_expected(cell->parser, &cell->mnemonic, "async");
  if (mnemonic_take(&cell->mnemonic, "wait_all"))
    return parse_copy_wait(cell);
  return expect_done(cell) && litmus_parse_location(cell->parser, &copy.object) && comma(cell) &&
         litmus_parse_location(cell->parser, &copy.source_object) && emit(cell, copy);
}

static bool parse_proxy_fence(Cell *cell) {
  static const struct {
    const char *name;
    Proxy proxy;
  } kinds[] = {{"generic", PROXY_GENERIC}, {"texture", PROXY_TEXTURE},
               {"surface", PROXY_SURFACE}, {"constant", PROXY_CONSTANT},
               {"async", PROXY_ASYNC},     {"tensormap", PROXY_TENSORMAP},
               {"alias", PROXY_ALIAS}};
  Instruction fence = new_instruction(cell, IR_FENCE_PROXY);
  for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (mnemonic_take(&cell->mnemonic, kinds[i].name)) {
      fence.proxy = (uint8_t)kinds[i].proxy;
      return expect_done(cell) && emit(cell, fence);
    }
  }
  return mnemonic_expected(cell->parser, &cell->mnemonic,
                           "generic, texture, surface, constant, async, tensormap or alias");
}

static bool parse_fence(Cell *cell) {
  Instruction fence = new_instruction(cell, IR_FENCE);
  MnemonicQualifiers qualifiers;
  if (mnemonic_take(&cell->mnemonic, "proxy"))
    return parse_proxy_fence(cell);
  if (!mnemonic_take_qualifiers(cell->parser, &cell->mnemonic, SEMS_FENCE, false,
                                "sc, acq_rel, acquire, release or proxy and a scope", &qualifiers))
    return false;
  if (qualifiers.scope == UINT32_MAX)
    return mnemonic_expected(cell->parser, &cell->mnemonic, "a scope (cta, cluster, gpu or sys)");
  fence.sem = qualifiers.sem == UINT32_MAX ? SEM_ACQ_REL : (uint8_t)qualifiers.sem;
  fence.scope = (uint8_t)qualifiers.scope;
  return emit(cell, fence);
}

static bool parse_membar(Cell *cell) {
  Instruction fence = new_instruction(cell, IR_FENCE);
  fence.sem = SEM_SC;
  if (mnemonic_take(&cell->mnemonic, "cta"))
    fence.scope = SCOPE_CTA;
  else if (mnemonic_take(&cell->mnemonic, "gl"))
    fence.scope = SCOPE_GPU;
  else if (mnemonic_take(&cell->mnemonic, "sys"))
    fence.scope = SCOPE_SYS;
  else
    return mnemonic_expected(cell->parser, &cell->mnemonic, "cta, gl or sys");
  return expect_done(cell) && emit(cell, fence);
}

static bool parse_barrier_key(Cell *cell, Instruction *barrier) {
  return litmus_parse_index(cell->parser, "the number of a barrier", &barrier->barrier_key);
}

static bool check_range(Cell *cell, const Operand *operand, int64_t low, int64_t high,
                        const char *what) {
  if (operand->kind != OPERAND_CONSTANT || (operand->constant >= low && operand->constant <= high))
    return true;
  return litmus_error(cell->parser, litmus_span_from(cell->parser, cell->begin),
                      "expected %s from %lld to %lld, found %lld", what, (long long)low,
                      (long long)high, (long long)operand->constant);
}

// Behind the instance: `[, id[, number of threads]]`.
static bool parse_barrier_operands(Cell *cell, Instruction *barrier) {
  barrier->src[0] = (Operand){.kind = OPERAND_CONSTANT, .constant = barrier->barrier_key};
  if (!litmus_take_token(cell->parser, LITMUS_TOKEN_COMMA))
    return true;
  if (!parse_value(cell, &barrier->src[0]) ||
      !check_range(cell, &barrier->src[0], 0, 15, "the id of a barrier"))
    return false;
  if (!litmus_take_token(cell->parser, LITMUS_TOKEN_COMMA))
    return true;
  return parse_value(cell, &barrier->src[1]) &&
         check_range(cell, &barrier->src[1], 1, LITMUS_MAX_THREADS, "a number of threads");
}

static bool parse_cta_barrier(Cell *cell) {
  Instruction barrier = new_instruction(cell, IR_BARRIER);
  if (mnemonic_take(&cell->mnemonic, "sync"))
    barrier.barrier = BARRIER_SYNC;
  else if (mnemonic_take(&cell->mnemonic, "arrive"))
    barrier.barrier = BARRIER_ARRIVE;
  else
    return mnemonic_expected(cell->parser, &cell->mnemonic, "sync or arrive");
  return expect_done(cell) && parse_barrier_key(cell, &barrier) &&
         parse_barrier_operands(cell, &barrier) && emit(cell, barrier);
}

static bool parse_warp_barrier(Cell *cell) {
  Instruction barrier = new_instruction(cell, IR_BARRIER_WARP);
  if (!mnemonic_take(&cell->mnemonic, "sync"))
    return mnemonic_expected(cell->parser, &cell->mnemonic, "sync");
  return expect_done(cell) && parse_barrier_key(cell, &barrier) && emit(cell, barrier);
}

// Threads of the host have no barriers on the device.
static bool check_device(Cell *cell) {
  return !cell->parser->threads.items[cell->thread].place.is_host ||
         litmus_error(cell->parser, cell->mnemonic.span, "a host thread has no barriers");
}

static bool parse_bar(Cell *cell) {
  if (!check_device(cell))
    return false;
  if (mnemonic_take(&cell->mnemonic, "cta"))
    return parse_cta_barrier(cell);
  if (mnemonic_take(&cell->mnemonic, "warp"))
    return parse_warp_barrier(cell);
  return mnemonic_expected(cell->parser, &cell->mnemonic, "cta.sync, cta.arrive or warp.sync");
}

static bool parse_cluster_arrive(Cell *cell) {
  Instruction arrive = new_instruction(cell, IR_CLUSTER_ARRIVE);
  arrive.scope = SCOPE_CLUSTER;
  arrive.sem = mnemonic_take(&cell->mnemonic, "relaxed") ? SEM_RELAXED : SEM_RELEASE;
  if (arrive.sem == SEM_RELEASE)
    mnemonic_take(&cell->mnemonic, "release");
  return expect_done(cell) && emit(cell, arrive);
}

static bool parse_cluster_wait(Cell *cell) {
  Instruction wait = new_instruction(cell, IR_CLUSTER_WAIT);
  wait.scope = SCOPE_CLUSTER;
  wait.sem = SEM_ACQUIRE;
  mnemonic_take(&cell->mnemonic, "acquire");
  return expect_done(cell) && emit(cell, wait);
}

static bool parse_barrier(Cell *cell) {
  if (!check_device(cell))
    return false;
  if (!mnemonic_take(&cell->mnemonic, "cluster"))
    return mnemonic_expected(cell->parser, &cell->mnemonic, "cluster");
  if (mnemonic_take(&cell->mnemonic, "arrive"))
    return parse_cluster_arrive(cell);
  if (mnemonic_take(&cell->mnemonic, "wait"))
    return parse_cluster_wait(cell);
  return mnemonic_expected(cell->parser, &cell->mnemonic, "arrive or wait");
}

static const struct {
  const char *name;
  IrOp compare;
} branches[] = {{"beq", IR_SET_EQ}, {"bne", IR_SET_NE}, {"blt", IR_SET_LT},
                {"ble", IR_SET_LE}, {"bgt", IR_SET_GT}, {"bge", IR_SET_GE}};

static bool parse_branch(Cell *cell, IrOp compare) {
  Instruction branch = new_instruction(cell, IR_BRANCH);
  branch.compare = (uint8_t)compare;
  return expect_done(cell) && parse_value(cell, &branch.src[0]) && comma(cell) &&
         parse_value(cell, &branch.src[1]) && comma(cell) &&
         litmus_parse_jump_label(cell->parser, cell->thread) && emit(cell, branch);
}

static bool parse_goto(Cell *cell) {
  Instruction branch = new_instruction(cell, IR_BRANCH);
  branch.compare = IR_NOP;
  return expect_done(cell) && litmus_parse_jump_label(cell->parser, cell->thread) &&
         emit(cell, branch);
}

static const struct {
  const char *name;
  IrOp op;
} computations[] = {{"add", IR_ADD}, {"sub", IR_SUB}, {"mul", IR_MUL},
                    {"div", IR_DIV}, {"and", IR_AND}, {"or", IR_OR},
                    {"xor", IR_XOR}, {"min", IR_MIN}, {"max", IR_MAX}};

static bool parse_computation(Cell *cell, IrOp op) {
  Instruction compute = new_instruction(cell, op);
  return expect_done(cell) && parse_destination(cell, &compute.dst) && comma(cell) &&
         parse_value(cell, &compute.src[0]) && comma(cell) && parse_value(cell, &compute.src[1]) &&
         emit(cell, compute);
}

static bool parse_exit(Cell *cell) {
  return expect_done(cell) && emit(cell, new_instruction(cell, IR_EXIT));
}

// shfl.sync, vote.sync: they exchange registers and order no memory.
static bool parse_exchange(Cell *cell) {
  if (!mnemonic_take(&cell->mnemonic, "sync"))
    return mnemonic_expected(cell->parser, &cell->mnemonic, "sync");
  return expect_done(cell) && emit(cell, new_instruction(cell, IR_NO_EVENT));
}

static const struct {
  const char *name;
  CellReader *read;
  Proxy proxy;
} readers[] = {
    {"ld", parse_load, PROXY_GENERIC},       {"st", parse_store, PROXY_GENERIC},
    {"atom", parse_atom, PROXY_GENERIC},     {"red", parse_red, PROXY_GENERIC},
    {"tld", parse_load, PROXY_TEXTURE},      {"suld", parse_load, PROXY_SURFACE},
    {"sust", parse_store, PROXY_SURFACE},    {"suatom", parse_atom, PROXY_SURFACE},
    {"sured", parse_red, PROXY_SURFACE},     {"cold", parse_load, PROXY_CONSTANT},
    {"ald", parse_load, PROXY_ASYNC},        {"ast", parse_store, PROXY_ASYNC},
    {"mov", parse_move, PROXY_GENERIC},      {"cp", parse_copy, PROXY_GENERIC},
    {"fence", parse_fence, PROXY_GENERIC},   {"membar", parse_membar, PROXY_GENERIC},
    {"bar", parse_bar, PROXY_GENERIC},       {"barrier", parse_barrier, PROXY_GENERIC},
    {"goto", parse_goto, PROXY_GENERIC},     {"exit", parse_exit, PROXY_GENERIC},
    {"shfl", parse_exchange, PROXY_GENERIC}, {"vote", parse_exchange, PROXY_GENERIC},
};

static bool dispatch(Cell *cell) {
  Mnemonic *mnemonic = &cell->mnemonic;
  for (uint32_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
    if (mnemonic_take(mnemonic, readers[i].name)) {
      cell->proxy = readers[i].proxy;
      return readers[i].read(cell);
    }
  }
  for (uint32_t i = 0; i < sizeof branches / sizeof branches[0]; i++)
    if (mnemonic_take(mnemonic, branches[i].name))
      return parse_branch(cell, branches[i].compare);
  for (uint32_t i = 0; i < sizeof computations / sizeof computations[0]; i++)
    if (mnemonic_take(mnemonic, computations[i].name))
      return parse_computation(cell, computations[i].op);
  return litmus_error(cell->parser, mnemonic->span, "unknown instruction %s", cell->text);
}

bool litmus_parse_ptx_instruction(LitmusParser *parser, uint32_t thread) {
  Cell cell = {.parser = parser,
               .thread = thread,
               .begin = parser->token.begin,
               .text = litmus_token_text(parser)};
  if (!mnemonic_split(parser, &cell.mnemonic))
    return false;
  litmus_next_token(parser);
  return dispatch(&cell);
}
