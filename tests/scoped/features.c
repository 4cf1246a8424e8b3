// What functions can do under the checker, and what is found when they do it wrong: each test says
// what is to be found first.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>

#include <stdlib.h>
#include <string.h>

#define DEVICE scoped_thread_scope_device
#define BLOCK scoped_thread_scope_block
#define RELAXED scoped_memory_order_relaxed
#define ACQUIRE scoped_memory_order_acquire
#define RELEASE scoped_memory_order_release

static int data[8], flag;
static uint8_t bytes[8];
static int16_t halves[4];
static float singles[2];
static double reals[2];
static uint64_t wides[2];
static scoped_barrier barrier;
static scoped_counting_semaphore semaphore;
static scoped_stop_source source;
static scoped_stop_callback callback;
static scoped_grid_barrier grid;

// ---------------------------------------------------------------- threads of a block and a warp

static void use_warp(const WarpsanThread *thread, void *argument) {
  (void)argument;
  uint32_t lane = thread->thread.x, all = 0xf;
  scoped_assert(scoped_shfl_sync(all, (int)lane + 10, 2) == 12);
  scoped_assert(scoped_shfl_xor_sync(all, (int)lane, 1) == (int)(lane ^ 1));
  scoped_assert(scoped_shfl_up_sync(all, lane, 1) == (lane ? lane - 1 : 0));
  scoped_assert(lane == 3 ||
                scoped_shfl_down_sync(all & ~8u, lane, 1) == (lane < 2 ? lane + 1 : 2));
  scoped_syncwarp(all);
  float exchanged = scoped_shfl_sync(all, (float)lane + 0.5f, 3);
  scoped_assert(exchanged > 3.4f && exchanged < 3.6f);
  scoped_assert(scoped_ballot_sync(all, lane > 1) == 0xc);
  scoped_assert(scoped_any_sync(all, lane == 3) && !scoped_all_sync(all, lane == 3));
  scoped_assert(scoped_match_any_sync(all, lane / 2) == (lane < 2 ? 3u : 12u));
  scoped_assert(scoped_reduce_add_sync(all, lane) == 6);
}

static void use_block(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->thread.x;
  scoped_plain_store(&data[own], (int)own);
  scoped_syncthreads();
  scoped_assert(scoped_plain_load(&data[3 - own]) == (int)(3 - own));
  scoped_assert(scoped_syncthreads_count(own > 0) == 3);
  scoped_assert(scoped_syncthreads_or(own == 2) && !scoped_syncthreads_and(own == 2));
}

static void use_numbered_barrier(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->thread.x;
  if (own < 32) {
    if (own == 0)
      scoped_plain_store(&data[0], 7);
    scoped_barrier_arrive(1, 64);
  } else {
    scoped_barrier_sync(1, 64);
    if (own == 32)
      scoped_assert(scoped_plain_load(&data[0]) == 7);
  }
}

static void use_cluster(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  scoped_plain_store(&data[own], 5);
  scoped_cluster_sync();
  scoped_assert(scoped_plain_load(&data[1 - own]) == 5);
}

static void use_cluster_relaxed(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  scoped_plain_store(&data[own], 5);
  scoped_cluster_arrive_relaxed();
  scoped_cluster_wait();
  (void)scoped_plain_load(&data[1 - own]);
}

static void use_grid(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x * 2 + thread->thread.x;
  scoped_plain_store(&data[own], (int)own);
  scoped_grid_sync(&grid, thread->grid_size.x, thread->thread.x == 0);
  scoped_assert(scoped_plain_load(&data[3 - own]) == (int)(3 - own));
}

static void part_at_branch(const WarpsanThread *thread, void *argument) {
  (void)argument;
  if (thread->thread.x == 0)
    scoped_syncthreads();
  else
    scoped_syncwarp(3);
}

// ---------------------------------------------------------------- values

