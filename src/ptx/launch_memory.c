// Buffers: NAME:TYPE[COUNT]=INIT, and how an argument sees one: by its address, as a tensor map or
// as a texture.
#include "ptx/launch_parser.h"

#include <string.h>

static bool report_memory(LaunchParser *parser, Span span) {
  return launch_error(parser, span, "expected at most %llu bytes in all buffers, found more",
                      (unsigned long long)parser->limit_bytes);
}

// `COUNT]`, or `SIZE,SIZE]` of a tensor; the buffer must fit the limit.
static bool parse_count(LaunchParser *parser, LaunchBuffer *buffer, LaunchView *view) {
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
    view->size[rank++] = (uint32_t)count;
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  buffer->byte_count = buffer->element_count * size;
  view->rank = rank;
  return launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_CLOSE);
}

static uint32_t take_texture_word(LaunchParser *parser, bool *is_surface) {
  static const char *const words[] = {"tex1d", "tex2d", "tex3d", "surf1d", "surf2d", "surf3d"};
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
    if (launch_take_word(parser, words[i])) {
      *is_surface = i >= 3;
      return i % 3 + 1;
    }
  return 0;
}

// Behind `TYPE[SIZE,SIZE]:`: `tex2d` of a texture, of which the first size may be the channels.
static bool parse_texture(LaunchParser *parser, LaunchView *view) {
  uint32_t rank = take_texture_word(parser, &view->is_surface);
  bool has_channels = rank + 1 == view->rank;
  if (!rank)
    return launch_expected(parser,
                           "'[BOX]' or im2col of a tensor map, tex1d to tex3d or surf1d to surf3d");
  view->channels = has_channels ? view->size[0] : 1;
  if (view->rank != rank && !has_channels)
    return launch_error(parser, launch_token_span(parser),
                        "expected %u sizes of the texture, and before them its channels, found %u",
                        rank, view->rank);
  if (view->channels == 3 || view->channels > 4)
    return launch_error(parser, launch_token_span(parser),
                        "expected 1, 2 or 4 channels of a texture, found %u", view->channels);
  for (uint32_t i = 0; i < rank && has_channels; i++)
    view->size[i] = view->size[i + 1];
  view->texture_rank = rank;
  view->rank = 0;
  return true;
}

// `:[LOWER,LOWER]`: a corner of the box that pixels are taken from.
static bool parse_corner(LaunchParser *parser, uint32_t count, int32_t *corner) {
  static const int64_t limits[] = {32768, 128, 16}; // of one, two and three dimensions
  if (!launch_expect_token(parser, LAUNCH_TOKEN_COLON) ||
      !launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_OPEN))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    int64_t limit = limits[count - 1], offset;
    if (i && !launch_expect_token(parser, LAUNCH_TOKEN_COMMA))
      return false;
    Span span = launch_token_span(parser);
    if (!launch_read_integer(parser, &offset))
      return false;
    if (offset < -limit || offset >= limit)
      return launch_error(parser, span, "expected an offset from %lld to %lld, found %lld",
                          -(long long)limit, (long long)limit - 1, (long long)offset);
    corner[i] = (int32_t)offset;
  }
  return launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_CLOSE);
}

// Behind `[BOX,BOX]`: `:swizzle128`; a row of the box must fit the pattern.
static bool parse_swizzle(LaunchParser *parser, LaunchView *view, uint32_t element_bytes) {
  if (!launch_take_token(parser, LAUNCH_TOKEN_COLON))
    return true;
  Span span = launch_token_span(parser);
  view->swizzle = launch_take_word(parser, "swizzle32")    ? 32
                  : launch_take_word(parser, "swizzle64")  ? 64
                  : launch_take_word(parser, "swizzle128") ? 128
                                                           : 0;
  if (!view->swizzle)
    return launch_expected(parser, "swizzle32, swizzle64 or swizzle128");
  uint32_t row_bytes = view->box[0] * element_bytes;
  if (row_bytes > view->swizzle || row_bytes % 16)
    return launch_error(parser, span,
                        "expected rows of the box of at most %u bytes, a multiple of 16, found %u",
                        view->swizzle, row_bytes);
  return true;
}

static bool parse_box(LaunchParser *parser, LaunchView *view, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t size;
    if ((i && !launch_expect_token(parser, LAUNCH_TOKEN_COMMA)) ||
        !launch_read_count(parser, "a size of the box", 1, LAUNCH_MAX_BOX, &size))
      return false;
    view->box[i] = (uint32_t)size;
  }
  return launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_CLOSE);
}

// Behind `im2col`: `[CHANNELS,PIXELS]:[LOWER,...]:[UPPER,...]`
static bool parse_columns(LaunchParser *parser, LaunchView *view, uint32_t element_bytes) {
  Span span = launch_token_span(parser);
  if (view->rank < 3)
    return launch_error(parser, span, "expected 3 to 5 dimensions of a tensor for im2col, found %u",
                        view->rank);
  view->is_im2col = true;
  return launch_expect_token(parser, LAUNCH_TOKEN_BRACKET_OPEN) && parse_box(parser, view, 2) &&
         parse_corner(parser, view->rank - 2, view->lower) &&
         parse_corner(parser, view->rank - 2, view->upper) &&
         parse_swizzle(parser, view, element_bytes);
}

