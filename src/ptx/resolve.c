// Names of a parsed module: registers get numbers, and each name in an operand learns what it is.
// A table holds for each Name the innermost binding; leaving a scope restores what it hid.
#include "ptx/parser.h"

#include <string.h>

typedef struct Binding {
  Name name;
  uint8_t reference; // PtxReference
  uint32_t target;   // of that kind; for registers: the declaring variable
  uint32_t depth;    // 0: module, 1: body of a function, ...
  uint32_t hidden;   // binding that this one hides, 0: none
} Binding;

typedef struct Resolver {
  PtxModule *module;
  Arena *arena;
  DiagList *diags;
  uint32_t error_count;
  uint32_t *bindings_of;   // Name -> index into `bindings`, 0: none
  ARRAY(Binding) bindings; // a stack; the first is unused
  ARRAY(uint32_t) scope_marks;
  PtxFunction *function;
} Resolver;

static bool report(Resolver *resolver, PtxSpan span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool report(Resolver *resolver, PtxSpan span, const char *format, ...) {
  if (resolver->error_count++ >= PTX_MAX_ERRORS)
    return false;
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(resolver->arena, format, arguments);
  va_end(arguments);
  return diag_syntax(resolver->diags, ptx_span(resolver->module, span), "%s", message);
}

static void note_earlier(Resolver *resolver, PtxSpan span) {
  DiagList *diags = resolver->diags;
  if (resolver->error_count <= PTX_MAX_ERRORS)
    diag_note(diags, &diags->items[diags->count - 1], ptx_span(resolver->module, span),
              "declared here first");
}

static const char *text(const Resolver *resolver, Name name) {
  return ptx_text(resolver->module, name);
}

static uint32_t depth_of(const Resolver *resolver) {
  return resolver->scope_marks.count;
}

static PtxSpan span_of(const Resolver *resolver, const Binding *binding) {
  const PtxModule *module = resolver->module;
  switch (binding->reference) {
  case PTX_REFERENCE_FUNCTION:
    return module->functions.items[binding->target].name_span;
  case PTX_REFERENCE_LABEL:
    return module->labels.items[binding->target].span;
  case PTX_REFERENCE_TARGETS:
    return module->target_lists.items[binding->target].span;
  case PTX_REFERENCE_PROTOTYPE:
    return module->prototypes.items[binding->target].span;
  default:
    return module->variables.items[binding->target].name_span;
  }
}

static const PtxVariable *range_of(const Resolver *resolver, const Binding *binding) {
  if (binding->reference != PTX_REFERENCE_REGISTER)
    return NULL;
  const PtxVariable *variable = &resolver->module->variables.items[binding->target];
  return variable->is_range ? variable : NULL;
}

static Binding *first_binding(const Resolver *resolver, Name name) {
  uint32_t index = name < resolver->module->names.count ? resolver->bindings_of[name] : 0;
  return index ? &resolver->bindings.items[index] : NULL;
}

static Binding *next_binding(const Resolver *resolver, const Binding *binding) {
  return binding->hidden ? &resolver->bindings.items[binding->hidden] : NULL;
}

// The innermost binding of the name itself, or of a range with this prefix. `x` and `x<4>` can be
// declared side by side.
static Binding *find_binding(const Resolver *resolver, Name name, bool is_range) {
  Binding *binding = first_binding(resolver, name);
  while (binding && (range_of(resolver, binding) != NULL) != is_range)
    binding = next_binding(resolver, binding);
  return binding;
}

static void push_binding(Resolver *resolver, Name name, PtxReference reference, uint32_t target) {
  Binding binding = {name, (uint8_t)reference, target, depth_of(resolver),
                     resolver->bindings_of[name]};
  resolver->bindings_of[name] = resolver->bindings.count;
  array_push(resolver->arena, &resolver->bindings, binding);
}

static void open_scope(Resolver *resolver) {
  array_push(resolver->arena, &resolver->scope_marks, resolver->bindings.count);
}

static void close_scope(Resolver *resolver) {
  uint32_t mark = resolver->scope_marks.items[--resolver->scope_marks.count];
  while (resolver->bindings.count > mark) {
    const Binding *binding = &resolver->bindings.items[--resolver->bindings.count];
    resolver->bindings_of[binding->name] = binding->hidden;
  }
}

// Splits "%r12" into its prefix and 12. Numbers with leading zeros are other names.
static bool split_number(const char *name, size_t *prefix_length, uint64_t *number) {
  size_t length = strlen(name), begin = length;
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9')
    begin--;
  if (begin == 0 || begin == length || length - begin > 9)
    return false;
  if (name[begin] == '0' && length - begin > 1)
    return false;
  *prefix_length = begin;
  *number = 0;
  for (size_t i = begin; i < length; i++)
    *number = 10 * *number + (uint64_t)(name[i] - '0');
  return true;
}

static bool is_in_range(const Resolver *resolver, const Binding *binding, uint64_t number) {
  const PtxVariable *range = binding ? range_of(resolver, binding) : NULL;
  return range && number < range->range_count;
}

// The innermost range %r<100> that has the number behind the prefix of the name; if none has it,
// the innermost range of that prefix. A range hides the registers of an outer one that it has, too.
static Binding *find_range(const Resolver *resolver, Name name, uint64_t *number) {
  const NameTable *names = &resolver->module->names;
  const char *whole = text(resolver, name);
  size_t prefix_length;
  if (!split_number(whole, &prefix_length, number))
    return NULL;
  Name prefix = names_find(names, whole, prefix_length);
  Binding *innermost = find_binding(resolver, prefix, true), *binding = innermost;
  while (binding && !is_in_range(resolver, binding, *number))
    binding = next_binding(resolver, binding);
  return binding ? binding : innermost;
}

// What is declared in the innermost scope already: the same name, or a range that has it.
static const Binding *find_rival(const Resolver *resolver, Name name, bool is_range) {
  uint64_t number = 0;
  const Binding *rival = find_binding(resolver, name, is_range);
  if (rival && rival->depth == depth_of(resolver))
    return rival;
  rival = is_range ? NULL : find_range(resolver, name, &number);
  return is_in_range(resolver, rival, number) && rival->depth == depth_of(resolver) ? rival : NULL;
}

// Declares a name in the innermost scope.
static void declare(Resolver *resolver, Name name, PtxReference reference, uint32_t target,
                    PtxSpan span) {
  bool is_range = range_of(resolver, &(Binding){.reference = (uint8_t)reference, .target = target});
  const Binding *rival = find_rival(resolver, name, is_range);
  if (!rival) {
    push_binding(resolver, name, reference, target);
    return;
  }
  report(resolver, span, "expected a new name, '%s' is declared twice", text(resolver, name));
  note_earlier(resolver, span_of(resolver, rival));
}

static void declare_register(Resolver *resolver, PtxVariable *variable, uint32_t index) {
  uint32_t count = variable->is_range ? variable->range_count : 1;
  PtxFunction *function = resolver->function;
  if (count > PTX_MAX_REGISTERS - function->register_count) {
    report(resolver, variable->name_span, "expected at most %d registers in a function",
           PTX_MAX_REGISTERS);
    return;
  }
  variable->first_register = function->register_count;
  function->register_count += count;
  declare(resolver, variable->name, PTX_REFERENCE_REGISTER, index, variable->name_span);
}

static void declare_variable(Resolver *resolver, uint32_t index) {
  PtxVariable *variable = &resolver->module->variables.items[index];
  if (!variable->name)
    return;
  if (variable->space == PTX_SPACE_REG)
    declare_register(resolver, variable, index);
  else
    declare(resolver, variable->name, PTX_REFERENCE_VARIABLE, index, variable->name_span);
}

static void declare_labels(Resolver *resolver, uint32_t scope) {
  const PtxModule *module = resolver->module;
  uint32_t i = module->scopes.items[scope].first_label;
  for (; i != PTX_NONE; i = module->labels.items[i].next)
    declare(resolver, module->labels.items[i].name, PTX_REFERENCE_LABEL, i,
            module->labels.items[i].span);
}

static bool resolve_special(Resolver *resolver, PtxOperand *operand) {
  PtxWord word = ptx_word(resolver->module, operand->name);
  if (!word.special)
    return false;
  operand->reference = PTX_REFERENCE_SPECIAL;
  operand->target = word.special;
  if (word.special == PTX_SPECIAL_envreg)
    operand->value = word.number;
  return true;
}

static void use_register(Resolver *resolver, PtxOperand *operand, uint32_t variable,
                         uint64_t number) {
  operand->reference = PTX_REFERENCE_REGISTER;
  operand->variable = variable;
  operand->target = resolver->module->variables.items[variable].first_register + (uint32_t)number;
}

static void use_binding(Resolver *resolver, PtxOperand *operand, const Binding *binding) {
  const PtxModule *module = resolver->module;
  if (binding->reference == PTX_REFERENCE_REGISTER) {
    use_register(resolver, operand, binding->target, 0);
    return;
  }
  operand->reference = binding->reference;
  operand->target = binding->target;
  if (binding->reference == PTX_REFERENCE_FUNCTION)
    operand->target = module->functions.items[binding->target].definition;
  else if (binding->reference == PTX_REFERENCE_VARIABLE)
    operand->target = module->variables.items[binding->target].definition;
}

static void report_unknown(Resolver *resolver, const PtxOperand *operand, const Binding *range) {
  const char *name = text(resolver, operand->name);
  if (range) {
    const PtxVariable *variable = &resolver->module->variables.items[range->target];
    report(resolver, operand->span, "expected a register of '%s<%u>', found '%s'",
           text(resolver, variable->name), variable->range_count, name);
  } else if (name[0] == '%') {
    report(resolver, operand->span, "expected a declared register, found '%s'", name);
  } else {
    report(resolver, operand->span, "expected a declared name, found '%s'", name);
  }
}

static void resolve_name(Resolver *resolver, PtxOperand *operand) {
  uint64_t number;
  const Binding *binding = find_binding(resolver, operand->name, false);
  const Binding *range = find_range(resolver, operand->name, &number);
  bool is_member = is_in_range(resolver, range, number);
  if (is_member && (!binding || range->depth > binding->depth))
    use_register(resolver, operand, range->target, number);
  else if (binding)
    use_binding(resolver, operand, binding);
  else if (!resolve_special(resolver, operand))
    report_unknown(resolver, operand, range);
}

static void resolve_range(Resolver *resolver, PtxRange range);

static void resolve_operand(Resolver *resolver, uint32_t index) {
  PtxOperand *operand = &resolver->module->operands.items[index];
  switch (operand->kind) {
  case PTX_OPERAND_NAME:
    resolve_name(resolver, operand);
    break;
  case PTX_OPERAND_ELEMENT:
    resolve_name(resolver, operand);
    resolve_range(resolver, operand->children);
    break;
  case PTX_OPERAND_FIELD: // its names are words of the texture hardware
    break;
  default:
    resolve_range(resolver, operand->children);
    break;
  }
}

// The depth of operands is bounded by the parser.
static void resolve_range(Resolver *resolver, PtxRange range) {
  for (uint32_t i = 0; i < range.count; i++)
    resolve_operand(resolver, range.first + i);
}

static void check_guard(Resolver *resolver, const PtxInstruction *instruction) {
  if (instruction->guard == PTX_NONE)
    return;
  resolve_operand(resolver, instruction->guard);
  const PtxOperand *guard = &resolver->module->operands.items[instruction->guard];
  if (guard->reference == PTX_REFERENCE_NONE)
    return; // reported already
  PtxType type = PTX_TYPE_NONE;
  if (guard->reference == PTX_REFERENCE_REGISTER)
    type = resolver->module->variables.items[guard->variable].type;
  else if (guard->reference == PTX_REFERENCE_SPECIAL)
    type = ptx_special_type(guard->target);
  if (type != PTX_TYPE_pred)
    report(resolver, guard->span, "expected a register of type .pred as guard, found '%s'",
           text(resolver, guard->name));
}

// A direct branch names a label.
static void check_branch(Resolver *resolver, const PtxInstruction *instruction) {
  if (instruction->op != PTX_OP_bra || instruction->operands.count == 0)
    return;
  const PtxOperand *target = &resolver->module->operands.items[instruction->operands.first];
  bool is_unknown = target->kind == PTX_OPERAND_NAME && target->reference == PTX_REFERENCE_NONE;
  if (!is_unknown && target->reference != PTX_REFERENCE_LABEL)
    report(resolver, target->span, "expected a label as target of the branch");
}

// The operands of a call: [returns,] function, [parameters,] [prototype or targets].
typedef struct Call {
  const PtxOperand *returns, *callee, *parameters;
} Call;

static Call split_call(const PtxModule *module, const PtxInstruction *instruction) {
  Call call = {0};
  for (uint32_t i = 0; i < instruction->operands.count; i++) {
    const PtxOperand *operand = &module->operands.items[instruction->operands.first + i];
    if (operand->kind != PTX_OPERAND_LIST)
      call.callee = call.callee ? call.callee : operand;
    else if (call.callee)
      call.parameters = operand;
    else
      call.returns = operand;
  }
  return call;
}

// A last parameter without a size takes any number of arguments.
static bool is_variadic(const PtxModule *module, const PtxFunction *function) {
  if (function->parameters.count == 0)
    return false;
  const PtxVariable *last =
      &module->variables.items[function->parameters.first + function->parameters.count - 1];
  return last->dimensions.count && module->dimensions.items[last->dimensions.first] == PTX_UNSIZED;
}

static const char *plural(uint32_t count) {
  return count == 1 ? "" : "s";
}

static void check_call(Resolver *resolver, const PtxInstruction *instruction) {
  const PtxModule *module = resolver->module;
  if (instruction->op != PTX_OP_call)
    return;
  Call call = split_call(module, instruction);
  if (!call.callee) {
    report(resolver, instruction->span, "expected a function to call");
    return;
  }
  if (call.callee->reference != PTX_REFERENCE_FUNCTION)
    return;
  const PtxFunction *function = &module->functions.items[call.callee->target];
  uint32_t passed = call.parameters ? call.parameters->children.count : 0;
  uint32_t returned = call.returns ? call.returns->children.count : 0;
  if (passed != function->parameters.count && !is_variadic(module, function))
    report(resolver, instruction->span, "expected %u argument%s in the call of '%s', found %u",
           function->parameters.count, plural(function->parameters.count),
           text(resolver, function->name), passed);
  if (returned != function->returns.count)
    report(resolver, instruction->span, "expected %u return value%s of '%s', found %u",
           function->returns.count, plural(function->returns.count), text(resolver, function->name),
           returned);
}

static void resolve_instruction(Resolver *resolver, const PtxInstruction *instruction) {
  check_guard(resolver, instruction);
  resolve_range(resolver, instruction->operands);
  check_branch(resolver, instruction);
  check_call(resolver, instruction);
}

static void resolve_initializer(Resolver *resolver, uint32_t variable) {
  uint32_t initializer = resolver->module->variables.items[variable].initializer;
  if (initializer != PTX_NONE)
    resolve_operand(resolver, initializer);
}

static void resolve_statement(Resolver *resolver, PtxStatement statement) {
  const PtxModule *module = resolver->module;
  switch (statement.kind) {
  case PTX_STATEMENT_INSTRUCTION:
    resolve_instruction(resolver, &module->instructions.items[statement.index]);
    break;
  case PTX_STATEMENT_VARIABLE:
    declare_variable(resolver, statement.index);
    resolve_initializer(resolver, statement.index);
    break;
  case PTX_STATEMENT_OPEN:
    // The body shares the scope of the parameters.
    if (module->scopes.items[statement.index].parent != PTX_NONE)
      open_scope(resolver);
    declare_labels(resolver, statement.index);
    break;
  case PTX_STATEMENT_CLOSE:
    if (module->scopes.items[statement.index].parent != PTX_NONE)
      close_scope(resolver);
    break;
  case PTX_STATEMENT_TARGETS:
    declare(resolver, module->target_lists.items[statement.index].name, PTX_REFERENCE_TARGETS,
            statement.index, module->target_lists.items[statement.index].span);
    resolve_range(resolver, module->target_lists.items[statement.index].names);
    break;
  case PTX_STATEMENT_PROTOTYPE:
    declare(resolver, module->prototypes.items[statement.index].name, PTX_REFERENCE_PROTOTYPE,
            statement.index, module->prototypes.items[statement.index].span);
    break;
  case PTX_STATEMENT_LABEL:
  case PTX_STATEMENT_LOCATION:
  case PTX_STATEMENT_DIRECTIVE:
    break;
  }
}

static void declare_range(Resolver *resolver, PtxRange range) {
  for (uint32_t i = 0; i < range.count; i++)
    declare_variable(resolver, range.first + i);
}

static void resolve_function(Resolver *resolver, PtxFunction *function) {
  resolver->function = function;
  open_scope(resolver);
  declare_range(resolver, function->returns);
  declare_range(resolver, function->parameters);
  for (uint32_t i = 0; i < function->statements.count; i++)
    resolve_statement(resolver, resolver->module->statements.items[function->statements.first + i]);
  close_scope(resolver);
}

// Does this declaration of a module's variable or function leave room for another one?
static bool is_tentative(const Resolver *resolver, PtxReference reference, uint32_t index) {
  const PtxModule *module = resolver->module;
  if (reference == PTX_REFERENCE_FUNCTION)
    return !module->functions.items[index].has_body;
  uint8_t linkage = module->variables.items[index].linkage;
  return linkage == PTX_LINKAGE_EXTERN || linkage == PTX_LINKAGE_COMMON;
}

// A definition replaces the declarations of the same name.
static void declare_global(Resolver *resolver, Name name, PtxReference reference, uint32_t index,
                           PtxSpan span) {
  Binding *earlier = find_binding(resolver, name, false);
  bool is_same_kind = earlier && earlier->reference == reference;
  if (is_same_kind && is_tentative(resolver, reference, index))
    return;
  if (is_same_kind && is_tentative(resolver, reference, earlier->target))
    earlier->target = index;
  else
    declare(resolver, name, reference, index, span);
}

static void declare_item(Resolver *resolver, PtxItem item) {
  const PtxModule *module = resolver->module;
  if (item.kind == PTX_ITEM_FUNCTION) {
    const PtxFunction *function = &module->functions.items[item.index];
    declare_global(resolver, function->name, PTX_REFERENCE_FUNCTION, item.index,
                   function->name_span);
  } else if (item.kind == PTX_ITEM_VARIABLE) {
    const PtxVariable *variable = &module->variables.items[item.index];
    if (variable->name)
      declare_global(resolver, variable->name, PTX_REFERENCE_VARIABLE, item.index,
                     variable->name_span);
  }
}

static void find_definition(Resolver *resolver, PtxItem item) {
  const PtxModule *module = resolver->module;
  const Binding *binding;
  if (item.kind == PTX_ITEM_FUNCTION) {
    PtxFunction *function = &module->functions.items[item.index];
    binding = find_binding(resolver, function->name, false);
    if (binding->reference == PTX_REFERENCE_FUNCTION)
      function->definition = binding->target;
  } else if (item.kind == PTX_ITEM_VARIABLE) {
    PtxVariable *variable = &module->variables.items[item.index];
    binding = variable->name ? find_binding(resolver, variable->name, false) : NULL;
    if (binding && binding->reference == PTX_REFERENCE_VARIABLE)
      variable->definition = binding->target;
  }
}

static const Binding *find_function(Resolver *resolver, Name name, PtxSpan span) {
  const Binding *binding = find_binding(resolver, name, false);
  if (binding && binding->reference == PTX_REFERENCE_FUNCTION)
    return binding;
  report(resolver, span, "expected a declared function, found '%s'", text(resolver, name));
  return NULL;
}

static void resolve_alias(Resolver *resolver, PtxAlias *alias) {
  const PtxModule *module = resolver->module;
  const Binding *name = find_function(resolver, alias->name, alias->span);
  const Binding *target = find_function(resolver, alias->target_name, alias->span);
  if (!name || !target)
    return;
  alias->target = module->functions.items[target->target].definition;
  module->functions.items[name->target].definition = alias->target;
}

static void resolve_items(Resolver *resolver) {
  PtxModule *module = resolver->module;
  for (uint32_t i = 0; i < module->items.count; i++)
    declare_item(resolver, module->items.items[i]);
  for (uint32_t i = 0; i < module->items.count; i++)
    find_definition(resolver, module->items.items[i]);
  for (uint32_t i = 0; i < module->aliases.count; i++)
    resolve_alias(resolver, &module->aliases.items[i]);
  for (uint32_t i = 0; i < module->items.count; i++)
    if (module->items.items[i].kind == PTX_ITEM_VARIABLE)
      resolve_initializer(resolver, module->items.items[i].index);
  for (uint32_t i = 0; i < module->functions.count; i++)
    resolve_function(resolver, &module->functions.items[i]);
}

bool ptx_resolve_module(PtxModule *module, DiagList *diags) {
  Resolver resolver = {.module = module, .arena = module->arena, .diags = diags};
  resolver.bindings_of = ARENA_ARRAY(module->arena, uint32_t, module->names.count);
  array_push(resolver.arena, &resolver.bindings, (Binding){0});
  resolve_items(&resolver);
  return resolver.error_count == 0;
}
