// Warp collectives: bar.warp.sync orders memory among its participants; shuffles, votes and the
// like only exchange values (spec A.2).
#include "explore/kernel.h"
#include "explore/kernel_slots.h"
#include "explore/symmetry.h"
#include "ir/collective.h"

enum { WARP = 32 };

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

uint32_t kernel_thread_of_lane(const Search *search, uint32_t thread, uint32_t lane) {
  const Program *program = search->program;
  const ThreadGroup *block = &program->blocks[program->threads[thread].block];
  uint32_t peer = thread - program->threads[thread].lane + lane;
  if (peer > block->threads[block->count - 1] ||
      program->threads[peer].warp != program->threads[thread].warp)
    return UINT32_MAX;
  return peer;
}

static const Instruction *instruction_at(const Search *search, uint32_t thread) {
  return &search->codes[thread].thread->instructions[search->threads[thread].pc];
}

static bool is_barrier(const Instruction *instruction) {
  return instruction->op == IR_BARRIER_WARP;
}

static bool asks_who_is_active(const Instruction *instruction) {
  return instruction->op == IR_COLLECTIVE && instruction->collective == COLLECTIVE_ACTIVE_MASK;
}

// activemask names the lanes that execute it together, which may be any that are at it: those that
// are when no other lane of the warp can come without waiting for something.
static bool lane_is_active_or_late(const Search *search, uint32_t thread, uint32_t peer) {
  const ThreadState *state = &search->threads[peer];
  return instruction_at(search, thread) == instruction_at(search, peer)
             ? state->status == THREAD_AT_COLLECTIVE
             : state->status != THREAD_RUNNING || state->waits_for != 0;
}

// Lanes that the collective does not wait for have exited.
static bool lane_is_there(const Search *search, uint32_t thread, uint32_t lane) {
  uint32_t peer = kernel_thread_of_lane(search, thread, lane);
  if (peer == UINT32_MAX || search->threads[peer].status == THREAD_FINISHED)
    return true;
  const Instruction *mine = instruction_at(search, thread), *its = instruction_at(search, peer);
  if (asks_who_is_active(mine))
    return lane_is_active_or_late(search, thread, peer);
  if (search->threads[peer].status != THREAD_AT_COLLECTIVE ||
      search->threads[peer].mask != search->threads[thread].mask)
    return false;
  return is_barrier(mine) ? is_barrier(its) : mine == its;
}

static bool all_are_there(const Search *search, uint32_t thread) {
  uint64_t mask = search->threads[thread].mask;
  for (uint32_t lane = 0; lane < WARP; lane++)
    if ((mask >> lane & 1) && !lane_is_there(search, thread, lane))
      return false;
  return true;
}

static bool takes_part(const Search *search, uint32_t thread, uint32_t lane, uint32_t *peer) {
  *peer = kernel_thread_of_lane(search, thread, lane);
  const Instruction *mine = instruction_at(search, thread);
  return (search->threads[thread].mask >> lane & 1) && *peer != UINT32_MAX &&
         search->threads[*peer].status == THREAD_AT_COLLECTIVE &&
         (!asks_who_is_active(mine) || instruction_at(search, *peer) == mine);
}

// --- values

static bool lane_is_known(const Search *search, uint32_t thread, uint32_t operand,
                          uint64_t *number) {
  const Operand *source = &instruction_at(search, thread)->src[operand];
  int64_t found = source->constant;
  bool is_known = source->kind != OPERAND_REGISTER ||
                  value_evaluate(&search->values, &search->graph,
                                 (ValueId)search->threads[thread].registers[source->index], &found);
  *number = (uint64_t)found;
  return is_known;
}

// Requires: known, or a vote that does not need it.
static uint64_t lane_number(const Search *search, uint32_t thread, uint32_t operand) {
  uint64_t number;
  lane_is_known(search, thread, operand, &number);
  return number;
}

// What one lane gets.
typedef struct Exchanged {
  ValueId first, second;
  UndefinedValue undefined; // of the first (kernel_undefined.c)
  TicketTaint ticket;       // of the first (kernel_slots.h)
} Exchanged;

