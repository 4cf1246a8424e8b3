#include "race/block.h"
#include "race/limits.h"
#include "race/row.h"
#include "race/weak.h"

#include "base/bits.h"
#include "ir/grid.h"
#include "ir/memory.h"

#include <string.h>

// --- places

uint32_t race_place(const Block *block, const Instruction *instruction) {
  return block->first_place + (uint32_t)(instruction - block->code);
}

const Instruction *race_instruction(const Race *race, uint32_t info) {
  uint32_t place = info_place(info);
  for (uint32_t i = 0; i < race->program->grid_count; i++) {
    const KernelCode *code = race->program->grids[i].code;
    uint32_t first = race->grids[i].first_place;
    if (place >= first && place - first < code->instruction_count)
      return &code->instructions[place - first];
  }
  return NULL;
}

uint32_t race_info(uint32_t place, Scope scope, Proxy proxy, Bank bank, uint32_t size,
                   bool is_volatile) {
  return place | (uint32_t)scope << INFO_SCOPE | (uint32_t)proxy << INFO_PROXY |
         (uint32_t)bank << INFO_BANK | bits_last(size) << INFO_SIZE |
         (uint32_t)is_volatile << INFO_VOLATILE;
}

// May what other threads have read before a barrier matter behind it?
static bool is_of_agents(uint32_t op) {
  return op == IR_MBARRIER || op == IR_BULK_COPY || op == IR_TENSOR_COPY || op == IR_STORE_ASYNC ||
         op == IR_FENCE_PROXY || op == IR_PRODUCT_LOAD;
}

// Launches of one kernel share the places.
static void number_places(Race *race) {
  const Program *program = race->program;
  uint32_t next = 0;
  for (uint32_t i = 0; i < program->grid_count; i++) {
    const KernelCode *code = program->grids[i].code;
    uint32_t j = 0;
    while (program->grids[j].code != code)
      j++;
    race->grids[i].first_place = j < i ? race->grids[j].first_place : next;
    if (j == i)
      next += code->instruction_count;
    for (uint32_t k = 0; k < code->instruction_count; k++) {
      uint32_t op = code->instructions[k].op;
      race->grids[i].has_fence |= op == IR_FENCE;
      race->grids[i].has_agents |= is_of_agents(op);
      // By CUDA C++'s rules the proxy does not count.
      race->has_strong_agents |=
          race->options.is_cuda && (op == IR_BULK_COPY || op == IR_TENSOR_COPY);
    }
  }
  if (next > INFO_PLACE_MASK)
    race_stop(race, "the kernels have more instructions than the detector can tell apart");
}

// --- giving up

void race_stop(Race *race, const char *reason) {
  const char *none = NULL;
  atomic_compare_exchange_strong(&race->incomplete, &none, reason);
}

// --- objects whose reads are remembered one by one

// After so many runs that were undecided they are everywhere.
enum { MOST_EXACT_REGIONS = 2 };

struct RaceExact {
  const Memory *memory;
  const Region *regions[MOST_EXACT_REGIONS];
  uint32_t count; // more than there are: all
};

RaceExact *race_exact_new(const Program *program, Arena *arena) {
  RaceExact *exact = ARENA_NEW(arena, RaceExact);
  exact->memory = program->memory;
  return exact;
}

bool race_is_exact(const Race *race, uint64_t address) {
  const RaceExact *exact = race->options.exact;
  if (!exact || exact->count > MOST_EXACT_REGIONS)
    return true;
  const Region *region = exact->count ? memory_find(exact->memory, address, 1) : NULL;
  for (uint32_t i = 0; i < exact->count; i++)
    if (exact->regions[i] == region)
      return true;
  return false;
}

// The first who says so stands for all that do so at the same time.
void race_leave_undecided(Race *race, uint64_t address) {
  if (atomic_exchange(&race->is_undecided, true))
    return;
  race->undecided_address = address;
  race_stop(race, "accesses that were told together are to be told apart");
}

// Not before all workers have ended, who look at it.
static void add_exact(const Race *race) {
  RaceExact *exact = race->options.exact;
  if (exact->count < MOST_EXACT_REGIONS)
    exact->regions[exact->count] = memory_find(exact->memory, race->undecided_address, 1);
  exact->count++;
}

bool race_is_undecided(const Race *race) {
  return race->is_undecided;
}

// --- the watcher

static bool is_off(Race *race) {
  if (atomic_load_explicit(&race->heap.is_full, memory_order_relaxed))
    race_stop(race, "the memory for race detection is exhausted");
  return race_is_off(race);
}

