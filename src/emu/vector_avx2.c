// The fast functions for processors with AVX2, chosen when a run begins.
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,bmi,bmi2,popcnt,lzcnt"))),       \
                             apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c,bmi,bmi2,popcnt,lzcnt")
#endif
#endif
#define VECTOR_TABLE vector_avx2
#define VECTOR_COUNT vector_avx2_count
#define VECTOR_HELPERS vector_avx2_helpers
#include "emu/vector_lanes.inc"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
