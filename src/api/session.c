#include "api/session.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *warpsan_version(void) {
  return WARPSAN_VERSION;
}

const char *warpsan_status_text(WarpsanStatus status) {
  switch (status) {
  case WARPSAN_OK:
    return "done";
  case WARPSAN_BAD_INPUT:
    return "the input or the model has errors";
  case WARPSAN_BAD_ARGUMENT:
    return "an argument is out of range";
  case WARPSAN_NO_MEMORY:
    return "out of memory";
  case WARPSAN_WRITE_FAILED:
    return "the output cannot be written";
  case WARPSAN_STOPPED:
    return "stopped by the caller";
  }
  return "unknown status";
}

WarpsanStatus warpsan_session_new(WarpsanSession **session) {
  *session = calloc(1, sizeof **session);
  if (!*session)
    return WARPSAN_NO_MEMORY;
  arena_init(&(*session)->arena, &(*session)->escape, 0);
  (*session)->open_file = -1;
  return WARPSAN_OK;
}

void warpsan_session_free(WarpsanSession *session) {
  if (!session)
    return;
  arena_release(&session->arena);
  free(session);
}

WarpsanStatus warpsan_results_new(WarpsanSession *session, WarpsanResults **results) {
  *results = calloc(1, sizeof **results);
  if (!*results)
    return WARPSAN_NO_MEMORY;
  (*results)->session = session;
  arena_init(&(*results)->arena, &session->escape, 0);
  return WARPSAN_OK;
}

void warpsan_results_clear(WarpsanResults *results) {
  results->list.items = NULL;
  results->list.count = results->list.capacity = 0;
  arena_release(&results->arena);
}

void warpsan_results_free(WarpsanResults *results) {
  if (!results)
    return;
  arena_release(&results->arena);
  free(results);
}

size_t warpsan_results_count(const WarpsanResults *results) {
  return results->list.count;
}

void session_close_input(WarpsanSession *session) {
  if (session->open_file >= 0)
    close(session->open_file);
  if (session->open_folder)
    closedir(session->open_folder);
  session->open_file = -1;
  session->open_folder = NULL;
}

WarpsanStatus session_guard(WarpsanSession *session, WarpsanResults *results, SessionWork *work,
                            void *context) {
  ArenaMark session_mark = arena_mark(&session->arena);
  LoadedModels models = session->models;
  ResultList list = results ? results->list : (ResultList){0};
  ArenaMark results_mark = results ? arena_mark(&results->arena) : (ArenaMark){0};
  if (setjmp(session->escape.target) == 0)
    return work(session, context);
  session_close_input(session);
  session->models = models;
  arena_reset(&session->arena, session_mark);
  if (results) {
    results->list = list;
    arena_reset(&results->arena, results_mark);
  }
  return WARPSAN_NO_MEMORY;
}

void results_add_errors(WarpsanResults *results, const char *input, const Diag *diags,
                        uint32_t diag_count) {
  Result *result = ARENA_NEW(&results->arena, Result);
  result->input = arena_copy_text(&results->arena, input, strlen(input));
  diag_list_init(&result->findings, &results->arena);
  for (uint32_t i = 0; i < diag_count; i++)
    array_push(&results->arena, &result->findings, diags[i]);
  array_push(&results->arena, &results->list, result);
}
