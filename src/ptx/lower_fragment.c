// Matrices between registers and memory: wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix.
//
// wmma: each lane loads and stores the elements of its fragment (see lower_product.c for which they
// are). ldmatrix and stmatrix: each row of 16 bytes is loaded or stored by the lane that gives its
// address, and shuffles take it to and from the lanes that hold it.
#include "ptx/lower_lane.h"

static bool has(const PtxModifiers *modifiers, PtxModifierId id) {
  return ptx_has_modifier(modifiers, id);
}

// --- wmma.load and wmma.store

typedef enum FragmentKind { FRAGMENT_A, FRAGMENT_B, FRAGMENT_SUM } FragmentKind;

typedef struct Fragment {
  FragmentKind kind;
  uint32_t element_bytes; // 0: less than a byte
  uint32_t element_bits;
  uint32_t part;           // elements of a register, along k; of C and D: along the row
  uint32_t rows, blocks;   // as in lower_product.c
  uint32_t tiles;          // of A: rows of tiles, of B: columns, of C and D: all
  uint32_t columns;        // of C and D: columns of tiles
  bool is_contiguous;      // a register's elements are neighbours in memory
  bool is_by_columns;      // .col
  uint32_t default_stride; // in elements
  uint32_t registers;      // that differ from each other
} Fragment;

static uint32_t element_bytes(PtxType type) {
  switch (type) {
  case PTX_TYPE_u8:
  case PTX_TYPE_s8:
    return 1;
  case PTX_TYPE_f16:
  case PTX_TYPE_bf16:
    return 2;
  case PTX_TYPE_tf32:
  case PTX_TYPE_f32:
  case PTX_TYPE_s32:
    return 4;
  case PTX_TYPE_f64:
    return 8;
  default:
    return 0;
  }
}

static bool is_in_bytes(PtxType type, const Fragment *fragment) {
  return (type == PTX_TYPE_u4 || type == PTX_TYPE_s4 || type == PTX_TYPE_b1) &&
         fragment->is_contiguous;
}

static bool read_fragment(const Code *code, const PtxModifiers *modifiers, Fragment *fragment) {
  uint32_t m = lane_shape_size(code, modifiers, 'm'), n = lane_shape_size(code, modifiers, 'n'),
           k = lane_shape_size(code, modifiers, 'k');
  *fragment = (Fragment){.kind = has(modifiers, PTX_MODIFIER_a)   ? FRAGMENT_A
                                 : has(modifiers, PTX_MODIFIER_b) ? FRAGMENT_B
                                                                  : FRAGMENT_SUM,
                         .is_by_columns = has(modifiers, PTX_MODIFIER_col)};
  if (modifiers->type_count != 1 || m % 8 || n % 8 || k % 4 || !m || !n || !k)
    return false;
  uint32_t bytes = element_bytes(modifiers->types[0]);
  fragment->element_bytes = bytes;
  fragment->element_bits = ptx_type_bits(modifiers->types[0]);
  fragment->rows = m % 16 == 0 ? 2 : 1;
  fragment->columns = n / 8;
  if (fragment->kind == FRAGMENT_SUM) {
    fragment->part = bytes == 2 ? 2 : 1;
    fragment->tiles = m / (8 * fragment->rows) * fragment->columns;
    fragment->registers = fragment->tiles * 2 * fragment->rows / fragment->part;
    fragment->default_stride = fragment->is_by_columns ? m : n;
    return bytes == 2 || bytes == 4 || bytes == 8;
  }
  fragment->part = bytes >= 4 ? 1 : 32 / fragment->element_bits;
  fragment->blocks = k / (4 * fragment->part);
  bool is_a = fragment->kind == FRAGMENT_A;
  fragment->tiles = is_a ? m / (8 * fragment->rows) : n / 8;
  fragment->registers = fragment->tiles * fragment->blocks * (is_a ? fragment->rows : 1);
  fragment->is_contiguous = is_a != fragment->is_by_columns;
  fragment->default_stride = fragment->is_contiguous ? k : is_a ? m : n;
  // Those of less than a byte lie beside each other (PTX ISA, "wmma.load": A by rows, B by
  // columns).
  return (bytes > 0 || is_in_bytes(modifiers->types[0], fragment)) && fragment->blocks > 0;
}

