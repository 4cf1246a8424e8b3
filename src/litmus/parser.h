// What the parts of the litmus reader share: the tokens, the test under construction and the ways
// to report what is wrong with it. Private to src/litmus.
#ifndef WARPSAN_LITMUS_PARSER_H
#define WARPSAN_LITMUS_PARSER_H

#include "litmus/litmus.h"

// Limits that keep hostile input from exhausting memory, time or the stack.
enum {
  LITMUS_MAX_THREADS = 1024,
  LITMUS_MAX_THREAD_INSTRUCTIONS = 8192,
  LITMUS_MAX_INSTRUCTIONS = 65536,
  LITMUS_MAX_REGISTERS = 1024, // of one thread
  LITMUS_MAX_OBJECTS = 16384,
  LITMUS_MAX_ELEMENTS = 64, // of an array of the C dialect
  LITMUS_MAX_COLUMNS = 4096,
  LITMUS_MAX_ATOMS = 16384,
  LITMUS_MAX_NESTING = 200,
  LITMUS_MAX_ERRORS = 20,
};

typedef enum LitmusTokenKind {
  LITMUS_TOKEN_END,
  LITMUS_TOKEN_WORD, // letters, digits, _, and dots inside: "P0", "ld.acquire.gpu"
  LITMUS_TOKEN_NUMBER,
  LITMUS_TOKEN_BAD, // a character that no token begins with
  LITMUS_TOKEN_AND, // from here on: the punctuation table of lexer.c
  LITMUS_TOKEN_OR,
  LITMUS_TOKEN_EQ, // "=="
  LITMUS_TOKEN_NE,
  LITMUS_TOKEN_LE,
  LITMUS_TOKEN_GE,
  LITMUS_TOKEN_BLOCK_OPEN,  // "<<"
  LITMUS_TOKEN_BLOCK_CLOSE, // ">>"
  LITMUS_TOKEN_ASSIGN,      // "="
  LITMUS_TOKEN_LT,
  LITMUS_TOKEN_GT,
  LITMUS_TOKEN_BRACE_OPEN,
  LITMUS_TOKEN_BRACE_CLOSE,
  LITMUS_TOKEN_PAREN_OPEN,
  LITMUS_TOKEN_PAREN_CLOSE,
  LITMUS_TOKEN_BRACKET_OPEN,
  LITMUS_TOKEN_BRACKET_CLOSE,
  LITMUS_TOKEN_SEMICOLON,
  LITMUS_TOKEN_BAR,
  LITMUS_TOKEN_COMMA,
  LITMUS_TOKEN_COLON,
  LITMUS_TOKEN_AT,
  LITMUS_TOKEN_NOT, // "~"
  LITMUS_TOKEN_AMPERSAND,
  LITMUS_TOKEN_DOLLAR,
  LITMUS_TOKEN_MINUS,
} LitmusTokenKind;

typedef struct LitmusToken {
  LitmusTokenKind kind;
  uint32_t begin, end;
  int64_t number; // of LITMUS_TOKEN_NUMBER
} LitmusToken;

// How an object got its value and its place; resolved when the whole test is known.
typedef struct LitmusObject {
  const char *name;
  Span span; // of the declaration, or of the first use
  int64_t initial;
  uint32_t value_of; // `z=x`: takes the initial value of that object; UINT32_MAX: none
  uint32_t alias_of; // `a @ generic aliases x`; UINT32_MAX: none
  Proxy proxy;
  uint32_t element_count; // C: of an array that is declared with its first element; 0: none
  bool is_declared;
} LitmusObject;

typedef struct LitmusLabel {
  Name name;
  uint32_t instruction;
  Span span;
} LitmusLabel;

// A jump whose label may still come.
typedef struct LitmusJump {
  Name label;
  uint32_t instruction;
  Span span;
} LitmusJump;

// `after P0` in a placement.
typedef struct LitmusAfter {
  uint32_t thread;
  Span span;
} LitmusAfter;

typedef struct LitmusThread {
  Span span; // of the column's heading, or of the first mention
  bool has_column;
  bool has_cluster; // stated, not yet made up
  Placement place;
  uint32_t warp;
  ARRAY(Instruction) instructions;
  ARRAY(Register) registers;
  ARRAY(LitmusLabel) labels;
  ARRAY(LitmusJump) jumps;
  ARRAY(LitmusAfter) afters;
} LitmusThread;

typedef struct LitmusParser {
  const Source *source;
  Arena *arena;
  DiagList *diags;
  LitmusDialect dialect;
  bool is_opencl; // the C dialect, with OpenCL's default scope
  bool is_placed;
  bool names_are_closed; // all have been mentioned: another one is mistyped
  uint32_t error_count;
  uint32_t next;          // offset behind `token`
  uint32_t previous_end;  // end of the token before `token`
  uint32_t comments_seen; // comments before this offset gave their expectations already
  LitmusToken token;
  NameTable names; // of locations and labels
  ARRAY(LitmusObject) objects;
  ARRAY(uint32_t) object_of_name; // indexed by Name; 0: none, else object + 1
  ARRAY(LitmusThread) threads;
  uint32_t column_count; // threads that have a column: the first ones
  uint32_t instruction_count;
  ARRAY(const char *) expectations;
  ARRAY(Proposition) nodes;
  ARRAY(Column) columns;
  Condition condition;
  const char *name;
} LitmusParser;

