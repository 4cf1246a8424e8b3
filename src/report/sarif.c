// SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"): one run with all results.
#include "report/report.h"

#include "base/rules.h"
#include "report/json.h"

#include <ctype.h>
#include <string.h>

static void begin_object(Writer *writer, bool is_first) {
  writer_text(writer, is_first ? "{" : ", {");
}

static void begin_list(Writer *writer, bool is_first, const char *key) {
  json_key(writer, is_first, key);
  writer_char(writer, '[');
}

static void begin_member(Writer *writer, bool is_first, const char *key) {
  json_key(writer, is_first, key);
  writer_char(writer, '{');
}

// A message, `"text": "` and what is behind it. Braces in it would be placeholders ("Messages with
// placeholders"): they are doubled.
static void begin_message(Writer *writer, bool is_first, const char *key) {
  begin_member(writer, is_first, key);
  json_key(writer, true, "text");
  writer_char(writer, '"');
}

static void add_message(Writer *writer, const char *text) {
  writer_escape_text(writer, ESCAPE_SARIF, text);
}

static void end_message(Writer *writer) {
  writer_text(writer, "\"}");
}

static void print_message(Writer *writer, bool is_first, const char *key, const char *text) {
  begin_message(writer, is_first, key);
  add_message(writer, text);
  end_message(writer);
}

// A path as the URI reference that the format demands: RFC 3986's unreserved characters and the
// slash stand for themselves.
static void print_uri(Writer *writer, const char *path) {
  while (strncmp(path, "./", 2) == 0 && path[2] != '/') // one file, one name
    path += 2;
  writer_text(writer, path[0] == '/' ? "\"file://" : "\"");
  for (const char *c = path; *c; c++) {
    if (isalnum((unsigned char)*c) || strchr("-._~/", *c))
      writer_char(writer, *c);
    else
      writer_format(writer, "%%%02X", (unsigned char)*c);
  }
  writer_char(writer, '"');
}

// Columns count characters here (columnKind), in positions they count bytes.
static uint32_t character_column(const Source *source, uint32_t offset) {
  const char *line;
  source_line(source, offset, &line);
  return (uint32_t)utf8_width(line, (size_t)(source->text + offset - line)) + 1;
}

// Of a file that is not at hand only the lines are known: they are empty.
static bool has_columns(Span span) {
  const char *line;
  return source_line(span.source, span.begin, &line) > 0;
}

static void print_region(Writer *writer, bool is_first, const char *key, Span span) {
  begin_member(writer, is_first, key);
  json_number_member(writer, true, "startLine", source_position(span.source, span.begin).line);
  if (has_columns(span)) {
    json_number_member(writer, false, "startColumn", character_column(span.source, span.begin));
    json_number_member(writer, false, "endLine", source_position(span.source, span.end).line);
    json_number_member(writer, false, "endColumn", character_column(span.source, span.end));
  }
  writer_char(writer, '}');
}

static void print_artifact(Writer *writer, const char *path) {
  begin_member(writer, true, "artifactLocation");
  json_key(writer, true, "uri");
  print_uri(writer, path);
  writer_char(writer, '}');
}

// A launch line of the command line is a source without a file, named like its option.
static bool is_in_option(Span span) {
  return span.source && strncmp(span.source->name, "--", 2) == 0;
}

static void print_physical_location(Writer *writer, bool is_first, Span span, const char *input) {
  bool is_in_file = span.source && !is_in_option(span);
  begin_member(writer, is_first, "physicalLocation");
  print_artifact(writer, is_in_file ? span.source->name : input);
  if (is_in_file)
    print_region(writer, false, "region", span);
  writer_char(writer, '}');
}

static void print_locations(Writer *writer, Span span, const char *input) {
  begin_list(writer, false, "locations");
  writer_char(writer, '{');
  print_physical_location(writer, true, span, input);
  writer_text(writer, "}]");
}

