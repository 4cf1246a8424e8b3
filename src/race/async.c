// Asynchronous copies and the mbarriers that they complete on (spec A.5, A.6). Copies are made by
// agents, whose accesses nobody knows of before they have been waited for.
#include "race/barrier.h"

#include "base/bits.h"

#include <string.h>

// --- agents

static LaneCopies *get_copies(Race *race, Warp *warp) {
  if (warp->copies)
    return warp->copies;
  warp->copies = heap_take_cleared(&race->heap, WARP_LANES * sizeof *warp->copies);
  for (uint32_t i = 0; i < WARP_LANES; i++)
    warp->copies[i].copies.time = warp->copies[i].bulk.time = warp->copies[i].products.time = 1;
  return warp->copies;
}

// --- cp.async, and what products read

void async_access(Race *race, const EmuWarp *emu, const EmuAccess *access) {
  Block *block = block_of(emu);
  Warp *warp = warp_of(emu);
  const LaneCopies *copies = get_copies(race, warp);
  bool is_product = access->proxy == PROXY_ASYNC;
  uint32_t info = race_info(race_place(block, emu->instruction), SCOPE_NONE, access->proxy,
                            is_product ? BANK_PRODUCTS : BANK_COPIES, access->size, false);
  for (uint32_t left = emu->lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    Accessor accessor = {.race = race,
                         .block = block,
                         .warp = warp,
                         .group = warp_group(warp, lane),
                         .instruction = emu->instruction,
                         .warp_number = emu->warp,
                         .lanes = 1u << lane,
                         .is_write = access->kind == EMU_ASYNC_WRITE,
                         .info = info,
                         .entry_block = block->number,
                         .entry_warp = emu->warp,
                         .entry_lanes = 1u << lane,
                         .time =
                             is_product ? copies[lane].products.time : copies[lane].copies.time};
    Place place = {.shadow = access->is_shared ? &((Block *)access->owner->watched)->shadow
                                               : &race->global,
                   .owner = access->is_shared ? access->owner : NULL,
                   .address = access->shape == EMU_SHAPE_CONSECUTIVE
                                  ? access->addresses[0] + (uint64_t)lane * access->size
                                  : access->addresses[lane],
                   .size = access->size};
    access_one(&accessor, &place);
  }
}

static CopyLine *line_of(LaneCopies *lane, EmuGroupKind kind) {
  switch (kind) {
  case EMU_GROUP_COPIES:
    return &lane->copies;
  case EMU_GROUP_BULK:
    return &lane->bulk;
  case EMU_GROUP_PRODUCTS:
    break;
  }
  return &lane->products;
}

void async_commit(Race *race, const EmuWarp *emu, EmuGroupKind kind) {
  LaneCopies *copies = get_copies(race, warp_of(emu));
  for (uint32_t left = emu->lanes; left; left &= left - 1) {
    CopyLine *line = line_of(&copies[bits_first(left)], kind);
    line->ends[line->committed++ % COPY_GROUPS] = line->time++;
  }
}

// Time up to which a thread's copies are done when at most `pending` groups are left.
static uint32_t done_time(CopyLine *line, uint32_t pending) {
  if (pending == UINT32_MAX)
    return line->time++;
  if (pending >= line->committed || pending >= COPY_GROUPS)
    return 0;
  return line->ends[(line->committed - pending - 1) % COPY_GROUPS];
}

static void raise(uint32_t *known, uint32_t time) {
  if (time > *known)
    *known = time;
}

// Each warp of the warpgroup learns what all of them have read for the groups that are over.
static void await_products(Race *race, const EmuWarp *emu, uint32_t pending) {
  Block *block = block_of(emu);
  uint32_t own = bits_first(emu->lanes), agents = agent_block(block->number, BANK_PRODUCTS);
  uint32_t groups = get_copies(race, warp_of(emu))[own].products.committed - pending;
  uint32_t first = emu->warp / EMU_WARPGROUP_WARPS * EMU_WARPGROUP_WARPS;
  Clock read = {0};
  for (uint32_t w = first; w < first + EMU_WARPGROUP_WARPS && w < block->emu->warp_count; w++) {
    LaneCopies *copies = block->warps[w].copies;
    for (uint32_t lane = 0; copies && lane < WARP_LANES; lane++) {
      CopyLine *line = &copies[lane].products;
      uint32_t left = line->committed < groups ? 0 : line->committed - groups;
      clock_add_lanes(&race->heap, &read.part[CLOCK_AGENTS], agents, w, 1u << lane,
                      done_time(line, left));
    }
  }
  warp_learn(race, warp_of(emu), emu->lanes, &read, false);
  clock_release(&race->heap, &read);
}

