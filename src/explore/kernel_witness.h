// Witnesses of kernels: the part of an execution that matters. Internal to explore.
#ifndef WARPSAN_EXPLORE_KERNEL_WITNESS_H
#define WARPSAN_EXPLORE_KERNEL_WITNESS_H

#include "explore/kernel_cause.h"

enum { VIEW_MOST_KEYS = 48 };

// What is to be shown of an execution: some events, and what orders or could order them.
typedef struct View {
  const Search *search;
  Arena *arena;
  uint32_t keys[VIEW_MOST_KEYS]; // events that matter
  uint32_t key_count;
  // An edge to be highlighted, "race" or "fr"; NULL: none.
  const char *relation;
  uint32_t from, to;
  bool is_ordered; // show one order of the accesses, if there is one
} View;

// Adds an event that matters; what is beyond the limit is left out.
void view_add(View *view, uint32_t event);
// Adds a read with what it read from, and the communication by which the write `newer`, if it is
// not EVENT_NONE, is ordered before the read.
void view_add_read(View *view, uint32_t read, uint32_t newer);
// Draws the view. Titles and explanations outlive the witness.
Witness *view_draw(const View *view, const char *title, const char *explanation);

#endif
