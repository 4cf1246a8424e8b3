// `final: EXPRESSION [for VAR=A..B, ...]`: the condition as nodes. C's operators and their
// precedence; buffers are known by now, so that each node's type is, too.
#include "ptx/launch_parser.h"

#include <string.h>

enum {
  MAX_NESTING = 200,    // of parentheses and the like, as the parser is recursive
  MAX_DEPTH = 1000,     // of the tree, as evaluation is recursive
  MAX_ROUNDS = 1 << 28, // values of all loop variables together: the elements of 1 GiB of u32
};

#define MAX_WORK ((uint64_t)1 << 31) // nodes that are evaluated for all conditions

// A name that must turn out to be a loop variable.
typedef struct Use {
  uint32_t node;
  const char *name;
} Use;

typedef struct FinalParser {
  LaunchParser *parser;
  ARRAY(LaunchNode) nodes;
  ARRAY(uint32_t) depths; // of the nodes
  ARRAY(Use) uses;
  ARRAY(LaunchVariable) variables;
  uint64_t round_count; // values of all loop variables together
  uint32_t nesting;
} FinalParser;

typedef struct Operator {
  LaunchTokenKind token;
  LaunchNodeKind node;
  uint32_t precedence; // higher ones bind tighter
  bool needs_integers;
} Operator;

static const Operator operators[] = {
    {LAUNCH_TOKEN_OR, LAUNCH_NODE_OR, 1, false},
    {LAUNCH_TOKEN_AND, LAUNCH_NODE_AND, 2, false},
    {LAUNCH_TOKEN_BIT_OR, LAUNCH_NODE_BIT_OR, 3, true},
    {LAUNCH_TOKEN_BIT_XOR, LAUNCH_NODE_BIT_XOR, 4, true},
    {LAUNCH_TOKEN_BIT_AND, LAUNCH_NODE_BIT_AND, 5, true},
    {LAUNCH_TOKEN_EQUAL, LAUNCH_NODE_EQUAL, 6, false},
    {LAUNCH_TOKEN_NOT_EQUAL, LAUNCH_NODE_NOT_EQUAL, 6, false},
    {LAUNCH_TOKEN_LESS, LAUNCH_NODE_LESS, 7, false},
    {LAUNCH_TOKEN_LESS_EQUAL, LAUNCH_NODE_LESS_EQUAL, 7, false},
    {LAUNCH_TOKEN_GREATER, LAUNCH_NODE_GREATER, 7, false},
    {LAUNCH_TOKEN_GREATER_EQUAL, LAUNCH_NODE_GREATER_EQUAL, 7, false},
    {LAUNCH_TOKEN_SHIFT_LEFT, LAUNCH_NODE_SHIFT_LEFT, 8, true},
    {LAUNCH_TOKEN_SHIFT_RIGHT, LAUNCH_NODE_SHIFT_RIGHT, 8, true},
    {LAUNCH_TOKEN_PLUS, LAUNCH_NODE_ADD, 9, false},
    {LAUNCH_TOKEN_MINUS, LAUNCH_NODE_SUBTRACT, 9, false},
    {LAUNCH_TOKEN_STAR, LAUNCH_NODE_MULTIPLY, 10, false},
    {LAUNCH_TOKEN_SLASH, LAUNCH_NODE_DIVIDE, 10, false},
    {LAUNCH_TOKEN_PERCENT, LAUNCH_NODE_REMAINDER, 10, true},
};
enum { OPERATOR_COUNT = sizeof operators / sizeof operators[0], LOWEST_PRECEDENCE = 1 };

static const Operator *find_operator(LaunchTokenKind token) {
  for (uint32_t i = 0; i < OPERATOR_COUNT; i++)
    if (operators[i].token == token)
      return &operators[i];
  return NULL;
}

static bool is_floating(const FinalParser *final, uint32_t node) {
  return final->nodes.items[node].is_floating;
}

static bool is_arithmetic(LaunchNodeKind kind) {
  return LAUNCH_NODE_MULTIPLY <= kind && kind <= LAUNCH_NODE_SUBTRACT;
}

