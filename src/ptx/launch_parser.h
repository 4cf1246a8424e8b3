// What the parts of the reader of launch lines share: tokens, numbers, the set under construction
// and the ways to report what is wrong with a line. Private to src/ptx.
#ifndef WARPSAN_PTX_LAUNCH_PARSER_H
#define WARPSAN_PTX_LAUNCH_PARSER_H

#include "ptx/launch.h"

typedef enum LaunchTokenKind {
  LAUNCH_TOKEN_END, // of the line
  LAUNCH_TOKEN_NAME,
  LAUNCH_TOKEN_NUMBER,     // what begins like a number; `launch_read_number` looks closer
  LAUNCH_TOKEN_STRING,     // with its quotes
  LAUNCH_TOKEN_BAD,        // a byte that no token begins with, or an open string
  LAUNCH_TOKEN_SHIFT_LEFT, // from here on: the punctuation table of launch_lexer.c
  LAUNCH_TOKEN_SHIFT_RIGHT,
  LAUNCH_TOKEN_LESS_EQUAL,
  LAUNCH_TOKEN_GREATER_EQUAL,
  LAUNCH_TOKEN_EQUAL,
  LAUNCH_TOKEN_NOT_EQUAL,
  LAUNCH_TOKEN_AND,
  LAUNCH_TOKEN_OR,
  LAUNCH_TOKEN_TO, // ".."
  LAUNCH_TOKEN_ASSIGN,
  LAUNCH_TOKEN_COMMA,
  LAUNCH_TOKEN_COLON,
  LAUNCH_TOKEN_BRACKET_OPEN,
  LAUNCH_TOKEN_BRACKET_CLOSE,
  LAUNCH_TOKEN_BRACE_OPEN,
  LAUNCH_TOKEN_BRACE_CLOSE,
  LAUNCH_TOKEN_PAREN_OPEN,
  LAUNCH_TOKEN_PAREN_CLOSE,
  LAUNCH_TOKEN_STAR,
  LAUNCH_TOKEN_SLASH,
  LAUNCH_TOKEN_PERCENT,
  LAUNCH_TOKEN_PLUS,
  LAUNCH_TOKEN_MINUS,
  LAUNCH_TOKEN_LESS,
  LAUNCH_TOKEN_GREATER,
  LAUNCH_TOKEN_BIT_AND,
  LAUNCH_TOKEN_BIT_XOR,
  LAUNCH_TOKEN_BIT_OR,
  LAUNCH_TOKEN_NOT,
  LAUNCH_TOKEN_TILDE,
  LAUNCH_TOKEN_QUESTION,
} LaunchTokenKind;

typedef struct LaunchToken {
  LaunchTokenKind kind;
  uint32_t begin, end;
} LaunchToken;

// `NAME=KIND` of a line `buffers:`.
typedef struct LaunchHome {
  uint32_t buffer;
  MemoryHome home;
  Span span;
} LaunchHome;

typedef struct LaunchParser {
  Arena *arena;
  DiagList *diags;
  const LaunchOptions *options;
  uint64_t limit_bytes;    // of all contents of buffers
  uint64_t contents_bytes; // how many have been asked for
  uint32_t error_count;

  const Source *source; // of the line that is being read
  uint32_t end;         // of that line
  LaunchToken token;

  ARRAY(Launch) launches;
  ARRAY(LaunchBuffer) buffers;
  NameTable buffer_names;    // buffer i is name i + 1
  NameTable reference_names; // of the buffers that references mean
  ARRAY(LaunchHome) homes;
  const Machine *machine; // of the options or of `machine:`; NULL: none
  ARRAY(Final) finals;
  uint64_t final_work; // nodes that their evaluation takes
  LaunchRelation relation;
  const char *expectation;
  LaunchVerdict verdict;
  Span relation_span, expectation_span;
} LaunchParser;

typedef enum LaunchLineKey {
  LAUNCH_LINE_LAUNCH,
  LAUNCH_LINE_FINAL,
  LAUNCH_LINE_RELATION,
  LAUNCH_LINE_EXPECT,
  LAUNCH_LINE_BUFFERS,
  LAUNCH_LINE_MACHINE,
  LAUNCH_LINE_ALLOCATE,
  LAUNCH_LINE_ACCEPT, // from here on: of LaunchVerdict
  LAUNCH_LINE_WHERE,
  LAUNCH_LINE_LEVEL,
  LAUNCH_LINE_OTHER,
} LaunchLineKey;

typedef struct LaunchLine {
  LaunchLineKey key;
  const Source *source;
  uint32_t begin, end; // of the text behind `KEY:`
} LaunchLine;

typedef ARRAY(LaunchLine) LaunchLineList;

// The launch lines of all inputs, in their order.
LaunchLineList launch_collect_lines(Arena *arena, const LaunchInput *inputs, uint32_t input_count);

// Makes the first token of bytes begin .. end - 1 of `source` the current one.
void launch_begin_line(LaunchParser *parser, const Source *source, uint32_t begin, uint32_t end);
void launch_next_token(LaunchParser *parser);
// Goes on behind offset `at`, for parts of a line that are not made of tokens.
void launch_skip_to(LaunchParser *parser, uint32_t at);

Span launch_token_span(const LaunchParser *parser);
// From offset `begin` to the end of the last token before the current one.
Span launch_span_from(const LaunchParser *parser, uint32_t begin);
const char *launch_token_text(const LaunchParser *parser); // in the arena

bool launch_at_word(const LaunchParser *parser, const char *word);
bool launch_take_word(LaunchParser *parser, const char *word);
bool launch_take_token(LaunchParser *parser, LaunchTokenKind kind);
bool launch_expect_token(LaunchParser *parser, LaunchTokenKind kind);
// A name, copied into the arena. `what`: "a kernel's name".
bool launch_expect_name(LaunchParser *parser, const char *what, const char **name);

