// Runs a fuzz target over files without libFuzzer: each file as it is, then fixed mutations of it.
//   replay MUTATIONS FOLDER...
// A folder that is missing counts as empty. The target crashes, or the run ends well.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE_BYTES = 1 << 20, PATH_BYTES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Random {
  uint64_t state;
} Random;

// SplitMix64.
static uint64_t next_random(Random *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static size_t random_below(Random *random, size_t limit) {
  return limit ? (size_t)(next_random(random) % limit) : 0;
}

// Bytes that parsers care about come more often than others.
static uint8_t random_byte(Random *random) {
  static const char interesting[] = "(){}[];:|&~^+-*/\\\"'<>=@,. \n\t0123456789";
  if (next_random(random) & 1)
    return (uint8_t)interesting[random_below(random, sizeof interesting)];
  return (uint8_t)next_random(random);
}

typedef struct Input {
  uint8_t *bytes; // room for twice LARGEST_FILE_BYTES
  size_t size;
} Input;

static void cut(Input *input, Random *random) {
  input->size = random_below(random, input->size + 1);
}

static void overwrite(Input *input, Random *random) {
  if (input->size > 0)
    input->bytes[random_below(random, input->size)] = random_byte(random);
}

static void remove_range(Input *input, Random *random) {
  size_t begin = random_below(random, input->size);
  size_t count = random_below(random, input->size - begin < 40 ? input->size - begin : 40);
  memmove(input->bytes + begin, input->bytes + begin + count, input->size - begin - count);
  input->size -= count;
}

// Puts a copy of a piece of the input somewhere else.
static void insert_copy(Input *input, Random *random) {
  uint8_t piece[64];
  size_t from = random_below(random, input->size), to = random_below(random, input->size);
  size_t left = input->size - from;
  size_t count = random_below(random, left < sizeof piece ? left : sizeof piece);
  if (input->size + count > 2 * LARGEST_FILE_BYTES)
    return;
  memcpy(piece, input->bytes + from, count);
  memmove(input->bytes + to + count, input->bytes + to, input->size - to);
  memcpy(input->bytes + to, piece, count);
  input->size += count;
}

static void mutate(Input *input, Random *random) {
  static void (*const mutations[])(Input *, Random *) = {overwrite,   overwrite,   remove_range,
                                                         insert_copy, insert_copy, cut};
  size_t count = 1 + random_below(random, 4);
  for (size_t i = 0; i < count; i++) {
    // Cutting is rare: what is left would soon be nothing.
    size_t choice = random_below(random, sizeof mutations / sizeof *mutations);
    if (mutations[choice] != cut || (next_random(random) & 3) == 0)
      mutations[choice](input, random);
  }
}

// The target gets a block of exactly the input's size, so that sanitizers see what it overruns.
static void run_target(const Input *input) {
  uint8_t *exact = malloc(input->size ? input->size : 1);
  if (!exact)
    abort();
  memcpy(exact, input->bytes, input->size);
  LLVMFuzzerTestOneInput(exact, input->size);
  free(exact);
}

static void run_file(const char *path, uint8_t *room, unsigned long mutation_count) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return;
  uint8_t *original = malloc(LARGEST_FILE_BYTES);
  if (!original)
    abort();
  size_t size = fread(original, 1, LARGEST_FILE_BYTES, file);
  fclose(file);
  Random random = {size};
  for (unsigned long i = 0; i <= mutation_count; i++) {
    Input input = {room, size};
    memcpy(room, original, size);
    if (i > 0)
      mutate(&input, &random);
    run_target(&input);
  }
  free(original);
}

static unsigned long run_folder(const char *folder, uint8_t *room, unsigned long mutation_count) {
  DIR *directory = opendir(folder);
  if (!directory)
    return 0;
  unsigned long count = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    char path[PATH_BYTES];
    if (entry->d_name[0] == '.')
      continue;
    if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path) {
      run_file(path, room, mutation_count);
      count++;
    }
  }
  closedir(directory);
  return count;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: replay MUTATIONS FOLDER...\n");
    return 2;
  }
  uint8_t *room = malloc(2 * LARGEST_FILE_BYTES);
  if (!room)
    return 1;
  unsigned long count = 0;
  for (int i = 2; i < argc; i++)
    count += run_folder(argv[i], room, strtoul(argv[1], NULL, 10));
  free(room);
  printf("%lu passed, 0 failed\n", count);
  return 0;
}
