#include "cat/prelude.h"

#include <stddef.h>
#include <string.h>

static const char prelude_text[] =
    "(* sets *)\n"
    "let emptyset = {}\n"
    "let M = R | W\n"
    "let RMW = domain(rmw) | range(rmw)\n"
    "let I = IW\n"
    "let NAL = M \\ A\n"
    "\n"
    "(* relations between places *)\n"
    "let unv = _ * _\n"
    "let id = [_]\n"
    "let ext = unv \\ int\n"
    "let int = unv \\ ext\n"
    "let po-loc = po & loc\n"
    "\n"
    "(* communication; a read that is half of an atomic does not come before its other half *)\n"
    "let fr = (rf^-1 ; co) \\ id\n"
    "let rfe = rf & ext\n"
    "let rfi = rf & int\n"
    "let coe = co & ext\n"
    "let coi = co & int\n"
    "let fre = fr & ext\n"
    "let fri = fr & int\n"
    "let com = rf | co | fr\n"
    "\n"
    "(* atomics: none is a pair of exclusives *)\n"
    "let amo = rmw\n"
    "let lxsx = 0\n"
    "\n"
    "(* dependencies of instructions that this engine does not have *)\n"
    "let casdep = 0\n"
    "\n"
    "(* the part of a relation between two kinds of events *)\n"
    "let RR(r) = r & (R * R)\n"
    "let RW(r) = r & (R * W)\n"
    "let RM(r) = r & (R * M)\n"
    "let WR(r) = r & (W * R)\n"
    "let WW(r) = r & (W * W)\n"
    "let WM(r) = r & (W * M)\n"
    "let MR(r) = r & (M * R)\n"
    "let MW(r) = r & (M * W)\n"
    "let MM(r) = r & (M * M)\n"
    "let MA(r) = r & (M * A)\n"
    "let AM(r) = r & (A * M)\n"
    "let AA(r) = r & (A * A)\n"
    "let noid(r) = r \\ id\n"
    "\n"
    "(* fences *)\n"
    "let fencerel(S) = po ; [S] ; po\n"
    "let mfence = fencerel(MFENCE)\n";

static const Source prelude_source = {
    .name = "prelude.cat",
    .text = prelude_text,
    .length = sizeof prelude_text - 1,
};

// These enumerate co, or define fences and helpers that are above.
static const char *const covered_files[] = {
    "stdlib.cat", "cos.cat", "cross.cat", "x86fences.cat", "fences.cat", "filters.cat",
};

const Source *cat_prelude(void) {
  return &prelude_source;
}

bool cat_prelude_covers(const char *file_name) {
  for (size_t i = 0; i < sizeof covered_files / sizeof covered_files[0]; i++)
    if (strcmp(file_name, covered_files[i]) == 0)
      return true;
  return false;
}
