// Random expressions over random graphs: the compiled model against a direct evaluation of the same
// expression, event by event. Sizes around 64 and 128 events cross the borders of words.
#include "cat_unit.h"

enum { ROUNDS = 400, DEPTH = 4, LARGEST = 130 };

// A set (only row 0 counts) or a relation, one byte for each pair.
typedef struct Value {
  bool cells[LARGEST][LARGEST];
} Value;

typedef struct Bench {
  Arena *arena;
  Random random;
  uint32_t events;
  Value *sets[2];      // of R, W
  Value *relations[3]; // of po, rf, co
} Bench;

static const char *const set_names[] = {"R", "W"};
static const char *const relation_names[] = {"po", "rf", "co"};

typedef struct Expression {
  const char *text;
  Value *value;
} Expression;

static Value *new_value(Bench *bench) {
  return ARENA_NEW(bench->arena, Value);
}

#define EACH_PAIR(i, j, bench)                                                                     \
  for (uint32_t i = 0; i < (bench)->events; i++)                                                   \
    for (uint32_t j = 0; j < (bench)->events; j++)

static Expression relation(Bench *bench, uint32_t depth);
static Expression set(Bench *bench, uint32_t depth);

static Expression combine(Bench *bench, Expression a, Expression b, char operator) {
  Value *value = new_value(bench);
  EACH_PAIR(i, j, bench) {
    bool left = a.value->cells[i][j], right = b.value->cells[i][j];
    value->cells[i][j] = operator== '|' ? left || right :
                         operator== '&' ? left && right
                                        : left && !right;
  }
  return (Expression){arena_format(bench->arena, "(%s %c %s)", a.text, operator, b.text), value};
}

static Value *compose(Bench *bench, const Value *a, const Value *b) {
  Value *value = new_value(bench);
  EACH_PAIR(i, k, bench)
  if (a->cells[i][k])
    for (uint32_t j = 0; j < bench->events; j++)
      value->cells[i][j] |= b->cells[k][j];
  return value;
}

static bool add_all(Bench *bench, Value *to, const Value *from) {
  bool is_changed = false;
  EACH_PAIR(i, j, bench)
  if (from->cells[i][j] && !to->cells[i][j])
    is_changed = to->cells[i][j] = true;
  return is_changed;
}

static Value *copy_of(Bench *bench, const Value *a) {
  Value *value = new_value(bench);
  add_all(bench, value, a);
  return value;
}

static Value *close(Bench *bench, const Value *a) {
  Value *value = copy_of(bench, a);
  while (add_all(bench, value, compose(bench, value, value)))
    continue;
  return value;
}

static Value *add_identity(Bench *bench, const Value *a) {
  Value *value = copy_of(bench, a);
  for (uint32_t i = 0; i < bench->events; i++)
    value->cells[i][i] = true;
  return value;
}

static Expression unary(Bench *bench, uint32_t depth) {
  static const char *const suffixes[] = {"+", "?", "*", "^-1"};
  uint32_t kind = random_below(&bench->random, 5);
  Expression a = relation(bench, depth - 1);
  Value *value = NULL;
  if (kind == 0)
    value = close(bench, a.value);
  else if (kind == 1)
    value = add_identity(bench, a.value);
  else if (kind == 2)
    value = add_identity(bench, close(bench, a.value));
  else
    value = new_value(bench);
  if (kind >= 3)
    EACH_PAIR(i, j, bench)
  value->cells[i][j] = kind == 3 ? a.value->cells[j][i] : !a.value->cells[i][j];
  const char *text = kind == 4 ? arena_format(bench->arena, "~(%s)", a.text)
                               : arena_format(bench->arena, "(%s)%s", a.text, suffixes[kind]);
  return (Expression){text, value};
}

static Expression from_sets(Bench *bench, uint32_t depth) {
  Expression a = set(bench, depth - 1), b = set(bench, depth - 1);
  bool is_identity = random_below(&bench->random, 2);
  Value *value = new_value(bench);
  EACH_PAIR(i, j, bench)
  value->cells[i][j] = a.value->cells[0][i] && (is_identity ? i == j : b.value->cells[0][j]);
  const char *text = is_identity ? arena_format(bench->arena, "[%s]", a.text)
                                 : arena_format(bench->arena, "(%s * %s)", a.text, b.text);
  return (Expression){text, value};
}

static Expression relation(Bench *bench, uint32_t depth) {
  uint32_t kind = depth == 0 ? 0 : random_below(&bench->random, 8);
  if (kind == 0) {
    uint32_t which = random_below(&bench->random, 3);
    return (Expression){relation_names[which], bench->relations[which]};
  }
  if (kind == 1)
    return from_sets(bench, depth);
  if (kind <= 3)
    return unary(bench, depth);
  Expression a = relation(bench, depth - 1), b = relation(bench, depth - 1);
  if (kind <= 5)
    return (Expression){arena_format(bench->arena, "(%s ; %s)", a.text, b.text),
                        compose(bench, a.value, b.value)};
  return combine(bench, a, b, "|&\\"[random_below(&bench->random, 3)]);
}

