// Questions about a parsed module.
#include "ptx/ptx.h"

#include "base/demangle.h"

#include <assert.h>
#include <string.h>

static bool is_entry(const PtxFunction *function) {
  return function->is_entry && function->has_body;
}

const char *ptx_entry_name(const PtxModule *module, const PtxFunction *entry, Arena *arena) {
  const char *name = ptx_text(module, entry->name), *demangled = demangle_function(name, arena);
  return demangled ? demangled : name;
}

// PTX_NONE: none or several.
static uint32_t find_demangled(const PtxModule *module, const char *name, Arena *arena) {
  uint32_t found = PTX_NONE;
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const PtxFunction *function = &module->functions.items[i];
    ArenaMark mark = arena_mark(arena);
    const char *demangled =
        is_entry(function) ? demangle_function(ptx_text(module, function->name), arena) : NULL;
    bool is_match = demangled && demangle_matches(demangled, name, arena);
    arena_reset(arena, mark);
    if (is_match && found != PTX_NONE)
      return PTX_NONE;
    found = is_match ? i : found;
  }
  return found;
}

uint32_t ptx_find_entry(const PtxModule *module, const char *name, Arena *arena) {
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const PtxFunction *function = &module->functions.items[i];
    if (is_entry(function) && strcmp(ptx_text(module, function->name), name) == 0)
      return i;
  }
  return find_demangled(module, name, arena);
}

const char *ptx_file_name(const PtxModule *module, uint32_t number) {
  for (uint32_t i = 0; i < module->files.count; i++)
    if (module->files.items[i].number == number)
      return ptx_text(module, module->files.items[i].name);
  return NULL;
}

static uint64_t element_bytes(const PtxVariable *variable) {
  if (ptx_type_kind(variable->type) == PTX_NUMBER_O || variable->space == PTX_SPACE_REG)
    return 0;
  return ((uint64_t)ptx_type_bits(variable->type) * variable->vector + 7) / 8;
}

// Elements of the initialiser, which give [] its size.
static uint64_t initial_count(const PtxModule *module, const PtxVariable *variable) {
  if (variable->initializer == PTX_NONE)
    return 0;
  const PtxOperand *initializer = &module->operands.items[variable->initializer];
  return initializer->kind == PTX_OPERAND_VECTOR ? initializer->children.count : 1;
}

uint64_t ptx_variable_size(const PtxModule *module, const PtxVariable *variable) {
  uint64_t bytes = element_bytes(variable);
  for (uint32_t i = 0; i < variable->dimensions.count; i++) {
    uint64_t size = module->dimensions.items[variable->dimensions.first + i];
    if (__builtin_mul_overflow(bytes, size == PTX_UNSIZED ? initial_count(module, variable) : size,
                               &bytes))
      return UINT64_MAX;
  }
  return bytes;
}

uint32_t ptx_variable_align(const PtxVariable *variable) {
  uint64_t natural = element_bytes(variable);
  uint32_t align = 1;
  while (align < natural)
    align *= 2;
  return variable->align ? variable->align : align;
}

static void check_range(PtxRange range, uint32_t count) {
  assert(range.first <= count || range.count == 0);
  assert(range.count <= count - (range.count ? range.first : 0));
  (void)range;
  (void)count;
}

static void check_operand(const PtxModule *module, const PtxOperand *operand) {
  check_range(operand->children, module->operands.count);
  switch (operand->reference) {
  case PTX_REFERENCE_REGISTER: {
    const PtxVariable *variable = &module->variables.items[operand->variable];
    uint32_t count = variable->is_range ? variable->range_count : 1;
    assert(operand->variable < module->variables.count);
    assert(operand->target - variable->first_register < count);
    (void)count;
    break;
  }
  case PTX_REFERENCE_SPECIAL:
    assert(operand->target < PTX_SPECIAL_COUNT);
    break;
  case PTX_REFERENCE_VARIABLE:
    assert(operand->target < module->variables.count);
    break;
  case PTX_REFERENCE_FUNCTION:
    assert(operand->target < module->functions.count);
    break;
  case PTX_REFERENCE_LABEL:
    assert(operand->target < module->labels.count);
    break;
  case PTX_REFERENCE_TARGETS:
    assert(operand->target < module->target_lists.count);
    break;
  case PTX_REFERENCE_PROTOTYPE:
    assert(operand->target < module->prototypes.count);
    break;
  default:
    break;
  }
}

static void check_function(const PtxModule *module, const PtxFunction *function) {
  check_range(function->returns, module->variables.count);
  check_range(function->parameters, module->variables.count);
  check_range(function->statements, module->statements.count);
  check_range(function->instructions, module->instructions.count);
  assert(function->definition < module->functions.count);
  int depth = 0;
  for (uint32_t i = 0; i < function->statements.count; i++) {
    PtxStatementKind kind = module->statements.items[function->statements.first + i].kind;
    depth += kind == PTX_STATEMENT_OPEN;
    depth -= kind == PTX_STATEMENT_CLOSE;
    assert(depth >= 0);
  }
  assert(depth == 0);
  (void)depth; // without assertions
}

void ptx_module_check(const PtxModule *module) {
  for (uint32_t i = 0; i < module->operands.count; i++)
    check_operand(module, &module->operands.items[i]);
  for (uint32_t i = 0; i < module->functions.count; i++)
    check_function(module, &module->functions.items[i]);
  for (uint32_t i = 0; i < module->instructions.count; i++) {
    check_range(module->instructions.items[i].modifiers, module->modifiers.count);
    check_range(module->instructions.items[i].operands, module->operands.count);
  }
  for (uint32_t i = 0; i < module->labels.count; i++)
    assert(module->labels.items[i].instruction <= module->instructions.count);
  for (uint32_t i = 0; i < module->locations.count; i++)
    assert(module->locations.items[i].parent == PTX_NONE || module->locations.items[i].parent <= i);
}
