// What buffers hold at first.
#include "launch_unit.h"

// All bytes of the one buffer of `args=BUFFER`.
static const void *read_bytes(Arena *arena, const char *text) {
  const LaunchBuffer *buffer = launch_read_buffer(arena, text);
  uint8_t *bytes = arena_alloc(arena, (size_t)buffer->byte_count, 8);
  launch_read_contents(buffer, 0, buffer->byte_count, bytes);
  return bytes;
}

static void assert_elements(Arena *arena, const char *text, const void *expected) {
  const LaunchBuffer *buffer = launch_read_buffer(arena, text);
  size_t size = (size_t)buffer->byte_count;
  uint8_t *bytes = arena_alloc(arena, size, 1);
  launch_read_contents(buffer, 0, size, bytes);
  if (memcmp(bytes, expected, size) != 0)
    print_error("%s\n", text);
  assert_memory_equal(bytes, expected, size);
  // Any part is the same as in the whole.
  for (size_t begin = 0; begin < size && begin < 24; begin++)
    for (size_t end = begin; end <= size && end < begin + 24; end++) {
      memset(bytes, 0xa5, size);
      launch_read_contents(buffer, begin, end - begin, bytes);
      assert_memory_equal(bytes, (const uint8_t *)expected + begin, end - begin);
    }
}

#define ELEMENTS(arena, text, Type, ...) assert_elements((arena), (text), (Type[]){__VA_ARGS__})

static void test_numbers(void **state) {
  Arena *arena = *state;
  ELEMENTS(arena, "a:u32[3]=7", uint32_t, 7, 7, 7);
  ELEMENTS(arena, "a:u32[1]=0x80000000", uint32_t, 0x80000000u);
  ELEMENTS(arena, "a:u32[1]=0XfFu", uint32_t, 0xff);
  ELEMENTS(arena, "a:u64[1]=18446744073709551615", uint64_t, UINT64_MAX);
  ELEMENTS(arena, "a:s64[1]=-9223372036854775808", int64_t, INT64_MIN);
  ELEMENTS(arena, "a:u8[1]=-1", uint8_t, 255);
  ELEMENTS(arena, "a:s8[2]={-128,0xff}", int8_t, -128, -1);
  ELEMENTS(arena, "a:b16[1]=65535", uint16_t, 65535);
  ELEMENTS(arena, "a:s16[1]=+5", int16_t, 5);
  ELEMENTS(arena, "a:u32[1]=0", uint32_t, 0);
}

static void test_floating_numbers(void **state) {
  Arena *arena = *state;
  ELEMENTS(arena, "a:f32[4]={1,-2.5,1e-3,.5f}", float, 1, -2.5f, 1e-3f, 0.5f);
  ELEMENTS(arena, "a:f64[3]={0.1,-1e300,4.}", double, 0.1, -1e300, 4);
  ELEMENTS(arena, "a:f32[1]=-0.0", uint32_t, 0x80000000u);
  ELEMENTS(arena, "a:f32[3]={inf,-inf,nan}", uint32_t, 0x7f800000u, 0xff800000u, 0x7fc00000u);
  ELEMENTS(arena, "a:f64[2]={-inf,nan}", uint64_t, 0xfff0000000000000u, 0x7ff8000000000000u);
  ELEMENTS(arena, "a:f32[1]=0x10", float, 16);
  ELEMENTS(arena, "a:f32[2]={16777217,16777219}", float, 16777216, 16777220);
  ELEMENTS(arena, "a:f32[2]={1e-45,1e-50}", uint32_t, 1, 0);
  ELEMENTS(arena, "a:f32[1]=1.17549421e-38", uint32_t, 0x007fffffu);
}

// Values and bits from IEEE 754-2019's binary16: largest, smallest normal and subnormal, ties.
static void test_half_numbers(void **state) {
  Arena *arena = *state;
  ELEMENTS(arena, "a:f16[4]={1,-2,65504,65519}", uint16_t, 0x3c00, 0xc000, 0x7bff, 0x7bff);
  ELEMENTS(arena, "a:f16[3]={6.103515625e-5,5.9604644775390625e-8,2.9802322387695312e-8}", uint16_t,
           0x0400, 0x0001, 0x0000);
  ELEMENTS(arena, "a:f16[2]={2.9802322387695316e-8,6.1e-5}", uint16_t, 0x0001, 0x03ff);
  ELEMENTS(arena, "a:f16[3]={2049,2051,0.333251953125}", uint16_t, 0x6800, 0x6802, 0x3555);
  ELEMENTS(arena, "a:f16[3]={inf,-inf,nan}", uint16_t, 0x7c00, 0xfc00, 0x7e00);
  ELEMENTS(arena, "a:bf16[4]={1,-2,257,259}", uint16_t, 0x3f80, 0xc000, 0x4380, 0x4382);
}

