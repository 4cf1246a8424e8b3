// The detector against the definitions: random runs of a few threads, whose racing pairs are found
// from the execution's events and relations (spec part B), by brute force.
#include "race_unit.h"

#include "race/state.h"

enum { MOST_EVENTS = 200, MOST_OPERATIONS = 60, THREADS = 8, ADDRESSES = 5 };

// Two blocks make a cluster; the last block is of a launch on another device, unless there is one.
typedef struct TestThread {
  uint32_t block, thread, cluster, gpu;
} TestThread;

static const TestThread test_threads[THREADS] = {
    {0, 0, 0, 0},  {0, 1, 0, 0}, {0, 33, 0, 0}, {1, 5, 0, 0},
    {1, 40, 0, 0}, {2, 0, 2, 0}, {3, 63, 2, 0}, {4, 0, 4, 1},
};

static const struct {
  uint64_t address;
  uint32_t size;
} test_places[ADDRESSES] = {{0x1000, 4}, {0x1000, 8}, {0x1004, 4}, {0x1002, 2}, {0x2000, 4}};

typedef enum EventKind { READ_EVENT, WRITE_EVENT, FENCE_EVENT, MEETING } EventKind;

typedef struct TestEvent {
  EventKind kind;
  uint32_t thread, place; // THREADS: a meeting is of none
  Sem sem;
  Scope scope;
  uint32_t location;
  bool is_noret;
  int32_t mate; // the read of an atomic's write
} TestEvent;

typedef struct Run {
  Unit *unit;
  uint64_t random;
  uint32_t event_count;
  TestEvent events[MOST_EVENTS];
  bool base[MOST_EVENTS][MOST_EVENTS];
  bool reads_from[MOST_EVENTS][MOST_EVENTS];
  bool observes[MOST_EVENTS][MOST_EVENTS]; // [write][read]
  int32_t last_of[THREADS];
  int32_t last_write[0x10]; // of each byte from 0x1000, then of 0x2000
  bool has_exited[THREADS];
  bool expected[UNIT_PLACES][UNIT_PLACES];
  bool is_cuda;
  // All threads are on one device, and what does the same has the same place: throngs form.
  bool is_thronged, is_summed_up;
  uint32_t kind_count;
  TestEvent kinds[UNIT_PLACES];
} Run;

// Throngs of two, and larger ones beside entries.
static const uint32_t throng_sizes[] = {1, 2, 4};

static bool is_same_kind(const TestEvent *a, const TestEvent *b) {
  return a->kind == b->kind && a->sem == b->sem && a->scope == b->scope &&
         a->location == b->location && a->is_noret == b->is_noret && a->mate == b->mate;
}

// The place of an operation: that of those like it if throngs are to form, else its own.
static uint32_t place_of_kind(Run *run, TestEvent event) {
  uint32_t i = 0;
  if (!run->is_thronged)
    return event.place;
  while (i < run->kind_count && !is_same_kind(&run->kinds[i], &event))
    i++;
  if (i == run->kind_count)
    run->kinds[run->kind_count++] = event;
  return i + 1;
}

static uint32_t pick(Run *run, uint32_t below) {
  run->random = run->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(run->random >> 33) % below;
}

// --- the execution

static int32_t add_event(Run *run, TestEvent event) {
  int32_t id = (int32_t)run->event_count++;
  run->events[id] = event;
  if (event.thread == THREADS)
    return id;
  if (run->last_of[event.thread] >= 0)
    run->base[run->last_of[event.thread]][id] = true;
  run->last_of[event.thread] = id;
  return id;
}

static uint32_t byte_of(uint32_t location, uint32_t i) {
  uint64_t address = test_places[location].address;
  return (uint32_t)(address == 0x2000 ? 8 : address - 0x1000) + i;
}

