// A growing text in an arena.
#ifndef WARPSAN_PTX_TEXT_H
#define WARPSAN_PTX_TEXT_H

#include "base/array.h"

typedef struct PtxTextBuilder {
  Arena *arena;
  ARRAY(char) text; // no zero byte yet
} PtxTextBuilder;

void ptx_add_text(PtxTextBuilder *builder, const char *text);
void ptx_add_bytes(PtxTextBuilder *builder, const char *bytes, size_t length);
void ptx_add_unsigned(PtxTextBuilder *builder, uint64_t value, uint32_t radix);
// Inside of a string in quotes, as compilers write file names: bytes that are not printable ASCII
// are octal numbers of three digits. A backslash before anything else stands for itself, as in
// paths of Windows.
void ptx_add_quoted(PtxTextBuilder *builder, const char *text);
void ptx_add_unquoted(PtxTextBuilder *builder, const char *quoted);
// Adds the final zero byte and returns the text.
const char *ptx_finish_text(PtxTextBuilder *builder, size_t *length);

#endif
