// The instructions of the PTX dialect and what they become.
#include "litmus_unit.h"

static const char one_thread[] = "PTX t { x=0; y=0; } P0@cta 0,gpu 0 ;";

// Reads one instruction; returns the last one that it becomes.
static const Instruction *read_one(Arena *arena, const char *text) {
  const Thread *thread =
      litmus_read_thread(arena, one_thread, arena_format(arena, "%s; exists true", text));
  assert_true(thread->instruction_count > 0);
  return &thread->instructions[thread->instruction_count - 1];
}

static void check_order(Arena *arena, const char *text, IrOp op, Sem sem, Scope scope,
                        Proxy proxy) {
  const Instruction *instruction = read_one(arena, text);
  assert_int_equal(instruction->op, op);
  assert_int_equal(instruction->sem, sem);
  assert_int_equal(instruction->scope, scope);
  assert_int_equal(instruction->proxy, proxy);
}

static void accesses_have_order_scope_and_proxy(void **state) {
  Arena *arena = *state;
  check_order(arena, "ld r0, x", IR_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_GENERIC);
  check_order(arena, "ld.weak r0, x", IR_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_GENERIC);
  check_order(arena, "ld.relaxed r0, x", IR_LOAD, SEM_RELAXED, SCOPE_GPU, PROXY_GENERIC);
  check_order(arena, "ld.acquire.cluster r0, x", IR_LOAD, SEM_ACQUIRE, SCOPE_CLUSTER,
              PROXY_GENERIC);
  check_order(arena, "st.release.sys x, 1", IR_STORE, SEM_RELEASE, SCOPE_SYS, PROXY_GENERIC);
  check_order(arena, "atom.add r0, x, 1", IR_ATOM, SEM_RELAXED, SCOPE_GPU, PROXY_GENERIC);
  check_order(arena, "atom.acq_rel.cta.exch r0, x, 1", IR_ATOM, SEM_ACQ_REL, SCOPE_CTA,
              PROXY_GENERIC);
  check_order(arena, "red.release.gpu.max x, 1", IR_RED, SEM_RELEASE, SCOPE_GPU, PROXY_GENERIC);
  check_order(arena, "tld.weak r0, x", IR_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_TEXTURE);
  check_order(arena, "suld.weak r0, x", IR_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_SURFACE);
  check_order(arena, "sust.weak x, 1", IR_STORE, SEM_WEAK, SCOPE_NONE, PROXY_SURFACE);
  check_order(arena, "cold.weak r0, x", IR_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_CONSTANT);
  check_order(arena, "suatom.relaxed.gpu.add r0, x, 1", IR_ATOM, SEM_RELAXED, SCOPE_GPU,
              PROXY_SURFACE);
  check_order(arena, "ald.weak r0, x", IR_LOAD, SEM_WEAK, SCOPE_NONE, PROXY_ASYNC);
  check_order(arena, "ast.weak x, 1", IR_STORE, SEM_WEAK, SCOPE_NONE, PROXY_ASYNC);
}

static void fences_have_order_and_scope(void **state) {
  Arena *arena = *state;
  check_order(arena, "fence.gpu", IR_FENCE, SEM_ACQ_REL, SCOPE_GPU, PROXY_GENERIC);
  check_order(arena, "fence.acquire.cta", IR_FENCE, SEM_ACQUIRE, SCOPE_CTA, PROXY_GENERIC);
  check_order(arena, "fence.release.cluster", IR_FENCE, SEM_RELEASE, SCOPE_CLUSTER, PROXY_GENERIC);
  check_order(arena, "fence.sc.sys", IR_FENCE, SEM_SC, SCOPE_SYS, PROXY_GENERIC);
  check_order(arena, "membar.cta", IR_FENCE, SEM_SC, SCOPE_CTA, PROXY_GENERIC);
  check_order(arena, "membar.gl", IR_FENCE, SEM_SC, SCOPE_GPU, PROXY_GENERIC);
  check_order(arena, "membar.sys", IR_FENCE, SEM_SC, SCOPE_SYS, PROXY_GENERIC);
  check_order(arena, "fence.proxy.alias", IR_FENCE_PROXY, 0, SCOPE_NONE, PROXY_ALIAS);
  check_order(arena, "fence.proxy.generic", IR_FENCE_PROXY, 0, SCOPE_NONE, PROXY_GENERIC);
  assert_int_equal(read_one(arena, "fence.sc.gpu")->flags, 0);
}

static void volatile_is_relaxed_sys_and_marked(void **state) {
  check_order(*state, "ld.volatile r0, x", IR_LOAD, SEM_RELAXED, SCOPE_SYS, PROXY_GENERIC);
  check_order(*state, "st.volatile x, 1", IR_STORE, SEM_RELAXED, SCOPE_SYS, PROXY_GENERIC);
  assert_int_equal(read_one(*state, "ld.volatile r0, x")->flags, INSTRUCTION_VOLATILE);
}

static void a_seq_cst_access_has_the_fence_of_compiled_code(void **state) {
  const Thread *thread =
      litmus_read_thread(*state, one_thread, "L: st.sc.sys x, 1 ; goto L ; exists true");
  assert_int_equal(thread->instruction_count, 4);
  const Instruction *fence = &thread->instructions[1], *store = &thread->instructions[2];
  assert_int_equal(fence->op, IR_FENCE);
  assert_int_equal(fence->sem, SEM_SC);
  assert_int_equal(fence->scope, SCOPE_SYS);
  assert_int_equal(fence->flags, INSTRUCTION_ABI_FENCE);
  assert_int_equal(store->op, IR_STORE);
  assert_int_equal(store->sem, SEM_SC);
  assert_int_equal(thread->instructions[3].target, 0);
}

