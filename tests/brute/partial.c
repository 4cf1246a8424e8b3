// The models `ptx60` and `ptx`: coherence is a partial order, fence.sc events have an order that
// only has to exist. Every order of the fences is tried; for each, co is what causality and the
// orientation of the morally strong pairs of writes give, and nothing more.
#include "brute.h"

#include <stdlib.h>

typedef struct Judge {
  const Execution *x;
  Outcome *outcome;
  Relation ms, msrf, poloc; // poloc: po of one virtual address
  Relation fixed_sw;        // sync and bsync: sw without sc
  Relation obs;
  Relation sc, base, cause;
  int accepted_count, accepted_capacity;
  Relation *accepted; // each co that was found consistent
} Judge;

static Set strong_accesses(const Execution *x) {
  return events_tagged(x, x->reads | x->writes, TAG_RLX | TAG_ACQ | TAG_REL);
}

static Set discarded_reads(const Execution *x) {
  Set result = 0;
  for (int i = 0; i < x->n; i++)
    if (x->events[i].is_discarded)
      result |= bit(i);
  return result;
}

static Set sc_fences(const Execution *x) {
  return events_tagged(x, x->fences, TAG_SC);
}

// Complete overlap is overlap of virtual addresses (spec A.1), and here every access has one size.
static Relation morally_strong(const Execution *x) {
  Set strong = strong_accesses(x) | x->fences, memory = x->reads | x->writes;
  Relation order = either(x->po, inverse(x->po));
  Relation scoped = ending(starting(strong, x->scopes), strong);
  Relation overlap = both(x->vloc, x->same_proxy);
  Relation not_memory =
      without(cross(x->n, all_events(x->n), all_events(x->n)), cross(x->n, memory, memory));
  return strict(both(either(order, scoped), either(overlap, not_memory)));
}

static Relation release_patterns(const Execution *x, Relation poloc) {
  Set strong_writes = strong_accesses(x) & x->writes;
  Set release_writes = events_tagged(x, x->writes, TAG_REL);
  Set release_fences = events_tagged(x, x->fences, TAG_REL | TAG_ACQ_REL | TAG_SC);
  return either(ending(starting(release_writes, maybe(poloc)), strong_writes),
                ending(starting(release_fences, x->po), strong_writes));
}

static Relation acquire_patterns(const Execution *x, Relation poloc) {
  Set strong_reads = strong_accesses(x) & x->reads;
  Set acquire_reads = events_tagged(x, x->reads, TAG_ACQ);
  Set acquire_fences = events_tagged(x, x->fences, TAG_ACQ | TAG_ACQ_REL | TAG_SC);
  return either(ending(starting(strong_reads, maybe(poloc)), acquire_reads),
                ending(starting(strong_reads & ~discarded_reads(x), x->po), acquire_fences));
}

// A read extends the chain through the write of its atomic: (rmw ; msrf)*
static Relation observation(const Execution *x, Relation msrf) {
  return then(msrf, maybe(closure(then(x->rmw, msrf))));
}

static Relation base_causality(const Judge *j) {
  const Execution *x = j->x;
  Relation sw = either(j->fixed_sw, j->sc);
  if (x->model == PTX)
    return closure(either(x->po, sw));
  return closure(then(maybe(x->po), then(sw, maybe(x->po))));
}

// Proxy fence -> accesses through the proxy that it names.
static Relation fenced_accesses(const Execution *x) {
  Relation r = nothing(x->n);
  for (int i = 0; i < x->n; i++)
    for (int k = 0; k < x->n; k++)
      if (x->proxy_fences & bit(i) && (x->reads | x->writes) & bit(k) &&
          x->events[k].proxy != GENERIC && x->events[i].proxy == x->events[k].proxy)
        add(&r, i, k);
  return r;
}

// [GEN];r;[GEN] | pout;r;[GEN] | [GEN];r;pin | pout;r;pin
static Relation through_generic(const Execution *x, Relation pout, Relation r, Relation pin) {
  Relation enter = either(identity_on(x->n, x->generic), pout);
  Relation leave = either(identity_on(x->n, x->generic), pin);
  return then(enter, then(r, leave));
}

// Proxy-preserved base causality (spec B.5).
static Relation proxy_preserved(const Execution *x, Relation base) {
  Set alias_fences = 0;
  for (int i = 0; i < x->n; i++)
    if (x->proxy_fences & bit(i) && x->events[i].proxy == ALIAS)
      alias_fences |= bit(i);
  Relation fenced = fenced_accesses(x);
  Relation pout = both(both(base, x->same_cta), inverse(fenced));
  Relation pin = both(both(base, x->same_cta), fenced);
  Relation middle = then(base, starting(alias_fences, base));
  Relation same = both(both(base, x->vloc), both(x->same_proxy, x->same_cta));
  return either(either(both(through_generic(x, pout, base, pin), x->vloc), same),
                both(through_generic(x, pout, middle, pin), x->loc));
}

static Relation causality(const Judge *j) {
  const Execution *x = j->x;
  if (x->model == PTX60)
    return either(j->base, then(j->obs, either(j->base, j->poloc)));
  Relation preserved = proxy_preserved(x, j->base);
  return either(preserved, then(j->obs, preserved));
}

