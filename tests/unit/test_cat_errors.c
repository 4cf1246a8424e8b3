// The diagnostics of the cat interpreter, each with its place.
#include "cat_unit.h"

typedef struct Mistake {
  const char *text;
  const char *errors; // one a line
} Mistake;

static void check_all(Arena *arena, const Mistake *mistakes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *errors = errors_with_files(arena, mistakes[i].text, NULL);
    if (!errors)
      fail_msg("no error in: %s", mistakes[i].text);
    assert_string_equal(errors, mistakes[i].errors);
  }
}

#define CHECK_ALL(state, mistakes)                                                                 \
  check_all(*(state), mistakes, sizeof(mistakes) / sizeof *(mistakes))

static void bytes_strings_and_comments(void **state) {
  static const Mistake mistakes[] = {
      {"empty po $ rf", "m.cat:1:10: unexpected character '$'"},
      {"empty po // comment", "m.cat:1:10: unexpected '/': a comment is written '(* ... *)'"},
      {"empty po ^ rf", "m.cat:1:10: expected '^-1', '^+', '^*' or '^?', found '^' alone"},
      {"empty 'tag", "m.cat:1:7: unexpected \"'\": tags are not supported"},
      {"empty po \x80\x80", "m.cat:1:10: unexpected byte 0x80"},
      {"empty po (* one (* two *)",
       "m.cat:1:10: expected '*)' to end this comment, found the end of the file"},
      {"\"title\nempty po",
       "m.cat:1:1: expected '\"' to end this string before the end of the line"},
      {"let 1 = po", "m.cat:1:5: unexpected character '1'"},
  };
  CHECK_ALL(state, mistakes);
}

static void definitions(void **state) {
  static const Mistake mistakes[] = {
      {"let", "m.cat:1:4: expected a name to define, found the end of the file"},
      {"let r", "m.cat:1:6: expected '=' in a definition, found the end of the file"},
      {"let r = ", "m.cat:1:9: expected an expression, found the end of the file"},
      {"let r po", "m.cat:1:9: expected '=' in a definition, found the end of the file"},
      {"let f( = po", "m.cat:1:8: expected a parameter name, found '='"},
      {"let f(a b) = a", "m.cat:1:9: expected ',' or ')' after a parameter, found 'b'"},
      {"let f(a, a) = a", "m.cat:1:10: parameter 'a' is named twice"},
      {"let rec f(x) = x",
       "m.cat:1:9: recursive functions are not supported: expected '=', found a parameter"},
      {"let r = po and", "m.cat:1:15: expected a name to define, found the end of the file"},
      {"let r = po and r = rf", "m.cat:1:16: 'r' is defined twice in one 'let'"},
      {"let in = po", "m.cat:1:5: expected a name to define, found 'in'"},
      {"let r = let s = po",
       "m.cat:1:19: expected 'in' after a local definition, found the end of the file"},
      {"let rec r = po \\ r",
       "m.cat:1:9: no least solution of 'r': expected no recursive use under "
       "'~' or on the right of '\\'"},
      {"let rec r = s and s = ~r", "m.cat:1:9: no least solution of 'r': expected no recursive use "
                                   "under '~' or on the right of '\\'"},
      {"let rec r = po ; R", "m.cat:1:18: expected a relation, found a set"},
  };
  CHECK_ALL(state, mistakes);
}

static void axioms_and_statements(void **state) {
  static const Mistake mistakes[] = {
      {"acyclic", "m.cat:1:8: expected an expression, found the end of the file"},
      {"acyclic po as", "m.cat:1:14: expected a name after 'as', found the end of the file"},
      {"acyclic po as \"x\"", "m.cat:1:15: expected a name after 'as', found a string"},
      {"acyclic R", "m.cat:1:9: expected a relation, found a set"},
      {"flag po", "m.cat:1:6: expected 'acyclic', 'irreflexive' or 'empty', found 'po'"},
      {"empty 0 ~po", "m.cat:1:10: expected 'acyclic', 'irreflexive' or 'empty', found 'po'"},
      {"include po", "m.cat:1:9: expected a file name in quotes after 'include', found 'po'"},
      {"include \"nothing.cat\"", "m.cat:1:9: cannot find 'nothing.cat'"},
      {"show po as", "m.cat:1:11: expected a name after 'as', found the end of the file"},
      {"acyclic po)",
       "m.cat:1:11: expected a statement: 'let', 'include', 'show' or an axiom, found ')'"},
      {"empty po? rf",
       "m.cat:1:11: expected a statement: 'let', 'include', 'show' or an axiom, found 'rf'"},
  };
  CHECK_ALL(state, mistakes);
}

