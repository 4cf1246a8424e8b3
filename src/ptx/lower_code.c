#include "ptx/lower_code.h"

#include "base/demangle.h"
#include "ir/alu.h"
#include "ptx/alu.h"

#include <string.h>

Instruction *lower_emit(Code *code, IrOp op) {
  Instruction instruction = code->template;
  instruction.op = op;
  array_push(code->arena, &code->instructions, instruction);
  return &code->instructions.items[code->instructions.count - 1];
}

Instruction *lower_emit_two(Code *code, IrOp op, uint32_t to, Operand a, Operand b) {
  Instruction *instruction = lower_emit(code, op);
  instruction->dst = to;
  instruction->src[0] = a;
  instruction->src[1] = b;
  return instruction;
}

void lower_move(Code *code, uint32_t to, Operand from) {
  Instruction *move = lower_emit(code, IR_MOVE);
  move->dst = to;
  move->src[0] = from;
}

void lower_unsupported(Code *code, const char *what) {
  (void)what;
  lower_emit(code, IR_UNSUPPORTED);
}

// --- arithmetic

// What an operand's register holds; which part of it and which sign are matters of the operation.
static PtxOperand whole_operand(const PtxOperand *operand, const AluOperation *operation) {
  PtxOperand whole = *operand;
  whole.flags &= (uint8_t)~PTX_OPERAND_NOT; // ALU_NEGATED
  if (operation->op >= ALU_VADD)
    whole.component = 0; // .b0, .h10: AluOperation.part and .lanes
  return whole;
}

enum { LOP3_TABLE = 4 }; // number of the operand that is the truth table

static bool alu_operands(Code *code, const PtxInstruction *instruction,
                         const AluOperation *operation, Operand *values, uint32_t *count) {
  *count = 0;
  for (uint32_t i = 1; i < lower_operand_count(instruction); i++) {
    const PtxOperand *operand = lower_operand(code, instruction, i);
    if (operation->op == ALU_LOP3 && i == LOP3_TABLE)
      continue; // AluOperation.mode
    uint32_t elements = operand->kind == PTX_OPERAND_VECTOR ? operand->children.count : 1;
    for (uint32_t j = 0; j < elements; j++) {
      const PtxOperand *element =
          operand->kind == PTX_OPERAND_VECTOR ? lower_child(code, operand, j) : operand;
      if (*count == ALU_MAX_OPERANDS)
        return false;
      PtxOperand whole = whole_operand(element, operation);
      if (!lower_value(code, &whole, &values[*count]))
        return false;
      ++*count;
    }
  }
  return true;
}

static bool alu_destinations(Code *code, const PtxOperand *operand, uint32_t *registers,
                             uint32_t *count) {
  bool is_list = operand->kind == PTX_OPERAND_VECTOR || operand->kind == PTX_OPERAND_PAIR;
  *count = is_list ? operand->children.count : 1;
  if (*count > ALU_MAX_RESULTS)
    return false;
  for (uint32_t i = 0; i < *count; i++)
    if (!lower_destination(code, is_list ? lower_child(code, operand, i) : operand, &registers[i]))
      return false;
  return true;
}

// The carry flag is a register of its own.
static uint32_t carry_register(Code *code) {
  if (!code->carry)
    code->carry = lower_temporary(code);
  return code->carry;
}

