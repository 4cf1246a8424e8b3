// What a race lacks: its root cause, as a sub-rule.
#include "race/access.h"
#include "race/barrier.h"
#include "race/limits.h"

#include "base/bits.h"
#include "ir/grid.h"
#include "ir/poll.h"

// --- who speaks to whom

static uint32_t reader_thread(const Accessor *accessor) {
  return thread_number(accessor->block, accessor->warp_number << 5 | bits_first(accessor->lanes));
}

static uint32_t first_thread(const Entry *entry) {
  return entry->block << SLOT_BITS | bits_first(entry->warps) << 5 | bits_first(entry->lanes);
}

static void keep_for_explanations(Race *race, const Communication *made) {
  uint32_t i = 0;
  spin_lock(&race->grid_lock);
  while (i < race->spoken_count &&
         (info_place(race->spoken[i].write_info) != info_place(made->write_info) ||
          info_place(race->spoken[i].read_info) != info_place(made->read_info)))
    i++;
  // That it is read says more.
  if (i < race->spoken_count && !made->is_overwrite)
    race->spoken[i].is_overwrite = false;
  if (i == race->spoken_count && i < MOST_SPOKEN)
    race->spoken[race->spoken_count++] = *made;
  spin_unlock(&race->grid_lock);
}

void access_note_overwrite(const Accessor *accessor, const Entry *write) {
  Communication made = {
      .write_info = write->info, .read_info = accessor->info, .is_overwrite = true};
  if (accessor->race->options.exact)
    return;
  keep_for_explanations(accessor->race, &made);
}

// The block has a reference to the writers' times.
static void keep_communication(Heap *heap, Communication *old, const Communication *made) {
  ClockNode *writers = clock_keep(made->writers);
  clock_drop(heap, old->writers);
  *old = *made;
  old->writers = writers;
}

static bool is_element(const Instruction *instruction, IrOp op) {
  return instruction->op == op && instruction->align > instruction->size;
}

static void note_vector(const Accessor *accessor, const Entry *write) {
  Race *race = accessor->race;
  const Instruction *load = accessor->instruction;
  if (!is_element(load, IR_LOAD) || !info_field(accessor->info, INFO_SCOPE) ||
      !info_field(write->info, INFO_SCOPE))
    return;
  const Instruction *store = race_instruction(race, write->info);
  if (is_element(store, IR_STORE) && store->element_offset == load->element_offset)
    findings_note_vector(race->findings, &(VectorPair){.store = store,
                                                       .load = load,
                                                       .store_place = info_place(write->info),
                                                       .load_place = info_place(accessor->info)});
}

void access_note_communication(const Accessor *accessor, const Entry *write, ClockNode *writers) {
  Block *block = accessor->block;
  Heap *heap = &accessor->race->heap;
  if (info_field(write->info, INFO_BANK) != BANK_THREADS)
    return;
  note_vector(accessor, write);
  // What is to be explained is found in another run, with all accesses told apart.
  if (accessor->race->options.exact)
    return;
  if (!block->communications)
    block->communications = heap_take_cleared(heap, COMMUNICATIONS * sizeof(Communication));
  Communication made = {.writers = writers,
                        .writer = first_thread(write),
                        .reader = reader_thread(accessor),
                        .write_time = write->time,
                        .read_time = accessor->time,
                        .write_info = write->info,
                        .read_info = accessor->info,
                        .has_release = accessor->has_release,
                        .has_acquire = sem_is_acquire(accessor->access->sem),
                        .is_narrow = accessor->is_narrow,
                        .is_reduction = accessor->access->kind == EMU_ATOMIC &&
                                        !accessor->access->has_result &&
                                        !accessor->race->options.is_cuda};
  uint32_t kept =
      block->communication_count < COMMUNICATIONS ? block->communication_count : COMMUNICATIONS;
  for (uint32_t i = 0; i < kept; i++) {
    Communication *old = &block->communications[i];
    if ((old->writer != made.writer && !(old->writers && writers)) || old->reader != made.reader ||
        old->write_info != made.write_info || old->read_info != made.read_info)
      continue;
    keep_communication(heap, old, &made);
    return;
  }
  keep_communication(heap, &block->communications[block->communication_count++ % COMMUNICATIONS],
                     &made);
  made.writers = NULL;
  keep_for_explanations(accessor->race, &made);
}

