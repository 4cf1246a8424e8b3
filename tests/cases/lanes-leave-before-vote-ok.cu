// The lane that draws first asks the others, which have left by then.
// launch: kernel=draw grid=1 block=3 args=next:u32[1]=0,winner:u32[1]=9
// expect: clean
// final: winner[0]<3
extern "C" __global__ void draw(unsigned *next, unsigned *winner)
{
    while (atomicAdd(next, 1u) == 0)
        if (__any_sync(7, 1))
            winner[0] = threadIdx.x;
}
