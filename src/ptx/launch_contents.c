// What a buffer holds at first: a number, iota, {lists}, random:SEED, undef, file:PATH.
#include "ptx/launch_parser.h"

#include "base/bytes.h"

#include <string.h>

typedef ARRAY(LaunchPiece) PieceList;

static const char *number_text(LaunchParser *parser, const LaunchNumber *number) {
  return arena_copy_text(parser->arena, parser->source->text + number->span.begin,
                         number->span.end - number->span.begin);
}

static bool encode(LaunchParser *parser, PtxType type, const LaunchNumber *number, uint64_t *bits) {
  if (launch_encode_number(type, number, bits))
    return true;
  if (number->is_floating && !launch_type_is_floating(type))
    return launch_error(parser, number->span, "expected an integer for type %s, found '%s'",
                        ptx_type_name(type), number_text(parser, number));
  return launch_error(parser, number->span, "expected a number that fits %s, found '%s'",
                      ptx_type_name(type), number_text(parser, number));
}

static bool as_integer(LaunchParser *parser, const LaunchNumber *number, int64_t *integer) {
  uint64_t bits = 0;
  if (number->is_floating || !launch_encode_number(PTX_TYPE_s64, number, &bits))
    return launch_error(parser, number->span,
                        "expected a signed integer of 64 bits in a range, found '%s'",
                        number_text(parser, number));
  *integer = (int64_t)bits;
  return true;
}

// Behind `A..`, which `first` is. `left` elements are still to come.
static bool parse_range(LaunchParser *parser, PtxType type, const LaunchNumber *first,
                        uint64_t left, LaunchPiece *piece) {
  LaunchNumber last;
  int64_t end = 0;
  uint64_t bits;
  if (!launch_read_signed_number(parser, &last) || !as_integer(parser, first, &piece->first) ||
      !as_integer(parser, &last, &end) || !encode(parser, type, first, &bits) ||
      !encode(parser, type, &last, &bits))
    return false;
  piece->kind = LAUNCH_PIECE_STEP;
  piece->step = piece->first <= end ? 1 : -1;
  uint64_t distance = (uint64_t)end - (uint64_t)piece->first;
  if (piece->step < 0)
    distance = -distance;
  piece->count = distance < left ? distance + 1 : left + 1; // one too many is enough to see it
  return true;
}

// `* N`, if it stands here.
static bool parse_repeat(LaunchParser *parser, LaunchPiece *piece) {
  return !launch_take_token(parser, LAUNCH_TOKEN_STAR) ||
         launch_read_count(parser, "a number of repeats", 1, UINT32_MAX, &piece->count);
}

// The same address for all elements of the piece.
static bool parse_address(LaunchParser *parser, PtxType type, LaunchPiece *piece) {
  if (type != PTX_TYPE_u64 && type != PTX_TYPE_b64)
    return launch_error(parser, launch_token_span(parser),
                        "expected type u64 or b64 for an address, found %s", ptx_type_name(type));
  piece->kind = LAUNCH_PIECE_ADDRESS;
  return launch_parse_address(parser, &piece->reference);
}

static bool parse_list_item(LaunchParser *parser, PtxType type, uint64_t left, LaunchPiece *piece) {
  LaunchNumber number;
  *piece = (LaunchPiece){.kind = LAUNCH_PIECE_UNDEFINED, .count = 1};
  if (launch_take_word(parser, "undef"))
    return parse_repeat(parser, piece);
  if (parser->token.kind == LAUNCH_TOKEN_BIT_AND)
    return parse_address(parser, type, piece) && parse_repeat(parser, piece);
  if (!launch_read_signed_number(parser, &number))
    return false;
  if (launch_take_token(parser, LAUNCH_TOKEN_TO))
    return parse_range(parser, type, &number, left, piece);
  piece->kind = LAUNCH_PIECE_REPEAT;
  return encode(parser, type, &number, &piece->bits) && parse_repeat(parser, piece);
}

static bool report_list_length(LaunchParser *parser, uint32_t begin, uint64_t element_count,
                               const char *found) {
  return launch_error(parser, launch_span_from(parser, begin),
                      "expected a list of %llu element%s, found %s",
                      (unsigned long long)element_count, element_count == 1 ? "" : "s", found);
}