static uint32_t block_of_thread(uint32_t thread) {
  return thread >> SLOT_BITS;
}

// Within one time of a thread only the order of its code tells what comes first.
static bool is_before_access(const Race *race, const Communication *spoken, const Rival *rival) {
  return !spoken->writers && spoken->writer == (rival->block << SLOT_BITS | rival->slot) &&
         spoken->write_time == rival->entry->time &&
         race_instruction(race, spoken->write_info) < race_instruction(race, rival->entry->info);
}

// Did the writer, or its block for it, write after the racing access, and the reader read before?
static uint32_t closeness(const Communication *spoken, const Accessor *accessor,
                          const Rival *rival) {
  uint32_t rival_thread = rival->block << SLOT_BITS | rival->slot, time = rival->entry->time;
  bool is_of_block = spoken->writers ? clock_latest(spoken->writers, rival->block) >= time
                                     : block_of_thread(spoken->writer) == rival->block &&
                                           spoken->write_time >= time;
  bool is_of_thread = spoken->writers
                          ? clock_time(spoken->writers, rival->block, rival->slot) >= time
                          : spoken->writer == rival_thread;
  uint32_t place = info_place(spoken->write_info);
  if (!is_of_block || place == info_place(rival->entry->info) ||
      place == info_place(accessor->info) || is_before_access(accessor->race, spoken, rival))
    return 0;
  // Of several, the one that was meant as a flag lacks least. Who takes a lock may have seen
  // another take it, but what was meant is that it was given back.
  uint32_t close = 1 + is_of_thread + (spoken->reader == reader_thread(accessor));
  bool is_by_others = info_place(spoken->write_info) != info_place(spoken->read_info);
  return 8 * close + 4 * spoken->has_release + 2 * spoken->has_acquire + is_by_others;
}

static const Communication *find_communication(const Accessor *accessor, const Rival *rival) {
  const Block *block = accessor->block;
  const Communication *best = NULL;
  uint32_t best_closeness = rival->block == block->number ? 23 : 0; // in a block: both threads
  for (uint32_t i = 0; i < COMMUNICATIONS && i < block->communication_count; i++) {
    uint32_t close = closeness(&block->communications[i], accessor, rival);
    if (close > best_closeness) {
      best = &block->communications[i];
      best_closeness = close;
    }
  }
  return best;
}

// --- what a flag lacks

static bool has_fence(const Race *race, uint32_t block) {
  return race->grids[block_grid(race, block)].has_fence;
}

static bool is_weak(uint32_t info) {
  return info_field(info, INFO_SCOPE) == SCOPE_NONE;
}

static bool is_volatile(uint32_t info) {
  return info >> INFO_VOLATILE & 1;
}

static RuleNumber plain_fault(const Accessor *accessor, const Rival *rival, uint32_t write,
                              uint32_t read) {
  const Race *race = accessor->race;
  if (race->options.volatile_is_weak && (is_volatile(write) || is_volatile(read)))
    return RULE_VOLATILE_FLAG;
  return has_fence(race, rival->block) && has_fence(race, accessor->block->number)
             ? RULE_FENCE_WITHOUT_FLAG
             : RULE_PLAIN_FLAG;
}

// Does a thread of the accessor's block know of the rival, or the accessor of a thread of the
// rival's block, behind the racing access? Then one speaks for its block, but not for all of it.
static bool is_spoken_for(const Accessor *accessor, const Rival *rival) {
  const Block *block = accessor->block;
  uint32_t time = rival->entry->time;
  if (accessor->warp->acquired & accessor->lanes)
    return false; // it speaks for itself
  if (clock_latest(accessor->group->clock.part[CLOCK_THREADS], rival->block) >= time)
    return true;
  for (uint32_t w = 0; w < block->emu->warp_count; w++) {
    const Warp *warp = &block->warps[w];
    for (uint32_t g = 0; g < warp->group_count; g++)
      if (clock_time(warp->groups[g].clock.part[CLOCK_THREADS], rival->block, rival->slot) >= time)
        return true;
  }
  return false;
}

