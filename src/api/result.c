// Results, findings and witnesses as the public header shows them: the library's own objects behind
// opaque names.
#include "api/session.h"

#include <assert.h>

#include "base/rules.h"
#include "report/report.h"

static const Result *inner_result(const WarpsanResult *result) {
  return (const Result *)result;
}

static const Diag *inner_finding(const WarpsanFinding *finding) {
  return (const Diag *)finding;
}

static const Witness *inner_witness(const WarpsanWitness *witness) {
  return (const Witness *)witness;
}

static WarpsanPlace to_place(Span span) {
  if (!span.source)
    return (WarpsanPlace){0};
  Position begin = source_position(span.source, span.begin);
  Position end = source_position(span.source, span.end);
  return (WarpsanPlace){span.source->name, begin.line, begin.column, end.line, end.column};
}

const WarpsanResult *warpsan_results_get(const WarpsanResults *results, size_t i) {
  assert(i < results->list.count);
  return (const WarpsanResult *)results->list.items[i];
}

_Static_assert((int)WARPSAN_OUTCOME_BAD_INPUT == (int)OUTCOME_BAD_INPUT &&
                   (int)WARPSAN_OUTCOME_FINDINGS == (int)OUTCOME_FINDINGS &&
                   (int)WARPSAN_OUTCOME_INCOMPLETE == (int)OUTCOME_INCOMPLETE &&
                   (int)WARPSAN_VERDICT_VIOLATED == (int)VERDICT_VIOLATED &&
                   (int)WARPSAN_VERDICT_FORBIDDEN == (int)VERDICT_FORBIDDEN &&
                   (int)WARPSAN_VERDICT_UNKNOWN == (int)VERDICT_UNKNOWN &&
                   (int)WARPSAN_SEVERITY_ADVICE == (int)SEVERITY_ADVICE &&
                   WARPSAN_INITIAL == WITNESS_INITIAL,
               "the public enumerations are the library's own");

WarpsanOutcome warpsan_result_outcome(const WarpsanResult *result) {
  return (WarpsanOutcome)report_outcome(inner_result(result));
}

WarpsanVerdict warpsan_result_verdict(const WarpsanResult *result) {
  return (WarpsanVerdict)report_verdict(inner_result(result));
}

const char *warpsan_verdict_name(WarpsanVerdict verdict) {
  return report_verdict_name((Verdict)verdict);
}

const char *warpsan_result_input(const WarpsanResult *result) {
  return inner_result(result)->input;
}

const char *warpsan_result_test(const WarpsanResult *result) {
  return inner_result(result)->name;
}

const char *warpsan_result_model(const WarpsanResult *result) {
  return inner_result(result)->model;
}

const char *warpsan_result_condition(const WarpsanResult *result) {
  return inner_result(result)->condition_text;
}

const char *warpsan_result_incomplete(const WarpsanResult *result) {
  return inner_result(result)->incomplete;
}

uint64_t warpsan_result_executions(const WarpsanResult *result) {
  return inner_result(result)->executions;
}

uint64_t warpsan_result_duplicates(const WarpsanResult *result) {
  return inner_result(result)->duplicates;
}

uint64_t warpsan_result_blocked(const WarpsanResult *result) {
  return inner_result(result)->blocked;
}

uint64_t warpsan_result_cut(const WarpsanResult *result) {
  return inner_result(result)->cut;
}

uint64_t warpsan_result_instructions(const WarpsanResult *result) {
  return inner_result(result)->run ? inner_result(result)->run->instructions : 0;
}

uint64_t warpsan_result_accesses(const WarpsanResult *result) {
  return inner_result(result)->run ? inner_result(result)->run->accesses : 0;
}

double warpsan_result_seconds(const WarpsanResult *result) {
  return inner_result(result)->seconds;
}

size_t warpsan_result_column_count(const WarpsanResult *result) {
  return inner_result(result)->column_count;
}

const char *warpsan_result_column_name(const WarpsanResult *result, size_t column) {
  assert(column < inner_result(result)->column_count);
  return inner_result(result)->columns[column];
}

size_t warpsan_result_state_count(const WarpsanResult *result) {
  return inner_result(result)->state_count;
}

static const ResultState *get_state(const WarpsanResult *result, size_t state) {
  assert(state < inner_result(result)->state_count);
  return &inner_result(result)->states[state];
}

int64_t warpsan_result_state_value(const WarpsanResult *result, size_t state, size_t column) {
  assert(column < inner_result(result)->column_count);
  return get_state(result, state)->values[column];
}

uint64_t warpsan_result_state_executions(const WarpsanResult *result, size_t state) {
  return get_state(result, state)->count;
}

bool warpsan_result_state_satisfies(const WarpsanResult *result, size_t state) {
  return get_state(result, state)->satisfies;
}

size_t warpsan_result_finding_count(const WarpsanResult *result) {
  return inner_result(result)->findings.count;
}

const WarpsanFinding *warpsan_result_finding(const WarpsanResult *result, size_t i) {
  assert(i < inner_result(result)->findings.count);
  return (const WarpsanFinding *)&inner_result(result)->findings.items[i];
}

const WarpsanWitness *warpsan_result_witness(const WarpsanResult *result) {
  return (const WarpsanWitness *)inner_result(result)->witness;
}

