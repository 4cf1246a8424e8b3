// mma.m8n8k4 on halves: four products at a time. The lanes of a quad and those 16 behind them have
// the eight rows of A and the eight columns of B of one product, each by rows or by columns (PTX
// ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type"). Of C and D a lane has a
// row, if they are halves, or four squares of two rows and two columns, of which it has one row.
#include "ptx/lower_product.h"

enum { DEPTH = 4, SUMS = 8 };

// Rows of A or columns of B that a lane needs: which of four, `line`, and lanes from the first.
typedef struct QuadLine {
  Operand line, high; // high: 0, or 16 for those that the lanes 16 behind have
  Operand elements[DEPTH];
} QuadLine;

typedef struct QuadProduct {
  Lanes lanes;
  Operand first; // the product's first lane
  Operand odd;   // bit 0, bit 1 and bit 4 of the lane's number
  Operand upper;
  Operand high;
  Operand a[2], b[2];
  bool a_is_along, b_is_along; // a lane has a line along k: A by rows, B by columns
  bool is_float;               // D
  QuadLine rows[2], columns[8];
  Operand sums[SUMS];
} QuadProduct;

static bool is_quad_product(const Code *code, const PtxModifiers *modifiers) {
  uint32_t size[3];
  return product_read_size(code, modifiers, size) && size[0] == 8 && size[1] == 8 &&
         size[2] == DEPTH && modifiers->type_count == 4 && modifiers->types[1] == PTX_TYPE_f16 &&
         modifiers->types[2] == PTX_TYPE_f16;
}

// Layouts of A and B, in this order.
static bool read_layouts(const Code *code, const PtxInstruction *instruction,
                         QuadProduct *product) {
  bool is_column[2];
  uint32_t count = 0;
  for (uint32_t i = 0; i < instruction->modifiers.count; i++) {
    uint32_t index = instruction->modifiers.first + i;
    PtxWord word = ptx_word(code->module, code->module->modifiers.items[index].name);
    if (word.modifier != PTX_MODIFIER_row && word.modifier != PTX_MODIFIER_col)
      continue;
    if (count == 2)
      return false;
    is_column[count++] = word.modifier == PTX_MODIFIER_col;
  }
  product->a_is_along = count == 2 && !is_column[0];
  product->b_is_along = count == 2 && is_column[1];
  return count == 2;
}

static Operand bit_of_lane(Lanes *lanes, uint32_t bit) {
  return lane_binary(lanes, ALU_AND, lanes->lane, lower_constant(1 << bit));
}

static Operand plus(Lanes *lanes, Operand a, Operand b) {
  return lane_binary(lanes, ALU_ADD, a, b);
}

// Half `number` of a word, as a float.
static Operand half_of(Lanes *lanes, Operand word, Operand number) {
  Operand halves[2];
  lane_unpack(lanes, word, ALU_TYPE_B32, 2, halves);
  Operand half = number.kind == OPERAND_CONSTANT ? halves[number.constant]
                                                 : lane_select(lanes, number, halves[1], halves[0]);
  return lane_convert(lanes, half, ALU_TYPE_F32, ALU_TYPE_F16);
}

static Operand from_lane(QuadProduct *product, Operand line, Operand high) {
  Lanes *lanes = &product->lanes;
  return plus(lanes, plus(lanes, product->first, line), high);
}

// Element k of a line, from the lane that has it.
static Operand fetch(QuadProduct *product, const Operand *registers, bool is_along,
                     const QuadLine *line, uint32_t k) {
  Lanes *lanes = &product->lanes;
  if (is_along) {
    Operand word =
        lane_shuffle(lanes, registers[k / 2], from_lane(product, line->line, line->high));
    return half_of(lanes, word, lower_constant(k % 2));
  }
  Operand from = from_lane(product, lower_constant(k), line->high);
  Operand low = lane_shuffle(lanes, registers[0], from);
  Operand high = lane_shuffle(lanes, registers[1], from);
  Operand upper = lane_binary(lanes, ALU_AND, line->line, lower_constant(2));
  Operand odd = lane_binary(lanes, ALU_AND, line->line, lower_constant(1));
  return half_of(lanes, lane_select(lanes, upper, high, low), odd);
}

static void fetch_line(QuadProduct *product, const Operand *registers, bool is_along,
                       QuadLine *line) {
  for (uint32_t k = 0; k < DEPTH; k++)
    line->elements[k] = fetch(product, registers, is_along, line, k);
}

static uint32_t row_count(const QuadProduct *product) {
  return product->is_float ? 2 : 1;
}

static void fetch_lines(QuadProduct *product) {
  Lanes *lanes = &product->lanes;
  for (uint32_t i = 0; i < row_count(product); i++) {
    Operand line =
        product->is_float ? plus(lanes, product->odd, lower_constant(2 * i)) : lanes->member;
    product->rows[i] = (QuadLine){.line = line, .high = product->high};
    fetch_line(product, product->a, product->a_is_along, &product->rows[i]);
  }
  uint32_t count = product->is_float ? 4 : 8;
  for (uint32_t i = 0; i < count; i++) {
    Operand line = product->is_float ? plus(lanes, product->upper, lower_constant(i % 2))
                                     : lower_constant(i % 4);
    product->columns[i] = (QuadLine){.line = line, .high = lower_constant(i < count / 2 ? 0 : 16)};
    fetch_line(product, product->b, product->b_is_along, &product->columns[i]);
  }
}

