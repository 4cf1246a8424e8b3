// Final conditions over the initial contents of buffers: whether they hold, and what is said if
// not.
#include "launch_unit.h"

#define BUFFERS                                                                                    \
  "// launch: kernel=k grid=1 block=1 args=u:u32[8]={10..17},s:s32[4]={-4..-1},"                   \
  "big:u64[2]={18446744073709551615,1},f:f32[4]={0.5,1.5,-2,nan},h:f16[2]={0.25,65504},"           \
  "b:bf16[2]={1,-0.0},d:f64[1]=0.1,c:s8[2]={-1,127},w:u8[2]={255,0},x:u16[4]={1,undef,2,3}\n"

// The condition's failure as a message, "" if it holds.
static const char *failure_of(Arena *arena, const char *condition) {
  LaunchSet *set = launch_read(arena, arena_format(arena, BUFFERS "// final: %s\n", condition));
  LaunchFailure failure;
  assert_int_equal(set->final_count, 1);
  if (launch_final_holds(&set->finals[0], launch_read_initial, set, arena, &failure))
    return "";
  return launch_failure_text(&set->finals[0], &failure, arena);
}

static void check_holds(Arena *arena, const char *const *conditions, size_t count) {
  size_t failure_count = 0;
  for (size_t i = 0; i < count; i++) {
    const char *failure = failure_of(arena, conditions[i]);
    if (*failure)
      print_error("%s: %s\n", conditions[i], failure);
    failure_count += *failure != 0;
  }
  assert_int_equal(failure_count, 0);
}

#define HOLDS(arena, conditions)                                                                   \
  check_holds((arena), (conditions), sizeof(conditions) / sizeof(conditions)[0])

static void test_elements(void **state) {
  static const char *const conditions[] = {
      "u[0] == 10 && u[7] == 17",
      "u[i] == i + 10 for i=0..7",
      "s[i] == i - 4 for i=0..3",
      "u[2*i + j] == 10 + 2*i + j for i=0..3, j=0..1",
      "c[0] == -1 && c[1] == 127 && w[0] == 255",
      "big[0] == -1 && big[0] == 0xffffffffffffffff && big[1] == 1",
      "f[0] == 0.5 && f[1] == 1.5f && f[2] == -2",
      "f[3] != f[3]",
      "h[0] == 0.25 && h[1] == 65504",
      "b[0] == 1 && b[1] == 0 && 1 / b[1] < 0",
      "d[0] == 0.1",
      "x[0] == 1 && x[3] == 3",
      "u[u[0] - 8] == 12",
      "u[7 - i] == 17 - i for i = 0 .. 7",
      "s[i + 4] == i for i=-4..-1",
  };
  HOLDS(*state, conditions);
}

static void test_operators(void **state) {
  static const char *const conditions[] = {
      "1 + 2 * 3 == 7",
      "(1 + 2) * 3 == 9",
      "10 - 4 - 3 == 3",
      "100 / 10 / 5 == 2",
      "7 / 2 == 3 && -7 / 2 == -3 && 7 % 3 == 1 && -7 % 3 == -1",
      "7 / 2.0 == 3.5",
      "1 << 2 + 1 == 8",
      "-8 >> 1 == -4 && 1 << 63 >> 63 == -1",
      "(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5",
      "7 & 3 == 3",
      "1 | 2 ^ 3 & 1 == 1",
      "~0 == -1 && ~5 == -6",
      "!0 && !!7 && !(1 == 2)",
      "- -3 == 3 && +4 == 4 && -+-4 == 4",
      "1 < 2 == 1",
      "3 > 2 > 0",
      "2 <= 2 && 2 >= 2 && 1 != 2",
      "0 && 1 || 1",
      "1 || 0 && 0",
      "1 ? 2 : 0",
      "0 ? 0 : 1 ? 5 : 0",
      "(1 ? 1 : 2.5) / 2 == 0.5",
      "9223372036854775807 + 1 == -9223372036854775807 - 1",
      "(-9223372036854775807 - 1) / -1 == -9223372036854775807 - 1",
      "(-9223372036854775807 - 1) % -1 == 0",
      "0x10 == 16 && 10u == 10 && 1e3 == 1000",
      "0.5",
      "1.0 / 0 > 1e300",
      "(t ^ 32) == t + 32 for t=0..31",
      "(t < 40 ? 40 : 0) == 40 * (t < 40) for t=0..63",
  };
  HOLDS(*state, conditions);
}

// What is not needed is not evaluated.
static void test_short_circuit(void **state) {
  static const char *const conditions[] = {
      "1 || x[1]",
      "!(0 && x[1])",
      "i == 0 || u[i - 1] == i + 9 for i=0..8",
      "i == 0 ? 1 : 8 / i > 0 for i=0..8",
  };
  HOLDS(*state, conditions);
}

// Some of the rounds that are evaluated together need what others do not.
static void test_rounds_that_differ(void **state) {
  static const char *const conditions[] = {
      "i == 1 || x[i] > 0 for i=0..3",
      "i == 1 || x[i] > 0 && x[i] <= 3 for i=0..3",
      "i == 2 ? 1 : 8 / (i - 2) == 0 || i >= -6 && i <= 10 for i=-70..70",
      "i < 0 || 1 << i for i=-100..63",
      "(i % 2 ? i : 0.5) >= 0.5 for i=0..99",
      "(i % 3 ? i > 0 : 0.0) == (i % 3 != 0) for i=0..99",
      "(i < 8 ? u[i] : i + 10) == i + 10 for i=0..200",
      "i + 3*j + 15*k == 100 ? i == 1 && j == 3 && k == 6 : 1 for k=0..7, j=0..4, i=0..2",
      "i || -(0 || 0.5) for i=0..99",
      "i == 9 || (i ? 1 ? 5 : 0 : 0) || i == 0 for i=0..99",
      "(i < 5 || x[1]) && u[0] == 10 for i=0..4",
  };
  HOLDS(*state, conditions);
}

