// What a text says of an execution that is not complete: nothing that some completion contradicts.
// Texts that try to mislead by their form, and random ones, held against every completion, or many.
#include "cat_unit.h"

#include "cat/bounds.h"

enum { EVENTS = 3, MORE_EVENTS = 4, ROUNDS = 3000, SAMPLES = 64, DEPTH = 3 };

typedef struct Cells {
  bool has[MORE_EVENTS][MORE_EVENTS];
} Cells;

// The chosen relations come last.
enum { PO, BSYNC, RF, CO, RELATIONS };
static const char *const names[RELATIONS] = {"po", "bsync", "rf", "co"};

// An execution of `events` events. A partial one has what is certain; `may` is what else its
// chosen relations may have.
typedef struct Case {
  uint32_t events;
  bool reads[MORE_EVENTS];
  Cells relations[RELATIONS], may[RELATIONS];
} Case;

static CatState *new_state(Arena *arena, const CatModel *model, const Case *execution) {
  CatState *state = cat_state_new(model, execution->events, arena);
  put_all_members(state, execution->events);
  for (uint32_t i = 0; i < execution->events; i++) {
    if (execution->reads[i])
      put_member(state, "R", i);
    for (uint32_t k = 0; k < RELATIONS; k++)
      for (uint32_t j = 0; j < execution->events; j++)
        if (execution->relations[k].has[i][j])
          put_pair(state, names[k], i, j);
  }
  return state;
}

typedef struct Bench {
  CatState *state;
  CatBounds *bounds;
} Bench;

static void fill_chosen(const Bench *bench, const Case *partial) {
  for (uint32_t k = RF; k < RELATIONS; k++)
    for (uint32_t i = 0; i < partial->events; i++) {
      uint64_t *has = cat_input_row(bench->state, find_primitive(names[k]), i);
      uint64_t *may = cat_bounds_input_row(bench->bounds, find_primitive(names[k]), i);
      for (uint32_t j = 0; j < partial->events; j++) {
        if (has && partial->relations[k].has[i][j])
          bits_add(has, j);
        if (may && (partial->relations[k].has[i][j] || partial->may[k].has[i][j]))
          bits_add(may, j);
        else if (may)
          bits_remove(may, j);
      }
    }
}

// Bounds of a partial execution. *may_allow: some completion may violate no axiom.
static Bench bound(Arena *arena, const CatModel *model, const Case *partial, bool is_complete,
                   bool *may_allow) {
  static const CatSought sought[PRIMITIVE_COUNT] = {
      [PRIMITIVE_RF] = CAT_SOUGHT_LATER, [PRIMITIVE_CO] = CAT_SOUGHT};
  Bench bench = {.state = new_state(arena, model, partial)};
  bench.bounds = cat_bounds_new(bench.state, sought, arena);
  cat_evaluate_fixed(bench.state);
  fill_chosen(&bench, partial);
  *may_allow = cat_bounds_evaluate(bench.bounds, is_complete);
  return bench;
}

static bool allows(Arena *arena, const CatModel *model, const Case *execution) {
  CatState *state = new_state(arena, model, execution);
  cat_evaluate(state);
  for (uint32_t i = 0; i < cat_axiom_count(model); i++)
    if (!cat_axiom(model, i)->is_flag && !cat_axiom_holds(state, i))
      return false;
  return true;
}

// --- texts that try to mislead

// po = 0-1-2, rf = {(0, 1)}, co = {(1, 2)}; any other pair of rf and co may come.
static const Case simple = {
    .events = EVENTS,
    .reads = {false, true, false},
    .relations = {[PO] = {{{0, 1, 1}, {0, 0, 1}}}, [RF] = {{{0, 1}}}, [CO] = {{{0}, {0, 0, 1}}}},
    .may = {[RF] = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, [CO] = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}},
};

static bool drops(Arena *arena, const char *text) {
  bool may_allow;
  bound(arena, parse_model(arena, text), &simple, false, &may_allow);
  return !may_allow;
}

