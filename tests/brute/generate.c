// Random programs. A program starts as a shape ("Wx Wy|Ry Rx" is message passing: R read, W write,
// U atomic) or as random accesses; then orders, scopes, fences, dependencies, barriers and places
// are drawn, each from a taste that is drawn once for a program, so that uniform and mixed programs
// are both common.
#include "brute.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_MEMORY_EVENTS = 10, MAX_SC_FENCES = 6 };

typedef struct Taste {
  int fences, atomics, dependencies;  // percent
  int weak, ordered, is_volatile, sc; // weights of kinds of access; the rest is relaxed
  Scope scope;                        // NO_SCOPE: any
  Sem fence;                          // WEAK: any
  bool has_roles;                     // x is mostly plain data, other locations are flags
  int ordered_flags;                  // percent of flag accesses; fences serve the others
  bool is_linked;                     // all is seq_cst but y, which links by release and acquire
} Taste;

typedef struct Generator {
  Program *program;
  uint64_t random;
  Mode mode;
  Taste taste;
  int memory_events, sc_fences;
  int next_value[MAX_NAMES];
  int favourite; // name that x is mostly used by
  // Of the thread at hand:
  Thread *thread;
  int next_register, last_read; // register that holds the last value read, -1: none
  bool is_behind_flag;          // the last access read a flag
  int next_label;
} Generator;

static int below(Generator *g, int n) {
  return (int)(random_next(&g->random) % (uint64_t)n);
}

static bool chance(Generator *g, int percent) {
  return below(g, 100) < percent;
}

static const char *const shapes[] = {
    "Wx Wy|Ry Rx",       // MP
    "Wx Wy|Ry Rx",       // again: the shape that programmers use
    "Wx Ry|Wy Rx",       // SB
    "Rx Wy|Ry Wx",       // LB
    "Wx|Wy|Rx Ry|Ry Rx", // IRIW
    "Wx Wy|Wy Wx",       // 2+2W
    "Wx|Rx Wy|Ry Rx",    // WRC
    "Wx Wy|Ry Wz|Rz Rx", // ISA2
    "Wx Wy|Ry Wx",       // S
    "Wx Wy|Wy Rx",       // R
    "Wx|Rx Ry|Wy Rx",    // RWC
    "Wx Wy|Wy Wz|Rz Rx", // Z6.3
    "Wx Wy|Uy|Ry Rx",    // MP through an atomic
    "Wx Wy|Uy|Uy Rx",    // chain of atomics
    "Wx Uy|Uy Rx",       // last block
    "Ux Wy|Uy Wx",       // LB with atomics
    "Ux Ry|Uy Rx",       // SB with atomics
    "Wx Ry|Wy Rz|Wz Rx", // SB, three threads
    "Rx Wy|Ry Wz|Rz Wx", // LB, three threads
    "Rx Wy|Ry Wx|Rx",    // LB, observed
    "Wx|Wx|Rx Rx|Rx Rx", // CoRR, twice
    "Wx Rx|Wx Rx",       // CoWR
    "Rx Wx|Rx Wx",       // CoRW
    "Wx Wx|Rx Rx",       // CoRR
    "Ux|Ux|Ux",          // counter
    "Ux Rx|Wx",          // atomic interrupted
    "Wx Wy Wy|Ry Rx",    // flag written twice
    "Wx Wy|Ry Ry Rx",    // flag read twice
    "Wx|Rx Wx|Rx Rx",    // W+RW+RR
    "Wx Wy Wy|Ry Rx|Wy", // flag written by two
    "Wx Wy|Ry Ry Rx|Wy", // flag written by two, read twice
    "Wx Wy|Ry Rz|Wz Rx",
    "Wx Wy|Uy Ry|Wy Rx",       // Z6.U
    "Wx Wy|Uy Rx",             // MP, an atomic receives
    "Wx Uy|Ry Rx",             // MP, an atomic sends
    "Wx Wy|Ry Wz|Uz Rx|Rx Wz", // ISA2 with a rival
};

