// One launch line: its keys, and what they demand of each other.
#include "ptx/launch_parser.h"

#include <string.h>

enum {
  MAX_GRID_X = INT32_MAX, // CUDA C++ Programming Guide, "Compute Capabilities"
  MAX_GRID_YZ = 65535,
  MAX_BLOCK_XY = 1024,
  MAX_BLOCK_Z = 64,
};

typedef enum Key {
  KEY_KERNEL,
  KEY_GRID,
  KEY_BLOCK,
  KEY_CLUSTER,
  KEY_SHARED,
  KEY_COOP,
  KEY_PDL,
  KEY_DEVICE,
  KEY_STREAM,
  KEY_AFTER,
  KEY_DOMAIN,
  KEY_RESIDENT,
  KEY_ARGS,
  KEY_COUNT,
} Key;

static const char *const key_names[KEY_COUNT] = {
    "kernel", "grid",   "block", "cluster", "shared",   "coop", "pdl",
    "device", "stream", "after", "domain",  "resident", "args"};

typedef struct LaunchEntries {
  Launch launch;
  bool has_key[KEY_COUNT];
  Span spans[KEY_COUNT]; // of the values
} LaunchEntries;

// X[,Y[,Z]]
static bool parse_dimensions(LaunchParser *parser, const char *what, const uint32_t limits[3],
                             uint32_t dimensions[3]) {
  for (uint32_t i = 0; i < 3; i++) {
    uint64_t value;
    if (!launch_read_count(parser, what, 1, limits[i], &value))
      return false;
    dimensions[i] = (uint32_t)value;
    if (!launch_take_token(parser, LAUNCH_TOKEN_COMMA))
      return true;
  }
  // Behind the comma something is too much.
  return launch_expected(parser, "at most three dimensions");
}

static bool parse_number(LaunchParser *parser, const char *what, uint32_t last, uint32_t *number) {
  uint64_t value = 0;
  if (!launch_read_count(parser, what, 0, last, &value))
    return false;
  *number = (uint32_t)value;
  return true;
}

static bool parse_flag(LaunchParser *parser, bool *flag) {
  uint32_t number = 0;
  if (!parse_number(parser, "a number", 1, &number))
    return false;
  *flag = number == 1;
  return true;
}

// Does a name of C++ go on behind the current token? `ns::reduce<64, true>`
static bool is_scoped(const LaunchParser *parser) {
  const char *behind = parser->source->text + parser->token.end;
  uint32_t left = parser->end - parser->token.end;
  return parser->token.kind == LAUNCH_TOKEN_NAME &&
         ((left > 0 && behind[0] == '<') || (left > 1 && behind[0] == ':' && behind[1] == ':'));
}

// Up to a blank outside of template arguments.
static bool parse_scoped(LaunchParser *parser, Launch *launch) {
  const char *text = parser->source->text;
  uint32_t begin = parser->token.begin, at = parser->token.end;
  int32_t depth = 0;
  for (; at < parser->end && (depth > 0 || !strchr(" \t\r\v\f", text[at])); at++)
    depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
  launch->kernel_span.end = at;
  launch->kernel = arena_copy_text(parser->arena, text + begin, at - begin);
  launch_skip_to(parser, at);
  return depth == 0 || launch_error(parser, launch->kernel_span,
                                    "expected a '>' for each '<' in the kernel's name, found '%s'",
                                    launch->kernel);
}

static bool parse_kernel(LaunchParser *parser, Launch *launch) {
  launch->kernel_span = launch_token_span(parser);
  if (is_scoped(parser))
    return parse_scoped(parser, launch);
  if (parser->token.kind != LAUNCH_TOKEN_STRING) {
    if (!launch_expect_name(parser, "a kernel's name", &launch->kernel))
      return false;
    if (parser->token.kind == LAUNCH_TOKEN_ASSIGN) // the name is the next key
      return launch_error(parser, launch->kernel_span, "expected a kernel's name, found '%s='",
                          launch->kernel);
    return true;
  }
  uint32_t length = parser->token.end - parser->token.begin - 2;
  if (length == 0)
    return launch_expected(parser, "a kernel's name");
  launch->kernel =
      arena_copy_text(parser->arena, parser->source->text + parser->token.begin + 1, length);
  launch_next_token(parser);
  return true;
}

