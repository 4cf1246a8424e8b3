// Rows of lanes, and sets of blocks, against one lane and one block at a time; words that are read
// by several blocks against the entries that they stand for.
#include "unit.h"

#include "race/segments.h"
#include "race/shadow.h"

#include <string.h>

enum { ROUNDS = 4000, BLOCKS = 48 };

static uint32_t random_number(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

// --- rows

typedef struct Case {
  EmuAccess access;
  uint64_t addresses[EMU_WARP_SIZE];
  uint32_t lanes;
} Case;

static void make_case(uint64_t *state, Case *made) {
  static const uint32_t SIZES[] = {4, 4, 8, 16};
  uint32_t size = SIZES[random_number(state, 4)], kind = random_number(state, 3);
  uint32_t step = random_number(state, 3), period = 1u << random_number(state, 6);
  uint32_t odd = random_number(state, EMU_WARP_SIZE);
  for (uint32_t i = 0; i < EMU_WARP_SIZE; i++) {
    uint32_t index = kind == 0   ? i % period * step
                     : kind == 1 ? i / period * step
                                 : random_number(state, 6);
    if (kind < 2 && i == odd)
      index += random_number(state, 3);
    made->addresses[i] = 4096 + (uint64_t)index * size;
  }
  made->lanes = random_number(state, 2) ? UINT32_MAX : 1 + random_number(state, INT32_MAX);
  made->access = (EmuAccess){.kind = random_number(state, 2) ? EMU_READ : EMU_WRITE,
                             .size = size,
                             .addresses = made->addresses};
}

// Each lane is in the row once, with its own words; lanes that write share none.
static void check_segments(const Case *tried, const Segment *segments, uint32_t count) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < count; i++) {
    const Segment *s = &segments[i];
    assert_true(s->repeat & 1);
    assert_true(tried->access.kind == EMU_READ || s->repeat == 1);
    for (uint32_t j = 0; j < s->count; j++) {
      uint32_t lanes = s->repeat << (s->first + j);
      assert_int_equal(lanes >> (s->first + j), s->repeat & UINT32_MAX >> (s->first + j));
      assert_int_equal(lanes & seen, 0);
      seen |= lanes;
      for (uint32_t lane = 0; lane < EMU_WARP_SIZE; lane++)
        if (lanes >> lane & 1)
          assert_int_equal(tried->addresses[lane],
                           tried->addresses[s->first] + ((uint64_t)j << s->shift) * 4);
    }
  }
  assert_int_equal(seen, tried->lanes);
}

static void test_segments_have_each_lane_once(void **unused) {
  uint64_t state = 1;
  (void)unused;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    Segment segments[EMU_WARP_SIZE];
    Case tried;
    make_case(&state, &tried);
    check_segments(&tried, segments, segments_find(&tried.access, tried.lanes, i & 1, segments));
  }
}

// Lanes that are looked at one by one: none does what another one was found to do, and rows are
// short.
static void check_scattered(const Case *tried, uint32_t count) {
  Segment segments[EMU_WARP_SIZE];
  uint32_t lanes = 0;
  assert_int_equal(count, segments_find(&tried->access, tried->lanes, false, segments));
  assert_true(count > 1);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(segments[i].repeat, 1);
    lanes += segments[i].count;
  }
  assert_true(lanes <= 4 * count);
}

// Few instructions, each with a few cases that come again and again at other places.
static void test_plans_are_of_the_same_distances(void **unused) {
  static const uint32_t PLACES[] = {0, 1, PLANS};
  static const uint32_t LANES[] = {UINT32_MAX, 0xff00ff, 0x10fffff0};
  static SegmentPlans plans;
  uint64_t state = 3;
  uint32_t planned = 0, scattered = 0;
  (void)unused;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t place = PLACES[random_number(&state, 3)], count;
    uint64_t number = 100 + place + random_number(&state, 2);
    Segment room[EMU_WARP_SIZE];
    Case tried;
    make_case(&number, &tried);
    tried.lanes = LANES[random_number(&state, 3)];
    tried.access.kind = random_number(&state, 2) ? EMU_READ : EMU_WRITE;
    uint64_t distance = 4096 * (uint64_t)random_number(&state, 9);
    for (uint32_t lane = 0; lane < EMU_WARP_SIZE; lane++)
      tried.addresses[lane] += distance;
    const Segment *segments =
        segments_plan(&plans, place, &tried.access, tried.lanes, i & 1, room, &count);
    planned += segments && segments != room;
    scattered += !segments;
    if (segments)
      check_segments(&tried, segments, count);
    else
      check_scattered(&tried, count);
  }
  assert_true(planned > ROUNDS / 400);
  assert_true(scattered > ROUNDS / 400);
}