static void compute(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_assert(scoped_atomic_fetch_add(&bytes[1], 10, DEVICE) == 250);
  scoped_assert(scoped_atomic_load(&bytes[1], DEVICE) == 4);
  scoped_assert(scoped_atomic_fetch_min(&halves[0], -5, DEVICE) == 3);
  scoped_assert(scoped_atomic_fetch_max(&halves[0], -7, DEVICE) == -5);
  scoped_assert(scoped_atomic_exchange(&halves[0], 9, DEVICE) == -5);
  (void)scoped_atomic_fetch_add(&singles[0], 1.5f, DEVICE);
  float single = scoped_atomic_fetch_max(&singles[0], 4.0f, DEVICE);
  scoped_assert(single > 1.4f && single < 1.6f);
  (void)scoped_atomic_fetch_sub(&reals[0], 2.5, DEVICE);
  scoped_assert(scoped_atomic_load(&reals[0], DEVICE) < -2.4);
  (void)scoped_atomic_fetch_or(&wides[0], (uint64_t)1 << 40, DEVICE);
  (void)scoped_atomic_fetch_xor(&wides[0], 3, DEVICE);
  scoped_assert(scoped_atomic_fetch_and(&wides[0], 1, DEVICE) == ((uint64_t)1 << 40 | 3));
  (void)scoped_atomic_fetch_sub(&wides[0], 3u, DEVICE); // of 64 bits, not of the operand's
  scoped_atomic_sub(&wides[0], 1u, DEVICE);
  scoped_assert(scoped_atomic_fetch_add(&wides[0], 4, DEVICE) == (uint64_t)-3);
  uint64_t expected = 5;
  scoped_assert(!scoped_atomic_compare_exchange_strong(&wides[0], &expected, 7, DEVICE));
  scoped_assert(expected == 1);
  scoped_assert(scoped_atomic_compare_exchange_weak(&wides[0], &expected, 7, DEVICE));
}

static bool values_are_left(void *context) {
  (void)context;
  return bytes[1] == 4 && halves[0] == 9 && wides[0] == 7 && bytes[0] == 0 && bytes[2] == 0;
}

// ---------------------------------------------------------------- objects

static void meet(const WarpsanThread *thread, void *argument) {
  (void)argument;
  unsigned own = thread->block.x;
  scoped_plain_store(&data[own], 1);
  scoped_barrier_arrive_and_wait(&barrier, DEVICE);
  scoped_assert(scoped_plain_load(&data[1 - own]) == 1);
  scoped_barrier_arrive_and_wait(&barrier, DEVICE);
  scoped_plain_store(&data[own], 2);
}

static void pass_on(const WarpsanThread *thread, void *argument) {
  (void)argument;
  if (thread->block.x == 0) {
    scoped_plain_store(&data[0], 1);
    scoped_counting_semaphore_release(&semaphore, 2, DEVICE);
  } else {
    scoped_counting_semaphore_acquire(&semaphore, DEVICE);
    scoped_assert(scoped_plain_load(&data[0]) == 1);
  }
}

static void note_stop(void *context) {
  scoped_plain_store((int *)context, 1);
}

static void stop_or_register(const WarpsanThread *thread, void *argument) {
  (void)argument;
  scoped_stop_token token = scoped_stop_source_get_token(&source);
  if (thread->block.x == 0) {
    scoped_plain_store(&data[1], 1);
    scoped_assert(scoped_stop_source_request(&source, DEVICE));
    return;
  }
  scoped_stop_callback_init(&callback, token, note_stop, &data[0], DEVICE);
  if (scoped_stop_requested(token, DEVICE))
    scoped_assert(scoped_plain_load(&data[1]) == 1);
  scoped_stop_callback_end(&callback, token, DEVICE);
  int was_called = scoped_plain_load(&data[0]);
  scoped_assert(was_called == 0 || scoped_stop_requested(token, DEVICE));
}

// ---------------------------------------------------------------- pointers to local variables

// The address sanitizer may keep local variables elsewhere, where the checker does not know them.
#if defined(__SANITIZE_ADDRESS__)
#define LOCALS_ARE_ON_THE_STACK false
#elif defined(__has_feature)
#define LOCALS_ARE_ON_THE_STACK !__has_feature(address_sanitizer)
#else
#define LOCALS_ARE_ON_THE_STACK true
#endif

static int *shared_pointer;

static void lend_local(const WarpsanThread *thread, void *argument) {
  (void)argument;
  int local = 0;
  if (!LOCALS_ARE_ON_THE_STACK)
    return;
  if (thread->block.x == 0) {
    scoped_plain_store(&local, 5);
    scoped_atomic_store_explicit(&shared_pointer, &local, RELEASE, DEVICE);
    scoped_atomic_wait_explicit(&flag, 0, ACQUIRE, DEVICE);
  } else {
    scoped_spin_while(!scoped_atomic_load_explicit(&shared_pointer, ACQUIRE, DEVICE));
    int *lent = scoped_atomic_load_explicit(&shared_pointer, RELAXED, DEVICE);
    scoped_assert(scoped_plain_load(lent) == 5);
    scoped_atomic_store_explicit(&flag, 1, RELEASE, DEVICE);
  }
}

