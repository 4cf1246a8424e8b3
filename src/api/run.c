// warpsan_run_file and warpsan_run_text: from an input to one result of its runs.
#include "api/kernels.h"
#include "api/options.h"
#include "api/suppress.h"

#include <string.h>
#include <time.h>

#include "base/rules.h"
#include "emu/emu.h"
#include "race/race.h"

// Findings of one place are shown once, however many runs had them.
typedef struct Run {
  const char *name;
  const char *text; // NULL: read the file `name`
  size_t length;
  WarpsanOptions options;
  WarpsanRunOptions run;
  WarpsanResults *results;
  Kernels kernels;
  Result *result;
  RunCounts *counts;
  // Nothing is found in the programs whose runs may take several threads: see run_settled.
  RaceFindings *no_races;
  RaceExact *exact;
  bool takes_one_job, takes_no_summaries;
  // Of one run; released also when memory runs out.
  Arena arena;
  Emu *emu;
  Race *race;
  RaceFindings *races;
} Run;

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// --- one run

// One run, or an attempt at it.
typedef struct Trial {
  uint64_t seed;
  uint32_t jobs;
  RaceExact *exact;
  double timeout_seconds;
  RaceFindings *races;
  DiagList found;
  EmuCounts counts;
  const char *incomplete;
} Trial;

static EmuOptions emu_options(const Run *run, const Trial *trial) {
  static const EmuSchedule schedules[] = {
      [WARPSAN_SCHEDULE_RANDOM] = EMU_SCHEDULE_RANDOM,
      [WARPSAN_SCHEDULE_ROUND_ROBIN] = EMU_SCHEDULE_ROUND_ROBIN,
      [WARPSAN_SCHEDULE_PCT] = EMU_SCHEDULE_PCT,
  };
  return (EmuOptions){
      .seed = trial->seed,
      .schedule = schedules[run->run.schedule],
      .jobs = trial->jobs,
      .timeout_seconds = trial->timeout_seconds,
      .max_instructions = run->run.max_instructions,
      .memory_bytes = (size_t)run->options.memory_bytes,
      .perturb = run->run.perturb,
      .progress = run->options.progress,
      .progress_context = run->options.progress_context,
  };
}

static bool peek(void *context, const EmuBlock *owner, uint64_t address, uint32_t size,
                 uint64_t *value) {
  const Run *run = context;
  return emu_peek(run->emu, owner, address, size, value);
}

static RaceOptions race_options(Run *run, const Trial *trial) {
  bool is_cuda = run->options.level == WARPSAN_LEVEL_CUDA;
  WarpsanVolatile given = run->run.volatile_access;
  return (RaceOptions){
      .is_cuda = is_cuda,
      .volatile_is_weak =
          given == WARPSAN_VOLATILE_WEAK || (given == WARPSAN_VOLATILE_OF_LEVEL && is_cuda),
      .hide_same_value = run->run.hide_same_value,
      .keep_all = run->run.all_races,
      .exact = trial->exact,
      .stops_at_race = trial->jobs > 1,
      .is_weak = run->run.weak,
      .splits_vectors = run->run.split_vectors,
      .seed = trial->seed,
      .memory_bytes = (size_t)run->options.memory_bytes,
      .peek = peek,
      .peek_context = run,
  };
}

// A LaunchRead of what the run has left behind.
static bool read_elements(void *context, uint32_t buffer, const int64_t *elements, uint32_t count,
                          uint64_t *bits) {
  const Run *run = context;
  uint32_t size = ptx_type_bits(run->kernels.set->buffers[buffer].type) / 8;
  return emu_read_elements(run->emu, run->kernels.addresses[buffer], size, elements, count, bits);
}

static bool has_faults(const DiagList *findings) {
  for (uint32_t i = 0; i < findings->count; i++)
    if (findings->items[i].severity == SEVERITY_ERROR)
      return true;
  return false;
}

