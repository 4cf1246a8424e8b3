// The texts of models/*.cat, which the build embeds into the library (tools/embed.py).
#ifndef WARPSAN_MODEL_BUILTIN_H
#define WARPSAN_MODEL_BUILTIN_H

#include <stdint.h>

typedef struct BuiltinText {
  const char *name; // file name without ".cat"
  const char *text; // zero terminated
  uint32_t length;
} BuiltinText;

extern const BuiltinText builtin_texts[]; // sorted by name
extern const uint32_t builtin_text_count;

#endif
