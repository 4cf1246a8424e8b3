// Does a final condition hold? Evaluation of its nodes, and what to say if it does not.
#include "ptx/launch_parser.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_BYTES = 60 }; // of an expression in a message

typedef struct Evaluation {
  const Final *final;
  LaunchRead *read;
  void *context;
  LaunchFailure *failure; // has the values of the loop variables
} Evaluation;

static LaunchValue integer_value(int64_t integer) {
  return (LaunchValue){.integer = integer};
}

static LaunchValue floating_value(double floating) {
  return (LaunchValue){.is_floating = true, .floating = floating};
}

static double as_floating(LaunchValue value) {
  return value.is_floating ? value.floating : (double)value.integer;
}

static bool is_true(LaunchValue value) {
  return value.is_floating ? value.floating != 0 : value.integer != 0;
}

// Always returns false.
static bool fail(const Evaluation *evaluation, LaunchFailureKind kind, uint32_t node,
                 LaunchValue wrong) {
  evaluation->failure->kind = kind;
  evaluation->failure->node = node;
  evaluation->failure->left = wrong;
  return false;
}

static bool evaluate(const Evaluation *evaluation, uint32_t index, LaunchValue *value);

static bool evaluate_element(const Evaluation *evaluation, uint32_t index, LaunchValue *value) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  const LaunchBuffer *buffer = &evaluation->final->buffers[node->index];
  LaunchValue element;
  uint64_t bits = 0;
  if (!evaluate(evaluation, node->a, &element))
    return false;
  if (element.integer < 0 || (uint64_t)element.integer >= buffer->element_count)
    return fail(evaluation, LAUNCH_FAILURE_OUT_OF_RANGE, index, element);
  if (!evaluation->read(evaluation->context, node->index, (uint64_t)element.integer, &bits))
    return fail(evaluation, LAUNCH_FAILURE_UNDEFINED, index, element);
  *value = launch_decode(buffer->type, bits);
  return true;
}

static LaunchValue negate(LaunchValue value) {
  if (value.is_floating)
    return floating_value(-value.floating);
  return integer_value((int64_t) - (uint64_t)value.integer);
}

static bool evaluate_unary(const Evaluation *evaluation, const LaunchNode *node,
                           LaunchValue *value) {
  if (!evaluate(evaluation, node->a, value))
    return false;
  if (node->kind == LAUNCH_NODE_NOT)
    *value = integer_value(!is_true(*value));
  else if (node->kind == LAUNCH_NODE_COMPLEMENT)
    *value = integer_value(~value->integer);
  else
    *value = negate(*value);
  return true;
}

static double compute_floating(LaunchNodeKind kind, double left, double right) {
  switch (kind) {
  case LAUNCH_NODE_MULTIPLY:
    return left * right;
  case LAUNCH_NODE_DIVIDE:
    return left / right;
  case LAUNCH_NODE_ADD:
    return left + right;
  default:
    return left - right;
  }
}

// Integers wrap.
static int64_t compute_integer(LaunchNodeKind kind, int64_t left, int64_t right) {
  uint64_t a = (uint64_t)left, b = (uint64_t)right;
  switch (kind) {
  case LAUNCH_NODE_MULTIPLY:
    return (int64_t)(a * b);
  case LAUNCH_NODE_DIVIDE:
    return right == -1 ? (int64_t)-a : left / right;
  case LAUNCH_NODE_REMAINDER:
    return right == -1 ? 0 : left % right;
  case LAUNCH_NODE_ADD:
    return (int64_t)(a + b);
  case LAUNCH_NODE_SUBTRACT:
    return (int64_t)(a - b);
  case LAUNCH_NODE_SHIFT_LEFT:
    return (int64_t)(a << b);
  case LAUNCH_NODE_SHIFT_RIGHT:
    return left < 0 ? (int64_t) ~(~a >> b) : (int64_t)(a >> b);
  case LAUNCH_NODE_BIT_AND:
    return (int64_t)(a & b);
  case LAUNCH_NODE_BIT_XOR:
    return (int64_t)(a ^ b);
  default:
    return (int64_t)(a | b);
  }
}

static bool is_comparison(LaunchNodeKind kind) {
  return LAUNCH_NODE_LESS <= kind && kind <= LAUNCH_NODE_NOT_EQUAL;
}

#define COMPARE(kind, left, right)                                                                 \
  ((kind) == LAUNCH_NODE_LESS            ? (left) < (right)                                        \
   : (kind) == LAUNCH_NODE_LESS_EQUAL    ? (left) <= (right)                                       \
   : (kind) == LAUNCH_NODE_GREATER       ? (left) > (right)                                        \
   : (kind) == LAUNCH_NODE_GREATER_EQUAL ? (left) >= (right)                                       \
   : (kind) == LAUNCH_NODE_EQUAL         ? (left) == (right)                                       \
                                         : (left) != (right))

