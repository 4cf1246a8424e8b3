// Candidate executions: every combination of thread runs, every rf that gives the reads the values
// which they were run with.
#include "brute.h"

#include <stdlib.h>
#include <string.h>

typedef struct Search {
  const Program *program;
  Outcome *outcome;
  RunList lists[MAX_THREADS];
  Execution x;
  int read_count;
  int read[MAX_EVENTS];
  Set sources[MAX_EVENTS]; // of read[i]
} Search;

static void add_initial_writes(Execution *x) {
  const Program *program = x->program;
  for (int i = 0; i < program->name_count; i++)
    if (program->names[i].physical == i)
      x->events[x->n++] = (Event){.kind = WRITE,
                                  .thread = -1,
                                  .name = i,
                                  .value = program->names[i].initial,
                                  .read_half = -1};
}

static bool add_runs(Execution *x) {
  for (int t = 0; t < x->program->thread_count; t++) {
    const Run *run = x->runs[t];
    if (x->n + run->count > MAX_EVENTS)
      return false;
    for (int i = 0; i < run->count; i++) {
      Event *event = &x->events[x->n + i];
      *event = run->events[i];
      event->depends <<= x->n;
      if (event->read_half >= 0)
        event->read_half += x->n;
    }
    x->n += run->count;
  }
  return true;
}

static void sort_into_sets(Execution *x) {
  x->reads = x->writes = x->fences = x->proxy_fences = x->barriers = x->initial = x->generic = 0;
  for (int i = 0; i < x->n; i++) {
    const Event *event = &x->events[i];
    Set *sets[] = {&x->reads, &x->writes, &x->fences, &x->proxy_fences, &x->barriers};
    *sets[event->kind] |= bit(i);
    if (event->thread < 0)
      x->initial |= bit(i);
    bool is_memory = event->kind == READ || event->kind == WRITE;
    if (is_memory && (x->model != PTX || event->proxy == GENERIC))
      x->generic |= bit(i);
  }
}

// Is the thread of `other` inside the scope of `event`?
static bool scope_contains(const Execution *x, const Event *event, const Event *other) {
  const Thread *a = &x->program->threads[event->thread];
  const Thread *b = &x->program->threads[other->thread];
  switch (event->scope) {
  case CTA:
    return a->gpu == b->gpu && a->cta == b->cta;
  case CLUSTER:
    return a->gpu == b->gpu && a->cluster == b->cluster;
  case GPU:
    return a->gpu == b->gpu;
  case SYS:
    return true;
  default:
    return false;
  }
}

static bool is_same_cta(const Execution *x, const Event *a, const Event *b) {
  const Thread *s = &x->program->threads[a->thread], *t = &x->program->threads[b->thread];
  return s->gpu == t->gpu && s->cta == t->cta;
}

static void relate_threads(Execution *x, int i, int j) {
  const Event *a = &x->events[i], *b = &x->events[j];
  if (a->thread < 0 || b->thread < 0)
    return;
  if (a->thread == b->thread) {
    add(&x->same_thread, i, j);
    if (i < j)
      add(&x->po, i, j);
  }
  if (is_same_cta(x, a, b))
    add(&x->same_cta, i, j);
  if (scope_contains(x, a, b) && scope_contains(x, b, a))
    add(&x->scopes, i, j);
  if (a->kind == BARRIER_EVENT && b->kind == BARRIER_EVENT && a->thread != b->thread &&
      a->number == b->number && is_same_cta(x, a, b) && !b->is_arrive)
    add(&x->bsync, i, j);
}

static void relate_places(Execution *x, int i, int j) {
  const Event *a = &x->events[i], *b = &x->events[j];
  if (a->name < 0 || b->name < 0)
    return;
  const Name *m = &x->program->names[a->name], *n = &x->program->names[b->name];
  if (m->physical == n->physical)
    add(&x->loc, i, j);
  // Only the current PTX model tells addresses and proxies apart.
  if (x->model == PTX ? m->virtual_address == n->virtual_address : m->physical == n->physical)
    add(&x->vloc, i, j);
  if (x->model != PTX || a->proxy == b->proxy)
    add(&x->same_proxy, i, j);
}

static void relate(Execution *x) {
  Relation *relations[] = {&x->po,     &x->loc,         &x->vloc,     &x->rmw,        &x->dep,
                           &x->scopes, &x->same_thread, &x->same_cta, &x->same_proxy, &x->bsync};
  for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
    *relations[i] = nothing(x->n);
  for (int i = 0; i < x->n; i++) {
    for (int j = 0; j < x->n; j++) {
      relate_threads(x, i, j);
      relate_places(x, i, j);
    }
    for (Set depends = x->events[i].depends; depends;)
      add(&x->dep, take_first(&depends), i);
    if (x->events[i].read_half >= 0)
      add(&x->rmw, x->events[i].read_half, i);
  }
}

static bool has_barrier(const Thread *thread, int number) {
  for (int i = 0; i < thread->count; i++)
    if (thread->code[i].op == BARRIER && thread->code[i].number == number)
      return true;
  return false;
}

