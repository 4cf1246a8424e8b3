// The instructions of herd's X86 dialect -> ir. The memory accesses of the machine are atomic ones
// of the whole system, and MFENCE and locked instructions are its full fences.
//
// The flags are one more register, which holds a number that has the sign of the result: a - b
// after CMP a,b. A conditional jump compares it with zero. Values are 64-bit integers, so that
// nothing overflows that a test computes.
#include "litmus/parser.h"

#include <string.h>

typedef enum X86OperandKind { X86_REGISTER, X86_CONSTANT, X86_MEMORY } X86OperandKind;

typedef struct X86Operand {
  X86OperandKind kind;
  uint32_t index; // register or object
  int64_t constant;
} X86Operand;

typedef struct Cell {
  LitmusParser *parser;
  uint32_t thread;
  uint32_t begin; // offset of the mnemonic, or of LOCK
  const char *text;
  Span span;
  bool is_locked;
} Cell;

static bool equals_ignoring_case(const char *upper, const char *text) {
  for (; *upper && *text; upper++, text++)
    if (*upper != (*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text))
      return false;
  return *upper == *text;
}

static bool parse_operand(Cell *cell, X86Operand *operand) {
  LitmusParser *parser = cell->parser;
  if (litmus_take_token(parser, LITMUS_TOKEN_BRACKET_OPEN)) {
    operand->kind = X86_MEMORY;
    return litmus_parse_location(parser, &operand->index) &&
           litmus_expect_token(parser, LITMUS_TOKEN_BRACKET_CLOSE);
  }
  if (litmus_at_register(parser)) {
    operand->kind = X86_REGISTER;
    return litmus_parse_register(parser, cell->thread, &operand->index);
  }
  bool has_dollar = litmus_take_token(parser, LITMUS_TOKEN_DOLLAR);
  if (!has_dollar && parser->token.kind != LITMUS_TOKEN_NUMBER &&
      parser->token.kind != LITMUS_TOKEN_MINUS)
    return litmus_expected(parser, "a register, a constant like '$1' or memory like '[x]'");
  operand->kind = X86_CONSTANT;
  return litmus_parse_constant(parser, &operand->constant);
}

static bool parse_two_operands(Cell *cell, X86Operand *first, X86Operand *second) {
  return parse_operand(cell, first) && litmus_expect_token(cell->parser, LITMUS_TOKEN_COMMA) &&
         parse_operand(cell, second);
}

static Operand register_operand(uint32_t index) {
  return (Operand){.kind = OPERAND_REGISTER, .index = index};
}

static Operand constant_operand(int64_t constant) {
  return (Operand){.kind = OPERAND_CONSTANT, .constant = constant};
}

// Registers that no program can name.
static uint32_t flags_register(Cell *cell) {
  return litmus_get_register(cell->parser, cell->thread, "flags", cell->span);
}

static uint32_t scratch_register(Cell *cell) {
  return litmus_get_register(cell->parser, cell->thread, "scratch", cell->span);
}

static bool emit(Cell *cell, Instruction instruction) {
  instruction.span = litmus_span_from(cell->parser, cell->begin);
  litmus_emit(cell->parser, cell->thread, instruction);
  return true;
}

static bool emit_compute(Cell *cell, IrOp op, uint32_t dst, Operand a, Operand b) {
  Instruction compute = litmus_new_instruction(op, cell->span);
  compute.dst = dst;
  compute.src[0] = a;
  compute.src[1] = b;
  return emit(cell, compute);
}

static bool emit_move(Cell *cell, uint32_t dst, Operand value) {
  return emit_compute(cell, IR_MOVE, dst, value, (Operand){0});
}

static Instruction new_access(Cell *cell, IrOp op, uint32_t object) {
  Instruction access = litmus_new_instruction(op, cell->span);
  access.object = object;
  access.sem = SEM_RELAXED;
  access.scope = SCOPE_SYS;
  return access;
}

static bool emit_load(Cell *cell, uint32_t dst, uint32_t object) {
  Instruction load = new_access(cell, IR_LOAD, object);
  load.dst = dst;
  return emit(cell, load);
}

static bool emit_store(Cell *cell, uint32_t object, Operand value) {
  Instruction store = new_access(cell, IR_STORE, object);
  store.src[0] = value;
  return emit(cell, store);
}

static bool emit_locked(Cell *cell, AtomOp atom, uint32_t dst, uint32_t object, Operand value,
                        Operand new_value) {
  Instruction locked = new_access(cell, IR_ATOM, object);
  locked.sem = SEM_SC;
  locked.flags = INSTRUCTION_LOCKED;
  locked.atom = (uint8_t)atom;
  locked.dst = dst;
  locked.src[0] = value;
  locked.src[1] = new_value;
  return emit(cell, locked);
}

