// What a buffer holds at first: a number, iota, {lists}, random:SEED, undef, file:PATH.
#include "ptx/launch_parser.h"

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