void async_await(Race *race, const EmuWarp *emu, EmuGroupKind kind, uint32_t pending,
                 bool reads_only) {
  LaneCopies *copies = get_copies(race, warp_of(emu));
  if (kind == EMU_GROUP_PRODUCTS) {
    await_products(race, emu, pending);
    return;
  }
  for (uint32_t left = emu->lanes; left; left &= left - 1) {
    LaneCopies *lane = &copies[bits_first(left)];
    uint32_t time = done_time(line_of(lane, kind), pending);
    if (kind == EMU_GROUP_COPIES) {
      raise(&lane->known[BANK_COPIES - 1], time);
      continue;
    }
    raise(&lane->known[BANK_BULK_READS - 1], time);
    if (!reads_only)
      raise(&lane->known[BANK_BULK_WRITES - 1], time);
  }
}

// --- mbarriers

static Mbarrier *get_mbarrier(Race *race, Block *owner, uint32_t offset) {
  for (uint32_t i = 0; i < owner->mbarrier_count; i++)
    if (owner->mbarriers[i].offset == offset)
      return &owner->mbarriers[i];
  if (owner->mbarrier_count == owner->mbarrier_capacity) {
    uint32_t capacity = owner->mbarrier_capacity ? 2 * owner->mbarrier_capacity : 4;
    Mbarrier *grown = heap_take(&race->heap, capacity * sizeof *grown);
    if (owner->mbarrier_count)
      memcpy(grown, owner->mbarriers, owner->mbarrier_count * sizeof *grown);
    heap_give(&race->heap, owner->mbarriers, owner->mbarrier_capacity * sizeof *grown);
    owner->mbarriers = grown;
    owner->mbarrier_capacity = capacity;
  }
  if (owner->mbarrier_count == 1u << SLOT_BITS)
    race_stop(race, "a block has more mbarriers than the detector can tell apart");
  Mbarrier *mbarrier = &owner->mbarriers[owner->mbarrier_count++];
  *mbarrier = (Mbarrier){.offset = offset};
  return mbarrier;
}

static void empty_mbarrier(Race *race, Mbarrier *mbarrier) {
  Heap *heap = &race->heap;
  released_drop(heap, mbarrier->arrived);
  released_drop(heap, mbarrier->over);
  clock_release(heap, &mbarrier->copied);
  clock_release(heap, &mbarrier->copied_over);
  mbarrier->arrived = mbarrier->over = NULL;
  mbarrier->phase = 0;
}

static void end_phase(Race *race, Mbarrier *mbarrier, uint64_t phase) {
  released_drop(&race->heap, mbarrier->over);
  clock_release(&race->heap, &mbarrier->copied_over);
  mbarrier->over = mbarrier->arrived;
  mbarrier->copied_over = mbarrier->copied;
  mbarrier->arrived = NULL;
  memset(&mbarrier->copied, 0, sizeof mbarrier->copied);
  mbarrier->phase = phase + 1;
}

// All copies that the lanes have issued so far.
static void arrive_for_copies(Race *race, const EmuWarp *emu, Mbarrier *mbarrier) {
  LaneCopies *copies = get_copies(race, warp_of(emu));
  uint32_t block = agent_block(block_of(emu)->number, BANK_COPIES);
  for (uint32_t left = emu->lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    mbarrier->copied.version = 0;
    clock_add_lanes(&race->heap, &mbarrier->copied.part[CLOCK_AGENTS], block, emu->warp, 1u << lane,
                    copies[lane].copies.time++);
  }
}

// A relaxed wait tells of arrivals and copies once an acquire fence follows.
static void pend_phase(Race *race, const EmuWarp *emu, Block *owner, const Mbarrier *mbarrier,
                       uint32_t offset) {
  RecordSet *told = released_keep(mbarrier->over);
  released_add(race, &told, owner->number, SCOPE_CLUSTER, &mbarrier->copied_over);
  sync_pend(race, warp_of(emu),
            &(Pending){.lanes = emu->lanes,
                       .is_for_fences = true,
                       .owner = owner->emu,
                       .address = offset,
                       .records = told});
  released_drop(&race->heap, told);
}