static void test_segments_of_known_shapes(void **unused) {
  Segment segments[EMU_WARP_SIZE];
  Case tried = {.lanes = UINT32_MAX};
  (void)unused;
  tried.access = (EmuAccess){.size = 4, .addresses = tried.addresses};
  for (uint32_t i = 0; i < EMU_WARP_SIZE; i++)
    tried.addresses[i] = 64 + 4 * (i % 16);
  assert_int_equal(segments_find(&tried.access, UINT32_MAX, false, segments), 1);
  assert_int_equal(segments[0].count, 16);
  assert_int_equal(segments[0].repeat, 0x10001);
  for (uint32_t i = 0; i < EMU_WARP_SIZE; i++)
    tried.addresses[i] = 64 + 64 * (i / 16);
  assert_int_equal(segments_find(&tried.access, UINT32_MAX, false, segments), 2);
  assert_int_equal(segments[0].repeat, 0xffff);
  assert_int_equal(segments[1].first, 16);
  tried.access.shape = EMU_SHAPE_CONSECUTIVE;
  assert_int_equal(segments_find(&tried.access, 0xf0ff, false, segments), 2);
  assert_int_equal(segments[0].count, 8);
  assert_int_equal(segments[1].count, 4);
}

// --- sets of blocks

static void start_heap(Heap *heap) {
  heap_init(heap, 0, NULL);
}

static void check_set(const ReaderSet *set, const bool *has) {
  static uint32_t blocks[MOST_READERS];
  uint32_t count = readers_list(set, blocks), expected = 0;
  for (uint32_t b = 0; b < BLOCKS; b++)
    if (has[b])
      assert_int_equal(blocks[expected++], b);
  assert_int_equal(count, expected);
  assert_int_equal(set->count, expected);
  assert_int_equal(set->largest, blocks[count - 1]);
}

static void test_sets_of_blocks(void **unused) {
  static ReaderSets sets;
  static Heap heap;
  uint64_t state = 2;
  (void)unused;
  start_heap(&heap);
  for (uint32_t round = 0; round < ROUNDS / 10; round++) {
    bool has[BLOCKS] = {false};
    const ReaderSet *set = NULL;
    uint32_t count = 1 + random_number(&state, 60), order = random_number(&state, 3);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t near = i < BLOCKS ? i : BLOCKS - 1;
      uint32_t block = order == 0   ? near
                       : order == 1 ? BLOCKS - 1 - near
                                    : random_number(&state, BLOCKS);
      set = readers_add(&sets, &heap, set, block);
      has[block] = true;
      check_set(set, has);
      assert_ptr_equal(readers_add(&sets, &heap, set, block), set);
    }
  }
  heap_release(&heap);
}

// --- words

static void test_words_have_entries_of_each_block(void **unused) {
  static const uint32_t READERS[] = {9, 3, 6, 12, 40, 41, 42};
  static ReaderSets sets;
  static Heap heap;
  uint32_t memory[CELL_ARRAYS] = {0};
  const ReaderSet *set = NULL;
  (void)unused;
  start_heap(&heap);
  for (uint32_t i = 0; i < sizeof READERS / sizeof *READERS; i++)
    set = readers_add(&sets, &heap, set, READERS[i]);
  Cells cells = {&memory[0], &memory[1], &memory[2], &memory[3], &memory[4],
                 &memory[5], &memory[6], &memory[7], NULL};
  *cells.read_time = 5;
  *cells.read_info = INFO_FORM_BIT | 2u << INFO_SIZE;
  *cells.read_thread = 2 << 5 | 7;
  *cells.read_warps = (uint32_t)(uintptr_t)set;
  *cells.read_lanes = (uint32_t)((uint64_t)(uintptr_t)set >> 32);
  const WordList *list = word_make_list(&heap, &cells, 0);
  bool has[64] = {false};
  for (uint32_t i = 0; i < list->count; i++) {
    const Entry *entry = &list->entries[i];
    assert_int_equal(entry->warps, 1u << 2);
    assert_int_equal(entry->lanes, 1u << 7);
    assert_int_equal(entry->time, 5);
    assert_int_equal(entry->info, 2u << INFO_SIZE);
    assert_false(entry->is_write);
    for (uint32_t j = 0; j < entry->block_count; j++)
      has[entry->block + j * entry->block_stride] = true;
  }
  for (uint32_t b = 0; b < 64; b++) {
    bool expected = false;
    for (uint32_t i = 0; i < sizeof READERS / sizeof *READERS; i++)
      expected |= READERS[i] == b;
    assert_int_equal(has[b], expected);
  }
  heap_release(&heap);
}

// --- patterns

enum { READS = 12, SLOTS = 256 };

// A read by lanes of a warp, as single lanes: its times by slot and place.
typedef struct Model {
  uint32_t times[SLOTS][4];
} Model;

