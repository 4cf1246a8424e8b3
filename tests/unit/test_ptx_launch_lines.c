// Launch lines that are right: what is read from them.
#include "launch_unit.h"

#include <dirent.h>
#include <stdio.h>

static const char *text_of(Arena *arena, Span span) {
  return arena_copy_text(arena, span.source->text + span.begin, span.end - span.begin);
}

static void assert_dimensions(const uint32_t found[3], uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t expected[3] = {x, y, z};
  assert_memory_equal(found, expected, sizeof expected);
}

static void test_defaults(void **state) {
  const LaunchSet *set = launch_read(*state, "// launch: kernel=k grid=2 block=3\n");
  assert_int_equal(set->launch_count, 1);
  const Launch *launch = &set->launches[0];
  assert_string_equal(launch->kernel, "k");
  assert_dimensions(launch->grid, 2, 1, 1);
  assert_dimensions(launch->block, 3, 1, 1);
  assert_dimensions(launch->cluster, 1, 1, 1);
  assert_false(launch->has_cluster || launch->is_cooperative || launch->is_dependent ||
               launch->is_host);
  assert_int_equal(launch->device + launch->stream + launch->shared_bytes, 0);
  assert_int_equal(launch->resident_count + launch->argument_count, 0);
  assert_int_equal(set->relation, LAUNCH_RELATION_NONE);
  assert_null(set->expectation);
}

static void test_all_keys(void **state) {
  const LaunchSet *set = launch_read(
      *state, "// launch: kernel=_Z3addPf grid=4,6,8 block=8,4,2 cluster=2,3 shared=1024 "
              "coop=1 pdl=1 device=3 stream=7 resident=500 args=n:u32=5\n");
  const Launch *launch = &set->launches[0];
  assert_string_equal(launch->kernel, "_Z3addPf");
  assert_string_equal(text_of(*state, launch->kernel_span), "_Z3addPf");
  assert_dimensions(launch->grid, 4, 6, 8);
  assert_dimensions(launch->block, 8, 4, 2);
  assert_dimensions(launch->cluster, 2, 3, 1);
  assert_true(launch->has_cluster && launch->is_cooperative && launch->is_dependent);
  assert_int_equal(launch->shared_bytes, 1024);
  assert_int_equal(launch->device, 3);
  assert_int_equal(launch->stream, 7);
  assert_int_equal(launch->resident_count, 500);
  assert_int_equal(launch->argument_count, 1);
}

static void test_any_order_and_blanks(void **state) {
  const LaunchSet *set =
      launch_read(*state, "  //launch : args = a:u32[ 2 ] = { 1, 2 } , b:s8=-1  device=host "
                          "block= 1 grid =1\tkernel=\"void k<int, 4>(int *)\"  \r\n");
  const Launch *launch = &set->launches[0];
  assert_string_equal(launch->kernel, "void k<int, 4>(int *)");
  assert_true(launch->is_host);
  assert_int_equal(launch->argument_count, 2);
  assert_string_equal(text_of(*state, launch->arguments[0].span), "a:u32[ 2 ] = { 1, 2 }");
  assert_string_equal(text_of(*state, set->buffers[0].contents_span), "{ 1, 2 }");
}

static void test_arguments(void **state) {
  const LaunchSet *set =
      launch_read(*state, "// launch: kernel=k grid=1 block=1 "
                          "args=a:u32[4]=0,n:s16=-2,peer=B:f64[2]=1.5,x:f32=0.5,again=a:u32[4]=0\n"
                          "// launch: kernel=l grid=1 block=1 args=mine=B:f64[2]={1.5*2}\n");
  const LaunchArgument *arguments = set->launches[0].arguments;
  assert_int_equal(set->launches[0].argument_count, 5);
  assert_int_equal(set->buffer_count, 2);
  assert_string_equal(set->buffers[0].name, "a");
  assert_string_equal(set->buffers[1].name, "B");
  assert_int_equal(set->buffers[1].byte_count, 16);
  assert_int_equal(arguments[0].references[0].buffer, 0);
  assert_int_equal(arguments[1].reference_count, 0);
  assert_int_equal(arguments[1].byte_count, 2);
  assert_memory_equal(arguments[1].bytes, "\xfe\xff", 2);
  assert_string_equal(arguments[2].name, "peer");
  assert_int_equal(arguments[2].references[0].buffer, 1);
  assert_int_equal(arguments[2].type, PTX_TYPE_f64);
  assert_memory_equal(arguments[3].bytes, "\0\0\0\x3f", 4);
  assert_int_equal(arguments[4].references[0].buffer, 0);
  assert_int_equal(set->launches[1].arguments[0].references[0].buffer, 1);
  assert_int_equal(launch_find_buffer(set, "B"), 1);
  assert_int_equal(launch_find_buffer(set, "peer"), PTX_NONE);
}

