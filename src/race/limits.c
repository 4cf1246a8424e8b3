#include "race/limits.h"

#include "base/bits.h"
#include "ir/grid.h"
#include "ir/machine.h"
#include "ir/memory.h"

static uint64_t address_of(const EmuAccess *access, uint32_t lane) {
  if (access->shape == EMU_SHAPE_CONSECUTIVE)
    return access->addresses[0] + (uint64_t)lane * access->size;
  return access->addresses[lane];
}

static Placement place_of(const Grid *grid) {
  return (Placement){.gpu = grid->gpu, .is_host = grid->is_host, .domain = grid->domain};
}

static bool is_limited(const Program *program, const Instruction *instruction, uint32_t grid,
                       uint64_t address) {
  const Region *region = memory_find(program->memory, address, 1);
  Placement place = place_of(&program->grids[grid]);
  return region && !machine_makes_atomic(program->machine, region->home, &place,
                                         machine_operation(instruction));
}

// The scope of a device is not told from that of one of its memory synchronisation domains, nor are
// several threads of the host one device.
static bool has_fine_parts(const Program *program) {
  uint32_t host_blocks = 0;
  bool has_domains = false;
  for (uint32_t i = 0; i < program->grid_count; i++) {
    host_blocks += program->grids[i].is_host ? program->grids[i].block_count : 0;
    has_domains |= program->grids[i].domain != program->grids[0].domain;
  }
  return host_blocks > 1 || has_domains;
}

uint32_t limits_lanes(Race *race, const EmuWarp *warp, const EmuAccess *access) {
  uint32_t limited = 0;
  if (access->is_shared || !access->is_strong || access->scope != SCOPE_SYS)
    return 0;
  for (uint32_t left = warp->lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    bool is_one =
        is_limited(race->program, warp->instruction, warp->block->grid, address_of(access, lane));
    limited |= (uint32_t)is_one << lane;
  }
  if (limited && has_fine_parts(race->program))
    race_stop(race, "a run does not tell what the machine makes atomic between several threads of "
                    "the host or memory synchronisation domains; check does");
  return limited;
}

// --- the host

void limits_check_host(Race *race, const EmuWarp *warp, const EmuAccess *access) {
  const Program *program = race->program;
  for (uint32_t left = access->is_shared ? 0 : warp->lanes; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    uint64_t address = address_of(access, lane);
    const Region *region = memory_find(program->memory, address, access->size);
    if (!region || !grid_is_kept_away(program, warp->block->grid, region->home))
      continue;
    RaceFinding found = {
        .rule = RULE_MANAGED_IN_USE, .sub = RULE_COUNT, .address = address, .count = 1};
    found.sides[0] = (RaceSide){.instruction = warp->instruction,
                                .grid = warp->block->grid,
                                .block_in_grid = warp->block->number_in_grid,
                                .thread = warp->warp << 5 | lane};
    found.sides[1] = found.sides[0];
    findings_add(race->findings, &found);
  }
}

// --- causes

static Scope written_scope(const Instruction *instruction, uint32_t info) {
  return info_field(info, INFO_SCOPE) == SCOPE_NONE ? SCOPE_NONE : (Scope)instruction->scope;
}

bool limits_are_cause(const Race *race, const Instruction *a, uint32_t a_info, uint32_t a_block,
                      const Instruction *b, uint32_t b_info, uint32_t b_block) {
  return race->program->machine && a && b &&
         scopes_are_mutual(race, written_scope(a, a_info), a_block, written_scope(b, b_info),
                           b_block);
}

const char *limits_reason(const Program *program, const RaceFinding *found, Arena *arena) {
  const Region *region = memory_find(program->memory, found->address, 1);
  for (uint32_t i = 0; i < 2 && region && !found->is_shared; i++) {
    const RaceSide *side = &found->sides[i];
    Placement place = place_of(&program->grids[side->grid]);
    if (side->instruction->scope == SCOPE_SYS &&
        is_limited(program, side->instruction, side->grid, found->address))
      return machine_reason(program->machine, region->home, &place, arena);
  }
  return NULL;
}
