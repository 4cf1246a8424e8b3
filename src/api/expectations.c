#include "api/expectations.h"

#include <inttypes.h>
#include <string.h>

#include "base/rules.h"

// A piece of an expectation's text, with the place it has in the source.
typedef struct Words {
  const char *text; // what is left, zero terminated
  const char *begin;
  Span whole; // of the expectation; without a source if it was not found there
  Arena *arena;
  DiagList *diags;
} Words;

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_spaces(Words *words) {
  while (is_space(*words->text))
    words->text++;
}

static Span word_span(const Words *words, const char *word, size_t length) {
  Span span = words->whole;
  if (span.source) {
    span.begin += (uint32_t)(word - words->begin);
    span.end = span.begin + (uint32_t)length;
  }
  return span;
}

// The next word, up to white space or one of `stops`.
static size_t next_word(Words *words, const char *stops, const char **word) {
  skip_spaces(words);
  *word = words->text;
  while (*words->text && !is_space(*words->text) && !strchr(stops, *words->text))
    words->text++;
  return (size_t)(words->text - *word);
}

static bool is_word(const char *word, size_t length, const char *expected) {
  return strlen(expected) == length && memcmp(word, expected, length) == 0;
}

// `executions=N`
static bool parse_executions(const char *word, size_t length, uint64_t *executions) {
  static const char key[] = "executions=";
  size_t key_length = sizeof key - 1;
  if (length <= key_length || length > key_length + 18 || memcmp(word, key, key_length) != 0)
    return false;
  *executions = 0;
  for (size_t i = key_length; i < length; i++) {
    if (word[i] < '0' || word[i] > '9')
      return false;
    *executions = *executions * 10 + (uint64_t)(word[i] - '0');
  }
  return true;
}

static bool parse_kind(const char *word, size_t length, Expectation *expectation) {
  static const struct {
    const char *word;
    ExpectationKind kind;
  } kinds[] = {
      {"allowed", EXPECT_ALLOWED},
      {"forbidden", EXPECT_FORBIDDEN},
      {"race=yes", EXPECT_RACE},
      {"race=no", EXPECT_NO_RACE},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (is_word(word, length, kinds[i].word)) {
      expectation->kind = kinds[i].kind;
      return true;
    }
  expectation->kind = EXPECT_EXECUTIONS;
  return parse_executions(word, length, &expectation->executions);
}

// `MODEL:`
static bool parse_model(Words *words, const char **model) {
  const char *word;
  size_t length = next_word(words, ":", &word);
  if (length == 0)
    return diag_syntax(words->diags, word_span(words, word, 0),
                       "expected the name of a model in an expectation");
  *model = arena_copy_text(words->arena, word, length);
  skip_spaces(words);
  if (*words->text != ':')
    return diag_syntax(words->diags, word_span(words, words->text, 0),
                       "expected ':' after the model of an expectation");
  words->text++;
  return true;
}

static bool parse_word(Words *words, const char *word, size_t length, const char *model,
                       ExpectationList *expectations) {
  Expectation expectation = {.model = model, .span = word_span(words, word, length)};
  if (!parse_kind(word, length, &expectation))
    return diag_syntax(words->diags, expectation.span,
                       "expected 'allowed', 'forbidden', 'race=yes', 'race=no' or 'executions=N' "
                       "in an expectation, found '%.*s'",
                       length > 60 ? 60 : (int)length, word);
  array_push(words->arena, &expectations->list, expectation);
  return true;
}

static bool parse_expectation(Words *words, ExpectationList *expectations) {
  const char *model = NULL, *word;
  if (strncmp(words->text, "expect ", 7) == 0)
    words->text += 7;
  if (!parse_model(words, &model))
    return false;
  size_t length;
  while ((length = next_word(words, "", &word)) > 0)
    if (!parse_word(words, word, length, model, expectations))
      return false;
  return true;
}

// Expectations are verbatim parts of the source.
static Span find_text(const Source *source, const char *text) {
  const char *found = strstr(source->text, text);
  if (!found)
    return (Span){0};
  uint32_t begin = (uint32_t)(found - source->text);
  return (Span){source, begin, begin + (uint32_t)strlen(text)};
}

bool expectations_parse(const LitmusTest *test, const Source *source, Arena *arena,
                        ExpectationList *expectations, DiagList *diags) {
  bool is_ok = true;
  for (uint32_t i = 0; i < test->expectation_count; i++) {
    const char *text = test->expectations[i];
    Words words = {text, text, find_text(source, text), arena, diags};
    is_ok &= parse_expectation(&words, expectations);
  }
  return is_ok;
}

static bool is_reached(const Result *result) {
  for (uint32_t i = 0; i < result->state_count; i++)
    if (result->states[i].satisfies)
      return true;
  return false;
}

static bool has_race(const Result *result) {
  for (uint32_t i = 0; i < result->findings.count; i++)
    if (strcmp(result->findings.items[i].rule, rule_id(RULE_DATA_RACE)) == 0)
      return true;
  return false;
}

static void report_miss(Result *result, const Expectation *expectation, const char *expected,
                        const char *found) {
  diag_add(&result->findings, SEVERITY_ERROR, rule_id(RULE_EXPECTATION), expectation->span,
           "expected %s under %s, found %s", expected, result->model, found);
}

static void compare_verdict(const Expectation *expectation, Result *result) {
  bool is_allowed = is_reached(result);
  bool is_wanted = expectation->kind == EXPECT_ALLOWED;
  if (!is_allowed && !result->complete)
    return; // not certain, and reported as such
  if (is_allowed == is_wanted)
    result->verdict_is_expected = true;
  else
    report_miss(result, expectation, is_wanted ? "'allowed'" : "'forbidden'",
                is_wanted ? "'forbidden'" : "'allowed'");
}

static void compare_race(const Expectation *expectation, Result *result) {
  bool is_racy = has_race(result);
  bool is_wanted = expectation->kind == EXPECT_RACE;
  if (!is_racy && !result->complete)
    return;
  if (is_racy && is_wanted)
    result->race_is_expected = true;
  else if (is_racy != is_wanted)
    report_miss(result, expectation, is_wanted ? "a race" : "no race", is_wanted ? "none" : "one");
}

static void compare_executions(const Expectation *expectation, Result *result) {
  if (!result->complete || result->executions == expectation->executions)
    return;
  diag_add(&result->findings, SEVERITY_ERROR, rule_id(RULE_EXPECTATION), expectation->span,
           "expected %" PRIu64 " executions under %s, found %" PRIu64, expectation->executions,
           result->model, result->executions);
}

void expectations_compare(const ExpectationList *expectations, bool races_checked, Result *result) {
  for (uint32_t i = 0; i < expectations->list.count; i++) {
    const Expectation *expectation = &expectations->list.items[i];
    if (strcmp(expectation->model, result->model) != 0)
      continue;
    bool is_race = expectation->kind == EXPECT_RACE || expectation->kind == EXPECT_NO_RACE;
    if (is_race && races_checked)
      compare_race(expectation, result);
    else if (expectation->kind == EXPECT_EXECUTIONS)
      compare_executions(expectation, result);
    else if (!is_race && result->condition != CONDITION_NONE)
      compare_verdict(expectation, result);
  }
}
