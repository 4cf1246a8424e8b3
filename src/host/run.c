// Runs the functions: hands out operations to the explorer and results to the functions.
//
// A function that has gone another way than the explorer is now is run again from its beginning,
// with the results that it got before. Results are given without leaving the fiber.
#include "host/run.h"

#include <string.h>

// The fiber that runs on this thread of the system, if one does: operations do not say to which
// check they belong.
static _Thread_local HostThread *current_thread __attribute__((tls_model("initial-exec")));

// --- inside of a fiber

static void run_function(void *context) {
  HostThread *thread = context;
  thread->launch->run(thread->launch->context, &thread->index);
  thread->has_returned = true;
  for (;;)
    fiber_leave(&thread->fiber);
}

static bool is_recorded(const HostThread *thread, const GuestStep *step) {
  const GuestOperation *operation = &step->operation;
  const struct SiteKey *key = &thread->run->sites.keys[operation->site];
  if (key->site != thread->request.site || key->code != thread->request.code)
    return false;
  for (uint32_t i = 0; i < thread->request.operand_count; i++)
    if (thread->request.operands[i] != operation->operands[i])
      return false;
  return true;
}

static uint64_t take_result(HostThread *thread) {
  const GuestStep *step = &thread->steps[thread->position++];
  thread->has_changed |= !is_recorded(thread, step);
  thread->serial = step->serial;
  return step->result;
}

static uint64_t ask(HostThread *thread, const HostSite *site, uint32_t code,
                    const uint64_t *operands, uint32_t count) {
  HostRequest *request = &thread->request;
  request->site = site;
  request->code = code;
  request->operand_count = count;
  for (uint32_t i = 0; i < count; i++)
    request->operands[i] = operands[i];
  while (thread->position >= thread->step_count)
    fiber_leave(&thread->fiber);
  return take_result(thread);
}

// --- operations

static HostOperation operation_of(uint32_t code) {
  return (HostOperation)(code & 0xff);
}

static Sem sem_of(uint32_t code) {
  return (Sem)(code >> 8 & 0xf);
}

static uint32_t with_sem(uint32_t code, Sem sem) {
  return (code & ~0xf00u) | (uint32_t)sem << 8;
}

static bool is_access(uint32_t code) {
  return operation_of(code) >= HOST_LOAD && operation_of(code) <= HOST_MAX;
}

// What is compiled for the host is atomic toward everybody, whatever scope is written.
static uint32_t widen(uint32_t code) {
  bool has_scope =
      sem_of(code) != SEM_WEAK && (is_access(code) || operation_of(code) == HOST_FENCE);
  return has_scope ? (code & ~0xf000u) | SCOPE_SYS << 12 : code;
}

// The one order of a compare-and-swap in compiled code.
static uint32_t join_orders(uint32_t code) {
  Sem success = sem_of(code), failure = (Sem)(code >> 28), joined = success;
  if (failure == SEM_SC)
    joined = SEM_SC;
  else if (failure == SEM_ACQUIRE && success == SEM_RELAXED)
    joined = SEM_ACQUIRE;
  else if (failure == SEM_ACQUIRE && success == SEM_RELEASE)
    joined = SEM_ACQ_REL;
  return with_sem(code & ~0xf0000000u, joined);
}

// A seq_cst access is compiled to a fence and a weaker access (spec D.2).
static uint32_t fence_before(uint32_t code) {
  return HOST_CODE(HOST_FENCE, SEM_SC, code >> 12 & 0xf, 0, 0, 0);
}

// --- outside of all checks

static uint64_t load_bits(const void *address, uint32_t size) {
  uint64_t bits = 0;
  memcpy(&bits, address, size <= sizeof bits ? size : sizeof bits); // little-endian
  return bits;
}