// Members lie as in C; addresses are references, which may come before their buffer.
static void test_structs(void **state) {
  const LaunchSet *set = launch_read(
      *state, "// launch: kernel=k grid=1 block=1 "
              "args=p:{a:u8=1,b:u32=2,c=B:f32[4]=0,d:u8*3={7..9},e:{x:u16=4,y:u64=&T[1]}},"
              "q:u64=&B[2]\n"
              "// allocate: T:u64[2]={&B[3],5}\n");
  const LaunchArgument *p = &set->launches[0].arguments[0], *q = p + 1;
  static const uint8_t bytes[40] = {1, 0, 0, 0, 2, [16] = 7, 8, 9, [24] = 4};
  assert_int_equal(p->byte_count, 40);
  assert_memory_equal(p->bytes, bytes, 40);
  assert_int_equal(p->reference_count, 2);
  assert_int_equal(p->references[0].at, 8);
  assert_int_equal(p->references[0].buffer, launch_find_buffer(set, "B"));
  assert_int_equal(p->references[0].offset, 0);
  assert_int_equal(p->references[1].at, 32);
  assert_int_equal(p->references[1].buffer, launch_find_buffer(set, "T"));
  assert_int_equal(p->references[1].offset, 8);
  assert_int_equal(q->references[0].offset, 8);
  const LaunchBuffer *table = &set->buffers[launch_find_buffer(set, "T")];
  assert_int_equal(table->reference_count, 1);
  assert_int_equal(table->references[0].offset, 12);
  assert_memory_equal(table->bytes + 8, "\5\0\0\0\0\0\0\0", 8);
}

// A buffer that is only pointed to lives where what points to it lives.
static void test_homes_of_pointees(void **state) {
  const LaunchSet *set =
      launch_read(*state, "// launch: kernel=k device=1 grid=1 block=1 args=t:u64[1]=&A\n"
                          "// allocate: A:u64[1]=&B,B:u64[1]=&A,C:u32[1]=0\n");
  assert_int_equal(set->buffers[launch_find_buffer(set, "A")].home.device, 1);
  assert_int_equal(set->buffers[launch_find_buffer(set, "B")].home.device, 1);
  assert_int_equal(set->buffers[launch_find_buffer(set, "C")].home.device, 0);
}

static void test_other_lines(void **state) {
  const LaunchSet *set = launch_read(*state, "// final: a[0]==1\n"
                                             "// launch: kernel=k grid=1 block=1 args=a:u8[1]=0\n"
                                             "// relation: pdl\n"
                                             "// relation: pdl\n"
                                             "// expect: scope-too-narrow\n"
                                             "// where: 1 2\n"
                                             "// title: nothing of ours = {\n"
                                             "// final: a[i]<9 for i=0..0\n");
  assert_int_equal(set->launch_count, 1);
  assert_int_equal(set->final_count, 2);
  assert_string_equal(text_of(*state, set->finals[0].span), "a[0]==1");
  assert_string_equal(text_of(*state, set->finals[1].span), "a[i]<9 for i=0..0");
  assert_int_equal(set->relation, LAUNCH_RELATION_PDL);
  assert_string_equal(set->expectation, "scope-too-narrow");
}

static void test_code(void **state) {
  const LaunchSet *set = launch_read(
      *state, "/* // launch: not=this\n"
              "   // launch: nor=that */ int x; // launch: nor=one behind code\n"
              "const char *s = \"/*\"; char c = '\"', d = '\\''; int n = 1'000'000; // don't /*\n"
              "// launch: kernel=k grid=1 block=1\n"
              "// // launch: commented=out\n"
              "/// launch: documentation\n"
              "launch: goto launch; // a label\n"
              "// launches: several\n"
              "const char *open = \"no end\n"
              "/**/ /* one */ /* two\n"
              "// launch: in=a comment\n"
              "*/\n"
              "// launch: kernel=l grid=1 block=1");
  assert_int_equal(set->launch_count, 2);
  assert_string_equal(set->launches[1].kernel, "l");
}

static void test_prose(void **state) {
  const LaunchSet *set = launch_read(*state, "// final: write the results back\n"
                                             "// expect: the unexpected\n"
                                             "int x;\n");
  assert_int_equal(set->launch_count + set->final_count, 0);
  assert_null(set->expectation);
  assert_int_equal(launch_read(*state, "")->launch_count, 0);
}

