// The command line as data: a sub-command, its options, its operands.
#ifndef WARPSAN_CLI_COMMAND_LINE_H
#define WARPSAN_CLI_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "warpsan/warpsan.h"

// DESIGN: exit statuses.
enum {
  EXIT_CLEAN = 0,
  EXIT_FINDINGS = 1,
  EXIT_USAGE = 2, // bad usage or input
  EXIT_INCOMPLETE = 3,
  EXIT_BUG = 4,
};

typedef enum CommandNumber {
#define COMMAND(identifier, name, operands, help) COMMAND_##identifier,
#include "cli/commands.def"
#undef COMMAND
  COMMAND_COUNT,
} CommandNumber;

enum {
#define COMMAND(identifier, name, operands, help) ON_##identifier = 1 << COMMAND_##identifier,
#include "cli/commands.def"
#undef COMMAND
  ON_ALL = (1 << COMMAND_COUNT) - 1,
};

typedef enum OptionNumber {
#define OPTION(identifier, letter, name, argument, commands, help) OPTION_##identifier,
#include "cli/options.def"
#undef OPTION
  OPTION_COUNT,
} OptionNumber;

typedef struct CommandInfo {
  const char *name;
  const char *operands;
  const char *help;
} CommandInfo;

typedef struct OptionInfo {
  char letter; // 0: none
  const char *name;
  const char *argument; // NULL: none
  unsigned commands;    // sum of ON_...
  const char *help;
} OptionInfo;

extern const CommandInfo command_infos[COMMAND_COUNT];
extern const OptionInfo option_infos[OPTION_COUNT];

typedef enum ColorChoice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;

enum { MOST_MODELS = 64, MOST_TEXTS = 256 };

// The texts of an option that may be repeated.
typedef struct TextList {
  const char *items[MOST_TEXTS];
  size_t count;
} TextList;

typedef struct CommandLine {
  CommandNumber command;
  WarpsanOptions check; // the commands set its lists, from those below
  char *models[MOST_MODELS];
  size_t model_count;
  TextList launches, finals;
  WarpsanRunOptions run;
  TextList dumps; // NAME=FILE
  WarpsanFormat format;
  ColorChoice color;
  bool all_states;
  bool quiet;
  const char *output; // NULL: standard output
  bool list;
  bool print;
  bool man;
  bool help;
  char **operands; // into the arguments of main
  size_t operand_count;
} CommandLine;

// Parses the arguments of main; moves operands to the front of `arguments` and cuts lists of models
// apart in place. False: an error was printed.
bool command_line_parse(CommandLine *line, int argument_count, char **arguments);

// The sub-command that a word names. False: none; an error was printed.
bool command_find(const char *word, CommandNumber *command);

// `warpsan: error: ...` on the standard error.
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// One function for each sub-command; they return the exit status.
int command_check(const CommandLine *line);
int command_run(const CommandLine *line);
int command_outcomes(const CommandLine *line);
int command_explain(const CommandLine *line);
int command_ptx(const CommandLine *line);
int command_models(const CommandLine *line);
int command_help(const CommandLine *line);
int command_version(const CommandLine *line);

// The usage of one command, or of all.
void help_print_command(CommandNumber command);
void help_print_overview(void);
// The manual page in the language of man(7).
void manual_print(void);

#endif
