// From instructions to the lines that the user wrote.
#include "ptx_unit.h"

#include "ptx/source_map.h"

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

static void test_places(void **state) {
  const PtxModule *module = ptx_read(*state, sample);
  PtxSourceMap map = ptx_source_map(module, "kernel.cu");
  assert_int_equal(ptx_find_places(&map, 0, *state).count, 0);
  assert_int_equal(ptx_find_places(&map, 1, *state).count, 1);
  PtxPlaces places = ptx_find_places(&map, 3, *state);
  assert_int_equal(places.count, 3);
  assert_string_equal(places.items[0].file, "/usr/local/cuda-13.0/include/sm_30_intrinsics.hpp");
  assert_int_equal(places.items[0].line, 300);
  assert_string_equal(places.items[0].function, "shfl");
  assert_string_equal(places.items[1].file, "src/./kernel.cu");
  assert_int_equal(places.items[1].line, 10);
  assert_int_equal(places.items[1].column, 3);
  assert_string_equal(places.items[1].function, "helpershfl");
  assert_int_equal(places.items[2].line, 20);
  assert_null(places.items[2].function);
  assert_int_equal(ptx_find_places(&map, 4, *state).items[2].line, 21);
  places = ptx_find_places(&map, 5, *state);
  assert_int_equal(places.count, 2);
  assert_int_equal(places.items[1].line, 99);
  assert_null(ptx_find_places(&map, 10, *state).items[0].file);
}

static void test_user_place(void **state) {
  const PtxModule *module = ptx_read(*state, sample);
  static const struct {
    uint32_t instruction, line; // 0: unknown
    const char *file;
  } cases[] = {
      {0, 0, NULL},
      {1, 20, "src/./kernel.cu"},
      {2, 10, "src/./kernel.cu"},
      {3, 10, "src/./kernel.cu"},
      {4, 10, "src/./kernel.cu"},
      {5, 7, "src/queue.cuh"},
      {6, 30, "src/./kernel.cu"},
      {8, 30, "src/./kernel.cu"},
      {9, 1, "/usr/local/cuda-13.0/include/sm_30_intrinsics.hpp"},
  };
  PtxSourceMap map = ptx_source_map(module, "/home/me/src/kernel.cu");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    PtxPlace place = {0};
    assert_int_equal(ptx_find_user_place(&map, cases[i].instruction, &place), cases[i].line > 0);
    assert_int_equal(place.line, cases[i].line);
    if (cases[i].file)
      assert_string_equal(place.file, cases[i].file);
  }
  PtxPlace place;
  map = ptx_source_map(module, "queue.cuh"); // then that one is the user's
  assert_true(ptx_find_user_place(&map, 5, &place));
  assert_int_equal(place.line, 7);
}

static uint32_t main_file(Arena *arena, const char *files, const char *name) {
  const PtxModule *module = ptx_read(arena, arena_format(arena, PTX_HEAD "%s", files));
  return ptx_source_map(module, name).main_file;
}

static void test_main_file(void **state) {
  Arena *arena = *state;
  const char *files = ".file 1 \"cuda/include/device_atomic_functions.hpp\"\n"
                      ".file 2 \"b/q.cu\"\n"
                      ".file 3 \"/home/me/a/q.cu\"\n"
                      ".file 4 \"other.cu\"\n";
  assert_int_equal(main_file(arena, files, NULL), 2);
  assert_int_equal(main_file(arena, files, "a/q.cu"), 3);
  assert_int_equal(main_file(arena, files, "./a/../a/q.cu"), 3);
  assert_int_equal(main_file(arena, files, "/x/b/q.cu"), 2);
  assert_int_equal(main_file(arena, files, "/elsewhere/other.cu"), 4);
  assert_int_equal(main_file(arena, files, "q.cu"), 2);
  assert_int_equal(main_file(arena, files, "/tmp/a/q.cu"), 3); // moved
  assert_int_equal(main_file(arena, files, "unknown.cu"), 2);
  assert_int_equal(main_file(arena, "", "unknown.cu"), PTX_NONE);
}

static void test_same_file(void **state) {
  (void)state;
  assert_true(ptx_same_file("k.cu", "k.cu"));
  assert_true(ptx_same_file("a/k.cu", "/home/b/a/k.cu"));
  assert_true(ptx_same_file("/home/b/a/k.cu", "a/k.cu"));
  assert_true(ptx_same_file("/b/../a/k.cu", "/a//./k.cu"));
  assert_true(ptx_same_file("../x/k.cu", "x/k.cu"));
  assert_true(ptx_same_file("C:\\a\\k.cu", "a/k.cu"));
  assert_false(ptx_same_file("/a/k.cu", "/b/a/k.cu"));
  assert_false(ptx_same_file("/a/k.cu", "b/a/k.cu"));
  assert_false(ptx_same_file("a/k.cu", "b/k.cu"));
  assert_false(ptx_same_file("k.cu", "kk.cu"));
  assert_false(ptx_same_file("", ""));
  assert_false(ptx_same_file("/", "k.cu"));
}

