// Places of registers: PTX text has a register for every value, most of which live shortly.
#include "emu/decode.h"

#include <stdlib.h>

// Bits of the liveness table, beyond which registers do not share places.
#define MOST_LIVENESS_BITS ((uint64_t)1 << 28)

enum { MOST_SHARING_SLOTS = 1 << 15 };

typedef struct BasicBlock {
  uint32_t first, end; // instructions
  uint32_t next[2];    // blocks that may follow; UINT32_MAX: none
  bool follows_many;   // of an indexed branch: any block
} BasicBlock;

// Positions from the first to the last at which a register is alive: reads of instruction i are at
// 2 * i, writes at 2 * i + 1.
typedef struct Interval {
  uint32_t slot;
  uint32_t begin, end;
} Interval;

typedef struct Liveness {
  Decoder *decoder;
  ARRAY(BasicBlock) blocks;
  uint32_t *block_of; // of each instruction that is a leader
  uint32_t words;
  uint64_t *live_in;
  bool
      is_exact; // what a guard says of a write, it says of the reads behind it under the same guard
  Interval *intervals;
} Liveness;

static bool ends_block(const Instruction *instruction) {
  return instruction->op == IR_BRANCH || instruction->op == IR_BRANCH_INDEX ||
         instruction->op == IR_EXIT || instruction->op == IR_TRAP;
}

static void find_blocks(Liveness *liveness) {
  const Decoder *decoder = liveness->decoder;
  const KernelCode *kernel = decoder->kernel;
  for (uint32_t i = 0; i < kernel->instruction_count; i++) {
    bool is_leader = i == 0 || decoder->is_target[i] || ends_block(&kernel->instructions[i - 1]);
    if (is_leader)
      array_push(decoder->arena, &liveness->blocks, (BasicBlock){.first = i});
    liveness->block_of[i] = liveness->blocks.count - 1;
    liveness->blocks.items[liveness->blocks.count - 1].end = i + 1;
  }
}

static uint32_t block_at(const Liveness *liveness, uint32_t instruction) {
  return instruction < liveness->decoder->kernel->instruction_count
             ? liveness->block_of[instruction]
             : UINT32_MAX;
}

static void link_blocks(Liveness *liveness) {
  const Instruction *instructions = liveness->decoder->kernel->instructions;
  for (uint32_t b = 0; b < liveness->blocks.count; b++) {
    BasicBlock *block = &liveness->blocks.items[b];
    const Instruction *last = &instructions[block->end - 1];
    bool falls_through = !ends_block(last) || (last->op == IR_BRANCH && last->compare != IR_NOP) ||
                         last->op == IR_BRANCH_INDEX ||
                         liveness->decoder->guards[block->end - 1] != UINT32_MAX;
    block->next[0] = falls_through ? block_at(liveness, block->end) : UINT32_MAX;
    block->next[1] = last->op == IR_BRANCH ? block_at(liveness, last->target) : UINT32_MAX;
    block->follows_many = last->op == IR_BRANCH_INDEX;
  }
}

// One instruction backwards. A guarded write leaves the old value where the guard does not hold.
static void step_back(const Liveness *liveness, uint32_t i, uint64_t *live) {
  const Instruction *instruction = &liveness->decoder->kernel->instructions[i];
  uint32_t registers[MOST_USES], count;
  count = decode_definitions(instruction, registers);
  if (liveness->is_exact || liveness->decoder->guards[i] == UINT32_MAX)
    for (uint32_t j = 0; j < count; j++)
      bits_remove(live, registers[j]);
  count = decode_uses(instruction, registers);
  for (uint32_t j = 0; j < count; j++)
    bits_add(live, registers[j]);
}

static void add_row(const Liveness *liveness, uint64_t *row, uint32_t block) {
  const uint64_t *other = liveness->live_in + (size_t)block * liveness->words;
  for (uint32_t w = 0; w < liveness->words; w++)
    row[w] |= other[w];
}