// ---------------------------------------------------------------- what goes wrong

static void wait_for_nothing(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_atomic_wait_explicit(&flag, 0, ACQUIRE, DEVICE);
}

static void fail_sometimes(const WarpsanThread *thread, void *argument) {
  (void)argument;
  if (thread->block.x == 0)
    scoped_atomic_store_explicit(&flag, 1, RELAXED, DEVICE);
  else
    scoped_assert(scoped_atomic_load_explicit(&flag, RELAXED, DEVICE) == 0);
}

static int not_given; // what lies behind an array may be another one

static void leave_memory(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_plain_store(&not_given, 1);
}

static void read_undefined(const WarpsanThread *thread, void *argument) {
  (void)argument;
  (void)scoped_plain_load((int *)thread->shared);
}

static void store_misaligned(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_atomic_store((int *)(void *)(bytes + 1), 1, DEVICE);
}

static void be_fickle(const WarpsanThread *thread, void *argument) {
  static int calls;
  (void)argument;
  calls++;
  scoped_atomic_store_explicit(&data[thread->block.x], calls, RELAXED, DEVICE);
  (void)scoped_atomic_load_explicit(&data[1 - thread->block.x], RELAXED, DEVICE);
}

static void poll_without_end(const WarpsanThread *thread, void *argument) {
  (void)argument;
  if (thread->block.x == 0)
    scoped_atomic_store_explicit(&flag, 1, RELAXED, DEVICE);
  else
    while (scoped_atomic_load_explicit(&flag, RELAXED, DEVICE) == 0)
      continue; // not scoped_spin_while: bounded
}

static bool never(void *context) {
  (void)context;
  return flag == 0;
}

// ---------------------------------------------------------------- the tests

typedef struct Feature {
  WarpsanFunction *function;
  unsigned blocks, threads, cluster, shared_bytes;
  bool is_cooperative;
  bool (*holds)(void *context);
  const char *expected; // "clean", a rule, or "incomplete: " and a part of the reason
} Feature;

static const Feature features[] = {
    {use_warp, 1, 4, 0, 0, false, NULL, "clean"},
    {use_block, 1, 4, 0, 0, false, NULL, "clean"},
    {use_numbered_barrier, 1, 64, 0, 0, false, NULL, "clean"},
    {use_cluster, 2, 1, 2, 0, false, NULL, "clean"},
    {use_cluster, 2, 1, 1, 0, false, NULL, "data-race"},
    {use_cluster_relaxed, 2, 1, 2, 0, false, NULL, "data-race"},
    {use_grid, 2, 2, 0, 0, true, NULL, "clean"},
    {part_at_branch, 1, 2, 0, 0, false, NULL, "barrier-divergence"},
    {compute, 1, 1, 0, 0, false, values_are_left, "clean"},
    {meet, 2, 1, 0, 0, false, NULL, "clean"},
    {pass_on, 3, 1, 0, 0, false, NULL, "clean"},
    {stop_or_register, 2, 1, 0, 0, false, NULL, "clean"},
    {lend_local, 2, 1, 0, 0, false, NULL, "clean"},
    {wait_for_nothing, 1, 1, 0, 0, false, NULL, "deadlock"},
    {fail_sometimes, 2, 1, 0, 0, false, NULL, "assert"},
    {fail_sometimes, 1, 1, 0, 0, false, never, "assert"},
    {leave_memory, 1, 1, 0, 0, false, NULL, "out-of-bounds"},
    {read_undefined, 1, 1, 0, 4, false, NULL, "uninitialised"},
    {store_misaligned, 1, 1, 0, 0, false, NULL, "misaligned"},
    {be_fickle, 2, 1, 0, 0, false, NULL, "incomplete: did something else"},
    {poll_without_end, 2, 1, 0, 0, false, NULL, "incomplete: executions were cut"},
};

