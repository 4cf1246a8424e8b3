#include "race/readers.h"

static uint32_t bucket_of(const ReaderSet *set, uint32_t block) {
  uint64_t hash = ((uintptr_t)set ^ (uint64_t)block << 32) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash >> 40) % READER_BUCKETS;
}

static bool has_block(const ReaderSet *set, uint32_t block) {
  for (; set; set = set->before)
    if (set->block == block)
      return true;
  return false;
}

static const ReaderSet *make_set(Heap *heap, const ReaderSet *before, uint32_t block) {
  ReaderSet *set = heap_take(heap, sizeof *set);
  bool is_larger = !before || block > before->largest;
  *set = (ReaderSet){.before = before,
                     .block = block,
                     .count = before ? before->count + 1 : 1,
                     .largest = is_larger ? block : before->largest};
  return set;
}

const ReaderSet *readers_add(ReaderSets *sets, Heap *heap, const ReaderSet *set, uint32_t block) {
  ReaderStep **bucket = &sets->buckets[bucket_of(set, block)], *step;
  if (set && set->block == block)
    return set;
  spin_lock(&sets->lock);
  for (step = *bucket; step; step = step->next)
    if (step->from == set && step->block == block)
      break;
  if (!step && !(set && set->count == MOST_READERS)) {
    step = heap_take(heap, sizeof *step);
    *step = (ReaderStep){.from = set, .block = block, .next = *bucket};
    step->to = has_block(set, block) ? set : make_set(heap, set, block);
    *bucket = step;
  }
  spin_unlock(&sets->lock);
  return step ? step->to : NULL;
}

// Most blocks came in about ascending or descending order: few steps then sort them.
uint32_t readers_list(const ReaderSet *set, uint32_t *blocks) {
  bool is_falling = set->block < set->largest;
  uint32_t count = set->count, i = 0;
  for (; set; set = set->before, i++)
    blocks[is_falling ? i : count - 1 - i] = set->block;
  for (i = 1; i < count; i++) {
    uint32_t block = blocks[i], j = i;
    for (; j > 0 && blocks[j - 1] > block; j--)
      blocks[j] = blocks[j - 1];
    blocks[j] = block;
  }
  return count;
}
