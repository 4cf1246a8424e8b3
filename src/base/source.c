#include "base/source.h"

#include <assert.h>
#include <string.h>

static uint32_t line_begin(const Source *source, uint32_t offset) {
  uint32_t begin = offset;
  while (begin > 0 && source->text[begin - 1] != '\n')
    begin--;
  return begin;
}

Position source_position(const Source *source, uint32_t offset) {
  assert(offset <= source->length);
  const char *begin = source->text, *end = source->text + offset, *newline;
  uint32_t line = 1;
  while (begin < end && (newline = memchr(begin, '\n', (size_t)(end - begin))) != NULL) {
    begin = newline + 1;
    line++;
  }
  return (Position){line, (uint32_t)(end - begin) + 1};
}

uint32_t source_line(const Source *source, uint32_t offset, const char **line) {
  assert(offset <= source->length);
  uint32_t begin = line_begin(source, offset);
  uint32_t end = offset;
  while (end < source->length && source->text[end] != '\n')
    end++;
  if (end > begin && source->text[end - 1] == '\r')
    end--; // a line of a text with "\r\n"
  *line = source->text + begin;
  return end - begin;
}