// Behind `TYPE[COUNT]`: `:[BOX,BOX]` or `:im2col[...]` of a tensor map, `:tex2d` of a texture;
// without them it is seen by its address.
static bool parse_view(LaunchParser *parser, LaunchView *view, uint32_t element_bytes) {
  uint32_t rank = view->rank;
  if (parser->token.kind != LAUNCH_TOKEN_COLON) {
    view->rank = 0;
    return rank == 1 || launch_expected(parser, "':[BOX,BOX]' of a tensor or ':tex2d'");
  }
  launch_next_token(parser);
  if (launch_take_word(parser, "im2col"))
    return parse_columns(parser, view, element_bytes);
  if (!launch_take_token(parser, LAUNCH_TOKEN_BRACKET_OPEN))
    return parse_texture(parser, view);
  return parse_box(parser, view, rank) && parse_swizzle(parser, view, element_bytes);
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

static bool same_reference(const LaunchReference *a, const LaunchReference *b) {
  return a->at == b->at && a->buffer == b->buffer && a->offset == b->offset;
}

static bool same_bytes(const LaunchBuffer *a, const LaunchBuffer *b) {
  uint8_t first[4096], second[sizeof first];
  for (uint64_t at = 0; at < a->byte_count; at += sizeof first) {
    uint64_t left = a->byte_count - at, count = left < sizeof first ? left : sizeof first;
    launch_read_contents(a, at, count, first);
    launch_read_contents(b, at, count, second);
    if (memcmp(first, second, (size_t)count) != 0)
      return false;
  }
  return true;
}

static bool same_contents(const LaunchBuffer *a, const LaunchBuffer *b) {
  if (a->undefined_count != b->undefined_count || a->reference_count != b->reference_count ||
      !same_bytes(a, b))
    return false;
  for (uint32_t i = 0; i < a->reference_count; i++)
    if (!same_reference(&a->references[i], &b->references[i]))
      return false;
  for (uint32_t i = 0; i < a->undefined_count; i++)
    if (a->undefined[i].begin != b->undefined[i].begin ||
        a->undefined[i].end != b->undefined[i].end)
      return false;
  return true;
}

static uint64_t count_references(const LaunchContents *contents) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < contents->piece_count; i++)
    if (contents->pieces[i].kind == LAUNCH_PIECE_ADDRESS)
      count += contents->pieces[i].count;
  return count;
}

// Each way to write contents counts against the limit, so that many of them cost no more time than
// one large buffer. So do the references in them.
static bool count_contents(LaunchParser *parser, const LaunchBuffer *buffer,
                           const LaunchContents *contents) {
  uint64_t count = buffer->byte_count + count_references(contents) * sizeof(LaunchReference);
  if (count > parser->limit_bytes - parser->contents_bytes)
    return report_memory(parser, buffer->span);
  parser->contents_bytes += count;
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
  if (!count_contents(parser, again, contents))
    return false;
  ArenaMark mark = arena_mark(parser->arena);
  launch_fill_buffer(parser->arena, contents, again);
  bool is_same = same_contents(first, again);
  arena_reset(parser->arena, mark);
  return is_same || report_conflict(parser, first, again, "contents");
}

static bool add_buffer(LaunchParser *parser, LaunchBuffer *buffer, const LaunchContents *contents) {
  uint32_t first = launch_lookup_buffer(parser, buffer->name);
  if (first != PTX_NONE)
    return compare_buffers(parser, &parser->buffers.items[first], buffer, contents);
  if (!count_contents(parser, buffer, contents))
    return false;
  launch_fill_buffer(parser->arena, contents, buffer);
  names_intern(&parser->buffer_names, buffer->name, strlen(buffer->name));
  array_push(parser->arena, &parser->buffers, *buffer);
  return true;
}

bool launch_parse_buffer(LaunchParser *parser, const LaunchField *field, const char *name,
                         const LaunchView **view) {
  LaunchBuffer buffer = {.name = name, .type = field->type};
  LaunchView seen = {.type = field->type};
  LaunchContents contents = {0};
  if (!parse_count(parser, &buffer, &seen) ||
      !parse_view(parser, &seen, launch_type_bytes(buffer.type)) ||
      !launch_expect_token(parser, LAUNCH_TOKEN_ASSIGN))
    return false;
  uint32_t contents_begin = parser->token.begin;
  if (!launch_parse_contents(parser, buffer.type, buffer.element_count, &contents))
    return false;
  buffer.contents_span = launch_span_from(parser, contents_begin);
  buffer.span = launch_span_from(parser, field->begin);
  *view = NULL;
  if (seen.rank || seen.texture_rank) {
    LaunchView *copy = ARENA_NEW(parser->arena, LaunchView);
    *copy = seen;
    *view = copy;
  }
  return add_buffer(parser, &buffer, &contents);
}
