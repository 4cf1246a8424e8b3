#include "model/model.h"

#include "base/array.h"
#include "model/builtin.h"
#include "model/primitives.h"

#include <string.h>

const CatPrimitive primitives[PRIMITIVE_COUNT] = {
#define PRIMITIVE(identifier, name, type, change, meaning) {name, type, change},
#include "model/primitives.def"
#undef PRIMITIVE
};

static const struct {
  const char *name;
  ModelKind kind;
} natives[] = {
    {"ptx60", MODEL_KIND_PTX60}, {"ptx", MODEL_KIND_PTX}, {"cuda", MODEL_KIND_CUDA},
    {"rc11", MODEL_KIND_RC11},   {"c11", MODEL_KIND_C11}, {"tso", MODEL_KIND_TSO},
    {"sc", MODEL_KIND_SC},
};

enum { NATIVE_COUNT = sizeof natives / sizeof *natives };

uint32_t model_builtin_count(void) {
  return NATIVE_COUNT;
}

const char *model_builtin_name(uint32_t i) {
  return natives[i].name;
}

static ModelKind find_kind(const char *name) {
  for (uint32_t i = 0; i < NATIVE_COUNT; i++)
    if (strcmp(natives[i].name, name) == 0)
      return natives[i].kind;
  return MODEL_KIND_CAT;
}

static bool is_builtin(const char *name) {
  for (uint32_t i = 0; i < NATIVE_COUNT; i++)
    if (strcmp(natives[i].name, name) == 0)
      return true;
  return false;
}

// A text is named by its file's name, with or without ".cat".
static bool names_text(const BuiltinText *text, const char *name) {
  size_t length = strlen(text->name);
  return strncmp(text->name, name, length) == 0 &&
         (name[length] == '\0' || strcmp(name + length, ".cat") == 0);
}

static const Source *find_builtin(Arena *arena, const char *name) {
  for (uint32_t i = 0; i < builtin_text_count; i++) {
    if (!names_text(&builtin_texts[i], name))
      continue;
    Source *source = ARENA_NEW(arena, Source);
    source->name = builtin_texts[i].name;
    source->text = builtin_texts[i].text;
    source->length = builtin_texts[i].length;
    return source;
  }
  return NULL;
}

// Included files come from the caller first, then from the built-in texts.
typedef struct Loader {
  CatLoad *load;
  void *context;
  Arena *arena;
} Loader;

static const Source *load_text(void *context, const char *name, const Source *includer) {
  const Loader *loader = context;
  const Source *found = loader->load ? loader->load(loader->context, name, includer) : NULL;
  return found ? found : find_builtin(loader->arena, name);
}

static bool uses(const CatModel *cat, Primitive primitive) {
  return cat_uses(cat, primitive);
}

// A text that speaks of scopes or of the order of SC fences means PTX's partial coherence; any
// other one means the total order that herd supplies.
static bool wants_partial_coherence(const CatModel *cat) {
  return uses(cat, PRIMITIVE_SR) || uses(cat, PRIMITIVE_SC_ORDER) ||
         uses(cat, PRIMITIVE_SYNC_FENCE);
}

static bool is_language_level(const CatModel *cat) {
  return !wants_partial_coherence(cat) && (uses(cat, PRIMITIVE_A) || uses(cat, PRIMITIVE_INCL));
}

const Model *model_load(const char *name, const Source *source, bool interpret, CatLoad *load,
                        void *load_context, Arena *arena, DiagList *diags) {
  ModelKind kind = source ? MODEL_KIND_CAT : find_kind(name);
  const Source *text = source ? source : is_builtin(name) ? find_builtin(arena, name) : NULL;
  if (!text) {
    diag_syntax(diags, (Span){0}, "there is no model '%s'; `warpsan models` lists them", name);
    return NULL;
  }
  Loader *loader = ARENA_NEW(arena, Loader);
  *loader = (Loader){load, load_context, arena};
  const CatModel *cat =
      cat_parse(text, primitives, PRIMITIVE_COUNT, load_text, loader, arena, diags);
  if (!cat)
    return NULL;
  Model *model = ARENA_NEW(arena, Model);
  model->name = name;
  model->kind = interpret ? MODEL_KIND_CAT : kind;
  model->cat = cat;
  model->is_builtin = !source;
  model->has_partial_coherence = wants_partial_coherence(cat);
  model->is_language_level = is_language_level(cat);
  return model;
}

bool model_asks_for_dependencies(const Model *model) {
  return !model->is_builtin &&
         (uses(model->cat, PRIMITIVE_ADDR) || uses(model->cat, PRIMITIVE_DATA) ||
          uses(model->cat, PRIMITIVE_CTRL));
}
