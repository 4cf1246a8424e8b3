// A compiled model: what cat.h shows as CatModel.
#ifndef WARPSAN_CAT_PROGRAM_H
#define WARPSAN_CAT_PROGRAM_H

#include "cat/operation.h"

// A name that the text gives to the value of a node; a node can have several.
typedef struct CatNodeName {
  CatNode node;
  const char *name;
} CatNodeName;

struct CatModel {
  const char *title; // or NULL
  CatGraph graph;    // its first nodes are the primitives, in the order of their table
  ARRAY(CatAxiom) axioms;
  ARRAY(CatNodeName) node_names; // in the order of the definitions
  bool *is_live;                 // for each node: an axiom depends on it
  CatCode static_code;           // live operations outside loops, and loops
  CatCode dynamic_code;          // those that are repeated; runs after static_code
};

// Chooses what has to be evaluated for the axioms.
// requires: all axioms are compiled. leaves: is_live and the codes are filled in.
void cat_program_finish(CatModel *model);

#endif