static Expression projection(Bench *bench, uint32_t depth) {
  bool is_domain = random_below(&bench->random, 2);
  Expression a = relation(bench, depth - 1);
  Value *value = new_value(bench);
  EACH_PAIR(i, j, bench)
  if (a.value->cells[i][j])
    value->cells[0][is_domain ? i : j] = true;
  return (Expression){arena_format(bench->arena, "%s(%s)", is_domain ? "domain" : "range", a.text),
                      value};
}

static Expression set(Bench *bench, uint32_t depth) {
  uint32_t kind = depth == 0 ? 0 : random_below(&bench->random, 3);
  if (kind == 0) {
    uint32_t which = random_below(&bench->random, 2);
    return (Expression){set_names[which], bench->sets[which]};
  }
  if (kind == 1)
    return projection(bench, depth);
  Expression a = set(bench, depth - 1), b = set(bench, depth - 1);
  return combine(bench, a, b, "|&\\"[random_below(&bench->random, 3)]);
}

static Value *random_value(Bench *bench, uint32_t rows, uint32_t sparseness) {
  Value *value = new_value(bench);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t j = 0; j < bench->events; j++)
      value->cells[i][j] = random_below(&bench->random, sparseness) == 0;
  return value;
}

static void fill_bench(Bench *bench) {
  for (uint32_t i = 0; i < 2; i++)
    bench->sets[i] = random_value(bench, 1, 2);
  for (uint32_t i = 0; i < 3; i++)
    bench->relations[i] = random_value(bench, bench->events, bench->events + 3);
}

static void fill_state(const Bench *bench, CatState *state) {
  put_all_members(state, bench->events);
  for (uint32_t i = 0; i < 2; i++)
    for (uint32_t j = 0; j < bench->events; j++)
      if (bench->sets[i]->cells[0][j])
        put_member(state, set_names[i], j);
  for (uint32_t k = 0; k < 3; k++)
    EACH_PAIR(i, j, bench)
  if (bench->relations[k]->cells[i][j])
    put_pair(state, relation_names[k], i, j);
}

static bool is_cyclic(Bench *bench, const Value *value) {
  const Value *closed = close(bench, value);
  for (uint32_t i = 0; i < bench->events; i++)
    if (closed->cells[i][i])
      return true;
  return false;
}

static bool is_nothing(const Bench *bench, const Value *value) {
  EACH_PAIR(i, j, bench)
  if (value->cells[i][j])
    return false;
  return true;
}

// The expression also as the body of a function and as a recursive definition that is none.
static void check_expression(Bench *bench) {
  Expression a = relation(bench, DEPTH), b = relation(bench, DEPTH);
  Expression less = combine(bench, a, b, '\\');
  const char *text = arena_format(bench->arena,
                                  "let f(x, y) = x \\ y let rec r = %s and s = r\n"
                                  "empty f(%s, %s) acyclic s irreflexive %s",
                                  a.text, a.text, b.text, a.text);
  CatModel *model = parse_model(bench->arena, text);
  CatState *state = cat_state_new(model, bench->events, bench->arena);
  fill_state(bench, state);
  cat_evaluate(state);
  bool is_reflexive = false;
  for (uint32_t i = 0; i < bench->events; i++)
    is_reflexive |= a.value->cells[i][i];
  bool is_right = cat_axiom_holds(state, 0) == is_nothing(bench, less.value) &&
                  cat_axiom_holds(state, 1) != is_cyclic(bench, a.value) &&
                  cat_axiom_holds(state, 2) != is_reflexive;
  if (!is_right)
    fail_msg("%u events: %s", bench->events, text);
  for (uint32_t i = 0; i < 3; i++) {
    CatStep *steps;
    uint32_t count = cat_explain(state, i, bench->arena, &steps);
    assert_true((count == 0) == cat_axiom_holds(state, i));
    for (uint32_t k = 0; k + 1 < count; k++)
      assert_int_equal(steps[k].to, steps[k + 1].from);
  }
}

static void compiled_and_direct_evaluation_agree(void **state) {
  static const uint32_t sizes[] = {1, 2, 3, 4, 5, 6, 8};
  static const uint32_t large_sizes[] = {63, 64, 65, 127, 128, 129};
  Random random = {20240607};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    Arena *arena = *state;
    ArenaMark mark = arena_mark(arena);
    uint32_t events = i % 10 ? sizes[i % 7] : large_sizes[i / 10 % 6];
    Bench bench = {.arena = arena, .random = random, .events = events};
    fill_bench(&bench);
    check_expression(&bench);
    random = bench.random;
    arena_reset(arena, mark);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {UNIT_TEST(compiled_and_direct_evaluation_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
