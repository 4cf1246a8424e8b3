// The instructions of the X86 dialect and what they become.
#include "litmus_unit.h"

static const char one_thread[] = "X86 t { } P0 ;";

static const Thread *read_cells(Arena *arena, const char *cells) {
  return litmus_read_thread(arena, one_thread, arena_format(arena, "%s; exists true", cells));
}

static void check_ops(Arena *arena, const char *cells, uint32_t count, const IrOp *ops) {
  const Thread *thread = read_cells(arena, cells);
  assert_int_equal(thread->instruction_count, count);
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(thread->instructions[i].op, ops[i]);
}

static void moves_are_loads_stores_or_moves(void **state) {
  static const char *const stores[] = {"MOV [x],$1", "mov [x], 1", "MOV [x],EAX"};
  for (uint32_t i = 0; i < 3; i++) {
    const Instruction *store = &read_cells(*state, stores[i])->instructions[0];
    assert_int_equal(store->op, IR_STORE);
    assert_int_equal(store->sem, SEM_RELAXED);
    assert_int_equal(store->scope, SCOPE_SYS);
  }
  check_ops(*state, "MOV EAX,[x]; mov eax,$-3; MOV EAX,EBX", 3,
            (const IrOp[]){IR_LOAD, IR_MOVE, IR_MOVE});
  assert_int_equal(read_cells(*state, "MOV EAX,$-3")->instructions[0].src[0].constant, -3);
}

static void fences_and_exchanges_are_full(void **state) {
  const Thread *thread = read_cells(*state, "MFENCE; XCHG [x],EAX; xchg eax,[x]");
  assert_int_equal(thread->instructions[0].op, IR_FENCE);
  assert_int_equal(thread->instructions[0].sem, SEM_SC);
  for (uint32_t i = 1; i < 3; i++) {
    const Instruction *exchange = &thread->instructions[i];
    assert_int_equal(exchange->op, IR_ATOM);
    assert_int_equal(exchange->atom, ATOM_EXCH);
    assert_int_equal(exchange->flags, INSTRUCTION_LOCKED);
    assert_int_equal(exchange->sem, SEM_SC);
    assert_int_equal(exchange->scope, SCOPE_SYS);
    assert_int_equal(exchange->dst, exchange->src[0].index);
  }
}

static void updates_of_memory_are_split_unless_locked(void **state) {
  check_ops(*state, "INC [x]", 3, (const IrOp[]){IR_LOAD, IR_ADD, IR_STORE});
  check_ops(*state, "LOCK DEC [x]", 2, (const IrOp[]){IR_ATOM, IR_SUB});
  check_ops(*state, "ADD EAX,[x]", 3, (const IrOp[]){IR_LOAD, IR_ADD, IR_MOVE});
  check_ops(*state, "XADD [x],EAX", 4, (const IrOp[]){IR_LOAD, IR_ADD, IR_STORE, IR_MOVE});
  check_ops(*state, "lock xadd [x],EAX", 3, (const IrOp[]){IR_ATOM, IR_ADD, IR_MOVE});
  check_ops(*state, "LOCK CMPXCHG [x],EBX", 3, (const IrOp[]){IR_ATOM, IR_SUB, IR_MOVE});
  check_ops(*state, "XOR EAX,EBX", 2, (const IrOp[]){IR_XOR, IR_MOVE});
}

static void jumps_compare_the_flags_with_zero(void **state) {
  const Thread *thread = read_cells(*state, "L0: ; CMP EAX,[x]; JLE L0; JMP L0");
  assert_int_equal(thread->instructions[1].op, IR_LOAD);
  const Instruction *compare = &thread->instructions[2], *jump = &thread->instructions[3];
  assert_int_equal(compare->op, IR_SUB);
  assert_int_equal(jump->op, IR_BRANCH);
  assert_int_equal(jump->compare, IR_SET_LE);
  assert_int_equal(jump->src[0].index, compare->dst);
  assert_int_equal(jump->src[1].constant, 0);
  assert_int_equal(thread->instructions[4].compare, IR_NOP);
}

static void each_thread_is_a_cta_of_its_own(void **state) {
  const LitmusTest *test =
      litmus_read(*state, "X86 t { 1:ebx=5; P0:EAX=x; } P0|P1; MFENCE|MFENCE exists 1:EBX=5");
  assert_int_equal(test->program.threads[1].place.cta, 1);
  assert_int_equal(test->program.threads[1].registers[0].initial, 5);
  assert_string_equal(test->condition.columns[0].name, "P1:EBX");
}

static void herds_remarks_are_skipped(void **state) {
  const LitmusTest *test =
      litmus_read(*state, "X86 t \"doc\" {x = 0; y = 0};\n P0 | P1;\n MOV [x],1 | MOV EAX,[x];\n"
                          "final (P1:EAX = 1);\nwith\ntso: ~exists;\ncc: exists;\n(* c *)\n"
                          "<<\nshow 3\n>>\n<< readfrom a/b-rf.dot >>\n");
  assert_int_equal(test->condition.kind, CONDITION_EXISTS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(moves_are_loads_stores_or_moves),
      UNIT_TEST(fences_and_exchanges_are_full),
      UNIT_TEST(updates_of_memory_are_split_unless_locked),
      UNIT_TEST(jumps_compare_the_flags_with_zero),
      UNIT_TEST(each_thread_is_a_cta_of_its_own),
      UNIT_TEST(herds_remarks_are_skipped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
