// Three words of data and a flag are written and read as one vector of four. The elements of a
// vector are separate accesses: a new flag may come with old data.
// launch: kernel=vector_packet grid=2 block=32 args=wire:u32[4]=0,sum:u32[1]=6
// expect: stale-value
// accept: assert,torn-access
// where: 13,16
// final: sum[0]==6
extern "C" __global__ void vector_packet(unsigned *wire, unsigned *sum)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(wire), "r"(1), "r"(2), "r"(3), "r"(1) : "memory");
    } else {
        unsigned a, b, c, flag;
        asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(flag) : "l"(wire) : "memory");
        if (flag == 1)
            sum[0] = a + b + c;
    }
}
// run: weak --split-vectors