static RuleNumber distance_fault(const Accessor *accessor, const Rival *rival) {
  const Race *race = accessor->race;
  uint32_t own = accessor->block->number;
  const Grid *first = &race->program->grids[block_grid(race, rival->block)];
  const Grid *second = &race->program->grids[block_grid(race, own)];
  if (first != second)
    return first->is_host || second->is_host || first->gpu != second->gpu
               ? RULE_NO_SYNCHRONISATION
               : RULE_STREAM_ORDER_MISSING;
  if (rival->block != own)
    return is_spoken_for(accessor, rival) ? RULE_BARRIER_MISSING : RULE_NO_SYNCHRONISATION;
  return rival->slot >> 5 == accessor->warp_number ? RULE_WARP_SYNC_MISSING : RULE_BARRIER_MISSING;
}

// Is something that the lane has read released still waiting for an acquire that reaches it?
static bool has_pending(const Warp *warp, uint32_t lane) {
  for (uint32_t i = 0; warp->sync && i < warp->sync->pending_count; i++)
    if (warp->sync->pending[i].lanes >> lane & 1)
      return true;
  return false;
}

// Would the flag's scopes do if the machine made its accesses atomic?
static bool flag_is_limited(const Accessor *accessor, const Rival *rival,
                            const Communication *spoken) {
  const Race *race = accessor->race;
  return limits_are_cause(race, race_instruction(race, spoken->write_info), spoken->write_info,
                          rival->block, race_instruction(race, spoken->read_info),
                          spoken->read_info, accessor->block->number);
}

// Has another thread of its block spoken for the rival, without waiting for it?
static bool is_of_leader(const Communication *spoken, const Accessor *accessor,
                         const Rival *rival) {
  return !spoken->writers && rival->block != accessor->block->number &&
         block_of_thread(spoken->writer) == rival->block &&
         spoken->writer != (rival->block << SLOT_BITS | rival->slot);
}

static RuleNumber flag_fault(const Accessor *accessor, const Rival *rival,
                             const Communication *spoken) {
  const Block *block = accessor->block;
  Scope write = (Scope)info_field(spoken->write_info, INFO_SCOPE);
  Scope read = (Scope)info_field(spoken->read_info, INFO_SCOPE);
  if (is_weak(spoken->write_info) || is_weak(spoken->read_info))
    return plain_fault(accessor, rival, spoken->write_info, spoken->read_info);
  if (!scopes_are_mutual(accessor->race, write, rival->block, read, block->number))
    return flag_is_limited(accessor, rival, spoken) ? RULE_NOT_ATOMIC_HERE : RULE_SCOPE_TOO_NARROW;
  if (!spoken->has_release)
    return RULE_RELEASE_MISSING;
  const Warp *reader = &block->warps[spoken->reader >> 5 & 31];
  if (!spoken->has_acquire && (spoken->is_reduction || reader->fenced < spoken->read_time))
    return RULE_ACQUIRE_MISSING;
  if (spoken->is_narrow || has_pending(reader, spoken->reader & 31))
    return RULE_SCOPE_TOO_NARROW;
  return is_of_leader(spoken, accessor, rival) ? RULE_BARRIER_MISSING
                                               : distance_fault(accessor, rival);
}

// --- the two accesses themselves

static bool is_poll(const Race *race, uint32_t block, const Instruction *instruction,
                    bool is_for_own_block) {
  const KernelCode *code = race->program->grids[block_grid(race, block)].code;
  uint32_t count = code->instruction_count, place = (uint32_t)(instruction - code->instructions);
  return poll_is_at(code->instructions, count, place) &&
         !(is_for_own_block && poll_meets_block(code->instructions, count, place));
}

