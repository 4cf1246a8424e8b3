// The body of a function: declarations, labels, instructions and nested scopes, read into one
// flat list of statements.
#include "ptx/parser.h"

static void add_statement(PtxParser *parser, PtxStatementKind kind, uint32_t index) {
  array_push(parser->arena, &parser->module->statements, (PtxStatement){kind, index});
}

static uint32_t current_scope(const PtxParser *parser) {
  return parser->open_scopes.items[parser->open_scopes.count - 1];
}

static bool open_scope(PtxParser *parser) {
  PtxModule *module = parser->module;
  PtxScope scope = {.parent = PTX_NONE,
                    .first_label = PTX_NONE,
                    .last_label = PTX_NONE,
                    .span = ptx_token_span(parser)};
  if (parser->open_scopes.count == PTX_MAX_SCOPES)
    return ptx_error(parser, scope.span, "expected at most %d nested scopes", PTX_MAX_SCOPES);
  if (parser->open_scopes.count > 0)
    scope.parent = current_scope(parser);
  add_statement(parser, PTX_STATEMENT_OPEN, module->scopes.count);
  array_push(parser->arena, &parser->open_scopes, module->scopes.count);
  array_push(parser->arena, &module->scopes, scope);
  ptx_advance(parser);
  return true;
}

static void close_scope(PtxParser *parser) {
  uint32_t scope = current_scope(parser);
  parser->open_scopes.count--;
  parser->module->scopes.items[scope].span.end = parser->token.end;
  add_statement(parser, PTX_STATEMENT_CLOSE, scope);
  ptx_advance(parser);
}

// @%p or @!%p
static bool parse_guard(PtxParser *parser, uint32_t *guard) {
  PtxOperand operand;
  *guard = PTX_NONE;
  if (!ptx_accept(parser, '@'))
    return true;
  if (parser->token.kind != '!' && parser->token.kind != TOKEN_NAME)
    return ptx_unexpected(parser, "a predicate behind '@'");
  if (!ptx_parse_operand(parser, &operand, false))
    return false;
  if (operand.kind != PTX_OPERAND_NAME || (operand.flags & ~PTX_OPERAND_NOT))
    return ptx_error(parser, operand.span, "expected a predicate behind '@'");
  *guard = parser->module->operands.count;
  array_push(parser->arena, &parser->module->operands, operand);
  return true;
}

static PtxRange parse_modifiers(PtxParser *parser) {
  PtxModule *module = parser->module;
  PtxRange range = {module->modifiers.count, 0};
  for (; parser->token.kind == TOKEN_DOT_NAME; range.count++) {
    PtxModifier modifier = {parser->token.name, ptx_token_span(parser)};
    array_push(parser->arena, &module->modifiers, modifier);
    ptx_advance(parser);
  }
  return range;
}

static bool parse_operands(PtxParser *parser, PtxInstruction *instruction) {
  uint32_t mark = parser->stack.count;
  if (parser->token.kind != ';') {
    do {
      PtxOperand operand;
      if (!ptx_parse_operand(parser, &operand, instruction->op == PTX_OP_call))
        return false;
      ptx_push_operand(parser, operand);
    } while (ptx_accept(parser, ','));
  }
  instruction->operands = ptx_pop_operands(parser, mark);
  return ptx_expect(parser, ';', "',' or ';' behind the operand");
}

// Behind the guard and the mnemonic.
static bool finish_instruction(PtxParser *parser, PtxInstruction *instruction) {
  instruction->op = ptx_word(parser->module, instruction->mnemonic).op;
  instruction->location = parser->location;
  instruction->modifiers = parse_modifiers(parser);
  if (!parse_operands(parser, instruction))
    return false;
  instruction->span = ptx_span_from(parser, instruction->span.begin);
  add_statement(parser, PTX_STATEMENT_INSTRUCTION, parser->module->instructions.count);
  array_push(parser->arena, &parser->module->instructions, *instruction);
  return true;
}

static bool parse_guarded(PtxParser *parser) {
  PtxInstruction instruction = {.span.begin = parser->token.begin};
  return parse_guard(parser, &instruction.guard) &&
         ptx_expect_name(parser, &instruction.mnemonic, "an instruction behind the guard") &&
         finish_instruction(parser, &instruction);
}

static bool parse_targets(PtxParser *parser, Name name, uint32_t begin, bool is_call) {
  PtxTargets targets = {.name = name, .is_call = is_call};
  uint32_t mark = parser->stack.count;
  ptx_advance(parser);
  do {
    PtxOperand operand;
    if (parser->token.kind != TOKEN_NAME)
      return ptx_unexpected(parser, is_call ? "a function" : "a label");
    if (!ptx_parse_operand(parser, &operand, false))
      return false;
    ptx_push_operand(parser, operand);
  } while (ptx_accept(parser, ','));
  targets.names = ptx_pop_operands(parser, mark);
  if (!ptx_expect(parser, ';', "',' or ';' in the list of targets"))
    return false;
  targets.span = ptx_span_from(parser, begin);
  add_statement(parser, PTX_STATEMENT_TARGETS, parser->module->target_lists.count);
  array_push(parser->arena, &parser->module->target_lists, targets);
  return true;
}

