// Public litmus suites, where they are at hand (WARPSAN_SHARED or ../shared): every test of the
// PTX, X86 and C dialects is read without an error.
#include "litmus_unit.h"

#include <dirent.h>
#include <stdio.h>

typedef struct Tally {
  uint32_t read, failed;
} Tally;

// The text of the file, which the caller frees; NULL if it is a folder or cannot be read.
static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  enum { LIMIT = 1 << 20 };
  char *text = calloc(1, LIMIT + 1);
  *length = fread(text, 1, LIMIT, file);
  fclose(file);
  return text;
}

static void try_file(const char *path, Tally *tally) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  size_t length = 0;
  char *text = read_file(path, &length);
  assert_non_null(text);
  const char *messages = litmus_messages(&arena, text, length);
  tally->read++;
  if (*messages) {
    tally->failed++;
    print_error("%s:\n%s", path, messages);
  }
  free(text);
  arena_release(&arena);
}

static void walk(const char *folder, Tally *tally) {
  static const char suffix[] = ".litmus";
  DIR *entries = opendir(folder);
  if (!entries)
    return;
  for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
    char path[4096];
    size_t length = strlen(entry->d_name);
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length >= sizeof suffix && strcmp(entry->d_name + length - 7, suffix) == 0)
      try_file(path, tally);
    else if (entry->d_name[0] != '.')
      walk(path, tally);
  }
  closedir(entries);
}

// The folder of the suites, or NULL.
static const char *suites_folder(char *path, size_t size) {
  const char *shared = getenv("WARPSAN_SHARED"), *root = getenv("WARPSAN_ROOT");
  if (shared)
    snprintf(path, size, "%s/suites", shared);
  else
    snprintf(path, size, "%s/../shared/suites", root ? root : ".");
  DIR *folder = opendir(path);
  if (!folder)
    return NULL;
  closedir(folder);
  return path;
}

static void check_suite(const char *name) {
  char suites[4000], path[4096];
  Tally tally = {0};
  if (!suites_folder(suites, sizeof suites)) {
    print_message("skipped: no suites under WARPSAN_SHARED or ../shared\n");
    skip();
  }
  snprintf(path, sizeof path, "%s/%s", suites, name);
  walk(path, &tally);
  print_message("%s: %u read\n", name, tally.read);
  assert_int_not_equal(tally.read, 0);
  assert_int_equal(tally.failed, 0);
}

static void ptx_tests_are_read(void **state) {
  (void)state;
  check_suite("dat3m/ptx");
}

static void x86_tests_are_read(void **state) {
  (void)state;
  check_suite("dat3m/x86");
}

static void c_tests_are_read(void **state) {
  (void)state;
  check_suite("dat3m/c11");
}

static void scaled_tests_are_read(void **state) {
  (void)state;
  check_suite("scaled/ptxscaled");
  check_suite("scaled/scaled");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ptx_tests_are_read),
      cmocka_unit_test(x86_tests_are_read),
      cmocka_unit_test(c_tests_are_read),
      cmocka_unit_test(scaled_tests_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
