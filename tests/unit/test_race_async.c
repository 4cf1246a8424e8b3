// Asynchronous copies, mbarriers and proxies.
#include "race_unit.h"

enum { DATA = 0x1000, TILE = 64, BARRIER = 2048, SECOND = 2056 };
enum { WRITE = 1, READ, COPY, AGAIN, INIT, ARRIVE, WAIT, STORE };

static Unit *begin(void **state, uint32_t blocks, uint32_t threads) {
  Unit *unit = ARENA_NEW(*state, Unit);
  unit_start(unit, *state, blocks, threads);
  return unit;
}

static void shared(Who who, uint32_t place, uint32_t offset, EmuAccessKind kind) {
  unit_access(who, place, offset,
              (Access){.kind = kind, .is_shared = true, .owner = who.block, .value = place});
}

// --- cp.async

static void copy(Who who, uint32_t offset) {
  unit_access(who, COPY, DATA, (Access){.kind = EMU_ASYNC_READ});
  shared(who, COPY, offset, EMU_ASYNC_WRITE);
}

static void commit(Who who, bool is_bulk) {
  EmuWarp emu = unit_warp(who, 0);
  who.unit->watcher->commit(who.unit->watcher->context, &emu, is_bulk);
}

static void await(Who who, bool is_bulk, uint32_t pending, bool reads_only) {
  EmuWarp emu = unit_warp(who, 0);
  who.unit->watcher->await(who.unit->watcher->context, &emu, is_bulk, pending, reads_only);
}

static void a_copy_is_awaited(void **state) {
  for (uint32_t waits = 0; waits < 2; waits++) {
    Unit *unit = begin(state, 1, 64);
    Who thread = unit_thread(unit, 0, 3);
    copy(thread, TILE);
    commit(thread, false);
    if (waits)
      await(thread, false, 0, false);
    shared(thread, READ, TILE, EMU_READ);
    if (waits)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, COPY, READ);
  }
}

static void a_wait_is_for_the_thread_alone(void **state) {
  // 0: a barrier after the wait; 1: before it; 2: none.
  for (uint32_t kind = 0; kind < 3; kind++) {
    Unit *unit = begin(state, 1, 64);
    Who thread = unit_thread(unit, 0, 3);
    copy(thread, TILE);
    commit(thread, false);
    if (kind == 1)
      unit_barrier(unit, 0);
    await(thread, false, 0, false);
    if (kind == 0)
      unit_barrier(unit, 0);
    shared(unit_thread(unit, 0, 40), READ, TILE, EMU_READ);
    if (kind == 0)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, COPY, READ);
  }
}

static void groups_are_awaited_in_order(void **state) {
  for (uint32_t pending = 0; pending < 3; pending++) {
    Unit *unit = begin(state, 1, 32);
    Who thread = unit_thread(unit, 0, 3);
    for (uint32_t i = 0; i < 3; i++) {
      copy(thread, TILE + 4 * i);
      commit(thread, false);
    }
    await(thread, false, pending, false);
    shared(thread, READ, TILE + 4, EMU_READ); // of the second group
    if (pending < 2)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, COPY, READ);
  }
}

static void the_source_is_not_written_meanwhile(void **state) {
  Unit *unit = begin(state, 1, 32);
  Who thread = unit_thread(unit, 0, 3);
  unit_write(thread, WRITE, DATA); // before the copy: fine
  copy(thread, TILE);
  unit_write(thread, AGAIN, DATA);
  unit_expect(unit, RULE_ASYNC_NOT_WAITED, AGAIN, COPY);
}

static void the_target_is_free_before(void **state) {
  for (uint32_t is_right = 0; is_right < 2; is_right++) {
    Unit *unit = begin(state, 1, 64);
    shared(unit_thread(unit, 0, 40), READ, TILE, EMU_READ);
    if (is_right)
      unit_barrier(unit, 0);
    copy(unit_thread(unit, 0, 3), TILE);
    if (is_right)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, COPY, READ);
  }
}

// --- mbarriers

