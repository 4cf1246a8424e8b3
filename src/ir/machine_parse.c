// The text of a machine description: one statement a line, `#` begins a comment.
//   devices 2
//   peer-native-atomics 0 1 no          from device 0 to memory of device 1
//   host-native-atomics all add,exch,cas
//   concurrent-managed-access all yes
//   pageable-memory-access 0 no
// What is not stated is supported. A later statement goes before an earlier one.
#include "ir/machine.h"

#include <string.h>

// Of a list, with those that were in it before: one more if it is full.
enum { MOST_ERRORS = 20, SHOWN_BYTES = 40, ALL_DEVICES = MACHINE_MAX_DEVICES };

typedef struct Reader {
  const Source *source;
  uint32_t at, end; // what is left of the line
  Span word;        // the current one; empty at the end of the line
  Machine *machine;
  Arena *arena;
  DiagList *diags;
} Reader;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static void next_word(Reader *reader) {
  const char *text = reader->source->text;
  while (reader->at < reader->end && is_blank(text[reader->at]))
    reader->at++;
  uint32_t begin = reader->at;
  while (reader->at < reader->end && !is_blank(text[reader->at]))
    reader->at++;
  reader->word = (Span){reader->source, begin, reader->at};
}

static const char *word_text(const Reader *reader) {
  return reader->source->text + reader->word.begin;
}

static uint32_t word_length(const Reader *reader) {
  return reader->word.end - reader->word.begin;
}

static bool is_word(const Reader *reader, const char *expected) {
  return strlen(expected) == word_length(reader) &&
         memcmp(word_text(reader), expected, word_length(reader)) == 0;
}

// Always returns false.
static bool report(Reader *reader, Span span, const char *expected) {
  uint32_t length = span.end - span.begin;
  const char *text = reader->source->text + span.begin;
  if (length == 0)
    return diag_syntax(reader->diags, span, "expected %s, found the end of the line", expected);
  for (uint32_t i = 0; i < length && i < SHOWN_BYTES; i++)
    if (text[i] < ' ' || text[i] > '~')
      return diag_syntax(reader->diags, span, "expected %s, found the byte 0x%02x", expected,
                         (unsigned char)text[i]);
  return diag_syntax(reader->diags, span, "expected %s, found '%.*s%s'", expected,
                     length > SHOWN_BYTES ? SHOWN_BYTES : (int)length, text,
                     length > SHOWN_BYTES ? "..." : "");
}

static bool report_word(Reader *reader, const char *expected) {
  return report(reader, reader->word, expected);
}

// A decimal number below `limit`; the word stays.
static bool read_number(const Reader *reader, uint32_t limit, uint32_t *number) {
  uint32_t length = word_length(reader);
  *number = 0;
  for (uint32_t i = 0; i < length && i < 9; i++) {
    char c = word_text(reader)[i];
    if (c < '0' || c > '9')
      return false;
    *number = *number * 10 + (uint32_t)(c - '0');
  }
  return length > 0 && length < 10 && *number < limit;
}

// A device's number or `all`.
static bool read_device(Reader *reader, uint32_t *device) {
  uint32_t count = reader->machine->device_count;
  *device = ALL_DEVICES;
  if (!is_word(reader, "all") && !read_number(reader, count, device))
    return report_word(
        reader, count > 1 ? arena_format(reader->arena, "'all' or a device from 0 to %u", count - 1)
                          : "'all' or device 0");
  next_word(reader);
  return true;
}

static bool read_flag(Reader *reader, bool *flag) {
  *flag = is_word(reader, "yes");
  if (!*flag && !is_word(reader, "no"))
    return report_word(reader, "'yes' or 'no'");
  next_word(reader);
  return true;
}

// One operation of a list.
static uint32_t find_operation(Span span) {
  static const char *const names[] = {"add", "and", "or",  "xor",  "min",
                                      "max", "inc", "dec", "exch", "cas"};
  uint32_t length = span.end - span.begin;
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && memcmp(names[i], span.source->text + span.begin, length) == 0)
      return 1u << i;
  return 0;
}

// `yes`, `no` or OPERATION,OPERATION...
static bool read_operations(Reader *reader, uint32_t *operations) {
  const char *text = reader->source->text;
  *operations = is_word(reader, "yes") ? MACHINE_ALL_OPERATIONS : 0;
  if (!*operations && !is_word(reader, "no")) {
    Span item = {reader->source, reader->word.begin, reader->word.begin};
    for (; item.begin <= reader->word.end; item.begin = item.end + 1) {
      for (item.end = item.begin; item.end < reader->word.end && text[item.end] != ',';)
        item.end++;
      uint32_t found = find_operation(item);
      if (!found)
        return report(reader, item,
                      "'yes', 'no' or operations (add, and, or, xor, min, max, inc, dec, exch, "
                      "cas)");
      *operations |= found;
    }
  }
  next_word(reader);
  return true;
}

static bool is_meant(uint32_t chosen, uint32_t device) {
  return chosen == ALL_DEVICES || chosen == device;
}

