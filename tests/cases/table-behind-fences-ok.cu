// The reader looks at a flag that the writer sets behind its fence.
// launch: kernel=lookup grid=2 block=32 args=table:u32[32]=iota,done:u32[1]=0,value:u32[1]=10
// expect: clean
// final: value[0]==10
extern "C" __global__ void lookup(unsigned *table, unsigned *done, unsigned *value)
{
    if (blockIdx.x == 0) {
        table[threadIdx.x] *= 2;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(done, 1);
        }
    } else if (threadIdx.x == 0) {
        if (atomicAdd(done, 0) == 1) {
            __threadfence();
            value[0] = table[5];
        }
    }
}
