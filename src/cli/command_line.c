#include "cli/command_line.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nearest.h"

const CommandInfo command_infos[COMMAND_COUNT] = {
#define COMMAND(identifier, name, operands, help) {name, operands, help},
#include "cli/commands.def"
#undef COMMAND
};

const OptionInfo option_infos[OPTION_COUNT] = {
#define OPTION(identifier, letter, name, argument, commands, help)                                 \
  {letter, name, argument, commands, help},
#include "cli/options.def"
#undef OPTION
};

void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("warpsan: error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

// ---- values

static bool complain_value(OptionNumber option, const char *expected, const char *found) {
  complain("expected %s after --%s, found '%s'", expected, option_infos[option].name, found);
  return false;
}

// A decimal number and nothing else; false if it is none or too large.
static bool parse_number(const char *text, uint64_t most, uint64_t *number, const char **rest) {
  if (text[0] < '0' || text[0] > '9')
    return false;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno != 0 || value > most)
    return false;
  *number = value;
  *rest = end;
  return true;
}

static bool set_count(OptionNumber option, const char *text, uint64_t most, uint64_t *count) {
  const char *rest;
  if (parse_number(text, most, count, &rest) && *rest == '\0' && *count > 0)
    return true;
  return complain_value(option, "a number above 0", text);
}

static bool set_small_count(OptionNumber option, const char *text, unsigned most, unsigned *count) {
  uint64_t number;
  if (!set_count(option, text, most, &number))
    return false;
  *count = (unsigned)number;
  return true;
}

static bool set_bytes(OptionNumber option, const char *text, uint64_t *bytes) {
  static const char units[] = "KMG";
  const char *rest;
  if (!parse_number(text, UINT64_MAX >> 30, bytes, &rest) || *bytes == 0)
    return complain_value(option, "a number of bytes", text);
  const char *unit = *rest ? strchr(units, *rest) : NULL;
  if (unit) {
    *bytes <<= 10 * (unit - units + 1);
    rest++;
  }
  return *rest == '\0' || complain_value(option, "a number of bytes, with K, M or G", text);
}

static bool set_seconds(OptionNumber option, const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  if (end != text && *end == '\0' && isfinite(*seconds) && *seconds > 0)
    return true;
  return complain_value(option, "a number of seconds above 0", text);
}

// The index of a text in a list, -1 if it is not there.
static int find_choice(const char *const *choices, int count, const char *text) {
  for (int i = 0; i < count; i++)
    if (strcmp(choices[i], text) == 0)
      return i;
  return -1;
}

static bool set_format(CommandLine *line, const char *text) {
  static const char *const formats[] = {"text", "json", "sarif", "html", "dot"};
  int count = line->command == COMMAND_OUTCOMES ? 2 : 5;
  int choice = find_choice(formats, count, text);
  if (choice < 0)
    return complain_value(OPTION_FORMAT,
                          count == 2 ? "text or json" : "text, json, sarif, html or dot", text);
  line->format = (WarpsanFormat)choice;
  return true;
}

static bool set_color(CommandLine *line, const char *text) {
  static const char *const choices[] = {"auto", "always", "never"};
  int choice = find_choice(choices, 3, text);
  if (choice < 0)
    return complain_value(OPTION_COLOR, "auto, always or never", text);
  line->color = (ColorChoice)choice;
  return true;
}

// Cuts the first item off a list that is separated by commas; NULL at the end.
static char *next_item(char **list) {
  char *item = *list;
  if (!item)
    return NULL;
  char *comma = strchr(item, ',');
  if (comma)
    *comma = '\0';
  *list = comma ? comma + 1 : NULL;
  return item;
}

static bool add_properties(CommandLine *line, char *list) {
  static const char *const names[] = {"program", "termination", "race"};
  char *item;
  while ((item = next_item(&list))) {
    int choice = find_choice(names, 3, item);
    if (choice < 0)
      return complain_value(OPTION_PROPERTY, "program, termination or race", item);
    line->check.properties |= 1u << choice;
  }
  return true;
}