static void print_related(Writer *writer, const Diag *finding, const char *input) {
  if (finding->notes.count == 0)
    return;
  begin_list(writer, false, "relatedLocations");
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    begin_object(writer, i == 0);
    json_number_member(writer, true, "id", i);
    print_physical_location(writer, false, finding->notes.items[i].span, input);
    print_message(writer, false, "message", finding->notes.items[i].message);
    writer_char(writer, '}');
  }
  writer_char(writer, ']');
}

// ---- witnesses as code flows: a thread flow for each thread

// Position in the order of one run, from 1; 0: not known.
static uint32_t execution_order(const Witness *witness, uint32_t event) {
  for (uint32_t i = 0; i < witness->order_count; i++)
    if (witness->order[i] == event)
      return i + 1;
  return 0;
}

static bool is_essential(const Witness *witness, uint32_t event) {
  for (uint32_t i = 0; i < witness->edge_count; i++)
    if (witness->edges[i].highlighted &&
        (witness->edges[i].from == event || witness->edges[i].to == event))
      return true;
  return false;
}

static void print_flow_step(Writer *writer, const Witness *witness, uint32_t number,
                            bool is_first) {
  const WitnessEvent *event = &witness->events[number];
  uint32_t order = execution_order(witness, number);
  begin_object(writer, is_first);
  begin_member(writer, true, "location");
  if (event->span.source)
    print_physical_location(writer, true, event->span, "");
  print_message(writer, !event->span.source, "message", event->label);
  writer_char(writer, '}');
  if (order)
    json_number_member(writer, false, "executionOrder", order);
  if (is_essential(witness, number))
    json_string_member(writer, false, "importance", "essential");
  writer_char(writer, '}');
}

static bool has_event(const Witness *witness, uint32_t thread) {
  for (uint32_t i = 0; i < witness->event_count; i++)
    if (witness->events[i].thread == thread)
      return true;
  return false;
}

static void print_thread_flow(Writer *writer, const Witness *witness, uint32_t thread,
                              bool is_first) {
  begin_object(writer, is_first);
  json_string_member(writer, true, "id", witness->thread_names[thread]);
  begin_list(writer, false, "locations");
  bool is_first_step = true;
  for (uint32_t i = 0; i < witness->event_count; i++) {
    if (witness->events[i].thread != thread)
      continue;
    print_flow_step(writer, witness, i, is_first_step);
    is_first_step = false;
  }
  writer_text(writer, "]}");
}

static bool has_thread_event(const Witness *witness) {
  for (uint32_t i = 0; i < witness->thread_count; i++)
    if (has_event(witness, i))
      return true;
  return false;
}

static void print_code_flows(const Report *report, const Witness *witness) {
  // The format allows no empty flows.
  if (!witness || report->options->omit_witness || !has_thread_event(witness))
    return;
  Writer *writer = report->writer;
  begin_list(writer, false, "codeFlows");
  writer_char(writer, '{');
  const char *text = witness->explanation ? witness->explanation : witness->title;
  print_message(writer, true, "message", text ? text : "execution");
  begin_list(writer, false, "threadFlows");
  bool is_first = true;
  for (uint32_t i = 0; i < witness->thread_count; i++) {
    if (!has_event(witness, i))
      continue;
    print_thread_flow(writer, witness, i, is_first);
    is_first = false;
  }
  writer_text(writer, "]}]");
}

// ---- fixes

static void print_fix(Writer *writer, const DiagFix *fix, bool is_first) {
  begin_object(writer, is_first);
  print_message(writer, true, "description", fix->message ? fix->message : "proposed edit");
  begin_list(writer, false, "artifactChanges");
  writer_char(writer, '{');
  print_artifact(writer, fix->span.source->name);
  begin_list(writer, false, "replacements");
  writer_char(writer, '{');
  print_region(writer, true, "deletedRegion", fix->span);
  begin_member(writer, false, "insertedContent");
  json_string_member(writer, true, "text", fix->text);
  writer_text(writer, "}}]}]}");
}

