// warpsan_visit_inputs: the litmus tests below a folder, in an order that does not depend on the
// file system.
#include "api/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST_FOLDER = 64 };

typedef ARRAY(const char *) PathList;

typedef struct Search {
  const char *path;
  Arena *arena;    // paths
  PathList inputs; // what was found
  WarpsanResults *results;
  bool has_errors;
} Search;

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_input_name(const char *name) {
  static const char suffix[] = ".litmus";
  size_t length = strlen(name);
  return length >= sizeof suffix && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static void report_folder(Search *search, const char *path, int error) {
  DiagList diags;
  diag_list_init(&diags, &search->results->arena);
  input_report_unreadable(&diags, "a readable folder", error);
  results_add_errors(search->results, path, diags.items, diags.count);
  search->has_errors = true;
}

// The entries of a folder as paths, sorted; false if it cannot be read.
static bool list_folder(WarpsanSession *session, const char *path, Arena *arena, PathList *list) {
  session->open_folder = opendir(path);
  if (!session->open_folder)
    return false;
  const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
  const struct dirent *entry;
  while ((entry = readdir(session->open_folder)))
    if (entry->d_name[0] != '.')
      array_push(arena, list, arena_format(arena, "%s%s%s", path, slash, entry->d_name));
  session_close_input(session);
  if (list->count > 0)
    qsort(list->items, list->count, sizeof *list->items, compare_paths);
  return true;
}

static void search_folder(WarpsanSession *session, Search *search, const char *path, int depth) {
  PathList entries = {0};
  if (depth > DEEPEST_FOLDER) {
    report_folder(search, path, ENAMETOOLONG);
    return;
  }
  if (!list_folder(session, path, search->arena, &entries)) {
    report_folder(search, path, errno);
    return;
  }
  for (uint32_t i = 0; i < entries.count; i++) {
    struct stat status;
    // Links to folders are left alone, since they may lead in circles.
    if (lstat(entries.items[i], &status) == 0 && S_ISDIR(status.st_mode))
      search_folder(session, search, entries.items[i], depth + 1);
    else if (is_input_name(entries.items[i]))
      array_push(search->arena, &search->inputs, entries.items[i]);
  }
}

static WarpsanStatus search_inputs(WarpsanSession *session, void *context) {
  Search *search = context;
  struct stat status;
  if (stat(search->path, &status) == 0 && S_ISDIR(status.st_mode))
    search_folder(session, search, search->path, 0);
  else
    array_push(search->arena, &search->inputs, search->path);
  return search->has_errors ? WARPSAN_BAD_INPUT : WARPSAN_OK;
}

// Not guarded, because the visitor may call the library.
static WarpsanStatus visit_all(const PathList *inputs, WarpsanVisit *visit, void *context) {
  for (uint32_t i = 0; i < inputs->count; i++)
    if (visit(context, inputs->items[i]) != 0)
      return WARPSAN_STOPPED;
  return WARPSAN_OK;
}

WarpsanStatus warpsan_visit_inputs(WarpsanSession *session, const char *path, WarpsanVisit *visit,
                                   void *context, WarpsanResults *results) {
  if (path[0] == '\0')
    return WARPSAN_BAD_ARGUMENT;
  Arena paths;
  arena_init(&paths, &session->escape, 0);
  Search search = {.path = path, .arena = &paths, .results = results};
  WarpsanStatus status = session_guard(session, results, search_inputs, &search);
  if (status != WARPSAN_NO_MEMORY) {
    WarpsanStatus visited = visit_all(&search.inputs, visit, context);
    if (visited != WARPSAN_OK)
      status = visited;
  }
  arena_release(&paths);
  return status;
}
