#include "api/input.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rules.h"

enum {
  LARGEST_INPUT_BYTES = 64 * 1024 * 1024, // so that an endless device ends with a diagnostic
  FIRST_READ_BYTES = 16 * 1024,
};

const char *input_error_text(int error, Arena *arena) {
  char text[256];
  if (strerror_r(error, text, sizeof text) != 0)
    strcpy(text, "unknown error");
  text[0] = (char)tolower((unsigned char)text[0]);
  return arena_copy_text(arena, text, strlen(text));
}

void input_report_unreadable(DiagList *diags, const char *expected, int error) {
  diag_add(diags, SEVERITY_ERROR, rule_id(RULE_UNREADABLE), (Span){0}, "expected %s, found: %s",
           expected, input_error_text(error, diags->arena));
}

// The mark that editors put before UTF-8 says nothing, and no format here knows it.
static size_t mark_length(const char *text, size_t length) {
  static const char mark[] = "\xef\xbb\xbf";
  return length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1
                                                                               : 0;
}

static const Source *new_source(const char *name, const char *text, size_t length, Arena *arena,
                                DiagList *diags) {
  if (length > LARGEST_INPUT_BYTES) {
    diag_add(diags, SEVERITY_ERROR, rule_id(RULE_UNREADABLE), (Span){0},
             "expected an input of at most %d bytes, found a longer one", LARGEST_INPUT_BYTES);
    return NULL;
  }
  Source *source = ARENA_NEW(arena, Source);
  source->name = arena_copy_text(arena, name, strlen(name));
  size_t skipped = mark_length(text, length);
  source->text = text + skipped;
  source->length = (uint32_t)(length - skipped);
  return source;
}

const Source *input_copy(const char *name, const char *text, size_t length, Arena *arena,
                         DiagList *diags) {
  if (length > LARGEST_INPUT_BYTES)
    return new_source(name, text, length, arena, diags);
  return new_source(name, arena_copy_text(arena, text, length), length, arena, diags);
}

size_t input_folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

// The size to try first: that of a regular file and one byte more, so that its end is seen without
// growing the buffer.
static size_t guess_size(int file, size_t limit_bytes) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0)
    return FIRST_READ_BYTES;
  if ((uintmax_t)status.st_size > limit_bytes)
    return limit_bytes + 1;
  return (size_t)status.st_size + 1;
}

static ssize_t read_some(int file, char *text, size_t size) {
  ssize_t got;
  do
    got = read(file, text, size);
  while (got < 0 && errno == EINTR);
  return got;
}

static char *enlarge(Arena *arena, const char *text, size_t count, size_t capacity) {
  // One byte more than is ever read: the zero that ends the text.
  char *larger = arena_alloc(arena, capacity + 1, 1);
  if (count > 0)
    memcpy(larger, text, count);
  return larger;
}

// Reads to the end or past the limit; NULL with errno set if that fails.
static char *read_all(int file, size_t limit_bytes, Arena *arena, size_t *length) {
  size_t capacity = guess_size(file, limit_bytes);
  size_t count = 0;
  char *text = enlarge(arena, NULL, 0, capacity);
  while (count <= limit_bytes) {
    ssize_t got = read_some(file, text + count, capacity - count);
    if (got < 0)
      return NULL;
    if (got == 0)
      break;
    count += (size_t)got;
    if (count == capacity) {
      capacity *= 2;
      text = enlarge(arena, text, count, capacity);
    }
  }
  *length = count;
  return text;
}

static const Source *read_file(int file, const char *name, Arena *arena, DiagList *diags) {
  size_t length;
  char *text = read_all(file, LARGEST_INPUT_BYTES, arena, &length);
  if (text)
    return new_source(name, text, length, arena, diags);
  input_report_unreadable(diags, "a readable file", errno);
  return NULL;
}

const Source *input_read(WarpsanSession *session, const char *path, Arena *arena, DiagList *diags) {
  session->open_file = open(path, O_RDONLY | O_CLOEXEC);
  if (session->open_file < 0) {
    input_report_unreadable(diags, "a readable file", errno);
    return NULL;
  }
  return input_read_open(session, session->open_file, path, arena, diags);
}

const Source *input_read_named(WarpsanSession *session, const char *path, const char *purpose,
                               Arena *arena, DiagList *diags) {
  DiagList errors; // they say nothing about which file they mean
  diag_list_init(&errors, arena);
  const Source *source = input_read(session, path, arena, &errors);
  if (!source)
    diag_add(diags, SEVERITY_ERROR, errors.items[0].rule, (Span){0}, "'%s', %s: %s", path, purpose,
             errors.items[0].message);
  return source;
}

const Source *input_read_open(WarpsanSession *session, int file, const char *name, Arena *arena,
                              DiagList *diags) {
  session->open_file = file;
  const Source *source = read_file(file, name, arena, diags);
  session_close_input(session);
  return source;
}

const uint8_t *input_read_bytes(WarpsanSession *session, const char *path, uint64_t limit_bytes,
                                Arena *arena, uint64_t *length, int *error) {
  size_t count = 0;
  char *bytes = NULL;
  session->open_file = open(path, O_RDONLY | O_CLOEXEC);
  if (session->open_file >= 0)
    bytes = read_all(session->open_file, (size_t)limit_bytes, arena, &count);
  *error = errno;
  session_close_input(session);
  *length = count;
  return (const uint8_t *)bytes;
}

const Source *input_read_standard(Arena *arena, DiagList *diags) {
  return read_file(STDIN_FILENO, "<stdin>", arena, diags);
}

static bool has_suffix(const char *name, const char *suffix) {
  size_t length = strlen(name), suffix_length = strlen(suffix);
  return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

bool input_is_code_name(const char *name) {
  return has_suffix(name, ".cu") || has_suffix(name, ".c") || has_suffix(name, ".ptx");
}

bool input_is_source_name(const char *name) {
  return input_is_code_name(name) || has_suffix(name, ".py");
}

// The first byte that is neither blank nor in a comment.
static const char *skip_comments(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    const char *end = NULL;
    if (strncmp(text, "//", 2) == 0)
      end = text + strcspn(text, "\n");
    else if (strncmp(text, "/*", 2) == 0 && (end = strstr(text + 2, "*/")))
      end += 2;
    if (!end)
      return text;
    text = end;
  }
}

InputKind input_kind(const Source *source) {
  if (has_suffix(source->name, ".litmus"))
    return INPUT_LITMUS;
  if (has_suffix(source->name, ".ptx"))
    return INPUT_PTX;
  if (has_suffix(source->name, ".cu"))
    return INPUT_CUDA;
  if (has_suffix(source->name, ".c"))
    return INPUT_C;
  return strncmp(skip_comments(source->text), ".version", 8) == 0 ? INPUT_PTX : INPUT_LITMUS;
}

const Source *input_open(WarpsanSession *session, const char *name, const char *text, size_t length,
                         Arena *arena, DiagList *diags) {
  if (text)
    return input_copy(name, text, length, arena, diags);
  if (strcmp(name, "-") == 0)
    return input_read_standard(arena, diags);
  return input_read(session, name, arena, diags);
}
