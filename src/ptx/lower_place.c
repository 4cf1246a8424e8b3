// From .loc to places in the user's file. A finding points at the innermost line that is in the
// file that the kernel is written in; code inlined from headers is named by where it was inlined.
#include "ptx/lower_place.h"

#include <string.h>

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// --- the chain of places

// A step of the chain of places: a .loc, or the place where its function is inlined.
typedef struct Step {
  uint32_t file, line, column;
  const PtxLocation *location; // NULL: of an `inlined_at` whose .loc is not there, or of a comment
  Span rest;                   // of the comment, with the steps behind this one
} Step;

// Leads the text behind the first such word; false: there is none.
static bool take(Span *text, const char *word) {
  size_t length = strlen(word);
  for (uint32_t i = text->begin; i + length <= text->end; i++)
    if (memcmp(text->source->text + i, word, length) == 0) {
      text->begin = i + (uint32_t)length;
      return true;
    }
  return false;
}

// LLVM says in a comment only where functions are inlined:
//   .loc 2 3 6    // q.h:3:6 @[ k.c:4:3 @[ k.c:7:3 ] ]
static Span comment_of(const PtxModule *module, const PtxLocation *location) {
  Span line = ptx_span(module, location->span);
  const char *text = line.source->text, *end = text + line.source->length;
  line.begin = line.end;
  const char *newline = memchr(text + line.begin, '\n', (size_t)(end - text) - line.begin);
  line.end = newline ? (uint32_t)(newline - text) : line.source->length;
  return take(&line, "//") ? line : (Span){0};
}

static Step location_step(const PtxModule *module, uint32_t index) {
  const PtxLocation *location = &module->locations.items[index];
  Step step = {location->file, location->line, location->column, location, {0}};
  if (!location->is_inlined)
    step.rest = comment_of(module, location);
  return step;
}

// `:NUMBER` at the end of the text; false: there is none.
static bool take_last_number(Span *text, uint32_t *number) {
  uint32_t begin = text->end;
  while (begin > text->begin && text->source->text[begin - 1] >= '0' &&
         text->source->text[begin - 1] <= '9')
    begin--;
  if (begin == text->end || text->end - begin > 9 || begin == text->begin ||
      text->source->text[begin - 1] != ':')
    return false;
  *number = 0;
  for (uint32_t i = begin; i < text->end; i++)
    *number = *number * 10 + (uint32_t)(text->source->text[i] - '0');
  text->end = begin - 1;
  return true;
}

// The .file that a comment names, from the folder of the compiler on or as a whole: of several the
// one with the shortest name. 0: there is none.
static uint32_t find_file(const PtxModule *module, Span name) {
  uint32_t length = name.end - name.begin, found = 0;
  size_t found_length = SIZE_MAX;
  for (uint32_t i = 0; i < module->files.count; i++) {
    const char *file = ptx_text(module, module->files.items[i].name);
    size_t whole = strlen(file);
    if (whole < length || whole >= found_length ||
        memcmp(file + whole - length, name.source->text + name.begin, length) != 0 ||
        (whole > length && file[whole - length - 1] != '/'))
      continue;
    found = module->files.items[i].number;
    found_length = whole;
  }
  return found;
}

// `@[ FILE:LINE:COLUMN`, or without a column, behind which there is another one, or `]`.
static bool next_of_comment(const PtxModule *module, Step *step) {
  Span rest = step->rest, place;
  uint32_t last, before;
  if (!rest.source || !take(&rest, "@[ "))
    return false;
  place = rest;
  if (!take(&place, " "))
    return false;
  place = (Span){rest.source, rest.begin, place.begin - 1};
  if (!take_last_number(&place, &last))
    return false;
  *step = (Step){.line = last, .rest = rest};
  if (take_last_number(&place, &before)) {
    step->line = before;
    step->column = last;
  }
  step->file = find_file(module, place);
  return true;
}

// A parent is an earlier .loc: chains end.
static bool next_step(const PtxModule *module, Step *step) {
  const PtxLocation *location = step->location;
  if (!location || !location->is_inlined)
    return next_of_comment(module, step);
  if (location->parent != PTX_NONE)
    *step = location_step(module, location->parent);
  else
    *step =
        (Step){location->inlined_file, location->inlined_line, location->inlined_column, NULL, {0}};
  return true;
}

