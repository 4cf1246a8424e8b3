// Products of warpgroups, wgmma (spec A.6). Four warps multiply together: a product belongs to the
// group that each of them commits it to, and waiting for a group waits for what all four have read
// (PTX ISA, "wgmma.commit_group": one group of the warpgroup).
#include "explore/kernel.h"

enum { WARPGROUP = 128 };

static void set(Search *search, uint64_t *word, uint64_t value) {
  trail_set(&search->trail, word, value);
}

static uint64_t group_of(const Search *search, uint32_t thread) {
  return search->kernel->groups[COPY_PRODUCT][thread];
}

// --- loads of factors

// The load is not in program order: it may take place any time until its group is waited for.
bool kernel_product_load(Search *search, uint32_t thread, const Instruction *instruction,
                         bool *is_done) {
  uint32_t location, read;
  if (!kernel_locate(search, thread, instruction, &instruction->address, instruction->offset,
                     (Space)instruction->space, instruction->size, &location, is_done))
    return false;
  if (!*is_done || location == EVENT_NONE)
    return true;
  Event event = kernel_access_event(search, thread, instruction, EVENT_READ, location);
  event.flags |= EVENT_ASYNC | EVENT_ISSUED;
  if (!kernel_settle_load(search, &event, is_done))
    return false;
  if (!*is_done)
    return true;
  if (!search_add_event(search, event, &read) || !kernel_order_issue(search, thread, read))
    return false;
  kernel_append_copy(search, (Copy){thread, read, true, COPY_PRODUCT, group_of(search, thread)});
  kernel_set_register(search, thread, instruction->dst, event.value);
  return true;
}

// --- results

void kernel_product_result(Search *search, uint32_t thread, const Instruction *instruction) {
  Value value = {.kind = VALUE_PENDING,
                 .first = kernel_value(search, thread, &instruction->src[0]),
                 .event = (uint32_t)group_of(search, thread)};
  kernel_set_register(search, thread, instruction->dst, values_add(&search->values, value));
}

// A product that adds to the result of another one need not wait for it (PTX ISA, "wgmma.fence").
ValueId kernel_use(Search *search, uint32_t thread, ValueId value) {
  const Value *used = &search->values.items[value];
  if (used->kind == VALUE_UNDEFINED)
    used = &search->values.items[used->first];
  if (used->kind != VALUE_PENDING || used->event < search->kernel->finished_products[thread])
    return value;
  const ThreadState *state = &search->threads[thread];
  const Instruction *user = &search->codes[thread].thread->instructions[state->pc];
  if (user->flags & INSTRUCTION_OF_PRODUCT)
    return used->first;
  kernel_add_fault(search, thread, RULE_ASYNC_NOT_WAITED);
  return value;
}

// --- waiting

// The threads of the warpgroup, of which `first` is the first.
static uint32_t warpgroup_of(const Search *search, uint32_t thread, uint32_t *first) {
  const ThreadGroup *block = &search->program->blocks[search->program->threads[thread].block];
  uint32_t start = (thread - block->threads[0]) / WARPGROUP * WARPGROUP;
  uint32_t rest = block->count - start;
  *first = block->threads[start];
  return rest < WARPGROUP ? rest : WARPGROUP;
}

static uint64_t awaited_groups(const Search *search, uint32_t thread, uint64_t left) {
  uint64_t committed = group_of(search, thread);
  return committed > left ? committed - left : 0;
}

static bool has_issued(const Search *search, uint32_t thread, uint64_t limit) {
  uint32_t first, count = warpgroup_of(search, thread, &first);
  for (uint32_t i = first; i < first + count; i++)
    if (group_of(search, i) < limit)
      return false;
  return true;
}

bool kernel_product_is_ready(const Search *search, uint32_t thread) {
  return has_issued(search, thread, search->threads[thread].products);
}

// Orders what the warpgroup has read for the groups before `limit` before `event`.
static bool await_products(Search *search, uint32_t thread, uint64_t limit, uint32_t event) {
  const Kernel *kernel = search->kernel;
  uint32_t first, count = warpgroup_of(search, thread, &first);
  for (uint32_t i = 0; i < kernel->copy_count; i++) {
    const Copy *copy = &kernel->copies[i];
    if (copy->kind == COPY_PRODUCT && copy->thread - first < count && copy->group < limit &&
        !graph_add_order(&search->graph, SYNC_ASYNC, copy->event, event))
      return false;
  }
  return true;
}

bool kernel_product_wait(Search *search, uint32_t thread, const Instruction *instruction,
                         bool *is_done) {
  uint64_t left;
  uint32_t event;
  *is_done = kernel_number(search, thread, &instruction->src[0], &left);
  if (!*is_done)
    return true;
  uint64_t limit = awaited_groups(search, thread, left);
  *is_done = has_issued(search, thread, limit);
  if (!*is_done) {
    set(search, &search->threads[thread].products, limit);
    set(search, &search->threads[thread].status, THREAD_AT_PRODUCT);
    return true;
  }
  Event fence = {.kind = EVENT_PROXY_FENCE, .proxy = PROXY_ASYNC, .thread = thread};
  if (!search_add_event(search, fence, &event) || !await_products(search, thread, limit, event))
    return false;
  set(search, &search->kernel->finished_products[thread], limit);
  return true;
}
