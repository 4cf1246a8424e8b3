// The operations that a model's text is compiled to: a graph of set and relation operations in
// which equal expressions are one node. A node's operands have smaller numbers, except that a
// variable of a `let rec` takes the value of its body, which comes later.
#ifndef WARPSAN_CAT_OPERATION_H
#define WARPSAN_CAT_OPERATION_H

#include "base/array.h"
#include "cat/cat.h"

typedef enum CatOperationKind {
  CAT_OP_PRIMITIVE,     // operands[0]: index into the table of primitives
  CAT_OP_VARIABLE,      // operands[0]: index of its loop, operands[1]: which variable of it
  CAT_OP_NOTHING,       // the empty set or relation
  CAT_OP_EVERYTHING,    // all events; only if the engine supplies no set `_`
  CAT_OP_UNION,         // of two sets or two relations, as the next two
  CAT_OP_INTERSECTION,  //
  CAT_OP_DIFFERENCE,    //
  CAT_OP_COMPOSITION,   // r ; s
  CAT_OP_TRANSITIVE,    // r+
  CAT_OP_INVERSE,       // r^-1
  CAT_OP_IDENTITY,      // [S]
  CAT_OP_CARTESIAN,     // S * T
  CAT_OP_DOMAIN,        //
  CAT_OP_RANGE,         //
  CAT_OP_RESTRICT_FROM, // [S] ; r   operands S, r
  CAT_OP_RESTRICT_TO,   // r ; [S]   operands S, r
} CatOperationKind;

typedef uint32_t CatNode;

// In which direction a node's value moves when something it depends on grows. Bit 0 stands for the
// execution being built (what it says of the events that exist already), bit d for the variables of
// the open `let rec` at depth d.
typedef struct CatSigns {
  uint32_t rising, falling;
} CatSigns;

enum { CAT_SIGN_EXECUTION = 1, CAT_LOOP_DEPTH_LIMIT = 30 };

typedef struct CatOperation {
  CatOperationKind kind;
  CatType type;
  bool is_dynamic;  // depends on a chosen primitive
  bool is_repeated; // does, or takes away from something what is not fixed: its bounds move
  CatSigns signs;
  CatNode operands[2];
} CatOperation;

// One step of the code that evaluates a model: an operation, or a whole loop.
typedef struct CatInstruction {
  bool is_loop;
  uint32_t index;
} CatInstruction;

typedef struct CatCode {
  ARRAY(CatInstruction) instructions;
} CatCode;

// One `let rec`: the code is run until each variable has the value of its result.
typedef struct CatLoop {
  bool is_dynamic, is_repeated;
  CatCode code;
  ARRAY(CatNode) variables;
  ARRAY(CatNode) results; // one for each variable once the loop is closed
  ARRAY(CatNode) members; // operations that depend on the variables
} CatLoop;

typedef struct CatGraph {
  Arena *arena;
  const CatPrimitive *primitives;
  uint32_t primitive_count;
  ARRAY(CatOperation) operations;
  ARRAY(CatLoop) loops;
  ARRAY(uint32_t) open_loops; // index i holds the open loop at depth i + 1
  CatCode code;               // outside all loops
  uint32_t *slots;            // hash table of operation + 1, open addressing
  uint32_t slot_count;
} CatGraph;

void cat_graph_init(CatGraph *graph, const CatPrimitive *primitives, uint32_t primitive_count,
                    Arena *arena);

static inline const CatOperation *cat_operation(const CatGraph *graph, CatNode node) {
  return &graph->operations.items[node];
}

// How many of `operands` are nodes.
uint32_t cat_operand_count(CatOperationKind kind);

CatNode cat_graph_primitive(CatGraph *graph, uint32_t primitive);
CatNode cat_graph_nothing(CatGraph *graph, CatType type);
CatNode cat_graph_everything(CatGraph *graph); // the set of all events

// Both operands have one type in the first three; the types of the others are clear.
CatNode cat_graph_union(CatGraph *graph, CatNode a, CatNode b);
CatNode cat_graph_intersection(CatGraph *graph, CatNode a, CatNode b);
CatNode cat_graph_difference(CatGraph *graph, CatNode a, CatNode b);
CatNode cat_graph_composition(CatGraph *graph, CatNode a, CatNode b);
CatNode cat_graph_cartesian(CatGraph *graph, CatNode a, CatNode b);
CatNode cat_graph_complement(CatGraph *graph, CatNode a);
CatNode cat_graph_transitive(CatGraph *graph, CatNode a);
CatNode cat_graph_reflexive(CatGraph *graph, CatNode a);
CatNode cat_graph_inverse(CatGraph *graph, CatNode a);
CatNode cat_graph_identity(CatGraph *graph, CatNode set);
CatNode cat_graph_domain(CatGraph *graph, CatNode a);
CatNode cat_graph_range(CatGraph *graph, CatNode a);

// A `let rec` is opened, its variables are made, the bodies are built from them, and the loop is
// closed with the bodies as results. False at the closing: a variable occurs in its body where a
// larger value of it makes a smaller one of the body, so that there is no least solution.
// requires: fewer than CAT_LOOP_DEPTH_LIMIT open loops.
uint32_t cat_graph_open_loop(CatGraph *graph);
CatNode cat_graph_variable(CatGraph *graph, CatType type);
bool cat_graph_close_loop(CatGraph *graph, const CatNode *results);

#endif
