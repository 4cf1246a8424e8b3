#include "race/segments.h"

#include "base/bits.h"

enum { MOST_LOOKED_AT = 8 }; // segments, for the one that lanes do the same as

// Which lanes have the address of the lane before, and which the one behind it, as masks. Without a
// bit lanes are looked at one by one.
typedef struct Links {
  uint32_t same, next;
} Links;

// Halves of addresses are compared, as the halves above them are equal, but for odd cases.
static inline __attribute__((always_inline)) Links link_lanes(const uint64_t *addresses,
                                                              uint32_t size) {
  uint32_t low[EMU_WARP_SIZE + 1], same = 0, next = 0;
  uint64_t differs = 0;
  for (uint32_t i = 0; i < EMU_WARP_SIZE; i++) {
    low[i + 1] = (uint32_t)addresses[i];
    differs |= addresses[i] ^ addresses[0];
  }
  if (differs >> 32)
    return (Links){0, 0};
  low[0] = low[1] - 1;
  for (uint32_t i = 0; i < EMU_WARP_SIZE; i++) {
    uint32_t step = low[i + 1] - low[i];
    same |= (uint32_t)(step == 0) << i;
    next |= (uint32_t)(step == size) << i;
  }
  return (Links){same, next};
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static Links link_by_avx2(const uint64_t *addresses,
                                                          uint32_t size) {
  return link_lanes(addresses, size);
}
#endif

static Links link(const uint64_t *addresses, uint32_t size, bool has_avx2) {
#if defined(__x86_64__)
  if (has_avx2)
    return link_by_avx2(addresses, size);
#endif
  (void)has_avx2;
  return link_lanes(addresses, size);
}

static uint32_t low_bits(uint32_t count) {
  return (uint32_t)((1ull << count) - 1);
}

// How many lanes behind this one are in the mask without a gap?
static uint32_t run_behind(uint32_t mask, uint32_t lane) {
  return bits_first(~((uint64_t)mask >> (lane + 1)));
}

// Lanes that read what those of an earlier segment do are taken into it.
static bool take_twin(const uint64_t *addresses, Segment *segments, uint32_t count,
                      const Segment *added) {
  for (uint32_t i = 0; i < count && i < MOST_LOOKED_AT; i++) {
    Segment *segment = &segments[i];
    if (addresses[segment->first] != addresses[added->first] || segment->count != added->count)
      continue;
    segment->repeat |= added->repeat << (added->first - segment->first);
    return true;
  }
  return false;
}

uint32_t segments_find(const EmuAccess *access, uint32_t lanes, bool has_avx2, Segment *segments) {
  uint32_t shift = bits_first(access->size / 4), count = 0;
  bool is_read = access->kind == EMU_READ;
  Links links = {0, UINT32_MAX};
  if (access->shape == EMU_SHAPE_SAME)
    links = (Links){UINT32_MAX, 0};
  else if (access->shape == EMU_SHAPE_ANY)
    links = link(access->addresses, access->size, has_avx2);
  bool has_twins = is_read && access->shape != EMU_SHAPE_CONSECUTIVE, has_twin = false;
  uint32_t same = is_read ? links.same & lanes : 0, next = links.next & lanes;
  while (lanes) {
    uint32_t first = bits_first(lanes), repeats = run_behind(same, first);
    uint32_t steps = repeats ? 0 : run_behind(next, first);
    Segment segment = {first, 1 + steps, shift, low_bits(1 + repeats)};
    lanes &= ~(low_bits(1 + steps + repeats) << first);
    if (has_twins && take_twin(access->addresses, segments, count, &segment))
      has_twin = true;
    else
      segments[count++] = segment;
    // Nor have those that follow, most likely.
    has_twins &= has_twin || count < MOST_LOOKED_AT;
  }
  return count;
}

// --- plans

static inline __attribute__((always_inline)) bool is_planned(const uint64_t *distances,
                                                             const uint64_t *addresses) {
  uint64_t differs = 0, first = addresses[0];
  for (uint32_t i = 0; i < EMU_WARP_SIZE; i++)
    differs |= (addresses[i] - first) ^ distances[i];
  return !differs;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static bool is_planned_by_avx2(const uint64_t *distances,
                                                               const uint64_t *addresses) {
  return is_planned(distances, addresses);
}
#endif

static bool fits(const SegmentPlan *plan, const EmuAccess *access, uint32_t lanes, bool has_avx2) {
  if (plan->lanes != lanes || plan->size != access->size || plan->kind != access->kind)
    return false;
#if defined(__x86_64__)
  if (has_avx2)
    return is_planned_by_avx2(plan->distances, access->addresses);
#endif
  (void)has_avx2;
  return is_planned(plan->distances, access->addresses);
}

// Rows of so few lanes cost more than their lanes, if none does what another one does.
static bool is_scattered(uint32_t lanes, const Segment *segments, uint32_t count) {
  enum { FEW_LANES = 4 };
  uint32_t lane_count = bits_count(lanes), taken = 0;
  if (count < 2 || count * FEW_LANES < lane_count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    taken += segments[i].count;
  return taken == lane_count;
}

static void make_plan(SegmentPlan *plan, const EmuAccess *access, uint32_t lanes,
                      const Segment *segments, uint32_t count) {
  for (uint32_t i = 0; i < EMU_WARP_SIZE; i++)
    plan->distances[i] = access->addresses[i] - access->addresses[0];
  plan->lanes = lanes;
  plan->size = access->size;
  plan->kind = access->kind;
  plan->count = count;
  for (uint32_t i = 0; i < count && i < PLAN_SEGMENTS; i++)
    plan->segments[i] = segments[i];
}

const Segment *segments_plan(SegmentPlans *plans, uint32_t place, const EmuAccess *access,
                             uint32_t lanes, bool has_avx2, Segment *segments, uint32_t *count) {
  SegmentPlan *plan = &plans->plans[place % PLANS];
  if (plans->places[place % PLANS] == place + 1 && fits(plan, access, lanes, has_avx2)) {
    *count = plan->count;
    return plan->is_scattered ? NULL : plan->segments;
  }
  *count = segments_find(access, lanes, has_avx2, segments);
  bool scatters = is_scattered(lanes, segments, *count);
  if (*count <= PLAN_SEGMENTS || scatters) {
    make_plan(plan, access, lanes, segments, *count);
    plan->is_scattered = scatters;
    plans->places[place % PLANS] = place + 1;
  }
  return scatters ? NULL : segments;
}
