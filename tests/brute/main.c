// The command:
//   brute --seed S --count N [--mode all|plain|proxy|atomic|barrier|sc] --out DIR
//       writes DIR/NNNN.litmus and, for each of them and each model, a line of DIR/expected.jsonl
//       With `--cas c` a cas is that of C (see has_c_cas)
//   brute --judge FILE...
//       prints, for each test of the files and each model, whether its condition holds
//   brute --selftest FILE...
//       compares the verdicts of tests with those that their comments state: "PTX" (ptx60 and ptx)
//       or a model, then A (the condition holds in some execution) or F; for cuda, rc11, c11 also R
//       (race)
#include "brute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  BUDGET = 4000,           // candidates of a random program under one model
  JUDGE_BUDGET = 20000000, // of a given test
  DISTURBANCES = 2,        // tried on each random program
};

static const char *const mode_names[] = {"all", "plain", "proxy", "atomic", "barrier", "sc"};

typedef struct Options {
  uint64_t seed;
  long count;
  Mode mode;
  bool has_c_cas;
  const char *out;
} Options;

// ---- random programs

static Mode draw_mode(uint64_t random) {
  static const Mode modes[] = {MODE_PLAIN,  MODE_PLAIN,  MODE_PLAIN,   MODE_PROXY, MODE_PROXY,
                               MODE_ATOMIC, MODE_ATOMIC, MODE_BARRIER, MODE_SC,    MODE_SC};
  return modes[random % 10];
}

static bool is_language(Model model) {
  return model == CUDA || model == RC11 || model == C11;
}

static bool is_judged(Mode mode, Model model) {
  return mode != MODE_PROXY || model == PTX;
}

static void write_expected(FILE *file, const char *name, const Program *program, Model model,
                           const Outcome *outcome) {
  fprintf(file, "{\"file\": \"%s\", \"model\": \"%s\", ", name, model_name(model));
  outcome_print(file, program, outcome);
  if (model == PTX || is_language(model))
    fprintf(file, ", \"race\": %s", outcome->race ? "true" : "false");
  fprintf(file, ", \"holds\": %s}\n",
          condition_holds(&program->condition, outcome) ? "true" : "false");
}

static FILE *open_in(const char *directory, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "w");
  if (!file)
    fprintf(stderr, "brute: cannot write %s: %s\n", path, strerror(errno));
  return file;
}

// Enumerates the program under each model; false: too many candidates.
static bool enumerate_all(const Program *program, Mode mode, Outcome *outcomes) {
  bool is_complete = true;
  for (Model model = 0; model < MODEL_COUNT && is_complete; model++) {
    if (!is_judged(mode, model))
      continue;
    outcome_enumerate(&outcomes[model], program, model, BUDGET);
    is_complete = !outcomes[model].is_cut;
  }
  return is_complete;
}

static bool is_same_outcome(const Outcome *a, const Outcome *b) {
  bool is_same = a->executions == b->executions && a->state_count == b->state_count;
  for (int i = 0; i < a->state_count && is_same; i++)
    is_same = memcmp(&a->states[i], &b->states[i], sizeof a->states[i]) == 0;
  return is_same;
}

// Does the synchronisation of the program forbid nothing?
static bool is_dull(const Program *program, Mode mode, const Outcome *outcomes) {
  Program weak = *program;
  bool is_same = true;
  program_weaken(&weak);
  for (Model model = PTX; model <= CUDA && is_same; model++) {
    Outcome outcome;
    if (!is_judged(mode, model))
      continue;
    outcome_enumerate(&outcome, &weak, model, BUDGET);
    is_same = outcome.is_cut || is_same_outcome(&outcome, &outcomes[model]);
    outcome_release(&outcome);
  }
  return is_same;
}

// Most dull programs are not worth a check; atomics and coherence are tested without others.
static bool is_wanted(const Program *program, Mode mode, const Outcome *outcomes, uint64_t random) {
  return mode == MODE_ATOMIC || random % 8 == 0 || !is_dull(program, mode, outcomes);
}

// Writes program number `i`; false if that fails.
static bool write_program(const Options *options, FILE *expected, long i, const Program *program,
                          Mode mode, const Outcome *outcomes) {
  char name[32];
  snprintf(name, sizeof name, "%04ld.litmus", i);
  FILE *file = open_in(options->out, name);
  if (!file)
    return false;
  program_print(file, program);
  bool is_written = fclose(file) == 0;
  for (Model model = 0; model < MODEL_COUNT; model++)
    if (is_judged(mode, model))
      write_expected(expected, name, program, model, &outcomes[model]);
  return is_written;
}

static int generate(const Options *options) {
  FILE *expected = open_in(options->out, "expected.jsonl");
  if (!expected)
    return 2;
  uint64_t random = options->seed;
  long skipped = 0;
  bool is_written = true;
  Program program;
  for (long i = 0; i < options->count && is_written;) {
    Outcome outcomes[MODEL_COUNT] = {0};
    uint64_t seed = random_next(&random);
    Mode mode = options->mode == MODE_ALL ? draw_mode(seed >> 32) : options->mode;
    program_generate(&program, mode, seed);
    program.has_c_cas = options->has_c_cas;
    if (seed % 3 == 0)
      program_disturb(&program, &(uint64_t){seed});
    snprintf(program.title, sizeof program.title, "random-%s-%ld", mode_names[mode], i);
    if (!enumerate_all(&program, mode, outcomes)) {
      skipped++;
    } else if (is_wanted(&program, mode, outcomes, seed)) {
      program_ask(&program, &outcomes[PTX], seed);
      is_written = write_program(options, expected, i++, &program, mode, outcomes);
    }
    for (Model model = 0; model < MODEL_COUNT; model++)
      outcome_release(&outcomes[model]);
  }
  is_written &= fclose(expected) == 0;
  printf("%ld programs, %ld others too large\n", options->count, skipped);
  return is_written ? 0 : 2;
}