// Each of these is violated as the execution stands.
static void what_may_heal_is_kept(void **state) {
  assert_true(drops(*state, "empty rf"));
  assert_true(drops(*state, "irreflexive rf ; po^-1"));
  assert_true(drops(*state, "acyclic rf | po^-1"));
  assert_true(drops(*state, "empty ~(~rf)"));
  assert_true(drops(*state, "let f(x) = ~x let g(x) = f(f(x)) empty g(rf)"));
  assert_true(drops(*state, "let rec r = rf | (r ; co) empty r & po"));
  assert_true(drops(*state, "empty rf \\ (po & po^-1)"));
  assert_false(drops(*state, "empty po \\ co"));
  assert_false(drops(*state, "empty ~rf"));
  assert_false(drops(*state, "let f(x) = ~x empty f(rf)"));
  assert_false(drops(*state, "let f(x) = ~x let g(x) = f(f(f(x))) empty g(rf) & po"));
  assert_false(drops(*state, "let minus(x, y) = x \\ y irreflexive minus(po, co) ; po^-1"));
  assert_false(drops(*state, "let minus(x, y) = y \\ x empty minus(rf, po)"));
  assert_false(drops(*state, "~empty co & rf"));
  assert_false(drops(*state, "~acyclic po | rf"));
  assert_false(drops(*state, "~irreflexive co"));
  assert_false(drops(*state, "flag empty 0 flag ~empty rf flag acyclic po"));
  assert_false(drops(*state, "empty [R] \\ [range(co)]"));
  assert_false(drops(*state, "let rec r = (po \\ rf) | (r ; r) empty r & (po \\ rf) \\ co"));
}

static void what_later_events_may_add_is_kept(void **state) {
  // A path through a later event may take a pair away.
  assert_false(drops(*state, "empty po \\ (addr ; data)"));
  assert_false(drops(*state, "empty po \\ (po ; po ; po)"));
  assert_false(drops(*state, "empty po \\ (addr+)"));
  assert_false(drops(*state, "empty [R] \\ [domain(addr)]"));
  assert_false(drops(*state, "empty [R] \\ [range(addr)]"));
  assert_false(drops(*state, "let rec r = addr | (r ; r) empty po \\ r"));
  // Threads that have arrived are let go later; a compare-and-swap gets its second half.
  assert_false(drops(*state, "empty po \\ bsync"));
  assert_false(drops(*state, "empty [R] \\ [RMW]"));
  // What is a property of the two events stays.
  assert_true(drops(*state, "empty po \\ loc"));
  assert_true(drops(*state, "empty [R] \\ [W]"));
}

static void recursion_under_a_complement_is_refused(void **state) {
  static const char expected[] =
      "m.cat:1:9: no least solution of 'r': expected no recursive use under '~' or on the right of "
      "'\\'";
  assert_string_equal(errors_with_files(*state, "let rec r = rf \\ (r ; r) acyclic r", NULL),
                      expected);
  assert_string_equal(errors_with_files(*state, "let rec r = ~(r ; po) acyclic r", NULL), expected);
  assert_string_equal(
      errors_with_files(*state, "let rec r = let f(x) = rf \\ x in f(r) acyclic r", NULL),
      expected);
  assert_null(errors_with_files(*state, "let rec r = rf \\ (po \\ r) acyclic r", NULL));
}

static bool has(const uint64_t *rows, uint32_t from, uint32_t to) {
  return rows && bits_has(rows + from, to);
}

static bool requires(const Bench *bench, uint32_t primitive, uint32_t from, uint32_t to) {
  return has(cat_bounds_required(bench->bounds, primitive), from, to);
}

static bool excludes(const Bench *bench, uint32_t primitive, uint32_t from, uint32_t to) {
  return has(cat_bounds_excluded(bench->bounds, primitive), from, to);
}

