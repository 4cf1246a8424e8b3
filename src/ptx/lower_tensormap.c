// Tensor maps that a kernel changes (PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy"). A
// map is memory, with fields of our own layout (ir/tensor.h). An instruction that changes one field
// is taken for a load and a store of all of it, which it is; the copy that uses a map reads it
// through the tensormap proxy.
#include "ir/tensor.h"
#include "ptx/lower_lane.h"

enum { WORD_BYTES = 8, WORDS = TENSOR_MAP_WORDS };

static bool has(const PtxModifiers *modifiers, PtxModifierId id) {
  return ptx_has_modifier(modifiers, id);
}

static Instruction *emit_access(Code *code, IrOp op, Space space, Operand base, int64_t offset) {
  Instruction *access = lower_emit(code, op);
  access->space = (uint8_t)space;
  access->size = WORD_BYTES;
  access->align = WORD_BYTES;
  access->address = base;
  access->offset = offset;
  return access;
}

static Operand load_word(Code *code, Space space, Proxy proxy, Operand base, int64_t offset) {
  uint32_t reg = lower_temporary(code);
  Instruction *load = emit_access(code, IR_LOAD, space, base, offset);
  load->proxy = (uint8_t)proxy;
  load->dst = reg;
  return lower_register(reg);
}

static void store_word(Code *code, Space space, Operand base, int64_t offset, Operand value) {
  emit_access(code, IR_STORE, space, base, offset)->src[0] = value;
}

const uint32_t *lower_map_loads(Code *code, Operand map) {
  if (!code->writes_tensor_maps)
    return NULL;
  uint32_t *registers = ARENA_ARRAY(code->arena, uint32_t, WORDS);
  for (uint32_t i = 0; i < WORDS; i++)
    registers[i] = load_word(code, SPACE_GENERIC, PROXY_TENSORMAP, map, WORD_BYTES * i).index;
  return registers;
}

// --- tensormap.replace: [map], {number of the dimension,} value

typedef struct Field {
  PtxModifierId word;
  uint8_t at, bytes;
  bool is_numbered; // one for each dimension
} Field;

static const Field fields[] = {
    {PTX_MODIFIER_global_address, TENSOR_AT_BASE, 8, false},
    {PTX_MODIFIER_rank, TENSOR_AT_RANK, 1, false},
    {PTX_MODIFIER_box_dim, TENSOR_AT_BOX, 4, true},
    {PTX_MODIFIER_global_dim, TENSOR_AT_SIZE, 4, true},
    {PTX_MODIFIER_global_stride, TENSOR_AT_STRIDE, 8, true},
    {PTX_MODIFIER_element_stride, TENSOR_AT_STEP, 1, true},
    {PTX_MODIFIER_elemtype, TENSOR_AT_TYPE, 1, false},
    {PTX_MODIFIER_interleave_layout, TENSOR_AT_INTERLEAVE, 1, false},
    {PTX_MODIFIER_swizzle_mode, TENSOR_AT_SWIZZLE, 1, false},
    {PTX_MODIFIER_fill_mode, TENSOR_AT_FILL, 1, false},
};

static const Field *find_field(const PtxModifiers *modifiers) {
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (has(modifiers, fields[i].word))
      return &fields[i];
  return NULL;
}

// The word with `value` in some of its bytes.
static Operand insert(Code *code, Operand word, Operand value, uint32_t at, uint32_t bytes) {
  Lanes lanes = {.code = code};
  AluOperation operation = {.op = ALU_BFI, .type = ALU_TYPE_B64};
  Operand operands[ALU_MAX_OPERANDS] = {value, word, lower_constant(8 * at),
                                        lower_constant(8 * bytes)};
  return lane_compute(&lanes, &operation, operands);
}

static bool lower_replace(Code *code, const PtxInstruction *instruction,
                          const PtxModifiers *modifiers) {
  const Field *field = find_field(modifiers);
  Operand base, value, number = lower_constant(0), words[WORDS];
  int64_t offset;
  if (!field || lower_operand_count(instruction) != 2u + field->is_numbered ||
      !lower_address(code, lower_operand(code, instruction, 0), &base, &offset) ||
      !lower_value(code, lower_operand(code, instruction, 1 + field->is_numbered), &value) ||
      (field->is_numbered && !lower_value(code, lower_operand(code, instruction, 1), &number)) ||
      number.kind != OPERAND_CONSTANT || number.constant < 0 || number.constant >= TENSOR_MAX_RANK)
    return false;
  Space space = lower_space(modifiers->space_count ? modifiers->spaces[0] : PTX_SPACE_NONE);
  uint32_t at = field->at + field->bytes * (uint32_t)number.constant;
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = load_word(code, space, PROXY_GENERIC, base, offset + WORD_BYTES * i);
  words[at / WORD_BYTES] =
      insert(code, words[at / WORD_BYTES], value, at % WORD_BYTES, field->bytes);
  for (uint32_t i = 0; i < WORDS; i++)
    store_word(code, space, base, offset + WORD_BYTES * i, words[i]);
  return true;
}

// --- tensormap.cp_fenceproxy: [to], [from], 128. The warp copies once: its first lane does.

static bool lower_publish(Code *code, const PtxInstruction *instruction,
                          const PtxModifiers *modifiers) {
  Operand to, from, mask = lower_constant(0xffffffff);
  int64_t to_offset, from_offset;
  if (lower_operand_count(instruction) != 3 || modifiers->space_count != 2 ||
      !lower_address(code, lower_operand(code, instruction, 0), &to, &to_offset) ||
      !lower_address(code, lower_operand(code, instruction, 1), &from, &from_offset))
    return false;
  lower_emit(code, IR_BARRIER_WARP)->src[3] = mask;
  Instruction *branch = lower_emit(code, IR_BRANCH);
  branch->compare = IR_SET_NE;
  branch->src[1] = lower_constant(0);
  uint32_t skip = code->instructions.count - 1;
  code->instructions.items[skip].src[0] =
      lower_register(lower_special(code, PTX_SPECIAL_laneid, 0));
  for (uint32_t i = 0; i < WORDS; i++)
    store_word(code, SPACE_GLOBAL, to, to_offset + WORD_BYTES * i,
               load_word(code, SPACE_SHARED, PROXY_GENERIC, from, from_offset + WORD_BYTES * i));
  code->instructions.items[skip].target = code->instructions.count;
  Instruction *fence = lower_emit(code, IR_FENCE_PROXY);
  fence->proxy = PROXY_TENSORMAP;
  fence->sem = SEM_RELEASE;
  fence->scope = (uint8_t)modifiers->scope;
  lower_emit(code, IR_BARRIER_WARP)->src[3] = mask;
  return true;
}

bool lower_tensormap_instruction(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers) {
  if (instruction->op != PTX_OP_tensormap)
    return false;
  return has(modifiers, PTX_MODIFIER_replace) ? lower_replace(code, instruction, modifiers)
                                              : lower_publish(code, instruction, modifiers);
}
