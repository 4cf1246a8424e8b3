// Where buffers live: `buffers: NAME=KIND ...`, and what a machine demands of launches.
#include "ptx/launch_parser.h"

#include <string.h>

enum { NOWHERE = LAUNCH_MAX_DEVICE + 1 }; // the device of a buffer that is not placed yet

// KIND: device[:N], pinned, managed or system.
static bool parse_home(LaunchParser *parser, MemoryHome *home) {
  static const char *const names[] = {"device", "pinned", "managed", "system"};
  uint32_t kind = 0;
  while (kind < 4 && !launch_at_word(parser, names[kind]))
    kind++;
  if (kind == 4)
    return launch_expected(parser, "'device:N', 'pinned', 'managed' or 'system'");
  launch_next_token(parser);
  *home = (MemoryHome){(MemoryKind)kind, 0};
  if (kind != MEMORY_OF_DEVICE)
    return true;
  uint64_t device = 0;
  if (!launch_expect_token(parser, LAUNCH_TOKEN_COLON) ||
      !launch_read_count(parser, "a device", 0, LAUNCH_MAX_DEVICE, &device))
    return false;
  home->device = (uint32_t)device;
  return true;
}

static const LaunchHome *find_home(const LaunchParser *parser, uint32_t buffer) {
  for (uint32_t i = 0; i < parser->homes.count; i++)
    if (parser->homes.items[i].buffer == buffer)
      return &parser->homes.items[i];
  return NULL;
}

// NAME=KIND
static bool parse_entry(LaunchParser *parser) {
  uint32_t begin = parser->token.begin;
  Span span = launch_token_span(parser);
  const char *name;
  LaunchHome entry = {0};
  if (!launch_expect_name(parser, "a buffer's name", &name))
    return false;
  entry.buffer = launch_lookup_buffer(parser, name);
  if (entry.buffer == PTX_NONE)
    return launch_error(parser, span, "expected a buffer of a launch, found '%s'", name);
  if (find_home(parser, entry.buffer))
    return launch_error(parser, span, "expected each buffer once, found '%s' again", name);
  if (!launch_expect_token(parser, LAUNCH_TOKEN_ASSIGN) || !parse_home(parser, &entry.home))
    return false;
  entry.span = launch_span_from(parser, begin);
  array_push(parser->arena, &parser->homes, entry);
  return true;
}

bool launch_parse_buffers(LaunchParser *parser) {
  if (parser->token.kind == LAUNCH_TOKEN_END)
    return launch_expected(parser, "a buffer's name");
  while (parser->token.kind != LAUNCH_TOKEN_END)
    if (!parse_entry(parser))
      return false;
  return true;
}

static bool names_buffer(const Launch *launch, uint32_t buffer) {
  for (uint32_t i = 0; i < launch->argument_count; i++)
    for (uint32_t j = 0; j < launch->arguments[i].reference_count; j++)
      if (launch->arguments[i].references[j].buffer == buffer)
        return true;
  return false;
}

// A launch on the host that names the buffer, or NULL.
static const Launch *find_host(const LaunchParser *parser, uint32_t buffer) {
  for (uint32_t i = 0; i < parser->launches.count; i++)
    if (parser->launches.items[i].is_host && names_buffer(&parser->launches.items[i], buffer))
      return &parser->launches.items[i];
  return NULL;
}

// The first launch that gets the buffer as an argument, or NULL.
static const Launch *find_user(const LaunchParser *parser, uint32_t buffer) {
  for (uint32_t i = 0; i < parser->launches.count; i++)
    if (names_buffer(&parser->launches.items[i], buffer))
      return &parser->launches.items[i];
  return NULL;
}

static bool is_placed(const LaunchBuffer *buffer) {
  return buffer->home.kind != MEMORY_OF_DEVICE || buffer->home.device != NOWHERE;
}

// What the host touches is pinned; other buffers are on the device that names them first.
static MemoryHome usual_home(const LaunchParser *parser, uint32_t buffer) {
  const Launch *user = find_user(parser, buffer);
  if (find_host(parser, buffer))
    return (MemoryHome){MEMORY_PINNED, 0};
  return (MemoryHome){MEMORY_OF_DEVICE, user ? user->device : NOWHERE};
}

// A buffer that is only pointed to lives where the first that points to it does.
static void place_pointees(LaunchParser *parser, uint32_t first, uint32_t *queue) {
  uint32_t count = 0;
  queue[count++] = first;
  for (uint32_t i = 0; i < count; i++) {
    const LaunchBuffer *from = &parser->buffers.items[queue[i]];
    for (uint32_t j = 0; j < from->reference_count; j++) {
      LaunchBuffer *to = &parser->buffers.items[from->references[j].buffer];
      if (is_placed(to))
        continue;
      to->home = from->home;
      queue[count++] = from->references[j].buffer;
    }
  }
}

static void place_all_pointees(LaunchParser *parser) {
  uint32_t *queue = ARENA_ARRAY(parser->arena, uint32_t, parser->buffers.count + 1);
  uint8_t *is_root = ARENA_ARRAY(parser->arena, uint8_t, parser->buffers.count + 1);
  for (uint32_t i = 0; i < parser->buffers.count; i++)
    is_root[i] = is_placed(&parser->buffers.items[i]);
  for (uint32_t i = 0; i < parser->buffers.count; i++)
    if (is_root[i])
      place_pointees(parser, i, queue);
  for (uint32_t i = 0; i < parser->buffers.count; i++)
    if (!is_placed(&parser->buffers.items[i])) // nothing points to it
      parser->buffers.items[i].home = (MemoryHome){MEMORY_OF_DEVICE, 0};
}

static bool check_home(LaunchParser *parser, const LaunchHome *entry) {
  const Machine *machine = parser->machine;
  if (entry->home.kind != MEMORY_OF_DEVICE)
    return true;
  if (machine && entry->home.device >= machine->device_count)
    return launch_error(parser, entry->span, "expected a device below %u, as '%s' says, found %u",
                        machine->device_count, machine->name, entry->home.device);
  if (find_host(parser, entry->buffer))
    return launch_error(parser, entry->span,
                        "expected memory that the host reaches (pinned, managed or system), since "
                        "a launch on the host names '%s'",
                        parser->buffers.items[entry->buffer].name);
  return true;
}

static void check_launch(LaunchParser *parser, const Launch *launch) {
  const Machine *machine = parser->machine;
  if (machine && !launch->is_host && launch->device >= machine->device_count)
    launch_error(parser, launch->span, "expected a device below %u, as '%s' says, found device=%u",
                 machine->device_count, machine->name, launch->device);
}

bool launch_place_buffers(LaunchParser *parser) {
  for (uint32_t i = 0; i < parser->launches.count; i++)
    check_launch(parser, &parser->launches.items[i]);
  for (uint32_t i = 0; i < parser->buffers.count; i++) {
    const LaunchHome *entry = find_home(parser, i);
    parser->buffers.items[i].home = entry ? entry->home : usual_home(parser, i);
    if (entry)
      check_home(parser, entry);
  }
  place_all_pointees(parser);
  return parser->error_count == 0;
}
