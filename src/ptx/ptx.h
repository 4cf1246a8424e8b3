// PTX text -> syntax tree. `ptx_parse_module` reads a whole file and resolves its names;
// `ptx_print_module` writes it back; `ptx_decode_modifiers` (ptx/modifiers.h) explains one
// instruction. Nodes are in arrays of the module and refer to each other by 32-bit indices.
#ifndef WARPSAN_PTX_PTX_H
#define WARPSAN_PTX_PTX_H

#include "base/diag.h"
#include "base/names.h"

#define PTX_NONE UINT32_MAX // index of nothing

typedef enum PtxOp {
  PTX_OP_UNKNOWN,
#define OP(name) PTX_OP_##name,
#include "ptx/opcodes.def"
#undef OP
  PTX_OP_COUNT,
} PtxOp;

typedef enum PtxType {
  PTX_TYPE_NONE,
#define TYPE(name, bits, kind) PTX_TYPE_##name,
#include "ptx/types.def"
#undef TYPE
  PTX_TYPE_COUNT,
} PtxType;

typedef enum PtxNumberKind {
  PTX_NUMBER_B, // untyped bits
  PTX_NUMBER_S,
  PTX_NUMBER_U,
  PTX_NUMBER_F,
  PTX_NUMBER_P, // predicate
  PTX_NUMBER_O, // opaque
} PtxNumberKind;

typedef enum PtxSpecial {
  PTX_SPECIAL_NONE,
#define SPECIAL(name, type, components) PTX_SPECIAL_##name,
#include "ptx/specials.def"
#undef SPECIAL
  PTX_SPECIAL_COUNT,
} PtxSpecial;

typedef enum PtxSpace {
  PTX_SPACE_NONE, // generic, in an instruction
  PTX_SPACE_REG,
  PTX_SPACE_GLOBAL,
  PTX_SPACE_CONST,
  PTX_SPACE_LOCAL,
  PTX_SPACE_PARAM,
  PTX_SPACE_PARAM_ENTRY,    // .param::entry
  PTX_SPACE_PARAM_FUNC,     // .param::func
  PTX_SPACE_SHARED,         // of an instruction: the same as PTX_SPACE_SHARED_CTA
  PTX_SPACE_SHARED_CTA,     // .shared::cta
  PTX_SPACE_SHARED_CLUSTER, // .shared::cluster
  PTX_SPACE_TEX,
} PtxSpace;

typedef enum PtxLinkage {
  PTX_LINKAGE_NONE,
  PTX_LINKAGE_EXTERN,
  PTX_LINKAGE_VISIBLE,
  PTX_LINKAGE_WEAK,
  PTX_LINKAGE_COMMON,
} PtxLinkage;

// A byte range of the module's source.
typedef struct PtxSpan {
  uint32_t begin, end;
} PtxSpan;

// Indices first .. first + count - 1 of some array of the module.
typedef struct PtxRange {
  uint32_t first, count;
} PtxRange;

typedef enum PtxOperandKind {
  PTX_OPERAND_NAME,       // register, variable, label, function ...: `name` (+ `value` bytes)
  PTX_OPERAND_SINK,       // _
  PTX_OPERAND_INTEGER,    // `value`
  PTX_OPERAND_FLOAT32,    // the bits are in `value`
  PTX_OPERAND_FLOAT64,    // the bits are in `value`
  PTX_OPERAND_WARP_SIZE,  // WARP_SZ; `value` is 32
  PTX_OPERAND_EXPRESSION, // `operation` applied to the children; folded into `value`
  PTX_OPERAND_MASK,       // 0xFF00(name): the byte of the child's address that `value` selects
  PTX_OPERAND_FIELD,      // name = child, in the initialiser of a .samplerref
  PTX_OPERAND_STRING,     // `name` is the text between the quotes, as written
  PTX_OPERAND_ADDRESS,    // [child, ...]
  PTX_OPERAND_ELEMENT,    // name[child]
  PTX_OPERAND_VECTOR,     // {child, ...}; also a list of initialisers
  PTX_OPERAND_PAIR,       // child|child
  PTX_OPERAND_LIST,       // (child, ...) of a call
} PtxOperandKind;

