// Equality of two modules: texts of names are compared, since each module has its own numbers.
#include "ptx/ptx.h"

#include <string.h>

typedef struct Comparison {
  const PtxModule *a, *b;
} Comparison;

static bool same_name(const Comparison *both, Name a, Name b) {
  return strcmp(ptx_text(both->a, a), ptx_text(both->b, b)) == 0;
}

static bool same_range(PtxRange a, PtxRange b) {
  return a.count == b.count && (a.count == 0 || a.first == b.first);
}

static bool same_operand(const Comparison *both, const PtxOperand *a, const PtxOperand *b) {
  return a->kind == b->kind && a->flags == b->flags && a->radix == b->radix &&
         a->operation == b->operation && a->reference == b->reference && a->value == b->value &&
         a->target == b->target && a->variable == b->variable &&
         same_range(a->children, b->children) && same_name(both, a->name, b->name) &&
         same_name(both, a->component, b->component);
}

static bool same_modifier(const Comparison *both, const PtxModifier *a, const PtxModifier *b) {
  return same_name(both, a->name, b->name);
}

static bool same_instruction(const Comparison *both, const PtxInstruction *a,
                             const PtxInstruction *b) {
  return a->op == b->op && same_name(both, a->mnemonic, b->mnemonic) && a->guard == b->guard &&
         same_range(a->modifiers, b->modifiers) && same_range(a->operands, b->operands) &&
         a->location == b->location;
}

static bool same_shape(const PtxVariable *a, const PtxVariable *b) {
  return a->space == b->space && a->type == b->type && a->vector == b->vector &&
         a->linkage == b->linkage && a->is_range == b->is_range &&
         a->is_parameter == b->is_parameter && a->is_pointer == b->is_pointer &&
         a->pointer_space == b->pointer_space && a->pointer_align == b->pointer_align &&
         a->align == b->align && a->range_count == b->range_count;
}

static bool same_variable(const Comparison *both, const PtxVariable *a, const PtxVariable *b) {
  return same_shape(a, b) && same_name(both, a->name, b->name) &&
         same_range(a->dimensions, b->dimensions) && same_range(a->attributes, b->attributes) &&
         a->initializer == b->initializer && a->first_register == b->first_register &&
         a->definition == b->definition;
}

static bool same_attribute(const Comparison *both, const PtxAttribute *a, const PtxAttribute *b) {
  return same_name(both, a->name, b->name) && same_range(a->arguments, b->arguments);
}

static bool same_directive(const Comparison *both, const PtxDirective *a, const PtxDirective *b) {
  return same_name(both, a->name, b->name) && same_range(a->arguments, b->arguments);
}

static bool same_label(const Comparison *both, const PtxLabel *a, const PtxLabel *b) {
  return same_name(both, a->name, b->name) && a->instruction == b->instruction &&
         a->next == b->next;
}

static bool same_targets(const Comparison *both, const PtxTargets *a, const PtxTargets *b) {
  return same_name(both, a->name, b->name) && a->is_call == b->is_call &&
         same_range(a->names, b->names);
}

static bool same_prototype(const Comparison *both, const PtxPrototype *a, const PtxPrototype *b) {
  return same_name(both, a->name, b->name) && same_range(a->returns, b->returns) &&
         same_range(a->parameters, b->parameters) && same_range(a->directives, b->directives);
}

static bool same_location(const Comparison *both, const PtxLocation *a, const PtxLocation *b) {
  return a->file == b->file && a->line == b->line && a->column == b->column &&
         same_name(both, a->function_name, b->function_name) &&
         a->function_offset == b->function_offset && a->is_inlined == b->is_inlined &&
         a->inlined_file == b->inlined_file && a->inlined_line == b->inlined_line &&
         a->inlined_column == b->inlined_column && a->parent == b->parent;
}

static bool same_scope(const Comparison *both, const PtxScope *a, const PtxScope *b) {
  (void)both;
  return a->parent == b->parent && a->first_label == b->first_label;
}

static bool same_statement(const Comparison *both, const PtxStatement *a, const PtxStatement *b) {
  (void)both;
  return a->kind == b->kind && a->index == b->index;
}

