// A module as PTX text.
#include "ptx/print.h"

#include "ptx/keywords.h"

static void add(PtxPrinter *printer, const char *text) {
  ptx_add_text(&printer->out, text);
}

static void add_number(PtxPrinter *printer, uint64_t value) {
  ptx_add_unsigned(&printer->out, value, 10);
}

static void print_instruction(PtxPrinter *printer, const PtxInstruction *instruction) {
  const PtxModule *module = printer->module;
  if (instruction->guard != PTX_NONE) {
    add(printer, "@");
    ptx_print_operand(printer, &module->operands.items[instruction->guard]);
    add(printer, " ");
  }
  ptx_print_name(printer, instruction->mnemonic);
  for (uint32_t i = 0; i < instruction->modifiers.count; i++) {
    add(printer, ".");
    ptx_print_name(printer, module->modifiers.items[instruction->modifiers.first + i].name);
  }
  if (instruction->operands.count)
    add(printer, " ");
  // The parts of a call with arguments are separated by commas, as any operands are.
  ptx_print_operands(printer, instruction->operands);
}

static void print_prototype(PtxPrinter *printer, const PtxPrototype *prototype) {
  ptx_print_name(printer, prototype->name);
  add(printer, ": .callprototype ");
  if (prototype->returns.count) {
    ptx_print_parameters(printer, prototype->returns, "");
    add(printer, " ");
  }
  add(printer, "_ ");
  ptx_print_parameters(printer, prototype->parameters, "");
  for (uint32_t i = 0; i < prototype->directives.count; i++) {
    add(printer, " ");
    ptx_print_directive(printer,
                        &printer->module->directives.items[prototype->directives.first + i]);
  }
}

static void print_targets(PtxPrinter *printer, const PtxTargets *targets) {
  ptx_print_name(printer, targets->name);
  add(printer, targets->is_call ? ": .calltargets " : ": .branchtargets ");
  ptx_print_operands(printer, targets->names);
}

// Labels and the braces of the body are not indented.
static bool stands_at_margin(const PtxModule *module, PtxStatement statement) {
  if (statement.kind == PTX_STATEMENT_OPEN || statement.kind == PTX_STATEMENT_CLOSE)
    return module->scopes.items[statement.index].parent == PTX_NONE;
  return statement.kind == PTX_STATEMENT_LABEL;
}

static void print_statement(PtxPrinter *printer, PtxStatement statement) {
  const PtxModule *module = printer->module;
  uint32_t i = statement.index;
  if (!stands_at_margin(module, statement))
    add(printer, "\t");
  switch (statement.kind) {
  case PTX_STATEMENT_INSTRUCTION:
    print_instruction(printer, &module->instructions.items[i]);
    add(printer, ";");
    break;
  case PTX_STATEMENT_LABEL:
    ptx_print_name(printer, module->labels.items[i].name);
    add(printer, ":");
    break;
  case PTX_STATEMENT_LOCATION:
    ptx_print_location(printer, &module->locations.items[i]);
    break;
  case PTX_STATEMENT_VARIABLE:
    ptx_print_variable(printer, &module->variables.items[i]);
    add(printer, ";");
    break;
  case PTX_STATEMENT_OPEN:
    add(printer, "{");
    break;
  case PTX_STATEMENT_CLOSE:
    add(printer, "}");
    break;
  case PTX_STATEMENT_DIRECTIVE:
    ptx_print_directive(printer, &module->directives.items[i]);
    add(printer, ";");
    break;
  case PTX_STATEMENT_TARGETS:
    print_targets(printer, &module->target_lists.items[i]);
    add(printer, ";");
    break;
  case PTX_STATEMENT_PROTOTYPE:
    print_prototype(printer, &module->prototypes.items[i]);
    add(printer, ";");
    break;
  }
  add(printer, "\n");
}

void ptx_print_statements(PtxPrinter *printer, PtxRange statements) {
  for (uint32_t i = 0; i < statements.count; i++)
    print_statement(printer, printer->module->statements.items[statements.first + i]);
}

static bool has_semicolon(const PtxPrinter *printer, const PtxDirective *directive) {
  const PtxDirectiveRule *rule = ptx_find_directive(ptx_text(printer->module, directive->name));
  return rule && rule->has_semicolon;
}

