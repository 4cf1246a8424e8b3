// Places of instructions in the user's file. Internal to lower*.c.
#ifndef WARPSAN_PTX_LOWER_PLACE_H
#define WARPSAN_PTX_LOWER_PLACE_H

#include "ir/ir.h"
#include "ptx/ptx.h"

typedef struct PlaceMap {
  const PtxModule *module;
  Arena *arena;
  const Source *main_source; // may be NULL
  const Source *source;      // of the main file
  uint32_t main_file;        // number in .file, 0: the text has no .loc
  ARRAY(uint32_t) line_starts;
} PlaceMap;

void place_map_init(PlaceMap *map, const PtxModule *module, const PtxFunction *function,
                    const Source *main_source, Arena *arena);
// The innermost place in the main file, and the places of that file into which it was inlined. Code
// of a called function has the place of the `call`, and of those before it, behind its own; if it
// is not in the main file, the place of the call stands for it. NULL: code of the kernel itself.
Span place_of(const PlaceMap *map, const PtxInstruction *instruction, const InlinedPlace *call,
              const InlinedPlace **inlined);

#endif
