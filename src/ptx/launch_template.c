// A launch line to begin with. PTX says of a struct only its size: its members are what the kernel
// loads from it.
#include "ptx/launch.h"

#include "ptx/modifiers.h"

#include <string.h>

typedef struct Template {
  const PtxModule *module;
  const PtxFunction *kernel;
  Arena *arena;
  ARRAY(char) text;
} Template;

// 64-bit numbers are taken for pointers.
static bool is_pointer_type(PtxType type) {
  return ptx_type_bits(type) == 64 && ptx_type_kind(type) != PTX_NUMBER_F &&
         ptx_type_kind(type) != PTX_NUMBER_S;
}

static const char *member(Arena *arena, const char *name, PtxType type, bool is_pointer) {
  return is_pointer ? arena_format(arena, "%s:u32[32]=0", name)
                    : arena_format(arena, "%s:%s=0", name, ptx_type_name(type));
}

// `[name]` or `[name+offset]` of the parameter.
static bool is_of_parameter(const PtxModule *module, const PtxOperand *operand, uint32_t parameter,
                            uint64_t *offset) {
  if (operand->kind == PTX_OPERAND_ADDRESS)
    operand = &module->operands.items[operand->children.first];
  *offset = operand->value;
  return operand->kind == PTX_OPERAND_NAME && operand->reference == PTX_REFERENCE_VARIABLE &&
         operand->target == parameter;
}

// Notes the types of what `ld.param` loads.
static void note_load(const Template *template, const PtxInstruction *instruction,
                      uint32_t parameter, uint64_t size, uint8_t *types) {
  const PtxModule *module = template->module;
  PtxModifiers modifiers;
  DiagList ignored;
  uint64_t offset;
  diag_list_init(&ignored, template->arena);
  if (instruction->op != PTX_OP_ld || instruction->operands.count < 2 ||
      !is_of_parameter(module, &module->operands.items[instruction->operands.first + 1], parameter,
                       &offset) ||
      !ptx_decode_modifiers(module, instruction, &modifiers, &ignored) ||
      modifiers.type_count != 1 || !launch_type_is_known(modifiers.types[0]))
    return;
  uint64_t bytes = ptx_type_bits(modifiers.types[0]) / 8;
  for (uint32_t i = 0; i < modifiers.vector; i++, offset += bytes)
    if (offset % bytes == 0 && offset < size && bytes <= size - offset)
      types[offset] = (uint8_t)modifiers.types[0];
}

// Texts grow in place: a struct may have thousands of members.
static void append(Template *template, const char *text) {
  for (; *text; text++)
    array_push(template->arena, &template->text, *text);
}

static void append_member(Template *template, uint64_t at, PtxType type, uint64_t size) {
  const char *name =
      arena_format(template->arena, "%sat%llu", at ? "," : "", (unsigned long long)at);
  append(template,
         type ? member(template->arena, name, type, is_pointer_type(type))
              : arena_format(template->arena, "%s:u8*%llu=0", name, (unsigned long long)size));
}

// The members in their order; what is never loaded is bytes.
static void append_struct(Template *template, uint32_t parameter, uint64_t size) {
  uint8_t *types = ARENA_ARRAY(template->arena, uint8_t, size + 1);
  PtxRange instructions = template->kernel->instructions;
  for (uint32_t i = 0; i < instructions.count; i++)
    note_load(template, &template->module->instructions.items[instructions.first + i], parameter,
              size, types);
  for (uint64_t at = 0, end; at < size; at = end) {
    PtxType type = (PtxType)types[at];
    end = at + (type ? ptx_type_bits(type) / 8 : 1);
    while (!type && end < size && !types[end])
      end++;
    append_member(template, at, type, end - at);
  }
}

// nvcc names parameters KERNEL_param_0, ...: without the kernel.
static const char *parameter_name(const Template *template, const PtxVariable *variable) {
  const char *name = ptx_text(template->module, variable->name);
  const char *kernel = ptx_text(template->module, template->kernel->name);
  size_t length = strlen(kernel);
  return strncmp(name, kernel, length) == 0 && name[length] == '_' && name[length + 1]
             ? name + length + 1
             : name;
}

static void append_argument(Template *template, uint32_t parameter) {
  const PtxVariable *variable = &template->module->variables.items[parameter];
  const char *name = parameter_name(template, variable);
  PtxType type = (PtxType)variable->type;
  uint64_t size = ptx_variable_size(template->module, variable);
  if (variable->dimensions.count == 0 || size > LAUNCH_MAX_ARGUMENT_BYTES) {
    append(template,
           member(template->arena, name, type, variable->is_pointer || is_pointer_type(type)));
    return;
  }
  append(template, name);
  append(template, ":{");
  append_struct(template, parameter, size);
  append(template, "}");
}

const char *launch_template(const PtxModule *module, const PtxFunction *kernel, Arena *arena) {
  Template template = {.module = module, .kernel = kernel, .arena = arena};
  const char *name = ptx_entry_name(module, kernel, arena);
  bool is_plain = strcmp(name, ptx_text(module, kernel->name)) == 0;
  append(&template, is_plain ? "kernel=" : "kernel=\"");
  append(&template, name);
  append(&template, is_plain ? "" : "\"");
  append(&template, " grid=1 block=32");
  for (uint32_t i = 0; i < kernel->parameters.count; i++) {
    append(&template, i == 0 ? " args=" : ",");
    append_argument(&template, kernel->parameters.first + i);
  }
  array_push(arena, &template.text, '\0');
  return template.text.items;
}