// What a fault left behind is no result.
static void check_final(Run *run, DiagList *findings) {
  Span span = {0};
  if (run->kernels.set->final_count == 0 || has_faults(findings))
    return;
  const char *failure =
      kernels_check_finals(&run->kernels, read_elements, run, findings->arena, &span);
  if (failure)
    diag_add(findings, SEVERITY_ERROR, rule_id(RULE_ASSERT), span,
             "a run ends with wrong results: %s", failure);
}

// Where a result went wrong that no order of the accesses explains, threads told each other things.
static void explain_results(Run *run, DiagList *findings) {
  for (uint32_t i = 0; i < findings->count; i++) {
    const char *rule = findings->items[i].rule;
    if (rule != rule_id(RULE_TRAP) && rule != rule_id(RULE_ASSERT))
      continue;
    if (race_explain_stale(run->race, findings, &findings->items[i]))
      findings->items[i].rule = rule_id(RULE_STALE_VALUE);
    else
      race_explain(run->race, findings, &findings->items[i]);
  }
}

static void give_buffers(Run *run) {
  const LaunchSet *set = run->kernels.set;
  for (uint32_t i = 0; run->run.buffer && i < set->buffer_count; i++) {
    size_t length = (size_t)set->buffers[i].byte_count;
    uint8_t *bytes = ARENA_ARRAY(&run->arena, uint8_t, length + 1);
    emu_read_bytes(run->emu, run->kernels.addresses[i], length, bytes);
    run->run.buffer(run->run.buffer_context, set->buffers[i].name, bytes, length);
  }
}

// Findings that no run before had.
static void merge(Run *run, const DiagList *found) {
  DiagList *findings = &run->result->findings;
  for (uint32_t i = 0; i < found->count; i++) {
    const Diag *diag = &found->items[i];
    bool is_known = false;
    for (uint32_t j = 0; j < findings->count && !is_known; j++) {
      const Diag *known = &findings->items[j];
      is_known = known->rule == diag->rule && known->span.source == diag->span.source &&
                 known->span.begin == diag->span.begin;
    }
    if (is_known)
      continue;
    Diag *added = diag_add(findings, diag->severity, diag->rule, diag->span, "%s", diag->message);
    const char *message = added->message;
    *added = *diag;
    added->message = message;
  }
}

static void end_run(Run *run) {
  if (run->emu)
    emu_end(run->emu);
  if (run->race)
    race_end(run->race);
  run->emu = NULL;
  run->race = NULL;
  arena_release(&run->arena);
}

static const Diag *find_at(const DiagList *findings, Span span) {
  for (uint32_t i = 0; i < findings->count; i++)
    if (findings->items[i].span.source == span.source &&
        findings->items[i].span.begin == span.begin)
      return &findings->items[i];
  return NULL;
}

// What goes wrong in the same run without older values is not their doing.
static void confirm_stale(Run *run, const Trial *trial) {
  EmuOptions options = emu_options(run, trial);
  const DiagList *findings = &trial->found;
  DiagList others;
  uint32_t i = 0;
  while (i < findings->count && findings->items[i].rule != rule_id(RULE_STALE_VALUE))
    i++;
  if (i == findings->count)
    return;
  diag_list_init(&others, findings->arena);
  arena_init(&run->arena, findings->arena->escape, 0);
  run->emu = emu_begin(run->kernels.program, &options, &run->arena);
  if (!emu_run(run->emu, &others))
    check_final(run, &others);
  end_run(run);
  for (; i < findings->count; i++) {
    const Diag *other = find_at(&others, findings->items[i].span);
    if (!other || findings->items[i].rule != rule_id(RULE_STALE_VALUE))
      continue;
    findings->items[i].rule = other->rule;
    findings->items[i].notes.count = 0;
  }
}

