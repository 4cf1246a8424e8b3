// Tests of C functions: warpsan_test_* and warpsan_check_function.
#include "api/input.h"
#include "api/options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "host/host.h"

enum { MOST_BLOCK_THREADS = 1024, MOST_THREADS = 4096, FUNCTION_UNROLL = 64 };

typedef struct UserFunction {
  WarpsanFunction *function;
  void *argument;
} UserFunction;

struct WarpsanTest {
  MemoryEscape escape;
  Arena arena; // names, launches, memory
  HostTest host;
  size_t stack_bytes; // mapped at `host.stacks`
};

static HostDimensions dimensions_of(WarpsanSize3 size) {
  return (HostDimensions){size.x ? size.x : 1, size.y ? size.y : 1, size.z ? size.z : 1};
}

static WarpsanSize3 size_of(HostDimensions size) {
  return (WarpsanSize3){size.x, size.y, size.z};
}

static void run_function(void *context, const HostIndex *index) {
  const UserFunction *user = context;
  WarpsanThread thread = {
      .grid_size = size_of(index->grid_size),
      .block_size = size_of(index->block_size),
      .cluster_size = size_of(index->cluster_size),
      .block = size_of(index->block),
      .thread = size_of(index->thread),
      .device = index->device,
      .shared = index->shared,
  };
  user->function(&thread, user->argument);
}

// --- describing a test

// The arena's escape, for work that only allocates.
#define GUARDED(test) (setjmp((test)->escape.target) == 0)

static void copy_name(WarpsanTest *test, const char *name, const char **copy) {
  *copy = arena_copy_text(&test->arena, name, strlen(name));
}

WarpsanStatus warpsan_test_new(const char *name, WarpsanTest **created) {
  WarpsanTest *test = *created = calloc(1, sizeof *test);
  if (!test)
    return WARPSAN_NO_MEMORY;
  arena_init(&test->arena, &test->escape, 0);
  if (GUARDED(test)) {
    copy_name(test, name ? name : "", &test->host.name);
    return WARPSAN_OK;
  }
  warpsan_test_free(test);
  *created = NULL;
  return WARPSAN_NO_MEMORY;
}

static void unmap_stacks(WarpsanTest *test) {
  if (test->host.stacks)
    munmap(test->host.stacks, test->stack_bytes);
  test->host.stacks = NULL;
  test->stack_bytes = 0;
}

void warpsan_test_free(WarpsanTest *test) {
  if (!test)
    return;
  unmap_stacks(test);
  arena_release(&test->arena);
  free(test);
}

static bool overlaps_declared(const HostTest *test, const void *address, size_t size) {
  uintptr_t begin = (uintptr_t)address;
  for (uint32_t i = 0; i < test->memory_count; i++) {
    uintptr_t other = (uintptr_t)test->memory[i].address;
    if (begin < other + test->memory[i].size && other < begin + size)
      return true;
  }
  return false;
}

static WarpsanStatus add_memory(WarpsanTest *test, const char *name, HostMemory memory) {
  if (!name || !memory.address || !memory.size || memory.size > UINT32_MAX ||
      overlaps_declared(&test->host, memory.address, memory.size))
    return WARPSAN_BAD_ARGUMENT;
  if (!GUARDED(test))
    return WARPSAN_NO_MEMORY;
  copy_name(test, name, &memory.name);
  HostTest *host = &test->host;
  if (host->memory_count == host->memory_capacity)
    host->memory = array_grow(&test->arena, host->memory, host->memory_count,
                              &host->memory_capacity, sizeof *host->memory);
  host->memory[host->memory_count++] = memory;
  return WARPSAN_OK;
}

WarpsanStatus warpsan_test_memory(WarpsanTest *test, const char *name, void *address, size_t size) {
  return add_memory(test, name, (HostMemory){.address = address, .size = size});
}

WarpsanStatus warpsan_test_undefined_memory(WarpsanTest *test, const char *name, void *address,
                                            size_t size) {
  HostMemory memory = {.address = address, .size = size, .is_undefined = true};
  return add_memory(test, name, memory);
}

static uint64_t volume(HostDimensions size) {
  uint64_t plane = (uint64_t)size.x * size.y;
  return size.z && plane > UINT32_MAX / size.z ? UINT32_MAX : plane * size.z;
}

static bool is_good_launch(const WarpsanTest *test, const HostLaunch *launch) {
  uint64_t blocks = volume(launch->grid), threads = volume(launch->block);
  return threads <= MOST_BLOCK_THREADS && blocks <= MOST_THREADS &&
         host_thread_count(&test->host) + blocks * threads <= MOST_THREADS &&
         launch->grid.x % launch->cluster.x == 0 && launch->cluster.y == 1 &&
         launch->cluster.z == 1;
}

