// Declarations, directives and locations as text.
#include "ptx/keywords.h"
#include "ptx/print.h"

static void add(PtxPrinter *printer, const char *text) {
  ptx_add_text(&printer->out, text);
}

static void add_number(PtxPrinter *printer, uint64_t value) {
  ptx_add_unsigned(&printer->out, value, 10);
}

static void add_word(PtxPrinter *printer, const char *word) {
  add(printer, " .");
  add(printer, word);
}

void ptx_print_linkage(PtxPrinter *printer, PtxLinkage linkage) {
  if (!linkage)
    return;
  add(printer, ".");
  add(printer, ptx_linkage_name(linkage));
  add(printer, " ");
}

void ptx_print_attributes(PtxPrinter *printer, PtxRange attributes) {
  for (uint32_t i = 0; i < attributes.count; i++) {
    const PtxAttribute *attribute = &printer->module->attributes.items[attributes.first + i];
    add(printer, i == 0 ? " .attribute(." : ", .");
    ptx_print_name(printer, attribute->name);
    if (attribute->arguments.count) {
      add(printer, "(");
      ptx_print_operands(printer, attribute->arguments);
      add(printer, ")");
    }
  }
  if (attributes.count)
    add(printer, ")");
}

static void print_align(PtxPrinter *printer, uint32_t align) {
  if (!align)
    return;
  add(printer, " .align ");
  add_number(printer, align);
}

static void print_pointer(PtxPrinter *printer, const PtxVariable *variable) {
  if (!variable->is_pointer)
    return;
  add(printer, " .ptr");
  if (variable->pointer_space)
    add_word(printer, ptx_space_name(variable->pointer_space));
  print_align(printer, variable->pointer_align);
}

static void print_type(PtxPrinter *printer, const PtxVariable *variable) {
  if (variable->vector > 1) {
    add(printer, " .v");
    add_number(printer, variable->vector);
  }
  add_word(printer, ptx_type_name(variable->type));
}

static void print_dimensions(PtxPrinter *printer, PtxRange dimensions) {
  for (uint32_t i = 0; i < dimensions.count; i++) {
    uint64_t size = printer->module->dimensions.items[dimensions.first + i];
    add(printer, "[");
    if (size != PTX_UNSIZED)
      add_number(printer, size);
    add(printer, "]");
  }
}

void ptx_print_variable(PtxPrinter *printer, const PtxVariable *variable) {
  ptx_print_linkage(printer, variable->linkage);
  add(printer, ".");
  add(printer, ptx_space_name(variable->space));
  ptx_print_attributes(printer, variable->attributes);
  print_align(printer, variable->align);
  print_type(printer, variable);
  print_pointer(printer, variable);
  add(printer, " ");
  if (variable->name)
    ptx_print_name(printer, variable->name);
  else
    add(printer, "_");
  if (variable->is_range) {
    add(printer, "<");
    add_number(printer, variable->range_count);
    add(printer, ">");
  }
  print_dimensions(printer, variable->dimensions);
  if (variable->initializer != PTX_NONE) {
    add(printer, " = ");
    ptx_print_operand(printer, &printer->module->operands.items[variable->initializer]);
  }
}

void ptx_print_parameters(PtxPrinter *printer, PtxRange parameters, const char *separator) {
  add(printer, "(");
  for (uint32_t i = 0; i < parameters.count; i++) {
    if (i > 0)
      add(printer, ",");
    add(printer, separator);
    ptx_print_variable(printer, &printer->module->variables.items[parameters.first + i]);
  }
  add(printer, ")");
}

void ptx_print_directive(PtxPrinter *printer, const PtxDirective *directive) {
  add(printer, ".");
  ptx_print_name(printer, directive->name);
  if (directive->arguments.count)
    add(printer, " ");
  ptx_print_operands(printer, directive->arguments);
}

static void print_place(PtxPrinter *printer, uint32_t file, uint32_t line, uint32_t column) {
  add_number(printer, file);
  add(printer, " ");
  add_number(printer, line);
  add(printer, " ");
  add_number(printer, column);
}

void ptx_print_location(PtxPrinter *printer, const PtxLocation *location) {
  add(printer, ".loc ");
  print_place(printer, location->file, location->line, location->column);
  if (location->function_name) {
    add(printer, ", function_name ");
    ptx_print_name(printer, location->function_name);
    if (location->function_offset) {
      add(printer, "+");
      add_number(printer, location->function_offset);
    }
  }
  if (location->is_inlined) {
    add(printer, ", inlined_at ");
    print_place(printer, location->inlined_file, location->inlined_line, location->inlined_column);
  }
}
