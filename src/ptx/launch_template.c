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

// --- what the kernel's code tells

// The dimensions of a bulk copy of a tensor; 0: the instruction is none.
static uint32_t tensor_rank(const PtxModule *module, const PtxInstruction *instruction) {
  bool is_tensor = false;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < instruction->modifiers.count; i++) {
    const char *name =
        ptx_text(module, module->modifiers.items[instruction->modifiers.first + i].name);
    is_tensor |= strcmp(name, "tensor") == 0;
    if (name[0] >= '1' && name[0] <= '5' && strcmp(name + 1, "d") == 0)
      rank = (uint32_t)(name[0] - '0');
  }
  return is_tensor ? rank : 0;
}

// Of the first such copy; 0: there is none.
static uint32_t find_tensor_rank(const Template *template) {
  PtxRange instructions = template->kernel->instructions;
  for (uint32_t i = 0; i < instructions.count; i++) {
    uint32_t rank = tensor_rank(template->module,
                                &template->module->instructions.items[instructions.first + i]);
    if (rank > 0)
      return rank;
  }
  return 0;
}

static bool is_dynamic_shared(const PtxModule *module, const PtxOperand *operand) {
  if (operand->kind == PTX_OPERAND_NAME && operand->reference == PTX_REFERENCE_VARIABLE) {
    const PtxVariable *variable = &module->variables.items[operand->target];
    return variable->space == PTX_SPACE_SHARED && variable->dimensions.count > 0 &&
           ptx_variable_size(module, variable) == 0;
  }
  for (uint32_t i = 0; i < operand->children.count; i++)
    if (is_dynamic_shared(module, &module->operands.items[operand->children.first + i]))
      return true;
  return false;
}

static bool uses_dynamic_shared(const Template *template) {
  const PtxModule *module = template->module;
  PtxRange range = template->kernel->instructions;
  for (uint32_t i = 0; i < range.count; i++) {
    PtxRange operands = module->instructions.items[range.first + i].operands;
    for (uint32_t k = 0; k < operands.count; k++)
      if (is_dynamic_shared(module, &module->operands.items[operands.first + k]))
        return true;
  }
  return false;
}

// --- the line

// A tensor map lies on a multiple of 64 bytes, as no other parameter does.
static bool is_tensor_map(const Template *template, const PtxVariable *variable, uint64_t size) {
  enum { MAP_BYTES = 128, MAP_ALIGN = 64 };
  return size == MAP_BYTES && ptx_variable_align(variable) >= MAP_ALIGN &&
         find_tensor_rank(template) > 0;
}

static void append_tensor_map(Template *template, const char *name) {
  static const char *const sizes[] = {"64", "64,64", "64,64,1", "64,64,1,1", "64,64,1,1,1"};
  const char *size = sizes[find_tensor_rank(template) - 1];
  append(template, arena_format(template->arena, "%s:f16[%s]:[%s]=0", name, size, size));
}

static void append_argument(Template *template, uint32_t parameter) {
  const PtxVariable *variable = &template->module->variables.items[parameter];
  const char *name = launch_parameter_name(template->module, template->kernel, variable);
  PtxType type = (PtxType)variable->type;
  uint64_t size = ptx_variable_size(template->module, variable);
  if (variable->dimensions.count == 0 || size > LAUNCH_MAX_ARGUMENT_BYTES) {
    append(template,
           member(template->arena, name, type, variable->is_pointer || is_pointer_type(type)));
    return;
  }
  if (is_tensor_map(template, variable, size)) {
    append_tensor_map(template, name);
    return;
  }
  append(template, name);
  append(template, ":{");
  append_struct(template, parameter, size);
  append(template, "}");
}

static void append_sizes(Template *template, const char *key, const uint32_t sizes[3]) {
  append(template, arena_format(template->arena, " %s=%u", key, sizes[0]));
  if (sizes[1] > 1 || sizes[2] > 1)
    append(template, arena_format(template->arena, ",%u", sizes[1]));
  if (sizes[2] > 1)
    append(template, arena_format(template->arena, ",%u", sizes[2]));
}

// One cluster of one warp for each block, or what the kernel demands; dynamic shared memory as much
// as a launch gets that has not asked for more.
static void append_launch(Template *template) {
  uint32_t cluster[3] = {1, 1, 1}, block[3] = {32, 1, 1};
  const PtxModule *module = template->module;
  bool has_cluster = launch_find_sizes(module, template->kernel, "reqnctapercluster", cluster);
  launch_find_sizes(module, template->kernel, "reqntid", block);
  append_sizes(template, "grid", cluster);
  append_sizes(template, "block", block);
  if (has_cluster)
    append_sizes(template, "cluster", cluster);
  if (uses_dynamic_shared(template))
    append(template, " shared=49152");
}

const char *launch_template(const PtxModule *module, const PtxFunction *kernel, Arena *arena) {
  Template template = {.module = module, .kernel = kernel, .arena = arena};
  const char *name = ptx_entry_name(module, kernel, arena);
  bool is_plain = strcmp(name, ptx_text(module, kernel->name)) == 0 || !strpbrk(name, "<(, ");
  append(&template, is_plain ? "kernel=" : "kernel=\"");
  append(&template, name);
  append(&template, is_plain ? "" : "\"");
  append_launch(&template);
  for (uint32_t i = 0; i < kernel->parameters.count; i++) {
    append(&template, i == 0 ? " args=" : ",");
    append_argument(&template, kernel->parameters.first + i);
  }
  array_push(arena, &template.text, '\0');
  return template.text.items;
}
