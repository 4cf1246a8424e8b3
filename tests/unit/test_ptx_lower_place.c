// From instructions to the lines that the user wrote.
#include "ptx_unit.h"

#include "ptx/lower_place.h"

#include <dirent.h>
#include <stdio.h>

// As nvcc -lineinfo writes it: a helper of the user's, which calls a header's function, inlined
// twice.
static const char *const sample =
    PTX_HEAD ".entry k(.param .u64 p) {\n"
             ".reg .b32 %r<9>;\n"
             "mov.u32 %r0, 0;\n" // 0: nothing is known
             ".loc 1 20 5\n"
             "mov.u32 %r0, 1;\n" // 1
             ".loc 1 10 3, function_name $str0, inlined_at 1 20 5\n"
             "mov.u32 %r0, 2;\n" // 2
             ".loc 2 300 9, function_name $str0+6, inlined_at 1 10 3\n"
             "mov.u32 %r0, 3;\n" // 3
             ".loc 1 21 7\n"
             ".loc 1 10 3, function_name $str0, inlined_at 1 21 7\n"
             ".loc 2 300 9, function_name $str0+6, inlined_at 1 10 3\n"
             "mov.u32 %r0, 4;\n" // 4
             ".loc 3 7 1, inlined_at 2 99 1\n"
             "mov.u32 %r0, 5;\n" // 5: the .loc of its call is not there
             ".loc 1 0 0\n"
             "mov.u32 %r0, 6;\n" // 6: of line 30, from which the compiler has moved it
             ".loc 1 30 1\n"
             "bra end;\n" // 7
             ".loc 1 0 0\n"
             "bra end;\n" // 8: of the line before it, as none is behind it
             ".loc 2 1 1\n"
             "end: mov.u32 %r0, 7;\n" // 9
             ".loc 9 1 1\n"
             "ret;\n" // 10: there is no .file 9
             "}\n"
             ".file 2 \"/usr/local/cuda-13.0/include/sm_30_intrinsics.hpp\"\n"
             ".file 1 \"src/./kernel.cu\"\n"
             ".file 3 \"src/queue.cuh\"\n"
             ".section .debug_str {\n"
             "$str0: .b8 104,101,108,112,101,114,115,104,102,108,0\n" // "helpershfl"
             "}\n";

// A text of `count` lines "line 1", "line 2", ...
static const Source *numbered_source(Arena *arena, const char *name, uint32_t count) {
  const char *text = "";
  for (uint32_t i = 1; i <= count; i++)
    text = arena_format(arena, "%sline %u\n", text, i);
  Source *source = ARENA_NEW(arena, Source);
  *source = (Source){name, text, (uint32_t)strlen(text)};
  return source;
}

static PlaceMap map_of(Arena *arena, const PtxModule *module, const Source *source) {
  PlaceMap map;
  place_map_init(&map, module, &module->functions.items[0], source, arena);
  return map;
}

static uint32_t line_of(Span span) {
  return source_position(span.source, span.begin).line;
}

// "10 20": the line of the instruction, and those where it is inlined; "ptx": none is known.
static const char *lines_of(const PlaceMap *map, uint32_t instruction, const InlinedPlace *call) {
  const InlinedPlace *inlined;
  Span span = place_of(map, &map->module->instructions.items[instruction], call, &inlined);
  const char *text = "ptx";
  if (span.source == map->source)
    text = arena_format(map->arena, "%u", line_of(span));
  for (; inlined; inlined = inlined->next)
    text = arena_format(map->arena, "%s %u", text, line_of(inlined->span));
  return text;
}

static void check_lines(const PlaceMap *map, const char *const *expected) {
  for (uint32_t i = 0; i < map->module->instructions.count; i++)
    assert_string_equal(lines_of(map, i, NULL), expected[i]);
}

static void test_places(void **state) {
  static const char *const of_kernel[] = {"ptx", "20", "10 20", "10 20", "10 21", "ptx",
                                          "30",  "30", "30",    "ptx",   "ptx"};
  static const char *const of_queue[] = {"ptx", "ptx", "ptx", "ptx", "ptx", "7",
                                         "ptx", "ptx", "ptx", "ptx", "ptx"};
  const PtxModule *module = ptx_read(*state, sample);
  PlaceMap map = map_of(*state, module, numbered_source(*state, "/home/me/src/kernel.cu", 30));
  check_lines(&map, of_kernel);
  map = map_of(*state, module, numbered_source(*state, "queue.cuh", 30)); // then it is the user's
  check_lines(&map, of_queue);
  map = map_of(*state, module, NULL); // what is not at hand still has lines
  assert_string_equal(map.source->name, "src/./kernel.cu");
  check_lines(&map, of_kernel);
}

