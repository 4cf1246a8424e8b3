// What the threads of a guest are known to do: for each thread a tree of histories. A node is a
// thread after some results; it has a child for each result that the next operation was seen to
// have. Threads are deterministic, so that what a node says holds for good, and a function need not
// be run twice with the same results.
//
// The tree also says which operations do not depend on a read: those that follow in the same way
// whatever the read was seen to return. docs/exploration.md has the argument ("Reads of C
// functions"). It is built pass by pass, each a whole search; what a pass learns counts from the
// next one on, so that a search and the repetition of its choices do the same. Internal to explore.
#ifndef WARPSAN_EXPLORE_GUEST_TREE_H
#define WARPSAN_EXPLORE_GUEST_TREE_H

#include "explore/explore.h"

enum { GUEST_NOWHERE = 0 }; // no node
enum { GUEST_STORED = 1 };  // operand: the value that a store or an update stores

typedef struct GuestNode {
  uint64_t result; // of the operation before
  uint32_t parent, child, next;
  uint16_t born;    // pass that found the node
  uint16_t starved; // pass that last wanted to know more about what follows
  bool is_asked;    // the operation is known
  bool is_exposed;  // it is a read that could see a write which came later
  GuestOperation operation;
} GuestNode;

typedef struct GuestTree {
  Arena memory; // lasts for all passes; leaves through the escape of whoever works with it
  const Instruction *instructions; // of all threads
  GuestNode *nodes;                // the roots are the nodes 1, 2, ... of the threads
  uint32_t count, capacity;
  uint16_t pass;         // from 1
  bool is_weak;          // some read could see a write that does not synchronise with it
  bool is_full;          // something was not noted
  bool is_partial;       // passes were done with what did not suffice
  bool was_wrong;        // a thread did not go on as others had
  bool can_buffer;       // the model lets a read see what comes after it
  bool only_at_barriers; // only what comes behind a barrier
} GuestTree;

// Nodes; `items` lie in an arena and last until it is reset.
typedef struct GuestNodes {
  Arena *arena;
  uint32_t *items;
  uint32_t count, capacity;
} GuestNodes;

// How much of the tree counts: what earlier passes found, or all of it.
typedef enum GuestView { GUEST_SETTLED, GUEST_ALL } GuestView;

void guest_tree_init(GuestTree *tree, const Program *program, const ExploreOptions *options,
                     MemoryEscape *escape);
void guest_tree_release(GuestTree *tree);
uint32_t guest_tree_root(uint32_t thread);
// The child for a result; GUEST_NOWHERE: there is none, or `node` is nowhere.
uint32_t guest_tree_find(const GuestTree *tree, uint32_t node, uint64_t result);
// The same; a missing one is made unless the tree is full.
uint32_t guest_tree_get(GuestTree *tree, uint32_t node, uint64_t result);
bool guest_tree_is_seen(const GuestTree *tree, uint32_t node, GuestView view);
// All children of the nodes, or those for one result.
GuestNodes guest_tree_children(const GuestTree *tree, GuestNodes nodes, GuestView view,
                               const uint64_t *result);
// The operation that follows at all nodes where it is known, but for the value that it stores;
// NULL: they differ, or none is known.
const GuestOperation *guest_tree_agreed(const GuestTree *tree, GuestNodes nodes, GuestView view);
bool guest_is_same_operation(const GuestOperation *a, const GuestOperation *b);
// The same but for the value that both store.
bool guest_is_same_access(const GuestTree *tree, const GuestOperation *a, const GuestOperation *b);
// May an operation come to pass before a read that is before it in program order has a source?
bool guest_may_run_ahead(const GuestTree *tree, const GuestOperation *operation);
// Do all that are among the nodes go on to something that other threads may notice?
bool guest_tree_is_noticed(const GuestTree *tree, GuestNodes nodes, GuestView view);
// The pass is over. True: what it learned makes another one necessary, which begins. False, and the
// tree is full: only what happens without running ahead has been explored, or (is_partial) less.
bool guest_tree_begin_pass(GuestTree *tree);

#endif
