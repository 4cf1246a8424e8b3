#include "explore/findings.h"

#include "base/rules.h"
#include "explore/contended.h"
#include "explore/kernel_findings.h"
#include "explore/outcomes.h"
#include "explore/witness.h"

#include <stdlib.h>
#include <string.h>

// --- repeating a record

typedef struct Scene {
  const FindingContext *context;
  const Record *record;
  DiagList *findings;
  const char *title;
  const Witness *witness;
  bool is_done;
} Scene;

typedef void Look(Search *search, void *context, bool is_complete);

static void repeat(const FindingContext *context, const Record *record, Look *look, Scene *scene) {
  Search search;
  Outcomes outcomes;
  Judge judge;
  Arena *arena = &context->arenas->lasting;
  Records records = {.arena = arena};
  Notes notes;
  search_init(&search, context->program, context->condition, context->options, context->codes,
              context->capacity, false, context->arenas);
  outcomes_init(&outcomes, context->condition ? context->condition->column_count : 0, arena);
  search.outcomes = &outcomes;
  search.records = &records;
  notes_init(&notes, context->contended, arena);
  search.contended = context->contended;
  search.notes = &notes;
  if (context->options->guest)
    guest_init(&search, context->contended->tree);
  if (context->options->model->kind == MODEL_KIND_CAT) {
    judge_init(&judge, context->options->model, &context->arenas->judge);
    search.judge = &judge;
  }
  search.visit = look;
  search.visit_context = scene;
  if (search_replay(&search, record->choices, record->choice_count)) {
    // A flag is known when the text has judged.
    bool is_judged = record->kind == RECORD_FLAG || !search.kernel;
    if (is_judged && record->kind != RECORD_STUCK)
      leaf_visit(&search);
    else
      look(&search, scene, search.kernel != NULL);
  }
  search_arenas_release(context->arenas);
}

// --- witnesses of the condition

static void look_at_state(Search *search, void *context, bool is_complete) {
  Scene *scene = context;
  if (!is_complete || scene->is_done ||
      !leaf_has_state(search, scene->record->kind == RECORD_SATISFIES))
    return;
  scene->is_done = true;
  scene->witness = witness_draw(search, scene->title, scene->context->arena).witness;
}

const Witness *findings_witness(const FindingContext *context, const Record *record,
                                const char *title) {
  Scene scene = {.context = context, .record = record, .title = title};
  repeat(context, record, look_at_state, &scene);
  return scene.witness;
}

// --- races

static const Instruction *instruction_of(const Search *search, uint32_t event) {
  const Event *accessed = &search->graph.events[event];
  return &search->codes[accessed->thread].thread->instructions[accessed->instruction];
}

static Span span_of(const Search *search, uint32_t event) {
  return instruction_of(search, event)->span;
}

static const char *thread_name(const Search *search, uint32_t event) {
  return search->program->threads[search->graph.events[event].thread].name;
}

static const char *code_text(const Search *search, uint32_t event, Arena *arena) {
  const Thread *thread = search->codes[search->graph.events[event].thread].thread;
  return ir_print_instruction(arena, search->program, thread, instruction_of(search, event));
}

// A read of one racing thread from the other, which might have ordered the accesses.
typedef struct Communication {
  uint32_t write, read;
  uint32_t access; // that it has to order, behind the read
  uint32_t before; // and the one before the write
} Communication;

static bool finds_communication(const Search *search, uint32_t from, uint32_t to,
                                Communication *found) {
  const Graph *graph = &search->graph;
  uint32_t location = graph->events[from].location;
  for (uint32_t read = 0; read < graph->event_count; read++) {
    uint64_t source = graph->source[read];
    if (graph->events[read].kind != EVENT_READ || source >= EVENT_INIT ||
        graph->events[read].location == location || !graph_is_po(graph, read, to) ||
        !graph_is_po(graph, from, (uint32_t)source))
      continue;
    *found = (Communication){(uint32_t)source, read, to, from};
    return true;
  }
  return false;
}