// Texts of the command line and files of lines go together.
static void test_inputs(void **state) {
  Arena *arena = *state;
  static const struct {
    LaunchInputKind kind;
    const char *text;
  } texts[] = {
      {LAUNCH_INPUT_COMMENTS, "__global__ void k(int *a) { }\n"},
      {LAUNCH_INPUT_LAUNCH, "kernel=k grid=1 block=1 args=a:u32[1]=7"},
      {LAUNCH_INPUT_LINES, "launch: kernel=l grid=1 block=1\nexpect: clean\n"},
      {LAUNCH_INPUT_LAUNCH, " // launch: kernel=m grid=1 block=1"},
      {LAUNCH_INPUT_FINAL, "final: a[0]==7"},
      {LAUNCH_INPUT_FINAL, "a[0]!=8"},
      {LAUNCH_INPUT_RELATION, "sequential"},
      {LAUNCH_INPUT_EXPECT, "clean"},
  };
  enum { COUNT = sizeof texts / sizeof texts[0] };
  LaunchInput inputs[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    inputs[i] =
        (LaunchInput){texts[i].kind, ptx_source(arena, texts[i].text, strlen(texts[i].text))};
  DiagList diags;
  diag_list_init(&diags, arena);
  const LaunchSet *set = launch_parse(inputs, COUNT, &(LaunchOptions){0}, arena, &diags);
  assert_string_equal(ptx_diag_text(arena, &diags), "");
  assert_int_equal(set->launch_count, 3);
  assert_string_equal(set->launches[2].kernel, "m");
  assert_ptr_equal(set->launches[2].span.source, inputs[3].source);
  assert_int_equal(set->final_count, 2);
  assert_string_equal(text_of(arena, set->finals[0].span), "a[0]==7");
  assert_int_equal(set->relation, LAUNCH_RELATION_SEQUENTIAL);
  assert_string_equal(set->expectation, "clean");
}

// The limit is on all buffers; 1 GiB of zeros takes no time.
static void test_large_buffer(void **state) {
  Arena *arena = *state;
  const char *text = "kernel=k grid=1 block=1 args=a:u64[134217728]=0,b=a:u64[134217728]=0";
  LaunchInput input = {LAUNCH_INPUT_LAUNCH, ptx_source(arena, text, strlen(text))};
  DiagList diags;
  diag_list_init(&diags, arena);
  const LaunchSet *set = launch_parse(&input, 1, &(LaunchOptions){0}, arena, &diags);
  assert_non_null(set);
  assert_int_equal(set->buffers[0].byte_count, LAUNCH_LIMIT_BYTES);
}

static bool reads(Arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  char *text = arena_alloc(arena, 1 << 20, 1);
  size_t length = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  Source source = {path, text, (uint32_t)length};
  LaunchInput input = {LAUNCH_INPUT_COMMENTS, &source};
  DiagList diags;
  diag_list_init(&diags, arena);
  const LaunchSet *set = launch_parse(&input, 1, &(LaunchOptions){0}, arena, &diags);
  if (set && set->launch_count > 0 && set->final_count > 0 && set->expectation)
    return true;
  print_error("%s\n%s", path, ptx_diag_text(arena, &diags));
  return false;
}

static const char *cases_folder(Arena *arena) {
  const char *root = getenv("WARPSAN_ROOT"), *shared = getenv("WARPSAN_SHARED");
  if (!shared)
    shared = arena_format(arena, "%s/../shared", root ? root : ".");
  return arena_format(arena, "%s/cases/cases", shared);
}

static void test_public_cases(void **state) {
  Arena *arena = *state;
  const char *path = cases_folder(arena);
  DIR *folder = opendir(path);
  if (!folder) {
    print_message("skipped: there is no %s\n", path);
    skip();
    return;
  }
  uint32_t count = 0, failure_count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.')
      continue;
    failure_count += !reads(arena, arena_format(arena, "%s/%s", path, entry->d_name));
    count++;
  }
  closedir(folder);
  assert_true(count > 0);
  assert_int_equal(failure_count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(test_defaults),
      UNIT_TEST(test_all_keys),
      UNIT_TEST(test_any_order_and_blanks),
      UNIT_TEST(test_arguments),
      UNIT_TEST(test_structs),
      UNIT_TEST(test_homes_of_pointees),
      UNIT_TEST(test_other_lines),
      UNIT_TEST(test_code),
      UNIT_TEST(test_prose),
      UNIT_TEST(test_inputs),
      UNIT_TEST(test_large_buffer),
      UNIT_TEST(test_public_cases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
