// Checks the structures: as they are, with each of their mistakes, and with each order and scope
// one step weaker.
//
// usage: structures right|mistakes|mutants|table [NAME]
#include "structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Structure *const structures[] = {
    &spin_lock,          &ticket_lock,  &mcs_lock,          &sequence_lock, &treiber_stack,
    &michael_scott,      &bounded_ring, &published_pointer, &chase_lev,     &sense_barrier,
    &two_level_barrier,  &look_back,    &peterson_lock,     &rw_lock,       &two_writers,
    &event_counter,      &slot_pool,    &hazard_pointers,   &epochs,        &blocking_queue,
    &completion_barrier, &work_latch,   &stop_callbacks,
};

enum { STRUCTURES = sizeof structures / sizeof *structures };

// --- places and mistakes

static Place *places;
static const Place *weakened;
static int weaker_value;
static int current_mistake;

int mistake(void) {
  return current_mistake;
}

int place_value(Place *place) {
  if (!place->is_known) {
    place->is_known = true;
    Place **end = &places;
    while (*end)
      end = &(*end)->next;
    *end = place;
  }
  return place == weakened ? weaker_value : place->value;
}

void launch_grid(WarpsanTest *test, const char *name, WarpsanFunction *function, unsigned blocks,
                 unsigned threads) {
  static unsigned stream;
  WarpsanLaunch launch = {.size = sizeof launch, .name = name, .function = function};
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.stream = stream++; // launches run together
  if (warpsan_test_launch(test, &launch) != WARPSAN_OK)
    abort();
}

// --- one check

typedef struct Verdict {
  WarpsanOutcome outcome;
  uint64_t executions, blocked, duplicates;
  double seconds;
  char text[128];
} Verdict;

static void note_findings(Verdict *verdict, const WarpsanResult *result) {
  if (warpsan_result_incomplete(result))
    snprintf(verdict->text, sizeof verdict->text, "incomplete: %s",
             warpsan_result_incomplete(result));
  if (!warpsan_result_finding_count(result))
    return;
  const WarpsanFinding *finding = warpsan_result_finding(result, 0);
  const char *sub = warpsan_finding_sub(finding);
  snprintf(verdict->text, sizeof verdict->text, "%s%s%s", warpsan_finding_rule(finding),
           sub ? ": " : "", sub ? sub : "");
}

static Verdict check(const Structure *structure, unsigned threads) {
  Verdict verdict = {0};
  WarpsanSession *session;
  WarpsanResults *results;
  WarpsanTest *test;
  if (warpsan_session_new(&session) != WARPSAN_OK ||
      warpsan_results_new(session, &results) != WARPSAN_OK ||
      warpsan_test_new(structure->name, &test) != WARPSAN_OK)
    abort();
  structure->prepare(test, threads);
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.omit_witness = true;
  if (warpsan_check_function(session, test, &options, results) != WARPSAN_OK)
    abort();
  const WarpsanResult *result = warpsan_results_get(results, 0);
  verdict.outcome = warpsan_result_outcome(result);
  verdict.executions = warpsan_result_executions(result);
  verdict.blocked = warpsan_result_blocked(result);
  verdict.duplicates = warpsan_result_duplicates(result);
  verdict.seconds = warpsan_result_seconds(result);
  note_findings(&verdict, result);
  warpsan_test_free(test);
  warpsan_results_free(results);
  warpsan_session_free(session);
  return verdict;
}

static bool expect(const Structure *structure, const char *what, unsigned threads,
                   const Verdict *verdict, WarpsanOutcome wanted) {
  bool is_ok = verdict->outcome == wanted && verdict->duplicates == 0;
  printf("%s, %s, %u threads: %s (%llu executions, %llu blocked, %.2f s)%s\n", structure->name,
         what, threads, verdict->text[0] ? verdict->text : "no finding",
         (unsigned long long)verdict->executions, (unsigned long long)verdict->blocked,
         verdict->seconds, is_ok ? "" : " UNEXPECTED");
  return is_ok;
}

// --- right, and with mistakes

