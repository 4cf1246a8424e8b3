#include "report/relations.h"

#include <string.h>

typedef struct RelationStyle {
  const char *names; // separated by spaces
  const char *color;
  const char *meaning;
} RelationStyle;

// The last one is for every other relation. The colours are distinct for the colour-blind too, and
// dark enough to be read on white.
static const RelationStyle styles[RELATION_STYLE_COUNT] = {
    {"po", "#7a7a7a", "program order"},
    {"rf rfe rfi", "#1b7837", "reads from"},
    {"co coe coi", "#2c5aa0", "coherence: written before"},
    {"fr fre fri", "#c2570c", "reads before a newer write"},
    {"sync sw", "#7b3294", "synchronises with"},
    {"bsync csync wsync", "#8c510a", "meets at a barrier"},
    {"sc sync_fence", "#b2182b", "order of sequentially consistent fences"},
    {"race", "#d6006c", "conflict without order"},
    {"api aord", "#01665e", "order of launches"},
    {"", "#333333", "other relation of the model"},
};

static bool has_name(const char *names, const char *name) {
  size_t length = strlen(name);
  while (*names) {
    size_t width = strcspn(names, " ");
    if (width == length && memcmp(names, name, length) == 0)
      return true;
    names += width + (names[width] == ' ');
  }
  return false;
}

size_t relation_style(const char *relation) {
  size_t i = 0;
  while (i < RELATION_STYLE_COUNT - 1 && !has_name(styles[i].names, relation))
    i++;
  return i;
}

const char *relation_style_color(size_t style) {
  return styles[style].color;
}

const char *relation_color(const char *relation) {
  return styles[relation_style(relation)].color;
}

const char *relation_meaning(const char *relation) {
  return styles[relation_style(relation)].meaning;
}

static bool has_several_files(const Witness *witness) {
  const Source *first = NULL;
  for (uint32_t i = 0; i < witness->event_count; i++) {
    const Source *source = witness->events[i].span.source;
    first = first ? first : source;
    if (source && source != first)
      return true;
  }
  return false;
}

void witness_print_place(Writer *writer, const Witness *witness, const WitnessEvent *event,
                         Escape escape) {
  const Source *source = event->span.source;
  uint32_t line = source_position(source, event->span.begin).line;
  const char *folder = strrchr(source->name, '/');
  if (has_several_files(witness)) {
    writer_escape_text(writer, escape, folder ? folder + 1 : source->name);
    writer_format(writer, ":%u", line);
  } else {
    writer_format(writer, "line %u", line);
  }
}
