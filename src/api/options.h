// The options of a check, with their defaults filled in.
#ifndef WARPSAN_API_OPTIONS_H
#define WARPSAN_API_OPTIONS_H

#include <stdbool.h>

#include "warpsan/warpsan.h"

// `given` may be NULL, or shorter than ours. False: an option is outside of what it allows. Models
// and `unroll` are left as they are: their default depends on the input.
bool options_resolve(const WarpsanOptions *given, WarpsanOptions *resolved);

#endif
