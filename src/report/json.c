// The JSON format: one object a line for each input and model. Fields may be added, never renamed.
#include "report/json.h"

#include "report/report.h"

#include "base/rules.h"

#include <string.h>

void json_string(Writer *writer, const char *text) {
  if (!text) {
    writer_text(writer, "null");
    return;
  }
  writer_char(writer, '"');
  writer_escape_text(writer, ESCAPE_JSON, text);
  writer_char(writer, '"');
}

void json_key(Writer *writer, bool is_first, const char *key) {
  if (!is_first)
    writer_text(writer, ", ");
  json_string(writer, key);
  writer_text(writer, ": ");
}

void json_string_member(Writer *writer, bool is_first, const char *key, const char *text) {
  json_key(writer, is_first, key);
  json_string(writer, text);
}

void json_number_member(Writer *writer, bool is_first, const char *key, uint64_t number) {
  json_key(writer, is_first, key);
  writer_unsigned(writer, number);
}

void json_bool_member(Writer *writer, bool is_first, const char *key, bool value) {
  json_key(writer, is_first, key);
  writer_text(writer, value ? "true" : "false");
}

static bool is_reserved_column(const char *name) {
  return strcmp(name, "count") == 0;
}

void json_state_members(Writer *writer, const Result *result, const int64_t *values) {
  for (uint32_t i = 0; i < result->column_count; i++) {
    const char *name = result->columns[i];
    if (is_reserved_column(name)) {
      writer_format(writer, "%s\"[%s]\": ", i > 0 ? ", " : "", name);
    } else {
      json_key(writer, i == 0, name);
    }
    writer_signed(writer, values[i]);
  }
}

static void print_states(Writer *writer, const Result *result) {
  json_key(writer, false, "states");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < result->state_count; i++) {
    writer_text(writer, i > 0 ? ", {" : "{");
    json_state_members(writer, result, result->states[i].values);
    json_number_member(writer, result->column_count == 0, "count", result->states[i].count);
    writer_char(writer, '}');
  }
  writer_char(writer, ']');
}

// `"file": ..., "line": ..., "column": ...`, with nulls where there is no place.
static void print_place(Writer *writer, bool is_first, Span span, const char *input) {
  json_string_member(writer, is_first, "file", span.source ? span.source->name : input);
  if (!span.source) {
    writer_text(writer, ", \"line\": null, \"column\": null");
    return;
  }
  Position position = source_position(span.source, span.begin);
  json_number_member(writer, false, "line", position.line);
  json_number_member(writer, false, "column", position.column);
}

static void print_event(Writer *writer, const Witness *witness, uint32_t i) {
  const WitnessEvent *event = &witness->events[i];
  writer_text(writer, i > 0 ? ", {" : "{");
  json_number_member(writer, true, "id", i);
  json_string_member(writer, false, "thread",
                     event->thread == WITNESS_INITIAL ? NULL
                                                      : witness->thread_names[event->thread]);
  json_string_member(writer, false, "label", event->label);
  json_key(writer, false, "line");
  if (event->span.source)
    writer_unsigned(writer, source_position(event->span.source, event->span.begin).line);
  else
    writer_text(writer, "null");
  writer_char(writer, '}');
}

static void print_edge(Writer *writer, const WitnessEdge *edge, bool is_first) {
  writer_text(writer, is_first ? "{" : ", {");
  json_string_member(writer, true, "relation", edge->relation);
  json_number_member(writer, false, "from", edge->from);
  json_number_member(writer, false, "to", edge->to);
  json_bool_member(writer, false, "highlighted", edge->highlighted);
  writer_char(writer, '}');
}

static void print_witness(const Report *report, const Witness *witness) {
  Writer *writer = report->writer;
  json_key(writer, false, "witness");
  if (!witness || report->options->omit_witness) {
    writer_text(writer, "null");
    return;
  }
  writer_char(writer, '{');
  json_string_member(writer, true, "title", witness->title);
  json_key(writer, false, "events");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < witness->event_count; i++)
    print_event(writer, witness, i);
  writer_char(writer, ']');
  json_key(writer, false, "edges");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < witness->edge_count; i++)
    print_edge(writer, &witness->edges[i], i == 0);
  writer_char(writer, ']');
  json_key(writer, false, "order");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < witness->order_count; i++)
    writer_format(writer, i ? ", %u" : "%u", witness->order[i]);
  writer_char(writer, ']');
  json_string_member(writer, false, "axiom", witness->axiom);
  json_string_member(writer, false, "explanation", witness->explanation);
  writer_char(writer, '}');
}