static void a_load_of_a_constant_is_a_move(void **state) {
  const Instruction *move = read_one(*state, "ld r3, -5");
  assert_int_equal(move->op, IR_MOVE);
  assert_int_equal(move->src[0].kind, OPERAND_CONSTANT);
  assert_int_equal(move->src[0].constant, -5);
  assert_int_equal(read_one(*state, "ld r3, r4")->src[0].kind, OPERAND_REGISTER);
  const Instruction *address = read_one(*state, "mov r3, &y");
  assert_int_equal(address->src[0].kind, OPERAND_ADDRESS);
  assert_int_equal(address->src[0].index, 1);
}

static void atomics_know_their_operation(void **state) {
  assert_int_equal(read_one(*state, "atom.relaxed.gpu.min r0, x, 1")->atom, ATOM_MIN);
  assert_int_equal(read_one(*state, "red.relaxed.gpu.xor x, 1")->dst, UINT32_MAX);
  const Instruction *cas = read_one(*state, "atom.relaxed.gpu.cas r0, x, 1, r1");
  assert_int_equal(cas->atom, ATOM_CAS_WRITE);
  assert_int_equal(cas->src[0].constant, 1);
  assert_int_equal(cas->src[1].kind, OPERAND_REGISTER);
}

static void branches_compare_and_jump(void **state) {
  const Thread *thread = litmus_read_thread(
      *state, one_thread, "bge r0, 2, end ; goto LC00 ; LC00: ; end: exit ; exists true");
  assert_int_equal(thread->instructions[0].op, IR_BRANCH);
  assert_int_equal(thread->instructions[0].compare, IR_SET_GE);
  assert_int_equal(thread->instructions[0].target, 3);
  assert_int_equal(thread->instructions[1].compare, IR_NOP);
  assert_int_equal(thread->instructions[1].target, 2);
  assert_int_equal(thread->instructions[3].op, IR_NOP);
  assert_int_equal(thread->instructions[4].op, IR_EXIT);
}

static void labels_belong_to_their_thread(void **state) {
  const LitmusTest *test = litmus_read(*state, "PTX t {} P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;"
                                               "L: | ; goto L | L: ; | goto L ; exists true");
  assert_int_equal(test->program.threads[0].instructions[1].target, 0);
  assert_int_equal(test->program.threads[1].instructions[1].target, 0);
}

static void computations_have_two_operands(void **state) {
  static const char *const names[] = {"add", "sub", "mul", "div", "and", "or", "xor", "min", "max"};
  for (uint32_t i = 0; i < 9; i++) {
    const Instruction *compute = read_one(*state, arena_format(*state, "%s r0, r1, 7", names[i]));
    assert_int_equal(compute->op, IR_ADD + i);
    assert_int_equal(compute->src[1].constant, 7);
  }
}

static void copies_name_both_locations(void **state) {
  const Instruction *copy = read_one(*state, "cp.async y, x");
  assert_int_equal(copy->op, IR_COPY_ASYNC);
  assert_int_equal(copy->object, 1);
  assert_int_equal(copy->source_object, 0);
  assert_int_equal(read_one(*state, "cp.async.wait_all")->op, IR_COPY_WAIT);
  assert_int_equal(read_one(*state, "shfl.sync")->op, IR_NO_EVENT);
  assert_int_equal(read_one(*state, "vote.sync")->op, IR_NO_EVENT);
}

static void barriers_have_an_instance_an_id_and_a_number_of_threads(void **state) {
  const Instruction *barrier = read_one(*state, "bar.cta.sync 20");
  assert_int_equal(barrier->barrier_key, 20);
  assert_int_equal(barrier->src[0].constant, 20);
  assert_int_equal(barrier->src[1].kind, OPERAND_NONE);
  barrier = read_one(*state, "bar.cta.arrive 1, r2, 64");
  assert_int_equal(barrier->barrier, BARRIER_ARRIVE);
  assert_int_equal(barrier->src[0].kind, OPERAND_REGISTER);
  assert_int_equal(barrier->src[1].constant, 64);
  assert_int_equal(read_one(*state, "barrier.cluster.arrive")->sem, SEM_RELEASE);
  assert_int_equal(read_one(*state, "barrier.cluster.arrive.relaxed")->sem, SEM_RELAXED);
  assert_int_equal(read_one(*state, "barrier.cluster.wait.acquire")->op, IR_CLUSTER_WAIT);
}

static void spans_cover_the_instruction(void **state) {
  const Instruction *load = read_one(*state, "ld.weak r0, x ");
  const Source *source = load->span.source;
  uint32_t length = load->span.end - load->span.begin;
  assert_int_equal(length, strlen("ld.weak r0, x"));
  assert_memory_equal(source->text + load->span.begin, "ld.weak r0, x", length);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(accesses_have_order_scope_and_proxy),
      UNIT_TEST(fences_have_order_and_scope),
      UNIT_TEST(volatile_is_relaxed_sys_and_marked),
      UNIT_TEST(a_seq_cst_access_has_the_fence_of_compiled_code),
      UNIT_TEST(a_load_of_a_constant_is_a_move),
      UNIT_TEST(atomics_know_their_operation),
      UNIT_TEST(branches_compare_and_jump),
      UNIT_TEST(labels_belong_to_their_thread),
      UNIT_TEST(computations_have_two_operands),
      UNIT_TEST(copies_name_both_locations),
      UNIT_TEST(barriers_have_an_instance_an_id_and_a_number_of_threads),
      UNIT_TEST(spans_cover_the_instruction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
