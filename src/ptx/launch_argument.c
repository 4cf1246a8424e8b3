// `args=`: a kernel's parameters, and the buffers that they point to.
#include "ptx/launch_parser.h"

#include <string.h>

bool launch_type_is_known(PtxType type) {
  switch (type) {
  case PTX_TYPE_u8:
  case PTX_TYPE_u16:
  case PTX_TYPE_u32:
  case PTX_TYPE_u64:
  case PTX_TYPE_s8:
  case PTX_TYPE_s16:
  case PTX_TYPE_s32:
  case PTX_TYPE_s64:
  case PTX_TYPE_b8:
  case PTX_TYPE_b16:
  case PTX_TYPE_b32:
  case PTX_TYPE_b64:
  case PTX_TYPE_f16:
  case PTX_TYPE_bf16:
  case PTX_TYPE_f32:
  case PTX_TYPE_f64:
    return true;
  default:
    return false;
  }
}

static bool parse_type(LaunchParser *parser, PtxType *type) {
  for (*type = PTX_TYPE_NONE + 1; *type < PTX_TYPE_COUNT; (*type)++)
    if (launch_type_is_known(*type) && launch_take_word(parser, ptx_type_name(*type)))
      return true;
  return launch_expected(parser, "a type (u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32 or f64)");
}

static bool report_memory(LaunchParser *parser, Span span) {
  return launch_error(parser, span, "expected at most %llu bytes in all buffers, found more",
                      (unsigned long long)parser->limit_bytes);
}

// `COUNT]`, or `SIZE,SIZE]` of a tensor; the buffer must fit the limit.
static bool parse_count(LaunchParser *parser, LaunchBuffer *buffer, LaunchArgument *argument) {
  uint32_t begin = parser->token.begin, size = launch_type_bytes(buffer->type), rank = 0;
  uint64_t count;
  buffer->element_count = 1;
  do {
    if (rank == LAUNCH_MAX_RANK)
      return launch_error(parser, launch_token_span(parser),
                          "expected at most %d dimensions of a tensor", LAUNCH_MAX_RANK);
    if (!launch_read_count(parser, "a number of elements", 1, INT64_MAX, &count))
      return false;
    if (count > parser->limit_bytes / size / buffer->element_count)
      return report_memory(parser, launch_span_from(parser, begin));
    buffer->element_count *= count;
    argument->size[rank++] = (uint32_t)count;
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  buffer->byte_count = buffer->element_count * size;
  argument->rank = rank;
  return launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_CLOSE);
}

// Behind `TYPE[SIZE,SIZE]:`: `tex2d` of a texture, of which the first size may be the channels.
static bool parse_texture(LaunchParser *parser, LaunchArgument *argument) {
  uint32_t rank = launch_take_word(parser, "tex1d")   ? 1
                  : launch_take_word(parser, "tex2d") ? 2
                  : launch_take_word(parser, "tex3d") ? 3
                                                      : 0;
  bool has_channels = rank + 1 == argument->rank;
  if (!rank)
    return launch_expected(parser, "'[BOX]' of a tensor map, tex1d, tex2d or tex3d");
  argument->channels = has_channels ? argument->size[0] : 1;
  if (argument->rank != rank && !has_channels)
    return launch_error(parser, launch_token_span(parser),
                        "expected %u sizes of the texture, and before them its channels, found %u",
                        rank, argument->rank);
  if (argument->channels == 3 || argument->channels > 4)
    return launch_error(parser, launch_token_span(parser),
                        "expected 1, 2 or 4 channels of a texture, found %u", argument->channels);
  for (uint32_t i = 0; i < rank && has_channels; i++)
    argument->size[i] = argument->size[i + 1];
  argument->texture_rank = rank;
  argument->rank = 0;
  return true;
}

// Behind `[BOX,BOX]`: `:swizzle128`; a row of the box must fit the pattern.
static bool parse_swizzle(LaunchParser *parser, LaunchArgument *argument, uint32_t element_bytes) {
  if (!launch_take_token(parser, LAUNCH_TOKEN_COLON))
    return true;
  Span span = launch_token_span(parser);
  argument->swizzle = launch_take_word(parser, "swizzle32")    ? 32
                      : launch_take_word(parser, "swizzle64")  ? 64
                      : launch_take_word(parser, "swizzle128") ? 128
                                                               : 0;
  if (!argument->swizzle)
    return launch_expected(parser, "swizzle32, swizzle64 or swizzle128");
  uint32_t row_bytes = argument->box[0] * element_bytes;
  if (row_bytes > argument->swizzle || row_bytes % 16)
    return launch_error(parser, span,
                        "expected rows of the box of at most %u bytes, a multiple of 16, found %u",
                        argument->swizzle, row_bytes);
  return true;
}

