// The cat language of herd7 and Dat3M: a memory model as sets, relations and axioms.
// A text is parsed and compiled once into a CatModel: a flat list of operations on bit matrices,
// common subexpressions merged. A CatState holds the matrices of one execution graph; the caller
// fills in the primitive sets and relations and asks which axioms hold.
//
//   model = cat_parse(source, primitives, primitive_count, load, context, arena, diags);
//   state = cat_state_new(model, event_count, arena);
//   ... fill cat_input_row(state, input, event) for every input of the model ...
//   cat_evaluate(state);
//   for each axiom: cat_axiom_holds(state, axiom)
#ifndef WARPSAN_CAT_CAT_H
#define WARPSAN_CAT_CAT_H

#include "base/diag.h"
#include "base/source.h"

typedef enum CatType { CAT_SET, CAT_RELATION } CatType;

// What an execution that is being built says of the events that it has.
typedef enum CatChange {
  CAT_FIXED,        // known once the events are there
  CAT_GROWING,      // more may be found out when events are added
  CAT_CHOSEN,       // chosen pair by pair: rf, sc
  CAT_CHOSEN_ORDER, // likewise, and transitive in every execution: co
} CatChange;

// A name that the engine supplies.
typedef struct CatPrimitive {
  const char *name;
  CatType type;
  CatChange change;
} CatPrimitive;

typedef enum CatAxiomKind { CAT_ACYCLIC, CAT_IRREFLEXIVE, CAT_EMPTY } CatAxiomKind;

typedef struct CatAxiom {
  CatAxiomKind kind;
  bool is_negated;  // `~empty r`
  bool is_flag;     // `flag ...`: reported when it holds, forbids nothing
  const char *name; // after `as`, or made up from the text
  uint32_t node;    // the operation whose value is tested
  Span span;
} CatAxiom;

typedef struct CatModel CatModel;
typedef struct CatState CatState;

// Finds the text of an `include "name"`, or returns NULL. Sources live as long as the model.
typedef const Source *CatLoad(void *context, const char *name, const Source *includer);

// Parses and compiles `source`. Errors go to `diags` with file:line:column; then NULL.
CatModel *cat_parse(const Source *source, const CatPrimitive *primitives, uint32_t primitive_count,
                    CatLoad *load, void *load_context, Arena *arena, DiagList *diags);

const char *cat_model_title(const CatModel *model); // the string at the top of the text, or NULL
uint32_t cat_axiom_count(const CatModel *model);
const CatAxiom *cat_axiom(const CatModel *model, uint32_t axiom);
// Does the model's text use (directly or through prelude definitions) this primitive?
bool cat_uses(const CatModel *model, uint32_t primitive);
// Does an axiom forbid, in every execution, that a read takes its value from a later write of its
// thread, or through others (a cycle of po and rf)? False: not, or it is not obvious. Goes by the
// names po, rf, loc, ext, R, W, M of herd.
bool cat_forbids_reading_ahead(const CatModel *model);

CatState *cat_state_new(const CatModel *model, uint32_t event_count, Arena *arena);
uint32_t cat_state_words(const CatState *state); // words of a row: bits_words(event_count)
// Changes the number of events; the inputs keep their bits, which the caller sets right before
// everything is evaluated again. requires: the words of a row hold them.
void cat_state_resize(CatState *state, uint32_t event_count);
// The row of event `from` of a primitive relation, or (from = 0) the whole primitive set; NULL if
// the model does not use the primitive. All zero at first.
uint64_t *cat_input_row(CatState *state, uint32_t primitive, uint32_t from);
// Evaluates everything: first what depends on fixed primitives only, then the rest.
void cat_evaluate(CatState *state);
void cat_evaluate_fixed(CatState *state);
void cat_evaluate_dynamic(CatState *state);
bool cat_axiom_holds(const CatState *state, uint32_t axiom);

// One step of an explanation: `from` and `to` are related by the relation of that name.
typedef struct CatStep {
  const char *relation; // a primitive's or a definition's name, with "^-1" if walked backwards
  uint32_t from, to;
} CatStep;

// Why an axiom is violated: a shortest cycle (acyclic), or a path from an event to itself
// (irreflexive) or from an event to another (empty), taken apart down to names that a reader of
// models knows (primitives and fr, sync, bsync, ...). Returns the number of steps, 0 if it holds.
uint32_t cat_explain(CatState *state, uint32_t axiom, Arena *arena, CatStep **steps);

#endif
