#include "emu/emu.h"

#include "emu/block.h"
#include "emu/barrier.h"
#include "emu/fault.h"
#include "emu/loop.h"
#include "emu/memory.h"
#include "emu/pool.h"
#include "emu/schedule.h"
#include "emu/warp.h"

#include <time.h>

// Rounds in which no block came to its end until more blocks run at a time: those that run may wait
// for others, but may as well have much to do.
enum { PATIENT_ROUNDS = 32 };

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// --- preparing

static void make_worker(Emu *emu, Worker *worker, uint32_t number) {
  uint32_t grids = emu->program->grid_count;
  worker->emu = emu;
  worker->number = number;
  worker->watcher = emu->options->watcher;
  worker->grid_caches = ARENA_ARRAY(emu->arena, const DeviceRegion **, grids + 1);
  for (uint32_t i = 0; i < grids; i++)
    worker->grid_caches[i] =
        ARENA_ARRAY(emu->arena, const DeviceRegion *, emu->grids[i].code->cache_count + 1);
}

static bool has_several_devices(const Program *program) {
  for (uint32_t i = 0; i < program->grid_count; i++)
    if (program->grids[i].is_host || program->grids[i].gpu != program->grids[0].gpu)
      return true;
  return false;
}

Emu *emu_begin(const Program *program, const EmuOptions *options, Arena *arena) {
  Emu *emu = ARENA_NEW(arena, Emu);
  emu->program = program;
  emu->options = options;
  emu->arena = arena;
  emu->vector = emu_vector_helpers();
  emu->is_alone = program->block_count == 1;
  emu->has_several_devices = has_several_devices(program);
  emu->random = options->seed;
  return emu;
}

static void prepare(Emu *emu) {
  const Program *program = emu->program;
  emu_place_memory(emu);
  emu->grids = ARENA_ARRAY(emu->arena, GridState, program->grid_count + 1);
  for (uint32_t i = 0; i < program->grid_count; i++) {
    emu_prepare_grid(emu, i);
    emu->counts.blocks += program->grids[i].block_count;
    emu->counts.threads += program->grids[i].thread_count;
  }
  emu->worker_count = emu->options->jobs ? emu->options->jobs : 1;
  if (emu->worker_count > EMU_MOST_JOBS)
    emu->worker_count = EMU_MOST_JOBS;
  emu->workers = ARENA_ARRAY(emu->arena, Worker, emu->worker_count);
  for (uint32_t i = 0; i < emu->worker_count; i++)
    make_worker(emu, &emu->workers[i], i);
  emu_start_workers(emu);
  emu_fill_memory(emu);
}

// --- between rounds

// Adds up what a block has counted; did it change what others could see?
static bool take_counts(Emu *emu, Block *block) {
  bool has_changed = block->changes > 0;
  emu->counts.instructions += block->instructions;
  emu->counts.accesses += block->accesses;
  emu->counts.barriers += block->barrier_count;
  block->total_instructions += block->instructions;
  block->instructions = block->accesses = block->barrier_count = block->changes = block->looks = 0;
  block->grid->launched += block->launched;
  block->launched = 0;
  return has_changed;
}

static void tell_cluster(Worker *worker, Block *block) {
  block->cluster->exited += block->exited;
  if (block->exited)
    emu_check_cluster(worker, block->cluster);
  block->exited = 0;
}

static void run_resident(Worker *worker, uint32_t i) {
  emu_run_block(worker, worker->emu->resident.items[i]);
}

// A seeded order of the blocks of the round.
static void shuffle_blocks(Emu *emu) {
  if (emu->options->schedule == EMU_SCHEDULE_ROUND_ROBIN)
    return;
  for (uint32_t i = emu->resident.count; i > 1; i--) {
    uint32_t j = (uint32_t)(emu_random(&emu->random) % i);
    Block *block = emu->resident.items[i - 1];
    emu->resident.items[i - 1] = emu->resident.items[j];
    emu->resident.items[j] = block;
  }
}

static void note_unsupported(Emu *emu, const Block *block) {
  if (!block->unsupported || emu->incomplete)
    return;
  const Instruction *instruction = block->unsupported->instruction;
  emu->incomplete =
      instruction->span.source
          ? arena_format(emu->arena, "%s:%u: `%s` is not supported", instruction->span.source->name,
                         source_position(instruction->span.source, instruction->span.begin).line,
                         instruction->text)
          : arena_format(emu->arena, "`%s` is not supported", instruction->text);
}

