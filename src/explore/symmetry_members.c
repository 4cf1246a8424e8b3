// Who can be exchanged with whom.
#include "explore/symmetry.h"

// Does the block that a thread belongs to make a difference to what the instruction does?
static bool is_of_block(const Instruction *instruction) {
  switch (instruction->op) {
  case IR_MOVE:
  case IR_ALU:
  case IR_ADDRESS:
  case IR_BRANCH:
  case IR_NOP:
  case IR_NO_EVENT:
  case IR_EXIT:
  case IR_TRAP:
    return false;
  case IR_LOAD:
  case IR_STORE:
  case IR_ATOM:
  case IR_RED:
    return instruction->space == SPACE_SHARED ||
           (instruction->sem != SEM_WEAK && instruction->scope < SCOPE_GPU);
  case IR_FENCE:
    return instruction->scope < SCOPE_GPU;
  default:
    return true;
  }
}

// Threads of several blocks can be exchanged like those of one, if the code knows no blocks.
static bool knows_blocks(const Program *program, const Grid *grid) {
  const Thread *thread = &program->threads[grid->first_thread];
  for (uint32_t i = 0; i < thread->instruction_count; i++)
    if (is_of_block(&thread->instructions[i]))
      return true;
  return false;
}

static bool is_group_of_threads(const Program *program, const Grid *grid, bool keeps_blocks) {
  return grid->block_count == 1 ||
         (!keeps_blocks && grid->thread_count > grid->block_count &&
          grid->thread_count <= SYMMETRY_MOST_MEMBERS && !knows_blocks(program, grid));
}

bool symmetry_find_group(const Program *program, const Grid *grid, bool keeps_blocks,
                         SymmetryGroup *group) {
  bool has_clusters = grid->cluster[0] * grid->cluster[1] * grid->cluster[2] > 1;
  *group = (SymmetryGroup){.is_of_threads = is_group_of_threads(program, grid, keeps_blocks)};
  group->first = group->is_of_threads ? grid->first_thread : grid->first_block;
  group->member_count = group->is_of_threads ? grid->thread_count : grid->block_count;
  group->size = group->is_of_threads ? 1 : program->blocks[grid->first_block].count;
  return !grid->is_host && !has_clusters && group->member_count > 1 &&
         group->member_count <= SYMMETRY_MOST_MEMBERS;
}

// Which blocks start first is no choice of the search's where not all fit, nor is when dependent
// grids start.
static bool has_order(const Grid *grid) {
  return grid->is_dependent || (grid->resident && grid->resident < grid->block_count);
}

bool symmetry_is_possible(const Program *program) {
  SymmetryGroup group;
  bool is_possible = false;
  for (uint32_t i = 0; i < program->grid_count; i++) {
    if (has_order(&program->grids[i]))
      return false;
    is_possible = is_possible || symmetry_find_group(program, &program->grids[i], true, &group);
  }
  return is_possible;
}

bool symmetry_splits_blocks(const Program *program, bool keeps_blocks) {
  for (uint32_t i = 0; i < program->grid_count; i++)
    if (program->grids[i].block_count > 1 &&
        is_group_of_threads(program, &program->grids[i], keeps_blocks))
      return true;
  return false;
}

const char *symmetry_describe(const Program *program, bool keeps_blocks, Arena *arena) {
  const char *text = NULL;
  for (uint32_t i = 0; i < program->grid_count; i++) {
    SymmetryGroup group;
    if (!symmetry_find_group(program, &program->grids[i], keeps_blocks, &group))
      continue;
    const char *more = arena_format(arena, "%u %s", group.member_count,
                                    group.is_of_threads ? "threads" : "blocks");
    text = text ? arena_format(arena, "%s and %s", text, more) : more;
  }
  return text;
}
