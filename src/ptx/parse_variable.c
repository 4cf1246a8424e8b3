// Declarations of variables, registers and parameters.
#include "ptx/parser.h"

#include <string.h>

bool ptx_is_variable_start(const PtxParser *parser) {
  return parser->token.kind == TOKEN_DOT_NAME &&
         ptx_word(parser->module, parser->token.name).space != PTX_SPACE_NONE;
}

bool ptx_parse_linkage(PtxParser *parser, PtxLinkage *linkage) {
  *linkage = PTX_LINKAGE_NONE;
  while (parser->token.kind == TOKEN_DOT_NAME) {
    PtxLinkage next = ptx_word(parser->module, parser->token.name).linkage;
    if (!next)
      break;
    if (*linkage)
      return ptx_unexpected(parser, "one linkage directive");
    *linkage = next;
    ptx_advance(parser);
  }
  return true;
}

// ( constant, ... ) of an attribute.
static bool parse_arguments(PtxParser *parser, PtxRange *arguments) {
  uint32_t mark = parser->stack.count;
  do {
    PtxOperand argument;
    if (!ptx_parse_constant(parser, &argument))
      return false;
    ptx_push_operand(parser, argument);
  } while (ptx_accept(parser, ','));
  *arguments = ptx_pop_operands(parser, mark);
  return ptx_expect(parser, ')', "',' or ')' in the arguments");
}

static bool parse_attribute(PtxParser *parser) {
  PtxAttribute attribute = {.name = parser->token.name};
  if (!ptx_expect(parser, TOKEN_DOT_NAME, "an attribute such as '.managed'"))
    return false;
  if (ptx_accept(parser, '(') && !parse_arguments(parser, &attribute.arguments))
    return false;
  array_push(parser->arena, &parser->module->attributes, attribute);
  return true;
}

bool ptx_parse_attributes(PtxParser *parser, PtxRange *attributes) {
  if (!attributes->count)
    attributes->first = parser->module->attributes.count;
  while (ptx_token_is(parser, "attribute")) {
    ptx_advance(parser);
    if (!ptx_expect(parser, '(', "'(' behind '.attribute'"))
      return false;
    do {
      if (!parse_attribute(parser))
        return false;
    } while (ptx_accept(parser, ','));
    if (!ptx_expect(parser, ')', "',' or ')' behind the attribute"))
      return false;
  }
  attributes->count = parser->module->attributes.count - attributes->first;
  return true;
}

// Behind `.align`.
static bool parse_align(PtxParser *parser, uint32_t *align) {
  uint64_t value;
  uint32_t begin = parser->token.begin;
  if (!ptx_parse_size(parser, &value, UINT32_MAX, "an alignment"))
    return false;
  if (value == 0 || (value & (value - 1)))
    return ptx_error(parser, ptx_span_from(parser, begin),
                     "expected an alignment that is a power of two, found %llu",
                     (unsigned long long)value);
  *align = (uint32_t)value;
  return true;
}

static uint8_t vector_width(const PtxParser *parser) {
  return ptx_token_is(parser, "v2")   ? 2
         : ptx_token_is(parser, "v4") ? 4
         : ptx_token_is(parser, "v8") ? 8
                                      : 0;
}

static bool parse_type(PtxParser *parser, PtxVariable *variable) {
  PtxType type = ptx_word(parser->module, parser->token.name).type;
  if (!type)
    return ptx_unexpected(parser, "a type");
  if (variable->type)
    return ptx_unexpected(parser, "one type");
  variable->type = (uint8_t)type;
  ptx_advance(parser);
  return true;
}

// One of the words between the state space and the name.
static bool parse_property(PtxParser *parser, PtxVariable *variable) {
  PtxSpace space = ptx_word(parser->module, parser->token.name).space;
  if (ptx_token_is(parser, "align")) {
    ptx_advance(parser);
    return parse_align(parser, variable->is_pointer ? &variable->pointer_align : &variable->align);
  }
  if (ptx_token_is(parser, "attribute"))
    return ptx_parse_attributes(parser, &variable->attributes);
  if (ptx_token_is(parser, "ptr")) {
    ptx_advance(parser);
    variable->is_pointer = true;
    return true;
  }
  if (variable->is_pointer && space && !variable->pointer_space) {
    variable->pointer_space = (uint8_t)space;
    ptx_advance(parser);
    return true;
  }
  if (vector_width(parser) && variable->vector == 1) {
    variable->vector = vector_width(parser);
    ptx_advance(parser);
    return true;
  }
  return parse_type(parser, variable);
}

