// Runs of one thread: its instructions are executed with every combination of values that its
// reads could find; rf decides later which combinations are possible.
#include "brute.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 20000 };

typedef struct Walk {
  const Program *program;
  Model model;
  const Values *values;
  RunList *list;
  int thread;
  Run run;
  Set register_depends[MAX_REGISTERS];
  Set control;
} Walk;

static long operand_value(const Walk *walk, Operand operand) {
  return operand.is_register ? walk->run.registers[operand.value] : operand.value;
}

static Set operand_depends(const Walk *walk, Operand operand) {
  return operand.is_register ? walk->register_depends[operand.value] : 0;
}

static void set_register(Walk *walk, int dst, long value, Set depends) {
  walk->run.registers[dst] = value;
  walk->register_depends[dst] = depends;
}

static long compute(char function, long a, long b) {
  switch (function) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return b == 0 ? 0 : a / b;
  case '&':
    return a & b;
  case '|':
    return a | b;
  case '^':
    return a ^ b;
  default: // exch
    return b;
  }
}

static bool compare(Compare how, long a, long b) {
  switch (how) {
  case EQ:
    return a == b;
  case NE:
    return a != b;
  case LT:
    return a < b;
  case LE:
    return a <= b;
  case GT:
    return a > b;
  default:
    return a >= b;
  }
}

static Event *new_event(Walk *walk, EventKind kind) {
  Event *event = &walk->run.events[walk->run.count++];
  *event = (Event){.kind = kind, .thread = walk->thread, .name = -1, .read_half = -1};
  event->depends = walk->control;
  return event;
}

static unsigned fence_tag(Sem sem) {
  static const unsigned tags[] = {0, TAG_RLX, TAG_ACQ, TAG_REL, TAG_ACQ_REL, TAG_SC};
  return tags[sem];
}

// Under the models of compiled code a seq_cst access is a fence.sc and an acquire or relaxed
// access (spec D.2); only those of C and C++ know seq_cst accesses.
static bool knows_seq_cst(const Walk *walk) {
  return walk->model == CUDA || walk->model == RC11 || walk->model == C11;
}

static Sem sem_of(const Walk *walk, const Instruction *in) {
  if (in->sem != SEQ_CST || knows_seq_cst(walk))
    return in->sem;
  return in->op == STORE ? RELAXED : ACQUIRE;
}

static unsigned read_tag(Sem sem) {
  if (sem == WEAK || sem == SEQ_CST)
    return fence_tag(sem);
  return sem == ACQUIRE || sem == ACQ_REL ? TAG_ACQ : TAG_RLX;
}

static unsigned write_tag(Sem sem) {
  if (sem == WEAK || sem == SEQ_CST)
    return fence_tag(sem);
  return sem == RELEASE || sem == ACQ_REL ? TAG_REL : TAG_RLX;
}

static Event *new_access(Walk *walk, EventKind kind, const Instruction *in, long value) {
  Event *event = new_event(walk, kind);
  Sem sem = in->is_volatile ? RELAXED : sem_of(walk, in);
  event->tags = kind == READ ? read_tag(sem) : write_tag(sem);
  event->scope = in->is_volatile ? SYS : sem == WEAK ? NO_SCOPE : in->scope;
  event->proxy = walk->program->names[in->name].proxy;
  event->name = in->name;
  event->value = value;
  event->is_atomic = sem != WEAK && !in->is_volatile;
  event->is_discarded = in->op == RED && kind == READ;
  return event;
}

static void add_fence(Walk *walk, Sem sem, Scope scope) {
  Event *event = new_event(walk, MEMORY_FENCE);
  event->tags = fence_tag(sem);
  event->scope = scope;
}

static void add_barrier(Walk *walk, const Instruction *in) {
  Event *event = new_event(walk, BARRIER_EVENT);
  event->number = in->number;
  event->is_arrive = in->is_arrive;
}

static void add_store(Walk *walk, const Instruction *in) {
  Event *event = new_access(walk, WRITE, in, operand_value(walk, in->a));
  event->depends |= operand_depends(walk, in->a);
}

// The read half, or a load, finding `value`; then what the instruction does with it.
static void add_read(Walk *walk, const Instruction *in, long value) {
  int index = walk->run.count;
  long a = operand_value(walk, in->a), b = operand_value(walk, in->b);
  Event *read = new_access(walk, READ, in, value);
  bool is_c_cas = in->op != LOAD && in->function == 'c' && walk->program->has_c_cas;
  bool fails = is_c_cas && value != a;
  if (fails)
    read->tags = TAG_RLX;
  if (is_c_cas)
    walk->control |= bit(index) | operand_depends(walk, in->a);
  if (in->op != LOAD && !fails) {
    long written = in->function == 'c' ? (value == a ? b : value) : compute(in->function, value, a);
    Event *write = new_access(walk, WRITE, in, written);
    write->read_half = index;
    write->depends |= bit(index) | operand_depends(walk, in->a);
    if (in->function == 'c')
      write->depends |= operand_depends(walk, in->b);
  }
  if (in->op != RED)
    set_register(walk, in->dst, value, bit(index));
}

