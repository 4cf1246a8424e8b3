#include "api/suppress.h"

#include <string.h>

#include "base/rules.h"

typedef struct Suppression {
  const char *rule;            // "*": any
  const char *file, *function; // patterns; NULL: any
} Suppression;

struct Suppressions {
  ARRAY(Suppression) items;
};

// --- reading

typedef struct Line {
  const Source *source;
  const char *next, *end;
} Line;

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// The next word of the line; false: there is none, or a comment begins.
static bool next_word(Line *line, const char **word, size_t *length) {
  while (line->next < line->end && is_space(*line->next))
    line->next++;
  *word = line->next;
  while (line->next < line->end && !is_space(*line->next))
    line->next++;
  *length = (size_t)(line->next - *word);
  return *length > 0 && **word != '#';
}

static Span span_of(const Line *line, const char *word, size_t length) {
  uint32_t begin = (uint32_t)(word - line->source->text);
  return (Span){line->source, begin, begin + (uint32_t)length};
}

static bool parse_rule(const Line *line, const char *word, size_t length, Arena *arena,
                       DiagList *diags, Suppression *suppression) {
  suppression->rule = arena_copy_text(arena, word, length);
  if (strcmp(suppression->rule, "*") == 0 || rule_find(suppression->rule) != RULE_COUNT)
    return true;
  return diag_syntax(diags, span_of(line, word, length),
                     "expected '*' or a rule (see 'warpsan explain'), found '%s'",
                     suppression->rule);
}

static bool parse_pattern(const Line *line, const char *word, size_t length, Arena *arena,
                          DiagList *diags, Suppression *suppression) {
  static const char file[] = "file=", function[] = "function=";
  size_t file_length = sizeof file - 1, function_length = sizeof function - 1;
  if (length > file_length && memcmp(word, file, file_length) == 0)
    suppression->file = arena_copy_text(arena, word + file_length, length - file_length);
  else if (length > function_length && memcmp(word, function, function_length) == 0)
    suppression->function =
        arena_copy_text(arena, word + function_length, length - function_length);
  else
    return diag_syntax(diags, span_of(line, word, length),
                       "expected file=PATTERN or function=PATTERN, found '%.*s'", (int)length,
                       word);
  return true;
}

static bool parse_line(Line *line, Arena *arena, DiagList *diags, Suppressions *suppressions) {
  Suppression suppression = {0};
  const char *word;
  size_t length;
  if (!next_word(line, &word, &length))
    return true;
  if (!parse_rule(line, word, length, arena, diags, &suppression))
    return false;
  while (next_word(line, &word, &length))
    if (!parse_pattern(line, word, length, arena, diags, &suppression))
      return false;
  array_push(arena, &suppressions->items, suppression);
  return true;
}

Suppressions *suppressions_read(WarpsanSession *session, const char *path, Arena *arena,
                                DiagList *diags) {
  const Source *source =
      input_read_named(session, path, "which is to name findings to hide", arena, diags);
  if (!source)
    return NULL;
  Suppressions *suppressions = ARENA_NEW(arena, Suppressions);
  const char *next = source->text, *end = source->text + source->length;
  bool is_ok = true;
  while (next < end) {
    const char *newline = memchr(next, '\n', (size_t)(end - next));
    Line line = {source, next, newline ? newline : end};
    is_ok &= parse_line(&line, arena, diags, suppressions);
    next = line.end + 1 < end && newline ? newline + 1 : end;
  }
  return is_ok ? suppressions : NULL;
}

// --- applying

// `*` stands for any text, also an empty one.
static bool matches(const char *pattern, const char *text) {
  const char *star = NULL, *retry = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = pattern++;
      retry = text;
    } else if (*pattern == *text) {
      pattern++;
      text++;
    } else if (star) {
      pattern = star + 1;
      text = ++retry;
    } else {
      return false;
    }
  }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

// A pattern without a slash is that of a file's own name.
static bool matches_file(const char *pattern, const char *path) {
  if (strchr(pattern, '/'))
    return matches(pattern, path);
  return matches(pattern, path + input_folder_length(path));
}

static bool names_function(const Suppression *suppression, const Diag *finding) {
  if (strstr(finding->message, suppression->function))
    return true;
  for (uint32_t i = 0; i < finding->notes.count; i++)
    if (strstr(finding->notes.items[i].message, suppression->function))
      return true;
  return false;
}

static bool is_in_file(const Suppression *suppression, const Diag *finding) {
  if (finding->span.source && matches_file(suppression->file, finding->span.source->name))
    return true;
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    const Source *source = finding->notes.items[i].span.source;
    if (source && matches_file(suppression->file, source->name))
      return true;
  }
  return false;
}

static bool is_suppressed(const Suppressions *suppressions, const Diag *finding) {
  for (uint32_t i = 0; i < suppressions->items.count; i++) {
    const Suppression *suppression = &suppressions->items.items[i];
    bool is_rule = strcmp(suppression->rule, "*") == 0 ||
                   strcmp(suppression->rule, finding->rule) == 0 ||
                   (finding->sub && strcmp(suppression->rule, finding->sub) == 0);
    if (is_rule && (!suppression->file || is_in_file(suppression, finding)) &&
        (!suppression->function || names_function(suppression, finding)))
      return true;
  }
  return false;
}

uint64_t suppressions_apply(const Suppressions *suppressions, DiagList *findings) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < findings->count; i++)
    if (!is_suppressed(suppressions, &findings->items[i]))
      findings->items[kept++] = findings->items[i];
  uint32_t suppressed = findings->count - kept;
  findings->count = kept;
  return suppressed;
}
