#include "litmus/mnemonic.h"

#include <string.h>

typedef struct Keyword {
  const char *text;
  uint32_t value;
} Keyword;

static const Keyword sem_keywords[] = {
    {"weak", SEM_WEAK},
    {"relaxed", SEM_RELAXED},
    {"acquire", SEM_ACQUIRE},
    {"release", SEM_RELEASE},
    {"acq_rel", SEM_ACQ_REL},
    {"sc", SEM_SC},
    {"volatile", MNEMONIC_VOLATILE},
    {NULL, 0},
};

static const Keyword scope_keywords[] = {
    {"cta", SCOPE_CTA}, {"cluster", SCOPE_CLUSTER}, {"gpu", SCOPE_GPU}, {"sys", SCOPE_SYS},
    {NULL, 0},
};

static const Keyword atom_keywords[] = {
    {"add", ATOM_ADD}, {"sub", ATOM_SUB},   {"mul", ATOM_MUL},       {"div", ATOM_DIV},
    {"and", ATOM_AND}, {"or", ATOM_OR},     {"xor", ATOM_XOR},       {"min", ATOM_MIN},
    {"max", ATOM_MAX}, {"exch", ATOM_EXCH}, {"cas", ATOM_CAS_WRITE}, {NULL, 0},
};

bool mnemonic_split(LitmusParser *parser, Mnemonic *mnemonic) {
  const char *text = parser->source->text + parser->token.begin;
  const char *end = parser->source->text + parser->token.end;
  *mnemonic = (Mnemonic){.span = litmus_token_span(parser)};
  while (text < end) {
    const char *dot = memchr(text, '.', (size_t)(end - text));
    const char *part_end = dot ? dot : end;
    if (mnemonic->count == MNEMONIC_MAX_PARTS)
      return litmus_error(parser, mnemonic->span, "unknown instruction %s",
                          litmus_token_text(parser));
    mnemonic->parts[mnemonic->count++] = (MnemonicPart){text, (uint32_t)(part_end - text)};
    text = part_end + 1;
  }
  return true;
}

static bool part_is(const MnemonicPart *part, const char *text) {
  return part->length == strlen(text) && memcmp(part->text, text, part->length) == 0;
}

bool mnemonic_is_done(const Mnemonic *mnemonic) {
  return mnemonic->next == mnemonic->count;
}

bool mnemonic_take(Mnemonic *mnemonic, const char *text) {
  if (mnemonic_is_done(mnemonic) || !part_is(&mnemonic->parts[mnemonic->next], text))
    return false;
  mnemonic->next++;
  return true;
}

bool mnemonic_expected(LitmusParser *parser, const Mnemonic *mnemonic, const char *what) {
  const MnemonicPart *first = &mnemonic->parts[0];
  const char *found = "nothing";
  Span span = mnemonic->span;
  if (!mnemonic_is_done(mnemonic)) {
    const MnemonicPart *part = &mnemonic->parts[mnemonic->next];
    found = arena_format(parser->arena, "'.%.*s'", (int)part->length, part->text);
    span.begin += (uint32_t)(part->text - first->text) - 1;
    span.end = span.begin + part->length + 1;
  }
  return litmus_error(parser, span, "expected %s in '%.*s...', found %s", what, (int)first->length,
                      first->text, found);
}

// The next part as one of the keywords; takes it.
static bool take_keyword(Mnemonic *mnemonic, const Keyword *keywords, uint32_t *value) {
  for (; keywords->text; keywords++) {
    if (mnemonic_take(mnemonic, keywords->text)) {
      *value = keywords->value;
      return true;
    }
  }
  return false;
}

bool mnemonic_take_qualifiers(LitmusParser *parser, Mnemonic *mnemonic, uint32_t sems,
                              bool wants_atom, const char *what, MnemonicQualifiers *qualifiers) {
  *qualifiers = (MnemonicQualifiers){UINT32_MAX, UINT32_MAX, UINT32_MAX};
  while (!mnemonic_is_done(mnemonic)) {
    uint32_t here = mnemonic->next;
    bool is_sem =
        qualifiers->sem == UINT32_MAX && take_keyword(mnemonic, sem_keywords, &qualifiers->sem);
    if (is_sem && !(sems >> qualifiers->sem & 1)) {
      mnemonic->next = here;
      return mnemonic_expected(parser, mnemonic, what);
    }
    if (is_sem)
      continue;
    if (qualifiers->scope == UINT32_MAX &&
        take_keyword(mnemonic, scope_keywords, &qualifiers->scope))
      continue;
    if (wants_atom && qualifiers->atom == UINT32_MAX &&
        take_keyword(mnemonic, atom_keywords, &qualifiers->atom))
      continue;
    return mnemonic_expected(parser, mnemonic, what);
  }
  return true;
}
