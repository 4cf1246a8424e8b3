// The models of C and C++ without scopes, by the formulas of the papers: RC11 (Lahav and others,
// PLDI 2017, section 3) and C11 with the SC axiom of Batty, Donaldson and Wickerson (POPL 2016).
// Happens-before also contains the barriers, whose events are ordered both ways: cycles count
// between accesses only.
#include "brute.h"

enum { ANY_ORDER = TAG_RLX | TAG_ACQ | TAG_REL | TAG_ACQ_REL | TAG_SC };

static Set memory_of(const Execution *x) {
  return x->reads | x->writes;
}

// Plain accesses have no order, and volatile ones are not atomic.
static Set atomics_of(const Execution *x, Set events) {
  Set result = 0;
  for (int i = 0; i < x->n; i++)
    if ((events & bit(i)) && x->events[i].is_atomic)
      result |= bit(i);
  return events_tagged(x, result, ANY_ORDER);
}

static Relation release_sequence(const Execution *x) {
  Relation same_location = maybe(both(x->po, x->loc));
  Relation own = ending(starting(x->writes, same_location), atomics_of(x, x->writes));
  return then(own, maybe(closure(then(x->rf, x->rmw))));
}

static Relation synchronises(const Execution *x) {
  Set releasing = events_tagged(x, x->writes | x->fences, TAG_REL | TAG_ACQ_REL | TAG_SC);
  Set acquiring = events_tagged(x, x->reads | x->fences, TAG_ACQ | TAG_ACQ_REL | TAG_SC);
  Relation from_fence = maybe(starting(x->fences, x->po));
  Relation to_fence = maybe(ending(x->po, x->fences));
  Relation seen = ending(then(release_sequence(x), x->rf), atomics_of(x, x->reads));
  return ending(starting(releasing, then(then(from_fence, seen), to_fence)), acquiring);
}

static Relation happens_before(const Execution *x) {
  return closure(either(either(x->po, synchronises(x)), x->bsync));
}

// Between accesses, nothing in `r` goes round.
static bool goes_forward(const Execution *x, Relation r) {
  return is_irreflexive(ending(starting(memory_of(x), closure(r)), memory_of(x)));
}

static bool rc11_sc(const Execution *x, Relation hb, Relation co, Relation fr, Relation eco) {
  Set all = all_events(x->n);
  Set sc = events_tagged(x, all, TAG_SC), fences = sc & x->fences;
  Relation elsewhere = without(x->po, x->loc);
  Relation scb = either(x->po, then(elsewhere, then(hb, elsewhere)));
  scb = either(scb, either(both(hb, x->loc), either(co, fr)));
  Relation begin = either(identity_on(x->n, sc), starting(fences, hb));
  Relation end = either(identity_on(x->n, sc), ending(hb, fences));
  Relation base = then(begin, then(scb, end));
  Relation of_fences = either(hb, then(hb, then(eco, hb)));
  return is_acyclic(either(base, ending(starting(fences, of_fences), fences)));
}

static bool c11_sc(const Execution *x, Relation hb, Relation co, Relation fr) {
  Set sc = events_tagged(x, all_events(x->n), TAG_SC), fences = sc & x->fences;
  Relation begin = maybe(starting(fences, x->po)), end = maybe(ending(x->po, fences));
  Relation order = then(begin, then(either(hb, either(co, fr)), end));
  return is_acyclic(ending(starting(sc, order), sc));
}

static bool plain_reads_are_ordered(const Execution *x, Relation hb) {
  Set plain = x->reads & ~atomics_of(x, x->reads);
  Relation seen = ending(starting(x->writes & ~x->initial, x->rf), plain);
  return is_empty(without(seen, hb));
}

bool language_is_causal(const Execution *x) {
  if (x->model == RC11)
    return goes_forward(x, either(x->po, either(x->rf, x->bsync)));
  Relation waits = then(x->bsync, x->po);
  return is_acyclic(either(x->rf, either(waits, either(x->dep, x->rmw))));
}

bool language_holds(const Execution *x, Relation co) {
  Relation hb = happens_before(x);
  Relation fr = strict(then(inverse(x->rf), co));
  Relation eco = closure(either(x->rf, either(co, fr)));
  Relation between = ending(starting(memory_of(x), hb), memory_of(x));
  if (!is_irreflexive(then(between, maybe(eco))) || !is_empty(both(x->rmw, then(fr, co))))
    return false;
  if (x->model == RC11)
    return rc11_sc(x, hb, co, fr, eco);
  return plain_reads_are_ordered(x, hb) && c11_sc(x, hb, co, fr);
}

bool language_has_race(const Execution *x) {
  Relation hb = happens_before(x);
  for (int a = 0; a < x->n; a++)
    for (int b = 0; b < x->n; b++) {
      bool are_accesses = (memory_of(x) & bit(a)) && (memory_of(x) & bit(b));
      bool has_write = (x->writes & ~x->initial & bit(a)) != 0;
      if (!are_accesses || !has_write || (x->initial & bit(b)) || !has(&x->loc, a, b) ||
          x->events[a].thread == x->events[b].thread)
        continue;
      bool are_atomic = x->events[a].is_atomic && x->events[b].is_atomic;
      if (!are_atomic && !has(&hb, a, b) && !has(&hb, b, a))
        return true;
    }
  return false;
}
