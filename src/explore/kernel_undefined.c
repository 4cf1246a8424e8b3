// Values that a shuffle takes from a lane which does not take part in it: undefined (PTX ISA,
// "shfl.sync"). A register's word holds its value in the lower half, and in the upper half the
// instruction, + 1, that an undefined value comes from. What is reported is a use on which
// something depends: an address, a branch, what is stored for others to read.
#include "explore/kernel.h"
#include "ir/undefined.h"

enum { OPERANDS = 6, ADDRESS_OPERAND = 5, ORIGIN_SHIFT = 32 };

static const Operand *operand_at(const Instruction *instruction, uint32_t i) {
  return i == ADDRESS_OPERAND ? &instruction->address : &instruction->src[i];
}

uint32_t kernel_undefined_origin(const Search *search, uint32_t thread, const Operand *operand) {
  if (operand->kind != OPERAND_REGISTER)
    return 0;
  return (uint32_t)(search->threads[thread].registers[operand->index] >> ORIGIN_SHIFT);
}

void kernel_set_undefined(Search *search, uint32_t thread, uint32_t reg, uint32_t origin) {
  if (reg == UINT32_MAX || !origin)
    return;
  uint64_t *word = &search->threads[thread].registers[reg];
  search->kernel->has_undefined = true;
  trail_set(&search->trail, word, (uint32_t)*word | (uint64_t)origin << ORIGIN_SHIFT);
}

void kernel_use_operand(Search *search, uint32_t thread, const Operand *operand, uint64_t pc) {
  uint32_t origin = kernel_undefined_origin(search, thread, operand);
  if (!origin)
    return;
  search_add_fault(search, RULE_UNINITIALISED, (RecordPlace){thread, origin - 1},
                   (RecordPlace){thread, (uint32_t)pc});
  uint64_t *word = &search->threads[thread].registers[operand->index];
  trail_set(&search->trail, word, (uint32_t)*word); // is reported at its first use
}

// --- what an instruction does with them

static bool is_arithmetic(const Instruction *instruction) {
  return instruction->op == IR_ALU || instruction->op == IR_MOVE || instruction->op == IR_ADDRESS ||
         instruction->op == IR_PRODUCT_RESULT ||
         (instruction->op >= IR_ADD && instruction->op <= IR_SET_GE);
}

static bool is_operation(const Instruction *instruction) {
  return instruction->op == IR_ALU || (instruction->op >= IR_ADD && instruction->op <= IR_SET_GE);
}

// An operand that waits for its value may be any: then the result counts as defined if it could be.
static bool is_result_defined(Search *search, uint32_t thread, const Instruction *instruction) {
  UndefinedInputs inputs = {0};
  if (!is_operation(instruction))
    return false;
  for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++) {
    const Operand *operand = &instruction->src[i];
    int64_t number = operand->constant;
    if (kernel_undefined_origin(search, thread, operand))
      inputs.undefined |= 1u << i;
    else if (operand->kind == OPERAND_REGISTER &&
             !value_evaluate(&search->values, &search->graph, kernel_value(search, thread, operand),
                             &number))
      return ir_may_ignore_operand(instruction);
    inputs.values[i] = (uint64_t)number;
  }
  return ir_is_result_defined(instruction, &inputs);
}

static bool is_local(Search *search, uint32_t thread, const Instruction *store) {
  int64_t base = store->address.constant;
  if (store->space == SPACE_LOCAL)
    return true;
  return store->space == SPACE_GENERIC && store->address.kind == OPERAND_REGISTER &&
         value_evaluate(&search->values, &search->graph,
                        kernel_value(search, thread, &store->address), &base) &&
         (uint64_t)(base + store->offset) - MEMORY_LOCAL_WINDOW < MEMORY_WINDOW_SIZE;
}

// Mask of the operands on which something depends. Collectives look at theirs when all lanes are
// there.
static uint32_t used_operands(Search *search, uint32_t thread, const Instruction *instruction) {
  if (is_arithmetic(instruction) || instruction->op == IR_COLLECTIVE)
    return 0;
  if (instruction->op == IR_STORE && is_local(search, thread, instruction))
    return 1u << ADDRESS_OPERAND;
  return UINT32_MAX;
}

UndefinedStep kernel_begin_step(Search *search, uint32_t thread, const Instruction *instruction) {
  UndefinedStep step = {.pc = search->threads[thread].pc};
  for (uint32_t i = 0; i < OPERANDS && !step.origin; i++)
    step.origin = kernel_undefined_origin(search, thread, operand_at(instruction, i));
  if (!step.origin)
    return step;
  step.used = used_operands(search, thread, instruction);
  step.gives_undefined =
      is_arithmetic(instruction) && !is_result_defined(search, thread, instruction);
  return step;
}

void kernel_end_step(Search *search, uint32_t thread, const Instruction *instruction,
                     const UndefinedStep *step) {
  if (!step->origin || search->threads[thread].pc == step->pc)
    return; // it waits, and will come here again
  for (uint32_t i = 0; i < OPERANDS; i++)
    if (step->used >> i & 1)
      kernel_use_operand(search, thread, operand_at(instruction, i), step->pc);
  if (!step->gives_undefined)
    return;
  kernel_set_undefined(search, thread, instruction->dst, step->origin);
  for (uint32_t i = 0; i < 3; i++)
    kernel_set_undefined(search, thread, instruction->more[i], step->origin);
}
