#include "base/demangle.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_BYTES = 1 << 20, // of all texts of one name: references to parts can double its length
  MOST_DEPTH = 256,
  HOLE = 1, // in the text of a type: where the name of a variable would stand
};

// Each parser returns the text of what it has read, or NULL where it does not understand.
typedef struct Demangler {
  const char *at;
  Arena *arena;
  ARRAY(const char *) substitutions;
  size_t byte_count;
  uint32_t depth;
} Demangler;

static const char *parse_type(Demangler *d);
static const char *parse_name(Demangler *d, bool is_type);

// a, b and c one behind the other.
static const char *join(Demangler *d, const char *a, const char *b, const char *c) {
  if (!a || !b || !c)
    return NULL;
  d->byte_count += strlen(a) + strlen(b) + strlen(c) + 1;
  return d->byte_count > MOST_BYTES ? NULL : arena_format(d->arena, "%s%s%s", a, b, c);
}

static const char *remember(Demangler *d, const char *text) {
  if (text)
    array_push(d->arena, &d->substitutions, text);
  return text;
}

static bool take(Demangler *d, const char *text) {
  size_t length = strlen(text);
  if (strncmp(d->at, text, length) != 0)
    return false;
  d->at += length;
  return true;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// --- names

static const char *parse_source_name(Demangler *d) {
  char *end;
  unsigned long length = strtoul(d->at, &end, 10);
  if (end == d->at || length == 0 || strnlen(end, length) < length)
    return NULL;
  d->at = end + length;
  if (length >= 10 && strncmp(end, "_GLOBAL__N", 10) == 0)
    return "(anonymous namespace)";
  return join(d, arena_copy_text(d->arena, end, length), "", "");
}

// Parameters up to `E`, which is read.
static const char *parse_types(Demangler *d) {
  const char *text = "";
  for (bool is_first = true; text && !take(d, "E"); is_first = false) {
    const char *type = *d->at ? parse_type(d) : NULL;
    text = join(d, text, is_first ? "" : ", ", type);
  }
  return text && strcmp(text, "void") == 0 ? "" : text;
}

static const char *parse_number(Demangler *d) {
  const char *begin = d->at;
  while (is_digit(*d->at))
    d->at++;
  return arena_copy_text(d->arena, begin, (size_t)(d->at - begin));
}

// Ut_, Ut0_, UlvE_, ...
static const char *parse_unnamed(Demangler *d) {
  bool is_lambda = *d->at == 'l';
  d->at++;
  const char *types = is_lambda ? parse_types(d) : "";
  unsigned long number = is_digit(*d->at) ? strtoul(parse_number(d), NULL, 10) + 2 : 1;
  if (!take(d, "_"))
    return NULL;
  const char *text = is_lambda ? join(d, "{lambda(", types, ")") : "{unnamed type";
  return join(d, text, arena_format(d->arena, "#%lu", number), "}");
}

static const char *parse_unqualified(Demangler *d) {
  take(d, "L"); // of internal linkage
  const char *text = is_digit(*d->at) ? parse_source_name(d)
                     : strncmp(d->at, "Ul", 2) == 0 || strncmp(d->at, "Ut", 2) == 0
                         ? (d->at++, parse_unnamed(d))
                         : NULL;
  while (text && take(d, "B"))
    text = join(d, text, "[abi:", join(d, parse_source_name(d), "]", ""));
  return text;
}

static const char *parse_substitution(Demangler *d) {
  static const char *const standard[] = {"aallocator", "bbasic_string", "sstring",
                                         "iistream",   "oostream",      "diostream"};
  for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++)
    if (*d->at == standard[i][0]) {
      d->at++;
      return join(d, "std::", standard[i] + 1, "");
    }
  uint32_t index = 0;
  if (*d->at != '_') {
    for (; is_digit(*d->at) || (*d->at >= 'A' && *d->at <= 'Z'); d->at++) {
      index = index * 36 + (uint32_t)(is_digit(*d->at) ? *d->at - '0' : *d->at - 'A' + 10);
      if (index > d->substitutions.count)
        return NULL;
    }
    index++;
  }
  return take(d, "_") && index < d->substitutions.count ? d->substitutions.items[index] : NULL;
}

