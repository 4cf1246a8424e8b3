#include "ptx/modifiers.h"

#include <string.h>

typedef enum ModifierKind {
  KIND_FLAG,
  KIND_HINT,
  KIND_SEM,
  KIND_SCOPE,
  KIND_SPACE,
  KIND_VECTOR,
  KIND_OPERATION,
  KIND_COMPARE,
  KIND_HALF,
  KIND_ROUNDING,
  KIND_CACHE,
  KIND_PROXY,
  KIND_COUNT,
} ModifierKind;

static const struct {
  uint8_t kind;
  uint8_t value;
} table[] = {
    {KIND_FLAG, 0},
#define MODIFIER(id, text, kind, value) {KIND_##kind, value},
#include "ptx/modifiers.def"
#undef MODIFIER
};

typedef struct Decoder {
  const PtxModule *module;
  const PtxInstruction *instruction;
  PtxModifiers *result;
  DiagList *diags;
  const PtxModifier *first[KIND_COUNT]; // of each kind that is given once
} Decoder;

static const char *text_of(const Decoder *decoder, const PtxModifier *modifier) {
  return ptx_text(decoder->module, modifier->name);
}

static bool report(const Decoder *decoder, PtxSpan span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool report(const Decoder *decoder, PtxSpan span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_format_list(decoder->diags->arena, format, arguments);
  va_end(arguments);
  return diag_syntax(decoder->diags, ptx_span(decoder->module, span), "%s", message);
}

static bool has(const Decoder *decoder, PtxModifierId id) {
  return ptx_has_modifier(decoder->result, id);
}

static const char *mnemonic(const Decoder *decoder) {
  return ptx_text(decoder->module, decoder->instruction->mnemonic);
}

// Notes a modifier of a kind that may be given once.
static bool take_single(Decoder *decoder, ModifierKind kind, const PtxModifier *modifier) {
  const PtxModifier *earlier = decoder->first[kind];
  if (!earlier) {
    decoder->first[kind] = modifier;
    return true;
  }
  if (earlier->name == modifier->name)
    return report(decoder, modifier->span, "expected '.%s' once", text_of(decoder, modifier));
  return report(decoder, modifier->span, "expected one of '.%s' and '.%s', found both",
                text_of(decoder, earlier), text_of(decoder, modifier));
}

// Copies name a source and a destination space.
static uint32_t max_spaces(const Decoder *decoder) {
  switch (decoder->instruction->op) {
  case PTX_OP_cp:
  case PTX_OP_tensormap:
  case PTX_OP_multimem:
  case PTX_OP_tcgen05:
  case PTX_OP_UNKNOWN:
    return 2;
  default:
    return 1;
  }
}

static bool take_space(Decoder *decoder, PtxSpace space, const PtxModifier *modifier) {
  PtxModifiers *result = decoder->result;
  if (max_spaces(decoder) == 1 && !take_single(decoder, KIND_SPACE, modifier))
    return false;
  if (result->space_count == max_spaces(decoder))
    return report(decoder, modifier->span, "expected at most %u state spaces, found '.%s' too",
                  result->space_count, text_of(decoder, modifier));
  result->spaces[result->space_count++] = space;
  return true;
}

// Instructions whose operands all have one type.
static bool has_one_type(PtxOp op) {
  switch (op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
  case PTX_OP_st:
  case PTX_OP_atom:
  case PTX_OP_red:
  case PTX_OP_mov:
  case PTX_OP_setp:
  case PTX_OP_selp:
  case PTX_OP_cvta:
  case PTX_OP_shl:
  case PTX_OP_shr:
  case PTX_OP_and:
  case PTX_OP_or:
  case PTX_OP_xor:
  case PTX_OP_not:
    return true;
  default:
    return false;
  }
}

static bool take_type(Decoder *decoder, PtxType type, const PtxModifier *modifier) {
  PtxModifiers *result = decoder->result;
  uint32_t limit = has_one_type(decoder->instruction->op) ? 1 : PTX_MAX_TYPES;
  if (result->type_count == limit)
    return report(decoder, modifier->span, "expected at most %u type%s of '%s', found '.%s' too",
                  limit, limit == 1 ? "" : "s", mnemonic(decoder), text_of(decoder, modifier));
  result->types[result->type_count++] = type;
  return true;
}

// The level of a barrier is not a scope: bar.cta, barrier.cluster.
static bool is_barrier(PtxOp op) {
  return op == PTX_OP_bar || op == PTX_OP_barrier;
}

static bool is_comparison(PtxOp op) {
  return op == PTX_OP_set || op == PTX_OP_setp;
}

// Behind these, a word of the kind PROXY is a proxy; elsewhere it is part of the name.
static bool is_fence(PtxOp op) {
  return op == PTX_OP_fence || op == PTX_OP_membar;
}

static bool take_known(Decoder *decoder, PtxModifierId id, const PtxModifier *modifier) {
  PtxModifiers *result = decoder->result;
  PtxOp op = decoder->instruction->op;
  ModifierKind kind = table[id].kind;
  uint8_t value = table[id].value;
  switch (kind) {
  case KIND_SEM:
    result->sem = value;
    return take_single(decoder, kind, modifier);
  case KIND_SCOPE:
    if (is_barrier(op))
      return true;
    result->scope = value;
    return take_single(decoder, kind, modifier);
  case KIND_SPACE:
    return take_space(decoder, value, modifier);
  case KIND_VECTOR:
    result->vector = value;
    return take_single(decoder, kind, modifier);
  case KIND_OPERATION:
    result->operation = value;
    return take_single(decoder, kind, modifier);
  case KIND_HALF:
    if (!is_comparison(op))
      return take_single(decoder, KIND_HALF, modifier);
    result->compare = value;
    return take_single(decoder, KIND_COMPARE, modifier);
  case KIND_COMPARE:
    result->compare = value;
    return take_single(decoder, kind, modifier);
  case KIND_ROUNDING:
    result->rounding = value;
    return take_single(decoder, kind, modifier);
  case KIND_CACHE:
    result->cache = value;
    return take_single(decoder, kind, modifier);
  case KIND_PROXY:
    if (!is_fence(op))
      return true;
    result->proxy = value;
    result->is_proxy_one_way = strstr(text_of(decoder, modifier), "::") != NULL;
    return take_single(decoder, kind, modifier);
  default:
    return true;
  }
}

static const char *skip_digits(const char *text) {
  while (*text >= '0' && *text <= '9')
    text++;
  return text;
}

// m16n8k16, m8n8, 16x64b, 32x32b
static bool is_shape(const char *text) {
  const char *end;
  if (text[0] == 'm' && (end = skip_digits(text + 1)) > text + 1 && *end == 'n') {
    end = skip_digits(end + 1);
    if (*end == 'k')
      end = skip_digits(end + 1);
    return *end == 0;
  }
  end = skip_digits(text);
  if (end == text || *end != 'x')
    return false;
  end = skip_digits(end + 1);
  return end[0] == 0 || (end[0] == 'b' && end[1] == 0);
}

// x1, x2, x128
static uint32_t repeat_of(const char *text) {
  uint32_t repeat = 0;
  if (text[0] != 'x' || !text[1] || strlen(text) > 4 || *skip_digits(text + 1))
    return 0;
  for (text++; *text; text++)
    repeat = 10 * repeat + (uint32_t)(*text - '0');
  return repeat;
}

static void take_other(Decoder *decoder, const PtxModifier *modifier) {
  PtxModifiers *result = decoder->result;
  const char *text = text_of(decoder, modifier);
  if (is_shape(text) && !result->shape)
    result->shape = modifier->name;
  else if (repeat_of(text) && !result->repeat)
    result->repeat = repeat_of(text);
  else if (!result->unknown)
    result->unknown = modifier->name;
}

static bool take_modifier(Decoder *decoder, const PtxModifier *modifier) {
  PtxWord word = ptx_word(decoder->module, modifier->name);
  if (word.type)
    return take_type(decoder, word.type, modifier);
  if (!word.modifier) {
    take_other(decoder, modifier);
    return true;
  }
  decoder->result->words[word.modifier / 64] |= UINT64_C(1) << (word.modifier % 64);
  return take_known(decoder, word.modifier, modifier);
}

static bool take_all(Decoder *decoder) {
  const PtxInstruction *instruction = decoder->instruction;
  bool is_ok = true;
  for (uint32_t i = 0; i < instruction->modifiers.count; i++) {
    uint32_t index = instruction->modifiers.first + i;
    is_ok &= take_modifier(decoder, &decoder->module->modifiers.items[index]);
  }
  return is_ok;
}

// Is the written order one of `allowed` (bits 1 << Sem)?
static bool check_sem(const Decoder *decoder, uint32_t allowed) {
  const PtxModifier *sem = decoder->first[KIND_SEM];
  if (!sem || allowed >> decoder->result->sem & 1)
    return true;
  return report(decoder, sem->span, "expected an order that '%s' can have, found '.%s'",
                mnemonic(decoder), text_of(decoder, sem));
}

static bool missing(const Decoder *decoder, const char *what) {
  return report(decoder, decoder->instruction->span, "expected %s of '%s'", what,
                mnemonic(decoder));
}

static bool both(const Decoder *decoder, const PtxModifier *modifier, const char *other) {
  return report(decoder, modifier->span, "expected one of '.%s' and '.%s', found both", other,
                text_of(decoder, modifier));
}

// .volatile is relaxed.sys and takes neither an order nor a scope nor a cache operator.
static bool check_volatile(Decoder *decoder) {
  static const ModifierKind others[] = {KIND_SEM, KIND_SCOPE, KIND_CACHE};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (decoder->first[others[i]])
      return both(decoder, decoder->first[others[i]], "volatile");
  decoder->result->sem = SEM_RELAXED;
  decoder->result->scope = SCOPE_SYS;
  return true;
}

// Plain loads and stores: weak, volatile, or with an order and a scope.
static bool check_access(Decoder *decoder, uint32_t allowed) {
  const PtxModifier *sem = decoder->first[KIND_SEM], *scope = decoder->first[KIND_SCOPE];
  if (has(decoder, PTX_MODIFIER_volatile))
    return check_volatile(decoder);
  if (!check_sem(decoder, allowed))
    return false;
  if (!sem && scope)
    return report(decoder, scope->span, "expected an order with the scope '.%s'",
                  text_of(decoder, scope));
  if (sem && scope && decoder->result->sem == SEM_WEAK)
    return both(decoder, scope, "weak");
  if (sem && !scope && decoder->result->sem != SEM_WEAK)
    return report(decoder, sem->span, "expected a scope with the order '.%s'",
                  text_of(decoder, sem));
  if (has(decoder, PTX_MODIFIER_nc) && sem && decoder->result->sem != SEM_WEAK)
    return both(decoder, sem, "nc");
  if (has(decoder, PTX_MODIFIER_mmio) && (!sem || decoder->result->scope != SCOPE_SYS))
    return missing(decoder, "an order and the scope '.sys' with '.mmio'");
  return true;
}

enum {
  LOAD_SEMS = 1 << SEM_WEAK | 1 << SEM_RELAXED | 1 << SEM_ACQUIRE,
  STORE_SEMS = 1 << SEM_WEAK | 1 << SEM_RELAXED | 1 << SEM_RELEASE,
  RED_SEMS = 1 << SEM_RELAXED | 1 << SEM_RELEASE,
  ATOM_SEMS = RED_SEMS | 1 << SEM_ACQUIRE | 1 << SEM_ACQ_REL,
  FENCE_SEMS = 1 << SEM_SC | 1 << SEM_ACQ_REL | 1 << SEM_ACQUIRE | 1 << SEM_RELEASE,
};

static void default_sem(Decoder *decoder, Sem sem, Scope scope) {
  if (!decoder->first[KIND_SEM])
    decoder->result->sem = sem;
  if (!decoder->first[KIND_SCOPE])
    decoder->result->scope = scope;
}

static bool check_atomic(Decoder *decoder, uint32_t allowed) {
  default_sem(decoder, SEM_RELAXED, SCOPE_GPU);
  if (!decoder->first[KIND_OPERATION])
    return missing(decoder, "an operation");
  return check_sem(decoder, allowed);
}

static bool check_fence(Decoder *decoder) {
  PtxModifiers *result = decoder->result;
  result->is_proxy_fence = has(decoder, PTX_MODIFIER_proxy);
  if (result->is_proxy_fence) {
    if (!decoder->first[KIND_PROXY])
      return missing(decoder, "a proxy");
    return true;
  }
  if (!decoder->first[KIND_SCOPE])
    return missing(decoder, "a scope");
  default_sem(decoder, SEM_ACQ_REL, SCOPE_NONE);
  return check_sem(decoder, FENCE_SEMS);
}

// membar is fence.sc (spec A.2).
static bool check_membar(Decoder *decoder) {
  if (!check_fence(decoder))
    return false;
  if (!decoder->result->is_proxy_fence)
    decoder->result->sem = SEM_SC;
  return true;
}

// An order comes with a scope, which is that of a block or a cluster: nobody else has the object.
static bool check_mbarrier_scope(const Decoder *decoder) {
  const PtxModifier *sem = decoder->first[KIND_SEM], *scope = decoder->first[KIND_SCOPE];
  if (sem && !scope)
    return report(decoder, sem->span, "expected a scope with the order '.%s'",
                  text_of(decoder, sem));
  if (scope && !sem)
    return report(decoder, scope->span, "expected an order with the scope '.%s'",
                  text_of(decoder, scope));
  if (scope && decoder->result->scope != SCOPE_CTA && decoder->result->scope != SCOPE_CLUSTER)
    return report(decoder, scope->span, "expected '.cta' or '.cluster', found '.%s'",
                  text_of(decoder, scope));
  return true;
}

static bool is_remote(const Decoder *decoder) {
  return decoder->first[KIND_SPACE] && decoder->result->spaces[0] == PTX_SPACE_SHARED_CLUSTER;
}

static bool reject(const Decoder *decoder, ModifierKind kind, const char *form) {
  const PtxModifier *modifier = decoder->first[kind];
  return report(decoder, modifier->span, "expected no '.%s' with '%s'", text_of(decoder, modifier),
                form);
}

// An arrival that does not complete the phase is of the block itself, and releases.
static bool check_no_completion(const Decoder *decoder) {
  static const char form[] = "mbarrier.arrive.noComplete";
  if (!has(decoder, PTX_MODIFIER_noComplete))
    return true;
  if (is_remote(decoder))
    return reject(decoder, KIND_SPACE, form);
  if (decoder->first[KIND_SEM] && decoder->result->sem != SEM_RELEASE)
    return reject(decoder, KIND_SEM, form);
  return !decoder->first[KIND_SCOPE] || decoder->result->scope == SCOPE_CTA ||
         reject(decoder, KIND_SCOPE, form);
}

// Defaults of spec A.5: operations that count transactions are relaxed.
static bool check_mbarrier(Decoder *decoder) {
  if (has(decoder, PTX_MODIFIER_init) || has(decoder, PTX_MODIFIER_inval) ||
      has(decoder, PTX_MODIFIER_pending_count))
    return !is_remote(decoder) || reject(decoder, KIND_SPACE, "mbarrier.init");
  if (!check_mbarrier_scope(decoder) || !check_no_completion(decoder))
    return false;
  if (has(decoder, PTX_MODIFIER_test_wait) || has(decoder, PTX_MODIFIER_try_wait)) {
    if (is_remote(decoder))
      return reject(decoder, KIND_SPACE, "mbarrier.test_wait");
    default_sem(decoder, SEM_ACQUIRE, SCOPE_CTA);
    return check_sem(decoder, LOAD_SEMS & ~(1 << SEM_WEAK));
  }
  if (has(decoder, PTX_MODIFIER_arrive) || has(decoder, PTX_MODIFIER_arrive_drop)) {
    default_sem(decoder, SEM_RELEASE, SCOPE_CTA);
    return check_sem(decoder, RED_SEMS);
  }
  if (has(decoder, PTX_MODIFIER_expect_tx) || has(decoder, PTX_MODIFIER_complete_tx)) {
    default_sem(decoder, SEM_RELAXED, SCOPE_CTA);
    return check_sem(decoder, 1 << SEM_RELAXED);
  }
  return missing(decoder, "an operation");
}

// Only barrier.cluster has a memory order in its name.
static bool check_barrier(Decoder *decoder) {
  bool is_arrival = has(decoder, PTX_MODIFIER_arrive);
  if (!has(decoder, PTX_MODIFIER_sync) && !has(decoder, PTX_MODIFIER_red) && !is_arrival &&
      !has(decoder, PTX_MODIFIER_wait))
    return missing(decoder, "an operation");
  if (!has(decoder, PTX_MODIFIER_cluster))
    return check_sem(decoder, 0);
  default_sem(decoder, is_arrival ? SEM_RELEASE : SEM_ACQUIRE, SCOPE_CLUSTER);
  return check_sem(decoder, is_arrival ? RED_SEMS : 1 << SEM_ACQUIRE);
}

static bool check_comparison(const Decoder *decoder) {
  return decoder->first[KIND_COMPARE] ? true : missing(decoder, "a comparison");
}

static bool check_multimem(Decoder *decoder) {
  if (has(decoder, PTX_MODIFIER_red))
    default_sem(decoder, SEM_RELAXED, SCOPE_SYS);
  return true;
}

// st.async and red.async have rules of their own: an order is optional.
static bool check_async(Decoder *decoder) {
  if (decoder->instruction->op == PTX_OP_red)
    default_sem(decoder, SEM_RELAXED, SCOPE_CLUSTER);
  return check_sem(decoder, STORE_SEMS);
}

static bool check_opcode(Decoder *decoder) {
  bool is_async = has(decoder, PTX_MODIFIER_async) || has(decoder, PTX_MODIFIER_bulk);
  switch (decoder->instruction->op) {
  case PTX_OP_ld:
    return check_access(decoder, LOAD_SEMS);
  case PTX_OP_st:
    return is_async ? check_async(decoder) : check_access(decoder, STORE_SEMS);
  case PTX_OP_atom:
    return check_atomic(decoder, ATOM_SEMS);
  case PTX_OP_red:
    return is_async ? check_async(decoder) : check_atomic(decoder, RED_SEMS);
  case PTX_OP_fence:
    return check_fence(decoder);
  case PTX_OP_membar:
    return check_membar(decoder);
  case PTX_OP_mbarrier:
    return check_mbarrier(decoder);
  case PTX_OP_bar:
  case PTX_OP_barrier:
    return check_barrier(decoder);
  case PTX_OP_set:
  case PTX_OP_setp:
    return check_comparison(decoder);
  case PTX_OP_multimem:
    return check_multimem(decoder);
  default:
    return true;
  }
}

bool ptx_decode_modifiers(const PtxModule *module, const PtxInstruction *instruction,
                          PtxModifiers *modifiers, DiagList *diags) {
  *modifiers = (PtxModifiers){.vector = 1};
  Decoder decoder = {
      .module = module, .instruction = instruction, .result = modifiers, .diags = diags};
  bool is_ok = take_all(&decoder) && check_opcode(&decoder);
  modifiers->has_sem = decoder.first[KIND_SEM] || has(&decoder, PTX_MODIFIER_volatile);
  modifiers->has_scope = decoder.first[KIND_SCOPE] != NULL;
  return is_ok;
}
