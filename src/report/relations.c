#include "report/relations.h"

#include <string.h>

typedef struct RelationStyle {
  const char *relation;
  const char *color;
  const char *meaning;
} RelationStyle;

// The last one is for every other relation. The colours are distinct for the colour-blind too, and
// dark enough to be read on white.
static const RelationStyle styles[RELATION_STYLE_COUNT] = {
    {"po", "#7a7a7a", "program order"},
    {"rf", "#1b7837", "reads from"},
    {"co", "#2c5aa0", "coherence: written before"},
    {"fr", "#c2570c", "reads before a newer write"},
    {"sync", "#7b3294", "synchronises with"},
    {"bsync", "#8c510a", "meets at a barrier"},
    {"sc", "#b2182b", "order of fence.sc"},
    {"", "#333333", "other relation of the model"},
};

// "rfe" and "rfi" are kinds of "rf", and so on.
static bool is_kind_of(const char *relation, const char *base) {
  size_t length = strlen(base);
  if (strncmp(relation, base, length) != 0)
    return false;
  const char *rest = relation + length;
  return *rest == '\0' || strcmp(rest, "e") == 0 || strcmp(rest, "i") == 0;
}

size_t relation_style(const char *relation) {
  if (strcmp(relation, "sync_fence") == 0)
    relation = "sc";
  size_t i = 0;
  while (i < RELATION_STYLE_COUNT - 1 && !is_kind_of(relation, styles[i].relation))
    i++;
  return i;
}

const char *relation_color(const char *relation) {
  return styles[relation_style(relation)].color;
}

const char *relation_meaning(const char *relation) {
  return styles[relation_style(relation)].meaning;
}
