// Calls of device functions. Each call is replaced by a copy of the function's body, so that the
// engines know no calls. A function's registers and its .local and .param variables exist once in a
// kernel: two expansions of a function are never under way at the same time. A recursive call goes
// through the expansion that is under way (lower_recursion.c).
//
// A .param variable of a function or of a call is kept in registers, one for each eight bytes. The
// first parameters of a function whose address is taken are copied into local memory (PTX ISA,
// "mov": the parameter is copied onto the stack).
#include "ir/alu.h"
#include "ptx/lower_code.h"

#include <string.h>

enum {
  WORD = 8,
  MOST_INSTRUCTIONS = 1 << 16, // of a kernel with everything that it calls
};

// A call as it is written.
typedef struct Call {
  const PtxOperand *returns;   // list, NULL: none
  const PtxOperand *called;    // function, or the register that holds its address
  const PtxOperand *arguments; // list, NULL: none
  const PtxOperand *targets;   // .calltargets, .callprototype or NULL
} Call;

static bool read_call(const Code *code, const PtxInstruction *instruction, Call *call) {
  uint32_t count = lower_operand_count(instruction), i = 0;
  *call = (Call){0};
  if (i < count && lower_operand(code, instruction, i)->kind == PTX_OPERAND_LIST)
    call->returns = lower_operand(code, instruction, i++);
  if (i < count)
    call->called = lower_operand(code, instruction, i++);
  if (i < count && lower_operand(code, instruction, i)->kind == PTX_OPERAND_LIST)
    call->arguments = lower_operand(code, instruction, i++);
  if (i < count)
    call->targets = lower_operand(code, instruction, i);
  return call->called && call->called->kind == PTX_OPERAND_NAME;
}

static uint32_t list_count(const PtxOperand *list) {
  return list ? list->children.count : 0;
}

// --- .param variables

static bool is_param(const Code *code, const PtxOperand *operand) {
  if (operand->kind != PTX_OPERAND_NAME || operand->reference != PTX_REFERENCE_VARIABLE)
    return false;
  uint8_t space = code->module->variables.items[operand->target].space;
  PtxRange kernel = code->function->parameters;
  bool is_of_kernel = operand->target - kernel.first < kernel.count;
  return !is_of_kernel && space >= PTX_SPACE_PARAM && space <= PTX_SPACE_PARAM_FUNC;
}

static uint32_t word_count(const Code *code, uint32_t variable) {
  uint64_t size = ptx_variable_size(code->module, &code->module->variables.items[variable]);
  return (uint32_t)((size + WORD - 1) / WORD);
}

uint32_t lower_parameter_words(const Code *code, uint32_t variable, uint32_t *count) {
  *count = code->parameter_words[variable] ? word_count(code, variable) : 0;
  return code->parameter_words[variable] ? code->parameter_words[variable] - 1 : 0;
}

static uint32_t first_word(Code *code, uint32_t variable) {
  if (!code->parameter_words[variable]) {
    uint32_t first = code->slots.count;
    for (uint32_t i = 0; i < word_count(code, variable); i++)
      lower_temporary(code);
    code->parameter_words[variable] = first + 1;
  }
  return code->parameter_words[variable] - 1;
}

// `size` bytes at an offset of a .param variable lie in one of its words.
typedef struct Part {
  uint32_t word; // slot
  uint32_t bit, bits;
} Part;

static bool find_part(Code *code, uint32_t variable, uint64_t offset, uint32_t size, Part *part) {
  uint64_t end = offset % WORD + size;
  if (size == 0 || end > WORD || offset / WORD >= word_count(code, variable))
    return false;
  *part = (Part){.word = first_word(code, variable) + (uint32_t)(offset / WORD),
                 .bit = 8 * (uint32_t)(offset % WORD),
                 .bits = 8 * size};
  return true;
}

static void emit_bits(Code *code, AluOp op, AluType type, uint32_t to, const Operand *operands,
                      uint32_t count) {
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  operation->op = (uint8_t)op;
  operation->type = (uint8_t)type;
  Instruction *instruction = lower_emit(code, IR_ALU);
  instruction->alu = operation;
  instruction->dst = to;
  for (uint32_t i = 0; i < count; i++)
    instruction->src[i] = operands[i];
}

