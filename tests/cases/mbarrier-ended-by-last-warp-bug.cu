// The last warp to leave ends the life of an mbarrier: the lanes of each warp meet at a `match`, and one of them counts
// down for all. But they have not waited when they meet: the mbarrier may be gone for some that still do.
// launch: kernel=leave grid=1 block=64 args=x:u32[64]=iota,y:u32[64]=0
// expect: data-race
// where: 24,45
// accept: deadlock,uninitialised
#include <cuda/atomic>
#include <cstdint>

__shared__ uint64_t full;
__shared__ uint32_t tile[64];
__shared__ uint32_t left;

__device__ uint32_t place(const void *object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ void arrive() {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(place(&full)) : "memory");
}

__device__ void wait(uint32_t parity) {
  asm volatile("{\n .reg .pred p;\nWAIT:\n mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
               " @!p bra WAIT;\n}\n" ::"r"(place(&full)), "r"(parity) : "memory");
}

extern "C" __global__ void leave(const uint32_t *x, uint32_t *y) {
  uint32_t t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(place(&full)) : "memory");
    left = 64;
  }
  __syncthreads();
  tile[t] = x[t];
  arrive();
  uint32_t mates = __match_any_sync(0xffffffff, place(&left));
  if (t % 32 == __ffs(mates) - 1) {
    cuda::atomic_ref<uint32_t, cuda::thread_scope_block> count(left);
    if (count.fetch_sub(__popc(mates)) == __popc(mates))
      asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(place(&full)) : "memory");
  }
  wait(0);
  y[t] = tile[63 - t];
}
