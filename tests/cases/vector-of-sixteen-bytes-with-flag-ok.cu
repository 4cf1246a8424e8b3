// A peer's packet: three words of data and a flag in one store of 16 bytes. The model does not keep
// such a vector together, but it keeps 64 bits: a word of data and a flag each.
// launch: kernel=push device=0 grid=1 block=4 args=box=B:u64[8]=0,epoch:u32=3
// launch: kernel=pull device=1 grid=1 block=4 args=box=B:u64[8]=0,epoch:u32=3,y:u32[8]=0
// relation: concurrent
// expect: clean
// final: y[2*i] == 100 + i && y[2*i+1] == 200 + i for i=0..3
#include <cstdint>

extern "C" __global__ void push(uint64_t *box, uint32_t epoch)
{
    uint32_t t = threadIdx.x;
    asm volatile("st.volatile.global.u64 [%0], %1;" ::"l"(box + 2 * t), "l"((uint64_t)epoch << 32 | 100 + t) : "memory");
    asm volatile("st.volatile.global.u64 [%0], %1;" ::"l"(box + 2 * t + 1), "l"((uint64_t)epoch << 32 | 200 + t) : "memory");
}

extern "C" __global__ void pull(const uint64_t *box, uint32_t epoch, uint32_t *y)
{
    uint32_t t = threadIdx.x;
    uint64_t first, second;
    do {
        asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(first) : "l"(box + 2 * t) : "memory");
        asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(second) : "l"(box + 2 * t + 1) : "memory");
    } while (first >> 32 != epoch || second >> 32 != epoch);
    y[2 * t] = (uint32_t)first;
    y[2 * t + 1] = (uint32_t)second;
}
