// Findings of one thread and of the end of a kernel: faults, traps, assertions and final conditions
// that do not hold, lost updates, with the part of the execution that led there.
#include "explore/kernel_findings.h"
#include "explore/kernel_slots.h"
#include "explore/kernel_witness.h"
#include "explore/witness.h"

enum { MOST_STALE = 4 };

// Why something is violated.
typedef struct Cause {
  RuleNumber rule; // stale-value, lost-update, torn-access, or what is violated
  TornRead torn;
  LostUpdate lost;
  StaleRead stale[MOST_STALE];
  uint32_t stale_count;
} Cause;

static const Instruction *instruction_at(const Search *search, RecordPlace place) {
  const Grid *grid = &search->program->grids[place.thread];
  const Thread *thread = &search->program->threads[grid->first_thread];
  if (place.instruction >= thread->instruction_count)
    return &thread->instructions[thread->instruction_count - 1];
  return &thread->instructions[place.instruction];
}

static const Instruction *instruction_of(const Search *search, uint32_t event) {
  const Event *made = &search->graph.events[event];
  return &search->codes[made->thread].thread->instructions[made->instruction];
}

static const char *name_of(const Search *search, uint32_t event) {
  return search->program->threads[search->graph.events[event].thread].name;
}

static bool is_of_record(const Search *search, const Record *record, uint32_t thread,
                         uint32_t instruction) {
  return instruction == record->first.instruction &&
         search->program->threads[thread].grid == record->first.thread;
}

// The thread that is at fault; UINT32_MAX: not known. Faults that are found at the end of an
// execution have events.
static uint32_t thread_at_fault(const Search *search, const Record *record, RuleNumber rule) {
  for (uint32_t i = 0; i < search->kernel->fault_count; i++) {
    const Fault *fault = &search->kernel->faults[i];
    if (fault->rule == rule &&
        is_of_record(search, record, fault->place.thread, fault->place.instruction))
      return fault->place.thread;
  }
  for (uint32_t i = 0; i < search->graph.event_count; i++) {
    const Event *event = &search->graph.events[i];
    if (event_is_memory(event) && is_of_record(search, record, event->thread, event->instruction))
      return event->thread;
  }
  return UINT32_MAX;
}

// --- causes

// The bytes that a final condition looks at, and whether these are among them.
typedef struct Look {
  Search *search;
  uint64_t address;
  uint32_t size;
  bool is_seen;
} Look;

static bool look_at_byte(void *context, uint64_t address, uint8_t *byte) {
  Look *look = context;
  look->is_seen = look->is_seen || address - look->address < look->size;
  return kernel_final_byte(look->search, address, byte);
}

static bool final_looks_at(Search *search, uint32_t event) {
  const Location *location = &search->graph.locations[search->graph.events[event].location];
  Look look = {.search = search, .address = location->address, .size = location->size};
  Span span;
  ArenaMark mark = arena_mark(search->temporary);
  search->options->check_final(search->options->final_context, look_at_byte, &look,
                               search->temporary, &span);
  arena_reset(search->temporary, mark);
  return look.is_seen;
}

// A lost update of a location that the final condition looks at.
static bool find_final_loss(Search *search, LostUpdate *lost) {
  const Graph *graph = &search->graph;
  for (uint32_t i = 0; i < graph->location_count; i++) {
    const Location *location = &graph->locations[i];
    if (kernel_find_lost_update(search, location->address, location->size, lost) &&
        final_looks_at(search, lost->write))
      return true;
  }
  return false;
}

static Cause find_cause(Search *search, const Record *record, RuleNumber rule, uint32_t thread) {
  Cause cause = {.rule = rule};
  if (!(record->detail & RECORD_SEQUENTIAL)) {
    cause.rule = RULE_STALE_VALUE;
    cause.stale_count = kernel_find_stale_reads(search, cause.stale, MOST_STALE);
  } else if (thread == UINT32_MAX ? find_final_loss(search, &cause.lost)
                                  : kernel_find_seen_loss(search, thread, &cause.lost)) {
    cause.rule = RULE_LOST_UPDATE;
  } else if (kernel_find_torn_read(search, thread, &cause.torn)) {
    cause.rule = RULE_TORN_ACCESS;
  }
  return cause;
}

static void note_event(const Search *search, DiagList *findings, Diag *diag, uint32_t event,
                       const char *what) {
  const Instruction *instruction = instruction_of(search, event);
  diag_note(findings, diag, instruction->span, "%s %s: `%s`", name_of(search, event), what,
            instruction->text);
}

