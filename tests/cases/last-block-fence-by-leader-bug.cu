// All threads of the last block add up what others wrote, but the leader's fence is missing before it
// counts its block: the counter says that the part is there, nothing orders it.
// launch: kernel=total grid=3 block=32 args=x:u32[96]=1,part:u32[3]=0,count:u32[1]=0,sum:u32[1]=0
// expect: release-missing
// accept: no-synchronisation
// where: 15,20
// final: sum[0]==96
extern "C" __global__ void total(const unsigned *x, unsigned *part, unsigned *count, unsigned *sum)
{
    __shared__ bool is_last;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned own = __reduce_add_sync(0xffffffffu, x[i]);
    if (threadIdx.x == 0)
    {
        part[blockIdx.x] = own;
        is_last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last) {
        unsigned mine = threadIdx.x < 3 ? part[threadIdx.x] : 0;
        unsigned all = __reduce_add_sync(0xffffffffu, mine);
        if (threadIdx.x == 0)
            sum[0] = all;
    }
}
