// A watcher of the emulator that finds data races by happens-before (spec B.9): what races is
// reported even if this run gave the right answer. `race_begin`, hand race_watcher to emu_run,
// `race_report`, `race_end`. Findings of several runs of one program can be collected.
#ifndef WARPSAN_RACE_RACE_H
#define WARPSAN_RACE_RACE_H

#include "emu/emu.h"

// Objects of which reads are remembered one by one. Elsewhere those that many threads may make are
// told together, which takes less time and memory; a write that is not behind all who may have read
// then leaves the run undecided: its object is added, and the run has to be made again.
typedef struct RaceExact RaceExact;
RaceExact *race_exact_new(const Program *program, Arena *arena);

typedef struct RaceOptions {
  bool is_cuda;          // judge by CUDA C++ (spec C.3) instead of PTX
  bool volatile_is_weak; // always so in CUDA C++
  bool hide_same_value;  // do not report writes of one value by several threads
  // Remember every access that some thread may still race with, at every place, instead of the
  // newest: all racing pairs of the run are found. For small programs.
  bool keep_all;
  RaceExact *exact;   // NULL: all are; outlives the detector
  bool stops_at_race; // the run ends with the round in which a race is found
  // Loads may return older values, as far as the model allows it, chosen by `seed`. With one job
  // only; `peek` is needed.
  bool is_weak;
  bool splits_vectors; // and elements of a vector come apart
  uint64_t seed;
  size_t memory_bytes; // 0: no limit
  // What memory holds at an address (global: `owner` NULL) before the write that is shown; false:
  // not known. May be NULL.
  bool (*peek)(void *context, const EmuBlock *owner, uint64_t address, uint32_t size,
               uint64_t *value);
  void *peek_context;
} RaceOptions;

typedef struct RaceCounts {
  uint64_t races;        // pairs of accesses of single threads that raced, reported or not
  uint64_t accesses;     // that were checked, of single threads
  uint64_t shadow_bytes; // mapped at the end
} RaceCounts;

// What was found, over all runs that were given it. Lives in the arena.
typedef struct RaceFindings RaceFindings;
RaceFindings *race_findings_new(Arena *arena);

typedef struct Race Race;

// `program` outlives the detector. The caller must call race_end, also after an escape.
Race *race_begin(const Program *program, const RaceOptions *options, RaceFindings *findings,
                 Arena *arena);
const EmuWatcher *race_watcher(const Race *race);
RaceCounts race_counts(const Race *race);
// Must the run be made again? Nothing that was found counts.
bool race_is_undecided(const Race *race);
// NULL, or why races may have been missed.
const char *race_incomplete(const Race *race);
// Adds notes to a finding of the run: where threads read, without being ordered, what others wrote.
void race_explain(const Race *race, DiagList *findings, Diag *diag);
// The same: where loads of the run took older values. False: nowhere.
bool race_explain_stale(const Race *race, DiagList *findings, Diag *diag);
void race_end(Race *race);

// Takes over what is no finding but to be said.
void race_add_advice(RaceFindings *findings, const RaceFindings *from);

// Appends a finding for each pair of places, in the order of the places.
void race_report(const RaceFindings *found, const Program *program, DiagList *findings);
uint32_t race_finding_count(const RaceFindings *found);

#endif