static bool has_fence(const Search *search, uint32_t event) {
  const Graph *graph = &search->graph;
  const uint64_t *events = graph_row(graph, graph->thread_events, graph->events[event].thread);
  BITS_EACH(other, events, graph->words)
  if (graph->events[other].kind == EVENT_FENCE)
    return true;
  return false;
}

// Does a release pattern of the write begin behind the access before it?
static bool begins_behind(const Search *search, Communication communication) {
  const Graph *graph = &search->graph;
  BITS_EACH(head, graph_row(graph, graph->heads, communication.write), graph->words)
  if (head == communication.write || communication.before == EVENT_NONE ||
      graph_is_po(graph, communication.before, (uint32_t)head))
    return true;
  return false;
}

// Does an acquire pattern of the read end before the access that it has to order?
static bool ends_before(const Search *search, Communication communication) {
  const Graph *graph = &search->graph;
  if (communication.access == EVENT_NONE)
    return true;
  BITS_EACH(last, graph_row(graph, graph->lasts, communication.read), graph->words)
  if (last == communication.read || graph_is_po(graph, (uint32_t)last, communication.access))
    return true;
  return false;
}

// Why the communication does not synchronise (spec B.3, B.4).
static RuleNumber communication_fault(const Search *search, Communication communication) {
  const Graph *graph = &search->graph;
  const Event *write = &graph->events[communication.write];
  const Event *read = &graph->events[communication.read];
  bool is_language = model_kind_is_language(search->options->model->kind);
  if (is_language && ((write->flags | read->flags) & EVENT_VOLATILE))
    return RULE_VOLATILE_FLAG;
  if (!event_is_strong(write) || !event_is_strong(read))
    return has_fence(search, communication.write) && has_fence(search, communication.read)
               ? RULE_FENCE_WITHOUT_FLAG
               : RULE_PLAIN_FLAG;
  if (kernel_lacks_atomicity(search, communication.write, communication.read))
    return RULE_NOT_ATOMIC_HERE;
  if (!graph_is_scope_mutual(graph, communication.write, communication.read))
    return RULE_SCOPE_TOO_NARROW;
  bool has_acquire =
      !bits_is_empty(graph_row(graph, graph->lasts, communication.read), graph->words);
  // Where both sides are volatile and nothing more, that is what the order was hoped from.
  bool is_volatile = write->flags & read->flags & EVENT_VOLATILE;
  if (!begins_behind(search, communication))
    return is_volatile ? RULE_VOLATILE_FLAG : RULE_RELEASE_MISSING;
  if (!has_acquire || !ends_before(search, communication))
    return is_volatile ? RULE_VOLATILE_FLAG : RULE_ACQUIRE_MISSING;
  return RULE_SCOPE_TOO_NARROW;
}

static bool are_both_strong(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  if (model_kind_is_language(search->options->model->kind))
    return event_is_atomic(&graph->events[a]) && event_is_atomic(&graph->events[b]);
  return event_is_strong(&graph->events[a]) && event_is_strong(&graph->events[b]);
}

// Accesses through one proxy that blocks other than its own have ordered lack a proxy fence, too.
static bool is_order_of_proxies_only(const Graph *graph, uint32_t a, uint32_t b) {
  Proxy first = (Proxy)graph->events[a].proxy, second = (Proxy)graph->events[b].proxy;
  return (first != PROXY_GENERIC || second != PROXY_GENERIC) &&
         (graph_has(graph, graph->order_after, a, b) || graph_has(graph, graph->order_after, b, a));
}

static RuleNumber classify_race(const Search *search, uint32_t a, uint32_t b,
                                Communication *communication) {
  const Graph *graph = &search->graph;
  if (kernel_lacks_atomicity(search, a, b))
    return RULE_NOT_ATOMIC_HERE;
  if (is_order_of_proxies_only(graph, a, b))
    return RULE_PROXY_FENCE_MISSING;
  if ((graph->events[a].flags | graph->events[b].flags) & EVENT_ASYNC)
    return RULE_ASYNC_NOT_WAITED;
  if (are_both_strong(search, a, b) && !graph_is_scope_mutual(graph, a, b))
    return RULE_SCOPE_TOO_NARROW;
  if (finds_communication(search, a, b, communication) ||
      finds_communication(search, b, a, communication))
    return communication_fault(search, *communication);
  if (search->kernel)
    return kernel_classify_race(search, a, b, &communication->write, &communication->read);
  return RULE_NO_SYNCHRONISATION;
}

