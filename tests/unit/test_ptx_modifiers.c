// Modifiers as fields, in any order, and what contradicts.
#include "ptx_unit.h"

#include "ptx/modifiers.h"

// Decodes `text`, an instruction without operands; `messages` gets "COLUMN: message" lines.
static PtxModifiers decode(Arena *arena, const char *text, const char **messages) {
  const PtxModule *module = ptx_read(arena, arena_format(arena, PTX_BODY("%s;"), text));
  DiagList diags;
  PtxModifiers modifiers;
  diag_list_init(&diags, arena);
  bool is_ok = ptx_decode_modifiers(module, module->instructions.items, &modifiers, &diags);
  assert_int_equal(is_ok, diags.count == 0);
  *messages = ptx_diag_text(arena, &diags);
  return modifiers;
}

static PtxModifiers good(Arena *arena, const char *text) {
  const char *messages;
  PtxModifiers modifiers = decode(arena, text, &messages);
  assert_string_equal(messages, "");
  return modifiers;
}

static void assert_order(Arena *arena, const char *text, Sem sem, Scope scope) {
  PtxModifiers modifiers = good(arena, text);
  if (modifiers.sem != sem || modifiers.scope != scope)
    fail_msg("%s: sem %d scope %d", text, modifiers.sem, modifiers.scope);
}

static void orders_and_defaults(void **state) {
  assert_order(*state, "ld.global.u32", SEM_WEAK, SCOPE_NONE);
  assert_order(*state, "ld.weak.u32", SEM_WEAK, SCOPE_NONE);
  assert_order(*state, "ld.volatile.global.u32", SEM_RELAXED, SCOPE_SYS);
  assert_order(*state, "ld.acquire.cluster.u32", SEM_ACQUIRE, SCOPE_CLUSTER);
  assert_order(*state, "ld.mmio.relaxed.sys.global.u32", SEM_RELAXED, SCOPE_SYS);
  assert_order(*state, "st.release.cta.u32", SEM_RELEASE, SCOPE_CTA);
  assert_order(*state, "atom.global.add.u32", SEM_RELAXED, SCOPE_GPU);
  assert_order(*state, "atom.global.cta.add.u32", SEM_RELAXED, SCOPE_CTA);
  assert_order(*state, "atom.relaxed.global.cas.b32", SEM_RELAXED, SCOPE_GPU);
  assert_order(*state, "atom.global.sys.acq_rel.add.u32", SEM_ACQ_REL, SCOPE_SYS);
  assert_order(*state, "atom.acq_rel.sys.global.add.u32", SEM_ACQ_REL, SCOPE_SYS);
  assert_order(*state, "red.release.gpu.global.add.u32", SEM_RELEASE, SCOPE_GPU);
  assert_order(*state, "fence.gpu", SEM_ACQ_REL, SCOPE_GPU);
  assert_order(*state, "fence.sc.sys", SEM_SC, SCOPE_SYS);
  assert_order(*state, "membar.gl", SEM_SC, SCOPE_GPU);
  assert_order(*state, "membar.cta", SEM_SC, SCOPE_CTA);
  assert_order(*state, "mbarrier.arrive.shared.b64", SEM_RELEASE, SCOPE_CTA);
  assert_order(*state, "mbarrier.try_wait.shared.b64", SEM_ACQUIRE, SCOPE_CTA);
  assert_order(*state, "mbarrier.expect_tx.relaxed.cluster.shared.b64", SEM_RELAXED, SCOPE_CLUSTER);
  assert_order(*state, "barrier.cluster.arrive", SEM_RELEASE, SCOPE_CLUSTER);
  assert_order(*state, "barrier.cluster.arrive.relaxed", SEM_RELAXED, SCOPE_CLUSTER);
  assert_order(*state, "barrier.cluster.wait.aligned", SEM_ACQUIRE, SCOPE_CLUSTER);
  assert_order(*state, "bar.cta.sync", SEM_WEAK, SCOPE_NONE);
  assert_order(*state, "multimem.red.global.add.u32", SEM_RELAXED, SCOPE_SYS);
}

