// Launch lines, and the set that they make.
#include "ptx/launch.h"

#include "base/bytes.h"
#include "ptx/launch_parser.h"

#include <assert.h>
#include <string.h>

// One line of a kind says all; another may repeat it. Always returns false.
static bool report_second(LaunchParser *parser, const char *key, Span first, Span second) {
  parser->error_count++;
  Diag *diag = diag_add(parser->diags, SEVERITY_ERROR, "syntax", second,
                        "expected '%s:' to say the same as before", key);
  diag_note(parser->diags, diag, first, "first '%s:'", key);
  return false;
}

static bool expect_end(LaunchParser *parser) {
  return parser->token.kind == LAUNCH_TOKEN_END || launch_expected(parser, "the end of the line");
}

static bool parse_relation(LaunchParser *parser) {
  static const char *const names[] = {NULL, "concurrent", "sequential", "pdl"};
  Span span = launch_token_span(parser);
  LaunchRelation relation = LAUNCH_RELATION_CONCURRENT;
  while (relation <= LAUNCH_RELATION_PDL && !launch_at_word(parser, names[relation]))
    relation++;
  if (relation > LAUNCH_RELATION_PDL)
    return launch_expected(parser, "a relation (concurrent, sequential or pdl)");
  launch_next_token(parser);
  if (parser->relation != LAUNCH_RELATION_NONE && parser->relation != relation)
    return report_second(parser, "relation", parser->relation_span, span);
  parser->relation = relation;
  parser->relation_span = span;
  return expect_end(parser);
}

static bool parse_expectation(LaunchParser *parser) {
  uint32_t begin = parser->token.begin;
  const char *expectation = launch_parse_rule(parser, "a rule or 'clean'");
  if (!expectation)
    return false;
  Span span = {parser->source, begin, begin + (uint32_t)strlen(expectation)};
  if (parser->expectation && strcmp(parser->expectation, expectation) != 0)
    return report_second(parser, "expect", parser->expectation_span, span);
  parser->expectation = expectation;
  parser->expectation_span = span;
  return expect_end(parser);
}

static void parse_line(LaunchParser *parser, const LaunchLine *line) {
  launch_begin_line(parser, line->source, line->begin, line->end);
  switch (line->key) {
  case LAUNCH_LINE_LAUNCH:
    launch_parse_launch(parser);
    break;
  case LAUNCH_LINE_FINAL:
    launch_parse_final(parser);
    break;
  case LAUNCH_LINE_RELATION:
    parse_relation(parser);
    break;
  case LAUNCH_LINE_EXPECT:
    parse_expectation(parser);
    break;
  case LAUNCH_LINE_BUFFERS:
    launch_parse_buffers(parser);
    break;
  case LAUNCH_LINE_ALLOCATE:
    launch_parse_allocations(parser);
    break;
  case LAUNCH_LINE_MACHINE:
    launch_parse_machine(parser);
    break;
  case LAUNCH_LINE_ACCEPT:
  case LAUNCH_LINE_WHERE:
  case LAUNCH_LINE_LEVEL:
    if (parser->options->reads_verdicts)
      launch_parse_verdict(parser, line->key);
    break;
  case LAUNCH_LINE_OTHER:
    break;
  }
}

// What names buffers of launches.
static bool is_late(LaunchLineKey key) {
  return key == LAUNCH_LINE_FINAL || key == LAUNCH_LINE_BUFFERS;
}

// Conditions and places come last: they name buffers of all launches. Where a launch is wrong, a
// buffer may be missing, and they are not looked at.
static void parse_lines(LaunchParser *parser, const LaunchLineList *lines) {
  for (uint32_t i = 0; i < lines->count && parser->error_count < LAUNCH_MAX_ERRORS; i++)
    if (!is_late(lines->items[i].key))
      parse_line(parser, &lines->items[i]);
  if (parser->error_count > 0)
    return;
  for (uint32_t i = 0; i < lines->count && parser->error_count < LAUNCH_MAX_ERRORS; i++)
    if (is_late(lines->items[i].key))
      parse_line(parser, &lines->items[i]);
}

static LaunchSet *make_set(LaunchParser *parser) {
  LaunchSet *set = ARENA_NEW(parser->arena, LaunchSet);
  *set = (LaunchSet){
      .launches = parser->launches.items,
      .launch_count = parser->launches.count,
      .buffers = parser->buffers.items,
      .buffer_count = parser->buffers.count,
      .finals = parser->finals.items,
      .final_count = parser->finals.count,
      .relation = parser->relation,
      .machine = parser->machine,
      .expectation = parser->expectation,
      .verdict = parser->verdict,
      .relation_span = parser->relation_span,
      .expectation_span = parser->expectation_span,
  };
  for (uint32_t i = 0; i < parser->finals.count; i++)
    parser->finals.items[i].buffers = set->buffers;
  return set;
}

