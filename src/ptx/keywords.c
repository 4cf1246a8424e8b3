#include "ptx/keywords.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { ENVREG_COUNT = 32, WORD_CAPACITY = 1024 };

static const char *const op_names[] = {
    "unknown",
#define OP(name) #name,
#include "ptx/opcodes.def"
#undef OP
};

static const struct {
  const char *name;
  uint16_t bits;
  uint8_t kind;
} types[] = {
    {"none", 0, PTX_NUMBER_B},
#define TYPE(name, bits, kind) {#name, bits, PTX_NUMBER_##kind},
#include "ptx/types.def"
#undef TYPE
};

static const struct {
  const char *name; // with the percent sign
  uint8_t type;
} specials[] = {
    {"none", PTX_TYPE_NONE},
#define SPECIAL(name, type, components) {"%" #name, PTX_TYPE_##type},
#include "ptx/specials.def"
#undef SPECIAL
};

static const char *const modifier_texts[] = {
    "unknown",
#define MODIFIER(id, text, kind, value) text,
#include "ptx/modifiers.def"
#undef MODIFIER
};

static const char *const space_names[] = {
    [PTX_SPACE_NONE] = "generic",
    [PTX_SPACE_REG] = "reg",
    [PTX_SPACE_GLOBAL] = "global",
    [PTX_SPACE_CONST] = "const",
    [PTX_SPACE_LOCAL] = "local",
    [PTX_SPACE_PARAM] = "param",
    [PTX_SPACE_PARAM_ENTRY] = "param::entry",
    [PTX_SPACE_PARAM_FUNC] = "param::func",
    [PTX_SPACE_SHARED] = "shared",
    [PTX_SPACE_SHARED_CTA] = "shared::cta",
    [PTX_SPACE_SHARED_CLUSTER] = "shared::cluster",
    [PTX_SPACE_TEX] = "tex",
};

static const char *const linkage_names[] = {
    [PTX_LINKAGE_NONE] = "",     [PTX_LINKAGE_EXTERN] = "extern", [PTX_LINKAGE_VISIBLE] = "visible",
    [PTX_LINKAGE_WEAK] = "weak", [PTX_LINKAGE_COMMON] = "common",
};

static const PtxDirectiveRule directives[] = {
#define DIRECTIVE(name, min, max, semicolon) {#name, min, max, semicolon},
#include "ptx/directives.def"
#undef DIRECTIVE
};

static PtxWord *intern_word(PtxModule *module, const char *text) {
  Name name = names_intern(&module->names, text, strlen(text));
  assert(name < WORD_CAPACITY);
  if (name >= module->word_count)
    module->word_count = name + 1;
  return &module->words[name];
}

static void intern_specials(PtxModule *module) {
  for (uint32_t i = 1; i < PTX_SPECIAL_COUNT; i++)
    if (i != PTX_SPECIAL_envreg)
      intern_word(module, specials[i].name)->special = (uint8_t)i;
  for (uint32_t i = 0; i < ENVREG_COUNT; i++) {
    char text[16];
    snprintf(text, sizeof text, "%%envreg%u", i);
    PtxWord *word = intern_word(module, text);
    word->special = PTX_SPECIAL_envreg;
    word->number = (uint8_t)i;
  }
}

static bool declares(PtxSpace space) {
  return space != PTX_SPACE_NONE && space != PTX_SPACE_PARAM_ENTRY &&
         space != PTX_SPACE_PARAM_FUNC && space != PTX_SPACE_SHARED_CTA &&
         space != PTX_SPACE_SHARED_CLUSTER;
}

void ptx_intern_words(PtxModule *module) {
  assert(module->names.count == 1);
  module->words = ARENA_ARRAY(module->arena, PtxWord, WORD_CAPACITY);
  for (uint32_t i = 1; i < PTX_OP_COUNT; i++)
    intern_word(module, op_names[i])->op = (uint8_t)i;
  for (uint32_t i = 1; i < PTX_TYPE_COUNT; i++)
    intern_word(module, types[i].name)->type = (uint8_t)i;
  for (uint32_t i = 1; i < PTX_MODIFIER_COUNT; i++)
    intern_word(module, modifier_texts[i])->modifier = (uint16_t)i;
  for (uint32_t i = 1; i <= PTX_SPACE_TEX; i++)
    if (declares(i))
      intern_word(module, space_names[i])->space = (uint8_t)i;
  for (uint32_t i = 1; i <= PTX_LINKAGE_COMMON; i++)
    intern_word(module, linkage_names[i])->linkage = (uint8_t)i;
  intern_specials(module);
}

PtxWord ptx_word(const PtxModule *module, Name name) {
  return name < module->word_count ? module->words[name] : (PtxWord){0};
}

const PtxDirectiveRule *ptx_find_directive(const char *name) {
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    if (strcmp(directives[i].name, name) == 0)
      return &directives[i];
  return NULL;
}

const char *ptx_op_name(PtxOp op) {
  assert(op < PTX_OP_COUNT);
  return op_names[op];
}

const char *ptx_type_name(PtxType type) {
  assert(type < PTX_TYPE_COUNT);
  return types[type].name;
}

uint32_t ptx_type_bits(PtxType type) {
  assert(type < PTX_TYPE_COUNT);
  return types[type].bits;
}

PtxNumberKind ptx_type_kind(PtxType type) {
  assert(type < PTX_TYPE_COUNT);
  return types[type].kind;
}

const char *ptx_space_name(PtxSpace space) {
  assert(space <= PTX_SPACE_TEX);
  return space_names[space];
}

const char *ptx_special_name(PtxSpecial special) {
  assert(special < PTX_SPECIAL_COUNT);
  return specials[special].name;
}

PtxType ptx_special_type(PtxSpecial special) {
  assert(special < PTX_SPECIAL_COUNT);
  return specials[special].type;
}

const char *ptx_linkage_name(PtxLinkage linkage) {
  assert(linkage <= PTX_LINKAGE_COMMON);
  return linkage_names[linkage];
}

const char *ptx_modifier_text(PtxModifierId modifier) {
  assert(modifier < PTX_MODIFIER_COUNT);
  return modifier_texts[modifier];
}
