// What is said of a final condition that does not hold.
#include "ptx/launch_parser.h"

#include <stdlib.h>

enum { SHOWN_BYTES = 60 }; // of an expression in a message

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
