// The threads, blocks and memory of a test, as a program.
#include "host/run.h"

#include <stdlib.h>
#include <string.h>

enum { WARP = 32, SHARED_ALIGN = 256 };

static uint32_t volume(HostDimensions size) {
  return size.x * size.y * size.z;
}

static HostDimensions split(uint32_t number, HostDimensions size) {
  return (HostDimensions){number % size.x, number / size.x % size.y, number / size.x / size.y};
}

uint32_t host_thread_count(const HostTest *test) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < test->launch_count; i++)
    count += volume(test->launches[i].grid) * volume(test->launches[i].block);
  return count;
}

static uint32_t count_blocks(const HostTest *test) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < test->launch_count; i++)
    count += volume(test->launches[i].grid);
  return count;
}

// --- memory

static void place_shared(HostRun *run) {
  const HostTest *test = run->test;
  uint32_t block = 0;
  run->shared_begins = ARENA_ARRAY(run->arena, uint64_t, run->program->block_count + 1);
  for (uint32_t i = 0; i < test->launch_count; i++)
    for (uint32_t b = 0; b < volume(test->launches[i].grid); b++) {
      uint64_t size = (test->launches[i].shared_bytes + SHARED_ALIGN - 1) & -(uint64_t)SHARED_ALIGN;
      run->shared_begins[block + 1] = run->shared_begins[block] + size;
      block++;
    }
  run->shared_size = run->shared_begins[block];
  run->shared = arena_alloc(run->arena, run->shared_size + SHARED_ALIGN, 64);
  run->shared += -(uintptr_t)run->shared & (SHARED_ALIGN - 1);
}

static Region shared_region(const HostRun *run, const HostLaunch *launch, uint32_t block) {
  return (Region){.name = arena_format(run->arena, "shared memory of block %u", block),
                  .address = (uintptr_t)run->shared + run->shared_begins[block],
                  .size = launch->shared_bytes,
                  .is_undefined = true,
                  .block = block};
}

static const uint8_t *copy_bytes(Arena *arena, const void *bytes, uint64_t size) {
  uint8_t *copy = ARENA_ARRAY(arena, uint8_t, size + 1);
  memcpy(copy, bytes, size);
  return copy;
}

static int compare_regions(const void *a, const void *b) {
  const Region *first = a, *second = b;
  return first->address < second->address ? -1 : first->address > second->address;
}

static void make_memory(HostRun *run) {
  const HostTest *test = run->test;
  Memory *memory = ARENA_NEW(run->arena, Memory);
  uint32_t threads = run->program->thread_count;
  memory->regions =
      ARENA_ARRAY(run->arena, Region, test->memory_count + threads + run->program->block_count + 1);
  for (uint32_t i = 0; i < test->memory_count; i++) {
    const HostMemory *given = &test->memory[i];
    memory->regions[memory->region_count++] =
        (Region){.name = given->name,
                 .address = (uintptr_t)given->address,
                 .size = given->size,
                 .initial = copy_bytes(run->arena, given->address, given->size),
                 .is_undefined = given->is_undefined,
                 .block = UINT32_MAX};
  }
  uint32_t block = 0;
  for (uint32_t i = 0; i < test->launch_count; i++)
    for (uint32_t b = 0; b < volume(test->launches[i].grid); b++, block++)
      if (test->launches[i].shared_bytes)
        memory->regions[memory->region_count++] = shared_region(run, &test->launches[i], block);
  // A thread may pass the address of a local variable on.
  for (uint32_t t = 0; t < threads; t++)
    memory->regions[memory->region_count++] = (Region){
        .name = arena_format(run->arena, "a local variable of %s", run->program->threads[t].name),
        .address = (uintptr_t)run->threads[t].fiber.stack,
        .size = HOST_STACK_BYTES,
        .is_undefined = true,
        .block = UINT32_MAX};
  qsort(memory->regions, memory->region_count, sizeof *memory->regions, compare_regions);
  run->program->memory = memory;
}

// --- threads

typedef struct ThreadPlace {
  const HostLaunch *launch;
  uint32_t grid, first_block; // of the launch
  uint32_t block, thread;     // in it, in the block
  uint32_t warp;              // first one of the block
} ThreadPlace;

static uint32_t cluster_rank(const ThreadPlace *place) {
  HostDimensions at = split(place->block, place->launch->grid), size = place->launch->cluster;
  return at.x % size.x + size.x * (at.y % size.y + size.y * (at.z % size.z));
}

// Blocks of a cluster lie next to each other in the numbering only if clusters are along x.
static uint32_t cluster_first(const ThreadPlace *place) {
  return place->first_block + place->block - cluster_rank(place);
}