static bool parse_device(LaunchParser *parser, Launch *launch) {
  launch->is_host = launch_take_word(parser, "host");
  return launch->is_host ||
         parse_number(parser, "'host' or a device", LAUNCH_MAX_DEVICE, &launch->device);
}

// N,...: launches of earlier lines, counted from 1.
static bool parse_after(LaunchParser *parser, Launch *launch) {
  ARRAY(uint32_t) after = {0};
  uint32_t earlier = parser->launches.count;
  if (earlier == 0)
    return launch_error(parser, launch_token_span(parser),
                        "expected a launch of an earlier line, found none");
  do {
    uint64_t number = 0;
    if (!launch_read_count(parser, "an earlier launch", 1, earlier, &number))
      return false;
    array_push(parser->arena, &after, (uint32_t)number - 1);
  } while (launch_take_token(parser, LAUNCH_TOKEN_COMMA));
  launch->after = after.items;
  launch->after_count = after.count;
  return true;
}

static bool parse_resident(LaunchParser *parser, Launch *launch) {
  uint64_t count = 0;
  if (!launch_read_count(parser, "a number of resident blocks", 1, INT32_MAX, &count))
    return false;
  launch->resident_count = (uint32_t)count;
  return true;
}

static bool parse_cluster(LaunchParser *parser, Launch *launch) {
  static const uint32_t limits[3] = {LAUNCH_MAX_CLUSTER_BLOCKS, LAUNCH_MAX_CLUSTER_BLOCKS,
                                     LAUNCH_MAX_CLUSTER_BLOCKS};
  launch->has_cluster = true;
  return parse_dimensions(parser, "a cluster size", limits, launch->cluster);
}

static bool parse_value(LaunchParser *parser, Key key, Launch *launch) {
  static const uint32_t grid_limits[3] = {MAX_GRID_X, MAX_GRID_YZ, MAX_GRID_YZ};
  static const uint32_t block_limits[3] = {MAX_BLOCK_XY, MAX_BLOCK_XY, MAX_BLOCK_Z};
  switch (key) {
  case KEY_KERNEL:
    return parse_kernel(parser, launch);
  case KEY_GRID:
    return parse_dimensions(parser, "a grid size", grid_limits, launch->grid);
  case KEY_BLOCK:
    return parse_dimensions(parser, "a block size", block_limits, launch->block);
  case KEY_CLUSTER:
    return parse_cluster(parser, launch);
  case KEY_SHARED:
    return parse_number(parser, "a number of bytes", LAUNCH_MAX_SHARED_BYTES,
                        &launch->shared_bytes);
  case KEY_COOP:
    return parse_flag(parser, &launch->is_cooperative);
  case KEY_PDL:
    return parse_flag(parser, &launch->is_dependent);
  case KEY_DEVICE:
    return parse_device(parser, launch);
  case KEY_STREAM:
    return parse_number(parser, "a stream", UINT16_MAX, &launch->stream);
  case KEY_AFTER:
    return parse_after(parser, launch);
  case KEY_DOMAIN:
    return parse_number(parser, "a memory synchronisation domain", LAUNCH_MAX_DOMAIN,
                        &launch->domain);
  case KEY_RESIDENT:
    return parse_resident(parser, launch);
  case KEY_ARGS:
    return launch_parse_arguments(parser, launch);
  case KEY_COUNT:
    break;
  }
  return false;
}

static Key find_key(const LaunchParser *parser) {
  Key key = 0;
  while (key < KEY_COUNT && !launch_at_word(parser, key_names[key]))
    key++;
  return key;
}

static const char *all_keys(Arena *arena) {
  const char *text = key_names[0];
  for (uint32_t i = 1; i < KEY_COUNT; i++)
    text = arena_format(arena, "%s%s%s", text, i + 1 < KEY_COUNT ? ", " : " or ", key_names[i]);
  return text;
}

// KEY=VALUE
static bool parse_entry(LaunchParser *parser, LaunchEntries *line) {
  Key key = find_key(parser);
  if (key == KEY_COUNT)
    return launch_expected(parser,
                           arena_format(parser->arena, "a key (%s)", all_keys(parser->arena)));
  if (line->has_key[key])
    return launch_error(parser, launch_token_span(parser),
                        "expected each key once, found '%s' again", key_names[key]);
  line->has_key[key] = true;
  launch_next_token(parser);
  if (!launch_expect_token(parser, LAUNCH_TOKEN_ASSIGN))
    return false;
  uint32_t begin = parser->token.begin;
  if (!parse_value(parser, key, &line->launch))
    return false;
  line->spans[key] = launch_span_from(parser, begin);
  return true;
}

