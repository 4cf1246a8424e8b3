// Numbers as bytes in memory, little endian.
#ifndef WARPSAN_BASE_BYTES_H
#define WARPSAN_BASE_BYTES_H

#include <stdint.h>

// The low `size` bytes of the value; `size` is at most 8.
static inline void bytes_put(uint8_t *bytes, uint64_t value, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

// `size` bytes, at most 8, as a number without a sign.
static inline uint64_t bytes_get(const uint8_t *bytes, uint32_t size) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++)
    value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

#endif
