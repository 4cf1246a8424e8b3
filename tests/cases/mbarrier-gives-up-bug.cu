// The consumer asks for its data, does other work if they have not come, and then asks only once more:
// the second answer is not looked at.
// launch: kernel=give_up grid=1 block=64 args=out:u32[33]=0,value:u32=7
// expect: data-race
// accept: uninitialised
// where: 27,35
// final: out[i] == 7 for i=0..31
#include <cstdint>

__device__ bool try_wait(uint32_t barrier)
{
    uint32_t over;
    asm volatile("{ .reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                 "selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(barrier) : "memory");
    return over;
}
extern "C" __global__ void give_up(unsigned *out, unsigned value)
{
    __shared__ uint64_t barrier;
    __shared__ unsigned data;
    uint32_t address = (uint32_t)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(address) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        data = value;
        asm volatile("{ .reg .b64 state;\n\t"
                     "mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(address) : "memory");
    } else if (threadIdx.x >= 32) {
        if (!try_wait(address)) {
            atomicAdd(&out[32], 1u);
            try_wait(address);
        }
        out[threadIdx.x - 32] = data;
    }
}
