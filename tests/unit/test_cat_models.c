// The built-in models against the same models as textbooks write them (tests/cat), on random
// execution graphs: each pair of texts allows the same ones.
#include "cat_unit.h"

#include "model/builtin.h"

enum { ROUNDS = 3000, LARGEST = 20, THREADS = 3, LOCATIONS = 2 };

static bool one_in(Random *random, uint32_t n) {
  return random_below(random, n) == 0;
}

typedef struct Event {
  char kind;       // R W F B, or P for a proxy fence
  const char *tag; // order, or NULL for weak
  const char *proxy;
  uint32_t thread;         // THREADS for an initial write
  uint32_t location, name; // memory events; two names of a location are aliases
  bool is_cta_scoped;
  bool is_rmw; // the first half of an atomic; the next event is the other one
  bool is_noret;
} Event;

typedef struct Run {
  Random random;
  bool has_gpu; // scopes, barriers, proxies; else what x86 has
  Event events[LARGEST];
  uint32_t count;
  uint32_t sources[LARGEST]; // of reads
  bool co[LARGEST][LARGEST];
  uint32_t ranks[LARGEST];           // a random order of everything
  bool related[8][LARGEST][LARGEST]; // dependencies and edges of the engine, by `free_names`
} Run;

static const char *const free_names[] = {"addr", "data", "ctrl", "csync", "wsync", "api", "aord"};
enum { FREE_COUNT = 7, DEPENDENCY_COUNT = 3 };

static bool is_memory(const Event *event) {
  return event->kind == 'R' || event->kind == 'W';
}

// --- making a run

static Event *add_event(Run *run, uint32_t thread, char kind) {
  Event *event = &run->events[run->count++];
  *event = (Event){.kind = kind, .thread = thread, .proxy = "GEN"};
  event->location = random_below(&run->random, LOCATIONS);
  event->is_cta_scoped = one_in(&run->random, 3);
  if (run->has_gpu && one_in(&run->random, 8))
    event->name = 1;
  if (run->has_gpu && one_in(&run->random, 8))
    event->proxy = "TEX";
  return event;
}

static void choose_tag(Run *run, Event *event) {
  static const char *const of_reads[] = {NULL, "RLX", "ACQ", "ACQ", "SC"};
  static const char *const of_writes[] = {NULL, "RLX", "REL", "REL", "SC"};
  static const char *const of_fences[] = {"ACQ", "REL", "ACQ_REL", "SC", "SC"};
  const char *const *tags = event->kind == 'R'   ? of_reads
                            : event->kind == 'W' ? of_writes
                                                 : of_fences;
  if (event->kind != 'B' && event->kind != 'P')
    event->tag = tags[random_below(&run->random, 5)];
}

static void add_atomic(Run *run, uint32_t thread) {
  Event *read = add_event(run, thread, 'R');
  read->is_rmw = true;
  read->tag = one_in(&run->random, 2) ? "ACQ" : "RLX";
  read->is_noret = one_in(&run->random, 4);
  Event *write = add_event(run, thread, 'W');
  write->tag = one_in(&run->random, 2) ? "REL" : "RLX";
  write->location = read->location;
  write->name = read->name;
  write->proxy = read->proxy;
  write->is_cta_scoped = read->is_cta_scoped;
}

static void add_thread(Run *run, uint32_t thread) {
  uint32_t length = 1 + random_below(&run->random, 4);
  for (uint32_t i = 0; i < length; i++) {
    if (one_in(&run->random, 6)) {
      add_atomic(run, thread);
      continue;
    }
    const char *kinds = run->has_gpu ? "RRRWWWFFBP" : "RRRRWWWWFF";
    choose_tag(run, add_event(run, thread, kinds[random_below(&run->random, 10)]));
  }
}

// A random interleaving of the threads, behind the initial writes.
static void choose_ranks(Run *run) {
  uint32_t rank = 0, next[THREADS] = {0};
  for (; run->events[rank].thread == THREADS; rank++)
    run->ranks[rank] = rank;
  while (rank < run->count) {
    uint32_t thread = random_below(&run->random, THREADS);
    while (next[thread] < run->count && run->events[next[thread]].thread != thread)
      next[thread]++;
    if (next[thread] < run->count)
      run->ranks[next[thread]++] = rank++;
  }
}

