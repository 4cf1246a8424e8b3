// What the constructs of the language mean, each on a small graph. `same(a, b)` states that two
// expressions have the same value: it is checked with the axioms `empty a \ b` and `empty b \ a`.
#include "cat_unit.h"

enum { EVENTS = 7 };

// Events 0..6. R = 0 2 4 6, W = 1 3 5; po = 0>1>2 and 3>4>5>6 (with its transitive pairs);
// rf = 1>4 3>2; co = 1>5.
static CatState *new_graph(Arena *arena, const CatModel *model) {
  CatState *state = cat_state_new(model, EVENTS, arena);
  put_all_members(state, EVENTS);
  for (uint32_t i = 0; i < EVENTS; i++) {
    put_member(state, i % 2 ? "W" : "R", i);
    put_member(state, "M", i);
    put_pair(state, "id", i, i);
    for (uint32_t j = i + 1; j < EVENTS; j++)
      if ((i < 3) == (j < 3))
        put_pair(state, "po", i, j);
  }
  put_pair(state, "rf", 1, 4);
  put_pair(state, "rf", 3, 2);
  put_pair(state, "co", 1, 5);
  return state;
}

static bool all_hold(Arena *arena, const char *text) {
  CatModel *model = parse_model(arena, text);
  CatState *state = new_graph(arena, model);
  bool result = true;
  cat_evaluate(state);
  for (uint32_t i = 0; i < cat_axiom_count(model); i++)
    result &= cat_axiom_holds(state, i);
  return result;
}

static bool same(Arena *arena, const char *definitions, const char *a, const char *b) {
  return all_hold(arena, arena_format(arena, "%s\nempty (%s) \\ (%s)\nempty (%s) \\ (%s)",
                                      definitions, a, b, b, a));
}

#define assert_same(a, b) assert_true(same(*state, "", a, b))
#define assert_different(a, b) assert_false(same(*state, "", a, b))

static void precedence_is_that_of_herd(void **state) {
  assert_same("po | rf ; co & po", "po | (rf ; (co & po))");
  assert_same("po ; po \\ rf", "po ; (po \\ rf)");
  assert_same("po \\ rf & po", "po \\ (rf & po)");
  assert_same("po & R * W", "po & (R * W)");
  assert_same("po \\ po \\ po", "(po \\ po) \\ po");
  assert_different("po \\ po \\ po", "po \\ (po \\ po)");
  assert_same("~po+", "~(po+)");
  assert_same("~R * W", "(~R) * W");
  assert_same("po^-1+", "(po^-1)+");
}

static void star_is_product_or_closure(void **state) {
  assert_same("R * W", "[R] ; _ * _ ; [W]");
  assert_same("po* ; rf", "(po+ | id) ; rf");
  assert_same("(po | rf)*", "(po | rf)+ | id");
  assert_same("po* | rf", "po^* | rf");
  assert_same("R *(W)", "R * W");
}

static void operators_mean_what_they_say(void **state) {
  assert_same("po^+", "po | po ; po");
  assert_same("rf?", "rf | id");
  assert_same("rf^?", "rf?");
  assert_same("rf^-1 ; co", "{} | rf^-1 ; co");
  assert_same("~~po", "po");
  assert_same("[R]", "toid(R)");
  assert_same("[domain(rf)]", "rf ; rf^-1");
  assert_same("[range(rf)]", "rf^-1 ; rf");
  assert_same("domain(rf) | range(rf)", "domain(rf | rf^-1)");
  assert_same("[W] ; po ; [R]", "po & W * R");
  assert_same("po & 0", "0");
  assert_same("R & {}", "{}");
  assert_same("[{}] | po", "po");
  assert_same("~R", "W");
  assert_same("_ * _ \\ po", "~po");
}

static void definitions_can_be_redefined(void **state) {
  assert_true(same(*state, "let co = co | rf let co = co+", "co", "co+"));
  assert_true(same(*state, "let r = po let old = r let r = rf", "old | r", "po | rf"));
  assert_true(same(*state, "let a = po and b = rf", "a | b", "po | rf"));
}

