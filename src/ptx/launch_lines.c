// Where launch lines stand: in comments of code, and in texts of the command line.
#include "ptx/launch_parser.h"

#include <string.h>

static const char *const line_keys[LAUNCH_LINE_OTHER] = {"launch",  "final",   "relation", "expect",
                                                         "buffers", "machine", "allocate", "accept",
                                                         "where",   "level"};

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static uint32_t skip_blanks(const Source *source, uint32_t at, uint32_t end) {
  while (at < end && is_blank(source->text[at]))
    at++;
  return at;
}

static bool starts_with(const Source *source, uint32_t at, uint32_t end, const char *text) {
  size_t length = strlen(text);
  return end - at >= length && memcmp(source->text + at, text, length) == 0;
}

// `KEY:` at `at`; `*at` is then behind it.
static LaunchLineKey take_key(const Source *source, uint32_t *at, uint32_t end) {
  for (LaunchLineKey key = 0; key < LAUNCH_LINE_OTHER; key++) {
    if (!starts_with(source, *at, end, line_keys[key]))
      continue;
    uint32_t colon = skip_blanks(source, *at + (uint32_t)strlen(line_keys[key]), end);
    if (colon == end || source->text[colon] != ':')
      continue;
    *at = colon + 1;
    return key;
  }
  return LAUNCH_LINE_OTHER;
}

// Where a literal that begins at `at` ends, on this line at the latest.
static uint32_t skip_literal(const Source *source, uint32_t at, uint32_t end) {
  char quote = source->text[at++];
  while (at < end && source->text[at] != quote)
    at += source->text[at] == '\\' ? 2 : 1;
  return at < end ? at + 1 : end;
}

// The quote of 1'000'000 begins no literal.
static bool is_separator(const Source *source, uint32_t at, uint32_t begin) {
  return source->text[at] == '\'' && at > begin &&
         strchr("0123456789abcdefABCDEF", source->text[at - 1]) && source->text[at - 1];
}

// Reads a line of code. Does a block comment go on behind it?
static bool ends_in_comment(const Source *source, uint32_t begin, uint32_t end, bool in_comment) {
  uint32_t at = begin;
  while (at < end) {
    if (in_comment) {
      in_comment = !starts_with(source, at, end, "*/");
      at += in_comment ? 1 : 2;
    } else if (starts_with(source, at, end, "//")) {
      return false;
    } else if (starts_with(source, at, end, "/*")) {
      in_comment = true;
      at += 2;
    } else if (strchr("\"'", source->text[at]) && source->text[at] &&
               !is_separator(source, at, begin)) {
      at = skip_literal(source, at, end);
    } else {
      at++;
    }
  }
  return in_comment;
}

static bool is_python(const Source *source) {
  size_t length = strlen(source->name);
  return length > 3 && strcmp(source->name + length - 3, ".py") == 0;
}

// One line outside of block comments.
static void collect_line(Arena *arena, LaunchLineList *lines, const LaunchInput *input,
                         uint32_t begin, uint32_t end) {
  const Source *source = input->source;
  const char *mark = is_python(source) ? "#" : "//";
  uint32_t at = skip_blanks(source, begin, end);
  bool is_comment = starts_with(source, at, end, mark);
  if (is_comment)
    at = skip_blanks(source, at + (uint32_t)strlen(mark), end);
  else if (input->kind == LAUNCH_INPUT_COMMENTS)
    return;
  LaunchLineKey key = take_key(source, &at, end);
  if (key != LAUNCH_LINE_OTHER)
    array_push(arena, lines, (LaunchLine){key, source, at, end});
}

static bool has_launch(const LaunchLineList *lines, uint32_t first) {
  for (uint32_t i = first; i < lines->count; i++)
    if (lines->items[i].key == LAUNCH_LINE_LAUNCH)
      return true;
  return false;
}

// In code without a launch line, `// final: ...` is prose.
static void collect_file(Arena *arena, LaunchLineList *lines, const LaunchInput *input) {
  const Source *source = input->source;
  uint32_t first = lines->count;
  bool in_comment = false;
  for (uint32_t begin = 0; begin < source->length;) {
    const char *newline = memchr(source->text + begin, '\n', source->length - begin);
    uint32_t end = newline ? (uint32_t)(newline - source->text) : source->length;
    if (!in_comment)
      collect_line(arena, lines, input, begin, end);
    in_comment = !is_python(source) && ends_in_comment(source, begin, end, in_comment);
    begin = newline ? end + 1 : end;
  }
  if (input->kind == LAUNCH_INPUT_COMMENTS && !has_launch(lines, first))
    lines->count = first;
}

// A text of the command line: the key may stand before it.
static void collect_text(Arena *arena, LaunchLineList *lines, const LaunchInput *input) {
  const Source *source = input->source;
  LaunchLineKey key = (LaunchLineKey)(input->kind - LAUNCH_INPUT_LAUNCH);
  uint32_t at = skip_blanks(source, 0, source->length);
  if (starts_with(source, at, source->length, "//"))
    at = skip_blanks(source, at + 2, source->length);
  uint32_t behind = at;
  if (take_key(source, &behind, source->length) == key)
    at = behind;
  array_push(arena, lines, (LaunchLine){key, source, at, source->length});
}

LaunchLineList launch_collect_lines(Arena *arena, const LaunchInput *inputs, uint32_t input_count) {
  LaunchLineList lines = {0};
  for (uint32_t i = 0; i < input_count; i++) {
    if (inputs[i].kind <= LAUNCH_INPUT_LINES)
      collect_file(arena, &lines, &inputs[i]);
    else
      collect_text(arena, &lines, &inputs[i]);
  }
  return lines;
}

bool launch_has_lines(const Source *source, Arena *arena) {
  LaunchLineList lines = {0};
  LaunchInput input = {LAUNCH_INPUT_COMMENTS, source};
  collect_file(arena, &lines, &input);
  return has_launch(&lines, 0);
}
