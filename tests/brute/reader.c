// Reads tests of the PTX litmus dialect that have no loops. What this program cannot handle is
// refused with a reason.
#include "brute.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  char *at;
  Program *program;
  Columns columns;
  const char *error; // the first one
} Reader;

static void fail(Reader *r, const char *error) {
  if (!r->error)
    r->error = error;
}

static void skip_space(Reader *r) {
  for (;;) {
    while (isspace((unsigned char)*r->at))
      r->at++;
    char *end = strncmp(r->at, "(*", 2) == 0 ? strstr(r->at, "*)") : NULL;
    if (!end)
      return;
    r->at = end + 2;
  }
}

static bool accept(Reader *r, const char *token) {
  skip_space(r);
  size_t length = strlen(token);
  if (strncmp(r->at, token, length) != 0)
    return false;
  bool is_word = isalnum((unsigned char)token[length - 1]);
  if (is_word && (isalnum((unsigned char)r->at[length]) || r->at[length] == '_'))
    return false;
  r->at += length;
  return true;
}

static void expect(Reader *r, const char *token, const char *error) {
  if (!accept(r, token))
    fail(r, error);
}

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// An identifier; empty if there is none.
static void read_word(Reader *r, char *word, size_t size) {
  skip_space(r);
  size_t length = 0;
  for (; is_word_char(*r->at); r->at++)
    if (length + 1 < size)
      word[length++] = *r->at;
  word[length] = '\0';
}

static bool peek_number(Reader *r) {
  skip_space(r);
  return isdigit((unsigned char)*r->at) || (*r->at == '-' && isdigit((unsigned char)r->at[1]));
}

static long read_number(Reader *r) {
  if (!peek_number(r)) {
    fail(r, "expected a number");
    return 0;
  }
  return strtol(r->at, &r->at, 10);
}

static bool is_register_word(const char *word) {
  return word[0] == 'r' && isdigit((unsigned char)word[1]);
}

static int use_register(Reader *r, int thread, const char *word) {
  int number = atoi(word + 1);
  if (!is_register_word(word) || number >= MAX_REGISTERS || thread < 0 || thread >= MAX_THREADS) {
    fail(r, "expected a register that is small enough");
    return 0;
  }
  r->program->threads[thread].registers |= 1u << number;
  return number;
}

static int use_name(Reader *r, const char *word) {
  Program *program = r->program;
  for (int i = 0; i < program->name_count; i++)
    if (strcmp(program->names[i].text, word) == 0)
      return i;
  if (!word[0] || program->name_count == MAX_NAMES) {
    fail(r, "expected a location, and few of them");
    return 0;
  }
  Name *name = &program->names[program->name_count];
  *name = (Name){.physical = program->name_count, .virtual_address = program->name_count};
  snprintf(name->text, sizeof name->text, "%s", word);
  return program->name_count++;
}

// ---- the block of initial values

static void read_alias(Reader *r, int name) {
  char word[32];
  read_word(r, word, sizeof word);
  Proxy proxy = GENERIC;
  while (proxy < ALIAS && strcmp(word, proxy_name(proxy)) != 0)
    proxy++;
  expect(r, "aliases", "expected 'aliases'");
  read_word(r, word, sizeof word);
  int target = use_name(r, word);
  Name *alias = &r->program->names[name];
  alias->proxy = proxy;
  alias->physical = r->program->names[target].physical;
  if (proxy != GENERIC)
    alias->virtual_address = r->program->names[target].virtual_address;
}

static void read_initial(Reader *r, int name) {
  char word[32];
  accept(r, "&");
  if (peek_number(r)) {
    r->program->names[name].initial = read_number(r);
    return;
  }
  read_word(r, word, sizeof word);
  r->program->names[name].initial = r->program->names[use_name(r, word)].initial;
}

static void read_declaration(Reader *r) {
  char word[32];
  read_word(r, word, sizeof word);
  if (accept(r, ":")) {
    char name[32];
    int thread = atoi(word + (word[0] == 'P'));
    read_word(r, name, sizeof name);
    int number = use_register(r, thread, name);
    expect(r, "=", "expected '='");
    long value = read_number(r); // an address is refused here
    if (!r->error)
      r->program->threads[thread].initial[number] = value;
  } else if (accept(r, "@")) {
    read_alias(r, use_name(r, word));
  } else {
    int name = use_name(r, word);
    if (accept(r, "="))
      read_initial(r, name);
  }
}

static void read_declarations(Reader *r) {
  while (!r->error && !accept(r, "}"))
    if (!accept(r, ";"))
      read_declaration(r);
}

// ---- instructions

