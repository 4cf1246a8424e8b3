// The functions and statements of the C dialect and what they become.
#include "litmus_unit.h"

static const Program *read_program(Arena *arena, const char *init, const char *heading,
                                   const char *body) {
  const char *text = arena_format(arena, "C t { %s } %s { %s } exists (true)", init, heading, body);
  return &litmus_read(arena, text)->program;
}

static const Thread *read_body(Arena *arena, const char *body) {
  return &read_program(arena, "int y[3];", "P0 (atomic_int* x, int* y, volatile int* v)", body)
              ->threads[0];
}

static void check_ops(Arena *arena, const char *body, uint32_t count, const IrOp *ops) {
  const Thread *thread = read_body(arena, body);
  assert_int_equal(thread->instruction_count, count);
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(thread->instructions[i].op, ops[i]);
}

static void accesses_have_their_orders(void **state) {
  static const struct {
    const char *body;
    IrOp op;
    Sem sem;
    Scope scope;
  } cases[] = {
      {"*x = 1;", IR_STORE, SEM_WEAK, SCOPE_NONE},
      {"int r = *y;", IR_LOAD, SEM_WEAK, SCOPE_NONE},
      {"*v = 1;", IR_STORE, SEM_RELAXED, SCOPE_SYS},
      {"atomic_init(x, 1);", IR_STORE, SEM_WEAK, SCOPE_NONE},
      {"atomic_load_explicit(x, memory_order_consume);", IR_LOAD, SEM_ACQUIRE, SCOPE_SYS},
      {"atomic_store_explicit(x, 1, memory_order_release, thread_scope_block);", IR_STORE,
       SEM_RELEASE, SCOPE_CTA},
      {"atomic_fetch_or_explicit(x, 1, memory_order_acq_rel, memory_scope_device);", IR_ATOM,
       SEM_ACQ_REL, SCOPE_GPU},
      {"atomic_flag_clear_explicit(x, memory_order_relaxed);", IR_STORE, SEM_RELAXED, SCOPE_SYS},
      {"atomic_thread_fence(memory_order_acquire);", IR_FENCE, SEM_ACQUIRE, SCOPE_SYS},
      {"__threadfence();", IR_FENCE, SEM_SC, SCOPE_GPU},
      {"__syncthreads();", IR_BARRIER, SEM_WEAK, SCOPE_NONE},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Instruction *first = &read_body(*state, cases[i].body)->instructions[0];
    assert_int_equal(first->op, cases[i].op);
    assert_int_equal(first->sem, cases[i].sem);
    assert_int_equal(first->scope, cases[i].scope);
  }
  assert_int_equal(read_body(*state, "*v = 1;")->instructions[0].flags, INSTRUCTION_VOLATILE);
}

static void compiled_code_has_a_fence_before_what_is_sequentially_consistent(void **state) {
  check_ops(*state, "atomic_store(x, 1); atomic_load(x);", 4,
            (const IrOp[]){IR_FENCE, IR_STORE, IR_FENCE, IR_LOAD});
  const Thread *thread = read_body(*state, "atomic_fetch_add(x, 2, thread_scope_block);");
  assert_int_equal(thread->instructions[0].flags, INSTRUCTION_ABI_FENCE);
  assert_int_equal(thread->instructions[0].scope, SCOPE_CTA);
  assert_int_equal(thread->instructions[1].sem, SEM_SC);
}

static void exchanges_compare(void **state) {
  const Thread *thread =
      read_body(*state, "int e = 3; int r = atomic_compare_exchange_strong_explicit(x, &e, 4, "
                        "memory_order_acq_rel, memory_order_relaxed);");
  const Instruction *exchange = &thread->instructions[1];
  assert_int_equal(exchange->op, IR_ATOM);
  assert_int_equal(exchange->atom, ATOM_CAS);
  assert_int_equal(exchange->sem, SEM_ACQ_REL);
  assert_int_equal(exchange->failure_sem, SEM_RELAXED);
  assert_int_equal(exchange->src[0].kind, OPERAND_REGISTER);
  assert_int_equal(exchange->src[1].constant, 4);
  assert_int_equal(thread->instructions[2].op, IR_SET_EQ);
  assert_string_equal(exchange->text, "atomic_compare_exchange_strong_explicit(x, &e, 4, "
                                      "memory_order_acq_rel, memory_order_relaxed)");
  // An expected value in memory is read, and written where the exchange fails.
  check_ops(*state,
            "atomic_compare_exchange_strong_explicit(x, y, 4, memory_order_relaxed, "
            "memory_order_relaxed);",
            6, (const IrOp[]){IR_LOAD, IR_ATOM, IR_SET_EQ, IR_BRANCH, IR_STORE, IR_NOP});
  thread = read_body(*state, "int e = 0; atomic_compare_exchange_weak(x, &e, 1);");
  assert_int_equal(thread->instructions[2].flags, INSTRUCTION_SPURIOUS);
}