static bool lower_alu(Code *code, const PtxInstruction *instruction, const AluOperation *decoded) {
  Operand values[ALU_MAX_OPERANDS];
  uint32_t registers[ALU_MAX_RESULTS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  uint32_t value_count, register_count;
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  *operation = *decoded;
  if (!alu_destinations(code, lower_operand(code, instruction, 0), registers, &register_count) ||
      !alu_operands(code, instruction, operation, values, &value_count))
    return false;
  if ((operation->flags & ALU_CARRY_IN) && value_count < ALU_MAX_OPERANDS)
    values[value_count++] = lower_register(carry_register(code));
  if ((operation->flags & ALU_CARRY_OUT) && register_count < ALU_MAX_RESULTS)
    registers[register_count++] = carry_register(code);
  if (value_count < alu_operand_count(operation))
    return false;
  Instruction *lowered = lower_emit(code, IR_ALU);
  lowered->alu = operation;
  for (uint32_t i = 0; i < value_count; i++)
    lowered->src[i] = values[i];
  lowered->dst = registers[0];
  for (uint32_t i = 1; i < ALU_MAX_RESULTS; i++)
    lowered->more[i - 1] = i < register_count ? registers[i] : UINT32_MAX;
  return true;
}

// --- moves of clocks and addresses

static bool is_clock(const PtxOperand *operand) {
  if (operand->kind != PTX_OPERAND_NAME || operand->reference != PTX_REFERENCE_SPECIAL)
    return false;
  switch ((PtxSpecial)operand->target) {
  case PTX_SPECIAL_clock:
  case PTX_SPECIAL_clock_hi:
  case PTX_SPECIAL_clock64:
  case PTX_SPECIAL_globaltimer:
  case PTX_SPECIAL_globaltimer_lo:
  case PTX_SPECIAL_globaltimer_hi:
    return true;
  default:
    return false;
  }
}

static bool lower_clock(Code *code, const PtxInstruction *instruction) {
  uint32_t reg;
  if (instruction->op != PTX_OP_mov || !is_clock(lower_operand(code, instruction, 1)) ||
      !lower_destination(code, lower_operand(code, instruction, 0), &reg))
    return false;
  Instruction *clock = lower_emit(code, IR_CLOCK);
  clock->dst = reg;
  clock->conversion = 1;
  return true;
}

static AddressConversion conversion_to_generic(PtxSpace space, bool *is_identity) {
  bool is_shared = space >= PTX_SPACE_SHARED && space <= PTX_SPACE_SHARED_CLUSTER;
  *is_identity = !is_shared && space != PTX_SPACE_LOCAL;
  return is_shared ? ADDRESS_SHARED_TO_GENERIC : ADDRESS_LOCAL_TO_GENERIC;
}

static bool lower_conversion(Code *code, const PtxInstruction *instruction,
                             AddressConversion conversion, bool is_identity) {
  uint32_t reg;
  Operand value, rank = {0};
  if (!lower_destination(code, lower_operand(code, instruction, 0), &reg) ||
      !lower_value(code, lower_operand(code, instruction, 1), &value) ||
      (lower_operand_count(instruction) > 2 &&
       !lower_value(code, lower_operand(code, instruction, 2), &rank)))
    return false;
  Instruction *lowered = lower_emit(code, is_identity ? IR_MOVE : IR_ADDRESS);
  lowered->dst = reg;
  lowered->src[0] = value;
  lowered->src[1] = rank;
  lowered->conversion = conversion;
  return true;
}

static bool lower_cvta(Code *code, const PtxInstruction *instruction,
                       const PtxModifiers *modifiers) {
  bool is_identity;
  PtxSpace space = modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE;
  AddressConversion conversion = conversion_to_generic(space, &is_identity);
  if (ptx_has_modifier(modifiers, PTX_MODIFIER_to))
    conversion = conversion == ADDRESS_SHARED_TO_GENERIC ? ADDRESS_GENERIC_TO_SHARED
                                                         : ADDRESS_GENERIC_TO_LOCAL;
  return lower_conversion(code, instruction, conversion, is_identity);
}

static bool lower_isspacep(Code *code, const PtxInstruction *instruction,
                           const PtxModifiers *modifiers) {
  PtxSpace space = modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE;
  bool is_shared = space >= PTX_SPACE_SHARED && space <= PTX_SPACE_SHARED_CLUSTER;
  return lower_conversion(code, instruction,
                          is_shared                  ? ADDRESS_IS_SHARED
                          : space == PTX_SPACE_LOCAL ? ADDRESS_IS_LOCAL
                                                     : ADDRESS_IS_GLOBAL,
                          false);
}

static bool lower_address_instruction(Code *code, const PtxInstruction *instruction,
                                      const PtxModifiers *modifiers) {
  bool is_shared = modifiers->space_count > 0;
  switch (instruction->op) {
  case PTX_OP_cvta:
    return lower_cvta(code, instruction, modifiers);
  case PTX_OP_isspacep:
    return lower_isspacep(code, instruction, modifiers);
  case PTX_OP_mapa:
    return lower_conversion(code, instruction, is_shared ? ADDRESS_MAP_SHARED : ADDRESS_MAP_GENERIC,
                            false);
  case PTX_OP_getctarank:
    return lower_conversion(code, instruction,
                            is_shared ? ADDRESS_RANK_SHARED : ADDRESS_RANK_GENERIC, false);
  default:
    return false;
  }
}

// --- control

static void branch_to(Code *code, Instruction *branch, uint32_t target) {
  uint32_t index = (uint32_t)(branch - code->instructions.items);
  array_push(code->arena, &code->frame->patches, (Patch){index, target});
}

static bool lower_branch(Code *code, const PtxInstruction *instruction) {
  const PtxOperand *target = lower_operand(code, instruction, 0);
  if (target->reference != PTX_REFERENCE_LABEL)
    return false;
  Instruction *branch = lower_emit(code, IR_BRANCH);
  branch->compare = IR_NOP;
  branch_to(code, branch, code->module->labels.items[target->target].instruction);
  return true;
}

static bool lower_indexed_branch(Code *code, const PtxInstruction *instruction) {
  Operand index;
  const PtxOperand *list = lower_operand(code, instruction, 1);
  if (list->reference != PTX_REFERENCE_TARGETS ||
      !lower_value(code, lower_operand(code, instruction, 0), &index))
    return false;
  const PtxTargets *targets = &code->module->target_lists.items[list->target];
  // A chain of comparisons: indices are few, and an index out of range falls through as undefined.
  for (uint32_t i = 0; i < targets->names.count; i++) {
    const PtxOperand *name = &code->module->operands.items[targets->names.first + i];
    if (name->reference != PTX_REFERENCE_LABEL)
      return false;
    Instruction *branch = lower_emit(code, IR_BRANCH);
    branch->compare = IR_SET_EQ;
    branch->src[0] = index;
    branch->src[1] = lower_constant(i);
    branch_to(code, branch, code->module->labels.items[name->target].instruction);
  }
  return true;
}

static bool lower_control(Code *code, const PtxInstruction *instruction) {
  switch (instruction->op) {
  case PTX_OP_bra:
    return lower_branch(code, instruction);
  case PTX_OP_brx:
    return lower_indexed_branch(code, instruction);
  case PTX_OP_ret:
    lower_return(code);
    return true;
  case PTX_OP_exit:
    lower_emit(code, IR_EXIT);
    return true;
  case PTX_OP_trap:
    lower_emit(code, IR_TRAP);
    return true;
  case PTX_OP_nanosleep:
  case PTX_OP_prefetch:
  case PTX_OP_prefetchu:
  case PTX_OP_applypriority:
  case PTX_OP_setmaxnreg:
  case PTX_OP_pmevent:
  case PTX_OP_brkpt:
    lower_emit(code, IR_NO_EVENT);
    return true;
  default:
    return false;
  }
}

// --- min and max of three

static void emit_float(Code *code, AluOp op, uint32_t flags, uint32_t to, Operand a, Operand b) {
  AluOperation *operation = ARENA_NEW(code->arena, AluOperation);
  operation->op = (uint8_t)op;
  operation->type = ALU_TYPE_F32;
  operation->flags = flags;
  Instruction *instruction = lower_emit(code, IR_ALU);
  instruction->alu = operation;
  instruction->dst = to;
  instruction->src[0] = a;
  instruction->src[1] = b;
}

// min.f32 d, a, b, c is the least of three; .abs: of their magnitudes.
static bool lower_of_three(Code *code, const PtxInstruction *instruction,
                           const PtxModifiers *modifiers) {
  Operand values[3];
  uint32_t result, found = lower_temporary(code);
  AluOp op = instruction->op == PTX_OP_min ? ALU_MIN : ALU_MAX;
  uint32_t flags = (ptx_has_modifier(modifiers, PTX_MODIFIER_ftz) ? ALU_FTZ : 0) |
                   (ptx_has_modifier(modifiers, PTX_MODIFIER_NaN) ? ALU_NAN : 0);
  if (modifiers->type_count != 1 || modifiers->types[0] != PTX_TYPE_f32 ||
      !lower_destination(code, lower_operand(code, instruction, 0), &result))
    return false;
  for (uint32_t i = 0; i < 3; i++) {
    if (!lower_value(code, lower_operand(code, instruction, i + 1), &values[i]))
      return false;
    if (!ptx_has_modifier(modifiers, PTX_MODIFIER_abs))
      continue;
    uint32_t magnitude = lower_temporary(code);
    emit_float(code, ALU_ABS, 0, magnitude, values[i], (Operand){0});
    values[i] = lower_register(magnitude);
  }
  emit_float(code, op, flags, found, values[0], values[1]);
  emit_float(code, op, flags, result, lower_register(found), values[2]);
  return true;
}

// --- one instruction

static bool lower_any(Code *code, const PtxInstruction *instruction,
                      const PtxModifiers *modifiers) {
  AluOperation operation;
  const char *unsupported = NULL;
  memset(&operation, 0, sizeof operation);
  if ((instruction->op == PTX_OP_min || instruction->op == PTX_OP_max) &&
      lower_operand_count(instruction) == 4)
    return lower_of_three(code, instruction, modifiers);
  if (lower_call(code, instruction) || lower_call_parameter(code, instruction, modifiers) ||
      lower_control(code, instruction) || lower_alloca_instruction(code, instruction) ||
      lower_clock(code, instruction) || lower_address_instruction(code, instruction, modifiers) ||
      lower_wide_instruction(code, instruction, modifiers) ||
      lower_async_instruction(code, instruction, modifiers) ||
      lower_memory_instruction(code, instruction, modifiers) ||
      lower_sync_instruction(code, instruction, modifiers) ||
      lower_matrix_instruction(code, instruction, modifiers) ||
      lower_texture_instruction(code, instruction, modifiers) ||
      lower_surface_instruction(code, instruction, modifiers) ||
      lower_tensormap_instruction(code, instruction, modifiers))
    return true;
  return ptx_decode_alu(code->module, instruction, modifiers, &operation, &unsupported) ==
             PTX_ALU_OK &&
         lower_alu(code, instruction, &operation);
}

// @p: the instruction is jumped over if the predicate is false.
static uint32_t lower_guard(Code *code, const PtxInstruction *instruction) {
  const PtxOperand *guard = &code->module->operands.items[instruction->guard];
  PtxOperand plain = *guard;
  plain.flags &= (uint8_t)~PTX_OPERAND_NOT;
  Operand predicate;
  if (!lower_value(code, &plain, &predicate))
    return UINT32_MAX;
  Instruction *skip = lower_emit(code, IR_BRANCH);
  skip->compare = (guard->flags & PTX_OPERAND_NOT) ? IR_SET_NE : IR_SET_EQ;
  skip->src[0] = predicate;
  skip->src[1] = lower_constant(0);
  return code->instructions.count - 1;
}

static void lower_instruction(Code *code, const PtxInstruction *instruction) {
  PtxModifiers modifiers;
  code->template = (Instruction){.dst = UINT32_MAX,
                                 .object = UINT32_MAX,
                                 .source_object = UINT32_MAX,
                                 .more = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
  code->template.span =
      place_of(&code->places, instruction, code->frame->call, &code->template.inlined);
  code->template.text = ptx_print_instruction(code->module, instruction, code->arena);
  bool is_decoded = ptx_decode_modifiers(code->module, instruction, &modifiers, code->diags);
  uint32_t guard = UINT32_MAX;
  if (instruction->guard != PTX_NONE)
    guard = lower_guard(code, instruction);
  uint32_t start = code->instructions.count, patches = code->frame->patches.count;
  if (!is_decoded || !lower_any(code, instruction, &modifiers)) {
    code->instructions.count = start;
    code->frame->patches.count = patches;
    lower_emit(code, IR_UNSUPPORTED);
  }
  if (guard != UINT32_MAX)
    code->instructions.items[guard].target = code->instructions.count;
}

// --- variables

static uint64_t align_up(uint64_t offset, uint64_t align) {
  return align ? (offset + align - 1) / align * align : offset;
}

// Of a variable within a function: its own name, without those of its scopes.
static const char *plain_name(const Code *code, const PtxVariable *variable) {
  const char *name = ptx_text(code->module, variable->name);
  const char *text = demangle_function(name, code->arena);
  const char *plain = text ? text : name;
  for (const char *at = plain; (at = strstr(at, "::")); at += 2)
    plain = at + 2;
  return plain;
}

// Of all variables of a kernel in shared memory, or in local memory of a thread: more than any GPU
// has.
enum { MOST_VARIABLE_BYTES = 16 << 20 };

static bool place_variable(Code *code, const PtxVariable *variable, uint32_t index) {
  uint64_t size = ptx_variable_size(code->module, variable);
  uint32_t align = ptx_variable_align(variable);
  bool is_shared =
      variable->space >= PTX_SPACE_SHARED && variable->space <= PTX_SPACE_SHARED_CLUSTER;
  uint32_t *bytes = is_shared ? &code->shared_bytes : &code->local_bytes;
  uint64_t start = align_up(*bytes, align);
  if (start > MOST_VARIABLE_BYTES || size > MOST_VARIABLE_BYTES - start)
    return diag_syntax(code->diags, ptx_span(code->module, variable->span),
                       "expected at most %d bytes of %s memory in all variables, found more",
                       MOST_VARIABLE_BYTES, is_shared ? "shared" : "local");
  *bytes = (uint32_t)start;
  code->variable_offsets[index] = *bytes;
  if (is_shared)
    array_push(
        code->arena, &code->shared_variables,
        (SharedVariable){plain_name(code, variable), *bytes - GRID_SHARED_START, (uint32_t)size});
  // An unsized shared variable is the dynamic memory, which lies behind all others.
  *bytes += (uint32_t)size;
  return true;
}

static bool is_parameter(const PtxVariable *variable) {
  return variable->space >= PTX_SPACE_PARAM && variable->space <= PTX_SPACE_PARAM_FUNC;
}

// Parameters live in registers.
static bool check_parameter(Code *code, const PtxVariable *variable) {
  enum { MOST_PARAMETER_BYTES = 1 << 20 };
  return ptx_variable_size(code->module, variable) <= MOST_PARAMETER_BYTES ||
         diag_syntax(code->diags, ptx_span(code->module, variable->span),
                     "expected a parameter of at most %d bytes, found a larger one",
                     MOST_PARAMETER_BYTES);
}

static bool is_unsized(const PtxModule *module, const PtxVariable *variable) {
  return variable->dimensions.count &&
         module->dimensions.items[variable->dimensions.first] == PTX_UNSIZED;
}

// Variables in the bodies of other kernels take no place in this one.
static const bool *find_foreign(const Code *code) {
  const PtxModule *module = code->module;
  bool *is_foreign = ARENA_ARRAY(code->arena, bool, module->variables.count + 1);
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const PtxFunction *function = &module->functions.items[i];
    for (uint32_t j = 0; j < function->statements.count; j++) {
      const PtxStatement *statement = &module->statements.items[function->statements.first + j];
      if (statement->kind == PTX_STATEMENT_VARIABLE && function->is_entry &&
          function != code->function)
        is_foreign[statement->index] = true;
    }
  }
  return is_foreign;
}

// What the system has of shared memory is put before the variables; on a GPU it begins at 0.
static void place_reserved(Code *code) {
  if (!lower_uses_reserved_memory(code->module))
    return;
  code->reserved_start = code->shared_bytes;
  array_push(code->arena, &code->shared_variables,
             (SharedVariable){"(reserved)", code->reserved_start - GRID_SHARED_START,
                              LOWER_RESERVED_BYTES});
  code->shared_bytes += LOWER_RESERVED_BYTES;
}

static bool place_variables(Code *code) {
  const PtxModule *module = code->module;
  const bool *is_foreign = find_foreign(code);
  code->shared_bytes = GRID_SHARED_START;
  place_reserved(code);
  code->local_bytes = GRID_LOCAL_START;
  bool is_right = true;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < module->variables.count; i++) {
      const PtxVariable *variable = &module->variables.items[i];
      bool is_shared =
          variable->space >= PTX_SPACE_SHARED && variable->space <= PTX_SPACE_SHARED_CLUSTER;
      if ((is_shared || variable->space == PTX_SPACE_LOCAL) && !is_foreign[i] &&
          is_unsized(module, variable) == (pass == 1))
        is_right &= place_variable(code, variable, i);
      else if (is_parameter(variable) && !is_foreign[i] && pass == 0)
        is_right &= check_parameter(code, variable);
    }
  return is_right;
}