// ---- given tests

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  size_t length = 0, capacity = 1 << 20;
  char *text = malloc(capacity + 1);
  if (!file || !text) {
    fprintf(stderr, "brute: cannot read %s\n", path);
    free(text);
    if (file)
      fclose(file);
    return NULL;
  }
  length = fread(text, 1, capacity, file);
  text[length] = '\0';
  fclose(file);
  return text;
}

static void judge_program(const char *path, const Program *program) {
  for (Model model = 0; model < MODEL_COUNT; model++) {
    Outcome outcome;
    outcome_enumerate(&outcome, program, model, JUDGE_BUDGET);
    const char *verdict = outcome.is_cut                                   ? "cut"
                          : condition_holds(&program->condition, &outcome) ? "true"
                                                                           : "false";
    printf("%s\t%s\t%s\t%ld\t%s\n", path, model_name(model), verdict, outcome.executions,
           outcome.race ? "race" : "-");
    outcome_release(&outcome);
  }
}

// 'R' race, 'A' the condition holds in some execution, 'F' in none.
static char find_verdict(const Program *program, Model model) {
  Outcome outcome;
  outcome_enumerate(&outcome, program, model, JUDGE_BUDGET);
  char verdict = outcome.is_cut                                   ? '?'
                 : is_language(model) && outcome.race             ? 'R'
                 : condition_holds(&program->condition, &outcome) ? 'A'
                                                                  : 'F';
  outcome_release(&outcome);
  return verdict;
}

// Compares one statement, as "PTX F" or "cuda R"; returns the number of differences.
static int check_statement(const Program *program, const char *model, char expected) {
  int failed = 0;
  for (Model m = 0; m < MODEL_COUNT; m++) {
    bool is_meant =
        strcmp(model, "PTX") == 0 ? m == PTX60 || m == PTX : strcmp(model, model_name(m)) == 0;
    char found = is_meant ? find_verdict(program, m) : expected;
    if (found == expected)
      continue;
    printf("%s %s: expected %c, found %c\n", program->title, model_name(m), expected, found);
    failed++;
  }
  return failed;
}

static int check_program(const Program *program) {
  char model[16], verdict;
  int failed = 0, length = 0;
  for (const char *at = program->comment; sscanf(at, "%15s %c%n", model, &verdict, &length) == 2;
       at += length)
    failed += check_statement(program, model, verdict);
  return failed;
}

// Hands each test of the files to the selftest or prints its verdicts.
static int visit_files(char **paths, bool is_selftest) {
  int failed = 0, passed = 0;
  for (; *paths; paths++) {
    char *text = read_file(*paths);
    if (!text)
      return 2;
    for (char *at = text; *at;) {
      Program program;
      const char *error = program_read(&at, &program);
      if (error) {
        printf("%s\tskipped\t%s\n", *paths, error);
        failed += is_selftest;
        break;
      }
      if (!is_selftest)
        judge_program(*paths, &program);
      else if (check_program(&program))
        failed++;
      else
        passed++;
    }
    free(text);
  }
  if (is_selftest)
    printf("%d passed, %d failed\n", passed, failed);
  return failed ? 1 : 0;
}

// ---- command line

static bool parse_number(const char *text, long *number) {
  char *end;
  *number = strtol(text, &end, 10);
  return *text && !*end && *number >= 0;
}

static bool parse_mode(const char *text, Mode *mode) {
  for (*mode = 0; *mode < MODE_COUNT; ++*mode)
    if (strcmp(text, mode_names[*mode]) == 0)
      return true;
  return false;
}

static bool parse_options(char **arguments, Options *options) {
  for (; arguments[0]; arguments += 2) {
    long number = 0;
    const char *name = arguments[0], *value = arguments[1];
    bool is_known = value != NULL;
    if (is_known && strcmp(name, "--seed") == 0 && parse_number(value, &number))
      options->seed = (uint64_t)number;
    else if (is_known && strcmp(name, "--count") == 0)
      is_known = parse_number(value, &options->count);
    else if (is_known && strcmp(name, "--mode") == 0)
      is_known = parse_mode(value, &options->mode);
    else if (is_known && strcmp(name, "--cas") == 0 && strcmp(value, "c") == 0)
      options->has_c_cas = true;
    else if (is_known && strcmp(name, "--out") == 0)
      options->out = value;
    else
      is_known = false;
    if (!is_known)
      return false;
  }
  return options->out != NULL;
}

int main(int argc, char **argv) {
  Options options = {.seed = 1, .count = 1000};
  if (argc > 2 && strcmp(argv[1], "--judge") == 0)
    return visit_files(argv + 2, false);
  if (argc > 2 && strcmp(argv[1], "--selftest") == 0)
    return visit_files(argv + 2, true);
  if (parse_options(argv + 1, &options))
    return generate(&options);
  fprintf(stderr,
          "usage: brute --seed S --count N [--mode all|plain|proxy|atomic|barrier|sc] "
          "[--cas c] --out DIR\n       brute --judge FILE...\n       brute --selftest FILE...\n");
  return 2;
}