// Behind `TYPE[COUNT]`: `:[BOX,BOX]` of a tensor map, `:tex2d` of a texture; without them the
// argument is an address.
static bool parse_view(LaunchParser *parser, LaunchArgument *argument, uint32_t element_bytes) {
  uint32_t rank = argument->rank;
  if (parser->token.kind != LAUNCH_TOKEN_COLON) {
    argument->rank = 0;
    return rank == 1 || launch_expected(parser, "':[BOX,BOX]' of a tensor or ':tex2d'");
  }
  launch_next_token(parser);
  if (!launch_take_token(parser, LAUNCH_TOKEN_BRACKET_OPEN))
    return parse_texture(parser, argument);
  for (uint32_t i = 0; i < rank; i++) {
    uint64_t count;
    if ((i && !launch_expect_token(parser, LAUNCH_TOKEN_COMMA)) ||
        !launch_read_count(parser, "a size of the box", 1, LAUNCH_MAX_BOX, &count))
      return false;
    argument->box[i] = (uint32_t)count;
  }
  return launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_CLOSE) &&
         parse_swizzle(parser, argument, element_bytes);
}

uint32_t launch_lookup_buffer(const LaunchParser *parser, const char *name) {
  Name found = names_find(&parser->buffer_names, name, strlen(name));
  return found ? found - 1 : PTX_NONE;
}

static bool same_spelling(Span a, Span b) {
  uint32_t length = a.end - a.begin;
  return length == b.end - b.begin &&
         memcmp(a.source->text + a.begin, b.source->text + b.begin, length) == 0;
}

static bool same_contents(const LaunchBuffer *a, const LaunchBuffer *b) {
  if (a->undefined_count != b->undefined_count ||
      memcmp(a->bytes, b->bytes, (size_t)a->byte_count) != 0)
    return false;
  for (uint32_t i = 0; i < a->undefined_count; i++)
    if (a->undefined[i].begin != b->undefined[i].begin ||
        a->undefined[i].end != b->undefined[i].end)
      return false;
  return true;
}

// Each way to write contents counts against the limit, so that many of them cost no more time than
// one large buffer.
static bool count_contents(LaunchParser *parser, const LaunchBuffer *buffer) {
  if (buffer->byte_count > parser->limit_bytes - parser->contents_bytes)
    return report_memory(parser, buffer->span);
  parser->contents_bytes += buffer->byte_count;
  return true;
}

static bool report_conflict(LaunchParser *parser, const LaunchBuffer *first,
                            const LaunchBuffer *again, const char *what) {
  parser->error_count++;
  Diag *diag = diag_add(parser->diags, SEVERITY_ERROR, "syntax", again->span,
                        "expected the %s of buffer '%s' as at its first mention, found another",
                        what, first->name);
  diag_note(parser->diags, diag, first->span, "first mention of '%s'", first->name);
  return false;
}

// A buffer that is declared already must be declared alike.
static bool compare_buffers(LaunchParser *parser, const LaunchBuffer *first, LaunchBuffer *again,
                            const LaunchContents *contents) {
  if (first->type != again->type)
    return report_conflict(parser, first, again, "type");
  if (first->element_count != again->element_count)
    return report_conflict(parser, first, again, "number of elements");
  if (same_spelling(first->contents_span, again->contents_span))
    return true;
  if (!count_contents(parser, again))
    return false;
  ArenaMark mark = arena_mark(parser->arena);
  launch_fill_buffer(parser->arena, contents, again);
  bool is_same = same_contents(first, again);
  arena_reset(parser->arena, mark);
  return is_same || report_conflict(parser, first, again, "contents");
}

static bool add_buffer(LaunchParser *parser, LaunchBuffer *buffer, const LaunchContents *contents,
                       uint32_t *index) {
  *index = launch_lookup_buffer(parser, buffer->name);
  if (*index != PTX_NONE)
    return compare_buffers(parser, &parser->buffers.items[*index], buffer, contents);
  if (!count_contents(parser, buffer))
    return false;
  launch_fill_buffer(parser->arena, contents, buffer);
  *index = parser->buffers.count;
  names_intern(&parser->buffer_names, buffer->name, strlen(buffer->name));
  array_push(parser->arena, &parser->buffers, *buffer);
  return true;
}