static void load_part(Code *code, const Part *part, bool is_signed, uint32_t to) {
  Operand operands[] = {lower_register(part->word), lower_constant(part->bit),
                        lower_constant(part->bits)};
  if (to == UINT32_MAX)
    return;
  if (part->bits == 8 * WORD)
    lower_move(code, to, operands[0]);
  else
    emit_bits(code, ALU_BFE, is_signed ? ALU_TYPE_S64 : ALU_TYPE_U64, to, operands, 3);
}

static void store_part(Code *code, const Part *part, Operand value) {
  Operand operands[] = {value, lower_register(part->word), lower_constant(part->bit),
                        lower_constant(part->bits)};
  if (part->bits == 8 * WORD)
    lower_move(code, part->word, value);
  else
    emit_bits(code, ALU_BFI, ALU_TYPE_B64, part->word, operands, 4);
}

static bool lower_part(Code *code, const PtxInstruction *instruction, const PtxOperand *operand,
                       const Part *part, bool is_signed) {
  uint32_t reg;
  Operand value;
  if (instruction->op == PTX_OP_ld) {
    if (!lower_destination(code, operand, &reg))
      return false;
    load_part(code, part, is_signed, reg);
    return true;
  }
  if (!lower_value(code, operand, &value))
    return false;
  store_part(code, part, value);
  return true;
}

// ld.param and st.param of anything but the kernel's parameters.
bool lower_call_parameter(Code *code, const PtxInstruction *instruction,
                          const PtxModifiers *modifiers) {
  bool is_load = instruction->op == PTX_OP_ld;
  if ((!is_load && instruction->op != PTX_OP_st) || !modifiers->type_count)
    return false;
  const PtxOperand *place = lower_operand(code, instruction, is_load ? 1 : 0);
  const PtxOperand *values = lower_operand(code, instruction, is_load ? 0 : 1);
  if (place->kind != PTX_OPERAND_ADDRESS || place->children.count != 1)
    return false;
  place = lower_child(code, place, 0);
  if (!is_param(code, place))
    return false;
  PtxType type = modifiers->types[modifiers->type_count - 1];
  uint32_t size = ptx_type_bits(type) / 8;
  uint32_t count = lower_element_count(values);
  for (uint32_t i = 0; i < count; i++) {
    Part part;
    if (!find_part(code, place->target, place->value + (uint64_t)i * size, size, &part) ||
        !lower_part(code, instruction, lower_element(code, values, i), &part,
                    ptx_type_kind(type) == PTX_NUMBER_S))
      return false;
  }
  return true;
}

// --- arguments and results

// What a function names as a parameter or a result: .param or .reg.
static bool is_register(const Code *code, uint32_t variable) {
  return code->module->variables.items[variable].space == PTX_SPACE_REG;
}

static uint32_t formal_slot(Code *code, const Frame *frame, uint32_t variable) {
  return is_register(code, variable)
             ? frame->first_register + code->module->variables.items[variable].first_register
             : first_word(code, variable);
}

// The first `size` bytes of a .param variable as the value of a register.
static void load_whole(Code *code, uint32_t variable, uint32_t from, uint32_t to) {
  const PtxVariable *type = &code->module->variables.items[variable];
  Part part = {.word = from, .bits = ptx_type_bits(type->type)};
  if (part.bits < 8)
    part.bits = 8;
  load_part(code, &part, ptx_type_kind(type->type) == PTX_NUMBER_S, to);
}

static void copy_words(Code *code, uint32_t to, uint32_t to_count, uint32_t from,
                       uint32_t from_count) {
  for (uint32_t i = 0; i < to_count && i < from_count; i++)
    lower_move(code, to + i, lower_register(from + i));
}

// Words of a parameter or result.
static uint32_t formal_count(const Code *code, uint32_t formal) {
  return is_register(code, formal) ? 1 : word_count(code, formal);
}

// To or from slots for the words of the formal one.
static bool pass_argument(Code *code, uint32_t to, uint32_t formal, const PtxOperand *actual) {
  Operand value;
  if (is_param(code, actual)) {
    uint32_t from = first_word(code, actual->target);
    if (is_register(code, formal))
      load_whole(code, actual->target, from, to);
    else
      copy_words(code, to, word_count(code, formal), from, word_count(code, actual->target));
    return true;
  }
  if (!lower_value(code, actual, &value))
    return false;
  lower_move(code, to, value);
  return true;
}