// Which line (row or column) of the matrix, and which place in it, a register's element is at: each
// a multiple of a lane's number and a constant.
typedef struct Place {
  Operand line, position;
} Place;

static Operand plus(Lanes *lanes, Operand value, uint32_t constant) {
  return constant ? lane_binary(lanes, ALU_ADD, value, lower_constant(constant)) : value;
}

static Place place_factor(Lanes *lanes, const Fragment *fragment, uint32_t number, uint32_t part) {
  uint32_t rows = fragment->kind == FRAGMENT_A ? fragment->rows : 1;
  uint32_t r = number % rows, block = number / rows % fragment->blocks,
           tile = number / rows / fragment->blocks;
  Operand along_k = lane_scale(lanes, lanes->member, fragment->part,
                               lower_constant(4 * fragment->part * block + part));
  Operand other = plus(lanes, lanes->group, 8 * rows * tile + 8 * r);
  return fragment->is_contiguous ? (Place){other, along_k} : (Place){along_k, other};
}

static Place place_sum(Lanes *lanes, const Fragment *fragment, uint32_t number) {
  uint32_t in_tile = number % (2 * fragment->rows), tile = number / (2 * fragment->rows);
  uint32_t row = tile / fragment->columns * 8 * fragment->rows + in_tile / 2 * 8;
  Operand line = plus(lanes, lanes->group, row);
  Operand position = lane_scale(lanes, lanes->member, 2,
                                lower_constant(tile % fragment->columns * 8 + in_tile % 2));
  return fragment->is_by_columns ? (Place){position, line} : (Place){line, position};
}

// Address of the element `part` of a register, without the offset of the operand.
static Operand address_of(Lanes *lanes, const Fragment *fragment, Operand base, Operand stride,
                          uint32_t number, uint32_t part) {
  Place place = fragment->kind == FRAGMENT_SUM
                    ? place_sum(lanes, fragment, number * fragment->part + part)
                    : place_factor(lanes, fragment, number, part);
  Operand element = lane_multiply_add(lanes, place.line, stride, place.position);
  uint32_t bytes = fragment->element_bytes;
  if (!bytes) {
    element =
        lane_binary(lanes, ALU_SHR, element, lower_constant(fragment->element_bits == 4 ? 1 : 3));
    bytes = 1;
  }
  AluOperation scale = {.op = ALU_MAD, .type = ALU_TYPE_U32, .half = ALU_HALF_WIDE};
  Operand terms[ALU_MAX_OPERANDS] = {element, lower_constant(bytes), base};
  return lane_compute(lanes, &scale, terms);
}

// The address, operand number `address`, and the stride, which is the last one.
static bool read_memory_operands(Code *code, const PtxInstruction *instruction, uint32_t address,
                                 const Fragment *fragment, Operand *base, int64_t *offset,
                                 Operand *stride) {
  *stride = lower_constant(fragment->default_stride);
  return lower_address(code, lower_operand(code, instruction, address), base, offset) &&
         (lower_operand_count(instruction) <= 2 ||
          lower_value(code, lower_operand(code, instruction, 2), stride));
}

static Operand load_register(Lanes *lanes, const Fragment *fragment, const PtxModifiers *modifiers,
                             Operand base, int64_t offset, Operand stride, uint32_t number) {
  bool is_single = fragment->part == 1 || fragment->is_contiguous;
  uint32_t count = is_single ? 1 : fragment->part;
  Operand parts[ALU_MAX_OPERANDS];
  for (uint32_t i = 0; i < count; i++) {
    Operand address = address_of(lanes, fragment, base, stride, number, i);
    uint32_t result = lane_register(lanes);
    lane_access(lanes, IR_LOAD, modifiers, address, offset,
                fragment->element_bits * fragment->part / 8 / count)
        ->dst = result;
    parts[i] = lower_register(result);
  }
  return count == 1 ? parts[0] : lane_pack(lanes, parts, ALU_TYPE_B32, count);
}