// Behind `NAME=BUFFER:TYPE[`.
static bool parse_buffer(LaunchParser *parser, const char *name, uint32_t begin,
                         LaunchArgument *argument) {
  LaunchBuffer buffer = {.name = name, .type = argument->type};
  LaunchContents contents = {0};
  if (!parse_count(parser, &buffer, argument) ||
      !parse_view(parser, argument, launch_type_bytes(buffer.type)) ||
      !launch_expect_token(parser, LAUNCH_TOKEN_ASSIGN))
    return false;
  uint32_t contents_begin = parser->token.begin;
  if (!launch_parse_contents(parser, buffer.type, buffer.element_count, &contents))
    return false;
  buffer.contents_span = launch_span_from(parser, contents_begin);
  buffer.span = launch_span_from(parser, begin);
  return add_buffer(parser, &buffer, &contents, &argument->buffer);
}

// Behind `NAME:TYPE`: `=NUMBER`.
static bool parse_scalar(LaunchParser *parser, LaunchArgument *argument) {
  LaunchContents contents = {0};
  argument->is_scalar = true;
  argument->buffer = PTX_NONE;
  if (parser->token.kind != LAUNCH_TOKEN_ASSIGN)
    return launch_expected(parser, "'[COUNT]' of a buffer or '=' of a scalar");
  launch_next_token(parser);
  uint32_t begin = parser->token.begin;
  if (!launch_parse_contents(parser, argument->type, 1, &contents))
    return false;
  if (contents.pieces[0].kind != LAUNCH_PIECE_REPEAT)
    return launch_error(parser, launch_span_from(parser, begin),
                        "expected a number for the scalar '%s'", argument->name);
  uint64_t bits = contents.pieces[0].bits;
  for (uint32_t i = 0; i < sizeof argument->scalar; i++)
    argument->scalar[i] = (uint8_t)(bits >> (8 * i));
  return true;
}

// NAME[=BUFFER]:TYPE[[COUNT]]=INIT; of a tensor map :[BOX,BOX] behind the sizes, of a texture
// :tex2d
static bool parse_argument(LaunchParser *parser, LaunchArgument *argument) {
  uint32_t begin = parser->token.begin;
  *argument = (LaunchArgument){0};
  if (!launch_expect_name(parser, "a parameter's name", &argument->name))
    return false;
  const char *buffer_name = argument->name;
  bool is_renamed = launch_take_token(parser, LAUNCH_TOKEN_ASSIGN);
  if (is_renamed && !launch_expect_name(parser, "a buffer's name", &buffer_name))
    return false;
  if (parser->token.kind != LAUNCH_TOKEN_COLON)
    return launch_expected(parser, is_renamed ? "':' and a type" : "':' and a type, or '=BUFFER'");
  launch_next_token(parser);
  if (!parse_type(parser, &argument->type))
    return false;
  if (is_renamed && parser->token.kind != LAUNCH_TOKEN_BRACKET_OPEN)
    return launch_expected(parser, "'[COUNT]' of the buffer");
  bool is_good = launch_take_token(parser, LAUNCH_TOKEN_BRACKET_OPEN)
                     ? parse_buffer(parser, buffer_name, begin, argument)
                     : parse_scalar(parser, argument);
  argument->span = launch_span_from(parser, begin);
  return is_good;
}

static bool is_taken(const LaunchArgument *arguments, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(arguments[i].name, name) == 0)
      return true;
  return false;
}

bool launch_parse_arguments(LaunchParser *parser, Launch *launch) {
  ARRAY(LaunchArgument) arguments = {0};
  LaunchArgument argument;
  do {
    Span span = launch_token_span(parser);
    if (arguments.count == LAUNCH_MAX_ARGUMENTS)
      return launch_error(parser, span, "expected at most %d arguments", LAUNCH_MAX_ARGUMENTS);
    if (!parse_argument(parser, &argument))
      return false;
    if (is_taken(arguments.items, arguments.count, argument.name))
      return launch_error(parser, span, "expected each parameter once, found '%s' again",
                          argument.name);
    array_push(parser->arena, &arguments, argument);
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  launch->arguments = arguments.items;
  launch->argument_count = arguments.count;
  return true;
}