static void shuffle(Search *search, uint32_t thread, Exchanged *result) {
  bool is_in_range;
  uint32_t peer,
      from = collective_shuffle_lane((Collective)instruction_at(search, thread)->collective,
                                     search->program->threads[thread].lane,
                                     (uint32_t)lane_number(search, thread, 1),
                                     (uint32_t)lane_number(search, thread, 2), &is_in_range);
  // From a lane that does not take part comes an undefined value.
  bool is_there = takes_part(search, thread, from, &peer);
  if (!is_there)
    peer = thread;
  const Operand *value = &instruction_at(search, peer)->src[0];
  result->first = kernel_value(search, peer, value);
  result->undefined = is_there ? kernel_undefined_operand(search, peer, value)
                               : (UndefinedValue){.bits = UINT32_MAX,
                                                  .origin = (uint32_t)search->threads[thread].pc,
                                                  .is_hollow = true};
  result->second = values_constant(&search->values, is_in_range);
  result->ticket = slots_are_on(search) ? slots_operand(search, peer, value) : 0;
}

static uint64_t reduce(const Search *search, uint32_t thread) {
  uint64_t values[WARP];
  uint32_t lanes = 0, peer;
  for (uint32_t lane = 0; lane < WARP; lane++)
    if (takes_part(search, thread, lane, &peer)) {
      values[lane] = lane_number(search, peer, 0);
      lanes |= 1u << lane;
    }
  return collective_reduce(instruction_at(search, thread)->alu, lanes, values);
}

// Lanes whose operand is not zero, lanes whose operand equals the thread's, lanes that take part.
typedef struct Lanes {
  uint32_t set, equal, all;
} Lanes;

static Lanes survey(const Search *search, uint32_t thread) {
  Lanes lanes = {0};
  uint64_t own = lane_number(search, thread, 0);
  for (uint32_t lane = 0; lane < WARP; lane++) {
    uint32_t peer;
    if (!takes_part(search, thread, lane, &peer))
      continue;
    uint64_t number = lane_number(search, peer, 0);
    lanes.all |= 1u << lane;
    lanes.set |= number ? 1u << lane : 0;
    lanes.equal |= number == own ? 1u << lane : 0;
  }
  return lanes;
}

static uint64_t exchange(const Search *search, uint32_t thread, uint64_t *second) {
  Lanes lanes = survey(search, thread);
  uint32_t lane = search->program->threads[thread].lane;
  *second = 0;
  switch ((Collective)instruction_at(search, thread)->collective) {
  case COLLECTIVE_VOTE_ALL:
    return lanes.set == lanes.all;
  case COLLECTIVE_VOTE_ANY:
    return lanes.set != 0;
  case COLLECTIVE_VOTE_UNIFORM:
    return lanes.set == lanes.all || lanes.set == 0;
  case COLLECTIVE_VOTE_BALLOT:
    return lanes.set;
  case COLLECTIVE_MATCH_ANY:
    return lanes.equal;
  case COLLECTIVE_MATCH_ALL:
    *second = lanes.equal == lanes.all;
    return *second ? lanes.all : 0;
  case COLLECTIVE_ELECT:
    *second = lane == bits_first(lanes.all);
    return bits_first(lanes.all);
  case COLLECTIVE_ACTIVE_MASK:
    return lanes.all;
  case COLLECTIVE_REDUCE:
    return reduce(search, thread);
  default:
    return 0;
  }
}

static bool is_shuffle(const Instruction *instruction) {
  return instruction->collective <= COLLECTIVE_SHUFFLE_XOR;
}

static void lane_results(Search *search, uint32_t thread, Exchanged *result) {
  if (is_shuffle(instruction_at(search, thread))) {
    shuffle(search, thread, result);
    return;
  }
  uint64_t other, number = exchange(search, thread, &other);
  *result = (Exchanged){.first = values_constant(&search->values, (int64_t)number),
                        .second = values_constant(&search->values, (int64_t)other)};
}

// Votes, masks and numbers of lanes depend on what they are given.
static void use_operands(Search *search, uint32_t thread) {
  const Instruction *instruction = instruction_at(search, thread);
  for (uint32_t i = is_shuffle(instruction) ? 1 : 0; i < 5; i++)
    kernel_use_operand(search, thread, &instruction->src[i], search->threads[thread].pc);
}

