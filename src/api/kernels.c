// Launch lines of an input and of the options, and the program that they make of its kernels.
#include "api/kernels.h"

#include "api/kernel_expectations.h"

#include <string.h>

#include "ptx/lower.h"

typedef ARRAY(LaunchInput) LaunchInputs;

typedef struct Reading {
  WarpsanSession *session;
  const KernelRequest *request;
  Arena *arena;
  DiagList *diags;
  LaunchInputs inputs;
  const Source *launch_file; // of the options, may be NULL
} Reading;

// --- where launch lines come from

static void add_text(Reading *reading, LaunchInputKind kind, const char *option, const char *text) {
  const Source *source = input_copy(option, text, strlen(text), reading->arena, reading->diags);
  if (source)
    array_push(reading->arena, &reading->inputs, (LaunchInput){kind, source});
}

static bool add_launch_file(Reading *reading) {
  const char *path = reading->request->options->launch_file;
  if (!path)
    return true;
  reading->launch_file = input_read_named(reading->session, path, "which is to have launch lines",
                                          reading->arena, reading->diags);
  if (!reading->launch_file)
    return false;
  LaunchInputKind kind = input_is_source_name(path) ? LAUNCH_INPUT_COMMENTS : LAUNCH_INPUT_LINES;
  array_push(reading->arena, &reading->inputs, (LaunchInput){kind, reading->launch_file});
  return true;
}

static bool collect_inputs(Reading *reading) {
  const WarpsanOptions *options = reading->request->options;
  array_push(reading->arena, &reading->inputs,
             (LaunchInput){LAUNCH_INPUT_COMMENTS, reading->request->source});
  if (!add_launch_file(reading))
    return false;
  for (size_t i = 0; i < options->launch_count; i++)
    add_text(reading, LAUNCH_INPUT_LAUNCH, "--launch", options->launches[i]);
  for (size_t i = 0; i < options->final_count; i++)
    add_text(reading, LAUNCH_INPUT_FINAL, "--final", options->finals[i]);
  if (options->relation)
    add_text(reading, LAUNCH_INPUT_RELATION, "--relation", options->relation);
  return diag_list_is_ok(reading->diags);
}

// A LaunchReadFile.
static LaunchFileBytes read_contents(void *context, Arena *arena, const char *from,
                                     const char *path, uint64_t limit_bytes) {
  Reading *reading = context;
  LaunchFileBytes file = {0};
  int error;
  int folder_length = path[0] == '/' ? 0 : (int)input_folder_length(from);
  const char *whole_path = arena_format(arena, "%.*s%s", folder_length, from, path);
  file.bytes =
      input_read_bytes(reading->session, whole_path, limit_bytes, arena, &file.length, &error);
  if (!file.bytes)
    file.error = input_error_text(error, arena);
  return file;
}

// --- what may be wrong with them

static bool has_kernels(const PtxModule *module) {
  for (uint32_t i = 0; i < module->functions.count; i++)
    if (ptx_is_kernel(&module->functions.items[i]))
      return true;
  return false;
}

// Names the kernels, each with a launch line to begin with.
static bool report_missing_launch(Reading *reading, const PtxModule *module) {
  enum { MOST_NOTES = 8 };
  if (!has_kernels(module))
    return diag_syntax(reading->diags, (Span){0}, "expected a kernel to launch, found none");
  const char *elsewhere = "";
  if (reading->launch_file)
    elsewhere = arena_format(reading->arena, ", none in '%s'", reading->launch_file->name);
  Diag *diag =
      diag_add(reading->diags, SEVERITY_ERROR, "syntax", (Span){0},
               "expected a launch of a kernel (%s), found no line '// launch: ...'%s and no "
               "option --launch",
               launch_kernel_names(module, reading->arena), elsewhere);
  uint32_t count = 0;
  for (uint32_t i = 0; i < module->functions.count && count < MOST_NOTES; i++) {
    const PtxFunction *kernel = &module->functions.items[i];
    if (!ptx_is_kernel(kernel))
      continue;
    diag_note(reading->diags, diag, (Span){0}, "for example: // launch: %s",
              launch_template(module, kernel, reading->arena));
    count++;
  }
  return false;
}

// --- the program

// A file of code in the folder of the PTX that has the name of one that the PTX was made of, or
// NULL.
static const Source *sibling_source(const Reading *reading, const PtxModule *module) {
  const char *from = reading->request->source->name;
  int folder_length = (int)input_folder_length(from);
  DiagList ignored; // it only serves to show lines
  diag_list_init(&ignored, reading->arena);
  for (uint32_t i = 0; i < module->files.count; i++) {
    const char *name = ptx_text(module, module->files.items[i].name);
    const char *path = arena_format(reading->arena, "%.*s%s", folder_length, from,
                                    name + input_folder_length(name));
    if (!input_is_source_name(path))
      continue;
    const Source *file = input_read(reading->session, path, reading->arena, &ignored);
    if (file)
      return file;
  }
  return NULL;
}

