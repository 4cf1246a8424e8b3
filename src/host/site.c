// Places in the functions' source as instructions of the program.
#include "host/run.h"

#include <string.h>

typedef enum OperationKind {
  KIND_NONE,
  KIND_LOAD,
  KIND_STORE,
  KIND_UPDATE,
  KIND_CAS,
  KIND_FENCE,
  KIND_BARRIER,
  KIND_LANES,
  KIND_CLUSTER,
  KIND_ASSERT,
  KIND_ROUND,
} OperationKind;

static const struct {
  const char *text;
  OperationKind kind;
} operations[HOST_OPERATION_COUNT] = {
#define OPERATION(name, text, kind) [HOST_##name] = {text, KIND_##kind},
#include "host/operation.def"
#undef OPERATION
};

enum { SLOTS = 4096, BLANK_LINES = 1 << 16 };

void sites_init(Sites *sites, HostReadSource *read, void *context, Arena *arena) {
  *sites = (Sites){.arena = arena, .read = read, .read_context = context};
  sites->capacity = MOST_SITES + 2; // so that no place is followed by the end of the code
  sites->instructions = ARENA_ARRAY(arena, Instruction, sites->capacity);
  sites->keys = ARENA_ARRAY(arena, struct SiteKey, sites->capacity);
  sites->slots = ARENA_ARRAY(arena, uint32_t, SLOTS);
  for (uint32_t i = 0; i < sites->capacity; i++)
    sites->instructions[i] = (Instruction){.op = IR_NOP,
                                           .dst = UINT32_MAX,
                                           .object = UINT32_MAX,
                                           .source_object = UINT32_MAX,
                                           .more = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                           .text = ""};
}

// --- places in the text

// A text of empty lines, for a file that is not at hand: places keep their line numbers.
static const Source *blank_source(Sites *sites, const char *name) {
  Source *source = ARENA_NEW(sites->arena, Source);
  char *text = ARENA_ARRAY(sites->arena, char, BLANK_LINES + 1);
  memset(text, '\n', BLANK_LINES);
  *source = (Source){name, text, BLANK_LINES};
  return source;
}

static const Source *find_source(Sites *sites, const char *name) {
  for (uint32_t i = 0; i < sites->sources.count; i++)
    if (strcmp(sites->sources.items[i]->name, name) == 0)
      return sites->sources.items[i];
  const Source *source = sites->read ? sites->read(sites->read_context, name) : NULL;
  if (!source)
    source = blank_source(sites, arena_copy_text(sites->arena, name, strlen(name)));
  array_push(sites->arena, &sites->sources, source);
  return source;
}

Span sites_span(Sites *sites, const HostSite *site) {
  if (!site->file)
    return (Span){0};
  const Source *source = find_source(sites, site->file);
  uint32_t begin = 0, line = 1;
  for (; begin < source->length && line < site->line; begin++)
    line += source->text[begin] == '\n';
  while (begin < source->length && (source->text[begin] == ' ' || source->text[begin] == '\t'))
    begin++;
  uint32_t end = begin;
  while (end < source->length && source->text[end] != '\n')
    end++;
  return (Span){source, begin, end};
}

// --- the text of an instruction

static HostOperation operation_of(uint32_t code) {
  return (HostOperation)(code & 0xff);
}

static Sem sem_of(uint32_t code) {
  return (Sem)(code >> 8 & 0xf);
}

static Scope scope_of(uint32_t code) {
  return (Scope)(code >> 12 & 0xf);
}

static uint32_t size_of(uint32_t code) {
  return code >> 16 & 0xf;
}

static HostType type_of(uint32_t code) {
  return (HostType)(code >> 20 & 0xf);
}

static bool is_volatile(uint32_t code) {
  return code >> 24 & HOST_VOLATILE;
}

static const char *scope_word(Scope scope) {
  static const char *const words[] = {"thread", "block", "cluster", "device", "system"};
  return words[scope];
}

static const char *sem_word(Sem sem) {
  static const char *const words[] = {"plain",   "relaxed", "acquire",
                                      "release", "acq_rel", "seq_cst"};
  return words[sem];
}

static const char *print(Sites *sites, const HostSite *site, uint32_t code) {
  const char *operands = site->text ? site->text : "";
  const char *name = operations[operation_of(code)].text;
  if (code >> 24 & HOST_NO_RESULT)
    name += strlen("fetch_");
  switch (operations[operation_of(code)].kind) {
  case KIND_LOAD:
  case KIND_STORE:
    if (is_volatile(code) || sem_of(code) == SEM_WEAK)
      return arena_format(sites->arena, "%s %s(%s)", is_volatile(code) ? "volatile" : "plain", name,
                          operands);
    // fall through
  case KIND_UPDATE:
  case KIND_CAS:
    return arena_format(sites->arena, "%s(%s, %s, %s)", name, operands, sem_word(sem_of(code)),
                        scope_word(scope_of(code)));
  case KIND_FENCE:
    return arena_format(sites->arena, "%s(%s, %s)", name, sem_word(sem_of(code)),
                        scope_word(scope_of(code)));
  default:
    return arena_format(sites->arena, "%s(%s)", name, operands);
  }
}