static void test_compiler_files(void **state) {
  static const char *const compilers[] = {
      "/usr/local/cuda/bin/../targets/x86_64-linux/include/cooperative_groups.h",
      "/usr/local/cuda-13.0/include/crt/sm_90_rt.hpp",
      "/usr/lib/llvm-14/lib/clang/14.0.0/include/__clang_cuda_intrinsics.h",
      "/usr/include/c++/12/bits/stl_algobase.h",
      "/opt/conda/include/cuda/std/__atomic/api/reference.h",
  };
  (void)state;
  for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++)
    assert_true(ptx_is_compiler_file(compilers[i]));
  assert_false(ptx_is_compiler_file("/home/me/cuda-kernels/include/queue.cuh"));
  assert_false(ptx_is_compiler_file("include/queue.cuh"));
}

static void test_spans(void **state) {
  const Source *source = ptx_source(*state, "  one = 1;  \r\ntwo\n\nfour", 23);
  static const struct {
    PtxPlace place;
    uint32_t begin, end;
  } cases[] = {
      {{NULL, 1, 0, NULL}, 2, 10},  {{NULL, 1, 7, NULL}, 6, 10},  {{NULL, 1, 50, NULL}, 2, 10},
      {{NULL, 2, 1, NULL}, 14, 17}, {{NULL, 3, 1, NULL}, 18, 18}, {{NULL, 4, 2, NULL}, 20, 23},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Span span = ptx_place_span(&cases[i].place, source);
    assert_ptr_equal(span.source, source);
    assert_int_equal(span.begin, cases[i].begin);
    assert_int_equal(span.end, cases[i].end);
  }
  assert_null(ptx_place_span(&(PtxPlace){.line = 5}, source).source);
  assert_null(ptx_place_span(&(PtxPlace){.line = 0}, source).source);
}

static const char *shared_folder(Arena *arena) {
  const char *root = getenv("WARPSAN_ROOT"), *shared = getenv("WARPSAN_SHARED");
  return shared ? shared : arena_format(arena, "%s/../shared", root ? root : ".");
}

static const Source *read_file(Arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  enum { MAX_BYTES = 1 << 20 };
  char *text = arena_alloc(arena, MAX_BYTES, 1);
  size_t length = fread(text, 1, MAX_BYTES - 1, file);
  fclose(file);
  return ptx_source(arena, text, length);
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

// Every memory access of a public case is at a line of its .cu file. Returns how many are inlined
// from the headers of cuda::atomic and cuda::barrier.
static uint32_t check_case(Arena *arena, const char *name) {
  const char *folder = arena_format(arena, "%s/cases", shared_folder(arena));
  const Source *cu = read_file(arena, arena_format(arena, "%s/cases/%s.cu", folder, name));
  const Source *ptx = read_file(arena, arena_format(arena, "%s/ptx/%s.ptx", folder, name));
  assert_non_null(cu);
  assert_non_null(ptx);
  const PtxModule *module = ptx_read_bytes(arena, ptx->text, ptx->length);
  PtxSourceMap map = ptx_source_map(module, arena_format(arena, "x/%s.cu", name));
  uint32_t inlined_count = 0;
  for (uint32_t i = 0; i < module->instructions.count; i++) {
    PtxOp op = module->instructions.items[i].op;
    if (op != PTX_OP_ld && op != PTX_OP_st && op != PTX_OP_atom && op != PTX_OP_red)
      continue;
    PtxPlace place;
    assert_true(ptx_find_user_place(&map, i, &place));
    assert_non_null(strstr(place.file, name));
    Span span = ptx_place_span(&place, cu);
    assert_true(span.begin < span.end);
    if (strstr(ptx_find_places(&map, i, arena).items[0].file, "cccl/cuda/std/__atomic") == NULL)
      continue;
    assert_true(is_call(arena, span));
    inlined_count++;
  }
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
      UNIT_TEST(test_places),       UNIT_TEST(test_user_place),     UNIT_TEST(test_main_file),
      UNIT_TEST(test_same_file),    UNIT_TEST(test_compiler_files), UNIT_TEST(test_spans),
      UNIT_TEST(test_public_cases), UNIT_TEST(test_file_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
