// What a test says around its instructions: header, initial values, placement, groups, orders.
#include "litmus_unit.h"

static void tests_are_recognised_by_their_first_word(void **state) {
  static const struct {
    const char *text;
    bool is_test;
  } cases[] = {
      {"PTX a { }", true}, {"x86 a { }", true},     {"\n (* c (* d *) *) X86\n{", true},
      {"PTX{}", true},     {"PTXa {}", false},      {"C a { }", true},
      {"Ca {}", false},    {"c a {}", false},       {"", false},
      {"(*", false},       {".version 8.0", false}, {"PTX", false},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_int_equal(litmus_is_test(litmus_source(*state, cases[i].text, strlen(cases[i].text))),
                     cases[i].is_test);
}

static void the_header_may_say_anything(void **state) {
  const LitmusTest *test = litmus_read(*state, "PTX a.b+c \"text { with\nlines\"\nKey=value (x)\n"
                                               "(* { *) {} P0@cta 0,gpu 0; exists true");
  assert_string_equal(test->program.name, "a.b+c");
  assert_int_equal(test->dialect, LITMUS_PTX);
}

static void expectations_come_from_comments(void **state) {
  const LitmusTest *test = litmus_read(
      *state, "(* expect ptx: forbidden\n  expect cuda: race=yes *) PTX a {} P0@cta 0,gpu 0;\n"
              "(* no expect here\n expectation *) exists true (* (* expect tso: allowed *) *)");
  assert_int_equal(test->expectation_count, 3);
  assert_string_equal(test->expectations[0], "expect ptx: forbidden");
  assert_string_equal(test->expectations[1], "expect cuda: race=yes");
}

static const Object *object_of(const LitmusTest *test, const char *name) {
  for (uint32_t i = 0; i < test->program.object_count; i++)
    if (strcmp(test->program.objects[i].name, name) == 0)
      return &test->program.objects[i];
  fail_msg("no object %s", name);
  return NULL;
}

static void initial_values_are_constants_or_those_of_others(void **state) {
  const LitmusTest *test =
      litmus_read(*state, "PTX a { int z = y; x=-1; y=&x; [w]=0x10; a[2]=3; v; P0:r1=w; 0:r2=7 }"
                          "P0@cta 0,gpu 0; st.weak a[2], 1; exists true");
  assert_int_equal(object_of(test, "x")->initial, -1);
  assert_int_equal(object_of(test, "y")->initial, -1);
  assert_int_equal(object_of(test, "z")->initial, -1);
  assert_int_equal(object_of(test, "w")->initial, 16);
  assert_int_equal(object_of(test, "a[2]")->initial, 3);
  assert_int_equal(object_of(test, "v")->initial, 0);
  const Register *registers = test->program.threads[0].registers;
  assert_int_equal(registers[0].initial, object_of(test, "w")->address);
  assert_int_equal(registers[1].initial, 7);
}

static void aliases_share_the_location(void **state) {
  const LitmusTest *test =
      litmus_read(*state, "PTX a { g @ generic aliases x; s @ surface aliases x;"
                          "t @ texture aliases g; x=4; c=t } P0@cta 0,gpu 0; exists true");
  const Object *objects = test->program.objects;
  uint32_t x = (uint32_t)(object_of(test, "x") - objects);
  uint32_t g = (uint32_t)(object_of(test, "g") - objects);
  assert_int_equal(object_of(test, "g")->location, x);
  assert_int_equal(object_of(test, "g")->virtual_location, g);
  assert_int_equal(object_of(test, "g")->initial, 4);
  assert_int_equal(object_of(test, "s")->location, x);
  assert_int_equal(object_of(test, "s")->virtual_location, x);
  assert_int_equal(object_of(test, "s")->proxy, PROXY_SURFACE);
  assert_int_equal(object_of(test, "t")->location, x);
  assert_int_equal(object_of(test, "t")->virtual_location, g);
  assert_int_equal(object_of(test, "c")->initial, 4);
}

static void threads_are_placed(void **state) {
  const LitmusTest *test = litmus_read(
      *state, "PTX a {} P0@cta 0,gpu 0 | P1@gpu 0,cluster 5,cta 1 | P2@cta 2,gpu 0 | P3@cta 1,gpu 0"
              " | P4@host | P5@cta 0,gpu 1 ; exists true");
  const Thread *threads = test->program.threads;
  assert_int_equal(threads[1].place.cluster, 5);
  assert_int_equal(threads[3].place.cluster, 5);
  assert_int_not_equal(threads[0].place.cluster, threads[1].place.cluster);
  assert_int_not_equal(threads[0].place.cluster, threads[2].place.cluster);
  assert_int_not_equal(threads[2].place.cluster, threads[1].place.cluster);
  assert_true(threads[4].place.is_host);
  assert_int_equal(threads[5].place.gpu, 1);
}

static void launches_are_ordered(void **state) {
  const LitmusTest *test = litmus_read(*state, "PTX a {} P0@cta 0,gpu 0,after P2, after P1 |"
                                               "P1@cta 1,gpu 0 | P2@host,after P1; exists true");
  assert_int_equal(test->program.order_count, 3);
  assert_int_equal(test->program.orders[0].before, 2);
  assert_int_equal(test->program.orders[0].after, 0);
  assert_int_equal(test->program.orders[2].before, 1);
  assert_int_equal(test->program.orders[2].after, 2);
}

static const ThreadGroup *group_of(const LitmusTest *test, uint32_t thread, uint32_t instruction) {
  return &test->program
              .groups[test->program.threads[thread].instructions[instruction].participants];
}

static void barriers_wait_for_their_own_cta_and_number(void **state) {
  const LitmusTest *test = litmus_read(
      *state, "PTX a {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 | P3@cta 0,gpu 1 ;"
              "bar.cta.sync 1 | bar.cta.sync 1 | bar.cta.sync 1 | bar.cta.sync 1 ;"
              "bar.cta.sync 2 | bar.cta.sync 1 | bar.cta.sync 1 | ; exists true");
  assert_int_equal(group_of(test, 0, 0)->count, 2);
  assert_int_equal(group_of(test, 0, 0)->threads[1], 1);
  assert_ptr_equal(group_of(test, 0, 0), group_of(test, 1, 1));
  assert_int_equal(group_of(test, 0, 1)->count, 1);
  assert_int_equal(group_of(test, 2, 0)->count, 1);
  assert_int_equal(group_of(test, 3, 0)->count, 1);
}

static void warps_and_clusters_have_barriers(void **state) {
  const LitmusTest *test =
      litmus_read(*state, "PTX a {} P0@cta 0,gpu 0,warp 1 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 |"
                          "P3@cta 1,cluster 4,gpu 0 | P4@cta 2,cluster 4,gpu 0;"
                          "bar.warp.sync 0 | bar.warp.sync 0 | bar.warp.sync 0 |"
                          "barrier.cluster.arrive | barrier.cluster.arrive ;"
                          "| | | barrier.cluster.wait | barrier.cluster.wait ; exists true");
  assert_int_equal(group_of(test, 0, 0)->count, 1);
  assert_int_equal(group_of(test, 1, 0)->count, 2);
  assert_int_equal(group_of(test, 3, 0)->count, 2);
  assert_ptr_equal(group_of(test, 3, 0), group_of(test, 4, 1));
}

static void the_last_row_may_lack_its_semicolon(void **state) {
  const LitmusTest *test = litmus_read(
      *state, "PTX a {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0; ld.weak r0,x | st.weak x,1\n~exists true");
  assert_int_equal(test->program.threads[1].instruction_count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(tests_are_recognised_by_their_first_word),
      UNIT_TEST(the_header_may_say_anything),
      UNIT_TEST(expectations_come_from_comments),
      UNIT_TEST(initial_values_are_constants_or_those_of_others),
      UNIT_TEST(aliases_share_the_location),
      UNIT_TEST(threads_are_placed),
      UNIT_TEST(launches_are_ordered),
      UNIT_TEST(barriers_wait_for_their_own_cta_and_number),
      UNIT_TEST(warps_and_clusters_have_barriers),
      UNIT_TEST(the_last_row_may_lack_its_semicolon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
