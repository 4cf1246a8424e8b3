#include <stdio.h>
#include <string.h>

#include "cli/command_line.h"
#include "cli/nearest.h"

static const char *severity_text(WarpsanSeverity severity) {
  return severity == WARPSAN_SEVERITY_ERROR     ? "error"
         : severity == WARPSAN_SEVERITY_WARNING ? "warning"
                                                : "advice";
}

static void print_indented(const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    printf("    %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static void print_sub_rules(const char *rule) {
  bool is_first = true;
  for (size_t i = 0; i < warpsan_rule_count(); i++) {
    const char *parent = warpsan_rule_parent(i);
    if (!parent || strcmp(parent, rule) != 0)
      continue;
    if (is_first)
      puts("\nroot causes that are told apart:");
    is_first = false;
    printf("    %-22s %s\n", warpsan_rule_id(i), warpsan_rule_meaning(i));
  }
}

static void print_rule(size_t rule) {
  const char *parent = warpsan_rule_parent(rule);
  printf("%s%s%s (%s)\n", parent ? parent : "", parent ? ":" : "", warpsan_rule_id(rule),
         severity_text(warpsan_rule_severity(rule)));
  printf("  %s\n", warpsan_rule_meaning(rule));
  if (warpsan_rule_remedy(rule))
    printf("  fix: %s\n", warpsan_rule_remedy(rule));
  print_sub_rules(warpsan_rule_id(rule));
  if (!warpsan_rule_bad_example(rule))
    return;
  puts("\nwrong:");
  print_indented(warpsan_rule_bad_example(rule));
  puts("right:");
  print_indented(warpsan_rule_good_example(rule));
}

static void list_rules(void) {
  for (size_t i = 0; i < warpsan_rule_count(); i++) {
    const char *indent = warpsan_rule_parent(i) ? "  " : "";
    printf("%s%-*s %s\n", indent, (int)(26 - strlen(indent)), warpsan_rule_id(i),
           warpsan_rule_meaning(i));
  }
}

// A rule, a sub-rule, or both as findings show them: "data-race:scope-too-narrow", in SARIF with a
// slash.
static bool find_rule(const char *name, size_t *rule) {
  const char *colon = strpbrk(name, ":/");
  const char *id = colon ? colon + 1 : name;
  for (size_t i = 0; i < warpsan_rule_count(); i++) {
    if (strcmp(warpsan_rule_id(i), id) != 0)
      continue;
    const char *parent = warpsan_rule_parent(i);
    size_t length = colon ? (size_t)(colon - name) : 0;
    if (colon && !(parent && strlen(parent) == length && strncmp(parent, name, length) == 0))
      continue;
    *rule = i;
    return true;
  }
  return false;
}

static void complain_rule(const char *name) {
  const char *colon = strpbrk(name, ":/");
  const char *id = colon ? colon + 1 : name;
  char text[NEAREST_BYTES];
  Nearest nearest = nearest_begin(id, strlen(id));
  for (size_t i = 0; i < warpsan_rule_count(); i++)
    nearest_offer(&nearest, warpsan_rule_id(i));
  complain("expected a rule, found '%s'; %s", name,
           nearest_hint(&nearest, "", "'warpsan explain' lists them", text));
}

int command_explain(const CommandLine *line) {
  if (line->operand_count == 0)
    list_rules();
  int status = EXIT_CLEAN;
  for (size_t i = 0; i < line->operand_count; i++) {
    size_t rule;
    if (i > 0)
      putchar('\n');
    if (find_rule(line->operands[i], &rule)) {
      print_rule(rule);
      continue;
    }
    fflush(stdout);
    complain_rule(line->operands[i]);
    status = EXIT_USAGE;
  }
  return status;
}
