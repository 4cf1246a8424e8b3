// Buffers, blocks and threads of the launches.
#include "ptx/lower.h"

#include "base/bytes.h"
#include "base/demangle.h"
#include "ir/alu.h"
#include "ir/tensor.h"
#include "ptx/lower_code.h"
#include "ptx/lower_texture.h"

#include <string.h>

enum {
  BUFFER_ALIGN = 256,
  BUFFER_GAP = 4096, // so that an index out of bounds does not land in the next buffer
};

// The heap is as large as that of CUDA by default (cudaLimitMallocHeapSize), but each thread gets
// something.
enum { HEAP_BYTES = 8 << 20, HEAP_LEAST_SHARE = 256, HEAP_MOST_SHARE = 1 << 16, HEAP_ALIGN = 256 };
#define HEAP_ADDRESS 0x600000000000u

#define FIRST_ADDRESS 0x10000000u

// A kernel that launches use, lowered.
typedef struct Kernel {
  const PtxFunction *function;
  uint32_t device; // whose variables it names
  const KernelCode *code;
} Kernel;

// The variables of the module as a device has them.
typedef struct DeviceVariables {
  uint32_t device;
  uint64_t *offsets;
} DeviceVariables;

typedef struct Lowering {
  const PtxModule *module;
  const LaunchSet *set;
  const Source *main_source;
  Arena *arena;
  DiagList *diags;
  Program *program;
  ARRAY(Region) regions;
  ARRAY(TensorMap) tensor_maps;
  ARRAY(Kernel) kernels;
  ARRAY(DeviceVariables) devices;
  uint64_t next_address;
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

static uint64_t referred_byte(const Lowering *lowering, const LaunchReference *reference) {
  return lowering->regions.items[reference->buffer].address + reference->offset;
}

// Once all buffers are placed: the contents of one with the addresses in them.
static void put_addresses(Lowering *lowering, uint32_t index) {
  const LaunchBuffer *buffer = &lowering->set->buffers[index];
  if (!buffer->reference_count)
    return;
  uint8_t *bytes = ARENA_ARRAY(lowering->arena, uint8_t, buffer->byte_count);
  launch_read_contents(buffer, 0, buffer->byte_count, bytes);
  for (uint32_t i = 0; i < buffer->reference_count; i++)
    bytes_put(bytes + buffer->references[i].at, referred_byte(lowering, &buffer->references[i]), 8);
  lowering->regions.items[index].initial = bytes;
}

static void place_buffers(Lowering *lowering) {
  for (uint32_t i = 0; i < lowering->set->buffer_count; i++) {
    const LaunchBuffer *buffer = &lowering->set->buffers[i];
    Region region = {.name = buffer->name,
                     .address = reserve(&lowering->next_address, buffer->byte_count),
                     .size = buffer->byte_count,
                     .read_initial = buffer->is_zero ? NULL : launch_read_contents,
                     .contents = buffer,
                     .is_defined = defined_bytes(lowering->arena, buffer),
                     .home = buffer->home,
                     .block = UINT32_MAX};
    array_push(lowering->arena, &lowering->regions, region);
  }
  for (uint32_t i = 0; i < lowering->set->buffer_count; i++)
    put_addresses(lowering, i);
}

// --- initial values of module variables

static void fill_bytes(const Lowering *lowering, const uint64_t *offsets, const PtxOperand *operand,
                       uint32_t size, uint8_t *bytes, uint64_t limit, uint64_t *offset) {
  const PtxModule *module = lowering->module;
  if (operand->kind == PTX_OPERAND_VECTOR) {
    for (uint32_t i = 0; i < operand->children.count; i++)
      fill_bytes(lowering, offsets, &module->operands.items[operand->children.first + i], size,
                 bytes, limit, offset);
    return;
  }
  uint64_t value = operand->value;
  if (operand->kind == PTX_OPERAND_NAME && operand->reference == PTX_REFERENCE_VARIABLE)
    value += offsets[operand->target];
  if (operand->kind == PTX_OPERAND_NAME && operand->reference == PTX_REFERENCE_FUNCTION)
    value = lower_function_address(module, operand->target);
  for (uint32_t i = 0; i < size && *offset < limit; i++)
    bytes[(*offset)++] = (uint8_t)(value >> 8 * i);
}

static const uint8_t *initial_bytes(const Lowering *lowering, const uint64_t *offsets,
                                    const PtxVariable *variable, uint64_t size) {
  if (variable->initializer == PTX_NONE)
    return NULL;
  uint8_t *bytes = ARENA_ARRAY(lowering->arena, uint8_t, size + 1);
  uint64_t offset = 0;
  fill_bytes(lowering, offsets, &lowering->module->operands.items[variable->initializer],
             ptx_type_bits(variable->type) / 8, bytes, size, &offset);
  return bytes;
}

static bool is_module_memory(const PtxVariable *variable) {
  return variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
}

static bool is_managed(const PtxModule *module, const PtxVariable *variable) {
  for (uint32_t i = 0; i < variable->attributes.count; i++) {
    const PtxAttribute *attribute = &module->attributes.items[variable->attributes.first + i];
    if (strcmp(ptx_text(module, attribute->name), "managed") == 0)
      return true;
  }
  return false;
}

// One object for all devices: managed variables, and constants, which nobody can tell apart.
static bool is_common(const PtxModule *module, const PtxVariable *variable) {
  return variable->space == PTX_SPACE_CONST || is_managed(module, variable);
}

static void place_variable(Lowering *lowering, const DeviceVariables *of, uint32_t index) {
  const PtxModule *module = lowering->module;
  const PtxVariable *variable = &module->variables.items[index];
  const char *mangled = ptx_text(module, variable->name);
  const char *demangled = demangle_function(mangled, lowering->arena);
  const char *name = demangled ? demangled : mangled;
  uint64_t size = ptx_variable_size(module, variable);
  bool is_first = of->device == lowering->devices.items[0].device;
  Region region = {
      .name = is_first ? name : arena_format(lowering->arena, "%s of device %u", name, of->device),
      .address = of->offsets[index],
      .size = size,
      .initial = initial_bytes(lowering, of->offsets, variable, size),
      .is_read_only = variable->space == PTX_SPACE_CONST,
      .home = {is_managed(module, variable) ? MEMORY_MANAGED : MEMORY_OF_DEVICE, of->device},
      .block = UINT32_MAX};
  array_push(lowering->arena, &lowering->regions, region);
}

// So much of the address space is for variables.
static const uint64_t most_module_bytes = 1ull << 44;

static bool has_room(Lowering *lowering, const PtxVariable *variable) {
  uint64_t size = ptx_variable_size(lowering->module, variable),
           end = FIRST_ADDRESS + most_module_bytes;
  return (lowering->next_address < end && size < end - lowering->next_address) ||
         diag_syntax(lowering->diags, ptx_span(lowering->module, variable->span),
                     "expected at most %llu bytes in all variables, found more",
                     (unsigned long long)most_module_bytes);
}

// A device has variables of its own (CUDA guide, "Device Memory": one instance for each device).
static bool place_variables_of(Lowering *lowering, uint32_t device) {
  const PtxModule *module = lowering->module;
  const uint64_t *first = lowering->devices.count ? lowering->devices.items[0].offsets : NULL;
  DeviceVariables variables = {device,
                               ARENA_ARRAY(lowering->arena, uint64_t, module->variables.count + 1)};
  for (uint32_t i = 0; i < module->variables.count; i++) {
    const PtxVariable *variable = &module->variables.items[i];
    bool has_place = first && is_common(module, variable);
    if (!is_module_memory(variable))
      continue;
    if (!has_place && !has_room(lowering, variable))
      return false;
    variables.offsets[i] =
        has_place ? first[i]
                  : reserve(&lowering->next_address, ptx_variable_size(module, variable));
  }
  array_push(lowering->arena, &lowering->devices, variables);
  for (uint32_t i = 0; i < module->variables.count; i++) {
    const PtxVariable *variable = &module->variables.items[i];
    if (is_module_memory(variable) && !(first && is_common(module, variable)))
      place_variable(lowering, &variables, i);
  }
  return true;
}

static const DeviceVariables *variables_of(const Lowering *lowering, uint32_t device) {
  for (uint32_t i = 0; i < lowering->devices.count; i++)
    if (lowering->devices.items[i].device == device)
      return &lowering->devices.items[i];
  return NULL;
}

static bool place_module_variables(Lowering *lowering) {
  for (uint32_t i = 0; i < lowering->set->launch_count; i++)
    if (!variables_of(lowering, lowering->set->launches[i].device) &&
        !place_variables_of(lowering, lowering->set->launches[i].device))
      return false;
  return true;
}

// --- kernels

static const KernelCode *finish_code(const Code *code, const char *name) {
  KernelCode *kernel = ARENA_NEW(code->arena, KernelCode);
  *kernel = (KernelCode){.name = name,
                         .instructions = code->instructions.items,
                         .instruction_count = code->instructions.count,
                         .slots = code->slots.items,
                         .slot_count = code->slots.count,
                         .shared_bytes = code->shared_bytes,
                         .local_bytes = code->local_bytes,
                         .reserved_bytes = code->reserved_start ? LOWER_RESERVED_BYTES : 0,
                         .shared_variables = code->shared_variables.items,
                         .shared_variable_count = code->shared_variables.count,
                         .takes_parameter_address = code->takes_parameter_address,
                         .has_heap = code->has_heap};
  return kernel;
}

static const Kernel *find_kernel(Lowering *lowering, const Launch *launch) {
  uint32_t index = ptx_find_entry(lowering->module, launch->kernel, lowering->arena);
  if (index == PTX_NONE) {
    diag_syntax(lowering->diags, launch->kernel_span, "there is no kernel '%s' in '%s'",
                launch->kernel, lowering->module->source->name);
    return NULL;
  }
  const PtxFunction *function = &lowering->module->functions.items[index];
  for (uint32_t i = 0; i < lowering->kernels.count; i++)
    if (lowering->kernels.items[i].function == function &&
        lowering->kernels.items[i].device == launch->device)
      return &lowering->kernels.items[i];
  Code *code = ARENA_NEW(lowering->arena, Code);
  code->module = lowering->module;
  code->function = function;
  code->main_source = lowering->main_source;
  code->arena = lowering->arena;
  code->diags = lowering->diags;
  code->has_peers = lowering->devices.count > 1;
  code->variable_offsets =
      ARENA_ARRAY(lowering->arena, uint64_t, lowering->module->variables.count + 1);
  memcpy(code->variable_offsets, variables_of(lowering, launch->device)->offsets,
         lowering->module->variables.count * sizeof *code->variable_offsets);
  if (!lower_function(code))
    return NULL;
  array_push(lowering->arena, &lowering->kernels,
             (Kernel){function, launch->device, finish_code(code, launch->kernel)});
  return &lowering->kernels.items[lowering->kernels.count - 1];
}

static bool check_arguments(Lowering *lowering, const Launch *launch, const Kernel *kernel) {
  uint32_t count = kernel->function->parameters.count;
  if (launch->argument_count == count)
    return true;
  return diag_syntax(lowering->diags, launch->span,
                     "kernel '%s' has %u parameters, but the launch gives %u arguments",
                     launch->kernel, count, launch->argument_count);
}

// --- grids

// The description of a texture, whose address is the handle.
static uint64_t place_texture(Lowering *lowering, const LaunchReference *reference) {
  const LaunchView *view = reference->view;
  const LaunchBuffer *buffer = &lowering->set->buffers[reference->buffer];
  uint32_t element_bytes = ptx_type_bits(buffer->type) / 8;
  uint8_t *bytes = ARENA_ARRAY(lowering->arena, uint8_t, TEXTURE_DESCRIPTION_BYTES);
  bytes_put(bytes + TEXTURE_BASE, lowering->regions.items[reference->buffer].address, 8);
  bytes_put(bytes + TEXTURE_TEXEL_BYTES, (uint64_t)element_bytes * view->channels, 4);
  bytes_put(bytes + TEXTURE_ELEMENT_BYTES, element_bytes, 4);
  bytes_put(bytes + TEXTURE_CHANNELS, view->channels, 4);
  bytes_put(bytes + TEXTURE_IS_SIGNED, ptx_type_kind(buffer->type) == PTX_NUMBER_S, 4);
  bytes_put(bytes + TEXTURE_IS_FLOAT, ptx_type_kind(buffer->type) == PTX_NUMBER_F, 4);
  for (uint32_t i = 0; i < view->texture_rank; i++)
    bytes_put(bytes + TEXTURE_SIZES + 4 * i, view->size[i], 4);
  Region region = {.name = "the description of a texture",
                   .address = reserve(&lowering->next_address, TEXTURE_DESCRIPTION_BYTES),
                   .size = TEXTURE_DESCRIPTION_BYTES,
                   .initial = bytes,
                   .is_read_only = true,
                   .block = UINT32_MAX};
  array_push(lowering->arena, &lowering->regions, region);
  return region.address;
}

static uint64_t referred(Lowering *lowering, const LaunchReference *reference) {
  if (reference->view && reference->view->texture_rank)
    return place_texture(lowering, reference);
  return referred_byte(lowering, reference);
}

static TensorMap describe_map(const Lowering *lowering, const LaunchReference *reference) {
  const LaunchView *view = reference->view;
  TensorMap map = {.base = lowering->regions.items[reference->buffer].address,
                   .element_bytes = ptx_type_bits(view->type) / 8,
                   .rank = view->rank,
                   .type = (uint8_t)lower_alu_type(view->type),
                   .swizzle = view->swizzle,
                   .is_im2col = view->is_im2col};
  memcpy(map.lower, view->lower, sizeof map.lower);
  memcpy(map.upper, view->upper, sizeof map.upper);
  memcpy(map.size, view->size, sizeof map.size);
  memcpy(map.box, view->box, sizeof map.box);
  return map;
}

static bool is_tensor_map(const LaunchReference *reference) {
  return reference->view && reference->view->rank;
}

// The bytes with what they refer to.
static const uint8_t *bind(Lowering *lowering, const LaunchArgument *argument) {
  uint8_t *bytes = ARENA_ARRAY(lowering->arena, uint8_t, argument->byte_count + 1);
  memcpy(bytes, argument->bytes, argument->byte_count);
  for (uint32_t i = 0; i < argument->reference_count; i++) {
    const LaunchReference *reference = &argument->references[i];
    TensorMap map;
    if (is_tensor_map(reference)) {
      map = describe_map(lowering, reference);
      tensor_encode_map(&map, bytes + reference->at);
    } else {
      bytes_put(bytes + reference->at, referred(lowering, reference), 8);
    }
  }
  return bytes;
}

static const Parameter *parameters(Lowering *lowering, const Launch *launch) {
  Parameter *values = ARENA_ARRAY(lowering->arena, Parameter, launch->argument_count + 1);
  for (uint32_t i = 0; i < launch->argument_count; i++)
    values[i] = (Parameter){bind(lowering, &launch->arguments[i]), launch->arguments[i].byte_count};
  return values;
}

static void add_tensor_maps(Lowering *lowering, const LaunchArgument *argument, uint64_t address) {
  for (uint32_t i = 0; i < argument->reference_count; i++) {
    const LaunchReference *reference = &argument->references[i];
    if (!is_tensor_map(reference))
      continue;
    TensorMap map = describe_map(lowering, reference);
    map.address = address + reference->at;
    array_push(lowering->arena, &lowering->tensor_maps, map);
  }
}

// Parameters whose address is taken: the constant bank that they lie in. That of a tensor map is
// what names it.
static const uint64_t *place_parameters(Lowering *lowering, const Launch *launch,
                                        const Parameter *values) {
  enum { ALIGN = 128 };
  uint32_t count = launch->argument_count;
  uint64_t *addresses = ARENA_ARRAY(lowering->arena, uint64_t, count + 1), size = 0;
  for (uint32_t i = 0; i < count; i++) {
    addresses[i] = size;
    size += (values[i].byte_count + ALIGN - 1) / ALIGN * ALIGN;
  }
  uint8_t *bytes = ARENA_ARRAY(lowering->arena, uint8_t, size + 1);
  Region region = {.name = "the parameters",
                   .address = reserve(&lowering->next_address, size),
                   .size = size,
                   .initial = bytes,
                   .is_read_only = true,
                   .block = UINT32_MAX};
  for (uint32_t i = 0; i < count; i++) {
    memcpy(bytes + addresses[i], values[i].bytes, values[i].byte_count);
    addresses[i] += region.address;
    add_tensor_maps(lowering, &launch->arguments[i], addresses[i]);
  }
  array_push(lowering->arena, &lowering->regions, region);
  return addresses;
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

// Memory that the driver gives a cooperative launch: its size, and the barrier of grid.sync().
static uint64_t place_workspace(Lowering *lowering) {
  enum { WORKSPACE_BYTES = 8 };
  Region region = {.name = "the workspace of the cooperative launch",
                   .address = reserve(&lowering->next_address, WORKSPACE_BYTES),
                   .size = WORKSPACE_BYTES,
                   .block = UINT32_MAX};
  array_push(lowering->arena, &lowering->regions, region);
  return region.address;
}

static void make_grid(Lowering *lowering, uint32_t index, const KernelCode *code) {
  const Launch *launch = &lowering->set->launches[index];
  Program *program = lowering->program;
  Grid *grid = &program->grids[index];
  *grid =
      (Grid){.kernel = launch->kernel,
             .code = code,
             .has_cluster = launch->has_cluster,
             .is_host = launch->is_host,
             .gpu = launch->device,
             .shared_bytes = launch->shared_bytes,
             .parameters = parameters(lowering, launch),
             .first_thread = program->thread_count,
             .first_block = program->block_count,
             .block_count = grid_volume(launch->grid),
             .thread_count = grid_volume(launch->grid) * grid_volume(launch->block),
             .resident = launch->resident_count,
             .is_cooperative = launch->is_cooperative,
             .is_dependent = launch->is_dependent || lowering->set->relation == LAUNCH_RELATION_PDL,
             .after = predecessor(lowering->set, index),
             .waits = launch->after,
             .wait_count = launch->after_count,
             .domain = launch->domain,
             .span = launch->span};
  memcpy(grid->size, launch->grid, sizeof grid->size);
  memcpy(grid->block, launch->block, sizeof grid->block);
  memcpy(grid->cluster, launch->cluster, sizeof grid->cluster);
  if (index == 0)
    grid->is_dependent = false;
  if (code->takes_parameter_address)
    grid->parameter_addresses = place_parameters(lowering, launch, grid->parameters);
  if (grid->is_cooperative)
    grid->workspace = place_workspace(lowering);
  program->thread_count += grid->thread_count;
  program->block_count += grid->block_count;
}

// Threads are numbered by 32 bits.
static bool check_thread_count(Lowering *lowering) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < lowering->set->launch_count; i++) {
    const Launch *launch = &lowering->set->launches[i];
    uint64_t plane = (uint64_t)launch->grid[0] * launch->grid[1];
    if (plane <= UINT32_MAX && plane * launch->grid[2] <= UINT32_MAX)
      sum += plane * launch->grid[2] * grid_volume(launch->block);
    else
      sum = UINT64_MAX;
    if (sum >= UINT32_MAX)
      return diag_syntax(lowering->diags, launch->span,
                         "the launches have more than %u threads, too many for any engine",
                         UINT32_MAX);
  }
  return true;
}