static void wait_for_phase(Race *race, const EmuWarp *emu, Block *owner, Mbarrier *mbarrier,
                           const EmuMbarrier *step) {
  Warp *warp = warp_of(emu);
  if (mbarrier->phase != step->phase + 1)
    return; // a phase long over
  if (step->sem == SEM_RELAXED) {
    pend_phase(race, emu, owner, mbarrier, step->offset);
    return;
  }
  warp_learn(race, warp, emu->lanes, &mbarrier->copied_over, owner != block_of(emu));
  if (mbarrier->over)
    released_acquire(race, block_of(emu), warp, emu->lanes, mbarrier->over,
                     step->scope == SCOPE_NONE ? SCOPE_CTA : step->scope);
}

// The object itself: written by init and inval, and else used by operations that are atomic.
static void touch(Race *race, const EmuWarp *emu, const EmuMbarrier *step) {
  Block *block = block_of(emu);
  bool is_write = step->step <= EMU_MBARRIER_INVALIDATE;
  Scope scope = is_write ? SCOPE_NONE : step->scope > SCOPE_CTA ? step->scope : SCOPE_CTA;
  Place place = {&((Block *)step->owner->watched)->shadow, step->owner, step->offset, 8};
  for (uint32_t left = emu->lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    Accessor accessor = {.race = race,
                         .block = block,
                         .warp = warp_of(emu),
                         .group = warp_group(warp_of(emu), lane),
                         .instruction = emu->instruction,
                         .warp_number = emu->warp,
                         .lanes = 1u << lane,
                         .is_write = is_write,
                         .info = race_info(race_place(block, emu->instruction), scope,
                                           PROXY_GENERIC, BANK_THREADS, 8, false),
                         .entry_block = block->number,
                         .entry_warp = emu->warp,
                         .entry_lanes = 1u << lane,
                         .time = warp_of(emu)->now};
    access_one(&accessor, &place);
  }
  warp_of(emu)->accessed = warp_of(emu)->now;
}

static void arrive(Race *race, const EmuWarp *emu, Mbarrier *mbarrier, const EmuMbarrier *step) {
  Scope scope = step->scope == SCOPE_NONE ? SCOPE_CTA : step->scope;
  for (uint32_t left = emu->lanes; left; left &= left - 1)
    sync_add_heads(race, emu, left & -left, step->sem, scope, &mbarrier->arrived);
  warp_tick(race, warp_of(emu));
}

void async_mbarrier(Race *race, const EmuWarp *emu, const EmuMbarrier *step) {
  Block *owner = step->owner->watched;
  Mbarrier *mbarrier = get_mbarrier(race, owner, step->offset);
  if (step->step == EMU_MBARRIER_PHASE) {
    end_phase(race, mbarrier, step->phase);
    return;
  }
  if (step->step == EMU_MBARRIER_WAITED)
    wait_for_phase(race, emu, owner, mbarrier, step);
  touch(race, emu, step);
  switch (step->step) {
  case EMU_MBARRIER_INIT:
  case EMU_MBARRIER_INVALIDATE:
    empty_mbarrier(race, mbarrier);
    break;
  case EMU_MBARRIER_ARRIVE:
  case EMU_MBARRIER_COMPLETE:
    arrive(race, emu, mbarrier, step);
    break;
  case EMU_MBARRIER_ASYNC:
    arrive_for_copies(race, emu, mbarrier);
    break;
  default:
    break;
  }
}

// --- bulk copies

typedef struct BulkSide {
  const EmuBlock *owner;
  uint64_t address;
  bool is_write;
  Scope scope;
  uint32_t step; // bytes of each access
} BulkSide;

// Times of a copy that completes on an mbarrier are its phases, from 1 on.
static void name_agent(Race *race, const EmuBulk *bulk, bool is_write, Accessor *accessor,
                       Bank *bank) {
  if (!bulk->mbarrier_owner) {
    *bank = is_write ? BANK_BULK_WRITES : BANK_BULK_READS;
    CopyLine *line = &get_copies(race, accessor->warp)[bulk->lane].bulk;
    accessor->time = line->time;
    if (!is_write && bulk->from_owner) {
      line->issued = line->time;
      line->newest = bulk->instruction;
    }
    return;
  }
  Block *owner = bulk->mbarrier_owner->watched;
  const Mbarrier *mbarrier = get_mbarrier(race, owner, bulk->mbarrier_offset);
  uint32_t slot = (uint32_t)(mbarrier - owner->mbarriers);
  *bank = BANK_MBARRIERS;
  accessor->entry_block = owner->number;
  accessor->entry_warp = slot >> 5;
  accessor->entry_lanes = 1u << (slot & 31);
  accessor->time = (uint32_t)bulk->phase + 1;
}

