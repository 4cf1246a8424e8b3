// warpsan_visit_inputs and warpsan_visit_kernels: the inputs below a folder, in an order that does
// not depend on the file system.
#include "api/input.h"
#include "api/options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ptx/launch.h"

enum { DEEPEST_FOLDER = 64 };

typedef ARRAY(const char *) PathList;

// A file that is passed over.
typedef struct Skipped {
  const char *path, *reason;
} Skipped;

typedef struct Search {
  const char *path;
  bool wants_kernels, needs_launches;
  Arena *arena;    // paths
  PathList inputs; // what was found
  ARRAY(Skipped) skipped;
  WarpsanResults *results;
  bool has_errors;
} Search;

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_suffix(const char *name, const char *suffix) {
  size_t length = strlen(name), suffix_length = strlen(suffix);
  return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

// Is the PTX what a source of the same stem in its folder, which is sorted, was compiled to?
static bool is_compiled_form(const Search *search, const PathList *folder, const char *path) {
  static const char *const suffixes[] = {"cu", "c"};
  if (!has_suffix(path, ".ptx"))
    return false;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    const char *source =
        arena_format(search->arena, "%.*s%s", (int)(strlen(path) - 3), path, suffixes[i]);
    if (bsearch(&source, folder->items, folder->count, sizeof *folder->items, compare_paths))
      return true;
  }
  return false;
}

static bool has_launch(WarpsanSession *session, const char *path) {
  Arena text;
  DiagList diags; // what cannot be read is visited, so that the check says why
  arena_init(&text, &session->escape, 0);
  diag_list_init(&diags, &text);
  const Source *source = input_read(session, path, &text, &diags);
  bool has_lines = !source || launch_has_lines(source, &text);
  arena_release(&text);
  return has_lines;
}

static void add_kernels(WarpsanSession *session, Search *search, const PathList *folder,
                        const char *path) {
  static const char reason[] = "it has no line '// launch: ...'";
  if (is_compiled_form(search, folder, path))
    return;
  if (!search->needs_launches || has_launch(session, path))
    array_push(search->arena, &search->inputs, path);
  else
    array_push(search->arena, &search->skipped, (Skipped){path, reason});
}

static void add_file(WarpsanSession *session, Search *search, const PathList *folder,
                     const char *path) {
  if (has_suffix(path, ".litmus"))
    array_push(search->arena, &search->inputs, path);
  else if (search->wants_kernels && input_is_code_name(path))
    add_kernels(session, search, folder, path);
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
    else
      add_file(session, search, &entries, entries.items[i]);
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

static WarpsanStatus visit_found(WarpsanSession *session, Search *search, WarpsanVisit *visit,
                                 WarpsanSkip *skip, void *context) {
  Arena paths;
  if (search->path[0] == '\0')
    return WARPSAN_BAD_ARGUMENT;
  arena_init(&paths, &session->escape, 0);
  search->arena = &paths;
  WarpsanStatus status = session_guard(session, search->results, search_inputs, search);
  if (status != WARPSAN_NO_MEMORY) {
    WarpsanStatus visited = visit_all(&search->inputs, visit, context);
    if (visited != WARPSAN_OK)
      status = visited;
    for (uint32_t i = 0; skip && i < search->skipped.count; i++)
      skip(context, search->skipped.items[i].path, search->skipped.items[i].reason);
  }
  arena_release(&paths);
  return status;
}

WarpsanStatus warpsan_visit_inputs(WarpsanSession *session, const char *path, WarpsanVisit *visit,
                                   void *context, WarpsanResults *results) {
  Search search = {.path = path, .results = results};
  return visit_found(session, &search, visit, NULL, context);
}

WarpsanStatus warpsan_visit_kernels(WarpsanSession *session, const char *path,
                                    const WarpsanOptions *options, WarpsanVisit *visit,
                                    WarpsanSkip *skip, void *context, WarpsanResults *results) {
  WarpsanOptions resolved;
  if (!options_resolve(options, &resolved))
    return WARPSAN_BAD_ARGUMENT;
  Search search = {.path = path, .wants_kernels = true, .results = results};
  search.needs_launches = !resolved.launch_count && !resolved.launch_file;
  return visit_found(session, &search, visit, skip, context);
}