static Operand read_operand(Reader *r, int thread) {
  Operand operand = {0};
  if (peek_number(r)) {
    operand.value = read_number(r);
    return operand;
  }
  char word[32];
  read_word(r, word, sizeof word);
  operand.is_register = true;
  operand.value = use_register(r, thread, word);
  return operand;
}

static int read_register(Reader *r, int thread) {
  char word[32];
  read_word(r, word, sizeof word);
  return use_register(r, thread, word);
}

static void read_location(Reader *r, Instruction *in) {
  char word[32];
  read_word(r, word, sizeof word);
  in->name = use_name(r, word);
}

// The parts of a mnemonic: "atom", "relaxed", "gpu", "add".
typedef struct Mnemonic {
  int count;
  char part[6][16];
} Mnemonic;

static Mnemonic read_mnemonic(Reader *r) {
  Mnemonic m = {0};
  do
    read_word(r, m.part[m.count++], sizeof m.part[0]);
  while (m.count < 6 && *r->at == '.' && r->at++);
  return m;
}

static bool has_part(const Mnemonic *m, const char *text) {
  for (int i = 0; i < m->count; i++)
    if (strcmp(m->part[i], text) == 0)
      return true;
  return false;
}

static void read_order(Reader *r, const Mnemonic *m, Instruction *in) {
  for (Sem sem = WEAK; sem <= SEQ_CST; sem++)
    if (has_part(m, sem_name(sem)))
      in->sem = sem;
  for (Scope scope = CTA; scope <= SYS; scope++)
    if (has_part(m, scope_name(scope)))
      in->scope = scope;
  in->is_volatile = has_part(m, "volatile");
  if (in->sem != WEAK && in->scope == NO_SCOPE)
    fail(r, "expected a scope");
}

static char arithmetic_function(const char *word) {
  static const char *const names[] = {"add", "sub", "mul",  "div", "and",
                                      "or",  "xor", "exch", "cas"};
  for (int i = 0; i < 9; i++)
    if (strcmp(word, names[i]) == 0)
      return "+-*/&|^xc"[i];
  return 0;
}

static void read_comma(Reader *r) {
  expect(r, ",", "expected ','");
}

static void read_access(Reader *r, const Mnemonic *m, int thread, Instruction *in) {
  read_order(r, m, in);
  if (in->op == ATOM || in->op == RED)
    in->function = arithmetic_function(m->part[m->count - 1]);
  if ((in->op == ATOM || in->op == RED) && !in->function)
    fail(r, "expected the operation of an atomic");
  if (in->op == LOAD || in->op == ATOM) {
    in->dst = read_register(r, thread);
    read_comma(r);
  }
  if (in->op == LOAD && peek_number(r)) {
    in->op = MOVE;
    in->a = read_operand(r, thread);
    return;
  }
  read_location(r, in);
  if (in->op != LOAD) {
    read_comma(r);
    in->a = read_operand(r, thread);
  }
  if (in->function == 'c') {
    read_comma(r);
    in->b = read_operand(r, thread);
  }
}

static void read_fence(Reader *r, const Mnemonic *m, Instruction *in) {
  in->op = FENCE;
  if (!has_part(m, "proxy")) {
    read_order(r, m, in);
    return;
  }
  in->op = PROXY_FENCE;
  for (Proxy proxy = GENERIC; proxy <= ALIAS; proxy++)
    if (has_part(m, proxy_name(proxy)))
      in->proxy = proxy;
}

static void read_barrier(Reader *r, const Mnemonic *m, Instruction *in) {
  in->op = BARRIER;
  in->is_arrive = has_part(m, "arrive");
  in->number = (int)read_number(r);
  if (accept(r, ","))
    fail(r, "barrier with an id or a quorum");
}

static void read_label_name(Reader *r, Instruction *in) {
  char word[32];
  read_word(r, word, sizeof word);
  if (strncmp(word, "LC", 2) != 0)
    fail(r, "expected a label");
  else
    in->number = atoi(word + 2);
}

static bool read_branch(Reader *r, const char *word, int thread, Instruction *in) {
  static const char *const names[] = {"beq", "bne", "blt", "ble", "bgt", "bge"};
  for (Compare compare = EQ; compare <= GE; compare++) {
    if (strcmp(word, names[compare]) != 0)
      continue;
    in->op = BRANCH;
    in->compare = compare;
    in->a = read_operand(r, thread);
    read_comma(r);
    in->b = read_operand(r, thread);
    read_comma(r);
    read_label_name(r, in);
    return true;
  }
  return false;
}

static void read_arithmetic(Reader *r, char function, int thread, Instruction *in) {
  in->op = ARITHMETIC;
  in->function = function;
  in->dst = read_register(r, thread);
  read_comma(r);
  in->a = read_operand(r, thread);
  read_comma(r);
  in->b = read_operand(r, thread);
}