static void set_memory(WarpsanTest *test) {
  memset(data, 0, sizeof data);
  memset(bytes, 0, sizeof bytes);
  memset(halves, 0, sizeof halves);
  memset(singles, 0, sizeof singles);
  memset(reals, 0, sizeof reals);
  memset(wides, 0, sizeof wides);
  memset(&callback, 0, sizeof callback);
  memset(&grid, 0, sizeof grid);
  flag = 0;
  bytes[1] = 250;
  halves[0] = 3;
  shared_pointer = NULL;
  // Outside of a check operations are carried out at once.
  scoped_barrier_init(&barrier, 2, NULL, NULL);
  scoped_counting_semaphore_init(&semaphore, 0);
  scoped_stop_source_init(&source);
  scoped_test_memory(test, data);
  scoped_test_memory(test, bytes);
  scoped_test_memory(test, halves);
  scoped_test_memory(test, singles);
  scoped_test_memory(test, reals);
  scoped_test_memory(test, wides);
  scoped_test_memory(test, flag);
  scoped_test_memory(test, barrier);
  scoped_test_memory(test, semaphore);
  scoped_test_memory(test, source);
  scoped_test_memory(test, callback);
  scoped_test_memory(test, grid);
  scoped_test_memory(test, shared_pointer);
}

static bool is_found(const WarpsanResult *result, const char *expected) {
  const char *incomplete = warpsan_result_incomplete(result);
  size_t count = warpsan_result_finding_count(result);
  if (strcmp(expected, "clean") == 0)
    return count == 0 && !incomplete;
  if (strncmp(expected, "incomplete: ", 12) == 0)
    return count == 0 && incomplete && strstr(incomplete, expected + 12);
  for (size_t i = 0; i < count; i++)
    if (strcmp(warpsan_finding_rule(warpsan_result_finding(result, i)), expected) == 0)
      return warpsan_finding_place(warpsan_result_finding(result, i)).line > 0;
  return false;
}

static bool check(WarpsanSession *session, size_t number) {
  const Feature *feature = &features[number];
  WarpsanResults *results;
  WarpsanTest *test;
  if (warpsan_results_new(session, &results) != WARPSAN_OK ||
      warpsan_test_new("feature", &test) != WARPSAN_OK)
    abort();
  set_memory(test);
  scoped_test_launch(test, feature->function, .grid.x = feature->blocks,
                     .block.x = feature->threads, .cluster.x = feature->cluster,
                     .shared_bytes = feature->shared_bytes,
                     .is_cooperative = feature->is_cooperative);
  if (feature->holds)
    warpsan_test_final(test, feature->holds, NULL, __FILE__, __LINE__, "the final condition");
  WarpsanStatus status = warpsan_check_function(session, test, NULL, results);
  bool is_ok = status == WARPSAN_OK && is_found(warpsan_results_get(results, 0), feature->expected);
  if (!is_ok) {
    printf("feature %zu: expected %s\n", number, feature->expected);
    warpsan_print(session, results, WARPSAN_FORMAT_TEXT, NULL, scoped_print, stdout);
  }
  warpsan_test_free(test);
  warpsan_results_free(results);
  return is_ok;
}

// ---------------------------------------------------------------- two devices, and the host

static scoped_thread_scope narrowest;

static void tell(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_plain_store(&data[0], 1);
  scoped_atomic_store_explicit(&flag, 1, RELEASE, narrowest);
}

static void be_told(const WarpsanThread *thread, void *argument) {
  (void)argument;
  scoped_assert(thread->device == *(const uint32_t *)argument);
  scoped_atomic_wait_explicit(&flag, 0, ACQUIRE, narrowest);
  scoped_assert(scoped_plain_load(&data[0]) == 1);
}

// What is found when one device tells another one, or the host, at that scope.
static const char *find_between(WarpsanSession *session, uint32_t device,
                                scoped_thread_scope scope) {
  WarpsanResults *results;
  WarpsanTest *test;
  narrowest = scope;
  if (warpsan_results_new(session, &results) != WARPSAN_OK ||
      warpsan_test_new("devices", &test) != WARPSAN_OK)
    abort();
  set_memory(test);
  scoped_test_launch(test, tell, .device = 0);
  scoped_test_launch(test, be_told, .argument = &device, .stream = 1,
                     .device = device == WARPSAN_HOST ? 0 : device,
                     .is_host = device == WARPSAN_HOST);
  const char *found = "nothing";
  if (warpsan_check_function(session, test, NULL, results) != WARPSAN_OK)
    abort();
  const WarpsanResult *result = warpsan_results_get(results, 0);
  for (size_t i = 0; i < warpsan_result_finding_count(result); i++)
    if (warpsan_finding_sub(warpsan_result_finding(result, i)))
      found = "scope";
  warpsan_test_free(test);
  warpsan_results_free(results);
  return found;
}