// A write that is newer than what a read took, by another thread; EVENT_NONE: none.
static uint32_t find_newer(const Search *search, uint32_t read) {
  const Graph *graph = &search->graph;
  const Event *event = &graph->events[read];
  uint64_t source = graph->source[read];
  if (event->kind != EVENT_READ || (event->flags & EVENT_EAGER) || source == EVENT_NONE)
    return EVENT_NONE;
  const uint64_t *later = source == EVENT_INIT
                              ? graph_row(graph, graph->writes_at, event->location)
                              : graph_row(graph, graph->coherence_after, (uint32_t)source);
  BITS_EACH(write, later, graph->words)
  if (graph->events[write].thread != event->thread)
    return (uint32_t)write;
  return EVENT_NONE;
}

// The reads that saw less than the newest value, each place once: the likely reason.
static uint32_t find_old_reads(const Search *search, StaleRead *old) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->graph.event_count && count < MOST_STALE; i++) {
    StaleRead fresh = {i, find_newer(search, i)};
    bool is_new = fresh.write != EVENT_NONE;
    for (uint32_t j = 0; is_new && j < count; j++)
      is_new = instruction_of(search, old[j].read)->span.begin !=
               instruction_of(search, fresh.read)->span.begin;
    if (is_new)
      old[count++] = fresh;
  }
  return count;
}

static void explain_stale(const Search *search, DiagList *findings, Diag *diag, View *view,
                          const Cause *cause) {
  Link link;
  for (uint32_t i = 0; i < cause->stale_count; i++) {
    StaleRead stale = cause->stale[i];
    note_event(search, findings, diag, stale.read, "reads an older value here");
    note_event(search, findings, diag, stale.write, "has written a newer one here");
    if (i == 0 && kernel_find_link(search, stale.write, stale.read, &link)) {
      note_event(search, findings, diag, link.write, "has written this behind it");
      note_event(search, findings, diag, link.read, "has seen that before");
    }
    view_add_read(view, cause->stale[i].read, cause->stale[i].write);
  }
  if (cause->stale_count) {
    view->relation = "fr";
    view->from = cause->stale[0].read;
    view->to = cause->stale[0].write;
  }
  diag->reason = "no order of all accesses explains what the threads have read: only a weak "
                 "behaviour of the memory leads here, which nothing forbids";
}

static void explain_loss(const Search *search, DiagList *findings, Diag *diag, View *view,
                         const LostUpdate *lost) {
  note_event(search, findings, diag, lost->read, "has read the value here, before");
  note_event(search, findings, diag, lost->rival, "makes the update that is lost");
  view_add(view, lost->read);
  view_add(view, kernel_source(search, lost->read));
  view_add(view, lost->rival);
  view_add(view, lost->write);
  view->relation = "lost";
  view->from = lost->rival;
  view->to = lost->write;
  view->is_ordered = true;
  diag->reason = "a load and a store are two accesses, however short the code: another thread's "
                 "write may come between them";
}

static void explain_torn(const Search *search, DiagList *findings, Diag *diag, View *view,
                         const TornRead *torn) {
  note_event(search, findings, diag, torn->fresh, "reads old and new elements here");
  note_event(search, findings, diag, torn->write, "has written all of them here");
  view_add_read(view, torn->fresh, EVENT_NONE);
  view_add_read(view, torn->old, torn->write);
  view->relation = "fr";
  view->from = torn->old;
  view->to = torn->write;
  view->is_ordered = true;
  diag->reason = "the elements of a vector are separate accesses: another thread may see some of "
                 "them and not the others";
  diag->remedy = "one scalar of up to 64 bits, or a flag that publishes the vector (release and "
                 "acquire)";
}

static void explain_old(const Search *search, DiagList *findings, Diag *diag, View *view) {
  StaleRead old[MOST_STALE];
  uint32_t count = find_old_reads(search, old);
  for (uint32_t i = 0; i < count; i++) {
    note_event(search, findings, diag, old[i].read, "reads here, before a newer value is written");
    note_event(search, findings, diag, old[i].write, "writes the newer one here");
    view_add_read(view, old[i].read, old[i].write);
  }
  view->is_ordered = true;
}

