// warpsan_check_file and warpsan_check_text: from an input to a result for each model.
#include "api/expectations.h"
#include "api/kernel_expectations.h"
#include "api/kernels.h"
#include "api/options.h"
#include "api/suppress.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "explore/explore.h"
#include "ir/grid.h"
#include "litmus/litmus.h"

// In kernels only iterations count in which the search had a choice.
enum { LITMUS_UNROLL = 8, KERNEL_UNROLL = 64 };

typedef struct Check {
  const char *name;
  const char *text; // NULL: read the file `name`
  size_t length;
  WarpsanOptions options; // defaults filled in, except for the models
  WarpsanResults *results;
  const Suppressions *suppressions; // NULL: none
  atomic_flag is_in_progress;       // a worker is in the caller's progress function
} Check;

// A parsed input: a litmus test, or kernels with their launches.
typedef struct Input {
  const Source *source;
  const Program *program;
  const char *default_model;
  const LitmusTest *test; // NULL: kernels
  ExpectationList expectations;
  Kernels kernels;
} Input;

static bool read_litmus(const Check *check, Input *input, DiagList *diags) {
  Arena *arena = &check->results->arena;
  input->test = litmus_parse(input->source, arena, diags);
  if (!input->test)
    return false;
  input->program = &input->test->program;
  static const char *const models[] = {
      [LITMUS_PTX] = "ptx", [LITMUS_X86] = "tso", [LITMUS_C] = "rc11"};
  input->default_model = input->test->is_placed ? "cuda" : models[input->test->dialect];
  return expectations_parse(input->test, input->source, arena, &input->expectations, diags);
}

static bool read_kernels(WarpsanSession *session, const Check *check, InputKind kind, Input *input,
                         DiagList *diags) {
  KernelRequest request = {
      .options = &check->options,
      .source = input->source,
      .kind = kind,
      .is_on_disk = check->text == NULL,
  };
  if (!kernels_read(session, &request, &check->results->arena, diags, &input->kernels))
    return false;
  Program *program = input->kernels.program;
  if (program->thread_count > GRID_MOST_EXPANDED_THREADS)
    return diag_syntax(diags, program->grids[program->grid_count - 1].span,
                       "the launches have more than %d threads, too many for this engine",
                       GRID_MOST_EXPANDED_THREADS);
  grid_expand(program, &check->results->arena);
  input->program = program;
  input->default_model = check->options.level == WARPSAN_LEVEL_CUDA ? "cuda" : "ptx";
  if (input->kernels.set->verdict.level)
    input->default_model = input->kernels.set->verdict.level;
  return true;
}

static bool read_input(WarpsanSession *session, const Check *check, Input *input, DiagList *diags) {
  input->source =
      input_open(session, check->name, check->text, check->length, &check->results->arena, diags);
  if (!input->source)
    return false;
  InputKind kind = input_kind(input->source);
  if (kind != INPUT_LITMUS && check->options.litmus_only)
    return diag_syntax(diags, (Span){0}, "expected a litmus test, found kernels");
  return kind == INPUT_LITMUS ? read_litmus(check, input, diags)
                              : read_kernels(session, check, kind, input, diags);
}

// Workers call this whenever they like; the caller is promised one call at a time.
static void report_progress(void *context, uint64_t executions) {
  Check *check = context;
  if (atomic_flag_test_and_set(&check->is_in_progress))
    return;
  check->options.progress(check->options.progress_context, executions);
  atomic_flag_clear(&check->is_in_progress);
}

static ExploreOptions explore_options(Check *check, const Input *input, const Model *model) {
  const WarpsanOptions *options = &check->options;
  unsigned default_unroll = input->test ? LITMUS_UNROLL : KERNEL_UNROLL;
  return (ExploreOptions){
      .model = model,
      .properties = options->properties,
      .unroll = options->unroll ? options->unroll : default_unroll,
      .jobs = options->jobs,
      .max_executions = options->max_executions,
      .timeout_seconds = options->timeout_seconds,
      .seconds_after_finding = options->seconds_after_finding,
      .memory_bytes = (size_t)options->memory_bytes,
      .explore_races = options->explore_races,
      .explore_all = options->explore_all,
      .symmetry = (ExploreSymmetry)options->symmetry,
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

static Result *explore_litmus(Check *check, const Input *input, const ExploreOptions *options) {
  const LitmusTest *test = input->test;
  unsigned properties = check->options.properties;
  Result *result =
      explore_program(&test->program, &test->condition, options, &check->results->arena);
  if (!(properties & WARPSAN_PROPERTY_PROGRAM))
    result->condition = CONDITION_NONE; // states are still those that the filter lets through
  result->model = options->model->name; // expectations are about this one
  expectations_compare(&input->expectations, properties & WARPSAN_PROPERTY_RACE, result);
  return result;
}

static Result *explore_kernels(Check *check, Input *input, ExploreOptions *options) {
  if (input->kernels.set->final_count > 0 &&
      (check->options.properties & WARPSAN_PROPERTY_PROGRAM)) {
    options->check_final = kernels_check_final;
    options->final_context = &input->kernels;
  }
  Result *result = explore_program(input->program, NULL, options, &check->results->arena);
  result->is_kernel = true;
  return result;
}

static void judge(Check *check, Input *input, const Model *model) {
  Arena *arena = &check->results->arena;
  ExploreOptions options = explore_options(check, input, model);
  double begin = now_seconds();
  Result *result = input->test ? explore_litmus(check, input, &options)
                               : explore_kernels(check, input, &options);
  result->seconds = now_seconds() - begin;
  result->input = input->source->name;
  result->name = input->program->name;
  result->model = arena_copy_text(arena, model->name, strlen(model->name));
  result->engine = "explore";
  if (check->suppressions)
    result->suppressed = suppressions_apply(check->suppressions, &result->findings);
  if (!input->test)
    kernel_expectation_compare(&check->options, input->kernels.set, result);
  array_push(arena, &check->results->list, result);
}

// False: the file of suppressions is not as it should be.
static bool read_suppressions(WarpsanSession *session, Check *check, DiagList *diags) {
  if (!check->options.suppressions)
    return true;
  check->suppressions =
      suppressions_read(session, check->options.suppressions, &check->results->arena, diags);
  return check->suppressions != NULL;
}

static bool judge_by_name(WarpsanSession *session, Check *check, Input *input, const char *name) {
  const LoadedModel *loaded = session_load_model(session, name, check->options.interpret);
  if (loaded->model)
    judge(check, input, loaded->model);
  else
    results_add_errors(check->results, name, loaded->diags, loaded->diag_count);
  return loaded->model != NULL;
}

static WarpsanStatus run_check(WarpsanSession *session, void *context) {
  Check *check = context;
  Input input = {0};
  DiagList diags;
  diag_list_init(&diags, &check->results->arena);
  if (!read_suppressions(session, check, &diags) || !read_input(session, check, &input, &diags)) {
    results_add_errors(check->results, input.source ? input.source->name : check->name, diags.items,
                       diags.count);
    return WARPSAN_BAD_INPUT;
  }
  bool has_default = check->options.model_count == 0;
  const char *const *models = has_default ? &input.default_model : check->options.models;
  size_t model_count = has_default ? 1 : check->options.model_count;
  bool is_ok = true;
  for (size_t i = 0; i < model_count; i++)
    is_ok &= judge_by_name(session, check, &input, models[i]);
  return is_ok ? WARPSAN_OK : WARPSAN_BAD_INPUT;
}

static WarpsanStatus start_check(WarpsanSession *session, Check *check,
                                 const WarpsanOptions *options) {
  if (!check->name || !options_resolve(options, &check->options))
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
