// What a text's relations have in every execution, as far as its operations show it: does an axiom
// forbid that a read takes its value, over other threads or not, from what comes after it?
#include "cat/program.h"

#include <string.h>

// What a relation, or a set, has at least; the last ones: what it has at most.
enum {
  HAS_PO = 1 << 0,         // a read, and a later write of its thread
  HAS_PO_LOC = 1 << 1,     // the same, of one location
  HAS_RF_EXT = 1 << 2,     // a write, and a read of another thread that takes its value
  HAS_RF = 1 << 3,         // the same, of any thread
  HAS_LOC = 1 << 4,        // two events of one location
  HAS_EXT = 1 << 5,        // two events of different threads
  HAS_READ_WRITE = 1 << 6, // any read and any write
  HAS_WRITE_READ = 1 << 7,
  HAS_PATHS = 1 << 8, // two accesses between which the first and the fourth lead
  HAS_READS = 1 << 9,
  HAS_WRITES = 1 << 10,
  ONLY_READS = 1 << 11,
  ONLY_WRITES = 1 << 12,
  NO_READ_WRITE = 1 << 13,
  NO_WRITE_READ = 1 << 14,
};

enum {
  COVERS_PO = HAS_PO | HAS_READ_WRITE,
  COVERS_PO_LOC = COVERS_PO | HAS_PO_LOC | HAS_LOC,
  COVERS_RF = HAS_RF | HAS_WRITE_READ | HAS_LOC,
  COVERS_RF_EXT = COVERS_RF | HAS_RF_EXT | HAS_EXT,
  LOWER = (HAS_WRITES << 1) - 1,
  BOTH_KINDS = HAS_READS | HAS_WRITES,
};

static uint32_t cover_primitive(const char *name) {
  static const struct {
    const char *name;
    uint32_t cover;
  } known[] = {
      {"po", HAS_PO | HAS_PO_LOC},
      {"rf", HAS_RF | HAS_RF_EXT},
      {"loc", HAS_LOC},
      {"ext", HAS_EXT},
      {"id", NO_READ_WRITE | NO_WRITE_READ},
      {"R", HAS_READS | ONLY_READS},
      {"W", HAS_WRITES | ONLY_WRITES},
      {"M", BOTH_KINDS},
      {"_", BOTH_KINDS},
  };
  for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0)
      return known[i].cover;
  return 0;
}

static uint32_t cover_intersection(uint32_t a, uint32_t b) {
  static const struct {
    uint32_t result, covers;
  } rules[] = {
      {HAS_PO, COVERS_PO},
      {HAS_PO_LOC, COVERS_PO_LOC},
      {HAS_RF_EXT, COVERS_RF_EXT},
      {HAS_RF, COVERS_RF},
  };
  // Sets, and pairs of all kinds.
  uint32_t alike = BOTH_KINDS | HAS_LOC | HAS_EXT | HAS_READ_WRITE | HAS_WRITE_READ;
  uint32_t cover = (a & b & alike) | ((a | b) & ~(uint32_t)LOWER);
  for (uint32_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if ((a & rules[i].covers) && (b & rules[i].covers))
      cover |= rules[i].result;
  return cover;
}

static uint32_t cover_difference(uint32_t a, uint32_t b) {
  uint32_t cover = a & ~(uint32_t)LOWER;
  if (b & NO_READ_WRITE)
    cover |= a & (HAS_PO | HAS_PO_LOC | HAS_READ_WRITE);
  if (b & NO_WRITE_READ)
    cover |= a & (HAS_RF | HAS_RF_EXT | HAS_WRITE_READ);
  return cover;
}

static uint32_t cover_cartesian(uint32_t from, uint32_t to) {
  uint32_t cover = 0;
  if ((from & HAS_READS) && (to & HAS_WRITES))
    cover |= HAS_READ_WRITE;
  if ((from & HAS_WRITES) && (to & HAS_READS))
    cover |= HAS_WRITE_READ;
  if ((from & ONLY_WRITES) || (to & ONLY_READS))
    cover |= NO_READ_WRITE;
  if ((from & ONLY_READS) || (to & ONLY_WRITES))
    cover |= NO_WRITE_READ;
  return cover;
}

// `before`: what the set has to have for pairs that begin or end at it with a read, with a write.
static uint32_t cover_restriction(uint32_t set, uint32_t relation, uint32_t for_po,
                                  uint32_t for_rf) {
  uint32_t cover = relation & (NO_READ_WRITE | NO_WRITE_READ);
  if (set & for_po)
    cover |= relation & (HAS_PO | HAS_PO_LOC | HAS_READ_WRITE);
  if (set & for_rf)
    cover |= relation & (HAS_RF | HAS_RF_EXT | HAS_WRITE_READ);
  if ((set & BOTH_KINDS) == BOTH_KINDS)
    cover |= relation & HAS_PATHS;
  return cover;
}

static uint32_t cover_of(const CatGraph *graph, const CatOperation *operation,
                         const uint32_t *covers) {
  uint32_t count = cat_operand_count(operation->kind);
  uint32_t a = count > 0 ? covers[operation->operands[0]] : 0;
  uint32_t b = count > 1 ? covers[operation->operands[1]] : 0;
  switch (operation->kind) {
  case CAT_OP_PRIMITIVE:
    return cover_primitive(graph->primitives[operation->operands[0]].name);
  case CAT_OP_EVERYTHING:
    return BOTH_KINDS;
  case CAT_OP_UNION:
    return ((a | b) & LOWER) | (a & b & ~(uint32_t)LOWER);
  case CAT_OP_INTERSECTION:
    return cover_intersection(a, b);
  case CAT_OP_DIFFERENCE:
    return cover_difference(a, b);
  case CAT_OP_CARTESIAN:
    return cover_cartesian(a, b);
  case CAT_OP_IDENTITY:
    return NO_READ_WRITE | NO_WRITE_READ;
  case CAT_OP_RESTRICT_FROM:
    return cover_restriction(a, b, HAS_READS, HAS_WRITES);
  case CAT_OP_RESTRICT_TO:
    return cover_restriction(a, b, HAS_WRITES, HAS_READS);
  case CAT_OP_TRANSITIVE:
    return (a & LOWER) | ((a & HAS_PO) && (a & HAS_RF) ? HAS_PATHS : 0);
  default:
    return 0;
  }
}

// Cycles of the relation are forbidden.
static uint32_t cover_axiom(const CatAxiom *axiom, const uint32_t *covers) {
  if (axiom->is_flag || axiom->is_negated || axiom->kind == CAT_EMPTY)
    return 0;
  uint32_t cover = covers[axiom->node];
  if (cover & HAS_PATHS)
    return HAS_PO | HAS_PO_LOC | HAS_RF | HAS_RF_EXT;
  return axiom->kind == CAT_ACYCLIC ? cover : 0;
}

bool cat_forbids_reading_ahead(const CatModel *model) {
  const CatGraph *graph = &model->graph;
  uint32_t *covers = ARENA_ARRAY(graph->arena, uint32_t, graph->operations.count + 1);
  bool forbids_between = false, forbids_within = false;
  for (uint32_t i = 0; i < graph->operations.count; i++)
    covers[i] = cover_of(graph, cat_operation(graph, i), covers);
  for (uint32_t i = 0; i < model->axioms.count; i++) {
    uint32_t cover = cover_axiom(&model->axioms.items[i], covers);
    forbids_between |= (cover & HAS_PO) && (cover & HAS_RF_EXT);
    forbids_within |= (cover & HAS_PO_LOC) && (cover & HAS_RF);
  }
  return forbids_between && forbids_within;
}