static bool lower_fragment_load(Code *code, const PtxInstruction *instruction,
                                const PtxModifiers *modifiers) {
  Fragment fragment;
  Lanes lanes;
  Operand base, stride, values[LANE_MOST_REGISTERS];
  int64_t offset;
  uint32_t results[LANE_MOST_REGISTERS], count;
  if (!read_fragment(code, modifiers, &fragment))
    return false;
  lane_begin(&lanes, code);
  if (!lane_destinations(&lanes, lower_operand(code, instruction, 0), results, &count) ||
      !read_memory_operands(code, instruction, 1, &fragment, &base, &offset, &stride) ||
      fragment.registers > count || fragment.registers == 0)
    return false;
  for (uint32_t i = 0; i < fragment.registers; i++)
    values[i] = load_register(&lanes, &fragment, modifiers, base, offset, stride, i);
  for (uint32_t i = 0; i < count; i++)
    lane_move(&lanes, results[i], values[i % fragment.registers]);
  return true;
}

static bool lower_fragment_store(Code *code, const PtxInstruction *instruction,
                                 const PtxModifiers *modifiers) {
  Fragment fragment;
  Lanes lanes;
  Operand base, stride, values[LANE_MOST_REGISTERS];
  int64_t offset;
  uint32_t count;
  if (!read_fragment(code, modifiers, &fragment))
    return false;
  lane_begin(&lanes, code);
  if (!read_memory_operands(code, instruction, 0, &fragment, &base, &offset, &stride) ||
      !lane_values(&lanes, lower_operand(code, instruction, 1), values, &count) ||
      fragment.registers != count)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    Operand parts[2] = {values[i]};
    if (fragment.part == 2)
      lane_unpack(&lanes, values[i], ALU_TYPE_B32, 2, parts);
    for (uint32_t j = 0; j < fragment.part; j++) {
      Operand address = address_of(&lanes, &fragment, base, stride, i, j);
      lane_access(&lanes, IR_STORE, modifiers, address, offset, fragment.element_bytes)->src[0] =
          parts[j];
    }
  }
  return true;
}

// --- ldmatrix and stmatrix: matrices of 8 rows of 8 elements of 16 bits

enum { MATRIX_WORDS = 4, MOST_MATRICES = 4 };

// Row `lane % 8` of matrix `lane / 8` is at the address of the lane.
static bool read_matrices(const Code *code, const PtxModifiers *modifiers, uint32_t *count) {
  *count = modifiers->repeat;
  return modifiers->type_count == 1 && modifiers->types[0] == PTX_TYPE_b16 &&
         lane_shape_size(code, modifiers, 'm') == 8 && (*count == 1 || *count == 2 || *count == 4);
}

// Lanes of which no address is used jump over the accesses that follow; returns the branch.
static uint32_t skip_other_lanes(Lanes *lanes, uint32_t matrix_count) {
  Instruction *skip = lower_emit(lanes->code, IR_BRANCH);
  skip->compare = IR_SET_GE;
  skip->src[0] = lanes->lane;
  skip->src[1] = lower_constant(8 * matrix_count);
  return lanes->code->instructions.count - 1;
}

static void access_row(Lanes *lanes, IrOp op, const PtxModifiers *modifiers, Operand base,
                       int64_t offset, const Operand *words) {
  for (uint32_t i = 0; i < MATRIX_WORDS; i++) {
    Instruction *access = lane_access(lanes, op, modifiers, base, offset + 4 * i, 4);
    access->align = 16;
    access->element_offset = (int8_t)(4 * i);
    if (op == IR_LOAD)
      access->dst = words[i].index;
    else
      access->src[0] = words[i];
  }
}

