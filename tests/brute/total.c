// The models `cuda`, `tso` and `sc`, and `rc11` and `c11` of language.c: coherence is a total order
// of the writes to each location. Every permutation is tried.
#include "brute.h"

typedef struct Judge {
  const Execution *x;
  Outcome *outcome;
  Relation incl, hb; // of cuda
  Relation ppo;      // of tso
} Judge;

static Set atomic_accesses(const Execution *x) {
  Set result = 0;
  for (int i = 0; i < x->n; i++)
    if (x->events[i].is_atomic)
      result |= bit(i);
  return result;
}

static Relation from_read(const Execution *x, Relation co) {
  return strict(then(inverse(x->rf), co));
}

static Relation different_threads(const Execution *x) {
  return without(cross(x->n, all_events(x->n), all_events(x->n)),
                 either(x->same_thread, identity_on(x->n, all_events(x->n))));
}

// ---- cuda (spec C.3)

static Relation cuda_synchronises(const Execution *x, Relation incl) {
  Set atomics = atomic_accesses(x);
  Set rel = events_tagged(x, x->writes | x->fences, TAG_REL | TAG_ACQ_REL | TAG_SC);
  Set acq = events_tagged(x, x->reads | x->fences, TAG_ACQ | TAG_ACQ_REL | TAG_SC);
  Relation irf = both(x->rf, incl);
  Relation rs = starting(x->writes & atomics, maybe(closure(then(irf, x->rmw))));
  Relation head = starting(rel, maybe(starting(x->fences, x->po)));
  Relation tail = ending(maybe(ending(x->po, x->fences)), acq);
  return then(head, then(rs, then(irf, starting(x->reads & atomics, tail))));
}

static Relation cuda_happens_before(const Execution *x, Relation incl) {
  Relation sw = both(cuda_synchronises(x, incl), incl);
  return closure(either(x->po, either(sw, x->bsync)));
}

static bool cuda_sc_holds(const Judge *j, Relation co, Relation fr, Relation eco) {
  const Execution *x = j->x;
  Set msc = events_tagged(x, x->reads | x->writes, TAG_SC),
      fsc = events_tagged(x, x->fences, TAG_SC);
  if (!(msc | fsc))
    return true;
  Relation pol = without(x->po, x->loc);
  Relation scb = either(either(x->po, then(pol, then(j->hb, pol))),
                        either(both(j->hb, x->loc), either(co, fr)));
  Relation left = either(identity_on(x->n, msc), starting(fsc, maybe(j->hb)));
  Relation right = either(identity_on(x->n, msc), ending(maybe(j->hb), fsc));
  Relation psc1 = then(left, then(scb, right));
  Relation psc2 = ending(starting(fsc, either(j->hb, then(j->hb, then(eco, j->hb)))), fsc);
  return is_acyclic(both(j->incl, either(psc1, psc2)));
}

static bool cuda_holds(const Judge *j, Relation co) {
  const Execution *x = j->x;
  Set memory = x->reads | x->writes;
  Relation fr = from_read(x, co);
  Relation eco = closure(either(x->rf, either(co, fr)));
  Relation hbm = ending(starting(memory, j->hb), memory);
  return is_irreflexive(then(hbm, maybe(eco))) && is_empty(both(x->rmw, then(fr, co))) &&
         cuda_sc_holds(j, co, fr, eco);
}

static bool cuda_has_race(const Judge *j) {
  const Execution *x = j->x;
  Set memory = x->reads | x->writes, atomics = atomic_accesses(x);
  Relation pairs = either(cross(x->n, x->writes, memory), cross(x->n, memory, x->writes));
  Relation conflict = without(both(pairs, x->loc), x->same_thread);
  conflict = ending(starting(~x->initial, conflict), ~x->initial);
  Relation fine = both(cross(x->n, atomics, atomics), j->incl);
  return !is_empty(without(without(without(conflict, fine), j->hb), inverse(j->hb)));
}

// ---- tso and sc (spec C.4)

static Set domain_of(Relation r) {
  Set result = 0;
  for (int i = 0; i < r.n; i++)
    if (r.row[i])
      result |= bit(i);
  return result;
}