// Both always return false.
bool launch_error(LaunchParser *parser, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool launch_expected(LaunchParser *parser, const char *what); // ... found the current token

// A number as written, without a sign.
typedef struct LaunchNumber {
  bool is_floating, is_hexadecimal, is_negative;
  uint64_t magnitude; // of an integer
  double floating;    // of a floating-point number, with its sign
  Span span;
} LaunchNumber;

// The current token as a number. The sign is the caller's.
bool launch_read_number(LaunchParser *parser, LaunchNumber *number);
// The same, with an optional sign; also inf and nan.
bool launch_read_signed_number(LaunchParser *parser, LaunchNumber *number);
// An integer from `first` to `last`. `what`: "a stream".
bool launch_read_count(LaunchParser *parser, const char *what, uint64_t first, uint64_t last,
                       uint64_t *count);
// An integer, with an optional sign, of 64 bits.
bool launch_read_integer(LaunchParser *parser, int64_t *integer);

// The number as an element of that type; false: it does not fit.
bool launch_encode_number(PtxType type, const LaunchNumber *number, uint64_t *bits);
uint64_t launch_encode_integer(PtxType type, int64_t integer); // wraps, or rounds
uint64_t launch_encode_floating(PtxType type, double floating);
LaunchValue launch_decode(PtxType type, uint64_t bits);

static inline bool launch_type_is_floating(PtxType type) {
  return ptx_type_kind(type) == PTX_NUMBER_F;
}
static inline uint32_t launch_type_bytes(PtxType type) {
  return ptx_type_bits(type) / 8;
}

// What a buffer holds at first, in pieces one behind the other.
typedef enum LaunchPieceKind {
  LAUNCH_PIECE_REPEAT,    // `bits`
  LAUNCH_PIECE_STEP,      // `first`, `first` + `step`, ...
  LAUNCH_PIECE_RANDOM,    // elements of the sequence with the seed `bits`
  LAUNCH_PIECE_UNDEFINED, // nothing
  LAUNCH_PIECE_BYTES,     // those at `bytes`
  LAUNCH_PIECE_ADDRESS,   // the same address: `reference`
} LaunchPieceKind;

struct LaunchPiece {
  LaunchPieceKind kind;
  uint64_t count; // of elements
  uint64_t bits;
  int64_t first, step;
  uint64_t begin; // the number of its first element in the sequence
  const uint8_t *bytes;
  LaunchReference reference; // `at` is not set
};

typedef struct LaunchContents {
  const LaunchPiece *pieces;
  uint32_t piece_count;
} LaunchContents;

// Until all lines have been read, a reference has the number of a name in place of a buffer, and
// counts elements.
LaunchReference launch_refer(LaunchParser *parser, const char *buffer, Span span);
// `&NAME` or `&NAME[ELEMENT]`.
bool launch_parse_address(LaunchParser *parser, LaunchReference *reference);
// Finds the buffers of all references. False: it has reported errors.
bool launch_resolve_references(LaunchParser *parser);

// INIT for `element_count` elements: the pieces have as many.
bool launch_parse_contents(LaunchParser *parser, PtxType type, uint64_t element_count,
                           LaunchContents *contents);
// Gives the buffer, whose type and size are known, its contents, undefined ranges and references.
// What is computed is a piece of `contents`.
void launch_fill_buffer(Arena *arena, const LaunchContents *contents, LaunchBuffer *buffer);

// Behind `file`: `:PATH`. Raw bytes or the data of a .npy file.
bool launch_parse_file(LaunchParser *parser, PtxType type, uint64_t element_count,
                       const uint8_t **bytes);

enum { LAUNCH_NPY_MAX_HEADER_BYTES = 10 + UINT16_MAX };

typedef struct LaunchFileFormat {
  PtxType type;
  uint64_t element_count;
} LaunchFileFormat;

// The data within a .npy file (format 1.0), which must be of that format. NULL: it is not, and
// `*error` says what was expected and found.
const uint8_t *launch_npy_data(Arena *arena, const uint8_t *bytes, uint64_t length,
                               const LaunchFileFormat *format, const char **error);
bool launch_is_npy(const uint8_t *bytes, uint64_t length);

// Index of the buffer of that name, or PTX_NONE.
uint32_t launch_lookup_buffer(const LaunchParser *parser, const char *name);

// What stands before a `[` of a buffer, or before a scalar.
typedef struct LaunchField {
  const char *name;
  PtxType type;
  uint32_t begin; // in the line
} LaunchField;

// Behind `NAME=BUFFER:TYPE[`. `*view` is NULL for an argument that is the buffer's address.
bool launch_parse_buffer(LaunchParser *parser, const LaunchField *field, const char *name,
                         const LaunchView **view);
// Behind `args=`: up to a token that cannot belong to the list.
bool launch_parse_arguments(LaunchParser *parser, Launch *launch);
// The whole of a line `allocate:`, of buffers that no parameter needs to name.
bool launch_parse_allocations(LaunchParser *parser);
// The whole of a line behind its key.
bool launch_parse_launch(LaunchParser *parser);
bool launch_parse_final(LaunchParser *parser);
bool launch_parse_buffers(LaunchParser *parser);
bool launch_parse_machine(LaunchParser *parser);
// A rule's id, "data-race"; NULL: there is none.
const char *launch_parse_rule(LaunchParser *parser, const char *what);
// The rest of a line of LaunchVerdict.
bool launch_parse_verdict(LaunchParser *parser, LaunchLineKey key);
// Decides where each buffer lives, and checks launches and buffers against the machine. False: it
// has reported errors.
bool launch_place_buffers(LaunchParser *parser);

#endif