// The one of four values that `which` (0 to 3) selects.
static Operand choose(Lanes *lanes, Operand which, const Operand *values) {
  Operand odd = lane_binary(lanes, ALU_AND, which, lower_constant(1));
  Operand high = lane_binary(lanes, ALU_AND, which, lower_constant(2));
  Operand low_pair = lane_select(lanes, odd, values[1], values[0]);
  Operand high_pair = lane_select(lanes, odd, values[3], values[2]);
  return lane_select(lanes, high, high_pair, low_pair);
}

// Half `which` (0 or 1) of a word.
static Operand half_of(Lanes *lanes, Operand word, Operand which) {
  Operand shift = lane_scale(lanes, which, 16, lower_constant(0));
  return lane_binary(lanes, ALU_AND, lane_binary(lanes, ALU_SHR, word, shift),
                     lower_constant(0xffff));
}

// Word `which` of the row that lane `from` holds.
static Operand fetch_word(Lanes *lanes, const Operand *row, Operand from, Operand which) {
  Operand values[MATRIX_WORDS];
  for (uint32_t i = 0; i < MATRIX_WORDS; i++)
    values[i] = lane_shuffle(lanes, row[i], from);
  return choose(lanes, which, values);
}

static Operand join(Lanes *lanes, Operand low, Operand high) {
  Operand shifted = lane_scale(lanes, high, 1 << 16, lower_constant(0));
  return lane_binary(lanes, ALU_OR, low, shifted);
}

// A lane gets the elements 2 * member and 2 * member + 1 of row `group`; transposed: of column
// `group`.
static Operand matrix_register(Lanes *lanes, const Operand *row, uint32_t matrix, bool is_trans) {
  if (!is_trans)
    return fetch_word(lanes, row, plus(lanes, lanes->group, 8 * matrix), lanes->member);
  Operand halves[2];
  Operand word = lane_binary(lanes, ALU_SHR, lanes->group, lower_constant(1));
  Operand odd = lane_binary(lanes, ALU_AND, lanes->group, lower_constant(1));
  for (uint32_t i = 0; i < 2; i++) {
    Operand from = lane_scale(lanes, lanes->member, 2, lower_constant(8 * matrix + i));
    halves[i] = half_of(lanes, fetch_word(lanes, row, from, word), odd);
  }
  return join(lanes, halves[0], halves[1]);
}

static bool lower_matrix_load(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  Lanes lanes;
  Operand base, row[MATRIX_WORDS], values[MOST_MATRICES];
  int64_t offset;
  uint32_t matrix_count, results[LANE_MOST_REGISTERS], count;
  if (!read_matrices(code, modifiers, &matrix_count))
    return false;
  lane_begin(&lanes, code);
  if (!lane_destinations(&lanes, lower_operand(code, instruction, 0), results, &count) ||
      count != matrix_count ||
      !lower_address(code, lower_operand(code, instruction, 1), &base, &offset))
    return false;
  for (uint32_t i = 0; i < MATRIX_WORDS; i++)
    row[i] = lower_register(lane_register(&lanes));
  uint32_t skip = skip_other_lanes(&lanes, matrix_count);
  access_row(&lanes, IR_LOAD, modifiers, base, offset, row);
  code->instructions.items[skip].target = code->instructions.count;
  for (uint32_t i = 0; i < count; i++)
    values[i] = matrix_register(&lanes, row, i, has(modifiers, PTX_MODIFIER_trans));
  for (uint32_t i = 0; i < count; i++)
    lane_move(&lanes, results[i], values[i]);
  return true;
}

