// A brute-force enumerator of litmus tests: every candidate execution, the axioms tested on each.
// It is the oracle that the explorer is held against, so it shares no code with the product and
// prefers being obviously right to being fast.
//   program.c    spelling of programs          reader.c     litmus text -> Program
//   generate.c   random programs               vary.c       small changes to them
//   condition.c  conditions on final states    runs.c       runs of one thread, values guessed
//   execution.c  runs + rf -> candidates       partial.c    models with partial coherence (ptx)
//   total.c      models with total coherence   outcome.c    final states and their counts
//   language.c   of them: rc11, c11
#ifndef BRUTE_BRUTE_H
#define BRUTE_BRUTE_H

#include "relation.h"

#include <stdio.h>

enum {
  MAX_THREADS = 8,
  MAX_INSTRUCTIONS = 32, // of a thread
  MAX_REGISTERS = 16,    // of a thread
  MAX_NAMES = 12,        // names of memory locations, aliases included
  MAX_RUN_EVENTS = 32,   // of a thread
  MAX_VALUES = 48,       // that one location can hold
  MAX_COLUMNS = 64,
  MAX_NODES = 64, // of a condition
};

typedef enum Model { PTX60, PTX, CUDA, RC11, C11, TSO, SC, MODEL_COUNT } Model;
typedef enum Scope { NO_SCOPE, CTA, CLUSTER, GPU, SYS } Scope;
typedef enum Sem { WEAK, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST } Sem;
typedef enum Proxy { GENERIC, TEXTURE, SURFACE, CONSTANT, ALIAS } Proxy;
typedef enum Compare { EQ, NE, LT, LE, GT, GE } Compare;

typedef enum Op {
  LOAD,
  STORE,
  ATOM,
  RED,
  FENCE,
  PROXY_FENCE,
  BARRIER,
  MOVE,
  ARITHMETIC,
  BRANCH,
  GOTO,
  LABEL,
} Op;

typedef struct Operand {
  bool is_register;
  long value; // or the number of the register
} Operand;

// `function` is '+', '-', '*' or '/' of ARITHMETIC; also '&', '|', '^', 'x' (exch) and 'c' (cas)
// of ATOM and RED. A failing cas writes the old value back (litmus dialect).
typedef struct Instruction {
  Op op;
  Sem sem;
  Scope scope;
  Proxy proxy; // of PROXY_FENCE
  bool is_volatile;
  bool is_arrive; // BARRIER
  char function;
  Compare compare;
  int dst;
  int name;     // memory location
  int number;   // label of LABEL, BRANCH and GOTO; instance of BARRIER
  Operand a, b; // value stored or added; expected and new value of cas; both sides of BRANCH
} Instruction;

typedef struct Thread {
  int cta, cluster, gpu;
  int count;
  Instruction code[MAX_INSTRUCTIONS];
  unsigned registers; // bit i: register i is used
  long initial[MAX_REGISTERS];
} Thread;

// `physical` and `virtual_address` are the names that stand for the location and the address.
typedef struct Name {
  char text[32];
  long initial;
  int physical, virtual_address;
  Proxy proxy;
} Name;

// A leaf compares two terms; a term is a column of the state or a constant.
typedef struct Term {
  bool is_column;
  long value; // or the column
} Term;

typedef struct Node {
  char kind; // '=' leaf, '&', '|', '!', '1' true
  Compare compare;
  Term left, right;
  int first, second;
} Node;

typedef struct Condition {
  enum { EXISTS, NOT_EXISTS, FORALL } kind;
  Node nodes[MAX_NODES];
  int count, root;
  int filter; // node, -1: none
} Condition;

typedef struct Program {
  char title[128], comment[256];
  int thread_count, name_count;
  // A cas is that of C: a failing one writes nothing and is relaxed, and what follows it depends on
  // it as on a condition.
  bool has_c_cas;
  Thread threads[MAX_THREADS];
  Name names[MAX_NAMES];
  Condition condition;
} Program;

// A final state lists the used registers by thread, then the physical locations.
typedef struct Columns {
  int count;
  struct {
    int thread; // -1: memory
    int index;  // register or name
  } column[MAX_COLUMNS];
} Columns;

typedef enum EventKind { READ, WRITE, MEMORY_FENCE, PROXY_FENCE_EVENT, BARRIER_EVENT } EventKind;

enum { TAG_RLX = 1, TAG_ACQ = 2, TAG_REL = 4, TAG_ACQ_REL = 8, TAG_SC = 16 };

