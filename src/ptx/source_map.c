#include "ptx/source_map.h"

#include <string.h>

static bool is_separator(char c) {
  return c == '/' || c == '\\';
}

// A component of a path; paths are read from their end.
typedef struct Component {
  const char *begin;
  size_t length; // 0: there is none
} Component;

// Takes the last component off the first `*length` characters of `path`.
static Component pop_raw(const char *path, size_t *length) {
  while (*length > 0 && is_separator(path[*length - 1]))
    --*length;
  size_t end = *length;
  while (*length > 0 && !is_separator(path[*length - 1]))
    --*length;
  return (Component){path + *length, end - *length};
}

static bool is_text(Component component, const char *text) {
  return component.length == strlen(text) && memcmp(component.begin, text, component.length) == 0;
}

// The same, with "." left out and ".." taken together with what is before it.
static Component pop(const char *path, size_t *length) {
  uint32_t skip_count = 0;
  for (;;) {
    Component component = pop_raw(path, length);
    if (is_text(component, ".."))
      skip_count++;
    else if (is_text(component, "."))
      continue;
    else if (component.length > 0 && skip_count > 0)
      skip_count--;
    else
      return component;
  }
}

static bool is_absolute(const char *path) {
  return is_separator(path[0]) || (path[0] && path[1] == ':' && is_separator(path[2]));
}

// How many components at the end agree; `*is_whole`: one of the paths ends with the other, which
// only a relative one may have anything before.
static uint32_t common_components(const char *a, const char *b, bool *is_whole) {
  size_t a_length = strlen(a), b_length = strlen(b);
  *is_whole = false;
  for (uint32_t count = 0;; count++) {
    Component x = pop(a, &a_length), y = pop(b, &b_length);
    if (x.length == 0 || y.length == 0) {
      bool a_can_go_on = x.length > 0 || !is_absolute(a);
      bool b_can_go_on = y.length > 0 || !is_absolute(b);
      bool both_end = x.length == 0 && y.length == 0;
      *is_whole = count > 0 && (both_end || (a_can_go_on && b_can_go_on));
      return count;
    }
    if (x.length != y.length || memcmp(x.begin, y.begin, x.length) != 0)
      return count;
  }
}

bool ptx_same_file(const char *a, const char *b) {
  bool is_whole;
  common_components(a, b, &is_whole);
  return is_whole;
}