// --- statements

static bool read_devices(Reader *reader) {
  Machine *machine = reader->machine;
  uint32_t count;
  if (machine->device_count)
    return diag_syntax(reader->diags, reader->word, "expected 'devices' once, found it again");
  next_word(reader);
  if (!read_number(reader, MACHINE_MAX_DEVICES + 1, &count) || count == 0)
    return report_word(reader, arena_format(reader->arena, "a number of devices from 1 to %d",
                                            MACHINE_MAX_DEVICES));
  next_word(reader);
  machine->device_count = count;
  for (uint32_t i = 0; i < count; i++) {
    MachineDevice *device = &machine->devices[i];
    device->has_concurrent_managed_access = device->has_pageable_memory_access = true;
    device->host_atomics = MACHINE_ALL_OPERATIONS;
    for (uint32_t peer = 0; peer < count; peer++)
      device->peer_atomics[peer] = MACHINE_ALL_OPERATIONS;
  }
  return true;
}

static bool read_peer_atomics(Reader *reader) {
  Machine *machine = reader->machine;
  uint32_t from, to, operations;
  Span first = reader->word;
  if (!read_device(reader, &from))
    return false;
  Span second = reader->word;
  if (!read_device(reader, &to) || !read_operations(reader, &operations))
    return false;
  if (from == to && from != ALL_DEVICES)
    return diag_syntax(reader->diags, (Span){first.source, first.begin, second.end},
                       "expected two devices, found device %u twice", from);
  for (uint32_t i = 0; i < machine->device_count; i++)
    for (uint32_t j = 0; j < machine->device_count; j++)
      if (i != j && is_meant(from, i) && is_meant(to, j))
        machine->devices[i].peer_atomics[j] = operations;
  return true;
}

static bool read_host_atomics(Reader *reader) {
  uint32_t device, operations;
  if (!read_device(reader, &device) || !read_operations(reader, &operations))
    return false;
  for (uint32_t i = 0; i < reader->machine->device_count; i++)
    if (is_meant(device, i))
      reader->machine->devices[i].host_atomics = operations;
  return true;
}

static bool read_access(Reader *reader, bool is_managed) {
  uint32_t device;
  bool flag;
  if (!read_device(reader, &device) || !read_flag(reader, &flag))
    return false;
  for (uint32_t i = 0; i < reader->machine->device_count; i++) {
    MachineDevice *chosen = &reader->machine->devices[i];
    if (is_meant(device, i))
      *(is_managed ? &chosen->has_concurrent_managed_access : &chosen->has_pageable_memory_access) =
          flag;
  }
  return true;
}

typedef enum Statement { DEVICES, PEER_ATOMICS, HOST_ATOMICS, MANAGED, PAGEABLE, NONE } Statement;

static Statement find_statement(const Reader *reader) {
  static const char *const names[] = {"devices", "peer-native-atomics", "host-native-atomics",
                                      "concurrent-managed-access", "pageable-memory-access"};
  Statement statement = DEVICES;
  while (statement < NONE && !is_word(reader, names[statement]))
    statement++;
  return statement;
}

static bool read_statement(Reader *reader) {
  Statement statement = find_statement(reader);
  if (statement == NONE)
    return report_word(reader, "'devices', 'peer-native-atomics', 'host-native-atomics', "
                               "'concurrent-managed-access' or 'pageable-memory-access'");
  if (statement == DEVICES)
    return read_devices(reader);
  if (!reader->machine->device_count)
    return report_word(reader, "'devices' before anything else");
  next_word(reader);
  switch (statement) {
  case PEER_ATOMICS:
    return read_peer_atomics(reader);
  case HOST_ATOMICS:
    return read_host_atomics(reader);
  default:
    return read_access(reader, statement == MANAGED);
  }
}

static void read_line(Reader *reader) {
  next_word(reader);
  if (word_length(reader) == 0)
    return;
  if (read_statement(reader) && word_length(reader) > 0)
    report_word(reader, "the end of the line");
}

const Machine *machine_parse(const Source *source, Arena *arena, DiagList *diags) {
  Reader reader = {.source = source, .arena = arena, .diags = diags};
  Machine *machine = reader.machine = ARENA_NEW(arena, Machine);
  uint32_t before = diags->count, most = before < MOST_ERRORS ? MOST_ERRORS : before + 1;
  machine->name = source->name;
  for (uint32_t begin = 0; begin < source->length && diags->count < most;) {
    const char *newline = memchr(source->text + begin, '\n', source->length - begin);
    uint32_t end = newline ? (uint32_t)(newline - source->text) : source->length;
    const char *comment = memchr(source->text + begin, '#', end - begin);
    reader.at = begin;
    reader.end = comment ? (uint32_t)(comment - source->text) : end;
    read_line(&reader);
    begin = newline ? end + 1 : end;
  }
  if (diags->count == before && !machine->device_count)
    diag_syntax(diags, (Span){source, source->length, source->length},
                "expected 'devices N', found the end of the file");
  return diags->count == before ? machine : NULL;
}
