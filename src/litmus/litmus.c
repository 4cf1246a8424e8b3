#include "litmus/litmus.h"

#include <string.h>

#include "litmus/parser.h"

// Offset of the first character that is neither white space nor in a comment.
static uint32_t first_word(const Source *source) {
  const char *text = source->text;
  uint32_t offset = 0, depth = 0;
  while (offset < source->length) {
    bool has_two = offset + 1 < source->length;
    if (has_two && text[offset] == '(' && text[offset + 1] == '*') {
      depth++;
      offset += 2;
    } else if (has_two && depth > 0 && text[offset] == '*' && text[offset + 1] == ')') {
      depth--;
      offset += 2;
    } else if (depth > 0 || (text[offset] && strchr(" \t\r\n", text[offset]))) {
      offset++;
    } else {
      break;
    }
  }
  return offset;
}

bool litmus_is_test(const Source *source) {
  static const char *const dialects[] = {"PTX", "ptx", "X86", "x86", "C", "OPENCL"};
  uint32_t begin = first_word(source);
  for (uint32_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
    size_t length = strlen(dialects[i]);
    const char *word = source->text + begin;
    if (source->length - begin > length && memcmp(word, dialects[i], length) == 0)
      return word[length] && strchr(" \t\r\n{\"", word[length]);
  }
  return false;
}

static bool parse_dialect(LitmusParser *parser) {
  if (litmus_at_word(parser, "PTX") || litmus_at_word(parser, "ptx"))
    parser->dialect = LITMUS_PTX;
  else if (litmus_at_word(parser, "X86") || litmus_at_word(parser, "x86"))
    parser->dialect = LITMUS_X86;
  else if (litmus_at_word(parser, "C") || litmus_at_word(parser, "OPENCL"))
    parser->dialect = LITMUS_C;
  else
    return litmus_expected(parser,
                           "'PTX', 'X86', 'C' or 'OPENCL' at the beginning of a litmus test");
  return true;
}

static void parse_test(LitmusParser *parser) {
  litmus_next_token(parser);
  parser->is_opencl = litmus_at_word(parser, "OPENCL");
  if (!parse_dialect(parser))
    return;
  if (!litmus_skip_header(parser)) {
    if (parser->error_count == 0)
      litmus_expected(parser, "'{' and the initial values");
    return;
  }
  litmus_parse_init(parser);
  if (parser->dialect == LITMUS_C)
    litmus_parse_functions(parser);
  else
    litmus_parse_table(parser);
  litmus_parse_question(parser);
}

LitmusTest *litmus_parse(const Source *source, Arena *arena, DiagList *diags) {
  LitmusParser parser = {.source = source, .arena = arena, .diags = diags};
  names_init(&parser.names, arena);
  LitmusTest *test = ARENA_NEW(arena, LitmusTest);
  parse_test(&parser);
  if (parser.error_count == 0)
    litmus_build_program(&parser, &test->program);
  if (parser.error_count > 0)
    return NULL;
  ir_program_check(&test->program);
  test->dialect = parser.dialect;
  test->is_placed = parser.is_placed;
  test->condition = parser.condition;
  test->expectations = parser.expectations.items;
  test->expectation_count = parser.expectations.count;
  return test;
}