// A read that takes its bytes from several writes observes none of them.
static void set_source(Run *run, int32_t read) {
  uint32_t location = run->events[read].location;
  int32_t write = run->last_write[byte_of(location, 0)];
  for (uint32_t i = 1; i < test_places[location].size; i++)
    if (run->last_write[byte_of(location, i)] != write)
      return;
  if (write >= 0)
    run->reads_from[write][read] = true;
}

static void set_written(Run *run, int32_t write) {
  uint32_t location = run->events[write].location;
  for (uint32_t i = 0; i < test_places[location].size; i++)
    run->last_write[byte_of(location, i)] = write;
}

static bool contains(const Run *run, Scope scope, const TestThread *from, const TestThread *to) {
  switch (scope) {
  case SCOPE_CTA:
    return from->block == to->block;
  case SCOPE_CLUSTER:
    return from->cluster == to->cluster;
  case SCOPE_GPU:
    return run->is_thronged || from->gpu == to->gpu;
  case SCOPE_SYS:
    return true;
  default:
    return false;
  }
}

static bool is_memory(const TestEvent *event) {
  return event->kind <= WRITE_EVENT;
}

static bool is_strong(const TestEvent *event) {
  return event->kind == FENCE_EVENT || (is_memory(event) && event->sem != SEM_WEAK);
}

static bool overlaps(const TestEvent *a, const TestEvent *b) {
  uint64_t first = test_places[a->location].address, second = test_places[b->location].address;
  return first < second + test_places[b->location].size &&
         second < first + test_places[a->location].size;
}

static bool are_mutual(const Run *run, const TestEvent *a, const TestEvent *b) {
  const TestThread *first = &test_threads[a->thread], *second = &test_threads[b->thread];
  return is_strong(a) && is_strong(b) && contains(run, a->scope, first, second) &&
         contains(run, b->scope, second, first);
}

static bool is_morally_strong(const Run *run, const TestEvent *a, const TestEvent *b) {
  if (is_memory(a) && is_memory(b) && a->location != b->location)
    return false;
  return a->thread == b->thread || are_mutual(run, a, b);
}

static bool is_release(const TestEvent *event) {
  return event->kind != READ_EVENT &&
         (event->sem == SEM_RELEASE || event->sem == SEM_ACQ_REL || event->sem == SEM_SC);
}

static bool is_acquire(const TestEvent *event) {
  return event->kind != WRITE_EVENT &&
         (event->sem == SEM_ACQUIRE || event->sem == SEM_ACQ_REL || event->sem == SEM_SC);
}

// Program order: events of a thread in the order in which they were added, but for a meeting.
static bool is_po(const Run *run, uint32_t a, uint32_t b) {
  return run->events[a].thread == run->events[b].thread && run->events[a].thread < THREADS && a < b;
}

static bool is_head(const Run *run, uint32_t head, uint32_t write) {
  const TestEvent *a = &run->events[head], *b = &run->events[write];
  if (!is_release(a) || !is_strong(b) || b->kind != WRITE_EVENT)
    return false;
  if (a->kind == FENCE_EVENT)
    return is_po(run, head, write);
  if (run->is_cuda)
    return head == write;
  return head == write || (a->location == b->location && is_po(run, head, write));
}

static bool is_last(const Run *run, uint32_t read, uint32_t last) {
  const TestEvent *a = &run->events[read], *b = &run->events[last];
  if (!is_acquire(b) || !is_strong(a) || a->kind != READ_EVENT)
    return false;
  if (b->kind == FENCE_EVENT)
    return is_po(run, read, last) && (!a->is_noret || run->is_cuda);
  if (run->is_cuda)
    return read == last;
  return read == last || (a->location == b->location && is_po(run, read, last));
}

// obs: rf between morally strong accesses, through atomics.
static void observe(Run *run) {
  for (uint32_t r = 0; r < run->event_count; r++) {
    const TestEvent *read = &run->events[r];
    for (uint32_t w = 0; read->kind == READ_EVENT && w < r; w++) {
      if (!run->reads_from[w][r] || !is_morally_strong(run, &run->events[w], read))
        continue;
      run->observes[w][r] = true;
      int32_t mate = run->events[w].mate;
      for (uint32_t earlier = 0; mate >= 0 && earlier < w; earlier++)
        if (run->observes[earlier][mate])
          run->observes[earlier][r] = true;
    }
  }
}