static void test_sequences(void **state) {
  Arena *arena = *state;
  ELEMENTS(arena, "a:u32[4]=iota", uint32_t, 0, 1, 2, 3);
  ELEMENTS(arena, "a:f32[3]=iota", float, 0, 1, 2);
  ELEMENTS(arena, "a:u16[8]={1*2,2*0x3,-1,9u,0}", uint16_t, 1, 1, 2, 2, 2, 65535, 9, 0);
}

static void test_lists(void **state) {
  Arena *arena = *state;
  ELEMENTS(arena, "a:u32[3]={1,2,3}", uint32_t, 1, 2, 3);
  ELEMENTS(arena, "a:u32[5]={7*2,8*3}", uint32_t, 7, 7, 8, 8, 8);
  ELEMENTS(arena, "a:u32[4]={3..0}", uint32_t, 3, 2, 1, 0);
  ELEMENTS(arena, "a:s32[6]={-1..1,5..5,9*2}", int32_t, -1, 0, 1, 5, 9, 9);
  ELEMENTS(arena, "a:f64[3]={2..0}", double, 2, 1, 0);
  const uint8_t *bytes = read_bytes(arena, "a:u8[300]=iota");
  assert_int_equal(bytes[299], 299 - 256);
}

static void test_undefined(void **state) {
  const LaunchBuffer *all = launch_read_buffer(*state, "a:u32[4]=undef");
  assert_int_equal(all->undefined_count, 1);
  assert_int_equal(all->undefined[0].begin, 0);
  assert_int_equal(all->undefined[0].end, 16);
  const LaunchBuffer *some = launch_read_buffer(*state, "a:u16[8]={undef,undef*2,1,2,undef,3*2}");
  assert_int_equal(some->undefined_count, 2);
  assert_int_equal(some->undefined[0].end, 6);
  assert_int_equal(some->undefined[1].begin, 10);
  assert_int_equal(some->undefined[1].end, 12);
  assert_int_equal(launch_read_buffer(*state, "a:u8[9]=0")->undefined_count, 0);
}

// The first numbers of SplitMix64 with the seed 1234567, as in Rosetta Code's task "Pseudo-random
// numbers/Splitmix64".
static void test_random(void **state) {
  Arena *arena = *state;
  ELEMENTS(arena, "a:u64[5]=random:1234567", uint64_t, 6457827717110365317u, 3203168211198807973u,
           9817491932198370423u, 4593380528125082431u, 16408922859458223821u);
  ELEMENTS(arena, "a:u8[2]=random:1234567", uint8_t, (uint8_t)6457827717110365317u,
           (uint8_t)3203168211198807973u);
  ELEMENTS(arena, "a:f32[1]=random:1234567", float, (float)(6457827717110365317u >> 40) / 16777216);
  const uint16_t *halves = read_bytes(arena, "a:f16[1000]=random:3");
  for (uint32_t i = 0; i < 1000; i++)
    assert_in_range(halves[i], 0, 0x3bff); // below 1
}

// What is computed or copied many elements at a time is what it is one at a time.
static void test_long(void **state) {
  enum { COUNT = 5001 };
  const uint8_t *bytes = read_bytes(*state, "a:u8[5001]=7");
  const uint16_t *halves = read_bytes(*state, "a:u16[5001]=258");
  const int32_t *words = read_bytes(*state, "a:s32[5001]={-2*5000,9}");
  const double *doubles = read_bytes(*state, "a:f64[5001]={1.5*5001}");
  const float *singles = read_bytes(*state, "a:f32[5001]=random:9");
  const uint64_t *numbers = read_bytes(*state, "a:u64[5001]=random:9");
  for (uint32_t i = 0; i < COUNT; i++) {
    assert_int_equal(bytes[i], 7);
    assert_int_equal(halves[i], 258);
    assert_int_equal(words[i], i < 5000 ? -2 : 9);
    assert_true(doubles[i] == 1.5);
    float single = (float)(numbers[i] >> 40) / 16777216;
    assert_true(singles[i] == single);
  }
}