static bool pass_result(Code *code, uint32_t from, uint32_t formal, const PtxOperand *actual) {
  uint32_t reg;
  if (is_param(code, actual)) {
    uint32_t to = first_word(code, actual->target);
    if (is_register(code, formal))
      lower_move(code, to, lower_register(from));
    else
      copy_words(code, to, word_count(code, actual->target), from, word_count(code, formal));
    return true;
  }
  if (!lower_destination(code, actual, &reg))
    return false;
  if (reg == UINT32_MAX)
    return true;
  if (is_register(code, formal))
    lower_move(code, reg, lower_register(from));
  else
    load_whole(code, formal, from, reg);
  return true;
}

// --- parameters whose address is taken

bool lower_takes_address(const Code *code, const PtxFunction *function, uint32_t variable) {
  for (uint32_t i = 0; i < function->instructions.count; i++) {
    const PtxInstruction *instruction =
        &code->module->instructions.items[function->instructions.first + i];
    for (uint32_t j = 0; instruction->op == PTX_OP_mov && j < instruction->operands.count; j++) {
      const PtxOperand *operand = lower_operand(code, instruction, j);
      if (is_param(code, operand) && operand->target == variable)
        return true;
    }
  }
  return false;
}

static uint64_t local_home(Code *code, uint32_t variable) {
  if (!code->variable_offsets[variable]) {
    code->local_bytes = (code->local_bytes + 15) / 16 * 16;
    code->variable_offsets[variable] = code->local_bytes;
    code->local_bytes += WORD * word_count(code, variable);
  }
  return code->variable_offsets[variable];
}

static void copy_to_stack(Code *code, uint32_t variable) {
  uint32_t first = first_word(code, variable);
  for (uint32_t i = 0; i < word_count(code, variable); i++) {
    Instruction *store = lower_emit(code, IR_STORE);
    store->space = SPACE_LOCAL;
    store->size = store->align = WORD;
    store->address = lower_constant((int64_t)local_home(code, variable) + i * WORD);
    store->src[0] = lower_register(first + i);
  }
}

// --- expansion

static void give_up(Code *code, const char *why, const PtxFunction *function) {
  const char *text = code->template.text;
  code->template.text = arena_format(code->arena, why, ptx_text(code->module, function->name));
  lower_emit(code, IR_UNSUPPORTED);
  code->template.text = text;
}

static uint32_t registers_of(Code *code, const PtxFunction *function) {
  uint32_t index = (uint32_t)(function - code->module->functions.items);
  if (!code->function_registers[index]) {
    uint32_t first = code->slots.count;
    lower_add_registers(code, function);
    code->function_registers[index] = first + 1;
  }
  return code->function_registers[index] - 1;
}

static bool has_same_shape(const PtxFunction *function, const Call *call) {
  return function->parameters.count == list_count(call->arguments) &&
         function->returns.count == list_count(call->returns);
}

// Slots for the words of the formal ones from `first` on, one behind the other.
static uint32_t reserve_words(Code *code, PtxRange formals) {
  uint32_t first = code->slots.count;
  for (uint32_t i = 0; i < formals.count; i++)
    for (uint32_t j = 0; j < formal_count(code, formals.first + i); j++)
      lower_temporary(code);
  return first;
}

static void copy_formals(Code *code, const Frame *frame, PtxRange formals, uint32_t words,
                         bool to_frame) {
  for (uint32_t i = 0; i < formals.count; i++) {
    uint32_t slot = formal_slot(code, frame, formals.first + i);
    uint32_t count = formal_count(code, formals.first + i);
    copy_words(code, to_frame ? slot : words, count, to_frame ? words : slot, count);
    words += count;
  }
}

static bool recurse(Code *code, Frame *target, const Call *call) {
  const PtxFunction *function = target->function;
  Recursion recursion = {.target = target};
  const char *obstacle = lower_recursion_obstacle(code, target);
  if (obstacle) {
    give_up(code, obstacle, function);
    return true;
  }
  uint32_t arguments = reserve_words(code, function->parameters), to = arguments;
  uint32_t results = reserve_words(code, function->returns), from = results;
  for (uint32_t i = 0; i < function->parameters.count; i++) {
    uint32_t formal = function->parameters.first + i;
    if (!pass_argument(code, to, formal, lower_child(code, call->arguments, i)))
      return false;
    to += formal_count(code, formal);
  }
  lower_begin_recursion(code, &recursion);
  copy_formals(code, target, function->parameters, arguments, true);
  lower_enter_again(code, &recursion);
  copy_formals(code, target, function->returns, results, false);
  lower_end_recursion(code, &recursion);
  for (uint32_t i = 0; i < function->returns.count; i++) {
    uint32_t formal = function->returns.first + i;
    if (!pass_result(code, from, formal, lower_child(code, call->returns, i)))
      return false;
    from += formal_count(code, formal);
  }
  return true;
}

