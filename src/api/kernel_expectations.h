// What must be found in kernels: the expectation of the options, or what an input says of itself
// (`// expect: RULE`, docs/launch.md).
#ifndef WARPSAN_API_KERNEL_EXPECTATIONS_H
#define WARPSAN_API_KERNEL_EXPECTATIONS_H

#include "api/kernels.h"
#include "base/result.h"

// Does the option leave it to the input?
bool kernel_expectation_is_stated(const WarpsanOptions *options);
// False, with diagnostics: the expectation names what is no rule.
bool kernel_expectation_check(const WarpsanOptions *options, const LaunchSet *set, DiagList *diags);
// Marks the findings as expected, or adds a finding for the expectation that they miss.
void kernel_expectation_compare(const WarpsanOptions *options, const LaunchSet *set,
                                Result *result);

#endif