// An operand as one of ir: memory is loaded into the scratch register.
static Operand read_operand(Cell *cell, const X86Operand *operand) {
  if (operand->kind == X86_CONSTANT)
    return constant_operand(operand->constant);
  if (operand->kind == X86_REGISTER)
    return register_operand(operand->index);
  emit_load(cell, scratch_register(cell), operand->index);
  return register_operand(scratch_register(cell));
}

static bool operand_error(Cell *cell, const char *expected) {
  return litmus_error(cell->parser, litmus_span_from(cell->parser, cell->begin),
                      "expected %s in %s", expected, cell->text);
}

static bool parse_mov(Cell *cell) {
  X86Operand to, from;
  if (!parse_two_operands(cell, &to, &from))
    return false;
  if (to.kind == X86_CONSTANT)
    return operand_error(cell, "a register or memory first");
  if (to.kind == X86_MEMORY && from.kind == X86_MEMORY)
    return operand_error(cell, "at most one memory operand");
  if (to.kind == X86_MEMORY)
    return emit_store(cell, to.index, read_operand(cell, &from));
  if (from.kind == X86_MEMORY)
    return emit_load(cell, to.index, from.index);
  return emit_move(cell, to.index, read_operand(cell, &from));
}

static bool parse_mfence(Cell *cell) {
  Instruction fence = litmus_new_instruction(IR_FENCE, cell->span);
  fence.sem = SEM_SC;
  fence.scope = SCOPE_SYS;
  return emit(cell, fence);
}

// `[x],REG` and for XCHG also `REG,[x]`.
static bool parse_memory_and_register(Cell *cell, bool either_order, X86Operand *memory,
                                      X86Operand *other) {
  if (!parse_two_operands(cell, memory, other))
    return false;
  if (either_order && memory->kind == X86_REGISTER) {
    X86Operand swap = *memory;
    *memory = *other;
    *other = swap;
  }
  if (memory->kind != X86_MEMORY || other->kind != X86_REGISTER)
    return operand_error(cell, "one memory operand and one register");
  return true;
}

// XCHG with memory is locked with or without the prefix.
static bool parse_xchg(Cell *cell) {
  X86Operand memory, other;
  if (!parse_memory_and_register(cell, true, &memory, &other))
    return false;
  return emit_locked(cell, ATOM_EXCH, other.index, memory.index, register_operand(other.index),
                     (Operand){0});
}

static bool parse_xadd(Cell *cell) {
  X86Operand memory, other;
  if (!parse_memory_and_register(cell, false, &memory, &other))
    return false;
  uint32_t old = scratch_register(cell);
  Operand added = register_operand(other.index), sum = register_operand(flags_register(cell));
  if (cell->is_locked)
    emit_locked(cell, ATOM_ADD, old, memory.index, added, (Operand){0});
  else
    emit_load(cell, old, memory.index);
  emit_compute(cell, IR_ADD, sum.index, register_operand(old), added);
  if (!cell->is_locked)
    emit_store(cell, memory.index, sum);
  return emit_move(cell, other.index, register_operand(old));
}

// If [x] equals EAX it becomes REG, else it keeps its value; EAX gets the old value. The processor
// writes in both cases (Intel SDM, "CMPXCHG - Compare and Exchange").
static bool parse_cmpxchg(Cell *cell) {
  X86Operand memory, other;
  if (!parse_memory_and_register(cell, false, &memory, &other))
    return false;
  if (!cell->is_locked)
    return litmus_error(cell->parser, cell->span, "expected LOCK before %s", cell->text);
  uint32_t eax = litmus_get_register(cell->parser, cell->thread, "EAX", cell->span);
  Operand expected = register_operand(eax), old = register_operand(scratch_register(cell));
  emit_locked(cell, ATOM_CAS_WRITE, old.index, memory.index, expected,
              register_operand(other.index));
  emit_compute(cell, IR_SUB, flags_register(cell), expected, old);
  return emit_move(cell, eax, old);
}

// `to = to op value`, and the flags are those of the result.
static bool emit_update(Cell *cell, IrOp op, AtomOp atom, const X86Operand *to, Operand value) {
  uint32_t flags = flags_register(cell), scratch = scratch_register(cell);
  if (to->kind == X86_REGISTER) {
    emit_compute(cell, op, to->index, register_operand(to->index), value);
    return emit_move(cell, flags, register_operand(to->index));
  }
  if (cell->is_locked) {
    emit_locked(cell, atom, scratch, to->index, value, (Operand){0});
    return emit_compute(cell, op, flags, register_operand(scratch), value);
  }
  emit_load(cell, scratch, to->index);
  emit_compute(cell, op, flags, register_operand(scratch), value);
  return emit_store(cell, to->index, register_operand(flags));
}