// Word `word` of the row that the lane stores.
static Operand stored_word(Lanes *lanes, const Operand *matrices, uint32_t matrix_count,
                           uint32_t word, bool is_trans) {
  Operand row = lane_binary(lanes, ALU_AND, lanes->lane, lower_constant(7));
  Operand matrix = lane_binary(lanes, ALU_SHR, lanes->lane, lower_constant(3));
  Operand half_row = lane_binary(lanes, ALU_SHR, row, lower_constant(1));
  Operand odd = lane_binary(lanes, ALU_AND, row, lower_constant(1));
  Operand halves[2], values[MOST_MATRICES];
  for (uint32_t i = 0; i < (is_trans ? 2 : 1); i++) {
    // Lane 4 * row + word holds the word; transposed, lane 4 * column + row / 2 holds an element.
    Operand from = is_trans ? plus(lanes, half_row, 4 * (2 * word + i))
                            : lane_scale(lanes, row, 4, lower_constant(word));
    for (uint32_t j = 0; j < MOST_MATRICES; j++)
      values[j] = j < matrix_count ? lane_shuffle(lanes, matrices[j], from) : values[0];
    halves[i] = choose(lanes, matrix, values);
    if (is_trans)
      halves[i] = half_of(lanes, halves[i], odd);
  }
  return is_trans ? join(lanes, halves[0], halves[1]) : halves[0];
}

static bool lower_matrix_store(Code *code, const PtxInstruction *instruction,
                               const PtxModifiers *modifiers) {
  Lanes lanes;
  Operand base, words[MATRIX_WORDS], matrices[LANE_MOST_REGISTERS];
  int64_t offset;
  uint32_t matrix_count, count;
  if (!read_matrices(code, modifiers, &matrix_count))
    return false;
  lane_begin(&lanes, code);
  if (!lower_address(code, lower_operand(code, instruction, 0), &base, &offset) ||
      !lane_values(&lanes, lower_operand(code, instruction, 1), matrices, &count) ||
      count != matrix_count)
    return false;
  for (uint32_t i = 0; i < MATRIX_WORDS; i++)
    words[i] = stored_word(&lanes, matrices, count, i, has(modifiers, PTX_MODIFIER_trans));
  uint32_t skip = skip_other_lanes(&lanes, matrix_count);
  access_row(&lanes, IR_STORE, modifiers, base, offset, words);
  code->instructions.items[skip].target = code->instructions.count;
  return true;
}

// movmatrix.trans: element (row, column) is in lane 4 * row + column / 2.
static bool lower_matrix_move(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  Lanes lanes;
  uint32_t result;
  Operand source, halves[2];
  if (!has(modifiers, PTX_MODIFIER_trans) ||
      !lower_destination(code, lower_operand(code, instruction, 0), &result) ||
      !lower_value(code, lower_operand(code, instruction, 1), &source))
    return false;
  lane_begin(&lanes, code);
  Operand word = lane_binary(&lanes, ALU_SHR, lanes.group, lower_constant(1));
  Operand odd = lane_binary(&lanes, ALU_AND, lanes.group, lower_constant(1));
  for (uint32_t i = 0; i < 2; i++) {
    Operand from = lane_scale(&lanes, lanes.member, 8, plus(&lanes, word, 4 * i));
    halves[i] = half_of(&lanes, lane_shuffle(&lanes, source, from), odd);
  }
  lane_move(&lanes, result, join(&lanes, halves[0], halves[1]));
  return true;
}

bool lower_matrix_instruction(Code *code, const PtxInstruction *instruction,
                              const PtxModifiers *modifiers) {
  switch (instruction->op) {
  case PTX_OP_mma:
    return lower_product(code, instruction, modifiers);
  case PTX_OP_wmma:
    if (has(modifiers, PTX_MODIFIER_mma))
      return lower_product(code, instruction, modifiers);
    return has(modifiers, PTX_MODIFIER_load) ? lower_fragment_load(code, instruction, modifiers)
                                             : lower_fragment_store(code, instruction, modifiers);
  case PTX_OP_ldmatrix:
    return lower_matrix_load(code, instruction, modifiers);
  case PTX_OP_stmatrix:
    return lower_matrix_store(code, instruction, modifiers);
  case PTX_OP_movmatrix:
    return lower_matrix_move(code, instruction, modifiers);
  case PTX_OP_wgmma:
    return lower_warpgroup_instruction(code, instruction, modifiers);
  default:
    return false;
  }
}