static const char *const proxy_shapes[] = {
    "Wx Wy|Ry Rx", "Wx Wy|Ry Rx", "Wx Wy|Ry Rx",       "Wx Rx", "Wx Rx|Wx",
    "Wx Wy|Ry Wx", "Wx Rx|Rx Wx", "Wx Wy|Ry Wz|Rz Rx", "Ux Rx", "Wx|Wx Rx",
};

// What seq_cst accesses and fences tell apart.
static const char *const sc_shapes[] = {
    "Wx Ry|Wy Rx",       "Wx Wy|Ry Rx",       "Wx|Wy|Rx Ry|Ry Rx", "Wx Wy|Wy Wx",
    "Wx|Rx Ry|Wy Rx",    "Wx Wy|Wy Rx",       "Wx Wy|Wy Wz|Rz Rx", "Wx Ry|Wy Rz|Wz Rx",
    "Wx Wy|Uy Ry|Wy Rx", "Wx Wy|Ry Rz|Wz Rx", "Wx|Rx Rz|Wz Rx|Wx", "Ux Ry|Uy Rx",
};

static const char *const single_location_shapes[] = {
    "Wx|Wx|Rx Rx|Rx Rx", "Wx Rx|Wx Rx", "Rx Wx|Rx Wx", "Wx Wx|Rx Rx",   "Ux|Ux|Ux",
    "Ux Rx|Wx",          "Ux Ux|Ux",    "Ux|Ux|Wx|Rx", "Wx Wx|Wx Wx",   "Wx|Wx|Wx Wx",
    "Ux Wx|Ux Rx",       "Ux|Ux|Wx Rx", "Wx Ux|Ux Rx", "Ux Ux|Rx Wx",   "Wx|Wx|Wx|Wx",
    "Ux Wx|Wx Ux",       "Rx Ux|Wx Ux", "Wx Ux|Rx Rx", "Ux|Ux|Ux|Rx Rx"};

// The location of a random access; there is one location in the coherence mode.
static char any_location(Generator *g) {
  return g->mode == MODE_ATOMIC ? 'x' : "xxyyz"[below(g, 5)];
}

// A shape of random accesses.
static void random_shape(Generator *g, char *shape, size_t size) {
  size_t length = 0;
  int threads = 2 + below(g, 3), most = 9 / threads;
  for (int t = 0; t < threads; t++) {
    int accesses = 1 + below(g, most);
    for (int i = 0; i < accesses && length + 8 < size; i++) {
      const char *separator = i ? " " : t ? "|" : "";
      length += (size_t)snprintf(shape + length, size - length, "%s%c%c", separator,
                                 "RRRWWWU"[below(g, 7)], any_location(g));
    }
  }
}

#define SHAPES(list)                                                                               \
  { list, sizeof list / sizeof *list }

static void choose_shape(Generator *g, char *shape, size_t size) {
  static const struct {
    const char *const *shapes;
    size_t count;
  } lists[MODE_COUNT] = {
      [MODE_ALL] = SHAPES(shapes),         [MODE_PLAIN] = SHAPES(shapes),
      [MODE_PROXY] = SHAPES(proxy_shapes), [MODE_ATOMIC] = SHAPES(single_location_shapes),
      [MODE_BARRIER] = SHAPES(shapes),     [MODE_SC] = SHAPES(sc_shapes),
  };
  if (chance(g, 25))
    random_shape(g, shape, size);
  else
    snprintf(shape, size, "%s", lists[g->mode].shapes[below(g, (int)lists[g->mode].count)]);
}

// ---- taste

static void choose_sc_taste(Generator *g) {
  static const Scope scopes[] = {GPU, GPU, SYS, NO_SCOPE};
  if (chance(g, 40))
    return;
  g->taste.has_roles = false;
  g->taste.sc = 60;
  g->taste.is_linked = chance(g, 50);
  g->taste.scope = scopes[below(g, 4)];
}

// Proxies matter where the rest of the synchronisation is right.
static void choose_proxy_taste(Generator *g) {
  if (chance(g, 25))
    return;
  g->taste.has_roles = true;
  g->taste.ordered_flags = 90;
  g->taste.fences = g->taste.atomics = 0;
  g->taste.scope = chance(g, 75) ? GPU : SYS;
}