static void variables_take_results_without_a_copy(void **state) {
  check_ops(*state, "int r = *x + 1;", 2, (const IrOp[]){IR_LOAD, IR_ADD});
  check_ops(*state, "int r = *x;", 1, (const IrOp[]){IR_LOAD});
  check_ops(*state, "int r = 2 + 3 * 4;", 1, (const IrOp[]){IR_MOVE});
  assert_int_equal(read_body(*state, "int r = 2 + 3 * 4;")->instructions[0].src[0].constant, 14);
}

static void only_what_does_more_than_compute_is_jumped_over(void **state) {
  check_ops(*state, "int a = 1, b = 2, c = a && b;", 6,
            (const IrOp[]){IR_MOVE, IR_MOVE, IR_SET_NE, IR_NOP, IR_SET_NE, IR_AND});
  check_ops(*state, "int a = 1, c = a && *x;", 7,
            (const IrOp[]){IR_MOVE, IR_SET_NE, IR_BRANCH, IR_LOAD, IR_SET_NE, IR_NOP, IR_MOVE});
}

static void loops_go_back_to_their_heads(void **state) {
  const Thread *thread = read_body(*state, "while (*x) ; do { continue; } while (*y);");
  assert_int_equal(thread->instructions[2].op, IR_BRANCH);
  assert_int_equal(thread->instructions[2].target, 4);
  assert_int_equal(thread->instructions[3].target, 0);
  assert_int_equal(thread->instructions[5].op, IR_NOP);
  uint32_t last = thread->instruction_count - 2;
  assert_int_equal(thread->instructions[last].compare, IR_SET_NE);
  assert_int_equal(thread->instructions[last].target, 5);
}

static void elements_of_arrays_are_locations(void **state) {
  const Program *program =
      read_program(*state, "int y[2] = {3, 4}; atomic_int x = -1, z;", "P0 (int* y, int* z)",
                   "y[1] = 5; *(y + 1) = 6; int i = *z; y[i] = 7;");
  assert_int_equal(program->object_count, 4);
  assert_int_equal(program->objects[0].initial, 3);
  assert_int_equal(program->objects[1].initial, 4);
  assert_string_equal(program->objects[1].name, "y[1]");
  assert_int_equal(program->objects[2].initial, -1);
  const Thread *thread = &program->threads[0];
  assert_int_equal(thread->instructions[0].object, 1);
  assert_int_equal(thread->instructions[1].object, 1);
  uint32_t stores[4] = {0};
  for (uint32_t i = 2; i < thread->instruction_count; i++)
    if (thread->instructions[i].op == IR_STORE)
      stores[thread->instructions[i].object]++;
  assert_int_equal(stores[0], 1);
  assert_int_equal(stores[1], 1);
}

static void threads_are_placed(void **state) {
  const Program *program =
      &litmus_read(*state, "C t { } void P0@cta 1,gpu 2 (void) { } P1@host () { return; } P2@cta 1,"
                           "gpu 2 () { } exists (true)")
           ->program;
  assert_int_equal(program->thread_count, 3);
  assert_int_equal(program->threads[0].place.cta, 1);
  assert_int_equal(program->threads[0].place.gpu, 2);
  assert_true(program->threads[1].place.is_host);
  assert_int_equal(program->threads[0].place.cluster, program->threads[2].place.cluster);
  program = &litmus_read(*state, "C t { } P0 () { } P1 () { } exists (true)")->program;
  assert_int_not_equal(program->threads[0].place.cta, program->threads[1].place.cta);
}

static void comments_are_those_of_c_and_of_litmus_tests(void **state) {
  const LitmusTest *test =
      litmus_read(*state, "C t (* expect rc11: allowed *)\n{ x = 1; // one\n}\n/* a { */\n"
                          "P0 (int* x) { // }\n  (*x) = 2; /* } */ }\n// no\nexists (x=2) // yes");
  assert_int_equal(test->dialect, LITMUS_C);
  assert_int_equal(test->expectation_count, 1);
  assert_int_equal(test->program.threads[0].instruction_count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(accesses_have_their_orders),
      UNIT_TEST(compiled_code_has_a_fence_before_what_is_sequentially_consistent),
      UNIT_TEST(exchanges_compare),
      UNIT_TEST(variables_take_results_without_a_copy),
      UNIT_TEST(only_what_does_more_than_compute_is_jumped_over),
      UNIT_TEST(loops_go_back_to_their_heads),
      UNIT_TEST(elements_of_arrays_are_locations),
      UNIT_TEST(threads_are_placed),
      UNIT_TEST(comments_are_those_of_c_and_of_litmus_tests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
