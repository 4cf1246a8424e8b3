#include "race/findings.h"

#include "ir/grid.h"
#include "ir/fault.h"
#include "race/heap.h"
#include "race/limits.h"

#include <stdlib.h>

RaceFindings *race_findings_new(Arena *arena) {
  RaceFindings *findings = ARENA_NEW(arena, RaceFindings);
  atomic_flag_clear(&findings->lock);
  findings->items = ARENA_ARRAY(arena, RaceFinding, MOST_FINDINGS);
  return findings;
}

uint32_t race_finding_count(const RaceFindings *found) {
  return found->count;
}

// --- collecting

// A write first; of two writes or two atomics the one whose place is first.
static void order_sides(RaceFinding *found) {
  RaceSide *a = &found->sides[0], *b = &found->sides[1];
  bool is_swapped = a->is_write != b->is_write ? b->is_write : b->instruction < a->instruction;
  if (!is_swapped)
    return;
  RaceSide side = *a;
  *a = *b;
  *b = side;
}

static bool is_same_pair(const RaceFinding *a, const RaceFinding *b) {
  return a->rule == b->rule && a->sides[0].instruction == b->sides[0].instruction &&
         a->sides[1].instruction == b->sides[1].instruction;
}

// Of the causes of one pair of places the one that says most: writes that store different values
// sometimes, threads that are further apart than a warp.
static uint32_t rank(RuleNumber sub) {
  return sub == RULE_SAME_VALUE ? 0 : sub == RULE_WARP_SYNC_MISSING ? 1 : 2;
}

static void count_one(RaceFinding *known, const RaceFinding *found) {
  uint64_t count = known->count + found->count;
  if (rank(found->sub) > rank(known->sub))
    *known = *found;
  known->count = count;
}

void findings_add(RaceFindings *findings, const RaceFinding *found) {
  RaceFinding ordered = *found;
  order_sides(&ordered);
  spin_lock(&findings->lock);
  uint32_t i = 0;
  while (i < findings->count && !is_same_pair(&findings->items[i], &ordered))
    i++;
  if (i < findings->count)
    count_one(&findings->items[i], &ordered);
  else if (i < MOST_FINDINGS)
    findings->items[findings->count++] = ordered;
  else
    findings->left_out++;
  spin_unlock(&findings->lock);
}

static bool is_before(const VectorPair *a, const VectorPair *b) {
  return !b->load || a->load_place < b->load_place ||
         (a->load_place == b->load_place && a->store_place < b->store_place);
}

void findings_note_vector(RaceFindings *findings, const VectorPair *pair) {
  spin_lock(&findings->lock);
  if (is_before(pair, &findings->vector))
    findings->vector = *pair;
  spin_unlock(&findings->lock);
}

void race_add_advice(RaceFindings *findings, const RaceFindings *from) {
  if (from->vector.load)
    findings_note_vector(findings, &from->vector);
}

// --- reporting

static const char *thread_name(const Program *program, const RaceSide *side, Arena *arena) {
  const char *copy = side->is_copy ? "a copy by " : "";
  if (side->thread == UINT32_MAX)
    return arena_format(arena, "a bulk copy of block %u", side->block_in_grid);
  return arena_format(
      arena, "%s%s", copy,
      grid_thread_name(program, side->grid, side->block_in_grid, side->thread, arena));
}

static const char *location_name(const Program *program, const RaceFinding *found, Arena *arena) {
  if (found->is_shared)
    return grid_shared_name(program->grids[found->sides[0].grid].code,
                            found->address - GRID_SHARED_START, arena);
  const Region *region = memory_find(program->memory, found->address, 1);
  if (!region)
    return "memory";
  return memory_place_name(region, found->address, arena);
}

static const char *how_often(const RaceFinding *found, Arena *arena) {
  if (found->count < 2)
    return "";
  return arena_format(arena, " (%llu times in all)", (unsigned long long)found->count);
}