static bool parse_list(LaunchParser *parser, PtxType type, uint64_t element_count,
                       PieceList *pieces) {
  uint32_t begin = parser->token.begin;
  uint64_t count = 0;
  LaunchPiece piece;
  launch_next_token(parser); // {
  do {
    if (!parse_list_item(parser, type, element_count - count, &piece))
      return false;
    if (piece.count > element_count - count)
      return report_list_length(parser, begin, element_count, "more");
    array_push(parser->arena, pieces, piece);
    count += piece.count;
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  if (parser->token.kind != LAUNCH_TOKEN_BRACE_CLOSE)
    return launch_expected(parser, "',' or '}' in the list");
  launch_next_token(parser);
  if (count == element_count)
    return true;
  return report_list_length(parser, begin, element_count,
                            arena_format(parser->arena, "%llu", (unsigned long long)count));
}

static bool parse_seed(LaunchParser *parser, LaunchPiece *piece) {
  piece->kind = LAUNCH_PIECE_RANDOM;
  return launch_expect_token(parser, LAUNCH_TOKEN_COLON) &&
         launch_read_count(parser, "a seed", 0, UINT64_MAX, &piece->bits);
}

static bool parse_value(LaunchParser *parser, PtxType type, LaunchPiece *piece) {
  LaunchNumber number;
  LaunchTokenKind kind = parser->token.kind;
  if (kind != LAUNCH_TOKEN_NUMBER && kind != LAUNCH_TOKEN_MINUS && kind != LAUNCH_TOKEN_PLUS &&
      !launch_at_word(parser, "inf") && !launch_at_word(parser, "nan"))
    return launch_expected(parser, "initial contents (a number, iota, {list}, &BUFFER, "
                                   "random:SEED, undef or file:PATH)");
  piece->kind = LAUNCH_PIECE_REPEAT;
  return launch_read_signed_number(parser, &number) && encode(parser, type, &number, &piece->bits);
}

static bool parse_piece(LaunchParser *parser, PtxType type, LaunchPiece *piece) {
  if (launch_take_word(parser, "undef")) {
    piece->kind = LAUNCH_PIECE_UNDEFINED;
    return true;
  }
  if (launch_take_word(parser, "iota")) {
    piece->kind = LAUNCH_PIECE_STEP;
    piece->step = 1;
    return true;
  }
  if (parser->token.kind == LAUNCH_TOKEN_BIT_AND)
    return parse_address(parser, type, piece);
  if (launch_take_word(parser, "random"))
    return parse_seed(parser, piece);
  if (launch_take_word(parser, "file")) {
    piece->kind = LAUNCH_PIECE_BYTES;
    return launch_parse_file(parser, type, piece->count, &piece->bytes);
  }
  return parse_value(parser, type, piece);
}

bool launch_parse_contents(LaunchParser *parser, PtxType type, uint64_t element_count,
                           LaunchContents *contents) {
  PieceList pieces = {0};
  if (parser->token.kind == LAUNCH_TOKEN_BRACE_OPEN) {
    if (!parse_list(parser, type, element_count, &pieces))
      return false;
  } else {
    LaunchPiece piece = {.count = element_count};
    if (!parse_piece(parser, type, &piece))
      return false;
    array_push(parser->arena, &pieces, piece);
  }
  *contents = (LaunchContents){pieces.items, pieces.count};
  return true;
}

// Element `i` of the sequence is number i + 1 of SplitMix64 (Steele, Lea and Flood, 2014).
static uint64_t random_number(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// `size` is a constant in each call, so that the bytes of an element are one store.
static inline void fill_integers(const LaunchPiece *piece, uint32_t size, uint8_t *bytes) {
  uint64_t first = (uint64_t)piece->first, step = (uint64_t)piece->step;
  uint64_t seed = piece->bits, count = piece->count;
  if (piece->kind == LAUNCH_PIECE_STEP)
    for (uint64_t i = 0; i < count; i++)
      bytes_put(bytes + i * size, first + i * step, size);
  else
    for (uint64_t i = 0; i < count; i++)
      bytes_put(bytes + i * size, random_number(seed, i), size);
}

static void fill_any_integers(const LaunchPiece *piece, uint32_t size, uint8_t *bytes) {
  switch (size) {
  case 1:
    fill_integers(piece, 1, bytes);
    break;
  case 2:
    fill_integers(piece, 2, bytes);
    break;
  case 4:
    fill_integers(piece, 4, bytes);
    break;
  default:
    fill_integers(piece, 8, bytes);
  }
}

// Multiples of 2^-digits from 0 up to below 1.
static double random_unit(uint64_t seed, uint64_t i, uint32_t digits) {
  double unit = 1 / (double)((uint64_t)1 << digits);
  return (double)(int64_t)(random_number(seed, i) >> (64 - digits)) * unit;
}

static uint32_t significand_digits(PtxType type) {
  switch (type) {
  case PTX_TYPE_f16:
    return 11;
  case PTX_TYPE_bf16:
    return 8;
  case PTX_TYPE_f64:
    return 53;
  default:
    return 24;
  }
}

static void fill_any_floating(PtxType type, const LaunchPiece *piece, uint8_t *bytes) {
  uint32_t size = launch_type_bytes(type), digits = significand_digits(type);
  for (uint64_t i = 0; i < piece->count; i++) {
    uint64_t integer = (uint64_t)piece->first + i * (uint64_t)piece->step;
    uint64_t bits = piece->kind == LAUNCH_PIECE_STEP
                        ? launch_encode_integer(type, (int64_t)integer)
                        : launch_encode_floating(type, random_unit(piece->bits, i, digits));
    bytes_put(bytes + i * size, bits, size);
  }
}

// Of a value that f32 has, and that is 0 or no subnormal: any conversion gives that.
static void put_single(uint8_t *bytes, float exact) {
  uint32_t bits;
  memcpy(&bits, &exact, sizeof bits);
  bytes_put(bytes, bits, sizeof bits);
}

// Does f32 have all integers of the piece?
static bool is_exact(const LaunchPiece *piece) {
  const int64_t most = 1 << 24;
  if (piece->first < -most || piece->first > most || piece->count > (uint64_t)most)
    return false;
  int64_t last = piece->first + (int64_t)(piece->count - 1) * piece->step;
  return -most <= last && last <= most;
}

static void fill_singles(const LaunchPiece *piece, uint8_t *bytes) {
  uint64_t seed = piece->bits, count = piece->count;
  int32_t first = (int32_t)piece->first, step = (int32_t)piece->step;
  if (piece->kind == LAUNCH_PIECE_RANDOM)
    for (uint64_t i = 0; i < count; i++)
      put_single(bytes + 4 * i, (float)random_unit(seed, i, 24));
  else if (is_exact(piece))
    for (uint64_t i = 0; i < count; i++)
      put_single(bytes + 4 * i, (float)(first + (int32_t)i * step));
  else
    fill_any_floating(PTX_TYPE_f32, piece, bytes);
}

static void fill_computed(PtxType type, const LaunchPiece *piece, uint8_t *bytes) {
  if (type == PTX_TYPE_f32)
    fill_singles(piece, bytes);
  else if (launch_type_is_floating(type))
    fill_any_floating(type, piece, bytes);
  else
    fill_any_integers(piece, launch_type_bytes(type), bytes);
}

// What is there already is copied, so that it doubles, but not past what caches like.
static void repeat(uint8_t *bytes, uint64_t size, uint64_t total) {
  enum { MOST_BYTES = 1 << 12 };
  for (uint64_t done = size, count; done < total; done += count) {
    count = done < MOST_BYTES ? done : MOST_BYTES;
    count = count < total - done ? count : total - done;
    memcpy(bytes + done, bytes, count);
  }
}

// Zeros are there already: pages of a large buffer that nobody writes cost no memory.
static void fill_piece(PtxType type, const LaunchPiece *piece, uint8_t *bytes) {
  uint32_t size = launch_type_bytes(type);
  if (piece->kind == LAUNCH_PIECE_BYTES) {
    memcpy(bytes, piece->bytes, (size_t)(piece->count * size));
  } else if (piece->kind != LAUNCH_PIECE_REPEAT) {
    fill_computed(type, piece, bytes);
  } else if (piece->bits != 0) {
    bytes_put(bytes, piece->bits, size);
    repeat(bytes, size, piece->count * size);
  }
}

static bool is_zero(const LaunchContents *contents) {
  for (uint32_t i = 0; i < contents->piece_count; i++) {
    const LaunchPiece *piece = &contents->pieces[i];
    if (piece->kind != LAUNCH_PIECE_UNDEFINED && piece->kind != LAUNCH_PIECE_ADDRESS &&
        (piece->kind != LAUNCH_PIECE_REPEAT || piece->bits != 0))
      return false;
  }
  return true;
}

typedef ARRAY(LaunchRange) RangeList;

static void add_range(Arena *arena, RangeList *ranges, uint64_t begin, uint64_t end) {
  LaunchRange *last = ranges->count ? &ranges->items[ranges->count - 1] : NULL;
  if (last && last->end == begin)
    last->end = end;
  else
    array_push(arena, ranges, (LaunchRange){begin, end});
}

typedef ARRAY(LaunchReference) ReferenceList;

static void add_references(Arena *arena, ReferenceList *references, const LaunchPiece *piece,
                           uint64_t at) {
  LaunchReference reference = piece->reference;
  for (uint64_t i = 0; i < piece->count; i++) {
    reference.at = at + i * sizeof(uint64_t);
    array_push(arena, references, reference);
  }
}

void launch_fill_buffer(Arena *arena, const LaunchContents *contents, LaunchBuffer *buffer) {
  uint8_t *bytes = ARENA_ARRAY(arena, uint8_t, buffer->byte_count);
  RangeList undefined = {0};
  ReferenceList references = {0};
  uint64_t at = 0;
  buffer->is_zero = is_zero(contents);
  for (uint32_t i = 0; i < contents->piece_count; i++) {
    const LaunchPiece *piece = &contents->pieces[i];
    uint64_t end = at + piece->count * launch_type_bytes(buffer->type);
    if (piece->kind == LAUNCH_PIECE_UNDEFINED)
      add_range(arena, &undefined, at, end);
    else if (piece->kind == LAUNCH_PIECE_ADDRESS)
      add_references(arena, &references, piece, at);
    else
      fill_piece(buffer->type, piece, bytes + at);
    at = end;
  }
  buffer->bytes = bytes;
  buffer->undefined = undefined.items;
  buffer->undefined_count = undefined.count;
  buffer->references = references.items;
  buffer->reference_count = references.count;
}
