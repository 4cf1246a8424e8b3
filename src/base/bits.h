// Sets of small integers as rows of 64-bit words.
#ifndef WARPSAN_BASE_BITS_H
#define WARPSAN_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t bits_words(uint32_t bit_count) {
  return (bit_count + 63) / 64;
}

static inline bool bits_has(const uint64_t *bits, uint32_t i) {
  return (bits[i >> 6] >> (i & 63)) & 1;
}

static inline void bits_add(uint64_t *bits, uint32_t i) {
  bits[i >> 6] |= 1ull << (i & 63);
}

static inline void bits_remove(uint64_t *bits, uint32_t i) {
  bits[i >> 6] &= ~(1ull << (i & 63));
}

static inline uint32_t bits_first(uint64_t word) {
  return (uint32_t)__builtin_ctzll(word);
}

static inline uint32_t bits_last(uint64_t word) {
  return 63 - (uint32_t)__builtin_clzll(word);
}

static inline uint32_t bits_count(uint64_t word) {
#if defined(__x86_64__) && !defined(__POPCNT__)
  // Without the instruction compilers call a function: sums of 2, 4 and 8 bits, then of all bytes.
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  return (uint32_t)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
#else
  return (uint32_t)__builtin_popcountll(word);
#endif
}

static inline bool bits_is_empty(const uint64_t *row, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    if (row[w])
      return false;
  return true;
}

// Is a member of one row in the other?
static inline bool bits_meet(const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    if (a[w] & b[w])
      return true;
  return false;
}

static inline void bits_add_row(uint64_t *into, const uint64_t *row, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    into[w] |= row[w];
}

// Visits each member `i` of the row `bits` of `words` words; the row must not change meanwhile.
#define BITS_EACH(i, bits, words)                                                                  \
  for (uint32_t i##_word = 0; i##_word < (words); i##_word++)                                      \
    for (uint64_t i##_left = (bits)[i##_word], i = 0;                                              \
         i##_left && (i = i##_word * 64 + bits_first(i##_left), 1); i##_left &= i##_left - 1)

#endif
