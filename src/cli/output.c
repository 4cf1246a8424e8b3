#include "cli/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command_line.h"

int output_write(void *context, const char *text, size_t length) {
  return fwrite(text, 1, length, context) == length ? 0 : -1;
}

static bool complain_output(const char *path) {
  const char *reason = strerror(errno);
  complain("cannot write '%s': %c%s", path, tolower((unsigned char)reason[0]), reason + 1);
  return false;
}

// Devices and pipes are written to, not replaced.
static bool is_replaceable(const char *path) {
  struct stat status;
  return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

// mkstemp makes files for the owner only; this one gets what a new file would have got.
static void set_usual_mode(int file) {
  mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
}

static bool keep_path(Output *output, const char *path) {
  if (strlen(path) >= sizeof output->path) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(output->path, path);
  return true;
}

static bool open_temporary(Output *output) {
  static const char suffix[] = ".XXXXXX";
  if (strlen(output->path) + sizeof suffix > sizeof output->temporary) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(output->temporary, output->path);
  strcat(output->temporary, suffix);
  int file = mkstemp(output->temporary);
  if (file < 0)
    return false;
  set_usual_mode(file);
  output->file = fdopen(file, "w");
  if (output->file)
    return true;
  close(file);
  unlink(output->temporary);
  return false;
}

bool output_begin(Output *output, const char *path) {
  *output = (Output){.file = stdout};
  if (!path)
    return true;
  if (!is_replaceable(path)) {
    output->file = fopen(path, "w");
    return output->file || complain_output(path);
  }
  return (keep_path(output, path) && open_temporary(output)) || complain_output(path);
}

static bool end_stream(Output *output) {
  bool is_ok = !ferror(output->file) && fflush(output->file) == 0;
  if (output->file != stdout)
    is_ok &= fclose(output->file) == 0;
  return is_ok;
}

bool output_end(Output *output, bool keep) {
  bool is_ok = end_stream(output);
  const char *name = output->path[0] ? output->path : "standard output";
  if (!is_ok)
    complain_output(name);
  if (!output->path[0])
    return is_ok;
  if (is_ok && keep) {
    if (rename(output->temporary, output->path) == 0)
      return true;
    complain_output(name);
    is_ok = false;
  }
  unlink(output->temporary);
  return is_ok;
}
