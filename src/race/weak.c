// The execution that a run with a weak memory goes through has the coherence order and the order of
// fences of the run, so that only reads are left to choose (spec B.7, Causality: no `fr ; cause`
// cycle). A read may return a write if no later write there precedes the read in causality:
//
// - it does if the reader knows of it, by the detector's clocks or by the order of fences of
//   sequential consistency, which the detector does not count on (fence.c) and which has a part of
//   the clocks of its own;
// - or if the reader knows of a strong read of it, or of a later one, its own included.
//
// Elements of a vector are accesses of their own to the model. GPUs make an aligned access of up to
// 16 bytes at once, and so does a run of one device unless it is told otherwise: the elements of a
// load are what memory held at one moment.
//
// Atomics read the newest write. A value is one write's: places that are accessed in several sizes
// at a time, or written by asynchronous copies, are not followed.
#include "race/weak.h"

#include "race/block.h"
#include "race/record_map.h"

#include "base/bits.h"

enum {
  ONE_IN = 4,       // loads that look for an older value
  MOST_MISSES = 64, // reads that miss a write, before everybody sees it
  MOST_STALE = 8,   // pairs of places that are remembered
  GRANULE_BYTES = 8,
};

typedef struct StaleRead {
  const Instruction *read, *missed;
  uint64_t value, newest;
  bool is_first; // what was there before all writes that are known
} StaleRead;

#define MOMENT_NOW UINT64_MAX

// The moment at which each lane of a warp loads the elements of a vector.
typedef struct Glance {
  uint32_t block, warp, element; // the newest element that was loaded
  uint64_t moments[WARP_LANES];
} Glance;

struct Weak {
  uint64_t random;
  uint64_t moment; // of the newest write
  Glance glance;
  History history;
  RecordSet *fences;             // of sequential consistency: all that there were
  uint32_t stale_lanes;          // of the load that will be shown next
  PastWrite choices[WARP_LANES]; // theirs; records are those of the history
  StaleRead stale[MOST_STALE];
  uint32_t stale_count;
};

Weak *weak_new(uint64_t seed, Arena *arena) {
  Weak *weak = ARENA_NEW(arena, Weak);
  weak->random = seed;
  history_init(&weak->history, arena);
  return weak;
}

