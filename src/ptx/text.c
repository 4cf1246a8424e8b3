#include "ptx/text.h"

#include <string.h>

void ptx_add_bytes(PtxTextBuilder *builder, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++)
    array_push(builder->arena, &builder->text, bytes[i]);
}

void ptx_add_text(PtxTextBuilder *builder, const char *text) {
  ptx_add_bytes(builder, text, strlen(text));
}

void ptx_add_unsigned(PtxTextBuilder *builder, uint64_t value, uint32_t radix) {
  char digits[64];
  uint32_t count = 0;
  do {
    digits[count++] = "0123456789ABCDEF"[value % radix];
    value /= radix;
  } while (value);
  while (count > 0)
    ptx_add_bytes(builder, &digits[--count], 1);
}

const char *ptx_finish_text(PtxTextBuilder *builder, size_t *length) {
  array_push(builder->arena, &builder->text, 0);
  if (length)
    *length = builder->text.count - 1;
  return builder->text.items;
}