static bool copy_launch(const WarpsanLaunch *given, WarpsanLaunch *copy) {
  *copy = (WarpsanLaunch){0};
  if (!given || given->size < sizeof given->size || given->size > sizeof *given)
    return false;
  memcpy(copy, given, given->size);
  return copy->function != NULL;
}

static void add_launch(WarpsanTest *test, const WarpsanLaunch *given, HostLaunch launch) {
  UserFunction *user = ARENA_NEW(&test->arena, UserFunction);
  *user = (UserFunction){given->function, given->argument};
  launch.context = user;
  copy_name(test, given->name ? given->name : "function", &launch.name);
  HostTest *host = &test->host;
  if (host->launch_count == host->launch_capacity)
    host->launches = array_grow(&test->arena, host->launches, host->launch_count,
                                &host->launch_capacity, sizeof *host->launches);
  host->launches[host->launch_count++] = launch;
}

WarpsanStatus warpsan_test_launch(WarpsanTest *test, const WarpsanLaunch *launch) {
  WarpsanLaunch given;
  if (!copy_launch(launch, &given))
    return WARPSAN_BAD_ARGUMENT;
  HostLaunch made = {
      .run = run_function,
      .grid = dimensions_of(given.grid),
      .block = dimensions_of(given.block),
      .cluster = dimensions_of(given.cluster),
      .device = given.device,
      .stream = given.stream,
      .resident = given.resident_blocks,
      .shared_bytes = given.shared_bytes,
      .is_host = given.is_host,
      .is_cooperative = given.is_cooperative,
  };
  if (!is_good_launch(test, &made))
    return WARPSAN_BAD_ARGUMENT;
  if (!GUARDED(test))
    return WARPSAN_NO_MEMORY;
  add_launch(test, &given, made);
  return WARPSAN_OK;
}

WarpsanStatus warpsan_test_final(WarpsanTest *test, bool (*holds)(void *context), void *context,
                                 const char *file, unsigned line, const char *text) {
  if (!GUARDED(test))
    return WARPSAN_NO_MEMORY;
  test->host.holds = holds;
  test->host.holds_context = context;
  test->host.holds_site.file = file;
  test->host.holds_site.line = line;
  copy_name(test, text ? text : "the final condition", &test->host.holds_site.text);
  return WARPSAN_OK;
}

// --- checking

typedef struct FunctionCheck {
  WarpsanTest *test;
  WarpsanOptions options;
  WarpsanResults *results;
  WarpsanSession *session;
} FunctionCheck;

static bool open_stacks(char *stacks, uint32_t count) {
  size_t stride = HOST_GUARD_BYTES + HOST_STACK_BYTES;
  for (uint32_t i = 0; i < count; i++)
    if (mprotect(stacks + i * stride + HOST_GUARD_BYTES, HOST_STACK_BYTES,
                 PROT_READ | PROT_WRITE) != 0)
      return false;
  return true;
}

// A function that needs more stack than there is runs into what nobody can access.
static bool map_stacks(WarpsanTest *test) {
  uint32_t count = host_thread_count(&test->host);
  size_t needed = (size_t)count * (HOST_GUARD_BYTES + HOST_STACK_BYTES);
  if (needed <= test->stack_bytes)
    return true;
  unmap_stacks(test);
  int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
  void *stacks = zero < 0 ? MAP_FAILED : mmap(NULL, needed, PROT_NONE, MAP_PRIVATE, zero, 0);
  if (zero >= 0)
    close(zero);
  if (stacks == MAP_FAILED)
    return false;
  test->host.stacks = stacks;
  test->stack_bytes = needed;
  if (open_stacks(stacks, count))
    return true;
  unmap_stacks(test);
  return false;
}

static const Source *read_source(void *context, const char *name) {
  FunctionCheck *check = context;
  DiagList ignored; // the lines only serve to be shown
  diag_list_init(&ignored, &check->results->arena);
  return input_read(check->session, arena_copy_text(&check->results->arena, name, strlen(name)),
                    &check->results->arena, &ignored);
}

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static ExploreOptions explore_options(const WarpsanOptions *options) {
  return (ExploreOptions){
      .properties = options->properties,
      .unroll = options->unroll ? options->unroll : FUNCTION_UNROLL,
      .jobs = 1,
      .max_executions = options->max_executions,
      .timeout_seconds = options->timeout_seconds,
      .memory_bytes = (size_t)options->memory_bytes,
      .explore_races = options->explore_races,
      .want_witness = !options->omit_witness,
      .progress = options->progress,
      .progress_context = options->progress_context,
  };
}

