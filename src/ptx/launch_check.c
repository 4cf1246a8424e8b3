// Launches against the kernels that they name: what the launch of a GPU would refuse, too.
#include "ptx/launch.h"

#include <string.h>

typedef struct Checking {
  const PtxModule *module;
  const PtxFunction *kernel;
  const Launch *launch;
  Arena *arena;
  DiagList *diags;
} Checking;

const char *launch_kernel_names(const PtxModule *module, Arena *arena) {
  enum { MOST_NAMES = 8 };
  const char *names = "";
  uint32_t count = 0;
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const PtxFunction *function = &module->functions.items[i];
    if (!ptx_is_kernel(function))
      continue;
    if (count == MOST_NAMES)
      return arena_format(arena, "%s, ...", names);
    names = arena_format(arena, "%s%s%s", names, count > 0 ? ", " : "",
                         ptx_entry_name(module, function, arena));
    count++;
  }
  return count > 0 ? names : "it has none";
}

const char *launch_parameter_name(const PtxModule *module, const PtxFunction *kernel,
                                  const PtxVariable *parameter) {
  const char *name = ptx_text(module, parameter->name);
  const char *kernel_name = ptx_text(module, kernel->name);
  size_t length = strlen(kernel_name);
  return strncmp(name, kernel_name, length) == 0 && name[length] == '_' && name[length + 1]
             ? name + length + 1
             : name;
}

// --- arguments

static const PtxVariable *parameter_at(const Checking *checking, uint32_t index) {
  return &checking->module->variables.items[checking->kernel->parameters.first + index];
}

static const char *join_parameter_names(const Checking *checking) {
  const char *names = "";
  for (uint32_t i = 0; i < checking->kernel->parameters.count; i++)
    names = arena_format(
        checking->arena, "%s%s%s", names, i > 0 ? ", " : "",
        launch_parameter_name(checking->module, checking->kernel, parameter_at(checking, i)));
  return names;
}

// "a struct of 16 bytes", "a buffer", "one of 4 (u32)".
static const char *argument_text(const LaunchArgument *argument, Arena *arena) {
  bool is_struct = argument->type == PTX_TYPE_NONE, is_buffer = argument->reference_count > 0;
  if (is_struct)
    return arena_format(arena, "a struct of %u bytes", argument->byte_count);
  if (is_buffer)
    return "a buffer";
  return arena_format(arena, "one of %u (%s)", argument->byte_count, ptx_type_name(argument->type));
}

// An argument is passed as it is: nothing converts a number to a wider type.
static void check_argument(const Checking *checking, const PtxVariable *parameter,
                           const LaunchArgument *argument) {
  const char *name = launch_parameter_name(checking->module, checking->kernel, parameter);
  uint64_t bytes = ptx_variable_size(checking->module, parameter);
  if (bytes == argument->byte_count)
    return;
  const char *found = argument_text(argument, checking->arena);
  if (parameter->dimensions.count > 0)
    diag_syntax(checking->diags, argument->span,
                "expected a struct of %llu bytes for parameter '%s' (%s:{FIELD,...}), found %s",
                (unsigned long long)bytes, name, argument->name, found);
  else if (!argument->reference_count)
    diag_syntax(checking->diags, argument->span,
                "expected a value of %llu bytes for parameter '%s' (%s), found %s",
                (unsigned long long)bytes, name, ptx_type_name((PtxType)parameter->type), found);
  else
    diag_syntax(checking->diags, argument->span,
                "expected a value of type %s for parameter '%s', found %s",
                ptx_type_name((PtxType)parameter->type), name, found);
}

static void check_arguments(const Checking *checking) {
  const Launch *launch = checking->launch;
  if (launch->argument_count != checking->kernel->parameters.count) {
    diag_syntax(checking->diags, launch->span, "expected %u arguments for '%s' (%s), found %u",
                checking->kernel->parameters.count, launch->kernel, join_parameter_names(checking),
                launch->argument_count);
    return;
  }
  for (uint32_t i = 0; i < launch->argument_count; i++)
    check_argument(checking, parameter_at(checking, i), &launch->arguments[i]);
}

// --- sizes

bool launch_find_sizes(const PtxModule *module, const PtxFunction *kernel, const char *directive,
                       uint32_t sizes[3]) {
  for (uint32_t i = 0; i < kernel->directives.count; i++) {
    const PtxDirective *found = &module->directives.items[kernel->directives.first + i];
    if (strcmp(ptx_text(module, found->name), directive) != 0)
      continue;
    for (uint32_t k = 0; k < 3; k++) {
      uint64_t size = 1;
      if (k < found->arguments.count)
        size = module->operands.items[found->arguments.first + k].value;
      sizes[k] = size < 1 ? 1 : size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    }
    return true;
  }
  return false;
}

// "block=8,4", as launch lines have it.
static const char *sizes_text(Arena *arena, const char *key, const uint32_t sizes[3]) {
  if (sizes[2] > 1)
    return arena_format(arena, "%s=%u,%u,%u", key, sizes[0], sizes[1], sizes[2]);
  if (sizes[1] > 1)
    return arena_format(arena, "%s=%u,%u", key, sizes[0], sizes[1]);
  return arena_format(arena, "%s=%u", key, sizes[0]);
}

static void check_sizes(const Checking *checking, const char *directive, const char *key,
                        const uint32_t found[3], Span span) {
  uint32_t sizes[3];
  if (!launch_find_sizes(checking->module, checking->kernel, directive, sizes) ||
      memcmp(sizes, found, sizeof sizes) == 0)
    return;
  Arena *arena = checking->arena;
  diag_syntax(checking->diags, span, "expected %s, as '.%s' of '%s' demands, found %s",
              sizes_text(arena, key, sizes), directive, checking->launch->kernel,
              sizes_text(arena, key, found));
}

static uint64_t volume(const uint32_t sizes[3]) {
  uint64_t area = (uint64_t)sizes[0] * sizes[1];
  return area > UINT32_MAX ? UINT32_MAX : area * sizes[2];
}

static void check_most_threads(const Checking *checking) {
  uint32_t sizes[3];
  const Launch *launch = checking->launch;
  if (launch_find_sizes(checking->module, checking->kernel, "maxntid", sizes) &&
      volume(launch->block) > volume(sizes))
    diag_syntax(checking->diags, launch->block_span,
                "expected a block of at most %llu threads, as '.maxntid' of '%s' says, found %llu",
                (unsigned long long)volume(sizes), launch->kernel,
                (unsigned long long)volume(launch->block));
}

static void check_launch(const Checking *checking) {
  const Launch *launch = checking->launch;
  check_arguments(checking);
  if (launch->is_host)
    return;
  check_sizes(checking, "reqntid", "block", launch->block, launch->block_span);
  check_sizes(checking, "reqnctapercluster", "cluster", launch->cluster, launch->cluster_span);
  check_most_threads(checking);
}

bool launch_check(const LaunchSet *set, const PtxModule *module, const char *input, Arena *arena,
                  DiagList *diags) {
  for (uint32_t i = 0; i < set->launch_count; i++) {
    const Launch *launch = &set->launches[i];
    uint32_t kernel = ptx_find_entry(module, launch->kernel, arena);
    if (kernel == PTX_NONE) {
      diag_syntax(diags, launch->kernel_span, "expected a kernel of '%s' (%s), found '%s'", input,
                  launch_kernel_names(module, arena), launch->kernel);
      continue;
    }
    Checking checking = {module, &module->functions.items[kernel], launch, arena, diags};
    check_launch(&checking);
  }
  return diag_list_is_ok(diags);
}