// Blocks do not keep step: now and then one falls behind, by a few rounds or by many.
static bool is_held(Emu *emu, Block *block) {
  enum { ONE_IN = 8, MOST_DOUBLINGS = 6 };
  if (emu->options->schedule == EMU_SCHEDULE_ROUND_ROBIN || emu->resident.count == 1)
    return false;
  if (block->held)
    return --block->held > 0;
  uint64_t random = emu_random(&emu->random);
  if (random % ONE_IN)
    return false;
  block->held = (uint32_t)((random >> 32) % (2ull << (random >> 16) % MOST_DOUBLINGS));
  return block->held > 0;
}

static bool finish_round(Emu *emu) {
  Worker *worker = &emu->workers[0];
  bool has_changed = false;
  for (uint32_t i = 0; i < emu->resident.count; i++) {
    Block *block = emu->resident.items[i];
    if (block->serial && !is_held(emu, block))
      emu_run_serial(worker, block);
  }
  for (uint32_t i = 0; i < emu->resident.count; i++) {
    Block *block = emu->resident.items[i];
    has_changed |= take_counts(emu, block);
    tell_cluster(worker, block);
    emu_collect_faults(emu, block);
    note_unsupported(emu, block);
  }
  return has_changed;
}

// --- limits

static bool is_at_limit(Emu *emu) {
  const EmuOptions *options = emu->options;
  if (options->max_instructions && emu->counts.instructions >= options->max_instructions)
    emu->incomplete = arena_format(emu->arena, "stopped after %llu instructions",
                                   (unsigned long long)options->max_instructions);
  else if (options->timeout_seconds > 0 && now_seconds() >= emu->deadline)
    emu->incomplete =
        arena_format(emu->arena, "stopped after %g seconds", options->timeout_seconds);
  else if (options->watcher && options->watcher->round_end &&
           !options->watcher->round_end(options->watcher->context))
    emu->incomplete = "stopped by the watcher";
  return emu->incomplete != NULL;
}

static bool has_runnable(const Emu *emu) {
  for (uint32_t i = 0; i < emu->resident.count; i++)
    if (emu->resident.items[i]->ready || emu->resident.items[i]->serial)
      return true;
  return false;
}

static bool has_work(const Emu *emu) {
  for (uint32_t i = 0; i < emu->program->grid_count; i++)
    if (!emu->grids[i].has_ended)
      return true;
  return false;
}

// --- the run

// Runs until all grids have ended; false: threads wait for what never comes.
static bool run_rounds(Emu *emu) {
  bool has_left = true;
  uint32_t rounds_since_left = 0;
  while (has_work(emu)) {
    emu_start_grids(emu);
    rounds_since_left = has_left ? 0 : rounds_since_left + 1;
    if (rounds_since_left >= PATIENT_ROUNDS && emu_widen(emu))
      rounds_since_left = 0;
    bool has_started = emu_admit_blocks(emu);
    if (!has_runnable(emu)) {
      if (emu_widen(emu))
        continue;
      return false;
    }
    shuffle_blocks(emu);
    emu_share_out(emu, run_resident, emu->resident.count);
    bool has_changed = finish_round(emu);
    has_left = emu_retire(emu, &emu->workers[0]);
    if (emu->options->progress)
      emu->options->progress(emu->options->progress_context, emu->counts.instructions);
    if (is_at_limit(emu))
      return true;
    if (emu_is_stuck_in_loops(emu, has_changed || has_left || has_started) && !emu_widen(emu))
      return false;
  }
  return true;
}

const char *emu_run(Emu *emu, DiagList *findings) {
  emu->deadline = now_seconds() + emu->options->timeout_seconds;
  prepare(emu);
  bool has_ended = run_rounds(emu);
  emu_stop_workers(emu);
  emu_report_faults(emu, findings);
  if (!has_ended)
    emu_report_stuck(emu, findings);
  return emu->incomplete;
}

void emu_end(Emu *emu) {
  emu_stop_workers(emu); // if memory has run out meanwhile
  emu_unmap(emu);
}

EmuCounts emu_counts(const Emu *emu) {
  return emu->counts;
}