static void what_is_taken_away_from_is_required(void **state) {
  bool may_allow;
  const CatModel *model = parse_model(*state, "empty po \\ co");
  Bench bench = bound(*state, model, &simple, false, &may_allow);
  assert_true(may_allow && requires(&bench, PRIMITIVE_CO, 0, 2));
  assert_false(requires(&bench, PRIMITIVE_CO, 2, 0));
}

static void one_of_two_is_required_where_the_other_cannot_be(void **state) {
  bool may_allow;
  const CatModel *model = parse_model(*state, "acyclic po | co empty po \\ (co | co^-1)");
  Bench bench = bound(*state, model, &simple, false, &may_allow);
  assert_true(may_allow && excludes(&bench, PRIMITIVE_CO, 2, 0));
  assert_false(excludes(&bench, PRIMITIVE_CO, 0, 2));
  assert_false(requires(&bench, PRIMITIVE_CO, 0, 2));
  Case known = simple;
  known.may[CO].has[2][0] = false;
  fill_chosen(&bench, &known);
  assert_true(cat_bounds_evaluate_again(bench.bounds));
  assert_true(requires(&bench, PRIMITIVE_CO, 0, 2));
}

// `co+` is `co`, so that later events add no path; of another relation they may.
static void an_order_closed_again_is_known_as_well(void **state) {
  bool may_allow;
  const CatModel *model = parse_model(*state, "let co = co+ empty po \\ co");
  Bench bench = bound(*state, model, &simple, false, &may_allow);
  assert_true(may_allow && requires(&bench, PRIMITIVE_CO, 0, 2));
  model = parse_model(*state, "empty po \\ (sc+)");
  bench = bound(*state, model, &simple, false, &may_allow);
  assert_true(may_allow);
  Case unordered = simple;
  unordered.may[CO].has[0][2] = false;
  bound(*state, parse_model(*state, "empty po \\ (co+)"), &unordered, false, &may_allow);
  assert_false(may_allow);
}

static void what_leads_round_is_excluded(void **state) {
  bool may_allow;
  const CatModel *model = parse_model(*state, "irreflexive (rf^-1 ; co) ; po^-1");
  Bench bench = bound(*state, model, &simple, false, &may_allow);
  assert_true(may_allow && excludes(&bench, PRIMITIVE_CO, 0, 2));
  assert_false(excludes(&bench, PRIMITIVE_CO, 2, 0));
  cat_bounds_seek_later(bench.bounds);
  assert_true(excludes(&bench, PRIMITIVE_RF, 1, 1));
  assert_false(excludes(&bench, PRIMITIVE_RF, 0, 2));
}

// --- random texts

typedef struct Writer {
  Arena *arena;
  Random random;
} Writer;

static const char *write_relation(Writer *writer, uint32_t depth);

static const char *write_set(Writer *writer, uint32_t depth) {
  uint32_t kind = depth == 0 ? 0 : random_below(&writer->random, 4);
  if (kind == 0)
    return random_below(&writer->random, 2) ? "R" : "_";
  if (kind == 1)
    return arena_format(writer->arena, "domain(%s)", write_relation(writer, depth - 1));
  if (kind == 2)
    return arena_format(writer->arena, "range(%s)", write_relation(writer, depth - 1));
  const char *first = write_set(writer, depth - 1), *second = write_set(writer, depth - 1);
  return arena_format(writer->arena, "(%s %c %s)", first, "|&\\"[random_below(&writer->random, 3)],
                      second);
}

static const char *write_recursion(Writer *writer, uint32_t depth) {
  const char *start = write_relation(writer, depth - 1);
  const char *step = write_relation(writer, depth - 1);
  static const char *const bodies[] = {"r ; %s", "%s ; r", "r & %s", "(r \\ %s)^-1",
                                       "[domain(r)] ; %s"};
  const char *body =
      random_below(&writer->random, 2)
          ? arena_format(writer->arena, bodies[random_below(&writer->random, 5)], step)
          : arena_format(writer->arena, "%s \\ (po \\ r)", step);
  return arena_format(writer->arena, "(let rec r = %s | (%s) in r)", start, body);
}

