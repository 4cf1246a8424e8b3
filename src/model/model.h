// Memory models by name or from a user's .cat text, and the executions that they judge.
#ifndef WARPSAN_MODEL_MODEL_H
#define WARPSAN_MODEL_MODEL_H

#include "base/diag.h"
#include "cat/cat.h"

// Which native checker judges executions. MODEL_KIND_CAT: none, the text is interpreted.
typedef enum ModelKind {
  MODEL_KIND_PTX60,
  MODEL_KIND_PTX,
  MODEL_KIND_CUDA,
  MODEL_KIND_RC11,
  MODEL_KIND_C11,
  MODEL_KIND_TSO,
  MODEL_KIND_SC,
  MODEL_KIND_CAT,
} ModelKind;

// Of operations of C and C++: atomics and plain accesses, happens-before, races without meaning.
static inline bool model_kind_is_language(ModelKind kind) {
  return kind == MODEL_KIND_CUDA || kind == MODEL_KIND_RC11 || kind == MODEL_KIND_C11;
}

typedef struct Model {
  const char *name; // "ptx", or the file name
  ModelKind kind;
  const CatModel *cat;        // the text; of a built-in model too, to explain with
  bool is_builtin;            // not a user's: it allows every interleaving of accesses
  bool is_language_level;     // of C++ operations, not of compiled code: no ABI fences (spec D.2)
  bool has_partial_coherence; // co is a strict partial order (spec B.1), sc is a witness
} Model;

// Loads a built-in model ("ptx60", "ptx", "cuda", "rc11", "c11", "tso", "sc"), or the .cat file
// that `source` holds when it is not NULL. `interpret`: judge a built-in model by its text, not
// natively. `load` finds included files and may be NULL. Errors go to `diags`; then NULL.
const Model *model_load(const char *name, const Source *source, bool interpret, CatLoad *load,
                        void *load_context, Arena *arena, DiagList *diags);

// Is the model a user's text that speaks of addr, data or ctrl?
bool model_asks_for_dependencies(const Model *model);

uint32_t model_builtin_count(void);
const char *model_builtin_name(uint32_t i);

#endif