typedef struct Word {
  uint32_t thread, time;
  const Pattern *pattern;
} Word;

static PatternRead read_of(const Word *word, uint32_t thread, uint32_t lanes, uint32_t time,
                           uint32_t place) {
  return (PatternRead){.delta = thread - word->thread,
                       .lanes = lanes,
                       .info = place,
                       .later = time - word->time,
                       .slot = lanes == 1 ? 0 : word->thread & 1023};
}

static void take_step(Word *word, const PatternStep *step) {
  word->pattern = step->to;
  word->thread += step->thread_change;
  word->time += step->time_change;
}

// Single lanes replace what they read before at any place; others only by the same lanes.
static void note(Model *model, uint32_t thread, uint32_t lanes, uint32_t time, uint32_t place) {
  for (uint32_t i = 0; i < 32; i++)
    if (lanes >> i & 1)
      model->times[thread + i][place] = time;
}

static void check_word(Heap *heap, const Word *word, const Model *model, uint32_t block) {
  uint32_t memory[CELL_ARRAYS] = {0};
  Cells cells = {&memory[0], &memory[1], &memory[2], &memory[3], &memory[4],
                 &memory[5], &memory[6], &memory[7], NULL};
  Model found = {0};
  *cells.read_time = word->time;
  *cells.read_info = INFO_PATTERN;
  *cells.read_thread = word->thread;
  *cells.read_warps = (uint32_t)(uintptr_t)word->pattern;
  *cells.read_lanes = (uint32_t)((uint64_t)(uintptr_t)word->pattern >> 32);
  const WordList *list = word_make_list(heap, &cells, 0);
  for (uint32_t i = 0; i < list->count; i++) {
    const Entry *entry = &list->entries[i];
    assert_int_equal(entry->block, block);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
      if ((entry->warps >> slot / 32 & 1) && (entry->lanes >> slot % 32 & 1) &&
          entry->time > found.times[slot][entry->info])
        found.times[slot][entry->info] = entry->time;
  }
  assert_memory_equal(&found, model, sizeof found);
}

// Reads of words that are neighbours, by threads that are, in another order each: by lanes and, of
// half of them, by whole warps. Each lane reads at a place once.
static void test_patterns(void **unused) {
  static Patterns patterns;
  static Heap heap;
  uint64_t state = 3;
  (void)unused;
  start_heap(&heap);
  for (uint32_t round = 0; round < ROUNDS / 10; round++) {
    uint32_t threads[READS], places[READS], times[READS], lanes[READS];
    const Pattern *shared = NULL;
    for (uint32_t i = 0; i < READS; i++) {
      lanes[i] = random_number(&state, 2) ? 1 : UINT32_MAX;
      places[i] = lanes[i] == 1 ? 1 + random_number(&state, 2) : 3;
      threads[i] = lanes[i] == 1 ? 16 * i + random_number(&state, 8) : 32 * (i / 2);
      times[i] = 100 + (lanes[i] == 1 ? random_number(&state, 3) : 0);
    }
    for (uint32_t word = 0; word < 4; word++) {
      uint32_t block = word, first = block << SLOT_BITS, start = random_number(&state, READS);
      Word common = {.thread = first + threads[start], .time = times[start]};
      Word own = common;
      Model model = {0};
      common.pattern = pattern_of_one(&patterns, &heap, 1, lanes[start], places[start]);
      PatternRead one = {.lanes = lanes[start], .info = places[start], .warps = 1};
      PatternStep step;
      own.pattern = pattern_add_own(&heap, NULL, &one, &step);
      note(&model, threads[start], lanes[start], times[start], places[start]);
      for (uint32_t i = 1; i < READS; i++) {
        uint32_t k = (start + i * (word % 2 ? 5 : 7)) % READS;
        PatternRead read = read_of(&common, first + threads[k], lanes[k], times[k], places[k]);
        take_step(&common, pattern_add(&patterns, &heap, common.pattern, &read, 32));
        read = read_of(&own, first + threads[k], lanes[k], times[k], places[k]);
        assert_non_null(pattern_add_own(&heap, own.pattern, &read, &step));
        take_step(&own, &step);
        note(&model, threads[k], lanes[k], times[k], places[k]);
      }
      shared = word ? shared : common.pattern;
      assert_ptr_equal(common.pattern, shared);
      check_word(&heap, &common, &model, block);
      check_word(&heap, &own, &model, block);
    }
  }
  heap_release(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_segments_have_each_lane_once),
      cmocka_unit_test(test_plans_are_of_the_same_distances),
      cmocka_unit_test(test_segments_of_known_shapes),
      cmocka_unit_test(test_sets_of_blocks),
      cmocka_unit_test(test_words_have_entries_of_each_block),
      cmocka_unit_test(test_patterns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