static void explain(const Search *search, DiagList *findings, Diag *diag, View *view,
                    const Cause *cause) {
  switch (cause->rule) {
  case RULE_STALE_VALUE:
    explain_stale(search, findings, diag, view, cause);
    break;
  case RULE_LOST_UPDATE:
    explain_loss(search, findings, diag, view, &cause->lost);
    break;
  case RULE_TORN_ACCESS:
    explain_torn(search, findings, diag, view, &cause->torn);
    break;
  default:
    explain_old(search, findings, diag, view);
  }
}

// What leads to the violation, behind its description.
static const char *cause_text(RuleNumber rule) {
  switch (rule) {
  case RULE_STALE_VALUE:
    return ", by a weak behaviour of the memory alone";
  case RULE_LOST_UPDATE:
    return ", because an update is lost";
  case RULE_TORN_ACCESS:
    return ", because a vector is read in parts";
  default:
    return "";
  }
}

static const char *loss_text(const Search *search, const LostUpdate *lost, Arena *arena) {
  return arena_format(arena, "%s overwrites an update of %s that %s has made meanwhile: `%s`",
                      name_of(search, lost->write),
                      kernel_location_name(search, lost->write, arena),
                      name_of(search, lost->rival), instruction_of(search, lost->write)->text);
}

// --- witnesses

static void add_last_event(View *view, uint32_t thread) {
  const Graph *graph = &view->search->graph;
  if (graph->last_event[thread] != EVENT_NONE)
    view_add(view, (uint32_t)graph->last_event[thread]);
}

enum { MOST_READS = 6 };

// The atomic that gave a ticket, and those that were counted before.
static void add_counted(View *view, uint32_t update) {
  const Search *search = view->search;
  for (uint32_t i = 0; i < MOST_READS && update < EVENT_INIT; i++) {
    view_add(view, update);
    if (!(search->graph.events[update].flags & EVENT_UPDATE))
      return;
    update = search->update_base[update];
  }
}

// Tickets of the thread at fault may lead there, too.
static void add_tickets(View *view, uint32_t thread) {
  const Graph *graph = &view->search->graph;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, thread), graph->words) {
    const Event *event = &graph->events[bit];
    if (event->flags & EVENT_UPDATE && slots_find_counter(view->search, event->location))
      add_counted(view, (uint32_t)bit);
  }
}

// Reads of the thread at fault lead to the fault: where they took their values is shown.
static void add_reads(View *view, uint32_t thread) {
  const Graph *graph = &view->search->graph;
  uint32_t reads[MOST_READS], count = 0;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[bit].kind == EVENT_READ &&
      !bits_is_empty(graph_row(graph, graph->writes_at, graph->events[bit].location), graph->words))
    reads[count++ % MOST_READS] = (uint32_t)bit;
  for (uint32_t i = 0; i < count && i < MOST_READS; i++)
    view_add_read(view, reads[i], EVENT_NONE);
  add_tickets(view, thread);
}

static void add_event_at(View *view, const Record *record, uint32_t thread) {
  const Graph *graph = &view->search->graph;
  BITS_EACH(bit, graph_row(graph, graph->thread_events, thread), graph->words)
  if (graph->events[bit].instruction == record->first.instruction)
    view_add(view, (uint32_t)bit);
}

static void attach(const Search *search, Diag *diag, const View *view, const char *title,
                   const char *explanation) {
  if (search->options->want_witness && view->key_count)
    diag->witness = view_draw(view, title, explanation);
}

static const char *stale_text(const Search *search, const Cause *cause, Arena *arena) {
  if (!cause->stale_count)
    return NULL;
  StaleRead stale = cause->stale[0];
  return arena_format(arena, "%s reads %s, although %s has written %s", name_of(search, stale.read),
                      witness_label(search, stale.read, arena), name_of(search, stale.write),
                      witness_label(search, stale.write, arena));
}

// --- findings

// A trap or an assertion.
static void report_violation(Search *search, const Record *record, RuleNumber rule, uint32_t thread,
                             DiagList *findings) {
  Arena *arena = findings->arena;
  const Instruction *instruction = instruction_at(search, record->first);
  const char *name = thread == UINT32_MAX ? "a thread" : search->program->threads[thread].name;
  Cause cause = find_cause(search, record, rule, thread);
  View view = {.search = search, .arena = arena};
  Diag *diag =
      diag_add(findings, SEVERITY_ERROR, rule_id(cause.rule), instruction->span, "%s%s: `%s`, %s",
               fault_text(rule), cause_text(cause.rule), instruction->text, name);
  fault_note_inlining(findings, diag, instruction);
  explain(search, findings, diag, &view, &cause);
  if (thread != UINT32_MAX) {
    add_reads(&view, thread);
    add_last_event(&view, thread);
  }
  attach(search, diag, &view, rule == RULE_TRAP ? "execution that traps" : "assertion that fails",
         stale_text(search, &cause, arena));
}

