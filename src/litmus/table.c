// The table of a test: one column for each thread, its heading, then one instruction in each cell.
#include "litmus/parser.h"

#include <string.h>

Instruction litmus_new_instruction(IrOp op, Span span) {
  return (Instruction){.op = op,
                       .dst = UINT32_MAX,
                       .object = UINT32_MAX,
                       .source_object = UINT32_MAX,
                       .participants = UINT32_MAX,
                       .span = span};
}

uint32_t litmus_emit(LitmusParser *parser, uint32_t thread, Instruction instruction) {
  LitmusThread *owner = &parser->threads.items[thread];
  uint32_t index = owner->instructions.count;
  if (index >= LITMUS_MAX_THREAD_INSTRUCTIONS ||
      parser->instruction_count >= LITMUS_MAX_INSTRUCTIONS) {
    litmus_error(parser, instruction.span,
                 "too many instructions: expected at most %d in a thread and %d in a test",
                 LITMUS_MAX_THREAD_INSTRUCTIONS, LITMUS_MAX_INSTRUCTIONS);
    return 0;
  }
  array_push(parser->arena, &owner->instructions, instruction);
  parser->instruction_count++;
  return index;
}

static bool parse_label_name(LitmusParser *parser, Name *name) {
  uint32_t length = parser->token.end - parser->token.begin;
  const char *text = parser->source->text + parser->token.begin;
  if (parser->token.kind != LITMUS_TOKEN_WORD || memchr(text, '.', length) ||
      litmus_at_register(parser))
    return litmus_expected(parser, "a label");
  *name = names_intern(&parser->names, text, length);
  litmus_next_token(parser);
  return true;
}

bool litmus_parse_jump_label(LitmusParser *parser, uint32_t thread) {
  LitmusJump jump = {.span = litmus_token_span(parser),
                     .instruction = parser->threads.items[thread].instructions.count};
  if (!parse_label_name(parser, &jump.label))
    return false;
  array_push(parser->arena, &parser->threads.items[thread].jumps, jump);
  return true;
}

static bool parse_label(LitmusParser *parser, uint32_t thread) {
  LitmusThread *owner = &parser->threads.items[thread];
  LitmusLabel label = {.span = litmus_token_span(parser)};
  if (!parse_label_name(parser, &label.name))
    return false;
  for (uint32_t i = 0; i < owner->labels.count; i++)
    if (owner->labels.items[i].name == label.name)
      return litmus_error(parser, label.span, "label '%s' is already defined in thread P%u",
                          names_text(&parser->names, label.name), thread);
  litmus_next_token(parser); // ':'
  label.instruction = litmus_emit(parser, thread, litmus_new_instruction(IR_NOP, label.span));
  array_push(parser->arena, &owner->labels, label);
  return true;
}

static bool at_cell_end(const LitmusParser *parser) {
  return parser->token.kind == LITMUS_TOKEN_BAR || parser->token.kind == LITMUS_TOKEN_SEMICOLON ||
         parser->token.kind == LITMUS_TOKEN_END;
}

// What can follow the table.
static bool at_question(const LitmusParser *parser) {
  static const char *const words[] = {"exists", "forall", "final", "filter", "locations", "not"};
  if (parser->token.kind == LITMUS_TOKEN_NOT)
    return true;
  if (litmus_peek_token(parser) == LITMUS_TOKEN_COLON)
    return false; // a label
  for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (litmus_at_word(parser, words[i]))
      return true;
  return false;
}

static bool parse_instruction(LitmusParser *parser, uint32_t thread) {
  bool is_good = parser->dialect == LITMUS_X86 ? litmus_parse_x86_instruction(parser, thread)
                                               : litmus_parse_ptx_instruction(parser, thread);
  if (is_good && !at_cell_end(parser) && !at_question(parser))
    return litmus_expected(parser, "'|' or ';' behind the instruction");
  return is_good;
}

