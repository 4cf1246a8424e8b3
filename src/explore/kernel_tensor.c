// Bulk copies of the box of a tensor (PTX ISA, "cp.async.bulk.tensor"). What lies
// outside of the tensor is zero in shared memory, and is not written to global memory.
#include "explore/kernel.h"
#include "ir/alu.h"
#include "ir/tensor.h"

// A map that the kernel may have written: its words are in registers.
static const TensorMap *read_map(Search *search, uint32_t thread, const Instruction *instruction,
                                 TensorMap *map, bool *is_done) {
  uint8_t bytes[TENSOR_MAP_BYTES];
  for (uint32_t i = 0; i < TENSOR_MAP_WORDS && *is_done; i++) {
    Operand operand = {.kind = OPERAND_REGISTER, .index = instruction->map_words[i]};
    uint64_t word = 0;
    *is_done = kernel_number(search, thread, &operand, &word);
    for (uint32_t j = 0; j < 8; j++)
      bytes[8 * i + j] = (uint8_t)(word >> 8 * j);
  }
  return *is_done && tensor_decode_map(bytes, map) ? map : NULL;
}

// False: there is no map for the copy. *written: memory for a map that is not a parameter.
static bool find_box(Search *search, uint32_t thread, const Instruction *instruction,
                     TensorBox *box, TensorMap *written, bool *is_done) {
  static const uint32_t places[TENSOR_PLACE_WORDS] = {1, 3, 4};
  uint64_t address, words[TENSOR_PLACE_WORDS] = {0};
  *is_done = kernel_number(search, thread, &instruction->src[0], &address);
  for (uint32_t i = 0; i < TENSOR_PLACE_WORDS && *is_done; i++)
    if (instruction->src[places[i]].kind != OPERAND_NONE)
      *is_done = kernel_number(search, thread, &instruction->src[places[i]], &words[i]);
  if (!*is_done)
    return true;
  const TensorMap *map = tensor_find_map(search->program, address);
  if (!map && instruction->map_words)
    map = read_map(search, thread, instruction, written, is_done);
  return !*is_done || (tensor_place_box(box, map, (TensorMode)instruction->conversion,
                                        instruction->size, words) &&
                       tensor_can_reduce(map, instruction->alu));
}

static Operand constant(uint64_t number) {
  return (Operand){.kind = OPERAND_CONSTANT, .constant = (int64_t)number};
}

// The pieces of the box between `shared` and global memory; their number.
static uint32_t cut_box(const TensorBox *box, const Instruction *instruction, uint64_t shared,
                        Piece *pieces) {
  uint32_t count = 0, bytes = instruction->compare ? box->map->element_bytes
                                                   : tensor_piece_bytes(box, KERNEL_COPY_BYTES);
  uint32_t step = bytes / box->map->element_bytes;
  bool is_load = instruction->space == SPACE_SHARED;
  for (uint64_t i = 0; i < tensor_box_elements(box); i += step) {
    uint64_t address;
    uint64_t place = tensor_swizzle(box->map, shared + i * box->map->element_bytes);
    bool is_inside = tensor_find_element(box, i, &address);
    Piece piece = {.bytes = bytes, .is_read = is_inside, .is_bulk = true, .proxy = PROXY_ASYNC};
    piece.to = constant(is_load ? place : address);
    piece.from = constant(is_load ? address : place);
    piece.to_space = is_load ? SPACE_SHARED : SPACE_GLOBAL;
    piece.from_space = is_load ? SPACE_GLOBAL : SPACE_SHARED;
    if (is_inside || is_load)
      pieces[count++] = piece;
  }
  return count;
}

// A copy that reduces elements of the tensor, at the scope of the device (spec A.6).
static Instruction as_reduction(const Instruction *instruction, const TensorMap *map) {
  Instruction reduction = *instruction;
  reduction.op = IR_BULK_COPY;
  reduction.size = (uint8_t)map->element_bytes;
  reduction.scope = SCOPE_GPU;
  if (instruction->alu)
    reduction.alu = tensor_reduction(map, instruction->alu->op);
  return reduction;
}

static bool copy_box(Search *search, uint32_t thread, const Instruction *instruction,
                     const TensorBox *box, uint64_t shared, bool *is_done) {
  ArenaMark mark = arena_mark(search->temporary);
  Piece *pieces = ARENA_ARRAY(search->temporary, Piece, tensor_box_elements(box) + 1);
  uint32_t count = cut_box(box, instruction, shared, pieces);
  Instruction reduction = as_reduction(instruction, box->map);
  bool is_consistent = kernel_copy_pieces(
      search, thread, instruction->compare ? &reduction : instruction, pieces, count, is_done);
  arena_reset(search->temporary, mark);
  return is_consistent;
}

bool kernel_tensor_copy(Search *search, uint32_t thread, const Instruction *instruction,
                        bool *is_done) {
  TensorBox box;
  TensorMap written;
  Mbarrier *barrier;
  uint64_t first = search->kernel->copy_count, shared = 0;
  if (!find_box(search, thread, instruction, &box, &written, is_done)) {
    kernel_stop_at_fault(search, thread, RULE_OUT_OF_BOUNDS);
    return true;
  }
  *is_done = *is_done && kernel_number(search, thread, &instruction->address, &shared);
  if (!*is_done)
    return true;
  if (!kernel_find_barrier(search, thread, instruction, &barrier, is_done))
    return false;
  *is_done = *is_done && !(barrier && kernel_holds_back(search, thread, barrier));
  if (!*is_done)
    return true;
  if (!copy_box(search, thread, instruction, &box, shared + (uint64_t)instruction->offset, is_done))
    return false;
  uint64_t bytes = tensor_box_elements(&box) * box.map->element_bytes;
  return !*is_done || kernel_complete_bulk(search, thread, first, barrier, bytes);
}