// Code of a called function is, as far as it is not in the main file, at the call.
static void test_calls(void **state) {
  const Source *source = numbered_source(*state, "kernel.cu", 30);
  const PtxModule *module = ptx_read(*state, sample);
  PlaceMap map = map_of(*state, module, source);
  InlinedPlace outer = {.span = {source, 7, 13}}, call = {.span = {source, 0, 6}, .next = &outer};
  assert_string_equal(lines_of(&map, 9, &call), "1 2");
  assert_string_equal(lines_of(&map, 3, &call), "10 20 1 2");
}

// LLVM says in comments only where functions are inlined.
static void test_comments(void **state) {
  static const char *const text =
      PTX_HEAD ".entry k(.param .u64 p) {\n"
               ".reg .b32 %r<9>;\n"
               ".loc\t1 6 0                           // k.c:6:0\n"
               "mov.u32 %r0, 1;\n"
               ".loc\t2 3 6                           // ./q.h:3:6 @[ k.c:4:3 @[ k.c:7:3 ] ]\n"
               "mov.u32 %r0, 2;\n"
               ".loc\t2 3 6 // ./q.h:3:6 @[ k.c:8 ]\n"
               "mov.u32 %r0, 3;\n"
               ".loc\t2 3 6 // ./q.h:3:6 @[ ./r.h:4:3 @[ unknown.c:1:2 @[ k.c:9:3 ] ] ]\n"
               "mov.u32 %r0, 4;\n"
               ".loc\t2 3 6 // ./q.h:3:6 @[ k.c: @[ k.c:5:1 ] ]\n"
               "mov.u32 %r0, 5;\n"
               ".loc\t2 3 6\n"
               "// q.h:3:6 @[ k.c:4:3 ]\n"
               "mov.u32 %r0, 6;\n"
               ".loc\t2 3 6 // ./q.h:3:6 @[ \n"
               "ret;\n"
               "}\n"
               ".file\t1 \"/tmp/x/k.c\"\n"
               ".file\t2 \"/tmp/x/./q.h\"\n"
               ".file\t3 \"/tmp/x/./r.h\"\n"
               ".file\t4 \"/tmp/x/sub/k.c\"\n"
               ".file\t5 \"/tmp/x/kk.c\"\n";
  static const char *const lines[] = {"6", "4 7", "8", "9", "ptx", "ptx", "ptx"};
  const PtxModule *module = ptx_read(*state, text);
  PlaceMap map = map_of(*state, module, numbered_source(*state, "k.c", 30));
  check_lines(&map, lines);
  map = map_of(*state, module, NULL);
  check_lines(&map, lines);
}

// From the column, or the first character, to the last one.
static void test_spans(void **state) {
  static const char *const text = "  one = 1;  \r\ntwo\n\nfour";
  static const struct {
    uint32_t line, column, begin, end;
  } cases[] = {{1, 0, 2, 10},  {1, 7, 6, 10},  {1, 50, 2, 10}, {2, 1, 14, 17},
               {3, 1, 18, 18}, {4, 2, 20, 23}, {5, 1, 0, 0}};
  const Source *source = ptx_source(*state, text, strlen(text));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const PtxModule *module = ptx_read(
        *state,
        arena_format(*state, PTX_HEAD ".entry k() {\n.loc 1 %u %u\nret;\n}\n.file 1 \"%s\"\n",
                     cases[i].line, cases[i].column, source->name));
    PlaceMap map = map_of(*state, module, source);
    const InlinedPlace *inlined;
    Span span = place_of(&map, &module->instructions.items[0], NULL, &inlined);
    assert_ptr_equal(span.source, source);
    assert_int_equal(span.begin, cases[i].begin);
    assert_int_equal(span.end, cases[i].end);
  }
}

static const char *shared_folder(Arena *arena) {
  const char *root = getenv("WARPSAN_ROOT"), *shared = getenv("WARPSAN_SHARED");
  return shared ? shared : arena_format(arena, "%s/../shared", root ? root : ".");
}

