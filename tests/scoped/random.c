// Random programs, once as C functions and once as litmus tests in C: the same outcomes, the same
// number of executions, the same verdict about races.
//
// usage: random MODEL FUNCTION_MODEL FIRST_SEED COUNT [races|buffering|updates]
// With `races` plain accesses branch on what racing ones may see, so that racy programs have to
// have the same outcomes, too. With `buffering` most accesses are relaxed loads and stores, and
// some stores depend on what was read, so that reads see what comes after them. What follows an
// `if` depends on it in a litmus test; in a function it does so only if it is not done either way.
// So functions may do more there, but nothing less.
// With `updates` there are many additions whose results nobody uses: functions need not explore all
// of their orders.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>
#include <warpsan/warpsan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, OPS = 4, LOCATIONS = 3, PLAIN = 2, OUTCOMES = 4096 };

typedef enum OpKind { LOAD, STORE, ADD, EXCHANGE, SWAP, FENCE, SYNC, KINDS } OpKind;

typedef struct Op {
  OpKind kind;
  int location, value, expected;
  scoped_memory_order order, failure; // failure: of a compare-and-exchange
  scoped_thread_scope scope;
  bool adds_last;      // of a store: to its value, the thread's last result
  bool is_conditional; // only if the thread's last result was `wanted`
  int wanted;
} Op;

typedef struct RandomProgram {
  int thread_count, op_counts[THREADS];
  bool is_one_block;
  Op ops[THREADS][OPS];
} RandomProgram;

static RandomProgram program;
static int memory[LOCATIONS];
static int results[THREADS][OPS];
static int outcomes[OUTCOMES][THREADS * OPS];
static int outcome_count;
static bool explores_races, wants_buffering, wants_updates;

// --- making one

static uint64_t state;

static int below(int limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)limit);
}

static scoped_memory_order random_order(OpKind kind) {
  static const scoped_memory_order loads[] = {1, 2, 2, 5}, stores[] = {1, 3, 3, 5};
  static const scoped_memory_order all[] = {1, 2, 3, 4, 5}, fences[] = {2, 3, 4, 5};
  return kind == LOAD    ? loads[below(4)]
         : kind == STORE ? stores[below(4)]
         : kind == FENCE ? fences[below(4)]
                         : all[below(5)];
}

static OpKind random_kind(void) {
  if (wants_updates && below(2))
    return ADD;
  return wants_buffering && below(4) ? (OpKind)below(STORE + 1) : (OpKind)below(FENCE + 1);
}

static Op random_op(void) {
  Op op = {.kind = random_kind()};
  op.location = below(LOCATIONS);
  if (op.location == PLAIN && (op.kind > STORE || below(2)))
    op.location = below(PLAIN);
  op.value = 1 + below(2);
  op.expected = below(3);
  op.order = random_order(op.kind);
  op.failure = random_order(LOAD);
  op.scope = below(4) ? scoped_thread_scope_device : scoped_thread_scope_block;
  op.is_conditional = below(3) == 0;
  op.wanted = below(3);
  if (!wants_buffering)
    return op;
  op.adds_last = below(3) == 0;
  op.is_conditional = below(8) == 0;
  if (below(3))
    op.order = op.kind < FENCE ? scoped_memory_order_relaxed : op.order;
  return op;
}

static void make_program(uint64_t seed) {
  state = seed * 0x9e3779b97f4a7c15u + 1;
  memset(&program, 0, sizeof program);
  program.thread_count = 2 + below(2);
  program.is_one_block = below(4) == 0;
  for (int t = 0; t < program.thread_count; t++) {
    program.op_counts[t] = 1 + below(program.thread_count == 2 ? OPS : OPS - 1);
    for (int i = 0; i < program.op_counts[t]; i++)
      program.ops[t][i] = random_op();
  }
}

// --- as a litmus test