static bool same_item(const Comparison *both, const PtxItem *a, const PtxItem *b) {
  (void)both;
  return a->kind == b->kind && a->index == b->index;
}

static bool same_dimension(const Comparison *both, const uint64_t *a, const uint64_t *b) {
  (void)both;
  return *a == *b;
}

static bool same_target(const Comparison *both, const Name *a, const Name *b) {
  return same_name(both, *a, *b);
}

static bool same_function(const Comparison *both, const PtxFunction *a, const PtxFunction *b) {
  return same_name(both, a->name, b->name) && a->is_entry == b->is_entry &&
         a->has_body == b->has_body && a->linkage == b->linkage &&
         a->register_count == b->register_count && a->definition == b->definition &&
         same_range(a->attributes, b->attributes) && same_range(a->returns, b->returns) &&
         same_range(a->parameters, b->parameters) && same_range(a->directives, b->directives) &&
         same_range(a->statements, b->statements) && same_range(a->instructions, b->instructions);
}

static bool same_file(const Comparison *both, const PtxFile *a, const PtxFile *b) {
  return a->number == b->number && same_name(both, a->name, b->name) &&
         a->has_stamp == b->has_stamp && a->time == b->time && a->size == b->size;
}

static bool same_section(const Comparison *both, const PtxSection *a, const PtxSection *b) {
  uint32_t length = a->data.end - a->data.begin;
  return same_name(both, a->name, b->name) && length == b->data.end - b->data.begin &&
         memcmp(both->a->source->text + a->data.begin, both->b->source->text + b->data.begin,
                length) == 0;
}

static bool same_string(const Comparison *both, const PtxDebugString *a, const PtxDebugString *b) {
  return same_name(both, a->label, b->label) && same_name(both, a->text, b->text);
}

static bool same_alias(const Comparison *both, const PtxAlias *a, const PtxAlias *b) {
  return same_name(both, a->name, b->name) && same_name(both, a->target_name, b->target_name) &&
         a->target == b->target;
}

static bool same_preamble(const PtxModule *a, const PtxModule *b) {
  return a->version_major == b->version_major && a->version_minor == b->version_minor &&
         a->address_size == b->address_size && a->has_address_size == b->has_address_size;
}

// Compares one array of the two modules with the function for its items.
#define RETURN_IF_DIFFERENT(array, same)                                                           \
  do {                                                                                             \
    if (a->array.count != b->array.count)                                                          \
      return false;                                                                                \
    for (uint32_t i = 0; i < a->array.count; i++)                                                  \
      if (!same(&both, &a->array.items[i], &b->array.items[i]))                                    \
        return false;                                                                              \
  } while (0)

bool ptx_modules_equal(const PtxModule *a, const PtxModule *b) {
  Comparison both = {a, b};
  if (!same_preamble(a, b))
    return false;
  RETURN_IF_DIFFERENT(targets, same_target);
  RETURN_IF_DIFFERENT(items, same_item);
  RETURN_IF_DIFFERENT(files, same_file);
  RETURN_IF_DIFFERENT(sections, same_section);
  RETURN_IF_DIFFERENT(debug_strings, same_string);
  RETURN_IF_DIFFERENT(aliases, same_alias);
  RETURN_IF_DIFFERENT(directives, same_directive);
  RETURN_IF_DIFFERENT(attributes, same_attribute);
  RETURN_IF_DIFFERENT(variables, same_variable);
  RETURN_IF_DIFFERENT(dimensions, same_dimension);
  RETURN_IF_DIFFERENT(functions, same_function);
  RETURN_IF_DIFFERENT(statements, same_statement);
  RETURN_IF_DIFFERENT(scopes, same_scope);
  RETURN_IF_DIFFERENT(labels, same_label);
  RETURN_IF_DIFFERENT(target_lists, same_targets);
  RETURN_IF_DIFFERENT(prototypes, same_prototype);
  RETURN_IF_DIFFERENT(locations, same_location);
  RETURN_IF_DIFFERENT(instructions, same_instruction);
  RETURN_IF_DIFFERENT(modifiers, same_modifier);
  RETURN_IF_DIFFERENT(operands, same_operand);
  return true;
}
