// What a test asks behind its table: `locations [x; 0:r0;]`, `filter P`, and the condition
// `exists P`, `~exists P` or `forall P`, with the remarks that herd's tests have after it.
#include "litmus/parser.h"

#include <string.h>

static uint32_t add_column(LitmusParser *parser, Column column) {
  for (uint32_t i = 0; i < parser->columns.count; i++) {
    const Column *other = &parser->columns.items[i];
    if (other->kind == column.kind && other->index == column.index &&
        (column.kind == COLUMN_MEMORY || other->thread == column.thread))
      return i;
  }
  array_push(parser->arena, &parser->columns, column);
  return parser->columns.count - 1;
}

static bool get_column(LitmusParser *parser, Column column, Span span, uint32_t *index) {
  if (parser->columns.count >= LITMUS_MAX_COLUMNS)
    return litmus_error(parser, span, "too many observed values: expected at most %d",
                        LITMUS_MAX_COLUMNS);
  *index = add_column(parser, column);
  return true;
}

// `P1:r0` or `1:r0`
static bool parse_register_column(LitmusParser *parser, uint32_t *index) {
  Column column = {.kind = COLUMN_REGISTER};
  Span span = litmus_token_span(parser);
  if (!litmus_parse_thread_register(parser, &column.thread, &column.index))
    return false;
  if (column.thread >= parser->column_count)
    return litmus_error(parser, span, "thread P%u has no column", column.thread);
  const LitmusThread *thread = &parser->threads.items[column.thread];
  column.name = arena_format(parser->arena, "P%u:%s", column.thread,
                             thread->registers.items[column.index].name);
  return get_column(parser, column, span, index);
}

// `x`, `x[2]` or `[x]`
static bool parse_memory_column(LitmusParser *parser, uint32_t *index) {
  Column column = {.kind = COLUMN_MEMORY};
  Span span = litmus_token_span(parser);
  bool has_bracket = litmus_take_token(parser, LITMUS_TOKEN_BRACKET_OPEN);
  if (!litmus_parse_location(parser, &column.index) ||
      (has_bracket && !litmus_expect_token(parser, LITMUS_TOKEN_BRACKET_CLOSE)))
    return false;
  column.name = parser->objects.items[column.index].name;
  return get_column(parser, column, span, index);
}

static bool parse_column(LitmusParser *parser, uint32_t *index) {
  if (litmus_at_thread(parser))
    return parse_register_column(parser, index);
  return parse_memory_column(parser, index);
}

// A value observed, a constant, or `&x`, the address of a location.
static bool parse_term(LitmusParser *parser, Term *term) {
  uint32_t object;
  if (litmus_take_token(parser, LITMUS_TOKEN_AMPERSAND)) {
    if (!litmus_parse_location(parser, &object))
      return false;
    term->constant = litmus_object_address(object);
    return true;
  }
  if (!litmus_at_thread(parser) &&
      (parser->token.kind == LITMUS_TOKEN_NUMBER || parser->token.kind == LITMUS_TOKEN_MINUS))
    return litmus_parse_constant(parser, &term->constant);
  if (parser->token.kind != LITMUS_TOKEN_NUMBER && parser->token.kind != LITMUS_TOKEN_WORD &&
      parser->token.kind != LITMUS_TOKEN_BRACKET_OPEN)
    return litmus_expected(parser, "a register like 'P0:r0', a location or a number");
  term->is_column = true;
  return parse_column(parser, &term->column);
}

static bool parse_comparison(LitmusParser *parser, uint8_t *compare) {
  static const struct {
    LitmusTokenKind token;
    IrOp compare;
  } comparisons[] = {{LITMUS_TOKEN_EQ, IR_SET_EQ}, {LITMUS_TOKEN_ASSIGN, IR_SET_EQ},
                     {LITMUS_TOKEN_NE, IR_SET_NE}, {LITMUS_TOKEN_LT, IR_SET_LT},
                     {LITMUS_TOKEN_LE, IR_SET_LE}, {LITMUS_TOKEN_GT, IR_SET_GT},
                     {LITMUS_TOKEN_GE, IR_SET_GE}};
  for (uint32_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
    if (litmus_take_token(parser, comparisons[i].token)) {
      *compare = (uint8_t)comparisons[i].compare;
      return true;
    }
  }
  return litmus_expected(parser, "a comparison (== = != < <= > >=)");
}

static bool add_node(LitmusParser *parser, Proposition node, uint32_t *index) {
  if (parser->nodes.count >= 2 * LITMUS_MAX_ATOMS)
    return litmus_error(parser, litmus_token_span(parser),
                        "condition is too long: expected at most %d comparisons and connectives",
                        2 * LITMUS_MAX_ATOMS);
  *index = parser->nodes.count;
  array_push(parser->arena, &parser->nodes, node);
  return true;
}