static void live_out(const Liveness *liveness, const BasicBlock *block, uint64_t *row) {
  memset(row, 0, liveness->words * sizeof *row);
  for (uint32_t i = 0; i < 2; i++)
    if (block->next[i] != UINT32_MAX)
      add_row(liveness, row, block->next[i]);
  for (uint32_t b = 0; block->follows_many && b < liveness->blocks.count; b++)
    add_row(liveness, row, b);
}

static void solve(Liveness *liveness) {
  uint64_t *row = ARENA_ARRAY(liveness->decoder->arena, uint64_t, liveness->words + 1);
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (uint32_t b = liveness->blocks.count; b-- > 0;) {
      const BasicBlock *block = &liveness->blocks.items[b];
      uint64_t *in = liveness->live_in + (size_t)b * liveness->words;
      live_out(liveness, block, row);
      for (uint32_t i = block->end; i-- > block->first;)
        step_back(liveness, i, row);
      if (memcmp(row, in, liveness->words * sizeof *row) == 0)
        continue;
      memcpy(in, row, liveness->words * sizeof *row);
      has_changed = true;
    }
  }
}

static void cover(Liveness *liveness, uint32_t slot, uint32_t position) {
  Interval *interval = &liveness->intervals[slot];
  if (position < interval->begin)
    interval->begin = position;
  if (position > interval->end || interval->end == UINT32_MAX)
    interval->end = position;
}

static void cover_row(Liveness *liveness, const uint64_t *row, uint32_t position) {
  for (uint32_t w = 0; w < liveness->words; w++)
    for (uint64_t bits = row[w]; bits; bits &= bits - 1)
      cover(liveness, w * 64 + bits_first(bits), position);
}

static void find_intervals(Liveness *liveness) {
  const KernelCode *kernel = liveness->decoder->kernel;
  uint64_t *row = ARENA_ARRAY(liveness->decoder->arena, uint64_t, liveness->words + 1);
  for (uint32_t b = 0; b < liveness->blocks.count; b++) {
    const BasicBlock *block = &liveness->blocks.items[b];
    cover_row(liveness, liveness->live_in + (size_t)b * liveness->words, 2 * block->first);
    live_out(liveness, block, row);
    cover_row(liveness, row, 2 * block->end - 1);
    for (uint32_t i = block->first; i < block->end; i++) {
      uint32_t registers[MOST_USES];
      uint32_t count = decode_uses(&kernel->instructions[i], registers);
      for (uint32_t j = 0; j < count; j++)
        cover(liveness, registers[j], 2 * i);
      count = decode_definitions(&kernel->instructions[i], registers);
      for (uint32_t j = 0; j < count; j++)
        cover(liveness, registers[j], 2 * i + 1);
    }
  }
}

static int compare_begins(const void *a, const void *b) {
  const Interval *first = a, *second = b;
  if (first->begin != second->begin)
    return first->begin < second->begin ? -1 : 1;
  return first->slot < second->slot ? -1 : first->slot > second->slot;
}

typedef struct Active {
  uint32_t end;
  Ref ref;
} Active;

// Linear scan: a place whose interval has ended is taken again.
static void scan(Liveness *liveness, uint32_t count) {
  Decoder *decoder = liveness->decoder;
  Active *active[CLASS_64 + 1];
  uint32_t active_count[CLASS_64 + 1] = {0};
  for (uint32_t c = 0; c <= CLASS_64; c++)
    active[c] = ARENA_ARRAY(decoder->arena, Active, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const Interval *interval = &liveness->intervals[i];
    uint32_t class = decoder->classes[interval->slot], found = UINT32_MAX;
    for (uint32_t j = 0; j < active_count[class] && found == UINT32_MAX; j++)
      if (active[class][j].end < interval->begin)
        found = j;
    if (found == UINT32_MAX) {
      found = active_count[class]++;
      active[class][found].ref = decode_reserve(decoder, BASE_WARP, (RegisterClass) class);
    }
    active[class][found].end = interval->end;
    decoder->places[interval->slot].ref = active[class][found].ref;
  }
}