static void functions_are_expanded_where_they_are_called(void **state) {
  const char *text = "let seq(a, b) = a ; b\n"
                     "let from S = [S] ; po\n"
                     "let twice(f, x) = f(f(x))\n"
                     "let step(x) = x ; po\n"
                     "let nullary() = rf";
  assert_true(same(*state, text, "seq(po, rf)", "po ; rf"));
  assert_true(same(*state, text, "from R", "from(R)"));
  assert_true(same(*state, text, "from(R)", "[R] ; po"));
  assert_true(same(*state, text, "twice(step, rf)", "rf ; po ; po"));
  assert_true(same(*state, text, "nullary()", "rf"));
  // A function sees the names as they were where it was defined.
  assert_true(same(*state, "let r = po let f(x) = x ; r let r = rf", "f(rf)", "rf ; po"));
}

static void let_in_is_local(void **state) {
  assert_same("let r = po in r ; r", "po ; po");
  assert_true(same(*state, "let r = rf", "(let r = po in r) | r", "po | rf"));
  assert_same("let f(x) = x ; po in f(rf)", "rf ; po");
}

static void recursion_is_the_least_fixpoint(void **state) {
  assert_true(same(*state, "let rec p = (po | rf) | (p ; p)", "p", "(po | rf)+"));
  assert_true(same(*state, "let rec even = po | (odd ; po) and odd = even ; rf", "even",
                   "po | po ; rf ; po | po ; rf ; po ; rf ; po"));
  assert_true(same(*state, "let rec p = p", "p", "0"));
  assert_true(same(*state, "let rec p = q and q = p", "p | q", "0"));
  assert_true(same(*state, "let rec S = W | range([S] ; po)", "S", "W | range([W] ; po)"));
  assert_true(same(*state, "let rec p = po", "p", "po"));
}

static void recursion_nests(void **state) {
  const char *nested = "let rec outer = rf | (let rec inner = po | (inner ; outer) in inner)";
  assert_true(same(*state, nested, "outer", "let rec p = rf | q and q = po | (q ; p) in p"));
  const char *used_twice = "let rec a = po | (a ; rf) let rec b = a | (b ; a)";
  assert_true(same(*state, used_twice, "b", "(po ; rf*)+"));
}

static void prelude_defines_what_herd_does(void **state) {
  assert_same("fr", "(rf^-1 ; co) \\ id");
  assert_same("com", "rf | co | fr");
  assert_same("rfe | rfi", "(rf & ext) | (rf & int)");
  assert_same("fencerel(R)", "po ; [R] ; po");
  assert_same("lxsx", "0");
  assert_same("[emptyset]", "0");
}

static void comments_nest(void **state) {
  assert_same("po (* a (* b *) \" *) | rf", "rf | (**) po");
}

static void included_files_see_and_make_names(void **state) {
  static const MemoryFile files[] = {{"a.cat", "let b = a ; a"}, {"empty.cat", "\"t\""}, {0}};
  DiagList diags;
  CatModel *model = parse_with_files(
      *state, "\"top\" let a = po include \"a.cat\" include \"empty.cat\" empty b \\ po", files,
      &diags);
  assert_non_null(model);
  assert_string_equal(cat_model_title(model), "top");
  CatState *graph = new_graph(*state, model);
  cat_evaluate(graph);
  assert_true(cat_axiom_holds(graph, 0));
}

// herd's own files that only set up what the engine supplies need not be there.
static void files_that_the_prelude_covers_need_not_exist(void **state) {
  assert_true(same(*state, "include \"cos.cat\" include \"x86fences.cat\"", "po", "po"));
}

static void titles_are_strings_or_names(void **state) {
  assert_string_equal(cat_model_title(parse_model(*state, "\"A title\"\nempty 0")), "A title");
  assert_string_equal(cat_model_title(parse_model(*state, "TSO\nempty 0")), "TSO");
  assert_null(cat_model_title(parse_model(*state, "empty 0")));
}