// --- the whole

// The heap of the device, of which each thread has a part.
static void place_heap(Lowering *lowering) {
  Program *program = lowering->program;
  bool is_used = false;
  uint64_t share = HEAP_BYTES / program->thread_count / HEAP_ALIGN * HEAP_ALIGN;
  share = share < HEAP_LEAST_SHARE  ? HEAP_LEAST_SHARE
          : share > HEAP_MOST_SHARE ? HEAP_MOST_SHARE
                                    : share;
  for (uint32_t i = 0; i < program->grid_count; i++) {
    Grid *grid = &program->grids[i];
    grid->heap = HEAP_ADDRESS + share * grid->first_thread;
    grid->heap_bytes = (uint32_t)share;
    is_used = is_used || grid->code->has_heap;
  }
  Region region = {.name = "memory of malloc",
                   .address = HEAP_ADDRESS,
                   .size = share * program->thread_count,
                   .is_undefined = true,
                   .block = UINT32_MAX};
  if (is_used)
    array_push(lowering->arena, &lowering->regions, region);
}

static void finish_memory(Lowering *lowering) {
  Memory *memory = ARENA_NEW(lowering->arena, Memory);
  memory->regions = lowering->regions.items; // placed one behind the other
  memory->region_count = lowering->regions.count;
  lowering->program->memory = memory;
}