// f32 has all integers up to 2^24 only, and a CPU may be slow at those above 2^31.
static void test_long_steps(void **state) {
  const float *up = read_bytes(*state, "a:f32[1001]={16776716..16777716}");
  const float *down = read_bytes(*state, "a:f32[1001]={-16776716..-16777716}");
  const float *past = read_bytes(*state, "a:f32[1001]={2147483147..2147484147}");
  const uint16_t *halves = read_bytes(*state, "a:f16[2049]=iota");
  for (int32_t i = 0; i < 1001; i++) {
    assert_true(past[i] == (float)(2147483147 + (int64_t)i));
    assert_true(up[i] == (float)(16776716 + i));
    assert_true(down[i] == -(float)(16776716 + i));
  }
  assert_int_equal(halves[1024], 0x6400);
  assert_int_equal(halves[2048], 0x6800);
}

static void test_zero(void **state) {
  assert_true(launch_read_buffer(*state, "a:f32[7]=0")->is_zero);
  assert_true(launch_read_buffer(*state, "a:u32[7]={0*3,undef*4}")->is_zero);
  assert_false(launch_read_buffer(*state, "a:f32[7]=-0.0")->is_zero);
  assert_false(launch_read_buffer(*state, "a:u32[7]={0*6,1}")->is_zero);
  assert_false(launch_read_buffer(*state, "a:u32[7]=iota")->is_zero);
}

// Different ways to write the same are the same.
static void test_sharing(void **state) {
  const LaunchSet *set =
      launch_read(*state, "// launch: kernel=k grid=1 block=1 args=a:u32[4]=iota,b=a:u32[4]={0..3},"
                          "c=a:u32[4]={0,1,2,3},d:u32[2]=undef,e=d:u32[2]={undef,undef}\n");
  assert_int_equal(set->buffer_count, 2);
}

static const char *const npy_header =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }           \n";

static const char *npy(Arena *arena, const char *header, const char *data, size_t data_length,
                       size_t *length) {
  size_t header_length = strlen(header);
  char *bytes = arena_alloc(arena, 10 + header_length + data_length, 1);
  memcpy(bytes, "\x93NUMPY\1\0", 8);
  bytes[8] = (char)(header_length & 0xff);
  bytes[9] = (char)(header_length >> 8);
  memcpy(bytes + 10, header, header_length);
  memcpy(bytes + 10 + header_length, data, data_length);
  *length = 10 + header_length + data_length;
  return bytes;
}

// The diagnostics of `args=TEXT`, where file:f is what is given.
static const char *read_with_file(Arena *arena, const char *text, LaunchTestFile file,
                                  const LaunchSet **set) {
  LaunchTestFiles files = {&file, 1, NULL};
  LaunchOptions options = {.read_file = launch_test_read, .context = &files};
  const char *line = arena_format(arena, "kernel=k grid=1 block=1 args=%s", text);
  LaunchInput input = {LAUNCH_INPUT_LAUNCH, ptx_source(arena, line, strlen(line))};
  DiagList diags;
  diag_list_init(&diags, arena);
  *set = launch_parse(&input, 1, &options, arena, &diags);
  assert_string_equal(files.from, "t.ptx");
  return ptx_diag_text(arena, &diags);
}

static void test_raw_file(void **state) {
  Arena *arena = *state;
  const LaunchSet *set;
  LaunchTestFile file = {"dir/a,b c.bin", "\1\2\3\4\5\6\7\x08", 8};
  const char *text = "a:u32[2]=file:\"dir/a,b c.bin\",n:u32=1";
  assert_string_equal(read_with_file(arena, text, file, &set), "");
  assert_memory_equal(set->buffers[0].bytes, file.bytes, 8);
  assert_int_equal(set->launches[0].argument_count, 2);
  file.path = "../x.bin";
  assert_string_equal(read_with_file(arena, "a:u8[8]=file:../x.bin,n:u32=1", file, &set), "");
  assert_string_equal(read_with_file(arena, "a:u8[9]=file:../x.bin", file, &set),
                      "1:43: expected 9 bytes in '../x.bin', found 8\n");
  assert_string_equal(read_with_file(arena, "a:u8[7]=file:../x.bin", file, &set),
                      "1:43: expected 7 bytes in '../x.bin', found more\n");
  assert_string_equal(read_with_file(arena, "a:u8[7]=file:y", file, &set),
                      "1:43: cannot read 'y': no such file or directory\n");
}

