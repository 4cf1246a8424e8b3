// Reading files, what kind of input they are, and the folder of a file.
#ifndef WARPSAN_API_INPUT_H
#define WARPSAN_API_INPUT_H

#include "api/session.h"
#include "base/diag.h"

// Reads a file, or standard input, into the arena. NULL, with a diagnostic, if that fails.
const Source *input_read(WarpsanSession *session, const char *path, Arena *arena, DiagList *diags);
const Source *input_read_standard(Arena *arena, DiagList *diags);

// The same of a file that an option names: the diagnostic says which and what it is for.
const Source *input_read_named(WarpsanSession *session, const char *path, const char *purpose,
                               Arena *arena, DiagList *diags);

// A copy of `text` under that name; NULL: reads the file of that name, "-": standard input.
const Source *input_open(WarpsanSession *session, const char *name, const char *text, size_t length,
                         Arena *arena, DiagList *diags);

// Reads an open file, which is closed, into the arena.
const Source *input_read_open(WarpsanSession *session, int file, const char *name, Arena *arena,
                              DiagList *diags);

// Reads the bytes of a file, at most `limit_bytes` + 1. NULL, with an errno in `error`, if that
// fails.
const uint8_t *input_read_bytes(WarpsanSession *session, const char *path, uint64_t limit_bytes,
                                Arena *arena, uint64_t *length, int *error);

typedef enum InputKind { INPUT_LITMUS, INPUT_PTX, INPUT_CUDA, INPUT_C } InputKind;

// By the end of the name; where that says nothing, PTX begins with `.version`.
InputKind input_kind(const Source *source);

// Does the name end in ".cu", ".c" or ".ptx"?
bool input_is_code_name(const char *name);
// Such a name, or that of what else PTX is made of: ".py", by Triton.
bool input_is_source_name(const char *name);

// A source over a copy of the text.
const Source *input_copy(const char *name, const char *text, size_t length, Arena *arena,
                         DiagList *diags);

// The length of the folder's part of a path, with its slash; 0 for a bare file name.
size_t input_folder_length(const char *path);

// An errno in words, lower case.
const char *input_error_text(int error, Arena *arena);

// Reports that a file or a folder cannot be read because of `error` (an errno).
void input_report_unreadable(DiagList *diags, const char *expected, int error);

#endif
