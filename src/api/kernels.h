// Kernels and their launches: from a .ptx, .cu or .c file to the program that an engine runs.
#ifndef WARPSAN_API_KERNELS_H
#define WARPSAN_API_KERNELS_H

#include "api/input.h"
#include "explore/explore.h"
#include "ptx/launch.h"
#include "ptx/ptx.h"

typedef struct KernelRequest {
  const WarpsanOptions *options;
  const Source *source; // what the user gave
  InputKind kind;
  bool is_on_disk; // `source` is the file of its name, for the compiler to read
} KernelRequest;

typedef struct Kernels {
  const LaunchSet *set;
  const uint64_t *addresses; // of the set's buffers
  Program *program;          // without threads (ir/grid.h)
} Kernels;

// The module of the source, compiled if need be. NULL, with diagnostics, if there is none.
const PtxModule *kernels_read_module(WarpsanSession *session, const KernelRequest *request,
                                     Arena *arena, DiagList *diags);

// Reads kernels and launches. False, with diagnostics, if something is wrong with them.
bool kernels_read(WarpsanSession *session, const KernelRequest *request, Arena *arena,
                  DiagList *diags, Kernels *kernels);

// Do the launches' final conditions hold? NULL, or else a message in `arena` and the condition's
// place.
const char *kernels_check_finals(const Kernels *kernels, LaunchRead *read, void *context,
                                 Arena *arena, Span *span);
// An ExploreFinal: do the launches' final conditions hold? `context` is a Kernels.
const char *kernels_check_final(void *context, ExploreByte *byte, void *byte_context, Arena *arena,
                                Span *span);

#endif