static void check_side(Race *race, const EmuBulk *bulk, const BulkSide *side) {
  Block *block = bulk->block->watched;
  Warp *warp = &block->warps[bulk->warp];
  Bank bank;
  Accessor accessor = {.race = race,
                       .block = block,
                       .warp = warp,
                       .group = warp_group(warp, bulk->lane),
                       .instruction = bulk->instruction,
                       .warp_number = bulk->warp,
                       .lanes = 1u << bulk->lane,
                       .is_write = side->is_write,
                       .is_for_block = side->owner != NULL,
                       .entry_block = block->number,
                       .entry_warp = bulk->warp,
                       .entry_lanes = 1u << bulk->lane};
  name_agent(race, bulk, side->is_write, &accessor, &bank);
  accessor.info = race_info(race_place(block, bulk->instruction), side->scope,
                            bulk->is_store ? PROXY_GENERIC : PROXY_ASYNC, bank, side->step, false);
  for (uint32_t i = 0; i < bulk->bytes; i += side->step) {
    Place place = {.shadow = side->owner ? &((Block *)side->owner->watched)->shadow : &race->global,
                   .owner = side->owner,
                   .address = side->address + i,
                   .size = side->step};
    access_one(&accessor, &place);
  }
}

// st.async and red.async store what a register holds, through the generic proxy.
void async_bulk(Race *race, const EmuBulk *bulk) {
  Scope scope = !bulk->is_reduction                       ? SCOPE_NONE
                : bulk->is_store                          ? SCOPE_CLUSTER
                : bulk->instruction->op == IR_TENSOR_COPY ? SCOPE_GPU
                                                          : SCOPE_SYS;
  uint32_t step = bulk->is_reduction ? bulk->element_bytes
                  : bulk->is_store   ? bulk->bytes
                                     : WORD_BYTES;
  BulkSide from = {bulk->from_owner, bulk->from, false, SCOPE_NONE, WORD_BYTES};
  BulkSide to = {bulk->to_owner, bulk->to, true, scope, step};
  if (!bulk->is_store)
    check_side(race, bulk, &from);
  check_side(race, bulk, &to);
}

void async_bulk_done(Race *race, const EmuBulk *bulk) {
  if (!bulk->mbarrier_owner)
    return;
  Block *owner = bulk->mbarrier_owner->watched;
  Mbarrier *mbarrier = get_mbarrier(race, owner, bulk->mbarrier_offset);
  uint32_t slot = (uint32_t)(mbarrier - owner->mbarriers);
  mbarrier->copied.version = 0;
  clock_add_lanes(&race->heap, &mbarrier->copied.part[CLOCK_AGENTS],
                  agent_block(owner->number, BANK_MBARRIERS), slot >> 5, 1u << (slot & 31),
                  (uint32_t)bulk->phase + 1);
}

// --- proxy fences

void async_proxy_fence(Race *race, const EmuWarp *emu, Proxy proxy, Sem sem) {
  Warp *warp = warp_of(emu);
  // One that only leaves the async proxy does not let later asynchronous operations in.
  if (proxy != PROXY_ASYNC || sem == SEM_RELEASE)
    return;
  for (uint32_t left = emu->lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    Clock clock;
    warp_split(&race->heap, warp, 1u << lane);
    Group *group = warp_group(warp, lane);
    group_export(race, block_of(emu), emu->warp, group, 1u << lane, warp->now, &clock);
    warp_add_copies(race, block_of(emu), emu->warp, 1u << lane, &clock);
    clock_join(&race->heap, &group->clock.part[CLOCK_FENCED_THREADS], clock.part[CLOCK_THREADS]);
    clock_join(&race->heap, &group->clock.part[CLOCK_FENCED_AGENTS], clock.part[CLOCK_AGENTS]);
    clock_release(&race->heap, &clock);
  }
  warp_tick(race, warp);
}

void async_release(Race *race, Block *block) {
  for (uint32_t i = 0; i < block->mbarrier_count; i++)
    empty_mbarrier(race, &block->mbarriers[i]);
  heap_give(&race->heap, block->mbarriers, block->mbarrier_capacity * sizeof *block->mbarriers);
}
