// What a session and a list of results are made of. Every function that may allocate runs inside
// session_guard: it holds the library's one setjmp on the caller's thread.
#ifndef WARPSAN_API_SESSION_H
#define WARPSAN_API_SESSION_H

#include <dirent.h>

#include "base/arena.h"
#include "base/result.h"
#include "model/model.h"
#include "warpsan/warpsan.h"

// A model that was asked for, good or bad: it is read and compiled once in a session.
typedef struct LoadedModel {
  const char *name;
  bool interpret;
  const Model *model; // NULL: it has errors
  const Diag *diags;  // its errors
  uint32_t diag_count;
} LoadedModel;

typedef ARRAY(LoadedModel) LoadedModels;
typedef ARRAY(const Result *) ResultList;

struct WarpsanSession {
  MemoryEscape escape;
  Arena arena; // models, for as long as the session lives
  LoadedModels models;
  // What is being read: closed when memory runs out meanwhile. -1 and NULL: nothing.
  int open_file;
  DIR *open_folder;
};

struct WarpsanResults {
  WarpsanSession *session; // not owned
  Arena arena;             // the results, their inputs' texts, and the list
  ResultList list;
};

typedef WarpsanStatus SessionWork(WarpsanSession *session, void *context);

// Calls `work`. If memory runs out in it: undoes what it has put into the session and into
// `results` (which may be NULL), and returns WARPSAN_NO_MEMORY. `work` must not call the user back
// in a way that may enter the library again: a guard does not nest.
WarpsanStatus session_guard(WarpsanSession *session, WarpsanResults *results, SessionWork *work,
                            void *context);

// Closes `open_file` and `open_folder`.
void session_close_input(WarpsanSession *session);

// The model of that name or file; it stays in the session. Never NULL, but see `model`.
const LoadedModel *session_load_model(WarpsanSession *session, const char *name, bool interpret);

// Appends a result that says why an input or a model cannot be used.
void results_add_errors(WarpsanResults *results, const char *input, const Diag *diags,
                        uint32_t diag_count);

#endif