// leaves: what the run left behind, until end_run.
static void execute(Run *run, Trial *trial) {
  Arena *arena = &run->results->arena;
  EmuOptions options = emu_options(run, trial);
  RaceOptions races = race_options(run, trial);
  diag_list_init(&trial->found, arena);
  arena_init(&run->arena, arena->escape, 0);
  if (!run->run.omit_races || run->run.weak) {
    run->race = race_begin(run->kernels.program, &races, trial->races, &run->arena);
    options.watcher = race_watcher(run->race);
  }
  run->emu = emu_begin(run->kernels.program, &options, &run->arena);
  trial->incomplete = emu_run(run->emu, &trial->found);
  if (!trial->incomplete)
    check_final(run, &trial->found);
  if (!trial->incomplete && run->race)
    trial->incomplete = race_incomplete(run->race);
  if (run->race)
    explain_results(run, &trial->found);
  trial->counts = emu_counts(run->emu);
}

// Blocks that race, and a detector that has given up, may have seen each other's accesses in the
// order in which threads of the CPU came to them.
static bool may_depend_on_jobs(const Run *run, const Trial *trial) {
  return trial->found.count || race_finding_count(trial->races) ||
         (run->race && (race_counts(run->race).races || race_incomplete(run->race)));
}

// What is left of the time, after `begin`.
static void spend_time(Trial *trial, double given, double begin) {
  double spent = now_seconds() - begin, least = 1e-3;
  if (given > 0)
    trial->timeout_seconds = given > spent + least ? given - spent : least;
}

// With several threads of the CPU, and with reads told together (RaceExact), a run without findings
// is that of one thread. As soon as there is something to report, it is run again by one thread and
// with all reads told apart, and so are all later ones.
static void run_settled(Run *run, Trial *trial) {
  double begin = now_seconds(), given = trial->timeout_seconds;
  RaceFindings *races = trial->races;
  while (trial->jobs > 1 || trial->exact) {
    trial->races = run->no_races;
    execute(run, trial);
    bool is_undecided = run->race && race_is_undecided(run->race);
    if (!is_undecided && !may_depend_on_jobs(run, trial)) {
      race_add_advice(races, trial->races);
      return;
    }
    end_run(run);
    spend_time(trial, given, begin);
    if (is_undecided) {
      run->no_races = race_findings_new(&run->results->arena);
      continue;
    }
    run->takes_one_job = true;
    run->takes_no_summaries = true;
    break;
  }
  trial->jobs = 1;
  trial->exact = NULL;
  trial->races = races;
  execute(run, trial);
}

static void add_counts(Run *run, const EmuCounts *counts) {
  run->counts->instructions += counts->instructions;
  run->counts->accesses += counts->accesses;
  run->counts->barriers += counts->barriers;
  run->counts->blocks = counts->blocks;
  run->counts->threads = counts->threads;
}

static void run_once(Run *run, uint64_t seed, bool is_last) {
  // With a weak memory the newest value is that of an order of all accesses.
  bool is_alone = run->run.weak || run->takes_one_job;
  Trial trial = {
      .seed = seed,
      .jobs = is_alone || !run->options.jobs ? 1 : run->options.jobs,
      .exact = run->run.weak || run->run.all_races || run->takes_no_summaries ? NULL : run->exact,
      .timeout_seconds = run->options.timeout_seconds,
      .races = run->races};
  run_settled(run, &trial);
  add_counts(run, &trial.counts);
  run->result->executions++;
  if (trial.incomplete && !run->result->incomplete)
    run->result->incomplete =
        arena_copy_text(&run->results->arena, trial.incomplete, strlen(trial.incomplete));
  if (is_last)
    give_buffers(run);
  end_run(run);
  confirm_stale(run, &trial);
  merge(run, &trial.found);
}

// --- all runs

static bool read_input(WarpsanSession *session, Run *run, DiagList *diags) {
  Arena *arena = &run->results->arena;
  const Source *source = input_open(session, run->name, run->text, run->length, arena, diags);
  if (!source)
    return false;
  KernelRequest request = {.options = &run->options,
                           .source = source,
                           .kind = input_kind(source),
                           .is_on_disk = run->text == NULL};
  if (request.kind == INPUT_LITMUS)
    return diag_syntax(diags, (Span){0}, "expected kernels, found a litmus test; see 'check'");
  return kernels_read(session, &request, arena, diags, &run->kernels);
}

