// Arrays that numpy saved: the file format .npy, version 1.0 (numpy.lib.format). Behind a magic
// text, a version and a length, the header is a Python dictionary; behind it lie the elements:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
#include "ptx/launch_parser.h"

#include <string.h>

enum { MAGIC_BYTES = 6, PREFIX_BYTES = 10 };

typedef struct NpyReader {
  const char *at, *end; // within the header
  const char *descr;    // not ended by a zero byte
  size_t descr_length;
  bool is_fortran;
  uint64_t element_count;
  uint32_t dimension_count;
  uint32_t seen; // bits of the keys
} NpyReader;

enum { SEEN_DESCR = 1, SEEN_ORDER = 2, SEEN_SHAPE = 4, SEEN_ALL = 7 };

static void skip_space(NpyReader *reader) {
  while (reader->at < reader->end && strchr(" \t\n\r", *reader->at) && *reader->at)
    reader->at++;
}

static bool take(NpyReader *reader, const char *text) {
  skip_space(reader);
  size_t length = strlen(text);
  if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, text, length) != 0)
    return false;
  reader->at += length;
  return true;
}

static bool read_string(NpyReader *reader, const char **text, size_t *length) {
  skip_space(reader);
  if (reader->at == reader->end || (*reader->at != '\'' && *reader->at != '"'))
    return false;
  const char *begin = reader->at + 1;
  const char *end = memchr(begin, *reader->at, (size_t)(reader->end - begin));
  if (!end)
    return false;
  *text = begin;
  *length = (size_t)(end - begin);
  reader->at = end + 1;
  return true;
}

static bool read_dimension(NpyReader *reader) {
  skip_space(reader);
  uint64_t size = 0;
  const char *begin = reader->at;
  for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
    if (size > UINT32_MAX)
      return false;
    size = size * 10 + (uint64_t)(*reader->at - '0');
  }
  if (reader->at == begin || (size > 0 && reader->element_count > UINT64_MAX / size))
    return false;
  take(reader, "L"); // of files that Python 2 wrote
  reader->element_count *= size;
  reader->dimension_count++;
  return true;
}

// (), (3,), (2, 3)
static bool read_shape(NpyReader *reader) {
  reader->element_count = 1;
  reader->dimension_count = 0;
  if (!take(reader, "("))
    return false;
  while (!take(reader, ")")) {
    if (!read_dimension(reader))
      return false;
    if (!take(reader, ","))
      return take(reader, ")");
  }
  return true;
}

static bool read_order(NpyReader *reader) {
  reader->is_fortran = take(reader, "True");
  return reader->is_fortran || take(reader, "False");
}

static bool read_entry(NpyReader *reader) {
  const char *key;
  size_t length;
  if (!read_string(reader, &key, &length) || !take(reader, ":"))
    return false;
  if (length == 5 && memcmp(key, "descr", length) == 0) {
    reader->seen |= SEEN_DESCR;
    return read_string(reader, &reader->descr, &reader->descr_length);
  }
  if (length == 13 && memcmp(key, "fortran_order", length) == 0) {
    reader->seen |= SEEN_ORDER;
    return read_order(reader);
  }
  reader->seen |= SEEN_SHAPE;
  return length == 5 && memcmp(key, "shape", length) == 0 && read_shape(reader);
}

static bool read_header(NpyReader *reader) {
  if (!take(reader, "{"))
    return false;
  bool is_closed = take(reader, "}");
  while (!is_closed) {
    if (!read_entry(reader))
      return false;
    bool has_comma = take(reader, ",");
    is_closed = take(reader, "}");
    if (!has_comma && !is_closed)
      return false;
  }
  return reader->seen == SEEN_ALL;
}

// numpy's letter for the type; 0: any type of that size does, as numpy lacks bf16.
static char kind_letter(PtxType type) {
  if (type == PTX_TYPE_bf16 || ptx_type_kind(type) == PTX_NUMBER_B)
    return 0;
  if (launch_type_is_floating(type))
    return 'f';
  return ptx_type_kind(type) == PTX_NUMBER_S ? 'i' : 'u';
}

static bool descr_fits(const NpyReader *reader, PtxType type) {
  char letter = kind_letter(type);
  const char *descr = reader->descr;
  if (reader->descr_length != 3 || descr[2] != (char)('0' + launch_type_bytes(type)))
    return false;
  if (descr[0] != '<' && !(descr[0] == '|' && (launch_type_bytes(type) == 1 || descr[1] == 'V')))
    return false;
  return letter ? descr[1] == letter : strchr("uifV", descr[1]) && descr[1];
}

static const char *wanted_descr(Arena *arena, PtxType type) {
  char letter = kind_letter(type);
  return arena_format(arena, "'%c%c%u'", launch_type_bytes(type) == 1 ? '|' : '<',
                      letter ? letter : 'u', launch_type_bytes(type));
}

static const char *find_mismatch(Arena *arena, const NpyReader *reader,
                                 const LaunchFileFormat *format, uint64_t data_bytes) {
  if (!descr_fits(reader, format->type))
    return arena_format(arena, "elements of numpy's type %s, found '%s'",
                        wanted_descr(arena, format->type),
                        arena_copy_text(arena, reader->descr, reader->descr_length));
  if (reader->is_fortran && reader->dimension_count > 1)
    return "an array in the order of C, found one in the order of Fortran";
  if (reader->element_count != format->element_count)
    return arena_format(arena, "an array of %llu elements, found %llu",
                        (unsigned long long)format->element_count,
                        (unsigned long long)reader->element_count);
  uint64_t wanted_bytes = format->element_count * launch_type_bytes(format->type);
  if (data_bytes != wanted_bytes)
    return arena_format(arena, "%llu bytes behind the header, found %s",
                        (unsigned long long)wanted_bytes,
                        data_bytes < wanted_bytes ? "fewer" : "more");
  return NULL;
}

bool launch_is_npy(const uint8_t *bytes, uint64_t length) {
  return length >= PREFIX_BYTES && memcmp(bytes, "\x93NUMPY", MAGIC_BYTES) == 0;
}

const uint8_t *launch_npy_data(Arena *arena, const uint8_t *bytes, uint64_t length,
                               const LaunchFileFormat *format, const char **error) {
  *error = NULL;
  if (bytes[6] != 1 || bytes[7] != 0)
    *error = arena_format(arena, "version 1.0 of the format .npy, found %u.%u", bytes[6], bytes[7]);
  uint64_t data = PREFIX_BYTES + ((uint64_t)bytes[8] | (uint64_t)bytes[9] << 8);
  if (!*error && data > length)
    *error = "the whole header of a .npy file, found its end";
  if (*error)
    return NULL;
  NpyReader reader = {.at = (const char *)bytes + PREFIX_BYTES, .end = (const char *)bytes + data};
  if (!read_header(&reader))
    *error = "a header with 'descr', 'fortran_order' and 'shape'";
  else
    *error = find_mismatch(arena, &reader, format, length - data);
  return *error ? NULL : bytes + data;
}