static bool find_access(const char *word, Op *op) {
  static const struct {
    const char *word;
    Op op;
  } table[] = {{"ld", LOAD},    {"tld", LOAD},  {"suld", LOAD},   {"cold", LOAD}, {"st", STORE},
               {"sust", STORE}, {"atom", ATOM}, {"suatom", ATOM}, {"red", RED},   {"sured", RED}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(word, table[i].word) == 0) {
      *op = table[i].op;
      return true;
    }
  return false;
}

static void read_instruction(Reader *r, int thread, Instruction *in) {
  Mnemonic m = read_mnemonic(r);
  const char *word = m.part[0];
  char function = arithmetic_function(word);
  if (accept(r, ":")) {
    in->op = LABEL;
    if (strncmp(word, "LC", 2) != 0)
      fail(r, "expected a label");
    else
      in->number = atoi(word + 2);
  } else if (strcmp(word, "goto") == 0) {
    in->op = GOTO;
    read_label_name(r, in);
  } else if (find_access(word, &in->op)) {
    read_access(r, &m, thread, in);
  } else if (strcmp(word, "fence") == 0) {
    read_fence(r, &m, in);
  } else if (strcmp(word, "bar") == 0) {
    read_barrier(r, &m, in);
  } else if (function) {
    read_arithmetic(r, function, thread, in);
  } else if (!read_branch(r, word, thread, in)) {
    fail(r, "unknown instruction");
  }
}

// A branch to an earlier label would be a loop.
static void check_branches(Reader *r, const Thread *thread) {
  for (int i = 0; i < thread->count; i++) {
    if (thread->code[i].op != BRANCH && thread->code[i].op != GOTO)
      continue;
    for (int k = 0; k < i; k++)
      if (thread->code[k].op == LABEL && thread->code[k].number == thread->code[i].number)
        fail(r, "loop");
  }
}

static void read_placement(Reader *r, Thread *thread) {
  char word[32];
  read_word(r, word, sizeof word);
  expect(r, "@", "expected '@'");
  thread->cluster = -1;
  do {
    read_word(r, word, sizeof word);
    int id = (int)read_number(r);
    if (strcmp(word, "cta") == 0)
      thread->cta = id;
    else if (strcmp(word, "cluster") == 0)
      thread->cluster = id;
    else
      thread->gpu = id;
  } while (!r->error && accept(r, ","));
  // A launch without clusters: each CTA is its own.
  if (thread->cluster < 0)
    thread->cluster = thread->cta;
}

static void read_placements(Reader *r) {
  Program *program = r->program;
  do {
    if (program->thread_count == MAX_THREADS)
      fail(r, "too many threads");
    else
      read_placement(r, &program->threads[program->thread_count++]);
  } while (!r->error && accept(r, "|"));
  expect(r, ";", "expected ';' after the placement");
}

static void read_cell(Reader *r, int t) {
  skip_space(r);
  if (*r->at == '|' || *r->at == ';')
    return;
  if (t >= r->program->thread_count || r->program->threads[t].count == MAX_INSTRUCTIONS) {
    fail(r, "too many instructions");
    return;
  }
  Thread *thread = &r->program->threads[t];
  read_instruction(r, t, &thread->code[thread->count++]);
}

static bool at_condition(Reader *r) {
  static const char *const words[] = {"exists", "~", "not", "forall", "filter", "locations"};
  skip_space(r);
  char *at = r->at;
  bool found = *at == '\0';
  for (int i = 0; i < 6 && !found; i++)
    found = accept(r, words[i]);
  r->at = at;
  return found;
}

static void read_code(Reader *r) {
  while (!r->error && !at_condition(r)) {
    int thread = 0;
    do
      read_cell(r, thread++);
    while (!r->error && accept(r, "|"));
    expect(r, ";", "expected ';' after a row");
  }
  for (int t = 0; t < r->program->thread_count; t++)
    check_branches(r, &r->program->threads[t]);
}

// ---- the condition; columns are found after all of it is read, so terms hold names first

static Term read_term(Reader *r) {
  Term term = {0};
  bool is_bracketed = accept(r, "[");
  char word[32];
  skip_space(r);
  char *start = r->at;
  read_word(r, word, sizeof word);
  bool is_register = word[0] && *r->at == ':';
  if (is_register) {
    int thread = atoi(word + (word[0] == 'P'));
    r->at++;
    read_word(r, word, sizeof word);
    int number = use_register(r, thread, word);
    term = (Term){true, thread * MAX_REGISTERS + number};
  } else if (word[0] && !isdigit((unsigned char)word[0])) {
    term = (Term){true, -1 - use_name(r, word)};
  } else {
    r->at = start;
    term.value = read_number(r);
  }
  if (is_bracketed)
    expect(r, "]", "expected ']'");
  return term;
}