// --- template arguments

// The value of a literal behind its type.
static const char *parse_value(Demangler *d, char type, const char *type_text) {
  static const char *const suffixes[] = {"i", "ju", "ll", "mul", "xll", "yull"};
  bool is_negative = take(d, "n");
  const char *begin = d->at, *end = strchr(begin, 'E');
  if (!end)
    return NULL;
  d->at = end + 1;
  const char *digits = arena_copy_text(d->arena, begin, (size_t)(end - begin));
  if (type == 'b' && (strcmp(digits, "0") == 0 || strcmp(digits, "1") == 0))
    return *digits == '1' ? "true" : "false";
  const char *number = join(d, is_negative ? "-" : "", digits, "");
  for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
    if (type == suffixes[i][0])
      return join(d, number, suffixes[i] + 1, "");
  return join(d, join(d, "(", type_text, ")"), number, "");
}

// Behind `L`.
static const char *parse_literal(Demangler *d) {
  if (take(d, "_Z")) {
    const char *name = parse_name(d, false);
    while (name && !take(d, "E"))
      if (!*d->at || !parse_type(d))
        return NULL;
    return name;
  }
  char type = *d->at;
  const char *text = parse_type(d);
  return text ? parse_value(d, type, text) : NULL;
}

// Behind `XadL`: the address of a function or an object.
static const char *parse_address(Demangler *d) {
  const char *name = strncmp(d->at, "_Z", 2) == 0 ? parse_literal(d) : NULL;
  return take(d, "E") ? join(d, "&", name, "") : NULL;
}

// Behind `I` or `J`, up to `E`, which is read.
static const char *parse_arguments(Demangler *d) {
  const char *text = "";
  if (d->depth == MOST_DEPTH)
    return NULL;
  d->depth++;
  for (bool is_first = true; text && !take(d, "E");) {
    const char *argument = take(d, "L")                   ? parse_literal(d)
                           : take(d, "XadL")              ? parse_address(d)
                           : take(d, "J")                 ? parse_arguments(d)
                           : *d->at == 'X' || *d->at == 0 ? NULL
                                                          : parse_type(d);
    bool is_empty = argument && !*argument; // of a pack
    text = join(d, text, is_first || is_empty ? "" : ", ", argument);
    is_first = is_first && is_empty;
  }
  d->depth--;
  return text;
}

static const char *with_arguments(Demangler *d, const char *name) {
  return join(d, name, "<", join(d, parse_arguments(d), ">", ""));
}

// --- scopes

// One more component of a name within scopes; `*is_new`: it is none that was remembered before.
static const char *parse_component(Demangler *d, const char *before, bool *is_new) {
  *is_new = true;
  if (take(d, "I"))
    return before ? with_arguments(d, before) : NULL;
  if (!before && take(d, "St")) {
    *is_new = false;
    return "std";
  }
  if (!before && take(d, "S")) {
    *is_new = false;
    return parse_substitution(d);
  }
  const char *name = parse_unqualified(d);
  return before ? join(d, before, "::", name) : name;
}

// Behind `N`.
static const char *parse_nested(Demangler *d) {
  const char *text = NULL;
  while (*d->at && strchr("rVKRO", *d->at))
    d->at++;
  do {
    bool is_new;
    text = parse_component(d, text, &is_new);
    if (text && is_new && *d->at != 'E')
      remember(d, text);
  } while (text && !take(d, "E"));
  return text;
}

// The function of what is declared within it, with its parameters, which one of C has not. That of
// a template has its result before them.
static const char *parse_encoding(Demangler *d) {
  const char *name = parse_name(d, false);
  if (name && take(d, "E"))
    return name;
  if (!name || (d->at[-1] == 'E' && name[strlen(name) - 1] == '>' && !parse_type(d)))
    return NULL;
  return join(d, name, "(", join(d, parse_types(d), ")", ""));
}