static uint64_t next_random(Weak *weak) {
  // splitmix64
  uint64_t z = weak->random += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// --- places

static uint64_t granule_of(const EmuBlock *owner, uint64_t address) {
  uint64_t granule = address / GRANULE_BYTES;
  return owner ? 1ull << 63 | (uint64_t)owner->number << 32 | granule : granule;
}

static uint64_t address_of(const EmuAccess *access, uint32_t lane) {
  if (access->shape == EMU_SHAPE_CONSECUTIVE)
    return access->addresses[0] + (uint64_t)lane * access->size;
  return access->addresses[lane];
}

static const EmuBlock *owner_of(const EmuAccess *access) {
  return access->is_shared ? access->owner : NULL;
}

static uint32_t bytes_of(uint64_t address, uint32_t size) {
  return ((1u << size) - 1) << address % GRANULE_BYTES;
}

static uint64_t cut(uint64_t value, uint32_t size) {
  return size < sizeof value ? value & ((1ull << 8 * size) - 1) : value;
}

// Of the same lane's place so many bytes further on.
static Past *find_past_at(Race *race, const EmuAccess *access, uint32_t lane, int64_t distance) {
  uint64_t address = address_of(access, lane) + (uint64_t)distance;
  return history_find(&race->weak->history, granule_of(owner_of(access), address),
                      bytes_of(address, access->size));
}

static Past *find_past(Race *race, const EmuAccess *access, uint32_t lane) {
  return find_past_at(race, access, lane, 0);
}

static Place place_of(Race *race, const EmuAccess *access, uint32_t lane) {
  const EmuBlock *owner = owner_of(access);
  Shadow *shadow = owner ? &((Block *)owner->watched)->shadow : &race->global;
  return (Place){shadow, owner, address_of(access, lane), access->size};
}

// --- what may be read

static bool knows(const Accessor *reader, uint32_t block, uint32_t slot, uint32_t time) {
  if (access_knows_thread(reader, block, slot, time))
    return true;
  const ClockNode *here = reader->known_here ? reader->known_here->part[CLOCK_THREADS] : NULL;
  return info_field(reader->info, INFO_PROXY) == PROXY_GENERIC &&
         (clock_time(reader->group->clock.part[CLOCK_ORDERED], block, slot) >= time ||
          clock_time(here, block, slot) >= time);
}

static bool knows_write(const Accessor *reader, const PastWrite *write) {
  return write->thread != NO_THREAD && knows(reader, write->thread >> SLOT_BITS,
                                             write->thread & ((1u << SLOT_BITS) - 1), write->time);
}

static bool knows_read(const Accessor *reader, const PastRead *read) {
  for (uint32_t left = read->lanes; left; left &= left - 1)
    if (knows(reader, read->block, read->warp << 5 | bits_first(left), read->time))
      return true;
  return false;
}

// The position of the oldest write that may be read.
static uint32_t find_oldest(const Accessor *reader, const Past *past) {
  uint32_t oldest = past->newest;
  while (oldest > past_oldest(past) && oldest > past->floor &&
         !knows_write(reader, past_write(past, oldest)))
    oldest--;
  for (uint32_t i = 0; i < past->read_count; i++)
    if (past->reads[i].position > oldest && knows_read(reader, &past->reads[i]))
      oldest = past->reads[i].position;
  return oldest;
}

static Accessor reader_of(Race *race, const EmuWarp *emu, const EmuAccess *access, uint32_t lane) {
  Accessor reader = {
      .race = race,
      .block = block_of(emu),
      .warp = warp_of(emu),
      .group = warp_group(warp_of(emu), lane),
      .warp_number = emu->warp,
      .lanes = 1u << lane,
      .info = race_info(0, SCOPE_NONE, access->proxy, BANK_THREADS, access->size, false)};
  access_know_place(&reader, owner_of(access));
  return reader;
}

// May a read miss the newest write?
static bool has_choice(const Past *past) {
  return past && past->write_count >= 2 && past->misses < MOST_MISSES;
}

static uint32_t choose_position(Race *race, const EmuWarp *emu, const EmuAccess *access,
                                uint32_t lane, const Past *past) {
  Accessor reader = reader_of(race, emu, access, lane);
  if (!has_choice(past))
    return past->newest;
  uint32_t oldest = find_oldest(&reader, past);
  if (oldest == past->newest)
    return past->newest;
  return oldest + (uint32_t)(next_random(race->weak) % (past->newest - oldest));
}

// --- vectors

static bool is_vector(const Race *race, const Instruction *instruction) {
  return instruction->align > instruction->size && race->is_one_device &&
         !race->options.splits_vectors;
}

static uint32_t element_of(const Instruction *instruction) {
  return (uint32_t)instruction->element_offset / instruction->size;
}

// A moment at which all elements of the lane's vector may be read as they were; chosen among those
// before the newest write to one of them, if there are any.
static uint64_t choose_moment(Race *race, const EmuWarp *emu, const EmuAccess *access,
                              uint32_t lane) {
  const Instruction *instruction = emu->instruction;
  Accessor reader = reader_of(race, emu, access, lane);
  uint64_t least = 0, moment = MOMENT_NOW;
  uint32_t choices = 0;
  for (uint32_t i = 0; i < instruction->align / instruction->size; i++) {
    int64_t distance = (int64_t)i * instruction->size - instruction->element_offset;
    const Past *past = find_past_at(race, access, lane, distance);
    if (!past || !past->write_count)
      continue;
    uint32_t oldest = find_oldest(&reader, past);
    if (past_write(past, oldest)->moment > least)
      least = past_write(past, oldest)->moment;
    // Each element that has a choice decides with the same chance.
    if (has_choice(past) && oldest != past->newest && next_random(race->weak) % ++choices == 0)
      moment = past_write(past, choose_position(race, emu, access, lane, past))->moment;
  }
  return moment < least ? least : moment;
}

static uint32_t position_at(const Accessor *reader, const Past *past, uint64_t moment) {
  uint32_t position = past->newest;
  if (moment == MOMENT_NOW || !has_choice(past))
    return position;
  uint32_t oldest = find_oldest(reader, past);
  while (position > oldest && past_write(past, position)->moment > moment)
    position--;
  return position;
}

// The first element of a vector that is loaded decides for all lanes.
static void begin_glance(Race *race, const EmuWarp *emu, const EmuAccess *access, bool is_eager) {
  Glance *glance = &race->weak->glance;
  uint32_t block = block_of(emu)->number, element = element_of(emu->instruction);
  bool is_same = glance->block == block && glance->warp == emu->warp && element > glance->element;
  if (element == 0 || !is_same)
    for (uint32_t left = emu->lanes; left; left &= left - 1) {
      uint32_t lane = bits_first(left);
      glance->moments[lane] = is_eager ? choose_moment(race, emu, access, lane) : MOMENT_NOW;
    }
  glance->block = block;
  glance->warp = emu->warp;
  glance->element = element;
}

static uint32_t choose_write(Race *race, const EmuWarp *emu, const EmuAccess *access, uint32_t lane,
                             const Past *past, bool is_eager) {
  uint32_t position = past->newest;
  if (is_vector(race, emu->instruction)) {
    Accessor reader = reader_of(race, emu, access, lane);
    position = position_at(&reader, past, race->weak->glance.moments[lane]);
  } else if (is_eager) {
    position = choose_position(race, emu, access, lane, past);
  }
  bool is_same = past_write(past, position)->value == past_write(past, past->newest)->value;
  return is_same ? past->newest : position;
}

static void add_read(const EmuWarp *emu, uint32_t lane, Past *past, uint32_t position) {
  history_add_read(past, &(PastRead){.block = block_of(emu)->number,
                                     .warp = emu->warp,
                                     .lanes = 1u << lane,
                                     .time = warp_of(emu)->now,
                                     .position = position});
}

// --- what was read

static void remember_stale(Race *race, const EmuWarp *emu, const Past *past, uint32_t position) {
  Weak *weak = race->weak;
  const PastWrite *newest = past_write(past, past->newest), *taken = past_write(past, position);
  const Instruction *missed = race_instruction(race, newest->info);
  for (uint32_t i = 0; i < weak->stale_count; i++)
    if (weak->stale[i].read == emu->instruction && weak->stale[i].missed == missed)
      return;
  if (weak->stale_count < MOST_STALE)
    weak->stale[weak->stale_count++] = (StaleRead){.read = emu->instruction,
                                                   .missed = missed,
                                                   .value = taken->value,
                                                   .newest = newest->value,
                                                   .is_first = taken->thread == NO_THREAD};
}

uint32_t weak_choose(Race *race, const EmuWarp *emu, const EmuAccess *access, uint64_t *values) {
  Weak *weak = race->weak;
  bool is_eager = next_random(weak) % ONE_IN == 0;
  weak->stale_lanes = 0;
  if (is_vector(race, emu->instruction) && access->size <= GRANULE_BYTES)
    begin_glance(race, emu, access, is_eager);
  for (uint32_t left = access->size <= GRANULE_BYTES ? emu->lanes : 0; left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    Past *past = find_past(race, access, lane);
    if (!past || !past->write_count)
      continue;
    if (past_write(past, past->newest)->value != values[lane]) {
      history_drop(&race->heap, &weak->history, past->granule, past->bytes);
      continue;
    }
    uint32_t position = choose_write(race, emu, access, lane, past, is_eager);
    if (access->is_strong)
      add_read(emu, lane, past, position);
    if (position == past->newest)
      continue;
    past->misses++;
    remember_stale(race, emu, past, position);
    weak->choices[lane] = *past_write(past, position);
    weak->stale_lanes |= 1u << lane;
    values[lane] = weak->choices[lane].value;
  }
  return weak->stale_lanes;
}

const PastWrite *weak_choice(const Race *race, uint32_t lane) {
  const Weak *weak = race->weak;
  return weak && (weak->stale_lanes >> lane & 1) ? &weak->choices[lane] : NULL;
}

void weak_forget_choice(Race *race) {
  if (race->weak)
    race->weak->stale_lanes = 0;
}

bool race_explain_stale(const Race *race, DiagList *findings, Diag *diag) {
  const Weak *weak = race->weak;
  for (uint32_t i = 0; weak && i < weak->stale_count; i++) {
    const StaleRead *stale = &weak->stale[i];
    diag_note(findings, diag, stale->read->span, "this read took the %s value %llu: `%s`",
              stale->is_first ? "first" : "older", (unsigned long long)stale->value,
              stale->read->text);
    diag_note(
        findings, diag, stale->missed->span,
        "although %llu had been written here: nothing orders that write before the read: `%s`",
        (unsigned long long)stale->newest, stale->missed->text);
  }
  return weak && weak->stale_count;
}

// --- what is written

// What the place holds until then: its value, and what the write of that has released.
static void add_first(Race *race, const EmuAccess *access, uint32_t lane, Past *past) {
  Place place = place_of(race, access, lane);
  const RaceOptions *options = &race->options;
  PastWrite first = {.thread = NO_THREAD};
  if (access->kind == EMU_ATOMIC)
    first.value = access->values[lane];
  else if (!options->peek || !options->peek(options->peek_context, place.owner, place.address,
                                            place.size, &first.value))
    return;
  first.value = cut(first.value, access->size);
  const Location *location = sync_find(&place);
  if (location && location->records) {
    first.records = released_keep(location->records);
    first.scope = location->writer_scope;
    first.thread = location->writer;
    first.time = UINT32_MAX - 1; // not known: nobody knows of it
  }
  history_add_write(&race->heap, past, &first);
}

static uint32_t writing_lanes(const EmuWarp *emu, const EmuAccess *access) {
  if (access->kind == EMU_ATOMIC)
    return access->wrote & emu->lanes;
  return access->kind == EMU_WRITE ? emu->lanes : 0;
}

void weak_prepare_write(Race *race, const EmuWarp *emu, const EmuAccess *access) {
  if (!is_vector(race, emu->instruction) || element_of(emu->instruction) == 0)
    race->weak->moment += writing_lanes(emu, access) != 0;
  for (uint32_t left = writing_lanes(emu, access); left; left &= left - 1) {
    uint32_t lane = bits_first(left);
    uint64_t address = address_of(access, lane);
    if (access->size > GRANULE_BYTES || !access->values ||
        (access->kind == EMU_ATOMIC && !access->stored)) {
      weak_add_copy(race, owner_of(access), address, access->size);
      continue;
    }
    Past *past =
        history_get(&race->heap, &race->weak->history, granule_of(owner_of(access), address),
                    bytes_of(address, access->size));
    if (!past->write_count)
      add_first(race, access, lane, past);
  }
}

void weak_add_write(Race *race, const EmuWarp *emu, const EmuAccess *access, uint32_t info,
                    uint32_t lane) {
  Past *past = access->size <= GRANULE_BYTES ? find_past(race, access, lane) : NULL;
  if (!past)
    return;
  PastWrite write = {.value =
                         access->kind == EMU_ATOMIC ? access->stored[lane] : access->values[lane],
                     .thread = thread_number(block_of(emu), emu->warp << 5 | lane),
                     .time = warp_of(emu)->now,
                     .moment = race->weak->moment,
                     .info = info};
  Place place = place_of(race, access, lane);
  const Location *location = access->is_strong ? sync_find(&place) : NULL;
  write.value = cut(write.value, access->size);
  if (location && location->records) {
    write.records = released_keep(location->records);
    write.scope = location->writer_scope;
  }
  history_add_write(&race->heap, past, &write);
}

void weak_add_read(Race *race, const EmuWarp *emu, const EmuAccess *access, uint32_t lane) {
  Past *past = access->size <= GRANULE_BYTES ? find_past(race, access, lane) : NULL;
  if (past && past->write_count)
    add_read(emu, lane, past, past->newest);
}

void weak_add_copy(Race *race, const EmuBlock *owner, uint64_t address, uint64_t bytes) {
  uint64_t last = (address + bytes - 1) / GRANULE_BYTES;
  for (uint64_t i = address / GRANULE_BYTES; bytes && i <= last; i++)
    history_drop(&race->heap, &race->weak->history, granule_of(owner, i * GRANULE_BYTES), 0xff);
}

// --- fences of sequential consistency

static void learn_order(Race *race, Group *group, const Clock *clock) {
  ClockNode **ordered = &group->clock.part[CLOCK_ORDERED];
  group->clock.version = 0;
  clock_join(&race->heap, ordered, clock->part[CLOCK_THREADS]);
  clock_join(&race->heap, ordered, clock->part[CLOCK_ORDERED]);
}

// From the fences before it that are in each other's scope.
static void learn_fences(Race *race, const EmuWarp *emu, Scope scope) {
  const RecordSet *fences = race->weak->fences;
  if (!fences)
    return;
  bool is_wide = scope >= SCOPE_GPU && !record_map_counts(fences->map).narrow;
  const RecordMap *map = is_wide ? fences->wide : fences->map;
  const Record *record = record_map_from(map, 0, SCOPE_CTA);
  for (; record; record = record_map_next(map, record))
    if (scopes_are_mutual(race, record->scope, record->block, scope, emu->block->number))
      WARP_GROUPS(group, warp_of(emu), emu->lanes)
  learn_order(race, group, &record->clock);
}

static void add_fence(Race *race, const EmuWarp *emu, const Group *group, Scope scope) {
  Clock clock;
  group_export(race, block_of(emu), emu->warp, group, group->lanes, warp_of(emu)->now, &clock);
  released_drop(&race->heap, clock.fences);
  released_drop(&race->heap, clock.observed);
  released_drop(&race->heap, clock.seen);
  clock.fences = clock.observed = clock.seen = NULL;
  released_add(race, &race->weak->fences, emu->block->number, scope, &clock);
  clock_release(&race->heap, &clock);
}

// Lanes that execute it together are ordered, too: each knows what the others have done.
void weak_order_fence(Race *race, const EmuWarp *emu, Scope scope) {
  Warp *warp = warp_of(emu);
  warp_split(&race->heap, warp, emu->lanes);
  learn_fences(race, emu, scope);
  WARP_GROUPS(group, warp, emu->lanes)
  add_fence(race, emu, group, scope);
  learn_fences(race, emu, scope);
}
