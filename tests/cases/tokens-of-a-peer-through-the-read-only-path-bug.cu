// What another device writes meanwhile is loaded through the read-only path.
// launch: kernel=send device=0 grid=1 block=32 args=token:u32[32]=0,arrived:u32[1]=0
// launch: kernel=receive device=1 grid=1 block=32 args=token:u32[32]=0,arrived:u32[1]=0,out:u32[32]=0
// relation: concurrent
// expect: nc-load-of-written-data
// where: 10,21
// final: out[t]==t+1 for t=0..31
extern "C" __global__ void send(unsigned *token, unsigned *arrived)
{
    token[threadIdx.x] = threadIdx.x + 1;
    __syncwarp();
    if (threadIdx.x == 0)
        asm volatile("red.release.sys.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
}
extern "C" __global__ void receive(unsigned *token, unsigned *arrived, unsigned *out)
{
    unsigned n;
    do
        asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(n) : "l"(arrived) : "memory");
    while (n == 0);
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.u32 %0, [%1];" : "=r"(n) : "l"(token + threadIdx.x) : "memory");
    out[threadIdx.x] = n;
}
