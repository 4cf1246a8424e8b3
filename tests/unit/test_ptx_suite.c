// Whole files: the samples of tests/golden/ptx and, where it is at hand (WARPSAN_SHARED or
// ../shared), the public material. Each is read, decoded, printed, read again as an equal tree, and
// the printed text assembles where there is a ptxas.
#include "ptx_unit.h"

#include "ptx/modifiers.h"

#include <dirent.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

typedef struct Suite {
  const char *ptxas; // command, NULL: none
  uint32_t file_count;
  uint32_t failure_count;
} Suite;

// The text of the file, which the caller frees.
static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("cannot open %s", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc(1, (size_t)size + 1);
  *length = fread(text, 1, (size_t)size, file);
  fclose(file);
  return text;
}

// Every instruction has a known opcode and known modifiers that do not contradict.
static bool decodes(const PtxModule *module, Arena *arena) {
  DiagList diags;
  diag_list_init(&diags, arena);
  for (uint32_t i = 0; i < module->instructions.count; i++) {
    const PtxInstruction *instruction = &module->instructions.items[i];
    PtxModifiers modifiers;
    ptx_decode_modifiers(module, instruction, &modifiers, &diags);
    if (instruction->op != PTX_OP_UNKNOWN && !modifiers.unknown)
      continue;
    print_error("unknown: %s\n", ptx_print_instruction(module, instruction, arena));
    return false;
  }
  print_error("%s", ptx_diag_text(arena, &diags));
  return diags.count == 0;
}

static bool has_target(const PtxModule *module, const char *target) {
  for (uint32_t i = 0; i < module->targets.count; i++)
    if (strcmp(ptx_text(module, module->targets.items[i]), target) == 0)
      return true;
  return false;
}

static bool assembles(const Suite *suite, const PtxModule *module, const char *text, size_t length,
                      Arena *arena) {
  char path[] = "/tmp/warpsan_ptx_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, length), length);
  close(descriptor);
  const char *command = arena_format(arena, "%s -O0 %s -arch=%s -c %s -o /dev/null >/dev/null 2>&1",
                                     suite->ptxas, has_target(module, "debug") ? "-g" : "",
                                     ptx_text(module, module->targets.items[0]), path);
  bool is_good = system(command) == 0;
  unlink(path);
  return is_good;
}

static bool survives(const Suite *suite, const char *text, size_t length, Arena *arena) {
  const PtxModule *module = ptx_read_bytes(arena, text, length);
  size_t printed_length;
  const char *printed = ptx_print_module(module, arena, &printed_length);
  const PtxModule *again = ptx_read_bytes(arena, printed, printed_length);
  if (!ptx_modules_equal(module, again) || !decodes(module, arena))
    return false;
  return !suite->ptxas || assembles(suite, module, printed, printed_length, arena);
}

static void try_file(Suite *suite, const char *path) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  size_t length;
  char *text = read_file(path, &length);
  suite->file_count++;
  if (!survives(suite, text, length, &arena)) {
    print_error("%s fails\n", path);
    suite->failure_count++;
  }
  free(text);
  arena_release(&arena);
}

static void walk(Suite *suite, const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries)
    return;
  for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
    char path[PATH_BYTES];
    size_t length = strlen(entry->d_name);
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length > 4 && strcmp(entry->d_name + length - 4, ".ptx") == 0)
      try_file(suite, path);
    else if (entry->d_name[0] != '.')
      walk(suite, path);
  }
  closedir(entries);
}

static const char *root_folder(void) {
  const char *root = getenv("WARPSAN_ROOT");
  return root ? root : ".";
}

// The folder of the public material, or NULL.
static const char *shared_folder(char *path) {
  const char *shared = getenv("WARPSAN_SHARED");
  if (shared)
    snprintf(path, PATH_BYTES, "%s", shared);
  else
    snprintf(path, PATH_BYTES, "%s/../shared", root_folder());
  return access(path, R_OK) == 0 ? path : NULL;
}

