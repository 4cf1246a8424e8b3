// Explanations: steps under names that readers of models know.
#include "cat_unit.h"

// A graph of four events in two threads: 0 > 1 and 2 > 3.
//   0: W x   1: W y   2: R y   3: R x
static CatState *message_passing(Arena *arena, const CatModel *model) {
  static const char *const kinds[] = {"W", "W", "R", "R"};
  CatState *state = cat_state_new(model, 5, arena);
  put_all_members(state, 5);
  for (uint32_t i = 0; i < 5; i++) {
    put_member(state, i < 4 ? kinds[i] : "W", i);
    put_member(state, "M", i);
    put_pair(state, "id", i, i);
    put_pair(state, "loc", i, i);
    for (uint32_t j = 0; j < 5; j++)
      put_pair(state, i / 2 == j / 2 ? "int" : "ext", i, j);
  }
  put_pair(state, "po", 0, 1);
  put_pair(state, "po", 2, 3);
  put_pair(state, "rf", 1, 2);
  put_pair(state, "rf", 4, 3); // 4: the initial W x
  put_pair(state, "co", 4, 0);
  static const uint32_t same[][2] = {{0, 3}, {0, 4}, {3, 4}, {1, 2}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    put_pair(state, "loc", same[i][0], same[i][1]);
    put_pair(state, "loc", same[i][1], same[i][0]);
  }
  return state;
}

static const char *explain_text(Arena *arena, const char *text) {
  CatModel *model = parse_model(arena, text);
  CatState *state = message_passing(arena, model);
  cat_evaluate(state);
  const char *explanation = explain_axiom(arena, state, 0);
  // The state is left as it was.
  for (uint32_t i = 0; i < cat_axiom_count(model); i++) {
    bool held = cat_axiom_holds(state, i);
    cat_evaluate_dynamic(state);
    assert_int_equal(cat_axiom_holds(state, i), held);
  }
  assert_string_equal(explain_axiom(arena, state, 0), explanation);
  return explanation;
}

#define assert_explained(text, steps) assert_string_equal(explain_text(*state, text), steps)

static const char cycle[] = "0 po 1, 1 rf 2, 2 po 3, 3 fr 0";

static void cycles_are_taken_apart(void **state) {
  assert_explained("acyclic po | rf | fr", cycle);
  assert_explained("let com = rf | fr acyclic (po ; com)+ | com ; po",
                   "0 po 1, 1 rf 2, 2 po 3, 3 fr 0");
  assert_explained("let hb = (po | rf)+ irreflexive hb ; fr", cycle);
  assert_explained("let hb = (po? ; rf ; po?)+ irreflexive fr ; hb",
                   "3 fr 0, 0 po 1, 1 rf 2, 2 po 3");
  assert_explained("acyclic po | rfe | fre", "0 po 1, 1 rfe 2, 2 po 3, 3 fre 0");
}

static void nothing_is_explained_that_holds(void **state) {
  assert_explained("acyclic po | rf", "");
  assert_explained("empty rf & co", "");
}

static void inverses_are_walked_backwards(void **state) {
  assert_explained("acyclic (po ; rf ; po)^-1 | (rf^-1 ; co)^-1",
                   "0 co^-1 4, 4 rf 3, 3 po^-1 2, 2 rf^-1 1, 1 po^-1 0");
}

static void filters_show_the_order_not_the_condition(void **state) {
  assert_explained("empty ext & rf & loc & (_ * R)", "1 rfe 2");
  assert_explained("empty [W] ; (int & po) ; [W]", "0 po 1");
  assert_explained("empty (rf \\ int) \\ co", "1 rf 2");
}

static void conditions_show_as_the_definition(void **state) {
  assert_explained("let conflict = (W * R) & loc & ext flag ~empty conflict \\ (rf | rf^-1)",
                   "0 conflict 3");
  assert_explained("empty (W * R) & loc", "0 loc 3");
  assert_explained("empty [W & domain(rf)] ; (W * R)", "1 W * R 2");
}

static void known_names_are_steps(void **state) {
  assert_explained("let sync = po ; rf ; po irreflexive sync ; fr", "0 sync 3, 3 fr 0");
  assert_explained("let other = po ; rf ; po irreflexive other ; fr", cycle);
  // A known union of known relations shows which one it is.
  assert_explained("let sync = po ; rf ; po let sw = sync | co irreflexive sw ; fr",
                   "0 sync 3, 3 fr 0");
  assert_explained("let fr = rf^-1 ; co | ([R] \\ [range(rf)]) ; loc ; [W] empty fr", "3 fr 0");
}

static void recursive_definitions_are_unrolled(void **state) {
  assert_explained("let rec hb = po | rf | (hb ; hb) irreflexive hb ; fr", cycle);
  assert_explained("let rec a = po | (b ; po) and b = a ; rf irreflexive fr ; a",
                   "3 fr 0, 0 po 1, 1 rf 2, 2 po 3");
  assert_explained("let rec a = b and b = po | (a ; (rf ; po)) and c = b irreflexive c ; fr",
                   cycle);
  assert_explained(
      "let rec outer = po | (let rec inner = (outer ; rf) | (inner ; outer) in inner)\n"
      "irreflexive outer ; fr",
      cycle);
}

static void sets_show_a_member(void **state) {
  assert_explained("let readers = range(rf) empty readers", "2 readers 2");
}

static void identities_show_something(void **state) {
  assert_explained("irreflexive [W]", "0 [W] 0");
  assert_explained("let self = [W] irreflexive self", "0 self 0");
}

static void the_shortest_cycle_is_shown(void **state) {
  assert_explained("acyclic po | rf | fr | rf^-1", "1 rf 2, 2 rf^-1 1");
}

// The composition of compositions of a reflexive relation: 2^40 ways of saying nothing.
static void explanations_end(void **state) {
  const char *text = "let f0(x) = x ; x\n";
  for (int i = 1; i < 40; i++)
    text = arena_format(*state, "%slet f%d(x) = let y = f%d(x) in y ; y\n", text, i, i - 1);
  text = arena_format(*state, "%sirreflexive f39(po | [R])", text);
  CatModel *model = parse_model(*state, text);
  CatState *graph = message_passing(*state, model);
  cat_evaluate(graph);
  CatStep *steps;
  assert_in_range(cat_explain(graph, 0, *state, &steps), 1, 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(cycles_are_taken_apart),
      UNIT_TEST(nothing_is_explained_that_holds),
      UNIT_TEST(inverses_are_walked_backwards),
      UNIT_TEST(filters_show_the_order_not_the_condition),
      UNIT_TEST(conditions_show_as_the_definition),
      UNIT_TEST(known_names_are_steps),
      UNIT_TEST(recursive_definitions_are_unrolled),
      UNIT_TEST(sets_show_a_member),
      UNIT_TEST(identities_show_something),
      UNIT_TEST(the_shortest_cycle_is_shown),
      UNIT_TEST(explanations_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