static void choose_taste(Generator *g) {
  static const int levels[] = {0, 10, 30, 60};
  Taste *taste = &g->taste;
  *taste = (Taste){0};
  taste->fences = levels[below(g, 4)];
  taste->atomics = g->mode == MODE_ATOMIC ? levels[1 + below(g, 3)] : levels[below(g, 3)];
  taste->dependencies = levels[below(g, 4)];
  taste->weak = below(g, 3) * 2;
  taste->ordered = below(g, 3) * 2;
  taste->is_volatile = chance(g, 20) ? 2 : 0;
  taste->sc = g->mode == MODE_SC ? 2 + below(g, 6) : 0;
  static const Scope scopes[] = {NO_SCOPE, NO_SCOPE, CTA, CLUSTER, GPU, GPU, GPU, SYS};
  taste->scope = scopes[below(g, 8)];
  static const Sem fences[] = {WEAK, WEAK, ACQ_REL, SEQ_CST, SEQ_CST};
  taste->fence = fences[below(g, 5)];
  static const int ordered_flags[] = {90, 60, 10};
  taste->has_roles = g->mode != MODE_ATOMIC && chance(g, 45);
  taste->ordered_flags = ordered_flags[below(g, 3)];
  if (g->mode == MODE_SC)
    choose_sc_taste(g);
  else if (g->mode == MODE_PROXY)
    choose_proxy_taste(g);
}

static Scope choose_scope(Generator *g) {
  if (g->taste.scope != NO_SCOPE && chance(g, g->taste.has_roles ? 98 : 85))
    return g->taste.scope;
  return (Scope)(CTA + below(g, 4));
}

// Outside of C++ such an access stands behind a fence.sc.
static void choose_seq_cst(Generator *g, Instruction *in) {
  in->sem = SEQ_CST;
  g->sc_fences++;
}

static void choose_order_of_role(Generator *g, Instruction *in, Sem ordered) {
  bool is_flag = g->program->names[in->name].physical != 0;
  bool can_be_weak = in->op == LOAD || in->op == STORE;
  in->scope = choose_scope(g);
  if (!is_flag)
    in->sem = can_be_weak && chance(g, 70) ? WEAK : RELAXED;
  else if (g->taste.sc && chance(g, 60))
    choose_seq_cst(g, in);
  else
    in->sem = chance(g, g->taste.ordered_flags) ? ordered : RELAXED;
}

static void choose_order(Generator *g, Instruction *in, Sem ordered) {
  if (g->taste.has_roles && chance(g, 90)) {
    choose_order_of_role(g, in, ordered);
    return;
  }
  const Taste *taste = &g->taste;
  in->scope = choose_scope(g);
  if (taste->is_linked && in->name == 1) {
    in->sem = ordered;
    return;
  }
  int kind = below(g, 2 + taste->weak + taste->ordered + taste->is_volatile + taste->sc);
  bool is_atomic = in->op == ATOM || in->op == RED;
  in->sem = RELAXED;
  if ((kind -= 2) < 0)
    return;
  if ((kind -= taste->ordered) < 0)
    in->sem = ordered;
  else if ((kind -= taste->sc) < 0)
    choose_seq_cst(g, in);
  else if (is_atomic)
    in->sem = ordered;
  else if ((kind -= taste->weak) < 0)
    in->sem = WEAK;
  else
    in->is_volatile = true;
}

// ---- instructions

static Instruction *emit(Generator *g, Op op) {
  // The last instruction is overwritten when a thread is too long; such a program is drawn again.
  int index = g->thread->count < MAX_INSTRUCTIONS ? g->thread->count++ : MAX_INSTRUCTIONS - 1;
  Instruction *in = &g->thread->code[index];
  *in = (Instruction){.op = op};
  return in;
}

static Operand constant(long value) {
  return (Operand){false, value};
}

static Operand from_register(int number) {
  return (Operand){true, number};
}

static int new_register(Generator *g) {
  int number = g->next_register++ % MAX_REGISTERS;
  g->thread->registers |= 1u << number;
  return number;
}

