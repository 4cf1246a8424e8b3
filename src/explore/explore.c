#include "explore/explore.h"

#include "base/rules.h"
#include "explore/contended.h"
#include "explore/explain.h"
#include "explore/findings.h"
#include "explore/guest_tree.h"
#include "explore/kernel.h"
#include "explore/livelock.h"
#include "explore/outcomes.h"
#include "explore/pool.h"
#include "explore/symmetry.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, KERNEL_CAPACITY = 512, MOST_CAPACITY = 1 << 16 };

// One exploration, its resources, and where it puts the result.
typedef struct Run {
  const Program *program;
  const Condition *condition;
  const ExploreOptions *options;
  ExploreOptions few_rounds; // the same, for loops that may never end
  bool has_livelock;         // of a kernel
  const Code *codes;
  uint32_t capacity;
  Arena *arena; // the caller's
  SearchArenas arenas;
  Pool *pool; // NULL: none is running
  Contended contended;
  double deadline; // seconds of pool_now, 0: none
  GuestTree tree;  // of a guest
  double found_at; // when something was found first, likewise
  Result *result;
} Run;

// Events that straight-line code has; loops need more, which is found out while running.
static uint32_t estimate_capacity(const Program *program) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instruction_count; i++) {
      IrOp op = program->threads[t].instructions[i].op;
      bool has_two = op == IR_ATOM || op == IR_RED || op == IR_COPY_ASYNC;
      bool has_one = has_two || op == IR_LOAD || op == IR_STORE || op == IR_FENCE ||
                     op == IR_FENCE_PROXY || op == IR_BARRIER || op == IR_BARRIER_WARP ||
                     op == IR_CLUSTER_ARRIVE || op == IR_CLUSTER_WAIT || op == IR_COPY_WAIT;
      count += has_two ? 2 : has_one;
    }
  count += program->order_count + 2 * program->thread_count;
  // Rows are as long as the capacity: better to start again than to carry empty words.
  if (program->is_kernel && count > KERNEL_CAPACITY)
    count = KERNEL_CAPACITY;
  return count < FIRST_CAPACITY ? FIRST_CAPACITY : count;
}

static const Code *analyse(const Program *program, const Condition *condition,
                           const ExploreOptions *options, Arena *arena) {
  Code *codes = ARENA_ARRAY(arena, Code, program->thread_count + 1);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    // Threads of a kernel share their code.
    bool is_shared = t > 0 && program->is_kernel &&
                     program->threads[t].instructions == program->threads[t - 1].instructions;
    if (is_shared)
      codes[t] = codes[t - 1];
    else
      code_analyse(&codes[t], program, t, condition, arena);
    // Whoever runs a guest's code may look at every result.
    if (options->guest && !is_shared)
      code_assume_live(&codes[t]);
    codes[t].thread = &program->threads[t];
  }
  return codes;
}

// --- states

static uint32_t sort_width(const ResultState *state) {
  return (uint32_t)state->values[-1];
}

static int compare_states(const void *a, const void *b) {
  const ResultState *first = a, *second = b;
  for (uint32_t i = 0; i < sort_width(first); i++)
    if (first->values[i] != second->values[i])
      return first->values[i] < second->values[i] ? -1 : 1;
  return 0;
}

// Each row of values is preceded by its length, so that the comparison needs no context.
static void list_states(Run *run, const Outcomes *outcomes) {
  Result *result = run->result;
  const Condition *condition = run->condition;
  uint32_t columns = condition->column_count;
  result->column_count = columns;
  result->columns = ARENA_ARRAY(run->arena, const char *, columns + 1);
  for (uint32_t i = 0; i < columns; i++)
    result->columns[i] = condition->columns[i].name;
  result->state_count = outcomes->count;
  result->states = ARENA_ARRAY(run->arena, ResultState, outcomes->count + 1);
  int64_t *values = ARENA_ARRAY(run->arena, int64_t, (size_t)(columns + 1) * outcomes->count + 1);
  for (uint32_t i = 0; i < outcomes->count; i++) {
    int64_t *row = values + (size_t)i * (columns + 1) + 1;
    row[-1] = columns;
    if (columns)
      memcpy(row, outcomes->values + (size_t)i * columns, columns * sizeof *row);
    result->states[i] = (ResultState){
        .values = row,
        .count = outcomes->counts[i],
        .satisfies =
            condition->kind == CONDITION_NONE || condition_holds(condition, condition->root, row),
    };
  }
  qsort(result->states, result->state_count, sizeof *result->states, compare_states);
}

// --- verdict

