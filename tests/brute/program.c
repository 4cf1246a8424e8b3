// Programs as text of the PTX litmus dialect.
#include "brute.h"

#include <string.h>

const char *model_name(Model model) {
  static const char *const names[] = {"ptx60", "ptx", "cuda", "rc11", "c11", "tso", "sc"};
  return names[model];
}

const char *scope_name(Scope scope) {
  static const char *const names[] = {"", "cta", "cluster", "gpu", "sys"};
  return names[scope];
}

const char *sem_name(Sem sem) {
  static const char *const names[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
  return names[sem];
}

const char *proxy_name(Proxy proxy) {
  static const char *const names[] = {"generic", "texture", "surface", "constant", "alias"};
  return names[proxy];
}

const char *compare_name(Compare compare) {
  static const char *const names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[compare];
}

static const char *function_name(char function) {
  switch (function) {
  case '+':
    return "add";
  case '-':
    return "sub";
  case '*':
    return "mul";
  case '/':
    return "div";
  case '&':
    return "and";
  case '|':
    return "or";
  case '^':
    return "xor";
  case 'x':
    return "exch";
  default:
    return "cas";
  }
}

Columns program_columns(const Program *program) {
  Columns columns = {0};
  for (int t = 0; t < program->thread_count; t++)
    for (int r = 0; r < MAX_REGISTERS; r++)
      if (program->threads[t].registers >> r & 1 && columns.count < MAX_COLUMNS) {
        columns.column[columns.count].thread = t;
        columns.column[columns.count++].index = r;
      }
  for (int i = 0; i < program->name_count; i++)
    if (program->names[i].physical == i && columns.count < MAX_COLUMNS) {
      columns.column[columns.count].thread = -1;
      columns.column[columns.count++].index = i;
    }
  return columns;
}

void column_print(FILE *file, const Program *program, const Columns *columns, int i) {
  int thread = columns->column[i].thread, index = columns->column[i].index;
  if (thread < 0)
    fputs(program->names[index].text, file);
  else
    fprintf(file, "P%d:r%d", thread, index);
}

static void append(char *text, size_t size, const char *more) {
  strncat(text, more, size - strlen(text) - 1);
}

static void append_operand(char *text, size_t size, Operand operand) {
  char buffer[32];
  snprintf(buffer, sizeof buffer, ", %s%ld", operand.is_register ? "r" : "", operand.value);
  append(text, size, buffer);
}

// ".acquire.gpu", ".weak", ".volatile"
static void append_order(char *text, size_t size, const Instruction *in) {
  append(text, size, ".");
  append(text, size, in->is_volatile ? "volatile" : sem_name(in->sem));
  if (in->sem != WEAK && !in->is_volatile) {
    append(text, size, ".");
    append(text, size, scope_name(in->scope));
  }
}

static void access_print(char *text, size_t size, const Program *program, const Instruction *in) {
  static const char *const loads[] = {"ld", "tld", "suld", "cold"};
  static const char *const stores[] = {"st", "st", "sust", "st"};
  const Name *name = &program->names[in->name];
  const char *mnemonic = in->op == LOAD    ? loads[name->proxy]
                         : in->op == STORE ? stores[name->proxy]
                         : in->op == ATOM  ? "atom"
                                           : "red";
  snprintf(text, size, "%s", mnemonic);
  append_order(text, size, in);
  if (in->op == ATOM || in->op == RED) {
    append(text, size, ".");
    append(text, size, function_name(in->function));
  }
  char result[32] = " ";
  if (in->op == LOAD || in->op == ATOM)
    snprintf(result, sizeof result, " r%d, ", in->dst);
  append(text, size, result);
  append(text, size, name->text);
  if (in->op != LOAD)
    append_operand(text, size, in->a);
  if (in->function == 'c' && (in->op == ATOM || in->op == RED))
    append_operand(text, size, in->b);
}

static void branch_print(char *text, size_t size, const Instruction *in) {
  static const char *const names[] = {"beq", "bne", "blt", "ble", "bgt", "bge"};
  char operands[64] = "", label[16];
  append_operand(operands, sizeof operands, in->a);
  append_operand(operands, sizeof operands, in->b);
  snprintf(label, sizeof label, ", LC%02d", in->number);
  snprintf(text, size, "%s%s", names[in->compare], operands + 1);
  append(text, size, label);
}

static void instruction_print(char *text, size_t size, const Program *program,
                              const Instruction *in) {
  switch (in->op) {
  case LOAD:
  case STORE:
  case ATOM:
  case RED:
    access_print(text, size, program, in);
    break;
  case FENCE:
    snprintf(text, size, "fence.%s.%s", sem_name(in->sem), scope_name(in->scope));
    break;
  case PROXY_FENCE:
    snprintf(text, size, "fence.proxy.%s", proxy_name(in->proxy));
    break;
  case BARRIER:
    snprintf(text, size, "bar.cta.%s %d", in->is_arrive ? "arrive" : "sync", in->number);
    break;
  case MOVE:
    snprintf(text, size, "ld r%d", in->dst);
    append_operand(text, size, in->a);
    break;
  case ARITHMETIC:
    snprintf(text, size, "%s r%d", function_name(in->function), in->dst);
    append_operand(text, size, in->a);
    append_operand(text, size, in->b);
    break;
  case BRANCH:
    branch_print(text, size, in);
    break;
  case GOTO:
    snprintf(text, size, "goto LC%02d", in->number);
    break;
  case LABEL:
    // One without a number stands for an instruction that was removed.
    if (in->number < 0)
      *text = 0;
    else
      snprintf(text, size, "LC%02d:", in->number);
    break;
  }
}

static void print_names(FILE *file, const Program *program) {
  for (int i = 0; i < program->name_count; i++) {
    const Name *name = &program->names[i];
    if (name->physical == i)
      fprintf(file, "%s=%ld;\n", name->text, name->initial);
  }
  for (int i = 0; i < program->name_count; i++) {
    const Name *name = &program->names[i];
    if (name->physical == i)
      continue;
    bool is_proxy = name->proxy != GENERIC;
    int target = is_proxy ? name->virtual_address : name->physical;
    fprintf(file, "%s @ %s aliases %s;\n", name->text, proxy_name(name->proxy),
            program->names[target].text);
  }
}

static void print_registers(FILE *file, const Program *program) {
  for (int t = 0; t < program->thread_count; t++)
    for (int r = 0; r < MAX_REGISTERS; r++)
      if (program->threads[t].registers >> r & 1)
        fprintf(file, "P%d:r%d=%ld;\n", t, r, program->threads[t].initial[r]);
}

static void print_rows(FILE *file, const Program *program) {
  int rows = 0;
  for (int t = 0; t < program->thread_count; t++) {
    const Thread *thread = &program->threads[t];
    rows = thread->count > rows ? thread->count : rows;
    char place[64];
    snprintf(place, sizeof place, "P%d@cta %d,cluster %d,gpu %d", t, thread->cta, thread->cluster,
             thread->gpu);
    fprintf(file, "%s %-34s", t ? "|" : "", place);
  }
  fputs(";\n", file);
  for (int row = 0; row < rows; row++) {
    for (int t = 0; t < program->thread_count; t++) {
      const Thread *thread = &program->threads[t];
      char text[128] = "";
      if (row < thread->count)
        instruction_print(text, sizeof text, program, &thread->code[row]);
      fprintf(file, "%s %-34s", t ? "|" : "", text);
    }
    fputs(";\n", file);
  }
}

void program_print(FILE *file, const Program *program) {
  fprintf(file, "PTX %s\n{\n", program->title);
  print_names(file, program);
  print_registers(file, program);
  fputs("}\n", file);
  print_rows(file, program);
  Columns columns = program_columns(program);
  fputs("locations [", file);
  for (int i = 0; i < columns.count; i++) {
    fputs(i ? "; " : "", file);
    column_print(file, program, &columns, i);
  }
  fputs("]\n", file);
  condition_print(file, program);
}