static void emit_fence(Generator *g) {
  static const Sem sems[] = {ACQ_REL, ACQ_REL, SEQ_CST, SEQ_CST, ACQUIRE, RELEASE};
  Sem sem = g->taste.fence;
  if (sem == WEAK || chance(g, 15))
    sem = sems[below(g, 6)];
  Instruction *in = emit(g, FENCE);
  in->sem = sem;
  in->scope = choose_scope(g);
  g->sc_fences += sem == SEQ_CST;
}

static void emit_proxy_fence(Generator *g) {
  static const Proxy proxies[] = {TEXTURE, SURFACE, ALIAS, ALIAS, CONSTANT, GENERIC};
  Proxy favourite = g->program->names[g->favourite].proxy;
  Proxy proxy = proxies[below(g, 6)];
  if (chance(g, 70))
    proxy = favourite == GENERIC ? ALIAS : favourite;
  emit(g, PROXY_FENCE)->proxy = proxy;
}

// Fences before an access of this kind.
static void emit_fences(Generator *g, char kind, int place) {
  bool is_edge = g->is_behind_flag || (kind != 'R' && place > 0);
  bool is_useful = g->taste.has_roles && is_edge && chance(g, 95 - g->taste.ordered_flags);
  if (is_useful || chance(g, g->taste.fences))
    emit_fence(g);
  if (g->mode == MODE_PROXY && chance(g, 40))
    emit_proxy_fence(g);
}

// Arithmetic on the last value read: "+ constant", or "- itself + constant", which depends on it
// by syntax only.
static int emit_arithmetic(Generator *g) {
  int source = g->last_read;
  if (chance(g, 40)) {
    int zero = new_register(g);
    Instruction *in = emit(g, ARITHMETIC);
    in->function = '-';
    in->dst = zero;
    in->a = in->b = from_register(source);
    source = zero;
  }
  int dst = new_register(g);
  Instruction *in = emit(g, ARITHMETIC);
  in->function = '+';
  in->dst = dst;
  in->a = from_register(source);
  in->b = constant(1 + below(g, 2));
  return dst;
}

// The value that a write puts into its location.
static Operand choose_value(Generator *g, int name) {
  if (g->last_read >= 0 && chance(g, g->taste.dependencies))
    return from_register(chance(g, 60) ? g->last_read : emit_arithmetic(g));
  int place = g->program->names[name].physical;
  return constant(chance(g, 15) ? 1 + below(g, 2) : ++g->next_value[place]);
}

// Sometimes the next instruction happens only if the last value read is (not) a constant; returns
// the label to put behind it, -1: none.
static int emit_branch(Generator *g) {
  bool is_guard = g->taste.has_roles && g->is_behind_flag;
  if (g->last_read < 0 || !chance(g, is_guard ? 60 : g->taste.dependencies * 2 / 3))
    return -1;
  Instruction *in = emit(g, BRANCH);
  in->compare = chance(g, is_guard ? 15 : 50) ? EQ : NE;
  in->a = from_register(g->last_read);
  in->b = constant(is_guard ? 1 + chance(g, 25) : below(g, 3));
  in->number = g->next_label++;
  return in->number;
}

static void emit_label(Generator *g, int number) {
  if (number >= 0)
    emit(g, LABEL)->number = number;
}

static bool is_written_generically(const Generator *g, int name) {
  return g->program->names[name].proxy == GENERIC;
}

// One of the names of the location: itself, an alias, or a name of another proxy.
static int choose_alias(Generator *g, int place, bool is_write) {
  int choices[MAX_NAMES], count = 0;
  if (g->mode != MODE_PROXY || place != 0 || chance(g, 35))
    return place;
  for (int i = 0; i < g->program->name_count; i++) {
    Proxy proxy = g->program->names[i].proxy;
    bool can_write = proxy == GENERIC || proxy == SURFACE;
    if (g->program->names[i].physical == place && (!is_write || can_write))
      choices[count++] = i;
    if (i == g->favourite && (!is_write || can_write) && chance(g, 60))
      return i;
  }
  return choices[below(g, count)];
}