static const char *stop_text(Run *run, const PoolResult *explored) {
  const ExploreOptions *options = run->options;
  switch (explored->stop) {
  case STOP_EXECUTIONS:
    return arena_format(run->arena, "the limit of %llu executions was reached",
                        (unsigned long long)options->max_executions);
  case STOP_TIME:
    return arena_format(run->arena, "the time limit of %g s was reached", options->timeout_seconds);
  case STOP_MEMORY:
    return "the memory limit was reached";
  case STOP_FOUND:
    return arena_format(run->arena,
                        "the search went on for %g s after its first finding, and was ended "
                        "(--stop-after-finding sets another limit)",
                        pool_seconds_after_finding(options));
  case STOP_CAPACITY:
    return arena_format(run->arena, "an execution has more than %u events", MOST_CAPACITY);
  case STOP_UNSUPPORTED:
    if (options->guest)
      return explored->unsupported;
    return arena_format(run->arena, "the instruction `%s` is not supported", explored->unsupported);
  case STOP_CONTENDED:
  case STOP_NONE:
    break;
  }
  return NULL;
}

// An exists that was found, or a forall that was violated, stays so whatever is left to explore.
static bool is_decided_by_one(const Result *result, bool is_satisfied, bool is_violated) {
  switch (result->condition) {
  case CONDITION_EXISTS:
  case CONDITION_NOT_EXISTS:
    return is_satisfied;
  case CONDITION_FORALL:
    return is_violated;
  case CONDITION_NONE:
    break;
  }
  return false;
}

static bool is_stuck(const Result *result) {
  for (uint32_t i = 0; i < result->findings.count; i++) {
    const char *rule = result->findings.items[i].rule;
    if (!strcmp(rule, rule_id(RULE_DEADLOCK)) || !strcmp(rule, rule_id(RULE_LIVELOCK)))
      return true;
  }
  return false;
}

// Is the answer certain to each question that was asked, although the search was cut short? Races
// are looked for in every execution.
static bool all_is_answered(const Run *run) {
  const Result *result = run->result;
  uint32_t properties = run->options->properties;
  bool asks_condition = (properties & EXPLORE_CONDITION) && result->condition != CONDITION_NONE;
  bool asks_termination = properties & EXPLORE_TERMINATION;
  return !(properties & EXPLORE_RACE) && (asks_condition || asks_termination) &&
         (!asks_condition || result->holds_is_final) && (!asks_termination || is_stuck(result));
}

static void decide(Run *run, const PoolResult *explored) {
  Result *result = run->result;
  bool is_satisfied = false, is_violated = false;
  for (uint32_t i = 0; i < result->state_count; i++) {
    is_satisfied = is_satisfied || result->states[i].satisfies;
    is_violated = is_violated || !result->states[i].satisfies;
  }
  result->holds = result->condition == CONDITION_EXISTS       ? is_satisfied
                  : result->condition == CONDITION_NOT_EXISTS ? !is_satisfied
                                                              : !is_violated;
  const char *stop = stop_text(run, explored);
  if (!stop && explored->counts.cut && run->has_livelock)
    stop = arena_format(run->arena,
                        "%llu executions were cut: a loop that may never end was followed for %u "
                        "rounds",
                        (unsigned long long)explored->counts.cut, run->options->unroll);
  else if (!stop && explored->counts.cut)
    stop = arena_format(run->arena,
                        "%llu executions were cut: a loop with side effects ran more than %u times "
                        "(--unroll)",
                        (unsigned long long)explored->counts.cut, run->options->unroll);
  if (!stop && run->contended.was_sampled)
    stop = arena_format(run->arena,
                        "the search got long, so one order was explored of more than %u atomics on "
                        "a location that others look at",
                        CONTENDED_MOST_ATOMICS);
  if (!stop && run->contended.counts_race)
    stop = "one order was explored of arrivals on which a pending count of an mbarrier depends";
  if (!stop && run->tree.is_partial)
    stop = "the functions do too many different things for what depends on a read to be found out";
  if (!stop && run->program->is_kernel && !result->executions && !result->findings.count)
    stop = "no execution came to its end";
  result->complete = !stop;
  result->holds_is_final = !stop || is_decided_by_one(result, is_satisfied, is_violated);
  if (stop && !all_is_answered(run))
    result->incomplete = stop;
}

// --- witnesses

static FindingContext finding_context(Run *run) {
  return (FindingContext){.program = run->program,
                          .condition = run->condition,
                          .options = run->options,
                          .codes = run->codes,
                          .capacity = run->capacity,
                          .arenas = &run->arenas,
                          .contended = &run->contended,
                          .arena = run->arena};
}