static void print_fixes(Writer *writer, const Diag *finding) {
  bool is_first = true;
  for (uint32_t i = 0; i < finding->fixes.count; i++) {
    if (!finding->fixes.items[i].span.source)
      continue;
    if (is_first)
      begin_list(writer, false, "fixes");
    print_fix(writer, &finding->fixes.items[i], is_first);
    is_first = false;
  }
  if (!is_first)
    writer_char(writer, ']');
}

// ---- results

static const char *level_name(Severity severity) {
  return severity == SEVERITY_ERROR ? "error" : severity == SEVERITY_WARNING ? "warning" : "note";
}

// A sub-rule is the second component of a hierarchical identifier.
static void print_rule_id(Writer *writer, bool is_first, const char *key, const char *rule,
                          const char *sub) {
  json_key(writer, is_first, key);
  writer_char(writer, '"');
  writer_escape_text(writer, ESCAPE_JSON, rule);
  if (sub) {
    writer_char(writer, '/');
    writer_escape_text(writer, ESCAPE_JSON, sub);
  }
  writer_char(writer, '"');
}

// All rules and sub-rules stand among the driver's rules, in the order of their numbers.
static void print_rule_reference(Writer *writer, const char *rule, const char *sub) {
  print_rule_id(writer, true, "ruleId", rule, sub);
  RuleNumber number = sub ? rule_find(sub) : RULE_COUNT;
  if (number == RULE_COUNT)
    number = rule_find(rule);
  if (number != RULE_COUNT)
    json_number_member(writer, false, "ruleIndex", number);
}

static void add_sentence(Writer *writer, const char *text) {
  if (!text)
    return;
  add_message(writer, "\n");
  add_message(writer, text);
}

// What is wrong in an option has its place there, and no file to show it in.
static void add_place_in_option(Writer *writer, Span span) {
  if (!is_in_option(span))
    return;
  Position position = source_position(span.source, span.begin);
  add_message(writer, span.source->name);
  writer_format(writer, ":%u:%u: ", position.line, position.column);
}

static void print_finding_message(Writer *writer, const Diag *finding) {
  begin_message(writer, false, "message");
  add_place_in_option(writer, finding->span);
  add_message(writer, finding->message);
  add_sentence(writer, finding->reason);
  add_sentence(writer, rule_remedy(finding));
  end_message(writer);
}

static void print_model(Writer *writer, const Result *result) {
  if (!result->model)
    return;
  begin_member(writer, false, "properties");
  json_string_member(writer, true, "model", result->model);
  writer_char(writer, '}');
}

static void print_finding(const Report *report, const Result *result, const Diag *finding,
                          bool is_first) {
  Writer *writer = report->writer;
  begin_object(writer, is_first);
  print_rule_reference(writer, finding->rule, finding->sub);
  json_string_member(writer, false, "level", level_name(finding->severity));
  print_finding_message(writer, finding);
  print_locations(writer, finding->span, result->input);
  print_related(writer, finding, result->input);
  print_code_flows(report, finding->witness);
  print_fixes(writer, finding);
  print_model(writer, result);
  writer_char(writer, '}');
}

static void print_violation_message(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  begin_message(writer, false, "message");
  add_message(writer, "violated: ");
  add_message(writer, report_condition_name(result->condition));
  add_message(writer, " ");
  add_message(writer, result->condition_text ? result->condition_text : "");
  end_message(writer);
}

static void print_violation(const Report *report, const Result *result, bool is_first) {
  Writer *writer = report->writer;
  begin_object(writer, is_first);
  print_rule_reference(writer, rule_id(RULE_CONDITION), NULL);
  json_string_member(writer, false, "level", "error");
  print_violation_message(report, result);
  print_locations(writer, (Span){0}, result->input);
  print_code_flows(report, result->witness);
  print_model(writer, result);
  writer_char(writer, '}');
}

static bool is_violated(const Result *result) {
  return report_verdict(result) == VERDICT_VIOLATED && !result->verdict_is_expected;
}