// Nobody else looks: the setting up of a test, or a test of the functions by one thread.
static uint64_t operate_alone(uint32_t code, const uint64_t *operands) {
  HostOperation operation = operation_of(code);
  uint32_t size = code >> 16 & 0xf;
  void *address = (void *)(uintptr_t)operands[0]; // NOLINT: it was a pointer
  if (!is_access(code))
    return 0;
  uint64_t old = load_bits(address, size), fresh = operands[1];
  if (operation == HOST_LOAD)
    return old;
  if (operation == HOST_COMPARE_EXCHANGE)
    fresh = old == operands[1] ? operands[2] : old;
  else if (operation != HOST_STORE && operation != HOST_EXCHANGE)
    fresh = host_update(code, old, operands[1]);
  memcpy(address, &fresh, size);
  return old;
}

// How many operands there are.
static uint32_t count_operands(HostOperation operation) {
  enum { NONE = 0, LOAD = 1, STORE = 2, UPDATE = 2, CAS = 3, FENCE = 0, BARRIER = 3 };
  enum { LANES = 4, CLUSTER = 0, ASSERT = 0, ROUND = 1 };
  static const uint8_t counts[HOST_OPERATION_COUNT] = {
#define OPERATION(name, text, kind) [HOST_##name] = kind,
#include "host/operation.def"
#undef OPERATION
  };
  return operation < HOST_OPERATION_COUNT ? counts[operation] : 0;
}

uint64_t host_operate(const HostSite *site, uint32_t code, const uint64_t *operands) {
  HostThread *thread = current_thread;
  if (!thread)
    return operate_alone(code, operands);
  if (thread->launch->is_host)
    code = widen(code);
  bool is_compiled = !thread->run->model->is_language_level;
  if (is_compiled && operation_of(code) == HOST_COMPARE_EXCHANGE)
    code = join_orders(code);
  if (is_compiled && sem_of(code) == SEM_SC && is_access(code)) {
    ask(thread, site, fence_before(code), NULL, 0);
    code = with_sem(code, operation_of(code) == HOST_STORE ? SEM_RELAXED : SEM_ACQUIRE);
  }
  return ask(thread, site, code, operands, count_operands(operation_of(code)));
}

// --- the explorer's side

static bool is_where_it_was(const HostThread *thread, const GuestStep *steps, uint32_t count) {
  return thread->has_begun && thread->position <= count &&
         (thread->position == 0 || steps[thread->position - 1].serial == thread->serial);
}

static void begin_thread(HostThread *thread) {
  thread->has_begun = true;
  thread->has_returned = false;
  thread->position = 0;
  thread->fiber.entry = run_function;
  thread->fiber.context = thread;
  fiber_begin(&thread->fiber);
}

// Runs until the thread asks for something that has no result yet, or returns.
static void run_thread(HostThread *thread) {
  HostThread *outer = current_thread;
  current_thread = thread;
  fiber_enter(&thread->fiber);
  current_thread = outer;
}

static void refuse(HostRun *run, GuestOperation *operation, const char *message) {
  run->guest.unsupported = message;
  operation->kind = GUEST_UNSUPPORTED;
}

static void refuse_changed(const HostThread *thread, GuestOperation *operation) {
  HostRun *run = thread->run;
  refuse(run, operation,
         arena_format(run->arena,
                      "%s did something else when it was run again with the same results: a "
                      "function may depend on nothing but its arguments and what it reads",
                      run->program->threads[thread - run->threads].name));
}

static void translate(HostThread *thread, GuestOperation *operation) {
  HostRun *run = thread->run;
  const HostRequest *request = &thread->request;
  HostOperation kind = (HostOperation)(request->code & 0xff);
  operation->site = sites_find(&run->sites, request->site, request->code);
  operation->kind = kind == HOST_ROUND        ? GUEST_ROUND
                    : kind == HOST_NEXT_ROUND ? GUEST_NEXT_ROUND
                                              : GUEST_INSTRUCTION;
  operation->operand_count = request->operand_count;
  for (uint32_t i = 0; i < request->operand_count; i++)
    operation->operands[i] = request->operands[i];
  if (operation->site == MOST_SITES)
    refuse(run, operation, "the functions have too many operations (at most 1,022)");
}

