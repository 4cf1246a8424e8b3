// References to buffers: addresses, which may stand before the buffer is declared.
#include "ptx/launch_parser.h"

#include <string.h>

LaunchReference launch_refer(LaunchParser *parser, const char *buffer, Span span) {
  Name name = names_intern(&parser->reference_names, buffer, strlen(buffer));
  return (LaunchReference){.buffer = name, .span = span};
}

bool launch_parse_address(LaunchParser *parser, LaunchReference *reference) {
  const char *name;
  uint64_t element = 0;
  uint32_t begin = parser->token.begin;
  launch_next_token(parser); // &
  if (!launch_expect_name(parser, "a buffer's name", &name))
    return false;
  if (launch_take_token(parser, LAUNCH_TOKEN_BRACKET_OPEN) &&
      (!launch_read_count(parser, "an element", 0, INT64_MAX, &element) ||
       !launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_CLOSE)))
    return false;
  *reference = launch_refer(parser, name, launch_span_from(parser, begin));
  reference->offset = element;
  return true;
}

// An address may be that of the end: one behind the last element.
static void resolve(LaunchParser *parser, LaunchReference *reference) {
  const char *name = names_text(&parser->reference_names, reference->buffer);
  reference->buffer = launch_lookup_buffer(parser, name);
  if (reference->buffer == PTX_NONE) {
    launch_error(parser, reference->span,
                 "expected a buffer of a launch or of a line 'allocate:', found '%s'", name);
    return;
  }
  const LaunchBuffer *buffer = &parser->buffers.items[reference->buffer];
  if (reference->offset > buffer->element_count)
    launch_error(parser, reference->span, "expected an element of '%s' up to %llu, found %llu",
                 name, (unsigned long long)buffer->element_count,
                 (unsigned long long)reference->offset);
  else
    reference->offset *= launch_type_bytes(buffer->type);
}

static void resolve_all(LaunchParser *parser, LaunchReference *references, uint32_t count) {
  for (uint32_t i = 0; i < count && parser->error_count < LAUNCH_MAX_ERRORS; i++)
    resolve(parser, &references[i]);
}

bool launch_resolve_references(LaunchParser *parser) {
  for (uint32_t i = 0; i < parser->buffers.count; i++)
    resolve_all(parser, parser->buffers.items[i].references,
                parser->buffers.items[i].reference_count);
  for (uint32_t i = 0; i < parser->launches.count; i++)
    for (uint32_t j = 0; j < parser->launches.items[i].argument_count; j++)
      resolve_all(parser, parser->launches.items[i].arguments[j].references,
                  parser->launches.items[i].arguments[j].reference_count);
  return parser->error_count == 0;
}