static bool compare(LaunchNodeKind kind, LaunchValue left, LaunchValue right) {
  if (!left.is_floating && !right.is_floating)
    return COMPARE(kind, left.integer, right.integer);
  double a = as_floating(left), b = as_floating(right);
  return COMPARE(kind, a, b);
}

static bool evaluate_binary(const Evaluation *evaluation, uint32_t index, LaunchValue *value) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  LaunchValue left, right;
  if (!evaluate(evaluation, node->a, &left) || !evaluate(evaluation, node->b, &right))
    return false;
  if (is_comparison(node->kind)) {
    *value = integer_value(compare(node->kind, left, right));
    return true;
  }
  if (node->is_floating) {
    *value = floating_value(compute_floating(node->kind, as_floating(left), as_floating(right)));
    return true;
  }
  bool is_division = node->kind == LAUNCH_NODE_DIVIDE || node->kind == LAUNCH_NODE_REMAINDER;
  bool is_shift = node->kind == LAUNCH_NODE_SHIFT_LEFT || node->kind == LAUNCH_NODE_SHIFT_RIGHT;
  if (is_division && right.integer == 0)
    return fail(evaluation, LAUNCH_FAILURE_DIVISION_BY_ZERO, index, right);
  if (is_shift && (right.integer < 0 || right.integer > 63))
    return fail(evaluation, LAUNCH_FAILURE_SHIFT_COUNT, index, right);
  *value = integer_value(compute_integer(node->kind, left.integer, right.integer));
  return true;
}

// The right side is evaluated only where the left one leaves it open.
static bool evaluate_logic(const Evaluation *evaluation, const LaunchNode *node,
                           LaunchValue *value) {
  if (!evaluate(evaluation, node->a, value))
    return false;
  bool goes_on = is_true(*value) == (node->kind == LAUNCH_NODE_AND);
  if (goes_on && !evaluate(evaluation, node->b, value))
    return false;
  *value = integer_value(is_true(*value));
  return true;
}

static bool evaluate_choice(const Evaluation *evaluation, const LaunchNode *node,
                            LaunchValue *value) {
  if (!evaluate(evaluation, node->a, value) ||
      !evaluate(evaluation, is_true(*value) ? node->b : node->c, value))
    return false;
  if (node->is_floating)
    *value = floating_value(as_floating(*value));
  return true;
}

static bool evaluate(const Evaluation *evaluation, uint32_t index, LaunchValue *value) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  switch (node->kind) {
  case LAUNCH_NODE_INTEGER:
    *value = integer_value(node->integer);
    return true;
  case LAUNCH_NODE_FLOATING:
    *value = floating_value(node->floating);
    return true;
  case LAUNCH_NODE_VARIABLE:
    *value = integer_value(evaluation->failure->variables[node->index]);
    return true;
  case LAUNCH_NODE_ELEMENT:
    return evaluate_element(evaluation, index, value);
  case LAUNCH_NODE_NOT:
  case LAUNCH_NODE_COMPLEMENT:
  case LAUNCH_NODE_NEGATE:
    return evaluate_unary(evaluation, node, value);
  case LAUNCH_NODE_AND:
  case LAUNCH_NODE_OR:
    return evaluate_logic(evaluation, node, value);
  case LAUNCH_NODE_CHOOSE:
    return evaluate_choice(evaluation, node, value);
  default:
    return evaluate_binary(evaluation, index, value);
  }
}

// The part of a node that decides that it is false (or true, if that is wrong): the nearest
// comparison below it, or itself.
static uint32_t find_culprit(const Evaluation *evaluation, uint32_t index) {
  const LaunchNode *node = &evaluation->final->nodes[index];
  LaunchValue value = {0};
  while (node->kind >= LAUNCH_NODE_AND) {
    evaluate(evaluation, node->a, &value);
    bool is_right = is_true(value) == (node->kind == LAUNCH_NODE_AND);
    if (node->kind == LAUNCH_NODE_CHOOSE)
      index = is_true(value) ? node->b : node->c;
    else
      index = is_right ? node->b : node->a;
    node = &evaluation->final->nodes[index];
  }
  return index;
}

static void explain_false(const Evaluation *evaluation, uint32_t root) {
  LaunchFailure *failure = evaluation->failure;
  uint32_t index = find_culprit(evaluation, root);
  const LaunchNode *node = &evaluation->final->nodes[index];
  fail(evaluation, LAUNCH_FAILURE_FALSE, index, integer_value(0));
  if (node->kind == LAUNCH_NODE_NOT && is_comparison(evaluation->final->nodes[node->a].kind)) {
    failure->is_expected_false = true;
    failure->node = node->a;
    node = &evaluation->final->nodes[node->a];
  }
  failure->has_sides = is_comparison(node->kind) && evaluate(evaluation, node->a, &failure->left) &&
                       evaluate(evaluation, node->b, &failure->right);
}

