// Buffers, blocks and threads of the launches.
#include "ptx/lower.h"

#include "ptx/lower_code.h"

#include <stdlib.h>
#include <string.h>

enum {
  WARP_SIZE = 32,
  BUFFER_ALIGN = 256,
  BUFFER_GAP = 4096, // so that an index out of bounds does not land in the next buffer
  MOST_THREADS = 1 << 20,
};

#define FIRST_ADDRESS 0x10000000u

// A kernel that launches use, lowered.
typedef struct Kernel {
  const PtxFunction *function;
  Code *code;
} Kernel;

typedef struct Lowering {
  const PtxModule *module;
  const LaunchSet *set;
  const Source *main_source;
  Arena *arena;
  DiagList *diags;
  Program *program;
  ARRAY(Region) regions;
  ARRAY(Kernel) kernels;
  uint64_t *variable_offsets; // of module variables
  uint64_t next_address;
  uint32_t next_warp;
} Lowering;

// --- memory

static uint64_t reserve(uint64_t *next, uint64_t size) {
  uint64_t address = *next;
  *next = (address + size + BUFFER_GAP + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN;
  return address;
}

uint64_t ptx_buffer_address(const LaunchSet *set, uint32_t buffer) {
  uint64_t next = FIRST_ADDRESS, address = 0;
  for (uint32_t i = 0; i <= buffer; i++)
    address = reserve(&next, set->buffers[i].byte_count);
  return address;
}

static const uint8_t *defined_bytes(Arena *arena, const LaunchBuffer *buffer) {
  if (!buffer->undefined_count)
    return NULL;
  uint8_t *defined = ARENA_ARRAY(arena, uint8_t, buffer->byte_count + 1);
  memset(defined, 1, buffer->byte_count);
  for (uint32_t i = 0; i < buffer->undefined_count; i++)
    memset(defined + buffer->undefined[i].begin, 0,
           buffer->undefined[i].end - buffer->undefined[i].begin);
  return defined;
}

static void place_buffers(Lowering *lowering) {
  for (uint32_t i = 0; i < lowering->set->buffer_count; i++) {
    const LaunchBuffer *buffer = &lowering->set->buffers[i];
    Region region = {.name = buffer->name,
                     .address = reserve(&lowering->next_address, buffer->byte_count),
                     .size = buffer->byte_count,
                     .initial = buffer->bytes,
                     .is_defined = defined_bytes(lowering->arena, buffer),
                     .block = UINT32_MAX};
    array_push(lowering->arena, &lowering->regions, region);
  }
}

// --- initial values of module variables

static void fill_bytes(const Lowering *lowering, const PtxOperand *operand, uint32_t size,
                       uint8_t *bytes, uint64_t limit, uint64_t *offset) {
  const PtxModule *module = lowering->module;
  if (operand->kind == PTX_OPERAND_VECTOR) {
    for (uint32_t i = 0; i < operand->children.count; i++)
      fill_bytes(lowering, &module->operands.items[operand->children.first + i], size, bytes, limit,
                 offset);
    return;
  }
  uint64_t value = operand->value;
  if (operand->kind == PTX_OPERAND_NAME && operand->reference == PTX_REFERENCE_VARIABLE)
    value += lowering->variable_offsets[operand->target];
  for (uint32_t i = 0; i < size && *offset < limit; i++)
    bytes[(*offset)++] = (uint8_t)(value >> 8 * i);
}

static const uint8_t *initial_bytes(const Lowering *lowering, const PtxVariable *variable,
                                    uint64_t size) {
  if (variable->initializer == PTX_NONE)
    return NULL;
  uint8_t *bytes = ARENA_ARRAY(lowering->arena, uint8_t, size + 1);
  uint64_t offset = 0;
  fill_bytes(lowering, &lowering->module->operands.items[variable->initializer],
             ptx_type_bits(variable->type) / 8, bytes, size, &offset);
  return bytes;
}

static bool is_module_memory(const PtxVariable *variable) {
  return variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
}

static void place_module_variables(Lowering *lowering) {
  const PtxModule *module = lowering->module;
  lowering->variable_offsets = ARENA_ARRAY(lowering->arena, uint64_t, module->variables.count + 1);
  for (uint32_t i = 0; i < module->variables.count; i++)
    if (is_module_memory(&module->variables.items[i]))
      lowering->variable_offsets[i] =
          reserve(&lowering->next_address, ptx_variable_size(module, &module->variables.items[i]));
  for (uint32_t i = 0; i < module->variables.count; i++) {
    const PtxVariable *variable = &module->variables.items[i];
    if (!is_module_memory(variable))
      continue;
    uint64_t size = ptx_variable_size(module, variable);
    Region region = {.name = ptx_text(module, variable->name),
                     .address = lowering->variable_offsets[i],
                     .size = size,
                     .initial = initial_bytes(lowering, variable, size),
                     .is_read_only = variable->space == PTX_SPACE_CONST,
                     .block = UINT32_MAX};
    array_push(lowering->arena, &lowering->regions, region);
  }
}

// --- kernels

static Code *find_kernel(Lowering *lowering, const Launch *launch) {
  uint32_t index = ptx_find_entry(lowering->module, launch->kernel);
  if (index == PTX_NONE) {
    diag_syntax(lowering->diags, launch->kernel_span, "there is no kernel '%s' in '%s'",
                launch->kernel, lowering->module->source->name);
    return NULL;
  }
  const PtxFunction *function = &lowering->module->functions.items[index];
  for (uint32_t i = 0; i < lowering->kernels.count; i++)
    if (lowering->kernels.items[i].function == function)
      return lowering->kernels.items[i].code;
  Code *code = ARENA_NEW(lowering->arena, Code);
  code->module = lowering->module;
  code->function = function;
  code->main_source = lowering->main_source;
  code->arena = lowering->arena;
  code->diags = lowering->diags;
  code->variable_offsets =
      ARENA_ARRAY(lowering->arena, uint64_t, lowering->module->variables.count + 1);
  memcpy(code->variable_offsets, lowering->variable_offsets,
         lowering->module->variables.count * sizeof *code->variable_offsets);
  lower_function(code);
  array_push(lowering->arena, &lowering->kernels, (Kernel){function, code});
  return code;
}

static bool check_arguments(Lowering *lowering, const Launch *launch, const Code *code) {
  uint32_t count = code->function->parameters.count;
  if (launch->argument_count == count)
    return true;
  return diag_syntax(lowering->diags, launch->span,
                     "kernel '%s' has %u parameters, but the launch gives %u arguments",
                     launch->kernel, count, launch->argument_count);
}

// --- threads

typedef struct ThreadPlace {
  const Launch *launch;
  uint32_t grid, block_in_grid, thread_in_block;
  uint32_t block_id[3], thread_id[3];
} ThreadPlace;

static void split(uint32_t index, const uint32_t *size, uint32_t *id) {
  id[0] = index % size[0];
  id[1] = index / size[0] % size[1];
  id[2] = index / size[0] / size[1];
}

static uint32_t volume(const uint32_t *size) {
  return size[0] * size[1] * size[2];
}

static uint32_t lane_mask(PtxSpecial special, uint32_t lane) {
  uint32_t lower = (1u << lane) - 1, self = 1u << lane;
  switch (special) {
  case PTX_SPECIAL_lanemask_eq:
    return self;
  case PTX_SPECIAL_lanemask_le:
    return lower | self;
  case PTX_SPECIAL_lanemask_lt:
    return lower;
  case PTX_SPECIAL_lanemask_ge:
    return ~lower;
  default:
    return ~(lower | self);
  }
}

static uint32_t cluster_rank(const ThreadPlace *place) {
  const uint32_t *size = place->launch->cluster;
  uint32_t x = place->block_id[0] % size[0], y = place->block_id[1] % size[1];
  uint32_t z = place->block_id[2] % size[2];
  return x + size[0] * (y + size[1] * z);
}

static int64_t special_value(const ThreadPlace *place, const Slot *slot) {
  const Launch *launch = place->launch;
  uint32_t lane = place->thread_in_block % WARP_SIZE;
  uint32_t i = slot->component < 3 ? slot->component : 0;
  bool is_w = slot->component == 3;
  switch (slot->special) {
  case PTX_SPECIAL_tid:
    return is_w ? 0 : place->thread_id[i];
  case PTX_SPECIAL_ntid:
    return is_w ? 1 : launch->block[i];
  case PTX_SPECIAL_ctaid:
    return is_w ? 0 : place->block_id[i];
  case PTX_SPECIAL_nctaid:
    return is_w ? 1 : launch->grid[i];
  case PTX_SPECIAL_laneid:
    return lane;
  case PTX_SPECIAL_warpid:
    return place->thread_in_block / WARP_SIZE;
  case PTX_SPECIAL_nwarpid:
    return (volume(launch->block) + WARP_SIZE - 1) / WARP_SIZE;
  case PTX_SPECIAL_gridid:
    return place->grid;
  case PTX_SPECIAL_is_explicit_cluster:
    return launch->has_cluster;
  case PTX_SPECIAL_clusterid:
    return is_w ? 0 : place->block_id[i] / launch->cluster[i];
  case PTX_SPECIAL_nclusterid:
    return is_w ? 1 : launch->grid[i] / launch->cluster[i];
  case PTX_SPECIAL_cluster_ctaid:
    return is_w ? 0 : place->block_id[i] % launch->cluster[i];
  case PTX_SPECIAL_cluster_nctaid:
    return is_w ? 1 : launch->cluster[i];
  case PTX_SPECIAL_cluster_ctarank:
    return cluster_rank(place);
  case PTX_SPECIAL_cluster_nctarank:
    return volume(launch->cluster);
  case PTX_SPECIAL_dynamic_smem_size:
    return launch->shared_bytes;
  case PTX_SPECIAL_smid:
    return place->block_in_grid;
  case PTX_SPECIAL_nsmid:
    return volume(launch->grid);
  case PTX_SPECIAL_lanemask_eq:
  case PTX_SPECIAL_lanemask_le:
  case PTX_SPECIAL_lanemask_lt:
  case PTX_SPECIAL_lanemask_ge:
  case PTX_SPECIAL_lanemask_gt:
    return lane_mask(slot->special, lane);
  default:
    return 0;
  }
}

static int64_t parameter_value(const Lowering *lowering, const Launch *launch, const Slot *slot) {
  const LaunchArgument *argument = &launch->arguments[slot->parameter];
  uint8_t bytes[8] = {0};
  if (argument->is_scalar) {
    memcpy(bytes, argument->scalar, sizeof bytes);
  } else {
    uint64_t address = lowering->regions.items[argument->buffer].address;
    memcpy(bytes, &address, sizeof bytes);
  }
  uint64_t value = 0;
  for (uint32_t i = 0; i < slot->size && slot->offset + i < sizeof bytes; i++)
    value |= (uint64_t)bytes[slot->offset + i] << 8 * i;
  if (slot->is_signed && slot->size < 8 && (value >> (8 * slot->size - 1) & 1))
    value |= ~0ull << 8 * slot->size;
  return (int64_t)value;
}

static Register *initial_registers(const Lowering *lowering, const Code *code,
                                   const ThreadPlace *place) {
  Register *registers = ARENA_ARRAY(lowering->arena, Register, code->slots.count + 1);
  for (uint32_t i = 0; i < code->slots.count; i++) {
    const Slot *slot = &code->slots.items[i];
    registers[i].name = slot->name;
    if (slot->kind == SLOT_SPECIAL)
      registers[i].initial = special_value(place, slot);
    if (slot->kind == SLOT_PARAMETER)
      registers[i].initial = parameter_value(lowering, place->launch, slot);
  }
  return registers;
}

static const char *thread_name(const Lowering *lowering, const ThreadPlace *place) {
  Arena *arena = lowering->arena;
  const Launch *launch = place->launch;
  if (launch->is_host)
    return "the host";
  const char *grid = lowering->set->launch_count > 1
                         ? arena_format(arena, "%s of launch %u, ", launch->kernel, place->grid + 1)
                         : "";
  return arena_format(arena, "%sblock %u thread %u", grid, place->block_in_grid,
                      place->thread_in_block);
}

static void make_thread(Lowering *lowering, const Code *code, const ThreadPlace *place,
                        Thread *thread, uint32_t block) {
  const Launch *launch = place->launch;
  thread->name = thread_name(lowering, place);
  thread->place.gpu = launch->is_host ? UINT32_MAX : launch->device;
  thread->place.cta = block;
  thread->place.cluster = block - cluster_rank(place);
  thread->place.is_host = launch->is_host;
  thread->instructions = code->instructions.items;
  thread->instruction_count = code->instructions.count;
  thread->registers = initial_registers(lowering, code, place);
  thread->register_count = code->slots.count;
  thread->grid = place->grid;
  thread->block = block;
  thread->lane = place->thread_in_block % WARP_SIZE;
  thread->warp = lowering->next_warp + place->thread_in_block / WARP_SIZE;
  thread->cluster_rank = cluster_rank(place);
}

static void add_block_memory(Lowering *lowering, const Code *code, const Launch *launch,
                             uint32_t block) {
  uint64_t size = (uint64_t)code->shared_bytes + launch->shared_bytes - LOWER_SHARED_START;
  if (size)
    array_push(
        lowering->arena, &lowering->regions,
        (Region){.name = "shared memory",
                 .address = MEMORY_SHARED_PHYSICAL + ((uint64_t)block << 32) + LOWER_SHARED_START,
                 .size = size,
                 .is_undefined = true,
                 .block = block});
}

static void add_local_memory(Lowering *lowering, const Code *code, uint32_t thread) {
  uint64_t size = code->local_bytes - LOWER_LOCAL_START;
  if (size)
    array_push(
        lowering->arena, &lowering->regions,
        (Region){.name = "local memory",
                 .address = MEMORY_LOCAL_PHYSICAL + ((uint64_t)thread << 32) + LOWER_LOCAL_START,
                 .size = size,
                 .is_undefined = true,
                 .block = UINT32_MAX});
}

static void make_block(Lowering *lowering, const Code *code, ThreadPlace *place,
                       uint32_t first_thread, uint32_t block) {
  Program *program = lowering->program;
  uint32_t count = volume(place->launch->block);
  ThreadGroup *group = &program->blocks[block];
  group->threads = ARENA_ARRAY(lowering->arena, uint32_t, count);
  group->count = count;
  add_block_memory(lowering, code, place->launch, block);
  split(place->block_in_grid, place->launch->grid, place->block_id);
  for (uint32_t i = 0; i < count; i++) {
    place->thread_in_block = i;
    split(i, place->launch->block, place->thread_id);
    group->threads[i] = first_thread + i;
    make_thread(lowering, code, place, &program->threads[first_thread + i], block);
    add_local_memory(lowering, code, first_thread + i);
  }
  lowering->next_warp += (count + WARP_SIZE - 1) / WARP_SIZE;
}

// The launch before in the same stream of the same device, or in the relation stated.
static uint32_t predecessor(const LaunchSet *set, uint32_t index) {
  const Launch *launch = &set->launches[index];
  if (index == 0 || set->relation == LAUNCH_RELATION_CONCURRENT)
    return UINT32_MAX;
  if (set->relation != LAUNCH_RELATION_NONE)
    return index - 1;
  for (uint32_t i = index; i-- > 0;) {
    const Launch *before = &set->launches[i];
    if (before->device == launch->device && before->stream == launch->stream &&
        before->is_host == launch->is_host)
      return i;
  }
  return UINT32_MAX;
}

static void make_grid(Lowering *lowering, uint32_t index, const Code *code, uint32_t *next_thread,
                      uint32_t *next_block) {
  const Launch *launch = &lowering->set->launches[index];
  Grid *grid = &lowering->program->grids[index];
  uint32_t threads = volume(launch->block);
  *grid =
      (Grid){.kernel = launch->kernel,
             .first_thread = *next_thread,
             .thread_count = volume(launch->grid) * threads,
             .first_block = *next_block,
             .block_count = volume(launch->grid),
             .resident = launch->resident_count,
             .is_cooperative = launch->is_cooperative,
             .is_dependent = launch->is_dependent || lowering->set->relation == LAUNCH_RELATION_PDL,
             .after = predecessor(lowering->set, index),
             .span = launch->span};
  if (index == 0)
    grid->is_dependent = false;
  ThreadPlace place = {.launch = launch, .grid = index};
  for (uint32_t block = 0; block < grid->block_count; block++) {
    place.block_in_grid = block;
    make_block(lowering, code, &place, *next_thread, *next_block);
    *next_thread += threads;
    ++*next_block;
  }
}

static bool count_threads(Lowering *lowering, uint32_t *threads, uint32_t *blocks) {
  uint64_t thread_sum = 0, block_sum = 0;
  for (uint32_t i = 0; i < lowering->set->launch_count; i++) {
    const Launch *launch = &lowering->set->launches[i];
    uint64_t grid = (uint64_t)launch->grid[0] * launch->grid[1];
    if (grid > MOST_THREADS || grid * launch->grid[2] > MOST_THREADS)
      thread_sum = MOST_THREADS + 1ull;
    else
      thread_sum += grid * launch->grid[2] * volume(launch->block);
    block_sum += grid * launch->grid[2];
    if (thread_sum > MOST_THREADS)
      return diag_syntax(lowering->diags, launch->span,
                         "the launches have more than %d threads, too many for this engine",
                         MOST_THREADS);
  }
  *threads = (uint32_t)thread_sum;
  *blocks = (uint32_t)block_sum;
  return true;
}

// --- the whole

static int compare_regions(const void *a, const void *b) {
  const Region *first = a, *second = b;
  return first->address < second->address ? -1 : first->address > second->address;
}

static void finish_memory(Lowering *lowering) {
  Memory *memory = ARENA_NEW(lowering->arena, Memory);
  qsort(lowering->regions.items, lowering->regions.count, sizeof *lowering->regions.items,
        compare_regions);
  memory->regions = lowering->regions.items;
  memory->region_count = lowering->regions.count;
  lowering->program->memory = memory;
}

const Program *ptx_lower(const PtxModule *module, const LaunchSet *set, const Source *main_source,
                         Arena *arena, DiagList *diags) {
  Lowering lowering = {.module = module,
                       .set = set,
                       .main_source = main_source,
                       .arena = arena,
                       .diags = diags,
                       .program = ARENA_NEW(arena, Program),
                       .next_address = FIRST_ADDRESS};
  Program *program = lowering.program;
  uint32_t threads = 0, blocks = 0, next_thread = 0, next_block = 0;
  if (!count_threads(&lowering, &threads, &blocks))
    return NULL;
  place_buffers(&lowering);
  place_module_variables(&lowering);
  program->name = set->launches[0].kernel;
  program->is_kernel = true;
  program->thread_count = threads;
  program->threads = ARENA_ARRAY(arena, Thread, threads);
  program->block_count = blocks;
  program->blocks = ARENA_ARRAY(arena, ThreadGroup, blocks);
  program->grid_count = set->launch_count;
  program->grids = ARENA_ARRAY(arena, Grid, set->launch_count);
  for (uint32_t i = 0; i < set->launch_count; i++) {
    const Code *code = find_kernel(&lowering, &set->launches[i]);
    if (!code || !check_arguments(&lowering, &set->launches[i], code))
      return NULL;
    make_grid(&lowering, i, code, &next_thread, &next_block);
  }
  finish_memory(&lowering);
  return diag_list_is_ok(diags) ? program : NULL;
}
