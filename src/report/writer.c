#include "report/writer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void writer_init(Writer *writer, WriterSink *sink, void *context) {
  writer->sink = sink;
  writer->context = context;
  writer->has_failed = false;
  writer->length = 0;
}

bool writer_flush(Writer *writer) {
  if (!writer->has_failed && writer->length > 0)
    writer->has_failed = writer->sink(writer->context, writer->buffer, writer->length) != 0;
  writer->length = 0;
  return !writer->has_failed;
}

void writer_bytes(Writer *writer, const char *text, size_t length) {
  while (length > 0) {
    size_t room = sizeof writer->buffer - writer->length;
    size_t part = length < room ? length : room;
    memcpy(writer->buffer + writer->length, text, part);
    writer->length += part;
    text += part;
    length -= part;
    if (writer->length == sizeof writer->buffer)
      writer_flush(writer);
  }
}

void writer_text(Writer *writer, const char *text) {
  writer_bytes(writer, text, strlen(text));
}

void writer_char(Writer *writer, char character) {
  writer_bytes(writer, &character, 1);
}

void writer_repeat(Writer *writer, char character, size_t count) {
  while (count-- > 0)
    writer_char(writer, character);
}

void writer_unsigned(Writer *writer, uint64_t number) {
  char digits[20];
  size_t begin = sizeof digits;
  do {
    digits[--begin] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  writer_bytes(writer, digits + begin, sizeof digits - begin);
}

void writer_signed(Writer *writer, int64_t number) {
  if (number < 0)
    writer_char(writer, '-');
  // The subtraction is in unsigned arithmetic because INT64_MIN has no positive counterpart.
  writer_unsigned(writer, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void writer_format(Writer *writer, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  assert(length >= 0 && (size_t)length < sizeof text);
  writer_bytes(writer, text, (size_t)length);
}

static bool is_continuation(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

// The Unicode standard's table "Well-Formed UTF-8 Byte Sequences": the second byte's range depends
// on the first, which rules out overlong forms, surrogates and what lies beyond U+10FFFF.
static bool is_second_byte_ok(unsigned char first, unsigned char second) {
  switch (first) {
  case 0xe0:
    return second >= 0xa0 && second <= 0xbf;
  case 0xed:
    return second >= 0x80 && second <= 0x9f;
  case 0xf0:
    return second >= 0x90 && second <= 0xbf;
  case 0xf4:
    return second >= 0x80 && second <= 0x8f;
  default:
    return is_continuation(second);
  }
}

size_t utf8_length(const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  if (length == 0)
    return 0;
  unsigned char first = bytes[0];
  if (first < 0x80)
    return 1;
  size_t size = first >= 0xc2 && first <= 0xdf   ? 2
                : first >= 0xe0 && first <= 0xef ? 3
                : first >= 0xf0 && first <= 0xf4 ? 4
                                                 : 0;
  if (size == 0 || size > length || !is_second_byte_ok(first, bytes[1]))
    return 0;
  for (size_t i = 2; i < size; i++)
    if (!is_continuation(bytes[i]))
      return 0;
  return size;
}

size_t utf8_width(const char *text, size_t length) {
  size_t width = 0;
  for (size_t i = 0; i < length; width++) {
    size_t size = utf8_length(text + i, length - i);
    i += size ? size : 1;
  }
  return width;
}

static bool is_control(unsigned char byte) {
  return byte < 0x20 || byte == 0x7f;
}

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void escape_json_byte(Writer *writer, char c) {
  switch (c) {
  case '"':
    writer_text(writer, "\\\"");
    break;
  case '\\':
    writer_text(writer, "\\\\");
    break;
  case '\n':
    writer_text(writer, "\\n");
    break;
  case '\t':
    writer_text(writer, "\\t");
    break;
  default:
    if (is_control((unsigned char)c))
      writer_format(writer, "\\u%04x", (unsigned)c);
    else
      writer_char(writer, c);
  }
}

static void escape_sarif_byte(Writer *writer, char c) {
  if (c == '{' || c == '}')
    writer_char(writer, c);
  escape_json_byte(writer, c);
}

static void escape_html_byte(Writer *writer, char c) {
  switch (c) {
  case '&':
    writer_text(writer, "&amp;");
    break;
  case '<':
    writer_text(writer, "&lt;");
    break;
  case '>':
    writer_text(writer, "&gt;");
    break;
  case '"':
    writer_text(writer, "&quot;");
    break;
  case '\'':
    writer_text(writer, "&#39;");
    break;
  default:
    writer_char(writer, is_control((unsigned char)c) ? ' ' : c);
  }
}

static void escape_dot_byte(Writer *writer, char c) {
  if (c == '"' || c == '\\')
    writer_text(writer, "\\");
  writer_char(writer, is_control((unsigned char)c) ? ' ' : c);
}

// Bytes that no format needs to change, so that whole runs are copied at once.
static bool is_ordinary(char c) {
  return c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != '&' && c != '<' && c != '>' &&
         c != '\'' && c != '{' && c != '}';
}

static void escape_byte(Writer *writer, Escape escape, char c) {
  switch (escape) {
  case ESCAPE_PLAIN:
  case ESCAPE_ONE_LINE:
    writer_char(writer, c == '\t' ? ' ' : is_control((unsigned char)c) ? '?' : c);
    break;
  case ESCAPE_JSON:
    escape_json_byte(writer, c);
    break;
  case ESCAPE_SARIF:
    escape_sarif_byte(writer, c);
    break;
  case ESCAPE_HTML:
    escape_html_byte(writer, c);
    break;
  case ESCAPE_DOT:
    escape_dot_byte(writer, c);
    break;
  }
}

static size_t ordinary_run(const char *text, size_t length) {
  size_t run = 0;
  while (run < length && is_ordinary(text[run]))
    run++;
  return run;
}

static size_t space_run(const char *text, size_t length) {
  size_t run = 0;
  while (run < length && is_space(text[run]))
    run++;
  return run;
}

// Writes the beginning of a text that does not start with an ordinary byte; returns its length.
static size_t escape_some(Writer *writer, Escape escape, const char *text, size_t length) {
  size_t size = utf8_length(text, length);
  if (size == 0) {
    writer_text(writer, escape == ESCAPE_PLAIN || escape == ESCAPE_ONE_LINE ? "?" : "\uFFFD");
    return 1;
  }
  if (escape == ESCAPE_ONE_LINE && is_space(text[0])) {
    writer_text(writer, " ");
    return space_run(text, length);
  }
  if (size > 1)
    writer_bytes(writer, text, size);
  else
    escape_byte(writer, escape, text[0]);
  return size;
}

void writer_escape(Writer *writer, Escape escape, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t run = ordinary_run(text + i, length - i);
    writer_bytes(writer, text + i, run);
    i += run;
    if (i < length)
      i += escape_some(writer, escape, text + i, length - i);
  }
}

void writer_escape_text(Writer *writer, Escape escape, const char *text) {
  writer_escape(writer, escape, text, strlen(text));
}
