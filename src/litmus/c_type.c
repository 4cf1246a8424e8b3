// The types of declarations and parameters. All values are 64-bit signed integers, and the
// operation says whether an access is atomic, so a type says only whether an object is volatile;
// one whose values would differ is refused.
#include "litmus/c_parser.h"

#include <string.h>

typedef enum WordKind {
  WORD_IGNORED, // says nothing that matters here
  WORD_BASE,
  WORD_ATOMIC, // `_Atomic int`, `_Atomic(int)`
  WORD_VOLATILE,
  WORD_REFUSED,
} WordKind;

static const struct {
  const char *word;
  WordKind kind;
} words[] = {
    {"int", WORD_BASE},
    {"long", WORD_BASE},
    {"signed", WORD_BASE},
    {"int32_t", WORD_BASE},
    {"int64_t", WORD_BASE},
    {"intptr_t", WORD_BASE},
    {"atomic_int", WORD_BASE},
    {"atomic_long", WORD_BASE},
    {"atomic_llong", WORD_BASE},
    {"atomic_intptr_t", WORD_BASE},
    {"atomic_flag", WORD_BASE},
    {"_Atomic", WORD_ATOMIC},
    {"volatile", WORD_VOLATILE},
    {"const", WORD_IGNORED},
    {"restrict", WORD_IGNORED},
    {"register", WORD_IGNORED},
    {"global", WORD_IGNORED},
    {"__global", WORD_IGNORED},
    {"local", WORD_REFUSED},
    {"__local", WORD_REFUSED},
    {"constant", WORD_REFUSED},
    {"static", WORD_REFUSED},
    {"unsigned", WORD_REFUSED},
    {"char", WORD_REFUSED},
    {"short", WORD_REFUSED},
    {"bool", WORD_REFUSED},
    {"_Bool", WORD_REFUSED},
    {"float", WORD_REFUSED},
    {"double", WORD_REFUSED},
    {"struct", WORD_REFUSED},
    {"union", WORD_REFUSED},
    {"enum", WORD_REFUSED},
    {"size_t", WORD_REFUSED},
    {"int8_t", WORD_REFUSED},
    {"int16_t", WORD_REFUSED},
    {"uint8_t", WORD_REFUSED},
    {"uint16_t", WORD_REFUSED},
    {"uint32_t", WORD_REFUSED},
    {"uint64_t", WORD_REFUSED},
    {"uintptr_t", WORD_REFUSED},
    {"atomic_bool", WORD_REFUSED},
    {"atomic_char", WORD_REFUSED},
    {"atomic_short", WORD_REFUSED},
    {"atomic_uint", WORD_REFUSED},
    {"atomic_ulong", WORD_REFUSED},
    {"atomic_ullong", WORD_REFUSED},
    {"atomic_size_t", WORD_REFUSED},
};

enum { WORD_COUNT = sizeof words / sizeof *words };

// The index of the word, WORD_COUNT: it is none of a type.
static uint32_t find_word(const char *text, size_t length) {
  uint32_t i = 0;
  while (i < WORD_COUNT &&
         (strlen(words[i].word) != length || memcmp(words[i].word, text, length) != 0))
    i++;
  return i;
}

bool c_is_type_word(const char *word, size_t length) {
  return find_word(word, length) < WORD_COUNT;
}

static uint32_t find_token(const CParser *c) {
  return c->token.kind == C_TOKEN_WORD
             ? find_word(c->litmus->source->text + c->token.begin, c->token.end - c->token.begin)
             : WORD_COUNT;
}

bool c_at_type(const CParser *c) {
  return find_token(c) < WORD_COUNT;
}

static bool refuse(CParser *c, const char *word) {
  return litmus_error(c->litmus, c_token_span(c),
                      "'%s' is not supported: expected int, long, atomic_int or the like", word);
}

// Behind `_Atomic`: `(int)`, or nothing.
static bool parse_atomic_of(CParser *c, CType *type, bool *has_base) {
  if (!c_take(c, C_TOKEN_PAREN_OPEN))
    return true;
  *has_base = true;
  return c_parse_type(c, type) && c_expect(c, C_TOKEN_PAREN_CLOSE);
}

bool c_parse_type(CParser *c, CType *type) {
  bool has_base = false;
  *type = (CType){0};
  if (!c_nest(c))
    return false;
  for (uint32_t i = find_token(c); i < WORD_COUNT; i = find_token(c)) {
    if (words[i].kind == WORD_REFUSED)
      return refuse(c, words[i].word);
    c_next_token(c);
    has_base = has_base || words[i].kind == WORD_BASE;
    type->is_volatile = type->is_volatile || words[i].kind == WORD_VOLATILE;
    if (words[i].kind == WORD_ATOMIC && !parse_atomic_of(c, type, &has_base))
      return false;
  }
  c->nesting--;
  return has_base || c_expected(c, "a type like int or atomic_int");
}
