#include <stdio.h>
#include <string.h>

#include "cli/command_line.h"

enum { HELP_COLUMN = 28, LINE_WIDTH = 100 };

// Prints a text from column `column` on, broken between words.
static void print_wrapped(const char *text, int column) {
  int at = column;
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (at > column && at + 1 + length > LINE_WIDTH) {
      printf("\n%*s", column, "");
      at = column;
    }
    at += printf("%s%.*s", at > column ? " " : "", length, text);
    text += length;
    text += strspn(text, " ");
  }
  putchar('\n');
}

static void print_option(const OptionInfo *info) {
  int width = info->letter ? printf("  -%c, ", info->letter) : printf("      ");
  width += printf("--%s", info->name);
  if (info->argument)
    width += printf(" %s", info->argument);
  if (width >= HELP_COLUMN) {
    putchar('\n');
    width = 0;
  }
  printf("%*s", HELP_COLUMN - width, "");
  print_wrapped(info->help, HELP_COLUMN);
}

void help_print_command(CommandNumber command) {
  const CommandInfo *info = &command_infos[command];
  printf("usage: warpsan %s [options]%s%s\n\n", info->name, info->operands[0] ? " " : "",
         info->operands);
  print_wrapped(info->help, 0);
  if (command == COMMAND_CHECK)
    puts("FILE is a litmus test, a .ptx, .cu or .c file with kernels, a folder that is searched "
         "for\n"
         "*.litmus files and kernels with launch lines, or - for the standard input.");
  if (command == COMMAND_RUN)
    puts("FILE is a .ptx, .cu or .c file with kernels, a folder that is searched for such files "
         "with launch\n"
         "lines, or - for PTX on the standard input.");
  if (command == COMMAND_OUTCOMES)
    puts("FILE is a litmus test, a folder that is searched for *.litmus files, or - for the "
         "standard input.");
  puts("\noptions:");
  for (int i = 0; i < OPTION_COUNT; i++)
    if (option_infos[i].commands & (1u << command))
      print_option(&option_infos[i]);
}

void help_print_overview(void) {
  puts("usage: warpsan COMMAND [options] [operands]\n\n"
       "Checks the synchronisation of GPU programs under the CUDA and PTX memory models.\n\n"
       "commands:");
  for (int i = 0; i < COMMAND_COUNT; i++) {
    int width = printf("  %s %s", command_infos[i].name, command_infos[i].operands);
    printf("%*s", 22 - width, "");
    print_wrapped(command_infos[i].help, 22);
  }
  puts("\nexit status: 0 nothing found, 1 findings or a violated condition, 2 bad usage or input,\n"
       "3 incomplete, 4 internal error. 'warpsan help COMMAND' tells more.");
}

int command_help(const CommandLine *line) {
  if (line->man) {
    manual_print();
    return EXIT_CLEAN;
  }
  if (line->operand_count == 0) {
    help_print_overview();
    return EXIT_CLEAN;
  }
  CommandNumber command;
  if (!command_find(line->operands[0], &command))
    return EXIT_USAGE;
  help_print_command(command);
  return EXIT_CLEAN;
}