static bool devices_need_system_scope(WarpsanSession *session) {
  static const struct {
    uint32_t device;
    scoped_thread_scope scope;
    const char *expected;
  } rows[] = {
      {0, scoped_thread_scope_device, "nothing"},
      {1, scoped_thread_scope_device, "scope"},
      {1, scoped_thread_scope_system, "nothing"},
      {WARPSAN_HOST, scoped_thread_scope_device, "scope"},
      {WARPSAN_HOST, scoped_thread_scope_system, "nothing"},
  };
  bool is_ok = true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(find_between(session, rows[i].device, rows[i].scope), rows[i].expected) != 0) {
      printf("devices, row %zu: expected %s\n", i, rows[i].expected);
      is_ok = false;
    }
  return is_ok;
}

// A limit is a result: it says so.
static bool limits_are_said(WarpsanSession *session) {
  WarpsanResults *results;
  WarpsanTest *test;
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  const char *models[] = {"sc", "cuda"};
  options.models = models;
  options.model_count = 2;
  options.max_executions = 1;
  if (warpsan_results_new(session, &results) != WARPSAN_OK ||
      warpsan_test_new("limits", &test) != WARPSAN_OK)
    abort();
  set_memory(test);
  scoped_test_launch(test, meet, .grid.x = 2);
  bool is_ok = warpsan_check_function(session, test, &options, results) == WARPSAN_OK &&
               warpsan_results_count(results) == 2;
  for (size_t i = 0; is_ok && i < 2; i++)
    is_ok = warpsan_result_outcome(warpsan_results_get(results, i)) == WARPSAN_OUTCOME_INCOMPLETE;
  if (!is_ok) {
    printf("a model that functions cannot have, or a limit, is not said\n");
    warpsan_print(session, results, WARPSAN_FORMAT_TEXT, NULL, scoped_print, stdout);
  }
  warpsan_test_free(test);
  warpsan_results_free(results);
  return is_ok;
}

// ---------------------------------------------------------------- what is printed

static scoped_latch latch;

static void count_too_early(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_latch_count_down(&latch, 1, DEVICE);
  scoped_plain_store(&data[0], 1);
}

static void wait_and_read(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_latch_wait(&latch, DEVICE);
  (void)scoped_plain_load(&data[0]);
}

typedef struct Text {
  char bytes[8192];
  size_t length;
} Text;

static int append(void *context, const char *text, size_t length) {
  Text *all = context;
  if (all->length + length >= sizeof all->bytes)
    return 1;
  memcpy(all->bytes + all->length, text, length);
  all->length += length;
  return 0;
}

// Launches that synchronise lack no order of streams; events of the header are told from the
// test's.
static bool places_are_said(void) {
  static const char *const expected[] = {"[data-race:no-synchronisation]",
                                         " scoped_objects.inc:", " features.c:"};
  WarpsanTest *test;
  Text text = {0};
  latch.count = 1;
  if (warpsan_test_new("places", &test) != WARPSAN_OK)
    abort();
  scoped_test_memory(test, data);
  scoped_test_memory(test, latch);
  scoped_test_launch(test, count_too_early, .stream = 0);
  scoped_test_launch(test, wait_and_read, .stream = 1);
  bool is_ok = warpsan_test_run(test, NULL, append, &text) == 1;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    is_ok &= strstr(text.bytes, expected[i]) != NULL;
  if (!is_ok)
    printf("places of two files are not said:\n%s", text.bytes);
  return is_ok;
}

// ---------------------------------------------------------------- models as texts

static void store_half(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  int16_t *half = (int16_t *)(void *)data;
  scoped_plain_store(half, 1);
}

static void store_whole(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_plain_store(&data[0], 1);
}