static void print_results(const Report *report) {
  begin_list(report->writer, false, "results");
  bool is_first = true;
  for (uint32_t i = 0; i < report->result_count; i++) {
    const Result *result = report->results[i];
    if (is_violated(result)) {
      print_violation(report, result, is_first);
      is_first = false;
    }
    for (uint32_t k = 0; k < result->findings.count; k++) {
      print_finding(report, result, &result->findings.items[k], is_first);
      is_first = false;
    }
  }
  writer_char(report->writer, ']');
}

// ---- the tool

// Where findings are shown on web pages, a rule needs a description in full and a text that helps.
static void print_full_description(Writer *writer, Rule rule) {
  begin_message(writer, false, "fullDescription");
  if (rule.parent != RULE_COUNT) {
    add_message(writer, rule_get(rule.parent).meaning);
    add_message(writer, ": ");
  }
  add_message(writer, rule.meaning);
  end_message(writer);
}

static void print_help(Writer *writer, Rule rule) {
  begin_message(writer, false, "help");
  if (rule.remedy) {
    add_message(writer, rule.remedy);
    add_message(writer, "\n");
  }
  add_message(writer, "`warpsan explain ");
  add_message(writer, rule.id);
  add_message(writer, "` shows an example, wrong and right");
  end_message(writer);
}

static void print_rule(Writer *writer, Rule rule, bool is_first) {
  const char *parent = rule.parent == RULE_COUNT ? NULL : rule_id(rule.parent);
  begin_object(writer, is_first);
  print_rule_id(writer, true, "id", parent ? parent : rule.id, parent ? rule.id : NULL);
  print_message(writer, false, "shortDescription", rule.meaning);
  print_full_description(writer, rule);
  print_help(writer, rule);
  begin_member(writer, false, "defaultConfiguration");
  json_string_member(writer, true, "level", level_name(rule.severity));
  writer_text(writer, "}}");
}

static void print_tool(const Report *report) {
  Writer *writer = report->writer;
  begin_member(writer, true, "tool");
  begin_member(writer, true, "driver");
  json_string_member(writer, true, "name", "warpsan");
  json_string_member(writer, false, "version", report->options->version);
  begin_list(writer, false, "rules");
  for (int i = 0; i < RULE_COUNT; i++)
    print_rule(writer, rule_get((RuleNumber)i), i == 0);
  writer_text(writer, "]}}");
}

static void print_notification(Writer *writer, const Result *result, bool is_first) {
  begin_object(writer, is_first);
  json_string_member(writer, true, "level", "warning");
  begin_message(writer, false, "message");
  add_message(writer, "incomplete under ");
  add_message(writer, result->model);
  add_message(writer, ": ");
  add_message(writer, result->incomplete);
  end_message(writer);
  print_locations(writer, (Span){0}, result->input);
  writer_char(writer, '}');
}

// A search that was cut short is no finding: it is told as a notification of the tool.
static void print_invocation(const Report *report) {
  Writer *writer = report->writer;
  bool is_successful = true;
  for (uint32_t i = 0; i < report->result_count; i++)
    is_successful &= report->results[i]->engine != NULL;
  begin_list(writer, false, "invocations");
  writer_char(writer, '{');
  json_bool_member(writer, true, "executionSuccessful", is_successful);
  begin_list(writer, false, "toolExecutionNotifications");
  bool is_first = true;
  for (uint32_t i = 0; i < report->result_count; i++) {
    if (!report->results[i]->engine || !report->results[i]->incomplete)
      continue;
    print_notification(writer, report->results[i], is_first);
    is_first = false;
  }
  writer_text(writer, "]}]");
}

void report_sarif(const Report *report) {
  Writer *writer = report->writer;
  writer_text(writer, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", "
                      "\"version\": \"2.1.0\", \"runs\": [{");
  print_tool(report);
  json_string_member(writer, false, "columnKind", "unicodeCodePoints");
  print_invocation(report);
  print_results(report);
  writer_text(writer, "}]}\n");
}