static void judge(FunctionCheck *check, const Model *model) {
  Arena *arena = &check->results->arena;
  ExploreOptions options = explore_options(&check->options);
  double begin = now_seconds();
  HostRun *run = host_run_new(&check->test->host, model, read_source, check, arena);
  Result *result = host_run_explore(run, &options);
  bool is_porf = host_run_leaves_out_buffering(run);
  host_run_release(run);
  result->is_kernel = true;
  result->seconds = now_seconds() - begin;
  result->input = arena_copy_text(arena, check->test->host.name, strlen(check->test->host.name));
  result->model = arena_format(arena, "%s%s%s", model->name, is_porf ? "/porf" : "",
                               model_asks_for_dependencies(model) ? "/nodep" : "");
  result->engine = "explore";
  array_push(arena, &check->results->list, result);
}

static WarpsanStatus run_check(WarpsanSession *session, void *context) {
  FunctionCheck *check = context;
  const char *default_model = "cuda";
  bool has_default = check->options.model_count == 0;
  const char *const *models = has_default ? &default_model : check->options.models;
  size_t model_count = has_default ? 1 : check->options.model_count;
  bool is_ok = true;
  for (size_t i = 0; i < model_count; i++) {
    const LoadedModel *loaded = session_load_model(session, models[i], check->options.interpret);
    if (loaded->model)
      judge(check, loaded->model);
    else
      results_add_errors(check->results, models[i], loaded->diags, loaded->diag_count);
    is_ok &= loaded->model != NULL;
  }
  return is_ok ? WARPSAN_OK : WARPSAN_BAD_INPUT;
}

WarpsanStatus warpsan_check_function(WarpsanSession *session, WarpsanTest *test,
                                     const WarpsanOptions *options, WarpsanResults *results) {
  FunctionCheck check = {.test = test, .results = results, .session = session};
  if (!test || test->host.launch_count == 0 || !options_resolve(options, &check.options))
    return WARPSAN_BAD_ARGUMENT;
  if (!map_stacks(test))
    return WARPSAN_NO_MEMORY;
  return session_guard(session, results, run_check, &check);
}

static int exit_status(const WarpsanResults *results) {
  WarpsanOutcome worst = WARPSAN_OUTCOME_CLEAN;
  static const int statuses[] = {0, 3, 1, 2};
  for (size_t i = 0; i < warpsan_results_count(results); i++) {
    WarpsanOutcome outcome = warpsan_result_outcome(warpsan_results_get(results, i));
    worst = outcome > worst ? outcome : worst;
  }
  return statuses[worst];
}

static int check_and_print(WarpsanSession *session, WarpsanResults *results, WarpsanTest *test,
                           const WarpsanOptions *options, WarpsanWrite *write, void *context) {
  WarpsanStatus status = warpsan_check_function(session, test, options, results);
  if (status == WARPSAN_NO_MEMORY)
    return 4;
  if (write && status != WARPSAN_BAD_ARGUMENT)
    warpsan_print(session, results, WARPSAN_FORMAT_TEXT, NULL, write, context);
  return status == WARPSAN_OK ? exit_status(results) : 2;
}

int warpsan_test_run(WarpsanTest *test, const WarpsanOptions *options, WarpsanWrite *write,
                     void *context) {
  WarpsanSession *session = NULL;
  WarpsanResults *results = NULL;
  int status = 4;
  if (warpsan_session_new(&session) == WARPSAN_OK &&
      warpsan_results_new(session, &results) == WARPSAN_OK)
    status = check_and_print(session, results, test, options, write, context);
  warpsan_results_free(results);
  warpsan_session_free(session);
  warpsan_test_free(test);
  return status;
}

// --- operations

uint64_t warpsan_operation(const WarpsanSite *site, uint32_t code, uint64_t address, uint64_t first,
                           uint64_t second, uint64_t third) {
  _Static_assert(sizeof(WarpsanSite) == sizeof(HostSite) &&
                     offsetof(WarpsanSite, file) == offsetof(HostSite, file) &&
                     offsetof(WarpsanSite, text) == offsetof(HostSite, text) &&
                     offsetof(WarpsanSite, line) == offsetof(HostSite, line),
                 "a site is passed on as it is");
  uint64_t operands[HOST_OPERANDS] = {address, first, second, third};
  return host_operate((const HostSite *)(const void *)site, code, operands);
}
