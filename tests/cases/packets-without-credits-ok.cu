// A sender puts packets of 32 bits of data and 32 bits of flag into two slots of a peer. The flag tells the receiver which
// round a packet is of, and the receiver says by a counter how many it has taken.
// launch: kernel=send device=0 grid=1 block=1 args=slots=S:u64[2]=0,taken=T:u32[1]=0
// launch: kernel=receive device=1 grid=1 block=1 args=slots=S:u64[2]=0,taken=T:u32[1]=0,y:u32[4]=0
// relation: concurrent
// expect: clean
// final: y[k] == 10 + k for k=0..3
#include <cstdint>

extern "C" __global__ void send(uint64_t *slots, volatile uint32_t *taken)
{
    for (uint32_t k = 0; k < 4; k++) {
        while (*taken + 2 <= k)
            ;
        asm volatile("st.volatile.global.u64 [%0], %1;" ::"l"(slots + k % 2), "l"((uint64_t)(k + 1) << 32 | 10 + k) : "memory");
    }
}

extern "C" __global__ void receive(const uint64_t *slots, volatile uint32_t *taken, uint32_t *y)
{
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t packet;
        do
            asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(packet) : "l"(slots + k % 2) : "memory");
        while (packet >> 32 != k + 1);
        y[k] = (uint32_t)packet;
        *taken = k + 1;
    }
}