static bool parse_atom(LitmusParser *parser, uint32_t *index) {
  Proposition atom = {.kind = PROPOSITION_TRUE};
  if (litmus_take_word(parser, "true"))
    return add_node(parser, atom, index);
  if (litmus_take_word(parser, "false"))
    return add_node(parser, atom, index) &&
           add_node(parser, (Proposition){.kind = PROPOSITION_NOT, .first = *index}, index);
  atom.kind = PROPOSITION_COMPARE;
  return parse_term(parser, &atom.left) && parse_comparison(parser, &atom.compare) &&
         parse_term(parser, &atom.right) && add_node(parser, atom, index);
}

static bool parse_or(LitmusParser *parser, uint32_t depth, uint32_t *index);

static bool parse_parenthesised(LitmusParser *parser, uint32_t depth, uint32_t *index) {
  return parse_or(parser, depth, index) && litmus_expect_token(parser, LITMUS_TOKEN_PAREN_CLOSE);
}

// `~ P`, `not P`, `( P )` or a comparison.
static bool parse_unary(LitmusParser *parser, uint32_t depth, uint32_t *index) {
  bool is_negated = false;
  while (litmus_take_token(parser, LITMUS_TOKEN_NOT) || litmus_take_word(parser, "not"))
    is_negated = !is_negated;
  if (depth >= LITMUS_MAX_NESTING)
    return litmus_error(parser, litmus_token_span(parser),
                        "condition is nested too deeply: expected at most %d levels",
                        LITMUS_MAX_NESTING);
  bool is_good = litmus_take_token(parser, LITMUS_TOKEN_PAREN_OPEN)
                     ? parse_parenthesised(parser, depth + 1, index)
                     : parse_atom(parser, index);
  if (!is_good || !is_negated)
    return is_good;
  return add_node(parser, (Proposition){.kind = PROPOSITION_NOT, .first = *index}, index);
}

typedef ARRAY(uint32_t) NodeList;

// Joins the nodes pairwise, so that a long chain becomes a shallow tree: whoever walks it by
// recursion needs little stack.
static bool join(LitmusParser *parser, PropositionKind kind, NodeList *list, uint32_t *index) {
  while (list->count > 1) {
    uint32_t joined = 0;
    for (uint32_t i = 0; i + 1 < list->count; i += 2) {
      Proposition node = {.kind = kind, .first = list->items[i], .second = list->items[i + 1]};
      if (!add_node(parser, node, &list->items[joined++]))
        return false;
    }
    if (list->count % 2)
      list->items[joined++] = list->items[list->count - 1];
    list->count = joined;
  }
  *index = list->items[0];
  return true;
}

static bool parse_and(LitmusParser *parser, uint32_t depth, uint32_t *index) {
  NodeList list = {0};
  do {
    if (!parse_unary(parser, depth, index))
      return false;
    array_push(parser->arena, &list, *index);
  } while (litmus_take_token(parser, LITMUS_TOKEN_AND));
  return join(parser, PROPOSITION_AND, &list, index);
}

static bool parse_or(LitmusParser *parser, uint32_t depth, uint32_t *index) {
  NodeList list = {0};
  do {
    if (!parse_and(parser, depth, index))
      return false;
    array_push(parser->arena, &list, *index);
  } while (litmus_take_token(parser, LITMUS_TOKEN_OR));
  return join(parser, PROPOSITION_OR, &list, index);
}

static bool at_locations_end(const LitmusParser *parser) {
  return parser->token.kind == LITMUS_TOKEN_BRACKET_CLOSE || parser->token.kind == LITMUS_TOKEN_END;
}

// Behind '[': the observed values, each with a ';' behind it, which the last one may lack.
static bool parse_location_list(LitmusParser *parser) {
  uint32_t column;
  while (!at_locations_end(parser)) {
    if (litmus_take_token(parser, LITMUS_TOKEN_SEMICOLON))
      continue;
    if (!parse_column(parser, &column))
      return false;
    if (!at_locations_end(parser) && parser->token.kind != LITMUS_TOKEN_SEMICOLON)
      return litmus_expected(parser, "';' or ']' behind the observed value");
  }
  return litmus_expect_token(parser, LITMUS_TOKEN_BRACKET_CLOSE);
}

static void parse_locations(LitmusParser *parser) {
  if (!litmus_expect_token(parser, LITMUS_TOKEN_BRACKET_OPEN) || parse_location_list(parser))
    return;
  litmus_skip_to(parser, LITMUS_TOKEN_BRACKET_CLOSE, LITMUS_TOKEN_END);
  litmus_take_token(parser, LITMUS_TOKEN_BRACKET_CLOSE);
}