// From the state space to before the first name.
static bool parse_properties(PtxParser *parser, PtxVariable *variable) {
  variable->space = ptx_word(parser->module, parser->token.name).space;
  ptx_advance(parser);
  while (parser->token.kind == TOKEN_DOT_NAME)
    if (!parse_property(parser, variable))
      return false;
  if (!variable->type)
    return ptx_unexpected(parser, "a type");
  return true;
}

static bool parse_dimension(PtxParser *parser, PtxVariable *variable) {
  uint64_t size = PTX_UNSIZED;
  uint32_t begin = parser->token.begin;
  ptx_advance(parser);
  if (parser->token.kind != ']' &&
      !ptx_parse_size(parser, &size, PTX_MAX_VARIABLE_BYTES, "an array size"))
    return false;
  if (!ptx_expect(parser, ']', "']' behind the array size"))
    return false;
  if (size == PTX_UNSIZED && variable->dimensions.count > 0)
    return ptx_error(parser, ptx_span_from(parser, begin),
                     "expected a size in every dimension but the first");
  if (variable->dimensions.count == PTX_MAX_DIMENSIONS)
    return ptx_error(parser, ptx_span_from(parser, begin), "expected at most %d dimensions",
                     PTX_MAX_DIMENSIONS);
  array_push(parser->arena, &parser->module->dimensions, size);
  variable->dimensions.count++;
  return true;
}

static bool is_too_large(const PtxModule *module, const PtxVariable *variable) {
  uint64_t bytes = (uint64_t)ptx_type_bits(variable->type) * variable->vector / 8;
  for (uint32_t i = 0; i < variable->dimensions.count; i++) {
    uint64_t size = module->dimensions.items[variable->dimensions.first + i];
    if (size != PTX_UNSIZED && size > 0 && bytes > PTX_MAX_VARIABLE_BYTES / size)
      return true;
    bytes *= size == PTX_UNSIZED ? 1 : size;
  }
  return false;
}

static bool parse_dimensions(PtxParser *parser, PtxVariable *variable) {
  variable->dimensions = (PtxRange){parser->module->dimensions.count, 0};
  while (parser->token.kind == '[')
    if (!parse_dimension(parser, variable))
      return false;
  if (is_too_large(parser->module, variable))
    return ptx_error(parser, variable->name_span, "expected a variable of at most 2^40 bytes");
  return true;
}

// <100> behind the name of a range.
static bool parse_range_count(PtxParser *parser, PtxVariable *variable) {
  if (!ptx_accept(parser, '<'))
    return true;
  variable->is_range = true;
  uint64_t count;
  // The closing '>' must not be read as a comparison: the count is a single number.
  if (parser->token.kind != TOKEN_INTEGER)
    return ptx_unexpected(parser, "the number of names behind '<'");
  count = parser->token.value;
  if (count > PTX_MAX_REGISTERS)
    return ptx_error(parser, ptx_token_span(parser), "expected at most %d names, found %llu",
                     PTX_MAX_REGISTERS, (unsigned long long)count);
  variable->range_count = (uint32_t)count;
  ptx_advance(parser);
  return ptx_expect(parser, '>', "'>' behind the number of names");
}

static bool parse_declared_name(PtxParser *parser, PtxVariable *variable) {
  variable->name = parser->token.name;
  variable->name_span = ptx_token_span(parser);
  if (!ptx_expect(parser, TOKEN_NAME, "a name to declare"))
    return false;
  if (variable->name == parser->sink)
    variable->name = 0;
  return true;
}

static bool parse_value(PtxParser *parser, PtxVariable *variable) {
  variable->initializer = PTX_NONE;
  if (!ptx_accept(parser, '='))
    return true;
  if (variable->is_range)
    return ptx_error(parser, variable->name_span, "expected no initialiser for a range of names");
  PtxOperand value;
  if (!ptx_parse_initializer(parser, &value))
    return false;
  variable->initializer = parser->module->operands.count;
  array_push(parser->arena, &parser->module->operands, value);
  return true;
}

