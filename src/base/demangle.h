// Names of C++ functions as the Itanium C++ ABI mangles them (its section 5.1), which nvcc and
// clang give to kernels.
#ifndef WARPSAN_BASE_DEMANGLE_H
#define WARPSAN_BASE_DEMANGLE_H

#include "base/arena.h"

#include <stdbool.h>

// "_ZN2ns6reduceILj64ELb1EEEvPf" is "ns::reduce<64u, true>": the function's name with its scopes
// and template arguments, without parameters and result. The text is in `arena`. NULL: this is no
// mangled name, or one with parts that names of kernels hardly have (expressions, operators).
const char *demangle_function(const char *mangled, Arena *arena);

// Does a user mean the function of that demangled name by `text`? Blanks and the suffixes of
// integers do not matter, and scopes from the left, as well as the last template arguments, may be
// left out: "reduce", "ns::reduce", "reduce<64,true>".
bool demangle_matches(const char *demangled, const char *text, Arena *arena);

#endif