// --- instructions

static Operand in_register(uint32_t i) {
  return (Operand){.kind = OPERAND_REGISTER, .index = GUEST_OPERAND + i};
}

static AluType alu_type(HostType type, uint32_t size) {
  static const AluType types[3][4] = {
      {ALU_TYPE_U8, ALU_TYPE_U16, ALU_TYPE_U32, ALU_TYPE_U64},
      {ALU_TYPE_S8, ALU_TYPE_S16, ALU_TYPE_S32, ALU_TYPE_S64},
      {ALU_TYPE_F16, ALU_TYPE_F16, ALU_TYPE_F32, ALU_TYPE_F64},
  };
  return types[type][size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}

static const AluOperation *make_alu(Sites *sites, AluOp op, AluType type) {
  AluOperation *alu = ARENA_NEW(sites->arena, AluOperation);
  alu->op = (uint8_t)op;
  alu->type = (uint8_t)type;
  return alu;
}

static AluOp alu_op(HostOperation operation) {
  switch (operation) {
  case HOST_AND:
    return ALU_AND;
  case HOST_OR:
    return ALU_OR;
  case HOST_XOR:
    return ALU_XOR;
  case HOST_MIN:
    return ALU_MIN;
  case HOST_MAX:
    return ALU_MAX;
  default:
    return ALU_ADD;
  }
}

// Bits have no sign.
static AluType update_type(HostOperation operation, HostType type, uint32_t size) {
  static const AluType bits[] = {ALU_TYPE_B8, ALU_TYPE_B16, ALU_TYPE_B32, ALU_TYPE_B64};
  if (operation == HOST_AND || operation == HOST_OR || operation == HOST_XOR)
    return bits[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
  return alu_type(type, size);
}

uint64_t host_update(uint32_t code, uint64_t old, uint64_t operand) {
  HostOperation operation = operation_of(code);
  AluOperation alu = {.op = (uint8_t)alu_op(operation),
                      .type = (uint8_t)update_type(operation, type_of(code), size_of(code))};
  uint64_t operands[ALU_MAX_OPERANDS] = {old, operand}, results[ALU_MAX_RESULTS] = {0};
  alu_compute(&alu, operands, results);
  return results[0];
}

static void fill_access(Instruction *instruction, uint32_t code) {
  instruction->sem = (uint8_t)sem_of(code);
  instruction->scope = (uint8_t)(sem_of(code) == SEM_WEAK ? SCOPE_NONE : scope_of(code));
  instruction->size = (uint8_t)size_of(code);
  instruction->space = SPACE_GLOBAL;
  instruction->address = in_register(0);
  if (is_volatile(code)) {
    instruction->sem = SEM_RELAXED;
    instruction->scope = SCOPE_SYS;
    instruction->flags |= INSTRUCTION_VOLATILE;
  }
}

static void fill_update(Sites *sites, Instruction *instruction, uint32_t code) {
  HostOperation operation = operation_of(code);
  fill_access(instruction, code);
  instruction->op = IR_ATOM;
  instruction->dst = GUEST_RESULT;
  // Sums of floating point depend on the order.
  if (code >> 24 & HOST_NO_RESULT && type_of(code) != HOST_FLOAT)
    instruction->flags |= INSTRUCTION_UNUSED;
  instruction->src[0] = in_register(1);
  if (operation == HOST_COMPARE_EXCHANGE) {
    instruction->atom = ATOM_CAS;
    instruction->failure_sem = (uint8_t)(code >> 28);
    instruction->src[1] = in_register(2);
  } else if (operation == HOST_EXCHANGE) {
    instruction->atom = ATOM_EXCH;
  } else {
    instruction->atom = ATOM_ALU;
    instruction->alu =
        make_alu(sites, alu_op(operation), update_type(operation, type_of(code), size_of(code)));
  }
}

static void fill_barrier(Instruction *instruction, uint32_t code) {
  HostOperation operation = operation_of(code);
  instruction->op = IR_BARRIER;
  instruction->barrier = BARRIER_SYNC;
  instruction->src[0] = in_register(0);
  if (operation == HOST_BARRIER_SYNC || operation == HOST_BARRIER_ARRIVE)
    instruction->src[1] = in_register(1);
  else
    instruction->flags |= INSTRUCTION_ALIGNED;
  if (operation == HOST_BARRIER_ARRIVE)
    instruction->barrier = BARRIER_ARRIVE;
  if (operation == HOST_SYNC_AND || operation == HOST_SYNC_OR || operation == HOST_SYNC_COUNT) {
    instruction->barrier = BARRIER_RED;
    instruction->dst = GUEST_RESULT;
    instruction->src[2] = in_register(2);
    instruction->collective = operation == HOST_SYNC_AND  ? COLLECTIVE_VOTE_ALL
                              : operation == HOST_SYNC_OR ? COLLECTIVE_VOTE_ANY
                                                          : COLLECTIVE_VOTE_BALLOT;
  }
}

static Collective collective_of(HostOperation operation) {
  switch (operation) {
  case HOST_SHUFFLE_UP:
    return COLLECTIVE_SHUFFLE_UP;
  case HOST_SHUFFLE_DOWN:
    return COLLECTIVE_SHUFFLE_DOWN;
  case HOST_SHUFFLE_XOR:
    return COLLECTIVE_SHUFFLE_XOR;
  case HOST_VOTE_ALL:
    return COLLECTIVE_VOTE_ALL;
  case HOST_VOTE_ANY:
    return COLLECTIVE_VOTE_ANY;
  case HOST_BALLOT:
    return COLLECTIVE_VOTE_BALLOT;
  case HOST_MATCH_ANY:
    return COLLECTIVE_MATCH_ANY;
  case HOST_REDUCE_ADD:
    return COLLECTIVE_REDUCE;
  default:
    return COLLECTIVE_SHUFFLE_INDEX;
  }
}

static void fill_lanes(Sites *sites, Instruction *instruction, uint32_t code) {
  instruction->src[3] = in_register(0);
  if (operation_of(code) == HOST_SYNC_WARP) {
    instruction->op = IR_BARRIER_WARP;
    return;
  }
  instruction->op = IR_COLLECTIVE;
  instruction->collective = (uint8_t)collective_of(operation_of(code));
  instruction->dst = GUEST_RESULT;
  for (uint32_t i = 0; i < 3; i++)
    instruction->src[i] = in_register(i + 1);
  if (operation_of(code) == HOST_REDUCE_ADD)
    instruction->alu = make_alu(sites, ALU_ADD, alu_type(type_of(code), size_of(code)));
}

static void fill(Sites *sites, Instruction *instruction, uint32_t code) {
  switch (operations[operation_of(code)].kind) {
  case KIND_LOAD:
    fill_access(instruction, code);
    instruction->op = IR_LOAD;
    instruction->dst = GUEST_RESULT;
    break;
  case KIND_STORE:
    fill_access(instruction, code);
    instruction->op = IR_STORE;
    instruction->src[0] = in_register(1);
    break;
  case KIND_UPDATE:
  case KIND_CAS:
    fill_update(sites, instruction, code);
    break;
  case KIND_FENCE:
    instruction->op = IR_FENCE;
    instruction->sem = (uint8_t)sem_of(code);
    instruction->scope = (uint8_t)scope_of(code);
    break;
  case KIND_BARRIER:
    fill_barrier(instruction, code);
    break;
  case KIND_LANES:
    fill_lanes(sites, instruction, code);
    break;
  case KIND_CLUSTER:
    instruction->op =
        operation_of(code) == HOST_CLUSTER_ARRIVE ? IR_CLUSTER_ARRIVE : IR_CLUSTER_WAIT;
    instruction->sem = (uint8_t)sem_of(code);
    break;
  case KIND_ASSERT:
    instruction->op = IR_TRAP;
    instruction->conversion = 1; // an assertion
    break;
  case KIND_ROUND:
  case KIND_NONE:
    break;
  }
}

uint32_t sites_find(Sites *sites, const HostSite *site, uint32_t code) {
  uint64_t hash = ((uintptr_t)site ^ (uint64_t)code << 32) * 0x9e3779b97f4a7c15u;
  uint32_t slot = (uint32_t)(hash >> 40) % SLOTS;
  for (; sites->slots[slot]; slot = (slot + 1) % SLOTS) {
    uint32_t number = sites->slots[slot] - 1;
    if (sites->keys[number].site == site && sites->keys[number].code == code)
      return number;
  }
  if (sites->count == MOST_SITES)
    return MOST_SITES;
  uint32_t number = sites->count++;
  sites->slots[slot] = number + 1;
  sites->keys[number] = (struct SiteKey){site, code};
  Instruction *instruction = &sites->instructions[number];
  fill(sites, instruction, code);
  instruction->text = print(sites, site, code);
  instruction->span = sites_span(sites, site);
  return number;
}