static Compare read_compare(Reader *r) {
  static const struct {
    const char *text;
    Compare compare;
  } table[] = {{"==", EQ}, {"!=", NE}, {"<=", LE}, {">=", GE}, {"<", LT}, {">", GT}, {"=", EQ}};
  for (int i = 0; i < 7; i++)
    if (accept(r, table[i].text))
      return table[i].compare;
  fail(r, "expected a comparison");
  return EQ;
}

static int new_node(Reader *r, Node node) {
  Condition *condition = &r->program->condition;
  if (condition->count == MAX_NODES) {
    fail(r, "condition too long");
    return 0;
  }
  condition->nodes[condition->count] = node;
  return condition->count++;
}

static int read_proposition(Reader *r, int depth);

static int read_factor(Reader *r, int depth) {
  if (depth > MAX_NODES || r->error) {
    fail(r, "condition too deep");
    return 0;
  }
  if (accept(r, "not") || accept(r, "~"))
    return new_node(r, (Node){.kind = '!', .first = read_factor(r, depth + 1)});
  if (accept(r, "(")) {
    int inner = read_proposition(r, depth + 1);
    expect(r, ")", "expected ')'");
    return inner;
  }
  Node node = {.kind = '='};
  node.left = read_term(r);
  node.compare = read_compare(r);
  node.right = read_term(r);
  return new_node(r, node);
}

static int read_conjunction(Reader *r, int depth) {
  int left = read_factor(r, depth);
  while (!r->error && (accept(r, "/\\") || accept(r, "&&")))
    left = new_node(r, (Node){.kind = '&', .first = left, .second = read_factor(r, depth)});
  return left;
}

static int read_proposition(Reader *r, int depth) {
  int left = read_conjunction(r, depth);
  while (!r->error && (accept(r, "\\/") || accept(r, "||")))
    left = new_node(r, (Node){.kind = '|', .first = left, .second = read_conjunction(r, depth)});
  return left;
}

static void resolve_term(const Program *program, const Columns *columns, Term *term) {
  if (!term->is_column)
    return;
  for (int i = 0; i < columns->count; i++) {
    int thread = columns->column[i].thread, index = columns->column[i].index;
    bool is_memory = term->value < 0;
    if (is_memory ? thread < 0 && index == program->names[-1 - term->value].physical
                  : thread >= 0 && term->value == thread * MAX_REGISTERS + index) {
      term->value = i;
      return;
    }
  }
}

static void read_condition(Reader *r) {
  Condition *condition = &r->program->condition;
  condition->filter = -1;
  if (accept(r, "locations")) {
    r->at = strchr(r->at, ']');
    if (!r->at) {
      r->at = "";
      fail(r, "expected ']'");
      return;
    }
    r->at++;
  }
  if (accept(r, "filter"))
    condition->filter = read_proposition(r, 0);
  if (accept(r, "exists"))
    condition->kind = EXISTS;
  else if (accept(r, "forall"))
    condition->kind = FORALL;
  else if ((accept(r, "~") || accept(r, "not")) && accept(r, "exists"))
    condition->kind = NOT_EXISTS;
  else
    fail(r, "expected a condition");
  if (!r->error)
    condition->root = read_proposition(r, 0);
}

// The header is "PTX title", then anything, of which the first quoted string is kept.
static void read_header(Reader *r) {
  expect(r, "PTX", "expected 'PTX'");
  char *brace = strchr(r->at, '{');
  if (!brace) {
    fail(r, "expected '{'");
    return;
  }
  sscanf(r->at, " %127s", r->program->title);
  char *quote = memchr(r->at, '"', (size_t)(brace - r->at));
  if (quote)
    sscanf(quote, "\"%255[^\"]", r->program->comment);
  r->at = brace + 1;
}

const char *program_read(char **text, Program *program) {
  Reader r = {.at = *text, .program = program};
  memset(program, 0, sizeof *program);
  read_header(&r);
  if (!r.error)
    read_declarations(&r);
  if (!r.error)
    read_placements(&r);
  if (!r.error)
    read_code(&r);
  if (!r.error)
    read_condition(&r);
  Columns columns = program_columns(program);
  for (int i = 0; i < program->condition.count; i++) {
    resolve_term(program, &columns, &program->condition.nodes[i].left);
    resolve_term(program, &columns, &program->condition.nodes[i].right);
  }
  skip_space(&r);
  *text = r.at;
  return r.error;
}
