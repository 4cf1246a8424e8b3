// Runs nvcc or clang. Between the making of the temporary folder and its removal nothing is
// allocated, so that running out of memory leaves no files behind.
#include "api/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/compile_errors.h"
#include "api/input.h"

extern char **environ;

typedef ARRAY(char *) WordList;

enum { FOLDER_SIZE = 1024, FILE_SIZE = FOLDER_SIZE + NAME_MAX + 2 };

// The temporary folder with its files.
typedef struct Workspace {
  char folder[FOLDER_SIZE];
  char input[FILE_SIZE]; // the text, if the compiler has to be given one
  char ptx[FILE_SIZE];
  char messages[FILE_SIZE];
} Workspace;

typedef struct Compilation {
  const CompileRequest *request;
  const char *compiler;
  WordList arguments;
  Workspace workspace;
  CompileOutput output;
  int spawn_error; // an errno, 0: the compiler ran
  int error;       // of our own files, an errno
  int ptx;         // the open file, -1: none
} Compilation;

// --- the command

// One word of a list that is separated by blanks; quotes hold words together, and a backslash takes
// the next character as it is. NULL at the end; `*quote` is then 0, or the quote that is open
// there.
static char *next_word(Arena *arena, const char **text, char *quote) {
  *text += strspn(*text, " \t\r\n");
  if (**text == '\0')
    return NULL;
  char *word = arena_alloc(arena, strlen(*text) + 1, 1), *end = word;
  for (; **text && (*quote || !strchr(" \t\r\n", **text)); ++*text) {
    char c = **text;
    if (*quote ? c == *quote : c == '\'' || c == '"') {
      *quote = *quote ? 0 : c;
      continue;
    }
    if (c == '\\' && *quote != '\'' && (*text)[1] != '\0')
      c = *++*text;
    *end++ = c;
  }
  return word;
}

static void add_word(Arena *arena, WordList *list, const char *word) {
  // posix_spawn takes words that are not constant, but changes none.
  array_push(arena, list, (char *)(uintptr_t)word);
}

// Returns the quote that the text leaves open, or 0.
static char add_words(Arena *arena, WordList *list, const char *text) {
  char *word, quote = 0;
  while (text && (word = next_word(arena, &text, &quote)))
    array_push(arena, list, word);
  return quote;
}

static const char *default_flags(const CompileRequest *request) {
  if (!request->clang)
    return "-x cu -ptx -lineinfo -std=c++17 -arch=sm_90";
  return request->is_c ? "-x c --target=nvptx64-nvidia-cuda -march=sm_80 -ffreestanding -S -O2 "
                         "-gline-tables-only"
                       : "-x cuda --cuda-device-only -nocudalib --cuda-gpu-arch=sm_80 -S -O2 "
                         "-gline-tables-only -std=c++17";
}

// The user's flags follow the usual ones, so that they win. False: they are reported not to be
// words.
static bool make_command(Compilation *compilation, Arena *arena, DiagList *diags) {
  const CompileRequest *request = compilation->request;
  WordList *arguments = &compilation->arguments;
  compilation->compiler = request->clang ? request->clang : request->nvcc ? request->nvcc : "nvcc";
  add_word(arena, arguments, compilation->compiler);
  add_words(arena, arguments, default_flags(request));
  const char *flags = request->clang ? request->clang_flags : request->nvcc_flags;
  char open_quote = add_words(arena, arguments, flags);
  if (open_quote) {
    compile_report(diags, "expected a second %c in the flags of the compiler, found '%s'",
                   open_quote, flags);
    return false;
  }
  add_word(arena, arguments, "-o");
  add_word(arena, arguments, compilation->workspace.ptx);
  const char *input = compilation->workspace.input;
  if (request->is_on_disk) // a name that begins with a hyphen is no option
    input = arena_format(arena, "%s%s", request->source->name[0] == '-' ? "./" : "",
                         request->source->name);
  compilation->output.input = input;
  add_word(arena, arguments, input);
  array_push(arena, arguments, NULL);
  return true;
}

// --- the temporary folder

static bool make_workspace(Compilation *compilation) {
  Workspace *workspace = &compilation->workspace;
  const char *parent = getenv("TMPDIR");
  const char *name = compilation->request->source->name;
  if (!parent || parent[0] == '\0')
    parent = "/tmp";
  int length = snprintf(workspace->folder, FOLDER_SIZE, "%s/warpsan-XXXXXX", parent);
  if (length < 0 || length >= FOLDER_SIZE) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (!mkdtemp(workspace->folder))
    return false;
  // The same base name as the source's: it is the one that .file names.
  snprintf(workspace->input, FILE_SIZE, "%s/%.*s", workspace->folder, NAME_MAX,
           name + input_folder_length(name));
  snprintf(workspace->ptx, FILE_SIZE, "%s/ptx", workspace->folder);
  snprintf(workspace->messages, FILE_SIZE, "%s/messages", workspace->folder);
  return true;
}