LaunchSet *launch_parse(const LaunchInput *inputs, uint32_t input_count,
                        const LaunchOptions *options, Arena *arena, DiagList *diags) {
  LaunchParser parser = {
      .arena = arena, .diags = diags, .options = options, .machine = options->machine};
  parser.limit_bytes = options->limit_bytes ? options->limit_bytes : LAUNCH_LIMIT_BYTES;
  names_init(&parser.buffer_names, arena);
  names_init(&parser.reference_names, arena);
  LaunchLineList lines = launch_collect_lines(arena, inputs, input_count);
  parse_lines(&parser, &lines);
  if (parser.error_count > 0 || !launch_resolve_references(&parser) ||
      !launch_place_buffers(&parser))
    return NULL;
  LaunchSet *set = make_set(&parser);
  launch_set_check(set);
  return set;
}

static void check_references(const LaunchSet *set, const LaunchReference *references,
                             uint32_t count, uint64_t byte_count) {
  for (uint32_t i = 0; i < count; i++) {
    assert(references[i].buffer < set->buffer_count);
    assert(references[i].offset <= set->buffers[references[i].buffer].byte_count);
    assert(references[i].at + sizeof(uint64_t) <= byte_count);
    assert(i == 0 || references[i - 1].at + sizeof(uint64_t) <= references[i].at);
  }
  (void)set, (void)references, (void)byte_count;
}

static void check_buffer(const LaunchSet *set, const LaunchBuffer *buffer) {
  assert(launch_type_is_known(buffer->type) && buffer->element_count > 0);
  assert((buffer->bytes != NULL) != (buffer->computed != NULL));
  assert(buffer->byte_count == buffer->element_count * launch_type_bytes(buffer->type));
  uint64_t end = 0;
  for (uint32_t i = 0; i < buffer->undefined_count; i++) {
    const LaunchRange *range = &buffer->undefined[i];
    assert((i == 0 || range->begin > end) && range->begin < range->end);
    end = range->end;
  }
  assert(end <= buffer->byte_count);
  check_references(set, buffer->references, buffer->reference_count, buffer->byte_count);
  (void)end;
}

static void check_launch(const LaunchSet *set, const Launch *launch) {
  assert(launch->kernel && *launch->kernel);
  for (uint32_t i = 0; i < 3; i++)
    assert(launch->block[i] > 0 && launch->grid[i] % launch->cluster[i] == 0);
  for (uint32_t i = 0; i < launch->argument_count; i++) {
    const LaunchArgument *argument = &launch->arguments[i];
    assert(argument->byte_count <= LAUNCH_MAX_ARGUMENT_BYTES);
    check_references(set, argument->references, argument->reference_count, argument->byte_count);
    (void)argument;
  }
  (void)set;
}

static void check_final(const LaunchSet *set, const Final *final) {
  assert(final->node_count > 0 && final->variable_count <= LAUNCH_MAX_VARIABLES);
  for (uint32_t i = 0; i < final->node_count; i++) {
    const LaunchNode *node = &final->nodes[i];
    assert((node->a == PTX_NONE || node->a < i) && (node->b == PTX_NONE || node->b < i));
    assert(node->c == PTX_NONE || node->c < i);
    assert(node->kind != LAUNCH_NODE_ELEMENT || node->index < set->buffer_count);
    assert(node->kind != LAUNCH_NODE_VARIABLE || node->index < final->variable_count);
    (void)node;
  }
  (void)set;
}

void launch_set_check(const LaunchSet *set) {
  for (uint32_t i = 0; i < set->buffer_count; i++)
    check_buffer(set, &set->buffers[i]);
  for (uint32_t i = 0; i < set->launch_count; i++)
    check_launch(set, &set->launches[i]);
  for (uint32_t i = 0; i < set->final_count; i++)
    check_final(set, &set->finals[i]);
}

uint32_t launch_find_buffer(const LaunchSet *set, const char *name) {
  for (uint32_t i = 0; i < set->buffer_count; i++)
    if (strcmp(set->buffers[i].name, name) == 0)
      return i;
  return PTX_NONE;
}

static bool is_undefined(const LaunchBuffer *buffer, uint64_t begin, uint64_t end) {
  for (uint32_t i = 0; i < buffer->undefined_count; i++)
    if (buffer->undefined[i].begin < end && begin < buffer->undefined[i].end)
      return true;
  return false;
}

static bool read_element(const LaunchBuffer *buffer, uint64_t element, uint64_t *bits) {
  uint32_t size = launch_type_bytes(buffer->type);
  if (is_undefined(buffer, element * size, (element + 1) * size))
    return false;
  uint8_t bytes[sizeof *bits];
  launch_read_contents(buffer, element * size, size, bytes);
  *bits = bytes_get(bytes, size);
  return true;
}

bool launch_read_initial(void *context, uint32_t buffer, const int64_t *elements, uint32_t count,
                         uint64_t *bits) {
  const LaunchSet *set = context;
  for (uint32_t i = 0; i < count; i++)
    if (!read_element(&set->buffers[buffer], (uint64_t)elements[i], &bits[i]))
      return false;
  return true;
}
