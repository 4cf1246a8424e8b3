#include "emu/loop.h"

#include <string.h>

#include "emu/memory.h"

// Rounds without a change before loops are watched, and how long they are.
enum { FIRST_QUIET_ROUNDS = 24, WATCHED_ROUNDS = 64, MOST_QUIET_ROUNDS = 4096 };

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9fb21c651e98df25u;
  return hash ^ hash >> 29;
}

static uint64_t hash_value(const Worker *worker, uint64_t hash, Value value) {
  LANES_EACH(lane, worker->lanes)
  hash = mix(hash, emu_lane(worker, value, lane));
  return hash;
}

// Larger local memory is not looked at.
enum { MOST_LOCAL_BYTES = 4096 };

static uint64_t hash_local(const Worker *worker, uint64_t hash) {
  const Block *block = worker->block;
  uint64_t stride = emu_local_stride(block->grid);
  const uint8_t *copies = block->local + (uint64_t)worker->warp->number * LANES * stride;
  LANES_EACH(lane, worker->lanes)
  for (uint64_t i = 0; block->local && i + sizeof(uint64_t) <= stride; i += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, copies + lane * stride + i, sizeof word);
    hash = mix(hash, word);
  }
  return hash;
}

// Of all that the group's lanes may still use, and where it is. 0: that is not known.
static uint64_t hash_state(const Worker *worker, uint32_t target) {
  const EmuCode *code = worker->block->grid->code;
  uint32_t row = code->live_in && target <= code->op_count ? code->live_row[target] : UINT32_MAX;
  uint64_t hash = mix(target, worker->lanes);
  if (row == UINT32_MAX || emu_local_stride(worker->block->grid) > MOST_LOCAL_BYTES)
    return 0;
  for (uint32_t w = 0; w < code->live_words; w++)
    for (uint64_t bits = code->live_in[(size_t)row * code->live_words + w]; bits; bits &= bits - 1)
      hash = hash_value(worker, hash, code->places[w * 64 + (uint32_t)__builtin_ctzll(bits)]);
  return hash_local(worker, hash) | 1;
}

// A loop that looks at the clock may end by that: its clock leaps further and further, to see.
static bool has_waited(const Group *group) {
  return group->clock_reads == 0 || group->clock_reads > LOOP_MOST_LEAPS;
}

// Brent's search for a cycle: the state is compared with one that is kept for twice as long each
// time.
void emu_note_loop(Worker *worker, uint32_t target) {
  Group *group = worker->group;
  uint64_t hash = hash_state(worker, target);
  group->loop_begin = target;
  group->loop_end = worker->pc;
  if (hash && group->anchor == hash && has_waited(group))
    group->has_looped = true;
  group->loops++;
  if ((group->loops & (group->loops - 1)) == 0)
    group->anchor = hash;
}

static void forget_loops(Emu *emu) {
  for (uint32_t i = 0; i < emu->resident.count; i++) {
    Block *block = emu->resident.items[i];
    for (uint32_t w = 0; w < block->seen.warp_count; w++)
      for (uint32_t g = 0; g < block->warps[w].group_count; g++) {
        Group *group = &block->warps[w].groups[g];
        group->has_looped = false;
        group->anchor = 0;
        group->loops = group->clock_reads = 0;
      }
  }
}

static bool all_have_looped(const Emu *emu) {
  for (uint32_t i = 0; i < emu->resident.count; i++) {
    const Block *block = emu->resident.items[i];
    if (block->rounds_off || (block->serial && block->held))
      return false; // it will do something
    for (uint32_t w = 0; w < block->seen.warp_count; w++)
      for (uint32_t g = 0; g < block->warps[w].group_count; g++) {
        const Group *group = &block->warps[w].groups[g];
        bool runs = group->state == GROUP_READY || group->state == GROUP_AT_SERIAL;
        if (group->lanes && runs && !group->has_looped)
          return false;
      }
  }
  return true;
}

bool emu_is_stuck_in_loops(Emu *emu, bool has_changed) {
  if (has_changed) {
    if (emu->is_watching_loops)
      forget_loops(emu);
    emu->is_watching_loops = false;
    emu->quiet_rounds = 0;
    emu->quiet_limit = FIRST_QUIET_ROUNDS;
    return false;
  }
  emu->quiet_rounds++;
  if (!emu->is_watching_loops) {
    if (emu->quiet_rounds < emu->quiet_limit)
      return false;
    forget_loops(emu);
    emu->is_watching_loops = true;
    emu->quiet_rounds = 0;
    return false;
  }
  if (all_have_looped(emu))
    return true;
  if (emu->quiet_rounds < WATCHED_ROUNDS)
    return false;
  emu->is_watching_loops = false;
  emu->quiet_rounds = 0;
  if (emu->quiet_limit < MOST_QUIET_ROUNDS)
    emu->quiet_limit *= 2;
  return false;
}