static void add_witness(Run *run, const Records *records) {
  static const RecordPlace no_place = {UINT32_MAX, UINT32_MAX};
  Result *result = run->result;
  if (!run->options->want_witness || result->condition == CONDITION_NONE ||
      !(run->options->properties & EXPLORE_CONDITION))
    return;
  bool wants_satisfied = result->condition != CONDITION_FORALL;
  const Record *record = records_find(records, wants_satisfied ? RECORD_SATISFIES : RECORD_VIOLATES,
                                      no_place, no_place, 0);
  FindingContext context = finding_context(run);
  if (record) {
    result->witness = findings_witness(&context, record,
                                       wants_satisfied ? "execution that satisfies the condition"
                                                       : "execution that violates the condition");
  } else if (result->complete) {
    result->witness = explain_forbidden(run->program, run->condition, wants_satisfied, run->options,
                                        run->codes, run->capacity, &run->arenas, run->arena);
  }
}

// --- livelocks

enum { LIVELOCK_ROUNDS = 2 };

// Once a kernel's loop has been cut: if it may never end, following it further tells nothing new.
static void ask_for_livelock(Run *run) {
  DiagList ignored;
  if (!run->contended.has_cut || run->options == &run->few_rounds ||
      !(run->options->properties & EXPLORE_TERMINATION))
    return;
  diag_list_init(&ignored, run->arena);
  run->has_livelock =
      kernel_livelock_report(run->program, run->codes, &run->arenas.temporary, &ignored);
  run->few_rounds = *run->options;
  if (run->has_livelock && run->few_rounds.unroll > LIVELOCK_ROUNDS)
    run->few_rounds.unroll = LIVELOCK_ROUNDS;
  run->options = &run->few_rounds;
}

// Waits that have been reported by another name already.
static bool is_known_to_wait(const Result *result) {
  for (uint32_t i = 0; i < result->findings.count; i++) {
    const char *rule = result->findings.items[i].rule;
    if (!strcmp(rule, rule_id(RULE_HOISTABLE_POLL)) ||
        !strcmp(rule, rule_id(RULE_BARRIER_DIVERGENCE)))
      return true;
  }
  return is_stuck(result);
}

// A loop with side effects that was cut may never end.
static void find_livelock(Run *run, const PoolResult *explored) {
  DiagList *findings = &run->result->findings;
  if (!explored->counts.cut || !(run->options->properties & EXPLORE_TERMINATION) ||
      is_known_to_wait(run->result))
    return;
  if (run->has_livelock) {
    kernel_livelock_report(run->program, run->codes, &run->arenas.temporary, findings);
    if (!run->options->want_witness)
      findings->items[findings->count - 1].witness = NULL;
  } else if (!run->program->is_kernel && run->options->model->is_builtin)
    livelock_report(run->program, run->codes, &run->arenas.temporary, findings);
  search_arenas_release(&run->arenas);
}

// --- the whole

// What guests were seen to do may let their threads run ahead of reads: explore that.
static bool learn_of_guests(Run *run) {
  GuestTree *tree = run->contended.tree;
  if (!tree)
    return false;
  tree->memory.escape = run->arena->escape;
  bool has_learned = guest_tree_begin_pass(tree);
  run->options->guest->leaves_out_buffering = tree->can_buffer && tree->is_full;
  return has_learned;
}

static PoolResult run_pool(Run *run, const ExploreOptions *options) {
  if (run->pool)
    pool_release(run->pool);
  run->pool = pool_new(run->program, run->condition, options, run->codes, run->capacity,
                       &run->contended, run->deadline, &run->found_at, run->arena);
  PoolResult explored = pool_run(run->pool);
  if (explored.is_out_of_memory)
    arena_exhaust(run->arena);
  return explored;
}

// What a single worker has explored before it meets what no worker can go on from. Others have
// explored something else.
static PoolResult run_alone(Run *run) {
  ExploreOptions alone = *run->options;
  alone.jobs = 1;
  return run_pool(run, &alone);
}

// However many workers there were, and whichever of them counted first.
static bool has_got_long(const Run *run, const PoolResult *explored) {
  return run->contended.symmetry == SYMMETRY_LATER &&
         explored->counts.steps >= contended_symmetry_steps(&run->contended, run->capacity);
}

