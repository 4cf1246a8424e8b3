#include "api/options.h"

#include <string.h>

#include "explore/explore.h"

enum { MOST_JOBS = 1024 };

_Static_assert((int)WARPSAN_PROPERTY_PROGRAM == (int)EXPLORE_CONDITION &&
                   (int)WARPSAN_PROPERTY_TERMINATION == (int)EXPLORE_TERMINATION &&
                   (int)WARPSAN_PROPERTY_RACE == (int)EXPLORE_RACE,
               "properties are passed on as they are");

static bool copy(const WarpsanOptions *given, WarpsanOptions *copy) {
  *copy = (WarpsanOptions)WARPSAN_OPTIONS_INIT;
  if (!given)
    return true;
  if (given->size < sizeof given->size || given->size > sizeof *given)
    return false;
  memcpy(copy, given, given->size);
  return true;
}

bool options_resolve(const WarpsanOptions *given, WarpsanOptions *resolved) {
  if (!copy(given, resolved))
    return false;
  if (resolved->properties > WARPSAN_PROPERTY_ALL || resolved->jobs > MOST_JOBS ||
      !(resolved->timeout_seconds >= 0) || !(resolved->seconds_after_finding >= 0) ||
      (unsigned)resolved->level > WARPSAN_LEVEL_CUDA ||
      (unsigned)resolved->symmetry > WARPSAN_SYMMETRY_NEVER)
    return false;
  if (resolved->properties == 0)
    resolved->properties = WARPSAN_PROPERTY_ALL;
  if (resolved->jobs == 0)
    resolved->jobs = 1;
  return true;
}
