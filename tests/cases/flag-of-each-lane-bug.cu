// Each lane of the reader polls a flag of its own and takes the value of its neighbour, whose
// flag it has not seen.
// launch: kernel=own_flags grid=2 block=4 coop=1 args=value:u32[4]=0,ready:u32[4]=0,y:u32[4]=0
// expect: no-synchronisation
// accept: warp-sync-missing
// where: 12,17
// final: y[t]==10+(t^1) for t=0..3
extern "C" __global__ void own_flags(unsigned *value, unsigned *ready, unsigned *y)
{
    unsigned t = threadIdx.x, seen = 0;
    if (blockIdx.x == 0) {
        value[t] = 10 + t;
        asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(ready + t) : "memory");
    } else {
        while (seen == 0)
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(ready + t) : "memory");
        y[t] = value[t ^ 1];
    }
}
