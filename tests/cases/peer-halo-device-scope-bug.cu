// Two devices exchange a halo. Store and load of the flag have device scope, which ends at each
// device.
// launch: kernel=send_halo device=0 grid=1 block=32 args=halo:u32[32]=0,sent:u32[1]=0
// launch: kernel=use_halo device=1 grid=1 block=32 args=halo:u32[32]=0,sent:u32[1]=0,sum:u32[32]=0
// relation: concurrent
// expect: scope-too-narrow
// where: 11,14,22,24
// final: sum[t]==3*t for t=0..31
extern "C" __global__ void send_halo(unsigned *halo, unsigned *sent)
{
    halo[threadIdx.x] = 3 * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(sent) : "memory");
}

extern "C" __global__ void use_halo(const unsigned *halo, const unsigned *sent, unsigned *sum)
{
    unsigned arrived = 0;
    if (threadIdx.x == 0)
        while (arrived == 0)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(sent) : "memory");
    __syncthreads();
    sum[threadIdx.x] = halo[threadIdx.x];
}