static bool add_models(CommandLine *line, OptionNumber option, char *list) {
  char *item;
  while ((item = next_item(&list))) {
    if (item[0] == '\0')
      return complain_value(option, "the name of a model", item);
    if (find_choice((const char *const *)line->models, (int)line->model_count, item) >= 0)
      continue; // asked for already
    if (line->model_count == MOST_MODELS) {
      complain("expected at most %d models", MOST_MODELS);
      return false;
    }
    line->models[line->model_count++] = item;
  }
  return true;
}

static bool set_level(CommandLine *line, const char *text) {
  static const char *const levels[] = {"ptx", "cuda"};
  int choice = find_choice(levels, 2, text);
  if (choice < 0)
    return complain_value(OPTION_LEVEL, "ptx or cuda", text);
  line->check.level = (WarpsanLevel)choice;
  return true;
}

static bool set_symmetry(CommandLine *line, const char *text) {
  static const char *const uses[] = {"auto", "always", "never"};
  int choice = find_choice(uses, 3, text);
  if (choice < 0)
    return complain_value(OPTION_SYMMETRY, "auto, always or never", text);
  line->check.symmetry = (WarpsanSymmetry)choice;
  return true;
}

static bool set_schedule(CommandLine *line, const char *text) {
  static const char *const schedules[] = {"random", "round-robin", "pct"};
  int choice = find_choice(schedules, 3, text);
  if (choice < 0)
    return complain_value(OPTION_SCHEDULE, "random, round-robin or pct", text);
  line->run.schedule = (WarpsanSchedule)choice;
  return true;
}

static bool set_volatile(CommandLine *line, const char *text) {
  static const char *const meanings[] = {"weak", "strong"};
  int choice = find_choice(meanings, 2, text);
  if (choice < 0)
    return complain_value(OPTION_VOLATILE, "weak or strong", text);
  line->run.volatile_access = (WarpsanVolatile)(WARPSAN_VOLATILE_WEAK + choice);
  return true;
}

static bool set_seed(CommandLine *line, const char *text) {
  const char *rest;
  if (parse_number(text, UINT64_MAX, &line->run.seed, &rest) && *rest == '\0')
    return true;
  return complain_value(OPTION_SEED, "a number", text);
}

static bool set_relation(CommandLine *line, const char *text) {
  static const char *const relations[] = {"concurrent", "sequential", "pdl"};
  line->check.relation = text;
  return find_choice(relations, 3, text) >= 0 ||
         complain_value(OPTION_RELATION, "concurrent, sequential or pdl", text);
}

static bool add_text(OptionNumber option, const char *text, TextList *list) {
  if (list->count == MOST_TEXTS) {
    complain("expected --%s at most %d times", option_infos[option].name, MOST_TEXTS);
    return false;
  }
  list->items[list->count++] = text;
  return true;
}

static bool add_dump(CommandLine *line, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || equals[1] == '\0')
    return complain_value(OPTION_DUMP, "NAME=FILE", text);
  return add_text(OPTION_DUMP, text, &line->dumps);
}

static bool set_path(OptionNumber option, const char *text, const char **path) {
  *path = text;
  return text[0] != '\0' || complain_value(option, "the name of a file", text);
}

