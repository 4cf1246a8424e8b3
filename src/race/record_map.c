#include "race/record_map.h"

#include "base/bits.h"

#include <assert.h>

// A leaf has bit 0 and its own key. Below another node are the keys that agree with its own in the
// bits above `bit`, by which its children differ.
struct RecordMap {
  atomic_uint references;
  uint32_t key, bit;
  atomic_bool is_old; // of a leaf: another one has the next version
  union {
    Record record;
    struct {
      RecordCounts counts;
      RecordMap *child[2];
    };
  };
};

enum { SCOPE_BITS = 2 };

static uint32_t key_of(uint32_t block, Scope scope) {
  assert(scope >= SCOPE_CTA && block < MOST_BLOCKS);
  return block << SCOPE_BITS | (uint32_t)(scope - SCOPE_CTA);
}

static size_t node_size(const RecordMap *node) {
  return node->bit ? offsetof(RecordMap, child) + sizeof node->child
                   : offsetof(RecordMap, record) + sizeof node->record;
}

RecordMap *record_map_keep(RecordMap *map) {
  if (map)
    atomic_fetch_add_explicit(&map->references, 1, memory_order_relaxed);
  return map;
}

void record_map_drop(Heap *heap, RecordMap *map) {
  if (!map || atomic_fetch_sub_explicit(&map->references, 1, memory_order_acq_rel) > 1)
    return;
  if (map->bit) {
    record_map_drop(heap, map->child[0]);
    record_map_drop(heap, map->child[1]);
  } else {
    clock_release(heap, &map->record.clock);
  }
  heap_give(heap, map, node_size(map));
}

RecordCounts record_map_counts(const RecordMap *map) {
  if (!map || map->bit)
    return map ? map->counts : (RecordCounts){0};
  return (RecordCounts){.all = 1,
                        .narrow = map->record.scope < SCOPE_GPU,
                        .cluster = map->record.scope == SCOPE_CLUSTER};
}

// --- making nodes

static RecordMap *make_leaf(Race *race, uint32_t block, Scope scope, const Clock *clock) {
  RecordMap *leaf = heap_take(&race->heap, offsetof(RecordMap, record) + sizeof leaf->record);
  atomic_init(&leaf->references, 1);
  leaf->key = key_of(block, scope);
  leaf->bit = 0;
  leaf->record = (Record){.block = block, .scope = scope};
  clock_copy(&leaf->record.clock, clock);
  leaf->record.clock.version = version_next(race, 0, NULL);
  atomic_init(&leaf->is_old, false);
  return leaf;
}

// Takes over the references of the children.
static RecordMap *make_node(Race *race, uint32_t bit, RecordMap *zero, RecordMap *one) {
  RecordCounts a = record_map_counts(zero), b = record_map_counts(one);
  RecordMap *node = heap_take(&race->heap, offsetof(RecordMap, child) + sizeof node->child);
  atomic_init(&node->references, 1);
  node->key = one->key & ~(bit - 1);
  node->bit = bit;
  node->counts = (RecordCounts){a.all + b.all, a.narrow + b.narrow, a.cluster + b.cluster};
  node->child[0] = zero;
  node->child[1] = one;
  return node;
}

// --- joining

// May the key be below the node?
static bool is_below(const RecordMap *node, uint32_t key) {
  uint32_t above = node->bit ? ~(2 * node->bit - 1) : UINT32_MAX;
  return ((node->key ^ key) & above) == 0;
}

static RecordMap *join_leaves(Race *race, RecordMap *a, RecordMap *b) {
  RecordMap *leaf = make_leaf(race, a->record.block, a->record.scope, &a->record.clock);
  clock_learn(race, &leaf->record.clock, &b->record.clock);
  bool is_a = clock_is_equal(&leaf->record.clock, &a->record.clock);
  bool is_b = clock_is_equal(&leaf->record.clock, &b->record.clock);
  // What is only here need not stay the same, and is the next version of what was.
  if (!is_a && (!is_b || atomic_load(&b->references) == 1)) {
    leaf->record.clock.version = version_next(race, a->record.clock.version, &a->is_old);
    return leaf;
  }
  record_map_drop(&race->heap, leaf);
  return record_map_keep(is_a ? a : b);
}

