// A barrier of the grid with a generation. The generation is read behind the fence, just before
// the counter is raised; nothing orders the two, so that it may be read when it has changed
// already, and then never changes again.
// launch: kernel=meet_once grid=2 block=32 coop=1 args=bar:u32[2]=0,a:u32[2]=0,b:u32[2]=0
// expect: deadlock
// accept: livelock
// where: 19,25
// final: b[0]==1 && b[1]==1

// bar[0] counts the blocks that have arrived, bar[1] is the generation.
extern "C" __global__ void meet_once(unsigned *bar, unsigned *a, unsigned *b)
{
    volatile unsigned *generation = &bar[1];
    unsigned me = blockIdx.x, last = gridDim.x - 1;
    if (threadIdx.x != 0)
        return;
    a[me] = 1;
    __threadfence();
    unsigned before = *generation;
    if (atomicAdd(&bar[0], 1) == last) {
        atomicExch(&bar[0], 0);
        __threadfence();
        *generation = before + 1;
    } else {
        while (*generation == before)
            ;
    }
    __threadfence();
    b[me] = a[1 - me];
}
// run: no, only a weak memory shows it
