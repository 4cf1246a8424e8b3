// The warp meets before its first lane counts.
// launch: kernel=send device=0 grid=1 block=32 args=token:u32[32]=0,arrived:u32[1]=0
// launch: kernel=receive device=1 grid=1 block=32 args=token:u32[32]=0,arrived:u32[1]=0,out:u32[32]=0
// relation: concurrent
// expect: clean
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
    out[threadIdx.x] = token[threadIdx.x];
}