// Reporting. All return false. After LITMUS_MAX_ERRORS errors the rest of the text is skipped.
bool litmus_error(LitmusParser *parser, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// "expected `what`, found 'token'" at the current token.
bool litmus_expected(LitmusParser *parser, const char *what);

// Tokens (lexer.c) and how the parts read them (cursor.c). `parser->token` is the current one.
void litmus_next_token(LitmusParser *parser);
LitmusTokenKind litmus_peek_token(const LitmusParser *parser);      // the kind of the one after
bool litmus_take_token(LitmusParser *parser, LitmusTokenKind kind); // false: not there, no error
bool litmus_expect_token(LitmusParser *parser, LitmusTokenKind kind);
bool litmus_at_word(const LitmusParser *parser, const char *word); // exact
bool litmus_take_word(LitmusParser *parser, const char *word);
const char *litmus_copy_word(const LitmusParser *parser);  // the current token's text
const char *litmus_token_spelling(LitmusTokenKind kind);   // of punctuation
const char *litmus_token_text(const LitmusParser *parser); // for messages: quoted, shortened
Span litmus_token_span(const LitmusParser *parser);
Span litmus_span_from(const LitmusParser *parser, uint32_t begin); // up to the last taken token
// Skips the words behind the name of the test, up to the current token '{'.
bool litmus_skip_header(LitmusParser *parser);
// Skips to the first of the kinds, which stays the current token.
void litmus_skip_to(LitmusParser *parser, LitmusTokenKind first, LitmusTokenKind second);
// `[-] NUMBER`
bool litmus_parse_constant(LitmusParser *parser, int64_t *value);
// A number from 0 to UINT32_MAX - 1; `what` names it in the message.
bool litmus_parse_index(LitmusParser *parser, const char *what, uint32_t *value);

// Locations, registers, threads (symbols.c). The parse functions start at the current token.
// `x`, `x[2]`: creates the object at its first use. In brackets for X86: see x86_row.c.
bool litmus_parse_location(LitmusParser *parser, uint32_t *object);
bool litmus_parse_thread(LitmusParser *parser, uint32_t *thread); // `P1`
bool litmus_parse_register(LitmusParser *parser, uint32_t thread, uint32_t *index);
bool litmus_at_register(const LitmusParser *parser); // is the current word spelled like one?
bool litmus_at_thread(const LitmusParser *parser);   // `P1:` or `1:`
bool litmus_at_numbered_word(const LitmusParser *parser, char prefix); // "P1" for 'P'
// `P1:r0`, `1:r0`
bool litmus_parse_thread_register(LitmusParser *parser, uint32_t *thread, uint32_t *index);
// The register of that name, created at its first use; UINT32_MAX after an error.
uint32_t litmus_get_register(LitmusParser *parser, uint32_t thread, const char *name, Span span);
int64_t litmus_object_address(uint32_t object);
// The location of that name, created at its first use; false: there are too many (reported).
bool litmus_get_object(LitmusParser *parser, const char *name, Span span, uint32_t *object);

// The parts of a test, in the order of the text. Each reports its errors and goes on where it can.
void litmus_parse_init(LitmusParser *parser);             // init.c: `{ ... }`
bool litmus_at_c_declaration(const LitmusParser *parser); // c_init.c: `atomic_int x = 1`
bool litmus_parse_c_declaration(LitmusParser *parser);
void litmus_parse_table(LitmusParser *parser);     // table.c: columns of instructions
void litmus_parse_functions(LitmusParser *parser); // c_function.c: the threads of the C dialect
void litmus_parse_question(LitmusParser *parser);  // question.c: locations, filter, condition

// Building a thread (table.c).
Instruction litmus_new_instruction(IrOp op, Span span);
// Appends; returns the index.
uint32_t litmus_emit(LitmusParser *parser, uint32_t thread, Instruction instruction);
// The current word is the label that the instruction emitted next will jump to.
bool litmus_parse_jump_label(LitmusParser *parser, uint32_t thread);

// One cell's instruction, without label (ptx_row.c, x86_row.c). On error the cell's rest stays.
bool litmus_parse_ptx_instruction(LitmusParser *parser, uint32_t thread);
bool litmus_parse_x86_instruction(LitmusParser *parser, uint32_t thread);
// What follows `P0` in the heading of a PTX column (placement.c).
bool litmus_parse_placement(LitmusParser *parser, uint32_t thread);
// requires: all headings read. leaves: every thread has a cluster.
void litmus_place_threads(LitmusParser *parser);

// requires: the whole text was read without an error. leaves: a checked program, or errors.
void litmus_build_program(LitmusParser *parser, Program *program); // program.c
void litmus_build_groups(LitmusParser *parser, Program *program);  // groups.c

#endif