Program *ptx_lower(const PtxModule *module, const LaunchSet *set, const Source *main_source,
                   Arena *arena, DiagList *diags) {
  Lowering lowering = {.module = module,
                       .set = set,
                       .main_source = main_source,
                       .arena = arena,
                       .diags = diags,
                       .program = ARENA_NEW(arena, Program),
                       .next_address = FIRST_ADDRESS};
  Program *program = lowering.program;
  if (!check_thread_count(&lowering))
    return NULL;
  place_buffers(&lowering);
  if (!place_module_variables(&lowering))
    return NULL;
  program->name = set->launches[0].kernel;
  program->is_kernel = true;
  program->machine = set->machine;
  program->grid_count = set->launch_count;
  program->grids = ARENA_ARRAY(arena, Grid, set->launch_count);
  for (uint32_t i = 0; i < set->launch_count; i++) {
    const Kernel *kernel = find_kernel(&lowering, &set->launches[i]);
    if (!kernel || !check_arguments(&lowering, &set->launches[i], kernel))
      return NULL;
    make_grid(&lowering, i, kernel->code);
  }
  program->tensor_maps = lowering.tensor_maps.items;
  program->tensor_map_count = lowering.tensor_maps.count;
  place_heap(&lowering);
  finish_memory(&lowering);
  return diag_list_is_ok(diags) ? program : NULL;
}
