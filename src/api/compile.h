// CUDA or C source -> PTX, by the user's own compiler.
#ifndef WARPSAN_API_COMPILE_H
#define WARPSAN_API_COMPILE_H

#include "api/session.h"
#include "base/diag.h"

typedef struct CompileRequest {
  const Source *source;
  bool is_on_disk; // the compiler reads the file `source->name`; otherwise it is given the text
  bool is_c;       // C, as opposed to CUDA C++
  // As in WarpsanOptions.
  const char *nvcc, *nvcc_flags;
  const char *clang, *clang_flags;
} CompileRequest;

// The PTX, which lives in `arena`. NULL, with the compiler's errors in `diags`, if there is none.
const Source *compile_to_ptx(WarpsanSession *session, const CompileRequest *request, Arena *arena,
                             DiagList *diags);

#endif