static bool is_watched(Race *race, const EmuBlock *block) {
  return !is_off(race) && block->watched;
}

static void watch_grid_begin(void *context, uint32_t grid) {
  if (!is_off(context))
    grid_start(context, grid);
}

static void watch_grid_end(void *context, uint32_t grid) {
  if (!is_off(context))
    grid_finish(context, grid);
}

static void watch_block_begin(void *context, EmuBlock *block) {
  if (block->number >= MOST_BLOCKS / AGENT_BANKS)
    race_stop(context, "the launches have more blocks than the detector can tell apart");
  if (!is_off(context))
    block_start(context, block);
}

static void watch_block_end(void *context, EmuBlock *block) {
  block_finish(context, block);
}

static void watch_threads_end(void *context, const EmuWarp *warp) {
  if (is_watched(context, warp->block))
    block_threads_end(context, warp);
}

static void add_copies(Race *race, const EmuWarp *warp, const EmuAccess *access) {
  for (uint32_t left = warp->lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    uint64_t address = access->shape == EMU_SHAPE_CONSECUTIVE
                           ? access->addresses[0] + (uint64_t)lane * access->size
                           : access->addresses[lane];
    weak_add_copy(race, access->is_shared ? access->owner : NULL, address, access->size);
  }
}

static uint32_t watch_choose(void *context, const EmuWarp *warp, const EmuAccess *access,
                             uint64_t *values) {
  if (!is_watched(context, warp->block) || (access->is_shared && !access->owner->watched))
    return 0;
  return weak_choose(context, warp, access, values);
}

static void follow_access(Race *race, const EmuWarp *warp, const EmuAccess *access) {
  if (race->weak && access->kind == EMU_ASYNC_WRITE)
    add_copies(race, warp, access);
  if (access->kind == EMU_ASYNC_READ || access->kind == EMU_ASYNC_WRITE)
    async_access(race, warp, access);
  else
    row_access(race, warp, access);
}

static void follow_lanes(Race *race, const EmuWarp *warp, const EmuAccess *access, uint32_t lanes,
                         Scope scope) {
  EmuWarp some = *warp;
  EmuAccess narrowed = *access;
  some.lanes = lanes;
  narrowed.scope = scope;
  if (lanes)
    follow_access(race, &some, &narrowed);
}

static void watch_access(void *context, const EmuWarp *warp, const EmuAccess *access) {
  Race *race = context;
  if (!is_watched(race, warp->block))
    return;
  if (race->program->machine) {
    uint32_t limited = limits_lanes(race, warp, access);
    if (warp->block->is_host)
      limits_check_host(race, warp, access);
    follow_lanes(race, warp, access, limited, SCOPE_GPU);
    follow_lanes(race, warp, access, warp->lanes & ~limited, access->scope);
  } else {
    follow_access(race, warp, access);
  }
  weak_forget_choice(race);
}

static void watch_fence(void *context, const EmuWarp *warp, Sem sem, Scope scope) {
  if (is_watched(context, warp->block))
    sync_fence(context, warp, sem, scope);
}

static void watch_proxy_fence(void *context, const EmuWarp *warp, Proxy proxy, Sem sem,
                              Scope scope) {
  (void)scope;
  if (is_watched(context, warp->block))
    async_proxy_fence(context, warp, proxy, sem);
}

static void watch_arrive(void *context, const EmuWarp *warp, const EmuArrival *arrival) {
  if (is_watched(context, warp->block))
    race_arrive(context, warp, arrival);
}

static void watch_complete(void *context, EmuBlock *block, const EmuArrival *barrier) {
  if (barrier->is_cluster ? !is_off(context) : is_watched(context, block))
    race_complete(context, block, barrier);
}

static void watch_cluster_wait(void *context, const EmuWarp *warp) {
  if (is_watched(context, warp->block))
    race_wait_cluster(context, warp);
}

static void watch_warp_sync(void *context, const EmuWarp *warp) {
  if (is_watched(context, warp->block))
    race_sync_warp(context, warp);
}

static void watch_meeting(void *context, const EmuWarp *warp) {
  if (is_watched(context, warp->block))
    life_meet(context, warp);
}

static void watch_mbarrier(void *context, const EmuWarp *warp, const EmuMbarrier *mbarrier) {
  if (!is_off(context) && mbarrier->owner->watched && (!warp || warp->block->watched))
    async_mbarrier(context, warp, mbarrier);
}

static void watch_commit(void *context, const EmuWarp *warp, EmuGroupKind kind) {
  if (is_watched(context, warp->block))
    async_commit(context, warp, kind);
}