static Source *read_file(Arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  enum { MAX_BYTES = 1 << 20 };
  char *text = arena_alloc(arena, MAX_BYTES, 1);
  size_t length = fread(text, 1, MAX_BYTES - 1, file);
  fclose(file);
  Source *source = ARENA_NEW(arena, Source);
  *source = (Source){path, text, (uint32_t)length};
  return source;
}

// What a line must have to be one that headers' atomics and barriers are called from.
static bool is_call(Arena *arena, Span span) {
  static const char *const words[] = {"load",     "store",  "fetch", "arrive", "wait",
                                      "exchange", "atomic", "Flag",  "barrier"};
  const char *text = arena_copy_text(arena, span.source->text + span.begin, span.end - span.begin);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strstr(text, words[i]))
      return true;
  print_error("%s\n", text);
  return false;
}

// Does the compiler have the innermost code of the instruction from the headers of cuda::atomic?
static bool is_of_header(const PtxModule *module, const PtxInstruction *instruction) {
  if (instruction->location == PTX_NONE)
    return false;
  const PtxLocation *location = &module->locations.items[instruction->location];
  return strstr(ptx_file_name(module, location->file), "cccl/cuda/std/__atomic") != NULL;
}

static uint32_t check_function(Arena *arena, const PtxModule *module, const PtxFunction *function,
                               const Source *cu) {
  PlaceMap map;
  uint32_t inlined_count = 0;
  place_map_init(&map, module, function, cu, arena);
  for (uint32_t i = 0; i < function->instructions.count; i++) {
    const PtxInstruction *instruction =
        &module->instructions.items[function->instructions.first + i];
    const InlinedPlace *inlined;
    if (instruction->op != PTX_OP_ld && instruction->op != PTX_OP_st &&
        instruction->op != PTX_OP_atom && instruction->op != PTX_OP_red)
      continue;
    Span span = place_of(&map, instruction, NULL, &inlined);
    assert_ptr_equal(span.source, cu);
    assert_true(span.begin < span.end);
    if (!is_of_header(module, instruction))
      continue;
    assert_true(is_call(arena, span));
    inlined_count++;
  }
  return inlined_count;
}

// Every memory access of a public case is at a line of its .cu file. Returns how many are inlined
// from the headers of cuda::atomic and cuda::barrier.
static uint32_t check_case(Arena *arena, const char *name) {
  const char *folder = arena_format(arena, "%s/cases", shared_folder(arena));
  Source *cu = read_file(arena, arena_format(arena, "%s/cases/%s.cu", folder, name));
  const Source *ptx = read_file(arena, arena_format(arena, "%s/ptx/%s.ptx", folder, name));
  assert_non_null(cu);
  assert_non_null(ptx);
  cu->name = arena_format(arena, "x/%s.cu", name);
  const PtxModule *module = ptx_read_bytes(arena, ptx->text, ptx->length);
  uint32_t inlined_count = 0;
  for (uint32_t i = 0; i < module->functions.count; i++)
    inlined_count += check_function(arena, module, &module->functions.items[i], cu);
  return inlined_count;
}

static void test_public_cases(void **state) {
  const char *path = arena_format(*state, "%s/cases/ptx", shared_folder(*state));
  DIR *folder = opendir(path);
  if (!folder) {
    print_message("skipped: there is no %s\n", path);
    skip();
    return;
  }
  uint32_t inlined_count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".ptx") != 0)
      continue;
    ArenaMark mark = arena_mark(*state);
    inlined_count += check_case(*state, arena_copy_text(*state, entry->d_name, length - 4));
    arena_reset(*state, mark);
  }
  closedir(folder);
  assert_true(inlined_count > 0);
}

// Names with other characters than ASCII's are written by their bytes; a backslash can be a slash.
static void test_file_names(void **state) {
  static const char *const text = PTX_HEAD ".file 1 \"r\\303\\251duce \\\"a\\\".cu\"\n"
                                           ".file 2 \"C:\\src\\\\9\\477\\000.cu\"\n";
  const PtxModule *module = ptx_read(*state, text);
  assert_string_equal(ptx_text(module, module->files.items[0].name), "r\xc3\xa9"
                                                                     "duce \"a\".cu");
  assert_string_equal(ptx_text(module, module->files.items[1].name), "C:\\src\\9\\477\\000.cu");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(test_places), UNIT_TEST(test_calls),        UNIT_TEST(test_comments),
      UNIT_TEST(test_spans),  UNIT_TEST(test_public_cases), UNIT_TEST(test_file_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
