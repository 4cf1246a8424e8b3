// Expressions by precedence climbing. Loosest to tightest: | ; \ & * ~ and the postfix operators.
#include "cat/parser.h"

// Deeper trees are refused, so that nobody who walks one can exhaust the stack.
enum { HEIGHT_LIMIT = 200 };

typedef struct BinaryOperator {
  CatTokenKind token;
  CatExpressionKind kind;
  int level;     // higher binds tighter
  bool is_chain; // associative: `a | b | c` is one expression with three operands
} BinaryOperator;

enum { LOOSEST = 1 };

static const BinaryOperator binary_operators[] = {
    {CAT_TOKEN_BAR, CAT_UNION, LOOSEST, true},
    {CAT_TOKEN_SEMICOLON, CAT_SEQUENCE, 2, true},
    {CAT_TOKEN_BACKSLASH, CAT_DIFFERENCE, 3, false},
    {CAT_TOKEN_AMPERSAND, CAT_INTERSECTION, 4, true},
    {CAT_TOKEN_STAR, CAT_CARTESIAN, 5, false},
};

enum { OPERATOR_COUNT = sizeof binary_operators / sizeof binary_operators[0] };

static CatExpression *parse_binary(CatParser *parser, int loosest);

static CatExpression *new_expression(CatParser *parser, CatExpressionKind kind, Span span) {
  CatExpression *expression = ARENA_NEW(parser->arena, CatExpression);
  expression->kind = kind;
  expression->span = span;
  return expression;
}

// False if the tree became too high, which is then reported.
static bool add_operand(CatParser *parser, CatExpression *expression, CatExpression *operand) {
  array_push(parser->arena, &expression->operands, operand);
  if (operand->height >= expression->height)
    expression->height = operand->height + 1;
  if (expression->height <= HEIGHT_LIMIT)
    return true;
  cat_error(parser->errors, expression->span, "expression nested more than %d deep", HEIGHT_LIMIT);
  return false;
}

static CatExpression *new_unary(CatParser *parser, CatExpressionKind kind, uint32_t begin,
                                CatExpression *operand) {
  Span span = {parser->lexer.source, begin, parser->last_end};
  CatExpression *expression = new_expression(parser, kind, span);
  return add_operand(parser, expression, operand) ? expression : NULL;
}

static bool can_begin_operand(CatTokenKind kind) {
  return kind == CAT_TOKEN_NAME || kind == CAT_TOKEN_LEFT_PARENTHESIS ||
         kind == CAT_TOKEN_LEFT_BRACKET || kind == CAT_TOKEN_LEFT_BRACE ||
         kind == CAT_TOKEN_TILDE || kind == CAT_TOKEN_ZERO;
}

static bool parse_arguments(CatParser *parser, CatExpression *call) {
  if (cat_parser_accept(parser, CAT_TOKEN_RIGHT_PARENTHESIS))
    return true;
  do {
    CatExpression *argument = cat_parse_expression(parser);
    if (!argument || !add_operand(parser, call, argument))
      return false;
  } while (cat_parser_accept(parser, CAT_TOKEN_COMMA));
  return cat_parser_expect(parser, CAT_TOKEN_RIGHT_PARENTHESIS, "',' or ')' after an argument");
}

static CatExpression *parse_name(CatParser *parser) {
  Span span = parser->token.span;
  CatExpression *expression = new_expression(parser, CAT_NAME, span);
  expression->name = cat_parser_name(parser, span);
  cat_parser_advance(parser);
  return expression;
}

// A name, `f(a, b)` or `f a`.
static CatExpression *parse_name_or_call(CatParser *parser) {
  CatExpression *expression = parse_name(parser);
  if (parser->token.kind != CAT_TOKEN_LEFT_PARENTHESIS && parser->token.kind != CAT_TOKEN_NAME)
    return expression;
  expression->kind = CAT_APPLICATION;
  bool is_ok = cat_parser_accept(parser, CAT_TOKEN_LEFT_PARENTHESIS)
                   ? parse_arguments(parser, expression)
                   : add_operand(parser, expression, parse_name(parser));
  expression->span.end = parser->last_end;
  return is_ok ? expression : NULL;
}

static CatExpression *parse_parenthesised(CatParser *parser) {
  cat_parser_advance(parser);
  CatExpression *inner = cat_parse_expression(parser);
  if (!inner)
    return NULL;
  if (parser->token.kind == CAT_TOKEN_COMMA) {
    cat_error(parser->errors, parser->token.span,
              "tuples are not supported: expected ')', found ','");
    return NULL;
  }
  return cat_parser_expect(parser, CAT_TOKEN_RIGHT_PARENTHESIS, "')' to close this parenthesis")
             ? inner
             : NULL;
}

static CatExpression *parse_identity(CatParser *parser) {
  uint32_t begin = parser->token.span.begin;
  cat_parser_advance(parser);
  CatExpression *set = cat_parse_expression(parser);
  if (!set || !cat_parser_expect(parser, CAT_TOKEN_RIGHT_BRACKET, "']' to close this bracket"))
    return NULL;
  return new_unary(parser, CAT_IDENTITY, begin, set);
}

// `0` or `{}`.
static CatExpression *parse_nothing(CatParser *parser) {
  Span span = parser->token.span;
  if (cat_parser_accept(parser, CAT_TOKEN_LEFT_BRACE)) {
    if (!cat_parser_expect(parser, CAT_TOKEN_RIGHT_BRACE, "'}' (only the empty set has braces)"))
      return NULL;
  } else {
    cat_parser_advance(parser);
  }
  span.end = parser->last_end;
  return new_expression(parser, CAT_NOTHING, span);
}