static bool is_polled(const Accessor *accessor, const Rival *rival) {
  const Race *race = accessor->race;
  bool is_same_block = rival->block == accessor->block->number;
  if ((is_same_block && rival->slot >> 5 == accessor->warp_number) ||
      rival->entry->is_write == accessor->is_write)
    return false;
  return accessor->is_write
             ? is_poll(race, rival->block, race_instruction(race, rival->entry->info),
                       is_same_block)
             : is_poll(race, accessor->block->number, accessor->instruction, is_same_block);
}

static bool is_copy(uint32_t info) {
  return info_field(info, INFO_BANK) != BANK_THREADS;
}

static RuleNumber classify(const Accessor *accessor, const Rival *rival,
                           const Communication **spoken) {
  const Race *race = accessor->race;
  uint32_t own = accessor->info, other = rival->entry->info;
  if ((info_field(own, INFO_PROXY) != PROXY_GENERIC ||
       info_field(other, INFO_PROXY) != PROXY_GENERIC) &&
      access_is_ordered(accessor, rival->entry, rival->block))
    return RULE_PROXY_FENCE_MISSING;
  if (is_copy(own) || is_copy(other))
    return RULE_ASYNC_NOT_WAITED;
  if (!is_weak(own) && !is_weak(other) &&
      !scopes_are_mutual(race, (Scope)info_field(own, INFO_SCOPE), accessor->block->number,
                         (Scope)info_field(other, INFO_SCOPE), rival->block))
    return limits_are_cause(race, accessor->instruction, own, accessor->block->number,
                            race_instruction(race, other), other, rival->block)
               ? RULE_NOT_ATOMIC_HERE
               : RULE_SCOPE_TOO_NARROW;
  *spoken = find_communication(accessor, rival);
  if (*spoken)
    return flag_fault(accessor, rival, *spoken);
  if (is_polled(accessor, rival))
    return plain_fault(accessor, rival, accessor->is_write ? own : other,
                       accessor->is_write ? other : own);
  return distance_fault(accessor, rival);
}

// --- writes of one value

// What the rival wrote is what memory holds, unless it is another lane of the same instruction.
static bool is_same_value(const Accessor *accessor, const Place *place, const Rival *rival) {
  const RaceOptions *options = &accessor->race->options;
  uint64_t old;
  if (!accessor->has_value || !rival->entry->is_write || !rival->is_same_place)
    return false;
  bool is_together = rival->block == accessor->block->number &&
                     rival->slot >> 5 == accessor->warp_number &&
                     rival->entry->time == accessor->time &&
                     info_place(rival->entry->info) == info_place(accessor->info);
  if (is_together)
    return accessor->access->values[rival->slot & 31] == accessor->value;
  return options->peek &&
         options->peek(options->peek_context, place->owner, place->address, place->size, &old) &&
         old == accessor->value;
}

// --- the finding

static RaceSide make_side(const Race *race, const Instruction *instruction, uint32_t block,
                          uint32_t thread, bool is_write, uint32_t info) {
  uint32_t grid = block_grid(race, block);
  bool is_of_mbarrier = info_field(info, INFO_BANK) == BANK_MBARRIERS;
  return (RaceSide){.instruction = instruction,
                    .grid = grid,
                    .block_in_grid = block - race->program->grids[grid].first_block,
                    .thread = is_of_mbarrier ? UINT32_MAX : thread,
                    .is_write = is_write,
                    .is_copy = is_copy(info)};
}

// A lane of the accessor other than the rival itself.
static uint32_t example_lane(const Accessor *accessor, const Rival *rival) {
  uint32_t lanes = accessor->lanes;
  if (rival->block == accessor->block->number && rival->slot >> 5 == accessor->warp_number &&
      (lanes & (lanes - 1)))
    lanes &= ~(1u << (rival->slot & 31));
  return bits_first(lanes);
}

