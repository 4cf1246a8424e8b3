// What a buffer holds at first: a number, iota, {lists}, random:SEED, undef, file:PATH.
#include "ptx/launch_parser.h"

#include "base/bytes.h"
#include "base/pages.h"

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

// Of a value that f32 has, and that is 0 or no subnormal: any conversion gives that.
static uint64_t single_bits(double exact) {
  float value = (float)exact;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t floating_step_bits(PtxType type, int64_t integer) {
  enum { MOST_EXACT = 1 << 24 };
  if (type == PTX_TYPE_f32 && -MOST_EXACT <= integer && integer <= MOST_EXACT)
    return single_bits((double)integer);
  return launch_encode_integer(type, integer);
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

// Elements are made a few at a time, so that each step is a short loop.
enum { BATCH = 256 };

static void make_steps(PtxType type, uint64_t first, uint64_t step, uint32_t count,
                       uint64_t *bits) {
  for (uint32_t i = 0; i < count; i++)
    bits[i] = first + i * step;
  if (launch_type_is_floating(type))
    for (uint32_t i = 0; i < count; i++)
      bits[i] = floating_step_bits(type, (int64_t)bits[i]);
}

// Multiples of 2^-digits from 0 up to below 1, of the high bits of numbers.
static void make_units(PtxType type, uint32_t count, uint64_t *bits) {
  uint32_t digits = significand_digits(type);
  double unit = 1 / (double)((uint64_t)1 << digits);
  for (uint32_t i = 0; i < count; i++) {
    double value = (double)(int64_t)(bits[i] >> (64 - digits)) * unit;
    bits[i] = type == PTX_TYPE_f32 ? single_bits(value) : launch_encode_floating(type, value);
  }
}

// Integers get the low bits.
static void make_random(PtxType type, uint64_t seed, uint64_t first, uint32_t count,
                        uint64_t *bits) {
  for (uint32_t i = 0; i < count; i++)
    bits[i] = random_number(seed, first + i);
  if (launch_type_is_floating(type))
    make_units(type, count, bits);
}

static void make_elements(PtxType type, const LaunchPiece *piece, uint64_t first, uint32_t count,
                          uint64_t *bits) {
  uint64_t step = (uint64_t)piece->step;
  if (piece->kind == LAUNCH_PIECE_STEP)
    make_steps(type, (uint64_t)piece->first + first * step, step, count, bits);
  else
    make_random(type, piece->bits, first, count, bits);
}

// `size` is constant in each call, which makes one store of the bytes.
static inline void put_elements(uint8_t *bytes, const uint64_t *bits, uint32_t count,
                                uint32_t size) {
  for (uint32_t i = 0; i < count; i++)
    bytes_put(bytes + i * size, bits[i], size);
}

static void put_batch(uint8_t *bytes, const uint64_t *bits, uint32_t count, uint32_t size) {
  switch (size) {
  case 1:
    put_elements(bytes, bits, count, 1);
    break;
  case 2:
    put_elements(bytes, bits, count, 2);
    break;
  case 4:
    put_elements(bytes, bits, count, 4);
    break;
  default:
    put_elements(bytes, bits, count, 8);
  }
}

static void fill_computed(PtxType type, const LaunchPiece *piece, uint8_t *bytes) {
  uint32_t size = launch_type_bytes(type);
  uint64_t bits[BATCH];
  for (uint64_t i = 0; i < piece->count; i += BATCH) {
    uint32_t count = piece->count - i < BATCH ? (uint32_t)(piece->count - i) : BATCH;
    make_elements(type, piece, i, count, bits);
    put_batch(bytes + i * size, bits, count, size);
  }
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
  if (!buffer->is_zero)
    pages_prefer_large(bytes, buffer->byte_count);
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