static bool check_right(const Structure *structure) {
  bool is_ok = true;
  for (unsigned threads = structure->least_threads; threads <= structure->most_threads; threads++) {
    Verdict verdict = check(structure, threads);
    is_ok &= expect(structure, "right", threads, &verdict, WARPSAN_OUTCOME_CLEAN);
  }
  return is_ok;
}

static bool check_mistakes(const Structure *structure) {
  bool is_ok = true;
  for (current_mistake = 1; structure->mistakes[current_mistake]; current_mistake++) {
    bool is_found = false;
    Verdict verdict = {0};
    unsigned threads = structure->least_threads;
    for (; threads <= structure->most_threads && !is_found; threads++) {
      verdict = check(structure, threads);
      is_found = verdict.outcome == WARPSAN_OUTCOME_FINDINGS;
    }
    is_ok &= expect(structure, structure->mistakes[current_mistake], threads - 1, &verdict,
                    WARPSAN_OUTCOME_FINDINGS);
  }
  current_mistake = 0;
  return is_ok;
}

// --- one step weaker

// The values one step below; returns how many.
static int weaker(const Place *place, int values[2]) {
  if (place->is_scope) {
    // A cluster of one block is a block.
    values[0] =
        place->value == scoped_thread_scope_device ? scoped_thread_scope_block : place->value - 1;
    return place->value > scoped_thread_scope_thread;
  }
  switch (place->value) {
  case scoped_memory_order_seq_cst:
    values[0] = scoped_memory_order_acq_rel;
    return 1;
  case scoped_memory_order_acq_rel:
    values[0] = scoped_memory_order_acquire;
    values[1] = scoped_memory_order_release;
    return 2;
  case scoped_memory_order_acquire:
  case scoped_memory_order_release:
    values[0] = scoped_memory_order_relaxed;
    return 1;
  default:
    return 0;
  }
}

static const char *value_name(const Place *place, int value) {
  static const char *const scopes[] = {"thread", "block", "cluster", "device", "system"};
  static const char *const orders[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return place->is_scope ? scopes[value] : orders[value];
}

static Verdict check_weakened(const Structure *structure, unsigned *threads) {
  Verdict verdict = {0};
  for (*threads = structure->least_threads; *threads <= structure->most_threads; ++*threads) {
    verdict = check(structure, *threads);
    if (verdict.outcome != WARPSAN_OUTCOME_CLEAN)
      return verdict;
  }
  --*threads;
  return verdict;
}

static bool check_mutants(const Structure *structure, bool prints_table) {
  bool is_ok = true;
  places = NULL;
  unsigned threads;
  check_weakened(structure, &threads); // to find the places
  for (Place *place = places; place; place = place->next) {
    int values[2];
    int count = weaker(place, values);
    for (int i = 0; i < count; i++) {
      weakened = place;
      weaker_value = values[i];
      Verdict verdict = check_weakened(structure, &threads);
      bool is_equal = verdict.outcome == WARPSAN_OUTCOME_CLEAN;
      is_ok &= verdict.outcome != WARPSAN_OUTCOME_INCOMPLETE;
      const char *file = strrchr(place->file, '/');
      printf(prints_table ? "| %s | %s:%d | %s | %s | %s |\n" : "%s, %s:%d: %s to %s: %s\n",
             structure->name, file ? file + 1 : place->file, place->line, place->written,
             value_name(place, values[i]), is_equal ? "equivalent" : verdict.text);
    }
  }
  weakened = NULL;
  return is_ok;
}

int main(int argument_count, char **arguments) {
  const char *what = argument_count > 1 ? arguments[1] : "right";
  bool is_ok = true;
  for (int i = 0; i < STRUCTURES; i++) {
    if (argument_count > 2 && strcmp(arguments[2], structures[i]->name) != 0)
      continue;
    if (strcmp(what, "mistakes") == 0)
      is_ok &= check_mistakes(structures[i]);
    else if (strcmp(what, "mutants") == 0 || strcmp(what, "table") == 0)
      is_ok &= check_mutants(structures[i], strcmp(what, "table") == 0);
    else
      is_ok &= check_right(structures[i]);
  }
  return is_ok ? 0 : 1;
}