static uint32_t depth_of(const FinalParser *final, const LaunchNode *node) {
  const uint32_t operands[] = {node->a, node->b, node->c};
  uint32_t depth = 0;
  for (uint32_t i = 0; i < 3; i++)
    if (operands[i] != PTX_NONE && final->depths.items[operands[i]] > depth)
      depth = final->depths.items[operands[i]];
  return depth + 1;
}

static LaunchNode new_node(LaunchNodeKind kind) {
  return (LaunchNode){.kind = kind, .a = PTX_NONE, .b = PTX_NONE, .c = PTX_NONE};
}

// The node's text begins at offset `begin` and ends before the current token.
static bool add_node(FinalParser *final, LaunchNode node, uint32_t begin, uint32_t *index) {
  LaunchParser *parser = final->parser;
  node.span = launch_span_from(parser, begin);
  uint32_t depth = depth_of(final, &node);
  if (final->nodes.count == LAUNCH_MAX_NODES || depth > MAX_DEPTH)
    return launch_error(parser, node.span,
                        "expected at most %d operators and operands, %d one within the other",
                        LAUNCH_MAX_NODES, MAX_DEPTH);
  *index = final->nodes.count;
  array_push(parser->arena, &final->nodes, node);
  array_push(parser->arena, &final->depths, depth);
  return true;
}

static bool parse_expression(FinalParser *final, uint32_t *node);

static bool parse_number(FinalParser *final, uint32_t *node) {
  LaunchNumber number;
  uint32_t begin = final->parser->token.begin;
  if (!launch_read_number(final->parser, &number))
    return false;
  LaunchNode constant = new_node(number.is_floating ? LAUNCH_NODE_FLOATING : LAUNCH_NODE_INTEGER);
  constant.is_floating = number.is_floating;
  constant.floating = number.floating;
  constant.integer = (int64_t)number.magnitude;
  return add_node(final, constant, begin, node);
}

// Behind `buffer[`.
static bool parse_element(FinalParser *final, uint32_t buffer, uint32_t begin, uint32_t *node) {
  LaunchParser *parser = final->parser;
  LaunchNode element = new_node(LAUNCH_NODE_ELEMENT);
  uint32_t index_begin = parser->token.begin;
  element.index = buffer;
  element.is_floating = launch_type_is_floating(parser->buffers.items[buffer].type);
  if (!parse_expression(final, &element.a))
    return false;
  if (is_floating(final, element.a))
    return launch_error(parser, launch_span_from(parser, index_begin),
                        "expected an integer between '[' and ']', found a floating-point value");
  return launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_CLOSE) &&
         add_node(final, element, begin, node);
}

static bool parse_name(FinalParser *final, uint32_t *node) {
  LaunchParser *parser = final->parser;
  Span span = launch_token_span(parser);
  const char *name = launch_token_text(parser);
  uint32_t buffer = launch_lookup_buffer(parser, name);
  launch_next_token(parser);
  if (parser->token.kind == LAUNCH_TOKEN_BRACKET_OPEN) {
    if (buffer == PTX_NONE)
      return launch_error(parser, span, "expected a buffer before '[', found '%s'", name);
    launch_next_token(parser);
    return parse_element(final, buffer, span.begin, node);
  }
  if (buffer != PTX_NONE)
    return launch_expected(parser, arena_format(parser->arena, "'[' behind the buffer '%s'", name));
  if (!add_node(final, new_node(LAUNCH_NODE_VARIABLE), span.begin, node))
    return false;
  array_push(parser->arena, &final->uses, (Use){*node, name});
  return true;
}

static bool parse_primary(FinalParser *final, uint32_t *node) {
  LaunchParser *parser = final->parser;
  if (parser->token.kind == LAUNCH_TOKEN_NUMBER)
    return parse_number(final, node);
  if (parser->token.kind == LAUNCH_TOKEN_NAME && !launch_at_word(parser, "for"))
    return parse_name(final, node);
  if (launch_take_token(parser, LAUNCH_TOKEN_PAREN_OPEN))
    return parse_expression(final, node) && launch_expect_token(parser, LAUNCH_TOKEN_PAREN_CLOSE);
  return launch_expected(parser, "a number, an element such as out[0], a loop variable or '('");
}

