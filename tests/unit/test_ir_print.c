#include "unit.h"

#include "ir/ir.h"

#define NONE UINT32_MAX

static Register registers[] = {{"r0", 0}, {"r1", 0}};
static Object objects[] = {
    {.name = "x", .address = 4096, .location = 0, .virtual_location = 0},
    {.name = "y", .address = 8192, .location = 1, .virtual_location = 1},
};
static uint32_t both[] = {0, 1};
static ThreadGroup groups[] = {{both, 2}};

#define CONSTANT(value)                                                                            \
  { .kind = OPERAND_CONSTANT, .constant = (value) }
#define REGISTER(number)                                                                           \
  { .kind = OPERAND_REGISTER, .index = (number) }
#define ADDRESS(object)                                                                            \
  { .kind = OPERAND_ADDRESS, .index = (object) }

static const struct {
  Instruction instruction;
  const char *text;
} cases[] = {
    {{.op = IR_NOP, .dst = NONE}, "nop"},
    {{.op = IR_MOVE, .dst = 0, .src = {ADDRESS(1)}}, "mov r0, y"},
    {{.op = IR_ADD, .dst = 1, .src = {REGISTER(0), CONSTANT(-3)}}, "add r1, r0, -3"},
    {{.op = IR_SET_GE, .dst = 1, .src = {REGISTER(0), CONSTANT(1)}}, "set.ge r1, r0, 1"},
    {{.op = IR_LOAD, .dst = 0, .object = 0}, "ld.weak r0, [x]"},
    {{.op = IR_LOAD, .sem = SEM_ACQUIRE, .scope = SCOPE_GPU, .dst = 0, .object = 1},
     "ld.acquire.gpu r0, [y]"},
    {{.op = IR_LOAD,
      .sem = SEM_RELAXED,
      .scope = SCOPE_SYS,
      .flags = INSTRUCTION_VOLATILE,
      .dst = 0,
      .object = 1},
     "ld.volatile r0, [y]"},
    {{.op = IR_LOAD, .proxy = PROXY_TEXTURE, .dst = 0, .object = 0}, "tld.weak r0, [x]"},
    {{.op = IR_STORE,
      .sem = SEM_RELEASE,
      .scope = SCOPE_CLUSTER,
      .dst = NONE,
      .object = 0,
      .src = {CONSTANT(1)}},
     "st.release.cluster [x], 1"},
    {{.op = IR_STORE, .proxy = PROXY_SURFACE, .dst = NONE, .object = 0, .src = {REGISTER(1)}},
     "sust.weak [x], r1"},
    {{.op = IR_ATOM,
      .sem = SEM_ACQ_REL,
      .scope = SCOPE_GPU,
      .atom = ATOM_ADD,
      .dst = 0,
      .object = 0,
      .src = {CONSTANT(1)}},
     "atom.acq_rel.gpu.add r0, [x], 1"},
    {{.op = IR_ATOM,
      .sem = SEM_RELAXED,
      .scope = SCOPE_CTA,
      .atom = ATOM_CAS_WRITE,
      .dst = NONE,
      .object = 0,
      .src = {CONSTANT(0), CONSTANT(1)}},
     "atom.relaxed.cta.cas _, [x], 0, 1"},
    {{.op = IR_RED,
      .sem = SEM_RELEASE,
      .scope = SCOPE_SYS,
      .atom = ATOM_MAX,
      .dst = NONE,
      .object = 1,
      .src = {REGISTER(0)}},
     "red.release.sys.max [y], r0"},
    {{.op = IR_FENCE, .sem = SEM_SC, .scope = SCOPE_GPU, .dst = NONE}, "fence.sc.gpu"},
    {{.op = IR_FENCE_PROXY, .proxy = PROXY_ALIAS, .dst = NONE}, "fence.proxy.alias"},
    {{.op = IR_BARRIER, .dst = NONE, .barrier_key = 3}, "bar.cta.sync 3"},
    {{.op = IR_BARRIER,
      .barrier = BARRIER_ARRIVE,
      .dst = NONE,
      .barrier_key = 3,
      .src = {REGISTER(0), CONSTANT(64)}},
     "bar.cta.arrive r0, 64"},
    {{.op = IR_BARRIER_WARP, .dst = NONE}, "bar.warp.sync"},
    {{.op = IR_CLUSTER_ARRIVE, .sem = SEM_RELEASE, .dst = NONE}, "barrier.cluster.arrive.release"},
    {{.op = IR_CLUSTER_WAIT, .sem = SEM_ACQUIRE, .dst = NONE}, "barrier.cluster.wait.acquire"},
    {{.op = IR_COPY_ASYNC, .dst = NONE, .object = 0, .source_object = 1}, "cp.async [x], [y]"},
    {{.op = IR_COPY_WAIT, .dst = NONE}, "cp.async.wait_all"},
    {{.op = IR_NO_EVENT, .dst = NONE}, "warp collective"},
    {{.op = IR_BRANCH, .dst = NONE, .compare = IR_NOP, .target = 2}, "bra 2"},
    {{.op = IR_BRANCH,
      .dst = NONE,
      .compare = IR_SET_NE,
      .src = {REGISTER(0), CONSTANT(1)},
      .target = 4},
     "bne r0, 1, 4"},
    {{.op = IR_EXIT, .dst = NONE}, "exit"},
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

static void every_instruction_has_its_text(void **state) {
  Arena *arena = *state;
  Thread thread = {.name = "P0", .registers = registers, .register_count = 2};
  Program program = {.threads = &thread, .thread_count = 1, .objects = objects, .object_count = 2};
  for (size_t i = 0; i < CASE_COUNT; i++)
    assert_string_equal(ir_print_instruction(arena, &program, &thread, &cases[i].instruction),
                        cases[i].text);
}

// The same instructions are a program that breaks no invariant.
static void a_sound_program_passes_its_check(void **state) {
  (void)state;
  Instruction instructions[CASE_COUNT];
  for (size_t i = 0; i < CASE_COUNT; i++)
    instructions[i] = cases[i].instruction;
  Thread threads[2] = {{.name = "P0",
                        .instructions = instructions,
                        .instruction_count = CASE_COUNT,
                        .registers = registers,
                        .register_count = 2},
                       {.name = "P1", .place = {.cta = 1, .cluster = 1}}};
  ThreadOrder orders[] = {{0, 1}};
  Program program = {.name = "all",
                     .threads = threads,
                     .thread_count = 2,
                     .objects = objects,
                     .object_count = 2,
                     .orders = orders,
                     .order_count = 1,
                     .groups = groups,
                     .group_count = 1};
  ir_program_check(&program);
}

static void names_are_those_of_ptx(void **state) {
  (void)state;
  assert_string_equal(ir_scope_name(SCOPE_NONE), "none");
  assert_string_equal(ir_scope_name(SCOPE_CLUSTER), "cluster");
  assert_string_equal(ir_sem_name(SEM_ACQ_REL), "acq_rel");
  assert_string_equal(ir_proxy_name(PROXY_TENSORMAP), "tensormap");
  assert_string_equal(ir_atom_name(ATOM_EXCH), "exch");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(every_instruction_has_its_text),
      cmocka_unit_test(a_sound_program_passes_its_check),
      cmocka_unit_test(names_are_those_of_ptx),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
