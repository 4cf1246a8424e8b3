// From .loc to places in the user's file. A finding points at the innermost line that is in the
// file that the kernel is written in; code inlined from headers is named by where it was inlined.
#include "ptx/lower_place.h"

#include <string.h>

#include "ptx/source_map.h"

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static uint32_t first_location_file(const PtxModule *module, const PtxFunction *function) {
  for (uint32_t i = 0; i < function->instructions.count; i++) {
    uint32_t location = module->instructions.items[function->instructions.first + i].location;
    if (location == PTX_NONE)
      continue;
    const PtxLocation *found = &module->locations.items[location];
    while (found->is_inlined && found->parent != PTX_NONE)
      found = &module->locations.items[found->parent];
    return found->is_inlined ? found->inlined_file : found->file;
  }
  return 0;
}

// The user's file: the one that has the name of the source at hand, else the kernel's own.
static uint32_t find_main_file(const PlaceMap *map, const PtxFunction *function) {
  for (uint32_t i = 0; map->main_source && i < map->module->files.count; i++) {
    const PtxFile *file = &map->module->files.items[i];
    if (strcmp(base_name(ptx_text(map->module, file->name)), base_name(map->main_source->name)) ==
        0)
      return file->number;
  }
  return first_location_file(map->module, function);
}

// A text of empty lines, for a file that is not at hand: places keep their line numbers.
static const Source *blank_source(const PlaceMap *map, uint32_t file) {
  uint32_t last_line = 1;
  for (uint32_t i = 0; i < map->module->locations.count; i++) {
    const PtxLocation *location = &map->module->locations.items[i];
    if (location->file == file && location->line > last_line)
      last_line = location->line;
    if (location->is_inlined && location->inlined_file == file &&
        location->inlined_line > last_line)
      last_line = location->inlined_line;
  }
  enum { MOST_LINES = 1 << 20 };
  if (last_line > MOST_LINES)
    last_line = MOST_LINES;
  char *text = ARENA_ARRAY(map->arena, char, last_line + 1);
  memset(text, '\n', last_line);
  Source *source = ARENA_NEW(map->arena, Source);
  const char *name = ptx_file_name(map->module, file);
  *source = (Source){name ? name : "(unknown file)", text, last_line};
  return source;
}

static void index_lines(PlaceMap *map) {
  const Source *source = map->source;
  array_push(map->arena, &map->line_starts, 0);
  for (uint32_t i = 0; i < source->length; i++)
    if (source->text[i] == '\n')
      array_push(map->arena, &map->line_starts, i + 1);
}

void place_map_init(PlaceMap *map, const PtxModule *module, const PtxFunction *function,
                    const Source *main_source, Arena *arena) {
  *map = (PlaceMap){.module = module, .arena = arena, .main_source = main_source};
  map->main_file = find_main_file(map, function);
  if (!map->main_file)
    return; // no .loc: places are those of the PTX text
  const char *name = ptx_file_name(module, map->main_file);
  bool is_at_hand =
      main_source && name && strcmp(base_name(name), base_name(main_source->name)) == 0;
  map->source = is_at_hand ? main_source : blank_source(map, map->main_file);
  index_lines(map);
}

// From the column to the end of the line.
static Span line_span(const PlaceMap *map, uint32_t line, uint32_t column) {
  if (line == 0 || line > map->line_starts.count)
    return (Span){map->source, 0, 0};
  uint32_t begin = map->line_starts.items[line - 1];
  uint32_t end = begin;
  while (end < map->source->length && map->source->text[end] != '\n')
    end++;
  if (column > 0 && begin + column - 1 < end)
    begin += column - 1;
  else
    while (begin < end && (map->source->text[begin] == ' ' || map->source->text[begin] == '\t'))
      begin++;
  return (Span){map->source, begin, end};
}

// One place of the main file after the other, the innermost first.
typedef struct PlaceChain {
  Span innermost;
  const InlinedPlace *first, **end;
} PlaceChain;

static void add_place(const PlaceMap *map, PlaceChain *chain, Span span) {
  if (!chain->innermost.source) {
    chain->innermost = span;
    return;
  }
  InlinedPlace *place = ARENA_NEW(map->arena, InlinedPlace);
  place->span = span;
  *chain->end = place;
  chain->end = &place->next;
}

static void add_locations(const PlaceMap *map, const PtxLocation *location, PlaceChain *chain) {
  uint32_t file = location->file, line = location->line, column = location->column;
  for (uint32_t depth = 0; depth < 64; depth++) {
    if (file == map->main_file && line != 0)
      add_place(map, chain, line_span(map, line, column));
    if (!location || !location->is_inlined)
      break;
    file = location->inlined_file;
    line = location->inlined_line;
    column = location->inlined_column;
    location =
        location->parent == PTX_NONE ? NULL : &map->module->locations.items[location->parent];
  }
}

Span place_of(const PlaceMap *map, const PtxInstruction *instruction, const InlinedPlace *call,
              const InlinedPlace **inlined) {
  PlaceChain chain = {.first = NULL, .end = &chain.first};
  uint32_t index = (uint32_t)(instruction - map->module->instructions.items);
  uint32_t location = ptx_find_location(map->module, index);
  if (map->main_file && location != PTX_NONE)
    add_locations(map, &map->module->locations.items[location], &chain);
  if (!chain.innermost.source && map->main_file && call) {
    *inlined = call->next;
    return call->span;
  }
  *chain.end = call;
  *inlined = chain.first;
  return chain.innermost.source ? chain.innermost : ptx_span(map->module, instruction->span);
}