static int find_label(const Thread *thread, int number) {
  for (int i = 0; i < thread->count; i++)
    if (thread->code[i].op == LABEL && thread->code[i].number == number)
      return i;
  return thread->count;
}

// Executes an instruction that does not read memory; returns the next one's index.
static int step(Walk *walk, const Thread *thread, int pc) {
  const Instruction *in = &thread->code[pc];
  switch (in->op) {
  case STORE:
    add_store(walk, in);
    break;
  case FENCE:
    add_fence(walk, in->sem, in->scope);
    break;
  case PROXY_FENCE:
    if (walk->model == PTX)
      new_event(walk, PROXY_FENCE_EVENT)->proxy = in->proxy;
    break;
  case BARRIER:
    add_barrier(walk, in);
    break;
  case MOVE:
    set_register(walk, in->dst, operand_value(walk, in->a), operand_depends(walk, in->a));
    break;
  case ARITHMETIC:
    set_register(walk, in->dst,
                 compute(in->function, operand_value(walk, in->a), operand_value(walk, in->b)),
                 operand_depends(walk, in->a) | operand_depends(walk, in->b));
    break;
  case BRANCH:
    walk->control |= operand_depends(walk, in->a) | operand_depends(walk, in->b);
    if (compare(in->compare, operand_value(walk, in->a), operand_value(walk, in->b)))
      return find_label(thread, in->number);
    break;
  case GOTO:
    return find_label(thread, in->number);
  default:
    break;
  }
  return pc + 1;
}

static bool keep_run(RunList *list, const Run *run) {
  if (list->count >= MAX_RUNS)
    return false;
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 64;
    list->runs = realloc(list->runs, (size_t)list->capacity * sizeof *list->runs);
    if (!list->runs)
      abort();
  }
  list->runs[list->count++] = *run;
  return true;
}

static bool walk_from(Walk *walk, int pc);

static bool walk_read(Walk *walk, const Instruction *in, int pc) {
  int place = walk->program->names[in->name].physical;
  for (int i = 0; i < walk->values->of[place].count; i++) {
    Walk next = *walk;
    add_read(&next, in, walk->values->of[place].value[i]);
    if (!walk_from(&next, pc + 1))
      return false;
  }
  return true;
}

static bool walk_from(Walk *walk, int pc) {
  const Thread *thread = &walk->program->threads[walk->thread];
  while (pc < thread->count) {
    if (walk->run.count + 3 > MAX_RUN_EVENTS)
      return false;
    const Instruction *in = &thread->code[pc];
    bool is_access = in->op == LOAD || in->op == STORE || in->op == ATOM || in->op == RED;
    if (is_access && in->sem == SEQ_CST && !knows_seq_cst(walk))
      add_fence(walk, SEQ_CST, in->scope);
    if (is_access && in->op != STORE)
      return walk_read(walk, in, pc);
    pc = step(walk, thread, pc);
  }
  return keep_run(walk->list, &walk->run);
}

bool runs_enumerate(const Program *program, Model model, int thread, const Values *values,
                    RunList *list) {
  Walk walk = {.program = program, .model = model, .values = values, .list = list};
  walk.thread = thread;
  memcpy(walk.run.registers, program->threads[thread].initial, sizeof walk.run.registers);
  list->count = 0;
  return walk_from(&walk, 0);
}

// Returns false if there is no room; sets `*grew` if the value is new.
static bool values_add(Values *values, int place, long value, bool *grew) {
  for (int i = 0; i < values->of[place].count; i++)
    if (values->of[place].value[i] == value)
      return true;
  if (values->of[place].count == MAX_VALUES)
    return false;
  values->of[place].value[values->of[place].count++] = value;
  *grew = true;
  return true;
}

static bool values_add_run(Values *values, const Program *program, const Run *run, bool *grew) {
  for (int i = 0; i < run->count; i++)
    if (run->events[i].kind == WRITE &&
        !values_add(values, program->names[run->events[i].name].physical, run->events[i].value,
                    grew))
      return false;
  return true;
}

static int count_writes(const Program *program) {
  int count = 0;
  for (int t = 0; t < program->thread_count; t++)
    for (int i = 0; i < program->threads[t].count; i++) {
      Op op = program->threads[t].code[i].op;
      count += op == STORE || op == ATOM || op == RED;
    }
  return count;
}

// Every model forbids cycles of rf and dependencies, so a value is computed through at most as
// many writes as the program has: that many rounds find every value.
bool values_collect(const Program *program, Model model, Values *values, RunList *scratch) {
  bool grew = true;
  memset(values, 0, sizeof *values);
  for (int i = 0; i < program->name_count; i++)
    if (program->names[i].physical == i)
      values_add(values, i, program->names[i].initial, &grew);
  for (int round = count_writes(program); round > 0 && grew; round--) {
    Values before = *values;
    grew = false;
    for (int t = 0; t < program->thread_count; t++) {
      if (!runs_enumerate(program, model, t, &before, scratch))
        return false;
      for (int i = 0; i < scratch->count; i++)
        if (!values_add_run(values, program, &scratch->runs[i], &grew))
          return false;
    }
  }
  return true;
}