static bool find_prefix(LaunchTokenKind token, LaunchNodeKind *kind) {
  if (token == LAUNCH_TOKEN_NOT)
    *kind = LAUNCH_NODE_NOT;
  else if (token == LAUNCH_TOKEN_TILDE)
    *kind = LAUNCH_NODE_COMPLEMENT;
  else if (token == LAUNCH_TOKEN_MINUS)
    *kind = LAUNCH_NODE_NEGATE;
  else
    return false;
  return true;
}

static bool report_floating(FinalParser *final, Span span) {
  return launch_error(
      final->parser, span, "expected integers as operands of '%s', found a floating-point value",
      arena_copy_text(final->parser->arena, span.source->text + span.begin, span.end - span.begin));
}

static bool enter(FinalParser *final) {
  if (++final->nesting <= MAX_NESTING)
    return true;
  return launch_error(final->parser, launch_token_span(final->parser),
                      "expected at most %d levels of parentheses and operators", MAX_NESTING);
}

static bool parse_unary(FinalParser *final, uint32_t *node) {
  LaunchParser *parser = final->parser;
  LaunchNode unary = new_node(LAUNCH_NODE_NOT);
  Span span = launch_token_span(parser);
  if (launch_take_token(parser, LAUNCH_TOKEN_PLUS)) // does nothing
    return enter(final) && parse_unary(final, node) && final->nesting--;
  if (!find_prefix(parser->token.kind, &unary.kind))
    return parse_primary(final, node);
  launch_next_token(parser);
  if (!enter(final) || !parse_unary(final, &unary.a))
    return false;
  final->nesting--;
  if (unary.kind == LAUNCH_NODE_COMPLEMENT && is_floating(final, unary.a))
    return report_floating(final, span);
  unary.is_floating = unary.kind == LAUNCH_NODE_NEGATE && is_floating(final, unary.a);
  return add_node(final, unary, span.begin, node);
}

static bool add_binary(FinalParser *final, const Operator *operator, Span operator_span,
                       uint32_t begin, uint32_t *left, uint32_t right) {
  LaunchNode binary = new_node(operator->node);
  bool has_floating = is_floating(final, *left) || is_floating(final, right);
  if (operator->needs_integers && has_floating)
    return report_floating(final, operator_span);
  binary.a = *left;
  binary.b = right;
  binary.is_floating = has_floating && is_arithmetic(operator->node);
  return add_node(final, binary, begin, left);
}

// Operators of that precedence and higher ones, from left to right.
static bool parse_binary(FinalParser *final, uint32_t lowest, uint32_t *node) {
  LaunchParser *parser = final->parser;
  uint32_t begin = parser->token.begin, right;
  if (!parse_unary(final, node))
    return false;
  for (;;) {
    const Operator *operator= find_operator(parser->token.kind);
    if (!operator|| operator->precedence<lowest)
      return true;
    Span span = launch_token_span(parser);
    launch_next_token(parser);
    if (!parse_binary(final, operator->precedence + 1, &right) ||
        !add_binary(final, operator, span, begin, node, right))
      return false;
  }
}

// a ? b : c
static bool parse_choice(FinalParser *final, uint32_t *node) {
  LaunchParser *parser = final->parser;
  uint32_t begin = parser->token.begin;
  LaunchNode choice = new_node(LAUNCH_NODE_CHOOSE);
  if (!parse_binary(final, LOWEST_PRECEDENCE, node))
    return false;
  if (!launch_take_token(parser, LAUNCH_TOKEN_QUESTION))
    return true;
  choice.a = *node;
  if (!parse_expression(final, &choice.b) || !launch_expect_token(parser, LAUNCH_TOKEN_COLON) ||
      !parse_expression(final, &choice.c))
    return false;
  choice.is_floating = is_floating(final, choice.b) || is_floating(final, choice.c);
  return add_node(final, choice, begin, node);
}

static bool parse_expression(FinalParser *final, uint32_t *node) {
  if (!enter(final) || !parse_choice(final, node))
    return false;
  final->nesting--;
  return true;
}

static uint32_t find_variable(const FinalParser *final, const char *name) {
  for (uint32_t i = 0; i < final->variables.count; i++)
    if (strcmp(final->variables.items[i].name, name) == 0)
      return i;
  return PTX_NONE;
}