void kernel_report_fault(Search *search, const Record *record, DiagList *findings) {
  RuleNumber rule = (RuleNumber)(record->detail & ~RECORD_SEQUENTIAL);
  uint32_t thread = thread_at_fault(search, record, rule);
  if (rule == RULE_TRAP || rule == RULE_ASSERT) {
    report_violation(search, record, rule, thread, findings);
    return;
  }
  const Instruction *instruction = instruction_at(search, record->first);
  const char *name = thread == UINT32_MAX ? "a thread" : search->program->threads[thread].name;
  RuleNumber parent = rule_get(rule).parent;
  bool is_sub_rule = parent != RULE_COUNT;
  bool is_used_value = rule == RULE_UNINITIALISED && record->second.thread != UINT32_MAX;
  Diag *diag = diag_add(findings, rule_get(rule).severity, rule_id(is_sub_rule ? parent : rule),
                        instruction->span, "%s: `%s`, %s",
                        is_used_value ? fault_undefined_text(fault_origin_of(instruction))
                                      : fault_text_at(rule, instruction),
                        instruction->text, name);
  diag->sub = is_sub_rule ? rule_id(rule) : NULL;
  fault_note_inlining(findings, diag, instruction);
  View view = {.search = search, .arena = findings->arena, .is_ordered = true};
  if (thread != UINT32_MAX) {
    add_event_at(&view, record, thread);
    add_last_event(&view, thread);
  }
  attach(search, diag, &view, "execution with the fault", NULL);
  if (record->second.thread == UINT32_MAX)
    return;
  const Instruction *other = instruction_at(search, record->second);
  diag_note(findings, diag, other->span, "%s: `%s`",
            is_used_value ? "it is used here" : "the other one", other->text);
}

static Diag *report_final_loss(const Search *search, const Cause *cause, Span span,
                               const char *failure, DiagList *findings) {
  const Instruction *store = instruction_of(search, cause->lost.write);
  Diag *diag = diag_add(findings, SEVERITY_ERROR, rule_id(RULE_LOST_UPDATE), store->span, "%s",
                        loss_text(search, &cause->lost, findings->arena));
  fault_note_inlining(findings, diag, store);
  diag_note(findings, diag, span, "so an execution ends with wrong results: %s", failure);
  return diag;
}

void kernel_report_final(Search *search, const Record *record, DiagList *findings) {
  Span span = {0};
  Arena *arena = findings->arena;
  const char *failure = kernel_find_failure(search, arena, &span);
  if (!failure)
    return;
  Cause cause = find_cause(search, record, RULE_ASSERT, UINT32_MAX);
  View view = {.search = search, .arena = arena};
  if (cause.rule == RULE_LOST_UPDATE) {
    Diag *diag = report_final_loss(search, &cause, span, failure, findings);
    explain_loss(search, findings, diag, &view, &cause.lost);
    attach(search, diag, &view, "execution that loses an update", NULL);
    return;
  }
  Diag *diag =
      diag_add(findings, SEVERITY_ERROR, rule_id(cause.rule), span,
               "an execution ends with wrong results%s: %s", cause_text(cause.rule), failure);
  explain(search, findings, diag, &view, &cause);
  attach(search, diag, &view, "execution that ends with wrong results",
         stale_text(search, &cause, arena));
}

void kernel_report_loss(const Search *search, const Record *record, DiagList *findings) {
  LostUpdate lost;
  if (!kernel_loses_at(search, record, &lost))
    return;
  const Instruction *store = instruction_of(search, lost.write);
  View view = {.search = search, .arena = findings->arena};
  Diag *diag = diag_add(findings, SEVERITY_ERROR, rule_id(RULE_LOST_UPDATE), store->span, "%s",
                        loss_text(search, &lost, findings->arena));
  fault_note_inlining(findings, diag, store);
  explain_loss(search, findings, diag, &view, &lost);
  attach(search, diag, &view, "execution that loses an update", NULL);
}
