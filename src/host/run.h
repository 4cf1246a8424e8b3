// A check of C functions under way. Internal to host.
#ifndef WARPSAN_HOST_RUN_H
#define WARPSAN_HOST_RUN_H

#include "host/fiber.h"
#include "host/host.h"
#include "ir/alu.h"
#include "ir/memory.h"

// What a thread asks for.
typedef struct HostRequest {
  const HostSite *site;
  uint32_t code;
  uint32_t operand_count;
  uint64_t operands[GUEST_OPERANDS]; // of a memory access: address, value, new value
} HostRequest;

typedef struct HostThread {
  HostRun *run;
  Fiber fiber;
  const HostLaunch *launch;
  HostIndex index;
  bool has_begun, has_returned;
  bool has_changed;       // it did not do again what it had done
  HostRequest request;    // that it has left with
  uint32_t position;      // results that it has been given
  uint64_t serial;        // of the last one
  const GuestStep *steps; // those that it may be given
  uint32_t step_count;
} HostThread;

// Places that the functions have come to: each is an instruction of the program.
typedef struct Sites {
  Arena *arena;
  HostReadSource *read;
  void *read_context;
  Instruction *instructions;
  uint32_t count, capacity;
  struct SiteKey {
    const HostSite *site;
    uint32_t code;
  } * keys;
  uint32_t *slots; // hash: number + 1
  ARRAY(const Source *) sources;
} Sites;

enum { MOST_SITES = 1022 };

struct HostRun {
  const HostTest *test;
  const Model *model;
  Arena *arena;
  Program *program;
  Sites sites;
  HostThread *threads;
  ExploreGuest guest;
  char *shared; // of all blocks
  uint64_t shared_size;
  uint64_t *shared_begins; // of each block, and the end of the last one
  uint8_t **contents;      // of the test's memory when the check began
};

void sites_init(Sites *sites, HostReadSource *read, void *context, Arena *arena);
// The number of a place; MOST_SITES: there are too many.
uint32_t sites_find(Sites *sites, const HostSite *site, uint32_t code);
// What an update leaves behind.
uint64_t host_update(uint32_t code, uint64_t old, uint64_t operand);
Span sites_span(Sites *sites, const HostSite *site);

// Fills in the threads, blocks, grids and memory.
void host_make_program(HostRun *run);

#endif
