// One block loads for both of the cluster; each has announced the bytes to its own mbarrier, and waits for them.
// launch: kernel=multicast grid=2 block=32 cluster=2 args=x:u32[32]=iota,y:u32[64]=0
// expect: clean
// final: y[32 * r + k] == 31 - k for r=0..1, k=0..31
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count) : "memory");
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

__shared__ alignas(16) uint32_t tile[32];
__shared__ uint64_t full;

__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void load_for_both(void *to, const void *from, uint32_t bytes, uint64_t *bar) {
  uint16_t blocks = 3;
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
               "cluster [%0], [%1], %2, [%3], %4;" ::"r"(place(to)),
               "l"(from), "r"(bytes), "r"(place(bar)), "h"(blocks)
               : "memory");
}

extern "C" __global__ void multicast(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x, rank = blockIdx.x;
  if (t == 0) {
    init(&full, 1);
    expect(&full, 128);
  }
  meet();
  if (t == 0 && rank == 0)
    load_for_both(tile, x, 128, &full);
  wait(&full, 0);
  y[32 * rank + t] = tile[31 - t];
  meet();
}