static void emit_read(Generator *g, int place) {
  int label = g->is_behind_flag || chance(g, 30) ? emit_branch(g) : -1;
  int name = choose_alias(g, place, false), dst = new_register(g);
  Instruction *in = emit(g, LOAD);
  in->name = name;
  in->dst = dst;
  if (is_written_generically(g, name))
    choose_order(g, in, ACQUIRE);
  g->memory_events++;
  g->last_read = dst;
  emit_label(g, label);
}

static void emit_write(Generator *g, int place) {
  int name = choose_alias(g, place, true);
  Operand value = choose_value(g, name);
  int label = emit_branch(g);
  Instruction *in = emit(g, STORE);
  in->name = name;
  in->a = value;
  if (is_written_generically(g, name))
    choose_order(g, in, RELEASE);
  g->memory_events++;
  emit_label(g, label);
}

static void emit_atomic(Generator *g, int place) {
  static const Sem ordered[] = {ACQUIRE, RELEASE, ACQ_REL, ACQ_REL};
  Operand value = choose_value(g, place);
  int label = emit_branch(g), dst = -1;
  bool is_red = chance(g, 25);
  if (!is_red)
    dst = new_register(g);
  Instruction *in = emit(g, is_red ? RED : ATOM);
  in->name = place;
  in->dst = dst;
  in->a = value;
  in->function = is_red ? '+' : "+++xxc"[below(g, 6)];
  if (in->function == '+' && !value.is_register)
    in->a = constant(1);
  if (in->function == 'c') {
    in->b = value;
    in->a = constant(below(g, 3));
  }
  choose_order(g, in, ordered[below(g, 4)]);
  g->memory_events += 2;
  if (!is_red)
    g->last_read = dst;
  emit_label(g, label);
}

static void emit_access(Generator *g, char kind, int place) {
  if (kind == 'U' || chance(g, kind == 'W' ? g->taste.atomics : g->taste.atomics / 2))
    emit_atomic(g, place);
  else if (kind == 'R')
    emit_read(g, place);
  else
    emit_write(g, place);
  g->is_behind_flag = kind != 'W' && place > 0;
  if (chance(g, 8) && g->memory_events < MAX_MEMORY_EVENTS)
    emit_read(g, place);
}

static void start_thread(Generator *g) {
  g->thread = &g->program->threads[g->program->thread_count++];
  memset(g->thread, 0, sizeof *g->thread);
  g->next_register = 0;
  g->last_read = -1;
  g->is_behind_flag = false;
  g->next_label = 10 * g->program->thread_count;
}

static void build_threads(Generator *g, const char *shape) {
  start_thread(g);
  for (const char *p = shape; *p; p++) {
    if (*p == '|') {
      start_thread(g);
    } else if (*p != ' ') {
      if (g->thread->count)
        emit_fences(g, p[0], p[1] - 'x');
      emit_access(g, p[0], p[1] - 'x');
      p++;
    }
  }
}

// ---- names, places, barriers

static void add_name(Generator *g, const char *text, int physical, int virtual_address,
                     Proxy proxy) {
  Program *program = g->program;
  Name *name = &program->names[program->name_count];
  *name = (Name){.proxy = proxy};
  snprintf(name->text, sizeof name->text, "%s", text);
  name->physical = physical < 0 ? program->name_count : physical;
  name->virtual_address = virtual_address < 0 ? program->name_count : virtual_address;
  program->name_count++;
}

static void build_proxies(Generator *g) {
  int target = 0;
  if (chance(g, 70)) {
    add_name(g, "a", 0, -1, GENERIC);
    target = chance(g, 50) ? g->program->name_count - 1 : 0;
  }
  if (chance(g, 70))
    add_name(g, "s", 0, 0, SURFACE);
  if (chance(g, 50))
    add_name(g, "t", 0, target, TEXTURE);
  if (chance(g, 20))
    add_name(g, "c", 0, target, CONSTANT);
  do
    g->favourite = below(g, g->program->name_count);
  while (g->program->names[g->favourite].physical != 0);
}