static RecordMap *join(Race *race, RecordMap *a, RecordMap *b);

// Takes over the references of what has been made of the children of `a`.
static RecordMap *make_like(Race *race, RecordMap *a, RecordMap *zero, RecordMap *one) {
  if (zero != a->child[0] || one != a->child[1])
    return make_node(race, a->bit, zero, one);
  record_map_drop(&race->heap, zero);
  record_map_drop(&race->heap, one);
  return record_map_keep(a);
}

static RecordMap *join_below(Race *race, RecordMap *a, RecordMap *b) {
  bool side = (b->key & a->bit) != 0;
  RecordMap *joined = join(race, a->child[side], b), *other = record_map_keep(a->child[!side]);
  return make_like(race, a, side ? other : joined, side ? joined : other);
}

static RecordMap *join_children(Race *race, RecordMap *a, RecordMap *b) {
  RecordMap *zero = join(race, a->child[0], b->child[0]);
  RecordMap *one = join(race, a->child[1], b->child[1]);
  bool is_b = zero == b->child[0] && one == b->child[1];
  bool is_a = zero == a->child[0] && one == a->child[1];
  return make_like(race, is_b && !is_a ? b : a, zero, one);
}

static RecordMap *join_apart(Race *race, RecordMap *a, RecordMap *b) {
  uint32_t bit = 1u << bits_last(a->key ^ b->key);
  bool is_a_first = !(a->key & bit);
  record_map_keep(a);
  record_map_keep(b);
  return make_node(race, bit, is_a_first ? a : b, is_a_first ? b : a);
}

// A new reference; one of the two where possible.
static RecordMap *join(Race *race, RecordMap *a, RecordMap *b) {
  if (a == b)
    return record_map_keep(a);
  if (a->bit == b->bit && is_below(a, b->key))
    return a->bit ? join_children(race, a, b) : join_leaves(race, a, b);
  if (a->bit > b->bit && is_below(a, b->key))
    return join_below(race, a, b);
  if (b->bit > a->bit && is_below(b, a->key))
    return join_below(race, b, a);
  return join_apart(race, a, b);
}

void record_map_join(Race *race, RecordMap **map, RecordMap *added) {
  RecordMap *old = *map;
  if (!added || old == added)
    return;
  *map = old ? join(race, old, added) : record_map_keep(added);
  record_map_drop(&race->heap, old);
}

void record_map_add(Race *race, RecordMap **map, uint32_t block, Scope scope, const Clock *clock) {
  RecordMap *leaf = make_leaf(race, block, scope, clock);
  record_map_join(race, map, leaf);
  record_map_drop(&race->heap, leaf);
}

// --- finding

const Record *record_map_find(const RecordMap *map, uint32_t block, Scope scope) {
  uint32_t key = key_of(block, scope);
  while (map && map->bit)
    map = map->child[(key & map->bit) != 0];
  return map && map->key == key ? &map->record : NULL;
}

// The first leaf whose key is not less.
static const Record *find_from(const RecordMap *map, uint32_t key) {
  if (!map->bit)
    return map->key >= key ? &map->record : NULL;
  if (!is_below(map, key) && map->key < key)
    return NULL;
  const Record *found = NULL;
  if (!is_below(map, key) || !(key & map->bit))
    found = find_from(map->child[0], key);
  return found ? found : find_from(map->child[1], key);
}

const Record *record_map_from(const RecordMap *map, uint32_t block, Scope scope) {
  return map ? find_from(map, key_of(block, scope)) : NULL;
}

const Record *record_map_next(const RecordMap *map, const Record *record) {
  return find_from(map, key_of(record->block, record->scope) + 1);
}