enum {
  PTX_OPERAND_NOT = 1,        // !%p
  PTX_OPERAND_MINUS = 2,      // -%r, in video instructions
  PTX_OPERAND_GENERIC = 4,    // generic(name)
  PTX_OPERAND_HAS_OFFSET = 8, // name+value
  PTX_OPERAND_UNSIGNED = 16,  // a constant of type .u64
  PTX_OPERAND_SUFFIXED = 32,  // an integer written with U
  PTX_OPERAND_NEGATIVE = 64,  // an integer written with a minus sign; `value` is the negative
  PTX_OPERAND_FLOATING = 128, // an expression of type .f64; the bits are in `value`
};

typedef enum PtxOperator {
  PTX_OPERATOR_NONE,
  PTX_OPERATOR_PLUS,
  PTX_OPERATOR_NEGATE,
  PTX_OPERATOR_NOT,
  PTX_OPERATOR_COMPLEMENT,
  PTX_OPERATOR_TO_SIGNED,
  PTX_OPERATOR_TO_UNSIGNED, // (.s64) (.u64)
  PTX_OPERATOR_MULTIPLY,
  PTX_OPERATOR_DIVIDE,
  PTX_OPERATOR_REMAINDER,
  PTX_OPERATOR_ADD,
  PTX_OPERATOR_SUBTRACT,
  PTX_OPERATOR_SHIFT_LEFT,
  PTX_OPERATOR_SHIFT_RIGHT,
  PTX_OPERATOR_LESS,
  PTX_OPERATOR_LESS_EQUAL,
  PTX_OPERATOR_GREATER,
  PTX_OPERATOR_GREATER_EQUAL,
  PTX_OPERATOR_EQUAL,
  PTX_OPERATOR_NOT_EQUAL,
  PTX_OPERATOR_BIT_AND,
  PTX_OPERATOR_BIT_XOR,
  PTX_OPERATOR_BIT_OR,
  PTX_OPERATOR_AND,
  PTX_OPERATOR_OR,
  PTX_OPERATOR_CHOOSE, // a ? b : c
} PtxOperator;

// What a name was resolved to, and what `target` then is.
typedef enum PtxReference {
  PTX_REFERENCE_NONE,
  PTX_REFERENCE_REGISTER,  // number of the register in its function; `variable` declares it
  PTX_REFERENCE_SPECIAL,   // a PtxSpecial
  PTX_REFERENCE_VARIABLE,  // index of the variable; its definition if the module has one
  PTX_REFERENCE_FUNCTION,  // index of the function; its definition if the module has one
  PTX_REFERENCE_LABEL,     // index of the label
  PTX_REFERENCE_TARGETS,   // index of a .branchtargets or .calltargets
  PTX_REFERENCE_PROTOTYPE, // index of a .callprototype
} PtxReference;

typedef struct PtxOperand {
  uint8_t kind;      // PtxOperandKind
  uint8_t flags;     // PTX_OPERAND_*
  uint8_t radix;     // of an integer as written: 2, 8, 10 or 16
  uint8_t operation; // PtxOperator
  uint8_t reference; // PtxReference
  Name name;
  Name component;    // of %tid.x, %v.y, %r.b0, [a].unified: "x"; 0: none
  uint64_t value;    // constant; byte offset of a name; number of an %envreg
  PtxRange children; // in `operands`
  uint32_t target;   // meaning: see PtxReference
  uint32_t variable; // declaration of a register
  PtxSpan span;
} PtxOperand;

typedef struct PtxModifier {
  Name name; // without the period: "acquire", "shared::cta"
  PtxSpan span;
} PtxModifier;

typedef struct PtxInstruction {
  PtxOp op;
  Name mnemonic;      // "ld"; tells what a PTX_OP_UNKNOWN is
  uint32_t guard;     // index of the operand of @%p or @!%p; PTX_NONE: always
  PtxRange modifiers; // in the order written
  PtxRange operands;
  uint32_t location; // .loc in force, PTX_NONE: none
  PtxSpan span;      // from the guard to the semicolon
} PtxInstruction;