static void synchronise(Run *run) {
  for (uint32_t w = 0; w < run->event_count; w++)
    for (uint32_t r = 0; r < run->event_count; r++) {
      if (!run->observes[w][r])
        continue;
      for (uint32_t head = 0; head <= w; head++)
        for (uint32_t last = r; last < run->event_count; last++)
          if (is_head(run, head, w) && is_last(run, r, last) &&
              is_morally_strong(run, &run->events[head], &run->events[last]))
            run->base[head][last] = true;
    }
}

static void close_base(Run *run) {
  for (uint32_t k = 0; k < run->event_count; k++)
    for (uint32_t i = 0; i < run->event_count; i++)
      for (uint32_t j = 0; run->base[i][k] && j < run->event_count; j++)
        run->base[i][j] |= run->base[k][j];
}

// Atomics that touch one place, one of them a write, in the order of the run.
static bool communicate(const Run *run, uint32_t a, uint32_t b) {
  const TestEvent *first = &run->events[a], *second = &run->events[b];
  return a < b && is_memory(first) && is_memory(second) && is_strong(first) && is_strong(second) &&
         (first->kind == WRITE_EVENT || second->kind == WRITE_EVENT) && overlaps(first, second);
}

// Does something behind the first fence communicate with something before the second?
static bool is_forced(const Run *run, uint32_t first, uint32_t second) {
  for (uint32_t a = 0; a < run->event_count; a++)
    for (uint32_t b = a + 1; run->base[first][a] && b < run->event_count; b++)
      if (run->base[b][second] && communicate(run, a, b))
        return true;
  return false;
}

static bool are_sc(const Run *run, uint32_t a, uint32_t b) {
  const TestEvent *first = &run->events[a], *second = &run->events[b];
  return first->kind == FENCE_EVENT && second->kind == FENCE_EVENT && first->sem == SEM_SC &&
         second->sem == SEM_SC && is_morally_strong(run, first, second);
}

static bool order_a_fence(Run *run) {
  for (uint32_t b = 0; b < run->event_count; b++)
    for (uint32_t a = 0; a < b; a++)
      if (!run->base[a][b] && are_sc(run, a, b) && is_forced(run, a, b)) {
        run->base[a][b] = true;
        return true;
      }
  return false;
}

static bool is_cause(const Run *run, uint32_t a, uint32_t b) {
  if (run->base[a][b])
    return true;
  for (uint32_t read = 0; !run->is_cuda && read < run->event_count; read++)
    if (run->observes[a][read] && run->base[read][b] &&
        overlaps(&run->events[read], &run->events[b]))
      return true;
  return false;
}

// An atomic is one operation: what its write comes before, its read comes before, too.
static bool is_before(const Run *run, uint32_t a, uint32_t b) {
  uint32_t write = a + 1;
  return is_cause(run, a, b) || (write < run->event_count &&
                                 run->events[write].mate == (int32_t)a && is_cause(run, write, b));
}

static bool is_exempt(const Run *run, const TestEvent *a, const TestEvent *b) {
  if (run->is_cuda)
    return are_mutual(run, a, b);
  // Parts of an aligned word (spec H9).
  return is_morally_strong(run, a, b) ||
         (are_mutual(run, a, b) && test_places[a->location].size <= 4 &&
          test_places[b->location].size <= 4);
}

static bool races(const Run *run, uint32_t a, uint32_t b) {
  const TestEvent *first = &run->events[a], *second = &run->events[b];
  return is_memory(first) && is_memory(second) && first->thread != second->thread &&
         (first->kind == WRITE_EVENT || second->kind == WRITE_EVENT) && overlaps(first, second) &&
         !is_exempt(run, first, second) && !is_before(run, a, b) && !is_before(run, b, a);
}

