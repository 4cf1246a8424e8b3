// Tables of fast functions, one for each instruction set. Internal to emu.
#ifndef WARPSAN_EMU_VECTOR_H
#define WARPSAN_EMU_VECTOR_H

#include "emu/machine.h"

typedef struct VectorRow {
  AluOperation operation;
  OpRun *run;
} VectorRow;

// What is to be known about the addresses of a warp access.
typedef struct AddressSurvey {
  bool is_inside; // all are in low .. low + limit
  uint64_t bits;  // all ored together
  EmuShape shape;
} AddressSurvey;

typedef void VectorGather(void *to, const uint8_t *bytes, uint64_t low, const uint64_t *addresses);

struct VectorHelpers {
  // to[i] = (base[i] + offset) & mask
  void (*add_offset32)(uint64_t *to, const void *base, uint64_t offset, uint64_t mask);
  void (*add_offset64)(uint64_t *to, const void *base, uint64_t offset, uint64_t mask);
  // Gives lanes that are not among `lanes` the address of one that is.
  void (*fill)(uint64_t *addresses, uint32_t lanes);
  // requires: addresses that have been filled; limit below 2^63.
  AddressSurvey (*survey)(const uint64_t *addresses, uint32_t lanes, uint64_t low, uint64_t limit,
                          uint32_t size);
  // to[i] = what lies at bytes + (addresses[i] - low), for all lanes: of 1, 2 or 4 bytes, without
  // or with sign, into CLASS_32; of 8 bytes into CLASS_64.
  VectorGather *gather[3][2];
  VectorGather *gather64;
  // Copies the lanes that the worker runs.
  void (*blend)(const Worker *worker, void *to, const void *from, RegisterClass class);
};

extern const VectorHelpers vector_plain_helpers, vector_avx2_helpers;
extern const VectorRow vector_plain[];
extern const uint32_t vector_plain_count;
extern const VectorRow vector_avx2[];
extern const uint32_t vector_avx2_count;

// Computes some lanes of a result anew by alu_compute.
void vector_repair(const Worker *worker, const Op *op, uint32_t lanes, void *results,
                   uint32_t bits);

#endif
