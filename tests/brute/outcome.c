// The set of final states with the number of executions in which each is possible.
#include "brute.h"

#include <stdlib.h>
#include <string.h>

// The values that a location may have at the end: those of the co-maximal writes, each once.
static int final_values(const Execution *x, const Relation *co, int place, long *values) {
  int count = 0;
  for (int i = 0; i < x->n; i++) {
    const Event *event = &x->events[i];
    if (event->kind != WRITE || x->program->names[event->name].physical != place || co->row[i])
      continue;
    int k = 0;
    while (k < count && values[k] != event->value)
      k++;
    values[k] = event->value;
    count += k == count;
  }
  return count;
}

static void add_state(Outcome *outcome, const long *values) {
  size_t size = (size_t)outcome->columns.count * sizeof *values;
  for (int i = 0; i < outcome->state_count; i++)
    if (memcmp(outcome->states[i].values, values, size) == 0) {
      outcome->states[i].count++;
      return;
    }
  if (outcome->state_count == outcome->state_capacity) {
    outcome->state_capacity = outcome->state_capacity ? 2 * outcome->state_capacity : 16;
    size_t bytes = (size_t)outcome->state_capacity * sizeof *outcome->states;
    outcome->states = realloc(outcome->states, bytes);
    if (!outcome->states)
      abort();
  }
  State *state = &outcome->states[outcome->state_count++];
  memset(state, 0, sizeof *state);
  memcpy(state->values, values, size);
  state->count = 1;
}

// Adds every combination of final values of the columns from `column` on.
static void add_states(Outcome *outcome, const Execution *x, const Relation *co, int column,
                       long *values) {
  if (column == outcome->columns.count) {
    add_state(outcome, values);
    return;
  }
  int thread = outcome->columns.column[column].thread;
  int index = outcome->columns.column[column].index;
  long choices[MAX_EVENTS];
  int count = 1;
  if (thread >= 0)
    choices[0] = x->runs[thread]->registers[index];
  else
    count = final_values(x, co, index, choices);
  for (int i = 0; i < count; i++) {
    values[column] = choices[i];
    add_states(outcome, x, co, column + 1, values);
  }
}

void outcome_add(Outcome *outcome, const Execution *x, const Relation *co) {
  long values[MAX_COLUMNS] = {0};
  outcome->executions++;
  add_states(outcome, x, co, 0, values);
}

static int compare_states(const void *a, const void *b) {
  const State *s = a, *t = b;
  for (int i = 0; i < MAX_COLUMNS; i++)
    if (s->values[i] != t->values[i])
      return s->values[i] < t->values[i] ? -1 : 1;
  return 0;
}

void outcome_sort(Outcome *outcome) {
  if (outcome->state_count)
    qsort(outcome->states, (size_t)outcome->state_count, sizeof *outcome->states, compare_states);
}

void outcome_print(FILE *file, const Program *program, const Outcome *outcome) {
  fprintf(file, "\"executions\": %ld, \"states\": [", outcome->executions);
  for (int i = 0; i < outcome->state_count; i++) {
    fputs(i ? ", {" : "{", file);
    for (int k = 0; k < outcome->columns.count; k++) {
      fputc('"', file);
      column_print(file, program, &outcome->columns, k);
      fprintf(file, "\": %ld, ", outcome->states[i].values[k]);
    }
    fprintf(file, "\"count\": %ld}", outcome->states[i].count);
  }
  fputs("]", file);
}

void outcome_release(Outcome *outcome) {
  free(outcome->states);
  outcome->states = NULL;
}
