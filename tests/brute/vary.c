// Small changes to programs, and questions about them.
#include "brute.h"

#include <string.h>

uint64_t random_next(uint64_t *state) {
  // SplitMix64.
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static int below(uint64_t *random, int n) {
  return (int)(random_next(random) % (uint64_t)n);
}

static void remove_instruction(Thread *thread, const Instruction *in) {
  int at = (int)(in - thread->code);
  thread->count--;
  memmove(&thread->code[at], &thread->code[at + 1],
          (size_t)(thread->count - at) * sizeof *thread->code);
}

// Another name of the same location that can be used in the same way.
static void rename_access(Program *program, Instruction *in, uint64_t *random) {
  int name = below(random, program->name_count);
  bool is_weak_access = in->sem == WEAK && (in->op == LOAD || in->op == STORE);
  Proxy proxy = program->names[name].proxy;
  bool is_writable = proxy == GENERIC || proxy == SURFACE;
  if (program->names[name].physical == program->names[in->name].physical &&
      (proxy == GENERIC || is_weak_access) && (in->op == LOAD || is_writable))
    in->name = name;
}

// Weakens or strengthens the order; a weak access becomes a relaxed one.
static void change_order(Instruction *in, uint64_t *random) {
  if (in->sem == WEAK || in->is_volatile)
    in->scope = (Scope)(CTA + below(random, 4));
  in->is_volatile = false;
  if (in->sem != RELAXED)
    in->sem = RELAXED;
  else if (in->op == ATOM || in->op == RED)
    in->sem = (Sem)(ACQUIRE + below(random, 3));
  else
    in->sem = in->op == LOAD ? ACQUIRE : RELEASE;
}

static bool is_generic(const Program *program, const Instruction *in) {
  return program->names[in->name].proxy == GENERIC;
}

static void disturb_instruction(Program *program, Thread *thread, Instruction *in,
                                uint64_t *random) {
  int kind = below(random, 3);
  switch (in->op) {
  case FENCE:
    if (kind == 0)
      remove_instruction(thread, in);
    else if (kind == 1)
      in->scope = (Scope)(CTA + below(random, 4));
    else
      in->sem = (Sem)(ACQUIRE + below(random, 4));
    break;
  case PROXY_FENCE:
    in->proxy = (Proxy)below(random, ALIAS + 1);
    break;
  case BARRIER:
    in->is_arrive = !in->is_arrive;
    break;
  case LOAD:
  case STORE:
  case ATOM:
  case RED:
    if (program->name_count > 1 && kind == 0)
      rename_access(program, in, random);
    else if (in->scope != NO_SCOPE && !in->is_volatile && kind == 1)
      in->scope = (Scope)(CTA + below(random, 4));
    else if (is_generic(program, in))
      change_order(in, random);
    break;
  default:
    break;
  }
}

static void move_thread(Program *program, Thread *thread, uint64_t *random) {
  const Thread *other = &program->threads[below(random, program->thread_count)];
  bool joins = other != thread && below(random, 2);
  thread->gpu = other->gpu;
  thread->cluster = other->cluster;
  thread->cta = joins ? other->cta : 4 + below(random, 4);
}

void program_disturb(Program *program, uint64_t *random) {
  Thread *thread = &program->threads[below(random, program->thread_count)];
  if (!thread->count || below(random, 5) == 0)
    move_thread(program, thread, random);
  else
    disturb_instruction(program, thread, &thread->code[below(random, thread->count)], random);
}

void program_weaken(Program *program) {
  for (int t = 0; t < program->thread_count; t++) {
    Thread *thread = &program->threads[t];
    for (int i = thread->count - 1; i >= 0; i--) {
      Instruction *in = &thread->code[i];
      if (in->op == FENCE || in->op == PROXY_FENCE || in->op == BARRIER)
        remove_instruction(thread, in);
      else if (in->sem > RELAXED)
        in->sem = RELAXED;
    }
  }
}

static int ask_column(Program *program, const Outcome *outcome, const State *state,
                      uint64_t *random) {
  Condition *condition = &program->condition;
  int column = (int)(random_next(random) % (uint64_t)outcome->columns.count);
  long off = random_next(random) % 4 == 0;
  Node node = {.kind = '=', .compare = EQ};
  node.left = (Term){true, column};
  node.right = (Term){false, state->values[column] + off};
  condition->nodes[condition->count] = node;
  return condition->count++;
}

void program_ask(Program *program, const Outcome *outcome, uint64_t seed) {
  Condition *condition = &program->condition;
  uint64_t random = seed;
  if (!outcome->state_count || !outcome->columns.count)
    return;
  const State *state = &outcome->states[random_next(&random) % (uint64_t)outcome->state_count];
  condition->count = 0;
  condition->kind = (int)(random_next(&random) % 8) < 5 ? EXISTS
                    : random_next(&random) % 2          ? FORALL
                                                        : NOT_EXISTS;
  int left = ask_column(program, outcome, state, &random);
  int right = ask_column(program, outcome, state, &random);
  condition->nodes[condition->count] =
      (Node){.kind = random_next(&random) % 3 ? '&' : '|', .first = left, .second = right};
  condition->root = condition->count++;
}