static bool check_keys(LaunchParser *parser, const LaunchEntries *line) {
  static const char *const forms[] = {"'kernel=NAME'", "'grid=X'", "'block=X'"};
  for (Key key = KEY_KERNEL; key <= KEY_BLOCK; key++)
    if (!line->has_key[key])
      return launch_error(parser, line->launch.span, "expected %s in the launch line", forms[key]);
  return true;
}

static uint64_t product(const uint32_t dimensions[3]) {
  return (uint64_t)dimensions[0] * dimensions[1] * dimensions[2];
}

static bool check_block(LaunchParser *parser, const LaunchEntries *line) {
  uint64_t thread_count = product(line->launch.block);
  if (thread_count > LAUNCH_MAX_BLOCK_THREADS)
    return launch_error(parser, line->spans[KEY_BLOCK],
                        "expected at most %d threads in a block, found %llu",
                        LAUNCH_MAX_BLOCK_THREADS, (unsigned long long)thread_count);
  if (line->launch.is_host && thread_count * product(line->launch.grid) != 1)
    return launch_error(parser, line->spans[KEY_DEVICE],
                        "expected grid=1 and block=1 with device=host, which is one thread");
  return true;
}

static bool check_cluster(LaunchParser *parser, const LaunchEntries *line) {
  const Launch *launch = &line->launch;
  uint64_t block_count = product(launch->cluster);
  if (block_count > LAUNCH_MAX_CLUSTER_BLOCKS)
    return launch_error(parser, line->spans[KEY_CLUSTER],
                        "expected at most %d blocks in a cluster, found %llu",
                        LAUNCH_MAX_CLUSTER_BLOCKS, (unsigned long long)block_count);
  for (uint32_t i = 0; i < 3; i++)
    if (launch->grid[i] % launch->cluster[i] != 0)
      return launch_error(parser, line->spans[KEY_CLUSTER],
                          "expected a cluster size that divides the grid's, found %u for %u blocks",
                          launch->cluster[i], launch->grid[i]);
  return true;
}

// cudaLaunchCooperativeKernel fails where not all blocks fit at once, and so does a cluster.
static bool check_residency(LaunchParser *parser, const LaunchEntries *line) {
  const Launch *launch = &line->launch;
  if (launch->resident_count == 0)
    return true;
  uint64_t block_count = product(launch->grid);
  if (launch->is_cooperative && launch->resident_count < block_count)
    return launch_error(parser, line->spans[KEY_RESIDENT],
                        "expected room for all %llu blocks with coop=1, found resident=%u",
                        (unsigned long long)block_count, launch->resident_count);
  if (launch->resident_count < product(launch->cluster))
    return launch_error(parser, line->spans[KEY_RESIDENT],
                        "expected room for a cluster of %llu blocks, found resident=%u",
                        (unsigned long long)product(launch->cluster), launch->resident_count);
  return true;
}

bool launch_parse_launch(LaunchParser *parser) {
  LaunchEntries line = {.launch = {.cluster = {1, 1, 1}, .grid = {1, 1, 1}, .block = {1, 1, 1}}};
  uint32_t begin = parser->token.begin;
  line.launch.span = (Span){parser->source, begin, parser->end};
  if (parser->launches.count == LAUNCH_MAX_LAUNCHES)
    return launch_error(parser, line.launch.span, "expected at most %d launches",
                        LAUNCH_MAX_LAUNCHES);
  while (parser->token.kind != LAUNCH_TOKEN_END)
    if (!parse_entry(parser, &line))
      return false;
  if (!check_keys(parser, &line) || !check_block(parser, &line) || !check_cluster(parser, &line) ||
      !check_residency(parser, &line))
    return false;
  line.launch.block_span = line.spans[KEY_BLOCK];
  line.launch.cluster_span = line.spans[line.launch.has_cluster ? KEY_CLUSTER : KEY_KERNEL];
  array_push(parser->arena, &parser->launches, line.launch);
  return true;
}