static bool reaches_barrier(const Run *run, int number) {
  for (int i = 0; i < run->count; i++)
    if (run->events[i].kind == BARRIER_EVENT && run->events[i].number == number)
      return true;
  return false;
}

// A barrier waits for every thread of the CTA whose code contains it.
static bool barriers_complete(const Execution *x) {
  const Program *program = x->program;
  for (Set barriers = x->barriers; barriers;) {
    const Event *event = &x->events[take_first(&barriers)];
    for (int t = 0; t < program->thread_count; t++) {
      Event other = {.thread = t};
      if (is_same_cta(x, event, &other) && has_barrier(&program->threads[t], event->number) &&
          !reaches_barrier(x->runs[t], event->number))
        return false;
    }
  }
  return true;
}

// Every write of the value to the location; false if some read has none.
static bool find_sources(Search *search) {
  Execution *x = &search->x;
  search->read_count = 0;
  for (Set reads = x->reads; reads;) {
    int read = take_first(&reads);
    Set sources = 0;
    for (Set writes = x->loc.row[read] & x->writes; writes;) {
      int write = take_first(&writes);
      if (x->events[write].value == x->events[read].value)
        sources |= bit(write);
    }
    if (!sources)
      return false;
    search->read[search->read_count] = read;
    search->sources[search->read_count++] = sources;
  }
  return true;
}

static void judge(Search *search) {
  const Execution *x = &search->x;
  if (search->outcome->budget-- <= 0)
    search->outcome->is_cut = true;
  else if (x->model == PTX60 || x->model == PTX)
    partial_judge(x, search->outcome);
  else
    total_judge(x, search->outcome);
}

static void choose_rf(Search *search, int i) {
  if (search->outcome->is_cut)
    return;
  if (i == search->read_count) {
    judge(search);
    return;
  }
  int read = search->read[i];
  for (Set sources = search->sources[i]; sources;) {
    int write = take_first(&sources);
    add(&search->x.rf, write, read);
    choose_rf(search, i + 1);
    search->x.rf.row[write] &= ~bit(read);
  }
}

static void try_runs(Search *search) {
  Execution *x = &search->x;
  x->n = 0;
  add_initial_writes(x);
  if (!add_runs(x)) {
    search->outcome->is_cut = true;
    return;
  }
  sort_into_sets(x);
  relate(x);
  if (!barriers_complete(x) || !find_sources(search))
    return;
  x->rf = nothing(x->n);
  choose_rf(search, 0);
}

// Quick look before the matrices are built: is every value that is read also written?
static bool values_are_written(const Search *search) {
  const Program *program = search->program;
  const Execution *x = &search->x;
  Values written = {0};
  for (int i = 0; i < program->name_count; i++)
    if (program->names[i].physical == i)
      written.of[i].value[written.of[i].count++] = program->names[i].initial;
  for (int pass = 0; pass < 2; pass++)
    for (int t = 0; t < program->thread_count; t++)
      for (int i = 0; i < x->runs[t]->count; i++) {
        const Event *event = &x->runs[t]->events[i];
        if (event->name < 0)
          continue;
        int place = program->names[event->name].physical, k = 0;
        if (pass == 0 && event->kind == WRITE && written.of[place].count < MAX_VALUES)
          written.of[place].value[written.of[place].count++] = event->value;
        if (pass == 0 || event->kind != READ)
          continue;
        while (k < written.of[place].count && written.of[place].value[k] != event->value)
          k++;
        if (k == written.of[place].count)
          return false;
      }
  return true;
}

static void choose_runs(Search *search, int thread) {
  if (search->outcome->is_cut)
    return;
  if (thread == search->program->thread_count) {
    if (search->outcome->budget-- <= 0)
      search->outcome->is_cut = true;
    else if (values_are_written(search))
      try_runs(search);
    return;
  }
  for (int i = 0; i < search->lists[thread].count; i++) {
    search->x.runs[thread] = &search->lists[thread].runs[i];
    choose_runs(search, thread + 1);
  }
}

static bool enumerate_runs(Search *search, Model model) {
  Values values;
  RunList scratch = {0};
  bool is_small = values_collect(search->program, model, &values, &scratch);
  free(scratch.runs);
  for (int t = 0; t < search->program->thread_count && is_small; t++)
    is_small = runs_enumerate(search->program, model, t, &values, &search->lists[t]);
  return is_small;
}

Set events_tagged(const Execution *x, Set events, unsigned tags) {
  Set result = 0;
  for (int i = 0; i < x->n; i++)
    if (x->events[i].tags & tags)
      result |= bit(i);
  return result & events;
}

void outcome_enumerate(Outcome *outcome, const Program *program, Model model, long budget) {
  Search *search = calloc(1, sizeof *search);
  if (!search)
    abort();
  memset(outcome, 0, sizeof *outcome);
  outcome->columns = program_columns(program);
  outcome->budget = budget;
  search->program = program;
  search->outcome = outcome;
  search->x.program = program;
  search->x.model = model;
  if (enumerate_runs(search, model))
    choose_runs(search, 0);
  else
    outcome->is_cut = true;
  for (int t = 0; t < MAX_THREADS; t++)
    free(search->lists[t].runs);
  free(search);
  outcome_sort(outcome);
}