// .callprototype [(returns)] _ (parameters) [.noreturn] ...;
static bool parse_prototype(PtxParser *parser, Name name, uint32_t begin) {
  PtxPrototype prototype = {.name = name};
  Name ignored;
  ptx_advance(parser);
  if (parser->token.kind == '(' && !ptx_parse_parameters(parser, &prototype.returns))
    return false;
  if (!ptx_expect_name(parser, &ignored, "'_' in the prototype"))
    return false;
  if (parser->token.kind == '(' && !ptx_parse_parameters(parser, &prototype.parameters))
    return false;
  if (!ptx_parse_directives(parser, &prototype.directives) ||
      !ptx_expect(parser, ';', "';' behind the prototype"))
    return false;
  prototype.span = ptx_span_from(parser, begin);
  add_statement(parser, PTX_STATEMENT_PROTOTYPE, parser->module->prototypes.count);
  array_push(parser->arena, &parser->module->prototypes, prototype);
  return true;
}

static void add_label(PtxParser *parser, Name name, PtxSpan span) {
  PtxModule *module = parser->module;
  PtxScope *scope = &module->scopes.items[current_scope(parser)];
  PtxLabel label = {
      .name = name,
      .instruction = module->instructions.count,
      .next = PTX_NONE,
      .span = span,
  };
  if (scope->last_label == PTX_NONE)
    scope->first_label = module->labels.count;
  else
    module->labels.items[scope->last_label].next = module->labels.count;
  scope->last_label = module->labels.count;
  add_statement(parser, PTX_STATEMENT_LABEL, module->labels.count);
  array_push(parser->arena, &module->labels, label);
}

// Behind `name :`.
static bool finish_label(PtxParser *parser, Name name, PtxSpan span) {
  if (ptx_token_is(parser, "branchtargets"))
    return parse_targets(parser, name, span.begin, false);
  if (ptx_token_is(parser, "calltargets"))
    return parse_targets(parser, name, span.begin, true);
  if (ptx_token_is(parser, "callprototype"))
    return parse_prototype(parser, name, span.begin);
  add_label(parser, name, span);
  return true;
}

static bool parse_named(PtxParser *parser) {
  PtxSpan span = ptx_token_span(parser);
  PtxInstruction instruction = {
      .mnemonic = parser->token.name, .guard = PTX_NONE, .span.begin = span.begin};
  ptx_advance(parser);
  if (ptx_accept(parser, ':'))
    return finish_label(parser, instruction.mnemonic, span);
  return finish_instruction(parser, &instruction);
}

static bool parse_variable_statement(PtxParser *parser) {
  PtxRange range = {0};
  PtxLinkage linkage;
  uint32_t begin = parser->token.begin;
  if (!ptx_parse_linkage(parser, &linkage))
    return false;
  if (!ptx_is_variable_start(parser))
    return ptx_unexpected(parser, "a state space such as '.shared'");
  if (!ptx_parse_variables(parser, linkage, begin, &range))
    return false;
  for (uint32_t i = 0; i < range.count; i++)
    add_statement(parser, PTX_STATEMENT_VARIABLE, range.first + i);
  return true;
}

static bool parse_location_statement(PtxParser *parser) {
  if (!ptx_parse_location(parser, &parser->location))
    return false;
  add_statement(parser, PTX_STATEMENT_LOCATION, parser->location);
  return true;
}

static bool parse_pragma_statement(PtxParser *parser) {
  uint32_t directive;
  if (!ptx_parse_pragma(parser, &directive))
    return false;
  add_statement(parser, PTX_STATEMENT_DIRECTIVE, directive);
  return true;
}

static bool parse_dot_statement(PtxParser *parser) {
  PtxWord word = ptx_word(parser->module, parser->token.name);
  if (word.space || word.linkage)
    return parse_variable_statement(parser);
  if (ptx_token_is(parser, "loc"))
    return parse_location_statement(parser);
  if (ptx_token_is(parser, "pragma"))
    return parse_pragma_statement(parser);
  if (ptx_token_is(parser, "branchtargets") || ptx_token_is(parser, "calltargets") ||
      ptx_token_is(parser, "callprototype"))
    return ptx_unexpected(parser, "a label and ':' before this directive");
  return ptx_unexpected(parser, "a statement");
}

static bool parse_statement(PtxParser *parser) {
  switch (parser->token.kind) {
  case '@':
    return parse_guarded(parser);
  case TOKEN_NAME:
    return parse_named(parser);
  case TOKEN_DOT_NAME:
    return parse_dot_statement(parser);
  default:
    return ptx_unexpected(parser, "a statement");
  }
}

// One statement or brace; an erroneous statement is skipped.
static bool parse_step(PtxParser *parser) {
  ptx_begin_statement(parser);
  if (parser->token.kind == '{')
    return open_scope(parser);
  if (parser->token.kind == '}') {
    close_scope(parser);
    return true;
  }
  uint32_t begin = parser->token.begin;
  if (!parse_statement(parser)) {
    ptx_skip_statement(parser);
    if (parser->token.begin == begin && parser->token.kind != '}')
      ptx_advance(parser);
  }
  return true;
}

bool ptx_parse_body(PtxParser *parser, PtxFunction *function) {
  PtxModule *module = parser->module;
  function->has_body = true;
  function->statements.first = module->statements.count;
  function->instructions.first = module->instructions.count;
  parser->open_scopes.count = 0;
  if (parser->token.kind != '{')
    return ptx_unexpected(parser, "'{' or ';' behind the header");
  do {
    if (parser->token.kind == TOKEN_END)
      return ptx_unexpected(parser, "'}' to close the body");
    if (!parse_step(parser))
      return false;
  } while (parser->open_scopes.count > 0);
  function->statements.count = module->statements.count - function->statements.first;
  function->instructions.count = module->instructions.count - function->instructions.first;
  return true;
}