static void step(Who who, uint32_t place, EmuMbarrierStep kind, uint32_t offset, uint64_t phase,
                 Sem sem, Scope scope) {
  EmuWarp emu = unit_warp(who, place);
  EmuMbarrier mbarrier = {.step = kind,
                          .owner = &who.unit->blocks[who.block],
                          .offset = offset,
                          .phase = phase,
                          .sem = sem,
                          .scope = scope};
  who.unit->watcher->mbarrier(who.unit->watcher->context, kind == EMU_MBARRIER_PHASE ? NULL : &emu,
                              &mbarrier);
}

static void init_barrier(Unit *unit) {
  step(unit_thread(unit, 0, 0), INIT, EMU_MBARRIER_INIT, BARRIER, 0, SEM_WEAK, SCOPE_NONE);
  step(unit_thread(unit, 0, 0), INIT, EMU_MBARRIER_INIT, SECOND, 0, SEM_WEAK, SCOPE_NONE);
  unit_barrier(unit, 0);
}

static void an_mbarrier_orders_arrivals(void **state) {
  // 0: right; 1: relaxed arrival; 2: relaxed wait; 3: written after the arrival; 4: a phase too
  // far; 5, 6: fences make relaxed ones right.
  for (uint32_t kind = 0; kind < 7; kind++) {
    Unit *unit = begin(state, 1, 64);
    Who producer = unit_thread(unit, 0, 0), consumer = unit_thread(unit, 0, 40);
    init_barrier(unit);
    if (kind == 4) {
      step(producer, ARRIVE, EMU_MBARRIER_ARRIVE, BARRIER, 0, SEM_RELEASE, SCOPE_CTA);
      step(producer, 0, EMU_MBARRIER_PHASE, BARRIER, 0, 0, 0);
    }
    if (kind != 3)
      shared(producer, WRITE, TILE, EMU_WRITE);
    if (kind == 5)
      unit_fence(producer, SEM_RELEASE, SCOPE_CTA);
    Sem arrive = kind == 1 || kind == 5 ? SEM_RELAXED : SEM_RELEASE;
    step(producer, ARRIVE, EMU_MBARRIER_ARRIVE, BARRIER, kind == 4, arrive, SCOPE_CTA);
    if (kind == 3)
      shared(producer, WRITE, TILE, EMU_WRITE);
    if (kind != 4)
      step(producer, 0, EMU_MBARRIER_PHASE, BARRIER, 0, 0, 0);
    Sem wait = kind == 2 || kind == 6 ? SEM_RELAXED : SEM_ACQUIRE;
    step(consumer, WAIT, EMU_MBARRIER_WAITED, BARRIER, 0, wait, SCOPE_CTA);
    if (kind == 6)
      unit_fence(consumer, SEM_ACQUIRE, SCOPE_CTA);
    shared(consumer, READ, TILE, EMU_READ);
    if (kind == 0 || kind >= 5)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_BARRIER_MISSING, WRITE, READ);
  }
}

static void an_mbarrier_is_used_after_its_initialisation(void **state) {
  for (uint32_t is_right = 0; is_right < 2; is_right++) {
    Unit *unit = begin(state, 1, 64);
    step(unit_thread(unit, 0, 0), INIT, EMU_MBARRIER_INIT, BARRIER, 0, SEM_WEAK, SCOPE_NONE);
    if (is_right)
      unit_barrier(unit, 0);
    step(unit_thread(unit, 0, 40), ARRIVE, EMU_MBARRIER_ARRIVE, BARRIER, 0, SEM_RELEASE, SCOPE_CTA);
    step(unit_thread(unit, 0, 3), ARRIVE, EMU_MBARRIER_ARRIVE, BARRIER, 0, SEM_RELEASE, SCOPE_CTA);
    if (is_right)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_BARRIER_MISSING, INIT, ARRIVE);
  }
}

static void copies_arrive_at_an_mbarrier(void **state) {
  for (uint32_t is_right = 0; is_right < 2; is_right++) {
    Unit *unit = begin(state, 1, 64);
    Who producer = unit_thread(unit, 0, 3), consumer = unit_thread(unit, 0, 40);
    init_barrier(unit);
    copy(producer, TILE);
    step(producer, ARRIVE, EMU_MBARRIER_ASYNC, BARRIER, 0, SEM_RELAXED, SCOPE_CTA);
    if (!is_right)
      copy(producer, TILE + 4); // too late
    step(producer, 0, EMU_MBARRIER_PHASE, BARRIER, 0, 0, 0);
    step(consumer, WAIT, EMU_MBARRIER_WAITED, BARRIER, 0, SEM_ACQUIRE, SCOPE_CTA);
    shared(consumer, READ, is_right ? TILE : TILE + 4, EMU_READ);
    if (is_right)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, COPY, READ);
  }
}