// --- completion

static void leave(Search *search, const uint32_t *peers, uint32_t count) {
  kernel_note_exchange(search, peers, count, (uint32_t)search->threads[peers[0]].mask,
                       !asks_who_is_active(instruction_at(search, peers[0])));
  for (uint32_t i = 0; i < count; i++) {
    set(search, &search->threads[peers[i]].status, THREAD_RUNNING);
    set(search, &search->threads[peers[i]].pc, search->threads[peers[i]].pc + 1);
  }
}

// What lanes get may differ between members of whom one of them belongs to (symmetry.h).
typedef struct ExchangedTaints {
  Taint first, second;
} ExchangedTaints;

static uint64_t exchanged_number(const Search *search, ValueId id) {
  int64_t number = 0;
  value_evaluate(&search->values, &search->graph, id, &number);
  return (uint64_t)number;
}

// For all members, by the operands that the lanes would have.
static void find_taints(Search *search, const uint32_t *peers, uint32_t count,
                        ExchangedTaints *taints) {
  uint64_t first[WARP][SYMMETRY_MOST_MEMBERS], second[WARP][SYMMETRY_MOST_MEMBERS];
  uint64_t kept[WARP];
  Exchanged result;
  uint32_t members = symmetry_group(search, peers[0])->member_count;
  for (uint32_t m = 0; m < members; m++) {
    for (uint32_t i = 0; i < count; i++)
      kept[i] = symmetry_begin_as(search, peers[i], &instruction_at(search, peers[i])->src[0], m);
    for (uint32_t i = 0; i < count; i++) {
      lane_results(search, peers[i], &result);
      first[i][m] = exchanged_number(search, result.first);
      second[i][m] = exchanged_number(search, result.second);
    }
    for (uint32_t i = 0; i < count; i++)
      symmetry_end_as(search, peers[i], &instruction_at(search, peers[i])->src[0], kept[i]);
  }
  for (uint32_t i = 0; i < count; i++)
    taints[i] = (ExchangedTaints){symmetry_vector(search, peers[i], first[i]),
                                  symmetry_vector(search, peers[i], second[i])};
}

static bool has_taint(Search *search, const uint32_t *peers, uint32_t count) {
  bool is_tainted = false, is_known = true;
  for (uint32_t i = 0; search->symmetry && i < count; i++) {
    uint64_t number;
    const Operand *operand = &instruction_at(search, peers[i])->src[0];
    is_tainted = is_tainted || (search->symmetry->group_of[peers[i]] &&
                                symmetry_operand(search, peers[i], operand) != TAINT_NONE);
    is_known = is_known && lane_is_known(search, peers[i], 0, &number);
  }
  if (is_tainted && !is_known)
    symmetry_break(search);
  return is_tainted && is_known;
}

static void complete_exchange(Search *search, uint32_t thread) {
  uint32_t peers[WARP], count = 0;
  Exchanged results[WARP];
  ExchangedTaints taints[WARP];
  for (uint32_t lane = 0; lane < WARP; lane++)
    if (takes_part(search, thread, lane, &peers[count]))
      count++;
  // All results are computed before any register or status changes.
  for (uint32_t i = 0; i < count; i++)
    lane_results(search, peers[i], &results[i]);
  bool is_tainted = has_taint(search, peers, count);
  if (is_tainted)
    find_taints(search, peers, count, taints);
  for (uint32_t i = 0; i < count; i++) {
    const Instruction *instruction = instruction_at(search, peers[i]);
    if (search->kernel->has_undefined)
      use_operands(search, peers[i]);
    kernel_set_register(search, peers[i], instruction->dst, results[i].first);
    kernel_set_undefined(search, peers[i], instruction->dst, results[i].undefined);
    kernel_set_register(search, peers[i], instruction->more[0], results[i].second);
    if (results[i].ticket)
      slots_set(search, peers[i], instruction->dst, results[i].ticket);
    if (is_tainted) {
      symmetry_set(search, peers[i], instruction->dst, taints[i].first);
      symmetry_set(search, peers[i], instruction->more[0], taints[i].second);
    }
  }
  leave(search, peers, count);
}

