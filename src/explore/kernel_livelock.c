// Livelocks of kernels (spec F.1): a schedule that lets every thread that is not blocked take a
// step in each round, and a stretch of it that can be repeated for ever. Loops that only read are
// liveness.c's; this is for those whose rounds write, which the exploration has to cut.
//
// The threads are run under a few periodic schedules. Now and then the state is kept; when all
// threads are back at the same places, what differs from the state that was kept is marked
// (kernel_lasso.h), and the same number of rounds is run once more. If no mark decided anything,
// and what is marked afterwards was marked before, then the rounds do the same from the state that
// they lead to as from the one before it, and so for ever. Counters that nobody tests thus do not
// hide the cycle; one that somebody tests ends it, and then nothing is claimed.
#include "base/rules.h"
#include "base/witness.h"
#include "explore/kernel_lasso.h"
#include "explore/livelock.h"
#include "ir/fault.h"
#include "ir/memory.h"

#include <string.h>

enum {
  SCHEDULES = 64,
  MOST_ROUNDS = 1 << 12,
  MOST_TRIES = 16,             // stretches of one schedule that are run again
  MOST_MARKINGS = 4,           // how often what is marked is extended
  MOST_STEPS_OF_ONE = 1 << 20, // instructions of one schedule
  MOST_STEPS_OF_ALL = 1 << 24,
  MOST_STEPS_IN_ROUND = 3,
  MOST_DELAY = 8,
  MOST_TOLD = 8,
};

// In each round each running thread takes some steps, one thread after the other.
typedef struct Schedule {
  uint32_t number;
  bool descends, whole_rounds;
} Schedule;

typedef struct Hunt {
  Walk walk;
  WalkState kept, tried;
  uint8_t *marked_registers, *marked_bytes; // at the beginning of a cycle
  size_t register_bytes, memory_bytes;
  bool *goes_round; // of each thread: it has taken a step in the cycle
  Arena *arena;
} Hunt;

// --- schedules

static Schedule schedule_of(uint32_t number) {
  return (Schedule){.number = number, .descends = number & 1, .whole_rounds = number >> 1 & 1};
}

// The first four schedules treat all threads alike.
static uint32_t spread(const Schedule *schedule, uint32_t thread, uint32_t salt, uint32_t count) {
  uint32_t hash =
      ((schedule->number >> 2) * 0x9e3779b9u) ^ ((thread + 1) * 0x85ebca6bu) ^ (salt * 0xc2b2ae35u);
  hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
  hash ^= hash >> 13;
  return schedule->number < 4 ? 0 : hash % count;
}

static uint32_t delay_of(const Schedule *schedule, uint32_t thread) {
  return spread(schedule, thread, 1, MOST_DELAY);
}

static uint32_t steps_in_round(const Schedule *schedule, uint32_t thread) {
  return 1 + (schedule->number & 4 ? 0 : spread(schedule, thread, 2, MOST_STEPS_IN_ROUND));
}

// --- running

static void run_thread(Hunt *hunt, const Schedule *schedule, uint32_t thread) {
  uint32_t steps = steps_in_round(schedule, thread);
  for (uint32_t i = 0; i < steps && hunt->walk.walkers[thread].status == WALKER_RUNNING; i++) {
    walk_step(&hunt->walk, thread, schedule->whole_rounds);
    hunt->goes_round[thread] = true;
  }
}

// False: nobody could take a step.
static bool run_round(Hunt *hunt, const Schedule *schedule, uint32_t round) {
  Walk *walk = &hunt->walk;
  uint32_t count = walk->program->thread_count;
  bool is_alive = false;
  walk_start_threads(walk);
  for (uint32_t i = 0; i < count && !walk->has_failed; i++) {
    uint32_t thread = schedule->descends ? count - 1 - i : i;
    if (walk->walkers[thread].status != WALKER_RUNNING)
      continue;
    is_alive = true;
    if (round >= delay_of(schedule, thread))
      run_thread(hunt, schedule, thread);
  }
  return is_alive && !walk->has_failed;
}