static const char *reason(const RaceFindings *all, const RaceFinding *found, const Program *program,
                          Arena *arena) {
  if (found->sub == RULE_NOT_ATOMIC_HERE) {
    const char *limit = limits_reason(program, found, arena);
    return limit ? limit : "the machine does not make the flag atomic between the two threads";
  }
  if (found->rule == RULE_NC_LOAD_OF_WRITTEN_DATA)
    return "the read-only path may hold what was there before the write, whatever orders the two";
  if (all->is_cuda)
    return "happens-before orders neither access before the other, and they are not atomic toward "
           "each other: undefined behaviour in CUDA C++";
  if (found->sub == RULE_PROXY_FENCE_MISSING)
    return fault_proxy_reason(found->is_reuse);
  if (found->rule == RULE_TORN_ACCESS)
    return "causality orders neither access before the other, and they overlap only in part: the "
           "model leaves open what happens";
  return "causality orders neither access before the other, and they are not morally strong: a "
         "read "
         "may see either value or a mixture, and writes have no coherence order";
}

static void note_inlining(DiagList *findings, Diag *diag, const Instruction *instruction) {
  for (const InlinedPlace *place = instruction->inlined; place; place = place->next)
    diag_note(findings, diag, place->span, "inlined here");
}

static void note_flag(const Program *program, const RaceFinding *found, DiagList *findings,
                      Diag *diag) {
  const RaceSide *sides = found->sides;
  (void)program;
  if (!sides[0].flag || !sides[1].flag)
    return;
  diag_note(findings, diag, sides[0].flag->span, "a flag is passed on here: `%s`",
            sides[0].flag->text);
  diag_note(findings, diag, sides[1].flag->span, "and is seen here: `%s`", sides[1].flag->text);
}

static void report_visitor(const RaceFinding *found, const Program *program, DiagList *findings) {
  Arena *arena = findings->arena;
  const Instruction *instruction = found->sides[0].instruction;
  Diag *diag =
      diag_add(findings, rule_get(found->rule).severity, rule_id(found->rule), instruction->span,
               "%s accesses %s of block %u, which does not wait for that before it "
               "exits%s: `%s`",
               thread_name(program, &found->sides[0], arena), location_name(program, found, arena),
               found->sides[1].block_in_grid, how_often(found, arena), instruction->text);
  diag->reason = "shared memory lasts as long as its block, and no order puts the end of the block "
                 "behind the access";
  note_inlining(findings, diag, instruction);
}

static void report_host(const RaceFinding *found, const Program *program, DiagList *findings) {
  Arena *arena = findings->arena;
  const Instruction *instruction = found->sides[0].instruction;
  Diag *diag = diag_add(findings, rule_get(found->rule).severity, rule_id(found->rule),
                        instruction->span, "%s: `%s`, %s accesses %s%s", fault_text(found->rule),
                        instruction->text, thread_name(program, &found->sides[0], arena),
                        location_name(program, found, arena), how_often(found, arena));
  note_inlining(findings, diag, instruction);
}

static bool is_spoken_for(const RaceFinding *found) {
  const RaceSide *sides = found->sides;
  return found->sub == RULE_BARRIER_MISSING &&
         (sides[0].grid != sides[1].grid || sides[0].block_in_grid != sides[1].block_in_grid);
}

static void report_one(const RaceFindings *all, const RaceFinding *found, const Program *program,
                       DiagList *findings) {
  Arena *arena = findings->arena;
  const RaceSide *first = &found->sides[0], *second = &found->sides[1];
  RuleNumber meaning = found->sub == RULE_COUNT ? found->rule : found->sub;
  Diag *diag = diag_add(findings, rule_get(found->rule).severity, rule_id(found->rule),
                        first->instruction->span, "%s and %s access %s without order%s: %s",
                        thread_name(program, first, arena), thread_name(program, second, arena),
                        location_name(program, found, arena), how_often(found, arena),
                        is_spoken_for(found) ? fault_spokesman_text() : rule_get(meaning).meaning);
  if (is_spoken_for(found))
    diag->remedy = fault_spokesman_remedy();
  if (found->sub == RULE_NOT_ATOMIC_HERE)
    diag->rule = rule_id(found->sub);
  else if (found->sub != RULE_COUNT)
    diag->sub = rule_id(found->sub);
  diag->reason = reason(all, found, program, arena);
  diag_note(findings, diag, second->instruction->span, "the other access, of %s: `%s`",
            thread_name(program, second, arena), second->instruction->text);
  note_flag(program, found, findings, diag);
  note_inlining(findings, diag, first->instruction);
  if (second->instruction->inlined != first->instruction->inlined)
    note_inlining(findings, diag, second->instruction);
}

