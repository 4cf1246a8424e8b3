// Values with bits that nothing has defined: of a shuffle from a lane that does not take part in it
// (PTX ISA, "shfl.sync"), and of local memory that nothing has written. They are wrapped
// (VALUE_UNDEFINED), so that they go through registers and local memory with them. What is reported
// is a use on which something depends: an address, a branch, what is stored for others to read.
#include "explore/kernel.h"

enum { OPERANDS = 6, ADDRESS_OPERAND = 5, WORD_BYTES = 8 };

static const Operand *operand_at(const Instruction *instruction, uint32_t i) {
  return i == ADDRESS_OPERAND ? &instruction->address : &instruction->src[i];
}

// --- values

UndefinedValue kernel_undefined(const Search *search, ValueId id) {
  const Value *value = &search->values.items[id];
  if (value->kind != VALUE_UNDEFINED)
    return (UndefinedValue){0};
  return (UndefinedValue){.bits = value->second | (uint64_t)value->third << 32,
                          .origin = value->event,
                          .is_hollow = value->flag};
}

UndefinedValue kernel_undefined_operand(const Search *search, uint32_t thread,
                                        const Operand *operand) {
  if (operand->kind != OPERAND_REGISTER)
    return (UndefinedValue){0};
  return kernel_undefined(search, (ValueId)search->threads[thread].registers[operand->index]);
}

static ValueId without_wrapper(const Search *search, ValueId id) {
  const Value *value = &search->values.items[id];
  return value->kind == VALUE_UNDEFINED ? value->first : id;
}

ValueId kernel_undefine(Search *search, ValueId value, UndefinedValue undefined) {
  ValueId inner = without_wrapper(search, value);
  if (!undefined.bits)
    return inner;
  search->kernel->has_undefined = true;
  return values_add(&search->values, (Value){.kind = VALUE_UNDEFINED,
                                             .flag = undefined.is_hollow,
                                             .event = undefined.origin,
                                             .first = inner,
                                             .second = (uint32_t)undefined.bits,
                                             .third = (uint32_t)(undefined.bits >> 32)});
}

void kernel_set_undefined(Search *search, uint32_t thread, uint32_t reg, UndefinedValue undefined) {
  if (reg == UINT32_MAX || !undefined.bits)
    return;
  uint64_t *word = &search->threads[thread].registers[reg];
  trail_set(&search->trail, word, kernel_undefine(search, (ValueId)*word, undefined));
}

void kernel_use_operand(Search *search, uint32_t thread, const Operand *operand, uint64_t pc) {
  UndefinedValue undefined = kernel_undefined_operand(search, thread, operand);
  if (!undefined.bits)
    return;
  search_add_fault(search, RULE_UNINITIALISED, (RecordPlace){thread, undefined.origin},
                   (RecordPlace){thread, (uint32_t)pc});
  uint64_t *word = &search->threads[thread].registers[operand->index];
  trail_set(&search->trail, word, without_wrapper(search, (ValueId)*word)); // reported once
}

// --- local memory

ValueId kernel_read_undefined(Search *search, uint32_t thread, uint32_t location, ValueId value,
                              UndefinedValue undefined) {
  const Location *read = &search->graph.locations[location];
  if (!undefined.bits)
    return value;
  if (kernel_is_local(read))
    return read->size <= WORD_BYTES ? kernel_undefine(search, value, undefined) : value;
  kernel_add_fault(search, thread, RULE_UNINITIALISED);
  return value;
}

static const Instruction *origin_of(const Search *search, uint32_t thread, UndefinedValue value) {
  return &search->codes[thread].thread->instructions[value.origin];
}

// An element of a vector of which nothing is defined counts as padding if something of the vector
// is: types are copied with it.
static bool is_padding(const Search *search, uint32_t thread, const Instruction *load,
                       uint32_t location, uint64_t bits) {
  uint64_t first = search->graph.locations[location].address - (uint64_t)load->element_offset;
  if (load->align <= load->size || bits != ir_low_bits(8 * load->size))
    return false;
  for (uint32_t i = 0; i < load->align; i++)
    if (kernel_undefined_byte(search, thread, first + i).bits != UINT8_MAX)
      return true;
  return false;
}

ValueId kernel_loaded_value(Search *search, uint32_t thread, const Instruction *load,
                            uint32_t location, ValueId value, ValueId extended) {
  UndefinedValue undefined = kernel_undefined(search, value);
  if (!undefined.bits)
    return extended;
  if (is_padding(search, thread, load, location, undefined.bits))
    return without_wrapper(search, extended);
  if (origin_of(search, thread, undefined)->op == IR_LOAD) // of other fields beside it, say
    undefined.origin = (uint32_t)search->threads[thread].pc;
  undefined.is_hollow = undefined.bits == ir_low_bits(8 * load->size);
  undefined.bits = (uint64_t)value_extended((int64_t)undefined.bits, load->size,
                                            load->flags & INSTRUCTION_SIGNED);
  return kernel_undefine(search, extended, undefined);
}