static const char *thread_name(const HostRun *run, const ThreadPlace *place) {
  const HostLaunch *launch = place->launch;
  bool is_single = volume(launch->grid) * volume(launch->block) == 1;
  if (launch->is_host || is_single)
    return is_single ? launch->name
                     : arena_format(run->arena, "%s %u", launch->name,
                                    place->block * volume(launch->block) + place->thread);
  return arena_format(run->arena, "%s block %u thread %u", launch->name, place->block,
                      place->thread);
}

static void make_thread(HostRun *run, const ThreadPlace *place, uint32_t number) {
  const HostLaunch *launch = place->launch;
  uint32_t block = place->first_block + place->block;
  HostThread *made = &run->threads[number];
  run->program->threads[number] = (Thread){
      .name = thread_name(run, place),
      .place = {.cta = block,
                .cluster = cluster_first(place),
                .gpu = launch->is_host ? UINT32_MAX : launch->device,
                .is_host = launch->is_host},
      .instructions = run->sites.instructions,
      .instruction_count = run->sites.capacity,
      .registers = ARENA_ARRAY(run->arena, Register, GUEST_REGISTERS),
      .register_count = GUEST_REGISTERS,
      .grid = place->grid,
      .block = block,
      .warp = place->warp + place->thread / WARP,
      .lane = place->thread % WARP,
      .cluster_rank = cluster_rank(place),
  };
  made->run = run;
  made->launch = launch;
  made->fiber.stack =
      run->test->stacks + HOST_GUARD_BYTES + (size_t)number * (HOST_GUARD_BYTES + HOST_STACK_BYTES);
  made->fiber.stack_bytes = HOST_STACK_BYTES;
  made->index = (HostIndex){
      .grid_size = launch->grid,
      .block_size = launch->block,
      .cluster_size = launch->cluster,
      .block = split(place->block, launch->grid),
      .thread = split(place->thread, launch->block),
      .device = launch->is_host ? UINT32_MAX : launch->device,
      .shared = launch->shared_bytes ? run->shared + run->shared_begins[block] : NULL,
  };
}

static uint32_t predecessor(const HostTest *test, uint32_t launch) {
  const HostLaunch *own = &test->launches[launch];
  for (uint32_t i = launch; i-- > 0;) {
    const HostLaunch *before = &test->launches[i];
    if (!own->is_host && !before->is_host && before->device == own->device &&
        before->stream == own->stream)
      return i;
  }
  return UINT32_MAX;
}

static void make_grid(HostRun *run, uint32_t grid, uint32_t *thread, uint32_t *block,
                      uint32_t *warp) {
  const HostLaunch *launch = &run->test->launches[grid];
  Program *program = run->program;
  uint32_t block_count = volume(launch->grid), size = volume(launch->block);
  program->grids[grid] = (Grid){
      .kernel = launch->name,
      .first_thread = *thread,
      .thread_count = block_count * size,
      .first_block = *block,
      .block_count = block_count,
      .resident = launch->resident,
      .is_cooperative = launch->is_cooperative,
      .after = predecessor(run->test, grid),
  };
  ThreadPlace place = {.launch = launch, .grid = grid, .first_block = *block};
  for (place.block = 0; place.block < block_count; place.block++) {
    ThreadGroup *group = &program->blocks[*block + place.block];
    group->count = size;
    group->threads = ARENA_ARRAY(run->arena, uint32_t, size);
    place.warp = *warp;
    for (place.thread = 0; place.thread < size; place.thread++, ++*thread) {
      group->threads[place.thread] = *thread;
      make_thread(run, &place, *thread);
    }
    *warp += (size + WARP - 1) / WARP;
  }
  *block += block_count;
}

void host_make_program(HostRun *run) {
  const HostTest *test = run->test;
  Program *program = run->program = ARENA_NEW(run->arena, Program);
  program->name = test->name;
  program->is_kernel = true;
  program->thread_count = host_thread_count(test);
  program->threads = ARENA_ARRAY(run->arena, Thread, program->thread_count + 1);
  program->block_count = count_blocks(test);
  program->blocks = ARENA_ARRAY(run->arena, ThreadGroup, program->block_count + 1);
  program->grid_count = test->launch_count;
  program->grids = ARENA_ARRAY(run->arena, Grid, program->grid_count + 1);
  run->threads = ARENA_ARRAY(run->arena, HostThread, program->thread_count + 1);
  place_shared(run);
  uint32_t thread = 0, block = 0, warp = 0;
  for (uint32_t i = 0; i < test->launch_count; i++)
    make_grid(run, i, &thread, &block, &warp);
  make_memory(run);
}
