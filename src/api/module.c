// PTX modules of inputs, and warpsan_print_ptx.
#include "api/kernels.h"

#include <string.h>

#include "api/compile.h"
#include "api/options.h"
#include "report/report.h"

const PtxModule *kernels_read_module(WarpsanSession *session, const KernelRequest *request,
                                     Arena *arena, DiagList *diags) {
  if (request->kind == INPUT_PTX)
    return ptx_parse_module(request->source, arena, diags);
  const WarpsanOptions *options = request->options;
  CompileRequest compile = {
      .source = request->source,
      .is_on_disk = request->is_on_disk,
      .is_c = request->kind == INPUT_C,
      .nvcc = options->nvcc,
      .nvcc_flags = options->nvcc_flags,
      .clang = options->clang,
      .clang_flags = options->clang_flags,
  };
  const Source *ptx = compile_to_ptx(session, &compile, arena, diags);
  return ptx ? ptx_parse_module(ptx, arena, diags) : NULL;
}

// --- printing

typedef struct Printing {
  const char *path;
  WarpsanOptions options;
  WarpsanPtxForm form;
  Writer writer;
  Arena *arena;
  WarpsanResults *results;
} Printing;

static void print_parameter(Printing *printing, const PtxModule *module, const PtxFunction *kernel,
                            const PtxVariable *parameter) {
  Writer *writer = &printing->writer;
  writer_format(writer, "  %s", ptx_type_name((PtxType)parameter->type));
  writer_text(writer, " ");
  writer_escape_text(writer, ESCAPE_PLAIN, launch_parameter_name(module, kernel, parameter));
  uint64_t size = ptx_variable_size(module, parameter);
  if (parameter->dimensions.count > 0)
    writer_format(writer, ", %llu bytes", (unsigned long long)size);
  if (parameter->is_pointer)
    writer_format(writer, ", pointer to %s",
                  parameter->pointer_space == PTX_SPACE_NONE
                      ? "any space"
                      : ptx_space_name(parameter->pointer_space));
  writer_text(writer, "\n");
}

static void print_kernel(Printing *printing, const PtxModule *module, const PtxFunction *kernel) {
  Writer *writer = &printing->writer;
  const char *name = ptx_entry_name(module, kernel, printing->arena);
  const char *ptx_name = ptx_text(module, kernel->name);
  writer_text(writer, "kernel ");
  writer_escape_text(writer, ESCAPE_PLAIN, name);
  if (strcmp(name, ptx_name) != 0) {
    writer_text(writer, ", ");
    writer_escape_text(writer, ESCAPE_PLAIN, ptx_name);
  }
  writer_text(writer, "\n");
  for (uint32_t i = 0; i < kernel->parameters.count; i++)
    print_parameter(printing, module, kernel,
                    &module->variables.items[kernel->parameters.first + i]);
  writer_text(writer, "  // launch: ");
  writer_escape_text(writer, ESCAPE_PLAIN, launch_template(module, kernel, printing->arena));
  writer_text(writer, "\n");
}

static void print_kernels(Printing *printing, const PtxModule *module) {
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const PtxFunction *function = &module->functions.items[i];
    if (ptx_is_kernel(function))
      print_kernel(printing, module, function);
  }
}

static void print_module(Printing *printing, const PtxModule *module) {
  size_t length;
  const char *text = ptx_print_module(module, printing->arena, &length);
  writer_bytes(&printing->writer, text, length);
}

static const Source *read_source(WarpsanSession *session, const Printing *printing,
                                 DiagList *diags) {
  if (strcmp(printing->path, "-") == 0)
    return input_read_standard(printing->arena, diags);
  return input_read(session, printing->path, printing->arena, diags);
}

static const PtxModule *read_module(WarpsanSession *session, const Printing *printing,
                                    DiagList *diags) {
  const Source *source = read_source(session, printing, diags);
  if (!source)
    return NULL;
  KernelRequest request = {
      .options = &printing->options,
      .source = source,
      .kind = input_kind(source),
      .is_on_disk = true,
  };
  if (request.kind == INPUT_LITMUS)
    request.kind = INPUT_PTX; // an odd name, or an error that the parser explains
  return kernels_read_module(session, &request, printing->arena, diags);
}

static WarpsanStatus run_print(WarpsanSession *session, void *context) {
  Printing *printing = context;
  DiagList diags;
  diag_list_init(&diags, &printing->results->arena);
  const PtxModule *module = read_module(session, printing, &diags);
  if (!module) {
    results_add_errors(printing->results, printing->path, diags.items, diags.count);
    return WARPSAN_BAD_INPUT;
  }
  if (printing->form == WARPSAN_PTX_MODULE)
    print_module(printing, module);
  else
    print_kernels(printing, module);
  return writer_flush(&printing->writer) ? WARPSAN_OK : WARPSAN_WRITE_FAILED;
}

WarpsanStatus warpsan_print_ptx(WarpsanSession *session, const char *path,
                                const WarpsanOptions *options, WarpsanPtxForm form,
                                WarpsanWrite *write, void *context, WarpsanResults *results) {
  // The findings of a bad module point into its text: all of it lives as long as the results.
  Printing printing = {.path = path, .form = form, .results = results, .arena = &results->arena};
  if (!path || !write || (unsigned)form > WARPSAN_PTX_KERNELS ||
      !options_resolve(options, &printing.options))
    return WARPSAN_BAD_ARGUMENT;
  writer_init(&printing.writer, write, context);
  return session_guard(session, results, run_print, &printing);
}
