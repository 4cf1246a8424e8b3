// Models of a session: read and compiled once, good or bad.
#include "api/session.h"

#include <string.h>

#include "api/input.h"
#include "base/rules.h"
#include "model/builtin.h"

static bool is_file_name(const char *name) {
  size_t length = strlen(name);
  return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".cat") == 0);
}

static bool is_builtin_name(const char *name) {
  for (uint32_t i = 0; i < model_builtin_count(); i++)
    if (strcmp(model_builtin_name(i), name) == 0)
      return true;
  return false;
}

// `include "name"`: in the folder of the including file. `model` looks among its own texts next.
static const Source *load_include(void *context, const char *name, const Source *includer) {
  WarpsanSession *session = context;
  DiagList ignored; // the includer reports that nothing was found, at the place of the include
  diag_list_init(&ignored, &session->arena);
  int folder_length = name[0] == '/' ? 0 : (int)input_folder_length(includer->name);
  const char *path = arena_format(&session->arena, "%.*s%s", folder_length, includer->name, name);
  return input_read(session, path, &session->arena, &ignored);
}

static const char *join_builtin_names(Arena *arena) {
  const char *names = "";
  for (uint32_t i = 0; i < model_builtin_count(); i++)
    names = arena_format(arena, "%s%s%s", names, i > 0 ? ", " : "", model_builtin_name(i));
  return names;
}

static const Model *load_model(WarpsanSession *session, const char *name, bool interpret,
                               DiagList *diags) {
  Arena *arena = &session->arena;
  if (!is_file_name(name)) {
    if (is_builtin_name(name))
      return model_load(name, NULL, interpret, NULL, NULL, arena, diags);
    diag_syntax(diags, (Span){0}, "expected a .cat file or a built-in model (%s), found '%s'",
                join_builtin_names(arena), name);
    return NULL;
  }
  const Source *source = input_read(session, name, arena, diags);
  if (!source)
    return NULL;
  return model_load(name, source, interpret, load_include, session, arena, diags);
}

static const LoadedModel *find_loaded(const WarpsanSession *session, const char *name,
                                      bool interpret) {
  for (uint32_t i = 0; i < session->models.count; i++) {
    const LoadedModel *loaded = &session->models.items[i];
    if (loaded->interpret == interpret && strcmp(loaded->name, name) == 0)
      return loaded;
  }
  return NULL;
}

const LoadedModel *session_load_model(WarpsanSession *session, const char *name, bool interpret) {
  const LoadedModel *found = find_loaded(session, name, interpret);
  if (found)
    return found;
  DiagList diags;
  diag_list_init(&diags, &session->arena);
  LoadedModel loaded = {.name = arena_copy_text(&session->arena, name, strlen(name)),
                        .interpret = interpret};
  loaded.model = load_model(session, loaded.name, interpret, &diags);
  loaded.diags = diags.items;
  loaded.diag_count = diags.count;
  array_push(&session->arena, &session->models, loaded);
  return &session->models.items[session->models.count - 1];
}

typedef struct ModelRequest {
  const char *name;
  bool interpret;
  WarpsanResults *results;
} ModelRequest;

static WarpsanStatus load_requested(WarpsanSession *session, void *context) {
  const ModelRequest *request = context;
  const LoadedModel *loaded = session_load_model(session, request->name, request->interpret);
  if (loaded->model)
    return WARPSAN_OK;
  results_add_errors(request->results, request->name, loaded->diags, loaded->diag_count);
  return WARPSAN_BAD_INPUT;
}

WarpsanStatus warpsan_load_model(WarpsanSession *session, const char *model, bool interpret,
                                 WarpsanResults *results) {
  ModelRequest request = {model, interpret, results};
  return session_guard(session, results, load_requested, &request);
}

size_t warpsan_model_count(void) {
  return model_builtin_count();
}

const char *warpsan_model_name(size_t model) {
  return model_builtin_name((uint32_t)model);
}

const char *warpsan_model_text(size_t model) {
  const char *name = warpsan_model_name(model);
  for (uint32_t i = 0; i < builtin_text_count; i++)
    if (strcmp(builtin_texts[i].name, name) == 0)
      return builtin_texts[i].text;
  return "";
}
