// The fixed words of PTX: opcodes, types, state spaces, linkage, special registers, modifiers.
// Every module interns them first and in one order, so that a word is found by its Name.
#ifndef WARPSAN_PTX_KEYWORDS_H
#define WARPSAN_PTX_KEYWORDS_H

#include "ptx/ptx.h"

// Modifiers that are not types: PTX_MODIFIER_acquire, PTX_MODIFIER_shared__cta.
typedef enum PtxModifierId {
  PTX_MODIFIER_UNKNOWN,
#define MODIFIER(id, text, kind, value) PTX_MODIFIER_##id,
#include "ptx/modifiers.def"
#undef MODIFIER
  PTX_MODIFIER_COUNT,
} PtxModifierId;

// What a word can mean; the same word may be an opcode and a modifier.
typedef struct PtxWord {
  uint8_t op;        // PtxOp
  uint8_t type;      // PtxType
  uint8_t space;     // PtxSpace of a declaration
  uint8_t linkage;   // PtxLinkage
  uint8_t special;   // PtxSpecial, of words that begin with %
  uint8_t number;    // of an %envreg
  uint16_t modifier; // PtxModifierId
} PtxWord;

// A directive with constant arguments (ptx/directives.def).
typedef struct PtxDirectiveRule {
  const char *name;
  uint8_t min_count, max_count; // of arguments
  bool has_semicolon;
} PtxDirectiveRule;

// Interns all words into the module's empty table and fills `module->words`.
void ptx_intern_words(PtxModule *module);

// The word's meanings; all zero for any other name.
PtxWord ptx_word(const PtxModule *module, Name name);

// NULL if there is no such directive.
const PtxDirectiveRule *ptx_find_directive(const char *name);

const char *ptx_linkage_name(PtxLinkage linkage);
const char *ptx_modifier_text(PtxModifierId modifier);

#endif