// Where the sum with that number is: a row and a column that the lane has.
static const QuadLine *row_of(const QuadProduct *product, uint32_t i) {
  return &product->rows[product->is_float ? i / 2 % 2 : 0];
}

static const QuadLine *column_of(const QuadProduct *product, uint32_t i) {
  return &product->columns[product->is_float ? i / 4 * 2 + i % 2 : i];
}

static void multiply(QuadProduct *product) {
  AluOperation operation = {.op = ALU_FMA, .type = ALU_TYPE_F32};
  for (uint32_t i = 0; i < SUMS; i++)
    for (uint32_t k = 0; k < DEPTH; k++) {
      Operand operands[ALU_MAX_OPERANDS] = {row_of(product, i)->elements[k],
                                            column_of(product, i)->elements[k], product->sums[i]};
      lane_compute_into(&product->lanes, product->sums[i].index, &operation, operands);
    }
}

// An element of C, which is halves, for a D of floats: that of another lane with the same row.
static Operand fetch_sum(QuadProduct *product, const Operand *values, uint32_t i) {
  Lanes *lanes = &product->lanes;
  Operand from = from_lane(product, row_of(product, i)->line, product->high);
  Operand low = lane_shuffle(lanes, values[i / 4 * 2], from);
  Operand high = lane_shuffle(lanes, values[i / 4 * 2 + 1], from);
  return half_of(lanes, lane_select(lanes, product->upper, high, low), lower_constant(i % 2));
}

static bool read_sums(QuadProduct *product, const PtxOperand *operand, bool is_half) {
  Lanes *lanes = &product->lanes;
  Operand values[LANE_MOST_REGISTERS];
  uint32_t count;
  if (!lane_values(lanes, operand, values, &count) || count != (is_half ? SUMS / 2u : SUMS))
    return false;
  for (uint32_t i = 0; i < SUMS; i++) {
    Operand value = !is_half            ? values[i]
                    : product->is_float ? fetch_sum(product, values, i)
                                        : half_of(lanes, values[i / 2], lower_constant(i % 2));
    product->sums[i] = lower_register(lane_register(lanes));
    lane_move(lanes, product->sums[i].index, value);
  }
  return true;
}

static void write_sums(QuadProduct *product, const uint32_t *registers) {
  Lanes *lanes = &product->lanes;
  Operand pair[ALU_MAX_OPERANDS];
  for (uint32_t i = 0; i < SUMS; i++) {
    if (product->is_float) {
      lane_move(lanes, registers[i], product->sums[i]);
      continue;
    }
    pair[i % 2] = lane_convert(lanes, product->sums[i], ALU_TYPE_F16, ALU_TYPE_F32);
    if (i % 2)
      lane_move(lanes, registers[i / 2], lane_pack(lanes, pair, ALU_TYPE_B32, 2));
  }
}

static bool read_factor(Lanes *lanes, const PtxOperand *operand, Operand *registers) {
  Operand values[LANE_MOST_REGISTERS];
  uint32_t count;
  if (!lane_values(lanes, operand, values, &count) || count != 2)
    return false;
  registers[0] = values[0];
  registers[1] = values[1];
  return true;
}

bool lower_quad_product(Code *code, const PtxInstruction *instruction,
                        const PtxModifiers *modifiers) {
  QuadProduct product = {0};
  uint32_t results[LANE_MOST_REGISTERS], count;
  Lanes *lanes = &product.lanes;
  if (instruction->op != PTX_OP_mma || !is_quad_product(code, modifiers) ||
      lower_operand_count(instruction) != 4 || !read_layouts(code, instruction, &product))
    return false;
  bool is_half_sum = modifiers->types[3] == PTX_TYPE_f16;
  product.is_float = modifiers->types[0] == PTX_TYPE_f32;
  if (!product.is_float && !is_half_sum)
    return false;
  lane_begin(lanes, code);
  product.first = lane_binary(lanes, ALU_AND, lanes->lane, lower_constant(12));
  product.odd = bit_of_lane(lanes, 0);
  product.upper = bit_of_lane(lanes, 1);
  product.high = bit_of_lane(lanes, 4);
  if (!lane_destinations(lanes, lower_operand(code, instruction, 0), results, &count) ||
      count != (product.is_float ? SUMS : SUMS / 2u) ||
      !read_factor(lanes, lower_operand(code, instruction, 1), product.a) ||
      !read_factor(lanes, lower_operand(code, instruction, 2), product.b))
    return false;
  fetch_lines(&product);
  if (!read_sums(&product, lower_operand(code, instruction, 3), is_half_sum))
    return false;
  multiply(&product);
  write_sums(&product, results);
  return true;
}