// Labels and at most one instruction.
static bool parse_cell(LitmusParser *parser, uint32_t thread) {
  while (parser->token.kind == LITMUS_TOKEN_WORD && litmus_peek_token(parser) == LITMUS_TOKEN_COLON)
    if (!parse_label(parser, thread))
      return false;
  if (at_cell_end(parser) || at_question(parser))
    return true;
  if (parser->token.kind != LITMUS_TOKEN_WORD)
    return litmus_expected(parser, "an instruction");
  return parse_instruction(parser, thread);
}

// Moves over the rest of a row. The last row of a table may lack its ';'.
static void end_row(LitmusParser *parser, uint32_t cell_count, bool is_good) {
  bool is_end = parser->token.kind == LITMUS_TOKEN_SEMICOLON || at_question(parser) ||
                parser->token.kind == LITMUS_TOKEN_END;
  // A row with an error in it has been reported already.
  if (is_good && !is_end)
    litmus_error(parser, litmus_token_span(parser), "expected %u cells in the row, found more",
                 parser->column_count);
  else if (is_good && cell_count < parser->column_count)
    litmus_error(parser, litmus_token_span(parser), "expected %u cells in the row, found %u",
                 parser->column_count, cell_count);
  if (!is_end)
    litmus_skip_to(parser, LITMUS_TOKEN_SEMICOLON, LITMUS_TOKEN_END);
  litmus_take_token(parser, LITMUS_TOKEN_SEMICOLON);
}

static void parse_row(LitmusParser *parser) {
  uint32_t thread = 0, errors = parser->error_count;
  do {
    if (!parse_cell(parser, thread))
      litmus_skip_to(parser, LITMUS_TOKEN_BAR, LITMUS_TOKEN_SEMICOLON);
    thread++;
  } while (thread < parser->column_count && litmus_take_token(parser, LITMUS_TOKEN_BAR));
  end_row(parser, thread, parser->error_count == errors);
}

// `P0` with its placement; the columns are numbered from left to right.
static bool parse_heading(LitmusParser *parser, uint32_t column) {
  uint32_t thread;
  Span span = litmus_token_span(parser);
  if (!litmus_parse_thread(parser, &thread))
    return false;
  if (thread != column)
    return litmus_error(parser, span, "expected 'P%u' at the top of column %u, found 'P%u'", column,
                        column + 1, thread);
  parser->threads.items[thread].span = span;
  parser->threads.items[thread].has_column = true;
  if (parser->dialect == LITMUS_PTX)
    return litmus_parse_placement(parser, thread);
  parser->threads.items[thread].place = (Placement){.cta = thread, .cluster = thread};
  return true;
}

static bool parse_headings(LitmusParser *parser) {
  do {
    if (!parse_heading(parser, parser->column_count))
      return false;
    parser->column_count++;
    if (!at_cell_end(parser))
      return litmus_expected(parser, "'|' or ';' behind the thread");
  } while (litmus_take_token(parser, LITMUS_TOKEN_BAR));
  return litmus_expect_token(parser, LITMUS_TOKEN_SEMICOLON);
}

static void check_mentions(LitmusParser *parser) {
  for (uint32_t i = parser->column_count; i < parser->threads.count; i++)
    if (parser->threads.items[i].span.end != 0)
      litmus_error(parser, parser->threads.items[i].span, "thread P%u has no column", i);
}

void litmus_parse_table(LitmusParser *parser) {
  if (parser->token.kind == LITMUS_TOKEN_END && parser->error_count > 0)
    return; // reported before
  if (!parse_headings(parser)) {
    // Without columns the cells mean nothing.
    litmus_skip_to(parser, LITMUS_TOKEN_END, LITMUS_TOKEN_END);
    return;
  }
  check_mentions(parser);
  litmus_place_threads(parser);
  while (parser->token.kind != LITMUS_TOKEN_END && !at_question(parser))
    parse_row(parser);
}
