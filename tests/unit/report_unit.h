// Results made by hand, and reports of them as texts.
#ifndef WARPSAN_TESTS_UNIT_REPORT_UNIT_H
#define WARPSAN_TESTS_UNIT_REPORT_UNIT_H

#include "unit.h"

#include "base/rules.h"
#include "report/report.h"

// What a sink has been given.
typedef struct Printed {
  char text[200000];
  size_t length;
} Printed;

static inline int keep_printed(void *context, const char *text, size_t length) {
  Printed *printed = context;
  if (length >= sizeof printed->text - printed->length)
    return 1;
  memcpy(printed->text + printed->length, text, length);
  printed->length += length;
  printed->text[printed->length] = '\0';
  return 0;
}

// The report of some results; it lives in the arena.
static inline const char *print_results(Arena *arena, void (*function)(const Report *),
                                        const Result *const *results, uint32_t count,
                                        const ReportOptions *options) {
  Printed *printed = ARENA_NEW(arena, Printed);
  Writer writer;
  writer_init(&writer, keep_printed, printed);
  static const ReportOptions usual = {.version = "0"};
  Report report = {&writer, arena, options ? options : &usual, results, count};
  function(&report);
  assert_true(writer_flush(&writer));
  return printed->text;
}

static inline const char *print_result(Arena *arena, void (*function)(const Report *),
                                       const Result *result) {
  return print_results(arena, function, &result, 1, NULL);
}

static const Source unit_source = {"mp.litmus",
                                   "PTX MP\n"
                                   " st.weak x, 1 | ld.weak r0, y ;\n",
                                   41};

// Message passing that nothing orders: two columns, two states, the second satisfies.
static inline Result *make_result(Arena *arena) {
  static const char *columns[] = {"P1:r0", "count"};
  static const int64_t values[2][2] = {{0, 0}, {1, -5}};
  Result *result = ARENA_NEW(arena, Result);
  result->input = "mp.litmus";
  result->name = "MP";
  result->model = "ptx";
  result->engine = "explore";
  result->complete = true;
  result->executions = 3;
  result->condition = CONDITION_EXISTS;
  result->condition_text = "(P1:r0 == 1)";
  result->holds = result->holds_is_final = true;
  result->columns = columns;
  result->column_count = 2;
  result->states = ARENA_ARRAY(arena, ResultState, 2);
  result->states[0] = (ResultState){values[0], 2, false};
  result->states[1] = (ResultState){values[1], 1, true};
  result->state_count = 2;
  result->seconds = 0.5;
  diag_list_init(&result->findings, arena);
  return result;
}

static inline Witness *make_witness(Arena *arena) {
  static WitnessEvent events[] = {
      {WITNESS_INITIAL, "W y = 0", {0}},
      {0, "W.weak x = 1", {&unit_source, 8, 20}},
      {1, "R.weak y = 0", {&unit_source, 24, 36}},
  };
  static WitnessEdge edges[] = {{"rf", 0, 2, true}, {"po", 1, 2, false}, {"fr", 2, 1, true}};
  static const char *names[] = {"P0@cta 0", "P1@cta 1"};
  Witness *witness = ARENA_NEW(arena, Witness);
  *witness = (Witness){.title = "execution that satisfies the condition",
                       .events = events,
                       .event_count = 3,
                       .edges = edges,
                       .edge_count = 3,
                       .thread_names = names,
                       .thread_count = 2};
  return witness;
}

static inline Diag *add_race(Arena *arena, Result *result) {
  Diag *race = diag_add(&result->findings, SEVERITY_ERROR, "data-race", (Span){&unit_source, 8, 20},
                        "race on %s", "x");
  race->sub = "scope-too-narrow";
  race->reason = "nothing orders them";
  race->remedy = "widen the scope";
  diag_note(&result->findings, race, (Span){&unit_source, 24, 36}, "the other access");
  DiagFix fix = {{&unit_source, 8, 15}, "st.relaxed.gpu", "make it strong"};
  array_push(arena, &race->fixes, fix);
  return race;
}

#endif
