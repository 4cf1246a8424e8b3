// `args=`: a kernel's parameters, which are scalars, addresses of buffers, or structs of them that
// lie as in C; and `allocate:`, buffers that are no parameter.
#include "ptx/launch_parser.h"

#include "ir/tensor.h"

#include <string.h>

enum {
  MOST_DEPTH = 16, // of structs within structs
  ADDRESS_BYTES = 8,
  TENSOR_MAP_ALIGN = 64, // of CUtensorMap
};

// Bytes of an argument as far as they are known.
typedef struct Layout {
  ARRAY(uint8_t) bytes;
  ARRAY(LaunchReference) references;
  uint32_t align;
} Layout;

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

static bool pad(LaunchParser *parser, Layout *layout, uint32_t align, uint32_t begin) {
  while (layout->bytes.count % align)
    array_push(parser->arena, &layout->bytes, 0);
  if (layout->bytes.count > LAUNCH_MAX_ARGUMENT_BYTES)
    return launch_error(parser, launch_span_from(parser, begin),
                        "expected an argument of at most %d bytes, found more",
                        LAUNCH_MAX_ARGUMENT_BYTES);
  layout->align = layout->align > align ? layout->align : align;
  return true;
}

static void put_bytes(LaunchParser *parser, Layout *layout, uint64_t value, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    array_push(parser->arena, &layout->bytes, (uint8_t)(i < 8 ? value >> 8 * i : 0));
}

static void put_reference(LaunchParser *parser, Layout *layout, LaunchReference reference,
                          uint32_t size) {
  reference.at = layout->bytes.count;
  array_push(parser->arena, &layout->references, reference);
  put_bytes(parser, layout, 0, size);
}

// Behind `NAME=BUFFER:TYPE[`.
static bool parse_buffer(LaunchParser *parser, const LaunchField *field, const char *buffer,
                         Layout *layout) {
  const LaunchView *view;
  if (!launch_parse_buffer(parser, field, buffer, &view))
    return false;
  bool is_tensor_map = view && view->rank;
  LaunchReference reference = launch_refer(parser, buffer, launch_span_from(parser, field->begin));
  reference.view = view;
  if (!pad(parser, layout, is_tensor_map ? TENSOR_MAP_ALIGN : ADDRESS_BYTES, field->begin))
    return false;
  put_reference(parser, layout, reference, is_tensor_map ? TENSOR_MAP_BYTES : ADDRESS_BYTES);
  return true;
}

static bool put_elements(LaunchParser *parser, const LaunchField *field,
                         const LaunchBuffer *elements, Layout *layout) {
  uint32_t from = layout->bytes.count;
  for (uint64_t i = 0; i < elements->byte_count; i++) {
    uint8_t byte;
    launch_read_contents(elements, i, 1, &byte);
    array_push(parser->arena, &layout->bytes, byte);
  }
  for (uint32_t i = 0; i < elements->reference_count; i++) {
    LaunchReference reference = elements->references[i];
    reference.at += from;
    array_push(parser->arena, &layout->references, reference);
  }
  return !elements->undefined_count ||
         launch_error(parser, elements->contents_span,
                      "expected numbers for '%s', found undefined elements", field->name);
}

// Behind `NAME:TYPE`: `=NUMBER`, or `*COUNT=INIT` of an array.
static bool parse_numbers(LaunchParser *parser, const LaunchField *field, Layout *layout) {
  LaunchBuffer elements = {.type = field->type, .element_count = 1};
  LaunchContents contents = {0};
  uint32_t size = launch_type_bytes(field->type);
  bool is_array = launch_take_token(parser, LAUNCH_TOKEN_STAR);
  if (is_array && !launch_read_count(parser, "a number of elements", 1,
                                     LAUNCH_MAX_ARGUMENT_BYTES / size, &elements.element_count))
    return false;
  if (parser->token.kind != LAUNCH_TOKEN_ASSIGN)
    return launch_expected(parser, is_array ? "'='" : "'[COUNT]' of a buffer or '=' of a scalar");
  launch_next_token(parser);
  uint32_t begin = parser->token.begin;
  if (!pad(parser, layout, size, field->begin) ||
      !launch_parse_contents(parser, field->type, elements.element_count, &contents))
    return false;
  elements.byte_count = elements.element_count * size;
  elements.contents_span = launch_span_from(parser, begin);
  LaunchPieceKind kind = contents.pieces[0].kind;
  if (!is_array && kind != LAUNCH_PIECE_REPEAT && kind != LAUNCH_PIECE_ADDRESS)
    return launch_error(parser, elements.contents_span, "expected a number for the scalar '%s'",
                        field->name);
  launch_fill_buffer(parser->arena, &contents, &elements);
  return put_elements(parser, field, &elements, layout);
}

static bool parse_field(LaunchParser *parser, LaunchField *field, uint32_t depth, Layout *layout);

// The struct is aligned like the member of it that is aligned most.
static bool append(LaunchParser *parser, const Layout *inner, uint32_t begin, Layout *layout) {
  if (!pad(parser, layout, inner->align, begin))
    return false;
  LaunchBuffer elements = {.bytes = inner->bytes.items,
                           .byte_count = inner->bytes.count,
                           .references = inner->references.items,
                           .reference_count = inner->references.count};
  return put_elements(parser, NULL, &elements, layout) && pad(parser, layout, 1, begin);
}

