// Three blocks push one item each to a stack with room for two; whoever comes last traps.
// launch: kernel=push grid=3 block=32 args=top:u32[1]=0,item:u32[2]=9,dropped:u32[1]=0
// expect: trap
// where: 14,14
// final: dropped[0]==1 && item[0]<3 && item[1]<3
extern "C" __global__ void push(unsigned *top, unsigned *item, unsigned *dropped)
{
    if (threadIdx.x != 0)
        return;
    unsigned place = atomicAdd(top, 1);
    if (place < 2)
        item[place] = blockIdx.x;
    else
        __trap();
}
