// The producer of a ring announces as many bytes as it loads.
// launch: kernel=ring grid=1 block=64 args=x:u32[128]=iota,y:u32[32]=0
// expect: clean
// final: y[k] == 4 * (31 - k) + 192 for k=0..31
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count) : "memory");
}

__device__ void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(bar)) : "memory");
}

__device__ void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(bar)),
               "r"(bytes)
               : "memory");
}

__device__ void wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE:\n}" ::"r"(place(bar)),
               "r"(parity)
               : "memory");
}

__device__ void load(void *to, const void *from, uint32_t bytes, uint64_t *bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(place(to)),
      "l"(from), "r"(bytes), "r"(place(bar))
      : "memory");
}

__device__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

enum { STAGES = 2, TILES = 4, WORDS = 32 };

__shared__ alignas(16) uint32_t tile[STAGES][WORDS];
__shared__ uint64_t full[STAGES], empty[STAGES];

extern "C" __global__ void ring(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x, lane = t % 32;
  if (t == 0)
    for (int s = 0; s < STAGES; s++) {
      init(&full[s], 1);
      init(&empty[s], 32);
    }
  __syncthreads();
  if (t == 0)
    for (int i = 0; i < TILES; i++) {
      int s = i % STAGES, round = i / STAGES;
      wait(&empty[s], round % 2 ^ 1);
      fence();
      expect(&full[s], 4 * WORDS);
      load(tile[s], x + WORDS * i, 4 * WORDS, &full[s]);
    }
  if (t < 32)
    return;
  uint32_t sum = 0;
  for (int i = 0; i < TILES; i++) {
    int s = i % STAGES, round = i / STAGES;
    wait(&full[s], round % 2);
    sum += tile[s][31 - lane];
    arrive(&empty[s]);
  }
  y[lane] = sum;
}
