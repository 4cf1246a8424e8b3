// Values of 16 bytes, which are pairs of words (value.h).
#include "explore/kernel.h"

enum { WORD_BYTES = 8 };

ValueId kernel_operand(Search *search, uint32_t thread, const Instruction *instruction,
                       uint32_t i) {
  if (instruction->size <= WORD_BYTES)
    return kernel_value(search, thread, &instruction->src[i]);
  ValueId low = kernel_value(search, thread, &instruction->src[2 * i]);
  ValueId high = kernel_value(search, thread, &instruction->src[2 * i + 1]);
  return values_add(&search->values, (Value){.kind = VALUE_PAIR, .first = low, .second = high});
}

void kernel_set_result(Search *search, uint32_t thread, const Instruction *instruction,
                       ValueId value) {
  if (instruction->size <= WORD_BYTES) {
    kernel_set_register(search, thread, instruction->dst, value);
    return;
  }
  const uint32_t registers[] = {instruction->dst, instruction->more[0]};
  for (uint8_t i = 0; i < 2; i++)
    kernel_set_register(
        search, thread, registers[i],
        values_add(&search->values, (Value){.kind = VALUE_WORD, .flag = i, .first = value}));
}

const char *kernel_print_value(const Search *search, uint32_t location, int64_t value,
                               Arena *arena) {
  if (search->graph.locations[location].size <= WORD_BYTES)
    return arena_format(arena, "%lld", (long long)value);
  const uint64_t *words = values_pair_words(&search->values, value);
  return arena_format(arena, "0x%016llx%016llx", (unsigned long long)words[1],
                      (unsigned long long)words[0]);
}
