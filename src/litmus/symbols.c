// Names of a test: locations, threads and registers. Each comes into being at its first mention,
// since a litmus test need not declare anything.
#include "litmus/parser.h"

#include <string.h>

static const char *token_chars(const LitmusParser *parser, uint32_t *length) {
  *length = parser->token.end - parser->token.begin;
  return parser->source->text + parser->token.begin;
}

// The number behind `prefix` in "P12" or "r3"; UINT32_MAX if the word does not look like that.
static uint32_t numbered_word(const LitmusParser *parser, char prefix) {
  uint32_t length;
  const char *text = token_chars(parser, &length);
  if (parser->token.kind != LITMUS_TOKEN_WORD || length < 2 || length > 9 || text[0] != prefix)
    return UINT32_MAX;
  uint32_t number = 0;
  for (uint32_t i = 1; i < length; i++) {
    if (text[i] < '0' || text[i] > '9')
      return UINT32_MAX;
    number = number * 10 + (uint32_t)(text[i] - '0');
  }
  return number;
}

bool litmus_at_numbered_word(const LitmusParser *parser, char prefix) {
  return numbered_word(parser, prefix) != UINT32_MAX;
}

static bool is_x86_register(const LitmusParser *parser) {
  static const char *const names[] = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP", "ESP"};
  uint32_t length;
  const char *text = token_chars(parser, &length);
  if (parser->token.kind != LITMUS_TOKEN_WORD || length != 3)
    return false;
  char upper[3];
  for (uint32_t i = 0; i < 3; i++)
    upper[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
  for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (memcmp(upper, names[i], 3) == 0)
      return true;
  return false;
}

bool litmus_at_register(const LitmusParser *parser) {
  if (parser->dialect == LITMUS_C)
    return false; // variables are known by their declarations
  return parser->dialect == LITMUS_X86 ? is_x86_register(parser)
                                       : numbered_word(parser, 'r') != UINT32_MAX;
}

bool litmus_at_thread(const LitmusParser *parser) {
  return (parser->token.kind == LITMUS_TOKEN_NUMBER || numbered_word(parser, 'P') != UINT32_MAX) &&
         litmus_peek_token(parser) == LITMUS_TOKEN_COLON;
}

int64_t litmus_object_address(uint32_t object) {
  // Far from the small numbers that tests compute with, and never zero.
  return 0x10000000 + 16 * (int64_t)object;
}

static bool find_object(LitmusParser *parser, Name name, uint32_t *object) {
  while (parser->object_of_name.count <= name)
    array_push(parser->arena, &parser->object_of_name, 0);
  *object = parser->object_of_name.items[name] - 1;
  return parser->object_of_name.items[name] != 0;
}

// Does the test mention the location, or the array whose element it is?
static bool is_mentioned(LitmusParser *parser, const char *name) {
  uint32_t object;
  return find_object(parser, names_intern(&parser->names, name, strcspn(name, "[")), &object);
}

bool litmus_get_object(LitmusParser *parser, const char *name, Span span, uint32_t *object) {
  Name interned = names_intern(&parser->names, name, strlen(name));
  if (find_object(parser, interned, object))
    return true;
  if (parser->names_are_closed && !is_mentioned(parser, name))
    return litmus_error(parser, span, "no thread has a location '%s'", name);
  if (parser->objects.count >= LITMUS_MAX_OBJECTS)
    return litmus_error(parser, span, "too many locations: expected at most %d",
                        LITMUS_MAX_OBJECTS);
  *object = parser->objects.count;
  array_push(
      parser->arena, &parser->objects,
      (LitmusObject){.name = name, .span = span, .value_of = UINT32_MAX, .alias_of = UINT32_MAX});
  parser->object_of_name.items[interned] = *object + 1;
  return true;
}

// `[2]` behind a name: the elements of an array are locations of their own, x[0] is x.
static bool parse_element(LitmusParser *parser, const char **name) {
  uint32_t element;
  if (!litmus_take_token(parser, LITMUS_TOKEN_BRACKET_OPEN))
    return true;
  if (!litmus_parse_index(parser, "the number of an element", &element) ||
      !litmus_expect_token(parser, LITMUS_TOKEN_BRACKET_CLOSE))
    return false;
  if (element != 0)
    *name = arena_format(parser->arena, "%s[%u]", *name, element);
  return true;
}

bool litmus_parse_location(LitmusParser *parser, uint32_t *object) {
  uint32_t begin = parser->token.begin;
  if (parser->token.kind != LITMUS_TOKEN_WORD)
    return litmus_expected(parser, "a location");
  if (litmus_at_register(parser))
    return litmus_error(parser, litmus_token_span(parser), "expected a location, found register %s",
                        litmus_token_text(parser));
  const char *name = litmus_copy_word(parser);
  if (strchr(name, '.'))
    return litmus_expected(parser, "a location");
  litmus_next_token(parser);
  return parse_element(parser, &name) &&
         litmus_get_object(parser, name, litmus_span_from(parser, begin), object);
}

// Makes sure that the thread exists; it gets its column later.
static bool reach_thread(LitmusParser *parser, uint32_t thread) {
  if (thread >= LITMUS_MAX_THREADS)
    return litmus_error(parser, litmus_token_span(parser),
                        "too many threads: expected a number below %d, found %s",
                        LITMUS_MAX_THREADS, litmus_token_text(parser));
  while (parser->threads.count <= thread)
    array_push(parser->arena, &parser->threads, (LitmusThread){.span = {parser->source, 0, 0}});
  LitmusThread *reached = &parser->threads.items[thread];
  if (reached->span.end == 0)
    reached->span = litmus_token_span(parser);
  return true;
}

bool litmus_parse_thread(LitmusParser *parser, uint32_t *thread) {
  *thread = numbered_word(parser, 'P');
  if (*thread == UINT32_MAX)
    return litmus_expected(parser, "a thread like 'P0'");
  if (!reach_thread(parser, *thread))
    return false;
  litmus_next_token(parser);
  return true;
}

bool litmus_parse_thread_register(LitmusParser *parser, uint32_t *thread, uint32_t *index) {
  if (parser->token.kind == LITMUS_TOKEN_NUMBER) {
    if (parser->token.number >= LITMUS_MAX_THREADS)
      return reach_thread(parser, LITMUS_MAX_THREADS);
    *thread = (uint32_t)parser->token.number;
    if (!reach_thread(parser, *thread))
      return false;
    litmus_next_token(parser);
  } else if (!litmus_parse_thread(parser, thread)) {
    return false;
  }
  return litmus_expect_token(parser, LITMUS_TOKEN_COLON) &&
         litmus_parse_register(parser, *thread, index);
}

uint32_t litmus_get_register(LitmusParser *parser, uint32_t thread, const char *name, Span span) {
  LitmusThread *owner = &parser->threads.items[thread];
  for (uint32_t i = 0; i < owner->registers.count; i++)
    if (strcmp(owner->registers.items[i].name, name) == 0)
      return i;
  if (parser->names_are_closed && thread < parser->column_count) {
    litmus_error(parser, span, "thread P%u has no register '%s'", thread, name);
    return UINT32_MAX;
  }
  if (owner->registers.count >= LITMUS_MAX_REGISTERS) {
    litmus_error(parser, span, "too many registers: expected at most %d in a thread",
                 LITMUS_MAX_REGISTERS);
    return UINT32_MAX;
  }
  array_push(parser->arena, &owner->registers, (Register){.name = name});
  return owner->registers.count - 1;
}

// A variable of the C dialect.
static bool parse_variable(LitmusParser *parser, uint32_t thread, uint32_t *index) {
  if (parser->token.kind != LITMUS_TOKEN_WORD)
    return litmus_expected(parser, "a variable");
  if (thread >= parser->column_count)
    return litmus_error(parser, litmus_token_span(parser), "thread P%u is not defined", thread);
  const char *name = litmus_copy_word(parser);
  const LitmusThread *owner = &parser->threads.items[thread];
  for (*index = 0; *index < owner->registers.count; ++*index)
    if (strcmp(owner->registers.items[*index].name, name) == 0) {
      litmus_next_token(parser);
      return true;
    }
  return litmus_error(parser, litmus_token_span(parser), "thread P%u has no variable '%s'", thread,
                      name);
}

bool litmus_parse_register(LitmusParser *parser, uint32_t thread, uint32_t *index) {
  if (parser->dialect == LITMUS_C)
    return parse_variable(parser, thread, index);
  if (!litmus_at_register(parser))
    return litmus_expected(parser, parser->dialect == LITMUS_X86 ? "a register like 'EAX'"
                                                                 : "a register like 'r0'");
  char *name = arena_copy_text(parser->arena, parser->source->text + parser->token.begin,
                               parser->token.end - parser->token.begin);
  if (parser->dialect == LITMUS_X86)
    for (char *c = name; *c; c++)
      *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
  *index = litmus_get_register(parser, thread, name, litmus_token_span(parser));
  litmus_next_token(parser);
  return *index != UINT32_MAX;
}
