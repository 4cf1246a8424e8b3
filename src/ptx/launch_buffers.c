// Where buffers live: `buffers: NAME=KIND ...`, and what a machine demands of launches.
#include "ptx/launch_parser.h"

#include <string.h>

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
    if (!launch->arguments[i].is_scalar && launch->arguments[i].buffer == buffer)
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

// What the host touches is pinned; other buffers are on the device that names them first.
static MemoryHome usual_home(const LaunchParser *parser, uint32_t buffer) {
  if (find_host(parser, buffer))
    return (MemoryHome){MEMORY_PINNED, 0};
  for (uint32_t i = 0; i < parser->launches.count; i++)
    if (names_buffer(&parser->launches.items[i], buffer))
      return (MemoryHome){MEMORY_OF_DEVICE, parser->launches.items[i].device};
  return (MemoryHome){MEMORY_OF_DEVICE, 0};
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
  return parser->error_count == 0;
}