static const char *race_reason(const Search *search, Arena *arena, uint32_t a, uint32_t b) {
  if (model_kind_is_language(search->options->model->kind))
    return arena_format(arena,
                        "happens-before orders neither `%s` of %s before `%s` of %s nor the other "
                        "way round, and they are not atomic toward each other: undefined behaviour "
                        "in %s",
                        code_text(search, a, arena), thread_name(search, a),
                        code_text(search, b, arena), thread_name(search, b),
                        search->options->model->kind == MODEL_KIND_CUDA ? "CUDA C++" : "C and C++");
  return arena_format(arena,
                      "causality orders neither `%s` of %s before `%s` of %s nor the other way "
                      "round, and they are not morally strong: the read may see either value or a "
                      "mixture, and writes have no coherence order",
                      code_text(search, a, arena), thread_name(search, a),
                      code_text(search, b, arena), thread_name(search, b));
}

// An asynchronous write over what has been read by an ordinary access before.
static bool is_reuse(const Search *search, uint32_t a, uint32_t b) {
  const Graph *graph = &search->graph;
  bool is_read_first = graph->events[a].kind == EVENT_READ;
  uint32_t read = is_read_first ? a : b, write = is_read_first ? b : a;
  return graph->events[read].kind == EVENT_READ && graph->events[write].kind == EVENT_WRITE &&
         graph->events[read].proxy == PROXY_GENERIC &&
         graph_has(graph, graph->order_after, read, write);
}

// The machine is to blame: for the racing accesses, or for the flag that should have ordered them.
static const char *atomicity_reason(const Search *search, Arena *arena, uint32_t a, uint32_t b,
                                    Communication communication) {
  if (kernel_lacks_atomicity(search, a, b))
    return kernel_machine_reason(search, a, b, arena);
  if (communication.write != EVENT_NONE &&
      kernel_lacks_atomicity(search, communication.write, communication.read))
    return kernel_machine_reason(search, communication.write, communication.read, arena);
  return race_reason(search, arena, a, b);
}

// The least scope that contains both threads, of the accesses or of the flag between them.
static const char *scope_remedy(const Search *search, Arena *arena, uint32_t a, uint32_t b,
                                Communication communication) {
  bool is_flag = communication.write != EVENT_NONE;
  const Event *events = search->graph.events;
  const Thread *threads = search->program->threads;
  const Placement *here = &threads[events[is_flag ? communication.write : a].thread].place;
  const Placement *there = &threads[events[is_flag ? communication.read : b].thread].place;
  Scope scope = SCOPE_CTA;
  while (scope < SCOPE_SYS && !ir_scope_contains(scope, here, there))
    scope++;
  return arena_format(arena,
                      "name the scope .%s, the least that contains both threads, on both "
                      "sides, also of fences",
                      ir_scope_name(scope));
}

static void note_communication(Scene *scene, Diag *diag, const Search *search,
                               Communication communication) {
  DiagList *findings = scene->findings;
  diag_note(findings, diag, span_of(search, communication.write),
            "%s passes the flag on here: `%s`", thread_name(search, communication.write),
            code_text(search, communication.write, findings->arena));
  diag_note(findings, diag, span_of(search, communication.read), "and %s sees it here: `%s`",
            thread_name(search, communication.read),
            code_text(search, communication.read, findings->arena));
}

static const char *location_name(const Search *search, uint32_t event, Arena *arena) {
  if (search->kernel)
    return kernel_location_name(search, event, arena);
  return search->program->objects[instruction_of(search, event)->object].name;
}

// The executions of C functions are shown as a whole, if they are small.
static bool is_drawn_whole(const Search *search) {
  enum { MOST_EVENTS_SHOWN = 256 };
  return search->guests && search->graph.event_count <= MOST_EVENTS_SHOWN;
}