// --- bulk copies

static EmuBulk bulk_load(Unit *unit, uint32_t offset, uint32_t barrier) {
  return (EmuBulk){.block = &unit->blocks[0],
                   .instruction = &unit->instructions[COPY],
                   .from = DATA,
                   .to = offset,
                   .to_owner = &unit->blocks[0],
                   .bytes = 16,
                   .mbarrier_owner = &unit->blocks[0],
                   .mbarrier_offset = barrier};
}

static void issue(Unit *unit, const EmuBulk *bulk) {
  unit->watcher->bulk(unit->watcher->context, bulk);
}

static void end_bulk(Unit *unit, const EmuBulk *bulk) {
  unit->watcher->bulk_done(unit->watcher->context, bulk);
}

static void an_mbarrier_brings_its_own_copies(void **state) {
  for (uint32_t is_right = 0; is_right < 2; is_right++) {
    Unit *unit = begin(state, 1, 64);
    Who consumer = unit_thread(unit, 0, 40);
    init_barrier(unit);
    EmuBulk first = bulk_load(unit, TILE, BARRIER), second = bulk_load(unit, TILE + 64, SECOND);
    issue(unit, &first);
    issue(unit, &second);
    end_bulk(unit, &first);
    step(consumer, 0, EMU_MBARRIER_PHASE, BARRIER, 0, 0, 0);
    step(consumer, WAIT, EMU_MBARRIER_WAITED, BARRIER, 0, SEM_ACQUIRE, SCOPE_CTA);
    shared(consumer, READ, is_right ? TILE + 12 : TILE + 64, EMU_READ);
    if (is_right)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, COPY, READ);
  }
}

static void fence_proxy(Who who) {
  EmuWarp emu = unit_warp(who, 0);
  who.unit->watcher->proxy_fence(who.unit->watcher->context, &emu, PROXY_ASYNC, SEM_WEAK,
                                 SCOPE_NONE);
}

static EmuBulk bulk_store(Unit *unit) {
  return (EmuBulk){.block = &unit->blocks[0],
                   .instruction = &unit->instructions[STORE],
                   .from = TILE,
                   .from_owner = &unit->blocks[0],
                   .to = DATA,
                   .bytes = 16};
}

static void generic_writes_need_a_proxy_fence(void **state) {
  // 0: fence by the writer before the barrier; 1: by the issuer behind it; 2: none;
  // 3: by the writer behind the barrier.
  for (uint32_t kind = 0; kind < 4; kind++) {
    Unit *unit = begin(state, 1, 64);
    Who writer = unit_thread(unit, 0, 40), issuer = unit_thread(unit, 0, 0);
    shared(writer, WRITE, TILE, EMU_WRITE);
    if (kind == 0)
      fence_proxy(writer);
    unit_barrier(unit, 0);
    if (kind == 1)
      fence_proxy(issuer);
    if (kind == 3)
      fence_proxy(writer);
    EmuBulk store = bulk_store(unit);
    issue(unit, &store);
    if (kind < 2)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_PROXY_FENCE_MISSING, WRITE, STORE);
  }
}

static void the_issuers_own_write_needs_one_too(void **state) {
  Unit *unit = begin(state, 1, 32);
  Who issuer = unit_thread(unit, 0, 0);
  shared(issuer, WRITE, TILE, EMU_WRITE);
  EmuBulk store = bulk_store(unit);
  issue(unit, &store);
  unit_expect(unit, RULE_PROXY_FENCE_MISSING, WRITE, STORE);
}

