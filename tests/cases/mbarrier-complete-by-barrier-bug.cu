// All threads of a block arrive at an mbarrier, but only those of a warp meet before they test its phase: they know
// of their own arrivals, not of those of the other warp. The thread that finds the phase open gives up.
// launch: kernel=test_behind grid=1 block=64 args=out:u32[64]=0
// expect: trap
// final: out[i] == (i + 1) % 64 for i=0..63
#include <cstdint>

extern "C" __global__ void test_behind(unsigned *out)
{
    __shared__ uint64_t barrier;
    __shared__ unsigned data[64];
    unsigned address = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(address) : "memory");
    __syncthreads();
    data[threadIdx.x] = threadIdx.x;
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(address) : "memory");
    __syncwarp();
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(address) : "memory");
    if (!done)
        __trap();
    out[threadIdx.x] = data[(threadIdx.x + 1) % 64];
}