// Folders that hold nothing of the user's.
bool ptx_is_compiler_file(const char *file) {
  static const char *const folders[] = {
      "cuda/include/",       "-linux/include/",
      "/usr/include/",       "lib/gcc/",
      "lib/clang/",          "include/cuda/std/",
      "include/cccl/",       "include/crt/",
      "nvidia/cuda_runtime", "NVIDIA GPU Computing Toolkit",
  };
  for (uint32_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
    if (strstr(file, folders[i]))
      return true;
  // /usr/local/cuda-13.0/include/
  const char *cuda = strstr(file, "/cuda-");
  const char *slash = cuda && cuda[6] >= '0' && cuda[6] <= '9' ? strchr(cuda + 1, '/') : NULL;
  return slash && (strncmp(slash, "/include/", 9) == 0 || strncmp(slash, "/targets/", 9) == 0);
}

// Prefers the file whose name agrees as a whole, then the one that agrees in more components; one
// with the same base name still does, as sources move between machines.
static uint32_t find_named(const PtxModule *module, const char *name) {
  uint32_t best = PTX_NONE, best_score = 0;
  for (uint32_t i = 0; i < module->files.count; i++) {
    const PtxFile *file = &module->files.items[i];
    bool is_whole;
    uint32_t score = common_components(ptx_text(module, file->name), name, &is_whole);
    score += is_whole ? UINT32_MAX / 2 : 0;
    if (score > best_score || (score == best_score && score > 0 && file->number < best)) {
      best = file->number;
      best_score = score;
    }
  }
  return best;
}

static uint32_t find_first(const PtxModule *module) {
  uint32_t first = PTX_NONE;
  for (uint32_t i = 0; i < module->files.count; i++) {
    const PtxFile *file = &module->files.items[i];
    if (file->number < first && !ptx_is_compiler_file(ptx_text(module, file->name)))
      first = file->number;
  }
  return first;
}

PtxSourceMap ptx_source_map(const PtxModule *module, const char *main_file) {
  PtxSourceMap map = {module, PTX_NONE};
  if (main_file)
    map.main_file = find_named(module, main_file);
  if (map.main_file == PTX_NONE)
    map.main_file = find_first(module);
  return map;
}

// A step of the chain of places: a .loc, or an `inlined_at` whose .loc is not there.
typedef struct Step {
  uint32_t file, line, column;
  const PtxLocation *location; // NULL: of an `inlined_at`
} Step;

static Step location_step(const PtxModule *module, uint32_t index) {
  const PtxLocation *location = &module->locations.items[index];
  return (Step){location->file, location->line, location->column, location};
}

// The place where the function of this one is inlined. A parent is an earlier .loc: chains end.
static bool next_step(const PtxModule *module, Step *step) {
  const PtxLocation *location = step->location;
  if (!location || !location->is_inlined)
    return false;
  if (location->parent != PTX_NONE)
    *step = location_step(module, location->parent);
  else
    *step = (Step){location->inlined_file, location->inlined_line, location->inlined_column, NULL};
  return true;
}

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

uint32_t ptx_find_location(const PtxModule *module, uint32_t index) {
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

static bool first_step(const PtxModule *module, uint32_t instruction, Step *step) {
  uint32_t location = ptx_find_location(module, instruction);
  if (location == PTX_NONE)
    return false;
  *step = location_step(module, location);
  return true;
}

static PtxPlace step_place(const PtxModule *module, const Step *step) {
  return (PtxPlace){
      .file = ptx_file_name(module, step->file),
      .line = step->line,
      .column = step->column,
      .function = step->location ? ptx_function_name(module, step->location) : NULL,
  };
}

PtxPlaces ptx_find_places(const PtxSourceMap *map, uint32_t instruction, Arena *arena) {
  ARRAY(PtxPlace) places = {0};
  Step step;
  for (bool is_there = first_step(map->module, instruction, &step); is_there;
       is_there = next_step(map->module, &step))
    array_push(arena, &places, step_place(map->module, &step));
  return (PtxPlaces){places.items, places.count};
}

typedef enum Closeness { CLOSENESS_NONE, CLOSENESS_ANY, CLOSENESS_USER, CLOSENESS_MAIN } Closeness;

// How much the user has to do with a place. Compilers give line 0 to code that no line accounts
// for.
static Closeness closeness(const PtxSourceMap *map, const Step *step) {
  const char *file = ptx_file_name(map->module, step->file);
  if (step->line == 0)
    return CLOSENESS_NONE;
  if (step->file == map->main_file)
    return CLOSENESS_MAIN;
  if (file && !ptx_is_compiler_file(file))
    return CLOSENESS_USER;
  return CLOSENESS_ANY;
}

bool ptx_find_user_place(const PtxSourceMap *map, uint32_t instruction, PtxPlace *place) {
  Closeness best = CLOSENESS_NONE;
  Step step, found = {0};
  for (bool is_there = first_step(map->module, instruction, &step); is_there;
       is_there = next_step(map->module, &step)) {
    Closeness here = closeness(map, &step);
    if (here > best || (here == CLOSENESS_ANY && best == CLOSENESS_ANY)) {
      found = step;
      best = here;
    }
  }
  if (best != CLOSENESS_NONE)
    *place = step_place(map->module, &found);
  return best != CLOSENESS_NONE;
}

static bool find_line(const Source *source, uint32_t line, uint32_t *begin, uint32_t *end) {
  *begin = 0;
  for (uint32_t i = 1; i < line; i++) {
    const char *newline = memchr(source->text + *begin, '\n', source->length - *begin);
    if (!newline)
      return false;
    *begin = (uint32_t)(newline - source->text) + 1;
  }
  const char *newline = memchr(source->text + *begin, '\n', source->length - *begin);
  *end = newline ? (uint32_t)(newline - source->text) : source->length;
  return line > 0;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

Span ptx_place_span(const PtxPlace *place, const Source *source) {
  uint32_t begin, end;
  if (!find_line(source, place->line, &begin, &end))
    return (Span){0};
  while (end > begin && is_blank(source->text[end - 1]))
    end--;
  if (place->column > 1 && place->column - 1 < end - begin)
    return (Span){source, begin + place->column - 1, end};
  while (begin < end && is_blank(source->text[begin]))
    begin++;
  return (Span){source, begin, end};
}
