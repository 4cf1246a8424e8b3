#include "ir/poll.h"

// A slice with more registers than this is taken for one that decides.
enum { MOST_REGISTERS = 64, MOST_ROUNDS = 8 };

// Registers that depend on what the load has seen, within the loop `first` .. `last`.
typedef struct Slice {
  const Instruction *instructions;
  uint32_t first, last;
  uint32_t registers[MOST_REGISTERS];
  uint32_t count;
} Slice;

static bool has(const Slice *slice, uint32_t number) {
  for (uint32_t i = 0; i < slice->count; i++)
    if (slice->registers[i] == number)
      return true;
  return false;
}

// False: it was there.
static bool add(Slice *slice, uint32_t number) {
  if (number == UINT32_MAX || slice->count == MOST_REGISTERS || has(slice, number))
    return false;
  slice->registers[slice->count++] = number;
  return true;
}

static bool add_results(Slice *slice, const Instruction *instruction) {
  bool is_fresh = add(slice, instruction->dst);
  for (uint32_t i = 0; i < sizeof instruction->more / sizeof instruction->more[0]; i++)
    if (instruction->op == IR_ALU || instruction->op == IR_COLLECTIVE)
      is_fresh |= add(slice, instruction->more[i]);
  return is_fresh;
}

static bool depends(const Slice *slice, const Instruction *instruction) {
  for (uint32_t i = 0; i < sizeof instruction->src / sizeof instruction->src[0]; i++)
    if (instruction->src[i].kind == OPERAND_REGISTER && has(slice, instruction->src[i].index))
      return true;
  return false;
}

static bool leaves(const Slice *slice, uint32_t place) {
  const Instruction *branch = &slice->instructions[place];
  return branch->op == IR_BRANCH &&
         (place == slice->last || branch->target < slice->first || branch->target > slice->last);
}

// What a branch skips depends on what it looks at. A branch with a guard is one that is skipped.
static bool add_skipped(Slice *slice, uint32_t place, bool *decides) {
  uint32_t target = slice->instructions[place].target;
  bool is_fresh = false;
  for (uint32_t i = place + 1; i < target && i <= slice->last; i++) {
    *decides = *decides || leaves(slice, i);
    is_fresh |= add_results(slice, &slice->instructions[i]);
  }
  return is_fresh;
}

// Goes through the loop once. `*decides`: a branch out of it or back depends on the load.
static bool grow(Slice *slice, bool *decides) {
  bool is_fresh = false;
  for (uint32_t i = slice->first; i <= slice->last; i++) {
    const Instruction *instruction = &slice->instructions[i];
    if (!depends(slice, instruction))
      continue;
    if (leaves(slice, i))
      *decides = true;
    else
      is_fresh |= instruction->op == IR_BRANCH ? add_skipped(slice, i, decides)
                                               : add_results(slice, instruction);
  }
  return is_fresh;
}

// A branch to itself, or one that leads there.
static bool is_endless(const Instruction *instructions, uint32_t count, uint32_t place) {
  for (uint32_t i = 0; i < 2; i++) {
    if (place >= count || instructions[place].op != IR_BRANCH ||
        instructions[place].compare != IR_NOP)
      return false;
    if (instructions[place].target == place)
      return true;
    place = instructions[place].target;
  }
  return false;
}

// The instructions behind the load up to a branch that depends on it and leads into a loop that
// nothing ends: a compiler has moved the load of a poll before its loop.
static bool is_hoisted(const Instruction *instructions, uint32_t count, uint32_t place) {
  Slice slice = {.instructions = instructions};
  uint32_t branch = place + 1;
  add_results(&slice, &instructions[place]);
  for (; branch < count && instructions[branch].op != IR_BRANCH; branch++)
    if (depends(&slice, &instructions[branch]))
      add_results(&slice, &instructions[branch]);
  if (branch >= count || !depends(&slice, &instructions[branch]))
    return false;
  return is_endless(instructions, count, instructions[branch].target) ||
         is_endless(instructions, count, branch + 1);
}

// The last instruction of the innermost loop around a place, a branch back; `count`: there is none.
static uint32_t end_of_loop(const Instruction *instructions, uint32_t count, uint32_t place) {
  uint32_t last = place;
  while (last < count &&
         !(instructions[last].op == IR_BRANCH && instructions[last].target <= place))
    last++;
  return last;
}

static bool is_in_its_loop(const Instruction *instructions, uint32_t count, uint32_t place) {
  uint32_t last = end_of_loop(instructions, count, place);
  if (last == count)
    return false;
  Slice slice = {.instructions = instructions, .first = instructions[last].target, .last = last};
  bool decides = false;
  add_results(&slice, &instructions[place]);
  for (uint32_t i = 0; i < MOST_ROUNDS && !decides && grow(&slice, &decides); i++)
    continue;
  return decides || slice.count == MOST_REGISTERS;
}

bool poll_is_at(const Instruction *instructions, uint32_t count, uint32_t place) {
  return is_in_its_loop(instructions, count, place) || is_hoisted(instructions, count, place);
}

bool poll_meets_block(const Instruction *instructions, uint32_t count, uint32_t place) {
  uint32_t last = end_of_loop(instructions, count, place);
  if (last == count)
    return false;
  for (uint32_t i = instructions[last].target; i <= last; i++)
    if ((instructions[i].op == IR_BARRIER && instructions[i].barrier != BARRIER_ARRIVE) ||
        instructions[i].op == IR_MBARRIER)
      return true;
  return false;
}