static const char *order_name(scoped_memory_order order) {
  static const char *const names[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return names[order];
}

static int print_op(char *text, size_t size, int number, const Op *op) {
  const char *name = op->location == 0 ? "x" : op->location == 1 ? "y" : "d";
  const char *scope = op->scope == scoped_thread_scope_device ? "device" : "block";
  const char *last = op->adds_last ? " + last" : "";
  char tail[80];
  snprintf(tail, sizeof tail, "memory_order_%s, thread_scope_%s", order_name(op->order), scope);
  switch (op->kind) {
  case LOAD:
    if (op->location == PLAIN)
      return snprintf(text, size, "r%d = *d; ", number);
    return snprintf(text, size, "r%d = atomic_load_explicit(%s, %s); ", number, name, tail);
  case STORE:
    if (op->location == PLAIN)
      return snprintf(text, size, "*d = %d%s; ", op->value, last);
    return snprintf(text, size, "atomic_store_explicit(%s, %d%s, %s); ", name, op->value, last,
                    tail);
  case ADD:
    if (wants_updates)
      return snprintf(text, size, "atomic_fetch_add_explicit(%s, %d, %s); ", name, op->value, tail);
    return snprintf(text, size, "r%d = atomic_fetch_add_explicit(%s, %d, %s); ", number, name,
                    op->value, tail);
  case EXCHANGE:
    return snprintf(text, size, "r%d = atomic_exchange_explicit(%s, %d, %s); ", number, name,
                    op->value, tail);
  case SWAP:
    return snprintf(text, size,
                    "e%d = %d; atomic_compare_exchange_strong_explicit(%s, &e%d, %d, "
                    "memory_order_%s, memory_order_%s, thread_scope_%s); r%d = e%d; ",
                    number, op->expected, name, number, op->value, order_name(op->order),
                    order_name(op->failure), scope, number, number);
  default:
    return snprintf(text, size, "atomic_thread_fence(%s); ", tail);
  }
}

static bool has_result(const Op *op) {
  return op->kind != STORE && op->kind < FENCE && !(wants_updates && op->kind == ADD);
}

static int print_thread(char *text, size_t size, int t) {
  int used = snprintf(text, size, "P%d@cta %d,gpu 0 (atomic_int* x, atomic_int* y, int* d) {\n", t,
                      program.is_one_block ? 0 : t);
  for (int i = 0; i < program.op_counts[t]; i++)
    used += snprintf(text + used, size - (size_t)used, "  int r%d = 0; int e%d = 0;\n", i, i);
  used += snprintf(text + used, size - (size_t)used, "  int last = 0;\n");
  for (int i = 0; i < program.op_counts[t]; i++) {
    const Op *op = &program.ops[t][i];
    if (op->is_conditional)
      used += snprintf(text + used, size - (size_t)used, "  if (last == %d) ", op->wanted);
    used += snprintf(text + used, size - (size_t)used, "  { ");
    used += print_op(text + used, size - (size_t)used, i, op);
    if (has_result(op))
      used += snprintf(text + used, size - (size_t)used, "last = r%d; ", i);
    used += snprintf(text + used, size - (size_t)used, "}\n");
  }
  return used + snprintf(text + used, size - (size_t)used, "}\n");
}

static void print_program(char *text, size_t size, uint64_t seed) {
  int used =
      snprintf(text, size, "C random-%llu\n{ x = 0; y = 0; d = 0; }\n", (unsigned long long)seed);
  for (int t = 0; t < program.thread_count; t++)
    used += print_thread(text + used, size - (size_t)used, t);
  used += snprintf(text + used, size - (size_t)used, "locations [");
  for (int t = 0; t < program.thread_count; t++)
    for (int i = 0; i < program.op_counts[t]; i++)
      used += snprintf(text + used, size - (size_t)used, "%d:r%d; ", t, i);
  snprintf(text + used, size - (size_t)used, "]\nexists (true)\n");
}

// --- as functions

static int run_op(const Op *op, int last) {
  int *object = &memory[op->location], expected = op->expected;
  int stored = op->value + (op->adds_last ? last : 0);
  switch (op->kind) {
  case LOAD:
    return op->location == PLAIN ? scoped_plain_load(object)
                                 : scoped_atomic_load_explicit(object, op->order, op->scope);
  case STORE:
    if (op->location == PLAIN)
      scoped_plain_store(object, stored);
    else
      scoped_atomic_store_explicit(object, stored, op->order, op->scope);
    return 0;
  case ADD:
    if (wants_updates) {
      scoped_atomic_add_explicit(object, op->value, op->order, op->scope);
      return 0;
    }
    return scoped_atomic_fetch_add_explicit(object, op->value, op->order, op->scope);
  case EXCHANGE:
    return scoped_atomic_exchange_explicit(object, op->value, op->order, op->scope);
  case SWAP:
    scoped_atomic_compare_exchange_strong_explicit(object, &expected, op->value, op->order,
                                                   op->failure, op->scope);
    return expected;
  default:
    scoped_atomic_thread_fence(op->order, op->scope);
    return 0;
  }
}

static void run_thread(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned t = thread->block.x + thread->thread.x;
  int last = 0, found[OPS] = {0};
  for (int i = 0; i < program.op_counts[t]; i++) {
    const Op *op = &program.ops[t][i];
    if (op->is_conditional && last != op->wanted)
      continue;
    int result = run_op(op, last);
    if (has_result(op))
      found[i] = last = result;
  }
  for (int i = 0; i < OPS; i++)
    scoped_plain_store(&results[t][i], found[i]);
}

static int pack(int row[THREADS * OPS]) {
  int count = 0;
  for (int t = 0; t < program.thread_count; t++)
    for (int i = 0; i < program.op_counts[t]; i++)
      row[count++] = results[t][i];
  return count;
}

static bool is_new(const int *row, int count) {
  for (int i = 0; i < outcome_count; i++)
    if (memcmp(outcomes[i], row, (size_t)count * sizeof *row) == 0)
      return false;
  return true;
}

static bool note_outcome(void *context) {
  (void)context;
  int row[THREADS * OPS];
  int count = pack(row);
  if (is_new(row, count) && outcome_count < OUTCOMES)
    memcpy(outcomes[outcome_count++], row, (size_t)count * sizeof *row);
  return true;
}

static bool check_functions(WarpsanSession *session, const char *model, WarpsanResults *list) {
  WarpsanTest *test;
  WarpsanLaunch launch = {.size = sizeof launch, .name = "P", .function = run_thread};
  unsigned count = (unsigned)program.thread_count;
  launch.grid.x = program.is_one_block ? 1 : count;
  launch.block.x = program.is_one_block ? count : 1;
  memset(memory, 0, sizeof memory);
  memset(results, 0, sizeof results);
  outcome_count = 0;
  if (warpsan_test_new("random", &test) != WARPSAN_OK)
    abort();
  warpsan_test_memory(test, "memory", memory, sizeof memory);
  warpsan_test_memory(test, "results", results, sizeof results);
  warpsan_test_launch(test, &launch);
  warpsan_test_final(test, note_outcome, NULL, __FILE__, __LINE__, "");
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.omit_witness = true;
  options.models = &model;
  options.model_count = 1;
  options.explore_races = explores_races;
  bool is_ok = warpsan_check_function(session, test, &options, list) == WARPSAN_OK;
  warpsan_test_free(test);
  return is_ok;
}

// --- comparison

static bool has_race(const WarpsanResult *result) {
  for (size_t i = 0; i < warpsan_result_finding_count(result); i++)
    if (strcmp(warpsan_finding_rule(warpsan_result_finding(result, i)), "data-race") == 0)
      return true;
  return false;
}

static bool has_condition(void) {
  for (int t = 0; t < program.thread_count; t++)
    for (int i = 0; i < program.op_counts[t]; i++)
      if (program.ops[t][i].is_conditional)
        return true;
  return false;
}

static bool has_all_outcomes(const WarpsanResult *litmus) {
  size_t columns = warpsan_result_column_count(litmus);
  for (size_t s = 0; s < warpsan_result_state_count(litmus); s++) {
    int row[THREADS * OPS];
    for (size_t c = 0; c < columns; c++) {
      int t, i, at = 0;
      if (sscanf(warpsan_result_column_name(litmus, c), "P%d:r%d", &t, &i) != 2)
        return false;
      for (int earlier = 0; earlier < t; earlier++)
        at += program.op_counts[earlier];
      row[at + i] = (int)warpsan_result_state_value(litmus, s, c);
    }
    if (is_new(row, (int)columns)) {
      printf("outcome of the litmus test only:");
      for (size_t c = 0; c < columns; c++)
        printf(" %d", row[c]);
      printf("\n");
      return false;
    }
  }
  return true;
}

typedef struct Tally {
  int count, racy, failed;
  uint64_t executions;
} Tally;

static bool agree(const WarpsanResult *litmus, const WarpsanResult *functions, Tally *tally) {
  bool is_racy = has_race(litmus);
  tally->count++;
  tally->racy += is_racy;
  tally->executions += warpsan_result_executions(litmus);
  bool may_do_more = wants_buffering && has_condition();
  if ((is_racy != has_race(functions) && !(may_do_more && !is_racy)) ||
      warpsan_result_duplicates(functions) || warpsan_result_incomplete(functions))
    return false;
  if (is_racy && !explores_races)
    return true;
  bool is_same = warpsan_result_state_count(litmus) == (size_t)outcome_count &&
                 warpsan_result_executions(litmus) == warpsan_result_executions(functions);
  bool is_smaller =
      wants_updates && warpsan_result_executions(litmus) >= warpsan_result_executions(functions);
  return has_all_outcomes(litmus) &&
         (is_same || may_do_more ||
          (is_smaller && warpsan_result_state_count(litmus) == (size_t)outcome_count));
}

static void compare(WarpsanSession *session, const char *text_model, const char *model,
                    uint64_t seed, Tally *tally) {
  static char text[1 << 14];
  WarpsanResults *list;
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = &text_model;
  options.model_count = 1;
  options.omit_witness = true;
  make_program(seed);
  print_program(text, sizeof text, seed);
  if (warpsan_results_new(session, &list) != WARPSAN_OK)
    abort();
  bool is_ok =
      warpsan_check_text(session, "random", text, strlen(text), &options, list) == WARPSAN_OK &&
      check_functions(session, model, list);
  const WarpsanResult *litmus = warpsan_results_get(list, 0);
  const WarpsanResult *functions = is_ok ? warpsan_results_get(list, 1) : NULL;
  if (!is_ok || !agree(litmus, functions, tally)) {
    tally->failed++;
    printf("%s", text);
    for (size_t i = 0; !is_ok && i < warpsan_result_finding_count(litmus); i++)
      printf("%u: %s\n", warpsan_finding_place(warpsan_result_finding(litmus, i)).line,
             warpsan_finding_message(warpsan_result_finding(litmus, i)));
    if (is_ok)
      printf(
          "seed %llu: the litmus test has %llu executions, %zu outcomes, race: %d; the functions "
          "have %llu, %d, race: %d\n",
          (unsigned long long)seed, (unsigned long long)warpsan_result_executions(litmus),
          warpsan_result_state_count(litmus), has_race(litmus),
          (unsigned long long)warpsan_result_executions(functions), outcome_count,
          has_race(functions));
  }
  warpsan_results_free(list);
}

int main(int argument_count, char **arguments) {
  if (argument_count < 5)
    return 2;
  explores_races = argument_count > 5 && strcmp(arguments[5], "races") == 0;
  wants_updates = argument_count > 5 && strcmp(arguments[5], "updates") == 0;
  wants_buffering = argument_count > 5 && strcmp(arguments[5], "buffering") == 0;
  uint64_t first = strtoull(arguments[3], NULL, 10), count = strtoull(arguments[4], NULL, 10);
  WarpsanSession *session;
  Tally tally = {0};
  if (warpsan_session_new(&session) != WARPSAN_OK)
    return 4;
  for (uint64_t seed = first; seed < first + count && tally.failed < 3; seed++)
    compare(session, arguments[1], arguments[2], seed, &tally);
  printf("%d programs, %d of them racy, %llu executions, %d differ\n", tally.count, tally.racy,
         (unsigned long long)tally.executions, tally.failed);
  warpsan_session_free(session);
  // A generator that makes only racy programs would compare nothing.
  return tally.failed || tally.racy * 10 > tally.count * 9 ? 1 : 0;
}