// Adds a witness to the finding that was added last.
static void draw_whole(const Scene *scene, const Search *search, const char *title) {
  DiagList *findings = scene->findings;
  if (findings->count && scene->context->options->want_witness && is_drawn_whole(search))
    findings->items[findings->count - 1].witness =
        witness_draw(search, title, findings->arena).witness;
}

static const char *race_text(const Search *search, RuleNumber sub, uint32_t a, uint32_t b) {
  const Thread *threads = search->program->threads;
  const Event *events = search->graph.events;
  bool is_spoken_for = search->kernel && sub == RULE_BARRIER_MISSING &&
                       threads[events[a].thread].block != threads[events[b].thread].block;
  return is_spoken_for ? fault_spokesman_text() : rule_get(sub).meaning;
}

static void look_at_race(Search *search, void *context, bool is_complete) {
  Scene *scene = context;
  uint32_t a, b;
  Communication communication = {EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE};
  if (!is_complete || scene->is_done ||
      !race_is_at(search, scene->record->first, scene->record->second, &a, &b))
    return;
  scene->is_done = true;
  Arena *arena = scene->findings->arena;
  RuleNumber sub = classify_race(search, a, b, &communication);
  // Asynchronous operations are cut in pieces by us, not by the program.
  const Event *first = &search->graph.events[a], *second = &search->graph.events[b];
  bool is_torn = search->kernel && first->location != second->location &&
                 !((first->flags | second->flags) & EVENT_ASYNC);
  Diag *diag = diag_add(
      scene->findings, SEVERITY_ERROR, rule_id(RULE_DATA_RACE), span_of(search, a),
      "%s and %s access %s without order: %s", thread_name(search, a), thread_name(search, b),
      location_name(search, a, arena), race_text(search, is_torn ? RULE_TORN_ACCESS : sub, a, b));
  diag->sub = rule_id(sub);
  if (is_torn) {
    diag->rule = rule_id(RULE_TORN_ACCESS);
    diag->sub = NULL;
  } else if (sub == RULE_NOT_ATOMIC_HERE) {
    diag->rule = rule_id(RULE_NOT_ATOMIC_HERE);
    diag->sub = NULL;
  }
  diag->reason = sub == RULE_NOT_ATOMIC_HERE ? atomicity_reason(search, arena, a, b, communication)
                 : sub == RULE_PROXY_FENCE_MISSING ? fault_proxy_reason(is_reuse(search, a, b))
                                                   : race_reason(search, arena, a, b);
  if (sub == RULE_SCOPE_TOO_NARROW && !is_torn)
    diag->remedy = scope_remedy(search, arena, a, b, communication);
  else if (sub == RULE_BARRIER_MISSING && communication.write != EVENT_NONE && !is_torn)
    diag->remedy = fault_spokesman_remedy();
  diag_note(scene->findings, diag, span_of(search, b), "the other access, of %s: `%s`",
            thread_name(search, b), code_text(search, b, arena));
  if (communication.write != EVENT_NONE)
    note_communication(scene, diag, search, communication);
  if (search->kernel) {
    fault_note_inlining(scene->findings, diag, instruction_of(search, a));
    if (instruction_of(search, b)->inlined != instruction_of(search, a)->inlined)
      fault_note_inlining(scene->findings, diag, instruction_of(search, b));
  }
  if (!scene->context->options->want_witness)
    return;
  if (search->kernel && !is_drawn_whole(search)) {
    diag->witness = kernel_draw_race(search, a, b, arena);
    return;
  }
  WitnessDraft draft = witness_draw(search, "data race", arena);
  witness_highlight(&draft, "race", a, b);
  draft.witness->explanation = arena_format(
      arena, "no order between %s: %s and %s: %s", thread_name(search, a),
      witness_label(search, a, arena), thread_name(search, b), witness_label(search, b, arena));
  diag->witness = draft.witness;
}

// --- executions that get stuck