ValueId kernel_stored_value(Search *search, uint32_t thread, const Instruction *store,
                            uint32_t location, ValueId value) {
  if (store->size > WORD_BYTES || !kernel_is_local(&search->graph.locations[location]))
    return value;
  UndefinedValue undefined = kernel_undefined_operand(search, thread, &store->src[0]);
  undefined.bits &= ir_low_bits(8 * store->size);
  return kernel_undefine(search, value, undefined);
}

// --- what an instruction does with them

// An operand that waits for its value may be any: then a result that may ignore an operand counts
// as defined.
static UndefinedResults results_of(Search *search, uint32_t thread,
                                   const Instruction *instruction) {
  UndefinedInputs inputs = {0};
  for (uint32_t i = 0; i < ALU_MAX_OPERANDS; i++) {
    const Operand *operand = &instruction->src[i];
    UndefinedValue undefined = kernel_undefined_operand(search, thread, operand);
    int64_t number = operand->constant;
    if (operand->kind == OPERAND_REGISTER &&
        !value_evaluate(&search->values, &search->graph, kernel_value(search, thread, operand),
                        &number)) {
      if (ir_may_ignore_operand(instruction))
        return (UndefinedResults){0};
      number = 0;
    }
    inputs.values[i] = (uint64_t)number;
    inputs.bits[i] = undefined.bits;
    inputs.hollow |= (uint32_t)undefined.is_hollow << i;
  }
  return ir_undefined_results(instruction, &inputs);
}

// Does the instruction name an address of the space, as one of that space or by a window?
static bool is_in(Search *search, uint32_t thread, const Instruction *store, Space space,
                  uint64_t window) {
  int64_t base = store->address.constant;
  if (store->space == space)
    return true;
  return store->space == SPACE_GENERIC && store->address.kind == OPERAND_REGISTER &&
         value_evaluate(&search->values, &search->graph,
                        kernel_value(search, thread, &store->address), &base) &&
         (uint64_t)(base + store->offset) - window < MEMORY_WINDOW_SIZE;
}

// Does it store an undefined value where it will be taken for one? Types are copied with padding
// and with unused bits, but those come from memory; threads exchange items that some of them do not
// have by shared memory: these may never be used.
static bool publishes(Search *search, uint32_t thread, const Instruction *store,
                      const Operand *operand) {
  UndefinedValue undefined = kernel_undefined_operand(search, thread, operand);
  if (!(undefined.bits & ir_low_bits(8 * store->size)) ||
      is_in(search, thread, store, SPACE_LOCAL, MEMORY_LOCAL_WINDOW))
    return false;
  return origin_of(search, thread, undefined)->op == IR_COLLECTIVE ||
         (undefined.is_hollow && !is_in(search, thread, store, SPACE_SHARED, MEMORY_SHARED_WINDOW));
}

// Mask of the operands on which something depends. Collectives look at theirs when all lanes are
// there.
static uint32_t used_operands(Search *search, uint32_t thread, const Instruction *instruction) {
  uint32_t used = 1u << ADDRESS_OPERAND;
  if (ir_is_computation(instruction) || instruction->op == IR_COLLECTIVE)
    return 0;
  if (instruction->op != IR_STORE)
    return UINT32_MAX;
  for (uint32_t i = 0; i < 2; i++) // two words of 16 bytes
    used |= (uint32_t)publishes(search, thread, instruction, &instruction->src[i]) << i;
  return used;
}

UndefinedStep kernel_begin_step(Search *search, uint32_t thread, const Instruction *instruction) {
  UndefinedStep step = {.pc = search->threads[thread].pc};
  for (uint32_t i = 0; i < OPERANDS && !step.has_undefined; i++) {
    UndefinedValue undefined = kernel_undefined_operand(search, thread, operand_at(instruction, i));
    step.has_undefined = undefined.bits != 0;
    step.origin = undefined.origin;
  }
  if (!step.has_undefined)
    return step;
  step.used = used_operands(search, thread, instruction);
  if (ir_is_computation(instruction))
    step.results = results_of(search, thread, instruction);
  return step;
}

void kernel_end_step(Search *search, uint32_t thread, const Instruction *instruction,
                     const UndefinedStep *step) {
  if (!step->has_undefined || search->threads[thread].pc == step->pc)
    return; // it waits, and will come here again
  for (uint32_t i = 0; i < OPERANDS; i++)
    if (step->used >> i & 1)
      kernel_use_operand(search, thread, operand_at(instruction, i), step->pc);
  for (uint32_t i = 0; i < ALU_MAX_RESULTS; i++)
    kernel_set_undefined(search, thread, i ? instruction->more[i - 1] : instruction->dst,
                         (UndefinedValue){.bits = step->results.bits[i],
                                          .origin = step->origin,
                                          .is_hollow = step->results.is_hollow});
}