static void watch_await(void *context, const EmuWarp *warp, EmuGroupKind kind, uint32_t pending,
                        bool reads_only) {
  if (is_watched(context, warp->block))
    async_await(context, warp, kind, pending, reads_only);
}

static void watch_bulk(void *context, const EmuBulk *bulk) {
  Race *race = context;
  if (!is_watched(race, bulk->block))
    return;
  if (race->weak)
    weak_add_copy(race, bulk->to_owner, bulk->to, bulk->bytes);
  async_bulk(race, bulk);
}

static void watch_bulk_done(void *context, const EmuBulk *bulk) {
  if (!is_off(context))
    async_bulk_done(context, bulk);
}

static void watch_launch_dependents(void *context, const EmuWarp *warp) {
  if (is_watched(context, warp->block))
    grid_let_dependents(context, warp);
}

static void watch_grid_wait(void *context, const EmuWarp *warp, uint32_t grid) {
  if (is_watched(context, warp->block))
    grid_wait_for(context, warp, grid);
}

static bool watch_round_end(void *context) {
  const Race *race = context;
  if (race->is_undecided)
    return false;
  return !race->options.stops_at_race || (race->races == 0 && race->findings->count == 0);
}

const EmuWatcher *race_watcher(const Race *race) {
  return &race->watcher;
}

static EmuWatcher make_watcher(Race *race) {
  return (EmuWatcher){.context = race,
                      .grid_begin = watch_grid_begin,
                      .grid_end = watch_grid_end,
                      .block_begin = watch_block_begin,
                      .block_end = watch_block_end,
                      .threads_end = watch_threads_end,
                      .choose = race->weak ? watch_choose : NULL,
                      .access = watch_access,
                      .fence = watch_fence,
                      .proxy_fence = watch_proxy_fence,
                      .arrive = watch_arrive,
                      .complete = watch_complete,
                      .cluster_wait = watch_cluster_wait,
                      .warp_sync = watch_warp_sync,
                      .meeting = watch_meeting,
                      .mbarrier = watch_mbarrier,
                      .commit = watch_commit,
                      .await = watch_await,
                      .bulk = watch_bulk,
                      .bulk_done = watch_bulk_done,
                      .launch_dependents = watch_launch_dependents,
                      .grid_wait = watch_grid_wait,
                      .round_end = watch_round_end};
}

// --- begin and end

static bool is_one_device(const Program *program) {
  const Grid *first = &program->grids[0];
  for (uint32_t i = 0; i < program->grid_count; i++) {
    const Grid *grid = &program->grids[i];
    if (grid->is_host || grid->gpu != first->gpu || grid->domain != first->domain)
      return false;
  }
  return true;
}

static bool is_serial(const Program *program) {
  for (uint32_t i = 1; i < program->grid_count; i++)
    if (!grids_are_ordered(program, i - 1, i))
      return false;
  return true;
}

Race *race_begin(const Program *program, const RaceOptions *options, RaceFindings *findings,
                 Arena *arena) {
  Race *race = ARENA_NEW(arena, Race);
  race->program = program;
  race->options = *options;
  race->options.volatile_is_weak |= options->is_cuda;
  race->findings = findings;
  findings->is_cuda |= options->is_cuda;
  race->has_avx2 = row_has_avx2();
  race->is_one_device = is_one_device(program);
  race->is_serial = is_serial(program);
  race->throng_from = THRONG_FROM;
  if (options->is_weak)
    race->weak = weak_new(options->seed, arena);
  race->watcher = make_watcher(race);
  atomic_flag_clear(&race->grid_lock);
  atomic_flag_clear(&race->memo_lock);
  race->spoken = ARENA_ARRAY(arena, Communication, MOST_SPOKEN);
  race->grids = ARENA_ARRAY(arena, GridState, program->grid_count + 1);
  heap_init(&race->heap, options->memory_bytes, arena);
  shadow_init_global(&race->global, &race->heap);
  race->readers = heap_take_cleared(&race->heap, sizeof *race->readers);
  race->patterns = heap_take_cleared(&race->heap, sizeof *race->patterns);
  number_places(race);
  return race;
}

RaceCounts race_counts(const Race *race) {
  return (RaceCounts){
      .races = race->races, .accesses = race->accesses, .shadow_bytes = race->heap.mapped_bytes};
}

const char *race_incomplete(const Race *race) {
  const char *reason = atomic_load(&race->incomplete);
  if (!reason && race->has_forgotten)
    return "a place was accessed in more ways than the race detector remembers";
  return reason;
}

void race_end(Race *race) {
  if (race->is_undecided)
    add_exact(race);
  heap_release(&race->heap);
}