static bool can_read_from(const Run *run, uint32_t read, uint32_t source) {
  return run->events[source].kind == 'W' &&
         run->events[source].location == run->events[read].location;
}

// What the read returns in the interleaving.
static uint32_t latest_source(const Run *run, uint32_t read) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < run->count; i++)
    if (can_read_from(run, read, i) && run->ranks[i] < run->ranks[read] &&
        (best == UINT32_MAX || run->ranks[i] > run->ranks[best]))
      best = i;
  return best;
}

static uint32_t any_source(Run *run, uint32_t read) {
  uint32_t source;
  do
    source = random_below(&run->random, run->count);
  while (!can_read_from(run, read, source));
  return source;
}

// Mostly as in the interleaving: one or two odd reads tell models apart best.
static void choose_sources(Run *run) {
  for (uint32_t i = 0; i < run->count; i++) {
    if (run->events[i].kind != 'R')
      continue;
    run->sources[i] = latest_source(run, i);
    if (run->sources[i] == UINT32_MAX || one_in(&run->random, 4))
      run->sources[i] = any_source(run, i);
  }
}

// A total order of the writes to each location, or a partial one, closed transitively.
static void choose_coherence(Run *run) {
  bool is_partial = run->has_gpu && one_in(&run->random, 2);
  for (uint32_t i = 0; i < run->count; i++)
    for (uint32_t j = 0; j < run->count; j++) {
      const Event *a = &run->events[i], *b = &run->events[j];
      bool is_pair = a->kind == 'W' && b->kind == 'W' && a->location == b->location;
      bool is_first =
          a->thread == THREADS || (b->thread != THREADS && run->ranks[i] < run->ranks[j]);
      bool is_kept = !is_partial || a->thread == THREADS || one_in(&run->random, 2);
      run->co[i][j] = is_pair && i != j && is_first && is_kept;
    }
  for (uint32_t k = 0; k < run->count; k++)
    for (uint32_t i = 0; i < run->count; i++)
      for (uint32_t j = 0; j < run->count; j++)
        run->co[i][j] |= run->co[i][k] && run->co[k][j];
}

static void choose_free_relations(Run *run) {
  for (uint32_t k = 0; k < FREE_COUNT; k++) {
    if (k >= DEPENDENCY_COUNT && (!run->has_gpu || !one_in(&run->random, 8)))
      continue;
    uint32_t from = random_below(&run->random, run->count);
    uint32_t to = random_below(&run->random, run->count);
    bool is_same_thread = run->events[from].thread == run->events[to].thread;
    bool is_ordered = from < to && is_same_thread && run->events[from].kind == 'R';
    run->related[k][from][to] = k < DEPENDENCY_COUNT ? is_ordered : !is_same_thread;
  }
}

static void make_run(Run *run, Random random, bool has_gpu) {
  memset(run, 0, sizeof *run);
  run->random = random;
  run->has_gpu = has_gpu;
  for (uint32_t i = 0; i < LOCATIONS; i++) {
    Event *initial = add_event(run, THREADS, 'W');
    initial->location = i;
    initial->name = 0;
    initial->proxy = "GEN";
  }
  uint32_t thread_count = 2 + random_below(&run->random, THREADS - 1);
  for (uint32_t thread = 0; thread < thread_count && run->count + 8 < LARGEST; thread++)
    add_thread(run, thread);
  choose_ranks(run);
  choose_sources(run);
  choose_coherence(run);
  choose_free_relations(run);
}

// --- filling in the primitives

static bool is_scoped(const Event *event) {
  return event->tag != NULL;
}

// Threads 0 and 1 share a CTA.
static bool is_same_cta(const Event *a, const Event *b) {
  return a->thread != THREADS && b->thread != THREADS && (a->thread < 2) == (b->thread < 2);
}

static bool is_mutual(const Event *a, const Event *b) {
  return is_scoped(a) && is_scoped(b) &&
         (is_same_cta(a, b) || (!a->is_cta_scoped && !b->is_cta_scoped));
}