static void print_header_directives(PtxPrinter *printer, PtxRange directives) {
  for (uint32_t i = 0; i < directives.count; i++) {
    const PtxDirective *directive = &printer->module->directives.items[directives.first + i];
    add(printer, "\n");
    ptx_print_directive(printer, directive);
    if (has_semicolon(printer, directive))
      add(printer, ";");
  }
}

static void print_function(PtxPrinter *printer, const PtxFunction *function) {
  add(printer, "\n");
  ptx_print_linkage(printer, function->linkage);
  add(printer, function->is_entry ? ".entry" : ".func");
  ptx_print_attributes(printer, function->attributes);
  add(printer, " ");
  if (function->returns.count) {
    ptx_print_parameters(printer, function->returns, "");
    add(printer, " ");
  }
  ptx_print_name(printer, function->name);
  ptx_print_parameters(printer, function->parameters, "\n\t");
  print_header_directives(printer, function->directives);
  add(printer, function->has_body ? "\n" : ";\n");
  ptx_print_statements(printer, function->statements);
}

static void print_file(PtxPrinter *printer, const PtxFile *file) {
  add(printer, "\t.file ");
  add_number(printer, file->number);
  add(printer, " \"");
  ptx_add_quoted(&printer->out, ptx_text(printer->module, file->name));
  add(printer, "\"");
  if (file->has_stamp) {
    add(printer, ", ");
    add_number(printer, file->time);
    add(printer, ", ");
    add_number(printer, file->size);
  }
  add(printer, "\n");
}

static void print_section(PtxPrinter *printer, const PtxSection *section) {
  add(printer, "\t.section .");
  ptx_print_name(printer, section->name);
  add(printer, "\t{");
  ptx_add_bytes(&printer->out, printer->module->source->text + section->data.begin,
                section->data.end - section->data.begin);
  add(printer, "}\n");
}

static void print_alias(PtxPrinter *printer, const PtxAlias *alias) {
  add(printer, ".alias ");
  ptx_print_name(printer, alias->name);
  add(printer, ", ");
  ptx_print_name(printer, alias->target_name);
  add(printer, ";\n");
}

static void print_item(PtxPrinter *printer, PtxItem item) {
  const PtxModule *module = printer->module;
  switch (item.kind) {
  case PTX_ITEM_VARIABLE:
    ptx_print_variable(printer, &module->variables.items[item.index]);
    add(printer, ";\n");
    break;
  case PTX_ITEM_FUNCTION:
    print_function(printer, &module->functions.items[item.index]);
    break;
  case PTX_ITEM_FILE:
    print_file(printer, &module->files.items[item.index]);
    break;
  case PTX_ITEM_SECTION:
    print_section(printer, &module->sections.items[item.index]);
    break;
  case PTX_ITEM_ALIAS:
    print_alias(printer, &module->aliases.items[item.index]);
    break;
  case PTX_ITEM_DIRECTIVE:
    ptx_print_directive(printer, &module->directives.items[item.index]);
    add(printer, ";\n");
    break;
  case PTX_ITEM_LOCATION:
    ptx_print_location(printer, &module->locations.items[item.index]);
    add(printer, "\n");
    break;
  }
}

static void print_preamble(PtxPrinter *printer) {
  const PtxModule *module = printer->module;
  add(printer, ".version ");
  add_number(printer, module->version_major);
  add(printer, ".");
  add_number(printer, module->version_minor);
  add(printer, "\n.target ");
  for (uint32_t i = 0; i < module->targets.count; i++) {
    if (i > 0)
      add(printer, ", ");
    ptx_print_name(printer, module->targets.items[i]);
  }
  if (module->has_address_size) {
    add(printer, "\n.address_size ");
    add_number(printer, module->address_size);
  }
  add(printer, "\n\n");
}

const char *ptx_print_module(const PtxModule *module, Arena *arena, size_t *length) {
  PtxPrinter printer = {.module = module, .out.arena = arena};
  print_preamble(&printer);
  for (uint32_t i = 0; i < module->items.count; i++)
    print_item(&printer, module->items.items[i]);
  return ptx_finish_text(&printer.out, length);
}

const char *ptx_print_instruction(const PtxModule *module, const PtxInstruction *instruction,
                                  Arena *arena) {
  PtxPrinter printer = {.module = module, .out.arena = arena};
  print_instruction(&printer, instruction);
  return ptx_finish_text(&printer.out, NULL);
}