static int compare_spans(Span a, Span b) {
  if (a.begin != b.begin)
    return a.begin < b.begin ? -1 : 1;
  return a.end == b.end ? 0 : a.end < b.end ? -1 : 1;
}

static int compare_findings(const void *a, const void *b) {
  const RaceFinding *first = *(const RaceFinding *const *)a;
  const RaceFinding *second = *(const RaceFinding *const *)b;
  for (uint32_t i = 0; i < 2; i++) {
    int order =
        compare_spans(first->sides[i].instruction->span, second->sides[i].instruction->span);
    if (order)
      return order;
  }
  if (first->rule != second->rule)
    return first->rule < second->rule ? -1 : 1;
  return first->sub == second->sub ? 0 : first->sub < second->sub ? -1 : 1;
}

static bool is_same_span(Span a, Span b) {
  return a.source == b.source && a.begin == b.begin && a.end == b.end;
}

// A copy of the code says more about the cause than another one if it names a flag.
static void count_repetition(RaceFinding *known, const RaceFinding *found) {
  bool says_more = known->sub == RULE_NO_SYNCHRONISATION && rank(found->sub) == 2;
  uint64_t count = known->count + found->count;
  if (says_more)
    *known = *found;
  else
    count_one(known, found);
  known->count = count;
}

// The same lines, of another copy of the code that the compiler made, or of an atomic that has
// written in one race and has only read in another.
static bool is_repetition(const RaceFinding *a, const RaceFinding *b) {
  Span first = a->sides[0].instruction->span, second = a->sides[1].instruction->span;
  Span here = b->sides[0].instruction->span, there = b->sides[1].instruction->span;
  return a->rule == b->rule && ((is_same_span(first, here) && is_same_span(second, there)) ||
                                (is_same_span(first, there) && is_same_span(second, here)));
}

// Of the findings that repeat each other the first one stays. Returns how many are left.
static uint32_t drop_repetitions(RaceFinding **findings, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t j = 0;
    while (j < kept && !is_repetition(findings[j], findings[i]))
      j++;
    if (j < kept)
      count_repetition(findings[j], findings[i]);
    else
      findings[kept++] = findings[i];
  }
  return kept;
}

// Said once, whatever the number of such vectors: it is about how the program is made.
static void report_vector(const VectorPair *pair, DiagList *findings) {
  Diag *diag = diag_add(findings, SEVERITY_ADVICE, rule_id(RULE_TORN_ACCESS), pair->load->span,
                        "each element of this vector is an access of its own: some may be seen as "
                        "another thread stored them, others as they were before: `%s`",
                        pair->load->text);
  diag->reason = "the model does not keep the elements of a vector together (PTX ISA, \"Vector "
                 "Data-types\"); GPUs load and store an aligned vector of up to 16 bytes at once, "
                 "and so does a run of one device, unless --split-vectors is given";
  note_inlining(findings, diag, pair->load);
  diag_note(findings, diag, pair->store->span, "they are stored here: `%s`", pair->store->text);
}

void race_report(const RaceFindings *found, const Program *program, DiagList *findings) {
  Arena *arena = findings->arena;
  RaceFinding **sorted = ARENA_ARRAY(arena, RaceFinding *, found->count + 1);
  for (uint32_t i = 0; i < found->count; i++) {
    sorted[i] = ARENA_NEW(arena, RaceFinding);
    *sorted[i] = found->items[i];
  }
  qsort(sorted, found->count, sizeof *sorted, compare_findings);
  uint32_t count = drop_repetitions(sorted, found->count);
  for (uint32_t i = 0; i < count; i++)
    if (sorted[i]->rule == RULE_USE_AFTER_EXIT)
      report_visitor(sorted[i], program, findings);
    else if (sorted[i]->rule == RULE_MANAGED_IN_USE)
      report_host(sorted[i], program, findings);
    else
      report_one(found, sorted[i], program, findings);
  if (found->vector.load)
    report_vector(&found->vector, findings);
}