static const char *write_relation(Writer *writer, uint32_t depth) {
  static const char *const unary[] = {"(%s)+", "(%s)?", "((%s)*)", "(%s)^-1", "~(%s)", "not(%s)"};
  static const char *const basic[] = {"po", "bsync", "rf", "co", "co+"};
  uint32_t kind = depth == 0 ? 0 : random_below(&writer->random, 10);
  if (kind <= 1)
    return basic[random_below(&writer->random, 10) % 5];
  if (kind == 2)
    return arena_format(writer->arena, "[%s]", write_set(writer, depth - 1));
  if (kind == 3)
    return arena_format(writer->arena, unary[random_below(&writer->random, 6)],
                        write_relation(writer, depth - 1));
  if (kind == 4)
    return write_recursion(writer, depth);
  const char *first = kind == 5 ? arena_format(writer->arena, "[%s]", write_set(writer, depth - 1))
                                : write_relation(writer, depth - 1);
  const char *second = write_relation(writer, depth - 1);
  if (kind == 9)
    return arena_format(writer->arena, "minus(%s, %s)", first, second);
  return arena_format(writer->arena, "(%s %c %s)", first,
                      kind <= 6 ? ';' : "|&\\"[random_below(&writer->random, 3)], second);
}

static const char *write_model(Writer *writer) {
  static const char *const kinds[] = {"acyclic",  "irreflexive", "empty",
                                      "~acyclic", "~empty",      "flag empty"};
  const char *text = "let not(x) = ~x let minus(x, y) = x \\ y";
  uint32_t count = 1 + random_below(&writer->random, 2);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t kind = random_below(&writer->random, 9);
    text = arena_format(writer->arena, "%s\n%s %s", text, kinds[kind < 6 ? kind : kind - 6],
                        write_relation(writer, DEPTH));
  }
  return text;
}

// --- random executions

static bool is_lucky(Random *random, uint32_t one_in) {
  return random_below(random, one_in) == 0;
}

static Case random_partial(Random *random) {
  Case partial = {.events = EVENTS};
  for (uint32_t i = 0; i < EVENTS; i++) {
    partial.reads[i] = is_lucky(random, 2);
    for (uint32_t j = 0; j < EVENTS; j++) {
      partial.relations[PO].has[i][j] = i < j && is_lucky(random, 2);
      for (uint32_t k = BSYNC; k < RELATIONS; k++) {
        partial.relations[k].has[i][j] = is_lucky(random, 6);
        partial.may[k].has[i][j] = is_lucky(random, 2);
      }
    }
  }
  return partial;
}

// More pairs among the events, and an event more if there may be one.
static Case complete(const Case *partial, bool is_complete, Random *random) {
  Case whole = *partial;
  whole.events = is_complete ? EVENTS : MORE_EVENTS;
  whole.reads[EVENTS] = is_lucky(random, 2);
  for (uint32_t k = 0; k < RELATIONS; k++)
    for (uint32_t i = 0; i < whole.events; i++)
      for (uint32_t j = 0; j < whole.events; j++) {
        bool is_new = i >= EVENTS || j >= EVENTS;
        bool may_be = k == PO ? is_new : k == BSYNC ? !is_complete : partial->may[k].has[i][j];
        if ((may_be || is_new) && is_lucky(random, 2))
          whole.relations[k].has[i][j] = true;
      }
  return whole;
}

// Is coherence, as it is in every execution?
static bool is_transitive(const Case *whole) {
  const Cells *co = &whole->relations[CO];
  for (uint32_t i = 0; i < whole->events; i++)
    for (uint32_t j = 0; j < whole->events; j++)
      for (uint32_t k = 0; k < whole->events; k++)
        if (co->has[i][j] && co->has[j][k] && !co->has[i][k])
          return false;
  return true;
}

