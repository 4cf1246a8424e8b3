// A peer's packet: three words of data and a flag in one store of 16 bytes. The model does not keep
// such a vector together.
// launch: kernel=push device=0 grid=1 block=4 args=box=B:u64[8]=0,epoch:u32=3
// launch: kernel=pull device=1 grid=1 block=4 args=box=B:u64[8]=0,epoch:u32=3,y:u32[8]=0
// relation: concurrent
// expect: stale-value
// accept: assert,torn-access,data-race
// final: y[2*i] == 100 + i && y[2*i+1] == 200 + i for i=0..3
#include <cstdint>

extern "C" __global__ void push(uint64_t *box, uint32_t epoch)
{
    uint32_t t = threadIdx.x;
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %2, %3};" ::"l"(box + 2 * t), "r"(100 + t), "r"(200 + t), "r"(epoch) : "memory");
}

extern "C" __global__ void pull(const uint64_t *box, uint32_t epoch, uint32_t *y)
{
    uint32_t t = threadIdx.x;
    uint32_t a, b, c, d;
    do
        asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(box + 2 * t) : "memory");
    while (d != epoch);
    y[2 * t] = a;
    y[2 * t + 1] = b;
}