static void begin_result(Run *run) {
  Arena *arena = &run->results->arena;
  run->counts = ARENA_NEW(arena, RunCounts);
  run->result = ARENA_NEW(arena, Result);
  *run->result = (Result){.input = run->name,
                          .name = run->kernels.program->name,
                          .model = run->options.level == WARPSAN_LEVEL_CUDA ? "cuda" : "ptx",
                          .engine = "run",
                          .is_kernel = true,
                          .run = run->counts};
  run->result->input = arena_copy_text(arena, run->name, strlen(run->name));
  diag_list_init(&run->result->findings, arena);
  run->races = race_findings_new(arena);
  run->no_races = race_findings_new(arena);
  run->exact = race_exact_new(run->kernels.program, arena);
}

static bool run_all(WarpsanSession *session, Run *run, DiagList *diags) {
  Suppressions *suppressions = NULL;
  if (run->options.suppressions) {
    suppressions =
        suppressions_read(session, run->options.suppressions, &run->results->arena, diags);
    if (!suppressions)
      return false;
  }
  begin_result(run);
  double begin = now_seconds();
  for (unsigned i = 0; i < run->run.runs; i++)
    run_once(run, run->run.seed + i, i + 1 == run->run.runs);
  if (!run->run.omit_races)
    race_report(run->races, run->kernels.program, &run->result->findings);
  if (suppressions)
    run->result->suppressed = suppressions_apply(suppressions, &run->result->findings);
  run->result->complete = run->result->incomplete == NULL;
  run->result->seconds = now_seconds() - begin;
  array_push(&run->results->arena, &run->results->list, run->result);
  return true;
}

static WarpsanStatus run_in_session(WarpsanSession *session, void *context) {
  Run *run = context;
  DiagList diags;
  diag_list_init(&diags, &run->results->arena);
  if (read_input(session, run, &diags) && run_all(session, run, &diags))
    return WARPSAN_OK;
  results_add_errors(run->results, run->name, diags.items, diags.count);
  return WARPSAN_BAD_INPUT;
}

static bool resolve(const WarpsanRunOptions *given, WarpsanRunOptions *resolved) {
  *resolved = (WarpsanRunOptions)WARPSAN_RUN_OPTIONS_INIT;
  if (given) {
    if (given->size < sizeof given->size || given->size > sizeof *given)
      return false;
    memcpy(resolved, given, given->size);
  }
  if (resolved->runs == 0)
    resolved->runs = 1;
  return (unsigned)resolved->schedule <= WARPSAN_SCHEDULE_PCT &&
         (unsigned)resolved->volatile_access <= WARPSAN_VOLATILE_STRONG;
}

static WarpsanStatus start_run(WarpsanSession *session, Run *run, const WarpsanOptions *options,
                               const WarpsanRunOptions *given) {
  if (!run->name || !options_resolve(options, &run->options) || !resolve(given, &run->run))
    return WARPSAN_BAD_ARGUMENT;
  WarpsanStatus status = session_guard(session, run->results, run_in_session, run);
  if (status == WARPSAN_NO_MEMORY)
    end_run(run); // what the escape left behind
  return status;
}

WarpsanStatus warpsan_run_file(WarpsanSession *session, const char *path,
                               const WarpsanOptions *options, const WarpsanRunOptions *given,
                               WarpsanResults *results) {
  Run run = {.name = path, .results = results};
  return start_run(session, &run, options, given);
}

WarpsanStatus warpsan_run_text(WarpsanSession *session, const char *name, const char *text,
                               size_t length, const WarpsanOptions *options,
                               const WarpsanRunOptions *given, WarpsanResults *results) {
  Run run = {
      .name = name, .text = text ? text : "", .length = text ? length : 0, .results = results};
  return start_run(session, &run, options, given);
}