static void spaces_types_and_vectors(void **state) {
  PtxModifiers load = good(*state, "ld.global.nc.L1::no_allocate.v4.f32");
  assert_int_equal(load.spaces[0], PTX_SPACE_GLOBAL);
  assert_int_equal(load.vector, 4);
  assert_int_equal(load.types[0], PTX_TYPE_f32);
  assert_true(ptx_has_modifier(&load, PTX_MODIFIER_nc));
  PtxModifiers copy =
      good(*state, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");
  assert_int_equal(copy.space_count, 2);
  assert_int_equal(copy.spaces[0], PTX_SPACE_SHARED_CLUSTER);
  assert_int_equal(copy.spaces[1], PTX_SPACE_GLOBAL);
  assert_true(ptx_has_modifier(&copy, PTX_MODIFIER_bulk));
  PtxModifiers mma = good(*state, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
  assert_int_equal(mma.type_count, 4);
  assert_int_equal(mma.types[1], PTX_TYPE_bf16);
  PtxModifiers convert = good(*state, "cvt.rn.satfinite.e4m3x2.f32");
  assert_int_equal(convert.rounding, PTX_ROUNDING_RN);
  assert_int_equal(convert.type_count, 2);
}

static void operations_and_comparisons(void **state) {
  assert_int_equal(good(*state, "atom.min.relaxed.gpu.s32").operation, PTX_OPERATION_MIN);
  assert_int_equal(good(*state, "setp.lt.and.s32").operation, PTX_OPERATION_AND);
  assert_int_equal(good(*state, "setp.lt.and.s32").compare, PTX_COMPARE_LT);
  assert_int_equal(good(*state, "setp.lo.u32").compare, PTX_COMPARE_LO);
  assert_int_equal(good(*state, "mul.lo.s32").compare, PTX_COMPARE_NONE);
  PtxModifiers product = good(*state, "mul.hi.u32");
  assert_true(ptx_has_modifier(&product, PTX_MODIFIER_hi));
  assert_int_equal(good(*state, "ld.global.cg.u32").cache, PTX_CACHE_CG);
  assert_int_equal(good(*state, "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16").repeat, 4);
  assert_int_not_equal(good(*state, "wmma.load.a.sync.aligned.row.m16n16k16.f16").shape, 0);
}

static void proxies(void **state) {
  PtxModifiers fence = good(*state, "fence.proxy.async.shared::cta");
  assert_true(fence.is_proxy_fence);
  assert_false(fence.is_proxy_one_way);
  assert_int_equal(fence.proxy, PROXY_ASYNC);
  assert_int_equal(fence.spaces[0], PTX_SPACE_SHARED_CTA);
  fence = good(*state, "fence.proxy.tensormap::generic.acquire.gpu");
  assert_true(fence.is_proxy_one_way);
  assert_int_equal(fence.proxy, PROXY_TENSORMAP);
  assert_int_equal(fence.sem, SEM_ACQUIRE);
  assert_int_equal(good(*state, "membar.proxy.alias").proxy, PROXY_ALIAS);
  assert_false(good(*state, "cp.async.wait_all").is_proxy_fence);
}

static void unknown_modifiers_are_named(void **state) {
  assert_int_not_equal(good(*state, "ld.global.novel.u32").unknown, 0);
  assert_int_equal(good(*state, "ld.global.u32").unknown, 0);
}

static void contradictions(void **state) {
  static const char *const cases[][2] = {
      {"ld.acquire.relaxed.gpu.u32", "5:11: expected one of '.acquire' and '.relaxed', found both"},
      {"ld.acquire.gpu.cta.u32", "5:15: expected one of '.gpu' and '.cta', found both"},
      {"ld.acquire.acquire.gpu.u32", "5:11: expected '.acquire' once"},
      {"ld.acquire.u32", "5:3: expected a scope with the order '.acquire'"},
      {"ld.gpu.u32", "5:3: expected an order with the scope '.gpu'"},
      {"ld.weak.gpu.u32", "5:8: expected one of '.weak' and '.gpu', found both"},
      {"ld.release.gpu.u32", "5:3: expected an order that 'ld' can have, found '.release'"},
      {"ld.volatile.acquire.gpu.u32",
       "5:12: expected one of '.volatile' and '.acquire', found both"},
      {"ld.volatile.gpu.u32", "5:12: expected one of '.volatile' and '.gpu', found both"},
      {"ld.volatile.cg.u32", "5:12: expected one of '.volatile' and '.cg', found both"},
      {"ld.global.shared.u32", "5:10: expected one of '.global' and '.shared', found both"},
      {"ld.v2.v4.u32", "5:6: expected one of '.v2' and '.v4', found both"},
      {"ld.ca.cg.u32", "5:6: expected one of '.ca' and '.cg', found both"},
      {"ld.u32.u64", "5:7: expected at most 1 type of 'ld', found '.u64' too"},
      {"ld.global.nc.relaxed.gpu.u32", "5:13: expected one of '.nc' and '.relaxed', found both"},
      {"ld.mmio.relaxed.gpu.u32",
       "5:1: expected an order and the scope '.sys' with '.mmio' of 'ld'"},
      {"st.acquire.gpu.u32", "5:3: expected an order that 'st' can have, found '.acquire'"},
      {"atom.add.min.u32", "5:9: expected one of '.add' and '.min', found both"},
      {"atom.sc.gpu.add.u32", "5:5: expected an order that 'atom' can have, found '.sc'"},
      {"atom.global.u32", "5:1: expected an operation of 'atom'"},
      {"red.acquire.gpu.add.u32", "5:4: expected an order that 'red' can have, found '.acquire'"},
      {"fence.acq_rel", "5:1: expected a scope of 'fence'"},
      {"fence.relaxed.gpu", "5:6: expected an order that 'fence' can have, found '.relaxed'"},
      {"fence.proxy.global", "5:1: expected a proxy of 'fence'"},
      {"membar", "5:1: expected a scope of 'membar'"},
      {"setp.s32", "5:1: expected a comparison of 'setp'"},
      {"setp.lt.gt.s32", "5:8: expected one of '.lt' and '.gt', found both"},
      {"add.rn.rz.f32", "5:7: expected one of '.rn' and '.rz', found both"},
      {"mbarrier.b64", "5:1: expected an operation of 'mbarrier'"},
      {"mbarrier.test_wait.release.cta.b64",
       "5:19: expected an order that 'mbarrier' can have, found '.release'"},
      {"mbarrier.arrive.release.b64", "5:16: expected a scope with the order '.release'"},
      {"mbarrier.arrive.cluster.b64", "5:16: expected an order with the scope '.cluster'"},
      {"mbarrier.try_wait.acquire.gpu.b64", "5:26: expected '.cta' or '.cluster', found '.gpu'"},
      {"mbarrier.test_wait.shared::cluster.b64",
       "5:19: expected no '.shared::cluster' with 'mbarrier.test_wait'"},
      {"mbarrier.arrive.noComplete.relaxed.cta.b64",
       "5:27: expected no '.relaxed' with 'mbarrier.arrive.noComplete'"},
      {"mbarrier.arrive.noComplete.release.cluster.b64",
       "5:35: expected no '.cluster' with 'mbarrier.arrive.noComplete'"},
      {"mbarrier.init.shared::cluster.b64",
       "5:14: expected no '.shared::cluster' with 'mbarrier.init'"},
      {"bar.release", "5:1: expected an operation of 'bar'"},
      {"bar.sync.release", "5:9: expected an order that 'bar' can have, found '.release'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *messages;
    decode(*state, cases[i][0], &messages);
    assert_string_equal(messages, arena_format(*state, "%s\n", cases[i][1]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(orders_and_defaults),         UNIT_TEST(spaces_types_and_vectors),
      UNIT_TEST(operations_and_comparisons),  UNIT_TEST(proxies),
      UNIT_TEST(unknown_modifiers_are_named), UNIT_TEST(contradictions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