static PoolResult explore_once(Run *run) {
  for (;;) {
    bool is_symmetric = run->contended.symmetry == SYMMETRY_ON;
    PoolResult explored = is_symmetric ? run_alone(run) : run_pool(run, run->options);
    if (explored.stop == STOP_NONE && has_got_long(run, &explored)) {
      run->contended.symmetry = SYMMETRY_ON;
      continue;
    }
    if (explored.stop == STOP_CAPACITY && run->capacity < MOST_CAPACITY) {
      run->capacity *= 2;
      continue;
    }
    if (explored.stop == STOP_CONTENDED) {
      contended_restart(&run->contended, &explored.restart, explored.notes);
      ask_for_livelock(run);
      continue;
    }
    if (explored.stop == STOP_NONE && learn_of_guests(run))
      continue;
    bool depends_on_workers =
        explored.stop == STOP_CAPACITY || explored.stop == STOP_UNSUPPORTED || explored.is_lost;
    if (depends_on_workers && run->options->jobs > 1)
      explored = run_alone(run);
    contended_learn(&run->contended, explored.notes, run->program);
    return explored;
  }
}

static bool has_limited_blocks(const Program *program) {
  for (uint32_t i = 0; i < program->grid_count; i++)
    if (program->grids[i].resident && program->grids[i].resident < program->grids[i].block_count)
      return true;
  return false;
}

static bool has_findings(const Records *records) {
  for (uint32_t i = 0; i < records->count; i++)
    if (records->items[i].kind > RECORD_VIOLATES)
      return true;
  return false;
}

// May it tell something new to explore once more, under changed circumstances? Findings are
// repeated under those in which they were made.
static bool is_worth_more(const PoolResult *explored) {
  return explored->stop == STOP_NONE && !has_findings(explored->records);
}

static void explore_again(Run *run, PoolResult *explored) {
  Counts before = explored->counts;
  *explored = explore_once(run);
  explored->counts.executions += before.executions;
  explored->counts.duplicates += before.duplicates;
  explored->counts.blocked += before.blocked;
  explored->counts.cut += before.cut;
  explored->counts.steps += before.steps;
}

static void explore_failure(Run *run, PoolResult *explored, const Instruction *test,
                            uint32_t thread) {
  if (!is_worth_more(explored))
    return;
  run->contended.tests_fail = true;
  run->contended.failing_test = test;
  run->contended.failing_thread = thread;
  explore_again(run, explored);
}

// A test of an mbarrier may fail as long as the thread does not know that the phase is over: that
// of every thread, of one thread, and then all tests.
static void explore_failures(Run *run, PoolResult *explored) {
  const Contended *contended = &run->contended;
  for (uint32_t i = 0; i < contended->tests.count; i++) {
    const FallibleTest fallible = contended->tests.items[i];
    explore_failure(run, explored, fallible.test, CONTENDED_ANY_THREAD);
    explore_failure(run, explored, fallible.test, fallible.thread);
  }
  if (contended->tests.count > 1)
    explore_failure(run, explored, NULL, CONTENDED_ANY_THREAD);
}

static bool branches_on_clock(const Run *run) {
  const Program *program = run->program;
  for (uint32_t t = 0; program->is_kernel && t < program->thread_count; t++)
    if ((t == 0 || program->threads[t].instructions != program->threads[t - 1].instructions) &&
        kernel_branches_on_clock(&run->codes[t], run->arena))
      return true;
  return false;
}

static void explore_late(Run *run, PoolResult *explored, uint32_t thread) {
  if (!is_worth_more(explored))
    return;
  run->contended.time_passes = true;
  run->contended.timed_thread = thread;
  explore_again(run, explored);
}

// A thread that waits only for so long may give up: all do, or one.
static void explore_time(Run *run, PoolResult *explored) {
  const Contended *contended = &run->contended;
  if (!contended->timed.count || !branches_on_clock(run))
    return;
  explore_late(run, explored, CONTENDED_ANY_THREAD);
  for (uint32_t i = 0; i < contended->timed.count; i++)
    explore_late(run, explored, contended->timed.items[i]);
}

// Once more at another pace; what was found so far is reported first, since it is repeated at the
// pace at which it was found.
static void explore_pace(Run *run, PoolResult *explored, Pace pace, uint64_t turns) {
  if (explored->stop != STOP_NONE)
    return;
  FindingContext context = finding_context(run);
  findings_report(&context, explored->records, &run->result->findings);
  run->contended.pace = pace;
  run->contended.turns = turns;
  explore_again(run, explored);
}

static void explore_paces(Run *run, PoolResult *explored) {
  if (!run->contended.phases_race)
    return;
  explore_pace(run, explored, PACE_LEISURELY, 0);
  explore_pace(run, explored, PACE_LATE_TESTS, 0);
}

// What happens where warps take turns may show that they have to at other barriers, too.
static void explore_turns(Run *run, PoolResult *explored) {
  const Contended *contended = &run->contended;
  while (explored->stop == STOP_NONE && contended->turns != contended->contested_barriers)
    explore_pace(run, explored, PACE_EAGER, contended->contested_barriers);
}