static bool complete_barrier(Search *search, uint32_t thread) {
  uint32_t peers[WARP], events[WARP], count = 0, meeting;
  for (uint32_t lane = 0; lane < WARP; lane++)
    if (takes_part(search, thread, lane, &peers[count])) {
      events[count] = (uint32_t)search->threads[peers[count]].arrival;
      count++;
    }
  if (!kernel_add_meeting(search, peers[0], events, count, &meeting) ||
      !graph_order_sets(&search->graph, &meeting, 1, events, count))
    return false;
  leave(search, peers, count);
  return true;
}

// A vote of all is over with the first lane that is known to be against it, a vote of any with the
// first that is for it.
static bool is_early_vote(const Instruction *instruction) {
  return instruction->op == IR_COLLECTIVE && (instruction->collective == COLLECTIVE_VOTE_ALL ||
                                              instruction->collective == COLLECTIVE_VOTE_ANY);
}

static bool is_decided(const Search *search, uint32_t thread) {
  const Instruction *vote = instruction_at(search, thread);
  bool deciding = vote->collective == COLLECTIVE_VOTE_ANY, all_are_known = true;
  for (uint32_t lane = 0; is_early_vote(vote) && lane < WARP; lane++) {
    uint32_t peer;
    uint64_t number;
    if (!takes_part(search, thread, lane, &peer))
      continue;
    bool is_known = lane_is_known(search, peer, 0, &number);
    if (is_known && (number != 0) == deciding)
      return true;
    all_are_known = all_are_known && is_known;
  }
  return all_are_known;
}

// A lane at the same collective that counts on one of these lanes, by another mask.
static bool find_other_mask(const Search *search, uint32_t thread, uint32_t *other) {
  const Instruction *mine = instruction_at(search, thread);
  uint64_t mask = search->threads[thread].mask;
  for (uint32_t lane = 0; lane < WARP; lane++) {
    *other = kernel_thread_of_lane(search, thread, lane);
    if (*other != UINT32_MAX && search->threads[*other].status == THREAD_AT_COLLECTIVE &&
        instruction_at(search, *other) == mine && search->threads[*other].mask != mask &&
        (search->threads[*other].mask & mask))
      return true;
  }
  return false;
}

bool kernel_try_collective(Search *search, uint32_t thread, bool *released) {
  uint32_t other;
  *released = all_are_there(search, thread) && is_decided(search, thread);
  if (!*released)
    return true;
  if (find_other_mask(search, thread, &other))
    kernel_add_fault(search, other, RULE_BARRIER_MISMATCH);
  if (is_barrier(instruction_at(search, thread)))
    return complete_barrier(search, thread);
  complete_exchange(search, thread);
  return true;
}

// --- arriving

static bool needs_number(const Instruction *instruction, uint32_t operand) {
  if (asks_who_is_active(instruction))
    return false;
  if (operand == 0)
    return !is_barrier(instruction) && !is_shuffle(instruction) && !is_early_vote(instruction);
  return operand == 3 || is_shuffle(instruction);
}

bool kernel_collective(Search *search, uint32_t thread, const Instruction *instruction) {
  ThreadState *state = &search->threads[thread];
  uint64_t mask = asks_who_is_active(instruction) ? UINT32_MAX : 0, number;
  uint32_t event;
  for (uint32_t i = 0; i < 4; i++)
    if (needs_number(instruction, i) &&
        !kernel_number(search, thread, &instruction->src[i], i == 3 ? &mask : &number))
      return true;
  if (!(mask >> search->program->threads[thread].lane & 1)) {
    kernel_stop_at_fault(search, thread, RULE_BARRIER_MISMATCH);
    return true;
  }
  if (is_barrier(instruction)) {
    Event arrive = {.kind = EVENT_BARRIER, .thread = thread, .flags = EVENT_ARRIVES | EVENT_WAITS};
    if (!search_add_event(search, arrive, &event))
      return false;
    set(search, &state->arrival, event);
  }
  set(search, &state->mask, mask & 0xffffffff);
  set(search, &state->status, THREAD_AT_COLLECTIVE);
  return true;
}
