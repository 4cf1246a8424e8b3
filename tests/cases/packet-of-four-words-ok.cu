// One word of data and the flag share a 64-bit word.
// launch: kernel=vector_packet grid=2 block=32 args=wire:u64[1]=0,sum:u32[1]=6
// expect: clean
// final: sum[0]==6
extern "C" __global__ void vector_packet(unsigned long long *wire, unsigned *sum)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        asm volatile("st.volatile.global.u64 [%0], %1;" ::"l"(wire), "l"(1ull << 32 | 6) : "memory");
    } else {
        unsigned long long word;
        asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(word) : "l"(wire) : "memory");
        if (word >> 32 == 1)
            sum[0] = (unsigned)word;
    }
}