static bool is_taken(const char *const *names, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

typedef ARRAY(const char *) TextList;

// `field` is the next of those with the names before it.
static bool parse_next(LaunchParser *parser, LaunchField *field, TextList *names, uint32_t depth,
                       Layout *layout) {
  Span span = launch_token_span(parser);
  if (names->count == LAUNCH_MAX_ARGUMENTS)
    return launch_error(parser, span, "expected at most %d arguments", LAUNCH_MAX_ARGUMENTS);
  if (!parse_field(parser, field, depth, layout))
    return false;
  if (is_taken((const char *const *)names->items, names->count, field->name))
    return launch_error(parser, span, "expected each parameter once, found '%s' again",
                        field->name);
  array_push(parser->arena, names, field->name);
  return true;
}

// Behind `{`.
static bool parse_struct(LaunchParser *parser, const LaunchField *field, uint32_t depth,
                         Layout *layout) {
  Layout inner = {.align = 1};
  LaunchField member;
  TextList names = {0};
  if (depth == MOST_DEPTH)
    return launch_error(parser, launch_token_span(parser),
                        "expected at most %d structs within each other", MOST_DEPTH);
  do {
    if (!parse_next(parser, &member, &names, depth + 1, &inner))
      return false;
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  if (parser->token.kind != LAUNCH_TOKEN_BRACE_CLOSE)
    return launch_expected(parser, "',' or '}' of the struct");
  launch_next_token(parser);
  return pad(parser, &inner, inner.align, field->begin) &&
         append(parser, &inner, field->begin, layout);
}

// Behind `NAME[=BUFFER]:`.
static bool parse_typed(LaunchParser *parser, LaunchField *field, const char *buffer,
                        bool is_renamed, Layout *layout) {
  if (!parse_type(parser, &field->type))
    return false;
  if (is_renamed && parser->token.kind != LAUNCH_TOKEN_BRACKET_OPEN)
    return launch_expected(parser, "'[COUNT]' of the buffer");
  return launch_take_token(parser, LAUNCH_TOKEN_BRACKET_OPEN)
             ? parse_buffer(parser, field, buffer, layout)
             : parse_numbers(parser, field, layout);
}

// NAME[=BUFFER]:TYPE[[COUNT]]=INIT, of a tensor map :[BOX,BOX] behind the sizes, of a texture
// :tex2d; NAME:TYPE[*COUNT]=INIT; NAME:{FIELD,...}
static bool parse_field(LaunchParser *parser, LaunchField *field, uint32_t depth, Layout *layout) {
  *field = (LaunchField){.type = PTX_TYPE_NONE, .begin = parser->token.begin};
  if (!launch_expect_name(parser, "a parameter's name", &field->name))
    return false;
  const char *buffer = field->name;
  bool is_renamed = launch_take_token(parser, LAUNCH_TOKEN_ASSIGN);
  if (is_renamed && !launch_expect_name(parser, "a buffer's name", &buffer))
    return false;
  if (parser->token.kind != LAUNCH_TOKEN_COLON)
    return launch_expected(parser, is_renamed ? "':' and a type" : "':' and a type, or '=BUFFER'");
  launch_next_token(parser);
  if (!is_renamed && launch_take_token(parser, LAUNCH_TOKEN_BRACE_OPEN))
    return parse_struct(parser, field, depth, layout);
  return parse_typed(parser, field, buffer, is_renamed, layout);
}

bool launch_parse_arguments(LaunchParser *parser, Launch *launch) {
  ARRAY(LaunchArgument) arguments = {0};
  TextList names = {0};
  LaunchField field;
  do {
    Layout layout = {.align = 1};
    if (!parse_next(parser, &field, &names, 0, &layout))
      return false;
    array_push(parser->arena, &arguments,
               (LaunchArgument){.name = field.name,
                                .type = field.type,
                                .bytes = layout.bytes.items,
                                .byte_count = layout.bytes.count,
                                .references = layout.references.items,
                                .reference_count = layout.references.count,
                                .span = launch_span_from(parser, field.begin)});
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  launch->arguments = arguments.items;
  launch->argument_count = arguments.count;
  return true;
}

// NAME:TYPE[COUNT]=INIT
static bool parse_allocation(LaunchParser *parser) {
  LaunchField field = {.begin = parser->token.begin};
  const LaunchView *view = NULL;
  if (!launch_expect_name(parser, "a buffer's name", &field.name) ||
      !launch_expect_token(parser, LAUNCH_TOKEN_COLON) || !parse_type(parser, &field.type) ||
      !launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_OPEN) ||
      !launch_parse_buffer(parser, &field, field.name, &view))
    return false;
  return !view || launch_error(parser, launch_span_from(parser, field.begin),
                               "expected a buffer, found a tensor map or a texture of one");
}

bool launch_parse_allocations(LaunchParser *parser) {
  do {
    if (!parse_allocation(parser))
      return false;
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  return parser->token.kind == LAUNCH_TOKEN_END ||
         launch_expected(parser, "',' or the end of the line");
}