static void add_variable(PtxParser *parser, PtxVariable variable) {
  variable.definition = parser->module->variables.count;
  array_push(parser->arena, &parser->module->variables, variable);
}

// A range of names outside .reg, such as .shared .b32 s<4>, is so many variables.
static bool add_range(PtxParser *parser, PtxVariable variable) {
  enum { MAX_COUNT = 65536 };
  uint32_t count = variable.range_count;
  if (count > MAX_COUNT)
    return ptx_error(parser, variable.name_span, "expected at most %d names, found %u", MAX_COUNT,
                     count);
  const char *prefix = ptx_text(parser->module, variable.name);
  variable.is_range = false;
  variable.range_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const char *text = arena_format(parser->arena, "%s%u", prefix, i);
    variable.name = names_intern(&parser->module->names, text, strlen(text));
    add_variable(parser, variable);
  }
  return true;
}

// The rest of one declared name: range, dimensions, value.
static bool parse_declarator(PtxParser *parser, PtxVariable *variable) {
  if (!parse_declared_name(parser, variable) || !parse_range_count(parser, variable) ||
      !parse_dimensions(parser, variable) || !parse_value(parser, variable))
    return false;
  if (variable->is_range && variable->dimensions.count)
    return ptx_error(parser, variable->name_span, "expected no array size for a range of names");
  variable->span.end = parser->previous_end;
  if (variable->is_range && variable->space != PTX_SPACE_REG)
    return add_range(parser, *variable);
  add_variable(parser, *variable);
  return true;
}

static PtxVariable new_variable(PtxLinkage linkage, uint32_t begin) {
  return (PtxVariable){.linkage = (uint8_t)linkage,
                       .vector = 1,
                       .initializer = PTX_NONE,
                       .first_register = PTX_NONE,
                       .span = {begin, begin}};
}

// Each variable of a declaration owns its attributes.
static void copy_attributes(PtxParser *parser, PtxRange *attributes) {
  PtxModule *module = parser->module;
  uint32_t first = attributes->first;
  attributes->first = module->attributes.count;
  for (uint32_t i = 0; i < attributes->count; i++)
    array_push(parser->arena, &module->attributes, module->attributes.items[first + i]);
}

bool ptx_parse_variables(PtxParser *parser, PtxLinkage linkage, uint32_t begin, PtxRange *range) {
  PtxVariable common = new_variable(linkage, begin);
  range->first = parser->module->variables.count;
  if (!parse_properties(parser, &common))
    return false;
  bool has_more = true;
  while (has_more) {
    PtxVariable variable = common;
    if (!parse_declarator(parser, &variable))
      return false;
    has_more = ptx_accept(parser, ',');
    if (has_more)
      copy_attributes(parser, &common.attributes);
  }
  range->count = parser->module->variables.count - range->first;
  return ptx_expect(parser, ';', "',' or ';' behind the declaration");
}

static bool parse_parameter(PtxParser *parser) {
  PtxVariable variable = new_variable(PTX_LINKAGE_NONE, parser->token.begin);
  variable.is_parameter = true;
  if (!ptx_token_is(parser, "param") && !ptx_token_is(parser, "reg"))
    return ptx_unexpected(parser, "'.param' or '.reg'");
  if (!parse_properties(parser, &variable) || !parse_declared_name(parser, &variable) ||
      !parse_dimensions(parser, &variable))
    return false;
  variable.span.end = parser->previous_end;
  add_variable(parser, variable);
  return true;
}

bool ptx_parse_parameters(PtxParser *parser, PtxRange *range) {
  range->first = parser->module->variables.count;
  range->count = 0;
  if (!ptx_expect(parser, '(', "'(' before the parameters"))
    return false;
  if (ptx_accept(parser, ')'))
    return true;
  do {
    if (!parse_parameter(parser))
      return false;
  } while (ptx_accept(parser, ','));
  range->count = parser->module->variables.count - range->first;
  return ptx_expect(parser, ')', "',' or ')' behind the parameter");
}
