// One self-contained page: a table of verdicts, and below it for each result its states, findings
// and witnesses. No scripts, nothing loaded from elsewhere.
#include "report/report.h"

#include "base/rules.h"
#include "report/svg.h"

#include <string.h>

enum { STATES_SHOWN = 1000 }; // of one result, so that the page can be opened

static const char style_sheet[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#1c2430;background:#fff;max-width:75rem;"
    "margin:2rem auto;padding:0 1.5rem}\n"
    "h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin:2.5rem 0 .5rem;"
    "border-top:1px solid #d8dee6;padding-top:1rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}\n"
    "table{border-collapse:collapse;margin:.6rem 0}th,td{padding:.3rem .8rem;text-align:left;"
    "border-bottom:1px solid #e4e8ee;vertical-align:top}th{font-weight:600;color:#4a5666}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}code,pre,td.c{font-family:"
    "ui-monospace,monospace;font-size:.87rem}tr.hit td{background:#fff4d6}\n"
    ".v{font-weight:600}.bad{color:#b2182b}.good{color:#1b7837}.open{color:#a05a00}"
    ".muted{color:#667384}\n"
    ".finding{border-left:4px solid #b2182b;padding:.3rem 1rem;margin:.8rem 0;background:#f8f9fb}"
    ".finding.warning{border-color:#a05a00}.finding.advice{border-color:#2c5aa0}\n"
    ".finding p{margin:.3rem 0}pre{margin:.4rem 0;padding:.5rem .8rem;background:#eef1f5;"
    "overflow-x:auto}mark{background:#ffd9a8}\n"
    ".figure{overflow-x:auto}.witness{display:block;max-width:none}"
    ".event{fill:#f4f6f9;stroke:#8a97a8}.event.cycle{fill:#fff1f0;stroke:#b2182b;stroke-width:2}\n"
    ".edge{fill:none;stroke-width:1.4}.edge.cycle{stroke-width:3}"
    ".witness text{text-anchor:middle}.thread{font:600 14px system-ui,sans-serif}"
    ".label{font:13px ui-monospace,monospace}.line{font:10px system-ui,sans-serif;fill:#667384}\n"
    ".relation{font:600 11px "
    "system-ui,sans-serif;paint-order:stroke;stroke:#fff;stroke-width:4px}\n"
    ".legend span{margin-right:1.2rem;white-space:nowrap}.legend "
    "i{display:inline-block;width:1.4em;"
    "height:.25em;margin-right:.4em;vertical-align:middle}\n";

static void print_text(Writer *writer, const char *text) {
  writer_escape_text(writer, ESCAPE_HTML, text);
}

static void print_element(Writer *writer, const char *open, const char *text, const char *close) {
  writer_text(writer, open);
  print_text(writer, text);
  writer_text(writer, close);
}

static const char *outcome_class(const Result *result) {
  switch (report_outcome(result)) {
  case OUTCOME_CLEAN:
    return "good";
  case OUTCOME_INCOMPLETE:
    return "open";
  case OUTCOME_FINDINGS:
  case OUTCOME_BAD_INPUT:
    break;
  }
  return "bad";
}

static const char *verdict_text(const Result *result) {
  Verdict verdict = report_verdict(result);
  if (!result->engine)
    return "not checked";
  if (verdict != VERDICT_NONE)
    return report_verdict_name(verdict);
  return result->findings.count > 0 ? "findings" : "nothing found";
}

static void print_verdict(Writer *writer, const Result *result) {
  writer_format(writer, "<span class=\"v %s\">", outcome_class(result));
  print_element(writer, "", verdict_text(result), "</span>");
}

static void print_condition(Writer *writer, const Result *result) {
  if (result->condition == CONDITION_NONE || !result->condition_text)
    return;
  writer_text(writer, report_condition_name(result->condition));
  print_element(writer, " ", result->condition_text, "");
}

// ---- the table at the top

static void print_number_cell(Writer *writer, uint64_t number) {
  writer_text(writer, "<td class=\"n\">");
  writer_unsigned(writer, number);
  writer_text(writer, "</td>");
}

static void print_table_row(Writer *writer, const Result *result, uint32_t number) {
  writer_format(writer, "<tr><td class=\"c\"><a href=\"#r%u\">", number);
  print_element(writer, "", result->input, "</a></td><td>");
  print_element(writer, "", result->model ? result->model : "", "</td><td>");
  print_verdict(writer, result);
  writer_text(writer, "</td><td class=\"c\">");
  print_condition(writer, result);
  writer_text(writer, "</td>");
  print_number_cell(writer, result->executions);
  print_number_cell(writer, result->state_count);
  print_number_cell(writer, result->findings.count);
  writer_text(writer, "</tr>\n");
}

static void print_table(const Report *report) {
  writer_text(report->writer,
              "<table><thead><tr><th>input</th><th>model</th><th>verdict</th><th>condition</th>"
              "<th>executions</th><th>states</th><th>findings</th></tr></thead><tbody>\n");
  for (uint32_t i = 0; i < report->result_count; i++)
    print_table_row(report->writer, report->results[i], i);
  writer_text(report->writer, "</tbody></table>\n");
}

// ---- states

static void print_state(Writer *writer, const Result *result, const ResultState *state) {
  bool is_hit = state->satisfies && result->condition != CONDITION_NONE;
  writer_text(writer, is_hit ? "<tr class=\"hit\">" : "<tr>");
  for (uint32_t i = 0; i < result->column_count; i++) {
    writer_text(writer, "<td class=\"n\">");
    writer_signed(writer, state->values[i]);
    writer_text(writer, "</td>");
  }
  print_number_cell(writer, state->count);
  writer_text(writer, "</tr>\n");
}

static void print_states(Writer *writer, const Result *result) {
  if (result->state_count == 0 || result->column_count == 0)
    return;
  uint32_t shown = result->state_count < STATES_SHOWN ? result->state_count : STATES_SHOWN;
  writer_text(writer, "<h3>Final states</h3>\n<table><thead><tr>");
  for (uint32_t i = 0; i < result->column_count; i++)
    print_element(writer, "<th>", result->columns[i], "</th>");
  writer_text(writer, "<th>executions</th></tr></thead><tbody>\n");
  for (uint32_t i = 0; i < shown; i++)
    print_state(writer, result, &result->states[i]);
  writer_text(writer, "</tbody></table>\n");
  if (shown < result->state_count)
    writer_format(writer, "<p class=\"muted\">and %u more</p>\n", result->state_count - shown);
}

// ---- findings

static void print_place(Writer *writer, Span span, const char *input) {
  print_element(writer, "<code>", span.source ? span.source->name : input, "");
  if (span.source)
    writer_format(writer, ":%u", source_position(span.source, span.begin).line);
  writer_text(writer, "</code>");
}

static void print_source_line(Writer *writer, Span span) {
  if (!span.source || span.source->length == 0)
    return;
  const char *line;
  uint32_t length = source_line(span.source, span.begin, &line);
  if (length == 0)
    return; // of a file that is not at hand, or nothing to see
  const char *begin = span.source->text + span.begin;
  const char *end = span.source->text + span.end;
  if (end > line + length)
    end = line + length;
  if (begin > end)
    begin = end;
  writer_text(writer, "<pre>");
  writer_escape(writer, ESCAPE_HTML, line, (size_t)(begin - line));
  writer_text(writer, "<mark>");
  writer_escape(writer, ESCAPE_HTML, begin, (size_t)(end - begin));
  writer_text(writer, "</mark>");
  writer_escape(writer, ESCAPE_HTML, end, (size_t)(line + length - end));
  writer_text(writer, "</pre>\n");
}

static void print_remark(Writer *writer, const char *word, const char *text) {
  if (!text)
    return;
  writer_format(writer, "<p><b>%s</b> ", word);
  print_element(writer, "", text, "</p>\n");
}

static void print_order(Writer *writer, const Witness *witness) {
  if (witness->order_count == 0)
    return;
  writer_text(writer, "<p>One order of these accesses:<code>");
  for (uint32_t i = 0; i < witness->order_count; i++)
    writer_format(writer, " e%u", witness->order[i]);
  writer_text(writer, "</code></p>\n");
}

static void print_figure(const Report *report, const Witness *witness) {
  if (!witness || report->options->omit_witness)
    return;
  Writer *writer = report->writer;
  print_element(writer, "<h3>", witness->title ? witness->title : "Execution", "</h3>\n");
  if (witness->axiom)
    print_remark(writer, "Forbidden by", witness->axiom);
  if (witness->explanation)
    print_element(writer, "<p><code>", witness->explanation, "</code></p>\n");
  print_order(writer, witness);
  writer_text(writer, "<div class=\"figure\">\n");
  svg_print_witness(report, witness);
  writer_text(writer, "</div>\n");
}

static void print_fix(Writer *writer, const DiagFix *fix, const char *input) {
  writer_text(writer, "<p><b>fix</b> ");
  print_place(writer, fix->span, input);
  if (fix->message)
    print_element(writer, " ", fix->message, "");
  print_element(writer, ": <code>", fix->text, "</code></p>\n");
}

static void print_finding(const Report *report, const Diag *finding, const char *input) {
  Writer *writer = report->writer;
  writer_format(writer, "<div class=\"finding %s\"><p>", severity_name(finding->severity));
  print_place(writer, finding->span, input);
  print_element(writer, " <b>", severity_name(finding->severity), ":</b> ");
  print_element(writer, "", finding->message, " <span class=\"muted\">[");
  print_element(writer, "", finding->rule, "");
  if (finding->sub)
    print_element(writer, ":", finding->sub, "");
  writer_text(writer, "]</span></p>\n");
  print_source_line(writer, finding->span);
  for (uint32_t i = 0; i < finding->notes.count; i++) {
    writer_text(writer, "<p>");
    print_place(writer, finding->notes.items[i].span, input);
    print_element(writer, " <b>note:</b> ", finding->notes.items[i].message, "</p>\n");
    print_source_line(writer, finding->notes.items[i].span);
  }
  print_remark(writer, "why", finding->reason);
  print_remark(writer, "fix", rule_remedy(finding));
  for (uint32_t i = 0; i < finding->fixes.count; i++)
    print_fix(writer, &finding->fixes.items[i], input);
  writer_text(writer, "</div>\n");
  print_figure(report, finding->witness);
}

// ---- a result

static void print_counts(Writer *writer, const Result *result) {
  writer_text(writer, "<p class=\"muted\">");
  writer_unsigned(writer, result->executions);
  writer_text(writer, result->executions == 1 ? " execution" : " executions");
  if (result->symmetry)
    writer_format(writer, " up to the order of %s", result->symmetry);
  writer_text(writer, ", ");
  writer_unsigned(writer, result->blocked);
  writer_text(writer, " blocked, ");
  writer_unsigned(writer, result->duplicates);
  writer_text(writer, " duplicates");
  if (result->suppressed > 0)
    writer_format(writer, ", %llu suppressed", (unsigned long long)result->suppressed);
  writer_text(writer, "</p>\n");
  if (result->incomplete)
    print_element(writer, "<p class=\"open\"><b>incomplete:</b> ", result->incomplete, "</p>\n");
}

static void print_result(const Report *report, const Result *result, uint32_t number) {
  Writer *writer = report->writer;
  writer_format(writer, "<h2 id=\"r%u\">", number);
  print_element(writer, "<code>", result->input, "</code> ");
  if (result->model)
    print_element(writer, "under ", result->model, ": ");
  print_verdict(writer, result);
  writer_text(writer, "</h2>\n<p><code>");
  print_condition(writer, result);
  writer_text(writer, "</code></p>\n");
  if (result->engine)
    print_counts(writer, result);
  print_states(writer, result);
  print_figure(report, result->witness);
  for (uint32_t i = 0; i < result->findings.count; i++)
    print_finding(report, &result->findings.items[i], result->input);
}

void report_html(const Report *report) {
  Writer *writer = report->writer;
  writer_text(writer, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                      "<title>warpsan report</title>\n<style>\n");
  writer_text(writer, style_sheet);
  writer_text(writer, "</style></head><body>\n<h1>warpsan report</h1>\n");
  svg_print_markers(writer);
  print_table(report);
  for (uint32_t i = 0; i < report->result_count; i++)
    print_result(report, report->results[i], i);
  writer_text(writer, "</body></html>\n");
}