static void put_sets(CatState *state, const Event *event, uint32_t i) {
  const char kind[] = {event->kind == 'P' ? 'F' : event->kind, '\0'};
  put_member(state, "_", i);
  put_member(state, kind, i);
  if (event->kind == 'P') {
    put_member(state, "PF", i);
    if (event->name)
      put_member(state, "ALIAS", i);
  }
  if (event->tag)
    put_member(state, event->tag, i);
  if (event->tag && event->kind == 'F' && strcmp(event->tag, "SC") == 0)
    put_member(state, "MFENCE", i);
  if (!is_memory(event))
    return;
  put_member(state, "M", i);
  put_member(state, event->proxy, i);
  if (event->tag)
    put_member(state, "A", i);
  if (event->is_noret)
    put_member(state, "NORET", i);
  if (event->thread == THREADS)
    put_member(state, "IW", i);
}

static void put_memory_pair(CatState *state, const Run *run, uint32_t i, uint32_t j) {
  const Event *a = &run->events[i], *b = &run->events[j];
  if (strcmp(a->proxy, b->proxy) == 0)
    put_pair(state, "sproxy", i, j);
  if (a->location != b->location)
    return;
  put_pair(state, "loc", i, j);
  put_pair(state, "full", i, j);
  if (a->name == b->name)
    put_pair(state, "vloc", i, j);
  if (run->co[i][j])
    put_pair(state, "co", i, j);
}

static void put_fence_pair(CatState *state, const Run *run, uint32_t i, uint32_t j) {
  const Event *a = &run->events[i], *b = &run->events[j];
  bool is_sc = a->kind == 'F' && b->kind == 'F' && strcmp(a->tag, "SC") == 0 &&
               strcmp(b->tag, "SC") == 0 && (is_mutual(a, b) || a->thread == b->thread);
  if (is_sc && run->ranks[i] < run->ranks[j]) {
    put_pair(state, "sc", i, j);
    put_pair(state, "sync_fence", i, j);
  }
  if (a->kind == 'B' && b->kind == 'B' && a->thread != b->thread && is_same_cta(a, b)) {
    put_pair(state, "bsync", i, j);
    put_pair(state, "syncbar", i, j);
  }
  if (a->kind == 'P' && !a->name && is_memory(b) && strcmp(b->proxy, "TEX") == 0)
    put_pair(state, "pfx", i, j);
}

static void put_relations(CatState *state, const Run *run, uint32_t i, uint32_t j) {
  const Event *a = &run->events[i], *b = &run->events[j];
  bool is_same_thread = a->thread == b->thread && a->thread != THREADS;
  put_pair(state, is_same_thread ? "int" : "ext", i, j);
  if (i == j)
    put_pair(state, "id", i, j);
  if (is_same_thread && i < j)
    put_pair(state, "po", i, j);
  if (is_mutual(a, b))
    put_pair(state, "sr", i, j);
  if (is_mutual(a, b) || is_same_thread)
    put_pair(state, "incl", i, j);
  if (is_same_cta(a, b))
    put_pair(state, "scta", i, j);
  if (is_memory(a) && is_memory(b))
    put_memory_pair(state, run, i, j);
  put_fence_pair(state, run, i, j);
  for (uint32_t k = 0; k < FREE_COUNT; k++)
    if (run->related[k][i][j])
      put_pair(state, free_names[k], i, j);
}

static CatState *new_state(Arena *arena, const CatModel *model, const Run *run) {
  CatState *state = cat_state_new(model, run->count, arena);
  for (uint32_t i = 0; i < run->count; i++) {
    const Event *event = &run->events[i];
    put_sets(state, event, i);
    if (event->kind == 'R')
      put_pair(state, "rf", run->sources[i], i);
    if (event->is_rmw) {
      put_pair(state, "rmw", i, i + 1);
      put_member(state, "RMW", i);
      put_member(state, "RMW", i + 1);
    }
    for (uint32_t j = 0; j < run->count; j++)
      put_relations(state, run, i, j);
  }
  return state;
}

// --- comparing

typedef struct Verdict {
  bool is_allowed;
  bool is_flagged;
} Verdict;

static Verdict judge(Arena *arena, const CatModel *model, const Run *run) {
  CatState *state = new_state(arena, model, run);
  Verdict verdict = {true, false};
  cat_evaluate(state);
  for (uint32_t i = 0; i < cat_axiom_count(model); i++)
    if (cat_axiom(model, i)->is_flag)
      verdict.is_flagged |= cat_axiom_holds(state, i);
    else
      verdict.is_allowed &= cat_axiom_holds(state, i);
  return verdict;
}

