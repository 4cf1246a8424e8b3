#include "explore/code.h"

#include "ir/tensor.h"

#include <string.h>

bool code_is_block_barrier(const Instruction *instruction) {
  return instruction->op == IR_BARRIER && instruction->barrier != BARRIER_ARRIVE &&
         instruction->src[1].kind == OPERAND_NONE;
}

bool code_is_block_vote(const Instruction *instruction) {
  return code_is_block_barrier(instruction) && instruction->barrier == BARRIER_RED;
}

static void number_header(Code *code, uint32_t instruction) {
  if (code->header_numbers[instruction] == UINT32_MAX)
    code->header_numbers[instruction] = code->header_count++;
}

static void find_headers(Code *code, Arena *arena) {
  const Thread *thread = code->thread;
  code->header_numbers = ARENA_ARRAY(arena, uint32_t, thread->instruction_count + 1);
  for (uint32_t i = 0; i <= thread->instruction_count; i++)
    code->header_numbers[i] = UINT32_MAX;
  for (uint32_t i = 0; i < thread->instruction_count; i++) {
    const Instruction *instruction = &thread->instructions[i];
    if (instruction->op == IR_BRANCH && instruction->target <= i)
      number_header(code, instruction->target);
    else if (code_is_block_vote(instruction))
      number_header(code, i);
  }
}

static bool is_unconditional(const Instruction *instruction) {
  return instruction->op == IR_EXIT ||
         (instruction->op == IR_BRANCH && instruction->compare == IR_NOP);
}

bool code_writes_object(const Instruction *instruction) {
  return instruction->op == IR_STORE || instruction->op == IR_ATOM || instruction->op == IR_RED ||
         instruction->op == IR_COPY_ASYNC;
}

static void add_uses(const Instruction *instruction, uint64_t *row) {
  for (uint32_t i = 0; i < sizeof instruction->src / sizeof *instruction->src; i++)
    if (instruction->src[i].kind == OPERAND_REGISTER)
      bits_add(row, instruction->src[i].index);
  if (instruction->address.kind == OPERAND_REGISTER)
    bits_add(row, instruction->address.index);
  for (uint32_t i = 0; instruction->map_words && i < TENSOR_MAP_WORDS; i++)
    bits_add(row, instruction->map_words[i]);
}

// Joins the rows of the successors of instruction `i` into `row`.
static void join_successors(const Code *code, const uint64_t *rows, uint32_t words, uint32_t i,
                            uint64_t *row) {
  const Instruction *instruction = &code->thread->instructions[i];
  uint32_t end = code->thread->instruction_count;
  for (uint32_t w = 0; w < words; w++) {
    if (!is_unconditional(instruction))
      row[w] |= rows[(size_t)(i + 1) * words + w];
    if (instruction->op == IR_BRANCH)
      row[w] |= rows[(size_t)instruction->target * words + w];
    if (instruction->op == IR_EXIT)
      row[w] |= rows[(size_t)end * words + w];
  }
}

static bool replace_row(uint64_t *row, const uint64_t *fresh, uint32_t words) {
  bool changed = false;
  for (uint32_t w = 0; w < words; w++) {
    changed |= row[w] != fresh[w];
    row[w] = fresh[w];
  }
  return changed;
}

static void clear_row(uint64_t *row, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    row[w] = 0;
}

static void find_live(Code *code, Arena *arena) {
  uint32_t words = code->register_words;
  uint64_t *row = ARENA_ARRAY(arena, uint64_t, words);
  bool changed;
  do {
    changed = false;
    for (uint32_t i = code->thread->instruction_count; i-- > 0;) {
      const Instruction *instruction = &code->thread->instructions[i];
      clear_row(row, words);
      join_successors(code, code->live, words, i, row);
      if (instruction->dst != UINT32_MAX)
        bits_remove(row, instruction->dst);
      add_uses(instruction, row);
      changed |= replace_row(code->live + (size_t)i * words, row, words);
    }
  } while (changed);
}

static void find_writes(Code *code, const Program *program, Arena *arena) {
  uint32_t words = code->object_words;
  uint64_t *row = ARENA_ARRAY(arena, uint64_t, words);
  bool changed;
  do {
    changed = false;
    for (uint32_t i = code->thread->instruction_count; i-- > 0;) {
      const Instruction *instruction = &code->thread->instructions[i];
      clear_row(row, words);
      join_successors(code, code->may_write, words, i, row);
      if (code_writes_object(instruction) && !program->is_kernel)
        bits_add(row, program->objects[instruction->object].location);
      changed |= replace_row(code->may_write + (size_t)i * words, row, words);
    }
  } while (changed);
}

void code_analyse(Code *code, const Program *program, uint32_t thread, const Condition *condition,
                  Arena *arena) {
  *code = (Code){.thread = &program->threads[thread]};
  uint32_t rows = code->thread->instruction_count + 1;
  code->register_words = bits_words(code->thread->register_count + 1);
  code->object_words = bits_words(program->object_count + 1);
  code->live = ARENA_ARRAY(arena, uint64_t, (size_t)rows * code->register_words);
  code->may_write = ARENA_ARRAY(arena, uint64_t, (size_t)rows * code->object_words);
  for (uint32_t i = 0; condition && i < condition->column_count; i++)
    if (condition->columns[i].kind == COLUMN_REGISTER && condition->columns[i].thread == thread)
      bits_add(code->live + (size_t)(rows - 1) * code->register_words, condition->columns[i].index);
  find_headers(code, arena);
  find_live(code, arena);
  find_writes(code, program, arena);
}

void code_assume_live(Code *code) {
  size_t words = (size_t)(code->thread->instruction_count + 1) * code->register_words;
  memset(code->live, 0xff, words * sizeof *code->live);
}
