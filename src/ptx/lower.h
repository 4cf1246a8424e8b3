// PTX kernels and their launches -> the program that the engines run.
#ifndef WARPSAN_PTX_LOWER_H
#define WARPSAN_PTX_LOWER_H

#include "ir/memory.h"
#include "ptx/launch.h"
#include "ptx/ptx.h"

// Lays out the buffers and makes a grid of each launch of `set`; the program has no threads until
// grid_expand (ir/grid.h) makes them. Kernels are looked for in `module`. Instructions that are not
// supported become IR_UNSUPPORTED: the engine names them when a thread would execute one.
// Everything lives in `arena`; module, set and sources outlive it. `main_source`: the .cu file, if
// the user gave one: places are mapped to its lines by .loc; NULL: places are those of the PTX
// text. On error reports to `diags` and returns NULL.
Program *ptx_lower(const PtxModule *module, const LaunchSet *set, const Source *main_source,
                   Arena *arena, DiagList *diags);

// Address of a buffer of the set in the program's memory.
uint64_t ptx_buffer_address(const LaunchSet *set, uint32_t buffer);

#endif