typedef struct PtxVariable {
  Name name;         // 0: the `_` of a prototype
  uint8_t space;     // PtxSpace
  uint8_t type;      // PtxType
  uint8_t vector;    // elements of .v2, .v4, .v8; 1: scalar
  uint8_t linkage;   // PtxLinkage
  bool is_range;     // %r<100>: `range_count` registers %r0 to %r99
  bool is_parameter; // of a function or prototype, as opposed to a .param in its body
  bool is_pointer;   // .ptr, with the space and alignment of what it points to
  uint8_t pointer_space;
  uint32_t pointer_align; // 0: not given
  uint32_t align;         // 0: not given
  uint32_t range_count;
  PtxRange dimensions; // in `dimensions`; PTX_UNSIZED: []
  PtxRange attributes;
  uint32_t initializer;    // operand, PTX_NONE: none
  uint32_t first_register; // of its function, for registers
  uint32_t definition;     // variable that defines it; itself, if no other does
  PtxSpan span, name_span;
} PtxVariable;

#define PTX_UNSIZED UINT64_MAX

// .attribute(.managed, .unified(1, 2))
typedef struct PtxAttribute {
  Name name;
  PtxRange arguments; // operands
} PtxAttribute;

// A directive with constant arguments: .maxntid 1, 2, 3, .pragma "nounroll", .noreturn, ...
typedef struct PtxDirective {
  Name name;
  PtxRange arguments; // operands
  PtxSpan span;
} PtxDirective;

typedef struct PtxLabel {
  Name name;
  uint32_t instruction; // index of the next instruction; the end of its function, if none follows
  uint32_t next;        // next label of the same scope, PTX_NONE: none
  PtxSpan span;
} PtxLabel;

// .branchtargets or .calltargets
typedef struct PtxTargets {
  Name name; // of its label
  bool is_call;
  PtxRange names; // operands
  PtxSpan span;
} PtxTargets;

typedef struct PtxPrototype {
  Name name;                    // of its label
  PtxRange returns, parameters; // variables
  PtxRange directives;
  PtxSpan span;
} PtxPrototype;

// .loc; `parent` is the place where the function of this line was inlined.
typedef struct PtxLocation {
  uint32_t file, line, column;
  Name function_name;       // label in a debug section, 0: none; see ptx_function_name
  uint64_t function_offset; // bytes behind the label
  bool is_inlined;
  uint32_t inlined_file, inlined_line, inlined_column;
  uint32_t parent; // earlier .loc of that place, which may be inlined itself; PTX_NONE: none
  PtxSpan span;
} PtxLocation;

typedef struct PtxScope {
  uint32_t parent;      // PTX_NONE: the body of a function
  uint32_t first_label; // of those directly in this scope, PTX_NONE: none
  uint32_t last_label;
  PtxSpan span;
} PtxScope;

typedef enum PtxStatementKind {
  PTX_STATEMENT_INSTRUCTION,
  PTX_STATEMENT_LABEL,
  PTX_STATEMENT_LOCATION,
  PTX_STATEMENT_VARIABLE,
  PTX_STATEMENT_OPEN,  // {, index of the scope
  PTX_STATEMENT_CLOSE, // }, index of the scope
  PTX_STATEMENT_DIRECTIVE,
  PTX_STATEMENT_TARGETS,
  PTX_STATEMENT_PROTOTYPE,
} PtxStatementKind;

// A body is a flat list; nested scopes are bracketed by OPEN and CLOSE, as is the body itself.
typedef struct PtxStatement {
  PtxStatementKind kind;
  uint32_t index;
} PtxStatement;

typedef struct PtxFunction {
  Name name;
  bool is_entry;
  bool has_body;
  uint8_t linkage; // PtxLinkage
  PtxRange attributes;
  PtxRange returns, parameters; // variables
  PtxRange directives;          // .maxntid, .noreturn, ...
  PtxRange statements;
  PtxRange instructions;
  uint32_t register_count;
  uint32_t definition; // function that has the body; itself, if none has
  PtxSpan span, name_span;
} PtxFunction;

// .file 1 "name" [, time, size]
typedef struct PtxFile {
  uint32_t number;
  Name name;
  bool has_stamp;
  uint64_t time, size;
  PtxSpan span;
} PtxFile;

// .section name { data }: debug data, kept as text.
typedef struct PtxSection {
  Name name;
  PtxSpan data; // between the braces
  PtxSpan span;
} PtxSection;

typedef struct PtxAlias {
  Name name, target_name;
  uint32_t target; // function
  PtxSpan span;
} PtxAlias;

typedef enum PtxItemKind {
  PTX_ITEM_VARIABLE,
  PTX_ITEM_FUNCTION,
  PTX_ITEM_FILE,
  PTX_ITEM_SECTION,
  PTX_ITEM_ALIAS,
  PTX_ITEM_DIRECTIVE, // .pragma
  PTX_ITEM_LOCATION,
} PtxItemKind;