static const char *read_file(Arena *arena, const char *name) {
  const char *root = getenv("WARPSAN_ROOT");
  const char *path = arena_format(arena, "%s/%s", root ? root : ".", name);
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  char *text = ARENA_ARRAY(arena, char, 1 << 16);
  size_t length = fread(text, 1, (1 << 16) - 1, file);
  text[length] = '\0';
  fclose(file);
  return text;
}

static const Source *load_textbook(void *context, const char *name, const Source *includer) {
  Arena *arena = context;
  (void)includer;
  const char *text = read_file(arena, arena_format(arena, "tests/cat/%s", name));
  return text ? new_source(arena, arena_format(arena, "%s", name), text) : NULL;
}

static const CatModel *parse_source(Arena *arena, const Source *source) {
  DiagList diags;
  diag_list_init(&diags, arena);
  const CatModel *model =
      cat_parse(source, primitives, PRIMITIVE_COUNT, load_textbook, arena, arena, &diags);
  if (!model)
    fail_msg("%s", describe_diag(arena, &diags.items[0]));
  return model;
}

static const CatModel *parse_builtin(Arena *arena, const char *name) {
  for (uint32_t i = 0; i < builtin_text_count; i++)
    if (strcmp(builtin_texts[i].name, name) == 0)
      return parse_source(arena, new_source(arena, name, builtin_texts[i].text));
  fail_msg("no built-in model %s", name);
  return NULL;
}

static void compare(Arena *arena, const char *builtin_name, const char *textbook_name,
                    bool has_gpu) {
  const Source *textbook_source = load_textbook(arena, textbook_name, NULL);
  if (!textbook_source)
    skip();
  const CatModel *builtin = parse_builtin(arena, builtin_name);
  const CatModel *textbook = parse_source(arena, textbook_source);
  Run run = {.random = {20240608}};
  uint32_t allowed = 0;
  ArenaMark mark = arena_mark(arena);
  for (uint32_t i = 0; i < ROUNDS; i++, arena_reset(arena, mark)) {
    make_run(&run, run.random, has_gpu);
    Verdict expected = judge(arena, builtin, &run), actual = judge(arena, textbook, &run);
    if (expected.is_allowed != actual.is_allowed)
      fail_msg("%s and %s differ in round %u", builtin_name, textbook_name, i);
    if (strcmp(builtin_name, "cuda") == 0)
      assert_int_equal(expected.is_flagged, actual.is_flagged);
    allowed += expected.is_allowed;
  }
  // The graphs are no trivial ones.
  assert_in_range(allowed, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

static void sc_is_that_of_herd(void **state) {
  compare(*state, "sc", "sc_herd.cat", false);
}

static void tso_is_that_of_herd(void **state) {
  compare(*state, "tso", "tso_herd.cat", false);
}

static void tso_is_that_of_dat3m(void **state) {
  compare(*state, "tso", "tso_dat3m.cat", false);
}

static void ptx60_is_that_of_dat3m(void **state) {
  compare(*state, "ptx60", "ptx60_dat3m.cat", true);
}

static void ptx_is_that_of_dat3m(void **state) {
  compare(*state, "ptx", "ptx_dat3m.cat", true);
}

static void cuda_is_scoped_rc11(void **state) {
  compare(*state, "cuda", "rc11_scoped.cat", true);
}

// docs/cat.md tells authors of models what they can use.
static void the_guide_names_every_primitive(void **state) {
  const char *guide = read_file(*state, "docs/cat.md");
  if (!guide)
    skip();
  for (uint32_t i = 0; i < PRIMITIVE_COUNT; i++)
    if (!strstr(guide, arena_format(*state, "`%s`", primitives[i].name)))
      fail_msg("docs/cat.md lacks `%s`", primitives[i].name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(sc_is_that_of_herd),
      UNIT_TEST(tso_is_that_of_herd),
      UNIT_TEST(tso_is_that_of_dat3m),
      UNIT_TEST(ptx60_is_that_of_dat3m),
      UNIT_TEST(ptx_is_that_of_dat3m),
      UNIT_TEST(cuda_is_scoped_rc11),
      UNIT_TEST(the_guide_names_every_primitive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