static void test_failures(void **state) {
  static const struct {
    const char *condition, *message;
  } cases[] = {
      {"u[0]==11", "expected u[0]==11, found u[0] = 10"},
      {"u[i]==i+10-(i==3) for i=0..7",
       "expected u[i]==i+10-(i==3), found u[i] = 13 and i+10-(i==3) = 12 for i=3"},
      {"u[2*i+j] < 15 for i=0..3, j=0..1",
       "expected u[2*i+j] < 15, found u[2*i+j] = 15 for i=2, j=1"},
      {"u[0]==10 && u[1]==9 && u[2]==8", "expected u[1]==9, found u[1] = 11"},
      {"u[0]==1 || u[1]==2", "expected u[1]==2, found u[1] = 11"},
      {"(u[0] == 1)", "expected u[0] == 1, found u[0] = 10"},
      {"i ? u[i] == 1 : u[i] == 10 for i=0..1", "expected u[i] == 1, found u[i] = 11 for i=1"},
      {"!(u[0] == 10)", "expected !(u[0] == 10), found u[0] = 10"},
      {"!u[0]", "expected !u[0] to be true, found it false"},
      {"u[0] - 10", "expected u[0] - 10 to be true, found it false"},
      {"1 == u[0]", "expected 1 == u[0], found 1 and u[0] = 10"},
      {"f[0] == 0.25", "expected f[0] == 0.25, found f[0] = 0.5"},
      {"d[0] + 0.2 == 0.3", "expected d[0] + 0.2 == 0.3, found d[0] + 0.2 = 0.30000000000000004"},
      {"h[0] == s[0]", "expected h[0] == s[0], found h[0] = 0.25 and s[0] = -4"},
      {"x[i] > 0 for i=0..3", "expected a value in x[1], found it undefined for i=1"},
      {"u[i] > 0 for i=0..8",
       "expected one of the 8 elements of u in u[i], found number 8 for i=8"},
      {"u[i] > 0 for i=-1..0",
       "expected one of the 8 elements of u in u[i], found number -1 for i=-1"},
      {"x[i] > 1 for i=0..3", "expected x[i] > 1, found x[i] = 1 for i=0"},
      {"i < 100 && i*2 < 190 for i=0..200", "expected i*2 < 190, found i*2 = 190 for i=95"},
      {"i < 96 || u[i - 96] / (i - 99) for i=0..200",
       "expected a divisor other than 0 in u[i - 96] / (i - 99), found 0 for i=99"},
      {"i + 3*j + 15*k != 100 for k=0..7, j=0..4, i=0..2",
       "expected i + 3*j + 15*k != 100, found i + 3*j + 15*k = 100 for k=6, j=3, i=1"},
      {"i < 70 || u[8] for i=0..99",
       "expected one of the 8 elements of u in u[8], found number 8 for i=70"},
      {"u[0] / (i - 2) != 0 for i=0..3",
       "expected a divisor other than 0 in u[0] / (i - 2), found 0 for i=2"},
      {"5 % w[1] == 0", "expected a divisor other than 0 in 5 % w[1], found 0"},
      {"1 << u[i] * 8 == 0 for i=0..1",
       "expected a shift by 0 to 63 bits in 1 << u[i] * 8, found 80 for i=0"},
      {"1 >> -1 == 0", "expected a shift by 0 to 63 bits in 1 >> -1, found -1"},
      {"1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1 == u[0]",
       "expected 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+..., found "
       "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+... = 32 and u[0] = 10"},
  };
  size_t failure_count = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *message = failure_of(*state, cases[i].condition);
    if (strcmp(message, cases[i].message) == 0)
      continue;
    print_error("%s\nexpected: %s\nfound:    %s\n", cases[i].condition, cases[i].message, message);
    failure_count++;
  }
  assert_int_equal(failure_count, 0);
}

// The failure as data.
static void test_failure_data(void **state) {
  LaunchSet *set = launch_read(*state, BUFFERS "// final: u[i] < s[j] + 16 for i=0..7, j=2..3\n");
  LaunchFailure failure;
  assert_false(launch_final_holds(&set->finals[0], launch_read_initial, set, *state, &failure));
  assert_int_equal(failure.kind, LAUNCH_FAILURE_FALSE);
  assert_true(failure.has_sides);
  assert_int_equal(failure.variables[0], 4);
  assert_int_equal(failure.variables[1], 2);
  assert_int_equal(failure.left.integer, 14);
  assert_int_equal(failure.right.integer, 14);
  assert_int_equal(set->finals[0].nodes[failure.node].kind, LAUNCH_NODE_LESS);
}

// A million rounds are nothing.
static void test_many_rounds(void **state) {
  static const char *const conditions[] = {"i + j >= 0 for i=0..4095, j=0..255"};
  HOLDS(*state, conditions);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(test_elements),           UNIT_TEST(test_operators),
      UNIT_TEST(test_short_circuit),      UNIT_TEST(test_failures),
      UNIT_TEST(test_failure_data),       UNIT_TEST(test_many_rounds),
      UNIT_TEST(test_rounds_that_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
