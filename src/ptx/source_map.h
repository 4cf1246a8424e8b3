// Where in the user's source an instruction comes from: .loc, and the chain of `inlined_at`.
//   PtxSourceMap map = ptx_source_map(module, "kernel.cu");
//   if (ptx_find_user_place(&map, instruction, &place)) ... place.file, place.line
#ifndef WARPSAN_PTX_SOURCE_MAP_H
#define WARPSAN_PTX_SOURCE_MAP_H

#include "ptx/ptx.h"

// A place in a source file. Texts are the module's.
typedef struct PtxPlace {
  const char *file;      // as .file names it, relative or absolute; NULL: there is no such .file
  uint32_t line, column; // from 1; 0: unknown
  const char *function; // mangled name of the inlined function that the place is in; NULL: it is in
                        // the function that has the instruction, or unknown
} PtxPlace;

typedef struct PtxSourceMap {
  const PtxModule *module; // not owned
  uint32_t main_file;      // number in .file, PTX_NONE: there is no file
} PtxSourceMap;

// `main_file` is the file that was given to the compiler, as the caller names it: absolute or
// relative to any folder. NULL, or one that no .file fits: the first file that is not the
// compiler's.
PtxSourceMap ptx_source_map(const PtxModule *module, const char *main_file);

// The .loc of the instruction with that index in the module. Compilers write line 0 for code that
// they moved, such as a load that they took out of a loop, or merged, such as the stores of both
// arms of a branch: it belongs to the code behind it, or else to that before it.
uint32_t ptx_find_location(const PtxModule *module, uint32_t instruction);

typedef struct PtxPlaces {
  const PtxPlace *items; // innermost first: each is in a function that is inlined at the next
  uint32_t count;        // 0: nothing is known
} PtxPlaces;

// All places of the instruction with that index in the module. They live in `arena`.
PtxPlaces ptx_find_places(const PtxSourceMap *map, uint32_t instruction, Arena *arena);

// The place to show for an instruction: the innermost one in the main file, which is what the user
// wrote, as opposed to the header that it was inlined from. If there is none, the innermost one
// that is not in the compiler's headers; if there is none, the outermost one. False: nothing is
// known.
bool ptx_find_user_place(const PtxSourceMap *map, uint32_t instruction, PtxPlace *place);

// The user's place in the text of its file: from the column, or the first character of the line, to
// the line's end. No place (source NULL) if the text has no such line.
Span ptx_place_span(const PtxPlace *place, const Source *source);

// Is the file one of those that come with CUDA, clang, gcc or the C library?
bool ptx_is_compiler_file(const char *file);
// Can both names mean the same file? "a/k.cu" and "/home/b/a/k.cu" can.
bool ptx_same_file(const char *a, const char *b);

#endif
