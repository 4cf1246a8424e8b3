// The last block to finish, behind all others, sets both counters back.
// launch: kernel=persistent coop=1 grid=3 block=32 args=next:u32[1]=0,finished:u32[1]=0,hits:u32[2]=0
// expect: clean
// final: hits[0]==1 && hits[1]==1 && next[0]==0 && finished[0]==0
extern "C" __global__ void persistent(unsigned *next, unsigned *finished, unsigned *hits)
{
    if (threadIdx.x != 0)
        return;
    for (;;) {
        unsigned tile = atomicAdd(next, 1);
        if (tile >= 2)
            break;
        atomicAdd(&hits[tile], 1);
    }
    __threadfence();
    if (atomicAdd(finished, 1) == gridDim.x - 1) {
        __threadfence();
        *next = 0;
        atomicExch(finished, 0);
    }
}
