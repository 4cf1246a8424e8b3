// A block of a cluster arrives at the mbarrier of another one, which may not have initialised it: its own threads
// alone have met.
// launch: kernel=exchange grid=2 block=32 cluster=2 args=y:u32[64]=0
// expect: data-race
// accept: use-after-exit,uninitialised
#include <cstdint>

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(bar)), "r"(count) : "memory");
}

__device__ void wait_cluster(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
               "p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE:\n}" ::"r"(place(bar)),
               "r"(parity)
               : "memory");
}

__shared__ uint32_t inbox[32];
__shared__ uint64_t full;

__device__ uint32_t peer(const void *object, uint32_t rank) {
  uint32_t address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(address)
               : "r"(place(object)), "r"(rank));
  return address;
}

__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;" ::: "memory");
}

extern "C" __global__ void exchange(uint32_t *y) {
  uint32_t t = threadIdx.x, rank = blockIdx.x;
  if (t == 0)
    init(&full, 32);
  __syncthreads();
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(peer(&inbox[t], rank ^ 1)),
               "r"(32 * rank + t)
               : "memory");
  asm volatile(
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(peer(&full, rank ^ 1))
      : "memory");
  wait_cluster(&full, 0);
  y[32 * rank + t] = inbox[31 - t];
  meet();
}
