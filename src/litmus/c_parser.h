// What the files of the C dialect share (c_*.c): tokens of C, the thread that is being read, and
// its translation to ir. Private to src/litmus.
//
// A test is read in one pass: expressions and statements emit instructions as they are parsed.
// Local variables are registers; a parameter is the address of the location of the same name.
#ifndef WARPSAN_LITMUS_C_PARSER_H
#define WARPSAN_LITMUS_C_PARSER_H

#include "litmus/parser.h"

typedef enum CTokenKind {
  C_TOKEN_END,
  C_TOKEN_WORD,
  C_TOKEN_NUMBER,
  C_TOKEN_BAD, // a character that no token begins with
#define C_PUNCTUATION(identifier, text) C_TOKEN_##identifier,
#include "litmus/c_tokens.def"
#undef C_PUNCTUATION
} CTokenKind;

typedef struct CToken {
  CTokenKind kind;
  uint32_t begin, end;
  int64_t number;
  bool is_unsigned, is_long; // of a number
} CToken;

// Of integers. Values are kept in 64 bits, extended by zeros or by the sign. Signed arithmetic is
// not reduced to the size of its type: where that would count, C defines nothing.
typedef struct CType {
  uint8_t size; // 1, 2, 4, 8
  bool is_signed, is_truth, is_volatile;
} CType;

typedef struct CVariable {
  const char *name;
  uint32_t index; // register
  uint32_t depth; // of the block that declares it
  bool is_visible;
  CType type;
} CVariable;

typedef struct CParameter {
  const char *name;
  uint32_t object;
  CType type;
} CParameter;

typedef ARRAY(uint32_t) CJumps; // instructions whose target is not known yet

typedef struct CCase {
  int64_t value;
  uint32_t begin; // instruction
  bool is_default;
} CCase;

// The innermost loop or switch: where `break` and `continue` lead.
typedef struct CLoop {
  struct CLoop *outer;
  CJumps breaks, continues;
  bool is_switch;
  CType type; // of what a switch looks at
  ARRAY(CCase) cases;
} CLoop;

// A label, or a jump to one.
typedef struct CLabel {
  const char *name;
  uint32_t instruction;
  Span span;
} CLabel;

typedef struct CParser {
  LitmusParser *litmus;
  uint32_t thread;
  CToken token;          // the current one
  uint32_t next;         // offset behind it
  uint32_t previous_end; // end of the token before it
  ARRAY(CVariable) variables;
  ARRAY(CParameter) parameters;
  CLoop *loop;
  ARRAY(CLabel) labels, gotos;
  uint32_t temporaries; // in use by the current statement
  uint32_t depth;       // of blocks
  uint32_t nesting;     // of everything that recurs
} CParser;

// --- c_lexer.c

void c_next_token(CParser *c);
void c_go_to(CParser *c, uint32_t offset); // reads the token there
bool c_take(CParser *c, CTokenKind kind);  // false: not there, no error
bool c_expect(CParser *c, CTokenKind kind);
bool c_at_word(const CParser *c, const char *word);
bool c_take_word(CParser *c, const char *word);
const char *c_copy_word(const CParser *c);
Span c_token_span(const CParser *c);
Span c_span_from(const CParser *c, uint32_t begin); // up to the last taken token
bool c_expected(CParser *c, const char *what);      // reports; false
bool c_nest(CParser *c);                            // one level deeper; false: too deep, reported

// --- c_emit.c: instructions

// What an expression stands for. A place can be read and assigned to.
typedef enum CValueKind {
  C_NOTHING,  // the result of a function without one
  C_NUMBER,   // `operand`
  C_VARIABLE, // a place: register `operand.index`
  C_MEMORY,   // a place: what is at the address
  C_ADDRESS,  // of memory, as a value
  C_POINTER,  // `&variable`: argument of a compare-and-exchange only
} CValueKind;

// An address is an object, or an element of an array by a number known only at run time.
typedef struct CAddress {
  uint32_t object;        // the element, or the first one
  uint32_t element_count; // 0: `index` is not used
  Operand index;
  CType type; // of what lies there
} CAddress;

typedef struct CValue {
  CValueKind kind;
  Operand operand;
  CAddress address;
  CType type;          // of a number, and of what a place holds
  uint32_t begin, end; // offsets in the text
} CValue;

Operand c_constant(int64_t number);
Operand c_register(uint32_t index);
uint32_t c_new_temporary(CParser *c);
uint32_t c_here(const CParser *c); // number of the next instruction
uint32_t c_emit(CParser *c, Instruction instruction);
void c_emit_move(CParser *c, uint32_t to, Operand value);
// A new temporary, or a constant where both operands are.
Operand c_emit_compute(CParser *c, IrOp op, Operand left, Operand right);
uint32_t c_emit_label(CParser *c); // a place to jump to
// Jumps if `left compare right` holds (IR_NOP: always); the target is to be set.
uint32_t c_emit_branch(CParser *c, IrOp compare, Operand left, Operand right);
void c_set_target(CParser *c, uint32_t branch, uint32_t target);
// Turns a label into a jump: taken if `value compare 0` holds (IR_NOP: always).
void c_make_branch(CParser *c, uint32_t label, IrOp compare, Operand value, uint32_t target);
// Do the instructions from `begin` on only compute temporaries?
bool c_is_pure_from(const CParser *c, uint32_t begin);
// A memory instruction at an address; `span` is what it is shown as. A sequentially consistent one
// has the fence of compiled code before it.
void c_emit_access(CParser *c, const CAddress *address, Instruction access, Span span);
// The value as an operand of computations; reads a place. False: reported.
bool c_read(CParser *c, const CValue *value, Operand *operand);
// The value has a type that has all values of the place's, or is converted.
bool c_assign(CParser *c, const CValue *place, Operand value, CType type);

// --- c_type.c

extern const CType c_int;

bool c_at_type(const CParser *c);
bool c_parse_type(CParser *c, CType *type); // without what follows: `*`, a name
// Is the word one that a declaration of the dialect begins with?
bool c_is_type_word(const char *word, size_t length);
CType c_promote(CType type);
// To which the usual arithmetic conversions lead.
CType c_common_type(CType a, CType b);
Operand c_wrap(CParser *c, Operand value, CType type);
Operand c_convert(CParser *c, Operand value, CType from, CType to);

// --- c_expression.c, c_call.c

bool c_parse_expression(CParser *c, CValue *value); // assignments included
bool c_parse_number(CParser *c, Operand *operand);  // an expression, read
// The same, converted to a type.
bool c_parse_converted(CParser *c, CType type, Operand *operand);
// The address of an element behind another one of its array.
bool c_add_index(CParser *c, CValue *address, Operand index);
// Behind the name of a function, at '('.
bool c_parse_call(CParser *c, const char *name, Span span, CValue *value);
CVariable *c_find_variable(CParser *c, const char *name);

// --- c_jump.c

bool c_parse_label(CParser *c); // at its name
bool c_parse_goto(CParser *c);  // behind the word, as the next ones
bool c_parse_switch(CParser *c);
bool c_parse_case(CParser *c, bool is_default, Span span);
// At the end of a thread: where its jumps lead.
void c_finish_gotos(CParser *c);

// --- c_statement.c

bool c_parse_statement(CParser *c);

// `{ ... }`, up to and with the brace.
void c_parse_body(CParser *c);

#endif