// `let ... in expression`.
static CatExpression *parse_local(CatParser *parser) {
  uint32_t begin = parser->token.span.begin;
  const CatDefinition *definition = cat_parse_definition(parser);
  if (!definition || !cat_parser_expect(parser, CAT_TOKEN_IN, "'in' after a local definition"))
    return NULL;
  CatExpression *body = cat_parse_expression(parser);
  if (!body)
    return NULL;
  CatExpression *local = new_unary(parser, CAT_LOCAL, begin, body);
  if (local)
    local->definition = definition;
  return local;
}

static CatExpression *parse_primary(CatParser *parser) {
  switch (parser->token.kind) {
  case CAT_TOKEN_NAME:
    return parse_name_or_call(parser);
  case CAT_TOKEN_LEFT_PARENTHESIS:
    return parse_parenthesised(parser);
  case CAT_TOKEN_LEFT_BRACKET:
    return parse_identity(parser);
  case CAT_TOKEN_LEFT_BRACE:
  case CAT_TOKEN_ZERO:
    return parse_nothing(parser);
  case CAT_TOKEN_LET:
    return parse_local(parser);
  default:
    cat_parser_report(parser, "an expression");
    return NULL;
  }
}

// Which postfix operator the next token is, or CAT_NAME for none. A star is the product of two
// sets if something that can be multiplied follows it, and else the closure of what precedes it.
static CatExpressionKind postfix_kind(const CatParser *parser) {
  switch (parser->token.kind) {
  case CAT_TOKEN_PLUS:
  case CAT_TOKEN_HAT_PLUS:
    return CAT_TRANSITIVE;
  case CAT_TOKEN_QUESTION:
  case CAT_TOKEN_HAT_QUESTION:
    return CAT_REFLEXIVE;
  case CAT_TOKEN_HAT_STAR:
    return CAT_REFLEXIVE_TRANSITIVE;
  case CAT_TOKEN_INVERSE:
    return CAT_INVERSE;
  case CAT_TOKEN_STAR:
    return can_begin_operand(parser->ahead.kind) ? CAT_NAME : CAT_REFLEXIVE_TRANSITIVE;
  default:
    return CAT_NAME;
  }
}

static CatExpression *parse_postfix(CatParser *parser) {
  uint32_t begin = parser->token.span.begin;
  CatExpression *expression = parse_primary(parser);
  while (expression && postfix_kind(parser) != CAT_NAME) {
    CatExpressionKind kind = postfix_kind(parser);
    cat_parser_advance(parser);
    expression = new_unary(parser, kind, begin, expression);
  }
  return expression;
}

// `~` binds looser than the postfix operators: `~r+` is the complement of the closure.
static CatExpression *parse_prefix(CatParser *parser) {
  if (parser->token.kind != CAT_TOKEN_TILDE)
    return parse_postfix(parser);
  uint32_t begin = parser->token.span.begin, tilde_count = 0;
  for (; cat_parser_accept(parser, CAT_TOKEN_TILDE); tilde_count++)
    continue;
  CatExpression *expression = parse_postfix(parser);
  for (; expression && tilde_count > 0; tilde_count--)
    expression = new_unary(parser, CAT_COMPLEMENT, begin, expression);
  return expression;
}

static const BinaryOperator *find_operator(CatTokenKind token) {
  for (int i = 0; i < OPERATOR_COUNT; i++)
    if (binary_operators[i].token == token)
      return &binary_operators[i];
  return NULL;
}

// `left operator right`; a chain of one associative operator grows sideways, not down.
static CatExpression *combine(CatParser *parser, const BinaryOperator *operator, uint32_t begin,
                              CatExpression *left, CatExpression *right) {
  if (operator->is_chain && left->kind == operator->kind) {
    left->span.end = parser->last_end;
    return add_operand(parser, left, right) ? left : NULL;
  }
  Span span = {parser->lexer.source, begin, parser->last_end};
  CatExpression *expression = new_expression(parser, operator->kind, span);
  bool is_ok = add_operand(parser, expression, left) && add_operand(parser, expression, right);
  return is_ok ? expression : NULL;
}

static CatExpression *parse_binary(CatParser *parser, int loosest) {
  uint32_t begin = parser->token.span.begin;
  CatExpression *left = parse_prefix(parser);
  while (left) {
    const BinaryOperator *operator= find_operator(parser->token.kind);
    if (!operator|| operator->level<loosest)
      return left;
    cat_parser_advance(parser);
    CatExpression *right = parse_binary(parser, operator->level + 1);
    left = right ? combine(parser, operator, begin, left, right) : NULL;
  }
  return NULL;
}

CatExpression *cat_parse_expression(CatParser *parser) {
  if (parser->depth == HEIGHT_LIMIT) {
    cat_error(parser->errors, parser->token.span, "expression nested more than %d deep",
              HEIGHT_LIMIT);
    return NULL;
  }
  parser->depth++;
  CatExpression *expression = parse_binary(parser, LOOSEST);
  parser->depth--;
  if (expression && parser->token.kind == CAT_TOKEN_ADD) {
    cat_error(parser->errors, parser->token.span,
              "'++' is not supported: expected an operator such as '|', found '++'");
    return NULL;
  }
  return expression;
}