// x, y and z as far as the shape uses them, so that a letter is the number of its name.
static void build_names(Generator *g, const char *shape) {
  static const char *const texts[] = {"x", "y", "z"};
  int count = strchr(shape, 'z') ? 3 : strchr(shape, 'y') ? 2 : 1;
  for (int i = 0; i < count; i++)
    add_name(g, texts[i], -1, -1, GENERIC);
  if (chance(g, 10))
    g->program->names[0].initial = 5;
  if (g->mode == MODE_PROXY)
    build_proxies(g);
}

// CTA, cluster and gpu of each thread by a pattern of the whole program.
static void place_threads(Generator *g) {
  int pattern = below(g, g->mode == MODE_BARRIER ? 3 : 7);
  for (int t = 0; t < g->program->thread_count; t++) {
    Thread *thread = &g->program->threads[t];
    thread->cta = pattern == 0 ? 0 : pattern <= 2 ? below(g, 2) : t;
    thread->cluster = pattern == 4 ? thread->cta / 2 : thread->cta;
    thread->gpu = pattern == 5 ? thread->cta % 2 : pattern == 6 ? thread->cta / 2 : 0;
    if (pattern == 2)
      thread->cluster = 0;
  }
}

static void insert(Thread *thread, int at, Instruction in) {
  if (thread->count == MAX_INSTRUCTIONS)
    return;
  memmove(&thread->code[at + 1], &thread->code[at],
          (size_t)(thread->count - at) * sizeof *thread->code);
  thread->code[at] = in;
  thread->count++;
}

// A place outside the branches: a barrier that some paths miss would not complete.
static int choose_gap(Generator *g, const Thread *thread, int from) {
  int gaps[MAX_INSTRUCTIONS + 1], count = 0, depth = 0;
  for (int i = 0; i <= thread->count; i++) {
    if (depth == 0 && i >= from)
      gaps[count++] = i;
    if (i < thread->count)
      depth += (thread->code[i].op == BRANCH) - (thread->code[i].op == LABEL);
  }
  return count ? gaps[below(g, count)] : thread->count;
}

// Barriers of all threads of a CTA, or of some of them; later ones behind earlier ones.
static void insert_barriers(Generator *g) {
  int count = 1 + chance(g, 25), from[MAX_THREADS] = {0};
  for (int number = 1; number <= count; number++) {
    bool some_arrive = chance(g, 20);
    for (int t = 0; t < g->program->thread_count; t++) {
      if (chance(g, 15))
        continue;
      Thread *thread = &g->program->threads[t];
      Instruction barrier = {.op = BARRIER, .number = number};
      barrier.is_arrive = some_arrive && chance(g, 50);
      int at = choose_gap(g, thread, from[t]);
      insert(thread, at, barrier);
      from[t] = at + 1;
    }
  }
}

static bool is_fit(const Generator *g) {
  for (int t = 0; t < g->program->thread_count; t++)
    if (g->program->threads[t].count >= MAX_INSTRUCTIONS - 2 ||
        g->program->threads[t].registers >> (MAX_REGISTERS - 1))
      return false;
  return g->memory_events <= MAX_MEMORY_EVENTS && g->sc_fences <= MAX_SC_FENCES;
}

static void draw(Generator *g) {
  char shape[128];
  memset(g->program, 0, sizeof *g->program);
  memset(g->next_value, 0, sizeof g->next_value);
  g->memory_events = g->sc_fences = g->favourite = 0;
  choose_taste(g);
  choose_shape(g, shape, sizeof shape);
  build_names(g, shape);
  build_threads(g, shape);
  place_threads(g);
  if (g->mode == MODE_BARRIER || (g->mode == MODE_PROXY && chance(g, 15)))
    insert_barriers(g);
  g->program->condition = (Condition){.nodes = {{.kind = '1'}}, .count = 1, .filter = -1};
}

void program_generate(Program *program, Mode mode, uint64_t seed) {
  Generator g = {.program = program, .random = seed, .mode = mode};
  do
    draw(&g);
  while (!is_fit(&g));
}