// The file whose lines findings point to: what the user gave, or what lies beside the PTX.
static const Source *main_source(const Reading *reading, const PtxModule *module) {
  const Source *source = reading->request->source;
  if (reading->request->kind != INPUT_PTX)
    return source;
  const Source *file = reading->launch_file;
  if (file && input_is_source_name(file->name) && input_kind(file) != INPUT_PTX)
    return file;
  return sibling_source(reading, module);
}

static const uint64_t *buffer_addresses(const LaunchSet *set, Arena *arena) {
  uint64_t *addresses = ARENA_ARRAY(arena, uint64_t, set->buffer_count);
  for (uint32_t i = 0; i < set->buffer_count; i++)
    addresses[i] = ptx_buffer_address(set, i);
  return addresses;
}

// The machine of the options. False: it cannot be read.
static bool read_machine(Reading *reading, const Machine **machine) {
  const char *path = reading->request->options->machine;
  if (!path)
    return true;
  const Source *source = input_read_named(
      reading->session, path, "which is to describe the machine", reading->arena, reading->diags);
  *machine = source ? machine_parse(source, reading->arena, reading->diags) : NULL;
  return *machine != NULL;
}

static const LaunchSet *parse_launches(Reading *reading, const LaunchOptions *options) {
  return launch_parse(reading->inputs.items, reading->inputs.count, options, reading->arena,
                      reading->diags);
}

// PTX that nobody says how to launch is launched as the code that it was made of.
static const LaunchSet *parse_sibling(Reading *reading, const PtxModule *module,
                                      const LaunchOptions *options, const LaunchSet *set) {
  if (!set || set->launch_count > 0 || reading->request->kind != INPUT_PTX || reading->launch_file)
    return set;
  const Source *file = sibling_source(reading, module);
  if (!file)
    return set;
  array_push(reading->arena, &reading->inputs, (LaunchInput){LAUNCH_INPUT_COMMENTS, file});
  return parse_launches(reading, options);
}

static bool read_launches(Reading *reading, const PtxModule *module, Kernels *kernels) {
  LaunchOptions options = {.read_file = read_contents, .context = reading};
  options.reads_verdicts = kernel_expectation_is_stated(reading->request->options);
  if (!read_machine(reading, &options.machine) || !collect_inputs(reading))
    return false;
  kernels->set = parse_sibling(reading, module, &options, parse_launches(reading, &options));
  if (!kernels->set)
    return false;
  if (kernels->set->launch_count == 0)
    return report_missing_launch(reading, module);
  return kernel_expectation_check(reading->request->options, kernels->set, reading->diags) &&
         launch_check(kernels->set, module, reading->request->source->name, reading->arena,
                      reading->diags);
}

bool kernels_read(WarpsanSession *session, const KernelRequest *request, Arena *arena,
                  DiagList *diags, Kernels *kernels) {
  Reading reading = {.session = session, .request = request, .arena = arena, .diags = diags};
  const PtxModule *module = kernels_read_module(session, request, arena, diags);
  if (!module || !read_launches(&reading, module, kernels))
    return false;
  kernels->addresses = buffer_addresses(kernels->set, arena);
  kernels->program = ptx_lower(module, kernels->set, main_source(&reading, module), arena, diags);
  return kernels->program != NULL;
}

// --- final conditions

typedef struct FinalMemory {
  const Kernels *kernels;
  ExploreByte *byte;
  void *byte_context;
} FinalMemory;

static bool read_element(const FinalMemory *memory, uint64_t address, uint32_t size,
                         uint64_t *bits) {
  *bits = 0;
  for (uint32_t i = 0; i < size; i++) {
    uint8_t byte;
    if (!memory->byte(memory->byte_context, address + i, &byte))
      return false;
    *bits |= (uint64_t)byte << 8 * i;
  }
  return true;
}

// A LaunchRead of what an execution has left behind.
static bool read_elements(void *context, uint32_t buffer, const int64_t *elements, uint32_t count,
                          uint64_t *bits) {
  const FinalMemory *memory = context;
  uint32_t size = ptx_type_bits(memory->kernels->set->buffers[buffer].type) / 8;
  uint64_t address = memory->kernels->addresses[buffer];
  for (uint32_t i = 0; i < count; i++)
    if (!read_element(memory, address + (uint64_t)elements[i] * size, size, &bits[i]))
      return false;
  return true;
}

const char *kernels_check_finals(const Kernels *kernels, LaunchRead *read, void *context,
                                 Arena *arena, Span *span) {
  LaunchFailure failure;
  for (uint32_t i = 0; i < kernels->set->final_count; i++) {
    const Final *final = &kernels->set->finals[i];
    if (launch_final_holds(final, read, context, arena, &failure))
      continue;
    *span = final->span;
    return launch_failure_text(final, &failure, arena);
  }
  return NULL;
}

const char *kernels_check_final(void *context, ExploreByte *byte, void *byte_context, Arena *arena,
                                Span *span) {
  FinalMemory memory = {context, byte, byte_context};
  return kernels_check_finals(context, read_elements, &memory, arena, span);
}