static void axioms_keep_their_form(void **state) {
  CatModel *model = parse_model(*state, "acyclic po as first\n"
                                        "~empty rf\n"
                                        "flag ~irreflexive po ;\n   rf as third\n"
                                        "undefined_unless empty co as fourth");
  assert_int_equal(cat_axiom_count(model), 4);
  assert_string_equal(cat_axiom(model, 0)->name, "first");
  assert_string_equal(cat_axiom(model, 1)->name, "~empty rf");
  assert_true(cat_axiom(model, 1)->is_negated && !cat_axiom(model, 1)->is_flag);
  assert_int_equal(cat_axiom(model, 2)->kind, CAT_IRREFLEXIVE);
  assert_true(cat_axiom(model, 2)->is_negated && cat_axiom(model, 2)->is_flag);
  assert_true(cat_axiom(model, 3)->is_negated && cat_axiom(model, 3)->is_flag);
}

static void negated_and_flagged_axioms_hold_as_written(void **state) {
  assert_true(all_hold(*state, "~empty po flag ~empty rf ~acyclic po | po^-1"));
  assert_false(all_hold(*state, "~empty po & rf"));
  assert_false(all_hold(*state, "acyclic po | po^-1"));
  assert_false(all_hold(*state, "irreflexive po ; po^-1"));
  assert_false(all_hold(*state, "empty W"));
  assert_true(all_hold(*state, "acyclic po | rf"));
}

static void show_is_accepted_and_means_nothing(void **state) {
  assert_true(
      all_hold(*state, "show po, po ; unheard-of as x, _ show rf as r unshow r, q empty 0"));
}

static void only_what_axioms_need_is_used(void **state) {
  CatModel *model = parse_model(*state, "let unused = co ; addr show data acyclic po | fr & rf");
  assert_true(cat_uses(model, find_primitive("po")));
  assert_true(cat_uses(model, find_primitive("co"))); // through fr
  assert_false(cat_uses(model, find_primitive("addr")));
  assert_false(cat_uses(model, find_primitive("data")));
  CatState *graph = new_graph(*state, model);
  assert_null(cat_input_row(graph, find_primitive("addr"), 0));
}

static void dynamic_evaluation_reuses_the_fixed_part(void **state) {
  CatModel *model = parse_model(*state, "acyclic po ; po | rf");
  CatState *graph = new_graph(*state, model);
  cat_evaluate(graph);
  assert_true(cat_axiom_holds(graph, 0));
  put_pair(graph, "rf", 2, 0); // closes a cycle with 0 po;po 2
  cat_evaluate_dynamic(graph);
  assert_false(cat_axiom_holds(graph, 0));
}

static void a_graph_may_have_no_events(void **state) {
  CatModel *model = parse_model(*state, "acyclic po+ empty ~po irreflexive [_]");
  CatState *graph = cat_state_new(model, 0, *state);
  cat_evaluate(graph);
  for (uint32_t i = 0; i < 3; i++)
    assert_true(cat_axiom_holds(graph, i));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(precedence_is_that_of_herd),
      UNIT_TEST(star_is_product_or_closure),
      UNIT_TEST(operators_mean_what_they_say),
      UNIT_TEST(definitions_can_be_redefined),
      UNIT_TEST(functions_are_expanded_where_they_are_called),
      UNIT_TEST(let_in_is_local),
      UNIT_TEST(recursion_is_the_least_fixpoint),
      UNIT_TEST(recursion_nests),
      UNIT_TEST(prelude_defines_what_herd_does),
      UNIT_TEST(comments_nest),
      UNIT_TEST(included_files_see_and_make_names),
      UNIT_TEST(files_that_the_prelude_covers_need_not_exist),
      UNIT_TEST(titles_are_strings_or_names),
      UNIT_TEST(axioms_keep_their_form),
      UNIT_TEST(negated_and_flagged_axioms_hold_as_written),
      UNIT_TEST(show_is_accepted_and_means_nothing),
      UNIT_TEST(only_what_axioms_need_is_used),
      UNIT_TEST(dynamic_evaluation_reuses_the_fixed_part),
      UNIT_TEST(a_graph_may_have_no_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