static void find_races(Run *run) {
  observe(run);
  synchronise(run);
  close_base(run);
  while (!run->is_cuda && order_a_fence(run))
    close_base(run);
  for (uint32_t a = 0; a < run->event_count; a++)
    for (uint32_t b = a + 1; b < run->event_count; b++)
      if (races(run, a, b)) {
        uint32_t first = run->events[a].place, second = run->events[b].place;
        run->expected[first][second] = run->expected[second][first] = true;
      }
}

// For a seed that fails.
static void show(const Run *run) {
  static const char *const kinds[] = {"R", "W", "F", "meeting"};
  for (uint32_t i = 0; getenv("RACE_RANDOM_SHOW") && i < run->event_count; i++) {
    const TestEvent *event = &run->events[i];
    print_message("%u: thread %u place %u %s sem %s scope %s location %u mate %d\n", i,
                  event->thread, event->place, kinds[event->kind], ir_sem_name(event->sem),
                  ir_scope_name(event->scope), event->location, event->mate);
  }
}

// --- random operations

static Who who_of(const Run *run, uint32_t thread) {
  return unit_thread(run->unit, test_threads[thread].block, test_threads[thread].thread);
}

static Scope pick_scope(Run *run) {
  static const Scope scopes[] = {SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_GPU, SCOPE_SYS};
  return run->is_thronged && pick(run, 4) ? SCOPE_GPU : scopes[pick(run, 5)];
}

// Atomics have one size: of bytes that come from several of them the model says nothing.
static uint32_t pick_location(Run *run, Sem sem) {
  static const uint32_t whole[] = {0, 2, 4};
  return sem == SEM_WEAK ? pick(run, ADDRESSES) : whole[pick(run, 3)];
}

static void read_something(Run *run, uint32_t thread, uint32_t place) {
  static const Sem sems[] = {SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE};
  Sem sem = sems[pick(run, 3)];
  uint32_t location = pick_location(run, sem);
  Scope scope = sem == SEM_WEAK ? SCOPE_NONE : pick_scope(run);
  place = place_of_kind(run, (TestEvent){READ_EVENT, 0, place, sem, scope, location, false, -1});
  set_source(
      run, add_event(run, (TestEvent){READ_EVENT, thread, place, sem, scope, location, false, -1}));
  unit_access(
      who_of(run, thread), place, test_places[location].address,
      (Access){.kind = EMU_READ, .sem = sem, .scope = scope, .size = test_places[location].size});
}

static void write_something(Run *run, uint32_t thread, uint32_t place) {
  static const Sem sems[] = {SEM_WEAK, SEM_RELAXED, SEM_RELEASE};
  Sem sem = sems[pick(run, 3)];
  uint32_t location = pick_location(run, sem);
  Scope scope = sem == SEM_WEAK ? SCOPE_NONE : pick_scope(run);
  place = place_of_kind(run, (TestEvent){WRITE_EVENT, 0, place, sem, scope, location, false, -1});
  set_written(run, add_event(run, (TestEvent){WRITE_EVENT, thread, place, sem, scope, location,
                                              false, -1}));
  unit_access(who_of(run, thread), place, test_places[location].address,
              (Access){.kind = EMU_WRITE,
                       .sem = sem,
                       .scope = scope,
                       .size = test_places[location].size,
                       .value = place});
}

