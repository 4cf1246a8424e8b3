// A source text and places in it. A Span is a byte range of one Source; lines and columns are
// computed when somebody prints them.
#ifndef WARPSAN_BASE_SOURCE_H
#define WARPSAN_BASE_SOURCE_H

#include <stdint.h>

typedef struct Source {
  const char *name; // as the user wrote it
  const char *text; // zero terminated, may contain zero bytes before `length`
  uint32_t length;
} Source;

typedef struct Span {
  const Source *source; // NULL: no place
  uint32_t begin, end;  // byte offsets, begin <= end <= source->length
} Span;

typedef struct Position {
  uint32_t line;   // from 1
  uint32_t column; // from 1, in bytes
} Position;

Position source_position(const Source *source, uint32_t offset);

// The line that holds `offset`, without its newline; returns its length.
uint32_t source_line(const Source *source, uint32_t offset, const char **line);

#endif