static bool expand(Code *code, const PtxFunction *function, const Call *call) {
  Frame *under_way = lower_find_frame(code, function);
  if (under_way)
    return recurse(code, under_way, call);
  if (code->instructions.count > MOST_INSTRUCTIONS) {
    give_up(code, "call of %s in a kernel that is too large with what it calls", function);
    return true;
  }
  const Instruction template = code->template;
  InlinedPlace *place = ARENA_NEW(code->arena, InlinedPlace);
  *place = (InlinedPlace){.span = template.span,
                          .function = ptx_text(code->module, function->name),
                          .next = template.inlined};
  Frame frame = {.function = function,
                 .caller = code->frame,
                 .first_register = registers_of(code, function),
                 .call = place};
  for (uint32_t i = 0; i < function->parameters.count; i++) {
    uint32_t formal = function->parameters.first + i;
    if (!pass_argument(code, formal_slot(code, &frame, formal), formal,
                       lower_child(code, call->arguments, i)))
      return false;
    if (lower_takes_address(code, function, formal))
      copy_to_stack(code, formal);
  }
  frame.entry = code->instructions.count;
  lower_emit(code, IR_NO_EVENT);
  lower_body(code, &frame);
  code->template = template;
  lower_resume(code, &frame);
  for (uint32_t i = 0; i < function->returns.count; i++) {
    uint32_t formal = function->returns.first + i;
    if (!pass_result(code, formal_slot(code, &frame, formal), formal,
                     lower_child(code, call->returns, i)))
      return false;
  }
  return true;
}

void lower_return(Code *code) {
  if (!code->frame->caller) {
    lower_emit(code, IR_EXIT);
    return;
  }
  lower_emit(code, IR_BRANCH)->compare = IR_NOP;
  array_push(code->arena, &code->frame->returns, code->instructions.count - 1);
}

// --- functions of the device runtime, which have no body in PTX

static bool set_result(Code *code, const Call *call, Operand value) {
  const PtxOperand *actual = list_count(call->returns) ? lower_child(code, call->returns, 0) : NULL;
  uint32_t reg;
  if (!actual)
    return true;
  if (is_param(code, actual)) {
    lower_move(code, first_word(code, actual->target), value);
    return true;
  }
  if (!lower_destination(code, actual, &reg))
    return false;
  if (reg != UINT32_MAX)
    lower_move(code, reg, value);
  return true;
}

static bool call_assert_fail(Code *code, const Call *call) {
  (void)call;
  lower_emit(code, IR_TRAP)->conversion = 1;
  return true;
}

// The length of the output is a number that nobody relies on.
static bool call_print(Code *code, const Call *call) {
  uint32_t length = lower_temporary(code);
  lower_emit(code, IR_CLOCK)->dst = length;
  return set_result(code, call, lower_register(length));
}

static uint32_t emit_forward_branch(Code *code, IrOp compare, Operand a, Operand b) {
  lower_emit_two(code, IR_BRANCH, UINT32_MAX, a, b)->compare = (uint8_t)compare;
  return code->instructions.count - 1;
}

static bool argument_value(Code *code, const Call *call, uint32_t i, Operand *value) {
  if (i >= list_count(call->arguments))
    return false;
  const PtxOperand *actual = lower_child(code, call->arguments, i);
  if (!is_param(code, actual))
    return lower_value(code, actual, value);
  *value = lower_register(first_word(code, actual->target));
  return true;
}

// Memory is handed out once: each thread has a part of the heap of its own, and when that is used
// up the result is null.
static bool call_malloc(Code *code, const Call *call) {
  enum { ALIGN = 16 };
  Operand size, heap = lower_register(lower_heap(code, false));
  Operand end = lower_register(lower_heap(code, true));
  uint32_t result = lower_temporary(code), next = lower_temporary(code), branches[3];
  if (!argument_value(code, call, 0, &size))
    return false;
  lower_move(code, result, lower_constant(0));
  branches[0] = emit_forward_branch(code, IR_SET_LT, size, lower_constant(0));
  branches[1] = emit_forward_branch(code, IR_SET_GT, size, lower_constant(UINT32_MAX));
  lower_emit_two(code, IR_ADD, next, size, lower_constant(2 * ALIGN - 1));
  lower_emit_two(code, IR_AND, next, lower_register(next), lower_constant(-ALIGN));
  lower_emit_two(code, IR_ADD, next, lower_register(next), heap);
  branches[2] = emit_forward_branch(code, IR_SET_GT, lower_register(next), end);
  lower_move(code, result, heap);
  lower_move(code, heap.index, lower_register(next));
  for (uint32_t i = 0; i < 3; i++)
    code->instructions.items[branches[i]].target = code->instructions.count;
  return set_result(code, call, lower_register(result));
}

