#include "ptx/text.h"

#include <stdbool.h>
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

static void add_octal(PtxTextBuilder *builder, unsigned char byte) {
  char digits[] = {'\\', (char)('0' + byte / 64), (char)('0' + byte / 8 % 8),
                   (char)('0' + byte % 8)};
  ptx_add_bytes(builder, digits, sizeof digits);
}

void ptx_add_quoted(PtxTextBuilder *builder, const char *text) {
  for (; *text; text++) {
    if (*text < ' ' || *text > '~' || *text == '"')
      add_octal(builder, (unsigned char)*text); // ptxas knows no \"
    else
      ptx_add_bytes(builder, *text == '\\' ? "\\\\" : text, *text == '\\' ? 2 : 1);
  }
}

static bool is_octal_digit(char c) {
  return c >= '0' && c <= '7';
}

// The byte that three octal digits stand for; 0: they are none.
static uint32_t octal_byte(const char *text) {
  if (!is_octal_digit(text[0]) || !is_octal_digit(text[1]) || !is_octal_digit(text[2]))
    return 0;
  uint32_t value = (uint32_t)((text[0] - '0') * 64 + (text[1] - '0') * 8 + (text[2] - '0'));
  return value <= UINT8_MAX ? value : 0;
}

void ptx_add_unquoted(PtxTextBuilder *builder, const char *quoted) {
  while (*quoted) {
    bool is_escape = quoted[0] == '\\';
    char byte = is_escape ? (char)octal_byte(quoted + 1) : 0;
    bool is_pair = is_escape && (quoted[1] == '\\' || quoted[1] == '"');
    ptx_add_bytes(builder, byte ? &byte : quoted + is_pair, 1);
    quoted += byte ? 4 : is_pair ? 2 : 1;
  }
}

const char *ptx_finish_text(PtxTextBuilder *builder, size_t *length) {
  array_push(builder->arena, &builder->text, 0);
  if (length)
    *length = builder->text.count - 1;
  return builder->text.items;
}