static void begin_cycle(Hunt *hunt) {
  walk_forget_accesses(&hunt->walk);
  memset(hunt->goes_round, 0, hunt->walk.program->thread_count * sizeof *hunt->goes_round);
}

// --- cycles

static void keep_marks(Hunt *hunt) {
  memcpy(hunt->marked_registers, hunt->walk.marked_registers, hunt->register_bytes);
  memcpy(hunt->marked_bytes, hunt->walk.marked_bytes, hunt->memory_bytes);
}

// Joins what was marked before the cycle to what is marked after it; true: nothing is new.
static bool join_marks(uint8_t *now, const uint8_t *before, size_t count) {
  bool is_subset = true;
  for (size_t i = 0; i < count; i++) {
    is_subset = is_subset && now[i] <= before[i];
    now[i] |= before[i];
  }
  return is_subset;
}

// Do the rounds lead from the state before them, where the marked may be anything, to one that only
// differs from it in what is marked? *grows: they do if more is marked, which it is now.
static bool repeats(Hunt *hunt, const Schedule *schedule, uint32_t rounds, bool *grows) {
  Walk *walk = &hunt->walk;
  *grows = false;
  keep_marks(hunt);
  begin_cycle(hunt);
  for (uint32_t i = 0; i < rounds; i++)
    if (!run_round(hunt, schedule, MOST_DELAY))
      return false;
  if (!walk_is_at(walk, &hunt->tried))
    return false;
  bool registers = join_marks(walk->marked_registers, hunt->marked_registers, hunt->register_bytes);
  bool memory = join_marks(walk->marked_bytes, hunt->marked_bytes, hunt->memory_bytes);
  *grows = !registers || !memory;
  return !*grows;
}

// The state is `rounds` rounds behind the one that was kept, with all threads at the same places.
// Leaves the state as it was unless there is a cycle.
static bool is_cycle(Hunt *hunt, const Schedule *schedule, uint32_t rounds) {
  Walk *walk = &hunt->walk;
  bool grows = true, is_found = false;
  walk->instruction_count += (hunt->register_bytes + hunt->memory_bytes) / 4; // what it costs
  walk_save(walk, &hunt->tried);
  walk_mark_difference(walk, &hunt->kept);
  for (uint32_t i = 0; i < MOST_MARKINGS && grows; i++) {
    is_found = repeats(hunt, schedule, rounds, &grows);
    if (!is_found)
      walk_load(walk, &hunt->tried);
  }
  if (is_found)
    return true;
  walk_clear_marks(walk);
  walk->has_failed = false;
  return false;
}

static bool has_cycle(Hunt *hunt, const Schedule *schedule) {
  Walk *walk = &hunt->walk;
  uint64_t most = walk->instruction_count + MOST_STEPS_OF_ONE;
  uint32_t kept_at = 0, tries = 0;
  walk_restart(walk);
  for (uint32_t round = 0; round < MOST_ROUNDS && walk->instruction_count < most; round++) {
    if (round >= MOST_DELAY && (round & (round - 1)) == 0) {
      walk->instruction_count += (hunt->register_bytes + hunt->memory_bytes) / 4;
      walk_save(walk, &hunt->kept);
      kept_at = round;
      tries = 0;
    } else if (kept_at && tries < MOST_TRIES && walk_is_at(walk, &hunt->kept)) {
      tries++;
      if (is_cycle(hunt, schedule, round - kept_at))
        return true;
    }
    if (!run_round(hunt, schedule, round))
      return false;
  }
  return false;
}

// --- the report

static const Instruction *instruction_at(const Hunt *hunt, uint32_t thread, uint32_t number) {
  return &hunt->walk.codes[thread].thread->instructions[number];
}