static Set range_of(Relation r) {
  return domain_of(inverse(r));
}

// What is before a barrier in its thread is before what is after it in any participant: a relation
// of memory events, because the barrier events themselves are ordered both ways.
static Relation barrier_order(const Execution *x, Relation po) {
  Set memory = x->reads | x->writes;
  return ending(starting(memory, closure(either(po, x->bsync))), memory);
}

// fence.sc is the full fence and every atomic is locked; a barrier orders all that is around it.
static Relation tso_preserved(const Execution *x) {
  Set memory = x->reads | x->writes;
  Set full = events_tagged(x, x->fences, TAG_SC);
  Relation mf = either(then(x->po, starting(full, x->po)),
                       either(ending(x->po, domain_of(x->rmw)), starting(range_of(x->rmw), x->po)));
  Relation kept =
      both(x->po, either(cross(x->n, x->reads, memory), cross(x->n, x->writes, x->writes)));
  Relation around = either(ending(x->po, x->barriers), starting(x->barriers, x->po));
  return either(either(kept, ending(starting(memory, mf), memory)), barrier_order(x, around));
}

static bool tso_holds(const Judge *j, Relation co) {
  const Execution *x = j->x;
  Relation fr = from_read(x, co), ext = different_threads(x);
  Relation lost = then(both(fr, ext), both(co, ext));
  Relation communication = either(co, fr);
  return is_acyclic(either(both(x->po, x->loc), either(x->rf, communication))) &&
         is_empty(both(x->rmw, lost)) &&
         is_acyclic(either(j->ppo, either(both(x->rf, ext), communication)));
}

static bool sc_holds(const Judge *j, Relation co) {
  const Execution *x = j->x;
  Relation fr = from_read(x, co);
  return is_empty(both(x->rmw, then(fr, co))) &&
         is_acyclic(either(barrier_order(x, x->po), either(x->rf, either(co, fr))));
}

// ---- coherence

static void judge_co(Judge *j, Relation co) {
  if (j->outcome->budget-- <= 0) {
    j->outcome->is_cut = true;
    return;
  }
  Model model = j->x->model;
  bool is_language = model == RC11 || model == C11;
  bool holds = is_language     ? language_holds(j->x, co)
               : model == CUDA ? cuda_holds(j, co)
               : model == TSO  ? tso_holds(j, co)
                               : sc_holds(j, co);
  if (!holds)
    return;
  if (model == CUDA ? cuda_has_race(j) : is_language && language_has_race(j->x))
    j->outcome->race = true;
  outcome_add(j->outcome, j->x, &co);
}

// Places the writes in `left` in every order; each new one comes after those of its location in
// `placed`. Choosing by location first keeps independent locations from multiplying orders.
static void choose_co(Judge *j, Set left, Set placed, Relation co) {
  if (j->outcome->is_cut)
    return;
  if (!left) {
    judge_co(j, co);
    return;
  }
  Set first = left;
  for (Set same = left & j->x->loc.row[take_first(&first)]; same;) {
    int write = take_first(&same);
    Relation longer = co;
    for (Set before = placed & j->x->loc.row[write]; before;)
      add(&longer, take_first(&before), write);
    choose_co(j, left & ~bit(write), placed | bit(write), longer);
  }
}

void total_judge(const Execution *x, Outcome *outcome) {
  Judge j = {.x = x, .outcome = outcome};
  if ((x->model == RC11 || x->model == C11) && !language_is_causal(x))
    return;
  if (x->model == CUDA) {
    // What a thread does after a barrier depends on those that arrived, and on what made them
    // arrive.
    Relation waits = then(x->bsync, x->po);
    if (!is_acyclic(either(x->rf, either(waits, either(x->dep, x->rmw)))))
      return;
    j.incl = either(either(x->scopes, x->same_thread), identity_on(x->n, all_events(x->n)));
    j.hb = cuda_happens_before(x, j.incl);
  } else if (x->model == TSO) {
    j.ppo = tso_preserved(x);
  }
  choose_co(&j, x->writes & ~x->initial, x->initial, nothing(x->n));
}