const char *warpsan_finding_rule(const WarpsanFinding *finding) {
  return inner_finding(finding)->rule;
}

const char *warpsan_finding_sub(const WarpsanFinding *finding) {
  return inner_finding(finding)->sub;
}

WarpsanSeverity warpsan_finding_severity(const WarpsanFinding *finding) {
  return (WarpsanSeverity)inner_finding(finding)->severity;
}

WarpsanPlace warpsan_finding_place(const WarpsanFinding *finding) {
  return to_place(inner_finding(finding)->span);
}

const char *warpsan_finding_message(const WarpsanFinding *finding) {
  return inner_finding(finding)->message;
}

const char *warpsan_finding_reason(const WarpsanFinding *finding) {
  return inner_finding(finding)->reason;
}

const char *warpsan_finding_remedy(const WarpsanFinding *finding) {
  return rule_remedy(inner_finding(finding));
}

size_t warpsan_finding_note_count(const WarpsanFinding *finding) {
  return inner_finding(finding)->notes.count;
}

static const DiagNote *get_note(const WarpsanFinding *finding, size_t note) {
  assert(note < inner_finding(finding)->notes.count);
  return &inner_finding(finding)->notes.items[note];
}

WarpsanPlace warpsan_finding_note_place(const WarpsanFinding *finding, size_t note) {
  return to_place(get_note(finding, note)->span);
}

const char *warpsan_finding_note_message(const WarpsanFinding *finding, size_t note) {
  return get_note(finding, note)->message;
}

size_t warpsan_finding_fix_count(const WarpsanFinding *finding) {
  return inner_finding(finding)->fixes.count;
}

static const DiagFix *get_fix(const WarpsanFinding *finding, size_t fix) {
  assert(fix < inner_finding(finding)->fixes.count);
  return &inner_finding(finding)->fixes.items[fix];
}

WarpsanPlace warpsan_finding_fix_place(const WarpsanFinding *finding, size_t fix) {
  return to_place(get_fix(finding, fix)->span);
}

const char *warpsan_finding_fix_text(const WarpsanFinding *finding, size_t fix) {
  return get_fix(finding, fix)->text;
}

const char *warpsan_finding_fix_message(const WarpsanFinding *finding, size_t fix) {
  return get_fix(finding, fix)->message;
}

const WarpsanWitness *warpsan_finding_witness(const WarpsanFinding *finding) {
  return (const WarpsanWitness *)inner_finding(finding)->witness;
}

const char *warpsan_witness_title(const WarpsanWitness *witness) {
  return inner_witness(witness)->title;
}

const char *warpsan_witness_axiom(const WarpsanWitness *witness) {
  return inner_witness(witness)->axiom;
}

const char *warpsan_witness_explanation(const WarpsanWitness *witness) {
  return inner_witness(witness)->explanation;
}

size_t warpsan_witness_thread_count(const WarpsanWitness *witness) {
  return inner_witness(witness)->thread_count;
}

const char *warpsan_witness_thread_name(const WarpsanWitness *witness, size_t thread) {
  assert(thread < inner_witness(witness)->thread_count);
  return inner_witness(witness)->thread_names[thread];
}

size_t warpsan_witness_event_count(const WarpsanWitness *witness) {
  return inner_witness(witness)->event_count;
}

WarpsanEvent warpsan_witness_event(const WarpsanWitness *witness, size_t event) {
  assert(event < inner_witness(witness)->event_count);
  const WitnessEvent *inner = &inner_witness(witness)->events[event];
  return (WarpsanEvent){inner->thread, inner->label, to_place(inner->span)};
}

size_t warpsan_witness_order_count(const WarpsanWitness *witness) {
  return inner_witness(witness)->order_count;
}

size_t warpsan_witness_order(const WarpsanWitness *witness, size_t position) {
  assert(position < inner_witness(witness)->order_count);
  return inner_witness(witness)->order[position];
}

size_t warpsan_witness_edge_count(const WarpsanWitness *witness) {
  return inner_witness(witness)->edge_count;
}

WarpsanEdge warpsan_witness_edge(const WarpsanWitness *witness, size_t edge) {
  assert(edge < inner_witness(witness)->edge_count);
  const WitnessEdge *inner = &inner_witness(witness)->edges[edge];
  return (WarpsanEdge){inner->relation, inner->from, inner->to, inner->highlighted};
}

size_t warpsan_rule_count(void) {
  return RULE_COUNT;
}

const char *warpsan_rule_id(size_t rule) {
  return rule_get((RuleNumber)rule).id;
}

const char *warpsan_rule_parent(size_t rule) {
  RuleNumber parent = rule_get((RuleNumber)rule).parent;
  return parent == RULE_COUNT ? NULL : rule_get(parent).id;
}

const char *warpsan_rule_meaning(size_t rule) {
  return rule_get((RuleNumber)rule).meaning;
}

const char *warpsan_rule_remedy(size_t rule) {
  return rule_get((RuleNumber)rule).remedy;
}

WarpsanSeverity warpsan_rule_severity(size_t rule) {
  return (WarpsanSeverity)rule_get((RuleNumber)rule).severity;
}

const char *warpsan_rule_bad_example(size_t rule) {
  return report_bad_example(warpsan_rule_id(rule));
}

const char *warpsan_rule_good_example(size_t rule) {
  return report_good_example(warpsan_rule_id(rule));
}