static const char *wait_text(const Search *search, uint32_t thread, Arena *arena) {
  const ThreadState *state = &search->threads[thread];
  if (state->status == THREAD_AT_BARRIER) {
    const Arrival *arrival = &search->arrivals[state->arrival];
    return arena_format(arena, "%s waits at a barrier that is never completed: `%s`",
                        search->program->threads[thread].name,
                        code_text(search, arrival->event, arena));
  }
  return arena_format(arena, "%s waits in a loop for a value that never comes",
                      search->program->threads[thread].name);
}

static Span wait_span(const Search *search, uint32_t thread) {
  const ThreadState *state = &search->threads[thread];
  const Graph *graph = &search->graph;
  if (state->status == THREAD_AT_BARRIER)
    return span_of(search, search->arrivals[state->arrival].event);
  BITS_EACH(event, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[event].kind == EVENT_READ && graph->events[event].po_index >= state->iteration)
    return span_of(search, (uint32_t)event);
  return (Span){0};
}

static void look_at_stuck(Search *search, void *context, bool is_complete) {
  Scene *scene = context;
  (void)is_complete;
  if (search->kernel) {
    kernel_report_stuck(search, scene->findings);
    draw_whole(scene, search, "execution that gets stuck");
    return;
  }
  Diag *diag = NULL;
  for (uint32_t t = 0; t < search->program->thread_count; t++) {
    ThreadStatus status = (ThreadStatus)search->threads[t].status;
    if (status != THREAD_AWAITING && status != THREAD_AT_BARRIER)
      continue;
    const char *text = wait_text(search, t, scene->findings->arena);
    if (diag)
      diag_note(scene->findings, diag, wait_span(search, t), "%s", text);
    else
      diag = diag_add(scene->findings, SEVERITY_ERROR, rule_id(RULE_DEADLOCK), wait_span(search, t),
                      "%s", text);
  }
  if (!diag)
    return;
  diag->reason = "no write that the threads are bound to see, and no arrival, is still to come";
  if (scene->context->options->want_witness)
    diag->witness =
        witness_draw(search, "execution that gets stuck", scene->findings->arena).witness;
}

// --- flags of a .cat model

static void look_at_flag(Search *search, void *context, bool is_complete) {
  Scene *scene = context;
  const Judge *judge = search->judge;
  uint32_t axiom = scene->record->first.thread;
  if (!is_complete || scene->is_done || !cat_axiom_holds(judge->state, axiom))
    return;
  scene->is_done = true;
  const char *name = cat_axiom(judge->cat, axiom)->name;
  // Races are races under whatever name a model gives them.
  bool is_race = strstr(name, "race") != NULL || strstr(name, "Race") != NULL;
  Diag *diag =
      diag_add(scene->findings, SEVERITY_ERROR, rule_id(is_race ? RULE_DATA_RACE : RULE_MODEL_FLAG),
               (Span){0}, "the model flags an execution: %s", name);
  if (scene->context->options->want_witness)
    diag->witness = witness_draw(search, name, scene->findings->arena).witness;
}

// --- kernels

static void look_at_fault(Search *search, void *context, bool is_complete) {
  Scene *scene = context;
  (void)is_complete;
  kernel_report_fault(search, scene->record, scene->findings);
  draw_whole(scene, search, "execution that shows it");
}

static void look_at_final(Search *search, void *context, bool is_complete) {
  Scene *scene = context;
  (void)is_complete;
  kernel_report_final(search, scene->record, scene->findings);
  draw_whole(scene, search, "execution that ends wrong");
}

static void look_at_loss(Search *search, void *context, bool is_complete) {
  Scene *scene = context;
  (void)is_complete;
  kernel_report_loss(search, scene->record, scene->findings);
}

static bool is_same_span(Span a, Span b) {
  return a.source == b.source && a.begin == b.begin && a.end == b.end;
}

static bool is_rule(const Diag *diag, RuleNumber rule) {
  return diag->rule == rule_id(rule);
}

