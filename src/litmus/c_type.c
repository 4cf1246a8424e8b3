// The types of declarations and parameters: integers of 1 to 8 bytes. Values are held in 64-bit
// registers, extended by their sign or by zeros; `int` and `long` have the sizes of Linux. The
// operation says whether an access is atomic, so that a type need not.
#include "litmus/c_parser.h"

#include <string.h>

typedef enum WordKind {
  WORD_IGNORED, // says nothing that matters here
  WORD_WHOLE,   // a type by itself
  WORD_PART,    // `unsigned`, `long`, ...
  WORD_ATOMIC,  // `_Atomic int`, `_Atomic(int)`
  WORD_VOLATILE,
  WORD_REFUSED,
} WordKind;

enum { UNSIGNED, SIGNED, TRUTH }; // what bits mean

static const struct {
  const char *word;
  uint8_t kind, size, meaning;
} words[] = {
    {"int", WORD_PART, 4, SIGNED},
    {"long", WORD_PART, 8, SIGNED},
    {"short", WORD_PART, 2, SIGNED},
    {"char", WORD_PART, 1, SIGNED},
    {"signed", WORD_PART, 0, SIGNED},
    {"unsigned", WORD_PART, 0, UNSIGNED},
    {"bool", WORD_WHOLE, 1, TRUTH},
    {"_Bool", WORD_WHOLE, 1, TRUTH},
    {"int8_t", WORD_WHOLE, 1, SIGNED},
    {"int16_t", WORD_WHOLE, 2, SIGNED},
    {"int32_t", WORD_WHOLE, 4, SIGNED},
    {"int64_t", WORD_WHOLE, 8, SIGNED},
    {"intptr_t", WORD_WHOLE, 8, SIGNED},
    {"ptrdiff_t", WORD_WHOLE, 8, SIGNED},
    {"uint8_t", WORD_WHOLE, 1, UNSIGNED},
    {"uint16_t", WORD_WHOLE, 2, UNSIGNED},
    {"uint32_t", WORD_WHOLE, 4, UNSIGNED},
    {"uint64_t", WORD_WHOLE, 8, UNSIGNED},
    {"uintptr_t", WORD_WHOLE, 8, UNSIGNED},
    {"size_t", WORD_WHOLE, 8, UNSIGNED},
    {"uchar", WORD_WHOLE, 1, UNSIGNED}, // OpenCL's
    {"ushort", WORD_WHOLE, 2, UNSIGNED},
    {"uint", WORD_WHOLE, 4, UNSIGNED},
    {"ulong", WORD_WHOLE, 8, UNSIGNED},
    {"atomic_bool", WORD_WHOLE, 1, TRUTH},
    {"atomic_char", WORD_WHOLE, 1, SIGNED},
    {"atomic_schar", WORD_WHOLE, 1, SIGNED},
    {"atomic_uchar", WORD_WHOLE, 1, UNSIGNED},
    {"atomic_short", WORD_WHOLE, 2, SIGNED},
    {"atomic_ushort", WORD_WHOLE, 2, UNSIGNED},
    {"atomic_int", WORD_WHOLE, 4, SIGNED},
    {"atomic_uint", WORD_WHOLE, 4, UNSIGNED},
    {"atomic_long", WORD_WHOLE, 8, SIGNED},
    {"atomic_ulong", WORD_WHOLE, 8, UNSIGNED},
    {"atomic_llong", WORD_WHOLE, 8, SIGNED},
    {"atomic_ullong", WORD_WHOLE, 8, UNSIGNED},
    {"atomic_intptr_t", WORD_WHOLE, 8, SIGNED},
    {"atomic_uintptr_t", WORD_WHOLE, 8, UNSIGNED},
    {"atomic_ptrdiff_t", WORD_WHOLE, 8, SIGNED},
    {"atomic_size_t", WORD_WHOLE, 8, UNSIGNED},
    {"atomic_flag", WORD_WHOLE, 4, SIGNED},
    {"_Atomic", WORD_ATOMIC, 0, 0},
    {"volatile", WORD_VOLATILE, 0, 0},
    {"const", WORD_IGNORED, 0, 0},
    {"restrict", WORD_IGNORED, 0, 0},
    {"register", WORD_IGNORED, 0, 0},
    {"global", WORD_IGNORED, 0, 0},
    {"__global", WORD_IGNORED, 0, 0},
    {"local", WORD_REFUSED, 0, 0},
    {"__local", WORD_REFUSED, 0, 0},
    {"constant", WORD_REFUSED, 0, 0},
    {"static", WORD_REFUSED, 0, 0},
    {"float", WORD_REFUSED, 0, 0},
    {"double", WORD_REFUSED, 0, 0},
    {"struct", WORD_REFUSED, 0, 0},
    {"union", WORD_REFUSED, 0, 0},
    {"enum", WORD_REFUSED, 0, 0},
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

// What has been read of a type.
typedef struct Parts {
  bool has_base, is_whole, has_size, has_sign;
} Parts;

static bool add_word(CParser *c, Parts *parts, CType *type, uint32_t i) {
  bool gives_size = words[i].size > 0, is_whole = words[i].kind == WORD_WHOLE;
  bool is_pair = parts->has_size && !is_whole && // `long int`, `long long`, `int short`
                 (type->size == 4   ? words[i].size == 2 || words[i].size == 8
                  : type->size == 8 ? words[i].size == 4 || words[i].size == 8
                                    : type->size == 2 && words[i].size == 4);
  if (parts->is_whole || (is_whole && parts->has_base) ||
      (gives_size && parts->has_size && !is_pair) || (!gives_size && parts->has_sign))
    return litmus_error(c->litmus, c_token_span(c), "'%s' cannot follow here in a type",
                        words[i].word);
  if (gives_size && !(parts->has_size && words[i].size == 4))
    type->size = words[i].size;
  if (is_whole || !gives_size)
    type->is_signed = words[i].meaning == SIGNED;
  type->is_truth = words[i].meaning == TRUTH;
  parts->is_whole = is_whole;
  parts->has_size |= gives_size;
  parts->has_sign |= !gives_size;
  parts->has_base = true;
  return true;
}

// Behind `_Atomic`: `(int)`, or nothing.
static bool parse_atomic_of(CParser *c, CType *type, Parts *parts) {
  bool is_volatile = type->is_volatile;
  if (!c_take(c, C_TOKEN_PAREN_OPEN))
    return true;
  parts->has_base = parts->is_whole = true;
  if (!c_parse_type(c, type))
    return false;
  type->is_volatile |= is_volatile;
  return c_expect(c, C_TOKEN_PAREN_CLOSE);
}

bool c_parse_type(CParser *c, CType *type) {
  Parts parts = {0};
  *type = c_int;
  if (!c_nest(c))
    return false;
  for (uint32_t i = find_token(c); i < WORD_COUNT; i = find_token(c)) {
    if (words[i].kind == WORD_REFUSED)
      return refuse(c, words[i].word);
    bool is_base = words[i].kind == WORD_PART || words[i].kind == WORD_WHOLE;
    if (is_base && !add_word(c, &parts, type, i))
      return false;
    c_next_token(c);
    type->is_volatile = type->is_volatile || words[i].kind == WORD_VOLATILE;
    if (words[i].kind == WORD_ATOMIC && !parse_atomic_of(c, type, &parts))
      return false;
  }
  c->nesting--;
  return parts.has_base || c_expected(c, "a type like int or atomic_int");
}

// --- conversions

const CType c_int = {.size = 4, .is_signed = true};

CType c_promote(CType type) {
  return type.size < 4 ? c_int : (CType){.size = type.size, .is_signed = type.is_signed};
}

CType c_common_type(CType a, CType b) {
  a = c_promote(a);
  b = c_promote(b);
  if (a.is_signed == b.is_signed)
    return a.size > b.size ? a : b;
  CType with = a.is_signed ? a : b, without = a.is_signed ? b : a;
  return without.size >= with.size ? without : with;
}

static bool has_all_values(CType type, CType of) {
  if (type.size == 8)
    return true; // the bits stay
  if (of.is_signed == type.is_signed)
    return of.size <= type.size;
  return !of.is_signed && of.size < type.size;
}

// The low bytes, extended by zeros or by the sign.
Operand c_wrap(CParser *c, Operand value, CType type) {
  if (type.size == 8)
    return value;
  int64_t sign = (int64_t)1 << (8 * type.size - 1);
  value = c_emit_compute(c, IR_AND, value, c_constant(2 * sign - 1));
  if (!type.is_signed)
    return value;
  value = c_emit_compute(c, IR_XOR, value, c_constant(sign));
  return c_emit_compute(c, IR_SUB, value, c_constant(sign));
}

Operand c_convert(CParser *c, Operand value, CType from, CType to) {
  if (to.is_truth)
    return from.is_truth ? value : c_emit_compute(c, IR_SET_NE, value, c_constant(0));
  return has_all_values(to, from) ? value : c_wrap(c, value, to);
}
