// The maximum is made of compare-and-swap, which this link has.
// machine: cards-without-peer-atomics.machine
// launch: kernel=publish device=0 grid=1 block=32 args=best:u32[1]=0,score:u32=7
// launch: kernel=publish device=1 grid=1 block=32 args=best:u32[1]=0,score:u32=9
// buffers: best=pinned
// relation: concurrent
// expect: clean
// final: best[0]==9
extern "C" __global__ void publish(unsigned *best, unsigned score)
{
    if (threadIdx.x != 0)
        return;
    unsigned seen = 0;
    while (seen < score) {
        unsigned found = atomicCAS_system(best, seen, score);
        if (found == seen)
            break;
        seen = found;
    }
}