static void print_related(Writer *writer, const Diag *finding, const char *input) {
  json_key(writer, false, "related");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    writer_text(writer, i > 0 ? ", {" : "{");
    print_place(writer, true, finding->notes.items[i].span, input);
    json_string_member(writer, false, "message", finding->notes.items[i].message);
    writer_char(writer, '}');
  }
  writer_char(writer, ']');
}

static void print_fix(Writer *writer, const DiagFix *fix, const char *input, bool is_first) {
  writer_text(writer, is_first ? "{" : ", {");
  print_place(writer, true, fix->span, input);
  if (fix->span.source) {
    Position end = source_position(fix->span.source, fix->span.end);
    json_number_member(writer, false, "end_line", end.line);
    json_number_member(writer, false, "end_column", end.column);
  }
  json_string_member(writer, false, "text", fix->text);
  json_string_member(writer, false, "message", fix->message);
  writer_char(writer, '}');
}

static void print_finding(const Report *report, const Diag *finding, const char *input) {
  Writer *writer = report->writer;
  json_string_member(writer, true, "rule", finding->rule);
  json_string_member(writer, false, "sub", finding->sub);
  json_string_member(writer, false, "severity", severity_name(finding->severity));
  json_string_member(writer, false, "message", finding->message);
  json_string_member(writer, false, "reason", finding->reason);
  json_string_member(writer, false, "remedy", rule_remedy(finding));
  print_place(writer, false, finding->span, input);
  print_related(writer, finding, input);
  json_key(writer, false, "fixes");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < finding->fixes.count; i++)
    print_fix(writer, &finding->fixes.items[i], input, i == 0);
  writer_char(writer, ']');
  print_witness(report, finding->witness);
}

static void print_findings(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  json_key(writer, false, "findings");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < result->findings.count; i++) {
    writer_text(writer, i > 0 ? ", {" : "{");
    print_finding(report, &result->findings.items[i], result->input);
    writer_char(writer, '}');
  }
  writer_char(writer, ']');
}

// `holds` is null where there is no condition or no certain answer.
static void print_condition(Writer *writer, const Result *result) {
  Verdict verdict = report_verdict(result);
  bool has_condition = result->condition != CONDITION_NONE;
  json_string_member(writer, false, "condition",
                     has_condition ? report_condition_name(result->condition) : NULL);
  json_string_member(writer, false, "proposition", result->condition_text);
  json_key(writer, false, "holds");
  if (verdict == VERDICT_NONE || verdict == VERDICT_UNKNOWN)
    writer_text(writer, "null");
  else
    writer_text(writer, result->holds ? "true" : "false");
  json_string_member(writer, false, "verdict",
                     verdict == VERDICT_NONE ? NULL : report_verdict_name(verdict));
}

static void print_run(Writer *writer, const RunCounts *run) {
  if (!run)
    return;
  json_number_member(writer, false, "instructions", run->instructions);
  json_number_member(writer, false, "accesses", run->accesses);
  json_number_member(writer, false, "barriers", run->barriers);
  json_number_member(writer, false, "blocks", run->blocks);
  json_number_member(writer, false, "threads", run->threads);
}

static void print_result(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  writer_char(writer, '{');
  json_string_member(writer, true, "input", result->input);
  json_string_member(writer, false, "test", result->name);
  json_string_member(writer, false, "model", result->model);
  json_string_member(writer, false, "engine", result->engine);
  json_bool_member(writer, false, "complete", result->complete);
  json_number_member(writer, false, "executions", result->executions);
  json_number_member(writer, false, "duplicates", result->duplicates);
  json_number_member(writer, false, "blocked", result->blocked);
  json_number_member(writer, false, "cut", result->cut);
  json_string_member(writer, false, "symmetry", result->symmetry);
  json_number_member(writer, false, "steps", result->step_count);
  print_run(writer, result->run);
  print_condition(writer, result);
  print_states(writer, result);
  print_findings(report, result);
  json_number_member(writer, false, "suppressed", result->suppressed);
  print_witness(report, result->witness);
  json_key(writer, false, "seconds");
  writer_format(writer, "%.6f", result->seconds);
  json_string_member(writer, false, "incomplete",
                     result->engine ? result->incomplete : "bad input");
  writer_text(writer, "}\n");
}

void report_json(const Report *report) {
  for (uint32_t i = 0; i < report->result_count; i++)
    print_result(report, report->results[i]);
}