static bool call_free(Code *code, const Call *call) {
  (void)call;
  lower_emit(code, IR_NO_EVENT);
  return true;
}

static bool call_runtime(Code *code, const PtxFunction *function, const Call *call) {
  static const struct {
    const char *name;
    bool (*lower)(Code *code, const Call *call);
  } functions[] = {
      {"__assertfail", call_assert_fail},
      {"vprintf", call_print},
      {"malloc", call_malloc},
      {"free", call_free},
  };
  const char *name = ptx_text(code->module, function->name);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0)
      return functions[i].lower(code, call);
  return false;
}

static bool call_function(Code *code, uint32_t index, const Call *call) {
  const PtxFunction *named = &code->module->functions.items[index];
  const PtxFunction *function = &code->module->functions.items[named->definition];
  if (!function->has_body)
    return call_runtime(code, function, call);
  return has_same_shape(function, call) && expand(code, function, call);
}

// --- calls through a register

// Is the function named anywhere but where it is called?
static bool has_address_taken(const Code *code, uint32_t index) {
  const PtxModule *module = code->module;
  uint32_t count = 0;
  for (uint32_t i = 0; i < module->operands.count; i++) {
    const PtxOperand *operand = &module->operands.items[i];
    count += operand->reference == PTX_REFERENCE_FUNCTION &&
             module->functions.items[operand->target].definition == index;
  }
  for (uint32_t i = 0; i < module->instructions.count; i++) {
    Call call;
    const PtxInstruction *instruction = &module->instructions.items[i];
    if (instruction->op == PTX_OP_call && read_call(code, instruction, &call))
      count -= call.called->reference == PTX_REFERENCE_FUNCTION &&
               module->functions.items[call.called->target].definition == index;
  }
  return count > 0;
}

static bool is_in_list(const Code *code, const PtxOperand *targets, uint32_t index) {
  const PtxModule *module = code->module;
  const PtxTargets *list = &module->target_lists.items[targets->target];
  for (uint32_t i = 0; i < list->names.count; i++) {
    const PtxOperand *name = &module->operands.items[list->names.first + i];
    if (name->reference == PTX_REFERENCE_FUNCTION &&
        module->functions.items[name->target].definition == index)
      return true;
  }
  return false;
}

static bool is_candidate(const Code *code, const Call *call, uint32_t index) {
  const PtxFunction *function = &code->module->functions.items[index];
  if (function->is_entry || !function->has_body || !has_same_shape(function, call))
    return false;
  if (call->targets && call->targets->reference == PTX_REFERENCE_TARGETS)
    return is_in_list(code, call->targets, index);
  return has_address_taken(code, index);
}

// A chain of comparisons with the addresses of all functions that it may be.
static bool call_address(Code *code, const Call *call) {
  Operand address;
  ARRAY(uint32_t) ends = {0};
  if (!lower_value(code, call->called, &address))
    return false;
  for (uint32_t i = 0; i < code->module->functions.count; i++) {
    if (!is_candidate(code, call, i))
      continue;
    uint32_t skip = emit_forward_branch(
        code, IR_SET_NE, address, lower_constant((int64_t)lower_function_address(code->module, i)));
    if (!expand(code, &code->module->functions.items[i], call))
      return false;
    emit_forward_branch(code, IR_NOP, (Operand){0}, (Operand){0});
    array_push(code->arena, &ends, code->instructions.count - 1);
    code->instructions.items[skip].target = code->instructions.count;
  }
  lower_emit(code, IR_UNSUPPORTED);
  for (uint32_t i = 0; i < ends.count; i++)
    code->instructions.items[ends.items[i]].target = code->instructions.count;
  return true;
}

bool lower_call(Code *code, const PtxInstruction *instruction) {
  Call call;
  if (instruction->op != PTX_OP_call || !read_call(code, instruction, &call))
    return false;
  return call.called->reference == PTX_REFERENCE_FUNCTION
             ? call_function(code, call.called->target, &call)
             : call_address(code, &call);
}
