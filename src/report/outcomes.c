// The final states of one input under several models side by side.
#include "report/report.h"

#include "report/json.h"
#include "report/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A final state that at least one of the models allows.
typedef struct OutcomeRow {
  const int64_t *values;
  const ResultState **states; // of each model, NULL where the model does not allow it
  bool satisfies;
} OutcomeRow;

// The results of one input; all have the same columns, since they ask the same question.
typedef struct OutcomeTable {
  const Result *const *results;
  uint32_t result_count;
  OutcomeRow *rows; // sorted by values
  uint32_t row_count;
  size_t *value_widths; // of each column, as text
  size_t *model_widths; // of each model's column of counts
} OutcomeTable;

static int compare_values(const int64_t *a, const int64_t *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

// The least state that no model is past yet, NULL at the end. `next` has the position in each
// model's states, which are sorted.
static const int64_t *least_values(const OutcomeTable *table, const uint32_t *next) {
  const int64_t *least = NULL;
  for (uint32_t i = 0; i < table->result_count; i++) {
    const Result *result = table->results[i];
    if (next[i] == result->state_count)
      continue;
    const int64_t *values = result->states[next[i]].values;
    if (!least || compare_values(values, least, result->column_count) < 0)
      least = values;
  }
  return least;
}

static OutcomeRow make_row(const OutcomeTable *table, const int64_t *values, uint32_t *next,
                           Arena *arena) {
  OutcomeRow row = {.values = values};
  row.states = ARENA_ARRAY(arena, const ResultState *, table->result_count);
  for (uint32_t i = 0; i < table->result_count; i++) {
    const Result *result = table->results[i];
    if (next[i] == result->state_count ||
        compare_values(result->states[next[i]].values, values, result->column_count) != 0)
      continue;
    row.states[i] = &result->states[next[i]++];
    row.satisfies |= row.states[i]->satisfies;
  }
  return row;
}

static OutcomeTable make_table(const Result *const *results, uint32_t result_count, Arena *arena) {
  OutcomeTable table = {.results = results, .result_count = result_count};
  uint32_t total = 0;
  for (uint32_t i = 0; i < result_count; i++)
    total += results[i]->state_count;
  table.rows = ARENA_ARRAY(arena, OutcomeRow, total);
  uint32_t *next = ARENA_ARRAY(arena, uint32_t, result_count);
  const int64_t *values;
  while ((values = least_values(&table, next)))
    table.rows[table.row_count++] = make_row(&table, values, next, arena);
  return table;
}

// The first model, in the order asked for, that allows the state.
static uint32_t first_model(const OutcomeTable *table, const OutcomeRow *row) {
  uint32_t i = 0;
  while (i < table->result_count && !row->states[i])
    i++;
  assert(i < table->result_count && "a row is there because a model allows it");
  return i;
}

// How many results from `first` on are of the same input and were judged.
static uint32_t group_size(const Report *report, uint32_t first) {
  const Result *const *results = report->results + first;
  uint32_t left = report->result_count - first;
  uint32_t size = 1;
  while (size < left && results[size]->engine && results[0]->engine &&
         strcmp(results[size]->input, results[0]->input) == 0 &&
         results[size]->column_count == results[0]->column_count)
    size++;
  return size;
}

static size_t number_width(uint64_t number) {
  return (size_t)snprintf(NULL, 0, "%llu", (unsigned long long)number);
}

static size_t signed_width(int64_t number) {
  return (size_t)snprintf(NULL, 0, "%lld", (long long)number);
}

static size_t text_width(const char *text) {
  return utf8_width(text, strlen(text));
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t measure_values(const OutcomeTable *table, uint32_t column) {
  size_t width = text_width(table->results[0]->columns[column]);
  for (uint32_t i = 0; i < table->row_count; i++)
    width = larger(width, signed_width(table->rows[i].values[column]));
  return width;
}

static size_t measure_model(const OutcomeTable *table, uint32_t model) {
  const Result *result = table->results[model];
  size_t width = larger(text_width(result->model), number_width(result->executions));
  for (uint32_t i = 0; i < result->state_count; i++)
    width = larger(width, number_width(result->states[i].count));
  return larger(width, 3);
}

static void measure(OutcomeTable *table, Arena *arena) {
  uint32_t column_count = table->results[0]->column_count;
  table->value_widths = ARENA_ARRAY(arena, size_t, column_count);
  for (uint32_t i = 0; i < column_count; i++)
    table->value_widths[i] = measure_values(table, i);
  table->model_widths = ARENA_ARRAY(arena, size_t, table->result_count);
  for (uint32_t i = 0; i < table->result_count; i++)
    table->model_widths[i] = measure_model(table, i);
}

static void print_right(Writer *writer, const char *text, size_t width) {
  writer_repeat(writer, ' ', width - text_width(text));
  writer_escape_text(writer, ESCAPE_PLAIN, text);
}

static void print_head(Writer *writer, const OutcomeTable *table) {
  const Result *first = table->results[0];
  writer_text(writer, "  ");
  for (uint32_t i = 0; i < first->column_count; i++) {
    writer_text(writer, "  ");
    print_right(writer, first->columns[i], table->value_widths[i]);
  }
  writer_text(writer, "  |");
  for (uint32_t i = 0; i < table->result_count; i++) {
    writer_text(writer, "  ");
    print_right(writer, table->results[i]->model, table->model_widths[i]);
  }
  writer_char(writer, '\n');
}

static void print_count(Writer *writer, const ResultState *state, size_t width) {
  writer_text(writer, "  ");
  if (!state) {
    print_right(writer, "-", width);
    return;
  }
  writer_repeat(writer, ' ', width - number_width(state->count));
  writer_unsigned(writer, state->count);
}

static void print_row(const Report *report, const OutcomeTable *table, const OutcomeRow *row) {
  Writer *writer = report->writer;
  const Result *first = table->results[0];
  writer_text(writer, row->satisfies && first->condition != CONDITION_NONE ? " *" : "  ");
  for (uint32_t i = 0; i < first->column_count; i++) {
    writer_repeat(writer, ' ', 2 + table->value_widths[i] - signed_width(row->values[i]));
    writer_signed(writer, row->values[i]);
  }
  writer_text(writer, "  |");
  for (uint32_t i = 0; i < table->result_count; i++)
    print_count(writer, row->states[i], table->model_widths[i]);
  uint32_t adds = first_model(table, row);
  if (adds > 0) {
    text_begin_paint(report, PAINT_WARNING);
    writer_text(writer, "  added by ");
    writer_escape_text(writer, ESCAPE_PLAIN, table->results[adds]->model);
    text_end_paint(report);
  }
  writer_char(writer, '\n');
}

static void print_executions(Writer *writer, const OutcomeTable *table) {
  const Result *first = table->results[0];
  size_t width = 2;
  for (uint32_t i = 0; i < first->column_count; i++)
    width += 2 + table->value_widths[i];
  static const char label[] = "  executions";
  writer_text(writer, label);
  writer_repeat(writer, ' ', width > sizeof label - 1 ? width - (sizeof label - 1) : 0);
  writer_text(writer, "  |");
  for (uint32_t i = 0; i < table->result_count; i++) {
    uint64_t executions = table->results[i]->executions;
    writer_repeat(writer, ' ', 2 + table->model_widths[i] - number_width(executions));
    writer_unsigned(writer, executions);
  }
  writer_char(writer, '\n');
}

static void print_incomplete(Writer *writer, const OutcomeTable *table) {
  for (uint32_t i = 0; i < table->result_count; i++) {
    const Result *result = table->results[i];
    if (!result->incomplete)
      continue;
    writer_text(writer, "  ");
    writer_escape_text(writer, ESCAPE_PLAIN, result->model);
    writer_text(writer, ": incomplete: ");
    writer_escape_text(writer, ESCAPE_ONE_LINE, result->incomplete);
    writer_char(writer, '\n');
  }
}

static void print_text_title(const Report *report, const Result *result) {
  Writer *writer = report->writer;
  writer_escape_text(writer, ESCAPE_PLAIN, result->input);
  if (result->condition != CONDITION_NONE && result->condition_text) {
    writer_text(writer, ": ");
    writer_text(writer, report_condition_name(result->condition));
    writer_char(writer, ' ');
    writer_escape_text(writer, ESCAPE_ONE_LINE, result->condition_text);
  }
  writer_char(writer, '\n');
}

static void print_text_table(const Report *report, OutcomeTable *table) {
  measure(table, report->scratch);
  print_text_title(report, table->results[0]);
  print_head(report->writer, table);
  for (uint32_t i = 0; i < table->row_count; i++)
    print_row(report, table, &table->rows[i]);
  print_executions(report->writer, table);
  print_incomplete(report->writer, table);
}

static void print_json_models(Writer *writer, const OutcomeTable *table) {
  json_key(writer, false, "models");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < table->result_count; i++) {
    const Result *result = table->results[i];
    writer_text(writer, i > 0 ? ", {" : "{");
    json_string_member(writer, true, "model", result->model);
    json_bool_member(writer, false, "complete", result->complete);
    json_number_member(writer, false, "executions", result->executions);
    json_string_member(writer, false, "incomplete", result->incomplete);
    writer_char(writer, '}');
  }
  writer_char(writer, ']');
}

static void print_json_row(Writer *writer, const OutcomeTable *table, const OutcomeRow *row) {
  json_key(writer, true, "state");
  writer_char(writer, '{');
  json_state_members(writer, table->results[0], row->values);
  writer_char(writer, '}');
  json_bool_member(writer, false, "satisfies", row->satisfies);
  json_key(writer, false, "counts");
  writer_char(writer, '{');
  for (uint32_t i = 0; i < table->result_count; i++)
    json_number_member(writer, i == 0, table->results[i]->model,
                       row->states[i] ? row->states[i]->count : 0);
  writer_char(writer, '}');
  uint32_t adds = first_model(table, row);
  json_string_member(writer, false, "added_by", adds > 0 ? table->results[adds]->model : NULL);
}

static void print_json_table(Writer *writer, const OutcomeTable *table) {
  const Result *first = table->results[0];
  writer_char(writer, '{');
  json_string_member(writer, true, "input", first->input);
  json_string_member(writer, false, "test", first->name);
  print_json_models(writer, table);
  json_key(writer, false, "outcomes");
  writer_char(writer, '[');
  for (uint32_t i = 0; i < table->row_count; i++) {
    writer_text(writer, i > 0 ? ", {" : "{");
    print_json_row(writer, table, &table->rows[i]);
    writer_char(writer, '}');
  }
  writer_text(writer, "]}\n");
}

// Results without an engine have nothing to compare: they are printed as errors.
static void print_error(const Report *report, const Result *result, bool as_json) {
  Report one = *report;
  one.results = &result;
  one.result_count = 1;
  if (as_json)
    report_json(&one);
  else
    report_text(&one);
}

static void print_tables(const Report *report, bool as_json) {
  for (uint32_t i = 0; i < report->result_count;) {
    uint32_t size = group_size(report, i);
    if (!report->results[i]->engine) {
      print_error(report, report->results[i], as_json);
    } else if (report->options->errors != REPORT_ERRORS_ONLY) {
      OutcomeTable table = make_table(report->results + i, size, report->scratch);
      if (as_json)
        print_json_table(report->writer, &table);
      else
        print_text_table(report, &table);
    }
    i += size;
  }
}

void report_outcomes_text(const Report *report) {
  print_tables(report, false);
}

void report_outcomes_json(const Report *report) {
  print_tables(report, true);
}