static void next(void *context, uint32_t number, const GuestStep *steps, uint32_t count,
                 GuestOperation *operation) {
  HostRun *run = context;
  HostThread *thread = &run->threads[number];
  bool is_there = is_where_it_was(thread, steps, count);
  if (!is_there)
    begin_thread(thread);
  thread->steps = steps;
  thread->step_count = count;
  if (!is_there || thread->position < count)
    run_thread(thread);
  if (thread->has_changed)
    refuse_changed(thread, operation);
  else if (thread->has_returned)
    operation->kind = GUEST_RETURN;
  else
    translate(thread, operation);
}

// --- the end of an execution

static void restore_memory(const HostRun *run) {
  for (uint32_t i = 0; i < run->test->memory_count; i++)
    memcpy(run->test->memory[i].address, run->contents[i], run->test->memory[i].size);
}

static const char *check_final(void *context, ExploreByte *byte, void *byte_context, Arena *arena,
                               Span *span) {
  HostRun *run = context;
  const HostTest *test = run->test;
  for (uint32_t i = 0; i < test->memory_count; i++) {
    uint8_t *bytes = test->memory[i].address;
    for (uint64_t b = 0; b < test->memory[i].size; b++)
      byte(byte_context, (uintptr_t)bytes + b, &bytes[b]);
  }
  bool holds = test->holds(test->holds_context);
  restore_memory(run);
  if (holds)
    return NULL;
  *span = sites_span(&run->sites, &test->holds_site);
  return arena_format(arena, "%s does not hold", test->holds_site.text);
}

// --- the whole

static void keep_memory(HostRun *run) {
  const HostTest *test = run->test;
  run->contents = ARENA_ARRAY(run->arena, uint8_t *, test->memory_count + 1);
  for (uint32_t i = 0; i < test->memory_count; i++) {
    run->contents[i] = ARENA_ARRAY(run->arena, uint8_t, test->memory[i].size + 1);
    memcpy(run->contents[i], test->memory[i].address, test->memory[i].size);
  }
}

HostRun *host_run_new(const HostTest *test, const Model *model, HostReadSource *read, void *context,
                      Arena *arena) {
  HostRun *run = ARENA_NEW(arena, HostRun);
  run->test = test;
  run->model = model;
  run->arena = arena;
  sites_init(&run->sites, read, context, arena);
  host_make_program(run);
  keep_memory(run);
  run->guest = (ExploreGuest){.next = next, .context = run};
  return run;
}

static Result *explore(HostRun *run, const ExploreOptions *options) {
  ExploreOptions own = *options;
  own.model = run->model;
  own.guest = &run->guest;
  if (run->test->holds && (own.properties & EXPLORE_CONDITION)) {
    own.check_final = check_final;
    own.final_context = run;
  }
  return explore_program(run->program, NULL, &own, run->arena);
}

// Exhausted memory passes through here, on its way to the caller's escape: the declared memory may
// hold the end of an execution then.
Result *host_run_explore(HostRun *run, const ExploreOptions *options) {
  MemoryEscape *outer = run->arena->escape, escape;
  if (outer && setjmp(escape.target) != 0) {
    restore_memory(run);
    host_run_release(run);
    run->arena->escape = outer;
    arena_exhaust(run->arena);
  }
  if (outer)
    run->arena->escape = &escape;
  Result *result = explore(run, options);
  run->arena->escape = outer;
  return result;
}

bool host_run_leaves_out_buffering(const HostRun *run) {
  return run->guest.leaves_out_buffering;
}

void host_run_release(HostRun *run) {
  for (uint32_t i = 0; i < run->program->thread_count; i++)
    fiber_release(&run->threads[i].fiber);
}