static bool parse_update(Cell *cell, IrOp op, AtomOp atom, bool is_unary) {
  X86Operand to, from = {.kind = X86_CONSTANT, .constant = 1};
  if (is_unary ? !parse_operand(cell, &to) : !parse_two_operands(cell, &to, &from))
    return false;
  if (to.kind == X86_CONSTANT)
    return operand_error(cell, "a register or memory first");
  if (to.kind == X86_MEMORY && from.kind == X86_MEMORY)
    return operand_error(cell, "at most one memory operand");
  if (to.kind == X86_REGISTER && cell->is_locked)
    return operand_error(cell, "a memory operand behind LOCK");
  return emit_update(cell, op, atom, &to, read_operand(cell, &from));
}

static bool parse_cmp(Cell *cell) {
  X86Operand a, b;
  if (!parse_two_operands(cell, &a, &b))
    return false;
  if (a.kind == X86_MEMORY && b.kind == X86_MEMORY)
    return operand_error(cell, "at most one memory operand");
  Operand left = read_operand(cell, &a), right = read_operand(cell, &b);
  return emit_compute(cell, IR_SUB, flags_register(cell), left, right);
}

static const struct {
  const char *name;
  IrOp op;
  AtomOp atom;
  bool is_unary;
} updates[] = {{"INC", IR_ADD, ATOM_ADD, true},  {"DEC", IR_SUB, ATOM_SUB, true},
               {"ADD", IR_ADD, ATOM_ADD, false}, {"SUB", IR_SUB, ATOM_SUB, false},
               {"AND", IR_AND, ATOM_AND, false}, {"OR", IR_OR, ATOM_OR, false},
               {"XOR", IR_XOR, ATOM_XOR, false}};

static const struct {
  const char *name;
  IrOp compare; // IR_NOP: always
} jumps[] = {{"JMP", IR_NOP},    {"JE", IR_SET_EQ},  {"JZ", IR_SET_EQ},
             {"JNE", IR_SET_NE}, {"JNZ", IR_SET_NE}, {"JL", IR_SET_LT},
             {"JLE", IR_SET_LE}, {"JG", IR_SET_GT},  {"JGE", IR_SET_GE}};

static bool parse_jump(Cell *cell, IrOp compare) {
  Instruction jump = litmus_new_instruction(IR_BRANCH, cell->span);
  jump.compare = (uint8_t)compare;
  if (compare != IR_NOP) {
    jump.src[0] = register_operand(flags_register(cell));
    jump.src[1] = constant_operand(0);
  }
  return litmus_parse_jump_label(cell->parser, cell->thread) && emit(cell, jump);
}

typedef bool CellReader(Cell *cell);

static const struct {
  const char *name;
  CellReader *read;
  bool can_lock;
} readers[] = {{"MOV", parse_mov, false},        {"MFENCE", parse_mfence, false},
               {"XCHG", parse_xchg, true},       {"XADD", parse_xadd, true},
               {"CMPXCHG", parse_cmpxchg, true}, {"CMP", parse_cmp, false}};

static bool lock_error(Cell *cell) {
  return litmus_error(cell->parser, cell->span,
                      "expected an instruction that can be locked behind LOCK, found %s",
                      cell->text);
}

static bool dispatch(Cell *cell, const char *mnemonic) {
  for (uint32_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
    if (equals_ignoring_case(readers[i].name, mnemonic))
      return cell->is_locked && !readers[i].can_lock ? lock_error(cell) : readers[i].read(cell);
  for (uint32_t i = 0; i < sizeof updates / sizeof updates[0]; i++)
    if (equals_ignoring_case(updates[i].name, mnemonic))
      return parse_update(cell, updates[i].op, updates[i].atom, updates[i].is_unary);
  for (uint32_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++)
    if (equals_ignoring_case(jumps[i].name, mnemonic))
      return cell->is_locked ? lock_error(cell) : parse_jump(cell, jumps[i].compare);
  return litmus_error(cell->parser, cell->span, "unknown instruction %s", cell->text);
}

bool litmus_parse_x86_instruction(LitmusParser *parser, uint32_t thread) {
  Cell cell = {.parser = parser, .thread = thread, .begin = parser->token.begin};
  const char *mnemonic = litmus_copy_word(parser);
  if (equals_ignoring_case("LOCK", mnemonic)) {
    cell.is_locked = true;
    litmus_next_token(parser);
    if (parser->token.kind != LITMUS_TOKEN_WORD)
      return litmus_expected(parser, "an instruction behind LOCK");
    mnemonic = litmus_copy_word(parser);
  }
  cell.text = litmus_token_text(parser);
  cell.span = litmus_token_span(parser);
  litmus_next_token(parser);
  return dispatch(&cell, mnemonic);
}