// Of the same lines, maybe of another copy of the code that the compiler made. A lost update is
// told once, with the condition that it violates if there is one.
static bool tells_same(const Diag *a, const Diag *b) {
  if (a->rule != b->rule || !is_same_span(a->span, b->span))
    return false;
  if (is_rule(a, RULE_LOST_UPDATE))
    return true;
  if (!is_rule(a, RULE_DATA_RACE) && (a->sub != b->sub || a->notes.count != b->notes.count))
    return false;
  return !a->notes.count || !b->notes.count ||
         is_same_span(a->notes.items[0].span, b->notes.items[0].span);
}

// A copy that is not waited for before its data is used is not waited for before the block exits,
// either.
static bool goes_without_saying(const DiagList *findings, const Diag *diag) {
  const char *not_waited = rule_id(RULE_ASYNC_NOT_WAITED);
  if (!is_rule(diag, RULE_USE_AFTER_EXIT))
    return false;
  for (uint32_t i = 0; i < findings->count; i++) {
    const Diag *race = &findings->items[i];
    if (race->sub == not_waited &&
        (is_same_span(race->span, diag->span) ||
         (race->notes.count && is_same_span(race->notes.items[0].span, diag->span))))
      return true;
  }
  return false;
}

static void drop_repetitions(DiagList *findings) {
  const char *vague = rule_id(RULE_NO_SYNCHRONISATION);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < findings->count; i++) {
    uint32_t j = 0;
    if (goes_without_saying(findings, &findings->items[i]))
      continue;
    while (j < kept && !tells_same(&findings->items[j], &findings->items[i]))
      j++;
    // Of two root causes the one that says more stays.
    if (j == kept)
      findings->items[kept++] = findings->items[i];
    else if (findings->items[j].sub == vague && findings->items[i].sub != vague)
      findings->items[j] = findings->items[i];
  }
  findings->count = kept;
}

// --- all records

static int compare_places(RecordPlace a, RecordPlace b) {
  if (a.thread != b.thread)
    return a.thread < b.thread ? -1 : 1;
  return a.instruction == b.instruction ? 0 : a.instruction < b.instruction ? -1 : 1;
}

static int compare_records(const void *a, const void *b) {
  const Record *first = *(const Record *const *)a, *second = *(const Record *const *)b;
  if (first->kind != second->kind)
    return first->kind < second->kind ? -1 : 1;
  int places = compare_places(first->first, second->first);
  return places ? places : compare_places(first->second, second->second);
}

static void report_record(const FindingContext *context, const Record *record, DiagList *findings) {
  Scene scene = {.context = context, .record = record, .findings = findings};
  switch (record->kind) {
  case RECORD_RACE:
    repeat(context, record, look_at_race, &scene);
    break;
  case RECORD_STUCK:
    repeat(context, record, look_at_stuck, &scene);
    break;
  case RECORD_FLAG:
    repeat(context, record, look_at_flag, &scene);
    break;
  case RECORD_FAULT:
    repeat(context, record, look_at_fault, &scene);
    break;
  case RECORD_FINAL:
    repeat(context, record, look_at_final, &scene);
    break;
  case RECORD_LOST:
    repeat(context, record, look_at_loss, &scene);
    break;
  case RECORD_SATISFIES:
  case RECORD_VIOLATES:
    break;
  }
}

// A violation that weak behaviours lead to, and others too.
static bool is_superseded(const Records *records, const Record *record) {
  return (record->kind == RECORD_FINAL || record->kind == RECORD_FAULT) &&
         !(record->detail & RECORD_SEQUENTIAL) &&
         records_find(records, record->kind, record->first, record->second,
                      record->detail | RECORD_SEQUENTIAL);
}

void findings_report(const FindingContext *context, const Records *records, DiagList *findings) {
  const Record **sorted = ARENA_ARRAY(context->arena, const Record *, records->count + 1);
  for (uint32_t i = 0; i < records->count; i++)
    sorted[i] = &records->items[i];
  qsort(sorted, records->count, sizeof *sorted, compare_records);
  for (uint32_t i = 0; i < records->count; i++)
    if (!is_superseded(records, sorted[i]))
      report_record(context, sorted[i], findings);
  if (context->program->is_kernel)
    drop_repetitions(findings);
}