static const char *find_ptxas(void) {
  static const char *const commands[] = {"ptxas", "/usr/local/cuda/bin/ptxas"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    char test[PATH_BYTES];
    snprintf(test, sizeof test, "command -v %s >/dev/null", commands[i]);
    if (system(test) == 0)
      return commands[i];
  }
  print_message("ptxas is absent: nothing is assembled\n");
  return NULL;
}

static void samples(void **state) {
  (void)state;
  Suite suite = {.ptxas = find_ptxas()};
  char folder[PATH_BYTES];
  snprintf(folder, sizeof folder, "%s/tests/golden/ptx", root_folder());
  walk(&suite, folder);
  assert_int_equal(suite.failure_count, 0);
  assert_true(suite.file_count > 0);
}

static void public_material(void **state) {
  (void)state;
  char shared[PATH_BYTES], folder[PATH_BYTES + 16];
  if (!shared_folder(shared)) {
    print_message("the public material is absent: skipped\n");
    skip();
  }
  Suite suite = {.ptxas = find_ptxas()};
  snprintf(folder, sizeof folder, "%s/ptx", shared);
  walk(&suite, folder);
  snprintf(folder, sizeof folder, "%s/cases/ptx", shared);
  walk(&suite, folder);
  print_message("%u files\n", suite.file_count);
  assert_int_equal(suite.failure_count, 0);
}

// The rows "full TAB opcode TAB ..." of the table of opcodes that compilers emit.
static void append_opcodes(FILE *table, PtxModule **module, Arena *arena) {
  char line[512];
  const char *text = PTX_HEAD ".entry k() {\n";
  size_t capacity = 1 << 20;
  char *all = arena_alloc(arena, capacity, 1);
  strcpy(all, text);
  size_t length = strlen(all);
  while (fgets(line, sizeof line, table)) {
    char opcode[512];
    if (sscanf(line, "full %511s", opcode) != 1 || strncmp(opcode, "call", 4) == 0)
      continue;
    assert_true(length + strlen(opcode) + 8 < capacity);
    length += (size_t)sprintf(all + length, "%s;\n", opcode);
  }
  strcpy(all + length, "}\n");
  *module = ptx_read(arena, all);
}

static void every_opcode_is_known(void **state) {
  char shared[PATH_BYTES], path[PATH_BYTES + 32];
  if (!shared_folder(shared)) {
    print_message("the public material is absent: skipped\n");
    skip();
  }
  snprintf(path, sizeof path, "%s/opcodes/opcodes.tsv", shared);
  FILE *table = fopen(path, "r");
  if (!table)
    skip();
  PtxModule *module;
  append_opcodes(table, &module, *state);
  fclose(table);
  assert_true(module->instructions.count > 500);
  assert_true(decodes(module, *state));
}

// A kernel of `count` instructions with as many labels, lines, registers and scopes.
static char *large_module(uint32_t count) {
  enum { LINE_BYTES = 160 };
  char *text = malloc((size_t)count * LINE_BYTES + 1024);
  char *end = text + sprintf(text, PTX_HEAD ".entry k() {\n.reg .b32 %%r<%u>;\n", count);
  for (uint32_t i = 0; i < count; i++)
    end += sprintf(end,
                   "L%u: .loc 1 %u 3, inlined_at 1 %u 3\n{ .reg .pred p%u; "
                   "add.s32 %%r%u, %%r%u, %u; }\n",
                   i, i, i / 2, i, i, count - 1 - i, i);
  sprintf(end, "bra L%u;\n}\n", count / 2);
  return text;
}

static double seconds_of(uint32_t count) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  char *text = large_module(count);
  clock_t begin = clock();
  const PtxModule *module = ptx_read(&arena, text);
  size_t length;
  ptx_print_module(module, &arena, &length);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  assert_int_equal(module->instructions.count, count + 1);
  arena_release(&arena);
  free(text);
  return seconds;
}

// Anything quadratic would take minutes.
static void large_modules_take_linear_time(void **state) {
  (void)state;
  double seconds = seconds_of(50000);
  print_message("50000 instructions in %.3f s\n", seconds);
  assert_true(seconds < 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(samples),
      UNIT_TEST(public_material),
      UNIT_TEST(every_opcode_is_known),
      UNIT_TEST(large_modules_take_linear_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
