#include <stdio.h>
#include <string.h>

#include "cli/command_line.h"

// The title of a .cat text: the string at its beginning, behind comments.
static int find_title(const char *text, const char **title) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "(*", 2) != 0)
      break;
    const char *end = strstr(text, "*)");
    if (!end)
      return 0;
    text = end + 2;
  }
  if (*text != '"')
    return 0;
  *title = text + 1;
  return (int)strcspn(*title, "\"\n");
}

static void print_title(size_t model) {
  const char *title = "";
  int length = find_title(warpsan_model_text(model), &title);
  printf("%-8s %.*s\n", warpsan_model_name(model), length, title);
}

static bool find_model(const char *name, size_t *model) {
  for (size_t i = 0; i < warpsan_model_count(); i++)
    if (strcmp(warpsan_model_name(i), name) == 0) {
      *model = i;
      return true;
    }
  return false;
}

static void print_model(const CommandLine *line, size_t model) {
  if (line->print)
    fputs(warpsan_model_text(model), stdout);
  else
    print_title(model);
}

int command_models(const CommandLine *line) {
  if (line->operand_count == 0)
    for (size_t i = 0; i < warpsan_model_count(); i++)
      print_model(line, i);
  for (size_t i = 0; i < line->operand_count; i++) {
    size_t model;
    if (!find_model(line->operands[i], &model)) {
      complain("expected a built-in model, found '%s'; 'warpsan models' lists them",
               line->operands[i]);
      return EXIT_USAGE;
    }
    print_model(line, model);
  }
  return EXIT_CLEAN;
}