typedef struct Tally {
  uint32_t dropped, required, excluded, allowed;
} Tally;

// Some pairs of coherence are found out.
static void learn(Case *partial, Random *random) {
  for (uint32_t i = 0; i < EVENTS; i++)
    for (uint32_t j = 0; j < EVENTS; j++) {
      if (!partial->may[CO].has[i][j] || !is_lucky(random, 3))
        continue;
      partial->may[CO].has[i][j] = false;
      partial->relations[CO].has[i][j] |= is_lucky(random, 2);
    }
}

// False: this completion, which the text allows, is not what the bounds say of the relation.
static bool agrees(const Bench *bench, uint32_t k, const Case *whole, Tally *tally) {
  uint32_t primitive = find_primitive(names[k]);
  for (uint32_t i = 0; i < EVENTS; i++)
    for (uint32_t j = 0; j < EVENTS; j++) {
      bool is_required = requires(bench, primitive, i, j);
      bool is_excluded = excludes(bench, primitive, i, j);
      tally->required += is_required;
      tally->excluded += is_excluded;
      if (whole->relations[k].has[i][j] ? is_excluded : is_required)
        return false;
    }
  return true;
}

static void check_text(Writer *writer, Tally *tally) {
  Arena *arena = writer->arena;
  const char *text = write_model(writer);
  const CatModel *model = parse_model(arena, text);
  Case partial = random_partial(&writer->random), wholes[SAMPLES];
  bool is_complete = is_lucky(&writer->random, 2), may_allow;
  Bench bench = bound(arena, model, &partial, is_complete, &may_allow);
  if (may_allow && is_lucky(&writer->random, 2)) {
    learn(&partial, &writer->random);
    fill_chosen(&bench, &partial);
    may_allow = cat_bounds_evaluate_again(bench.bounds);
  }
  tally->dropped += !may_allow;
  uint32_t count = 0;
  for (uint32_t i = 0; i < SAMPLES; i++) {
    ArenaMark mark = arena_mark(arena);
    wholes[count] = complete(&partial, is_complete, &writer->random);
    count += is_transitive(&wholes[count]) && allows(arena, model, &wholes[count]);
    arena_reset(arena, mark);
  }
  tally->allowed += count;
  bool is_right = may_allow || count == 0;
  for (uint32_t i = 0; is_right && i < count; i++)
    is_right = agrees(&bench, CO, &wholes[i], tally);
  if (may_allow)
    cat_bounds_seek_later(bench.bounds);
  for (uint32_t i = 0; is_right && i < count; i++)
    is_right = agrees(&bench, RF, &wholes[i], tally);
  if (!is_right)
    fail_msg("%s: bounds contradict a completion", text);
}

static void no_completion_contradicts_the_bounds(void **state) {
  Random random = {20250611};
  Tally tally = {0};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    Arena *arena = *state;
    ArenaMark mark = arena_mark(arena);
    Writer writer = {arena, random};
    check_text(&writer, &tally);
    random = writer.random;
    arena_reset(arena, mark);
  }
  // The bounds say something often enough for the test to mean something.
  assert_true(tally.dropped > ROUNDS / 10);
  assert_true(tally.allowed > ROUNDS);
  assert_true(tally.required > 500);
  assert_true(tally.excluded > 5000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(what_may_heal_is_kept),
      UNIT_TEST(what_later_events_may_add_is_kept),
      UNIT_TEST(recursion_under_a_complement_is_refused),
      UNIT_TEST(what_is_taken_away_from_is_required),
      UNIT_TEST(one_of_two_is_required_where_the_other_cannot_be),
      UNIT_TEST(an_order_closed_again_is_known_as_well),
      UNIT_TEST(what_leads_round_is_excluded),
      UNIT_TEST(no_completion_contradicts_the_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
