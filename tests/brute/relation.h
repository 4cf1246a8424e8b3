// Relations between the events of an execution as plain boolean matrices, with the operators that
// axioms are written with. They are passed by value, so that a formula reads like a formula.
#ifndef BRUTE_RELATION_H
#define BRUTE_RELATION_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_EVENTS = 64 };

// A set of events: bit i stands for event i.
typedef uint64_t Set;

// row[a] holds every b with (a, b) in the relation. Rows from `n` on are not initialised.
typedef struct Relation {
  int n;
  Set row[MAX_EVENTS];
} Relation;

static inline Set bit(int i) {
  return (Set)1 << i;
}

static inline Set all_events(int n) {
  return n == MAX_EVENTS ? ~(Set)0 : bit(n) - 1;
}

// Removes the least element of `set`, which is not empty, and returns it.
static inline int take_first(Set *set) {
  int first = __builtin_ctzll(*set);
  *set &= *set - 1;
  return first;
}

static inline Relation nothing(int n) {
  Relation r;
  r.n = n;
  for (int i = 0; i < n; i++)
    r.row[i] = 0;
  return r;
}

static inline bool has(const Relation *r, int a, int b) {
  return r->row[a] >> b & 1;
}

static inline void add(Relation *r, int a, int b) {
  r->row[a] |= bit(b);
}

// a | b
static inline Relation either(Relation a, Relation b) {
  for (int i = 0; i < a.n; i++)
    a.row[i] |= b.row[i];
  return a;
}

// a & b
static inline Relation both(Relation a, Relation b) {
  for (int i = 0; i < a.n; i++)
    a.row[i] &= b.row[i];
  return a;
}

// a \ b
static inline Relation without(Relation a, Relation b) {
  for (int i = 0; i < a.n; i++)
    a.row[i] &= ~b.row[i];
  return a;
}

// a ; b
static inline Relation then(Relation a, Relation b) {
  Relation r = nothing(a.n);
  for (int i = 0; i < a.n; i++)
    for (Set middle = a.row[i]; middle;)
      r.row[i] |= b.row[take_first(&middle)];
  return r;
}

// [from] ; r
static inline Relation starting(Set from, Relation r) {
  for (int i = 0; i < r.n; i++)
    r.row[i] = from & bit(i) ? r.row[i] : 0;
  return r;
}

// r ; [to]
static inline Relation ending(Relation r, Set to) {
  for (int i = 0; i < r.n; i++)
    r.row[i] &= to;
  return r;
}

// from * to
static inline Relation cross(int n, Set from, Set to) {
  Relation r = nothing(n);
  for (int i = 0; i < n; i++)
    r.row[i] = from & bit(i) ? to : 0;
  return r;
}

// [s]
static inline Relation identity_on(int n, Set s) {
  Relation r = nothing(n);
  for (int i = 0; i < n; i++)
    r.row[i] = s & bit(i);
  return r;
}

// r?
static inline Relation maybe(Relation r) {
  for (int i = 0; i < r.n; i++)
    r.row[i] |= bit(i);
  return r;
}

// r \ id
static inline Relation strict(Relation r) {
  for (int i = 0; i < r.n; i++)
    r.row[i] &= ~bit(i);
  return r;
}

// r^-1
static inline Relation inverse(Relation r) {
  Relation result = nothing(r.n);
  for (int i = 0; i < r.n; i++)
    for (Set targets = r.row[i]; targets;)
      add(&result, take_first(&targets), i);
  return result;
}

// r+ (Warshall)
static inline Relation closure(Relation r) {
  for (int k = 0; k < r.n; k++)
    for (int i = 0; i < r.n; i++)
      if (has(&r, i, k))
        r.row[i] |= r.row[k];
  return r;
}

static inline bool is_empty(Relation r) {
  for (int i = 0; i < r.n; i++)
    if (r.row[i])
      return false;
  return true;
}

static inline bool is_irreflexive(Relation r) {
  for (int i = 0; i < r.n; i++)
    if (has(&r, i, i))
      return false;
  return true;
}

static inline bool is_acyclic(Relation r) {
  return is_irreflexive(closure(r));
}

static inline bool is_same(const Relation *a, const Relation *b) {
  for (int i = 0; i < a->n; i++)
    if (a->row[i] != b->row[i])
      return false;
  return true;
}

#endif