static void parse_filter(LitmusParser *parser) {
  if (parser->condition.filter_root != UINT32_MAX)
    litmus_error(parser, litmus_token_span(parser), "the filter is given twice");
  parse_or(parser, 0, &parser->condition.filter_root);
}

// The text of the proposition on one line: each run of white space becomes one blank.
static const char *one_line(LitmusParser *parser, uint32_t begin, uint32_t end) {
  char *text = arena_alloc(parser->arena, end - begin + 1, 1);
  uint32_t length = 0;
  for (uint32_t i = begin; i < end; i++) {
    char c = parser->source->text[i];
    bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
    if (!is_space)
      text[length++] = c;
    else if (length > 0 && text[length - 1] != ' ')
      text[length++] = ' ';
  }
  return text;
}

static void parse_proposition(LitmusParser *parser, ConditionKind kind) {
  Condition *condition = &parser->condition;
  uint32_t begin = parser->token.begin;
  condition->kind = kind;
  if (!parse_or(parser, 0, &condition->root))
    return;
  condition->span = litmus_span_from(parser, begin);
  condition->text = one_line(parser, begin, condition->span.end);
}

// The quantifier; CONDITION_NONE (reported) if there is none.
static ConditionKind parse_quantifier(LitmusParser *parser) {
  bool is_negated = litmus_take_token(parser, LITMUS_TOKEN_NOT) || litmus_take_word(parser, "not");
  if (litmus_take_word(parser, "exists"))
    return is_negated ? CONDITION_NOT_EXISTS : CONDITION_EXISTS;
  if (!is_negated && litmus_take_word(parser, "final")) // herd's older tests
    return CONDITION_EXISTS;
  if (!is_negated && litmus_take_word(parser, "forall"))
    return CONDITION_FORALL;
  litmus_expected(parser, is_negated ? "'exists'" : "locations, filter, exists, ~exists or forall");
  return CONDITION_NONE;
}

// `with tso: ~exists; cc: exists;`: what the author of an old test said of other models.
static void skip_verdicts(LitmusParser *parser) {
  do {
    litmus_skip_to(parser, LITMUS_TOKEN_SEMICOLON, LITMUS_TOKEN_BLOCK_OPEN);
    litmus_take_token(parser, LITMUS_TOKEN_SEMICOLON);
  } while (parser->token.kind == LITMUS_TOKEN_WORD &&
           litmus_peek_token(parser) == LITMUS_TOKEN_COLON);
}

static void parse_remarks(LitmusParser *parser) {
  while (parser->token.kind != LITMUS_TOKEN_END) {
    if (litmus_take_token(parser, LITMUS_TOKEN_SEMICOLON))
      continue;
    if (litmus_take_word(parser, "with")) {
      skip_verdicts(parser);
    } else if (litmus_take_token(parser, LITMUS_TOKEN_BLOCK_OPEN)) {
      litmus_skip_to(parser, LITMUS_TOKEN_BLOCK_CLOSE, LITMUS_TOKEN_END);
      litmus_expect_token(parser, LITMUS_TOKEN_BLOCK_CLOSE);
    } else {
      litmus_expected(parser, "the end of the file behind the condition");
      return;
    }
  }
}

static void parse_condition(LitmusParser *parser) {
  uint32_t errors = parser->error_count;
  ConditionKind kind = parse_quantifier(parser);
  if (kind != CONDITION_NONE)
    parse_proposition(parser, kind);
  if (parser->error_count == errors)
    parse_remarks(parser);
}

static void finish(LitmusParser *parser) {
  Condition *condition = &parser->condition;
  if (condition->kind == CONDITION_NONE)
    add_node(parser, (Proposition){.kind = PROPOSITION_TRUE}, &condition->root);
  condition->nodes = parser->nodes.items;
  condition->node_count = parser->nodes.count;
  condition->columns = parser->columns.items;
  condition->column_count = parser->columns.count;
}

void litmus_parse_question(LitmusParser *parser) {
  parser->names_are_closed = parser->error_count == 0; // else a name may stand in what was skipped
  parser->condition.filter_root = UINT32_MAX;
  bool is_preamble = true;
  while (is_preamble) {
    if (litmus_take_word(parser, "locations"))
      parse_locations(parser);
    else if (litmus_take_word(parser, "filter"))
      parse_filter(parser);
    else
      is_preamble = litmus_take_token(parser, LITMUS_TOKEN_SEMICOLON);
  }
  if (parser->token.kind != LITMUS_TOKEN_END)
    parse_condition(parser);
  finish(parser);
}