static void place_alone(Decoder *decoder) {
  for (uint32_t i = 0; i < decoder->kernel->slot_count; i++)
    if (decoder->kernel->slots[i].kind == SLOT_REGISTER)
      decoder->places[i].ref =
          decode_reserve(decoder, BASE_WARP, (RegisterClass)decoder->classes[i]);
}

// Plain registers that occur, in the order in which they begin.
static uint32_t sort_intervals(Liveness *liveness) {
  const KernelCode *kernel = liveness->decoder->kernel;
  uint32_t count = 0;
  for (uint32_t i = 0; i < kernel->slot_count; i++)
    if (kernel->slots[i].kind == SLOT_REGISTER && liveness->intervals[i].end != UINT32_MAX)
      liveness->intervals[count++] = liveness->intervals[i];
  qsort(liveness->intervals, count, sizeof *liveness->intervals, compare_begins);
  return count;
}

// Registers that may be read before they are written: they are undefined, but the same in each run.
static void clear_undefined(Liveness *liveness) {
  Decoder *decoder = liveness->decoder;
  for (uint32_t i = 0; i < decoder->kernel->slot_count; i++)
    if (decoder->kernel->slots[i].kind == SLOT_REGISTER && liveness->blocks.count &&
        bits_has(liveness->live_in, i))
      array_push(decoder->arena, &decoder->code->presets[BASE_WARP],
                 (Preset){.value = decoder->places[i]});
}

// Registers of which some path reads a value that nothing has written.
static void find_undefined(Liveness *liveness) {
  Decoder *decoder = liveness->decoder;
  Liveness exact = *liveness;
  exact.is_exact = true;
  exact.live_in =
      ARENA_ARRAY(decoder->arena, uint64_t, (size_t)liveness->words * (liveness->blocks.count + 1));
  if (liveness->blocks.count)
    solve(&exact);
  for (uint32_t i = 0; i < decoder->kernel->slot_count; i++)
    if (decoder->kernel->slots[i].kind == SLOT_REGISTER && bits_has(exact.live_in, i))
      array_push(decoder->arena, &decoder->code->undefined, decoder->places[i]);
}

// What is alive where a loop begins tells whether it has come back to a state that it was in.
static void keep_rows(const Liveness *liveness) {
  Decoder *decoder = liveness->decoder;
  uint32_t count = decoder->code->op_count;
  uint32_t *rows = ARENA_ARRAY(decoder->arena, uint32_t, count + 1);
  for (uint32_t i = 0; i <= count; i++)
    rows[i] = UINT32_MAX;
  for (uint32_t b = 0; b < liveness->blocks.count; b++)
    rows[decoder->op_of[liveness->blocks.items[b].first]] = b;
  decoder->code->live_in = liveness->live_in;
  decoder->code->live_row = rows;
  decoder->code->live_words = liveness->words;
}

void decode_place_registers(Decoder *decoder) {
  const KernelCode *kernel = decoder->kernel;
  Arena *arena = decoder->arena;
  Liveness liveness = {.decoder = decoder, .words = bits_words(kernel->slot_count)};
  liveness.block_of = ARENA_ARRAY(arena, uint32_t, kernel->instruction_count + 1);
  find_blocks(&liveness);
  if (kernel->slot_count > MOST_SHARING_SLOTS ||
      (uint64_t)liveness.words * 64 * liveness.blocks.count > MOST_LIVENESS_BITS) {
    place_alone(decoder);
    return;
  }
  link_blocks(&liveness);
  liveness.live_in =
      ARENA_ARRAY(arena, uint64_t, (size_t)liveness.words * (liveness.blocks.count + 1));
  solve(&liveness);
  liveness.intervals = ARENA_ARRAY(arena, Interval, kernel->slot_count + 1);
  for (uint32_t i = 0; i < kernel->slot_count; i++)
    liveness.intervals[i] = (Interval){i, UINT32_MAX, UINT32_MAX};
  find_intervals(&liveness);
  uint32_t count = sort_intervals(&liveness);
  scan(&liveness, count);
  clear_undefined(&liveness);
  find_undefined(&liveness);
  keep_rows(&liveness);
}
