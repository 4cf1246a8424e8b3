// Contents of a buffer from a file: `file:PATH`. The caller of launch_parse reads it.
#include "ptx/launch_parser.h"

#include <string.h>

// A path ends at a blank or a comma; one that has these in it is put between quotes.
static const char *parse_path(LaunchParser *parser, uint32_t begin, const char *key, Span *span) {
  const char *text = parser->source->text;
  uint32_t end = begin;
  if (begin < parser->end && text[begin] == '"') {
    launch_skip_to(parser, begin);
    if (parser->token.kind != LAUNCH_TOKEN_STRING) {
      launch_expected(parser, "a path");
      return NULL;
    }
    *span = (Span){parser->source, begin + 1, parser->token.end - 1};
    end = parser->token.end;
  } else {
    while (end < parser->end && !strchr(" \t\r\n,", text[end]))
      end++;
    *span = (Span){parser->source, begin, end};
  }
  launch_skip_to(parser, end);
  if (span->begin == span->end || memchr(text + span->begin, 0, span->end - span->begin)) {
    launch_error(parser, *span, "expected a path behind '%s:'", key);
    return NULL;
  }
  return arena_copy_text(parser->arena, text + span->begin, span->end - span->begin);
}

static bool read_file(LaunchParser *parser, const char *path, Span span, uint64_t limit_bytes,
                      LaunchFileBytes *file) {
  const LaunchOptions *options = parser->options;
  if (!options->read_file)
    return launch_error(parser, span, "cannot read '%s': files are not read here", path);
  *file =
      options->read_file(options->context, parser->arena, parser->source->name, path, limit_bytes);
  if (file->error)
    return launch_error(parser, span, "cannot read '%s': %s", path, file->error);
  return true;
}

static bool take_raw(LaunchParser *parser, const char *path, Span span, LaunchFileBytes file,
                     uint64_t byte_count, const uint8_t **bytes) {
  *bytes = file.bytes;
  if (file.length > byte_count)
    return launch_error(parser, span, "expected %llu bytes in '%s', found more",
                        (unsigned long long)byte_count, path);
  if (file.length < byte_count)
    return launch_error(parser, span, "expected %llu bytes in '%s', found %llu",
                        (unsigned long long)byte_count, path, (unsigned long long)file.length);
  return true;
}

bool launch_parse_file(LaunchParser *parser, PtxType type, uint64_t element_count,
                       const uint8_t **bytes) {
  Span span = {0};
  LaunchFileBytes file = {0};
  if (parser->token.kind != LAUNCH_TOKEN_COLON)
    return launch_expect_token(parser, LAUNCH_TOKEN_COLON);
  const char *path = parse_path(parser, parser->token.end, "file", &span); // behind the colon
  uint64_t byte_count = element_count * launch_type_bytes(type);
  if (!path || !read_file(parser, path, span, byte_count + LAUNCH_NPY_MAX_HEADER_BYTES, &file))
    return false;
  if (!launch_is_npy(file.bytes, file.length))
    return take_raw(parser, path, span, file, byte_count, bytes);
  const char *error = NULL;
  LaunchFileFormat format = {type, element_count};
  *bytes = launch_npy_data(parser->arena, file.bytes, file.length, &format, &error);
  return *bytes || launch_error(parser, span, "expected %s in '%s'", error, path);
}

bool launch_parse_machine(LaunchParser *parser) {
  enum { LARGEST_BYTES = 1 << 16 };
  Span span = {0};
  LaunchFileBytes file = {0};
  const char *path = parse_path(parser, parser->token.begin, "machine", &span);
  if (!path)
    return false;
  if (parser->token.kind != LAUNCH_TOKEN_END)
    return launch_expected(parser, "the end of the line");
  if (parser->options->machine) // that of the command line
    return true;
  if (parser->machine)
    return launch_error(parser, span, "expected 'machine:' once, found it again");
  if (!read_file(parser, path, span, LARGEST_BYTES, &file))
    return false;
  if (file.length > LARGEST_BYTES)
    return launch_error(parser, span, "expected at most %d bytes in '%s', found more",
                        LARGEST_BYTES, path);
  Source *source = ARENA_NEW(parser->arena, Source);
  *source = (Source){path, arena_copy_text(parser->arena, (const char *)file.bytes, file.length),
                     (uint32_t)file.length};
  uint32_t before = parser->diags->count;
  parser->machine = machine_parse(source, parser->arena, parser->diags);
  parser->error_count += parser->diags->count - before;
  return parser->machine != NULL;
}
