// A second barrier between the devices comes before the clearing.
// launch: kernel=all_reduce device=0 grid=1 block=32 args=mine=A:u32[32]=0,theirs=B:u32[32]=0,my_flag=F:u32[2]=0,their_flag=G:u32[2]=0,sum=S:u32[32]=0,value:u32=1
// launch: kernel=all_reduce device=1 grid=1 block=32 args=mine=B:u32[32]=0,theirs=A:u32[32]=0,my_flag=G:u32[2]=0,their_flag=F:u32[2]=0,sum=T:u32[32]=0,value:u32=2
// relation: concurrent
// expect: clean
// final: S[t]==3 && T[t]==3 for t=0..31
__device__ static void meet(unsigned *my_flag, unsigned *their_flag)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned seen;
        asm volatile("st.release.sys.u32 [%0], 1;" ::"l"(their_flag) : "memory");
        do
            asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(seen) : "l"(my_flag) : "memory");
        while (seen == 0);
    }
    __syncthreads();
}

extern "C" __global__ void all_reduce(unsigned *mine, const unsigned *theirs, unsigned *my_flag, unsigned *their_flag, unsigned *sum, unsigned value)
{
    unsigned t = threadIdx.x;
    mine[t] = value;
    meet(&my_flag[0], &their_flag[0]);
    sum[t] = mine[t] + theirs[t];
    meet(&my_flag[1], &their_flag[1]);
    mine[t] = 0;
}