// `value` is NULL for options without an argument.
static bool apply_option(CommandLine *line, OptionNumber option, char *value) {
  switch (option) {
  case OPTION_MODEL:
  case OPTION_MODELS:
    return add_models(line, option, value);
  case OPTION_PROPERTY:
    return add_properties(line, value);
  case OPTION_LAUNCH:
    return add_text(option, value, &line->launches);
  case OPTION_LAUNCH_FROM:
    return set_path(option, value, &line->check.launch_file);
  case OPTION_FINAL:
    return add_text(option, value, &line->finals);
  case OPTION_RELATION:
    return set_relation(line, value);
  case OPTION_LEVEL:
    return set_level(line, value);
  case OPTION_MACHINE:
    return set_path(option, value, &line->check.machine);
  case OPTION_EXPECT:
    line->check.expectation = value;
    return true;
  case OPTION_EXPLORE_RACES:
    return line->check.explore_races = true;
  case OPTION_EXPLORE_ALL:
    return line->check.explore_all = true;
  case OPTION_SYMMETRY:
    return set_symmetry(line, value);
  case OPTION_SEED:
    return set_seed(line, value);
  case OPTION_RUNS:
    return set_small_count(option, value, 1000000, &line->run.runs);
  case OPTION_SCHEDULE:
    return set_schedule(line, value);
  case OPTION_PERTURB:
    return line->run.perturb = true;
  case OPTION_WEAK:
    return line->run.weak = true;
  case OPTION_SPLIT_VECTORS:
    return line->run.split_vectors = true;
  case OPTION_VOLATILE:
    return set_volatile(line, value);
  case OPTION_NO_RACES:
    return line->run.omit_races = true;
  case OPTION_HIDE_SAME_VALUE:
    return line->run.hide_same_value = true;
  case OPTION_ALL_RACES:
    return line->run.all_races = true;
  case OPTION_MAX_INSTRUCTIONS:
    return set_count(option, value, UINT64_MAX, &line->run.max_instructions);
  case OPTION_SUPPRESS:
    return set_path(option, value, &line->check.suppressions);
  case OPTION_DUMP:
    return add_dump(line, value);
  case OPTION_NVCC:
    return set_path(option, value, &line->check.nvcc);
  case OPTION_NVCC_FLAGS:
    line->check.nvcc_flags = value;
    return true;
  case OPTION_CLANG:
    return set_path(option, value, &line->check.clang);
  case OPTION_CLANG_FLAGS:
    line->check.clang_flags = value;
    return true;
  case OPTION_UNROLL:
    return set_small_count(option, value, 1000000, &line->check.unroll);
  case OPTION_JOBS:
    return set_small_count(option, value, 1024, &line->check.jobs);
  case OPTION_TIMEOUT:
    return set_seconds(option, value, &line->check.timeout_seconds);
  case OPTION_STOP_AFTER_FINDING:
    return set_seconds(option, value, &line->check.seconds_after_finding);
  case OPTION_MAX_EXECUTIONS:
    return set_count(option, value, UINT64_MAX, &line->check.max_executions);
  case OPTION_MEMORY:
    return set_bytes(option, value, &line->check.memory_bytes);
  case OPTION_INTERPRET:
    return line->check.interpret = true;
  case OPTION_FORMAT:
    return set_format(line, value);
  case OPTION_COLOR:
    return set_color(line, value);
  case OPTION_STATES:
    return line->all_states = true;
  case OPTION_NO_WITNESS:
    return line->check.omit_witness = true;
  case OPTION_QUIET:
    return line->quiet = true;
  case OPTION_OUTPUT:
    return set_path(option, value, &line->output);
  case OPTION_LIST:
    return line->list = true;
  case OPTION_PRINT:
    return line->print = true;
  case OPTION_MAN:
    return line->man = true;
  case OPTION_HELP:
    return line->help = true;
  case OPTION_COUNT:
    break;
  }
  return false;
}

// ---- finding options

// What is left to read of the command line.
typedef struct Cursor {
  char **next;
  char **end;
} Cursor;

static bool is_of_command(const CommandLine *line, OptionNumber option) {
  return option_infos[option].commands & (1u << line->command);
}

static bool complain_unknown(const CommandLine *line, const char *found) {
  char see[NEAREST_BYTES], text[NEAREST_BYTES];
  const char *command = command_infos[line->command].name;
  const char *name = found + strspn(found, "-");
  Nearest nearest = nearest_begin(name, strcspn(name, "="));
  for (int i = 0; i < OPTION_COUNT; i++)
    if (is_of_command(line, (OptionNumber)i))
      nearest_offer(&nearest, option_infos[i].name);
  snprintf(see, sizeof see, "see 'warpsan help %s'", command);
  complain("expected an option of '%s', found '%s'; %s", command, found,
           nearest_hint(&nearest, "--", see, text));
  return false;
}