// Sets of events here are of the events of the same run.
typedef struct Event {
  EventKind kind;
  unsigned tags;
  Scope scope;
  Proxy proxy;
  int thread; // -1: initial write
  int name;
  int number;     // barrier instance
  bool is_atomic; // in the sense of C++
  bool is_arrive;
  bool is_discarded; // NORET: read half of a red
  int read_half;     // of a write half, else -1
  long value;
  Set depends; // reads that its existence or value depends on
} Event;

typedef struct Run {
  int count;
  Event events[MAX_RUN_EVENTS];
  long registers[MAX_REGISTERS];
} Run;

typedef struct RunList {
  int count, capacity;
  Run *runs;
} RunList;

// The values that a read of each physical location may find.
typedef struct Values {
  struct {
    int count;
    long value[MAX_VALUES];
  } of[MAX_NAMES];
} Values;

// One candidate: the runs of all threads and rf. co and sc are chosen by the models.
typedef struct Execution {
  const Program *program;
  Model model;
  int n;
  Event events[MAX_EVENTS];
  const Run *runs[MAX_THREADS];
  Set reads, writes, fences, proxy_fences, barriers, initial, generic;
  Relation po, loc, vloc, rmw, dep, bsync, rf;
  Relation scopes;      // sr: each event's scope contains the other's thread
  Relation same_thread; // reflexive
  Relation same_cta;
  Relation same_proxy;
} Execution;

typedef struct State {
  long values[MAX_COLUMNS];
  long count; // executions that may end in it
} State;

typedef struct Outcome {
  Columns columns;
  long executions;
  bool race;
  bool is_cut; // the budget was exhausted: nothing here is complete
  long budget; // candidates that may still be looked at
  int state_count, state_capacity;
  State *states;
} Outcome;

typedef enum Mode {
  MODE_ALL,
  MODE_PLAIN,
  MODE_PROXY,
  MODE_ATOMIC,
  MODE_BARRIER,
  MODE_SC,
  MODE_COUNT
} Mode;

// program.c
const char *model_name(Model model);
const char *scope_name(Scope scope);
const char *sem_name(Sem sem);
const char *proxy_name(Proxy proxy);
const char *compare_name(Compare compare);
Columns program_columns(const Program *program);
void column_print(FILE *file, const Program *program, const Columns *columns, int i);
void program_print(FILE *file, const Program *program);

// condition.c
bool condition_evaluate(const Condition *condition, int node, const long *values);
// Does the quantified condition hold over the states that pass the filter?
bool condition_holds(const Condition *condition, const Outcome *outcome);
void condition_print(FILE *file, const Program *program);

// reader.c: reads the next test of `text` and moves it behind. Returns NULL, or why the test is
// not one that this program can handle.
const char *program_read(char **text, Program *program);

// generate.c: a pseudo-random program, a function of the mode and the seed.
void program_generate(Program *program, Mode mode, uint64_t seed);

// vary.c: changes one access, fence, barrier or place a little.
void program_disturb(Program *program, uint64_t *random);
// Takes all synchronisation out.
void program_weaken(Program *program);
// A condition on one or two columns of one of the states.
void program_ask(Program *program, const Outcome *outcome, uint64_t seed);
uint64_t random_next(uint64_t *state);

// runs.c: every run of thread `thread` when reads may return `values`; false: too many.
bool runs_enumerate(const Program *program, Model model, int thread, const Values *values,
                    RunList *list);
// Fills in the values that locations may hold; false: too many.
bool values_collect(const Program *program, Model model, Values *values, RunList *scratch);

// execution.c: looks at each candidate of the program and hands it to its model.
void outcome_enumerate(Outcome *outcome, const Program *program, Model model, long budget);

// The events of `events` that carry one of the tags.
Set events_tagged(const Execution *x, Set events, unsigned tags);

// partial.c, total.c: every consistent completion of the candidate is added to the outcome.
void partial_judge(const Execution *x, Outcome *outcome);
void total_judge(const Execution *x, Outcome *outcome);

// language.c: rc11 and c11
bool language_is_causal(const Execution *x); // before coherence is chosen
bool language_holds(const Execution *x, Relation co);
bool language_has_race(const Execution *x);

// outcome.c
void outcome_add(Outcome *outcome, const Execution *x, const Relation *co);
void outcome_sort(Outcome *outcome);
void outcome_print(FILE *file, const Program *program, const Outcome *outcome);
void outcome_release(Outcome *outcome);

#endif