static bool check_variable(FinalParser *final, const LaunchVariable *variable) {
  LaunchParser *parser = final->parser;
  if (find_variable(final, variable->name) != PTX_NONE)
    return launch_error(parser, variable->span,
                        "expected each loop variable once, found '%s' again", variable->name);
  if (launch_lookup_buffer(parser, variable->name) != PTX_NONE)
    return launch_error(parser, variable->span,
                        "expected a loop variable, found '%s', which is a buffer", variable->name);
  if (variable->last < variable->first)
    return launch_error(parser, variable->span, "expected a range that rises, found %lld..%lld",
                        (long long)variable->first, (long long)variable->last);
  if (final->variables.count == LAUNCH_MAX_VARIABLES)
    return launch_error(parser, variable->span, "expected at most %d loop variables",
                        LAUNCH_MAX_VARIABLES);
  return true;
}

// VAR=A..B
static bool parse_variable(FinalParser *final, LaunchVariable *variable) {
  LaunchParser *parser = final->parser;
  uint32_t begin = parser->token.begin;
  if (!launch_expect_name(parser, "a loop variable", &variable->name) ||
      !launch_expect_token(parser, LAUNCH_TOKEN_ASSIGN) ||
      !launch_read_integer(parser, &variable->first) ||
      !launch_expect_token(parser, LAUNCH_TOKEN_TO) ||
      !launch_read_integer(parser, &variable->last))
    return false;
  variable->span = launch_span_from(parser, begin);
  return check_variable(final, variable);
}

// Behind `for`.
static bool parse_variables(FinalParser *final) {
  LaunchVariable variable;
  do {
    if (!parse_variable(final, &variable))
      return false;
    uint64_t distance = (uint64_t)variable.last - (uint64_t)variable.first;
    if (distance >= MAX_ROUNDS / final->round_count)
      return launch_error(final->parser, variable.span,
                          "expected at most %d values of all loop variables together", MAX_ROUNDS);
    final->round_count *= distance + 1;
    array_push(final->parser->arena, &final->variables, variable);
  } while (launch_take_token(final->parser, LAUNCH_TOKEN_COMMA));
  return true;
}

// Nobody can interrupt an evaluation, so that all of them together must end in seconds.
static bool check_work(FinalParser *final, Span span) {
  LaunchParser *parser = final->parser;
  parser->final_work += final->round_count * final->nodes.count;
  return parser->final_work <= MAX_WORK ||
         launch_error(parser, span,
                      "expected final conditions of at most %llu evaluated operators and operands",
                      (unsigned long long)MAX_WORK);
}

static bool resolve_uses(FinalParser *final) {
  for (uint32_t i = 0; i < final->uses.count; i++) {
    const Use *use = &final->uses.items[i];
    LaunchNode *node = &final->nodes.items[use->node];
    node->index = find_variable(final, use->name);
    if (node->index == PTX_NONE)
      return launch_error(final->parser, node->span,
                          "expected a buffer or a variable of 'for', found '%s'", use->name);
  }
  return true;
}

bool launch_parse_final(LaunchParser *parser) {
  FinalParser final = {.parser = parser, .round_count = 1};
  uint32_t begin = parser->token.begin, root;
  Span span = {parser->source, begin, parser->end};
  if (parser->finals.count == LAUNCH_MAX_FINALS)
    return launch_error(parser, span, "expected at most %d final conditions", LAUNCH_MAX_FINALS);
  if (!parse_expression(&final, &root))
    return false;
  if (launch_take_word(parser, "for") && !parse_variables(&final))
    return false;
  if (parser->token.kind != LAUNCH_TOKEN_END)
    return launch_expected(parser, final.variables.count
                                       ? "',' or the end of the line"
                                       : "an operator, 'for' or the end of the line");
  if (!resolve_uses(&final) || !check_work(&final, span))
    return false;
  Final done = {final.nodes.items,
                final.nodes.count,
                final.variables.items,
                final.variables.count,
                NULL,
                span};
  array_push(parser->arena, &parser->finals, done);
  return true;
}
