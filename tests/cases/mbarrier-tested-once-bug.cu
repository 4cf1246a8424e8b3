// Warp 1 tests once whether warp 0 has arrived, and reads the data whatever the answer is.
// launch: kernel=test_once grid=1 block=64 args=out:u32[32]=0
// expect: data-race
// accept: uninitialised
// where: 26,34
// final: out[i] == i for i=0..31
#include <cstdint>

__device__ bool is_over(uint32_t barrier)
{
    uint32_t over;
    asm volatile("{ .reg .pred p;\n\t"
                 "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                 "selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(barrier) : "memory");
    return over;
}
extern "C" __global__ void test_once(unsigned *out)
{
    __shared__ uint64_t barrier;
    __shared__ unsigned data[32];
    uint32_t address = (uint32_t)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(address) : "memory");
    __syncthreads();
    if (threadIdx.x < 32) {
        data[threadIdx.x] = threadIdx.x;
        asm volatile("{ .reg .b64 state;\n\t"
                     "mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(address) : "memory");
    } else {
        bool over = is_over(address);
        unsigned i = threadIdx.x - 32;
        if (!over)
            __nanosleep(100);
        out[i] = data[i];
    }
}