static void sources_and_targets_are_awaited_apart(void **state) {
  // 0: source after .read; 1: target after .read; 2: target after the full wait; 3: nothing
  // awaited.
  for (uint32_t kind = 0; kind < 4; kind++) {
    Unit *unit = begin(state, 1, 32);
    Who issuer = unit_thread(unit, 0, 0);
    EmuBulk store = bulk_store(unit);
    issue(unit, &store);
    commit(issuer, true);
    if (kind < 3)
      await(issuer, true, 0, kind < 2);
    if (kind == 0 || kind == 3)
      shared(issuer, AGAIN, TILE + 4, EMU_WRITE);
    else
      unit_read(issuer, READ, DATA + 8);
    if (kind == 0 || kind == 2)
      unit_expect_none(unit);
    else if (kind == 1)
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, STORE, READ);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, AGAIN, STORE);
  }
}

static void reductions_of_copies_are_atomic(void **state) {
  for (uint32_t is_plain = 0; is_plain < 2; is_plain++) {
    Unit *unit = begin(state, 2, 32);
    EmuBulk store = bulk_store(unit);
    store.is_reduction = true;
    store.element_bytes = 4;
    issue(unit, &store);
    store.block = &unit->blocks[1];
    store.from_owner = &unit->blocks[1];
    issue(unit, &store);
    if (is_plain)
      unit_write(unit_thread(unit, 1, 5), WRITE, DATA + 4);
    if (!is_plain)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, WRITE, STORE);
  }
}

// --- the read-only path

static void read_only_loads_see_only_what_was_there(void **state) {
  for (uint32_t is_written = 0; is_written < 2; is_written++) {
    Unit *unit = begin(state, 1, 64);
    if (is_written)
      unit_write(unit_thread(unit, 0, 3), WRITE, DATA);
    unit_barrier(unit, 0);
    unit_access(unit_thread(unit, 0, 40), READ, DATA,
                (Access){.kind = EMU_READ, .proxy = PROXY_TEXTURE});
    if (is_written)
      unit_expect(unit, RULE_NC_LOAD_OF_WRITTEN_DATA, WRITE, READ);
    else
      unit_expect_none(unit);
  }
}

// Reads by two warps of a warpgroup for the same two groups of products; the first warp waits until
// `pending` groups are left, and overwrites what the second one has read for each group.
static void products_are_awaited_by_the_warpgroup(void **state) {
  for (uint32_t pending = 0; pending < 3; pending++) {
    Unit *unit = begin(state, 1, 128);
    Who first = unit_thread(unit, 0, 3), second = unit_thread(unit, 0, 70);
    for (uint32_t group = 0; group < 2; group++) {
      Access factor = {
          .kind = EMU_ASYNC_READ, .proxy = PROXY_ASYNC, .is_shared = true, .group = group};
      Who both[] = {first, second};
      for (uint32_t i = 0; i < 2; i++) {
        EmuWarp emu = unit_warp(both[i], 0);
        unit_access(both[i], COPY, TILE + 64 * group, factor);
        unit->watcher->commit(unit->watcher->context, &emu, EMU_GROUP_PRODUCTS);
      }
    }
    EmuWarp emu = unit_warp(first, 0);
    unit->watcher->await(unit->watcher->context, &emu, EMU_GROUP_PRODUCTS, pending, false);
    uint32_t overwritten = pending == 1 ? 0 : 1; // the newest group, or the one that is over
    shared(first, WRITE, TILE + 64 * overwritten, EMU_WRITE);
    if (pending < 2)
      unit_expect_none(unit);
    else
      unit_expect(unit, RULE_ASYNC_NOT_WAITED, WRITE, COPY);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(a_copy_is_awaited),
      UNIT_TEST(a_wait_is_for_the_thread_alone),
      UNIT_TEST(groups_are_awaited_in_order),
      UNIT_TEST(the_source_is_not_written_meanwhile),
      UNIT_TEST(the_target_is_free_before),
      UNIT_TEST(an_mbarrier_orders_arrivals),
      UNIT_TEST(an_mbarrier_is_used_after_its_initialisation),
      UNIT_TEST(copies_arrive_at_an_mbarrier),
      UNIT_TEST(an_mbarrier_brings_its_own_copies),
      UNIT_TEST(generic_writes_need_a_proxy_fence),
      UNIT_TEST(the_issuers_own_write_needs_one_too),
      UNIT_TEST(sources_and_targets_are_awaited_apart),
      UNIT_TEST(reductions_of_copies_are_atomic),
      UNIT_TEST(products_are_awaited_by_the_warpgroup),
      UNIT_TEST(read_only_loads_see_only_what_was_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
