// A PTX mnemonic taken apart at its dots, and its qualifiers as values. Private to src/litmus.
#ifndef WARPSAN_LITMUS_MNEMONIC_H
#define WARPSAN_LITMUS_MNEMONIC_H

#include "litmus/parser.h"

enum { MNEMONIC_MAX_PARTS = 6 };

typedef struct MnemonicPart {
  const char *text;
  uint32_t length;
} MnemonicPart;

typedef struct Mnemonic {
  Span span;
  MnemonicPart parts[MNEMONIC_MAX_PARTS];
  uint32_t count;
  uint32_t next; // first part that nobody has taken yet
} Mnemonic;

// The qualifiers of an access or a fence, each UINT32_MAX when absent.
typedef struct MnemonicQualifiers {
  uint32_t sem;   // Sem, or MNEMONIC_VOLATILE
  uint32_t scope; // Scope
  uint32_t atom;  // AtomOp
} MnemonicQualifiers;

enum { MNEMONIC_VOLATILE = SEM_SC + 1 };

// Takes the current word apart; false (reported) if it has too many parts.
bool mnemonic_split(LitmusParser *parser, Mnemonic *mnemonic);
// The next part is `text`: takes it.
bool mnemonic_take(Mnemonic *mnemonic, const char *text);
bool mnemonic_is_done(const Mnemonic *mnemonic);
// Reports the next part, or its absence: "expected `what` behind 'ld', found '.foo'".
bool mnemonic_expected(LitmusParser *parser, const Mnemonic *mnemonic, const char *what);
// Takes all the parts that are left as qualifiers. `sems` is a set of the allowed ones (1 << sem);
// `what` says in a message what is allowed.
bool mnemonic_take_qualifiers(LitmusParser *parser, Mnemonic *mnemonic, uint32_t sems,
                              bool wants_atom, const char *what, MnemonicQualifiers *qualifiers);

#endif
