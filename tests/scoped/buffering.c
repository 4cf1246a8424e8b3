// Load buffering: reads that see what their own thread does later. Each program is written twice,
// as C functions and as a litmus test in C, and has the same outcomes; and each has an outcome that
// is known to be allowed or forbidden.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>
#include <warpsan/warpsan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, OUTCOMES = 64, TEXT = 4096 };

#define DEVICE scoped_thread_scope_device
#define LOAD(p, order) scoped_atomic_load_explicit(p, scoped_memory_order_##order, DEVICE)
#define STORE(p, value, order)                                                                     \
  scoped_atomic_store_explicit(p, value, scoped_memory_order_##order, DEVICE)
#define FENCE(order) scoped_atomic_thread_fence(scoped_memory_order_##order, DEVICE)

static int x, y, z, data, results[THREADS];
static int outcomes[OUTCOMES][THREADS], outcome_count;

typedef struct Case {
  const char *name;
  int (*threads[THREADS])(void);
  const char *texts[THREADS]; // the same in the dialect C, without declarations; result in r
  int outcome[THREADS];       // the interesting one
  bool is_allowed;
  bool litmus_forbids; // dependencies of texts are more than those of functions
  const char *finding; // rule that is found, in functions; NULL: none
} Case;

// --- threads

static int read_x_write_y(void) {
  int r = LOAD(&x, relaxed);
  STORE(&y, 1, relaxed);
  return r;
}

static int read_y_write_x(void) {
  int r = LOAD(&y, relaxed);
  STORE(&x, 1, relaxed);
  return r;
}

static int read_y_write_z(void) {
  int r = LOAD(&y, relaxed);
  STORE(&z, 1, relaxed);
  return r;
}

static int read_z_write_x(void) {
  int r = LOAD(&z, relaxed);
  STORE(&x, 1, relaxed);
  return r;
}

static int acquire_x_write_y(void) {
  int r = LOAD(&x, acquire);
  STORE(&y, 1, relaxed);
  return r;
}

static int acquire_y_write_x(void) {
  int r = LOAD(&y, acquire);
  STORE(&x, 1, relaxed);
  return r;
}

static int acquire_x_release_y(void) {
  int r = LOAD(&x, acquire);
  STORE(&y, 1, release);
  return r;
}

static int acquire_y_release_x(void) {
  int r = LOAD(&y, acquire);
  STORE(&x, 1, release);
  return r;
}

static int read_x_release_y(void) {
  int r = LOAD(&x, relaxed);
  STORE(&y, 1, release);
  return r;
}

static int read_y_release_x(void) {
  int r = LOAD(&y, relaxed);
  STORE(&x, 1, release);
  return r;
}

static int read_x_fence_write_y(void) {
  int r = LOAD(&x, relaxed);
  FENCE(acq_rel);
  STORE(&y, 1, relaxed);
  return r;
}

static int read_y_fence_write_x(void) {
  int r = LOAD(&y, relaxed);
  FENCE(acq_rel);
  STORE(&x, 1, relaxed);
  return r;
}

static int copy_x_to_y(void) {
  int r = LOAD(&x, relaxed);
  STORE(&y, r, relaxed);
  return r;
}

static int copy_y_to_x(void) {
  int r = LOAD(&y, relaxed);
  STORE(&x, r, relaxed);
  return r;
}

static int copy_y_to_z(void) {
  int r = LOAD(&y, relaxed);
  STORE(&z, r, relaxed);
  return r;
}

static int copy_z_to_x(void) {
  int r = LOAD(&z, relaxed);
  STORE(&x, r, relaxed);
  return r;
}

static int release_z_to_x(void) {
  int r = LOAD(&z, relaxed);
  STORE(&x, r, release);
  return r;
}

static int increment_x_to_y(void) {
  int r = LOAD(&x, relaxed);
  STORE(&y, r + 1, relaxed);
  return r;
}

static int increment_y_to_x(void) {
  int r = LOAD(&y, relaxed);
  STORE(&x, r + 1, relaxed);
  return r;
}

static int write_y_if_x(void) {
  int r = LOAD(&x, relaxed);
  if (r == 1)
    STORE(&y, 1, relaxed);
  return r;
}

static int write_x_if_y(void) {
  int r = LOAD(&y, relaxed);
  if (r == 1)
    STORE(&x, 1, relaxed);
  return r;
}

static int write_y_either_way(void) {
  int r = LOAD(&x, relaxed);
  if (r == 1)
    STORE(&y, 1, relaxed);
  else
    STORE(&y, 1, relaxed);
  return r;
}

// The same place in the source: a function cannot be told from one without a condition.
static int write_y_selected(void) {
  int r = LOAD(&x, relaxed);
  STORE(&y, r == 1 ? 1 : 1, relaxed);
  return r;
}

static int copy_x_to_z_write_y(void) {
  int r = LOAD(&x, relaxed);
  STORE(&z, r, relaxed);
  STORE(&y, 1, relaxed);
  return r;
}

static int add_to_x_write_y(void) {
  int r = scoped_atomic_fetch_add_explicit(&x, 4, scoped_memory_order_relaxed, DEVICE);
  STORE(&y, 1, relaxed);
  return r;
}

static int read_x_add_to_y(void) {
  int r = LOAD(&x, relaxed);
  (void)scoped_atomic_fetch_add_explicit(&y, 1, scoped_memory_order_relaxed, DEVICE);
  return r;
}

static int swap_x_write_y(void) {
  int r = 1;
  scoped_atomic_compare_exchange_strong_explicit(&x, &r, 2, scoped_memory_order_relaxed,
                                                 scoped_memory_order_relaxed, DEVICE);
  STORE(&y, 1, relaxed);
  return r;
}

static int read_x_wait_for_z_write_y(void) {
  int r = LOAD(&x, relaxed);
  scoped_spin_while(LOAD(&z, relaxed) == 0);
  STORE(&y, 1, relaxed);
  return r;
}

static int wait_for_y_write_x(void) {
  scoped_spin_while(LOAD(&y, relaxed) == 0);
  STORE(&x, 1, relaxed);
  return 1;
}

static int write_z(void) {
  STORE(&z, 1, relaxed);
  return 0;
}

static int race_behind_x(void) {
  int r = LOAD(&x, relaxed);
  STORE(&y, 1, relaxed);
  if (r == 1)
    scoped_plain_store(&data, 1);
  return r;
}

static int race_behind_y(void) {
  int r = LOAD(&y, relaxed);
  STORE(&x, 1, relaxed);
  if (r == 1)
    scoped_plain_store(&data, 2);
  return r;
}

static int assert_x_was_not_seen(void) {
  int r = LOAD(&x, relaxed);
  STORE(&y, 1, relaxed);
  scoped_assert(r == 0);
  return r;
}

// --- programs

#define READ(location, order)                                                                      \
  "r = atomic_load_explicit(" location ", memory_order_" order ", thread_scope_device); "
#define WRITE(location, value, order)                                                              \
  "atomic_store_explicit(" location ", " value ", memory_order_" order ", thread_scope_device); "
#define FENCED "atomic_thread_fence(memory_order_acq_rel, thread_scope_device); "

static const Case cases[] = {
    {"LB",
     {read_x_write_y, read_y_write_x},
     {READ("x", "relaxed") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+acquires",
     {acquire_x_write_y, acquire_y_write_x},
     {READ("x", "acquire") WRITE("y", "1", "relaxed"),
      READ("y", "acquire") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+releases",
     {read_x_release_y, read_y_release_x},
     {READ("x", "relaxed") WRITE("y", "1", "release"),
      READ("y", "relaxed") WRITE("x", "1", "release")},
     {1, 1},
     .is_allowed = true},
    {"LB+acquire-releases",
     {acquire_x_release_y, acquire_y_release_x},
     {READ("x", "acquire") WRITE("y", "1", "release"),
      READ("y", "acquire") WRITE("x", "1", "release")},
     {1, 1},
     .is_allowed = false},
    {"LB+acquire-release+relaxed",
     {acquire_x_release_y, read_y_write_x},
     {READ("x", "acquire") WRITE("y", "1", "release"),
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+one synchronises",
     {acquire_x_write_y, read_y_release_x},
     {READ("x", "acquire") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "1", "release")},
     {1, 1},
     .is_allowed = false},
    {"LB+fences",
     {read_x_fence_write_y, read_y_fence_write_x},
     {READ("x", "relaxed") FENCED WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") FENCED WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = false},
    {"LB+data: out of thin air",
     {copy_x_to_y, copy_y_to_x},
     {READ("x", "relaxed") WRITE("y", "r", "relaxed"),
      READ("y", "relaxed") WRITE("x", "r", "relaxed")},
     {1, 1},
     .is_allowed = false},
    {"LB+data+independent",
     {copy_x_to_y, read_y_write_x},
     {READ("x", "relaxed") WRITE("y", "r", "relaxed"),
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+growing values",
     {increment_x_to_y, increment_y_to_x},
     {READ("x", "relaxed") WRITE("y", "r + 1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "r + 1", "relaxed")},
     {2, 1},
     .is_allowed = false},
    {"LB+a value that only it makes",
     {read_x_write_y, increment_y_to_x},
     {READ("x", "relaxed") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "r + 1", "relaxed")},
     {2, 1},
     .is_allowed = true},
    {"LB+conditions",
     {write_y_if_x, write_x_if_y},
     {READ("x", "relaxed") "if (r == 1) { " WRITE("y", "1", "relaxed") "}",
      READ("y", "relaxed") "if (r == 1) { " WRITE("x", "1", "relaxed") "}"},
     {1, 1},
     .is_allowed = false},
    {"LB+condition+independent",
     {write_y_if_x, read_y_write_x},
     {READ("x", "relaxed") "if (r == 1) { " WRITE("y", "1", "relaxed") "}",
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+condition with two stores",
     {write_y_either_way, read_y_write_x},
     {READ("x", "relaxed") "if (r == 1) { " WRITE("y", "1", "relaxed") "} else { " //
      WRITE("y", "1", "relaxed") "}",
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+conditions with two stores",
     {write_y_either_way, write_x_if_y},
     {READ("x", "relaxed") "if (r == 1) { " WRITE("y", "1", "relaxed") "} else { " //
      WRITE("y", "1", "relaxed") "}",
      READ("y", "relaxed") "if (r == 1) { " WRITE("x", "1", "relaxed") "}"},
     {1, 1},
     .is_allowed = false},
    {"LB+condition that makes no difference",
     {write_y_selected, write_x_if_y},
     {READ("x", "relaxed") WRITE("y", "r == 1 ? 1 : 1", "relaxed"),
      READ("y", "relaxed") "if (r == 1) { " WRITE("x", "1", "relaxed") "}"},
     {1, 1},
     .is_allowed = true,
     .litmus_forbids = true},
    {"LB+dependent store between",
     {copy_x_to_z_write_y, copy_y_to_x},
     {READ("x", "relaxed") WRITE("z", "r", "relaxed") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "r", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+dependent store between, read",
     {copy_x_to_z_write_y, read_y_write_x, copy_z_to_x},
     {READ("x", "relaxed") WRITE("z", "r", "relaxed") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "1", "relaxed"),
      READ("z", "relaxed") WRITE("x", "r", "relaxed")},
     {1, 1, 1},
     .is_allowed = true},
    {"3.LB",
     {read_x_write_y, read_y_write_z, read_z_write_x},
     {READ("x", "relaxed") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("z", "1", "relaxed"),
      READ("z", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1, 1},
     .is_allowed = true},
    {"3.LB+data+data",
     {read_x_write_y, copy_y_to_z, copy_z_to_x},
     {READ("x", "relaxed") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("z", "r", "relaxed"),
      READ("z", "relaxed") WRITE("x", "r", "relaxed")},
     {1, 1, 1},
     .is_allowed = true},
    {"3.LB+acquire+data+data that releases",
     {acquire_x_write_y, copy_y_to_z, release_z_to_x},
     {READ("x", "acquire") WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("z", "r", "relaxed"),
      READ("z", "relaxed") WRITE("x", "r", "release")},
     {1, 1, 1},
     .is_allowed = true},
    {"3.LB+data+data+data",
     {copy_x_to_y, copy_y_to_z, copy_z_to_x},
     {READ("x", "relaxed") WRITE("y", "r", "relaxed"),
      READ("y", "relaxed") WRITE("z", "r", "relaxed"),
      READ("z", "relaxed") WRITE("x", "r", "relaxed")},
     {1, 1, 1},
     .is_allowed = false},
    {"LB+atomic that reads",
     {add_to_x_write_y, read_y_write_x},
     {"r = atomic_fetch_add_explicit(x, 4, memory_order_relaxed, thread_scope_device); " //
      WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+atomic that writes",
     {read_x_add_to_y, read_y_write_x},
     {READ("x", "relaxed") "atomic_fetch_add_explicit(y, 1, memory_order_relaxed, "
                           "thread_scope_device); ",
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+wait",
     {read_x_wait_for_z_write_y, read_y_write_x, write_z},
     {READ("x", "relaxed") "int s = 0; do { s = atomic_load_explicit(z, memory_order_relaxed, "
                           "thread_scope_device); } while (s == 0); " WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "1", "relaxed"), WRITE("z", "1", "relaxed")},
     {1, 1, 0},
     .is_allowed = true},
    {"LB+waiting for it",
     {read_x_write_y, wait_for_y_write_x},
     {READ("x", "relaxed") WRITE("y", "1", "relaxed"),
      "do { " READ("y", "relaxed") "} while (r == 0); " WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
    {"LB+assertion",
     {assert_x_was_not_seen, wait_for_y_write_x},
     {READ("x", "relaxed") WRITE("y", "1", "relaxed"),
      "do { " READ("y", "relaxed") "} while (r == 0); " WRITE("x", "1", "relaxed")},
     {1, 1}, // is not reached
     .is_allowed = false,
     .finding = "stale-value",
     .litmus_forbids = true},
    {"LB+race behind it",
     {race_behind_x, race_behind_y},
     {READ("x", "relaxed") WRITE("y", "1", "relaxed") "if (r == 1) *data = 1; ",
      READ("y", "relaxed") WRITE("x", "1", "relaxed") "if (r == 1) *data = 2; "},
     {1, 1},
     .is_allowed = true,
     .finding = "data-race"},
    {"LB+swap",
     {swap_x_write_y, read_y_write_x},
     {"r = 1; atomic_compare_exchange_strong_explicit(x, &r, 2, memory_order_relaxed, "
      "memory_order_relaxed, thread_scope_device); " WRITE("y", "1", "relaxed"),
      READ("y", "relaxed") WRITE("x", "1", "relaxed")},
     {1, 1},
     .is_allowed = true},
};

static const Case *current;

static void run_thread(const WarpsanThread *thread, void *argument) {
  (void)argument;
  scoped_plain_store(&results[thread->block.x], current->threads[thread->block.x]());
}

static int thread_count(void) {
  return current->threads[2] ? 3 : 2;
}

// --- checking

static bool is_noted(const int *row) {
  for (int i = 0; i < outcome_count; i++)
    if (memcmp(outcomes[i], row, sizeof outcomes[i]) == 0)
      return true;
  return false;
}

static bool note_outcome(void *context) {
  (void)context;
  if (!is_noted(results) && outcome_count < OUTCOMES)
    memcpy(outcomes[outcome_count++], results, sizeof results);
  return true;
}

static const WarpsanResult *check_functions(WarpsanSession *session, const char *model,
                                            WarpsanResults *list) {
  WarpsanTest *test;
  WarpsanLaunch launch = {.size = sizeof launch, .name = "P", .function = run_thread};
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = &model;
  options.model_count = 1;
  launch.grid.x = (unsigned)thread_count();
  x = y = z = data = outcome_count = 0;
  memset(results, 0, sizeof results);
  if (warpsan_test_new(current->name, &test) != WARPSAN_OK)
    abort();
  scoped_test_memory(test, x);
  scoped_test_memory(test, y);
  scoped_test_memory(test, z);
  scoped_test_memory(test, data);
  scoped_test_memory(test, results);
  warpsan_test_launch(test, &launch);
  scoped_test_final(test, note_outcome);
  if (warpsan_check_function(session, test, &options, list) != WARPSAN_OK)
    abort();
  warpsan_test_free(test);
  return warpsan_results_get(list, 0);
}

static const WarpsanResult *check_litmus(WarpsanSession *session, const char *model,
                                         WarpsanResults *list) {
  char text[TEXT];
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = &model;
  options.model_count = 1;
  options.omit_witness = true;
  int used = snprintf(text, sizeof text, "C buffering\n{ x = 0; }\n");
  for (int t = 0; t < thread_count(); t++)
    used +=
        snprintf(text + used, sizeof text - (size_t)used,
                 "P%d (atomic_int* x, atomic_int* y, atomic_int* z, int* data) { int r = 0; %s }\n",
                 t, current->texts[t]);
  snprintf(text + used, sizeof text - (size_t)used, "locations [0:r; 1:r;%s]\nexists (true)\n",
           thread_count() == 3 ? " 2:r;" : "");
  if (warpsan_check_text(session, "buffering", text, strlen(text), &options, list) != WARPSAN_OK) {
    printf("%s\n", text);
    abort();
  }
  return warpsan_results_get(list, 1);
}

static bool litmus_agrees(const WarpsanResult *litmus) {
  size_t count = warpsan_result_state_count(litmus);
  for (size_t i = 0; i < count; i++) {
    int row[THREADS] = {0};
    for (size_t c = 0; c < warpsan_result_column_count(litmus); c++)
      row[c] = (int)warpsan_result_state_value(litmus, i, c);
    if (!is_noted(row))
      return false;
  }
  return count == (size_t)outcome_count;
}

static bool finds(const WarpsanResult *result, const char *rule) {
  size_t count = warpsan_result_finding_count(result);
  for (size_t i = 0; i < count; i++)
    if (rule && strcmp(warpsan_finding_rule(warpsan_result_finding(result, i)), rule) == 0)
      return warpsan_finding_place(warpsan_result_finding(result, i)).line > 0;
  return !rule && count == 0;
}

// `buffers`: the model allows it.
static bool check_case(WarpsanSession *session, const Case *what, const char *model, bool buffers) {
  WarpsanResults *list;
  current = what;
  if (warpsan_results_new(session, &list) != WARPSAN_OK)
    abort();
  const WarpsanResult *functions = check_functions(session, model, list);
  bool is_named = strcmp(warpsan_result_model(functions), model) == 0;
  bool is_right = !warpsan_result_incomplete(functions) &&
                  finds(functions, buffers ? what->finding : NULL) &&
                  warpsan_result_duplicates(functions) == 0;
  bool is_seen = is_noted(what->outcome);
  bool is_same = litmus_agrees(check_litmus(session, model, list));
  bool is_ok = is_named && is_right && is_seen == (what->is_allowed && buffers) &&
               is_same != (what->litmus_forbids && buffers);
  if (!is_ok)
    printf("%s, %s: model named: %d, as expected: %d, outcome seen: %d, as the litmus test: %d\n",
           what->name, model, is_named, is_right, is_seen, is_same);
  warpsan_results_free(list);
  return is_ok;
}

int main(void) {
  static const char *const models[] = {"cuda", "ptx", "ptx60", "c11", "rc11", "tso", "sc"};
  const size_t buffering_count = 4; // the first ones
  WarpsanSession *session;
  int failed = 0;
  if (warpsan_session_new(&session) != WARPSAN_OK)
    return 4;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      failed += !check_case(session, &cases[i], models[m], m < buffering_count);
  warpsan_session_free(session);
  printf("%zu programs, %d failed\n", sizeof cases / sizeof *cases, failed);
  return failed != 0;
}