static const WalkAccess *last_read(const Hunt *hunt, uint32_t thread) {
  const WalkAccess *read = &hunt->walk.last_reads[thread];
  return read->instruction == UINT32_MAX ? NULL : read;
}

// The last read that the thread's way may depend on, else where it is.
static const Instruction *place_of(const Hunt *hunt, uint32_t thread) {
  const WalkAccess *read = last_read(hunt, thread);
  return instruction_at(hunt, thread, read ? read->instruction : hunt->walk.walkers[thread].pc);
}

static bool goes_alike(const Hunt *hunt, uint32_t a, uint32_t b) {
  return hunt->goes_round[a] && hunt->goes_round[b] && place_of(hunt, a) == place_of(hunt, b) &&
         hunt->walk.last_reads[a].address == hunt->walk.last_reads[b].address;
}

static bool is_first_at(const Hunt *hunt, uint32_t thread) {
  for (uint32_t t = 0; t < thread; t++)
    if (goes_alike(hunt, t, thread))
      return false;
  return hunt->goes_round[thread];
}

static const char *and_others(const Hunt *hunt, uint32_t thread, Arena *arena) {
  uint32_t others = 0;
  for (uint32_t t = thread + 1; t < hunt->walk.program->thread_count; t++)
    others += goes_alike(hunt, thread, t);
  return others ? arena_format(arena, " (and %u others)", others) : "";
}

static const char *last_value(const Hunt *hunt, uint32_t thread, Arena *arena) {
  const WalkAccess *read = last_read(hunt, thread);
  if (!read)
    return "";
  return arena_format(arena, " (it has last seen %s = %lld)",
                      walk_place_name(&hunt->walk, read->address, read->size, arena),
                      (long long)read->found);
}

// Who of the others changes what the thread looks at, while they go round.
static void note_writer(const Hunt *hunt, uint32_t thread, DiagList *findings, Diag *diag) {
  const WalkAccess *read = last_read(hunt, thread);
  if (!read)
    return;
  for (uint32_t i = 0; i < hunt->walk.change_count; i++) {
    const WalkAccess *change = &hunt->walk.changes[i];
    if (change->thread == thread || change->address + change->size <= read->address ||
        read->address + read->size <= change->address)
      continue;
    const Instruction *instruction = instruction_at(hunt, change->thread, change->instruction);
    diag_note(findings, diag, instruction->span, "%s changes it again and again: `%s`",
              hunt->walk.program->threads[change->thread].name, instruction->text);
    return;
  }
  diag_note(findings, diag, place_of(hunt, thread)->span,
            "no other thread that goes on changes what it reads");
}

// --- the witness: one turn of the cycle

static const char *label_of(const Hunt *hunt, const WalkAccess *access, Arena *arena) {
  const char *place = walk_place_name(&hunt->walk, access->address, access->size, arena);
  IrOp op = instruction_at(hunt, access->thread, access->instruction)->op;
  if (op == IR_LOAD)
    return arena_format(arena, "R %s = %lld", place, (long long)access->found);
  if (op == IR_STORE)
    return arena_format(arena, "W %s = %lld", place, (long long)access->left);
  return arena_format(arena, "RW %s: %lld -> %lld", place, (long long)access->found,
                      (long long)access->left);
}

static uint32_t number_of_thread(Witness *witness, const char *name) {
  uint32_t i = 0;
  while (i < witness->thread_count && witness->thread_names[i] != name)
    i++;
  if (i == witness->thread_count)
    witness->thread_names[witness->thread_count++] = name;
  return i;
}

// Program order to the next access of the same thread.
static void draw_order(const Hunt *hunt, Witness *witness, uint32_t from) {
  for (uint32_t to = from + 1; to < hunt->walk.shown_count; to++)
    if (hunt->walk.shown[to].thread == hunt->walk.shown[from].thread) {
      witness->edges[witness->edge_count++] = (WitnessEdge){"po", from, to, false};
      return;
    }
}