static void update_something(Run *run, uint32_t thread, uint32_t place) {
  static const Sem sems[] = {SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL};
  Sem sem = sems[pick(run, 4)];
  uint32_t location = pick_location(run, sem);
  Scope scope = pick_scope(run);
  bool is_reduction = !pick(run, 4) && (sem == SEM_RELAXED || sem == SEM_RELEASE);
  bool fails = !is_reduction && !pick(run, 5);
  place = place_of_kind(
      run, (TestEvent){READ_EVENT, 0, place, sem, scope, location, is_reduction, fails ? 1 : 0});
  TestEvent half = {READ_EVENT, thread, place, sem, scope, location, is_reduction, -1};
  int32_t read = add_event(run, half);
  set_source(run, read);
  if (!fails) {
    half.kind = WRITE_EVENT;
    half.mate = read;
    set_written(run, add_event(run, half));
  }
  unit_access(who_of(run, thread), place, test_places[location].address,
              (Access){.kind = EMU_ATOMIC,
                       .sem = sem,
                       .scope = scope,
                       .size = test_places[location].size,
                       .is_reduction = is_reduction,
                       .fails = fails});
}

static void fence_something(Run *run, uint32_t thread, uint32_t place) {
  static const Sem sems[] = {SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
  Sem sem = sems[pick(run, 4)];
  Scope scope = pick_scope(run);
  add_event(run, (TestEvent){FENCE_EVENT, thread, place, sem, scope, 0, false, -1});
  unit_fence(who_of(run, thread), sem, scope);
}

// Everything that the members did is before the meeting, everything that they will do behind it.
static void meet(Run *run, uint32_t from, uint32_t to) {
  int32_t meeting = add_event(run, (TestEvent){.kind = MEETING, .thread = THREADS, .mate = -1});
  for (uint32_t t = 0; t < THREADS; t++)
    if ((from >> t & 1) && run->last_of[t] >= 0)
      run->base[run->last_of[t]][meeting] = true;
  for (uint32_t t = 0; t < THREADS; t++) {
    if (!(to >> t & 1))
      continue;
    int32_t event = add_event(run, (TestEvent){.kind = MEETING, .thread = t, .mate = -1});
    run->base[meeting][event] = true;
  }
}

static uint32_t threads_of(const Run *run, uint32_t block, uint32_t warp) {
  uint32_t mask = 0;
  for (uint32_t t = 0; t < THREADS; t++)
    if (!run->has_exited[t] && test_threads[t].block == block &&
        (warp == UINT32_MAX || test_threads[t].thread / 32 == warp))
      mask |= 1u << t;
  return mask;
}

static uint32_t live_lanes(const Run *run, uint32_t block, uint32_t warp) {
  uint32_t lanes = 0;
  for (uint32_t t = 0; t < THREADS; t++)
    if (!run->has_exited[t] && test_threads[t].block == block &&
        test_threads[t].thread / 32 == warp)
      lanes |= 1u << test_threads[t].thread % 32;
  return lanes;
}

// The other threads have nothing to do.
static void end_others(const Run *run) {
  for (uint32_t block = 0; block < 5; block++)
    for (uint32_t warp = 0; warp < 2; warp++)
      unit_exit((Who){run->unit, block, warp, ~live_lanes(run, block, warp)});
}

static void arrive_live(const Run *run, uint32_t block, uint32_t warp, uint32_t barrier,
                        bool waits) {
  uint32_t lanes = live_lanes(run, block, warp);
  if (lanes)
    unit_arrive((Who){run->unit, block, warp, lanes}, barrier, waits);
}

static void sync_block(Run *run, uint32_t block) {
  meet(run, threads_of(run, block, UINT32_MAX), threads_of(run, block, UINT32_MAX));
  for (uint32_t w = 0; w < 2; w++)
    arrive_live(run, block, w, 0, true);
  unit_complete(run->unit, block, 0);
}

// Warp 0 arrives or waits, warp 1 waits.
static void sync_part(Run *run, uint32_t block) {
  bool waits = pick(run, 2);
  uint32_t first = threads_of(run, block, 0), second = threads_of(run, block, 1);
  meet(run, first | second, waits ? first | second : second);
  arrive_live(run, block, 0, 1, waits);
  arrive_live(run, block, 1, 1, true);
  unit_complete(run->unit, block, 1);
}

static void sync_warp(Run *run) {
  uint32_t mask = threads_of(run, 0, 0);
  uint32_t lanes = live_lanes(run, 0, 0);
  if (!mask)
    return;
  meet(run, mask, mask);
  unit_sync_warp((Who){run->unit, 0, 0, lanes});
}

static void exit_thread(Run *run, uint32_t thread) {
  run->has_exited[thread] = true;
  unit_exit(who_of(run, thread));
}

static void operate(Run *run, uint32_t place) {
  uint32_t thread = pick(run, THREADS);
  if (run->has_exited[thread])
    return;
  switch (pick(run, 20)) {
  case 0:
    sync_block(run, pick(run, 2));
    break;
  case 1:
    sync_part(run, pick(run, 2));
    break;
  case 2:
    sync_warp(run);
    break;
  case 3:
    if (!pick(run, 4))
      exit_thread(run, thread);
    break;
  case 4:
  case 5:
  case 6:
  case 7:
    fence_something(run, thread, place);
    break;
  case 8:
  case 9:
  case 10:
  case 11:
    update_something(run, thread, place);
    break;
  case 12:
  case 13:
  case 14:
  case 15:
    read_something(run, thread, place);
    break;
  default:
    write_something(run, thread, place);
  }
}

static void begin_run(Run *run, Arena *arena, RaceOptions options) {
  Unit *unit = ARENA_NEW(arena, Unit);
  unit_prepare(unit, arena);
  Grid *grid = unit_add_grid(unit, 4, 64);
  grid->has_cluster = true;
  grid->cluster[0] = 2;
  unit_add_grid(unit, 1, 64)->gpu = run->is_thronged ? 0 : 1;
  if (run->is_summed_up)
    options.exact = race_exact_new(&unit->program, arena);
  unit_watch(unit, options);
  if (run->is_thronged)
    unit->race->throng_from = throng_sizes[run->random % 3];
  unit_begin_grid(unit, 0);
  unit_begin_grid(unit, 1);
  run->unit = unit;
  run->is_cuda = options.is_cuda;
  for (uint32_t t = 0; t < THREADS; t++)
    run->last_of[t] = -1;
  for (uint32_t i = 0; i < 0x10; i++)
    run->last_write[i] = -1;
  end_others(run);
}

static uint32_t place_of(const Unit *unit, const RaceSide *side) {
  return (uint32_t)(side->instruction - unit->instructions);
}

static void find_pairs(const Unit *unit, bool found[UNIT_PLACES][UNIT_PLACES]) {
  for (uint32_t i = 0; i < unit->findings->count; i++) {
    const RaceFinding *finding = &unit->findings->items[i];
    uint32_t a = place_of(unit, &finding->sides[0]), b = place_of(unit, &finding->sides[1]);
    found[a][b] = found[b][a] = true;
  }
}

// With `keep_all` exactly the pairs; without, a pair that races, and one for each byte that has
// any.
static void compare(const Run *run, bool keep_all, uint64_t seed) {
  bool found[UNIT_PLACES][UNIT_PLACES] = {0};
  bool is_any_expected = false, is_any_found = false;
  find_pairs(run->unit, found);
  for (uint32_t a = 0; a < UNIT_PLACES; a++)
    for (uint32_t b = a; b < UNIT_PLACES; b++) {
      is_any_expected |= run->expected[a][b];
      is_any_found |= found[a][b];
      if (found[a][b] && !run->expected[a][b])
        fail_msg("seed %llu: %u and %u do not race", (unsigned long long)seed, a, b);
      if (keep_all && run->expected[a][b] && !found[a][b])
        fail_msg("seed %llu: %u and %u race", (unsigned long long)seed, a, b);
    }
  if (is_any_expected != is_any_found && !race_is_undecided(run->unit->race))
    fail_msg("seed %llu: a race is missed", (unsigned long long)seed);
}

// Throngs are made of few threads then; or accesses of a row are told together, which may leave the
// run undecided.
typedef enum Way { ONE_BY_ONE, THRONGED, SUMMED_UP } Way;

static void compare_runs(Arena *arena, RaceOptions options, uint32_t length, Way way) {
  const char *more = getenv("RACE_RANDOM_RUNS"), *first = getenv("RACE_RANDOM_FIRST");
  uint64_t runs = more ? strtoull(more, NULL, 10) : way == SUMMED_UP ? 500 : 1200;
  for (uint64_t seed = first ? strtoull(first, NULL, 10) : 1; seed <= runs; seed++) {
    ArenaMark mark = arena_mark(arena);
    Run *run = ARENA_NEW(arena, Run);
    run->random = seed;
    run->is_thronged = way != ONE_BY_ONE;
    run->is_summed_up = way == SUMMED_UP;
    begin_run(run, arena, options);
    for (uint32_t place = 1; place <= length; place++)
      operate(run, place);
    find_races(run);
    show(run);
    compare(run, options.keep_all, seed);
    race_end(run->unit->race);
    arena_reset(arena, mark);
  }
}

static void all_pairs_of_a_run_are_found(void **state) {
  compare_runs(*state, (RaceOptions){.keep_all = true}, 20, ONE_BY_ONE);
  compare_runs(*state, (RaceOptions){.keep_all = true}, MOST_OPERATIONS, ONE_BY_ONE);
}

static void all_pairs_are_found_in_cuda(void **state) {
  compare_runs(*state, (RaceOptions){.keep_all = true, .is_cuda = true}, 30, ONE_BY_ONE);
}

static void some_race_is_found_if_there_is_one(void **state) {
  compare_runs(*state, (RaceOptions){0}, 12, ONE_BY_ONE);
  compare_runs(*state, (RaceOptions){0}, MOST_OPERATIONS, ONE_BY_ONE);
}

static void throngs_hide_no_race(void **state) {
  compare_runs(*state, (RaceOptions){0}, 12, THRONGED);
  compare_runs(*state, (RaceOptions){0}, MOST_OPERATIONS, THRONGED);
  compare_runs(*state, (RaceOptions){.is_cuda = true}, 30, THRONGED);
}

typedef bool Pairs[UNIT_PLACES][UNIT_PLACES];

// If all accesses are kept, those of throngs race as they do one by one.
static void compare_throngs(Arena *arena, bool is_cuda, uint32_t length) {
  for (uint64_t seed = 1; seed <= 1200; seed++) {
    Pairs found[2] = {0};
    for (uint32_t i = 0; i < 2; i++) {
      ArenaMark mark = arena_mark(arena);
      Run *run = ARENA_NEW(arena, Run);
      run->random = seed;
      run->is_thronged = true;
      begin_run(run, arena, (RaceOptions){.keep_all = true, .is_cuda = is_cuda});
      if (i == 0)
        run->unit->race->throng_from = UINT32_MAX;
      for (uint32_t place = 1; place <= length; place++)
        operate(run, place);
      show(run);
      find_pairs(run->unit, found[i]);
      race_end(run->unit->race);
      arena_reset(arena, mark);
    }
    if (memcmp(found[0], found[1], sizeof found[0]) != 0)
      fail_msg("seed %llu: throngs change what races", (unsigned long long)seed);
  }
}

static void throngs_change_no_pair(void **state) {
  compare_throngs(*state, false, 20);
  compare_throngs(*state, false, MOST_OPERATIONS);
  compare_throngs(*state, true, 30);
}

static void summaries_hide_no_race(void **state) {
  compare_runs(*state, (RaceOptions){0}, 8, SUMMED_UP);
  compare_runs(*state, (RaceOptions){.is_cuda = true}, 12, SUMMED_UP);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(all_pairs_of_a_run_are_found),
      UNIT_TEST(all_pairs_are_found_in_cuda),
      UNIT_TEST(some_race_is_found_if_there_is_one),
      UNIT_TEST(throngs_hide_no_race),
      UNIT_TEST(throngs_change_no_pair),
      UNIT_TEST(summaries_hide_no_race),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
