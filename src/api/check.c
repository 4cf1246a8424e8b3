// warpsan_check_file and warpsan_check_text: from an input to a result for each model.
#include "api/expectations.h"
#include "api/input.h"
#include "api/session.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "explore/explore.h"
#include "litmus/litmus.h"

enum { DEFAULT_UNROLL = 8, MOST_JOBS = 1024 };

_Static_assert((int)WARPSAN_PROPERTY_PROGRAM == (int)EXPLORE_CONDITION &&
                   (int)WARPSAN_PROPERTY_TERMINATION == (int)EXPLORE_TERMINATION &&
                   (int)WARPSAN_PROPERTY_RACE == (int)EXPLORE_RACE,
               "properties are passed on as they are");

typedef struct Check {
  const char *name;
  const char *text; // NULL: read the file `name`
  size_t length;
  WarpsanOptions options; // defaults filled in, except for the models
  WarpsanResults *results;
  atomic_flag is_in_progress; // a worker is in the caller's progress function
} Check;

// A parsed input.
typedef struct Input {
  const Source *source;
  const LitmusTest *test;
  ExpectationList expectations;
} Input;

// Options of a caller that was built against an earlier version are shorter.
static bool resolve_options(const WarpsanOptions *given, WarpsanOptions *resolved) {
  *resolved = (WarpsanOptions)WARPSAN_OPTIONS_INIT;
  if (given) {
    if (given->size < sizeof given->size || given->size > sizeof *given)
      return false;
    memcpy(resolved, given, given->size);
  }
  if (resolved->properties > WARPSAN_PROPERTY_ALL || resolved->jobs > MOST_JOBS ||
      !(resolved->timeout_seconds >= 0))
    return false;
  if (resolved->properties == 0)
    resolved->properties = WARPSAN_PROPERTY_ALL;
  if (resolved->unroll == 0)
    resolved->unroll = DEFAULT_UNROLL;
  if (resolved->jobs == 0)
    resolved->jobs = 1;
  return true;
}

static bool read_input(WarpsanSession *session, const Check *check, Input *input, DiagList *diags) {
  Arena *arena = &check->results->arena;
  if (check->text)
    input->source = input_copy(check->name, check->text, check->length, arena, diags);
  else if (strcmp(check->name, "-") == 0)
    input->source = input_read_standard(arena, diags);
  else
    input->source = input_read(session, check->name, arena, diags);
  if (!input->source)
    return false;
  input->test = litmus_parse(input->source, arena, diags);
  return input->test &&
         expectations_parse(input->test, input->source, arena, &input->expectations, diags);
}

// Workers call this whenever they like; the caller is promised one call at a time.
static void report_progress(void *context, uint64_t executions) {
  Check *check = context;
  if (atomic_flag_test_and_set(&check->is_in_progress))
    return;
  check->options.progress(check->options.progress_context, executions);
  atomic_flag_clear(&check->is_in_progress);
}

static ExploreOptions explore_options(Check *check, const Model *model) {
  const WarpsanOptions *options = &check->options;
  return (ExploreOptions){
      .model = model,
      .properties = options->properties,
      .unroll = options->unroll,
      .jobs = options->jobs,
      .max_executions = options->max_executions,
      .timeout_seconds = options->timeout_seconds,
      .memory_bytes = (size_t)options->memory_bytes,
      .want_witness = !options->omit_witness,
      .progress = options->progress ? report_progress : NULL,
      .progress_context = check,
  };
}

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void judge(Check *check, const Input *input, const Model *model) {
  const LitmusTest *test = input->test;
  Arena *arena = &check->results->arena;
  ExploreOptions options = explore_options(check, model);
  double begin = now_seconds();
  Result *result = explore_program(&test->program, &test->condition, &options, arena);
  result->seconds = now_seconds() - begin;
  result->input = input->source->name;
  result->name = test->program.name;
  result->model = arena_copy_text(arena, model->name, strlen(model->name));
  result->engine = "explore";
  if (!(check->options.properties & WARPSAN_PROPERTY_PROGRAM))
    result->condition = CONDITION_NONE; // states are still those that the filter lets through
  expectations_compare(&input->expectations, check->options.properties & WARPSAN_PROPERTY_RACE,
                       result);
  array_push(arena, &check->results->list, result);
}

static bool judge_by_name(WarpsanSession *session, Check *check, const Input *input,
                          const char *name) {
  const LoadedModel *loaded = session_load_model(session, name, check->options.interpret);
  if (loaded->model)
    judge(check, input, loaded->model);
  else
    results_add_errors(check->results, name, loaded->diags, loaded->diag_count);
  return loaded->model != NULL;
}

static const char *default_model(const LitmusTest *test) {
  return test->dialect == LITMUS_X86 ? "tso" : "ptx";
}

static WarpsanStatus run_check(WarpsanSession *session, void *context) {
  Check *check = context;
  Input input = {0};
  DiagList diags;
  diag_list_init(&diags, &check->results->arena);
  if (!read_input(session, check, &input, &diags)) {
    results_add_errors(check->results, input.source ? input.source->name : check->name, diags.items,
                       diags.count);
    return WARPSAN_BAD_INPUT;
  }
  const char *model = default_model(input.test);
  bool has_default = check->options.model_count == 0;
  const char *const *models = has_default ? &model : check->options.models;
  size_t model_count = has_default ? 1 : check->options.model_count;
  bool is_ok = true;
  for (size_t i = 0; i < model_count; i++)
    is_ok &= judge_by_name(session, check, &input, models[i]);
  return is_ok ? WARPSAN_OK : WARPSAN_BAD_INPUT;
}

static WarpsanStatus start_check(WarpsanSession *session, Check *check,
                                 const WarpsanOptions *options) {
  if (!check->name || !resolve_options(options, &check->options))
    return WARPSAN_BAD_ARGUMENT;
  return session_guard(session, check->results, run_check, check);
}

WarpsanStatus warpsan_check_file(WarpsanSession *session, const char *path,
                                 const WarpsanOptions *options, WarpsanResults *results) {
  Check check = {.name = path, .results = results, .is_in_progress = ATOMIC_FLAG_INIT};
  return start_check(session, &check, options);
}

WarpsanStatus warpsan_check_text(WarpsanSession *session, const char *name, const char *text,
                                 size_t length, const WarpsanOptions *options,
                                 WarpsanResults *results) {
  Check check = {.name = name,
                 .text = text ? text : "",
                 .length = text ? length : 0,
                 .is_in_progress = ATOMIC_FLAG_INIT,
                 .results = results};
  return start_check(session, &check, options);
}