// Behind `Z`: what is declared within a function.
static const char *parse_local(Demangler *d) {
  if (d->depth == MOST_DEPTH)
    return NULL;
  d->depth++;
  const char *function = parse_encoding(d);
  const char *text = join(d, function, "::", function ? parse_name(d, false) : NULL);
  d->depth--;
  if (text && take(d, "_"))
    parse_number(d);
  return text;
}

static const char *parse_unscoped(Demangler *d) {
  const char *text =
      take(d, "St") ? join(d, "std::", parse_unqualified(d), "") : parse_unqualified(d);
  if (text && *d->at == 'I') {
    remember(d, text);
    d->at++;
    text = with_arguments(d, text);
  }
  return text;
}

// `is_type`: a substitution can stand for all of it.
static const char *parse_name(Demangler *d, bool is_type) {
  if (take(d, "N"))
    return parse_nested(d);
  if (take(d, "Z"))
    return parse_local(d);
  if (*d->at != 'S' || d->at[1] == 't')
    return parse_unscoped(d);
  d->at++;
  const char *text = parse_substitution(d);
  return text && take(d, "I") ? with_arguments(d, text) : is_type ? text : NULL;
}

// --- types

static const char *builtin_type(char c) {
  static const char *const names[] = {"vvoid",        "wwchar_t",
                                      "bbool",        "cchar",
                                      "asigned char", "hunsigned char",
                                      "sshort",       "tunsigned short",
                                      "iint",         "junsigned int",
                                      "llong",        "munsigned long",
                                      "xlong long",   "yunsigned long long",
                                      "n__int128",    "ounsigned __int128",
                                      "ffloat",       "ddouble",
                                      "elong double", "g__float128",
                                      "z..."};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (names[i][0] == c)
      return names[i] + 1;
  return NULL;
}