// --- the .loc of an instruction

static bool has_line(const PtxModule *module, uint32_t location) {
  if (location == PTX_NONE)
    return false;
  Step step = location_step(module, location);
  do {
    if (step.line > 0)
      return true;
  } while (next_step(module, &step));
  return false;
}

static const PtxFunction *function_of(const PtxModule *module, uint32_t instruction) {
  for (uint32_t i = 0; i < module->functions.count; i++) {
    PtxRange range = module->functions.items[i].instructions;
    if (instruction >= range.first && instruction - range.first < range.count)
      return &module->functions.items[i];
  }
  return NULL;
}

// The line of a return is the brace that ends the function.
static bool is_return(const PtxInstruction *instruction) {
  return instruction->op == PTX_OP_ret || instruction->op == PTX_OP_exit;
}

static bool ends_block(const PtxInstruction *instruction) {
  bool leaves = instruction->op == PTX_OP_bra || instruction->op == PTX_OP_brx;
  return is_return(instruction) || (leaves && instruction->guard == PTX_NONE);
}

// Compilers write line 0 for code that they moved, such as a load that they took out of a loop, or
// merged, such as the stores of both arms of a branch: it belongs to the code behind it, or else to
// that before it.
static uint32_t find_location(const PtxModule *module, uint32_t index) {
  const PtxInstruction *instructions = module->instructions.items;
  const PtxFunction *function = function_of(module, index);
  uint32_t own = instructions[index].location;
  if (own == PTX_NONE || !function || has_line(module, own))
    return own;
  uint32_t first = function->instructions.first, end = first + function->instructions.count;
  for (uint32_t i = index; i < end; i++) {
    if (has_line(module, instructions[i].location) && !is_return(&instructions[i]))
      return instructions[i].location;
    if (ends_block(&instructions[i]))
      break;
  }
  for (uint32_t i = index; i > first; i--)
    if (has_line(module, instructions[i - 1].location))
      return instructions[i - 1].location;
  return own;
}

// --- the main file

static uint32_t first_location_file(const PtxModule *module, const PtxFunction *function) {
  for (uint32_t i = 0; i < function->instructions.count; i++) {
    uint32_t location = module->instructions.items[function->instructions.first + i].location;
    if (location == PTX_NONE)
      continue;
    Step step = location_step(module, location);
    while (next_step(module, &step))
      continue;
    return step.file;
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
    Step step = location_step(map->module, i);
    do {
      if (step.file == file && step.line > last_line)
        last_line = step.line;
    } while (next_step(map->module, &step));
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

// --- places

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// From the column, or the first character, to the end of the line.
static Span line_span(const PlaceMap *map, uint32_t line, uint32_t column) {
  if (line == 0 || line > map->line_starts.count)
    return (Span){map->source, 0, 0};
  uint32_t begin = map->line_starts.items[line - 1];
  uint32_t end = begin;
  while (end < map->source->length && map->source->text[end] != '\n')
    end++;
  while (end > begin && is_blank(map->source->text[end - 1]))
    end--;
  if (column > 0 && column - 1 < end - begin)
    begin += column - 1;
  else
    while (begin < end && is_blank(map->source->text[begin]))
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

static void add_locations(const PlaceMap *map, uint32_t location, PlaceChain *chain) {
  Step step = location_step(map->module, location);
  do {
    if (step.file == map->main_file && step.line != 0)
      add_place(map, chain, line_span(map, step.line, step.column));
  } while (next_step(map->module, &step));
}

Span place_of(const PlaceMap *map, const PtxInstruction *instruction, const InlinedPlace *call,
              const InlinedPlace **inlined) {
  PlaceChain chain = {.first = NULL, .end = &chain.first};
  uint32_t index = (uint32_t)(instruction - map->module->instructions.items);
  uint32_t location = find_location(map->module, index);
  if (map->main_file && location != PTX_NONE)
    add_locations(map, location, &chain);
  if (!chain.innermost.source && map->main_file && call) {
    *inlined = call->next;
    return call->span;
  }
  *chain.end = call;
  *inlined = chain.first;
  return chain.innermost.source ? chain.innermost : ptx_span(map->module, instruction->span);
}
