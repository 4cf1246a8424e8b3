// Findings of kernels: what faults and stuck executions mean. Internal to explore.
#ifndef WARPSAN_EXPLORE_KERNEL_FINDINGS_H
#define WARPSAN_EXPLORE_KERNEL_FINDINGS_H

#include "explore/kernel.h"
#include "ir/fault.h"

// Appends a finding for a fault of the current execution.
void kernel_report_fault(Search *search, const Record *record, DiagList *findings);
void kernel_report_final(Search *search, const Record *record, DiagList *findings);
// An update that is lost although no condition fails.
void kernel_report_loss(const Search *search, const Record *record, DiagList *findings);
void kernel_report_stuck(const Search *search, DiagList *findings);
// "buffer out, byte 12" of an access.
const char *kernel_location_name(const Search *search, uint32_t event, Arena *arena);
const char *kernel_place_name(const Search *search, uint32_t location, Arena *arena);
// The two threads of a race, as a witness.
const Witness *kernel_draw_race(const Search *search, uint32_t a, uint32_t b, Arena *arena);
// Are both accesses atomic at a scope that reaches the other, but not on this machine (spec E.5)?
bool kernel_lacks_atomicity(const Search *search, uint32_t a, uint32_t b);
// Which property of the machine is missing; requires that one of the accesses is not atomic here.
const char *kernel_machine_reason(const Search *search, uint32_t a, uint32_t b, Arena *arena);
// What is missing between two racing accesses that no communication of this execution connects. If
// it is a barrier between one of them and the thread that speaks for its block: how that speaks,
// else EVENT_NONE.
RuleNumber kernel_classify_race(const Search *search, uint32_t a, uint32_t b, uint32_t *write,
                                uint32_t *read);

#endif