// Where not all blocks fit it is not specified which start first.
static void explore_block_orders(Run *run, PoolResult *explored) {
  if (!has_limited_blocks(run->program))
    return;
  for (uint32_t i = BLOCKS_ASCEND + 1; i < BLOCK_ORDERS && is_worth_more(explored); i++) {
    run->contended.block_order = (BlockOrder)i;
    explore_again(run, explored);
  }
}

static PoolResult explore(Run *run) {
  PoolResult explored = explore_once(run);
  explore_paces(run, &explored);
  explore_turns(run, &explored);
  explore_block_orders(run, &explored);
  explore_failures(run, &explored);
  explore_time(run, &explored);
  return explored;
}

static void fill_result(Run *run) {
  Result *result = run->result;
  PoolResult explored = explore(run);
  result->executions = explored.counts.executions;
  result->duplicates = explored.counts.duplicates;
  result->blocked = explored.counts.blocked;
  result->cut = explored.counts.cut;
  result->step_count = explored.counts.steps;
  if (run->contended.has_twins && run->contended.symmetry == SYMMETRY_ON)
    result->symmetry = symmetry_describe(run->program, run->contended.keeps_blocks, run->arena);
  if (run->condition) {
    result->condition = run->condition->kind;
    result->condition_text = run->condition->text;
    list_states(run, explored.outcomes);
  }
  FindingContext context = finding_context(run);
  findings_report(&context, explored.records, &result->findings);
  find_livelock(run, &explored);
  decide(run, &explored);
  add_witness(run, explored.records);
}

static void release(Run *run) {
  if (run->pool)
    pool_release(run->pool);
  search_arenas_release(&run->arenas);
  if (run->contended.tree)
    guest_tree_release(run->contended.tree);
}

// Exhausted memory passes through here, so that nothing leaks on the way to the caller's escape.
static void run_guarded(Run *run) {
  MemoryEscape *outer = run->arena->escape, escape;
  if (outer && setjmp(escape.target) != 0) {
    release(run);
    run->arena->escape = outer;
    arena_exhaust(run->arena);
  }
  if (outer)
    run->arena->escape = &escape;
  search_arenas_init(&run->arenas, run->arena->escape, NULL);
  if (run->options->guest) {
    run->contended.tree = &run->tree;
    guest_tree_init(&run->tree, run->program, run->options, run->arena->escape);
  }
  fill_result(run);
  release(run);
  run->arena->escape = outer;
}

static bool can_judge(const Program *program, const ExploreOptions *options, Result *result) {
  ModelKind kind = options->model->kind;
  if (!program->is_kernel || kind == MODEL_KIND_PTX || kind == MODEL_KIND_PTX60 ||
      kind == MODEL_KIND_CUDA || options->guest)
    return true;
  result->incomplete = options->guest
                           ? "C functions are judged by the built-in models only"
                           : "kernels are judged by the built-in models ptx, ptx60 and cuda only";
  return false;
}

static SymmetryUse symmetry_use(const Program *program, const ExploreOptions *options) {
  bool is_possible = program->is_kernel && !options->guest && !options->explore_races &&
                     !options->explore_all && symmetry_is_possible(program);
  if (!is_possible || options->symmetry == EXPLORE_SYMMETRY_NEVER)
    return SYMMETRY_OFF;
  return options->symmetry == EXPLORE_SYMMETRY_ALWAYS ? SYMMETRY_ON : SYMMETRY_LATER;
}

Result *explore_program(const Program *program, const Condition *condition,
                        const ExploreOptions *options, Arena *arena) {
  // Whoever runs a guest's code serves one worker.
  ExploreOptions one_worker = *options;
  one_worker.jobs = 1;
  // These models know no races, and what a text says of them is not known before the end: plain
  // accesses are accesses like others.
  ModelKind kind = options->model->kind;
  one_worker.explore_races |=
      kind == MODEL_KIND_TSO || kind == MODEL_KIND_SC || kind == MODEL_KIND_CAT;
  if (options->guest)
    options = &one_worker;
  Run run = {.program = program, .condition = condition, .options = options, .arena = arena};
  run.result = ARENA_NEW(arena, Result);
  diag_list_init(&run.result->findings, arena);
  run.contended.arena = arena;
  if (options->timeout_seconds > 0)
    run.deadline = pool_now() + options->timeout_seconds;
  run.contended.symmetry = symmetry_use(program, options);
  run.capacity = estimate_capacity(program);
  run.codes = analyse(program, condition, options, arena);
  if (can_judge(program, options, run.result))
    run_guarded(&run);
  return run.result;
}