static void expressions(void **state) {
  static const Mistake mistakes[] = {
      {"acyclic (po | rf",
       "m.cat:1:17: expected ')' to close this parenthesis, found the end of the file"},
      {"acyclic [R ; po",
       "m.cat:1:16: expected ']' to close this bracket, found the end of the file"},
      {"acyclic {R}", "m.cat:1:10: expected '}' (only the empty set has braces), found 'R'"},
      {"acyclic (po, rf)", "m.cat:1:12: tuples are not supported: expected ')', found ','"},
      {"empty po ++ rf",
       "m.cat:1:10: '++' is not supported: expected an operator such as '|', found '++'"},
      {"let r = po ; ; rf", "m.cat:1:14: expected an expression, found ';'"},
      {"empty po rf",
       "m.cat:1:7: 'po' is a relation, not a function: expected an operator behind it"},
  };
  CHECK_ALL(state, mistakes);
}

static void names_and_types(void **state) {
  static const Mistake mistakes[] = {
      {"empty unknown", "m.cat:1:7: unknown name 'unknown'"},
      {"empty po | W", "m.cat:1:12: expected a relation, found a set"},
      {"empty {} | W & po", "m.cat:1:16: expected a set, found a relation"},
      {"empty W ; po", "m.cat:1:7: expected a relation, found a set"},
      {"empty po * rf", "m.cat:1:7: expected a set, found a relation\n"
                        "m.cat:1:12: expected a set, found a relation"},
      {"empty [po]", "m.cat:1:8: expected a set, found a relation"},
      {"empty domain(W)", "m.cat:1:14: expected a relation, found a set"},
      {"empty W+", "m.cat:1:7: expected a relation, found a set"},
      {"empty domain", "m.cat:1:7: expected a relation, found a function"},
      {"empty domain(po, rf)", "m.cat:1:7: 'domain' takes 1 argument, found 2"},
      {"empty ~domain", "m.cat:1:8: expected a set or a relation under '~', found a function"},
      {"let f(a, b) = a | b empty f(po)", "m.cat:1:27: 'f' takes 2 arguments, found 1"},
      {"let f() = po empty f(po)", "m.cat:1:20: 'f' takes 0 arguments, found 1"},
      // One mistake, not one for each use or call.
      {"let r = x let s = r | r empty s", "m.cat:1:9: unknown name 'x'"},
      {"let f(a) = a ; W empty f(po) empty f(rf)", "m.cat:1:16: expected a relation, found a set"},
  };
  CHECK_ALL(state, mistakes);
}

static void features_that_are_refused(void **state) {
  static const Mistake mistakes[] = {
      {"with co from orders",
       "m.cat:1:1: 'with' is not supported: rf, co and sc are supplied by the "
       "explorer, which tries all of them"},
      {"forall x in S do end",
       "m.cat:1:1: 'forall' is not supported: state the axiom once for each case"},
      {"procedure p() = acyclic po end", "m.cat:1:1: 'procedure' is not supported: state the "
                                         "axioms about a function 'let f(x) = ...' "
                                         "instead"},
      {"call p()", "m.cat:1:1: 'call' is not supported: state the axioms themselves instead"},
      {"let r = match x with end",
       "m.cat:1:9: 'match' is not supported: there are no tags to match on"},
      {"let r = fun x -> x",
       "m.cat:1:9: 'fun' is not supported: name the function with 'let f(x) = ...'"},
      {"let r = if \"a\" then po else rf",
       "m.cat:1:9: 'if' is not supported: a model cannot depend on options"},
      {"enum scopes = 'cta",
       "m.cat:1:1: 'enum' is not supported: the events and their tags are those "
       "of the checked program"},
      {"instructions R",
       "m.cat:1:1: 'instructions' is not supported: the events and their tags are "
       "those of the checked program"},
      {"let s = newSet()",
       "m.cat:1:9: 'newSet' is not supported: an existentially chosen set would "
       "have to be supplied by the explorer"},
  };
  CHECK_ALL(state, mistakes);
}

static void each_statement_is_tried(void **state) {
  static const Mistake mistakes[] = {
      {"let = po\nacyclic ;\nempty (rf",
       "m.cat:1:5: expected a name to define, found '='\n"
       "m.cat:2:9: expected an expression, found ';'\n"
       "m.cat:3:10: expected ')' to close this parenthesis, found the end of the file"},
      {"let a = x\nlet b = a | y\nacyclic b\nempty z",
       "m.cat:1:9: unknown name 'x'\nm.cat:2:13: unknown name 'y'\nm.cat:4:7: unknown name 'z'"},
  };
  CHECK_ALL(state, mistakes);
}

