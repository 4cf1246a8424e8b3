// The modifiers of one instruction, in whatever order they were written, as fields.
#ifndef WARPSAN_PTX_MODIFIERS_H
#define WARPSAN_PTX_MODIFIERS_H

#include "ir/ir.h"
#include "ptx/keywords.h"
#include "ptx/ptx.h"

typedef enum PtxOperation {
  PTX_OPERATION_NONE,
  PTX_OPERATION_ADD,
  PTX_OPERATION_AND,
  PTX_OPERATION_OR,
  PTX_OPERATION_XOR,
  PTX_OPERATION_MIN,
  PTX_OPERATION_MAX,
  PTX_OPERATION_INC,
  PTX_OPERATION_DEC,
  PTX_OPERATION_EXCH,
  PTX_OPERATION_CAS,
} PtxOperation;

typedef enum PtxCompare {
  PTX_COMPARE_NONE,
  PTX_COMPARE_EQ,
  PTX_COMPARE_NE,
  PTX_COMPARE_LT,
  PTX_COMPARE_LE,
  PTX_COMPARE_GT,
  PTX_COMPARE_GE,
  PTX_COMPARE_LO, // unsigned <
  PTX_COMPARE_LS,
  PTX_COMPARE_HI,
  PTX_COMPARE_HS,
  PTX_COMPARE_EQU, // unordered: true if a NaN is involved
  PTX_COMPARE_NEU,
  PTX_COMPARE_LTU,
  PTX_COMPARE_LEU,
  PTX_COMPARE_GTU,
  PTX_COMPARE_GEU,
  PTX_COMPARE_NUM, // neither is a NaN
  PTX_COMPARE_NAN,
} PtxCompare;

typedef enum PtxRounding {
  PTX_ROUNDING_NONE,
  PTX_ROUNDING_RN,
  PTX_ROUNDING_RZ,
  PTX_ROUNDING_RM,
  PTX_ROUNDING_RP,
  PTX_ROUNDING_RNA,
  PTX_ROUNDING_RS,
  PTX_ROUNDING_RNI,
  PTX_ROUNDING_RZI,
  PTX_ROUNDING_RMI,
  PTX_ROUNDING_RPI,
} PtxRounding;

typedef enum PtxCache {
  PTX_CACHE_NONE,
  PTX_CACHE_CA,
  PTX_CACHE_CG,
  PTX_CACHE_CS,
  PTX_CACHE_LU,
  PTX_CACHE_CV,
  PTX_CACHE_WB,
  PTX_CACHE_WT,
} PtxCache;

enum { PTX_MAX_TYPES = 6, PTX_MODIFIER_WORDS = (PTX_MODIFIER_COUNT + 63) / 64 };

typedef struct PtxModifiers {
  Sem sem;            // written, or the instruction's default (spec A.2)
  Scope scope;        // written, or the instruction's default
  bool has_sem;       // written; .volatile counts as relaxed.sys
  bool has_scope;     // written
  PtxSpace spaces[2]; // state spaces in the order written; NONE: generic
  uint32_t space_count;
  PtxType types[PTX_MAX_TYPES]; // in the order written
  uint32_t type_count;
  uint32_t vector; // 2, 4, 8; 1: scalar
  PtxOperation operation;
  PtxCompare compare;
  PtxRounding rounding;
  PtxCache cache;
  bool is_proxy_fence; // then `proxy` is the other proxy,
  Proxy proxy;
  bool is_proxy_one_way; // from generic to it (tensormap) or from it to generic (async)
  uint32_t repeat;       // of .x4; 0: none
  Name shape;            // .m16n8k16, .16x64b; 0: none
  Name unknown;          // the first modifier that nobody knows; 0: none
  uint64_t words[PTX_MODIFIER_WORDS]; // every known modifier that is there
} PtxModifiers;

// Explains the modifiers. Contradictions, repetitions and missing or impossible orders and scopes
// are reported to `diags`; then false. An unknown modifier is no error.
bool ptx_decode_modifiers(const PtxModule *module, const PtxInstruction *instruction,
                          PtxModifiers *modifiers, DiagList *diags);

// ptx_has_modifier(&modifiers, PTX_MODIFIER_arrive)
static inline bool ptx_has_modifier(const PtxModifiers *modifiers, PtxModifierId id) {
  return modifiers->words[id / 64] >> (id % 64) & 1;
}

#endif