static RuleNumber rule_of(const Accessor *accessor, const Rival *rival) {
  bool is_read_only = info_field(accessor->info, INFO_PROXY) == PROXY_TEXTURE;
  if (is_read_only && block_grid(accessor->race, rival->block) == accessor->block->emu->grid)
    return RULE_NC_LOAD_OF_WRITTEN_DATA;
  // Asynchronous operations are cut in pieces by us, not by the program.
  bool has_copy = is_copy(accessor->info) || is_copy(rival->entry->info);
  return rival->is_same_place || has_copy || accessor->race->options.is_cuda ? RULE_DATA_RACE
                                                                             : RULE_TORN_ACCESS;
}

static void mark_flag(const Race *race, RaceFinding *found, const Communication *spoken) {
  found->sides[0].flag = race_instruction(race, spoken->write_info);
  found->sides[1].flag = race_instruction(race, spoken->read_info);
}

static bool is_of_textures(const Accessor *accessor, const Entry *entry) {
  return info_field(accessor->info, INFO_PROXY) == PROXY_TEXTURE ||
         info_field(entry->info, INFO_PROXY) == PROXY_TEXTURE;
}

void access_report(const Accessor *accessor, const Place *place, const Rival *rival) {
  Race *race = accessor->race;
  const Communication *spoken = NULL;
  const Entry *entry = rival->entry;
  RaceFinding found = {.rule = rule_of(accessor, rival),
                       .sub = RULE_COUNT,
                       .address = place->address,
                       .is_shared = place->owner != NULL,
                       .is_reuse = is_copy(accessor->info) && accessor->is_write &&
                                   !entry->is_write && !is_copy(entry->info),
                       .count = 1};
  found.sides[0] = make_side(race, race_instruction(race, entry->info), rival->block, rival->slot,
                             entry->is_write, entry->info);
  found.sides[1] = make_side(race, accessor->instruction, accessor->block->number,
                             accessor->warp_number << 5 | example_lane(accessor, rival),
                             accessor->is_write, accessor->info);
  if (found.rule == RULE_DATA_RACE) {
    found.sub = is_same_value(accessor, place, rival) ? RULE_SAME_VALUE
                                                      : classify(accessor, rival, &spoken);
    if (spoken)
      mark_flag(race, &found, spoken);
    // There is no fence for the read-only path: only the end of a launch orders it (spec E.1).
    if (found.sub == RULE_PROXY_FENCE_MISSING && is_of_textures(accessor, entry)) {
      found.rule = RULE_NC_LOAD_OF_WRITTEN_DATA;
      found.sub = RULE_COUNT;
    }
  }
  atomic_fetch_add_explicit(&race->races, 1, memory_order_relaxed);
  if (found.sub == RULE_SAME_VALUE && race->options.hide_same_value)
    return;
  findings_add(race->findings, &found);
}

static bool is_same_span(const Instruction *a, const Instruction *b) {
  return a->span.source == b->span.source && a->span.begin == b->span.begin;
}

// Elements of a vector, and copies of the code, are one line to the reader.
static bool is_explained(const Race *race, uint32_t i) {
  const Communication *spoken = race->spoken;
  for (uint32_t j = 0; j < i; j++)
    if (is_same_span(race_instruction(race, spoken[i].read_info),
                     race_instruction(race, spoken[j].read_info)) &&
        is_same_span(race_instruction(race, spoken[i].write_info),
                     race_instruction(race, spoken[j].write_info)))
      return true;
  return false;
}

void race_explain(const Race *race, DiagList *findings, Diag *diag) {
  for (uint32_t i = 0; i < race->spoken_count; i++) {
    const Instruction *write = race_instruction(race, race->spoken[i].write_info);
    const Instruction *read = race_instruction(race, race->spoken[i].read_info);
    if (is_explained(race, i))
      continue;
    diag_note(findings, diag, read->span, "a value of another thread is %s here: `%s`",
              race->spoken[i].is_overwrite ? "overwritten" : "read", read->text);
    if (!is_same_span(write, read))
      diag_note(findings, diag, write->span, "it was written here: `%s`", write->text);
  }
}
