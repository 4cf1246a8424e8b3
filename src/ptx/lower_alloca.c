// alloca, stacksave, stackrestore: each thread has a stack in local memory for them, which grows
// upwards. What a function has taken is given back by stackrestore, not by its return.
#include "ptx/lower_lane.h"

enum { STACK_BYTES = 1 << 15, DEFAULT_ALIGN = 8, MOST_ALIGN = 1 << 12 };

static bool uses_stack(const PtxModule *module) {
  for (uint32_t i = 0; i < module->instructions.count; i++) {
    PtxOp op = module->instructions.items[i].op;
    if (op == PTX_OP_alloca || op == PTX_OP_stacksave || op == PTX_OP_stackrestore)
      return true;
  }
  return false;
}

void lower_reserve_alloca(Code *code) {
  if (!uses_stack(code->module))
    return;
  code->template = (Instruction){.dst = UINT32_MAX,
                                 .object = UINT32_MAX,
                                 .source_object = UINT32_MAX,
                                 .more = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                 .text = "the start of the kernel"};
  code->alloca_top = lower_temporary(code);
  code->alloca_start = code->instructions.count + 1;
  lower_move(code, code->alloca_top, lower_constant(0));
}

// The end of the stack is known now: it lies behind all variables.
void lower_finish_alloca(Code *code) {
  if (!code->alloca_start)
    return;
  uint32_t base = (code->local_bytes + MOST_ALIGN - 1) / MOST_ALIGN * MOST_ALIGN;
  code->instructions.items[code->alloca_start - 1].src[0] = lower_constant(base);
  code->local_bytes = base + STACK_BYTES;
  for (uint32_t i = 0; i < code->alloca_limits.count; i++)
    code->instructions.items[code->alloca_limits.items[i]].src[1] =
        lower_constant(code->local_bytes);
}

static Operand compute(Lanes *lanes, AluOp op, Operand a, Operand b) {
  AluOperation operation = {.op = (uint8_t)op, .type = ALU_TYPE_U64};
  Operand operands[ALU_MAX_OPERANDS] = {a, b};
  return lane_compute(lanes, &operation, operands);
}

// d, bytes {, alignment}
static bool lower_take(Code *code, const PtxInstruction *instruction) {
  Lanes lanes = {.code = code};
  Operand size, align, top = lower_register(code->alloca_top);
  uint32_t result;
  if (!lower_destination(code, lower_operand(code, instruction, 0), &result) ||
      !lower_value(code, lower_operand(code, instruction, 1), &size) ||
      !lower_value_or(code, instruction, 2, DEFAULT_ALIGN, &align) ||
      align.kind != OPERAND_CONSTANT || align.constant <= 0 || align.constant > MOST_ALIGN ||
      (align.constant & (align.constant - 1)))
    return false;
  Operand at = compute(&lanes, ALU_ADD, top, lower_constant(align.constant - 1));
  at = compute(&lanes, ALU_AND, at, lower_constant(-align.constant));
  Operand end = compute(&lanes, ALU_ADD, at, size);
  Instruction *fits = lower_emit(code, IR_BRANCH);
  fits->compare = IR_SET_LE;
  fits->src[0] = end;
  uint32_t branch = code->instructions.count - 1;
  array_push(code->arena, &code->alloca_limits, branch);
  const char *text = code->template.text;
  code->template.text = arena_format(code->arena, "alloca of more than %d bytes", STACK_BYTES);
  lower_emit(code, IR_UNSUPPORTED);
  code->template.text = text;
  code->instructions.items[branch].target = code->instructions.count;
  lower_move(code, code->alloca_top, end);
  if (result != UINT32_MAX)
    lower_move(code, result, at);
  return true;
}

bool lower_alloca_instruction(Code *code, const PtxInstruction *instruction) {
  Operand value;
  uint32_t result;
  switch (instruction->op) {
  case PTX_OP_alloca:
    return lower_take(code, instruction);
  case PTX_OP_stacksave:
    if (!lower_destination(code, lower_operand(code, instruction, 0), &result))
      return false;
    if (result != UINT32_MAX)
      lower_move(code, result, lower_register(code->alloca_top));
    return true;
  case PTX_OP_stackrestore:
    if (!lower_value(code, lower_operand(code, instruction, 0), &value))
      return false;
    lower_move(code, code->alloca_top, value);
    return true;
  default:
    return false;
  }
}
