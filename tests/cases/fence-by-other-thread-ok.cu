// A block barrier before the fence makes thread 0 answer for the whole block.
// launch: kernel=leader_fence grid=2 block=64 args=data:u32[64]=0,flag:u32[1]=0,copy:u32[1]=48
// expect: clean
// final: copy[0]==48
extern "C" __global__ void leader_fence(unsigned *data, unsigned *flag, unsigned *copy)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else if (t == 0 && atomicAdd(flag, 0) == 1) {
        __threadfence();
        copy[0] = data[48];
    }
}
