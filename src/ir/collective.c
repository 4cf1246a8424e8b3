#include "ir/collective.h"

#include "ir/alu.h"

uint32_t collective_shuffle_lane(Collective shuffle, uint32_t lane, uint32_t b, uint32_t c,
                                 bool *is_in_range) {
  uint32_t clamp = c & 31, segment = c >> 8 & 31, from = lane;
  uint32_t most = (lane & segment) | (clamp & ~segment & 31), least = lane & segment;
  b &= 31;
  switch (shuffle) {
  case COLLECTIVE_SHUFFLE_UP:
    *is_in_range = (int32_t)(lane - b) >= (int32_t)most;
    from = lane - b;
    break;
  case COLLECTIVE_SHUFFLE_DOWN:
    *is_in_range = lane + b <= most;
    from = lane + b;
    break;
  case COLLECTIVE_SHUFFLE_XOR:
    from = lane ^ b;
    *is_in_range = from <= most;
    break;
  default:
    from = least | (b & ~segment & 31);
    *is_in_range = from <= most;
  }
  return *is_in_range ? from & 31 : lane;
}

uint64_t collective_reduce(const struct AluOperation *operation, uint32_t lanes,
                           const uint64_t *values) {
  uint32_t first = (uint32_t)__builtin_ctz(lanes);
  uint64_t sum[ALU_MAX_RESULTS] = {values[first]};
  for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
    uint64_t operands[ALU_MAX_OPERANDS] = {sum[0], values[__builtin_ctz(rest)]};
    alu_compute(operation, operands, sum);
  }
  return sum[0];
}
