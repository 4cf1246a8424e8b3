// The manual page, from the same tables as the command line's parser.
#include <stdio.h>

#include "cli/command_line.h"

// Hyphens and backslashes have a meaning in man(7).
static void print_text(const char *text) {
  for (; *text; text++) {
    if (*text == '-' || *text == '\\')
      putchar('\\');
    putchar(*text);
    if (*text == '\\')
      putchar('e');
  }
}

static void print_bold(const char *text) {
  fputs("\\fB", stdout);
  print_text(text);
  fputs("\\fR", stdout);
}

static void print_synopsis(void) {
  puts(".SH SYNOPSIS");
  for (int i = 0; i < COMMAND_COUNT; i++) {
    print_bold("warpsan ");
    print_bold(command_infos[i].name);
    fputs(" [\\fIoptions\\fR] \\fI", stdout);
    print_text(command_infos[i].operands);
    puts("\\fR\n.br");
  }
}

static void print_commands(void) {
  puts(".SH COMMANDS");
  for (int i = 0; i < COMMAND_COUNT; i++) {
    puts(".TP");
    print_bold(command_infos[i].name);
    putchar('\n');
    print_text(command_infos[i].help);
    putchar('\n');
  }
}

static void print_commands_of_option(const OptionInfo *info) {
  fputs(" (", stdout);
  bool is_first = true;
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (!(info->commands & (1u << i)))
      continue;
    printf("%s%s", is_first ? "" : ", ", command_infos[i].name);
    is_first = false;
  }
  puts(")");
}

static void print_options(void) {
  puts(".SH OPTIONS");
  for (int i = 0; i < OPTION_COUNT; i++) {
    const OptionInfo *info = &option_infos[i];
    puts(".TP");
    if (info->letter)
      printf("\\fB\\-%c\\fR, ", info->letter);
    fputs("\\fB\\-\\-", stdout);
    print_text(info->name);
    fputs("\\fR", stdout);
    if (info->argument)
      printf(" \\fI%s\\fR", info->argument);
    putchar('\n');
    print_text(info->help);
    print_commands_of_option(info);
  }
}

void manual_print(void) {
  printf(".TH WARPSAN 1 \"\" \"warpsan %s\" \"User Commands\"\n", warpsan_version());
  puts(".SH NAME\nwarpsan \\- check GPU synchronisation under the CUDA and PTX memory models");
  print_synopsis();
  puts(".SH DESCRIPTION\n"
       "warpsan explores every execution that a memory model allows a small concurrent program:\n"
       "a litmus test, or kernels with launches that comments or options describe.\n"
       "It says whether the outcome that a litmus test asks for is possible, which outcomes are,\n"
       "which accesses race, and shows an execution for each answer.\n"
       "With \\fBrun\\fR, it runs kernels at their real size and finds the accesses that nothing "
       "orders.\n"
       "It needs no GPU.\n"
       ".PP\n"
       "An input is a litmus test, a .ptx, .cu or .c file with kernels, a folder that is searched\n"
       "for *.litmus files and kernels with launch lines, or \\- for the standard input.\n"
       "For .cu and .c files it runs the CUDA compiler, or clang.");
  print_commands();
  print_options();
  puts(
      ".SH EXIT STATUS\n"
      ".TP\n0\nnothing was found\n"
      ".TP\n1\nfindings, a violated condition, or a verdict that differs from the one that a test\n"
      "states; whether an \\fBexists\\fR condition can be met is an answer, not a finding\n"
      ".TP\n2\nbad usage, or an input or a model that cannot be read\n"
      ".TP\n3\nnothing was found, but a limit cut the search short\n"
      ".TP\n4\na fault of warpsan itself\n"
      ".SH ENVIRONMENT\n"
      ".TP\nNO_COLOR\nif it is set and not empty, \\fB\\-\\-color auto\\fR means never\n"
      ".TP\nPATH\nwhere \\fBnvcc\\fR is looked for\n"
      ".TP\nTMPDIR\nwhere compilers put the PTX of an input, which is removed; otherwise /tmp\n"
      ".SH SEE ALSO\n"
      "warpsan(3), nvcc(1)");
}
