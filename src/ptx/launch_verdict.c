// What an input says about the findings that are right: `accept:`, `where:`, `level:`.
#include "ptx/launch_parser.h"

#include <string.h>

// A word with hyphens.
const char *launch_parse_rule(LaunchParser *parser, const char *what) {
  uint32_t begin = parser->token.begin, end = begin;
  const char *text = parser->source->text;
  while (end < parser->end && strchr("abcdefghijklmnopqrstuvwxyz-0123456789", text[end]) &&
         text[end])
    end++;
  if (end == begin) {
    launch_expected(parser, what);
    return NULL;
  }
  launch_skip_to(parser, end);
  return arena_copy_text(parser->arena, text + begin, end - begin);
}

static bool expect_end(LaunchParser *parser) {
  return parser->token.kind == LAUNCH_TOKEN_END || launch_expected(parser, "the end of the line");
}

// RULE,...
static bool parse_accepted(LaunchParser *parser) {
  do {
    const char *rule = launch_parse_rule(parser, "a rule");
    if (!rule)
      return false;
    array_push(parser->arena, &parser->verdict.accepted, rule);
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  return expect_end(parser);
}

// LINE,...
static bool parse_lines(LaunchParser *parser) {
  do {
    uint64_t line;
    if (!launch_read_count(parser, "a line", 1, UINT32_MAX, &line))
      return false;
    array_push(parser->arena, &parser->verdict.lines, (uint32_t)line);
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  return expect_end(parser);
}

static bool parse_level(LaunchParser *parser) {
  parser->verdict.level = launch_at_word(parser, "cuda")  ? "cuda"
                          : launch_at_word(parser, "ptx") ? "ptx"
                                                          : NULL;
  if (!parser->verdict.level)
    return launch_expected(parser, "a level (ptx or cuda)");
  launch_next_token(parser);
  return expect_end(parser);
}

bool launch_parse_verdict(LaunchParser *parser, LaunchLineKey key) {
  switch (key) {
  case LAUNCH_LINE_ACCEPT:
    return parse_accepted(parser);
  case LAUNCH_LINE_WHERE:
    return parse_lines(parser);
  default:
    return parse_level(parser);
  }
}