// --- the whole function

static void patch_branches(Code *code, const Frame *frame) {
  uint32_t first = frame->function->instructions.first;
  for (uint32_t i = 0; i < frame->patches.count; i++) {
    const Patch *patch = &frame->patches.items[i];
    uint32_t target = patch->target - first;
    code->instructions.items[patch->instruction].target =
        target < frame->function->instructions.count ? frame->starts[target]
                                                     : code->instructions.count;
  }
  for (uint32_t i = 0; i < frame->returns.count; i++)
    code->instructions.items[frame->returns.items[i]].target = code->instructions.count;
}

void lower_body(Code *code, Frame *frame) {
  const PtxFunction *function = frame->function;
  Frame *outer = code->frame;
  code->frame = frame;
  frame->body = code->instructions.count;
  frame->starts = ARENA_ARRAY(code->arena, uint32_t, function->instructions.count + 1);
  for (uint32_t i = 0; i < function->instructions.count; i++) {
    frame->starts[i] = code->instructions.count;
    lower_instruction(code, &code->module->instructions.items[function->instructions.first + i]);
  }
  patch_branches(code, frame);
  code->frame = outer;
}

static bool writes_tensor_maps(const PtxModule *module) {
  for (uint32_t i = 0; i < module->instructions.count; i++)
    if (module->instructions.items[i].op == PTX_OP_tensormap)
      return true;
  return false;
}

bool lower_function(Code *code) {
  const PtxFunction *function = code->function;
  Frame frame = {.function = function};
  code->writes_tensor_maps = writes_tensor_maps(code->module);
  place_map_init(&code->places, code->module, function, code->main_source, code->arena);
  code->function_registers = ARENA_ARRAY(code->arena, uint32_t, code->module->functions.count + 1);
  code->parameter_words = ARENA_ARRAY(code->arena, uint32_t, code->module->variables.count + 1);
  lower_add_registers(code, function);
  if (!place_variables(code))
    return false;
  lower_reserve_stack(code);
  lower_reserve_alloca(code);
  lower_body(code, &frame);
  lower_finish_stack(code);
  lower_finish_alloca(code);
  return true;
}
