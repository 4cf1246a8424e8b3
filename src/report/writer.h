// Where reports go: a buffer in front of the caller's write function, with the escaping that each
// format needs. A failed write is remembered; everything after it is dropped.
#ifndef WARPSAN_REPORT_WRITER_H
#define WARPSAN_REPORT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Takes `length` bytes; returns 0, or non-zero to stop.
typedef int WriterSink(void *context, const char *text, size_t length);

typedef struct Writer {
  WriterSink *sink;
  void *context; // not owned
  bool has_failed;
  size_t length; // bytes in `buffer`
  char buffer[16384];
} Writer;

// How a text from outside is made safe. All of them yield valid UTF-8 on one line: what is not
// UTF-8 is replaced, and control characters are too, so that no input can steer a terminal.
typedef enum Escape {
  ESCAPE_PLAIN,    // each control character and each bad byte becomes `?`
  ESCAPE_ONE_LINE, // as ESCAPE_PLAIN, and a run of white space becomes one space
  ESCAPE_JSON,     // for the inside of a JSON string
  ESCAPE_SARIF,    // the same, of a message of SARIF, in which a brace is doubled
  ESCAPE_HTML,     // for text and for quoted attributes
  ESCAPE_DOT,      // for the inside of a quoted Graphviz string
} Escape;

void writer_init(Writer *writer, WriterSink *sink, void *context);
// Hands the rest to the sink; false if any write failed.
bool writer_flush(Writer *writer);

void writer_bytes(Writer *writer, const char *text, size_t length);
void writer_text(Writer *writer, const char *text);
void writer_char(Writer *writer, char character);
void writer_unsigned(Writer *writer, uint64_t number);
void writer_signed(Writer *writer, int64_t number);
void writer_repeat(Writer *writer, char character, size_t count);
// For numbers and short names: the result is at most 255 bytes.
void writer_format(Writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void writer_escape(Writer *writer, Escape escape, const char *text, size_t length);
// The same for a zero-terminated text.
void writer_escape_text(Writer *writer, Escape escape, const char *text);

// The length of the UTF-8 sequence at `text`, 0 if there is no valid one within `length` bytes.
size_t utf8_length(const char *text, size_t length);
// How many characters `length` bytes take on a line; a bad byte counts as one.
size_t utf8_width(const char *text, size_t length);

#endif