// The calls through which a mistake in a function was reached are notes, innermost first.
static void calls_are_noted(void **state) {
  DiagList diags;
  const char *text = "let f(a) = a ; W\nlet g(a) = f(a)\nempty g(po)";
  assert_null(parse_with_files(*state, text, NULL, &diags));
  assert_int_equal(diags.count, 1);
  assert_int_equal(diags.items[0].notes.count, 2);
  assert_string_equal(diags.items[0].notes.items[0].message, "in this call of 'f'");
  assert_string_equal(diags.items[0].notes.items[1].message, "in this call of 'g'");
  assert_int_equal(
      source_position(diags.items[0].span.source, diags.items[0].notes.items[1].span.begin).line,
      3);
}

static void errors_in_included_files_name_these(void **state) {
  static const MemoryFile files[] = {{"a.cat", "let a = po\nlet b = a | no"}, {0}};
  assert_string_equal(errors_with_files(*state, "include \"a.cat\"\nempty b", files),
                      "a.cat:2:13: unknown name 'no'");
}

static void includes_do_not_go_round(void **state) {
  static const MemoryFile files[] = {
      {"a.cat", "include \"b.cat\""}, {"b.cat", "include \"a.cat\""}, {0}};
  assert_string_equal(errors_with_files(*state, "include \"a.cat\"", files),
                      "b.cat:1:9: 'a.cat' includes itself");
}

static void too_many_errors_stop(void **state) {
  const char *text = "";
  for (int i = 0; i < 30; i++)
    text = arena_format(*state, "%sempty n%d\n", text, i);
  const char *errors = errors_with_files(*state, text, NULL);
  assert_non_null(strstr(errors, "m.cat:20:7: unknown name 'n19'\n"
                                 "m.cat:21:7: too many errors: stopped after 20"));
  assert_null(strstr(errors, "n21"));
}

static const char *repeat(Arena *arena, const char *text, size_t count) {
  size_t length = strlen(text);
  char *result = ARENA_ARRAY(arena, char, length *count + 1);
  for (size_t i = 0; i < count; i++)
    memcpy(result + i * length, text, length);
  return result;
}

static void depth_is_limited(void **state) {
  const char *text = arena_format(*state, "empty %spo%s", repeat(*state, "(", 100000),
                                  repeat(*state, ")", 100000));
  assert_string_equal(errors_with_files(*state, text, NULL),
                      "m.cat:1:207: expression nested more than 200 deep");
  text = arena_format(*state, "empty po%s", repeat(*state, "^+", 100000));
  assert_non_null(strstr(errors_with_files(*state, text, NULL), "expression nested more than 200"));
  text = arena_format(*state, "empty %spo", repeat(*state, "~", 100000));
  assert_non_null(strstr(errors_with_files(*state, text, NULL), "expression nested more than 200"));
  text = arena_format(*state, "empty %spo", repeat(*state, "let a = ", 100000));
  assert_non_null(strstr(errors_with_files(*state, text, NULL), "expression nested more than 200"));
  // Long chains are not deep.
  text = arena_format(*state, "empty po%s", repeat(*state, " | rf ; co & po", 1000));
  assert_null(errors_with_files(*state, text, NULL));
}

static void expansion_is_limited(void **state) {
  const char *text = "let f0(x) = x ; po\n";
  for (int i = 1; i < 40; i++)
    text = arena_format(*state, "%slet f%d(x) = f%d(x | rf) ; f%d(x)\n", text, i, i - 1, i - 1);
  const char *errors =
      errors_with_files(*state, arena_format(*state, "%sempty f39(po)", text), NULL);
  assert_non_null(strstr(errors, "the model is too large: more than 100000 expressions"));
  errors = errors_with_files(*state, "let f(g) = g(g) empty f(f)", NULL);
  assert_non_null(strstr(errors, "the model is too large: more than 600 levels"));
}

static void a_model_without_axioms_gets_a_warning(void **state) {
  DiagList diags;
  assert_non_null(parse_with_files(*state, "let r = po", NULL, &diags));
  assert_int_equal(diags.count, 1);
  assert_int_equal(diags.items[0].severity, SEVERITY_WARNING);
  assert_string_equal(diags.items[0].message, "no axiom found: this model allows every execution");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(bytes_strings_and_comments),
      UNIT_TEST(definitions),
      UNIT_TEST(axioms_and_statements),
      UNIT_TEST(expressions),
      UNIT_TEST(names_and_types),
      UNIT_TEST(features_that_are_refused),
      UNIT_TEST(each_statement_is_tried),
      UNIT_TEST(calls_are_noted),
      UNIT_TEST(errors_in_included_files_name_these),
      UNIT_TEST(includes_do_not_go_round),
      UNIT_TEST(too_many_errors_stop),
      UNIT_TEST(depth_is_limited),
      UNIT_TEST(expansion_is_limited),
      UNIT_TEST(a_model_without_axioms_gets_a_warning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