typedef struct PtxItem {
  PtxItemKind kind;
  uint32_t index;
} PtxItem;

// A label of a .debug_str section and the text behind it.
typedef struct PtxDebugString {
  Name label;
  Name text;
} PtxDebugString;

typedef struct PtxModule {
  const Source *source; // not owned
  Arena *arena;         // owns all that follows; not owned
  NameTable names;
  struct PtxWord *words; // meaning of the first `word_count` names (ptx/keywords.h)
  uint32_t word_count;
  uint32_t version_major, version_minor;
  ARRAY(Name) targets;   // "sm_90a", "debug"
  uint32_t address_size; // 32 or 64
  bool has_address_size; // written, as opposed to the default
  ARRAY(PtxItem) items;  // in the order written
  ARRAY(PtxFile) files;
  ARRAY(PtxSection) sections;
  ARRAY(PtxDebugString) debug_strings;
  ARRAY(PtxAlias) aliases;
  ARRAY(PtxDirective) directives;
  ARRAY(PtxAttribute) attributes;
  ARRAY(PtxVariable) variables;
  ARRAY(uint64_t) dimensions;
  ARRAY(PtxFunction) functions;
  ARRAY(PtxStatement) statements;
  ARRAY(PtxScope) scopes;
  ARRAY(PtxLabel) labels;
  ARRAY(PtxTargets) target_lists;
  ARRAY(PtxPrototype) prototypes;
  ARRAY(PtxLocation) locations;
  ARRAY(PtxInstruction) instructions;
  ARRAY(PtxModifier) modifiers;
  ARRAY(PtxOperand) operands;
} PtxModule;

// Parses a whole module and resolves its names. Everything lives in `arena`, which must outlive
// the module, as must `source`. On error reports to `diags` and returns NULL.
PtxModule *ptx_parse_module(const Source *source, Arena *arena, DiagList *diags);

// The module as PTX text; parsing it again gives an equal tree. The text ends with a zero byte.
const char *ptx_print_module(const PtxModule *module, Arena *arena, size_t *length);
// One instruction without its semicolon, for messages.
const char *ptx_print_instruction(const PtxModule *module, const PtxInstruction *instruction,
                                  Arena *arena);

// Equal trees: the same nodes in the same order, whatever the layout, comments and spans.
bool ptx_modules_equal(const PtxModule *a, const PtxModule *b);

// Asserts the invariants of a parsed module: ranges inside their arrays, resolved targets valid.
void ptx_module_check(const PtxModule *module);

// A kernel that a launch can name.
static inline bool ptx_is_kernel(const PtxFunction *function) {
  return function->is_entry && function->has_body;
}

// Index of the kernel that a user means by `name`: its name in the module, else, if it fits one
// kernel only, its name in C++, which may leave out scopes and the last template arguments. Or
// PTX_NONE.
uint32_t ptx_find_entry(const PtxModule *module, const char *name, Arena *arena);
// The kernel's name in C++ if it has one, else in the module.
const char *ptx_entry_name(const PtxModule *module, const PtxFunction *entry, Arena *arena);

// Name of the file with that number in .file, or NULL.
const char *ptx_file_name(const PtxModule *module, uint32_t number);

// Mangled name of the function that an inlined line belongs to, or NULL.
const char *ptx_function_name(const PtxModule *module, const PtxLocation *location);

// Bytes of a variable: 0 if it is unsized, a register or opaque.
uint64_t ptx_variable_size(const PtxModule *module, const PtxVariable *variable);
// Alignment in bytes, given or natural.
uint32_t ptx_variable_align(const PtxVariable *variable);

static inline Span ptx_span(const PtxModule *module, PtxSpan span) {
  return (Span){module->source, span.begin, span.end};
}

static inline const char *ptx_text(const PtxModule *module, Name name) {
  return names_text(&module->names, name);
}

const char *ptx_op_name(PtxOp op);
const char *ptx_type_name(PtxType type);
uint32_t ptx_type_bits(PtxType type);
PtxNumberKind ptx_type_kind(PtxType type);
const char *ptx_space_name(PtxSpace space);
const char *ptx_special_name(PtxSpecial special);
PtxType ptx_special_type(PtxSpecial special);

#endif