static void test_npy_file(void **state) {
  Arena *arena = *state;
  const LaunchSet *set;
  static const float data[6] = {1, 2, 3, 4, 5, 6};
  LaunchTestFile file = {"f", NULL, 0};
  file.bytes = npy(arena, npy_header, (const char *)data, sizeof data, &file.length);
  assert_string_equal(read_with_file(arena, "a:f32[6]=file:f", file, &set), "");
  assert_memory_equal(set->buffers[0].bytes, data, sizeof data);
  assert_string_equal(read_with_file(arena, "a:b32[6]=file:f", file, &set), "");
  assert_string_equal(read_with_file(arena, "a:u32[6]=file:f", file, &set),
                      "1:44: expected elements of numpy's type '<u4', found '<f4' in 'f'\n");
  assert_string_equal(read_with_file(arena, "a:f32[5]=file:f", file, &set),
                      "1:44: expected an array of 5 elements, found 6 in 'f'\n");
}

static void test_bad_npy(void **state) {
  static const struct {
    const char *header, *message;
  } cases[] = {
      {"{'descr': '>u2', 'fortran_order': False, 'shape': (2,)}",
       "elements of numpy's type '<u2', found '>u2'"},
      {"{'descr': '<u2', 'fortran_order': True, 'shape': (1, 2)}",
       "an array in the order of C, found one in the order of Fortran"},
      {"{'descr': '<u2', 'fortran_order': False, 'shape': (3,)}",
       "an array of 2 elements, found 3"},
      {"{'descr': '<u2', 'fortran_order': False, 'shape': (99999999999999999999,)}",
       "a header with 'descr', 'fortran_order' and 'shape'"},
      {"{'descr': '<u2', 'fortran_order': False}",
       "a header with 'descr', 'fortran_order' and 'shape'"},
      {"{'descr': '<u2', 'fortran_order': False, 'shape': (2,)",
       "a header with 'descr', 'fortran_order' and 'shape'"},
      {"{'descr': [('x', '<u2')], 'fortran_order': False, 'shape': (2,)}",
       "a header with 'descr', 'fortran_order' and 'shape'"},
      {"{'descr: ", "a header with 'descr', 'fortran_order' and 'shape'"},
      {"", "a header with 'descr', 'fortran_order' and 'shape'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const LaunchSet *set;
    LaunchTestFile file = {"f", NULL, 0};
    file.bytes = npy(*state, cases[i].header, "\1\2\3\4", 4, &file.length);
    const char *expected = arena_format(*state, "1:44: expected %s in 'f'\n", cases[i].message);
    assert_string_equal(read_with_file(*state, "a:u16[2]=file:f", file, &set), expected);
  }
}

static void test_cut_npy(void **state) {
  const LaunchSet *set;
  LaunchTestFile file = {"f", NULL, 0};
  const char *header = "{\"descr\":\"|i1\",\"shape\":(2,),\"fortran_order\":True}";
  file.bytes = npy(*state, header, "\1\2", 2, &file.length);
  assert_string_equal(read_with_file(*state, "a:s8[2]=file:f", file, &set), "");
  for (size_t length = 3; length < file.length; length++) { // 2 bytes would be raw data
    LaunchTestFile cut = {"f", file.bytes, length};
    assert_string_not_equal(read_with_file(*state, "a:s8[2]=file:f", cut, &set), "");
  }
  char *newer = arena_copy_text(*state, file.bytes, file.length);
  newer[6] = 2;
  assert_string_equal(
      read_with_file(*state, "a:s8[2]=file:f", (LaunchTestFile){"f", newer, file.length}, &set),
      "1:43: expected version 1.0 of the format .npy, found 2.0 in 'f'\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(test_numbers),      UNIT_TEST(test_floating_numbers),
      UNIT_TEST(test_half_numbers), UNIT_TEST(test_sequences),
      UNIT_TEST(test_lists),        UNIT_TEST(test_undefined),
      UNIT_TEST(test_random),       UNIT_TEST(test_long),
      UNIT_TEST(test_long_steps),   UNIT_TEST(test_zero),
      UNIT_TEST(test_sharing),      UNIT_TEST(test_raw_file),
      UNIT_TEST(test_npy_file),     UNIT_TEST(test_bad_npy),
      UNIT_TEST(test_cut_npy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