static bool holds_here(const Evaluation *evaluation) {
  LaunchValue value;
  uint32_t root = evaluation->final->node_count - 1;
  if (!evaluate(evaluation, root, &value))
    return false;
  if (is_true(value))
    return true;
  explain_false(evaluation, root);
  return false;
}

// The next values of the loop variables; false: there are none.
static bool advance(const Final *final, int64_t *values) {
  for (uint32_t i = final->variable_count; i-- > 0;) {
    if (values[i] < final->variables[i].last) {
      values[i]++;
      return true;
    }
    values[i] = final->variables[i].first;
  }
  return false;
}

bool launch_final_holds(const Final *final, LaunchRead *read, void *context,
                        LaunchFailure *failure) {
  *failure = (LaunchFailure){0};
  for (uint32_t i = 0; i < final->variable_count; i++)
    failure->variables[i] = final->variables[i].first;
  Evaluation evaluation = {final, read, context, failure};
  do {
    if (!holds_here(&evaluation))
      return false;
  } while (advance(final, failure->variables));
  return true;
}

static const char *node_text(const Final *final, uint32_t index, Arena *arena) {
  Span span = final->nodes[index].span;
  uint32_t length = span.end - span.begin;
  const char *text = span.source->text + span.begin;
  if (length <= SHOWN_BYTES)
    return arena_copy_text(arena, text, length);
  return arena_format(arena, "%s...", arena_copy_text(arena, text, SHOWN_BYTES));
}

static const char *value_text(LaunchValue value, Arena *arena) {
  if (!value.is_floating)
    return arena_format(arena, "%lld", (long long)value.integer);
  const char *text = arena_format(arena, "%.15g", value.floating);
  // 15 digits are nicer, 17 always suffice.
  return strtod(text, NULL) == value.floating ? text : arena_format(arena, "%.17g", value.floating);
}

// " for i=3, b=0", or nothing.
static const char *variables_text(const Final *final, const LaunchFailure *failure, Arena *arena) {
  const char *text = "";
  for (uint32_t i = 0; i < final->variable_count; i++)
    text = arena_format(arena, "%s%s%s=%lld", text, i == 0 ? " for " : ", ",
                        final->variables[i].name, (long long)failure->variables[i]);
  return text;
}

static bool is_constant(const LaunchNode *node) {
  return node->kind == LAUNCH_NODE_INTEGER || node->kind == LAUNCH_NODE_FLOATING;
}

// "out[i] = 0", or the number alone, where that is what stands there.
static const char *side_text(const Final *final, uint32_t node, LaunchValue value, Arena *arena) {
  if (is_constant(&final->nodes[node]))
    return value_text(value, arena);
  return arena_format(arena, "%s = %s", node_text(final, node, arena), value_text(value, arena));
}

static const char *false_text(const Final *final, const LaunchFailure *failure, Arena *arena) {
  const LaunchNode *node = &final->nodes[failure->node];
  const char *text = node_text(final, failure->node, arena);
  if (!failure->has_sides)
    return arena_format(arena, "expected %s to be true, found it false", text);
  const char *left = side_text(final, node->a, failure->left, arena);
  if (failure->is_expected_false)
    text = arena_format(arena, "!(%s)", text);
  if (is_constant(&final->nodes[node->b]))
    return arena_format(arena, "expected %s, found %s", text, left);
  return arena_format(arena, "expected %s, found %s and %s", text, left,
                      side_text(final, node->b, failure->right, arena));
}

static const char *reason_text(const Final *final, const LaunchFailure *failure, Arena *arena) {
  const LaunchNode *node = &final->nodes[failure->node];
  const char *text = node_text(final, failure->node, arena);
  switch (failure->kind) {
  case LAUNCH_FAILURE_FALSE:
    return false_text(final, failure, arena);
  case LAUNCH_FAILURE_UNDEFINED:
    return arena_format(arena, "expected a value in %s[%lld], found it undefined",
                        final->buffers[node->index].name, (long long)failure->left.integer);
  case LAUNCH_FAILURE_OUT_OF_RANGE:
    return arena_format(arena, "expected one of the %llu elements of %s in %s, found number %lld",
                        (unsigned long long) final->buffers[node->index].element_count,
                        final->buffers[node->index].name, text, (long long)failure->left.integer);
  case LAUNCH_FAILURE_DIVISION_BY_ZERO:
    return arena_format(arena, "expected a divisor other than 0 in %s, found 0", text);
  case LAUNCH_FAILURE_SHIFT_COUNT:
    return arena_format(arena, "expected a shift by 0 to 63 bits in %s, found %lld", text,
                        (long long)failure->left.integer);
  }
  return "";
}

const char *launch_failure_text(const Final *final, const LaunchFailure *failure, Arena *arena) {
  return arena_format(arena, "%s%s", reason_text(final, failure, arena),
                      variables_text(final, failure, arena));
}