static void remove_workspace(const Compilation *compilation) {
  const Workspace *workspace = &compilation->workspace;
  if (!compilation->request->is_on_disk)
    unlink(workspace->input);
  unlink(workspace->ptx);
  unlink(workspace->messages);
  rmdir(workspace->folder);
}

static bool write_all(int file, const char *text, size_t length) {
  while (length > 0) {
    ssize_t count = write(file, text, length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return false;
    text += count;
    length -= (size_t)count;
  }
  return true;
}

static bool write_input(const Compilation *compilation) {
  const Source *source = compilation->request->source;
  int file = open(compilation->workspace.input, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                  S_IRUSR | S_IWUSR);
  if (file < 0)
    return false;
  bool is_written = write_all(file, source->text, source->length);
  return close(file) == 0 && is_written;
}

// --- running

// Nothing to read; both outputs in one file. Returns an errno.
static int redirect(posix_spawn_file_actions_t *actions, const Workspace *workspace) {
  int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0)
    error = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, workspace->messages,
                                             O_WRONLY | O_CREAT | O_APPEND, S_IRUSR | S_IWUSR);
  if (error == 0)
    error = posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
  return error;
}

static void spawn(Compilation *compilation, pid_t *child) {
  posix_spawn_file_actions_t actions;
  compilation->error = posix_spawn_file_actions_init(&actions);
  if (compilation->error != 0)
    return;
  compilation->error = redirect(&actions, &compilation->workspace);
  if (compilation->error == 0)
    compilation->spawn_error = posix_spawnp(child, compilation->compiler, &actions, NULL,
                                            compilation->arguments.items, environ);
  posix_spawn_file_actions_destroy(&actions);
}

static void wait_for(Compilation *compilation, pid_t child) {
  pid_t ended;
  do
    ended = waitpid(child, &compilation->output.status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0)
    compilation->error = errno;
}

static void read_messages(Compilation *compilation) {
  CompileOutput *output = &compilation->output;
  int file = open(compilation->workspace.messages, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  ssize_t count = 1;
  while (count > 0 && output->length < sizeof output->text - 1) {
    do
      count = read(file, output->text + output->length, sizeof output->text - 1 - output->length);
    while (count < 0 && errno == EINTR);
    output->length += count > 0 ? (size_t)count : 0;
  }
  close(file);
}

static void run_in_workspace(Compilation *compilation) {
  pid_t child;
  if (!compilation->request->is_on_disk && !write_input(compilation)) {
    compilation->error = errno;
    return;
  }
  spawn(compilation, &child);
  if (compilation->error != 0 || compilation->spawn_error != 0)
    return;
  wait_for(compilation, child);
  read_messages(compilation);
  if (compilation->error != 0 || !compile_output_is_ok(&compilation->output))
    return;
  compilation->ptx = open(compilation->workspace.ptx, O_RDONLY | O_CLOEXEC);
  if (compilation->ptx < 0)
    compilation->error = errno;
}

static void run_compiler(Compilation *compilation) {
  if (!make_workspace(compilation)) {
    compilation->error = errno;
    return;
  }
  run_in_workspace(compilation);
  remove_workspace(compilation);
}

static void report_spawn(const Compilation *compilation, DiagList *diags) {
  const char *way_out = "; --nvcc or --clang says where a compiler is, or give PTX that "
                        "'nvcc -ptx -lineinfo' made elsewhere";
  if (compilation->spawn_error == ENOENT)
    compile_report(diags, "expected a compiler to make PTX of '%s', found no '%s'%s",
                   compilation->request->source->name, compilation->compiler, way_out);
  else
    compile_report(diags, "expected a compiler to make PTX of '%s', cannot run '%s': %s%s",
                   compilation->request->source->name, compilation->compiler,
                   input_error_text(compilation->spawn_error, diags->arena), way_out);
}

const Source *compile_to_ptx(WarpsanSession *session, const CompileRequest *request, Arena *arena,
                             DiagList *diags) {
  Compilation *compilation = ARENA_NEW(arena, Compilation);
  *compilation = (Compilation){.request = request, .ptx = -1};
  if (!make_command(compilation, arena, diags))
    return NULL;
  run_compiler(compilation);
  if (compilation->spawn_error != 0)
    report_spawn(compilation, diags);
  else if (compilation->error != 0)
    input_report_unreadable(diags, "room for temporary files", compilation->error);
  else if (compilation->ptx < 0)
    compile_report_output(&compilation->output, compilation->compiler, request->source, arena,
                          diags);
  if (compilation->ptx < 0)
    return NULL;
  const char *name = arena_format(arena, "%s (as PTX)", request->source->name);
  return input_read_open(session, compilation->ptx, name, arena, diags);
}