static bool text_says(WarpsanFunction *first, WarpsanFunction *second, const char *text,
                      const char *expected) {
  static const char file[] = "features-model.cat";
  const char *model = file;
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  WarpsanTest *test;
  Text printed = {0};
  FILE *written = fopen(file, "w");
  if (!written || fputs(text, written) < 0 || fclose(written) != 0 ||
      warpsan_test_new("text", &test) != WARPSAN_OK)
    abort();
  options.models = &model;
  options.model_count = 1;
  scoped_test_memory(test, data);
  scoped_test_memory(test, flag);
  scoped_test_launch(test, first, .stream = 0);
  scoped_test_launch(test, second, .stream = 1);
  warpsan_test_run(test, &options, append, &printed);
  remove(file);
  if (!strstr(printed.bytes, expected))
    printf("under a text expected %s, found\n%s", expected, printed.bytes);
  return strstr(printed.bytes, expected) != NULL;
}

static void publish(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_atomic_store_explicit(&data[0], 1, RELAXED, DEVICE);
  scoped_atomic_store_explicit(&flag, 1, RELAXED, DEVICE);
}

static void look_for_it(const WarpsanThread *thread, void *argument) {
  (void)thread, (void)argument;
  scoped_spin_while(scoped_atomic_load_explicit(&flag, RELAXED, DEVICE) == 0);
  scoped_assert(scoped_atomic_load_explicit(&data[0], RELAXED, DEVICE) == 1);
}

static bool texts_are_obeyed(void) {
  bool is_ok = text_says(publish, look_for_it, "acyclic po | rf | co | (rf^-1 ; co)",
                         "text: features-model.cat: no finding (1 execution, complete)");
  is_ok &= text_says(publish, look_for_it, "acyclic (po & loc) | rf | co | (rf^-1 ; co)",
                     "this assertion fails");
  is_ok &= text_says(publish, look_for_it, "acyclic addr | rf flag ~empty (rf & ext) as talk",
                     "features-model.cat/nodep: 2 findings");
  is_ok &= text_says(publish, look_for_it, "acyclic po | rf flag ~empty (rf & ext) as talk",
                     "the model flags an execution: talk");
  is_ok &= text_says(store_half, store_whole, "acyclic po | rf", "accesses of several sizes");
  is_ok &= text_says(publish, look_for_it, "acyclic wrong", "wrong");
  return is_ok;
}

// ---------------------------------------------------------------- wrong arguments

static bool arguments_are_checked(WarpsanSession *session) {
  WarpsanResults *results;
  WarpsanTest *test;
  if (warpsan_results_new(session, &results) != WARPSAN_OK ||
      warpsan_test_new(NULL, &test) != WARPSAN_OK)
    abort();
  bool is_ok = warpsan_check_function(session, test, NULL, results) == WARPSAN_BAD_ARGUMENT;
  is_ok &= warpsan_test_memory(test, "data", data, sizeof data) == WARPSAN_OK;
  is_ok &= warpsan_test_memory(test, "part", data + 7, 8) == WARPSAN_BAD_ARGUMENT;
  is_ok &= warpsan_test_memory(test, "none", data, 0) == WARPSAN_BAD_ARGUMENT;
  is_ok &= warpsan_test_launch(test, NULL) == WARPSAN_BAD_ARGUMENT;
  is_ok &= scoped_test_launch(test, NULL, .grid.x = 1) == WARPSAN_BAD_ARGUMENT;
  is_ok &= scoped_test_launch(test, compute, .block.x = 1025) == WARPSAN_BAD_ARGUMENT;
  is_ok &= scoped_test_launch(test, compute, .grid.x = 4097) == WARPSAN_BAD_ARGUMENT;
  is_ok &= scoped_test_launch(test, compute, .grid = {UINT32_MAX, UINT32_MAX, 2}) ==
           WARPSAN_BAD_ARGUMENT;
  is_ok &= scoped_test_launch(test, compute, .grid.x = 3, .cluster.x = 2) == WARPSAN_BAD_ARGUMENT;
  warpsan_test_free(test);
  warpsan_test_free(NULL);
  warpsan_results_free(results);
  if (!is_ok)
    printf("a wrong argument is accepted, or a right one is not\n");
  return is_ok;
}

int main(void) {
  WarpsanSession *session;
  if (warpsan_session_new(&session) != WARPSAN_OK)
    return 4;
  bool is_ok = arguments_are_checked(session);
  is_ok &= devices_need_system_scope(session);
  is_ok &= limits_are_said(session);
  is_ok &= places_are_said();
  is_ok &= texts_are_obeyed();
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    is_ok &= check(session, i);
  warpsan_session_free(session);
  return !is_ok;
}