// Takes the option's argument: what stands behind it in the same word, or else the next word.
static bool apply_with_value(CommandLine *line, OptionNumber option, char *attached,
                             Cursor *cursor) {
  if (attached)
    return apply_option(line, option, attached);
  if (cursor->next == cursor->end) {
    complain("expected %s after --%s, found nothing", option_infos[option].argument,
             option_infos[option].name);
    return false;
  }
  return apply_option(line, option, *cursor->next++);
}

// `--name`, `--name=value` or `--name value`; `word` begins behind the hyphens.
static bool parse_long(CommandLine *line, char *word, Cursor *cursor) {
  size_t length = strcspn(word, "=");
  for (int i = 0; i < OPTION_COUNT; i++) {
    const OptionInfo *info = &option_infos[i];
    if (!is_of_command(line, (OptionNumber)i) || strlen(info->name) != length ||
        strncmp(info->name, word, length) != 0)
      continue;
    char *attached = word[length] ? word + length + 1 : NULL;
    if (info->argument)
      return apply_with_value(line, (OptionNumber)i, attached, cursor);
    if (!attached)
      return apply_option(line, (OptionNumber)i, NULL);
    complain("expected no value for --%s, found '%s'", info->name, attached);
    return false;
  }
  return complain_unknown(line, word - 2);
}

// `-q`, `-j 4` or `-j4`, and several letters in one word; `word` begins behind the hyphen.
static bool parse_short(CommandLine *line, char *word, Cursor *cursor) {
  char *whole = word - 1;
  while (*word) {
    int i = 0;
    while (i < OPTION_COUNT &&
           !(option_infos[i].letter == *word && is_of_command(line, (OptionNumber)i)))
      i++;
    if (i == OPTION_COUNT)
      return complain_unknown(line, whole);
    word++;
    if (option_infos[i].argument)
      return apply_with_value(line, (OptionNumber)i, *word ? word : NULL, cursor);
    if (!apply_option(line, (OptionNumber)i, NULL))
      return false;
  }
  return true;
}

static bool parse_words(CommandLine *line, Cursor *cursor) {
  line->operands = cursor->next;
  bool has_ended = false; // `--` was seen: the rest are operands
  while (cursor->next < cursor->end) {
    char *word = *cursor->next++;
    if (has_ended || word[0] != '-' || word[1] == '\0')
      line->operands[line->operand_count++] = word;
    else if (strcmp(word, "--") == 0)
      has_ended = true;
    else if (!(word[1] == '-' ? parse_long(line, word + 2, cursor)
                              : parse_short(line, word + 1, cursor)))
      return false;
  }
  return true;
}

bool command_find(const char *word, CommandNumber *command) {
  Nearest nearest = nearest_begin(word, strlen(word));
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(command_infos[i].name, word) == 0) {
      *command = (CommandNumber)i;
      return true;
    }
    nearest_offer(&nearest, command_infos[i].name);
  }
  char text[NEAREST_BYTES];
  complain("expected a command, found '%s'; %s", word,
           nearest_hint(&nearest, "", "see 'warpsan help'", text));
  return false;
}

// The usual options instead of a sub-command are understood too.
static bool find_command(const char *word, CommandNumber *command) {
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    word = "help";
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
    word = "version";
  return command_find(word, command);
}

// Options that say nothing without another one.
static bool check_options(const CommandLine *line) {
  if (!line->run.split_vectors || line->run.weak)
    return true;
  complain("expected --weak with --split-vectors, found none");
  return false;
}

bool command_line_parse(CommandLine *line, int argument_count, char **arguments) {
  *line = (CommandLine){.check = WARPSAN_OPTIONS_INIT, .run = WARPSAN_RUN_OPTIONS_INIT};
  if (argument_count < 2) {
    complain("expected a command, found nothing; see 'warpsan help'");
    return false;
  }
  if (!find_command(arguments[1], &line->command))
    return false;
  Cursor cursor = {arguments + 2, arguments + argument_count};
  return parse_words(line, &cursor) && check_options(line);
}