static bool axioms_hold(const Judge *j, Relation co) {
  const Execution *x = j->x;
  Relation fr = strict(then(inverse(x->rf), co));
  Relation communication = either(x->rf, either(co, fr));
  return is_empty(both(then(both(j->ms, fr), both(j->ms, co)), x->rmw)) &&
         is_acyclic(either(both(j->ms, communication), j->poloc)) &&
         is_irreflexive(then(either(x->rf, fr), j->cause));
}

// PTX data race: in conflict, neither morally strong nor ordered by causality (spec B.8). An atomic
// is one operation: what its write comes before, its read comes before, too (spec H2).
static bool has_race(const Judge *j) {
  const Execution *x = j->x;
  Set memory = x->reads | x->writes;
  Relation pairs = either(cross(x->n, x->writes, memory), cross(x->n, memory, x->writes));
  Relation conflict = without(both(pairs, x->loc), x->same_thread);
  conflict = ending(starting(~x->initial, conflict), ~x->initial);
  Relation before = either(j->cause, then(x->rmw, j->cause));
  return !is_empty(without(without(without(conflict, j->ms), before), inverse(before)));
}

// Adds the execution unless another order of the fences has given the same co.
static void accept(Judge *j, const Relation *co) {
  if (j->x->model == PTX && has_race(j))
    j->outcome->race = true;
  for (int i = 0; i < j->accepted_count; i++)
    if (is_same(&j->accepted[i], co))
      return;
  if (j->accepted_count == j->accepted_capacity) {
    j->accepted_capacity = j->accepted_capacity ? 2 * j->accepted_capacity : 16;
    j->accepted = realloc(j->accepted, (size_t)j->accepted_capacity * sizeof *j->accepted);
    if (!j->accepted)
      abort();
  }
  j->accepted[j->accepted_count++] = *co;
  outcome_add(j->outcome, j->x, co);
}

// First pair a < b of writes that are morally strong and not ordered yet.
static bool find_unordered_pair(const Judge *j, const Relation *co, int *a, int *b) {
  for (*a = 0; *a < co->n; ++*a)
    for (*b = *a + 1; *b < co->n; ++*b)
      if (j->x->writes & bit(*a) && j->x->writes & bit(*b) && has(&j->ms, *a, *b) &&
          has(&j->x->loc, *a, *b) && !has(co, *a, *b) && !has(co, *b, *a))
        return true;
  return false;
}

static void choose_co(Judge *j, Relation co) {
  int a, b;
  co = closure(co);
  if (!is_irreflexive(co))
    return;
  if (!find_unordered_pair(j, &co, &a, &b)) {
    if (j->outcome->budget-- <= 0)
      j->outcome->is_cut = true;
    else if (axioms_hold(j, co))
      accept(j, &co);
    return;
  }
  Relation forward = co, backward = co;
  add(&forward, a, b);
  add(&backward, b, a);
  choose_co(j, forward);
  choose_co(j, backward);
}

static void judge_sc(Judge *j) {
  const Execution *x = j->x;
  j->base = base_causality(j);
  j->cause = causality(j);
  // Fence-SC: causality between fences is base causality in either version.
  if (!is_irreflexive(then(j->sc, x->model == PTX ? j->base : j->cause)))
    return;
  Relation coherence = both(cross(x->n, x->writes, x->writes), both(j->cause, x->loc));
  Relation first = cross(x->n, x->initial, x->writes & ~x->initial);
  choose_co(j, either(coherence, both(first, x->loc)));
}

// Orients the pairs of fences from (a, b) on, in lexical order. Fences of one thread are in program
// order: the opposite would contradict Fence-SC at once.
static void choose_sc(Judge *j, int a, int b) {
  const Execution *x = j->x;
  Set fences = sc_fences(x);
  // A cycle never heals.
  if (j->outcome->is_cut || !is_acyclic(j->sc))
    return;
  for (; a < x->n; a++, b = a + 1)
    for (; b < x->n; b++) {
      if (!(fences & bit(a)) || !(fences & bit(b)) || !has(&j->ms, a, b))
        continue;
      Relation before = j->sc;
      add(&j->sc, a, b);
      choose_sc(j, a, b + 1);
      j->sc = before;
      if (!has(&x->po, a, b)) {
        add(&j->sc, b, a);
        choose_sc(j, a, b + 1);
        j->sc = before;
      }
      return;
    }
  if (j->outcome->budget-- <= 0)
    j->outcome->is_cut = true;
  else
    judge_sc(j);
}

void partial_judge(const Execution *x, Outcome *outcome) {
  // What a thread does after a barrier depends on those that arrived, and on what made them arrive.
  Relation waits = then(x->bsync, x->po);
  if (!is_acyclic(either(x->rf, either(waits, either(x->dep, x->rmw)))))
    return;
  Judge j = {.x = x, .outcome = outcome};
  j.ms = morally_strong(x);
  j.msrf = both(j.ms, x->rf);
  j.poloc = both(x->po, x->vloc);
  j.obs = observation(x, j.msrf);
  Relation patterns = then(release_patterns(x, j.poloc), then(j.obs, acquire_patterns(x, j.poloc)));
  j.fixed_sw = either(both(j.ms, patterns), x->bsync);
  j.sc = nothing(x->n);
  choose_sc(&j, 0, 1);
  free(j.accepted);
}