static const Witness *draw(const Hunt *hunt, Arena *arena) {
  uint32_t count = hunt->walk.shown_count;
  Witness *witness = ARENA_NEW(arena, Witness);
  uint32_t *order = ARENA_ARRAY(arena, uint32_t, count + 1);
  witness->title = "turns that can be taken again and again";
  witness->explanation = arena_format(arena, "%s accesses of one round of turns, in their order",
                                      count == WALK_MOST_SHOWN ? "the first" : "all");
  witness->thread_names = ARENA_ARRAY(arena, const char *, count + 1);
  witness->events = ARENA_ARRAY(arena, WitnessEvent, count + 1);
  witness->edges = ARENA_ARRAY(arena, WitnessEdge, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const WalkAccess *access = &hunt->walk.shown[i];
    const char *name = hunt->walk.program->threads[access->thread].name;
    witness->events[witness->event_count++] =
        (WitnessEvent){number_of_thread(witness, name), label_of(hunt, access, arena),
                       instruction_at(hunt, access->thread, access->instruction)->span};
    order[witness->order_count++] = i;
    draw_order(hunt, witness, i);
  }
  witness->order = order;
  return witness;
}

static void report(const Hunt *hunt, DiagList *findings) {
  const Program *program = hunt->walk.program;
  Arena *arena = findings->arena;
  Diag *diag = NULL;
  uint32_t told = 0;
  for (uint32_t t = 0; t < program->thread_count && told < MOST_TOLD; t++) {
    if (!is_first_at(hunt, t))
      continue;
    told++;
    const Instruction *instruction = place_of(hunt, t);
    const char *text = arena_format(arena, "%s%s goes round in a loop that may never end%s: `%s`",
                                    program->threads[t].name, and_others(hunt, t, arena),
                                    last_value(hunt, t, arena), instruction->text);
    if (diag)
      diag_note(findings, diag, instruction->span, "%s", text);
    else
      diag =
          diag_add(findings, SEVERITY_ERROR, rule_id(RULE_LIVELOCK), instruction->span, "%s", text);
    fault_note_inlining(findings, diag, instruction);
    note_writer(hunt, t, findings, diag);
  }
  diag->witness = draw(hunt, arena);
  diag->reason = "the threads can take turns so that all that they test comes back to what it was, "
                 "though each of them goes on";
}

// --- the whole

static bool init_hunt(Hunt *hunt, const Program *program, const Code *codes, Arena *arena) {
  if (!walk_init(&hunt->walk, program, codes, arena))
    return false;
  hunt->kept = walk_new_state(&hunt->walk, arena);
  hunt->tried = walk_new_state(&hunt->walk, arena);
  hunt->register_bytes = hunt->walk.first_register[program->thread_count];
  hunt->memory_bytes = hunt->walk.first_byte[program->memory->region_count];
  hunt->marked_registers = ARENA_ARRAY(arena, uint8_t, hunt->register_bytes + 1);
  hunt->marked_bytes = ARENA_ARRAY(arena, uint8_t, hunt->memory_bytes + 1);
  hunt->goes_round = ARENA_ARRAY(arena, bool, program->thread_count + 1);
  return true;
}

bool kernel_livelock_report(const Program *program, const Code *codes, Arena *arena,
                            DiagList *findings) {
  ArenaMark mark = arena_mark(arena);
  Hunt hunt = {.arena = arena};
  bool is_found = false;
  if (init_hunt(&hunt, program, codes, arena))
    for (uint32_t i = 0; i < SCHEDULES && !is_found; i++) {
      Schedule schedule = schedule_of(i);
      is_found = hunt.walk.instruction_count < MOST_STEPS_OF_ALL && has_cycle(&hunt, &schedule);
    }
  if (is_found)
    report(&hunt, findings);
  arena_reset(arena, mark);
  return is_found;
}
