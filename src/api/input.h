// Reading files, and the folder of a file.
#ifndef WARPSAN_API_INPUT_H
#define WARPSAN_API_INPUT_H

#include "api/session.h"
#include "base/diag.h"

// Reads a file, or standard input, into the arena. NULL, with a diagnostic, if that fails.
const Source *input_read(WarpsanSession *session, const char *path, Arena *arena, DiagList *diags);
const Source *input_read_standard(Arena *arena, DiagList *diags);

// A source over a copy of the text.
const Source *input_copy(const char *name, const char *text, size_t length, Arena *arena,
                         DiagList *diags);

// The length of the folder's part of a path, with its slash; 0 for a bare file name.
size_t input_folder_length(const char *path);

// Reports that a file or a folder cannot be read because of `error` (an errno).
void input_report_unreadable(DiagList *diags, const char *expected, int error);

#endif