static const char *parse_extended_type(Demangler *d) {
  static const char *const names[] = {"ndecltype(nullptr)", "hhalf",    "ichar32_t",
                                      "schar16_t",          "uchar8_t", "aauto"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (*d->at == names[i][0]) {
      d->at++;
      return names[i] + 1;
    }
  if (!take(d, "F"))
    return NULL;
  const char *bits = parse_number(d);
  if (take(d, "b"))
    return "std::bfloat16_t";
  return take(d, "_") ? join(d, "_Float", bits, "") : NULL;
}

// The text with `sign` where the name would stand.
static const char *pointer_to(Demangler *d, const char *type, const char *sign) {
  const char *hole = type ? strchr(type, HOLE) : NULL;
  if (!hole)
    return join(d, type, sign, "");
  return join(d, arena_copy_text(d->arena, type, (size_t)(hole - type)), sign, hole);
}

static const char *parse_function_type(Demangler *d) {
  take(d, "Y"); // of C
  const char *result = parse_type(d);
  const char *parameters = result ? parse_types(d) : NULL;
  return join(d, result, " (\1)(", join(d, parameters, ")", ""));
}

static const char *parse_array_type(Demangler *d) {
  const char *size = join(d, " [", parse_number(d), "]");
  const char *type = take(d, "_") ? parse_type(d) : NULL;
  if (type && strchr(type, HOLE))
    return pointer_to(d, type, join(d, "\1", size, ""));
  return join(d, type, " (\1)", size);
}

static const char *parse_template_parameter(Demangler *d) {
  parse_number(d);
  const char *text = take(d, "_") ? "T" : NULL;
  if (text && *d->at == 'I') {
    remember(d, text);
    d->at++;
    text = with_arguments(d, text);
  }
  return text;
}

static const char *parse_qualified(Demangler *d) {
  bool is_volatile = take(d, "V"), is_const = take(d, "K");
  const char *type = parse_type(d);
  return join(d, type, is_const ? " const" : "", is_volatile ? " volatile" : "");
}

static const char *parse_compound(Demangler *d) {
  if (*d->at == 'V' || *d->at == 'K')
    return parse_qualified(d);
  if (take(d, "P"))
    return pointer_to(d, parse_type(d), "*");
  if (take(d, "R"))
    return pointer_to(d, parse_type(d), "&");
  if (take(d, "O"))
    return pointer_to(d, parse_type(d), "&&");
  if (take(d, "F"))
    return parse_function_type(d);
  if (take(d, "A"))
    return parse_array_type(d);
  if (take(d, "T"))
    return parse_template_parameter(d);
  if (take(d, "u"))
    return parse_source_name(d);
  return parse_name(d, true);
}

static const char *parse_unlimited_type(Demangler *d) {
  const char *text = builtin_type(*d->at);
  if (text) {
    d->at++;
    return text;
  }
  if (take(d, "Dp"))
    return remember(d, join(d, parse_type(d), "...", ""));
  if (take(d, "D"))
    return parse_extended_type(d);
  bool is_substitution = d->at[0] == 'S' && d->at[1] != 't';
  uint32_t count = d->substitutions.count;
  const char *begin = d->at;
  text = parse_compound(d);
  bool is_whole = is_substitution && text && d->at[-1] == '_' && strchr(begin, '_') == d->at - 1;
  bool is_standard = is_substitution && d->at - begin == 2;
  return (is_whole || is_standard) && count == d->substitutions.count ? text : remember(d, text);
}

static const char *parse_type(Demangler *d) {
  if (d->depth == MOST_DEPTH)
    return NULL;
  d->depth++;
  const char *text = parse_unlimited_type(d);
  d->depth--;
  return text;
}

// Without holes: "int (\1)(float)" is "int (float)".
static const char *fill_holes(const char *text, Arena *arena) {
  char *filled = arena_alloc(arena, strlen(text) + 1, 1), *to = filled;
  for (; *text; text++) {
    if (strncmp(text, "(\1)", 3) == 0)
      text += text[3] == ' ' ? 3 : 2;
    else if (*text != HOLE)
      *to++ = *text;
  }
  *to = '\0';
  return filled;
}

const char *demangle_function(const char *mangled, Arena *arena) {
  Demangler demangler = {.at = mangled, .arena = arena};
  if (!take(&demangler, "_Z"))
    return NULL;
  const char *text = parse_name(&demangler, false);
  return text ? fill_holes(text, arena) : NULL;
}

// --- what a user means

static bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Without blanks, but between words, and without suffixes of integers.
static char *normalise(const char *text, Arena *arena) {
  char *normal = arena_alloc(arena, strlen(text) + 1, 1), *to = normal;
  for (bool in_number = false; *text; text++) {
    if (*text == ' ' && !(to > normal && is_word(to[-1]) && is_word(text[1])))
      continue;
    bool in_word = to > normal && is_word(to[-1]);
    in_number = is_digit(*text) ? in_number || !in_word : in_number && strchr("uUlL", *text);
    if (!in_number || is_digit(*text))
      *to++ = *text;
  }
  *to = '\0';
  return normal;
}

// Where the last template arguments begin: the `<` of the `>` at the end.
static size_t length_without_arguments(const char *text) {
  size_t length = strlen(text), i = length;
  int32_t depth = 0;
  if (!length || text[length - 1] != '>')
    return length;
  do {
    i--;
    depth += text[i] == '>' ? 1 : text[i] == '<' ? -1 : 0;
  } while (depth > 0 && i > 0);
  return depth == 0 ? i : length;
}

static bool ends_with(const char *text, size_t length, const char *end) {
  size_t end_length = strlen(end);
  if (end_length == 0 || end_length > length ||
      memcmp(text + length - end_length, end, end_length) != 0)
    return false;
  size_t before = length - end_length;
  return before == 0 || (before >= 2 && memcmp(text + before - 2, "::", 2) == 0);
}

bool demangle_matches(const char *demangled, const char *text, Arena *arena) {
  const char *whole = normalise(demangled, arena), *wanted = normalise(text, arena);
  return ends_with(whole, strlen(whole), wanted) ||
         ends_with(whole, length_without_arguments(whole), wanted);
}
